"""Decimals beside fractions are correctly rounded from the rational itself."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from exactdp.exact import Rational
from exactdp.exact.decimals import decimal_text
from exactdp.report.values import approximation, brief_number, elide

SCALED = st.builds(lambda a, b, e: Fraction(a, b) * Fraction(10) ** e, st.integers(), st.integers(1), st.integers(-50, 50))
FRACTIONS = st.fractions() | SCALED


@given(FRACTIONS, st.integers(1, 12))
def test_agrees_with_decimal_division_and_says_when_it_is_exact(x, digits):
    text, exact = decimal_text(Rational(x), digits)
    expected = Context(prec=digits, rounding=ROUND_HALF_EVEN).divide(Decimal(x.numerator), Decimal(x.denominator))
    assert Decimal(text) == expected
    assert exact == (Fraction(text) == x)


def test_ties_go_to_even():
    assert [decimal_text(Rational(x), 1)[0] for x in ("1/4", "3/4", "-5/2", "7/2")] == ["0.2", "0.8", "-2", "4"]


def test_numbers_beyond_pythons_digit_limit():
    huge = Rational(10**6000 + 1) / (7 * 10**5000)
    assert decimal_text(huge)[0] == "1.42857e999"
    assert "[6001 digits]" in elide(str(Rational(10**6000 + 1)))


def test_a_fraction_never_loses_its_place():
    assert brief_number(Rational("1/3")) == "1/3"
    assert brief_number(Rational("1/3"), approx=True) == "1/3 (≈ 0.333333)"
    assert brief_number(Rational("1/4"), approx=True) == "1/4 (= 0.25)"
    long = Rational("123456789123/456789123456789")
    assert brief_number(long).startswith(f"{long} (≈")
    assert brief_number(long, approx=False) == str(long)
    assert approximation(Rational(5)) == "= 5"
