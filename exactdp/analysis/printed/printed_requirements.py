# SPDX-License-Identifier: MIT
"""Requirements on a printed table: one holds of every table that prints so, or fails of every one.

The number that a requirement is on lies between two ends (:mod:`exactdp.analysis.printed.epsilon_ends`,
:mod:`exactdp.analysis.printed.delta_ends`, :mod:`exactdp.analysis.printed.loss_ends`). Both within the bound:
it holds; both beyond: it fails. Otherwise it is undecided, and told with both ends.

* ``epsilon <= E`` beside ``delta <= D`` with D > 0: the smallest ε beside δ = D is at most E if and only if
  the least δ at ε = E is at most D, which is what the ends decide. ``epsilon < E`` holds where that δ is
  below D: the least δ is a continuous function of ε.
* ``gap <= G``: at the claimed level, where every table that prints so keeps it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from exactdp.analysis.printed.delta_ends import PrintedDeltaEvidence, delta_as_printed, end_said
from exactdp.analysis.printed.epsilon_ends import PrintedPrivacyEvidence, privacy_as_printed
from exactdp.analysis.printed.loss_ends import PrintedLossEvidence, PrintedOptimalityEvidence
from exactdp.analysis.privacy_claim import PrivacyClaim
from exactdp.analysis.required import decided_gap, status_within, undecided_by
from exactdp.analysis.requirement import (
    DELTA,
    FAILS,
    GAP,
    GAPS,
    HOLDS,
    LEVELS,
    UNDECIDED,
    Required,
    Requirement,
    delta_beside,
    level_of_delta,
    with_certificates,
)
from exactdp.analysis.verdict import Verdict
from exactdp.analysis.wording import private_text, short_number, whose
from exactdp.model import Consumer, Epsilon, Neighbours, PrivacyLevel, TightestLevel
from exactdp.model.printed import PrintedTable
from exactdp.runtime.values import dataclass

OF_TABLES = "of the tables that print so"

STRADDLES = "some tables that print so keep it, and others do not"
"""Why more digits are needed."""

NOT_FOUND = "whether all of them keep it, or none, was not decided"

NO_LEVEL = "no level was claimed, so that there is none to compare at; claim an ε"
NOT_KEPT = "at the claimed ε there is no gap to tell: not every table that prints so keeps it"
NO_REMAP = "the best remap of all tables that print so is not found; require the gap as deployed"


class ConsumerAsPrinted(Protocol):
    """What is needed of a consumer's part of an audit."""

    @property
    def consumer(self) -> Consumer:
        """Who."""

    @property
    def loss(self) -> Verdict[PrintedLossEvidence]:
        """The ends of the loss."""

    @property
    def optimal(self) -> Verdict[PrintedOptimalityEvidence] | None:
        """The ends of the gap; None without a level."""


@dataclass(frozen=True, slots=True)
class RequiredAsPrinted:
    """What is needed to decide requirements on a printed table.

    Attributes
    ----------
    printed, neighbours, claim
        What is judged.
    tightest : Verdict
        The ends of ε.
    consumers : sequence
        Each with the ends of its gap.
    requirements : tuple of Requirement
        All of them.
    """

    printed: PrintedTable
    neighbours: Neighbours
    claim: PrivacyClaim | None
    tightest: Verdict[PrintedPrivacyEvidence]
    consumers: Sequence[ConsumerAsPrinted]
    requirements: tuple[Requirement, ...]

    def decided(self) -> tuple[Required, ...]:
        """What becomes of each requirement, in their order; of a gap once for each consumer."""
        return with_certificates(one for requirement in self.requirements for one in self._of(requirement))

    def _of(self, one: Requirement) -> Iterator[Required]:
        if one.quantity in LEVELS:
            about = f"the smallest ε beside δ = {self._beside} {OF_TABLES}"
            decide = self._epsilon if self._beside == 0 else self._epsilon_beside
            yield undecided_by(one, about, lambda: decide(one, about))
        elif one.quantity == DELTA:
            about = f"the least δ at ε = {Epsilon(self._level)} {OF_TABLES}"
            yield undecided_by(one, about, lambda: self._delta(one, about))
        else:
            assert one.quantity in GAPS
            for k, entry in enumerate(self.consumers, 1):
                yield _gap(one, entry, k)

    @property
    def _beside(self) -> Any:
        return delta_beside(self.requirements)

    @property
    def _level(self) -> PrivacyLevel | TightestLevel:
        return level_of_delta(self.requirements, self.claim)

    def _epsilon(self, one: Requirement, about: str) -> Required:
        """By the ends of ε; and where the smaller one is known as a bound only, by the level itself."""
        ends = self.tightest.evidence
        low, high = ends.smallest.bound.epsilon, ends.largest.tightest.epsilon
        exact = high if ends.smallest.exact and low == high else None
        made = one.found(about, UNDECIDED, exact)
        made = made if exact is not None else replace(made, bounds=(low, high))
        if one.is_kept_by(high):
            return replace(made, status=HOLDS, part="largest-epsilon")
        if not one.is_kept_by(low):
            return replace(made, status=FAILS, part="smallest-epsilon")
        level = level_of_delta([one], None)
        if not ends.smallest.exact and isinstance(level, PrivacyLevel):
            asked = privacy_as_printed(self.printed, self.neighbours, level)
            if asked.refuted:
                return replace(made, status=FAILS, shown_by=asked)
        kept = one.is_kept_by(ends.smallest.tightest.epsilon)
        return replace(made, reason=STRADDLES if kept else NOT_FOUND, part="largest-epsilon")

    def _epsilon_beside(self, one: Requirement, about: str) -> Required:
        """By the least δ at the bound on ε."""
        asked = self._asked_of_delta(self._beside)
        delta = asked.evidence
        status = _by_delta(delta, strict=one.strict)
        made = one.found(about, status, None)
        low, high = delta.smallest.bound, delta.largest.bound
        where = f"is {short_number(low)}" if low == high else f"lies between {short_number(low)} and {short_number(high)}"
        told = f"at ε = {one.level} their least δ {where}"
        return replace(made, reason=told, shown_by=_shown(asked, status))

    def _delta(self, one: Requirement, about: str) -> Required:
        """By the ends of δ."""
        asked = self._asked_of_delta(one.bound)
        delta = asked.evidence
        low, high = delta.smallest.bound, delta.largest.bound
        known = status_within(one, low, high)
        exact = high if low == high else None
        made = one.found(about, known or UNDECIDED, exact)
        made = made if exact is not None else replace(made, bounds=(low, high))
        if known is None:
            straddles = one.is_kept_by(delta.smallest.delta) and not one.is_kept_by(delta.largest.delta)
            return replace(made, reason=STRADDLES if straddles else NOT_FOUND)
        return replace(made, shown_by=_shown(asked, known))

    def _asked_of_delta(self, asked: Any) -> Verdict[PrintedDeltaEvidence]:
        level = self._level
        exact = level if isinstance(level, PrivacyLevel) else None  # None is ε = 0
        return delta_as_printed(self.printed, self.neighbours, exact, asked)


def _by_delta(delta: PrintedDeltaEvidence, *, strict: bool) -> str:
    """Whether the smallest ε beside the δ asked about is at most the ε at which the ends of δ are."""
    highest, asked = delta.largest.bound, delta.asked
    if highest < asked or (highest == asked and not strict):
        return HOLDS
    return FAILS if delta.smallest.bound > asked else UNDECIDED


def _shown(asked: Verdict[PrintedDeltaEvidence], status: str) -> Verdict[Any] | None:
    """The answer that shows it: that no table keeps the δ, or the end that all keep, or none is below."""
    ends = asked.evidence
    if status == HOLDS:
        return end_said(ends.largest)
    if status == FAILS:
        return asked if asked.refuted else end_said(ends.smallest) if ends.smallest.exact else None
    return None


def _gap(one: Requirement, entry: ConsumerAsPrinted, number: int) -> Required:
    """The gap of one consumer at the claimed level."""
    known = None if entry.optimal is None else entry.optimal.evidence
    how = "as deployed" if one.quantity == GAP else "after the best remap"
    among = "" if known is None else f", among {private_text(known.level, 'mechanisms')}"
    about = f"{how}, {whose(entry.consumer)}{among}, {OF_TABLES}"
    if known is None:
        return one.found(about, UNDECIDED, None, reason=NO_LEVEL)
    if one.quantity != GAP:
        return one.found(about, UNDECIDED, None, reason=NO_REMAP)
    if not known.privacy.largest.tightest >= known.level:
        return one.found(about, UNDECIDED, None, reason=NOT_KEPT)
    least = known.best.least_loss
    if least is None:
        return one.found(about, UNDECIDED, None, reason="the optimum was not found")
    losses = (known.losses.smallest, known.losses.largest)
    return replace(decided_gap(one, about, losses, (least, least), STRADDLES), part=f"consumer-{number}-optimum")
