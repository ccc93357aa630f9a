# SPDX-License-Identifier: MIT
"""``exactdp audit`` of many tables, on the engine of sweeps.

Each table is audited in a process of its own, as by a command of its own with ``--json``
(:mod:`exactdp.sweeps.cluster`). A line is printed, and registered, as soon as an answer is there. ``python -m
exactdp.cli.batch`` is that process.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from exactdp.cli.outcomes import Outcomes
from exactdp.cli.program import LIMIT, PROVED, REFUTED, command_line, main, progress_line, report_failure, say, tell
from exactdp.cli.reading import all_read, typed
from exactdp.report.record import Record, worst
from exactdp.runtime.process import Deadline
from exactdp.runtime.progress import Progress, seconds_left

if TYPE_CHECKING:
    from exactdp.sweeps.answer import Answer

COMMAND = (sys.executable, "-m", "exactdp.cli.batch")
"""How the process is started that audits."""

UNLIMITED_SECONDS, UNLIMITED_BYTES = 1e8, 2**50
"""The limits of each table where none is asked for."""

_PAGE_ONE = ("page", "unit", "state", "statements")

OF_ONE = ("path", "html", "folder", "bundle", "repaired", "compare", "since", "deltas", "approx", "full", *_PAGE_ONE)
"""The options that are about one table, or about what the lines of a batch do not tell."""

_OF_BOTH = ("graph", "local", "metric", "labels", "dyadic", "header", "transpose", "renormalise", "by_position", "letters")
"""The options that two tables have that are compared."""

OWN = ("junit", "sarif", "register", "resume", "workers", "as_json", "time_limit")
"""The options that are not those of each table."""


def audit_all(tables: Sequence[str], outcomes: Outcomes, workers: int | None, *, resume: bool, as_json: bool) -> int:
    """Audit each table, print a line for each, and return the worst exit code."""
    for shown in typed(*OF_ONE):
        raise click.UsageError(f"{shown} is about one table, and {len(tables)} are given; leave it out, or ask about one")
    given = click.get_current_context().params
    gaps = given["policy"] is not None or any("gap" in text for text in given["require"])
    if given["consumers"] and not (gaps or as_json or outcomes.register is not None):
        raise click.UsageError("--for has no effect: of each table a line is printed; require a gap, or give --json or --register")
    if "-" in tables:
        raise click.UsageError("'-' is standard input, and is no table among several; ask about it alone")
    if resume and outcomes.register is None:
        raise click.UsageError("--resume goes on where a register ends: give --register, too")
    asked = _words(command_line()[2:], without=OWN)
    words = ["audit", *asked, "--json", "--"]
    records: list[Record] = _registered(tables, outcomes, asked) if resume else []
    known = {record.table for record in records}
    if not as_json:
        for record in records:
            say(record.line, more=True)
    bar = progress_line()
    bar(Progress("tables", 0, len(tables), "tables"))

    def idle() -> None:
        bar(Progress("tables", len(records), len(tables), "tables"))

    try:
        for record in _asked([json.dumps([*words, table]) for table in tables if table not in known], workers, idle):
            records.append(record)
            outcomes.enter(record)
            if not as_json:
                say(record.line, more=True, fold=True)
            idle()
    except BaseException as error:  # what is not done is told as that in every file
        done = {record.table for record in records}
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else "the batch ended before"
        left = [Record.of(table, {"claim": None, "error": f"not audited: {why}"}, LIMIT) for table in tables if table not in done]
        outcomes.write([*records, *left])
        tell(f"Stopped; {len(records)} of {len(tables)} tables were audited" + (", and registered" if outcomes.register else ""))
        raise
    records.sort(key=lambda record: tables.index(record.table))
    outcomes.write(records)
    code = worst([record.exit_code for record in records])
    code = 5 if outcomes.unwritten else code
    _tell(records, outcomes, code, as_json=as_json)
    return code


def _tell(records: Sequence[Record], outcomes: Outcomes, code: int, *, as_json: bool) -> None:
    """The last lines, or the one object."""
    count = {word: sum(record.word == word for record in records) for word in dict.fromkeys(record.word for record in records)}
    told = f"{len(records)} tables: " + ", ".join(f"{number} {word.lower()}" for word, number in count.items())
    if as_json:
        word = {PROVED: "proved", REFUTED: "refuted", LIMIT: "undecided"}.get(code)
        body: dict[str, Any] = {"verdict": word, "claim": told, "tables": [record.to_json() for record in records], "exit_code": code}
        body |= {"notes": outcomes.notes} if outcomes.notes else {}
        body |= {"error": "; ".join(outcomes.unwritten), "error_type": "WriteError"} if outcomes.unwritten else {}
        say(json.dumps(body, indent=2))
        return
    if len(records) == 2 and {*count} == {"NO CLAIM"}:  # two are named, and nothing is claimed of either
        others = [str(option.name) for option in click.get_current_context().command.params if option.name not in _OF_BOTH]
        tables = [records[0].table, "--compare", records[1].table]
        asked = " ".join(["exactdp audit", *map(quote, [*tables, *_words(command_line()[2:], without=others)])])
        outcomes.notes.append(f"{asked} says which of both is more private, and with --for zero-one which is better for whom")
    say("\n".join([told, *(f"note  {note}" for note in outcomes.notes)]), fold=True)
    for error in outcomes.unwritten:
        tell(f"Error: {error}")


def _registered(tables: Sequence[str], outcomes: Outcomes, asked: Sequence[str]) -> list[Record]:
    """What the register has of these tables: asked with these options, of files that are as they were."""
    from exactdp.report.register import registered  # which knows how everything is shown

    assert outcomes.register is not None
    found: dict[str, Record] = {}
    for command, record in registered(outcomes.register):
        try:
            same = record.table in tables and command[:2] == ["exactdp", "audit"] and _words(command[2:], without=OWN) == asked
        except click.ClickException:  # an option of another release
            continue
        if same and all(_digest(name) == digest for name, _, digest in record.files):
            found[record.table] = record
    outcomes.notes.append(f"{len(found)} of {len(tables)} tables were in {outcomes.register} before, and were not audited again")
    return list(found.values())


def _digest(name: str) -> str:
    """The SHA-256 of a file as it is now; empty where it can't be read."""
    from exactdp.certificate.bundle_files import sha256

    try:
        return sha256(Path(name).read_bytes())
    except (OSError, ValueError):
        return ""


def _words(command: Sequence[str], without: Iterable[str]) -> list[str]:
    """The options of a command as they were given, but for some."""
    context = click.get_current_context()
    given, _, _ = context.command.make_parser(context).parse_args(list(command))
    words: list[str] = []
    for option in context.command.params:
        name = str(option.name)
        if not isinstance(option, click.Option) or name not in given or name in without:
            continue
        for value in given[name] if option.multiple else [given[name]]:
            if option.is_flag:
                words.append(option.opts[0] if value is not False else option.secondary_opts[0])
            else:
                words.append(f"{option.opts[0]}={value}")
    return words


def _asked(texts: Sequence[str], workers: int | None, idle: Callable[[], object]) -> Iterable[Record]:
    """The records, as they come."""
    from exactdp.sweeps.cluster import Processes, asked, cores  # only with several tables

    if not texts:
        return
    seconds = seconds_left()
    with Processes(min(len(texts), workers or cores()), COMMAND) as here:
        for answers in asked(here, texts, UNLIMITED_SECONDS if seconds is None else seconds, UNLIMITED_BYTES, idle=idle):
            for answer in answers:
                yield _record_of(answer)


def _record_of(answer: Answer) -> Record:
    """The record that the process sent, or what ended it."""
    if answer.value:
        return Record.of_json(json.loads(answer.value))
    table = json.loads(answer.question)[-1]
    return Record.of(table, {"claim": None, "error": answer.message}, LIMIT if answer.verdict == "limit" else 70)


# --- The process ---


def audited(text: str, seconds: float) -> Answer:
    """What becomes of the table of a command line, as a record in the value of an answer."""
    from exactdp.sweeps.answer import Answer, versions  # with what stores answers

    words = json.loads(text)
    if seconds < UNLIMITED_SECONDS:
        words[1:1] = [f"--time-limit={seconds}"]
    told = io.StringIO()
    read: list[tuple[str, str, bytes]] = []
    with redirect_stdout(told):
        code = _run(words, read)
    record = Record.of(words[-1], json.loads(told.getvalue()), code, read)
    return Answer(text, record.verdict or "failed", value=json.dumps(record.to_json()), versions=versions())


def _run(words: list[str], read: list[tuple[str, str, bytes]]) -> int:
    """The exit code of a command, after its object was printed; what it read is added."""
    try:
        context = main.make_context("exactdp", words, obj=Deadline())
        with context:
            try:
                found = main.invoke(context)
            finally:
                read += all_read()
    except (Exception, click.exceptions.Exit) as error:
        return report_failure(error, as_json=True)
    return found if isinstance(found, int) else PROVED


if __name__ == "__main__":
    from exactdp.sweeps.process import serve

    serve(audited)
