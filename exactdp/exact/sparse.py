# SPDX-License-Identifier: MIT
"""Sparse linear systems over a field: a rank-revealing LU factorisation, over ℚ on FLINT's own rationals.

A system of m equations is reduced by Markowitz pivots (the entry whose row and column are thinnest), so that chains and bands
stay thin. Equations that turn out to be combinations of others are left out (``dependent``), and unknowns without a pivot are
``free``; :meth:`SparseFactors.solve` sets them to zero and :meth:`SparseFactors.kernel` to one.

Examples
--------
>>> from exactdp.exact import QQ
>>> factors = SparseFactors([{0: QQ(1), 1: QQ(-2)}, {0: QQ(2), 1: QQ(-4)}], 2)
>>> factors.rank, factors.dependent, factors.free
(1, [1], [1])
>>> factors.kernel(1)
{1: Rational('1'), 0: Rational('2')}
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Any

from exactdp.exact.field import OrderedField
from exactdp.exact.rational import QQ, _wrap

__all__ = ["SparseFactors"]

Raw = dict[int, Any]


class SparseFactors:
    """The factors of the matrix whose rows are given, each a mapping from unknown to coefficient.

    Parameters
    ----------
    rows : sequence of {unknown: scalar}
        The left-hand sides; zeros may be left out.
    unknowns : int
        How many unknowns there are, numbered from 0.
    field : OrderedField
        Of all numbers; ℚ unless said otherwise.
    """

    def __init__(self, rows: Sequence[Mapping[int, Any]], unknowns: int, field: OrderedField = QQ) -> None:
        self._field = field
        self._steps: list[tuple[int, int, Raw, list[tuple[int, Any]]]] = []
        active: list[Raw] = [self._raw(row) for row in rows]
        where: list[set[int]] = [set() for _ in range(unknowns)]
        for i, row in enumerate(active):
            for j in row:
                where[j].add(i)
        self._eliminate(active, where)
        taken_rows = {i for i, _, _, _ in self._steps}
        taken = {j for _, j, _, _ in self._steps}
        self.dependent = [i for i in range(len(active)) if i not in taken_rows]
        self.free = [j for j in range(unknowns) if j not in taken]
        self.rank = len(self._steps)

    def _eliminate(self, active: list[Raw], where: list[set[int]]) -> None:
        done = [False] * len(active)
        heap = [(len(row), i) for i, row in enumerate(active)]
        heapq.heapify(heap)
        while heap:
            size, i = heapq.heappop(heap)
            row = active[i]
            if done[i] or size != len(row) or not row:
                continue
            done[i] = True
            j = min(row, key=lambda j: (len(where[j]), j))
            for c in row:
                where[c].discard(i)
            pivot = row[j]
            others = []
            for k in sorted(where[j]):
                other = active[k]
                factor = other.pop(j) / pivot
                others.append((k, factor))
                for c, v in row.items():
                    if c == j:
                        continue
                    old = other.get(c)
                    if old is None:
                        other[c] = -factor * v
                        where[c].add(k)
                    else:
                        new = old - factor * v
                        if new:
                            other[c] = new
                        else:
                            del other[c]
                            where[c].discard(k)
                heapq.heappush(heap, (len(other), k))
            where[j] = set()
            self._steps.append((i, j, row, others))

    def _raw(self, values: Mapping[int, Any]) -> Raw:
        if self._field == QQ:
            return {j: v._q for j, v in values.items() if v}
        return {j: self._field(v) for j, v in values.items() if v}

    def _scalars(self, values: Raw) -> dict[int, Any]:
        return {k: _wrap(v) if self._field == QQ else v for k, v in values.items() if v}

    def solve(self, right: Mapping[int, Any]) -> dict[int, Any]:
        """The x with A·x = right on the independent equations and x = 0 on the free unknowns; zeros may be missing."""
        rest = self._raw(right)
        for i, _, _, others in self._steps:
            value = rest.get(i)
            if value:
                for k, factor in others:
                    rest[k] = rest.get(k, 0) - factor * value
        return self._scalars(self._back(rest, {}))

    def kernel(self, free: int) -> dict[int, Any]:
        """The x with A·x = 0 that is 1 at this free unknown and 0 at the others."""
        return self._scalars(self._back({}, self._raw({free: self._field.one})))

    def _back(self, rest: Raw, x: Raw) -> Raw:
        for i, j, row, _ in reversed(self._steps):
            value = rest.get(i, 0)
            for c, v in row.items():
                if c != j and c in x:
                    value = value - v * x[c]
            if value:
                x[j] = value / row[j]
        return x

    def solve_transposed(self, right: Mapping[int, Any]) -> dict[int, Any]:
        """The y, zero on the dependent equations, with Aᵀ·y = right on the unknowns that have a pivot; zeros may be missing."""
        rest = self._raw(right)
        y: Raw = {}
        for i, j, row, _ in self._steps:
            value = rest.get(j)
            if value:
                value = value / row[j]
                y[i] = value
                for c, v in row.items():
                    if c != j:
                        rest[c] = rest.get(c, 0) - v * value
        for i, _, _, others in reversed(self._steps):
            value = y.get(i, 0)
            for k, factor in others:
                if k in y:
                    value = value - factor * y[k]
            if value:
                y[i] = value
            else:
                y.pop(i, None)
        return self._scalars(y)
