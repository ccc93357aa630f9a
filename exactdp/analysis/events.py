# SPDX-License-Identifier: MIT
"""Events that tell the rows of neighbours apart: the worst of a pair, and the level that they leave to a δ.

Which events suffice, and why, is said in :mod:`exactdp.analysis.approximate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from exactdp.analysis.power_pairs import PowerDivergences, PowerLevels, PowerQuotients
from exactdp.analysis.privacy_cells import first_pair, least_ratio
from exactdp.analysis.privacy_claim import Event
from exactdp.analysis.row_pairs import Divergences, EnclosedPairLevels, LeastQuotients, PairLevels, are_numbers
from exactdp.errors import DomainError, NegativeEntryError
from exactdp.exact import QQ, Rational
from exactdp.exact.ranking import Ranking
from exactdp.exact.repeated import different
from exactdp.model import Graph, Mechanism, Neighbours, Table
from exactdp.runtime.progress import Listener, counted_off

Judged = Mechanism | Table


def event_text(subject: Judged, event: Event | None) -> str:
    """An event in words, such as ``P(output in {0} | input 1) = 1/4, and for input 0 it is 1/16``."""
    if event is None:
        return "no event tells neighbouring inputs apart"
    names = [subject.outputs[r] for r in event.outputs]
    shown = ", ".join(names if len(names) <= 6 else [*names[:4], "…", names[-1]])
    first, second = subject.inputs[event.high], subject.inputs[event.low]
    return f"P(output in {{{shown}}} | input {first}) = {event.likely}, and for its neighbour {second} it is {event.unlikely}"


def pairs_of(subject: Judged, neighbours: Neighbours) -> list[tuple[int, int]]:
    """The constrained pairs in both orders, after the checks that all questions here share."""
    if not isinstance(neighbours, Graph) and any(d.rational != 1 for _, _, d in neighbours.pairs()):
        raise DomainError(
            "audits and (ε, δ)-privacy take neighbours at distance 1; this metric has other distances; tightest_level and is_private "
            "(exactdp privacy) take any",
            neighbours=neighbours,
        )
    stochastic = subject.matrix.field is QQ and subject.matrix.is_stochastic()
    has_negative = not stochastic and any(x < 0 for x in different(subject.matrix.numbers()))
    for i, row in enumerate(subject.matrix.rows() if has_negative else ()):
        for r, x in enumerate(row):
            if x < 0:
                message = f"the entry in row {subject.inputs[i]} is {x}, which is negative"
                raise NegativeEntryError(message, position=(i, r), value=x)
    return [pair for i, j, _ in neighbours.pairs() for pair in ((i, j), (j, i))]


def least_level(
    subject: Judged, neighbours: Neighbours, delta: Any, progress: Listener | None, told: Callable[[Any, Event], object]
) -> tuple[Any, Event | None]:
    """The least level that an event allows for a δ, over the ordered pairs, and the event; else 1 and None.

    ``told`` of each that is less than those before.
    """
    pairs = pairs_of(subject, neighbours)
    counted = counted_off(pairs, progress, "events", "pairs")
    if not delta and isinstance(neighbours, Graph) and neighbours.is_complete and are_numbers(subject.matrix):
        best, event = _least_on_complete(subject, counted, told)
    elif not delta and are_numbers(subject.matrix) and PowerDivergences.fits(subject.matrix):
        best, event = _least_of_powers(subject, counted, told)
    else:
        best, event = _least_one_by_one(subject, delta, _pair_levels(subject, delta, pairs), counted, told)
    return (subject.matrix.field.one, None) if best is None or best >= 1 else (best, event)


def _least_one_by_one(
    subject: Judged, delta: Any, levels: Levels | None, pairs: Iterable[tuple[int, int]], told: Callable[[Any, Event], object]
) -> tuple[Any, Event | None]:
    """The same for any δ and numbers, pair by pair; None if no event allows a level."""
    best: Any = None
    event = None
    quotients = LeastQuotients(subject.matrix) if not delta and are_numbers(subject.matrix) else None
    for i, j in pairs:
        if quotients is not None and not (best is None or quotients.is_below(best, j, i)):
            continue
        if levels is not None:
            known = levels.below_the_least(i, j)
            if known is not None:
                best, event = known[0], _with_outputs(subject, i, j, known[1])
                told(best, event)
            continue
        ratio, candidate = level_of_pair(subject, i, j, delta)
        if candidate is not None and (best is None or ratio < best):
            best, event = ratio, candidate
            told(best, candidate)
    return best, event


def _least_on_complete(subject: Judged, pairs: Iterable[object], told: Callable[[Any, Event], object]) -> tuple[Any, Event | None]:
    """The same for δ = 0 and numbers, where any two inputs are neighbours: column by column."""
    for _ in pairs:  # there is nothing to do at a pair
        pass
    ranking = Ranking.of(subject.matrix)
    columns = ranking.columns()
    ratio, outputs = least_ratio(ranking, columns)
    if ratio is None or ratio >= 1:
        return None, None
    # The first pair in the order of :func:`pairs_of`, and of its outputs the first one.
    first = {r: first_pair(columns[r], ratio) for r in outputs}
    r = min(first, key=lambda r: (*sorted(first[r]), first[r][1] > first[r][0], r))
    low, high = first[r]
    event = Event(high, low, (r,), subject.matrix[high, r], subject.matrix[low, r])
    told(ratio, event)
    return ratio, event


def _least_of_powers(subject: Judged, pairs: Iterable[tuple[int, int]], told: Callable[[Any, Event], object]) -> tuple[Any, Event | None]:
    """The same for δ = 0 and rows of powers, whose quotients are powers: exponents are compared."""
    assert PowerDivergences.fits(subject.matrix)
    quotients = PowerQuotients(subject.matrix)
    best: Any = None
    event: Event | None = None
    largest: int | None = None  # the exponent of the least quotient so far
    for i, j in pairs:
        found = quotients.least(i, j)
        if found is None or (largest is not None and found[0] <= largest):
            continue
        largest, r = found
        event = Event(i, j, (r,), subject.matrix[i, r], subject.matrix[j, r])
        best = event.unlikely / event.likely
        told(best, event)
    return best, event


Levels: TypeAlias = PairLevels | PowerLevels | EnclosedPairLevels
"""What tells the levels that pairs of rows have beside a δ > 0."""


def _pair_levels(subject: Judged, delta: Any, pairs: Iterable[tuple[int, int]]) -> Levels | None:
    """The levels that δ > 0 leaves to pairs of a table of numbers; None for δ = 0 or letters."""
    matrix = subject.matrix
    if not delta or not are_numbers(matrix, delta):
        return None
    if PowerDivergences.fits(matrix) and delta.field in (QQ, matrix.field) and all(abs(i - j) == 1 for i, j in pairs):
        return PowerLevels(matrix, delta)
    if matrix.field is QQ and isinstance(delta, Rational):
        return PairLevels(matrix, delta)
    return enclosed_levels(subject, delta)


def enclosed_levels(subject: Judged, delta: Any) -> EnclosedPairLevels | None:
    """The same by enclosures; None for δ = 0, for letters, and for a δ that is in no field with the table."""
    matrix = subject.matrix
    if not delta or not are_numbers(matrix, delta):
        return None
    has_one_field = matrix.field == QQ or delta.field in (QQ, matrix.field)
    return EnclosedPairLevels(matrix, delta) if has_one_field else None


def level_of_pair(subject: Judged, i: int, j: int, delta: Any) -> tuple[Any, Event | None]:
    """The least P(E|j)/(P(E|i) − δ) over the events with P(E|i) > δ, and its event; None if there is none."""
    best: Any = None
    event = None
    for candidate in _prefixes(subject, i, j) if delta else _singles(subject, i, j):
        room = candidate.likely - delta
        if room > 0:
            ratio = candidate.unlikely / room
            if best is None or ratio < best:
                best, event = ratio, candidate
    return best, event


def _singles(subject: Judged, i: int, j: int) -> Iterator[Event]:
    """The events of one output; when δ = 0 one of them is as bad as any."""
    for r, (x, y) in enumerate(zip(subject.matrix.row(i), subject.matrix.row(j), strict=True)):
        if x > 0:
            yield Event(i, j, (r,), x, y)


def _prefixes(subject: Judged, i: int, j: int) -> Iterator[Event]:
    """The events {r : x_ir/x_jr is among the k largest}, for every k; equal ratios enter one by one."""
    x, y = subject.matrix.row(i), subject.matrix.row(j)
    positive = [r for r in range(len(x)) if x[r] > 0]
    chosen = [r for r in positive if not y[r] > 0]  # the ratio is infinite
    finite = sorted((r for r in positive if y[r] > 0), key=lambda r: y[r] / x[r])
    unlikely: Any = subject.matrix.field.zero
    likely = sum((x[r] for r in chosen), unlikely)
    if chosen:
        yield Event(i, j, tuple(chosen), likely, unlikely)
    for r in finite:
        chosen.append(r)
        likely, unlikely = likely + x[r], unlikely + y[r]
        yield Event(i, j, tuple(sorted(chosen)), likely, unlikely)


def divergences_of(subject: Judged, alpha: Any, pairs: Sequence[tuple[int, int]]) -> Divergences | PowerDivergences | None:
    """Bounds for the pairs of a table of numbers; None for one of letters."""
    if not are_numbers(subject.matrix, alpha):
        return None
    if PowerDivergences.fits(subject.matrix):
        return PowerDivergences(subject.matrix, alpha, max((abs(i - j) for i, j in pairs), default=0))
    near: dict[int, list[int]] = {}
    for i, j in pairs:
        near.setdefault(i, []).append(j)
    return Divergences(subject.matrix, alpha, near)


def worst_event(subject: Judged, i: int, j: int, alpha: Any) -> Event:
    """The event with the largest P(E|i) − P(E|j)/α: the outputs r with α x_ir > x_jr."""
    x, y = subject.matrix.row(i), subject.matrix.row(j)
    return _with_outputs(subject, i, j, tuple(r for r in range(len(x)) if alpha * x[r] > y[r]))


def bounded_event(bounds: Divergences | PowerDivergences, i: int, j: int) -> Event:
    """The same for tables of numbers."""
    return Event(i, j, bounds.outputs(i, j), *bounds.probabilities(i, j))


def _with_outputs(subject: Judged, i: int, j: int, chosen: tuple[int, ...]) -> Event:
    """The event of some outputs, for a pair of inputs."""
    x, y, zero = subject.matrix.row(i), subject.matrix.row(j), subject.matrix.field.zero
    return Event(i, j, chosen, sum((x[r] for r in chosen), zero), sum((y[r] for r in chosen), zero))
