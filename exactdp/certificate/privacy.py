# SPDX-License-Identifier: MIT
"""Certificates about tables and their privacy (SPEC.md §4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactdp.certificate.encode import Definitions, Parts, scalar_json
from exactdp.errors import CertificateError

if TYPE_CHECKING:
    from exactdp.analysis.privacy import PrivacyEvidence, StochasticEvidence


def stochastic(e: StochasticEvidence, proved: bool) -> Parts:
    """Not stochastic, with the faulty row; the opposite needs no certificate."""
    if proved:
        raise CertificateError("that a table is stochastic needs no certificate; ask whether the mechanism is private", evidence=e)
    d = Definitions()
    claim = {"kind": "not-stochastic", "table": d.table("M", e.table)}
    return claim, d, {"row": e.row} if e.column is None else {"row": e.row, "column": e.column}


def privacy(e: PrivacyEvidence, proved: bool) -> Parts:
    """Private, not private, or the tightest level."""
    d = Definitions()
    claim = {"mechanism": d.mechanism("M", e.mechanism), "neighbours": d.neighbours("N", e.neighbours)}
    d.over(e.mechanism.matrix, e.tightest.ratio if e.level is None else e.level.alpha)
    if e.level is None:
        claim = {"kind": "level", **claim, "ratio": scalar_json(e.tightest.ratio), "distance": str(e.tightest.distance)}
        at = e.attained
        return claim, d, {} if at is None else {"pair": [at.low, at.high], "output": at.output}
    claim |= {"level": scalar_json(e.level.alpha)}
    if proved:
        return {"kind": "private", **claim}, d, {}
    worst = e.violated[0]
    return {"kind": "not-private", **claim}, d, {"pair": [worst.low, worst.high], "output": worst.output}


EVIDENCE = {"exactdp.analysis.privacy.StochasticEvidence": stochastic, "exactdp.analysis.privacy.PrivacyEvidence": privacy}
