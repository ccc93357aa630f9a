# SPDX-License-Identifier: MIT
"""Every finder with its fast routes and without (``plain``): the same optimum, or the same answer."""

from __future__ import annotations

import random

import strategies as own
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactdp.analysis import is_private
from exactdp.analysis.optimality.dual import dual_bound
from exactdp.exact import ExactMatrix, Rational
from exactdp.mechanisms import geometric
from exactdp.model import BayesianConsumer, Graph, Loss, Mechanism, MinimaxConsumer, Prior, PrivacyLevel, SideInformation
from exactdp.model.constraint_matrix import ConstraintMatrix
from exactdp.model.consumer import Problem
from exactdp.search.best_remap import propose_remap
from exactdp.search.forest.forest_optimum import propose_by_columns
from exactdp.search.graphs.graph_optimum import propose_by_components, propose_on_face
from exactdp.search.optimal_mechanism import propose_optimum
from exactdp.search.path.path_optimum import propose_path_optimum
from exactdp.search.refinements import propose_post_processing, separates
from exactdp.search.tight_solutions import nonnegative_solution

LEVELS = st.sampled_from(["1/1000", "1/9", "1/2", "9/10"])
SEEDS = st.integers(0, 10**6)


def drawn_consumer(size, seed, *, bayesian, monotone=False):
    """A consumer with random losses; of |i − r| by a random convex table where they must be monotone."""
    rng = random.Random(seed)
    if monotone:
        steps = [0]
        for _ in range(size):
            steps.append(steps[-1] + rng.randrange(1, 9))
        loss = Loss([[steps[abs(i - r)] for r in range(size)] for i in range(size)])
    else:
        loss = Loss([[rng.randrange(20) for _ in range(size)] for _ in range(size)])
    if bayesian:
        weights = [rng.randrange(1, 9) for _ in range(size)]
        return BayesianConsumer(loss, Prior([Rational(w, sum(weights)) for w in weights]))
    chosen = sorted(rng.sample(range(size), rng.randrange(1, size + 1)))
    return MinimaxConsumer(loss, SideInformation(chosen, range(size)))


def random_mechanism(inputs, outputs, rng):
    rows = [[rng.randrange(4) for _ in range(outputs)] for _ in range(inputs)]
    for row in rows:
        row[rng.randrange(outputs)] += 1
    return Mechanism([[Rational(x, sum(row)) for x in row] for row in rows])


@settings(max_examples=20)
@given(st.integers(3, 4), LEVELS, SEEDS, st.booleans(), st.sampled_from([Graph.path, Graph.cycle, Graph.star, Graph.complete]))
def test_optima_of_any_neighbours(size, level, seed, bayesian, shape):
    graph = shape(size)
    size = len(graph.vertices)
    problem = Problem(graph, PrivacyLevel(level), drawn_consumer(size, seed, bayesian=bayesian))
    fast, plain = propose_optimum(problem), propose_optimum(problem, plain=True)
    consumer = problem.consumer
    assert consumer.loss_of(fast.mechanism) == consumer.loss_of(plain.mechanism)
    assert sum(fast.dual.potentials) == sum(plain.dual.potentials) == consumer.loss_of(plain.mechanism)


@settings(max_examples=20)
@given(own.trees(2, 5), LEVELS, SEEDS, st.booleans())
def test_columns_of_a_forest(tree, level, seed, bayesian):
    consumer = drawn_consumer(len(tree.vertices), seed, bayesian=bayesian)
    values = [sum(propose_by_columns(tree, Rational(level), consumer, plain=plain)[1].potentials) for plain in (False, True)]
    assert values[0] == values[1] == sum(propose_optimum(Problem(tree, PrivacyLevel(level), consumer), plain=True).dual.potentials)


@settings(max_examples=40)
@given(own.trees(2, 8), LEVELS, SEEDS, st.booleans())
def test_faces_of_a_tree(drawn, level, seed, bayesian):
    tree = Graph(range(len(drawn.vertices)), drawn.edges)
    consumer = drawn_consumer(len(tree.vertices), seed, bayesian=bayesian)
    assume(any(any(row) for row in consumer.loss.matrix.rows()))
    found = propose_on_face(tree, Rational(level), consumer)
    if found is not None:  # otherwise the caller has columns of rays
        mechanism, dual = found
        plain = propose_optimum(Problem(tree, PrivacyLevel(level), consumer), plain=True)
        assert sum(dual.potentials) == consumer.loss_of(mechanism) == consumer.loss_of(plain.mechanism)
        assert dual.edges is None
        assert dual_bound(tree, PrivacyLevel(level), consumer, dual).value == sum(dual.potentials)
        assert is_private(mechanism, tree, level).proved


@settings(max_examples=20)
@given(st.integers(3, 5), LEVELS, SEEDS, st.booleans())
def test_components_of_a_graph(size, level, seed, bayesian):
    graph, consumer = Graph.cycle(size), drawn_consumer(size, seed, bayesian=bayesian)
    assume(any(any(row) for row in consumer.loss.matrix.rows()))
    found = propose_by_components(graph, Rational(level), consumer)
    if found is not None:  # otherwise the caller has the linear program
        plain = propose_optimum(Problem(graph, PrivacyLevel(level), consumer), plain=True)
        assert sum(found[1].potentials) == consumer.loss_of(plain.mechanism)


@settings(max_examples=30)
@given(st.integers(1, 6), LEVELS, SEEDS, st.booleans())
def test_weights_and_remaps_on_a_path(n, level, seed, bayesian):
    consumer, alpha = drawn_consumer(n + 1, seed, bayesian=bayesian, monotone=True), Rational(level)
    losses = []
    for plain in (False, True):
        found = propose_path_optimum(n, alpha, consumer, plain=plain)
        remap = ExactMatrix([[row.get(r, Rational(0)) for r in range(n + 1)] for row in found.remap])
        losses.append(consumer.loss_of(Mechanism(geometric(n, alpha).matrix @ remap)))
    assert losses[0] == losses[1]


@settings(max_examples=20)
@given(st.integers(1, 4), st.integers(1, 4), SEEDS, st.booleans())
def test_best_remaps(inputs, outputs, seed, bayesian):
    rng = random.Random(seed)
    mechanism, consumer = random_mechanism(inputs, outputs, rng), drawn_consumer(inputs, seed, bayesian=bayesian)
    losses = []
    for plain in (False, True):
        remap, _ = propose_remap(mechanism, consumer, plain=plain)
        losses.append(consumer.loss_of(Mechanism(mechanism.matrix @ remap.matrix)))
    assert losses[0] == losses[1]


@settings(max_examples=30)
@given(own.trees(2, 6), LEVELS, SEEDS)
def test_solutions_that_are_nowhere_negative(tree, level, seed):
    rng, level = random.Random(seed), PrivacyLevel(level)
    cells = ConstraintMatrix.of(tree).cells()
    right = [Rational(rng.randrange(1, 9)) for _ in cells.members]
    quotient = ExactMatrix(cells.quotient(level))
    sizes = [len(cell) for cell in cells.members]
    answers = []
    for plain in (False, True):
        holds, numbers = nonnegative_solution(cells, level, right, plain=plain)
        product = list((quotient @ ExactMatrix([[x] for x in numbers])).column(0))
        if holds:
            assert min(numbers) >= 0
            assert product == right
        else:
            assert min(product) >= 0
            assert sum(s * b * w for s, b, w in zip(sizes, right, numbers, strict=True)) < 0
        answers.append(holds)
    assert answers[0] == answers[1]


@settings(max_examples=30)
@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), SEEDS, st.booleans())
def test_post_processings_and_separators(inputs, outputs, more, seed, derived):
    rng = random.Random(seed)
    source = random_mechanism(inputs, outputs, rng)
    step = random_mechanism(outputs, more, rng)
    target = Mechanism(source.matrix @ step.matrix) if derived else random_mechanism(inputs, more, rng)
    kinds = []
    for plain in (False, True):
        found = propose_post_processing(source, target, plain=plain)
        if isinstance(found, ExactMatrix):
            assert separates(found, source.matrix, target.matrix)
        else:
            assert source.matrix @ found.matrix == target.matrix
        kinds.append(isinstance(found, ExactMatrix))
    assert kinds[0] == kinds[1]
    assert not (derived and kinds[0])
