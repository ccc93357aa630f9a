# SPDX-License-Identifier: MIT
"""B = A·R column by column, in exact arithmetic: column r of R is a point of {u ≥ 0 : A·u = b_r}, and the columns must sum to 1.

A small linear program for each column gives a point, or a separator in that column; that settles most questions whose answer is no. A
*master* program then mixes the points so that their sum exceeds 1 as little as possible; its prices π ask each column for a cheaper point
(Dantzig and Wolfe, 1960). Either the excess becomes 0: then the mixture is R. Or the least prices add up to more than Σ π: then the
multipliers w_r of the columns are a separator W, since Aᵀw_r ≤ π and w_r·b_r is the least price.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.exact import ExactMatrix
from exactdp.search.lp import Basis, Infeasible, LinearProgram, Optimal, Proposer, Row, propose_basis, solve
from exactdp.search.transported_mass import Separator

__all__ = ["RemapColumns", "by_columns"]


def by_columns(A: ExactMatrix, B: ExactMatrix) -> ExactMatrix | Separator:
    """A row-stochastic R with A·R = B, or a separator; A has no zero column, and the rows of both sum to 1.

    >>> by_columns(ExactMatrix([["1/2", "1/4", "1/4"]]), ExactMatrix([["1"]]))
    ExactMatrix([['1'], ['1'], ['1']])
    """
    columns = RemapColumns(A, B)
    return columns.begin() or columns.finish()


class RemapColumns:
    """The columns' programs with their last bases, and the points found."""

    def __init__(self, A: ExactMatrix, B: ExactMatrix) -> None:
        self._B, self._field, self._m, self._k = B, A.field, A.shape[1], B.shape[1]
        self._left = [{y: p for y, p in enumerate(row) if p} for row in A.rows()]
        self._mass = [sum(column, A.field.zero) for column in zip(*A.rows(), strict=True)]
        self._bases: list[Basis | None] = [None] * self._k
        self._points: list[tuple[int, tuple[Any, ...]]] = []

    def begin(self) -> ExactMatrix | Separator | None:
        """A point for every column: R, if they happen to sum to 1; or a separator, if some column has none."""
        for r in range(self._k):
            found = self._cheapest(r, self._mass, propose_basis)
            if isinstance(found, Infeasible):
                return Separator(ExactMatrix([[w if q == r else 0 for q in range(self._k)] for w in found.farkas], self._field))
            self._points.append((r, found.x))
        one = self._field.one
        sums = (sum(row, self._field.zero) for row in zip(*(point for _, point in self._points), strict=True))
        return self._mixture([one] * self._k) if all(total == one for total in sums) else None

    def finish(self) -> ExactMatrix | Separator:
        """R or a separator, from the points with which :meth:`begin` ended."""
        zero, basis = self._field.zero, None
        while True:
            master = self._master(basis)
            if not master.value:
                return self._mixture(master.x[self._m :])
            prices, values = master.y[: self._m], master.y[self._m :]
            found = [self._cheapest(r, prices) for r in range(self._k)]
            if sum((column.value for column in found), zero) > sum(prices, zero):
                return Separator(ExactMatrix(list(zip(*(column.y for column in found), strict=True)), self._field))
            new = [(r, column.x) for r, column in enumerate(found) if column.value < values[r]]
            self._points += new
            known: Basis = master.basis
            basis = Basis((*known.columns, *(False for _ in new)), known.rows)

    def _cheapest(self, r: int, prices: Sequence[Any], proposer: Proposer | None = None) -> Any:
        """The point of column r with the least Σ π_y u_y."""
        rows = [Row(a, "==", b) for a, b in zip(self._left, self._B.column(r), strict=True)]
        answer = solve(LinearProgram(self._m, dict(enumerate(prices)), rows), start=self._bases[r], proposer=proposer)
        if isinstance(answer, Optimal):
            self._bases[r] = answer.basis
        return answer

    def _master(self, start: Basis | None) -> Any:
        """The mixture of the points whose excess over 1 weighs least; variable y < m is the excess at y."""
        one = self._field.one
        over: list[dict[int, Any]] = [{y: one} for y in range(self._m)]
        whole: list[dict[int, Any]] = [{} for _ in range(self._k)]
        for place, (r, point) in enumerate(self._points, start=self._m):
            whole[r][place] = one
            for y, u in enumerate(point):
                if u:
                    over[y][place] = -u
        rows = [Row(row, ">=", -one) for row in over] + [Row(row, "==", one) for row in whole]
        answer = solve(LinearProgram(self._m + len(self._points), dict(enumerate(self._mass)), rows), start=start, proposer=None)
        assert isinstance(answer, Optimal)
        return answer

    def _mixture(self, weights: Sequence[Any]) -> ExactMatrix:
        rows = [[self._field.zero] * self._k for _ in range(self._m)]
        for (r, point), share in zip(self._points, weights, strict=True):
            for y, u in enumerate(point):
                if share and u:
                    rows[y][r] = rows[y][r] + share * u
        return ExactMatrix(rows, self._field)
