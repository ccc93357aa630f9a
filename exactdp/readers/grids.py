# SPDX-License-Identifier: MIT
"""The entries and labels of a file, as text, before anyone says what the entries are.

Tables, losses, priors, remaps and metrics are all read this way, so that the labels of a file belong to what
is in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import IO, Any, Literal, TypeVar

from exactdp.errors import DomainError, InputError, ResourceLimitError, printable, wrong_kind
from exactdp.exact import Letters, Rational
from exactdp.readers.foreign import READ, refuse_foreign
from exactdp.runtime.budget import current_budget, require_budget
from exactdp.runtime.progress import row_by_row
from exactdp.runtime.values import dataclass

S = TypeVar("S")
T = TypeVar("T")


Cell = str | Rational
"""An entry: its text, or a number that a .npy file has as such."""


_REFUSALS = InputError, DomainError, ResourceLimitError
"""What reading an entry may end with."""

DECIMAL = re.compile(r"[0-9.][eE.]|\.[0-9]")
"""Finds a decimal in the text of an entry."""


@dataclass(frozen=True, slots=True)
class Grid:
    """What a file of a table holds.

    * ``rows``: the entries, in rows of one length.
    * ``lines``: the line of each row in a CSV.
    * ``inputs``, ``outputs``: those of the rows and of the columns; None where the file has none.
    * ``floats``: whether entries are floats of a .npy file.
    * ``notes``: what was told apart in a text without ``labels``: lines and columns of labels, decimal
      commas.
    * ``letters``: what the letters in the entries stand for, as the reader was told or the file says.
    * ``doubt``: why rows may be columns, with what to do; empty if they can't, or if the reader was told to
      exchange them.
    * ``aside``: what was left aside behind estimates, such as *the numbers in brackets*; a note says so.
    * ``by_sums``: whether rows were told from columns, or from an index, by their sums: they are rows then.
    """

    rows: list[list[Cell]]
    lines: list[int | None]
    inputs: list[Any] | None
    outputs: list[Any] | None
    form: Literal["csv", "json", "npy"]
    floats: bool = False
    notes: tuple[str, ...] = ()
    letters: Letters | None = None
    doubt: str = ""
    aside: str = ""
    by_sums: bool = False

    @property
    def has_decimals(self) -> bool:
        """Whether ``dyadic`` makes a difference: some entry is a float, or has a decimal in its text."""
        return self.floats or any(isinstance(x, str) and DECIMAL.search(x) for row in self.rows for x in row)

    def transposed(self) -> Grid:
        """The same with rows and columns exchanged, and with no lines: a row is a column of the file."""
        if self.by_sums:
            return replace(self, by_sums=False)
        rows: list[list[Cell]] = [list(column) for column in zip(*self.rows, strict=True)]
        return replace(self, rows=rows, lines=[None] * len(rows), inputs=self.outputs, outputs=self.inputs, doubt="")

    def entries(self, read: Callable[[str], T], read_row: Callable[[list[str]], list[T]] | None = None) -> list[list[T | Rational]]:
        """All entries, each text read; an error names row, column and line.

        ``read_row`` gives what ``read`` gives of each text of a row, and is faster.
        """
        entries: list[list[T | Rational]] = []
        for i, row in enumerate(row_by_row(self.rows, "the numbers of a file", (len(self.rows), len(self.rows[0])))):
            try:
                texts = [x for x in row if isinstance(x, str)] if read_row is not None else []
                if read_row is not None and len(texts) == len(row):
                    entries.append([*read_row(texts)])
                else:
                    entries.append([x if isinstance(x, Rational) else read(x) for x in row])
            except _REFUSALS:  # the first of them again, with its place
                cells = enumerate(row)
                entries.append([x if isinstance(x, Rational) else self._within(read, x, i, j) for j, x in cells])
        return entries

    def _within(self, read: Callable[[str], T], text: str, i: int, j: int) -> T:
        """What is read of an entry; an error names it by its labels, unless these look like positions."""
        names = (name_at(self.inputs, i), name_at(self.outputs, j))
        return within(read, text, row=i, column=j, line=self.lines[i], names=names)


def name_at(labels: list[Any] | None, place: int) -> str:
    """The label at a place; the place where there is none, or one that looks like a place."""
    label = "" if labels is None else printable(str(labels[place]))[:40]
    return str(place) if re.fullmatch(r"\W*[0-9]*", label) else label


Content = str | bytes | Grid
"""What a file holds: its text or bytes, or its entries, when it has been read."""


def within(read: Callable[[S], T], source: S, *, row: int, column: int, line: int | None = None, names: tuple[str, str] | None = None) -> T:
    """What ``read(source)`` returns; an InputError is raised again with the place in the table."""
    try:
        return read(source)
    except _REFUSALS as error:
        at = names or (str(row), str(column))
        where = f"row {at[0]}, column {at[1]}" + ("" if line is None else f" (line {line})")
        facts = {**error.facts, "row": row, "column": column, "line": line}
        raise type(error)(f"{where}: {error.message}", **facts) from None


def names_of(letters: Letters | None) -> tuple[str, ...]:
    """All letters."""
    return () if letters is None else letters.names


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
        refuse_foreign(content)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            where = f"byte {error.start + 1}" + (", it may be UTF-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "")
            raise InputError(
                f"it is not UTF-8 text ({where}), nor another file that is read ({READ}); save it as UTF-8 text", position=error.start
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


def most_bytes() -> int:
    """How long a file may be: reading it takes four times as much memory."""
    return current_budget().memory // 4


def read_at_most(stream: IO[bytes], most: int) -> bytes:
    """So many bytes of a stream at most, read piece by piece: ``stream.read(most)`` takes that much memory.

    >>> import io
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
    require_budget(f"{what} {size:,} bytes, when it is read,", memory=4 * size)


def require_text(text: str) -> None:
    """Refuse a text that is too long, or has too many lines; a decimal such as 1e999 takes more than its
    text.
    """
    exponents = text.count("e") + text.count("E") if len(text) > 1_000_000 else 0
    require_budget("the table", numbers=text.count("\n") + text.count("\r"))
    require_budget(f"the table of {len(text):,} characters", memory=4 * len(text) + 400 * exponents)
