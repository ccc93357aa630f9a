# SPDX-License-Identifier: MIT
"""Verdicts and tables as plain text: the decision, the claim, the scope, then the facts.

>>> from exactdp import geometric, neighbours, tightest_level
>>> print(verdict_text(tightest_level(geometric(1, "1/2"), neighbours("path:2"))))
PROVED  The tightest level of the mechanism on path:2 is α = 1/2 (ε = ln(2) ≈ 0.6931472)
scope   this instance
<BLANKLINE>
tightest level  1/2
  its ε         ln(2) ≈ 0.6931472
tight           2
                  x[1][0] / x[0][0] = 1/2
                  x[0][1] / x[1][1] = 1/2
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactdp.analysis.verdict import Registry, Verdict
from exactdp.errors import printable
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.decimals import decimal_text
from exactdp.report.items import TRUNCATE, Fact, Grid, Item, Listing, Told, visible
from exactdp.report.registry import TOPICS, facts
from exactdp.report.values import approximation, brief_number, elide, rounded_text

WIDTH = 118
"""Tables are made to fit into lines of this length, if that is possible."""

LONG_CELL = 24
FITS = ((TRUNCATE, LONG_CELL), (TRUNCATE, 12), (7, 12), (4, 12))
"""What is tried in turn: how many columns, and from which length on an entry is shown as a decimal."""


def verdict_text(
    verdict: Verdict[Any],
    *,
    notes: Sequence[str] = (),
    approx: bool | None = None,
    full: bool = False,
    topics: Registry[Told] = TOPICS,
) -> str:
    """The whole report of a verdict.

    Parameters
    ----------
    verdict : Verdict
        Of any question.
    notes : sequence of str
        What was done to the input before the question was asked.
    approx : bool, optional
        Decimals beside every fraction (True), beside none (False), or beside long ones (None).
    full : bool
        Nothing truncated, nothing shortened.
    topics : Registry
        How the evidence of each question is told.

    Returns
    -------
    str
        Several lines, without a final newline.
    """
    decision = verdict.head.upper()
    lines = [(decision, verdict.claim), ("scope", str(verdict.scope)), *(("note", printable(note)) for note in notes)]
    lines = lines if full else [(word, elide(sentence)) for word, sentence in lines]
    head = "\n".join(f"{word.ljust(len(decision))}  {sentence}" for word, sentence in lines)
    body = items_text(facts(verdict, topics), approx=approx, full=full)
    return f"{head}\n\n{body}" if body else head


def items_text(items: Sequence[Item], *, approx: bool | None = None, full: bool = False) -> str:
    """Facts and lists aligned, each table under its title."""
    widths = (len(i.name if isinstance(i, Fact) else i.title) for i in items if isinstance(i, (Fact, Listing)))
    width = min(max(widths, default=0), 32)
    blocks: list[str] = []
    lines: list[str] = []
    for item in items:
        if isinstance(item, Fact):
            name = item.name if full else elide(item.name)
            lines.append(f"{name.ljust(width)}  {brief_number(item.value, approx=approx, full=full)}")
        elif isinstance(item, Listing):
            lines += _listing_lines(item, width, full)
        else:
            blocks += ["\n".join(lines)] if lines else []
            lines = []
            if isinstance(item, Grid):
                blocks.append("\n".join([f"{item.title}:", *grid_lines(item, approx=approx, full=full)]))
            else:
                blocks.append(section_text(item.title, item.items, approx=approx, full=full))
    blocks += ["\n".join(lines)] if lines else []
    return "\n\n".join(blocks)


def section_text(title: str, items: Sequence[Item], *, approx: bool | None = None, full: bool = False) -> str:
    """A heading, and the items under it, indented."""
    inside = items_text(items, approx=approx, full=full)
    heading = printable(title) if full else elide(printable(title))
    return "\n".join([heading, *(f"  {line}".rstrip() for line in inside.splitlines())])


def _listing_lines(item: Listing, width: int, full: bool) -> Iterable[str]:
    yield f"{item.title.ljust(width)}  {item.total}"
    indent = " " * (width + 4)
    shown = item.lines
    if full:
        shown += tuple(map(printable, item.rest))
    for line in shown:
        yield indent + (line if full else elide(line))
    if item.total > len(shown):
        yield f"{indent}… and {item.total - len(shown)} more"


def grid_lines(grid: Grid, *, approx: bool | None = None, full: bool = False) -> list[str]:
    """A labelled table as aligned lines; above 12×12 with dots, or row by row if it is a remap."""
    if full:
        return _aligned(grid, TRUNCATE**9, TRUNCATE**9, approx)
    if grid.sparse and max(grid.matrix.shape) > TRUNCATE:
        return _sparse_lines(grid)
    lines: list[str] = []
    for limit, longest in FITS:
        lines = _aligned(grid, limit, longest, approx)
        if max(map(len, lines)) <= WIDTH:
            break
    rows, columns = grid.matrix.shape
    if rows > TRUNCATE or columns > limit:
        lines.append(f"  ({rows}×{columns}; --full prints all of it)")
    if any("≈" in line for line in lines) and not approx:
        lines.append("  (entries with ≈ are rounded here; --full, --json and certificates have them exactly)")
    return lines


def _aligned(grid: Grid, limit: int, longest: int, approx: bool | None) -> list[str]:
    """The table with at most ``limit`` columns; entries longer than ``longest`` as decimals."""
    rows, columns = visible(grid.matrix.shape[0], max(limit, TRUNCATE)), visible(grid.matrix.shape[1], limit)
    cells = [["", *("…" if j is None else grid.columns[j] for j in columns)]]
    for i in rows:
        if i is None:
            cells.append(["…"] * (len(columns) + 1))
        else:
            cells.append([grid.rows[i], *("…" if j is None else _cell(grid.matrix[i, j], longest, approx) for j in columns)])
    widths = [max(len(line[k]) for line in cells) for k in range(len(cells[0]))]
    return ["  " + "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in cells]


def _cell(x: Any, longest: int, approx: bool | None) -> str:
    if isinstance(x, ExponentialNumber) and x.rational is None and (approx or x.terms > longest or len(str(x)) > longest):
        return f"≈{rounded_text(x)}"  # a term is a character at least
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
    for i in visible(len(grid.rows), 4 * TRUNCATE):
        if i is None:
            lines.append("  …")
            continue
        entries = [(grid.columns[j], x) for j, x in enumerate(grid.matrix.row(i)) if x]
        shown = ", ".join(f"{label}: {_cell(x, LONG_CELL, None)}" if x != 1 else label for label, x in entries[:TRUNCATE])
        more = f", … ({len(entries)} in all)" if len(entries) > TRUNCATE else ""
        lines.append(f"  {grid.rows[i].ljust(width)} → {shown}{more}")
    return lines
