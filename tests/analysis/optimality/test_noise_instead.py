# SPDX-License-Identifier: MIT
"""A path that is too large for an optimum: the message names the question that a law answers."""

from __future__ import annotations

import re
import shlex

import pytest
from cli_runner import run

import exactdp as xdp
from exactdp.errors import ResourceLimitError


@pytest.mark.parametrize("size", [3000, 1_000_001])
@pytest.mark.parametrize("more", ["--epsilon 0.5 --loss abs", "--alpha 1/2 --loss zero-one --prior uniform"])
def test_the_command_that_is_told_answers(size, more):
    done = run(f"optimal --graph path:{size} {more}")
    assert done.code == 4
    told = re.search(r"; '(exactdp remap .*)' tells how good geometric noise is there", done.err)
    assert told is not None
    answer = run(shlex.split(told[1])[1:])
    assert answer.code == 4
    assert answer.first.startswith("UNDECIDED  loss ")


@pytest.mark.parametrize("consumer", ["abs", xdp.MinimaxConsumer("abs"), "abs prior=uniform"])
def test_the_call_that_is_told_answers(consumer):
    with pytest.raises(ResourceLimitError) as caught:
        xdp.optimum("path:1000001", epsilon="1/2", consumer=consumer)
    told = re.search(r"; (best_remap\(.*\)) tells how good geometric noise is there", str(caught.value))
    assert told is not None
    assert eval(told[1], {"best_remap": xdp.best_remap}).evidence.loss == "abs"


@pytest.mark.parametrize(
    "words",
    [
        "--graph cycle:3000 --epsilon 0.5 --loss abs",
        "--graph path:3000 --alpha symbolic --loss abs",
        "--graph path:3000 --alpha 1/2 --loss distance",
    ],
)
def test_no_law_is_named_where_none_answers(words):
    done = run(f"optimal {words}")
    assert done.code == 4
    assert "geometric noise" not in done.err
