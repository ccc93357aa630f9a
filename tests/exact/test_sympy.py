# SPDX-License-Identifier: MIT
"""sympy as a first language: everything goes there and comes back; operators are exact, or say why not."""

from __future__ import annotations

import math
import operator
import re
from fractions import Fraction

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import rationals

import exactdp as xdp
from exactdp.errors import CertificateError, DomainError, InexactInputError, InputError, MixedDomainError, UndecidedSignError
from exactdp.exact import (
    QQ,
    AlgebraicNumber,
    ExactMatrix,
    ExponentialField,
    Interval,
    Rational,
    RationalFunctionField,
    Region,
    RegionField,
    SymbolField,
    parse_expression,
    real_roots,
)
from exactdp.exact.identity import generic_quotient, is_zero
from exactdp.exact.intervals import set_to_sympy
from exactdp.exact.number_field import NumberField
from exactdp.exact.piecewise import Piecewise
from exactdp.exact.sympy_numbers import intervals_from_sympy, point_from_sympy
from exactdp.exact.sympy_operators import SIGNS
from exactdp.model import Distance, Epsilon

A = RationalFunctionField().gen
ROOT2 = NumberField(AlgebraicNumber([-2, 0, 1], 0, 2))
CUBIC = NumberField(AlgebraicNumber([-1, 0, 1, 1], 0, 1))
LETTER, B = sympy.Symbol("a"), sympy.Symbol("b")
FLOAT = sympy.Float("0.5")
small = st.integers(-4, 4)
ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv]
ORDER = [operator.lt, operator.le, operator.gt, operator.ge]
SWAPPED = {operator.lt: operator.gt, operator.le: operator.ge, operator.gt: operator.lt, operator.ge: operator.le}


# --- There and back ---


@st.composite
def polynomials(draw, gens, one):
    """A sum of a few monomials, over whatever the generators are."""
    total = 0 * one
    for _ in range(draw(st.integers(1, 3))):
        term = draw(small) * one
        for x in gens:
            term = term * x ** draw(st.integers(0, 2))
        total = total + term
    return total


@st.composite
def scalars(draw, field):
    gens = getattr(field, "gens", None) or ((field.gen,) if hasattr(field, "gen") else ())
    above = draw(polynomials(gens, field.one))
    below = draw(polynomials(gens, field.one))
    return (above if is_zero(below) else generic_quotient(above, below)) + field(draw(rationals()))


FIELDS = {
    "rationals": QQ,
    "the level": RationalFunctionField(),
    "another interval and letter": RationalFunctionField(Interval(-1, "3/2", True), "x"),
    "one exponential": ExponentialField("1/6"),
    "three exponentials": ExponentialField("1/2", roots=(1, 2, 5)),
    "a square root": ROOT2,
    "another square root": NumberField(AlgebraicNumber([-1, -1, 1], 0, 2)),  # the golden ratio
    "a cubic": NumberField(AlgebraicNumber([-1, 0, 1, 1], 0, 1)),
    "a cube root": NumberField(AlgebraicNumber([-2, 0, 0, 1], 0, 2)),
    "symbols": SymbolField(["a", "x0", "x1"]),
}


@pytest.mark.parametrize("name", FIELDS)
@given(st.data())
def test_every_number_goes_to_sympy_and_back(name, data):
    field = FIELDS[name]
    x = data.draw(scalars(field))
    theirs = x.to_sympy()
    assert sympy.sympify(x) == theirs
    assert not theirs.atoms(sympy.Float)
    back = xdp.from_sympy(theirs, field)
    assert back == x
    assert back.field == field
    assert field(theirs) == x
    assert ExactMatrix.from_sympy(sympy.Matrix([[theirs]]), field)[0, 0] == x


@pytest.mark.parametrize(
    "name", ["rationals", "the level", "one exponential", "three exponentials", "a square root", "a cubic", "a cube root"]
)
@given(st.data())
def test_the_least_field_is_found_without_being_told(name, data):
    x = data.draw(scalars(FIELDS[name]))
    back = xdp.from_sympy(x.to_sympy())
    assert back == x or (name == "three exponentials" and (back - back.field(x) == 0))


LEAVES = {
    "functions": [LETTER, LETTER**2, 1 - LETTER],
    "exponentials": [sympy.exp(-sympy.Rational(1, 2)), sympy.exp(sympy.Rational(1, 3)), sympy.exp(1), sympy.exp(-sympy.sqrt(2) / 3)],
    "roots": [sympy.sqrt(2), 1 / sympy.sqrt(2), sympy.sqrt(sympy.Rational(9, 8)), 2 ** sympy.Rational(5, 2)],
    "cube roots": [sympy.cbrt(2), sympy.cbrt(4), 2 ** sympy.Rational(-2, 3), sympy.cbrt(sympy.Rational(1, 2))],
    "golden": [(1 + sympy.sqrt(5)) / 2, sympy.sqrt(5), 1 / (1 + sympy.sqrt(5))],
}


@st.composite
def expressions(draw, leaves, depth=3):
    """An expression of sympy and its value by sympy's own arithmetic at 60 digits (where a = 1/7)."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(leaves)) if draw(st.booleans()) else sympy.Rational(draw(small), draw(st.integers(1, 5)))
    operation = draw(st.sampled_from(ARITHMETIC))
    left, right = draw(expressions(leaves, depth - 1)), draw(expressions(leaves, depth - 1))
    assume(operation is not operator.truediv or (right != 0 and sympy.simplify(right) != 0))
    return operation(left, right)


@pytest.mark.parametrize("name", LEAVES)
@given(st.data())
def test_every_expression_comes_here_and_goes_back(name, data):
    theirs = data.draw(expressions(LEAVES[name]))
    ours = xdp.from_sympy(theirs)
    back = ours.to_sympy()
    at = {LETTER: sympy.Rational(1, 7)}
    assert abs((back - theirs).subs(at).evalf(60)) < sympy.Rational(1, 10**40)
    assert xdp.from_sympy(back, ours.field) == ours
    assert ours == theirs  # as numbers and functions, not as trees
    assert ours != theirs + 1
    if name != "functions":
        assert [operation(ours, theirs + 1) for operation in ORDER] == [True, True, False, False]
        assert [operation(ours, theirs) for operation in ORDER] == [False, True, False, True]


@given(st.lists(small, min_size=2, max_size=5), rationals(), rationals())
def test_points_and_intervals_go_there_and_back(coefficients, low, high):
    assume(any(coefficients[1:]))
    for root, _ in real_roots(coefficients):
        theirs = root.to_sympy()
        assert point_from_sympy(theirs) == root
        assert abs(float(root) - float(theirs.evalf(30))) <= 1e-12 * max(1, abs(float(root)))
        assert root == theirs or isinstance(theirs, sympy.Rational)
        part = Interval(root, root, True, True)
        assert intervals_from_sympy(part.to_sympy()) == (part,)
    if low < high:
        for closed in ((True, False), (False, True), (True, True), (False, False)):
            part = Interval(low, high, *closed)
            assert xdp.from_sympy(part.to_sympy()) == (part,)
            assert all(part.contains(x) == (x.to_sympy() in part.to_sympy()) for x in (low, high, (low + high) / 2, low - 1))


def test_sets_are_unions_of_intervals_and_points():
    parts = (Interval(0, "1/3", True), Interval.point("1/2"), Interval(AlgebraicNumber([-1, 0, 2], 0, 1), 1))
    theirs = set_to_sympy(parts)
    assert theirs == sympy.Union(
        sympy.Interval.Ropen(0, sympy.Rational(1, 3)), {sympy.Rational(1, 2)}, sympy.Interval.open(sympy.sqrt(2) / 2, 1)
    )
    assert xdp.from_sympy(theirs) == parts
    assert set_to_sympy([]) == sympy.S.EmptySet
    assert xdp.from_sympy(sympy.S.EmptySet) == ()


@given(rationals(low=1), rationals(low=1))
def test_distances_and_epsilons_go_there_and_back(x, y):
    for distance in (Distance.of(x), Distance(square=x)):
        theirs = distance.to_sympy()
        assert Distance.of(theirs) == distance
        assert theirs**2 == distance.square.to_sympy()
    for epsilon in (Epsilon(x), Epsilon(f"ln({x + 1})"), Epsilon(f"ln({x + 1})/({y})")):
        assert Epsilon(epsilon.to_sympy()) == epsilon
        assert float(epsilon.to_sympy().evalf(20)) == pytest.approx(float(epsilon.upper), abs=1e-5)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (sympy.sqrt(2) - 2, "positive"),
        (sympy.cbrt(2), "no distance"),
        (LETTER, "no distance"),
        (sympy.exp(-1), "no distance"),
        (FLOAT, "Float"),
    ],
    ids=str,
)
def test_what_is_no_distance(wrong, words):
    with pytest.raises((InputError, DomainError), match=words):
        Distance.of(wrong)


@pytest.mark.parametrize(
    "wrong", [sympy.log(sympy.Rational(1, 2)), -sympy.log(2), sympy.sqrt(2), sympy.log(LETTER), FLOAT, sympy.log(2) + 1], ids=str
)
def test_what_is_no_epsilon(wrong):
    with pytest.raises(InputError):
        Epsilon(wrong)


def test_levels_in_sympy():
    assert xdp.PrivacyLevel(sympy.exp(-sympy.Rational(1, 3))) == xdp.PrivacyLevel(epsilon="1/3")
    assert xdp.PrivacyLevel(epsilon=sympy.log(3)) == xdp.PrivacyLevel("1/3")
    assert xdp.PrivacyLevel(epsilon="1/3").to_sympy() == sympy.exp(-sympy.Rational(1, 3))
    assert xdp.TightestLevel("1/3", 2).to_sympy() == 1 / sympy.sqrt(3)
    assert xdp.TightestLevel("1/3", "sqrt(2)").to_sympy() == sympy.Rational(1, 3) ** (1 / sympy.sqrt(2))
    with pytest.raises(InputError, match="letter a, of which it is not said what it may be"):
        xdp.PrivacyLevel(LETTER)
    with pytest.raises(InexactInputError):
        xdp.PrivacyLevel(FLOAT)


# --- Radicals ---


def test_roots_of_polynomials_of_two_terms_or_degree_two_are_radicals():
    golden = AlgebraicNumber([-1, -1, 1], 1, 2)
    assert golden.to_sympy() == (1 + sympy.sqrt(5)) / 2
    assert AlgebraicNumber([-1, -1, 1], -1, 0).to_sympy() == (1 - sympy.sqrt(5)) / 2
    assert AlgebraicNumber([-2, 0, 0, 3], 0, 1).to_sympy() == sympy.cbrt(sympy.Rational(2, 3))
    assert AlgebraicNumber([2, 0, 0, 3], -1, 0).to_sympy() == -sympy.cbrt(sympy.Rational(2, 3))
    assert AlgebraicNumber([-2, 0, 0, 0, 1], -2, 0).to_sympy() == -sympy.root(2, 4)
    assert AlgebraicNumber([-1, 0, 1, 1], 0, 1).to_sympy() == sympy.CRootOf(sympy.Symbol("x") ** 3 + sympy.Symbol("x") ** 2 - 1, 0)


def test_roots_that_have_one_field_are_read_and_others_not():
    matrix = ExactMatrix.from_sympy(sympy.Matrix([[sympy.sqrt(2), sympy.sqrt(8) / 3, 1 / sympy.sqrt(2)]]))
    assert matrix[0, 0] ** 2 == 2
    assert matrix[0, 1] * 3 == 2 * matrix[0, 0]
    assert matrix[0, 2] * matrix[0, 0] == 1
    assert xdp.from_sympy(sympy.cbrt(2) + sympy.cbrt(4)) > 2
    for theirs in (1 + sympy.sqrt(2), sympy.sqrt(12) / 7, sympy.cbrt(18) + 1, sympy.cbrt(2) ** 2, sympy.root(10, 4) / 3):
        assert xdp.from_sympy(theirs).to_sympy() == theirs
    two_thirds = sympy.cbrt(sympy.Rational(2, 3))
    assert two_thirds.is_Mul  # sympy writes it with roots of 2 and of 3
    assert xdp.from_sympy(1 + two_thirds / 5 + 1 / two_thirds).field.root in {
        AlgebraicNumber([-2, 0, 0, 3], 0, 1),
        AlgebraicNumber([-18, 0, 0, 1], 0, 3),
        AlgebraicNumber([-12, 0, 0, 1], 0, 3),
    }
    assert xdp.from_sympy(sympy.sqrt(2) + sympy.root(2, 4)) ** 2 > 6
    for wrong in (sympy.sqrt(2) + sympy.sqrt(3), sympy.sqrt(2) + sympy.cbrt(2), sympy.sqrt(2) * sympy.exp(-1)):
        with pytest.raises(MixedDomainError, match="no common field"):
            xdp.from_sympy(wrong)
    assert NumberField(AlgebraicNumber([-1, -1, 1], 1, 2))(sympy.sqrt(5)) == 2 * NumberField(AlgebraicNumber([-1, -1, 1], 1, 2)).gen - 1
    with pytest.raises(InputError, match="is no number of"):
        ROOT2(sympy.sqrt(3))


def test_roots_with_the_sign_of_the_field_are_positive():
    negative = NumberField(AlgebraicNumber([-2, 0, 1], -2, 0))  # x₀ = −√2
    assert negative(sympy.sqrt(2)) == -negative.gen
    assert negative(sympy.sqrt(2)) > 0
    cubic = NumberField(AlgebraicNumber([2, 0, 0, 1], -2, 0))  # x₀ = −∛2
    assert cubic(sympy.cbrt(2)) == -cubic.gen
    assert cubic(sympy.cbrt(4)) == cubic.gen**2


@given(st.data())
def test_the_point_of_an_element_is_the_element(data):
    field = FIELDS[data.draw(st.sampled_from(["a square root", "another square root", "a cubic", "a cube root"]))]
    x = data.draw(scalars(field))
    point = x.point
    if isinstance(point, Rational):
        assert x == point
    else:
        total = field.zero
        for c in reversed(point.coefficients):
            total = total * x + c
        assert total == 0
        low, high = point.refine(Rational(1, 10**9)).interval
        assert low < x < high


# --- Letters and what they are assumed to be ---


@pytest.mark.parametrize("interval", [Interval(0, 1), Interval(0, 1, True), Interval(-1, 1), Interval(-1, 0), Interval(-1, 0, False, True)])
@pytest.mark.parametrize("name", [*SIGNS, "real", "imaginary", "extended_positive"])
@pytest.mark.parametrize("value", [True, False])
def test_an_assumption_holds_on_the_whole_interval_or_is_refused(interval, name, value):
    symbol = sympy.Symbol("a", **{name: value})
    field = RationalFunctionField(interval)
    points = [interval.lower] * interval.lower_closed + [Rational(k, 7) for k in range(-7, 8)] + [interval.upper] * interval.upper_closed
    holds = all(getattr(x.to_sympy(), f"is_{name}") == value for x in points if interval.contains(x))
    if holds:
        assert field(symbol) == field.gen
        assert field.gen.to_sympy([symbol]) == symbol
        assert field.gen == symbol
    else:
        x = field.gen
        for wrong in (lambda: field(symbol), lambda: x.to_sympy([symbol]), lambda: x + symbol, lambda: 1 / symbol - x):
            with pytest.raises(InputError, match=f"a is assumed {name}={value}, which need not hold"):
                wrong()
        assert field.gen != symbol


@pytest.mark.parametrize("name", ["integer", "rational", "irrational", "even", "prime", "infinite", "algebraic"])
def test_assumptions_that_no_interval_has_are_refused_by_name(name):
    symbol = sympy.Symbol("a", **{name: True})
    for read in (A.field, xdp.from_sympy, lambda x: A * x, lambda x: ExactMatrix.from_sympy(sympy.Matrix([[x]]))):
        with pytest.raises(InputError, match=f"a is assumed {name}=True"):
            read(symbol)


def test_several_letters_stand_for_any_numbers():
    with pytest.raises(InputError, match=r"p is assumed positive=True, which need not hold for all numbers"):
        xdp.from_sympy(sympy.Symbol("p", positive=True), SymbolField(["a", "p"]))
    x = xdp.from_sympy(sympy.Symbol("p", real=True) - sympy.Symbol("q"))
    assert x.field == SymbolField(["p", "q"])


@pytest.mark.parametrize("field", [None, RationalFunctionField()], ids=["least", "given"])
def test_two_symbols_of_one_name_are_refused_wherever_they_meet(field):
    positive = sympy.Symbol("a", positive=True)
    for wrong in (LETTER + positive, LETTER * sympy.Dummy("a")):
        with pytest.raises(InputError, match="two different symbols are called a"):
            xdp.from_sympy(wrong, field)
        with pytest.raises(InputError, match="two different symbols are called a"):
            A + wrong
    with pytest.raises(InputError, match="two different symbols are called a"):
        ExactMatrix.from_sympy(sympy.Matrix([[LETTER, positive]]), field)
    with pytest.raises(InputError, match="two different symbols are called a"):
        A.to_sympy([LETTER, positive])


def test_the_letters_of_an_expression_are_ours():
    positive = sympy.Symbol("a", positive=True)
    assert A + positive == 2 * positive
    assert positive - A == 0
    assert (A * A).to_sympy([positive]) == positive**2
    assert (A * A).to_sympy({"a": B}) == B**2
    assert ExactMatrix([[A, 1]]).to_sympy({"a": positive}) == sympy.Matrix([[positive, 1]])
    assert parse_expression("1-a").to_sympy([positive]) == 1 - positive
    for wrong in ([B], {"b": LETTER}, {"a": 3}, ["a"], {"a": "b"}):
        with pytest.raises(InputError):
            A.to_sympy(wrong)
        with pytest.raises(InputError):
            ExactMatrix([[A]]).to_sympy(wrong)


# --- Regions ---


P, Q = sympy.symbols("p q")
REGION = xdp.from_sympy((P > 0) & sympy.Lt(P, sympy.S.Half) & (Q >= 0) & (P + Q <= 1))


def test_relations_are_a_region_and_the_region_is_them():
    assert Region({"p": "(0, 1/2)", "q": "[0, oo)"}, where=["p + q <= 1"]) == REGION
    assert REGION.to_sympy() == sympy.sympify(REGION) == (P > 0) & sympy.Lt(P, sympy.S.Half) & (Q >= 0) & (P + Q - 1 <= 0)
    curved = (((2, 0), -1), ((1, 1), -1), ((0, 0), 1))
    assert xdp.from_sympy(P * Q < 1 - P**2) == Region.of(["p", "q"], [(curved, True)])
    positive = sympy.Symbol("p", positive=True)
    assert xdp.from_sympy(positive < sympy.S.Half) == Region({"p": "(0, 1/2)"})
    assert xdp.from_sympy((positive < 1) & (positive > Q)).contains({"p": "1/2", "q": "-3"})


@given(st.lists(st.tuples(small, small, small, st.booleans()), min_size=1, max_size=4), rationals(), rationals())
def test_every_polygon_goes_there_and_back(halves, x, y):
    halves = [(a, b, c, strict) for a, b, c, strict in halves if a or b]
    terms = [((((1, 0), a), ((0, 1), b), ((0, 0), c)), strict) for a, b, c, strict in halves]
    try:
        region = Region.of(["p", "q"], [(tuple(t for t in three if t[1]), strict) for three, strict in terms])
    except InputError:
        assume(False)
    theirs = region.to_sympy()
    assert theirs.free_symbols <= {P, Q}
    inside = theirs.subs({P: x.to_sympy(), Q: y.to_sympy()})
    assert (
        bool(inside)
        == region.contains({"p": x, "q": y})
        == all((value := a * x + b * y + c) > 0 or (value == 0 and not strict) for a, b, c, strict in halves)
    )
    if theirs.free_symbols == {P, Q}:
        assert xdp.from_sympy(theirs) == region


@given(st.data())
def test_functions_on_a_region_go_there_and_back(data):
    field = RegionField(REGION)
    x = data.draw(polynomials(field.gens, field.one)) / (1 + field.gens[0])
    theirs = x.to_sympy()
    assert xdp.from_sympy(theirs, letters=REGION) == xdp.from_sympy(theirs, field) == xdp.from_sympy(theirs, letters=REGION.to_sympy()) == x
    assert x == theirs
    assert x + Q == theirs + Q
    assert Q - x == Q - theirs
    assert ExactMatrix.from_sympy(sympy.Matrix([[theirs, 1]]), field)[0, 0] == x


def test_letters_on_a_region():
    field = RegionField(REGION)
    p, q = field.gens
    assert p < 1 - P
    assert p < 1 - P
    assert p * 0 >= P + Q - 1
    assert (q >= Q) is True
    with pytest.raises(UndecidedSignError):
        p < Q  # noqa: B015
    symbol = sympy.Symbol("p", positive=True)
    assert p + symbol == 2 * symbol
    assert field(symbol) == p
    for wrong in (sympy.Symbol("p", negative=True), sympy.Symbol("q", positive=True), sympy.Symbol("p", integer=True)):
        for read in (field, lambda x: p + x, lambda x: xdp.from_sympy(x, letters=REGION), lambda x: 1 / x - q):
            with pytest.raises(InputError, match="is assumed"):
                read(wrong)
    assert field(sympy.Symbol("q", nonnegative=True)) == q
    with pytest.raises(DomainError, match="not defined for all 0 < p < 1/2: its denominator is 0 at p = 1/3"):
        xdp.from_sympy(1 / (1 - 3 * P), letters={"p": "(0, 1/2)"})
    with pytest.raises(InputError, match="has the letter r, about which nothing is assumed"):
        xdp.from_sympy(sympy.Symbol("r"), letters=REGION)
    with pytest.raises(InputError, match="Float"):
        p + FLOAT * Q


def test_letters_as_text_and_letters_that_are_numbers():
    n = sympy.Symbol("n", integer=True, positive=True)
    theirs = sympy.Matrix([[(1 - P) ** n, 1 - (1 - P) ** n]])
    ours = xdp.from_sympy(theirs, letters="0 < p < 1/2, n = 3")
    assert ours == xdp.matrix(theirs, "0 < p < 1/2, n = 3") == xdp.from_sympy(theirs, letters={"p": "(0, 1/2)", "n": 3})
    assert ours == xdp.matrix([["(1-p)^3", "1-(1-p)^3"]], "0 < p < 1/2")
    assert xdp.from_sympy(n / 2, letters={"n": 3}) == Rational("3/2")
    for read in (lambda x, letters: xdp.from_sympy(x, letters=letters), lambda x, letters: xdp.matrix(sympy.Matrix([[x]]), letters)):
        with pytest.raises(InputError, match="n is assumed integer=True, and it is said to be 1/2"):
            read(n + 1, {"n": "1/2"})
        with pytest.raises(InputError, match="n is assumed positive=True, and it is said to be -1"):
            read(n + 1, {"n": -1})


@pytest.mark.parametrize("letters", [{"p": "(0, 1)"}, "0 < p < 1", {"p": "1/2"}])
def test_two_symbols_of_one_name_are_refused_in_different_entries(letters):
    entries = [[P, sympy.Symbol("p", positive=True)]]
    for table in (entries, sympy.Matrix(entries)):
        for read in (xdp.matrix, lambda x, letters: xdp.table_of(x, letters=letters), lambda x, letters: xdp.Table(x, letters=letters)):
            with pytest.raises(InputError, match="two different symbols are called p"):
                read(table, letters)
    with pytest.raises(InputError, match="two different symbols are called p"):
        xdp.from_sympy(sympy.Matrix(entries), letters=letters)
    with pytest.raises(InputError, match="two different symbols are called p"):
        xdp.Prior([P, 1 - sympy.Symbol("p", positive=True)], letters=letters)


def test_levels_and_weights_with_letters():
    level = xdp.PrivacyLevel(1 - P, letters={"p": "(0, 1/2)"})
    assert level == xdp.PrivacyLevel("1-p", letters={"p": "(0, 1/2)"})
    assert level.to_sympy() == 1 - P
    assert xdp.Prior([P, 1 - P], letters="0 < p < 1") == xdp.Prior(["p", "1-p"], letters="0 < p < 1")
    assert xdp.from_sympy(sympy.exp(-sympy.Symbol("n")), letters={"n": 2}) == ExponentialField(2).gen
    for read in (lambda x, letters: xdp.PrivacyLevel(x, letters=letters), lambda x, letters: xdp.from_sympy(x, letters=letters)):
        with pytest.raises(InputError, match="has the letter q, about which nothing is assumed"):
            read(P * Q, {"p": "(0, 1/2)"})
        with pytest.raises(InputError, match="has the letter q, about which nothing is assumed"):
            read(Q, {"p": "1/2"})
        with pytest.raises(InputError, match="p is assumed negative=True"):
            read(sympy.Symbol("p", negative=True), {"p": "(0, 1/2)"})


def test_the_sign_that_is_assumed_is_the_region():
    p, q = sympy.Symbol("p", positive=True), sympy.Symbol("q", nonpositive=True)
    x = xdp.from_sympy(p - q)
    assert x.field == RegionField(Region({"p": "(0, oo)", "q": "(-oo, 0]"}))
    assert x > 0
    assert xdp.from_sympy(p).field == RegionField(Region({"p": "(0, oo)"}))
    assert xdp.from_sympy(p * sympy.Symbol("r", real=True)).field.names == ("p", "r")
    with pytest.raises(InputError, match="nothing is assumed about r; say what it may be"):
        xdp.from_sympy(p * sympy.Symbol("r"))
    with pytest.raises(InputError, match="is assumed nonzero=True"):
        xdp.from_sympy(p * sympy.Symbol("r", nonzero=True))


NO_REGIONS = [sympy.Eq(P, Q), sympy.Ne(P, Q), (P > 0) | (Q > 0), 1 / P > 0, P > FLOAT, sympy.sqrt(2) < P, sympy.true, sympy.pi < P]


@pytest.mark.parametrize("wrong", [*NO_REGIONS, sympy.And(P > 0, P < 0, evaluate=False), (P > 1) & sympy.Lt(P, sympy.S.Half)], ids=str)
def test_what_is_no_region(wrong):
    with pytest.raises((InputError, DomainError)):
        xdp.from_sympy(wrong)
    with pytest.raises((InputError, DomainError)):
        xdp.from_sympy(P, letters=wrong)
    with pytest.raises(InputError):
        xdp.from_sympy(P > 0, letters=REGION)
    with pytest.raises(InputError, match="give one of them"):
        xdp.from_sympy(P, QQ, letters=REGION)


# --- Operators ---

OURS = {
    "rational": Rational("1/3"),
    "function": (1 - A) / (1 + A),
    "exponential": 1 / (1 + ExponentialField("1/10").gen),
    "root": 1 + ROOT2.gen,
    "symbol": SymbolField(["a", "x0"]).symbol("x0"),
}
POINTS = {
    "point": AlgebraicNumber([-1, 0, 2], 0, 1),
    "distance": Distance.parse("sqrt(2)"),
    "epsilon": Epsilon("ln(3)"),
    "level": xdp.PrivacyLevel("1/3"),
    "formula": parse_expression("(1-a)/2"),
}
EXACT = [sympy.Integer(3), sympy.Rational(-2, 7), B, sympy.sqrt(3), sympy.exp(-2), sympy.pi, 1 / (1 + B)]


@pytest.mark.parametrize("name", [*OURS, *POINTS])
@pytest.mark.parametrize("other", EXACT, ids=str)
@pytest.mark.parametrize("operation", [*ARITHMETIC, operator.floordiv, operator.mod], ids=lambda f: f.__name__)
def test_both_orders_are_exact(name, other, operation):
    ours = (OURS | POINTS)[name]
    theirs = ours.to_sympy()
    at = {LETTER: sympy.Rational(1, 7), B: sympy.Rational(2, 11), sympy.Symbol("x0"): sympy.Rational(3, 5)}
    for got, expected in ((operation(ours, other), operation(theirs, other)), (operation(other, ours), operation(other, theirs))):
        found = sympy.sympify(got)
        assert not found.atoms(sympy.Float)
        assert abs((found - expected).subs(at).evalf(40)) < 1e-30


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("other", [sympy.Integer(3), sympy.Rational(-2, 7), sympy.S.Half], ids=str)
@pytest.mark.parametrize("operation", ARITHMETIC, ids=lambda f: f.__name__)
def test_a_rational_number_of_sympy_is_one_of_ours_in_either_order(name, other, operation):
    ours, fraction = OURS[name], Fraction(int(other.p), int(other.q))
    assert operation(ours, other) == operation(ours, fraction)
    assert operation(other, ours) == operation(fraction, ours)
    assert type(operation(ours, other)) is type(operation(other, ours)) is type(ours)


@pytest.mark.parametrize("name", [*OURS, *POINTS])
@pytest.mark.parametrize("inexact", [FLOAT, FLOAT * B, B + sympy.sin(FLOAT * B), FLOAT + sympy.sqrt(2) * B], ids=str)
@pytest.mark.parametrize("operation", [*ARITHMETIC, operator.floordiv, operator.mod], ids=lambda f: f.__name__)
def test_floats_of_sympy_are_refused_by_name_in_either_order(name, inexact, operation):
    ours = (OURS | POINTS)[name]
    for left, right in ((ours, inexact), (inexact, ours)):
        with pytest.raises(InexactInputError, match="Float"):
            operation(left, right)


@pytest.mark.parametrize("name", OURS)
def test_floats_of_sympy_are_refused_in_powers_and_comparisons(name):
    ours = OURS[name]
    for operation in ORDER:
        with pytest.raises(InexactInputError, match="Float"):
            operation(ours, FLOAT)
        with pytest.raises(InexactInputError, match="Float"):
            operation(ours, FLOAT * B)
        with pytest.raises(InexactInputError, match="Float"):
            operation(FLOAT * B, ours)
    with pytest.raises(InexactInputError, match="Float"):
        FLOAT**ours
    with pytest.raises(InexactInputError, match=r"exponent 0.5.* no integer"):
        ours**FLOAT


@pytest.mark.parametrize("name", OURS)
def test_exponents_are_integers_or_refused_with_the_way_to_write_them(name):
    ours = OURS[name]
    assert ours ** sympy.Integer(2) == ours * ours
    for exponent in (sympy.S.Half, B, sympy.sqrt(2)):
        with pytest.raises(InexactInputError, match=re.escape(f"write x.to_sympy() ** ({exponent})")):
            ours**exponent
    assert sympy.Integer(2) ** ours == 2 ** ours.to_sympy()


@pytest.mark.parametrize("name", OURS)
def test_no_answer_is_a_division_by_zero(name):
    zero = OURS[name] * 0
    for wrong in (lambda: B / zero, lambda: OURS[name] / sympy.Integer(0), lambda: sympy.Integer(1) / zero, lambda: sympy.sqrt(2) / zero):
        with pytest.raises(ZeroDivisionError):
            wrong()
    for wrong in (sympy.nan, sympy.zoo):
        with pytest.raises(InputError, match="is no number"):
            OURS[name] + wrong


@given(st.sampled_from(ORDER), rationals(), rationals(), st.sampled_from(["exp", "sqrt", "rational"]))
def test_comparisons_are_those_of_the_numbers(operation, x, y, kind):
    assume(y.sign() > 0)
    exact = {"exp": sympy.exp(-y.to_sympy()), "sqrt": sympy.sqrt(y.to_sympy()), "rational": y.to_sympy()}[kind]
    answer = bool(operation(x.to_sympy(), exact))  # by sympy
    assert operation(x, exact) is answer
    assert bool(SWAPPED[operation](exact, x)) is answer


@given(st.sampled_from(ORDER), rationals(low=1, high=3), rationals(low=1, high=3))
def test_powers_of_e_of_two_fields_are_compared(operation, x, y):
    assume(x.sign() > 0 and y.sign() > 0)
    ours, theirs = ExponentialField(x).gen, sympy.exp(-y.to_sympy())
    assert operation(ours, theirs) is operation(y, x)
    assert SWAPPED[operation](theirs, ours) is operation(y, x)
    assert (ours == theirs) is (x == y)


def test_functions_are_compared_on_the_interval_and_numbers_with_further_letters_by_sympy():
    assert A < LETTER + 1
    assert LETTER + 1 > A
    assert A**2 < LETTER
    with pytest.raises(UndecidedSignError):
        A < 1 - LETTER  # noqa: B015
    assert (1 - A) * (1 + A) == 1 - LETTER**2
    assert 1 - A == (1 - LETTER**2) / (1 + LETTER)
    assert ((1 - LETTER) * (1 + LETTER) == 1 - A * A) is False  # sympy's own ==, which compares trees and asks nobody
    assert (Rational("1/2") < B) == (sympy.S.Half < B)
    assert (Rational("1/2") > B) == (sympy.S.Half > B)
    assert (A < B) == (LETTER < B)
    for wrong in (sympy.pi, sympy.sin(1), sympy.oo):
        with pytest.raises(InputError, match="is compared with"):
            Rational("1/2") < wrong  # noqa: B015
    with pytest.raises(InputError, match="is compared with"):
        sympy.exp(-1) > A  # noqa: B015


def test_points_are_compared_with_numbers_of_sympy():
    half_root = POINTS["point"]
    assert half_root == sympy.sqrt(2) / 2 == half_root.to_sympy()
    assert half_root == sympy.CRootOf(2 * B**2 - 1, 1)
    assert half_root < sympy.sqrt(3) / 2
    assert half_root > sympy.Rational(7, 10)
    assert half_root <= 1 / sympy.sqrt(2)
    assert half_root != sympy.pi
    with pytest.raises(InputError):
        half_root < sympy.exp(-1)  # noqa: B015
    assert Interval(0, sympy.sqrt(2) / 2).contains(sympy.Rational(7, 10))


def test_a_matrix_takes_numbers_of_sympy_in_its_field_and_no_new_letters():
    M = ExactMatrix([["1/2", "1/3"]])
    assert M * sympy.exp(-1) == sympy.exp(-1) * M == M * ExponentialField(1).gen
    assert M / sympy.sqrt(2) * sympy.sqrt(2) == M
    assert (M * A) * LETTER == M * (A * A)
    for wrong in (lambda: M * LETTER, lambda: LETTER * M, lambda: (M * A) * B):
        with pytest.raises(InputError, match="which the matrix has not"):
            wrong()
    for wrong in (lambda: M * FLOAT, lambda: FLOAT * M, lambda: M / FLOAT, lambda: M * (FLOAT + sympy.sqrt(2))):
        with pytest.raises(InexactInputError, match="Float"):
            wrong()
    for theirs in (sympy.Matrix([[1, 2]]), sympy.ImmutableMatrix([[1, 2]])):
        assert theirs * Rational("1/2") == Rational("1/2") * theirs == sympy.Matrix([[sympy.S.Half, 1]])
        assert theirs * A == A * theirs == sympy.Matrix([[LETTER, 2 * LETTER]])


def test_what_is_no_number_of_sympy():
    for wrong in (None, "1/2", 0.5, sympy.true, [1], sympy.Function("f")):
        with pytest.raises(InputError):
            xdp.from_sympy(wrong)
    for wrong in (sympy.Interval(0, sympy.oo), sympy.S.Reals, sympy.Interval(0, sympy.pi), sympy.Interval(0, FLOAT), sympy.S.Integers):
        with pytest.raises(InputError):
            xdp.from_sympy(wrong)
    with pytest.raises(InputError, match="leave the field out"):
        xdp.from_sympy(sympy.Interval(0, 1), QQ)
    with pytest.raises(InputError, match="divides by zero"):
        xdp.from_sympy(sympy.Pow(sympy.Add(LETTER * (LETTER + 1), -(LETTER**2) - LETTER, evaluate=False), -1, evaluate=False))


# --- Answers by level, and what a notebook shows ---


@given(st.lists(st.integers(1, 19), unique=True, max_size=3), st.booleans(), st.data())
def test_a_function_in_pieces_has_its_values_in_sympy(cuts, shared, data):
    field = RationalFunctionField()
    points = [Rational(k, 20) for k in sorted(cuts)]
    function = Piecewise.cut(Interval(0, 1), points, lambda part: data.draw(scalars(field)).restrict(part), shared=shared)
    theirs = function.to_sympy()
    for x in [Rational(1, 40), *points, *(p + Rational(1, 40) for p in points)]:
        try:
            expected = function.at(x).evaluate(x)
        except DomainError:
            continue
        assert theirs.subs(LETTER, x.to_sympy()) == expected.to_sympy()
    assert theirs.subs(LETTER, 2) is sympy.nan


def test_pieces_without_value_and_with_other_letters():
    whole = Interval(0, 1)
    halves = Piecewise.cut(whole, [Rational("1/2")], lambda part: None if part.is_point else A.restrict(part))
    positive = sympy.Symbol("a", positive=True)
    assert halves.to_sympy(positive).free_symbols == {positive}
    assert halves.to_sympy().subs(LETTER, sympy.S.Half) is sympy.nan
    assert halves.to_sympy("b").free_symbols == {B}
    with pytest.raises(InputError, match="negative=True"):
        halves.to_sympy(sympy.Symbol("a", negative=True))
    for wrong in (
        Piecewise.cut(whole, [], lambda _: None),
        Piecewise.cut(whole, [], lambda _: 0.5),
        Piecewise.cut(whole, [], lambda _: object()),
    ):
        with pytest.raises(InputError):
            wrong.to_sympy()
        assert wrong._repr_latex_() is None
    for wrong in (3, None):
        with pytest.raises(InputError):
            halves.to_sympy(wrong)


@pytest.mark.parametrize(
    ("thing", "latex"),
    [
        (Rational("-1/3"), r"$-\frac{1}{3}$"),
        (ExponentialField("1/2").gen, r"$t,\quad t = e^{-\frac{1}{2}}$"),
        (ROOT2.gen / 3, r"$\frac{a}{3},\quad a = \sqrt{2}$"),
        (CUBIC.gen, r"$a,\quad a = \operatorname{CRootOf} {\left(x^{3} + x^{2} - 1, 0\right)}$"),
        ((1 - A) / A, r"$\frac{1 - \alpha}{\alpha}$"),
        (AlgebraicNumber([-1, 0, 2], 0, 1), r"$\frac{\sqrt{2}}{2}$"),
        (Interval(0, "1/2", upper_closed=True), r"$\left(0, \frac{1}{2}\right]$"),
        (Distance.parse("sqrt(2)"), r"$\sqrt{2}$"),
        (Epsilon("ln(3)"), r"$\log{\left(3 \right)}$"),
        (xdp.PrivacyLevel("1/3"), r"$\alpha = \frac{1}{3}$"),
    ],
    ids=str,
)
def test_notebooks_show_values_in_latex_with_what_letters_mean(thing, latex):
    assert thing._repr_latex_() == latex


def test_a_verdict_says_what_its_root_is():
    half = sympy.sqrt(2) / 2
    verdict = xdp.tightest_level(sympy.Matrix([[half, 1 - half], [1 - half, half]]), "path")
    assert verdict.as_sympy() == sympy.sqrt(2) - 1
    for text in (str(verdict), repr(verdict), str(verdict.scope)):
        assert "r = √2" in text
    with pytest.raises(CertificateError, match="certificates have no numbers of"):
        xdp.certify(verdict)
    matrix = xdp.from_sympy(sympy.Matrix([[half]]))
    assert "r = √2" in repr(matrix)
    assert "r = √2" in str(matrix)
    assert r"r = \sqrt{2}" in matrix._repr_latex_()


def test_letters_with_numbers_are_indexed_in_latex():
    field = SymbolField(["a", "x0", "q_12", "beta", "rate_up"])
    assert [x.latex() for x in field.gens] == ["a", "x_{0}", "q_{12}", r"\beta", r"\mathit{rate\_up}"]


def test_hashes_of_equal_integers_agree():
    assert hash(Rational(3)) == hash(sympy.Integer(3))
    assert {Rational(3): "three"}[sympy.Integer(3)] == "three"
    assert math.floor(Rational("7/2")) == 3
