# SPDX-License-Identifier: MIT
"""``exactdp verify`` of a bundle: the program that lies in every bundle, ours, and the table read once more.

The program runs alone, as the checker does: a fresh interpreter with the standard library. It reads tables of
plain numbers only. What else a table may be is read here, with the options that the manifest tells.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactdp.certificate import check_bundle
from exactdp.certificate.bundle_files import LAW, MANIFEST, TABLES, Fault, Refused, files_of, read_manifest, sha256, strict_json
from exactdp.certificate.bundle_tables import grid_of
from exactdp.certificate.bundle_words import NEIGHBOURS
from exactdp.certificate.check_bundle import CODES
from exactdp.certificate.compare_claim import ORDER
from exactdp.certificate.compare_command import is_of_the_word
from exactdp.certificate.verification import SECONDS, attended
from exactdp.errors import ExactDPError
from exactdp.runtime.files import write_file
from exactdp.runtime.process import end_process, start_process

if TYPE_CHECKING:
    from exactdp.cli.reading import Reading

MOST_OF_AN_ANSWER = 2**26
"""Bytes that are read of what the program prints: a line."""


def bundle_answer(place: str) -> dict[str, Any]:
    """What is found of a bundle: the object that the program prints, with what was read once more."""
    found = _asked(place)
    if found["status"] == "accepted":
        faults, notes = _read_again(place, str(found["manifest"]))
        said = [note for note in found["notes"] if "; exactdp verify reads it" not in note]
        found["notes"] = [*said, *notes]
        if faults:
            found |= {"faults": [vars(fault) for fault in faults], "status": "rejected", "exit_code": CODES["rejected"], "verdict": None}
            found["sentence"] = "1 fault; nothing that it says is to be believed"
    return found


def _asked(place: str) -> dict[str, Any]:
    """The answer of the program, which runs in a process of its own."""
    answer = list[bytes]()
    size = (
        os.path.getsize(place) if os.path.isfile(place) else sum(path.stat().st_size for path in Path(place).rglob("*") if path.is_file())
    )
    seconds = SECONDS * (8 + (size >> 20))
    try:
        process = start_process([sys.executable, "-I", "-S", str(Path(check_bundle.__file__)), "--json", os.path.abspath(place)])
        try:
            attended(process, lambda: _listen(process, answer), time.monotonic() + seconds, f"checking {place}")
        finally:
            end_process(process)
    except OSError as error:
        return _undecided(place, f"the program could not be started ({error}); nothing was decided")
    try:
        found: dict[str, Any] = json.loads(answer[0])
    except (ValueError, LookupError):
        return _undecided(place, f"the program was stopped, or took more than {seconds} seconds; nothing was decided")
    return found | {"bundle": place}


def _listen(process: subprocess.Popen[bytes], answer: list[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    answer.append(process.stdout.read(MOST_OF_AN_ANSWER))
    process.wait()


def _undecided(place: str, sentence: str) -> dict[str, Any]:
    none = {"faults": [], "notes": [], "manifest": "", "certificates": 0, "compared": 0, "verdict": None}
    return {"bundle": place, "status": "limit", "exit_code": CODES["limit"], "sentence": sentence, **none}


def _read_again(place: str, digest: str) -> tuple[list[Fault], list[str]]:
    """Whether the table of the bundle is what its input says, read with the options that its manifest has."""
    try:
        files, _ = files_of(place)
        if f"sha256:{sha256(files[MANIFEST])}" != digest:
            return [Fault(MANIFEST, "rejected", "it changed while it was checked")], []
        predicate = read_manifest(files[MANIFEST])["predicate"]
        changed = [part for part in predicate["parts"] if sha256(files[part["name"]]) != part["digest"]["sha256"]]
        if changed:
            return [Fault(changed[0]["name"], "rejected", "it changed while it was checked")], []
    except (Refused, OSError, KeyError):
        return [Fault(place, "rejected", "it changed while it was checked")], []
    reading = predicate["reading"]
    if "table" not in reading:
        return [], []  # made in Python: the program has compared it with a file of plain numbers, or says that it has not
    if LAW in files:
        return _law_again(reading, files[LAW])
    name = next((one["file"] for one in predicate["inputs"] if one["what"] == "table"), None)
    kept = next(one for one in strict_json(files[TABLES])["tables"] if one["name"] == "as read")
    try:
        table, called, own = _table(reading, None if name is None else files[name])
    except (ExactDPError, click.ClickException, KeyError, TypeError, ValueError) as error:
        said = error.message if isinstance(error, (ExactDPError, click.ClickException)) else str(error)
        return [Fault(name or MANIFEST, "rejected", f"the table can't be read again: {said}")], []
    if is_of_the_word(predicate) and own is not None and own != predicate["assumptions"][0].removeprefix(NEIGHBOURS).partition(ORDER)[0]:
        return [Fault(MANIFEST, "rejected", f"its command line names no neighbours, and its word means {own}, not those it tells of")], []
    if "left aside" in called and "left aside" not in predicate["table"]["name"]:
        return [Fault(MANIFEST, "rejected", "what stands behind the estimates of its file is left aside, and it does not say so")], []
    again, before = grid_of(table), grid_of(kept)
    if again.same(before) or (reading.get("by_position") and again.same_numbers(before)):
        return [], []
    return [Fault(name or MANIFEST, "rejected", f"read with the options of {MANIFEST}, it is another table than that of {TABLES}")], []


def _law_again(told: Mapping[str, Any], kept: bytes) -> tuple[list[Fault], list[str]]:
    """Whether the law of the bundle is that of its words."""
    from exactdp.certificate.laws import law_file
    from exactdp.cli.inputs import level_of, numbered_word
    from exactdp.mechanisms import CountLaw, law_named

    try:
        word = numbered_word(str(told["table"]), _reading(told))
        law = law_named(word, level_of(told.get("at_alpha"), told.get("at_epsilon")))
    except (ExactDPError, click.ClickException) as error:
        return [Fault(LAW, "rejected", f"its words can't be read again: {error.message}")], []
    if law is None:
        return [Fault(LAW, "rejected", f"no law of {word} is known")], []
    # the path has been asked for, if the neighbours are not the word's own: the program has compared both
    reaches = [law, law.among("path")] if isinstance(law, CountLaw) else [law]
    if any(one is not None and law_file(word, one) == kept for one in reaches):
        return [], []
    return [Fault(LAW, "rejected", f"read with the options of {MANIFEST}, {word} is another law than that of {LAW}")], []


def _table(told: Mapping[str, Any], content: bytes | None) -> tuple[dict[str, Any], str, str | None]:
    """The table of a file or a word, as in table.json; its name; the neighbours that a word means."""
    from exactdp.certificate.manifest import printed_ends
    from exactdp.cli.inputs import level_of, read_given, read_printed
    from exactdp.mechanisms import word_neighbours
    from exactdp.report.bundle import table_json

    reading = _reading(told)
    level = level_of(told.get("at_alpha"), told.get("at_epsilon"))
    with tempfile.TemporaryDirectory() as folder:
        name = str(told["table"])
        if content is not None:
            name = os.path.join(folder, "table")
            write_file(name, content)
        if reading.digits is not None:
            printed = read_printed(name, reading)
            return table_json("", printed_ends(printed.table)), printed.title, None
        given = read_given(name, reading, level=level)
        own = None if given.word is None else str(word_neighbours(given.word, given.table.inputs))
        return table_json("", given.table), given.title, own


def _reading(told: Mapping[str, Any]) -> Reading:
    """How the table was read, by the manifest."""
    from exactdp.cli.reading import Reading, digits_of, letters_in

    labels, dyadic, renormalise, by_position = (bool(told.get(key)) for key in ("labels", "dyadic", "renormalise", "by_position"))
    return Reading(
        labels,
        dyadic,
        renormalise,
        by_position,
        letters_in([str(text) for text in told.get("letters", ())]),
        header=told.get("header"),
        transpose=bool(told.get("transpose")),
        digits=digits_of(told.get("digits")),
    )
