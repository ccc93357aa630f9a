# SPDX-License-Identifier: MIT
"""The symmetries of a graph or metric: permutations of the inputs that keep every distance."""

from __future__ import annotations

from exactdp.model.distance import Distance
from exactdp.model.graph import Neighbours

__all__ = ["MOST_AUTOMORPHISMS", "Permutation", "automorphisms"]

Permutation = tuple[int, ...]

MOST_AUTOMORPHISMS = 50_000
"""More than so many are not listed; the identity alone is then the group to work with."""


def automorphisms(neighbours: Neighbours, limit: int = MOST_AUTOMORPHISMS) -> tuple[Permutation, ...]:
    """All permutations g of the inputs with d(g(i), g(j)) = d(i, j), in lexicographic order; the identity alone if they exceed the limit.

    Parameters
    ----------
    neighbours : AdjacencyGraph or Metric
        A pair that is not constrained must go to one that is not.
    limit : int
        Most permutations to list.

    Examples
    --------
    >>> from exactdp.model.graph_specs import neighbours
    >>> automorphisms(neighbours("path:3")), len(automorphisms(neighbours("hypercube:3")))
    (((0, 1, 2), (2, 1, 0)), 48)
    """
    size = len(neighbours.vertices)
    table: list[list[Distance | None]] = [[None] * size for _ in range(size)]
    for i, j, d in neighbours.pairs():
        table[i][j] = table[j][i] = d
    profiles = [sorted((0, d) if d is None else (1, d.square) for d in row) for row in table]
    found: list[Permutation] = []
    images: list[int] = []
    used = [False] * size

    def extend() -> bool:
        k = len(images)
        if k == size:
            found.append(tuple(images))
            return len(found) <= limit
        for image in range(size):
            if used[image] or profiles[image] != profiles[k] or any(table[image][other] != table[k][j] for j, other in enumerate(images)):
                continue
            images.append(image)
            used[image] = True
            fine = extend()
            used[images.pop()] = False
            if not fine:
                return False
        return True

    return tuple(found) if extend() else (tuple(range(size)),)
