# SPDX-License-Identifier: MIT
"""Commands as processes whose streams are full, closed or read by nobody, or which get a signal.

What the command answers when nothing is wrong is found first, in this process. Whoever can't hear an answer
gets exit code 5, and nothing else becomes of it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from .commands import CONTRACT, SECONDS, Answer, Line, broken, remove_new, run
from .commands import draw as draw_line
from .contents import ROOT, Folder

UNWRITTEN = 5
PATIENCE = 60
"""Seconds for a process whose time limit is two."""


@dataclass(frozen=True)
class Process:
    """A command line and the state of its standard streams."""

    line: Line
    out: str
    err: str
    stdin: str
    signal: int | None
    after: float

    def __str__(self) -> str:
        words = {"full": "> /dev/full", "closed": ">&-", "gone": "| true", "pipe": ""}
        streams = f"{words[self.out]} {'2' if self.err != 'pipe' else ''}{words[self.err]} {'<&-' if self.stdin == 'closed' else ''}"
        sent = "" if self.signal is None else f"  # {signal.Signals(self.signal).name} after {self.after:.2f} s"
        return " ".join(f"{self.line} {streams}".split()) + sent


def draw(rng: Random, folder: Folder) -> Process:
    """A command and its streams."""
    line = draw_line(rng, folder)
    while any("\0" in word for word in line.words) or line.words[:1] == ("demo",):
        line = draw_line(rng, folder)
    line = Line(line.words, line.stdin)
    out = rng.choice(("full", "closed", "gone", "pipe"))
    err, stdin = rng.choice(("pipe", "pipe", "full", "closed")), rng.choice(("pipe", "closed"))
    number = rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)) if rng.random() < 0.2 else None
    return Process(line, out, err, stdin, number, rng.random())


def _ended(process: Process) -> tuple[int | None, bytes]:
    """The exit code (None for a process that does not end) and what it said on standard error."""
    close = [fd for fd, state in ((0, process.stdin), (1, process.out), (2, process.err)) if state == "closed"]

    def prepare() -> None:
        for fd in close:
            os.close(fd)

    streams: dict[str, Any] = {"stdin": subprocess.PIPE if process.stdin == "pipe" else None}
    reading, writing = os.pipe()
    with open("/dev/full", "wb") as full:
        for name, state in (("stdout", process.out), ("stderr", process.err)):
            streams[name] = {"full": full, "gone": writing, "closed": None, "pipe": subprocess.PIPE}[state]
        os.close(reading)
        command = [sys.executable, "-m", "exactdp", *process.line.words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        child = subprocess.Popen(command, env=environment, preexec_fn=prepare, start_new_session=True, **streams)  # noqa: PLW1509
    os.close(writing)
    try:
        if process.signal is not None:
            try:
                child.wait(process.after)
            except subprocess.TimeoutExpired:
                child.send_signal(process.signal)
        _, err = child.communicate(process.line.stdin if process.stdin == "pipe" else None, PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return None, b""
    return child.returncode, err or b""


def alone(line: Line, alive: Callable[[], None]) -> list[str]:
    """How a command in a process of its own breaks the contract; it may end ten seconds late."""
    alive()
    command = [sys.executable, "-m", "exactdp", *line.words]
    given: dict[str, Any] = {"stdin": subprocess.DEVNULL} if line.stdin is None else {"input": line.stdin}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=int(SECONDS) + 10, **given)
    except subprocess.TimeoutExpired:
        return ["runs for ten seconds past its time limit"]
    out, err = (x.decode(errors="backslashreplace") for x in (done.stdout, done.stderr))
    return broken(replace(line, terminal=False), Answer(done.returncode, out, err))


def faults(rng: Random, folder: Folder, alive: Callable[[], None]) -> list[str]:
    """How the end of a process breaks the contract."""
    process = draw(rng, folder)
    if any(Path(word).is_fifo() for word in process.line.words if len(word) < 250):
        return []
    before = set(os.listdir())
    usual = run(process.line, alive)
    remove_new(before)
    alive()
    code, err = _ended(process)
    if code is None:
        return [f"does not end in {PATIENCE} seconds"]
    if process.signal is not None and b"Traceback" in err and b"/exactdp/__main__.py" not in err:
        return []  # the interpreter was interrupted before it began the program
    found = ["a traceback"] if b"Traceback" in err or b"Exception ignored" in err else []
    if process.signal is not None:
        killed = {128 + process.signal, -process.signal}
        return found if code in CONTRACT | killed else [*found, f"exit code {code} after a signal: {err[-200:]!r}"]
    quiet = {-signal.SIGPIPE, 128 + signal.SIGPIPE} if process.out == "gone" else set()
    if code not in CONTRACT | quiet:
        return [*found, f"exit code {code}: {err[-200:]!r}"]
    if process.stdin == "closed" and "-" in process.line.words:
        return found
    expected = {usual.code, UNWRITTEN} if process.out == "gone" or process.err in ("full", "closed") else {usual.code}
    if process.out in ("full", "closed") and usual.out:
        expected = {UNWRITTEN}
    if 4 in expected or code == 4:  # the time limit may pass in one of the runs
        return found
    return (
        found
        if code in expected | quiet
        else [*found, f"exit code {code}, usually {usual.code}; expected {sorted(expected)}: {err[-200:]!r}"]
    )
