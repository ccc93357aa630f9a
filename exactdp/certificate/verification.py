# SPDX-License-Identifier: MIT
"""The independent checker at work: its files, run alone by a fresh interpreter, and its answers passed on.

Nothing is checked here: ``python -I kernel.py FILE...`` is started (``argument.py`` for replayed arguments,
told by the name of the format). The operating system bounds that process, too: one that is stopped has
decided nothing.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactdp.display import Displayed
from exactdp.errors import InputError, printable

if TYPE_CHECKING:
    from exactdp.certificate.certificate import Certificate

_TRACED = """
def _traced():
    import hashlib, json, sys
    sys.argv = sys.argv[1:]
    with open(sys.argv[0], "rb") as file:
        source = file.read()
    running = vars(sys.modules["__main__"])
    running["__file__"] = sys.argv[0]
    try:
        exec(compile(source, sys.argv[0], "exec", dont_inherit=True), running)
    finally:
        loaded = {sys.argv[0]: "sha256:" + hashlib.sha256(source).hexdigest()}
        for name, module in list(sys.modules.items()):
            if name.startswith("exactdp.checker.") and vars(module) is not running:
                loaded[module.__file__] = getattr(module, "__source_digest__", "not compiled from its source")
        print(json.dumps({"loaded": loaded}), flush=True)
_traced()
"""
"""Runs a trusted file as ``python -I`` does; the last line names the compiled files and their digests."""

SECONDS, MEMORY = 120, 2**30
"""The second line behind the checkers' own limits: one that takes longer, or more bytes, is stopped."""


@dataclass(frozen=True, slots=True, repr=False)
class Checked(Displayed):
    """What the independent checker says about one file.

    Attributes
    ----------
    file : str
        Its name; ``certificate`` for an object.
    status : str
        accepted; rejected, malformed, or unreadable; limit when nothing was decided; defect for a fault of
        the checker.
    sentence : str
        What the checker verified, or why it does not accept the file.
    kind, digest, rule, path : str or None
        The kind of claim, the digest of what was read, and the rule and the place that a file breaks.
    exit_code : int
        That of ``exactdp verify``.

    Examples
    --------
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

    @property
    def accepted(self) -> bool:
        """Whether the checker accepted the file: nothing else is a proof."""
        return self.status == "accepted"

    def __bool__(self) -> bool:
        return self.accepted

    def __str__(self) -> str:
        return printable(f"{self.file}: {self.status}: {self.sentence}")

    def __repr__(self) -> str:
        return f"<Checked {self.status.upper()}: {printable(self.sentence)}>"


def verify(what: str | Path | Certificate) -> Checked:
    """Does the independent checker accept this certificate or replayed argument?

    It runs as with ``exactdp verify``: the checker's files alone, in a process of their own, bounded in time
    and memory.

    Parameters
    ----------
    what : str, Path or Certificate
        A file, or a certificate that is not written yet.

    Returns
    -------
    Checked
        True if and only if it is accepted; the sentence says what was verified, or why it is not.

    Raises
    ------
    InputError
        ``what`` is neither the name of a file nor a certificate.

    Examples
    --------
    >>> from exactdp import certify, geometric, neighbours, tightest_level
    >>> certificate = certify(tightest_level(geometric(3, "1/4"), neighbours("path:4")))
    >>> print(verify(certificate).sentence)
    The largest level at which the geometric mechanism G(3, 1/4) is private on path(4) is 1/4. ...
    >>> verify("nowhere.json").status
    'unreadable'
    """
    if isinstance(what, (str, Path)):
        name = str(Path(what))
        if "\0" in name:
            raise InputError(f"{name!r} is the name of no file", value=what)
        found = next(answers(["./-" if name == "-" else name]))  # "-" alone would be standard input
        return replace(found, file=name)
    if not hasattr(what, "to_json"):
        raise InputError(f"verify takes the name of a file or a certificate, not a {type(what).__name__}", value=what)
    with tempfile.TemporaryDirectory() as folder:
        file = what.write(Path(folder) / "certificate.edp.json")
        found = next(answers([str(file)]))
    return replace(found, file="certificate")


def answers(files: list[str], loaded: dict[str, str] | None = None) -> Iterator[Checked]:
    """The checker's answer for each file, in their order.

    Parameters
    ----------
    files : list of str
        Their names; ``-`` is standard input.
    loaded : dict, optional
        If given, gets the trusted files that were compiled, with the digests of their bytes.
    """
    compiled: dict[str, str] = {}
    for checker, group in _runs(files, traced=loaded is not None):
        yield from _answers(checker, group, compiled)
    if loaded is not None:
        loaded |= compiled


def kernel_path(name: str = "kernel") -> Path:
    """Where a trusted file is (it is not imported)."""
    spec = find_spec(f"exactdp.checker.{name}")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def is_argument(word: str) -> bool:
    """Whether a file says that it is a replayed argument; a wrong guess only gets it refused.

    What is no ordinary file is read once, by its checker; and no argument is larger than a mebibyte.
    """
    try:
        if word == "-" or not Path(word).is_file() or Path(word).stat().st_size > 2**20:
            return False
        value = json.loads(Path(word).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("format") == "exactdp-argument"


def _runs(words: list[str], *, traced: bool) -> Iterator[tuple[list[str], list[str]]]:
    """The commands that check the files, in their order: each with the neighbouring files that it checks."""
    start = [sys.executable, "-I", "-u", *(["-c", _TRACED] if traced else [])]
    for replayed, group in groupby(words, is_argument):
        command = [*start, str(kernel_path("argument" if replayed else "kernel")), "--json"]
        for piped, part in groupby(group, _is_piped):
            files = list(part)
            yield from ((command, [word]) for word in files) if piped else [(command, files)]


def _is_piped(word: str) -> bool:
    """Whether this names a pipe or a device, which can be read once only."""
    return word != "-" and Path(word).exists() and not Path(word).is_file() and not Path(word).is_dir()


def _answers(command: list[str], words: list[str], loaded: dict[str, str]) -> Iterator[Checked]:
    """The checker's answer for each file; one that is stopped has decided nothing: a limit."""
    rest, code = list(words), 0
    while rest:
        process = _started(command, rest)
        assert process.stdout is not None
        try:
            while rest:
                clock = threading.Timer(SECONDS * _mebibytes(rest[0]), process.kill)
                clock.daemon = True  # an interrupt does not wait for it
                clock.start()
                try:
                    line = process.stdout.readline()
                finally:
                    clock.cancel()
                if not line.endswith("\n") or "exit_code" not in (answer := json.loads(line)):
                    break
                yield _checked(answer, rest.pop(0))
            else:
                for line in process.stdout:
                    loaded |= json.loads(line)["loaded"]
        finally:
            process.kill()
            code = process.wait()
            process.stdout.close()
        if rest:
            text = f"the checker was stopped, or took more than {SECONDS * _mebibytes(rest[0])} seconds (code {code}); nothing was decided"
            yield Checked(rest.pop(0), "limit", text, None, None, None, None, 4)


def _checked(answer: dict[str, Any], file: str) -> Checked:
    """The checker's line of JSON as an object."""
    facts = {name: answer.get(name) for name in ("kind", "digest", "rule", "path")}
    return Checked(file, answer["status"], answer["sentence"], **facts, exit_code=answer["exit_code"])


def _mebibytes(word: str) -> int:
    """The size of a file, in mebibytes begun; of what is no ordinary file, one."""
    return 1 + (Path(word).stat().st_size >> 20) if Path(word).is_file() else 1


def _started(command: list[str], words: list[str]) -> subprocess.Popen[str]:
    """A checker at work on these files. A pipe or a device is opened here and is its standard input."""
    piped = _is_piped(words[0])
    arguments = ["-"] if piped else [f"./{word}" if word.startswith("-") and word != "-" else word for word in words]
    with contextlib.ExitStack() as stack:
        given = stack.enter_context(Path(words[0]).open("rb")) if piped else None
        process = subprocess.Popen([*command, *arguments], stdin=given, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
    return process
