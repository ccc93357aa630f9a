# SPDX-License-Identifier: MIT
"""Columns in doubles, refined doubles and hundreds of bits: the optimum of the plain linear program at small
sizes, no exact pivot at larger ones.
"""

from __future__ import annotations

import random

import pytest
import strategies as own
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.exact import Rational
from exactdp.lp import solve as linear
from exactdp.lp.solve import solve
from exactdp.model import BayesianConsumer, Graph, Loss, MinimaxConsumer, PrivacyLevel
from exactdp.model.consumer import Problem
from exactdp.search.forest import forest_optimum as optimum
from exactdp.search.forest.forest_optimum import propose_by_columns
from exactdp.search.forest.precise import PreciseMaster
from exactdp.search.forest.rays import Forest
from exactdp.search.optimal_mechanism import mechanism_program


def table(size, seed):
    rng = random.Random(seed)
    return [[rng.randrange(1001) for _ in range(size)] for _ in range(size)]


def plain(graph, level, consumer):
    return solve(mechanism_program(Problem(graph, PrivacyLevel(level), consumer)).lp).value


LEVELS = ["1/1000", "3/10", "1/2", "9/10"]


@settings(max_examples=40)
@given(own.trees(2, 7), st.sampled_from(LEVELS), st.integers(0, 10**6), st.booleans())
def test_refined_doubles_find_the_plain_optimum(graph, level, seed, bayesian):
    loss = Loss(table(len(graph.vertices), seed))
    consumer = BayesianConsumer(loss) if bayesian else MinimaxConsumer(loss)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimum, "LARGE", 0)
        mechanism, dual = propose_by_columns(graph, Rational(level), consumer)
    assert consumer.loss_of(mechanism) == sum(dual.potentials) == plain(graph, level, consumer)


@settings(max_examples=25)
@given(own.trees(2, 6), st.sampled_from(["1/1000", "1/3", "9/10"]), st.integers(0, 10**6), st.booleans())
def test_doubles_and_bits_find_the_plain_optimum(graph, level, seed, bayesian):
    loss = Loss(table(len(graph.vertices), seed))
    consumer = BayesianConsumer(loss) if bayesian else MinimaxConsumer(loss)
    mechanism, dual = propose_by_columns(graph, Rational(level), consumer)
    assert consumer.loss_of(mechanism) == sum(dual.potentials) == plain(graph, level, consumer)


@settings(max_examples=25)
@given(st.integers(2, 6), st.sampled_from(["1/1000", "1/3", "9/10"]), st.integers(0, 10**6))
def test_bits_alone_go_from_the_geometric_mechanism_to_the_optimum(size, level, seed):
    """The first basis is far from the optimum: single peaks, all with one guess, and the slacks but one."""
    graph, loss = Graph.path(size), [[Rational(x) for x in row] for row in table(size, seed)]
    forest, consumer = Forest(graph), MinimaxConsumer(Loss(loss))
    worst = max(range(size), key=lambda i: loss[i][0])
    basic = [*((0, forest.falling_from(v)) for v in range(size)), *(i for i in range(size) if i != worst)]
    precise = PreciseMaster(forest, Rational(level), loss, range(size), [], basic)
    assert precise.optimise()
    master = optimum.Master(graph, Rational(level), consumer)
    master.replace([x for x in precise.basic if isinstance(x, tuple)])
    assert solve(master.program(), proposer=None).value == plain(graph, level, consumer)


@settings(max_examples=25)
@given(own.trees(2, 6), st.sampled_from(LEVELS), st.integers(0, 10**6), st.booleans())
def test_where_they_end_nothing_is_missing(graph, level, seed, bayesian):
    """What they call complete is the exact optimum of all columns: no price is negative."""
    pytest.importorskip("highspy")
    from exactdp.search.forest.doubles import DoubleMaster
    from exactdp.search.forest.refined import RefinedMaster

    loss = Loss(table(len(graph.vertices), seed))
    consumer = BayesianConsumer(loss) if bayesian else MinimaxConsumer(loss)
    master = optimum.Master(graph, Rational(level), consumer)
    rough = [[float(x) for x in row] for row in master.loss]
    doubles = DoubleMaster(master.forest, float(master.alpha), rough, master.known, [float(p) for p in master.prior])
    doubles.add(master.columns)
    basis = doubles.rounds(stages=1)
    try:
        refined = RefinedMaster(doubles, basis, master.forest, master.alpha, master.loss, master.known, master.prior)
    except ArithmeticError:
        return
    if not (refined.optimise() and refined.is_sure):
        return
    start = optimum._take(master, refined.basic)
    answer = linear.solve(master.program(), start=start, proposer=None)
    assert not master.missing(answer.y)
    assert answer.value == plain(graph, level, consumer)


@pytest.mark.parametrize("proposed", [[], [(0, ((0, 0), (1, 1), (2, 2)))]])
def test_columns_without_a_mechanism_are_no_end(monkeypatch, proposed):
    """A wrong proposal costs time, not the answer."""

    def wrong(master, report):
        master.replace(proposed)

    graph, consumer = Graph.path(3), MinimaxConsumer(Loss(table(3, 8)))
    monkeypatch.setattr(optimum, "_in_doubles", wrong)
    mechanism, dual = propose_by_columns(graph, Rational("1/2"), consumer)
    assert consumer.loss_of(mechanism) == sum(dual.potentials) == plain(graph, "1/2", consumer)


def test_a_sum_of_rays_is_the_same_entry_by_entry():
    """The table in integers over one denominator, and one fraction at a time."""
    rng = random.Random(3)
    master = optimum.Master(Graph.path(4), Rational("2/7"), MinimaxConsumer(Loss(table(4, 1))))
    weights = [Rational(0), *(Rational(rng.randrange(5), rng.randrange(1, 9)) for _ in master.columns)]
    entries = {}
    for (r, ray), weight in zip(master.columns, weights[1:], strict=True):
        for v, k in ray:
            entries[v, r] = entries.get((v, r), Rational(0)) + weight * Rational("2/7") ** k
    totals = [sum(entries.get((v, r), 0) for r in range(4)) for v in range(4)]
    found = [list(row) for row in master.table(weights).rows()]
    assert found == [[entries.get((v, r), 0) for r in range(4)] for v in range(4)]
    assert any(total != 1 for total in totals)


@pytest.mark.parametrize("size", [20, 45])
def test_no_exact_pivot_is_left_on_a_path(monkeypatch, size):
    pytest.importorskip("highspy")
    monkeypatch.setattr(linear, "simplex", lambda *args, **kwargs: pytest.fail("an exact pivot"))
    consumer = MinimaxConsumer(Loss(table(size, 5)))
    mechanism, dual = propose_by_columns(Graph.path(size), Rational("1/2"), consumer)
    assert consumer.loss_of(mechanism) == sum(dual.potentials)


@pytest.mark.slow
@pytest.mark.parametrize("size", [61])
def test_prices_far_below_the_resolution_of_doubles(size):
    pytest.importorskip("highspy")
    consumer = MinimaxConsumer(Loss(table(size, 1)))
    mechanism, dual = propose_by_columns(Graph.path(size), Rational("1/2"), consumer)
    assert consumer.loss_of(mechanism) == sum(dual.potentials)
    assert 0 < min(w for w in dual.weights if w) < Rational(1, 2**40)
