# SPDX-License-Identifier: MIT
"""Matrices over the three fields: sympy, evaluation and ℚ as oracles; mixtures."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from exactdp.errors import InputError, MixedDomainError
from exactdp.exact import QQ, ExactMatrix, ExponentialField, ExponentialNumber, Interval, Rational, RationalFunctionField, is_zero

FIELD = RationalFunctionField()
A = FIELD.gen
PLANE = ExponentialField(1, roots=(1, 2))

coefficients = st.lists(st.integers(-3, 3), min_size=1, max_size=3)
entries = st.one_of(
    st.integers(-2, 2).map(FIELD),
    st.tuples(coefficients, st.sampled_from([[1], [1, 1], [2, -1], [0, 1]])).map(lambda t: FIELD.quotient(*t)),
)
at = Fraction(3, 7)


def square(n, entry=entries):
    return st.lists(st.lists(entry, min_size=n, max_size=n), min_size=n, max_size=n)


def evaluated(matrix):
    return matrix.map(lambda x: x.evaluate(at) if isinstance(x, type(A)) else x)


POINTS = [Fraction(k, 31) for k in range(1, 31)]
"""More than the degrees of numerator and denominator of a determinant below."""


def values_at(matrix, point):
    """The matrix over ℚ at a point, by FLINT's rational matrices; None if an entry has a pole there."""
    if any(not sum(c * point**k for k, c in enumerate(x.denominator)) for row in matrix.rows() for x in row):
        return None
    return ExactMatrix([[x.evaluate(point) for x in row] for row in matrix.rows()])


@pytest.mark.slow
@given(st.integers(1, 4).flatmap(square))
def test_determinant_rank_and_inverse(rows):
    M = ExactMatrix(rows, FIELD)
    det = M.det()
    known = [(p, values_at(M, p)) for p in POINTS]
    assert all(det.evaluate(p) == m.det() for p, m in known if m is not None)
    assert M.generic_rank() == max(m.rank() for _, m in known if m is not None)
    if is_zero(det):
        with pytest.raises(ZeroDivisionError):
            M.generic_inverse()
    else:
        inverse = M.generic_inverse()
        for m, inverted in ((m, values_at(inverse, p)) for p, m in known):
            if m is not None and inverted is not None:
                assert m @ inverted == ExactMatrix.identity(len(rows))
                assert inverted.det() == 1 / m.det()


def test_determinants_of_sympy():
    a = sympy.Symbol("a")
    rows = [[1 / (1 + A), A, 2], [A**2 - 1, 1 / A, A], [3, A / (2 - A), 1 - A]]
    theirs = sympy.Matrix([[1 / (1 + a), a, 2], [a**2 - 1, 1 / a, a], [3, a / (2 - a), 1 - a]]).det()
    ours = ExactMatrix(rows).det()
    quotient = sum(c * a**k for k, c in enumerate(ours.numerator)) / sum(c * a**k for k, c in enumerate(ours.denominator))
    assert sympy.cancel(quotient - theirs) == 0


@pytest.mark.slow
@given(st.integers(1, 4).flatmap(lambda n: st.tuples(square(n), square(n))))
def test_products_are_those_of_the_values(pair):
    L, R = (ExactMatrix(rows, FIELD) for rows in pair)
    assert evaluated(L @ R) == evaluated(L) @ evaluated(R)
    assert evaluated(L + R) == evaluated(L) + evaluated(R)
    assert (L @ R).det() == L.det() * R.det()
    assert (L @ R).T == R.T @ L.T


@pytest.mark.slow
@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 1000))
def test_rank_of_a_product(n, r, seed):
    """A product through r dimensions has at most that rank, and the largest rank of its values."""
    chosen = random.Random(seed)
    r = min(r, n)
    L = ExactMatrix([[A ** chosen.randint(0, 3) * chosen.randint(1, 9) for _ in range(r)] for _ in range(n)], FIELD)
    R = ExactMatrix([[A ** chosen.randint(0, 3) + chosen.randint(1, 9) for _ in range(n)] for _ in range(r)], FIELD)
    product = L @ R
    assert product.generic_rank() == max(values_at(product, p).rank() for p in POINTS) <= r


def test_several_exponentials():
    t, u = PLANE.gens
    M = ExactMatrix([[1, t, u], [t, 1, t], [u, t, 1]])
    assert M.field == PLANE
    assert M.det() == 1 - 2 * t * t - u * u + 2 * t * t * u
    x = M.solve(ExactMatrix([[1], [1], [1]]))
    assert M @ x == ExactMatrix([[1], [1], [1]])
    assert x.field == PLANE
    assert M.rank() == 3
    assert ExactMatrix([[t, u], [t * t, t * u]]).rank() == 1


def test_a_sparse_system_of_sixty():
    chosen = random.Random(5)
    for field in (FIELD, ExponentialField("1/10")):
        a, n = field.gen, 60
        rows = [[field.zero] * n for _ in range(n)]
        for i in range(n):
            rows[i][i] = 1 + a
            for j in chosen.sample(range(n), 2):
                rows[i][j] = rows[i][j] + a ** chosen.randint(0, 2) * chosen.randint(-3, 3)
        M, b = ExactMatrix(rows, field), ExactMatrix([[chosen.randint(-5, 5)] for _ in range(n)])
        found = M.generic_solve(b).over(field.formulas)  # it has poles, which a product of functions would lose
        assert (M.over(field.formulas) @ found).same_formulas(b)


def test_the_field_is_that_of_the_entries():
    assert ExactMatrix([[1, "1/2"]]).field == QQ
    assert ExactMatrix([[1, "1/2", A]]).field == FIELD
    assert ExactMatrix([[1, A]], QQ).field == FIELD
    assert ExactMatrix([[1, 2]], FIELD).field == FIELD
    assert ExactMatrix.build(2, 2, lambda i, j: A ** abs(i - j)).field == FIELD
    assert ExactMatrix([[A]]).map(lambda x: x.evaluate("1/2")).field == QQ


def test_rational_matrices_are_lifted():
    M, R = ExactMatrix([[1, A], [A, 1]]), ExactMatrix([["1/2", "1/2"], [0, 1]])
    for result in (M @ R, R @ M, M + R, R + M, M - R, R - M, M.solve(R), R.solve(M)):
        assert result.field == FIELD
    assert evaluated(R.solve(M)) == R.solve(evaluated(M))
    assert evaluated(R - M) == R - evaluated(M)


def test_equality_and_hash_across_fields():
    R = ExactMatrix([["1/2", 0], [0, 1]])
    lifted = R.over(FIELD)
    assert lifted == R == lifted
    assert hash(lifted) == hash(R)
    assert lifted == R.over(PLANE)
    assert lifted != ExactMatrix([["1/2", 0], [0, A]])
    assert pickle.loads(pickle.dumps(ExactMatrix([[A, 1]]))) == ExactMatrix([[A, 1]])
    assert R.over(QQ) is R


@pytest.mark.parametrize(
    "other", [ExponentialField(1).gen, RationalFunctionField(Interval("1/2", 1)).gen, RationalFunctionField(name="b").gen]
)
def test_mixtures_name_both_fields(other):
    M, N = ExactMatrix([[A, 0], [0, 1]]), ExactMatrix([[other, 0], [0, 1]])
    for question in (lambda: M @ N, lambda: M + N, lambda: M.solve(N), lambda: ExactMatrix([[A], [other]]), lambda: M.over(other.field)):
        with pytest.raises(MixedDomainError) as caught:
            question()
        told = str(caught.value)
        named = str(FIELD) in told and str(other.field) in told
        assert named or (isinstance(other, ExponentialNumber) and "e^(−1) has no place in formulas in a" in told), told
    assert (M == N) is (other.field.names == FIELD.names)  # one letter: where both are known


def test_inexact_entries_are_named():
    with pytest.raises(InputError, match="row 0, column 1"):
        ExactMatrix([[A, 0.5]])
    assert ExactMatrix([[A, Rational("1/2")]])[0, 1] == Fraction(1, 2)


@given(st.sampled_from([FIELD, ExponentialField(1), PLANE]), st.integers(1, 3), st.data())
def test_a_matrix_that_is_invertible_at_primes_has_a_determinant(field, n, data):
    number = st.tuples(st.integers(-2, 2), st.sampled_from(field.gens), st.sampled_from(field.gens)).map(lambda t: t[0] * t[1] / t[2])
    rows = data.draw(square(n, number))
    if field.is_invertible_at_primes(rows):
        assert not is_zero(ExactMatrix(rows, field).det())


def test_common_factors_of_rows_and_columns_are_no_part_of_a_solution():
    t = ExponentialField(1).gen
    rows = ExactMatrix([[t**5, 2 * t**3, 0], [t**7 / 3, 0, t**2 * (1 - t)], [0, t**3 * (1 + t), t**9]])
    wanted = ExactMatrix([[1 / t, 0], [t / (1 - t), 0], [t - 2, 0]])
    assert rows.solve(rows @ wanted) == wanted


def test_equal_quotients_are_made_one_object():
    t = PLANE.gens[1]
    found = PLANE.shared([t * t, 1 / (1 + t), t**2, t, 2 / (2 + 2 * t)])
    assert [x is y for x, y in ((found[0], found[2]), (found[1], found[4]), (found[0], found[3]))] == [True, True, False]
    assert found == [t * t, 1 / (1 + t), t**2, t, 1 / (1 + t)]


def test_a_factor_of_1_changes_nothing():
    t = ExponentialField(1).gen
    assert [t * 1, 1 * t, t * Rational(1), t / 1, t / (t / t), t * t.field.one] == [t] * 6
    assert (t * 2, t / 2, t * Rational("1/2")) == (t + t, t - t / 2, t / 2)
