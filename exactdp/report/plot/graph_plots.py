# SPDX-License-Identifier: MIT
"""Neighbours as vertices and edges, with broken and tight pairs; the order of refinement."""

from __future__ import annotations

import re
from math import inf, nan
from typing import Any

import numpy as np

from exactdp.analysis.privacy import PrivacyEvidence
from exactdp.analysis.privacy_cells import Cell
from exactdp.analysis.refinement import RefinementOrder
from exactdp.errors import InputError
from exactdp.model import Graph, Mechanism, Neighbours
from exactdp.report.plot.figure import BLUE, GREY, RED, beside, done, new_axes, shorten_label, written
from exactdp.report.plot.table_plots import level_text, privacy_table

MOST_VERTICES = 400
"""More inputs are not drawn as a graph."""


NAMED_VERTICES = 40
"""Up to so many inputs the vertices of a graph carry their labels."""


def graph_picture(neighbours: Neighbours, *, ax: Any = None) -> Any:
    """Inputs as points, neighbours joined by lines; for a metric, pairs that are not joined through another.

    * ``neighbours``: of at most 400 inputs.
    * raises InputError: more than 400 inputs, or matplotlib is not installed.
    """
    drawn, _ = _drawn_graph(neighbours, ax)
    drawn.set_title(str(neighbours), fontsize=9, parse_math=False)
    return done(drawn, ax)


def privacy_picture(evidence: PrivacyEvidence, *, ax: Any = None, table: bool = False) -> Any:
    """The neighbours, with the pairs marked that break the level asked about (dashed) or are tight.

    * ``evidence``: of :func:`~exactdp.analysis.privacy.is_private` or ``tightest_level``.
    * ``table``: draw the mechanism in place of the neighbours, and mark the pairs of its entries.

    Notes
    -----
    The worst pair carries its ratio of probabilities, exactly.
    """
    if table:
        return privacy_table(evidence, ax=ax)
    drawn, places = _drawn_graph(evidence.neighbours, ax)
    at = level_text(evidence)
    for cells, colour, style, word in (
        (evidence.tight, BLUE, "-", f"tight at {at}"),
        (evidence.violated, RED, "--", f"broken at {at}"),
    ):
        pairs = sorted({(min(c.low, c.high), max(c.low, c.high)) for c in cells})
        for number, (i, j) in enumerate(pairs):
            label = f"{word}: {len(pairs)} of {len(evidence.neighbours.pairs())} pairs" if number == 0 else None
            drawn.plot(*zip(places[i], places[j], strict=True), style, color=colour, linewidth=3, label=label, zorder=1.5)
    worst = evidence.attained
    if worst is not None:
        x, y = ((places[worst.low][k] + places[worst.high][k]) / 2 for k in range(2))
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": RED if evidence.violated else BLUE}
        text = _ratio(worst, evidence.mechanism)
        offset = {"xytext": (0, 16), "textcoords": "offset points"}
        drawn.annotate(text, (x, y), ha="center", va="bottom", fontsize=8, color="black", bbox=box, zorder=4, parse_math=False, **offset)
    if evidence.tight or evidence.violated:
        drawn.legend(loc="upper center", bbox_to_anchor=(0.5, 0), fontsize=8, frameon=False)
    return done(drawn, ax)


def _ratio(cell: Cell, mechanism: Mechanism) -> str:
    low, high, out = mechanism.inputs[cell.low], mechanism.inputs[cell.high], mechanism.outputs[cell.output]
    return f"x[{low}][{out}] / x[{high}][{out}] = {written(cell.ratio, 16)}"


def _drawn_graph(neighbours: Neighbours, ax: Any) -> tuple[Any, list[tuple[float, float]]]:
    """Axes with the graph, and where its vertices are."""
    labels = neighbours.vertices
    if len(labels) > MOST_VERTICES:
        raise InputError(f"a graph on {len(labels)} inputs is too large to be drawn; at most {MOST_VERTICES}", value=len(labels))
    places = _places(neighbours)
    spans = [max(p[k] for p in places) - min(p[k] for p in places) for k in range(2)]
    flat = spans[1] < 0.2 * spans[0]
    drawn = ax if ax is not None else new_axes(width=6.4 if len(labels) <= 16 else 9, height=2 if flat else 4.5)
    drawn.set_axis_off()
    if not flat:
        drawn.set_aspect("equal")
    drawn.margins(0.12, 0.4 if flat else 0.12)
    for i, j in _lines(neighbours):
        drawn.plot(*zip(places[i], places[j], strict=True), color=GREY, linewidth=1, zorder=1)
    named = len(labels) <= NAMED_VERTICES
    inside = named and all(len(label) <= 3 for label in labels)
    if inside:
        size = 340
    elif named:
        size = 60
    else:
        size = 12
    drawn.scatter(*zip(*places, strict=True), s=size, color="white" if inside else BLUE, edgecolors="black" if inside else BLUE, zorder=3)
    if named:
        for label, place in zip(labels, places, strict=True):
            beside(drawn, shorten_label(label), place, 0 if inside else -12, color="black" if inside else None)
    else:
        for k in (0, len(labels) - 1):
            beside(drawn, shorten_label(labels[k]), places[k], -10)
    return drawn, places


def _lines(neighbours: Neighbours) -> list[tuple[int, int]]:
    """The pairs that are joined: edges, or those of a metric that no third input lies between."""
    if isinstance(neighbours, Graph):
        return list(neighbours.edges)
    d = _distances(neighbours)
    through = np.where(np.eye(len(d), dtype=bool), inf, d)
    return [(i, j) for i, j, _ in neighbours.pairs() if not ((through[i] + through[j]) < d[i, j] * (1 + 1e-9)).any()]


def _distances(neighbours: Neighbours) -> Any:
    """About all distances; a little more than the largest where there is none."""
    size = len(neighbours.vertices)
    d = np.full((size, size), nan)
    if isinstance(neighbours, Graph):
        d[:] = [[nan if x is None else x for x in row] for row in neighbours.hops()]
    else:
        for i, j, distance in neighbours.pairs():
            d[i, j] = d[j, i] = float(distance)
    np.fill_diagonal(d, 0)
    return np.where(np.isnan(d), np.nanmax(d) + 1, d)


def _places(neighbours: Neighbours) -> list[tuple[float, float]]:
    """Where the inputs are drawn, so that distances in the picture are near those of the neighbours.

    A path is a straight line, and a grid is a grid. Otherwise classical scaling, improved by stress
    majorisation [de Leeuw 1977]; where all are equally far apart, a circle.
    """
    size = len(neighbours.vertices)
    if isinstance(neighbours, Graph) and (neighbours.is_path or size == 1):
        return [(float(k), 0.0) for k in range(size)]
    cells = _cells(neighbours)
    if cells is not None:
        return cells
    d = _distances(neighbours)
    turn = 2 * np.pi * np.arange(size) / size
    circle = np.column_stack([np.sin(turn), np.cos(turn)])
    if np.ptp(d[~np.eye(size, dtype=bool)]) < 1e-9:
        x = circle
    else:
        centre = np.eye(size) - 1 / size
        values, vectors = _two_largest(-centre @ d**2 @ centre / 2, [*circle.T, *np.eye(size)])
        x = vectors * np.sqrt(np.maximum(values, 1e-9)) + 1e-3 * circle
        for _ in range(100):
            now = np.linalg.norm(x[:, None] - x[None], axis=2)
            ratio = np.divide(d, now, out=np.zeros_like(d), where=now > 1e-12)
            x = (np.diag(ratio.sum(axis=1)) - ratio) @ x / size
    return [(float(a), float(b)) for a, b in x]


def _two_largest(matrix: Any, guides: list[Any]) -> tuple[Any, Any]:
    """The two largest eigenvalues and their eigenvectors.

    The signs of eigenvectors are free, and so is the basis where eigenvalues are equal: processors differ
    in what they take. Here it is the guides' directions, as far as they are in the space of an eigenvalue.
    """
    values, vectors = np.linalg.eigh(matrix)
    largest: list[float] = []
    found: list[Any] = []
    end = len(values)
    while len(found) < 2:
        start = int(np.argmax(values > values[end - 1] - 1e-9 * abs(values).max()))
        space = vectors[:, start:end]
        for guide in guides:
            inside = space @ (space.T @ guide)
            inside -= sum((other * (other @ inside) for other in found), start=np.zeros(len(values)))
            length = np.linalg.norm(inside)
            if length > 1e-6:
                largest.append(values[end - 1])
                found.append(inside / length)
        end = start
    return np.array(largest[:2]), np.column_stack(found[:2])


def _cells(neighbours: Neighbours) -> list[tuple[float, float]] | None:
    """The places that labels such as ``2,3`` name, if all neighbours are in cells that touch."""
    pairs = [re.fullmatch(r"(-?[0-9]{1,4}),(-?[0-9]{1,4})", label) for label in neighbours.vertices]
    places = [(float(m[2]), -float(m[1])) for m in pairs if m is not None]
    if len(places) < len(pairs):
        return None
    steps = ((abs(places[i][k] - places[j][k]) for k in range(2)) for i, j in _lines(neighbours))
    return places if all(max(step) <= 1 for step in steps) else None


def hasse_diagram(order: RefinementOrder, *, ax: Any = None) -> Any:
    """The order of refinement: a line up leads to what can be computed from the output of the lower one.

    * ``order``: from ``refinement_order``; mechanisms that refine each other share a place.
    """
    texts = [" ≡ ".join(order.names[i] for i in part) for part in order.classes]
    floor = [0] * len(texts)
    for _ in texts:
        for a, b in order.covers:
            floor[b] = max(floor[b], floor[a] + 1)
    rows = [[k for k in range(len(texts)) if floor[k] == level] for level in range(max(floor) + 1)]
    places = {k: (x - (len(row) - 1) / 2, float(level)) for level, row in enumerate(rows) for x, k in enumerate(row)}
    texts = [shorten_label(text, 30) for text in texts]
    wide = max(map(len, rows)) * (0.6 + 0.11 * max(map(len, texts)))
    drawn = ax if ax is not None else new_axes(width=max(4.5, wide), height=1.5 + 1.1 * len(rows))
    for a, b in order.covers:
        drawn.plot(*zip(places[a], places[b], strict=True), color=GREY, zorder=1)
    for k, text in enumerate(texts):
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": BLUE}
        drawn.text(*places[k], text, ha="center", va="center", color="black", bbox=box, zorder=2, parse_math=False)
    drawn.set_axis_off()
    drawn.set_xlim(-max(map(len, rows)) / 2, max(map(len, rows)) / 2)
    drawn.set_ylim(-0.4, len(rows) - 0.6)
    drawn.text(
        0.5,
        -0.02,
        "a line up: the upper one is the lower one, post-processed",
        transform=drawn.transAxes,
        ha="center",
        va="top",
        fontsize=8,
    )
    return done(drawn, ax)
