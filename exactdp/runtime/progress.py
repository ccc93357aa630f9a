# SPDX-License-Identifier: MIT
"""Progress and time limits of long computations: events, listeners, partial answers, the line on a terminal.

A long computation reports to a listener how far it is, by events of one class (:class:`Progress`). What the
listener raises ends the computation. So a time limit is a listener that raises
:class:`~exactdp.errors.ResourceLimitError`, and nothing else has to know of it.

Most functions that read numbers and build tables have no argument ``progress``. They report to the monitor of
the running context (:func:`monitored`), if there is one. So a time limit holds there too.

This module loads no numbers: programs that only check files use it too. The line is drawn by tqdm, which is
loaded only when the work has taken a while and somebody can see the line.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextvars import ContextVar
from dataclasses import field, replace
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, ClassVar, TextIO, TypeVar
from weakref import WeakSet

from exactdp.errors import InputError, ResourceLimitError, printable, wrong_kind
from exactdp.runtime.process import Background, time_is_up
from exactdp.runtime.values import dataclass

T = TypeVar("T")

# ---- Events and listeners


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
        How much there is to do; None where the end is not known. A float where steps take unlike long: then
        no time is estimated from the share.
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

    @property
    def is_over(self) -> bool:
        """Whether all of this phase is done: what is being done now has not been told yet.

        >>> Progress("certificates", 4, 4, "files").is_over, Progress("certificates", 3, 4, "files").is_over
        (True, False)
        """
        return bool(self.total) and self.total is not None and self.done >= self.total

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


def seconds_of(time_limit: object) -> float:
    """A number of seconds, not negative; it may be a float, because no answer depends on it.

    >>> seconds_of(2)
    2.0
    """
    if isinstance(time_limit, bool) or not isinstance(time_limit, (int, float)) or not 0 <= time_limit < float("inf"):
        raise wrong_kind("time limit", time_limit, "seconds, such as 10 or 0.5, or None for no limit")
    return float(time_limit)


# ---- The monitor: who listens, and until when


@dataclass(slots=True)
class _Monitor:
    """What :func:`monitored` has set.

    ``listener`` hears of all work, and keeps the time until ``end``, by the monotonic clock. ``own``: the
    limit of these ``seconds`` was given here, not around. ``outer``: the monitor around this one.
    ``dismissed``: the limit is not raised again. ``partial``: the answer that is certain so far.
    """

    listener: Listener | None
    seconds: float
    end: float | None
    own: bool
    outer: _Monitor | None
    dismissed: bool = False
    partial: Any = None

    def and_outer(self) -> Iterator[_Monitor]:
        """The monitor and those around it."""
        monitor: _Monitor | None = self
        while monitor is not None:
            yield monitor
            monitor = monitor.outer

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.end is not None and time.monotonic() >= self.end


_MONITOR: ContextVar[_Monitor | None] = ContextVar("monitor", default=None)


@contextlib.contextmanager
def monitored(progress: Listener | None, time_limit: float | None = None, *, since: float | None = None) -> Iterator[Listener | None]:
    """Inside ``with``, in this thread: who hears of work without a listener, and how long it may take.

    A limit around this one goes on. In a generator no ``yield`` belongs inside: until it goes on, its caller
    would be under this limit.

    * ``progress``: the listener; None for that of the monitor around this one.
    * ``time_limit``: seconds, after which the next event raises :class:`~exactdp.errors.ResourceLimitError`.
    * ``since``: from when on, by ``time.monotonic``; from now on unless given.

    Yields: to give on as ``progress=``; None if there is neither a listener nor a limit.

    >>> with monitored(print):
    ...     report_phase(None, "reading")
    reading
    >>> with monitored(None, 0) as listener:
    ...     listener(Progress("priors", 3, 400, "priors"))
    Traceback (most recent call last):
    exactdp.errors.ResourceLimitError: the time limit of 0 s has passed while this was done: priors: 3 of 400
    priors
    """
    outer, seconds, end = _MONITOR.get(), 0.0, None
    if time_limit is not None:
        seconds = seconds_of(time_limit)
        end = (time.monotonic() if since is None else since) + seconds
    listener = listener_of(progress)
    if outer is not None and outer.end is not None and (end is None or outer.end <= end):
        seconds, end = outer.seconds, outer.end

    def limited(event: Progress) -> None:
        if listener is not None:
            listener(event)
        _raise_if_over(event)

    monitor = _Monitor(listener if end is None else limited, seconds, end, time_limit is not None, outer)
    try:
        _MONITOR.set(monitor)
        yield monitor.listener
    finally:
        _MONITOR.set(outer)


def _raise_if_over(event: Progress) -> None:
    """Raise when the time of the innermost monitor is up, so that each search can have bounds."""
    monitor = _MONITOR.get()
    if monitor is not None and monitor.is_over and not monitor.dismissed:
        reason = time_is_up(monitor.seconds, event)
        raise ResourceLimitError(reason, reason=reason, progress=event, vertex=None, seconds=monitor.seconds)


def seconds_left() -> float | None:
    """How much time the limit leaves, for what has a limit of its own; None without one.

    >>> seconds_left() is None
    True
    """
    monitor = _MONITOR.get()
    return None if monitor is None or monitor.end is None else max(0.0, monitor.end - time.monotonic())


# ---- When the time is up: bounds, and partial answers


def raise_unless_own_limit(error: ResourceLimitError) -> None:
    """Called by a question whose search was stopped, before it goes on to the bounds that are certain.

    The caller who gave it a time limit expects them, and the limit is then dismissed. The time limit of
    somebody further out is raised again: there nobody asks whether the answer is an answer or a bound.
    """
    monitor = _MONITOR.get()
    if "seconds" in error.facts and (monitor is None or not monitor.own):
        raise error
    dismiss_limit()


def dismiss_limit(*, for_good: bool = False) -> None:
    """A time limit that has passed is not raised any more, neither here nor around; or whenever it passes.

    A search that begins afterwards (:func:`monitored`) is stopped at its own first event all the same.
    """
    monitor = _MONITOR.get()
    for each in monitor.and_outer() if monitor is not None else ():
        each.dismissed |= for_good or each.is_over


def certain(answer: object) -> None:
    """Keep what a question knows for certain so far, for who ends it amid a step (None: nothing)."""
    monitor = _MONITOR.get()
    for each in monitor.and_outer() if monitor is not None else ():
        each.partial = answer


def certain_so_far() -> Any:
    """The last answer that was certain of what was asked inside; None if there is none.

    >>> with monitored(None):
    ...     certain("at most 1/2")
    ...     certain_so_far()
    'at most 1/2'
    """
    monitor = _MONITOR.get()
    return None if monitor is None else monitor.partial


# ---- How a computation reports


def listener_of(progress: Listener | None) -> Listener | None:
    """The given listener, or else that of the monitor."""
    if progress is not None and not callable(progress):
        raise wrong_kind("progress", progress, "a function of one event, such as print, or None")
    monitor = _MONITOR.get()
    return monitor.listener if progress is None and monitor is not None else progress


def report_phase(progress: Listener | None, phase: str) -> None:
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
    alike: bool = True,
) -> Iterable[T]:
    """The items, with an event before each and one at the end. Without a listener, the items themselves.

    * ``items``: where their number is known, so is the total.
    * ``progress``: the listener; None for that of the monitor.
    * ``phase``, ``unit``: as in :class:`Progress`.
    * ``detail``: from an item to what the event says about it.
    * ``every``: for items that take microseconds: an event after so many of them, and none if there are
      fewer.
    * ``total``: their number, where the items do not know it.
    * ``alike``: whether each takes about as long; otherwise their share is told, and no time is estimated
      from it.

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
    steps = known if alike or known is None else float(known)
    return _counted_off(items, listener, Progress(phase, 0, steps, unit), detail, every)


def row_by_row(rows: Iterable[T], phase: str, shape: tuple[int, int]) -> Iterable[T]:
    """The rows of a table of this shape, reported to the monitor after every few thousand entries.

    >>> with monitored(print):
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
        listener(replace(event, done=done, total=float(done) if isinstance(event.total, float) else done))


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


# ---- The line on a terminal or in a notebook

DELAY = 1.0
"""Seconds of work before a line is drawn."""

REFRESH = 0.2
"""Seconds from one drawing to the next."""

COUNTED = "{whole} {desc} {part}|{bar:12}| {counts}{speed}{left}{more}"
OPEN = "{whole} {desc} {counts}{speed}{more}"


class ProgressBar:
    """A listener that draws what it is told; :func:`progress_bar` makes one.

    * ``stream``: where the line is drawn.
    * ``visible``: whether anybody can see it; otherwise nothing is drawn and nothing is loaded.
    """

    def __init__(self, stream: TextIO, *, visible: bool) -> None:
        self.visible = visible
        self._stream = stream
        self._start = time.monotonic()
        self._latest: tuple[Progress | None, float] = (None, self._start)
        self._over: SimpleQueue[None] = SimpleQueue()
        self._lock = threading.RLock()
        self._drawing = Background(self._draw)
        self._bar: Any = None
        self._monitored = monitored(self).gen  # closed by one call, which no interrupt divides
        self._owner: int | None = None

    def __call__(self, event: Progress) -> None:
        """Show this from the next drawing on."""
        before, since = self._latest
        same = before is not None and before.phase == event.phase and before.done <= event.done
        self._latest = event, since if same else time.monotonic()

    @property
    def listener(self) -> Listener | None:
        """The line for ``progress=``, or None where nobody would see it, so that no events are made."""
        return self if self.visible else None

    @property
    def latest(self) -> Progress | None:
        """What it was told last."""
        return self._latest[0]

    def __enter__(self) -> ProgressBar:
        self._start = time.monotonic()
        if self.visible:
            try:
                self._owner = threading.get_ident()
                self._drawing.start()
                next(self._monitored)
            except BaseException:  # an interrupt: no line stays, and nobody draws it
                self.close()
                raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Erase the line for good; nothing of it is left behind. Another thread may do it, or do it again.

        ``with`` does it. But an interrupt may come before the first step of what ``with`` calls at its end,
        and then the line stays: who goes on after an interrupt puts a ``try`` around ``with``, and this in
        its ``finally``.
        """
        try:
            self._over.put(None)  # first of all, and in one call: nobody draws any more
        finally:
            try:
                if self._owner == threading.get_ident():
                    self._monitored.close()
            finally:
                self._drawing.wait()

    def erase(self) -> None:
        """Erase the line for good, amid what it listens to: that ends where it began, by ``with``."""
        try:
            self._over.put(None)
        finally:
            self._drawing.wait()

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Erase the line while something else is printed."""
        with self._lock:
            if self._bar is not None:
                self._bar.clear()
            yield

    def _draw(self) -> None:
        """In a thread of its own, so that the seconds go on while one step takes long."""
        pause = DELAY
        while not self._told_to_end(pause):
            with self._lock:
                self._show(*self._latest)
            pause = REFRESH
        if self._bar is not None:
            self._bar.clear()
            self._bar.close()

    def _told_to_end(self, seconds: float) -> bool:
        """Whether the line is to be erased, as soon as that is so, or after so many seconds."""
        try:
            self._over.get(timeout=seconds)
        except Empty:
            return False
        return True

    def _show(self, event: Progress | None, since: float) -> None:
        if self._bar is None:
            self._bar = _bar(self._stream)
        bar, now = self._bar, time.monotonic()
        bar.ncols = self._columns() - 1
        bar.words = {name: self._plain(text) for name, text in _words(event, now - since, now - self._start).items()}
        counted = event is not None and event.share is not None and not event.is_over
        bar.n, bar.total = (event.done, event.total) if event is not None and counted else (0, None)
        bar.start_t = bar._time() - (now - since)
        bar.bar_format = OPEN if bar.total is None else COUNTED
        bar.set_description_str(self._plain(_doing(event)), refresh=False)
        bar.refresh()

    def _columns(self) -> int:
        """How wide the terminal is; 80 where it does not say."""
        try:
            return int(os.environ.get("COLUMNS", "0")) or os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    def _plain(self, text: str) -> str:
        """The text as this stream can show it, in one line."""
        code = getattr(self._stream, "encoding", None) or "utf-8"
        return printable(text).encode(code, "replace").decode(code)


def _words(event: Progress | None, seconds: float, whole: float) -> dict[str, str]:
    """The parts of the line: seconds in all, what is done, how fast, how long it will take, and more."""
    words = {"whole": clock(whole), "part": "", "counts": "", "speed": "", "left": "", "more": ""}
    if event is None or event.is_over:
        return words
    if event.share is not None:
        words["part"] = f"{math.floor(100 * event.share):3}%"  # rounded down: it never says 100 %
    if isinstance(event.total, float):
        words["counts"] = f"of the {event.unit}"
    elif event.unit and (event.done or event.total is not None):  # none done of nobody knows how many says nothing
        words["counts"] = f"{event.done} {event.unit}" if event.total is None else f"{event.done}/{event.total} {event.unit}"
        if event.done and seconds > 0:
            rate = event.done / seconds
            words["speed"] = f", {rate:.0f}/s" if rate >= 100 else f", {rate:.3g}/s"
    # Where steps take unlike long, as pieces of levels or columns of an elimination, a share tells no time.
    if event.share and not isinstance(event.total, float):
        words["left"] = f", about {clock(seconds * (1 - event.share) / event.share)} left"
    if event.detail:
        words["more"] = f"; {event.detail}" if words["counts"] else f"({event.detail})"
    return words


def _doing(event: Progress | None) -> str:
    """What is being done; after the end of a phase, what was done last."""
    if event is None:
        return "working"
    return f"working, after: {event.phase}" if event.is_over else event.phase


def clock(seconds: float) -> str:
    """Seconds as people read them.

    >>> clock(7.4), clock(75), clock(7322)
    ('7 s', '1:15 min', '2:02 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60}:{whole % 60:02} min" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02} h"


def _bar(stream: TextIO) -> Any:
    """A bar of tqdm, with our words in its line, and no thread of its own.

    It is below the bars of the host. These are only counted: tqdm would go through their set to find a place,
    and other threads may change it meanwhile.
    """
    from tqdm import tqdm

    class Bar(tqdm):  # type: ignore[misc]
        monitor_interval = 0
        _lock = threading.RLock()  # one program, one line: no lock between processes
        _instances: ClassVar[WeakSet[Any]] = WeakSet()
        words = _words(None, 0, 0)

        @property
        def format_dict(self) -> dict[str, Any]:
            return {**super().format_dict, **self.words}

    of_host = len(getattr(tqdm, "_instances", ()))
    shown = {"file": stream, "position": of_host, "leave": False, "disable": False, "ncols": 80, "nrows": 24}
    return Bar(**shown, delay=1e-9, mininterval=0, miniters=1, smoothing=0)


def progress_bar(stream: TextIO | None = None) -> ProgressBar:
    """A line that shows how far a computation is, for ``progress=`` of every question.

    Parameters
    ----------
    stream : text stream, optional
        Standard error unless given. On a stream that is neither a terminal nor a notebook's nothing is drawn.

    Returns
    -------
    ProgressBar
        A listener and a context manager: the line is there inside ``with``, after a second of work, and is
        erased at its end, however it ends.

    Examples
    --------
    >>> from exactdp import BayesianConsumer, Loss, Prior, neighbours, optimum
    >>> graph = neighbours("grid:3x3")
    >>> who = BayesianConsumer(Loss.zero_one(graph.vertices), Prior.uniform(graph.vertices))
    >>> with progress_bar() as progress:
    ...     print(optimum(graph, "1/3", who, progress=progress).evidence.value)
    5/9
    """
    where = sys.stderr if stream is None else stream
    if isinstance(where, Progress):  # which a question tells to its listener
        remedy = "with progress_bar() as progress: …, and progress=progress inside"
        raise InputError(f"progress=progress_bar is the function that makes a line, and no line; write {remedy}")
    if not hasattr(where, "isatty"):
        raise InputError(f"the stream is a {type(where).__name__}; give an open text file, or None for standard error", value=where)
    return ProgressBar(where, visible=where.isatty() or type(where).__module__.startswith("ipykernel."))
