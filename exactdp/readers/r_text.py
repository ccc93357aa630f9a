# SPDX-License-Identifier: MIT
"""Matrices as R prints them, wide ones in blocks of columns, and as its ``dput`` writes them.

``dput`` is read by a grammar of a few rules, and never evaluated: numbers, texts, ``c(…)``, ``list(…)``,
``structure(…)`` and ranges such as ``1:3``. Decimals are read as they are written.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from exactdp.errors import InputError, ShapeError
from exactdp.readers.cells import plain_number
from exactdp.readers.csv_grids import grid_of_lines
from exactdp.readers.grids import Cell, Grid, require_text
from exactdp.readers.table_labels import is_word, points
from exactdp.runtime.budget import require_budget
from exactdp.runtime.values import dataclass

_ATTRIBUTE = re.compile(r'^attr\(,"[^"]*"\).*', re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"\A(?:\s*(?:> [^\n]*|\$[\w.$`]+[ \t]*)(?:\n|\Z))+")
"""What stands above a matrix of a session, and above one of a list: ``> M``, ``$Rs``."""
_LAST_PROMPT = re.compile(r"(?:^> ?[^\n]*\s*)+\Z", re.MULTILINE)
"""What stands below a matrix of a session: the next prompt."""
_SPARSE = re.compile(r'^\d+ x \d+ sparse Matrix of class "', re.MULTILINE)
_TYPES = re.compile(r"^[ \t]*(?:<(?:dbl|num|int|chr|char|fct|lgl)>[ \t]*)+$", re.MULTILINE)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_COLUMN = re.compile(r"\[,[0-9]+\]")
_ROW = re.compile(r"\[[0-9]+,\]")
_DIGITS = "read as a matrix that R printed, each number as the exact decimal that is printed (R prints 7 digits; dput writes 15)"


# --- print ---


_PATH = re.compile(r'^[ \t]*(?:attr\(,"[^"]*"\)(?:\$[\w.`]+)*|(?:\$[\w.`]+)+)[ \t]*$', re.MULTILINE)
_CONSOLE = re.compile(r"\A(?:\s*> [^\n]*(?:\n|\Z))*")
_NO_MATRIX = re.compile(r"\s*(?:\[1\](?!,)|NULL\s*\Z|\[\[|\Z)")


def _of_list(text: str) -> tuple[str, tuple[str, ...]]:
    """The only matrix of a list that R printed, below its name ``$sex$Rs``, and a note about the others.

    * raises InputError: the list has no matrix, or several.
    """
    start = _CONSOLE.match(text)
    assert start is not None
    names = list(_PATH.finditer(text, start.end()))
    if not names or text[start.end() : names[0].start()].strip():
        return text, ()
    ends = [*(name.start() for name in names[1:]), len(text)]
    parts = [(name[0].strip(), text[name.end() : end]) for name, end in zip(names, ends, strict=True)]
    matrices = [(name, body) for name, body in parts if not _NO_MATRIX.match(body)]
    if len(matrices) != 1:
        shown = f"{len(matrices)} matrices ({', '.join(name for name, _ in matrices[:5])})" if matrices else "no matrix"
        raise InputError(f"the list that R printed has {shown}; print the one that is the table alone", value=len(matrices))
    ((name, body),) = matrices
    others = [other for other, found in parts if other != name and found.strip()]
    return body.strip("\n") + "\n", (f"the matrix {name} of the list is read, and {', '.join(others)} are not",) if others else ()


def _lines(text: str) -> list[tuple[int, str]]:
    body = _LAST_PROMPT.sub("", _PROMPT.sub("", _ATTRIBUTE.sub("", text)))
    return [(number, line) for number, line in enumerate(body.splitlines(), 1) if line.strip()]


def _tokens(line: str) -> list[str]:
    return [x[1:-1] if x[:1] == '"' and x[-1:] == '"' and len(x) > 1 else x for x in _TOKEN.findall(line)]


def is_r_print(text: str) -> bool:
    r"""Whether a text is a matrix as R prints it.

    It has a prompt above it; or names columns ``[,1]``, or rows ``[1,]``; or has attributes after it; or
    names both sides above it, as tables have it; or the same rows come again, below other columns.

    >>> is_r_print("     [,1] [,2]\n[1,]  0.5  0.5"), is_r_print("a b\n0.5 0.5")
    (True, False)
    """
    if "<" in text and _TYPES.search(text):
        return True
    if _PROMPT.match(text) or _SPARSE.search(text) or re.match(r'\s*attr\(,"', text):
        return True
    if "[" in text and (re.match(r"\s*\[,[0-9]+\]", text) or re.search(r"^\s*\[1,\](?=\s)", text, re.MULTILINE)):
        return True
    if any(mark in text[:10_000] for mark in ",;|{\t\\"):
        return _ATTRIBUTE.search(text) is not None and text.lstrip()[:1] not in "{["
    lines = _lines(text)
    if _ATTRIBUTE.search(text):
        return True
    return len(lines) > 2 and (_sides(lines) is not None or len(_blocks(lines)) > 1)


def _sides(lines: list[tuple[int, str]]) -> tuple[str, str] | None:
    """The names of both sides of a table: alone on the first line, and before the columns on the second."""
    first, second, third = (_tokens(line) for _, line in lines[:3])
    alone = len(first) == 1 and _COLUMN.fullmatch(first[0]) is None and lines[0][1][:1] == " " and lines[1][1][:1] != " "
    named = alone and is_word(first[0]) and is_word(second[0])
    return (second[0], first[0]) if named and len(second) == len(third) > 1 else None


def _blocks(lines: list[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """The lines of each block of columns: each begins with a line that is indented further than its rows."""
    heads = [k for k, (_, line) in enumerate(lines) if line[:1] == " " and len(_tokens(line)) + 1 == _width_below(lines, k)]
    if not heads or heads[0] != 0:
        return [lines]
    blocks = [lines[a:b] for a, b in zip(heads, [*heads[1:], len(lines)], strict=True)]
    names = [[_tokens(line)[0] for _, line in block[1:]] for block in blocks]
    return blocks if all(x == names[0] and x for x in names) else [lines]


def _width_below(lines: list[tuple[int, str]], k: int) -> int:
    return len(_tokens(lines[k + 1][1])) if k + 1 < len(lines) else 0


_NUMBERED = re.compile(r"^[ \t]*[0-9]+:", re.MULTILINE)
_GAP = re.compile(r"^[ \t]*---[ \t]*$", re.MULTILINE)


def _of_data_table(text: str, types: re.Match[str]) -> Grid:
    """The entries of a data.table, whose second line has the types of its columns; a tibble is refused.

    A long one has its names again below it. What it prints of each number has the digits of R's other prints.
    """
    if _NUMBERED.search(text) is None:
        raise InputError(
            "a tibble as R prints it, with three digits of each number; give write.csv(x), or dput(as.data.frame(x))",
            position=types.start(),
        )
    if _GAP.search(text):
        raise InputError("R left lines out ('---'); print all of it, with print(x, nrows = Inf), or write it with fwrite", value="---")
    lines = [line for line in _lines(_TYPES.sub("", text)) if line[1].strip()]
    head = _tokens(lines[0][1])
    body = [(number, cells) for number, cells in ((n, _tokens(line)) for n, line in lines[1:]) if cells != head]
    grid = grid_of_lines([(lines[0][0], head), *((number, [cells[0].rstrip(":"), *cells[1:]]) for number, cells in body)])
    note = _DIGITS.replace("a matrix", "a data.table")
    return replace(grid, form="json", lines=[None] * len(grid.rows), notes=(note, *grid.notes))


def print_grid(text: str) -> Grid:
    r"""The entries and labels of a matrix that R printed.

    * raises InputError: rows that differ from block to block, or lines left out (``[ reached
      getOption("max.print") …``).
    * raises ShapeError: a line with more or fewer numbers than there are columns.

    >>> print_grid("     [,1] [,2]\n[1,]  0.5  0.5\n[2,] 0.25 0.75").rows
    [['0.5', '0.5'], ['0.25', '0.75']]
    >>> grid = print_grid("      to\nfrom    no  yes\n  no  0.75 0.25\n  yes 0.25 0.75")
    >>> grid.inputs, grid.outputs
    (['no', 'yes'], ['no', 'yes'])
    """
    require_text(text)
    require_budget("the table", numbers=len(text.split()))
    types = _TYPES.search(text)
    if types is not None:
        return _of_data_table(text, types)
    if _SPARSE.search(text):
        raise InputError(
            "a sparse matrix as R prints it; print as.matrix(x), or write it: write.csv(as.matrix(x), 'table.csv')", position=0
        )
    text, of_list = _of_list(text)
    if "reached getOption" in text or "omitted ]" in text:
        raise InputError(
            "R left lines out; print all of it, after options(max.print = 1e6), or write it with write.table", value="max.print"
        )
    lines = _lines(text)
    notes = [_DIGITS, *of_list]
    if _ATTRIBUTE.search(text):
        notes.append("the attributes after the matrix are not read")
    sides = _sides(lines) if len(lines) > 2 else None
    if sides is not None:
        rest = [(number, line) for number, line in lines if _tokens(line) != [sides[1]]]
        lines = [(n, line.replace(sides[0], " " * len(sides[0]), 1) if _tokens(line)[0] == sides[0] else line) for n, line in rest]
        notes.append(f"rows are {sides[0]}, columns {sides[1]}")
    blocks = _blocks(lines)
    outputs: list[str] = []
    names: list[str] | None = None
    rows: list[list[Cell]] = []
    for block in blocks:
        head, body = _tokens(block[0][1]), [(number, _tokens(line)) for number, line in block[1:]]
        own = [cells[0] for _, cells in body if cells]
        if not body or (names is not None and own != names):
            raise InputError(f"line {block[0][0]}: the rows below are not those above; give all that R printed", line=block[0][0])
        for number, cells in body:
            if len(cells) != len(head) + 1:
                raise ShapeError(
                    f"line {number} has {len(cells) - 1} entries, and line {block[0][0]} names {len(head)} columns; all need as many",
                    expected=len(head),
                    got=len(cells) - 1,
                )
        numbers = [list(map(plain_number, cells[1:])) for _, cells in body]
        rows = [[*row, *more] for row, more in zip(rows, numbers, strict=True)] if rows else [list(row) for row in numbers]
        names = own
        outputs += head
    if names is None:
        raise InputError("the table has labels but no rows", line=2)
    inputs = _labels(names, _ROW)
    return Grid(rows, [number for number, _ in blocks[0][1:]], inputs, _labels(outputs, _COLUMN), "json", notes=tuple(notes))


def _labels(names: list[str], counted: re.Pattern[str]) -> list[str] | None:
    """The names, unless R only counted."""
    return None if all(map(counted.fullmatch, names)) else points(names)


# --- dput ---

_DPUT = re.compile(r"\s*(?:[A-Za-z.][\w.]*\s*(?:<-|=)\s*)?structure\s*\(")
_WORD = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<number>-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?P<integer>L?)'
    r"|(?P<name>`[^`]*`|[A-Za-z.][\w.]*|<pointer: 0x[0-9a-f]+>)|(?P<mark>[(),=:]))"
)
_MOST_DEEP = 20


def is_dput(text: str) -> bool:
    """Whether a text is what ``dput`` writes of a matrix or a data frame."""
    return _DPUT.match(text) is not None


@dataclass(frozen=True, slots=True)
class _Call:
    """``c(…)``, ``list(…)`` or ``structure(…)``: its values, each with its name or None."""

    name: str
    values: list[tuple[str | None, Any]]

    def named(self, name: str) -> Any:
        """The value of this name; None without it."""
        return next((value for key, value in self.values if key == name), None)


class _Parser:
    """A parser of the few forms that ``dput`` writes."""

    def __init__(self, text: str) -> None:
        self.words: list[tuple[str, str, int]] = []
        position = 0
        end = len(text.rstrip())
        while position < end:
            found = _WORD.match(text, position)
            if found is None:
                raise self._fault(position)
            kind = next(key for key in ("text", "number", "name", "mark") if found[key] is not None)
            self.words.append((kind, found[kind], found.start(kind)))
            position = found.end()
        self.at = 0

    @staticmethod
    def _fault(position: int) -> InputError:
        return InputError(
            f"character {position + 1}: not what dput writes of a matrix; give the whole output of dput, or of write.table",
            position=position,
        )

    def _next(self) -> tuple[str, str, int]:
        if self.at >= len(self.words):
            raise InputError("the text ends inside of 'structure('; give the whole output of dput", position=self.at)
        self.at += 1
        return self.words[self.at - 1]

    def _sees(self, mark: str, ahead: int = 0) -> bool:
        place = self.at + ahead
        return place < len(self.words) and self.words[place][:2] == ("mark", mark)

    def whole(self) -> Any:
        """The value of all words."""
        if len(self.words) > 1 and self.words[0][0] == "name" and self._sees("=", 1):
            self.at = 2
        value = self.value(0)
        if self.at != len(self.words):
            raise self._fault(self.words[self.at][2])
        return value

    def value(self, depth: int) -> Any:
        """A number (its text), a text, NULL and NA (None), a range, or a call."""
        kind, word, position = self._next()
        if depth > _MOST_DEEP:
            raise self._fault(position)
        if kind == "number" and self._sees(":"):
            self._next()
            other, last, place = self._next()
            if other != "number" or not (word.isdigit() and last.isdigit() and len(word) + len(last) < 20):
                raise self._fault(place)
            require_budget("the range", numbers=max(0, int(last) - int(word)) + 1)
            return _Call("c", [(None, str(x)) for x in range(int(word), int(last) + 1)])
        if kind == "number":
            return word
        if kind == "text":
            return _Text(re.sub(r"\\(.)", r"\1", word[1:-1]))
        if kind == "name" and word in ("c", "list", "structure") and self._sees("("):
            return self._call(word, depth)
        if kind == "name" and word in ("NULL", "NA", "NA_integer_", "NA_character_", "TRUE", "FALSE"):
            return None
        if kind == "name" and word.startswith("<"):  # of a data.table; what it points to is gone
            return None
        raise self._fault(position)

    def _call(self, name: str, depth: int) -> _Call:
        self._next()
        values: list[tuple[str | None, Any]] = []
        while not self._sees(")"):
            if values:
                _, mark, position = self._next()
                if mark != ",":
                    raise self._fault(position)
            key = None
            if self._sees("=", 1):
                kind, key, position = self._next()
                if kind not in ("name", "text"):
                    raise self._fault(position)
                key = key.strip('`"')
                self._next()
            values.append((key, self.value(depth + 1)))
        self._next()
        return _Call(name, values)


class _Text(str):
    """A quoted text of ``dput``."""

    __slots__ = ()


def dput_grid(text: str) -> Grid:
    """The entries and labels of a matrix or data frame that ``dput`` wrote.

    * raises InputError: it is no matrix and no data frame, or an entry is no number (``NA``).
    * raises ShapeError: not as many numbers as the dimensions say.

    >>> grid = dput_grid('structure(c(1, 0.5, 0, 0.5), dim = c(2L, 2L), dimnames = list(c("n", "y"), NULL))')
    >>> grid.rows, grid.inputs, grid.outputs
    ([['1', '0'], ['0.5', '0.5']], ['n', 'y'], None)
    """
    require_text(text)
    require_budget("the dput", numbers=text.count(",") + text.count("(") + 1)
    value = _Parser(re.sub(r"^(\s*[A-Za-z.][\w.]*\s*)<-", r"\1=", text)).whole()
    if not isinstance(value, _Call) or value.name != "structure" or not value.values:
        raise InputError("dput of a matrix or a data frame begins with 'structure('", position=0)
    body = value.values[0][1]
    if not isinstance(body, _Call):
        body = _Call("c", [(None, body)])
    dim, frame = value.named("dim") or value.named(".Dim"), body.name == "list"
    if frame:
        columns = [_vector(column) for _, column in body.values]
        outputs: list[str] | None = [str(key) for key, _ in body.values]
        names = value.named("names")
        outputs = _texts(names) if names is not None else outputs
        count = len(columns[0]) if columns else 0
        inputs = _texts(value.named("row.names"), count)
        if any(len(column) != count for column in columns) or not count or len(outputs or ()) != len(columns):
            raise ShapeError("the columns of the data frame have different lengths, or there are none", expected=count, got=0)
        rows: list[list[Cell]] = [[_number(column[i], i, j) for j, column in enumerate(columns)] for i in range(count)]
    else:
        shape = [] if dim is None else _vector(dim)
        if len(shape) != 2 or not all(isinstance(x, str) and re.fullmatch("[0-9]{1,9}", x) for x in shape):
            raise InputError("no matrix: its 'dim' has not two numbers; give dput(as.matrix(x))", value=shape)
        height, width = (int(x) for x in shape)
        entries = _vector(body)
        if height * width != len(entries) or not entries:
            raise ShapeError(f"{len(entries)} entries do not make a {height}×{width} table", expected=height * width, got=len(entries))
        rows = [[_number(entries[j * height + i], i, j) for j in range(width)] for i in range(height)]
        given = value.named("dimnames") or value.named(".Dimnames")
        sides = [side for _, side in given.values] if isinstance(given, _Call) else [None, None]
        if len(sides) != 2:
            raise InputError("'dimnames' has not two sides; a matrix has rows and columns", value=len(sides))
        inputs, outputs = _texts(sides[0], height), _texts(sides[1], width)
    note = "read as what R's dput wrote, each number as the exact decimal that is written (dput writes 15 digits)"
    return Grid(rows, [None] * len(rows), inputs, outputs, "json", notes=(note,))


def _vector(value: Any) -> list[Any]:
    """The values of ``c(…)``, or of one number alone, without names and attributes."""
    if isinstance(value, _Call) and value.name == "structure" and value.values:
        return _vector(value.values[0][1])
    return [x for _, x in value.values] if isinstance(value, _Call) else [value]


def _texts(value: Any, count: int | None = None) -> list[str] | None:
    """Labels; None for NULL, and for the row names ``c(NA, -3L)`` that only count."""
    if value is None:
        return None
    names = _vector(value)
    if any(x is None for x in names):
        return None
    if count is not None and len(names) != count:
        raise ShapeError(f"{len(names)} labels for {count} rows or columns", expected=count, got=len(names))
    if not all(isinstance(x, str) for x in names):
        raise InputError("labels of dput are texts or numbers", value=names)
    counted = [str(k) for k in range(1, len(names) + 1)]
    return None if names == counted and not any(isinstance(x, _Text) for x in names) else points([str(x) for x in names])


def _number(value: Any, row: int, column: int) -> str:
    if not isinstance(value, str):
        raise InputError(f"row {row}, column {column}: NA or a list, not a number", row=row, column=column, value=value)
    return plain_number(str(value))
