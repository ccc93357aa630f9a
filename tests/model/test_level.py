# SPDX-License-Identifier: MIT
"""Levels: range, exact powers, and x ≥ α^d·y for every distance by two routes."""

from __future__ import annotations

import pickle
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import distances, fractions, levels

from exactdp import (
    Loss,
    MinimaxConsumer,
    geometric,
    is_approximately_private,
    is_optimal,
    is_optimal_after_remap,
    is_optimum_unique,
    is_private,
    least_delta,
    neighbours,
    optimum,
    verify_optimal,
)
from exactdp.errors import DomainError, InexactInputError, InputError, ParameterRangeError, RationalSyntaxError, ResourceLimitError
from exactdp.exact import Rational
from exactdp.model import Distance, PrivacyLevel, TightestLevel, as_level

ratios = fractions(0, 1, 12)
TINY = Decimal(10) ** -60


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def power(base, square_of_exponent):
    """base^√s to about 80 digits, for base > 0."""
    return (decimal(base).ln() * decimal(square_of_exponent).sqrt()).exp()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "constrains nothing"),
        (1, "ε = 0"),
        ("1.0", "ε = 0"),
        ("-1/2", "strictly between"),
        ("3/2", "strictly between"),
        (2, "strictly between"),
    ],
)
def test_refused_levels_with_the_reason(value, words):
    with pytest.raises(ParameterRangeError, match=words) as caught:
        PrivacyLevel(value)
    assert caught.value.name == "alpha"
    assert caught.value.allowed == "0 < alpha < 1"


@pytest.mark.parametrize(
    ("value", "kind"), [(0.5, InexactInputError), ("half", RationalSyntaxError), (None, InputError), (True, InputError)]
)
def test_levels_are_exact(value, kind):
    with pytest.raises(kind):
        PrivacyLevel(value)


def test_all_doors_lead_to_the_same_level():
    same = [PrivacyLevel("1/4"), PrivacyLevel("0.25"), PrivacyLevel(Fraction(1, 4)), PrivacyLevel(Rational(1, 4)), as_level("1/4")]
    assert len(set(same)) == 1
    assert PrivacyLevel(same[0]) == same[0]
    assert pickle.loads(pickle.dumps(same[0])) == same[0] == eval(repr(same[0]))
    assert str(same[0]) == "1/4"
    assert PrivacyLevel("1/4") < PrivacyLevel("1/3")
    assert PrivacyLevel("1/4") >= PrivacyLevel("1/4")


@given(levels(), st.integers(1, 6), st.integers(1, 4))
def test_powers_with_rational_exponents(level, p, q):
    base = PrivacyLevel(level.alpha**q)
    assert base.power(Rational(p, q)) == level.alpha**p
    assert base.power(Distance.of(q)) == base.alpha**q


def test_irrational_powers_are_a_domain_error():
    for distance in ("1/2", "sqrt(2)", "2/3"):
        with pytest.raises(DomainError, match="irrational"):
            PrivacyLevel("1/3").power(distance)
    with pytest.raises(ResourceLimitError, match=r"has a number of 602,060,000,001 digits; the limit is 4,000,000$"):
        PrivacyLevel("1/3").power("1000000000000")


@given(levels(), fractions(-1, 2, 6), fractions(-1, 2, 6), distances())
def test_at_least_against_many_digits(level, x, y, d):
    with localcontext() as context:
        context.prec = 90
        difference = decimal(x) - power(level.alpha, d.square) * decimal(y)
    # equality is possible only for rational powers; these numbers are small, so 60 digits separate
    expected = difference > -TINY
    assert level.at_least(Rational(x), Rational(y), d) == expected


@given(levels(), ratios, ratios)
def test_at_least_for_neighbours_is_the_definition(level, x, y):
    assert level.at_least(Rational(x), Rational(y)) == (Rational(x) >= level.alpha * y)


@given(levels(), ratios.filter(bool), st.integers(1, 5), st.integers(1, 5))
def test_equality_counts_as_private(level, y, p, q):
    base = PrivacyLevel(level.alpha**q)
    x = level.alpha**p * y
    d = Rational(p, q)
    assert base.at_least(x, Rational(y), d)
    assert not base.at_least(x * (1 - Rational(1, 10**30)), Rational(y), d)


@given(ratios, distances(), ratios, distances())
def test_order_of_tightest_levels_against_many_digits(r, d, s, e):
    a, b = TightestLevel(r, d), TightestLevel(s, e)
    with localcontext() as context:
        context.prec = 90
        left = power(r, 1 / d.square) if r else Decimal(0)
        right = power(s, 1 / e.square) if s else Decimal(0)
        difference = left - right
    expected = 0 if abs(difference) < TINY else 1 if difference > 0 else -1
    assert a.compare(b) == expected == -b.compare(a)
    assert (a < b, a == b, a > b, a <= b, a >= b) == (expected < 0, expected == 0, expected > 0, expected <= 0, expected >= 0)
    assert a != b or hash(a) == hash(b)


@given(levels(), ratios, distances())
def test_tightest_levels_compare_with_levels(level, r, d):
    t = TightestLevel(r, d)
    assert (t >= level) == level.at_least(Rational(r), Rational(1), d)
    assert (level < t) == (t > level)
    assert (level == t) == (t == level)
    if t == level:
        assert hash(t) == hash(level)


@given(ratios, distances())
def test_values_are_exact(r, d):
    t = TightestLevel(r, d)
    assert pickle.loads(pickle.dumps(t)) == t
    if t.value is None:
        assert "^(" in str(t)
    else:
        assert TightestLevel(t.value) == t
        assert str(t) == str(t.value)


def test_text():
    assert str(TightestLevel("1/4")) == "1/4"
    assert str(TightestLevel("1/4", 2)) == "1/2"
    assert str(TightestLevel("1/3", 2)) == "(1/3)^(1/2)"
    assert str(TightestLevel("1/3", "2/3")) == "(1/3)^(3/2)"
    assert str(TightestLevel("1/3", "sqrt(2)")) == "(1/3)^(1/sqrt(2))"
    assert str(TightestLevel(0, "sqrt(2)")) == "0"


@pytest.mark.parametrize("ratio", ["-1/2", "3/2"])
def test_ratios_are_in_the_unit_interval(ratio):
    with pytest.raises(ParameterRangeError):
        TightestLevel(ratio)


def test_every_question_takes_the_level_as_text():
    """A level written as text, as a float-free number or as a PrivacyLevel asks the same question."""
    path, G = neighbours("path:3"), geometric(2, "1/2")
    consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    found = optimum(path, "1/2", consumer)
    questions = [
        lambda level: is_private(G, path, level),
        lambda level: optimum(path, level, consumer),
        lambda level: is_optimal(G, path, level, consumer),
        lambda level: is_optimal_after_remap(G, path, level, consumer),
        lambda level: is_optimum_unique(path, level, consumer),
        lambda level: verify_optimal(G, path, level, consumer, found.evidence.dual),
        lambda level: least_delta(G, path, level),
        lambda level: is_approximately_private(G, path, level, 0),
    ]
    for ask in questions:
        assert ask("1/2").claim == ask("0.5").claim == ask(PrivacyLevel("1/2")).claim
        with pytest.raises(InputError):
            ask("2")


def test_the_level_that_was_found_is_a_level():
    assert PrivacyLevel(TightestLevel("1/4")) == PrivacyLevel("1/4")
    assert repr(PrivacyLevel(TightestLevel(PrivacyLevel(epsilon="1/10").alpha))) == "PrivacyLevel(epsilon='1/10')"
    for none in (TightestLevel(0), TightestLevel(1)):
        with pytest.raises(ParameterRangeError):
            PrivacyLevel(none)
    with pytest.raises(InputError, match=r"irrational root; .* the level itself as a number of sympy"):
        PrivacyLevel(TightestLevel("1/3", 1000))
    root = PrivacyLevel(TightestLevel("1/3", 2))
    assert (str(root), str(as_level(str(root))), as_level("(1/3)^(1/2)") == root) == ("(1/3)^(1/2)", "(1/3)^(1/2)", True)


@pytest.mark.parametrize(
    ("text", "epsilon"), [("e^(−1/10)", "1/10"), ("e^(-1/10)", "1/10"), ("exp(-0.1)", "1/10"), ("e^-1", "1"), ("e^−0.5", "1/2")]
)
def test_a_level_is_read_as_answers_write_it(text, epsilon):
    level = PrivacyLevel(epsilon=epsilon)
    assert as_level(text) == level
    assert repr(as_level(text)) == repr(level)
    assert as_level(str(level)) == level


@pytest.mark.parametrize("text", ["e^-1/2", "exp-1", "e^(1)", "e^(-)", "e^(--1)", "e^(-0)"])
def test_what_may_be_another_power_is_no_level(text):
    with pytest.raises(InputError):
        as_level(text)
