# SPDX-License-Identifier: MIT
"""``exactdp verify`` of a bundle: the program that lies in every bundle, ours, and then its command again.

The program runs alone, as the checker does: a fresh interpreter with the standard library. It reads tables of
plain numbers only, and compares sentences by their rules. What else a bundle may say is found by its command.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from exactdp.certificate import check_bundle
from exactdp.certificate.check_bundle import AGAIN, CODES
from exactdp.certificate.verification import SECONDS, printed_by
from exactdp.cli.rerun import run_again


def bundle_answer(place: str, *, rerun: bool = True) -> dict[str, Any]:
    """What is found of a bundle: the object that the program prints, with what its command writes again.

    * ``rerun``: whether the command is run again.
    """
    found = _asked(place)
    if found["status"] != "accepted":
        return found
    digest = str(found["manifest"])
    if rerun:
        again = run_again(place, digest)
        left = [note for note in found["notes"] if not again.compared or AGAIN not in note]
        found["notes"] = [*left, *again.notes]
        if not again.faults and not again.is_rerun:
            found["sentence"] = f"{again.notes[0]}: {found['sentence']}"
        faults = again.faults
    else:
        faults = ()
    if faults:
        status = "rejected" if any(fault.status == "rejected" for fault in faults) else "limit"
        found |= {"faults": [vars(fault) for fault in faults], "status": status, "exit_code": CODES[status], "verdict": None}
        count = f"{len(faults)} fault{'s' if len(faults) > 1 else ''}"
        found["sentence"] = f"{count}; nothing that it says is to be believed" if status == "rejected" else "it was not compared whole"
    return found


def _asked(place: str) -> dict[str, Any]:
    """The answer of the program, which runs in a process of its own."""
    size = (
        os.path.getsize(place) if os.path.isfile(place) else sum(path.stat().st_size for path in Path(place).rglob("*") if path.is_file())
    )
    seconds = SECONDS * (8 + (size >> 20))
    try:
        program = str(Path(check_bundle.__file__))
        printed = printed_by([sys.executable, "-I", "-S", program, "--json", os.path.abspath(place)], seconds, f"checking {place}")
    except OSError as error:
        return _undecided(place, f"the program could not be started ({error}); nothing was decided")
    try:
        found: dict[str, Any] = json.loads(printed)
    except ValueError:
        return _undecided(place, f"the program was stopped, or took more than {seconds} seconds; nothing was decided")
    return found | {"bundle": place}


def _undecided(place: str, sentence: str) -> dict[str, Any]:
    none = {"faults": [], "notes": [], "manifest": "", "certificates": 0, "compared": 0, "verdict": None}
    return {"bundle": place, "status": "limit", "exit_code": CODES["limit"], "sentence": sentence, **none}
