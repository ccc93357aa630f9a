# SPDX-License-Identifier: MIT
"""A basis for the optimal-mechanism program that is close to the optimum: every output decays along a tree.

Each guess r has a root, the input whose loss for it is least, and x_ir = α^d·x_jr holds along the shortest paths (by number of pairs)
from the root. On a path with r as its own root this is the geometric mechanism with scaled columns. Few pivots are left when α is small.
"""

from __future__ import annotations

from collections import deque

from exactdp.model import Consumer, Neighbours, SideInformation
from exactdp.search.problem import Basis

__all__ = ["tree_basis"]


def tree_basis(neighbours: Neighbours, consumer: Consumer) -> Basis | None:
    """A basis of :func:`~exactdp.search.optimal_mechanism.mechanism_program`; None unless n = k and the graph is connected.

    >>> from exactdp.model import AdjacencyGraph, BayesianConsumer, Loss, Prior
    >>> graph = AdjacencyGraph.path(2)
    >>> tree_basis(graph, BayesianConsumer(Loss.zero_one(graph.vertices), Prior.uniform(graph.vertices))).rows
    (False, False, True, False, False, True)
    """
    loss = consumer.loss.matrix
    n, k = loss.shape
    known = getattr(consumer, "side_information", None)
    sums = n + (len(known.indices) if isinstance(known, SideInformation) else 0)
    pairs = neighbours.pairs()
    if n != k:
        return None
    beside: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for place, (i, j, _) in enumerate(pairs):
        beside[i].append((j, 2 * place + 1))  # the row of x_j − α^d x_i comes second
        beside[j].append((i, 2 * place))
    rows = [True] * (sums + 2 * len(pairs) * k)
    rows[: n + 1 if sums > n else n] = [False] * (n + 1 if sums > n else n)  # of the losses only one is tight
    for r in range(k):
        column = loss.column(r)
        reached = _from(min(range(n), key=column.__getitem__), beside)
        if len(reached) < n - 1:
            return None
        for row in reached:
            rows[sums + row // 2 * 2 * k + 2 * r + row % 2] = False
    return Basis((True,) * (n * k + (sums > n)), tuple(rows))


def _from(root: int, beside: list[list[tuple[int, int]]]) -> list[int]:
    """The rows along which the vertices are first reached from the root."""
    seen, waiting, used = {root}, deque([root]), []
    while waiting:
        for vertex, row in beside[waiting.popleft()]:
            if vertex not in seen:
                seen.add(vertex)
                waiting.append(vertex)
                used.append(row)
    return used
