# SPDX-License-Identifier: MIT
"""The door for text: what is a number, and where and why a text is none."""

from __future__ import annotations

import pickle
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fractions

from exactdp.errors import RationalSyntaxError, ResourceLimitError
from exactdp.exact import Rational, numbers_of

REFUSED = [
    ("", 0, "empty"),
    ("1_0/3", 1, "underscores"),
    ("١/٣", 0, "not one of the digits"),
    ("½", 0, "½"),
    ("²", 0, "not one of the digits"),
    ("1e400000000", 1, "three digits"),
    ("1e1000", 1, "three digits"),
    ("nan", 0, "not-a-number"),
    ("NaN", 0, "not-a-number"),
    ("inf", 0, "infinities"),
    ("-inf", 0, "infinities"),
    ("-Infinity", 0, "infinities"),
    ("1 /3", 1, "blank"),
    ("1 000", 1, "blank"),
    (" 1", 0, "blank"),
    ("1\n", 1, "blank"),
    ("1\u00a02", 1, "blank"),
    ("__import__('os')", 0, "underscores"),
    ("2**10", 1, "unexpected '*'"),
    ("1+1", 1, "unexpected '+'"),
    ("abs(1)", 0, "unexpected 'a'"),
    ("0x10", 1, "unexpected 'x'"),
    ("1/0", 2, "denominator is zero"),
    ("0/0", 2, "denominator is zero"),
    ("1/-3", 2, "unexpected '-'"),
    ("1//2", 2, "unexpected '/'"),
    ("1..2", 2, "unexpected '.'"),
    ("1/2/3", 3, "unexpected '/'"),
    ("1.5/2", 3, "unexpected '/'"),
    ("+1", 0, "leading plus"),
    (".5", 0, "before the decimal point"),
    ("5.", 1, "after the decimal point"),
    ("1/", 1, "the denominator is missing"),
    ("-0.5/", 4, "the denominator is missing"),
    ("/2", 0, "the numerator is missing"),
    ("-/2", 1, "the numerator is missing"),
    ("007", 0, "leading zero"),
    ("1/03", 2, "leading zero"),
    ("-", 1, "incomplete"),
    ("--1", 1, "unexpected '-'"),
    ("1,5", 1, "unexpected ','"),
    ("−1", 0, "unexpected '−'"),
    ("1\x00", 1, "unexpected"),
    ("1e", 1, "unexpected 'e'"),
    ("1e1.5", 3, "unexpected '.'"),
]


@pytest.mark.parametrize(("text", "position", "reason"), REFUSED, ids=[repr(text) for text, _, _ in REFUSED])
def test_refused_with_position_and_reason(text, position, reason):
    with pytest.raises(RationalSyntaxError) as caught:
        Rational(text)
    error = caught.value
    assert reason in error.reason
    assert error.position == position
    assert error.text == text
    assert reason in str(error)
    assert "is not an exact number" in str(error)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", Fraction(0)),
        ("-0", Fraction(0)),
        ("-0.0", Fraction(0)),
        ("6/4", Fraction(3, 2)),
        ("-6/4", Fraction(-3, 2)),
        ("0.1", Fraction(1, 10)),
        ("0.10", Fraction(1, 10)),
        ("-12.5e-1", Fraction(-5, 4)),
        ("1e3", Fraction(1000)),
        ("1E+03", Fraction(1000)),
        ("5e-324", Fraction(5, 10**324)),
        ("0e0", Fraction(0)),
        ("9.999999999999999999999", Fraction(9999999999999999999999, 10**21)),
    ],
)
def test_decimals_are_exact(text, value):
    assert Rational(text) == value
    assert Rational(text).as_fraction() == value


def test_huge_texts_are_refused_before_they_are_read_and_large_ones_are_fast():
    start = time.perf_counter()
    with pytest.raises(ResourceLimitError, match="4,000,001 digits; the limit is 4,000,000") as caught:
        Rational("1" * 4_000_001)
    assert len(str(caught.value)) < 400
    large = Rational("7" * 100_000 + "/3")
    assert large.numerator.bit_length() > 300_000  # Python's own limit is 4300 digits
    assert time.perf_counter() - start < 5
    assert pickle.loads(pickle.dumps(large)) == large


def test_a_long_refused_text_is_shortened_in_the_message():
    with pytest.raises(RationalSyntaxError) as caught:
        Rational("1" * 50_000 + "x")
    assert caught.value.position == 50_000
    assert len(str(caught.value)) < 400


@given(fractions(max_denominator=200))
def test_text_round_trip(x):
    assert Rational(str(x)) == x
    assert str(Rational(x)) == str(x)


@pytest.mark.slow
@given(st.text(max_size=8))
def test_any_text_is_a_number_python_agrees_on_or_is_refused(text):
    try:
        value = Rational(text)
    except RationalSyntaxError as error:
        where = error.position
    else:
        assert value == Fraction(text)
        return
    assert 0 <= where <= len(text)


ANY_NUMBER = st.from_regex(r"-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,80}|/[1-9][0-9]*)?(e[-+]?[0-9]{1,2})?", fullmatch=True)


@given(st.lists(st.one_of(ANY_NUMBER, st.sampled_from([text for text, _, _ in REFUSED] + ["0,1", ",", "-0", "00"])), max_size=4))
def test_texts_that_are_read_together_are_those_that_are_read_one_by_one(texts):
    def outcome(read):
        try:
            return read()
        except RationalSyntaxError as error:
            return str(error)

    together = outcome(lambda: numbers_of(texts))
    assert together == outcome(lambda: [Rational(text) for text in texts])
    if isinstance(together, list):
        assert [x.as_fraction() for x in together] == [Fraction(text) for text in texts]
        assert all(type(x) is Rational for x in together)


def test_a_long_decimal_is_read_beyond_the_digits_that_python_reads():
    assert Rational("9" * 5000 + ".5") == Rational("9" * 5000) + Rational("1/2")
