# SPDX-License-Identifier: MIT
"""One prior at a time: what the vertices of a privacy type cost under it, the priors that are tried, mixtures of vertices as mechanisms."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.vertices import PosteriorPolytope
from exactdp.errors import DefectiveAnswerError
from exactdp.model import Loss, Mechanism
from exactdp.search.limits import Limit
from exactdp.search.type_programs import best_mixture

__all__ = [
    "BestMixture",
    "best_for",
    "best_response",
    "bounds_every_vertex",
    "costs_of_vertices",
    "least_loss",
    "mixed",
    "mixture_of_vertices",
    "priors_to_try",
]


@dataclass(frozen=True, slots=True)
class BestMixture:
    """The least loss of a mechanism of the type under one prior: vertices' costs, weights that attain it, potentials that bound it."""

    costs: list[Any]
    weights: tuple[Any, ...]
    potentials: tuple[Any, ...]
    value: Any


def best_for(polytope: PosteriorPolytope, loss: Loss, prior: Sequence[Any], limit: Limit | None = None) -> BestMixture:
    """The best mixture of vertices for a prior. The program's proposal is checked: Σ w_v v = 1, w ≥ 0, y·v ≤ c_v, Σ w_v c_v = Σ y."""
    zero, one = polytope.field.zero, polytope.field.one
    costs = costs_of_vertices(polytope, loss, prior)
    weights, y, value = best_mixture(polytope.rays, costs, limit=limit)
    attained = all(w >= 0 for w in weights) and mixed(weights, costs) == value
    rows = all(mixed(weights, entries) == one for entries in zip(*polytope.rays, strict=True))
    if not (attained and rows and sum(y, zero) == value and bounds_every_vertex(polytope, y, costs)):
        raise DefectiveAnswerError("the best mixture found fails its check; please report this", prior=prior, weights=weights, potentials=y)
    return BestMixture(costs, weights, y, value)


def bounds_every_vertex(polytope: PosteriorPolytope, y: Sequence[Any], costs: Sequence[Any]) -> bool:
    """Whether Σ_x y_x v_x ≤ cost_v for every vertex v: then every mechanism of the type costs at least Σ y."""
    zero = polytope.field.zero
    return all(sum((a * x for a, x in zip(y, ray, strict=True)), zero) <= c for ray, c in zip(polytope.rays, costs, strict=True))


def priors_to_try(polytope: PosteriorPolytope, tries: int) -> Iterator[list[Any]]:
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


def costs_of_vertices(polytope: PosteriorPolytope, loss: Loss, prior: Sequence[Any]) -> list[Any]:
    """min_g Σ_x π_x l(x,g) v_x for every vertex v."""
    zero = polytope.field.zero
    weighed = [[w * value for value in row] for w, row in zip(prior, loss.matrix.rows(), strict=True)]
    columns = list(zip(*weighed, strict=True))
    return [min(sum((c * x for c, x in zip(column, ray, strict=True) if c), zero) for column in columns) for ray in polytope.rays]


def mixed(weights: Sequence[Any], costs: Sequence[Any]) -> Any:
    """Σ_v w_v c_v."""
    return sum((w * c for w, c in zip(weights, costs, strict=True) if w), costs[0] * 0)


def mixture_of_vertices(polytope: PosteriorPolytope, weights: Sequence[Any]) -> Mechanism:
    """The mechanism with the columns w_v v."""
    support = [k for k, w in enumerate(weights) if w]
    columns = [[weights[k] * x for x in polytope.rays[k]] for k in support]
    return Mechanism(list(zip(*columns, strict=True)), polytope.neighbours.vertices, [f"v{k}" for k in support])


def best_response(polytope: PosteriorPolytope, loss: Loss, prior: Sequence[Any], weights: Sequence[Any]) -> Mechanism:
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


def least_loss(mechanism: Mechanism, loss: Loss, prior: Sequence[Any]) -> Any:
    """Σ_y min_g Σ_x π_x l(x,g) M_xy."""
    zero = mechanism.field.zero + loss.field.zero
    total = zero
    for column in zip(*mechanism.rows(), strict=True):
        total = total + min(sum((p * loss[x, g] * column[x] for x, p in enumerate(prior) if p), zero) for g in range(len(loss.guesses)))
    return total
