# SPDX-License-Identifier: MIT
"""Universal optimality: theorems against the search, witnesses from first principles, capacities against a second route."""

from __future__ import annotations

import random
from fractions import Fraction as F
from itertools import product

import pytest

from exactdp import geometric, neighbours, uniform
from exactdp.analysis import universal
from exactdp.analysis.capacity import CAPACITIES, capacity, type_capacity
from exactdp.analysis.kinks import kinks
from exactdp.analysis.universal import is_universally_optimal, universally_optimal_mechanism
from exactdp.analysis.vertices import posterior_polytope
from exactdp.claims.fernandes_metric_privacy.table import connected_graphs, predicted, rows
from exactdp.errors import InputError, LabelError, ResourceLimitError
from exactdp.exact import Rational, RationalFunctionField
from exactdp.model import AdjacencyGraph, Loss, Mechanism
from exactdp.search.type_programs import best_mixture


def least(columns, loss, prior):
    """Σ_y min_g Σ_x π_x l(x,g) M_xy with fractions."""
    return sum(min(sum(p * row[g] * x for p, row, x in zip(prior, loss, c, strict=True)) for g in range(len(loss[0]))) for c in columns)


def as_fractions(matrix):
    return [[F(str(x)) for x in row] for row in matrix.rows()]


def best(near, level, loss, prior):
    """The least loss of a mechanism of the type, by the linear program over vertices."""
    rays = posterior_polytope(near, level).rays
    table = as_fractions(loss.matrix)
    costs = [Rational(str(least([[F(str(x)) for x in ray]], table, prior))) for ray in rays]
    return F(str(best_mixture(rays, costs)[2]))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_zero_one_loss_follows_the_theorem_on_trees(n):
    for row in rows("zero-one", n, n):
        assert row.verdict.proved == predicted(row.graph, row.level), (row.graph.edges, row.level)


def test_connected_graphs_are_counted_right():
    assert [len(connected_graphs(n)) for n in (1, 2, 3, 4, 5)] == [1, 1, 2, 6, 21]


@pytest.mark.parametrize(("spec", "level"), [("star:4", "1/2"), ("star:4", "1/3"), ("star:5", "1/4"), ("path:4", "3/5")])
def test_proved_mechanisms_are_best_for_random_priors(spec, level):
    near = neighbours(spec)
    loss = Loss.zero_one(near.vertices)
    M = universally_optimal_mechanism(near, level, loss).evidence.mechanism
    columns = [list(c) for c in zip(*as_fractions(M.matrix), strict=True)]
    rnd = random.Random(7)
    for _ in range(15):
        prior = [F(rnd.randint(0, 6)) for _ in near.vertices]
        if any(prior):
            assert least(columns, as_fractions(loss.matrix), prior) == best(near, level, loss, prior)


def test_the_tree_theorem_needs_its_condition(monkeypatch):
    """Without the theorems the search finds the same answers, by kinks."""
    near = neighbours("star:4")
    loss = Loss.zero_one(near.vertices)
    monkeypatch.setattr(universal, "_by_theorem", lambda base: iter(()))
    verdict = universally_optimal_mechanism(near, "1/2", loss, tries=60)
    assert verdict.proved
    assert verdict.evidence.rule == "kinks"
    assert universally_optimal_mechanism(near, "51/100", loss, tries=200).refuted


def test_refuted_priors_really_conflict():
    near = neighbours("cycle:4")
    loss = Loss.zero_one(near.vertices)
    e = universally_optimal_mechanism(near, "1/2", loss).evidence
    table = as_fractions(loss.matrix)
    priors = [[F(str(p)) for p in prior] for prior in e.priors]
    optima = [best(near, "1/2", loss, prior) for prior in priors]
    rays = posterior_polytope(near, "1/2").rays
    together = [sum(least([[F(str(x)) for x in ray]], table, prior) for prior in priors) for ray in rays]
    combined = F(str(best_mixture(rays, [Rational(str(c)) for c in together])[2]))
    assert combined > sum(optima)
    for mechanism, prior, value in zip(e.better, priors, optima, strict=True):
        loss_there = sum(
            p * x
            for p, row, mine in zip(prior, table, as_fractions(mechanism.matrix), strict=True)
            for x in [sum(a * b for a, b in zip(row, mine, strict=True))]
        )
        assert loss_there == value


def test_kinks_split_the_simplex_where_the_loss_bends():
    """U is linear on segments inside one cone: at any midpoint of two kinks of a common cone U is the mean, and U is concave elsewhere."""
    M = geometric(2, "1/2")
    loss = Loss.zero_one(range(3))
    points = kinks(M, loss)
    assert len(points) > 5
    columns = [list(c) for c in zip(*as_fractions(M.matrix), strict=True)]
    table = as_fractions(loss.matrix)
    bends = 0
    for p, q in product(points, points):
        a, b = least(columns, table, p), least(columns, table, q)
        middle = least(columns, table, [x + y for x, y in zip(p, q, strict=True)])
        assert middle >= a + b
        bends += middle > a + b
    assert bends > 0
    with pytest.raises(ResourceLimitError):
        kinks(M, loss, limit=3)


def test_undecided_is_an_answer(monkeypatch):
    monkeypatch.setattr(universal, "_by_theorem", lambda base: iter(()))
    monkeypatch.setattr("exactdp.analysis.kinks.MOST_MEETS", 1)
    monkeypatch.setattr(universal, "kinks", lambda m, loss, **told: kinks(m, loss, limit=1))
    near = neighbours("path:3")
    verdict = universally_optimal_mechanism(near, "1/2", Loss.zero_one(near.vertices), tries=3)
    assert verdict.decision.value == "undecided"


def test_wrong_questions():
    near = neighbours("path:3")
    with pytest.raises(LabelError):
        universally_optimal_mechanism(near, "1/2", Loss.zero_one(range(4)))
    with pytest.raises(InputError, match="not 1/2-private"):
        is_universally_optimal(Mechanism([[1, 0], [0, 1], [0, 1]]), near, "1/2", Loss.zero_one(near.vertices))
    with pytest.raises(InputError, match="no capacity"):
        capacity(uniform(range(2)), "other")


@pytest.mark.parametrize("spec", ["path:3", "complete:4", "cycle:4", "star:4", "grid:2x3"])
@pytest.mark.parametrize("kind", CAPACITIES)
def test_type_capacities_by_the_vertices(spec, kind):
    """Σ w_v max v (or min) is linear in the weights: the same value by another linear program."""
    near = neighbours(spec)
    rays = posterior_polytope(near, "1/3").rays
    sign = -1 if kind == "multiplicative" else 1
    extreme = max if kind == "multiplicative" else min
    _, _, value = best_mixture(rays, [sign * extreme(ray) for ray in rays])
    found = type_capacity(near, "1/3", kind).evidence
    assert found.value == (-value if kind == "multiplicative" else 1 - value)
    assert capacity(found.mechanism, kind).evidence.value == found.value


def test_closed_forms_for_every_level():
    a = RationalFunctionField().gen
    for n in (2, 3, 4, 5):
        assert type_capacity(AdjacencyGraph.path(n), a).evidence.value == (n - (n - 2) * a) / (1 + a)
        assert type_capacity(neighbours(f"complete:{n}"), a, "additive").evidence.value == (n - 1) * (1 - a) / (n - 1 + a)
    assert type_capacity(neighbours("hypercube:3"), a).evidence.value == 8 / (1 + a) ** 3
