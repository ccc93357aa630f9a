#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The checker: decides whether a file is a valid exactdp certificate.

Standard library only, integers and fractions only. It shares no code with the program that writes
certificates. This is the entry: it loads the trusted files beside it, judges the frame of a file,
its digest and its definitions, and prints the answers. Each of these files is read in a sitting:

* limits.py, limits, the counting of work, answers;
* arithmetic.py, matrices.py and powers.py, numbers and matrices, which count their work;
* reader.py and compact.py, from bytes to JSON values, and compact matrices to whole ones;
* rules.py and optimality.py, the rules for privacy and for least losses;
* claims.py, the claims over ℚ, with the sentence of each;
* the other files, further kinds of claims and numbers, read only if a certificate has them.

The rules, with the same letters, are those of `exactdp/certificate/SPEC.md`. Usage: python -I
kernel.py FILE... Exit code 0 accepted, 1 rejected, 2 usage, 3 malformed, 4 a limit, 5 an answer
could not be printed, 70 a defect; of several files the worst.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, cast

CORE = (
    "limits",
    "arithmetic",
    "matrices",
    "powers",
    "reader",
    "rules",
    "compact",
    "optimality",
    "claims",
)
"""The files that every certificate needs, each after those that it imports."""

BESIDE = (
    "polynomials",
    "sparse",
    "intervals",
    "regions",
    "fields",
    "determinant",
    "graphs",
    "tight",
    "deployed",
    "orbits",
    "rays",
    "privacy_types",
    "cones",
    "universal",
    "printed",
)
"""The files with further kinds of numbers and claims, each after those that it imports."""

LOADING = RLock()


def beside(name: str) -> Any:
    """Another trusted file of this directory, compiled from its bytes."""
    full = f"exactdp.checker.{name}"
    if name in BESIDE and full not in sys.modules:
        for earlier in BESIDE[: BESIDE.index(name)]:
            beside(earlier)
    # A file is published before it is executed: no other thread may see it until it is complete.
    with LOADING:
        if full in sys.modules:
            return sys.modules[full]
        path = Path(__file__).resolve().with_name(f"{name}.py")
        if name not in CORE and not path.is_file():
            missing = f"the rules for this are in a file {name}.py that is not beside this one"
            raise Stop(Answer("limit", missing, rule="files"))
        source = path.read_bytes()
        module = ModuleType(full)
        digest = f"sha256:{hashlib.sha256(source).hexdigest()}"
        vars(module).update(__file__=str(path), __source_digest__=digest)
        try:
            sys.modules[full] = module
            exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
        except BaseException:
            sys.modules.pop(full, None)
            raise
        return module


if __spec__ is None:
    # This file runs alone, and no package is there to import from: the files import their names
    # from modules that are loaded here.
    sys.modules.setdefault("exactdp.checker.kernel", sys.modules[__name__])
    try:
        for core in CORE:
            beside(core)
    except Exception as error:
        if __name__ != "__main__":
            raise
        # Nothing is decided: the interpreter's own exit code, 1, would say that a file is rejected.
        with suppress(AttributeError, OSError, ValueError):
            print(f"kernel.py: a file beside it: {error}", file=sys.stderr, flush=True)
        sys.exit(70)

from exactdp.checker.claims import CLAIMS, Claims
from exactdp.checker.limits import (
    EXIT_CODES,
    FIELD,
    LIMITS,
    WORK,
    Answer,
    Larger,
    Stop,
    charge,
    demand,
    require,
    show,
    within,
)
from exactdp.checker.reader import (
    NAME,
    Node,
    as_defined,
    canonical_bytes,
    digest_of,
    distinct,
    read,
)
from exactdp.checker.rules import Case

__all__ = [
    "BESIDE",
    "CLAIMS",
    "CORE",
    "EXIT_CODES",
    "FIELD",
    "LIMITS",
    "WORK",
    "Answer",
    "Case",
    "Larger",
    "Node",
    "Stop",
    "beside",
    "canonical_bytes",
    "check",
    "check_bytes",
    "decide",
    "demand",
    "digest_of",
    "distinct",
    "every_claim",
    "guarded",
    "main",
    "read",
    "run",
    "show",
    "within",
]

FORMAT = "exactdp-certificate"
VERSIONS = ("0.1", "0.2")

FIRST = ("release",)
"""With the kinds of claims.py, those of version 0.1 (SPEC §1)."""

LATER = ("complete", "randomized-response")
"""The types of definitions that version 0.1 does not have (SPEC §3)."""

FIELDS = ("exponential", "parameter", "region")
"""The types of definitions that say what symbols stand for (SPEC §2.1, §2.2)."""


# ── Which rule decides a claim ──────────────────────────────────────────────────────────────────
def every_claim() -> Claims:
    """The claims of all files."""
    found = dict(CLAIMS)
    for name in BESIDE:
        found |= getattr(beside(name), "CLAIMS", {})
    return found


def decide(
    claim: Node, witness: Node, definitions: dict[str, Node]
) -> tuple[Case, str, str | None]:
    """The case of one claim, the sentence of the rule for its kind, and its scope if it has one."""
    charge(2000)
    # The kind says which file has the rule; a claim without one is malformed below.
    stated = claim.fields()
    name = str(stated["kind"].value) if "kind" in stated else ""
    claims = CLAIMS
    scopes: dict[str, str] = {}
    if name not in CLAIMS:
        for module in map(beside, BESIDE):
            if name in getattr(module, "CLAIMS", ()):
                claims = module.CLAIMS
                scopes = getattr(module, "SCOPES", scopes)
                break

    # Claim and witness have exactly the members of their kind.
    kind, members = claim.variant("kind", {kind: keys for kind, (_, keys, _) in claims.items()})
    rule, _, witness_keys = claims[kind]
    if hasattr(FIELD.get(), "learn"):
        witness_keys += " signs?"
    shown = witness.fields(witness_keys)

    # Polynomials on a region learn their signs from lemmas of the witness, before any rule asks.
    if "signs" in shown:
        FIELD.get().learn(shown.pop("signs"))
    case = Case(kind, members, shown, definitions, {})
    return case, rule(case), scopes.get(kind)


def is_field(definition: Node) -> bool:
    """Whether a definition says what symbols stand for; one without a type does not."""
    members = definition.fields()
    return "type" in members and members["type"].value in FIELDS


def check(value: object, doublings: int) -> Answer:
    """Check a parsed certificate: the frame, the digest, the definitions, then the claim."""
    # The frame (SPEC §1)
    keys = "format version claim definitions witness provenance? digest"
    top = Node(value, "$").fields(keys)
    known_format = top["format"].value == FORMAT and top["version"].value in VERSIONS
    demand(known_format, "$", f"must be {FORMAT}, version {' or '.join(VERSIONS)}")
    if "provenance" in top:
        for node in top["provenance"].fields().values():
            node.of(str)

    # The digest (SPEC §6)
    digest = digest_of(cast(dict[str, object], value))
    definitions = top["definitions"].fields()
    stated = top["digest"].of(str)
    require(stated == digest, "the digest is that of the content", "$.digest", stated, digest)

    # The names, and one field at most (SPEC §2.1, §3)
    wrong = [name for name in definitions if not NAME.fullmatch(name)]
    demand(not wrong, "$.definitions", f"{show(wrong)} is not a name (SPEC §3)")
    fields = [name for name, node in definitions.items() if is_field(node)]
    demand(len(fields) < 2, "$.definitions", "one field at most")
    scope = "one instance"
    for name in fields:
        FIELD.set(beside("fields").field_of(name, definitions[name], doublings))
        scope = FIELD.get().scope

    # The claim
    case, sentence, own_scope = decide(top["claim"], top["witness"], definitions)
    types = [node.fields().get("type", node).value for node in definitions.values()]
    later = any(kind in LATER for kind in types)
    simple = not fields and not later and case.kind in (*CLAIMS, *FIRST)
    allowed = simple or top["version"].value != VERSIONS[0]
    demand(allowed, "$.version", f"{VERSIONS[0]} is without fields, and for kinds of 4 to 4.6 only")
    idle = sorted({*definitions} - case.known.keys() - {*fields})
    demand(not idle, "$.definitions", f"the claim does not use {show(idle)}")

    # The sentence, which together with a digest determines the claim (SPEC §5)
    names = [name for name, known in case.known.items() if not known.spelled]
    told = f"{sentence} Scope: {own_scope or scope}."
    told += as_defined(told, top["claim"], definitions, names)
    return Answer("accepted", told, case.kind, digest)


# ── One file ────────────────────────────────────────────────────────────────────────────────────
def check_bytes(data: bytes) -> Answer:
    """Check the bytes of a certificate file. Never raises, and leaves nothing behind."""

    def answer() -> Answer:
        # The limit of work is for each mebibyte begun.
        WORK.set([-LIMITS["work"] * (max(len(data) - 1, 0) >> 20), 0])
        value = read(data)
        doublings = 0
        while doublings < 16:
            FIELD.set(None)
            WORK.get()[1] = 0
            try:
                return check(value, doublings)
            except Larger as larger:
                doublings = max(larger.args[0], doublings + 1)
        return Answer("limit", "coefficients or exponents of polynomials are too large")

    return copy_context().run(guarded, answer)


def guarded(answer: Callable[[], Answer]) -> Answer:
    """The answer of a check, however it ends."""
    try:
        return answer()
    except Stop as stop:
        return cast(Answer, stop.args[0])
    except (MemoryError, RecursionError, OverflowError) as error:
        return Answer("limit", f"a limit of this machine was reached: {type(error).__name__}")
    except Exception as error:  # a defect of the checker, never an acceptance
        found = f"{type(error).__name__}: {show(str(error))}"
        return Answer("defect", f"please report this: {found}")


# ── Limits of the process, for what is not counted (SPEC §7) ────────────────────────────────────
SECONDS = 60
"""Of the processor, for each mebibyte of a file begun."""

MEMORY = 2**30
"""Bytes."""


def limit_memory() -> None:
    """Let the system refuse more memory, which is an answer: see `guarded`."""
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))


def limit_time(seconds: int) -> None:
    """Let the system send a signal when this process has used so many seconds more."""

    def stop(*_: object) -> None:
        raise Stop(Answer("limit", f"{seconds} seconds are over", rule="seconds"))

    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource
        import signal

        signal.signal(signal.SIGXCPU, stop)
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        used = resource.getrusage(resource.RUSAGE_SELF)
        end = int(used.ru_utime + used.ru_stime) + 1 + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (end, most))


# ── The program ─────────────────────────────────────────────────────────────────────────────────
def printed(name: str, answer: Answer, as_json: bool) -> str:
    """The line about one file, without characters that a terminal obeys."""
    if as_json:
        found = {"file": name, "exit_code": answer.exit_code, **vars(answer)}
        return json.dumps(found, sort_keys=True)
    line = f"{show(name)}: {answer.status}: {answer.sentence}"
    return "".join(x if x.isprintable() else ascii(x)[1:-1] for x in line)


def asked(answer_for: Callable[[str], Answer], name: str) -> Answer:
    """The answer about the file of this name, also if it can't be read."""
    try:
        return answer_for(name)
    except Stop as stop:
        return cast(Answer, stop.args[0])
    except (OSError, ValueError, MemoryError) as error:
        return Answer("unreadable", str(error) or type(error).__name__)


def run(
    arguments: list[str] | None,
    answer_for: Callable[[str], Answer],
    about: tuple[str, str | None, str, str],
) -> int:
    """Check the files that the arguments name, print a line for each, and return the worst exit
    code.
    """
    program, text, files, version = about
    parser = argparse.ArgumentParser(prog=program, description=" ".join((text or "").split()))
    parser.add_argument("files", nargs="+", metavar="FILE", help=files)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--version", action="version", version=version)
    try:
        try:
            options = parser.parse_args(arguments)
        finally:
            print(end="", flush=True)  # what --help printed
        if sys.stdout is None:
            raise OSError("it is closed")
        coding = getattr(sys.stdout, "encoding", None) or "ascii"
        worst = "accepted"
        for name in options.files:
            answer = asked(answer_for, name)
            line = printed(name, answer, options.json)
            print(line.encode(coding, "backslashreplace").decode(coding), flush=True)
            worst = max(worst, answer.status, key=list(EXIT_CODES).index)
        return EXIT_CODES[worst]
    except (OSError, ValueError, MemoryError) as error:  # of printing
        failed = f"can't write to standard output: {str(error) or type(error).__name__}"
        told = f"{program}: {failed}\n".encode()
        if isinstance(error, BrokenPipeError):  # a reader who has gone is told nothing
            told = b""
        with (
            suppress(AttributeError, OSError, ValueError),
            open(sys.stderr.fileno(), "wb", 0, closefd=False) as stream,
        ):
            stream.write(told)
        with suppress(AttributeError, OSError, ValueError):
            sys.stdout.close()  # or Python would try again at its end
        return 5
    except KeyboardInterrupt:
        return 130


def main(arguments: list[str] | None = None, alone: bool = False) -> int:
    """Check certificates, print a line for each, and return the worst exit code; alone, if this
    process does nothing else and may limit itself.
    """
    if alone:
        limit_memory()

    def answer_for(name: str) -> Answer:
        source = 0 if name == "-" else name
        with open(source, "rb") as stream:
            data = stream.read(LIMITS["bytes"] + 1)
        if alone:
            limit_time(SECONDS * (1 + (len(data) >> 20)))
        return check_bytes(data)

    version = f"exactdp checker, format {VERSIONS[-1]}"
    return run(
        arguments,
        answer_for,
        ("kernel.py", __doc__, "a certificate, or - for standard input", version),
    )


if __name__ == "__main__":
    sys.exit(main(alone=True))
