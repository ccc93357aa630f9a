# SPDX-License-Identifier: MIT
"""The exact vertex of a proposed basis, and its multipliers.

With J the basic variables and R the rows whose logical is not basic, the vertex solves A[R,J]·x_J = b_R and the multipliers
solve A[R,J]ᵀ·y_R = c_J. The matrix is mostly chains such as x_i = α·x_j (tight privacy constraints): rows with at most two
unknowns and columns with one entry are eliminated one by one, and only the dense core that is left is solved as a matrix. A
singular proposal is repaired on the way: dependent columns leave the basis, and the logicals of dependent rows enter it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from exactdp.exact import ExactMatrix
from exactdp.search.problem import Basis, LinearProgram

__all__ = ["BasicSolution", "solve_basis"]


@dataclass(frozen=True, slots=True)
class BasicSolution:
    """The vertex x and the multipliers y of a (possibly repaired) basis; feasible or not."""

    basis: Basis
    x: tuple[Any, ...]
    y: tuple[Any, ...]


def solve_basis(lp: LinearProgram, proposal: Basis) -> BasicSolution:
    """Solve a proposed basis exactly.

    Parameters
    ----------
    lp : LinearProgram
        The problem.
    proposal : Basis
        Of the problem's sizes; it need not be a basis.

    Returns
    -------
    BasicSolution
        With c − Aᵀy = 0 on the basic variables, y = 0 on the rows with a basic logical, and x exact on the other rows.

    Examples
    --------
    >>> from exactdp.exact import QQ
    >>> from exactdp.search.problem import Row
    >>> lp = LinearProgram(1, {0: QQ(1)}, [Row({0: QQ(2)}, ">=", QQ(1))])
    >>> solve_basis(lp, Basis((True,), (True,)))
    BasicSolution(basis=Basis(columns=(False,), rows=(True,)), x=(Rational('0'),), y=(Rational('0'),))
    """
    factors = _Factors(lp, proposal)
    x = factors.solve({i: lp.rows[i].rhs for i in factors.rows})
    y = factors.solve_transposed({j: lp.objective.get(j, lp.field.zero) for j in factors.columns})
    zero = lp.field.zero
    basis = Basis(
        tuple(j in factors.columns for j in range(lp.n_variables)), tuple(i not in factors.rows for i in range(len(lp.rows)))
    )
    return BasicSolution(
        basis, tuple(x.get(j, zero) for j in range(lp.n_variables)), tuple(y.get(i, zero) for i in range(len(lp.rows)))
    )


@dataclass(frozen=True, slots=True)
class _Step:
    """Row ``row`` with its unknowns ``entries`` gave variable ``column``; ``others``: (row, factor) it was subtracted from."""

    row: int
    column: int
    entries: dict[int, Any]
    others: list[tuple[int, Any]] = field(default_factory=list)


class _Factors:
    """A[R,J] = L·U by sparse steps, with a dense core at the end.

    ``rows`` and ``columns`` are the parts of R and J that turned out independent.
    """

    def __init__(self, lp: LinearProgram, proposal: Basis) -> None:
        wanted = {j for j, basic in enumerate(proposal.columns) if basic}
        tight = [i for i, basic in enumerate(proposal.rows) if not basic]
        self.zero = lp.field.zero
        self.active = {i: {j: a for j, a in lp.rows[i].coefficients.items() if j in wanted} for i in tight}
        self.where: dict[int, set[int]] = {j: set() for j in wanted}
        for i, row in self.active.items():
            for j in row:
                self.where[j].add(i)
        self.steps: list[_Step] = []
        self._eliminate(thin_only=True)
        self.core_rows, self.core_columns, self.core = self._dense_core()
        if self.core is None:
            self._eliminate(thin_only=False)
            self.core_rows, self.core_columns = [], []
        self.rows = {step.row for step in self.steps}.union(self.core_rows)
        self.columns = {step.column for step in self.steps}.union(self.core_columns)

    def _dense_core(self) -> tuple[list[int], list[int], ExactMatrix | None]:
        """What the sparse steps left, if it is square and non-singular."""
        rows, columns = [i for i, row in self.active.items() if row], [j for j, rows in self.where.items() if rows]
        if not rows or len(rows) != len(columns):
            return rows, columns, None
        core = ExactMatrix([[self.active[i].get(j, self.zero) for j in columns] for i in rows], self.zero.field)
        return (rows, columns, core if core.det() else None)

    def _eliminate(self, *, thin_only: bool) -> None:
        """Take pivots while there are rows with at most two unknowns or columns with one entry; or while there are any."""
        thin_rows = [i for i, row in self.active.items() if len(row) <= 2]
        thin_columns = [j for j, rows in self.where.items() if len(rows) == 1]
        while True:
            if thin_rows:
                i = thin_rows.pop()
                row = self.active.get(i)
                if not row or len(row) > 2:
                    continue
                j = min(row, key=lambda j: (len(self.where[j]), j))
            elif thin_columns:
                j = thin_columns.pop()
                if len(self.where.get(j, ())) != 1:
                    continue
                (i,) = self.where[j]
            elif thin_only or not any(self.active.values()):
                return
            else:
                i = min((i for i, row in self.active.items() if row), key=lambda i: (len(self.active[i]), i))
                j = min(self.active[i], key=lambda j: (len(self.where[j]), j))
            self._pivot(i, j, thin_rows, thin_columns)

    def _pivot(self, i: int, j: int, thin_rows: list[int], thin_columns: list[int]) -> None:
        row = self.active.pop(i)
        step = _Step(i, j, row)
        for c in row:
            self.where[c].discard(i)
        for k in self.where.pop(j):
            other = self.active[k]
            factor = other.pop(j) / row[j]
            step.others.append((k, factor))
            for c, a in row.items():
                if c == j:
                    continue
                new = other[c] - factor * a if c in other else -factor * a
                if new:
                    other[c] = new
                    self.where[c].add(k)
                else:
                    del other[c]
                    self.where[c].discard(k)
            if len(other) <= 2:
                thin_rows.append(k)
        thin_columns.extend(c for c in row if c != j and len(self.where[c]) == 1)
        self.steps.append(step)

    def solve(self, right: dict[int, Any]) -> dict[int, Any]:
        """The x with A[rows, columns]·x = right; zeros may be missing."""
        rest = dict(right)
        for step in self.steps:
            value = rest[step.row]
            if value:
                for k, factor in step.others:
                    if k in rest:
                        rest[k] = rest[k] - factor * value
        x: dict[int, Any] = {}
        if self.core is not None:
            column = self.core.solve(ExactMatrix([[rest[i]] for i in self.core_rows], self.zero.field))
            x.update(zip(self.core_columns, column.column(0), strict=True))
        for step in reversed(self.steps):
            value = rest[step.row]
            for c, a in step.entries.items():
                if c in x and c != step.column:
                    value = value - a * x[c]
            if value:
                x[step.column] = value / step.entries[step.column]
        return x

    def solve_transposed(self, right: dict[int, Any]) -> dict[int, Any]:
        """The y with A[rows, columns]ᵀ·y = right; zeros may be missing."""
        rest, y = dict(right), {}
        for step in self.steps:
            value = rest[step.column]
            if value:
                y[step.row] = value = value / step.entries[step.column]
                for c, a in step.entries.items():
                    if c != step.column and c in rest:
                        rest[c] = rest[c] - a * value
        if self.core is not None:
            column = self.core.T.solve(ExactMatrix([[rest[j]] for j in self.core_columns], self.zero.field))
            y.update(zip(self.core_rows, column.column(0), strict=True))
        for step in reversed(self.steps):
            value = y.get(step.row, self.zero)
            for k, factor in step.others:
                if k in y:
                    value = value - factor * y[k]
            if value:
                y[step.row] = value
            else:
                y.pop(step.row, None)
        return y
