# SPDX-License-Identifier: MIT
"""For what an answer holds: the sentence, and its parts for programs."""

from __future__ import annotations

import pickle

import pytest

from exactdp import (
    BayesianConsumer,
    Interval,
    Loss,
    Mechanism,
    MinimaxConsumer,
    PrivacyLevel,
    RationalFunctionField,
    Scope,
    best_remap,
    determinant,
    geometric,
    is_best_remap,
    is_optimal,
    is_optimal_by_level,
    is_private,
    is_remap_unique,
    kernel_counts,
    leakage,
    leakage_bound,
    neighbours,
    optimum_by_level,
    stochastic_levels,
    tight_levels,
    tightest_level,
    utility_bound,
)
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.errors import UndecidedSignError
from exactdp.report.registry import verdict_json

PATH = neighbours("path:2")
LEVEL = PrivacyLevel.symbolic(("1/2", 1))


@pytest.mark.parametrize(
    ("verdict", "text", "letter", "interval"),
    [
        (is_private(geometric(1, "1/2"), PATH, "1/2"), "this instance", "", None),
        (is_private(geometric(1, LEVEL.alpha), PATH, LEVEL), "every a in (1/2, 1)", "a", Interval("1/2", 1)),
        (optimum_by_level(PATH, MinimaxConsumer(Loss.zero_one(PATH.vertices))), "all levels a in (0, 1)", "a", Interval(0, 1)),
        (tight_levels(PATH), "every level a in (0, 1)", "a", Interval(0, 1)),
        (kernel_counts(PATH), "every level in (0, 1)", "", Interval(0, 1)),
        (determinant(geometric(1, LEVEL.alpha).matrix, level="3/4"), "α = 3/4", "", None),
    ],
)
def test_a_scope_says_for_what_an_answer_holds(verdict, text, letter, interval):
    scope = verdict.scope
    assert (str(scope), scope.letter, scope.interval) == (text, letter, interval)
    assert verdict_json(verdict)["scope"] == text
    assert pickle.loads(pickle.dumps(scope)) == scope
    assert hash(scope) == hash(pickle.loads(pickle.dumps(scope)))
    assert (scope == Scope()) == (text == "this instance")
    assert scope != text  # an object, not a text


def test_meanings_of_letters():
    level = PrivacyLevel.from_epsilon("1/10")
    scope = is_private(geometric(1, level.alpha), PATH, level).scope
    assert scope.meanings == (("t", "e^(−1/10)"),)
    assert scope.words == "this instance"
    assert str(scope) == "this instance, t = e^(−1/10)"


def test_letters_are_explained_in_str_and_repr():
    line = neighbours("path:3")
    verdict = is_optimal(geometric(2, epsilon="1/2"), line, PrivacyLevel(epsilon="1/2"), MinimaxConsumer(Loss.absolute(line.vertices)))
    assert "t^2" in verdict.claim
    assert verdict.sentence.endswith("(t = e^(−1/2))")
    assert "t = e^(−1/2)" in str(verdict)
    by_letter = Verdict(Decision.PROVED, "the value is 2*t", None, scope_of(PrivacyLevel(epsilon="1/2")))
    assert repr(by_letter) == "<Verdict PROVED: the value is 2*t · t = e^(−1/2)>"
    assert repr(Verdict(Decision.PROVED, "the truth", None, by_letter.scope)) == "<Verdict PROVED: the truth>"


HALF = ("1/2", 1)
LETTER = RationalFunctionField(Interval(*HALF)).gen


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (is_private(geometric(1, LETTER), PATH, LEVEL), "is (α = a)-private on path:2; its tightest level is α = a (a in (1/2, 1))"),
        (stochastic_levels(geometric(1, LETTER)), "is row-stochastic at every level in (1/2, 1)"),
        (stochastic_levels([[LETTER, 1 - LETTER], [2 * LETTER, 1 - 2 * LETTER]]), "is row-stochastic at no level in (1/2, 1)"),
        (
            stochastic_levels([[LETTER, 1 - LETTER], [3 * LETTER - 2, 3 - 3 * LETTER]]),
            "is row-stochastic exactly for a in [2/3, 1), of the levels in (1/2, 1)",
        ),
        (
            is_optimal_by_level(geometric(1, LETTER), PATH, MinimaxConsumer("zero-one"), HALF),
            "is optimal on path:2 for the minimax consumer with loss zero-one and side information {0, 1} at every level in (1/2, 1)",
        ),
        (stochastic_levels(geometric(1, RationalFunctionField().gen)), "is row-stochastic at every level"),
    ],
)
def test_a_printed_sentence_says_which_levels_it_is_about(verdict, words):
    """Unless they are all of (0, 1): what holds on (1/2, 1) alone is not printed as true at every level."""
    assert verdict.sentence.endswith(words)
    assert ("(1/2, 1)" in str(verdict)) is ("(1/2, 1)" in words)


def test_sentences_name_whom_the_answer_is_for():
    """The same mechanism leaks 1 and 4/3, and its best remap costs 0 and 1/3: the prior tells them apart."""
    mechanism = geometric(1, "1/2")
    sure, even = BayesianConsumer("zero-one", ["1", "0"]), BayesianConsumer("zero-one")
    assert leakage(mechanism, ["1", "0"]).claim.endswith("leakage for the prior (0: 1, 1: 0) is 1")
    assert leakage(mechanism, "uniform").claim.endswith("leakage for the prior uniform on 2 inputs is 4/3")
    assert utility_bound("path:2", "1/2", "uniform").claim.endswith("a utility above 2/3 for the prior uniform on 2 inputs")
    assert leakage_bound("path:2", "1/2", "uniform").claim.endswith("than the factor 4/3 for the prior uniform on 2 inputs")
    for who, least in ((sure, "0"), (even, "1/3")):
        told = who.on(PATH).describe()
        assert best_remap(mechanism, who).claim.startswith(f"The least loss of a remap of the mechanism for {told} is {least},")
        assert is_best_remap(mechanism, who, [[1, 0], [1, 0]]).claim.startswith(
            f"The remap is {'' if who is sure else 'not '}optimal for {told}: "
        )
        assert is_remap_unique(mechanism, who).claim == f"The best remap for {told} is unique; its loss is {least}"


def test_levels_without_privacy_are_told_as_one_set():
    a = RationalFunctionField().gen
    square = (1 - 2 * a) ** 2
    mechanism = [[1 / (1 + square), square / (1 + square)], [1, 0]]
    verdict = is_optimal_by_level(mechanism, PATH, MinimaxConsumer("zero-one"))
    assert "it is not private at level α = a on (0, 1/2) ∪ (1/2, 1); the gap is" in verdict.claim


def test_a_decision_is_as_true_as_its_verdict():
    """``if verdict.decision:`` went on after a refutation, as any member of an Enum does."""
    assert Decision.PROVED
    assert not Decision.REFUTED
    with pytest.raises(UndecidedSignError, match="no truth value"):
        bool(Decision.UNDECIDED)


@pytest.mark.parametrize("decision", list(Decision))
def test_a_decision_is_equal_to_its_value(decision):
    assert decision == decision.value
    assert decision.value == decision
    assert hash(decision) == hash(decision.value)
    assert {decision.value: "found"}[decision] == "found"
    assert decision in ("proved", "refuted", "replayed", "undecided")
    assert decision != decision.value.upper()
    assert [other for other in Decision if other == decision] == [decision]
    assert [text for text in ("proved", "refuted", "replayed", "undecided", "", "Proved") if decision == text] == [decision.value]
    assert decision is Decision(decision.value) is pickle.loads(pickle.dumps(decision))
    assert not isinstance(decision, str)
    assert decision != 1


def test_how_a_table_was_read_does_not_decide_whether_two_answers_are_equal(tmp_path):
    (tmp_path / "noted.csv").write_text("a;b\n1/2;1/2\n1/4;3/4\n")
    noted = tightest_level(tmp_path / "noted.csv", "path")
    plain = tightest_level(Mechanism([["1/2", "1/2"], ["1/4", "3/4"]], outputs=["a", "b"]), "path")
    assert noted.assumed
    assert not plain.assumed
    assert noted == plain
    assert hash(noted) == hash(plain)
    assert noted != tightest_level([["1/2", "1/2"], ["1/3", "2/3"]], "path")
