# SPDX-License-Identifier: MIT
"""Levels are told as they were given, ε or α first; long formulas by their shape, and written out below."""

import re

import pytest

import exactdp as xdp
from exactdp.errors import ResourceLimitError
from exactdp.exact import ExponentialField
from exactdp.report.headline import LONGEST, headline, number, shape_of
from exactdp.report.html import html_of
from exactdp.report.registry import headline_of, verdict_json
from exactdp.report.text import folded, verdict_text
from exactdp.runtime.budget import Budget

WORDS = ["geometric:n=2", "randomized-response:n=2", "lumped-geometric:n=2", "staircase:n=2,sensitivity=1,step=1"]
FIRST = {True: r"\bε (= ln\(4\)|≈ [0-9.]+).*\(α = ", False: r"\bα = [0-9/]+ \(ε"}


def asked(word):
    """Answers whose level nobody asked about."""
    yield xdp.tightest_level(word, "path")
    yield xdp.level_for_delta(word, "path", "1/1000")
    yield xdp.sequential_level([word, word], "path")
    yield xdp.parallel_level([(word, "path")])
    yield xdp.audit(word, "path")


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("by_epsilon", [True, False])
def test_a_level_is_told_first_as_the_mechanism_has_it(word, by_epsilon):
    for answer in asked(f"{word},{'epsilon=ln 4' if by_epsilon else 'alpha=1/4'}"):
        told = headline_of(answer).text
        first = re.search(r"[εα] [=≈]", told.partition("δ = 1/1000")[2] or told)
        assert first, told
        assert first[0].startswith("ε" if by_epsilon else "α"), told
        assert told in verdict_text(answer).splitlines()[0]
        assert verdict_json(answer)["headline"]["text"] == told
        assert told in repr(answer)
        assert ("ε" if by_epsilon else "α") + " " in html_of(answer)


def test_a_mechanism_made_with_epsilon_is_told_by_it():
    scores = xdp.Scores([[0, 1], [1, 0]])
    for mechanism in (
        xdp.geometric(2, epsilon="ln 4"),
        xdp.randomized_response(3, epsilon="ln 4"),
        xdp.lumped_geometric(2, epsilon="ln 4"),
        xdp.exponential_mechanism(scores, epsilon="ln 4"),
        xdp.geometric(2, xdp.Epsilon("ln 4")),
    ):
        near = f"path:{mechanism.n_inputs}"
        for same in (mechanism, mechanism.as_table().as_mechanism(), mechanism.relabelled(range(mechanism.n_inputs))):
            assert same.by_epsilon
            assert same == mechanism
            assert " ε = " in headline_of(xdp.tightest_level(same, near)).text.partition("(")[0]
        assert " is ε = " in xdp.tightest_level(mechanism, near).claim
    assert " α = " in headline_of(xdp.tightest_level(xdp.geometric(2, "1/4"), "path")).text.partition("(")[0]


def test_the_level_that_is_asked_about_decides_what_is_first():
    assert headline_of(xdp.is_private("geometric:n=2,epsilon=ln 4", "path", "1/8")).text.startswith("tightest level α = 1/4")
    assert headline_of(xdp.is_private("geometric:n=2,alpha=1/4", "path", epsilon=3)).text.startswith("smallest ε = ln(4)")


@pytest.mark.parametrize(
    ("level", "told"),
    [("1/2*t", "ln(2) + 1/4"), ("2/3*t^4", "ln(3/2) + 1"), ("5/4*t", "1/4 − ln(5/4)"), ("t^2", "1/2"), ("t/(1 + t)", "−ln(t/(t + 1))")],
)
def test_the_epsilon_of_a_product_is_a_sum(level, told):
    t = ExponentialField("1/4").gen
    values = {"1/2*t": t / 2, "2/3*t^4": 2 * t**4 / 3, "5/4*t": 5 * t / 4, "t^2": t**2, "t/(1 + t)": t / (1 + t)}
    assert str(xdp.Epsilon.of_level(values[level])) == told


# ── Formulas ──
@pytest.mark.parametrize(
    ("formula", "shape"),
    [
        ("(9*a^5 + 7*a^4 + a)/(a + 1)", "a quotient of degrees 5/1 in a"),
        ("p^2*q - 3/4*p", "a polynomial of degree 3 in p, q"),
        ("(p - 1)/3", "a polynomial of degree 1 in p"),
        ("1/(q^2 + 1)", "a quotient of degrees 0/2 in q"),
        ("(p/(1 - p))^(1/2)", "a formula in p of 17 characters"),
    ],
)
def test_shapes(formula, shape):
    assert shape_of(formula) == shape


def test_a_long_formula_is_written_out_below_and_broken_before_signs():
    answer = xdp.optimum_by_level("path:6", xdp.MinimaxConsumer("squared"))
    told = headline_of(answer)
    first = str(answer.evidence.values[0][1])
    assert told.text == "least loss: 6 formulas in a; the first is a quotient of degrees 5/6 in a"
    assert told.formula == first
    assert first in " ".join(str(answer).split())
    for width in (50, 60, 80):
        lines = folded(first, width, 4).split("\n")
        assert len(lines) > 1
        assert all(len(line) <= width for line in lines)
        assert all(line.lstrip()[0] in "+-" for line in lines[1:])
        assert " ".join(line.strip() for line in lines) == first
    short = headline("least loss", number("1/(1 + a)"))
    assert not short.formula
    assert len(told.text) <= LONGEST


# ── What is too large ──
def test_a_refusal_of_size_names_what_fits():
    with pytest.raises(ResourceLimitError, match=r"at most 2,236 inputs fit, such as path:500; best_remap"):
        xdp.optimum("path:100000", "1/2", xdp.MinimaxConsumer("abs"))
    with pytest.raises(ResourceLimitError, match=r"use fewer levels, or n up to 169$"):
        xdp.multi_level_release(1000, ["1/2", "2/3"])
    with pytest.raises(ResourceLimitError, match=r"for at most 4,378 vertices it fits$"):
        xdp.tight_mechanism("cycle:10000", "1/2")
    assert 170**3 <= Budget().numbers < 171**3
    assert 56 * 4378**2 <= Budget().memory < 56 * 4379**2
