# SPDX-License-Identifier: MIT
"""Stieltjes matrices on a graph, many at once: elimination without subtraction, solutions, sums of inverses.

A Stieltjes matrix is symmetric and positive definite, and no entry beside its diagonal is positive. Here one
is given by *weights* w_ij ≥ 0 on a graph's edges and an *excess* e_i for each vertex:

    H_ii = e_i + Σ_j w_ij,          H_ij = −w_ij

Eliminating a vertex adds to the weights between its neighbours, and shares its excess among them (Grassmann,
Taksar and Heyman). Nothing is subtracted but what is negative in the excess. Large weights beside a small
excess therefore lose no digits: the inverse's entries are sums of positive numbers.

Vertices of least degree go first, so that sparse graphs stay sparse. What a vertex gives reaches only those
that are *above* it: its later neighbours, theirs, and so on. They are a path. With W_kj what reaches k of one
unit at j, and pivots p_k,

    H⁻¹_ij = Σ_k W_ki W_kj / p_k

Vertices below k come right before it. So row k of W has its entries in one interval, and sums of inverses
over many matrices are products of such rows.

An excess can be nearly all a flow, of which elimination must keep what is left. At an interior point that is
near the optimum, e_v consists of large numbers that go from vertex to vertex and of small ones that stay. The
sum over a component is small, and doubles lose it. So here both are given::

    e_v = Σ_u f_vu + g_v,              f_vu = −f_uv

Let D be the pivot of a vertex v that is eliminated, p_u = w_vu/D the shares of its neighbours, and ε = e_v/D
what is missing in Σ_u p_u = 1 − ε. Then the others have the same form again, with

    f'_uu' = f_uu' + p_u f_vu' − p_u' f_vu,        g'_u = g_u + p_u g_v − ε f_vu

Sums of f over a component never appear. Right-hand sides are given, and eliminated, in the same way.

References
----------
W. K. Grassmann, M. I. Taksar and D. P. Heyman (1985), *Regenerative analysis and steady state distributions
for Markov chains*, Operations Research 33, 1107–1116.
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

    Examples
    --------
    >>> import numpy as np
    >>> pair = StieltjesMatrices([0], [1], 2)
    >>> pair.eliminate(np.array([[1.0]]), np.array([[1.0], [0.0]]))  # H = [[2, −1], [−1, 1]]
    >>> pair.solve(np.array([[1.0], [1.0]])).tolist()
    [[2.0], [3.0]]
    >>> pair.sums(np.ones((1, 2, 1))).round(9)[0, :, 0].tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """

    def __init__(self, one: Sequence[int], other: Sequence[int], size: int) -> None:
        import numpy

        self._np = np = numpy
        order, later_ones = _elimination(one, other, size)
        place = {v: k for k, v in enumerate(order)}
        self.order = np.array(order, dtype=int)
        self._later = [np.array(sorted(place[u] for u in later_ones[v]), dtype=int) for v in order]
        self._ends = np.array([place[i] for i in one], dtype=int), np.array([place[j] for j in other], dtype=int)
        # vertex by vertex the weights of later neighbours, and then the excess, a weight to a last vertex
        neighbours = [[*later.tolist(), size] for later in self._later]
        self._starts = [0, *accumulate(map(len, neighbours))]
        entry = {(v, u): self._starts[v] + k for v, others in enumerate(neighbours) for k, u in enumerate(others)}
        joined = ((place[i], place[j]) for i, j in zip(one, other, strict=True))
        self._entries = np.array([entry[min(pair), max(pair)] for pair in joined], dtype=int)
        self._excess = np.array(self._starts[1:], dtype=int) - 1
        # eliminating a vertex changes the weights between the others: first, second, where
        self._between: list[tuple[Any, Any, Any]] = []
        for others in neighbours:
            first, second = np.triu_indices(len(others), 1)
            where = [entry[others[k], others[m]] for k, m in zip(first.tolist(), second.tolist(), strict=True)]
            self._between.append((first, second, np.array(where, dtype=int)))
        # the vertices above one are a path, and those below it come before it, one after the other
        depth, start = [0] * size, list(range(size))
        for v in range(size - 1, -1, -1):
            depth[v] = 1 + depth[neighbours[v][0]] if len(self._later[v]) else 0
        for v, later in enumerate(self._later):
            for u in later[:1].tolist():
                start[u] = min(start[u], start[v])
        self._depth = depth
        self._leaves = [v for v, first in enumerate(start) if first == v]
        self._below = [(v, slice(first, v + 1), depth[v]) for v, first in enumerate(start) if first < v]
        levels = [np.flatnonzero(np.array(depth) == d) for d in range(1, max(depth) + 1)]
        self._levels = [(level, *self._neighbours(level.tolist())) for level in levels]
        self._pivots: Any = None
        self._shares_by_level: list[Any] = []
        self._reached: Any = None

    def _neighbours(self, vertices: list[int]) -> tuple[Any, Any]:
        """Of each vertex the later neighbours and the places of their shares, filled up with a share of 0."""
        np, most = self._np, max(len(self._later[v]) for v in vertices)
        later, places = np.zeros((len(vertices), most), dtype=int), np.full((len(vertices), most), self._starts[-1])
        for k, v in enumerate(vertices):
            count = len(self._later[v])
            later[k, :count], places[k, :count] = self._later[v], range(self._starts[v], self._starts[v] + count)
        return later, places

    def eliminate(self, weights: Any, excess: Any) -> None:
        """Factor matrices: weights of shape (edges, count), excess of shape (size, count).

        Raises
        ------
        numpy.linalg.LinAlgError
            A pivot is not positive: to rounding, a matrix is not positive definite.
        """
        np, count = self._np, weights.shape[1]
        full, shares, pivots = np.zeros((self._starts[-1], count)), np.zeros((self._starts[-1] + 1, count)), np.empty_like(excess)
        full[self._entries], full[self._excess] = weights, excess
        with np.errstate(divide="ignore", invalid="ignore"):
            for v, (first, second, where) in enumerate(self._between):
                row, share = full[self._starts[v] : self._starts[v + 1]], shares[self._starts[v] : self._starts[v + 1]]
                np.divide(row, row.sum(0, out=pivots[v]), out=share)
                if len(where):
                    full[where] += share[first] * row[second]
        if not (pivots > 0).all():
            raise np.linalg.LinAlgError("a pivot is not positive")
        self._pivots = pivots
        self._shares_by_level = [shares[places] for _, _, places in self._levels]
        self._reach(shares)

    def _reach(self, shares: Any) -> None:
        """W, by columns: what of one unit at a vertex reaches those above it, by their depths."""
        np, (size, count) = self._np, self._pivots.shape
        self._reached = reached = np.empty((size, max(self._depth) + 1, count))
        for v in range(size - 1, -1, -1):
            path = reached[v, : self._depth[v] + 1]
            path[:] = 0
            path[-1] = 1
            for u, share in zip(self._later[v].tolist(), shares[self._starts[v] :], strict=False):
                above = self._depth[u] + 1
                path[:above] += share * reached[u, :above]

    def sums(self, factors: Any) -> Any:
        """Σ_r f_ir H⁻¹_ijr g_jr for every two of some factors of shape (size, count): f, i, g, j."""
        np, leaves, (number, size, count) = self._np, self._leaves, factors.shape
        roots, result = 1 / np.sqrt(self._pivots), np.zeros((number, size) * 2)
        part = roots[leaves] * factors[:, leaves]
        result[:, leaves, :, leaves] = np.einsum("fvr,gvr->vfg", part, part)
        for v, below, depth in self._below:
            part = (roots[v] * self._reached[below, depth]) * factors[:, below]
            flat = part.reshape(-1, count)
            result[:, below, :, below] += (flat @ flat.T).reshape(part.shape[:2] * 2)
        return result

    def solve(self, right: Any) -> Any:
        """H⁻¹ times vectors of shape (size, count)."""
        np, found = self._np, right / self._pivots
        for v, below, depth in self._below:
            found[v] = np.einsum("jr,jr->r", self._reached[below, depth], right[below]) / self._pivots[v]
        for (vertices, later, _), shares in zip(self._levels, self._shares_by_level, strict=True):
            found[vertices] += np.einsum("vlr,vlr->vr", shares, found[later])
        return found


def _elimination(one: Sequence[int], other: Sequence[int], size: int) -> tuple[list[int], list[set[int]]]:
    """An order of the vertices in which few edges come in, and the later neighbours of each one then."""
    near: list[set[int]] = [set() for _ in range(size)]
    for i, j in zip(one, other, strict=True):
        near[i].add(j)
        near[j].add(i)
    left, rank = set(range(size)), dict[int, int]()
    while left:
        v = min(left, key=lambda u: (len(near[u]), u))
        rank[v] = len(rank)
        left.discard(v)
        for u in near[v]:
            near[u] = (near[u] | near[v]) - {u, v}
    below: list[list[int]] = [[] for _ in range(size)]
    for v in rank:
        if near[v]:
            below[min(near[v], key=rank.__getitem__)].append(v)
    todo, order = [v for v in rank if not near[v]], list[int]()
    while todo:  # first those that are above others
        order.append(v := todo.pop())
        todo += below[v]
    return order[::-1], near


class FlowMatrices(StieltjesMatrices):
    """Stieltjes matrices on a graph, many at once; an edge's flow goes from its second end to its first.

    Examples
    --------
    >>> import numpy as np
    >>> pair, w, g = FlowMatrices([0], [1], 2), 1e20, 3e-20
    >>> pair.eliminate_flows(np.array([[w]]), np.array([[1.0]]), np.array([[0.0], [g]]))
    >>> float(round(pair.inverse[1, 1, 0] * 2 / w, 9))               # of [[w + 1, −w], [−w, w − 1 + g]]
    1.0
    """

    def eliminate_flows(self, weights: Any, flows: Any, own: Any) -> None:
        """Factor and invert matrices: weights and flows of shape (edges, count), own of shape (size, count).

        Raises
        ------
        numpy.linalg.LinAlgError
            A pivot is not positive: to rounding, a matrix is not positive definite.
        """
        np = self._np
        full, flow = self._symmetric(weights, 1), self._symmetric(flows, -1)
        own = own.copy()
        pivots, self._shares = list[Any](), list[Any]()
        self._missing: list[Any] = []
        for v, later in enumerate(self._later):
            row, stream = full[v, later], flow[v, later]
            excess = stream.sum(0) + own[v]
            pivot = row.sum(0) + excess
            if not (pivot > 0).all():
                raise np.linalg.LinAlgError("a pivot is not positive")
            share, missing = row / pivot, excess / pivot
            own[later] += share * own[v] - missing * stream
            full[later[:, None], later] += share[:, None] * row
            self._pass_on(flow, later, share, stream)
            pivots.append(pivot)
            self._shares.append(share)
            self._missing.append(missing)
        self._pivots = np.array(pivots)
        self._invert()

    def solve_flows(self, flows: Any, own: Any) -> Any:
        """H⁻¹ times vectors: flows of shape (edges, count) and what is left, of shape (size, count)."""
        flow, found = self._symmetric(flows, -1), own.copy()
        for v, (later, share, missing) in enumerate(zip(self._later, self._shares, self._missing, strict=True)):
            stream = flow[v, later]
            found[later] += share * found[v] - missing * stream
            found[v] += stream.sum(0)
            self._pass_on(flow, later, share, stream)
        return self._back(found)

    def _symmetric(self, values: Any, sign: int) -> Any:
        """Edges' values as matrices that are symmetric (sign 1) or antisymmetric (sign −1)."""
        full = self._np.zeros((len(self._later), len(self._later), values.shape[1]))
        one, other = self._ends
        full[one, other], full[other, one] = values, sign * values
        return full

    @staticmethod
    def _pass_on(flow: Any, later: Any, share: Any, stream: Any) -> None:
        """Give a vertex's flows to its neighbours, by their shares."""
        turn = share[:, None] * stream
        flow[later[:, None], later] += turn - turn.transpose(1, 0, 2)

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
            full[v, v] = reciprocals[v] + (share * beside[later - v - 1]).sum(0)
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
