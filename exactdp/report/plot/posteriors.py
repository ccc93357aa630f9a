# SPDX-License-Identifier: MIT
"""The posteriors of a privacy type on three inputs, in the triangle of all distributions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2
from typing import Any

from exactdp.analysis.types.kernels import KernelCount, VertexCount
from exactdp.errors import InputError
from exactdp.report.plot.figure import BLUE, GREY, beside, done, near, new_axes, shorten_label
from exactdp.report.plot.regions import CORNERS

Place = tuple[float, float]

STYLES = ("-", "--", ":", "-.")
"""Of the lines of kernel mechanisms, so that they are told apart without colours."""


def posterior_picture(evidence: VertexCount | KernelCount, *, ax: Any = None) -> Any:
    """The polygon of the posteriors that private mechanisms on three inputs leave under the uniform prior.

    Parameters
    ----------
    evidence : VertexCount or KernelCount
        On three inputs, from ``vertex_count`` or ``kernel_count``. With the latter the posteriors of one
        kernel mechanism of each class are joined by lines.
    ax : matplotlib Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    Picture, or ``ax`` if that was given

    Raises
    ------
    InputError
        Not three inputs, or matplotlib is not installed.

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
