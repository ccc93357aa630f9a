# SPDX-License-Identifier: MIT
"""Exact linear programming: a float solver may propose, exact arithmetic decides.

A proposer names a basis; its vertex and multipliers are computed exactly (:mod:`~exactdp.lp.problem`). If
they are feasible the problem is solved; otherwise exact pivots (:func:`simplex`) go on from there.
Whatever comes out is checked from the definition (:func:`verify`) before it is returned, so neither a wrong
proposal nor a defect of the search becomes a wrong answer.

To load HiGHS takes longer than to solve a small program by exact pivots. They are tried first, and their
answer is taken where it is the only one (:func:`is_only_optimum`): then HiGHS would lead to the same.

The exact simplex method begins at any basis, and always ends. From a primal feasible vertex the primal method
runs, from a dual feasible one the dual method. From any other the objective is first replaced by its absolute
reduced costs, which are dual feasible; the dual method then finds a feasible vertex or a Farkas vector, and
the primal method goes on with the true objective. Choices are the steepest ones; after a run of degenerate
pivots Bland's rule takes over until the vertex moves, so that no basis returns.

References
----------
R. G. Bland (1977), *New finite pivoting rules for the simplex method*, Mathematics of Operations Research 2,
103–107.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from exactdp.errors import DefectiveAnswerError, ResourceLimitError
from exactdp.exact import QQ, formula_of, judged
from exactdp.lp.dictionary import CONSTANT, Bound, RevisedTableau, Tableau
from exactdp.lp.highs import Proposer, propose_basis, propose_unscaled
from exactdp.lp.problem import (
    Answer,
    BasicSolution,
    Basis,
    Infeasible,
    LinearProgram,
    Optimal,
    Unbounded,
    event_at,
    has_nearby_problem,
    is_only_optimum,
    nearby_proposer,
    solve_basis,
    verify,
)
from exactdp.lp.symmetry import ReducedProgram
from exactdp.runtime.progress import Listener, Progress, listener_of, part_of

PATIENCE = 12
"""Degenerate pivots in a row before Bland's rule takes over."""

LARGE = 60
"""From so many rows and variables on, and from a proposed basis, the dictionary is not written out."""


def simplex(lp: LinearProgram, start: Basis | None = None, *, progress: Listener | None = None) -> Answer:
    """Answer a linear program by exact pivots; the answer is not yet verified.

    * ``start``: where to begin; dependent columns are replaced by logicals. By default all variables begin at
      zero.
    * ``progress``: is told about every pivot; what it raises ends the search.

    >>> from exactdp.exact import QQ
    >>> from exactdp.lp.problem import Row
    >>> simplex(LinearProgram(1, {0: QQ(1)}, [Row({0: QQ(2)}, ">=", QQ(1))])).value
    Rational('1/2')
    """
    # the whole dictionary is kept when the problem is small, or nothing is known of its optimum
    written_out = start is None or min(lp.n_variables, len(lp.rows)) < LARGE
    found = _Run(lp, start, progress, Tableau if written_out else RevisedTableau).answer()
    return found if lp.field.formulas is lp.field else _judged(found)


def _judged(found: Answer) -> Answer:
    """An answer in formulas as one of functions, of which comparisons are about every point."""
    if isinstance(found, Optimal):
        return Optimal(tuple(map(judged, found.x)), tuple(map(judged, found.y)), judged(found.value), found.basis)
    if isinstance(found, Infeasible):
        return Infeasible(tuple(map(judged, found.farkas)))
    return Unbounded(tuple(map(judged, found.point)), tuple(map(judged, found.ray)))


class _Run:
    """One run: the linear program, its dictionary and the count of pivots."""

    __slots__ = ("lp", "pivots", "progress", "stalled", "tableau")

    def __init__(
        self, lp: LinearProgram, start: Basis | None, progress: Listener | None, dictionary: type[Tableau] | type[RevisedTableau]
    ) -> None:
        n = lp.n_variables
        bounds = [Bound.FREE if j in lp.free else Bound.NONNEGATIVE for j in range(n)]
        bounds += [Bound.FIXED if row.sense == "==" else Bound.NONNEGATIVE for row in lp.rows]
        forms = {n + i: {**row.coefficients, CONSTANT: -row.rhs} for i, row in enumerate(lp.rows)}
        objective = lp.objective
        if lp.field.formulas is not lp.field:  # pivots propose: what they come to is verified
            forms = {i: {j: formula_of(v) for j, v in form.items()} for i, form in forms.items()}
            objective = {j: formula_of(v) for j, v in objective.items()}
        self.lp, self.progress, self.pivots, self.stalled = lp, listener_of(progress), 0, 0
        self.tableau = dictionary(lp.field.formulas, forms, objective, bounds)
        if start is not None and start.fits(lp):
            columns = [j for j, basic in enumerate(start.columns) if basic]
            self.tableau.install(columns, [n + i for i, basic in enumerate(start.rows) if not basic])

    def answer(self) -> Answer:
        tableau = self.tableau
        tableau.settle_free()
        if not tableau.is_dual_feasible():
            if not tableau.is_primal_feasible():
                tableau.shift_costs()
                stuck = self.dual("feasibility")
                if stuck is not None:
                    return Infeasible(self.farkas(stuck))
                tableau.restore_costs()
            return self.primal()
        stuck = self.dual("dual simplex")
        return self.optimum() if stuck is None else Infeasible(self.farkas(stuck))

    def dual(self, phase: str) -> int | None:
        """Pivot to a feasible vertex; or return the basic variable whose bound no point satisfies."""
        self.stalled = 0
        while True:
            bland = self.stalled >= PATIENCE
            k = self.tableau.leaving(bland=bland)
            if k is None:
                return None
            q = self.tableau.entering_dual(k, bland=bland)
            if q is None:
                return k
            self.pivot(phase, k, q, degenerate=self.tableau.is_degenerate(q))

    def primal(self) -> Answer:
        """Pivot from a feasible vertex to an optimal one or to an unbounded ray."""
        self.stalled = 0
        escape = self.tableau.escape()
        if escape is not None:
            return Unbounded(self.point(), self.ray(*escape))
        while True:
            bland = self.stalled >= PATIENCE
            q = self.tableau.entering(bland=bland)
            if q is None:
                return self.optimum()
            k, degenerate = self.tableau.leaving_primal(q, bland=bland)
            if k is None:
                return Unbounded(self.point(), self.ray(q, 1))
            self.pivot("primal simplex", k, q, degenerate=degenerate)

    def pivot(self, phase: str, leaving: int, entering: int, *, degenerate: bool) -> None:
        self.tableau.pivot(leaving, entering)
        self.pivots += 1
        self.stalled = self.stalled + 1 if degenerate else 0
        if self.progress is not None:
            self.progress(event_at(phase, self.pivots, "pivots", self.tableau.value))

    # --- What the last dictionary says ---

    def point(self) -> tuple[Any, ...]:
        values, zero = self.tableau.values(), self.lp.field.zero
        return tuple(values.get(j, zero) for j in range(self.lp.n_variables))

    def ray(self, q: int, direction: int) -> tuple[Any, ...]:
        """The direction in which the nonbasic variable q alone moves."""
        field, column = self.lp.field, self.tableau.column(q)
        column[q] = field.one
        return tuple(column.get(j, field.zero) * direction for j in range(self.lp.n_variables))

    def optimum(self) -> Answer:
        """The vertex; the multiplier of a row is the reduced cost of its logical."""
        n, zero, costs = self.lp.n_variables, self.lp.field.zero, self.tableau.costs()
        y = tuple(costs.get(n + i, zero) for i in range(len(self.lp.rows)))
        basic = set(self.tableau.basic)
        basis = Basis(tuple(j in basic for j in range(n)), tuple(n + i in basic for i in range(len(self.lp.rows))))
        return Optimal(self.point(), y, self.tableau.value, basis)

    def farkas(self, k: int) -> tuple[Any, ...]:
        """From x_k = β + Σ t_j x_j with β < 0 and no t_j > 0: the rows' weights in x_k − Σ t_j x_j = β."""
        field, n = self.lp.field, self.lp.n_variables
        form = self.tableau.form(k)
        side = field.one if form[CONSTANT] < 0 else -field.one
        weights = {j: -t for j, t in form.items()}
        weights[k] = field.one
        return tuple(side * weights.get(n + i, field.zero) for i in range(len(self.lp.rows)))


ROUNDS = 40
"""How often a proposer may improve its proposal; a round costs less than a few exact pivots."""


NO_END = "in floating point, with no known end"
"""What is said of a proposal: HiGHS tells nothing until it has one."""

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

    * ``start``: where to begin: a first proposal, to be improved by the proposer.
    * ``proposer``: proposes an optimal basis; HiGHS unless said otherwise, None for exact pivots alone. A
      proposer that lies or raises costs time, never correctness.
    * ``progress``: is told about every step.

    * raises ResourceLimitError: the listener said so; carries ``vertex``, the last basic solution or None.

    >>> from exactdp.lp.problem import Row
    >>> solve(LinearProgram(2, {0: QQ(1), 1: QQ(1)}, [Row({0: QQ(3), 1: QQ(1)}, ">=", QQ(1))]))
    Optimal(x=(Rational('1/3'), Rational('0')), y=(Rational('1/3'),), value=Rational('1/3'))
    >>> solve(LinearProgram(1, {}, [Row({0: QQ(-1)}, ">=", QQ(1))]))
    Infeasible(farkas=(Rational('1'),))
    """
    report = listener_of(progress)
    stopped: list[Exception] = []
    highs = getattr(proposer, "func", proposer)  # also with a start of its own
    if highs in (propose_basis, propose_unscaled) and lp.field != QQ:
        inner: Any = highs
        near = None if report is None else part_of(lambda event: _tell(report, event, stopped), "a level near by")
        nearby = nearby_proposer(lambda rational: solve(rational, proposer=inner, progress=near))
        if proposer is highs:
            proposer = nearby if has_nearby_problem(lp.field) else None
        elif proposer is not None and has_nearby_problem(lp.field):
            proposer = partial(_first_or_nearby, proposer, nearby)
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
                event = event_at("proposals", number, "proposals", lp.field.zero if vertex is None else _value(lp, vertex))
                report(replace(event, detail=f"{event.detail}; {NO_END}"))
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


def _first_or_nearby(first: Proposer, nearby: Proposer, lp: LinearProgram, vertex: BasicSolution | None) -> Basis | None:
    """What is proposed first, and if that was tried, the basis of the level near by."""
    return (first if vertex is None else nearby)(lp, None)


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
