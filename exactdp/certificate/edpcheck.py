# SPDX-License-Identifier: MIT
"""The proved checker beside the checker: both judge the same bytes, and each says what it says.

``edpcheck`` is extracted from Coq (``proofs/coq/Checker``); a theorem says that what it accepts is true. It
is a program of its own that whoever wants it builds. For each file a new process of it gets the bytes on its
standard input, bounded as the checker's is.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import time
from dataclasses import asdict
from typing import Any

from exactdp.certificate.verification import SECONDS, Checked, attended, bound
from exactdp.errors import printable
from exactdp.runtime.process import end_process, start_process
from exactdp.runtime.values import dataclass

VARIABLE, PROGRAM = "EXACTDP_EDPCHECK", "edpcheck"
"""The variable that may name the program, and its name on the PATH."""

MOST_OF_AN_ANSWER = 2**26
"""Bytes that are read of what the program prints: a line."""

_LINE = re.compile(rb"-: (accepted|rejected|malformed|not decided): ([^\n]*)\n")
_CODES = {"accepted": 0, "rejected": 1, "malformed": 3, "not decided": 4}


@dataclass(frozen=True, slots=True)
class Proved:
    """What the proved checker says about one file.

    * ``status``: accepted; rejected, malformed; not decided for a kind of claim that it does not know, and
      for other faults of the format; limit when it was stopped; not asked.
    * ``sentence``: its own words: for what it accepts, the kind of claim and the claim.
    """

    status: str
    sentence: str

    @property
    def kind(self) -> str | None:
        """The kind of claim that it accepted."""
        return self.sentence.split(": ", 1)[0] if self.status == "accepted" else None


def find_program() -> str | None:
    """Where the proved checker is: what EXACTDP_EDPCHECK names, or else ``edpcheck`` on the PATH."""
    import shutil

    return shutil.which(os.environ.get(VARIABLE) or PROGRAM)


def ask(program: str, name: str, data: bytes) -> Proved:
    """The answer of the proved checker about these bytes.

    A process that is stopped, or that says anything but one line that goes with its exit code, has decided
    nothing.
    """
    seconds = SECONDS * (1 + (len(data) >> 20))
    answer = list[bytes]()
    try:
        process = start_process([program, "-"])
        try:
            bound(process)
            attended(process, lambda: _tell(process, data, answer), time.monotonic() + seconds, f"asking {PROGRAM} about {name}")
        finally:
            end_process(process)  # what has answered has nothing more to do
    except OSError as error:
        return Proved("limit", f"{PROGRAM} could not be started ({error}); it decided nothing")
    said = _LINE.fullmatch(answer[0]) if answer else None
    if said is None or _CODES[said[1].decode()] != process.returncode:
        text = f"{PROGRAM} gave no answer: it was stopped, took more than {seconds} seconds, or is another program"
        return Proved("limit", f"{text} (code {process.returncode}); it decided nothing")
    return Proved(said[1].decode(), said[2].decode("utf-8", "backslashreplace"))


def _tell(process: subprocess.Popen[bytes], data: bytes, answer: list[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError):  # it need not read all
        process.stdin.write(data)
    with contextlib.suppress(OSError):
        process.stdin.close()
    with contextlib.suppress(OSError):
        answer.append(process.stdout.read(MOST_OF_AN_ANSWER))
        process.wait()


@dataclass(frozen=True, slots=True)
class BothChecked:
    """What the checker and the proved checker say about one file, and what follows.

    * ``status``: accepted only if both accept; rejected, malformed, unreadable, limit as the checker says;
      not proved if it accepts and the proved checker has not decided; disagreement.
    * ``sentence``: the same in words.
    * ``exit_code``: 4 for what is not proved, 70 for a disagreement, otherwise the checker's.
    """

    checker: Checked
    proved: Proved
    status: str
    sentence: str
    exit_code: int

    def __str__(self) -> str:
        lines = [
            f"{self.checker.file}: {self.status}: {self.sentence}",
            f"  checker:  {self.checker.status}: {self.checker.sentence}",
            f"  {PROGRAM}: {self.proved.status}: {self.proved.sentence}",
        ]
        return "\n".join(map(printable, lines))

    def to_dict(self) -> dict[str, Any]:
        """The object of ``--json``."""
        checker = asdict(self.checker)
        file, kind, digest = (checker.pop(key) for key in ("file", "kind", "digest"))
        own = {"file": file, "status": self.status, "sentence": self.sentence, "kind": kind, "digest": digest, "exit_code": self.exit_code}
        return {**own, "checker": checker, PROGRAM: asdict(self.proved)}


def both(program: str, checked: Checked, data: bytes) -> BothChecked:
    """Ask the proved checker about what the checker was given, and compare.

    The two print different sentences; only the kinds of what both accept are compared.
    """
    if checked.status in ("unreadable", "defect"):
        proved = Proved("not asked", "the checker has no answer about this file")
        return BothChecked(checked, proved, checked.status, f"see below; {PROGRAM} was not asked", checked.exit_code)
    if checked.status == "replayed":
        proved = Proved("not asked", "it is an argument, and no certificate")
        return BothChecked(checked, proved, "not proved", f"replayed, by the program for arguments; {PROGRAM} was not asked", 4)
    proved = ask(program, checked.file, data)
    accepts, denies = checked.status == "accepted", checked.status in ("rejected", "malformed")
    if (accepts and proved.status == "rejected") or (denies and proved.status == "accepted") or _differ(checked, proved):
        text = "the checkers disagree; this is a defect of exactdp, please report it with the file"
        return BothChecked(checked, proved, "disagreement", text, 70)
    if accepts and proved.status == "accepted":
        return BothChecked(checked, proved, "accepted", "by the checker, and by the proved checker", 0)
    if accepts:
        text = f"accepted by the checker, not decided by the proved checker{' (malformed)' if proved.status == 'malformed' else ''}"
        return BothChecked(checked, proved, "not proved", text, 4)
    text = f"by the checker; the proved checker says {proved.status}"
    return BothChecked(checked, proved, checked.status, text, checked.exit_code)


def _differ(checked: Checked, proved: Proved) -> bool:
    """Whether both accept, but claims of different kinds."""
    return checked.status == proved.status == "accepted" and checked.kind != proved.kind
