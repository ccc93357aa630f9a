# SPDX-License-Identifier: MIT
"""A table that is too large for the question: the message names a command that answers, and it does."""

from __future__ import annotations

import re
import shlex

import pytest
from click.testing import CliRunner

from exactdp import geometric, mechanism_from_spec, neighbours, tightest_level
from exactdp.cli import program
from exactdp.errors import ResourceLimitError
from exactdp.exact import Rational
from exactdp.mechanisms import GeometricNoise, lumped, words
from exactdp.mechanisms.laws import law_named, law_of_word
from exactdp.mechanisms.words import GEOMETRIC_NOISE

LEVELS = [["--epsilon", "0.5"], ["--alpha", "1/3"], ["--alpha", "symbolic"], ["--epsilon", "ln(3)"]]
QUESTIONS = [["geometric:n=1000000", *level] for level in LEVELS]
QUESTIONS += [["geometric:n=1000000,epsilon=1/2"], ["geometric:n=1000000,alpha=2/3"]]
QUESTIONS += [
    ["lumped-geometric:n=1000000", "--epsilon", "1/2"],
    ["opendp-laplace:scale=2,n=1000000"],
    ["google-geometric:n=1000000,epsilon=1"],
]
QUESTIONS += [["diffprivlib-geometric:n=1000000,sensitivity=1,epsilon=ln(3)"], ["tumult-geometric:n=1000000,t=1/3"]]
QUESTIONS += [["opendp-geometric:scale=1,lower=0,upper=1000000"], ["diffprivlib-geometric-truncated:lower=0,upper=1000000,epsilon=1/3"]]


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_the_command_that_is_named_answers(words):
    refused = CliRunner().invoke(program.main, ["privacy", *words, "--local"])
    assert refused.exit_code == 4
    [command] = re.findall(r"ask exactdp (.*)", refused.output)
    assert shlex.split(command)[1] == words[0]
    answered = CliRunner().invoke(program.main, shlex.split(command))
    assert answered.exit_code == 0, answered.output
    small = [words[0].replace("=1000000", "=3"), *words[1:]]
    told = CliRunner().invoke(program.main, ["privacy", *small]).output.partition("\n")[0]
    said = answered.output.partition("\n")[0]
    assert said == told or words[-1] == "symbolic"


def test_of_a_long_word_a_small_one_is_named():
    word = f"opendp-geometric:lower=-{10**40},upper={10**40},epsilon=1/2"
    refused = CliRunner().invoke(program.main, ["privacy", word, "--local"])
    [command] = re.findall(r"ask exactdp (.*)", refused.output)
    assert shlex.split(command) == ["privacy", "opendp-geometric:lower=0,upper=1,epsilon=1/2"]


@pytest.mark.parametrize("alpha", ["1/10", "1/2", "9/10"])
def test_the_level_of_the_geometric_mechanism_is_the_same_for_every_n(alpha):
    found = [tightest_level(geometric(n, alpha), neighbours(f"path:{n + 1}")) for n in range(1, 9)]
    assert {verdict.evidence.tightest.value for verdict in found} == {Rational(alpha)}


def test_the_table_that_is_named_has_the_same_level_as_larger_ones():
    """For every family of geometric noise: at two inputs as at three to six."""
    for family, smallest in GEOMETRIC_NOISE.items():
        words = [f"{family}:{smallest.replace('=1', f'={n}')},alpha=1/3" for n in range(1, 6)]
        found = [tightest_level(mechanism_from_spec(word), f"path:{n + 2}") for n, word in enumerate(words)]
        assert {verdict.evidence.tightest.value for verdict in found} == {Rational("1/3")}, family


@pytest.mark.parametrize("word", ["exponential:epsilon=1,n=1000", "diffprivlib-exponential:epsilon=1,n=1000"])
def test_no_score_is_made_of_a_mechanism_that_is_too_large(word, monkeypatch):
    def made(*_):
        raise AssertionError("a table of scores was made")

    monkeypatch.setattr(words, "Scores", made)
    with pytest.raises(ResourceLimitError, match="the table of an exponential mechanism takes about"):
        mechanism_from_spec(word)


OTHERS = ["exponential:n=1000000", "uniform:n=1000000", "randomized-response:n=1000000", "diffprivlib-geometric:n=1000000,sensitivity=2"]


@pytest.mark.parametrize("word", OTHERS)
def test_nothing_is_promised_of_other_words(word):
    assert "every size" not in CliRunner().invoke(program.main, ["privacy", word, "--alpha", "1/2"]).output


def test_nothing_is_promised_without_a_level():
    """A claim is no level of the mechanism: the command that would be named has no answer."""
    told = CliRunner().invoke(program.main, ["audit", "geometric:n=1000000", "--claims-epsilon", "1/2"])
    assert told.exit_code in {2, 3, 4}
    assert "ask exactdp" not in told.output


LOSSES = {"abs": abs, "squared": lambda k: k * k, "zero-one": lambda k: int(k != 0)}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("command", ["optimal", "remap"])
def test_how_good_a_count_of_a_million_rows_is(command, loss):
    """At t = 1/3 nothing beyond sixty steps is seen in ten figures."""
    told = CliRunner().invoke(program.main, [command, "geometric:n=1000000,alpha=1/3", "--loss", loss])
    assert told.exit_code == 4
    assert "numbers; the limit is" in told.output
    row = geometric(120, "1/3").matrix.row(60)
    worst = sum(LOSSES[loss](r - 60) * float(x) for r, x in enumerate(row))
    figures = r"≈ ([\d.]+)"
    said = rf"loss {loss} {figures} at worst, {figures} on average \(uniform prior\); least average .* {figures}, by"
    found = re.search(said, told.output)
    assert found is not None, told.output
    at_worst, mean, least = map(float, found.groups())
    assert at_worst == pytest.approx(worst, rel=1e-9)
    assert least <= mean < at_worst
    assert at_worst - least < 1e-4


NOT_SAID = [["geometric:n=1000000,alpha=1/2", "--loss", "distance"], ["opendp-laplace:scale=1,n=1000000", "--loss", "abs"]]


@pytest.mark.parametrize("words", NOT_SAID)
def test_of_other_losses_and_tables_nothing_is_said(words):
    told = CliRunner().invoke(program.main, ["remap", *words]).output
    assert "at worst" not in told
    assert "for every size" in told


@pytest.mark.parametrize("words", [["geometric:n=1000000,alpha=a", "a = 1/3"], ["geometric:n=m,alpha=1/3", "m = 1000000"]])
def test_losses_of_a_word_whose_letters_are_numbers(words):
    word, letters = words
    asked = ["optimal", word, "--loss", "abs", "--letters", letters]
    told = CliRunner().invoke(program.main, asked).output
    assert told.startswith("UNDECIDED  loss ≈ 0.75 at worst by its law")
    region = ["optimal", "geometric:n=1000000,alpha=p", "--loss", "abs", "--letters", "0 < p < 1/2"]
    assert "by its law" not in CliRunner().invoke(program.main, region).output


@pytest.mark.parametrize(
    "word",
    [
        "geometric:n=3,alpha=1/2",
        "lumped-geometric:n=3,epsilon=1/2",
        "opendp-geometric:scale=1,lower=0,upper=3",
        "opendp-laplace:n=3,scale=1",
        "tumult-geometric:n=3,epsilon=1",
        "diffprivlib-geometric:n=3,epsilon=1,sensitivity=1",
        "diffprivlib-geometric-truncated:lower=0,upper=3,epsilon=1",
        "google-geometric:n=3,epsilon=1,sensitivity=1",
        "flat:n=3,alpha=1/2",
        "randomized-response:n=3,epsilon=1",
        "rappor-permanent:bits=3,f=1/2",
        "unary-encoding:bits=3,epsilon=1",
    ],
)
def test_a_law_knows_how_many_numbers_its_table_has(word):
    rows, columns = mechanism_from_spec(word).matrix.shape
    assert law_named(word).numbers == rows * columns


def test_noise_that_is_lumped_has_a_row_for_each_count():
    """2,235 counts and two outputs more are 4,999,695 numbers: fewer than five million."""
    assert law_of_word("opendp-laplace:n=2234,scale=1") is None
    assert lumped(GeometricNoise("1/2"), range(2235)).matrix.shape == (2235, 2237)
    with pytest.raises(ResourceLimitError, match="has 5,004,168 numbers; the limit is 5,000,000"):
        lumped(GeometricNoise("1/2"), range(2236))
