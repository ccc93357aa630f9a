# SPDX-License-Identifier: MIT
"""What other libraries make of exact numbers and matrices: the same, or a refusal; no float unasked."""

from __future__ import annotations

import math
import operator
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import fmpq, fmpq_mat, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st
from strategies import matrices, rationals

import exactdp as xdp
from exactdp.errors import DomainError, InexactInputError, InputError, LabelError, MixedDomainError, ShapeError
from exactdp.exact import (
    QQ,
    AlgebraicNumber,
    ExactMatrix,
    ExponentialField,
    Interval,
    Rational,
    RationalFunctionField,
    SymbolField,
    common_field,
    parse_expression,
)
from exactdp.exact.matrix import library
from exactdp.exact.number_field import NumberField
from exactdp.model import Distance

A = RationalFunctionField().gen
T = ExponentialField("1/10").gen
T1, T2 = ExponentialField(1, roots=(1, 2)).gens
ROOT = AlgebraicNumber([-1, 0, 2], 0, 1)  # √½
X0 = SymbolField(["a", "x0"]).symbol("x0")
LETTER, HALF = sympy.Symbol("a"), sympy.Rational(1, 2)

# ours, and the same number in sympy, made independently
NUMBERS = {
    "rational": (Rational("1/3"), sympy.Rational(1, 3)),
    "function": ((1 - A) / (1 + A), (1 - LETTER) / (1 + LETTER)),
    "exponential": ((1 - T) / (2 + T**2), (1 - sympy.exp(-sympy.Rational(1, 10))) / (2 + sympy.exp(-sympy.Rational(1, 5)))),
    "two exponentials": (T1 * T2 + 1, sympy.exp(-1) * sympy.exp(-sympy.sqrt(2)) + 1),
    "number field": (NumberField(ROOT).gen / 3 + 1, sympy.sqrt(HALF) / 3 + 1),
    "root": (ROOT, sympy.sqrt(HALF)),
    "cubic root": (AlgebraicNumber([-2, 0, 0, 1], 0, 2), sympy.cbrt(2)),
    "several symbols": (X0 / 2 - 1, sympy.Symbol("x0") / 2 - 1),
    "formula": (parse_expression("(1-a)^2/(1+a) + 1/3"), (1 - LETTER) ** 2 / (1 + LETTER) + sympy.Rational(1, 3)),
}
NAMES = list(NUMBERS)
REAL = ["rational", "exponential", "two exponentials", "number field", "root", "cubic root"]
FUNCTIONS = ["function", "several symbols", "formula"]
SCALARS = [name for name in NAMES if name not in {"root", "cubic root", "formula"}]
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]


def floats_in(expression):
    return sympy.sympify(expression).atoms(sympy.Float)


def same(left, right):
    """Whether two expressions of sympy are one number, decided by sympy."""
    difference = sympy.simplify((sympy.sympify(left) - right).replace(lambda e: isinstance(e, sympy.CRootOf), radical))
    return difference == 0


def radical(root):
    """A root by radicals: sympy does not compare its CRootOf with them."""
    return sympy.rootof(root.poly.as_expr(), root.index, radicals=True) if root.poly.degree() == 2 else sympy.cbrt(2)


# --- Number 4 of the issue ---


def test_the_four_sentences():
    G = xdp.geometric(2, xdp.PrivacyLevel.symbolic().alpha)
    a = G.field.gen
    with pytest.raises(TypeError, match=r"a is a function of a and has no float\(\); take its value at a level first: evaluate"):
        float(a)
    assert sympy.sympify((1 - a) / (1 + a)) == (1 - LETTER) / (1 + LETTER)
    with pytest.raises(TypeError, match="evaluate"):
        np.array(list(G.matrix.rows()), dtype=float)
    total = sympy.Rational(1, 2) + xdp.Rational("1/3")
    assert total == sympy.Rational(5, 6)
    assert not floats_in(total)
    assert np.array(list(xdp.geometric(1, "1/2").matrix.rows()), dtype=float).tolist() == [[2 / 3, 1 / 3], [1 / 3, 2 / 3]]


@pytest.mark.parametrize("name", NAMES)
def test_sympy_gets_the_number_itself(name):
    ours, theirs = NUMBERS[name]
    got = sympy.sympify(ours)
    assert not floats_in(got)
    assert same(got, theirs)


@pytest.mark.parametrize("operation", OPERATORS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("other", [HALF, sympy.Integer(3), sympy.Symbol("b"), sympy.sqrt(3)], ids=str)
def test_both_orders_of_every_operator_are_exact(name, operation, other):
    ours, theirs = NUMBERS[name]
    for left, right, expected in ((ours, other, operation(theirs, other)), (other, ours, operation(other, theirs))):
        got = operation(left, right)
        assert not floats_in(got)
        if not other.is_Symbol or name in {"rational", "function"}:
            assert same(got, expected)


@pytest.mark.parametrize("name", SCALARS)
def test_powers_remainders_and_comparisons_with_sympy(name):
    ours, theirs = NUMBERS[name]
    assert same(sympy.sympify(ours) ** 2, theirs**2)
    assert not floats_in(sympy.Integer(2) ** ours)
    assert not floats_in(ours // HALF)
    assert not floats_in(HALF % ours)
    with pytest.raises(TypeError):
        ours**HALF
    if name in {"rational", "exponential", "two exponentials", "number field"}:
        assert (ours < HALF) == bool(theirs < HALF)
        assert (ours > HALF) == bool(theirs > HALF)
    assert ours != sympy.Rational(-1, 7)


@pytest.mark.parametrize("name", SCALARS)
@pytest.mark.parametrize("inexact", [0.5, 0.5j, np.float64(0.5), np.float32(0.5), np.float16(0.5), sympy.Float(0.5)], ids=repr)
@pytest.mark.parametrize("operation", OPERATORS, ids=lambda f: f.__name__)
def test_floats_are_refused_by_every_operator(name, inexact, operation):
    ours = NUMBERS[name][0]
    with pytest.raises((InexactInputError, InputError, TypeError)):
        operation(ours, inexact)
    if not isinstance(inexact, sympy.Float):  # a Float makes a Float of everything: that is sympy's own rule
        with pytest.raises((InexactInputError, InputError, TypeError)):
            operation(inexact, ours)


@pytest.mark.parametrize("name", SCALARS)
@pytest.mark.parametrize("exact", [np.int64(2), np.uint8(2), Fraction(2), 2, sympy.Integer(2)], ids=lambda x: type(x).__name__)
def test_other_exact_numbers_are_taken(name, exact):
    ours, theirs = NUMBERS[name]
    assert ours + exact == ours + Rational(2)
    assert type(ours * exact) is type(ours)
    for got, expected in ((exact + ours, theirs + 2), (exact * ours, theirs * 2), (exact / ours, 2 / theirs), (exact - ours, 2 - theirs)):
        assert same(got, expected)
        assert isinstance(exact, sympy.Integer) or type(got) is type(ours)


@pytest.mark.parametrize("function", [float, complex, np.float64, lambda x: np.array([x], dtype=float), math.sqrt])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_no_float(name, function):
    with pytest.raises(TypeError):
        function(NUMBERS[name][0])


@pytest.mark.parametrize("name", REAL)
def test_float_of_a_number_is_near_it(name):
    ours, theirs = NUMBERS[name]
    assert abs(float(ours) - float(theirs.evalf(40))) <= 1e-15 * abs(float(theirs.evalf(40)))


def test_floats_of_numbers_near_zero():
    r = NumberField(ROOT).gen
    near = r - Rational("7071067811865475244/10000000000000000000")  # √½ to nineteen digits
    exact = sympy.sqrt(HALF) - sympy.Rational(7071067811865475244, 10**19)
    assert float(near) == pytest.approx(float(exact.evalf(30)), rel=1e-15)
    tiny = AlgebraicNumber([-2, 0, 10**80], 0, 1)  # √2/10^40
    assert float(tiny) == pytest.approx(2**0.5 / 10**40, rel=1e-15)
    assert float(1 - ExponentialField(1, unit=10**6).gen ** 1) == pytest.approx(-math.expm1(-(10**-6)), rel=1e-15)
    assert float(r - r) == 0.0


ROUNDING = [int, round, math.trunc, "{:.3f}".format]
"""What rational numbers and exponentials do when they are asked, and no other ones."""

ROUNDED = [name for name in NAMES if name == "rational" or "exponential" in name]


@pytest.mark.parametrize(
    ("name", "function"),
    [(name, f) for name in NAMES for f in [Decimal, operator.index, "{:d}".format, *(() if name in ROUNDED else ROUNDING)]],
)
def test_what_would_round_is_refused(name, function):
    with pytest.raises((TypeError, ValueError)):
        function(NUMBERS[name][0])


@pytest.mark.parametrize("name", NAMES)
def test_fractions_floors_and_ceilings_are_exact_or_refused(name):
    ours, theirs = NUMBERS[name]
    if name == "rational":
        assert ours.as_fraction() == Fraction(ours) == Fraction(1, 3)
    else:
        for wrong in (lambda: Fraction(1, 2) ** ours, lambda: Fraction(ours)):
            with pytest.raises(TypeError):
                wrong()
    for function, exact in ((math.floor, sympy.floor), (math.ceil, sympy.ceiling)):
        if name in FUNCTIONS or name == "number field":
            with pytest.raises(TypeError):
                function(ours)
        else:
            assert function(ours) == exact(theirs)


def test_floors_see_what_doubles_do_not():
    tiny = Rational(1, 10**30)
    assert [math.floor(x) for x in (1 - tiny, -tiny, Rational(4))] == [0, -1, 4]
    assert [math.ceil(x) for x in (1 + tiny, Rational(-7, 2))] == [2, -3]
    almost = 1 - ExponentialField(100).gen  # 1 − e^(−100)
    assert float(almost) == 1.0
    assert (math.floor(almost), math.ceil(almost)) == (0, 1)


@given(rationals(), rationals())
def test_the_sum_with_sympy_is_the_sum(x, y):
    theirs = sympy.Rational(y.numerator, y.denominator)
    assert x + theirs == theirs + x == x + y
    assert type(x + theirs) is Rational


def test_a_distance_is_exact_too():
    assert sympy.sympify(Distance.parse("sqrt(2)")) == sympy.sqrt(2)
    assert HALF + Distance.parse("3/2") == 2


def test_a_symbol_has_no_assumptions_so_that_text_finds_it():
    assert sympy.sympify(1 - A).subs("a", HALF) == HALF


def test_arrays_of_functions_stay_exact():
    array = np.array([1, 2]) * (1 - A)
    assert list(array) == [1 - A, 2 - 2 * A]
    with pytest.raises(InexactInputError):
        np.array([0.5]) * (1 - A)


# --- Matrices ---

M = ExactMatrix([[1, 2, 3], [4, 5, 6]])
SQUARE = ExactMatrix([[2, 1], [1, 1]])


def test_rows_columns_and_blocks():
    assert M[0, :] == ExactMatrix([[1, 2, 3]])
    assert M[:, 1] == ExactMatrix([[2], [5]])
    assert M[:, -1] == ExactMatrix([[3], [6]])
    assert M[::-1, 1:] == ExactMatrix([[5, 6], [2, 3]])
    assert M[:, :] == M
    assert (M[1, 2], M[-1, -1], M[np.int64(0), 1]) == (6, 6, 2)
    symbolic = ExactMatrix([[1 - A, 1]])
    assert symbolic[:, 1].field == symbolic.field
    for wrong in ((2, 0), (0, 3), (slice(None), 3), (-3, slice(None))):
        with pytest.raises(IndexError):
            M[wrong]
    with pytest.raises(ShapeError):
        M[5:, :]
    for wrong in (0, slice(None), (0,), (0, 1, 2)):
        with pytest.raises(InputError, match=r"write M\[i, j\] or M\[i, :\]"):
            M[wrong]
    with pytest.raises(TypeError):
        M[0.0, 1]


@given(st.integers(1, 4).flatmap(lambda n: st.tuples(matrices(n, n), matrices(n, n), rationals())))
def test_the_ring_of_matrices(drawn):
    left, right, x = drawn
    assert left * right == left @ right
    assert x * left == left * x == left.map(lambda y: x * y)
    assert 2 * left == left + left == left * Fraction(2)
    assert left - right == left + -right == left + (-1) * right
    assert left**3 == left @ left @ left
    assert left**0 == ExactMatrix.identity(left.shape[0])
    assert (left * right).T == right.T * left.T
    if x:
        assert left / x == (1 / x) * left
    if left.det():
        assert left**-1 * left == left**0
        assert left**-2 == (left * left) ** -1
    else:
        with pytest.raises(ZeroDivisionError):
            left**-1


@pytest.mark.parametrize("x", [A, T, NumberField(ROOT).gen], ids=["function", "exponential", "root"])
def test_a_factor_may_bring_its_field(x):
    assert (SQUARE * x)[0, 0] == 2 * x
    assert (x * SQUARE / x) == SQUARE.over(x.field)
    assert (SQUARE * x) ** -1 == SQUARE**-1 / x


def test_two_exponential_fields_have_a_common_one():
    product = ExactMatrix([[ExponentialField("1/2").gen]]) * ExponentialField("1/3").gen
    assert product.field == ExponentialField("1/6")
    with pytest.raises(DomainError):
        ExactMatrix([[A]]) * T


@pytest.mark.parametrize(
    "wrong", [0.5, np.float64(2), "2", None, [1], np.eye(2), np.array([[1, 0], [0, 1]]), sympy.Symbol("x"), Decimal("NaN")]
)
def test_what_is_no_factor_is_refused(wrong):
    for operation in (operator.mul, operator.truediv, operator.add, operator.matmul):
        for pair in ((SQUARE, wrong), (wrong, SQUARE)):
            with pytest.raises((TypeError, InputError)):
                operation(*pair)


def test_wrong_shapes_are_refused():
    for operation in (lambda: M * M, lambda: M + SQUARE, lambda: M**2, lambda: SQUARE / 0):
        with pytest.raises((ShapeError, ZeroDivisionError)):
            operation()
    with pytest.raises(TypeError):
        2 / SQUARE
    with pytest.raises(TypeError):
        SQUARE**0.5


KINDS = {
    "rational": ExactMatrix([["1/2", "-1/3"], [0, 10**30]]),
    "integers": ExactMatrix([[1, 2]]),
    "functions": ExactMatrix([[(1 - A) / (1 + A), A**2], [0, "1/2"]]),
    "exponentials": ExactMatrix([[(1 - T) / (1 + T), T**3], [0, "1/2"]]),
    "two exponentials": ExactMatrix([[T1 / (1 + T2), T1 * T2 - 1]]),
    "number field": ExactMatrix([[NumberField(ROOT).gen / 3 - 1, 2]]),
    "symbols": ExactMatrix([[X0 / 2, 1]]),
    "another interval": ExactMatrix([[RationalFunctionField(Interval("1/2", 1)).gen]]),
}


@pytest.fixture(params=KINDS)
def matrix(request):
    return KINDS[request.param]


def test_sympy_and_back(matrix):
    theirs = matrix.to_sympy()
    assert theirs.shape == matrix.shape
    assert not theirs.atoms(sympy.Float)
    assert ExactMatrix.from_sympy(theirs, matrix.field) == matrix
    assert ExactMatrix.from_sympy(theirs, matrix.field).field == matrix.field
    if matrix.field not in {KINDS["another interval"].field, KINDS["symbols"].field}:
        again = ExactMatrix.from_sympy(theirs)
        assert again.over(common_field(again, matrix)) == matrix.over(common_field(again, matrix))


def test_sympy_multiplies_to_the_same(matrix):
    product = matrix.to_sympy() * matrix.T.to_sympy()
    assert ExactMatrix.from_sympy(product, matrix.field) == matrix * matrix.T


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (sympy.Float("0.5"), InexactInputError, "row 0, column 1: 0.5.* is a Float"),
        (sympy.Float("0.5") * LETTER, InexactInputError, "row 0, column 1"),
        (sympy.pi, InputError, "row 0, column 1: pi"),
        (sympy.sqrt(2) + sympy.sqrt(3), MixedDomainError, r"sqrt\(2\), sqrt\(3\)"),
        (sympy.sqrt(1 + sympy.sqrt(2)), InputError, "sqrt"),
        (LETTER + sympy.sqrt(2), MixedDomainError, "common field"),
        (sympy.I, InputError, "I "),
        (LETTER**LETTER, InputError, "a"),
        (sympy.exp(LETTER), InputError, "exp"),
        (sympy.exp(sympy.pi), InputError, "rational exponent"),
        (LETTER + sympy.exp(-1), MixedDomainError, "common field"),
        (sympy.oo, InputError, "oo"),
        (sympy.nan, InputError, "nan"),
        (sympy.sin(1), InputError, "sin"),
    ],
    ids=str,
)
def test_what_sympy_has_and_we_have_not(wrong, error, words):
    with pytest.raises(error, match=words):
        ExactMatrix.from_sympy(sympy.Matrix([[1, wrong]]))


def test_symbols_of_two_assumptions_are_not_merged():
    with pytest.raises(InputError, match="two different symbols are called a"):
        ExactMatrix.from_sympy(sympy.Matrix([[sympy.Symbol("a"), sympy.Symbol("a", positive=True)]]))
    assert ExactMatrix.from_sympy(sympy.Matrix([[sympy.Symbol("a", positive=True)]])) == ExactMatrix([[A]])
    with pytest.raises(InputError, match="is no number of"):
        ExactMatrix.from_sympy(sympy.Matrix([[sympy.Symbol("b")]]), RationalFunctionField())


def test_exponents_of_both_signs_and_products():
    e = sympy.exp(1)
    found = ExactMatrix.from_sympy(sympy.Matrix([[e, e**2, sympy.exp(sympy.Rational(-1, 3)) / 5]]))
    t = ExponentialField("1/3").gen
    assert found == ExactMatrix([[t**-3, t**-6, t / 5]])


def test_numpy_and_back(matrix):
    array = matrix.to_numpy()
    assert array.dtype == object
    assert array.shape == matrix.shape
    assert ExactMatrix.from_numpy(array) == matrix
    if matrix.field == QQ:
        assert {type(x) for x in array.flat} == {Fraction}


def test_matrices_of_sympy_multiply_and_add_in_both_orders(matrix):
    theirs = matrix.T.to_sympy()
    for product in (theirs * matrix, theirs @ matrix, theirs * matrix.to_sympy()):
        assert ExactMatrix.from_sympy(product, matrix.field) == matrix.T * matrix
    for product in (matrix * theirs, matrix @ theirs):
        assert ExactMatrix.from_sympy(product, matrix.field) == matrix * matrix.T
    for total in (matrix + matrix.to_sympy(), matrix.to_sympy() + matrix):
        assert ExactMatrix.from_sympy(total, matrix.field) == 2 * matrix
    assert sympy.Matrix(matrix) == sympy.sympify(matrix) == matrix.to_sympy()


def test_numpy_takes_a_matrix_exactly_unless_asked_to_round(matrix):
    assert ExactMatrix.from_numpy(np.array(matrix)) == matrix
    if isinstance(matrix.field, RationalFunctionField | SymbolField):
        with pytest.raises(TypeError):
            np.array(matrix, dtype=float)
    else:
        assert np.array(matrix, dtype=float).tolist() == [[float(x) for x in row] for row in matrix.rows()]
    for dtype in (int, bool, np.uint8):
        with pytest.raises(TypeError):
            np.array(matrix, dtype=dtype)


def test_numpy_arrays_that_are_no_exact_matrix():
    with pytest.raises(InexactInputError, match="row 0, column 0"):
        ExactMatrix.from_numpy(np.array([[0.5]]))
    for wrong in (np.array([1, 2]), np.zeros((1, 1, 1))):
        with pytest.raises(ShapeError):
            ExactMatrix.from_numpy(wrong)
    for wrong in ([[1]], None):
        with pytest.raises(InputError, match="give an array of numpy"):
            ExactMatrix.from_numpy(wrong)
        with pytest.raises(InputError, match="give a matrix of sympy"):
            ExactMatrix.from_sympy(wrong)
    assert ExactMatrix.from_numpy(np.array([["1/2", "1/3"]])) == ExactMatrix([["1/2", "1/3"]])


def test_pandas_and_back(matrix):
    pytest.importorskip("pandas")
    assert ExactMatrix.from_pandas(matrix.to_pandas()) == matrix
    labelled = matrix.to_pandas(index=list("xyz")[: matrix.shape[0]])
    assert list(labelled.index) == list("xyz")[: matrix.shape[0]]
    with pytest.raises(LabelError, match="table_of"):
        ExactMatrix.from_pandas(labelled)


def test_frames_that_are_no_exact_matrix():
    pd = pytest.importorskip("pandas")
    with pytest.raises(InexactInputError):
        ExactMatrix.from_pandas(pd.DataFrame([[0.5]]))
    with pytest.raises(InputError, match="no data frame"):
        ExactMatrix.from_pandas([[1]])
    with pytest.raises(InputError, match=r"not_there is not installed; pip install 'exactdp\[frames\]'"):
        library("not_there", "frames")


def test_flint_and_back():
    theirs = KINDS["rational"].to_flint()
    assert isinstance(theirs, fmpq_mat)
    assert theirs[0, 1] == fmpq(-1, 3)
    assert ExactMatrix.from_flint(theirs) == KINDS["rational"]
    theirs[0, 0] = 7  # FLINT's matrices can be changed, ours can't
    assert KINDS["rational"][0, 0] == Rational("1/2")
    made = ExactMatrix.from_flint(theirs)
    theirs[0, 0] = 8
    assert made[0, 0] == 7
    assert ExactMatrix.from_flint(fmpz_mat([[1, 2]])) == KINDS["integers"]
    with pytest.raises(MixedDomainError, match="to_sympy"):
        KINDS["functions"].to_flint()
    for wrong in ([[1]], None, fmpq_mat(0, 0)):
        with pytest.raises(InputError):
            ExactMatrix.from_flint(wrong)


def test_latex(matrix):
    text = matrix.to_latex()
    text.encode("ascii", "strict")
    assert text.startswith("\\begin{bmatrix}\n")
    assert text.count("&") == matrix.shape[0] * (matrix.shape[1] - 1)
    assert text.count("{") == text.count("}")


def test_latex_says_what_t_is():
    assert ExactMatrix([[ExponentialField("1/2").gen / 2]]).to_latex() == (
        "\\begin{bmatrix}\n\\frac{t}{2}\n\\end{bmatrix},\\quad t = e^{-\\frac{1}{2}}"
    )
    assert KINDS["functions"].to_latex() == (
        "\\begin{bmatrix}\n\\frac{1 - \\alpha}{1 + \\alpha} & \\alpha^{2} \\\\\n0 & \\frac{1}{2}\n\\end{bmatrix}"
    )


@pytest.mark.parametrize(
    ("given", "exact"),
    [
        (np.longdouble(1) / 10, Fraction(*(np.longdouble(1) / 10).as_integer_ratio())),  # more digits than a double
        (np.float32(0.1), Fraction(13421773, 134217728)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Rational("1/3"), Fraction(1, 3)),
    ],
)
def test_from_float_rounds_nothing(given, exact):
    assert xdp.from_float(given) == exact


@pytest.mark.parametrize("thing", [T, sympy.pi, sympy.Float("0.1"), "0.1", float])
def test_from_float_refuses_what_it_would_have_to_round(thing):
    with pytest.raises(InputError):
        xdp.from_float(thing)


def test_numbers_of_flint_are_numbers():
    third = Rational("1/3")
    assert Rational(fmpq(1, 3)) == third == fmpq(1, 3)
    assert fmpq(1, 3) == third
    assert hash(fmpq(1, 3)) == hash(third)
    assert third + fmpq(1, 3) == fmpq(1, 3) + third == Rational("2/3")
    assert ExactMatrix([[fmpq(1, 3), fmpz_mat([[2]])[0, 0]]]) == ExactMatrix([["1/3", 2]])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"\begin{bmatrix} 1/2 & x \\ 0 & 1 \end{bmatrix}", "row 0, column 1: 'x' has the letter x, about which nothing is assumed"),
        (r"\begin{bmatrix} 1 & 0 \\ 1/(a-a) & 1 \end{bmatrix}", "row 1, column 0: the formula divides by"),
        (r"2\begin{bmatrix} 1 & 0 \end{bmatrix}", "stands beside the matrix"),
        (r"\begin{bmatrix} t & 1-t \end{bmatrix}", "t"),
    ],
)
def test_latex_that_is_no_matrix_is_refused(text, words):
    with pytest.raises(InputError, match=words):
        ExactMatrix.from_latex(text)


def test_a_letter_of_latex_belongs_to_the_field_that_is_given():
    field = RationalFunctionField(Interval("1/2", 1))
    assert ExactMatrix.from_latex(r"\begin{bmatrix} \alpha & 1-\alpha \end{bmatrix}", field) == ExactMatrix([[field.gen, 1 - field.gen]])
