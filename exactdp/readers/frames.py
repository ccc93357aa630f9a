# SPDX-License-Identifier: MIT
"""Data frames as pandas writes them in JSON, in each of its orients; every number as its text.

``split`` and ``table`` say what are rows and columns, and so does ``records`` (without an index).
``columns``, which pandas writes unless told, and ``index`` look alike: the outer names are read as columns,
as pandas reads them, unless only the other reading has rows that sum to 1; a note says which. A mechanism
whose rows and columns both sum to 1 is refused then. ``values`` is a list of rows, as any other JSON.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from exactdp.errors import InputError, ResourceLimitError, ShapeError
from exactdp.exact import Rational
from exactdp.readers.cells import plain_number
from exactdp.readers.grids import Cell, Grid
from exactdp.readers.json_grids import json_value, kind_of
from exactdp.readers.long_form import long_form
from exactdp.readers.table_labels import points

_ABOUT = Rational(1, 100)
"""Further from 1 is no sum of probabilities, however they were rounded."""

_TWO_WAYS = (
    "the outer names may be columns (orient='columns', pandas' default) or rows (orient='index'), and both sum to 1: give --transpose (in "
    "Python transpose=True) if they are rows, else write it with to_json(orient='split')"
)

_INDEX = (
    "without the first column all rows sum to 1: if it is the index, leave it out, or write the frame with set_index and "
    "to_json(orient='split'); if all columns are entries, write them with orient='values'"
)

_DIGITS = "pandas writes 10 digits after the point unless told: to_json(double_precision=15)"


def is_frame_json(text: str) -> bool:
    """Whether a text is the JSON of a data frame: a list of objects, an object of objects, or a split.

    >>> [is_frame_json(text) for text in ('[{"a": 1}]', '{"a": {"0": 1}}', "[[1]]", '{"rows": [[1]]}')]
    [True, True, False, False]
    """
    bare = text.lstrip(" \t\r\n")
    if re.match(r"\[\s*\{", bare):
        return True
    if not bare.startswith("{") or re.search(r'"rows"\s*:', bare):
        return False
    first = re.match(r'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(.)', bare, re.DOTALL)
    split = all(re.search(rf'"{key}"\s*:\s*\[', bare) for key in ("columns", "data"))
    return split or (first is not None and first[1] == "{" and not re.match(r'\{\s*"(?:letters|where)"', bare))


def frame_grid(text: str) -> Grid:
    """The entries and labels of a data frame in JSON.

    * raises InputError: none of pandas' orients, or an entry that is no number.
    * raises ShapeError: rows with different columns.

    >>> frame_grid('{"columns": ["n", "y"], "index": [0, 1], "data": [[0.5, 0.5], [0.25, 0.75]]}').outputs
    ['n', 'y']
    >>> frame_grid('[{"n": 0.5, "y": 0.5}]').rows, frame_grid('{"n": {"a": 1}, "y": {"a": 0}}').inputs
    ([['0.5', '0.5']], ['a'])
    """
    value = json_value(text)
    notes = []
    inputs: list[Any] | None = None
    if isinstance(value, dict) and {"columns", "data"} <= set(value) <= {"columns", "data", "index"}:
        orient, outputs, inputs, rows = "split", value["columns"], value.get("index"), value["data"]
    elif isinstance(value, dict) and {"schema", "data"} <= set(value):
        orient = "table"
        outputs, inputs, rows = _table(value)
    elif isinstance(value, list):
        orient = "records"
        outputs, rows = _records(value)
        long = _long_form(outputs, rows)
        if long is not None:
            return replace(long, notes=(f"read as a data frame's JSON (orient='records'); {_DIGITS}", *long.notes), form="json")
    else:
        orient = "columns"
        outputs = list(value)
        inputs, rows = _columns(value)
        notes.append(
            f"the outer names {', '.join(outputs[:3])}{', …' if len(outputs) > 3 else ''} are read as columns, as pandas does "
            "(orient='columns'); if they are the rows (orient='index'), give --transpose (in Python transpose=True)"
        )
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows) or not isinstance(outputs, list):
        raise InputError(f"the data frame ({orient}) needs a list of rows, each a list of numbers, and a list of columns", value=orient)
    if inputs is not None and not isinstance(inputs, list):
        raise InputError("the index of the data frame must be a list of labels", value=inputs)
    cells: list[list[Cell]] = []
    for i, row in enumerate(rows):
        if len(row) != len(outputs) or not row:
            raise ShapeError(f"row {i} has {len(row)} entries, and there are {len(outputs)} columns", expected=len(outputs), got=len(row))
        for j, x in enumerate(row):
            if not isinstance(x, str):
                raise InputError(f"row {i}, column {j}: {kind_of(x)}, not a number", row=i, column=j, value=x)
        cells.append(list(map(plain_number, row)))
    if inputs is not None and len(inputs) != len(cells):
        raise ShapeError(f"{len(inputs)} labels of the index for {len(cells)} rows", expected=len(cells), got=len(inputs))
    inputs, outputs = _labels(inputs), _labels(outputs)
    numbers = _numbers(cells)
    turned = None if numbers is None else [list(column) for column in zip(*numbers, strict=True)]
    by_sums = orient == "columns" and numbers is not None and not _sum_to_one(numbers) and _sum_to_one(turned or [])
    if by_sums:
        numbers = turned
        orient, cells = "index", [list(column) for column in zip(*cells, strict=True)]
        inputs, outputs = outputs, inputs
        notes = ["the outer names are read as rows (orient='index'), since each of their objects sums to 1"]
    notes.insert(0, f"read as a data frame's JSON (orient={orient!r}), each number as the exact decimal that is written; {_DIGITS}")
    doubt = "" if numbers is None else _doubt(orient, numbers, inputs, outputs)
    return Grid(cells, [None] * len(cells), inputs, outputs, "json", notes=tuple(notes), doubt=doubt, by_sums=by_sums)


def _numbers(cells: list[list[Cell]]) -> list[list[Rational]] | None:
    """The entries as numbers; None if one is none."""
    try:
        return [[Rational(x) for x in row] for row in cells]
    except (InputError, ResourceLimitError):
        return None


def _doubt(orient: str, rows: list[list[Rational]], inputs: list[Any] | None, outputs: list[Any] | None) -> str:
    """What else the rows of a mechanism may be: columns, or an index and rows; empty if nothing."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    if orient == "columns":
        two_ways = (rows, inputs) != (columns, outputs) and _sum_to_one(rows) and _sum_to_one(columns)
        return _TWO_WAYS if two_ways else ""
    first = columns[0]
    counted = len(set(first)) == len(first) > 1 and all(x.denominator == 1 for x in first)
    if orient == "records" and counted and len(columns) > 2 and not _sum_to_one(rows) and _sum_to_one([row[1:] for row in rows]):
        return _INDEX
    return ""


def _sum_to_one(rows: list[list[Rational]]) -> bool:
    """Whether each row sums to 1, about."""
    return all(abs(sum(row, Rational(0)) - 1) <= _ABOUT for row in rows)


def _labels(names: list[Any] | None) -> list[Any] | None:
    """Labels, those of a MultiIndex as points; None if they only count 0, 1, …."""
    if names is None:
        return None
    texts = [",".join(map(str, name)) if isinstance(name, list) else name for name in names]
    if not all(isinstance(x, str) for x in texts):
        raise InputError("the labels of the data frame must be texts or numbers", value=names)
    return None if texts == [str(k) for k in range(len(texts))] else points(texts)


def _table(value: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Columns, index and rows of ``orient="table"``."""
    schema, data = value["schema"], value["data"]
    if not isinstance(schema, dict) or not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise InputError("a table of JSON has a 'schema' that is an object, and 'data', a list of objects", value=type(data).__name__)
    key = schema.get("primaryKey", [])
    key = key if isinstance(key, list) else [key]
    names, rows = _records(data)
    if not all(isinstance(k, str) and k in names for k in key):
        raise InputError("the 'primaryKey' of the table is none of its columns", value=key)
    outputs = [name for name in names if name not in key]
    kept = [[row[names.index(name)] for name in outputs] for row in rows]
    index = [[row[names.index(k)] for k in key] for row in rows]
    return outputs, [x[0] if len(x) == 1 else x for x in index] if key else None, kept


def _records(value: list[Any]) -> tuple[list[str], list[list[Any]]]:
    """Columns and rows of a list of objects."""
    if not value or not all(isinstance(row, dict) for row in value):
        raise InputError("a list of rows has either lists or objects, and at least one", value=len(value))
    names = list(value[0])
    for i, row in enumerate(value):
        if set(row) != set(names):
            raise ShapeError(f"row {i} has other columns than the first row", expected=names, got=list(row))
    return names, [[row[name] for name in names] for row in value]


def _long_form(names: list[str], rows: list[list[Any]]) -> Grid | None:
    """The table of records with input, output and probability (:mod:`~exactdp.readers.long_form`)."""
    if not all(isinstance(x, str) for row in rows for x in row):
        return None
    return long_form([(1, names), *((place, row) for place, row in enumerate(rows, 2))])


def _columns(value: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """Index and rows of an object of columns."""
    columns = list(value.values())
    if not columns or not all(isinstance(column, dict) for column in columns):
        raise InputError("an object of columns has an object for each of them", value=sorted(value)[:3])
    index = list(columns[0])
    for name, column in value.items():
        if set(column) != set(index):
            raise ShapeError(f"the column {name!r} has other rows than the first column", expected=index, got=list(column))
    return index, [[column[label] for column in columns] for label in index]
