# SPDX-License-Identifier: MIT
"""What the replays stand on: identities by evaluation, families of private mechanisms, Lemma 5's pattern,
averaging over query classes.
"""

from __future__ import annotations

import pytest

from exactdp.analysis import is_private
from exactdp.cli.demo_cases import absolute, consumers, path, tolerant
from exactdp.exact import QQ, Rational
from exactdp.mechanisms import geometric
from exactdp.model import Mechanism, PrivacyLevel
from proofs.gupte_sundararajan import examples as oblivious
from proofs.gupte_sundararajan import optimality as chain
from proofs.gupte_sundararajan.common import (
    definition_4,
    is_identity,
    two_output_mechanisms,
)
from proofs.gupte_sundararajan.optimality import moved, pattern, uncrossed


def test_an_identity_needs_its_full_degree():
    roots = [2, 3, 4]
    almost = lambda x: (x - roots[0]) * (x - roots[1]) * (x - roots[2])  # noqa: E731
    assert is_identity(almost, 2), "a cubic can vanish on three points"
    assert not is_identity(almost, 3)
    assert is_identity(lambda x, y: (x - y) * (x + y) - x * x + y * y, 2, 2)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("alpha", ["1/4", "9/10"])
def test_two_output_mechanisms_are_private_and_no_more(n, alpha):
    found = list(two_output_mechanisms(n, Rational(alpha)))
    assert len(found) == 3**n
    verdicts = [is_private(m, path(n), PrivacyLevel(alpha)) for m in found]
    assert all(v.proved for v in verdicts)
    assert sum(not v.evidence.tight for v in verdicts) == 1, "only the constant profile is more private"


def test_definition_4_is_the_geometric_mechanism_inside_and_the_ends_are_as_printed():
    assert definition_4(3, Rational("1/4")) == geometric(3, "1/4").matrix
    assert definition_4(2, QQ.zero).det() == 1
    assert definition_4(2, QQ.one).row(1) == (Rational("1/2"), 0, Rational("1/2"))


def test_every_consumer_has_a_monotone_loss():
    found = list(consumers(3))
    assert len(found) == 60
    assert all(consumer.loss.is_monotone() for consumer in found)
    assert tolerant(3).matrix.row(0) == (0, 0, 1, 1)


def test_the_pattern_of_a_mechanism_that_breaks_it_is_mended():
    third = Rational("1/3")
    flat = Mechanism([[third] * 3] * 3)
    assert pattern(flat, Rational("1/2"), 0) == (0, 3)
    mended = uncrossed(flat, Rational("1/2"))
    assert mended is not None
    assert all(s <= p + 1 for i in range(2) for p, s in [pattern(mended, Rational("1/2"), i)])
    assert is_private(mended, path(2), PrivacyLevel("1/2")).proved
    assert absolute(2).loss_of(mended) <= absolute(2).loss_of(flat)
    assert uncrossed(flat, Rational("1/2"), limit=0) is None


def test_a_step_of_the_perturbation_by_hand():
    """Rows 1, 2 cross at columns 0, 1; 1 > 1/2, so row 2 moves 3/4 of its column 0 to column 1."""
    x = Mechanism([["2/3", "1/3", 0], ["1/3", "2/3", 0], ["2/3", "1/3", 0]])
    after = moved(x, Rational("1/2"))
    assert after == Mechanism([["2/3", "1/3", 0], ["1/3", "2/3", 0], ["1/6", "5/6", 0]])
    assert moved(after, Rational("1/2")) is None
    # as printed the rows 0, 1 move; then column 0 falls below α times row 2 for every δ
    printed = Mechanism([["1/2", "1/2", 0], ["1/4", "3/4", 0], ["2/3", "1/3", 0]])
    assert is_private(printed, path(2), PrivacyLevel("1/2")).refuted


def test_zero_columns_belong_to_both_kinds():
    constant = Mechanism([[0, 1, 0], [0, 1, 0]])
    assert pattern(constant, Rational("1/2"), 0) == (1, 2)


def test_averaging_over_query_classes():
    rows = [[1, 0], ["1/2", "1/2"], ["1/4", "3/4"], [0, 1]]
    mechanism = Mechanism(rows, ["00", "01", "10", "11"])
    assert oblivious.averaged(mechanism, 2).matrix.row(1) == (Rational("3/8"), Rational("5/8"))


def test_the_printed_step_of_display_3_fails_where_the_repaired_one_holds():
    a = Rational("1/2")
    cases = [rows for rows in chain._patterned(a, 2) if chain._violated(a, rows)]
    assert cases
    later = [rows.columns[rows.k] for rows in cases if rows.k == 1 and chain._value(a, rows.columns[0]) < 0]
    assert later
    assert all(a * below == middle for _, middle, below in later)
    assert any(a * below != b for b, _, below in later)
