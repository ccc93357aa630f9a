# SPDX-License-Identifier: MIT
"""The two ends of δ of a printed table, each with a mechanism that prints so."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.approximate import event_text
from exactdp.analysis.printed_delta import LargestDeltaEvidence, PrintedDeltaEvidence, SmallestDeltaEvidence
from exactdp.model import PrivacyLevel
from exactdp.report.deployed import event_json
from exactdp.report.items import Fact, Item, Told, grid_of
from exactdp.report.values import level_json, mechanism_json, number_json

End = LargestDeltaEvidence | SmallestDeltaEvidence


def _level_fact(level: PrivacyLevel | None) -> Fact:
    return Fact("level", "ε = 0" if level is None else level.text)


def _level_json(level: PrivacyLevel | None) -> dict[str, Any]:
    """The level as the other answers have it; ε = 0 is no level."""
    return {"epsilon": "0", "alpha": "1"} if level is None else level_json(level)


def _largest_facts(e: LargestDeltaEvidence) -> list[Item]:
    return [_level_fact(e.level), *_largest_items(e)]


def _largest_items(e: LargestDeltaEvidence) -> list[Item]:
    bound = [] if e.exact else [Fact("no mechanism that prints so needs more than δ", e.bound)]
    attained = [] if e.event is None else [Fact("attained by", event_text(e.table, e.event))]
    return [Fact("largest δ", e.delta), *bound, *attained, grid_of("prints so, with the largest δ", e.table)]


def _smallest_facts(e: SmallestDeltaEvidence) -> list[Item]:
    return [_level_fact(e.level), *_smallest_items(e)]


def _smallest_items(e: SmallestDeltaEvidence) -> list[Item]:
    bound = [] if e.exact else [Fact("no mechanism that prints so has less than δ", e.bound)]
    return [Fact("least δ", e.delta), *bound, grid_of("prints so, with the least δ", e.table)]


def _end_json(e: End) -> dict[str, Any]:
    return {"delta": number_json(e.delta), "bound": number_json(e.bound), "mechanism": mechanism_json(e.table)}


def _largest_json(e: LargestDeltaEvidence) -> dict[str, Any]:
    return {"level": _level_json(e.level), **_largest_end_json(e)}


def _largest_end_json(e: LargestDeltaEvidence) -> dict[str, Any]:
    return {**_end_json(e), "event": event_json(e.table, e.event)}


def _smallest_json(e: SmallestDeltaEvidence) -> dict[str, Any]:
    return {"level": _level_json(e.level), **_end_json(e)}


def delta_facts(e: PrintedDeltaEvidence) -> list[Item]:
    """Both ends of δ."""
    asked = [] if e.asked is None else [Fact("δ asked", e.asked)]
    return [_level_fact(e.level), *asked, *_smallest_items(e.smallest), *_largest_items(e.largest)]


def delta_json(e: PrintedDeltaEvidence) -> dict[str, Any]:
    """Both ends of δ."""
    asked = {} if e.asked is None else {"asked": number_json(e.asked)}
    ends = {"smallest": _end_json(e.smallest), "largest": _largest_end_json(e.largest)}
    return {"digits": e.printed.digits, "level": _level_json(e.level), **asked, **ends}


EVIDENCE: dict[type | str, Told] = {
    LargestDeltaEvidence: Told(_largest_facts, _largest_json),
    SmallestDeltaEvidence: Told(_smallest_facts, _smallest_json),
    PrintedDeltaEvidence: Told(delta_facts, delta_json),
}
