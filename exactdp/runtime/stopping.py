# SPDX-License-Identifier: MIT
"""How the program ends before its answer is there: by Ctrl-C, SIGTERM, or its time limit.

A computation looks up at every step that it tells (:mod:`exactdp.runtime.progress`). For what does not look
up there are three lines behind it: after :data:`LATE` seconds Python's main thread is interrupted; after
:data:`GRACE` more a thread ends the process; and where one call of a library lets no thread run, a parent
process ends it after :data:`DEAF` seconds.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn

from exactdp.errors import bounded
from exactdp.runtime.bar import ProgressBar
from exactdp.runtime.progress import time_is_up

GRACE = 1.0
"""Seconds that the main thread has for a clean end after an interrupt."""

LATE = 3.0
"""Seconds after its time limit at which a command that has not looked up is interrupted."""

DEAF = 6.0
"""Seconds after its time limit at which a process that can't be interrupted is ended."""

LIMIT, UNWRITTEN = 4, 5
"""The exit codes when the time is up, and when that can't be told as JSON."""

_ALARM = signal.SIGTERM
"""What the main thread is interrupted with."""


class TimeIsUpError(BaseException):
    """Raised in the main thread when a command does not end by itself; nothing but the program catches it,
    and tells what is certain.
    """


class Clock:
    """The time limit of a command, and what keeps it."""

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.as_json = False
        self._seconds: float | None = None
        self._line: ProgressBar | None = None
        self.rung = False
        self._supervised: int | None = None
        self._changed: Callable[[], object] = lambda: None

    def set(self, seconds: float, line: ProgressBar, *, as_json: bool) -> None:
        """The command ends so many seconds after the program began; the line knows what is being done."""
        self._seconds, self._line, self.as_json = seconds, line, as_json
        self._changed()

    def stop(self) -> None:
        """The answer is there: however long its reader takes, no limit ends the program."""
        self._seconds = None
        if self._supervised is not None:
            os.close(self._supervised)
            self._supervised = None

    @property
    def runs(self) -> bool:
        """Whether there is a limit, and no answer."""
        return self._seconds is not None

    @property
    def left(self) -> float | None:
        """Seconds until the main thread is interrupted; None for ever."""
        return None if self._seconds is None or self.rung else max(0.001, self.start + self._seconds + LATE - time.monotonic())

    @property
    def sentence(self) -> str:
        """That the time is up, and what was being done."""
        return time_is_up(self._seconds or 0.0, None if self._line is None else self._line.latest)

    def ring(self) -> None:
        """Interrupt the main thread, unless the answer is there."""
        if self.runs:
            self.rung = True
            interrupt_main(_ALARM)

    def on_signal(self, number: int, frame: object) -> None:
        """A signal, from this clock or from outside."""
        if not self.rung or number != _ALARM:
            raise SystemExit(128 + number)
        if self.runs:
            raise TimeIsUpError

    def supervise(self, words: Sequence[str]) -> None:
        """Go on in a child process, if these words set a time limit; this one ends it when it is deaf."""
        seconds = _seconds_in(words)
        if seconds is None or not hasattr(os, "fork"):
            return
        try:
            theirs, ours = os.pipe()
        except OSError:  # no file is left: the two other lines hold
            return
        try:
            child = os.fork()
        except OSError:  # no process is left
            os.close(theirs)
            os.close(ours)
            return
        self._supervised = ours
        if child:
            os.close(ours)
            _supervise(child, theirs, self.start + seconds + DEAF, seconds, as_json="--json" in words)
        os.close(theirs)


def _seconds_in(words: Sequence[str]) -> float | None:
    """The time limit in the words of a command; None where the command itself has to say what is wrong.

    >>> _seconds_in(["privacy", "t.csv", "--time-limit", "2"]), _seconds_in(["demo", "--time-limit=0.5"])
    (2.0, 0.5)
    """
    text = None
    for word, following in zip(words, [*words, ""][1:], strict=True):
        option, equals, value = word.partition("=")
        if word == "--":  # what follows is no option
            break
        if option == "--time-limit":
            text = value if equals else following
    try:
        seconds = -1 if text is None else float(text)
    except ValueError:
        return None
    return seconds if 0 <= seconds < threading.TIMEOUT_MAX / 2 else None


def _supervise(child: int, theirs: int, end: float, seconds: float, *, as_json: bool) -> NoReturn:
    """Wait for the child, which closes its end of the pipe when it has an answer, and end as it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to both
    for number in _STOPPING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, _: _pass_on(child, number))
    if not select.select([theirs], [], [], max(0.0, end - time.monotonic()))[0]:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        end_with(LIMIT, *last_words(f"{time_is_up(seconds, None)} in one long step of arithmetic", as_json=as_json))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0:
        with contextlib.suppress(OSError):  # SIGKILL, as when memory is short, has no other effect
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _pass_on(child: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it has just ended
        os.kill(child, number)


@contextlib.contextmanager
def interruptible(clock: Clock) -> Iterator[None]:
    """Let Ctrl-C, SIGTERM, SIGHUP and a time limit end the program soon, also while a library computes
    without looking up.

    Python delivers a signal when its main thread next runs Python code, which a long call into a solver may
    put off for minutes. The interpreter writes the signal's number to a pipe at once; a thread reads it,
    gives the main thread :data:`GRACE` seconds to clean up, and then ends the process. Nothing is
    half-written then: files are written under another name and renamed, and that happens in Python code,
    which an interrupt stops in time. In another thread than the main one there is nothing to do. A signal
    that the program was started to ignore, as by nohup, stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, clock.on_signal) for number in _STOPPING if signal.getsignal(number) != signal.SIG_IGN}
    end: Callable[[], object] = lambda: None  # noqa: E731 - where nothing watches
    with contextlib.suppress(OSError, RuntimeError):  # no file or thread is left: a signal waits for Python code
        end = _watched(clock)
    try:
        yield
    finally:
        end()
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)


def _watched(clock: Clock) -> Callable[[], object]:
    """Start the thread that reads the signals' numbers; call what is returned to end it."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(reading, done, clock), daemon=True)
    try:
        watcher.start()
    except RuntimeError:
        os.close(reading)
        os.close(writing)
        raise
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    unchanged, clock._changed = clock._changed, lambda: os.write(writing, b"\0")

    def end() -> None:
        done.set()
        signal.set_wakeup_fd(before)
        clock._changed = unchanged  # the next file that is opened may have the pipe's number
        os.close(writing)
        watcher.join()
        os.close(reading)

    return end


_STOPPING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def _watch(reading: int, done: threading.Event, clock: Clock) -> None:
    """Wait for a signal's number, the time limit, or the end of the body."""
    numbers = b"\0"
    while numbers:
        number = next((n for n in numbers if n in (signal.SIGINT, *_STOPPING) and not (clock.rung and n == _ALARM)), None)
        if number is not None and not done.wait(GRACE):
            end_with(128 + number, 2, "Interrupted." if number == signal.SIGINT else "")
        if select.select([reading], [], [], clock.left)[0]:
            numbers = os.read(reading, 16)
            continue
        clock.ring()
        if clock.rung and not done.wait(GRACE) and clock.runs:
            end_with(LIMIT, *last_words(clock.sentence, as_json=clock.as_json))


def last_words(sentence: str, *, as_json: bool) -> tuple[int, str]:
    """Where the program says that its time is up, and how."""
    return (1, failure_json(sentence, "ResourceLimitError", LIMIT)) if as_json else (2, f"Error: {bounded(sentence)}")


def failure_json(message: str, error_type: str, code: int) -> str:
    """The one JSON object of a command that has no answer: undecided at a limit, else without a verdict."""
    import json  # only for this message

    verdict = "undecided" if code == LIMIT else None
    body = {"verdict": verdict, "claim": None, "error": bounded(message), "error_type": error_type, "certificate": None}
    return json.dumps({**body, "exit_code": code}, indent=2)


def end_with(code: int, stream: int, text: str) -> NoReturn:
    """End the process at once, with a last line in place of the line of progress, unless its reader waits."""
    with contextlib.suppress(OSError):
        os.write(2, b"\r\x1b[K" if os.isatty(2) else b"")
    try:
        if text and select.select([], [stream], [], 0)[1]:
            os.write(stream, f"{text}\n".encode(errors="replace"))
    except BrokenPipeError:
        pass
    except OSError:
        code = code if stream == 2 else UNWRITTEN
    os._exit(code)
