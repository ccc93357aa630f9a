# SPDX-License-Identifier: MIT
"""How far is the tight-constraints mechanism from optimal for one prior? [elsalamouny-tight-constraints, Section 7, an open question]

For a regular prior it is optimal (Theorem 3). For any other prior the answer is exact, instance by instance: its utility after the best
remap, the largest utility of a private mechanism, and the dual that proves that there is no more.
"""

from __future__ import annotations

from exactdp.analysis.least_loss import OptimalityEvidence
from exactdp.analysis.optimality import is_optimal_after_remap
from exactdp.analysis.tight import TightEvidence, tight_mechanism
from exactdp.analysis.verdict import Verdict
from exactdp.model import BayesianConsumer, Loss, Neighbours, Prior
from exactdp.model.level import LevelLike, as_level

__all__ = ["tight_gap"]


def tight_gap(prior: Prior, neighbours: Neighbours, level: LevelLike) -> Verdict[OptimalityEvidence | TightEvidence]:
    """How much utility does the tight-constraints mechanism lose for this prior, regular or not?

    Parameters
    ----------
    prior : Prior
        π, on the vertices.
    neighbours : AdjacencyGraph or Metric
        The graph of the query's answers, or a metric on them.
    level : PrivacyLevel or number or text
        α: rational, or e^(−ε) for rational ε.

    Returns
    -------
    Verdict[OptimalityEvidence] or Verdict[TightEvidence]
        Proved if the mechanism is optimal after the best remap, for the binary gain; else refuted, with a better mechanism, the dual, and
        ``gap``: the largest utility minus its utility Σ_o max_i π_i x_io (``value`` and ``loss`` are 1 − these utilities). Refuted with
        Farkas' vector if there is no tight-constraints mechanism at this level. If there are several, the one that is found is judged.

    References
    ----------
    ElSalamouny, Chatzikokolakis, Palamidessi (2013), Section 7: "how the utility decreases … outside the class of ε-regular priors".

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> ring = neighbours("cycle:4")
    >>> tight_gap(Prior(["1/4", "1/4", "1/4", "1/4"], ring.vertices), ring, "1/2").evidence.gap
    Rational('0')
    >>> answer = tight_gap(Prior(["1/2", 0, "1/2", 0], ring.vertices), ring, "1/2")
    >>> answer.proved, answer.evidence.gap
    (False, Rational('1/12'))
    """
    alpha = as_level(level)
    tight = tight_mechanism(neighbours, alpha)
    if tight.evidence.mechanism is None:
        return Verdict(tight.decision, tight.claim, tight.evidence, tight.scope)
    return is_optimal_after_remap(tight.evidence.mechanism, neighbours, alpha, BayesianConsumer(Loss.zero_one(neighbours.vertices), prior))
