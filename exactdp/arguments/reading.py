# SPDX-License-Identifier: MIT
"""What the files beside it stand on: answers, the count of work, JSON values with their paths, the program.

Standard library only. Nothing of the checker of certificates is imported, and nothing of it depends on this.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

LIMITS = {  # each is checked before the work that it bounds (ARGUMENTS §9)
    "bytes": 2**20,  # in a file and all that it needs, together
    "nesting": 40,  # of brackets
    "text": 2000,  # characters in a term or comparison
    "files": 20,
    "names": 200,  # of definitions and variables in one place
    "constraints": 400,  # rows in an elimination
    "exponent": 32,  # of a polynomial
    "terms": 20_000,  # in a sum, and products of monomials in a product
    "factors": 64,  # in a monomial
    "bits": 4096,  # in one integer
    "held": 10**6,  # symbols, numbers and factors in the normal forms that are kept
    "unfolding": 40,  # definitions inside each other
    "work": 10**9,  # units of about ten nanoseconds
}
EXIT_CODES = {"replayed": 0, "rejected": 1, "limit": 4, "malformed": 3, "unreadable": 2, "defect": 70}
"""The exit code of each status, from good to bad. None of them is a proof."""

WORK: ContextVar[list[int]] = ContextVar("WORK")
"""The work announced so far, for one file."""


@dataclass(frozen=True)
class Answer:
    """What was found: the theorems that were replayed, an explanation otherwise."""

    status: str
    sentence: str
    kind: str | None = None
    digest: str | None = None
    rule: str | None = None
    path: str | None = None

    @property
    def exit_code(self) -> int:
        """That of the status."""
        return EXIT_CODES[self.status]


class Stop(Exception):  # noqa: N818
    """Ends a check; its argument is the answer."""


def demand(holds: bool, path: str, rule: str) -> None:
    """A rule of the format: the file is malformed unless it holds."""
    if not holds:
        raise Stop(Answer("malformed", f"{path}: {rule}", rule=rule, path=path))


def refuse(path: str, text: str) -> Stop:
    """What to raise where an argument does not carry."""
    text = text if len(text) < 1000 else f"{text[:1000]} …"
    return Stop(Answer("rejected", f"{path}: {text}", rule=text, path=path))


def bounded(limit: str, figure: int, path: str = "$") -> None:
    """A declared limit, checked before the work it bounds: nothing is decided if it would be exceeded."""
    if figure > LIMITS[limit]:
        text = f"{path}: the limit of {LIMITS[limit]} {limit} is exceeded: {show(figure)}"
        raise Stop(Answer("limit", text, rule=limit, path=path))


def spend(units: int) -> None:
    """Announce work before it is done, in units of ten nanoseconds."""
    work = WORK.get()
    work[0] += units
    if work[0] > LIMITS["work"]:
        text = f"the limit of {LIMITS['work']} work is exceeded: {work[0]}"
        raise Stop(Answer("limit", text, rule="work"))


# ── JSON values that know their path ──────────────────────────────────────────────────────────────────

WORD = re.compile(r"-?[A-Za-z0-9_]+(?:[./+-][A-Za-z0-9_]+)*+", re.ASCII)
KINDS: dict[type, str] = {str: "a string", list: "a list", dict: "an object"}


def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object, in which no key occurs twice."""
    keys = [key for key, _ in pairs]
    demand(len(keys) == len(set(keys)), "$", f"a key occurs twice in one object, with the keys {show(keys)}")
    return dict(pairs)


@dataclass(frozen=True)
class Node:
    """A JSON value and its path in the file."""

    value: object
    path: str

    def of(self, kind: type) -> Any:
        """The value, which must be of this kind."""
        demand(type(self.value) is kind, self.path, f"{KINDS[kind]} is expected")
        return self.value

    def fields(self, keys: str | None = None) -> dict[str, Node]:
        """The members of an object, with exactly these keys if any are given; those with ? may be absent."""
        spend(220 + 160 * len(self.of(dict)))
        members = {key: Node(value, f"{self.path}.{quoted(key)}") for key, value in self.of(dict).items()}
        for key in (keys or "").split():
            demand(key[-1] == "?" or key in members, self.path, f"the key {show(key)} is missing")
        allowed = None if keys is None else keys.replace("?", "").split()
        for key in members:
            demand(allowed is None or key in allowed, self.path, f"{show(key)} does not belong here")
        return members

    def items(self, length: int | None = None) -> list[Node]:
        """The entries of a list, of the given length if one is given."""
        values = self.of(list)
        spend(60 + 80 * len(values))
        demand(length in (None, len(values)), self.path, f"{length} entries are expected, not {len(values)}")
        return [Node(value, f"{self.path}[{i}]") for i, value in enumerate(values)]


def show(value: object) -> str:
    """A value in one printable line: what is long is abbreviated with … (long integers in hexadecimal)."""
    if isinstance(value, tuple | list):
        more = [f"… {len(value) - 24} more …"] if len(value) > 24 else []
        return ", ".join([*map(show, value[:24]), *more])
    if isinstance(value, Fraction):
        return show(value.numerator) + (f"/{show(value.denominator)}" if value.denominator > 1 else "")
    text = hex(value) if isinstance(value, int) and value.bit_length() > 2**13 else str(value)
    text = text if len(text) < 300 else f"{text[:140]}…({len(text) - 280} characters)…{text[-140:]}"
    return text if text.isprintable() else json.dumps(text)


def quoted(label: str) -> str:
    """A label in a sentence: as it is if it is a plain word, else quoted and escaped."""
    spend(124 + len(label))
    return show(label) if WORD.fullmatch(label) else show(json.dumps(label))


def canonical_bytes(value: object) -> bytes:
    """The bytes of a JSON value that a digest is of: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


# ── The program ──────────────────────────────────────────────────────────────────────────────────────


def guarded(answer: Callable[[], Answer]) -> Answer:
    """The answer of a check, however it ends."""
    try:
        return answer()
    except Stop as stop:
        return cast(Answer, stop.args[0])
    except (MemoryError, RecursionError, OverflowError) as error:
        return Answer("limit", f"a limit of this machine was reached: {type(error).__name__}")
    except Exception as error:  # a defect, never a replay
        return Answer("defect", f"please report this: {type(error).__name__}: {show(str(error))}")


def run(arguments: list[str] | None, answer_for: Callable[[str], Answer], about: str | None, version: str) -> int:
    """Answer about the files that the arguments name, a line for each, and return the worst exit code."""
    program = "argument.py"
    parser = argparse.ArgumentParser(prog=program, description=" ".join((about or "").split()))
    parser.add_argument("files", nargs="+", metavar="FILE", help="an argument")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--version", action="version", version=version)
    try:
        try:
            options = parser.parse_args(arguments)
        finally:
            print(end="", flush=True)  # what --help printed
        if sys.stdout is None:
            raise OSError("it is closed")
        worst = "replayed"
        for name in options.files:
            answer = _answer_about(name, answer_for)
            _print_line(name, answer, as_json=options.json)
            worst = max(worst, answer.status, key=list(EXIT_CODES).index)
        return EXIT_CODES[worst]
    except (OSError, ValueError, MemoryError) as error:  # of printing
        _tell_that_it_failed(program, error)
        return 5
    except KeyboardInterrupt:
        return 130


def _answer_about(name: str, answer_for: Callable[[str], Answer]) -> Answer:
    """The answer about one file; that it is unreadable if it can't be read."""
    try:
        return answer_for(name)
    except Stop as stop:
        return cast(Answer, stop.args[0])
    except (OSError, ValueError, MemoryError) as error:
        return Answer("unreadable", str(error) or type(error).__name__)


def _print_line(name: str, answer: Answer, *, as_json: bool) -> None:
    """Print the answer about one file in one line that any terminal can show."""
    coding = getattr(sys.stdout, "encoding", None) or "ascii"
    said = f"{show(name)}: {answer.status}: {answer.sentence}"
    line = "".join(x if x.isprintable() else ascii(x)[1:-1] for x in said)
    if as_json:
        line = json.dumps({"file": name, "exit_code": answer.exit_code, **vars(answer)}, sort_keys=True)
    print(line.encode(coding, "backslashreplace").decode(coding), flush=True)


def _tell_that_it_failed(program: str, error: BaseException) -> None:
    """Say on standard error that nothing could be printed; a reader who has gone is told nothing."""
    failed = f"{program}: can't write to standard output: {str(error) or type(error).__name__}\n"
    with suppress(AttributeError, OSError, ValueError), open(sys.stderr.fileno(), "wb", 0, closefd=False) as stream:
        stream.write(b"" if isinstance(error, BrokenPipeError) else failed.encode())
    with suppress(AttributeError, OSError, ValueError):
        sys.stdout.close()  # or Python would try again at its end
