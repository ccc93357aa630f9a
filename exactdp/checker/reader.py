# SPDX-License-Identifier: MIT
"""Trusted: from the bytes of a file to JSON values that know their path (SPEC §2, §6)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import Any, cast

from exactdp.checker.arithmetic import common, longest, ratio, whole
from exactdp.checker.limits import FIELD, Answer, Stop, charge, demand, keep, show, within
from exactdp.checker.matrices import Matrix
from exactdp.checker.powers import root

TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}"]|[^\s\[\]{}",:]++', re.DOTALL)
INDEX = re.compile(rb"0|[1-9][0-9]{0,8}")
INTEGER = re.compile(r"0|-?[1-9][0-9]*+")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
WORD = re.compile(r"-?[A-Za-z0-9_]+(?:[./+-][A-Za-z0-9_]+)*+", re.ASCII)
KINDS = {str: "a string", int: "an integer", list: "a list", dict: "an object"}
DIGESTED = ("format", "version", "claim", "definitions", "witness")
Labels = tuple[str, ...]


# ── From bytes to values ────────────────────────────────────────────────────────────────────────
def read(data: bytes) -> object:
    """Strict JSON. One linear scan bounds nesting and tokens before anything is built."""
    within("bytes", len(data))
    charge(len(data) // 2)
    depth = 0
    count = 0
    before = b""
    for count, match in enumerate(TOKEN.finditer(data), start=1):
        token = match.group()
        within("tokens", count)
        if token in b"[]{}":
            depth += 1 if token in b"[{" else -1
            within("nesting", depth)
        elif token[:1] != b'"':
            fits = bool(INDEX.fullmatch(token))
            rule = "" if fits else fault(data, before)
            demand(fits, f"$ at byte {match.start()}", rule)
        before = token
    charge(8 * count)
    try:
        return cast(object, json.loads(data.decode("utf-8"), object_pairs_hook=distinct))
    except ValueError as error:
        early = "the file ends early, its last bracket is open: " if depth > 0 else ""
        text = f"$: not JSON in UTF-8: {early}{error}"
        raise Stop(Answer("malformed", text, rule="JSON in UTF-8", path="$")) from None


def fault(data: bytes, before: bytes) -> str:
    """What to say where, after a token, something else than an integer is outside of strings."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return "this is no certificate: those are JSON, and begin with {"
    if before == b'"':
        return "the file ends early, inside a string"
    return "outside strings only integers 0 to 10^9 − 1"


def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object, in which no key occurs twice."""
    keys = [key for key, _ in pairs]
    rule = f"a key occurs twice in one object, with the keys {show(keys)}"
    demand(len(keys) == len(set(keys)), "$", rule)
    return dict(pairs)


def digits(text: str) -> int:
    """The value of decimal digits, by halves (Python's own conversion is quadratic, and stops at
    4300).
    """
    if len(text) <= 2000:
        return int(text)
    half = len(text) // 2
    power: int = 10**half
    return digits(text[:-half]) * power + digits(text[-half:])


@dataclass(frozen=True)
class Node:
    """A JSON value and its path in the file."""

    value: object
    path: str

    # ── Structure ──
    def of(self, kind: type) -> Any:
        """The value, which must be of this kind."""
        demand(type(self.value) is kind, self.path, f"{KINDS[kind]} is expected")
        return self.value

    def fields(self, keys: str | None = None) -> dict[str, Node]:
        """The members of an object, with exactly these keys if any are given; those with ? may be
        absent.
        """
        values = self.of(dict)
        charge(20 * len(values) + 20)
        members = {key: Node(value, f"{self.path}.{quoted(key)}") for key, value in values.items()}
        if keys is None:
            return members
        for key in keys.split():
            there = key[-1] == "?" or key in members
            demand(there, self.path, f"the key {show(key)} is missing")
        expected = keys.replace("?", "").split()
        for key in members:
            demand(key in expected, self.path, f"{show(key)} does not belong here")
        return members

    def variant(self, name: str, options: dict[str, str]) -> tuple[str, dict[str, Node]]:
        """The value of the member with this name, one of the options, and the members that go with
        it.
        """
        node = self.fields().get(name)
        kind = "" if node is None else node.of(str)
        demand(kind in options, self.path, f"{name} must be one of {', '.join(options)}")
        return kind, self.fields(f"{name} {options[kind]}")

    def items(self, length: int | None = None) -> list[Node]:
        """The entries of a list, of the given length if one is given."""
        values = self.of(list)
        charge(10 * len(values))
        rule = f"{length} entries are expected, not {len(values)}"
        demand(length in (None, len(values)), self.path, rule)
        return [Node(value, f"{self.path}[{i}]") for i, value in enumerate(values)]

    # ── Indices and labels ──
    def index(self, bound: int = 10**9) -> int:
        """A JSON integer below the bound."""
        demand(self.of(int) < bound, self.path, f"must be below {bound}")
        return cast(int, self.value)

    def below(self, bound: int) -> list[int]:
        """A list of JSON integers below the bound."""
        values = self.of(list)
        charge(10 * len(values))
        wrong = next((i for i, x in enumerate(values) if type(x) is not int or x >= bound), None)
        if wrong is not None:
            Node(values[wrong], f"{self.path}[{wrong}]").index(bound)
        return cast(list[int], values)

    def indices(self, bound: int) -> list[int]:
        """A strictly increasing list of such integers."""
        result = self.below(bound)
        demand(all(i < j for i, j in pairwise(result)), self.path, "must increase strictly")
        return result

    def labels(self) -> Labels:
        """A non-empty list of distinct non-empty strings."""
        result = tuple(item.of(str) for item in self.items())
        charge(4 * len(result) + sum(map(len, result)) // 64)
        distinct_labels = 0 < len(result) == len(set(result)) and all(result)
        demand(distinct_labels, self.path, "one or more labels, distinct and not empty")
        return result

    # ── Numbers (SPEC §2) ──
    def integer(self, text: str) -> int:
        """0, or [-] and digits without leading zeros."""
        within("digits", len(text))
        rule = "an integer is 0, or [-] and digits without leading zeros"
        demand(INTEGER.fullmatch(text) is not None, self.path, rule)
        charge(10, 4 * len(text), products=3 if len(text) > 2000 else 1)
        if text[0] == "-":
            return -digits(text[1:])
        return digits(text)

    def number(self) -> int:
        """An integer; or a polynomial, which computes and compares as an int does (SPEC §2.1)."""
        if isinstance(self.value, str):
            return self.integer(self.value)
        rule = "a string is expected: no definition is a field"
        demand(FIELD.get() is not None, self.path, rule)
        return cast(int, FIELD.get().polynomial(self))

    def scalar(self) -> Fraction:
        """A rational, or a quotient {num, den} of such numbers."""
        if isinstance(self.value, str) or FIELD.get() is None:
            return self.rational()
        f = self.fields("num den")
        den = f["den"].number()
        demand(den > 0, self.path, "the denominator must be positive")
        return ratio(f["num"].number(), den)

    def rational(self, text: str | None = None) -> Fraction:
        """A rational in lowest terms, written p, or p/q with q ≥ 2."""
        if text is None:
            text = self.of(str)
        numerator, slash, denominator = text.partition("/")
        p = self.integer(numerator)
        q = self.integer(denominator) if slash else 1
        demand(q > 1 or not slash, self.path, "a denominator must be 2 or more")
        number = ratio(p, q)
        demand(number.denominator == q, self.path, "must be in lowest terms")
        return number

    def level(self) -> Fraction:
        """A level α, 0 < α < 1."""
        level = self.scalar()
        demand(0 < level < 1, self.path, "must satisfy 0 < level < 1")
        return level

    def distance(self) -> Fraction:
        """d², for a distance d: a rational > 0, or sqrt(q) with q > 0 not the square of a
        rational.
        """
        text = self.of(str)
        rooted = text[:5] + text[-1:] == "sqrt()"
        number = self.rational(text[5:-1] if rooted else text)
        demand(number > 0, self.path, "a distance must be positive")
        if not rooted:
            return number**2
        rule = "the number under the root must not be a square"
        demand(root(number, 2) == 0, self.path, rule)
        return number

    # ── Vectors and matrices (SPEC §2) ──
    def vector(self, length: int) -> Matrix:
        """A vector of this length over one denominator: dense {den, num} or sparse {den, at,
        num}.
        """
        f = self.fields("den num at?")
        den, *num = [node.number() for node in (f["den"], *f["num"].items())]
        at = f["at"].indices(length) if "at" in f else list(range(length))
        demand(len(at) == len(num), self.path, f"{len(at)} numerators are expected, not {len(num)}")
        no_zeros = "at" not in f or all(p or not whole(p) for p in num)
        demand(no_zeros, self.path, "a sparse vector must not list zeros")
        demand(den > 0, self.path, "the denominator must be positive")
        result = Matrix(length, den, [{i: p for i, p in zip(at, num, strict=True) if p}])

        # Integers are in lowest terms together.
        if not whole(den, *num):
            charge(4 * len(num))
        else:
            bits = sum(map(int.bit_length, num))
            charge(4 * len(num) + den.bit_length() * bits // 50_000)
            rule = "denominator and numerators must have no common divisor"
            demand(gcd(den, *num) == 1, self.path, rule)
        return result

    def matrix(self, height: int, width: int) -> Matrix:
        """A matrix: the list of its rows, brought to their least common denominator."""
        rows = [row.vector(width) for row in self.items(height)]
        count = sum(len(row.rows[0]) for row in rows)
        den, lifts = common(*(row.den for row in rows))
        each = zip(rows, lifts, strict=True)
        bits = max((row.bits + lift.bit_length() for row, lift in each), default=0)
        if whole(den, *(x for row in rows for x in row.rows[0].values())):
            charge(4 * count, bits, count)
        else:  # products of polynomials count by themselves
            each = zip(rows, lifts, strict=True)
            of_row = (longest(row.rows[0].values()) + longest([lift]) for row, lift in each)
            charge(4 * count, bits)
            charge(0, max(of_row, default=0), products=count)
        keep(count, bits)
        keep(4 * height, 0)
        # Each row is let go of when it has been brought to the denominator.
        rows.reverse()
        lifted = list[dict[int, int]]()
        for lift in lifts:
            row = rows.pop()
            if whole(lift) and lift == 1:
                lifted.append(dict(row.rows[0].items()))
            else:
                lifted.append({j: p * lift for j, p in row.rows[0].items()})
        return Matrix(width, den, lifted)


def chained(chain: tuple[Any, Any] | None) -> Iterator[Any]:
    """The members of a chain (last, (the one before, …)), the last first."""
    while chain:
        charge(20)
        member, chain = chain
        yield member


# ── Labels ──────────────────────────────────────────────────────────────────────────────────────
def numbered(count: int, held: int = 1) -> Labels:
    """The labels "0", "1", … of a definition that has none; so many numbers are held for each."""
    keep(held * count, 64)
    charge(count)
    return tuple(map(str, range(count)))


def agree(labels: Labels, others: Labels) -> bool:
    """Whether two lists of labels are the same."""
    charge(len(labels) + sum(map(len, labels)) // 256)  # labels can be long
    return labels == others


# ── Labels in sentences, canonical bytes, digests (SPEC §5, §6) ─────────────────────────────────
def quoted(label: str) -> str:
    """A label in a sentence: as it is if it is a plain word, else quoted and escaped."""
    charge(8 + len(label) // 8)
    if WORD.fullmatch(label):
        return show(label)
    return show(json.dumps(label))


def canonical_bytes(value: object) -> bytes:
    """The canonical bytes of a JSON value (SPEC §6)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.encode("ascii")


def digest_of(certificate: dict[str, object]) -> str:
    """The digest of a certificate: SHA-256 of format, version, claim, definitions and witness
    (SPEC §6).
    """
    content = canonical_bytes({key: certificate[key] for key in DIGESTED})
    return "sha256:" + hashlib.sha256(content).hexdigest()


def as_defined(
    sentence: str, claim: Node, definitions: dict[str, Node], names: Iterable[str]
) -> str:
    """What makes a sentence determine its claim: names that the file explains, and a digest (SPEC
    §5).
    """
    listed = show(sorted(names))
    if not listed and "…" not in sentence:
        return ""
    defined = {name: node.value for name, node in definitions.items()}
    statement = canonical_bytes({"claim": claim.value, "definitions": defined})
    digest = hashlib.sha256(statement).hexdigest()[:32]
    what = f"The file defines {listed}; claim" if listed else "Claim"
    return f" {what} and definitions have the SHA-256 {digest}…."
