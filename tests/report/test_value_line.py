# SPDX-License-Identifier: MIT
"""What comes first about a certificate: the number that its claim states, with a decimal."""

from __future__ import annotations

import json

import pytest
from places import CORPUS

from exactdp import MinimaxConsumer, certify, optimum_by_level
from exactdp.certificate.kinds import kinds
from exactdp.report.certificates import value_line
from exactdp.report.headline import LONGEST

ACCEPTED = [json.loads(file.read_bytes()) for file in sorted((CORPUS / "accept").glob("*.json"))]

FOUND = {"value", "ratio", "count", "least"}
"""Keys of numbers that were found; those of others were asked, such as a level."""


@pytest.mark.parametrize("kind", sorted({data["claim"]["kind"] for data in ACCEPTED} - {"on-pieces"}))
def test_a_claim_with_a_number_that_was_found_says_it_first(kind):
    states = not FOUND.isdisjoint(key.removesuffix("?") for key in kinds()[kind].claim) or kind.startswith("delta")
    for data in ACCEPTED:
        if data["claim"]["kind"] == kind:
            told = value_line(data)
            assert len(told) <= LONGEST
            assert states or not told
            assert told or not states or not isinstance(data["claim"].get("value"), str)


def test_the_formula_of_all_levels_comes_first():
    """Two neighbours, and the greatest chance of an error: randomised response has a/(1 + a)."""
    told = value_line(json.loads(certify(optimum_by_level("path:2", MinimaxConsumer("zero-one"))).to_json()))
    assert told == "least loss a/(a + 1)"
