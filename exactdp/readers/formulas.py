# SPDX-License-Identifier: MIT
"""Tables of formulas from files, and matrices as they are written: LaTeX, CSV, JSON, objects of libraries.

Their entries are rational functions of the level ``a``, or of letters; all are read exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from exactdp.errors import ExpressionSyntaxError, InexactInputError, LabelError, RationalSyntaxError
from exactdp.exact import (
    ExactMatrix,
    Letters,
    LettersLike,
    OrderedField,
    Rational,
    RationalFunction,
    RationalFunctionField,
    common_field,
    evaluate,
    letters_of,
    parse_expression,
)
from exactdp.exact.assumptions import MOST_CHARACTERS, unknown_letter
from exactdp.exact.formula import LEVEL, names_in
from exactdp.model.mechanism import Table
from exactdp.readers.objects import table_of
from exactdp.readers.tables import DECIMAL, Content, Grid, number_in, read_grid, read_table
from exactdp.runtime.budget import require_budget


def read_formula_table(
    content: Content, *, labels: bool = False, dyadic: bool = False, alpha: Any = None, letters: Letters | None = None
) -> Table:
    r"""The table in the content of a file whose entries may be formulas in the level.

    It is over the field of the level if an entry is a formula or the level is the letter, else over ℚ.

    Parameters
    ----------
    content : str, bytes or Grid
        As for :func:`~exactdp.readers.tables.read_grid`. An entry is a number or a formula of
        :mod:`exactdp.exact.formula`.
    labels : bool
        Whether the first line and the first column of a CSV are labels.
    dyadic : bool
        Read decimals as doubles; a decimal inside a formula is refused then.
    alpha : Scalar, optional
        What the letter stands for; the letter itself, on (0, 1), unless given.
    letters : Letters, optional
        What other letters stand for. Where they are no numbers, the level's letter is one of them.

    Raises
    ------
    ExpressionSyntaxError, RationalSyntaxError, InputError
        An entry is neither number nor formula, or divides by zero; names row and column.
    ShapeError
        No rows, or rows of different lengths.
    ResourceLimitError
        More formulas than the budget allows.

    Examples
    --------
    >>> read_formula_table(",x,y\nb,1-a,a\nc,0,1", labels=True).inputs
    ('b', 'c')
    """
    grid = read_grid(content, labels=labels, dyadic=dyadic, letters=letters)
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

    if not (symbolic or has_formulas(grid)):
        return Table(grid.entries(read), grid.inputs, grid.outputs)
    require_formulas("the table of formulas", sum(len(row) for row in grid.rows))
    rows, field = grid.entries(read), letter.field
    return Table(ExactMatrix([[field(x) if isinstance(x, Rational) else x for x in row] for row in rows], field), grid.inputs, grid.outputs)


def lifted(matrix: ExactMatrix, field: OrderedField) -> ExactMatrix:
    """A matrix of numbers as one of constant formulas."""
    require_formulas("the matrix of formulas", matrix.shape[0] * matrix.shape[1])
    return matrix.over(field)


def require_formulas(what: str, count: int) -> None:
    """Refuse more formulas than the budget has numbers, of which each is worth 500."""
    require_budget(f"{what}, {count:,} entries that count as 500 numbers each,", numbers=500 * count)


def has_formulas(grid: Grid) -> bool:
    """Whether some entry is no number."""
    return any(isinstance(x, str) and _number(x, dyadic=False) is None for row in grid.rows for x in row)


def has_letters(grid: Grid) -> bool:
    """Whether some entry has a letter. Without one, formulas such as 1 - 1/4 are numbers.

    >>> [has_letters(read_grid(text)) for text in ("1-1/4,2^-1", "1-a,a")]
    [False, True]
    """
    return any(names_in(x) for row in grid.rows for x in row if isinstance(x, str))


def read_formula_matrix(content: Content, *, labels: bool = False, alpha: Any = None) -> ExactMatrix:
    r"""The matrix over ℚ(α) in the content of a file, whose entries are formulas in the level.

    Where rows and columns are labelled alike, the columns are put in the order of the rows.

    Raises LabelError if the rows and the columns of a square matrix have different labels, so that their
    order is not known.

    >>> [str(read_formula_matrix(x, labels="x" in x).det()) for x in ("1,a\na,1", ",y,x\nx,a,1\ny,1,a")]
    ['-a^2 + 1', '-a^2 + 1']
    """
    table = read_formula_table(content, labels=labels, alpha=alpha)
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


def matrix(table: Any, letters: LettersLike | None = None, where: Iterable[str] = ()) -> ExactMatrix:
    r"""The matrix that is written, its letters standing for every point of a region.

    Parameters
    ----------
    table : rows, text, or matrix of another library
        Rows of exact numbers and formulas; the text of LaTeX, CSV or JSON, as it is pasted; a matrix of
        sympy, an array of texts or exact objects, a frame. Labels are dropped: :func:`~exactdp.read_table`
        and :func:`~exactdp.table_of` keep them.
    letters : mapping, text or Region, optional
        What each letter may be: an interval such as ``"(0, 1/2)"``, ``"[0, 1)"``, ``"(0, oo)"``, an
        inequality, or the number that it is; or all of it as text, ``"0 < p < 1/2, n = 3"``
        (:class:`~exactdp.Region`).
    where : iterable of str
        Further inequalities between the letters, such as ``"p + q < 1"``.

    Returns
    -------
    ExactMatrix
        Over the rational functions of the letters on their region; over ℚ, or what else has the entries,
        without letters.

    Raises
    ------
    InputError
        A letter has no assumption, the assumptions contradict each other, or an entry is no formula.
    DomainError
        An entry has a pole in the region; the message names the point.

    Examples
    --------
    >>> M = matrix([["1-p", "p"], ["q", "1-q"]], letters={"p": "(0, 1/2)", "q": "(0, 1/2)"})
    >>> M.det(), M.det() > 0
    (RegionFunction('-p - q + 1'), True)
    >>> matrix(r"\begin{pmatrix} 1-p & p \\ q & 1-q \end{pmatrix}", "0 < p < 1/2, 0 < q < 1/2") == M
    True
    >>> matrix([["1-r", "r"]], letters={"p": "(0, 1)"})
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: row 0, column 0: '1-r' has the letter r, about which nothing is assumed ...
    """
    known = None if letters is None else letters_of(letters, where)
    found = (read_table(read_grid(table, letters=known)) if isinstance(table, str | bytes) else table_of(table, letters=known)).matrix
    return found if known is None else found.over(common_field(found, known.field))
