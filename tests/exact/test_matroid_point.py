# SPDX-License-Identifier: MIT
"""A rational point with the matroid of vectors over a field of exponentials, against that field."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.exact import ExactMatrix, ExponentialField
from exactdp.exact.matroid_point import MatroidPoint
from exactdp.lp.circuits import dependency, positive_circuits

plane = ExponentialField(1, roots=(1, 2))
t, t2 = plane.gens

powers = st.tuples(st.integers(-1, 2), st.integers(-1, 1))
sums = st.lists(st.tuples(st.sampled_from([-1, 1]), powers), max_size=2)


def number(terms):
    return sum((sign * t**k * t2**m for sign, (k, m) in terms), plane.zero)


@given(st.lists(st.tuples(sums, sums), min_size=1, max_size=5))
@settings(max_examples=40)
def test_the_same_minors_vanish(given_columns):
    columns = [[number(x), number(y)] for x, y in given_columns]
    point = MatroidPoint(columns, plane)
    for column, there in zip(columns, point.columns, strict=True):
        assert [not x for x in column] == [not x for x in there]
    for i, j in combinations(range(len(columns)), 2):
        exact = ExactMatrix([columns[i], columns[j]], plane).det()
        assert (not exact) == (not ExactMatrix([point.columns[i], point.columns[j]]).det())


def test_identities_between_powers_are_kept():
    """Equal at no rational point by chance: t·t2 = t2·t, and t^2 is not t2, however near a point is."""
    point = MatroidPoint([[t * t2 - t2 * t, t**2 - t2], [t**3 * t2 - t * (t * t * t2), t2 * t2 - t]], plane)
    assert [[x.sign() for x in column] for column in point.columns] == [[0, -1], [0, -1]]


@given(st.lists(st.tuples(sums, sums), min_size=3, max_size=6))
@settings(max_examples=40)
def test_positive_circuits_and_their_signs(given_columns):
    columns = [[number(x), number(y)] for x, y in given_columns]
    point = MatroidPoint(columns, plane)
    by_field = {c.support for c in positive_circuits(columns, field=plane)}
    by_point = {c.support for c in positive_circuits(point.columns)}
    assert by_field == by_point  # signs, too: no minor of so small numbers is nearly zero
    for size in (1, 2, 3):
        for support in combinations(range(len(columns)), size):
            chosen = [point.columns[j] for j in support]
            rank = ExactMatrix(chosen).rank()
            minimal = rank == size - 1 and all(
                ExactMatrix([*chosen[:k], *chosen[k + 1 :]]).rank() == size - 1 for k in range(size) if size > 1
            )
            if minimal:
                assert point.positive(support) == (dependency([columns[j] for j in support], plane) is not None)


@pytest.mark.parametrize("rate", ["1/10", "1", "30"])
def test_one_generator(rate):
    field = ExponentialField(rate)
    e = field.gen
    point = MatroidPoint([[1 - e], [e - e**2], [e**2 - 1]], field)
    assert {c.support for c in positive_circuits(point.columns)} == {(0, 2), (1, 2)}
    assert point.positive((0, 2))
    assert not point.positive((0, 1))
