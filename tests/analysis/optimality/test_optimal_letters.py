# SPDX-License-Identifier: MIT
"""Optima with letters: formulas found by hand, and what is proved or refuted against numbers at points."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import (
    BayesianConsumer,
    Dual,
    ExactMatrix,
    Gain,
    Loss,
    Mechanism,
    MinimaxConsumer,
    PrivacyLevel,
    certify,
    dual_bound,
    gap_between,
    geometric,
    is_optimal,
    is_optimal_after_remap,
    is_optimum_unique,
    is_optimum_value,
    is_remap_unique,
    nearest_dual,
    neighbours,
    optimum,
    optimum_by_level,
    verify_optimal,
)
from exactdp.analysis.optimality.letters_at_point import at_point, mechanism_at, problem_at
from exactdp.analysis.optimality.mechanism_optimality import OptimalityAtPoint
from exactdp.analysis.optimality.optimum import OptimumAtPoint
from exactdp.checker import check_bytes
from exactdp.errors import InputError, UndecidedSignError
from exactdp.exact import Rational, Region, RegionField
from exactdp.model.consumer import Problem


def field_of(letters, *where):
    return RegionField(Region(letters, where=where))


def accepted(verdict):
    answer = check_bytes(certify(verdict).to_json().encode())
    assert answer.status == "accepted", answer.sentence
    return answer.sentence


def two_inputs(field, cost, level):
    """The loss is 1 for a wrong guess at input 0, and `cost` at input 1."""
    return "path:2", PrivacyLevel(level), MinimaxConsumer(Loss(ExactMatrix([[0, 1], [field(cost), 0]])))


# By hand: x = P(1|0) and y = P(0|1) have the losses x and c·y, equal at the optimum. Privacy asks that
# x ≥ a(1 − y) and y ≥ a(1 − x). The first is tight for c ≤ 1, the second for c ≥ 1.
BY_HAND = {
    "(0, 1]": ("a*c/(a+c)", "a/(a+c)", ("c/(a+c)", "a/(a+c)")),
    "[1, oo)": ("a*c/(1+a*c)", "a/(1+a*c)", ("a*c/(1+a*c)", "1/(1+a*c)")),
}


@pytest.mark.parametrize("costs", BY_HAND)
def test_the_minimax_optimum_of_two_inputs_by_hand(costs):
    field = field_of({"a": "(0, 1)", "c": costs})
    x, y, weights = BY_HAND[costs]
    problem = two_inputs(field, "c", field("a"))
    mechanism = Mechanism([[1 - field(x), field(x)], [field(y), 1 - field(y)]])
    verdict = verify_optimal(mechanism, *problem, Dual(weights))
    assert verdict.proved
    assert verdict.evidence.value == field(x)
    assert "every a, c" in str(verdict.scope)
    assert "every a, c" in accepted(verdict)
    assert accepted(is_optimum_value(*problem, x, mechanism=mechanism, dual=Dual(weights)))
    found = optimum(*problem)
    assert found.proved
    assert found.evidence.value == field(x)
    assert accepted(found)
    other = next(value for other, (value, _, _) in BY_HAND.items() if other != costs)
    wrong = is_optimum_value(*problem, other, mechanism=mechanism, dual=Dual(weights))
    assert wrong.refuted
    assert accepted(wrong)


BAYESIAN = [  # the condition of each part, the mechanism, and its loss
    (["a*c*(1-w) <= w", "a*w <= c*(1-w)"], [["1/(1+a)", "a/(1+a)"], ["a/(1+a)", "1/(1+a)"]], "a*(w+c*(1-w))/(1+a)"),
    (["a*c*(1-w) >= w", "a*w <= c*(1-w)"], [[0, 1], [0, 1]], "w"),
    (["a*w >= c*(1-w)", "a*c*(1-w) <= w"], [[1, 0], [1, 0]], "c*(1-w)"),
]


@pytest.mark.parametrize(("where", "rows", "value"), BAYESIAN)
def test_the_bayesian_optimum_of_two_inputs_by_hand(where, rows, value):
    field = field_of({"a": "(0, 1)", "c": "(0, oo)", "w": "(0, 1)"}, *where)
    prior = [field("w"), field("1-w")]
    who = BayesianConsumer(Loss(ExactMatrix([[0, 1], [field("c"), 0]])), prior)
    mechanism = Mechanism(ExactMatrix([[field(x) for x in row] for row in rows]))
    level = PrivacyLevel(field("a"))
    verdict = verify_optimal(mechanism, "path:2", level, who, Dual(prior))
    assert verdict.proved
    assert verdict.evidence.value == field(value)
    assert accepted(verdict)
    assert is_optimum_value("path:2", level, who, value, mechanism=mechanism, dual=Dual(prior)).proved


@pytest.mark.parametrize("graph", ["complete:3", "star:4", "cycle:4"])
def test_other_neighbours_and_rules(graph):
    field = field_of({"a": "(0, 1)", "c": "(0, oo)"})
    size = int(graph[-1])
    loss = Loss(ExactMatrix([[field("c") * int(i != r) for r in range(size)] for i in range(size)]))
    problem = graph, PrivacyLevel(field("a")), MinimaxConsumer(loss)
    found = optimum(*problem)
    if graph == "complete:3":  # x_ii = 1/(1 + 2a) and all else a/(1 + 2a)
        assert found.proved
        assert found.evidence.value == field("2*a*c/(1+2*a)")
    if not found.proved:
        return
    assert accepted(found)
    for point in field.region.points(3):
        assert at_point(found.evidence.value, point) == optimum(*problem_at(Problem(*_posed(problem)), point)).evidence.value
    assert verify_optimal(found.evidence.best, *problem, found.evidence.dual).proved
    if graph == "star:4":  # the forest rule says the same with weights and potentials alone
        short = Dual(found.evidence.dual.weights, found.evidence.dual.potentials)
        assert dual_bound(*problem, short).value == found.evidence.value


def _posed(problem):
    from exactdp.analysis.arguments import Arguments

    neighbours, level, consumer = problem
    return Arguments(neighbours=neighbours, level=level, consumer=consumer).problem


@pytest.mark.mostly_slow(1)
@pytest.mark.parametrize("graph", ["cycle:4", "complete:4"])
def test_parts_are_those_of_the_optimum_by_level(graph):
    """The other route: the pieces in the level, from intervals around algebraic numbers."""
    near = neighbours(graph)
    field = field_of({"a": "(0, 1)", "c": "(0, oo)"})
    scaled = MinimaxConsumer(Loss(ExactMatrix([[field("c") * abs(i - r) for r in range(4)] for i in range(4)])))
    pieces = optimum_by_level(near, MinimaxConsumer(Loss.absolute(near.vertices))).evidence
    found = optimum(graph, PrivacyLevel(field("a")), scaled)
    parts = (found,) if found.proved else found.evidence.parts  # which bases are met depends on who proposes
    assert parts
    for part in parts:
        assert accepted(part)
        region = part.evidence.value.field.region
        for point in region.points(4):
            assert part.evidence.value.value(point) == point["c"] * pieces.value_at(point["a"])


def test_a_gain_with_a_letter_is_stated_as_a_gain():
    field = field_of({"a": "(0, 1)", "g": "(0, oo)"})
    who = BayesianConsumer(Gain([[field("g"), 0], [0, field("g")]]), "uniform")
    verdict = is_optimum_value("path:2", PrivacyLevel(field("a")), who, "g/(1+a)")
    assert verdict.proved
    assert accepted(verdict)
    assert is_optimum_value("path:2", PrivacyLevel(field("a")), who, "-g/(1+a)").refuted


def test_a_mechanism_that_is_not_private_is_refuted_at_a_point():
    field = field_of({"p": "(0, 1/2)"})
    p = field("p")
    problem = "path:2", PrivacyLevel("1/3"), MinimaxConsumer("zero-one")
    mechanism = Mechanism([[1 - p, p], [p, 1 - p]])
    verdict = verify_optimal(mechanism, *problem, Dual(["1/2", "1/2"]))
    assert verdict.refuted
    assert isinstance(verdict.evidence, OptimalityAtPoint)
    assert verdict.evidence.point["p"] < Fraction(1, 4)
    assert "is not (α = 1/3)-private" in accepted(verdict)
    assert "one point" in accepted(verdict)
    here = field_of({"p": "[1/4, 1/2)"})
    p = here("p")
    verdict = verify_optimal(Mechanism([[1 - p, p], [p, 1 - p]]), *problem, Dual(["1/2", "1/2"]))
    assert verdict.refuted  # private everywhere, and optimal at p = 1/4 alone
    assert verdict.evidence.gap > 0
    assert "is as private" in accepted(verdict)


def test_a_dual_that_breaks_a_condition_somewhere_says_where():
    field = field_of({"a": "(0, 1)", "c": "(0, 1]"})
    problem = two_inputs(field, "c", field("a"))
    bound = dual_bound(*problem, Dual(["2*c", "1-2*c"]))
    assert bound.value is None
    assert bound.fault.rule == "weight >= 0"
    assert bound.fault.at["c"] > Fraction(1, 2)
    assert "for a = " in str(bound.fault)
    assert dual_bound(*problem, Dual(["c", "c"])).fault.rule == "weights sum to 1"
    with pytest.raises(UndecidedSignError, match="no guess is the best one everywhere"):
        dual_bound(*problem, Dual(["1/2", "1/2"]))
    x, y, _ = BY_HAND["(0, 1]"]
    mechanism = Mechanism([[1 - field(x), field(x)], [field(y), 1 - field(y)]])
    assert verify_optimal(mechanism, *problem, Dual(["1/2", "1/2"])).decision.value == "undecided"
    assert nearest_dual(*problem, Dual(["1/2", "1/2"])).value == 0


def test_a_claimed_value_with_a_pole_is_refused_with_the_point():
    field = field_of({"a": "(0, 1)", "c": "(0, 1]"})
    problem = two_inputs(field, "c", field("a"))
    with pytest.raises(InputError, match="which is zero at a = 1/2"):
        is_optimum_value(*problem, "a*c*(a-1/2)/((a+c)*(a-1/2))")


def test_where_there_is_no_one_formula_a_wrong_value_is_refuted_at_a_point():
    field = field_of({"a": "(0, 1)", "c": "(0, oo)"})
    problem = two_inputs(field, "c", field("a"))
    both = optimum(*problem)
    assert both.decision.value == "undecided"
    assert {str(part.evidence.value) for part in both.evidence.parts} == {"a*c/(a + c)", "a*c/(a*c + 1)"}
    for part in both.evidence.parts:
        assert part.proved
        assert accepted(part)
    verdict = is_optimum_value(*problem, "a*c/(a+c)")
    assert verdict.refuted
    assert isinstance(verdict.evidence, OptimumAtPoint)
    assert verdict.evidence.point["c"] > 1
    assert "one point" in accepted(verdict)


FORMULAS = ["0", "1/2", "1", "a", "c", "1-c", "a*c", "c/(a+c)", "a/(a+c)", "a*c/(a+c)", "1/(1+a*c)", "a*c/(1+a*c)", "-a*c", "a-1"]
formulas = st.sampled_from(FORMULAS)


@settings(max_examples=60)
@given(
    weight=formulas,
    potentials=st.none() | st.tuples(formulas, formulas),
    edges=st.none() | st.tuples(formulas, formulas),
    costs=st.sampled_from(["(0, 1]", "[1, 2)", "(0, 2)"]),
)
def test_no_dual_with_letters_proves_more_than_is_true(weight, potentials, edges, costs):
    field = field_of({"a": "(0, 1)", "c": costs})
    problem = two_inputs(field, "c", field("a"))
    dual = Dual([weight, f"1-({weight})"], potentials, None if potentials is None or edges is None else [edges])
    try:
        bound = dual_bound(*problem, dual).value
    except UndecidedSignError:
        return
    if bound is None:
        return
    for point in itertools.islice(field.region.points(40), 30, 36):
        least = optimum(*problem_at(Problem(*_posed(problem)), point)).evidence.value
        assert at_point(bound, point) <= least


@settings(max_examples=25)
@given(x=formulas, y=formulas, weight=formulas, costs=st.sampled_from(["(0, 1]", "[1, 2)"]))
def test_what_is_proved_holds_at_points_and_what_is_refuted_fails_at_its_own(x, y, weight, costs):
    field = field_of({"a": "(0, 1)", "c": costs})
    problem = two_inputs(field, "c", field("a"))
    try:
        mechanism = Mechanism([[1 - field(x), field(x)], [field(y), 1 - field(y)]])
    except (InputError, UndecidedSignError):
        return
    verdict = verify_optimal(mechanism, *problem, Dual([weight, f"1-({weight})"]))
    posed = Problem(*_posed(problem))
    if verdict.proved:
        assert accepted(verdict)
        for point in itertools.islice(field.region.points(30), 20, 24):
            assert is_optimal(mechanism_at(mechanism, point), *problem_at(posed, point)).proved
    elif verdict.refuted:
        assert accepted(verdict)
        assert field.region.contains(verdict.evidence.point)
        point = verdict.evidence.point
        assert is_optimal(mechanism_at(mechanism, point), *problem_at(posed, point)).refuted
        assert not is_optimal(mechanism, *problem).proved


@pytest.mark.parametrize("graph", ["path:4", "star:4", "cycle:4"])
def test_a_level_that_is_a_quotient(graph):
    """The checker divides by no polynomial: duals and geometric mechanisms are written out."""
    field = field_of({"p": "(0, 1/2)"})
    level, who = PrivacyLevel(field("p/(1-p)")), MinimaxConsumer("zero-one")
    equal = Mechanism([[field("1/4")] * 4] * 4)
    refuted = is_optimal(equal, graph, level, who)
    assert refuted.refuted
    assert "one point" in accepted(refuted)
    found = optimum(graph, level, who)
    assert found.proved
    accepted(found)
    assert accepted(is_optimum_value(graph, level, who, "1/3"))
    after = is_optimal_after_remap(geometric(3, level), graph, level, who)
    assert after.proved == (graph == "path:4")  # elsewhere it is not private
    accepted(after)
    for point in field.region.points(3):
        assert at_point(found.evidence.value, point) == optimum(graph, point["p"] / (1 - point["p"]), who).evidence.value


def test_the_checker_divides_by_facts_of_two_letters():
    """1 - c, packed, is a multiple of 1 - a at every width: the check began again and again."""
    field = field_of({"a": "(0, 1)", "c": "(0, 1)"})
    mechanism = Mechanism([[field("1-a*c"), field("a*c")], [field("a"), field("1-a")]])
    who = BayesianConsumer(Loss(ExactMatrix([[field("c"), field("c")], [1, 1]])), "uniform")
    level = PrivacyLevel(field("a*c*(1-a)*(1-c)/4"))
    verdict = is_optimum_value("path:2", level, who, "(1+c)/2", mechanism=mechanism, dual=Dual(["1/2", "1/2"]))
    assert verdict.proved
    assert accepted(verdict)
    assert at_point(verdict.evidence.value, {"a": Rational("1/2"), "c": Rational("1/3")}) == Fraction(2, 3)


def test_where_the_optimum_has_no_one_formula_nothing_takes_that_at_a_point_for_it():
    field = field_of({"a": "(0, 1)", "c": "(0, oo)"})
    problem = two_inputs(field, "c", field("a"))
    mechanism = Mechanism([[field("1/(1+a)"), field("a/(1+a)")], [field("a/(1+a)"), field("1/(1+a)")]])
    certain = Mechanism([[1, 0], [1, 0]])  # with the loss c everywhere
    with pytest.raises(UndecidedSignError, match="ask on a part"):
        gap_between(certain, *problem)
    with pytest.raises(InputError, match="a, c are letters"):
        is_optimum_unique(*problem)
    with pytest.raises(InputError, match="are letters"):
        is_remap_unique(mechanism, problem[2])
    after = is_optimal_after_remap(mechanism, *problem)
    assert after.decision.value == "undecided"
    assert after.claim.endswith("is the least")
    flat = is_optimal_after_remap([["1/2", "1/2"], ["1/2", "1/2"]], *problem)
    assert flat.refuted
    assert flat.evidence.gap > 0
    accepted(flat)


def test_the_value_at_one_point_is_no_answer_in_sympy():
    region = Region("0 < a < 1, c > 0")
    consumer, level = MinimaxConsumer(Loss([["0", "1"], ["c", "0"]], letters=region)), PrivacyLevel("a", letters=region)
    with pytest.raises(UndecidedSignError, match="undecided"):
        optimum("path:2", level, consumer).as_sympy()
    assert str(is_optimum_value("path:2", level, consumer, "a*c/(a+c)").as_sympy()) == "False"


@pytest.mark.parametrize("claimed", [0.25, None, True])
def test_a_claimed_value_that_is_no_exact_number_is_refused(claimed):
    with pytest.raises(InputError):
        is_optimum_value("path:2", "1/3", MinimaxConsumer("zero-one"), claimed)


def test_a_submission_that_shows_nothing_is_said_to_show_nothing():
    field = field_of({"a": "(0, 1)", "c": "(0, 1]"})
    value, _, weights = BY_HAND["(0, 1]"]
    problem = two_inputs(field, "c", field("a"))
    nobody = Mechanism([[1, 0], [0, 1]])  # private at no level
    verdict = is_optimum_value(*problem, value, mechanism=nobody, dual=Dual(weights[::-1]))
    assert verdict.proved
    assert "The submitted mechanism and dual do not show the optimum" in verdict.claim
    for alone in ({"mechanism": nobody}, {"dual": Dual(weights)}):
        with pytest.raises(InputError, match="give both, or neither"):
            is_optimum_value(*problem, value, **alone)
