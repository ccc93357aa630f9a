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
        later = [sorted(place[u] for u in near[v]) for v in order]
        # an entry (v, u) for each later neighbour u that v has when it is eliminated, vertex by vertex
        entry = {ends: e for e, ends in enumerate((v, u) for v, beside in enumerate(later) for u in beside)}
        ends = ((place[i], place[j]) for i, j in zip(one, other, strict=True))
        self._edges = np.array([entry[min(pair), max(pair)] for pair in ends], dtype=int)
        # for each vertex: its entries, their later ends, the entries between these, the two they come from
        self._eliminations: list[tuple[slice, Any, Any, Any, Any]] = []
        self._entries = 0
        for beside in later:
            start, self._entries = self._entries, self._entries + len(beside)
            pairs = [(a, b) for b in range(len(beside)) for a in range(b)]
            between = [entry[beside[a], beside[b]] for a, b in pairs]
            places = beside, between, [start + a for a, _ in pairs], [start + b for _, b in pairs]
            after, changed, first, second = (np.array(part, dtype=int) for part in places)
            self._eliminations.append((slice(start, self._entries), after, changed, first, second))
        self._pivots: Any = None
        self._shares: Any = None
        self.inverse: Any = None

    def eliminate(self, weights: Any, excess: Any) -> None:
        """Factor and invert matrices: weights of shape (edges, count), excess of shape (size, count).

        ``inverse`` is overwritten where there is one for as many matrices.

        Raises
        ------
        numpy.linalg.LinAlgError
            A pivot is not positive: to rounding, a matrix is not positive definite.
        """
        np, size, count = self._np, len(self.order), weights.shape[1]
        row = np.zeros((self._entries, count))
        row[self._edges] = weights
        excess, pivots, shares = excess.copy(), np.empty((size, count)), np.empty_like(row)
        for v, (own, later, between, first, second) in enumerate(self._eliminations):
            np.add(row[own].sum(0), excess[v], out=pivots[v])
            if not (pivots[v] > 0).all():
                raise np.linalg.LinAlgError("a pivot is not positive")
            if len(later):
                share = np.divide(row[own], pivots[v], out=shares[own])
                excess[later] += share * excess[v]
                row[between] += shares[first] * row[second]
        self._pivots, self._shares = pivots, shares
        if self.inverse is None or self.inverse.shape[2] != count:
            self.inverse = np.empty((size, size, count))
        self._invert()

    def _invert(self) -> None:
        """The inverse from the factors, row by row from the last vertex on."""
        np, inverse, pivots = self._np, self.inverse, self._pivots
        spare = np.empty(inverse.shape[1:])
        for v in range(len(pivots) - 1, -1, -1):
            own, later, *_ = self._eliminations[v]
            shares, row = self._shares[own], inverse[v, v + 1 :]
            row[...] = 0
            for u, share in zip(later.tolist(), shares, strict=True):
                row += np.multiply(share, inverse[u, v + 1 :], out=spare[v + 1 :])
            inverse[v + 1 :, v] = row
            inverse[v, v] = 1 / pivots[v] + (shares * inverse[v, later]).sum(0)

    def solve(self, right: Any) -> Any:
        """H⁻¹ times vectors of shape (size, count); neighbours' values differ by what they should.

        The inverse times a vector would round each value by itself.
        """
        found = right.copy()
        for (own, later, *_), value in zip(self._eliminations, found, strict=True):
            found[later] += self._shares[own] * value
        found /= self._pivots
        for v in range(len(found) - 1, -1, -1):
            own, later, *_ = self._eliminations[v]
            if len(later):
                found[v] += (self._shares[own] * found[later]).sum(0)
        return found
