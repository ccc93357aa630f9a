# SPDX-License-Identifier: MIT
"""Rows are compared with what their certificates say, and every other row is told."""

from __future__ import annotations

import json

import pytest

from exactdp.sweeps.agreement import KINDS, Row, disagreement
from exactdp.sweeps.asking import answered
from exactdp.sweeps.question import FORMS, Question

HALF = {"graph": "path:3", "level": "1/2"}
ABOUT = HALF | {"loss": "abs", "consumer": "uniform"}
ASKED = [
    ("optimum", ABOUT),
    ("optimum", ABOUT | {"level": "symbolic", "graph": "path:2"}),
    ("optimum", ABOUT | {"level": "epsilon=1", "consumer": "minimax"}),
    ("optimum", {"graph": "cycle:4", "level": "1/3", "loss": "squared-distance", "consumer": "minimax"}),
    ("optimum", ABOUT | {"consumer": "1/2,1/4,1/4"}),
    ("unique", ABOUT),
    ("optimal", ABOUT | {"mechanism": "geometric:n=2"}),
    ("optimal", ABOUT | {"mechanism": "uniform:n=2"}),
    ("optimal", ABOUT | {"mechanism": "geometric:n=2,alpha=1/3"}),
    ("optimal-after-remap", ABOUT | {"mechanism": "geometric:n=2"}),
    ("optimal-after-remap", ABOUT | {"mechanism": "uniform:n=2"}),
    ("remap", ABOUT | {"mechanism": "geometric:n=2"}),
    ("privacy", HALF | {"mechanism": "geometric:n=2"}),
    ("privacy", HALF | {"mechanism": "geometric:n=2,alpha=1/3"}),
    ("tightest-level", {"graph": "path:3", "mechanism": "geometric:n=2,alpha=1/3"}),
    ("derivable", {"level": "1/2", "mechanism": "geometric:n=2", "source": "geometric:n=2,alpha=1/3"}),
    ("derivable", {"level": "1/2", "mechanism": "geometric:n=2,alpha=1/3", "source": "geometric:n=2"}),
    ("tight", HALF),
    ("tight", {"graph": "star:3", "level": "2/3"}),
    ("tight", {"graph": "star:3", "level": "symbolic"}),
    ("tight-unique", HALF),
    ("universal", HALF | {"loss": "abs"}),
    ("universal", {"graph": "cycle:3", "level": "1/2", "loss": "zero-one"}),
    ("universal", {"graph": "star:3", "level": "symbolic", "loss": "zero-one"}),
    ("capacity-multiplicative", HALF),
    ("capacity-additive", HALF),
    ("vertices", HALF),
    ("kernels", HALF),
]


def asked(ask, fields):
    answer = answered(Question(ask, **fields).text, 60)
    assert answer.certificate, answer
    return Row(answer.question, answer.verdict, answer.value, answer.kind, answer.lower, answer.upper), json.loads(answer.certificate)


@pytest.fixture(scope="module")
def answers():
    return [asked(ask, fields) for ask, fields in ASKED]


def test_every_question_is_here():
    assert {ask for ask, _ in ASKED} == set(FORMS) == set(KINDS)


def test_what_was_answered_agrees(answers):
    assert [disagreement(*answer) for answer in answers] == [None] * len(ASKED)


def test_no_row_agrees_with_the_certificate_of_another(answers):
    """But where one claim answers both: that a mechanism is optimal says what the optimum is, too."""
    for i, (row, _) in enumerate(answers):
        for j, (_, certificate) in enumerate(answers):
            if i != j and disagreement(row, certificate) is None:
                assert (ASKED[i][0], ASKED[j][0]) in {("optimum", "optimal"), ("privacy", "optimal"), ("optimal", "privacy")}
                assert certificate["claim"]["mechanism"]


def test_every_other_word_of_a_row_is_told(answers):
    other = {"proved": "refuted", "refuted": "proved"}
    for row, certificate in answers:
        if row.kind != "on-pieces":
            assert disagreement(row._replace(verdict=other[row.verdict]), certificate)
        assert disagreement(row._replace(kind="privacy"), certificate)
        if "value" in certificate["claim"] or "count" in certificate["claim"] or row.kind == "on-pieces":
            assert disagreement(row._replace(value="1/7"), certificate)
            assert disagreement(row._replace(value=""), certificate)
            if row.lower:
                assert disagreement(row._replace(lower="0." + "0" * 18, upper="9." + "0" * 18), certificate)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("graph", "path:4"),
        ("graph", "cycle:3"),
        ("level", "1/3"),
        ("loss", "squared"),
        ("consumer", "minimax"),
        ("consumer", "1/2,1/4,1/4"),
    ],
)
def test_another_question_is_told(field, value):
    row, certificate = asked("optimum", ABOUT)
    other = Question("optimum", **(ABOUT | {field: value})).text
    assert "another" in disagreement(row._replace(question=other), certificate)


def test_what_is_no_question_is_told():
    row, certificate = asked("tight", HALF)
    assert "can't be read" in disagreement(row._replace(question="{}"), certificate)
    assert "can't be read" in disagreement(row._replace(question=Question("tight", "path:999999999", "1/2").text), certificate)
