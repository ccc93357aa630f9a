# SPDX-License-Identifier: MIT
"""What is lost with what was printed: the ends of a consumer's loss and gap, and whether it is optimal.

A mechanism is optimal if it is private at the level and has the least loss of all that are. Of a printed
table this is proved where it is true of all mechanisms that print so, and refuted where it is true of none.
"""

from __future__ import annotations

from typing import Any

from exactdp.analysis.arguments import Arguments, ConsumerLike, as_consumer, ask
from exactdp.analysis.optimality.optimum import OptimumEvidence, optimum
from exactdp.analysis.optimality.remap_optimality import as_deployed
from exactdp.analysis.printed.epsilon_ends import (
    PrintedPrivacyEvidence,
    epsilon_ends_text,
    privacy_as_printed,
    privacy_beside,
    scope_as_printed,
)
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.wording import private_on, private_text, whose
from exactdp.errors import DomainError
from exactdp.exact import QQ, Rational, RationalFunctionField, RegionField
from exactdp.model import Consumer, LevelLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener
from exactdp.runtime.values import dataclass
from exactdp.search.printed.best_level import is_small
from exactdp.search.printed.linear_programs import extreme_table, least_private_loss


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedLossEvidence:
    """The largest and the least loss of the mechanisms that print so.

    Attributes
    ----------
    printed, consumer
        What was asked about.
    largest, smallest
        The losses; with a gain minus the utilities of the sentence.
    worst, best : Mechanism
        Print so, and have these losses.
    """

    printed: PrintedTable
    consumer: Consumer
    largest: Any
    smallest: Any
    worst: Mechanism
    best: Mechanism

    @property
    def stated(self) -> tuple[Any, Any]:
        """Both ends, the smaller first, as the sentence states them."""
        return self.consumer.measure.between((self.smallest, self.largest))


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedOptimalityEvidence:
    """Whether what was printed is optimal, and the ends of its gap.

    Attributes
    ----------
    neighbours, level, consumer, printed
        What was asked about.
    optimum : Verdict
        The least loss of a mechanism that is private at the level.
    privacy : PrintedPrivacyEvidence
        Whether the tables that print so are private at the level.
    losses : PrintedLossEvidence
        The ends of the loss.
    gaps : tuple or None
        The least and the largest loss, minus the least loss of a private mechanism; None if that was not
        found. The gap of a mechanism that is not private may be negative.
    private_loss : scalar or None
        The least loss of a table that prints so and is private; None where there is none, or it is unknown.
    private : Mechanism or None
        Has it.
    """

    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer
    printed: PrintedTable
    optimum: Verdict[OptimumEvidence]
    privacy: PrintedPrivacyEvidence
    losses: PrintedLossEvidence
    gaps: tuple[Any, Any] | None
    private_loss: Any = None
    private: Mechanism | None = None

    @property
    def best(self) -> OptimumEvidence:
        """What shows the least loss of a mechanism that is private at the level."""
        return self.optimum.evidence


def loss_as_printed(printed: PrintedTable, consumer: ConsumerLike) -> Verdict[PrintedLossEvidence]:
    """What does the mechanism that was printed cost a consumer?

    * ``printed``: its outputs are the guesses.
    * ``consumer``: whose losses are numbers.

    Returns: proved if all mechanisms that print so have one loss, else undecided; with both ends.

    >>> from exactdp.model import MinimaxConsumer, printed_table
    >>> table = printed_table([["0.7", "0.3"], ["0.3", "0.7"]], digits=1)
    >>> loss_as_printed(table, MinimaxConsumer("zero-one")).evidence.stated
    (Rational('1/4'), Rational('7/20'))
    """
    who = as_consumer(consumer, printed.inputs)
    found = _losses(printed, who)
    measure, (low, high) = who.measure, found.stated
    ends = f"{low}" if low == high else f"between {low} and {high}"
    verb = "costs" if measure.word == "loss" else "gives"
    if low == high:
        claim = f"Every table that prints so {printed.how} {verb} {who.describe()}: {low}"
        return Verdict(Decision.PROVED, claim, found, scope_as_printed(found.printed, who))
    claim = f"What was printed {printed.how} {verb} {who.describe()} {ends}: the digits do not tell the {measure.word}"
    return Verdict(Decision.UNDECIDED, claim, found, scope_as_printed(found.printed, who))


def optimality_as_printed(
    printed: PrintedTable,
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[PrintedOptimalityEvidence]:
    """Is the mechanism that was printed private at the level and optimal for the consumer?

    * ``printed``: its outputs are the consumer's guesses.
    * ``neighbours``, ``level``, ``consumer``, ``progress``, ``time_limit``: as in :func:`exactdp.optimum`;
      numbers only.

    Returns: proved for all mechanisms that print so, refuted for all, or undecided; with the ends of loss and
    gap.

    * raises LabelError, DomainError: outputs and guesses, or inputs, differ; there are letters.

    >>> from exactdp.model import MinimaxConsumer, printed_table
    >>> table = printed_table([["0.7", "0.3"], ["0.3", "0.7"]], digits=1)
    >>> consumer = MinimaxConsumer("zero-one")
    >>> [optimality_as_printed(table, "path:2", level, consumer).decision.value for level in ("1/2", "1/5")]
    ['undecided', 'refuted']
    """
    return ask(_as_printed, progress, time_limit, printed=printed, neighbours=neighbours, level=level, consumer=consumer)


def optimality_beside(
    ends: PrintedPrivacyEvidence,
    level: PrivacyLevel,
    consumer: Consumer,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[PrintedOptimalityEvidence]:
    """The same, by ends of ε that are known already."""

    def answer(asked: Arguments) -> Verdict[PrintedOptimalityEvidence]:
        return _as_printed(asked, ends)

    return ask(answer, progress, time_limit, printed=ends.printed, neighbours=ends.neighbours, level=level, consumer=consumer)


def _as_printed(asked: Arguments, ends: PrintedPrivacyEvidence | None = None) -> Verdict[PrintedOptimalityEvidence]:
    """Both ends of loss and gap, and whether they tell if the mechanism is optimal."""
    (near, exact, who), listener = asked.problem, asked.progress
    if any(isinstance(field, RationalFunctionField | RegionField) for field in (exact.field, who.field)):
        raise DomainError("a printed table is judged at numbers; give numbers in the place of letters", level=exact)
    subject = as_deployed(asked.printed, who)
    losses = _losses(subject, who)
    if ends is not None and ends.printed == subject:  # its outputs are the guesses in their order
        privacy = privacy_beside(ends, exact, progress=listener)
    else:
        privacy = privacy_as_printed(subject, near, exact, progress=listener)
    told = optimum(near, exact, who, progress=listener, time_limit=asked.time_limit)
    least = told.evidence.least_loss
    gaps = None if least is None else (losses.smallest - least, losses.largest - least)
    private_loss = private = None
    if privacy.evidence.private is not None and _has_program(subject, near, exact, who):
        found = least_private_loss(subject, near, exact.alpha, who, progress=listener)
        private_loss, private = (None, None) if found is None else found
    evidence = PrintedOptimalityEvidence(
        neighbours=near,
        level=exact,
        consumer=who,
        printed=subject,
        optimum=told,
        privacy=privacy.evidence,
        losses=losses,
        gaps=gaps,
        private_loss=private_loss,
        private=private,
    )
    return _said(evidence, privacy)


def _has_program(printed: PrintedTable, near: Neighbours, level: PrivacyLevel, consumer: Consumer) -> bool:
    """Whether the least loss of a private table is a rational linear program, and one of a fair size."""
    integers = all(d.rational is not None and d.rational.denominator == 1 for _, _, d in near.pairs())
    return integers and isinstance(level.alpha, Rational) and consumer.field == QQ and is_small(printed)


def _losses(printed: PrintedTable, consumer: Consumer) -> PrintedLossEvidence:
    """Both ends, each with a table."""
    subject = as_deployed(printed, consumer)
    losses = list(consumer.loss.matrix.rows())
    worst, best = (extreme_table(subject, losses, largest=largest) for largest in (True, False))
    return PrintedLossEvidence(
        printed=subject,
        consumer=consumer,
        largest=consumer.loss_of(worst),
        smallest=consumer.loss_of(best),
        worst=worst,
        best=best,
    )


def _said(e: PrintedOptimalityEvidence, privacy: Verdict[PrintedPrivacyEvidence]) -> Verdict[PrintedOptimalityEvidence]:
    """The verdict in words."""
    scope = scope_as_printed(e.printed, e.level, e.consumer)
    measure, value = e.consumer.measure, e.best.least_loss
    among = f"among {private_on(e.level, e.neighbours, 'mechanisms')} {whose(e.consumer)}"
    low, high = e.losses.stated
    own = f"{low}" if low == high else f"between {low} and {high}"
    known = "was not found in time" if value is None else f"is {measure.of(value)}"
    told = f"its {measure.word} is {own}, the {measure.extreme} {known}"
    if privacy.refuted:
        beside = f"the {measure.word} of these tables is {own}, the {measure.extreme} among {private_text(e.level, 'mechanisms')} {known}"
        return Verdict(Decision.REFUTED, f"{privacy.claim}; {beside}", e, scope)
    if value is not None and privacy.proved and e.losses.largest == value:
        return Verdict(Decision.PROVED, f"Every table that prints so {e.printed.how} is optimal {among}: {told}", e, scope)
    if value is not None and (e.losses.smallest > value or (e.private_loss is not None and e.private_loss > value)):
        least = "" if e.private_loss is None else f", and {measure.of(e.private_loss)} at best if it is private"
        return Verdict(Decision.REFUTED, f"No table that prints so {e.printed.how} is optimal {among}: {told}{least}", e, scope)
    ends = epsilon_ends_text(e.privacy.largest, e.privacy.smallest, e.level)
    what = f"the digits do not tell whether the table is optimal {among}"
    if e.private_loss is None:
        what = f"whether some of them is optimal {among} was not decided"
    claim = f"For the tables that print so {e.printed.how}, {ends}: {what}; {told}"
    return Verdict(Decision.UNDECIDED, claim, e, scope)
