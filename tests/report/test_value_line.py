# SPDX-License-Identifier: MIT
"""What comes first about a certificate: the number that its claim states, with a decimal."""

from __future__ import annotations

import json

import pytest
from cli_runner import run
from places import CORPUS

from exactdp import MinimaxConsumer, certify, geometric, is_private, optimum, optimum_by_level, verify
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


def test_verify_in_python_says_it_first_as_the_command_does(tmp_path):
    """A fair coin told as it is: the least loss at α = 1/2 is 1/3, by symmetry."""
    made = certify(optimum("path:2", "1/2", MinimaxConsumer("zero-one")))
    name = made.write(tmp_path / "opt.json")
    found = verify(name)
    assert str(found).split("\n") == [f"{name}: accepted: least loss 1/3 ≈ 0.333333", f"  {found.sentence}"]
    assert str(found) == run(f"verify {name}").out.rstrip("\n")
    assert repr(found) == f"<Checked ACCEPTED: least loss 1/3 ≈ 0.333333 · {found.sentence}>"
    assert str(verify(made)).startswith("certificate: accepted: least loss 1/3")
    assert found == verify(name)
    assert "least loss 1/3" not in found.sentence


def test_a_claim_without_a_number_is_one_line_of_verify(tmp_path):
    name = certify(is_private(geometric(1, "1/2"), "path:2", "1/2")).write(tmp_path / "two\nlines.json")
    assert "\n" not in str(verify(name))
    assert str(verify(tmp_path / "nowhere.json")).count("\n") == 0
