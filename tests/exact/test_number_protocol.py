# SPDX-License-Identifier: MIT
"""Rational does what a Fraction does: rounding, formats, order, remainders; a Decimal is a number, too."""

from __future__ import annotations

import math
import numbers
import operator
import statistics
import sys
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fractions

from exactdp import Interval, Mechanism, Prior, PrivacyLevel, geometric, table_of
from exactdp.errors import InexactInputError, InputError, ResourceLimitError
from exactdp.exact import AlgebraicNumber, ExactMatrix, ExponentialField, Rational, RationalFunctionField, from_float
from exactdp.exact.number_field import NumberField

DOUBLES = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e40, max_value=1e40).filter(lambda x: str(x) != "-0.0")
"""Without −0.0, which is no rational number of its own."""

ALIGNED = st.one_of(
    st.tuples(st.sampled_from(["", ">", "<", "^", "=", "*<", "x^", "_="]), st.sampled_from("+- ") | st.just("")),
)


@st.composite
def specs(draw, letters="eEfFgG%"):
    """A format of decimals."""
    align, sign = draw(ALIGNED)
    zeros = "" if align else draw(st.sampled_from(["", "0"]))
    width = draw(st.sampled_from(["", "1", "9", "14", "30"]))
    precision = draw(st.just("") | st.integers(0, 30).map(".{}".format))
    middle = draw(st.sampled_from(["", "z"])) + draw(st.sampled_from(["", "#"]))
    return (
        align
        + sign
        + middle
        + (zeros if width else "")
        + width
        + draw(st.sampled_from(["", ",", "_"]))
        + precision
        + draw(st.sampled_from(letters))
    )


@given(DOUBLES, specs("eEfFgG"))
def test_a_double_is_formatted_as_python_formats_it(x, spec):
    assert format(from_float(x), spec) == format(x, spec)


@given(fractions(), specs())
def test_formats_are_those_of_fractions(x, spec):
    if sys.version_info >= (3, 12):
        assert format(Rational(x), spec) == format(x, spec)
    plain = format(Rational(x), ".12f")
    expected = Context(prec=60, rounding=ROUND_HALF_EVEN).divide(Decimal(x.numerator), Decimal(x.denominator))
    places = Context(prec=60, rounding=ROUND_HALF_EVEN)
    assert Decimal(plain) == expected.quantize(Decimal("1e-12"), context=places)
    assert format(Rational(x), ".10%") == format(Rational(100 * x), ".10f") + "%"


@given(fractions(), st.integers(-4, 12))
def test_an_exact_decimal_is_formatted_as_decimal_formats_it(x, places):
    """Ties, which doubles seldom have: k/2 of the last place."""
    tie = Fraction(2 * x.numerator + 1, 2 * 10 ** max(places, 0))
    expected = Decimal(2 * x.numerator + 1) / 2 / Decimal(10) ** max(places, 0)
    assert format(Rational(tie), f".{max(places, 0)}f") == format(expected, f".{max(places, 0)}f")
    assert round(Rational(tie), places) == round(tie, places)


@pytest.mark.parametrize(
    ("number", "spec", "text"),
    [
        ("2/3", "", "2/3"),
        ("2/3", ">6", "   2/3"),
        ("2/3", "*<6", "2/3***"),
        ("-2/3", "=6", "-  2/3"),
        ("2/3", "^+7", " +2/3  "),
        ("3", "#", "3/1"),
        ("1234567/89", ",", "1,234,567/89"),
        ("1/3", ".3f", "0.333"),
        ("1/8", ".2f", "0.12"),
        ("3/8", ".2f", "0.38"),
        ("-1/1000", ".2f", "-0.00"),
        ("-1/1000", "z.2f", "0.00"),
        ("2/3", ".1%", "66.7%"),
        ("1e-7", "g", "1e-07"),
        ("999999.5", "g", "1e+06"),
        ("1e30", ".3e", "1.000e+30"),
        ("1234567.5", ",.1f", "1,234,567.5"),
        ("5/2", "08.2f", "00002.50"),
    ],
)
def test_formats(number, spec, text):
    assert format(Rational(number), spec) == text


@pytest.mark.parametrize("spec", ["d", ".3", "x", "<08.2f", "3/", "nonsense", ".f", "s", "n"])
def test_what_is_no_format_is_refused_with_examples(spec):
    with pytest.raises(ValueError, match=r"is no format of a rational number.*write \.3f"):
        format(Rational("1/3"), spec)


@pytest.mark.parametrize("spec", [".99999999f", "99999999.1f", "9999999999", ".999999999999g"])
def test_no_format_writes_gigabytes(spec):
    with pytest.raises(ResourceLimitError):
        format(Rational("1/3"), spec)


@given(fractions(), st.integers(-3, 8))
def test_rounding_is_that_of_fractions(x, digits):
    a = Rational(x)
    assert (round(a), int(a), math.trunc(a), math.floor(a), math.ceil(a)) == (round(x), int(x), math.trunc(x), math.floor(x), math.ceil(x))
    assert round(a, digits) == round(x, digits)
    assert (type(round(a)), type(round(a, digits)), type(int(a))) == (int, Rational, int)
    assert (a.as_integer_ratio(), a.is_integer(), +a, a.real, a.imag) == (x.as_integer_ratio(), x.denominator == 1, x, x, 0)
    assert (complex(a), a.conjugate()) == (complex(x), x)


@given(fractions(), fractions().filter(bool))
def test_quotients_with_remainder_are_those_of_fractions(x, y):
    for operation in (operator.floordiv, operator.mod, divmod):
        expected = operation(x, y)
        for pair in ((Rational(x), Rational(y)), (Rational(x), y), (x, Rational(y))):
            assert operation(*pair) == expected


SMALL_DECIMALS = st.decimals(places=3, max_value=9, min_value=-9)


@given(fractions(), st.one_of(fractions(), st.floats(), st.integers(-3, 3), SMALL_DECIMALS))
def test_equality_order_and_hash_are_those_of_fractions(x, y):
    a = Rational(x)
    assert (a == y, y == a, a != y) == (x == y, y == x, x != y)
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        assert (compare(a, y), compare(y, a)) == (compare(x, y), compare(y, x))
    assert hash(a) == hash(x)


@given(DOUBLES)
def test_a_double_is_found_among_exact_numbers(x):
    a = from_float(x)
    assert a == x == a
    assert hash(a) == hash(x)
    assert x in {a}
    assert a in [x]
    assert {x: "found"}[a] == "found"
    assert a * 3 / 3 - Rational("1e-300") < x


def test_it_is_a_rational_number_of_python():
    third = Rational("1/3")
    assert isinstance(third, numbers.Rational)
    assert Fraction(third) == Fraction(1, 3)
    assert Fraction(third, Rational(2)) == Fraction(1, 6)
    assert statistics.mean([third, Rational("2/3")]) == Rational("1/2")
    assert sum([third, third, third]) == 1
    assert max(0.25, third, Fraction(1, 4)) is third
    assert sorted([0.5, third, Decimal("0.4"), 0]) == [0, third, Decimal("0.4"), 0.5]


def test_infinities_and_what_is_no_number_beside_it():
    inf, nan = float("inf"), float("nan")
    third = Rational("1/3")
    for x in (inf, Decimal("inf")):
        assert -x < third < x
        assert not third >= x
    for x in (nan, Decimal("NaN"), Decimal("sNaN")):
        assert third != x
        assert not any((third < x, third <= x, third > x, third >= x))


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-1000, max_value=1000), fractions())
def test_a_decimal_is_the_number_that_it_spells(x, y):
    a = Rational(y)
    exact = Fraction(x)
    assert Rational(x) == exact
    assert (a + x, x + a, a - x, x - a, a * x, x * a) == (y + exact, exact + y, y - exact, exact - y, y * exact, exact * y)


TENTH = Decimal("0.1")


def test_a_decimal_is_taken_wherever_a_number_is():
    assert Mechanism([[TENTH, Decimal("0.9")]]) == Mechanism([["1/10", "9/10"]])
    assert table_of([[TENTH, "0.9"]]).matrix == ExactMatrix([["1/10", "9/10"]])
    assert PrivacyLevel(TENTH) == PrivacyLevel("1/10")
    assert PrivacyLevel(epsilon=TENTH) == PrivacyLevel(epsilon="1/10")
    assert Mechanism([["p", "1-p"]], letters={"p": TENTH}) == Mechanism([["1/10", "9/10"]])
    assert geometric(2, TENTH) == geometric(2, "1/10")
    assert Prior([TENTH, Decimal("0.9")]) == Prior(["1/10", "9/10"])
    assert Interval(TENTH, Decimal("0.5")) == Interval("1/10", "1/2")
    assert ExactMatrix([[1]]) * TENTH == ExactMatrix([["1/10"]])
    assert ExponentialField(TENTH) == ExponentialField("1/10")
    assert ExponentialField(1).gen * TENTH == ExponentialField(1).gen / 10
    assert RationalFunctionField().gen + TENTH == RationalFunctionField().gen + Rational("1/10")


@pytest.mark.parametrize("wrong", [Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("-Infinity")])
def test_a_decimal_that_is_no_number_is_refused(wrong):
    for ask in (
        lambda: Rational(wrong),
        lambda: Rational(1) + wrong,
        lambda: Mechanism([[wrong, 1]]),
        lambda: table_of([[wrong, 1]]),
        lambda: PrivacyLevel(wrong),
        lambda: Prior([wrong, 1]),
        lambda: ExactMatrix([[1]]) * wrong,
    ):
        with pytest.raises(InputError, match="not a rational number; give one that is finite"):
            ask()


def test_a_decimal_with_millions_of_zeros_is_not_written_out():
    for huge in (Decimal("1E+99999999"), Decimal("1E-99999999")):
        with pytest.raises(ResourceLimitError):
            Rational(huge)
        assert Rational(1) != huge
        for other in (ExponentialField(1).gen, RationalFunctionField().gen, NumberField(AlgebraicNumber([-2, 0, 1], 0, 2)).gen):
            with pytest.raises(ResourceLimitError):
                assert other < huge


@pytest.mark.parametrize("exponent", [99_999_999, 999_999_999_999_999_999])
def test_the_order_beside_a_decimal_does_not_write_out_its_zeros(exponent):
    small, large = Decimal(f"9E-{exponent}"), Decimal(f"9E+{exponent}")
    third = Rational("1/3")
    assert large.copy_negate() < -third < small.copy_negate() < small < third < large
    assert not large <= third
    assert not third <= small


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-10, max_value=10), fractions())
def test_the_order_beside_a_decimal_is_that_of_the_number_it_spells(x, y):
    for near in (x, Decimal(y.numerator) / y.denominator):
        for order in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
            assert order(Rational(y), near) == order(y, Fraction(near))
            assert order(near, Rational(y)) == order(Fraction(near), y)


def test_entries_of_a_table_are_compared_with_floats():
    m = Mechanism([["0.75", "0.25"], ["1/3", "2/3"]])
    assert m[0, 0] == 0.75
    assert 0.25 in m.matrix.row(0)
    assert m[1, 0] != 1 / 3
    assert m[1, 0] == pytest.approx(1 / 3)
    with pytest.raises(InexactInputError):
        m[0, 0] + 0.5


RATES = st.sampled_from(["1", "1/10", "7/3", "40"])


@given(RATES, fractions(), st.integers(0, 12), st.sampled_from(["f", "e", "g", "%"]))
def test_exponentials_are_rounded_as_decimals_with_many_digits_are(rate, y, places, letter):
    """The oracle is ``decimal``, whose exp is rounded to 80 digits."""
    with localcontext() as context:
        context.prec = 80
        power = (-Decimal(Fraction(rate).numerator) / Fraction(rate).denominator).exp()
        for number, near in (
            (ExponentialField(rate).gen - y, power - Decimal(y.numerator) / y.denominator),
            (ExponentialField(rate).gen * 3, power * 3),
        ):
            spec = f".{places}{letter}"
            assert format(number, spec) == format(Rational(Fraction(near)), spec)
            assert round(number, places) == round(Fraction(near), places)
            assert (round(number), type(round(number))) == (round(Fraction(near)), int)
            assert int(number) == math.trunc(number) == int(near)


def test_formats_of_exponentials():
    t = ExponentialField(1).gen
    assert f"{t}" == f"{t:}" == str(t)
    assert f"{t:>10}" == f"{t!s:>10}"
    assert (f"{t - t + 1:.2f}", f"{t / t / 8:.2f}", f"{-t / 10**6:.3f}") == ("1.00", "0.12", "-0.000")
    with pytest.raises(ValueError, match="no format"):
        format(t, "<08.2f")


def test_exponents_are_integers_however_they_are_given():
    for two in (2, Rational(2), Fraction(2), np.int64(2)):
        assert Rational("1/3") ** two == Rational("1/9")
        assert ExponentialField(1).gen ** two == ExponentialField(2).gen
    for wrong in (0.5, 2.0, Rational("1/2"), Fraction(1, 2), Decimal(2), 2j):
        for base in (Rational("1/3"), ExponentialField(1).gen):
            with pytest.raises(TypeError, match="is no integer; write an integer"):
                base**wrong
