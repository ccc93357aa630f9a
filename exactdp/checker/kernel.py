#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The checker's core: decides whether a file is a valid exactdp certificate.

Standard library only, integers and fractions only. It shares no code with the program that writes
certificates. This file alone checks certificates over ℚ with distances 1; for more it reads the small files
BESIDE it. The rules, with the same letters, are those of `exactdp/certificate/SPEC.md`. Usage: python -I
kernel.py FILE... Exit code 0 accepted, 1 rejected, 2 usage, 3 malformed, 4 a limit, 5 an answer could not be
printed, 70 a defect; of several files the worst.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain, compress, pairwise, repeat
from math import gcd, isqrt, lcm, prod
from operator import add, lt, mul, sub
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, cast

FORMAT, VERSIONS = "exactdp-certificate", ("0.1", "0.2")
FIRST = ("release",)     # with the kinds of this file, those of version 0.1 (SPEC §1)
FIELDS = ("exponential", "parameter", "region")     # definitions that say what symbols stand for (SPEC §2.1, §2.2)
DIGESTED = ("format", "version", "claim", "definitions", "witness")
# ── Limits and answers (SPEC §5, §7) ────────────────────────────────────────────────────────────────────────
LIMITS = {            # each is checked before the work that it bounds
    "bytes": 64 * 2**20,      # in a file
    "nesting": 13,            # of brackets
    "tokens": 2_000_000,      # brackets, strings and numbers in a file
    "digits": 1_000_000,      # characters in one integer
    "memory": 2**31,          # bits held at one time, counting 1024 more for each number
    "work": 10**9,            # units of about ten nanoseconds: ten seconds, for each mebibyte of the file begun
}
EXIT_CODES = {"accepted": 0, "rejected": 1, "limit": 4, "malformed": 3, "unreadable": 2, "defect": 70}   # from good to bad
WORK: ContextVar[list[int]] = ContextVar("WORK")     # the work announced so far, for one file, and the bits kept from it
FIELD: ContextVar[Any] = ContextVar("FIELD", default=None)     # what polynomials in the file stand for (fields.py); None: there are none
@dataclass(frozen=True)
class Answer:
    """What the checker found: its own sentence when it accepts, an explanation otherwise."""
    status: str
    sentence: str
    kind: str | None = None
    digest: str | None = None
    rule: str | None = None
    path: str | None = None
    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.status]
class Stop(Exception):     # noqa: N818
    """Ends a check; its argument is the answer."""
class Larger(Exception):     # noqa: N818
    """Polynomials need larger slots, its argument times doubled: the check starts again."""
def demand(holds: bool, path: str, rule: str) -> None:
    """A rule of the format: the file is malformed unless it holds."""
    if not holds:
        raise Stop(Answer("malformed", f"{path}: {rule}", rule=rule, path=path))
def require(holds: bool, rule: str, path: str, left: object, right: object) -> None:
    """A condition of the claim: the file is rejected unless it holds."""
    if not holds:
        text = f"{path}: this fails: {rule}; the left side is {show(left)}, the right side {show(right)}"
        raise Stop(Answer("rejected", text, rule=rule, path=path))
def within(limit: str, figure: int) -> None:
    """A declared limit: nothing is decided if it would be exceeded."""
    if figure > LIMITS[limit]:
        size = figure if figure < 10**30 else f"2^{figure.bit_length() - 1} or more"
        raise Stop(Answer("limit", f"the limit of {LIMITS[limit]} {limit} is exceeded: {size}", rule=limit))
def charge(steps: int, bits: int = 0, products: int = 0, held: int = 0) -> None:
    """Announce sums (or products by small numbers), products, and numbers held, all of so many bits. One sum
    is an operation of the interpreter and a pass over the bits; a product of long numbers is Karatsuba's,
    about (bits/256)^1.6. To announce is work, too."""
    work, size = WORK.get(), bits // 256
    within("memory", sum(work[1:]) + max(held * (bits + 1024), bits))
    work[0] += 60 + steps * (8 + bits // 250) + (products * (12 + isqrt(size**3) * (8 + size.bit_length())) if products else 0)
    within("work", work[0])
def quadratic(bits: int, by: int) -> int:
    """The steps of a division of numbers of so many bits, a gcd, or a product with a short one."""
    return 1 + bits * (by + 150) // 50_000
def keep(numbers: int, bits: int) -> None:
    """Announce numbers of so many bits each that are held until the file is decided."""
    charge(0, bits, held=numbers)
    WORK.get()[1] += numbers * (bits + 1024)
# ── Reader: bytes to JSON values that know their path ───────────────────────────────────────────────────────
TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}"]|[^\s\[\]{}",:]++', re.DOTALL)
INDEX = re.compile(rb"0|[1-9][0-9]{0,8}")
INTEGER = re.compile(r"0|-?[1-9][0-9]*+")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
WORD = re.compile(r"-?[A-Za-z0-9_]+(?:[./+-][A-Za-z0-9_]+)*+", re.ASCII)
KINDS = {str: "a string", int: "an integer", list: "a list", dict: "an object"}
Labels = tuple[str, ...]
def read(data: bytes) -> object:
    """Strict JSON. One linear scan bounds nesting and tokens before anything is built."""
    within("bytes", len(data))
    charge(len(data) // 2)
    depth = count = 0
    for count, match in enumerate(TOKEN.finditer(data), start=1):
        token = match.group()
        within("tokens", count)
        if token in b"[]{}":
            depth += 1 if token in b"[{" else -1
            within("nesting", depth)
        elif token[:1] != b'"':
            demand(bool(INDEX.fullmatch(token)), f"$ at byte {match.start()}", "outside strings only integers 0 to 10^9 − 1")
    charge(8 * count)
    try:
        return cast(object, json.loads(data.decode("utf-8"), object_pairs_hook=distinct))
    except ValueError as error:
        raise Stop(Answer("malformed", f"$: not JSON in UTF-8: {error}", rule="JSON in UTF-8", path="$")) from None
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
        charge(20 * len(self.of(dict)) + 20)
        members = {key: Node(value, f"{self.path}.{quoted(key)}") for key, value in self.of(dict).items()}
        for key in (keys or "").split():
            demand(key[-1] == "?" or key in members, self.path, f"the key {show(key)} is missing")
        for key in members:
            demand(keys is None or key in keys.replace("?", "").split(), self.path, f"{show(key)} does not belong here")
        return members
    def variant(self, name: str, options: dict[str, str]) -> tuple[str, dict[str, Node]]:
        """The value of the member with this name, one of the options, and the members that go with it."""
        kind = node.of(str) if (node := self.fields().get(name)) else ""
        demand(kind in options, self.path, f"{name} must be one of {', '.join(options)}")
        return kind, self.fields(f"{name} {options[kind]}")
    def items(self, length: int | None = None) -> list[Node]:
        """The entries of a list, of the given length if one is given."""
        charge(10 * len(values := self.of(list)))
        demand(length in (None, len(values)), self.path, f"{length} entries are expected, not {len(values)}")
        return [Node(value, f"{self.path}[{i}]") for i, value in enumerate(values)]
    def index(self, bound: int = 10**9) -> int:
        """A JSON integer below the bound."""
        demand(self.of(int) < bound, self.path, f"must be below {bound}")
        return cast(int, self.value)
    def below(self, bound: int) -> list[int]:
        """A list of JSON integers below the bound."""
        charge(10 * len(values := self.of(list)))
        wrong = next((i for i, x in enumerate(values) if type(x) is not int or x >= bound), None)
        return cast(list[int], values) if wrong is None else [Node(values[wrong], f"{self.path}[{wrong}]").index(bound)]
    def indices(self, bound: int) -> list[int]:
        """A strictly increasing list of such integers."""
        result = self.below(bound)
        demand(all(i < j for i, j in pairwise(result)), self.path, "must increase strictly")
        return result
    def labels(self) -> Labels:
        """A non-empty list of distinct non-empty strings."""
        result = tuple(item.of(str) for item in self.items())
        charge(4 * len(result) + sum(map(len, result)) // 64)
        demand(0 < len(result) == len(set(result)) and all(result), self.path, "one or more labels, distinct and not empty")
        return result
    def integer(self, text: str) -> int:
        """0, or [-] and digits without leading zeros."""
        within("digits", len(text))
        demand(INTEGER.fullmatch(text) is not None, self.path, "an integer is 0, or [-] and digits without leading zeros")
        charge(10, 4 * len(text), products=3 if len(text) > 2000 else 1)
        return -digits(text[1:]) if text[0] == "-" else digits(text)
    def number(self) -> int:
        """An integer; or a polynomial, which computes and compares as an int does (SPEC §2.1)."""
        demand(isinstance(self.value, str) or FIELD.get() is not None, self.path, "a string is expected: no definition is a field")
        return cast(int, self.integer(self.value) if isinstance(self.value, str) else FIELD.get().polynomial(self))
    def scalar(self) -> Fraction:
        """A rational, or a quotient {num, den} of such numbers."""
        if isinstance(self.value, str) or FIELD.get() is None:
            return self.rational()
        f = self.fields("num den")
        demand((den := f["den"].number()) > 0, self.path, "the denominator must be positive")
        return ratio(f["num"].number(), den)
    def rational(self, text: str | None = None) -> Fraction:
        """A rational in lowest terms, written p, or p/q with q ≥ 2."""
        numerator, slash, denominator = (self.of(str) if text is None else text).partition("/")
        p, q = self.integer(numerator), self.integer(denominator) if slash else 1
        demand(q > 1 or not slash, self.path, "a denominator must be 2 or more")
        demand((number := ratio(p, q)).denominator == q, self.path, "must be in lowest terms")
        return number
    def level(self) -> Fraction:
        """A level α, 0 < α < 1."""
        demand(0 < (level := self.scalar()) < 1, self.path, "must satisfy 0 < level < 1")
        return level
    def distance(self) -> Fraction:
        """d², for a distance d: a rational > 0, or sqrt(q) with q > 0 not the square of a rational."""
        number = self.rational(text[5:-1]) if (rooted := (text := self.of(str))[:5] + text[-1:] == "sqrt()") else self.rational()
        demand(number > 0, self.path, "a distance must be positive")
        demand(not rooted or beside("fields").root(number, 2) == 0, self.path, "the number under the root must not be a square")
        return number if rooted else number**2
    def vector(self, length: int) -> Matrix:
        """A vector of this length over one denominator: dense {den, num} or sparse {den, at, num}."""
        f = self.fields("den num at?")
        den, *num = [node.number() for node in (f["den"], *f["num"].items())]
        at = f["at"].indices(length) if "at" in f else list(range(length))
        demand(len(at) == len(num), self.path, f"{len(at)} numerators are expected, not {len(num)}")
        demand("at" not in f or all(p or not whole(p) for p in num), self.path, "a sparse vector must not list zeros")
        demand(den > 0, self.path, "the denominator must be positive")
        result = Matrix(length, den, [{i: p for i, p in zip(at, num, strict=True) if p}])
        charge(4 * len(num) + den.bit_length() * sum(map(int.bit_length, num)) // 50_000 if whole(den, *num) else 4 * len(num))
        demand(not whole(den, *num) or gcd(den, *num) == 1, self.path, "denominator and numerators must have no common divisor")
        return result
    def matrix(self, height: int, width: int) -> Matrix:
        """A matrix: the list of its rows, brought to their least common denominator."""
        rows = [row.vector(width) for row in self.items(height)]
        count, (den, lifts) = sum(len(row.rows[0]) for row in rows), common(*(row.den for row in rows))
        bits = max((row.bits + lift.bit_length() for row, lift in zip(rows, lifts, strict=True)), default=0)
        charge(4 * count, bits, count)
        keep(count, bits)
        keep(4 * height, 0)
        rows.reverse()     # each is let go of when it has been brought to the denominator
        return Matrix(width, den, [{j: p * lift for j, p in row.rows[0].items()} for lift in lifts for row in [rows.pop()]])
def digits(text: str) -> int:
    """The value of decimal digits, by halves (Python's own conversion is quadratic, and stops at 4300)."""
    half = len(text) // 2
    return int(text) if len(text) <= 2000 else digits(text[:-half]) * 10**half + digits(text[-half:])
def show(value: object) -> str:
    """A value in one printable line: what is long is abbreviated with … (long integers in hexadecimal)."""
    if isinstance(value, tuple | list):
        return ", ".join([*map(show, value[:24]), *([f"… {len(value) - 24} more …"] if len(value) > 24 else [])])
    if isinstance(value, Fraction):
        return show(value.numerator) + (f"/{show(value.denominator)}" if value.denominator > 1 else "")
    text = hex(value) if isinstance(value, int) and value.bit_length() > 2**13 else str(value)
    text = text if len(text) < 300 else f"{text[:140]}…({len(text) - 280} characters)…{text[-140:]}"
    return text if text.isprintable() else json.dumps(text)
def quoted(label: str) -> str:
    """A label in a sentence: as it is if it is a plain word, else quoted and escaped."""
    charge(8 + len(label) // 8)
    return show(label) if WORD.fullmatch(label) else show(json.dumps(label))
def canonical_bytes(value: object) -> bytes:
    """The canonical bytes of a JSON value (SPEC §6)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")
def digest_of(certificate: dict[str, object]) -> str:
    """The digest of a certificate: SHA-256 of format, version, claim, definitions and witness (SPEC §6)."""
    return "sha256:" + hashlib.sha256(canonical_bytes({key: certificate[key] for key in DIGESTED})).hexdigest()
def as_defined(sentence: str, claim: Node, definitions: dict[str, Node], names: Iterable[str]) -> str:
    """What makes a sentence determine its claim: names that the file explains, and a digest (SPEC §5)."""
    listed, statement = show(sorted(names)), {"claim": claim.value, "definitions": {x: node.value for x, node in definitions.items()}}
    if not listed and "…" not in sentence:
        return ""
    digest = hashlib.sha256(canonical_bytes(statement)).hexdigest()[:32]
    return f" {'The file defines ' + listed + '; claim' if listed else 'Claim'} and definitions have the SHA-256 {digest}…."
# ── Numbers and matrices (SPEC §2, §3) ──────────────────────────────────────────────────────────────────────
def whole(*numbers: object) -> bool:
    """Whether they are all integers, and not polynomials."""
    return all(isinstance(x, int) for x in numbers)
def key(x: int) -> object:
    """A text, or bytes, for a number as a key of a dictionary: files can choose many integers of one hash."""
    return hex(x) if isinstance(x, int) else cast(object, x.key())
def common(*dens: int) -> tuple[int, list[int]]:
    """A common multiple of some denominators, the least of integers; and, in order, what lifts each to it."""
    charge(20 * len(dens) + sum(den.bit_length() for den in dens) // 40)
    each = {key(den): den for den in dens}     # no set: a product's bound of size depends on the order
    charge((total := sum(den.bit_length() for den in each.values())) ** 2 // 20_000, held=len(each) * (1 + total // 1024))
    den = lcm(*each.values()) if whole(*dens) else prod(each.values())
    lifts = {k: den // d if whole(den) else prod(other for other in each.values() if other is not d) for k, d in each.items()}
    return den, [lifts[key(d)] for d in dens]
def ratio(num: int, den: int) -> Fraction:
    """num/den, in lowest terms if both are integers."""
    if not whole(num, den):
        return cast(Fraction, FIELD.get().ratio(num, den))
    charge(20 + quadratic(num.bit_length(), den.bit_length()))
    return Fraction(num, den)
def at_least(x: int, y: int, alpha: Fraction, square: Fraction) -> bool:
    """Whether x ≥ α^d·y, for x, y ≥ 0, 0 < α ≤ 1, d = √square > 0."""
    return x * alpha.denominator >= y * alpha.numerator if 1 in (square, alpha) else bool(beside("fields").at_least(x, y, alpha, square))
class Dense(list[int]):
    """A row of a formula's matrix, whose numbers the rows share. Used like the sparse rows that are read."""
    def get(self, j: int, _: int) -> int:
        return self[j]
    def items(self) -> Iterable[tuple[int, int]]:
        return enumerate(self)
    def values(self) -> Iterable[int]:
        return self
@dataclass
class Matrix:
    """Entry (i, j) is rows[i][j]/den; sparse rows leave zeros out. A vector is a matrix of one row."""
    width: int
    den: int
    rows: Sequence[dict[int, int] | Dense]
    size = 0     # no cached_property: in Python 3.11 it has a lock, which stays taken in a process that begins meanwhile
    @property
    def bits(self) -> int:
        """A bound of the bits of the denominator and of every numerator."""
        self.size = self.size or 1 + max(self.den.bit_length(), max((x.bit_length() for row in self.rows for x in row.values()), default=0))
        return self.size
    def announce(self, times: int, bits: int) -> None:
        """So many products with vectors, or other passes through the matrix, with numbers of so many bits."""
        count, large = sum(map(len, self.rows)), min(self.bits, bits) > 64
        charge(times * (2 * count + self.width + len(self.rows)), self.bits + bits, times * count * large)
    def columns(self) -> Iterator[Sequence[int]]:
        """The columns of den·M."""
        charge(self.width * len(self.rows), held=len(self.rows))
        dense = [row for row in self.rows if isinstance(row, Dense)]
        return zip(*dense, strict=True) if dense else ([row.get(j, 0) for row in self.rows] for j in range(self.width))
    def left(self, v: list[int]) -> list[int]:
        """The row den·v·M."""
        result = [0] * self.width
        for x, row in zip(v, self.rows, strict=True):
            for j, m in row.items() if x else ():
                result[j] += x * m
        return result
    def times(self, other: Matrix) -> Iterable[Sequence[int]]:
        """The columns of M·T, times den·T.den."""
        other.announce(len(self.rows), self.bits)
        charge(len(self.rows) * self.width, self.bits + other.bits, held=len(self.rows) * other.width)
        return zip(*(other.left([row.get(y, 0) for y in range(self.width)]) for row in self.rows), strict=True)
class Geometric(Matrix):
    """G(n, α), α = p/q: α^|i−j| s_j, where (p + q)·s_j is q at both ends and q − p between; G(0, α) = [1]."""
    def __init__(self, n: int, alpha: Fraction) -> None:
        p, q = self.p, self.q = alpha.as_integer_ratio()
        keep((n + 1) ** 2 // 16, 0)     # a place in a list takes 64 bits
        charge((n + 1) ** 2, (n + 2) * max(p.bit_length(), q.bit_length()), 8 * (n + 1) * (whole(p) or not whole(q) or q > 1))
        keep(4 * (n + 1), (n + 2) * max(p.bit_length(), q.bit_length()))
        self.s = [q, *[q - p] * (n - 1), q] if n else [p + q]
        powers = self.powers = [p ** abs(d) * q ** (n - abs(d)) for d in range(-n, n + 1)]     # q^n α^|d|
        ends, inner = [x * self.s[0] for x in powers], [x * (q - p) for x in powers]
        rows = [Dense([ends[n - i], *inner[n - i + 1:2 * n - i], ends[2 * n - i]][:n + 1]) for i in range(n + 1)]
        super().__init__(n + 1, q**n * (p + q), rows)
        self.size = 1 + max(x.bit_length() for x in (self.den, *ends, *inner[1:-1]))     # of the numbers that the rows share
    def announce(self, times: int, bits: int) -> None:     # a product is a sweep, which announces long factors itself
        charge(8 * times * self.width, self.bits + bits)
    def spread(self, v: list[int]) -> list[int]:
        """f_j = q^n Σ_i α^|i−j| v_i: by terms if few and small, else two sweeps with exact divisions."""
        n, f, terms = self.width - 1, [0] * self.width, [(i, x) for i, x in enumerate(v) if x]
        longest, short = max((x.bit_length() for _, x in terms), default=0), self.q.bit_length()
        if sum(64 + x.bit_length() for _, x in terms) <= 320:
            charge(4 * len(terms) * self.width, self.bits + longest)
            for i, x in terms:
                f = [y + x * power for y, power in zip(f, self.powers[n - i:], strict=False)]
            return f
        charge(6 * self.width, self.bits + longest, products=len(terms) * whole(short))
        charge(4 * self.width * quadratic(self.bits + longest, short) * (short > 30))     # two products and divisions by p, q
        if len(terms) == 1:     # the same numbers on both sides of i
            [(i, x)] = terms
            away = [*accumulate(repeat(x * self.powers[n], 1 + max(i, n - i)), lambda y, _: y * self.p // self.q)]
            return away[i:0:-1] + away[:n - i + 1]
        v = [x * self.powers[n] for x in v]     # q^n v
        def step(carry: int, x: int) -> int:
            return carry * self.p // self.q + x
        backwards = [*accumulate(v[::-1], step)][::-1]
        return [before + after - x for before, after, x in zip(accumulate(v, step), backwards, v, strict=True)]
    def left(self, v: list[int]) -> list[int]:
        return [s * f for s, f in zip(self.s, self.spread(v), strict=True)]
    def times(self, other: Matrix) -> Iterable[Sequence[int]]:
        self.announce(other.width, other.bits)
        return (self.spread([x * s for x, s in zip(t, self.s, strict=True)]) for t in other.columns())
def upwards(x: int) -> bool:
    """Whether x ≥ 0 rather than x ≤ 0 (of numbers that vary, one of them)."""
    return x > 0 if FIELD.get() is None else bool(FIELD.get().upwards(x))
def lowest(values: Sequence[int]) -> int:
    """The least of some numbers."""
    return cast(int, min(values) if FIELD.get() is None else FIELD.get().lowest(list(values)))
def stochastic(matrix: Matrix, path: str) -> Matrix:
    """Entries ≥ 0, and every row sums to 1."""
    matrix.announce(1, 0)
    for i, row in enumerate(matrix.rows):
        negative, total = next((x for x in row.values() if x < 0), 0), sum(row.values())
        if negative or total != matrix.den:
            rule, x, y = ("entries ≥ 0", negative, 0) if negative else ("the sum is 1", total, 1)
            require(False, f"{rule}, in row {i}", path, ratio(x, matrix.den), y)
    return matrix
# ── Definitions (SPEC §3) ───────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True)
class Definition:
    """A mechanism, table or loss: a matrix with labels. Or neighbours: pairs i < j with d(i, j)²."""
    kind: str
    title: str
    inputs: Labels
    outputs: Labels
    matrix: Matrix
    pairs: list[tuple[int, int, Fraction]]
    spelled: bool = False     # whether the title says all that the definition does
@dataclass(frozen=True)
class Consumer:
    """A loss and a prior (Bayesian), or none (minimax); S: side information, or where the prior is > 0."""
    title: str
    guesses: Labels
    loss: Matrix
    S: list[int]
    prior: Matrix | None
TYPES = {"mechanism": "inputs outputs rows", "table": "inputs outputs rows", "loss": "inputs guesses rows",
         "geometric": "n level", "abs-loss": "n", "squared-loss": "n", "zero-one-loss": "n",
         "path": "vertices", "graph": "vertices edges", "distances": "vertices pairs"}
LOSSES = {"abs-loss": 1, "squared-loss": 2, "zero-one-loss": 0}     # the exponent of |i − r|
def define(name: str, node: Node) -> Definition:
    """Read one definition. Some of them label their inputs "0", "1", …"""
    kind, f = node.variant("type", TYPES)
    title, pairs = f"{kind} {name}", list[tuple[int, int, Fraction]]()
    m = f["n"].index() + 1 if "n" in f else f["vertices"].index() if kind == "path" else 0
    keep(4 * m if kind == "path" else m, 64)
    charge(m)
    labels = tuple(map(str, range(m)))
    if kind == "geometric":
        title = f"geometric mechanism G({m - 1}, {show(f['level'].level())})"
        return Definition("mechanism", title, labels, labels, Geometric(m - 1, f["level"].level()), [], spelled=True)
    if kind in LOSSES:
        keep(m**2 // 16, 0)
        charge(m**2)
        losses = [abs(d) ** LOSSES[kind] if d else 0 for d in range(1 - m, m)]
        matrix = Matrix(m, 1, [Dense(losses[m - 1 - i:2 * m - 1 - i]) for i in range(m)])
        matrix.size = 1 + max(1, *map(int.bit_length, losses))
        return Definition("loss", kind.removesuffix("-loss"), labels, labels, matrix, [], spelled=True)
    if "rows" in f:
        labels, outputs = f["inputs"].labels(), f["guesses" if kind == "loss" else "outputs"].labels()
        matrix = f["rows"].matrix(len(labels), len(outputs))
        if kind == "mechanism":
            stochastic(matrix, f["rows"].path)
        return Definition(kind, f"table {name}" if kind == "loss" else title, labels, outputs, matrix, [])
    if kind == "path":
        demand(m > 0, f["vertices"].path, "a path has one vertex or more")
        title, pairs = f"path({m})", list(zip(range(m - 1), range(1, m), repeat(Fraction(1)), strict=False))
    else:
        labels, listed = f["vertices"].labels(), f["edges" if kind == "graph" else "pairs"]
        for item in listed.items():
            i, j, *d = item.items(2 if kind == "graph" else 3)
            pairs.append((i.index(len(labels)), j.index(len(labels)), d[0].distance() if d else Fraction(1)))
        demand(all(i < j for i, j, _ in pairs), listed.path, "a pair is [i, j] with i < j")
        demand(all(a[:2] < b[:2] for a, b in pairwise(pairs)), listed.path, "pairs must increase strictly")
    charge(8 * len(pairs))
    keep(3 * len(pairs) + len(labels) if kind != "path" else 0, 64)
    return Definition("neighbours", title, labels, (), Matrix(0, 1, []), pairs, spelled=kind == "path")
@dataclass(frozen=True)
class Case:
    """One certificate: the members of its claim and witness, and its definitions, known once named."""
    kind: str
    claim: dict[str, Node]
    witness: dict[str, Node]
    definitions: dict[str, Node]
    known: dict[str, Definition]
    def named(self, node: Node, kind: str) -> Definition:
        """The definition with this name, which must be of this kind."""
        name = node.of(str)
        if name in self.definitions and name not in self.known:
            self.known[name] = define(name, self.definitions[name])
        demand(name in self.known and self.known[name].kind == kind, node.path, f"must name a {kind} in definitions")
        return self.known[name]
    def mechanism(self, key: str, inputs: Labels | None = None, outputs: Labels | None = None) -> Definition:
        """The mechanism under a key of the claim, with these inputs and outputs if they are given."""
        m, path = self.named(self.claim[key], "mechanism"), self.claim[key].path
        require(inputs in (None, m.inputs), "the input labels agree", path, m.inputs, inputs)
        require(outputs in (None, m.outputs), "the output labels agree", path, m.outputs, outputs)
        return m
    def consumer(self, inputs: Labels) -> Consumer:
        """The claim's consumer, over these inputs."""
        kind, f = self.claim["consumer"].variant("type", {"minimax": "loss side_information", "bayesian": "loss prior"})
        loss = self.named(f["loss"], "loss")
        require(loss.inputs == inputs, "the input labels agree", f["loss"].path, loss.inputs, inputs)
        if kind == "minimax":
            S = f["side_information"].indices(len(inputs))
            demand(S != [], f["side_information"].path, "must not be empty")
            title = f"minimax loss (loss {loss.title}, S = {{{show(list(map(quoted, (inputs[i] for i in S))))}}})"
            return Consumer(title, loss.outputs, loss.matrix, S, None)
        prior = stochastic(f["prior"].vector(len(inputs)), f["prior"].path)
        title = f"expected loss (loss {loss.title}, prior ({show([ratio(x, prior.den) for [x] in prior.columns()])}))"
        return Consumer(title, loss.outputs, loss.matrix, list(prior.rows[0]), prior)
def weights(consumer: Consumer, fields: dict[str, Node], path: str) -> Matrix:
    """w: the prior; or weights on S, given if and only if the consumer is minimax."""
    demand(("weights" in fields) == (consumer.prior is None), path, "weights, if and only if the consumer is minimax")
    if consumer.prior is not None:
        return consumer.prior
    w = stochastic(fields["weights"].vector(len(consumer.loss.rows)), fields["weights"].path)
    require(set(w.rows[0]) <= set(consumer.S), "the weights are zero outside S", path, list(w.rows[0]), consumer.S)
    return w
# ── Privacy, losses and remaps (SPEC §3, §4.1, §4.3) ────────────────────────────────────────────────────────
def check_private(m: Matrix, near: Definition, alpha: Fraction, path: str, unit: Fraction = Fraction(1)) -> None:
    """x_ir ≥ t^d(i,j)·x_jr for each constrained pair, in both orders, and each output r; t = α^(1/√unit)."""
    p, q, rational, asked = alpha.numerator, alpha.denominator, FIELD.get() is None, m.width * len(near.pairs)
    charge(8 * asked, m.bits + q.bit_length() + p.bit_length(), 2 * asked * (m.bits > 64 and (whole(p) or not whole(q) or q > 1)))
    charge((8 if unit == 1 else 80) * len(near.pairs) + (0 if rational else 32 * asked))
    squares = (x if unit == 1 else ratio(x.numerator * unit.denominator, x.denominator * unit.numerator) for _, _, x in near.pairs)
    each = [(i, j, d, d == 1) for (a, b, _), d in zip(near.pairs, squares, strict=True) for i, j in ((a, b), (b, a))]
    if isinstance(m, Geometric) and whole(p, q, m.den) and all(at_least(m.rows[i][j], m.rows[j][j], alpha, d) for i, j, d, _ in each):
        return     # of the ratios G_ir/G_jr = a^(|i−r| − |j−r|) ≥ a^|i−j| the one at r = j is least
    for r, x in enumerate(m.columns()):
        for i, j, d, one in each:     # t^d ≤ 1
            if not (x[i] * q >= x[j] * p if one else (rational and x[i] >= x[j]) or at_least(x[i], x[j], alpha, d)):
                rule = f"privacy: x_ir ≥ ({show(alpha)})^d · x_jr at i = {i}, j = {j}, r = {r}, d² = {show(d)}"
                require(False, rule, path, ratio(x[i], m.den), ratio(x[j], m.den))
def privacy(c: Case) -> str:
    """private, not-private and level."""
    f, w, near = c.claim, c.witness, c.named(c.claim["neighbours"], "neighbours")
    m, where, unit = c.mechanism("mechanism", near.inputs), f"on {near.title}", Fraction(1)
    if c.kind == "level":
        alpha, unit = f["ratio"].scalar(), f["distance"].distance()
        demand(0 < alpha < 1 or (alpha in (0, 1) and unit == 1), "$.claim", "0 ≤ ratio ≤ 1, with distance 1 if it is 0 or 1")
        demand(len(w) == (2 if alpha < 1 else 0), "$.witness", "pair and output, if and only if the ratio is less than 1")
    else:
        alpha = f["level"].level()
    if w:
        (i, j), r = (node.index(len(m.inputs)) for node in w["pair"].items(2)), w["output"].index(len(m.outputs))
        squares = [square for a, b, square in near.pairs if (a, b) in ((i, j), (j, i))]
        require(squares != [], "the pair is constrained", "$.witness.pair", (i, j), f"a pair {where}")
        a, b = (m.matrix.rows[v].get(r, 0) for v in (i, j))
        x, y = (ratio(v, m.matrix.den) for v in (a, b))
        if c.kind == "not-private":
            require(not at_least(a, b, alpha, squares[0]), "x_ir < α^d · x_jr", "$.witness", x, y)
            return f"The {m.title} is not (α = {show(alpha)})-private {where}."
        require(y > 0, "x_jr > 0", "$.witness", y, 0)
        require(x == alpha * y, "x_ir = ratio · x_jr", "$.witness", x, alpha * y)
        require(alpha == 0 or squares[0] == unit, "d(i, j)² = distance²", "$.witness", squares[0], unit)
    if alpha == 0:
        return f"The {m.title} is private at no level {where}."
    check_private(m.matrix, near, alpha, "$.claim.mechanism", unit)
    if c.kind == "private":
        return f"The {m.title} is (α = {show(alpha)})-private {where}."
    t = show(alpha) if unit == 1 else f"({show(alpha)})^(1/({show(f['distance'].of(str))}))"
    return f"The largest level at which the {m.title} is private {where} is α = {t}."
def short_cuts(m: Matrix, loss: Matrix) -> Any:
    """The file of short cuts to the same answers, for G(n, α) over ℚ and long sums, if it is there."""
    if isinstance(m, Geometric) and FIELD.get() is None and (len(loss.rows) * loss.width > 1000 or m.bits > 2**14):
        with suppress(Stop):
            return cut if (cut := beside("shortcuts")).Geometric is Geometric else None     # else it is another kernel's
    return None
def loss_of(consumer: Consumer, columns: Iterable[Sequence[int]], den: int, total: Sequence[int] = ()) -> Fraction:
    """The loss of these columns/den: the largest in S, or the mean, of Σ_r l(i,r) x_ir (total, if given)."""
    loss, prior = consumer.loss, consumer.prior
    if not total:
        total = [0] * len(loss.rows)
        loss.announce(1, den.bit_length())
        for x, costs in zip(columns, loss.columns(), strict=True):
            total = list(map(add, total, map(mul, costs, x)))
    sum_or_most = -lowest([-total[i] for i in consumer.S]) if prior is None else sum(x * total[i] for i, x in prior.rows[0].items())
    return ratio(sum_or_most, (1 if prior is None else prior.den) * loss.den * den)
def equals(computed: Fraction, node: Node, what: str) -> None:
    """A number that the claim states is the one computed."""
    require(computed == node.scalar(), f"{what} = {node.path}", node.path, computed, node.scalar())
def attain(consumer: Consumer, m: Matrix, remap: Node, value: Node) -> Matrix:
    """T is row-stochastic, and the loss of M·T is the stated one."""
    R = stochastic(remap.matrix(m.width, len(consumer.guesses)), remap.path)
    many = len({r for row in R.rows for r, _ in row.items()}) > 8     # of a few columns each is spread by itself
    total = cut.losses(m, R, consumer.loss) if many and (cut := short_cuts(m, consumer.loss)) else ()
    equals(loss_of(consumer, () if total else m.times(R), m.den * R.den, total), value, f"the loss after {remap.path}")
    return R
def primal(f: dict[str, Node], path: str, consumer: Consumer, near: Definition, alpha: Fraction, value: Node) -> Matrix:
    """An α-private mechanism with this loss: its rows, its components, or on a path T with X = G(n, α)·T."""
    demand(len(f) == 1, path, "one of rows, components and remap")
    if "remap" in f:
        return attain(consumer, geometric_on(near, alpha, path), f["remap"], value)
    [node], size = f.values(), (len(near.inputs), len(consumer.guesses))
    X = stochastic(node.matrix(*size) if "rows" in f else beside("optimality").expanded(node, *size, alpha), node.path)
    check_private(X, near, alpha, path)
    equals(loss_of(consumer, X.columns(), X.den), value, f"the loss of {path}")
    return X
def geometric_on(near: Definition, alpha: Fraction, path: str) -> Geometric:
    """G(n, α) on a path in order: its pairs are {i, i+1}, at distance 1, of two vertices or more."""
    steps = [(i, i + 1, Fraction(1)) for i in range(len(near.inputs) - 1)]
    require(near.pairs == steps != [], "the neighbours are a path in order", path, near.title, "a path")
    return Geometric(len(steps), alpha)
def weighed(loss: Matrix, w: Matrix, factor: int) -> Iterator[list[int]]:
    """For each guess r the numbers factor·w_i l(i,r), over the denominator w.den · loss.den."""
    charge(loss.width * w.width, w.bits + factor.bit_length(), w.width, w.width)
    loss.announce(1, w.bits + factor.bit_length())
    v = [w.rows[0].get(i, 0) * factor for i in range(w.width)]
    return (list(map(mul, v, costs)) for costs in loss.columns())
def scores(loss: Matrix, m: Matrix, w: Matrix) -> Iterator[list[int]]:
    """For each guess r, φ_r(y) = Σ_i w_i l(i,r) M_iy for all y, over w.den·loss.den·M.den: sums of sums of w
    times second differences of l in r, which have few terms, or do not change, for the named losses."""
    m.announce(loss.width, loss.bits + w.bits + 2)
    charge(loss.width * w.width, w.bits + 1, w.width, w.width)
    loss.announce(3, w.bits + 1)     # an entry is in three second differences
    v, listed = [w.rows[0].get(i, 0) for i in range(w.width)], [i in w.rows[0] for i in range(w.width)]
    (last, slope, bend), (row, step, phi) = [[0] * w.width] * 3, [[0] * m.width] * 3
    for costs in loss.columns():
        second = list(map(sub, first := list(map(sub, costs, last)), slope))
        row = m.left(list(map(mul, v, second))) if any(compress(map(sub, second, bend), listed)) else row
        phi = list(map(add, phi, step := list(map(add, step, row))))
        last, slope, bend = list(costs), first, second
        yield phi
def remap_rule(loss: Matrix, m: Matrix, w: Matrix) -> tuple[Fraction, list[int]]:
    """No M·T has less loss than Σ_y min_r φ_r(y). The minima are returned too."""
    least = cut.minima(m, loss, w) if (cut := short_cuts(m, loss)) else list[int]()
    for row in scores(loss, m, w) if FIELD.get() is None and not least else ():
        least = [x if x < y else y for x, y in zip(row, least, strict=True)] if least else row
    charge(0, loss.bits + m.bits + w.bits, held=0 if least else loss.width * m.width)     # of letters all scores are held
    least = least or [lowest(column) for column in zip(*scores(loss, m, w), strict=True)]
    return ratio(sum(least), w.den * loss.den * m.den), least
# ── The dual rules (SPEC §4.2): lower bounds of the loss of every α-private mechanism ───────────────────────
Equations = Iterable[dict[tuple[int, int], int]]     # Σ (coefficient · δ_ir) = 0, where δ is the difference of two solutions
def path_rule(loss: Matrix, near: Definition, alpha: Fraction, w: Matrix, path: str) -> Fraction:
    """The bound of the remap rule for G(n, α), with b_y = min_r φ_r(y), holds for every α-private mechanism
    if each h_r(y) = (φ_r(y) − b_y)/s_y crosses once: some k has h(y) ≥ α h(y+1) for y < k, and h(y) ≥ α
    h(y−1) for y > k + 1. With c = b/s, h(y) ≥ α h(y+1) means (1 − α²) Σ_(i≤y) α^(y−i) w_i l(i,r) ≥ c(y) − α
    c(y+1); mirrored for y−1."""
    G, n, p, q = geometric_on(near, alpha, path), len(near.inputs) - 1, alpha.numerator, alpha.denominator
    bound, b = remap_rule(loss, G, w)
    G.announce(loss.width, loss.bits + w.bits)
    charge(n * quadratic(bits := G.bits + loss.bits + w.bits, bits) // 3 * (FIELD.get() is None))     # divisions by q^(n − y)
    c, unit = [x * (q if 0 < y < n else q - p) for y, x in enumerate(b)], (q - p) * (q * q - p * p)     # c is c·(q−p)q^(n+1)
    sides = [([w.rows[0].get(i, 0) * unit * q**y for y, i in enumerate(order)],     # both sides are multiplied by unit·q^y
              [-((p * c[j] - q * c[i]) // q ** (n - y)) for y, (i, j) in enumerate(pairwise(order))])     # and rounded up
             for order in (range(n + 1), range(n, -1, -1))]
    known = cut.crossings(G, loss, w, sides) if (cut := short_cuts(G, loss)) else set[int]()     # guesses that cross once
    for r, costs in ((r, l) for r, l in enumerate(loss.columns()) if r not in known) if len(known) < loss.width else ():
        ends = list[int]()     # how far the conditions hold
        for (v, limits), l in zip(sides, (costs, costs[::-1]), strict=True):
            sums = accumulate(map(mul, v, l), add if whole(p) and p == 1 else lambda x, y: x * p + y)
            ends.append(next(compress(range(n), map(lt, sums, limits)), n))
        require((least := n - 1 - ends[1]) <= (most := ends[0]), f"path rule: guess {r} crosses once (least k ≤ most k)", path, least, most)
    return bound
def graph_rule(loss: Matrix, near: Definition, alpha: Fraction, w: Matrix, mu: Matrix, u: Matrix, path: str) -> Equations:
    """u_er > 0 multiplies x_ir − α^d x_jr ≥ 0, and −u_er > 0 multiplies x_jr − α^d x_ir ≥ 0, for e = {i, j}.
    slack_ir = w_i l(i,r) − μ_i − what the multipliers put on x_ir ≥ 0. The bound is Σ μ_i. Returned: what
    holds where the bound is attained, x_ir = α^d x_jr at a positive multiplier and x_ir = 0 at a positive
    slack."""
    forced, simple = list[dict[tuple[int, int], int]](), all(square == 1 for _, _, square in near.pairs)
    powers = {square: alpha for _, _, square in near.pairs[:1]} if simple else beside("fields").powers(alpha, near, path)
    (scale, up), (den, (of_w, of_mu, of_u)) = common(*(a.denominator for a in powers.values())), common(w.den * loss.den, mu.den, u.den)
    cells, used, top = len(loss.rows) * loss.width, sum(map(len, u.rows)), max([0, *(a.numerator.bit_length() for a in powers.values())])
    terms, ups = ((w.bits + loss.bits, of_w), (mu.bits, of_mu), (u.bits, of_u)), dict(zip(powers, up, strict=True))     # of a slack
    bits = max(x + lift.bit_length() for x, lift in terms) + scale.bit_length() + top + len(near.pairs).bit_length() + 2
    charge(20 * (cells + used), bits, 2 * w.width)     # and multipliers by powers and lifts, cut into pieces as long as those
    charge(0, min(bits, 2 * (by := max(of_u.bit_length(), scale.bit_length(), top))), 4 * used * (1 + bits // (by + 30)))
    keep(cells + 3 * w.width, 1024 + bits * (1 if FIELD.get() is None else 4))     # slacks, base, costs of a guess; balls
    keep(used, top + 2048)     # an equation of two terms
    base = [mu.rows[0].get(i, 0) * (scale * of_mu) for i in range(mu.width)]
    slack = {(i, r): x - base[i] for r, costs in enumerate(weighed(loss, w, scale * of_w)) for i, x in enumerate(costs)}
    for (i, j, square), row in zip(near.pairs, u.rows, strict=True):
        p, q = powers[square].as_integer_ratio()
        for r, multiplier in row.items():
            above, below, size = ((i, r), (j, r), multiplier) if upwards(multiplier) else ((j, r), (i, r), -multiplier)
            slack[above] -= size * of_u * scale
            slack[below] += size * of_u * ups[square] * p
            forced.append({above: q, below: -p})
    for i, r in (at for at, value in slack.items() if value < 0):
        require(False, f"graph rule: slack_ir ≥ 0 at i = {i}, r = {r}", path, ratio(slack[i, r], den * scale), 0)
    return chain(forced, ({at: 1} for at, value in slack.items() if value > 0))
def dual_rule(node: Node, consumer: Consumer, near: Definition, alpha: Fraction) -> tuple[Fraction, Equations]:
    """The bound by the rule whose data are given, and what holds where it is attained (SPEC §4.5)."""
    f, path, loss = node.fields("weights? potentials? edges? folds?"), node.path, consumer.loss
    demand("potentials" in f or not {"edges", "folds"} & {*f}, path, "edges and folds need potentials")
    w = weights(consumer, f, path)
    each = ({(i, r): x for r, x in loss.rows[i].items()} for i in w.rows[0] if consumer.prior is None)
    if "potentials" not in f:
        return path_rule(loss, near, alpha, w, path), each
    bound = ratio(sum((mu := f["potentials"].vector(w.width)).rows[0].values()), mu.den)
    if "edges" in f or "folds" in f:
        u = beside("optimality").unfolded(f, loss, near, alpha, w, mu) if "folds" in f else f["edges"].matrix(len(near.pairs), loss.width)
        return bound, chain(each, graph_rule(loss, near, alpha, w, mu, u, path))
    beside("optimality").forest_rule(loss, near, alpha, w, mu, path)
    return bound, each
# ── Claims (SPEC §4): each returns the checker's own sentence ───────────────────────────────────────────────
def not_stochastic(c: Case) -> str:
    """A row of a table has a negative entry, or does not sum to 1."""
    table, w = c.named(c.claim["table"], "table"), c.witness
    i, r = w["row"].index(len(table.inputs)), w["column"].index(len(table.outputs)) if "column" in w else None
    row, subject = table.matrix.rows[i], f"The {table.title} is not a mechanism: row {quoted(table.inputs[i])}"
    x = ratio(sum(row.values()) if r is None else row.get(r, 0), table.matrix.den)
    if r is None:
        require(x > 1 or x < 1, "the row's sum ≠ 1", "$.witness.row", x, 1)
        return f"{subject} sums to {show(x)}, not 1."
    require(x < 0, "the entry < 0", "$.witness.column", x, 0)
    return f"{subject} has the entry {show(x)}."
def check_product(A: Matrix, remap: Node, B: Matrix) -> None:
    """R is row-stochastic and A·R = B."""
    R = stochastic(remap.matrix(A.width, B.width), remap.path)
    charge(0, A.bits + B.bits + R.bits, products=2 * len(B.rows) * B.width)
    for r, (left, right) in enumerate(zip(A.times(R), B.columns(), strict=True)):
        for i, (x, y) in enumerate(zip(left, right, strict=True)):
            if x * B.den != y * A.den * R.den:
                require(False, f"A·R = B at input {i}, output {r}", remap.path, ratio(x, A.den * R.den), ratio(y, B.den))
def derivability(c: Case) -> str:
    """derivable: B = A·R; not-derivable: Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy."""
    a, b = c.mechanism("source"), c.mechanism("target", c.mechanism("source").inputs)
    if c.kind == "derivable":
        check_product(a.matrix, c.witness["remap"], b.matrix)
        return f"The {b.title} is derivable from the {a.title}: B = A·R for a row-stochastic R."
    n, W = len(a.inputs), c.witness["separator"].matrix(len(a.inputs), len(b.outputs))
    loss, once = Matrix(W.width, W.den, [{r: -x for r, x in row.items()} for row in W.rows]), dict.fromkeys(range(n), 1)
    left = -loss_of(Consumer("", (), loss, list(range(n)), Matrix(n, 1, [once])), b.matrix.columns(), b.matrix.den)
    right = -remap_rule(loss, a.matrix, Matrix(n, 1, [once]))[0]     # the consumer with the loss −W prefers B
    require(left > right, "Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy", "$.witness.separator", left, right)
    return f"The {b.title} is not derivable from the {a.title}: B = A·R for no row-stochastic R."
# ── Claims about optima (SPEC §4.1 to §4.3, §4.5): the least loss, which the claim says is its value ────────
@dataclass(frozen=True)
class Optimum:
    """The least loss of a consumer among the α-private mechanisms."""
    case: Case
    near: Definition
    alpha: Fraction
    consumer: Consumer
    def with_loss(self, loss: Node, remap: Node | None = None) -> Definition:
        """The claim's mechanism, which is α-private and has this loss, after the remap if one is given."""
        m = self.case.mechanism("mechanism", self.near.inputs, self.consumer.guesses if remap is None else None)
        check_private(m.matrix, self.near, self.alpha, "$.claim.mechanism")
        if remap is None:
            equals(loss_of(self.consumer, m.matrix.columns(), m.matrix.den), loss, "the mechanism's loss")
        else:
            attain(self.consumer, m.matrix, remap, loss)
        return m
    def solution(self, key: str) -> Matrix:
        """An α-private mechanism of the witness with the value as its loss; a `primal` may be a remap."""
        node = self.case.witness[key]
        f = node.fields("rows? components? remap?") if key == "primal" else {"rows": node}
        return primal(f, node.path, self.consumer, self.near, self.alpha, self.case.claim["value"])
    def bound(self) -> Equations:
        """No α-private mechanism has a loss below the value. Returned: what holds of those that attain it."""
        bound, forced = dual_rule(self.case.witness["dual"], self.consumer, self.near, self.alpha)
        equals(bound, self.case.claim["value"], "the dual's bound")
        return forced
    def bound_attained_once(self) -> None:
        """No α-private mechanism has a loss below the value, and one at most attains it."""
        beside("optimality").unique(self.bound(), len(self.near.inputs), len(self.consumer.guesses), "$.witness")
    def sentence(self, end: str) -> str:
        subject, value = f"No (α = {show(self.alpha)})-private mechanism on {self.near.title}", self.case.claim["value"].scalar()
        return f"{subject} has {self.consumer.title} below {show(value)}, and {end}."
@dataclass(frozen=True)
class BestRemap:
    """The least loss of a consumer after a remap of the outputs of a mechanism M."""
    case: Case
    m: Definition
    consumer: Consumer
    def with_loss(self, loss: Node) -> Definition:
        """The claim's remap, after which M has this loss."""
        M, remap = self.m.matrix, self.case.mechanism("remap", self.m.outputs, self.consumer.guesses)
        equals(loss_of(self.consumer, M.times(remap.matrix), M.den * remap.matrix.den), loss, "the loss after the claim's remap")
        return remap
    def solution(self, key: str) -> Matrix:
        """A remap of the witness, after which the loss of M is the value."""
        return attain(self.consumer, self.m.matrix, self.case.witness[key], self.case.claim["value"])
    def bound(self) -> tuple[Matrix, list[int]]:
        """After no remap is the loss below the value. Returned: the weights, and min_r φ_r(y) for each y."""
        w = weights(self.consumer, self.case.witness, "$.witness")
        bound, minima = remap_rule(self.consumer.loss, self.m.matrix, w)
        equals(bound, self.case.claim["value"], "Σ_y min_r φ_r(y)")
        return w, minima
    def bound_attained_once(self) -> None:
        """After no remap is the loss below the value, and after one at most it is the value."""
        forced = beside("optimality").remap_equations(self.consumer, self.m.matrix, *self.bound())
        beside("optimality").unique(forced, len(self.m.outputs), len(self.consumer.guesses), "$.witness")
    def sentence(self, end: str) -> str:
        subject, value = f"No remap of the outputs of the {self.m.title}", self.case.claim["value"].scalar()
        return f"{subject} has {self.consumer.title} below {show(value)}, and {end}."
def optimum(c: Case) -> Optimum:
    """The question of a claim about mechanisms."""
    return Optimum(c, near := c.named(c.claim["neighbours"], "neighbours"), c.claim["level"].level(), c.consumer(near.inputs))
def question(c: Case) -> Optimum | BestRemap:
    """The question of a claim about mechanisms, or about remaps."""
    return optimum(c) if "neighbours" in c.claim else BestRemap(c, m := c.mechanism("mechanism"), c.consumer(m.inputs))
def larger(c: Case, has: str) -> str:
    """The loss that the claim states exceeds the value, by the gap that it states."""
    loss, gap = c.claim["loss"], c.claim["loss"].scalar() - c.claim["value"].scalar()
    equals(gap, c.claim["gap"], "the gap: loss − value")
    require(gap > 0, "gap > 0", c.claim["gap"].path, gap, 0)
    return f"one attains it; {has} {show(loss.scalar())}, which is {show(gap)} more"
def optimal(c: Case) -> str:
    """optimal, optimal-remap: what the claim, or else the witness, names attains the value and is best."""
    given, found = ("mechanism", "primal") if "neighbours" in c.claim else ("remap", "remap")
    demand((found in c.witness) != (given in c.claim), "$.witness", f"{found}, if and only if the claim names no {given}")
    q, end = question(c), "one attains it"
    if given in c.claim:
        end = f"the {q.with_loss(c.claim['value']).title} attains it"
    else:
        q.solution(found)
    q.bound()
    return q.sentence(end)
def unique(c: Case) -> str:
    """unique, unique-remap: what the claim names attains the value, and nothing else attains or beats it."""
    q = question(c)
    end = f"the {q.with_loss(c.claim['value']).title} alone attains it"
    q.bound_attained_once()
    return q.sentence(end)
def not_unique(c: Case) -> str:
    """not-unique, not-unique-remap: nothing beats the value, and two different solutions attain it."""
    q = question(c)
    first, second = q.solution("first"), q.solution("second")
    q.bound()
    require(beside("optimality").differ(first, second), "first ≠ second", "$.witness.second", "equal", "different")
    return q.sentence("more than one attains it")
def not_optimal(c: Case) -> str:
    """The claim's mechanism is α-private, with more loss than the value, which another one attains."""
    q = optimum(c)
    m = q.with_loss(c.claim["loss"])
    q.solution("primal")
    q.bound()
    return q.sentence(larger(c, f"the {m.title} is as private, and its loss is"))
def not_optimal_remap(c: Case) -> str:
    """The loss after the claim's remap is larger than the value, which another remap attains."""
    q = question(c)
    q.solution("remap")
    remap = q.with_loss(c.claim["loss"])
    q.bound()
    return q.sentence(larger(c, f"the {remap.title} has"))
def optimal_after_remap(c: Case) -> str:
    """The claim's mechanism is α-private, and after a remap it attains the value, which nothing beats."""
    q = optimum(c)
    m = q.with_loss(c.claim["value"], c.witness["remap"])
    q.bound()
    return q.sentence(f"the {m.title} attains it after a remap of its outputs")
def not_optimal_after_remap(c: Case) -> str:
    """The claim's mechanism is α-private, and its loss is larger than the value even after its best remap."""
    q, loss = optimum(c), c.claim["loss"]
    m = q.with_loss(loss, c.witness["remap"])
    least, _ = remap_rule(q.consumer.loss, m.matrix, weights(q.consumer, c.witness, "$.witness"))
    equals(least, loss, "Σ_y min_r φ_r(y)")
    q.solution("primal")
    q.bound()
    return q.sentence(larger(c, f"the {m.title} is as private, and its least loss after a remap of its outputs is"))
BEST, REMAP = "neighbours level consumer value", "mechanism consumer value"
CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {     # kind: its function, claim keys, witness keys
    "not-stochastic": (not_stochastic, "table", "row column?"),
    "private": (privacy, "mechanism neighbours level", ""), "not-private": (privacy, "mechanism neighbours level", "pair output"),
    "level": (privacy, "mechanism neighbours ratio distance", "pair? output?"),
    "derivable": (derivability, "source target", "remap"), "not-derivable": (derivability, "source target", "separator"),
    "optimal": (optimal, f"{BEST} mechanism?", "primal? dual"), "not-optimal": (not_optimal, f"{BEST} mechanism loss gap", "primal dual"),
    "optimal-after-remap": (optimal_after_remap, f"{BEST} mechanism", "remap dual"),
    "not-optimal-after-remap": (not_optimal_after_remap, f"{BEST} mechanism loss gap", "remap weights? primal dual"),
    "unique": (unique, f"{BEST} mechanism", "dual"), "not-unique": (not_unique, BEST, "first second dual"),
    "optimal-remap": (optimal, f"{REMAP} remap?", "weights? remap?"),
    "not-optimal-remap": (not_optimal_remap, f"{REMAP} remap loss gap", "weights? remap"),
    "unique-remap": (unique, f"{REMAP} remap", "weights?"), "not-unique-remap": (not_unique, REMAP, "first second weights?"),
}
BESIDE = ("fields", "determinant", "tight", "deployed", "privacy_types", "universal", "printed")     # files with further kinds of claims
# ── Main ────────────────────────────────────────────────────────────────────────────────────────────────────
LOADING = RLock()
def beside(name: str) -> Any:
    """Another trusted file of this directory, compiled from its bytes; it imports names from this one."""
    full = f"exactdp.checker.{name}"
    with LOADING:     # a file is published before it is executed: no other thread may see it until it is complete
        if full in sys.modules:
            return sys.modules[full]
        if __name__ == "__main__" or "exactdp.checker.kernel" not in sys.modules:
            sys.modules["exactdp.checker.kernel"] = sys.modules[__name__]
        path = Path(__file__).resolve().with_name(f"{name}.py")
        if not path.is_file():
            raise Stop(Answer("limit", f"the rules for this are in a file {name}.py that is not beside this one", rule="files"))
        module, source = ModuleType(full), path.read_bytes()
        vars(module).update(__file__=str(path), __source_digest__=f"sha256:{hashlib.sha256(source).hexdigest()}")
        try:
            sys.modules[full] = module
            exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
        except BaseException:
            sys.modules.pop(full, None)
            raise
        return module
def decide(claim: Node, witness: Node, definitions: dict[str, Node]) -> tuple[Case, str, str | None]:
    """The case of one claim, the sentence of the rule for its kind, and the scope if the kind has one."""
    charge(2000)
    name = str(claim.fields().get("kind", claim).value)
    home = next((module for module in map(beside, BESIDE) if name in module.CLAIMS), None) if name not in CLAIMS else None
    claims = home.CLAIMS if home else CLAIMS
    kind, f = claim.variant("kind", {kind: keys for kind, (_, keys, _) in claims.items()})
    shown = witness.fields(claims[kind][2] + " signs?" * hasattr(FIELD.get(), "learn"))     # those of polynomials, on a region
    if "signs" in shown:
        FIELD.get().learn(shown.pop("signs"))
    case = Case(kind, f, shown, definitions, {})
    return case, claims[kind][0](case), getattr(home, "SCOPES", {}).get(kind)
def check(value: object, doublings: int) -> Answer:
    """Check a parsed certificate: the frame, the digest, the definitions, then the claim."""
    top = Node(value, "$").fields("format version claim definitions witness provenance? digest")
    demand(top["format"].value == FORMAT and top["version"].value in VERSIONS, "$", f"must be {FORMAT}, version {' or '.join(VERSIONS)}")
    for node in top["provenance"].fields().values() if "provenance" in top else ():
        node.of(str)
    digest, definitions, scope = digest_of(cast(dict[str, object], value)), top["definitions"].fields(), "one instance"
    require(top["digest"].of(str) == digest, "the digest is that of the content", "$.digest", top["digest"].value, digest)
    demand(not (wrong := [x for x in definitions if not NAME.fullmatch(x)]), "$.definitions", f"{show(wrong)} is not a name (SPEC §3)")
    fields = [name for name, node in definitions.items() if node.fields().get("type", node).value in FIELDS]
    demand(len(fields) < 2, "$.definitions", "one field at most")
    for name in fields:
        FIELD.set(beside("fields").field_of(name, definitions[name], doublings))
        scope = FIELD.get().scope
    case, sentence, own_scope = decide(top["claim"], top["witness"], definitions)
    simple = not fields and case.kind in (*CLAIMS, *FIRST)
    demand(simple or top["version"].value != VERSIONS[0], "$.version", f"{VERSIONS[0]} is without fields, and for kinds of 4 to 4.6 only")
    demand(not (idle := sorted({*definitions} - case.known.keys() - {*fields})), "$.definitions", f"the claim does not use {show(idle)}")
    names = [name for name, known in case.known.items() if not known.spelled]
    told = f"{sentence} Scope: {own_scope or scope}."
    return Answer("accepted", told + as_defined(told, top["claim"], definitions, names), case.kind, digest)
def check_bytes(data: bytes) -> Answer:
    """Check the bytes of a certificate file. Never raises, and leaves nothing behind."""
    def answer() -> Answer:
        WORK.set([-LIMITS["work"] * (max(len(data) - 1, 0) >> 20), 0])     # the limit of work is for each mebibyte begun
        value, doublings = read(data), 0
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
    except Exception as error:     # a defect of the checker, never an acceptance
        return Answer("defect", f"please report this: {type(error).__name__}: {show(str(error))}")
def run(arguments: list[str] | None, answer_for: Callable[[str], Answer], about: tuple[str, str | None, str, str]) -> int:
    """Check the files that the arguments name, print a line for each, and return the worst exit code."""
    program, text, files, version = about
    parser = argparse.ArgumentParser(prog=program, description=" ".join((text or "").split()))
    parser.add_argument("files", nargs="+", metavar="FILE", help=files)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--version", action="version", version=version)
    try:
        try:
            options, worst, coding = parser.parse_args(arguments), "accepted", getattr(sys.stdout, "encoding", None) or "ascii"
        finally:
            print(end="", flush=True)     # what --help printed
        if sys.stdout is None:
            raise OSError("it is closed")
        for name in options.files:
            try:
                answer = answer_for(name)
            except Stop as stop:
                answer = cast(Answer, stop.args[0])
            except (OSError, ValueError, MemoryError) as error:
                answer = Answer("unreadable", str(error) or type(error).__name__)
            line = "".join(x if x.isprintable() else ascii(x)[1:-1] for x in f"{show(name)}: {answer.status}: {answer.sentence}")
            if options.json:
                line = json.dumps({"file": name, "exit_code": answer.exit_code, **vars(answer)}, sort_keys=True)
            print(line.encode(coding, "backslashreplace").decode(coding), flush=True)
            worst = max(worst, answer.status, key=list(EXIT_CODES).index)
        return EXIT_CODES[worst]
    except (OSError, ValueError, MemoryError) as error:     # of printing; a reader who has gone is told nothing
        failed = f"{program}: can't write to standard output: {str(error) or type(error).__name__}\n"
        with suppress(AttributeError, OSError, ValueError), open(sys.stderr.fileno(), "wb", 0, closefd=False) as stream:
            stream.write(b"" if isinstance(error, BrokenPipeError) else failed.encode())
        with suppress(AttributeError, OSError, ValueError):
            sys.stdout.close()     # or Python would try again at its end
        return 5
    except KeyboardInterrupt:
        return 130
def main(arguments: list[str] | None = None) -> int:
    """Check certificates, print a line for each, and return the worst exit code."""
    def ask(name: str) -> Answer:
        with open(0 if name == "-" else name, "rb") as stream:
            return check_bytes(stream.read(LIMITS["bytes"] + 1))
    return run(arguments, ask, ("kernel.py", __doc__, "a certificate, or - for standard input", f"exactdp checker, format {VERSIONS[-1]}"))
if __name__ == "__main__":
    sys.exit(main())
