# SPDX-License-Identifier: MIT
"""For which levels is a matrix of formulas stochastic, private, derivable? The exact set of levels.

Each question is a list of conditions f(a) ≥ 0 (or f(a) = 0) with rational functions f. The levels where all
hold are cut out by finitely many algebraic numbers; between two of them one level decides for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from exactdp.analysis.arguments import MechanismLike, as_level, as_neighbours, as_table, in_order_of
from exactdp.analysis.verdict import Decision, Scope, Verdict, decided
from exactdp.analysis.wording import among, at_level, begun, union_text
from exactdp.errors import DomainError
from exactdp.exact import ExactMatrix, Interval, Point, RationalFunction, RationalFunctionField, is_nonzero, is_zero
from exactdp.exact.intervals import set_to_sympy
from exactdp.exact.piecewise import Piecewise
from exactdp.model import LevelLike, Neighbours, NeighboursLike, PrivacyLevel, Table
from exactdp.model.level_argument import takes_epsilon
from exactdp.runtime.progress import Listener, counted_off, report_phase


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelFault:
    """A condition that fails at every level of a piece: of an entry, of a row's sum, or of privacy.

    Attributes
    ----------
    matrix : "table", "source" or "remap"
        The matrix with the fault: the table asked about, the source, or the only possible R.
    row : int
    column : int or None
        The entry is negative or not defined; without a column the row does not sum to 1.
    beside : int or None
        With a row x′ here the entry is too small for privacy: less than α^d(x, x′) times that of x′.
    """

    matrix: str
    row: int
    column: int | None = None
    beside: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLevels:
    """The levels at which a statement about a table of formulas holds.

    Attributes
    ----------
    table : Table
        Over ℚ(a).
    pieces : Piecewise of (LevelFault or None)
        For all levels of the table's field: None where the statement holds, else what fails.
    """

    table: Table
    pieces: Piecewise[LevelFault | None]

    @property
    def interval(self) -> Interval:
        """Of all levels asked about."""
        return self.pieces.interval

    @property
    def letter(self) -> str:
        """For the level."""
        field: RationalFunctionField = self.table.matrix.field  # type: ignore[assignment]
        return field.name_of_level

    @property
    def holds_on(self) -> tuple[Interval, ...]:
        """The maximal intervals and points of levels at which the statement holds."""
        return self.pieces.where(lambda fault: fault is None)

    def in_sympy(self) -> Any:
        """The set of levels at which the statement holds."""
        return set_to_sympy(self.holds_on)


@dataclass(frozen=True, slots=True, kw_only=True)
class StochasticLevels(TableLevels):
    """The levels at which a table is row-stochastic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateLevels(TableLevels):
    """The levels at which a table is a private mechanism; ``level`` may be the letter itself."""

    neighbours: Neighbours
    level: PrivacyLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivableLevels(TableLevels):
    """The levels at which table = source·R for a row-stochastic R; ``remap`` is R = source⁻¹·table."""

    source: Table
    remap: ExactMatrix


Condition = tuple[Any, bool, LevelFault]
"""A function, whether it must be zero (or else ≥ 0), and what is at fault if not."""


def stochastic_levels(table: MechanismLike, *, progress: Listener | None = None) -> Verdict[StochasticLevels]:
    """At which levels is a table of formulas row-stochastic: entries ≥ 0, rows summing to 1?

    Parameters
    ----------
    table : Table
        Over ℚ(a) on an interval.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[StochasticLevels]
        Proved if at all levels of the interval, refuted otherwise; the exact set is ``evidence.holds_on``.

    Examples
    --------
    >>> from exactdp import ExactMatrix, RationalFunctionField
    >>> a = RationalFunctionField().gen
    >>> verdict = stochastic_levels(Table(ExactMatrix([[2 * a, 1 - 2 * a]])))
    >>> [str(i) for i in verdict.evidence.holds_on]
    ['(0, 1/2]']
    """
    table = as_table(table)
    return _answer("row-stochastic", StochasticLevels(table=table, pieces=_pieces(table, _stochastic("table", table.matrix), progress)))


@takes_epsilon
def private_levels(
    table: MechanismLike, neighbours: NeighboursLike, level: LevelLike, *, progress: Listener | None = None
) -> Verdict[PrivateLevels]:
    """At which a is a table of formulas a mechanism that is private at a level (often the letter a itself)?

    Parameters
    ----------
    table : Table
        Over ℚ(a) on an interval.
    neighbours : Graph or Metric
        On its inputs; distances must be integers.
    level : level
        Rational, or a function of a.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[PrivateLevels]
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
    table = as_table(table, level)
    neighbours = as_neighbours(neighbours, table)
    table = table.aligned(neighbours.vertices)
    x = table.matrix
    conditions = _stochastic("table", table.matrix)
    for i, j, distance in neighbours.pairs():
        power = level.power(distance)
        for r in range(x.shape[1]):
            for s, t in ((i, j), (j, i)):
                conditions.append((x[s, r] - power * x[t, r], False, LevelFault(matrix="table", row=s, column=r, beside=t)))
    evidence = PrivateLevels(table=table, pieces=_pieces(table, conditions, progress), neighbours=neighbours, level=level)
    return _answer(f"a mechanism that is private on {at_level(neighbours, level)}", evidence)


def derivable_levels(table: MechanismLike, *, source: MechanismLike, progress: Listener | None = None) -> Verdict[DerivableLevels]:
    """At which levels is a table of formulas derivable from another: table = source·R for a row-stochastic R?

    Parameters
    ----------
    table, source : Table
        Over ℚ(a), with the same inputs; the source is square and invertible.
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[DerivableLevels]
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
    return derivability_by_level(as_table(table), as_table(source, name="source"), ("the source", "the table"), progress)


def derivability_by_level(table: Table, source: Table, names: tuple[str, str], progress: Listener | None) -> Verdict[DerivableLevels]:
    """The same; ``names`` are what the sentence calls the source and the table."""
    source = in_order_of(source, table.inputs, names[0])
    n, m = source.matrix.shape
    if n != m:
        raise DomainError(f"the source has {n} inputs and {m} outputs; this question needs as many of each", shape=(n, m))
    report_phase(progress, "the source's determinant")
    determinant = source.matrix.det()
    singular = determinant.sign_on_interval().zeros if isinstance(determinant, RationalFunction) and is_nonzero(determinant) else ()
    if is_zero(determinant) or singular:
        where = "at every level" if is_zero(determinant) else "at " + ", ".join(str(point) for point, _ in singular)
        other = ", or, in Python, about an interval of levels without these" if is_nonzero(determinant) else ""
        message = f"the source is singular {where}, so R is not determined; ask about one level (is_derivable, --alpha 1/4){other}"
        raise DomainError(message, determinant=determinant)
    report_phase(progress, "the post-processing")
    remap = source.matrix.generic_solve(table.matrix)
    conditions = [*_stochastic("table", table.matrix), *_stochastic("source", source.matrix), *_stochastic("remap", remap)]
    evidence = DerivableLevels(table=table, pieces=_pieces(table, conditions, progress), source=source, remap=remap)
    first, second = names
    return _answer(f"derivable from {first}", evidence, begun(second), (f"source {first}", f"target {second}"))


def _stochastic(name: str, x: ExactMatrix) -> list[Condition]:
    """Entries ≥ 0, rows summing to 1."""
    entries = [(v, False, LevelFault(matrix=name, row=i, column=j)) for i, row in enumerate(x.rows()) for j, v in enumerate(row)]
    one = x.field.one
    return entries + [(x.field.dot((v, one) for v in row) - 1, True, LevelFault(matrix=name, row=i)) for i, row in enumerate(x.rows())]


def _pieces(table: Table, conditions: Sequence[Condition], progress: Listener | None) -> Piecewise[LevelFault | None]:
    """The levels cut where a condition changes; where all hold, an interval has the ends where all hold."""
    field = table.matrix.field
    if not isinstance(field, RationalFunctionField):
        hint = "ask about its numbers instead (is_stochastic, is_private, is_derivable)"
        raise DomainError(f"the table has no letter in it; {hint}", field=field)
    functions = {f for f, _, _ in conditions if isinstance(f, RationalFunction) and is_nonzero(f)}

    def first_fault(part: Interval) -> LevelFault | None:
        at = part.lower if part.is_point else part.sample()
        return next((fault for f, zero, fault in conditions if _fails(f, zero, at)), None)

    points = [x for f in counted_off(functions, progress, "conditions", "conditions") for x in f.sign_on_interval().points]
    cut = counted_off(field.interval.split(points), progress, "pieces", "pieces")
    parts = Piecewise((part, first_fault(part)) for part in cut)
    return parts.joined(lambda left, right: left.value is right.value is None and left.interval.is_point is not right.interval.is_point)


def _fails(f: Any, zero: bool, at: Point) -> bool:
    try:
        sign = f.sign_at(at) if isinstance(f, RationalFunction) else f.sign()
    except DomainError:  # a pole: not a number at this level
        return True
    return bool(sign != 0 if zero else sign < 0)


L = TypeVar("L", bound=TableLevels)


def _answer(what: str, evidence: L, subject: str = "The table", assumed: tuple[str, ...] = ()) -> Verdict[L]:
    letter, holds = evidence.letter, evidence.holds_on
    where = f"exactly for {letter} in {union_text(holds)}" if holds else "at no level"
    decision = decided(all(fault is None for fault in evidence.pieces.values))
    every = among(evidence.interval)
    part = every and (f", of the levels{every}" if holds else every)
    claim = f"{subject} is {what} {f'at every level{every}' if decision is Decision.PROVED else where + part}"
    return Verdict(decision, claim, evidence, Scope("all levels", letter=letter, interval=evidence.interval), assumed)
