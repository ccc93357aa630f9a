# SPDX-License-Identifier: MIT
"""The verdicts about universal optimality, in words.

Universal ℓ-optimality: is one mechanism, after the best remap, optimal for a loss under *every* prior?

Yes has one of three arguments. *Path*: the loss depends on inputs along a path only, crosses once there, and
the geometric mechanism of the path is derivable. *Tree*: zero-one loss, and T = Φ·diag(z) with Φ_iv =
α^d(i,v), z_v = (1 − (deg v − 1)α)/(1+α) is derivable. *Kinks*: the least loss is linear in the prior on
finitely many cones, and optimal at their extreme rays. No has finitely many priors that no single mechanism
serves, with a Farkas vector; or, on graphs, for the zero-one loss and the distance, a cycle or an input with
too many neighbours: there the question is decided at any size.

Source: Fernandes, McIver, Palamidessi, Ding (Definition 4, Theorems 15, 19–21); docs/mathematics.md §1, §5.

Utility sets: which of these losses does a mechanism serve universally?

The utility set U(M) of a mechanism M of a privacy type is the set of losses for which M, after the best
remap, is optimal under every prior among the mechanisms of the type.

Source: Fernandes, McIver, Palamidessi, Ding (Definition 10, Theorem 15).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from exactdp.analysis.privacy import is_private
from exactdp.analysis.types.universal_arguments import UniversalEvidence, obstacle, refuted_nearby
from exactdp.analysis.types.universal_arguments import by_theorem as _by_theorem
from exactdp.analysis.types.universal_priors import (
    BestMixture,
    best_for,
    best_response,
    bounds_every_vertex,
    kinks,
    least_loss,
    mixed,
    mixture_of_vertices,
    priors_to_try,
)
from exactdp.analysis.types.vertices import PosteriorPolytope, posterior_polytope
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.errors import DefectiveAnswerError, DomainError, InputError, ResourceLimitError
from exactdp.exact import Rational
from exactdp.lp.limits import Limit, ticker, within_seconds
from exactdp.model import LevelLike, Loss, Mechanism, Neighbours, PrivacyLevel, as_level
from exactdp.search.types import common_mixture

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


TRIES = 400
"""How many priors are tried before kinks are enumerated."""


Listener = Callable[[str], None]


def universally_optimal_mechanism(
    neighbours: Neighbours,
    level: LevelLike,
    loss: Loss,
    *,
    theorems: bool = True,
    tries: int = TRIES,
    only: Collection[int] | None = None,
    progress: Listener | None = None,
    seconds: float | None = None,
) -> Verdict[UniversalEvidence]:
    """Is there a mechanism of the type that is optimal for this loss under every prior?

    Parameters
    ----------
    neighbours : AdjacencyGraph or Metric
        Connected.
    level : level
        In any field.
    loss : Loss
        Its inputs are the vertices.
    theorems : bool
        Use what is proved for whole families of graphs (paths, trees, cycles, stars) first; otherwise priors
        and kinks only.
    tries : int
        Priors to try.
    only : collection of int, optional
        Of these, try only those with these numbers (``numbers`` of an earlier answer at a level near by), and
        no kinks.
    progress : callable, optional
        Told how far it is.
    seconds : float, optional
        Stop about so late; the question is then undecided.

    Returns
    -------
    Verdict[UniversalEvidence]
        Proved with a mechanism and an argument, refuted with priors, or undecided (the kinks are too many, or
        the time was up).

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> def asked(graph, level):
    ...     near = neighbours(graph)
    ...     return universally_optimal_mechanism(near, level, Loss.zero_one(near.vertices))
    >>> [asked(graph, "1/2").evidence.rule for graph in ("path:4", "star:4", "complete:3", "star:5", "grid:20x20")]
    ['path', 'tree', 'cycle', 'star', 'cycle']
    >>> triangle = neighbours("complete:3")
    >>> len(universally_optimal_mechanism(triangle, "1/2", Loss.zero_one(triangle.vertices), theorems=False).evidence.priors)
    2
    """
    exact, loss = _checked(neighbours, level, loss)
    base = UniversalEvidence(neighbours, exact, loss)
    for found in _by_theorem(base) if theorems else ():
        return one_is(found)
    against = obstacle(base) if theorems else None
    if against is not None:
        return none_is(against)
    limit = None if seconds is None else within_seconds(seconds)
    return _unless_stopped(base, lambda: _common(base, tries, only, ticker(progress, limit), limit))


def _unless_stopped(base: UniversalEvidence, search: Callable[[], Verdict[UniversalEvidence]]) -> Verdict[UniversalEvidence]:
    try:
        return search()
    except ResourceLimitError as error:
        if "reason" not in error.facts:
            raise
        return undecided(base, error.message)


def _common(
    base: UniversalEvidence, tries: int, only: Collection[int] | None, progress: Listener, limit: Limit | None
) -> Verdict[UniversalEvidence]:
    loss = base.loss
    polytope = posterior_polytope(base.neighbours, base.level, progress=progress)
    costs: list[list[Any]] = []
    optima: list[Any] = []
    tried: list[Sequence[Any]] = []
    weights: Any = None
    numbers: list[int] = []
    for count, prior in enumerate(priors_to_try(polytope, tries)):
        if only is not None and count not in only:
            continue
        progress(f"{count} priors tried, {len(tried)} kept")
        best = best_for(polytope, loss, prior, limit)
        if only is None and weights is not None and mixed(weights, best.costs) == best.value:
            continue
        costs.append(best.costs)
        optima.append(best.value)
        tried.append(prior)
        numbers.append(count)
        weights, y, z = common_mixture(polytope.rays, costs, optima, limit=limit)
        if weights is None:
            return _impossible(
                replace(base, numbers=tuple(k for k, factor in zip(numbers, z, strict=True) if factor)), polytope, tried, costs, y, z
            )
    if only is not None:
        return undecided(base, "the given priors have a common optimum")
    while True:
        mechanism = mixture_of_vertices(polytope, weights)
        points, potentials = [], []
        try:
            for point in kinks(mechanism, loss, progress=progress):
                prior = [Rational(x) for x in point]
                best = best_for(polytope, loss, prior, limit)
                if mixed(weights, best.costs) != best.value:
                    break
                points.append(point)
                potentials.append(best.potentials)
            else:
                found = replace(base, mechanism=mechanism, rule="kinks", priors=tuple(points), potentials=tuple(potentials))
                return one_is(found)
        except (ResourceLimitError, DomainError) as error:
            if "reason" in error.facts:
                raise
            return undecided(base, f"{len(tried)} priors have a common optimum; {error.message}")
        costs.append(best.costs)
        optima.append(best.value)
        tried.append(prior)
        weights, y, z = common_mixture(polytope.rays, costs, optima, limit=limit)
        if weights is None:
            return _impossible(base, polytope, tried, costs, y, z)


def is_universally_optimal(
    mechanism: Mechanism,
    neighbours: Neighbours,
    level: LevelLike,
    loss: Loss,
    *,
    theorems: bool = True,
    tries: int = TRIES,
    progress: Listener | None = None,
    seconds: float | None = None,
) -> Verdict[UniversalEvidence]:
    """Is this mechanism optimal, after the best remap, for this loss under every prior?

    Parameters
    ----------
    mechanism : Mechanism
        Private at the level.
    neighbours, level, loss, theorems, tries, progress, seconds
        As for :func:`universally_optimal_mechanism`.

    Raises
    ------
    InputError
        The mechanism is not private at the level.

    Examples
    --------
    >>> from exactdp import geometric, neighbours, uniform
    >>> near, G = neighbours("path:3"), geometric(2, "1/2")
    >>> zero_one = Loss.zero_one(near.vertices)
    >>> bool(is_universally_optimal(G, near, "1/2", zero_one)), bool(is_universally_optimal(uniform(G.inputs), near, "1/2", zero_one))
    (True, False)
    """
    exact, loss = _checked(neighbours, level, loss)
    mechanism = mechanism.aligned(neighbours.vertices)
    if not is_private(mechanism, neighbours, exact).proved:
        raise InputError(
            f"the mechanism is not {exact}-private on {neighbours}; is_private (exactdp privacy) lists the violated constraints",
            level=exact,
        )
    base = UniversalEvidence(neighbours, exact, loss, mechanism)
    for found in _by_theorem(base) if theorems else ():
        return one_is(found)
    against = refuted_nearby(base) if theorems else None
    if against is not None:
        return this_is_not(against)
    limit = None if seconds is None else within_seconds(seconds)
    return _unless_stopped(base, lambda: _best_everywhere(base, mechanism, tries, ticker(progress, limit), limit))


def _best_everywhere(
    base: UniversalEvidence, mechanism: Mechanism, tries: int, progress: Listener, limit: Limit | None
) -> Verdict[UniversalEvidence]:
    loss = base.loss
    polytope = posterior_polytope(base.neighbours, base.level, progress=progress)
    for count, prior in enumerate(priors_to_try(polytope, tries)):
        progress(f"{count} priors tried")
        best = best_for(polytope, loss, prior, limit)
        if (least_loss(mechanism, loss, prior) - best.value).sign():  # at every level of an interval, or at none
            return _worse(base, polytope, prior, best)
    points, potentials = [], []
    try:
        for point in kinks(mechanism, loss, progress=progress):
            prior = [Rational(x) for x in point]
            best = best_for(polytope, loss, prior, limit)
            if (least_loss(mechanism, loss, prior) - best.value).sign():  # at every level of an interval, or at none
                return _worse(base, polytope, prior, best)
            points.append(point)
            potentials.append(best.potentials)
    except (ResourceLimitError, DomainError) as error:
        if "reason" in error.facts:
            raise
        return undecided(base, f"no prior among {tries} shows that it is not; {error.message}")
    return one_is(replace(base, rule="kinks", priors=tuple(points), potentials=tuple(potentials)))


def _checked(neighbours: Neighbours, level: LevelLike, loss: Loss) -> tuple[PrivacyLevel, Loss]:
    return as_level(level), loss.aligned(neighbours.vertices)


def _worse(base: UniversalEvidence, polytope: PosteriorPolytope, prior: Sequence[Any], best: BestMixture) -> Verdict[UniversalEvidence]:
    better = best_response(polytope, base.loss, prior, best.weights)
    return this_is_not(replace(base, rule="prior", priors=(tuple(prior),), better=(better,)))


def _impossible(
    base: UniversalEvidence, polytope: PosteriorPolytope, priors: Sequence[Sequence[Any]], costs: Sequence[Sequence[Any]], y: Any, z: Any
) -> Verdict[UniversalEvidence]:
    """No mechanism is optimal for these priors together: Σ_x y_x v_x ≤ Σ_k z_k c_kv at every vertex v, but Σ
    y > Σ_k z_k (least loss).
    """
    zero = polytope.field.zero
    scaled = [tuple(factor * p for p in prior) for prior, factor in zip(priors, z, strict=True) if factor]
    used = [(cost, factor) for cost, factor in zip(costs, z, strict=True) if factor]
    together = [sum((factor * cost[k] for cost, factor in used), zero) for k in range(len(polytope))]
    best = [best_for(polytope, base.loss, prior) for prior in scaled]
    conflict = all(factor > 0 for _, factor in used) and sum(y, zero) > sum((b.value for b in best), zero)
    if not (conflict and bounds_every_vertex(polytope, y, together)):
        raise DefectiveAnswerError("the potentials found do not show that the priors conflict; please report this", potentials=y)
    better = tuple(best_response(polytope, base.loss, prior, b.weights) for prior, b in zip(scaled, best, strict=True))
    return none_is(replace(base, rule="priors", priors=tuple(scaled), potentials=(tuple(y),), better=better))


@dataclass(frozen=True)
class UtilitySet:
    """The losses asked about, each with its own verdict.

    Attributes
    ----------
    mechanism, neighbours, level
        What was asked about.
    answers : tuple of (str, Verdict[UniversalEvidence])
        The name of each loss and whether the mechanism serves it; ``certify`` makes a certificate of each
        decided one.
    """

    mechanism: Mechanism
    neighbours: Neighbours
    level: PrivacyLevel
    answers: tuple[tuple[str, Verdict[UniversalEvidence]], ...]

    def named(self, decision: Decision) -> tuple[str, ...]:
        """The names of the losses with this decision: proved (served), refuted (not served), undecided."""
        return tuple(name for name, verdict in self.answers if verdict.decision is decision)


def utility_set(
    mechanism: Mechanism,
    neighbours: Neighbours,
    level: LevelLike,
    losses: Mapping[str, Loss],
    *,
    theorems: bool = True,
    tries: int = TRIES,
    progress: Callable[[str], None] | None = None,
    seconds: float | None = None,
) -> Verdict[UtilitySet]:
    """Which of these losses are in the utility set of this mechanism: is it optimal for them, after the best
    remap, under every prior?

    Parameters
    ----------
    mechanism : Mechanism
        Private at the level.
    neighbours, level, theorems, tries, progress
        As for :func:`~exactdp.analysis.types.universal.is_universally_optimal`.
    losses : mapping of str to Loss
        Names and losses, at least one; their inputs are the vertices.
    seconds : float, optional
        Most time for each loss.

    Returns
    -------
    Verdict[UtilitySet]
        Proved if each loss is decided, one way or the other: the claim lists both kinds. Undecided if one is not; the rest are still
        answered.

    Raises
    ------
    InputError
        There is no loss, or the mechanism is not private at the level.

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> near = neighbours("path:3")
    >>> ends = Loss([[0, 1], [0, 0], [1, 0]], near.vertices)
    >>> parity = Loss([[0, 1], [1, 0], [0, 1]], near.vertices)
    >>> losses = {"zero-one": Loss.zero_one(near.vertices), "ends": ends, "parity": parity}
    >>> found = utility_set(geometric(2, "1/2"), near, "1/2", losses)
    >>> found.evidence.named(Decision.PROVED), found.evidence.named(Decision.REFUTED)
    (('zero-one', 'ends'), ('parity',))
    """
    if not losses:
        raise InputError("there is no loss to ask about", losses=())
    exact, mechanism = as_level(level), mechanism.aligned(neighbours.vertices)
    answers = []
    for number, (name, loss) in enumerate(losses.items(), 1):

        def told(text: str, title: str = f"loss {number} of {len(losses)}, {name}") -> None:
            if progress is not None:
                progress(f"{title}: {text}")

        answers.append(
            (
                name,
                is_universally_optimal(mechanism, neighbours, exact, loss, theorems=theorems, tries=tries, progress=told, seconds=seconds),
            )
        )
    evidence = UtilitySet(mechanism, neighbours, exact, tuple(answers))
    served, lost, left = (evidence.named(decision) for decision in (Decision.PROVED, Decision.REFUTED, Decision.UNDECIDED))
    claim = (
        f"Of {len(answers)} losses the mechanism serves universally, on {neighbours} at level {exact}: {', '.join(served) or 'none'}; "
        f"not: {', '.join(lost) or 'none'}"
    )
    if left:
        claim += f"; not decided ({len(left)}): {', '.join(left)}"
    return Verdict(Decision.UNDECIDED if left else Decision.PROVED, claim, evidence, scope_of(exact))
