# SPDX-License-Identifier: MIT
"""Answers from elsewhere: a claimed optimum against two searches, and duals that HiGHS finds in a linear
program that is not ours, with its rows in another order.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import (
    BayesianConsumer,
    Dual,
    Gain,
    Interval,
    MinimaxConsumer,
    PrivacyLevel,
    Rational,
    RationalFunctionField,
    RegionField,
    certify,
    dual_bound,
    dual_template,
    is_optimum_value,
    nearest_dual,
    neighbours,
    optimum,
    optimum_by_level,
    read_dual,
    verify_optimal,
)
from exactdp.checker import check_bytes
from exactdp.errors import ExactDPError, InputError, ShapeError


def solved_elsewhere(near, alpha, consumer):
    """The marginals of HiGHS for the textbook program, as the lines of a CSV in the order of its rows."""
    highspy = pytest.importorskip("highspy")
    loss = [[float(x) for x in row] for row in consumer.loss.matrix.rows()]
    n, k, a = len(loss), len(loss[0]), float(Fraction(alpha))
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    prior = [float(w) for w in consumer.prior.weights] if isinstance(consumer, BayesianConsumer) else None
    for i in range(n):
        for r in range(k):
            solver.addVar(0, highspy.kHighsInf)
            if prior is not None:
                solver.changeColCost(i * k + r, prior[i] * loss[i][r])
    names = []

    def row(name, low, high, terms):
        solver.addRow(low, high, len(terms), np.array(list(terms), dtype=np.int32), np.array(list(terms.values())))
        names.append(name)

    for i, j, _ in near.pairs():
        for r in range(k):
            for x, y in ((i, j), (j, i)):
                row(f"privacy,{x},{y},{r}", -highspy.kHighsInf, 0.0, {x * k + r: -1.0, y * k + r: a})
    if prior is None:
        solver.addVar(-highspy.kHighsInf, highspy.kHighsInf)
        solver.changeColCost(n * k, 1.0)
        for i in consumer.side_information.indices:
            row(f"weight,{i},,", -highspy.kHighsInf, 0.0, {i * k + r: loss[i][r] for r in range(k)} | {n * k: -1.0})
    for i in range(n):
        row(f"potential,{i},,", 1.0, 1.0, {i * k + r: 1.0 for r in range(k)})
    solver.run()
    return "\n".join(f"{name},{value!r}" for name, value in zip(names, solver.getSolution().row_dual, strict=True))


@pytest.mark.parametrize("graph", ["path:4", "cycle:4", "star:4", "complete:3"])
@pytest.mark.parametrize("alpha", ["1/2", "1/3", "9/10"])
@pytest.mark.parametrize("who", [MinimaxConsumer("zero-one"), MinimaxConsumer("distance"), BayesianConsumer("zero-one", "uniform")])
def test_the_marginals_of_a_solver_prove_nearly_the_optimum(graph, alpha, who):
    near = neighbours(graph)
    consumer = who.over(near.vertices, near)
    found = nearest_dual(near, alpha, consumer, read_dual(solved_elsewhere(near, alpha, consumer), near, consumer))
    best = optimum(near, alpha, consumer).evidence.value
    assert found.value <= best
    assert best - found.value < Fraction(1, 10**6)
    assert dual_bound(near, alpha, consumer, found.dual).value == found.value


def test_a_dual_that_proves_the_optimum_makes_a_certificate():
    near = neighbours("cycle:4")
    consumer = MinimaxConsumer("zero-one").over(near.vertices, near)
    found = nearest_dual(near, "1/2", consumer, read_dual(solved_elsewhere(near, "1/2", consumer), near, consumer))
    best = optimum(near, "1/2", consumer).evidence.best
    verdict = verify_optimal(best, near, "1/2", consumer, found.dual)
    assert verdict.proved
    assert check_bytes(certify(verdict).to_json().encode()).status == "accepted"


def test_weights_alone_prove_something_where_they_are_no_dual():
    found = nearest_dual("cycle:4", "1/2", MinimaxConsumer("distance"), Dual(["1/4"] * 4))
    assert found.value == 0
    assert "a dual on a path only" in str(found.fault)
    with pytest.raises(ShapeError):
        nearest_dual("cycle:4", "1/2", MinimaxConsumer("distance"), Dual(["1/2"] * 2))


numbers = st.fractions(min_value=-2, max_value=2, max_denominator=50)


@settings(max_examples=60)
@given(
    weights=st.lists(numbers, min_size=3, max_size=3),
    potentials=st.none() | st.lists(numbers, min_size=3, max_size=3),
    edges=st.none() | st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=2, max_size=2),
)
def test_whatever_is_given_proves_no_more_than_is_true(weights, potentials, edges):
    if potentials is None:
        edges = None
    found = nearest_dual("path:3", "1/2", MinimaxConsumer("zero-one"), Dual(weights, potentials, edges))
    assert found.value <= optimum("path:3", "1/2", MinimaxConsumer("zero-one")).evidence.value


@pytest.mark.parametrize("who", [MinimaxConsumer("abs"), BayesianConsumer("zero-one", ["1/2", "1/4", "1/4"])])
def test_a_value_and_its_neighbour_are_told_apart(who):
    best = optimum("path:3", "1/3", who).evidence.value
    right, wrong = (is_optimum_value("path:3", "1/3", who, value) for value in (str(best), best + Fraction(1, 10**30)))
    assert right.proved
    assert wrong.refuted
    for verdict in (right, wrong):
        assert check_bytes(certify(verdict).to_json().encode()).status == "accepted"
        assert certify(verdict).claim["value"] == str(best)


def test_a_gain_is_stated_as_a_gain():
    who = BayesianConsumer(Gain([[1, 0], [0, 1]]), "uniform")
    utility = optimum("path:2", "1/2", who).evidence.value
    assert utility == Fraction(2, 3)
    assert is_optimum_value("path:2", "1/2", who, "2/3").proved
    assert is_optimum_value("path:2", "1/2", who, "-2/3").refuted


def test_a_formula_for_all_levels_is_compared_on_every_piece():
    values = optimum_by_level("path:4", MinimaxConsumer("abs")).evidence.values
    assert len(values) >= 1
    formula = str(values[0].value)
    verdict = is_optimum_value("path:4", PrivacyLevel.symbolic(), MinimaxConsumer("abs"), formula)
    assert verdict.proved == (len(values) == 1)
    assert is_optimum_value("path:4", PrivacyLevel.symbolic(), MinimaxConsumer("abs"), f"{formula} + (a - 1/2)").refuted


def test_a_formula_with_a_pole_is_refused_even_if_it_cancels():
    who, formula = MinimaxConsumer("abs"), "2*a/(1 + 2*a - a^2)"
    assert is_optimum_value("path:3", PrivacyLevel.symbolic(), who, formula).proved
    with pytest.raises(InputError, match=r"divides by 2\*a - 1, which is zero"):
        is_optimum_value("path:3", PrivacyLevel.symbolic(), who, f"{formula}*(2*a - 1)/(2*a - 1)")
    assert is_optimum_value("path:3", PrivacyLevel.symbolic((0, "1/2")), who, f"{formula}*(2*a - 1)/(2*a - 1)").proved


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weight,7,,,1", "there is no input '7'"),
        ("weight,0,1,,1", "weight is followed by an input"),
        ("privacy,0,2,0,1", "are not neighbours"),
        ("privacy,0,1,9,1", "there is no guess '9'"),
        ("weight,0,,,1\nweight,0,,,1", "line 2: this weight is there twice"),
        ("slack,0,,,1", "line 1: a dual's line is"),
        ("weight,0,,,one", "line 1"),
        ("weight,0,,,nan", "line 1"),
    ],
)
def test_lines_of_another_form_are_refused(text, message):
    with pytest.raises(InputError, match=message):
        read_dual(text, neighbours("path:3"), MinimaxConsumer("zero-one"))


def test_the_template_read_back_is_a_dual_without_numbers():
    near, who = neighbours("cycle:3"), MinimaxConsumer("zero-one")
    empty = read_dual(dual_template(near, who), near, who)
    assert set(empty.weights) == {0}
    assert empty.potentials is None
    assert empty.edges is None


def test_marginals_of_the_other_sign_are_the_same_dual():
    near, who = neighbours("path:2"), MinimaxConsumer("zero-one")
    text = "weight,0,,,{0}1/2\nweight,1,,,{0}1/2\nprivacy,0,1,0,{0}1/6\nprivacy,1,0,1,{0}1/6\npotential,0,,,1/6\npotential,1,,,1/6"
    plus, minus = (read_dual(text.format(sign), near, who) for sign in ("", "-"))
    assert plus == minus
    assert plus.edges == ((Fraction(1, 6), Fraction(-1, 6)),)


ZERO_ONE = MinimaxConsumer("zero-one")
FORMULA = RationalFunctionField().gen / (1 + RationalFunctionField().gen)


@pytest.mark.parametrize(
    "level", ["1/2", PrivacyLevel(epsilon=1), sympy.sqrt(2) / 2, PrivacyLevel.symbolic(), PrivacyLevel("a", letters="0 < a < 1")]
)
def test_a_function_of_the_level_is_claimed_at_the_level_asked_about(level):
    """As its text is: the formula that was found for all levels was refuted at each of them."""
    for claimed in (str(FORMULA), FORMULA, FORMULA.to_sympy()):
        assert is_optimum_value("path:2", level, ZERO_ONE, claimed).proved
    for claimed in (str(FORMULA / 2), FORMULA / 2, (FORMULA / 2).to_sympy()):
        assert is_optimum_value("path:2", level, ZERO_ONE, claimed).refuted


@pytest.mark.parametrize(
    ("level", "claimed", "words"),
    [
        ("1/2", FORMULA.restrict(Interval("2/3", 1)), "is known on (2/3, 1) only, and asked about at the level 1/2"),
        (PrivacyLevel(epsilon=1), FORMULA.restrict(Interval("2/3", 1)), "is known on (2/3, 1) only"),
        ("1/2", 1 / (1 - 2 * FORMULA.field.gen), "is not defined at the level 1/2"),
        ("1/2", RegionField("0 < a < 1")("a/(1+a)"), "has letters, and what is asked about has none"),
        (PrivacyLevel("b", letters="0 < b < 1"), FORMULA, "a/(a + 1) is in QQ(a) on (0, 1), not in QQ(b)"),
        ("1/2", np.float32(0.5), "0.5 is a float"),
        ("1/2", np.float16(0.5), "0.5 is a float"),
        (PrivacyLevel.symbolic(), np.longdouble(0.5), "0.5 is a float"),
        ("1/2", np.array(0.5), "is not a rational number"),
        ("1/2", sympy.Float(0.5), "0.500000000000000 is a Float"),
        (PrivacyLevel(epsilon=1), sympy.Float(0.5) * sympy.exp(-1), "has the Float 0.5"),
        ("1/2", None, "None"),
    ],
)
def test_claimed_values_that_are_no_exact_value_there_are_refused(level, claimed, words):
    with pytest.raises(ExactDPError) as caught:
        is_optimum_value("path:2", level, ZERO_ONE, claimed)
    assert words in caught.value.message


def test_a_claimed_constant_is_that_number_whatever_its_field():
    for third in (Rational("1/3"), FORMULA.field("1/3"), RegionField("0 < p < 1")("1/3"), Fraction(1, 3), sympy.Rational(1, 3)):
        assert is_optimum_value("path:2", "1/2", ZERO_ONE, third).proved
        assert is_optimum_value("path:2", PrivacyLevel("b", letters="0 < b < 1"), ZERO_ONE, third).refuted
