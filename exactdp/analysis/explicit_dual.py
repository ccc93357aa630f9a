# SPDX-License-Identifier: MIT
"""Write a compact dual out in full: one multiplier for every privacy constraint.

A path dual is its weights, a forest dual weights and potentials; the multipliers of the privacy constraints follow by the identity
of docs/mathematics.md §1 and from the sweep of §2. The result is checked by the graph rule, so it is a second route to the same bound.
"""

from __future__ import annotations

from typing import Any

from exactdp.analysis.dual import everywhere_at_least, leaves_first, smoothed
from exactdp.exact import common_field, smallest
from exactdp.model import AdjacencyGraph, Consumer, Dual, PrivacyLevel

__all__ = ["explicit_dual"]


def explicit_dual(graph: AdjacencyGraph, level: PrivacyLevel, consumer: Consumer, dual: Dual) -> Dual:
    """The dual with potentials and a signed multiplier for each edge and guess.

    Parameters
    ----------
    graph : AdjacencyGraph
        A path for the path rule, a forest for the forest rule, any graph for a dual that is explicit already.
    level, consumer, dual
        As in :func:`exactdp.dual_bound`, which should have accepted the dual.

    Returns
    -------
    Dual
        Of the graph rule, proving the same bound.

    Examples
    --------
    >>> from exactdp import Dual, Loss, MinimaxConsumer, PrivacyLevel, dual_bound, neighbours
    >>> path, level = neighbours("path:2"), PrivacyLevel("1/2")
    >>> consumer = MinimaxConsumer(Loss.zero_one(path.vertices))
    >>> full = explicit_dual(path, level, consumer, Dual(weights=("1/2", "1/2")))
    >>> full.rule, dual_bound(path, level, consumer, full).value
    ('graph', Rational('1/3'))
    """
    if dual.edges is not None:
        return dual
    field = common_field(consumer.loss, level.alpha, *dual.weights, *(dual.potentials or ()))
    weights = tuple(field(w) for w in dual.weights)
    weighted = [[w * x for x in consumer.loss.matrix.row(i)] for i, w in enumerate(weights)]
    if dual.potentials is None:
        potentials, edges = _from_path(level.alpha, weighted)
    else:
        potentials = tuple(field(u) for u in dual.potentials)
        edges = _from_forest(graph, level.alpha, [[x - u for x in row] for row, u in zip(weighted, potentials, strict=True)])
    return Dual(weights, potentials, edges)


def _from_path(a: Any, weighted: list[list[Any]]) -> tuple[tuple[Any, ...], tuple[tuple[Any, ...], ...]]:
    n, guesses = len(weighted) - 1, range(len(weighted[0]))
    f = [smoothed(a, [row[r] for row in weighted]) for r in guesses]
    b = [smallest(f[r][j] for r in guesses) for j in range(n + 1)]
    norm = 1 - a * a
    potentials = []
    for i in range(n + 1):
        diagonal = (1 if i in (0, n) else 1 + a * a) * b[i]
        beside = sum((b[j] for j in (i - 1, i + 1) if 0 <= j <= n), b[0] - b[0])
        potentials.append((diagonal - a * beside) / norm)
    columns = [_crossing(a, [x - y for x, y in zip(f[r], b, strict=True)], n) for r in guesses]
    return tuple(potentials), tuple(tuple(columns[r][i] / norm for r in guesses) for i in range(n))


def _crossing(a: Any, h: list[Any], n: int) -> list[Any]:
    """Signed multipliers of the edges (i, i+1) for one guess, up to 1/(1 − a²): + for x_i − a x_{i+1}, − for x_{i+1} − a x_i."""
    k = next((i for i in range(n) if not everywhere_at_least(h[i], a * h[i + 1])), n)
    left = [h[i] - a * h[i + 1] for i in range(min(k, n))]
    if k == n:
        # (1 − a²) h_n x_n stays as slack
        return left
    right = [-(h[i + 1] - a * h[i]) for i in range(k + 1, n)]
    return [*left, h[k] - h[k + 1], *right]


def _from_forest(graph: AdjacencyGraph, a: Any, costs: list[list[Any]]) -> tuple[tuple[Any, ...], ...]:
    """Folding leaf i into j uses c·(x_i − a x_j) if c ≥ 0 and (−c/a)·(x_j − a x_i) otherwise."""
    position = {edge: e for e, edge in enumerate(graph.edges)}
    zero = costs[0][0] - costs[0][0]
    table = [[zero] * len(costs[0]) for _ in graph.edges]
    order = list(leaves_first(graph))
    for r in range(len(costs[0])):
        c = [row[r] for row in costs]
        for vertex, parent in order:
            if parent is None:
                continue
            edge = (min(vertex, parent), max(vertex, parent))
            forth = 1 if vertex < parent else -1
            if c[vertex].weak_sign() >= 0:
                table[position[edge]][r] = forth * c[vertex]
                c[parent] = c[parent] + a * c[vertex]
            else:
                table[position[edge]][r] = forth * c[vertex] / a
                c[parent] = c[parent] + c[vertex] / a
    return tuple(tuple(row) for row in table)
