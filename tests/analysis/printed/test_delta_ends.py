# SPDX-License-Identifier: MIT
"""The two ends of δ of a printed table, against vertices of rows, all events, and another linear program."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import as_fraction
from printed_oracle import best_delta, row_vertices, worst_delta
from printed_pool import pool

from exactdp import Metric, certify, neighbours
from exactdp.analysis.printed.delta_ends import delta_as_printed
from exactdp.analysis.printed.printed_audit import ends
from exactdp.certificate.certificate import Certificate
from exactdp.certificate.printed import not_all_approximately_private, some_approximately_private
from exactdp.checker import check_bytes
from exactdp.errors import DomainError, LabelError, ParameterRangeError
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.model.labels import as_labels
from exactdp.model.printed import PrintedTable, printed_table

FEW = settings(max_examples=40)


def table(lower, upper):
    low, high = (ExactMatrix([[Rational(x.numerator, x.denominator) for x in row] for row in rows], QQ) for rows in (lower, upper))
    return PrintedTable(low, low, high, as_labels(None, len(lower)), as_labels(None, len(lower[0])), "auto")


def box(rng, rows, columns):
    """Bounds of digits, or any."""
    lower, upper = [], []
    for _ in range(rows):
        while True:
            if rng.random() < 0.5:
                unit = rng.choice([4, 10, 20])
                weights = [rng.randint(0, unit) for _ in range(columns)]
                halves = [rng.choice([F(1, 2), F(1, 2), F(0)]) for _ in range(columns)]
                printed = [round(F(x * unit, sum(weights) or 1)) for x in weights]
                low = [max(F(0), (x - h) / unit) for x, h in zip(printed, halves, strict=True)]
                high = [min(F(1), (x + h) / unit) for x, h in zip(printed, halves, strict=True)]
            else:
                ends = [sorted(F(rng.randint(0, 12), 12) for _ in range(2)) for _ in range(columns)]
                low, high = ([pair[k] for pair in ends] for k in range(2))
            if sum(low) <= 1 <= sum(high):
                break
        lower.append(low)
        upper.append(high)
    return lower, upper


def agree(rng):
    """One box: both ends with certificates, and claims around them."""
    rows = rng.choice([2, 2, 3])
    lower, upper = box(rng, rows, rng.choice([1, 2, 3, 3, 4]))
    printed, level = table(lower, upper), rng.choice([None, "1/2", "1/3", "9/10", "1/7"])
    near = neighbours(rng.choice([f"path:{rows}", f"complete:{rows}"]))
    factor = F(1) if level is None else 1 / F(level)
    pairs = [(a, b, factor) for i, j, _ in near.pairs() for a, b in ((i, j), (j, i))]
    worst, best = worst_delta(lower, upper, pairs), best_delta(lower, upper, pairs)
    largest, smallest = both_ends(printed, near, level)
    assert (as_fraction(largest.evidence.delta), as_fraction(largest.evidence.bound)) == (worst, worst)
    assert (as_fraction(smallest.evidence.delta), as_fraction(smallest.evidence.bound)) == (best, best)
    assert certify(largest).kind == "delta-of-all-tables"
    assert certify(smallest).kind == "delta-of-some-table"
    for asked in {worst, best, (worst + best) / 2, best * F(2, 3), F(1, 3)}:
        verdict = delta_as_printed(printed, near, level, str(asked))
        assert verdict.decision.value == ("proved" if worst <= asked else "refuted" if best > asked else "undecided")
        if verdict.decision.value == "undecided":
            accepted(not_all_approximately_private(verdict.evidence))
            accepted(some_approximately_private(verdict.evidence))
        else:
            certify(verdict)


def both_ends(*asked, **how):
    """The verdicts about the largest and the least δ."""
    said = ends(delta_as_printed(*asked, **how).evidence)
    return said["largest-delta"], said["smallest-delta"]


def accepted(parts):
    claim, definitions, witness = parts
    answer = check_bytes(Certificate(claim, definitions.objects, witness).to_json().encode())
    assert answer.status == "accepted", answer


@given(st.integers(0, 10**9))
@FEW
def test_both_ends_by_enumeration(seed):
    agree(random.Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_two_thousand_boxes(seed):
    rng = random.Random(seed)
    for _ in range(100):
        agree(rng)


CASES = pool()["all-approximate-cases"]["definitions"]["P"]


def cases():
    rows = ([[F(int(x), int(row["den"])) for x in row["num"]] for row in CASES[key]] for key in ("lower", "upper"))
    return table(*rows)


def test_a_search_that_stops_has_a_bound():
    """Without a split the bound is larger than what is attained; it is certified all the same."""
    stopped, _ = both_ends(cases(), "path:2", None, nodes=1)
    assert not stopped.evidence.exact
    assert stopped.evidence.delta < stopped.evidence.bound
    assert "is between" in stopped.claim
    assert certify(stopped).kind == "all-tables-approximately-private"
    whole = delta_as_printed(cases(), "path:2", None).evidence.largest
    assert stopped.evidence.delta <= whole.delta == whole.bound < stopped.evidence.bound
    between = (whole.bound + stopped.evidence.bound) / 2
    assert delta_as_printed(cases(), "path:2", None, between, nodes=1).decision.value == "undecided"
    assert delta_as_printed(cases(), "path:2", None, between).proved


def test_distances_count():
    """At the distance 2 the factor is e^(2ε)."""
    printed = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    far, near = (Metric(["0", "1"], [(0, 1, d)]) for d in ("2", "1"))
    labelled = printed.relabelled(["0", "1"])
    for one, other in zip(both_ends(labelled, far, "1/2"), both_ends(labelled, near, "1/4"), strict=True):
        assert one.evidence.delta == other.evidence.delta
    certify(both_ends(labelled, far, "3/4")[0])
    certify(both_ends(labelled, Metric(["0", "1"], [(0, 1, "1/2")]), "9/16")[1])


@pytest.mark.parametrize("level", ["epsilon=1/2", "epsilon=1/10"])
def test_levels_given_as_epsilon(level):
    printed = printed_table([["0.3", "0.6", "0.1"], ["0.5", "0.3", "0.2"], ["0.5", "0.4", "0.1"]], digits=1)
    largest, smallest = both_ends(printed, "path:3", level)
    assert 0 <= smallest.evidence.delta <= largest.evidence.delta
    assert largest.evidence.exact
    assert smallest.evidence.exact
    certify(largest)
    certify(smallest)
    for asked in ("1/3", "1/1000", "1/10"):
        verdict = delta_as_printed(printed, "path:3", level, asked)
        if verdict.decision.value != "undecided":
            certify(verdict)


def test_a_table_too_large_for_a_linear_program_has_a_bound(monkeypatch):
    monkeypatch.setattr("exactdp.analysis.printed.delta_ends.MOST_ENTRIES", 1)
    printed = printed_table([["0.1", "0.9"], ["0.9", "0.1"]], digits=1)
    _, found = both_ends(printed, "path:2", "1/2")
    assert 0 < found.evidence.bound < found.evidence.delta
    assert "is between" in found.claim
    assert certify(found).kind == "some-table-approximately-private"
    refuted = delta_as_printed(printed, "path:2", "1/2", "1/10")
    assert refuted.decision.value == "refuted"
    certify(refuted)


def test_nothing_is_constrained():
    printed = printed_table([["0.3", "0.7"]], digits=1)
    verdict = delta_as_printed(printed, "path:1", "1/2", 0)
    assert verdict.proved
    certify(verdict)


def test_rows_in_another_order():
    printed = printed_table([["0.3", "0.7"], ["0.5", "0.5"], ["0.9", "0.1"]], ["b", "a", "c"], digits=1)
    graph = Metric(["a", "b", "c"], [(0, 1, "1")])
    straight = printed_table([["0.5", "0.5"], ["0.3", "0.7"]], ["a", "b"], digits=1)
    moved, expected = (both_ends(*asked, None)[0] for asked in ((printed, graph), (straight, Metric(["a", "b"], [(0, 1, "1")]))))
    assert moved.evidence.delta == expected.evidence.delta


def test_misuse_is_refused():
    printed = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    with pytest.raises(DomainError):
        delta_as_printed(printed, "path:2", "symbolic")
    with pytest.raises(ParameterRangeError):
        delta_as_printed(printed, "path:2", "1/2", "3/2")
    with pytest.raises(LabelError):
        delta_as_printed(printed, "path:3", "1/2")


def test_the_oracle_sees_the_vertices_of_a_row():
    assert row_vertices([F(0), F(0)], [F(1, 2), F(1)]) == [(F(0), F(1)), (F(1, 2), F(1, 2))]


def test_both_ends_name_the_level_wherever_they_are_said():
    """As parts of an audit they were "the largest δ of the tables that print so", at whatever ε."""
    printed = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    said = ends(delta_as_printed(printed, "path:2", None).evidence)
    of = "of the tables that print so with 1 digit on path:2"
    for part, which, number in (("largest-delta", "largest", "3/10"), ("smallest-delta", "least", "1/10")):
        assert said[part].claim == f"The {which} value of the least δ with ε = 0, {of}, is {number}"
