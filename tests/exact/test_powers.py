# SPDX-License-Identifier: MIT
"""Comparing x with y^√s exactly: against integer powers, and against high-precision values where they
differ.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import fractions

from exactdp.exact import Rational, compare_power, rational_root

positive = fractions(0, 3, 9).filter(bool)


@given(positive, positive, st.integers(1, 7), st.integers(1, 7))
def test_rational_exponents_are_integer_powers(x, y, p, q):
    difference = x**q - y**p
    assert compare_power(Rational(x), Rational(y), Rational(Fraction(p, q) ** 2)) == (difference > 0) - (difference < 0)


@given(positive, st.integers(1, 5), st.integers(1, 5))
def test_equality_is_found(t, p, q):
    assert compare_power(Rational(t**p), Rational(t**q), Rational(Fraction(p, q) ** 2)) == 0


@settings(max_examples=8)
@given(positive, st.integers(1, 4))
def test_equality_is_found_also_where_powers_are_not_written_out(t, k):
    huge = 10**5 + k  # the direct comparison would need powers of over 65 536 bits
    assert compare_power(Rational(t) ** huge, Rational(t), Rational(huge) ** 2) == 0
    assert compare_power(Rational(t), Rational(t) ** huge, 1 / Rational(huge) ** 2) == 0
    nearly = Rational(t) ** huge * (1 + Rational(1, 10**40))
    assert compare_power(nearly, Rational(t), Rational(huge) ** 2) == 1


@given(positive, positive, st.sampled_from([2, 3, 5, Fraction(1, 2), Fraction(7, 3)]))
def test_irrational_exponents_against_many_digits(x, y, s):
    s = Fraction(s)
    value = sympy.Rational(x.numerator, x.denominator) - sympy.Rational(y.numerator, y.denominator) ** sympy.sqrt(
        sympy.Rational(s.numerator, s.denominator)
    )
    expected = 0 if x == y == 1 else int(sympy.sign(value.evalf(60)))
    assert compare_power(Rational(x), Rational(y), Rational(s)) == expected


def test_a_close_call_is_decided():
    digits = sympy.N((sympy.Rational(1, 2)) ** sympy.sqrt(2), 200)
    below = Rational(str(sympy.floor(digits * 10**150))) / Rational(10) ** 150
    above = below + 1 / Rational(10) ** 150
    half, two = Rational("1/2"), Rational(2)
    assert compare_power(below, half, two) == -1
    assert compare_power(above, half, two) == 1


@given(positive, st.integers(1, 6))
def test_roots(x, k):
    assert rational_root(Rational(x) ** k, k) == x
    root = rational_root(Rational(x), k)
    assert root is None or root**k == x


@pytest.mark.parametrize(("x", "k"), [(2, 2), ("1/2", 2), ("4/3", 2), (8, 10**9), ("8/27", 2)])
def test_irrational_roots(x, k):
    assert rational_root(Rational(x), k) is None
