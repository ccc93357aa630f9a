# SPDX-License-Identifier: MIT
"""Prices of columns near multipliers that are known as long integers: integers once, then doubles.

While a level of :mod:`~exactdp.search.forest.refined` lasts, the costs are c⁰ + δ. Those of its origin, c⁰,
are long integers, and their prices cancel to far less than a double's error of the costs. The corrections δ
are doubles, as HiGHS found them. With the fold of :mod:`~exactdp.search.forest.rays`,

    F(v) = c_v + Σ_w g(F(w)),   g(t) = α·t if t ≥ 0 else t/α,

let F⁰(v) be what c⁰ + 1 comes to, computed in integers and rounded afterwards. The unit is such that no ray
has a mean cost below −1 at the origin, so F⁰ ≥ 0 at roots, and what a ray costs more than the cheapest one is
a sum of positive numbers. What δ − 1 changes, s = F − F⁰, is

    s(v) = δ_v − 1 + Σ_w (g(F⁰(w) + s(w)) − g(F⁰(w))).

A term is slope·s(w), with the slope of g at F⁰(w), unless the sign of F(w) differs from that of F⁰(w). Then
it is (other slope)·s(w) + (1/α − α)·|F⁰(w)| with |F⁰(w)| ≤ |s(w)|. It is the lesser of the two, as g is
concave. So nothing cancels, and doubles do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import Any

import numpy as np

from exactdp.search.forest.rays import Forest

RANGE = 1000
"""Prices in doubles are tried when no number can exceed 2^1000."""

MANY = 3
"""At most so many columns for a guess and a tree in one round."""


class LevelPricing:
    """Prices around one origin, in units of 2^exponent.

    * ``forest``: where the rays live.
    * ``p``, ``q``: the level is α = p/q.
    * ``costs``: c⁰, for each guess those of the inputs.
    * ``exponent``: the unit of prices is 2^exponent; no mean cost of a ray is below −1 unit.
    * raises OverflowError: the numbers are too far apart for doubles.

    >>> from exactdp.model import Graph
    >>> pricing = LevelPricing(Forest(Graph.path(3)), 1, 2, [[4, -8, 4]], 2)
    >>> pricing.prices(np.array([0]), np.array([[1], [0], [1]]))          # 4/2 − 8 + 4/2, over 2^2
    array([-1.])
    >>> guesses, heights, prices = pricing.missing(np.array([[0.0], [0.5], [0.0]]), 0.1)
    >>> guesses, heights.T, prices
    (array([0]), array([[1, 0, 1]]), array([-0.5]))
    """

    def __init__(self, forest: Forest, p: int, q: int, costs: Sequence[Sequence[int]], exponent: int) -> None:
        self._forest, self._alpha = forest, p / q
        largest = max(max(map(abs, column)) for column in costs)
        if largest.bit_length() - exponent + 2 * forest.size * (math.log2(q) - math.log2(p)) > RANGE:
            raise OverflowError("prices are too far apart for doubles")
        parent, columns, unit = forest.parent, [], 1 << exponent
        children = [v for v in reversed(forest.order) if parent[v] is not None]
        for column in costs:
            folded = [c + unit for c in column]
            for v in children:
                t = folded[v]
                folded[parent[v]] += t * p // q if t >= 0 else t * q // p  # type: ignore[index]
            columns.append([x / unit for x in folded])  # rounded once
        self._first = np.array(columns).T  # F⁰
        self._slopes = np.where(self._first >= 0, self._alpha, 1 / self._alpha)
        self._others = np.where(self._first >= 0, 1 / self._alpha, self._alpha)
        self._jumps = (1 / self._alpha - self._alpha) * np.abs(self._first)
        self._powers = self._alpha ** np.arange(forest.size, dtype=float)

    def prices(self, guesses: Any, heights: Any) -> Any:
        """The prices at the origin of columns: of guesses, and of heights one column beside the other."""
        a, parent, found = self._alpha, self._forest.parent, np.zeros(len(guesses))
        for root, members in self._forest.members.items():
            here = np.nonzero(heights[root] >= 0)[0]
            first, slopes, own = self._first[:, guesses[here]], self._slopes[:, guesses[here]], heights[:, here]
            above = np.zeros(first.shape)  # by how much these rays are dearer than the cheapest
            for v in reversed(members[1:]):
                w = parent[v]
                slope = np.where(own[v] > own[w], a, 1 / a)
                above[w] += slope * above[v] + (slope - slopes[v]) * first[v]
            found[here] = (first[root] + above[root]) * self._powers[own[root]] - self._powers[own[members]].sum(0)
        return found

    def missing(self, changes: Any, least: float) -> tuple[Any, Any, Any]:
        """Columns with a mean cost below −``least``: guesses, heights and prices.

        They are the last rays of Dinkelbach's method for each guess and tree, for the costs c⁰ + ``changes``
        (inputs × guesses).
        """
        guesses, found, prices = [np.empty(0, dtype=int)], [np.empty((self._forest.size, 0), dtype=int)], [np.empty(0)]
        for root, members in self._forest.members.items():
            active = np.arange(changes.shape[1])
            means = np.full(len(active), -least)
            rounds: list[tuple[Any, Any, Any]] = []
            while len(active):
                left, heights = self._folded(changes, active, means, members)
                values = self._powers[heights[members]]
                whole = values.sum(0)
                better = means + left * self._powers[heights[root]] / whole
                falls = (left < 0) & (better < means)
                active, means, heights, whole = active[falls], better[falls], heights[:, falls], whole[falls]
                if len(active):
                    rounds.append((active, heights, means * whole))
            taken = np.zeros(changes.shape[1], dtype=int)
            for active, heights, worth in reversed(rounds):
                last = taken[active] < MANY
                guesses.append(active[last])
                found.append(heights[:, last])
                prices.append(worth[last])
                taken[active] += 1
        return np.concatenate(guesses), np.hstack(found), np.concatenate(prices)

    def _folded(self, changes: Any, active: Any, means: Any, members: Sequence[int]) -> tuple[Any, Any]:
        """For some guesses' costs less their means F at a root, and the heights of the cheapest rays."""
        parent = self._forest.parent
        first, slopes, others, jumps = (x[:, active] for x in (self._first, self._slopes, self._others, self._jumps))
        added = changes[:, active] - (1 + means)
        for v in reversed(members[1:]):  # slope·s, or that with the other slope if the sign changes
            added[parent[v]] += np.minimum(slopes[v] * added[v], others[v] * added[v] + jumps[v])
        down = np.where(first + added >= 0, 1, -1)
        heights = np.full(first.shape, -1)
        heights[members[0]] = 0
        for v in members[1:]:
            heights[v] = heights[parent[v]] + down[v]
        heights[members] -= heights[members].min(0)
        return first[members[0]] + added[members[0]], heights


def cheapest_rays(forest: Forest, p: int, q: int, costs: Sequence[int], least: int, powers: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The last rays of Dinkelbach's method on each tree, with their prices, all in integers.

    ``powers`` has α^k times a large number, and 0 at −1 for inputs where a ray is 0. Prices are as large.

    >>> from exactdp.model import Graph
    >>> cheapest_rays(Forest(Graph.path(3)), 1, 2, [4, -10, 4], 1, [8, 4, 2, 1, 0])
    [(-48, [1, 0, 1])]
    """
    parent, found = forest.parent, []
    for root, members in forest.members.items():
        mean, rays = -least, []
        while True:
            folded = [c - mean for c in costs]
            for v in reversed(members[1:]):
                t = folded[v]
                folded[parent[v]] += t * p // q if t >= 0 else t * q // p  # type: ignore[index]
            if folded[root] >= 0:
                break
            heights = [-1] * forest.size
            heights[root] = 0
            for v in members[1:]:
                heights[v] = heights[parent[v]] + (1 if folded[v] >= 0 else -1)  # type: ignore[index]
            low = min(map(heights.__getitem__, members))
            for v in members:
                heights[v] -= low
            values = [powers[k] for k in heights]
            total, whole = sum(map(mul, costs, values)), sum(values)
            here = total // whole
            if here >= mean:
                break
            mean = here
            rays.append((total, heights))
        found += rays[-MANY:]
    return found
