# SPDX-License-Identifier: MIT
"""How a command answers: a line of progress, then text or one JSON object, the certificate, the exit code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

import exactdp.certificate as certificates
from exactdp.analysis.subjects import Subject, names_of
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.cli.file_access import put_file
from exactdp.cli.naming import naming
from exactdp.cli.program import LIMIT, PROVED, REFUTED, REPLAYED, UNWRITTEN, finish, json_option, progress_line, say, tell, terminal_width
from exactdp.cli.reading import READ, Reading, WritablePath, decimals_option, leave_out
from exactdp.errors import CertificateError, ResourceLimitError, WriteError, bounded, printable
from exactdp.model import Neighbours
from exactdp.model.labels import shortened
from exactdp.model.level import is_symbolic
from exactdp.model.neighbours import begins_as_word
from exactdp.report.items import Item
from exactdp.report.registry import headline_of, is_told, verdict_json
from exactdp.report.text import section_text, verdict_text
from exactdp.report.values import neighbours_json
from exactdp.runtime.process import TimeIsUpError
from exactdp.runtime.progress import Listener, Progress, certain, certain_so_far, dismiss_limit, listener_of, report_phase

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")

EXIT_CODES = {Decision.PROVED: PROVED, Decision.REFUTED: REFUTED, Decision.REPLAYED: REPLAYED, Decision.UNDECIDED: LIMIT}
"""The exit code of each decision."""

COLOURS = {Decision.PROVED: "green", Decision.REFUTED: "red", Decision.REPLAYED: "blue", Decision.UNDECIDED: "yellow"}
"""The colour of each decision's word on a terminal."""


class Output:
    """What the options common to all questions ask for, and the notes taken on the way.

    Attributes
    ----------
    json : bool
        One JSON object instead of text.
    approx : bool or None
        Decimals beside fractions: always, never, or beside long ones.
    full : bool
        Nothing truncated.
    path : Path or None
        Where the certificate goes.
    notes : list of str
        What was done to the input on the way (defaults that matter, repairs); part of the answer.
    reading : Reading or None
        The options of how files are read, all of which must have been used.
    neighbours : list of dict
        Which neighbours the answer is about, and why these; several, if parts have their own.
    subject : str
        What a certificate is about, when it is not what was given.
    uncertified : list of str
        What is told and is not in the certificate, or in other numbers: notes, if one is written.
    implied : dict of str to str
        Notes in place of ``uncertified`` where the certificate is of this kind, which implies the claim.
    unwritten : list of str
        What kept files from being written that were asked for; told after the answer.
    limits : list of str
        What a time limit kept from being known; told after the answer, whose exit code is then 4.

    The answer's sentence names the files of what was read to be judged (:mod:`exactdp.cli.naming`).
    """

    def __init__(self, *, json: bool, approx: bool | None, full: bool, path: Path | None, reading: Reading | None) -> None:
        self.json, self.approx, self.full, self.path, self.reading = json, approx, full, path, reading
        self.notes: list[str] = []
        self.neighbours: list[dict[str, Any]] = []
        self.subject = ""
        self.uncertified: list[str] = []
        self.unwritten: list[str] = []
        self.implied: dict[str, str] = {}
        self.limits: list[str] = []
        self._kind = ""
        self._subjects: list[Subject] | None = None

    @property
    def progress(self) -> Listener | None:
        """For ``progress=`` of a question: the command's line of progress, and its time limit."""
        return listener_of(None)

    def about(self, near: Neighbours, why: str = "asked", *, told: str = "") -> None:
        """Say which neighbours the answer is about, and why: they were asked for, or are somebody's own."""
        said = neighbours_json(near, why)
        self.neighbours += [said] if said not in self.neighbours else []
        word = begins_as_word(str(near))
        told = told or (_centre(near) if word else f"{said['inputs']} inputs, {said['edges']} pairs of neighbours")
        note = f"neighbours: {near}" + (f" ({told})" if told else "")
        self.notes += [note] if note not in self.notes else []

    def about_files(self, *subjects: Subject) -> None:
        """Say which files the sentence is about, where it is not about all that were read to be judged."""
        self._subjects = list(subjects)

    def named(self, verdict: Verdict[T]) -> Verdict[T]:
        """The verdict, whose sentence names the files that it is about."""
        read = [] if self.reading is None else self.reading.subjects
        subjects = read if self._subjects is None else self._subjects
        told = headline_of(verdict).assumed if is_told(verdict) else verdict.assumed
        names = names_of(subjects, " ".join(told))
        return replace(verdict, claim=naming(verdict.claim, subjects), assumed=(*names, *verdict.assumed))

    def notes_beside(self, claim: str) -> list[str]:
        """The notes, without those that a file was read which the sentence names."""
        return [note for note in self.notes if not (note.startswith(READ) and note.removeprefix(READ) in claim)]

    def in_time(self, what: str, ask: Callable[[], T]) -> T | None:
        """What ``ask()`` returns; None when the time is up, and the answer says what is not known."""
        try:
            return ask()
        except ResourceLimitError as error:
            if "seconds" not in error.facts:
                raise
            dismiss_limit()
            self.limits.append(f"{error.message}; not known is {what}")
            return None

    def leaves(self, verdict: Verdict[Any]) -> bool:
        """Whether a time limit kept something from being known, which the answer then says."""
        unknown: Sequence[str] = verdict.evidence.unfinished
        if unknown:
            self.limits.append(f"the time limit has passed; not known: {', '.join(unknown)}")
        return bool(unknown)

    def or_certain(self, ask: Callable[[], T]) -> T:
        """What ``ask()`` returns; what it knew for certain when it had to be interrupted in one long step."""
        certain(None)
        try:
            return ask()
        except TimeIsUpError:
            known: T | None = certain_so_far()
            if known is None:
                raise
            finish()
            dismiss_limit()
            return known

    def write(self, path: Path, content: str) -> bool:
        """Write a file beside the answer, which stands also when it can't be written; say whether it was."""
        try:
            put_file(path, content)
        except WriteError as error:
            self.unwritten.append(error.message)
            return False
        return True

    def require_used(self) -> None:
        """When all is read: refuse an option of it that had no effect, and note how files were read."""
        if self.reading is not None:
            self.reading.require_used()
            self.notes += [note for note in self.reading.notes() if note not in self.notes]

    def answer(self, verdict: Verdict[Any], *, also: Sequence[tuple[str, Sequence[Item]]] = (), extra: dict[str, Any] | None = None) -> int:
        """Write the certificate, print the verdict, and return the exit code.

        * ``also``: sections after the verdict's own facts.
        * ``extra``: more keys for JSON.
        """
        self.require_used()
        verdict = self.named(verdict)
        written, trouble = self._certificate(verdict)
        if written:
            self.notes += [self.implied[self._kind]] if self._kind in self.implied else self.uncertified
        if self.unwritten:
            code = UNWRITTEN
        elif trouble or self.limits:
            code = LIMIT
        else:
            code = EXIT_CODES[verdict.decision]
        errors = "; ".join([*self.limits, *filter(None, [trouble]), *self.unwritten])
        dismiss_limit(for_good=True)
        progress_line()(Progress("writing the answer"))
        if self.json:
            import json

            body = self.body(verdict, written, extra)
            kind = (WriteError if self.unwritten else ResourceLimitError).__name__
            body |= {"error": bounded(errors), "error_type": kind, "exit_code": code} if errors else {}
            say(json.dumps(body, indent=2))
            return code
        width = terminal_width()
        notes = self.notes_beside(verdict.claim)
        blocks = [verdict_text(verdict, notes=notes, approx=self.approx, full=self.full, width=None if self.full else width)]
        for heading, items in also:
            blocks.append(section_text(heading, items, approx=self.approx, full=self.full, width=None if self.full else width))
        about = f"; it is about {self.subject}" if self.subject else ""
        name = printable(written or "")
        written_to, check = f"certificate written to {name}{about}", f"(check it: exactdp verify {name})"
        fits = width is None or len(written_to) + 1 + len(check) <= width
        blocks += [f"{written_to} {check}" if fits else f"{written_to}\n{check}"] if written else []
        word = verdict.decision.value
        coloured = (word.upper(), COLOURS[verdict.decision] if verdict.head == word else "")
        say("\n\n".join(blocks), coloured=coloured)
        if errors:
            tell(f"Error: {bounded(errors)}")
        return code

    def body(self, verdict: Verdict[Any], written: str | None = None, extra: dict[str, Any] | None = None) -> dict[str, Any]:
        """The object of ``--json``, without what went wrong on the way."""
        body = verdict_json(verdict, written) | (extra or {})
        one = len(self.neighbours) == 1 or verdict.neighbours is not None
        body |= {"neighbours": self.neighbours[0] if one else self.neighbours} if self.neighbours else {}
        if self.neighbours and verdict.neighbours is not None:  # by the name that tells in which order inputs were matched
            body["neighbours"] = neighbours_json(verdict.neighbours, body["neighbours"]["why"])
        body |= {"certificate_about": self.subject} if written and self.subject else {}
        notes = self.notes_beside(verdict.claim)
        return body | ({"notes": notes} if notes else {})

    def _certificate(self, verdict: Verdict[Any]) -> tuple[str | None, str | None]:
        """The path written, and what kept the certificate from being written."""
        if self.path is None:
            return None, None
        if verdict.decision is Decision.UNDECIDED:
            return None, "an undecided question has no certificate"
        if self.limits:
            return None, "no certificate was written: the time was up"
        try:
            report_phase(None, "writing and checking the certificate")
            certificate = certificates.certify(verdict)
        except (CertificateError, ResourceLimitError, MemoryError) as error:  # the answer stands, and is shown
            reason = "there is not enough memory" if isinstance(error, MemoryError) else error.message
            return None, f"no certificate was written: {reason}"
        self._kind = certificate.kind
        return str(self.path) if self.write(self.path, certificate.to_json()) else None, None


def _centre(near: Neighbours) -> str:
    """Which input is the centre of a star, which the word doesn't say."""
    return f"the centre is {shortened(near.vertices[0])}" if str(near).startswith("star:") else ""


_TABLES: Mapping[str, str] = {".csv": "csv", ".tex": "latex", ".npy": "npy"}
"""Endings of files of tables, and what ``exactdp convert --to`` calls them."""


def _table_of(command: str | None, path: Path, given: Mapping[str, Any]) -> str:
    """How the optimal table is written: the certificate of a question without a mechanism has it."""
    if command != "optimal":
        return ""
    asked = "then" if given.get("mechanism") is None else "ask with --graph and no mechanism, then"
    form = _TABLES[path.suffix.lower()]
    has_letters = is_symbolic(given.get("alpha")) or bool(given.get("letters"))  # and so no decimals
    rounded = " --decimals 3" if form == "latex" and not has_letters else ""
    return f", and for the optimal table {asked}: exactdp convert {path.with_suffix('.json')} --to {form}{rounded} -o {path}"


def answering(command: Callable[..., int], *, certificate: bool = True) -> Callable[..., Any]:
    """Give a command the common options; it gets them as ``out`` and returns the exit code.

    A command whose answers have no ``certificate`` refuses ``-o`` and says why; its help doesn't offer it.
    """

    @click.option(
        "-o", "--output", "path", type=WritablePath(), metavar="FILE", help="Write the certificate to FILE.", hidden=not certificate
    )
    @json_option
    @decimals_option
    @click.option("--full", is_flag=True, help="Truncate nothing.")
    @wraps(command)
    def run(path: Path | None, as_json: bool, approx: bool | None, full: bool, **given: Any) -> int:
        if as_json:
            leave_out("--json prints every number exactly, and all of it", "approx", "full")
        if certificate and path is not None and path.suffix.lower() in _TABLES:
            raise click.UsageError(
                f"-o writes the certificate, which is JSON, and {path.name} is named like a table; give -o {path.with_suffix('.json')}"
                f"{_table_of(click.get_current_context().info_name, path, given)}"
            )
        out = Output(json=as_json, approx=approx, full=full, path=path, reading=given.get("reading"))
        code = command(out=out, **given)
        click.get_current_context().exit(code)

    return run
