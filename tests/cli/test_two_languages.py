# SPDX-License-Identifier: MIT
"""The same texts are given to Python and to the command line: they have one answer."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest
from click.testing import CliRunner

from exactdp import (
    MinimaxConsumer,
    certify,
    geometric,
    is_optimal,
    is_private,
    least_delta,
    randomized_response,
    tightest_level,
    verify,
)
from exactdp.analysis.types.vertices import MOST_VERTICES, _watching
from exactdp.cli import main
from exactdp.errors import ExactDPError, ResourceLimitError, UndecidedSignError

WORDS = ["geometric:n=2,alpha=a", "randomized-response:n=2,alpha=a", "lumped-geometric:n=2,alpha=a"]
LEVELS = ["1/3", "symbolic", "epsilon=1", "epsilon=ln(3) ≈ 1.098612", "a"]
CODES = {"proved": 0, "refuted": 1}


def python(ask):
    """The exit code that the command line has for an answer of Python."""
    try:
        return CODES[ask().decision.value]
    except UndecidedSignError:
        return 4
    except ExactDPError:
        return 3


def command(*words):
    return CliRunner().invoke(main, [*words]).exit_code


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("word", WORDS)
def test_privacy_and_optimality_at_a_level(word, level):
    at = ["--alpha", level] if "=" not in level else ["--epsilon", level.partition("=")[2]]
    graph = ["--graph", "path"]
    assert python(lambda: is_private(word, "path", level)) == command("privacy", word, *graph, *at)
    consumer = MinimaxConsumer("abs")
    assert python(lambda: is_optimal(word, "path", level, consumer)) == command("optimal", word, *graph, *at, "--loss", "abs")


@pytest.mark.parametrize("word", WORDS)
def test_without_a_level(word):
    assert python(lambda: tightest_level(word, "path")) == command("privacy", word, "--graph", "path")
    assert python(lambda: least_delta(word, "path", "1/3")) == command("delta", word, "--graph", "path", "--alpha", "1/3")


def test_a_word_in_a_letter_at_a_number_is_refuted_at_a_point():
    verdict = is_private("geometric:n=2,alpha=a", "path", "1/3")
    assert verdict.refuted
    assert "a = 1/4" in str(verdict)


@pytest.mark.parametrize("mechanism", [geometric(2, "a"), randomized_response(2, alpha="a")], ids=["geometric", "response"])
@pytest.mark.parametrize("level", ["1/3", "epsilon=1"])
@pytest.mark.parametrize("limit", [None, 60])
def test_an_object_in_a_letter_at_a_number_is_answered_as_its_word_is(mechanism, level, limit):
    verdict = is_private(mechanism, "path", level, time_limit=limit)
    assert verdict.refuted
    value = Fraction(str(verdict).split("for a = ")[1].split()[0])
    assert value < (Fraction(1, 3) if level == "1/3" else exp(-1))
    assert verify(certify(verdict)).accepted


def test_another_question_about_such_an_object_still_asks_for_pieces():
    for asked in (geometric(2, "a"), "geometric:n=2,alpha=a"):
        with pytest.raises(UndecidedSignError, match="ask on the pieces"):
            is_optimal(asked, "path", "1/3", MinimaxConsumer("abs"))


def test_a_type_with_too_many_vertices_is_told_a_size_that_is_answered():
    with pytest.raises(ResourceLimitError, match="ask about fewer, such as path:6"):
        _watching(1000, None)(18, MOST_VERTICES + 1)
    assert command("type", "path:6", "--alpha", "1/2", "--vertices") == 0
