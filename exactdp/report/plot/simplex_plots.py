# SPDX-License-Identifier: MIT
"""Regular priors and posteriors in the simplex of all distributions; leakage and utility over ε."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import atan2, log, log2
from typing import Any

from exactdp.analysis.leakage import hamming_leakage
from exactdp.analysis.tight.regular_priors import RegularEvidence, corner_prior
from exactdp.analysis.types.kernels import KernelCount, VertexCount
from exactdp.errors import InputError
from exactdp.exact import ExponentialField, Rational
from exactdp.model import Neighbours, Prior, PrivacyLevel
from exactdp.report.plot.figure import BLUE, GREY, RED, beside, done, near, new_axes, shorten_label
from exactdp.report.plot.table_plots import bars

CORNERS: dict[int, tuple[tuple[float, ...], ...]] = {
    3: ((0.0, 0.0), (1.0, 0.0), (0.5, 0.8660254)),
    4: ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
"""Where the corners of the simplex of priors are drawn: an equilateral triangle, and a tetrahedron."""


def region_picture(neighbours: Neighbours, levels: Iterable[Any], *, prior: Prior | None = None, ax: Any = None) -> Any:
    """The region of regular priors at some levels, in the simplex of all priors on three or four answers.

    * ``neighbours``: on three or four answers.
    * ``levels``: as text or numbers.
    * ``prior``: marked.
    * ``ax``: where to draw (for four answers with ``projection="3d"``); a new figure unless given.
    * raises InputError: not three or four answers, or matplotlib is not installed.

    Notes
    -----
    Figures 2 and 3 of ElSalamouny, Chatzikokolakis, Palamidessi (2013): the convex hull of the corner priors.
    """
    n = len(neighbours.vertices)
    frame = CORNERS.get(n)
    if frame is None:
        raise InputError(f"a picture of priors on {n} answers has too few or too many dimensions; give 3 or 4", value=n)
    drawn = ax if ax is not None else new_axes(projection="3d" if n == 4 else None)

    def place(weights: Sequence[Any]) -> tuple[float, ...]:
        return tuple(sum(near(w) * point[axis] for w, point in zip(weights, frame, strict=True)) for axis in range(len(frame[0])))

    _outline(drawn, frame, color="lightgrey", label="all priors")
    for number, level in enumerate(levels):
        corners = [place(corner_prior(neighbours, level, i).weights) for i in range(n)]
        _outline(drawn, corners, color=f"C{number}", label=f"regular at α = {level}")
    for label, corner in zip(neighbours.vertices, frame, strict=True):
        drawn.text(*corner, f" {shorten_label(label)} ", ha="center", va="bottom" if corner[1] > 0 else "top", fontsize=8, parse_math=False)
    if prior is not None:
        drawn.plot(*([x] for x in place(prior.weights)), "D", color=RED, label="the prior")
    drawn.set_axis_off()
    drawn.set_aspect("equal")
    drawn.legend(loc="upper right", fontsize=8)
    return done(drawn, ax)


def regular_picture(evidence: RegularEvidence, *, ax: Any = None) -> Any:
    """The prior in the region of regular ones where that can be drawn, else as bars."""
    if len(evidence.prior.inputs) in CORNERS:
        return region_picture(evidence.neighbours, [evidence.level.alpha], prior=evidence.prior, ax=ax)
    return bars(evidence.prior, ax=ax)


def _outline(ax: Any, places: Sequence[tuple[float, ...]], *, color: str, label: str) -> None:
    for number, (p, q) in enumerate(combinations(places, 2)):
        ax.plot(*zip(p, q, strict=True), color=color, label=label if number == 0 else None)


def leakage_picture(prior: Prior, people: int, epsilons: Iterable[str], *, ax: Any = None) -> Any:
    """Bounds of the leakage in bits about some people's records: for one prior of each record, and for all.

    The first curve is drawn only where the prior is regular: elsewhere it bounds nothing. It is Figure 4 of
    the paper, which draws that curve from ε = 0.48 on, although the prior is regular from ln 2 on.
    """
    drawn = ax if ax is not None else new_axes(height=3.8)
    v = len(prior.weights)
    least, most = min(prior.weights), max(prior.weights)
    own: list[tuple[float, float]] = []
    everyone: list[tuple[float, float]] = []
    for text in epsilons:
        alpha = ExponentialField(Rational(text)).gen
        everyone.append((float(Rational(text)), log2(float(hamming_leakage(v, people, PrivacyLevel(alpha))))))
        if least * (1 + (v - 1) * alpha) >= alpha:
            own.append((float(Rational(text)), people * log2(float(1 / (most * (1 + (v - 1) * alpha))))))
    drawn.plot(*zip(*everyone, strict=True), label="all priors")
    if own:
        drawn.plot(*zip(*own, strict=True), label="this prior, where it is regular")
    drawn.set_xlabel("ε")
    drawn.set_ylabel("leakage in bits, at most")
    drawn.legend()
    return done(drawn, ax)


def utility_picture(curves: Mapping[str, Sequence[tuple[Any, Any]]], *, ax: Any = None) -> Any:
    """Utilities at some levels, a curve for each name: pairs of exact (level, utility), drawn over ε = −ln α.

    Figure 6 of the paper: the tight-constraints mechanism is drawn where it exists.
    """
    drawn = ax if ax is not None else new_axes(height=3.8)
    for name, points in curves.items():
        places = sorted((-log(float(a)), float(u)) for a, u in points)
        drawn.plot([x for x, _ in places], [y for _, y in places], "o-", markersize=3, label=name)
    drawn.set_xlabel("ε")
    drawn.set_ylabel("utility (uniform prior, best remap)")
    drawn.legend()
    return done(drawn, ax)


Place = tuple[float, float]

STYLES = ("-", "--", ":", "-.")
"""Of the lines of kernel mechanisms, so that they are told apart without colours."""


def posterior_picture(evidence: VertexCount | KernelCount, *, ax: Any = None) -> Any:
    """The polygon of the posteriors that private mechanisms on three inputs leave under the uniform prior.

    * ``evidence``: on three inputs, from ``vertex_count`` or ``kernel_count``. With the latter the posteriors
      of one kernel mechanism of each class are joined by lines.
    * raises InputError: not three inputs, or matplotlib is not installed.

    Notes
    -----
    A kernel mechanism is a segment or a triangle with the uniform prior inside: the mean of its posteriors.
    """
    polytope, n = evidence.polytope, len(evidence.neighbours.vertices)
    if n != 3:
        raise InputError(f"a picture of posteriors on {n} inputs has too few or too many dimensions; give 3", value=n)
    drawn = ax if ax is not None else new_axes(width=5.6, height=5.6)
    corners = [_place((i == 0, i == 1, i == 2)) for i in range(3)]
    vertices = [_place(polytope.vertex(k)) for k in range(len(polytope))]
    drawn.plot(*_closed(corners), color=GREY, linewidth=1, label="all distributions")
    drawn.fill(*_closed(_around(vertices)), facecolor=BLUE, alpha=0.15)
    drawn.plot(*_closed(_around(vertices)), color=BLUE, linewidth=1, label="posteriors of private mechanisms")
    if isinstance(evidence, KernelCount):
        for number, kernel in enumerate(evidence.classes):
            support = [vertices[k] for k in kernel.support]
            names = ", ".join(f"v{k}" for k in kernel.support)
            label = f"kernel mechanism {names}" + (f" ({kernel.size} alike)" if kernel.size > 1 else "")
            style = STYLES[number % len(STYLES)]
            drawn.plot(*_closed(_around(support)), style, color=f"C{number + 1}", linewidth=2.5, label=label)
    for input_, place in zip(polytope.neighbours.vertices, corners, strict=True):
        beside(drawn, f"input {shorten_label(input_)}", place, 10 if place[1] > 0 else -10)
    centre = _place((1 / 3, 1 / 3, 1 / 3))
    drawn.plot(*([x] for x in centre), "D", color=GREY, markersize=6, label="the uniform prior", zorder=4)
    for k, (x, y) in enumerate(vertices):
        drawn.plot([x], [y], "o", color=BLUE, markersize=6, zorder=4)
        beside(drawn, f"v{k}", (x, y), 11 if y >= centre[1] else -11)
    drawn.set_axis_off()
    drawn.set_aspect("equal")
    drawn.margins(0.05, 0.1)
    drawn.legend(loc="upper center", bbox_to_anchor=(0.5, 0.02), ncols=2, fontsize=8, frameon=False)
    return done(drawn, ax)


def _place(weights: Sequence[Any]) -> Place:
    """Where a distribution on three inputs is drawn."""
    x, y = (sum(near(w) * corner[axis] for w, corner in zip(weights, CORNERS[3], strict=True)) for axis in range(2))
    return x, y


def _around(places: Iterable[Place]) -> list[Place]:
    """The points in their order around their mean, as the corners of a polygon."""
    points = list(places)
    x, y = (sum(point[axis] for point in points) / len(points) for axis in range(2))
    return sorted(points, key=lambda point: atan2(point[1] - y, point[0] - x))


def _closed(places: Sequence[Place]) -> tuple[list[float], list[float]]:
    """The coordinates of a line through all points and back to the first."""
    points = [*places, places[0]]
    return [x for x, _ in points], [y for _, y in points]
