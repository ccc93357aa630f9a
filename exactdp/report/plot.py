# SPDX-License-Identifier: MIT
"""Pictures with matplotlib (the extra ``plot``): drawn from exact values, floats exist in the pixels only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import log, log2
from typing import Any

from exactdp.analysis.leakage import hamming_leakage
from exactdp.analysis.optimality.by_level import ByLevel
from exactdp.analysis.tight.regular import corner_prior
from exactdp.errors import InputError
from exactdp.exact import ExponentialField, Rational
from exactdp.model import Mechanism, Neighbours, Prior, PrivacyLevel, Remap, Table
from exactdp.report.items import TRUNCATE, grid_of


def heat_map(mechanism: Mechanism | Table | Remap, *, ax: Any = None, annotate: bool | None = None) -> Any:
    """A mechanism as a picture: one square an entry, dark where the probability is large.

    Parameters
    ----------
    mechanism : Mechanism, Table or Remap
        What is drawn.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    annotate : bool, optional
        Write the fractions into the squares; by default up to 12×12.

    Returns
    -------
    matplotlib Axes
        For restyling.

    Raises
    ------
    InputError
        matplotlib is not installed.
    """
    ax = _axes(ax)
    grid = grid_of("", mechanism)
    rows, columns = grid.matrix.shape
    ax.imshow([[float(x) for x in row] for row in grid.matrix.rows()], cmap="Blues")
    ax.set_xticks(range(columns), grid.columns)
    ax.set_yticks(range(rows), grid.rows)
    ax.set_xlabel("output")
    ax.set_ylabel("input")
    if annotate or (annotate is None and max(rows, columns) <= TRUNCATE):
        top = max(x for row in grid.matrix.rows() for x in row)
        for i, row in enumerate(grid.matrix.rows()):
            for j, x in enumerate(row):
                ax.text(j, i, str(x), ha="center", va="center", color="white" if 2 * x > top else "black")
    return ax


def value_by_level(pieces: ByLevel, *, ax: Any = None, label: str | None = None, points: int = 200) -> Any:
    """The optimum as a curve over the levels, with a dot where one piece ends and the next begins.

    Parameters
    ----------
    pieces : ByLevel
        From :func:`exactdp.optimum_by_level`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.
    label : str, optional
        For the legend.
    points : int
        How many levels are drawn.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        matplotlib is not installed.
    """
    ax = _axes(ax)
    levels, measure = [Rational(k, points + 1) for k in range(1, points + 1)], pieces.consumer.measure
    drawn = [(float(x), float(measure.of(v))) for x in levels if pieces.interval.contains(x) and (v := pieces.value_at(x)) is not None]
    [line] = ax.plot([x for x, _ in drawn], [y for _, y in drawn], label=label)
    for interval, value in pieces.values[:-1]:
        if value is not None:
            end = float(interval.upper)
            near = Rational(round(end * 10**6), 10**6)
            ax.plot([end], [float(measure.of(pieces.value_at(near)))], "o", color=line.get_color(), markersize=3)
    ax.set_xlabel("level α")
    ax.set_ylabel(measure.best)
    return ax


def _axes(ax: Any, **options: Any) -> Any:
    """The axes given, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("pictures need matplotlib; install exactdp[plot]") from None
    return Figure().add_subplot(**options)


CORNERS: dict[int, tuple[tuple[float, ...], ...]] = {
    3: ((0.0, 0.0), (1.0, 0.0), (0.5, 0.8660254)),
    4: ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
"""Where the corners of the simplex of priors are drawn: an equilateral triangle, and a tetrahedron."""


def region_picture(neighbours: Neighbours, levels: Iterable[str], *, ax: Any = None) -> Any:
    """The region of regular priors at some levels, in the simplex of all priors on three or four answers.

    Parameters
    ----------
    neighbours : Graph or Metric
        On three or four answers.
    levels : iterable of texts
        Rational levels.
    ax : matplotlib Axes, optional
        Where to draw (for four answers with ``projection="3d"``); a new figure unless given.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        Not three or four answers, or matplotlib is not installed.

    Notes
    -----
    Figures 2 and 3 of ElSalamouny, Chatzikokolakis, Palamidessi (2013): the convex hull of the corner priors.
    """
    n = len(neighbours.vertices)
    frame = CORNERS.get(n)
    if frame is None:
        raise InputError(f"a picture of priors on {n} answers has too few or too many dimensions; give 3 or 4", value=n)
    ax = _axes(ax, **({"projection": "3d"} if n == 4 else {}))
    _outline(ax, frame, color="lightgrey", label="all priors")
    for number, level in enumerate(levels):
        corners = [corner_prior(neighbours, level, i).weights for i in range(n)]
        places = [
            tuple(sum(float(w) * point[axis] for w, point in zip(c, frame, strict=True)) for axis in range(len(frame[0]))) for c in corners
        ]
        _outline(ax, places, color=f"C{number}", label=f"α = {level}")
    ax.set_axis_off()
    ax.legend(loc="upper right")
    return ax


def _outline(ax: Any, places: Sequence[tuple[float, ...]], *, color: str, label: str) -> None:
    for number, (p, q) in enumerate(combinations(places, 2)):
        ax.plot(*zip(p, q, strict=True), color=color, label=label if number == 0 else None)


def leakage_picture(prior: Prior, people: int, epsilons: Iterable[str], *, ax: Any = None) -> Any:
    """Bounds of the leakage in bits about some people's records: for one prior of each record, and for all.

    The first curve is drawn only where the prior is regular: elsewhere it bounds nothing. It is Figure 4 of
    the paper, which draws that curve from ε = 0.48 on, although the prior is regular from ln 2 on.
    """
    ax = _axes(ax)
    v = len(prior.weights)
    least, most = min(prior.weights), max(prior.weights)
    own: list[tuple[float, float]] = []
    everyone: list[tuple[float, float]] = []
    for text in epsilons:
        alpha = ExponentialField(Rational(text)).gen
        everyone.append((float(Rational(text)), log2(float(hamming_leakage(v, people, PrivacyLevel(alpha))))))
        if least * (1 + (v - 1) * alpha) >= alpha:
            own.append((float(Rational(text)), people * log2(float(1 / (most * (1 + (v - 1) * alpha))))))
    ax.plot(*zip(*everyone, strict=True), label="all priors")
    if own:
        ax.plot(*zip(*own, strict=True), label="this prior, where it is regular")
    ax.set_xlabel("ε")
    ax.set_ylabel("leakage in bits, at most")
    ax.legend()
    return ax


def utility_picture(curves: Mapping[str, Sequence[tuple[Any, Any]]], *, ax: Any = None) -> Any:
    """Utilities at some levels, a curve for each name: pairs of exact (level, utility), drawn over ε = −ln α.

    Figure 6 of the paper: the tight-constraints mechanism is drawn where it exists.
    """
    ax = _axes(ax)
    for name, points in curves.items():
        drawn = sorted((-log(float(a)), float(u)) for a, u in points)
        ax.plot([x for x, _ in drawn], [y for _, y in drawn], "o-", markersize=3, label=name)
    ax.set_xlabel("ε")
    ax.set_ylabel("utility (uniform prior, best remap)")
    ax.legend()
    return ax
