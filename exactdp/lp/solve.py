# SPDX-License-Identifier: MIT
"""Exact linear programming: a float solver may propose, exact arithmetic decides.

A proposer names a basis; its vertex and multipliers are computed exactly (:mod:`~exactdp.lp.problem`). If
they are feasible the problem is solved; otherwise exact pivots (:mod:`~exactdp.lp.simplex`) go on from there.
Whatever comes out is checked from the definition (:func:`verify`) before it is returned, so neither a wrong
proposal nor a defect of the search becomes a wrong answer.

To load HiGHS takes longer than to solve a small program by exact pivots. They are tried first, and their
answer is taken where it is the only one (:func:`is_only_optimum`): then HiGHS would lead to the same.
"""

from __future__ import annotations

from typing import Any

from exactdp.errors import DefectiveAnswerError, ResourceLimitError
from exactdp.exact import QQ
from exactdp.lp.highs import Proposer, propose_basis, propose_unscaled
from exactdp.lp.problem import (
    Answer,
    BasicSolution,
    Basis,
    LinearProgram,
    Optimal,
    event_at,
    has_nearby_problem,
    is_only_optimum,
    nearby_proposer,
    solve_basis,
    verify,
)
from exactdp.lp.simplex import simplex
from exactdp.lp.symmetry import ReducedProgram
from exactdp.runtime.progress import Listener, Progress, listener_of, part_of

ROUNDS = 40
"""How often a proposer may improve its proposal; a round costs less than a few exact pivots."""


SMALL = 600
"""Rational programs of so many variables times rows are solved by exact pivots first: that takes 3 ms."""


def solve(
    lp: LinearProgram,
    *,
    start: Basis | None = None,
    proposer: Proposer | None = propose_basis,
    progress: Listener | None = None,
) -> Answer:
    """Solve a linear program exactly.

    Parameters
    ----------
    lp : LinearProgram
        The problem.
    start : Basis, optional
        Where to begin: a first proposal, to be improved by the proposer.
    proposer : callable, optional
        Proposes an optimal basis; HiGHS unless said otherwise, None for exact pivots alone. A proposer that
        lies or raises costs time, never correctness.
    progress : callable, optional
        Is told about every step.

    Returns
    -------
    Optimal, Infeasible or Unbounded
        Verified.

    Raises
    ------
    ResourceLimitError
        The listener said so; carries ``vertex``, the last basic solution or None.

    Examples
    --------
    >>> from exactdp.lp.problem import Row
    >>> solve(LinearProgram(2, {0: QQ(1), 1: QQ(1)}, [Row({0: QQ(3), 1: QQ(1)}, ">=", QQ(1))]))
    Optimal(x=(Rational('1/3'), Rational('0')), y=(Rational('1/3'),), value=Rational('1/3'))
    >>> solve(LinearProgram(1, {}, [Row({0: QQ(-1)}, ">=", QQ(1))]))
    Infeasible(farkas=(Rational('1'),))
    """
    report = listener_of(progress)
    stopped: list[Exception] = []
    if proposer in (propose_basis, propose_unscaled) and lp.field != QQ:
        inner = proposer
        near = None if report is None else part_of(lambda event: _tell(report, event, stopped), "a level near by")
        nearby = nearby_proposer(lambda rational: solve(rational, proposer=inner, progress=near))
        proposer = nearby if has_nearby_problem(lp.field) else None
    vertex: BasicSolution | None = None
    tried: set[Basis] = set()
    try:
        if start is None and lp.field == QQ and proposer in (propose_basis, propose_unscaled) and lp.n_variables * len(lp.rows) <= SMALL:
            alone = simplex(lp, None, progress=report)
            verify(lp, alone)
            if isinstance(alone, Optimal) and is_only_optimum(lp, alone):
                return alone
        for number in range(ROUNDS):
            given = start if vertex is None else None
            if report is not None and (given or proposer) is not None:
                report(event_at("proposals", number, "proposals", lp.field.zero if vertex is None else _value(lp, vertex)))
            proposal = _ask(proposer, lp, vertex) if given is None else given
            if stopped:
                raise stopped[0]
            if proposal is None or proposal in tried:
                break
            vertex = solve_basis(lp, proposal)
            tried |= {proposal, vertex.basis}
            optimum = _optimum(lp, vertex)
            if optimum is not None:
                return optimum
        answer = simplex(lp, None if vertex is None else vertex.basis, progress=report)
    except ResourceLimitError as error:
        raise ResourceLimitError(error.message, **{**error.facts, "vertex": vertex}) from None
    verify(lp, answer)
    return answer


def solve_by_symmetry(lp: LinearProgram, *, proposer: Proposer | None = propose_basis, progress: Listener | None = None) -> Answer:
    """As :func:`solve`, on the problem with its symmetric variables merged."""
    if lp.field != QQ:
        return solve(lp, proposer=proposer, progress=progress)
    reduced = ReducedProgram(lp)
    if reduced.lp is None:
        return solve(lp, proposer=proposer, progress=progress)
    try:
        answer = reduced.lift(solve(reduced.lp, proposer=proposer, progress=progress))
    except ResourceLimitError as error:
        vertex: Any = error.facts.get("vertex")
        if vertex is not None:
            point = reduced.lift(Optimal(vertex.x, vertex.y, lp.field.zero))
            assert isinstance(point, Optimal)
            vertex = BasicSolution(Basis.of_logicals(lp.n_variables, len(lp.rows)), point.x, point.y)
        raise ResourceLimitError(error.message, **{**error.facts, "vertex": vertex}) from None
    try:
        verify(lp, answer)
    except DefectiveAnswerError:  # cells that were too coarse
        return solve(lp, proposer=proposer, progress=progress)
    return answer


def _tell(report: Listener, event: Progress, stopped: list[Exception]) -> None:
    """Report from inside a proposer, whose exceptions are forgotten: keep what the listener raises."""
    try:
        report(event)
    except Exception as error:
        stopped.append(error)
        raise


def _ask(proposer: Proposer | None, lp: LinearProgram, vertex: BasicSolution | None) -> Basis | None:
    """The proposer's basis if it is one of the right sizes."""
    if proposer is None:
        return None
    try:
        proposal: Any = proposer(lp, vertex)
        return proposal if isinstance(proposal, Basis) and proposal.fits(lp) else None
    except Exception:
        return None


def _optimum(lp: LinearProgram, vertex: BasicSolution) -> Optimal | None:
    """The vertex as an answer, if it and its multipliers are feasible."""
    answer = Optimal(vertex.x, vertex.y, _value(lp, vertex), vertex.basis)
    try:
        verify(lp, answer)
    except DefectiveAnswerError:
        return None
    return answer


def _value(lp: LinearProgram, vertex: BasicSolution) -> Any:
    return sum((c * vertex.x[j] for j, c in lp.objective.items()), lp.field.zero)
