# SPDX-License-Identifier: MIT
"""Tables from files: CSV, JSON and .npy, with nothing rounded on the way.

A file is read in two steps. :func:`read_grid` gives its entries, as text, and its labels. What the entries
are (numbers here, formulas in the level and distances in the modules beside) is for those who asked: tables,
losses, priors, remaps and metrics are all read this way, so that the labels of a file belong to what is in
it.

Decimals are exact decimals. A file of floats is refused, unless ``dyadic=True`` says that exactly those
doubles are meant; then a decimal text is rounded to the nearest double first, as the program that computed
with it did.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import IO, Any, Protocol, TypeAlias, overload

from exactdp.errors import (
    InexactInputError,
    InputError,
    NegativeEntryError,
    RationalSyntaxError,
    ShapeError,
    brief_value,
    wrong_kind,
)
from exactdp.exact import (
    QQ,
    Letters,
    LettersLike,
    Rational,
    RationalFunction,
    RegionFunction,
    as_flag,
    from_float,
    integer_vector,
    letters_of,
    number_of,
    numbers_of,
    reader_of_exponentials,
)
from exactdp.exact.formula import shortened
from exactdp.exact.identity import same_formula
from exactdp.model.faults import MOST_ROUNDING
from exactdp.model.labels import brief
from exactdp.model.mechanism import Table
from exactdp.model.printed import Digits, PrintedTable, as_digits, interval_of, of_intervals
from exactdp.model.vectors import Prior
from exactdp.readers.cells import plain_number
from exactdp.readers.csv_grids import csv_grid, labelled_weights, refuse_both
from exactdp.readers.entrance import file_of, is_open_file, read_source, rest_of
from exactdp.readers.estimates import refuse_aside, told_aside
from exactdp.readers.formats import Asked, grid_in
from exactdp.readers.grids import DECIMAL, Content, Grid, names_of, text_in
from exactdp.readers.json_grids import json_value, kind_of
from exactdp.readers.long_form import long_form_fault
from exactdp.readers.objects import table_of
from exactdp.readers.table_labels import is_misplaced_label, label_columns_hint

Source: TypeAlias = "Content | os.PathLike[str] | IO[str] | IO[bytes] | Sequence[Sequence[object]] | SupportsShape"
"""Where a table is read from."""


class SupportsShape(Protocol):
    """An array, a matrix or a frame of another library."""

    @property
    def shape(self) -> Any:
        """Rows and columns."""


def read_grid(
    content: Content, *, labels: bool = False, dyadic: bool = False, letters: Letters | None = None, header: bool | None = None
) -> Grid:
    r"""The entries and labels in the content of a file.

    * ``content``: in one of the forms of :data:`~exactdp.readers.formats.FORMATS`; what is none of the others
      is lines of cells (CSV). What has been read already stays as it is.
    * ``labels``: whether the first line and the first column of a CSV are labels; JSON has its labels under
      ``inputs`` and ``outputs``.
    * ``dyadic``: accept the floats of a .npy file, each as the exact number that it is.
    * ``letters``: what the letters in the entries stand for; JSON may say it itself, under ``letters`` and
      ``where``.
    * ``header``: whether the first line of a CSV names the columns, and there is no column of labels, as data
      frames write it. Unless given, words are told apart and numbers are entries.

    >>> read_grid("10,20\n1/2,1/2", header=True).outputs, read_grid("0,1\n1/2,1/2", header=True).outputs
    (['10', '20'], None)
    >>> print(read_grid('{"letters": {"p": "(0, 1)"}, "rows": [["p", "1-p"]]}').letters)
    0 < p < 1
    >>> read_grid('{"inputs": ["a"], "rows": [[1, "a^2"]]}').rows, read_grid(",x\na,1", labels=True).inputs
    ([['1', 'a^2']], ['a'])
    """
    if isinstance(content, Grid):
        return content
    return grid_in(content, Asked(labels, dyadic, letters, header))


def _refuse_header(header: bool | None, instead: str) -> None:
    """Refuse that the first line is said to be a header in what has no lines."""
    if header is not None:
        raise InputError(f"a header is the first line of a CSV, and {instead}; leave header out (--header, --no-header)", value=header)


def prior_grid(content: str | bytes, *, labels: bool = False, letters: Letters | None = None, header: bool | None = None) -> Grid:
    r"""The weights of a prior, in one line or one column, and the labels of the inputs that a file gives.

    * ``content``: JSON: an object from label to weight, or a list of weights. CSV: one line or one column of
      weights; with ``labels`` a line ``label,weight`` for each input.
    * ``labels``: whether a CSV has labels.
    * ``letters``: what the letters in the weights stand for.
    * ``header``: whether the first line of a CSV names the inputs (as :func:`read_grid` reads it).

    >>> prior_grid("b,1/3\na,2/3", labels=True).inputs, prior_grid('{"b": "1/3", "a": "2/3"}').rows
    (['b', 'a'], [['1/3'], ['2/3']])
    """
    text = text_in(content)
    if text.lstrip(" \t\r\n").startswith(("[", "{")):
        _refuse_header(header, "JSON has label: weight")
        value = json_value(text)
        weights = list(value.values()) if isinstance(value, dict) else value
        for place, x in enumerate(weights):
            if not isinstance(x, str):
                raise InputError(
                    f"the weight number {place} is {kind_of(x)}, not a number; a prior is a list of weights, or label: weight", value=x
                )
        inputs = list(value) if isinstance(value, dict) else None
        return Grid([[plain_number(x)] for x in weights], [None] * len(weights), inputs, None, "json", letters=letters)
    if labels:
        refuse_both(labels, header)
        return replace(labelled_weights(text, names_of(letters)), letters=letters)
    grid = csv_grid(text, letters=letters, header=header)
    refuse_aside(grid.aside)
    height, width = len(grid.rows), len(grid.rows[0])
    if height > 1 and width > 1:
        raise ShapeError(
            f"a prior is one line or one column of weights, and there are {height} lines with {width} cells; if they are 'label,weight', "
            "give --labels, and --header if the first line names the inputs",
            expected=1,
            got=height,
        )
    inputs = grid.outputs if width > 1 else grid.inputs
    return Grid(grid.rows, grid.lines, inputs, None, "csv", notes=grid.notes, letters=letters)


def number_in(text: str, *, dyadic: bool = False) -> Rational:
    """The exact number of a cell; with ``dyadic`` that of the double nearest to a decimal.

    >>> number_in("0.1"), number_in("0.1", dyadic=True)
    (Rational('1/10'), Rational('3602879701896397/36028797018963968'))
    """
    exact = Rational(text)
    if dyadic and not text.lstrip("-").replace("/", "").isdigit():
        return from_float(float(text))
    return exact


def number_reader(grid: Grid, *, dyadic: bool = False) -> Callable[[str], Any]:
    """What reads the cells of a grid: numbers, and formulas with letters, or exp as in ``1 - exp(-1/2)``.

    A table is over the field of its letters only if some entry has one of them.

    >>> str(number_reader(read_grid("1 - exp(-1/2),1"))("1 - exp(-1/2)"))
    '-t + 1'
    """
    letters = grid.letters
    formulas = {x for row in grid.rows for x in row if isinstance(x, str) and "exp(" in x}
    if letters is None and not formulas:
        return (lambda cell: number_in(cell, dyadic=True)) if dyadic else number_of
    evaluated = reader_of_exponentials(formulas) if letters is None else letters.read

    def read(cell: str) -> Any:
        try:
            return number_in(cell, dyadic=dyadic)
        except RationalSyntaxError:
            if letters is None and cell not in formulas:
                raise
        if dyadic and DECIMAL.search(cell):
            raise InexactInputError(
                f"{cell!r} is a formula with a decimal, which has no meaning with --dyadic; write a fraction", value=cell
            )
        return evaluated(cell)

    return read


@overload
def read_table(
    content: Source,
    *,
    labels: bool = False,
    dyadic: bool = False,
    letters: LettersLike | None = None,
    header: bool | None = None,
    transpose: bool = False,
    digits: None = None,
) -> Table: ...
@overload
def read_table(
    content: Source,
    *,
    labels: bool = False,
    dyadic: bool = False,
    letters: LettersLike | None = None,
    header: bool | None = None,
    transpose: bool = False,
    digits: Digits,
) -> PrintedTable: ...


def read_table(
    content: Source,
    *,
    labels: bool = False,
    dyadic: bool = False,
    letters: LettersLike | None = None,
    header: bool | None = None,
    transpose: bool = False,
    digits: Digits | None = None,
) -> Table | PrintedTable:
    r"""The table in a file, a text or an object, whichever of the known formats it has.

    Parameters
    ----------
    content : str, path, bytes, open file, or object of another library
        The name of a file, ``"survey.csv"`` or a :class:`pathlib.Path`; the text of a table, which has
        several lines, or numbers with commas (:mod:`exactdp.readers.entrance` says how the two are told
        apart); the bytes of a file; an open file, of text or bytes; or what :func:`exactdp.table_of` takes.

        Fractions, integers or decimals; the decimals of JSON are read from their text, and blank lines of a
        CSV are skipped. A .npy file is of integers or of text.
    labels : bool
        Whether the first line holds the output labels of a text and the first column, or the first few, the
        input labels (the corner is ignored). Without it labels that can be nothing else are found
        (:func:`~exactdp.readers.table_labels.told_apart`).
    dyadic : bool
        Read decimals as doubles, and accept floats of 16, 32 or 64 bits, each as the exact number that it is.
    letters : mapping, text or Region, optional
        What the letters in the entries may be (:class:`~exactdp.Region`), or which numbers they are. JSON may
        say it itself: ``{"letters": {"p": "(0, 1/2)"}, "where": [], "rows": [["p", "1-p"]]}``.
    header : bool, optional
        Whether the first line of a CSV names the outputs, and there is no column of labels, as data frames
        write it. Unless given, a first line 0, 1, … or one of no probabilities, above rows that sum to 1, is
        an error (:func:`first_line_fault`).
    transpose : bool
        Whether the inputs are the columns of the file.
    digits : int or "auto", optional
        The table was printed with so many digits after the decimal point, or each cell with those that it
        shows. What is read is then the set of all mechanisms that print so (:class:`~exactdp.PrintedTable`),
        and the questions that take one are asked of all of them.

    Returns
    -------
    Table or PrintedTable

    Raises
    ------
    RationalSyntaxError
        A cell is not a number; names row, column, line and position.
    ShapeError
        Lines of different lengths, or not a two-dimensional array.
    InexactInputError
        An array of floats without ``dyadic=True``.
    InputError
        Not a file of one of these formats.

    Examples
    --------
    >>> print(read_table(",lo,hi\na,0.25,0.75\n", labels=True))
        lo   hi
    a  1/4  3/4
    >>> read_table('[["1/2", 0.5]]') == read_table('{"rows": [["1/2", "1/2"]]}') == read_table("0.5,1/2")
    True
    >>> printed = read_table("0.3,0.7\n0.5,0.5", digits=1)
    >>> printed.lower.row(0), printed.upper.row(0)
    ((Rational('1/4'), Rational('13/20')), (Rational('7/20'), Rational('3/4')))
    >>> header = b"{'descr': '<i1', 'fortran_order': False, 'shape': (1, 2), }"
    >>> read_table(b"\x93NUMPY\x01\x00" + bytes([len(header), 0]) + header + bytes([0, 1])).matrix
    ExactMatrix([['0', '1']])
    """
    known = None if letters is None else letters_of(letters)
    if file_of(content, names_of(known)) is not None:

        def read(found: bytes) -> Table | PrintedTable:
            return read_table(found, labels=labels, dyadic=dyadic, letters=letters, header=header, transpose=transpose, digits=digits)

        return read_source(content, read)
    if is_open_file(content):
        content = rest_of(content)
    if not isinstance(content, (str, bytes, Grid)):
        labelled = as_flag(labels, "flag labels") or None
        return _of_object(content, dyadic, letters, transpose, labels=labelled, header=header, digits=digits)
    said = None if header is None else as_flag(header, "flag header")
    grid = read_grid(content, labels=as_flag(labels, "flag labels"), dyadic=as_flag(dyadic, "flag dyadic"), letters=known, header=said)
    if isinstance(content, Grid) and known is not None:
        grid = replace(grid, letters=known.joined(grid.letters))
    told = None if digits is None else as_digits(digits)
    if as_flag(transpose, "flag transpose"):
        grid = grid.transposed()
    elif said is None and not labels and not isinstance(content, Grid):
        grid = without_index(grid)
    first = (said is None or transpose) and not isinstance(content, Grid)
    try:
        if told is not None:
            printed = _printed(grid, told, dyadic=dyadic, first=first, transposed=transpose)
            aside = "" if isinstance(content, Grid) else told_aside(grid.notes)
            return printed.noted([aside]) if aside else printed
        of_cell = number_reader(grid, dyadic=dyadic)
        of_row: Any = numbers_of if of_cell is number_of else None
        table = Table(grid.entries(of_cell, of_row), grid.inputs, grid.outputs)
    except RationalSyntaxError as error:
        place = grid.inputs is None and grid.outputs is None and 0 in (error.facts.get("row"), error.facts.get("column"))
        if grid.form != "csv" or not place or not is_misplaced_label(str(error.facts.get("text")), names_of(grid.letters)):
            raise
        where, _, _ = error.message.partition(":")
        raise RationalSyntaxError(
            f"{where}: {shortened(str(error.facts['text']))!r} is not an exact number; if line 1 and the first column are labels, give "
            "--labels (in Python labels=True); if only the first column is, begin with a line of labels, empty above them",
            **error.facts,
        ) from None
    if first:
        require_rows(grid, table, transposed=transpose)
    return table if isinstance(content, Grid) else table.noted([*grid.notes, *_row_or_heading(grid, table)])


def _row_or_heading(grid: Grid, table: Table) -> list[str]:
    """Of a table of zeros and ones, a note that its first line may name the columns: it counts them."""
    plain = grid.form == "csv" and grid.inputs is None and grid.outputs is None and table.matrix.field is QQ
    zeros_and_ones = plain and len(grid.rows) > 2 and all(x in (0, 1) for row in table.matrix.rows() for x in row)
    counts = zeros_and_ones and all(x == j for j, x in enumerate(table.matrix.row(0)))
    told = f"line {grid.lines[0]} is read as a row of probabilities; if it names the outputs, give header=True"
    return [told] if counts else []


def _of_object(thing: Any, dyadic: bool, letters: LettersLike | None, transpose: bool, **of_text: Any) -> Table:
    """The table that an object of another library holds; options about a text are refused."""
    for option, value in of_text.items():
        if value is not None:
            raise InputError(
                f"{option} is about the text of a table, and what was given is {brief_value(thing)}; leave it out", value=value
            )
    if (
        thing is None
        or isinstance(thing, type)
        or not any(hasattr(thing, one) for one in ("__len__", "__iter__", "shape", "matrix", "nrows"))
    ):
        raise wrong_kind("table", thing, "the name of a file, an open one, the text of a table, or rows of exact numbers")
    table = table_of(thing, dyadic=as_flag(dyadic, "flag dyadic"), letters=letters)
    if not as_flag(transpose, "flag transpose"):
        return table
    return Table([list(column) for column in zip(*table.matrix.rows(), strict=True)], table.outputs, table.inputs)


def _printed(grid: Grid, digits: Digits, *, dyadic: bool, first: bool, transposed: bool) -> PrintedTable:
    """The mechanisms that print as the cells show; ``first`` asks whether the first line is a row."""
    if dyadic:
        raise InputError("dyadic reads decimals as doubles, digits as what was rounded; give one of them (--dyadic, --digits)")
    if grid.letters is not None:
        raise InputError("a table with letters has formulas, which no digits were printed of; leave digits out (--digits)")
    if any(not isinstance(x, str) for row in grid.rows for x in row):
        raise InputError("an array of numbers does not show digits; save their text instead (array.astype(str)), or leave digits out")
    try:
        cells: Any = grid.entries(lambda cell: interval_of(cell, digits))
    except NegativeEntryError as error:
        raise (offering_header(grid, error) if first and not transposed else error) from None
    table = of_intervals(cells, grid.inputs, grid.outputs, digits)
    if first:
        require_rows(grid, table.member().as_table(), transposed=transposed)
    return table


def offering_header(grid: Grid, error: NegativeEntryError) -> NegativeEntryError:
    """The error, with a remedy if it is about a first line of a CSV that has whole numbers only."""
    whole = all(isinstance(x, str) and x.strip().lstrip("-").isdecimal() for x in grid.rows[0])
    if grid.form != "csv" or grid.outputs is not None or error.facts.get("row") != 0 or not whole:
        return error
    remedy = "if the line names the outputs, give --header (in Python header=True)"
    return NegativeEntryError(f"{error.message}; {remedy}", **error.facts)


def require_rows(grid: Grid, table: Table, *, divided: bool = False, transposed: bool = False) -> None:
    r"""Refuse a first line that is no row (:func:`first_line_fault`), and say how it is read as what it is.

    So are first columns that are no entries, but number the rows, and rows that may be columns. Of a
    ``transposed`` grid the first row is the first column of the file, which may number its lines.

    >>> require_rows(grid := read_grid("0,1\n1/2,1/2"), read_table(grid))
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: line 1 (0, 1) counts the columns, above rows that sum to 1; if it names the ...
    """
    if grid.doubt:
        raise InputError(grid.doubt)
    fault = first_line_fault(grid, table, divided=divided)
    if fault is None:
        if not transposed:
            _require_entries(grid, table)
            _require_columns(grid, table, divided=divided)
        return
    cells = brief([str(x) for x in grid.rows[0]])
    if transposed:
        of_column = fault.replace("counts the columns", "counts the lines")
        raise InputError(
            f"the first column {cells} {of_column}, beside columns that sum to 1; if it names the outputs, begin with a line of labels, "
            "empty above it; if it is an input, name the inputs and the outputs, and give --labels (in Python labels=True)"
        )
    raise InputError(
        f"line {grid.lines[0]} {cells} {fault}, above rows that sum to 1; if it names the outputs, give --header (in Python header=True), "
        "if it is a row, --no-header (header=False)",
        line=grid.lines[0],
    )


def _require_entries(grid: Grid, table: Table) -> None:
    """Refuse first columns of whole numbers that tell rows apart whose rest sums to 1, and lines ``i, j, p``.

    The first is the index of a data frame, written without its header; of zeros and ones it is 0, 1.
    """
    unlabelled = grid.form == "csv" and grid.inputs is None and grid.outputs is None
    if not unlabelled or len(grid.rows) < 2 or table.matrix.field.letters:  # what a letter may be is not asked here
        return
    if _all_sum_to_one(table):
        return
    rows = list(table.matrix.rows())
    if all(x in (0, 1) for row in rows for x in row) and any(x != i for i, x in enumerate(table.matrix.column(0))):
        return  # an index of zeros and ones is 0, 1 in this order
    hint = label_columns_hint(table.matrix, distinct=True) or long_form_fault(grid.rows)
    if hint is not None:
        raise InputError(f"{hint}; if all columns are entries, give --no-header (in Python header=False)", value=grid.rows[0][0])


def _require_columns(grid: Grid, table: Table, *, divided: bool) -> None:
    """Refuse a file of one column that is no mechanism: its numbers are hardly those of one output."""
    plain = grid.form == "csv" and grid.inputs is None and grid.outputs is None and table.matrix.field is QQ
    if not plain or len(grid.rows) < 2 or len(grid.rows[0]) > 1 or divided:
        return
    if not all(map(_sums_to_one, table.matrix.rows())):
        raise InputError(
            "the table has one column only, and so one output, which every input would have with probability 1; write the probabilities "
            "of an input on one line, between commas",
            value=len(grid.rows),
        )


def without_index(grid: Grid) -> Grid:
    r"""The table of a CSV without a first column that counts its rows, if it is an index beyond doubt.

    It counts 0, 1, … or 1, 2, …, and without it all rows are probabilities that sum to 1, up to rounding: so
    data frames are written without their header. Tables of zeros and ones are left as they are.

    >>> without_index(read_grid("0,1/2,1/2\n1,1/4,3/4")).rows
    [['1/2', '1/2'], ['1/4', '3/4']]
    >>> without_index(read_grid("0,1,0\n1,0,1")).rows
    [['0', '1', '0'], ['1', '0', '1']]
    """
    if grid.form != "csv" or grid.inputs is not None or grid.outputs is not None or len(grid.rows) < 2 or len(grid.rows[0]) < 3:
        return grid
    first = [str(row[0]) for row in grid.rows]
    start = next((k for k in (0, 1) if first == [str(k + place) for place in range(len(first))]), None)
    if start is None:
        return grid
    try:
        rows = [[x if isinstance(x, Rational) else number_in(x) for x in row[1:]] for row in grid.rows]
    except InputError:
        return grid
    if not all(map(_sums_to_one, rows)) or all(x in (0, 1) for row in rows for x in row):
        return grid
    note = f"the first column, {start}, {start + 1}, …, is read as the index of the rows, which sum to 1 without it"
    inputs = first if start else None
    notes = (*grid.notes, f"{note}; if it has entries, give --no-header (in Python header=False)")
    return replace(grid, rows=[row[1:] for row in grid.rows], inputs=inputs, notes=notes, by_sums=True)


def first_line_fault(grid: Grid, table: Table, *, divided: bool = False) -> str | None:
    """Why the first line of a mechanism's CSV is hardly a row: it counts the columns, or is no probabilities.

    That is said only where all other rows are, up to rounding; tables of zeros and ones are rows. With
    ``divided``, for who divides rows by their sums, a sum other than 1 is a reason, too.
    """
    labelled = grid.inputs is not None or grid.outputs is not None
    if grid.form != "csv" or labelled or len(grid.rows) < 2 or grid.by_sums:
        return None
    try:
        first = [x if isinstance(x, Rational) else number_in(x) for x in grid.rows[0]]
    except InputError:
        return None  # a formula, which names no column
    fault = _fault_of_numbers(first, divided=divided)
    if fault is None:
        return None
    rows = [table.matrix.row(i) for i in range(len(grid.rows))]
    if not all(_sums_to_one(row) for row in rows[1:]) or all(x in (0, 1) for row in rows for x in row):
        return None
    return fault


def _fault_of_numbers(first: Sequence[Rational], *, divided: bool) -> str | None:
    """The same of the numbers of the first line alone, whatever the other rows are."""
    if all(x == place for place, x in enumerate(first)):
        return "counts the columns"
    total = sum(first, QQ.zero)
    off = abs(total - 1) > MOST_ROUNDING
    outside = any(x < -MOST_ROUNDING or x > 1 + MOST_ROUNDING for x in first)
    if outside and (off or all(x.denominator == 1 for x in first)):
        return "has numbers that are no probabilities"
    return f"sums to {total}" if off and divided else None


def _all_sum_to_one(table: Table) -> bool:
    """The same of all rows of a table."""
    matrix = table.matrix
    if matrix.field is QQ:
        return all(_near_one(one, numbers) for one, numbers in matrix.integers_of_rows())
    return all(map(_sums_to_one, matrix.rows()))


def _near_one(one: Any, numbers: Sequence[Any]) -> bool:
    """Whether integers over a denominator are ≥ 0 and sum to 1, up to rounding."""
    total = sum(numbers)
    if total == one and min(numbers) >= 0:
        return True
    rounding = MOST_ROUNDING * int(one)
    return bool(abs(int(total) - int(one)) <= rounding and int(min(numbers)) >= -rounding)


def _sums_to_one(row: Sequence[Any]) -> bool:
    """Whether entries are ≥ 0 and sum to 1, up to rounding; whether formulas sum to 1."""
    if isinstance(row[0], Rational):
        return _near_one(*integer_vector(list(row)))
    total = sum(row, row[0].field.zero)
    if isinstance(total, RationalFunction | RegionFunction):
        return same_formula(total, 1)
    return bool(abs(total - 1) <= MOST_ROUNDING) and not any(x < -MOST_ROUNDING for x in row)


def read_prior(
    content: Content,
    *,
    labels: bool = False,
    dyadic: bool = False,
    letters: LettersLike | None = None,
    header: bool | None = None,
    renormalise: bool = False,
) -> Prior:
    """The prior in the content of a file, with its labels if it has some.

    * ``content``: as for :func:`prior_grid`, or what that has read.
    * ``labels``: whether a CSV has a line ``label,weight`` for each input.
    * ``dyadic``: read decimals as doubles.
    * ``letters``: as for :func:`read_table`.
    * ``header``: whether the first line of a CSV names the inputs.
    * ``renormalise``: divide the weights by their sum: another prior than the one in the file.

    >>> read_prior("0.333333,0.333333,0.333333", renormalise=True).weights[0]
    Rational('1/3')
    >>> read_prior('{"no": "1/3", "yes": "2/3"}').inputs, read_prior("1/3,2/3").inputs
    (('no', 'yes'), ('0', '1'))
    """
    known = None if letters is None else letters_of(letters)
    grid = content if isinstance(content, Grid) else prior_grid(content, labels=labels, letters=known, header=header)
    weights = [x for row in grid.entries(number_reader(grid, dyadic=dyadic)) for x in row]
    return Prior.renormalised(weights, grid.inputs) if as_flag(renormalise, "flag renormalise") else Prior(weights, grid.inputs)
