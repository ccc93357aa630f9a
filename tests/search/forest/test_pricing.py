# SPDX-License-Identifier: MIT
"""Prices in doubles around long integers, against the same prices in fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from exactdp.model import Graph
from exactdp.search.forest.pricing import LevelPricing, cheapest_rays
from exactdp.search.forest.rays import Forest

UNIT = 100
"""Prices are in units of 2^100; costs are near 2^200, and their prices cancel to a few units."""

FORESTS = {
    "path": Graph.path(40),
    "trees": Graph(range(30), [(v // 2, v) for v in range(1, 20)] + [(v - 1, v) for v in range(21, 29)]),
}


def nearly_tight(graph: Graph, alpha: Fraction, rng: random.Random) -> list[int]:
    """Costs whose price is 0 for some ray and large for others: positive multipliers of x_i − α·x_j ≥ 0."""
    costs = [0] * len(graph.vertices)
    for i, j, _ in graph.pairs():
        above, below = rng.choice([(i, j), (j, i)])
        multiplier = rng.choice([0, rng.getrandbits(200)]) * alpha.denominator
        costs[above] += multiplier
        costs[below] -= int(multiplier * alpha)
    return costs


def price(costs: list[Fraction], heights: list[int], alpha: Fraction) -> Fraction:
    """Σ c_i α^(k_i), with k_i = −1 where the ray is 0."""
    return sum((c * alpha**k for c, k in zip(costs, heights, strict=True) if k >= 0), Fraction())


@pytest.mark.parametrize("graph", FORESTS.values(), ids=FORESTS)
@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(9, 10), Fraction(1, 50)], ids=str)
def test_prices_that_cancel_are_right(graph, alpha):
    rng, forest = random.Random(f"{graph} {alpha}"), Forest(graph)
    origin = [nearly_tight(graph, alpha, rng) for _ in range(8)]
    pricing = LevelPricing(forest, alpha.numerator, alpha.denominator, origin, UNIT)
    changes = np.array([[rng.gauss(0, 1) for _ in origin] for _ in range(forest.size)])
    guesses, heights, prices = pricing.missing(changes, 2.0**-30)
    unit, columns = Fraction(2) ** UNIT, heights.T.tolist()
    costs = [[c / unit for c in map(Fraction, column)] for column in origin]
    moved = [[c + Fraction(float(d)) for c, d in zip(column, changes[:, r], strict=True)] for r, column in enumerate(costs)]
    assert len(guesses)
    for r, ray, found, at_origin in zip(guesses, columns, prices, pricing.prices(guesses, heights), strict=True):
        assert found == pytest.approx(float(price(moved[r], ray, alpha)), rel=1e-9, abs=1e-9)
        assert at_origin == pytest.approx(float(price(costs[r], ray, alpha)), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("graph", FORESTS.values(), ids=FORESTS)
def test_no_ray_is_much_cheaper_than_the_ones_found(graph):
    alpha, rng, forest = Fraction(1, 2), random.Random(7), Forest(graph)
    origin = [nearly_tight(graph, alpha, rng) for _ in range(8)]
    changes = np.array([[rng.gauss(0, 1) for _ in origin] for _ in range(forest.size)])
    guesses, heights, _ = LevelPricing(forest, 1, 2, origin, UNIT).missing(changes, 2.0**-30)
    powers = [2**300 >> k for k in range(2 * forest.size)] + [0]
    for r, column in enumerate(origin):
        costs = [c + int(d * 2**UNIT) for c, d in zip(column, changes[:, r].tolist(), strict=True)]
        least = min((Fraction(total, sum(powers[k] for k in ray)) for total, ray in cheapest_rays(forest, 1, 2, costs, 2**70, powers)))
        found = [ray for guess, ray in zip(guesses, heights.T.tolist(), strict=True) if guess == r]
        means = [price(list(map(Fraction, costs)), ray, alpha) / sum(alpha**k for k in ray if k >= 0) for ray in found]
        assert float(min(means) / 2**UNIT) == pytest.approx(float(least / 2**UNIT), rel=1e-9)


def test_numbers_too_far_apart_are_refused():
    forest = Forest(Graph.path(60))
    with pytest.raises(OverflowError):
        LevelPricing(forest, 1, 1000, [[1] * 60], 0)
