# SPDX-License-Identifier: MIT
"""Sentences whose formulas are typeset: nothing is lost, and labels are left alone."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.exact import RationalFunctionField
from exactdp.report.items import Fact
from exactdp.report.words_mathml import Formulas, formulas_among

LETTERS = Formulas(frozenset({"p", "q", "x1"}))


def seen(shown):
    """What is left without the tags."""
    return html.unescape(re.sub("<[^>]*>", "", shown))


def canonical(text):
    """Without what typesetting may change: blanks, brackets, and the sign for minus."""
    changed = text.replace(" <= ", " ≤ ").replace(" >= ", " ≥ ").replace("−", "-")
    return re.sub(r"[ ()]", "", changed)


PIECES = st.sampled_from(
    ["p", "q", "x1", "price", "2", "17", "*", "/", "^", " + ", " - ", "-", "(", ")", " >= ", "e^(−1/2)", "<b>", "[", "]", ".", ", ", " "]
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_a_sentence_stays_itself_and_is_well_formed(text):
    shown = LETTERS.words(text)
    ET.fromstring(f"<p>{shown}</p>")
    assert canonical(seen(shown)) == canonical(text)


@given(st.text(max_size=30))
def test_nothing_of_a_text_becomes_markup(text):
    assert "<script" not in LETTERS.words(f"{text}<script>{text}")


@pytest.mark.parametrize("text", ["a*b", "file p*z.csv", "x[p*q][0]", "2*price", "p.csv", "a-p*q", "grid:p/q", "1/2", "p", "2026-11-29"])
def test_labels_and_plain_numbers_are_no_formulas(text):
    assert "<math" not in LETTERS.words(text)


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("least loss p*q/(p + q), not p/(1+q)", 2),
        ("exactly where p + 2*q >= 1.", 1),
        ("det = (1 - p)^2*(x1 - p*q)", 1),
        ("-p - q + 1 > 0", 1),
    ],
)
def test_formulas_in_known_letters_are_typeset(text, formulas):
    assert LETTERS.words(text).count("<math") == formulas


def test_the_value_of_a_headline_is_written_as_it_is_below():
    a = RationalFunctionField().gen
    value = (2 * a + 2 * a**2) / (1 - a**2 + a)
    known = formulas_among([Fact("optimum", value)])
    assert known.words(f"least loss {value}") == f"least loss {known.typeset[str(value)]}"
    assert "α in (0, 1)" in known.words("for a in (0, 1)")


@pytest.mark.parametrize(
    "answer",
    [
        lambda: xdp.optimum_by_level("path:3", xdp.MinimaxConsumer("squared")),
        lambda: xdp.is_private(xdp.matrix([["1-p", "p"], ["q", "1-q"]], letters="0 < p < 1/2, 0 < q < 1/2"), "path", "ε = ln 2"),
        lambda: xdp.is_private(xdp.geometric(2, epsilon=1), "path", "ε = 9/10"),
        lambda: xdp.determinant(xdp.matrix([["1-p", "p"], ["p", "1-p"]], letters="0 < p < 1/2"), formula="1 - 2*p"),
    ],
)
def test_no_formula_of_an_answer_is_left_on_one_line(answer):
    """Outside of formulas no sign of a program is seen: neither powers nor products."""
    shown = re.sub(r"<math.*?</math>|<style>.*?</style>|<svg.*?</svg>|<[^>]*>", " ", answer()._repr_html_(), flags=re.DOTALL)
    assert re.findall(r"\S*[a-z0-9)][*^][a-z0-9(−-]\S*|[<>]=", html.unescape(shown)) == []
