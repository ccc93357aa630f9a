# SPDX-License-Identifier: MIT
"""What is recorded about a paper, an entry of ``claims.toml`` a statement, and what recomputing one finds.

An entry has the keys ``id``, ``locator``, ``printed`` (what the paper says), ``statement`` (ours, with all
quantifiers), ``scope``, ``status``, ``replay`` (module.function of the paper's folder that recomputes it),
and optionally

* ``certificates``: names of files under ``certificates/``, without ``.edp.json``;
* ``coq``: names of theorems of ``proofs/coq`` that state the claim or a part of it, put into words in
  ``coq/theorems.toml``;
* ``argument``: theorems, written ``file.theorem`` (files under ``arguments/``), that the checker of arguments
  replays;
* ``missing``: what of the statement no Coq theorem states;
* ``prose``: a file with an argument for people;
* ``repair``: if and only if the statement is refuted, or imprecise as printed;
* ``counterexample``: the smallest case in which it fails, if and only if it is refuted;
* ``reason``: if and only if it is outside exact arithmetic.

What is *proved in general* names the Coq theorems whose statement is the claim, and nothing of it is missing
there. An argument is a convenience for those who check their own derivations; alone it makes a claim
*replayed*, which says what is missing in Coq. A file that breaks this is refused. The last three keys concern
the record's truth, not its form: :meth:`Claim.gap` names what is missing, and a replay then disagrees.

The words of ``theorems.toml`` are for readers who compare a claim with a theorem without reading Coq. Whether
Coq accepts the files is for Coq to say.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from exactdp.analysis import Verdict
from exactdp.errors import InputError
from exactdp.exact import ExactMatrix, Rational


@dataclass(frozen=True, slots=True)
class CoqTheorem:
    """A theorem of ``proofs/coq/FILE.v`` and what it says, in words."""

    name: str
    file: str
    says: str


def coq_theorems_in_words(folder: Path) -> Mapping[str, CoqTheorem]:
    """The theorems that ``folder/theorems.toml`` puts into words, by name.

    Parameters
    ----------
    folder : Path
        Has the Coq files and ``theorems.toml``: a table for each file, in it the words for each theorem.

    Returns
    -------
    mapping of str to CoqTheorem
        In the order of the file.

    Raises
    ------
    InputError
        A table names no Coq file, a theorem is not stated in its file, is without words, or has the name of
        another.

    Examples
    --------
    >>> theorem = coq_theorems_in_words(PROOFS / "coq")["geometric_private"]
    >>> print(f"{theorem.file}: {theorem.says}")
    Geometric: For all n ≥ 0 and 0 < a < 1, G(n, a) is a-private.
    """
    try:
        tables = tomllib.loads((folder / "theorems.toml").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"coq/theorems.toml cannot be read: {error}") from None
    found: dict[str, CoqTheorem] = {}
    for file, words in tables.items():
        if not isinstance(words, dict) or not (folder / f"{file}.v").is_file():
            raise InputError(f"coq/theorems.toml: {file!r} is not a table for a Coq file coq/{file}.v", rule=file)
        stated = _stated((folder / f"{file}.v").read_text(encoding="utf-8"))
        for name, says in words.items():
            if name not in stated:
                raise InputError(f"coq/theorems.toml: coq/{file}.v states no theorem {name!r}", rule=name)
            if not isinstance(says, str) or not says.strip():
                raise InputError(f"coq/theorems.toml: {file}.{name} needs a text that says what the theorem states", rule=name)
            if name in found:
                raise InputError(f"coq/theorems.toml: {name!r} is a theorem of both {found[name].file} and {file}", rule=name)
            found[name] = CoqTheorem(name, file, " ".join(says.split()))
    return MappingProxyType(found)


def _stated(source: str) -> frozenset[str]:
    """The names that a Coq file states as theorems, outside its comments."""
    kept, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", source):  # comments nest
        depth += {"(*": 1, "*)": -1}.get(part, 0)
        if depth == 0 and part != "*)":
            kept.append(part)
    pattern = r"^\s*(?:Theorem|Lemma|Corollary|Proposition|Fact|Remark)\s+([A-Za-z][A-Za-z0-9_']*)"
    return frozenset(re.findall(pattern, "".join(kept), re.MULTILINE))


@dataclass(frozen=True, slots=True)
class Finding:
    """The status that a computation found, the sentence that says why, and the verdicts to certify, by name.

    A statement for all n is never found true here. The most a computation of instances finds is
    :attr:`Status.HOLDS`, which agrees with a record that names a Coq theorem, a replayed argument or prose.
    """

    status: Status
    detail: str
    verdicts: Mapping[str, Verdict[Any]] = field(default_factory=dict)


def finding(right: bool, detail: str, verdicts: Mapping[str, Verdict[Any]] | None = None, *, status: Status | None = None) -> Finding:
    """The status (*holds where tried* unless given) if the computation is right, else *refuted as
    printed*.
    """
    return Finding((status or Status.HOLDS) if right else Status.REFUTED, detail, verdicts or {})


@dataclass(frozen=True, slots=True)
class Printed:
    """A paper's tables, exactly as printed: ``tables/NAME.csv`` in its folder."""

    folder: Path

    def table(self, name: str) -> ExactMatrix:
        """The entries of one table, without any check."""
        file = self.folder / "tables" / f"{name}.csv"
        if not file.is_file():
            raise InputError(f"the table {name!r} is missing from {self.folder.name}/tables", table=name)
        lines = file.read_text(encoding="utf-8").split()
        return ExactMatrix([[Rational(cell) for cell in line.split(",")] for line in lines])


class Status(StrEnum):
    """The closed set of status words. The last is not for records: a computation of instances finds no more.

    *refuted as reconstructed*: the formulas are missing from our text, and what they are taken for is false.
    *proved in general*: a Coq theorem states the claim. *replayed*: exactdp's own checker followed an
    argument, and Coq states at most a part.
    """

    PROVED = "proved in general"
    REPLAYED = "replayed"
    CERTIFIED = "certified"
    REFUTED = "refuted as printed"
    RECONSTRUCTED = "refuted as reconstructed"
    IMPRECISE = "imprecise as printed"
    OPEN = "open"
    DEFINITION = "definition"
    OUTSIDE = "outside exact arithmetic"
    HOLDS = "holds where tried"

    def fits(self, recorded: Status) -> bool:
        """Whether a computation that found this status agrees with the recorded one.

        A statement for all n is never found, only not contradicted; nor what had to be reconstructed.

        >>> Status.HOLDS.fits(Status.PROVED), Status.REFUTED.fits(Status.PROVED)
        (True, False)
        """
        general = (Status.PROVED, Status.REPLAYED)
        if self is Status.REFUTED:
            return recorded in (Status.REFUTED, Status.RECONSTRUCTED)
        return recorded in general if self is Status.HOLDS else recorded is self


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a paper and what is recorded about it; see the module for the fields."""

    id: str
    locator: str
    printed: str
    statement: str
    scope: str
    status: Status
    replay: str
    certificates: tuple[str, ...] = ()
    argument: tuple[str, ...] = ()
    coq: tuple[str, ...] = ()
    missing: str | None = None
    prose: str | None = None
    repair: str | None = None
    counterexample: str | None = None
    reason: str | None = None

    def gap(self) -> str | None:
        """What the status asks for and the entry lacks, or has and should not; None if nothing."""
        needed = {
            "repair": {Status.REFUTED, Status.RECONSTRUCTED, Status.IMPRECISE},
            "counterexample": {Status.REFUTED, Status.RECONSTRUCTED},
            "reason": {Status.OUTSIDE},
        }
        for key, statuses in needed.items():
            if (getattr(self, key) is not None) != (self.status in statuses):
                return f"a claim that is {self.status} {'needs' if self.status in statuses else 'may not have'} the key {key!r}"
        return None


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper's folder, bibliographic line, claims in the paper's order, and the Coq theorems to be named."""

    name: str
    title: str
    authors: str
    conventions: str
    folder: Path
    claims: tuple[Claim, ...]
    coq: Mapping[str, CoqTheorem]


_HEAD = {"paper", "title", "authors", "conventions", "claim"}
_TEXT = ("id", "locator", "printed", "statement", "scope", "replay")
_OPTIONAL = ("missing", "prose", "repair", "counterexample", "reason")
_NAMES = {
    "certificates": (r"[a-z0-9][a-z0-9-]*", "small letters, digits, hyphens"),
    "argument": (r"[a-z0-9][a-z0-9-]*\.[A-Za-z][A-Za-z0-9_]*", "file.theorem"),
    "coq": (r"[A-Za-z][A-Za-z0-9_']*", "letters, digits, _ and '"),
}


PROOFS = Path(__file__).resolve().parent
"""The folder of the papers."""


def papers(root: Path | None = None) -> list[str]:
    """The names of the papers with a claims file, sorted.

    >>> "gupte_sundararajan" in papers()
    True
    """
    return sorted(file.parent.name for file in (root or PROOFS).glob("*/claims.toml"))


def load_paper(name: str, root: Path | None = None, *, complete: bool = True) -> Paper:
    """Read and validate the claims file of one paper.

    Parameters
    ----------
    name : str
        One of :func:`papers`; a hyphen stands for an underscore.
    root : Path, optional
        Where the papers are; :data:`PROOFS` unless given.
    complete : bool
        Whether the certificate files must be there (not while they are being made).

    Raises
    ------
    InputError
        There is no such paper, or the file breaks a rule; the message names the claim and the rule.

    Examples
    --------
    >>> load_paper("gupte_sundararajan").claims[0].id
    'gupte_sundararajan/D1'
    """
    base, name = root or PROOFS, name.replace("-", "_")
    if name not in papers(base):
        raise InputError(f"there is no paper {name!r}; the papers are {', '.join(papers(base)) or 'none'}", paper=name)
    folder = base / name
    try:
        data = tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{name}/claims.toml is not TOML: {error}", paper=name) from None
    _keys(name, data, _HEAD, _HEAD)
    if data["paper"] != name:
        raise InputError(f"{name}/claims.toml is about {data['paper']!r}", paper=name)
    if not isinstance(data["claim"], list) or not data["claim"]:
        raise InputError(f"{name}/claims.toml: 'claim' must be a list of tables, written [[claim]]", paper=name)
    coq = coq_theorems_in_words(base / "coq" if (base / "coq").is_dir() else PROOFS / "coq")
    claims = tuple(_claim(name, folder, entry, coq, complete) for entry in data["claim"])
    ids = [claim.id for claim in claims]
    for claim_id in ids:
        if ids.count(claim_id) > 1:
            raise InputError(f"{claim_id} is recorded twice", claim=claim_id)
    head = {key: _text(name, data, key) for key in ("title", "authors", "conventions")}
    return Paper(name, head["title"], head["authors"], head["conventions"], folder, claims, coq)


def _claim(paper: str, folder: Path, entry: Mapping[str, Any], coq: Mapping[str, CoqTheorem], complete: bool) -> Claim:
    if not isinstance(entry, dict):
        raise InputError(f"{paper}/claims.toml: a claim is not a table", paper=paper)
    where = str(entry.get("id", f"a claim of {paper} without an id"))
    _keys(where, entry, {*_TEXT, "status"}, {*_TEXT, "status", *_NAMES, *_OPTIONAL})
    texts = {key: _text(where, entry, key) for key in (*_TEXT, *(key for key in _OPTIONAL if key in entry))}
    if not texts["id"].startswith(f"{paper}/"):
        raise InputError(f"{where}: the id must begin with {paper}/", claim=where)
    if re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_]+", texts["replay"], re.ASCII) is None:
        raise InputError(f"{where}: replay is {texts['replay']!r}, not module.function", claim=where)
    status = _status(where, entry["status"])
    names = {key: _names(where, entry.get(key, []), key) for key in _NAMES}
    missing = [file for file in names["certificates"] if complete and not (folder / "certificates" / f"{file}.edp.json").is_file()]
    arguments = [theorem.split(".")[0] for theorem in names["argument"]]
    missing += [file for file in arguments if not (folder / "arguments" / f"{file}.json").is_file()]
    if "prose" in texts and not (folder / texts["prose"]).is_file():
        missing.append(texts["prose"])
    if missing:
        raise InputError(f"{where}: the file of {missing[0]!r} is missing", claim=where)
    for theorem in names["coq"]:
        if theorem not in coq:
            raise InputError(f"{where}: coq/theorems.toml has no theorem {theorem!r}; put its statement into words there", claim=where)
    _standing(where, status, names, "missing" in texts)
    return Claim(
        status=status,
        certificates=names["certificates"],
        argument=names["argument"],
        coq=names["coq"],
        missing=texts.get("missing"),
        prose=texts.get("prose"),
        repair=texts.get("repair"),
        counterexample=texts.get("counterexample"),
        reason=texts.get("reason"),
        **{key: texts[key] for key in _TEXT},
    )


def _standing(where: str, status: Status, names: Mapping[str, tuple[str, ...]], missing: bool) -> None:
    """The one standing of claims for all n: Coq states it, or it is only replayed and says what Coq lacks."""
    if status is Status.PROVED and not names["coq"]:
        hint = "an argument alone makes it 'replayed'"
        raise InputError(f"{where}: what is {status} needs a Coq theorem whose statement is the claim; {hint}", claim=where, rule="coq")
    if status is Status.PROVED and missing:
        raise InputError(f"{where}: what is {status} may not have the key 'missing'; it would be 'replayed'", claim=where, rule="missing")
    if status is Status.REPLAYED and not names["argument"]:
        raise InputError(f"{where}: what is {status} needs an argument", claim=where, rule="argument")
    if status is Status.REPLAYED and not missing:
        raise InputError(f"{where}: what is {status} needs the key 'missing': what no Coq theorem states", claim=where, rule="missing")


def _names(where: str, value: object, key: str) -> tuple[str, ...]:
    pattern, form = _NAMES[key]
    if not isinstance(value, list) or not all(isinstance(name, str) and re.fullmatch(pattern, name, re.ASCII) for name in value):
        raise InputError(f"{where}: {key} must be a list of names ({form})", claim=where)
    return tuple(value)


def _status(where: str, word: object) -> Status:
    known = [status for status in Status if status is not Status.HOLDS]
    found = next((status for status in known if status == word), None)
    if found is None:
        raise InputError(f"{where}: {word!r} is no status word; they are {', '.join(known)}", claim=where)
    return found


def _keys(where: str, table: Mapping[str, Any], needed: set[str], known: set[str]) -> None:
    for key in sorted(needed - set(table)):
        raise InputError(f"{where}: the key {key!r} is missing", claim=where, rule=key)
    for key in sorted(set(table) - known):
        raise InputError(f"{where}: the key {key!r} is unknown", claim=where, rule=key)


def _text(where: str, table: Mapping[str, Any], key: str) -> str:
    value = table[key]
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{where}: {key} must be a text that is not empty", claim=where, rule=key)
    return value
