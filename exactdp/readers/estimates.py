# SPDX-License-Identifier: MIT
"""Estimates with their uncertainty behind them: ``0.75 (0.01)``, ``75% (n = 300)``, ``0.75 ± 0.01``.

What stands behind an estimate (a standard error, an interval, a number of cases) is left aside, and the
estimate is judged as it is printed. A note says so, and so does what the table is called in answers. Other
things than tables of mechanisms, such as losses and priors, are refused with such entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from exactdp.errors import InputError
from exactdp.readers.cells import MINUS, Line, plain_number
from exactdp.readers.grids import Cell, Grid
from exactdp.runtime.values import dataclass

_NUMBER = r"(?:[0-9]+(?:[.][0-9]*|,[0-9]+|/[0-9]+)?|[.,][0-9]+)(?:[eE]-?[0-9]{1,3})?(?: ?%)?"
_NAME = r"(?:[A-Za-z.]{1,6} *[=:]? *)?"
_TO = rf"(?:[,;]|[-{MINUS}]|to)"
_INSIDE = rf"(?:[0-9]+ ?% *)?{_NAME}{_NUMBER}(?: *{_TO} *{_NUMBER})?"
_BEHIND = rf"(?:\( *{_INSIDE} *\)|\[ *{_INSIDE} *\]|(?:±|\+/-) *{_NUMBER})"
_WRITTEN = re.compile(rf"(?<![\w.^*/()\[\]-])(?P<estimate>[-+{MINUS}]?{_NUMBER})(?P<behind> *{_BEHIND})(?![\w(\[])")
_ALONE = re.compile(rf"\( *[-+{MINUS}]?{_NUMBER} *\)")
_OF_LATEX = re.compile(
    r"(?P<before>(?:^|[&}$]|\\\\)\s*)(?P<estimate>[-+]?(?:[0-9]*\.[0-9]+|[0-9]+)(?:\\%)?)(?:[ ~]|\\,)*"
    rf"(?P<behind>\$?\(\s*{_INSIDE}\s*\)|\$?\\pm\$?\s*{_NUMBER})(?=\s*\$?\s*(?:&|\\\\|\\end|$))",
    re.MULTILINE,
)
_WITH_MARK = re.compile(rf"[-+{MINUS}]?{_NUMBER} ?(?P<mark>[*†‡§¶¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜ]+)")
_BEGIN, _END = "\ue000", "\ue001"
_MARKED = re.compile(rf"{_BEGIN}(?P<place>[0-9]+){_END}")

_TOLD = "left aside (standard errors, intervals or counts): the estimates are judged as they are printed"


@dataclass(slots=True)
class Aside:
    """What was left aside on the way: text by text, each with its line or row.

    >>> aside = Aside()
    >>> marked = aside.marked("0.75 (0.01),group 1 (5)")
    >>> aside.cells([(3, marked.split(","))])
    [(3, ['0.75', 'group 1 (5)'])]
    >>> aside.what(), aside.note()[:50]
    ('the numbers in brackets', '1 number in brackets, first (0.01) on line 3, is l')
    """

    behind: list[str] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)

    def marked(self, text: str) -> str:
        """The text, with a mark for what stands behind each estimate, whose commas and blanks are gone."""
        if not any(mark in text for mark in "([±+") or _BEGIN in text:
            return text
        return _WRITTEN.sub(self._mark, text)

    def of_latex(self, text: str) -> str:
        r"""A table of LaTeX without what stands behind its estimates.

        In a matrix brackets are a product, as typesetting means it: they are refused beside decimals.

        >>> (aside := Aside()).of_latex(r"0.75 \pm 0.01 & 0.25 \pm 0.01 \\"), len(aside.left)
        ('0.75 & 0.25 \\\\', 2)
        """

        def stripped(found: re.Match[str]) -> str:
            line = text.count("\n", 0, found.start("behind")) + 1
            if found["behind"][0] == "(" and "{tabular" not in text:
                raise InputError(
                    f"line {line}: {found[0].strip(' $&')!r} may be a product, or an estimate with what is known of it: write \\cdot for a "
                    "product, else the number alone",
                    line=line,
                )
            self.left.append((found["behind"].strip(), f"line {line}"))
            return f"{found['before']}{found['estimate']}"

        return _OF_LATEX.sub(stripped, text)

    def _mark(self, found: re.Match[str]) -> str:
        self.behind.append(found["behind"])
        return f"{found['estimate']}{_BEGIN}{len(self.behind) - 1}{_END}"

    def cells(self, lines: Sequence[Line]) -> list[Line]:
        """The lines with their estimates alone; marks inside of other cells (labels) are taken back."""
        return [(number, [self._cell(cell, number) for cell in cells]) for number, cells in lines]

    def _cell(self, cell: str, number: int) -> str:
        found = _MARKED.search(cell)
        if found is None:
            return cell
        if found.end() == len(cell) and re.fullmatch(rf"[-+{MINUS}]?{_NUMBER}", cell[: found.start()]):
            self.left.append((self.behind[int(found["place"])].strip(), f"line {number}"))
            return cell[: found.start()]
        return _MARKED.sub(lambda mark: self.behind[int(mark["place"])], cell)

    def of_cell(self, cell: str, where: str) -> str:
        """The estimate of a cell that is alone, as those of JSON and of a spreadsheet are.

        >>> (aside := Aside()).of_cell("0.75 [0.70, 0.80]", "row 0"), aside.left
        ('0.75', [('[0.70, 0.80]', 'row 0')])
        """
        found = _WRITTEN.fullmatch(cell.strip()) if any(mark in cell for mark in "([±+") else None
        if found is None:
            return cell
        self.left.append((found["behind"].strip(), where))
        return found["estimate"]

    def what(self) -> str:
        """What was left aside, as the name of the table says it; empty for nothing."""
        brackets = any(text[0] in "([" for text, _ in self.left)
        errors = any(text[0] not in "([" for text, _ in self.left)
        told = " and ".join([*["in brackets"] * brackets, *["behind ±"] * errors])
        return f"the numbers {told}" if told else ""

    def told(self, grid: Grid) -> Grid:
        """The grid, which says what was left aside."""
        return replace(grid, aside=self.what(), notes=(*grid.notes, self.note())) if self.left else grid

    def note(self) -> str:
        """The same with their number and the first of them."""
        if not self.left:
            return ""
        text, where = self.left[0]
        kind = self.what().removeprefix("the numbers ")
        if len(self.left) == 1:
            return f"1 number {kind}, first {text} on {where}, is {_TOLD}"
        return f"{len(self.left)} numbers {kind}, first {text} on {where}, are {_TOLD}"


def estimates_of(grid: Grid) -> Grid:
    """The grid of a form whose cells are texts of their own, with its estimates alone."""
    if not any(isinstance(x, str) and any(mark in x for mark in "([±+") for row in grid.rows for x in row):
        return grid
    aside = Aside()
    rows: list[list[Cell]] = []
    for i, row in enumerate(grid.rows):
        cells = [aside.of_cell(x, f"row {i}") if isinstance(x, str) else x for x in row]
        for x in cells:
            refuse_alone(str(x), f"row {i}")
        rows.append([plain_number(x) if isinstance(x, str) else x for x in cells])
    return aside.told(replace(grid, rows=rows))


def refuse_alone(cell: str, where: str) -> None:
    """Refuse a number in brackets: a negative one of accounting, or the standard error of a number above it.

    A number with the mark of a footnote is refused, too.

    >>> refuse_alone("(0.25)", "line 2")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: line 2: '(0.25)' is a number in brackets, which may be negative, or the ...
    """
    if cell[:1] == "(" and _ALONE.fullmatch(cell) and "/" not in cell:
        raise InputError(
            f"{where}: {cell!r} is a number in brackets, which may be negative, or the standard error of another one; write it without "
            f"them, write {f'-{cell[1:-1].strip()}'!r}, or leave it out",
            value=cell,
        )
    found = _WITH_MARK.fullmatch(cell) if cell[-1:] == "*" or not cell.isascii() else None
    if found is not None:
        raise InputError(f"{where}: {cell!r} is a number with the mark of a note; leave the {found['mark']!r} out", value=cell)


def refuse_aside(what: str) -> None:
    """Refuse estimates where no table of a mechanism is read: a loss, a prior, a remap or distances.

    >>> refuse_aside("the numbers in brackets")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: the numbers in brackets are left aside in tables of mechanisms only; write ...
    """
    if what:
        raise InputError(f"{what} are left aside in tables of mechanisms only; write the numbers alone, 0.75 for '0.75 (0.01)'")


def told_aside(notes: Iterable[str]) -> str:
    """The note that says that something was left aside; empty if none does."""
    return next((note for note in notes if note.endswith(_TOLD)), "")
