# SPDX-License-Identifier: MIT
"""What the vertices of a privacy type cost under one prior, and the priors that decide universal optimality.

*One prior*: the best mixture of vertices, checked, and the least loss of a mechanism after the best remap,
U(π) = Σ_y min_g Σ_x π_x l(x,g) M_xy.

*Kinks*: U(π) is concave and piecewise linear. Cutting cones of priors in two, beginning with all of them,
until at every output one guess is best at all corners of a cone leaves finitely many cones on which U is
linear. Another mechanism's least loss is concave, so a mechanism that is best at all their corners is best
everywhere. A cone always has as many corners as there are inputs: it is cut at a point of one edge, so
nothing else has to be found out about its shape.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd
from typing import Any

from exactdp.analysis.types.vertices import PosteriorPolytope
from exactdp.errors import DefectiveAnswerError, DomainError, ResourceLimitError
from exactdp.exact import ExactMatrix, Rational, integer_vector
from exactdp.model import Loss, Mechanism
from exactdp.model.consumer import guess_costs, least_cost
from exactdp.runtime.progress import Listener, Progress, part_of
from exactdp.search.tight_solutions import best_mixture

ONLY_RATIONAL = "kinks are computed over the rational numbers only"
"""Of mechanism, loss and level."""

MOST_KINKS = 20_000
"""No more corners than this are listed."""

Ints = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BestMixture:
    """The least loss of the type under one prior: ``weights`` attain it, ``potentials`` bound it."""

    costs: list[Any]
    weights: tuple[Any, ...]
    potentials: tuple[Any, ...]
    value: Any


def best_for(polytope: PosteriorPolytope, loss: Loss, prior: Sequence[Any], progress: Listener | None = None) -> BestMixture:
    """The best mixture of vertices for a prior, checked: Σ w_v v = 1, w ≥ 0, y·v ≤ c_v, Σ w_v c_v = Σ y."""
    zero, one = polytope.field.zero, polytope.field.one
    costs = costs_of_vertices(polytope, loss, prior)
    weights, y, value = best_mixture(polytope.rays, costs, progress=part_of(progress, "best mixture"))
    attained = all(w >= 0 for w in weights) and total_cost(weights, costs) == value
    rows = all(total_cost(weights, entries) == one for entries in zip(*polytope.rays, strict=True))
    if not (attained and rows and sum(y, zero) == value and bounds_every_vertex(polytope, y, costs)):
        message = "the best mixture found fails its check; please report this"
        raise DefectiveAnswerError(message, prior=prior, weights=weights, potentials=y)
    return BestMixture(costs, weights, y, value)


def bounds_every_vertex(polytope: PosteriorPolytope, y: Sequence[Any], costs: Sequence[Any]) -> bool:
    """Whether Σ_x y_x v_x ≤ cost_v for every vertex v: then every mechanism of the type costs Σ y or more."""
    zero = polytope.field.zero
    return all(sum((a * x for a, x in zip(y, ray, strict=True)), zero) <= c for ray, c in zip(polytope.rays, costs, strict=True))


def priors_to_try(polytope: PosteriorPolytope, tries: int) -> Iterator[list[Any]]:
    """Priors to try, up to scale: uniform, on two neighbours, random with few values or powers of α."""
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
    rays = ExactMatrix(polytope.rays).T
    return [min(row) for row in guess_costs(prior, rays, loss.matrix).rows()]


def total_cost(weights: Sequence[Any], costs: Sequence[Any]) -> Any:
    """Σ_v w_v c_v."""
    return sum(w * c for w, c in zip(weights, costs, strict=True) if w)


def mixture_of_vertices(polytope: PosteriorPolytope, weights: Sequence[Any]) -> Mechanism:
    """The mechanism with the columns w_v v."""
    support = [k for k, w in enumerate(weights) if w]
    columns = [[weights[k] * x for x in polytope.rays[k]] for k in support]
    return Mechanism(list(zip(*columns, strict=True)), polytope.neighbours.vertices, [f"v{k}" for k in support])


def best_response(polytope: PosteriorPolytope, loss: Loss, prior: Sequence[Any], weights: Sequence[Any]) -> Mechanism:
    """The mixture after the best remap for this prior: its outputs are the guesses."""
    zero = polytope.field.zero
    result = [[zero] * len(loss.guesses) for _ in loss.inputs]
    used = [(w, ray) for w, ray in zip(weights, polytope.rays, strict=True) if w]
    costs = guess_costs(prior, ExactMatrix([ray for _, ray in used]).T, loss.matrix)
    for (w, ray), scores in zip(used, costs.rows(), strict=True):
        best = min(range(len(scores)), key=scores.__getitem__)
        for x, row in enumerate(result):
            row[best] = row[best] + w * ray[x]
    return Mechanism(result, loss.inputs, loss.guesses)


def least_loss(mechanism: Mechanism, loss: Loss, prior: Sequence[Any]) -> Any:
    """Σ_y min_g Σ_x π_x l(x,g) M_xy."""
    return least_cost(prior, mechanism.matrix, loss.matrix, best=min)


def kinks(mechanism: Mechanism, loss: Loss, *, limit: int = MOST_KINKS, progress: Listener | None = None) -> Iterator[Ints]:
    """Corners of cones that cover all priors and on which U(π) is linear: primitive integer vectors.

    * ``mechanism``: rational.
    * ``loss``: rational, on the same inputs.
    * ``limit``: most corners.
    * raises ResourceLimitError: there would be more.
    * raises DomainError: the numbers are not rational.

    >>> M = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> sorted(kinks(M, Loss.zero_one(M.inputs)))
    [(0, 1), (1, 0), (1, 2), (2, 1)]
    """
    n = mechanism.n_inputs
    table = _integers(loss.matrix)
    columns = [list(column) for column in zip(*_integers(mechanism.matrix), strict=True) if any(column)]
    scores: dict[Ints, list[list[int]]] = {}
    cones = [[tuple(int(x == k) for x in range(n)) for k in range(n)]]
    while cones:
        cone = cones.pop()
        for prior in cone:
            if prior in scores:
                continue
            if len(scores) >= limit:
                message = f"the least loss of the mechanism has more kinks than {limit}"
                raise ResourceLimitError(message, limit=limit, got=len(scores) + 1)
            if progress is not None and len(scores) % 64 == 0:
                progress(Progress("kinks", len(scores), unit="kinks", detail=f"{len(cones)} cones to cut"))
            weighed = [[w * x for x in row] for w, row in zip(prior, table, strict=True)]
            scores[prior] = [
                [sum(t * row[g] for t, row in zip(column, weighed, strict=True)) for g in range(len(table[0]))] for column in columns
            ]
            yield prior
        crossing = _crossing([[scores[prior][y] for prior in cone] for y in range(len(columns))])
        if crossing is not None:
            i, j, s, t = crossing
            new = _primitive([t * a - s * b for a, b in zip(cone[i], cone[j], strict=True)])
            cones += [[new if k == place else prior for k, prior in enumerate(cone)] for place in (i, j)]


def _crossing(values: list[list[list[int]]]) -> tuple[int, int, int, int] | None:
    """Corners i, j of a cone and the differences s < 0 < t there of two guesses, each best somewhere.

    Of all guesses that cross these do on the fewest edges, so that few new corners arise. None if at every
    output one guess is best at all corners; otherwise two guesses cross: without crossings they are ordered,
    and the first one is best everywhere.

    * ``values``: for each output, corners × guesses: the expected losses.
    """
    fewest, found = 0, None
    for corners in values:
        best = [{g for g, x in enumerate(row) if x == min(row)} for row in corners]
        for g, h in combinations(sorted(set.union(*best)), 2) if not set.intersection(*best) else ():
            signs = [row[g] - row[h] for row in corners]
            crossed = sum(x < 0 for x in signs) * sum(x > 0 for x in signs)
            if crossed and (found is None or crossed < fewest):
                fewest, found = crossed, signs
    if found is None:
        return None
    i, j = (next(k for k, x in enumerate(found) if x * side > 0) for side in (-1, 1))
    return i, j, found[i], found[j]


def _primitive(v: list[int]) -> Ints:
    common = gcd(*v)
    return tuple(x // common for x in v)


def _integers(matrix: ExactMatrix) -> list[list[int]]:
    flat: list[Any] = [x for row in matrix.rows() for x in row]
    if not all(isinstance(x, Rational) for x in flat):
        raise DomainError(ONLY_RATIONAL, field=matrix.field)
    _, numerators = integer_vector(flat)
    width = matrix.shape[1]
    return [numerators[k : k + width] for k in range(0, len(numerators), width)]
