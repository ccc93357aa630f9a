# SPDX-License-Identifier: MIT
"""Column generation on forests: the plain linear program's optimum, with and without a float solver, and a
dual that proves it.
"""

from __future__ import annotations

import itertools

import pytest
import strategies as own
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.analysis.optimality.dual import dual_bound
from exactdp.analysis.privacy import is_private
from exactdp.exact import Rational
from exactdp.lp.solve import solve
from exactdp.model import Graph, Loss, MinimaxConsumer, PrivacyLevel
from exactdp.model.consumer import Problem
from exactdp.search import optimal_mechanism
from exactdp.search.forest.forest_optimum import propose_by_columns
from exactdp.search.forest.rays import Forest
from exactdp.search.optimal_mechanism import mechanism_program, propose_optimum


@st.composite
def forests(draw, max_vertices=5):
    """Random forests, with isolated vertices and stars."""
    size = draw(st.integers(1, max_vertices))
    parents = [draw(st.integers(-1, v - 1)) for v in range(1, size)]
    return Graph(range(size), [(p, v) for v, p in enumerate(parents, start=1) if p >= 0])


def check(graph, level, consumer, route):
    mechanism, dual = propose_by_columns(graph, level.alpha, consumer, **route)
    value = consumer.loss_of(mechanism)
    assert dual.rule == "forest"
    assert dual_bound(graph, level, consumer, dual).value == value
    assert is_private(mechanism, graph, level).proved
    return value


@pytest.mark.slow
@settings(max_examples=150)
@given(forests(), own.levels(), st.data())
def test_columns_find_the_plain_optimum(graph, level, data):
    consumer = data.draw(own.consumers(graph.vertices))
    value = check(graph, level, consumer, data.draw(st.sampled_from([{}, {"plain": True}])))
    assert value == solve(mechanism_program(Problem(graph, level, consumer)).lp).value


@pytest.mark.parametrize("level", ["1/1000", "1/2", "999/1000"])
def test_losses_that_are_not_monotone_on_a_path(level):
    graph = Graph.path(7)
    parity = Loss([[Rational((i - r) % 2) + Rational(abs(i - r), 7) for r in range(7)] for i in range(7)])
    late = Loss([[5 * (r - i) if r > i else i - r for r in range(7)] for i in range(7)])
    for loss in (parity, late):
        consumer = MinimaxConsumer(loss)
        expected = solve(mechanism_program(Problem(graph, PrivacyLevel(level), consumer)).lp).value
        assert check(graph, PrivacyLevel(level), consumer, {}) == expected
        assert check(graph, PrivacyLevel(level), consumer, {"plain": True}) == expected


def test_a_large_forest_goes_this_way(monkeypatch):
    monkeypatch.setattr(optimal_mechanism, "COLUMNS_FROM", 0)
    graph = Graph(range(6), [(0, i) for i in range(1, 6)])
    consumer = MinimaxConsumer(Loss([[(i * r + i) % 4 for r in range(6)] for i in range(6)]))
    level = PrivacyLevel("2/3")
    found = propose_optimum(Problem(graph, level, consumer))
    assert found.dual.rule == "forest"
    assert dual_bound(graph, level, consumer, found.dual).value == consumer.loss_of(found.mechanism)


def rays(graph, p, q):
    """All rays of a tree by the definition: every edge one way or the other."""
    near = graph.adjacency()
    for ways in itertools.product((1, -1), repeat=len(graph.edges)):
        way = dict(zip(graph.edges, ways, strict=True))
        heights, stack = {0: 0}, [0]
        while stack:
            v = stack.pop()
            for w in near[v]:
                if w not in heights:
                    heights[w] = heights[v] + (way[v, w] if v < w else -way[w, v])
                    stack.append(w)
        least = min(heights.values())
        yield tuple(sorted((v, k - least) for v, k in heights.items()))


@settings(max_examples=120)
@given(own.trees(1, 6), st.sampled_from([(1, 2), (2, 3), (1, 10)]), st.data())
def test_pricing_finds_a_ray_of_negative_cost_exactly_when_there_is_one(graph, alpha, data):
    size, (p, q) = len(graph.vertices), alpha
    costs = data.draw(st.lists(st.integers(-9, 9), min_size=size, max_size=size))
    known = set(rays(graph, p, q))

    def cost(ray):
        return sum(costs[v] * Rational(p, q) ** k for v, k in ray)

    forest = Forest(graph)
    found = forest.violated(costs, p, q)
    assert bool(found) == any(cost(ray) < 0 for ray in known)
    assert all(ray in known and cost(ray) < 0 for ray in found)
    cheap = forest.price([float(c) for c in costs], p / q)
    assert set(cheap) <= known
    if any(cost(ray) < 0 for ray in known):
        means = {ray: cost(ray) / sum(Rational(p, q) ** k for _, k in ray) for ray in known}
        assert abs(float(means[cheap[-1]] - min(means.values()))) < 1e-9
