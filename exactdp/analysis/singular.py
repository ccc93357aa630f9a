# SPDX-License-Identifier: MIT
"""Is Φ singular at a level? Yes comes with v ≠ 0, Φ·v = 0; no with the inverse. The level may be all of an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.analysis.scope import scope_of
from exactdp.analysis.verdict import Verdict, decided
from exactdp.exact import ExactMatrix
from exactdp.model import Neighbours, PrivacyLevel
from exactdp.model.constraint_matrix import ConstraintMatrix
from exactdp.model.level import LevelLike, as_level

__all__ = ["SingularEvidence", "is_singular"]


@dataclass(frozen=True)
class SingularEvidence:
    """Φ at a level with ``kernel`` (Φ·v = 0, v ≠ 0), or with ``inverse``; and its determinant."""

    neighbours: Neighbours
    level: PrivacyLevel
    determinant: Any
    kernel: tuple[Any, ...] | None = None
    inverse: ExactMatrix | None = None


def is_singular(neighbours: Neighbours, level: LevelLike) -> Verdict[SingularEvidence]:
    """Is det Φ = 0 at this level? For a level that is a symbol: at every level of its interval, or at none.

    Raises
    ------
    UndecidedSignError
        The determinant vanishes at some levels of the interval; names them.

    Examples
    --------
    >>> from exactdp.model import AdjacencyGraph
    >>> halves = AdjacencyGraph(range(8), [(i, j) for i in range(4) for j in range(4, 8)])
    >>> answer = is_singular(halves, "1/3")
    >>> answer.proved, len(set(answer.evidence.kernel))
    (True, 2)
    """
    alpha = as_level(level)
    matrix = ConstraintMatrix.of(neighbours)
    phi = matrix.at(alpha)
    determinant = phi.det()
    where = f"for {neighbours} at level {alpha}"
    if determinant.sign():
        return Verdict(
            decided(False),
            f"Φ is non-singular {where}",
            SingularEvidence(neighbours, alpha, determinant, None, phi.inverse()),
            scope_of(alpha),
        )
    kernel = _kernel([list(row) for row in phi.rows()])
    return Verdict(decided(True), f"Φ is singular {where}", SingularEvidence(neighbours, alpha, determinant, kernel), scope_of(alpha))


def _kernel(rows: list[list[Any]]) -> tuple[Any, ...]:
    """A vector of the kernel, by Gauss and Jordan."""
    size, pivots = len(rows), list[int]()
    zero = rows[0][0] - rows[0][0]
    for c in range(size):
        r = len(pivots)
        pivot = next((i for i in range(r, size) if rows[i][c].sign()), None)  # over one algebraic number too
        if pivot is None:
            free = c
            break
        rows[r], rows[pivot] = rows[pivot], rows[r]
        rows[r] = [x / rows[r][c] for x in rows[r]]
        for i in range(size):
            if i != r and rows[i][c]:
                rows[i] = [x - rows[i][c] * y for x, y in zip(rows[i], rows[r], strict=True)]
        pivots.append(c)
    return tuple(zero + 1 if j == free else -rows[pivots.index(j)][free] if j in pivots else zero for j in range(size))
