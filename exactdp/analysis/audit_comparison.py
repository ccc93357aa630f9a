# SPDX-License-Identifier: MIT
"""Two audited tables beside each other: which is the more private one, and which is better for whom.

Both are asked the same. Losses and levels are compared exactly; what is not known of one, or has no common
field with the other, is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from exactdp.analysis.verdict import Verdict
from exactdp.errors import ExactDPError
from exactdp.model import Consumer, Mechanism
from exactdp.runtime.values import dataclass


class ConsumerAudited(Protocol):
    """What an audit found for a consumer (:class:`exactdp.analysis.audit.ConsumerAudit`)."""

    @property
    def consumer(self) -> Consumer:
        """Who it is."""

    @property
    def deployed(self) -> Verdict[Any] | None:
        """How good the mechanism is for it as deployed."""

    @property
    def remapped(self) -> Verdict[Any] | None:
        """The same after the best remap."""


class Audited(Protocol):
    """What is compared of an audit (:class:`exactdp.analysis.audit.Audit`)."""

    @property
    def quality(self) -> str:
        """Whether it is a mechanism."""

    @property
    def mechanism(self) -> Mechanism | None:
        """The mechanism that was judged."""

    @property
    def consumers(self) -> Sequence[ConsumerAudited]:
        """What was found for the consumers."""

    def privacy_beside(self, other: Any) -> int | None:
        """1 if it is more private than the other, 0 if equally private, else −1; None if not known."""


DEPLOYED, REMAPPED = "as deployed", "after the best remap"
"""How a consumer uses a mechanism."""


@dataclass(frozen=True, slots=True)
class ConsumerComparison:
    """The losses of one consumer from both tables.

    Attributes
    ----------
    consumer : Consumer
    how : str
        *as deployed*, or *after the best remap*.
    first, second : scalar
        The losses; for a gain, minus the utilities.
    better : int
        1 if the second table is better, 0 if both are alike, −1 if the first is better.
    """

    consumer: Consumer
    how: str
    first: Any
    second: Any
    better: int


@dataclass(frozen=True, slots=True)
class AuditComparison:
    """What is told of a table beside another one.

    Attributes
    ----------
    other : Verdict[Audit]
        The audit of the second table.
    more_private : int or None
        1 if the second table is the more private one, 0 if both are alike, −1 if the first is; None where
        that is not known.
    consumers : tuple of ConsumerComparison
    by_position : bool
        Whether labels of the one are matched with places of the other.
    """

    other: Verdict[Any]
    more_private: int | None
    consumers: tuple[ConsumerComparison, ...]
    by_position: bool = False


def compare_audits(first: Audited, other: Verdict[Any], *, by_position: bool = False) -> AuditComparison:
    """The second of two tables beside the first.

    >>> from exactdp import audit
    >>> strong, weak = (audit(f"geometric:n=2,alpha={alpha}", "path") for alpha in ("1/2", "1/4"))
    >>> compare_audits(weak.evidence, strong).more_private
    1
    """
    found = tuple(_compared(first, other.evidence))
    return AuditComparison(other, other.evidence.privacy_beside(first), found, by_position)


def _compared(first: Audited, second: Audited) -> Iterator[ConsumerComparison]:
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


def _loss(audit: Audited, entry: ConsumerAudited, how: str) -> Any:
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


def _entries(audit: Audited) -> dict[str, ConsumerAudited]:
    """The consumers in their order, each once: a loss does not depend on the level of the optimum."""
    found: dict[str, ConsumerAudited] = {}
    for entry in audit.consumers:
        found.setdefault(entry.consumer.describe(), entry)
    return found


def _order(first: Any, second: Any) -> int | None:
    """1 if the second loss is the smaller one, 0 if they are equal, −1 if the first is; None if not known."""
    try:
        return 0 if first == second else 1 if second < first else -1
    except ExactDPError:  # no common field, or letters that leave the sign open
        return None
