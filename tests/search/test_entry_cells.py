# SPDX-License-Identifier: MIT
"""Cells of symmetric entries: what they promise, and that their program has the optimum of all entries."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.analysis.optimality.dual import dual_bound
from exactdp.analysis.optimality.optimum import keeps_constraints
from exactdp.exact import Rational
from exactdp.lp.problem import Optimal
from exactdp.lp.solve import solve
from exactdp.lp.symmetry import ReducedProgram
from exactdp.model import BayesianConsumer, Graph, Loss, MinimaxConsumer, Prior, PrivacyLevel, SideInformation, neighbours
from exactdp.model.consumer import Problem
from exactdp.model.level import level_for
from exactdp.search import optimal_mechanism
from exactdp.search.entry_cells import CellProgram, ColumnProgram, Symmetry, all_cells, entry_cells
from exactdp.search.optimal_mechanism import mechanism_program, propose_optimum

SHAPES = ("cycle:3", "cycle:5", "complete:4", "star:4", "grid:2x2", "grid:2x3", "hypercube:2", "path:4", "euclid:2x2", "euclid:2x3")


def consumer_on(near, seed):
    """A consumer with a loss that has some of the neighbours' symmetries, all of them, or none."""
    rng = random.Random(seed)
    n = len(near.vertices)
    shifted = [0] + [rng.randrange(1, 4) for _ in range(n - 1)]
    tables = (
        [[int(i != r) for r in range(n)] for i in range(n)],
        [[shifted[(i - r) % n] for r in range(n)] for i in range(n)],
        [[rng.randrange(3) for _ in range(n)] for _ in range(n)],
        [[rng.randrange(2) for _ in range(2)] for _ in range(n)],
    )
    loss = Loss(rng.choice(tables), near.vertices)
    kind = rng.randrange(4)
    if kind == 0:
        return BayesianConsumer(loss, Prior.uniform(near.vertices))
    if kind == 1:
        weights = [rng.randrange(3) for _ in range(n)]
        weights[rng.randrange(n)] += 1
        return BayesianConsumer(loss, Prior([f"{w}/{sum(weights)}" for w in weights], near.vertices))
    if kind == 2:
        chosen = rng.sample(range(n), rng.randrange(1, n + 1))
        return MinimaxConsumer(loss, SideInformation(sorted(chosen), near.vertices))
    return MinimaxConsumer(loss)


def asked(shape, seed, by_epsilon):
    near = neighbours(shape)
    by_epsilon = by_epsilon or shape.startswith("euclid")
    level = level_for(near, "1/2") if by_epsilon else PrivacyLevel("1/3")
    return Problem(near, level, consumer_on(near, seed))


@settings(max_examples=60)
@given(st.sampled_from(SHAPES), st.integers(0, 10**6))
def test_entries_of_one_cell_see_the_same(shape, seed):
    problem = asked(shape, seed, by_epsilon=True)
    near, _, consumer = problem
    cells = all_cells(Symmetry(problem))
    n, k = consumer.loss.matrix.shape
    views = {}
    for i in range(n):
        for r in range(k):
            if isinstance(consumer, BayesianConsumer):
                cost = consumer.prior.weights[i] * consumer.loss.matrix[i, r]
            else:
                known = i in consumer.side_information.indices
                cost = (known, consumer.loss.matrix[i, r] if known else 0)
            beside = Counter()
            for a, b, d in near.pairs():
                if i in (a, b):
                    beside[d, cells.entries[b if i == a else a][r]] += 1
            view = cost, beside, Counter(cells.entries[i]), cells.rows[i]
            assert views.setdefault(cells.entries[i][r], view) == view
    assert len(views) == cells.size


@settings(max_examples=25)
@given(st.sampled_from(SHAPES), st.integers(0, 10**6), st.booleans())
def test_the_program_of_the_cells_has_the_same_optimum(shape, seed, by_epsilon):
    problem = asked(shape, seed, by_epsilon)
    program = CellProgram(problem, all_cells(Symmetry(problem)))
    answer = solve(program.lp)
    assert isinstance(answer, Optimal)
    mechanism, dual = program.mechanism(answer.x), program.dual(answer.y)
    assert keeps_constraints(problem, mechanism)
    value = problem.consumer.loss_of(mechanism)
    assert dual_bound(*problem, dual).value == value == answer.value
    if not by_epsilon and not shape.startswith("euclid"):
        assert value == problem.consumer.loss_of(propose_optimum(problem, plain=True).mechanism)


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(0, 10**6), st.booleans())
def test_least_entries_of_columns_as_variables_lead_to_the_same_optimum(size, seed, by_epsilon):
    """Also with fewer guesses than inputs, and inputs that do not count."""
    problem = asked(f"complete:{size}", seed, by_epsilon)
    program = ColumnProgram(problem, all_cells(Symmetry(problem)))
    answer = solve(program.lp)
    assert isinstance(answer, Optimal)
    mechanism, dual = program.mechanism(answer.x), program.dual(answer.y)
    assert keeps_constraints(problem, mechanism)
    value = problem.consumer.loss_of(mechanism)
    assert dual_bound(*problem, dual).value == value == answer.value
    if not by_epsilon:
        assert value == problem.consumer.loss_of(propose_optimum(problem, plain=True).mechanism)


def test_few_cells_of_a_large_tree():
    """A star has five kinds of entries."""
    near = neighbours("star:60")
    consumer = MinimaxConsumer(Loss.zero_one(near.vertices))
    problem = Problem(near, PrivacyLevel("1/2"), consumer)
    found = propose_optimum(problem)
    assert consumer.loss_of(found.mechanism) == dual_bound(*problem, found.dual).value
    assert found.dual.edges is None
    assert len({entry for row in found.mechanism.matrix.rows() for entry in row}) <= 5


def test_complete_graphs_have_a_program_of_their_own(monkeypatch):
    near = neighbours("complete:8")
    consumer = BayesianConsumer(Loss.absolute(near.vertices), Prior.uniform(near.vertices))
    problem = Problem(near, PrivacyLevel("1/3"), consumer)
    monkeypatch.setattr(optimal_mechanism, "COLUMN_ENDS_FROM", 10**6)
    expected = consumer.loss_of(propose_optimum(problem).mechanism)
    monkeypatch.setattr(optimal_mechanism, "COLUMN_ENDS_FROM", 0)
    found = propose_optimum(problem)
    assert consumer.loss_of(found.mechanism) == expected == dual_bound(*problem, found.dual).value


@pytest.mark.parametrize("shape", ["cycle:7", "hypercube:3", "grid:3x3", "grid:2x4", "complete:5", "star:5", "path:6"])
@pytest.mark.parametrize("bayesian", [False, True])
def test_the_program_is_that_of_all_entries_merged(shape, bayesian):
    near = neighbours(shape)
    loss = Loss.zero_one(near.vertices)
    consumer = BayesianConsumer(loss, Prior.uniform(near.vertices)) if bayesian else MinimaxConsumer(loss)
    problem = Problem(near, PrivacyLevel("1/3"), consumer)
    merged = ReducedProgram(mechanism_program(problem).lp).lp
    ours = CellProgram(problem, all_cells(Symmetry(problem))).lp
    assert list(map(str, ours.rows)) == list(map(str, merged.rows))
    assert dict(ours.objective) == dict(merged.objective)
    assert ours.free == merged.free


def test_a_loss_or_a_prior_that_is_not_symmetric_leaves_no_automorphism():
    near = neighbours("cycle:4")
    table = [[int(i != r) for r in range(4)] for i in range(4)]
    table[2][0] = 3
    skew = BayesianConsumer(Loss.zero_one(near.vertices), Prior(["1/2", "1/4", "1/8", "1/8"], near.vertices))
    for consumer in (MinimaxConsumer(Loss(table)), skew):
        symmetry = Symmetry(Problem(near, PrivacyLevel("1/2"), consumer))
        assert not symmetry.is_transitive
        for image in symmetry.generators:
            costs = symmetry.costs
            assert all(costs[i][r] == costs[image[i]][image[r]] for i in range(4) for r in range(4))


def test_many_cells_are_told_early():
    near = neighbours("grid:2x3")
    problem = Problem(near, PrivacyLevel("1/2"), MinimaxConsumer(Loss.zero_one(near.vertices)))
    assert entry_cells(Symmetry(problem), most=3) is None
    assert all_cells(Symmetry(problem)).size > 3


@pytest.mark.parametrize("most", [2_000, 3])
def test_routes_of_large_symmetric_graphs_agree(monkeypatch, most):
    near = neighbours("grid:3x3")
    consumer = BayesianConsumer(Loss.zero_one(near.vertices), Prior.uniform(near.vertices))
    problem = Problem(near, PrivacyLevel("1/2"), consumer)
    expected = consumer.loss_of(propose_optimum(problem, plain=True).mechanism)
    monkeypatch.setattr(optimal_mechanism, "CELLS_FROM", 0)
    monkeypatch.setattr(optimal_mechanism, "COMPONENTS_FROM", 0)
    monkeypatch.setattr(optimal_mechanism, "MOST_CELLS", most)
    found = propose_optimum(problem)
    assert consumer.loss_of(found.mechanism) == expected == dual_bound(*problem, found.dual).value


def test_equal_and_dominated_guesses():
    """Of equal columns the first stays; a column with larger entries goes."""
    loss = Loss([[0, 1, 0, 2, 1], [1, 0, 1, 2, 0]])
    smaller = optimal_mechanism.Undominated(MinimaxConsumer(loss))
    assert smaller.consumer.loss.guesses == ("0", "1")
    graph = Graph.path(2)
    found = propose_optimum(Problem(graph, PrivacyLevel("1/2"), MinimaxConsumer(loss)))
    assert MinimaxConsumer(loss).loss_of(found.mechanism) == Rational("1/3")
