# SPDX-License-Identifier: MIT
"""Equality of numbers of all fields: symmetric, transitive, with equal hashes; an error for letters only."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy

from exactdp import Epsilon, Mechanism, RegionField, from_float
from exactdp.errors import InexactInputError, InputError, UndecidedSignError
from exactdp.exact import AlgebraicNumber, ExponentialField, Interval, Rational, RationalFunctionField
from exactdp.exact.number_field import NumberField

ROOT_2, ROOT_8 = NumberField(AlgebraicNumber([-2, 0, 1], 0, 2)), NumberField(AlgebraicNumber([-8, 0, 1], 0, 3))
E, ROOT_E, LEVEL = ExponentialField("1"), ExponentialField("1/2"), RationalFunctionField()

GROUPS = [
    [2, Rational(2), np.int64(2), Fraction(2), AlgebraicNumber([-2, 1], 0, 3), ROOT_2.gen**2, ROOT_8.gen**2 / 4, E.one * 2, LEVEL.one * 2],
    [Rational("1/2"), Fraction(1, 2), AlgebraicNumber([-1, 2], 0, 3), ROOT_2.one / 2, ROOT_8.one / 2, ROOT_E.one / 2, LEVEL.one / 2],
    [1, True, Rational(1), ROOT_2.one, E.one, LEVEL.one],
    [AlgebraicNumber([-2, 0, 1], 0, 2), AlgebraicNumber([-2, 0, 1], 1, "3/2"), ROOT_2.gen, ROOT_8.gen / 2],
    [AlgebraicNumber([-8, 0, 1], 0, 3), ROOT_2.gen * 2, ROOT_8.gen],
    [-ROOT_2.gen, -ROOT_8.gen / 2, AlgebraicNumber([-2, 0, 1], -2, 0)],
    [E.gen, ROOT_E.gen**2],
    [ROOT_E.gen],
    [LEVEL.gen + 3],
    ["2"],
    [None],
]
"""Equal things; those of two groups are not."""


def test_equal_numbers_of_all_fields_are_equal_and_have_one_hash():
    for one, other in product(GROUPS, GROUPS):
        for x, y in product(one, other):
            assert bool(x == y) is (one is other), (x, y)
            assert bool(x != y) is (one is not other)
            assert one is not other or hash(x) == hash(y), (x, y)


DECIMALS = [Decimal("2.0"), Decimal("0.50"), Decimal("1E0"), Decimal("1E+999999"), Decimal("-0.5"), Decimal("Infinity"), Decimal("NaN")]


@pytest.mark.parametrize("decimal", DECIMALS)
def test_a_decimal_is_the_number_that_it_spells(decimal):
    """As it is for a Fraction, whose equality with ours would else not carry over."""
    for group in GROUPS:
        plain = next((x for x in group if type(x) in (int, Fraction)), None)
        same = plain is not None and bool(decimal == plain)
        for x in group:
            if not isinstance(x, np.integer):  # where Decimal asks numpy for a Python int
                assert (x == decimal) is (decimal == x) is same, (x, decimal)
                assert (x != decimal) is not same
                assert not same or hash(x) == hash(decimal)


def test_mechanisms_over_two_fields_are_equal_if_their_entries_are():
    def made(p):
        return Mechanism([[1 - p / 4, p / 4], [p / 4, 1 - p / 4]])

    assert made(ROOT_2.gen) == made(ROOT_8.gen / 2)
    assert {made(ROOT_2.gen): "found"}[made(ROOT_8.gen / 2)] == "found"
    assert made(ROOT_2.gen) != made(ROOT_8.gen)
    assert made(ROOT_2.gen) != made(E.gen)


@pytest.mark.parametrize("number", [Rational(1), LEVEL.gen, E.gen, ROOT_2.gen])
@pytest.mark.parametrize("unit", ["s", "D"])
def test_a_duration_is_no_number(number, unit):
    duration = np.timedelta64(3, unit)
    with pytest.raises(InputError, match="is not a rational number"):
        Rational(duration)
    with pytest.raises(InputError):
        Mechanism(np.array([[1, 0], [0, 1]], dtype=f"timedelta64[{unit}]"))
    assert number != duration
    with pytest.raises(TypeError, match=r"unsupported operand|cannot use operands"):
        number + duration


def test_a_truth_value_is_no_number():
    for wrong in (lambda: Rational(True), lambda: Rational(1, True), lambda: from_float(True)):
        with pytest.raises(InputError):
            wrong()
    with pytest.raises(InputError, match="lower_closed is 'no'"):
        Interval(0, 1, "no")


@pytest.mark.parametrize("number", [Rational(1), LEVEL.gen, E.gen, ROOT_2.gen, AlgebraicNumber([-2, 0, 1], 0, 2)])
def test_nothing_is_taken_out_of_a_number(number):
    before = str(number)
    for name in {name for kind in type(number).__mro__ for name in getattr(kind, "__slots__", ())}:
        with pytest.raises(AttributeError, match="immutable"):
            delattr(number, name)
    assert str(number) == before


def test_a_function_of_text_and_digits_that_are_none():
    assert LEVEL.gen.substitute("1/3") == Rational("1/3")
    for wrong in (-1, 2.5, True):
        with pytest.raises(InputError, match="number of digits"):
            AlgebraicNumber([-2, 0, 1], 0, 2).enclosure(wrong)
    with pytest.raises(OverflowError):
        float(1 / E.gen**2000)


HALVES = [Rational("1/2"), LEVEL.one / 2, E.one / 2, ROOT_2.one / 2, AlgebraicNumber([-1, 2], 0, 3)]
NO_HALVES = [
    Rational("1/3"),
    LEVEL.gen + 3,
    E.gen,
    ROOT_2.gen,
    AlgebraicNumber([-2, 0, 1], 0, 2),
    RegionField("0 < p < 1").gen + 3,
]
FLOATS = [float, np.float64, np.float32, np.float16, np.longdouble, complex, np.complex64, np.complex128]


@pytest.mark.parametrize(("number", "equal"), [*((x, True) for x in HALVES), *((x, False) for x in NO_HALVES)])
@pytest.mark.parametrize("kind", FLOATS)
def test_a_float_is_equal_to_the_number_that_it_is(number, equal, kind):
    for x, same in ((kind(0.5), equal), (kind("nan"), False), (kind("inf"), False), (kind(0.1), False)):
        assert bool(number == x) is bool(x == number) is same
        assert bool(number != x) is bool(x != number) is not same
        assert not same or hash(number) == hash(x)
    assert number != 0.5 + 1j
    assert number != np.complex64(0.5 + 1j)
    assert (0.5 in [number]) is equal


@pytest.mark.parametrize("letter", [LEVEL.gen, RegionField("0 < p < 1").gen])
@pytest.mark.parametrize("kind", [*FLOATS, lambda x: Decimal(str(x))])
def test_a_letter_beside_a_float_is_what_it_is_beside_the_number(letter, kind):
    """It is no half, and no other number than a half, either: as beside Rational("1/2")."""
    for half in (kind(0.5), Rational("1/2")):
        for ask in (lambda x=half: letter == x, lambda x=half: x == letter, lambda x=half: letter != x, lambda x=half: x != letter):
            with pytest.raises(UndecidedSignError, match=f"{letter} == .* has not the same answer"):
                ask()
    for outside in (kind(2.0), kind("nan"), kind("inf")):
        assert letter != outside
        assert outside != letter


@pytest.mark.parametrize("kind", [*FLOATS, Decimal])
def test_a_letter_that_is_one_number_is_equal_to_its_float(kind):
    letter = RationalFunctionField(Interval("1/2", "1/2", True, True)).gen
    assert letter == Rational("1/2")
    for half in (kind(1) / 2, kind(2) / 4):
        assert bool(letter == half) is bool(half == letter) is True
        assert letter == half
        assert letter != half * 3


@pytest.mark.parametrize("number", [Rational("1/3"), E.gen, ROOT_2.gen, AlgebraicNumber([-2, 0, 1], 0, 2)])
def test_pytests_approx_rounds_the_number(number):
    near = float(number) * (1 + 1e-9)
    assert number == pytest.approx(near)
    assert number != pytest.approx(near, rel=1e-12)
    assert [number] == pytest.approx([near])
    assert {"a": number} == pytest.approx({"a": near})
    assert LEVEL.gen != pytest.approx(0.5)


@pytest.mark.parametrize("kind", [float, np.float64, np.float32])
def test_pytests_approx_may_stand_on_either_side(kind):
    third, near, far = Rational("1/3"), kind(1 / 3), kind(0.34)
    for yes in (lambda: pytest.approx(near) == third, lambda: third == pytest.approx(near), lambda: pytest.approx(third) == near):
        assert yes() is True
    for no in (lambda: pytest.approx(far) == third, lambda: third == pytest.approx(far), lambda: pytest.approx(third) == far):
        assert no() is False
    assert pytest.approx(near) != Rational("1/4")
    assert pytest.approx([near]) == [third]
    assert (pytest.approx(near, rel=0, abs=0) == third) is False  # old versions of pytest ask the other one for !=
    assert pytest.approx(float("nan")) != third
    assert pytest.approx(float("inf")) != third
    with pytest.raises(InexactInputError):
        third - near


def test_pytests_approx_beside_a_number_with_letters_raises_nothing_of_its_own():
    for number in (E.gen, ROOT_2.gen, Epsilon("1/3")):
        assert pytest.approx(0.9) != number


def test_a_float_of_sympy_is_equal_to_what_sympy_says():
    for number in [*HALVES, *NO_HALVES]:
        for x in (sympy.Float("0.5"), sympy.Float("0.1")):
            assert bool(number == x) is bool(x == number)


@pytest.mark.parametrize("number", [Rational("1/3"), E.gen, ROOT_2.gen / 4, AlgebraicNumber([-1, 0, 8], 0, 1)])
@pytest.mark.parametrize("kind", [float, np.float64, np.longdouble, Decimal, Fraction])
def test_an_order_beside_a_float_is_that_beside_the_double(number, kind):
    for x, sign in ((kind(0.25), 1), (kind(0.5), -1)):
        assert (number > x, number >= x, number < x, number <= x) == (sign > 0, sign > 0, sign < 0, sign < 0)
        assert (x < number, x <= number, x > number, x >= number) == (sign > 0, sign > 0, sign < 0, sign < 0)


def test_an_order_of_functions_beside_a_float_is_about_every_level():
    assert LEVEL.gen < 1.0
    assert RegionField("0 < p < 1/2").gen <= 0.5
    with pytest.raises(UndecidedSignError):
        _ = LEVEL.gen < 0.5


def test_a_rational_epsilon_is_equal_to_what_its_number_is():
    assert Epsilon("1/2") == Decimal("0.5") == Fraction(1, 2) == Epsilon("1/2")
    assert hash(Epsilon("1/2")) == hash(Decimal("0.5"))
    assert Epsilon("1/2") != Decimal("0.50001")
    assert Epsilon(1) != True  # noqa: E712
    assert Epsilon("ln(2)") != Decimal("0.6931")
    assert Epsilon("1/2") != "1/2"


def test_an_epsilon_beside_an_array_is_compared_with_each_entry():
    assert (Epsilon("1/2") == np.array([Fraction(1, 2), 1], dtype=object)).tolist() == [True, False]
    assert (np.array([1, 2]) == Epsilon(1)).tolist() == [True, False]
