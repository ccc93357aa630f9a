# SPDX-License-Identifier: MIT
"""One reader for all tables: the entries, as text, and the labels that a CSV, JSON or .npy file has.

What the entries are, numbers, formulas in the level or distances, is for those who asked: tables, losses, priors, remaps and metrics all
come through this door, so that the labels of a file belong to what is in it whatever its entries are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeVar

from exactdp.errors import InputError, ResourceLimitError, ShapeError
from exactdp.exact import Rational
from exactdp.model.cells import MAX_CHARACTERS, csv_lines, within
from exactdp.model.npy import MAGIC, entries_from_npy

__all__ = ["DECIMAL", "Cell", "Grid", "csv_grid", "json_grid", "prior_grid", "read_grid"]

Cell = str | Rational
"""An entry: its text, or a number that a .npy file has as such."""

T = TypeVar("T")

DECIMAL = re.compile(r"[0-9.][eE.]|\.[0-9]")
"""Finds a decimal in the text of an entry."""


@dataclass(frozen=True, slots=True)
class Grid:
    """What a file of a table holds.

    Attributes
    ----------
    rows : list of list of str or Rational
        The entries, in rows of one length.
    lines : list of int or None
        The line of each row in a CSV.
    inputs, outputs : list of labels, or None
        Those of the rows and of the columns; None where the file has none.
    form : "csv", "json" or "npy"
    floats : bool
        Whether entries are floats of a .npy file.
    """

    rows: list[list[Cell]]
    lines: list[int | None]
    inputs: list[Any] | None
    outputs: list[Any] | None
    form: Literal["csv", "json", "npy"]
    floats: bool = False

    @property
    def has_decimals(self) -> bool:
        """Whether ``dyadic`` makes a difference: some entry is a float, or has a decimal in its text."""
        return self.floats or any(isinstance(x, str) and DECIMAL.search(x) for row in self.rows for x in row)

    def entries(self, read: Callable[[str], T]) -> list[list[T | Rational]]:
        """All entries, each text read; an error names row, column and line."""
        return [
            [x if isinstance(x, Rational) else within(read, x, row=i, column=j, line=self.lines[i]) for j, x in enumerate(row)]
            for i, row in enumerate(self.rows)
        ]


def read_grid(content: str | bytes, *, labels: bool = False, dyadic: bool = False) -> Grid:
    r"""The entries and labels in the content of a file.

    Parameters
    ----------
    content : str or bytes
        Text that begins with ``[`` or ``{`` is JSON, bytes that begin as .npy files do are that, everything else is CSV.
    labels : bool
        Whether the first line and the first column of a CSV are labels; JSON has its labels under ``inputs`` and ``outputs``.
    dyadic : bool
        Accept the floats of a .npy file, each as the exact number that it is.

    Examples
    --------
    >>> read_grid('{"inputs": ["a"], "rows": [[1, "a^2"]]}').rows, read_grid(",x,y\na,1,a^2", labels=True).inputs
    ([['1', 'a^2']], ['a'])
    """
    if isinstance(content, bytes) and content.startswith(MAGIC):
        rows, floats = entries_from_npy(content, dyadic=dyadic)
        return Grid(rows, [None] * len(rows), None, None, "npy", floats)
    text = text_in(content)
    if text.lstrip("\ufeff \t\r\n").startswith(("[", "{")):
        return json_grid(text)
    return csv_grid(text, labels)


def prior_grid(content: str | bytes, *, labels: bool = False) -> Grid:
    r"""The weights of a prior, in one line or one column, and the labels of the inputs that a file gives.

    Parameters
    ----------
    content : str or bytes
        JSON: an object from label to weight, or a list of weights. CSV: one line or one column of weights; with ``labels`` a line
        ``label,weight`` for each input.
    labels : bool
        Whether a CSV has labels.

    Examples
    --------
    >>> prior_grid("b,1/3\na,2/3", labels=True).inputs, prior_grid('{"b": "1/3", "a": "2/3"}').rows
    (['b', 'a'], [['1/3'], ['2/3']])
    """
    text = text_in(content)
    if text.lstrip("\ufeff \t\r\n").startswith(("[", "{")):
        value = json_value(text)
        weights = list(value.values()) if isinstance(value, dict) else value
        for place, x in enumerate(weights):
            if not isinstance(x, str):
                raise InputError(
                    f"the weight number {place} is {x!r}, not a number; a prior is a list of weights, or label: weight", value=x
                )
        inputs = list(value) if isinstance(value, dict) else None
        return Grid([[x] for x in weights], [None] * len(weights), inputs, None, "json")
    grid = csv_grid(text)
    height, width = len(grid.rows), len(grid.rows[0])
    if labels:
        if width != 2:
            raise ShapeError(
                f"a prior with labels is a line 'label,weight' for each input; line 1 has {width} cells", expected=2, got=width
            )
        return Grid([row[1:] for row in grid.rows], grid.lines, [row[0] for row in grid.rows], None, "csv")
    if height > 1 and width > 1:
        raise ShapeError(f"a vector is one line or one column; there are {height} lines with several entries", expected=1, got=height)
    return grid


def text_in(content: str | bytes) -> str:
    """The content as text."""
    if isinstance(content, str):
        return content
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start + 1} of the file is not UTF-8 text, nor is the file a .npy array", position=error.start
        ) from None


def csv_grid(text: str, labels: bool = False) -> Grid:
    """The entries and labels of a CSV."""
    lines = csv_lines(text)
    inputs = outputs = None
    if labels:
        outputs = lines[0][1][1:]
        inputs = [cells[0] for _, cells in lines[1:]]
        lines = [(number, cells[1:]) for number, cells in lines[1:]]
    if not lines:
        raise InputError("the table has labels but no rows", line=2)
    width = len(lines[0][1]) if outputs is None else len(outputs)
    if width == 0:
        raise InputError(f"line {lines[0][0]}: labels but no numbers", line=lines[0][0])
    for i, (number, cells) in enumerate(lines):
        if len(cells) != width:
            above = "the first row has" if outputs is None else "there are output labels for"
            raise ShapeError(f"row {i} (line {number}) has {len(cells)} entries, {above} {width}", expected=width, got=len(cells))
    return Grid([list(cells) for _, cells in lines], [number for number, _ in lines], inputs, outputs, "csv")


def json_value(text: str) -> Any:
    """The value of a JSON text, every number as its text; a key that occurs twice is an error."""
    if len(text) > MAX_CHARACTERS:
        raise ResourceLimitError(f"a table of {len(text)} characters; the limit is {MAX_CHARACTERS}", limit=MAX_CHARACTERS, got=len(text))
    try:
        return json.loads(
            text.removeprefix("\ufeff"), parse_float=str, parse_int=str, parse_constant=_refuse_constant, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg} at line {error.lineno}, character {error.colno}", line=error.lineno, position=error.pos
        ) from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply; a table is a list of rows", position=0) from None


def json_grid(text: str) -> Grid:
    """The entries and labels of a JSON text: a list of rows, or an object with ``rows``, ``inputs`` and ``outputs``."""
    value = json_value(text)
    inputs = outputs = None
    if isinstance(value, dict):
        unknown = sorted(set(value) - {"inputs", "outputs", "rows"})
        if unknown or "rows" not in value:
            fault = f"the key {unknown[0]!r} is unknown" if unknown else "the key 'rows' is missing"
            raise InputError(f"{fault}; a table has 'rows' and, if wanted, 'inputs' and 'outputs'", keys=sorted(value))
        inputs, outputs, value = (value.get(key) for key in ("inputs", "outputs", "rows"))
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise InputError("the table must be a list of rows, each a list of numbers", value=type(value).__name__)
    for what, names in (("inputs", inputs), ("outputs", outputs)):
        if names is not None and not isinstance(names, list):
            raise InputError(f"{what!r} must be a list of labels", value=names)
    if not value or not value[0]:
        raise ShapeError("a table needs at least one row and one column", expected=">= 1", got=0)
    for i, row in enumerate(value):
        if len(row) != len(value[0]):
            raise ShapeError(f"row {i} has {len(row)} entries, the first row has {len(value[0])}", expected=len(value[0]), got=len(row))
        for j, x in enumerate(row):
            if not isinstance(x, str):
                kind = {bool: "a truth value", type(None): "null", list: "a list", dict: "an object"}.get(type(x), type(x).__name__)
                raise InputError(f"row {i}, column {j}: {kind}, not a number", row=i, column=j, value=x)
    return Grid(value, [None] * len(value), inputs, outputs, "json")


def _refuse_constant(name: str) -> NoReturn:
    raise InputError(f"{name} is not a rational number", value=name)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [key for key, _ in pairs]
        raise InputError(f"the key {next(k for k in names if names.count(k) > 1)!r} occurs twice", keys=names)
    return result
