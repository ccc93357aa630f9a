#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays an argument: carries out the steps that a file writes down for the theorems that it states.

A convenience for those who check their own derivations. It is not among what is trusted, and what it follows
is replayed, never called proved. Standard library only, with reading.py, terms.py, evaluation.py, scope.py
and proof_steps.py beside it. Statements are universal; every step is carried out; every theorem is evaluated
at an example. `docs/reference/arguments.md`, version 0.2, says what each step means, and why it is sound.
Usage: python -I argument.py FILE...
Exit code 0 replayed, 1 rejected, 2 usage or unreadable, 3 malformed, 4 a limit was reached, 5 an answer could
not be printed, 70 a defect.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
from contextvars import copy_context
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

if __name__ == "__main__":  # the files of this directory: their sources as they stand, whatever is installed or compiled
    for _name in ("reading", "terms", "evaluation", "scope", "proof_steps"):
        _module, _path = ModuleType(f"exactdp.arguments.{_name}"), Path(__file__).resolve().with_name(f"{_name}.py")
        try:
            _source = _path.read_bytes()
            vars(_module).update(__file__=str(_path), __source_digest__=f"sha256:{hashlib.sha256(_source).hexdigest()}")
            sys.modules[_module.__name__] = _module
            exec(compile(_source, str(_path), "exec", dont_inherit=True), vars(_module))
        except Exception as _error:  # missing or broken: never the exit code of a rejection
            try:
                sys.stderr.write(f"{_path.name} is needed beside this file: {_error}\n")
            finally:
                os._exit(70)
from exactdp.arguments.evaluation import example
from exactdp.arguments.proof_steps import conclude, shown_at_sight
from exactdp.arguments.reading import LIMITS, Answer, Node, Stop, bounded, canonical_bytes, demand, guarded, refuse, run, show, spend
from exactdp.arguments.scope import Scope
from exactdp.arguments.terms import (
    BINDERS,
    NAME,
    STORE,
    Comparison,
    Fact,
    Function,
    Store,
    Tree,
    Value,
    begin,
    comparisons,
    declared,
    read,
    statement,
    term,
)

FORMAT, VERSION = "exactdp-argument", "0.2"


# ── Files (ARGUMENTS §8) ────────────────────────────────────────────────────────────────────────────────────
class Library(NamedTuple):
    """The files read so far, and what they define and prove."""

    folder: Path
    definitions: dict[str, Value]
    theorems: dict[str, dict[str, Fact] | None]  # None while a file is being checked
    sources: dict[str, object]  # of the definitions
    sizes: list[int]


def contents(path: Path, taken: int = 0) -> bytes:
    """The bytes of a regular file, once its size, with those taken already, is seen to be allowed."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as stream:
        if not stat.S_ISREG((found := os.fstat(stream.fileno())).st_mode):
            raise OSError(f"not a regular file: {path.name}")
        bounded("bytes", taken + found.st_size)
        return stream.read(LIMITS["bytes"] - taken + 1)


def define(name: str, node: Node, library: Library) -> None:
    """A function by cases; only earlier definitions and its parameters may occur in it."""
    f = node.fields("of is says?")
    demand(NAME.fullmatch(name) is not None and name not in {*library.definitions, *BINDERS}, node.path, f"{show(name)} is in use")
    bounded("names", len(library.definitions) + 1)
    parameters, cases = declared(f["of"]), list[tuple[tuple[Comparison, ...], Tree]]()
    for item in f["is"].items():
        condition, colon, body = item.of(str).rpartition(":")
        cases.append((comparisons(condition, item.path) if colon else (), term(body, item.path)))
    demand(bool(cases) and all(c for c, _ in cases[:-1]) and not cases[-1][0], node.path, "all cases but the last have a condition")
    demand(not dict(parameters).keys() & library.definitions.keys(), node.path, "no parameter has the name of a definition")
    library.definitions[name] = Function(name, parameters, tuple(cases), dict(library.definitions))
    library.sources[name] = {"of": f["of"].value, "is": f["is"].value}


def needed_file(node: Node, library: Library) -> dict[str, Fact]:
    """The theorems of another file of the folder, under the names file/theorem."""
    demand(re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", need := node.of(str)) is not None, node.path, "a file of this folder, without .json")
    if need not in library.theorems:
        bounded("files", len(library.theorems) + 1)
        library.theorems[need] = None
        place = library.folder / f"{need}.json"
        try:
            data = contents(place, sum(library.sizes))
        except OSError as error:
            if os.path.isfile(place):  # it is there, but can't be read: nothing is decided
                raise Stop(Answer("unreadable", f"{node.path}: {need}.json: {show(str(error))}", path=node.path)) from None
            raise refuse(node.path, f"there is no file {need}.json in this folder: {type(error).__name__}") from None
        library.sizes.append(len(data))
        check(read(data), library, need, f"{need}.json: $")
    demand(library.theorems[need] is not None, node.path, "files need each other")
    spend(1000 + 100 * len(library.theorems[need] or {}))
    return {f"{need.replace('-', '_')}/{theorem}": fact for theorem, fact in (library.theorems[need] or {}).items()}


def check(value: object, library: Library, name: str = "", path: str = "$") -> None:
    """Check a parsed file: what it needs, its definitions, its theorems in turn."""
    top = Node(value, path).fields("format version says? needs? definitions? theorems")
    stated = (top["format"].value, top["version"].value)
    demand(stated == (FORMAT, VERSION), path, f"must be {FORMAT} {VERSION} (before 0.2 theorems had no examples), not {show(stated)}")
    facts: dict[str, Fact] = {}
    for node in top["needs"].items() if "needs" in top else ():
        facts |= needed_file(node, library)
    for word, node in top["definitions"].fields().items() if "definitions" in top else ():
        define(word, node, library)
    found: dict[str, Fact] = {}
    for node in top["theorems"].items():
        spend(1000 + 30 * (len(facts) + len(found)))
        label, fact = theorem(node, library, facts | found)
        demand(label not in found, node.path, "theorems have different names")
        found[label] = fact
    demand(bool(found), path, "a file has one theorem or more")
    library.theorems[name] = found


def theorem(node: Node, library: Library, facts: dict[str, Fact]) -> tuple[str, Fact]:
    """The name of a theorem, and its statement as a fact, once it holds at its example and is proved."""
    f = node.fields("name for given? then example? proof says?")
    label, stated = f["name"].of(str), {key: f[key].value for key in ("for", "given", "then") if key in f}
    demand(NAME.fullmatch(label) is not None, f["name"].path, "a theorem has a name")
    if "example" not in f:
        raise refuse(node.path, "no example: the theorem is possibly vacuous")
    STORE.set(Store())
    spend(1000 + 30 * len(library.definitions))
    fact = Fact(statement(Node(stated, node.path)), dict(library.definitions))
    names = [variable for variable, _ in fact.statement.variables]
    example(fact, f["example"], shown_at_sight)
    conclude(fact, Scope(fact.env, facts), names, f["proof"], f["proof"].path)
    return label, fact


def in_words(formula: Any) -> str:
    """A statement of a file as one line: for all …: if … then …."""
    if isinstance(formula, str):
        return formula
    if isinstance(formula, list):
        return " and ".join(formula)
    texts = [f"({in_words(item)})" if isinstance(item, dict) else in_words(item) for item in formula.get("given", {}).values()]
    return f"for all {formula['for']}: " + (f"if {', '.join(texts)} then " if texts else "") + in_words(formula["then"])


def hashed(value: object) -> str:
    """A digest of a value."""
    return "sha256:" + hashlib.sha256(canonical_bytes(value)).hexdigest()[:32]


def sentence(value: Any, library: Library) -> str:
    """What an accepted file states: every theorem in words, and the definitions that these use."""
    texts, known = {item["name"]: in_words(item) for item in value["theorems"]}, set[str]()
    found = set(NAME.findall(" ".join(texts.values())))
    while more := found & library.sources.keys() - known:
        known |= more
        found = set(NAME.findall(" ".join(str(library.sources[name]) for name in more)))
    long = {name: f"{text[:1000]} … ({len(text)} characters, {hashed(text)})" for name, text in texts.items() if len(text) > 2000}
    said, sources = {**texts, **long}, {name: library.sources[name] for name in sorted(known)}
    where = f" With the definitions {', '.join(sources)} ({hashed(sources)})." if known else ""
    return f"{' | '.join(f'{name}: {text}' for name, text in said.items())}.{where} Scope: as quantified, by this program alone."


def check_bytes(data: bytes, folder: Path | None = None) -> Answer:
    """Check the bytes of a file that lies in this folder. Never raises, and leaves nothing behind."""
    library = Library(folder or Path(), {}, {}, {}, [len(data)])

    def answer() -> Answer:
        begin()
        value = read(data)
        check(value, library)
        return Answer("replayed", sentence(value, library), "argument", "sha256:" + hashlib.sha256(canonical_bytes(value)).hexdigest())

    return copy_context().run(guarded, answer)


def main(arguments: list[str] | None = None) -> int:
    """Check files, print a line for each, and return the worst exit code."""

    def answer_for(name: str) -> Answer:
        return check_bytes(contents(Path(name)), Path(name).parent)

    return run(arguments, answer_for, __doc__, f"exactdp argument checker, format {VERSION}")


if __name__ == "__main__":
    sys.exit(main())
