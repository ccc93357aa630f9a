# SPDX-License-Identifier: MIT
"""What a long computation reports while it runs, and how it is told to stop.

Every long computation tells a listener how far it is, by events of one class (:class:`Progress`). What the
listener raises ends the computation.

A limit is asked at every step: it answers None, or the reason to stop. The search then ends with a
:class:`~exactdp.errors.ResourceLimitError` whose ``vertex`` is the last basic solution (or None): not an
answer, but bounds can be had from it.

A computation that was given no listener tells the one that is *listening* (:func:`listening`), if there is
one: so a time limit holds, and a line of progress is drawn, also where numbers are read and tables are built,
long before a question is asked.

This module loads no numbers: programs that only check files use it too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from exactdp.errors import ResourceLimitError, wrong_kind

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long computation is.

    Attributes
    ----------
    phase : str
        What is being done.
    done : int or float
        How much of it is done. In one phase it never decreases.
    total : int, float or None
        How much there is to do; None where the end is not known.
    unit : str
        Of what: "pivots", "vertices", "pieces", "priors", "files", …. For "levels" it is the length of the
        part of the interval that is covered, the only number that is rounded.
    detail : str
        More in words: what is next, or how long the numbers are.
    objective : scalar or None
        The exact objective of a linear program at this step.

    Examples
    --------
    >>> event = Progress("certificates", 3, 4, "files")
    >>> print(event)
    certificates: 3 of 4 files
    >>> event.share
    0.75
    >>> print(Progress("dual simplex", 12, None, "pivots", "numbers of 3 digits"))
    dual simplex: 12 pivots, numbers of 3 digits
    """

    phase: str
    done: int | float = 0
    total: int | float | None = None
    unit: str = ""
    detail: str = ""
    objective: Any = field(default=None, repr=False)

    @property
    def share(self) -> float | None:
        """How much of this phase is done, from 0 to 1; None where the end is not known."""
        return self.done / self.total if self.total else None

    def __str__(self) -> str:
        if isinstance(self.total, float):
            count = f"{self.done / self.total:.0%} of the {self.unit}"
        elif self.total is not None:
            count = f"{self.done} of {self.total} {self.unit}"
        else:
            count = f"{self.done} {self.unit}" if self.unit else ""
        words = ", ".join(filter(None, (count, self.detail)))
        return f"{self.phase}: {words}" if words else self.phase


Listener = Callable[[Progress], None]
"""Is told what a computation does; what it raises ends the computation."""

Limit = Callable[[Progress], str | None]
"""Is asked whether to stop: the reason, or None to go on."""


def seconds_of(time_limit: object) -> float:
    """A number of seconds, not negative; it may be a float, because no answer depends on it.

    >>> seconds_of(2)
    2.0
    """
    if isinstance(time_limit, bool) or not isinstance(time_limit, (int, float)) or not time_limit >= 0:
        raise wrong_kind("time limit", time_limit, "seconds, such as 10 or 0.5, or None for no limit")
    return float(time_limit)


def within_seconds(seconds: float) -> Limit:
    """A limit on the time from now on.

    >>> within_seconds(0)(Progress("dual simplex", 3, unit="pivots"))
    'the time limit of 0 s has passed'
    """
    end = time.monotonic() + seconds_of(seconds)
    return lambda _: f"the time limit of {seconds:g} s has passed" if time.monotonic() >= end else None


def within_pivots(pivots: int) -> Limit:
    """A limit on the exact pivots of one search.

    >>> within_pivots(3)(Progress("dual simplex", 3, unit="pivots")) is None
    True
    """
    return lambda event: f"more than {pivots} pivots" if event.unit == "pivots" and event.done > pivots else None


def _heard(progress: Listener | None) -> Listener | None:
    """The listener that was given, which must be one."""
    if progress is not None and not callable(progress):
        raise wrong_kind("progress", progress, "a function of one event, such as print, or None")
    return progress


def reporter(progress: Listener | None, limit: Limit | None) -> Listener | None:
    """Calls ``progress``, and stops the search when ``limit`` says so; None if there is neither."""
    progress = _heard(progress)
    if limit is None:
        return progress

    def report(event: Progress) -> None:
        if progress is not None:
            progress(event)
        reason = limit(event)
        if reason is not None:
            raise ResourceLimitError(f"the search was stopped: {reason}", reason=reason, progress=event, vertex=None)

    return report


def timed(progress: Listener | None, time_limit: float | None) -> Listener | None:
    """As :func:`reporter`, with a limit on the seconds from now on.

    >>> timed(None, 0)(Progress("priors", 3, 400, "priors"))
    Traceback (most recent call last):
    exactdp.errors.ResourceLimitError: the search was stopped: the time limit of 0 s has passed
    """
    return reporter(progress, None if time_limit is None else within_seconds(time_limit))


_LISTENING: ContextVar[Listener | None] = ContextVar("listening", default=None)


@contextmanager
def listening(progress: Listener | None, time_limit: float | None = None) -> Iterator[None]:
    """Inside ``with``, in this thread: who is told of work that was given no listener, and how long it may
    take.

    >>> with listening(print):
    ...     announce(None, "reading")
    reading
    """
    token = _LISTENING.set(timed(progress, time_limit))
    try:
        yield
    finally:
        _LISTENING.reset(token)


def listener_of(progress: Listener | None) -> Listener | None:
    """The given listener, or else the one that is listening."""
    return _LISTENING.get() if progress is None else _heard(progress)


def announce(progress: Listener | None, phase: str) -> None:
    """Tell the listener, if there is one, of work whose steps can't be counted."""
    listener = listener_of(progress)
    if listener is not None:
        listener(Progress(phase))


def counted_off(
    items: Iterable[T],
    progress: Listener | None,
    phase: str,
    unit: str,
    *,
    detail: Callable[[T], object] | None = None,
    every: int = 1,
) -> Iterator[T]:
    """The items, with an event before each and one at the end.

    Parameters
    ----------
    items : iterable
        Where their number is known, so is the total.
    progress : callable or None
        The listener; None for the one that is listening.
    phase, unit : str
        As in :class:`Progress`.
    detail : callable, optional
        From an item to what the event says about it.
    every : int
        For items that take microseconds: an event before so many of them.

    Examples
    --------
    >>> for word in counted_off(["a", "b"], print, "words", "words", detail=str):
    ...     pass
    words: 0 of 2 words, a
    words: 1 of 2 words, b
    words: 2 of 2 words
    """
    listener = listener_of(progress)
    if listener is None:
        yield from items
        return
    total, done = len(items) if isinstance(items, Sized) else None, 0
    for item in items:
        if done % every == 0:
            listener(Progress(phase, done, total, unit, "" if detail is None else str(detail(item))))
        yield item
        done += 1
    listener(Progress(phase, done, done, unit))


def part_of(progress: Listener | None, title: str) -> Listener | None:
    """The listener for one part of a computation: it hears the part's title before each phase.

    >>> listener = part_of(print, "loss 2 of 3")
    >>> listener(Progress("priors", 5, 400, "priors"))
    loss 2 of 3: priors: 5 of 400 priors
    """
    if progress is None or _heard(progress) is None:
        return None
    return lambda event: progress(replace(event, phase=f"{title}: {event.phase}" if event.phase else title))


def covered(phase: str, whole: Any, waiting: Iterable[Any], detail: str = "") -> Progress:
    """The event of a walk over an interval of levels of which some intervals are still waiting.

    >>> from exactdp.exact import Interval
    >>> print(covered("pieces", Interval(0, 1), [Interval("3/4", 1)], "2 pieces"))
    pieces: 75% of the levels, 2 pieces
    """
    total = float(whole.upper) - float(whole.lower)
    left = [float(part.upper) - float(part.lower) for part in waiting]
    return Progress(phase, max(0.0, round(total - sum(left), 9)) if left else total, total, "levels", detail)
