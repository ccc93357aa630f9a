# SPDX-License-Identifier: MIT
"""The claims of the second paper: every entry of the inventory is there, and the facts that decide them are
recomputed here by hand.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

from exactdp.papers.elsalamouny_tight_constraints import bounds, cases, regions, tight
from exactdp.papers.elsalamouny_tight_constraints import cases as hamming
from exactdp.papers.record import Printed, Status, load_paper

PAPER = load_paper("elsalamouny_tight_constraints")
RECORD = {claim.id.split("/")[1]: claim for claim in PAPER.claims}
SLOW = {"S6a", "S6b", "S6c", "F6"}


def test_the_inventory_is_covered():
    assert len(PAPER.claims) == 58
    refuted = {name for name, claim in RECORD.items() if claim.status is Status.REFUTED}
    assert refuted == {"NEST", "TH1b", "E3a", "E3b", "E3c", "C2", "S6a", "S6b", "S6c", "MONO", "F6", "CONC", "LINES", "ONLY"}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(RECORD) - SLOW))
def test_the_status_is_the_one_computed(name):
    module, function = RECORD[name].replay.split(".")
    home = __import__(f"exactdp.papers.elsalamouny_tight_constraints.{module}", fromlist=[function])
    finding = getattr(home, function)(Printed(PAPER.folder))
    assert finding.status.fits(RECORD[name].status)
    assert set(finding.verdicts) == set(RECORD[name].certificates)


def test_example_3_by_hand():
    """Regular iff 1/5 ≥ α/(1 + 3α); the entry of y that fails at ε = 0.48; the leakage at ε = 1/2."""
    p = [0.3, 0.27, 0.23, 0.2]
    t = math.exp(-0.48)
    y = [(x - t / (1 + 3 * t)) / (1 - t) for x in p]
    entries = [math.prod(y[v] for v in word) for word in product(range(4), repeat=5)]
    assert min(entries) == pytest.approx(-1.0e-4, rel=0.02)
    t = math.exp(-0.5)
    assert 5 * math.log2(8 / (3 * (1 + 2 * t))) == pytest.approx(1.3449, abs=1e-4)
    assert 5 * math.log2(4 / (1 + 3 * t)) == pytest.approx(2.5225, abs=1e-4)
    assert "1.34" in hamming.example_3_bound(Printed(PAPER.folder)).detail


def test_the_six_answers_by_hand():
    """At 2a² = 1 the rows of the counterexample to Corollary 2 sum to 1, are private, and have the utility
    a/3.
    """
    a = math.sqrt(0.5)
    outer = [0, 3 - 4 * a, 2 * a - 1, 2 * a - 1, 0, 0]
    rows = [
        outer,
        [0, 6 * a - 4, 4 - 5 * a, 1 - a, 0, 0],
        [0, 3 * a - 2, 2 - 2 * a, 1 - a, 0, 0],
        [0, 3 * a - 2, 1 - a, 2 - 2 * a, 0, 0],
        outer,
        outer,
    ]
    assert all(math.isclose(sum(row), 1) for row in rows)
    assert min(map(min, rows)) >= 0
    edges = [(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5)]
    assert all(rows[i][k] >= a * rows[j][k] - 1e-12 for i, j in edges + [(j, i) for i, j in edges] for k in range(6))
    assert sum(rows[i][i] for i in range(6)) / 6 == pytest.approx(a / 3)
    assert tight.corollary_2(Printed(PAPER.folder)).status is Status.REFUTED


def test_the_determinant_of_appendix_b_by_hand():
    """K_{4,4}: (1 + 3a² + 4a)(1 + 3a² − 4a)(1 − a²)⁶ at some rational levels."""
    from exactdp.analysis.tight.levels import determinant_of
    from exactdp.papers.elsalamouny_tight_constraints.common import halves

    det = determinant_of(halves())
    for a in (Fraction(1, 5), Fraction(1, 3), Fraction(3, 4)):
        expected = (1 + 3 * a * a + 4 * a) * (1 + 3 * a * a - 4 * a) * (1 - a * a) ** 6
        assert Fraction(str(det.evaluate(str(a)))) == expected
    assert cases.appendix_b(Printed(PAPER.folder)).status is Status.CERTIFIED


def test_a_false_step_would_be_noticed(monkeypatch):
    """With another question answered, the replays change their minds."""
    monkeypatch.setattr(regions, "regular_bounds", lambda near, level: ((0, 0),) * len(near.vertices))
    assert regions.corner_priors(Printed(PAPER.folder)).status is Status.REFUTED
    assert regions.proposition_3(Printed(PAPER.folder)).status is Status.REFUTED
    monkeypatch.setattr(bounds, "utility", lambda m, prior: max(prior.weights) * 9)
    assert bounds.theorem_1_bound(Printed(PAPER.folder)).status is Status.REFUTED
