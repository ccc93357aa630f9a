# SPDX-License-Identifier: MIT
"""derive and refine: the mechanism asked about comes first, in both languages; what is unclear is refused."""

from __future__ import annotations

import re

import pytest
from cli_runner import run

import exactdp as xdp

STRONG, WEAK = "geometric:n=2,alpha=1/2", "geometric:n=2,alpha=1/4"
"""STRONG is made from WEAK, not the other way round."""


def is_yes(command: str) -> bool:
    """Whether a command's answer is proved."""
    code = run(command).code
    assert code in {0, 1}
    return code == 0


@pytest.mark.parametrize(("a", "b", "derivable"), [(STRONG, WEAK, True), (WEAK, STRONG, False)])
def test_the_mechanism_asked_about_comes_first(a, b, derivable):
    """Four ways to ask whether a can be derived from b."""
    assert is_yes(f"derive {a} --source {b}") is derivable
    assert is_yes(f"refine {b} {a}") is derivable
    assert bool(xdp.is_derivable(a, source=b)) is derivable
    assert bool(xdp.is_refined_by(b, a)) is derivable
    assert bool(xdp.is_refined_by(b, target=a)) is derivable


@pytest.mark.parametrize("function", [xdp.is_derivable, xdp.is_refined_by])
def test_the_order_is_said(function):
    assert " comes first, as in this sentence" in re.sub(r"\s+", " ", function.__doc__)
    for command in ("derive", "refine"):
        told = re.sub(r"\s+", " ", run(f"{command} --help").out)
        assert "A comes first, as in this sentence; in Python is_" in told
    assert "[OPTIONS] A --source B" in run("derive --help").out


def test_two_mechanisms_without_the_name_of_the_source_are_refused():
    """Which of the two is made from the other is not guessed."""
    found = run(f"derive {STRONG} {WEAK}")
    assert found.code == 2
    assert "A --source B" in found.err
    with pytest.raises(TypeError, match=r"is_derivable\(A, source=B\) asks whether A can be made from B"):
        xdp.is_derivable(STRONG, WEAK)


@pytest.mark.parametrize("option", ["--neighbours", "--neighbors"])
def test_the_argument_of_python_is_answered_with_the_option(option):
    found = run(f"privacy {STRONG} {option} path")
    assert found.code == 2
    assert "neighbours are told by --graph, as in --graph path" in found.err
    assert "--graph" not in run(f"derive {STRONG} {option} path").err  # which has no neighbours


@pytest.mark.parametrize(
    "word", ["randomised-response:n=2,keep=1/2", "randomized-response:k=3,keep=1/2", "randomised-response:k=3,keep=1/2"]
)
def test_words_have_both_spellings_and_both_counts(word):
    assert run(f"show {word}").out.partition("\n")[2] == run("show randomized-response:n=2,keep=1/2").out.partition("\n")[2]
