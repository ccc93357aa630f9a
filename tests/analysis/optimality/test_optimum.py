"""Optima and gaps: known values, two routes to one bound, users' own duals."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems

from exactdp import (
    BayesianConsumer,
    Dual,
    ExactMatrix,
    Loss,
    Mechanism,
    MinimaxConsumer,
    Prior,
    PrivacyLevel,
    Rational,
    Remap,
    SideInformation,
    certify,
    dual_bound,
    geometric,
    identity,
    is_best_remap,
    is_optimal,
    is_optimal_after_remap,
    is_optimum_unique,
    is_optimum_value,
    is_remap_unique,
    neighbours,
    optimum,
    uniform,
    verify_optimal,
)
from exactdp.analysis.optimality.dual import explicit_dual
from exactdp.errors import CertificateError, DomainError, InputError, LabelError
from exactdp.lp.problem import Optimal
from exactdp.lp.solve import solve
from exactdp.model.consumer import Problem
from exactdp.search.optimal_mechanism import mechanism_program

QUARTER = PrivacyLevel("1/4")
PATH = neighbours("path:4")
G = geometric(3, "1/4")
MEAN = MinimaxConsumer(Loss.absolute(PATH.vertices))
MEAN_OF_THREE = MinimaxConsumer("abs")


def test_table_1():
    verdict = is_optimal_after_remap(G, PATH, QUARTER, MEAN)
    assert verdict.proved
    assert verdict.evidence.value == Rational("168/415")
    assert certify(verdict).kind == "optimal-after-remap"
    unique = is_remap_unique(G, MEAN)
    assert unique.proved
    assert unique.evidence.first.matrix == ExactMatrix([["68/83", "15/83", 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, "15/83", "68/83"]])
    assert certify(unique).kind == "unique-remap"
    printed = Remap(ExactMatrix([["9/11", "2/11", 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, "2/11", "9/11"]]), G.outputs, PATH.vertices)
    judged = is_best_remap(G, MEAN, printed)
    assert judged.refuted
    assert judged.evidence.gap == Rational("63/73040")
    assert certify(judged).kind == "not-optimal-remap"


def test_closed_form_of_the_optimum():
    """n = 3, |i−r|, S = everything: 2a(a²+a+1)/((a+1)(1+a+a²−a³))."""
    for text in ["1/1000", "1/7", "1/2", "9/10", "999/1000"]:
        a = Rational(text)
        value = 2 * a * (a**2 + a + 1) / ((a + 1) * (1 + a + a**2 - a**3))
        assert optimum(PATH, PrivacyLevel(a), MEAN).evidence.value == value


def test_two_inputs_by_hand():
    """Randomised response: with [i ≠ r] on two inputs the optimum is a/(1+a)."""
    path = neighbours("path:2")
    for text in ["1/3", "5/7"]:
        a = Rational(text)
        best = optimum(path, PrivacyLevel(a), MinimaxConsumer(Loss.zero_one(path.vertices)))
        assert best.evidence.value == a / (1 + a)


@pytest.mark.slow
@settings(max_examples=40)
@given(problems(max_vertices=4))
def test_every_optimum_is_what_the_full_lp_says_and_has_a_certificate(problem):
    graph, level, consumer = problem
    verdict = optimum(graph, level, consumer)
    answer = solve(mechanism_program(Problem(graph, level, consumer)).lp, proposer=None)
    assert isinstance(answer, Optimal)
    assert answer.value == verdict.evidence.value
    assert certify(verdict).kind == "optimal"


@pytest.mark.slow
@settings(max_examples=40)
@given(problems(max_vertices=3))
def test_uniqueness_is_certified_either_way(problem):
    verdict = is_optimum_unique(*problem)
    assert verdict.decision.value != "undecided"
    assert certify(verdict).kind == ("unique" if verdict.proved else "not-unique")


def test_not_private_is_the_first_reason():
    verdict = is_optimal(identity(PATH.vertices), PATH, QUARTER, MEAN)
    assert verdict.refuted
    assert verdict.evidence.privacy.violated
    assert verdict.evidence.gap < 0
    assert certify(verdict).kind == "not-private"


def test_gap_as_deployed_and_after_remap():
    flat = uniform(PATH.vertices)
    deployed = is_optimal(flat, PATH, QUARTER, MEAN)
    after = is_optimal_after_remap(flat, PATH, QUARTER, MEAN)
    assert deployed.evidence.loss == Rational(3, 2)
    assert after.evidence.loss == Rational(3, 2)
    assert after.evidence.gap == Rational("3/2") - Rational("168/415")
    assert certify(deployed).kind == "not-optimal"
    assert certify(after).kind == "not-optimal-after-remap"


def test_other_outputs_suggest_a_remap():
    two = Mechanism(ExactMatrix([[1, 0]] * 4), PATH.vertices)
    with pytest.raises(LabelError, match="after-remap"):
        is_optimal(two, PATH, QUARTER, MEAN)
    assert is_optimal_after_remap(two, PATH, QUARTER, MEAN).refuted


def test_a_users_dual_is_checked_and_not_believed():
    best = optimum(PATH, QUARTER, MEAN).evidence
    assert verify_optimal(best.best, PATH, QUARTER, MEAN, best.dual).proved
    quarter = Rational(1, 4)
    weak = verify_optimal(best.best, PATH, QUARTER, MEAN, Dual((quarter,) * 4))
    assert weak.decision.value == "undecided"
    assert weak.evidence.value < best.value
    with pytest.raises(Exception, match="undecided"):
        bool(weak)
    bad = verify_optimal(best.best, PATH, QUARTER, MEAN, Dual((Rational(2), Rational(-1), Rational(0), Rational(0))))
    assert bad.evidence.fault.rule == "weight >= 0"
    nothing = verify_optimal(best.best, PATH, QUARTER, MEAN, Dual(best.dual.weights, (Rational(5),) * 4))
    assert nothing.evidence.fault.rule == "sweep >= 0"


def test_rules_ask_for_their_graphs():
    cycle = neighbours("cycle:4")
    consumer = MinimaxConsumer(Loss.zero_one(cycle.vertices))
    weights = (Rational(1, 4),) * 4
    with pytest.raises(InputError, match="path"):
        dual_bound(cycle, QUARTER, consumer, Dual(weights))
    with pytest.raises(InputError, match="cycle"):
        dual_bound(cycle, QUARTER, consumer, Dual(weights, weights))


def test_irrational_powers_are_refused():
    euclid = neighbours("euclid:2x2")
    with pytest.raises(DomainError):
        optimum(euclid, PrivacyLevel("1/2"), MinimaxConsumer(Loss.zero_one(euclid.vertices)))


def test_side_information_of_one_input_costs_nothing():
    consumer = MinimaxConsumer(MEAN.loss, SideInformation((2,), PATH.vertices))
    verdict = optimum(PATH, QUARTER, consumer)
    assert verdict.evidence.value == 0
    certify(verdict)
    not_unique = is_optimum_unique(PATH, QUARTER, consumer)
    assert not_unique.refuted or not_unique.proved
    certify(not_unique)


def test_prior_with_zeros():
    prior = Prior((Rational(0), Rational(1, 2), Rational(1, 2), Rational(0)), PATH.vertices)
    verdict = optimum(PATH, QUARTER, BayesianConsumer(MEAN.loss, prior))
    lp = mechanism_program(Problem(PATH, QUARTER, BayesianConsumer(MEAN.loss, prior))).lp
    direct = solve(lp)
    assert isinstance(direct, Optimal)
    assert direct.value == verdict.evidence.value
    certify(verdict)


def test_explicit_multipliers_prove_the_same_bound():
    for n, a in [(1, "1/2"), (4, "1/3"), (7, "9/10")]:
        path, level = neighbours(f"path:{n + 1}"), PrivacyLevel(a)
        for loss in (Loss.absolute(path.vertices), Loss.squared(path.vertices), Loss.zero_one(path.vertices)):
            best = optimum(path, level, MinimaxConsumer(loss)).evidence
            full = explicit_dual(path, level, best.consumer, best.dual)
            assert dual_bound(path, level, best.consumer, full).value == best.value
            swept = Dual(full.weights, full.potentials)
            assert dual_bound(path, level, best.consumer, swept).value == best.value


@settings(max_examples=40)
@given(st.integers(0, 3), st.integers(0, 3), st.fractions(-1, 1, max_denominator=50))
def test_reduced_costs_of_a_changed_dual_are_those_of_the_definition(pair, guess, change):
    graph, level, consumer = neighbours("cycle:4"), PrivacyLevel("2/5"), MinimaxConsumer("distance").on("cycle:4")
    dual = optimum(graph, level, consumer).evidence.dual
    edges = [list(row) for row in dual.edges]
    edges[pair][guess] += Rational(change)
    bound = dual_bound(graph, level, consumer, Dual(dual.weights, dual.potentials, edges))
    pays = {(i, j): row for (i, j, _), row in zip(graph.pairs(), edges, strict=True)}
    reduced = []
    for i in range(4):
        for r in range(4):
            left = Fraction(str(dual.weights[i] * consumer.loss.matrix[i, r] - dual.potentials[i]))
            for (one, other), row in pays.items():
                u = Fraction(str(row[r]))
                forth, back = max(u, 0), max(-u, 0)  # multipliers of x_one ≥ α·x_other and of the other way
                left -= {one: forth - Fraction(2, 5) * back, other: back - Fraction(2, 5) * forth}.get(i, 0)
            reduced.append(left)
    assert (bound.value is not None) == (min(reduced) >= 0)
    if bound.fault is not None:
        assert bound.fault.rule == "reduced cost >= 0"
        assert Fraction(str(bound.fault.left)) in reduced


def test_a_stopped_search_is_undecided_with_certain_bounds():
    graph = neighbours("grid:4x4")
    prior = Prior([Rational(i + 1, 136) for i in range(16)], graph.vertices)
    consumer = BayesianConsumer(Loss.from_distance(graph), prior)
    stopped = optimum(graph, PrivacyLevel("1/97"), consumer, time_limit=0)
    assert stopped.decision.value == "undecided"
    lower, upper = stopped.evidence.bounds
    assert lower <= optimum(graph, PrivacyLevel("1/97"), consumer).evidence.value <= upper
    assert consumer.loss_of(stopped.evidence.best) == upper
    judged = is_optimal(uniform(graph.vertices), graph, PrivacyLevel("1/97"), consumer, time_limit=0)
    assert judged.decision.value == "undecided"
    assert is_optimal(identity(graph.vertices), graph, PrivacyLevel("1/97"), consumer, time_limit=0).refuted
    with pytest.raises(CertificateError, match="undecided"):
        certify(stopped)


def test_algebraic_levels_on_a_path():
    """The value of a closed form in the level, and what rational levels on either side enclose."""
    level = sympy.sqrt(2) / 2
    assert optimum("path:3", level, MEAN_OF_THREE).evidence.in_sympy().equals(2 * level / (1 + 2 * level - level**2))
    hit = optimum("path:3", level, BayesianConsumer("zero-one", "uniform")).evidence
    assert hit.in_sympy().equals(4 * level / (3 * (1 + level)))
    for consumer in (MEAN_OF_THREE, BayesianConsumer("abs", "1/2, 1/4, 1/4"), MinimaxConsumer("squared", side_information=[0, 1])):
        best = optimum("path:3", level, consumer).evidence
        low, high = (optimum("path:3", near, consumer).evidence.value for near in ("7/10", "71/100"))
        assert low <= best.value <= high
        assert is_optimal(best.best, "path", level, consumer).proved
        assert is_optimum_value("path:3", level, consumer, best.value).proved
    assert is_optimum_unique("path:3", level, MEAN_OF_THREE).proved
    assert is_optimal_after_remap(geometric(2, level), "path", level, MEAN_OF_THREE).proved
