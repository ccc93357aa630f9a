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

import ast
import io
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypeVar, overload

from exactdp.errors import DomainError, InexactInputError, InputError, RationalSyntaxError, ResourceLimitError, ShapeError, wrong_kind
from exactdp.exact import (
    QQ,
    ExactMatrix,
    Letters,
    LettersLike,
    Rational,
    RationalFunction,
    RegionFunction,
    as_flag,
    from_float,
    letters_of,
    reader_of_exponentials,
)
from exactdp.exact.formula import shortened
from exactdp.exact.identity import same_formula
from exactdp.frozen import frozen
from exactdp.limits import row_by_row
from exactdp.model.labels import as_labels, brief
from exactdp.model.mechanism import MOST_ROUNDING, Table
from exactdp.model.printed import Digits, PrintedTable, as_digits, interval_of
from exactdp.model.vectors import Prior
from exactdp.readers.cells import (
    decimal_points,
    is_misplaced_label,
    is_word,
    lines_of,
    may_label,
    plain_number,
    points,
    told_apart,
    with_header,
    with_labels,
)
from exactdp.sizes import current_budget, require

if TYPE_CHECKING:
    import numpy

S = TypeVar("S")
T = TypeVar("T")


Cell = str | Rational
"""An entry: its text, or a number that a .npy file has as such."""


DECIMAL = re.compile(r"[0-9.][eE.]|\.[0-9]")
"""Finds a decimal in the text of an entry."""


@frozen
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
    notes : tuple of str
        What was told apart in a text without ``labels``: lines and columns of labels, decimal commas.
    letters : Letters or None
        What the letters in the entries stand for, as the reader was told or the file says.
    """

    rows: list[list[Cell]]
    lines: list[int | None]
    inputs: list[Any] | None
    outputs: list[Any] | None
    form: Literal["csv", "json", "npy"]
    floats: bool = False
    notes: tuple[str, ...] = ()
    letters: Letters | None = None

    @property
    def has_decimals(self) -> bool:
        """Whether ``dyadic`` makes a difference: some entry is a float, or has a decimal in its text."""
        return self.floats or any(isinstance(x, str) and DECIMAL.search(x) for row in self.rows for x in row)

    def transposed(self) -> Grid:
        """The same with rows and columns exchanged, and with no lines: a row is a column of the file."""
        rows: list[list[Cell]] = [list(column) for column in zip(*self.rows, strict=True)]
        return replace(self, rows=rows, lines=[None] * len(rows), inputs=self.outputs, outputs=self.inputs)

    def entries(self, read: Callable[[str], T]) -> list[list[T | Rational]]:
        """All entries, each text read; an error names row, column and line."""
        return [
            [x if isinstance(x, Rational) else within(read, x, row=i, column=j, line=self.lines[i]) for j, x in enumerate(row)]
            for i, row in enumerate(row_by_row(self.rows, "the numbers of a file", (len(self.rows), len(self.rows[0]))))
        ]


Content = str | bytes | Grid
"""What a file holds: its text or bytes, or its entries, when it has been read."""


def read_grid(
    content: Content, *, labels: bool = False, dyadic: bool = False, letters: Letters | None = None, header: bool | None = None
) -> Grid:
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
    letters : Letters, optional
        What the letters in the entries stand for; JSON may say it itself, under ``letters`` and ``where``.
    header : bool, optional
        Whether the first line of a CSV names the columns, and there is no column of labels, as data frames
        write it. Unless given, words are told apart and numbers are entries.

    Examples
    --------
    >>> read_grid("10,20\n1/2,1/2", header=True).outputs, read_grid("0,1\n1/2,1/2", header=True).outputs
    (['10', '20'], None)
    >>> print(read_grid('{"letters": {"p": "(0, 1)"}, "rows": [["p", "1-p"]]}').letters)
    0 < p < 1
    >>> read_grid('{"inputs": ["a"], "rows": [[1, "a^2"]]}').rows, read_grid(",x\na,1", labels=True).inputs
    ([['1', 'a^2']], ['a'])
    """
    if isinstance(content, Grid):
        return content
    if isinstance(content, bytes) and content.startswith(_MAGIC):
        _refuse_header(header, ".npy has no labels")
        return replace(npy_grid(content, dyadic), letters=letters)
    text = text_in(content)
    if text.lstrip(" \t\r\n").startswith(("[", "{")):
        _refuse_header(header, "JSON has them under 'outputs'")
        grid = json_grid(text)
        return grid if letters is None else replace(grid, letters=letters.joined(grid.letters))
    return csv_grid(text, labels, letters, header)


def _refuse_header(header: bool | None, instead: str) -> None:
    """Refuse that the first line is said to be a header in what has no lines."""
    if header is not None:
        raise InputError(f"a header is the first line of a CSV, and {instead}; leave header out (--header, --no-header)", value=header)


def prior_grid(content: str | bytes, *, labels: bool = False, letters: Letters | None = None, header: bool | None = None) -> Grid:
    r"""The weights of a prior, in one line or one column, and the labels of the inputs that a file gives.

    Parameters
    ----------
    content : str or bytes
        JSON: an object from label to weight, or a list of weights. CSV: one line or one column of weights;
        with ``labels`` a line ``label,weight`` for each input.
    labels : bool
        Whether a CSV has labels.
    letters : Letters, optional
        What the letters in the weights stand for.
    header : bool, optional
        Whether the first line of a CSV names the inputs (as :func:`read_grid` reads it).

    Examples
    --------
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
        _refuse_both(labels, header)
        return replace(_labelled_weights(text, names_of(letters)), letters=letters)
    grid = csv_grid(text, letters=letters, header=header)
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


def names_of(letters: Letters | None) -> tuple[str, ...]:
    """All letters."""
    return () if letters is None else letters.names


def _labelled_weights(text: str, letters: tuple[str, ...]) -> Grid:
    """Lines ``label,weight``, or a point and its weight; a first line without a weight is a heading."""
    lines = lines_of(text, letters)
    notes: tuple[str, ...] = ()
    if len(lines) > 1 and is_word(lines[0][1][-1], letters):
        notes = (f"line {lines[0][0]} ({', '.join(lines[0][1])}) is read as a heading",)
        lines = lines[1:]
    for number, cells in lines:
        if len(cells) != max(2, len(lines[0][1])) or not (len(cells) == 2 or all(may_label(x, letters) for x in cells[:-1])):
            raise ShapeError(
                f"a prior with labels is a line 'label,weight' for each input; line {number} has {len(cells)} cells",
                expected=2,
                got=len(cells),
            )
    inputs = points([",".join(cells[:-1]) for _, cells in lines])
    body, commas = decimal_points([(number, cells[-1:]) for number, cells in lines])
    return Grid(
        [list(map(plain_number, cells)) for _, cells in body], [number for number, _ in body], inputs, None, "csv", notes=notes + commas
    )


def text_in(content: str | bytes) -> str:
    r"""The content as text, without the mark of UTF-8 that it may begin with.

    What is no text, or was put together of several files, is refused: NUL, a second mark, half of a pair.

    >>> text_in(b"\xef\xbb\xbf1/2"), text_in("1/2")
    ('1/2', '1/2')
    >>> text_in("0,1".encode("utf-16-le"))
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: line 1 has the character NUL, as UTF-16 text and binary files do; save it ...
    """
    if isinstance(content, str):
        text = content
    elif isinstance(content, bytes):
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            where = f"byte {error.start + 1}" + (", it may be UTF-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "")
            raise InputError(
                f"it is not UTF-8 text ({where}), nor is it a .npy array; save it as UTF-8 text", position=error.start
            ) from None
    else:
        raise wrong_kind("content", content, "the text of a table, or the bytes of a file")
    text = text.removeprefix(_MARK)
    fault = None if text.isascii() and "\0" not in text else _NO_TEXT.search(text)
    if fault is not None:
        told = {
            "\0": "the character NUL, as UTF-16 text and binary files do; save it as UTF-8 text",
            _MARK: "a byte-order mark (U+FEFF), which only the beginning of a file may have; remove it",
        }
        line = text.count("\n", 0, fault.start()) + 1
        rule = told.get(fault[0], f"half of a character ({fault[0]!a}); save it as UTF-8 text")
        raise InputError(f"line {line} has {rule}", line=line, position=fault.start())
    return text


_MARK = "\ufeff"
_NO_TEXT = re.compile("[\\0\ufeff\ud800-\udfff]")


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

    >>> str(number_reader(read_grid("1 - exp(-1/2),1"))("1 - exp(-1/2)"))
    '-t + 1'
    """
    if grid.letters is not None:
        return _reader_of_letters(grid.letters, dyadic)
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


def _reader_of_letters(letters: Letters, dyadic: bool) -> Callable[[str], Any]:
    """What reads numbers and formulas in letters; a table is over their field only if it has one of them."""

    def read(cell: str) -> Any:
        try:
            return number_in(cell, dyadic=dyadic)
        except RationalSyntaxError:
            if dyadic and DECIMAL.search(cell):
                raise InexactInputError(
                    f"{cell!r} is a formula with a decimal, which has no meaning with --dyadic; write a fraction", value=cell
                ) from None
            return letters.read(cell)

    return read


def within(read: Callable[[S], T], source: S, *, row: int, column: int, line: int | None = None) -> T:
    """What ``read(source)`` returns; an InputError is raised again with the place in the table."""
    try:
        return read(source)
    except (InputError, DomainError, ResourceLimitError) as error:
        where = f"row {row}, column {column}" + ("" if line is None else f" (line {line})")
        facts = {**error.facts, "row": row, "column": column, "line": line}
        raise type(error)(f"{where}: {error.message}", **facts) from None


def most_bytes() -> int:
    """How long a file may be: reading it takes four times as much memory."""
    return current_budget().memory // 4


def read_at_most(stream: IO[bytes], most: int) -> bytes:
    """So many bytes of a stream at most, read piece by piece: ``stream.read(most)`` takes that much memory.

    >>> read_at_most(io.BytesIO(b"1/2,1/2"), 10**18)
    b'1/2,1/2'
    """
    pieces: list[bytes] = []
    left = most
    while left > 0 and (piece := stream.read(min(left, PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


PIECE = 2**20
"""So many bytes of a file are read at once."""


def require_file(what: str, size: int) -> None:
    """Refuse a file whose reading would take more than the budget.

    >>> require_file("the table, of", 8_000_000)
    """
    require(f"{what} {size:,} bytes, when it is read,", memory=4 * size)


def require_text(text: str) -> None:
    """Refuse a text that is too long, or has too many lines; a decimal such as 1e999 takes more than its
    text.
    """
    exponents = text.count("e") + text.count("E") if len(text) > 1_000_000 else 0
    require("the table", numbers=text.count("\n") + text.count("\r"))
    require(f"the table of {len(text):,} characters", memory=4 * len(text) + 400 * exponents)


def _refuse_both(labels: bool, header: bool | None) -> None:
    """Refuse a first line that is labels above a first column of labels, and is not."""
    if labels and header is not None:
        raise InputError(
            "with labels the first line and the first column are labels, with a header the first line only; give one of them", value=header
        )


def csv_grid(text: str, labels: bool = False, letters: Letters | None = None, header: bool | None = None) -> Grid:
    """The entries and labels of a text; without ``labels`` only those labels that can be nothing else."""
    _refuse_both(labels, header)
    require_text(text)
    lines = lines_of(text, names_of(letters))
    if header:
        found = with_header(lines)
    else:
        found = (with_labels if labels else told_apart)(lines, names_of(letters))
        if header is False and found.outputs is not None:
            raise InputError(f"line {lines[0][0]} is labels, and no row: leave header=False (--no-header) out", line=lines[0][0])
    if not found.lines:
        raise InputError("the table has labels but no rows", line=2)
    body, notes = decimal_points(found.lines)
    inputs, outputs = found.inputs, found.outputs
    width = len(body[0][1]) if outputs is None else len(outputs)
    if width == 0:
        raise InputError(f"line {lines[0][0]}: labels but no numbers", line=lines[0][0])
    for i, (number, cells) in enumerate(body):
        if len(cells) != width:
            above = "the first row has" if outputs is None else "there are output labels for"
            raise ShapeError(
                f"row {i} (line {number}) has {len(cells)} entries, {above} {width}; all need as many", expected=width, got=len(cells)
            )
    each = row_by_row(body, "the lines of a file", (len(body), width))
    rows: list[list[Cell]] = [list(map(plain_number, cells)) for _, cells in each]
    return Grid(rows, [number for number, _ in body], inputs, outputs, "csv", notes=(*found.notes, *notes), letters=letters)


def json_grid(text: str) -> Grid:
    """The entries and labels of JSON: a list of rows, or an object with ``rows``, ``inputs``, ``outputs``.

    What letters stand for is said under ``letters`` and ``where``.
    """
    value = json_value(text)
    inputs = outputs = letters = None
    if isinstance(value, dict):
        unknown = sorted(set(value) - {"inputs", "outputs", "rows", "letters", "where"})
        if unknown or "rows" not in value:
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
    require("the JSON", numbers=text.count(",") + 1)
    try:
        value = json.loads(text, parse_float=str, parse_int=str, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg} at line {error.lineno}, character {error.colno}", line=error.lineno, position=error.pos
        ) from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply; a table is a list of rows", position=0) from None
    half = _half_escape(text, value)
    if half is not None:
        raise InputError(f"{half} is half of a character; a text of JSON has whole ones", value=half)
    return value


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


_MAGIC = b"\x93NUMPY"

_MOST_HEADER = 10_000
"""Bytes of a header, as numpy has it: longer ones could stop the parser of Python."""


def npy_grid(content: bytes, dyadic: bool = False) -> Grid:
    """The entries of a .npy file of two dimensions: integers, exact texts, or floats if ``dyadic``.

    The header is read by numpy, and the size that it announces must be that of the data, so that nothing is
    allocated for a false one. Arrays of Python objects are pickles, which could run anything: they are
    refused.
    """
    require_file("the array, of", len(content))
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
    require("the array", numbers=math.prod(shape))  # texts of length 0 take no bytes
    if min(shape) < 1:
        raise ShapeError(f"0 entries do not make a {shape[0]}×{shape[1]} table", expected=">= 1", got=0)
    rows: list[list[Any]] = numpy.load(io.BytesIO(content), allow_pickle=False).tolist()
    if dtype.kind == "U":
        rows = [list(map(plain_number, row)) for row in rows]
    else:
        read: Callable[[Any], Rational] = from_float if dtype.kind == "f" else Rational
        rows = [
            [within(read, x, row=i, column=j) for j, x in enumerate(row)]
            for i, row in enumerate(row_by_row(rows, "the rows of a file", shape))
        ]
    return Grid(rows, [None] * len(rows), None, None, "npy", dtype.kind == "f")


def _npy_header(content: bytes) -> tuple[tuple[int, ...], numpy.dtype[Any], int]:
    """Shape, type of the entries, and where the data begins."""
    from numpy.lib import format as npy

    if not content.startswith(_MAGIC) or len(content) < 12:
        raise InputError("not a .npy file: it does not begin with the bytes \\x93NUMPY and a header", position=0)
    file = io.BytesIO(content)
    try:
        version = npy.read_magic(file)
        size = 2 if version == (1, 0) else 4
        length = int.from_bytes(content[file.tell() : file.tell() + size], "little")
        if length > _MOST_HEADER:
            raise ValueError(f"it has {length} bytes")
        # numpy reads headers of Python 2, too, and warns; filters of warnings belong to all threads
        ast.literal_eval(content[file.tell() + size : file.tell() + size + length].decode("latin-1"))
        shape, _, dtype = (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(file)
    except Exception as error:  # whatever a hostile header makes its parser do
        raise InputError(f"the .npy header can't be read: {str(error)[:100]}", position=8) from None
    return shape, dtype, file.tell()


@overload
def read_table(
    content: Content,
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
    content: Content,
    *,
    labels: bool = False,
    dyadic: bool = False,
    letters: LettersLike | None = None,
    header: bool | None = None,
    transpose: bool = False,
    digits: Digits,
) -> PrintedTable: ...


def read_table(
    content: Content,
    *,
    labels: bool = False,
    dyadic: bool = False,
    letters: LettersLike | None = None,
    header: bool | None = None,
    transpose: bool = False,
    digits: Digits | None = None,
) -> Table | PrintedTable:
    r"""The table in the content of a file, whichever of the three formats it has.

    Parameters
    ----------
    content : str, bytes or Grid
        As for :func:`read_grid`. Fractions, integers or decimals; the decimals of JSON are read from their
        text, and blank lines of a CSV are skipped. A .npy file is of integers or of text.
    labels : bool
        Whether the first line holds the output labels of a text and the first column, or the first few, the
        input labels (the corner is ignored). Without it labels that can be nothing else are found
        (:func:`~exactdp.readers.cells.told_apart`).
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
    said = None if header is None else as_flag(header, "flag header")
    grid = read_grid(content, labels=as_flag(labels, "flag labels"), dyadic=as_flag(dyadic, "flag dyadic"), letters=known, header=said)
    if isinstance(content, Grid) and known is not None:
        grid = replace(grid, letters=known.joined(grid.letters))
    told = None if digits is None else as_digits(digits)
    if as_flag(transpose, "flag transpose"):
        grid = grid.transposed()
    first = (said is None or transpose) and not isinstance(content, Grid)
    try:
        if told is not None:
            return _printed(grid, told, dyadic=dyadic, first=first, transposed=transpose)
        table = Table(grid.entries(number_reader(grid, dyadic=dyadic)), grid.inputs, grid.outputs)
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
    return table


def _printed(grid: Grid, digits: Digits, *, dyadic: bool, first: bool, transposed: bool) -> PrintedTable:
    """The mechanisms that print as the cells show; ``first`` asks whether the first line is a row."""
    if dyadic:
        raise InputError("dyadic reads decimals as doubles, digits as what was rounded; give one of them (--dyadic, --digits)")
    if grid.letters is not None:
        raise InputError("a table with letters has formulas, which no digits were printed of; leave digits out (--digits)")
    if any(not isinstance(x, str) for row in grid.rows for x in row):
        raise InputError("an array of numbers does not show digits; save their text instead (array.astype(str)), or leave digits out")
    cells = grid.entries(lambda cell: _Cell(*interval_of(cell, digits)))
    printed, lower, upper = (ExactMatrix([[getattr(x, part) for x in row] for row in cells], QQ) for part in _Cell._fields)
    inputs = as_labels(grid.inputs, printed.shape[0], what="input label")
    outputs = as_labels(grid.outputs, printed.shape[1], what="output label")
    table = PrintedTable(printed, lower, upper, inputs, outputs, digits)
    if first:
        require_rows(grid, table.member().as_table(), transposed=transposed)
    return table


class _Cell(NamedTuple):
    """A number as printed, and the ends of those that print so."""

    printed: Rational
    lower: Rational
    upper: Rational


def require_rows(grid: Grid, table: Table, *, divided: bool = False, transposed: bool = False) -> None:
    r"""Refuse a first line that is no row (:func:`first_line_fault`), and say how it is read as what it is.

    Of a ``transposed`` grid that is the first column of the file, which may number its lines.

    >>> require_rows(grid := read_grid("0,1\n1/2,1/2"), read_table(grid))
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: line 1 (0, 1) counts the columns, above rows that sum to 1; if it names the ...
    """
    fault = first_line_fault(grid, table, divided=divided)
    if fault is None:
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


def first_line_fault(grid: Grid, table: Table, *, divided: bool = False) -> str | None:
    """Why the first line of a mechanism's CSV is hardly a row: it counts the columns, or is no probabilities.

    That is said only where all other rows are, up to rounding; tables of zeros and ones are rows. With
    ``divided``, for who divides rows by their sums, a sum other than 1 is a reason, too.
    """
    labelled = grid.inputs is not None or grid.outputs is not None
    if grid.form != "csv" or labelled or len(grid.rows) < 2:
        return None
    try:
        first = [x if isinstance(x, Rational) else number_in(x) for x in grid.rows[0]]
    except InputError:
        return None  # a formula, which names no column
    rows = [table.matrix.row(i) for i in range(len(grid.rows))]
    if not all(_sums_to_one(row) for row in rows[1:]) or all(x in (0, 1) for row in rows for x in row):
        return None
    if all(x == place for place, x in enumerate(first)):
        return "counts the columns"
    total = sum(first, QQ.zero)
    off = abs(total - 1) > MOST_ROUNDING
    outside = any(x < -MOST_ROUNDING or x > 1 + MOST_ROUNDING for x in first)
    if outside and (off or all(x.denominator == 1 for x in first)):
        return "has numbers that are no probabilities"
    return f"sums to {total}" if off and divided else None


def _sums_to_one(row: Sequence[Any]) -> bool:
    """Whether entries are ≥ 0 and sum to 1, up to rounding; whether formulas sum to 1."""
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

    Parameters
    ----------
    content : str, bytes or Grid
        As for :func:`prior_grid`, or what that has read.
    labels : bool
        Whether a CSV has a line ``label,weight`` for each input.
    dyadic : bool
        Read decimals as doubles.
    letters : mapping, text or Region, optional
        As for :func:`read_table`.
    header : bool, optional
        Whether the first line of a CSV names the inputs.
    renormalise : bool
        Divide the weights by their sum: another prior than the one in the file.

    Examples
    --------
    >>> read_prior("0.333333,0.333333,0.333333", renormalise=True).weights[0]
    Rational('1/3')
    >>> read_prior('{"no": "1/3", "yes": "2/3"}').inputs, read_prior("1/3,2/3").inputs
    (('no', 'yes'), ('0', '1'))
    """
    known = None if letters is None else letters_of(letters)
    grid = content if isinstance(content, Grid) else prior_grid(content, labels=labels, letters=known, header=header)
    weights = [x for row in grid.entries(number_reader(grid, dyadic=dyadic)) for x in row]
    return Prior.renormalised(weights, grid.inputs) if as_flag(renormalise, "flag renormalise") else Prior(weights, grid.inputs)
