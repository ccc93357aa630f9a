# SPDX-License-Identifier: MIT
"""Whether a table keeps what is required of it, decided exactly: each bound against the number that it is on.

* ``epsilon <= E`` with ``delta <= D``: the smallest ε beside δ = D, and the least δ at ε = E. Without a
  requirement on δ the smallest ε is that beside δ = 0, whatever is claimed.
* ``delta <= D`` without one on ε: the least δ at the claimed level.
* ``gap <= G``: the loss minus the least loss of a private mechanism, for each consumer at each level at which
  an audit compares; with ``%`` as a share of the least loss.

An ε is compared through α = e^(−ε), which is exact. What is not decided says so, with the known bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from exactdp.analysis.approximate import DeltaEvidence, LevelForDeltaEvidence, is_approximately_private, least_delta, level_for_delta
from exactdp.analysis.audit_evidence import Audit
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
from exactdp.analysis.wording import private_text, whose
from exactdp.errors import ResourceLimitError, SearchError, UndecidedSignError
from exactdp.model import Epsilon, Mechanism, Neighbours, PrivacyLevel, TightestLevel
from exactdp.runtime.progress import raise_unless_own_limit
from exactdp.runtime.values import dataclass

NO_MECHANISM = "the table is no mechanism"
"""Why a wrong table keeps nothing."""

OUT_OF_TIME = "the time limit has passed"


def decided_requirements(found: Audit, requirements: Sequence[Requirement], *, stopped: bool = False) -> tuple[Required, ...]:
    """What becomes of each requirement, in their order; of a gap once for each consumer and level.

    Parameters
    ----------
    found : Audit
        With its consumers.
    requirements : sequence of Requirement
        Which.
    stopped : bool
        Whether the time was up: then no further question is asked.
    """
    if found.quality == "wrong":
        return tuple(one.found("", FAILS, None, reason=NO_MECHANISM, part="not-stochastic") for one in requirements)
    judged = found.mechanism
    assert judged is not None  # a table that is not wrong stands for one
    deciding = _Deciding(found, judged, found.neighbours, tuple(requirements), stopped)
    return with_certificates(one for requirement in requirements for one in deciding.of(requirement))


@dataclass(frozen=True, slots=True)
class _Deciding:
    """What is needed to decide the requirements on one mechanism."""

    found: Audit
    judged: Mechanism
    near: Neighbours
    requirements: tuple[Requirement, ...]
    stopped: bool

    def of(self, one: Requirement) -> Iterator[Required]:
        """What becomes of a requirement."""
        if one.quantity in LEVELS:
            about = f"the smallest ε beside δ = {self._beside}"
            yield undecided_by(one, about, lambda: self._epsilon(one, about))
        elif one.quantity == DELTA:
            about = f"the least δ at ε = {Epsilon(self._level)}"
            yield undecided_by(one, about, lambda: self._delta(one, about))
        else:
            assert one.quantity in GAPS
            if not self.found.consumers:  # the time was up before
                yield one.found("", UNDECIDED, None, reason=OUT_OF_TIME)
            for k, entry in enumerate(self.found.consumers, 1):
                yield _gap(one, entry, f"consumer-{k}")

    @property
    def _beside(self) -> Any:
        return delta_beside(self.requirements)

    @property
    def _level(self) -> PrivacyLevel | TightestLevel:
        return level_of_delta(self.requirements, self.found.claim)

    def _epsilon(self, one: Requirement, about: str) -> Required:
        verdict: Verdict[LevelForDeltaEvidence] | None = self.found.tightest
        if self._beside != 0:
            verdict = None if self.stopped else level_for_delta(self.judged, self.near, self._beside)
        if verdict is None:
            return one.found(about, UNDECIDED, None, reason=OUT_OF_TIME)
        evidence = verdict.evidence
        epsilon = Epsilon.of_level(evidence.ratio)
        status = status_of(one, epsilon)
        made = one.found(about, status, epsilon)
        if not evidence.unfinished:
            return replace(made, shown_by=verdict) if self._beside != 0 else replace(made, part="level")
        # it is at least this: more than the bound is too much
        open_one = replace(made, exact=None, bounds=(epsilon, None), reason=OUT_OF_TIME)
        return open_one if status == FAILS else replace(open_one, status=UNDECIDED)

    def _delta(self, one: Requirement, about: str) -> Required:
        if self.stopped:
            return one.found(about, UNDECIDED, None, reason=OUT_OF_TIME)
        verdict: Verdict[DeltaEvidence] = least_delta(self.judged, self.near, self._level)
        evidence = verdict.evidence
        if evidence.delta is not None:
            return replace(one.found(about, status_of(one, evidence.delta), evidence.delta), shown_by=verdict)
        bounds = evidence.bounds or (evidence.at_least, None)
        made = replace(one.found(about, UNDECIDED, None, reason="the least δ is not known exactly"), bounds=bounds)
        asked = is_approximately_private(self.judged, self.near, self._level, one.bound)
        if asked.refuted:
            return replace(made, status=FAILS, shown_by=asked)
        if asked.proved and not one.strict:
            return replace(made, status=HOLDS, shown_by=asked)
        status = status_within(one, *bounds)
        return made if status is None else replace(made, status=status)


def undecided_by(one: Requirement, about: str, decide: Callable[[], Required]) -> Required:
    """The decision; undecided, with the reason, where a limit or a sign stops it."""
    try:
        return decide()
    except (ResourceLimitError, UndecidedSignError, SearchError) as error:
        if isinstance(error, ResourceLimitError) and "seconds" in error.facts:
            raise_unless_own_limit(error)
        return one.found(about, UNDECIDED, None, reason=error.message)


def _gap(one: Requirement, entry: Any, part: str) -> Required:
    """A gap of one consumer at one level."""
    how = "as deployed" if one.quantity == GAP else "after the best remap"
    among = "" if entry.level is None else f", among {private_text(entry.level, 'mechanisms')}"
    about = f"{how}, {whose(entry.consumer)}{among}"
    verdict = entry.deployed if one.quantity == GAP else entry.remapped
    if verdict is None:
        reason = entry.reason or "its outputs are no guesses of the consumer; require the gap after remap"
        return one.found(about, UNDECIDED, None, reason=reason)
    evidence = verdict.evidence
    losses = evidence.loss_bounds or (evidence.loss, evidence.loss)
    least = evidence.least_loss_bounds or (evidence.least_loss, evidence.least_loss)
    shown = "deployed" if one.quantity == GAP else "after-remap"
    return replace(decided_gap(one, about, losses, least, "the optimum was not found"), part=f"{part}-{shown}")


def decided_gap(one: Requirement, about: str, losses: tuple[Any, Any], least: tuple[Any, Any], between: str) -> Required:
    """What becomes of a bound on a gap, by the ends of the loss and of the least loss.

    ``between`` is the reason where some gap between the ends keeps the bound, and another does not.
    """
    lower, upper = losses[0] - least[1], losses[1] - least[0]
    lower = lower if lower > 0 else lower * 0  # no loss is below the least one
    if one.relative and upper != 0:
        sizes = sorted(abs(x) for x in least)
        if sizes[0] == 0 or (least[0] < 0 < least[1]):
            known = least[0] == least[1] and lower > 0
            reason = "the least loss is 0, so that no share of it is enough" if known else "the least loss may be 0, and has no share"
            return one.found(about, FAILS if known else UNDECIDED, None, reason=reason)
        lower, upper = lower / sizes[1], upper / sizes[0]
    if lower == upper:
        return one.found(about, status_of(one, upper), upper)
    status = status_within(one, lower, upper)
    made = replace(one.found(about, status or UNDECIDED, None), bounds=(lower, upper))
    return made if status is not None else replace(made, reason=between)


def status_of(one: Requirement, number: Any) -> str:
    """Whether a number that is known is within the bound."""
    return HOLDS if one.is_kept_by(number) else FAILS


def status_within(one: Requirement, lower: Any, upper: Any) -> str | None:
    """Whether all numbers between two are within the bound, or none is; None where neither is known."""
    if upper is not None and status_of(one, upper) == HOLDS:
        return HOLDS
    return FAILS if lower is not None and status_of(one, lower) == FAILS else None
