# SPDX-License-Identifier: MIT
"""Audits as SARIF 2.1.0, which code hosts show beside the files: a result for each thing that was judged.

What fails has the kind *fail* and the level *error*, what holds the kind *pass*. What is undecided has the
kind *open*, and an invocation that says so: the run was no success.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from exactdp.certificate.bundle_files import sha256
from exactdp.certificate.check_bundle import RELEASE
from exactdp.report.record import Case, Record

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://exactdp.github.io/exactdp/"

RULES = {
    "mechanism": ("TableIsAMechanism", "Every row of the table sums to 1, and no entry is negative."),
    "claim": ("ClaimIsTrue", "The claim about the privacy of the table is true."),
    "requirement": ("RequirementIsKept", "What is required of ε, δ or a gap is kept."),
    "audit": ("AuditIsDecided", "The table could be read, and everything about it was decided."),
}
"""For each rule its name and what it says, in the order of their indices."""

KINDS = {"holds": ("pass", "none"), "fails": ("fail", "error"), "undecided": ("open", "none"), "error": ("fail", "error")}
"""The kind and the level of a result, by what became of it: only *fail* has a level (SARIF §3.27.10)."""


_NOTED = {"undecided": "warning", "error": "error"}
"""The level of the notification of what was not decided."""


def sarif(records: Sequence[Record]) -> str:
    """The text of the file.

    Examples
    --------
    >>> body = json.loads(sarif([Record.of("t.csv", {"claim": None, "error": "there is no file"}, 2)]))
    >>> body["version"], [one["message"]["text"] for one in body["runs"][0]["results"]]
    ('2.1.0', ['t.csv: the audit: error: there is no file'])
    """
    files = {name: digest for record in records for name, _, digest in record.files if name != "-"}
    ids = list(RULES)
    rules = [
        {
            "id": rule,
            "name": name,
            "shortDescription": {"text": said},
            "helpUri": f"{HOME}how-to/policy.html",
            "defaultConfiguration": {"level": "error"},
        }
        for rule, (name, said) in RULES.items()
    ]
    open_ones = [(record, case) for record in records for case in record.cases if case.status in ("undecided", "error")]
    told = [{"level": _NOTED[case.status], "message": {"text": _said(record, case)}} for record, case in open_ones]
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "exactdp", "version": RELEASE, "informationUri": HOME, "rules": rules}},
        "invocations": [{"executionSuccessful": not open_ones, **({"toolExecutionNotifications": told} if told else {})}],
        "artifacts": [{"location": {"uri": _uri(name)}, "hashes": {"sha-256": digest}} for name, digest in files.items()],
        "results": [_result(record, case, ids.index(case.rule)) for record in records for case in record.cases],
    }
    return json.dumps({"$schema": SCHEMA, "version": VERSION, "runs": [run]}, indent=2) + "\n"


def _said(record: Record, case: Case) -> str:
    return f"{record.table}: {case.name}: {case.status}: {case.why}"


def _result(record: Record, case: Case, index: int) -> dict[str, Any]:
    """What became of one thing, with the file that it is about, or the word where there is none."""
    kind, level = KINDS[case.status]
    is_file = any(name == record.table for name, _, _ in record.files) or record.verdict is None
    if is_file and record.table != "-":
        place: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": _uri(record.table)}, "region": {"startLine": 1}}}
    else:
        place = {"logicalLocations": [{"name": record.table, "kind": "resource"}]}
    return {
        "ruleId": case.rule,
        "ruleIndex": index,
        "kind": kind,
        "level": level,
        "message": {"text": _said(record, case)},
        "locations": [place],
        "partialFingerprints": {"exactdp/v1": sha256(f"{record.table}\n{case.rule}\n{case.name}".encode())},
    }


def _uri(name: str) -> str:
    """The name of a file as a URI reference: relative as it was given, else of the scheme ``file``.

    >>> _uri("a b.csv"), _uri("x:y.csv")
    ('a%20b.csv', './x%3Ay.csv')
    """
    path = PurePath(os.fspath(name))
    if path.is_absolute():
        return path.as_uri()
    text = quote(path.as_posix(), safe="/._-~")
    return f"./{text}" if "%3A" in text.partition("/")[0] else text
