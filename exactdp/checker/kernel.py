#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The trusted kernel: decides whether a file is a valid exactdp certificate.

One file, standard library only, integers and fractions only. It shares no code with the program that writes
certificates. The rules, with the same letters, are those of `exactdp/certificate/SPEC.md`, version 0.1.

    python -I kernel.py FILE...        FILE may be - for standard input

Exit code 0 accepted, 1 rejected, 2 usage, 3 malformed, 4 a limit was reached, 70 a defect of the kernel.
In order: limits, answers, reader, numbers, definitions, privacy, losses, dual rules, claims, main.
A mechanism M enters only through products v·M and M·t, computed as integers over one denominator.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import gcd, isqrt, lcm
from typing import TypeVar, cast

FORMAT, VERSION = "exactdp-certificate", "0.1"
DIGESTED = ("format", "version", "claim", "definitions", "witness")

# ── Limits (SPEC §7): each is checked before the work that it bounds ────────────────────────────────────────

MAX_BYTES = 64 * 2**20     # bytes in a file
MAX_NESTING = 12           # depth of brackets
MAX_TOKENS = 2_000_000     # brackets, strings and numbers in a file
MAX_DIGITS = 1_000_000     # characters in one integer
MAX_MEMORY = 2**31         # bits that one rule holds, counting 512 more for each number
MAX_WORK = 10**9           # units of work; a unit is an operation on small integers
PRIME = 2**61 - 1          # ranks are computed modulo this

class Stop(Exception):
    """Ends a check: an explanation, and for a broken rule its name and JSON path."""

    status = "defect"

    def __init__(self, text: str, rule: str | None = None, path: str | None = None) -> None:
        super().__init__(text)
        self.rule, self.path = rule, path

class Malformed(Stop):
    """The file is not in the format."""

    status = "malformed"

class Rejected(Stop):
    """A condition fails."""

    status = "rejected"

class Limit(Stop):
    """A declared limit would be exceeded; nothing was decided."""

    status = "limit"

def demand(holds: bool, path: str, rule: str) -> None:
    """A rule of the format: refuse the file as malformed unless it holds."""
    if not holds:
        raise Malformed(f"{path}: {rule}", rule, path)

def require(holds: bool, rule: str, path: str, left: object, right: object) -> None:
    """A condition of the claim: reject, with its two sides, unless it holds."""
    if not holds:
        raise Rejected(f"{path}: fails: {rule}; left side {show(left)}, right side {show(right)}", rule, path)

def within(name: str, figure: int) -> None:
    """Stop before a declared limit is exceeded."""
    bound = cast(int, globals()[name])
    if figure > bound:
        raise Limit(f"{name} is {bound}, this file needs {show(figure)}", name)

WORK: ContextVar[list[int]] = ContextVar("WORK")     # the work announced so far, for one file

def charge(steps: int, bits: int = 0, products: int = 0, held: int = 0) -> None:
    """Announce additions (or products by a small number), products, and numbers held, of so many bits."""
    within("MAX_MEMORY", max(held * (bits + 512), bits))
    WORK.get()[0] += steps * (1 + bits // 2000) + products * (1 + isqrt((bits // 256) ** 3))
    within("MAX_WORK", WORK.get()[0])

# ── Reader: bytes to JSON values that know their path ───────────────────────────────────────────────────────

TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}"]|[^\s\[\]{}",:]++', re.DOTALL)
INDEX = re.compile(rb"0|[1-9][0-9]{0,8}")
INTEGER = re.compile(r"0|-?[1-9][0-9]*+")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")

def read(data: bytes) -> object:
    """Strict JSON. One linear scan bounds nesting and tokens before anything is built."""
    within("MAX_BYTES", len(data))
    depth = 0
    for count, match in enumerate(TOKEN.finditer(data), start=1):
        token = match.group()
        depth += (token in b"[{") - (token in b"]}")
        within("MAX_TOKENS", count)
        within("MAX_NESTING", depth)
        demand(token[0] in b'[]{}"' or INDEX.fullmatch(token) is not None, f"$ at byte {match.start()}",
               "outside strings only integers 0 to 999999999 (no signs, floats, true, false, null, NaN)")
    try:
        return cast(object, json.loads(data.decode("utf-8"), object_pairs_hook=distinct))
    except ValueError as error:
        raise Malformed(f"$: not JSON in UTF-8: {error}", "JSON in UTF-8", "$") from None

def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; a key that occurs twice is refused."""
    keys = set[str]()
    for key, _ in pairs:
        demand(key not in keys, "$", f"the key {show(key)} occurs twice in one object")
        keys.add(key)
    return dict(pairs)

@dataclass(frozen=True)
class Node:
    """A JSON value and its path in the file."""

    value: object
    path: str

    def members(self) -> dict[str, Node]:
        """The members of an object."""
        demand(isinstance(self.value, dict), self.path, "an object is expected")
        members = cast(dict[str, object], self.value).items()
        return {key: Node(value, f"{self.path}.{show(key)}") for key, value in members}

    def fields(self, keys: str) -> dict[str, Node]:
        """The members of an object with exactly these keys; those marked ? may be absent."""
        members, known = self.members(), keys.replace("?", "").split()
        for key in keys.split():
            demand(key[-1] == "?" or key in members, self.path, f"the key {show(key)} is missing")
        for key in members:
            demand(key in known, self.path, f"the key {show(key)} does not belong here")
        return members

    def items(self, length: int | None = None) -> list[Node]:
        """The entries of a list, of the given length if one is given."""
        demand(isinstance(self.value, list), self.path, "a list is expected")
        values = cast(list[object], self.value)
        demand(length in (None, len(values)), self.path, f"{length} entries are expected, not {len(values)}")
        return [Node(value, f"{self.path}[{i}]") for i, value in enumerate(values)]

    def text(self) -> str:
        """A string."""
        demand(isinstance(self.value, str), self.path, "a string is expected")
        return cast(str, self.value)

    def index(self, bound: int = 10**9) -> int:
        """A JSON integer below the bound."""
        demand(isinstance(self.value, int), self.path, "an integer is expected")
        demand(cast(int, self.value) < bound, self.path, f"must be below {bound}")
        return cast(int, self.value)

    def labels(self) -> Labels:
        """A non-empty list of distinct non-empty strings."""
        result = tuple(item.text() for item in self.items())
        demand(0 < len(result) == len(set(result)), self.path, "labels must be one or more, and distinct")
        demand(all(result), self.path, "labels must not be empty")
        return result

    def integer(self, text: str | None = None) -> int:
        """An integer written as a string: 0, or [-] and digits without leading zeros. Long ones are read by halves."""
        text = self.text() if text is None else text
        within("MAX_DIGITS", len(text))
        demand(INTEGER.fullmatch(text) is not None, self.path, "an integer is 0, or [-] and digits without leading zeros")
        charge(1, 2 * len(text), products=len(text) // 2000)
        return -digits(text[1:]) if text[0] == "-" else digits(text)

    def rational(self, text: str | None = None) -> Fraction:
        """A rational in lowest terms, written p, or p/q with q ≥ 2."""
        numerator, slash, denominator = (self.text() if text is None else text).partition("/")
        p, q = self.integer(numerator), self.integer(denominator) if slash else 1
        demand(q > 1 or not slash, self.path, "a denominator must be 2 or more")
        value = ratio(p, q)
        demand(value.denominator == q, self.path, "must be in lowest terms")
        return value

    def level(self) -> Fraction:
        """A level α, 0 < α < 1."""
        alpha = self.rational()
        demand(0 < alpha < 1, self.path, "must satisfy 0 < level < 1")
        return alpha

    def distance(self) -> Fraction:
        """d², for a distance d: a rational > 0, or sqrt(q) with q > 0 not the square of a rational."""
        text = self.text()
        rooted = text.startswith("sqrt(") and text.endswith(")")
        number = self.rational(text[5:-1] if rooted else text)
        demand(number > 0, self.path, "a distance must be positive")
        demand(not rooted or root(number) is None, self.path, "the number under the root must not be a square")
        return number if rooted else number**2

    def vector(self, length: int) -> Vector:
        """A vector of this length over one denominator: dense {den, num} or sparse {den, at, num}."""
        f = self.fields("den num at?")
        den, num = f["den"].integer(), [node.integer() for node in f["num"].items()]
        at = [node.index(length) for node in f["at"].items()] if "at" in f else list(range(length))
        demand(len(at) == len(num), self.path, f"{len(at)} numerators are expected, not {len(num)}")
        demand(all(i < j for i, j in pairwise(at)), self.path, "indices must be strictly increasing")
        demand("at" not in f or all(num), self.path, "a sparse vector must not list zeros")
        demand(den > 0, self.path, "the denominator must be positive")
        charge(len(num) + den.bit_length() * size(num) // 100_000)
        demand(gcd(den, *num) == 1, self.path, "denominator and numerators must have no common divisor")
        return Vector(length, den, {i: p for i, p in zip(at, num, strict=True) if p})

    def matrix(self, height: int, width: int) -> Matrix:
        """A matrix: the list of its rows, brought to one denominator."""
        rows, den = [row.vector(width) for row in self.items(height)], 1
        for row in rows:
            charge(1 + den.bit_length() * row.den.bit_length() // 100_000)
            den = lcm(den, row.den)
        count = sum(len(row.entries) for row in rows)
        charge(0, den.bit_length() + max((size(row.entries.values()) for row in rows), default=0), count, count)
        return Matrix(den, [{j: p * (den // row.den) for j, p in row.entries.items()} for row in rows], width)

def digits(text: str) -> int:
    """The value of decimal digits, by halves (Python's own conversion is quadratic, and stops at 4300)."""
    half = len(text) // 2
    return int(text) if len(text) <= 2000 else digits(text[:-half]) * 10**half + digits(text[-half:])

def show(value: object) -> str:
    """A value for people: long numbers, lists and strings abbreviated in the middle, odd characters escaped."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{show(value.numerator)}/{show(value.denominator)}"
    if isinstance(value, int | Fraction):
        number, sign = abs(int(value)), "-" if value < 0 else ""
        drop = number.bit_length() * 30102 // 100_000 - 20
        head = number // 10 ** max(drop, 0)
        return f"{sign}{head}" if drop < 100 else f"{sign}{head}…({drop - 10} digits)…{number % 10**10:010}"
    if isinstance(value, tuple | list):
        parts = [show(part) for part in (value if len(value) < 25 else [*value[:12], *value[-12:]])]
        return ", ".join(parts if len(value) < 25 else [*parts[:12], f"… {len(value) - 24} more …", *parts[12:]])
    text = str(value) if len(str(value)) < 300 else f"{str(value)[:140]}…{str(value)[-140:]}"
    return text if text.isprintable() else json.dumps(text)

def canonical_bytes(value: object) -> bytes:
    """The canonical bytes of a JSON value (SPEC §6)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")

def digest_of(certificate: dict[str, object]) -> str:
    """The digest of a certificate: SHA-256 of format, version, claim, definitions and witness (SPEC §6)."""
    return "sha256:" + hashlib.sha256(canonical_bytes({key: certificate[key] for key in DIGESTED})).hexdigest()

# ── Numbers (SPEC §2) ───────────────────────────────────────────────────────────────────────────────────────

def size(numbers: Iterable[int]) -> int:
    """A bound of the bits of any of some integers."""
    return max((number.bit_length() for number in numbers), default=0) + 1

def ratio(num: int, den: int) -> Fraction:
    """num/den in lowest terms."""
    charge(1 + num.bit_length() * den.bit_length() // 100_000)
    return Fraction(num, den)

@dataclass(frozen=True)
class Vector:
    """Entry i is entries[i]/den; zeros are left out."""

    length: int
    den: int
    entries: dict[int, int]

    def times(self, factor: int) -> list[int]:
        """All numerators times a factor."""
        bits = size(self.entries.values()) + factor.bit_length()
        charge(self.length, bits, len(self.entries), held=self.length)
        return [self.entries[i] * factor if i in self.entries else 0 for i in range(self.length)]

    def sum(self) -> Fraction:
        """The sum of the entries."""
        return ratio(sum(self.entries.values()), self.den)

@dataclass(frozen=True)
class Matrix:
    """Entry (i, j) is rows[i][j]/den; zeros are left out."""

    den: int
    rows: list[dict[int, int]]
    width: int

    def bits(self) -> int:
        """A bound of the bits of a numerator or of the denominator."""
        return max((size(row.values()) for row in self.rows), default=1) + self.den.bit_length()

    def count(self) -> int:
        """The number of non-zero entries."""
        return sum(map(len, self.rows))

def root(square: Fraction) -> Fraction | None:
    """√square when it is rational."""
    d = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return d if d * d == square else None

def power(alpha: Fraction, square: Fraction) -> Fraction | None:
    """α^d, d = √square, when it is rational: d = P/Q, and α the Q-th power of a rational."""
    d, parts = root(square), list[int]()
    for number in (alpha.numerator, alpha.denominator) if d else ():
        low, high, k = 1, 1 << number.bit_length() // d.denominator + 1, d.denominator     # low^k ≤ number < high^k
        charge(0, 2 * number.bit_length(), products=64 * high.bit_length())
        while low + 1 < high and k < number.bit_length():
            middle = (low + high) // 2
            low, high = (middle, high) if middle**k <= number else (low, middle)
        charge(0, d.numerator * low.bit_length() if low > 1 else 1, products=4)
        parts += [low**d.numerator] if low == 1 == number or k < number.bit_length() and low**k == number else []
    return Fraction(*parts) if len(parts) == 2 else None

def convergents(square: Fraction) -> Iterator[Fraction]:
    """The continued fraction of an irrational √square = √N/b: below, above, below, … and ever closer."""
    N, m, b = square.numerator * square.denominator, 0, square.denominator
    (p, q), (p_, q_) = (1, 0), (0, 1)
    while True:
        a = (m + isqrt(N)) // b
        m = a * b - m
        b = (N - m * m) // b
        (p, q), (p_, q_) = (a * p + p_, a * q + q_), (p, q)
        yield Fraction(p, q)

def order(x: int, y: int, alpha: Fraction, d: Fraction) -> int:
    """The sign of x − α^d·y, for a rational d ≥ 0."""
    P, Q = d.numerator, d.denominator
    charge(0, Q * max(x, y).bit_length() + P * alpha.denominator.bit_length(), products=6)
    left, right = x**Q * alpha.denominator**P, y**Q * alpha.numerator**P
    return (left > right) - (left < right)

def at_least(x: int, y: int, alpha: Fraction, square: Fraction) -> bool:
    """Whether x ≥ α^d·y, for x, y ≥ 0, 0 < α ≤ 1, d = √square > 0 (SPEC §3)."""
    if x >= y or x == 0 or alpha == 1:
        return x >= y
    if square == 1:
        return x * alpha.denominator >= y * alpha.numerator
    x, y = ratio(x, y).as_integer_ratio()
    d = root(square)
    if d is not None:
        return order(x, y, alpha, d) >= 0
    for c in convergents(square):     # x = α^d·y cannot be (Gelfond–Schneider), so that one of the two comes true
        if c * c < square and order(x, y, alpha, c) >= 0:     # x ≥ α^c·y > α^d·y
            return True
        if c * c > square and order(x, y, alpha, c) <= 0:     # x ≤ α^c·y < α^d·y
            return False
    raise AssertionError

# ── Definitions (SPEC §3) ───────────────────────────────────────────────────────────────────────────────────

Labels = tuple[str, ...]
Product = Callable[[list[int]], list[int]]

@dataclass(frozen=True)
class Table:
    """Any matrix, with labels."""

    title: str
    inputs: Labels
    outputs: Labels
    matrix: Matrix

@dataclass(frozen=True)
class Mechanism:
    """A row-stochastic matrix M by its products: left(lift·v) = den·v·M and right(lift·t) = den·M·t, in integers."""

    title: str
    inputs: Labels
    outputs: Labels
    den: int
    lift: int
    left: Product
    right: Product
    bits: int     # of an entry of den·M
    work: int     # operations in a product

    def column(self, r: int) -> list[int]:
        """Column r of den·M."""
        return self.right([self.lift if y == r else 0 for y in range(len(self.outputs))])

    def after(self, remap: Matrix | None, r: int) -> list[int]:
        """Column r of den·M, or of den·M·(remap.den·T)."""
        return self.right([self.lift * row.get(r, 0) for row in remap.rows]) if remap else self.column(r)

    def matrix(self) -> Matrix:
        """M multiplied out."""
        charge(self.work * len(self.outputs), self.bits, held=len(self.inputs) * len(self.outputs))
        columns = [self.column(r) for r in range(len(self.outputs))]
        rows = [{r: x for r, x in enumerate(row) if x} for row in zip(*columns, strict=True)]
        return Matrix(self.den, rows, len(columns))

@dataclass(frozen=True)
class Neighbours:
    """The constrained pairs, as i < j and d(i, j)²."""

    title: str
    inputs: Labels
    pairs: list[tuple[int, int, Fraction]]

    def is_path(self) -> bool:
        """A path in order: the pairs are {i, i+1}, at distance 1, of two vertices or more."""
        return self.pairs == [(i, i + 1, 1) for i in range(len(self.inputs) - 1)] != []

@dataclass(frozen=True)
class Loss:
    """l(i, r) = entry(i, r)/den."""

    title: str
    inputs: Labels
    guesses: Labels
    den: int
    bits: int
    entry: Callable[[int, int], int]

Definition = Table | Mechanism | Neighbours | Loss
D = TypeVar("D", Table, Mechanism, Neighbours, Loss)
STANDARD: dict[str, Callable[[int, int], int]] = {
    "abs-loss": lambda i, r: abs(i - r), "squared-loss": lambda i, r: (i - r) ** 2, "zero-one-loss": lambda i, r: int(i != r)}

def numbered(count: int) -> Labels:
    """The labels "0", …, "count − 1"."""
    charge(count, held=count)
    return tuple(map(str, range(count)))

def spread(c: list[int], p: int, q: int) -> list[int]:
    """f_j = Σ_i α^|i−j| c_i, α = p/q, when q^n divides every c_i: two sweeps in which every division is exact."""
    f, carry = list[int](), 0
    for x in c:
        carry = carry * p // q + x
        f.append(carry)
    carry = 0
    for j in range(len(c) - 1, -1, -1):
        f[j] += carry
        carry = (carry + c[j]) * p // q
    return f

def geometric(n: int, alpha: Fraction) -> Mechanism:
    """G(n, α): α^|i−j| s_j, s_j = 1/(1+α) at both ends and (1−α)/(1+α) between; G(0, α) = [1]."""
    p, q, labels = alpha.numerator, alpha.denominator, numbered(n + 1)
    charge(0, (n + 1) * q.bit_length(), products=2)
    s = [q, *[q - p] * (n - 1), q] if n else [p + q]     # (p + q)·s_j

    def left(v: list[int]) -> list[int]:
        return [s_j * f for s_j, f in zip(s, spread(v, p, q), strict=True)]

    def right(t: list[int]) -> list[int]:
        return spread([s_j * t_j for s_j, t_j in zip(s, t, strict=True)], p, q)

    title, bits = f"geometric mechanism G({n}, {show(alpha)})", (n + 2) * q.bit_length()
    return Mechanism(title, labels, labels, q**n * (p + q), q**n, left, right, bits, 8 * (n + 1))

def tabular(title: str, inputs: Labels, outputs: Labels, matrix: Matrix, path: str) -> Mechanism:
    """The mechanism with these rows, checked to be row-stochastic."""
    stochastic(matrix, path)

    def left(v: list[int]) -> list[int]:
        result = [0] * len(outputs)
        for v_i, row in zip(v, matrix.rows, strict=True):
            for y, m in row.items() if v_i else ():
                result[y] += v_i * m
        return result

    def right(t: list[int]) -> list[int]:
        return [sum(m * t[y] for y, m in row.items() if t[y]) for row in matrix.rows]

    work = 2 * matrix.count() + len(inputs) + len(outputs)
    return Mechanism(title, inputs, outputs, matrix.den, 1, left, right, matrix.bits(), work)

def stochastic(matrix: Matrix, path: str) -> Matrix:
    """Entries ≥ 0, and every row sums to 1."""
    charge(matrix.count(), matrix.bits())
    for i, row in enumerate(matrix.rows):
        total, least = sum(row.values()), min(row.values(), default=0)
        if least < 0 or total != matrix.den:
            require(least >= 0, "row-stochastic: entries ≥ 0", f"{path}[{i}]", ratio(least, matrix.den), 0)
            require(total == matrix.den, "row-stochastic: the row sums to 1", f"{path}[{i}]", ratio(total, matrix.den), 1)
    return matrix

def define(name: str, node: Node) -> Definition:
    """Read one definition."""
    kind, members = node.members().get("type", node), node.members()
    if kind.value == "geometric":
        f = node.fields("type n level")
        return geometric(f["n"].index(), f["level"].level())
    if kind.value in ("mechanism", "table"):
        f = node.fields("type inputs outputs rows")
        inputs, outputs = f["inputs"].labels(), f["outputs"].labels()
        matrix, title = f["rows"].matrix(len(inputs), len(outputs)), f"{kind.value} {name}"
        return (tabular(title, inputs, outputs, matrix, f["rows"].path) if kind.value == "mechanism"
                else Table(title, inputs, outputs, matrix))
    if kind.value == "path":
        count = node.fields("type vertices")["vertices"].index()
        demand(count > 0, node.path, "a path has one vertex or more")
        return Neighbours(f"path({count})", numbered(count), [(i, i + 1, Fraction(1)) for i in range(count - 1)])
    if kind.value in ("graph", "distances"):
        f = node.fields("type vertices edges" if kind.value == "graph" else "type vertices pairs")
        vertices, listed, pairs = f["vertices"].labels(), f["edges" if "edges" in f else "pairs"], []
        for item in listed.items():
            a, b, *d = item.items(2 if "edges" in f else 3)
            pairs.append((a.index(len(vertices)), b.index(len(vertices)), d[0].distance() if d else Fraction(1)))
            demand(pairs[-1][0] < pairs[-1][1], item.path, "a pair is [i, j] with i < j")
        demand(all(a[:2] < b[:2] for a, b in pairwise(pairs)), listed.path, "pairs must be strictly increasing")
        return Neighbours(f"{kind.value} {name}", vertices, pairs)
    if kind.value == "loss":
        f = node.fields("type inputs guesses rows")
        inputs, guesses = f["inputs"].labels(), f["guesses"].labels()
        matrix = f["rows"].matrix(len(inputs), len(guesses))
        return Loss(name, inputs, guesses, matrix.den, matrix.bits(), lambda i, r: matrix.rows[i].get(r, 0))
    demand(kind.value in STANDARD, node.path, "type must be one of those of SPEC §3")
    n = node.fields("type n")["n"].index()
    return Loss(kind.text()[:-5], numbered(n + 1), numbered(n + 1), 1, 60, STANDARD[kind.text()])

@dataclass(frozen=True)
class Consumer:
    """A loss with a prior (Bayesian), or with side information S (minimax: the prior is None)."""

    title: str
    loss: Loss
    S: list[int]
    prior: Vector | None

def distribution(node: Node, length: int, support: list[int], rule: str) -> Vector:
    """A vector ≥ 0 that sums to 1 and is zero outside the support."""
    vector, allowed = node.vector(length), set(support)
    for i, x in vector.entries.items():
        require(x > 0, f"{rule} ≥ 0 (entry {i})", node.path, Fraction(x, vector.den), 0)
        require(i in allowed, f"{rule}: zero outside S (entry {i})", node.path, Fraction(x, vector.den), 0)
    require(vector.sum() == 1, f"{rule}: sums to 1", node.path, vector.sum(), 1)
    return vector

@dataclass(frozen=True)
class Case:
    """One certificate: the members of its claim and witness, and its definitions."""

    kind: str
    claim: dict[str, Node]
    witness: dict[str, Node]
    definitions: dict[str, Definition]

    def named(self, node: Node, kind: type[D]) -> D:
        """The definition with this name, which must be of this kind."""
        definition = self.definitions.get(node.text())
        demand(isinstance(definition, kind), node.path, f"must name a {kind.__name__.lower()} in definitions")
        return cast(D, definition)

    def mechanism(self, key: str, inputs: Labels | None = None, outputs: Labels | None = None) -> Mechanism:
        """The mechanism under a key of the claim, with these inputs and outputs if they are given."""
        m, path = self.named(self.claim[key], Mechanism), self.claim[key].path
        require(inputs in (None, m.inputs), "the input labels agree", path, m.inputs, inputs)
        require(outputs in (None, m.outputs), "the output labels agree", path, m.outputs, outputs)
        return m

    def consumer(self, inputs: Labels) -> Consumer:
        """The claim's consumer, over these inputs."""
        node = self.claim["consumer"]
        minimax = node.members().get("type", node).value == "minimax"
        f = node.fields("type loss side_information" if minimax else "type loss prior")
        demand(f["type"].value in ("minimax", "bayesian"), node.path, "type must be minimax or bayesian")
        loss = self.named(f["loss"], Loss)
        require(loss.inputs == inputs, "the input labels agree", f["loss"].path, loss.inputs, inputs)
        if minimax:
            S = [item.index(len(inputs)) for item in f["side_information"].items()]
            demand(0 < len(S) and all(i < j for i, j in pairwise(S)), node.path, "side_information must increase, from one entry on")
            return Consumer(f"minimax loss (loss {loss.title}, S = {{{show([inputs[i] for i in S])}}})", loss, S, None)
        prior = distribution(f["prior"], len(inputs), list(range(len(inputs))), "prior")
        shown = show([Fraction(prior.entries.get(i, 0), prior.den) for i in range(len(inputs))])
        return Consumer(f"expected loss (loss {loss.title}, prior ({shown}))", loss, [], prior)

    def weights(self, consumer: Consumer, fields: dict[str, Node], path: str) -> Vector:
        """w: the prior, or the weights on S that the witness gives if and only if the consumer is minimax."""
        demand(("weights" in fields) == (consumer.prior is None), path, "weights, if and only if the consumer is minimax")
        if consumer.prior is not None:
            return consumer.prior
        return distribution(fields["weights"], len(consumer.loss.inputs), consumer.S, "weights")

# ── Privacy ─────────────────────────────────────────────────────────────────────────────────────────────────

def check_private(m: Mechanism, neighbours: Neighbours, alpha: Fraction, path: str, unit: Fraction = Fraction(1)) -> None:
    """x_ir ≥ t^d(i,j)·x_jr for each constrained pair, in both orders, and each output r, where t = α^(1/√unit)."""
    charge(len(m.outputs) * (m.work + 4 * len(neighbours.pairs)), m.bits + alpha.denominator.bit_length())
    pairs = [(i, j, square / unit) for a, b, square in neighbours.pairs for i, j in ((a, b), (b, a))]
    for r in range(len(m.outputs)):
        x = m.column(r)
        for i, j, square in pairs:
            if not at_least(x[i], x[j], alpha, square):
                rule = f"privacy: x_ir ≥ ({show(alpha)})^d · x_jr at i = {i}, j = {j}, r = {r}, d² = {show(square)}"
                require(False, rule, path, ratio(x[i], m.den), ratio(x[j], m.den))

def privacy(c: Case) -> str:
    """private, not-private and level."""
    f, w, neighbours = c.claim, c.witness, c.named(c.claim["neighbours"], Neighbours)
    m, path, where = c.mechanism("mechanism", neighbours.inputs), f["mechanism"].path, neighbours.title
    alpha = f["ratio"].rational() if c.kind == "level" else f["level"].level()
    unit = f["distance"].distance() if c.kind == "level" else Fraction(1)
    demand(0 <= alpha <= 1, "$.claim.ratio", "must satisfy 0 ≤ ratio ≤ 1")
    demand(0 < alpha < 1 or unit == 1, "$.claim.distance", "must be 1 if the ratio is 0 or 1")
    for key in ("pair", "output"):
        demand((key in w) == (alpha < 1), "$.witness", f"{key}, if and only if the ratio is less than 1")
    if "pair" in w:
        i, j = (node.index(len(m.inputs)) for node in w["pair"].items(2))
        charge(m.work, m.bits)
        column = m.column(w["output"].index(len(m.outputs)))
        squares = [square for a, b, square in neighbours.pairs if (a, b) in ((i, j), (j, i))]
        require(squares != [], "the pair is constrained", w["pair"].path, (i, j), f"a pair of {where}")
        x, y = ratio(column[i], m.den), ratio(column[j], m.den)
        if c.kind == "not-private":
            require(not at_least(column[i], column[j], alpha, squares[0]), "x_ir < α^d · x_jr", "$.witness", x, y)
            return f"The {m.title} is not {show(alpha)}-private on {where}."
        require(y > 0, "x_jr > 0", "$.witness", y, 0)
        require(x == alpha * y, "x_ir = ratio · x_jr", "$.witness", x, alpha * y)
        require(alpha == 0 or squares[0] == unit, "d(i, j)² = distance²", "$.witness", squares[0], unit)
    if alpha == 0:
        return f"The {m.title} is private at no level on {where}."
    check_private(m, neighbours, alpha, path, unit)
    if c.kind == "private":
        return f"The {m.title} is {show(alpha)}-private on {where}."
    exponent = "" if unit == 1 else f"^(1/{f['distance'].text()})"
    return f"The largest level at which the {m.title} is private on {where} is {show(alpha)}{show(exponent)}."

# ── Losses and remaps (SPEC §4.1, §4.3) ─────────────────────────────────────────────────────────────────────

def loss_of(consumer: Consumer, m: Mechanism, remap: Matrix | None = None) -> Fraction:
    """The loss of M, or of M·T: the largest over S, or the prior's mean, of Σ_r l(i,r) x_ir."""
    loss, prior, count = consumer.loss, consumer.prior, len(consumer.loss.guesses)
    bits = m.bits + loss.bits + (remap.bits() if remap else 0)
    charge(count * (m.work + 2 * len(loss.inputs)), bits, remap.count() if remap else count)
    total = dict.fromkeys(consumer.S if prior is None else prior.entries, 0)
    for r in range(count):
        x = m.after(remap, r)
        for i in total:
            total[i] += loss.entry(i, r) * x[i]
    den = m.den * loss.den * (remap.den if remap else 1)
    if prior is None:
        return ratio(max(total.values()), den)
    return ratio(sum(weight * total[i] for i, weight in prior.entries.items()), prior.den * den)

def equals(computed: Fraction, node: Node, rule: str) -> None:
    """A number that the claim states is the one computed."""
    require(computed == node.rational(), rule, node.path, computed, node.rational())

def attain(consumer: Consumer, m: Mechanism, remap: Node, value: Node) -> Matrix:
    """T is row-stochastic, and the loss of M·T is the stated one."""
    T = stochastic(remap.matrix(len(m.outputs), len(consumer.loss.guesses)), remap.path)
    equals(loss_of(consumer, m, T), value, f"the loss after {remap.path} = {value.path}")
    return T

def weighed(loss: Loss, w: list[int], r: int) -> list[int]:
    """w_i l(i, r) for all i."""
    return [x * loss.entry(i, r) if x else 0 for i, x in enumerate(w)]

def remap_scores(consumer: Consumer, m: Mechanism, w: Vector) -> Iterator[list[int]]:
    """For each guess r, φ_r(y) = Σ_i w_i l(i,r) M_iy for all y, over the denominator w.den · loss.den · M.den."""
    count, bits = len(consumer.loss.guesses), m.bits + consumer.loss.bits + size(w.entries.values())
    charge(count * (m.work + 2 * w.length), bits, products=m.work * count if m.lift == 1 else 0)
    lifted = w.times(m.lift)
    return (m.left(weighed(consumer.loss, lifted, r)) for r in range(count))

def remap_bound(consumer: Consumer, m: Mechanism, w: Vector) -> Fraction:
    """No M·T has less loss than Σ_y min_r φ_r(y)."""
    least = columnwise(min, remap_scores(consumer, m, w))
    return ratio(sum(least), w.den * consumer.loss.den * m.den)

def columnwise(choose: Callable[[int, int], int], rows: Iterable[list[int]]) -> list[int]:
    """The least (or largest) entry in each column, one row in memory at a time."""
    best = list[int]()
    for row in rows:
        best = list(map(choose, best, row)) if best else row
    return best

def primal(node: Node, consumer: Consumer, neighbours: Neighbours, alpha: Fraction, value: Node) -> Matrix:
    """An α-private mechanism with this loss: {rows: X}, or on a path {remap: T} for X = G(n, α)·T."""
    f = node.fields("rows? remap?")
    demand(len(f) == 1, node.path, "either rows or remap")
    if "remap" in f:
        require(neighbours.is_path(), "the neighbours are a path in order", node.path, neighbours.title, "a path")
        return attain(consumer, geometric(len(neighbours.inputs) - 1, alpha), f["remap"], value)
    X = f["rows"].matrix(len(neighbours.inputs), len(consumer.loss.guesses))
    m = tabular("primal", neighbours.inputs, consumer.loss.guesses, X, f["rows"].path)
    check_private(m, neighbours, alpha, node.path)
    equals(loss_of(consumer, m), value, f"the loss of {node.path} = {value.path}")
    return X

# ── The dual rules (SPEC §4.2): lower bounds of the loss of every α-private mechanism ───────────────────────

@dataclass(frozen=True)
class Bound:
    """A lower bound; and what attaining it forces: equations Σ (coefficient · x_ir) = 0 (graph rule only)."""

    value: Fraction
    forced: list[dict[tuple[int, int], int]] = field(default_factory=list)

def path_rule(consumer: Consumer, neighbours: Neighbours, alpha: Fraction, w: Vector, path: str) -> Bound:
    """f_r(j) = Σ_i α^|i−j| w_i l(i,r), b = min_r f_r, h_r = f_r − b. For each r some k: h(i) ≥ α h(i+1) for i < k,
    h(i) ≥ α h(i−1) for i > k+1. The bound is Σ_j s_j b_j."""
    require(neighbours.is_path(), "path rule: the neighbours are a path in order", path, neighbours.title, "a path")
    loss, p, q, n = consumer.loss, alpha.numerator, alpha.denominator, len(neighbours.inputs) - 1
    charge(20 * len(loss.guesses) * (n + 1), (n + 1) * q.bit_length() + size(w.entries.values()) + loss.bits)
    lifted = w.times(q**n)
    b = columnwise(min, (spread(weighed(loss, lifted, r), p, q) for r in range(len(loss.guesses))))
    for r in range(len(loss.guesses)):
        h = [f - least for f, least in zip(spread(weighed(loss, lifted, r), p, q), b, strict=True)]
        up = next((i for i in range(n) if q * h[i] < p * h[i + 1]), n)             # so that k ≤ up
        down = next((i for i in range(n, 0, -1) if q * h[i] < p * h[i - 1]), 0)    # so that k ≥ down − 1
        require(down - 1 <= up, f"path rule: guess {r} crosses once: down − 1 ≤ up, where up is the first i with "
                "h(i) < α h(i+1) and down the last i with h(i) < α h(i−1)", path, down - 1, up)
    total = q * (b[0] + b[n]) + (q - p) * sum(b[1:n])
    return Bound(ratio(total, (p + q) * q**n * w.den * loss.den))

def forest_rule(consumer: Consumer, neighbours: Neighbours, alpha: Fraction, w: Vector, mu: Vector, path: str) -> Bound:
    """c_i = w_i l(i,r) − μ_i; fold each leaf i into its neighbour j: c_j += α c_i if c_i ≥ 0, else c_i/α. Each root
    ends ≥ 0. The bound is Σ μ_i."""
    loss, count = consumer.loss, len(neighbours.inputs)
    beside: list[list[int]] = [[] for _ in range(count)]
    for i, j, square in neighbours.pairs:
        require(square == 1, "forest rule: every distance is 1", path, square, 1)
        beside[i].append(j)
        beside[j].append(i)
    parent, depth, found = dict[int, int](), [0] * count, list[int]()     # found: each vertex after its parent
    for start in range(count):
        tree = [] if start in parent else [start]
        for i in tree:                                                    # the list grows behind the loop
            parent.setdefault(i, -1)
            fresh = [j for j in beside[i] if j not in parent]
            parent.update((j, i) for j in fresh)
            depth[i] = depth[parent[i]] + 1 if parent[i] >= 0 else 0
            tree += fresh
        found += tree
    edges = sum(above >= 0 for above in parent.values())
    require(len(neighbours.pairs) == edges, "forest rule: no cycle", path, len(neighbours.pairs), edges)
    p, q, height = alpha.numerator, alpha.denominator, max(depth)
    bits = (height + 1) * 2 * q.bit_length() + size([*w.entries.values(), *mu.entries.values()]) + loss.bits
    bits += (w.den * mu.den * loss.den).bit_length()
    charge(10 * len(loss.guesses) * count, bits)
    exact = (p * q) ** height                                             # so that every division below is exact
    lifted, potentials = w.times(exact * mu.den), mu.times(exact * w.den * loss.den)
    for r in range(len(loss.guesses)):
        c = [a - b for a, b in zip(weighed(loss, lifted, r), potentials, strict=True)]
        for i in reversed(found):
            if parent[i] >= 0:
                c[parent[i]] += c[i] * p // q if c[i] >= 0 else c[i] * q // p
            elif c[i] < 0:
                require(False, f"forest rule: the sweep of guess {r} ends ≥ 0 at root {i}", path,
                        ratio(c[i], exact * w.den * mu.den * loss.den), 0)
    return Bound(mu.sum())

def graph_rule(consumer: Consumer, neighbours: Neighbours, alpha: Fraction, w: Vector, mu: Vector, u: Matrix, path: str) -> Bound:
    """u_er > 0 multiplies x_ir − α^d x_jr ≥ 0, and −u_er > 0 multiplies x_jr − α^d x_ir ≥ 0, for e = {i, j}.
    slack_ir = w_i l(i,r) − μ_i − what the multipliers put on x_ir ≥ 0. The bound is Σ μ_i."""
    loss, powers = consumer.loss, {square: power(alpha, square) for _, _, square in neighbours.pairs}
    for square, value in powers.items():
        require(value is not None, f"graph rule: α^d is rational at d² = {show(square)}", path, alpha, "a perfect power")
    a = {square: cast(Fraction, value).as_integer_ratio() for square, value in powers.items()}     # α^d = a/b
    b = lcm(*(below for _, below in a.values()))
    charge(1 + w.den.bit_length() * (mu.den.bit_length() + u.den.bit_length() + b.bit_length()) // 100_000)
    den = lcm(w.den * loss.den, mu.den, u.den * b)
    bits = 2 * den.bit_length() + size([*w.entries.values(), *mu.entries.values()]) + loss.bits + u.bits()
    cells = len(loss.inputs) * len(loss.guesses)
    charge(4 * cells + len(u.rows) * len(loss.guesses), bits, products=3 * u.count(), held=2 * cells)
    lifted, potentials, unit = w.times(den // (w.den * loss.den)), mu.times(den // mu.den), den // (u.den * b)
    bound = Bound(mu.sum())
    for r in range(len(loss.guesses)):
        slack = [c - m for c, m in zip(weighed(loss, lifted, r), potentials, strict=True)]
        for (i, j, square), row in zip(neighbours.pairs, u.rows, strict=True):
            if r in row:
                (i, j), v = (i, j) if row[r] > 0 else (j, i), abs(row[r]) * unit     # v·(x_i − α^d x_j) ≥ 0
                slack[i] -= v * b
                slack[j] += v * (b // a[square][1]) * a[square][0]
                bound.forced.append({(i, r): a[square][1], (j, r): -a[square][0]})
        for i, x in enumerate(slack):
            if x < 0:
                require(False, f"graph rule: slack_ir ≥ 0 at i = {i}, r = {r}", path, ratio(x, den), 0)
            if x > 0:
                bound.forced.append({(i, r): 1})
    return bound

def unique(forced: list[dict[tuple[int, int], int]], rows: int, columns: int, path: str) -> None:
    """The differences of two solutions satisfy `forced` and sum to 0 in each row; full column rank modulo a prime,
    hence over ℚ, makes them 0 (SPEC §4.5)."""
    pivots: dict[tuple[int, int], dict[tuple[int, int], int]] = {}
    sums: list[dict[tuple[int, int], int]] = [{(i, r): 1 for r in range(columns)} for i in range(rows)]
    for equation in sorted(forced + sums, key=len):
        row = {at: v % PRIME for at, v in equation.items() if v % PRIME}
        while row:
            first = min(row)
            if first not in pivots:
                inverse = pow(row[first], -1, PRIME)
                pivots[first] = {at: v * inverse % PRIME for at, v in row.items()}
                break
            charge(2 * len(row) + 4 * len(pivots[first]))
            factor = row[first]
            for at, v in pivots[first].items():
                row[at] = (row.get(at, 0) - factor * v) % PRIME
                if not row[at]:
                    del row[at]
    require(len(pivots) == rows * columns, "uniqueness: full column rank", path, len(pivots), rows * columns)

def differ(first: Matrix, second: Matrix) -> None:
    """first ≠ second. (Denominators are reduced, so that equal matrices are written alike.)"""
    require((first.den, first.rows) != (second.den, second.rows), "first ≠ second", "$.witness.second", "equal", "different")

# ── Claims (SPEC §4): each returns the kernel's own sentence ────────────────────────────────────────────────

def not_stochastic(c: Case) -> str:
    """A row of a table has a negative entry, or does not sum to 1."""
    table, w = c.named(c.claim["table"], Table), c.witness
    i = w["row"].index(len(table.inputs))
    row, den, label = table.matrix.rows[i], table.matrix.den, show(table.inputs[i])
    if "column" in w:
        entry = ratio(row.get(w["column"].index(len(table.outputs)), 0), den)
        require(entry < 0, "the entry < 0", "$.witness.column", entry, 0)
        return f"The {table.title} is not a mechanism: row {label} has the entry {show(entry)}."
    total = ratio(sum(row.values()), den)
    require(total != 1, "the row's sum ≠ 1", "$.witness.row", total, 1)
    return f"The {table.title} is not a mechanism: row {label} sums to {show(total)}, not 1."

def check_product(a: Mechanism, R: Matrix, b: Mechanism, path: str) -> None:
    """A·R = B."""
    cells = len(b.inputs) * len(b.outputs)
    charge(len(b.outputs) * (a.work + b.work), a.bits + b.bits + R.bits(), products=2 * cells)
    for r in range(len(b.outputs)):
        for i, (x, y) in enumerate(zip(a.after(R, r), b.column(r), strict=True)):
            if x * b.den != y * a.den * R.den:
                require(False, f"(A·R)_ir = B_ir at i = {i}, r = {r}", path, ratio(x, a.den * R.den), ratio(y, b.den))

def derivability(c: Case) -> str:
    """derivable: B = A·R; not-derivable: Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy."""
    a = c.mechanism("source")
    b = c.mechanism("target", a.inputs)
    if c.kind == "derivable":
        node = c.witness["remap"]
        check_product(a, stochastic(node.matrix(len(a.outputs), len(b.outputs)), node.path), b, node.path)
        return f"The {b.title} is derivable from the {a.title}: B = A·R for a row-stochastic R."
    node, cells = c.witness["separator"], len(b.inputs) * len(b.outputs)
    W = node.matrix(len(a.inputs), len(b.outputs))
    charge(len(b.outputs) * (a.work + b.work), a.bits + b.bits + W.bits(), products=3 * cells)
    columns = [[row.get(r, 0) for row in W.rows] for r in range(W.width)]
    best = columnwise(max, (a.left([a.lift * x for x in column]) for column in columns))
    reached = sum(x * y for r, column in enumerate(columns) for x, y in zip(column, b.column(r), strict=True))
    left, right = ratio(reached, W.den * b.den), ratio(sum(best), W.den * a.den)
    require(left > right, "Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy", node.path, left, right)
    return f"The {b.title} is not derivable from the {a.title}: B = A·R for no row-stochastic R."

def check_gap(f: dict[str, Node]) -> str:
    """gap = loss − value > 0."""
    loss, value, gap = (f[key].rational() for key in ("loss", "value", "gap"))
    require(loss - value == gap, "loss − value = gap", f["gap"].path, loss - value, gap)
    require(gap > 0, "gap > 0", f["gap"].path, gap, 0)
    return f"{show(loss)}, which is {show(gap)} more"

def optimality(c: Case) -> str:
    """What no α-private mechanism can beat (SPEC §4): the given mechanism, the primal and the dual as far as named."""
    f, w, neighbours, alpha = c.claim, c.witness, c.named(c.claim["neighbours"], Neighbours), c.claim["level"].level()
    consumer, end = c.consumer(neighbours.inputs), "one attains it"
    guesses, value, stated = consumer.loss.guesses, f["value"], f["loss" if "loss" in f else "value"]
    if c.kind == "optimal":
        demand(("primal" in w) != ("mechanism" in f), "$.witness", "primal, if and only if the claim names no mechanism")
    if "mechanism" in f:
        m = c.mechanism("mechanism", neighbours.inputs, None if "remap" in w else guesses)
        check_private(m, neighbours, alpha, f["mechanism"].path)
        if "remap" in w:
            attain(consumer, m, w["remap"], stated)
        else:
            equals(loss_of(consumer, m), stated, f"the mechanism's loss = {stated.path}")
        end = {"optimal": f"the {m.title} attains it", "unique": f"the {m.title} alone attains it",
               "optimal-after-remap": f"the {m.title} attains it after a remap of its outputs"}.get(c.kind, end)
        if c.kind == "not-optimal":
            end += f"; the {m.title} is as private and has {check_gap(f)}"
        if c.kind == "not-optimal-after-remap":
            equals(remap_bound(consumer, m, c.weights(consumer, w, "$.witness")), stated, "the least loss after a remap = $.claim.loss")
            end += f"; the {m.title} is as private and has, after the best remap of its outputs, {check_gap(f)}"
    if "primal" in w:
        primal(w["primal"], consumer, neighbours, alpha, value)
    if c.kind == "not-unique":
        differ(*(primal(Node({"rows": w[key].value}, w[key].path), consumer, neighbours, alpha, value) for key in ("first", "second")))
        end = "more than one attains it"
    path, dual = w["dual"].path, w["dual"].fields("weights? potentials? edges?")
    weights = c.weights(consumer, dual, path)
    demand("potentials" in dual or "edges" not in dual, path, "edges need potentials")
    require("edges" in dual or c.kind != "unique", "uniqueness is shown by the graph rule", path, "no edges", "edges")
    if "potentials" not in dual:
        bound = path_rule(consumer, neighbours, alpha, weights, path)
    elif "edges" not in dual:
        bound = forest_rule(consumer, neighbours, alpha, weights, dual["potentials"].vector(weights.length), path)
    else:
        u = dual["edges"].matrix(len(neighbours.pairs), len(guesses))
        bound = graph_rule(consumer, neighbours, alpha, weights, dual["potentials"].vector(weights.length), u, path)
    equals(bound.value, value, "the dual's bound = $.claim.value")
    if c.kind == "unique":
        charge(weights.length * len(guesses), held=3 * weights.length * len(guesses))
        level = weights.entries if consumer.prior is None else ()
        same = [{(i, r): consumer.loss.entry(i, r) for r in range(len(guesses))} for i in level]
        unique(bound.forced + same, weights.length, len(guesses), path)
    return (f"No {show(alpha)}-private mechanism on {neighbours.title} has {consumer.title} below {show(value.rational())}, and {end}.")

def best_remap(c: Case) -> str:
    """What no remap of M can beat (SPEC §4.3): the claim's remap, the witness's remaps and the bound as far as named."""
    f, w, m = c.claim, c.witness, c.mechanism("mechanism")
    consumer, end = c.consumer(m.inputs), "one attains it"
    guesses, value, stated = consumer.loss.guesses, f["value"], f["loss" if "loss" in f else "value"]
    if c.kind == "optimal-remap":
        demand(("remap" in w) != ("remap" in f), "$.witness", "remap, if and only if the claim names none")
    if "remap" in f:
        remap = c.mechanism("remap", m.outputs, guesses)
        equals(loss_of(consumer, m, remap.matrix()), stated, f"the loss after the claim's remap = {stated.path}")
        end = f"the {remap.title} {'alone attains' if c.kind == 'unique-remap' else 'attains'} it"
    if "loss" in f:
        end = f"one attains it; the {remap.title} has {check_gap(f)}"
    if "remap" in w:
        attain(consumer, m, w["remap"], value)
    if c.kind == "not-unique-remap":
        differ(*(attain(consumer, m, w[key], value) for key in ("first", "second")))
        end = "more than one attains it"
    weights = c.weights(consumer, w, "$.witness")
    equals(remap_bound(consumer, m, weights), value, "the least loss after a remap = $.claim.value")
    if c.kind == "unique-remap":
        least, M, g = columnwise(min, remap_scores(consumer, m, weights)), m.matrix(), range(len(guesses))
        charge(M.count() * len(g), m.bits, held=2 * len(m.outputs) * len(g) + M.count() * len(g))
        forced = [{(y, r): 1} for r, scores in enumerate(remap_scores(consumer, m, weights))
                  for y, score in enumerate(scores) if score > least[y]]
        for i in weights.entries if consumer.prior is None else ():
            forced.append({(y, r): x * consumer.loss.entry(i, r) for y, x in M.rows[i].items() for r in g})
        unique(forced, len(m.outputs), len(g), "$.witness")
    return f"No remap of the outputs of the {m.title} has {consumer.title} below {show(value.rational())}, and {end}."

def release(c: Case) -> str:
    """G(n, α_i)·T_(i+1) = G(n, α_(i+1)), and the tightest level of what each coalition sees (SPEC §4.6)."""
    n, levels = c.claim["n"].index(), [node.level() for node in c.claim["levels"].items()]
    k, path = len(levels), "$.claim.levels"
    demand(n > 0, "$.claim.n", "must be 1 or more")
    demand(0 < k < 20 and all(a < b for a, b in pairwise(levels)), path, "levels must increase strictly, from 1 to 19 of them")
    coalitions, stages = c.claim["coalitions"].items(2**k - 1), c.witness["stages"].items(k - 1)
    mechanisms, chain = [geometric(n, alpha) for alpha in levels], list[Matrix]()
    for node, (a, b) in zip(stages, pairwise(mechanisms), strict=True):
        chain.append(stochastic(node.matrix(n + 1, n + 1), node.path))
        check_product(a, chain[-1], b, node.path)
    cells, bits = (n + 1) ** (k + 1), mechanisms[0].bits + sum(T.bits() for T in chain)
    charge(cells * 2**k * (k + 4), bits, products=2 * cells, held=2 * cells)
    joint = {(r,): mechanisms[0].column(r) for r in range(n + 1)}     # results (r_1, r_2, …): numerators over the inputs
    joint_laws: dict[tuple[int, ...], list[int]] = dict(joint)
    for T in chain:
        joint_laws = {(*seen, r): [x * t for x in law] for seen, law in joint_laws.items() for r, t in T.rows[seen[-1]].items()}
    for mask, node in enumerate(coalitions, start=1):
        f, members = node.fields("members level"), [i for i in range(k) if mask >> i & 1]
        demand(f["members"].value == members, f["members"].path, f"coalition {mask} is {members} (ordered by Σ 2^i)")
        view, least = dict[tuple[int, ...], list[int]](), (1, 1)
        for results, law in joint_laws.items():
            seen = tuple(results[i] for i in members)
            view[seen] = [x + y for x, y in zip(law, view.get(seen, [0] * (n + 1)), strict=True)]
        for law in view.values():
            for a, b in pairwise(law):
                least = min(least, (a, b), (b, a), key=lambda pair: Fraction(*pair))
        equals(ratio(*least), f["level"], f"the tightest level of what the coalition {members} sees = {f['level'].path}")
    return (f"The geometric mechanisms G({n}, α) for α = {show(levels)} have a joint law in which each result is computed from the one "
            f"before, and what each of the {2**k - 1} coalitions sees has on path({n + 1}) the tightest level stated.")

BEST = "neighbours level consumer value"
CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {     # kind: its function, claim keys, witness keys
    "not-stochastic": (not_stochastic, "table", "row column?"),
    "private": (privacy, "mechanism neighbours level", ""),
    "not-private": (privacy, "mechanism neighbours level", "pair output"),
    "level": (privacy, "mechanism neighbours ratio distance", "pair? output?"),
    "derivable": (derivability, "source target", "remap"),
    "not-derivable": (derivability, "source target", "separator"),
    "optimal": (optimality, f"{BEST} mechanism?", "primal? dual"),
    "not-optimal": (optimality, f"{BEST} mechanism loss gap", "primal dual"),
    "optimal-after-remap": (optimality, f"{BEST} mechanism", "remap dual"),
    "not-optimal-after-remap": (optimality, f"{BEST} mechanism loss gap", "remap weights? primal dual"),
    "unique": (optimality, f"{BEST} mechanism", "dual"),
    "not-unique": (optimality, BEST, "first second dual"),
    "optimal-remap": (best_remap, "mechanism consumer value remap?", "weights? remap?"),
    "not-optimal-remap": (best_remap, "mechanism consumer value remap loss gap", "weights? remap"),
    "unique-remap": (best_remap, "mechanism consumer value remap", "weights?"),
    "not-unique-remap": (best_remap, "mechanism consumer value", "first second weights?"),
    "release": (release, "n levels coalitions", "stages"),
}

# ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────────

EXIT_CODES = {"accepted": 0, "rejected": 1, "limit": 4, "malformed": 3, "unreadable": 2, "defect": 70}     # from good to bad

@dataclass(frozen=True)
class Answer:
    """What the kernel found: its own sentence when it accepts, an explanation otherwise."""

    status: str
    text: str
    kind: str | None = None
    digest: str | None = None
    rule: str | None = None
    path: str | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of SPEC §5."""
        return EXIT_CODES[self.status]

def check(value: object) -> Answer:
    """Check a parsed certificate: the frame, the digest, the definitions, then the claim."""
    top = Node(value, "$").fields("format version claim definitions witness provenance? digest")
    demand((top["format"].value, top["version"].value) == (FORMAT, VERSION), "$", f"must be {FORMAT} {VERSION}")
    for node in top["provenance"].members().values() if "provenance" in top else ():
        node.text()
    kind = top["claim"].members().get("kind", top["claim"]).value
    demand(isinstance(kind, str) and kind in CLAIMS, "$.claim", f"kind must be one of {', '.join(CLAIMS)}")
    function, claim_keys, witness_keys = CLAIMS[cast(str, kind)]
    claim, witness = top["claim"].fields(f"kind {claim_keys}"), top["witness"].fields(witness_keys)
    digest = digest_of(cast(dict[str, object], value))
    require(top["digest"].text() == digest, "digest", "$.digest", top["digest"].text(), digest)
    named = [*claim.values(), *(claim["consumer"].members() if "consumer" in claim else {}).values()]
    used, definitions = {node.value for node in named if isinstance(node.value, str)}, top["definitions"].members()
    for name in definitions:
        demand(NAME.fullmatch(name) is not None, "$.definitions", f"{show(name)} is not a name (SPEC §3)")
        demand(name in used, "$.definitions", f"the claim does not use {show(name)}")
    case = Case(cast(str, kind), claim, witness, {name: define(name, node) for name, node in definitions.items()})
    return Answer("accepted", f"{function(case)} Scope: one instance.", cast(str, kind), digest)

def check_bytes(data: bytes) -> Answer:
    """Check the bytes of a certificate file. Never raises."""
    WORK.set([0])
    try:
        return check(read(data))
    except Stop as stop:
        return Answer(stop.status, str(stop), rule=stop.rule, path=stop.path)
    except (MemoryError, RecursionError, OverflowError) as error:
        return Answer("limit", f"a limit of this machine was reached: {type(error).__name__}")
    except Exception as error:     # a defect of the kernel, never an acceptance
        return Answer("defect", f"please report this: {type(error).__name__}: {error}")

def main(arguments: list[str] | None = None) -> int:
    """Check files, print a line for each, and return the worst exit code."""
    parser = argparse.ArgumentParser(prog="kernel.py", description=f"Check exactdp certificates, format {VERSION}.", epilog="Exit code: 0 accepted, "
                                     "1 rejected, 2 usage, 3 malformed, 4 a limit was reached, 70 a defect; of several files the worst.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a certificate, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--version", action="version", version=f"exactdp kernel, format {VERSION}")
    options, answers, coding = parser.parse_args(arguments), list[Answer](), sys.stdout.encoding or "ascii"
    for name in options.files:
        try:
            with sys.stdin.buffer if name == "-" else open(name, "rb") as stream:
                answers.append(check_bytes(stream.read(MAX_BYTES + 1)))
        except OSError as error:
            answers.append(Answer("unreadable", error.strerror or str(error)))
        line = f"{show(name)}: {answers[-1].status}: {answers[-1].text}"
        if options.json:
            line = json.dumps({"file": name, "exit_code": answers[-1].exit_code, **vars(answers[-1])}, sort_keys=True)
        print(line.encode(coding, "backslashreplace").decode(coding))
    return EXIT_CODES[max((answer.status for answer in answers), key=list(EXIT_CODES).index)]

if __name__ == "__main__":
    sys.exit(main())
