# SPDX-License-Identifier: MIT
"""Changes along trees and cycles of tight rows, against their equations in rational numbers."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exactdp.exact import Rational
from exactdp.search.graphs.small_alpha_trees import TightTrees

CYCLE = [(0, 1), (1, 2), (2, 3), (0, 3)]
"""From input 0 two ways lead to input 2."""


def case(edges, size, p, q, seed):
    """A point x = α^k·(1 + δ) at which all rows that lead away from input 0 are tight."""
    rng = random.Random(seed)
    steps = [0] + [size] * (size - 1)
    for _ in range(size):
        for i, j in edges:
            steps[i], steps[j] = min(steps[i], steps[j] + 1), min(steps[j], steps[i] + 1)
    tails, heads = [v for i, j in edges for v in (i, j)], [v for i, j in edges for v in (j, i)]
    alpha = p / q
    x = np.array([[alpha ** steps[i] for i in range(size)]])
    more = [steps[i] and Fraction(10) ** (9 * steps[i] - 70 + rng.randrange(8)) * rng.randrange(1, 10) for i in range(size)]
    slacks, multipliers = np.empty((1, len(tails) + 1)), np.empty((1, len(tails) + 1))
    for e, (t, h) in enumerate(zip(tails, heads, strict=True)):
        if steps[t] == steps[h] + 1:
            slacks[0, e] = float(Fraction(p, q) ** steps[t] * (more[t] - more[h]))
            multipliers[0, e] = 10.0 ** -rng.uniform(0, 3)
        else:
            slacks[0, e] = x[0, t] - alpha * x[0, h]
            multipliers[0, e] = 1e-60
    slacks[0, -1], multipliers[0, -1] = x[0, 0], 1e-60
    trees = TightTrees(tails, heads, Rational(p, q), x, slacks, multipliers, np.ones((1, size)))
    return tails, heads, steps, slacks, multipliers, trees


@st.composite
def graphs(draw):
    size = draw(st.integers(2, 7))
    edges = [(draw(st.integers(max(0, i - 2), i - 1)), i) for i in range(1, size)]
    more = [(i, j) for j in range(size) for i in range(j) if (i, j) not in edges]
    return edges + draw(st.lists(st.sampled_from(more), unique=True, max_size=4) if more else st.just([])), size


@given(graphs(), st.sampled_from([(1, 2), (1, 1000), (3, 7)]), st.integers(0, 10**6))
@example(([(i, i + 1) for i in range(6)], 7), (1, 2), 1)  # six steps away δ is still small
def test_changes_meet_their_equations(graph, alpha, seed):
    edges, size = graph
    p, q = alpha
    tails, heads, steps, slacks, multipliers, trees = case(edges, size, p, q, seed)
    tight = [steps[t] == steps[h] + 1 for t, h in zip(tails, heads, strict=True)]
    assert trees.follows[0, :-1].tolist() == tight  # what is not in the tree closes a cycle
    assert trees.within.sum() == size - 1
    rng = random.Random(seed)
    costs = np.array([[rng.uniform(-1, 1) for _ in range(size)]])
    products = -slacks * multipliers * np.array([[rng.uniform(0.5, 1) for _ in slacks[0]]])

    def lacks(z):
        found = costs.copy()
        for e, (t, h) in enumerate(zip(tails, heads, strict=True)):
            found[0, t] -= z[0, e]
            found[0, h] += p / q * z[0, e]
        return found

    z, s = trees.changes(lacks, products, np.zeros(slacks.shape), np.zeros(slacks.shape))
    dz, ds = ([Fraction(v) for v in part[0].tolist()] for part in (z, s))
    a = Fraction(p, q)
    # products of slacks and multipliers change as they should
    for e, follows in enumerate(trees.follows[0].tolist()):
        if follows:
            terms = Fraction(slacks[0, e]) * dz[e], Fraction(multipliers[0, e]) * ds[e]
            assert abs(sum(terms) - Fraction(products[0, e])) <= Fraction(1, 10**12) * sum(map(abs, terms))
    # multipliers pay the costs of every input but the root
    for v in range(1, size):
        terms = [Fraction(costs[0, v])]
        for e, (t, h) in enumerate(zip(tails, heads, strict=True)):
            terms += [-dz[e]] * (t == v) + [a * dz[e]] * (h == v)
        assert abs(sum(terms)) <= Fraction(1, 10**9) * sum(map(abs, terms))
    # slacks around a cycle are those of one change of x
    x, largest, todo = {0: Fraction(0)}, {0: Fraction(0)}, [0]
    for v in todo:
        for e in np.flatnonzero(trees.within[0]).tolist():
            t, h = tails[e], heads[e]
            if h == v and t not in x:
                x[t], largest[t] = a * x[v] + ds[e], a * largest[v] + abs(ds[e])
                todo.append(t)
            if t == v and h not in x:
                x[h], largest[h] = (x[v] - ds[e]) / a, (largest[v] + abs(ds[e])) / a
                todo.append(h)
    assert len(x) == size
    for e in np.flatnonzero(trees.follows[0]).tolist():
        scale = largest[tails[e]] + a * largest[heads[e]] + abs(ds[e])
        assert abs(x[tails[e]] - a * x[heads[e]] - ds[e]) <= Fraction(1, 10**6) * scale


@given(graphs(), st.integers(0, 10**6))
def test_x_along_a_tree_is_what_slacks_say(graph, seed):
    edges, size = graph
    p, q = 3, 7
    tails, heads, _, slacks, _, trees = case(edges, size, p, q, seed)
    x = np.array([[10**30] + [0] * (size - 1)], dtype=object)
    whole = np.array([[random.Random(seed).randrange(10**6) for _ in slacks[0]]], dtype=object)
    found = trees.placed(x, whole)[0].tolist()
    assert found[0] == 10**30
    assert x[0].tolist() == [10**30] + [0] * (size - 1)  # what was given is as it was
    for e in np.flatnonzero(trees.within[0]).tolist():
        assert abs(q * found[tails[e]] - p * found[heads[e]] - q * whole[0, e]) <= q  # rounded down


@pytest.mark.parametrize("small", [1e-5, 1e-2])
def test_a_loose_row_closes_no_cycle(small):
    tails, heads, _, slacks, multipliers, _ = case(CYCLE, 4, 1, 1000, 3)
    x = np.array([[1.0, 1e-3, 1e-6, 1e-3]])
    closing = tails.index(2)
    slacks[0, closing] = small * 1e-6
    found = TightTrees(tails, heads, Rational("1/1000"), x, slacks, multipliers, np.ones((1, 4)))
    assert not found.follows[0, closing]
    assert found.within.sum() == 3


@pytest.mark.parametrize("larger", ["head", "tail"])
def test_a_multiplier_is_told_by_the_costs_of_the_end_that_is_the_child(larger):
    """It is much beside what its tail pays and next to nothing beside what its head pays."""
    x = np.array([[0.01, 1.0] if larger == "head" else [1.0, 0.01]])
    slacks, multipliers = np.array([[1e-9 * x[0, 0], 0.5, 1.0]]), np.array([[1e-3, 1e-20, 1e-20]])
    found = TightTrees([0, 1], [1, 0], Rational("1/100"), x, slacks, multipliers, np.array([[1e-3, 1e6]]))
    assert found.within[0, 0] == (larger == "head")
