# SPDX-License-Identifier: MIT
"""Elimination as flows: exact inverses, where doubles in a matrix would have lost what counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.exact import ExactMatrix, Rational
from exactdp.search.graphs.stieltjes import FlowMatrices

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]


def exact_inverse(weights, flows, own):
    """Of the same matrix, in rational numbers."""
    size = len(own)
    rows = [[Fraction(0)] * size for _ in range(size)]
    for (u, v), w, f in zip(EDGES, map(Fraction, weights), map(Fraction, flows), strict=True):
        rows[u][u] += w + f
        rows[v][v] += w - f
        rows[u][v] = rows[v][u] = -w
    for v, g in enumerate(map(Fraction, own)):
        rows[v][v] += g
    return ExactMatrix([[Rational(x.numerator, x.denominator) for x in row] for row in rows]).inverse()


@given(
    st.lists(st.floats(1e-3, 1e3), min_size=5, max_size=5),
    st.lists(st.floats(-1, 1), min_size=5, max_size=5),
    st.lists(st.floats(1, 1e3), min_size=4, max_size=4),
    st.sampled_from([1.0, 1e-6, 1e-12]),
)
def test_inverses_and_solutions_keep_their_digits(weights, flows, own, scale):
    """As near an optimum: flows f, weights about f²/scale, and a rest of about scale."""
    weights, own = [w / scale for w in weights], [g * scale * 1e4 for g in own]
    flows = [f * w**0 for f, w in zip(flows, weights, strict=True)]
    matrices = FlowMatrices(*zip(*EDGES, strict=True), 4)
    order = matrices.order
    matrices.eliminate_flows(np.array(weights)[:, None], np.array(flows)[:, None], np.array(own)[order, None])
    expected = exact_inverse(weights, flows, own)
    found = matrices.inverse[:, :, 0]
    for k, i in enumerate(order):
        for m, j in enumerate(order):
            assert found[k, m] == pytest.approx(float(expected[i, j]), rel=1e-8)
    right, stays = [0.25, -0.5, 0.125, 1.0, -1.0], [scale, 2 * scale, -scale, scale]
    whole = [Fraction(x) for x in stays]
    for (u, v), f in zip(EDGES, map(Fraction, right), strict=True):
        whole[u] += f
        whole[v] -= f
    solution = matrices.solve_flows(np.array(right)[:, None], np.array(stays)[order, None])[:, 0]
    exact = [sum(Fraction(str(expected[i, j])) * whole[j] for j in range(4)) for i in range(4)]
    size = max(abs(float(x)) for x in exact)
    for k, i in enumerate(order):
        assert solution[k] == pytest.approx(float(exact[i]), rel=1e-6, abs=1e-8 * size)


def test_a_matrix_that_is_not_positive_definite_is_refused():
    matrices = FlowMatrices([0], [1], 2)
    with pytest.raises(np.linalg.LinAlgError):
        matrices.eliminate_flows(np.array([[1.0]]), np.array([[0.5]]), np.zeros((2, 1)))
