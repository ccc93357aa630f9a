# SPDX-License-Identifier: MIT
"""Certificates about tables and their privacy (SPEC.md §4.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from exactdp.analysis.verdict import Decision, Verdict
from exactdp.certificate.encode import Definitions, Parts, scalar_json
from exactdp.errors import CertificateError

if TYPE_CHECKING:
    from exactdp.analysis.privacy import PrivacyEvidence
    from exactdp.analysis.stochastic import StochasticEvidence


def stochastic(e: StochasticEvidence, proved: bool) -> Parts:
    """Not stochastic, with the faulty row; the opposite needs no certificate."""
    if proved:
        raise CertificateError("that a table is stochastic needs no certificate; ask whether the mechanism is private", evidence=e)
    d = Definitions()
    claim = {"kind": "not-stochastic", "table": d.table("M", e.table)}
    return claim, d, {"row": e.row} if e.column is None else {"row": e.row, "column": e.column}


def privacy(e: PrivacyEvidence, proved: bool) -> Parts:
    """Private, not private, or the tightest level, which implies the others: where numbers were compared."""
    from exactdp.analysis.privacy import LEVEL  # has been loaded by who has the evidence

    d = Definitions()
    claim = {"mechanism": d.mechanism("M", e.mechanism), "neighbours": d.neighbours("N", e.neighbours)}
    if e.apart and LEVEL in e.unfinished:
        raise CertificateError("the tightest level, which would imply the claim, was not found in time", evidence=e)
    level = None if e.apart else e.level
    d.over(e.mechanism.matrix, e.tightest.ratio if level is None else level.alpha)
    if level is None:
        claim = {"kind": "level", **claim, "ratio": scalar_json(e.tightest.ratio), "distance": str(e.tightest.distance)}
        at = e.attained
        return claim, d, {} if at is None else {"pair": [at.low, at.high], "output": at.output}
    claim |= {"level": scalar_json(level.alpha)}
    if proved:
        return {"kind": "private", **claim}, d, {}
    worst = e.violated[0]
    return {"kind": "not-private", **claim}, d, {"pair": [worst.low, worst.high], "output": worst.output}


def implying(verdict: Verdict[Any]) -> Verdict[Any] | None:
    """The verdict about the tightest level that implies one about privacy at a level; None for others."""
    from exactdp.analysis.privacy import LEVEL, PrivacyEvidence

    e = verdict.evidence
    if not isinstance(e, PrivacyEvidence) or e.level is None or e.apart or LEVEL in e.unfinished:
        return None
    return replace(verdict, decision=Decision.PROVED, evidence=replace(e, level=None))


EVIDENCE = {"exactdp.analysis.stochastic.StochasticEvidence": stochastic, "exactdp.analysis.privacy.PrivacyEvidence": privacy}
