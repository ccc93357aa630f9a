# SPDX-License-Identifier: MIT
"""ε beside the numbers of Python: comparisons, floats and formats, against Decimal's own logarithm."""

from __future__ import annotations

import operator
import re
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactdp as xdp
from exactdp import Epsilon, PrivacyLevel, Rational
from exactdp.errors import DomainError, InexactInputError, InputError, ParameterRangeError, ResourceLimitError

COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
SHARP = Context(prec=400)

logarithms = st.fractions(min_value="1001/1000", max_value=1000, max_denominator=1000).filter(lambda q: q > 1)
rationals = st.fractions(min_value=0, max_value=20, max_denominator=1000)
plain = st.one_of(
    st.integers(-3, 20),
    st.fractions(min_value=-3, max_value=20, max_denominator=1000),
    st.floats(min_value=-3, max_value=20),
    st.decimals(min_value=-3, max_value=20, places=6),
)


def logarithm(q: Fraction) -> Fraction:
    """ln(q) to hundreds of digits, by the standard library."""
    with localcontext(SHARP):
        return Fraction((Decimal(q.numerator) / Decimal(q.denominator)).ln())


@given(logarithms, plain)
def test_a_logarithm_compares_as_the_decimal_does(q, number):
    """No rational number is ln(q), and none drawn is within 10^−300 of it."""
    epsilon, exact, other = Epsilon(f"ln({q})"), logarithm(q), Fraction(number)
    assert abs(exact - other) > Fraction(1, 10**300)
    for compare in COMPARISONS:
        assert compare(epsilon, number) is compare(exact, other)
        assert compare(number, epsilon) is compare(other, exact)


@given(rationals, plain)
def test_a_rational_epsilon_compares_as_its_fraction_does(x, number):
    epsilon, other = Epsilon(x), Fraction(number)
    for compare in COMPARISONS:
        assert compare(epsilon, number) is compare(x, other)
        assert compare(number, epsilon) is compare(other, x)
    assert epsilon != number or hash(epsilon) == hash(number)


@given(st.floats(min_value=0, max_value=20))
def test_an_epsilon_is_equal_to_the_double_that_it_is(double):
    epsilon = Epsilon(xdp.from_float(double))
    assert epsilon == double == epsilon
    assert epsilon == Decimal(double)
    assert epsilon == np.float64(double)
    assert np.float64(double) == epsilon
    assert float(epsilon) == double
    assert hash(epsilon) == hash(double)


@given(st.lists(st.one_of(logarithms, rationals.map(lambda x: -x)), min_size=2, max_size=5))
def test_the_order_is_that_of_the_values(drawn):
    """What is drawn as −x stands for the ε = x, what is above 1 for its logarithm."""
    made = [(Epsilon(f"ln({q})"), logarithm(q)) if q > 1 else (Epsilon(-q), -q) for q in drawn]
    by_epsilon = sorted(made, key=lambda pair: pair[0])
    by_value = sorted(made, key=lambda pair: pair[1])
    assert [value for _, value in by_epsilon] == [value for _, value in by_value]


@given(logarithms, st.integers(0, 12))
def test_floats_and_formats_of_a_logarithm_are_rounded_from_itself(q, places):
    epsilon, exact = Epsilon(f"ln({q})"), logarithm(q)
    assert float(epsilon) == exact.numerator / exact.denominator
    with localcontext(SHARP):
        decimal = Decimal(exact.numerator) / Decimal(exact.denominator)
        for spec in (f".{places}f", f".{places + 1}e", f".{places}%"):
            as_float = re.sub(r"e([-+])([0-9])$", r"e\g<1>0\2", format(decimal, spec))  # the exponent of floats has two digits
            assert format(epsilon, spec) == as_float
        spec = f"12.{places + 1}g"
        assert format(epsilon, spec) == format(Rational(exact.numerator, exact.denominator), spec)


@pytest.mark.parametrize(
    ("epsilon", "spec", "text"),
    [("1/3", ".3f", "0.333"), ("2/3", ".3f", "0.667"), ("1/8", ".2f", "0.12"), ("3/8", ".2f", "0.38"), (2, ".1f", "2.0")],
)
def test_formats_of_a_rational_epsilon(epsilon, spec, text):
    assert format(Epsilon(epsilon), spec) == text


def test_a_format_of_texts_is_one_of_the_exact_form():
    assert f"{Epsilon('ln(3)')}" == "ln(3)"
    assert f"{Epsilon('ln(3)'):>7}" == "  ln(3)"


def test_infinity_and_nan():
    endless = Epsilon.of_level(Rational(0))
    assert endless == float("inf") == float(endless)
    assert endless == Decimal("Infinity")
    assert hash(endless) == hash(float("inf"))
    assert Epsilon(1) < float("inf")
    assert Epsilon(1) > float("-inf")
    assert f"{endless:.3f}" == "inf"
    for undefined in (float("nan"), Decimal("NaN"), np.float32("nan")):
        assert Epsilon(1) != undefined
        for compare in (operator.lt, operator.le, operator.gt, operator.ge):
            assert compare(Epsilon(1), undefined) is False
            assert compare(endless, undefined) is False


def test_the_zeros_of_a_long_decimal_are_not_written_out():
    for long in (Decimal("1E+999999999"), Decimal("1E-999999999")):
        for epsilon in (Epsilon(1), Epsilon("ln(3)")):
            assert epsilon != long
            with pytest.raises(ResourceLimitError):
                epsilon < long  # noqa: B015
    assert Epsilon(1) != Decimal("sNaN")


def test_what_is_no_number_is_not_compared():
    assert Epsilon(1) != "1"
    assert Epsilon(1) != True  # noqa: E712
    for other in ("1", None, [1]):
        with pytest.raises(TypeError):
            Epsilon(1) < other  # noqa: B015


def test_epsilons_become_an_array_of_doubles():
    """As a plot takes them."""
    assert np.array([Epsilon(1), Epsilon("1/2")], dtype=object).astype(float).tolist() == [1.0, 0.5]


FORMS = {
    "ε = 1": ["epsilon=1", "ε=1", "eps = 1", "EPSILON=1.0", Epsilon(1), PrivacyLevel(epsilon=1)],
    "ε = ln(3)": ["epsilon=ln(3)", "ε=ln 3", "ln 3", "ln(3)", "log(3)", "ε = ln(9)/2", Epsilon("ln 3"), PrivacyLevel(epsilon="ln 3")],
}
"""What a person may write for a level, by how an answer says it."""


@pytest.mark.parametrize(("said", "level"), [(said, level) for said, levels in FORMS.items() for level in levels])
def test_each_form_of_a_level_gives_the_answers_of_its_alpha(said, level):
    """Another route: α itself, as a number that was never given as an ε."""
    alpha = xdp.ExponentialField(1).gen if said == "ε = 1" else Rational("1/3")
    consumer = xdp.MinimaxConsumer("abs")
    assert PrivacyLevel(level).said == said
    assert xdp.geometric(2, level) == xdp.geometric(2, epsilon=level) == xdp.geometric(2, alpha)
    assert xdp.optimum("path:3", level, consumer).evidence.value == xdp.optimum("path:3", alpha, consumer).evidence.value
    for source in ("1/2", "1/4"):
        asked, known = (xdp.is_private(xdp.geometric(2, source), "path", one) for one in (level, alpha))
        assert asked.decision == known.decision
        assert f"({said})-private" in asked.claim
    claim = xdp.PrivacyClaim(alpha=level)
    assert claim.level == xdp.PrivacyClaim(epsilon=level).level == PrivacyLevel(alpha)


@pytest.mark.parametrize("level", ["epsilon=1", Epsilon(1), PrivacyLevel(epsilon="1"), PrivacyLevel.from_epsilon(1)])
def test_a_level_on_a_plane_has_the_powers_of_its_distances_however_it_was_given(level):
    consumer = xdp.MinimaxConsumer("zero-one")
    found = xdp.optimum("euclid:2x2", level, consumer)
    assert found.evidence.value == xdp.optimum("euclid:2x2", xdp.level_for("euclid:2x2", 1), consumer).evidence.value
    assert xdp.tight_mechanism("euclid:2x2", level).proved


def test_a_field_that_has_the_powers_is_kept():
    finer = PrivacyLevel.from_epsilon(1, unit=2, roots=(1, 2))
    assert xdp.optimum("euclid:2x2", finer, xdp.MinimaxConsumer("zero-one")).evidence.level.field == finer.field


@pytest.mark.parametrize("inexact", [0.5, np.float64(0.5), np.float32(0.5)])
def test_a_float_is_refused_as_a_level_with_both_remedies(inexact):
    for wrong in (
        lambda: PrivacyLevel(inexact),
        lambda: PrivacyLevel(epsilon=inexact),
        lambda: Epsilon(inexact),
        lambda: xdp.geometric(2, inexact),
        lambda: xdp.geometric(2, epsilon=inexact),
        lambda: xdp.PrivacyClaim(epsilon=inexact),
        lambda: xdp.is_private("geometric:n=2,alpha=1/2", "path", inexact),
    ):
        with pytest.raises(InexactInputError, match=r"as text \('0\.5'\).*from_float"):
            wrong()
    assert Epsilon("0.5") == Epsilon(xdp.from_float(0.5))


either = st.one_of(logarithms.map(lambda q: (Epsilon(f"ln({q})"), logarithm(q))), rationals.map(lambda x: (Epsilon(x), x)))
halved = st.tuples(either, st.fractions(min_value="1/4", max_value=4, max_denominator=4).filter(bool)).map(
    lambda found: (found[0][0] * found[1], found[0][1] * found[1])
)


@settings(max_examples=60)
@given(halved, halved, st.integers(1, 5))
def test_sums_and_multiples_are_those_of_the_numbers(left, right, times):
    """Against decimals of logarithms to hundreds of digits."""
    (a, x), (b, y) = left, right
    for found, number in (
        (a + b, x + y),
        (a * times, x * times),
        (times * b, y * times),
        (a / times, x / times),
        (sum([a, b, a]), 2 * x + y),
    ):
        low, high = (bound.as_fraction() for bound in found.enclosure(40))
        assert low - Fraction(1, 10**200) <= number <= high + Fraction(1, 10**200)
        assert float(found) == pytest.approx(float(number))


@given(halved, halved)
def test_a_sum_is_written_as_it_is_read(left, right):
    total = left[0] + right[0]
    assert Epsilon(str(total)) == total
    assert total == right[0] + left[0]
    assert PrivacyLevel(epsilon=total).epsilon == total if total.level is not None and total > 0 else True


def test_what_no_sum_is():
    one = Epsilon(1)
    assert one + 0 == one == 0 + one
    assert Epsilon.of_level(Rational(0)) + one == float("inf")
    assert str(Epsilon("ln(3)/2") + Epsilon("1/4")) == "ln(3)/2 + 1/4"
    assert str(Epsilon("1e+2")) == "100"
    for wrong in (lambda: one + 0.5, lambda: 2.0 * one, lambda: one / 3.0, lambda: np.float64(2) * one):
        with pytest.raises(InexactInputError, match=r"Rational\('[0-9.]+'\), or float\(epsilon\)"):
            wrong()
    for wrong in (lambda: one * one, lambda: one + "1", lambda: one + True, lambda: one * [2]):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (lambda: one * -1, lambda: one / 0, lambda: one / -2):
        with pytest.raises(ParameterRangeError, match="> 0"):
            wrong()


@pytest.mark.parametrize("level", [PrivacyLevel("1/3"), PrivacyLevel(epsilon=1), xdp.TightestLevel("1/3", 2)])
def test_a_level_is_no_float_and_says_which_two_are(level):
    for wrong in (lambda: float(level), lambda: f"{level:.3f}", lambda: np.array([level], dtype=float)):
        with pytest.raises(InputError, match=re.escape("for ε write float(level.epsilon)")) as caught:
            wrong()
        alpha = re.search(r"for α (level\.lower|float\(level\.alpha\))", caught.value.message)[1]
        assert eval(alpha, {"level": level, "float": float}) == pytest.approx(np.exp(-float(level.epsilon)), abs=1e-6)
    assert f"{level:>12}" == str(level).rjust(12)


@given(halved, halved)
def test_a_difference_is_the_one_that_a_sum_takes_back(left, right):
    (a, x), (b, y) = left, right
    assert (a + b) - b == a
    assert a - a == 0
    if x < y - Fraction(1, 10**200):
        with pytest.raises(ParameterRangeError, match="subtract their floats"):
            a - b


@given(halved, st.integers(0, 8))
def test_rounded_as_its_decimal(found, digits):
    epsilon, exact = found
    assert abs(round(epsilon, digits).as_fraction() - exact) <= Fraction(1, 2 * 10**digits) + Fraction(1, 10**200)
    assert round(epsilon) == int(round(epsilon, 0))


def test_a_float_beside_an_exact_number_is_told_what_works():
    with pytest.raises(InexactInputError) as caught:
        Rational("1/2") + 0.1
    assert "write Rational('0.1')" in caught.value.message
    assert Rational("1/2") + Rational("0.1") == Rational("3/5")
    assert Rational("1/2") + xdp.from_float(0.5) == 1


def test_the_epsilon_of_an_algebraic_level_is_a_number():
    """Of rows with weights r^|i−j|, r = √(1/3), the first two differ most in the first answer."""
    with localcontext(Context(prec=60)):
        r = (Decimal(1) / 3).sqrt()
        expected = -(r * (1 + r + r**2 + r**3) / (r + 1 + r + r**2)).ln()
    epsilon = xdp.tightest_level("exponential:n=3,epsilon=ln 3", "path").evidence.epsilon
    assert float(epsilon) == float(expected)
    assert f"{epsilon:.30f}" == f"{expected:.30f}"
    assert epsilon.lower <= Rational(str(expected)) <= epsilon.upper
    assert Rational("0.717") < epsilon < Rational("0.718")
    assert str(epsilon) == "−ln(2*r + (-2/3))"


def test_the_epsilon_of_a_letter_has_no_decimals():
    epsilon = xdp.tightest_level(xdp.geometric(2, "symbolic"), "path").evidence.epsilon
    assert not epsilon.is_enclosed
    with pytest.raises(DomainError, match="a letter"):
        float(epsilon)
