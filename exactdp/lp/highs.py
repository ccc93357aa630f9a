# SPDX-License-Identifier: MIT
"""HiGHS, a floating-point solver: it proposes bases, which are checked exactly.

A linear program is rounded to doubles so that nothing that matters is lost. Rows and columns are scaled by
powers of two, in exact arithmetic, before anything is rounded. A problem can also be *centred* on an exact
vertex x with multipliers y: its unknowns are then the corrections to x, its costs the reduced costs at y, and
the largest violation of either is magnified to 1. What was far below a double's resolution becomes the whole
problem (iterative refinement).

Only the basis is used: one that HiGHS itself calls unknown is often optimal. It is given the dual of a
problem with more rows than columns, where a pivot costs less. Asked again with the exact vertex of its last
basis, it works on the problem centred there. Without HiGHS, or when it fails, there is no proposal and the
exact simplex method does all the work.

References
----------
A. M. Gleixner, D. E. Steffy and K. Wolter (2016), *Iterative refinement for linear programming*, INFORMS
Journal on Computing 28, 449–464.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from exactdp.exact import Rational
from exactdp.lp.problem import BasicSolution, Basis, ByIdentity, LinearProgram
from exactdp.lp.sparse import combine, products
from exactdp.runtime.process import Background
from exactdp.runtime.progress import seconds_left
from exactdp.runtime.values import dataclass

_ROUNDS = 4
_NEAR = 2.0**10
"""Coefficients from 1/2^10 to 2^10 need no scaling."""
_FAR = 27
"""A bound or cost beyond 2^27 is clipped there when a problem is centred."""


# --- Rounding ---


@dataclass(frozen=True, slots=True)
class FloatProgram:
    """Minimise cost·x, lower ≤ x ≤ upper, row_lower ≤ Ax ≤ row_upper, in doubles.

    A is (starts, index, values), by rows or by columns, as :func:`compressed` makes it.
    """

    cost: list[float]
    lower: list[float]
    upper: list[float]
    row_lower: list[float]
    row_upper: list[float]
    starts: list[int]
    index: list[int]
    values: list[float]
    by_columns: bool = False


def rounded(lp: LinearProgram, *, scaled: bool = True) -> FloatProgram:
    """The problem, scaled; or as it is where small coefficients hardly matter and must not become large."""
    plain = _plain(lp) if scaled else None
    rows, columns = _scales(lp) if plain is None and scaled else ([0] * len(lp.rows), [0] * lp.n_variables)
    rhs = [_double(row.rhs, rows[i]) for i, row in enumerate(lp.rows)]
    starts, index, values = _matrix(lp, rows, columns, slacks=False) if plain is None else plain
    return FloatProgram(
        cost=[_double(lp.objective[j], columns[j]) if j in lp.objective else 0.0 for j in range(lp.n_variables)],
        lower=[-math.inf if j in lp.free else 0.0 for j in range(lp.n_variables)],
        upper=[math.inf] * lp.n_variables,
        row_lower=rhs,
        row_upper=[b if row.sense == "==" else math.inf for b, row in zip(rhs, lp.rows, strict=True)],
        starts=starts,
        index=index,
        values=values,
    )


def dual(program: FloatProgram) -> FloatProgram:
    """The dual of a :func:`rounded` problem: maximise b·y, Aᵀy ≤ c (= if x is free), y ≥ 0 (free if =)."""
    return replace(
        program,
        cost=[-b for b in program.row_lower],
        lower=[-math.inf if b == top else 0.0 for b, top in zip(program.row_lower, program.row_upper, strict=True)],
        upper=[math.inf] * len(program.row_lower),
        row_lower=[-math.inf if low == 0 else c for c, low in zip(program.cost, program.lower, strict=True)],
        row_upper=program.cost,
        by_columns=not program.by_columns,
    )


def centred(lp: LinearProgram, vertex: BasicSolution, *, scaled: bool = True) -> FloatProgram:
    """The problem of the corrections to a vertex; the logicals are columns after the variables."""
    rows, columns = _scales(lp) if scaled else ([0] * len(lp.rows), [0] * lp.n_variables)
    n, m = lp.n_variables, len(lp.rows)
    place, cost = _residuals(lp, vertex)
    units = [-c for c in columns] + rows  # x_j = 2^c_j·x'_j, s_i = 2^(−r_i)·s'_i
    signed = [j for j in range(n) if j not in lp.free] + [n + i for i, row in enumerate(lp.rows) if row.sense == ">="]
    stretch = _magnification((place[k], units[k]) for k in signed)
    weight = _magnification((cost[k], -units[k]) for k in signed)
    lower, upper = [-math.inf] * (n + m), [math.inf] * (n + m)
    for k in signed:
        lower[k] = -_clipped(place[k], units[k] + stretch)
    for i, row in enumerate(lp.rows):
        if row.sense == "==":
            lower[n + i] = upper[n + i] = -_clipped(place[n + i], units[n + i] + stretch)
    starts, index, values = _matrix(lp, rows, columns, slacks=True)
    return FloatProgram(
        cost=[_clipped(d, weight - units[k]) for k, d in enumerate(cost)],
        lower=lower,
        upper=upper,
        row_lower=[0.0] * m,
        row_upper=[0.0] * m,
        starts=starts,
        index=index,
        values=values,
    )


def _residuals(lp: LinearProgram, vertex: BasicSolution) -> tuple[list[Any], list[Any]]:
    """The exact values, and the exact reduced costs, of all variables and logicals."""
    zero = lp.field.zero
    forms = products(lp.field, (row.coefficients for row in lp.rows), {j: v for j, v in enumerate(vertex.x) if v})
    slack = [left - row.rhs for left, row in zip(forms, lp.rows, strict=True)]
    paid = combine(lp.field, [(y, row.coefficients) for row, y in zip(lp.rows, vertex.y, strict=True) if y])
    reduced = [lp.objective.get(j, zero) - paid.get(j, zero) for j in range(lp.n_variables)]
    costs = [zero if row.sense == "==" else y for row, y in zip(lp.rows, vertex.y, strict=True)]
    return [*vertex.x, *slack], [*reduced, *costs]


def _magnification(values: Iterable[tuple[Any, int]]) -> int:
    """The exponent that brings the largest violation near 1; without one, the smallest positive value."""
    wrong: int | None = None
    small: int | None = None
    for value, unit in values:
        if not value:
            continue
        size = _exponent(value) + unit
        if value < 0:
            wrong = size if wrong is None else max(wrong, size)
        else:
            small = size if small is None else min(small, size)
    if wrong is not None:
        return -wrong
    return 0 if small is None else max(0, -small)


def _plain(lp: LinearProgram) -> tuple[list[int], list[int], list[float]] | None:
    """The matrix without scaling, if that is good enough."""
    try:
        double = ByIdentity(_rough)
        values = [double(a) for row in lp.rows for a in row.coefficients.values()]
    except OverflowError:
        return None
    if not all(1 / _NEAR <= abs(value) <= _NEAR for value in values):
        return None
    starts = [0, *accumulate(len(row.coefficients) for row in lp.rows)]
    return starts, [j for row in lp.rows for j in row.coefficients], values


def _matrix(lp: LinearProgram, rows: list[int], columns: list[int], *, slacks: bool) -> tuple[list[int], list[int], list[float]]:
    entries = []
    for i, row in enumerate(lp.rows):
        entries.append({j: _double(a, rows[i] + columns[j]) for j, a in row.coefficients.items()})
        if slacks:
            entries[-1][lp.n_variables + i] = -1.0
    return compressed(entries)


def compressed(rows: Sequence[Mapping[int, float]]) -> tuple[list[int], list[int], list[float]]:
    """Sparse rows, one after the other: where each starts (and the last one ends), the columns, the values.

    >>> compressed([{0: 1.0, 2: 0.5}, {1: 2.0}])
    ([0, 2, 3], [0, 2, 1], [1.0, 0.5, 2.0])
    """
    return [0, *accumulate(map(len, rows))], [j for row in rows for j in row], [a for row in rows for a in row.values()]


def _scales(lp: LinearProgram) -> tuple[list[int], list[int]]:
    """Exponents of two that bring the coefficients of rows and columns near 1: middles of their ranges."""
    rows, columns = [0] * len(lp.rows), [0] * lp.n_variables
    sizes = [{j: _exponent(a) for j, a in row.coefficients.items()} for row in lp.rows]
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
    return math.frexp(_rough(a))[1]


def _rough(a: Any) -> float:
    """About a number or, of a function of the level, about one of its values."""
    return float(a) if isinstance(a, Rational) else float(a.rough_float())


def _double(a: Any, exponent: int) -> float:
    """a·2^exponent, rounded once."""
    if not isinstance(a, Rational):
        return math.ldexp(_rough(a), exponent)
    return float(a * Rational(2) ** exponent) if exponent else float(a)


def _clipped(a: Any, exponent: int) -> float:
    if not a:
        return 0.0
    size = _exponent(a) + exponent
    if size > _FAR:
        return math.ldexp(1.0 if a > 0 else -1.0, _FAR)
    return 0.0 if size < -60 else _double(a, exponent)


# --- Proposing a basis ---

Proposer = Callable[[LinearProgram, BasicSolution | None], Basis | None]
"""Proposes an optimal basis, given the vertex of its last one (at first None); None if it has no new one."""


def propose_basis(lp: LinearProgram, around: BasicSolution | None = None, *, start: Basis | None = None) -> Basis | None:
    """The basis at which HiGHS stops, or None if HiGHS is not installed or has none.

    * ``around``: the exact vertex of an earlier proposal, to be improved.
    * ``start``: where to begin a problem with more rows than columns.

    >>> from exactdp.exact import QQ
    >>> from exactdp.lp.problem import Row
    >>> lp = LinearProgram(1, {0: QQ(1)}, [Row({0: QQ(2)}, ">=", QQ(1))])
    >>> propose_basis(lp) in {Basis((True,), (False,)), None}
    True
    """
    highspy = _highspy()
    if highspy is None or lp.n_variables == 0 or not lp.rows:
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

    For problems whose small coefficients do not decide the optimum, such as probabilities far from the
    diagonal. To bring them near 1 would make others large, and HiGHS would find no optimum.
    """
    highspy = _highspy()
    if highspy is None:
        return None
    try:
        if around is None:
            found = _run(highspy, dual(rounded(lp, scaled=False)), "off")
            proposal = None if found is None or not found.optimal else _of_the_dual(found.basis)
        else:
            proposal = _centred(highspy, lp, around, scaled=False)
    except (TypeError, OverflowError):  # numbers without a double
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
    """The basis of the dual: multipliers of rows and slacks of variables that are not basic here."""
    return Basis(tuple(not basic for basic in basis.rows), tuple(not basic for basic in basis.columns))


# --- Asking HiGHS ---


@dataclass(frozen=True, slots=True)
class FloatAnswer:
    """Where HiGHS stops: basis, variables, multipliers of the rows, reduced costs, and if it says optimal."""

    basis: Basis
    values: list[float]
    multipliers: list[float]
    reduced: list[float]
    optimal: bool


def ask_highs(program: FloatProgram, start: Basis | None = None, *, primal: bool = True, scaled: bool = True) -> FloatAnswer | None:
    """HiGHS's answer to a problem in doubles, from a basis on (first by the primal method), or None.

    Where entries are far below others in their row and column, HiGHS's own scaling may find no basis; the
    problem can be taken as it is.
    """
    highspy = _highspy()
    if highspy is None:
        return None
    attempts = ((start, primal), (start, not primal), (None, False)) if start is not None else ((None, False),)
    found = None
    for begin, way in attempts:
        found = _run(highspy, program, "off", start=begin, primal=way, scaled=scaled)
        if found is not None and found.optimal:
            break
    return found


class GrowingProgram:
    """A problem to which rows or columns are added while HiGHS solves it, from the last basis each time.

    * ``program``: the problem with its first rows and columns.
    * ``attempt``: other numbers lead HiGHS to other optimal vertices, by other random choices and (from 2 on)
      the primal simplex method.
    * ``start``: where HiGHS begins.
    * ``scaled``: whether HiGHS may scale rows and columns.
    * raises ImportError: HiGHS is not installed.
    """

    def __init__(self, program: FloatProgram, attempt: int = 0, start: Basis | None = None, *, scaled: bool = True) -> None:
        highspy = _highspy()
        if highspy is None:
            raise ImportError("HiGHS is not installed")
        self._highspy, self._columns = highspy, len(program.cost)
        options = {} if scaled else {"simplex_scale_strategy": 0}
        self._solver = _solver(highspy, program, "off", primal=attempt > 1, random_seed=7 * attempt, **options)
        if start is not None:
            _begin(highspy, self._solver, program, start)

    def add(self, rows: Sequence[Mapping[int, float]]) -> None:
        """Add constraints row·x ≥ 0."""
        starts, index, values = compressed(rows)
        zeros, infinite = [0.0] * len(rows), [math.inf] * len(rows)
        self._solver.addRows(len(rows), zeros, infinite, len(index), starts[:-1], index, values)

    def add_columns(self, costs: Sequence[float], starts: Sequence[int], index: Sequence[int], values: Sequence[float]) -> None:
        """Add variables x ≥ 0, their coefficients as :func:`compressed` makes them."""
        zeros, infinite = [0.0] * len(costs), [math.inf] * len(costs)
        self._solver.addCols(len(costs), costs, zeros, infinite, len(index), starts[:-1], index, values)
        self._columns += len(costs)

    def answer(self) -> FloatAnswer | None:
        """Where HiGHS stops, or None."""
        _solved(self._solver)
        return _answer(self._highspy, self._solver)

    def solve(self) -> list[float] | None:
        """The values of the variables where HiGHS stops, or None."""
        _solved(self._solver)
        x = list(self._solver.getSolution().col_value)
        return x if len(x) == self._columns else None

    def basis(self) -> Basis | None:
        """The basis where HiGHS stopped, or None."""
        return _basis(self._highspy, self._solver)


def has_highs() -> bool:
    """Whether HiGHS is installed; without it exact pivots find every basis."""
    return _highspy() is not None


def _highspy() -> Any:
    """The module of HiGHS, or None if it is not installed; imported when needed, which takes time."""
    try:
        import highspy
    except ImportError:
        return None
    return highspy


def _silent(highspy: Any) -> Any:
    """HiGHS that prints nothing.

    From 1.16 on it tells its name and version when its callbacks are made, before a caller can set an option.
    On our standard output that would stand before a JSON document.
    """

    class Silent(highspy.Highs):  # type: ignore[misc]
        def enableCallbacks(self) -> None:  # HiGHS's name
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    return Silent()


def _solver(highspy: Any, program: FloatProgram, presolve: str, *, primal: bool, **options: Any) -> Any:
    """HiGHS with a problem and the options that all its uses share."""
    solver = _silent(highspy)
    shared = {
        "output_flag": False,
        "presolve": presolve,
        "solver": "simplex",
        "threads": 1,
        "simplex_strategy": 4 if primal else 1,  # HiGHS's numbers of its primal and dual simplex methods
        "small_matrix_value": 1e-12,
        "primal_feasibility_tolerance": 1e-10,
        "dual_feasibility_tolerance": 1e-10,
    }
    for option, value in {**shared, **options}.items():
        solver.setOptionValue(option, value)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.cost), len(program.row_lower)
    model.col_cost_, model.col_lower_, model.col_upper_ = program.cost, program.lower, program.upper
    model.row_lower_, model.row_upper_ = program.row_lower, program.row_upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise if program.by_columns else highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = program.starts, program.index, program.values
    solver.passModel(model)
    return solver


def _solved(solver: Any) -> None:
    """Run HiGHS in a thread of its own, as long as a time limit allows, and a second for what comes after it.

    HiGHS fixes how many threads it uses when it first runs in a thread of the program. A caller who uses it,
    too, may have chosen another number, or be about to. After an interrupt the thread goes on until HiGHS has
    ended, and nobody waits for it: HiGHS can be stopped only where it calls Python at every step.
    """
    left = seconds_left()
    if left is not None:
        solver.setOptionValue("time_limit", solver.getRunTime() + max(1.0, left))
    running = Background(solver.run)
    running.start()
    running.wait()


def _basis(highspy: Any, solver: Any) -> Basis | None:
    basis, basic = solver.getBasis(), highspy.HighsBasisStatus.kBasic
    if not basis.valid:
        return None
    return Basis(tuple(s == basic for s in basis.col_status), tuple(s == basic for s in basis.row_status))


def _run(
    highspy: Any, program: FloatProgram, presolve: str, start: Basis | None = None, *, primal: bool = False, scaled: bool = True
) -> FloatAnswer | None:
    options = {} if scaled else {"simplex_scale_strategy": 0}
    solver = _solver(highspy, program, presolve, primal=primal, **options)
    if start is not None:
        _begin(highspy, solver, program, start)
    _solved(solver)
    return _answer(highspy, solver)


def _begin(highspy: Any, solver: Any, program: FloatProgram, start: Basis) -> None:
    """Let HiGHS begin at a basis."""
    status, basis = highspy.HighsBasisStatus, highspy.HighsBasis()
    resting = [status.kZero if lower == -math.inf else status.kLower for lower in program.lower]
    basis.col_status = [status.kBasic if basic else rest for basic, rest in zip(start.columns, resting, strict=True)]
    ends = [status.kUpper if lower == -math.inf else status.kLower for lower in program.row_lower]
    basis.row_status = [status.kBasic if basic else rest for basic, rest in zip(start.rows, ends, strict=True)]
    basis.valid = True
    solver.setBasis(basis)


def _answer(highspy: Any, solver: Any) -> FloatAnswer | None:
    found = _basis(highspy, solver)
    if found is None:
        return None
    solution = solver.getSolution()
    optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return FloatAnswer(found, list(solution.col_value), list(solution.row_dual), list(solution.col_dual), optimal)
