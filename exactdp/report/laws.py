# SPDX-License-Identifier: MIT
"""How private a law is whose table is not built, told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exactdp.analysis.laws import LawEvidence
from exactdp.analysis.verdict import Verdict
from exactdp.report.headline import Headline, level, named_level
from exactdp.report.items import Fact, Item, Told
from exactdp.report.privacy import asked_facts, level_compared, level_facts
from exactdp.report.values import level_json


def _facts(e: LawEvidence) -> list[Item]:
    items: list[Item] = [] if e.level is None else asked_facts(e.level, e.tightest)
    return [*items, *level_facts("tightest level", e.tightest, e.level, e.by_epsilon), Fact("between", e.law.inputs)]


def _json(e: LawEvidence) -> dict[str, Any]:
    asked = {} if e.level is None else {"level_asked": level_json(e.level)}
    return asked | {"level": level_json(e.tightest), "by_law": e.word}


def _headline(verdict: Verdict[LawEvidence]) -> Headline:
    """The tightest level, and between which inputs."""
    e = verdict.evidence
    found = (
        named_level("tightest level", level(e.tightest, e.by_epsilon)) if e.level is None else level_compared(e.tightest, e.level, verdict)
    )
    return replace(found, assumed=(f"between {e.law.inputs}",))


EVIDENCE = {LawEvidence: Told(_facts, _json, _headline)}
