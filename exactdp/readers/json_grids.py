# SPDX-License-Identifier: MIT
"""JSON: a table with its labels and its letters, every number as its text."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from exactdp.errors import InputError, ShapeError
from exactdp.exact import Letters, letters_of
from exactdp.readers.cells import plain_number
from exactdp.readers.grids import Grid, require_text
from exactdp.readers.table_labels import points
from exactdp.runtime.budget import require_budget
from exactdp.runtime.progress import row_by_row


def is_json(text: str) -> bool:
    """Whether a text begins as JSON."""
    return text.lstrip(" \t\r\n").startswith(("[", "{"))


def json_grid(text: str) -> Grid:
    """The entries and labels of JSON: a list of rows, or an object with ``rows``, ``inputs``, ``outputs``.

    What letters stand for is said under ``letters`` and ``where``.
    """
    value = json_value(text)
    inputs = outputs = letters = None
    if isinstance(value, dict):
        unknown = sorted(set(value) - {"inputs", "outputs", "rows", "letters", "where"})
        if unknown or "rows" not in value:
            if "exactdp-certificate" in value.values() or {"claim", "witness"} <= value.keys():
                raise InputError("it is a certificate, and no table; 'exactdp show' prints it, 'exactdp convert' writes its table")
            fault = f"the key {unknown[0]!r} is unknown" if unknown else "the key 'rows' is missing"
            raise InputError(f"{fault}; a table has 'rows' and, if wanted, 'inputs' and 'outputs'", keys=sorted(value))
        if "letters" in value or "where" in value:
            letters = _json_letters(value)
        inputs, outputs, value = (value.get(key) for key in ("inputs", "outputs", "rows"))
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise InputError("the table must be a list of rows, each a list of numbers", value=type(value).__name__)
    for what, names in (("inputs", inputs), ("outputs", outputs)):
        if names is not None and not isinstance(names, list):
            raise InputError(f"{what!r} must be a list of labels", value=names)
    if not value or not value[0]:
        raise ShapeError("a table needs at least one row and one column", expected=">= 1", got=0)
    for i, row in enumerate(row_by_row(value, "the rows of a file", (len(value), len(value[0])))):
        if len(row) != len(value[0]):
            raise ShapeError(
                f"row {i} has {len(row)} entries, the first row has {len(value[0])}; all need as many", expected=len(value[0]), got=len(row)
            )
        for j, x in enumerate(row):
            if not isinstance(x, str):
                raise InputError(f"row {i}, column {j}: {kind_of(x)}, not a number", row=i, column=j, value=x)
    named = [points(names) if names and all(isinstance(name, str) for name in names) else names for names in (inputs, outputs)]
    return Grid([list(map(plain_number, row)) for row in value], [None] * len(value), named[0], named[1], "json", letters=letters)


def _json_letters(value: dict[str, Any]) -> Letters:
    """What an object of JSON says of letters: an object or a text as ``letters``, texts as ``where``."""
    said, where = value.get("letters"), value.get("where", [])
    where = [where] if isinstance(where, str) else where
    texts = said.values() if isinstance(said, dict) else [said]
    if not said or not isinstance(where, list) or not all(isinstance(x, str) for x in (*texts, *where)):
        raise InputError(
            "'letters' must give each letter its assumption, as in {\"p\": \"(0, 1/2)\"}, and 'where' a list of inequalities, as in "
            '["p + q < 1"]',
            value=said,
        )
    return letters_of(said, where)


def kind_of(value: object) -> str:
    """What a value of JSON that is no number is called."""
    kinds = {bool: "a truth value", type(None): "null", list: "a list", dict: "an object", str: "a text"}
    return kinds.get(type(value), type(value).__name__)


def json_value(text: str) -> Any:
    """The value of a JSON text, every number as its text; a key that occurs twice is an error."""
    require_text(text)
    require_budget("the JSON", numbers=text.count(",") + 1)
    try:
        value = json.loads(text, parse_float=str, parse_int=str, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        where = f"not JSON: {error.msg} at line {error.lineno}, character {error.colno}"
        lines = error.msg == "Extra data" and text[error.pos :].startswith("{")
        remedy = "; one object a line (JSON Lines) is not read: write df.to_json('table.json', orient='split')" if lines else _instead(text)
        raise InputError(f"{where}{remedy}", line=error.lineno, position=error.pos) from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply; a table is a list of rows", position=0) from None
    half = _half_escape(text, value)
    if half is not None:
        raise InputError(f"{half} is half of a character; a text of JSON has whole ones", value=half)
    return value


_OTHERS = (
    (r"\{\s*(?:'|[0-9]+\s*:)", "it is a dict as Python prints it: write df.to_json('table.json', orient='split'), or json.dumps"),
    (r"\{\s*\{", 'it is a list of Mathematica: write Export["table.csv", P], or [[…], […]]'),
    (r"\[[^\[\]{}\"]*;", "it is a matrix of Matlab: write writematrix(P, 'table.csv'), or one row a line"),
)
"""How things begin that look like JSON and are none, and what to do."""


def _instead(text: str) -> str:
    """What to do about a text that begins as JSON does, and is none.

    >>> _instead("[0.5 0.5; 0.25 0.75]")
    "; it is a matrix of Matlab: write writematrix(P, 'table.csv'), or one row a line"
    """
    return next((f"; {told}" for begin, told in _OTHERS if re.match(begin, text.lstrip())), "")


def _half_escape(text: str, value: Any) -> str | None:
    """The escape of half of a character (a lone surrogate) in the texts of a value of JSON, or None."""
    if not re.search(r"\\u[dD][89a-fA-F]", text):
        return None
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        return ascii(error.object[error.start])[1:-1]
    return None


def _refuse_constant(name: str) -> NoReturn:
    raise InputError(f"{name} is not a rational number", value=name)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [key for key, _ in pairs]
        raise InputError(f"the key {next(k for k in names if names.count(k) > 1)!r} occurs twice", keys=names)
    return result
