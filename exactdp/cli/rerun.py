# SPDX-License-Identifier: MIT
"""``exactdp verify`` of a bundle runs its command again, and compares what it writes with what is there.

The command gets the inputs of the bundle and the date of its manifest. It reads nothing else and writes
nothing (:mod:`exactdp.cli.file_access`). The same command writes the same bytes. So a page that says another
thing is found whatever it says: also where no certificate and no rule of a sentence would tell.

Where a fact has several proofs, which one is found may depend on the versions of libraries. The bundle's own
proof was accepted by the checker, so files that differ in its digest alone are the same. Where several optima
exist, pages may tell of another remap. That is a *limit*: nothing was decided about them.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from exactdp.certificate.bundle_files import LAW, MANIFEST, Fault, as_typed, files_of, read_manifest, sha256, shown, strict_json
from exactdp.certificate.check_bundle import RELEASE
from exactdp.certificate.page_one import NAMES, REMAPS
from exactdp.certificate.verification import printed_by
from exactdp.errors import ExactDPError
from exactdp.runtime.process import Deadline

SECONDS, MEMORY = 1800, 2**32
"""How long the command may take, and how many bytes."""


@dataclass(frozen=True)
class Rerun:
    """What was found, whether all was compared that the standalone program leaves to exactdp, and how."""

    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    compared: bool = True
    is_rerun: bool = False


def run_again(place: str, digest: str) -> Rerun:
    """What the command of a bundle writes otherwise than it is there, found in a process of its own.

    * ``place``: the folder or zip, which was accepted otherwise.
    * ``digest``: that of its manifest, as it was accepted.
    """
    root = str(Path(__file__).resolve().parents[2])
    program = (
        f"import sys; sys.path.insert(0, {root!r}); from exactdp.__main__ import prepare; prepare(); "
        "from exactdp.cli.rerun import main; sys.exit(main(sys.argv[1:]))"
    )
    try:
        words = [sys.executable, "-P", "-B", "-c", program, os.path.abspath(place), digest]
        found = json.loads(printed_by(words, SECONDS, "running its command again"))
    except (OSError, ValueError):
        told = f"its command was not run again: the process could not be started, was stopped, or took more than {SECONDS} seconds"
        return Rerun((Fault(MANIFEST, "limit", told),), (), compared=False)
    return Rerun(tuple(Fault(**fault) for fault in found["faults"]), tuple(found["notes"]), found["compared"], found["is_rerun"])


# ── The process ─────────────────────────────────────────────────────────────────────────────────
def outcome_of(place: str, digest: str) -> Rerun:
    """The same, in this process, whose environment is changed."""
    files, _ = files_of(place)
    if f"sha256:{sha256(files.get(MANIFEST, b''))}" != digest:
        return Rerun((Fault(MANIFEST, "rejected", "it changed while it was checked"),))
    predicate = read_manifest(files[MANIFEST])["predicate"]
    if not predicate["command"]:
        wrong = _faults_of_law(predicate["reading"], files[LAW]) if LAW in files else ()
        return Rerun(tuple(wrong), ("it was made in Python, so that no command could be run again",))
    if predicate["exactdp"] != RELEASE:
        told = f"its command was not run again, for it was made by exactdp {predicate['exactdp']}, and this is {RELEASE}"
        remedy = "verify it with that release, or with --no-rerun, which compares sentences alone"
        return Rerun((Fault(MANIFEST, "limit", f"{told}; {remedy}"),), (), compared=False)
    inputs: dict[str, bytes] = {}
    for one in predicate["inputs"]:
        content = files[one["file"]]
        if inputs.setdefault(as_typed(one["given"]), content) != content:
            return Rerun((Fault(MANIFEST, "rejected", f"{one['given']} is the name of two inputs, whose contents differ"),))
    again, reason = _bundle_of(predicate["command"], inputs, predicate["date"])
    if reason:
        return Rerun((Fault(MANIFEST, "limit", f"its command, run again, has no answer: {reason}"),), (), compared=False)
    faults = tuple(differences(files, again))
    told = "the same bytes" if files == again else "the same pages, with other proofs of the same facts"
    return Rerun(faults, is_rerun=True, notes=() if faults else (f"its command was run again, with its inputs, and writes {told}",))


def _faults_of_law(told: Mapping[str, Any], kept: bytes) -> Iterator[Fault]:
    """Whether the law of a bundle that was made in Python is that of its word."""
    from exactdp.certificate.laws import law_file
    from exactdp.mechanisms import CountLaw, law_named

    word = str(told["table"])
    try:
        law = law_named(word, None)
    except ExactDPError as error:
        yield Fault(LAW, "rejected", f"its word can't be read again: {error.message}")
        return
    # The path has been asked for, if the neighbours are not the word's own: the program has compared both.
    reaches = [law, law.among("path")] if isinstance(law, CountLaw) else [law]
    if all(one is None or law_file(word, one) != kept for one in reaches):
        yield Fault(LAW, "rejected", f"{word} is another law than that of {LAW}, or none")


def _bundle_of(command: Sequence[str], inputs: Mapping[str, bytes], date: str) -> tuple[dict[str, bytes], str]:
    """The bundle that a command writes with these inputs on this date, or why there is none."""
    from exactdp.cli.file_access import HeldFiles, hold_files
    from exactdp.cli.program import main as program
    from exactdp.cli.program import message_of
    from exactdp.report.bundle import EPOCH

    held = HeldFiles(tuple(command), inputs)
    os.environ[EPOCH] = str(int(datetime.fromisoformat(date).timestamp()))
    try:
        words = _without_time_limit(list(map(as_typed, command[1:])))
        with contextlib.redirect_stdout(io.StringIO()), program.make_context(command[0], words, obj=Deadline()) as context:
            hold_files(context, held)
            program.invoke(context)
    except Exception as error:
        if not held.bundle:
            return {}, shown(message_of(error))
    return held.bundle, "" if held.bundle else "it writes no bundle"


def _without_time_limit(words: Sequence[str]) -> list[str]:
    """The words without the option that stops them: the process has a limit of its own.

    >>> _without_time_limit(["audit", "--time-limit", "5", "t.csv", "--time-limit=5"])
    ['audit', 't.csv']
    """
    option = "--time-limit"
    follows = [False, *(word == option for word in words)]
    return [word for word, is_value in zip(words, follows, strict=False) if not is_value and word.partition("=")[0] != option]


def differences(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Iterator[Fault]:
    """What is otherwise in a bundle than in the one that its command writes.

    * ``before``: the files of the bundle.
    * ``after``: those that are written now.
    """
    names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    if not names:
        return
    missing = [name for name in names if name not in after or name not in before]
    for name in missing:
        yield Fault(name, "rejected", "its command, run again, " + ("writes no such file" if name in before else "writes such a file, too"))
    if missing:
        return
    page = NAMES["json"]
    told, expected = _without_choices(before[page]), _without_choices(after[page])
    if told != expected:
        yield _fault_of_text(NAMES["md"], before, after)
    elif before[page] != after[page]:
        yield Fault(
            NAMES["md"],
            "limit",
            "its command, run again, finds another best remap; so its pages were compared in all but the remaps, and nothing was decided "
            "about those: verify it with the versions of the libraries that it was made with",
        )
    else:
        after = _with_digests_of(before, after)
        others = (name for name in names if before[name] != after[name] and not name.startswith("certificates/"))
        yield from (_fault_of_text(name, before, after) for name in list(others)[:1])


def _with_digests_of(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that are written now, with the digests that the certificates of the bundle have."""
    own, other = (read_manifest(files[MANIFEST]) for files in (before, after))
    pairs = [
        (one["digest"].encode(), two["digest"].encode())
        for one, two in zip(own["predicate"]["certificates"], other["predicate"]["certificates"], strict=True)
    ]
    found = dict(after)
    for name in found.keys() - {MANIFEST}:
        for one, two in pairs:
            found[name] = found[name].replace(two, one)
    for body in (own, other):
        for key in ("parts", "certificates", "digest"):
            del body["predicate"][key]
    if own == other:
        found[MANIFEST] = before[MANIFEST]
    return found


def _without_choices(content: bytes) -> list[Any]:
    """The lines of page one but for those that tell which of several optima was found."""
    sections = strict_json(content)["sections"]
    return [[section["title"], [line for line in section["lines"] if line["says"] not in (*REMAPS, "remap-row")]] for section in sections]


def _fault_of_text(name: str, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Fault:
    """The first lines of a text that differ."""
    own, other = (files[name].decode("utf-8", "replace").splitlines() for files in (before, after))
    place = next((k for k, (a, b) in enumerate(zip(own, other, strict=False)) if a != b), min(len(own), len(other)))
    told, expected = (_excerpt(lines, place) for lines in (own, other))
    return Fault(name, "rejected", f"its command, run again with its inputs, writes {expected} in line {place + 1}, and here is {told}")


def _excerpt(lines: Sequence[str], place: int) -> str:
    return repr(shown(lines[place])[:300]) if place < len(lines) else "nothing"


def confine() -> None:
    """Let this process write no file, start no other, and reach no network; bound its time and memory.

    It runs a command line that somebody else has written. What would do otherwise is an error of it.
    """
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    sys.addaudithook(_refuse)


WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
"""Flags of files that are opened to be changed."""

REFUSED = frozenset(
    (
        *("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown", "os.utime"),
        *("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile", "os.system", "subprocess.Popen", "pty.spawn"),
        *("socket.bind", "socket.connect", "socket.getaddrinfo", "socket.sendto", "shutil.rmtree", "shutil.move", "shutil.copyfile"),
    )
)
"""Events of Python that change something outside the process."""


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        path, _, flags = arguments
        is_refused = isinstance(flags, int) and flags & WRITING and path != os.devnull and not isinstance(path, int)
    else:
        is_refused = event in REFUSED
    if is_refused:
        raise PermissionError(f"a command that is run again may not do this: {event}")


def main(words: Sequence[str]) -> int:
    """Print what was found of a bundle, in a process that is started for that."""
    place, digest = words
    confine()
    found = outcome_of(place, digest)
    told = {"faults": [vars(fault) for fault in found.faults], "notes": found.notes, "compared": found.compared, "is_rerun": found.is_rerun}
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
    return 0
