# SPDX-License-Identifier: MIT
"""A printed table in one report: how private, is the claim true, and what it costs those who use it.

Every part is a verdict about all mechanisms that print so (:mod:`exactdp.analysis.printed.epsilon_ends`,
:mod:`exactdp.analysis.printed.delta_ends`, :mod:`exactdp.analysis.printed.loss_ends`).

Where the digits do not decide, :func:`halves` and :func:`ends` tell what is certain: both ends, or a table of
each kind. Each part is a verdict of its own, so that a certificate can be written of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from exactdp.analysis.arguments import ConsumerLike, as_consumer, as_neighbours
from exactdp.analysis.other_neighbours import OtherNeighbours, others_as_printed
from exactdp.analysis.printed.delta_ends import PrintedDeltaEvidence, bound_above, bound_below, delta_as_printed, end_said
from exactdp.analysis.printed.epsilon_ends import (
    PrintedPrivacyEvidence,
    epsilon_ends_text,
    largest_said,
    privacy_as_printed,
    privacy_beside,
    smallest_said,
)
from exactdp.analysis.printed.loss_ends import PrintedLossEvidence, PrintedOptimalityEvidence, loss_as_printed, optimality_beside
from exactdp.analysis.printed.printed_requirements import RequiredAsPrinted
from exactdp.analysis.privacy_claim import PrivacyClaim
from exactdp.analysis.requirement import Required, Requirement, failing, required_text
from exactdp.analysis.verdict import NO_CLAIM, Decision, Verdict
from exactdp.exact import QQ
from exactdp.model import Consumer, Neighbours, NeighboursLike, PrivacyLevel
from exactdp.model.consumer import each_once, told_apart
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, part_of
from exactdp.runtime.values import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedConsumerAudit:
    """What a consumer loses with what was printed; the gap is that to the least loss at the claimed level."""

    consumer: Consumer
    loss: Verdict[PrintedLossEvidence]
    optimal: Verdict[PrintedOptimalityEvidence] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedAudit:
    """All that is told of a printed table.

    Attributes
    ----------
    title : str
        Its name in sentences.
    printed, neighbours, claim
        What was asked about.
    tightest : Verdict
        The ends of ε.
    claimed : Verdict or None
        Whether the claim is true of all that print so, or of none.
    delta : Verdict or None
        The ends of δ at the claimed level.
    consumers : tuple of PrintedConsumerAudit
        One for each consumer asked about.
    others : tuple of OtherNeighbours
        What the tables are under the other usual choices of neighbours.
    requirements : tuple of Required
        What became of each requirement: it holds of every table that prints so, fails of every one, or
        neither is certain.
    share : scalar
        The least probability of a uniform answer that makes the claim true of every table that prints so;
        None where it is true already, there is none, or δ > 0.
    """

    title: str
    printed: PrintedTable
    neighbours: Neighbours
    claim: PrivacyClaim | None
    tightest: Verdict[PrintedPrivacyEvidence]
    claimed: Verdict[Any] | None
    delta: Verdict[PrintedDeltaEvidence] | None
    consumers: tuple[PrintedConsumerAudit, ...]
    others: tuple[OtherNeighbours, ...] = ()
    requirements: tuple[Required, ...] = ()
    share: Any = None

    @property
    def has_page_one(self) -> bool:
        """Whether a notebook shows page one of it."""
        return self.claim is not None

    @property
    def head(self) -> str:
        """What an answer begins with in the place of *proved* where nothing was claimed."""
        nothing = self.claim is None and not self.requirements
        return NO_CLAIM if nothing and self.tightest.proved else ""

    @property
    def of_claim(self) -> Verdict[PrintedAudit]:
        """The answer without what was required: what a certificate, or a bundle, decides."""
        return _said(replace(self, requirements=()))

    @property
    def verdicts(self) -> dict[str, Verdict[Any]]:
        """The parts that certificates are written of: the ends, the claim or its two halves, each optimum."""
        found = ends(self.tightest.evidence)
        if self.delta is not None:
            found |= ends(self.delta.evidence)
        if self.claimed is not None:
            decided = self.claimed.decision is not Decision.UNDECIDED
            found |= {"claim": self.claimed} if decided else halves(self.claimed)
        for k, one in enumerate(self.consumers, 1):
            if one.optimal is not None and one.optimal.evidence.best.least_loss is not None:
                found[f"consumer-{k}-optimum"] = one.optimal.evidence.optimum
        found |= {one.part: one.shown_by for one in self.requirements if one.shown_by is not None}
        return found


def audit_as_printed(
    printed: PrintedTable,
    neighbours: NeighboursLike,
    *,
    claim: PrivacyClaim | None = None,
    consumers: Sequence[ConsumerLike] = (),
    require: Sequence[Requirement] = (),
    title: str = "the table",
    time_limit: float | None = None,
    progress: Listener | None = None,
) -> Verdict[PrintedAudit]:
    """How private is what was printed, and is the claim true of it?

    Parameters
    ----------
    printed : PrintedTable
        The printed table.
    neighbours : Graph, Metric or text
        On its inputs.
    claim, consumers, require, title, time_limit, progress
        As in :func:`exactdp.audit`.

    Returns
    -------
    Verdict[PrintedAudit]
        Proved if the claim is true of all mechanisms that print so, refuted if of none, else undecided.
        Without a claim the verdict is that about the tightest level, and its head *no claim* where that is
        proved. What is required refutes it where it fails of all that print so, and leaves it undecided
        where it is not certain; without a claim it is proved where all of it holds of all of them.

    Examples
    --------
    >>> from exactdp.model import printed_table
    >>> table = printed_table([["0.0001", "0.9999"], ["0.0001", "0.9999"]], digits=4)
    >>> for epsilon, delta in ("ln(3)", 0), (1, 0), (1, "1/1000"):
    ...     claim = PrivacyClaim(epsilon=epsilon, delta=delta)
    ...     print(audit_as_printed(table, "path", claim=claim).decision.value)
    proved
    undecided
    proved
    """
    near = as_neighbours(neighbours, printed)
    subject = printed.aligned(near.vertices)
    claimed_level = None if claim is None else claim.level
    level = claimed_level if isinstance(claimed_level, PrivacyLevel) else None  # None beside a claim is ε = 0
    tightest = privacy_as_printed(subject, near, progress=part_of(progress, "the ends of ε"), time_limit=time_limit)
    claimed: Verdict[Any] | None = None
    delta = None
    if claim is not None and (claim.delta > 0 or level is None):
        claimed = delta_as_printed(subject, near, level, claim.delta, progress=part_of(progress, "the claim"))
        delta = claimed
    elif claim is not None:
        assert level is not None  # a claim of ε = 0 is decided above
        claimed = privacy_beside(tightest.evidence, level, progress=part_of(progress, "the claim"), time_limit=time_limit)
    wanted = told_apart(each_once([as_consumer(consumer, near.vertices, near) for consumer in consumers]))
    found = PrintedAudit(
        title=title,
        printed=subject,
        neighbours=near,
        claim=claim,
        tightest=tightest,
        claimed=claimed,
        delta=delta,
        consumers=tuple(_consumer(tightest.evidence, level, who, time_limit, progress) for who in wanted),
        others=others_as_printed(subject, near, claim),
    )
    if level is not None and claim is not None and claim.delta == 0 and not (claimed is None or claimed.proved):
        found = replace(found, share=mixing_weight_as_printed(subject, near, level))
    if require:
        asked = RequiredAsPrinted(subject, near, claim, tightest, found.consumers, tuple(require))
        found = replace(found, requirements=asked.decided())
    return _said(found)


def mixing_weight_as_printed(printed: PrintedTable, near: Neighbours, level: PrivacyLevel) -> Any:
    """The least λ for which (1−λ)·M + λ·uniform is private for every table M that prints so.

    With m outputs the pair i, j and output r ask for (1−λ)(α x_jr − x_ir) ≤ λ(1 − α)/m. The rows of these
    tables are independent of each other: one of them has the largest x_jr beside the least x_ir. None where
    distances are not all 1.

    >>> from exactdp.model import neighbours, printed_table
    >>> table = printed_table([["0.7", "0.3"], ["0.3", "0.7"]], digits=1)
    >>> mixing_weight_as_printed(table, neighbours("path:2"), PrivacyLevel("1/2"))
    Rational('1/3')
    """
    if any(d.rational != 1 for _, _, d in near.pairs()):
        return None
    least, largest = printed.entry_bounds()
    lacks = [
        level.alpha * y - x
        for i, j, _ in near.pairs()
        for low, high in ((i, j), (j, i))
        for x, y in zip(least[low], largest[high], strict=True)
    ]
    lack = max(lacks, default=QQ.zero)
    return lack / (lack + (1 - level.alpha) / printed.n_outputs) if lack > 0 else QQ.zero


def _consumer(
    ends: PrintedPrivacyEvidence,
    level: PrivacyLevel | None,
    consumer: Consumer,
    time_limit: float | None,
    progress: Listener | None,
) -> PrintedConsumerAudit:
    loss = loss_as_printed(ends.printed, consumer)
    told = part_of(progress, consumer.describe())
    optimal = None
    if level is not None:
        optimal = optimality_beside(ends, level, consumer, time_limit=time_limit, progress=told)
    return PrintedConsumerAudit(consumer=consumer, loss=loss, optimal=optimal)


def _said(e: PrintedAudit) -> Verdict[PrintedAudit]:
    """The verdict in words."""
    told = _of_claim(e)
    missed = failing(e.requirements)
    decision = Decision.PROVED if e.claimed is None and e.requirements else told.decision
    if decision is not Decision.REFUTED and missed is not False:
        decision = Decision.UNDECIDED if missed is None else Decision.REFUTED
    return Verdict(decision, told.claim + required_text(e.requirements), e, told.scope)


def _of_claim(e: PrintedAudit) -> Verdict[PrintedAudit]:
    """The verdict in words, but for what is required."""
    if e.claimed is None:
        return Verdict(e.tightest.decision, e.tightest.claim, e, e.tightest.scope)
    told = {
        Decision.PROVED: "is true of every table that prints so",
        Decision.REFUTED: "is false of every table that prints so",
        Decision.UNDECIDED: "is not decided by the digits: it is about the tables that print so",
    }
    privacy = e.tightest.evidence
    claimed = None if e.claim is None else e.claim.level
    ends = epsilon_ends_text(privacy.largest, privacy.smallest, claimed if isinstance(claimed, PrivacyLevel) else None)
    claim = f"The claim that {e.title} is {e.claim} on {e.neighbours} {told[e.claimed.decision]} {e.printed.how}; {ends}"
    if e.delta is not None:
        claim += f"; {delta_ends_text(e.delta.evidence)}"
    return Verdict(e.claimed.decision, claim, e, e.claimed.scope)


def delta_ends_text(e: PrintedDeltaEvidence) -> str:
    """Where δ lies at the level asked about, in words."""
    if e.smallest.bound == e.largest.bound:
        return f"at the claimed ε the least δ is {bound_above(e.largest.bound)}"
    low, high = bound_below(e.smallest.bound, e.asked), bound_above(e.largest.bound, e.asked)
    return f"at the claimed ε the least δ lies between {low} and {high}"
