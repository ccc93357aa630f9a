# SPDX-License-Identifier: MIT
"""Columns in doubles and with hundreds of bits: the plain linear program's optimum, without exact pivots."""

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


def test_no_exact_pivot_is_left_on_a_path_of_twenty(monkeypatch):
    pytest.importorskip("highspy")
    monkeypatch.setattr(linear, "simplex", lambda *args, **kwargs: pytest.fail("an exact pivot"))
    consumer = MinimaxConsumer(Loss(table(20, 5)))
    mechanism, dual = propose_by_columns(Graph.path(20), Rational("1/2"), consumer)
    assert consumer.loss_of(mechanism) == sum(dual.potentials)
