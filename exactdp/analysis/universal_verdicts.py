# SPDX-License-Identifier: MIT
"""The verdicts about universal optimality, in words."""

from __future__ import annotations

from exactdp.analysis.scope import scope_of
from exactdp.analysis.universal_arguments import UniversalEvidence
from exactdp.analysis.universal_priors import least_loss
from exactdp.analysis.verdict import Decision, Verdict

__all__ = ["none_is", "one_is", "this_is_not", "undecided"]

SHOWN = 8
"""Priors on more inputs are shown by their positive entries, up to so many."""


def this_is_not(evidence: UniversalEvidence) -> Verdict[UniversalEvidence]:
    """The mechanism asked about loses more than another one under a prior."""
    [prior], [better] = evidence.priors, evidence.better
    assert evidence.mechanism is not None
    total = sum(prior[1:], prior[0])
    mine, other = (least_loss(m, evidence.loss, prior) / total for m in (evidence.mechanism, better))
    shown = f"({', '.join(str(p / total) for p in prior)})"
    if len(prior) > SHOWN:
        positive = [f"{x}: {p / total}" for x, p in zip(evidence.neighbours.vertices, prior, strict=True) if p]
        shown = f"{{{', '.join(positive[:SHOWN])}{', …' if len(positive) > SHOWN else ''}}}"
    claim = f"The mechanism is not universally optimal: under the prior {shown} it loses {mine} at best, another one {other}"
    return Verdict(Decision.REFUTED, claim, evidence, scope_of(evidence.level))


def none_is(evidence: UniversalEvidence) -> Verdict[UniversalEvidence]:
    """No mechanism of the type is: by priors, a cycle or an input with its neighbours."""
    labels, near = evidence.neighbours.vertices, len(evidence.inputs) - 1
    why = {
        "priors": lambda: f"none is optimal for all of {len(evidence.priors)} priors",
        "cycle": lambda: f"the graph has the cycle {' – '.join(str(labels[i]) for i in evidence.inputs)}",
        "star": lambda: f"the input {labels[evidence.inputs[0]]} has {near} neighbours, too many for this loss and level",
    }[evidence.rule]()
    claim = (
        f"No mechanism of the privacy type of {evidence.neighbours} at level {evidence.level} is universally optimal for the loss "
        f"{evidence.loss.name or 'given'}: {why}"
    )
    return Verdict(Decision.REFUTED, claim, evidence, scope_of(evidence.level))


def one_is(evidence: UniversalEvidence) -> Verdict[UniversalEvidence]:
    """The mechanism of the evidence is: by a path, a tree or kinks."""
    why = {
        "path": "the loss crosses once along a path, and its geometric mechanism is derivable",
        "tree": "on a tree with (degree − 1)·α ≤ 1 the tight mechanism is best for the zero-one loss",
        "kinks": f"it is optimal at the {len(evidence.priors)} kinks of its least loss",
    }[evidence.rule]
    loss = evidence.loss.name or "given"
    claim = f"A mechanism is universally optimal for the loss {loss} on {evidence.neighbours} at level {evidence.level}: {why}"
    return Verdict(Decision.PROVED, claim, evidence, scope_of(evidence.level))


def undecided(base: UniversalEvidence, reason: str) -> Verdict[UniversalEvidence]:
    """Neither, for this reason."""
    return Verdict(Decision.UNDECIDED, f"Whether a mechanism is universally optimal is not decided: {reason}", base, scope_of(base.level))
