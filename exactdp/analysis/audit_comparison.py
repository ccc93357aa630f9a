# SPDX-License-Identifier: MIT
"""Two audited tables beside each other: which is the more private one, and which is better for whom.

Both are asked the same. Losses and levels are compared exactly; what is not known of one, or has no common
field with the other, is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from exactdp.analysis.audit_evidence import Audit, AuditComparison, ConsumerAudit, ConsumerComparison
from exactdp.analysis.verdict import Verdict
from exactdp.errors import ExactDPError

DEPLOYED, REMAPPED = "as deployed", "after the best remap"
"""How a consumer uses a mechanism."""


def compare_audits(first: Audit, other: Verdict[Any], *, by_position: bool = False) -> AuditComparison:
    """The second of two tables beside the first.

    >>> from exactdp import audit
    >>> strong, weak = (audit(f"geometric:n=2,alpha={alpha}", "path") for alpha in ("1/2", "1/4"))
    >>> compare_audits(weak.evidence, strong).more_private
    1
    """
    found = tuple(_compared(first, other.evidence))
    return AuditComparison(other, other.evidence.privacy_beside(first), found, by_position)


def _compared(first: Audit, second: Audit) -> Iterator[ConsumerComparison]:
    """Each consumer, as it is asked about first; no loss of a table that is no mechanism."""
    if "wrong" in (first.quality, second.quality):
        return
    mine, theirs = _entries(first), _entries(second)
    pairs = zip(mine.values(), theirs.values(), strict=True) if len(mine) == len(theirs) else ()
    for one, two in pairs:
        for how in (DEPLOYED, REMAPPED):
            losses = _loss(first, one, how), _loss(second, two, how)
            better = None if None in losses else _order(*losses)
            if better is not None:
                yield ConsumerComparison(one.consumer, how, *losses, better)


def _loss(audit: Audit, entry: ConsumerAudit, how: str) -> Any:
    """The loss that an audit found; as deployed it needs no optimum, which there is at no level 0 or 1."""
    verdict = entry.deployed if how == DEPLOYED else entry.remapped
    if verdict is not None:
        return None if verdict.evidence.loss_bounds is not None else verdict.evidence.loss
    if how == REMAPPED or audit.mechanism is None:
        return None
    try:
        return entry.consumer.loss_of(audit.mechanism)
    except ExactDPError:  # its outputs are no guesses
        return None


def _entries(audit: Audit) -> dict[str, ConsumerAudit]:
    """The consumers in their order, each once: a loss does not depend on the level of the optimum."""
    found: dict[str, ConsumerAudit] = {}
    for entry in audit.consumers:
        found.setdefault(entry.consumer.describe(), entry)
    return found


def _order(first: Any, second: Any) -> int | None:
    """1 if the second loss is the smaller one, 0 if they are equal, −1 if the first is; None if not known."""
    try:
        if first == second:
            return 0
        return 1 if second < first else -1
    except ExactDPError:  # no common field, or letters that leave the sign open
        return None
