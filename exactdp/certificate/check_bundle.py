#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the bundle of an audit: a folder or a zip with inputs, pages, certificates and manifest.json.

Standard library only; no other file of exactdp is used but those of PROGRAMS beside this one and the checker,
whose files lie in the folder ``checker``. Usage: python -I check_bundle.py [--json] BUNDLE. Take these files
from the release whose digests are published. The copies inside of a bundle are a convenience: whoever changes
a bundle can change them, too.

What is checked:

* manifest.json is an in-toto Statement of our type and version, written in the one way that we write it;
* every part that it lists is there with its digest, and nothing else is: no link, no other folder;
* the checker accepts every certificate, and says the sentence and the digest that the manifest has;
* where a law was judged in place of a table, the certificate is about the law of law.json;
* each other certificate is about a table of table.json, number for number; each of those is the table as it
  was read, or that table with its rows divided by their sums; a table of plain numbers is compared with the
  file that it was read from;
* every page has the sentence of each certificate, and no other; it begins with the verdict of the manifest;
* page one is what its lines give in each format, and each line is compared with a certificate, with the
  table or with the manifest, unless it says that the auditor states it;
* the verdict does not contradict the certificates.

Exit code 0 accepted, 1 rejected, 2 usage or unreadable, 3 the manifest is none, 4 a limit, 70 a defect.
"""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

RELEASE = "0.1.0"
"""The version of exactdp that this file belongs to."""

CHECKER, PROGRAM, SPEC = "checker", "check_bundle.py", "SPEC.md"
"""The folder of the checker's files, this file, and the rules of the checker, which lie beside either."""

PROGRAMS = (
    PROGRAM,
    "bundle_files.py",
    "bundle_reading.py",
    "bundle_tables.py",
    "bundle_words.py",
    "page_one.py",
    "page_one_formats.py",
    "compare_claim.py",
    "page_one_sources.py",
    "compare_numbers.py",
    "compare_described.py",
    "compare_lines.py",
    "compare_consumers.py",
    "compare_remaps.py",
    "compare_printed.py",
    "compare_reading.py",
    "compare_neighbours.py",
    "compare_parts.py",
    "compare_requirements.py",
    "compare_command.py",
    "compare_privacy.py",
    "compare_page_one.py",
    "compare_law.py",
)
"""This file and those that it needs beside it, each after those that it imports."""


def _load_beside() -> None:
    """Load the other files of PROGRAMS from their bytes: no package is there to import them from."""
    for file in PROGRAMS[1:]:
        path, name = Path(__file__).resolve().with_name(file), f"exactdp.certificate.{file.removesuffix('.py')}"
        if name in sys.modules:
            continue
        if not path.is_file():
            print(f"{file}: unreadable: missing beside this program; take all of them from one release", flush=True)
            sys.exit(2)
        module = ModuleType(name)
        vars(module).update(__file__=str(path))
        sys.modules[name] = module
        exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), vars(module))


if __spec__ is None:
    _load_beside()

from exactdp.certificate.bundle_files import (
    LAW,
    MANIFEST,
    ROLES,
    TABLES,
    WORDS,
    Fault,
    Refused,
    files_of,
    is_of_law,
    read_manifest,
    sha256,
    shown,
    strict_json,
)
from exactdp.certificate.bundle_tables import (
    DIVIDED,
    Grid,
    NotComparedError,
    combined,
    divided,
    grid_of,
    read_again,
    sign_of,
    table_of,
    table_of_word,
)
from exactdp.certificate.bundle_words import (
    END_OF_PAGE,
    NEIGHBOURS,
    OPTIMUM,
    PART_NAMES,
    REASONS,
    assumed,
    faults_of_body,
    faults_of_questions,
    start_of_page,
    start_of_text,
    verdict_sentence,
)
from exactdp.certificate.compare_claim import faults_of_claim, level_of, powers_of, require_neighbours, shows
from exactdp.certificate.compare_command import faults_of_command, is_of_the_word, notes_of_command, reading_asked
from exactdp.certificate.compare_law import LAW_KINDS, faults_of_law_page, law_faults
from exactdp.certificate.compare_page_one import faults_of_page_one
from exactdp.certificate.page_one import NAMES, with_requirements
from exactdp.certificate.page_one_sources import Compared, Differs

AGAIN = "; exactdp verify"
"""Begins the end of a note of what this program does not compare, and exactdp does."""

RERUN = f"{AGAIN} runs its command again"
"""Such an end, of a bundle whose command line is known."""

SECONDS = 1800
"""Of the processor, for all of a bundle."""

CODES = {"accepted": 0, "rejected": 1, "unreadable": 2, "malformed": 3, "limit": 4, "defect": 70}
"""The exit codes."""

_BADNESS = ("accepted", "rejected", "limit", "malformed", "unreadable", "defect")

SECTION = "What the checker verified, in its own words"
"""The heading of the part of a page that has the checker's sentences."""


@dataclass
class Found:
    """What was found of a bundle."""

    faults: list[Fault] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    accepted: int = 0
    compared: int = 0

    def say(self, name: str, sentence: str, status: str = "rejected") -> None:
        """Note a fault."""
        self.faults.append(Fault(name, status, sentence))

    @property
    def status(self) -> str:
        """The worst."""
        return max((fault.status for fault in self.faults), key=_BADNESS.index, default="accepted")


# ── Pages ───────────────────────────────────────────────────────────────────────────────────────
Said = list[tuple[str, str, str, str]]
"""Of each part: its name, the checker's status, the sentence, the digest."""


def said_by(name: str, data: bytes) -> tuple[str, Said]:
    """The text of a page and what it says of the certificates; ValueError if it has no such section."""
    text = data.decode("utf-8")
    if name.endswith(".json"):
        body = strict_json(data)
        listed = [(str(x["part"]), str(x["status"]), str(x["sentence"]), str(x.get("digest", ""))) for x in body["checker"]]
        return f"{WORDS[body['verdict']]}. {body['sentence']}", listed
    if name.endswith(".html"):
        return _said_by_html(text)
    head, _, rest = text.partition(f"\n## {SECTION}\n")
    if not rest or f"## {SECTION}" in head + rest:
        raise ValueError(f"it has not one section {SECTION!r}")
    section, _, _ = rest.partition("\n## ")
    lines = [line for line in section.split("\n") if line]
    found = [re.fullmatch(r"- ([a-z0-9-]+): ([a-z]+): (.*?)(?: `(sha256:[0-9a-f]{64})`)?", line) for line in lines]
    if not all(found):
        raise ValueError(f"a line of the section {SECTION!r} is no sentence of a certificate")
    return text, [(line[1], line[2], line[3], line[4] or "") for line in found if line]


def _said_by_html(text: str) -> tuple[str, Said]:
    _, *sections = text.split(f"<h2>{SECTION}</h2>")
    if len(sections) != 1:
        raise ValueError(f"it has not one section {SECTION!r}")
    section = re.match(r"\s*<dl>(.*?)</dl>", sections[0], re.DOTALL)
    if section is None:
        raise ValueError(f"the section {SECTION!r} is no list")
    entry = r"<dt>([a-z0-9-]+): ([a-z]+)</dt><dd>([^<]*)(?:<br><code>(sha256:[0-9a-f]{64})</code>)?</dd>"
    found = [match.groups() for match in re.finditer(entry, section[1])]
    if re.sub(entry, "", section[1]).strip():
        raise ValueError(f"something in the section {SECTION!r} is no sentence of a certificate")
    listed = [(part, status, plain_text(sentence), digest or "") for part, status, sentence, digest in found]
    return text, listed


def plain_text(text: str) -> str:
    """What a page shows: without its marks."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", "", text))).strip()


# ── A bundle ────────────────────────────────────────────────────────────────────────────────────
def check_bundle(place: str) -> tuple[Found, dict[str, Any] | None, str]:
    """All that is wrong with a bundle, its statement, and the digest of its manifest."""
    found = Found()
    try:
        files, faults = files_of(place)
    except (Refused, OSError) as error:
        status = error.status if isinstance(error, Refused) else "unreadable"
        found.say(place, error.sentence if isinstance(error, Refused) else f"it can't be read: {error}", status)
        return found, None, ""
    found.faults += faults
    if MANIFEST not in files:
        found.say(MANIFEST, "missing: nothing says what is expected here", "malformed")
        return found, None, ""
    try:
        body = read_manifest(files[MANIFEST])
    except Refused as error:
        found.say(MANIFEST, error.sentence, error.status)
        return found, None, ""
    predicate = body["predicate"]
    if predicate["contents"] != "bundle":
        found.say(MANIFEST, "it lists certificates alone, and this is no bundle: exactdp verify checks such a folder", "malformed")
        return found, None, ""
    _check_parts(files, body, found)
    there = {part["name"]: files[part["name"]] for part in predicate["parts"] if part["name"] in files}
    said = _check_certificates(there, predicate, found)
    if is_of_law(predicate):
        _check_law(there, predicate, found)
    else:
        _check_tables(there, predicate, found)
    _check_pages(there, predicate, said, found)
    _check_verdict(there, predicate, found)
    _check_command(there, predicate, found)
    _check_page_one(there, predicate, found)
    return found, body, f"sha256:{sha256(files[MANIFEST])}"


def _check_parts(files: Mapping[str, bytes], body: Mapping[str, Any], found: Found) -> None:
    """Every part is there with its digest, and nothing else."""
    predicate = body["predicate"]
    expected = {part["name"]: part["digest"]["sha256"] for part in predicate["parts"]}
    for name, digest in expected.items():
        if name not in files:
            found.say(name, f"missing: {MANIFEST} expects it")
        elif sha256(files[name]) != digest:
            found.say(name, f"changed: its SHA-256 is {sha256(files[name])}, and {MANIFEST} expects {digest}")
    for name in sorted(files.keys() - expected.keys() - {MANIFEST}):
        found.say(name, f"foreign: {MANIFEST} expects no such file")
    inputs = {part["name"]: part["digest"]["sha256"] for part in predicate["parts"] if part["role"] == "input"}
    read = {one["file"] for one in predicate["inputs"]}
    for name in sorted(read ^ inputs.keys()):
        found.say(MANIFEST, f"{name} is no part that is an input, or no input was read from it")
    subjects = {subject["name"]: subject["digest"]["sha256"] for subject in body["subject"]}
    about = inputs or {predicate["table"]["name"]: predicate["table"]["digest"].removeprefix("sha256:")}
    if subjects != about or len(subjects) != len(body["subject"]):
        found.say(MANIFEST, "its subjects are not the inputs")
    roles = [part["role"] for part in predicate["parts"]]
    judged, other = ("law", "table") if is_of_law(predicate) else ("table", "law")
    lacking = [role for role in ROLES if role not in roles and role not in ("input", "certificate", other)]
    if lacking or roles.count(judged) != 1 or other in roles:
        found.say(MANIFEST, f"it lists no {lacking[0] if lacking else judged}, or several tables or laws")
    for wrong in _faults_of_roles(predicate):
        found.say(MANIFEST, wrong)
    _check_program(predicate, found)


NAMES_OF_ROLES: Mapping[str, re.Pattern[str]] = {
    "input": re.compile("inputs/.+"),
    "table": re.compile(re.escape(TABLES)),
    "law": re.compile(re.escape(LAW)),
    "page-one": re.compile("|".join(map(re.escape, NAMES.values()))),
    "page": re.compile(r"page\.(?:html|md)"),
    "answer": re.compile(r"answer\.json"),
    "certificate": re.compile(r"certificates/[a-z0-9-]+\.edp\.json"),
    "checker": re.compile(rf"{CHECKER}/(?:[a-z0-9_]+\.py|SPEC\.md)"),
    "program": re.compile(r"[a-z0-9_]+\.py"),
}
"""What a part of each role is called: no page, and no other file, stands beside those that are compared."""


def _faults_of_roles(predicate: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the names of parts, and with the parts of the audit that have no certificate."""
    for part in predicate["parts"]:
        if NAMES_OF_ROLES[part["role"]].fullmatch(part["name"]) is None:
            yield f"{part['name']} is no name of a part that is a {part['role']}"
    names = [*(one["part"] for one in predicate["certificates"]), *predicate["without"]]
    for name in names:
        if PART_NAMES.fullmatch(name) is None or names.count(name) > 1:
            yield f"{name} is no part of an audit, or is listed twice"
    for one in predicate["certificates"]:
        if one["file"].partition("/")[2].partition(".")[0] != one["part"]:
            yield f"the certificate of {one['part']} is called {one['file']}"
    for name, reason in predicate["without"].items():
        if reason not in REASONS:
            yield f"no part of an audit is without certificate for the reason that is told of {name}"


def _check_program(predicate: Mapping[str, Any], found: Found) -> None:
    """The checker in the bundle is the one that runs, if it is of this version."""
    files = (path for path in sorted(checker_folder().glob("*.py")) if path.name != "__init__.py")
    own = {f"{CHECKER}/{path.name}": sha256(path.read_bytes()) for path in files}
    beside = Path(__file__).resolve().parent
    own |= {name: sha256((beside / name).read_bytes()) for name in PROGRAMS}
    rules = [path for path in (checker_folder() / SPEC, beside / SPEC) if path.is_file()]
    own |= {f"{CHECKER}/{SPEC}": sha256(path.read_bytes()) for path in rules[:1]}
    listed = {part["name"]: part["digest"]["sha256"] for part in predicate["parts"] if part["role"] in ("checker", "program")}
    if not rules and listed.pop(f"{CHECKER}/{SPEC}", ""):
        found.told.append(f"{CHECKER}/{SPEC} was not compared, for there is none beside this program")
    others = sorted(name for name in own.keys() | listed.keys() if own.get(name) != listed.get(name))
    if others and predicate["exactdp"] == RELEASE:
        found.say(others[0], f"not the file of exactdp {RELEASE} beside this program: one of them was changed, or is no release's")
    elif others:
        found.told.append(f"its checker is that of exactdp {predicate['exactdp']}, and was not run: that of {RELEASE} was")


def _check_certificates(there: Mapping[str, bytes], predicate: Mapping[str, Any], found: Found) -> Said:
    """The checker accepts each certificate, and says what the manifest has; what pages then say of it."""
    kernel, said = checker(), list[tuple[str, str, str, str]]()
    for one in predicate["certificates"]:
        said.append((one["part"], "accepted", one["sentence"], one["digest"]))
        data = there.get(one["file"])
        if data is None:
            continue
        answer = kernel.check_bytes(data)
        if answer.status != "accepted":
            found.say(one["file"], answer.sentence, answer.status)
        elif answer.digest != one["digest"]:
            found.say(one["file"], f"another certificate: its digest is {answer.digest}, and {MANIFEST} expects {one['digest']}")
        elif answer.sentence != one["sentence"]:
            found.say(one["file"], f"its sentence is not that of {MANIFEST}: {answer.sentence}")
        else:
            found.accepted += 1
    return [*said, *((part, "none", reason, "") for part, reason in predicate["without"].items())]


def _check_tables(there: Mapping[str, bytes], predicate: Mapping[str, Any], found: Found) -> None:
    """Certificates are about the tables, and the tables are what was read."""
    name = next((part["name"] for part in predicate["parts"] if part["role"] == "table"), "")
    if name not in there:
        return
    try:
        body = strict_json(there[name])
        tables = {str(one["name"]): grid_of(one) for one in body["tables"]}
        read = tables["as read"]
        if len(tables) < len(body["tables"]):
            raise ValueError("two have one name")
        known = {"as read": read, DIVIDED: divided(read) if DIVIDED in tables else None}
    except NotComparedError as error:
        found.say(name, f"its tables can't be compared: {error}", "limit")
        return
    except (ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        found.say(name, f"it has no tables: {error}", "malformed")
        return
    for title, table in tables.items():
        own = known.get(title)
        if own is None or not table.same(own):
            found.say(name, f"the table {title!r} is neither the one that was read nor that with its rows divided by their sums")
    for one in predicate["certificates"]:
        if one["file"] in there:
            _compare_certificate(one, there[one["file"]], list(tables.values()), found)
    _compare_input(there, predicate, read, found)


def _check_law(there: Mapping[str, bytes], predicate: Mapping[str, Any], found: Found) -> None:
    """The certificate is about the law, and the manifest says of it what the certificate shows."""
    if LAW not in there:
        found.say(LAW, "missing: nothing says which law was judged")
        return
    for name, sentence in law_faults(there, predicate):
        found.say(name, sentence)
    found.compared += not found.faults
    word = predicate["reading"].get("table", "")
    found.told.append(f"{LAW} was not compared with {word}, whose law this program does not make{AGAIN} makes it")


def _compare_certificate(one: Mapping[str, str], data: bytes, tables: Sequence[Grid], found: Found) -> None:
    """A certificate is about one of the tables; that of a best possible about none."""
    file = one["file"]
    try:
        table = table_of(strict_json(data))
    except NotComparedError as error:
        found.say(file, f"its table can't be compared: {error}", "limit")
        return
    except (ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        found.say(file, f"its table can't be compared: {error}")
        return
    if OPTIMUM.fullmatch(one["part"]):  # its consumer and its level are compared with the lines of page one
        if table is not None:
            found.say(file, "it is about a table, and a best possible is that of all mechanisms")
    elif table is None:
        found.say(file, "it names no table, and every certificate of an audit does")
    elif not any(table.same(other) for other in tables):
        found.say(file, f"it is about another table than those of {TABLES}")
    else:
        found.compared += 1


def _compare_input(there: Mapping[str, bytes], predicate: Mapping[str, Any], read: Grid, found: Found) -> None:
    if all(entry["what"] != "table" for entry in predicate["inputs"]):
        word = predicate["reading"].get("table", "")
        made = f"that of {word}, which this program does not make{RERUN}" if word else "no file is named as its own"
        if not _is_of_word(word, predicate["reading"], read, found):
            found.told.append(f"{TABLES} was not compared with a file: {made}")
        if is_of_the_word(predicate):
            found.told.append(f"that {word} means these neighbours was not compared{RERUN}")
    for entry in predicate["inputs"]:
        if entry["what"] != "table" or entry["file"] not in there:
            continue
        rows = len(read.inputs) // (2 if "digits" in predicate["reading"] else 1)
        same = read_again(there[entry["file"]], read, predicate["reading"], reading_asked(predicate, rows))
        if same is False or (same is None and not predicate["command"]):
            found.say(entry["file"], f"it has other numbers than the table as read of {TABLES}, or is no file that Python is told of")
        elif same is None:
            file = entry["file"]
            found.told.append(f"{TABLES} was not compared with {file}: this program reads plain numbers only{RERUN}")


def _is_of_word(word: str, reading: Mapping[str, Any], read: Grid, found: Found) -> bool:
    """Whether the table is compared with the word that it was made from, and told where it is another one."""
    if any(reading.get(key) for key in ("transpose", "renormalise", "digits", "dyadic")):
        return False
    try:
        made = table_of_word(word, len(read.inputs))
        if made is None:
            return False
        if made.inputs != read.inputs or made.outputs != read.outputs:
            if sorted(made.inputs) == sorted(read.inputs):
                raise Differs(f"{word} means its rows, or its columns, in another order")
            return False  # its labels were replaced
        if not made.same_numbers(read):
            raise Differs(f"{word} means other numbers")
    except NotComparedError:
        return False
    except (Differs, ValueError, ZeroDivisionError) as error:
        found.say(TABLES, f"it is not the table of {word}: {error}")
    return True


def _check_pages(there: Mapping[str, bytes], predicate: Mapping[str, Any], said: Said, found: Found) -> None:
    """Every page says of the certificates what the checker says, and begins with the verdict."""
    for part in predicate["parts"]:
        name = part["name"]
        if part["role"] not in ("page", "answer") or name not in there:
            continue
        try:
            text, listed = said_by(name, there[name])
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            found.say(name, f"it is no page of an audit: {shown(str(error))}")
            continue
        for wrong in _differences(listed, said):
            found.say(name, wrong)
        if not _begins_with_verdict(name, text, predicate):
            verdict = predicate["verdicts"][0]
            found.say(name, f"it does not begin with the verdict of {MANIFEST}: {verdict['verdict']}: {verdict['claim']}")
        elif name.endswith(".html"):
            body = text.partition("<body>")[2].removesuffix(END_OF_PAGE)
            for status, sentence in faults_of_body(body):
                found.say(name, sentence, status)


def _begins_with_verdict(name: str, text: str, predicate: Mapping[str, Any]) -> bool:
    """Whether a page begins, word for word, with the verdict, the requirements, and what is compared."""
    verdict = predicate["verdicts"][0]["verdict"]
    sentence = with_requirements(predicate["verdicts"][0]["claim"], predicate.get("requirements", []))
    if name.endswith(".json"):
        return text == f"{WORDS[verdict]}. {sentence}"
    if name.endswith(".html"):
        return text.startswith(start_of_page(verdict, predicate["table"]["name"], sentence)) and text.endswith(END_OF_PAGE)
    return text.startswith(start_of_text(verdict, predicate["table"]["name"], sentence))


def _differences(listed: Said, said: Said) -> Iterator[str]:
    """What a page says of certificates and should not, or does not say."""
    expected = {part: (status, re.sub(r"\s+", " ", sentence), digest) for part, status, sentence, digest in said}
    seen: set[str] = set()
    for part, status, sentence, digest in listed:
        if part not in expected or part in seen:
            yield f"it has a sentence of {part}, of which there is no certificate, or one already"
        elif (status, re.sub(r"\s+", " ", sentence), digest) != expected[part]:
            yield f"what it says of {part} is not what the checker says of the certificate: {expected[part][1]}"
        seen.add(part)
    if seen != set(expected):
        yield f"it does not say what the checker says of {', '.join(sorted(set(expected) - seen))}"


def _check_verdict(there: Mapping[str, bytes], predicate: Mapping[str, Any], found: Found) -> None:
    """A certificate supports the verdict, and none contradicts it; both are about the claim that is told."""
    claimed, told = predicate["claimed"], predicate["verdicts"][0]
    verdict = told["verdict"]
    if (claimed is None) != (verdict == "no claim") and verdict not in ("refuted", "undecided"):
        found.say(MANIFEST, "its verdict is not one about its claim")
        return
    try:
        if claimed is not None:
            for wrong in faults_of_claim(claimed):
                found.say(MANIFEST, wrong)
        for wrong in _faults_of_sentences(there, predicate):
            found.say(MANIFEST, wrong)
        decide = _shows_of_law if is_of_law(predicate) else _shows_of_table(there, predicate, found)
    except NotComparedError as error:
        found.say(MANIFEST, f"nothing was decided about its verdict: {error}", "limit")
        return
    except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        found.say(MANIFEST, f"its verdict can't be compared: {error}")
        return
    said, open_ones = list[bool](), list[str]()
    expected = {"proved": True, "refuted": False}
    for one in predicate["certificates"]:
        if one["file"] not in there:
            continue
        try:
            shown_here = decide(strict_json(there[one["file"]]), predicate)
        except NotComparedError as error:
            open_ones.append(f"{one['part']}: {error}")
            continue
        except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
            found.say(one["file"], f"it is not about the claim, and can't be compared: {error}")
            continue
        if shown_here is None:
            continue
        said.append(shown_here)
        if verdict != "no claim" and expected.get(verdict) is not shown_here:
            found.say(one["file"], f"it contradicts the verdict of {MANIFEST}: {verdict}")
    if not said and not found.faults and verdict in expected:
        reasons = [*(f"{part}: {reason}" for part, reason in predicate["without"].items()), *open_ones]
        why = "; ".join(reasons) or "there is none about the claim"
        found.say(MANIFEST, f"no certificate decides the claim, so that nothing was decided about the verdict ({why})", "limit")


def _faults_of_sentences(there: Mapping[str, bytes], predicate: Mapping[str, Any]) -> Iterator[str]:
    """What the manifest says in words otherwise than its numbers and names."""
    told, claimed, name = predicate["verdicts"][0], predicate["claimed"], predicate["table"]["name"]
    neighbours = predicate["assumptions"][0].removeprefix(NEIGHBOURS)
    quality = "law" if is_of_law(predicate) else Compared(there, predicate).quality if claimed is None else claimed["quality"]
    if told["claim"] != verdict_sentence(told["verdict"], name, claimed, neighbours):
        yield "its sentence is not the one that its verdict, its claim and its names make"
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", predicate["date"], re.ASCII):
        yield "its date is none"
    if not re.fullmatch(r"[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}(?:[a-z.+-]{1,4}[0-9]{0,6}){0,3}", predicate["exactdp"], re.ASCII):
        yield "its version of exactdp is none"
    if predicate["assumptions"] != assumed(neighbours, law=is_of_law(predicate)):
        yield "what it assumes is not what every audit assumes"
    yield from faults_of_questions(quality, neighbours, claimed, predicate["questions"])


def _check_command(there: Mapping[str, bytes], predicate: Mapping[str, Any], found: Found) -> None:
    """What the command line asked is answered."""
    found.told += notes_of_command(predicate)
    try:
        for wrong in faults_of_command(predicate, there):
            found.say(MANIFEST, wrong)
    except NotComparedError as error:
        found.say(MANIFEST, f"its command line was not compared with what it says: {error}", "limit")
    except (Differs, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        found.say(MANIFEST, f"its command line can't be compared: {error}")


Decide = Callable[[Mapping[str, Any], Mapping[str, Any]], bool | None]
"""Whether a certificate shows that the claim of a predicate is true, or false; None for neither."""


def _shows_of_law(certificate: Mapping[str, Any], predicate: Mapping[str, Any]) -> bool | None:
    """By the level of a law, with δ = 0: what is so private is so with every δ."""
    claimed, claim = predicate["claimed"], certificate["claim"]
    if claimed is None or claim["kind"] not in LAW_KINDS:
        return None
    kept = sign_of(combined(powers_of(certificate).scalar(claim["ratio"]), level_of(claimed), -1)) >= 0
    return kept if kept or claimed["delta"] == "0" else None


def _shows_of_table(there: Mapping[str, bytes], predicate: Mapping[str, Any], found: Found) -> Decide:
    """By the kind, the level, δ, the neighbours and the table of a certificate."""
    b = Compared(there, predicate)
    for wrong in b.faults_of_quality():
        found.say(MANIFEST, wrong)
    if predicate["claimed"] is not None and predicate["claimed"]["neighbours"] != b.neighbours:
        found.say(MANIFEST, "its claim is about other neighbours than those that it names")

    def decide(certificate: Mapping[str, Any], predicate: Mapping[str, Any]) -> bool | None:
        require_neighbours(b.neighbours, certificate, b.inputs, b.files)
        claimed = predicate["claimed"]
        if claimed is None:
            is_none = certificate["claim"]["kind"] == "not-stochastic"
            return False if is_none and b.judged is b.read else None
        return shows(certificate, claimed, b.judged, b.read)

    return decide


def _check_page_one(there: Mapping[str, bytes], predicate: Mapping[str, Any], found: Found) -> None:
    """Page one says what certificates, tables and manifest say; and it is written as its lines are."""
    faults = faults_of_law_page if is_of_law(predicate) else faults_of_page_one
    wrong, told, limits = faults(there, predicate)
    own = predicate["exactdp"] == RELEASE
    for name, sentence in wrong:
        found.say(
            name,
            sentence if own else f"not compared, for its sentences are those of another release: {sentence}",
            "rejected" if own else "limit",
        )
    for sentence in limits:
        found.say(NAMES["json"], sentence, "limit")
    found.told += told


# ── The checker ─────────────────────────────────────────────────────────────────────────────────
def checker_folder() -> Path:
    """Where the checker's files are: beside this one, or beside the folder that it is installed in."""
    here = Path(__file__).resolve().parent
    return here / CHECKER if (here / CHECKER).is_dir() else here.parent / CHECKER


def checker() -> Any:
    """The kernel, compiled from its bytes; it loads the files beside it in the same way."""
    name = "exactdp.checker.kernel"
    if name not in sys.modules:
        path = checker_folder() / "kernel.py"
        module = ModuleType(name)
        vars(module).update(__file__=str(path))
        sys.modules[name] = module
        exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), vars(module))
    return sys.modules[name]


# ── The program ─────────────────────────────────────────────────────────────────────────────────
def answer(place: str) -> dict[str, Any]:
    """The answer about a bundle, as an object of JSON."""
    try:
        found, body, digest = check_bundle(place)
    except (MemoryError, RecursionError, OverflowError, checker().Stop) as error:
        found, body, digest = Found(), None, ""
        found.say(place, f"a limit of this machine was reached: {type(error).__name__}", "limit")
    status = found.status
    predicate = None if body is None else body["predicate"]
    told = [*found.told]
    if predicate is None:
        sentence = f"{len(found.faults)} faults" if len(found.faults) > 1 else "it is no bundle that can be checked"
    elif found.faults:
        sentence = f"{len(found.faults)} fault{'s' if len(found.faults) > 1 else ''}; nothing that it says is to be believed"
    else:
        verdict = predicate["verdicts"][0]
        judged = "law" if is_of_law(predicate) else "table"
        has_optima = any(OPTIMUM.fullmatch(one["part"]) for one in predicate["certificates"])
        beside = " (or the best possible for a consumer of page one)" if has_optima else ""
        claim = with_requirements(verdict["claim"], predicate.get("requirements", []))
        accepted = "1 certificate," if found.accepted == 1 else f"{found.accepted} certificates, each"
        sentence = (
            f"{accepted} accepted by the checker, about the {judged} of the bundle{beside} "
            f"and with its sentence on every page; {len(predicate['parts'])} parts as {MANIFEST} ({digest}) expects, and no others; made "
            f"on {predicate['date']} by exactdp {predicate['exactdp']}: {verdict['verdict']}: {claim}"
        )
        told += ["page.html, page.md and answer.json are compared in their first sentence and in the checker's, page one in each line"]
        if predicate["command"]:
            told += [f"what its command writes was not compared with it{RERUN}"]
        told += [f"not signed here: who can write to the bundle can write all of it; compare the digest of {MANIFEST}, or its signature"]
    return {
        "bundle": place,
        "status": status,
        "exit_code": CODES[status],
        "sentence": sentence,
        "faults": [vars(fault) for fault in found.faults],
        "notes": told,
        "manifest": digest,
        "certificates": found.accepted,
        "compared": found.compared,
        "verdict": None if predicate is None or found.faults else predicate["verdicts"][0]["verdict"],
    }


def text_of(found: Mapping[str, Any]) -> str:
    """The answer in lines."""
    lines = [str(Fault(**fault)) for fault in found["faults"]] + [f"note: {shown(note)}" for note in found["notes"]]
    return "\n".join([*lines, f"{shown(found['bundle'])}: {found['status']}: {shown(found['sentence'])}"])


def main(words: Sequence[str]) -> int:
    """Check one bundle, print the answer, and return the exit code."""
    as_json = "--json" in words
    places = [word for word in words if word != "--json"]
    if len(places) != 1 or places[0].startswith("-"):
        print("usage: python -I check_bundle.py [--json] BUNDLE (a folder or a zip)", file=sys.stderr)
        return 2
    try:
        checker().limit_memory()
        checker().limit_time(SECONDS)
        found = answer(places[0])
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # a defect, never an acceptance
        print(f"{shown(places[0])}: defect: please report this: {type(error).__name__}: {shown(str(error))}", file=sys.stderr)
        return CODES["defect"]
    text = json.dumps(found) if as_json else text_of(found)
    print(text.encode(sys.stdout.encoding or "ascii", "backslashreplace").decode(sys.stdout.encoding or "ascii"), flush=True)
    return int(found["exit_code"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
