# SPDX-License-Identifier: MIT
"""The loss of noise that is too large for a table: its value first, and undecided whether it is the least."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import exp

import pytest
from click.testing import CliRunner

import exactdp as xdp
from exactdp.analysis.laws import Asked, loss_by_law
from exactdp.cli import program
from exactdp.search.path.count_losses import FORMULAS, count_losses

LOSSES = {"abs": lambda k: k, "squared": lambda k: k * k, "zero-one": lambda k: int(k > 0)}
WORD = "geometric:n=1000000,epsilon=0.5"


def run(*words: str):
    """The command, with its exit code and output."""
    return CliRunner().invoke(program.main, list(words))


def value_of(formula: str, **names: Fraction | int) -> Fraction:
    """A formula as it is told, with numbers for its letters."""
    text = formula.replace("−", "-").replace("²", "^2").replace("α", "a")
    text = re.sub(r"(?<=[a-z0-9)])(?=\()", "*", text)
    text = re.sub(r"(?<=[0-9)])(?=[a-z])", "*", text).replace("^", "**")
    return eval(text, {}, names)


def loss_at(loss: str, n: int, a: Fraction, i: int) -> Fraction:
    """The loss at an input, by the formula that is told."""
    if loss == "abs":
        return value_of(FORMULAS["abs"], a=a, n=n, i=i)
    if loss == "zero-one":
        inside, ends = re.fullmatch(r"(.*) for 0 < i < n, (.*) for i = 0 and i = n", FORMULAS[loss]).groups()
        return value_of(inside if 0 < i < n else ends, a=a)
    steps = FORMULAS[loss].partition("D(m) = ")[2]
    return sum(value_of(steps, a=a, m=m) for m in (i, n - i)) / (1 + a)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(2, 7), Fraction(9, 10)])
@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_the_formula_is_the_loss_at_every_input(loss, alpha, n):
    """By the sum over the results, moved to the nearest count, of a table."""
    rows = xdp.geometric(n, str(alpha)).matrix.rows()
    for i, row in enumerate(rows):
        summed = sum(LOSSES[loss](abs(i - r)) * Fraction(str(x)) for r, x in enumerate(row))
        assert loss_at(loss, n, alpha, i) == summed
    found = count_losses(n, xdp.Rational(str(alpha)), loss)
    if found.worst is not None:
        low, high = (Fraction(str(end)) for end in found.worst)
        assert low <= max(loss_at(loss, n, alpha, i) for i in range(n + 1)) <= high


QUESTIONS = {
    "optimal": lambda c: xdp.is_optimal(WORD, "path", None, c, epsilon="0.5"),
    "optimal --after-remap": lambda c: xdp.is_optimal_after_remap(WORD, "path", None, c, epsilon="0.5"),
    "remap": lambda c: xdp.best_remap(WORD, c),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("prior", [None, "uniform"])
def test_the_value_is_in_the_first_line(question, loss, prior):
    """In both languages, with the exit code of undecided; E|noise| far from the ends is 2t/(1 − t²)."""
    consumer = xdp.MinimaxConsumer(loss) if prior is None else xdp.BayesianConsumer(loss, prior)
    found = QUESTIONS[question](consumer)
    assert found.decision.value == "undecided"
    t = exp(-0.5)
    far = {"abs": 2 * t / (1 - t * t), "squared": 2 * t / (1 - t) ** 2, "zero-one": 2 * t / (1 + t)}[loss]
    low, high = found.evidence.bounds
    assert abs(float(low) - far) < 1e-4 * far
    assert 0 <= high - low < xdp.Rational(1, 10**30)
    command, *options = question.split()
    words = [command, WORD, *options, "--loss", loss, *([] if prior is None else ["--prior", prior])]
    words += ["--epsilon", "0.5"] if command == "optimal" else []
    told = run(*words)
    assert told.exit_code == 4, told.output
    first = told.output.partition("\n")[0]
    assert re.match(r"UNDECIDED  loss ≈ [0-9.]{8,} (at worst|on average) by its law; ", first), first
    assert len(first) <= 100
    assert "no certificate" in told.output
    answer = json.loads(run(*words, "--json").output)
    ends = answer["losses"]["worst" if prior is None else "mean"]
    assert [xdp.Rational(ends[key]) for key in ("lower", "upper")] == [low, high]


def test_what_is_not_private_at_the_level_is_refuted():
    found = xdp.is_optimal(WORD, "path", None, xdp.MinimaxConsumer("abs"), epsilon="1/4")
    assert found.refuted
    assert "not" in found.claim
    assert run("optimal", WORD, "--epsilon", "1/4", "--loss", "abs").exit_code == 1


def test_the_least_is_told_at_the_level_of_the_noise_only():
    """A mechanism that need not be as private may have less."""
    consumer = xdp.BayesianConsumer("abs")
    assert ", the least" in str(xdp.is_optimal(WORD, "path", None, consumer, epsilon="0.5"))
    weaker = str(xdp.is_optimal(WORD, "path", None, consumer, epsilon=1))
    assert "the least\n" not in weaker
    assert "whether less is possible isn't decided" in weaker


NOT_ANSWERED = [
    ("geometric:n=3,epsilon=0.5", xdp.MinimaxConsumer("abs"), None, None),
    (WORD, xdp.MinimaxConsumer("distance"), None, None),
    (WORD, xdp.MinimaxConsumer("abs", "0..3"), None, None),
    (WORD, xdp.BayesianConsumer("abs", ["1"]), None, None),
    (WORD, xdp.MinimaxConsumer("abs"), "cycle:5", "1/2"),
    ("lumped-geometric:n=1000000,epsilon=0.5", xdp.MinimaxConsumer("abs"), None, None),
    ("diffprivlib-geometric-truncated:n=1000000,epsilon=1,sensitivity=2", xdp.MinimaxConsumer("abs"), None, None),
    ("randomized-response:n=1000000,epsilon=0.5", xdp.MinimaxConsumer("abs"), None, None),
    ("geometric:n=1000000,alpha=a", xdp.MinimaxConsumer("abs"), None, None),
    (xdp.geometric(3, "1/2"), xdp.MinimaxConsumer("abs"), None, None),
]


@pytest.mark.parametrize("case", NOT_ANSWERED, ids=str)
def test_other_questions_are_not_answered_by_a_law(case):
    mechanism, consumer, near, level = case
    assert loss_by_law(Asked.BEST_REMAP, mechanism, consumer, near, level) is None


def test_it_has_no_certificate():
    with pytest.raises(xdp.errors.CertificateError):
        xdp.certify(xdp.best_remap(WORD, xdp.MinimaxConsumer("abs")))
