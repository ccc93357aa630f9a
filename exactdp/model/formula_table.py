# SPDX-License-Identifier: MIT
"""Matrices of formulas from files: CSV or JSON whose entries are rational functions of the level ``a``, read exactly."""

from __future__ import annotations

import json
from typing import Any

from exactdp.errors import InputError, ResourceLimitError, ShapeError
from exactdp.exact import ExactMatrix, RationalFunctionField, evaluate, parse_expression
from exactdp.model.cells import csv_lines, within

__all__ = ["MAX_ENTRIES", "read_formula_matrix"]

MAX_ENTRIES = 10_000
"""Most entries of such a matrix."""


def read_formula_matrix(content: str, *, labels: bool = False, alpha: Any = None) -> ExactMatrix:
    r"""The matrix over ℚ(α) in the content of a file.

    Parameters
    ----------
    content : str
        Text that begins with ``[`` or ``{`` is JSON (a list of rows, or an object with ``rows``), everything else is CSV. An entry is a
        formula of :mod:`exactdp.exact.expression`; numbers of JSON are read from their text.
    labels : bool
        Whether the first line and the first column of a CSV are labels, which are ignored.
    alpha : Scalar, optional
        What the letter stands for; the letter itself, on (0, 1), unless given.

    Raises
    ------
    ExpressionSyntaxError, InputError
        An entry is no formula, or divides by zero; names row and column.
    ShapeError
        No rows, or rows of different lengths.
    ResourceLimitError
        More than :data:`MAX_ENTRIES` entries.

    Examples
    --------
    >>> print(read_formula_matrix("1,a\na,1").det())
    -a^2 + 1
    """
    rows = _json_rows(content) if content.lstrip("\ufeff \t\r\n").startswith(("[", "{")) else _csv_rows(content, labels)
    count = sum(map(len, rows))
    if count > MAX_ENTRIES:
        raise ResourceLimitError(f"a matrix of formulas with {count} entries; the limit is {MAX_ENTRIES}", limit=MAX_ENTRIES, got=count)
    letter: Any = RationalFunctionField().gen if alpha is None else alpha
    field = letter.field
    known: dict[str, Any] = {}

    def read(text: str) -> Any:
        if text not in known:
            known[text] = evaluate(parse_expression(text), {"a": letter}, field)
        return known[text]

    return ExactMatrix([[within(read, x, row=i, column=j) for j, x in enumerate(row)] for i, row in enumerate(rows)], field)


def _csv_rows(text: str, labels: bool) -> list[list[str]]:
    rows = [cells for _, cells in csv_lines(text)]
    if labels:
        rows = [cells[1:] for cells in rows[1:]]
    if not rows or not rows[0]:
        raise ShapeError("the matrix has no entries", expected=">= 1", got=0)
    return rows


def _json_rows(text: str) -> list[list[str]]:
    try:
        value = json.loads(text.removeprefix("\ufeff"), parse_float=str, parse_int=str)
    except json.JSONDecodeError as error:
        where = f"at line {error.lineno}, character {error.colno}"
        raise InputError(f"not JSON: {error.msg} {where}", line=error.lineno, position=error.pos) from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply; a matrix is a list of rows", position=0) from None
    rows = value.get("rows") if isinstance(value, dict) else value
    if not isinstance(rows, list) or not all(isinstance(row, list) and all(isinstance(x, str) for x in row) for row in rows):
        raise InputError('a matrix is a list of rows, each a list of formulas such as "a^2" or numbers', value=type(value).__name__)
    return rows
