# SPDX-License-Identifier: MIT
"""Tables of formulas from files.

Their entries are rational functions of the level ``a``, or of letters; all are read exactly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from exactdp.errors import ExpressionSyntaxError, InexactInputError, InputError, LabelError, RationalSyntaxError
from exactdp.exact import (
    ExactMatrix,
    OrderedField,
    Rational,
    RationalFunction,
    RationalFunctionField,
    evaluate,
    parse_expression,
)
from exactdp.exact.assumptions import MOST_CHARACTERS, unknown_letter
from exactdp.exact.formula import LEVEL, names_in
from exactdp.model.mechanism import Table
from exactdp.readers.entrance import within_file
from exactdp.readers.estimates import refuse_aside, told_aside
from exactdp.readers.grids import DECIMAL, Content, Grid
from exactdp.readers.tables import number_in, read_grid, read_table
from exactdp.runtime.budget import require_budget

PLAIN = re.compile(r"-?[0-9]{1,4000}(?:/[1-9][0-9]{0,4000}|\.[0-9]{1,4000})?", re.ASCII)
"""What is a number at first sight."""


def read_formula_table(content: Content, *, labels: bool = False, dyadic: bool = False, alpha: Any = None) -> Table:
    r"""The table in the content of a file whose entries may be formulas in the level.

    It is over the field of the level if an entry is a formula or the level is the letter, else over ℚ.

    * ``content``: as for :func:`~exactdp.readers.tables.read_grid`. An entry is a number or a formula of
      :mod:`exactdp.exact.formula`.
    * ``labels``: whether the first line and the first column of a CSV are labels.
    * ``dyadic``: read decimals as doubles; a decimal inside a formula is refused then.
    * ``alpha``: what the letter stands for; the letter itself, on (0, 1), unless given.
    * raises ExpressionSyntaxError, RationalSyntaxError, InputError: an entry is neither number nor formula,
      or divides by zero; names row and column.
    * raises ShapeError: no rows, or rows of different lengths.
    * raises ResourceLimitError: more formulas than the budget allows.

    >>> read_formula_table(",x,y\nb,1-a,a\nc,0,1", labels=True).inputs
    ('b', 'c')
    """
    grid = read_grid(content, labels=labels, dyadic=dyadic)
    if grid.letters is not None and grid.letters.region is not None:
        return read_table(grid, dyadic=dyadic)
    letter: Any = RationalFunctionField().gen if alpha is None else alpha
    symbolic = isinstance(letter, RationalFunction)
    known: dict[str, Any] = {}
    numbers = grid.letters.numbers if grid.letters is not None else {}

    def read(text: str) -> Any:
        if text not in known:
            known[text] = _entry(text, dyadic, letter, symbolic, numbers)
        return known[text]

    aside = told_aside(grid.notes)
    notes = [aside] if aside and not isinstance(content, Grid) else []
    if not (symbolic or has_formulas(grid)):
        return Table(grid.entries(read), grid.inputs, grid.outputs).noted(notes)
    require_formulas("the table of formulas", sum(len(row) for row in grid.rows))
    rows, field = grid.entries(read), letter.field
    matrix = ExactMatrix([[field(x) if isinstance(x, Rational) else x for x in row] for row in rows], field)
    return Table(matrix, grid.inputs, grid.outputs).noted(notes)


def table_in_file(path: str | PathLike[str], alpha: Any = None) -> Table:
    """The table in a file: of numbers, or of formulas in the level, which is ``alpha``, else the letter."""

    def read(content: bytes) -> Table:
        if content.lstrip().startswith(b"{") and b'"exactdp-certificate"' in content:
            raise InputError("it is a certificate, and no table; load(path) reads it, and verify(path) checks it")
        try:
            return read_table(content)
        except RationalSyntaxError as error:
            try:
                return read_formula_table(content, alpha=alpha)
            except InputError as other:
                if isinstance(other, ExpressionSyntaxError) or "letter" in other.facts:
                    raise error from None
                raise

    return within_file(Path(path), read)


def lifted(matrix: ExactMatrix, field: OrderedField) -> ExactMatrix:
    """A matrix of numbers as one of constant formulas."""
    require_formulas("the matrix of formulas", matrix.shape[0] * matrix.shape[1])
    return matrix.over(field)


def require_formulas(what: str, count: int) -> None:
    """Refuse more formulas than the budget has numbers, of which each is worth 500."""
    require_budget(f"{what}, {count:,} entries that count as 500 numbers each,", numbers=500 * count)


def has_formulas(grid: Grid) -> bool:
    """Whether some entry is no number."""
    texts = (x for row in grid.rows for x in row if isinstance(x, str) and PLAIN.fullmatch(x) is None)
    return any(_number(x, dyadic=False) is None for x in texts)


def has_letters(grid: Grid) -> bool:
    """Whether some entry has a letter. Without one, formulas such as 1 - 1/4 are numbers.

    >>> [has_letters(read_grid(text)) for text in ("1-1/4,2^-1", "1-a,a")]
    [False, True]
    """
    return any(names_in(x) for row in grid.rows for x in row if isinstance(x, str))


def read_formula_matrix(content: Content, *, labels: bool = False) -> ExactMatrix:
    r"""The matrix in the content of a file, over ℚ(α), or over ℚ if no entry is a formula.

    Where rows and columns are labelled alike, the columns are put in the order of the rows.

    Raises LabelError if the rows and the columns of a square matrix have different labels, so that their
    order is not known.

    >>> [str(read_formula_matrix(x, labels="x" in x).det()) for x in ("1,a\na,1", ",y,x\nx,a,1\ny,1,a")]
    ['-a^2 + 1', '-a^2 + 1']
    """
    grid = read_grid(content, labels=labels)
    refuse_aside(grid.aside)
    region = grid.letters is not None and grid.letters.region is not None
    table = read_formula_table(grid) if region or has_formulas(grid) else read_table(grid)
    if table.inputs == table.outputs or len(table.inputs) != len(table.outputs):
        return table.matrix
    if set(table.inputs) != set(table.outputs):
        raise LabelError(
            "rows and columns have different labels, so that the sign of the determinant is not determined; leave the labels out",
            got=table.outputs,
            expected=table.inputs,
        )
    return table.aligned(outputs=table.inputs).matrix


def _entry(text: str, dyadic: bool, letter: Any, symbolic: bool, numbers: Mapping[str, Rational]) -> Any:
    number = _number(text, dyadic)
    if number is not None:
        return letter.field(number) if symbolic else number
    if dyadic and DECIMAL.search(text):
        raise InexactInputError(f"{text!r} is a formula with a decimal, which has no meaning with --dyadic; write a fraction", value=text)
    try:
        formula = parse_expression(text, numbers=numbers)
        if not symbolic:
            return evaluate(formula, {"a": letter}, letter.field)
        value = letter.field.evaluated(formula, {"a": letter})
        if symbolic:
            letter.field.require_as_written(formula, {"a": letter}, value)
        return value
    except ExpressionSyntaxError:
        if symbolic:
            unknown = [name for name in names_in(text) if name not in LEVEL and name not in numbers]
            if unknown and len(unknown[0]) < MOST_CHARACTERS:
                raise unknown_letter(text, unknown[0], (LEVEL[0], *numbers)) from None
            raise
        Rational(text)
        raise


def _number(text: str, dyadic: bool) -> Rational | None:
    try:
        return number_in(text, dyadic=dyadic)
    except RationalSyntaxError:
        return None
