# SPDX-License-Identifier: MIT
"""Where an optimal basis stays optimal: along a parameter, and on an optimal face (untrusted).

A linear program with a parameter has optimal bases, and intervals on which they stay optimal.

At a rational number the problem is solved exactly; its optimal basis, solved over ℚ(a), stays optimal on an
interval around the number. The ends of that interval are zeros of one of finitely many rational functions: a
variable, a slack, a multiplier, a reduced cost. What is left of the whole interval on either side is treated
in the same way. Every step covers something, and there are finitely many bases, so this ends.

Has a linear program another optimal point, or do multipliers show that there is none? A known optimum that is
not a vertex has a direction in which everything tight stays tight; going along it gives a second one. At a
vertex, maximise the sum of the slacks of all constraints that are tight there, over all optimal points. If
some slack can grow, the maximiser is a second optimum. If not, the dual of that problem gives multipliers
that are positive on every one of those constraints, so that all of them are tight at every optimum.

References
----------
T. Gal (1979), *Postoptimal Analyses, Parametric Programming, and Related Topics*; O. L. Mangasarian (1979),
*Uniqueness of solution in linear programming*, Linear Algebra and its Applications 25, 151–162.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cmp_to_key
from typing import Any

from exactdp.errors import DomainError
from exactdp.exact import AlgebraicNumber, Interval, Point, Rational, RationalFunction, formula_of, judged
from exactdp.exact.algebraic import between, compare_points
from exactdp.exact.piecewise import Piece, Piecewise
from exactdp.lp.problem import Basis, LinearProgram, Optimal, Row, nearby_problem, solve_basis
from exactdp.lp.solve import solve
from exactdp.lp.sparse import SparseLU
from exactdp.lp.symmetry import ReducedProgram
from exactdp.runtime.progress import Listener, covered
from exactdp.runtime.values import dataclass

Functions = Callable[[Optimal], Iterable[Any]]
"""Further functions whose signs must not change inside a piece."""

TRIES = 40
"""Numbers that are tried in an interval until one is not itself an end."""


def optimal_pieces(
    lp: LinearProgram, interval: Interval, *, functions: Functions = lambda answer: (), progress: Listener | None = None
) -> Piecewise[Optimal | None]:
    """The optimum of a linear program over ℚ(a) for every a in an interval.

    * ``lp``: over a :class:`RationalFunctionField`, with an optimum everywhere in the interval.
    * ``interval``: inside that of the field.
    * ``functions``: from an answer to more functions that must keep their signs inside a piece.
    * ``progress``: is told after every piece which share of the interval is covered.

    Returns: the answers (over ℚ(a)) that are optimal on all of a piece; None where no answer was found. Where
    two pieces meet, the point belongs to both if neither answer has a pole there; it has none if both have.

    >>> from exactdp.exact import RationalFunctionField
    >>> from exactdp.lp.problem import Row
    >>> a, one = RationalFunctionField().gen, RationalFunctionField().one
    >>> lp = LinearProgram(1, {0: one}, [Row({0: one}, ">=", a), Row({0: one}, ">=", 1 - a)])
    >>> print(optimal_pieces(lp, a.field.interval).map(lambda answer: answer.value))
    -a + 1 on (0, 1/2]; a on [1/2, 1)
    """
    reduced = ReducedProgram(lp)
    smaller = reduced.lp or lp

    def lift(answer: Optimal) -> Any:
        return answer if reduced.lp is None else reduced.lift(answer)

    found: list[Piece[Optimal | None]] = []
    vertices: list[_Vertex] = []
    waiting = [interval.interior()]
    while waiting:
        rest = waiting.pop()
        part, answer = _piece_in(smaller, rest, vertices, lambda answer: functions(lift(answer)))
        found.append(Piece(interval.intersection(part) or part, None if answer is None else lift(answer)))
        if compare_points(part.upper, rest.upper) < 0:
            waiting.append(Interval(part.upper, rest.upper))
        if compare_points(rest.lower, part.lower) < 0:
            waiting.append(Interval(rest.lower, part.lower))
        if progress is not None:
            progress(covered("pieces", interval, waiting, f"{len(found)} found"))
    increasing = cmp_to_key(compare_points)
    found.sort(key=lambda piece: increasing(piece.interval.lower))
    return Piecewise.filled(found, interval, None)


@dataclass(frozen=True, slots=True)
class _Vertex:
    """A basis over ℚ(a): what must be ≥ 0 for it to be optimal, and all whose signs stay inside a piece."""

    answer: Optimal
    conditions: tuple[Any, ...]
    functions: tuple[Any, ...]

    def is_optimal_at(self, x: Rational) -> bool:
        try:
            return all(f.sign_at(x) >= 0 if isinstance(f, RationalFunction) else f >= 0 for f in self.conditions)
        except DomainError:  # a pole
            return False


def _piece_in(lp: LinearProgram, rest: Interval, vertices: list[_Vertex], functions: Functions) -> Piece[Optimal | None]:
    """A piece around some number of an open interval; first with the vertices that were optimal elsewhere."""

    def around(x: Rational, vertex: _Vertex) -> Piece[Optimal | None] | None:
        interval = constant_signs_around(x, rest, vertex.functions)
        return None if interval is None else Piece(interval, vertex.answer)

    for x in _numbers(rest):
        for vertex in vertices:
            if vertex.is_optimal_at(x) and (piece := around(x, vertex)) is not None:
                return piece
        solved = solve(nearby_problem(lp, x))
        if not isinstance(solved, Optimal) or solved.basis is None:
            continue
        answer = _vertex(lp, solved.basis)
        if answer is None:
            continue
        known = tuple(conditions(lp, answer))
        vertex = _Vertex(answer, known, (*known, *functions(answer)))
        piece = around(x, vertex)
        if piece is not None:
            vertices.insert(0, vertex)
            return piece
    return Piece(rest, None)


def _numbers(interval: Interval) -> Iterator[Rational]:
    """Rational numbers inside, the simplest first, then ever more of them."""
    low, high, first = interval.lower, interval.upper, interval.sample()
    yield first
    left, right = first, first
    for _ in range(TRIES // 2):
        left, right = between(low, left), between(right, high)
        yield from (left, right)


def optimum_near(lp: LinearProgram, point: Mapping[str, Rational]) -> Optimal | None:
    """The optimal basis at a point of a region, solved with letters; optimal about the point, if anywhere.

    * ``lp``: over a :class:`RegionField`.
    * ``point``: of the region.

    Returns: None if there is no optimum at the point, or its basis is none with letters.

    >>> from exactdp.exact import Region, RegionField
    >>> p, q = RegionField(Region({"p": "(0, 1)", "q": "(0, 1)"}, where=["p > q"])).gens
    >>> lp = LinearProgram(1, {0: p.field.one}, [Row({0: p}, ">=", q), Row({0: q}, ">=", q)])
    >>> print(optimum_near(lp, p.field.region.inside).value)
    1
    """
    solved = solve(nearby_problem(lp, point))
    return None if not isinstance(solved, Optimal) or solved.basis is None else _vertex(lp, solved.basis)


def _vertex(lp: LinearProgram, basis: Basis) -> Optimal | None:
    """The basis solved over ℚ(a); None if it is singular there or leaves an equation unsatisfied."""
    vertex = solve_basis(lp, basis)
    if vertex.basis != basis:  # singular over ℚ(a)
        return None
    x = [formula_of(v) for v in vertex.x]  # judged by the conditions
    for row, logical in zip(lp.rows, basis.rows, strict=True):
        if logical and row.sense == "==" and sum((a * x[j] for j, a in row.coefficients.items()), -row.rhs):
            return None  # an equation that the others imply at the number tried, and not at all levels
    value = sum((c * x[j] for j, c in lp.objective.items()), formula_of(lp.field.zero))
    return Optimal(vertex.x, vertex.y, judged(value))


def conditions(lp: LinearProgram, answer: Optimal) -> Iterator[Any]:
    """What must be ≥ 0 for the answer to be optimal, as formulas."""
    zero = formula_of(lp.field.zero)
    solution, multipliers = ([formula_of(v) for v in values] for values in (answer.x, answer.y))
    reduced = [lp.objective.get(j, zero) for j in range(lp.n_variables)]
    for row, y in zip(lp.rows, multipliers, strict=True):
        if row.sense == ">=":
            yield y
            yield sum((a * solution[j] for j, a in row.coefficients.items()), -row.rhs)
        if y:
            for j, a in row.coefficients.items():
                reduced[j] = reduced[j] - a * y
    for j in range(lp.n_variables):
        if j not in lp.free:
            yield solution[j]
            yield reduced[j]


def constant_signs_around(x: Rational, rest: Interval, functions: Iterable[Any]) -> Interval | None:
    """The largest interval around a number inside which no function changes its sign.

    * ``x``: inside ``rest``.
    * ``rest``: where to look; open.
    * ``functions``: rational functions (or rational numbers).

    Returns: closed at an end inside (0, 1) unless a function has a pole there; None if x itself is a zero or
    a pole.

    >>> from exactdp.exact import RationalFunctionField
    >>> a = RationalFunctionField().gen
    >>> str(constant_signs_around(Rational("1/2"), a.field.interval, [3 * a - 1, 1 / (5 - 6 * a)]))
    '[1/3, 5/6)'
    """
    low: Point = rest.lower
    high: Point = rest.upper
    poles: list[Point] = []
    seen: set[Any] = set()
    for f in functions:
        if not isinstance(f, RationalFunction):
            continue
        pattern = f.sign_on_interval()
        if pattern in seen or not (pattern.zeros or pattern.poles):
            continue
        seen.add(pattern)
        for point in pattern.points:
            side = compare_points(point, x)
            if side == 0:
                return None
            if side < 0 and compare_points(point, low) > 0:
                low = point
            if side > 0 and compare_points(point, high) < 0:
                high = point
        poles += pattern.poles

    def closed(end: Point) -> bool:
        """Signs last to an end by continuity, if there is a level there (0 and 1 are none) and no pole."""
        rational = end.rational if isinstance(end, AlgebraicNumber) else end
        return (rational is None or 0 < rational < 1) and all(compare_points(end, pole) for pole in poles)

    return Interval(low, high, closed(low), closed(high))


def another_optimum(
    lp: LinearProgram, known: Optimal, *, progress: Listener | None = None
) -> tuple[tuple[Any, ...] | None, tuple[Any, ...]]:
    """Another optimal point or None, and multipliers y of the rows.

    If there is none, y is positive on all constraints that are tight at every optimal point.
    """
    zero, one = lp.field.zero, lp.field.one
    slack = [sum((c * known.x[v] for v, c in row.coefficients.items()), zero) - row.rhs for row in lp.rows]
    tight_rows = [k for k, row in enumerate(lp.rows) if row.sense == ">=" and not slack[k]]
    tight_variables = [v for v in range(lp.n_variables) if v not in lp.free and not known.x[v]]
    shift = _direction(lp, tight_rows, set(tight_variables))
    if shift:
        return _moved(lp, known, slack, shift), known.y
    gain: dict[int, Any] = dict.fromkeys(tight_variables, one)
    for k in tight_rows:
        for v, c in lp.rows[k].coefficients.items():
            gain[v] = gain.get(v, zero) + c
    constant = sum((lp.rows[k].rhs for k in tight_rows), zero)
    no_worse = Row({v: -c for v, c in lp.objective.items() if c}, ">=", -known.value)
    growth = LinearProgram(lp.n_variables, {v: -g for v, g in gain.items() if g}, (*lp.rows, no_worse), lp.free)
    answer = solve(growth, progress=progress)
    if not isinstance(answer, Optimal):
        raise ValueError("the optimal face is unbounded")
    if -answer.value > constant:
        return answer.x, known.y
    # The slacks cannot grow: t·c = Σ_tight a_k + Σ y'_k a_k + (reduced costs), where t is of the last row. So
    # (y' + 1 on tight rows)/t is dual feasible; if t = 0, y' + 1 on tight rows can be added to a dual.
    t = answer.y[-1]
    lift = set(tight_rows)
    strict = [y + (one if k in lift else zero) for k, y in enumerate(answer.y[:-1])]
    if t:
        return None, tuple(y / t for y in strict)
    return None, tuple(y + z for y, z in zip(known.y, strict, strict=True))


def _direction(lp: LinearProgram, tight_rows: list[int], still: set[int]) -> dict[int, Any]:
    """A direction in which everything that is tight stays so; empty at a vertex."""
    tight = {k: row.coefficients for k, row in enumerate(lp.rows) if row.sense == "=="} | {k: lp.rows[k].coefficients for k in tight_rows}
    moving = {v for v in range(lp.n_variables) if v not in still}
    factors = SparseLU(lp.field, tight, moving)
    loose = min(moving - factors.columns, default=None)
    if loose is None:
        return {}
    return factors.kernel(loose)


def _moved(lp: LinearProgram, known: Optimal, slack: list[Any], direction: dict[int, Any]) -> tuple[Any, ...]:
    """The optimal point as far along a direction as the constraints allow (1 if they allow everything)."""
    falls = [(known.x[v], d) for v, d in direction.items() if v not in lp.free and d < 0]
    for room, row in zip(slack, lp.rows, strict=True):
        change = sum((c * direction[v] for v, c in row.coefficients.items() if v in direction), lp.field.zero)
        if row.sense == ">=" and change < 0:
            falls.append((room, change))
    step = min((room / -change for room, change in falls), default=lp.field.one)
    return tuple(x + step * direction[v] if v in direction else x for v, x in enumerate(known.x))
