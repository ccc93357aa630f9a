# SPDX-License-Identifier: MIT
"""Priors between which the least loss of a mechanism is linear.

U(π) = Σ_y min_g Σ_x π_x l(x,g) M_xy is concave and piecewise linear. Cutting cones of priors in two, beginning with all of them, until at
every output one guess is best at all corners of a cone leaves finitely many cones on which U is linear. Another mechanism's least loss is
concave, so a mechanism that is best at all their corners is best everywhere. A cone always has as many corners as there are inputs: it is
cut at a point of one edge, so nothing else has to be found out about its shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import gcd
from typing import Any

from exactdp.errors import DomainError, ResourceLimitError
from exactdp.exact import ExactMatrix, Rational
from exactdp.exact.rational import integer_vector
from exactdp.model import Loss, Mechanism

__all__ = ["MOST_KINKS", "kinks"]

MOST_KINKS = 20_000
"""No more corners than this are listed."""

Ints = tuple[int, ...]


def kinks(mechanism: Mechanism, loss: Loss, *, limit: int = MOST_KINKS, progress: Callable[[str], None] | None = None) -> Iterator[Ints]:
    """Corners of cones of priors that cover all priors and on each of which U(π) is linear: as primitive integer vectors, each once.

    Parameters
    ----------
    mechanism : Mechanism
        Rational.
    loss : Loss
        Rational, on the same inputs.
    limit : int
        Most corners.
    progress : callable, optional
        Told how far it is; may raise to stop.

    Raises
    ------
    ResourceLimitError
        There would be more.
    DomainError
        The numbers are not rational.

    Examples
    --------
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
                raise ResourceLimitError(f"the least loss of the mechanism has more kinks than {limit}", limit=limit, got=len(scores) + 1)
            if progress is not None and len(scores) % 64 == 0:
                progress(f"{len(scores)} kinks, {len(cones)} cones to cut")
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
    """None if at every output one guess is best at all corners. Else corners i, j and the differences s < 0 < t there of two guesses
    that are best somewhere: of all that cross, those that do on the fewest edges, so that few new corners arise.

    They exist: guesses that never cross are ordered, and the first one is best everywhere.
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
        raise DomainError("kinks are computed over the rational numbers only", field=matrix.field)
    _, numerators = integer_vector(flat)
    width = matrix.shape[1]
    return [numerators[k : k + width] for k in range(0, len(numerators), width)]
