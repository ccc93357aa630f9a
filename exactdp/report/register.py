# SPDX-License-Identifier: MIT
"""The register of audits: a file with a line for each, which are chained by their digests.

The chain is that of :mod:`exactdp.runtime.chain`. An entry has the date, the command, and the record of the
audit (:class:`~exactdp.report.record.Record`): what was judged, with the SHA-256 of every file, and how.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from exactdp.analysis.audit_evidence import Audit
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.certificate.check_bundle import RELEASE
from exactdp.certificate.manifest import table_digest
from exactdp.errors import InputError, printable
from exactdp.report.bundle import EPOCH, date_of
from exactdp.report.record import Record
from exactdp.report.registry import verdict_json
from exactdp.runtime.chain import ChainChecked, append, entries_of, verify_chain

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


def registered(register: str | os.PathLike[str]) -> list[tuple[list[str], Record]]:
    """The command and the record of each entry of this release in a register; none where there is no file.

    Raises
    ------
    InputError
        It can't be read, is no register, or was edited. What an interrupted writing left is no entry.
    """
    if not os.path.exists(register):
        return []
    content = _content(register)
    whole, _, rest = content.rpartition(b"\n")
    kept = whole + b"\n" if whole else b""
    try:
        lines = entries_of(content + b"\n" if rest else content, FORMAT)  # a line that lacks its end only is one
    except InputError:
        try:
            lines = entries_of(kept, FORMAT)
        except InputError as error:
            raise InputError(f"{os.fspath(register)!r}: {error.message}; nothing was audited", register=register) from None
    entries = [dict(line["entry"]) for line in lines if line["entry"]["exactdp"] == RELEASE]
    return [(list(entry["command"]), Record.of_json({k: x for k, x in entry.items() if k not in ("date", "command")})) for entry in entries]


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
    return verify_chain(_content(register), FORMAT, head=head)


def _content(register: str | os.PathLike[str]) -> bytes:
    """The bytes of a register."""
    try:
        with open(register, "rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"can't read the register {os.fspath(register)!r}: {reason}", register=register) from None
    if len(content) > MOST_BYTES:
        raise InputError(f"the register {os.fspath(register)!r} has more than {MOST_BYTES} bytes", register=register)
    return content
