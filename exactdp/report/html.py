# SPDX-License-Identifier: MIT
"""Verdicts, mechanisms and tables as HTML fragments: what notebooks show.

Large tables are cut with dots and say their size; everything is escaped, for HTML and for who reads it.
The templates are in the folder ``templates``.

>>> from exactdp.exact import ExactMatrix
>>> "<td>1/2</td>" in ExactMatrix([["1/2"]])._repr_html_()
True
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from exactdp.analysis.privacy import StochasticEvidence
from exactdp.analysis.verdict import NO_CLAIM, Registry, Verdict
from exactdp.errors import printable
from exactdp.exact import Rational
from exactdp.report.display import items_of
from exactdp.report.items import Fact, Grid, Item, Listing, Section, Told, visible
from exactdp.report.registry import TOPICS, facts, headline_of
from exactdp.report.values import approximation, brief_number, elide

LONG_CELL = 40
"""A longer entry is shown as a decimal, with the fraction (shortened) as its title."""

NO_FORMULAS = "mathjax_ignore tex2jax_ignore"
"""Tells MathJax (4; 2 and 3), in notebooks, that a label such as ``$5`` begins no formula."""

_COLOURS = {
    "proved": "#1a7f37",
    "refuted": "#b3261e",
    "replayed": "#0b5cad",
    "undecided": "#8a6d00",
    "rounded": "#8a6d00",
    NO_CLAIM: "#57606a",
}
"""Behind white letters, so that they are read on a light page and on a dark one."""


def colour(verdict: Verdict[Any]) -> str:
    """The colour of a verdict's word: green, red, blue, amber (also if rounded), or grey for no claim."""
    e, word = verdict.evidence, verdict.head
    merely = getattr(e, "quality", None) == "rounded" and (verdict.proved or isinstance(e, StochasticEvidence))
    return _COLOURS["rounded" if merely else word]


@cache
def environment() -> Any:
    """The templates, with what they show items by; jinja2 is loaded when the first is rendered."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def escaped(value: Any) -> Any:
        return value if hasattr(value, "__html__") else Markup(escape(printable(str(value))))  # quotes as &quot; and &#x27;

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


def items_html(items: Sequence[Item]) -> str:
    """Facts, lists and tables in reading order, each a paragraph."""
    return _fragment("items", items)


def verdict_html(verdict: Verdict[Any], *, topics: Registry[Told] = TOPICS) -> str:
    """The whole report of a verdict."""
    return _fragment("verdict", verdict, headline_of(verdict, topics), facts(verdict, topics), colour(verdict))


def page(title: str, body: str) -> str:
    """A whole HTML page around fragments, without scripts."""
    from markupsafe import Markup

    return _fragment("page", title, Markup(body))


def html_of(thing: Any) -> str:
    """What a notebook shows of a value: the report of a verdict, the facts and tables of anything else."""
    body = verdict_html(thing) if isinstance(thing, Verdict) else items_html(items_of(thing))
    return f'<div class="{NO_FORMULAS}">{body}</div>'
