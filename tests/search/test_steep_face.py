# SPDX-License-Identifier: MIT
"""Which equations to ask, modulo a prime, against ranks in rational numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exactdp.exact import ExactMatrix, Rational
from exactdp.search.steep_face import independent_rows


def rank(matrix):
    return ExactMatrix([[Rational(int(x)) for x in row] for row in matrix]).rank() if matrix.size else 0


@st.composite
def dependent_matrices(draw):
    """Products of two thin matrices, with one entry changed or none, and some of the columns."""
    rows, columns, inner = draw(st.integers(1, 6)), draw(st.integers(1, 6)), draw(st.integers(1, 4))
    numbers = st.integers(-3, 3)
    left, right = (
        np.array(draw(st.lists(numbers, min_size=a * b, max_size=a * b)), dtype=np.int64).reshape(a, b)
        for a, b in ((rows, inner), (inner, columns))
    )
    matrix = left @ right
    matrix[draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1))] += draw(st.integers(0, 1))
    return matrix, draw(st.lists(st.integers(0, columns - 1), unique=True))


@given(dependent_matrices())
def test_rows_modulo_a_prime_are_those_of_the_rational_numbers(drawn):
    matrix, columns = drawn
    rows = independent_rows(np, matrix, columns)
    expected = rank(matrix[:, columns]) == len(columns) == rank(matrix)  # minors are far below the prime
    assert (rows is not None) == expected
    if rows is not None:
        assert len(rows) == len(set(rows)) == len(columns)
        assert rank(matrix[np.ix_(rows, columns)]) == len(columns)
