# SPDX-License-Identifier: MIT
"""The exact vertex of a proposed basis, and its multipliers.

With J the basic variables and R the rows whose logical is not basic, the vertex solves A[R,J]·x_J = b_R and the multipliers
solve A[R,J]ᵀ·y_R = c_J (:class:`exactdp.exact.Factors`). A singular proposal is repaired on the way: dependent columns leave the
basis, and the logicals of dependent rows enter it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.exact import Factors
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
    wanted = {j for j, basic in enumerate(proposal.columns) if basic}
    tight = {i: lp.rows[i].coefficients for i, basic in enumerate(proposal.rows) if not basic}
    factors = Factors(lp.field, tight, wanted)
    x = factors.solve({i: lp.rows[i].rhs for i in factors.rows})
    y = factors.solve_transposed({j: lp.objective[j] for j in factors.columns if j in lp.objective})
    zero = lp.field.zero
    basis = Basis(tuple(j in factors.columns for j in range(lp.n_variables)), tuple(i not in factors.rows for i in range(len(lp.rows))))
    return BasicSolution(basis, tuple(x.get(j, zero) for j in range(lp.n_variables)), tuple(y.get(i, zero) for i in range(len(lp.rows))))
