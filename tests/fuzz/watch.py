# SPDX-License-Identifier: MIT
"""The cases, run in a process that this one watches: what hangs or dies there is a failure like any other."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from . import calls, checked, commands, processes
from .contents import Folder

SILENCE = 12
"""Seconds without a sign of life: the time limit of two and ten more."""

LONGEST = 60
"""Seconds of a case that does give signs."""

MEMORY = 2 * 10**9
"""Most bytes that a case may take."""

HARD = 6 * 10**9
"""Where the worker's memory ends, so that the machine's does not."""

BATCH = 400
"""Cases that one worker runs."""

DOORS = {"command": 80, "call": 12, "checker": 6, "process": 2}
"""What a case is about, and how often of a hundred."""

HUNG = "no sign of life"
DIED = "the process died"

Alive = Callable[[], None]


@contextlib.contextmanager
def _folder(rng: Random) -> Iterator[Folder]:
    """A folder of its own as the current one."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="fuzz", ignore_cleanup_errors=True) as parent:
        inside = Path(parent, "here")
        inside.mkdir()
        os.chdir(inside)
        folder = Folder(rng)
        try:
            yield folder
        finally:
            folder.close()
            os.chdir(before)


def door_of(rng: Random, door: str | None) -> str:
    """Which door a case is about; the choice is made always, so that a case stays what it is."""
    drawn = rng.choices(list(DOORS), list(DOORS.values()))[0]
    return door or drawn


def case(name: str, alive: Alive = lambda: None, *, door: str | None = None, alone: bool = False) -> tuple[str, list[str]]:
    """The door and the faults of one case; ``name`` is the seed and the number.

    A command runs in this process, or ``alone`` in one of its own, which is how it is asked in earnest.
    """
    rng = Random(name)
    chosen = door_of(rng, door)
    with _folder(rng) as folder:
        if chosen == "command":
            line = commands.draw(rng, folder)
            if alone:
                return f"command {line.words[0]}", processes.alone(line, alive)
            return f"command {line.words[0] if line.command else ''}".strip(), commands.faults(line, alive)
        if chosen == "call":
            return "call", calls.faults(rng, folder)
        if chosen == "checker":
            return "checker", checked.faults(rng)
        return "process", processes.faults(rng, folder, alive)


def shown(name: str, *, door: str | None = None, shrink: bool = False) -> str:
    """A case in full: the command and its files, the call, or the bytes; smaller if asked for."""
    rng = Random(name)
    chosen = door_of(rng, door)
    with _folder(rng) as folder:
        if chosen == "checker":
            return checked.shown(rng)
        if chosen == "call":
            return str(calls.draw(rng))
        drawn = commands.draw(rng, folder) if chosen == "command" else processes.draw(rng, folder)
        said, words = str(drawn), drawn.words if isinstance(drawn, commands.Line) else drawn.line.words
        if shrink and isinstance(drawn, commands.Line):
            less = commands.smaller(drawn)
            said, words = f"{said}\nsmaller: {less}", less.words
        files = [f"--- stdin\n{folder.stdin[:2000]!r}"] if folder.stdin is not None and "-" in words else []
        for path in sorted(Path().iterdir()):
            if path.is_file() and any(path.name in word for word in words):
                files.append(f"--- {path.name!a}\n{path.read_bytes()[:2000]!r}")
            elif any(path.name in word for word in words):
                files.append(f"--- {path.name!a}: no ordinary file")
        return "\n".join([said, *files])


def serve(seed: str, first: int, end: int, door: str | None, *, alone: bool = False) -> int:
    """The worker: run these cases and tell of each, on the standard output that it was given."""
    out = os.fdopen(os.dup(1), "w", encoding="ascii", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    resource.setrlimit(resource.RLIMIT_AS, (HARD, HARD))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    told = time.monotonic()

    def tell(**what: Any) -> None:
        nonlocal told
        told = time.monotonic()
        print(json.dumps(what), file=out)

    def alive() -> None:
        if time.monotonic() - told > 1:
            tell(alive=True)

    for k in range(first, end):
        tell(start=k)
        place, faults = case(f"{seed}:{k}", alive, door=door, alone=alone)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        if most > MEMORY:
            faults.append(f"{most / 1e9:.1f} GB of memory")
        tell(done=k, place=place, faults=faults)
        if most > MEMORY / 2:  # it never gets less
            break
    return 0


@dataclass(frozen=True)
class Ended:
    """What became of a case."""

    number: int
    place: str
    faults: list[str]
    seconds: float


def watched(seed: str, first: int, end: int, door: str | None = None, *, until: float = float("inf"), silence: float = SILENCE,
            alone: bool = False, serving: tuple[str, ...] = ()) -> Iterator[Ended]:  # fmt: skip
    """What becomes of each case, in order, whatever happens to the workers.

    ``serving`` are other words for the worker's command line than ``tests/fuzz --serve``.
    """
    words = serving or (str(Path(__file__).parent), "--serve")
    at = first
    while at < end and time.monotonic() < until:
        command = [sys.executable, *words, seed, str(at), str(min(at + BATCH, end)), door or "", "alone" if alone else ""]
        with tempfile.TemporaryFile() as said:
            worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, start_new_session=True)
            reason = ""
            try:
                for ended in _of(worker, silence):
                    if isinstance(ended, str):
                        reason = ended
                        break
                    yield ended
                    at = ended.number + 1
                    if time.monotonic() >= until:
                        return
            finally:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    worker.wait(5 if reason == DIED else 0)
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(worker.pid, signal.SIGKILL)
                code = worker.wait()
                assert worker.stdout is not None
                worker.stdout.close()
            if reason:
                said.seek(0)
                last = said.read()[-300:].decode("utf-8", "backslashreplace").strip()
                yield Ended(at, "worker", [reason if code == -signal.SIGKILL else f"{reason} (code {code}): {last}"], silence)
                at += 1


def _of(worker: subprocess.Popen[bytes], silence: float) -> Iterator[Ended | str]:
    """The worker's cases; a text if one of them did not end, and why."""
    assert worker.stdout is not None
    pipe, rest, current, begun, heard = worker.stdout.fileno(), b"", None, time.monotonic(), time.monotonic()
    some = False
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            waiting = 60 if current is None else min(silence - (time.monotonic() - heard), LONGEST - (time.monotonic() - begun))
            if waiting <= 0 or not selector.select(waiting):
                yield (f"{HUNG} for {silence} seconds" if time.monotonic() - begun < LONGEST else f"takes more than {LONGEST} seconds")
                return
            data = os.read(pipe, 1 << 16)
            if not data:
                if current is not None or not some:
                    yield DIED
                return
            heard = time.monotonic()
            *lines, rest = (rest + data).split(b"\n")
            for line in map(json.loads, lines):
                if "start" in line:
                    current, begun, some = line["start"], heard, True
                elif "done" in line:
                    yield Ended(line["done"], line["place"], line["faults"], heard - begun)
                    current = None


def again(seed: str, ended: Ended, door: str | None) -> Ended:
    """A case that hangs, asked once more in a process of its own, which ends itself when its time has passed.

    The machine may have been busy: now it has more time.
    """
    if HUNG not in "".join(ended.faults):
        return ended
    return next(watched(seed, ended.number, ended.number + 1, door, silence=2 * SILENCE, alone=True))


def report(
    seed: str,
    first: int,
    count: int,
    tell: Callable[[str], None],
    *,
    seconds: float = float("inf"),
    door: str | None = None,
    most: int = 50,
) -> int:
    """Run the cases, tell the failures and the figures; how many failures there were."""
    start = time.monotonic()
    places: Counter[str] = Counter()
    took: Counter[str] = Counter()
    slowest = Ended(first, "", [], 0.0)
    failed = done = 0
    for found in watched(seed, first, first + count, door, until=start + seconds):
        ended = again(seed, found, door)
        done += 1
        places[ended.place] += 1
        took[ended.place] += round(1000 * ended.seconds)
        slowest = max(slowest, ended, key=lambda e: e.seconds)
        failed += bool(ended.faults)
        if ended.faults and failed <= most:
            again_words = f"python tests/fuzz --case {seed}:{ended.number}" + (f" --door {door}" if door else "")
            tell("".join(f"{ended.place}: {fault}\n" for fault in ended.faults) + f"    {again_words}")
        if done % 1000 == 0:
            tell(f"{done} cases, {failed} failures, {time.monotonic() - start:.0f} s")
    tell(f"{done} cases from seed {seed}, {time.monotonic() - start:.0f} s; the slowest, {slowest.number}, took {slowest.seconds:.1f} s")
    for place in sorted(places):
        tell(f"  {place}: {places[place]} cases, {took[place] / 1000:.0f} s")
    tell(f"{failed} failures")
    return failed
