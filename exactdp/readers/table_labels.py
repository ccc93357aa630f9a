# SPDX-License-Identifier: MIT
"""Which lines and columns of a table's text are labels: words are told apart from numbers and formulas.

Where a line or column may be labels or numbers, nothing is guessed: the error says what to type. What was
told apart is said in a note.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

from exactdp.errors import ExpressionSyntaxError, InputError, ResourceLimitError
from exactdp.exact import ExactMatrix, Rational, parse_expression
from exactdp.exact.formula import names_in
from exactdp.exact.identity import same_formula
from exactdp.model.labels import brief, is_integer_label
from exactdp.readers.cells import Line
from exactdp.runtime.values import dataclass

_WORD = re.compile(r"(?:[^\W\d_]|[<>≤≥\[]).*|\(\s*-?[0-9]+(?:\s*,\s*-?[0-9]+)+\s*\)", re.DOTALL)
_MISPRINT = re.compile(r"[A-Za-z]?[0-9lIOo]*[./][0-9lIOo]+%?")
_NO_WORD_ALONE = {"l", "I", "O", "o"}
_NAME = re.compile(r"[^\W\d_]\w*")
_NO_NUMBERS = {"nan", "inf", "infinity"}
_LEVEL = {"a", "alpha", "α"}
_POINT = re.compile(r"(\()?\s*(-?[0-9]+(?:\s*,\s*-?[0-9]+)+)\s*(?(1)\))", re.ASCII)


def is_word(cell: str, letters: Collection[str] = ()) -> bool:
    """Whether the cell can be nothing but a label: no number, formula or distance, and no misprint of one.

    >>> is_word("p"), is_word("p", ["p"]), is_word("p/q", ["p"]), is_word("⅛"), is_word("e^-1")
    (True, False, True, False, False)
    """
    begins = cell[:1].isalpha() or cell[:1] in {*"<>≤≥[("}  # ½ and ① are no letters, though \w has them
    if not begins or _WORD.fullmatch(cell) is None or _MISPRINT.fullmatch(cell) or cell.lower() in _NO_NUMBERS:
        return False
    return not _is_formula(cell, letters)


_OF_LETTERS = re.compile(r"[-+*/^()0-9A-Za-z_.α −]+")
_OF_NUMBERS = re.compile(
    r"(?=[^0-9]*[0-9])(?=[^a-zπ]*[a-zπ])"
    r"(?:[-+*/^(){}0-9., −]|(?:exp|sqrt|ln|log(?:2|10)?|sin|cos|tan|sinh|cosh|tanh)(?= *\()|(?:e|pi|π)(?= *[*/^]))+",
    re.IGNORECASE,
)
"""A number written with a function, with e or with π, though no reader takes it: ``e^-1``, ``EXP(-1)/2``."""


def _is_formula(cell: str, letters: Collection[str]) -> bool:
    """Whether the cell is a formula in the level or letters, or has a function of numbers, right or not."""
    if (
        "exp(" in cell
        or "sqrt(" in cell
        or _OF_NUMBERS.fullmatch(cell)
        or (letters and _OF_LETTERS.fullmatch(cell) and {*names_in(cell)} <= {*letters, *_LEVEL})
    ):
        return True
    try:
        parse_expression(cell)
    except (ExpressionSyntaxError, InputError):
        return False
    except ResourceLimitError:  # told when it is read
        return True
    return True


def may_label(cell: str, letters: Collection[str] = ()) -> bool:
    """Whether the cell is what people call inputs and outputs: a word, a letter, an integer."""
    return is_integer_label(cell) or cell in _LEVEL or cell in letters or is_word(cell, letters)


def is_misplaced_label(cell: str, letters: Collection[str] = ()) -> bool:
    """Whether a cell that should be a number may have been meant as a label, or as an empty corner."""
    return not cell or cell in _LEVEL or cell in letters or is_word(cell, letters)


def are_distinct(cells: Sequence[object]) -> bool:
    """Whether no cell comes twice."""
    return len(set(cells)) == len(cells)


@dataclass(frozen=True, slots=True)
class Labelled:
    """The lines of a table, with what was found to be labels taken out.

    * ``inputs``, ``outputs``: the labels.
    * ``notes``: what was told apart without ``labels``, in words.
    * ``columns``: which columns were labels, in words.
    """

    lines: list[Line]
    inputs: list[str] | None = None
    outputs: list[str] | None = None
    notes: tuple[str, ...] = ()
    columns: str = ""


def with_labels(lines: list[Line], letters: Collection[str] = ()) -> Labelled:
    """The first line and the first column are labels; several columns where the first alone repeats itself.

    Labels that could be the numbers of a row or a column are told in a note, unless the corner is empty.

    >>> with_labels([(1, ["", "", "x"]), (2, ["0", "0", "1"]), (3, ["0", "1", "1"])]).inputs
    ['0,0', '0,1']
    >>> with_labels([(1, ["no", "0", "1"]), (2, ["yes", "1/2", "1/2"])]).notes
    ('line 1 is read as the labels (0, 1) of the columns',)
    """
    head, body = lines[0][1], lines[1:]
    width = _label_columns(head, body, letters)
    count = len(head) - width if body and len(body[0][1]) != len(head) + width else len(head)
    outputs = head[len(head) - count :]
    inputs = [",".join(cells[:width]) for _, cells in body]
    columns = "the first column" if width == 1 else f"the first {width} columns"
    notes = [f"{columns} are read as labels {brief(inputs)}"] if width > 1 else []
    if width == 1 and not all(may_label(cell, letters) for cell in inputs):
        notes.append(f"the first column is read as the labels {brief(inputs)} of the rows")
    displaced = head[0] != "" and not any(is_word(cell, letters) for cell in outputs)
    if displaced or not all(may_label(cell, letters) for cell in outputs):
        notes.append(f"line {lines[0][0]} is read as the labels {brief(outputs)} of the columns")
    return Labelled([(number, cells[width:]) for number, cells in body], points(inputs), points(outputs), tuple(notes), columns)


def with_header(lines: list[Line]) -> Labelled:
    """The first line names the columns, and there is no column of labels; 0, 1, … only number them.

    >>> with_header([(1, ["0", "1"]), (2, ["1/2", "1/2"])]).notes
    ('line 1 is read as labels; 0, 1, … only number the columns',)
    >>> with_header([(1, ["10", "20"]), (2, ["1/2", "1/2"])]).outputs
    ['10', '20']
    """
    number, head = lines[0]
    outputs = points(head)
    if outputs == [str(place) for place in range(len(outputs))]:
        return Labelled(lines[1:], notes=(f"line {number} is read as labels; 0, 1, … only number the columns",))
    return Labelled(lines[1:], None, outputs, (f"line {number} is read as the labels {brief(outputs)} of the columns",))


def _label_columns(head: list[str], body: list[Line], letters: Collection[str]) -> int:
    """How many columns are labels: those with an empty cell above, else as many as tell the rows apart."""
    empty = next((k for k, cell in enumerate(head) if cell), 0)
    if empty:
        return empty
    widest = min((len(cells) for _, cells in body), default=1)
    for width in range(1, widest):
        names = [tuple(cells[:width]) for _, cells in body]
        if not all(may_label(cell, letters) for cell in names[0]) or not all(may_label(name[-1], letters) for name in names):
            break
        if are_distinct(names):
            return width
    return 1


def told_apart(lines: list[Line], letters: Collection[str] = ()) -> Labelled:
    """Take out the labels that can't be anything else.

    Labels are certain when the corner is empty, when all cells of the first line are words, or all of the
    first column; a word is no number, no formula in the level or the letters, and no distance.

    Numbers are never taken for labels, unless the corner is empty. Raises InputError if the first line is
    words and the first column may be labels or numbers.

    >>> told_apart([(1, ["no", "yes"]), (2, ["1/2", "1/2"])]).notes
    ('line 1 is read as the labels (no, yes) of the columns',)
    """
    number, head = lines[0]
    body = lines[1:]

    def label(cell: str) -> bool:
        return may_label(cell, letters) and cell not in letters

    def word(cell: str) -> bool:
        return is_word(cell, letters)

    if body and all(body[0][1][:1]) and len(head) >= 1:
        column = [cells[0] for _, cells in body]
        beside = len(body[0][1]) == len(head) + 1 and all(map(label, head))
        shorter = _numbered_rows(lines, letters)
        corner = len(head) > 1 and head[0] == "" and _label_head(head, body, letters)
        words = are_words(column, letters) and len(body[0][1]) > 1
        named = is_misplaced_label(head[0], letters) and head[0] not in letters and all(map(label, head[1:])) and any(map(word, head[1:]))
        if corner or shorter or (words and (named or beside)):
            found = with_labels(lines, letters)
            if found.inputs is not None and found.outputs is not None and are_distinct(found.inputs) and are_distinct(found.outputs):
                return _numbered(found, number)
        elif words and are_words(firsts := [head[0], *column], letters) and are_distinct(firsts) and not all(map(label, head[1:])):
            inputs = points([cells[0] for _, cells in lines])
            note = f"the first column is read as the labels {brief(inputs)} of the rows"
            return Labelled([(n, cells[1:]) for n, cells in lines], inputs, None, (note,))
        elif are_words(head, letters) and are_distinct(head) and len(body[0][1]) == len(head):
            if len(head) > 1 and all(map(is_integer_label, column)):
                raise InputError(
                    f"line {number} is words, and the first column may be labels or numbers: give --labels (in Python labels=True) if both "
                    f"are labels, else leave line {number} out",
                    line=number,
                )
            outputs = points(head)
            return Labelled(body, None, outputs, (f"line {number} is read as the labels {brief(outputs)} of the columns",))
    return Labelled(lines)


def _numbered_rows(lines: list[Line], letters: Collection[str]) -> bool:
    """Whether every line has one cell more than the first, a whole number that no other line begins with.

    So R writes a matrix whose rows it numbers. No cell is missing in the first line: it would be in all rows.
    """
    head, body = lines[0][1], lines[1:]
    firsts = [cells[0] for _, cells in body]
    longer = all(len(cells) == len(head) + 1 for _, cells in body)
    labels = all(may_label(cell, letters) and cell not in letters for cell in head)
    return longer and labels and are_distinct(head) and are_distinct(firsts) and all(map(is_integer_label, firsts))


def _label_head(head: list[str], body: list[Line], letters: Collection[str]) -> bool:
    """Whether, below and beside an empty corner, everything may be a label."""
    width = _label_columns(head, body, letters)
    outputs = head[width:]
    beside = [cell for _, cells in body for cell in cells[:width]]
    return bool(outputs) and all(may_label(cell, letters) for cell in (*outputs, *beside))


def are_words(cells: list[str], letters: Collection[str]) -> bool:
    """Whether all cells are words; beside a letter for the level, plain names (``a,b,c``)."""
    if any(cell in letters for cell in cells):
        return False
    beside = any(cell in _LEVEL for cell in cells)
    fit = all(_NAME.fullmatch(cell) if beside else is_word(cell, letters) for cell in cells)
    return fit and any(is_word(cell, letters) and cell not in _NO_WORD_ALONE for cell in cells)


def _numbered(found: Labelled, number: int) -> Labelled:
    """Labels 0, 1, … in this order only number the rows or columns, as a default index does."""
    assert found.inputs is not None
    assert found.outputs is not None
    rows, columns = (None if names == list(map(str, range(len(names)))) else names for names in (found.inputs, found.outputs))
    said = [f"{what} {brief(names)}" for what, names in (("rows", found.inputs), ("columns", found.outputs)) if names in (rows, columns)]
    counted = [what for what, names in (("rows", rows), ("columns", columns)) if names is None]
    note = f"line {number} and {found.columns} are read as labels"
    note += f": {', '.join(said)}" if said else ""
    note += f"; 0, 1, … only number the {' and the '.join(counted)}" if counted else ""
    return Labelled(found.lines, rows, columns, (note,))


def points(labels: list[str]) -> list[str]:
    """Labels that are all points, such as ``(0, 1)``, as a grid names them: ``0,1``; others as they are.

    >>> points(["(0, 1)", "0, 2"]), points(["(0, 1)", "all"])
    (['0,1', '0,2'], ['(0, 1)', 'all'])
    """
    found = [_POINT.fullmatch(label) for label in labels]
    names = [",".join(part.strip() for part in match[2].split(",")) for match in found if match]
    return names if len(names) == len(labels) else labels


def label_columns_hint(matrix: ExactMatrix, *, transposed: bool = False, distinct: bool = False) -> str | None:
    """What to say of a table whose rows sum to 1 without its first columns, which are whole numbers.

    Of a ``transposed`` table these are the first lines of the file. With ``distinct`` they tell all rows
    apart.

    >>> print(label_columns_hint(ExactMatrix([[7, "1/2", "1/2"], [8, "1/3", "2/3"]])))
    without the first column all rows sum to 1: if it is labels, begin with a line of labels, empty above them
    """
    totals: list[Any] = []
    for count in range(1, matrix.shape[1]):
        column = matrix.column(count - 1)
        numbers = [x if isinstance(x, Rational) else x.rational for x in column]
        if any(x is None or x.denominator != 1 for x in numbers):
            return None
        if not totals:
            rows = list(matrix.rows())
            totals = [sum(row, matrix.field.zero) for row in rows]
        totals = [total - x for total, x in zip(totals, column, strict=True)]
        if distinct and not are_distinct([row[:count] for row in rows]):
            continue
        if all(same_formula(total, 1) for total in totals):
            if transposed and count == 1:
                return "without the first line all columns sum to 1: if it names the inputs, give --header"
            if transposed:
                return (
                    f"without the first {count} lines all columns sum to 1: if these are labels, leave all but one out, and give --header"
                )
            columns = "the first column" if count == 1 else f"the first {count} columns"
            these = "it is" if count == 1 else "these are"
            return f"without {columns} all rows sum to 1: if {these} labels, begin with a line of labels, empty above them"
    return None


def label_hint(rows: Sequence[Sequence[object]]) -> str | None:
    """What to say of a table that can't be meant so, if its first line or column counts 0, 1, 2, ….

    >>> label_hint([["0", "1/2"], ["1", "1/2"]])
    'the first column counts 0, 1, …: if it is labels, put a line of labels above it and give --labels'
    """
    lines = (
        ("line", rows[0], "give --header, or --labels if the first column is labels too"),
        ("column", [row[0] for row in rows], "put a line of labels above it and give --labels"),
    )
    for what, cells, remedy in lines:
        texts = [str(cell) for cell in cells]
        if len(texts) > 1 and all(map(is_integer_label, texts)):
            values = [Rational(text) for text in texts]
            if values[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(values)):
                return f"the first {what} counts {texts[0]}, {texts[1]}, …: if it is labels, {remedy}"
    return None
