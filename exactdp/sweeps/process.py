# SPDX-License-Identifier: MIT
"""The process that answers: a child of a worker, one question at a time, which may be ended at any moment.

A question may run away inside a library, where no limit is asked, or take more memory than there is. It is
then ended with its process, and the worker and the other questions of the batch go on. The child is started
once and answers many questions; it is a fresh interpreter, so that no answer depends on what the worker has
done before.

``python -m exactdp.sweeps.process`` is the child. A line of JSON goes in: questions, the seconds of each, the
seconds of all, and the bytes beyond which it begins no further one. A line comes out for each answer as soon
as it is there, and an empty one when no more will come. So small questions are not sent one by one, and yet
the first one without a line is the one that ended the process.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Self

from exactdp.runtime.files import write_all
from exactdp.sweeps.answer import Answer, versions

BATCH = 2.0
"""Seconds that a batch of questions takes, if it has enough and none is longer."""

LATE = 5.0
"""Seconds after its time limit at which a question that has not looked up is ended with its process."""

LONGEST = 1e8
"""Seconds (three years) beyond which no timer is set: systems have a largest one."""

LOOKS = 0.05
"""Seconds between two looks at how much memory a process has."""

NAP = 0.03
"""Seconds between two looks for the answers to small questions: to wake up for each would cost more."""

PLENTY = 2**14
"""Bytes of answers at a look from which on the next look comes at once: a pipe holds four times as many."""

STARTS = 120.0
"""Seconds that a process may need to start, on a busy machine."""

ATTEMPTS = 5
"""So often is a process started that is killed meanwhile; one that ends by itself is not started again."""

SPARE = 4 * 2**30
"""Bytes of address space beyond the memory limit: libraries reserve more than they use."""

COMMAND = (sys.executable, "-m", "exactdp.sweeps.process")
"""How the process is started."""

TIMES = 2
"""A question whose process dies so often, and by no limit, has failed."""


class Answerer:
    """Answers questions in a child process, within limits.

    * ``seconds``: the time limit of each question.
    * ``memory``: the most bytes (resident set) that the process may have.
    * ``command``: what is started, if not :func:`serve`.

    >>> with Answerer(60, 2**30) as answerer:
    ...     answer = answerer.answer('{"ask":"tight","graph":"path:3","level":"1/2"}')
    >>> answer.verdict, answer.value
    ('proved', '5/9')
    """

    def __init__(self, seconds: float, memory: int, command: Sequence[str] = COMMAND) -> None:
        self.limits, self.command = (seconds, memory), command
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._rest = b""
        self._over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def answer(self, text: str) -> Answer:
        """The answer to the question with this canonical text, whatever happens to its process."""
        return Answer.of_line(self.answers([text])[0])

    def answers(self, texts: Sequence[str], until: float = BATCH) -> list[bytes]:
        """The answers to the first of some questions, whatever happens to the process, as they are sent.

        * ``texts``: their canonical texts, at least one.
        * ``until``: seconds after which no further question is begun.

        Returns: at least one line of an :class:`~exactdp.sweeps.answer.Answer`.
        """
        end, seconds, enough = time.monotonic() + until, self.limits[0], self.limits[1] // 2
        found: list[bytes] = []
        deaths = 0
        while len(found) < len(texts) and (not found or time.monotonic() < end):
            start = time.perf_counter()
            try:
                self._start()
                self._send(json.dumps([texts[len(found) :], seconds, end - time.monotonic(), enough]).encode() + b"\n")
                size = 0
                while line := self._read(seconds + LATE):
                    found.append(line)
                    start, deaths = time.perf_counter(), 0
                    size += len(line)
                    if not self._rest and len(found) < len(texts):
                        if size < PLENTY:  # not beyond the end, where the next batch should begin at once
                            time.sleep(max(0.0, min(NAP, end - time.monotonic())))
                        size = 0
                if int(found[-1].partition(b" ")[0]) > enough:  # what libraries keep is not the next question's
                    self.stop()
            except _EndedError as ended:
                deaths += 1
                if ended.limited or deaths == TIMES:
                    verdict, message = ("limit", ended.reason) if ended.limited else ("failed", f"{ended.reason}, {TIMES} times")
                    took, most = time.perf_counter() - start, self._most
                    none = Answer(texts[len(found)], verdict, message=message, seconds=took, memory=most, versions=versions())
                    found.append(none.to_line())
                    deaths = 0
        return found

    def end(self) -> None:
        """Kill the process for good, from another thread than that which asks; that one then raises."""
        self._over = True  # before the look at the process: it is started after a look at this
        process = self._process
        if process is not None:
            process.kill()

    def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    stream.close()  # type: ignore[union-attr]
            process.wait()
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    def _start(self) -> None:
        """Start the process, unless it is there and lives; again if somebody kills it meanwhile."""
        self._most = 0
        if self._process is not None and self._process.poll() is None:
            return
        for attempt in range(1, ATTEMPTS + 1):
            if self._over:
                raise RuntimeError("the process that answers questions was ended")
            try:
                self._started()
            except _EndedError as ended:
                if ended.limited:
                    raise
                if not ended.killed or attempt == ATTEMPTS:
                    raise RuntimeError(f"the process that answers questions does not start: {ended.reason}") from None
            else:
                return

    def _started(self) -> None:
        """Start a process, and wait until it is ready."""
        self.stop()
        self._rest = b""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, **one},
        )
        if self._over:
            self._process.kill()
        _bound(self._process, self.limits[1] + SPARE)
        self._read(STARTS)

    def _send(self, message: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended; reading tells how
            self._process.stdin.write(message)
            self._process.stdin.flush()

    def _read(self, seconds: float) -> bytes:
        """The next line.

        * raises _EndedError: it did not come; the process is then ended.
        """
        process, end = self._process, time.monotonic() + seconds
        assert process is not None
        assert process.stdout is not None
        self._most = 0
        while b"\n" not in self._rest:
            if select.select([process.stdout], [], [], LOOKS)[0]:
                found = os.read(process.stdout.fileno(), 2**20)
                if not found:
                    raise self._death()
                self._rest += found
                continue
            self._most = max(self._most, _resident(process))
            if self._most > self.limits[1]:
                self.stop()
                raise _EndedError(f"more than the memory limit of {self.limits[1]:,} bytes", True)
            if time.monotonic() > end:
                self.stop()
                raise _EndedError(f"the time limit of {self.limits[0]:g} s has passed in one long step of arithmetic", True)
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _death(self) -> _EndedError:
        """How the process ended, and whether that was for want of memory or time."""
        process, errors = self._process, self._errors
        assert process is not None
        assert errors is not None
        code = process.wait()
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip()
        self.stop()
        last = said.splitlines()[-1][:200] if said else ""
        if code == -signal.SIGALRM:
            return _EndedError(f"the time limit of {self.limits[0]:g} s has passed in one long step of arithmetic", True)
        if any(word in said.lower() for word in ("alloc", "memory")):
            return _EndedError(f"more than the memory limit of {self.limits[1]:,} bytes ({last})", True)
        how = f"signal {-code}" if code < 0 else f"code {code}"
        return _EndedError(f"the process that answered ended by {how}" + (f" ({last})" if last else ""), False, code < 0)


class _EndedError(Exception):
    """The process has ended: why, whether that was a limit, and whether a signal ended it."""

    def __init__(self, reason: str, limited: bool, killed: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.limited, self.killed = reason, limited, killed


def _bound(process: subprocess.Popen[bytes], size: int) -> None:
    """Let the system refuse a process more address space, in case that it takes it between two looks."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError, OverflowError):
        import resource

        resource.prlimit(process.pid, resource.RLIMIT_AS, (size, size))


def _resident(process: subprocess.Popen[bytes] | None) -> int:
    """The resident set of a process in bytes; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{process.pid}/statm").read_bytes().split()[1]) if process is not None else 0
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


# --- The child ---


def serve(answered: Callable[[str, float], Answer] | None = None) -> None:
    """Answer the questions of standard input on standard output, until it ends or a timer does.

    * ``answered``: from the text of a question and its seconds to the answer; that of a sweep unless
      given.
    """
    if answered is None:
        from exactdp.sweeps import asking  # all of the analysis, which the worker itself does not need

        answered = asking.answered
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all; the worker decides
    answers = os.dup(1)
    os.dup2(2, 1)  # what a library prints is no answer
    questions = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    here, there = os.pipe()
    threading.Thread(target=_forward, args=(questions, there), daemon=True).start()
    os.write(answers, b"ready\n")
    peak = _Peak()
    timer = getattr(signal, "setitimer", lambda *_: None)  # by the system, also where no Python code runs
    real = getattr(signal, "ITIMER_REAL", 0)
    with os.fdopen(here, "rb") as lines:
        for line in lines:
            texts, seconds, until, enough = json.loads(line)
            end = time.monotonic() + until
            for text in texts:
                peak.forget()
                timer(real, min(seconds + 2 * LATE, LONGEST))
                answer = answered(text, seconds)
                memory = peak.bytes()
                write_all(answers, answer.to_line(memory) + b"\n")
                if memory > enough or time.monotonic() >= end:
                    break
            timer(real, 0)
            write_all(answers, b"\n")


def _forward(questions: int, there: int) -> None:
    """Pass questions on; when the worker has ended, however it ended, so does this process."""
    while found := os.read(questions, 2**16):
        write_all(there, found)
    os._exit(0)


class _Peak:
    """The largest resident set of this process: since it was last forgotten on Linux, else ever."""

    def __init__(self) -> None:
        self._counter = self._status = -1
        with contextlib.suppress(OSError):
            self._counter = os.open("/proc/self/clear_refs", os.O_WRONLY)
        with contextlib.suppress(OSError):
            self._status = os.open("/proc/self/status", os.O_RDONLY)

    def forget(self) -> None:
        """Let the system count from now on."""
        with contextlib.suppress(OSError):
            os.write(self._counter, b"5")

    def bytes(self) -> int:
        """So many."""
        try:
            found = os.pread(self._status, 2**16, 0)
            return int(found[found.index(b"VmHWM:") + 6 :].split(None, 1)[0]) * 1024
        except (OSError, ValueError, AttributeError):  # Windows has no pread
            pass
        try:
            import resource
        except ImportError:
            return 0
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


if __name__ == "__main__":
    serve()
