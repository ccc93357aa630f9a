# SPDX-License-Identifier: MIT
"""The independent checker at work: its files, run alone by a fresh interpreter, and its answers passed on.

Nothing is checked here. Each file is opened once and read no further than the checker reads; a process that
runs the trusted files with the standard library alone (``python -I -S``: nothing that is installed) gets the
bytes. The operating system bounds that process, too: one that is stopped has decided nothing about the file
it was given, and the next file gets a new one.

A file that says at its top that it is an argument goes to another process, which runs the files of
``exactdp/arguments`` alone. They are not trusted, none of them is imported, and their word is *replayed*.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from copy import copy
from dataclasses import field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from exactdp.certificate.kinds import kinds
from exactdp.display import Displayed
from exactdp.errors import InputError, printable
from exactdp.runtime.process import Background, end_process, start_process
from exactdp.runtime.progress import report_phase
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.certificate.certificate import Certificate

_SERVING = """
import hashlib, json, sys
from pathlib import Path
from types import ModuleType

place, package, *names = sys.argv[1:]

def load():
    for name in names:
        full = package + "." + name
        if full in sys.modules:
            continue
        path, module = Path(place) / (name + ".py"), ModuleType(full)
        source = path.read_bytes()
        vars(module).update(__file__=str(path), __source_digest__="sha256:" + hashlib.sha256(source).hexdigest())
        sys.modules[full] = module
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))

def answer(folder, data):
    given = () if folder is None else (Path(folder),)
    load()
    return sys.modules[package + "." + names[-1]].check_bytes(data, *given)

for line in sys.stdin.buffer:
    asked = json.loads(line)
    try:
        found = answer(asked["folder"], sys.stdin.buffer.read(asked["size"]))
    except MemoryError:
        break
    except Exception as error:
        print(json.dumps({"broken": f"{type(error).__name__}: {error}"}), flush=True)
        break
    files = [vars(module) for name, module in sys.modules.items() if name.startswith(package + ".")]
    loaded = {file["__file__"]: file["__source_digest__"] for file in files}
    print(json.dumps({"answer": {**vars(found), "exit_code": found.exit_code}, "loaded": loaded}), flush=True)
"""
"""What the process runs. It compiles the files that it is told from their bytes. For each file that it is
given it reads a line (the size; the folder of an argument) and the bytes, and it prints the answer, with the
files that were compiled and their digests; or what is broken, if these can't be loaded.
"""


@dataclass(frozen=True, slots=True)
class Program:
    """What answers about files of one format.

    * ``place``: where its files are (they are not imported).
    * ``package``: the name that they import each other from.
    * ``names``: those that are run, in this order; the last one answers.
    """

    place: Path
    package: str
    names: tuple[str, ...]


PACKAGE = Path(__file__).resolve().parents[1]
CHECKER = Program(PACKAGE / "checker", "exactdp.checker", ("kernel",))
"""The trusted files: kernel.py, which loads those beside it that it needs."""

ARGUMENTS = Program(PACKAGE / "arguments", "exactdp.arguments", ("reading", "terms", "evaluation", "scope", "proof_steps", "argument"))
"""What replays arguments, and is not trusted."""

SECONDS, MEMORY = 120, 2**30
"""The second line behind the checkers' own limits: one that takes longer, or more bytes, is stopped."""

MOST_BYTES, MOST_BYTES_OF_ARGUMENTS = 2**26, 2**20
"""What the two checkers read of a file."""

MOST_PRINTED = 2**26
"""Bytes that are read of what a process prints."""


@dataclass(frozen=True, slots=True, repr=False)
class Checked(Displayed):
    """What the independent checker says about a certificate, or the program for arguments about an argument.

    * ``file``: its name; ``certificate`` for an object.
    * ``status``: accepted, of a certificate; replayed, of an argument; rejected, malformed, or unreadable;
      limit when nothing was decided; defect for a fault of the checker.
    * ``sentence``: what the checker verified, what was replayed, or why the file is not accepted.
    * ``kind``, ``digest``, ``rule``, ``path``: the kind of claim, the digest of what was read, and the rule
      and the place that a file breaks.
    * ``exit_code``: that of ``exactdp verify``.

    >>> from exactdp import certify, geometric, neighbours, tightest_level
    >>> answer = verify(certify(tightest_level(geometric(3, "1/4"), neighbours("path:4"))))
    >>> answer.status, bool(answer)
    ('accepted', True)
    """

    file: str
    status: str
    sentence: str
    kind: str | None
    digest: str | None
    rule: str | None
    path: str | None
    exit_code: int
    _number: str = field(default="", init=False, compare=False)  # it is shown, and no part of the answer

    @property
    def accepted(self) -> bool:
        """Whether the checker accepted the file, a certificate: nothing else is a proof."""
        return self.status == "accepted"

    @property
    def replayed(self) -> bool:
        """Whether the file is an argument whose steps were followed, which is no proof."""
        return self.status == "replayed"

    def __bool__(self) -> bool:
        return self.accepted

    def showing_number(self, data: bytes) -> Self:
        """The same answer, whose text begins with the number that the claim states, if it states one.

        * ``data``: the bytes that were checked.
        """
        if self.accepted and (self.kind == "on-pieces" or (self.kind is not None and kinds()[self.kind].first)):
            certificates = import_module(f"{self._report}.certificates")  # only where there is a number to be shown
            shown = copy(self)
            object.__setattr__(shown, "_number", certificates.value_line(json.loads(data)))
            return shown
        return self

    def __str__(self) -> str:
        """A line; two where a number is shown, the checker's own sentence below it."""
        lines = [self._number, f"  {self.sentence}"] if self._number else [self.sentence]
        return "\n".join(map(printable, [f"{self.file}: {self.status}: {lines[0]}", *lines[1:]]))

    def __repr__(self) -> str:
        return f"<Checked {self.status.upper()}: {printable(' · '.join(filter(None, (self._number, self.sentence))))}>"


def verify(what: str | Path | Certificate) -> Checked:
    """Does the independent checker accept this certificate? Is this argument replayed?

    It runs as with ``exactdp verify``: the checker's files alone, in a process of their own, bounded in time
    and memory. A file that is an argument goes to the files of ``exactdp/arguments`` in the same way.

    Parameters
    ----------
    what : str, Path or Certificate
        A file, or a certificate that is not written yet.

    Returns
    -------
    Checked
        True if and only if it is accepted, as a certificate can be; an argument is ``replayed`` at best. The
        sentence says what was verified, or why it is not.

    Raises
    ------
    InputError
        ``what`` is neither the name of a file nor a certificate.

    Examples
    --------
    >>> from exactdp import certify, geometric, neighbours, tightest_level
    >>> certificate = certify(tightest_level(geometric(3, "1/4"), neighbours("path:4")))
    >>> print(verify(certificate).sentence)
    The largest level at which the geometric mechanism G(3, 1/4) is private on path(4) is α = 1/4. ...
    >>> verify("nowhere.json").status
    'unreadable'
    """
    if isinstance(what, (str, Path)):
        if "\0" in str(what):
            raise InputError(f"{str(what)!r} is the name of no file", value=what)
        with contextlib.closing(answers([Path(what)])) as found:
            checked, data = next(found)
            return checked.showing_number(data)
    if not hasattr(what, "to_json"):
        answer = "; give certify(verdict), its certificate" if hasattr(what, "evidence") else ""
        raise InputError(f"verify takes the name of a file or a certificate, not a {type(what).__name__}{answer}", value=what)
    with Checker() as checker:
        data = what.to_json().encode()
        return checker.check("certificate", data, Path()).showing_number(data)


def answers(files: Iterable[str | Path], loaded: dict[str, str] | None = None) -> Generator[tuple[Checked, bytes], None, None]:
    """The checker's answer for each file, in their order, with the bytes that it was given.

    * ``files``: their names; the text ``-`` is standard input. Each is opened once.
    * ``loaded``: if given, gets the trusted files that were compiled, with the digests of their bytes.
    """
    read: set[object] = set()
    with Checker({} if loaded is None else loaded) as checker:
        for file in files:
            try:
                data = _content(file, read)
            except (OSError, ValueError, MemoryError) as error:
                yield Checked(str(file), "unreadable", str(error) or type(error).__name__, None, None, None, None, 2), b""
            else:
                yield checker.check(str(file), data, Path() if file == "-" else Path(file).parent), data


def _content(file: str | Path, read: set[object]) -> bytes:
    """The bytes of a file, one more than the checker reads at most. A pipe is read once."""
    if file == "-" and sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    once: set[object] = {"-"} if file == "-" else set()
    with contextlib.suppress(OSError, ValueError):  # where standard input is no file of the system
        status = os.fstat(sys.stdin.fileno()) if file == "-" else os.stat(file)
        if stat.S_ISFIFO(status.st_mode):
            once.add((status.st_dev, status.st_ino))
    if once & read:
        raise OSError("it has been read: standard input, or a pipe, is read once")
    read |= once
    if file == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with open(file, "rb") as stream:
        return stream.read(MOST_BYTES + 1)


def is_argument(data: bytes) -> bool:
    """Whether the bytes of a file say, at their top, that it is an argument.

    No argument is larger than a mebibyte; larger files are left to the checker of certificates.

    >>> is_argument(b'{"format": "exactdp-argument"}')
    True
    >>> is_argument(b'{"provenance": {"format": "exactdp-argument"}}')
    False
    """
    try:
        value = json.loads(data) if len(data) <= MOST_BYTES_OF_ARGUMENTS else None
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("format") == "exactdp-argument"


class Checker:
    """The checker in a process of its own, which is started when there is something to check, and again after
    it was stopped; arguments are replayed in another one.

    * ``loaded``: gets the trusted files that were compiled, with the digests of their bytes.

    >>> with Checker() as checker:
    ...     print(checker.check("c.json", b"{}", Path()))
    c.json: malformed: $: the key format is missing
    """

    def __init__(self, loaded: dict[str, str] | None = None) -> None:
        self._loaded = {} if loaded is None else loaded
        self._processes: dict[Program, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for program in tuple(self._processes):
            self._stop(program)

    def check(self, name: str, data: bytes, folder: Path) -> Checked:
        """The answer about a file of these bytes, in this folder.

        A process that is stopped has decided nothing: a limit. If it had checked other files before, a new
        one is asked once: no answer depends on what was checked before.
        """
        program = ARGUMENTS if is_argument(data) else CHECKER
        asked = {"size": len(data), "folder": str(folder) if program is ARGUMENTS else None}
        message = json.dumps(asked).encode() + b"\n" + data
        seconds = SECONDS * (1 + (len(data) >> 20))
        end, used = time.monotonic() + seconds, program in self._processes
        try:
            line = self._exchange(program, message, end, f"checking {name}")
            if used and not line.endswith(b"\n") and time.monotonic() < end:
                self._stop(program)
                line = self._exchange(program, message, end, f"checking {name}")
        except OSError as error:
            return _undecided(name, f"the checker could not be started ({error}); nothing was decided")
        if not line.endswith(b"\n"):
            text = f"the checker was stopped, or took more than {seconds} seconds (code {self._stop(program)}); nothing was decided"
            return _undecided(name, text)
        found: dict[str, Any] = json.loads(line)
        if "broken" in found:
            text = f"the checker can't be loaded from {program.place}: {found['broken']}"
            return Checked(name, "defect", text, None, None, None, None, 70)
        self._loaded |= found["loaded"]
        return Checked(name, **found["answer"])

    def _exchange(self, program: Program, message: bytes, end: float, phase: str) -> bytes:
        """What the process answers to a message: a line, or less if it ends or takes too long."""
        report_phase(None, phase)
        process, answer = self._processes.get(program), list[bytes]()
        if process is None or process.poll() is not None:
            self._stop(program)
            command = [sys.executable, "-I", "-S", "-c", _SERVING, str(program.place), program.package, *program.names]
            process = self._processes[program] = start_process(command)
            bound(process)
        attended(process, lambda: _ask(process, message, answer), end, phase)
        return b"".join(answer)

    def _stop(self, program: Program) -> int | None:
        """End the process; its code."""
        process = self._processes.pop(program, None)
        return None if process is None else end_process(process)


def _undecided(name: str, text: str) -> Checked:
    return Checked(name, "limit", text, None, None, None, None, 4)


def attended(process: subprocess.Popen[bytes], asking: Callable[[], None], end: float, phase: str) -> None:
    """Ask a process something, and wait. It is killed if it takes too long, or the wait is interrupted."""
    asked = Background(asking)
    try:
        asked.start()
    except RuntimeError as error:  # there is no room for a thread
        process.kill()
        raise OSError(errno.ENOMEM, str(error)) from None
    except BaseException:
        process.kill()
        asked.wait()
        raise
    try:
        while not asked.over:
            asked.wait(0.1)
            report_phase(None, phase)
            if time.monotonic() > end:
                process.kill()
    finally:
        if not asked.over:  # interrupted, or told to stop
            process.kill()
        asked.wait()


def printed_by(command: Sequence[str], seconds: float, phase: str) -> bytes:
    """What a process prints that is told nothing, and is killed after so many seconds.

    * ``phase``: what progress says meanwhile.
    * raises OSError: it can't be started.
    """
    printed = list[bytes]()

    def listen() -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        printed.append(process.stdout.read(MOST_PRINTED))
        process.wait()

    process = start_process(command)
    try:
        attended(process, listen, time.monotonic() + seconds, phase)
    finally:
        end_process(process)
    return b"".join(printed)


def _ask(process: subprocess.Popen[bytes], message: bytes, answer: list[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError):
        process.stdin.write(message)
        process.stdin.flush()
        answer.append(process.stdout.readline())


def bound(process: subprocess.Popen[bytes]) -> None:
    """Let the system stop a process that wants more memory than a checker may have."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
