# SPDX-License-Identifier: MIT
"""HiGHS, a floating-point solver, as a proposer of a basis. Nothing it says is believed.

Rows and columns are first scaled by powers of two, in exact arithmetic, so that tiny coefficients are not lost on the way to
doubles. Of the result only the basis is used: one that HiGHS itself calls unknown is often optimal. Without HiGHS, or when it
fails, there is no proposal and the exact simplex method does all the work.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from exactdp.exact import Rational
from exactdp.search.problem import Basis, LinearProgram

__all__ = ["Proposer", "propose_basis"]

Proposer = Callable[[LinearProgram], Basis | None]
"""Anything that guesses an optimal basis, or None."""

_ROUNDS = 4


def propose_basis(lp: LinearProgram) -> Basis | None:
    """The basis at which HiGHS stops, or None if HiGHS is not installed or has none.

    Examples
    --------
    >>> from exactdp.exact import QQ
    >>> from exactdp.search.problem import Row
    >>> lp = LinearProgram(1, {0: QQ(1)}, [Row({0: QQ(2)}, ">=", QQ(1))])
    >>> propose_basis(lp) in {Basis((True,), (False,)), None}
    True
    """
    if lp.n_variables == 0 or not lp.rows:
        return None
    try:
        import highspy
    except ImportError:
        return None
    model = _model(highspy, lp)
    if model is None:
        return None
    for presolve in ("off", "choose"):
        basis = _run(highspy, model, presolve)
        if basis is not None:
            return basis
    return None


def _run(highspy: Any, model: Any, presolve: str) -> Basis | None:
    solver = highspy.Highs()
    for option, value in (
        ("output_flag", False),
        ("presolve", presolve),
        ("solver", "simplex"),
        ("small_matrix_value", 1e-12),
        ("primal_feasibility_tolerance", 1e-10),
        ("dual_feasibility_tolerance", 1e-10),
    ):
        solver.setOptionValue(option, value)
    solver.passModel(model)
    solver.run()
    basis = solver.getBasis()
    if not basis.valid:
        return None
    is_basic = highspy.HighsBasisStatus.kBasic
    return Basis(tuple(s == is_basic for s in basis.col_status), tuple(s == is_basic for s in basis.row_status))


def _model(highspy: Any, lp: LinearProgram) -> Any:
    """The scaled problem in doubles, or None if its numbers have none."""
    rows, columns = _scales(lp)
    try:
        model = highspy.HighsLp()
        infinity = highspy.kHighsInf
        model.num_col_, model.num_row_ = lp.n_variables, len(lp.rows)
        model.col_cost_ = [_double(lp.objective[j], columns[j]) if j in lp.objective else 0.0 for j in range(lp.n_variables)]
        model.col_lower_ = [-infinity if j in lp.free else 0.0 for j in range(lp.n_variables)]
        model.col_upper_ = [infinity] * lp.n_variables
        rhs = [_double(row.rhs, rows[i]) for i, row in enumerate(lp.rows)]
        model.row_lower_ = rhs
        model.row_upper_ = [b if row.sense == "==" else infinity for b, row in zip(rhs, lp.rows, strict=True)]
        starts, index, values = [0], [], []
        for i, row in enumerate(lp.rows):
            index.extend(row.coefficients)
            values.extend(_double(a, rows[i] + columns[j]) for j, a in row.coefficients.items())
            starts.append(len(index))
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = starts, index, values
    except (TypeError, OverflowError):
        return None
    return model


def _scales(lp: LinearProgram) -> tuple[list[int], list[int]]:
    """Exponents of two for rows and columns that bring the coefficients near 1: the middle of each range, a few times."""
    rows, columns = [0] * len(lp.rows), [0] * lp.n_variables
    sizes = [{j: _exponent(a) for j, a in row.coefficients.items()} for row in lp.rows]
    if all(-10 <= size <= 10 for row in sizes for size in row.values()):
        return rows, columns
    for _ in range(_ROUNDS):
        spread: list[tuple[int, int] | None] = [None] * lp.n_variables
        for i, row in enumerate(sizes):
            if not row:
                continue
            scaled = [size + columns[j] for j, size in row.items()]
            rows[i] = -((min(scaled) + max(scaled)) // 2)
            for j, size in row.items():
                here = size + rows[i]
                known = spread[j]
                spread[j] = (here, here) if known is None else (min(known[0], here), max(known[1], here))
        columns = [0 if known is None else -((known[0] + known[1]) // 2) for known in spread]
    return rows, columns


def _exponent(a: Any) -> int:
    """The e with |a| ≈ 2^e, for a ≠ 0."""
    if isinstance(a, Rational):
        return abs(a.numerator).bit_length() - a.denominator.bit_length()
    return math.frexp(float(a))[1]


def _double(a: Any, exponent: int) -> float:
    if not isinstance(a, Rational):
        return math.ldexp(float(a), exponent)
    return float(a * Rational(2) ** exponent) if exponent else float(a)
