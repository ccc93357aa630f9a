# SPDX-License-Identifier: MIT
"""`verify` accepts exactly the right answers: each condition of the definition, broken alone, is named."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lp_cases import is_correct, program, programs

from exactdp.errors import DefectiveAnswerError
from exactdp.exact import QQ
from exactdp.lp.problem import Infeasible, Optimal, Unbounded, verify
from exactdp.lp.solve import solve


def numbers(*values):
    return tuple(QQ(v) for v in values)


TWO = program([1, 1], [([3, 1], ">=", 1), ([1, -1], "==", 0)], free=[1])
NONE = program([0], [([-1], ">=", 1)])
DOWN = program([-1, 0], [([1, -1], ">=", 0)])


@pytest.mark.parametrize(
    ("lp", "answer", "condition"),
    [
        (TWO, Optimal(numbers("1/4"), numbers("1/2", "-1/2"), QQ("1/2")), "length"),
        (TWO, Optimal(numbers("-1/4", "7/4"), numbers("1/2", "-1/2"), QQ("1/2")), "sign"),
        (TWO, Optimal(numbers("1/8", "1/8"), numbers("1/2", "-1/2"), QQ("1/4")), "row"),
        (TWO, Optimal(numbers("1/2", "1/4"), numbers("1/2", "-1/2"), QQ("3/4")), "row"),
        (TWO, Optimal(numbers("1/4", "1/4"), numbers("1/2"), QQ("1/2")), "length"),
        (TWO, Optimal(numbers("1/4", "1/4"), numbers("-1/2", "-1/2"), QQ("1/2")), "multiplier"),
        (TWO, Optimal(numbers("1/4", "1/4"), numbers("1/3", "-1/2"), QQ("1/2")), "reduced cost"),
        (TWO, Optimal(numbers("1/4", "1/4"), numbers("1/2", "-1/2"), QQ("1/3")), "value"),
        (TWO, Optimal(numbers("1/3", "1/3"), numbers("1/2", "-1/2"), QQ("2/3")), "dual value"),
        (NONE, Infeasible(numbers(0)), "Farkas value"),
        (NONE, Infeasible(numbers(-1)), "multiplier"),
        (TWO, Infeasible(numbers(1, 0)), "reduced cost"),
        (DOWN, Unbounded(numbers(0, 1), numbers(1, 0)), "row"),
        (DOWN, Unbounded(numbers(0, 0), numbers(1, 2)), "row"),
        (DOWN, Unbounded(numbers(0, 0), numbers(1, -1)), "sign"),
        (DOWN, Unbounded(numbers(0, 0), numbers(0, 0)), "slope"),
        (DOWN, "optimal", "type"),
    ],
)
def test_a_broken_condition_is_named(lp, answer, condition):
    with pytest.raises(DefectiveAnswerError) as caught:
        verify(lp, answer)
    assert caught.value.condition == condition


def test_the_unbroken_answers_are_accepted():
    verify(TWO, Optimal(numbers("1/4", "1/4"), numbers("1/2", "-1/2"), QQ("1/2")))
    verify(NONE, Infeasible(numbers(2)))
    verify(DOWN, Unbounded(numbers(0, 0), numbers(1, 1)))


@settings(max_examples=100)
@given(programs(), st.data())
def test_verify_agrees_with_a_naive_judge_on_perturbed_answers(lp, data):
    answer = solve(lp)
    name = data.draw(st.sampled_from([f.name for f in dataclasses.fields(answer) if f.name != "basis"]))
    old = getattr(answer, name)
    shift = QQ(data.draw(st.sampled_from([-1, "-1/1000", "1/1000", 1])))
    if name == "value":
        changed = old + shift
    elif old:
        k = data.draw(st.integers(0, len(old) - 1))
        changed = (*old[:k], old[k] + shift, *old[k + 1 :])
    else:
        return
    broken = dataclasses.replace(answer, **{name: changed})
    try:
        verify(lp, broken)
        accepted = True
    except DefectiveAnswerError:
        accepted = False
    assert accepted == is_correct(lp, broken)
