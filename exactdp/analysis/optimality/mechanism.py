# SPDX-License-Identifier: MIT
"""Is this mechanism optimal for this consumer among all private ones, and if not, by how much?

A given mechanism is judged as deployed, or after the consumer's best remap. :func:`verify_optimal` checks
somebody's own dual and solves nothing.

Two-sided bounds of a mechanism's gap: within so much of optimal, and not closer than so much.

When the optimum is known exactly the gap is one number, and the certificate ``not-optimal`` says it all. Here
the optimum may be known from both sides only (a search that a time limit stopped, a private mechanism and a
dual from anywhere): a private mechanism with the loss u shows that the gap is at least loss − u, and a dual
with the bound b that it is at most loss − b.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.analysis.optimality.dual import dual_bound
from exactdp.analysis.optimality.optimum import OptimalityEvidence, optimum
from exactdp.analysis.optimality.remap import RemapEvidence, as_deployed, best_remap
from exactdp.analysis.privacy import is_private
from exactdp.analysis.refinement import geometric_level
from exactdp.analysis.verdict import Decision, Verdict, decided, scope_of
from exactdp.errors import DefectiveAnswerError, InputError
from exactdp.lp.limits import Listener
from exactdp.mechanisms import geometric
from exactdp.model import Consumer, Dual, FactoredMechanism, LevelLike, Mechanism, Neighbours, PrivacyLevel, Remap, as_level
from exactdp.model.mechanism import over_one_field


def is_optimal(
    mechanism: Mechanism,
    neighbours: Neighbours,
    level: LevelLike,
    consumer: Consumer,
    *,
    progress: Listener | None = None,
    seconds: float | None = None,
) -> Verdict[OptimalityEvidence]:
    """Is the mechanism, as deployed, private at the level and optimal for the consumer?

    Parameters
    ----------
    mechanism : Mechanism
        Its outputs are the consumer's guesses.
    neighbours, level, consumer, progress, seconds
        As in :func:`optimum`.

    Returns
    -------
    Verdict[OptimalityEvidence]
        Proved, or undecided when the time was up; or refuted, because it is not private (``evidence.privacy.violated``) or because
        ``evidence.best`` is strictly better, by exactly ``evidence.gap``. The loss is there in every case; the gap of a mechanism that is
        not private may be negative.

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
    level, consumer = as_level(level), consumer.aligned(neighbours.vertices)
    mechanism = as_deployed(mechanism, consumer)
    mechanism, level = over_one_field(mechanism, level)
    best = optimum(neighbours, level, consumer, progress=progress, seconds=seconds).evidence
    loss = consumer.loss_of(mechanism)
    return _judge(mechanism, loss, None, best)


def is_optimal_after_remap(
    mechanism: Mechanism,
    neighbours: Neighbours,
    level: LevelLike,
    consumer: Consumer,
    *,
    progress: Listener | None = None,
    seconds: float | None = None,
) -> Verdict[OptimalityEvidence]:
    """Is the mechanism private at the level, and optimal for the consumer after the consumer's best remap of
    it?

    Parameters and errors as in :func:`is_optimal`; any number of outputs.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer, PrivacyLevel, geometric, neighbours
    >>> G, path = geometric(3, "1/4"), neighbours("path:4")
    >>> bool(is_optimal_after_remap(G, path, PrivacyLevel("1/4"), MinimaxConsumer(Loss.absolute(path.vertices))))
    True
    """
    level, consumer = as_level(level), consumer.aligned(neighbours.vertices)
    mechanism = mechanism.aligned(neighbours.vertices)
    mechanism, level = over_one_field(mechanism, level)
    best = optimum(neighbours, level, consumer, progress=progress, seconds=seconds).evidence
    if isinstance(best.found, FactoredMechanism) and geometric_level(mechanism) == level:
        assert best.dual is not None
        remap = RemapEvidence(mechanism, consumer, best.value, _relabelled(best.found.remap(), mechanism.outputs), best.dual.weights)
    else:
        remap = best_remap(mechanism, consumer, progress=progress, seconds=seconds).evidence
    return _judge(mechanism, remap.value if remap.bounds is None else remap.bounds[1], remap, best)


def _relabelled(remap: Remap, outputs: tuple[str, ...]) -> Remap:
    return Remap(remap.matrix, outputs, remap.guesses)


def _judge(mechanism: Mechanism, loss: Any, remap: RemapEvidence | None, best: OptimalityEvidence) -> Verdict[OptimalityEvidence]:
    privacy = is_private(mechanism, best.neighbours, best.level)
    gap = None if best.value is None or (remap is not None and remap.bounds is not None) else loss - best.value
    evidence = OptimalityEvidence(
        best.neighbours,
        best.level,
        best.consumer,
        best.value,
        best.found,
        best.dual,
        mechanism,
        loss,
        gap,
        remap,
        privacy.evidence,
        bounds=best.bounds,
    )
    after, scope = " after the best remap" if remap else "", scope_of(best.level, mechanism, best.consumer.loss)
    among = f"among {best.level}-private mechanisms on {best.neighbours.name or 'this graph'}"
    if privacy.refuted:
        known = "" if gap is None else f" (Its loss{after} is {loss}, the optimum {best.value}, the gap {gap}.)"
        return Verdict(Decision.REFUTED, f"{privacy.claim}.{known}", evidence, scope)
    if gap is None:
        lower, upper = best.bounds or (best.value, best.value)
        least = f"from {lower} to {upper}" if best.bounds is not None else best.value
        known = loss if remap is None or remap.bounds is None else f"from {remap.bounds[0]} to {remap.bounds[1]}"
        claim = f"Whether the mechanism{after} is optimal {among} was not decided: its loss is {known}, the least is {least}"
        return Verdict(Decision.UNDECIDED, claim, evidence, scope)
    if gap.sign() < 0:
        raise DefectiveAnswerError("a private mechanism beats the optimum; please report this", mechanism=mechanism, gap=gap)
    who = best.consumer.describe()
    if gap.sign() == 0:
        claim = f"The mechanism{after} is optimal {among} for {who}: its loss {loss} is the least"
    else:
        claim = f"The mechanism{after} is not optimal {among} for {who}: its loss is {loss}, the least {best.value}, the gap {gap}"
    return Verdict(decided(gap.sign() == 0), claim, evidence, scope)


def verify_optimal(
    mechanism: Mechanism, neighbours: Neighbours, level: LevelLike, consumer: Consumer, dual: Dual
) -> Verdict[OptimalityEvidence]:
    """Does this dual prove this mechanism optimal? Checks what it is given and solves nothing.

    Parameters
    ----------
    mechanism, neighbours, level, consumer
        As in :func:`is_optimal`.
    dual : Dual
        From anywhere; on a path the weights (the least favourable prior) are enough when the loss has single
        crossings.

    Returns
    -------
    Verdict[OptimalityEvidence]
        Proved; refuted when the mechanism is not private at the level; otherwise undecided, with the lower bound that the dual does prove
        (``value``) and the remaining ``gap``, or with the condition it breaks (``fault``): a bad dual refutes nothing.

    Examples
    --------
    >>> from exactdp import Dual, Loss, MinimaxConsumer, PrivacyLevel, geometric, neighbours
    >>> G, path = geometric(1, "1/2"), neighbours("path:2")
    >>> consumer = MinimaxConsumer(Loss.zero_one(path.vertices))
    >>> bool(verify_optimal(G, path, PrivacyLevel("1/2"), consumer, Dual(weights=("1/2", "1/2"))))
    True
    """
    level, consumer = as_level(level), consumer.aligned(neighbours.vertices)
    mechanism = as_deployed(mechanism, consumer)
    privacy = is_private(mechanism, neighbours, level)
    loss = consumer.loss_of(mechanism)
    bound = dual_bound(neighbours, level, consumer, dual)
    gap = None if bound.value is None else loss - bound.value
    evidence = OptimalityEvidence(
        neighbours,
        level,
        consumer,
        bound.value,
        dual=dual,
        mechanism=mechanism,
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
    where = neighbours.name or "this graph"
    if gap.sign():
        known = f"no {level}-private mechanism on {where} has a loss below {bound.value}"
        claim = f"The dual proves only that {known}; this one has {loss}, {gap} above"
        return Verdict(Decision.UNDECIDED, claim, evidence, privacy.scope)
    claim = f"The mechanism is optimal among {level}-private mechanisms on {where}: its loss {loss} is what the dual proves to be the least"
    return Verdict(Decision.PROVED, claim, evidence, privacy.scope)


@dataclass(frozen=True, slots=True)
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


def gap_between(
    mechanism: Mechanism,
    neighbours: Neighbours,
    level: LevelLike,
    consumer: Consumer,
    *,
    better: Mechanism | None = None,
    dual: Dual | None = None,
    seconds: float | None = None,
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
    seconds : float, optional
        Stop that search about so late.

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
    level, consumer = as_level(level), consumer.aligned(neighbours.vertices)
    mechanism, better = as_deployed(mechanism, consumer), None if better is None else as_deployed(better, consumer)
    for m in (mechanism, better):
        if m is None:
            continue
        verdict = is_private(m, neighbours, level)
        if verdict.refuted:
            raise InputError(f"a gap is asked for private mechanisms: {verdict.claim}", verdict=verdict)
    loss = consumer.loss_of(mechanism)
    if better is None or dual is None:
        best = optimum(neighbours, level, consumer, seconds=seconds).evidence
        found, bound = better or best.found, dual or best.dual
    else:
        found, bound = better, dual
    assert found is not None
    assert bound is not None
    proved = dual_bound(neighbours, level, consumer, bound)
    if proved.value is None:
        raise InputError(f"the dual proves nothing: it breaks {proved.fault}", dual=bound)
    written = found.multiplied_by(geometric(len(found.inputs) - 1, level).matrix) if isinstance(found, FactoredMechanism) else found
    least, most = loss - consumer.loss_of(written), loss - proved.value
    among = f"{level}-private mechanisms on {neighbours.name or 'this graph'}"
    claim = f"The mechanism's loss {loss} is within {most} of the least of {among}, and no closer than {least}"
    return Verdict(
        Decision.PROVED,
        claim,
        GapEvidence(mechanism, neighbours, level, consumer, loss, least, most, found, bound),
        scope_of(mechanism, level),
    )
