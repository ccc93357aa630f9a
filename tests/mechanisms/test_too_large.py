# SPDX-License-Identifier: MIT
"""A table that is too large for the question: the message names a command that answers, and it does."""

from __future__ import annotations

import re
import shlex

import pytest
from click.testing import CliRunner

from exactdp import geometric, neighbours, tightest_level
from exactdp.cli import program
from exactdp.exact import Rational

LEVELS = [["--epsilon", "0.5"], ["--alpha", "1/3"], ["--alpha", "symbolic"], ["--epsilon", "ln(3)"]]
QUESTIONS = [["geometric:n=1000000", *level] for level in LEVELS]
QUESTIONS += [["geometric:n=1000000,epsilon=1/2"], ["geometric:n=1000000,alpha=2/3"]]


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_the_command_that_is_named_answers(words):
    refused = CliRunner().invoke(program.main, ["privacy", *words])
    assert refused.exit_code == 4
    [command] = re.findall(r"ask exactdp (.*)", refused.output)
    answered = CliRunner().invoke(program.main, shlex.split(command))
    assert answered.exit_code == 0, answered.output
    small = [words[0].replace("n=1000000", "n=3"), *words[1:]]
    told = CliRunner().invoke(program.main, ["privacy", *small]).output.partition("\n")[0]
    assert answered.output.partition("\n")[0] == told.replace("path:4", "path:2")


@pytest.mark.parametrize("alpha", ["1/10", "1/2", "9/10"])
def test_the_level_of_the_geometric_mechanism_is_the_same_for_every_n(alpha):
    found = [tightest_level(geometric(n, alpha), neighbours(f"path:{n + 1}")) for n in range(1, 9)]
    assert {verdict.evidence.tightest.value for verdict in found} == {Rational(alpha)}


@pytest.mark.parametrize("word", ["exponential", "uniform:n=1000000", "randomized-response:n=1000000"])
def test_nothing_is_promised_of_other_words(word):
    assert "every n" not in CliRunner().invoke(program.main, ["privacy", word, "--alpha", "1/2"]).output
