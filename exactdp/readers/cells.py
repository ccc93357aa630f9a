# SPDX-License-Identifier: MIT
"""The cells of a table's text, and which of its lines and columns are labels.

Cells stand between commas, semicolons, tabs, blanks, or the bars of a Markdown table; LaTeX is read by the
module beside. Numbers are read as people write them (``.25``, ``1.``, ``50%``, ``−1``; ``0,5`` between
semicolons), and every such number has one meaning. Where a line or column may be labels or numbers, nothing
is guessed: the error says what to type. What was told apart is said in a note.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from exactdp.errors import ExpressionSyntaxError, InputError, ResourceLimitError, ShapeError
from exactdp.exact import ExactMatrix, Letters, Rational, parse_expression
from exactdp.exact.formula import names_in
from exactdp.exact.identity import same_formula
from exactdp.model.labels import brief, is_integer_label
from exactdp.model.mechanism import MOST_ROUNDING
from exactdp.readers.grids import Cell, Grid, names_of, require_text
from exactdp.runtime.budget import require_budget
from exactdp.runtime.progress import counted_off, row_by_row

Line = tuple[int, list[str]]
"""The number of a line, from 1, and its cells."""


# --- Numbers as people write them ---

_THIN = "\u2009\u202f\u2006\u200a"
_BLANK = rf"[ {_THIN}]"
_MINUS = "−–"
_WHOLE = rf"(?:[0-9]{{1,3}}(?:[{_THIN}][0-9]{{3}})+|[0-9]+)"  # thin blanks make groups of three digits, and nothing else
_FRACTION = rf"(?:(?:[0-9]{{3}}[{_THIN}])+[0-9]{{1,3}}|[0-9]*)"
_WRITTEN = re.compile(
    rf"(?P<sign>[-+{_MINUS}]?)[{_THIN}]?(?:(?P<num>{_WHOLE}){_BLANK}*/{_BLANK}*(?P<den>{_WHOLE})"
    rf"|(?=[.,]?[0-9])(?P<whole>{_WHOLE}?)(?:(?P<point>[.,])(?P<frac>{_FRACTION}))?(?:[eE](?P<exp>[-+{_MINUS}]?[0-9]{{1,3}}))?"
    rf"{_BLANK}?(?P<percent>%?))"
)
_STRICT = re.compile(r"-?[0-9]+(?:/[0-9]+|\.[0-9]+)?", re.ASCII)


def plain_number(cell: str, *, comma: bool = False) -> str:
    """A number as people write it, in the grammar of :mod:`exactdp.exact.rational`; other text as it is.

    Parameters
    ----------
    cell : str
        Any text.
    comma : bool
        Whether a comma is the decimal point; otherwise a number has none.

    Examples
    --------
    >>> [plain_number(x) for x in (".25", "1.", "50%", "12.5 %", "−1 / 3", "+2", "x%", "0,5")]
    ['0.25', '1', '50e-2', '12.5e-2', '-1/3', '2', 'x%', '0,5']
    """
    if _STRICT.fullmatch(cell):
        return cell
    found = _WRITTEN.fullmatch(cell)
    if found is None or (found["point"] == "," and not comma):
        return cell
    sign = "-" if found["sign"] in ("-", *_MINUS) else ""
    if found["num"]:
        return sign + _digits(found["num"]) + "/" + _digits(found["den"])
    whole = _digits(found["whole"]) or "0"
    point = f".{_digits(found['frac'])}" if found["frac"] else ""
    exponent = int((found["exp"] or "0").translate(dict.fromkeys(map(ord, _MINUS), "-"))) - (2 if found["percent"] else 0)
    return sign + whole + point + (f"e{exponent}" if found["exp"] or found["percent"] else "")


def _digits(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, _THIN)))


# --- Lines and their cells ---

_QUOTED_TEXT = re.compile(r'"(?:[^"]|"")*"')


def lines_of(text: str, letters: Collection[str] = ()) -> list[Line]:
    r"""The lines of a table's text that are not blank: number and cells, without the blanks around them.

    A cell may stand in double quotes (for labels with commas or blanks); a quoted cell ends on its line.
    Empty last lines, and a separator that ends every line, are no cells. Letters are for LaTeX, where
    products have no sign.

    Raises InputError if the text is empty, or a quotation mark stands inside a cell.

    >>> lines_of('1/2, 1/2\n\n"a,b",0\n')
    [(1, ['1/2', '1/2']), (3, ['a,b', '0'])]
    >>> lines_of("1/2; 1/2;\n1\t0"), lines_of("| a | b |\n|---|--:|\n| 1 | 0 |")[1], lines_of("1  0")
    ([(1, ['1/2', '1/2', '']), (2, ['1\t0'])], (3, ['1', '0']), [(1, ['1', '0'])])
    """
    lines = _latex_lines(text, letters) if "\\" in text else None
    if lines is None:
        numbered = enumerate(re.split(r"\r\n|\n|\r", text), 1)
        kept = [(number, line) for number, line in numbered if line.strip()]
        lines = _separated(kept)
    while lines and not any(lines[-1][1]):
        lines.pop()
    if not lines:
        raise InputError("the table is empty", line=1)
    if len(lines[0][1]) > 1 and not any(cells[-1] for _, cells in lines):
        lines = [(number, cells[:-1]) for number, cells in lines]
    return lines


def _latex_lines(text: str, letters: Collection[str]) -> list[Line] | None:
    """The same of a table in LaTeX; None if it is none."""
    from exactdp.exact.latex import is_latex, latex_lines  # few files have a backslash

    if not is_latex(text):
        return None
    require_budget("the table", numbers=text.count("&") + text.count("\\\\"))
    return latex_lines(text, letters)


def _separated(lines: list[tuple[int, str]]) -> list[Line]:
    """The cells of each line, by the separator that the lines have in common."""
    if lines and all(line.strip().startswith("|") and line.strip().endswith("|") and len(line.strip()) > 1 for _, line in lines):
        rows = [(number, [cell.strip() for cell in line.strip()[1:-1].split("|")]) for number, line in lines]
        rule = next((k for k, (_, cells) in enumerate(rows[:2]) if all(re.fullmatch(":?-{2,}:?", cell) for cell in cells)), None)
        return [row for k, row in enumerate(rows) if k != rule]  # further lines of dashes are missing numbers
    bare = "\n".join(line for _, line in lines)
    if '"' in bare:
        bare = _QUOTED_TEXT.sub("", bare)
    separator = next((mark for mark in (";", ",", "\t") if mark in bare), None)
    if separator == "," and "\t" in bare and (not re.search(r",\s|\s,|,$", bare, re.MULTILINE) or _tabs_separate(bare.split("\n"))):
        separator = "\t"  # the commas are decimal points, or in labels
    if separator == ";":
        _refuse_rows_of_one_line(lines)
    marks = (line.count(" ") - line.count("  ") if separator is None else line.count(separator) for _, line in lines)
    require_budget("the table", numbers=len(lines) + sum(marks))
    each = counted_off(lines, None, "the lines of a file", "lines", every=100)
    if separator is None and any(" " in line.strip() for _, line in lines):
        separator = " "  # thin and fixed blanks are inside of numbers then
    return [(number, _cells(line, number, separator)) for number, line in each]


def _tabs_separate(lines: list[str]) -> bool:
    """Whether tabs are as many on every line, and stand inside of what commas would separate."""
    counts = {line.count("\t") for line in lines}
    return len(counts) == 1 and any("\t" in cell.strip() for line in lines for cell in line.split(","))


def _refuse_rows_of_one_line(lines: list[tuple[int, str]]) -> None:
    """Refuse rows between semicolons, as in '0.5, 0.5; 0.25, 0.75'."""
    for number, line in lines:
        if ";" in line and re.search(r",\s", _QUOTED_TEXT.sub("", line)):
            raise InputError(
                f"line {number} has both ';' and ', '; write one row a line, with one separator between its cells", line=number
            )


def _cells(line: str, number: int, separator: str | None) -> list[str]:
    """The cells of one line; separated by whatever is blank where there is no separator."""
    separator = None if separator == " " and '"' in line else separator
    if '"' not in line:
        cells = line.split() if separator is None else [cell.strip() for cell in line.split(separator)]
        return [cell for cell in cells if cell] if separator == " " else cells
    mark = r"[ \t]+" if separator is None else re.escape(separator)
    quoted = re.compile(rf'[ \t]*"((?:[^"]|"")*)"[ \t]*?(?={mark}|[ \t]*$)|([^"{separator or " "}]*)')
    line = line.strip() if separator is None else line
    cells, position = [], 0
    while True:
        found = quoted.match(line, position)
        end = position if found is None else found.end()
        following = re.compile(rf"[ \t]*$|{mark}").match(line, end)
        if found is None or following is None:
            raise InputError(
                f"line {number}, character {end + 1}: a quotation mark inside a cell, or one that is not closed", line=number, position=end
            )
        inside, plain = found.groups()
        cells.append(plain.strip() if inside is None else inside.replace('""', '"'))
        if following.end() == len(line) and not (separator and following[0] == separator):
            return cells
        position = following.end()


# --- Labels ---

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


def _distinct(cells: Sequence[object]) -> bool:
    return len(set(cells)) == len(cells)


@dataclass(frozen=True, slots=True)
class Labelled:
    """The lines of a table, with what was found to be labels taken out.

    Attributes
    ----------
    lines : list of (int, list of str)
        The entries.
    inputs, outputs : list of str, or None
        The labels.
    notes : tuple of str
        What was told apart without ``labels``, in words.
    columns : str
        Which columns were labels, in words.
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
        if _distinct(names):
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
        words = _are_words(column, letters) and len(body[0][1]) > 1
        named = is_misplaced_label(head[0], letters) and head[0] not in letters and all(map(label, head[1:])) and any(map(word, head[1:]))
        if corner or shorter or (words and (named or beside)):
            found = with_labels(lines, letters)
            if found.inputs is not None and found.outputs is not None and _distinct(found.inputs) and _distinct(found.outputs):
                return _numbered(found, number)
        elif words and _are_words(firsts := [head[0], *column], letters) and _distinct(firsts) and not all(map(label, head[1:])):
            inputs = points([cells[0] for _, cells in lines])
            note = f"the first column is read as the labels {brief(inputs)} of the rows"
            return Labelled([(n, cells[1:]) for n, cells in lines], inputs, None, (note,))
        elif _are_words(head, letters) and _distinct(head) and len(body[0][1]) == len(head):
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
    return longer and labels and _distinct(head) and _distinct(firsts) and all(map(is_integer_label, firsts))


def _label_head(head: list[str], body: list[Line], letters: Collection[str]) -> bool:
    """Whether, below and beside an empty corner, everything may be a label."""
    width = _label_columns(head, body, letters)
    outputs = head[width:]
    beside = [cell for _, cells in body for cell in cells[:width]]
    return bool(outputs) and all(may_label(cell, letters) for cell in (*outputs, *beside))


def _are_words(cells: list[str], letters: Collection[str]) -> bool:
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


# --- Decimal commas, and labels that nobody said are labels ---


def decimal_points(lines: list[Line]) -> tuple[list[Line], tuple[str, ...]]:
    """The lines with decimal points for decimal commas, and a note that says so.

    Raises InputError where the commas may mean something else: beside decimal points or fractions, or if
    each of them may separate thousands.

    >>> decimal_points([(1, ["0,5", "0,50"])])[0]
    [(1, ['0.5', '0.50'])]
    """
    if not any("," in cell for _, cells in lines for cell in cells):
        return lines, ()
    commas, others, certain = [], [], False
    for number, cells in counted_off(lines, None, "decimal commas of a file", "lines", every=100):
        for cell in cells:
            found = _WRITTEN.fullmatch(cell)
            if found is not None and found["point"] == ",":
                commas.append((number, cell))
                certain |= len(found["frac"]) != 3 or found["whole"].lstrip("0") == "" or len(found["whole"]) > 3
            elif found is not None and (found["point"] or found["num"]):
                others.append((number, cell))
    if not commas:
        return lines, ()
    (number, cell) = commas[0]
    if others:
        raise InputError(
            f"{cell!r} on line {number} has a comma, and {others[0][1]!r} on line {others[0][0]} has none; write decimals with a point "
            "everywhere",
            line=number,
        )
    if not certain:
        raise InputError(f"{cell!r} on line {number} may be a decimal or thousands; write decimals with a point, 1000 as 1000", line=number)
    changed = [(number, [plain_number(cell, comma=True) for cell in cells]) for number, cells in lines]
    return changed, ("',' is read as the decimal point",)


def label_columns_hint(matrix: ExactMatrix, *, transposed: bool = False, distinct: bool = False) -> str | None:
    """What to say of a table whose rows sum to 1 without its first columns, which are whole numbers.

    Of a ``transposed`` table these are the first lines of the file. With ``distinct`` they tell all rows
    apart.

    >>> print(label_columns_hint(ExactMatrix([[7, "1/2", "1/2"], [8, "1/3", "2/3"]])))
    without the first column all rows sum to 1: if it is labels, begin with a line of labels, empty above them
    """
    rows = list(matrix.rows())
    totals = [sum(row, matrix.field.zero) for row in rows]
    for count in range(1, matrix.shape[1]):
        column = [row[count - 1] for row in rows]
        numbers = [x if isinstance(x, Rational) else x.rational for x in column]
        if any(x is None or x.denominator != 1 for x in numbers):
            return None
        totals = [total - x for total, x in zip(totals, column, strict=True)]
        if distinct and not _distinct([row[:count] for row in rows]):
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


def csv_grid(text: str, labels: bool = False, letters: Letters | None = None, header: bool | None = None) -> Grid:
    r"""The entries and labels of a text; without ``labels`` only those labels that can be nothing else.

    Lines that begin with ``#`` are comments. Without ``labels`` and ``header`` a long form is laid out as a
    table (:mod:`~exactdp.readers.long_form`).

    >>> csv_grid("# no,yes\n1/2,1/2").notes
    ("line 1 is a comment, and not read; if it names the columns, leave its '#' out",)
    """
    require_text(text)
    bare, comments = without_comments(text)
    if "\\" not in bare:
        refuse_standard_errors(enumerate(re.split(r"\r\n|\n|\r", bare), 1))
    grid = grid_of_lines(lines_of(bare, names_of(letters)), labels, letters, header)
    return replace(grid, notes=(*comments, *grid.notes)) if comments else grid


_ERRORS = r"(?!(?:DIV/0!|N/A|NAME\?|NULL!|NUM!|REF!|VALUE!|SPILL!|CALC!))"
"""What follows ``#`` where a spreadsheet writes that a cell has no value: no comment."""

_COMMENT = re.compile(rf"^[ \t]*#+{_ERRORS}(?=[ \t]|[^\W\d_]|$)[^\r\n]*", re.MULTILINE)


def without_comments(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with its comments blank, so that lines keep their numbers, and a note about them.

    A comment is a line that begins with ``#`` and a blank, a letter or nothing: ``#,no,yes`` is a corner, and
    ``#1`` no comment.
    """
    found = list(_COMMENT.finditer(text)) if "#" in text and "\\" not in text else []
    if not found:
        return text, ()
    bare = _COMMENT.sub("", text)
    line = text.count("\n", 0, found[0].start()) + 1
    if not bare.strip():
        raise InputError("the table has comments only; its lines begin with '#'", line=line)
    if len(found) == 1:
        return bare, (f"line {line} is a comment, and not read; if it names the columns, leave its '#' out",)
    return bare, (f"{len(found)} lines are comments, and not read, the first of them line {line}; if one is meant, leave its '#' out",)


def grid_of_lines(lines: list[Line], labels: bool = False, letters: Letters | None = None, header: bool | None = None) -> Grid:
    """The entries and labels of lines of cells, of a text or of a sheet."""
    refuse_both(labels, header)
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
            raise ShapeError(
                f"row {i} (line {number}) has {len(cells)} entries, {above} {width}; all need as many", expected=width, got=len(cells)
            )
    each = row_by_row(body, "the lines of a file", (len(body), width))
    rows: list[list[Cell]] = [list(map(plain_number, cells)) for _, cells in each]
    return Grid(rows, [number for number, _ in body], inputs, outputs, "csv", notes=(*found.notes, *notes), letters=letters)


_NUMBER = rf"[-+{_MINUS}]?(?:[0-9]+(?:[.][0-9]*|,[0-9]+|/[0-9]+)?|[.,][0-9]+)%?"
_WITH_ERROR = re.compile(rf"(?<![\w.^*/)-]){_NUMBER} *(?:\( *(?:{_NUMBER}) *\)|(?:±|\+/-|\+-) *{_NUMBER})")


def refuse_standard_errors(lines: Iterable[tuple[int, str]]) -> None:
    """Refuse numbers with a standard error behind them, ``0.75 (0.01)`` or ``0.75 ± 0.01``.

    An estimate is no number of a mechanism: what is known of it is an interval, with a probability.

    >>> refuse_standard_errors([(1, "0.75 (0.01),0.25 (0.01)")])
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: '0.75 (0.01)' on line 1 is an estimate with its standard error, and no ...
    """
    for number, line in lines:
        found = _WITH_ERROR.search(_QUOTED_TEXT.sub("", line)) if any(mark in line for mark in "(±+") else None
        if found is not None:
            raise InputError(
                f"{found[0]!r} on line {number} is an estimate with its standard error, and no exact number; to judge the estimates "
                "alone, as if they were exact, write them without what follows (0.75 for '0.75 (0.01)')",
                line=number,
            )


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


# --- Long form ---

_INPUT = {"i", "input", "row", "from", "true", "x", "orig", "source", "var1", "level_0"}
_OUTPUT = {"j", "output", "col", "column", "to", "y", "target", "var2", "level_1", "variable"}
_PROBABILITY = {"p", "prob", "probability", "pij", "p_ij", "pr", "value", "freq"}
_BESIDE = {"v", "d", "diff", "type"}


def long_form(lines: list[Line], letters: Collection[str] = ()) -> Grid | None:
    """The table of lines ``i, j, p``, one for each entry that is not 0; None if the lines are no such form.

    The first line names three columns for input, output and probability (``i``, ``j``, ``p``; ``from``,
    ``to``, ``prob``). Cell-key tables have more: the difference j − i (``v``), and bounds or sums
    (``p_kum``, ``p_int_lb``), which are not read.

    Raises InputError if the lines may be rows of a table as well, or a pair comes twice.

    >>> found = long_form([(1, ["i", "j", "p"]), (2, ["0", "0", "1"]), (3, ["1", "1", "1"])])
    >>> found.rows, found.inputs, found.outputs
    ([['1', '0'], ['0', '1']], None, None)
    """
    number, head = lines[0][0], [cell.lower() for cell in lines[0][1]]
    body = lines[1:]
    counted = bool(head[:1] == [""] or (body and all(len(cells) == len(head) + 1 for _, cells in body)))
    names = head if head[:1] != [""] else head[1:]
    if len(names) < 3 or not body or any(name in letters for name in names):
        return None
    chosen = [[k for k, name in enumerate(names) if name in known] for known in (_INPUT, _OUTPUT, _PROBABILITY)]
    used = {k[0] for k in chosen if len(k) == 1}
    extra = [name for k, name in enumerate(names) if k not in used]
    if len(used) != 3 or not all(name in _BESIDE or re.match(r"(?:kum|cum|lb$|ub$|p_|p$)", name) for name in extra):
        return None
    width = len(names) + counted
    if any(len(cells) != width for _, cells in body):
        return None
    if "type" in extra:
        _require_one_type([cells[names.index("type") + counted] for _, cells in body], number)
    kept, commas = decimal_points([(n, [cells[k[0] + counted] for k in chosen]) for n, cells in body])
    if not all(may_label(cell, letters) for _, cells in kept for cell in cells[:2]):
        return None
    numbers = _numbers([cells[counted:] for _, cells in body]) if len(names) == 3 else None
    if counted and not _are_distributions(kept):
        return None
    if numbers is not None and (_whole(numbers) if counted else _all_rows(numbers)):
        option = "--labels (in Python labels=True)" if counted else "--header (in Python header=True)"
        raise InputError(
            f"line {number} ({', '.join(lines[0][1])}) may name input, output and probability, or three columns of a table: give {option} "
            "if it names columns, else write the table with a line for each input",
            line=number,
        )
    inputs, outputs = (_in_order([cells[k] for _, cells in kept]) for k in (0, 1))
    require_budget("the table of the long form", numbers=len(inputs) * len(outputs))
    rows: list[list[Cell]] = [["0"] * len(outputs) for _ in inputs]
    at = ({label: k for k, label in enumerate(inputs)}, {label: k for k, label in enumerate(outputs)})
    seen: set[tuple[str, str]] = set()
    for n, (i, j, p) in kept:
        if (i, j) in seen:
            raise InputError(f"line {n}: the pair {i}, {j} is there twice; give one line for each pair", line=n)
        seen.add((i, j))
        rows[at[0][i]][at[1][j]] = plain_number(p)
    absent = len(inputs) * len(outputs) - len(seen)
    note = f"line {number} is read as the names of input, output and probability, a line for each pair"
    note += f"; pairs without a line ({absent}) have probability 0" if absent else ""
    note += f"; the columns {', '.join(extra)} are not read" if extra else ""
    named = [None if names_ == [str(k) for k in range(len(names_))] else points(names_) for names_ in (inputs, outputs)]
    return Grid(rows, [None] * len(rows), named[0], named[1], "csv", notes=(note, *commas))


def _require_one_type(types: list[str], number: int) -> None:
    """Refuse the tables of several types of cells in one, as those of magnitudes have them."""
    several = list(dict.fromkeys(types))
    if len(several) > 1:
        raise InputError(
            f"line {number} names a column 'type', which has {brief(several)}: each type is a table of its own; give the lines of one type",
            line=number,
        )


def long_form_fault(rows: Sequence[Sequence[Cell]]) -> str | None:
    """What to say of lines that are no rows, and may be ``i, j, p`` without a line of names.

    Two of each three cells are labels, no pair of them comes twice, and the last ones are probabilities that
    sum to 1 for each first label.

    >>> long_form_fault([["0", "0", "1"], ["1", "0", "1/2"], ["1", "1", "1/2"]])
    "the lines may be input, output and probability: if they are, begin with the line 'i,j,p'"
    >>> long_form_fault([["1/2", "1/4", "1/4"]])
    """
    lines = [(0, [str(x) for x in row]) for row in rows]
    fits = all(len(cells) == 3 and all(map(is_integer_label, cells[:2])) for _, cells in lines)
    if not fits or not _distinct([tuple(cells[:2]) for _, cells in lines]) or not _are_distributions(lines):
        return None
    return "the lines may be input, output and probability: if they are, begin with the line 'i,j,p'"


def _numbers(rows: list[list[str]]) -> list[list[Rational]] | None:
    """The cells as numbers; None if one is none."""
    try:
        return [[Rational(plain_number(cell)) for cell in row] for row in rows]
    except (InputError, ResourceLimitError):
        return None


def _all_rows(numbers: list[list[Rational]]) -> bool:
    """Whether all lines are rows of probabilities."""
    return all(sum(row, Rational(0)) == 1 and min(row) >= 0 for row in numbers)


def _whole(numbers: list[list[Rational]]) -> bool:
    """Whether all numbers are whole: entries of a table, as likely as labels."""
    return all(x.denominator == 1 for row in numbers for x in row)


def _are_distributions(lines: list[Line]) -> bool:
    """Whether the last cells of lines ``i, j, p`` are probabilities: their sum is 1 for each i, about."""
    found = _numbers([cells[2:] for _, cells in lines])
    totals: dict[str, Rational] = {}
    for (_, cells), (p,) in zip(lines, found or (), strict=False):
        totals[cells[0]] = totals.get(cells[0], Rational(0)) + p
    near = all(abs(total - 1) <= MOST_ROUNDING for total in totals.values())
    return found is not None and near and all(0 <= p <= 1 for (p,) in found)


def _in_order(labels: list[str]) -> list[str]:
    """Each label once: whole numbers by size, others as they come."""
    found = list(dict.fromkeys(labels))
    return sorted(found, key=int) if all(map(is_integer_label, found)) else found
