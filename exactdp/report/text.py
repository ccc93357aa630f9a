# SPDX-License-Identifier: MIT
"""Verdicts and tables as plain text: the answer, what it is about, notes, then the facts.

>>> from exactdp import geometric, neighbours, tightest_level
>>> print(verdict_text(tightest_level(geometric(1, "1/2"), neighbours("path:2"))))
PROVED  tightest level α = 1/2 (ε = ln(2) ≈ 0.6931472)
for     path:2
<BLANKLINE>
tightest level  1/2
  its ε         ln(2) ≈ 0.6931472
tight           2
                  x[1][0] / x[0][0] = 1/2
                  x[0][1] / x[1][1] = 1/2
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from textwrap import wrap
from typing import Any

from exactdp.analysis.verdict import Decision, Registry, Verdict
from exactdp.errors import printable
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.decimals import decimal_text
from exactdp.report.headline import places_of, shape_of
from exactdp.report.items import TRUNCATE, Fact, Formula, Grid, Item, Listing, Told, visible
from exactdp.report.registry import TOPICS, facts, headline_of, lines_above
from exactdp.report.values import approximation, brief_number, elide, rounded_text

WIDTH = 118
"""Tables are made to fit into lines of this length, if that is possible."""

LETTERS = "letters: "
"""What begins a note of what was assumed of letters."""

LINE = 100
"""What an answer is about is told in lines of at most this length."""

NEIGHBOURS = "neighbours: "
"""What begins a note of which neighbours are meant; one that says no more is left out where they stand."""

LONG_CELL = 24
FITS = ((TRUNCATE, LONG_CELL), (TRUNCATE, 12), (7, 12), (4, 12))
"""What is tried in turn: how many columns, and from which length on an entry is shown as a decimal."""

IN_BLOCKS = (7, 12)
"""The same of a table whose columns stand below each other."""


def verdict_text(
    verdict: Verdict[Any],
    *,
    notes: Sequence[str] = (),
    approx: bool | None = None,
    full: bool = False,
    width: int | None = None,
    topics: Registry[Told] = TOPICS,
) -> str:
    """The whole report of a verdict.

    * ``notes``: what was done to the input before the question was asked, beside the verdict's own.
    * ``approx``: decimals beside every fraction (True), beside none (False), or beside long ones (None).
    * ``full``: nothing truncated, nothing shortened, and the claim with its scope.
    * ``width``: of the terminal, where lines are to fit into it.
    * ``topics``: how the evidence of each question is told.

    Returns: several lines, without a final newline.
    """
    head = head_text(verdict, notes, full=full, width=width, topics=topics)
    body = items_text(facts(verdict, topics), approx=approx, full=full, width=width)
    return f"{head}\n\n{body}" if body else head


NO_CLAIM, OF_TWO = "no claim", "first"
"""The word of an audit without a claim, and what begins its line where another table is compared with it."""


def head_text(
    verdict: Verdict[Any],
    notes: Sequence[str] = (),
    *,
    full: bool = False,
    width: int | None = None,
    topics: Registry[Told] = TOPICS,
    alone: bool = False,
) -> str:
    """The first lines alone: the headline, what is assumed, the claim where it is wanted, and the notes.

    >>> from exactdp import geometric, neighbours, tightest_level
    >>> print(head_text(tightest_level(geometric(1, "1/2"), neighbours("path:2"))))
    PROVED  tightest level α = 1/2 (ε = ln(2) ≈ 0.6931472)
    for     path:2
    """
    decision = verdict.head.upper()
    first = headline_of(verdict, topics)
    beside = [note for note in map(printable, (*verdict.notes, *notes)) if not _is_assumed(note, first.assumed)]
    is_told = full or verdict.decision is Decision.UNDECIDED or verdict.evidence is None
    told = [("claim", verdict.claim)] if is_told and first.text != verdict.claim else []
    told += [("scope", str(verdict.scope))] if full else []
    told += [("formula", first.formula)] if alone and first.formula else []
    told += first.alone if alone else ()
    above = lines_above(verdict, topics)
    decision = OF_TWO if above and verdict.head == NO_CLAIM else decision
    lines = [*above, (decision, first.text), *told, *(("note", note) for note in beside)]
    lines = lines if full else [(word, sentence if word == "formula" else elide(sentence)) for word, sentence in lines]
    assumed = first.assumed if full else tuple(map(elide, first.assumed))
    pad = max(len(decision), *(len(word) for word, _ in lines)) + 2
    blocks = [f"{word.ljust(pad)}{folded(sentence, width, pad)}" for word, sentence in lines]
    if assumed:
        blocks.insert(len(above) + 1, "for".ljust(pad) + _joined(assumed, min(width or LINE, LINE) - pad, " " * pad))
    return "\n".join(blocks)


def _is_assumed(note: str, assumed: Sequence[str]) -> bool:
    """Whether a note of neighbours or of letters says no more than what stands below the headline."""
    if note.startswith(LETTERS):
        return any(text.endswith(f" with {note.removeprefix(LETTERS)}") for text in assumed)
    return note.removeprefix(NEIGHBOURS) in assumed


def folded(text: str, width: int | None, indent: int) -> str:
    r"""A text in lines that fit between an indent and the width, broken at spaces only; None: in one line.

    A number stays beside its decimal where there is room for both.

    >>> folded("one two three four five", 22, 2)
    'one two three four\n  five'
    >>> folded("the least loss 9/20 = 0.45", 20, 0)
    'the least loss\n9/20 = 0.45'
    """
    if width is None or len(text) <= width - indent:
        return text
    room = max(width - indent, 20)
    text = re.sub(r"(?<=[\w)]) ([+-]) (?=[\w(])", f" \\1{BOUND}", text)  # a formula is broken before a sign
    lines = _wrapped(re.sub(r" ([=≈]) ", f"{BOUND}\\1{BOUND}", text), room)
    if any(len(line) > room for line in lines):
        lines = _wrapped(text, room)
    if any(len(line) > room for line in lines) and indent > BELOW:
        return "\n" + " " * BELOW + folded(text, width, BELOW)
    return f"\n{' ' * indent}".join(lines).replace(BOUND, " ")


BELOW = 2
"""How far a text is indented that begins on a line of its own, too long to stand beside its name."""


def _named(name: str, text: str, pad: int, width: int | None) -> str:
    """A name with a text beside it; below it, where the two are too long for a line.

    >>> print(_named("a name that is long", "and its text", 8, 24))
    a name that is long
      and its text
    """
    beside = max(pad, len(name)) + 2
    if width is None or len(name) <= pad or beside + len(text) <= width:
        value = folded(text, width, pad + 2)
        return "\n".join(line.rstrip() for line in f"{name.ljust(pad)}  {value}".split("\n")) if width else f"{name.ljust(pad)}  {value}"
    return f"{folded(name, width, BELOW)}\n{' ' * BELOW}{folded(text, width, BELOW)}"


BOUND = "\N{NO-BREAK SPACE}"
"""Where no line is broken."""


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _joined(texts: Sequence[str], width: int, indent: str) -> str:
    """Texts with a point between, in lines that break between two of them where that is possible."""
    lines = [""]
    for text in texts:
        longer = f"{lines[-1]} · {text}" if lines[-1] else text
        if lines[-1] and len(longer) > width:
            lines[-1] += " ·"
            lines.append(text)
        else:
            lines[-1] = longer
    pieces = [part for line in lines for part in _wrapped(line.replace(" ·", f"{BOUND}·"), max(width, 20))]
    return f"\n{indent}".join(pieces).replace(f"{BOUND}·", " ·")


def items_text(items: Sequence[Item], *, approx: bool | None = None, full: bool = False, width: int | None = None) -> str:
    """Facts and lists aligned, each table under its title; in lines of a ``width`` where that is possible."""
    names = (len(i.name if isinstance(i, Fact) else i.title) for i in items if isinstance(i, (Fact, Listing)))
    pad = min(max(names, default=0), 32)
    blocks: list[str] = []
    lines: list[str] = []
    decimals = {} if full else _comparable(items, approx)
    for item in items:
        if isinstance(item, Fact):
            name = item.name if full else elide(item.name)
            value = _beside(item, decimals) or brief_number(item.value, approx=approx, full=full)
            lines.append(_named(name, value, pad, width))
            if isinstance(item.value, Formula):
                lines.append(_named("in LaTeX", item.value.latex, pad, width))
        elif isinstance(item, Listing):
            lines += _listing_lines(item, pad, full, width)
        else:
            blocks += ["\n".join(lines)] if lines else []
            lines = []
            if isinstance(item, Grid):
                blocks.append("\n".join([f"{item.title}:", *grid_lines(item, approx=approx, full=full, width=width)]))
            else:
                blocks.append(section_text(item.title, item.items, approx=approx, full=full, width=width))
    blocks += ["\n".join(lines)] if lines else []
    return "\n\n".join(blocks)


def _comparable(items: Sequence[Item], approx: bool | None) -> dict[Fact, str]:
    """Decimals with equally many places for the numbers of facts, if one of them is shown with a decimal."""
    numbers = [item for item in items if isinstance(item, Fact) and _has_decimals(item.value)]
    if approx is False or not any("≈" in brief_number(item.value, approx=approx) for item in numbers):
        return {}
    found = places_of([item.value for item in numbers])
    signs = {True: "=", False: "≈"}
    return {} if found is None else {item: f"{signs[exact]} {text}" for item, (text, exact) in zip(numbers, found, strict=True)}


def _has_decimals(x: Any) -> bool:
    """Whether a number is shown with a decimal beside it: it is a fraction, or one over ε."""
    return (isinstance(x, Rational) and x.denominator != 1) or (isinstance(x, ExponentialNumber) and x.rational is None)


def _beside(item: Fact, decimals: dict[Fact, str]) -> str:
    """The number with its decimal; empty where it has none of them."""
    return f"{elide(str(item.value))} ({decimals[item]})" if _has_decimals(item.value) and item in decimals else ""


def section_text(title: str, items: Sequence[Item], *, approx: bool | None = None, full: bool = False, width: int | None = None) -> str:
    """A heading, and the items under it, indented."""
    inside = items_text(items, approx=approx, full=full, width=None if width is None else width - 2)
    heading = printable(title) if full else elide(printable(title))
    return "\n".join([folded(heading, width, 2), *(f"  {line}".rstrip() for line in inside.splitlines())])


def _listing_lines(item: Listing, pad: int, full: bool, width: int | None) -> Iterable[str]:
    yield f"{item.title.ljust(pad)}  {item.total}"
    indent = " " * (pad + 4)
    shown = item.lines
    if full:
        shown += tuple(map(printable, item.rest))
    for line in shown:
        text = folded(line if full else elide(line), width, pad + 4)
        yield text.removeprefix("\n") if text.startswith("\n") else indent + text
    if item.total > len(shown):
        yield f"{indent}… and {item.total - len(shown)} more"


def grid_lines(grid: Grid, *, approx: bool | None = None, full: bool = False, width: int | None = None) -> list[str]:
    """A labelled table as aligned lines; above 12×12 with dots, or row by row if it is a remap."""
    if full:
        return _joined_cells(_cells(grid, TRUNCATE**9, TRUNCATE**9, approx, {}))
    if grid.sparse and max(grid.matrix.shape) > TRUNCATE:
        return [f"  {folded(line.strip(), width, 4)}" for line in _sparse_lines(grid)]
    lines: list[str] = []
    spelled: Spelled = {}
    for limit, longest in FITS:
        cells = _cells(grid, limit, longest, approx, spelled)
        lines = _joined_cells(cells)
        if max(map(len, lines)) <= min(width or WIDTH, WIDTH):
            break
    shapes = False
    if width is not None and max(map(len, lines)) > width:
        limit, longest = IN_BLOCKS
        cells = _cells(grid, limit, longest, approx, spelled)
        room = width - _widths(cells)[0] - 4
        shapes = any(len(x) > room for line in cells for x in line[1:])
        lines = _in_blocks([[line[0], *(x if len(x) <= room else shape_of(x) for x in line[1:])] for line in cells], width)
    rows, columns = grid.matrix.shape
    if rows > TRUNCATE or columns > limit:
        lines.append(f"  ({rows}×{columns}; --full prints all of it)")
    if any("≈" in line for line in lines) and not approx:
        lines.append(f"  {folded(ROUNDED, width, 3)}")
    if shapes:
        lines.append(f"  {folded('(a formula too long for a line is told by its shape; --full has it)', width, 3)}")
    return lines


ROUNDED = "(entries with ≈ are rounded here; --full, --json and certificates have them exactly)"
"""What stands below a table with decimals in place of exact numbers."""


class _Spelled:
    """An irrational number, its exact text and its decimals, which are made once and when they are needed."""

    def __init__(self, x: Any) -> None:
        self.x = x  # kept so that no other number has its identity

    @cached_property
    def exact(self) -> str:
        return str(self.x)

    @cached_property
    def decimals(self) -> str:
        return f"≈{rounded_text(self.x)}"


Spelled = dict[int, _Spelled]
"""By the identity of a number, how it is written."""


def _cells(grid: Grid, limit: int, longest: int, approx: bool | None, spelled: Spelled) -> list[list[str]]:
    """The table as text with at most ``limit`` columns; entries longer than ``longest`` as decimals."""
    rows, columns = visible(grid.matrix.shape[0], max(limit, TRUNCATE)), visible(grid.matrix.shape[1], limit)
    cells = [["", *("…" if j is None else grid.columns[j] for j in columns)]]
    for i in rows:
        if i is None:
            cells.append(["…"] * (len(columns) + 1))
        else:
            cells.append([grid.rows[i], *("…" if j is None else _cell(grid.matrix[i, j], longest, approx, spelled) for j in columns)])
    return cells


def _widths(cells: list[list[str]]) -> list[int]:
    """How wide each column is, that of the labels first."""
    return [max(len(line[k]) for line in cells) for k in range(len(cells[0]))]


def _joined_cells(cells: list[list[str]]) -> list[str]:
    """The cells of a table in lines, each column aligned."""
    widths = _widths(cells)
    return ["  " + "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in cells]


def _in_blocks(cells: list[list[str]], width: int) -> list[str]:
    r"""A table that is wider than the terminal, in blocks of columns below each other, each with the labels.

    >>> print("\n".join(_in_blocks([["", "x", "y"], ["0", "11111", "2"]], 10)))
            x
      0  11111
    <BLANKLINE>
         y
      0  2
    """
    label, *widths = _widths(cells)
    blocks: list[list[int]] = []
    used = width
    for column, wide in enumerate(widths, 1):
        if used + 2 + wide > width:
            blocks.append([])
            used = 2 + label
        blocks[-1].append(column)
        used += 2 + wide
    parts = [_joined_cells([[line[0], *(line[k] for k in block)] for line in cells]) for block in blocks]
    return "\n\n".join("\n".join(part) for part in parts).split("\n")


def _cell(x: Any, longest: int, approx: bool | None, spelled: Spelled) -> str:
    if isinstance(x, ExponentialNumber) and x.rational is None:
        known = spelled.setdefault(id(x), _Spelled(x))
        if approx or x.terms > longest or len(known.exact) > longest:  # a term is a character at least
            return known.decimals
    text = str(x)
    if not isinstance(x, Rational) or x.denominator == 1:
        return elide(text) if len(text) > longest else text
    if len(text) > longest:
        decimal, exact = decimal_text(x)
        return decimal if exact else f"≈{decimal}"
    return f"{text} ({approximation(x, 4)})" if approx else text


def _sparse_lines(grid: Grid) -> list[str]:
    width = max(map(len, grid.rows))
    lines = []
    spelled: Spelled = {}
    for i in visible(len(grid.rows), 4 * TRUNCATE):
        if i is None:
            lines.append("  …")
            continue
        entries = [(grid.columns[j], x) for j, x in enumerate(grid.matrix.row(i)) if x]
        shown = ", ".join(f"{label}: {_cell(x, LONG_CELL, None, spelled)}" if x != 1 else label for label, x in entries[:TRUNCATE])
        more = f", … ({len(entries)} in all)" if len(entries) > TRUNCATE else ""
        lines.append(f"  {grid.rows[i].ljust(width)} → {shown}{more}")
    return lines
