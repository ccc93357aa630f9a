# SPDX-License-Identifier: MIT
"""Levels as letters and as ε: powers, comparisons with every kind of distance, refusals."""

from __future__ import annotations

import pickle
from fractions import Fraction

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.errors import DomainError, InexactInputError, InputError, ParameterRangeError, ResourceLimitError, UndecidedSignError
from exactdp.exact import AlgebraicNumber, ExponentialField, Interval, Rational, RationalFunctionField
from exactdp.model import Distance, Metric, PrivacyLevel, TightestLevel, as_level, level_for, neighbours

distances = st.one_of(
    st.integers(1, 6).map(Distance.of),
    st.fractions(Fraction(1, 4), 4, max_denominator=4).map(Distance.of),
    st.integers(2, 12).map(lambda q: Distance.parse(f"sqrt({q})")),
)
epsilons = st.fractions(Fraction(1, 20), 3, max_denominator=20)
ratios = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)


def mp(x):
    return mpmath.mpf(x.numerator) / x.denominator


@given(epsilons, distances, ratios, ratios)
def test_epsilon_levels_and_rational_tables(epsilon, d, x, y):
    """x ≥ e^(−εd)·y, with the field of one exponential and any distance, against mpmath."""
    level = PrivacyLevel.from_epsilon(epsilon)
    with mpmath.workdps(80):
        gap = mp(x) - mpmath.exp(-mp(epsilon) * mpmath.sqrt(mp(d.square))) * mp(y)
        # a rational number is never a rational multiple of that power
        assert abs(gap) > mpmath.mpf(10) ** -60
        expected = gap > 0
    assert level.at_least(Rational(x), Rational(y), d) == expected
    assert TightestLevel(Rational(x), d).compare(level) == (1 if mp(x) > mpmath.exp(-mp(epsilon) * mpmath.sqrt(mp(d.square))) else -1)


@given(epsilons, distances, distances)
def test_powers_are_equal_exactly_where_they_should(epsilon, d, e):
    metric = Metric(["a", "b", "c"], [(0, 1, d)]) if d == e else Metric._by_construction(("a", "b", "c"), {(0, 1): d, (1, 2): e}, "")
    level = level_for(metric, epsilon)
    assert level.epsilon == Rational(epsilon)
    power, other = level.power(d), level.power(e)
    with mpmath.workdps(50):
        assert abs(mpmath.mpf(float(power)) - mpmath.exp(-mp(epsilon) * mpmath.sqrt(mp(d.square)))) < 1e-14
    assert (power == other) == (d == e)
    assert (power < other) == (d > e)
    assert TightestLevel(power, d) == level
    assert hash(TightestLevel(power, d)) == hash(level)
    assert TightestLevel(power, d).value == level.alpha
    assert level.at_least(power, level.field.one, d)
    assert level.at_least(other, level.field.one, d) == (e <= d)
    assert (TightestLevel(other, d) < level) == (e > d)


def test_a_finer_field_is_not_needed_for_comparison():
    level = PrivacyLevel.from_epsilon(1)
    t = level.alpha
    with pytest.raises(DomainError, match="level_for"):
        level.power("1/2")
    with pytest.raises(DomainError, match="level_for"):
        level.power("sqrt(2)")
    assert level.at_least(t, t.field.one, "sqrt(2)") is True
    assert level.at_least(t * t, t.field.one, "sqrt(2)") is False
    assert level.at_least(t, t.field.one, "1/2") is False
    ratio = (1 - t) / (1 + t)  # 0.4621… against e^(−√2/2) = 0.4931…, e^(−1) = 0.3679…, e^(−√3/2) = 0.4206…
    assert level.at_least(ratio, t.field.one, "sqrt(1/2)") is False
    assert level.at_least(ratio, t.field.one, "sqrt(3/4)") is True
    assert TightestLevel(ratio, "sqrt(1/2)") < level
    assert TightestLevel(ratio, "sqrt(3/4)") > level
    # neither side a product of exponentials
    assert TightestLevel(ratio, "sqrt(3)") > TightestLevel(ratio, "sqrt(2)")
    assert TightestLevel(ratio**2, 2) == TightestLevel(ratio)
    assert TightestLevel(ratio, 2) > TightestLevel(ratio)


def test_the_field_of_a_euclidean_grid():
    level = level_for(neighbours("euclid:3x3"), 1)
    assert level.field == ExponentialField(1, roots=(1, 2, 5))
    assert [str(level.power(d)) for d in (1, "sqrt(2)", 2, "sqrt(5)", "sqrt(8)")] == ["t", "t2", "t^2", "t5", "t2^2"]
    assert level_for(neighbours("path:4"), "1/10").field == ExponentialField("1/10")
    assert level_for(neighbours("path:1"), "1/10").epsilon == Rational("1/10")


def test_units():
    level = PrivacyLevel.from_epsilon("1/10", unit=6)
    assert level.power("1/2") ** 2 == level.alpha == level.power("1/3") ** 3
    assert level.power("5/6") == level.alpha / level.power("1/6")
    assert level.epsilon == Rational("1/10")
    assert PrivacyLevel.from_epsilon("1/10").epsilon == Rational("1/10")
    assert as_level(level) == level
    assert pickle.loads(pickle.dumps(level)) == level
    assert PrivacyLevel((1 - level.alpha) / 2).epsilon.rational is None
    assert level > PrivacyLevel("9/10")
    assert level < PrivacyLevel("91/100")
    assert PrivacyLevel("9/10") < level


@pytest.mark.parametrize("epsilon", [0, "0", -1, "-1/10"])
def test_epsilon_not_positive(epsilon):
    for make in (PrivacyLevel.from_epsilon, lambda e: level_for(neighbours("path:2"), e)):
        with pytest.raises(ParameterRangeError) as caught:
            make(epsilon)
        assert caught.value.name == "epsilon"


@pytest.mark.parametrize("epsilon", [0.1, 1j])
def test_epsilon_not_exact(epsilon):
    with pytest.raises(InexactInputError):
        PrivacyLevel.from_epsilon(epsilon)


def test_epsilon_not_rational():
    with pytest.raises(InputError, match="alpha"):
        PrivacyLevel.from_epsilon(ExponentialField(1).gen)
    with pytest.raises(InputError):
        PrivacyLevel.from_epsilon("ln 2")
    with pytest.raises(InputError):
        PrivacyLevel.from_epsilon(True)


@pytest.mark.parametrize("alpha", [lambda t: t - t, lambda t: t / t, lambda t: 2 * t, lambda t: t - 1])
def test_exponential_levels_outside(alpha):
    with pytest.raises(ParameterRangeError):
        PrivacyLevel(alpha(ExponentialField("1/10").gen))


def test_symbolic_levels():
    level = PrivacyLevel.symbolic()
    a = level.alpha
    assert level.power(3) == a**3
    assert PrivacyLevel(a * a).power("1/2") == a
    assert PrivacyLevel(a * a) < level
    assert level > PrivacyLevel(a / 2)
    assert level.epsilon.rational is None
    assert str(level.epsilon) == "−ln(a)"
    assert level.at_least(a, a.field.one)
    assert level.at_least(a * a, a.field.one, 2)
    assert not level.at_least(a**3, a.field.one, 2)
    assert level.at_least(a, a.field.one, "3/2")
    assert TightestLevel(a * a, 2) == level
    assert TightestLevel(a * a, 3) > level
    assert str(TightestLevel(a * a, 2)) == "a"
    assert str(TightestLevel(a, 2)) == "(a)^(1/2)"
    assert hash(TightestLevel(a * a, 2)) == hash(level)
    with pytest.raises(DomainError, match="root"):
        level.power("1/2")
    with pytest.raises(DomainError, match="irrational exponent"):
        level.at_least(a, a.field.one, "sqrt(2)")


def test_symbolic_levels_on_intervals():
    assert PrivacyLevel.symbolic(("1/2", 1)) > PrivacyLevel("1/2")
    with pytest.raises(UndecidedSignError) as caught:
        _ = PrivacyLevel.symbolic() > PrivacyLevel("1/2")
    assert caught.value.points == (Rational("1/2"),)
    root = AlgebraicNumber([-1, 0, 2], 0, 1)
    piece = PrivacyLevel.symbolic(Interval(0, root, upper_closed=True))
    assert piece.at_least(Rational("71/100"), Rational(1))
    assert not PrivacyLevel.symbolic(Interval.point(root)).at_least(Rational("7/10"), Rational(1))


@pytest.mark.parametrize("interval", [(0, 2), (-1, "1/2"), Interval(0, 1, True), Interval("1/2", 1, upper_closed=True), Interval(1, 2)])
def test_intervals_outside(interval):
    with pytest.raises(ParameterRangeError, match="choose a smaller interval"):
        PrivacyLevel.symbolic(interval)


def test_a_function_may_be_a_level():
    a = RationalFunctionField().gen
    assert PrivacyLevel((1 - a) / (1 + a)).power(2) == ((1 - a) / (1 + a)) ** 2
    for bad in (a + 1, 2 * a, a - a, 1 / a):
        with pytest.raises(ParameterRangeError):
            PrivacyLevel(bad)


@given(ratios, ratios, st.integers(1, 4), st.integers(1, 4), ratios)
def test_symbolic_answers_specialise(x, y, d, k, at):
    """What holds for every level of a piece holds at each rational one."""
    a = PrivacyLevel.symbolic().alpha
    left = Rational(x) * a**k
    try:
        answer = PrivacyLevel.symbolic().at_least(left, Rational(y), d)
    except UndecidedSignError as error:
        points = error.points
    else:
        assert answer == PrivacyLevel(at).at_least(left.evaluate(at), Rational(y), d)
        return
    pieces = Interval(0, 1).split(points)
    piece = next(p for p in pieces if p.contains(at))
    level = PrivacyLevel.symbolic(piece)
    answer = level.at_least(Rational(x) * level.alpha**k, Rational(y), d)
    assert answer == PrivacyLevel(at).at_least(left.evaluate(at), Rational(y), d)


@given(ratios, ratios)
def test_ordinary_levels_as_before(x, y):
    assume(x != y)
    assert (PrivacyLevel(x) < PrivacyLevel(y)) == (x < y)
    assert PrivacyLevel(x).epsilon.rational is None


@pytest.mark.parametrize("level", [PrivacyLevel.symbolic(), PrivacyLevel.from_epsilon(1), PrivacyLevel("1/2")], ids=str)
def test_enormous_powers_are_refused_before_work(level):
    with pytest.raises(ResourceLimitError):
        level.power(10**9)
