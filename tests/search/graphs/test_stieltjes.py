# SPDX-License-Identifier: MIT
"""Sums of inverses of Stieltjes matrices, and solutions: numpy's, fractions, and digits that numpy loses."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.search.graphs.stieltjes import StieltjesMatrices


def matrix(edges, weights, excess):
    """The matrix that weights and an excess mean."""
    size = len(excess)
    table = [[excess[0] * 0] * size for _ in range(size)]
    for i in range(size):
        table[i][i] = table[i][i] + excess[i]
    for (i, j), w in zip(edges, weights, strict=True):
        for a, b in ((i, j), (j, i)):
            table[a][a] = table[a][a] + w
            table[a][b] = table[a][b] - w
    return table


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 7))
    pairs = [(i, j) for j in range(size) for i in range(j)]
    return size, sorted(draw(st.sets(st.sampled_from(pairs)))) if pairs else []


@given(graphs(), st.data())
def test_inverses_and_solutions_are_those_of_numpy(graph, data):
    size, edges = graph
    count = data.draw(st.integers(1, 3))
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    weights, excess, right = rng.random((len(edges), count)), rng.random((size, count)) + 0.1, rng.random((size, count))
    stiff = StieltjesMatrices([i for i, _ in edges], [j for _, j in edges], size)
    stiff.eliminate(weights, excess[stiff.order])
    found = stiff.solve(right[stiff.order])
    assert sorted(stiff.order.tolist()) == list(range(size))
    factors, expected = rng.random((2, size, count)), np.zeros((2, size, 2, size))
    for r in range(count):
        inverse = np.linalg.inv(np.array(matrix(edges, weights[:, r].tolist(), excess[:, r].tolist())))
        assert np.allclose(found[:, r], (inverse @ right[:, r])[stiff.order], rtol=1e-9)
        expected += np.einsum("fi,ij,gj->figj", factors[:, :, r], inverse[np.ix_(stiff.order, stiff.order)], factors[:, :, r])
    assert np.allclose(stiff.sums(factors), expected, rtol=1e-9)


def test_large_weights_lose_no_digits_of_a_small_excess():
    edges, size = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)], 4
    weights, excess = [1e16, 3e15, 7e15, 1e16, 1e-3], [1e-6, 0.0, 3e-6, 2e-6]
    stiff = StieltjesMatrices([i for i, _ in edges], [j for _, j in edges], size)
    stiff.eliminate(np.array(weights)[:, None], np.array(excess)[stiff.order][:, None])
    inverse = stiff.sums(np.ones((1, size, 1)))[0, :, 0]
    exact = solved(matrix(edges, [Fraction(w) for w in weights], [Fraction(e) for e in excess]))
    for k, i in enumerate(stiff.order.tolist()):
        for m, j in enumerate(stiff.order.tolist()):
            assert abs(Fraction(float(inverse[k, m])) / exact[i][j] - 1) < Fraction(1, 10**14)


def solved(table):
    """The inverse, by Gauss and Jordan."""
    size = len(table)
    rows = [list(row) + [Fraction(i == j) for j in range(size)] for i, row in enumerate(table)]
    for k in range(size):
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(size):
            if i != k:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[size:] for row in rows]


def test_an_indefinite_matrix_is_refused():
    stiff = StieltjesMatrices([0], [1], 2)
    with pytest.raises(np.linalg.LinAlgError):
        stiff.eliminate(np.array([[1.0]]), np.array([[-2.0], [1.0]]))
