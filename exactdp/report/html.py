# SPDX-License-Identifier: MIT
"""Verdicts, mechanisms and tables as HTML fragments, and as what IPython and Jupyter show.

Large tables are cut with dots, and everything is escaped: the templates are in the folder ``templates``.

>>> from exactdp.exact import ExactMatrix
>>> "<td>1/2</td>" in grid_html(grid_of("", ExactMatrix([["1/2"]])))
True

The model knows nothing of notebooks: formatters are registered with the shell by type, at once when exactdp
is imported inside IPython, or by ``%load_ext exactdp.report.html``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from exactdp.analysis.privacy import StochasticEvidence
from exactdp.analysis.verdict import Registry, Verdict
from exactdp.exact import Rational
from exactdp.report.items import Fact, Grid, Item, Listing, Section, Told, grid_of, visible
from exactdp.report.numbers import approximation, brief_number, elide
from exactdp.report.registry import TOPICS, facts

LONG_CELL = 40
"""A longer entry is shown as a decimal, with the fraction (shortened) as its title."""

_COLOURS = {"proved": "#1a7f37", "refuted": "#b3261e", "undecided": "#8a6d00", "rounded": "#8a6d00"}


def colour(verdict: Verdict[Any]) -> str:
    """The colour of a verdict's word: green, red or amber; amber also for what is merely rounded."""
    e, word = verdict.evidence, verdict.decision.value
    merely = getattr(e, "quality", None) == "rounded" and (verdict.proved or isinstance(e, StochasticEvidence))
    return _COLOURS["rounded" if merely else word]


@cache
def environment() -> Any:
    """The templates, with what they show items by; jinja2 is loaded when the first is rendered."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def escaped(value: Any) -> Any:
        return value if hasattr(value, "__html__") else Markup(escape(str(value)))  # quotes as &quot; and &#x27;

    folder = FileSystemLoader(Path(__file__).with_name("templates"))
    found = Environment(loader=folder, autoescape=True, undefined=StrictUndefined, finalize=escaped, keep_trailing_newline=True)
    found.tests |= {
        "fact": lambda x: isinstance(x, Fact),
        "grid": lambda x: isinstance(x, Grid),
        "listing": lambda x: isinstance(x, Listing),
        "section": lambda x: isinstance(x, Section),
    }
    found.filters |= {"elide": elide, "brief": brief_number, "entry": _entry, "shown": shown}
    return found


def shown(thing: Any) -> tuple[list[int | None], ...]:
    """The rows and the columns to show of something with a matrix, None for dots."""
    return tuple(visible(size) for size in thing.matrix.shape)


def _entry(x: Any) -> dict[str, str]:
    text = str(x)
    if isinstance(x, Rational) and len(text) > LONG_CELL:
        return {"text": approximation(x), "title": elide(text)}
    return {"text": text, "title": ""}


def _fragment(name: str, *given: Any) -> str:
    return str(getattr(environment().get_template("fragments.html").module, name)(*given))


def grid_html(grid: Grid) -> str:
    """A labelled table with its title as caption; above 12×12 with dots."""
    return _fragment("grid", grid, shown(grid))


def items_html(items: Sequence[Item]) -> str:
    """Facts, lists and tables in reading order, each a paragraph."""
    return _fragment("items", items)


def verdict_html(verdict: Verdict[Any], *, topics: Registry[Told] = TOPICS) -> str:
    """The whole report of a verdict."""
    return _fragment("verdict", verdict, facts(verdict, topics), colour(verdict))


def page(title: str, body: str) -> str:
    """A whole HTML page around fragments, without scripts."""
    from markupsafe import Markup

    return _fragment("page", title, Markup(body))


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
