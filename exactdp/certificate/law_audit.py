# SPDX-License-Identifier: MIT
"""The certificate of an audit by a law alone: that of its tightest level, which decides the claim."""

from __future__ import annotations

from exactdp.analysis.law_audit import LawAudit
from exactdp.certificate.encode import Parts
from exactdp.certificate.laws import EVIDENCE as OF_LAWS


def _audit(e: LawAudit, proved: bool) -> Parts:
    """The law and its tightest level."""
    found = e.tightest.evidence
    return OF_LAWS[type(found)](found, proved)


EVIDENCE = {LawAudit: _audit}
