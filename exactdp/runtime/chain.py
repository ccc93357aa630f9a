# SPDX-License-Identifier: MIT
"""A file of lines that is only ever added to: each line has the digest of the one before, and its own.

A line is a JSON object in the one way that it is written, with these keys:

* ``format`` and ``version``;
* ``number``, from 1 on; ``previous``, the digest of the line before (of the first, 64 zeros);
* ``entry``, what is registered;
* ``digest``: ``sha256:`` and the hash of the line without this key.

So a line that is edited, removed, added or moved anywhere but at the end is found (:func:`verify_chain`).
Lines that are cut off at the end are found by whoever has noted the digest of the last one, its *head*.

Writers hold a lock on the file. A line is written at once and flushed to the disk. What a crash leaves of it
is no whole line: it is named, and the next writer puts it away, and tells so in its own line.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from exactdp.errors import InputError, WriteError

if sys.platform != "win32":
    import fcntl

VERSION = 1
"""Of the format of lines."""

FIRST = "sha256:" + 64 * "0"
"""What stands before the first line."""

KEYS = frozenset({"format", "version", "number", "previous", "entry", "digest"})
"""The keys of a line; beside them ``interrupted`` where the rest of a line was put away before it."""

BEGINNING = b'{"digest":"sha256:'
"""How every line begins: its keys are sorted. The rest of another file is never put away."""

LONGEST_WAIT = 60.0
"""Seconds that a writer waits for others."""

_NAP = 0.02


@dataclass(frozen=True, slots=True)
class Fault:
    """The first line that is not what it should be."""

    line: int
    sentence: str


@dataclass(frozen=True, slots=True)
class ChainChecked:
    """What was found of a file.

    Attributes
    ----------
    entries : int
        How many lines are right, up to the first that is not.
    head : str
        The digest of the last of these; what stands before the first line where there is none.
    fault : Fault or None
        What is wrong.
    partial : bool
        Whether all that is wrong is that the last line is not whole.
    """

    entries: int
    head: str
    fault: Fault | None = None
    partial: bool = False


def line_of(kind: str, number: int, previous: str, entry: Mapping[str, Any], *, interrupted: Mapping[str, Any] | None = None) -> bytes:
    """A line of a file, with its end.

    >>> line = line_of("log", 1, FIRST, {"a": 1})
    >>> verify_chain(line, "log").entries, verify_chain(line.replace(b'"a":1', b'"a":2'), "log").fault.line
    (1, 1)
    """
    body: dict[str, Any] = {"format": kind, "version": VERSION, "number": number, "previous": previous, "entry": dict(entry)}
    if interrupted is not None:
        body["interrupted"] = dict(interrupted)
    return _written({**body, "digest": _digest(body)})


def _written(body: Mapping[str, Any]) -> bytes:
    return (json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n").encode("ascii")


def _digest(body: Mapping[str, Any]) -> str:
    return f"sha256:{sha256(_written(body)).hexdigest()}"


def entries_of(content: bytes, kind: str) -> list[dict[str, Any]]:
    """The lines as objects; InputError at the first that is wrong."""
    found = []
    previous = FIRST
    for number, line in enumerate(_lines(content), 1):
        body = _read(line, kind, number, previous)
        if isinstance(body, str):
            raise InputError(f"line {number}: {body}", line=number)
        previous = body["digest"]
        found.append(body)
    return found


def verify_chain(content: bytes, kind: str, *, head: str | None = None) -> ChainChecked:
    """Check each line, and that it follows the one before.

    * ``content``: of the file.
    * ``kind``: the format that each line names.
    * ``head``: a digest that was noted: it must be that of a line.
    """
    number, previous, seen = 0, FIRST, {FIRST}
    for line in _lines(content):
        body = _read(line, kind, number + 1, previous)
        if isinstance(body, str):
            return ChainChecked(number, previous, Fault(number + 1, body), partial=not line.endswith(b"\n"))
        number, previous = number + 1, body["digest"]
        seen.add(previous)
    if head is not None and head not in seen:
        missing = f"no line has the digest {head}: lines are missing at the end, or this is another register"
        return ChainChecked(number, previous, Fault(number + 1, missing))
    return ChainChecked(number, previous)


def _lines(content: bytes) -> list[bytes]:
    """The lines with their ends, which are LF alone; the last one may have none."""
    *whole, rest = content.split(b"\n")
    return [line + b"\n" for line in whole] + ([rest] if rest else [])


def _read(line: bytes, kind: str, number: int, previous: str) -> dict[str, Any] | str:
    """The object of a line; what is wrong with it, if it is none or does not follow."""
    if not line.endswith(b"\n"):
        return "it is not whole: a writing was interrupted, or its end was cut off"
    try:
        body = json.loads(line)
        if not isinstance(body, dict) or _written(body) != line:
            return "it is not written in the one way of a register, or has been edited"
    except (ValueError, RecursionError):
        return "it is no JSON"
    if body.keys() - {"interrupted"} != KEYS:
        return "it has other keys than a line of a register"
    if body["format"] != kind or body["version"] != VERSION or isinstance(body["version"], bool):
        return f"it is of the format {body['format']!r}, version {body['version']!r}, and this program knows {kind!r}, version {VERSION}"
    if body["digest"] != _digest({key: x for key, x in body.items() if key != "digest"}):
        return "its digest is that of another content: it has been edited"
    if body["number"] != number or isinstance(body["number"], bool):
        return f"it has the number {body['number']}, and is line {number}: lines were removed, added or moved"
    if body["previous"] != previous:
        return "it does not follow the line before: lines were removed, added or moved"
    return body


def append(
    path: str | os.PathLike[str], kind: str, entries: Sequence[Mapping[str, Any]], *, seconds: float = LONGEST_WAIT
) -> tuple[str, str | None]:
    """Add lines to a file, which is made where there is none; the new head, and what is to be noted.

    * ``path``: the file.
    * ``kind``: the format that each line names.
    * ``entries``: what is registered, a line each.
    * ``seconds``: how long others are waited for.
    * raises InputError: the file is none of this format, or its last lines do not follow each other.
    * raises WriteError: it can't be written, or others write for too long.
    """
    place = Path(path)
    try:
        # an object, which closes itself should an interrupt come before the block
        with open(place, "a+b", buffering=0) as file, _locked(file.fileno(), place, seconds):
            return _append(file.fileno(), place, kind, entries)
    except OSError as error:
        raise _unwritten(place, error) from error


def _append(handle: int, place: Path, kind: str, entries: Sequence[Mapping[str, Any]]) -> tuple[str, str | None]:
    """The same for an open file whose lock is held."""
    content = _content(handle)
    found = verify_chain(content, kind)
    kept, rest = content, b""
    number, head = found.entries, found.head
    if found.fault is not None:
        kept = content[: content.rfind(b"\n") + 1]
        rest = content[len(kept) :]
        if not found.partial or not (rest.startswith(BEGINNING) or BEGINNING.startswith(rest)):
            said = f"line {found.fault.line}: {found.fault.sentence}; nothing was added"
            raise InputError(f"{str(place)!r}: {said}", path=place, line=found.fault.line)
    completed = _read(rest + b"\n", kind, number + 1, head) if rest else ""
    if not isinstance(completed, str):  # a line that lacks its end only stays
        kept, rest = content + b"\n", b""
        number, head = number + 1, str(completed["digest"])
    interrupted = {"bytes": len(rest), "sha256": sha256(rest).hexdigest()} if rest else None
    lines = []
    for entry in entries:
        number += 1
        line = line_of(kind, number, head, entry, interrupted=interrupted)
        head, interrupted = str(json.loads(line)["digest"]), None
        lines.append(line)
    if rest:
        os.ftruncate(handle, len(kept))
    start = min(len(kept), len(content))
    os.lseek(handle, start, os.SEEK_SET)
    new = memoryview(kept[start:] + b"".join(lines))
    while new:
        new = new[os.write(handle, new) :]
    os.fsync(handle)
    note = f"the last line of {str(place)!r} was not whole, as an interrupted writing leaves it; it was put away" if rest else None
    return head, note


def _content(handle: int) -> bytes:
    parts = []
    os.lseek(handle, 0, os.SEEK_SET)
    while part := os.read(handle, 2**20):
        parts.append(part)
    return b"".join(parts)


@contextlib.contextmanager
def _locked(handle: int, place: Path, seconds: float) -> Iterator[None]:
    """Hold the lock of a file; nobody else writes meanwhile."""
    end = time.monotonic() + seconds
    while not _try_lock(handle):
        if time.monotonic() > end:
            raise WriteError(f"{str(place)!r} was not written: others have written to it for {seconds:g} seconds", path=place)
        time.sleep(_NAP)
    try:
        yield
    finally:
        _unlock(handle)


def _try_lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, 2**40, os.SEEK_SET)  # a byte that no line has
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _unlock(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, 2**40, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _unwritten(place: Path, error: OSError) -> WriteError:
    return WriteError(f"the file {str(place)!r} was not written: {error.strerror or error}", path=place, errno=error.errno)
