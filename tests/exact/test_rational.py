# SPDX-License-Identifier: MIT
"""Rational behaves like Fraction, and no float is read or computed with."""

from __future__ import annotations

import copy
import operator
import pickle
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fractions

from exactdp.errors import InexactInputError, InputError
from exactdp.exact import QQ, Rational, from_float, integer_vector


@given(fractions(), fractions())
def test_arithmetic_order_and_hash_agree_with_fraction(x, y):
    a, b = Rational(x), Rational(y)
    for operation in (operator.add, operator.sub, operator.mul):
        assert operation(a, b) == operation(a, y) == operation(x, b) == operation(x, y)
    if y:
        assert a / b == x / b == a / y == x / y
    for compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
        assert compare(a, b) == compare(a, y) == compare(x, b) == compare(x, y)
    assert hash(a) == hash(x)
    assert {x: 1}[a] == 1
    assert a**3 == x**3
    assert (-a, abs(a), bool(a), a.sign()) == (-x, abs(x), bool(x), (x > 0) - (x < 0))
    assert float(a) == float(x)


@given(fractions())
def test_pickle_copy_repr(x):
    a = Rational(x)
    assert pickle.loads(pickle.dumps(a)) == a == copy.deepcopy(a) == eval(repr(a))
    assert (a.numerator, a.denominator) == (x.numerator, x.denominator)
    assert type(a.numerator) is int


def test_integers_compare_and_hash_alike():
    assert Rational(3) == 3
    assert (3).__eq__(Rational(3)) is NotImplemented  # so Python asks Rational, which says yes
    assert hash(Rational(3)) == hash(3)
    assert Rational(1, 3) == Fraction(1, 3)
    assert Rational(1) != "1"


def test_immutable():
    x = Rational(1, 2)
    with pytest.raises(AttributeError):
        x._q = 5
    with pytest.raises(AttributeError):
        x.other = 5


@pytest.mark.parametrize(
    "value",
    [
        0.5,
        1.0,
        float("nan"),
        float("inf"),
        np.float64(0.5),
        np.float32(0.5),
        np.float16(0.5),
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("Infinity"),
        1j,
    ],
    ids=repr,
)
def test_inexact_numbers_are_refused_and_say_what_to_do(value):
    with pytest.raises(InexactInputError) as caught:
        Rational(value)
    assert isinstance(caught.value, (ValueError, TypeError))
    assert str(caught.value)


def test_the_message_about_a_float_shows_what_it_is():
    with pytest.raises(InexactInputError, match="3602879701896397/36028797018963968") as caught:
        Rational(0.1)
    assert "from_float" in str(caught.value)
    assert "'0.1'" in str(caught.value)


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, divmod])
def test_no_mixed_arithmetic_with_floats(operation):
    for pair in ((Rational(1), 0.5), (0.5, Rational(1)), (Rational(1), 0.5j)):
        with pytest.raises(InexactInputError):
            operation(*pair)


@pytest.mark.parametrize("value", [None, True, [1], b"1", object()], ids=["None", "bool", "list", "bytes", "object"])
def test_other_things_are_refused(value):
    with pytest.raises(InputError):
        Rational(value)


def test_numpy_integers_are_exact():
    assert Rational(np.int64(3), np.uint8(6)) == Fraction(1, 2)


def test_zero_denominators():
    with pytest.raises(InputError, match="zero"):
        Rational(1, 0)
    with pytest.raises(ZeroDivisionError):
        Rational(1) / 0
    with pytest.raises(ZeroDivisionError):
        Rational(0) ** -1


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_from_float_is_exactly_the_double(x):
    assert from_float(x) == Fraction(x)
    assert float(from_float(x)) == x
    assert from_float(np.float64(x)) == Fraction(x)


@pytest.mark.parametrize("x", [float("nan"), float("inf"), -float("inf")])
def test_from_float_refuses_what_is_not_finite(x):
    with pytest.raises(InexactInputError):
        from_float(x)


@given(st.lists(fractions(), min_size=1, max_size=5))
def test_integer_vector(values):
    common, numerators = integer_vector([Rational(x) for x in values])
    assert [Fraction(p, common) for p in numerators] == values
    assert common == np.lcm.reduce([x.denominator for x in values])


def test_the_field():
    assert QQ("1/2") == Rational(1, 2)
    assert QQ.zero == 0
    assert QQ.one == 1
    assert pickle.loads(pickle.dumps(QQ)) is QQ
    assert Rational(1).field is QQ


def test_hashes_agree_where_the_hash_modulus_divides_the_denominator():
    modulus = sys.hash_info.modulus
    for p, q in [(1, modulus), (-1, modulus), (5, 7 * modulus), (-modulus, 3), (modulus - 1, 1), (1 - modulus, 1)]:
        assert hash(Rational(p, q)) == hash(Fraction(p, q))
