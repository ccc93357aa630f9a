# SPDX-License-Identifier: MIT
"""Questions as words: one text for each, and what is missing or idle is refused by name."""

from __future__ import annotations

import json

import pytest

from exactdp.errors import ExactDPError, InputError
from exactdp.sweeps.question import FIELDS, FORMS, SYMBOLIC_TOO, Question

WORDS = {"graph": "path:4", "level": "1/2", "loss": "abs", "consumer": "minimax", "mechanism": "geometric:n=3", "source": "uniform:n=3"}


def question(ask: str, **other: str) -> Question:
    return Question(ask, **{name: WORDS[name] for name in FORMS[ask].needs} | other)


@pytest.mark.parametrize("ask", FORMS)
def test_a_text_names_one_question(ask):
    asked = question(ask)
    assert Question.parse(asked.text) == asked
    assert json.loads(asked.text) == {"ask": ask, **{name: WORDS[name] for name in FORMS[ask].needs}}
    assert list(json.loads(asked.text)) == sorted(json.loads(asked.text))


def test_two_spellings_of_a_level_are_one_question():
    texts = {question("tight", level=level).text for level in ("1/4", "0.25", " 2/8 ", "25e-2")}
    assert len(texts) == 1
    texts = {question("tight", level=f"epsilon={level}").text for level in ("ln(9)", "2*ln(3)", " log(9)", "ln(81)/2")}
    assert len(texts) == 1
    assert question("tight", level="epsilon=0.50").level == "epsilon=1/2"


@pytest.mark.parametrize("consumer", ["minimax:", "minimax: "])
def test_somebody_who_holds_no_input_possible_is_no_consumer(consumer):
    with pytest.raises(InputError, match=r"side information .* is empty"):
        question("optimum", consumer=consumer)


@pytest.mark.parametrize("ask", FORMS)
def test_what_is_missing_and_what_is_idle_is_named(ask):
    for name in FORMS[ask].needs:
        with pytest.raises(InputError, match=f"needs a {name}"):
            question(ask, **{name: ""})
    for name in set(FIELDS) - {*FORMS[ask].needs, *FORMS[ask].may}:
        with pytest.raises(InputError, match=f"takes no {name}"):
            question(ask, **{name: WORDS[name]})


@pytest.mark.parametrize("ask", [ask for ask in FORMS if "level" in FORMS[ask].needs])
def test_a_letter_is_a_level_where_all_levels_can_be_asked(ask):
    if ask in SYMBOLIC_TOO:
        assert question(ask, level="symbolic").level == "symbolic"
    else:
        with pytest.raises(InputError, match="needs one level"):
            question(ask, level="symbolic")


@pytest.mark.parametrize("level", ["0", "1", "3/2", "-1/2", "delta=1", "x", "1/0", "epsilon=0", "epsilon=-1", "epsilon=x"])
def test_what_is_no_level_is_refused(level):
    with pytest.raises(ExactDPError):
        question("tight", level=level)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "3", '{"ask":"tight"}', '{"ask":"no"}', '{"ask":"tight","n":1}', '{"ask":3}'])
def test_what_is_no_question_is_refused(text):
    with pytest.raises(InputError):
        Question.parse(text)


def test_privacy_that_only_the_tightest_level_implies_has_no_certificate_of_its_own():
    """A row is about the level of its question; verify DIR would find another claim beside it."""
    from exactdp.sweeps.asking import answered

    asked = question("privacy", level="epsilon=0.49999", mechanism="geometric:n=3,epsilon=1/2")
    found = answered(asked.text, 60)
    assert (found.verdict, found.certificate) == ("refuted", "")
    assert "tightest-level certifies" in found.message
