# SPDX-License-Identifier: MIT
"""The picture of a value or verdict, by its class."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from textwrap import fill
from typing import Any

from exactdp.analysis.approximate import DeltaEvidence, LevelForDeltaEvidence
from exactdp.analysis.audit_evidence import Audit
from exactdp.analysis.optimality.by_level import ByLevel
from exactdp.analysis.privacy import PrivacyEvidence
from exactdp.analysis.refinement import RefinementOrder
from exactdp.analysis.table_levels import TableLevels
from exactdp.analysis.tight.regular_priors import RegularEvidence
from exactdp.analysis.tight.tight_levels import SolvableLevels
from exactdp.analysis.types.kernels import KernelCount, KernelLevels, KernelMechanism, VertexCount
from exactdp.analysis.types.universal_levels import UniversalLevels
from exactdp.analysis.verdict import Verdict
from exactdp.errors import InputError
from exactdp.exact import ExactMatrix
from exactdp.model import Gain, Graph, Loss, Mechanism, Metric, Prior, Remap, Table
from exactdp.model.channel import Hyper
from exactdp.report.items import Grid
from exactdp.report.plot.figure import PER_INCH, shown_by_host
from exactdp.report.plot.graph_plots import graph_picture, hasse_diagram, privacy_picture
from exactdp.report.plot.level_plots import count_by_level, delta_curve, level_line, value_by_level
from exactdp.report.plot.simplex_plots import posterior_picture, regular_picture
from exactdp.report.plot.table_plots import bars, heat_map
from exactdp.report.registry import facts, headline_of
from exactdp.report.values import elide


def picture_of(thing: Any, *, ax: Any = None, **options: Any) -> Any:
    """The picture of a mechanism, graph, prior, matrix or verdict: what its ``.plot()`` returns.

    * ``thing``: what is drawn; a verdict by its evidence, with its claim as the title.
    * ``**options``: those of the function that draws such a thing.
    * raises InputError: there is no picture of it, an option does not belong to its picture, or matplotlib is
      not installed.

    >>> from exactdp import geometric, neighbours
    >>> geometric(2, "1/2").plot(by="alpha")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: a picture of a Mechanism has no option 'by'; its options are ax and annotate
    """
    shown = thing.evidence if isinstance(thing, Verdict) else thing
    if isinstance(shown, Audit):
        shown = (shown.privacy or shown.own or shown.tightest or thing).evidence
    draw = next((draw for kinds, draw in _PICTURES if isinstance(shown, kinds)), None)
    if draw is None and isinstance(thing, Verdict):
        shown = next((item for item in facts(thing) if isinstance(item, Grid)), None)
        draw = None if shown is None else heat_map
    if draw is None:
        what = f"a verdict about {type(thing.evidence).__name__}" if isinstance(thing, Verdict) else f"a {type(thing).__name__}"
        raise InputError(f"there is no picture of {what}; there are pictures of mechanisms, neighbours, priors and verdicts about them")
    known = [name for name, parameter in signature(draw).parameters.items() if parameter.kind is parameter.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            raise InputError(
                f"a picture of a {type(shown).__name__} has no option {name!r}; its options are {' and '.join(known)}", option=name
            )
    drawn = draw(shown, ax=ax, **options)
    if isinstance(thing, Verdict):
        axes = drawn.axes[0] if ax is None else ax
        axes.set_title(_title(thing, int(PER_INCH * axes.figure.get_figwidth())), fontsize=9, parse_math=False)
    if ax is None:
        shown_by_host(drawn)
    return drawn


def _title(verdict: Verdict[Any], width: int) -> str:
    """The headline, and what it is about, whose parts are broken only where one is wider than the picture."""
    first = headline_of(verdict)
    lines: list[str] = []
    for part in map(elide, first.assumed):
        together = f"{lines[-1]} · {part}" if lines else part
        lines[-1:] = [together] if len(together) <= width else [*lines[-1:], part]
    return "\n".join(fill(text, width) for text in (f"{verdict.head.upper()}: {first.text}", *lines))


_PICTURES: tuple[tuple[Any, Callable[..., Any]], ...] = (
    ((Mechanism, Table, Remap, Loss, Gain, ExactMatrix, Hyper), heat_map),
    (KernelMechanism, lambda kernel, *, ax=None, annotate=None: heat_map(kernel.mechanism, ax=ax, annotate=annotate)),
    ((Graph, Metric), graph_picture),
    (Prior, bars),
    (PrivacyEvidence, privacy_picture),
    (ByLevel, value_by_level),
    ((TableLevels, SolvableLevels, UniversalLevels), level_line),
    (KernelLevels, count_by_level),
    ((DeltaEvidence, LevelForDeltaEvidence), delta_curve),
    (RefinementOrder, hasse_diagram),
    (RegularEvidence, regular_picture),
    ((VertexCount, KernelCount), posterior_picture),
)
"""What draws a value of each class, and a verdict with such evidence."""
