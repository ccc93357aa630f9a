# SPDX-License-Identifier: MIT
"""Entries of mechanisms, tables and remaps by label and by position; shapes, transposes, arrays."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp import ExactMatrix, Gain, Loss, Mechanism, Prior, Remap, Table, identity, randomized_response
from exactdp.errors import InexactInputError, InputError, LabelError
from exactdp.exact import ExponentialField, Rational, RationalFunctionField
from exactdp.exact.number_field import AlgebraicNumber, NumberField
from exactdp.model.labels import Positions

ROWS = [["1/2", "1/4", "1/4"], ["1/3", "1/3", "1/3"]]
SURVEY = Mechanism(ROWS, ["yes", "no"], ["a", "b", "c"])
KINDS = [SURVEY, SURVEY.as_table(), Remap(ROWS, ["yes", "no"], ["a", "b", "c"])]


@pytest.mark.parametrize("m", KINDS, ids=lambda m: type(m).__name__)
def test_an_entry_by_labels_and_by_positions(m):
    assert m["yes", "b"] == m[0, 1] == m["yes", 1] == m[0, "b"] == m[-2, -2] == m[np.int64(0), np.int64(1)] == Rational("1/4")
    assert m["no", :] == m[1, :] == ExactMatrix([["1/3"] * 3])
    assert m[:, "a"] == m[0:2, 0] == ExactMatrix([["1/2"], ["1/3"]])
    for i, row in enumerate(["yes", "no"]):
        for j, column in enumerate("abc"):
            assert m[row, column] == m.matrix[i, j]


@pytest.mark.parametrize("m", KINDS, ids=lambda m: type(m).__name__)
def test_what_names_no_entry_is_refused(m):
    for wrong in ("yes", "no", 0, (0,), (0, 1, 2), None, slice(None)):
        with pytest.raises(InputError, match=r"is not an entry; write m\['yes', 'no'\]"):
            m[wrong]
    for wrong in (("maybe", "a"), ("a", "yes"), (True, 0), (0.5, 0), (None, 0), (["yes"], 0)):
        with pytest.raises(LabelError):
            m[wrong]
    for wrong in (slice("yes", None), slice(None, "no"), slice(0.0, 1)):
        with pytest.raises(LabelError, match="the ends of a slice of rows are positions"):
            m[wrong, 0]
    for wrong in ((2, 0), (0, 3), (-3, 0)):
        with pytest.raises(IndexError, match="is outside"):
            m[wrong]


@given(st.permutations([0, 1, 2, 3, 5]).map(lambda x: x[:3]))
def test_an_int_that_may_be_a_label_or_a_position_is_refused(labels):
    """For any labels: an int means its position, unless it is the label of another row."""
    rows = [[k + 1] for k in range(3)]
    m = Table(rows, labels)
    for k in range(-3, 6):
        if k in labels and -3 <= k < 3 and labels[k] != k:
            with pytest.raises(LabelError, match=f"{k} is a label, and the position of another row.*write '{k}'"):
                m[k, 0]
        elif -3 <= k < 3:
            assert m[k, 0] == m.matrix[k, 0]
        else:
            with pytest.raises(IndexError, match=f"write '{k}'" if k in labels else "is outside"):
                m[k, 0]
    for place, label in enumerate(labels):
        assert m[str(label), "0"] == place + 1


def test_points_and_names_of_unlabelled_places():
    m = Table([[1, 2], [3, 4]], [(0, 0), (0, 1)], ["0,0", "0,1"])
    assert m[(0, 1), (0, 0)] == m["0,1", "0,0"] == 3
    named = Table([[1], [2]], Positions(["1", "2"]))
    assert named["2", 0] == named[1, 0] == 2  # an int is a place of what is unlabelled, whatever its name


def test_entries_of_losses():
    loss = Loss([[0, 1], [2, 0]], [1, 2], [1, 2])
    assert loss["1", "2"] == loss[0, 1] == 1
    assert loss.shape == (2, 2)
    assert Gain([[0, 1], [2, 0]], ["x", "y"])["x", "1"] == 1


@pytest.mark.parametrize("m", KINDS, ids=lambda m: type(m).__name__)
def test_the_transpose_is_a_table(m):
    assert m.shape == (2, 3)
    assert Table(list(zip(*ROWS, strict=True)), ["a", "b", "c"], ["yes", "no"]) == m.T
    assert m.T["b", "yes"] == m["yes", "b"]
    assert type(m.T) is Table
    assert m.T.T.matrix == m.matrix


def test_arrays_of_doubles_are_rounded_to_nearest():
    expected = [[0.5, 0.25, 0.25], [1 / 3, 1 / 3, 1 / 3]]
    for m in (*KINDS, SURVEY.matrix):
        assert m.to_numpy(float).tolist() == m.to_numpy(dtype=float).tolist() == expected
        assert m.to_numpy(float).dtype == m.to_numpy("float64").dtype == np.float64
        assert m.to_numpy().tolist() == [[Fraction(x) for x in row] for row in ROWS]
        assert m.to_numpy(np.float32).dtype == np.float32
        with pytest.raises(InexactInputError, match="is no array of"):
            m.to_numpy(int)
    assert Prior(["1/3", "2/3"]).to_numpy(float).tolist() == [1 / 3, 2 / 3]
    with pytest.raises(InexactInputError, match="evaluate"):
        ExactMatrix([[RationalFunctionField().gen]]).to_numpy(float)


@given(st.integers(1, 3000), st.integers(1, 40), st.integers(-5, 5))
def test_doubles_of_irrational_numbers_are_nearest(p, q, k):
    """No other double is nearer, by decimals with twice as many digits."""
    t = ExponentialField(Rational(p, 100)).gen
    root = NumberField(AlgebraicNumber([-p - q * q * 10**6, 0, q * q], 0, 10**6)).gen
    for x in (t + Rational(k, q), t / q, root + k, root * Rational(q, 3)):
        double = Fraction(float(x))
        gap = abs(x - double)
        for other in (np.nextafter(float(x), np.inf), np.nextafter(float(x), -np.inf)):
            assert gap <= abs(x - Fraction(float(other)))


@pytest.mark.parametrize("m", [*KINDS, SURVEY.matrix], ids=lambda m: type(m).__name__)
def test_what_takes_a_list_names_itself_and_the_table(m):
    for ask in (Prior, identity, lambda x: randomized_response(x, "1/2"), lambda x: Table([[1]], x)):
        with pytest.raises(InputError, match=rf"(weights|labels|answers) are {type(m).__name__}\(.*; give a list"):
            ask(m)
