# SPDX-License-Identifier: MIT
"""The bundle of an audit: inputs, pages, certificates, the checker, and a manifest that ties them together.

:data:`PAGES` lists the pages; a further one is a line there. Each has the checker's sentences under one
heading, and begins with the verdict: :mod:`~exactdp.certificate.check_bundle` compares both with the
certificates.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

from exactdp.analysis.audit_evidence import Audit
from exactdp.analysis.audit_summary import AuditSummary
from exactdp.analysis.law_audit import LawAudit
from exactdp.analysis.printed.printed_audit import PrintedAudit
from exactdp.analysis.privacy_claim import PrivacyClaim
from exactdp.analysis.requirement import Required, why_text
from exactdp.analysis.verdict import NO_CLAIM, Verdict
from exactdp.certificate.bundle_files import LAW, TABLES, VERSION, WORDS, sha256, zipped
from exactdp.certificate.bundle_reading import Asked
from exactdp.certificate.bundle_tables import DIVIDED, grid_of, has_decimals, numbers_of_file, read_again
from exactdp.certificate.bundle_words import (
    GAP_OF,
    assumed,
    questions_about,
    reason_of,
    start_of_text,
    verdict_sentence,
    with_start_of_page,
)
from exactdp.certificate.check_bundle import CHECKER, PROGRAM, PROGRAMS, RELEASE, SECTION
from exactdp.certificate.compare_claim import own_labels
from exactdp.certificate.laws import law_digest, law_file, require_size
from exactdp.certificate.manifest import ENDING, MANIFEST, Made, Manifest, Part, canonical, certified, printed_ends, table_digest
from exactdp.certificate.page_one import NAMES, quoted, with_requirements
from exactdp.certificate.page_one_formats import WRITTEN
from exactdp.errors import InputError, printable, wrong_kind
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.decimals import fixed_text
from exactdp.exact.number_field import NumberField
from exactdp.model import Table
from exactdp.report.audit_page import audit_page
from exactdp.report.html import html_of, items_html
from exactdp.report.items import Fact, Section
from exactdp.report.page_one import exact_section, page_one
from exactdp.report.page_run import Run, as_statements
from exactdp.report.registry import headline_of, verdict_json
from exactdp.report.text import verdict_text
from exactdp.runtime.files import write_file, write_folder

INPUTS, CERTIFICATES = "inputs", "certificates"
"""The folders of a bundle, beside the checker's."""

PACKAGE = Path(__file__).resolve().parents[1]

EPOCH = "SOURCE_DATE_EPOCH"
"""The variable that says which date a bundle has, in seconds since 1970; the present one without it."""


@dataclass(frozen=True, slots=True)
class Input:
    """A file that was read.

    Attributes
    ----------
    name : str
        As it was given.
    content : bytes
        As it was read.
    what : str
        *table* or *other*.
    """

    name: str
    content: bytes
    what: str = "other"


@dataclass(frozen=True, slots=True)
class Source:
    """Where an audit comes from.

    Attributes
    ----------
    command : tuple of str
        The command line; empty in Python.
    inputs : tuple of Input
        The files that were read.
    reading : mapping
        The options of how they were read.
    notes : tuple of str
        What was done to them.
    answer : mapping or None
        The answer as JSON; what the verdict says of itself unless given.
    summary : AuditSummary, LawAudit or None
        The numbers of page one.
    statements : mapping of str to str
        What the auditor states.
    requirements : tuple of Required
        What is required beside the claim.
    """

    command: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    answer: Mapping[str, Any] | None = None
    summary: AuditSummary | LawAudit | None = None
    statements: Mapping[str, str] = field(default_factory=dict)
    requirements: tuple[Required, ...] = ()


@dataclass(frozen=True, slots=True)
class Content:
    """What pages are made from.

    Attributes
    ----------
    verdict : Verdict
    made : Made
    notes : tuple of str
    answer : mapping
        As JSON.
    checked : tuple of dict
        Of each part its name, the status, the checker's sentence and the digest.
    files : mapping of str to str
        The SHA-256 of the inputs and of the table.
    exact : Section
        The numbers of page one.
    """

    verdict: Verdict[Any]
    made: Made
    notes: tuple[str, ...]
    answer: Mapping[str, Any]
    checked: tuple[Mapping[str, str], ...]
    files: Mapping[str, str]
    exact: Section

    @property
    def sentence(self) -> str:
        """What each page begins with: the verdict on the claim, and which requirements fail."""
        return with_requirements(self.made.verdicts[0]["claim"], self.made.requirements)


def _html(told: Content) -> str:
    """The page for a browser, which begins with the verdict of the bundle."""
    verdict = told.made.verdicts[0]
    return with_start_of_page(_report_html(told), verdict["verdict"], told.verdict.evidence.title, told.sentence)


def _report_html(told: Content) -> str:
    """The report as a page."""
    if isinstance(told.verdict.evidence, Audit):
        return audit_page(told.verdict, notes=[*told.notes, *_provenance(told)], checked=told.checked, also=[told.exact])
    word = WORDS[told.made.verdicts[0]["verdict"]]
    entries = [
        f"<dt>{escape(one['part'])}: {escape(one['status'])}</dt><dd>{escape(one['sentence'])}"
        + (f"<br><code>{escape(one['digest'])}</code>" if "digest" in one else "")
        + "</dd>"
        for one in told.checked
    ]
    notes = "".join(f"<p>Note: {escape(printable(note))}</p>\n" for note in [*told.notes, *_provenance(told)])
    title, first = escape(f"Audit of {told.verdict.evidence.title}"), escape(headline_of(told.verdict).text)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n<body>\n<h1>{title}</h1>\n'
        f"<p><b>{word}.</b> {first}</p>\n<p>{escape(told.verdict.claim)}</p>\n{notes}{html_of(told.verdict)}\n{items_html([told.exact])}\n"
        f"<h2>{SECTION}</h2>\n<dl>{''.join(entries)}</dl>\n</body></html>\n"
    )


def _markdown(told: Content) -> str:
    """The page as text."""
    verdict = told.verdict
    first = told.made.verdicts[0]
    start = start_of_text(first["verdict"], verdict.evidence.title, told.sentence)
    lines = [headline_of(verdict).text, "", f"{verdict.claim} (Scope: {verdict.scope}.)", ""]
    lines += [f"- {printable(note)}" for note in [*told.notes, *_provenance(told)]]
    lines += ["", *(f"    {line}".rstrip() for line in verdict_text(told.verdict, full=True).split("\n"))]
    lines += [
        "",
        f"## {told.exact.title}",
        "",
        *(f"- {printable(one.name)}: {one.value}" for one in told.exact.items if isinstance(one, Fact)),
    ]
    lines += ["", f"## {SECTION}", ""]
    for one in told.checked:
        digest = f" `{one['digest']}`" if "digest" in one else ""
        lines.append(f"- {one['part']}: {one['status']}: {printable(one['sentence'])}{digest}")
    lines += ["", "## Assumptions", "", *(f"- {one}" for one in told.made.assumptions)]
    return start + "\n".join(lines) + "\n"


def _answer(told: Content) -> str:
    """The answer as JSON, with the checker's sentences."""
    verdict = told.made.verdicts[0]
    said = {"verdict": verdict["verdict"], "sentence": told.sentence, "checker": list(told.checked)}
    return json.dumps({**told.answer, **said}, indent=2) + "\n"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a bundle: the name of its file, its role, and how it is made."""

    name: str
    role: str
    make: Callable[[Content], str]


PAGES: tuple[Page, ...] = (
    Page("page.html", "page", _html),
    Page("page.md", "page", _markdown),
    Page("answer.json", "answer", _answer),
)
"""All pages, each for other readers."""


def _provenance(told: Content) -> list[str]:
    """What a page says of how it was made, and how it is checked."""
    command = quoted(told.made.command)
    return [
        f"made on {told.made.date} by exactdp {RELEASE}" + (f": {command}" if command else ""),
        *(f"SHA-256 of {name}: {digest}" for name, digest in told.files.items()),
        f"to check this bundle: exactdp verify DIR, or python -I {PROGRAM} DIR; {MANIFEST} has the digest of every file",
    ]


def bundle_of(verdict: Verdict[Any], source: Source) -> dict[str, bytes]:
    """The files of the bundle of an audit, by their names.

    Parameters
    ----------
    verdict : Verdict of Audit, PrintedAudit or LawAudit
        The answer.
    source : Source
        Where it comes from.

    Raises
    ------
    InputError
        It is the answer of another question; its claim is an irrational root; its table has algebraic
        numbers; or SOURCE_DATE_EPOCH is no number of seconds.
    """
    evidence = verdict.evidence
    if not isinstance(evidence, (Audit, PrintedAudit, LawAudit)):
        raise InputError(f"a bundle is of an audit, and this is the answer of another question: {verdict.claim}", verdict=verdict)
    if evidence.claim is not None:
        _require_compared(evidence.claim)
    if isinstance(evidence, LawAudit):
        require_size(evidence.law)
    if isinstance(evidence, Audit):
        _require_written(evidence.given)
    date = today()
    parts: list[Part] = []
    inputs: list[dict[str, str]] = []
    for given, name in zip(source.inputs, _names([one.name for one in source.inputs]), strict=True):
        inputs.append({"file": name, "given": printable(given.name), "what": given.what})
        if all(part.name != name for part in parts):
            parts.append(Part(name, "input", given.content))
    listed, checked, without = {}, list[dict[str, str]](), dict[str, str]()
    shown = {one.part: one.shown_by for one in source.requirements if one.shown_by is not None}
    for part, made in certified({**evidence.verdicts, **shown}):
        if isinstance(made, str):
            without[part] = reason_of(made)
            checked.append({"part": part, "status": "none", "sentence": without[part]})
        else:
            name = f"{CERTIFICATES}/{part}{ENDING}"
            listed[name] = (part, made)
            parts.append(Part(name, "certificate", made.to_json().encode()))
            checked.append({"part": part, "status": "accepted", "sentence": made.sentence, "digest": made.digest})
    subject, digest = _subject(evidence)
    parts.append(subject)
    told = Made(
        date=date,
        command=tuple(map(printable, source.command)),
        reading=source.reading,
        inputs=tuple(inputs),
        questions=_questions(evidence),
        verdicts=(_told(verdict),),
        claimed=_claimed(evidence),
        requirements=tuple({"text": str(one.requirement), "status": one.status, "part": one.part} for one in source.requirements),
        assumptions=tuple(assumed(_neighbours(evidence), law=isinstance(evidence, LawAudit))),
    )
    files = {part.name: sha256(part.content) for part in parts if part.role in ("input", "table", "law")}
    answer = verdict_json(verdict) if source.answer is None else source.answer
    assert source.summary is not None
    content = Content(verdict, told, source.notes, answer, tuple(checked), files, exact_section(source.summary))
    parts += [Part(page.name, page.role, page.make(content).encode()) for page in PAGES]
    parts += _page_one(source, inputs, told, files, {part for part, _ in listed.values()})
    parts += _program()
    parts.sort(key=lambda part: part.name)
    manifest = Manifest.of(evidence.title, digest, parts, listed, without, told)
    return {MANIFEST: manifest.to_json().encode(), **{part.name: part.content for part in parts}}


def _page_one(
    source: Source, inputs: Sequence[Mapping[str, str]], told: Made, digests: Mapping[str, str], certified: Collection[str]
) -> Iterator[Part]:
    """Page one in each format."""
    assert source.summary is not None
    is_file = any(one["what"] == "table" for one in inputs)
    run = Run(
        date=told.date,
        command=told.command,
        files=tuple((one["given"], digests[one["file"]], one["what"] == "table") for one in inputs),
        word="" if is_file else str(source.reading.get("table", "")),
        reading=source.reading,
        table=digests[LAW if isinstance(source.summary, LawAudit) else TABLES],
        statements=source.statements,
        certified=certified,
    )
    page = page_one(source.summary, run)
    for kind, name in NAMES.items():
        yield Part(name, "page-one", WRITTEN[kind](page).encode())


def write_bundle(verdict: Verdict[Any], place: str | os.PathLike[str], source: Source) -> str:
    """Write a bundle whole or not at all: a folder, or a zip if the name ends so; the digest of its manifest.

    Raises
    ------
    InputError
        It is no audit.
    WriteError
        It can't be written, or there is a folder of that name with something in it.
    """
    if not isinstance(place, (str, os.PathLike)) or not os.fspath(place):
        raise wrong_kind("name of a folder or a zip", place, "text or a Path")
    files = bundle_of(verdict, source)
    if is_zip(place):
        write_file(place, zipped(files))
    else:
        write_folder(place, files)
    return f"sha256:{sha256(files[MANIFEST])}"


def precision_of(verdict: Verdict[Any], inputs: Sequence[str | os.PathLike[str]]) -> str | None:
    """How the numbers of a table stand in the first of these files that has them; None where none has."""
    evidence = verdict.evidence
    if not isinstance(evidence, Audit) or not inputs:
        return None
    grid, asked = grid_of(table_json("as read", evidence.given)), _asked(evidence)
    for name in inputs:
        content = _content(name)
        for dyadic in (False, True):
            if read_again(content, grid, {"dyadic": dyadic}, asked):
                decimals = has_decimals(content, grid, {"dyadic": dyadic})
                return "doubles" if dyadic else "decimals" if decimals else "exact"
    return None


def from_python(
    verdict: Verdict[Any],
    place: str | os.PathLike[str],
    inputs: Sequence[str | os.PathLike[str]],
    summary: AuditSummary | LawAudit,
    statements: Mapping[str, str] | None = None,
) -> str:
    """Write the bundle of an audit that was asked for in Python, with the files that it is said to come from.

    One of them that has the numbers of the table, as decimals or as doubles, is told to be its file.
    """
    read = [Input(os.fspath(name), _content(name)) for name in inputs]
    verdict, required = of_claim(verdict)
    evidence, reading = verdict.evidence, dict[str, Any]()
    if isinstance(evidence, Audit):
        grid = grid_of(table_json("as read", evidence.given))
        for k, dyadic in ((k, dyadic) for k in range(len(read)) for dyadic in (False, True)):
            if read_again(read[k].content, grid, {"dyadic": dyadic}, _asked(evidence)):
                numbers = numbers_of_file(read[k].content, grid, {"dyadic": dyadic})
                read[k], reading = replace(read[k], what="table"), {"dyadic": True} if dyadic else {}
                assert isinstance(summary, AuditSummary)
                summary = replace(summary, rows_named=numbers is not None and numbers[1])
                break
    elif isinstance(evidence, LawAudit):
        reading = {"table": evidence.word}
    source = Source(
        inputs=tuple(read),
        reading=reading,
        notes=tuple(required),
        summary=summary,
        statements=as_statements(statements),
        requirements=summary.requirements,
    )
    return write_bundle(verdict, place, source)


def _asked(evidence: Audit) -> Asked:
    """What decides how a file is read that is said in Python to be that of a table."""
    return Asked(own_labels(str(evidence.neighbours), len(evidence.given.inputs)))


def of_claim(verdict: Verdict[Any]) -> tuple[Verdict[Any], list[str]]:
    """The answer that a bundle decides, which is about the claim, and a note for each requirement."""
    evidence = verdict.evidence
    if not isinstance(evidence, (Audit, PrintedAudit, LawAudit)) or not evidence.requirements:
        return verdict, []
    return evidence.of_claim, [f"required: {one.text} {one.status} ({why_text(one)})" for one in evidence.requirements]


def is_zip(place: str | os.PathLike[str]) -> bool:
    """Whether a bundle of this name is one file."""
    return os.fspath(place).lower().endswith(".zip")


def date_of(epoch: str | None) -> str:
    """The date that a bundle has, in UTC.

    >>> date_of("0")
    '1970-01-01T00:00:00Z'
    """
    if epoch is not None and not re.fullmatch("[0-9]{1,11}", epoch):
        raise InputError(f"{EPOCH} is {epoch[:40]!r}; give a number of seconds since 1970, or unset it", value=epoch)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() if epoch is None else int(epoch)))


def today() -> str:
    """The date of this run, or that of SOURCE_DATE_EPOCH."""
    return date_of(os.environ.get(EPOCH))


def _content(name: str | os.PathLike[str]) -> bytes:
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"the input {os.fspath(name)!r} can't be read: {error}", inputs=name) from None


def _names(given: Sequence[str]) -> list[str]:
    """The names of inputs in the folder: their own, as far as a manifest can have it, and no two the same."""
    found: dict[str, str] = {}
    for name in given:
        plain = re.sub(r"[^A-Za-z0-9_.-]", "_", "standard-input" if name == "-" else Path(name).name).lstrip(".-")[:150] or "input"
        taken = {other.lower() for other in found.values()}
        number, own = 2, plain
        while f"{INPUTS}/{own}".lower() in taken and name not in found:
            own, number = f"{number}-{plain}", number + 1
        found.setdefault(name, f"{INPUTS}/{own}")
    return [found[name] for name in given]


def _subject(evidence: Audit | PrintedAudit | LawAudit) -> tuple[Part, str]:
    """The file of what certificates are about, and the digest of what was judged: tables, or a law."""
    if isinstance(evidence, LawAudit):
        return Part(LAW, "law", law_file(evidence.word, evidence.law)), law_digest(evidence.law)
    judged, tables = _tables(evidence)
    return Part(TABLES, "table", _tables_json(tables).encode()), table_digest(judged)


def _neighbours(evidence: Audit | PrintedAudit | LawAudit) -> str:
    """What the neighbours are called."""
    return evidence.law.neighbours if isinstance(evidence, LawAudit) else str(evidence.neighbours)


def _tables(evidence: Audit | PrintedAudit) -> tuple[Table, dict[str, Table]]:
    """What the certificates are about: the table that was judged, and that with the one read."""
    if isinstance(evidence, PrintedAudit):
        ends = printed_ends(evidence.printed)
        return ends, {"as read": ends}
    read, judged = evidence.given, evidence.given
    tables = {"as read": read}
    if evidence.mechanism is not None and evidence.quality != "exact":
        repaired = evidence.mechanism.as_table()
        tables[DIVIDED] = repaired
        judged = repaired if evidence.quality == "rounded" else read
    return judged, tables


def _tables_json(tables: Mapping[str, Table]) -> str:
    """The tables, number for number."""
    body = {"format": "exactdp-tables", "version": VERSION, "tables": [table_json(*one) for one in tables.items()]}
    return json.dumps(body, indent=1) + "\n"


def table_json(name: str, table: Table) -> dict[str, Any]:
    """A table as the file of tables has it."""
    rows = [[canonical(x) for x in row] for row in table.matrix.rows()]
    return {"name": name, "inputs": list(map(str, table.inputs)), "outputs": list(map(str, table.outputs)), "entries": rows}


def _told(verdict: Verdict[Any]) -> dict[str, str]:
    """The verdict, and the sentence that says it of the claim."""
    evidence = verdict.evidence
    nothing = evidence.claim is None and (verdict.proved or isinstance(evidence, PrintedAudit))
    head = NO_CLAIM if nothing else verdict.head  # of a printed table, too, whose ends of ε may differ
    return {"verdict": head, "claim": verdict_sentence(head, evidence.title, _claimed(evidence), _neighbours(evidence))}


def _questions(evidence: Audit | PrintedAudit | LawAudit) -> tuple[str, ...]:
    """What was asked, in words."""
    deltas = [str(v.evidence.delta) for v in evidence.for_delta] if isinstance(evidence, Audit) else []
    asked = questions_about(_quality(evidence), _neighbours(evidence), _claimed(evidence), deltas)
    if isinstance(evidence, LawAudit):
        return (*asked, *evidence.asked)
    consumers = dict.fromkeys(entry.consumer.describe() for entry in evidence.consumers)
    return (*asked, *(f"{GAP_OF}{consumer}" for consumer in consumers))


def _quality(evidence: Audit | PrintedAudit | LawAudit) -> str:
    """What was judged: a table that is exact, rounded or wrong, all that print so, or a law."""
    return evidence.quality if isinstance(evidence, Audit) else "law" if isinstance(evidence, LawAudit) else "printed"


def _require_compared(claim: PrivacyClaim) -> None:
    """Refuse a level that the program of a bundle does not compare: its verify would decide nothing."""
    level = claim.level.as_tightest()
    if isinstance(level.value, Rational | ExponentialNumber):
        return
    epsilon = level.epsilon
    raise InputError(
        f"no bundle is made of this claim: α = e^(−ε) is an irrational root for ε = {epsilon}, and the program of a bundle compares "
        f"none; claim a rational ε, such as the smaller {fixed_text(epsilon.enclosure(6)[0], 6)}",
        claim=claim,
    )


def _require_written(table: Table) -> None:
    """Refuse a table of algebraic numbers: neither certificates nor the tables of a bundle have them."""
    if isinstance(table.field, NumberField):
        raise InputError(
            f"no bundle is made of this table: its numbers are of {table.field}, and certificates have none of those; give a level "
            "whose table has fractions, or numbers over e^(−ε), such as a rational ε",
            table=table,
        )


def _claimed(evidence: Audit | PrintedAudit | LawAudit) -> dict[str, str] | None:
    """The claim in numbers."""
    claim = evidence.claim
    if claim is None:
        return None
    level = {"epsilon": str(claim.epsilon)} if claim.alpha is None else {"alpha": str(claim.alpha.alpha)}
    told = {"text": str(claim), "neighbours": _neighbours(evidence), "quality": _quality(evidence)}
    return {**level, "delta": str(claim.delta), **told}


def _program() -> list[Part]:
    """The checker's files, what states its rules, and the program that checks a bundle."""
    listed = (path for path in sorted((PACKAGE / CHECKER).glob("*.py")) if path.name != "__init__.py")  # it needs no package
    files = [Part(f"{CHECKER}/{path.name}", "checker", path.read_bytes()) for path in listed]
    spec, program = PACKAGE / "certificate" / "SPEC.md", PACKAGE / "certificate" / PROGRAM
    programs = [Part(name, "program", program.with_name(name).read_bytes()) for name in PROGRAMS]
    return [*files, Part(f"{CHECKER}/{spec.name}", "checker", spec.read_bytes()), *programs]
