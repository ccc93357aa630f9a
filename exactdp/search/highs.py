# SPDX-License-Identifier: MIT
"""HiGHS, a floating-point solver, as a proposer of a basis. Nothing it says is believed.

Of its result only the basis is used: one that HiGHS itself calls unknown is often optimal. Asked again with the exact vertex of its
last basis, it works on the problem centred there (:mod:`~exactdp.search.doubles`). Without HiGHS, or when it fails, there is no
proposal and the exact simplex method does all the work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactdp.search.basis import BasicSolution
from exactdp.search.doubles import FloatProgram, centred, rounded
from exactdp.search.problem import Basis, LinearProgram

__all__ = ["Proposer", "propose_basis"]

Proposer = Callable[[LinearProgram, BasicSolution | None], Basis | None]
"""Anything that guesses an optimal basis, given the vertex of its last guess (at first None); None if it has no (new) guess."""


def propose_basis(lp: LinearProgram, around: BasicSolution | None = None) -> Basis | None:
    """The basis at which HiGHS stops, or None if HiGHS is not installed or has none.

    Parameters
    ----------
    lp : LinearProgram
        The problem.
    around : BasicSolution, optional
        The exact vertex of an earlier proposal, to be improved.

    Returns
    -------
    Basis or None

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
    try:
        program = rounded(lp) if around is None else centred(lp, around)
    except (TypeError, OverflowError):                                      # numbers without a double
        return None
    model = _model(highspy, program)
    if around is not None:
        flags = _run(highspy, model, "off", start=(*around.basis.columns, *around.basis.rows))
        return None if flags is None else Basis(flags[0][: lp.n_variables], flags[0][lp.n_variables :])
    for presolve in ("off", "choose"):
        flags = _run(highspy, model, presolve)
        if flags is not None:
            return Basis(*flags)
    return None


def _model(highspy: Any, program: FloatProgram) -> Any:
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.cost), len(program.row_lower)
    model.col_cost_, model.col_lower_, model.col_upper_ = program.cost, program.lower, program.upper
    model.row_lower_, model.row_upper_ = program.row_lower, program.row_upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = program.starts, program.index, program.values
    return model


def _run(
    highspy: Any, model: Any, presolve: str, start: tuple[bool, ...] | None = None
) -> tuple[tuple[bool, ...], tuple[bool, ...]] | None:
    """Which columns and rows end up basic; ``start`` says which columns begin so (no row does)."""
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
    status = highspy.HighsBasisStatus
    if start is not None:
        basis = highspy.HighsBasis()
        free = [lower == -highspy.kHighsInf for lower in model.col_lower_]
        resting = [status.kZero if unsigned else status.kLower for unsigned in free]
        basis.col_status = [status.kBasic if basic else rest for basic, rest in zip(start, resting, strict=True)]
        basis.row_status = [status.kLower] * model.num_row_
        basis.valid = True
        solver.setBasis(basis)
    solver.run()
    basis = solver.getBasis()
    if not basis.valid:
        return None
    return tuple(s == status.kBasic for s in basis.col_status), tuple(s == status.kBasic for s in basis.row_status)
