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

import io
import json
import math
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar

from exactdp.errors import InexactInputError, InputError, ResourceLimitError, ShapeError
from exactdp.exact import Rational, from_float, reader_of_exponentials
from exactdp.model.mechanism import Table
from exactdp.model.vectors import Prior

if TYPE_CHECKING:
    import numpy

MAX_FILE = 256_000_000
"""Most bytes of a file that is read."""

MAX_CHARACTERS = 256_000_000
"""Longest text of a table, and most bytes of a .npy file."""

S = TypeVar("S")
T = TypeVar("T")


Cell = str | Rational
"""An entry: its text, or a number that a .npy file has as such."""


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


Content = str | bytes | Grid
"""What a file holds: its text or bytes, or its entries, when it has been read."""


def read_grid(content: Content, *, labels: bool = False, dyadic: bool = False) -> Grid:
    r"""The entries and labels in the content of a file.

    Parameters
    ----------
    content : str, bytes or Grid
        Text that begins with ``[`` or ``{`` is JSON, bytes that begin as .npy files do are that, everything
        else is CSV. What has been read already stays as it is.
    labels : bool
        Whether the first line and the first column of a CSV are labels; JSON has its labels under ``inputs``
        and ``outputs``.
    dyadic : bool
        Accept the floats of a .npy file, each as the exact number that it is.

    Examples
    --------
    >>> read_grid('{"inputs": ["a"], "rows": [[1, "a^2"]]}').rows, read_grid(",x\na,1", labels=True).inputs
    ([['1', 'a^2']], ['a'])
    """
    if isinstance(content, Grid):
        return content
    if isinstance(content, bytes) and content.startswith(_MAGIC):
        return npy_grid(content, dyadic)
    text = text_in(content)
    if text.lstrip("\ufeff \t\r\n").startswith(("[", "{")):
        return json_grid(text)
    return csv_grid(text, labels)


def prior_grid(content: str | bytes, *, labels: bool = False) -> Grid:
    r"""The weights of a prior, in one line or one column, and the labels of the inputs that a file gives.

    Parameters
    ----------
    content : str or bytes
        JSON: an object from label to weight, or a list of weights. CSV: one line or one column of weights;
        with ``labels`` a line ``label,weight`` for each input.
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
    """What reads the cells of a grid: numbers, and formulas with exp(…), such as ``1/(1 + exp(-1/2))``.

    >>> str(number_reader(read_grid("1 - exp(-1/2),1"))("1 - exp(-1/2)"))
    '-t + 1'
    """
    formulas = {x for row in grid.rows for x in row if isinstance(x, str) and "exp(" in x}
    if not formulas:
        return lambda cell: number_in(cell, dyadic=dyadic)
    evaluated = reader_of_exponentials(formulas)

    def read(cell: str) -> Any:
        if cell not in formulas:
            return number_in(cell, dyadic=dyadic)
        if dyadic and DECIMAL.search(cell):
            raise InexactInputError(
                f"{cell!r} is a formula with a decimal, which has no meaning with --dyadic; write a fraction", value=cell
            )
        return evaluated(cell)

    return read


def within(read: Callable[[S], T], source: S, *, row: int, column: int, line: int | None = None) -> T:
    """What ``read(source)`` returns; an InputError is raised again with the place in the table."""
    try:
        return read(source)
    except InputError as error:
        where = f"row {row}, column {column}" + ("" if line is None else f" (line {line})")
        facts = {**error.facts, "row": row, "column": column, "line": line}
        raise type(error)(f"{where}: {error.message}", **facts) from None


_QUOTED = re.compile(r'[ \t]*"((?:[^"]|"")*)"[ \t]*|([^",]*)')


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


def csv_lines(text: str) -> list[tuple[int, list[str]]]:
    r"""The lines of a CSV text that are not blank: number and cells, without the blanks around them.

    A cell may stand in double quotes (for labels with commas); a quoted cell ends on its line.

    >>> csv_lines('1/2, 1/2\n\n"a,b",0\n')
    [(1, ['1/2', '1/2']), (3, ['a,b', '0'])]
    """
    if len(text) > MAX_CHARACTERS:
        raise ResourceLimitError(f"a table of {len(text)} characters; the limit is {MAX_CHARACTERS}", limit=MAX_CHARACTERS, got=len(text))
    lines = enumerate(re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")), 1)
    result = [(number, _cells(line, number)) for number, line in lines if line.strip(" \t")]
    if not result:
        raise InputError("the table is empty", line=1)
    return result


def _cells(line: str, number: int) -> list[str]:
    if '"' not in line:
        return [cell.strip(" \t") for cell in line.split(",")]
    cells, position = [], 0
    while True:
        match = _QUOTED.match(line, position)
        end = position if match is None else match.end()
        if match is None or (end < len(line) and line[end] != ","):
            raise InputError(
                f"line {number}, character {end + 1}: a quotation mark inside a cell, or one that is not closed", line=number, position=end
            )
        quoted, plain = match.groups()
        cells.append(plain.strip(" \t") if quoted is None else quoted.replace('""', '"'))
        if end == len(line):
            return cells
        position = end + 1


def json_grid(text: str) -> Grid:
    """The entries and labels of JSON: a list of rows, or an object with ``rows``, ``inputs``, ``outputs``."""
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


def _refuse_constant(name: str) -> NoReturn:
    raise InputError(f"{name} is not a rational number", value=name)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [key for key, _ in pairs]
        raise InputError(f"the key {next(k for k in names if names.count(k) > 1)!r} occurs twice", keys=names)
    return result


_MAGIC = b"\x93NUMPY"


def npy_grid(content: bytes, dyadic: bool = False) -> Grid:
    """The entries of a .npy file of two dimensions: integers, exact texts, or floats if ``dyadic``.

    The header is read by numpy, and the size that it announces must be that of the data, so that nothing is
    allocated for a false one. Arrays of Python objects are pickles, which could run anything: they are
    refused.
    """
    if len(content) > MAX_CHARACTERS:
        raise ResourceLimitError(f"an array of more than {MAX_CHARACTERS} bytes", limit=MAX_CHARACTERS, got=len(content))
    import numpy

    shape, dtype, start = _npy_header(content)
    if dtype.hasobject:
        raise InputError(
            "an array of Python objects, which only an unsafe reader opens; save their text instead (array.astype(str)), "
            "or give the array itself to exactdp.table_of",
            value=dtype.str,
        )
    if dtype.kind not in "iufU" or (dtype.kind == "f" and dtype.itemsize > 8):
        raise InputError(f"an array of type {dtype.str!r}; exact tables are of an integer or a text type", value=dtype.str)
    if dtype.kind == "f" and not dyadic:
        raise InexactInputError(
            f"an array of floats ({dtype.str}); use dyadic=True (--dyadic) if exactly those doubles are meant, or save text",
            value=dtype.str,
        )
    needed, got = math.prod(shape) * dtype.itemsize, len(content) - start
    if got != needed:
        raise ShapeError(f"{got} bytes of data, {needed} needed", expected=needed, got=got)
    if len(shape) != 2:
        raise ShapeError(f"an array of {len(shape)} dimensions; a table has two", expected=2, got=len(shape))
    if min(shape) < 1:
        raise ShapeError(f"0 entries do not make a {shape[0]}×{shape[1]} table", expected=">= 1", got=0)
    rows: list[list[Any]] = numpy.load(io.BytesIO(content), allow_pickle=False).tolist()
    if dtype.kind != "U":
        read: Callable[[Any], Rational] = from_float if dtype.kind == "f" else Rational
        rows = [[within(read, x, row=i, column=j) for j, x in enumerate(row)] for i, row in enumerate(rows)]
    return Grid(rows, [None] * len(rows), None, None, "npy", dtype.kind == "f")


def _npy_header(content: bytes) -> tuple[tuple[int, ...], numpy.dtype[Any], int]:
    """Shape, type of the entries, and where the data begins."""
    from numpy.lib import format as npy

    if not content.startswith(_MAGIC) or len(content) < 12:
        raise InputError("not a .npy file: it does not begin with the bytes \\x93NUMPY and a header", position=0)
    file = io.BytesIO(content)
    try:
        with warnings.catch_warnings(action="error"):  # headers that only old versions wrote
            version = npy.read_magic(file)
            shape, _, dtype = (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(file)
    except Exception as error:  # whatever a hostile header makes its parser do
        raise InputError(f"the .npy header can't be read: {str(error)[:100]}", position=8) from None
    return shape, dtype, file.tell()


def read_table(content: Content, *, labels: bool = False, dyadic: bool = False) -> Table:
    r"""The table in the content of a file, whichever of the three formats it has.

    Parameters
    ----------
    content : str, bytes or Grid
        As for :func:`read_grid`. Fractions, integers or decimals; the decimals of JSON are read from their
        text, and blank lines of a CSV are skipped. A .npy file is of integers or of text.
    labels : bool
        Whether the first line holds the output labels of a CSV and the first column the input labels (the
        corner is ignored).
    dyadic : bool
        Read decimals as doubles, and accept floats of 16, 32 or 64 bits, each as the exact number that it is.

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
    >>> header = b"{'descr': '<i1', 'fortran_order': False, 'shape': (1, 2), }"
    >>> read_table(b"\x93NUMPY\x01\x00" + bytes([len(header), 0]) + header + bytes([0, 1])).matrix
    ExactMatrix([['0', '1']])
    """
    grid = read_grid(content, labels=labels, dyadic=dyadic)
    return Table(grid.entries(number_reader(grid, dyadic=dyadic)), grid.inputs, grid.outputs)


def read_prior(content: Content, *, labels: bool = False, dyadic: bool = False) -> Prior:
    """The prior in the content of a file, with its labels if it has some.

    Parameters
    ----------
    content : str, bytes or Grid
        As for :func:`prior_grid`, or what that has read.
    labels : bool
        Whether a CSV has a line ``label,weight`` for each input.
    dyadic : bool
        Read decimals as doubles.

    Examples
    --------
    >>> read_prior('{"no": "1/3", "yes": "2/3"}').inputs, read_prior("1/3,2/3").inputs
    (('no', 'yes'), ('0', '1'))
    """
    grid = content if isinstance(content, Grid) else prior_grid(content, labels=labels)
    weights = [x for row in grid.entries(number_reader(grid, dyadic=dyadic)) for x in row]
    return Prior(weights, grid.inputs)
