# SPDX-License-Identifier: MIT
"""For which priors is a mechanism optimal (binary gain, best remap): for all regular ones, or for one given?

*For every regular prior at once* [elsalamouny_tight_constraints, Theorem 3]: yes comes with a remap R for
which M·R is a tight-constraints mechanism: Φ·diag(M·R) = 1, so that its utility is Σ y for every π = y·Φ,
which no private mechanism exceeds. No comes with a regular prior and a private mechanism that has more
utility for it. The least of Σ_o max_k (yΦ)_k m_ko over y ≥ 0, Σ y = 1 decides: it is 1 in the first case, and
its multipliers are R; else its minimiser is the prior.

*The tight-constraints mechanism for one prior* [Section 7, an open question]: for a regular prior it is
optimal. For any other the answer is exact, instance by instance: its utility after the best remap, the
largest utility of a private mechanism, and the dual that proves that there is no more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from exactdp.analysis.arguments import Arguments, MechanismLike
from exactdp.analysis.leakage import utility
from exactdp.analysis.optimality.mechanism_optimality import OptimalityAfterRemapEvidence, judged_after_remap
from exactdp.analysis.optimality.optimum import one_optimum
from exactdp.analysis.privacy import PrivacyEvidence, privacy_at
from exactdp.analysis.tight.tight_mechanism import TightEvidence, tight_mechanism
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.analysis.wording import at_level
from exactdp.errors import DefectiveAnswerError
from exactdp.exact import ExactMatrix
from exactdp.lp.problem import LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.model import BayesianConsumer, LevelLike, Loss, Mechanism, Neighbours, NeighboursLike, Prior, PriorLike, PrivacyLevel, Remap
from exactdp.model.constraint_matrix import ConstraintMatrix
from exactdp.model.consumer import Problem
from exactdp.model.level_argument import takes_epsilon
from exactdp.runtime.progress import Listener, counted_off


@dataclass(frozen=True, kw_only=True)
class OnRegionEvidence:
    """Why a mechanism is optimal on the whole region, or is not.

    Attributes
    ----------
    mechanism, neighbours, level
        What was asked.
    remap : Remap or None
        R with Φ·diag(M·R) = 1, if it is.
    weights : tuple or None
        y of a regular prior π = y·Φ (with Σ π = 1) for which it is not.
    better : Mechanism or None
        A private mechanism with more utility for π.
    utilities : (scalar, scalar) or None
        The mechanism's utility with the best remap, and the better one's.
    """

    mechanism: Mechanism
    neighbours: Neighbours
    level: PrivacyLevel
    remap: Remap | None = None
    weights: tuple[Any, ...] | None = None
    better: Mechanism | None = None
    utilities: tuple[Any, Any] | None = None


@takes_epsilon
def is_optimal_on_region(
    mechanism: MechanismLike, neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None
) -> Verdict[OnRegionEvidence | PrivacyEvidence]:
    """Is no private mechanism better for any regular prior?

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        M, on the vertices.
    neighbours, level, progress
        As for :func:`~exactdp.analysis.tight.tight_mechanism.tight_mechanism`.

    Returns
    -------
    Verdict[OnRegionEvidence]
        Proved with R; refuted with a regular prior and a better mechanism, or with a privacy violation.
        Undecided if there is no private tight-constraints mechanism and the mechanism is optimal at every
        corner of the region and in its middle.

    Examples
    --------
    >>> from exactdp import geometric, uniform
    >>> from exactdp.model import neighbours
    >>> line = neighbours("path:3")
    >>> is_optimal_on_region(geometric(2, "1/2"), line, "1/2").proved
    True
    >>> [str(u) for u in is_optimal_on_region(uniform(range(3)), line, "1/2").evidence.utilities]
    ['1/3', '5/9']
    """
    asked = Arguments(mechanism=mechanism, neighbours=neighbours, level=level)
    mechanism, neighbours, alpha = asked.mechanism, asked.neighbours, asked.level
    private = privacy_at(mechanism, neighbours, alpha, progress=progress)
    if not private.proved:
        return private
    phi = ConstraintMatrix.of(neighbours).at(alpha)
    n, width = phi.shape[0], mechanism.n_outputs
    zero, one = alpha.field.zero, alpha.field.one
    # minimise Σ_o t_o subject to t_o ≥ Σ_i y_i φ_ik m_ko for all o, k; the variables are y, then t
    rows = [
        Row({n + o: one, **{i: -p for i in range(n) if (p := phi[i, k] * x)}}, ">=", zero)
        for o in range(width)
        for k, x in enumerate(mechanism.matrix.column(o))
    ]
    rows.append(Row(dict.fromkeys(range(n), one), "==", one))
    outputs = range(n, n + width)
    answer = solve(LinearProgram(n + width, dict.fromkeys(outputs, one), rows, frozenset(outputs)), progress=progress)
    assert isinstance(answer, Optimal)
    if answer.value == one:
        return _optimal(mechanism, neighbours, alpha, phi, answer)
    return _refuted(mechanism, neighbours, alpha, phi, answer.x[:n], progress)


def _optimal(m: Mechanism, neighbours: Neighbours, alpha: PrivacyLevel, phi: ExactMatrix, answer: Optimal) -> Verdict[Any]:
    n = phi.shape[0]
    remap = Remap([[answer.y[o * n + k] for k in range(n)] for o in range(m.n_outputs)], m.outputs, neighbours.vertices)
    # the multipliers give Φ·diag(M·R) ≥ 1, and privacy gives ≤ 1
    after = m.matrix @ remap.matrix
    diagonal = ExactMatrix([[after[i, i]] for i in range(n)], after.field)
    if any(x != 1 for x in (phi @ diagonal).column(0)):
        message = "the remap that the search returned is no tight-constraints mechanism"
        raise DefectiveAnswerError(message, condition="Φ·diag(M·R) = 1")
    where = at_level(neighbours, alpha)
    claim = f"for every prior that is regular for {where} no private mechanism has more utility than this one"
    evidence = OnRegionEvidence(mechanism=m, neighbours=neighbours, level=alpha, remap=remap)
    return Verdict(Decision.PROVED, claim, evidence, scope_of(alpha, m))


def _refuted(
    m: Mechanism, neighbours: Neighbours, alpha: PrivacyLevel, phi: ExactMatrix, y: Any, progress: Listener | None
) -> Verdict[Any]:
    answer = tight_mechanism(neighbours, alpha, progress=progress)
    tight: Mechanism | None = answer.evidence.mechanism
    # private by the triangle inequality, which a table of constrained pairs need not obey (SPEC §3)
    if tight is not None and not privacy_at(tight, neighbours, alpha).proved:
        tight = None
    n, where = phi.shape[0], at_level(neighbours, alpha)
    found, zero = OnRegionEvidence(mechanism=m, neighbours=neighbours, level=alpha), phi.field.zero
    # without a private tight-constraints mechanism only the corners of the region and its middle are tried
    candidates = [tuple(y)] if tight is not None else [*(tuple(int(i == c) for i in range(n)) for c in range(n)), (1,) * n]
    for weights in counted_off(candidates, progress, "regular priors", "priors"):
        masses = [sum((weights[i] * phi[i, k] for i in range(n)), zero) for k in range(n)]
        total = sum(masses, zero)
        prior = Prior([x / total for x in masses], neighbours.vertices)
        better = tight if tight is not None else _best(prior, neighbours, alpha)
        own = utility(m, prior)
        other = sum((p * better.matrix[i, i] for i, p in enumerate(prior.weights)), zero)
        if other > own:
            claim = f"for some regular prior of {where} a private mechanism has the utility {other}, this one {own}"
            evidence = replace(found, weights=tuple(w / total for w in weights), better=better, utilities=(own, other))
            return Verdict(Decision.REFUTED, claim, evidence, scope_of(alpha, m))
    none = "no private" if answer.proved else "no"
    claim = f"there is {none} tight-constraints mechanism for {where}; no regular prior was found for which this is worse"
    return Verdict(Decision.UNDECIDED, claim, found, scope_of(alpha, m))


def _best(prior: Prior, neighbours: Neighbours, alpha: PrivacyLevel) -> Mechanism:
    """An optimal mechanism for the prior and the binary gain."""
    return one_optimum(neighbours, alpha, BayesianConsumer(Loss.zero_one(neighbours.vertices), prior)).best


@takes_epsilon
def tight_gap(
    neighbours: NeighboursLike, level: LevelLike, prior: PriorLike, *, progress: Listener | None = None
) -> Verdict[OptimalityAfterRemapEvidence | TightEvidence]:
    """How much utility does the tight-constraints mechanism lose for this prior, regular or not?

    Parameters
    ----------
    neighbours, level, progress
        As for :func:`~exactdp.analysis.tight.tight_mechanism.tight_mechanism`; the level rational, or e^(−ε).
    prior : Prior, text, list or mapping
        π, on the vertices.

    Returns
    -------
    Verdict[OptimalityAfterRemapEvidence] or Verdict[TightEvidence]
        Proved if the mechanism is optimal after the best remap, for the binary gain. Else refuted, with a
        better mechanism, the dual, and ``gap``: the largest utility minus its utility Σ_o max_i π_i x_io
        (``value`` and ``loss`` are 1 − these utilities). Refuted with Farkas' vector if there is no
        tight-constraints mechanism at this level. If there are several, the one that is found is judged.

    References
    ----------
    ElSalamouny, Chatzikokolakis, Palamidessi (2013), Section 7: "how the utility decreases … outside the
    class of ε-regular priors".

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> ring = neighbours("cycle:4")
    >>> tight_gap(ring, "1/2", Prior(["1/4", "1/4", "1/4", "1/4"], ring.vertices)).evidence.gap
    Rational('0')
    >>> answer = tight_gap(ring, "1/2", Prior(["1/2", 0, "1/2", 0], ring.vertices))
    >>> answer.proved, answer.evidence.gap
    (False, Rational('1/12'))
    """
    asked = Arguments(neighbours=neighbours, level=level, prior=prior)
    neighbours, alpha, prior = asked.neighbours, asked.level, asked.prior
    tight = tight_mechanism(neighbours, alpha, progress=progress)
    if tight.evidence.mechanism is None:
        return tight
    consumer = BayesianConsumer(Loss.zero_one(neighbours.vertices), prior)
    problem = Problem(neighbours, alpha, consumer)
    return judged_after_remap(tight.evidence.mechanism, problem, "the tight-constraints mechanism", progress)
