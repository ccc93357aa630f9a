# SPDX-License-Identifier: MIT
"""The process that answers: a child of a worker, one question at a time, which may be ended at any moment.

A question may run away inside a library, where no limit is asked, or take more memory than there is. It is
then ended with its process, and the worker and the other questions of the batch go on. The child is started
once and answers many questions; it is a fresh interpreter, so that no answer depends on what the worker has
done before.

``python -m exactdp.sweeps.process`` is the child: a line of JSON in, a line of JSON out.
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
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Self

from exactdp.sweeps.answer import Answer, versions

BATCH = 2.0
"""Seconds that a batch of questions takes, if it has enough and none is longer."""

LATE = 5.0
"""Seconds after its time limit at which a question that has not looked up is ended with its process."""

LOOKS = 0.05
"""Seconds between two looks at how much memory a process has."""

STARTS = 120.0
"""Seconds that a process may need to start, on a busy machine."""

SPARE = 4 * 2**30
"""Bytes of address space beyond the memory limit: libraries reserve more than they use."""

COMMAND = (sys.executable, "-m", "exactdp.sweeps.process")
"""How the process is started."""

TIMES = 2
"""A question whose process dies so often, and by no limit, has failed."""


class Answerer:
    """Answers questions in a child process, within limits.

    Parameters
    ----------
    seconds : float
        The time limit of each question.
    memory : int
        The most bytes (resident set) that the process may have.
    command : sequence of str, optional
        What is started, if not :func:`serve`.

    Examples
    --------
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def answer(self, text: str) -> Answer:
        """The answer to the question with this canonical text, whatever happens to its process."""
        seconds, memory = self.limits
        reason = ""
        for _ in range(TIMES):
            start = time.perf_counter()
            line, reason, limited = self._start()
            if line is not None:
                line, reason, limited = self._exchange(json.dumps([text, seconds]).encode() + b"\n", seconds + LATE)
            elif not limited:
                raise RuntimeError(f"the process that answers questions does not start: {reason}")
            if line is not None:
                answer = Answer(**json.loads(line))
                if answer.memory > memory // 2:  # what libraries keep is not the next question's
                    self.stop()
                return answer
            if limited:
                took = time.perf_counter() - start
                return Answer(text, "limit", message=reason, seconds=took, memory=self._most, versions=versions())
        took = time.perf_counter() - start
        return Answer(text, "failed", message=f"{reason}, {TIMES} times", seconds=took, memory=self._most, versions=versions())

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

    def _start(self) -> tuple[bytes | None, str, bool]:
        """Start the process, unless it is there and lives; what it says then, as :meth:`_read` has it."""
        self._most = 0
        if self._process is not None and self._process.poll() is None:
            return b"", "", False
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
        _bound(self._process, self.limits[1] + SPARE)
        return self._read(STARTS)

    def _exchange(self, message: bytes, seconds: float) -> tuple[bytes | None, str, bool]:
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended; reading tells how
            self._process.stdin.write(message)
            self._process.stdin.flush()
        return self._read(seconds)

    def _read(self, seconds: float) -> tuple[bytes | None, str, bool]:
        """The next line; or None, the reason, and whether that was a limit. The process is then ended."""
        process, end = self._process, time.monotonic() + seconds
        assert process is not None
        assert process.stdout is not None
        while b"\n" not in self._rest:
            if select.select([process.stdout], [], [], LOOKS)[0]:
                found = os.read(process.stdout.fileno(), 2**20)
                if not found:
                    return None, *self._death()
                self._rest += found
                continue
            self._most = max(self._most, _resident(process))
            if self._most > self.limits[1]:
                self.stop()
                return None, f"more than the memory limit of {self.limits[1]:,} bytes", True
            if time.monotonic() > end:
                self.stop()
                return None, f"the time limit of {self.limits[0]:g} s has passed in one long step of arithmetic", True
        line, _, self._rest = self._rest.partition(b"\n")
        return line, "", False

    def _death(self) -> tuple[str, bool]:
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
            return f"the time limit of {self.limits[0]:g} s has passed in one long step of arithmetic", True
        if any(word in said.lower() for word in ("alloc", "memory")):
            return f"more than the memory limit of {self.limits[1]:,} bytes ({last})", True
        how = f"signal {-code}" if code < 0 else f"code {code}"
        return f"the process that answered ended by {how}" + (f" ({last})" if last else ""), False


def _bound(process: subprocess.Popen[bytes], size: int) -> None:
    """Let the system refuse a process more address space, in case that it takes it between two looks."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
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


def serve() -> None:
    """Answer the questions of standard input on standard output, until it ends or a timer does."""
    from exactdp.sweeps.asking import answered  # all of the analysis, which the worker itself does not need

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all; the worker decides
    answers = os.dup(1)
    os.dup2(2, 1)  # what a library prints is no answer
    questions = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    here, there = os.pipe()
    threading.Thread(target=_forward, args=(questions, there), daemon=True).start()
    os.write(answers, b"ready\n")
    with os.fdopen(here, "rb") as lines:
        for line in lines:
            text, seconds = json.loads(line)
            _forget_peak()
            if hasattr(signal, "setitimer"):  # by the system, also where no Python code runs
                signal.setitimer(signal.ITIMER_REAL, seconds + 2 * LATE)
            answer = asdict(answered(text, seconds)) | {"memory": _peak()}
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, 0)
            _write(answers, json.dumps(answer).encode() + b"\n")


def _forward(questions: int, there: int) -> None:
    """Pass questions on; when the worker has ended, however it ended, so does this process."""
    while found := os.read(questions, 2**16):
        _write(there, found)
    os._exit(0)


def _write(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _forget_peak() -> None:
    """Let the system count the largest resident set from now on (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_bytes(b"5")


def _peak() -> int:
    """The largest resident set in bytes: since :func:`_forget_peak` on Linux, else of the process."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


if __name__ == "__main__":
    serve()
