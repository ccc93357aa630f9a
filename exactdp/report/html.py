# SPDX-License-Identifier: MIT
"""Verdicts, mechanisms and tables as HTML fragments; large tables are cut with dots, everything is escaped.

>>> from exactdp.exact import ExactMatrix
>>> from exactdp.report.items import grid_of
>>> "<td>1/2</td>" in grid_html(grid_of("", ExactMatrix([["1/2"]])))
True

Rich display in IPython and Jupyter: labelled tables as HTML and LaTeX, verdicts as HTML.

The model knows nothing of this: formatters are registered with the shell by type, either by ``%load_ext
exactdp.report.html`` or, when exactdp is imported inside IPython, at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from typing import Any

from exactdp.analysis.registry import Registry
from exactdp.analysis.verdict import Verdict
from exactdp.exact import Rational
from exactdp.report.items import Fact, Grid, Item, Listing, Told, grid_of, visible
from exactdp.report.numbers import approximation, brief_number, elide
from exactdp.report.registry import TOPICS, facts

LONG_CELL = 40
"""A longer entry is shown as a decimal, with the fraction (shortened) as its title."""

_COLOURS = {"proved": "#1a7f37", "refuted": "#b3261e", "undecided": "#8a6d00"}


def grid_html(grid: Grid) -> str:
    """A labelled table with its title as caption; above 12×12 with dots."""
    rows, columns = (visible(size) for size in grid.matrix.shape)
    head = "<th></th>" + "".join(f"<th>{'⋯' if j is None else escape(grid.columns[j])}</th>" for j in columns)
    body = []
    for i in rows:
        if i is None:
            body.append("<tr><th>⋮</th>" + "".join(f"<td>{'⋱' if j is None else '⋮'}</td>" for j in columns) + "</tr>")
        else:
            cells = "".join("<td>⋯</td>" if j is None else _cell(grid.matrix[i, j]) for j in columns)
            body.append(f"<tr><th>{escape(grid.rows[i])}</th>{cells}</tr>")
    caption = f"<caption>{escape(grid.title)}</caption>" if grid.title else ""
    lines = "\n".join(body)
    return f'<table class="exactdp">{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table>'


def _cell(x: Any) -> str:
    text = str(x)
    if isinstance(x, Rational) and len(text) > LONG_CELL:
        return f'<td title="{escape(elide(text))}">{escape(approximation(x))}</td>'
    return f"<td>{escape(text)}</td>"


def items_html(items: Sequence[Item]) -> str:
    """Facts as a description list, lists and tables after them in reading order."""
    blocks = []
    for item in items:
        if isinstance(item, Grid):
            blocks.append(grid_html(item))
        elif isinstance(item, Fact):
            blocks.append(f"<p>{escape(item.name)}: <b>{escape(brief_number(item.value))}</b></p>")
        else:
            blocks.append(_listing_html(item))
    return "\n".join(blocks)


def _listing_html(item: Listing) -> str:
    if item.head:
        return _columns_html(item)
    lines = "".join(f"<li>{escape(elide(line))}</li>" for line in item.lines)
    more = f"<li>… and {item.total - len(item.lines)} more</li>" if item.total > len(item.lines) else ""
    return f"<p>{escape(item.title)}: {item.total}</p><ul>{lines}{more}</ul>"


def _columns_html(item: Listing) -> str:
    """The lines of a list as a table."""
    head = "".join(f"<th>{escape(name)}</th>" for name in item.head)
    body = ["".join(f"<td>{escape(elide(cell))}</td>" for cell in row) for row in item.cells]
    if item.total > len(item.cells):
        body.append(f'<td colspan="{len(item.head)}">… and {item.total - len(item.cells)} more</td>')
    lines = "\n".join(f"<tr>{row}</tr>" for row in body)
    caption = f"<caption>{escape(item.title)}: {item.total}</caption>"
    return f'<table class="exactdp">{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table>'


def verdict_html(verdict: Verdict[Any], *, topics: Registry[Told] = TOPICS) -> str:
    """The whole report of a verdict."""
    word = verdict.decision.value
    head = f'<p><b style="color:{_COLOURS[word]}">{word}</b> {escape(elide(verdict.claim))} <i>({escape(str(verdict.scope))})</i></p>'
    return f'<div class="exactdp">{head}\n{items_html(facts(verdict, topics))}</div>'


def page(title: str, body: str) -> str:
    """A whole HTML page around fragments, without scripts."""
    style = (
        ".exactdp td,.exactdp th{padding:.15em .6em;text-align:right}.exactdp thead th{border-bottom:1px solid}"
        ".exactdp caption{text-align:left;font-style:italic}body{font-family:sans-serif;margin:2em}"
    )
    head = f'<head><meta charset="utf-8"><title>{escape(title)}</title>\n<style>{style}</style></head>'
    return f'<!DOCTYPE html>\n<html lang="en">{head}\n<body>\n{body}\n</body></html>'


def load_ipython_extension(ipython: Any) -> None:
    """Register the formatters with a shell (what ``%load_ext`` calls)."""
    from exactdp.analysis.optimality.by_level import ByLevel
    from exactdp.analysis.types.kernels import KernelMechanism
    from exactdp.exact import ExactMatrix
    from exactdp.model import Gain, Loss, Mechanism, Remap, Table
    from exactdp.model.channel import Hyper
    from exactdp.report.latex import grid_latex, pieces_latex
    from exactdp.report.types import kernel_grid

    html, latex = (ipython.display_formatter.formatters[kind] for kind in ("text/html", "text/latex"))
    for kind in (ExactMatrix, Mechanism, Table, Remap, Loss, Gain, Hyper):
        html.for_type(kind, lambda thing: grid_html(grid_of("", thing)))
        latex.for_type(kind, lambda thing: f"$${grid_latex(grid_of('', thing))}$$")
    html.for_type(KernelMechanism, lambda kernel: grid_html(kernel_grid(kernel)))
    latex.for_type(KernelMechanism, lambda kernel: f"$${grid_latex(kernel_grid(kernel))}$$")
    html.for_type(Verdict, verdict_html)
    latex.for_type(ByLevel, lambda pieces: f"$${pieces_latex(pieces)}$$")
    latex.for_type(Verdict, lambda verdict: f"$${pieces_latex(verdict.evidence)}$$" if isinstance(verdict.evidence, ByLevel) else None)


def register_if_running() -> bool:
    """Register with the IPython shell that runs this process; False, and nothing done, when there is none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return False
    load_ipython_extension(shell)
    return True
