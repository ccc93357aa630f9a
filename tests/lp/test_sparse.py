# SPDX-License-Identifier: MIT
"""The sparse LU factorisation, in both orders of pivots, against the definitions and against dense
matrices.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.exact import QQ, ExactMatrix, RationalFunctionField
from exactdp.lp import sparse
from exactdp.lp.sparse import SparseLU


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_a_sparse_matrix_and_its_transpose_are_solved(m, n, data):
    entry = st.sampled_from([0, 0, 0, 1, -1, 2, Fraction(1, 3)])
    dense = [[QQ(data.draw(entry)) for _ in range(n)] for _ in range(m)]
    rows = [dict(enumerate(row)) for row in dense]
    factors = SparseLU.of_rows(rows, n) if data.draw(st.booleans()) else SparseLU(QQ, dict(enumerate(rows)), range(n))
    assert factors.rank == ExactMatrix(dense).rank()
    assert factors.rank + len(factors.free) == n
    assert factors.rank + len(factors.dependent) == m
    zero = QQ(0)
    for free in factors.free:
        x = factors.kernel(free)
        assert x[free] == 1
        assert all(not sum((a * x.get(j, zero) for j, a in enumerate(row)), zero) for row in dense)
    right = [QQ(data.draw(st.integers(-3, 3))) for _ in range(max(m, n))]
    x = factors.solve(dict(enumerate(right[:m])))
    for i in set(range(m)).difference(factors.dependent):
        assert sum((a * x.get(j, zero) for j, a in enumerate(dense[i])), zero) == right[i]
    y = factors.solve_transposed(dict(enumerate(right[:n])))
    assert not set(y) & set(factors.dependent)
    for j in set(range(n)).difference(factors.free):
        assert sum((dense[i][j] * y.get(i, zero) for i in range(m)), zero) == right[j]


@pytest.mark.parametrize("primes", [(3,), (3, 5), (2, 7)])
def test_a_core_is_solved_whatever_it_is_modulo_the_primes(primes, monkeypatch):
    """Denominators may be multiples of a prime, and the determinant, −52/9, too."""
    monkeypatch.setattr(sparse, "_PRIMES", primes)
    dense = [[QQ(x) for x in row] for row in (["1/3", 1, 1], [1, 1, "-1/3"], [2, -1, 3])]
    factors = SparseLU(QQ, {i: dict(enumerate(row)) for i, row in enumerate(dense)}, range(3))
    assert factors.solve({0: QQ(1)}) == {j: x for j, (x,) in enumerate(ExactMatrix(dense).solve(ExactMatrix([[1], [0], [0]])).rows())}


@given(st.integers(1, 5), st.data())
def test_both_orders_agree_over_a_field_of_functions(n, data):
    a = RationalFunctionField().gen
    entry = st.sampled_from([0, 0, 1, -1, a, 1 - a])
    dense = [[a.field(data.draw(entry)) for _ in range(n)] for _ in range(n)]
    rows = [dict(enumerate(row)) for row in dense]
    one, two = SparseLU.of_rows(rows, n, a.field), SparseLU(a.field, dict(enumerate(rows)), range(n))
    assert one.rank == two.rank == ExactMatrix(dense, a.field).generic_rank()
    if one.rank == n:
        right = {i: a.field.one * i for i in range(n)}
        assert one.solve(right) == two.solve(right)
        assert one.solve_transposed(right) == two.solve_transposed(right)
