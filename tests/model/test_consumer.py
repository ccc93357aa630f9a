# SPDX-License-Identifier: MIT
"""Priors, side information and consumers: their definitions, and what is refused."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import consumers, distributions, label_lists, priors, side_informations

from exactdp.errors import InexactInputError, InputError, LabelError, NegativeEntryError, NotStochasticError, ShapeError
from exactdp.exact import ExactMatrix, ExponentialField, Rational
from exactdp.model import BayesianConsumer, Gain, Loss, Mechanism, MinimaxConsumer, Prior, SideInformation
from exactdp.model.consumer import described_apart, told_apart

some_labels = st.integers(1, 5).flatmap(label_lists)


@pytest.mark.slow
@given(some_labels.flatmap(lambda labels: st.tuples(st.just(labels), consumers(labels))), st.data())
def test_losses_of_consumers_by_definition(pair, data):
    labels, consumer = pair
    loss = consumer.loss
    rows = data.draw(st.lists(distributions(len(loss.guesses)), min_size=len(labels), max_size=len(labels)))
    mechanism = Mechanism(rows, labels, loss.guesses)
    expected = [sum(loss[i, r] * mechanism[i, r] for r in range(len(loss.guesses))) for i in range(len(labels))]
    assert list(consumer.row_losses(mechanism)) == expected
    assert consumer.inputs == labels
    if isinstance(consumer, MinimaxConsumer):
        assert consumer.loss_of(mechanism) == max(expected[i] for i in range(len(labels)) if i in consumer.side_information)
        assert "minimax consumer" in consumer.describe()
    else:
        assert consumer.loss_of(mechanism) == sum(consumer.prior[i] * x for i, x in enumerate(expected))
        assert "Bayesian consumer" in consumer.describe()
    assert pickle.loads(pickle.dumps(consumer)) == consumer
    assert hash(pickle.loads(pickle.dumps(consumer))) == hash(consumer)


@given(some_labels.flatmap(priors))
def test_priors(prior):
    assert sum(prior.weights) == 1
    assert Prior(prior.weights, prior.inputs) == prior
    if len(set(prior.weights)) > 1:
        assert all(f"{label}: {weight}" in str(prior) for label, weight in zip(prior.inputs, prior.weights, strict=True))


def test_uniform_prior():
    assert Prior.uniform(["a", "b", "c"]).weights == (Fraction(1, 3),) * 3


@pytest.mark.parametrize(
    ("weights", "kind", "words"),
    [
        (["1/2", "8/15"], NotStochasticError, r"sums to 31/30, not 1 \(excess 1/30\)"),
        (["3/2", "-1/2"], NegativeEntryError, "weight of input 1 is -1/2"),
        ([0.5, 0.5], InexactInputError, "0.5"),
        ([], ShapeError, "at least one"),
    ],
)
def test_bad_priors(weights, kind, words):
    with pytest.raises(kind, match=words):
        Prior(weights)


@given(some_labels.flatmap(side_informations))
def test_side_information(known):
    assert list(known.indices) == sorted(set(known.indices))
    assert known.labels == tuple(known.inputs[i] for i in known.indices)
    assert SideInformation.of(known.labels, known.inputs) == known
    assert SideInformation.parse(",".join(known.labels), known.inputs) == known


@pytest.mark.parametrize(
    ("text", "inputs", "indices"),
    [
        ("0..3", range(5), (0, 1, 2, 3)),
        ("2..2", range(5), (2,)),
        ("-1..1", [3, 1, 0, -1], (1, 2, 3)),
        ("1,2, 4", range(5), (1, 2, 4)),
        ("5, 1", [1, 3, 5], (0, 2)),
        ("3", range(5), (3,)),
        ("b,a", "ab", (0, 1)),
        ("0,1", ["0,0", "0,1"], (1,)),
        ("0,1;0,0", ["0,0", "0,1"], (0, 1)),
    ],
)
def test_reading_side_information(text, inputs, indices):
    assert SideInformation.parse(text, list(inputs)).indices == indices


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3..1", "empty: 3 > 1"),
        ("0..9", "unknown input '9'"),
        ("7", "unknown input '7'"),
        ("1,1", "'1' is given twice"),
        ("", "unknown input|empty text"),
        ("1,,2", "empty text"),
        ("0...3", "unknown input"),
        ("0..x", "unknown input"),
    ],
)
def test_bad_side_information(text, words):
    with pytest.raises((InputError, LabelError), match=words):
        SideInformation.parse(text, range(5))


def test_ranges_need_integer_labels():
    with pytest.raises(LabelError, match="integer labels"):
        SideInformation.parse("0..1", ["a", "b"])


@pytest.mark.parametrize("indices", [[], [5], [-1], [0, 0]])
def test_bad_indices(indices):
    with pytest.raises(InputError):
        SideInformation(indices, range(3))


def test_everything_must_speak_of_the_same_inputs():
    loss = Loss.zero_one(["a", "b"])
    with pytest.raises(LabelError, match="the prior's inputs"):
        BayesianConsumer(loss, Prior.uniform(["b", "c"]))
    with pytest.raises(LabelError, match="the prior's inputs are unlabelled"):
        BayesianConsumer(loss, Prior(["1/3", "2/3"]))
    assert BayesianConsumer(loss, Prior(["1/3", "2/3"], ["b", "a"])).prior.weights == (Fraction(2, 3), Fraction(1, 3))
    with pytest.raises(LabelError, match="the side information's inputs"):
        MinimaxConsumer(loss, SideInformation.everything(["a"]))
    for consumer in (MinimaxConsumer(loss), BayesianConsumer(loss)):
        with pytest.raises(LabelError, match="the mechanism's inputs"):
            consumer.loss_of(Mechanism([[1, 0], [0, 1]], None, ["a", "b"]))
        with pytest.raises(LabelError, match="the mechanism's outputs are unlabelled"):
            consumer.loss_of(Mechanism([[1, 0], [0, 1]], ["a", "b"]))


def test_defaults():
    loss = Loss.absolute(range(3))
    assert MinimaxConsumer(loss).side_information == SideInformation.everything(loss.inputs)
    assert BayesianConsumer(loss).prior == Prior.uniform(range(3))
    assert MinimaxConsumer(loss).describe() == "the minimax consumer with loss abs and side information {0..2}"
    assert "given by a table" in BayesianConsumer(Loss([[1]])).describe()


@pytest.mark.parametrize(
    ("inputs", "shown"),
    [
        (("b", "a", "c"), "{b, a, c}"),  # b..c would read as without a
        (("2", "0", "1"), "{2, 0, 1}"),
        (("1", "2", "3", "4"), "{1..4}"),
        (("0,0", "0,1", "1,0"), "{0,0; 0,1; 1,0}"),
    ],
)
def test_a_range_is_of_numbers_that_count_up(inputs, shown):
    """What is shown is read back to the same inputs."""
    known = SideInformation.of(inputs, inputs)
    assert str(known) == shown
    assert SideInformation.parse(shown[1:-1].replace("; ", ";").replace(", ", ","), inputs) == known


# --- Two that differ are described apart ---


def cost(x, **name):
    return MinimaxConsumer(Loss([[0, x], [1, 0]], **name))


def of_powers(rate):
    """A loss of which a number is t = e^(−rate)."""
    field = ExponentialField(Rational(rate))
    return MinimaxConsumer(Loss(ExactMatrix([[field.zero, field.gen], [field.one, field.zero]], field)))


def prior(*weights):
    return BayesianConsumer(Loss.zero_one(range(9)), Prior(weights, range(9), name="beliefs"))


LABELS = ["0", "1", "2", "0..2"]
ALIKE = {
    "name of a loss": [cost(1, name="cost"), cost(3, name="cost")],
    "name of a gain": [MinimaxConsumer(Gain([[0, x], [1, 0]], name="hit")) for x in (1, 3)],
    "name of a word": [MinimaxConsumer(Loss.absolute(range(2))), cost(3, name="abs")],
    "numbers of two fields": [of_powers("1/2"), of_powers("1/3")],
    "name of a prior": [prior(*["1/10"] * 8, "2/10"), prior("2/10", *["1/10"] * 8)],
    "set of a label": [MinimaxConsumer(Loss.zero_one(LABELS), possible) for possible in (["0", "1", "2"], ["0..2"])],
}


@pytest.mark.parametrize("case", ALIKE)
def test_two_consumers_that_differ_are_described_apart(case):
    first, second = ALIKE[case]
    assert first.describe() == second.describe()
    one, other, again = told_apart([first, second, first])
    assert one.describe() == again.describe() != other.describe()
    assert (one, other) == (first, second)
    assert [x.loss.measure for x in (one, other)] == [x.loss.measure for x in (first, second)]


@pytest.mark.parametrize("names", ["equal", "other names", "no names"])
def test_other_consumers_are_left_as_they_are(names):
    given = {
        "equal": [cost(1, name="cost"), cost(1, name="cost")],
        "other names": [cost(1, name="cost"), cost(3, name="price")],
        "no names": [cost(1), cost(3)],
    }
    assert [x.describe() for x in told_apart(given[names])] == [x.describe() for x in given[names]]


def test_consumers_without_inputs_are_described_apart():
    words = [MinimaxConsumer("abs", ["a, b"]), MinimaxConsumer("abs", ["a", "b"]), MinimaxConsumer("abs", ["a", "b"])]
    assert len(set(described_apart(words))) == 2
