# SPDX-License-Identifier: MIT
"""What is certain of a printed table where its digits do not decide: both ends, or a table of each kind.

Each part is a verdict of its own, so that a certificate can be written of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.analysis.printed.delta_ends import PrintedDeltaEvidence, end_said
from exactdp.analysis.printed.epsilon_ends import PrintedPrivacyEvidence, largest_said, smallest_said
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.model import Neighbours

Printed = PrintedPrivacyEvidence | PrintedDeltaEvidence


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedHalf:
    """One half of an undecided claim: some table that prints so keeps it, or not all do.

    Attributes
    ----------
    evidence : PrintedPrivacyEvidence or PrintedDeltaEvidence
        That of the claim.
    kept : bool
        Which half.
    """

    evidence: Printed
    kept: bool

    @property
    def neighbours(self) -> Neighbours:
        """Those of the claim."""
        return self.evidence.neighbours


def ends(evidence: Printed) -> dict[str, Verdict[Any]]:
    """The verdicts about the two ends, by names for files.

    Examples
    --------
    >>> from exactdp.analysis.printed.epsilon_ends import privacy_as_printed
    >>> from exactdp.model import printed_table
    >>> table = printed_table([["0.0001", "0.9999"]] * 2, digits=4)
    >>> list(ends(privacy_as_printed(table, "path").evidence))
    ['largest-epsilon', 'smallest-epsilon']
    """
    if isinstance(evidence, PrintedPrivacyEvidence):
        return {"largest-epsilon": largest_said(evidence.largest), "smallest-epsilon": smallest_said(evidence.smallest)}
    return {"largest-delta": end_said(evidence.largest), "smallest-delta": end_said(evidence.smallest)}


def halves(verdict: Verdict[Any]) -> dict[str, Verdict[Any]]:
    """What is certain where a verdict about a printed table is undecided, by names for files.

    Both ends if a number was asked for. For a claim a table that keeps it, and one that does not; either is
    left out where it was not found.

    Examples
    --------
    >>> from exactdp.analysis.printed.epsilon_ends import privacy_as_printed
    >>> from exactdp.model import printed_table
    >>> table = printed_table([["0.0001", "0.9999"]] * 2, digits=4)
    >>> [v.claim for v in halves(privacy_as_printed(table, "path:2", "1/2")).values()]
    ['On path:2: Some table that prints so with 4 digits keeps the claim', 'On path:2: Not every table ...']
    """
    e = verdict.evidence
    if isinstance(e, PrintedPrivacyEvidence):
        if e.level is None:
            return ends(e)
        found, missed = e.private is not None, e.largest.tightest < e.level
    elif isinstance(e, PrintedDeltaEvidence):
        if e.asked is None:
            return ends(e)
        found, missed = bool(e.smallest.delta <= e.asked), bool(e.largest.delta > e.asked)
    else:
        return {}
    how = e.printed.how
    told: dict[str, Verdict[Any]] = {}
    if found:
        claim = f"Some table that prints so {how} keeps the claim"
        told["some-table"] = Verdict(Decision.PROVED, claim, PrintedHalf(evidence=e, kept=True))
    if missed:
        claim = f"Not every table that prints so {how} keeps the claim"
        told["not-all-tables"] = Verdict(Decision.PROVED, claim, PrintedHalf(evidence=e, kept=False))
    return told
