# SPDX-License-Identifier: MIT
"""A requirement on a printed table holds of all that print so, or fails of all; or it is not certain."""

from __future__ import annotations

from fractions import Fraction

import pytest
from cli_runner import run
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.analysis.printed.printed_requirements import NO_LEVEL, NO_REMAP, NOT_KEPT, STRADDLES
from exactdp.certificate import certify
from exactdp.errors import InputError

HALVES = st.integers(1, 9).map(lambda k: Fraction(k, 10))


def printed(*firsts):
    """The table of two outputs whose first column is printed so, with one digit."""
    return xdp.printed_table([[str(float(x)), str(float(1 - x))] for x in firsts], digits=1)


def tables(*firsts):
    """Tables that print so: the corners, the middle, and points between."""
    places = [Fraction(k, 40) for k in (-2, -1, 0, 1, 2)]
    near = [[x + d for d in places] for x in firsts]
    return [[[x, 1 - x], [y, 1 - y]] for x in near[0] for y in near[1]]


def kept(table, bound, delta, strict):
    """Whether Σ_r max(0, x_r − bound·y_r) ≤ δ for both orders; strict: of a smaller bound, too."""
    pairs = (table, table[::-1])
    worst = max(sum(max(Fraction(0), x - bound * y) for x, y in zip(*pair, strict=True)) for pair in pairs)
    if not strict:
        return worst <= delta
    if delta:
        return worst < delta
    return all(x < bound * y for pair in pairs for x, y in zip(*pair, strict=True))


@given(HALVES, HALVES, st.fractions(Fraction(11, 10), 20, max_denominator=10), st.booleans(), st.sampled_from([0, Fraction(1, 7)]))
def test_a_bound_on_epsilon_against_tables_that_print_so(x, y, bound, strict, delta):
    sign = "<" if strict else "<="
    require = [f"epsilon {sign} ln({bound})", *([f"delta <= {delta}"] if delta else [])]
    verdict = xdp.audit(printed(x, y), "path", require=require)
    one = verdict.evidence.requirements[0]
    found = {kept(table, bound, delta, strict) for table in tables(x, y)}
    if one.status == "holds":
        assert found == {True}
    elif one.status == "fails":
        assert found == {False}
    elif one.reason == STRADDLES:
        ends = verdict.evidence.tightest.evidence
        for table, expected in ((ends.largest.table, "fails"), (ends.smallest.table, "holds")):
            assert xdp.audit(table, "path", require=require).evidence.requirements[0].status == expected
    expected = {one.status for one in verdict.evidence.requirements}
    told = "refuted" if "fails" in expected else "undecided" if "undecided" in expected else "proved"
    assert verdict.decision.value == told


@given(HALVES, HALVES, st.fractions(0, 1, max_denominator=40), st.booleans())
def test_a_bound_on_delta_against_tables_that_print_so(x, y, delta, strict):
    sign = "<" if strict else "<="
    require = ["epsilon <= ln(3)", f"delta {sign} {delta}"]
    one = xdp.audit(printed(x, y), "path", require=require).evidence.requirements[1]
    worst = [max(sum(max(0, a - 3 * b) for a, b in zip(*pair, strict=True)) for pair in (t, t[::-1])) for t in tables(x, y)]
    found = {(w < delta if strict else w <= delta) for w in worst}
    assert {"holds": found == {True}, "fails": found == {False}, "undecided": True}[one.status]
    if one.status == "undecided":
        assert found == {True, False}  # both ends are at corners of so small a box, or at its middle


@given(HALVES, HALVES, st.fractions(0, 1, max_denominator=20))
def test_a_bound_on_a_gap_against_tables_that_print_so(x, y, bound):
    claim, consumer = xdp.PrivacyClaim(epsilon="ln(20)"), xdp.MinimaxConsumer("zero-one")
    one = xdp.audit(printed(x, y), "path", claim=claim, consumers=[consumer], require=[f"gap <= {bound}"]).evidence.requirements[0]
    gaps = [max(t[0][1], t[1][0]) - Fraction(1, 21) for t in tables(x, y)]  # the least loss is 1/(1 + 20)
    if one.status == "holds":
        assert max(gaps) <= bound
    elif one.status == "fails":
        assert min(gaps) > bound
    elif one.reason == STRADDLES:
        assert min(gaps) <= bound < max(gaps)
    else:
        assert one.reason == NOT_KEPT


def test_the_end_of_the_digits_is_decided_exactly():
    """The largest ε of these is ln(0.75/0.25) = ln 3, the smallest ln(0.65/0.35) = ln(13/7)."""
    expected = {
        ("epsilon <= ln(3)", "holds"),
        ("epsilon < ln(3)", "undecided"),
        ("epsilon <= ln(13/7)", "undecided"),
        ("epsilon < ln(13/7)", "fails"),
        ("alpha >= 1/3", "holds"),
        ("alpha > 7/13", "fails"),
    }
    table = printed(Fraction(7, 10), Fraction(3, 10))
    for require, status in expected:
        assert xdp.audit(table, "path", require=[require]).evidence.requirements[0].status == status, require


def test_what_is_not_told_says_why():
    table, consumer = printed(Fraction(7, 10), Fraction(3, 10)), xdp.MinimaxConsumer("zero-one")
    for claim, require, reason in (
        (None, "gap <= 1", NO_LEVEL),
        (xdp.PrivacyClaim(epsilon=1), "gap <= 1", NOT_KEPT),
        (xdp.PrivacyClaim(epsilon=2), "gap after remap <= 1", NO_REMAP),
    ):
        one = xdp.audit(table, "path", claim=claim, consumers=[consumer], require=[require]).evidence.requirements[0]
        assert (one.status, one.reason) == ("undecided", reason)
    with pytest.raises(InputError):
        xdp.audit(table, "path", require=["gap <= 1"])
    with pytest.raises(InputError):
        xdp.audit(table, "path", require=["delta <= 1"])


def test_the_claim_and_what_is_required_are_apart():
    """The claim is true of all that print so; what is required is not: the certificate is about the claim."""
    verdict = xdp.audit(printed(Fraction(7, 10), Fraction(3, 10)), "path", claim=xdp.PrivacyClaim(epsilon=2), require=["epsilon < 1/2"])
    assert verdict.refuted
    assert verdict.evidence.of_claim.proved
    assert "epsilon < 1/2 fails" in verdict.claim
    assert "keeps" in certify(verdict).sentence or "private" in certify(verdict).sentence


@pytest.mark.parametrize(("require", "code"), [("epsilon <= ln(3)", 0), ("epsilon <= 1/2", 1), ("epsilon <= 1", 4)])
def test_the_exit_code_says_it(tmp_path, monkeypatch, require, code):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("0.7,0.3\n0.3,0.7\n")
    (tmp_path / "policy.toml").write_text(f'version = 1\nrequire = ["{require}"]\nneighbours = "path"\n')
    assert run(["audit", "p.csv", "--graph", "path", "--digits", "1", "--require", require]).code == code
    assert run("audit p.csv --digits 1 --policy policy.toml").code == code
