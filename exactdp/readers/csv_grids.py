# SPDX-License-Identifier: MIT
"""Lines of cells (CSV) as a grid: comments, labels or a header, the decimal comma, weights with labels."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from exactdp.errors import InputError, ShapeError
from exactdp.exact import Letters
from exactdp.readers.cells import Line, decimal_points, lines_of, plain_number
from exactdp.readers.estimates import Aside, refuse_alone
from exactdp.readers.grids import Cell, Grid, names_of, require_text
from exactdp.readers.long_form import long_form
from exactdp.readers.table_labels import is_word, may_label, points, told_apart, with_header, with_labels
from exactdp.runtime.progress import row_by_row


def csv_grid(text: str, labels: bool = False, letters: Letters | None = None, header: bool | None = None) -> Grid:
    r"""The entries and labels of a text; without ``labels`` only those labels that can be nothing else.

    Lines that begin with ``#`` are comments. Without ``labels`` and ``header`` a long form is laid out as a
    table (:mod:`~exactdp.readers.long_form`).

    >>> csv_grid("# no,yes\n1/2,1/2").notes
    ("line 1 is a comment, and not read; if it names the columns, leave its '#' out",)
    """
    require_text(text)
    bare, comments = without_comments(text)
    aside = Aside()
    marked = aside.of_latex(bare) if "\\" in bare and _is_latex(bare) else aside.marked(bare)
    lines = aside.cells(lines_of(marked, names_of(letters)))
    grid = grid_of_lines(lines, labels, letters, header)
    return aside.told(replace(grid, notes=(*comments, *grid.notes)))


def _is_latex(text: str) -> bool:
    from exactdp.exact.latex import is_latex  # few files have a backslash

    return is_latex(text)


_ERRORS = r"(?!(?:DIV/0!|N/A|NAME\?|NULL!|NUM!|REF!|VALUE!|SPILL!|CALC!))"
"""What follows ``#`` where a spreadsheet writes that a cell has no value: no comment."""

_COMMENT = re.compile(rf"^[ \t]*(?:#+{_ERRORS}|%+|//+)(?=[ \t]|[^\W\d_]|$)[^\r\n]*", re.MULTILINE)


def without_comments(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with its comments blank, so that lines keep their numbers, and a note about them.

    A comment is a line that begins with ``#``, ``%`` or ``//`` and a blank, a letter or nothing: ``#,no,yes``
    is a corner, and ``#1`` no comment.
    """
    marks = any(mark in text for mark in ("#", "%", "//"))
    found = list(_COMMENT.finditer(text)) if marks and "\\" not in text else []
    if not found:
        return text, ()
    bare = _COMMENT.sub("", text)
    mark = found[0][0].lstrip()[:1].replace("/", "//")
    line = text.count("\n", 0, found[0].start()) + 1
    if not bare.strip():
        raise InputError(f"the table has comments only; its lines begin with {mark!r}", line=line)
    if len(found) == 1:
        return bare, (f"line {line} is a comment, and not read; if it names the columns, leave its {mark!r} out",)
    return bare, (f"{len(found)} lines are comments, and not read, the first of them line {line}; if one is meant, leave its {mark!r} out",)


def grid_of_lines(lines: list[Line], labels: bool = False, letters: Letters | None = None, header: bool | None = None) -> Grid:
    """The entries and labels of lines of cells, of a text or of a sheet."""
    refuse_both(labels, header)
    if not labels:
        lines = _without_margin(lines)
        lines = _without_name_of_index(lines, names_of(letters))
        _refuse_text_beside(lines, names_of(letters))
    long = long_form(lines, names_of(letters)) if not labels and header is None else None
    if long is not None:
        return replace(long, letters=letters)
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
            message = f"row {i} (line {number}) has {len(cells)} entries, {above} {width}; all need as many{_stray(lines)}"
            raise ShapeError(message, expected=width, got=len(cells))
    each = row_by_row(body, "the lines of a file", (len(body), width))
    rows: list[list[Cell]] = []
    for number, cells in each:
        whole = "".join(cells)
        for cell in cells if "(" in whole or "*" in whole or not whole.isascii() else ():
            refuse_alone(cell, f"line {number}")
        rows.append(list(map(plain_number, cells)))
    return Grid(rows, [number for number, _ in body], inputs, outputs, "csv", notes=(*found.notes, *notes), letters=letters)


def _without_name_of_index(lines: list[Line], letters: Collection[str]) -> list[Line]:
    """The lines of a data frame as it is printed, without the line below the header that names its index.

    >>> _without_name_of_index([(1, ["no", "yes"]), (2, ["truth"]), (3, ["a", "1", "0"])], ())
    [(1, ['no', 'yes']), (3, ['a', '1', '0'])]
    """
    if len(lines) < 3 or len(lines[1][1]) != 1 or not is_word(lines[1][1][0], letters):
        return lines
    width, rows = len(lines[0][1]), {len(cells) for _, cells in lines[2:]}
    of_words = all(may_label(cell, letters) for cell in lines[0][1])
    return [lines[0], *lines[2:]] if of_words and rows in ({width}, {width + 1}) and rows != {1} else lines


_LABEL_AND_NUMBER = re.compile(r"[^\W\d_][^:=]*[:=] *[0-9]*[.,]?[0-9]+%?")


def _refuse_text_beside(lines: list[Line], letters: Collection[str]) -> None:
    """Refuse a title or a note in the first cell of a line of its own, and labels that end with a number.

    >>> _refuse_text_beside([(1, ["1", "0"]), (2, ["0", "1"]), (3, ["Source: a survey", ""])], ())
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: line 3 has one cell, 'Source: a survey'; if it is a note, leave ...
    """
    for (number, cells), kind in ((lines[0], "title"), (lines[-1], "note")):
        if len(lines) > 2 and len(cells) > 1 and is_word(cells[0], letters) and not any(cells[1:]):
            shown = repr(cells[0][:40])
            raise InputError(
                f"line {number} has one cell, {shown}; if it is a {kind}, leave the line out, or begin it with '#'", line=number
            )
    firsts = [cells[0] for _, cells in lines]
    if len(lines) > 1 and all(map(_LABEL_AND_NUMBER.fullmatch, firsts[1:])) and len(lines[0][1]) > 1:
        label, mark, entry = re.split(r"([:=])", firsts[1], maxsplit=1)
        raise InputError(
            f"line {lines[1][0]}: {firsts[1][:40]!r} is a label and a number; put a comma between them, "
            f"{f'{label.strip()}, {entry.strip()}'!r}, in place of the {mark!r}",
            line=lines[1][0],
        )


def _without_margin(lines: list[Line]) -> list[Line]:
    """The lines without the empty columns that a spreadsheet leaves on their left."""
    margin = min(next((k for k, cell in enumerate(cells) if cell), len(cells)) for _, cells in lines)
    return [(number, cells[margin:]) for number, cells in lines] if margin else lines


def _stray(lines: list[Line]) -> str:
    """What to say of lines of different lengths, if those in between are a table: a title or a note is not.

    >>> _stray([(1, ["Table", "1"]), (2, ["1", "0", "0"]), (3, ["0", "1", "0"])])
    "; if line 1 is a title, leave it out, or begin it with '#'"
    >>> _stray([(1, ["1", "0"]), (2, ["0", "1"]), (4, ["see", "the", "text"])])
    "; if line 4 is a note, leave it out, or begin it with '#'"
    >>> _stray([(1, ["To", "whom", "it"]), (2, ["may", "concern"])])
    '; no number stands in it: it is no table'
    """
    if not any(char.isdigit() for _, cells in lines for cell in cells for char in cell):
        return "; no number stands in it: it is no table"
    widths = [len(cells) for _, cells in lines]
    for size in (1, 2, 3):
        for place, outside, rest in (("title", range(size), widths[size:]), ("note", range(-size, 0), widths[:-size])):
            if len(rest) > 1 and len(set(rest)) == 1 and all(widths[k] != rest[0] for k in outside):
                first, last = lines[outside[0]][0], lines[outside[-1]][0]
                where, them = (f"line {first} is", "it") if size == 1 else (f"lines {first} to {last} are", "them")
                return f"; if {where} a {place}, leave {them} out, or begin {them} with '#'"
    return ""


def labelled_weights(text: str, letters: tuple[str, ...]) -> Grid:
    """Lines ``label,weight``, or a point and its weight; a first line without a weight is a heading."""
    bare, notes = without_comments(text)
    lines = lines_of(bare, letters)
    if len(lines) > 1 and is_word(lines[0][1][-1], letters):
        notes = (*notes, f"line {lines[0][0]} ({', '.join(lines[0][1])}) is read as a heading")
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


def refuse_both(labels: bool, header: bool | None) -> None:
    """Refuse a first line that is labels above a first column of labels, and is not."""
    if labels and header is not None:
        raise InputError(
            "with labels the first line and the first column are labels, with a header the first line only; give one of them", value=header
        )
