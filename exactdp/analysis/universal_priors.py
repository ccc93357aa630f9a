# SPDX-License-Identifier: MIT
"""One prior at a time: what the vertices of a privacy type cost under it, the priors that are tried, mixtures of vertices as mechanisms."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from exactdp.analysis.vertices import PosteriorPolytope
from exactdp.model import Loss, Mechanism

__all__ = ["best_response", "costs_of_vertices", "least_loss", "mixed", "mixture_of_vertices", "priors_to_try"]


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
