# SPDX-License-Identifier: MIT
"""The door for formulas: what it reads, what it says about the rest, and that it never works long."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from exactdp.errors import ExpressionSyntaxError, InputError, ResourceLimitError
from exactdp.exact import QQ, Rational, RationalFunctionField, SymbolField, divisors, evaluate, parse_expression
from exactdp.exact.formula import MAX_NESTING, Exponential, Negation, Number, Power, Product, Sum, Symbol, leaves
from exactdp.runtime.budget import budget

SYMBOLS = ("x0", "x1")
A, X0, X1 = sympy.symbols("a x0 x1")


def trees():
    atoms = st.one_of(st.integers(0, 30).map(lambda n: Number(QQ(n))), st.sampled_from(("a", *SYMBOLS)).map(Symbol))

    def larger(inner):
        sums = st.lists(st.tuples(st.sampled_from("+-"), inner), min_size=1, max_size=3)
        products = st.lists(st.tuples(st.sampled_from("*/"), inner), min_size=1, max_size=3)
        return st.one_of(
            st.builds(Negation, inner),
            st.builds(lambda first, rest: Sum(first, tuple(rest)), inner, sums),
            st.builds(lambda first, rest: Product(first, tuple(rest)), inner, products),
            st.builds(Power, inner, st.integers(-3, 3)),
        )

    return st.recursive(atoms, larger, max_leaves=8)


def as_sympy(tree):
    """The same formula, built by sympy's own operations."""
    if isinstance(tree, Number):
        return sympy.Integer(tree.value.numerator)
    if isinstance(tree, Symbol):
        return {"a": A, "x0": X0, "x1": X1}[tree.name]
    if isinstance(tree, Negation):
        return -as_sympy(tree.operand)
    if isinstance(tree, Power):
        return as_sympy(tree.base) ** tree.exponent
    result = as_sympy(tree.first)
    for sign, node in tree.rest:
        other = as_sympy(node)
        result = {"+": result + other, "-": result - other, "*": result * other, "/": result / other}[sign]
    return result


@given(trees())
def test_what_is_written_reads_back_as_the_same_tree(tree):
    assert parse_expression(str(tree), SYMBOLS) == tree


POINT = {"a": Fraction(3, 7), "x0": Fraction(-2, 5), "x1": Fraction(11, 3)}


@pytest.mark.slow
@given(trees())
def test_values_are_those_of_sympy(tree):
    values = {name: QQ(x) for name, x in POINT.items()}
    exact = as_sympy(tree)
    try:
        value = evaluate(tree, values)
    except InputError:  # a division by zero at this point, or everywhere
        replaced = exact.subs({A: sympy.Rational(3, 7), X0: sympy.Rational(-2, 5), X1: sympy.Rational(11, 3)})
        assert divisors(tree)
        assert not replaced.is_finite or any(evaluates_to_zero(d, values) for d in divisors(tree))
        return
    expected = exact.subs({A: sympy.Rational(3, 7), X0: sympy.Rational(-2, 5), X1: sympy.Rational(11, 3)})
    assert (value.numerator, value.denominator) == (expected.p, expected.q)


def evaluates_to_zero(tree, values):
    try:
        return evaluate(tree, values) == 0
    except InputError:
        return False


@given(trees())
def test_functions_print_formulas_that_read_back(tree):
    field = SymbolField(("a", *SYMBOLS))
    try:
        function = field.read(tree)
    except InputError:
        return
    assert field.read(str(function)) == function
    assert sympy.cancel(as_sympy(tree) - as_sympy(parse_expression(str(function), SYMBOLS))) == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-a^2", "-1/4"),
        ("(-a)^2", "1/4"),
        ("1 - 1 - 1", "-1"),
        ("8/4/2", "1"),
        ("8/4*2", "4"),
        ("2**3", "8"),
        ("2^-1", "1/2"),
        ("2^(2*6-3)", "512"),
        ("2^-(1+1)", "1/4"),
        ("a--a", "1"),
        ("a*-a", "-1/4"),
        ("2*alpha + α", "3/2"),
        ("0.125", "1/8"),
        ("0.5^2", "1/4"),
        ("1e-3 * 1000", "1"),
        ("1+α*(α-α)/α-α", "1/2"),
        (" ( a )\t+\n1 ", "3/2"),
        ("(1-a)^(2*6-3)/(1+a)", "1/768"),
        ("0^0", "1"),
    ],
)
def test_values(text, value):
    assert evaluate(parse_expression(text), {"a": QQ("1/2")}) == QQ(value)


def test_a_long_number_is_exact():
    digits = "9" * 10_000
    assert evaluate(parse_expression(f"{digits}+1"), {}) == QQ(10) ** 10_000


def test_over_a_field_of_functions():
    field = RationalFunctionField()
    a = field.gen
    assert evaluate(parse_expression("(1-a^2)/(1+a)"), {"a": a}, field) == 1 - a


LARGE = [
    ("2**(10**9)", "digits", "has a number of 602,060,001 digits; the limit is 4,000,000"),
    ("((((((((2^9999)^9999)^9999)^9999)^9999)^9999)^9999)^9999)", "digits", "up to character 16"),
    ("1e999^9999", "digits", "digits"),
    ("((a^99)^99)^99", "degree", "up to character 12.* has a polynomial of degree 970,299; the limit is 20,000"),
    ("a^(10^400)", "degree", r"10\^399 or more; the limit is 20,000$"),
    ("(x0+x1+a)^9999", "memory", r"takes about 10\^15 or more bytes; the limit is 1,073,741,824"),
    ("+".join(["(1-a)^999"] * 9000), "memory", "bytes"),
    ("a" * 3_000_000, "memory", "takes about 1,500,000,000 bytes"),
]


@pytest.mark.parametrize(("text", "unit", "words"), LARGE, ids=[text[:20] for text, _, _ in LARGE])
def test_what_is_too_large_is_not_computed(text, unit, words):
    with pytest.raises(ResourceLimitError, match=words) as caught:
        parse_expression(text, ["x0", "x1"])
    assert caught.value.unit == unit


def test_a_larger_budget_allows_it():
    with budget(50):
        assert str(parse_expression("((a^99)^99)^99")) == "((a^99)^99)^99"


HOSTILE = [
    ("__import__('os').system('id')", 0, "underscores"),
    ("os.system('id')", 0, "'os'|decimal point"),
    ("eval(1)", 0, "'eval' is unknown"),
    ("lambda: 0", 0, "'lambda' is unknown"),
    ("2^10^10", 4, "power of a power"),
    ("(" * 10_000 + "a" + ")" * 10_000, MAX_NESTING, "brackets are open"),
    ("(" * 10_000, MAX_NESTING, "brackets are open"),
    ("beta", 0, "'beta' is unknown; the names are a, alpha, α, x0, x1"),
    ("x2", 0, "'x2' is unknown"),
    ("A", 0, "'A' is unknown"),
    ("aa", 0, "'aa' is unknown"),
    ("1_0", 1, "underscores"),
    ("a_1", 1, "underscores"),
    ("١+a", 0, "digits 0–9"),
    ("a+２", 2, "digits 0–9"),
    ("1١", 1, "digits 0–9"),
    ("а", 0, "unexpected 'а'"),  # Cyrillic
    ("2a", 1, "side by side"),
    ("2α", 1, "side by side"),
    ("aα", 0, "'aα' is unknown"),
    ("a(1+a)", 1, "side by side"),
    ("(1-a)(1+a)", 5, "side by side"),
    ("a a", 2, "side by side"),
    ("1 200", 2, "side by side"),
    ("", 0, "empty"),
    ("  ", 2, "empty"),
    ("a+", 2, "incomplete"),
    ("+a", 0, "expected, not '[+]'"),
    ("--a", 1, "two minus signs"),
    ("a^a", 2, "constant integer"),
    ("2^x0", 2, "constant integer"),
    ("2^(1+a)", 5, "constant integer"),
    ("2^(1/2)", 2, "not an integer"),
    ("2^0.5", 2, "not an integer"),
    ("2^(1/(1-1))", 2, "divides by 1 - 1"),
    ("2^", 2, "an integer"),
    ("2^+1", 2, "an integer"),
    ("(a", 2, "character 1 is not closed"),
    ("a)", 1, "closing bracket"),
    ("()", 1, "expected, not '[)]'"),
    ("[a]", 0, r"write \("),
    ("a−1", 1, "write -"),
    ("a·a", 1, r"write \*"),
    ("a²", 1, r"write \^2"),
    ("007", 0, "leading zero"),
    ("1.", 1, "decimal point"),
    (".5", 0, "decimal point"),
    ("1e5000", 0, "three digits"),
    ("1e", 1, "side by side"),
    ("0x10", 1, "side by side"),
    ("1,2", 1, "unexpected ','"),
    ("a;a", 1, "unexpected ';'"),
    ("a=1", 1, "unexpected '='"),
    ("a//2", 2, "expected, not '/'"),
    ("a%2", 1, "unexpected '%'"),
    ("\u202ea", 0, "unexpected"),
    ("a\x00", 1, "unexpected"),
    ("nan", 0, "'nan' is unknown"),
    ("inf", 0, "'inf' is unknown"),
    ("'a'", 0, 'unexpected "\'"'),
]


@pytest.mark.parametrize(("text", "position", "reason"), HOSTILE, ids=[repr(text[:20]) for text, _, _ in HOSTILE])
def test_everything_else_is_refused_with_a_position(text, position, reason):
    with pytest.raises(ExpressionSyntaxError, match=reason) as caught:
        parse_expression(text, SYMBOLS)
    assert caught.value.text == text
    assert position is None or caught.value.position == position
    assert f"(at character {caught.value.position + 1})" in str(caught.value)
    assert len(str(caught.value)) < 400


@given(st.text(alphabet="aαx01.9+-*/^() _e\n,²", max_size=30))
def test_any_text_is_read_or_refused(text):
    tree, position = None, 0
    try:
        tree = parse_expression(text, SYMBOLS)
    except ExpressionSyntaxError as error:
        position = error.position
    assert 0 <= position <= len(text)
    assert tree is None or parse_expression(str(tree), SYMBOLS) == tree


def test_the_words_of_the_level():
    assert parse_expression("alpha") == parse_expression("α") == parse_expression("a") == Symbol("a")


def test_division_by_zero_names_the_divisor():
    with pytest.raises(InputError, match=r"divides by a \+ -a, which is zero"):
        SymbolField(["a"]).read("1/(a+-a)")
    with pytest.raises(InputError, match="divides by a - 1/2, which is zero"):
        evaluate(parse_expression("(a-0.5)^-2"), {"a": Rational("1/2")})


def test_divisors_are_those_as_written():
    tree = parse_expression("1/(1-a) + (a*(1+a))^-1/(2^-1) - (a/3)^2")
    assert {str(d) for d in divisors(tree)} == {"1 - a", "2^-1", "a*(1 + a)", "2", "3"}


# --- exp(…) ---


@pytest.mark.parametrize("text", ["exp(-1/2)", "exp(2)", "exp( - 0.5 * sqrt(2) )", "(1 - exp(-1))^2/(1 + exp(-1/3*sqrt(5)))", "-exp(0)"])
def test_exponentials_are_read_where_they_are_allowed(text):
    tree = parse_expression(text, ["exp"])
    assert parse_expression(str(tree), ["exp"]) == tree
    with pytest.raises(ExpressionSyntaxError, match="the name 'exp' is unknown"):
        parse_expression(text)
    expected = sympy.sympify(text.replace("0.5", "1/2"))
    assert sympy.simplify(sympy.sympify(tree) - expected) == 0


@pytest.mark.parametrize(
    ("text", "exponent", "root"),
    [
        ("exp(-1/2*sqrt(8))", "-1", 2),
        ("exp(-1/2*sqrt(4))", "-1", 1),
        ("exp(3*sqrt(1))", "3", 1),
        ("exp(-1*sqrt(0))", "0", 1),
        ("exp(1*sqrt(999999937))", "1", 999999937),
    ],
)
def test_a_root_is_taken_in_its_simplest_form(text, exponent, root):
    """√8 is 2·√2: a table of distances in the plane has all of them."""
    assert parse_expression(text, ["exp"]) == Exponential(Rational(exponent), root)


@pytest.mark.parametrize(
    "text", ["exp", "exp()", "exp(a)", "exp(1+1)", "exp(-1/0)", "exp(--1)", "exp(1/2/3)", "exp(sqrt(2))", "exp(1)2", "exp(1", "expo(1)"]
)
def test_other_exponentials_are_refused(text):
    with pytest.raises(ExpressionSyntaxError):
        parse_expression(text, ["exp"])


@given(st.text(alphabet="exp()-12/*sqrt. a", max_size=20))
def test_any_text_with_exponentials_is_read_or_refused(text):
    try:
        tree = parse_expression(text, ["exp"])
    except ExpressionSyntaxError as error:
        tree = None
        position = error.position
        in_text = 0 <= position <= len(text)
    else:
        in_text = parse_expression(str(tree), ["exp"]) == tree
    assert in_text


def test_the_names_and_exponentials_of_a_formula():
    found = list(leaves(parse_expression("-(a + exp(-1/2))^2/x0*exp(1*sqrt(3))", ["x0", "exp"])))
    assert found == [Symbol("a"), Exponential(Rational("-1/2")), Symbol("x0"), Exponential(Rational(1), 3)]


@given(trees())
def test_sympy_takes_the_formula_itself(tree):
    try:
        found = sympy.sympify(tree)
    except InputError as error:
        assume("divides by" not in error.message)  # sympy goes on with an infinite number
        raise
    assert not found.atoms(sympy.Float)
    assert sympy.simplify(found - as_sympy(tree)) == 0
