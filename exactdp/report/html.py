# SPDX-License-Identifier: MIT
"""Verdicts, mechanisms and tables as HTML fragments: what notebooks show.

Large tables are cut with dots and say their size; everything is escaped, for HTML and for who reads it.
The templates are in the folder ``templates``.

>>> from exactdp.exact import ExactMatrix
>>> "<mfrac>" in ExactMatrix([["1/2"]])._repr_html_()
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from exactdp.analysis.stochastic import StochasticEvidence
from exactdp.analysis.verdict import NO_CLAIM, Registry, Verdict
from exactdp.errors import printable
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.decimals import decimal_text, nearest_fixed, rounded_fixed
from exactdp.model import Mechanism, Table
from exactdp.report.display import items_of
from exactdp.report.drawings import heat_map_beside, picture_beside
from exactdp.report.items import TRUNCATE, Fact, Formula, Grid, Item, Listing, Section, Told, visible
from exactdp.report.mathml import number_mathml
from exactdp.report.registry import TOPICS, facts, headline_of, lines_above
from exactdp.report.values import approximation, brief_number, elide, rounded_text
from exactdp.report.words_mathml import Formulas, formulas_among

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
    found.filters |= {"elide": elide}
    return found


def shown(thing: Any) -> tuple[list[int | None], ...]:
    """The rows and the columns to show of something with a matrix, None for dots."""
    return tuple(visible(size) for size in thing.matrix.shape)


@dataclass(frozen=True, slots=True)
class Display:
    """How numbers and tables are shown: the options of ``display``.

    * ``decimals``, ``digits``: numbers as decimals with so many digits after the point, or so many
      significant ones.
    * ``full``: nothing is cut or shortened.
    * ``picture``: whether there is a picture, where one exists.
    * ``formulas``: those that are typeset where they stand in a sentence.
    """

    decimals: int | None = None
    digits: int | None = None
    full: bool = False
    picture: bool = True
    formulas: Formulas = field(default_factory=Formulas)

    def told(self, items: Sequence[Item], evidence: object = None) -> Display:
        """The same for sentences that stand beside these items."""
        return replace(self, formulas=formulas_among(items, evidence))

    def words(self, text: Any) -> Any:
        """A sentence, its formulas typeset."""
        from markupsafe import Markup

        return Markup(self.formulas.words(elide(str(text))))

    @property
    def rounding(self) -> str:
        """What is said of rounded numbers."""
        return f"{self.decimals} decimals" if self.decimals is not None else f"{self.digits} significant digits"

    def decimal(self, x: Any) -> tuple[str, bool] | None:
        """The number as a decimal, and whether it is that exactly; None if none is asked for or known."""
        if self.decimals is None and self.digits is None:
            return None
        known = x if isinstance(x, Rational) else getattr(x, "rational", None)
        if known is not None:
            return rounded_fixed(known, self.decimals) if self.decimals is not None else decimal_text(known, self.digits or 1)
        if not isinstance(x, ExponentialNumber):
            return None
        if self.decimals is not None:
            return nearest_fixed(x.enclosure, self.decimals), False
        return rounded_text(x, self.digits or 1), False

    def text(self, x: Any) -> str:
        """The number exactly, without the middle of a very long one unless all is wanted."""
        return str(x) if self.full else elide(str(x))

    def exact(self, x: Any) -> Any:
        """The number typeset, or its text."""
        from markupsafe import Markup

        typeset = number_mathml(x)
        return self.text(x) if typeset is None else Markup(typeset)

    def entry(self, x: Any) -> dict[str, Any]:
        """An entry of a table, with the exact number as its title where a decimal is shown."""
        decimal = self.decimal(x)
        if decimal is not None:
            shown, exact = decimal
            shown = "0" if exact and x == 0 else shown  # a zero is told from what is rounded to it
            return {"text": shown, "title": "" if exact else self.text(x), "rounded": not exact}
        if isinstance(x, Rational) and len(str(x)) > LONG_CELL and not self.full:
            return {"text": approximation(x), "title": elide(str(x)), "rounded": False}
        return {"text": self.exact(x), "title": "", "rounded": False}

    def value(self, x: Any) -> Any:
        """The value of a fact: words, or a number typeset, with a decimal if that helps or is asked for."""
        from markupsafe import Markup

        if isinstance(x, Formula):
            return Markup(x.mathml)
        decimal, typeset = self.decimal(x), number_mathml(x)
        if decimal is not None:
            text, exact = decimal
            if exact and typeset is None:
                return str(x)
            return Markup("{} {} {}").format(self.exact(x), "=" if exact else "≈", text)
        brief = brief_number(x, full=self.full)
        if typeset is None:
            return self.words(brief) if isinstance(x, str) else brief
        beside = brief[len(self.text(x)) :]
        return Markup("{}{}").format(Markup(typeset), beside)

    def grid(self, grid: Grid) -> dict[str, Any]:
        """A table as it is shown: caption, heads, and lines of entries; above 12×12 with dots."""
        limit = None if self.full else TRUNCATE
        rows, columns = (visible(size, limit) for size in grid.matrix.shape)
        lines: list[tuple[str, list[dict[str, Any]]]] = []
        for i in rows:
            if i is None:
                lines.append(("⋮", [{"text": "⋱" if j is None else "⋮", "title": ""} for j in columns]))
            else:
                lines.append((grid.rows[i], [_DOTS if j is None else self.entry(grid.matrix[i, j]) for j in columns]))
        size = f"({len(grid.rows)}×{len(grid.columns)}, cut)" if None in rows or None in columns else ""
        rounded = any(entry.get("rounded") for _, entries in lines for entry in entries)
        note = f"(rounded to {self.rounding})" if rounded else ""
        return {"caption": " ".join(filter(None, [grid.title, size, note])), "columns": columns, "labels": grid.columns, "lines": lines}


_DOTS = {"text": "⋯", "title": ""}

PLAIN = Display()
"""As things show themselves."""

STYLE = (
    ".exactdp table{border-collapse:collapse;margin:.4em 0;font-variant-numeric:tabular-nums}"
    ".exactdp td,.exactdp th{padding:.15em .6em;text-align:right;white-space:nowrap}"
    ".exactdp thead th{border-bottom:1px solid}"
    ".exactdp caption{text-align:left;font-style:italic;white-space:nowrap}"
    ".exactdp p,.exactdp li{overflow-wrap:anywhere;margin:.3em 0}"
    ".exactdp p,.exactdp ul{overflow-x:auto;overflow-y:hidden}"
    ".exactdp figure{margin:.5em 0}.exactdp figcaption{font-size:.85em;max-width:32em}"
    ".exactdp svg{display:block;max-width:100%;height:auto}.exactdp svg text{fill:currentColor}"
)
"""Of tables and pictures, in the colours of the text around them: read on light pages and on dark ones."""


def _fragment(name: str, *given: Any) -> str:
    return str(getattr(environment().get_template("fragments.html").module, name)(*given))


def items_html(items: Sequence[Item], how: Display = PLAIN) -> str:
    """Facts, lists and tables in reading order, each a paragraph."""
    return _fragment("items", items, how.told(items))


def verdict_html(verdict: Verdict[Any], *, topics: Registry[Told] = TOPICS, how: Display = PLAIN) -> str:
    """The whole report of a verdict, with its picture."""
    told = facts(verdict, topics)
    drawn = picture_beside(verdict, told) if how.picture else None
    above, first = lines_above(verdict, topics), headline_of(verdict, topics)
    return _fragment("verdict", verdict, above, first, told, colour(verdict), how.told(told, verdict.evidence), drawn)


def table_html(table: Mechanism | Table, items: Sequence[Item]) -> str:
    """Items about a table, with its heat map beside them, unless it is too large or has letters."""
    return _fragment("shown", items, PLAIN.told(items), heat_map_beside(table))


def page(title: str, body: str) -> str:
    """A whole HTML page around fragments, without scripts."""
    from markupsafe import Markup

    return _fragment("page", title, Markup(f'<div class="exactdp">{body}</div>'), Markup(STYLE))


def html_of(thing: Any, how: Display = PLAIN) -> str:
    """What a notebook shows of a value: the report of a verdict, the facts and tables of anything else."""
    if isinstance(thing, Verdict):
        body = verdict_html(thing, how=how)
    else:
        items = items_of(thing)
        drawn = picture_beside(thing, items) if how.picture else None
        body = f'<div class="exactdp">{_fragment("shown", items, how.told(items, thing), drawn)}</div>'
    return f'<div class="{NO_FORMULAS}"><style>{STYLE}</style>{body}</div>'
