# SPDX-License-Identifier: MIT
"""A line that shows how far a long computation is: on a terminal, or in a notebook.

The line is drawn by tqdm, which is loaded only when the work has taken a while and somebody can see the line.
This module loads no numbers: ``exactdp verify`` uses it too.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from exactdp.errors import InputError, printable
from exactdp.runtime.background import Background
from exactdp.runtime.progress import listening

if TYPE_CHECKING:
    from exactdp.runtime.progress import Listener, Progress

PATIENCE = 1.0
"""Seconds of work before a line is drawn."""

BEAT = 0.2
"""Seconds from one drawing to the next."""

COUNTED = "{whole} {desc} {percentage:3.0f}%|{bar:12}| {counts}{speed}{left}{more}"
OPEN = "{whole} {desc} {counts}{speed}{more}"


class ProgressBar:
    """A listener that draws what it is told; :func:`progress_bar` makes one.

    Parameters
    ----------
    stream : text stream
        Where the line is drawn.
    visible : bool
        Whether anybody can see it; otherwise nothing is drawn and nothing is loaded.
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
        self._listening = listening(self).gen  # closed by one call, which no interrupt divides
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
                next(self._listening)
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
                    self._listening.close()
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
        pause = PATIENCE
        while not self._told_to_end(pause):
            with self._lock:
                self._show(*self._latest)
            pause = BEAT
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
            self._bar = _bar_class()(
                file=self._stream, leave=False, ncols=80, nrows=24, delay=1e-9, mininterval=0, miniters=1, smoothing=0, disable=False
            )
        bar, now = self._bar, time.monotonic()
        bar.ncols = self._columns() - 1
        bar.words = {name: self._plain(text) for name, text in _words(event, now - since, now - self._start).items()}
        bar.n, bar.total = (0, None) if event is None else (event.done, event.total or None)
        bar.start_t = bar._time() - (now - since)
        bar.bar_format = OPEN if bar.total is None else COUNTED
        bar.set_description_str("working" if event is None else self._plain(event.phase), refresh=False)
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
    words = {"whole": clock(whole), "counts": "", "speed": "", "left": "", "more": ""}
    if event is None:
        return words
    if isinstance(event.total, float):
        words["counts"] = f"of the {event.unit}"
    elif event.unit:
        words["counts"] = f"{event.done} {event.unit}" if event.total is None else f"{event.done}/{event.total} {event.unit}"
        if event.done and seconds > 0:
            rate = event.done / seconds
            words["speed"] = f", {rate:.0f}/s" if rate >= 100 else f", {rate:.3g}/s"
    if event.share:
        words["left"] = f", about {clock(seconds * (1 - event.share) / event.share)} left"
    words["more"] = f"; {event.detail}" if event.detail else ""
    return words


def clock(seconds: float) -> str:
    """Seconds as people read them.

    >>> clock(7.4), clock(75), clock(7322)
    ('7 s', '1:15 min', '2:02 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60}:{whole % 60:02} min" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02} h"


def _bar_class() -> Any:
    """The class of tqdm, with our words in its line and no thread of its own."""
    from tqdm import tqdm

    class Bar(tqdm):  # type: ignore[misc]
        monitor_interval = 0
        _lock = threading.RLock()  # one program, one line: no lock between processes
        words = _words(None, 0, 0)

        @property
        def format_dict(self) -> dict[str, Any]:
            return {**super().format_dict, **self.words}

    return Bar


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
    if not hasattr(where, "isatty"):
        raise InputError(f"the stream is a {type(where).__name__}; give an open text file, or None for standard error", value=where)
    return ProgressBar(where, visible=where.isatty() or type(where).__module__.startswith("ipykernel."))
