"""Closed forms that fit: right at n that were not shown; what has no closed form is not given one."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactdp.arguments.generalisation.closed_form import (
    ARGUMENT,
    LEVEL,
    TEXT,
    UNLETTERED,
    Form,
    Formula,
    Power,
    Term,
    holds,
    integer,
)
from exactdp.arguments.generalisation.drafts import read_at
from exactdp.arguments.generalisation.fitting import fit, fit_entries, fit_sequence
from exactdp.arguments.generalisation.interpolation import interpolated
from exactdp.exact import Rational, RationalFunctionField, SymbolField, generic_quotient, is_zero, same_formula

FIELD = RationalFunctionField()
A = FIELD.gen
small = st.integers(-3, 3)
polynomials = st.lists(small, min_size=1, max_size=3).filter(lambda p: p[-1] != 0).map(tuple)
forms = st.builds(lambda c, slope: Form(c, (("n", slope),) if slope else ()), small, st.integers(-2, 2))
bases = st.sampled_from([LEVEL, (1, -1), (1, 1), (2,)])
terms = st.builds(
    lambda c, degree, powers: Term(c, degree, tuple(Power(base, form) for base, form in powers.items())),
    polynomials,
    st.integers(0, 2),
    st.dictionaries(bases, forms, max_size=2),
)


def formula_of(top, bottom):
    return Formula(tuple(top), tuple(bottom))


formulas = st.builds(formula_of, st.lists(terms, min_size=1, max_size=3), st.lists(terms, min_size=1, max_size=2))


def same(text, places, value):
    """Whether a text means this function where the letters are these integers."""
    field = SymbolField(["a"])
    return read_at(text, places) == field(value)


@settings(max_examples=150)
@given(formulas, st.integers(1, 4))
def test_a_formula_means_what_it_says_in_every_style(formula, n):
    """Its text is read by the parser of formulas, which knows nothing of how it was written."""
    try:
        value = formula.value({"n": n}, A)
    except ZeroDivisionError:
        assume(False)
    for style in (TEXT, ARGUMENT, UNLETTERED):
        assert same(formula.written(style).replace(" ", ""), {"n": n}, value)
        top, bottom = (read_at(part.replace(" ", ""), {"n": n}) for part in formula.parts(style))
        assert top / bottom == SymbolField(["a"])(value)
    assert same(formula.as_entry(ARGUMENT), {"n": n}, value)


@settings(max_examples=60)
@given(formulas, st.integers(1, 3))
def test_sympy_means_the_same(formula, n):
    sympy = pytest.importorskip("sympy")
    third = Rational("1/3")
    try:
        value = formula.value({"n": n}, third)
    except ZeroDivisionError:
        assume(False)
    found = sympy.sympify(formula).subs({sympy.Symbol("a"): sympy.Rational(1, 3), sympy.Symbol("n"): n})
    assert found == sympy.Rational(int(value.numerator), int(value.denominator))


@settings(max_examples=40)
@given(
    st.sampled_from([((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 0),), ((0, 1),)]),
    st.sampled_from([((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 0),)]),
    st.data(),
)
def test_a_quotient_of_sums_is_found_again(top, bottom, data):
    """Drawn coefficients, shown n = 1..8, compared at n = 9..12."""

    def total(parts, n):
        return sum((c(A) * n**degree * A ** (slope * n) for c, (degree, slope) in parts), FIELD.zero)

    def coefficient():
        numbers = data.draw(st.lists(small, min_size=1, max_size=2).filter(any))
        return lambda x: sum((c * x**k for k, c in enumerate(numbers)), FIELD.zero)

    above, below = ([(coefficient(), part) for part in parts] for parts in (top, bottom))
    assume(not any(is_zero(total(below, n)) for n in range(1, 13)))
    truth = {n: generic_quotient(total(above, n), total(below, n)) for n in range(1, 13)}
    found = fit({n: truth[n] for n in range(1, 9)}, "n")
    assert found is not None
    assert all(same_formula(found.value({"n": n}, A), truth[n]) for n in range(9, 13))


@pytest.mark.parametrize(
    "value",
    [
        lambda n: (1 - A) ** n / (1 + A) ** (2 * n + 1),
        lambda n: Rational(6) ** n * A ** (3 * n) * (1 + A * A),
        lambda n: (1 - A) ** n / n,
        lambda n: 1 - (2 * A / (1 + A)) ** n,
        lambda n: 1 - A ** (n // 2),
        lambda n: n * A**n / (1 - A**n),
        lambda n: FIELD.zero * n,
        lambda n: n / (n + 7 * A - 2),
        lambda n: 1 / (7 * A - 2) + n * 1 / (9 * A - 2),
        lambda n: (-1) ** n + FIELD.zero,
    ],
)
def test_other_forms_are_found_too(value):
    found = fit_sequence({n: value(n) for n in range(2, 9)})
    assert found is not None
    assert all(found.at(n) == value(n) for n in range(9, 13))


@pytest.mark.parametrize(
    "value",
    [lambda n: A ** (n * n), lambda n: A ** (2**n), lambda n: FIELD(Rational(1, n * n * n + 1)), lambda n: 1 / (1 + n * A + A**n) ** 2],
)
def test_what_has_no_such_form_is_not_given_one(value):
    assert fit_sequence({n: value(n) for n in range(2, 9)}) is None


@pytest.mark.parametrize("wrong", range(2, 9))
def test_one_wrong_answer_among_seven_and_nothing_fits(wrong):
    values = {n: n / (1 + (n - 1) * A) + (A if n == wrong else 0) for n in range(2, 9)}
    assert fit_sequence(values) is None


def test_a_quotient_whose_denominator_is_zero_at_an_answer_is_no_form():
    """P(n) − f(n)·Q(n) = 0 has a solution with P = Q = 0 at one of five n."""
    values = {n: (1 + A - 2 * A ** (n // 2)) / (1 + A) if n % 2 == 0 else 1 - A ** (n // 2) for n in range(2, 7)}
    assert fit_sequence(values) is None


def test_two_answers_are_too_few():
    assert fit_sequence({1: A, 2: A**2}) is None


def test_a_table_is_found_with_its_conditions():
    tables = {n: {(i, j): A ** abs(i - j) / (1 + n * A) for i in range(n) for j in range(n)} for n in range(2, 7)}
    found = fit_entries("table", tables, "n", "i j", ["i <= j", ""])
    assert found is not None
    assert all(found.at(9, i, j) == A ** abs(i - j) / (1 + 9 * A) for i in range(9) for j in range(9))
    assert fit_entries("table", tables, "n", "i j", ["i = j", ""]) is None


@given(st.integers(-5, 5), st.integers(-5, 5), st.integers(-5, 5))
def test_conditions_are_read_as_chains(i, j, h):
    places = {"i": i, "j": j, "h": h}
    assert holds("j <= h < i = 2*h", places) == (j <= h < i == 2 * h)
    assert holds("i = j-1 = 0", places) == (i == j - 1 == 0)
    assert integer("-i+2*h-3", places) == -i + 2 * h - 3


@settings(max_examples=40)
@given(polynomials, polynomials)
def test_interpolation_finds_the_function(top, bottom):
    def function(x):
        above, below = (sum((c * x**k for k, c in enumerate(part)), x.field.zero) for part in (top, bottom))
        return generic_quotient(above, below)

    try:
        found = interpolated(function)
    except ZeroDivisionError:
        assume(False)
    assert same_formula(found, function(A))


def test_what_is_no_rational_function_is_not_interpolated():
    assert interpolated(lambda x: x if x < Rational("1/2") else 1 - x) is None
