# SPDX-License-Identifier: MIT
"""The register of audits: a file with a line for each, which are chained by their digests.

The chain is that of :mod:`exactdp.runtime.chain`. An entry has the date, the command, and the record of the
audit (:class:`~exactdp.report.record.Record`): what was judged, with the SHA-256 of every file, and how.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from exactdp.analysis.audit import Audit
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.certificate.manifest import table_digest
from exactdp.errors import InputError, printable
from exactdp.report.bundle import EPOCH, date_of
from exactdp.report.record import Record
from exactdp.report.registry import verdict_json
from exactdp.runtime.chain import ChainChecked, append, verify_chain

FORMAT = "exactdp-register"
"""What each line names."""

MOST_BYTES = 2**30
"""Of a register."""

CODES = {Decision.PROVED: 0, Decision.REFUTED: 1, Decision.UNDECIDED: 4}
"""The exit codes that the command has for these answers."""


def enter(path: str | os.PathLike[str], record: Record, command: Sequence[str]) -> tuple[str, str | None]:
    """Add a record to a register; the new head, and what is to be noted."""
    entry = {"date": date_of(os.environ.get(EPOCH)), "command": list(map(printable, command)), **record.to_json()}
    return append(path, FORMAT, [entry])


def register_audit(verdict: Verdict[Any], register: str | os.PathLike[str]) -> str:
    """Add an audit to a register, as ``exactdp audit --register`` does.

    Parameters
    ----------
    verdict : Verdict of Audit
        The answer. In place of files the entry has the digest of the table.
    register : str or path
        The file; it is made where there is none.

    Returns
    -------
    str
        The digest of the new line, the head of the register, to be noted.

    Raises
    ------
    InputError
        It is the answer of another question; or the file is no register, or was edited.
    WriteError
        It can't be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from exactdp import audit, geometric
    >>> place = Path(tempfile.mkdtemp()) / "register.jsonl"
    >>> head = register_audit(audit(geometric(2, "1/2"), "path", require=["epsilon <= 1"]), place)
    >>> verify_register(place).head == head
    True
    """
    evidence = verdict.evidence
    if not isinstance(evidence, Audit):
        raise InputError(f"a register is of audits, and this is the answer of another question: {verdict.claim}", verdict=verdict)
    record = Record.of(evidence.title, verdict_json(verdict), CODES[verdict.decision])
    table = (evidence.title, "the table", table_digest(evidence.given).removeprefix("sha256:"))
    return enter(register, Record.of_json(record.to_json() | {"files": [dict(zip(("name", "what", "sha256"), table, strict=True))]}), ())[0]


def verify_register(register: str | os.PathLike[str], *, head: str | None = None) -> ChainChecked:
    """Check a register: each line, its digest, and that it follows the line before.

    Parameters
    ----------
    register : str or path
        The file.
    head : str, optional
        A digest that was noted. It must be that of a line: without it nobody can tell that lines are missing
        at the end.

    Returns
    -------
    ChainChecked
        ``fault`` is None, or names the first line that is wrong; ``head`` is to be noted.

    Raises
    ------
    InputError
        It can't be read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> place = Path(tempfile.mkdtemp()) / "register.jsonl"
    >>> _ = place.write_bytes(b"")
    >>> verify_register(place).entries
    0
    """
    try:
        with open(register, "rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"can't read the register {os.fspath(register)!r}: {reason}", register=register) from None
    if len(content) > MOST_BYTES:
        raise InputError(f"the register {os.fspath(register)!r} has more than {MOST_BYTES} bytes", register=register)
    return verify_chain(content, FORMAT, head=head)
