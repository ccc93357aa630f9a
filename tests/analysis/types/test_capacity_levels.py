# SPDX-License-Identifier: MIT
"""Capacities with letters: at sample levels they are those of the type at that level, asked on its own."""

from __future__ import annotations

import json

import pytest

from exactdp import Graph, Mechanism, RationalFunctionField, Region, RegionField, certify, neighbours
from exactdp.analysis.leakage import CAPACITIES, TypeCapacityEvidence, capacity, type_capacity
from exactdp.analysis.types.capacity_levels import CapacityLevels, CapacityParts
from exactdp.checker import check_bytes
from exactdp.errors import CertificateError
from exactdp.exact import Interval, Rational
from exactdp.report.registry import verdict_json
from exactdp.report.text import verdict_text

SAMPLES = ("1/100", "1/5", "1/3", "2/5", "1/2", "3/5", "4/5", "99/100")


TREE = Graph(range(5), [(0, 1), (0, 2), (0, 3), (3, 4)])
"""A star of four with one edge longer."""


@pytest.mark.parametrize("spec", ["star:4", "star:5", TREE], ids=str)
def test_by_pieces_as_at_single_levels(spec):
    """Where a sign changes there are pieces; each of their formulas is right at levels inside."""
    near = neighbours(spec)
    verdict = type_capacity(near, "a")
    found = verdict.evidence
    assert verdict.proved
    assert isinstance(found, CapacityLevels)
    assert len(found.values) > 1
    assert found.pieces.interval == found.values.interval == Interval(0, 1)
    for x in map(Rational, SAMPLES):
        here = [value.evaluate(x) if hasattr(value, "evaluate") else value for part, value in found.values if part.contains(x)]
        assert here
        assert set(here) == {type_capacity(near, x).evidence.value}
    for part, attained in found.pieces:
        x = part.sample()
        rows = [[entry.evaluate(x) for entry in row] for row in attained.mechanism.rows()]
        assert capacity(Mechanism(rows)).evidence.value == attained.value.evaluate(x)
    assert check_bytes(certify(verdict).to_json().encode()).status == "accepted"


def test_a_wrong_piece_is_rejected():
    """Each formula moved to the other piece."""
    text = json.loads(certify(type_capacity(neighbours("star:4"), "a")).to_json())
    first, second = text["claim"]["pieces"]
    first["claim"]["value"], second["claim"]["value"] = second["claim"]["value"], first["claim"]["value"]
    assert check_bytes(json.dumps(text).encode()).status == "rejected"


@pytest.mark.parametrize("kind", CAPACITIES)
def test_one_formula_stays_one(kind):
    assert isinstance(type_capacity(neighbours("path:4"), "a", kind).evidence, TypeCapacityEvidence)
    part = RationalFunctionField(Interval("1/2", 1)).gen
    assert type_capacity(neighbours("star:4"), part).evidence.value == 1 / part


def test_several_letters_are_undecided_with_parts():
    p, q = RegionField(Region("0 < p < 1, 0 < q < 1")).gens
    verdict = type_capacity(neighbours("star:4"), p * q)
    assert not verdict.proved
    assert not verdict.refuted
    assert isinstance(verdict.evidence, CapacityParts)
    [part] = verdict.evidence.parts
    assert part.proved
    assert str(part.evidence.value) == "(-2*p*q + 4)/(p*q + 1)"
    assert str(part.evidence.value) in verdict_text(verdict)
    assert verdict_json(verdict)["parts"][0]["value"] == "(-2*p*q + 4)/(p*q + 1)"
    with pytest.raises(CertificateError, match="undecided"):
        certify(verdict)
