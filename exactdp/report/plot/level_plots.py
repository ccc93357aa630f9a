# SPDX-License-Identifier: MIT
"""What depends on the level: least losses, where a statement holds, numbers of kernel mechanisms, δ(ε)."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log, nan
from typing import Any

from exactdp.analysis.approximate import DeltaEvidence, LevelForDeltaEvidence, sampled_deltas
from exactdp.analysis.optimality.by_level import ByLevel, OptimalityByLevel
from exactdp.analysis.table_levels import TableLevels
from exactdp.analysis.tight.tight_levels import SolvableLevels
from exactdp.analysis.types.kernels import KernelLevels
from exactdp.analysis.types.universal_levels import UniversalLevels
from exactdp.errors import InputError
from exactdp.exact import AlgebraicNumber, Interval, Rational
from exactdp.exact.decimals import decimal_text
from exactdp.report.plot.figure import BLUE, GREY, RED, SAMPLES, Axis, done, near, new_axes, written


def _across(by: str) -> tuple[Callable[[float], float], str]:
    """Where a level is drawn, and the words below."""
    if by == "alpha":
        return (lambda a: a), "level α"
    if by == "epsilon":
        return (lambda a: -log(a)), "ε"
    raise InputError(f"by={by!r}: a curve is drawn by 'epsilon' or by 'alpha'", by=by)


def value_by_level(pieces: ByLevel, *, ax: Any = None, by: Axis = "epsilon", label: str | None = None) -> Any:
    """The least loss as a curve over ε or the level α, with a dot where one formula ends and the next begins.

    * ``pieces``: from ``optimum_by_level``, ``best_remap_by_level`` or ``is_optimal_by_level``; with the last
      the loss of the mechanism is dashed.
    * ``by``: what is drawn across.
    * ``label``: for the legend.
    * raises InputError: matplotlib is not installed, or ``by`` is another word.

    Notes
    -----
    The formulas are evaluated exactly at rational levels; only their values are rounded, to be drawn.
    """
    place, words = _across(by)
    drawn = ax if ax is not None else new_axes(height=3.8)
    measure = pieces.consumer.measure
    ends = [near(interval.upper) for interval, _ in pieces.values[:-1]]
    top = max([4.0, *(1.3 * -log(end) for end in ends)])
    levels = _levels(pieces.interval, top, by)
    found = [(a, pieces.value_at(a)) for a in levels]
    [line] = drawn.plot([place(float(a)) for a, _ in found], [nan if v is None else float(v) for _, v in found], label=label)
    for end in ends:
        value = pieces.value_at(Rational(round(end * 10**6), 10**6))
        if value is not None:
            drawn.plot([place(end)], [float(value)], "o", color=line.get_color(), markersize=4)
    if isinstance(pieces, OptimalityByLevel):
        own = [(a, measure.of(_loss_at(pieces, a))) for a in levels]
        drawn.plot(
            [place(float(a)) for a, _ in own],
            [nan if v is None else float(v) for _, v in own],
            "--",
            color=RED,
            label=f"{measure.word} of the mechanism, where it is private",
        )
        line.set_label(label or measure.best)
        drawn.legend(fontsize=8)
    drawn.set_xlabel(words)
    drawn.set_ylabel(measure.best)
    if ends and label is None and ax is None:
        drawn.text(0.99, 0.98, "• one formula ends, the next begins", transform=drawn.transAxes, ha="right", va="top", fontsize=8)
    return done(drawn, ax)


def _levels(interval: Interval, top: float, by: str) -> list[Rational]:
    """Rational levels of an interval, evenly spaced as they are drawn, ε at most ``top``."""
    shares = [(k + 0.5) / SAMPLES for k in range(SAMPLES)]
    drawn = [exp(-top * share) for share in shares] if by == "epsilon" else shares
    found = (Rational(round(a * 10**6), 10**6) for a in sorted(drawn))
    return [a for a in found if 0 < a < 1 and interval.contains(a)]


def _loss_at(pieces: OptimalityByLevel, level: Rational) -> Any:
    """The mechanism's loss; None where it is not private, or nothing was decided."""
    found = pieces.pieces.at(level)
    if found is None or found.violated is not None:
        return None
    loss = found.optimality.loss
    return loss.evaluate(level) if hasattr(loss, "evaluate") else loss


def level_line(evidence: TableLevels | SolvableLevels | UniversalLevels, *, ax: Any = None) -> Any:
    """The levels α from 0 to 1, with those marked where a statement holds, and some ε above.

    * ``evidence``: from ``private_levels``, ``stochastic_levels``, ``derivable_levels``, ``tight_levels``,
      ``regular_levels`` or ``universal_by_level``.

    Notes
    -----
    An end is a full dot if it belongs to the levels, else an empty one.
    """
    if isinstance(evidence, SolvableLevels):
        holds = evidence.intervals
    else:
        holds = evidence.holds_on if isinstance(evidence, TableLevels) else evidence.pieces.where(lambda answer: answer.yes)
    drawn = ax if ax is not None else new_axes(width=7, height=2.2)
    asked = evidence.pieces.interval
    drawn.plot([near(asked.lower), near(asked.upper)], [0, 0], color=GREY, linewidth=1, zorder=1)
    for number, part in enumerate(holds):
        low, high = near(part.lower), near(part.upper)
        drawn.plot([low, high], [0, 0], color=BLUE, linewidth=6, solid_capstyle="butt", zorder=2, label=None if number else "holds")
        for end, x, closed in ((part.lower, low, part.lower_closed), (part.upper, high, part.upper_closed)):
            drawn.plot([x], [0], "o", color=BLUE, markerfacecolor=BLUE if closed else "white", markersize=8, zorder=3)
            if 0 < x < 1:
                drawn.annotate(_end(end), (x, 0), (0, 9), textcoords="offset points", ha="center", fontsize=8)
    if holds:
        drawn.legend(loc="lower right", fontsize=8, frameon=False)
    drawn.set_xlim(-0.02, 1.02)
    drawn.set_ylim(-2, 1.2)
    drawn.set_yticks([])
    drawn.set_xlabel("level α")
    _epsilons_above(drawn)
    return done(drawn, ax)


def _epsilons_above(drawn: Any) -> None:
    """A second scale: ε = −ln α."""
    above = drawn.secondary_xaxis("top")
    words = ("4", "3", "2", "3/2", "1", "1/2", "1/4", "1/10")
    above.set_xticks([exp(-float(Rational(word))) for word in words], words, fontsize=7)
    above.set_xlabel("ε", fontsize=8)


def _end(point: Any) -> str:
    rational = point.rational if isinstance(point, AlgebraicNumber) else point
    if rational is not None:
        return str(rational)
    return f"{decimal_text(point.enclosure(6)[0], 5)[0]}…"


def count_by_level(evidence: KernelLevels, *, ax: Any = None) -> Any:
    """How many kernel mechanisms there are: a line over each interval of levels, a dot at each single one.

    * ``evidence``: from ``kernel_counts``.
    """
    drawn = ax if ax is not None else new_axes(height=3.8)
    for part, count in evidence.pieces:
        style = "o" if part.is_point else "-"
        drawn.plot([near(part.lower), near(part.upper)], [count, count], style, color=BLUE, linewidth=3, markersize=4)
    drawn.set_xlim(-0.02, 1.02)
    drawn.set_xlabel("level α")
    drawn.set_ylabel("kernel mechanisms")
    _epsilons_above(drawn)
    return done(drawn, ax)


def delta_curve(evidence: DeltaEvidence | LevelForDeltaEvidence, *, ax: Any = None, by: Axis = "epsilon") -> Any:
    """The least δ at some levels: exact values at the dots, joined by straight lines.

    * ``evidence``: from ``least_delta``, ``is_approximately_private`` or ``level_for_delta``; what these
      found is marked.
    * ``by``: what is drawn across.
    """
    place, words = _across(by)
    level = evidence.level.alpha if isinstance(evidence, DeltaEvidence) else evidence.ratio
    marked = near(level) if level > 0 else None
    top = max(3.0, 1.2 * -log(marked) if marked else 0)
    found = _sampled(evidence, top)
    private = max((-log(float(a)) for a, d in found if d), default=top)
    if private < top / 2:  # δ is 0 on most of this
        found = _sampled(evidence, max(1.3 * private, 1.2 * -log(marked) if marked else 0.1))
    points = [(place(float(a)), near(d)) for a, d in found]
    drawn = ax if ax is not None else new_axes(height=3.8)
    drawn.plot(*zip(*points, strict=True), "o-", color=BLUE, markersize=3, linewidth=1, label="least δ, exact at the dots")
    if marked and evidence.delta is not None and not evidence.unfinished:
        drawn.plot([place(marked)], [near(evidence.delta)], "D", color=RED, markersize=7, label=f"δ = {written(evidence.delta, 16)}")
    drawn.set_xlabel(words)
    drawn.set_ylabel("δ")
    drawn.set_ylim(bottom=0)
    drawn.legend(fontsize=8)
    return done(drawn, ax)


def _sampled(evidence: DeltaEvidence | LevelForDeltaEvidence, top: float) -> list[tuple[Any, Any]]:
    """Levels with ε from 0 to ``top``, and the least δ there."""
    levels = [Rational(round(exp(-top * (k + 0.5) / 40) * 10**6), 10**6) for k in range(40)]
    return sampled_deltas(evidence.subject, evidence.neighbours, levels)
