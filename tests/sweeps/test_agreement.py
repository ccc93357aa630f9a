# SPDX-License-Identifier: MIT
"""Rows are compared with what their certificates say, and every other row is told."""

from __future__ import annotations

import json

import pytest

from exactdp.sweeps.agreement import ABOUT, KINDS, NO_NUMBER, Row, disagreement
from exactdp.sweeps.asking import answered
from exactdp.sweeps.question import FORMS, Question
from exactdp.sweeps.store import sizes_of

HALF = {"graph": "path:3", "level": "1/2"}
PATH = HALF | {"loss": "abs", "consumer": "uniform"}
ASKED = [
    ("optimum", PATH),
    ("optimum", PATH | {"level": "symbolic", "graph": "path:2"}),
    ("optimum", PATH | {"level": "epsilon=1", "consumer": "minimax"}),
    ("optimum", {"graph": "cycle:4", "level": "1/3", "loss": "squared-distance", "consumer": "minimax"}),
    ("optimum", PATH | {"consumer": "1/2,1/4,1/4"}),
    ("unique", PATH),
    ("optimal", PATH | {"mechanism": "geometric:n=2"}),
    ("optimal", PATH | {"mechanism": "uniform:n=2"}),
    ("optimal", PATH | {"mechanism": "geometric:n=2,alpha=1/3"}),
    ("optimal-after-remap", PATH | {"mechanism": "geometric:n=2"}),
    ("optimal-after-remap", PATH | {"mechanism": "uniform:n=2"}),
    ("remap", PATH | {"mechanism": "geometric:n=2"}),
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
    ("universal", {"graph": "path:3", "level": "symbolic", "loss": "zero-one"}),
    ("kernels", {"graph": "path:3", "level": "symbolic"}),
    ("kernels", {"graph": "star:4", "level": "symbolic"}),
    ("capacity-additive", {"graph": "path:3", "level": "symbolic"}),
    ("capacity-multiplicative", {"graph": "path:1", "level": "symbolic"}),
    ("capacity-additive", {"graph": "path:1", "level": "symbolic"}),
    ("tightest-level", {"graph": "euclid:2x2", "mechanism": "geometric:n=3,alpha=1/3"}),
    ("capacity-multiplicative", HALF | {"level": "epsilon=1"}),
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
        assert disagreement(row._replace(verdict=other[row.verdict]), certificate)
        assert disagreement(row._replace(verdict="limit"), certificate)
        assert disagreement(row._replace(kind="privacy"), certificate)
        if row.kind not in NO_NUMBER:
            assert disagreement(row._replace(value="1/7" if row.value else "yes"), certificate)
            assert disagreement(row._replace(value=f"{row.value}, t = e^(-9)"), certificate)
            assert not row.value or disagreement(row._replace(value=""), certificate)
        for lower, upper in (("0." + "0" * 18, "9." + "0" * 18), ("", row.upper), ("", ""), (row.lower, "")):
            assert (lower, upper) == (row.lower, row.upper) or disagreement(row._replace(lower=lower, upper=upper), certificate)


def test_the_value_that_a_claim_has_not_has_its_decimals():
    row, certificate = asked("tight", HALF)
    assert row.kind in NO_NUMBER
    assert "decimals" in disagreement(row._replace(value="1/7"), certificate)
    # nothing says that it is the value: the page says so


def test_a_value_of_zero_is_named():
    row, certificate = asked("capacity-additive", {"graph": "path:1", "level": "1/2"})
    assert disagreement(row._replace(lower=""), certificate).endswith("are not those around 0")


def test_every_other_column_about_the_question_is_told(answers):
    for row, certificate in answers:
        given = json.loads(row.question) | sizes_of(json.loads(row.question).get("graph", ""))
        about = [str(given.get(name, "")) for name in ABOUT]
        assert disagreement(row._replace(about=tuple(about)), certificate) is None
        for k, name in enumerate(ABOUT):
            changed = (*about[:k], "nonsense", *about[k + 1 :])
            assert f"its column {name} is nonsense" in disagreement(row._replace(about=changed), certificate)


def test_another_spelling_of_a_level_is_the_same_level():
    """Rows that were made before a question had one spelling of ε."""
    row, certificate = asked("capacity-multiplicative", HALF | {"level": "epsilon=1"})
    old = row._replace(question=row.question.replace("epsilon=1", "epsilon=1.0"))
    words = json.loads(old.question) | sizes_of("path:3")
    about = tuple(str(words.get(name, "")) for name in ABOUT)
    assert "epsilon=1.0" in about
    assert disagreement(old._replace(about=about), certificate) is None


def test_one_level_is_not_all_levels():
    row, _ = asked("universal", {"graph": "path:3", "level": "symbolic", "loss": "zero-one"})
    _, certificate = asked("universal", {"graph": "path:3", "level": "1/2", "loss": "zero-one"})
    assert "another level" in disagreement(row, certificate)
    row, certificate = asked("capacity-additive", {"graph": "path:3", "level": "symbolic"})
    certificate["definitions"]["a"]["interval"]["above"] = "1/2"
    assert "not about all levels" in disagreement(row, certificate)


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
    row, certificate = asked("optimum", PATH)
    other = Question("optimum", **(PATH | {field: value})).text
    assert "another" in disagreement(row._replace(question=other), certificate)


def test_what_is_no_question_is_told():
    row, certificate = asked("tight", HALF)
    assert "can't be read" in disagreement(row._replace(question="{}"), certificate)
    assert "can't be read" in disagreement(row._replace(question=Question("tight", "path:999999999", "1/2").text), certificate)
