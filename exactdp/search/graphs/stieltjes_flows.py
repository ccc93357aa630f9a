# SPDX-License-Identifier: MIT
"""Stieltjes matrices whose excess is nearly all a flow: elimination that keeps what is left of it.

In :mod:`~exactdp.search.graphs.stieltjes` a matrix is given by weights w_uv on edges and an excess e_v of
each vertex. At an interior point that is near the optimum, e_v consists of large numbers that go from vertex
to vertex and of small ones that stay. The sum over a component is small, and doubles lose it. So here both
are given::

    e_v = Σ_u f_vu + g_v,              f_vu = −f_uv

Let D be the pivot of a vertex v that is eliminated, p_u = w_vu/D the shares of its neighbours, and ε = e_v/D
what is missing in Σ_u p_u = 1 − ε. Then the others have the same form again, with

    f'_uu' = f_uu' + p_u f_vu' − p_u' f_vu,        g'_u = g_u + p_u g_v − ε f_vu

Sums of f over a component never appear. Right-hand sides are given, and eliminated, in the same way.
"""

from __future__ import annotations

from typing import Any

from exactdp.search.graphs.stieltjes import StieltjesMatrices


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
