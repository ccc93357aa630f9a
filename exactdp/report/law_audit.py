# SPDX-License-Identifier: MIT
"""An audit by a law alone, told; page one of it is :mod:`exactdp.report.law_page`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exactdp.analysis.law_audit import LawAudit
from exactdp.analysis.requirement import why_text
from exactdp.analysis.verdict import NOT_JUDGED, Verdict
from exactdp.model import PrivacyLevel
from exactdp.report.deployed import required_json, what_follows, with_required
from exactdp.report.headline import Headline, found_level, headline, level, smallest_epsilon
from exactdp.report.items import Fact, Item, Section, Told
from exactdp.report.privacy import level_facts
from exactdp.report.values import level_json, number_json


def _facts(e: LawAudit) -> list[Item]:
    asked = e.claim.level if e.claim is not None and isinstance(e.claim.level, PrivacyLevel) else None
    of_level = level_facts("tightest level", e.tightest.evidence.tightest, asked, e.tightest.evidence.by_epsilon)
    parts: list[tuple[str, list[Item]]] = [
        ("What was judged", [Fact("its law", e.word), Fact("its table", "too large; it was neither built nor judged")]),
        (f"How private is it {e.between}?", of_level),
    ]
    if e.claim is not None:
        holds = {True: "yes", False: "no", None: f"{NOT_JUDGED}: a δ is not decided from a law"}[e.claim_holds]
        parts.append((f"The claim: {e.claim} {e.between}", [Fact("true", holds)]))
    if e.requirements:
        parts.append(("What is required", [Fact(f"{one.status}: {one.text}", why_text(one)) for one in e.requirements]))
    if e.asked:
        parts.append(("What was asked beside it", [Fact(NOT_JUDGED, question) for question in e.asked]))
    if e.claim_holds is False:
        repair = Fact(f"claim ε = {e.epsilon} instead", "true, and with no smaller ε")
        parts.append(("What would repair it", [repair] if e.epsilon.is_enclosed else []))
    return [Section(title, tuple(items)) for title, items in parts if items]


def _json(e: LawAudit) -> dict[str, Any]:
    found: dict[str, Any] = {
        "by_law": e.word,
        "is_mechanism": True,
        "quality": "law",
        "level": level_json(e.tightest.evidence.tightest),
        "neighbours": {"name": e.law.neighbours, "kind": "law"},
        "not_judged": list(e.asked),
    }
    if e.claim is not None:
        found["claim_holds"] = e.claim_holds
        found["claimed"] = {"text": str(e.claim), "level": level_json(e.claim.level)}
        found["delta"] = number_json(e.delta * 0) if e.claim_holds else None
    if e.requirements:
        found["requirements"] = [required_json(one) for one in e.requirements]
    return found


def _headline(verdict: Verdict[LawAudit]) -> Headline:
    """The tightest level, and whether the claim is true; that a law was judged is assumed."""
    e = verdict.evidence
    tightest, claim = e.tightest.evidence.tightest, e.claim
    if claim is None:
        told = found_level(tightest, e.tightest.evidence.by_epsilon)
    else:
        by_epsilon = claim.alpha is None
        landmarks = claim.level.landmarks if isinstance(claim.level, PrivacyLevel) else ()
        found = smallest_epsilon(tightest, *landmarks) if by_epsilon else level(tightest, False, *landmarks)
        said = {True: ", so the claim{} is true", False: ", so the claim{} is false", None: f"; {NOT_JUDGED}: the claim{{}}"}
        told = headline("smallest" if by_epsilon else "tightest level", found, what_follows(claim, said[e.claim_holds]))
    open_ones = tuple(f"{NOT_JUDGED}: {question}" for question in e.asked)
    return with_required(replace(told, assumed=(e.between, *open_ones)), e.requirements)


EVIDENCE = {LawAudit: Told(_facts, _json, _headline)}
