# SPDX-License-Identifier: MIT
"""Stieltjes matrices on a graph, many at once: elimination without subtraction, inverses and solutions.

A Stieltjes matrix is symmetric and positive definite, and no entry beside its diagonal is positive. Here one
is given by *weights* w_ij ≥ 0 on a graph's edges and an *excess* e_i for each vertex:

    H_ii = e_i + Σ_j w_ij,          H_ij = −w_ij

Eliminating a vertex adds to the weights between its neighbours, and shares its excess among them (Grassmann,
Taksar and Heyman). Nothing is subtracted but what is negative in the excess. Large weights beside a small
excess therefore lose no digits: the inverse's entries are sums of positive numbers.

Vertices of least degree go first, so that sparse graphs stay sparse.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any


class StieltjesMatrices:
    """Matrices with the same graph; the last axis of every array says which one is meant.

    Parameters
    ----------
    one, other : sequence of int
        The edges' ends.
    size : int
        How many vertices.

    Attributes
    ----------
    order : array of int
        The vertices as they are eliminated; the matrices and vectors below are in this order.
    inverse : array of shape (size, size, count)
        Of the matrices that were given last.

    Examples
    --------
    >>> import numpy as np
    >>> pair = StieltjesMatrices([0], [1], 2)
    >>> pair.eliminate(np.array([[1.0]]), np.array([[1.0], [0.0]]))  # H = [[2, −1], [−1, 1]]
    >>> pair.inverse[:, :, 0].tolist(), pair.solve(np.array([[1.0], [1.0]])).tolist()
    ([[1.0, 1.0], [1.0, 2.0]], [[2.0], [3.0]])
    """

    def __init__(self, one: Sequence[int], other: Sequence[int], size: int) -> None:
        import numpy

        self._np = np = numpy
        near: list[set[int]] = [set() for _ in range(size)]
        for i, j in zip(one, other, strict=True):
            near[i].add(j)
            near[j].add(i)
        left, order = set(range(size)), list[int]()
        while left:
            v = min(left, key=lambda u: (len(near[u]), u))
            order.append(v)
            left.discard(v)
            for u in near[v]:
                near[u] = (near[u] | near[v]) - {u, v}
        place = {v: k for k, v in enumerate(order)}
        self.order = np.array(order, dtype=int)
        self._later = [np.array(sorted(place[u] for u in near[v]), dtype=int) for v in order]
        self._beyond = [later - v - 1 for v, later in enumerate(self._later)]  # among those after v
        self._ends = np.array([place[i] for i in one], dtype=int), np.array([place[j] for j in other], dtype=int)
        # weights are kept vertex by vertex, for each later neighbour one
        self._starts = [0, *accumulate(map(len, self._later))]
        entry = {(v, u): self._starts[v] + k for v, later in enumerate(self._later) for k, u in enumerate(later.tolist())}
        ends = ((place[i], place[j]) for i, j in zip(one, other, strict=True))
        self._entries = np.array([entry[min(pair), max(pair)] for pair in ends], dtype=int)
        # eliminating a vertex changes the weights between its later neighbours: first, second, where
        self._between: list[tuple[Any, Any, Any] | None] = []
        for later in self._later:
            first, second = np.triu_indices(len(later), 1)
            where = [entry[pair] for pair in zip(later[first].tolist(), later[second].tolist(), strict=True)]
            self._between.append((first, second, np.array(where)) if where else None)
        self._pivots: Any = None
        self._shares: list[Any] = []
        self.inverse: Any = None

    def eliminate(self, weights: Any, excess: Any) -> None:
        """Factor and invert matrices: weights of shape (edges, count), excess of shape (size, count).

        Raises
        ------
        numpy.linalg.LinAlgError
            A pivot is not positive: to rounding, a matrix is not positive definite.
        """
        np = self._np
        full, excess = np.zeros((self._starts[-1], weights.shape[1])), excess.copy()
        full[self._entries] = weights
        pivots, self._shares = np.empty_like(excess), []
        with np.errstate(divide="ignore", invalid="ignore"):
            for v, (later, between) in enumerate(zip(self._later, self._between, strict=True)):
                row = full[self._starts[v] : self._starts[v + 1]]
                pivots[v] = pivot = row.sum(0) + excess[v]
                share = row / pivot
                excess[later] += share * excess[v]
                if between is not None:
                    first, second, where = between
                    full[where] += share[first] * row[second]
                self._shares.append(share)
        if not (pivots > 0).all():
            raise np.linalg.LinAlgError("a pivot is not positive")
        self._pivots = pivots
        self._invert()

    def _invert(self) -> None:
        """The inverse, from the last vertex to the first."""
        np, (size, count) = self._np, self._pivots.shape
        full, reciprocals = np.empty((size, size, count)), 1 / self._pivots
        for v in range(size - 1, -1, -1):
            later, share = self._later[v], self._shares[v]
            beside = np.zeros((size - v - 1, count)) if not len(later) else share[0] * full[later[0], v + 1 :]
            for u, part in zip(later[1:].tolist(), share[1:], strict=True):
                beside += part * full[u, v + 1 :]
            full[v, v + 1 :] = full[v + 1 :, v] = beside
            full[v, v] = reciprocals[v] + (share * beside[self._beyond[v]]).sum(0)
        self.inverse = full

    def solve(self, right: Any) -> Any:
        """H⁻¹ times vectors of shape (size, count); neighbours' values differ by what they should.

        The inverse times a vector would round each value by itself.
        """
        found = right.copy()
        for later, share, value in zip(self._later, self._shares, found, strict=True):
            found[later] += share * value
        return self._back(found)

    def _back(self, found: Any) -> Any:
        """What right-hand sides are after elimination, to solutions."""
        for v in range(len(found) - 1, -1, -1):
            found[v] = found[v] / self._pivots[v] + (self._shares[v] * found[self._later[v]]).sum(0)
        return found
