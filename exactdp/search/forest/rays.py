# SPDX-License-Identifier: MIT
"""Extreme rays of the privacy cone of a forest, and the exact search for one of negative cost.

On a tree every edge of an extreme ray is tight, x_i = α·x_j or x_j = α·x_i, so it is x_i = α^(k_i) with whole
numbers k_i that differ by one along every edge; it is scaled to min k = 0. On a forest a ray lives on one
tree and is 0 elsewhere. For costs c the least Σ c_i x_i over rays with x_v = 1 follows from folding leaves::

    F(v) = c_v + Σ_{w beside v} g(F(w without v)),   g(t) = α·t if t ≥ 0 else t/α
"""

from __future__ import annotations

from collections.abc import Sequence

from exactdp.model import Graph
from exactdp.model.graph import spanning_forest, steps_from

Ray = tuple[tuple[int, int], ...]
"""Pairs (vertex, k) with x_vertex = α^k, by vertex; other entries are zero."""

Column = tuple[int, Ray]
"""A guess, and a ray of its probabilities."""


class Forest:
    """A forest with an order in which every vertex comes after its parent.

    >>> forest = Forest(Graph.path(3))
    >>> forest.price([1.0, -3.0, 1.0], 0.5)                     # the peak in the middle costs 1/2 − 3 + 1/2
    [((0, 1), (1, 0), (2, 1))]
    >>> forest.violated([2, -1, 2], 1, 2), forest.violated([2, -3, 2], 1, 2)
    ([], [((0, 1), (1, 0), (2, 1))])
    """

    def __init__(self, graph: Graph) -> None:
        self.near = graph.adjacency()
        self.size = len(self.near)
        found = spanning_forest(self.near)
        self.order = [v for v, _ in found]
        self.parent: list[int | None] = [parent for _, parent in sorted(found)]
        self.roots = [v for v, parent in found if parent is None]
        self.tree = [0] * self.size
        self.members: dict[int, list[int]] = {root: [] for root in self.roots}
        for v in self.order:
            above = self.parent[v]
            self.tree[v] = v if above is None else self.tree[above]
            self.members[self.tree[v]].append(v)

    def falling_from(self, peak: int) -> Ray:
        """The ray with x = α^distance from this vertex."""
        return tuple((v, steps) for v, steps in enumerate(steps_from(self.near, peak)) if steps is not None)

    def turns(self, ray: Ray) -> list[tuple[int, int, int]]:
        """(vertex, k, 1 − number of larger neighbours) where the last is not zero: peaks and troughs."""
        heights = dict(ray)
        found = []
        for v, k in ray:
            sign = 1 - sum(heights[w] < k for w in self.near[v])
            if sign:
                found.append((v, k, sign))
        return found

    def price(self, costs: Sequence[float], alpha: float) -> list[Ray]:
        """Rays whose mean cost Σ c_i x_i / Σ x_i is below 0, in doubles, the cheapest last.

        Dinkelbach's method: with ρ the mean cost of the last ray found, look for a ray cheap for c − ρ.
        """
        found: list[Ray] = []
        waiting, means = set(self.roots), dict.fromkeys(self.roots, 0.0)
        while waiting:
            shifted = [c - means[self.tree[v]] for v, c in enumerate(costs)]
            total, rays = self._fold(shifted, alpha, waiting)
            waiting = set()
            for root, ray in rays.items():
                entries = [(v, alpha**k) for v, k in ray]
                mean = sum(costs[v] * x for v, x in entries) / sum(x for _, x in entries)
                if total[root] < 0 and mean < means[root]:
                    means[root] = mean
                    found.append(tuple(sorted(ray)))
                    waiting.add(root)
        return found

    def _fold(self, costs: list[float], alpha: float, roots: set[int]) -> tuple[list[float], dict[int, list[tuple[int, int]]]]:
        """F at every vertex, from the leaves to these roots, and the cheapest ray of each root."""
        for v in reversed(self.order):
            above = self.parent[v]
            if above is not None:
                cost = costs[v]
                costs[above] += cost * alpha if cost >= 0 else cost / alpha
        steps = [1 if cost >= 0 else -1 for cost in costs]
        return costs, {root: self.ray(root, steps) for root in roots}

    def ray(self, root: int, steps: Sequence[int]) -> list[tuple[int, int]]:
        """The ray on this root's tree with k_v − k_parent = ``steps[v]``, parents before children."""
        heights: dict[int, int] = {}
        for v in self.members[root]:
            above = self.parent[v]
            heights[v] = 0 if above is None else heights[above] + steps[v]
        least = min(heights.values())
        return [(v, k - least) for v, k in heights.items()]

    def violated(self, costs: Sequence[int], p: int, q: int) -> list[Ray]:
        """In each tree the cheapest ray with x_root = 1 if its cost is negative, exactly; α = p/q."""
        depth = [0] * self.size
        value = list(costs)
        step = p * q
        down = [True] * self.size
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
        steps = [1 if up else -1 for up in down]
        return [tuple(sorted(self.ray(root, steps))) for root in self.roots if not down[root]]
