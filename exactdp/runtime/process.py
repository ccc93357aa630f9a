# SPDX-License-Identifier: MIT
"""The process of a command: its supervisor, its standard streams, and what it does in the background.

A command stops by itself at the next step that it reports (:mod:`exactdp.runtime.progress`), or where Python
delivers a signal. For what does neither there is one supervisor: the command runs in a child process, and its
parent waits. The parent passes signals on. At :data:`INTERRUPT_AFTER` seconds past the time limit it
interrupts the child. It kills a child that does not end in the time that it has for that.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import select
import signal
import sys
import threading
import time
from _thread import start_new_thread
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NoReturn

from exactdp.errors import bounded

if TYPE_CHECKING:
    import subprocess

INTERRUPT_AFTER = 3.0
"""Seconds after its time limit at which a command that has not stopped by itself is interrupted."""

KILL_AFTER = 3.0
"""Seconds that a command then has to say what is certain."""

GRACE = 2.0
"""Seconds that a command has to end after a signal from outside."""

LIMIT, UNWRITTEN = 4, 5
"""The exit codes when the time is up, and when that can't be told as JSON."""


# ---- Signals, the time limit, and the supervisor


class TimeIsUpError(BaseException):
    """Raised in the main thread when a command does not stop by itself; nothing but the program catches it,
    and tells what is certain.
    """


def time_is_up(seconds: float, step: object) -> str:
    """The sentence for a time limit: what was being done, and how far it was; None where that is not known.

    >>> time_is_up(2, None)
    'the time limit of 2 s has passed'
    """
    said = f"the time limit of {seconds:g} s has passed"
    return said if step is None else f"{said} while this was done: {step}"


class Deadline:
    """The time limit of a command, from the start of the program until its answer is there."""

    def __init__(self) -> None:
        self.start = time.monotonic()
        self._seconds: float | None = None
        self._step: Callable[[], object] = lambda: None
        self._unanswered: int | None = None

    def set(self, seconds: float, step: Callable[[], object]) -> None:
        """The command ends so many seconds after the program began; ``step()`` is what is being done."""
        self._seconds, self._step = seconds, step

    def cancel(self) -> None:
        """The answer is there: however long its reader takes, no limit ends the program."""
        self._seconds = None
        if self._unanswered is not None:
            os.close(self._unanswered)
            self._unanswered = None

    @property
    def sentence(self) -> str:
        """That the time is up, and what was being done."""
        return time_is_up(self._seconds or 0.0, self._step())

    def on_signal(self, number: int, frame: object) -> None:
        """End the command: by its time limit, which the supervisor keeps, or by a signal from outside."""
        if number == _ALARM:
            if self._seconds is not None:
                raise TimeIsUpError
            return
        if self._unanswered is not None:  # a terminal signals parent and child, and the parent passes it on
            for other in _SIGNALS:
                signal.signal(other, signal.SIG_IGN)
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + number)


def _numbers(*names: str) -> tuple[int, ...]:
    """The signals of these names that the system has."""
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))


_SIGNALS = _numbers("SIGINT", "SIGTERM", "SIGHUP")
"""What ends the program."""

_ALARM = next(iter(_numbers("SIGALRM")), -1)
"""Sent by the supervisor when the time is up."""

_ORPHANED = _numbers("SIGIO")
"""Sent by the system when the supervisor itself was killed."""


@contextlib.contextmanager
def interruptible(deadline: Deadline, words: Sequence[str] | None = None) -> Iterator[None]:
    """Let Ctrl-C, SIGTERM, SIGHUP and a time limit end the program.

    A signal that the program was started to ignore, as by nohup, stays ignored. In another thread than the
    main one there is nothing to do.

    * ``deadline``: the time limit.
    * ``words``: the words of the command. With them a supervisor is started: what is inside ``with`` is done
      in a child process, and this one ends as the child does. Python delivers a signal when its main thread
      next runs Python code, which a long call into a library may put off for minutes. The supervisor ends
      such a child. Nothing is half-written then: files are written under another name and renamed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heeded = [number for number in (*_SIGNALS, *_numbers("SIGALRM"), *_ORPHANED) if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, deadline.on_signal) for number in heeded}
    try:
        if words is not None and hasattr(os, "fork"):
            with contextlib.suppress(OSError):  # no file or process is left: the command runs without a supervisor
                _start_supervisor(deadline, words, {number for number in heeded if number in _SIGNALS})
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) != signal.SIG_IGN:  # ignored since the first that came
                signal.signal(number, handler or signal.SIG_DFL)
        if words is not None and _ALARM in before:
            signal.signal(_ALARM, signal.SIG_IGN)  # the answer is there: the supervisor's alarm comes too late to end it


def _start_supervisor(deadline: Deadline, words: Sequence[str], passed_on: set[int]) -> None:
    """Go on in a child process; the parent supervises it, and never returns."""
    reading, writing = os.pipe()  # the child closes its end when it has an answer
    awaited = {*passed_on, _ALARM, signal.SIGCHLD}
    handler = signal.signal(signal.SIGCHLD, lambda *_: None)  # a signal without a handler is not waited for everywhere
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    try:
        child = os.fork()
    except OSError:
        os.close(writing)
        raise
    else:
        if child:
            try:
                os.close(writing)
                _supervise(child, reading, deadline.start, words, awaited)
            finally:
                os._exit(70)  # whatever happens, the command runs once
        deadline._unanswered = writing
        _end_with_parent(writing)
    finally:
        os.close(reading)
        signal.signal(signal.SIGCHLD, handler or signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _end_with_parent(writing: int) -> None:
    """Have the system send this process a signal when nobody can read the pipe any more."""
    import fcntl  # not on every system

    with contextlib.suppress(OSError, AttributeError):
        fcntl.fcntl(writing, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(writing, fcntl.F_SETFL, fcntl.fcntl(writing, fcntl.F_GETFL) | os.O_ASYNC)


def _supervise(child: int, unanswered: int, start: float, words: Sequence[str], awaited: set[int]) -> NoReturn:
    """Pass signals on to the child, keep its time limit, and end as it does."""
    seconds = _seconds_in(words)
    if seconds is not None:
        signal.setitimer(signal.ITIMER_REAL, max(0.001, start + seconds + INTERRUPT_AFTER - time.monotonic()))
    sent = 0  # the last signal that the child has to end by
    while True:
        number = signal.sigwait(awaited)
        if number == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                _end_as(os.waitstatus_to_exitcode(status))
        elif number != _ALARM:
            sent = number
            os.kill(child, sent)
            signal.setitimer(signal.ITIMER_REAL, GRACE)
        elif sent in (0, _ALARM) and select.select([unanswered], [], [], 0)[0]:
            continue  # the answer is there, and its reader may be slow
        elif sent:
            break
        else:
            sent = _ALARM
            os.kill(child, sent)
            signal.setitimer(signal.ITIMER_REAL, KILL_AFTER)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if sent == _ALARM:
        _end_with(LIMIT, *_last_words(f"{time_is_up(seconds or 0.0, None)} in one long step of arithmetic", as_json="--json" in words))
    _end_with(128 + sent, 2, "Interrupted." if sent == signal.SIGINT else "")


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


def _end_as(code: int) -> NoReturn:
    """End as the child did: with its exit code, or by the signal that killed it, as when memory is short."""
    if code < 0:
        with contextlib.suppress(OSError):  # SIGKILL has no other effect
            signal.signal(-code, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
        os.kill(os.getpid(), -code)
    os._exit(code)


def _last_words(sentence: str, *, as_json: bool) -> tuple[int, str]:
    """Where the supervisor says that the time is up, and how."""
    return (1, failure_json(sentence, "ResourceLimitError", LIMIT)) if as_json else (2, f"Error: {bounded(sentence)}")


def _end_with(code: int, stream: int, text: str) -> NoReturn:
    """End the process with a last line in place of the line of progress, unless its reader is slow."""
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


def failure_json(message: str, error_type: str, code: int) -> str:
    """The one JSON object of a command that has no answer: undecided at a limit, else without a verdict."""
    import json  # only for this message

    verdict = "undecided" if code == LIMIT else None
    body = {"verdict": verdict, "claim": None, "error": bounded(message), "error_type": error_type, "certificate": None}
    return json.dumps({**body, "exit_code": code}, indent=2)


# ---- Standard streams, which may be full, gone or closed from the start


class FailureRecorder(io.RawIOBase):
    """The bytes of a stream. A write that fails raises nothing: it is recorded, and what follows is dropped.

    Attributes
    ----------
    failure : OSError or None
        Why not everything was written.
    begun : bool
        Whether anything was.
    """

    def __init__(self, raw: Any) -> None:
        super().__init__()
        self.failure: OSError | None = None
        self.begun = False
        self._raw = raw

    def fileno(self) -> int:
        """The number of the stream."""
        return int(self._raw.fileno())

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return bool(self._raw.isatty())

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, data: Any) -> int:
        """Write some of the bytes, and say how many."""
        while self.failure is None:
            try:
                count = self._raw.write(data)
                if count is not None:
                    self.begun = True
                    return int(count)
                select.select([], [self], [])  # the other end made the stream one that does not wait
            except OSError as error:
                self.failure = error
        return len(data)


class Streams:
    """What became of the answer on standard output."""

    def __init__(self, out: FailureRecorder | None, err: FailureRecorder | None) -> None:
        self._out, self._err = out, err

    @property
    def begun(self) -> bool:
        """Whether some of the answer has been written."""
        return self._out is not None and self._out.begun

    def drop(self, *, errors: bool = False) -> None:
        """Write no more of an answer that was interrupted, or of errors: the reader may be slow."""
        for raw in (self._out, self._err if errors else None):
            if raw is not None and raw.failure is None:
                raw.failure = BrokenPipeError()

    def failure(self) -> str | None:
        """Why the answer was not written; None if it was, or if its reader did not want all of it."""
        if self._out is None:
            return None
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        if self._out.failure is None and self._out.begun:
            try:
                os.close(os.dup(self._out.fileno()))  # when a network's file system tells that it is full
            except OSError as error:
                if error.errno != errno.EMFILE:  # with no file left it is not known, and all was taken
                    self._out.failure = error
        failure = self._out.failure
        if failure is None or isinstance(failure, BrokenPipeError):
            return None
        return "it is closed" if failure.errno == errno.EBADF else failure.strerror or str(failure)


@contextlib.contextmanager
def standard_streams() -> Iterator[Streams]:
    """Inside ``with``: standard input, output and error that can be used whatever they are.

    What is closed is opened on the null device, the wrong way round for input and output, so that using it
    fails as it does when it is closed. Otherwise the next file that is opened would get its number, and what
    is printed would be written into that file. A stream that somebody has put in the place of a standard one
    is left as it is.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(_null_device(number), True)  # it has the least free number: this one
    before = sys.stdin, sys.stdout, sys.stderr
    raw: dict[str, FailureRecorder] = {}
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if stream is getattr(sys, f"__{name}__"):
            raw[name] = FailureRecorder(io.FileIO(_null_device(number), "w") if stream is None else _unbuffered(stream))
            by_line = name == "stderr" or raw[name].isatty()
            encoding = getattr(stream, "encoding", None) or "utf-8"
            setattr(sys, name, io.TextIOWrapper(io.BufferedWriter(raw[name]), encoding, errors="replace", line_buffering=by_line))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if sys.stdin is None:
        sys.stdin = open(_null_device(0), encoding="utf-8")  # noqa: SIM115 - whoever reads finds that it is closed
    try:
        yield Streams(raw.get("stdout"), raw.get("stderr"))
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        sys.stdin, sys.stdout, sys.stderr = before


def _null_device(number: int) -> int:
    """The null device in place of a closed stream: only to write for input, only to read for output.

    What standard error is told goes nowhere, also from other programs that inherit it.
    """
    return os.open(os.devnull, (os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)[number])


def _unbuffered(stream: Any) -> Any:
    """The unbuffered stream below a standard one, after what was printed before has been written."""
    with contextlib.suppress(OSError):
        stream.flush()
    return getattr(stream.buffer, "raw", stream.buffer)


# ---- Threads and processes that are begun so that an interrupt at any moment leaves nothing behind


class Background:
    """A thread that does some work.

    It is begun, and waited for, by single calls of C, which no interrupt divides. Those of
    :class:`threading.Thread` are Python code: an interrupt inside ``start`` leaves a thread not begun
    in :func:`threading.enumerate`, and one inside ``join`` marks a thread that runs on as stopped.

    * ``work``: what is done. An interrupt of the program does not reach it.

    >>> found = []
    >>> thread = Background(lambda: found.append(6 * 7))
    >>> thread.start()
    >>> thread.wait()
    >>> thread.over, found
    (True, [42])
    """

    def __init__(self, work: Callable[[], object]) -> None:
        self.over = True
        self._work = work
        self._ended: SimpleQueue[None] = SimpleQueue()

    def start(self) -> None:
        """Begin, once.

        * raises RuntimeError: the system has no room for a thread.
        """
        self.over = False
        try:
            start_new_thread(self._run, ())
        except RuntimeError:
            self.over = True
            raise

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self.over = True
            self._ended.put(None)

    def wait(self, seconds: float | None = None) -> None:
        """Until the work is over, or so many seconds have passed."""
        if not self.over:  # what says so is taken once: afterwards nothing comes
            with contextlib.suppress(Empty):
                self._ended.get(timeout=seconds)


def start_process(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """A child process with pipes to its standard input and output.

    An interrupt inside :class:`subprocess.Popen` leaves a process that nobody knows. So it is started in a
    thread, where none comes; and after one that comes meanwhile the process is ended.

    * raises OSError: it can't be started.
    """
    from subprocess import DEVNULL, PIPE, Popen  # only where a process is started

    started: list[subprocess.Popen[bytes]] = []
    failed: list[Exception] = []

    def start() -> None:
        try:
            started.append(Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL))
        except Exception as error:
            failed.append(error)

    thread = Background(start)
    try:
        thread.start()
        thread.wait()
    except RuntimeError as error:
        raise OSError(errno.ENOMEM, str(error)) from None  # there is no room for a thread
    except BaseException:
        thread.wait()
        for process in started:
            end_process(process)
        raise
    if failed:
        raise failed[0]
    return started[0]


def end_process(process: subprocess.Popen[bytes]) -> int:
    """Kill a process, and close its pipes; its code. What an interrupt cuts short is done again."""
    try:
        return _killed(process)
    except BaseException:
        _killed(process)
        raise


def _killed(process: subprocess.Popen[bytes]) -> int:
    process.kill()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # what it did not read
                stream.close()
    return process.wait()
