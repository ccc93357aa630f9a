# SPDX-License-Identifier: MIT
"""Losses and gains: the named ones, monotonicity and single crossing by their definitions."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import arbitrary_losses, graphs, losses, metrics, monotone_losses

import exactdp as xdp
from exactdp.errors import DomainError, InexactInputError, InputError, LabelError, ShapeError
from exactdp.exact import ExactMatrix
from exactdp.model import LOSSES, BayesianConsumer, Gain, Graph, Loss, MinimaxConsumer, loss_from_spec, neighbours

NUMBERS = range(-2, 3)


def crosses_once(loss):
    """Single crossing, word by word: a threshold t for every r < r′."""
    n, m = loss.matrix.shape
    return all(
        any(all(loss[i, r] <= loss[i, s] for i in range(t)) and all(loss[i, r] >= loss[i, s] for i in range(t, n)) for t in range(n + 1))
        for r in range(m)
        for s in range(r + 1, m)
    )


def grows(loss, distance):
    """Monotone, word by word: d(i, r) ≤ d(i, s) implies l(i, r) ≤ l(i, s)."""
    n, m = loss.matrix.shape
    return all(loss[i, r] <= loss[i, s] for i in range(n) for r in range(m) for s in range(m) if distance(i, r) <= distance(i, s))


@pytest.mark.parametrize(
    ("loss", "value"),
    [
        (Loss.absolute(NUMBERS), lambda i, r: abs(i - r)),
        (Loss.squared(NUMBERS), lambda i, r: (i - r) ** 2),
        (Loss.zero_one(NUMBERS), lambda i, r: int(i != r)),
    ],
    ids=["abs", "squared", "zero-one"],
)
def test_named_losses(loss, value):
    assert [list(row) for row in loss.matrix.rows()] == [[value(i, r) for r in NUMBERS] for i in NUMBERS]
    assert loss.inputs == loss.guesses == ("-2", "-1", "0", "1", "2")
    assert loss.is_monotone()
    assert loss.has_single_crossing()
    assert pickle.loads(pickle.dumps(loss)) == loss


def test_guesses_may_differ_from_inputs():
    loss = Loss.absolute([0, 10], [0, 5, 10])
    assert [list(row) for row in loss.matrix.rows()] == [[0, 5, 10], [10, 5, 0]]
    assert loss.guesses == ("0", "5", "10")


@pytest.mark.parametrize("make", [Loss.absolute, Loss.squared])
@pytest.mark.parametrize("labels", [["a", "b"], ["0,0", "0,1"], ["01", "1"], ["1/2", "1"]])
def test_integer_losses_suggest_distance(make, labels):
    with pytest.raises(LabelError, match="use the loss 'distance'"):
        make(labels)


@given(graphs())
def test_distance_is_the_number_of_steps(graph):
    hops = graph.hops()
    if any(x is None for row in hops for x in row):
        with pytest.raises(InputError, match="not connected"):
            Loss.from_distance(graph)
        return
    loss = Loss.from_distance(graph)
    assert [tuple(row) for row in loss.matrix.rows()] == [tuple(row) for row in hops]
    assert loss == Loss.from_distance(graph.metric())
    assert loss.is_monotone(graph)
    assert loss.is_monotone(graph.metric())


def test_irrational_distances_are_no_rational_loss():
    with pytest.raises(DomainError, match="irrational"):
        Loss.from_distance(neighbours("euclid:2x2"))
    assert Loss.from_distance(neighbours("euclid:3")).matrix == Loss.absolute(range(3)).matrix


@given(st.integers(1, 5).flatmap(monotone_losses))
def test_monotone_losses_have_single_crossing(loss):
    assert loss.is_monotone()
    assert crosses_once(loss)
    assert loss.has_single_crossing()


@given(st.integers(1, 4).flatmap(lambda n: arbitrary_losses(range(n))))
def test_predicates_by_their_definitions(loss):
    assert loss.has_single_crossing() == crosses_once(loss)
    assert loss.is_monotone() == grows(loss, lambda i, r: abs(i - r))


@given(metrics(), st.data())
def test_monotone_in_a_metric_by_its_definition(metric, data):
    loss = data.draw(losses(metric.vertices))
    if len(loss.guesses) != len(metric.vertices):
        return
    loss = Loss(loss.matrix, metric.vertices, metric.vertices)

    def distance(i, r):
        if i == r:
            return (0, 0)
        d = metric.between(i, r)
        return (2, 0) if d is None else (1, d.square)

    assert loss.is_monotone(metric) == grows(loss, distance)
    assert Loss.zero_one(metric.vertices).is_monotone(metric)


def test_single_crossing_follows_the_given_order():
    loss = Loss.absolute([2, 0, 1])
    assert loss.is_monotone()
    assert not loss.has_single_crossing()
    assert not crosses_once(loss)


def test_single_crossing_without_monotonicity():
    loss = Loss([[-5, 0, 7], [3, 1, 0]])
    assert not loss.is_monotone()
    assert loss.has_single_crossing()


def test_monotone_needs_distances():
    loss = Loss([[0, 1], [1, 0]], ["a", "b"], ["a", "b"])
    with pytest.raises(LabelError):
        loss.is_monotone()
    assert loss.is_monotone(Graph(["a", "b"], [(0, 1)]))
    with pytest.raises(LabelError, match="unknown vertex"):
        loss.is_monotone(Graph(["a", "c"], []))


@pytest.mark.parametrize(
    ("matrix", "inputs", "kind"),
    [([[0.5]], None, InexactInputError), ([[1], [2]], ["a"], ShapeError), ([[1], [2]], ["a", "a"], LabelError)],
)
def test_bad_losses(matrix, inputs, kind):
    for make in (Loss, Gain):
        with pytest.raises(kind):
            make(matrix, inputs)


def test_gains():
    gain = Gain([["1/2", -1]], ["a"], ["x", "y"], "bonus")
    loss = gain.as_loss()
    assert list(loss.matrix.row(0)) == [Fraction(-1, 2), 1]
    assert (loss.inputs, loss.guesses, loss.name) == (("a",), ("x", "y"), "minus bonus")
    assert str(gain).split() == ["x", "y", "a", "1/2", "-1"]


@pytest.mark.parametrize("word", LOSSES)
def test_words(word):
    path = neighbours("path:4")
    loss = loss_from_spec(word, path)
    assert loss.name == word
    assert loss.inputs == path.vertices


def test_words_on_other_graphs():
    cube = neighbours("hypercube:2")
    with pytest.raises(LabelError, match="distance"):
        loss_from_spec("abs", cube)
    assert loss_from_spec("distance", cube)[0, 3] == 2
    with pytest.raises(InputError, match=f"the words are {', '.join(LOSSES)}"):
        loss_from_spec("cubic", cube)


def test_a_loss_is_given_as_an_array_or_as_a_matrix():
    import numpy as np
    import sympy

    rows = [[0, 1], [1, 0]]
    for thing in (np.array(rows), sympy.Matrix(rows), ExactMatrix(rows)):
        assert MinimaxConsumer(thing) == MinimaxConsumer(rows)
    with pytest.raises(InputError, match="from_function"):
        MinimaxConsumer(lambda i, r: 0)


def test_the_distance_of_other_neighbours_is_called_so():
    """Two optima on one cycle, 2/3 and 22/21, had one sentence: the loss was called distance in both."""
    own, others = (xdp.optimum("cycle:4", "1/2", who) for who in (MinimaxConsumer("distance"), MinimaxConsumer("distance").on("path:4")))
    assert "with loss distance and side information" in own.claim
    assert "with loss distance on path:4 and side information" in others.claim
    assert own.evidence.value != others.evidence.value
    given = BayesianConsumer(Loss.from_distance(Graph.cycle(4)))
    assert "with loss distance and prior" in xdp.optimum("cycle:4", "1/2", given).claim
    assert "with loss distance on cycle:4 and prior" in xdp.mechanism_loss(xdp.geometric(3, "1/2"), given).claim
    found = xdp.universally_optimal_mechanism("path:4", "1/2", Loss.from_distance(Graph.path(4)))
    assert "for the loss distance on path:4 at level α = 1/2 (ε = ln(2) ≈ 0.6931472)" in found.claim


def test_a_name_alone_does_not_make_a_loss_the_distance_of_these_neighbours():
    """Anything can be called anything."""
    steps = [[(i, j, (j - i) * step) for j in range(6) for i in range(j)] for step in (1, 2)]
    unnamed = [xdp.Metric(list("012345"), distances) for distances in steps]
    assert str(unnamed[0]) != str(unnamed[1])
    line, far = (xdp.Metric(list("012345"), distances, name="line") for distances in steps)
    assert str(line) == str(far)
    loss = Loss.from_distance(line)
    assert loss.beside(line).name == "distance"
    assert loss.aligned(tuple("543210")).beside(line).name == "distance"
    assert loss.beside(far).name == loss.name != "distance"
    assert Loss([[0, 5], [5, 0]], name="distance on path:2").beside(Graph.path(2)).name == "distance on path:2"
    apart = xdp.Metric(range(2), [], name="path:2")
    assert Loss.from_distance("path:2").beside(apart).name == "distance on path:2"
