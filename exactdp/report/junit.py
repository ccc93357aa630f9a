# SPDX-License-Identifier: MIT
"""Audits as JUnit XML, which continuous integration shows as tests: a suite a table, a case a rule.

What fails is a ``failure``. What is undecided, or could not be read, is an ``error``, and never passed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from exactdp.report.record import Case, Record


def junit(records: Sequence[Record]) -> str:
    """The text of the file.

    Examples
    --------
    >>> print(junit([Record.of("t.csv", {"claim": None, "error": "there is no file"}, 2)]))
    <?xml version='1.0' encoding='utf-8'?>
    <testsuites name="exactdp audit" tests="1" failures="0" errors="1">
      <testsuite name="t.csv" tests="1" failures="0" errors="1" skipped="0">
        <testcase classname="exactdp.audit" name="the audit">
          <error type="error" message="there is no file">there is no file</error>
        </testcase>
      </testsuite>
    </testsuites>
    <BLANKLINE>
    """
    of_all = [case for record in records for case in record.cases]
    root = Element("testsuites", {"name": "exactdp audit", **_counts(of_all)})
    for record in records:
        suite = SubElement(root, "testsuite", {"name": _text(record.table), **_counts(record.cases), "skipped": "0"})
        if record.files:
            properties = SubElement(suite, "properties")
            for name, what, digest in record.files:
                SubElement(properties, "property", {"name": _text(f"sha256 of {what} {name}"), "value": digest})
        for case in record.cases:
            _add(suite, case)
    indent(root)
    made: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return made.decode() + "\n"


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    """How many there are, how many fail, and how many are undecided or errors."""
    found = Counter(case.status for case in cases)
    return {"tests": str(len(cases)), "failures": str(found["fails"]), "errors": str(found["undecided"] + found["error"])}


def _add(suite: Element, case: Case) -> None:
    made = SubElement(suite, "testcase", {"classname": f"exactdp.{case.rule}", "name": _text(case.name)})
    if case.status == "holds":
        SubElement(made, "system-out").text = _text(case.why)
        return
    kind = "failure" if case.status == "fails" else "error"
    told = _text(case.why)
    SubElement(made, kind, {"type": case.status, "message": told}).text = told


def _text(text: str) -> str:
    """A text without the characters that XML 1.0 does not have."""
    return "".join(c if _in_xml(ord(c)) else chr(REPLACEMENT) for c in text)


REPLACEMENT = 0xFFFD
"""What stands for a character that XML does not have."""


def _in_xml(code: int) -> bool:
    """Whether it is a character of XML 1.0."""
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code > 0xFFFF
