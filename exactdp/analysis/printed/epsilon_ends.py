# SPDX-License-Identifier: MIT
r"""How private is what was printed: the largest and the smallest ε of the mechanisms that print so.

Where only digits of a table are known, its tightest level lies between two ends:

* the least one, with the largest ε. It is the least ratio (least x_ir / largest x_jr)^(1/d) over the pairs of
  neighbours and the outputs. Rows are independent, so one table attains it;
* the largest one, with the smallest ε, found by linear programs (:mod:`exactdp.search.printed.best_level`).

A claim is proved where it is true of all tables that print so, and refuted where it is true of none. Between
the two ends the digits do not decide it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from exactdp.analysis.arguments import Arguments, as_level, ask
from exactdp.analysis.verdict import Decision, Scope, Verdict, scope_of
from exactdp.analysis.wording import private_on
from exactdp.errors import DomainError, ResourceLimitError
from exactdp.exact import Rational, RationalFunctionField, RegionField
from exactdp.exact.decimals import fixed_text
from exactdp.model import Distance, LevelLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, TightestLevel
from exactdp.model.metric import ONE
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, raise_unless_own_limit
from exactdp.runtime.values import dataclass
from exactdp.search.printed.best_level import Infeasible, Multipliers, best_level, feasible_table, is_small

PLACES = 10
"""Decimals of an ε that is known between two bounds."""

MOST_PLACES = 60
"""No decimal has more, however near to the ε of a claim it is."""


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """One privacy constraint of a printed table: x_low,r against α^d · x_high,r.

    ``least`` and ``largest`` are the ends of the ratio x_low,r / x_high,r; ``largest`` is None where the
    second number may be 0.
    """

    low: int
    high: int
    output: int
    least: Rational
    largest: Rational | None
    distance: Distance


@dataclass(frozen=True, slots=True, kw_only=True)
class LargestEpsilonEvidence:
    """The largest ε of the mechanisms that print so.

    Attributes
    ----------
    printed, neighbours
        What was asked about.
    tightest : TightestLevel
        The least of their tightest levels.
    table : Mechanism
        Prints so, and has this level.
    cell : PrintedCell or None
        Where ``table`` attains it; None for the level 1.
    """

    printed: PrintedTable
    neighbours: Neighbours
    tightest: TightestLevel
    table: Mechanism
    cell: PrintedCell | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallestEpsilonEvidence:
    """The smallest ε of the mechanisms that print so.

    Attributes
    ----------
    printed, neighbours
        What was asked about.
    tightest : TightestLevel
        The level of ``table``: the largest of their tightest levels, or nearly so.
    bound : TightestLevel
        No table that prints so is private above it. It is ``tightest`` where that is exact.
    table : Mechanism
        Prints so.
    multipliers : dict or None
        What shows the bound (:class:`exactdp.search.printed.best_level.BestLevel`).
    """

    printed: PrintedTable
    neighbours: Neighbours
    tightest: TightestLevel
    bound: TightestLevel
    table: Mechanism
    multipliers: Multipliers | None

    @property
    def exact(self) -> bool:
        """Whether the smallest ε is known exactly."""
        return bool(self.tightest == self.bound)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPrivacyEvidence:
    """Both ends of ε; and with a level asked about, which constraints are tight or violated in which tables.

    Attributes
    ----------
    printed, neighbours, level
        What was asked about; ``level`` is None when the question was for the tightest level.
    largest, smallest
        The ends of ε.
    private : Mechanism or None
        A table that prints so and is private at the level asked about.
    multipliers : dict or None
        They show that none is.
    violated, violable : tuple of PrintedCell
        The constraints that every table breaks, and those that some do.
    tight, tightenable : tuple of PrintedCell
        The constraints that are tight in every table, and in some.
    """

    printed: PrintedTable
    neighbours: Neighbours
    level: PrivacyLevel | None
    largest: LargestEpsilonEvidence
    smallest: SmallestEpsilonEvidence
    private: Mechanism | None = None
    multipliers: Multipliers | None = None
    violated: tuple[PrintedCell, ...] = ()
    violable: tuple[PrintedCell, ...] = ()
    tight: tuple[PrintedCell, ...] = ()
    tightenable: tuple[PrintedCell, ...] = ()


def largest_said(e: LargestEpsilonEvidence) -> Verdict[LargestEpsilonEvidence]:
    """The verdict about the largest ε."""
    claim = f"The largest ε of the tables that print so {e.printed.how} on {e.neighbours} is {e.tightest.epsilon.told()}"
    return Verdict(Decision.PROVED, claim, e, scope_as_printed(e.printed))


def smallest_said(e: SmallestEpsilonEvidence) -> Verdict[SmallestEpsilonEvidence]:
    """The verdict about the smallest ε."""
    told = e.tightest.epsilon.told() if e.exact else f"between {_below(e)} and {_above(e)}"
    claim = f"The smallest ε of the tables that print so {e.printed.how} on {e.neighbours} is {told}"
    return Verdict(Decision.PROVED, claim, e, scope_as_printed(e.printed))


def privacy_as_printed(
    printed: PrintedTable,
    neighbours: NeighboursLike,
    level: LevelLike | None = None,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[PrintedPrivacyEvidence]:
    """Is the mechanism that was printed private at a level; or, without one, what is its tightest level?

    * ``neighbours``: on its inputs.
    * ``level``: 0 < α < 1, a number.
    * ``time_limit``: seconds. Then the smallest ε is told as far as it is known: between two bounds.

    Returns: proved if it is so for all mechanisms that print so, refuted if for none, else undecided. Without
    a level: proved if all of them have the same one, else undecided. The evidence has the two ends.

    * raises LabelError, DomainError: the inputs differ; the level stands for more than one number.

    >>> from exactdp.model import printed_table
    >>> table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    >>> [privacy_as_printed(table, "path:2", level).decision.value for level in ("2/5", "3/5", "4/5")]
    ['proved', 'undecided', 'refuted']
    """

    def answer(asked: Arguments) -> Verdict[PrintedPrivacyEvidence]:
        return _as_printed(asked.printed, asked.neighbours, None if level is None else as_level(level, asked.neighbours), asked.progress)

    return ask(answer, progress, time_limit, printed=printed, neighbours=neighbours)


def _as_printed(
    subject: PrintedTable, near: Neighbours, asked: PrivacyLevel | None, listener: Listener | None
) -> Verdict[PrintedPrivacyEvidence]:
    """Both ends of ε, and where a level lies between them."""
    _require_number(asked)
    largest, smallest = largest_end(subject, near), _smallest(subject, near, listener)
    ends = PrintedPrivacyEvidence(printed=subject, neighbours=near, level=None, largest=largest, smallest=smallest)
    return _tightest_said(ends) if asked is None else _at_level(ends, asked, listener)


def _require_number(level: PrivacyLevel | None) -> None:
    """Raise DomainError for a level with letters."""
    if level is not None and isinstance(level.field, RationalFunctionField | RegionField):
        message = f"the level {level} stands for more than one number; a printed table is judged at one level: give a number"
        raise DomainError(message, level=level)


def privacy_beside(
    ends: PrintedPrivacyEvidence, level: PrivacyLevel, *, progress: Listener | None = None, time_limit: float | None = None
) -> Verdict[PrintedPrivacyEvidence]:
    """What :func:`privacy_as_printed` answers at a level, by ends of ε that are known already."""
    _require_number(level)

    def answer(asked: Arguments) -> Verdict[PrintedPrivacyEvidence]:
        return _at_level(ends, level, asked.progress)

    return ask(answer, progress, time_limit, printed=ends.printed, neighbours=ends.neighbours)


def _at_level(ends: PrintedPrivacyEvidence, asked: PrivacyLevel, listener: Listener | None) -> Verdict[PrintedPrivacyEvidence]:
    """Where a level lies between both ends of ε."""
    subject, near = ends.printed, ends.neighbours
    private, multipliers = _decided(subject, near, asked, ends.largest, ends.smallest, listener)
    cells = _classified(subject, near, asked)
    found = PrintedPrivacyEvidence(
        printed=subject,
        neighbours=near,
        level=asked,
        largest=ends.largest,
        smallest=ends.smallest,
        private=private,
        multipliers=multipliers,
        violated=cells["violated"],
        violable=cells["violable"],
        tight=cells["tight"],
        tightenable=cells["tightenable"],
    )
    return _said(found, asked)


def scope_as_printed(printed: PrintedTable, *things: Any) -> Scope:
    """The scope of an answer about all mechanisms that print so.

    >>> from exactdp.model import printed_table
    >>> str(scope_as_printed(printed_table([["0.3", "0.7"]], digits=1)))
    'this instance: all tables that print so with 1 digit'
    """
    return replace(scope_of(*things), note=f": all tables that print so {printed.how}")


def epsilon_ends_text(largest: LargestEpsilonEvidence, smallest: SmallestEpsilonEvidence, level: PrivacyLevel | None = None) -> str:
    """Where ε lies, in words: ``ε lies between 0 and ln(3) ≈ 1.098612``.

    No decimal is the ε of the level asked about: beside it a number that is larger or smaller looks so.

    >>> from exactdp.model import neighbours, printed_table
    >>> table, near = printed_table([["0.0001", "0.9999"]] * 2, digits=4), neighbours("path:2")
    >>> found = privacy_as_printed(table, near).evidence
    >>> epsilon_ends_text(found.largest, found.smallest)
    'ε lies between 0 and ln(3) ≈ 1.098612'
    """
    beside = () if level is None else level.landmarks
    if smallest.exact and smallest.tightest == largest.tightest:
        return f"ε is {largest.tightest.epsilon.told(*beside)}"
    low = smallest.tightest.epsilon.told(*beside) if smallest.exact else _below(smallest, level)
    return f"ε lies between {low} and {largest.tightest.epsilon.told(*beside)}"


def _below(smallest: SmallestEpsilonEvidence, level: PrivacyLevel | None = None) -> str:
    """A decimal that the smallest ε is not below; above the ε of a level that no table has."""
    if smallest.bound.ratio == 1:
        return "0"
    places = PLACES
    while True:
        found = _decimal_text(smallest.bound.epsilon.enclosure(places + 2)[0], up=False, places=places)
        if level is None or not smallest.bound < level or places >= MOST_PLACES:
            return found
        if level.as_tightest().epsilon.enclosure(places + 2)[1] < Rational(found):
            return found
        places += PLACES


def _above(smallest: SmallestEpsilonEvidence) -> str:
    epsilon = smallest.tightest.epsilon
    return _decimal_text(epsilon.enclosure(PLACES + 2)[1], up=True) if smallest.tightest.ratio else str(epsilon)


def _decimal_text(x: Rational, *, up: bool, places: int = PLACES) -> str:
    """A decimal that x is not below, or not above."""
    scale = 10**places
    whole = x.numerator * scale // x.denominator
    whole += int(up and Rational(whole, scale) != x)
    return fixed_text(Rational(whole, scale), places)


def _tightest_said(e: PrintedPrivacyEvidence) -> Verdict[PrintedPrivacyEvidence]:
    """The tightest level in words."""
    ends = epsilon_ends_text(e.largest, e.smallest)
    if e.smallest.exact and e.smallest.tightest == e.largest.tightest:
        claim = f"The tightest level of every table that prints so {e.printed.how} on {e.neighbours} is {e.largest.tightest.text}"
        return Verdict(Decision.PROVED, claim, e, scope_as_printed(e.printed))
    known = e.smallest.tightest > e.largest.tightest
    what = "the digits do not tell the tightest level" if known else "whether all have one tightest level was not decided"
    claim = f"For the tables that print so {e.printed.how}, {ends} on {e.neighbours}: {what}"
    return Verdict(Decision.UNDECIDED, claim, e, scope_as_printed(e.printed))


def _said(e: PrintedPrivacyEvidence, level: PrivacyLevel) -> Verdict[PrintedPrivacyEvidence]:
    """The verdict about a level in words."""
    ends = epsilon_ends_text(e.largest, e.smallest, level)
    if e.largest.tightest >= level:
        claim = f"Every table that prints so {e.printed.how} is {private_on(level, e.neighbours)}: {ends}"
        return Verdict(Decision.PROVED, claim, e, scope_as_printed(e.printed, level))
    if e.multipliers is not None or (e.private is None and e.smallest.bound < level):
        claim = f"No table that prints so {e.printed.how} is {private_on(level, e.neighbours)}: {ends}"
        return Verdict(Decision.REFUTED, claim, e, scope_as_printed(e.printed, level))
    what = f"the digits do not tell whether the table is {private_on(level, e.neighbours)}"
    if e.private is None:
        what = f"whether some of them is {private_on(level, e.neighbours)} was not decided, some is not"
    claim = f"For the tables that print so {e.printed.how}, {ends}: {what}"
    return Verdict(Decision.UNDECIDED, claim, e, scope_as_printed(e.printed, level))


def largest_end(printed: PrintedTable, near: Neighbours) -> LargestEpsilonEvidence:
    """The least ratio^(1/d), with a table that has it: row i attains a minimum, row j a maximum."""
    least, largest = printed.entry_bounds()
    lowest: dict[Distance, PrintedCell] = {}
    tried: set[tuple[int, int, int]] = set()
    least_numbers, largest_numbers = _numbered(least), _numbered(largest)
    distances: dict[Distance, int] = {}
    for i, j, distance in near.pairs():
        place = distances.setdefault(distance, len(distances))  # a number is hashed faster
        for low, high in ((i, j), (j, i)):
            for r, (x, y) in enumerate(zip(least[low], largest[high], strict=True)):
                same = least_numbers[low][r], largest_numbers[high][r], place
                if same in tried:
                    continue
                tried.add(same)
                known = lowest.get(distance)
                if x < y and (known is None or x < known.least * y):
                    lowest[distance] = PrintedCell(low, high, r, x / y, _largest_ratio(least, largest, low, high, r), distance)
    found = TightestLevel(1)
    cell: PrintedCell | None = None
    for one in lowest.values():
        level = TightestLevel(one.least, one.distance if one.least else ONE)
        if level < found:
            found, cell = level, one
    rows = [tuple(row) for row in printed.member().rows()]
    if cell is not None:
        rows[cell.low] = printed.row_attaining_minimum(cell.low, {cell.output})
        rows[cell.high] = printed.row_attaining_maximum(cell.high, {cell.output})
    return LargestEpsilonEvidence(printed=printed, neighbours=near, tightest=found, table=printed.mechanism_of(rows), cell=cell)


def _largest_ratio(
    least: Sequence[Sequence[Rational]], largest: Sequence[Sequence[Rational]], low: int, high: int, output: int
) -> Rational | None:
    """The largest x_low,r / x_high,r; None where the second number may be 0."""
    return largest[low][output] / least[high][output] if least[high][output] else None


def _smallest(printed: PrintedTable, near: Neighbours, progress: Listener | None) -> SmallestEpsilonEvidence:
    """The largest level that a table has."""
    best = best_level(printed, near, progress=progress)
    return SmallestEpsilonEvidence(
        printed=printed, neighbours=near, tightest=best.lower, bound=best.upper, table=best.table, multipliers=best.multipliers
    )


def _decided(
    printed: PrintedTable,
    near: Neighbours,
    level: PrivacyLevel,
    largest: LargestEpsilonEvidence,
    smallest: SmallestEpsilonEvidence,
    progress: Listener | None,
) -> tuple[Mechanism | None, Multipliers | None]:
    """A table that is private at the level, or multipliers that show that none is; neither where unknown."""
    if largest.tightest >= level:
        return largest.table, None
    if smallest.tightest >= level:
        return smallest.table, None
    alpha = level.alpha if isinstance(level.alpha, Rational) else _rational_below(level, smallest.bound)
    tried = None
    if alpha is not None and is_small(printed):
        try:
            tried = feasible_table(printed, near, alpha, progress=progress)
        except ResourceLimitError as error:
            raise_unless_own_limit(error)
    if isinstance(tried, Mechanism):
        return (tried if isinstance(level.alpha, Rational) else None), None
    for found in (tried.privacy if isinstance(tried, Infeasible) else None, smallest.multipliers):
        if found is not None and below_zero(printed, near, found, level):
            return None, found
    return None, None


def _rational_below(level: PrivacyLevel, bound: TightestLevel) -> Rational | None:
    """A rational level between the bound and an irrational level above it; None if that is not above."""
    if not bound < level:
        return None
    digits = 12
    while digits < 400:
        alpha = level.as_tightest().enclosure(digits)[0]
        if 0 < alpha < 1 and TightestLevel(alpha) >= bound:
            return alpha
        digits *= 2
    return None


def below_zero(printed: PrintedTable, near: Neighbours, multipliers: Multipliers, level: PrivacyLevel) -> bool:
    """Whether Σ y·(x_ir − α^d x_jr) is negative for all tables that print so."""
    try:
        powers = {pair: power for i, j, d in near.pairs() for power in (level.power(d),) for pair in ((i, j), (j, i))}
    except DomainError:  # an irrational power: no number of this field
        return False
    return bool(printed.largest_sum(printed.summed(multipliers, powers)) < 0)


def _classified(printed: PrintedTable, near: Neighbours, level: PrivacyLevel) -> dict[str, tuple[PrintedCell, ...]]:
    """Which constraints are violated, and which are tight, in every table that prints so and in some.

    Equal numbers of the table have equal intervals, so that one comparison answers for many constraints.
    """
    least, largest = printed.entry_bounds()
    found: dict[str, list[PrintedCell]] = {"violated": [], "violable": [], "tight": [], "tightenable": []}
    known: dict[tuple[Any, ...], tuple[str, ...]] = {}
    numbers = _numbered(least), _numbered(largest)
    distances: dict[Distance, int] = {}
    for i, j, distance in near.pairs():
        place = distances.setdefault(distance, len(distances))
        for low, high in ((i, j), (j, i)):
            for r in range(printed.n_outputs):
                if largest[high][r] == 0:
                    continue  # 0 ≥ 0
                same = (*(number[row][r] for row in (low, high) for number in numbers), place)
                if same not in known:
                    first, second = ((least[row][r], largest[row][r]) for row in (low, high))
                    known[same] = _kinds(level, first, second, distance)
                if known[same]:
                    ratio = least[low][r] / largest[high][r]
                    cell = PrintedCell(low, high, r, ratio, _largest_ratio(least, largest, low, high, r), distance)
                    for kind in known[same]:
                        found[kind].append(cell)
    return {name: tuple(cells) for name, cells in found.items()}


def _numbered(rows: Sequence[Sequence[Rational]]) -> list[list[int]]:
    """A whole number for each number, the same for equal ones: it is found faster than a fraction."""
    seen: dict[Rational, int] = {}
    return [[seen.setdefault(x, len(seen)) for x in row] for row in rows]


def _kinds(level: PrivacyLevel, low: tuple[Rational, Rational], high: tuple[Rational, Rational], distance: Distance) -> tuple[str, ...]:
    """In which lists a constraint is, given the ends of both of its numbers; the second is not always 0."""
    (x_least, x_most), (y_least, y_most) = low, high
    holds_everywhere = level.at_least(x_least, y_most, distance)
    holds_somewhere = level.at_least(x_most, y_least, distance)
    kinds = []
    if not holds_everywhere:
        kinds.append("violable" if holds_somewhere else "violated")
    if x_most > 0 and holds_somewhere and (not holds_everywhere or _is_tight(level, x_least, y_most, distance)):
        fixed = x_least == x_most and y_least == y_most
        kinds.append("tight" if fixed else "tightenable")
    return tuple(kinds)


def _is_tight(level: PrivacyLevel, x: Rational, y: Rational, distance: Distance) -> bool:
    """Whether x = α^d·y > 0."""
    return bool(0 < x <= y and TightestLevel(x / y, distance) == level)
