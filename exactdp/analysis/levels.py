# SPDX-License-Identifier: MIT
"""For which levels is this matrix of formulas stochastic, private, derivable? The exact set of levels, as a
union of intervals.

Each question is a list of conditions f(a) ≥ 0 (or f(a) = 0) with rational functions f, so the levels where it
holds are cut out by finitely many algebraic numbers; between two of them one level decides for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.wording import union_text
from exactdp.errors import DomainError
from exactdp.exact import ExactMatrix, Interval, Point, RationalFunction, RationalFunctionField
from exactdp.exact.points import compare_points
from exactdp.model import LevelLike, Neighbours, PrivacyLevel, Table, as_level


@dataclass(frozen=True, slots=True)
class Stay:
    """A piece of the levels: whether the statement holds on all of it, and if not which condition is negative
    (or not zero) on all of it.

    ``witness`` is (row, column) of a faulty table entry, (row, None) of a faulty sum, (i, j, output) of a privacy violation, or, when
    derivability was asked, (output, guess) of a negative entry of the only possible R, or ("target" or "source", row, column or None).
    """

    interval: Interval
    holds: bool
    witness: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelSet:
    """The levels at which a statement about a table holds.

    Attributes
    ----------
    question : "stochastic", "private" or "derivable"
        The statement.
    table : Table
        Over ℚ(a).
    neighbours, level
        Of the privacy question; the level may be the letter itself.
    source, remap
        Of the derivability question: the other table, and R = source⁻¹·table.
    pieces : tuple of Stay
        In order, covering the interval of the table's field.
    """

    question: str
    table: Table
    pieces: tuple[Stay, ...]
    neighbours: Neighbours | None = None
    level: PrivacyLevel | None = None
    source: Table | None = None
    remap: ExactMatrix | None = None

    @property
    def interval(self) -> Interval:
        """Of all levels asked about."""
        field: RationalFunctionField = self.table.matrix.field  # type: ignore[assignment]
        return field.interval

    @property
    def letter(self) -> str:
        """For the level."""
        field: RationalFunctionField = self.table.matrix.field  # type: ignore[assignment]
        return field.name_of_level

    @property
    def holds_on(self) -> tuple[Interval, ...]:
        """The maximal intervals and points of levels at which the statement holds."""
        joined: list[Interval] = []
        for stay in self.pieces:
            if not stay.holds:
                continue
            before = joined[-1] if joined else None
            if (
                before is not None
                and compare_points(before.upper, stay.interval.lower) == 0
                and (before.upper_closed or stay.interval.lower_closed)
            ):
                joined[-1] = Interval(before.lower, stay.interval.upper, before.lower_closed, stay.interval.upper_closed)
            else:
                joined.append(stay.interval)
        return tuple(joined)


Condition = tuple[Any, bool, tuple[Any, ...]]
"""A function, whether it must be zero (or else ≥ 0), and where it comes from."""


def stochastic_levels(table: Table) -> Verdict[LevelSet]:
    """At which levels is a table of formulas row-stochastic: entries ≥ 0, rows summing to 1?

    Parameters
    ----------
    table : Table
        Over ℚ(a) on an interval.

    Returns
    -------
    Verdict[LevelSet]
        Proved if at all levels of the interval, refuted otherwise; the exact set is ``evidence.holds_on``.

    Examples
    --------
    >>> from exactdp import ExactMatrix, RationalFunctionField
    >>> a = RationalFunctionField().gen
    >>> verdict = stochastic_levels(Table(ExactMatrix([[2 * a, 1 - 2 * a]])))
    >>> [str(i) for i in verdict.evidence.holds_on]
    ['(0, 1/2]']
    """
    return _answer("stochastic", LevelSet("stochastic", table, _pieces(table, _stochastic(table))))


def private_levels(table: Table, neighbours: Neighbours, level: LevelLike) -> Verdict[LevelSet]:
    """At which a is a table of formulas a mechanism that is private at a level (often the letter a itself)?

    Parameters
    ----------
    table : Table
        Over ℚ(a) on an interval.
    neighbours : AdjacencyGraph or Metric
        On its inputs; distances must be integers.
    level : level
        Rational, or a function of a.

    Returns
    -------
    Verdict[LevelSet]
        As in :func:`stochastic_levels`.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> from exactdp import ExactMatrix, PrivacyLevel, neighbours
    >>> level = PrivacyLevel.symbolic()
    >>> a = level.alpha
    >>> table = Table(ExactMatrix([[1 - a * a, a * a], [a * a, 1 - a * a]]))
    >>> [str(i) for i in private_levels(table, neighbours("path:2"), level).evidence.holds_on]
    ['[root of a^2 + a - 1 near 0.618033, root of a^3 + a^2 - 1 near 0.754877]']
    """
    level = as_level(level)
    table = table.aligned(neighbours.vertices)
    x = table.matrix
    conditions = _stochastic(table)
    for i, j, distance in neighbours.pairs():
        power = level.power(distance)
        for r in range(x.shape[1]):
            conditions += [(x[s, r] - power * x[t, r], False, (s, t, r)) for s, t in ((i, j), (j, i))]
    return _answer("private", LevelSet("private", table, _pieces(table, conditions), neighbours, level))


def derivable_levels(table: Table, *, source: Table) -> Verdict[LevelSet]:
    """At which levels is a table of formulas derivable from another: table = source·R for a row-stochastic R?

    Parameters
    ----------
    table, source : Table
        Over ℚ(a), with the same inputs; the source is square and invertible.

    Returns
    -------
    Verdict[LevelSet]
        As in :func:`stochastic_levels`, with R in ``evidence.remap``.

    Raises
    ------
    LabelError
        The inputs differ.
    DomainError
        The source is not square, or singular at some level of the interval (then R is not determined).

    Examples
    --------
    >>> from exactdp import ExactMatrix, RationalFunctionField, geometric
    >>> a = RationalFunctionField().gen
    >>> half = Table(ExactMatrix([["2/3", "1/3"], ["1/3", "2/3"]], a.field))
    >>> [str(i) for i in derivable_levels(half, source=geometric(1, a).as_table()).evidence.holds_on]
    ['(0, 1/2]']
    """
    source = source.aligned(table.inputs)
    n, m = source.matrix.shape
    if n != m:
        raise DomainError(f"the source has {n} inputs and {m} outputs; this question needs as many of each", shape=(n, m))
    determinant = source.matrix.det()
    singular = determinant.sign_on_interval().zeros if isinstance(determinant, RationalFunction) and determinant else ()
    if not determinant or singular:
        where = "at every level" if not determinant else "at " + ", ".join(str(point) for point, _ in singular)
        raise DomainError(f"the source is singular {where}, so R is not determined; leave these levels out", determinant=determinant)
    remap = source.matrix.solve(table.matrix)
    faults = [(f, zero, (which, *where)) for which, t in (("target", table), ("source", source)) for f, zero, where in _stochastic(t)]
    conditions: list[Condition] = [*faults, *((x, False, (y, r)) for y, row in enumerate(remap.rows()) for r, x in enumerate(row))]
    conditions += [(sum(row, remap.field.zero) - 1, True, (y, None)) for y, row in enumerate(remap.rows())]
    return _answer("derivable", LevelSet("derivable", table, _pieces(table, conditions), source=source, remap=remap))


def _stochastic(table: Table) -> list[Condition]:
    x = table.matrix
    conditions: list[Condition] = [(v, False, (i, j)) for i, row in enumerate(x.rows()) for j, v in enumerate(row)]
    return conditions + [(sum(row, x.field.zero) - 1, True, (i, None)) for i, row in enumerate(x.rows())]


def _pieces(table: Table, conditions: Sequence[Condition]) -> tuple[Stay, ...]:
    field = table.matrix.field
    if not isinstance(field, RationalFunctionField):
        hint = "ask about its numbers instead (is_stochastic, is_private, is_derivable)"
        raise DomainError(f"the table has no letter in it; {hint}", field=field)
    points = _zeros_and_poles(f for f, _, _ in conditions)
    found: list[Stay] = []
    for part in field.interval.split(points) if points else (field.interval,):
        at = part.lower if part.is_point else part.sample()
        bad = next((where for f, zero, where in conditions if _fails(f, zero, at)), None)
        found.append(Stay(part, bad is None, bad or ()))
    return tuple(_closed(found))


def _closed(stays: Iterable[Stay]) -> list[Stay]:
    """Intervals where the statement holds, with their ends where it holds there too."""
    result: list[Stay] = []
    for stay in stays:
        before = result[-1] if result else None
        if before is None or not (before.holds and stay.holds) or before.interval.is_point is stay.interval.is_point:
            result.append(stay)
        elif stay.interval.is_point:
            result[-1] = Stay(Interval(before.interval.lower, stay.interval.lower, before.interval.lower_closed, True), True)
        elif before.interval.is_point:
            result[-1] = Stay(Interval(before.interval.lower, stay.interval.upper, True, stay.interval.upper_closed), True)
    return result


def _fails(f: Any, zero: bool, at: Point) -> bool:
    try:
        sign = f.sign_at(at) if isinstance(f, RationalFunction) else f.sign()
    except DomainError:  # a pole: not a number at this level
        return True
    return bool(sign != 0 if zero else sign < 0)


def _zeros_and_poles(functions: Iterable[Any]) -> list[Point]:
    result: list[Point] = []
    for f in {f for f in functions if isinstance(f, RationalFunction) and f}:
        for point in f.sign_on_interval().points:
            place = sum(compare_points(other, point) < 0 for other in result)
            if place == len(result) or compare_points(result[place], point) != 0:
                result.insert(place, point)
    return result


def _answer(question: str, evidence: LevelSet) -> Verdict[LevelSet]:
    field: RationalFunctionField = evidence.table.matrix.field  # type: ignore[assignment]
    letter, holds = field.name_of_level, evidence.holds_on
    what = {
        "stochastic": "row-stochastic",
        "private": f"a mechanism that is private at level {evidence.level}",
        "derivable": "derivable from the source",
    }[question]
    scope = f"all levels {letter} in {field.interval}"
    if all(stay.holds for stay in evidence.pieces):
        return Verdict(Decision.PROVED, f"The table is {what} at every level", evidence, scope)
    if not holds:
        return Verdict(Decision.REFUTED, f"The table is {what} at no level", evidence, scope)
    return Verdict(Decision.REFUTED, f"The table is {what} exactly for {letter} in {union_text(holds)}", evidence, scope)
