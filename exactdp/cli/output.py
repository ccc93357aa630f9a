# SPDX-License-Identifier: MIT
"""How a command answers: a line of progress, then text or one JSON object, the certificate, the exit code."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import click

from exactdp.analysis import Decision, Verdict
from exactdp.certificate import certify
from exactdp.cli.program import LIMIT, PROVED, REFUTED, json_option, say
from exactdp.cli.reading import Reading, check_writable, decimals_option, leave_out
from exactdp.errors import CertificateError, ResourceLimitError
from exactdp.model import Neighbours
from exactdp.report.items import Item
from exactdp.report.registry import verdict_json
from exactdp.report.text import section_text, verdict_text
from exactdp.report.values import neighbours_json

PATIENCE = 2.0
"""Seconds of silence before a terminal is told what takes so long."""


@contextlib.contextmanager
def progress_line() -> Iterator[Callable[[Any], None] | None]:
    """A listener whose events a line on standard error follows; None when that is no terminal.

    Events are texts, objects with ``phase``, ``pivots`` and ``digits`` (the search), or with ``done``,
    ``total`` and ``what`` (claims).
    """
    if not sys.stderr.isatty():
        yield None
        return
    latest: list[Any] = [""]
    done = threading.Event()
    thread = threading.Thread(target=_draw, args=(latest, done), daemon=True)
    thread.start()
    try:
        yield lambda event: latest.__setitem__(0, event)
    finally:
        done.set()
        thread.join()


def _draw(latest: list[Any], done: threading.Event) -> None:
    start = time.monotonic()
    drawn = False
    waited = done.wait(PATIENCE)
    while not waited:
        line = f"{time.monotonic() - start:.0f} s  {event_text(latest[0])}"
        sys.stderr.write(f"\r\x1b[K{line[:76]}")
        sys.stderr.flush()
        drawn = True
        waited = done.wait(0.2)
    if drawn:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def event_text(event: Any) -> str:
    """One event in words.

    >>> event_text("stage 2")
    'stage 2'
    """
    if hasattr(event, "pivots"):
        return f"{event.phase}: {event.pivots} pivots, numbers of {event.digits} digits"
    if hasattr(event, "total"):
        return f"{event.done} of {event.total}: {event.what}"
    return str(event) or "working"


EXIT_CODES = {Decision.PROVED: PROVED, Decision.REFUTED: REFUTED, Decision.UNDECIDED: LIMIT}
"""The exit code of each decision."""


@dataclass(slots=True)
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
    """

    json: bool = False
    approx: bool | None = None
    full: bool = False
    path: Path | None = None
    notes: list[str] = field(default_factory=list)
    reading: Reading | None = None
    neighbours: list[dict[str, Any]] = field(default_factory=list)
    subject: str = ""

    def about(self, near: Neighbours, why: str = "asked", *, told: str = "") -> None:
        """Say which neighbours the answer is about, and why: they were asked for, or are somebody's own."""
        said = neighbours_json(near, why)
        self.neighbours += [said] if said not in self.neighbours else []
        note = f"neighbours: {near}" + (f" ({told})" if told else "")
        self.notes += [note] if note not in self.notes else []

    def require_used(self) -> None:
        """When all is read: refuse an option of it that had no effect, and note how files were read."""
        if self.reading is not None:
            self.reading.require_used()
            self.notes += [note for note in self.reading.notes() if note not in self.notes]

    def answer(self, verdict: Verdict[Any], *, also: Sequence[tuple[str, Sequence[Item]]] = (), extra: dict[str, Any] | None = None) -> int:
        """Write the certificate, print the verdict, and return the exit code.

        Parameters
        ----------
        verdict : Verdict
            The answer.
        also : sequence of (heading, items)
            Sections after the verdict's own facts.
        extra : dict, optional
            More keys for JSON.
        """
        self.require_used()
        written, trouble = self._certificate(verdict)
        code = LIMIT if trouble else EXIT_CODES[verdict.decision]
        if self.json:
            body = verdict_json(verdict, written) | (extra or {})
            one = len(self.neighbours) == 1 or verdict.neighbours is not None
            body |= {"neighbours": self.neighbours[0] if one else self.neighbours} if self.neighbours else {}
            body |= {"certificate_about": self.subject} if written and self.subject else {}
            body |= {"notes": self.notes} if self.notes else {}
            body |= {"error": trouble, "error_type": "ResourceLimitError"} if trouble else {}
            say(json.dumps(body, indent=2))
            return code
        blocks = [verdict_text(verdict, notes=self.notes, approx=self.approx, full=self.full)]
        for heading, items in also:
            blocks.append(section_text(heading, items, approx=self.approx, full=self.full))
        about = f"; it is about {self.subject}" if self.subject else ""
        blocks += [f"certificate written to {written}{about} (check it: exactdp verify {written})"] if written else []
        say("\n\n".join(blocks))
        if trouble:
            click.echo(f"Error: {trouble}", err=True)
        return code

    def _certificate(self, verdict: Verdict[Any]) -> tuple[str | None, str | None]:
        """The path written, and what kept the certificate from being written."""
        if self.path is None:
            return None, None
        if verdict.decision is Decision.UNDECIDED:
            return None, "an undecided question has no certificate"
        try:
            certificate = certify(verdict)
        except (CertificateError, ResourceLimitError) as error:  # the answer stands, and is shown
            return None, f"no certificate was written: {error.message}"
        certificate.write(self.path)
        return str(self.path), None


def answering(command: Callable[..., int]) -> Callable[..., Any]:
    """Give a command the common options; it gets them as ``out`` and returns the exit code."""

    @click.option("-o", "--output", "path", type=click.Path(path_type=Path), metavar="FILE", help="Write the certificate to FILE.")
    @json_option
    @decimals_option
    @click.option("--full", is_flag=True, help="Truncate nothing.")
    @wraps(command)
    def run(path: Path | None, as_json: bool, approx: bool | None, full: bool, **given: Any) -> int:
        if as_json:
            leave_out("--json prints every number exactly, and all of it", "approx", "full")
        if path is not None:
            check_writable(path)
        code = command(out=Output(as_json, approx, full, path, reading=given.get("reading")), **given)
        click.get_current_context().exit(code)

    return run
