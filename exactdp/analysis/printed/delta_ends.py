# SPDX-License-Identifier: MIT
r"""(ε, δ)-privacy of what was printed: the largest and the least δ of the mechanisms that print so.

The least δ of a mechanism x at a level α = e^(−ε) is the largest P(E | i) − e^(εd(i,j)) P(E | j). Where only
digits of x are known it lies between two ends:

* the largest δ of a mechanism that prints so. A claim (ε, δ) is true of all of them if it is not above δ;
* the least δ of a mechanism that prints so. A claim is true of none if it is above δ.

Between them the digits do not decide the claim. The ends are found by
:mod:`exactdp.search.printed.largest_delta` and :mod:`exactdp.search.printed.linear_programs`, and computed
here from the printed table alone, with a mechanism that prints so at each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from exactdp.analysis.arguments import Arguments, as_level, ask
from exactdp.analysis.epsilon import bounds_of
from exactdp.analysis.printed.epsilon_ends import scope_as_printed
from exactdp.analysis.privacy_claim import Event, as_delta
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.analysis.wording import decimal_above
from exactdp.errors import DefectiveAnswerError, DomainError, ResourceLimitError
from exactdp.exact import QQ, ExactMatrix, Rational, RationalFunctionField, RegionField
from exactdp.exact.decimals import fixed_text
from exactdp.model import LevelLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, raise_unless_own_limit
from exactdp.runtime.values import dataclass
from exactdp.search.printed.largest_delta import PairBound, TwoRows, at_corners, bound_of, factors, searched
from exactdp.search.printed.linear_programs import least

NODES = 4000
"""So many sets of events are looked at, of all pairs together, before the search for the worst one stops."""

FIGURES = 7
"""Decimals of a δ in a sentence that is no short fraction."""

MOST_FIGURES = 60
"""No decimal has more, however near to a δ asked about it is."""

SHORT = 24
"""A fraction of so many characters is written out."""

LARGEST, SMALLEST = "the largest δ", "the smallest δ"
"""What a time limit can keep from being known."""

MOST_ENTRIES = 1500
"""Printed tables with more entries have no linear program: the least δ has a bound in closed form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LargestDeltaEvidence:
    """The largest δ of the mechanisms that print so.

    Attributes
    ----------
    printed, neighbours
        What was asked about.
    level : PrivacyLevel or None
        The level; None for ε = 0, where δ is the total variation.
    delta : scalar
        The δ that ``table`` needs.
    bound : scalar
        No mechanism that prints so needs more. It is ``delta``, unless the search stopped before.
    table : Mechanism
        Prints so.
    event : Event or None
        With P(E | high) − e^(εd) P(E | low) = δ in ``table``; None if δ is 0.
    pairs : tuple of PairBound
        For each ordered pair of neighbours a bound for all events.
    """

    printed: PrintedTable
    neighbours: Neighbours
    level: PrivacyLevel | None
    delta: Any
    bound: Any
    table: Mechanism
    event: Event | None
    pairs: tuple[PairBound, ...]

    @property
    def exact(self) -> bool:
        """Whether the largest δ is known exactly."""
        return bool(self.delta == self.bound)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallestDeltaEvidence:
    """The least δ of the mechanisms that print so.

    Attributes
    ----------
    printed, neighbours, level
        As in :class:`LargestDeltaEvidence`.
    delta : scalar
        The δ that ``table`` needs.
    bound : scalar
        No mechanism that prints so has a smaller δ. It is ``delta``, unless the table is too large for a
        linear program.
    table : Mechanism
        Prints so.
    multipliers : tuple of dict
        For each ordered pair of neighbours the multipliers z_cr ≥ 0 of x_ir − e^(εd) x_jr by output r, with
        Σ_c max_r z_cr ≤ 1. The sum is at least ``bound``.
    """

    printed: PrintedTable
    neighbours: Neighbours
    level: PrivacyLevel | None
    delta: Any
    bound: Any
    table: Mechanism
    multipliers: tuple[dict[int, Any], ...]

    @property
    def exact(self) -> bool:
        """Whether the least δ is known exactly."""
        return bool(self.delta == self.bound)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedDeltaEvidence:
    """Both ends of δ, and the δ asked about, or None.

    ``unfinished`` names the ends of which a time limit left bounds only (:data:`LARGEST`, :data:`SMALLEST`).
    """

    printed: PrintedTable
    neighbours: Neighbours
    level: PrivacyLevel | None
    asked: Any
    largest: LargestDeltaEvidence
    smallest: SmallestDeltaEvidence
    unfinished: tuple[str, ...] = ()


T = TypeVar("T")
End = TypeVar("End", LargestDeltaEvidence, SmallestDeltaEvidence)


def end_said(e: End) -> Verdict[End]:
    """The verdict about one end of δ.

    >>> from exactdp.model.printed import printed_table
    >>> table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    >>> print(end_said(delta_as_printed(table, "path:2", "1/2").evidence.largest).claim)
    The largest value of the least δ with α = 1/2, of the tables that print so with 1 digit on path:2, is 1/20
    """
    which = "largest" if isinstance(e, LargestDeltaEvidence) else "least"
    told = f"is {e.delta}"
    if not e.exact:
        told = f"is between {min(e.delta, e.bound)} and {max(e.delta, e.bound)}"
    of = f"of the tables that print so {e.printed.how} on {e.neighbours}"
    claim = f"The {which} value of the least δ with {_epsilon_text(e.level)}, {of}, {told}"
    return Verdict(Decision.PROVED, claim, e, scope_as_printed(e.printed, *_known(e.level)))


def delta_as_printed(
    printed: PrintedTable,
    neighbours: NeighboursLike,
    level: LevelLike | None,
    delta: object = None,
    *,
    nodes: int = NODES,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[PrintedDeltaEvidence]:
    """Is the mechanism that was printed (ε, δ)-private; or, without δ, what is its least δ?

    * ``neighbours``: at the distance d two inputs are compared with e^(εd).
    * ``level``: α = e^(−ε), a number; None for ε = 0.
    * ``delta``: 0 ≤ δ ≤ 1.
    * ``nodes``: after so many sets of events the search for the largest δ stops, with a bound.
    * ``time_limit``: seconds. Then each end that is not found is told by two bounds in closed form.

    Returns: proved if it is so for all mechanisms that print so, refuted if for none, else undecided. Without
    δ: proved if all of them have the same least δ, else undecided. The evidence has the two ends.

    * raises LabelError, DomainError: the inputs differ; the level stands for more than one number, or a power
      of it is not in its field.

    >>> from exactdp.model.printed import printed_table
    >>> table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    >>> [delta_as_printed(table, "path:2", None, delta).decision.value for delta in ("1/3", "1/5", "1/20")]
    ['proved', 'undecided', 'refuted']
    """

    def answer(asked: Arguments) -> Verdict[PrintedDeltaEvidence]:
        read = _asked(printed, neighbours, level)
        return _as_printed(read, delta, nodes, asked.progress)

    return ask(answer, progress, time_limit)


def _as_printed(
    read: tuple[PrintedTable, Neighbours, PrivacyLevel | None], delta: object, nodes: int, listener: Listener | None
) -> Verdict[PrintedDeltaEvidence]:
    """Both ends of δ, and where a given one lies between them."""
    subject, near, exact = read
    asked = None if delta is None else as_delta(delta)
    search = _Ends(subject, near, exact)
    largest = search.in_time(LARGEST, lambda: _largest(subject, near, exact, QQ.zero, nodes, listener), search.largest_in_closed_form)
    if asked is not None and largest.delta <= asked < largest.bound:
        first = largest
        largest = search.in_time(LARGEST, lambda: _largest(subject, near, exact, asked, nodes, listener), lambda: first)
    smallest = search.in_time(SMALLEST, lambda: _smallest(subject, near, exact, listener), search.smallest_in_closed_form)
    evidence = PrintedDeltaEvidence(
        printed=subject, neighbours=near, level=exact, asked=asked, largest=largest, smallest=smallest, unfinished=tuple(search.unfinished)
    )
    ends = _ends_text(largest, smallest, asked)
    same, scope = bool(largest.bound == smallest.bound), scope_as_printed(subject, *_known(exact))
    if asked is None:
        decision = Decision.PROVED if same else Decision.UNDECIDED
        claim = f"For every table that prints so {subject.how} on {near}, the least δ with {_epsilon_text(exact)} is {ends}"
        if not same:
            claim = f"For the tables that print so {subject.how} on {near}, the least δ with {_epsilon_text(exact)} lies {ends}"
        return Verdict(decision, claim, evidence, scope)
    private = f"({_epsilon_text(exact)}, δ = {asked})-private"
    told = f"the least δ {'is' if same else 'lies'} {ends}"
    if largest.bound <= asked:
        claim = f"Every table that prints so {subject.how} on {near} is {private}: {told}"
        return Verdict(Decision.PROVED, claim, evidence, scope)
    if smallest.bound > asked:
        claim = f"No table that prints so {subject.how} on {near} is {private}: {told}"
        return Verdict(Decision.REFUTED, claim, evidence, scope)
    what = f"the digits do not tell whether the table is {private}"
    if not smallest.delta <= asked < largest.delta:
        what = f"whether all of them are {private}, or none, was not decided"
    claim = f"For the tables that print so {subject.how} on {near}, {told}: {what}"
    return Verdict(Decision.UNDECIDED, claim, evidence, scope)


def _known(level: PrivacyLevel | None) -> list[PrivacyLevel]:
    return [] if level is None else [level]


def _ends_text(largest: LargestDeltaEvidence, smallest: SmallestDeltaEvidence, asked: Any) -> str:
    """The interval of δ in words."""
    if smallest.bound == largest.bound:
        return str(largest.bound)
    return f"between {bound_below(smallest.bound, asked)} and {bound_above(largest.bound, asked)}"


def bound_above(x: Any, asked: Any = None) -> str:
    """A δ as it is, if it is a short fraction; else a decimal that it does not exceed.

    Nor does the decimal exceed the δ asked about, if that is not below x.

    >>> bound_above(QQ("1/3")), bound_above(QQ(1) / 3**60)
    ('1/3', '2.358983e-29')
    >>> bound_above(QQ(1) / 3**60, QQ("2.3589826e-29"))
    '2.3589824875926e-29'
    """
    if _is_short(x) or x == asked:
        return str(x)
    figures = FIGURES
    while figures < MOST_FIGURES and asked is not None and x <= asked < QQ(decimal_above(x, figures)):
        figures += FIGURES
    return decimal_above(x, figures)


def bound_below(x: Any, asked: Any = None) -> str:
    """A δ as it is, if it is a short fraction; else a decimal that it is not below.

    The decimal is above the δ asked about, if x is.

    >>> bound_below(QQ("1/3")), bound_below(QQ("2/3") + QQ(1) / 3**40)
    ('1/3', '0.6666666')
    >>> bound_below(QQ("2/3") + QQ(1) / 3**40, QQ("0.66666666"))
    '0.66666666666666'
    """
    if _is_short(x):
        return str(x)
    places = FIGURES
    while True:
        scale, low = 10**places, bounds_of(x, places + 2)[0]
        found = max(QQ(low.numerator * scale // low.denominator) / scale, QQ.zero)
        if places >= MOST_FIGURES or asked is None or not found <= asked < x:
            return fixed_text(found, places)
        places += FIGURES


def _is_short(x: Any) -> bool:
    return isinstance(x, Rational) and len(str(x)) <= SHORT


def _epsilon_text(level: PrivacyLevel | None) -> str:
    """ε as it was given, or the α that it belongs to."""
    if level is None:
        return "ε = 0"
    return level.said


def _asked(
    printed: PrintedTable, neighbours: NeighboursLike, level: LevelLike | None
) -> tuple[PrintedTable, Neighbours, PrivacyLevel | None]:
    """What is meant, with the table's inputs in the order of the neighbours."""
    read = Arguments(printed=printed, neighbours=neighbours)
    exact = None if level is None else as_level(level, read.neighbours)
    if exact is not None and isinstance(exact.field, RationalFunctionField | RegionField):
        message = (
            f"the level {exact} stands for more than one number; the ends of δ of a printed table are found at one level: give a number"
        )
        raise DomainError(message, level=exact)
    return read.printed, read.neighbours, exact


def _pairs(near: Neighbours, level: PrivacyLevel | None) -> list[tuple[int, int, Any]]:
    """The ordered pairs with e^(εd)."""
    pairs = list(near.pairs())
    powers = [QQ.one if level is None else level.power(d) for _, _, d in pairs]
    return list(factors(pairs, powers))


class _Ends:
    """The search for both ends, until the time is up; what is left then has bounds in closed form."""

    def __init__(self, printed: PrintedTable, near: Neighbours, level: PrivacyLevel | None) -> None:
        self.printed, self.near, self.level = printed, near, level
        self.unfinished: list[str] = []

    def in_time(self, what: str, search: Callable[[], T], bounds: Callable[[], T]) -> T:
        """What is searched for; its bounds when the time is up, and for all that comes later."""
        if not self.unfinished:
            try:
                return search()
            except ResourceLimitError as error:
                if "seconds" not in error.facts:
                    raise
                raise_unless_own_limit(error)
        self.unfinished.append(what)
        return bounds()

    def largest_in_closed_form(self) -> LargestDeltaEvidence:
        """The largest δ between two bounds."""
        pairs = _pairs(self.near, self.level)
        found = tuple(at_corners(TwoRows(self.printed, i, j, factor)) for i, j, factor in pairs)
        return _attained(self.printed, self.near, self.level, pairs, found)

    def smallest_in_closed_form(self) -> SmallestDeltaEvidence:
        """The least δ between two bounds."""
        pairs = _pairs(self.near, self.level)
        member, multipliers = self.printed.member(), _one_event(self.printed, pairs)
        return _with_bound(self.printed, self.near, self.level, pairs, member, multipliers)


def _largest(
    printed: PrintedTable, near: Neighbours, level: PrivacyLevel | None, enough: Any, nodes: int, progress: Listener | None
) -> LargestDeltaEvidence:
    """The end, by a search."""
    pairs = _pairs(near, level)
    return _attained(printed, near, level, pairs, tuple(searched(printed, pairs, enough, nodes, progress)))


def _attained(
    printed: PrintedTable,
    near: Neighbours,
    level: PrivacyLevel | None,
    pairs: list[tuple[int, int, Any]],
    found: tuple[PairBound, ...],
) -> LargestDeltaEvidence:
    """The end that the bounds and events of all pairs tell, each computed again."""
    bound: Any = QQ.zero
    worst: PairBound | None = None
    for (i, j, factor), pair in zip(pairs, found, strict=True):
        if (pair.high, pair.low) != (i, j):
            raise _defect("a bound is of another pair")
        bound = max(bound, bound_of(TwoRows(printed, i, j, factor), pair.steps))
        if pair.value > (QQ.zero if worst is None else worst.value):
            worst = pair
    rows = [tuple(row) for row in printed.member().rows()]
    delta: Any = QQ.zero
    event = None
    if worst is not None:
        rows[worst.high] = printed.row_attaining_maximum(worst.high, worst.event)
        rows[worst.low] = printed.row_attaining_minimum(worst.low, worst.event)
        likely, unlikely = (sum((rows[i][r] for r in worst.event), QQ.zero) for i in (worst.high, worst.low))
        delta = likely - worst.factor * unlikely
        event = Event(worst.high, worst.low, worst.event, likely, unlikely)
    table = printed.mechanism_of(rows)
    if not printed.contains(table) or not 0 <= delta <= bound:
        raise _defect("its worst table does not print so, or needs more than its bound")
    return LargestDeltaEvidence(
        printed=printed, neighbours=near, level=level, delta=delta, bound=bound, table=table, event=event, pairs=found
    )


def _smallest(printed: PrintedTable, near: Neighbours, level: PrivacyLevel | None, progress: Listener | None) -> SmallestDeltaEvidence:
    """The end, by a linear program, or in closed form."""
    pairs = _pairs(near, level)
    if printed.n_inputs * printed.n_outputs <= MOST_ENTRIES:
        found = least(printed, pairs, progress=progress)
        table, multipliers = Mechanism(ExactMatrix(found.rows), printed.inputs, printed.outputs), found.multipliers
    else:
        table, multipliers = printed.member(), _one_event(printed, pairs)
    return _with_bound(printed, near, level, pairs, table, multipliers)


def _with_bound(
    printed: PrintedTable,
    near: Neighbours,
    level: PrivacyLevel | None,
    pairs: list[tuple[int, int, Any]],
    table: Mechanism,
    multipliers: tuple[dict[int, Any], ...],
) -> SmallestDeltaEvidence:
    """The end, with the δ of the table and the bound of the multipliers computed again."""
    delta = _delta_of(table, pairs)
    bound = max(multiplied(printed, pairs, multipliers), QQ.zero)
    if not printed.contains(table) or bound > delta:
        raise _defect("its best table does not print so, or its bound is above what that table has")
    return SmallestDeltaEvidence(
        printed=printed, neighbours=near, level=level, delta=delta, bound=bound, table=table, multipliers=multipliers
    )


def _delta_of(table: Mechanism, pairs: list[tuple[int, int, Any]]) -> Any:
    """The largest Σ_r max(0, x_ir − e^(εd) x_jr)."""
    most: Any = QQ.zero
    for i, j, factor in pairs:
        gains = (x - factor * y for x, y in zip(table.matrix.row(i), table.matrix.row(j), strict=True))
        most = max(most, sum((g for g in gains if g > 0), QQ.zero))
    return most


def _one_event(printed: PrintedTable, pairs: list[tuple[int, int, Any]]) -> tuple[dict[int, Any], ...]:
    """Multipliers 1 of one event of one pair, whose least P(E | i) − e^(εd)·largest P(E | j) is largest."""
    best: Any = QQ.zero
    chosen: tuple[int, list[int]] | None = None
    for c, (i, j, factor) in enumerate(pairs):
        ends = zip(printed.lower.row(i), printed.upper.row(j), strict=True)
        event = [r for r, (x, y) in enumerate(ends) if x > factor * y]
        value = printed.row_minimum(i, event) - factor * printed.row_maximum(j, event)
        if value > best:
            best, chosen = value, (c, event)
    return tuple(dict.fromkeys(chosen[1], QQ.one) if chosen is not None and chosen[0] == c else {} for c in range(len(pairs)))


def multiplied(printed: PrintedTable, pairs: list[tuple[int, int, Any]], multipliers: tuple[dict[int, Any], ...]) -> Any:
    """The least Σ z_cr (x_ir − e^(εd) x_jr) of the tables that print so: no δ of theirs is smaller.

    DefectiveAnswerError unless z ≥ 0 and Σ_c max_r z_cr ≤ 1.
    """
    for row in multipliers:
        if any(z < 0 for z in row.values()):
            raise _defect("a multiplier is negative")
    if sum((max(row.values(), default=QQ.zero) for row in multipliers), QQ.zero) > 1:
        raise _defect("its multipliers are too large")
    by_entry = {(i, j, r): -z for (i, j, _), row in zip(pairs, multipliers, strict=True) for r, z in row.items()}
    return -printed.largest_sum(printed.summed(by_entry, {(i, j): factor for i, j, factor in pairs}))


def _defect(what: str) -> DefectiveAnswerError:
    message = f"an end of δ that the search found fails its check: {what}; this is a defect of exactdp, please report it"
    return DefectiveAnswerError(message)
