# SPDX-License-Identifier: MIT
"""What becomes of audited tables, in files for others: the options that name them, and their writing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from exactdp.cli.program import command_line
from exactdp.cli.reading import WritablePath, all_read
from exactdp.errors import WriteError
from exactdp.runtime.files import write_file
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from exactdp.report.record import Record

F = TypeVar("F", bound=Callable[..., Any])


def outcome_options(command: F) -> F:
    """``--junit``, ``--sarif``, ``--register``, ``--resume`` and ``--workers``."""
    for option in (
        click.option(
            "--workers", type=click.IntRange(min=1), metavar="N", help="Of several tables: audit N at a time (default: the cores)."
        ),
        click.option(
            "--resume", is_flag=True, help="Of several tables: audit only those that the register has not, with these files and options."
        ),
        click.option(
            "--register", type=WritablePath(), metavar="FILE", help="Add a line for each table to a register, which can be verified."
        ),
        click.option("--sarif", type=WritablePath(), metavar="FILE", help="Write what holds and what fails as SARIF 2.1.0."),
        click.option("--junit", type=WritablePath(), metavar="FILE", help="Write what holds and what fails as JUnit XML."),
    ):
        command = option(command)
    return command


@dataclass(slots=True)
class Outcomes:
    """The files that say what became of tables.

    Attributes
    ----------
    junit, sarif, register : Path or None
        Where they go.
    notes, unwritten : list of str
        What is to be told of them.
    """

    junit: Path | None
    sarif: Path | None
    register: Path | None
    notes: list[str] = field(default_factory=list)
    unwritten: list[str] = field(default_factory=list)

    @property
    def wanted(self) -> bool:
        """Whether there are any."""
        return any((self.junit, self.sarif, self.register))

    def enter(self, record: Record) -> None:
        """Add a line to the register."""
        if self.register is None:
            return
        from exactdp.report.register import enter  # which knows how everything is shown

        try:
            head, note = enter(self.register, record, command_line())
        except WriteError as error:
            self.unwritten.append(error.message)
            return
        self.notes += [note] if note else []
        self.notes = [one for one in self.notes if not one.startswith(_REGISTERED)]
        self.notes.append(f"{_REGISTERED}{self.register}, whose head is now {head} (check it: exactdp register verify {self.register})")

    def write(self, records: Sequence[Record]) -> None:
        """Write the other files."""
        for path, what in ((self.junit, "junit"), (self.sarif, "sarif")):
            if path is None:
                continue
            text = _junit(records) if what == "junit" else _sarif(records)
            try:
                write_file(path, text)
            except WriteError as error:
                self.unwritten.append(error.message)
            else:
                self.notes.append(f"what holds and what fails was written to {path}")


_REGISTERED = "the audit was entered in "


def _junit(records: Sequence[Record]) -> str:
    from exactdp.report.junit import junit  # only where it is asked for

    return junit(records)


def _sarif(records: Sequence[Record]) -> str:
    from exactdp.report.sarif import sarif  # only where it is asked for

    return sarif(records)


def note_outcomes(outcomes: Outcomes, table: str, body: Mapping[str, Any], code: int) -> None:
    """Write what became of one table, whose answer is this object."""
    from exactdp.report.record import Record  # only where there is a file for it

    record = Record.of(table, body, code, all_read())
    outcomes.enter(record)
    outcomes.write([record])
