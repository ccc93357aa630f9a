# SPDX-License-Identifier: MIT
"""The cells of a table's text, and numbers as people write them.

Cells stand between commas, semicolons, tabs, blanks, or the bars of a Markdown table; LaTeX is read by the
module beside. Numbers are read as people write them (``.25``, ``1.``, ``50%``, ``−1``; ``0,5`` between
semicolons), and every such number has one meaning.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from exactdp.errors import InputError
from exactdp.runtime.budget import require_budget
from exactdp.runtime.progress import counted_off

Line = tuple[int, list[str]]
"""The number of a line, from 1, and its cells."""


# --- Numbers as people write them ---

_THIN = "\u2009\u202f\u2006\u200a"
_BLANK = rf"[ {_THIN}]"
MINUS = "−–"
_WHOLE = rf"(?:[0-9]{{1,3}}(?:[{_THIN}][0-9]{{3}})+|[0-9]+)"  # thin blanks make groups of three digits, and nothing else
_FRACTION = rf"(?:(?:[0-9]{{3}}[{_THIN}])+[0-9]{{1,3}}|[0-9]*)"
_WRITTEN = re.compile(
    rf"(?P<sign>[-+{MINUS}]?)[{_THIN}]?(?:(?P<num>{_WHOLE}){_BLANK}*/{_BLANK}*(?P<den>{_WHOLE})"
    rf"|(?=[.,]?[0-9])(?P<whole>{_WHOLE}?)(?:(?P<point>[.,])(?P<frac>{_FRACTION}))?(?:[eE](?P<exp>[-+{MINUS}]?[0-9]{{1,3}}))?"
    rf"{_BLANK}?(?P<percent>%?))"
)
_STRICT = re.compile(r"-?[0-9]+(?:/[0-9]+|\.[0-9]+)?", re.ASCII)
_SCIENTIFIC = re.compile(r"(-?[0-9]+\.[0-9]+)[eE]([-+]?[0-9]{1,3})", re.ASCII)


def plain_number(cell: str, *, comma: bool = False) -> str:
    """A number as people write it, in the grammar of :mod:`exactdp.exact.rational`; other text as it is.

    * ``comma``: whether a comma is the decimal point; otherwise a number has none.

    >>> [plain_number(x) for x in (".25", "1.", "50%", "12.5 %", "−1 / 3", "+2", "x%", "0,5")]
    ['0.25', '1', '50e-2', '12.5e-2', '-1/3', '2', 'x%', '0,5']
    """
    if _STRICT.fullmatch(cell):
        return cell
    scientific = _SCIENTIFIC.fullmatch(cell)
    if scientific is not None:
        return f"{scientific[1]}e{int(scientific[2])}"
    found = _WRITTEN.fullmatch(cell)
    if found is None or (found["point"] == "," and not comma):
        return cell
    sign = "-" if found["sign"] in ("-", *MINUS) else ""
    if found["num"]:
        return sign + _digits(found["num"]) + "/" + _digits(found["den"])
    whole = _digits(found["whole"]) or "0"
    point = f".{_digits(found['frac'])}" if found["frac"] else ""
    exponent = int((found["exp"] or "0").translate(dict.fromkeys(map(ord, MINUS), "-"))) - (2 if found["percent"] else 0)
    return sign + whole + point + (f"e{exponent}" if found["exp"] or found["percent"] else "")


def _digits(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, _THIN)))


# --- Lines and their cells ---

_SEPARATOR = re.compile(r"sep=[;,\t|]?", re.IGNORECASE)
"""The line that tells Excel which separator follows; the lines show it themselves."""

QUOTED_TEXT = re.compile(r'"(?:[^"]|"")*"')


def lines_of(text: str, letters: Collection[str] = ()) -> list[Line]:
    r"""The lines of a table's text that are not blank: number and cells, without the blanks around them.

    A cell may stand in double quotes (for labels with commas or blanks); a quoted cell ends on its line.
    Empty first and last lines and columns are no cells, nor is a separator that ends every line. Letters are
    for LaTeX, where products have no sign.

    Raises InputError if the text is empty, or a quotation mark stands inside a cell.

    >>> lines_of('1/2, 1/2\n\n"a,b",0\n')
    [(1, ['1/2', '1/2']), (3, ['a,b', '0'])]
    >>> lines_of("1/2; 1/2;\n1\t0"), lines_of("| a | b |\n|---|--:|\n| 1 | 0 |")[1], lines_of("1  0")
    ([(1, ['1/2', '1/2', '']), (2, ['1\t0'])], (3, ['1', '0']), [(1, ['1', '0'])])
    """
    lines = _latex_lines(text, letters) if "\\" in text else None
    if lines is None:
        numbered = enumerate(re.split(r"\r\n|\n|\r", text), 1)
        kept = [(number, line) for number, line in numbered if line.strip() and not _SEPARATOR.fullmatch(line.strip())]
        lines = _separated(kept)
    filled = [k for k, (_, cells) in enumerate(lines) if any(cells)]
    if not filled:
        raise InputError("the table is empty", line=1)
    return _without_empty_columns(lines[filled[0] : filled[-1] + 1])  # spreadsheets write ",," for an empty row


def _without_empty_columns(lines: list[Line]) -> list[Line]:
    """The lines without the empty cells that a spreadsheet leaves on the right.

    A separator may end every line below the first one, too.

    >>> _without_empty_columns([(1, ["1", "0", ""]), (2, ["0", "1", ""])])
    [(1, ['1', '0']), (2, ['0', '1'])]
    >>> _without_empty_columns([(1, ["no", "yes"]), (2, ["1", "0", ""])])
    [(1, ['no', 'yes']), (2, ['1', '0'])]
    """
    width = len(lines[0][1])
    if len(lines) > 1 and all(len(cells) == width + 1 and not cells[-1] for _, cells in lines[1:]) and lines[0][1][-1]:
        return [lines[0], *((number, cells[:-1]) for number, cells in lines[1:])]
    if any(len(cells) != width for _, cells in lines):
        return lines
    last = max(k for k in range(width) if any(cells[k] for _, cells in lines))
    return lines if last + 1 == width else [(number, cells[: last + 1]) for number, cells in lines]


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
        bare = QUOTED_TEXT.sub("", bare)
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
        if ";" in line and re.search(r",\s", QUOTED_TEXT.sub("", line)):
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


# --- Decimal commas ---


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
