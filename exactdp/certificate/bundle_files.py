# SPDX-License-Identifier: MIT
"""The files of a bundle, from a folder or a zip, and its manifest.json, an in-toto Statement of our format.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import stat
import unicodedata
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STATEMENT = "https://in-toto.io/Statement/v1"
TYPE = "https://exactdp.github.io/exactdp/audit/v"
VERSION = 1
PREDICATE = f"{TYPE}{VERSION}"
"""The types of the statement and of its predicate; the version is that of the format."""

MANIFEST, TABLES, LAW = "manifest.json", "table.json", "law.json"
"""Names of files."""

LAW_FORMAT = "exactdp-law"
"""What law.json says that it is: a law was judged in place of a table that is too large."""

ROLES = ("input", "table", "law", "page-one", "page", "answer", "certificate", "checker", "program")
CONTENTS = ("bundle", "certificates")
"""What a part is, and what the manifest lists: all that is in a bundle, or certificates alone."""

MOST_PARTS, MOST_BYTES, MOST_IN_ALL, MOST_OF_MANIFEST = 10_000, 2**26, 2**28, 2**23
"""Parts, bytes of one, of all, and of the manifest."""

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}(?:/[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}){0,3}")
"""What a part may be called: no hidden file, nothing above the folder, no name of another alphabet."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""Half of a character, or half of a pair that is one."""

_HEX = re.compile("[0-9a-f]{64}")
_DIGEST = re.compile("sha256:[0-9a-f]{64}")

WORDS = {"proved": "Passed", "refuted": "Failed", "undecided": "Not decided", "no claim": "No claim was judged"}
"""How a page begins, by the verdict."""


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


MOST_MARKS = 4
"""Most marks on one letter that are shown; a flood of them covers other lines."""

UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
)
"""Letters, marks and symbols that show nothing."""


def shown(text: str) -> str:
    r"""A text in one line, without what a terminal obeys or nobody sees, as exactdp.errors.printable has it.

    >>> print(shown(f"ten{chr(27)}[2J{chr(0x3164)}"), shown("Zoë"))
    ten\x1b[2J\u3164 Zoë
    """
    if text.isascii() and text.isprintable():
        return text
    found, marks = [], MOST_MARKS  # none before the first letter
    for x in text:
        kind = unicodedata.category(x)
        is_seen = x.isprintable() and x not in UNSEEN
        if kind in {"Mn", "Me"}:
            is_seen, marks = is_seen and marks < MOST_MARKS, marks + 1
        else:
            marks = 0 if is_seen and kind[0] in "LMNS" else MOST_MARKS
        found.append(x if is_seen else ascii(x)[1:-1])
    return "".join(found)


_ESCAPED = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[tnr])")
"""How a character is written that is not shown."""


def as_typed(text: str) -> str:
    r"""A text that is shown, as it was typed: the inverse of `shown`.

    >>> as_typed(r"one\xa0person") == "one\u00a0person", as_typed(r"a\x20b")
    (True, 'a\\x20b')
    """
    typed = _ESCAPED.sub(lambda found: found[0].encode("ascii").decode("unicode_escape"), text)
    return typed if shown(typed) == text else text


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
        value = json.loads(data.decode("utf-8"), object_pairs_hook=distinct, parse_constant=no_constant)
        if _SURROGATE.search(data):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None
    except UnicodeEncodeError:
        raise ValueError("a text has one half of a pair of surrogates, which is no character") from None
    return value


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
"""The keys of the predicate; REQUIREMENTS is one more, where anything is required."""

REQUIREMENTS = "requirements"
"""The key of what is required beside the claim: of each the text, the status, and the part that shows it."""


def is_of_law(predicate: Mapping[str, Any]) -> bool:
    """Whether a law was judged in place of a table."""
    return any(part["role"] == "law" for part in predicate["parts"])


def _require_form(body: dict[str, Any]) -> None:
    """Raise ValueError unless the statement has the keys and types of the format."""
    predicate = body["predicate"]
    if set(body) != {"_type", "subject", "predicateType", "predicate"} or set(predicate) - {REQUIREMENTS} != KEYS:
        raise ValueError("it has other keys than the format")
    for subject in body["subject"]:
        require_text(subject["name"])
        if not _HEX.fullmatch(subject["digest"]["sha256"]):
            raise ValueError("a digest is none")
    require_text(predicate["exactdp"], predicate["date"], *predicate["command"], predicate["table"]["name"])
    if predicate["claimed"] is not None:
        claimed = {"text", "neighbours", "quality", "delta"}
        if set(predicate["claimed"]) not in (claimed | {"epsilon"}, claimed | {"alpha"}):
            raise ValueError("its claim has other keys than the format")
        require_text(*predicate["claimed"].values())
    for one in predicate["inputs"]:
        require_text(one["file"], one["given"], one["what"])
    if len(predicate["verdicts"]) != (predicate["contents"] == "bundle"):
        raise ValueError("a bundle has one verdict")
    if predicate["contents"] not in CONTENTS:
        raise ValueError(f"its contents are none of {', '.join(CONTENTS)}")
    if REQUIREMENTS in predicate:
        _require_requirements(predicate[REQUIREMENTS])
    for key in ("questions", "assumptions"):
        require_text(*predicate[key])
    for verdict in predicate["verdicts"]:
        require_text(*(verdict[key] for key in ("verdict", "claim")))
        if set(verdict) != {"verdict", "claim"} or verdict["verdict"] not in WORDS:
            raise ValueError("a verdict is none")
    _require_names(predicate["parts"])
    of_parts = {part["name"] for part in predicate["parts"] if part["role"] == "certificate"}
    listed = [one["file"] for one in predicate["certificates"]]
    if len(listed) != len(of_parts) or set(listed) != of_parts:
        raise ValueError("the certificates are not those among the parts")
    for one in predicate["certificates"]:
        require_text(one["part"], one["sentence"])
        if not _DIGEST.fullmatch(one["digest"]):
            raise ValueError("a digest is none")
    require_text(*predicate["without"], *predicate["without"].values())
    if not _DIGEST.fullmatch(predicate["table"]["digest"]) or not _DIGEST.fullmatch(predicate["digest"]):
        raise ValueError("a digest is none")
    if not isinstance(predicate["reading"], dict):
        raise ValueError("how the inputs were read is not said")


def _require_requirements(listed: list[dict[str, Any]]) -> None:
    """Raise ValueError unless each requirement has a text, a status and a part."""
    if not listed:
        raise ValueError("it says that something is required, and not what")
    for one in listed:
        if set(one) != {"text", "status", "part"} or one["status"] not in ("holds", "fails", "undecided"):
            raise ValueError("a requirement has other keys than the format")
        require_text(*one.values())


def _require_names(parts: list[dict[str, Any]]) -> None:
    """Raise ValueError unless each part has a name, a role and a digest, and no two have one name."""
    names: list[str] = []
    for part in parts:
        require_text(part["name"], part["role"])
        if not NAME.fullmatch(part["name"]) or part["name"] == MANIFEST:
            raise ValueError(f"{part['name']!r} is no name of a part: letters, digits and . _ -, nothing hidden, nothing above the folder")
        if part["role"] not in ROLES or not _HEX.fullmatch(part["digest"]["sha256"]):
            raise ValueError(f"the role or the digest of {part['name']} is none")
        names.append(part["name"].lower())
    if len(set(names)) < len(names) or any(name.startswith(f"{other}/") for name in names for other in names if len(names) < 1000):
        raise ValueError("two parts have one name")


def require_text(*values: Any) -> None:
    """Raise ValueError unless all are texts."""
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
