# SPDX-License-Identifier: MIT
"""Weights of a graph: z ≥ 0 with Σ_y z_y α^d(x,y) = 1 for every input x, or with α^(−d(x,y)).

Their sum bounds what any private mechanism can have in Σ_y max_x M_xy (in Σ_y min_x M_xy from below), and M_xy = z_y α^±d(x,y) attains it:
the multiplicative capacity of the type is the *magnitude* of the graph as a metric space whenever its weights are not negative.
Complete graphs, cycles, cubes, grids, lines have such weights; trees where (degree − 1)·α ≤ 1.

Source: SPEC §4.14, with a proof; in Coq proofs/coq/Capacities.v, with the closed forms of the line, the discrete metric and the cube
(Fernandes, McIver, Palamidessi, Ding, Section 8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from exactdp.errors import UndecidedSignError
from exactdp.exact import ExactMatrix
from exactdp.model import AdjacencyGraph, Mechanism, Neighbours

__all__ = ["mechanism_of_weights", "weighting"]

MOST_CELLS = 150
"""With more cells of inputs that look alike no weights are sought."""


def weighting(neighbours: Neighbours, base: Any) -> tuple[Any, ...] | None:
    """The weights z ≥ 0 with Σ_y z_y b^d(x,y) = 1 for every input x of a connected graph, if they exist and are found.

    Parameters
    ----------
    neighbours : AdjacencyGraph or Metric
        All constrained distances 1; otherwise there is no answer.
    base : exact number
        b = α for the multiplicative capacity, 1/α for the additive one.

    Returns
    -------
    tuple or None
        Exact; the same for inputs that the distances cannot tell apart.

    Examples
    --------
    >>> from exactdp import Rational
    >>> from exactdp.model import neighbours
    >>> [str(z) for z in weighting(neighbours("path:4"), Rational("1/2"))]
    ['2/3', '1/3', '1/3', '2/3']
    """
    pairs = list(neighbours.pairs())
    if any(d.rational != 1 for _, _, d in pairs):
        return None
    graph = neighbours if isinstance(neighbours, AdjacencyGraph) else AdjacencyGraph(neighbours.vertices, [(i, j) for i, j, _ in pairs])
    if 0 < len(pairs) == len(graph.vertices) - 1 and graph.is_forest:
        z: tuple[Any, ...] | None = (
            tuple((1 - (len(around) - 1) * base) / (1 + base) for around in graph.adjacency()) if pairs else (base**0,)
        )
    else:
        z = _by_cells(graph.hops(), base)
    try:
        return None if z is None or any(x < 0 for x in z) else z
    except UndecidedSignError:
        return None


def _by_cells(hops: Sequence[Sequence[int | None]], base: Any) -> tuple[Any, ...] | None:
    if any(d is None for d in hops[0]):
        return None
    cell = [0] * len(hops)
    while True:
        profiles = [(cell[x], tuple(sorted(Counter(zip(row, cell, strict=True)).items()))) for x, row in enumerate(hops)]
        numbers = {profile: k for k, profile in enumerate(dict.fromkeys(profiles))}
        before, cell = len(set(cell)), [numbers[profile] for profile in profiles]
        if len(numbers) > MOST_CELLS:
            return None
        if len(numbers) == before:
            break
    powers = [base**d for d in range(1 + max(d for row in hops for d in row if d is not None))]
    rows = []
    for k in range(len(numbers)):
        row = [0 * base] * len(numbers)
        for y, d in enumerate(hops[cell.index(k)]):
            assert d is not None
            row[cell[y]] = row[cell[y]] + powers[d]
        rows.append(row)
    try:
        found = ExactMatrix(rows).solve(ExactMatrix([[base**0]] * len(rows)))
    except ZeroDivisionError:
        return None
    return tuple(found[k, 0] for k in cell)


def mechanism_of_weights(neighbours: Neighbours, base: Any, z: Sequence[Any]) -> Mechanism:
    """M_xy = z_y b^d(x,y)."""
    pairs = list(neighbours.pairs())
    graph = neighbours if isinstance(neighbours, AdjacencyGraph) else AdjacencyGraph(neighbours.vertices, [(i, j) for i, j, _ in pairs])
    hops = graph.hops()
    powers = [base**d for d in range(1 + max((d for row in hops for d in row if d is not None), default=0))]
    rows = [[z[y] * powers[d] for y, d in enumerate(row) if d is not None] for row in hops]
    return Mechanism(rows, neighbours.vertices, neighbours.vertices)
