# SPDX-License-Identifier: MIT
"""Hyper-distributions refuse what they are not: the smallest wrong inputs, and what the errors carry."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import Hyper, Mechanism, Prior, Rational, earth_move, uniform
from exactdp.errors import InexactInputError, InputError, LabelError, NegativeEntryError, NotStochasticError, ShapeError
from exactdp.exact import RationalFunctionField
from exactdp.model.vectors import mixing_weights

HALF = "1/2"
EVEN, SURE = Hyper([[HALF, HALF]], [1]), Hyper([[1, 0], [0, 1]], [HALF, HALF])


@pytest.mark.parametrize(
    ("inners", "outer", "inputs", "kind", "words", "facts"),
    [
        ([], [], None, ShapeError, "at least one inner", {"expected": 1, "got": 0}),
        ([], [], ["a"], ShapeError, "at least one inner", {"got": 0}),
        ([[1]], [], None, ShapeError, "1 inners with 0 weights", {"expected": 1, "got": 0}),
        ([[1]], [HALF, HALF], None, ShapeError, "1 inners with 2 weights", {"got": 2}),
        ([[1, 0]], [1], ["a"], ShapeError, r"inner 0 has 2 entries, and there are 1 inputs \(a\)", {"expected": 1, "got": 2}),
        ([[1], [HALF, HALF]], [HALF, HALF], None, ShapeError, "inner 1 has 2 entries", {"expected": 1, "got": 2}),
        ([[1, 0], [1]], [HALF, HALF], ["a", "b"], ShapeError, "inner 1 has 1 entries", {"got": 1}),
        ([["3/2", "-1/2"]], [1], None, NegativeEntryError, "inner 0 .* -1/2 at 1", {"position": 1, "value": Rational("-1/2")}),
        ([[1], [1]], [HALF, HALF], None, InputError, r"inner \(1\) occurs twice, as 0 and 1", {"inner": (Rational(1),)}),
        ([[HALF, "1/3"]], [1], None, NotStochasticError, r"inner 0 .* sums to 5/6, not 1 \(excess -1/6\)", {}),
        ([[1, 0], [0, 1]], [1, 0], None, NegativeEntryError, "outer .* 0 at inner 1; .*leave out", {"position": 1}),
        ([[1, 0], [0, 1]], ["3/2", "-1/2"], None, NegativeEntryError, "outer .* -1/2 at inner 1", {"value": Rational("-1/2")}),
        ([[1, 0], [0, 1]], [HALF, "1/3"], None, NotStochasticError, "outer .* sums to 5/6", {}),
        ([[1, 0]], [1], ["a", "a"], LabelError, "occurs at places 0 and 1", {"label": "a"}),
        (["10"], [1], None, InputError, "inner 0 .* '10'; give a list", {"value": "10"}),
        ([[1]], "1", None, InputError, "the outer .* '1'; give a list", {"value": "1"}),
        ([[1]], 1, None, InputError, "the outer .* 1; give a list", {"value": 1}),
        ([[0.5, 0.5]], [1], None, InexactInputError, "inner 0 of the hyper-distribution: ", {"value": 0.5}),
    ],
)
def test_wrong_hypers(inners, outer, inputs, kind, words, facts):
    with pytest.raises(kind, match=words) as caught:
        Hyper(inners, outer, inputs)
    assert {name: getattr(caught.value, name) for name in facts} == facts


def test_order_text_and_labels_do_not_matter():
    assert Hyper([["2/4", HALF], [0, 1]], ["1/3", "2/3"]) == Hyper(
        ((Rational(0), Rational(1)), (Rational(1, 2), Rational(1, 2))), (Rational(2, 3), Rational(1, 3)), range(2)
    )
    assert SURE.inners == ((0, 1), (1, 0))
    for twin in (copy.copy(SURE), pickle.loads(pickle.dumps(SURE))):
        assert twin == SURE
        assert hash(twin) == hash(SURE)
    assert Hyper([[1, 0]], [1], ["a", "b"]) != Hyper([[1, 0]], [1], ["a", "c"])


@pytest.mark.parametrize(
    ("hypers", "weights", "kind", "words", "facts"),
    [
        ([], [], ShapeError, "at least one", {"expected": 1, "got": 0}),
        ([EVEN], [], ShapeError, "0 weights for 1 hypers", {"expected": 1, "got": 0}),
        ([EVEN, EVEN], ["1"], ShapeError, "1 weights for 2 hypers", {"got": 1}),
        ([EVEN, EVEN], ["3/2", "-1/2"], NegativeEntryError, "weight 1 of the 2 hypers is -1/2", {"position": 1, "value": Rational("-1/2")}),
        ([EVEN, SURE], [HALF, "1/3"], NotStochasticError, r"sum to 5/6, not 1 \(excess -1/6\)", {}),
        ([EVEN, SURE], HALF, InputError, "give a list", {"value": HALF}),
        ([EVEN, SURE], None, InputError, "give a list", {"value": None}),
        ([EVEN], [0.5], InexactInputError, "0.5", {"value": 0.5}),
        ([EVEN, Hyper([[1, 0, 0]], [1])], [HALF, HALF], LabelError, "hyper-distribution's inputs .*; there are 3 and 2", {}),
        (
            [EVEN, Hyper([[HALF, HALF]], [1], ["a", "b"])],
            [HALF, HALF],
            LabelError,
            "unlabelled, but .* are labelled \\(a, b\\)",
            {"unlabelled": True},
        ),
        ([EVEN, Hyper([[1, 0, 0]], [1])], [1, 0], LabelError, "there are 3 and 2", {}),
        ([EVEN, Prior([1, 0])], [HALF, HALF], InputError, "part 1 .* Hyper.of", {}),
    ],
)
def test_wrong_mixtures(hypers, weights, kind, words, facts):
    with pytest.raises(kind, match=words) as caught:
        Hyper.mixture(hypers, weights)
    assert {name: getattr(caught.value, name) for name in facts} == facts


def test_mixtures_by_hand():
    mixed = Hyper.mixture([SURE, EVEN], ["1/3", "2/3"])
    assert list(map(str, mixed.outer)) == ["1/6", "2/3", "1/6"]
    assert Hyper.mixture([SURE, EVEN], (1, 0)) == SURE
    assert Hyper.mixture((EVEN, EVEN), [HALF, HALF]) == EVEN
    assert Hyper.mixture(iter([SURE]), iter([1])) == SURE


counts = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)
channels = st.lists(counts, min_size=2, max_size=2).map(lambda rows: Mechanism([[Rational(x, sum(row)) for x in row] for row in rows]))


@given(channels, channels, st.integers(0, 5), st.integers(1, 4))
@settings(max_examples=40)
def test_a_mixture_is_the_hyper_of_the_external_choice(A, B, k, p):
    prior, weights = Prior([Rational(p, 5), Rational(5 - p, 5)]), [f"{k}/5", f"{5 - k}/5"]
    mixed = Hyper.mixture([Hyper.of(A, prior), Hyper.of(B, prior)], weights)
    assert mixed == Hyper.of(Mechanism.external_choice([A, B], weights), prior)
    assert mixed.prior() == prior


def test_external_choice_checks_its_weights_too():
    coin = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    with pytest.raises(NegativeEntryError, match="weight 1 of the 2 channels"):
        Mechanism.external_choice([coin, coin], [2, -1])
    with pytest.raises(InputError, match="give a list"):
        Mechanism.external_choice([coin, coin], HALF)
    with pytest.raises(ShapeError, match="at least one channel"):
        Mechanism.external_choice([], [])
    with pytest.raises(LabelError, match="the target's inputs"):
        earth_move(coin, uniform(range(3)))


def test_symbolic_hypers():
    a = RationalFunctionField().gen
    coin = Mechanism([[1 / (1 + a), a / (1 + a)], [a / (1 + a), 1 / (1 + a)]])
    hyper = Hyper.of(coin, Prior.uniform(range(2)))
    assert set(hyper.outer) == {Rational(1, 2)}
    assert Hyper(reversed(hyper.inners), reversed(hyper.outer)) == hyper
    mixed = Hyper.mixture([hyper, EVEN], [a, 1 - a])
    assert mixed.prior() == Prior.uniform(range(2))
    assert mixing_weights([a, 1 - a], 2, what="hypers") == (a, 1 - a)
