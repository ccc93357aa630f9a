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
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from exactdp.errors import ResourceLimitError, wrong_kind

P = ParamSpec("P")
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
        if self.total and isinstance(self.total, float):
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
    if isinstance(time_limit, bool) or not isinstance(time_limit, (int, float)) or not 0 <= time_limit < float("inf"):
        raise wrong_kind("time limit", time_limit, "seconds, such as 10 or 0.5, or None for no limit")
    return float(time_limit)


def within_pivots(pivots: int) -> Limit:
    """A limit on the exact pivots of one search.

    >>> within_pivots(3)(Progress("dual simplex", 3, unit="pivots")) is None
    True
    """
    return lambda event: f"more than {pivots} pivots" if event.unit == "pivots" and event.done > pivots else None


def reporter(progress: Listener | None, limit: Limit | None) -> Listener | None:
    """Calls ``progress`` (or who is listening), and stops the search when ``limit`` says so; None if there is
    neither.
    """
    listener = listener_of(progress)
    if limit is None:
        return listener

    def report(event: Progress) -> None:
        if listener is not None:
            listener(event)
        reason = limit(event)
        if reason is not None:
            raise ResourceLimitError(f"the search was stopped: {reason}", reason=reason, progress=event, vertex=None)

    return report


class _Watch:
    """Who is listening, and until when (by the monotonic clock); ``own``: by a limit that was given here;
    ``settled``: what the limit left is known.
    """

    __slots__ = ("above", "certain", "end", "listener", "own", "seconds", "settled")

    def __init__(self, listener: Listener | None, seconds: float, end: float | None, own: bool, above: _Watch | None) -> None:
        self.listener, self.seconds, self.end, self.own, self.above = listener, seconds, end, own, above
        self.settled = False
        self.certain: Any = None


_WATCH: ContextVar[_Watch | None] = ContextVar("watch", default=None)


@contextmanager
def listening(progress: Listener | None, time_limit: float | None = None, *, since: float | None = None) -> Iterator[Listener | None]:
    """Inside ``with``, in this thread: who is told of work that was given no listener, and how long it may
    take. A limit around this one goes on. (In a generator no ``yield`` belongs inside: until it goes on, its
    caller would be under this limit.)

    Parameters
    ----------
    progress : callable or None
        Is told; None for the one that is listening already.
    time_limit : float, optional
        Seconds, after which the next event raises :class:`~exactdp.errors.ResourceLimitError`.
    since : float, optional
        From when on, by ``time.monotonic``; from now on unless given.

    Yields
    ------
    callable or None
        To give on as ``progress=``; None if there is neither a listener nor a limit.

    Examples
    --------
    >>> with listening(print):
    ...     announce(None, "reading")
    reading
    >>> with listening(None, 0) as told:
    ...     told(Progress("priors", 3, 400, "priors"))
    Traceback (most recent call last):
    exactdp.errors.ResourceLimitError: the time limit of 0 s has passed while this was done: priors: 3 of 400
    priors
    """
    above, seconds, end = _WATCH.get(), 0.0, None
    if time_limit is not None:
        seconds = seconds_of(time_limit)
        end = (time.monotonic() if since is None else since) + seconds
    listener = listener_of(progress)
    if above is not None and above.end is not None and (end is None or above.end <= end):
        seconds, end = above.seconds, above.end

    def told(event: Progress) -> None:
        if listener is not None:
            listener(event)
        _ask_the_clock(event)

    watch = _Watch(listener if end is None else told, seconds, end, time_limit is not None, above)
    token = None
    try:
        token = _WATCH.set(watch)
        yield watch.listener
    finally:
        if token is None:  # an interrupt came before there was a name for it
            _WATCH.set(above)
        else:
            _WATCH.reset(token)


def _ask_the_clock(event: Progress) -> None:
    """Raise when the time is up; that the limit is the innermost one's lets each search have bounds."""
    watch = _WATCH.get()
    if watch is not None and watch.end is not None and not watch.settled and time.monotonic() >= watch.end:
        reason = time_is_up(watch.seconds, event)
        raise ResourceLimitError(reason, reason=reason, progress=event, vertex=None, seconds=watch.seconds)


def time_is_up(seconds: float, event: Progress | None) -> str:
    """The sentence for a time limit: what was being done, and how far it was.

    >>> time_is_up(2, None)
    'the time limit of 2 s has passed'
    """
    said = f"the time limit of {seconds:g} s has passed"
    return said if event is None else f"{said} while this was done: {event}"


def keep_bounds(error: ResourceLimitError) -> None:
    """Called by a question whose search was stopped, before it goes on to the bounds that are certain.

    Who gave it a time limit expects them; the limit is then settled. Where the limit is somebody else's the
    error goes on: nobody asks there whether the answer is an answer.
    """
    watch = _WATCH.get()
    if "seconds" in error.facts and (watch is None or not watch.own):
        raise error
    settle()


def settle(*, for_good: bool = False) -> None:
    """A time limit that has passed is not raised any more, neither here nor around; or whenever it passes.

    A search that begins afterwards (:func:`listening`) is stopped at its own first event all the same.
    """
    watch = _WATCH.get()
    while watch is not None:
        watch.settled |= for_good or (watch.end is not None and time.monotonic() >= watch.end)
        watch = watch.above


def certain(answer: object) -> None:
    """Keep what a question knows for certain so far, for who ends it amid a step (None: nothing)."""
    watch = _WATCH.get()
    while watch is not None:
        watch.certain = answer
        watch = watch.above


def certain_so_far() -> Any:
    """The last answer that was certain of what was asked inside; None if there is none.

    >>> with listening(None):
    ...     certain("at most 1/2")
    ...     certain_so_far()
    'at most 1/2'
    """
    watch = _WATCH.get()
    return None if watch is None else watch.certain


def seconds_left() -> float | None:
    """How much time the limit leaves, for what has a limit of its own; None without one.

    >>> seconds_left() is None
    True
    """
    watch = _WATCH.get()
    return None if watch is None or watch.end is None else max(0.0, watch.end - time.monotonic())


def keeps_time(question: Callable[P, T]) -> Callable[P, T]:
    """A question with ``progress=`` and ``time_limit=``: both hold from the call on, also while it reads its
    arguments. The question itself is called with a listener that keeps both.
    """

    @wraps(question)
    def asked(*given: P.args, **options: P.kwargs) -> T:
        # in a context of its own, which ends with the call: an interrupt leaves no limit behind
        return copy_context().run(timed, *given, **options)

    def timed(*given: P.args, **options: P.kwargs) -> T:
        progress: Any = options.get("progress")
        time_limit: Any = options.get("time_limit")
        with listening(progress, time_limit) as told:
            if told is not None:
                options["progress"] = told
            return question(*given, **options)

    return asked


def listener_of(progress: Listener | None) -> Listener | None:
    """The given listener, or else the one that is listening."""
    if progress is not None and not callable(progress):
        raise wrong_kind("progress", progress, "a function of one event, such as print, or None")
    watch = _WATCH.get()
    return watch.listener if progress is None and watch is not None else progress


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
    total: int | None = None,
) -> Iterable[T]:
    """The items, with an event before each and one at the end. Without a listener, the items themselves.

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
        For items that take microseconds: an event after so many of them, and none if there are fewer.
    total : int, optional
        Their number, where the items do not know it.

    Examples
    --------
    >>> for word in counted_off(["a", "b"], print, "words", "words", detail=str):
    ...     pass
    words: 0 of 2 words, a
    words: 1 of 2 words, b
    words: 2 of 2 words
    >>> sum(counted_off(range(2500), print, "numbers", "numbers", every=1000))
    numbers: 1000 of 2500 numbers
    numbers: 2000 of 2500 numbers
    numbers: 2500 of 2500 numbers
    3123750
    """
    listener = listener_of(progress)
    if listener is None:
        return items
    known = len(items) if total is None and isinstance(items, Sized) else total
    return _counted_off(items, listener, Progress(phase, 0, known, unit), detail, every)


def row_by_row(rows: Iterable[T], phase: str, shape: tuple[int, int]) -> Iterable[T]:
    """The rows of a table of this shape, told to who is listening after every few thousand entries.

    >>> with listening(print):
    ...     sum(row_by_row(range(70), "sums of rows", (70, 100)))
    sums of rows: 50 of 70 rows
    sums of rows: 70 of 70 rows
    2415
    """
    return counted_off(rows, None, phase, "rows", every=max(2, ENTRIES // max(1, shape[1])), total=shape[0])


ENTRIES = 5_000
"""After how many entries of a table its listener is told; they take a microsecond to a millisecond each."""


def _counted_off(items: Iterable[T], listener: Listener, event: Progress, detail: Callable[[T], object] | None, every: int) -> Iterator[T]:
    done = 0
    for item in items:
        if done % every == 0 and (done or every == 1):
            listener(replace(event, done=done, detail="" if detail is None else str(detail(item))))
        yield item
        done += 1
    if every == 1 or done > every:
        listener(replace(event, done=done, total=done))


def part_of(progress: Listener | None, title: str) -> Listener | None:
    """The listener for one part of a computation: it hears the part's title before each phase.

    >>> listener = part_of(print, "loss 2 of 3")
    >>> listener(Progress("priors", 5, 400, "priors"))
    loss 2 of 3: priors: 5 of 400 priors
    """
    listener = listener_of(progress)
    if listener is None:
        return None
    return lambda event: listener(replace(event, phase=f"{title}: {event.phase}" if event.phase else title))


def covered(phase: str, whole: Any, waiting: Iterable[Any], detail: str = "") -> Progress:
    """The event of a walk over an interval of levels of which some intervals are still waiting.

    >>> from exactdp.exact import Interval
    >>> print(covered("pieces", Interval(0, 1), [Interval("3/4", 1)], "2 pieces"))
    pieces: 75% of the levels, 2 pieces
    """
    total = float(whole.upper) - float(whole.lower)
    left = [float(part.upper) - float(part.lower) for part in waiting]
    return Progress(phase, max(0.0, round(total - sum(left), 9)) if left else total, total, "levels", detail)
