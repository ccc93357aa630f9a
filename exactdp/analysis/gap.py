# SPDX-License-Identifier: MIT
"""Two-sided bounds of a mechanism's gap: within so much of optimal, and not closer than so much.

When the optimum is known exactly the gap is one number, and the certificate ``not-optimal`` says it all. Here the optimum may be known
from both sides only (a search that a time limit stopped, a private mechanism and a dual from anywhere): a private mechanism with the
loss u shows that the gap is at least loss − u, and a dual with the bound b that it is at most loss − b.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.analysis.dual import dual_bound
from exactdp.analysis.least_loss import optimum
from exactdp.analysis.privacy import is_private
from exactdp.analysis.remap import as_deployed
from exactdp.analysis.scope import scope_of
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.errors import InputError
from exactdp.mechanisms import geometric
from exactdp.model import Consumer, Dual, FactoredMechanism, LevelLike, Mechanism, Neighbours, PrivacyLevel, as_level

__all__ = ["GapEvidence", "gap_between"]


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
