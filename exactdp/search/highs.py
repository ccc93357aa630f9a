# SPDX-License-Identifier: MIT
"""HiGHS, a floating-point solver, as a proposer of a basis. Nothing it says is believed.

Of its result only the basis is used: one that HiGHS itself calls unknown is often optimal. It is given the dual of a problem with more rows
than columns, where a pivot costs less. Asked again with the exact vertex of its last basis, it works on the problem centred there
(:mod:`~exactdp.search.doubles`). Without HiGHS, or when it fails, there is no
proposal and the exact simplex method does all the work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exactdp.search.basis import BasicSolution
from exactdp.search.doubles import FloatProgram, centred, dual, rounded
from exactdp.search.problem import Basis, LinearProgram

__all__ = ["FloatAnswer", "Proposer", "ask_highs", "propose_basis", "propose_unscaled"]

Proposer = Callable[[LinearProgram, BasicSolution | None], Basis | None]
"""Anything that guesses an optimal basis, given the vertex of its last guess (at first None); None if it has no (new) guess."""


def propose_basis(lp: LinearProgram, around: BasicSolution | None = None, *, start: Basis | None = None) -> Basis | None:
    """The basis at which HiGHS stops, or None if HiGHS is not installed or has none.

    Parameters
    ----------
    lp : LinearProgram
        The problem.
    around : BasicSolution, optional
        The exact vertex of an earlier proposal, to be improved.
    start : Basis, optional
        Where to begin a problem with more rows than columns.

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
        if around is not None:
            return _centred(highspy, lp, around)
        program = rounded(lp)
    except (TypeError, OverflowError):  # numbers without a double
        return None
    if len(lp.rows) > lp.n_variables:
        found = _run(highspy, dual(program), "off", start=None if start is None else _of_the_dual(start), primal=start is not None)
        if found is not None:
            return _of_the_dual(found.basis)
    for presolve in ("off", "choose"):
        found = _run(highspy, program, presolve)
        if found is not None:
            return found.basis
    return None


def propose_unscaled(lp: LinearProgram, around: BasicSolution | None = None) -> Basis | None:
    """As :func:`propose_basis`, but rows and columns are left as they are, unless that leads nowhere.

    For problems whose small coefficients do not decide the optimum: probabilities far from the diagonal, say. To bring them near 1
    would make others large, and HiGHS would lose its way.
    """
    try:
        import highspy

        if around is None:
            found = _run(highspy, dual(rounded(lp, scaled=False)), "off")
            proposal = None if found is None or not found.optimal else _of_the_dual(found.basis)
        else:
            proposal = _centred(highspy, lp, around, scaled=False)
    except (ImportError, TypeError, OverflowError):
        proposal = None
    if proposal is not None and (around is None or proposal != around.basis):
        return proposal
    return propose_basis(lp, around)


def _centred(highspy: Any, lp: LinearProgram, around: BasicSolution, *, scaled: bool = True) -> Basis | None:
    """The basis of the problem of the corrections to a vertex."""
    start = Basis((*around.basis.columns, *around.basis.rows), (False,) * len(lp.rows))
    found = _run(highspy, centred(lp, around, scaled=scaled), "off", start=start)
    return None if found is None else Basis(found.basis.columns[: lp.n_variables], found.basis.columns[lp.n_variables :])


def _of_the_dual(basis: Basis) -> Basis:
    """What is basic in the dual: the multipliers of the rows, and the slacks of the variables, that are not basic here."""
    return Basis(tuple(not basic for basic in basis.rows), tuple(not basic for basic in basis.columns))


@dataclass(frozen=True, slots=True)
class FloatAnswer:
    """Where HiGHS stops: the basis, and the values of the rows' multipliers in doubles."""

    basis: Basis
    multipliers: list[float]
    reduced: list[float]
    optimal: bool


def ask_highs(program: FloatProgram, start: Basis | None = None) -> FloatAnswer | None:
    """What HiGHS makes of a problem in doubles, beginning at a basis; None if it is not installed or does not know."""
    try:
        import highspy
    except ImportError:
        return None
    attempts = ((start, True), (start, False), (None, False)) if start is not None else ((None, False),)
    found = None
    for begin, primal in attempts:
        found = _run(highspy, program, "off", start=begin, primal=primal)
        if found is not None and found.optimal:
            break
    return found


def _model(highspy: Any, program: FloatProgram) -> Any:
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.cost), len(program.row_lower)
    model.col_cost_, model.col_lower_, model.col_upper_ = program.cost, program.lower, program.upper
    model.row_lower_, model.row_upper_ = program.row_lower, program.row_upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise if program.by_columns else highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = program.starts, program.index, program.values
    return model


def _run(highspy: Any, program: FloatProgram, presolve: str, start: Basis | None = None, *, primal: bool = False) -> FloatAnswer | None:
    solver = highspy.Highs()
    for option, value in (
        ("output_flag", False),
        ("presolve", presolve),
        ("solver", "simplex"),
        ("simplex_strategy", 4 if primal else 1),
        ("small_matrix_value", 1e-12),
        ("primal_feasibility_tolerance", 1e-10),
        ("dual_feasibility_tolerance", 1e-10),
    ):
        solver.setOptionValue(option, value)
    solver.passModel(_model(highspy, program))
    status = highspy.HighsBasisStatus
    if start is not None:
        basis = highspy.HighsBasis()
        free = [lower == -highspy.kHighsInf for lower in program.lower]
        resting = [status.kZero if unsigned else status.kLower for unsigned in free]
        basis.col_status = [status.kBasic if basic else rest for basic, rest in zip(start.columns, resting, strict=True)]
        ends = [status.kUpper if lower == -highspy.kHighsInf else status.kLower for lower in program.row_lower]
        basis.row_status = [status.kBasic if basic else rest for basic, rest in zip(start.rows, ends, strict=True)]
        basis.valid = True
        solver.setBasis(basis)
    solver.run()
    basis = solver.getBasis()
    if not basis.valid:
        return None
    found = Basis(tuple(s == status.kBasic for s in basis.col_status), tuple(s == status.kBasic for s in basis.row_status))
    solution = solver.getSolution()
    optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return FloatAnswer(found, list(solution.row_dual), list(solution.col_dual), optimal)
