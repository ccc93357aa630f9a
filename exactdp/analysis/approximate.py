# SPDX-License-Identifier: MIT
"""(ε, δ)-privacy, exactly: the least δ of a level (a hockey-stick divergence), and the level of a given δ.

For neighbours i, j the least δ at the level α = e^(−ε) is Σ_r max(0, x_ir − x_jr/α), attained by the event E
= {r : α x_ir > x_jr}: P(E|i) = P(E|j)/α + δ. Conversely, for a given δ every event E with P(E|i) > δ allows
at most the level P(E|j)/(P(E|i) − δ). The least of these numbers over ordered pairs and events is the largest
level at which the mechanism is (α, δ)-private; the events {r : x_ir/x_jr is among the k largest} suffice.
With δ = 0 that is its tightest level.

The level may be 1: with ε = 0 the least δ is the largest distance in total variation of two neighbours' rows.
A level and a table without a common field are compared as numbers: the table is (ε, δ)-private exactly if
e^(−ε) is at most the level that δ buys, so that only its own numbers are computed with.

Everything here holds for any table with entries ≥ 0, so a deployed table of doubles can be judged as it is,
before anyone repairs its row sums.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import ceil, floor
from typing import Any

from exactdp.analysis.arguments import Arguments, MechanismLike, as_level, as_neighbours, as_table, ask, recorded
from exactdp.analysis.epsilon import together
from exactdp.analysis.events import (
    Judged,
    bounded_event,
    divergences_of,
    enclosed_levels,
    event_text,
    least_level,
    level_of_pair,
    pairs_of,
    worst_event,
)
from exactdp.analysis.privacy_claim import Event, as_delta
from exactdp.analysis.row_pairs import PairLevel
from exactdp.analysis.verdict import Decision, Scope, Verdict, decided, scope_of
from exactdp.analysis.wording import begun, level_text
from exactdp.errors import ResourceLimitError
from exactdp.exact import Rational
from exactdp.exact.decimals import plain_text
from exactdp.exact.repeated import numbered_objects
from exactdp.model import LevelLike, Mechanism, Neighbours, NeighboursLike, PrivacyLevel, TightestLevel
from exactdp.model.level import level_or_one
from exactdp.model.level_argument import takes_epsilon
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, certain, counted_off, raise_unless_own_limit
from exactdp.runtime.values import dataclass

LEAST_DELTA, LARGEST_LEVEL = "the least δ", "the largest level"
"""What a time limit can keep from being known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaEvidence:
    """The least δ at a level.

    Attributes
    ----------
    subject, neighbours, level
        What was asked about.
    delta
        The least δ: the largest hockey-stick divergence over adjacent ordered pairs.
    event : Event or None
        Attains it; None when δ = 0.
    asked
        The δ asked about, or None.
    bought : LevelForDeltaEvidence or None
        Where the level and the subject's numbers have no common field of a size that is decided here: the
        largest level for the δ asked about (or for 0), with which the level was compared. Then ``delta`` is
        0, or None if it has no such field, and ``event`` breaks the δ asked about.
    bounds : (lower, upper) or None
        Where the least δ itself was asked for and is in no such field: decimals around it.
    unfinished : tuple of str
        :data:`LEAST_DELTA` if a time limit kept it from being known. Then ``delta`` is None, and ``at_least``
        is a bound.
    at_least : exact number or None
        After a time limit: a number > 0 that the least δ is not below, as ``event`` shows. It is the excess
        of this event, or a decimal below it where level and subject have no common field
        (``apart``).
    """

    subject: Judged
    neighbours: Neighbours
    level: PrivacyLevel | TightestLevel
    delta: Any
    event: Event | None
    asked: Any = None
    bought: LevelForDeltaEvidence | None = None
    bounds: tuple[Rational, Rational] | None = None
    unfinished: tuple[str, ...] = ()
    at_least: Any = None
    apart: bool = False

    @property
    def landmarks(self) -> tuple[Any, ...]:
        """Numbers that the decimals of another level's ε are told apart from: the ε asked about."""
        return self.level.landmarks if isinstance(self.level, PrivacyLevel) else ()

    @property
    def holds(self) -> bool | None:
        """Whether the subject is private with the δ asked about; None if that was not known in time."""
        if self.unfinished:
            return False if self.at_least > self.asked else None
        if self.bought is not None:
            return TightestLevel(self.bought.ratio).compare(self.level) >= 0
        return bool(self.delta <= self.asked)

    def in_sympy(self) -> Any:
        """The least δ, if that was the question."""
        return self.delta.to_sympy() if self.asked is None and self.delta is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelForDeltaEvidence:
    """The largest level at which the subject is (α, δ)-private.

    Attributes
    ----------
    subject, neighbours, delta
        What was asked about.
    ratio
        That level: 1 if every level will do, 0 if none does.
    event : Event or None
        With P(E|low) = ratio · (P(E|high) − δ); None when the ratio is 1.
    unfinished : tuple of str
        :data:`LARGEST_LEVEL` if a time limit kept it from being known: it is at most ``ratio``.
    """

    subject: Judged
    neighbours: Neighbours
    delta: Any
    ratio: Any
    event: Event | None
    unfinished: tuple[str, ...] = ()


@takes_epsilon
def least_delta(
    mechanism: MechanismLike | PrintedTable,
    neighbours: NeighboursLike,
    level: LevelLike,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[DeltaEvidence | Any]:
    """What is the least δ for which the mechanism is (ε, δ)-private, α = e^(−ε)?

    Parameters
    ----------
    mechanism : Mechanism, Table, text or rows
        (n, m), entries ≥ 0; a table's rows need not sum to 1, and then δ speaks of its entries as they are.
        Of a PrintedTable all mechanisms are meant that print so.
    neighbours : Graph, Metric or text
        All distances 1.
    level : level
        0 < α ≤ 1; table and level are put over one field. ``"epsilon=0"`` is α = 1.
    progress : callable, optional
        Told how far it is.
    time_limit : float, optional
        Stop about so many seconds after the call, with what is certain then.

    Returns
    -------
    Verdict[DeltaEvidence]
        Proved; ``evidence.delta`` is max over adjacent ordered pairs of Σ_r max(0, x_ir − x_jr/α). Undecided,
        with ``evidence.bounds``, where that is in no field of a size that is decided here: ε = 0.49999 beside
        a table made for ε = 1/2. Whether a given δ is enough is decided all the same. Undecided when the time
        was up: the least δ is not below ``evidence.at_least``, as an event of a pair shows. Of a
        printed table it is undecided unless all that print so have one δ; ``evidence.largest`` and
        ``evidence.smallest`` are its ends
        (:class:`~exactdp.analysis.printed.delta_ends.PrintedDeltaEvidence`).

    Raises
    ------
    LabelError, DomainError, NegativeEntryError
        The inputs differ, a distance is not 1, or an entry is negative.

    Examples
    --------
    >>> from exactdp import identity, neighbours
    >>> least_delta(identity(range(2)), neighbours("path:2"), PrivacyLevel("1/2")).evidence.delta
    Rational('1')
    """

    def answer(asked: Arguments) -> Verdict[DeltaEvidence | Any]:
        exact = level_or_one(level)
        if isinstance(mechanism, PrintedTable):
            return _of_printed(mechanism, neighbours, exact, None, asked)
        subject, near = _judged(mechanism, neighbours, exact)
        return _least_said(_least_delta(subject, near, exact, None, asked.progress, keeps=time_limit is not None))

    return ask(answer, progress, time_limit)


def _of_printed(
    printed: PrintedTable, neighbours: NeighboursLike, level: PrivacyLevel | TightestLevel, delta: Any, asked: Arguments
) -> Verdict[Any]:
    """The answer about all mechanisms that print so."""
    from exactdp.analysis.printed.delta_ends import delta_as_printed  # loaded for printed tables only

    given = level if isinstance(level, PrivacyLevel) else None  # ε = 0
    return delta_as_printed(printed, neighbours, given, delta, progress=asked.progress, time_limit=asked.time_limit)


def _least_said(found: DeltaEvidence) -> Verdict[DeltaEvidence]:
    """The verdict about the least δ; without the δ asked about."""
    name = _name(found.subject, found.neighbours)
    claim = f"The least δ for which {name} is (ε, δ)-private with {_epsilon_text(found.level)}"
    if found.unfinished:
        claim = f"{claim} was not found in time; it is at least {at_least_text(found)}"
        return Verdict(Decision.UNDECIDED, claim, found, _scope(found))
    claim = f"{claim} is"
    if found.bounds is not None:
        lower, upper = map(plain_text, found.bounds)
        claim = f"{claim} from {lower} to {upper}, and in no field of a size that is decided here; whether a given δ is enough is decided"
        return Verdict(Decision.UNDECIDED, claim, found, _scope(found))
    claim = f"{claim} {found.delta}"
    return Verdict(Decision.PROVED, claim, found, _scope(found))


def sampled_deltas(mechanism: MechanismLike, neighbours: NeighboursLike, levels: Iterable[LevelLike]) -> list[tuple[Any, Any]]:
    """The pairs (α, least δ) at some levels, exactly: what a picture of δ(ε) is drawn from.

    * ``mechanism``, ``neighbours``: as in :func:`least_delta`.
    * ``levels``: each 0 < α < 1.

    >>> from exactdp import geometric, neighbours
    >>> sampled_deltas(geometric(1, "1/3"), neighbours("path:2"), ["1/3", "1/2"])
    [(Rational('1/3'), Rational('0')), (Rational('1/2'), Rational('1/4'))]
    """
    alphas = [as_level(level) for level in levels]
    subject, near = _judged(mechanism, neighbours)
    return [(level.alpha, _least_delta(subject, near, level).delta) for level in alphas]


@takes_epsilon
def is_approximately_private(
    mechanism: MechanismLike | PrintedTable,
    neighbours: NeighboursLike,
    level: LevelLike,
    delta: object,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[DeltaEvidence | Any]:
    """Is P(E|i) ≤ P(E|j)/α + δ for all events E and neighbours i, j?

    Parameters
    ----------
    mechanism, neighbours, level, progress, time_limit
        As in :func:`least_delta`.
    delta : exact number
        0 ≤ δ ≤ 1.

    Returns
    -------
    Verdict[DeltaEvidence]
        Proved; or refuted with the event that breaks it. When the time was up: refuted, if an event that was
        found breaks it, and undecided otherwise; ``evidence.at_least`` is a bound. Of a printed table proved
        for all that print so, refuted for all, or undecided.

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> is_approximately_private(geometric(1, "1/3"), neighbours("path:2"), PrivacyLevel("1/2"), "1/4").proved
    True
    >>> is_approximately_private([["1/2", "1/2"], ["51/100", "49/100"]], "path", "epsilon=0", "1/100").proved
    True
    """

    def answer(asked: Arguments) -> Verdict[DeltaEvidence | Any]:
        exact, enough = level_or_one(level), as_delta(delta)
        if isinstance(mechanism, PrintedTable):
            return _of_printed(mechanism, neighbours, exact, enough, asked)
        subject, near = _judged(mechanism, neighbours, exact)
        return _asked_said(_least_delta(subject, near, exact, enough, asked.progress, keeps=time_limit is not None))

    return ask(answer, progress, time_limit)


def _asked_said(found: DeltaEvidence) -> Verdict[DeltaEvidence]:
    """The verdict about the δ asked about."""
    asked, neighbours, holds = found.asked, found.neighbours, found.holds
    if holds is None:
        claim = f"Whether {_name(found.subject, neighbours)} is (ε, {asked})-private with {_epsilon_text(found.level)} was not decided"
        return Verdict(Decision.UNDECIDED, f"{claim} in time; the least δ is at least {at_least_text(found)}", found, _scope(found))
    why = "" if holds else f": {event_text(found.subject, found.event)}"
    private = f"is{'' if holds else ' not'} (ε, {asked})-private with {_epsilon_text(found.level)}"
    if found.unfinished:
        least = f"the least δ is at least {at_least_text(found)}"
    elif found.delta is not None:
        least = f"the least δ is {found.delta}"
    else:
        assert found.bought is not None
        least = f"the largest level for this δ is {level_text(found.bought.ratio, None, *found.landmarks)}"
    return Verdict(decided(holds), f"{begun(_name(found.subject, neighbours))} {private}{why}; {least}", found, _scope(found))


def level_for_delta(
    mechanism: MechanismLike,
    neighbours: NeighboursLike,
    delta: object,
    *,
    progress: Listener | None = None,
    time_limit: float | None = None,
) -> Verdict[LevelForDeltaEvidence]:
    """What is the largest level α (smallest ε) at which the mechanism is (α, δ)-private?

    Parameters
    ----------
    mechanism, neighbours, progress, time_limit
        As in :func:`least_delta`.
    delta : exact number
        0 ≤ δ ≤ 1; with δ = 0 the answer is the tightest level.

    Returns
    -------
    Verdict[LevelForDeltaEvidence]
        Proved; ``evidence.ratio`` is the level. Undecided when the time was up: the level is at most this.

    Examples
    --------
    >>> from exactdp import geometric, neighbours
    >>> level_for_delta(geometric(1, "1/3"), neighbours("path:2"), 0).evidence.ratio
    Rational('1/3')
    >>> level_for_delta(geometric(1, "1/3"), neighbours("path:2"), "1/4").evidence.ratio
    Rational('1/2')
    """

    def answer(asked: Arguments) -> Verdict[LevelForDeltaEvidence]:
        enough = as_delta(delta)
        subject, near = _judged(mechanism, neighbours)
        return _level_said(_largest_level(subject, near, enough, asked.progress, keeps=time_limit is not None))

    return ask(answer, progress, time_limit)


def _level_said(found: LevelForDeltaEvidence) -> Verdict[LevelForDeltaEvidence]:
    """The verdict about the largest level for a δ."""
    claim = f"The largest level at which {_name(found.subject, found.neighbours)} is (ε, {found.delta})-private"
    if found.unfinished:
        claim = f"{claim} was not found in time; it is at most {level_text(found.ratio, found.subject.by_epsilon)}"
        return Verdict(Decision.UNDECIDED, claim, found, scope_of(found.subject))
    return Verdict(Decision.PROVED, f"{claim} is {level_text(found.ratio, found.subject.by_epsilon)}", found, scope_of(found.subject))


def breaking_events(subject: Judged, neighbours: Neighbours, level: LevelLike, delta: object) -> tuple[Event, ...]:
    """For each ordered pair of neighbours whose own least δ is above the one given, the event that shows it.

    >>> from exactdp import geometric, neighbours
    >>> broken = breaking_events(geometric(1, "1/3"), neighbours("path:2"), "1/2", "1/5")
    >>> [(event.high, event.low, event.outputs) for event in broken]
    [(0, 1, (0,)), (1, 0, (1,))]
    """
    subject, exact, asked = subject.aligned(neighbours.vertices), level_or_one(level), as_delta(delta)
    pairs = pairs_of(subject, neighbours)
    joined = _over_one_field(subject, exact)
    if joined is None:
        return _breaking_by_level(subject, pairs, exact, asked)
    subject, _, alpha = joined
    bounds = divergences_of(subject, alpha, pairs)
    if bounds is None:
        events = (worst_event(subject, i, j, alpha) for i, j in pairs)
        return tuple(event for event in events if event.likely - event.unlikely / alpha > asked)
    broken: list[Event] = []
    known: dict[Hashable, tuple[Any, Any] | None] = {}  # the probabilities, where they break δ
    for i, j in pairs:
        terms = bounds.terms(i, j)
        if terms not in known:
            event = bounded_event(bounds, i, j)
            breaks = event.likely - event.unlikely / alpha > asked
            known[terms] = (event.likely, event.unlikely) if breaks else None
        probabilities = known[terms]
        if probabilities is not None:
            broken.append(Event(i, j, bounds.outputs(i, j), *probabilities))
    return tuple(broken)


def _breaking_by_level(
    subject: Judged, pairs: Sequence[tuple[int, int]], level: PrivacyLevel | TightestLevel, delta: Any
) -> tuple[Event, ...]:
    """The same where table and level have no common field: by the level that δ leaves to each pair."""
    levels = enclosed_levels(subject, delta)
    known: dict[int, tuple[PairLevel, bool]] = {}  # with the object, so that no identity is used again

    def breaks(ratio: Any) -> bool:
        return bool(ratio < 1) and TightestLevel(ratio).compare(level) < 0

    broken: list[Event] = []
    for i, j in pairs:
        if levels is None:
            ratio, event = level_of_pair(subject, i, j, delta)
            if event is not None and breaks(ratio):
                broken.append(event)
            continue
        found = levels.of(i, j)
        if found is None:
            continue
        least, outputs = found
        if id(least) not in known:
            known[id(least)] = least, breaks(least.level)
        if known[id(least)][1]:
            broken.append(Event(i, j, outputs, least.likely, least.unlikely))
    return tuple(broken)


def _judged(
    mechanism: MechanismLike, neighbours: NeighboursLike, asked: PrivacyLevel | TightestLevel | None = None
) -> tuple[Judged, Neighbours]:
    """What is judged, a mechanism or a table as it is, in the order of the neighbours; and these."""
    level = asked if isinstance(asked, PrivacyLevel) else None
    subject = recorded(mechanism) if isinstance(mechanism, Mechanism) else as_table(mechanism, level, name="mechanism")
    near = as_neighbours(neighbours, subject)
    return subject.aligned(near.vertices), near


def _over_one_field(subject: Judged, level: PrivacyLevel | TightestLevel) -> tuple[Judged, PrivacyLevel | TightestLevel, Any] | None:
    """Table and level over one field, and α as a number of it; None where they have none."""
    if isinstance(level, TightestLevel):  # 1
        return subject, level, subject.matrix.field.one
    joined: tuple[Any, PrivacyLevel] | None = together(subject, level)
    return None if joined is None else (*joined, joined[1].alpha)


def _scope(found: DeltaEvidence) -> Scope:
    """What the letters stand for; a level that was only compared, or is 1, has none."""
    own = isinstance(found.level, PrivacyLevel) and found.bought is None and not found.apart
    return scope_of(found.subject, *([found.level] if own else []))


def _epsilon_text(level: PrivacyLevel | TightestLevel) -> str:
    """ε, as sentences about δ speak of it, with the α that it belongs to."""
    if isinstance(level, TightestLevel):
        return "ε = 0"
    return level.as_tightest().told(True) if level.beside else level.said if level.by_epsilon else f"e^(−ε) = {level}"


def _least_delta(
    subject: Judged,
    neighbours: Neighbours,
    level: PrivacyLevel | TightestLevel,
    asked: Any = None,
    progress: Listener | None = None,
    *,
    keeps: bool = False,
) -> DeltaEvidence:
    """The largest Σ_r max(0, x_ir − x_jr/α) over the ordered pairs, with the event that attains it.

    ``keeps``: what is certain is kept for who ends this amid a step.
    """
    subject = subject.aligned(neighbours.vertices)
    joined = _over_one_field(subject, level)
    if joined is None:
        return _compared(subject, neighbours, level, asked, progress)
    subject, level, alpha = joined
    known = {"subject": subject, "neighbours": neighbours, "level": level, "asked": asked}
    worst: Any = subject.matrix.field.zero
    event: Event | None = None

    def so_far() -> DeltaEvidence:
        return DeltaEvidence(**known, delta=None, event=event, unfinished=(LEAST_DELTA,), at_least=worst)

    try:
        pairs = pairs_of(subject, neighbours)
        bounds = divergences_of(subject, alpha, pairs)
        for i, j in counted_off(pairs, progress, "events", "pairs"):
            if bounds is not None and not bounds.is_above(i, j):
                continue
            candidate = worst_event(subject, i, j, alpha) if bounds is None else bounded_event(bounds, i, j)
            excess = candidate.likely - candidate.unlikely / alpha
            if bounds is not None:
                bounds.raised(excess, i, j)
            if excess > worst:
                worst, event = excess, candidate
                if keeps:
                    certain(_least_said(so_far()) if asked is None else _asked_said(so_far()))
    except ResourceLimitError as error:
        _require_certain(error, event)
        return so_far()
    return DeltaEvidence(**known, delta=worst, event=event)


def _require_certain(error: ResourceLimitError, found: object) -> None:
    """Called when a search was stopped: its error goes on, unless the time is up and something is certain."""
    if found is None or "seconds" not in error.facts:
        raise error
    raise_unless_own_limit(error)


def _largest_level(subject: Judged, neighbours: Neighbours, delta: Any, progress: Listener | None, *, keeps: bool) -> LevelForDeltaEvidence:
    """The largest level for a δ; ``keeps``: what is certain is kept for who ends this amid a step."""
    known = {"subject": subject, "neighbours": neighbours, "delta": delta}
    best: Any = None
    event: Event | None = None

    def told(ratio: Any, attained: Event) -> None:
        nonlocal best, event
        best, event = ratio, attained
        if keeps and best < 1:
            certain(_level_said(so_far()))

    def so_far() -> LevelForDeltaEvidence:
        return LevelForDeltaEvidence(**known, ratio=best, event=event, unfinished=(LARGEST_LEVEL,))

    try:
        ratio, attained = least_level(subject, neighbours, delta, progress, told)
        return LevelForDeltaEvidence(**known, ratio=ratio, event=attained)
    except ResourceLimitError as error:
        _require_certain(error, None if best is None or best >= 1 else event)
        return so_far()


def _compared(
    subject: Judged, neighbours: Neighbours, level: PrivacyLevel | TightestLevel, asked: Any, progress: Listener | None
) -> DeltaEvidence:
    """The evidence at a level in no field with the subject: by the levels that δ = 0 and the δ asked buy."""
    known = {"subject": subject, "neighbours": neighbours, "level": level, "asked": asked}
    events: list[Event] = []

    def largest_level(delta: Any) -> LevelForDeltaEvidence:
        ratio, event = least_level(subject, neighbours, delta, progress, lambda _, event: events.append(event))
        return LevelForDeltaEvidence(subject=subject, neighbours=neighbours, delta=delta, ratio=ratio, event=event)

    try:
        private = largest_level(as_delta(0))
        if TightestLevel(private.ratio).compare(level) >= 0:
            return DeltaEvidence(**known, delta=subject.matrix.field.zero, event=None, bought=private)
        if asked is None:
            bounds = _around_least_delta(subject, neighbours, level.alpha, progress)
            return DeltaEvidence(**known, delta=None, event=None, bought=private, bounds=bounds)
        bought = private if asked == 0 else largest_level(asked)
        return DeltaEvidence(**known, delta=None, event=bought.event, bought=bought)
    except ResourceLimitError as error:
        if "seconds" not in error.facts:
            raise
        above = [(x, event) for event in events if (x := _excess_at_least(event, level.alpha, asked)) > 0]
        at_least, event = max(above, key=lambda pair: pair[0], default=(None, None))
        _require_certain(error, event)
        return DeltaEvidence(**known, delta=None, event=event, unfinished=(LEAST_DELTA,), at_least=at_least, apart=True)


def _around_least_delta(subject: Judged, neighbours: Neighbours, alpha: Any, progress: Listener | None) -> tuple[Rational, Rational]:
    """Decimals around the largest Σ_r max(0, x_ir − x_jr/α), which is above 0, by enclosures.

    These are integers, multiples of 10^(−places), whose sums are found without fractions.
    """
    places = 24
    while True:
        scale = 10**places
        low, high = _enclosures([alpha], places)
        if not low[0]:  # a small α needs more places
            places *= 2
            continue
        less, more = floor(scale / high[0]), ceil(scale / low[0])  # around 1/α
        below, above = _multiples(list(subject.matrix.rows()), places)
        least = most = 0
        for i, j in counted_off(pairs_of(subject, neighbours), progress, "events", "pairs"):
            excesses = (x * scale - y * more for x, y in zip(below[i], above[j], strict=True))
            least = max(least, sum(excess for excess in excesses if excess > 0))
            excesses = (x * scale - y * less for x, y in zip(above[i], below[j], strict=True))
            most = max(most, sum(excess for excess in excesses if excess > 0))
        if (most - least) * 10**FIGURES <= least:
            break
        places *= 2
    unit = Rational(1)
    while unit * 10**FIGURES * scale**2 > least:
        unit = unit / 10
    above = ceil(most / unit / scale**2) * unit
    return floor(least / unit / scale**2) * unit, min(above, Rational(1))


def _excess_at_least(event: Event, alpha: Any, asked: Any) -> Rational:
    """A decimal at most P(E|i) − P(E|j)/α; above the δ asked about (or 0) if that number is."""
    least = 0 if asked is None else asked
    room = event.likely - least
    breaks = event.unlikely < room and TightestLevel(event.unlikely / room).compare(TightestLevel(alpha)) < 0
    places, figures = 24, FIGURES
    while True:
        low, high = _enclosures([event.likely, event.unlikely, alpha], places)
        decimal = _decimal_below(low[0] - high[1] / low[2], figures) if low[2] else None  # a small α needs more places
        if decimal is not None and (not breaks or decimal > least):
            return decimal
        places, figures = 2 * places, 2 * figures


def _decimal_below(x: Rational, figures: int) -> Rational:
    """The largest decimal with so many significant figures that is at most x; 0 unless x > 0."""
    unit = Rational(1)
    while x > 0 and unit * 10**figures > x:
        unit = unit / 10
    return floor(x / unit) * unit if x > 0 else Rational(0)


def at_least_text(e: DeltaEvidence) -> str:
    """The number that δ is not below."""
    return plain_text(e.at_least) if e.apart else str(e.at_least)


def _enclosures(numbers: Iterable[Any], places: int) -> tuple[list[Rational], list[Rational]]:
    """Rationals at most and at least the numbers, which are ≥ 0."""
    around = [(x, x) if isinstance(x, Rational) else x.enclosure(places) for x in numbers]
    return [max(Rational(0), low) for low, _ in around], [high for _, high in around]


def _multiples(rows: Sequence[Sequence[Any]], places: int) -> tuple[list[list[int]], list[list[int]]]:
    """Multiples of 10^(−places) at most and at least the numbers, which are ≥ 0, each found once."""
    numbered, numbers = numbered_objects(rows)
    low, high = _enclosures(numbers, places)
    below, above = [floor(x * 10**places) for x in low], [ceil(x * 10**places) for x in high]
    return [[below[k] for k in row] for row in numbered], [[above[k] for k in row] for row in numbered]


FIGURES = 7
"""Significant figures of the decimals around a δ."""


def _name(subject: Judged, neighbours: Neighbours) -> str:
    what = "the mechanism" if isinstance(subject, Mechanism) or not subject.faults() else "the table, as it is,"
    return f"{what} on {neighbours}"
