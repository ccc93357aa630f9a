# SPDX-License-Identifier: MIT
"""Mechanisms, remaps and tables: validated at birth, all faults named, immutable."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import matrices, mechanisms, remaps

from exactdp.errors import (
    InexactInputError,
    InputError,
    LabelError,
    NegativeEntryError,
    NotStochasticError,
    RationalSyntaxError,
    ShapeError,
)
from exactdp.exact import QQ, ExactMatrix, ExponentialField, Rational, RationalFunctionField
from exactdp.mechanisms import geometric
from exactdp.model import Gain, Loss, Mechanism, Prior, Remap, Table
from exactdp.readers.objects import table_of


@given(mechanisms())
def test_a_mechanism_is_what_it_says(m):
    assert (m.n_inputs, m.n_outputs) == m.matrix.shape == (len(m.inputs), len(m.outputs))
    assert m.field is QQ
    assert [tuple(m[i, j] for j in range(m.n_outputs)) for i in range(m.n_inputs)] == list(m.rows())
    assert pickle.loads(pickle.dumps(m)) == m
    assert hash(m) == hash(Mechanism(m.matrix, m.inputs, m.outputs))
    assert m.as_table().as_mechanism() == m
    assert not m.as_table().faults()
    assert m.as_table().renormalise() == m


@given(mechanisms(max_inputs=3, max_outputs=3), st.data())
def test_post_processing_is_the_product(m, data):
    r = data.draw(remaps(m.outputs, ["x", "y"]))
    t = data.draw(remaps(["x", "y"], ["a", "b", "c"]))
    after = m.post_process(r)
    assert after.matrix == m.matrix @ r.matrix
    assert (after.inputs, after.outputs) == (m.inputs, r.guesses)
    assert after.post_process(t) == m.post_process(Remap(r.matrix @ t.matrix, r.outputs, t.guesses))


def test_post_processing_needs_the_same_labels():
    m = Mechanism([[1, 0], [0, 1]], None, ["a", "b"])
    with pytest.raises(LabelError, match="'b' is not among"):
        m.post_process(Remap([[1], [1]], ["a", "c"], ["x"]))
    with pytest.raises(LabelError, match="row labels are unlabelled, but the mechanism's outputs are labelled"):
        m.post_process(Remap([[1], [1]], None, ["x"]))
    swap = Remap([[1, 0], [0, 1]], ["b", "a"], ["x", "y"])
    assert m.post_process(swap).matrix.row(0) == (0, 1)
    with pytest.raises(LabelError, match="there are 1 and 2 of them"):
        m.post_process(Remap([[1]], ["a"], ["x"]))


def test_all_faulty_rows_are_named_exactly():
    rows = [["1/2", "1/2"], ["1/3", "1/3"], ["1/2", "8/15"]]
    with pytest.raises(NotStochasticError) as caught:
        Mechanism(rows)
    text = str(caught.value)
    assert "row 1 sums to 2/3, not 1 (excess -1/3)" in text
    assert "row 2 sums to 31/30, not 1 (excess 1/30)" in text
    assert "row 0" not in text
    assert caught.value.rows == (("1", Fraction(2, 3), Fraction(-1, 3)), ("2", Fraction(31, 30), Fraction(1, 30)))
    with pytest.raises(NotStochasticError, match="row c sums"):
        Remap(rows, ["a", "b", "c"], ["x", "y"])


def test_negative_entries_are_named():
    with pytest.raises(NegativeEntryError, match="row a, column y is -1/4, which is negative") as caught:
        Mechanism([["5/4", "-1/4"]], ["a"], ["x", "y"])
    assert caught.value.position == (0, 1)
    assert caught.value.value == Fraction(-1, 4)


@given(st.integers(1, 3).flatmap(lambda n: st.integers(1, 3).flatmap(lambda m: matrices(n, m))))
def test_a_table_knows_its_faults(matrix):
    table = Table(matrix)
    sums = [sum(row) for row in matrix.rows()]
    assert list(table.row_sums()) == sums
    faults = table.faults()
    assert [(row.index, row.total) for row in faults.rows] == [(i, s) for i, s in enumerate(sums) if s != 1]
    assert {(e.row, e.column) for e in faults.negative} == {
        (i, j) for i, row in enumerate(matrix.rows()) for j, x in enumerate(row) if x < 0
    }
    if faults:
        with pytest.raises((NotStochasticError, NegativeEntryError)):
            table.as_mechanism()
    else:
        assert table.as_mechanism().matrix == matrix
    if faults.negative or not all(sums):
        with pytest.raises((NotStochasticError, NegativeEntryError)):
            table.renormalise()
    else:
        assert [sum(row) for row in table.renormalise().rows()] == [1] * len(sums)
        assert table.renormalise().matrix == ExactMatrix([[x / s for x in row] for row, s in zip(matrix.rows(), sums, strict=True)])


@pytest.mark.parametrize(
    ("inputs", "kind", "words"),
    [
        (["a", "a"], LabelError, "occurs at places 0 and 1"),
        (["a", ""], LabelError, "empty text"),
        (["a"], ShapeError, "1 input labels given, 2 needed"),
        ([0.5, 1], LabelError, "0.5 .a float. is no"),
        ([True, 1], LabelError, "labels are text, ints"),
        ("ab", LabelError, "one text, not a list"),
        ([1, "1"], LabelError, "'1' occurs"),
    ],
)
def test_bad_labels(inputs, kind, words):
    with pytest.raises(kind, match=words):
        Mechanism([[1], [1]], inputs)


@pytest.mark.parametrize(
    ("matrix", "kind"),
    [
        ("12", InputError),
        (5, InputError),
        (["1", "1"], InputError),
        ([[0.5, 0.5]], InexactInputError),
        ([["1/2", "1_0/20"]], RationalSyntaxError),
        ([], ShapeError),
        ([[1], [1, 0]], ShapeError),
    ],
)
def test_bad_matrices(matrix, kind):
    with pytest.raises(kind):
        Mechanism(matrix)


def test_frozen():
    m = Mechanism([[1]])
    for thing, slot in ((m, "matrix"), (Table([[1]]), "inputs"), (Remap([[1]]), "guesses")):
        with pytest.raises(AttributeError):
            setattr(thing, slot, None)


def test_remaps():
    r = Remap.deterministic({"x": "1", "y": "0"}, ["x", "y"], ["0", "1"])
    assert r.is_deterministic()
    assert not Remap([["1/2", "1/2"]]).is_deterministic()
    assert r.as_mechanism() == Mechanism([[0, 1], [1, 0]], ["x", "y"], ["0", "1"])
    with pytest.raises(InputError, match="the guesses leave out 'y'"):
        Remap.deterministic({"x": "1"}, ["x", "y"], ["0", "1"])
    with pytest.raises(LabelError, match="unknown guess '7'"):
        Remap.deterministic({"x": "7"}, ["x"], ["0", "1"])


def test_text_is_aligned_with_labels():
    text = str(Mechanism([["1/2", "1/2"], ["1/12", "11/12"]], ["no", "y"], ["a", "long"]))
    assert text.splitlines() == ["       a   long", "no   1/2    1/2", "y   1/12  11/12"]
    assert str(Table([[5]])) == str(Table([[Rational(5)]]))


# --- Other libraries ---


LABELLED = [
    Mechanism([["2/3", "1/3"], ["1/3", "2/3"]], ["no", "yes"], ["u", "v"]),
    Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]),
    Table([["1/2", "-1/3"]], None, ["u", "v"]),
    Remap([[1, 0], ["1/2", "1/2"]], ["u", "v"], ["x", "y"]),
    Loss([[0, 1], ["1/2", 0]], ["no", "yes"], ["x", "y"]),
    Loss.absolute(range(3)),
    Gain([[1, 0]], ["no"], ["x", "y"]),
    Table([[RationalFunctionField().gen, "1/2"]]),
    Mechanism([[ExponentialField(1).gen, 1 - ExponentialField(1).gen]], ["no"]),
]


@pytest.mark.parametrize("thing", LABELLED, ids=lambda thing: type(thing).__name__)
def test_pandas_and_back_with_labels(thing):
    pytest.importorskip("pandas")
    frame = thing.to_pandas()
    assert type(thing).from_pandas(frame) == thing
    assert table_of(frame).matrix == thing.matrix
    with pytest.raises(InexactInputError):
        type(thing).from_pandas(frame.map(lambda x: 0.5))


@pytest.mark.parametrize("thing", LABELLED, ids=lambda thing: type(thing).__name__)
def test_the_numbers_go_to_other_libraries_as_those_of_the_matrix(thing):
    assert thing.to_sympy() == thing.matrix.to_sympy()
    assert thing.to_latex() == thing.matrix.to_latex()
    assert (thing.to_numpy() == thing.matrix.to_numpy()).all()
    assert ExactMatrix.from_numpy(thing.to_numpy()) == thing.matrix


def test_flint_takes_a_mechanism_of_rationals():
    assert ExactMatrix.from_flint(LABELLED[0].to_flint()) == LABELLED[0].matrix


@pytest.mark.parametrize("prior", [Prior(["1/3", "2/3"]), Prior(["1/3", "2/3"], ["no", "yes"]), Prior.uniform(["a"])])
def test_a_prior_goes_to_a_series_and_back(prior):
    pytest.importorskip("pandas")
    assert Prior(prior.to_pandas()) == prior
    assert Prior(prior.to_numpy()).weights == prior.weights


def test_rows_and_columns_of_a_mechanism():
    assert LABELLED[0][0, :] == ExactMatrix([["2/3", "1/3"]])
    assert LABELLED[0][:, 0] == ExactMatrix([["2/3"], ["1/3"]])


@pytest.mark.parametrize("level", ["1/4", "a", "epsilon=1/2"])
def test_matrices_of_sympy_are_rows(level):
    m = geometric(2, level)
    assert Mechanism(m.to_sympy()) == Table(m.to_sympy()).as_mechanism() == m


def test_matrices_of_flint_are_rows():
    m = geometric(2, "1/4")
    assert Mechanism(m.to_flint()) == m


def test_whole_numbers_of_other_libraries_are_sizes_and_labels():
    import numpy as np

    assert geometric(np.int64(2), "1/4") == geometric(2, "1/4")
    assert geometric(np.array([3, 5]), "1/4").inputs == ("3", "5")
    for wrong in (True, np.bool_(True), 2.0, np.float64(2)):
        with pytest.raises(InputError):
            geometric(wrong, "1/4")


def test_a_mechanism_is_an_array_of_its_numbers():
    import numpy as np
    import sympy

    m = geometric(2, "1/4")
    assert np.array(m).shape == (3, 3)
    assert Mechanism(np.array(m)) == m
    assert sympy.Matrix(m) == m.to_sympy()
    with pytest.raises(InputError, match=r"has no float\(\)"):
        np.array(geometric(2, "a"), dtype=float)
    with pytest.raises(TypeError):
        np.eye(3) @ m
