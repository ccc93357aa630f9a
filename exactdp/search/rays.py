# SPDX-License-Identifier: MIT
"""The extreme rays of the privacy cone of a forest, and the cheapest of them.

On a tree every edge of an extreme ray is tight, x_i = α·x_j or x_j = α·x_i, so a ray is x_i = α^(k_i) with whole numbers k_i that differ
by one along every edge; it is scaled to min k = 0. On a forest a ray lives on one tree and is 0 elsewhere. For costs c the least
Σ c_i x_i over rays with x_v = 1 follows from folding leaves (docs/mathematics.md §2)::

    F(v) = c_v + Σ_{w beside v} g(F(w without v)),   g(t) = α·t if t ≥ 0 else t/α
"""

from __future__ import annotations

from collections.abc import Sequence

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
    [((0, 1), (1, 0), (2, 1))]
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

    def falling_from(self, peak: int) -> Ray:
        """The ray with x = α^distance from this vertex."""
        heights, frontier = {peak: 0}, [peak]
        for v in frontier:
            for w in self.near[v]:
                if w not in heights:
                    heights[w] = heights[v] + 1
                    frontier.append(w)
        return tuple(sorted(heights.items()))

    def turns(self, ray: Ray) -> list[tuple[int, int, int]]:
        """(vertex, k, 1 − number of larger neighbours) where the last is not zero: peaks and troughs."""
        heights = dict(ray)
        found = []
        for v, k in ray:
            sign = 1 - sum(heights[w] < k for w in self.near[v])
            if sign:
                found.append((v, k, sign))
        return found

    def price(self, costs: Sequence[float], alpha: float, bound: float = 0.0) -> list[Ray]:
        """Rays whose mean cost Σ c_i x_i / Σ x_i is below ``bound`` (at most 0), in doubles; the last ones are the cheapest.

        Dinkelbach's method: with ρ the mean cost of the ray found last, look for a ray that is cheap for the costs c − ρ.
        """
        found: list[Ray] = []
        waiting, means = set(self.roots), dict.fromkeys(self.roots, bound)
        while waiting:
            shifted = [c - means[self.tree[v]] for v, c in enumerate(costs)]
            total, rays = self._fold(shifted, alpha, waiting)
            waiting = set()
            for root, heights in rays.items():
                least = min(heights.values())
                entries = [(v, alpha ** (k - least)) for v, k in heights.items()]
                mean = sum(costs[v] * x for v, x in entries) / sum(x for _, x in entries)
                if total[root] < 0 and mean < means[root]:
                    means[root] = mean
                    found.append(tuple(sorted((v, k - least) for v, k in heights.items())))
                    waiting.add(root)
        return found

    def _fold(self, costs: list[float], alpha: float, roots: set[int]) -> tuple[list[float], dict[int, dict[int, int]]]:
        """F at every vertex, from the leaves to these roots, and the cheapest rays with x_root = 1 as heights."""
        for v in reversed(self.order):
            above = self.parent[v]
            if above is not None:
                cost = costs[v]
                costs[above] += cost * alpha if cost >= 0 else cost / alpha
        rays: dict[int, dict[int, int]] = {root: {} for root in roots}
        for v in self.order:
            heights = rays.get(self.tree[v])
            if heights is not None:
                above = self.parent[v]
                heights[v] = 0 if above is None else heights[above] + (1 if costs[v] >= 0 else -1)
        return costs, rays

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
            passed, height = value[v] * (p * p if down[v] else q * q), depth[v] + 1  # g(F) times (pq)^height
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


def _scaled(heights: dict[int, int]) -> Ray:
    least = min(heights.values())
    return tuple(sorted((v, k - least) for v, k in heights.items()))
