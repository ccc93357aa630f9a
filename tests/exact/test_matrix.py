# SPDX-License-Identifier: MIT
"""Linear algebra by several routes that must agree: FLINT, the generic elimination, Cramer's rule, sympy."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from itertools import permutations

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import matrices

from exactdp.errors import InexactInputError, RationalSyntaxError, ShapeError
from exactdp.exact import QQ, ExactMatrix, OrderedField, Rational
from exactdp.exact.field import Scalar


class SlowRationals(OrderedField):
    """ℚ with the generic linear algebra instead of FLINT's."""

    __slots__ = ()
    name = "slow QQ"

    def __call__(self, value):
        return Rational(value)


SLOW = SlowRationals()

squares = st.integers(1, 4).flatmap(lambda size: matrices(size, size))
oblongs = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(lambda shape: matrices(*shape))


def slow(matrix):
    return ExactMatrix(list(matrix.rows()), SLOW)


def leibniz(rows):
    """The determinant as a sum over permutations."""
    total = Fraction(0)
    for order in permutations(range(len(rows))):
        sign = 1
        for a in range(len(order)):
            for b in range(a + 1, len(order)):
                sign = -sign if order[a] > order[b] else sign
        term = Fraction(sign)
        for i, j in enumerate(order):
            term *= rows[i][j]
        total += term
    return total


def plain(matrix):
    return [[x.as_fraction() for x in row] for row in matrix.rows()]


def to_sympy(matrix):
    return sympy.Matrix([[sympy.Rational(x.numerator, x.denominator) for x in row] for row in matrix.rows()])


@pytest.mark.slow
@given(squares)
def test_determinant_by_four_routes(a):
    expected = leibniz(plain(a))
    assert a.det() == expected
    assert slow(a).det() == expected
    assert to_sympy(a).det() == sympy.Rational(expected.numerator, expected.denominator)
    assert a.T.det() == expected


@pytest.mark.slow
@given(squares, st.data())
def test_solve_by_three_routes(a, data):
    b = data.draw(matrices(a.shape[0], data.draw(st.integers(1, 2))))
    if a.det() == 0:
        for system in (a, slow(a)):
            with pytest.raises(ZeroDivisionError):
                system.solve(b if system is a else slow(b))
        return
    x = a.solve(b)
    assert a @ x == b
    assert plain(slow(a).solve(slow(b))) == plain(x)
    rows = plain(a)
    for j in range(b.shape[1]):
        column = [v.as_fraction() for v in b.column(j)]
        for i in range(a.shape[0]):
            replaced = [[*row[:i], column[k], *row[i + 1 :]] for k, row in enumerate(rows)]
            assert x[i, j] == leibniz(replaced) / leibniz(rows)
    assert a.inverse() @ a == ExactMatrix.identity(a.shape[0])


@settings(max_examples=60)
@given(oblongs)
def test_rank_by_three_routes(a):
    assert a.rank() == slow(a).rank() == to_sympy(a).rank() == a.T.rank()


@pytest.mark.slow
@given(
    st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3)).flatmap(
        lambda s: st.tuples(matrices(s[0], s[1]), matrices(s[1], s[2]))
    )
)
def test_product_and_transpose_by_two_routes(pair):
    a, b = pair
    assert plain(a @ b) == plain(slow(a) @ slow(b))
    assert plain(a.T) == plain(slow(a).T)
    assert (a @ b).T == b.T @ a.T


@given(oblongs)
def test_entries_rows_columns(a):
    n, m = a.shape
    assert ExactMatrix.build(n, m, lambda i, j: a[i, j]) == a
    assert [a.row(i) for i in range(n)] == list(a.rows())
    assert a.column(m - 1) == a.T.row(m - 1)
    assert a + a == a.map(lambda x: 2 * x)
    assert a - a == a + (-a) == ExactMatrix.build(n, m, lambda i, j: 0)


@given(oblongs)
def test_integers_over_the_least_denominator(a):
    common, rows = a.integer_rows()
    fractions = [[x.as_fraction() for x in row] for row in a.rows()]
    assert [[Fraction(x, common) for x in row] for row in rows] == fractions
    assert common == math.lcm(*(x.denominator for row in fractions for x in row))


@given(oblongs)
def test_equality_hash_pickle(a):
    b = pickle.loads(pickle.dumps(a))
    assert a == b
    assert hash(a) == hash(b)
    assert eval(repr(a)) == a
    assert a != 1


def test_immutable():
    a = ExactMatrix([[1]])
    with pytest.raises(AttributeError):
        a._store = None
    with pytest.raises(TypeError):
        a[0, 0] = 2


@pytest.mark.parametrize("rows", [[], [[]], [[1], [1, 2]], [[1, 2], [1]]])
def test_shapes_are_checked(rows):
    with pytest.raises(ShapeError):
        ExactMatrix(rows)


def test_bad_entries_name_their_place():
    with pytest.raises(RationalSyntaxError, match="row 1, column 0: 'x' is not"):
        ExactMatrix([[1], ["x"]])
    with pytest.raises(InexactInputError, match=r"row 0, column 1: 0\.5 is a float"):
        ExactMatrix([[1, 0.5]])


def test_misfits_are_shape_errors():
    a, b = ExactMatrix([[1, 2]]), ExactMatrix([[1, 2, 3]])
    for attempt in (lambda: a @ b, lambda: a + b, a.det, a.inverse, lambda: ExactMatrix([[1]]).solve(ExactMatrix([[1], [2]]))):
        with pytest.raises(ShapeError):
            attempt()
    with pytest.raises(IndexError):
        a[1, 0]


def test_no_flint_object_is_visible():
    a = ExactMatrix([["1/2", 3]])
    for value in (a[0, 0], a.row(0)[1], a[0, 0].numerator, *a.shape, ExactMatrix([[2]]).det(), a.rank()):
        assert type(value).__module__.split(".")[0] in {"exactdp", "builtins"}
    assert isinstance(a[0, 0], Scalar)
    assert a.field is QQ


@given(st.data(), st.integers(1, 4), st.integers(1, 4))
def test_rows_are_multiplied_and_divided_as_their_fractions(data, lines, columns):
    table = st.lists(st.lists(st.fractions(-5, 5, max_denominator=60), min_size=columns, max_size=columns), min_size=lines, max_size=lines)
    left, right = data.draw(table), data.draw(table)
    dots = ExactMatrix(left).dots(ExactMatrix(right))
    assert [x.as_fraction() for x in dots] == [sum(x * y for x, y in zip(*rows, strict=True)) for rows in zip(left, right, strict=True)]
    if all(map(sum, left)):
        divided = ExactMatrix(left).over_row_sums()
        assert [[x.as_fraction() for x in row] for row in divided.rows()] == [[x / sum(row) for x in row] for row in left]
    for row, (denominator, numerators) in zip(left, ExactMatrix(left).integers_of_rows(), strict=True):
        assert [Fraction(int(x), int(denominator)) for x in numerators] == row
        assert math.gcd(int(denominator), *map(int, numerators)) == 1
