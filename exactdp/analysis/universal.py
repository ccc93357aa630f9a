# SPDX-License-Identifier: MIT
"""Universal ℓ-optimality: is one mechanism, after the best remap, optimal for a loss under *every* prior?

Yes has one of three arguments. *Path*: the loss depends on inputs along a path only, crosses once there, and the geometric mechanism
of the path is derivable. *Tree*: zero-one loss, and T = Φ·diag(z) with Φ_iv = α^d(i,v), z_v = (1 − (deg v − 1)α)/(1+α) is derivable.
*Kinks*: the least loss is linear in the prior on finitely many cones, and optimal at their extreme rays. No has finitely many priors
that no single mechanism serves, with a Farkas vector.

Source: Fernandes, McIver, Palamidessi, Ding (Definition 4, Theorems 15, 19–21); docs/mathematics.md §1, §5.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from exactdp.analysis.kinks import kinks
from exactdp.analysis.privacy import is_private
from exactdp.analysis.scope import scope_of
from exactdp.analysis.universal_arguments import UniversalEvidence
from exactdp.analysis.universal_arguments import by_theorem as _by_theorem
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.vertices import PosteriorPolytope, posterior_polytope
from exactdp.errors import DefectiveAnswerError, DomainError, InputError, LabelError, ResourceLimitError
from exactdp.exact import Rational
from exactdp.model import LevelLike, Loss, Mechanism, Neighbours, PrivacyLevel, as_level
from exactdp.search.type_programs import best_mixture, common_mixture

__all__ = ["UniversalEvidence", "is_universally_optimal", "universally_optimal_mechanism"]

TRIES = 400
"""How many priors are tried before kinks are enumerated."""


Listener = Callable[[str], None]


def universally_optimal_mechanism(
    neighbours: Neighbours,
    level: LevelLike,
    loss: Loss,
    *,
    tries: int = TRIES,
    only: Collection[int] | None = None,
    progress: Listener | None = None,
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
    tries : int
        Priors to try.
    only : collection of int, optional
        Of these, try only those with these numbers (``numbers`` of an earlier answer at a level near by), and no kinks.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[UniversalEvidence]
        Proved with a mechanism and an argument, refuted with priors, or undecided (the kinks are too many).

    Examples
    --------
    >>> from exactdp.model import neighbours
    >>> def asked(graph, level):
    ...     near = neighbours(graph)
    ...     return universally_optimal_mechanism(near, level, Loss.zero_one(near.vertices))
    >>> asked("path:4", "1/2").evidence.rule, asked("star:4", "1/2").evidence.rule, len(asked("complete:3", "1/2").evidence.priors)
    ('path', 'tree', 2)
    """
    exact = _checked(neighbours, level, loss)
    base = UniversalEvidence(neighbours, exact, loss)
    for found in _by_theorem(base):
        return _yes(found)
    polytope = posterior_polytope(neighbours, exact)
    costs: list[list[Any]] = []
    optima: list[Any] = []
    tried: list[Sequence[Any]] = []
    weights: Any = None
    numbers: list[int] = []
    for count, prior in enumerate(_priors(polytope, tries)):
        if only is not None and count not in only:
            continue
        if progress is not None:
            progress(f"{count} priors tried, {len(tried)} kept")
        cost = _costs(polytope, loss, prior)
        _, _, value = best_mixture(polytope.rays, cost)
        if only is None and weights is not None and _mix(weights, cost) == value:
            continue
        costs.append(cost)
        optima.append(value)
        tried.append(prior)
        numbers.append(count)
        weights, y, z = common_mixture(polytope.rays, costs, optima)
        if weights is None:
            return _impossible(
                replace(base, numbers=tuple(k for k, factor in zip(numbers, z, strict=True) if factor)), polytope, tried, costs, y, z
            )
    if only is not None:
        return _undecided(base, "the given priors have a common optimum")
    while True:
        mechanism = _mechanism(polytope, weights)
        try:
            points = kinks(mechanism, loss)
        except (ResourceLimitError, DomainError) as error:
            return _undecided(base, f"{len(tried)} priors have a common optimum; {error.message}")
        potentials = []
        for number, point in enumerate(points):
            if progress is not None:
                progress(f"kink {number} of {len(points)}")
            prior = [Rational(x) for x in point]
            cost = _costs(polytope, loss, prior)
            _, y, value = best_mixture(polytope.rays, cost)
            if _mix(weights, cost) != value:
                break
            potentials.append(y)
        else:
            found = replace(base, mechanism=mechanism, rule="kinks", priors=tuple(points), potentials=tuple(potentials))
            return _yes(found)
        costs.append(cost)
        optima.append(value)
        tried.append(prior)
        weights, y, z = common_mixture(polytope.rays, costs, optima)
        if weights is None:
            return _impossible(base, polytope, tried, costs, y, z)


def is_universally_optimal(
    mechanism: Mechanism, neighbours: Neighbours, level: LevelLike, loss: Loss, *, tries: int = TRIES, progress: Listener | None = None
) -> Verdict[UniversalEvidence]:
    """Is this mechanism optimal, after the best remap, for this loss under every prior?

    Parameters
    ----------
    mechanism : Mechanism
        Private at the level.
    neighbours, level, loss, tries, progress
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
    exact = _checked(neighbours, level, loss)
    if not is_private(mechanism, neighbours, exact).proved:
        raise InputError(f"the mechanism is not {exact}-private on {neighbours}; ask is_private for the violated pairs", level=exact)
    base = UniversalEvidence(neighbours, exact, loss, mechanism)
    for found in _by_theorem(base):
        return _yes(found)
    polytope = posterior_polytope(neighbours, exact)
    for count, prior in enumerate(_priors(polytope, tries)):
        if progress is not None:
            progress(f"{count} priors tried")
        worse = _worse(base, polytope, prior)
        if worse is not None:
            return worse
    try:
        points = kinks(mechanism, loss)
    except (ResourceLimitError, DomainError) as error:
        return _undecided(base, f"no prior among {tries} shows that it is not; {error.message}")
    potentials = []
    for point in points:
        prior = [Rational(x) for x in point]
        worse = _worse(base, polytope, prior)
        if worse is not None:
            return worse
        potentials.append(best_mixture(polytope.rays, _costs(polytope, loss, prior))[1])
    return _yes(replace(base, rule="kinks", priors=tuple(points), potentials=tuple(potentials)))


def _checked(neighbours: Neighbours, level: LevelLike, loss: Loss) -> PrivacyLevel:
    if loss.inputs != neighbours.vertices:
        raise LabelError("the loss has other inputs than the neighbours", expected=neighbours.vertices, got=loss.inputs)
    return as_level(level)


# ── Single priors ──


def _priors(polytope: PosteriorPolytope, tries: int) -> Iterator[list[Any]]:
    """Priors to try, up to scale: uniform, on two inputs, then random ones with few values and with powers of the level."""
    field = polytope.field
    n = len(polytope.neighbours.vertices)
    a = polytope.level.alpha
    yield [field.one] * n
    for i, j, _ in polytope.neighbours.pairs():
        yield [field.one if x in (i, j) else field.zero for x in range(n)]
    rnd = random.Random(0)
    for _ in range(tries):
        if rnd.random() < 0.5:
            prior = [field(rnd.choice((0, 1, 1, 1, 2, 2, 3, 5))) for _ in range(n)]
        else:
            prior = [field(rnd.choice((0, 1, 1, 1, 2))) * a ** rnd.choice((-2, -1, 0, 0, 1, 2)) for _ in range(n)]
        if any(prior):
            yield prior


def _costs(polytope: PosteriorPolytope, loss: Loss, prior: Sequence[Any]) -> list[Any]:
    """min_g Σ_x π_x l(x,g) v_x for every vertex v."""
    zero = polytope.field.zero
    weighed = [[w * value for value in row] for w, row in zip(prior, loss.matrix.rows(), strict=True)]
    columns = list(zip(*weighed, strict=True))
    return [min(sum((c * x for c, x in zip(column, ray, strict=True) if c), zero) for column in columns) for ray in polytope.rays]


def _mix(weights: Sequence[Any], costs: Sequence[Any]) -> Any:
    return sum((w * c for w, c in zip(weights, costs, strict=True) if w), costs[0] * 0)


def _mechanism(polytope: PosteriorPolytope, weights: Sequence[Any]) -> Mechanism:
    support = [k for k, w in enumerate(weights) if w]
    columns = [[weights[k] * x for x in polytope.rays[k]] for k in support]
    return Mechanism(list(zip(*columns, strict=True)), polytope.neighbours.vertices, [f"v{k}" for k in support])


def _remapped(polytope: PosteriorPolytope, loss: Loss, prior: Sequence[Any], weights: Sequence[Any]) -> Mechanism:
    """The mixture after the best remap for this prior: its outputs are the guesses."""
    zero = polytope.field.zero
    result = [[zero] * len(loss.guesses) for _ in loss.inputs]
    for w, ray in zip(weights, polytope.rays, strict=True):
        if w:
            scores = [sum((p * loss[x, g] * ray[x] for x, p in enumerate(prior) if p), zero) for g in range(len(loss.guesses))]
            best = min(range(len(scores)), key=lambda g: scores[g])
            for x, row in enumerate(result):
                row[best] = row[best] + w * ray[x]
    return Mechanism(result, loss.inputs, loss.guesses)


def _least(mechanism: Mechanism, loss: Loss, prior: Sequence[Any]) -> Any:
    """Σ_y min_g Σ_x π_x l(x,g) M_xy."""
    zero = mechanism.field.zero + loss.field.zero
    total = zero
    for column in zip(*mechanism.rows(), strict=True):
        total = total + min(sum((p * loss[x, g] * column[x] for x, p in enumerate(prior) if p), zero) for g in range(len(loss.guesses)))
    return total


def _worse(base: UniversalEvidence, polytope: PosteriorPolytope, prior: Sequence[Any]) -> Verdict[UniversalEvidence] | None:
    assert base.mechanism is not None
    weights, _, value = best_mixture(polytope.rays, _costs(polytope, base.loss, prior))
    mine = _least(base.mechanism, base.loss, prior)
    if mine == value:
        return None
    better = _remapped(polytope, base.loss, prior, weights)
    evidence = replace(base, rule="prior", priors=(tuple(prior),), better=(better,))
    total = sum(prior, polytope.field.zero)
    shown = ", ".join(str(p / total) for p in prior)
    claim = (
        f"The mechanism is not universally optimal: under the prior ({shown}) it loses {mine / total} at best, another one {value / total}"
    )
    return Verdict(Decision.REFUTED, claim, evidence, scope_of(base.level))


def _impossible(
    base: UniversalEvidence, polytope: PosteriorPolytope, priors: Sequence[Sequence[Any]], costs: Sequence[Sequence[Any]], y: Any, z: Any
) -> Verdict[UniversalEvidence]:
    scaled = [tuple(factor * p for p in prior) for prior, factor in zip(priors, z, strict=True) if factor]
    used = [cost for cost, factor in zip(costs, z, strict=True) if factor]
    factors = [factor for factor in z if factor]
    if any(
        sum((a * x for a, x in zip(y, ray, strict=True)), polytope.field.zero) > sum(f * c[k] for f, c in zip(factors, used, strict=True))
        for k, ray in enumerate(polytope.rays)
    ):
        raise DefectiveAnswerError("the potentials found do not bound every vertex; please report this", potentials=y)
    better = tuple(
        _remapped(polytope, base.loss, prior, best_mixture(polytope.rays, _costs(polytope, base.loss, prior))[0]) for prior in scaled
    )
    evidence = replace(base, rule="priors", priors=tuple(scaled), potentials=(tuple(y),), better=better)
    claim = (
        f"No mechanism of the privacy type of {base.neighbours} at level {base.level} is universally optimal for the loss "
        f"{base.loss.name or 'given'}: none is optimal for all of {len(scaled)} priors"
    )
    return Verdict(Decision.REFUTED, claim, evidence, scope_of(base.level))


def _yes(evidence: UniversalEvidence) -> Verdict[UniversalEvidence]:
    why = {
        "path": "the loss crosses once along a path, and its geometric mechanism is derivable",
        "tree": "on a tree with (degree − 1)·α ≤ 1 the tight mechanism is best for the zero-one loss",
        "kinks": f"it is optimal at the {len(evidence.priors)} kinks of its least loss",
    }[evidence.rule]
    loss = evidence.loss.name or "given"
    claim = f"A mechanism is universally optimal for the loss {loss} on {evidence.neighbours} at level {evidence.level}: {why}"
    return Verdict(Decision.PROVED, claim, evidence, scope_of(evidence.level))


def _undecided(base: UniversalEvidence, reason: str) -> Verdict[UniversalEvidence]:
    return Verdict(Decision.UNDECIDED, f"Whether a mechanism is universally optimal is not decided: {reason}", base, scope_of(base.level))
