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

import csv
import hashlib
import html
import io
import json
import os
import re
import stat
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

RELEASE = "0.1.0"
"""The version of exactdp that this file belongs to."""

STATEMENT = "https://in-toto.io/Statement/v1"
TYPE = "https://exactdp.github.io/exactdp/audit/v"
VERSION = 1
PREDICATE = f"{TYPE}{VERSION}"
"""The types of the statement and of its predicate; the version is that of the format."""

MANIFEST, TABLES, LAW, CHECKER, PROGRAM = "manifest.json", "table.json", "law.json", "checker", "check_bundle.py"
"""Names of files, and of the folder of the checker's files."""

LAW_FORMAT = "exactdp-law"
"""What law.json says that it is: a law was judged in place of a table that is too large."""

PROGRAMS = (PROGRAM, "page_one.py", "compare_page_one.py", "compare_law.py")
"""This file and those that it needs beside it, each after those that it imports."""

ROLES = ("input", "table", "law", "page-one", "page", "answer", "certificate", "checker", "program")
CONTENTS = ("bundle", "certificates")
"""What a part is, and what the manifest lists: all that is in a bundle, or certificates alone."""

MOST_PARTS, MOST_BYTES, MOST_IN_ALL, MOST_OF_MANIFEST = 10_000, 2**26, 2**28, 2**23
"""Parts, bytes of one, of all, and of the manifest."""

SECONDS = 1800
"""Of the processor, for all of a bundle."""

CODES = {"accepted": 0, "rejected": 1, "unreadable": 2, "malformed": 3, "limit": 4, "defect": 70}
"""The exit codes."""

_BADNESS = ("accepted", "rejected", "limit", "malformed", "unreadable", "defect")

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}(?:/[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}){0,3}")
"""What a part may be called: no hidden file, nothing above the folder, no name of another alphabet."""

_HEX = re.compile("[0-9a-f]{64}")
_DIGEST = re.compile("sha256:[0-9a-f]{64}")

DIVIDED = "with its rows divided by their sums"
"""The name of the table that is judged in place of a rounded one."""

WORDS = {"proved": "Passed", "refuted": "Failed", "undecided": "Not decided", "no claim": "No claim was judged"}
"""How a page begins, by the verdict."""

SECTION = "What the checker verified, in its own words"
"""The heading of the part of a page that has the checker's sentences."""


class Refused(Exception):  # noqa: N818
    """What is wrong with a bundle, in a sentence, with a status of CODES."""

    def __init__(self, sentence: str, status: str = "rejected") -> None:
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong."""

    name: str
    status: str
    sentence: str

    def __str__(self) -> str:
        return f"{shown(self.name)}: {self.status}: {shown(self.sentence)}"


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


def shown(text: str) -> str:
    """A text in one line, without characters that a terminal obeys."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def sha256(data: bytes) -> str:
    """The hash in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


# ── The manifest ────────────────────────────────────────────────────────────────────────────────
def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, in which no key occurs twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return found


def no_constant(text: str) -> Any:
    """NaN and infinities are no JSON."""
    raise ValueError(f"{text} is no number")


def strict_json(data: bytes) -> Any:
    """The value of a text of JSON in UTF-8; ValueError otherwise."""
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=distinct, parse_constant=no_constant)
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None


def written(body: Mapping[str, Any]) -> bytes:
    """A statement as it is written: there is one way."""
    return (json.dumps(body, indent=1) + "\n").encode("ascii")


def own_digest(body: Mapping[str, Any]) -> str:
    """The digest of a statement without the key that has it."""
    predicate = {key: value for key, value in body["predicate"].items() if key != "digest"}
    text = json.dumps({**body, "predicate": predicate}, sort_keys=True, separators=(",", ":"))
    return f"sha256:{sha256(text.encode('ascii'))}"


def read_manifest(data: bytes) -> dict[str, Any]:
    """The statement of manifest.json; Refused, malformed, for anything else."""
    try:
        if len(data) > MOST_OF_MANIFEST:
            raise ValueError(f"it has more than {MOST_OF_MANIFEST} bytes")
        body = strict_json(data)
        if not isinstance(body, dict) or body.get("_type") != STATEMENT:
            raise ValueError(f"it is no in-toto Statement ({STATEMENT})")
        kind = body.get("predicateType")
        if kind != PREDICATE:
            version = kind.removeprefix(TYPE) if isinstance(kind, str) and kind.startswith(TYPE) else ""
            other = f"version {version!r} of our format, and this program knows version {VERSION}" if version else f"of the type {kind!r}"
            raise ValueError(f"it is {other}")
        _require_form(body)
        if written(body) != data:
            raise ValueError("it is written in another way, or has been edited")
        if own_digest(body) != body["predicate"]["digest"]:
            raise ValueError("its digest is that of another content: it has been edited")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise Refused(f"{MANIFEST} does not say what is expected: {shown(reason)[:300]}", "malformed") from None
    return body


KEYS = {
    *("contents", "exactdp", "date", "command", "table", "reading", "inputs", "questions", "verdicts", "claimed", "assumptions"),
    *("parts", "certificates", "without", "digest"),
}
"""The keys of the predicate."""


def _require_form(body: dict[str, Any]) -> None:
    """Raise ValueError unless the statement has the keys and types of the format."""
    predicate = body["predicate"]
    if set(body) != {"_type", "subject", "predicateType", "predicate"} or set(predicate) != KEYS:
        raise ValueError("it has other keys than the format")
    for subject in body["subject"]:
        _require_text(subject["name"])
        if not _HEX.fullmatch(subject["digest"]["sha256"]):
            raise ValueError("a digest is none")
    _require_text(predicate["exactdp"], predicate["date"], *predicate["command"], predicate["table"]["name"])
    if predicate["claimed"] is not None:
        claimed = {"text", "neighbours", "quality", "delta"}
        if set(predicate["claimed"]) not in (claimed | {"epsilon"}, claimed | {"alpha"}):
            raise ValueError("its claim has other keys than the format")
        _require_text(*predicate["claimed"].values())
    for one in predicate["inputs"]:
        _require_text(one["file"], one["given"], one["what"])
    if len(predicate["verdicts"]) != (predicate["contents"] == "bundle"):
        raise ValueError("a bundle has one verdict")
    if predicate["contents"] not in CONTENTS:
        raise ValueError(f"its contents are none of {', '.join(CONTENTS)}")
    for key in ("questions", "assumptions"):
        _require_text(*predicate[key])
    for verdict in predicate["verdicts"]:
        _require_text(*(verdict[key] for key in ("verdict", "claim", "shown_claim", "headline", "shown_headline")))
        if verdict["verdict"] not in WORDS:
            raise ValueError("a verdict is none")
    _require_names(predicate["parts"])
    of_parts = {part["name"] for part in predicate["parts"] if part["role"] == "certificate"}
    listed = [one["file"] for one in predicate["certificates"]]
    if len(listed) != len(of_parts) or set(listed) != of_parts:
        raise ValueError("the certificates are not those among the parts")
    for one in predicate["certificates"]:
        _require_text(one["part"], one["sentence"])
        if not _DIGEST.fullmatch(one["digest"]):
            raise ValueError("a digest is none")
    _require_text(*predicate["without"], *predicate["without"].values())
    if not _DIGEST.fullmatch(predicate["table"]["digest"]) or not _DIGEST.fullmatch(predicate["digest"]):
        raise ValueError("a digest is none")
    if not isinstance(predicate["reading"], dict):
        raise ValueError("how the inputs were read is not said")


def _require_names(parts: list[dict[str, Any]]) -> None:
    """Raise ValueError unless each part has a name, a role and a digest, and no two have one name."""
    names: list[str] = []
    for part in parts:
        _require_text(part["name"], part["role"])
        if not NAME.fullmatch(part["name"]) or part["name"] == MANIFEST:
            raise ValueError(f"{part['name']!r} is no name of a part: letters, digits and . _ -, nothing hidden, nothing above the folder")
        if part["role"] not in ROLES or not _HEX.fullmatch(part["digest"]["sha256"]):
            raise ValueError(f"the role or the digest of {part['name']} is none")
        names.append(part["name"].lower())
    if len(set(names)) < len(names) or any(name.startswith(f"{other}/") for name in names for other in names if len(names) < 1000):
        raise ValueError("two parts have one name")


def _require_text(*values: Any) -> None:
    if not all(isinstance(value, str) for value in values):
        raise ValueError("a name or a sentence is no text")


# ── Folders and zips ────────────────────────────────────────────────────────────────────────────
def files_of(place: str) -> tuple[dict[str, bytes], list[Fault]]:
    """The files of a folder or zip by their names; Refused if it is none. Links and the like are faults."""
    if os.path.isdir(place):
        return _of_folder(place)
    try:
        if not stat.S_ISREG(os.stat(place).st_mode):
            raise Refused("it is neither a folder nor a file", "unreadable")
        if os.path.getsize(place) > MOST_IN_ALL + 2**20:
            raise Refused(f"it has more than {MOST_IN_ALL} bytes", "limit")
        data = Path(place).read_bytes()
    except (OSError, ValueError) as error:
        raise Refused(f"it can't be read: {error}", "unreadable") from None
    return _of_zip(data), []


def _of_folder(place: str) -> tuple[dict[str, bytes], list[Fault]]:
    found: dict[str, bytes] = {}
    faults: list[Fault] = []
    folders: set[str] = set()
    left = MOST_IN_ALL
    pending = [""]
    while pending:
        folder = pending.pop()
        with os.scandir(os.path.join(place, folder)) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
        if len(found) + len(listed) > MOST_PARTS:
            raise Refused(f"it has more than {MOST_PARTS} files", "limit")
        for entry in listed:
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_symlink():
                faults.append(Fault(name, "rejected", "it is a link; a bundle has none"))
            elif not NAME.fullmatch(name):
                faults.append(Fault(ascii(name)[1:-1], "rejected", "foreign: no part of a bundle has such a name"))
            elif entry.is_dir(follow_symlinks=False):
                folders.add(name)
                pending.append(name)
            elif not entry.is_file(follow_symlinks=False):
                faults.append(Fault(name, "rejected", "it is no file"))
            else:
                found[name] = _content(os.path.join(place, name), left)
                left -= len(found[name])
    holding = {name[:k] for name in found for k, c in enumerate(name) if c == "/"}
    faults += [Fault(name, "rejected", "foreign: a folder without a part") for name in sorted(folders - holding)]
    return found, faults


def _content(path: str, left: int) -> bytes:
    """The bytes of a file, which is no link."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as stream:
        data = stream.read(min(MOST_BYTES, left) + 1)
    if len(data) > min(MOST_BYTES, left):
        raise Refused(f"{shown(os.path.basename(path))} is too large: a part has at most {MOST_BYTES} bytes, all {MOST_IN_ALL}", "limit")
    return data


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files as a zip whose bytes depend on names and contents alone: sorted, of one time, not compressed."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, (stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, files[name])
    return held.getvalue()


def _of_zip(data: bytes) -> dict[str, bytes]:
    """The files of a zip that is written as `zipped` does: no other has two readings."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            names = [entry.filename for entry in entries]
            wrong = [name for name in names if not NAME.fullmatch(name)]
            if wrong:
                raise Refused(f"{wrong[0]!a} is no name of a part of a bundle")
            if len(set(names)) < len(names) or len(names) > MOST_PARTS:
                raise Refused("two of its files have one name, or there are too many")
            if any(entry.compress_type != zipfile.ZIP_STORED or entry.flag_bits & 1 for entry in entries):
                raise Refused("it is no zip that exactdp writes, which is not compressed; unpack it, and check the folder")
            if sum(entry.file_size for entry in entries) > len(data):
                raise Refused("its files are larger than it is")
            found = {entry.filename: archive.read(entry) for entry in entries}
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, RuntimeError) as error:
        raise Refused(f"it is neither a folder nor a zip: {shown(str(error))}") from None
    if zipped(found) != data:
        raise Refused("it is no zip that exactdp writes, or has been edited outside of its files; unpack it, and check the folder")
    return found


# ── The tables ──────────────────────────────────────────────────────────────────────────────────
Exponents = tuple[tuple[int, Fraction], ...]
Sum = dict[Exponents, Fraction]
"""A sum of rational multiples of e^(−Σ r·√q), by the exponents (q, r): two are equal if and only if they have
the same terms (Lindemann–Weierstrass).
"""
Number = tuple[Sum, Sum]
"""A numerator and a denominator."""

ZERO: Number = ({}, {(): Fraction(1)})

MOST_TERMS = 20_000
"""Of one number."""


def rational(text: str) -> Fraction:
    """A quotient p/q, or an integer."""
    if not re.fullmatch(r"-?[0-9]{1,100000}(?:/[0-9]{1,100000})?", text, re.ASCII):
        raise ValueError(f"{text[:40]!r} is no exact number")
    numerator, _, denominator = text.partition("/")
    return Fraction(_integer(numerator), _integer(denominator or "1"))


def _integer(text: str) -> int:
    """The value of digits, by halves where they are many: Python's own conversion stops at 4300."""
    if text.startswith("-"):
        return -_integer(text[1:])
    if len(text) <= 2000:
        return int(text)
    half = len(text) // 2
    power: int = 10**half
    return _integer(text[:-half]) * power + _integer(text[-half:])


def equal(x: Number, y: Number) -> bool:
    """Whether two numbers are the same: a/b = c/d if and only if a·d = c·b."""
    return x[0] == y[0] if x[1] == y[1] else product(x[0], y[1]) == product(y[0], x[1])


def product(x: Sum, y: Sum) -> Sum:
    """The product of two sums."""
    found: Sum = {}
    for one, a in x.items():
        for other, b in y.items():
            powers = dict(one)
            for q, r in other:
                powers[q] = powers.get(q, Fraction(0)) + r
            key = tuple(sorted((q, r) for q, r in powers.items() if r))
            found[key] = found.get(key, Fraction(0)) + a * b
    return {key: c for key, c in found.items() if c}


def constant(x: Fraction) -> Sum:
    """A rational as a sum."""
    return {(): x} if x else {}


def number_of(value: Any) -> Number:
    """A number of table.json: a rational as text, or the terms of numerator and denominator."""
    if isinstance(value, str):
        return constant(rational(value)), constant(Fraction(1))
    numerator, denominator = (_terms(part) for part in value)
    return numerator, denominator


def _terms(listed: Any) -> Sum:
    found: Sum = {}
    for exponents, c in listed:
        key = tuple(sorted((int(q), rational(r)) for r, q in exponents))
        found[key] = found.get(key, Fraction(0)) + rational(c)
    return {key: c for key, c in found.items() if c}


@dataclass(frozen=True)
class Grid:
    """A table: labels of rows and columns, and its numbers."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    rows: tuple[tuple[Number, ...], ...]

    def same(self, other: Grid) -> bool:
        """Whether both have the same labels, and the same number for each pair of them, in any order."""
        if sorted(self.inputs) != sorted(other.inputs) or sorted(self.outputs) != sorted(other.outputs):
            return False
        rows = [other.inputs.index(label) for label in self.inputs]
        columns = [other.outputs.index(label) for label in self.outputs]
        pairs = ((own, other.rows[i][j]) for row, i in zip(self.rows, rows, strict=True) for own, j in zip(row, columns, strict=True))
        return all(equal(x, y) for x, y in pairs)

    def same_numbers(self, other: Grid) -> bool:
        """Whether both have the same numbers in the same places, whatever the labels."""
        if [len(row) for row in self.rows] != [len(row) for row in other.rows]:
            return False
        return all(equal(x, y) for row, rest in zip(self.rows, other.rows, strict=True) for x, y in zip(row, rest, strict=True))

    @property
    def plain(self) -> tuple[tuple[Fraction, ...], ...] | None:
        """Its numbers if they are all rational."""
        one = constant(Fraction(1))
        if not all(den == one and set(num) <= {()} for row in self.rows for num, den in row):
            return None
        return tuple(tuple(num.get((), Fraction(0)) for num, _ in row) for row in self.rows)


def grid_of(value: Any) -> Grid:
    """A table of table.json."""
    rows = tuple(tuple(number_of(x) for x in row) for row in value["entries"])
    inputs, outputs = tuple(value["inputs"]), tuple(value["outputs"])
    if len(rows) != len(inputs) or any(len(row) != len(outputs) for row in rows):
        raise ValueError("a table has more labels than numbers, or fewer")
    _require_text(*inputs, *outputs)
    return Grid(inputs, outputs, rows)


def divided(table: Grid) -> Grid | None:
    """The table with its negative entries 0 and every row divided by its sum; None if a row has no sum."""
    rows = []
    for row in table.rows:
        kept = [x if sign(x) > 0 else ZERO for x in row]
        total = ZERO
        for x in kept:
            total = _reduced(*_combined(total, x, 1))
        if not total[0]:
            return None
        rows.append(tuple(_reduced(product(x[0], total[1]), product(x[1], total[0])) for x in kept))
    return Grid(table.inputs, table.outputs, tuple(rows))


def _combined(x: Number, y: Number, factor: int) -> Number:
    """The sum x + factor·y, over one denominator where both have it."""
    if x[1] == y[1]:
        return _added(x[0], y[0], factor), x[1]
    found = _added(product(x[0], y[1]), product(y[0], x[1]), factor), product(x[1], y[1])
    if sum(map(len, found)) > MOST_TERMS:
        raise ValueError("its numbers have too many terms")
    return found


def table_of(certificate: Mapping[str, Any]) -> Grid | None:
    """The table that the claim of an accepted certificate names; None where it names none."""
    claim, definitions = certificate["claim"], certificate["definitions"]
    named = [claim[key] for key in ("mechanism", "table", "printed") if key in claim]
    if not named:
        return None
    definition = definitions[named[0]]
    fields = [one for one in definitions.values() if one.get("type") in ("exponential", "parameter", "region")]
    powers = _Powers(fields[0] if fields else None)
    if definition["type"] == "geometric":
        return _geometric(definition["n"], powers.scalar(definition["level"]))
    if definition["type"] == "randomized-response":
        return _randomized_response(tuple(definition["inputs"]), powers.scalar(definition["level"]))
    outputs = tuple(definition["outputs"])
    if definition["type"] == "printed":
        inputs = tuple(f"{end} {label}" for end in ("lower", "upper") for label in definition["inputs"])
        rows = [*definition["lower"], *definition["upper"]]
    else:
        inputs, rows = tuple(definition["inputs"]), definition["rows"]
    return Grid(inputs, outputs, tuple(powers.vector(row, len(outputs)) for row in rows))


class _Powers:
    """Numbers of a certificate: rationals, or polynomials in e^(−rate·√q)."""

    def __init__(self, symbols: Mapping[str, Any] | None) -> None:
        if symbols is not None and symbols["type"] != "exponential":
            raise ValueError("its numbers have letters")
        self.rate = Fraction(0) if symbols is None else rational(symbols["rate"])
        self.roots = [] if symbols is None else [int(q) for q in symbols["roots"]]

    def polynomial(self, p: Any, i: int = 0) -> Sum:
        """Nested lists of coefficients, the constant one first."""
        if isinstance(p, str):
            return constant(rational(p))
        found: Sum = {}
        for k, c in enumerate(p):
            power: Sum = {((self.roots[i], self.rate * k),) if k else (): Fraction(1)}
            for key, x in product(power, self.polynomial(c, i + 1)).items():
                found[key] = found.get(key, Fraction(0)) + x
        return {key: c for key, c in found.items() if c}

    def scalar(self, value: Any) -> Number:
        """A rational, or {num, den}."""
        if isinstance(value, str):
            return constant(rational(value)), constant(Fraction(1))
        return self.polynomial(value["num"]), self.polynomial(value["den"])

    def vector(self, value: Mapping[str, Any], length: int) -> tuple[Number, ...]:
        """{den, num} or sparse {den, at, num}."""
        den, found = self.polynomial(value["den"]), [(constant(Fraction(0)), constant(Fraction(1)))] * length
        for j, p in zip(value.get("at", range(length)), value["num"], strict=True):
            found[j] = _reduced(self.polynomial(p), den)
        return tuple(found)


def _reduced(num: Sum, den: Sum) -> Number:
    """A quotient, over 1 where the denominator is a rational."""
    if set(den) != {()}:
        return num, den
    return {key: c / den[()] for key, c in num.items()}, constant(Fraction(1))


def _geometric(n: int, level: Number) -> Grid:
    """G(n, α): α^|i−r|/(1+α) at both ends, (1−α)/(1+α)·α^|i−r| between them."""
    if n == 0:
        return Grid(("0",), ("0",), (((constant(Fraction(1)), constant(Fraction(1))),),))
    num, den = level
    powers: list[Number] = [(constant(Fraction(1)), constant(Fraction(1)))]
    for _ in range(n):
        powers.append(_reduced(product(powers[-1][0], num), product(powers[-1][1], den)))
    above, below = _added(den, num, 1), _added(den, num, -1)
    rows = []
    for i in range(n + 1):
        row = []
        for r in range(n + 1):
            top, bottom = powers[abs(i - r)]
            factor = den if r in (0, n) else below
            row.append(_reduced(product(top, factor), product(bottom, above)))
        rows.append(tuple(row))
    labels = tuple(map(str, range(n + 1)))
    return Grid(labels, labels, tuple(rows))


def _randomized_response(labels: tuple[str, ...], level: Number) -> Grid:
    """The truth with probability 1/(1 + (m − 1)·α), each other one of m labels with α times that."""
    num, den = level
    total = _added(den, num, len(labels) - 1)
    truth, other = _reduced(den, total), _reduced(num, total)
    places = range(len(labels))
    return Grid(labels, labels, tuple(tuple(truth if i == r else other for r in places) for i in places))


def _added(x: Sum, y: Sum, sign: int) -> Sum:
    found = dict(x)
    for key, c in y.items():
        found[key] = found.get(key, Fraction(0)) + sign * c
    return {key: c for key, c in found.items() if c}


# ── The file that a table was read from ─────────────────────────────────────────────────────────
_PLAIN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?", re.ASCII)
_QUOTIENT = re.compile(r"([+-]?[0-9]+)\s*/\s*([0-9]+)", re.ASCII)


def cell(text: str, dyadic: bool) -> Fraction | None:
    """The number of a cell; None where it is none that this program reads."""
    text = text.strip()
    if len(text) > 2000:
        return None
    if _PLAIN.fullmatch(text):
        whole = re.fullmatch(r"[+-]?[0-9]+", text) is not None
        return Fraction(float(text)) if dyadic and not whole else Fraction(text)
    quotient = _QUOTIENT.fullmatch(text)
    return Fraction(int(quotient[1]), int(quotient[2])) if quotient and int(quotient[2]) else None


def read_again(data: bytes, table: Grid, reading: Mapping[str, Any]) -> bool | None:
    """Whether a file of plain numbers has this table; None where this program can't tell."""
    if table.plain is None or any(reading.get(key) for key in ("digits", "letters", "by_position")):
        return None
    try:
        lines = [line for line in data.decode("utf-8-sig").splitlines() if line.strip()]
    except ValueError:
        return None
    if not lines or any(line.lstrip()[0] in "#[{" for line in lines):
        return None
    delimiter = next((d for d in (";", "\t", ",") if d in lines[0]), None)
    if delimiter is None:
        return None
    try:
        cells = list(csv.reader(lines, delimiter=delimiter))
    except csv.Error:
        return None
    wanted = table.plain
    if reading.get("transpose"):
        wanted = tuple(zip(*wanted, strict=True))
    height, width = len(wanted), len(wanted[0])
    above, before = len(cells) - height, len(cells[0]) - width
    if above not in (0, 1) or before not in (0, 1) or any(len(row) != len(cells[0]) for row in cells):
        return None
    read = [[cell(x, bool(reading.get("dyadic"))) for x in row[before:]] for row in cells[above:]]
    numbers = [[x for x in row if x is not None] for row in read]
    if any(len(row) != width for row in numbers):
        return None
    if reading.get("renormalise"):
        numbers = _renormalised(numbers, bool(reading.get("transpose")))
    names = (table.outputs, table.inputs) if reading.get("transpose") else (table.inputs, table.outputs)
    rows = _places([row[0].strip() for row in cells[above:]] if before else None, names[0])
    columns = _places([x.strip() for x in cells[0][before:]] if above else None, names[1])
    if rows is None or columns is None:
        return None
    return all(numbers[i][j] == wanted[p][q] for p, i in enumerate(rows) for q, j in enumerate(columns))


def _renormalised(numbers: list[list[Fraction]], transposed: bool) -> list[list[Fraction]]:
    """Each row, or each column, divided by its sum."""
    lines = [list(column) for column in zip(*numbers, strict=True)] if transposed else numbers
    lines = [[x / sum(line) if sum(line) else x for x in line] for line in lines]
    return [list(row) for row in zip(*lines, strict=True)] if transposed else lines


def _places(written: Sequence[str] | None, labels: Sequence[str]) -> Sequence[int] | None:
    """Where each label is in the file, in their order where it has none; None where it has others."""
    if written is None:
        return range(len(labels))
    return [written.index(label) for label in labels] if sorted(written) == sorted(labels) else None


# ── Pages ───────────────────────────────────────────────────────────────────────────────────────
Said = list[tuple[str, str, str, str]]
"""Of each part: its name, the checker's status, the sentence, the digest."""


def said_by(name: str, data: bytes) -> tuple[str, Said]:
    """The text of a page and what it says of the certificates; ValueError if it has no such section."""
    text = data.decode("utf-8")
    if name.endswith(".json"):
        body = strict_json(data)
        listed = [(str(x["part"]), str(x["status"]), str(x["sentence"]), str(x.get("digest", ""))) for x in body["checker"]]
        return f"{WORDS[body['verdict']]}. {body['headline']['text']} {body['claim']}", listed
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
    if re.search(r"<!--|<script|<iframe|<object|<embed|<link|<base", text, re.IGNORECASE):
        raise ValueError("it has a comment, a script or a link to what is elsewhere, and no page of an audit has one")
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
    return plain_text(re.sub(r"<style>.*?</style>", " ", text, count=1, flags=re.DOTALL)), listed


def plain_text(text: str) -> str:
    """What a page shows: without its marks."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", "", text))).strip()


# ── A bundle ────────────────────────────────────────────────────────────────────────────────────
def check_bundle(place: str) -> tuple[Found, dict[str, Any] | None, str]:
    """All that is wrong with a bundle, its statement, and the digest of its manifest."""
    found = Found()
    lacking = [name for name in PROGRAMS if not Path(__file__).resolve().with_name(name).is_file()]
    if lacking:
        found.say(lacking[0], "missing beside this program; take all of them from one release", "unreadable")
        return found, None, ""
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
    subjects = {subject["name"]: subject["digest"]["sha256"] for subject in body["subject"]}
    about = inputs or {predicate["table"]["name"]: predicate["table"]["digest"].removeprefix("sha256:")}
    if subjects != about or len(subjects) != len(body["subject"]):
        found.say(MANIFEST, "its subjects are not the inputs")
    roles = [part["role"] for part in predicate["parts"]]
    judged, other = ("law", "table") if is_of_law(predicate) else ("table", "law")
    lacking = [role for role in ROLES if role not in roles and role not in ("input", "certificate", other)]
    if lacking or roles.count(judged) != 1 or other in roles:
        found.say(MANIFEST, f"it lists no {lacking[0] if lacking else judged}, or several tables or laws")
    _check_program(predicate, found)


def _check_program(predicate: Mapping[str, Any], found: Found) -> None:
    """The checker in the bundle is the one that runs, if it is of this version."""
    files = (path for path in sorted(checker_folder().glob("*.py")) if path.name != "__init__.py")
    own = {f"{CHECKER}/{path.name}": sha256(path.read_bytes()) for path in files}
    beside = Path(__file__).resolve().parent
    own |= {name: sha256((beside / name).read_bytes()) for name in PROGRAMS}
    listed = {part["name"]: part["digest"]["sha256"] for part in predicate["parts"] if part["role"] in ("checker", "program")}
    others = sorted(name for name in own.keys() | {name for name in listed if name.endswith(".py")} if own.get(name) != listed.get(name))
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
    except (ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        found.say(name, f"it has no tables: {error}", "malformed")
        return
    for title, table in tables.items():
        own = known.get(title)
        if own is None or not table.same(own):
            found.say(name, f"the table {title!r} is neither the one that was read nor that with its rows divided by their sums")
    for one in predicate["certificates"]:
        if one["file"] in there:
            _compare_certificate(one["file"], there[one["file"]], list(tables.values()), found)
    _compare_input(there, predicate, read, found)


def is_of_law(predicate: Mapping[str, Any]) -> bool:
    """Whether a law was judged in place of a table."""
    return any(part["role"] == "law" for part in predicate["parts"])


def _check_law(there: Mapping[str, bytes], predicate: Mapping[str, Any], found: Found) -> None:
    """The certificate is about the law, and the manifest says of it what the certificate shows."""
    if LAW not in there:
        found.say(LAW, "missing: nothing says which law was judged")
        return
    for name, sentence in comparing().law_faults(sys.modules[__name__], there, predicate):
        found.say(name, sentence)
    found.compared += not found.faults
    word = predicate["reading"].get("table", "")
    found.told.append(f"{LAW} was not compared with {word}, whose law this program does not make; exactdp verify reads it")


def _compare_certificate(file: str, data: bytes, tables: Sequence[Grid], found: Found) -> None:
    try:
        table = table_of(strict_json(data))
    except (ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        found.say(file, f"its table can't be compared: {error}")
        return
    if table is None:
        found.say(file, "it names no table, and every certificate of an audit does")
    elif not any(table.same(other) for other in tables):
        found.say(file, f"it is about another table than those of {TABLES}")
    else:
        found.compared += 1


def _compare_input(there: Mapping[str, bytes], predicate: Mapping[str, Any], read: Grid, found: Found) -> None:
    if all(entry["what"] != "table" for entry in predicate["inputs"]):
        word = predicate["reading"].get("table", "")
        made = f"that of {word}, which this program does not make; exactdp verify reads it" if word else "no file is named as its own"
        found.told.append(f"{TABLES} was not compared with a file: {made}")
    for entry in predicate["inputs"]:
        if entry["what"] != "table" or entry["file"] not in there:
            continue
        same = read_again(there[entry["file"]], read, predicate["reading"])
        if same is False:
            found.say(entry["file"], f"it has other numbers than the table as read of {TABLES}")
        elif same is None:
            file = entry["file"]
            found.told.append(f"{TABLES} was not compared with {file}: this program reads plain numbers only; exactdp verify reads it")


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
        text = re.sub(r"\s+", " ", text)
        for verdict in predicate["verdicts"]:
            word = re.escape(WORDS[verdict["verdict"]])
            first = _either(verdict["headline"], verdict["shown_headline"])
            whole = _either(verdict["claim"], verdict["shown_claim"])
            if re.search(rf"{word}(?:, rounded)?\. {first}", text) is None or re.search(whole, text) is None:
                found.say(name, f"it does not say the verdict of {MANIFEST}: {verdict['verdict']}: {verdict['claim']}")


def _either(*texts: str) -> str:
    """A pattern for one of some texts."""
    return "(?:" + "|".join(re.escape(re.sub(r"\s+", " ", text)) for text in texts) + ")"


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
    claimed, told = predicate["claimed"], predicate["verdicts"]
    verdict, sentence = told[0]["verdict"], told[0]["claim"]
    if (claimed is None) != (verdict == "no claim") and verdict not in ("refuted", "undecided"):
        found.say(MANIFEST, "its verdict is not one about its claim")
        return
    if claimed is None or verdict == "undecided":
        return
    for wrong in _told_otherwise(claimed, verdict, sentence, told[0]["headline"]):
        found.say(MANIFEST, wrong)
    said: list[bool] = []
    for one in predicate["certificates"]:
        if one["file"] not in there:
            continue
        try:
            certificate = strict_json(there[one["file"]])
            _check_neighbours(one["file"], certificate, str(claimed["neighbours"]), found)
            shows = _shows(one["part"], certificate, claimed)
        except (ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError):
            continue  # it was not accepted, or its numbers are none that this program compares
        said += [] if shows is None else [shows]
        if shows is not None and shows != (verdict == "proved"):
            found.say(one["file"], f"it contradicts the verdict of {MANIFEST}: {verdict}")
    if not said and not found.faults:
        why = "; ".join(f"{part}: {reason}" for part, reason in predicate["without"].items()) or "there is none about the claim"
        found.say(MANIFEST, f"no certificate decides the claim, so that nothing was decided about the verdict ({why})", "limit")


def _check_page_one(there: Mapping[str, bytes], predicate: Mapping[str, Any], found: Found) -> None:
    """Page one says what certificates, tables and manifest say; and it is written as its lines are."""
    wrong, told = comparing().faults(sys.modules[__name__], there, predicate)
    own = predicate["exactdp"] == RELEASE
    for name, sentence in wrong:
        found.say(
            name,
            sentence if own else f"not compared, for its sentences are those of another release: {sentence}",
            "rejected" if own else "limit",
        )
    found.told += told


def _told_otherwise(claimed: Mapping[str, str], verdict: str, sentence: str, headline: str) -> Iterator[str]:
    """What the sentence of a verdict, or its headline, says otherwise than its numbers."""
    text, level, delta = claimed["text"], claimed.get("alpha") or claimed["epsilon"], claimed["delta"]
    letter = "α" if "alpha" in claimed else "ε"
    parts = [f"{letter} = {level}", *([] if delta == "0" else [f"δ = {delta}"]), ")-private"]
    if text not in sentence or not all(part in text for part in parts):
        yield "its sentence is not about the claim that it names"
    if all(f" {word} {claimed['neighbours']}" not in sentence for word in ("on", "between")):
        yield "its sentence is not about the neighbours that it names"
    if not re.search(r"\bis true\b" if verdict == "proved" else r"\bis false\b", sentence):
        yield "its sentence does not say what its verdict is"
    if re.search(r"\bis false\b" if verdict == "proved" else r"\bis true\b", headline):
        yield "its headline does not say what its verdict is"
    if any(f"{core})-private" not in text for core in re.findall(r"(\([^()]*(?:\([^()]*\))?[^()]*)\)-private", headline)):
        yield "its headline is not about the claim that it names"


def _check_neighbours(file: str, certificate: Mapping[str, Any], told: str, found: Found) -> None:
    """A path and a complete graph are those of the certificate; others are told by its sentence alone."""
    named = re.match(r"(path|complete):([0-9]{1,6})(?![0-9])", told)
    if named is None or "neighbours" not in certificate["claim"]:
        return
    word, n, graph = named[1], int(named[2]), certificate["definitions"][certificate["claim"]["neighbours"]]
    vertices = graph["vertices"]
    size = vertices if isinstance(vertices, int) else len(vertices)
    path = [[i, i + 1] for i in range(size - 1)]
    pairs = pairs_of(graph)
    right = pairs == path if word == "path" else len(pairs) == n * (n - 1) // 2
    if size != n or not right:
        found.say(file, f"its neighbours are not {told}")


def pairs_of(graph: Mapping[str, Any]) -> list[list[int]]:
    """The pairs of neighbours of a definition in a certificate."""
    vertices, kind = graph["vertices"], graph["type"]
    size = vertices if isinstance(vertices, int) else len(vertices)
    if kind == "path":
        return [[i, i + 1] for i in range(size - 1)]
    if kind == "complete":
        return [[i, j] for i in range(size) for j in range(i + 1, size)]
    if kind == "graph":
        return [list(pair) for pair in graph["edges"]]
    if kind == "distances":
        return [list(pair[:2]) for pair in graph["pairs"]]
    raise ValueError(f"{kind} is no kind of neighbours")


def _shows(part: str, certificate: Mapping[str, Any], claimed: Mapping[str, str]) -> bool | None:
    """Whether a certificate shows that the claim is true, or that it is false; None if it shows neither.

    What is (α, 0)-private is (α, δ)-private for every δ. The least δ at the claimed level is compared with
    the claimed one, the largest level with δ = 0 with the claimed level.
    """
    claim, definitions = certificate["claim"], certificate["definitions"]
    kind, exact = claim["kind"], claimed["delta"] == "0"
    symbols = [one for one in definitions.values() if one.get("type") in ("exponential", "parameter", "region")]
    powers = _Powers(symbols[0] if symbols else None)
    level, delta = _level(claimed), (constant(rational(claimed["delta"])), constant(Fraction(1)))
    if kind == "not-stochastic":
        return None if part != "not-stochastic" or claimed["quality"] != "wrong" else False
    if part == "claim":
        return not kind.startswith(("no-", "not-"))
    if part == "level" and kind == "level-with-delta" and claim["delta"] == "0":
        ratio = powers.scalar(claim["ratio"])
        kept = None if level is None else sign(_combined(ratio, level, -1)) >= 0
        return kept if kept or exact else None
    if part == "level" and kind in LAW_KINDS:
        kept = None if level is None else sign(_combined(powers.scalar(claim["ratio"]), level, -1)) >= 0
        return kept if kept or exact else None
    if part == "privacy" and kind in ("private", "not-private"):
        if level is not None and not equal(level, powers.scalar(claim["level"])):
            raise ValueError("another level")
        return True if kind == "private" else False if exact else None
    if part == "delta" and kind == "delta":
        if level is None or not equal(level, powers.scalar(claim["level"])):
            raise ValueError("another level")
        return sign(_combined(delta, powers.scalar(claim["delta"]), -1)) >= 0
    return None


LAW_KINDS = ("response-level", "bitwise-level", "geometric-level")
"""Claims about laws: ``ratio`` is the largest level (SPEC.md §4.16)."""


def _level(claimed: Mapping[str, Any]) -> Number | None:
    """The claimed level as a number, where α, ε or e^ε is rational."""
    try:
        if "alpha" in claimed:
            return constant(rational(claimed["alpha"])), constant(Fraction(1))
        logarithm = re.fullmatch(r"ln\(([0-9/]+)\)", claimed["epsilon"])
        if logarithm:
            return constant(1 / rational(logarithm[1])), constant(Fraction(1))
        exponent = Fraction(claimed["epsilon"]) if _PLAIN.fullmatch(claimed["epsilon"]) else rational(claimed["epsilon"])
    except (ValueError, KeyError, TypeError, ZeroDivisionError):
        return None
    return {((1, exponent),) if exponent else (): Fraction(1)}, constant(Fraction(1))


def sign(x: Number) -> int:
    """The sign of a number, exactly: 0 if it has no terms, else by enclosures that become narrower."""
    if not x[0]:
        return 0
    for bits in (64, 128, 256, 512, 1024, 2048, 4096):
        ends = [_enclosed(part, bits) for part in x]
        if all(low > 0 or high < 0 for low, high in ends):
            return 1 if (ends[0][0] > 0) == (ends[1][0] > 0) else -1
    raise ValueError("the sign of a number was not found")


def _enclosed(x: Sum, bits: int) -> tuple[Fraction, Fraction]:
    """A rational below, and one above, a sum of multiples of e^(−r)."""
    low = high = Fraction(0)
    for exponents, c in x.items():
        if any(q != 1 for q, _ in exponents):
            raise ValueError("an exponent is irrational")
        ends = [c * end for end in _power_of_e(sum((r for _, r in exponents), Fraction(0)), bits)]
        low, high = low + min(ends), high + max(ends)
    return low, high


def _power_of_e(r: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """e^(−r) from below and above: for r > 0 as 1/e^r, by terms of the series until the rest is small.

    Σ_{k<n} r^k/k! ≤ e^r ≤ Σ_{k<n} r^k/k! + 2·r^n/n! for n ≥ 2r, where each further term is at most half of
    the one before.
    """
    if r < 0:
        low, high = _power_of_e(-r, bits)
        return 1 / high, 1 / low
    if r > 10_000:
        raise ValueError("an exponent is too large")
    total, term, k = Fraction(0), Fraction(1), 0
    while k < 2 * r or term > Fraction(1, 2**bits):
        total, k = total + term, k + 1
        term = term * r / k
    return 1 / (total + 2 * term), 1 / total


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


def comparing() -> Any:
    """What compares page one: the last of PROGRAMS, compiled from its bytes as those are that it imports."""
    for file in PROGRAMS[1:]:
        name = f"exactdp.certificate.{file.removesuffix('.py')}"
        if name not in sys.modules:
            path = Path(__file__).resolve().parent / file
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
        sentence = (
            f"{found.accepted} certificates, each accepted by the checker, about the {judged} of the bundle and with its sentence on "
            f"every page; {len(predicate['parts'])} parts as {MANIFEST} ({digest}) expects, and no others; made on {predicate['date']} by "
            f"exactdp {predicate['exactdp']}: {verdict['verdict']}: {verdict['claim']}"
        )
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
