# SPDX-License-Identifier: MIT
"""ℚ(e^(−ε)) and several exponentials: the order against high-precision numerics by mpmath, near ties,
identities, refusals.
"""

from __future__ import annotations

import operator
import pickle
from fractions import Fraction

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.errors import InexactInputError, InputError, MixedDomainError, ParameterRangeError, ResourceLimitError
from exactdp.exact import (
    ExactMatrix,
    ExponentialField,
    Rational,
    common_field,
    compare_exponential_power,
    exponential_power,
    reader_of_exponentials,
    root_parts,
)

DIGITS = 400
ONE = ExponentialField(1)
TENTH = ExponentialField("1/10", unit=2)
PLANE = ExponentialField("1/3", roots=(1, 2, 5))


def numeric(x):
    """The value by mpmath, from the coefficients alone, to 400 digits."""
    with mpmath.workdps(DIGITS):
        rate = mpmath.mpf(x.field.rate.numerator) / x.field.rate.denominator
        letters = [mpmath.exp(-rate * mpmath.sqrt(q)) for q in x.field.roots]

        def at(p):
            if not p:
                return mpmath.mpf(0)
            if isinstance(p[0], int):
                return sum((c * letters[0] ** k for k, c in enumerate(p)), mpmath.mpf(0))
            total = mpmath.mpf(0)
            for powers, c in p:
                product = mpmath.mpf(c)
                for letter, e in zip(letters, powers, strict=True):
                    product *= letter**e
                total += product
            return total

        return at(x.numerator) / at(x.denominator)


@st.composite
def elements(draw, field):
    def poly():
        result = field.zero
        for _ in range(draw(st.integers(1, 3))):
            term = field.one * draw(st.integers(-5, 5))
            for g in field.gens:
                term = term * g ** draw(st.integers(0, 2))
            result = result + term
        return result

    below = poly()
    assume(below)
    return poly() / below


pairs = st.sampled_from([ONE, TENTH, PLANE]).flatmap(lambda f: st.tuples(elements(f), elements(f)))


@pytest.mark.slow
@given(pairs)
def test_order_is_that_of_the_numbers(pair):
    x, y = pair
    with mpmath.workdps(DIGITS):
        difference = numeric(x) - numeric(y)
        expected = 0 if abs(difference) < mpmath.mpf(10) ** (-DIGITS // 2) else (1 if difference > 0 else -1)
    assert (x > y) - (x < y) == expected
    assert (x - y).sign() == expected
    assert (x == y) == (expected == 0)
    assert (x >= y) == (expected >= 0)
    if x == y:
        assert hash(x) == hash(y)


@pytest.mark.slow
@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.truediv])
@given(pair=pairs)
def test_arithmetic(operation, pair):
    x, y = pair
    assume(operation is not operator.truediv or y)
    result = operation(x, y)
    with mpmath.workdps(DIGITS):
        gap = abs(numeric(result) - operation(numeric(x), numeric(y)))
        assert gap < mpmath.mpf(10) ** (-DIGITS // 2) * (1 + abs(numeric(result)))
    assert pickle.loads(pickle.dumps(result)) == result


@given(pairs, st.integers(0, 30))
def test_enclosures(pair, digits):
    x, _ = pair
    lo, hi = x.enclosure(digits)
    with mpmath.workdps(DIGITS):
        low, high = (mpmath.mpf(e.numerator) / e.denominator for e in (lo, hi))
        assert low <= numeric(x) <= high
    assert hi - lo in (0, Rational(1, 10**digits))
    assert lo <= x <= hi
    with mpmath.workdps(30):
        assert abs(float(x) - numeric(x)) <= 1e-12 * (1 + abs(numeric(x)))


@pytest.mark.parametrize("digits", [40, 300, 3000])
def test_near_ties(digits):
    """A rational within 10^-digits of e^(−1), from its own alternating series, on either side."""
    t = ONE.gen
    scale = 10**digits
    total, term, k = Fraction(0), Fraction(1), 0
    while term >= Fraction(1, scale**2):
        total += term if k % 2 == 0 else -term
        k += 1
        term /= k
    near = Fraction(round(total * scale), scale)
    low, high = (near - Fraction(1, scale), near + Fraction(1, scale))
    assert Rational(low) < t < Rational(high)
    lo, hi = t.enclosure(digits)
    assert lo < t < hi
    # a polynomial with a root that close: (t − near)(t + 1), and its square
    sign = 1 if total > near else -1
    p = (t - Rational(near)) * (t + 1)
    assert p.sign() == sign
    assert (p * p).sign() == 1
    assert (p * p - p * p).sign() == 0
    # with a denominator that is negative although its constant is positive
    assert 1 - 3 * t < 0
    assert (p / (1 - 3 * t)).sign() == -sign
    assert (1 / (1 - 3 * t)).denominator == (-1, 3)


def test_cancellation_of_high_order():
    t = ExponentialField("1/1000").gen
    x = (1 - t) ** 60
    assert x.sign() == 1
    assert (-x).sign() == -1
    assert x < Rational(1, 10**170)
    assert x > Rational(1, 10**190)


def test_identities_are_zero():
    t = ONE.gen
    assert ((1 - t**6) / (1 - t) - (1 + t + t**2) * (1 + t**3)).sign() == 0
    a, b, c = PLANE.gens
    assert ((a + b) ** 2 - a * a - 2 * a * b - b * b) == 0
    assert not (a * b - b * a)
    assert (a * c) / c == a


def test_independence_of_square_roots():
    """1 + √5 against 2√2 + …: products of exponentials are ordered as the exact sums of square roots."""
    t, t2, t5 = ExponentialField(1, roots=(1, 2, 5)).gens
    for i in range(4):
        for j in range(4):
            for k in range(4):
                with mpmath.workdps(60):
                    left, right = i + j * mpmath.sqrt(2), k * mpmath.sqrt(5)
                product, power = t**i * t2**j, t5**k
                if i == j == k == 0:
                    assert product == power
                else:
                    assert product != power
                    assert (product < power) == (left > right)


def test_equal_fields():
    assert ExponentialField("1/10", unit=2) == ExponentialField("1/20")
    assert hash(ExponentialField("1/10", unit=2)) == hash(ExponentialField("1/20"))
    assert ExponentialField(1, roots=(2, 1)) == ExponentialField(1, roots=(1, 2)) != ExponentialField(1)
    assert pickle.loads(pickle.dumps(PLANE)) == PLANE
    half = ONE("1/2")
    assert half == Rational("1/2") == Fraction(1, 2)
    assert hash(half) == hash(Fraction(1, 2))
    assert PLANE("1/2") == half  # rational numbers are the same everywhere
    assert ONE.gen != PLANE.gen


def test_a_smaller_field_is_in_a_larger_one():
    fine = ExponentialField("1/6", roots=(1, 2))
    x = (1 - ExponentialField("1/2").gen) / 3
    assert fine(x) == (1 - fine.gen**3) / 3
    with pytest.raises(MixedDomainError):
        ExponentialField("1/2")(fine.gen)
    with pytest.raises(MixedDomainError):
        ONE.gen + fine.gen
    assert ExactMatrix([[ONE.gen, fine.gen]]).field == fine  # a matrix moves its entries to the common field


@pytest.mark.parametrize("epsilon", [0, -1, "-1/10"])
def test_epsilon_must_be_positive(epsilon):
    with pytest.raises(ParameterRangeError, match="not positive"):
        ExponentialField(epsilon)


@pytest.mark.parametrize("roots", [(4,), (1, 8), (0,), (-1,), (), (1, 1), (1.0,), (True, 2)])
def test_roots_must_be_squarefree(roots):
    with pytest.raises(ParameterRangeError, match="squarefree"):
        ExponentialField(1, roots=roots)


@pytest.mark.parametrize("unit", [0, -1, 1.0, True, "2"])
def test_units(unit):
    with pytest.raises(ParameterRangeError, match="unit"):
        ExponentialField(1, unit)


def test_misuse():
    t = ONE.gen
    with pytest.raises(InexactInputError):
        ExponentialField(0.1)
    with pytest.raises(InexactInputError):
        _ = t + 0.5
    with pytest.raises(ZeroDivisionError):
        _ = 1 / (t - t)
    with pytest.raises(TypeError):
        _ = t < "1/2"
    with pytest.raises(InputError, match="not a power"):
        ONE.exponential("1/2")
    with pytest.raises(InputError, match="not a power"):
        ONE.exponential(1, root=2)
    with pytest.raises(AttributeError, match="immutable"):
        ONE.rate = 2
    with pytest.raises(InputError, match="values for the generators"):
        t.substitute(1, 2)


@given(st.integers(1, 400), st.integers(1, 30))
def test_root_parts(p, q):
    outside, inside = root_parts(Rational(p, q))
    assert outside * outside * inside == Rational(p, q)
    assert all(inside % (k * k) for k in range(2, inside + 1))


def test_a_square_is_not_factored_and_a_long_number_is_refused():
    """Both took minutes or for ever, in one call that no signal ends."""
    number = 10**5000 - 1
    assert root_parts(Rational(number) ** 2) == (Rational(number), 1)
    with pytest.raises(ResourceLimitError, match="a number of 51 digits can't be simplified: at most 50 are factored"):
        root_parts(Rational(10**50 + 1))


@given(st.integers(1, 4), st.integers(1, 12), st.integers(1, 4), st.sampled_from([1, 2, 5]))
def test_powers_of_exponentials(k, p, q, root):
    x = PLANE.gens[PLANE.roots.index(root)] ** k
    power = exponential_power(x, Rational(p, q))
    with mpmath.workdps(DIGITS):
        expected = numeric(x) ** mpmath.sqrt(mpmath.mpf(p) / q)
        assert abs(numeric(power) - expected) < mpmath.mpf(10) ** (-DIGITS + 20)
    assert compare_exponential_power(power.field(x) if power.field != x.field else x, x, Rational(1)) == 0


@given(elements(ONE), st.integers(1, 3), st.integers(1, 12), st.integers(1, 4))
def test_comparison_with_irrational_powers(x, k, p, q):
    assume(x > 0)
    y = ONE.gen**k
    with mpmath.workdps(DIGITS):
        difference = numeric(x) - numeric(y) ** mpmath.sqrt(mpmath.mpf(p) / q)
        expected = 0 if abs(difference) < mpmath.mpf(10) ** (-DIGITS // 2) else (1 if difference > 0 else -1)
    assert compare_exponential_power(x, y, Rational(p, q)) == expected


def test_powers_of_quotients_of_exponentials():
    t, t2, t5 = PLANE.gens
    for x in (1 / t, t * t / t2, t2 / t5):
        for square in (Rational(2), Rational("9/4"), Rational("5/2")):
            power = exponential_power(x, square)
            with mpmath.workdps(60):
                exponent = mpmath.log(numeric(x))
                assert abs(numeric(power) - mpmath.exp(exponent * mpmath.sqrt(mpmath.mpf(square.numerator) / square.denominator))) < 1e-50
    assert exponential_power(1 + t, Rational(2)) is None
    assert exponential_power(2 * t, Rational(2)) is None


def test_text():
    t = ONE.gen
    assert str((1 - t) / (1 + t)) == "(-t + 1)/(t + 1)"
    assert str(PLANE.gens[1] * PLANE.gens[2] ** 2) == "t2*t5^2"
    assert PLANE.gens[1].latex() == "t_{2}"
    assert PLANE.gens[1]._repr_latex_() == f"$t_{{2}}{PLANE.latex_meanings}$"
    assert repr(PLANE) == "ExponentialField('1/3', roots=(1, 2, 5))"
    assert TENTH.meanings == {"t": "exp(-1/20)"}


@given(pairs)
def test_text_is_read_back(pair):
    x, _ = pair
    assert x.field(str(x)) == x


@pytest.mark.parametrize("text", ["a", "exp(-1)", "t3", "t^(1/2)", "t*", "__import__('os')"])
def test_bad_formulas(text):
    with pytest.raises(InputError):
        PLANE(text)


# --- Formulas without letters ---


@given(pairs)
def test_the_formula_without_letters_is_read_back(pair):
    x, _ = pair
    found = reader_of_exponentials([x.formula()])(x.formula())
    field = common_field(found, x)
    assert field(found) == field(x)


def test_formulas_of_several_texts_are_over_one_field():
    texts = ["exp(-1/2)", "exp(1/3*sqrt(2))", "exp(0) + 1"]
    read = reader_of_exponentials(texts)
    half, third, two = map(read, texts)
    assert half.field == third.field == two.field == ExponentialField("1/6", roots=(1, 2))
    assert (two, half * half.field.exponential("-1/2")) == (2, 1)
    assert (third * third.field.exponential("1/3", 2)) == 1


def test_exponents_that_are_too_far_apart():
    with pytest.raises(ResourceLimitError):
        reader_of_exponentials(["exp(-1)", "exp(-1/20001)"])


@pytest.mark.parametrize(("root", "same"), [("sqrt(4)", "2"), ("sqrt(8)", "2*sqrt(2)"), ("sqrt(45)", "3*sqrt(5)")])
def test_roots_of_numbers_with_a_square_in_them(root, same):
    texts = [f"exp(-1*{root})", f"exp(-{same})"]
    read = reader_of_exponentials(texts)
    assert read(texts[0]) == read(texts[1])


@pytest.mark.parametrize(("least", "most"), [("1/10", "137/10"), ("1/1000", "10"), ("1", "9999")])
def test_exponents_far_apart_are_numbers_of_one_field(least, most):
    """exp(-137/10) beside exp(-1/10) was refused: a table of a deployed noise has such entries."""
    read = reader_of_exponentials([f"exp(-{least})", f"exp(-{most})"])
    low, high = read(f"exp(-{least})"), read(f"exp(-{most})")
    steps = Fraction(most) / Fraction(least)
    assert low ** int(steps) == high
    assert 0 < high < low < 1


@pytest.mark.parametrize("text", ["a", "exp(-1) + a", "t", "exp(", "1/0", "1/(exp(-1) - exp(-1))", "exp(-1/2)^1.5"])
def test_what_is_no_number_is_refused_when_it_is_read(text):
    read = reader_of_exponentials(["exp(-1)", text])
    with pytest.raises(InputError):
        read(text)


@given(pairs, st.integers(1, 5), st.sampled_from([(), (7,)]))
def test_a_number_of_a_larger_field_is_the_same_number(pair, steps, roots):
    x, y = pair
    larger = ExponentialField(x.field.rate / steps, roots=(*x.field.roots, *roots))
    assert larger(x) == x
    assert x == larger(x)
    assert hash(larger(x)) == hash(x)
    assert (larger(x) == y) == (x == y)
    assert (ExactMatrix([[x]]) == ExactMatrix([[larger(x)]])) is True
