# SPDX-License-Identifier: MIT
"""Words whose table is too large are answered by their law: the same as by the table where that is small."""

import json
from fractions import Fraction
from itertools import combinations, product

import pytest
from certificate_pool import seal
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import PrivacyLevel, certify, is_private, tightest_level
from exactdp.analysis.laws import level_by_law
from exactdp.checker import check_bytes
from exactdp.cli import main
from exactdp.errors import ResourceLimitError
from exactdp.exact import Rational
from exactdp.mechanisms import BitLaw, CategoryLaw, law_of_word, laws


def refuse(*_, **__):
    """A budget in which nothing is."""
    raise ResourceLimitError("too large", limit=0, got=1, unit="numbers")


PROBABILITIES = st.sampled_from(["0", "1/5", "1/3", "1/2", "3/4", "1"])


def least_quotient(rows):
    """From the definition, over all pairs of rows and outputs; 1 without two rows."""
    found = [Fraction(1)]
    for x, y in combinations(rows, 2):
        for a, b in zip(x, y, strict=True):
            found += [a / b] if b else []
            found += [b / a] if a else []
    return min(found)


@settings(max_examples=60)
@given(st.integers(1, 4), st.integers(1, 4), PROBABILITIES, PROBABILITIES)
def test_independent_bits(bits, ones, set_bit, clear_bit):
    ones = min(ones, bits)
    a, b = Fraction(set_bit), Fraction(clear_bit)
    words = [word for word in product((0, 1), repeat=bits) if sum(word) == ones]
    rows = []
    for word in words:
        row = []
        for report in product((0, 1), repeat=bits):
            x = Fraction(1)
            for bit, told in zip(word, report, strict=True):
                one = a if bit else b
                x *= one if told else 1 - one
            row.append(x)
        rows.append(row)
    assert BitLaw(bits, ones, Rational(set_bit), Rational(clear_bit)).ratio == Rational(least_quotient(rows))


@given(st.integers(2, 6), PROBABILITIES)
def test_categories(size, keep):
    a = Fraction(keep)
    other = (1 - a) / (size - 1)
    rows = [[a if i == j else other for j in range(size)] for i in range(size)]
    assert CategoryLaw(size, Rational(keep)).ratio == Rational(least_quotient(rows))


@pytest.mark.parametrize(
    "word",
    [
        "randomized-response:n=5,epsilon=1",
        "randomized-response:n=5,alpha=1/3",
        "randomized-response:n=5,keep=1/2",
        "randomized-response:n=1,keep=1/10",
        "randomised-response:k=4,epsilon=ln(2)",
        "flat:n=3,epsilon=1/2",
        "opendp-randomized-response:n=4,prob=1/2",
        "rappor:bits=4,f=1/2,p=1/4,q=3/4",
        "rappor:bits=4,hashes=3,f=1/2,p=3/4,q=1/4",
        "rappor-permanent:bits=4,hashes=2,f=1/2",
    ],
)
def test_the_law_of_a_word_is_that_of_its_table(monkeypatch, word):
    whole = tightest_level(word, "complete").evidence.tightest
    monkeypatch.setattr(laws, "require_budget", refuse)
    law = law_of_word(word)
    assert law.ratio == whole.ratio


LARGE = ["randomized-response:n=10000,epsilon=1", "rappor:bits=1000,f=1/2,p=1/4,q=3/4", "rappor-permanent:bits=10000,hashes=3,f=1"]


@pytest.mark.parametrize("word", LARGE)
def test_large_ones_have_certificates(word):
    for verdict in (tightest_level(word, "complete"), is_private(word, "local", "epsilon=1/3")):
        assert "by its law" in verdict.claim
        assert "is not built" in str(verdict.scope)
        data = certify(verdict).to_json().encode()
        assert len(data) < 1000
        assert check_bytes(data).status == "accepted"


def test_what_is_asked_of_a_level():
    word = "randomized-response:n=10000,epsilon=1"
    assert is_private(word, "complete", "epsilon=1").proved
    assert is_private(word, "complete", PrivacyLevel(epsilon="2")).proved
    assert is_private(word, "complete", "1/2").refuted


def test_other_questions_about_such_words_are_refused_as_before():
    result = CliRunner().invoke(main, ["privacy", "rappor:bits=1000,f=1/2,p=1/4,q=3/4", "--graph", "path"])
    assert result.exit_code == 4
    assert "the limit is" in result.stderr
    result = CliRunner().invoke(main, ["privacy", "rappor:bits=1000,f=1/2,p=1/4,q=3", "--local"])
    assert result.exit_code == 3 or "not a probability" in result.stderr


def test_the_command_says_that_no_table_was_built():
    result = CliRunner().invoke(main, ["privacy", "rappor:bits=1000,f=1/2,p=1/4,q=3/4", "--local", "--json"])
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert found["level"]["alpha"] == "9/25"
    assert "is not built" in found["scope"]


def certificate_of(law):
    return json.loads(certify(level_by_law("a word", law)).to_json())


@pytest.mark.parametrize(
    ("law", "edit", "status"),
    [
        (CategoryLaw(5, Rational("1/2")), {"ratio": "1/3"}, "rejected"),
        (CategoryLaw(5, Rational("1/2")), {"size": 6}, "rejected"),
        (CategoryLaw(5, Rational("1/10")), {"ratio": "9/4"}, "malformed"),
        (CategoryLaw(5, Rational("1/2")), {"size": 1}, "malformed"),
        (CategoryLaw(5, Rational("1/2")), {"keep": "3/2"}, "malformed"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"ratio": "1/9"}, "rejected"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"ones": 1}, "rejected"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"ones": 4}, "rejected"),
        (BitLaw(5, 5, Rational("3/4"), Rational("1/4")), {"bits": 6}, "rejected"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"ones": 6}, "malformed"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"ones": 0}, "malformed"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"bits": 0}, "malformed"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"set": "1/4"}, "rejected"),
        (BitLaw(5, 2, Rational("3/4"), Rational("1/4")), {"clear": "-1/4"}, "malformed"),
    ],
)
def test_other_claims_are_refused(law, edit, status):
    found = certificate_of(law)
    assert check_bytes(json.dumps(found).encode()).status == "accepted"
    edited = seal({**found, "claim": found["claim"] | edit})
    assert check_bytes(json.dumps(edited).encode()).status == status
