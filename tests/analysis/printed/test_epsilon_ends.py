# SPDX-License-Identifier: MIT
"""The two ends of ε of a printed table, what its digits decide, and the certificates of each part."""

from __future__ import annotations

import random

import pytest
from printed_boxes import differences

from exactdp import (
    Metric,
    MinimaxConsumer,
    PrivacyLevel,
    TightestLevel,
    best_remap,
    certify,
    geometric,
    is_optimal_after_remap,
    is_private,
    is_stochastic,
    level_for_delta,
    neighbours,
    printed_table,
    tightest_level,
    verify,
)
from exactdp.analysis.printed.epsilon_ends import privacy_as_printed
from exactdp.analysis.printed.printed_audit import ends, halves
from exactdp.errors import CertificateError, DomainError, InputError, LabelError
from exactdp.exact import Rational
from exactdp.search.printed import best_level as search

FOUR = printed_table([["0.0001", "0.9999"], ["0.0001", "0.9999"]], digits=4)
ONE = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)


def rounded(mechanism, digits):
    """A mechanism as it prints with so many digits: ties up."""
    scale = 10**digits
    rows = []
    for row in mechanism.rows():
        whole = [(2 * x.numerator * scale + x.denominator) // (2 * x.denominator) for x in row]
        rows.append([f"{x // scale}.{x % scale:0{digits}d}" for x in whole])
    return printed_table(rows, digits=digits)


def kinds(parts):
    return {name: certify(verdict).kind for name, verdict in parts.items()}


def test_four_digits_of_two_equal_rows_do_not_say_that_epsilon_is_zero():
    e = tightest_level(FOUR, "path:2").evidence
    assert (e.largest.tightest, e.smallest.tightest) == (TightestLevel("1/3"), TightestLevel(1))
    assert tightest_level(FOUR, "path:2").decision.value == "undecided"
    assert "ε lies between 0 and ln(3) ≈ 1.098612" in tightest_level(FOUR, "path:2").claim
    for table, level in ((e.largest.table, "1/3"), (e.smallest.table, 1)):
        assert FOUR.contains(table)
        assert tightest_level(table, "path:2").evidence.tightest == TightestLevel(level)


@pytest.mark.parametrize(("level", "decision"), [("1/3", "proved"), ("1/2", "undecided"), ("999999/1000000", "undecided")])
def test_what_four_digits_decide(level, decision):
    assert is_private(FOUR, "path:2", level).decision.value == decision


@pytest.mark.parametrize(
    ("level", "decision"),
    [("5/11", "proved"), ("5001/11000", "undecided"), ("7/9", "undecided"), ("7001/9000", "refuted"), ("99/100", "refuted")],
)
def test_what_one_digit_decides_at_and_beside_both_ends(level, decision):
    verdict = is_private(ONE, "path:2", level)
    assert verdict.decision.value == decision
    assert ("For the tables that print so with 1 digit, ε lies between" in verdict.claim) == (decision == "undecided")
    assert str(verdict.scope).startswith("this instance: all tables that print so with 1 digit")


@pytest.mark.parametrize(("epsilon", "decision"), [("ln(11/5)", "proved"), (1, "proved"), ("1/2", "undecided"), ("1/4", "refuted")])
def test_levels_that_are_given_as_epsilon(epsilon, decision):
    verdict = privacy_as_printed(ONE, "path:2", PrivacyLevel(epsilon=epsilon))
    assert verdict.decision.value == decision
    parts = halves(verdict) if decision == "undecided" else {"claim": verdict}
    for part in parts.values():
        assert verify(certify(part)).status == "accepted"


def test_random_boxes_of_digits_against_their_vertices():
    rng = random.Random(random.randrange(2**32))
    for _ in range(25):
        found, _ = differences(rng, certified=True)
        assert found == []


@pytest.fixture
def without_highs(monkeypatch):
    monkeypatch.setattr("exactdp.lp.highs._highspy", lambda: None)


@pytest.mark.usefixtures("without_highs")
def test_random_boxes_of_digits_against_their_vertices_by_exact_pivots_alone():
    rng = random.Random(random.randrange(2**32))
    assert [said for _ in range(25) for said in differences(rng)[0]] == []


@pytest.mark.usefixtures("without_highs")
def test_exact_pivots_go_on_from_the_basis_of_the_level_before(monkeypatch):
    """Other constraints are asked at each level; to begin anew took half a minute for twelve inputs."""
    table, pivots = rounded(geometric(6, "1/2"), 3), []

    def ends_and_pivots():
        counted = []
        found = privacy_as_printed(table, "path", progress=lambda event: counted.append(event) if event.unit == "pivots" else None)
        pivots.append(len(counted))
        return found

    found = ends_and_pivots()
    monkeypatch.setattr(search.LevelProgram, "_begun", lambda *_: None)
    cold = ends_and_pivots()
    assert 2 * pivots[0] < pivots[1]
    least, most = found.evidence.smallest.tightest, found.evidence.smallest.bound
    assert certify(ends(found.evidence)["smallest-epsilon"]).kind
    assert cold.evidence.smallest.tightest <= most
    assert least <= cold.evidence.smallest.bound
    assert table.contains(found.evidence.smallest.table)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_two_thousand_boxes_of_digits_against_their_vertices():
    rng = random.Random(20)
    assert [said for _ in range(2000) for said in differences(rng)[0]] == []


def test_an_algebraic_end_is_enclosed_and_both_bounds_have_certificates():
    table = rounded(geometric(3, "1/2"), 4)
    e = privacy_as_printed(table, "path:4").evidence.smallest
    assert not e.exact
    assert e.tightest < e.bound
    assert e.bound.value - e.tightest.value < Rational(1, 10**12)
    assert table.contains(e.table)
    assert tightest_level(e.table, "path:4").evidence.tightest == e.tightest
    none = certify(ends(privacy_as_printed(table, "path:4").evidence)["smallest-epsilon"])
    assert (none.kind, none.claim["level"]) == ("no-table-private", str(e.bound))
    some = halves(privacy_as_printed(table, "path:4", e.tightest.value))["some-table"]
    assert certify(some).kind == "some-table-private"
    assert is_private(table, "path:4", e.bound.value).refuted


def test_claims_inside_of_an_enclosure_are_decided_too():
    table = rounded(geometric(3, "1/2"), 4)
    e = privacy_as_printed(table, "path:4").evidence.smallest
    middle = (e.tightest.value + e.bound.value) / 2
    verdict = is_private(table, "path:4", middle)
    assert verdict.decision.value in {"undecided", "refuted"}
    assert (verdict.evidence.private is None) == verdict.refuted


@pytest.mark.parametrize("level", [None, "1/2", "2/5", "4/5"])
def test_every_part_has_a_certificate_that_the_checker_accepts(level):
    verdict = privacy_as_printed(ONE, "path:2", level)
    parts = {None: ["largest-epsilon", "smallest-epsilon"], "1/2": ["some-table", "not-all-tables"]}
    if level in parts:
        found = kinds(halves(verdict))
        assert list(found) == parts[level]
        with pytest.raises(CertificateError, match="undecided"):
            certify(verdict)
    else:
        assert certify(verdict).kind == {"2/5": "all-tables-private", "4/5": "no-table-private"}[level]
    assert kinds(ends(verdict.evidence)) == {"largest-epsilon": "level-of-all-tables", "smallest-epsilon": "level-of-some-table"}


@pytest.mark.parametrize(("distance", "largest", "smallest"), [(2, "(5/11)^(1/2)", "(7/9)^(1/2)"), ("1/2", "25/121", "49/81")])
def test_distances_scale_epsilon(distance, largest, smallest):
    near = Metric(range(2), [(0, 1, distance)])
    found = privacy_as_printed(ONE, near).evidence
    assert str(found.largest.tightest) == largest
    assert (str(found.smallest.tightest), found.smallest.exact) == (smallest, True)
    assert certify(ends(found)["smallest-epsilon"]).kind == "level-of-some-table"
    assert certify(ends(found)["largest-epsilon"]).kind == "level-of-all-tables"


def test_an_irrational_distance_has_a_bound_and_is_never_guessed():
    near = Metric(range(2), [(0, 1, "sqrt(2)")])
    found = privacy_as_printed(ONE, near).evidence
    assert str(found.largest.tightest) == "(5/11)^(1/sqrt(2))"
    assert not found.smallest.exact
    assert is_private(ONE, near, "1/2").proved
    assert is_private(ONE, near, "9/10").refuted
    verdict = is_private(ONE, near, "3/4")
    assert verdict.decision.value == "undecided"
    assert "was not decided" in verdict.claim


def test_a_table_that_is_too_large_for_a_linear_program_keeps_its_closed_forms(monkeypatch):
    small = privacy_as_printed(rounded(geometric(4, "1/2"), 3), "path:5").evidence
    monkeypatch.setattr(search, "MOST_ENTRIES", 1)
    large = privacy_as_printed(rounded(geometric(4, "1/2"), 3), "path:5").evidence
    assert large.largest.tightest == small.largest.tightest
    assert large.smallest.tightest <= small.smallest.tightest <= large.smallest.bound
    verdict = is_private(rounded(geometric(4, "1/2"), 3), "path:5", "501/1000")
    assert verdict.decision.value in {"undecided", "refuted"}
    assert not is_private(rounded(geometric(4, "1/2"), 3), "path:5", "49/100").refuted


def test_zeros_that_are_certain_and_zeros_that_are_printed():
    certain = printed_table([["0/1", "1/1"], ["0.5", "0.5"]], digits="auto")
    e = privacy_as_printed(certain, "path:2").evidence
    assert (e.largest.tightest.ratio, e.smallest.tightest.ratio, e.smallest.exact) == (0, 0, True)
    assert is_private(certain, "path:2", "1/1000").refuted
    printed = printed_table([["0.0", "1.0"], ["0.5", "0.5"]], digits="auto")
    e = privacy_as_printed(printed, "path:2").evidence
    assert (e.largest.tightest.ratio, e.smallest.tightest) == (0, TightestLevel("1/9"))
    assert is_private(printed, "path:2", "1/1000").decision.value == "undecided"
    beside = printed_table([["0/1", "0.5", "0.5"], ["0.0", "0.5", "0.5"]], digits="auto")
    e = privacy_as_printed(beside, "path:2").evidence
    assert (e.largest.tightest.ratio, e.smallest.tightest) == (0, TightestLevel(1))


def test_a_zero_passes_along_a_chain_of_neighbours():
    table = printed_table([["0/1", "1/1"], ["0.0", "1.0"], ["0.5", "0.5"]], digits="auto")
    assert is_private(table, "path:3", "1/1000").refuted
    assert not is_private(table, "path:3", "1/1000").evidence.smallest.tightest.ratio


def test_which_constraints_are_tight_or_violated():
    fixed = printed_table([["1/4", "3/4"], ["1/2", "1/2"]], digits="auto")
    e = is_private(fixed, "path:2", "1/2").evidence
    assert [(c.low, c.high, c.output) for c in e.tight] == [(0, 1, 0)]
    assert (e.tightenable, e.violated, e.violable) == ((), (), ())
    e = is_private(ONE, "path:2", "4/5").evidence
    assert [(c.low, c.high, c.output) for c in e.violated] == [(0, 1, 0)]
    assert [(c.low, c.high, c.output) for c in e.violable] == [(1, 0, 1)]
    assert [(c.low, c.high, c.output) for c in e.tightenable] == [(1, 0, 1)]


def test_a_fixed_table_has_one_level_and_it_is_proved():
    verdict = tightest_level(printed_table([["1/4", "3/4"], ["1/2", "1/2"]], digits="auto"), "path:2")
    assert verdict.proved
    assert "is α = 1/2 (ε = ln(2)" in verdict.claim
    assert certify(verdict).kind == "level-of-all-tables"


def test_labels_are_matched_and_letters_are_refused():
    named = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], ["a", "b"], digits=1)
    assert is_private(named, neighbours("path:2").relabelled(["b", "a"]), "2/5").proved
    with pytest.raises(LabelError):
        is_private(named, "path:2", "1/2")
    with pytest.raises(DomainError, match="stands for more than one number"):
        is_private(ONE, "path:2", PrivacyLevel.symbolic())


OTHERS = {
    "level_for_delta": lambda: level_for_delta(ONE, "path", 0),
    "is_stochastic": lambda: is_stochastic(ONE),
    "best_remap": lambda: best_remap(ONE, MinimaxConsumer("abs")),
    "is_optimal_after_remap": lambda: is_optimal_after_remap(ONE, "path", "1/2", MinimaxConsumer("abs")),
}


@pytest.mark.parametrize("ask", OTHERS)
def test_other_questions_refuse_a_printed_table(ask):
    with pytest.raises(InputError, match="is a printed table, which stands for all mechanisms that print so"):
        OTHERS[ask]()


def test_a_search_that_is_stopped_tells_what_is_certain():
    table = rounded(geometric(7, "3/4"), 6)
    full = privacy_as_printed(table, "path:8").evidence
    for level, decision in (("1/2", "proved"), ("999/1000", "refuted"), ("3/4", "undecided")):
        verdict = privacy_as_printed(table, "path:8", level, time_limit=0.001)
        assert verdict.decision.value == decision
        e = verdict.evidence
        assert e.largest.tightest == full.largest.tightest
        assert e.smallest.tightest <= full.smallest.tightest <= e.smallest.bound
        assert table.contains(e.smallest.table)
