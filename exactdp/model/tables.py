# SPDX-License-Identifier: MIT
"""Tables from files: CSV, JSON and .npy, with nothing rounded on the way.

Decimals are exact decimals. A file of floats is refused, unless ``dyadic=True`` says that exactly those doubles are meant; then a decimal
text is rounded to the nearest double first, as the program that computed with it did.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from exactdp.errors import InputError, ResourceLimitError, ShapeError
from exactdp.exact import Rational
from exactdp.model.cells import MAX_CHARACTERS, csv_lines, number_in, within
from exactdp.model.npy import MAGIC, table_from_npy
from exactdp.model.stochastic import Table

__all__ = ["read_table", "table_from_csv", "table_from_json", "table_from_npy", "vector_from_csv"]


def read_table(content: str | bytes, *, labels: bool = False, dyadic: bool = False) -> Table:
    """The table in the content of a file, whichever of the three formats it has.

    Parameters
    ----------
    content : str or bytes
        Text that begins with ``[`` or ``{`` is JSON, bytes that begin as .npy files do are that, everything else is CSV.
    labels : bool
        Whether the first line and the first column of a CSV are labels.
    dyadic : bool
        Read decimals and floats as the doubles that they are.

    Returns
    -------
    Table

    Examples
    --------
    >>> read_table('[["1/2", 0.5]]') == read_table("0.5,1/2")
    True
    """
    if isinstance(content, bytes):
        if content.startswith(MAGIC):
            return table_from_npy(content, dyadic=dyadic)
        try:
            content = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(
                f"byte {error.start + 1} of the file is not UTF-8 text, nor is the file a .npy array", position=error.start
            ) from None
    if content.lstrip("\ufeff \t\r\n").startswith(("[", "{")):
        return table_from_json(content, dyadic=dyadic)
    return table_from_csv(content, labels=labels, dyadic=dyadic)


def table_from_csv(text: str, labels: bool = False, *, dyadic: bool = False) -> Table:
    r"""A table from comma-separated exact numbers, a row a line.

    Parameters
    ----------
    text : str
        Fractions, integers or decimals; blank lines are skipped.
    labels : bool
        Whether the first line holds the output labels and the first column the input labels (the corner is ignored).
    dyadic : bool
        Read decimals as doubles.

    Raises
    ------
    RationalSyntaxError
        A cell is not a number; names row, column, line and position.
    ShapeError
        Lines of different lengths.

    Examples
    --------
    >>> print(table_from_csv(",lo,hi\na,0.25,0.75\n", labels=True))
        lo   hi
    a  1/4  3/4
    """
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
    rows = []
    for i, (number, cells) in enumerate(lines):
        if len(cells) != width:
            above = "the first row has" if outputs is None else "there are output labels for"
            raise ShapeError(f"row {i} (line {number}) has {len(cells)} entries, {above} {width}", expected=width, got=len(cells))
        rows.append([_cell(cell, i, j, number, dyadic) for j, cell in enumerate(cells)])
    return Table(rows, inputs, outputs)


def vector_from_csv(text: str, *, dyadic: bool = False) -> tuple[Rational, ...]:
    r"""A vector, such as a prior, from one line or one column of exact numbers.

    >>> vector_from_csv("1/2, 0.25, 0.25") == vector_from_csv("1/2\n0.25\n0.25\n")
    True
    """
    lines = csv_lines(text)
    if len(lines) > 1 and any(len(cells) > 1 for _, cells in lines):
        raise ShapeError(
            f"a vector is one line or one column; there are {len(lines)} lines with several entries", expected=1, got=len(lines)
        )
    places = [(i, j, number, cell) for i, (number, cells) in enumerate(lines) for j, cell in enumerate(cells)]
    return tuple(_cell(cell, i, j, number, dyadic) for i, j, number, cell in places)


def table_from_json(text: str, *, dyadic: bool = False) -> Table:
    """A table from JSON: a list of rows, or an object with ``rows`` and optionally ``inputs`` and ``outputs``.

    Numbers are strings (``"1/3"``), integers, or decimals; the decimals are read from their *text*, exactly.

    Examples
    --------
    >>> print(table_from_json('{"inputs": ["a"], "outputs": [0, 1], "rows": [["1/3", "2/3"]]}'))
         0    1
    a  1/3  2/3
    >>> table_from_json("[[0.1, 0.9]]").matrix
    ExactMatrix([['1/10', '9/10']])
    """
    if len(text) > MAX_CHARACTERS:
        raise ResourceLimitError(f"a table of {len(text)} characters; the limit is {MAX_CHARACTERS}", limit=MAX_CHARACTERS, got=len(text))
    try:
        value = json.loads(
            text.removeprefix("\ufeff"), parse_float=str, parse_int=str, parse_constant=_refuse_constant, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg} at line {error.lineno}, character {error.colno}", line=error.lineno, position=error.pos
        ) from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply; a table is a list of rows", position=0) from None
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
    rows = [[_json_entry(x, i, j, dyadic) for j, x in enumerate(row)] for i, row in enumerate(value)]
    return Table(rows, inputs, outputs)


def _cell(text: str, row: int, column: int, line: int | None, dyadic: bool) -> Rational:
    return within(lambda cell: number_in(cell, dyadic=dyadic), text, row=row, column=column, line=line)


def _json_entry(value: object, row: int, column: int, dyadic: bool) -> Rational:
    if isinstance(value, str):
        return _cell(value, row, column, None, dyadic)
    kind = {bool: "a truth value", type(None): "null", list: "a list", dict: "an object"}.get(type(value), type(value).__name__)
    raise InputError(f"row {row}, column {column}: {kind}, not a number", row=row, column=column, value=value)


def _refuse_constant(name: str) -> NoReturn:
    raise InputError(f"{name} is not a rational number", value=name)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [key for key, _ in pairs]
        raise InputError(f"the key {next(k for k in names if names.count(k) > 1)!r} occurs twice", keys=names)
    return result
