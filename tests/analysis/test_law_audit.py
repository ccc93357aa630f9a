# SPDX-License-Identifier: MIT
"""Audits by a law alone: they say what the audit of the table says, where the table is small."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.analysis.law_audit import LawAudit, audit_by_law
from exactdp.analysis.requirement import requirements_of
from exactdp.errors import DomainError, ResourceLimitError
from exactdp.mechanisms import laws

LARGE = "randomized-response:k=2925,epsilon=14"


def refuse(*_, **__):
    """A budget in which nothing is."""
    raise ResourceLimitError("too large", limit=0, got=1, unit="numbers")


@pytest.fixture
def nothing_fits(monkeypatch):
    """Every word that has a law is too large."""
    monkeypatch.setattr(laws, "require_budget", refuse)
    monkeypatch.setattr(laws, "require_powers", refuse)


WORDS = st.sampled_from(
    [
        ("randomized-response:n=3,epsilon=1", "complete"),
        ("randomized-response:n=2,keep=1/10", "complete"),
        ("randomized-response:n=2,keep=1", "complete"),
        ("rappor-permanent:bits=3,f=1/2", "complete"),
        ("unary-encoding:bits=3,epsilon=2", "complete"),
        ("geometric:n=4,alpha=1/3", "path"),
        ("opendp-laplace:scale=2,n=3", "path"),
    ]
)
EPSILONS = st.sampled_from(["0", "1/2", "1", "1.0986", "ln(3)", "ln(9)", "2", "ln(5)/2"])
DELTAS = st.sampled_from(["0", "0", "1/100", "1"])


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(WORDS, EPSILONS, DELTAS)
def test_a_law_and_its_table_are_never_judged_differently(word, epsilon, delta):
    text, near = word
    claim = xdp.PrivacyClaim(epsilon=epsilon, delta=delta)
    by_table = xdp.audit(text, near, claim=claim)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(laws, "require_budget", refuse)
        patch.setattr(laws, "require_powers", refuse)
        by_law = xdp.audit(text, near, claim=claim)
    assert isinstance(by_law.evidence, LawAudit)
    assert by_law.evidence.ratio == by_table.evidence.ratio
    if by_law.evidence.claim_holds is None:
        assert Fraction(delta) > 0
        assert xdp.audit(text, near, claim=xdp.PrivacyClaim(epsilon=epsilon)).refuted
        assert by_law.decision == "undecided"
    else:
        assert by_law.decision == by_table.decision


@pytest.mark.parametrize(
    ("required", "table", "law"),
    [
        ("epsilon <= 1", "fails", "fails"),
        ("epsilon <= ln(9)", "holds", "holds"),
        ("epsilon < ln(9)", "fails", "fails"),
        ("alpha >= 1/9", "holds", "holds"),
        ("epsilon <= 1; delta <= 3/5", "holds", "undecided"),
        ("epsilon <= 3; delta <= 1/100", "holds", "holds"),
        ("epsilon <= 1; delta <= 0", "fails", "fails"),
        ("epsilon <= 3; delta < 0.001", "holds", "holds"),
    ],
)
def test_requirements_are_decided_as_of_a_table_or_not_at_all(nothing_fits, monkeypatch, required, table, law):
    word, listed = "randomized-response:n=2,keep=9/11", required.split("; ")
    found = xdp.audit(word, "complete", require=listed).evidence
    assert isinstance(found, LawAudit)
    statuses = {one.status for one in found.requirements}
    assert max(statuses, key=["holds", "undecided", "fails"].index) == law
    monkeypatch.undo()
    of_table = {one.status for one in xdp.audit(word, "complete", require=listed).evidence.requirements}
    assert max(of_table, key=["holds", "undecided", "fails"].index) == table


def test_what_no_law_decides_is_said_and_is_no_error():
    asked = {"consumers": [xdp.MinimaxConsumer("zero-one")], "deltas": ["1/10"], "require": ["gap <= 5%"]}
    found = xdp.audit(LARGE, "complete", claim=xdp.PrivacyClaim(epsilon=14), **asked)
    gap = "how far from optimal it is for the minimax consumer with loss zero-one"
    assert found.evidence.asked == ("which level δ = 1/10 buys", gap)
    assert f"not judged at this size: which level δ = 1/10 buys; {gap}" in found.claim
    assert (found.decision, found.evidence.of_claim.decision) == ("undecided", "proved")
    assert found.evidence.requirements[0].reason == "not judged at this size"


def test_a_sentence_names_the_law_and_says_that_no_table_was_judged():
    for title in (None, "clicks"):
        titled = {} if title is None else {"title": title}
        claim = xdp.audit(LARGE, "complete", **titled).claim
        assert LARGE in claim
        assert "no table of it was built or judged" in claim
        assert "the table" not in claim


def test_the_neighbours_are_those_of_the_word_where_none_are_said():
    assert str(xdp.audit(LARGE)) == str(xdp.audit(LARGE, "complete"))
    with pytest.raises(ResourceLimitError):
        xdp.audit(LARGE, "cycle")


def test_a_law_with_a_letter_is_refused(nothing_fits):
    with pytest.raises(DomainError, match="an audit is of numbers, and geometric:n=3,alpha=symbolic has a letter"):
        audit_by_law("geometric:n=3,alpha=symbolic", "path")


def test_a_requirement_is_compared_exactly_with_the_claimed_level(nothing_fits):
    found = audit_by_law(
        "geometric:n=3,alpha=1/3", "path", claim=xdp.PrivacyClaim(epsilon="ln(3)"), require=requirements_of(["delta <= 1/9"])
    )
    assert [one.exact == 0 for one in found.evidence.requirements] == [True]
    assert found.proved


def test_two_losses_of_one_name_are_two_questions():
    costs = [xdp.MinimaxConsumer(xdp.Loss([["0", x], ["1", "0"]], name="cost")) for x in ("1", "3")]
    asked = xdp.audit(LARGE, "complete", consumers=costs).evidence.asked
    assert len(asked) == len(set(asked)) == 2
    assert len(xdp.audit(LARGE, "complete", consumers=costs, require=["gap <= 1"]).evidence.requirements) == 2


def test_one_line_says_what_was_asked_and_is_not_judged():
    consumer = xdp.MinimaxConsumer("zero-one")
    asked = xdp.audit("randomized-response:k=5000,epsilon=1", "complete", claim=xdp.PrivacyClaim(epsilon=2), consumers=[consumer])
    assert "not judged at this size: how far from optimal" in repr(asked)
