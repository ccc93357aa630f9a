"""Optima on paths by the fast route: against the definitions, against the generic route, and where doubles
see nothing.
"""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.analysis.optimality.dual import dual_bound
from exactdp.analysis.optimality.path_optimality import path_value
from exactdp.exact import ExactMatrix, ExponentialField, Rational
from exactdp.mechanisms import geometric
from exactdp.model import BayesianConsumer, Dual, Graph, Loss, MinimaxConsumer, Prior, PrivacyLevel, Remap, SideInformation
from exactdp.search.best_remap import propose_remap
from exactdp.search.path import path_optimum
from exactdp.search.path import path_tables as path_table
from exactdp.search.path.path_optimum import propose_over_field, propose_path_optimum
from exactdp.search.path.path_problem import PathProposal, loss_kind
from exactdp.search.path.path_tables import solve_by_rows

NAMED = {"abs": Loss.absolute, "squared": Loss.squared, "zero-one": Loss.zero_one}
LEVELS = ["1/1000", "1/97", "1/10", "1/4", "1/2", "9/10", "999/1000"]


@st.composite
def problems(draw, largest=8):
    """(n, α, consumer): named losses, monotone tables with plateaus, other single-crossing tables, S with
    holes, priors.
    """
    n = draw(st.integers(1, largest))
    alpha = Rational(draw(st.sampled_from([*LEVELS, "3/4", "2/3"])))
    shape = draw(st.sampled_from(["abs", "squared", "zero-one", "monotone", "few guesses"]))
    if shape in NAMED:
        loss = NAMED[shape](range(n + 1))
    elif shape == "monotone":
        number = st.builds(Rational, st.integers(0, 20), st.sampled_from([1, 2, 3, 9973, 10**4]))
        rows = [sorted(draw(st.lists(number, min_size=n + 1, max_size=n + 1))) for _ in range(n + 1)]
        loss = Loss([[row[abs(i - r)] for r in range(n + 1)] for i, row in enumerate(rows)])
    else:
        targets = sorted(draw(st.lists(st.integers(0, n), min_size=2, max_size=4, unique=True)))
        heights = draw(st.lists(st.integers(1, 5), min_size=n + 1, max_size=n + 1))
        loss = Loss([[h * abs(i - t) for t in targets] for i, h in enumerate(heights)])
    if draw(st.integers(0, 4)) == 0:
        prior = draw(st.lists(st.integers(0, 9), min_size=n + 1, max_size=n + 1).filter(any))
        return n, alpha, BayesianConsumer(loss, Prior([Rational(w, sum(prior)) for w in prior]))
    known = draw(st.sets(st.integers(0, n), min_size=1)) if draw(st.booleans()) else range(n + 1)
    return n, alpha, MinimaxConsumer(loss, SideInformation(known, range(n + 1)))


def dense(proposal, consumer):
    guesses = len(consumer.loss.guesses)
    rows = [[row.get(r, 0) for r in range(guesses)] for row in proposal.remap]
    return Remap(ExactMatrix(rows), range(len(rows)), consumer.loss.guesses)


def check(n, alpha, consumer, proposal):
    """The exact value, from the integers of path_value and from the definitions."""
    value = path_value(n, alpha, consumer, proposal)
    assert value.valid
    assert value.crossing
    assert value.loss == consumer.loss_of(geometric(n, alpha).post_process(dense(proposal, consumer)))
    assert value.bound == dual_bound(Graph.path(n + 1), PrivacyLevel(alpha), consumer, Dual(proposal.weights)).value
    if loss_kind(n, consumer.loss):
        view = consumer.prior if isinstance(consumer, BayesianConsumer) else consumer.side_information
        plain = type(consumer)(Loss(consumer.loss.matrix.map(lambda x: x * 3)), view)
        tripled = path_value(n, alpha, plain, proposal)
        assert (tripled.loss, tripled.bound) == (3 * value.loss, 3 * value.bound)
    return value


@pytest.mark.slow
@settings(max_examples=250)
@given(problems())
def test_optimal_by_the_definitions_and_by_the_generic_route(problem):
    n, alpha, consumer = problem
    proposal = propose_path_optimum(n, alpha, consumer)
    value = check(n, alpha, consumer, proposal)
    assert value.proves_optimality
    if n <= 5:
        mechanism = geometric(n, alpha)
        assert consumer.loss_of(mechanism.post_process(propose_remap(mechanism, consumer)[0])) == value.loss


@pytest.mark.slow
@settings(max_examples=120)
@given(problems(largest=12))
def test_without_a_float_solver(problem):
    n, alpha, consumer = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "highspy", None)
        assert path_value(n, alpha, consumer, propose_path_optimum(n, alpha, consumer)).proves_optimality


@settings(max_examples=40)
@given(problems(largest=5))
def test_the_last_resort_finds_the_same(problem):
    n, alpha, consumer = problem
    if isinstance(consumer, BayesianConsumer):
        return
    table, known = list(consumer.loss.matrix.rows()), consumer.side_information.indices
    for proposer in ({}, {"proposer": None}):
        assert path_value(n, alpha, consumer, solve_by_rows(n, alpha, known, table, **proposer)).proves_optimality


def test_the_last_resort_is_reached(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    monkeypatch.setattr(path_optimum, "PRECISIONS", ())
    monkeypatch.setattr(path_optimum, "QUICK", ())
    monkeypatch.setattr(path_optimum, "SHORT", ())
    consumer = MinimaxConsumer(Loss.squared(range(7)))
    seen = []
    reached = []
    monkeypatch.setattr(path_table, "solve_by_rows", lambda *a, **k: reached.append(a) or solve_by_rows(*a, **k))
    found = propose_path_optimum(6, Rational("1/3"), consumer, progress=seen.append)
    assert path_value(6, Rational("1/3"), consumer, found).proves_optimality
    assert reached
    assert seen[0].phase == "closed form"


@settings(max_examples=100)
@given(problems(), st.data())
def test_values_of_arbitrary_proposals(problem, data):
    n, alpha, consumer = problem
    guesses = len(consumer.loss.guesses)
    known = range(n + 1) if isinstance(consumer, BayesianConsumer) else consumer.side_information.indices
    if isinstance(consumer, BayesianConsumer):
        weights = consumer.prior.weights
    else:
        raw = [data.draw(st.integers(0, 5)) if i in known else 0 for i in range(n + 1)]
        raw[known[0]] += 1
        weights = tuple(Rational(x, sum(raw)) for x in raw)
    rows = []
    for _ in range(n + 1):
        masses = data.draw(st.dictionaries(st.integers(0, guesses - 1), st.integers(1, 5), min_size=1, max_size=3))
        rows.append({r: Rational(x, sum(masses.values())) for r, x in masses.items()})
    value = check(n, alpha, consumer, PathProposal(weights, tuple(rows)))
    assert value.loss >= value.bound


def test_faults_are_noticed():
    n, alpha = 3, Rational("1/4")
    consumer = MinimaxConsumer(Loss.absolute(range(4)), SideInformation([0, 1, 3], range(4)))
    good = propose_path_optimum(n, alpha, consumer)
    assert path_value(n, alpha, consumer, good).proves_optimality
    half = Rational("1/2")
    outside = PathProposal((Rational(0), Rational(0), Rational(1), Rational(0)), good.remap)
    heavy = PathProposal((*good.weights[:3], good.weights[3] + half), good.remap)
    negative = PathProposal((good.weights[0] + 2, good.weights[1], Rational(0), good.weights[3] - 2), good.remap)
    thin = PathProposal(good.weights, ({0: half}, *good.remap[1:]))
    wild = PathProposal(good.weights, ({0: 3 * half, 1: -half}, *good.remap[1:]))
    for bad in (outside, heavy, negative, thin, wild):
        assert not path_value(n, alpha, consumer, bad).valid
    crooked = MinimaxConsumer(Loss([[0, 5, 1], [5, 0, 5], [0, 5, 1]]))
    assert not path_value(2, alpha, crooked, PathProposal((Rational("1/3"),) * 3, ({0: Rational(1)},) * 3)).crossing


@pytest.mark.slow
@pytest.mark.parametrize("kind", NAMED)
@pytest.mark.parametrize("level", LEVELS)
def test_named_losses_up_to_a_hundred(kind, level):
    alpha = Rational(level)
    for n in (5, 20, 41, 100):
        for low in (0, 3):
            consumer = MinimaxConsumer(NAMED[kind](range(n + 1)), SideInformation(range(low, n + 1), range(n + 1)))
            found = propose_path_optimum(n, alpha, consumer, kind=kind)
            assert path_value(n, alpha, consumer, found, kind=kind).proves_optimality


@pytest.mark.parametrize(("kind", "level", "n"), [("abs", "1/4", 400), ("squared", "1/4", 400), ("abs", "1/1000000", 60)])
def test_far_beyond_doubles(kind, level, n):
    alpha, consumer = Rational(level), MinimaxConsumer(NAMED[kind](range(n + 1)))
    found = propose_path_optimum(n, alpha, consumer, kind=kind)
    assert path_value(n, alpha, consumer, found, kind=kind).proves_optimality


@pytest.mark.parametrize("kind", NAMED)
@pytest.mark.parametrize("level", ["1/1000", "1/4"])
def test_holes_far_beyond_doubles(kind, level):
    n, alpha = 40, Rational(level)
    known = [i for i in range(n + 1) if i * i % 7 in (0, 2)]
    consumer = MinimaxConsumer(NAMED[kind](range(n + 1)), SideInformation(known, range(n + 1)))
    found = propose_path_optimum(n, alpha, consumer)
    assert path_value(n, alpha, consumer, found).proves_optimality


def test_a_long_path_without_a_float_solver(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    for kind, n in (("abs", 151), ("squared", 120)):
        alpha, consumer = Rational("1/10"), MinimaxConsumer(NAMED[kind](range(n + 1)))
        found = propose_path_optimum(n, alpha, consumer, kind=kind)
        assert path_value(n, alpha, consumer, found, kind=kind).proves_optimality


@pytest.mark.slow
@pytest.mark.parametrize("kind", NAMED)
@pytest.mark.parametrize("alpha", [Rational(1, 10**400), 1 - Rational(1, 10**40)])
def test_levels_that_no_double_holds(kind, alpha):
    for known in (range(8), (0, 2, 3, 7)):
        consumer = MinimaxConsumer(NAMED[kind](range(8)), SideInformation(known, range(8)))
        assert path_value(7, alpha, consumer, propose_path_optimum(7, alpha, consumer)).proves_optimality


@pytest.mark.parametrize("kind", [*NAMED, None])
def test_bayesian_on_a_long_path(kind):
    n, alpha = 60, Rational("2/3")
    prior = Prior([Rational(1 + i * 37 % 11, sum(1 + k * 37 % 11 for k in range(n + 1))) for i in range(n + 1)])
    loss = Loss(Loss.squared(range(n + 1)).matrix.map(lambda x: x + x * x)) if kind is None else NAMED[kind](range(n + 1))
    consumer = BayesianConsumer(loss, prior)
    assert path_value(n, alpha, consumer, propose_path_optimum(n, alpha, consumer, kind=kind), kind=kind).proves_optimality


@pytest.mark.parametrize(
    ("epsilon", "n", "known"), [("1/20", 7, None), ("1/2", 11, None), ("1/10", 9, (0, 2, 3, 5, 6, 9)), ("2", 11, (3, 5, 8, 10))]
)
def test_an_even_number_of_inputs_over_a_field(epsilon, n, known):
    """The weights are not unique. The route failed, and the linear program takes a hundred times longer."""
    alpha = ExponentialField(epsilon).gen
    labels = tuple(range(n + 1))
    for loss in (Loss.absolute(labels), Loss.squared(labels)):
        consumer = MinimaxConsumer(loss, None if known is None else SideInformation(known, labels))
        found = propose_over_field(n, alpha, consumer)
        assert found is not None
        assert path_value(n, alpha, consumer, found).proves_optimality
