# SPDX-License-Identifier: MIT
"""Randomized response, identity, uniform, and the short words for mechanisms."""

from __future__ import annotations

import re
import time
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from strategies import levels

import exactdp as xdp
from exactdp.errors import ExactDPError, InputError, ParameterRangeError, RationalSyntaxError, ResourceLimitError
from exactdp.mechanisms import (
    geometric,
    identity,
    is_mechanism_spec,
    lumped_geometric,
    mechanism_from_spec,
    randomized_response,
    uniform,
)
from exactdp.mechanisms.words import FAMILIES
from exactdp.model import Mechanism


@given(st.integers(2, 5), st.fractions(0, 1, max_denominator=9))
def test_randomized_response(m, keep):
    mechanism = randomized_response(range(m), keep)
    assert [list(row) for row in mechanism.rows()] == [[keep if i == j else (1 - keep) / (m - 1) for j in range(m)] for i in range(m)]


@given(st.integers(1, 5), levels())
def test_randomized_response_of_a_level(m, level):
    mechanism = randomized_response(range(m), alpha=level)
    assert all(mechanism[i, j] == level.alpha * mechanism[j, j] for i in range(m) for j in range(m) if i != j)


@given(levels())
def test_two_labels_are_the_geometric_mechanism(level):
    assert randomized_response(2, alpha=level) == geometric(1, level)


@pytest.mark.parametrize(("labels", "keep"), [("ab", 2), ("ab", "-1/2"), ("a", "1/2")])
def test_keep_is_a_probability(labels, keep):
    with pytest.raises(ParameterRangeError, match="keep"):
        randomized_response(list(labels), keep)
    assert randomized_response(["a"], 1) == identity(["a"])


def test_identity_and_uniform():
    assert identity(["a", "b"]) == Mechanism([[1, 0], [0, 1]], ["a", "b"], ["a", "b"])
    assert uniform(["a", "b"], [0, 1, 2]) == Mechanism([[Fraction(1, 3)] * 3] * 2, ["a", "b"], [0, 1, 2])
    assert uniform([0, 1]).outputs == ("0", "1")


@pytest.mark.parametrize(
    ("spec", "alpha", "expected"),
    [
        ("geometric:n=3", "1/4", geometric(3, "1/4")),
        ("geometric:n=3,alpha=1/2", None, geometric(3, "1/2")),
        ("geometric:alpha=0.5,n=3", "1/4", geometric(3, "1/2")),
        ("lumped-geometric:n=2", "1/4", lumped_geometric(2, "1/4")),
        ("randomized-response:n=4", "1/2", randomized_response(5, alpha="1/2")),
        ("randomized-response:n=4,keep=3/4", None, randomized_response(range(5), "3/4")),
        ("identity:n=3", None, identity(range(4))),
        ("uniform:n=3", "1/2", uniform(range(4))),
        ("geometric:n=0", "1/2", Mechanism([[1]])),
    ],
)
def test_words(spec, alpha, expected):
    assert mechanism_from_spec(spec, alpha) == expected
    assert is_mechanism_spec(spec)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("geometric", "n is missing"),
        ("geometric:n=3", "the level is missing"),
        ("geometric:n=x,alpha=1/2", "n is 'x', and not an integer ≥ 0"),
        ("geometric:n=-1,alpha=1/2", "n is '-1', and not an integer"),
        ("geometric:n=٣,alpha=1/2", "n is '٣', and not an integer"),
        ("geometric:n=3,n=4,alpha=1/2", "n is given twice"),
        ("geometric:n=3,beta=1/2", "it has no parameter 'beta'"),
        ("geometric:3,alpha=1/2", "'3' is not of the form name=value"),
        ("identity:n=3,alpha=1/2", "it has no parameter 'alpha'"),
        ("randomized-response:n=3,alpha=1/2,keep=1/2", "both given"),
        ("geometric:alpha=1/2", "n is missing"),
    ],
)
def test_bad_words(spec, words):
    """The message names the word, what is wrong, what the word takes, and an example."""
    with pytest.raises(InputError, match=words) as caught:
        mechanism_from_spec(spec)
    name = spec.partition(":")[0]
    family = FAMILIES[name]
    said = str(caught.value)
    assert said.startswith(f"{spec}: ")
    assert said.endswith(f"; {name} takes {family.takes}, as in {family.example}")
    assert all(parameter.name in family.takes for parameter in family.parameters)
    assert len(said) <= 300


@pytest.mark.parametrize(
    ("spec", "near"), [("geometrc:n=3", "geometric"), ("randomised-respons:n=3", "randomized-response"), ("stair:n=1", "staircase")]
)
def test_an_unknown_word_brings_the_nearest(spec, near):
    with pytest.raises(InputError, match=f"did you mean {near}. 'exactdp mechanisms' lists all"):
        mechanism_from_spec(spec)


@pytest.mark.parametrize("spec", ["", "xyz:n=3", "q" * 500])
def test_a_text_that_is_like_no_word(spec):
    with pytest.raises(InputError, match=r"there is no word .* 'exactdp mechanisms' lists all") as caught:
        mechanism_from_spec(spec)
    assert len(str(caught.value)) <= 300


def test_wrong_numbers_inside_a_word_name_the_word():
    for spec in ("flat:t=2,n=3", "geometric:n=3,alpha=half", "two-coin:truth=3/2", "diffprivlib-exponential:n=3,epsilon=1,monotonic=5"):
        with pytest.raises(InputError) as caught:
            mechanism_from_spec(spec)
        assert str(caught.value).startswith(f"{spec}: ")
        assert "as in " in str(caught.value)


def test_bad_parameters_inside_words():
    with pytest.raises(RationalSyntaxError):
        mechanism_from_spec("geometric:n=3,alpha=half")
    with pytest.raises(ParameterRangeError):
        mechanism_from_spec("geometric:n=3,alpha=1")
    with pytest.raises(ParameterRangeError):
        mechanism_from_spec("randomized-response:n=3,keep=2")
    with pytest.raises(InputError):
        mechanism_from_spec(3)


def test_sizes_are_bounded_before_any_work():
    start = time.perf_counter()
    with pytest.raises(ResourceLimitError, match="limit"):
        mechanism_from_spec("geometric:n=999999999999,alpha=1/2")
    assert time.perf_counter() - start < 0.5


def test_file_names_are_no_words():
    assert not any(map(is_mechanism_spec, ["table.csv", "geometric", "c:table.csv", "geometric.csv:n"]))


def test_answers_are_counted_or_labelled():
    for k in range(1, 6):
        m = randomized_response(k, alpha="1/3")
        assert m.shape == (k, k)
        assert m == mechanism_from_spec(f"randomized-response:k={k},alpha=1/3")
        assert m == mechanism_from_spec(f"randomized-response:n={k - 1},alpha=1/3")
        assert m == mechanism_from_spec(f"randomised-response:k={k},alpha=1/3")
    assert randomized_response(["yes", "no"], keep="3/4") == randomized_response(["yes", "no"], "3/4")
    assert mechanism_from_spec("flat:k=3,alpha=1/2") == mechanism_from_spec("flat:n=2,alpha=1/2")
    assert mechanism_from_spec("opendp-randomised-response:k=3,prob=1/2").shape == (3, 3)


@pytest.mark.parametrize("k", [1, 2, 3, np.int64(3), sympy.Integer(2)])
def test_a_bare_number_counts_the_answers(k):
    assert randomized_response(k, alpha="1/2") == randomized_response(answers=k, alpha="1/2") == randomized_response(range(k), alpha="1/2")
    assert randomized_response(k, alpha="1/2") == mechanism_from_spec(f"randomized-response:k={k},alpha=1/2")


@pytest.mark.parametrize("k", [0, -1, np.int64(0)])
def test_there_is_at_least_one_answer(k):
    with pytest.raises(ParameterRangeError, match=f"answers = {int(k)}, but there must be at least one"):
        randomized_response(k, "1/2")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"n": 3}, "randomized_response(4, …) has 4 answers, as the word randomized-response:n=3 has"),
        ({"labels": ["a", "b"]}, "did you mean answers=['a', 'b']?"),
        ({"k": 3}, "did you mean answers=3?"),
        ({}, "needs answers: give answers=3 for three of them, or their labels"),
    ],
)
def test_another_name_of_the_answers_is_told_the_right_one(given, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        xdp.randomized_response(keep="1/2", **given)


@pytest.mark.parametrize("wrong", [True, 2.0, "abc", [], ["a", "a"], 0, -3, None])
def test_what_is_no_number_of_answers_is_refused(wrong):
    with pytest.raises(ExactDPError, match="answer"):
        randomized_response(wrong, keep="1/2")


@pytest.mark.parametrize(
    ("word", "rule"),
    [
        ("randomized-response:k=0,keep=1", "k is '0', and not an integer ≥ 1"),
        ("randomized-response:k=x,keep=1", "k is 'x', and not an integer ≥ 1"),
        ("randomized-response:k=2,n=1,keep=1/2", "n is given twice; k = n [+] 1"),
        ("randomized-response:n=1,k=2,keep=1/2", "the number of answers is given twice; k = n [+] 1"),
        ("randomized-response:keep=1/2", "n is missing; randomized-response takes n .or k = n [+] 1, the number of answers"),
        ("geometric:k=3,alpha=1/2", "it has no parameter 'k'"),
        ("identity:k=3", "it has no parameter 'k'"),
    ],
)
def test_the_number_of_answers_in_a_word(word, rule):
    with pytest.raises(InputError, match=rule):
        mechanism_from_spec(word)
