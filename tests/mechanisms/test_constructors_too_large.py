# SPDX-License-Identifier: MIT
"""Constructors whose table is too large: what the message says to type is answered."""

from __future__ import annotations

import re

import pytest

import exactdp as xdp
from exactdp.errors import ResourceLimitError
from exactdp.mechanisms.too_large import largest_that_fits

BY_LAW = {
    "geometric(1000000, epsilon='0.5')": ("path", "geometric(3, epsilon='0.5')"),
    "geometric(range(1000000), '1/3')": ("path", "geometric(3, '1/3')"),
    "geometric(1000000, xdp.PrivacyLevel(epsilon='ln 3'))": ("path", "geometric(3, '1/3')"),
    "lumped_geometric(1000000, epsilon=1)": ("path", "lumped_geometric(3, epsilon=1)"),
    "randomized_response(100000, epsilon='ln 3')": ("complete", "randomized_response(3, epsilon='ln 3')"),
    "randomised_response(range(100000), alpha='1/4')": ("complete", "randomized_response(3, alpha='1/4')"),
    "rappor(40, 1, '1/2', '1/4', '3/4')": ("complete", "rappor(3, 1, '1/2', '1/4', '3/4')"),
    "mechanism_from_spec('unary-encoding:bits=40', epsilon='ln 4')": (
        "complete",
        "mechanism_from_spec('unary-encoding:bits=3,epsilon=ln(4)')",
    ),
    "mechanism_from_spec('google-geometric:n=1000000,epsilon=1,sensitivity=1')": (
        "path",
        "mechanism_from_spec('google-geometric:n=3,epsilon=1,sensitivity=1')",
    ),
}
"""What is typed; the neighbours of its law, and a small one with the same level."""


def refused(typed: str) -> str:
    """The message of a constructor."""
    with pytest.raises(ResourceLimitError) as caught:
        eval(f"xdp.{typed}", {"xdp": xdp})
    assert str(caught.value) == caught.value.message
    return caught.value.message


@pytest.mark.parametrize("typed", BY_LAW)
def test_the_question_that_is_named_is_answered_as_typed(typed):
    near, small = BY_LAW[typed]
    told = refused(typed)
    [question] = re.findall(r"tightest_level\('[^']*', '[^']*'\)", told)
    found = eval(f"xdp.{question}", {"xdp": xdp})
    table = xdp.tightest_level(eval(f"xdp.{small}", {"xdp": xdp}), near)
    assert found.proved
    assert found.evidence.tightest.epsilon.compare(table.evidence.tightest.epsilon) == 0
    for more in re.findall(r"best_remap\('[^']*', MinimaxConsumer\('abs'\)\)", told):
        assert eval(f"xdp.{more.replace('Minimax', 'xdp.Minimax')}", {"xdp": xdp}).evidence.bounds is not None


def test_a_letter_has_a_law_but_no_loss():
    told = refused("geometric(1000000, 'a')")
    assert "best_remap" not in told
    assert "α = a" in xdp.tightest_level("geometric:n=1000000,alpha=a", "path").claim


@pytest.mark.parametrize(
    "typed",
    [
        "uniform(range({}))",
        "identity(range({}))",
        "geometric_prime({}, '1/2')",
        "geometric_prime({}, '999/1000')",
        "staircase({}, '1/2', 2)",
    ],
)
def test_without_a_law_the_largest_size_is_named(typed):
    told = refused(typed.format(100_000))
    size = int(re.search(r"the largest [a-z ]+ that fits is ([0-9,]+)", told)[1].replace(",", ""))
    assert size > 100
    refused(typed.format(size + 1))
    if "uniform" in typed or "identity" in typed:
        assert eval(f"xdp.{typed.format(size)}", {"xdp": xdp}).n_inputs == size


@pytest.mark.parametrize("most", [0, 1, 2, 3, 7, 8, 1000, 12345])
def test_the_largest_size_is_found(most):
    def fits(size: int) -> None:
        if size > most:
            raise ResourceLimitError("no")

    assert largest_that_fits("n", fits) == f"the largest n that fits is {most:,}"


def test_labels_that_no_word_has_are_promised_nothing():
    assert "answers" not in refused("geometric([str(k) for k in range(3000)], '1/2')")
