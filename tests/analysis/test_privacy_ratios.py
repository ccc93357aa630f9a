# SPDX-License-Identifier: MIT
"""The constraints of rational tables as integers: the same evidence as constraint by constraint."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.analysis import privacy_survey
from exactdp.analysis.privacy import is_private, tightest_level
from exactdp.analysis.privacy_ratios import RowLogarithms, least_of_rows
from exactdp.model import Mechanism, Metric, PrivacyLevel, neighbours
from exactdp.model.level import level_for

LEVELS = (None, "1/2", "1/4", "3/4", "ε = 1", "ε = 1/10")


def table(rng, n):
    """Rows of small integers over their sums; some ratios are powers of 1/2, some entries are 0."""
    width = rng.randrange(1, 4)
    rows = []
    for _ in range(n):
        row = [rng.choice((0, 1, 2, 4, 3)) for _ in range(width)]
        row[rng.randrange(width)] += 1
        rows.append([Fraction(x, sum(row)) for x in row])
    return rows


@pytest.mark.parametrize("limits", [{"MANY": 0, "PAIRS": 0}, {"LONG": 0}, {}], ids=["numpy", "logarithms", "integers"])
@settings(max_examples=80)
@given(
    st.sampled_from(["euclid:2x2", "euclid:2x3", "grid:2x3", "cycle:4", "path:3", "metric"]), st.sampled_from(LEVELS), st.integers(0, 10**6)
)
def test_the_same_evidence_as_constraint_by_constraint(limits, shape, level, seed):
    rng = random.Random(seed)
    if shape == "metric":
        points = sorted(rng.sample(range(9), 3))
        triples = [(i, j, Fraction(points[j] - points[i], 2)) for i in range(3) for j in range(i + 1, 3)]
        near = Metric(range(3), triples)
    else:
        near = neighbours(shape)
    mechanism = Mechanism(table(rng, len(near.vertices)), near.vertices)
    if level is None:

        def ask():
            return tightest_level(mechanism, near)
    else:
        at = level_for(near, level[4:]) if level.startswith("ε") else PrivacyLevel(level)

        def ask():
            return is_private(mechanism, near, at)

    with pytest.MonkeyPatch.context() as patch:
        for name, limit in limits.items():
            patch.setattr(privacy_survey, name, limit)
        ours = ask()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(privacy_survey, "IntegerSurvey", privacy_survey.Survey)
        theirs = ask()
    assert str(ours) == str(theirs)
    for name in ("tightest", "attained", "tight", "violated", "unfinished"):
        assert getattr(ours.evidence, name) == getattr(theirs.evidence, name)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6))
def test_the_least_ratio_of_two_rows(entries):
    ratios = [(Fraction(min(x, y), max(x, y)), r) for r, (x, y) in enumerate(entries) if x or y]
    found = least_of_rows(*zip(*entries, strict=True))
    if not ratios:
        assert found is None
        return
    least, place = min(ratios)
    x, y = entries[place]
    assert (Fraction(found.smaller, found.larger), found.output, found.swapped) == (least, place, x > y)


INTEGERS = st.one_of(st.just(0), st.integers(0, 9), st.integers(0, 1 << 1200), st.integers((1 << 1199) - 2, (1 << 1199) + 2))


@settings(max_examples=200)
@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.lists(INTEGERS, min_size=n, max_size=n), min_size=2, max_size=4)), st.booleans())
def test_logarithms_lead_to_the_ratio_of_the_integers(rows, many):
    """Also of integers that differ in the last bit, beside the least ratio so far."""
    logarithms = RowLogarithms(rows, many=many)
    ours = theirs = None
    for i in range(len(rows)):
        others = list(range(i + 1, len(rows)))
        for j, apart in zip(others, logarithms.apart(i, others), strict=True) if others else ():
            ours = logarithms.least_ratio(i, j, apart, ours)
            theirs = least_of_rows(rows[i], rows[j], theirs)
            assert ours == theirs
