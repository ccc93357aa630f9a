# SPDX-License-Identifier: MIT
"""The parts of an audit that are about consumers: which gaps are wanted at which levels, and each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from exactdp.analysis.audit_evidence import ConsumerAudit
from exactdp.analysis.privacy import PrivacyEvidence
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.analysis.wording import private_text, whose
from exactdp.errors import DomainError, LabelError, ResourceLimitError, SearchError
from exactdp.exact import ExponentialField
from exactdp.model import Consumer, Mechanism, PrivacyLevel, Table
from exactdp.model.consumer import MinimaxConsumer, Problem
from exactdp.runtime.progress import Listener, raise_unless_own_limit
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.analysis.optimality.mechanism_optimality import OptimalityAfterRemapEvidence, OptimalityEvidence

T = TypeVar("T")

OUT_OF_TIME = "time limit"
"""Why a part is not decided that a time limit stopped."""


class Parts:
    """Asks one part after the other; once a time limit of the audit has stopped one, no other is begun."""

    def __init__(self) -> None:
        self.undecided: list[str] = []
        self.is_stopped = False
        self.stopped = ""

    def ask(self, part: str, question: Callable[[], T]) -> T | None:
        """The answer; None, with the part's name noted, when the time is up."""
        if not self.is_stopped:
            try:
                return question()
            except ResourceLimitError as error:
                if "seconds" not in error.facts:
                    raise
                raise_unless_own_limit(error)
                self.is_stopped, self.stopped = True, error.message
        self.undecided.append(part)
        return None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A consumer whose gap is wanted among mechanisms of a level; without a level, the reason for it."""

    consumer: Consumer
    level: PrivacyLevel | None
    own: PrivacyEvidence | None
    reason: str | None = None
    moved: Mechanism | None = None
    """The mechanism over a field that has the level too, where its own field has it not."""

    @property
    def name(self) -> str:
        """What is undecided without it."""
        among = "" if self.level is None else f" among {private_text(self.level, 'mechanisms')}"
        return f"the gap {whose(self.consumer)}{among}"

    @property
    def late(self) -> ConsumerAudit:
        """What is told of it when the time is up before."""
        return _not_compared(self.consumer, self.reason or OUT_OF_TIME, self.level)

    def answer(
        self,
        parts: Parts,
        rounded: Table | None,
        time_limit: float | None,
        progress: Listener | None,
        before: ConsumerAudit | None,
    ) -> ConsumerAudit:
        """The loss, deployed and after the best remap, and the optimum; ``before`` is at its own level."""
        if self.level is None or self.own is None:
            return self.late
        from exactdp.analysis.optimality.mechanism_optimality import is_optimal_after_remap, judged_after_remap

        neighbours, level, consumer = self.own.neighbours, self.level, self.consumer
        mechanism = self.own.mechanism if self.moved is None else self.moved
        known = None if before is None else _remap_known(before, level)
        if known is None:
            asked = partial(is_optimal_after_remap, mechanism, neighbours, level, consumer)
            best = partial(asked, time_limit=time_limit, progress=progress)
        else:
            problem = Problem(neighbours, level, consumer)
            best = partial(judged_after_remap, mechanism, problem, "the mechanism", progress, time_limit, known)

        def compared() -> ConsumerAudit:
            remapped = best()
            stands = stands_remapped = None
            if rounded is not None and self.moved is None:
                stands, stands_remapped = as_it_stands(rounded, remapped.evidence)
            if remapped.decision is Decision.UNDECIDED:
                parts.undecided.append(self.name)
            return ConsumerAudit(
                consumer=consumer,
                level=level,
                deployed=_as_deployed(mechanism, remapped.evidence),
                remapped=remapped,
                stands=stands,
                stands_remapped=stands_remapped,
                by_input=_by_input(mechanism, consumer),
            )

        try:
            return parts.ask(self.name, compared) or self.late
        except (DomainError, SearchError) as error:
            return _not_compared(consumer, error.message, level)


def _remap_known(before: ConsumerAudit, level: PrivacyLevel) -> Any:
    """The best remap that was found at another level, if its numbers are those of this level's field, too."""
    if before.remapped is None or before.level is None:
        return None
    return None if _has_more_roots(level, before.level) else before.remapped.evidence.remap


def _has_more_roots(level: PrivacyLevel, other: PrivacyLevel) -> bool:
    """Whether a level is of a field of several roots, such as e^(−1) and e^(−√2), and another one is not."""
    several, others = (len(one.field.gens) if isinstance(one.field, ExponentialField) else 0 for one in (level, other))
    return several > max(others, 1)


def comparisons_of(
    own: PrivacyEvidence | None,
    claimed: PrivacyLevel | None,
    consumers: Sequence[Consumer],
    parts: Parts,
    moved: Mechanism | None,
) -> list[Comparison]:
    """Each consumer at the mechanism's own level, then at the claimed one if it is another and kept."""
    if own is None and parts.is_stopped:
        late = [Comparison(consumer, None, None, OUT_OF_TIME) for consumer in consumers]
        parts.undecided += [comparison.name for comparison in late]
        return late
    if own is None:
        return [Comparison(consumer, None, None, "there is no mechanism") for consumer in consumers]
    mechanism, tightest = own.mechanism, own.tightest
    levels = []
    if tightest.value is not None and tightest.value not in (0, 1):
        by_epsilon = claimed is not None and claimed.by_epsilon  # as the claim was given
        levels.append(PrivacyLevel(epsilon=tightest.epsilon) if by_epsilon else PrivacyLevel(tightest.value))
    is_kept = claimed is not None and tightest > claimed
    if claimed is not None and is_kept and (claimed.alpha.field == mechanism.field or moved is not None):
        levels.append(claimed)
    if levels:
        found = []
        for consumer in consumers:
            for level in levels:
                elsewhere = moved if level.alpha.field != mechanism.field else None
                found.append(Comparison(consumer, level, own, moved=elsewhere))
        return found
    what = "an irrational root" if tightest.value is None else f"{tightest.value}, not strictly between 0 and 1"
    other = "no other one is claimed" if claimed is None else "the claimed one is not kept"
    if claimed is not None and tightest > claimed:
        other = f"the claimed one, {claimed}, is not among the table's numbers; exactdp optimal compares at it"
    return [Comparison(consumer, None, own, f"the tightest level is {what}, and {other}") for consumer in consumers]


def _not_compared(consumer: Consumer, reason: str, level: PrivacyLevel | None = None) -> ConsumerAudit:
    return ConsumerAudit(consumer=consumer, level=level, deployed=None, remapped=None, reason=reason)


def as_it_stands(table: Table, best: OptimalityAfterRemapEvidence) -> tuple[Any, Any]:
    """The loss of a table as it stands: deployed, and after the mechanism's best remap; None if unknown."""
    from exactdp.analysis.optimality.remap_optimality import as_deployed

    consumer, remap = best.consumer, best.remap.remap
    deployed = after = None
    if remap is not None and best.loss_bounds is None:  # else it is the best one found, not known to be the best
        after = consumer.loss_of(Table(table.matrix @ remap.matrix, table.inputs, remap.guesses))
    with suppress(LabelError):  # its outputs are no guesses
        deployed = consumer.loss_of(as_deployed(table, consumer))
    return deployed, after


def _by_input(mechanism: Mechanism, consumer: Consumer) -> tuple[tuple[str, Any], ...]:
    """The loss as deployed at every input that is held possible; none if the outputs are no guesses."""
    from exactdp.analysis.optimality.remap_optimality import as_deployed

    try:
        losses = consumer.row_losses(as_deployed(mechanism, consumer))
    except LabelError:
        return ()
    labels = consumer.loss.inputs
    possible = consumer.side_information.indices if isinstance(consumer, MinimaxConsumer) else range(len(losses))
    return tuple((str(labels[i]), consumer.measure.of(losses[i])) for i in possible)


def _as_deployed(mechanism: Mechanism, best: OptimalityAfterRemapEvidence) -> Verdict[OptimalityEvidence] | None:
    """What :func:`exactdp.is_optimal` says, from the known optimum; None if the outputs are no guesses."""
    from exactdp.analysis.optimality.mechanism_optimality import OptimalityEvidence
    from exactdp.analysis.optimality.remap_optimality import as_deployed

    try:
        mechanism = as_deployed(mechanism, best.consumer)
    except LabelError:
        return None
    loss = best.consumer.loss_of(mechanism)
    gap = None if best.least_loss is None else loss - best.least_loss
    known = {field.name: getattr(best, field.name) for field in fields(OptimalityEvidence)}
    evidence = OptimalityEvidence(**{**known, "mechanism": mechanism, "loss": loss, "gap": gap})
    measure = best.consumer.measure
    said = f"{best.value}, the gap {gap}" if best.bounds is None else "from {} to {}".format(*best.bounds)
    claim = f"As deployed the {measure.word} {whose(best.consumer)} is {measure.of(loss)}, the {measure.extreme} is {said}"
    decision = Decision.UNDECIDED if gap is None else decided(gap == 0)
    return Verdict(decision, claim, evidence, scope_of(mechanism, best.level, best.consumer.loss))
