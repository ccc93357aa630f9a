# SPDX-License-Identifier: MIT
"""For what an answer holds: the sentence, and its parts for programs."""

from __future__ import annotations

import pickle

import pytest

from exactdp import (
    Interval,
    Loss,
    MinimaxConsumer,
    PrivacyLevel,
    Scope,
    determinant,
    geometric,
    is_optimal,
    is_private,
    kernel_counts,
    neighbours,
    optimum_by_level,
    tight_levels,
)
from exactdp.analysis.verdict import Decision, Verdict, scope_of
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
    assert str(verdict).endswith("(t = e^(−1/2))")
    by_letter = Verdict(Decision.PROVED, "the value is 2*t", None, scope_of(PrivacyLevel(epsilon="1/2")))
    assert repr(by_letter) == "<Verdict PROVED: the value is 2*t · t = e^(−1/2)>"
    assert repr(Verdict(Decision.PROVED, "the truth", None, by_letter.scope)) == "<Verdict PROVED: the truth>"
