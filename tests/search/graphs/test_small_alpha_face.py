# SPDX-License-Identifier: MIT
"""Which equations to ask, modulo a prime, against ranks in rational numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exactdp.exact import ExactMatrix, Rational
from exactdp.search.graphs.small_alpha_face import independent_part


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
def test_what_is_independent_modulo_a_prime_is_so_in_rational_numbers(drawn):
    """The last column is the right-hand sides; minors are far below the prime."""
    matrix, columns = drawn
    columns = [c for c in columns if c < matrix.shape[1] - 1]
    found = independent_part(np, matrix, columns)
    assert (found is not None) == (rank(matrix[:, columns]) == rank(matrix))
    if found is not None:
        rows, chosen = found
        assert len(rows) == len(chosen) == rank(matrix)
        assert rank(matrix[np.ix_(rows, chosen)]) == len(chosen)
        ranks = [rank(matrix[:, columns[:k]]) for k in range(len(columns) + 1)]
        assert chosen == [c for c, before, after in zip(columns, ranks, ranks[1:], strict=False) if after > before]
