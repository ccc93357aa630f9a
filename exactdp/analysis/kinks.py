# SPDX-License-Identifier: MIT
"""The kinks of a mechanism's least loss as a function of the prior.

U(π) = Σ_y min_g Σ_x π_x l(x,g) M_xy is linear on finitely many cones of priors, one for each way to choose a best guess at every
output. The kinks are the extreme rays of these cones: another mechanism's least loss is concave, so a mechanism that is best at all
kinks is best everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import comb, gcd
from typing import Any

from exactdp.errors import DomainError, ResourceLimitError
from exactdp.exact import ExactMatrix, Rational
from exactdp.exact.rational import integer_vector
from exactdp.model import Loss, Mechanism

__all__ = ["MOST_MEETS", "kinks"]

MOST_MEETS = 300_000
"""More than so many sets of hyperplanes are not intersected."""

Ints = tuple[int, ...]


def kinks(mechanism: Mechanism, loss: Loss, *, limit: int = MOST_MEETS, progress: Callable[[str], None] | None = None) -> list[Ints]:
    """The kinks of U(π), as primitive integer vectors, in lexicographic order.

    Parameters
    ----------
    mechanism : Mechanism
        Rational.
    loss : Loss
        Rational, on the same inputs.
    limit : int
        Most intersections of n − 1 hyperplanes to look at.
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
    >>> kinks(M, Loss.zero_one(M.inputs))
    [(0, 1), (1, 0), (1, 2), (2, 1)]
    """
    n = mechanism.n_inputs
    table = _integers(loss.matrix)
    columns = [list(column) for column in zip(*_integers(mechanism.matrix), strict=True) if any(column)]
    unit = [tuple(int(x == k) for x in range(n)) for k in range(n)]
    split = (
        tuple((row[g] - row[h]) * t for row, t in zip(table, column, strict=True))
        for column in columns
        for g, h in combinations(range(len(table[0])), 2)
    )
    walls = list(dict.fromkeys(_signed(w) for w in (*unit, *split) if any(w)))
    if comb(len(walls), n - 1) > limit:
        raise ResourceLimitError(f"the {len(walls)} hyperplanes meet in too many ways; the limit is {limit}", limit=limit, got=len(walls))
    found = set()
    for line in _lines(walls, n, progress):
        if min(line) < 0 < max(line):
            continue
        prior = tuple(map(abs, line))
        if prior not in found and _rank(_ties(prior, columns, table)) == n - 1:
            found.add(prior)
    return sorted(found)


def _integers(matrix: ExactMatrix) -> list[list[int]]:
    flat: list[Any] = [x for row in matrix.rows() for x in row]
    if not all(isinstance(x, Rational) for x in flat):
        raise DomainError("kinks are computed over the rational numbers only", field=matrix.field)
    _, numerators = integer_vector(flat)
    width = matrix.shape[1]
    return [numerators[k : k + width] for k in range(0, len(numerators), width)]


def _signed(v: Ints) -> Ints:
    common = gcd(*v)
    common = common if next(x for x in v if x) > 0 else -common
    return tuple(x // common for x in v)


def _lines(walls: list[Ints], n: int, progress: Callable[[str], None] | None) -> set[Ints]:
    """The lines in which n − 1 independent walls meet."""
    found: set[Ints] = set()

    def search(rows: list[Ints], pivots: list[int], start: int) -> None:
        if len(rows) == n - 1:
            j = next(j for j in range(n) if j not in pivots)
            scale = 1
            for row, k in zip(rows, pivots, strict=True):
                scale *= row[k]
            line = [scale if k == j else 0 for k in range(n)]
            for row, k in zip(rows, pivots, strict=True):
                line[k] = -row[j] * (scale // row[k])
            found.add(_signed(tuple(line)))
            return
        if progress is not None and len(rows) <= n - 3:
            progress(f"kinks: {len(found)} candidates")
        for at in range(start, len(walls)):
            row = walls[at]
            for done, k in zip(rows, pivots, strict=True):
                factor = row[k]
                row = tuple(done[k] * x - factor * y for x, y in zip(row, done, strict=True))
            if any(row):
                row = _signed(row)
                new = next(k for k in range(n) if row[k])
                rest = [_signed(tuple(row[new] * x - done[new] * y for x, y in zip(done, row, strict=True))) for done in rows]
                search([*rest, row], [*pivots, new], at + 1)

    search([], [], 0)
    return found


def _ties(prior: Ints, columns: list[list[int]], table: list[list[int]]) -> list[list[int]]:
    rows = [[int(x == k) for x in range(len(prior))] for k, weight in enumerate(prior) if not weight]
    for column in columns:
        sums = [sum(w * t * row[g] for w, t, row in zip(prior, column, table, strict=True)) for g in range(len(table[0]))]
        best = [g for g, x in enumerate(sums) if x == min(sums)]
        rows += [[(row[best[0]] - row[g]) * t for row, t in zip(table, column, strict=True)] for g in best[1:]]
    return [row for row in rows if any(row)]


def _rank(rows: list[list[int]]) -> int:
    return ExactMatrix(rows).rank() if rows else 0
