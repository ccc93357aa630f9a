# SPDX-License-Identifier: MIT
"""ℚ(α) on an interval: the field by evaluation, the signs by dense rationals and by sympy, the refusals."""

from __future__ import annotations

import operator
import pickle
from fractions import Fraction
from itertools import pairwise
from math import prod

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.errors import DomainError, InexactInputError, InputError, MixedDomainError, ResourceLimitError, UndecidedSignError
from exactdp.exact import (
    QQ,
    AlgebraicNumber,
    ExactMatrix,
    ExponentialField,
    Interval,
    Rational,
    RationalFunction,
    RationalFunctionField,
    common_field,
    formula_of,
    is_zero,
    largest,
    least_index,
    same_formula,
    smallest,
)

FIELD = RationalFunctionField()
A = FIELD.gen
HALF_ROOT = AlgebraicNumber([-1, 0, 2], 0, 1)

coefficients = st.lists(st.integers(-5, 5), min_size=1, max_size=5)
functions = st.tuples(coefficients, coefficients.filter(any)).map(lambda t: FIELD.quotient(*t))
POSITIVE = (A, 1 + A, 1 - A, 2 - A, 3 - 2 * A, 1 + A * A, 1 - A + A * A, 2 - 3 * A + 2 * A * A, FIELD("2/3"), FIELD(5))
products = st.lists(st.sampled_from(POSITIVE), max_size=3).map(lambda factors: prod(factors, start=FIELD.one))
positive_functions = st.builds(operator.truediv, products, products)
numbers = st.one_of(st.integers(-4, 4), st.fractions(-2, 2, max_denominator=6), st.fractions(-2, 2, max_denominator=6).map(Rational))
points = st.fractions(min_value=Fraction(1, 40), max_value=Fraction(39, 40), max_denominator=40)
ends = st.sampled_from([Rational(0), Rational("1/4"), Rational("1/2"), HALF_ROOT, Rational(1)])
intervals = st.tuples(ends, ends, st.booleans(), st.booleans()).filter(lambda t: t[0] < t[1]).map(lambda t: Interval(*t))
OPERATIONS = [operator.add, operator.sub, operator.mul, operator.truediv]


def value(x, at):
    """Evaluation of anything at a rational point, None at a pole."""
    if isinstance(x, (int, Fraction, Rational)):
        return Fraction(x) if not isinstance(x, Rational) else x.as_fraction()
    try:
        return x.evaluate(at).as_fraction()
    except DomainError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
@given(x=functions, y=st.one_of(functions, numbers), at=points, swap=st.booleans())
def test_arithmetic_is_that_of_the_values(operation, x, y, at, swap):
    left, right = (y, x) if swap else (x, y)
    assume(operation is not operator.truediv or not is_zero(right))
    try:
        result = operation(left, right)
    except DomainError as error:  # a pole of one side would be lost
        (lost,) = error.facts["points"]
        sides = [x for x in (left, right) if isinstance(x, RationalFunction)]
        assert any(lost in x.sign_on_interval().poles for x in sides) or right.sign_at(lost) == 0
        return
    assert result.field == FIELD
    a, b = value(left, at), value(right, at)
    assume(a is not None and b is not None and (operation is not operator.truediv or b))
    assert value(result, at) == operation(a, b)


@given(functions, functions, functions)
def test_field_axioms(x, y, z):
    """Of formulas: where functions with poles are judged, some of these are refused."""
    x, y, z = map(formula_of, (x, y, z))
    assert x + y == y + x
    assert x * (y + z) == x * y + x * z
    assert (x + y) + z == x + (y + z)
    assert x - x == 0
    assert x + 0 == x * 1 == x
    if x:
        assert x / x == 1
        assert (1 / x) * x == 1
        assert x**-2 == 1 / (x * x)
        assert x**-3 == 1 / (x * x * x)
        assert hash(x**-3) == hash(1 / (x * x * x))
    assert x**3 == x * x * x
    assert 0 - (0 - x) == x
    assert x + -x == 0


@pytest.mark.slow
@given(functions, functions)
def test_equality_is_that_of_all_values(x, y):
    same = sympy.cancel(to_sympy(x) - to_sympy(y)) == 0
    assert same_formula(x, y) == same
    try:
        assert (x == y) == same
    except UndecidedSignError:
        assert not same
    if same:
        assert hash(x) == hash(y)
    assert pickle.loads(pickle.dumps(x)) == x
    assert hash(pickle.loads(pickle.dumps(x))) == hash(x)


def to_sympy(x):
    a = sympy.Symbol("a")
    above, below = (sum(c * a**k for k, c in enumerate(p)) for p in (x.numerator, x.denominator))
    return above / below


@given(functions)
def test_lowest_terms(x):
    above, below = x.numerator, x.denominator
    a = sympy.Symbol("a")
    common = sympy.gcd(sympy.Poly(above[::-1], a), sympy.Poly(below[::-1], a))
    assert common == 1
    assert FIELD.quotient(above, below) == x
    # the text means the same function
    assert sympy.cancel(sympy.sympify(str(x).replace("^", "**")) - to_sympy(x)) == 0


@pytest.mark.slow
@given(coefficients, coefficients.filter(any), intervals)
def test_sign_pattern_against_sympy(n, d, interval):
    x = RationalFunctionField(interval).quotient(n, d)
    pattern = x.sign_on_interval()
    a = sympy.Symbol("a", real=True)
    low, high = (sympy.Rational(str(e)) if isinstance(e, Rational) else 1 / sympy.sqrt(2) for e in (interval.lower, interval.upper))
    inside = sympy.Interval(low, high, not interval.lower_closed, not interval.upper_closed)
    roots = {}
    for name, p in (("zeros", x.numerator), ("poles", x.denominator)):
        poly = sympy.Poly(p[::-1], a)
        roots[name] = sorted({r for r in poly.real_roots() if inside.contains(r) == True}) if poly.degree() > 0 else []  # noqa: E712
    assert len(pattern.zeros) == len(roots["zeros"])
    assert len(pattern.poles) == len(roots["poles"])
    cuts = sorted({low, high, *roots["zeros"], *roots["poles"]})
    signs = {int(sympy.sign(to_sympy(x).subs(sympy.Symbol("a"), middle(u, v)))) for u, v in pairwise(cuts)}
    if roots["zeros"]:
        signs.add(0)
    assert pattern.signs == tuple(sorted(signs))


def middle(u, v):
    return sympy.nsimplify((sympy.N(u, 40) + sympy.N(v, 40)) / 2, rational=True)


@pytest.mark.slow
@given(functions, st.one_of(functions, numbers))
def test_comparisons_hold_everywhere_or_nowhere_or_raise(x, y):
    samples = [Fraction(k, 60) for k in range(1, 60)]
    pairs = [(value(x, s), value(y, s)) for s in samples]
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        try:
            answer = compare(x, y)
        except UndecidedSignError as error:
            points = error.points
        except DomainError as error:  # the difference is a number where one of the two is none
            points = error.facts["points"]
            poles = {*x.sign_on_interval().poles, *(y.sign_on_interval().poles if hasattr(y, "sign_on_interval") else ())}
            assert set(points) <= poles
        else:
            assert all(compare(a, b) == answer for a, b in pairs if a is not None and b is not None)
            continue
        assert points
        assert all(FIELD.interval.contains(p) for p in points)


@given(functions)
def test_splitting_at_the_points_decides(x):
    """On every piece between the points that the error carries, the sign is one number."""
    pattern = x.sign_on_interval()
    poles = set(pattern.poles)
    for piece in FIELD.interval.split(pattern.points):
        if piece.is_point and piece.lower in poles:
            with pytest.raises(UndecidedSignError, match="not defined"):
                x.restrict(piece).sign()
            continue
        sign = x.restrict(piece).sign()
        assert sign in pattern.signs
        if not piece.is_point:
            assert sign == x.evaluate(piece.sample()).sign()
        else:
            assert sign == x.sign_at(piece.lower)


@pytest.mark.slow
@given(functions, functions, functions)
def test_weak_extremes(x, y, z):
    chosen = [x, y, z]
    samples = [s for s in (Fraction(k, 30) for k in range(1, 30)) if all(value(v, s) is not None for v in chosen)]
    for choose, best in ((largest, max), (smallest, min)):
        try:
            found = choose(chosen)
        except UndecidedSignError:
            continue
        except DomainError:  # one has a pole, where there is no largest
            assert any(v.sign_on_interval().poles for v in chosen)
            continue
        assert all(value(found, s) == best(value(v, s) for v in chosen) for s in samples)


def test_ties_at_single_points():
    square = (2 * A - 1) ** 2
    assert square >= 0
    assert not square < 0
    assert square.weak_sign() == 1
    assert abs(-square) == square
    assert largest([FIELD.zero, square]) == square
    for question in (lambda: square > 0, lambda: square <= 0, square.sign):
        with pytest.raises(UndecidedSignError) as caught:
            question()
        assert caught.value.points == (Rational("1/2"),)
        assert caught.value.changes == ()
    on_half = RationalFunctionField(Interval("1/2", 1, True)).gen
    assert on_half >= 1 - on_half
    with pytest.raises(UndecidedSignError):
        _ = on_half > 1 - on_half


def test_an_extreme_beyond_two_that_cross():
    crossing = [A, 1 - A, FIELD("1/2")]
    with pytest.raises(UndecidedSignError):
        largest(crossing)
    assert largest([*crossing, FIELD(1)]) == 1
    assert largest([FIELD(1), *crossing]) == 1
    assert smallest([*crossing, A * (1 - A)]) == A * (1 - A)
    assert least_index([*crossing, A * (1 - A), A * (1 - A)]) == 3


def test_nothing_is_said_across_a_pole():
    pole = 1 / (2 * A - 1) ** 2
    for question in (lambda: pole > 0, lambda: pole < 0, lambda: pole >= 1, lambda: pole < A, pole.sign, pole.weak_sign):
        with pytest.raises(UndecidedSignError, match="not defined at a = 1/2") as caught:
            question()
        assert Rational("1/2") in caught.value.points
    with pytest.raises(DomainError, match="this is not defined at a = 1/2, and 1 is"):
        pole * (2 * A - 1) ** 2
    assert (pole.restrict(Interval("1/2", 1)) * (2 * A.restrict(Interval("1/2", 1)) - 1) ** 2).sign() == 1
    assert pole.restrict(Interval("1/2", 1)) > 1


def test_the_error_carries_exact_points():
    with pytest.raises(UndecidedSignError) as caught:
        _ = 2 * A * A > 1
    error = caught.value
    assert error.points == error.changes == (HALF_ROOT,)
    assert error.interval == Interval(0, 1)
    assert error.polynomial == (-1, 0, 2)
    assert isinstance(pickle.loads(pickle.dumps(error)), UndecidedSignError)


def test_signs_at_an_irrational_point():
    at = RationalFunctionField(Interval.point(HALF_ROOT)).gen
    assert (2 * at * at - 1).sign() == 0
    assert at > Rational("7/10")
    assert at <= 1 / (2 * at)
    assert (1 / at).denominator == (0, 1)


def test_numbers_are_the_same_on_both_sides():
    half = FIELD("1/2")
    assert half == Rational("1/2") == half
    assert half == Fraction(1, 2)
    assert hash(half) == hash(Fraction(1, 2)) == hash(Rational("1/2"))
    assert half.rational == Rational("1/2")
    assert {half, Rational("1/2"), FIELD(Fraction(1, 2))} == {half}
    assert Rational(1) - A == 1 - A
    assert Rational(1) > A
    assert Rational(0) < A
    assert Fraction(1, 2) * A == A / 2
    assert Rational(2) / A == 2 / A
    assert FIELD.one == 1
    assert not FIELD.zero
    assert A
    assert A != "a"


@pytest.mark.parametrize("bad", [0.5, 1j])
def test_floats_are_refused(bad):
    for question in (lambda: A + bad, lambda: bad * A, lambda: A - bad, lambda: FIELD(bad), lambda: A / bad, lambda: A.evaluate(bad)):
        with pytest.raises(InexactInputError):
            question()


def test_misuse():
    with pytest.raises(ZeroDivisionError):
        _ = 1 / (A - A)
    with pytest.raises(ZeroDivisionError):
        _ = A / 0
    with pytest.raises(ZeroDivisionError):
        _ = FIELD.zero**-1
    with pytest.raises(TypeError):
        _ = A < "1/2"
    with pytest.raises(TypeError):
        _ = A**0.5
    with pytest.raises(InputError, match="can't name"):
        RationalFunctionField(name="eval()")
    with pytest.raises(InputError, match="not an Interval"):
        RationalFunctionField((0, 1))
    with pytest.raises(InputError, match="zero polynomial"):
        FIELD.quotient([1], [0])
    with pytest.raises(InputError):
        FIELD(True)
    with pytest.raises(DomainError, match="not defined"):
        (1 / (2 * A - 1)).evaluate("1/2")
    with pytest.raises(AttributeError, match="immutable"):
        A._n = 0
    with pytest.raises(AttributeError, match="immutable"):
        FIELD.interval = None


@pytest.mark.parametrize(("base", "exponent"), [(A, 10**9), (1 / A, -(10**12)), (1 + A, 10**6), (FIELD(2), 10**10), (A, -(10**9))])
def test_enormous_powers_are_refused_before_work(base, exponent):
    with pytest.raises(ResourceLimitError):
        _ = base**exponent
    assert FIELD.one**10**12 == 1


def test_fields_do_not_mix():
    t = ExponentialField(1).gen
    b = RationalFunctionField(name="b").gen
    on_half = RationalFunctionField(Interval("1/2", 1)).gen
    for other in (t, b, on_half):
        for question in (lambda o=other: A + o, lambda o=other: o > A, lambda o=other: o * A, lambda o=other: ExactMatrix([[A, o]])):
            with pytest.raises(MixedDomainError) as caught:
                question()
            assert set(caught.value.fields) == {FIELD, other.field}
            told = str(caught.value)
            named = "e^(−1) has no place in formulas in a" in told if other is t else str(FIELD) in told and str(other.field) in told
            assert named, told
    assert t != A
    assert b != A
    assert on_half == A  # where both are known
    with pytest.raises(MixedDomainError):
        FIELD(t)
    with pytest.raises(MixedDomainError, match="restrict"):
        FIELD(on_half)
    assert on_half.field(A) == on_half
    assert FIELD(b / b) == 1
    assert common_field(1, A, QQ, "x", FIELD) == FIELD


def test_fields_are_values():
    assert RationalFunctionField() == FIELD
    assert hash(RationalFunctionField()) == hash(FIELD)
    assert pickle.loads(pickle.dumps(FIELD)) == FIELD
    assert RationalFunctionField(Interval(0, 1, True)) != FIELD
    assert RationalFunctionField(name="b") != FIELD
    assert FIELD != QQ


@given(positive_functions, st.integers(1, 4))
def test_roots_of_powers(x, k):
    assert x.sign_on_interval().signs == (1,)
    assert (x**k).root(k) == x
    assert ((x**k) * A / A).root(k) == x


def test_no_root():
    assert A.root(2) is None
    assert (2 * A * A).root(2) is None
    assert (4 * A * A).root(2) == 2 * A


@given(functions, points)
def test_substitution(x, at):
    inner = value(x, at * at)
    assume(inner is not None)
    assert value(x.substitute(A * A), at) == inner
    assert Fraction(x.substitute(Rational(at * at)).as_fraction()) == inner


def test_text_and_latex():
    x = 2 * A * (A * A + A + 1) / ((A + 1) * (1 + A + A**2 - A**3))
    assert str(x) == "(2*a^3 + 2*a^2 + 2*a)/(-a^4 + 2*a^2 + 2*a + 1)"
    assert str(1 / A) == "1/a"
    assert str(1 / (2 * A)) == "1/(2*a)"
    assert str(-A) == "-a"
    assert str(FIELD.zero) == "0"
    assert (A / (1 + A))._repr_latex_() == r"$\frac{\alpha}{1 + \alpha}$"
    assert RationalFunctionField(name="b").gen._repr_latex_() == "$b$"


def test_common_denominators():
    den, nums = FIELD.over_common_denominator([A / (1 + A), 1 / (1 - A * A), Rational("1/2")])
    assert [FIELD.quotient(n, den) for n in nums] == [A / (1 + A), 1 / (1 - A * A), FIELD("1/2")]
    assert FIELD.quotient(den) > 0
    late = RationalFunctionField(Interval("2/3", 1))
    den, nums = late.over_common_denominator([1 / (1 - 2 * late.gen)])
    assert late.quotient(den) > 0
    assert (1 / (1 - 2 * late.gen)).denominator == (-1, 2)


def test_formulas_as_text():
    assert FIELD("2*a*(a^2+a+1)/((a+1)*(1+a+a^2-a^3))") == 2 * A * (A * A + A + 1) / ((A + 1) * (1 + A + A**2 - A**3))
    assert FIELD("1/2") == Rational("1/2")
    assert FIELD("alpha") == FIELD("α") == A
    b = RationalFunctionField(name="b")
    assert b("1-b") == 1 - b.gen
    assert ExactMatrix([["1/(1+a)", "a/(1+a)"]], FIELD)[0, 1] == A / (1 + A)


@given(functions)
def test_text_is_read_back(x):
    assert FIELD(str(x)) == x


@pytest.mark.parametrize("text", ["__import__('os')", "(" * 10_000, "b", "a b", "", "0.5.", "1/0", "1/(a-a)"])
def test_bad_formulas(text):
    with pytest.raises(InputError):
        FIELD(text)


def test_letters_do_not_mix():
    with pytest.raises(InputError, match="no letter"):
        RationalFunctionField(name="b")("a+1")


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("a*(1-2*a)/(1-2*a)", "divides by 1 - 2*a, which is zero at a = 1/2; where a is meant there too, write that"),
        ("a+0/(1-2*a)", "divides by 1 - 2*a, which is zero at a = 1/2"),
        ("1/(1-2*a) - 1/(1-2*a)", "divides by 1 - 2*a, which is zero at a = 1/2; where 0 is meant"),
        ("1/(1/(2*a^2-1))", "divides by 2*a^2 - 1, which is zero at a = root of 2*a^2 - 1"),
        ("(1-4*a^2)*(1-3*a)/((1-2*a)*(1-3*a))", "divides by (1 - 2*a)*(1 - 3*a), which is zero at a = 1/3"),
    ],
)
def test_a_formula_that_divides_by_zero_at_a_level_is_not_read_as_what_is_left_of_it(formula, words):
    """At that level alone it is refused, so that an answer for all levels must not include it."""
    with pytest.raises(InputError) as caught:
        RationalFunctionField()(formula)
    assert words in caught.value.message
    RationalFunctionField(Interval("3/4", 1))(formula)  # where no divisor is zero


@pytest.mark.parametrize(
    ("formula", "poles"),
    [
        ("(1-a^2)/(1-a)", []),
        ("a/2/(1+a)", []),
        ("1/(1-2*a)", ["1/2"]),
        ("(1-2*a)/(1-2*a)^2", ["1/2"]),
        ("a/(1-2*a)-a/(3*a-1)", ["1/3", "1/2"]),
    ],
)
def test_poles_of_a_formula_stay_poles(formula, poles):
    assert [str(x) for x in RationalFunctionField()(formula).sign_on_interval().poles] == poles
