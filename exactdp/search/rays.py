# SPDX-License-Identifier: MIT
"""The extreme rays of the privacy cone of a forest, and the cheapest of them.

On a tree every edge of an extreme ray is tight, x_i = α·x_j or x_j = α·x_i, so a ray is x_i = α^(k_i) with whole numbers k_i that differ
by one along every edge; it is scaled to min k = 0. On a forest a ray lives on one tree and is 0 elsewhere. For costs c the least
Σ c_i x_i over rays with x_v = 1 follows from folding leaves (docs/mathematics.md §2)::

    F(v) = c_v + Σ_{w beside v} g(F(w without v)),   g(t) = α·t if t ≥ 0 else t/α
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from exactdp.model import AdjacencyGraph

__all__ = ["Forest", "Ray"]

Ray = tuple[tuple[int, int], ...]
"""Pairs (vertex, k) with x_vertex = α^k, by vertex; other entries are zero."""


class Forest:
    """A forest with an order in which every vertex comes after its parent.

    Examples
    --------
    >>> forest = Forest(AdjacencyGraph.path(3))
    >>> forest.price([1.0, -3.0, 1.0], 0.5)                                  # the peak in the middle costs 1/2 − 3 + 1/2
    [(-2.0, ((0, 1), (1, 0), (2, 1)))]
    >>> forest.violated([2, -1, 2], 1, 2), forest.violated([2, -3, 2], 1, 2)
    ([], [((0, 1), (1, 0), (2, 1))])
    """

    def __init__(self, graph: AdjacencyGraph) -> None:
        self.near = graph.adjacency()
        self.size = len(self.near)
        self.order: list[int] = []
        self.parent: list[int | None] = [None] * self.size
        self.roots: list[int] = []
        seen = [False] * self.size
        for root in range(self.size):
            if seen[root]:
                continue
            seen[root] = True
            self.roots.append(root)
            stack = [root]
            while stack:
                v = stack.pop()
                self.order.append(v)
                for w in self.near[v]:
                    if not seen[w]:
                        seen[w] = True
                        self.parent[w] = v
                        stack.append(w)
        self.tree = [0] * self.size
        for v in self.order:
            above = self.parent[v]
            self.tree[v] = v if above is None else self.tree[above]

    def turns(self, ray: Ray) -> list[tuple[int, int, int]]:
        """(vertex, k, 1 − number of larger neighbours) where the last is not zero: peaks and troughs."""
        heights = dict(ray)
        found = []
        for v, k in ray:
            sign = 1 - sum(heights[w] < k for w in self.near[v])
            if sign:
                found.append((v, k, sign))
        return found

    def price(self, costs: Sequence[float], alpha: float, most: int = 3) -> list[tuple[float, Ray]]:
        """Rays (with largest entry 1) of negative cost, cheapest first, at most ``most`` of them; in doubles.

        For every v the cheapest ray with x_v = 1 is considered, and taken if no neighbour of v has a cheaper one.
        """
        inward, outward = self._messages(costs, alpha)
        scores = []
        for v in range(self.size):
            cost, top = costs[v], 1.0
            for w in self.near[v]:
                message, height = inward[w] if self.parent[w] == v else outward[v]
                cost += message
                top = max(top, height)
            scores.append(cost / top)
        chosen = sorted((score, v) for v, score in enumerate(scores) if score < 0 and all(score <= scores[w] for w in self.near[v]))
        found: dict[Ray, float] = {}
        for score, v in chosen:
            found.setdefault(self._trace(v, inward, outward), score)
            if len(found) == most:
                break
        return [(score, ray) for ray, score in found.items()]

    def _messages(self, costs: Sequence[float], alpha: float) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """What a vertex says to its parent, and what its parent says to it: (g(F), largest entry of that part of the ray)."""

        def passed(cost: float, top: float) -> tuple[float, float]:
            return (cost * alpha, top * alpha) if cost >= 0 else (cost / alpha, top / alpha)

        inward: list[tuple[float, float]] = [(0.0, 0.0)] * self.size
        outward: list[tuple[float, float]] = [(0.0, 0.0)] * self.size
        for v in reversed(self.order):
            said = [inward[w] for w in self.near[v] if w != self.parent[v]]
            inward[v] = passed(sum((m for m, _ in said), costs[v]), max((1.0, *(h for _, h in said))))
        for v in self.order:
            said = [outward[v] if w == self.parent[v] else inward[w] for w in self.near[v]]
            before = list(accumulate(said, _joined, initial=(costs[v], 1.0)))
            after = list(accumulate(reversed(said), _joined, initial=(0.0, 1.0)))[::-1]
            for place, w in enumerate(self.near[v]):
                if w != self.parent[v]:
                    outward[w] = passed(*_joined(before[place], after[place + 1]))
        return inward, outward

    def _trace(self, root: int, inward: list[tuple[float, float]], outward: list[tuple[float, float]]) -> Ray:
        heights = {root: 0}
        stack = [root]
        while stack:
            v = stack.pop()
            for w in self.near[v]:
                if w not in heights:
                    message = inward[w] if self.parent[w] == v else outward[v]
                    heights[w] = heights[v] + (1 if message[0] >= 0 else -1)
                    stack.append(w)
        return _scaled(heights)

    def violated(self, costs: Sequence[int], p: int, q: int) -> list[Ray]:
        """In each tree the cheapest ray with x_root = 1 if its cost is negative, exactly; α = p/q."""
        depth = [0] * self.size
        value = list(costs)
        step = p * q
        down = [True] * self.size
        found: list[Ray] = []
        for v in reversed(self.order):
            above = self.parent[v]
            down[v] = value[v] >= 0
            if above is None:
                continue
            passed, height = value[v] * (p * p if down[v] else q * q), depth[v] + 1     # g(F) times (pq)^height
            if depth[above] < height:
                value[above] *= step ** (height - depth[above])
                depth[above] = height
            elif height < depth[above]:
                passed *= step ** (depth[above] - height)
            value[above] += passed
        for root in self.roots:
            if not down[root]:
                heights: dict[int, int] = {}
                for v in self.order:
                    above = self.parent[v]
                    if self.tree[v] == root:
                        heights[v] = 0 if above is None else heights[above] + (1 if down[v] else -1)
                found.append(_scaled(heights))
        return found


def _joined(left: tuple[float, float], right: tuple[float, float]) -> tuple[float, float]:
    return left[0] + right[0], max(left[1], right[1])


def _scaled(heights: dict[int, int]) -> Ray:
    least = min(heights.values())
    return tuple(sorted((v, k - least) for v, k in heights.items()))
