# SPDX-License-Identifier: MIT
"""Is this mechanism optimal for this consumer among all private ones, and if not, by how much?

A given mechanism is judged as deployed, or after the consumer's best remap. :func:`verify_optimal` checks
somebody's own dual and solves nothing.

When the optimum is known exactly the gap is one number, and the certificate ``not-optimal`` says it all.
Where it is known from both sides only (a search that a time limit stopped, a private mechanism and a dual
from anywhere), :func:`gap_between` bounds the gap: a private mechanism with the loss u shows that it is at
least loss − u, and a dual with the bound b that it is at most loss − b.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeVar

from exactdp.analysis.arguments import ConsumerLike, MechanismLike, as_judged, as_kind, as_mechanism
from exactdp.analysis.optimality.dual import DualFault, dual_bound
from exactdp.analysis.optimality.optimum import OptimumEvidence, optimum
from exactdp.analysis.optimality.remap import RemapEvidence, as_deployed, best_remap
from exactdp.analysis.privacy import PrivacyEvidence, is_private
from exactdp.analysis.refinement import geometric_level
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.errors import DefectiveAnswerError, InputError
from exactdp.limits import Listener, keeps_time, part_of
from exactdp.mechanisms import geometric
from exactdp.model import Consumer, Dual, FactoredMechanism, LevelLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, Remap


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalityEvidence(OptimumEvidence):
    """The optimum, and a mechanism beside it.

    Attributes
    ----------
    mechanism : Mechanism
        The one asked about.
    loss
        Its loss.
    gap
        loss − value; None if a limit stopped the search.
    privacy : PrivacyEvidence or None
        Its exact privacy at the level; a violation refutes optimality whatever the loss.
    """

    mechanism: Mechanism
    loss: Any
    gap: Any
    privacy: PrivacyEvidence | None = None

    @property
    def loss_bounds(self) -> tuple[Any, Any] | None:
        """The loss from both sides, when a limit stopped the search for the best remap."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalityAfterRemapEvidence(OptimalityEvidence):
    """The optimum, and a mechanism after the consumer's best remap of it (the best one known, after a limit).

    Attributes
    ----------
    remap : RemapEvidence
        The remap; ``loss`` and ``gap`` are those after it.
    """

    remap: RemapEvidence

    @property
    def loss_bounds(self) -> tuple[Any, Any] | None:
        """The loss from both sides, when a limit stopped the search for the best remap."""
        return self.remap.bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class DualEvidence:
    """What a given dual proves about a mechanism.

    Attributes
    ----------
    neighbours, level, consumer, mechanism, dual
        What was asked about.
    value
        No private mechanism has less loss than this; None if the dual proves nothing.
    loss
        Of the mechanism.
    gap
        loss − value, or None.
    privacy : PrivacyEvidence
        The mechanism's exact privacy at the level.
    fault : DualFault or None
        The first condition that the dual breaks.
    """

    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer
    mechanism: Mechanism
    dual: Dual
    value: Any
    loss: Any
    gap: Any
    privacy: PrivacyEvidence
    fault: DualFault | None


Judged = TypeVar("Judged", bound=OptimalityEvidence)


@keeps_time
def is_optimal(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[OptimalityEvidence]:
    """Is the mechanism, as deployed, private at the level and optimal for the consumer?

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        Its outputs are the consumer's guesses.
    neighbours, level, consumer, progress, time_limit
        As in :func:`optimum`.

    Returns
    -------
    Verdict[OptimalityEvidence]
        Proved, or undecided when the time was up; or refuted, because it is not private
        (``evidence.privacy.violated``) or because ``evidence.best`` is strictly better, by exactly
        ``evidence.gap``. The loss is there in every case; the gap of a mechanism that is not private may be
        negative.

    Raises
    ------
    LabelError
        Outputs and guesses, or inputs, differ.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, PrivacyLevel, geometric, neighbours
    >>> G, path = geometric(3, "1/4"), neighbours("path:4")
    >>> v = is_optimal(G, path, PrivacyLevel("1/4"), MinimaxConsumer(Loss.absolute(path.vertices)))
    >>> v.decision.value, v.evidence.loss, v.evidence.gap
    ('refuted', Rational('9/20'), Rational('15/332'))
    """
    mechanism, neighbours, level, consumer = as_judged(mechanism, neighbours, level, consumer)
    mechanism = as_deployed(mechanism, consumer)
    best = optimum(neighbours, level, consumer, progress=progress, time_limit=time_limit).evidence
    privacy, loss = is_private(mechanism, neighbours, level, progress=progress), consumer.loss_of(mechanism)
    gap = None if best.value is None else loss - best.value
    evidence = OptimalityEvidence(**_fields(best), mechanism=mechanism, loss=loss, gap=gap, privacy=privacy.evidence)
    return _judged(evidence, privacy)


@keeps_time
def is_optimal_after_remap(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[OptimalityAfterRemapEvidence]:
    """Is the mechanism private at the level, and optimal for the consumer after the best remap of it?

    Parameters and errors as in :func:`is_optimal`; any number of outputs.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, PrivacyLevel, geometric, neighbours
    >>> G, path = geometric(3, "1/4"), neighbours("path:4")
    >>> consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    >>> bool(is_optimal_after_remap(G, path, PrivacyLevel("1/4"), consumer))
    True
    """
    mechanism, neighbours, level, consumer = as_judged(mechanism, neighbours, level, consumer)
    best = optimum(neighbours, level, consumer, progress=progress, time_limit=time_limit).evidence
    if best.bounds is None and isinstance(best.found, FactoredMechanism) and geometric_level(mechanism) == level:
        known = best.found.remap()
        remap = RemapEvidence(
            mechanism=mechanism,
            consumer=consumer,
            value=best.value,
            remap=Remap(known.matrix, mechanism.outputs, known.guesses),
            weights=best.dual.weights,
        )
    else:
        remap = best_remap(mechanism, consumer, progress=part_of(progress, "best remap"), time_limit=time_limit).evidence
    privacy = is_private(mechanism, neighbours, level, progress=progress)
    loss = remap.value if remap.bounds is None else remap.bounds[1]
    gap = None if best.value is None or remap.bounds is not None else loss - best.value
    evidence = OptimalityAfterRemapEvidence(**_fields(best), mechanism=mechanism, loss=loss, gap=gap, privacy=privacy.evidence, remap=remap)
    return _judged(evidence, privacy)


def _fields(best: OptimumEvidence) -> dict[str, Any]:
    return {field.name: getattr(best, field.name) for field in fields(OptimumEvidence)}


def _judged(e: Judged, private: Verdict[PrivacyEvidence]) -> Verdict[Judged]:
    """The verdict in words."""
    remap = e.remap if isinstance(e, OptimalityAfterRemapEvidence) else None
    after, scope = " after the best remap" if remap else "", scope_of(e.level, e.mechanism, e.consumer)
    measure = e.consumer.measure
    word, extreme, stated = measure.word, measure.extreme, measure.of
    among = f"among {e.level.name}-private mechanisms on {e.neighbours}"
    if private.refuted:
        known = "" if e.gap is None else f" (Its {word}{after} is {stated(e.loss)}, the optimum {stated(e.value)}, the gap {e.gap}.)"
        return Verdict(Decision.REFUTED, f"{private.claim}.{known}", e, scope)
    if e.gap is None:
        best = stated(e.value) if e.bounds is None else "from {} to {}".format(*measure.between(e.bounds))
        own = stated(e.loss) if remap is None or remap.bounds is None else "from {} to {}".format(*measure.between(remap.bounds))
        claim = f"Whether the mechanism{after} is optimal {among} was not decided: its {word} is {own}, the {extreme} is {best}"
        return Verdict(Decision.UNDECIDED, claim, e, scope)
    if e.gap.sign() < 0:
        raise DefectiveAnswerError("a private mechanism beats the optimum; please report this", mechanism=e.mechanism, gap=e.gap)
    who = e.consumer.describe()
    if e.gap.sign() == 0:
        claim = f"The mechanism{after} is optimal {among} for {who}: its {word} {stated(e.loss)} is the {extreme}"
    else:
        known = f"its {word} is {stated(e.loss)}, the {extreme} {stated(e.value)}, the gap {e.gap}"
        claim = f"The mechanism{after} is not optimal {among} for {who}: {known}"
    return Verdict(decided(e.gap.sign() == 0), claim, e, scope)


def verify_optimal(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    dual: Dual,
    *,
    progress: Listener | None = None,
) -> Verdict[DualEvidence]:
    """Does this dual prove this mechanism optimal? Checks what it is given and solves nothing.

    Parameters
    ----------
    mechanism, neighbours, level, consumer
        As in :func:`is_optimal`.
    dual : Dual
        From anywhere; on a path the weights (the least favourable prior) are enough when the loss has single
        crossings.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[DualEvidence]
        Proved; refuted when the mechanism is not private at the level; otherwise undecided, with the lower
        bound that the dual does prove (``value``) and the remaining ``gap``, or with the condition it breaks
        (``fault``): a bad dual refutes nothing.

    Examples
    --------
    >>> from exactdp import Dual, Loss, MinimaxConsumer, PrivacyLevel, geometric, neighbours
    >>> G, path = geometric(1, "1/2"), neighbours("path:2")
    >>> consumer = MinimaxConsumer(Loss.zero_one(path.vertices))
    >>> bool(verify_optimal(G, path, PrivacyLevel("1/2"), consumer, Dual(weights=("1/2", "1/2"))))
    True
    """
    mechanism, neighbours, level, consumer = as_judged(mechanism, neighbours, level, consumer)
    mechanism = as_deployed(mechanism, consumer)
    privacy = is_private(mechanism, neighbours, level, progress=progress)
    loss = consumer.loss_of(mechanism)
    bound = dual_bound(neighbours, level, consumer, dual)
    gap = None if bound.value is None else loss - bound.value
    evidence = DualEvidence(
        neighbours=neighbours,
        level=level,
        consumer=consumer,
        mechanism=mechanism,
        dual=dual,
        value=bound.value,
        loss=loss,
        gap=gap,
        privacy=privacy.evidence,
        fault=bound.fault,
    )
    if privacy.refuted:
        return Verdict(Decision.REFUTED, privacy.claim, evidence, privacy.scope)
    if bound.fault is not None:
        return Verdict(Decision.UNDECIDED, f"The dual proves nothing: it breaks {bound.fault}", evidence, privacy.scope)
    assert gap is not None
    where, measure = neighbours, consumer.measure
    if gap.sign():
        known = f"no {level.name}-private mechanism on {where} has a {measure.word} {measure.below} {measure.of(bound.value)}"
        claim = f"The dual proves only that {known}; this one has {measure.of(loss)}, {gap} {measure.above}"
        return Verdict(Decision.UNDECIDED, claim, evidence, privacy.scope)
    known = f"its {measure.word} {measure.of(loss)} is what the dual proves to be the {measure.extreme}"
    claim = f"The mechanism is optimal among {level.name}-private mechanisms on {where}: {known}"
    return Verdict(Decision.PROVED, claim, evidence, privacy.scope)


@dataclass(frozen=True, slots=True, kw_only=True)
class GapEvidence:
    """The gap of a private mechanism, between two bounds.

    Attributes
    ----------
    mechanism, neighbours, level, consumer
        What was asked about.
    loss
        Of the mechanism as deployed.
    least, most
        The gap lies between them; equal when the optimum is known.
    found : Mechanism or FactoredMechanism
        A private mechanism with the loss ``loss − least``.
    dual : Dual
        Proves that none has less than ``loss − most``.
    """

    mechanism: Mechanism
    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer
    loss: Any
    least: Any
    most: Any
    found: Mechanism | FactoredMechanism
    dual: Dual


@keeps_time
def gap_between(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    level: LevelLike,
    consumer: ConsumerLike,
    *,
    better: MechanismLike | None = None,
    dual: Dual | None = None,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[GapEvidence]:
    """By how much, at least and at most, does this private mechanism miss the optimum for the consumer?

    Parameters
    ----------
    mechanism : Mechanism
        Private at the level; its outputs are the consumer's guesses.
    neighbours, level, consumer
        As in :func:`exactdp.optimum`.
    better : Mechanism, optional
        A private mechanism to compare with, from anywhere.
    dual : Dual, optional
        A dual, from anywhere. Where one of the two is missing the optimum is searched for.
    progress : callable, optional
        Told how far it is.
    time_limit : float, optional
        Stop about so many seconds after the call.

    Returns
    -------
    Verdict[GapEvidence]
        Always proved.

    Raises
    ------
    InputError
        The mechanism, or ``better``, is not private at the level; or the dual breaks a condition.
    LabelError
        The outputs are not the guesses.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, geometric, neighbours
    >>> G, path = geometric(3, "1/4"), neighbours("path:4")
    >>> e = gap_between(G, path, PrivacyLevel("1/4"), MinimaxConsumer(Loss.absolute(path.vertices))).evidence
    >>> e.least == e.most, e.most
    (True, Rational('15/332'))
    """
    mechanism, neighbours, level, consumer = as_judged(mechanism, neighbours, level, consumer)
    mechanism = as_deployed(mechanism, consumer)
    better = None if better is None else as_deployed(as_mechanism(better, level, name="better mechanism"), consumer)
    if dual is not None:
        as_kind(dual, Dual, "dual", "a Dual, such as Dual(weights=('1/2', '1/2'))")
    for m in (mechanism, better):
        if m is None:
            continue
        verdict = is_private(m, neighbours, level, progress=progress)
        if verdict.refuted:
            raise InputError(f"a gap is asked for private mechanisms: {verdict.claim}", verdict=verdict)
    loss = consumer.loss_of(mechanism)
    if better is None or dual is None:
        best = optimum(neighbours, level, consumer, progress=progress, time_limit=time_limit).evidence
        found, bound = better or best.found, dual or best.dual
    else:
        found, bound = better, dual
    proved = dual_bound(neighbours, level, consumer, bound)
    if proved.value is None:
        raise InputError(f"the dual proves nothing: it breaks {proved.fault}", dual=bound)
    written = found.multiplied_by(geometric(len(found.inputs) - 1, level).matrix) if isinstance(found, FactoredMechanism) else found
    least, most = loss - consumer.loss_of(written), loss - proved.value
    among = f"{level.name}-private mechanisms on {neighbours}"
    measure = consumer.measure
    within = f"is within {most} of the {measure.extreme} of {among}, and no closer than {least}"
    claim = f"The mechanism's {measure.word} {measure.of(loss)} {within}"
    return Verdict(
        Decision.PROVED,
        claim,
        GapEvidence(
            mechanism=mechanism,
            neighbours=neighbours,
            level=level,
            consumer=consumer,
            loss=loss,
            least=least,
            most=most,
            found=found,
            dual=bound,
        ),
        scope_of(mechanism, level),
    )
