#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The trusted kernel: decides whether a file is a valid exactdp certificate.

One file, standard library only, integers and fractions only. It shares no code with the program that writes certificates.
The rules, with the same letters, are those of `exactdp/certificate/SPEC.md`, version 0.1.

    python -I kernel.py FILE...        FILE may be - for standard input

Exit code 0 accepted, 1 rejected, 2 usage, 3 malformed, 4 a limit was reached, 70 a defect of the kernel.
In order: limits and answers, reader, numbers, definitions, privacy, losses, dual rules, claims, main.
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
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd, isqrt, lcm
from typing import TypeVar, cast

FORMAT, VERSION = "exactdp-certificate", "0.1"
DIGESTED = ("format", "version", "claim", "definitions", "witness")
PRIME = 2**61 - 1     # ranks are computed modulo this

# ── Limits and answers (SPEC §5, §7) ────────────────────────────────────────────────────────────────────────────────

LIMITS = {            # each is checked before the work that it bounds
    "bytes": 64 * 2**20,      # in a file
    "nesting": 12,            # of brackets
    "tokens": 2_000_000,      # brackets, strings and numbers in a file
    "digits": 1_000_000,      # characters in one integer
    "memory": 2**31,          # bits that one rule holds, counting 512 more for each number
    "work": 10**9,            # about one operation on small integers each
}
EXIT_CODES = {"accepted": 0, "rejected": 1, "limit": 4, "malformed": 3, "unreadable": 2, "defect": 70}   # from good to bad
WORK: ContextVar[list[int]] = ContextVar("WORK")     # the work announced so far, for one file

@dataclass(frozen=True)
class Answer:
    """What the kernel found: its own sentence when it accepts, an explanation otherwise."""

    status: str
    sentence: str
    kind: str | None = None
    digest: str | None = None
    rule: str | None = None
    path: str | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of SPEC §5."""
        return EXIT_CODES[self.status]

class Stop(Exception):     # noqa: N818
    """Ends a check; its argument is the answer."""

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
        raise Stop(Answer("limit", f"the limit of {LIMITS[limit]} {limit} is exceeded: {show(figure)}", rule=limit))

def charge(steps: int, bits: int = 0, products: int = 0, held: int = 0) -> None:
    """Announce sums (or products by small numbers), products, and numbers held, all of so many bits."""
    within("memory", max(held * (bits + 512), bits))
    WORK.get()[0] += steps * (1 + bits // 2000) + products * (1 + isqrt((bits // 256) ** 3))
    within("work", WORK.get()[0])

# ── Reader: bytes to JSON values that know their path ───────────────────────────────────────────────────────────────

TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}"]|[^\s\[\]{}",:]++', re.DOTALL)
INDEX = re.compile(rb"0|[1-9][0-9]{0,8}")
INTEGER = re.compile(r"0|-?[1-9][0-9]*+")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
KINDS = {str: "a string", int: "an integer", list: "a list", dict: "an object"}
Labels = tuple[str, ...]
T = TypeVar("T")

def read(data: bytes) -> object:
    """Strict JSON. One linear scan bounds nesting and tokens before anything is built."""
    within("bytes", len(data))
    depth = 0
    for count, match in enumerate(TOKEN.finditer(data), start=1):
        token = match.group()
        within("tokens", count)
        if token in b"[]{}":
            depth += 1 if token in b"[{" else -1
            within("nesting", depth)
        elif token[:1] != b'"':
            demand(INDEX.fullmatch(token) is not None, f"$ at byte {match.start()}",
                   "outside strings only integers 0 to 999999999 (no signs, floats, true, false, null, NaN)")
    try:
        return cast(object, json.loads(data.decode("utf-8"), object_pairs_hook=distinct))
    except ValueError as error:
        raise Stop(Answer("malformed", f"$: not JSON in UTF-8: {error}", rule="JSON in UTF-8", path="$")) from None

def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object, in which no key occurs twice."""
    result = dict(pairs)
    demand(len(result) == len(pairs), "$", f"a key occurs twice in one object, with the keys {show([key for key, _ in pairs])}")
    return result

@dataclass(frozen=True)
class Node:
    """A JSON value and its path in the file."""

    value: object
    path: str

    def of(self, kind: type[T]) -> T:
        """The value, which must be of this kind."""
        demand(type(self.value) is kind, self.path, f"{KINDS[kind]} is expected")
        return cast(T, self.value)

    def fields(self, keys: str | None = None) -> dict[str, Node]:
        """The members of an object, which must have exactly these keys if any are given; those marked ? may be absent."""
        members = {key: Node(value, f"{self.path}.{show(key)}") for key, value in self.of(dict).items()}
        for key in (keys or "").split():
            demand(key[-1] == "?" or key in members, self.path, f"the key {show(key)} is missing")
        for key in members:
            demand(keys is None or key in keys.replace("?", "").split(), self.path, f"the key {show(key)} does not belong here")
        return members

    def items(self, length: int | None = None) -> list[Node]:
        """The entries of a list, of the given length if one is given."""
        values = self.of(list)
        demand(length in (None, len(values)), self.path, f"{length} entries are expected, not {len(values)}")
        return [Node(value, f"{self.path}[{i}]") for i, value in enumerate(values)]

    def index(self, bound: int = 10**9) -> int:
        """A JSON integer below the bound."""
        demand(self.of(int) < bound, self.path, f"must be below {bound}")
        return self.of(int)

    def indices(self, bound: int) -> list[int]:
        """A strictly increasing list of such integers."""
        result = [item.index(bound) for item in self.items()]
        demand(all(i < j for i, j in pairwise(result)), self.path, "must increase strictly")
        return result

    def labels(self) -> Labels:
        """A non-empty list of distinct non-empty strings."""
        result = tuple(item.of(str) for item in self.items())
        demand(0 < len(result) == len(set(result)) and all(result), self.path, "one or more labels, distinct and not empty")
        return result

    def rational(self, text: str | None = None) -> Fraction:
        """A rational in lowest terms, written p, or p/q with q ≥ 2."""
        numerator, slash, denominator = (self.of(str) if text is None else text).partition("/")
        p, q = integer(numerator, self.path), integer(denominator, self.path) if slash else 1
        demand(q > 1 or not slash, self.path, "a denominator must be 2 or more")
        demand(ratio(p, q).denominator == q, self.path, "must be in lowest terms")
        return Fraction(p, q)

    def level(self) -> Fraction:
        """A level α, 0 < α < 1."""
        demand(0 < self.rational() < 1, self.path, "must satisfy 0 < level < 1")
        return self.rational()

    def distance(self) -> Fraction:
        """d², for a distance d: a rational > 0, or sqrt(q) with q > 0 not the square of a rational."""
        text = self.of(str)
        number = self.rational(text[5:-1]) if (rooted := text[:5] + text[-1:] == "sqrt()") else self.rational()
        demand(number > 0, self.path, "a distance must be positive")
        demand(not rooted or root(number) is None, self.path, "the number under the root must not be a square")
        return number if rooted else number**2

    def vector(self, length: int) -> Matrix:
        """A vector of this length over one denominator: dense {den, num} or sparse {den, at, num}."""
        f = self.fields("den num at?")
        den, num = integer(f["den"].of(str), self.path), [integer(node.of(str), node.path) for node in f["num"].items()]
        at = f["at"].indices(length) if "at" in f else list(range(length))
        demand(len(at) == len(num), self.path, f"{len(at)} numerators are expected, not {len(num)}")
        demand("at" not in f or all(num), self.path, "a sparse vector must not list zeros")
        demand(den > 0, self.path, "the denominator must be positive")
        charge(len(num) + den.bit_length() * size(num) // 50_000)
        demand(gcd(den, *num) == 1, self.path, "denominator and numerators must have no common divisor")
        return Matrix(length, den, [{i: p for i, p in zip(at, num, strict=True) if p}])

    def matrix(self, height: int, width: int) -> Matrix:
        """A matrix: the list of its rows, brought to their least common denominator."""
        rows = [row.vector(width) for row in self.items(height)]
        dens = {row.den for row in rows}
        charge(len(rows) + sum(den.bit_length() for den in dens) ** 2 // 50_000)
        den = lcm(*dens)
        count = sum(len(row.rows[0]) for row in rows)
        charge(0, den.bit_length() + size(x for row in rows for x in row.rows[0].values()), count, count)
        return Matrix(width, den, [{j: p * (den // row.den) for j, p in row.rows[0].items()} for row in rows])

def integer(text: str, path: str) -> int:
    """0, or [-] and digits without leading zeros."""
    within("digits", len(text))
    demand(INTEGER.fullmatch(text) is not None, path, "an integer is 0, or [-] and digits without leading zeros")
    charge(1, 2 * len(text), products=len(text) // 2000)
    return -digits(text[1:]) if text[0] == "-" else digits(text)

def digits(text: str) -> int:
    """The value of decimal digits, by halves (Python's own conversion is quadratic, and stops at 4300)."""
    half = len(text) // 2
    return int(text) if len(text) <= 2000 else digits(text[:-half]) * 10**half + digits(text[-half:])

def show(value: object) -> str:
    """A value for people: what is long is abbreviated in the middle, odd characters are escaped."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{show(value.numerator)}/{show(value.denominator)}"
    if isinstance(value, int | Fraction):
        number, sign = abs(int(value)), "-" if value < 0 else ""
        drop = max(number.bit_length() * 30102 // 100_000 - 20, 0)
        return sign + (str(number) if drop < 100 else f"{number // 10**drop}…({drop - 10} digits)…{number % 10**10:010}")
    if isinstance(value, tuple | list):
        middle = [f"… {len(value) - 24} more …"] if len(value) > 24 else map(show, value[12:-12])
        return ", ".join([*map(show, value[:12]), *middle, *map(show, value[max(12, len(value) - 12):])])
    text = str(value) if len(str(value)) < 300 else f"{str(value)[:140]}…{str(value)[-140:]}"
    return text if text.isprintable() else json.dumps(text)

def canonical_bytes(value: object) -> bytes:
    """The canonical bytes of a JSON value (SPEC §6)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")

def digest_of(certificate: dict[str, object]) -> str:
    """The digest of a certificate: SHA-256 of format, version, claim, definitions and witness (SPEC §6)."""
    return "sha256:" + hashlib.sha256(canonical_bytes({key: certificate[key] for key in DIGESTED})).hexdigest()

# ── Numbers (SPEC §2, §3) ───────────────────────────────────────────────────────────────────────────────────────────

def size(numbers: Iterable[int]) -> int:
    """A bound of the bits of each of some integers."""
    return max((number.bit_length() for number in numbers), default=0) + 1

def ratio(num: int, den: int) -> Fraction:
    """num/den in lowest terms."""
    charge(1 + num.bit_length() * den.bit_length() // 50_000)
    return Fraction(num, den)

@dataclass(frozen=True)
class Matrix:
    """Entry (i, j) is rows[i][j]/den; zeros are left out. A vector is a matrix of one row."""

    width: int
    den: int
    rows: list[dict[int, int]]

    def bits(self) -> int:
        """A bound of the bits of the numerators and of the denominator."""
        return size([self.den, *(x for row in self.rows for x in row.values())])

    def count(self) -> int:
        """The number of non-zero entries."""
        return sum(map(len, self.rows))

    def column(self, j: int, factor: int = 1) -> list[int]:
        """The numerators of column j times a factor."""
        return [row[j] * factor if j in row else 0 for row in self.rows]

    def times(self, factor: int) -> list[int]:
        """The numerators of a vector times a factor."""
        charge(self.width, self.bits() + factor.bit_length(), self.count(), held=self.width)
        return [self.rows[0][i] * factor if i in self.rows[0] else 0 for i in range(self.width)]

    def sum(self) -> Fraction:
        """The sum of the entries of a vector."""
        return ratio(sum(self.rows[0].values()), self.den)

def root(square: Fraction) -> Fraction | None:
    """√square when it is rational."""
    d = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return d if d * d == square else None

def power(alpha: Fraction, square: Fraction) -> Fraction | None:
    """α^d, d = √square, when it is rational: d = P/Q, and α is the Q-th power of a rational."""
    d, bits, base = root(square), alpha.denominator.bit_length(), list[int]()
    if d is None or d.denominator > bits:
        return None
    charge(0, max(2, d.numerator) * bits, products=16 * bits // d.denominator + 64)
    for number in (alpha.numerator, alpha.denominator):
        low, high = 1, 2 ** (bits // d.denominator + 1)     # low^Q ≤ number < high^Q
        while low + 1 < high:
            middle: int = (low + high) // 2
            low, high = (middle, high) if middle**d.denominator <= number else (low, middle)
        base.append(low)
    return Fraction(*base) ** d.numerator if Fraction(*base) ** d.denominator == alpha else None

def convergents(square: Fraction) -> Iterator[Fraction]:
    """The continued fraction of an irrational √square = √N/b: below, above, below, … and ever closer."""
    N, m, b = square.numerator * square.denominator, 0, square.denominator
    p, q, p_, q_ = 1, 0, 0, 1
    while True:
        a = (m + isqrt(N)) // b
        m = a * b - m
        b = (N - m * m) // b
        p, q, p_, q_ = a * p + p_, a * q + q_, p, q
        yield Fraction(p, q)

def order(x: int, y: int, alpha: Fraction, d: Fraction) -> int:
    """The sign of x − α^d·y for a rational d ≥ 0."""
    P, Q = d.numerator, d.denominator
    charge(0, Q * max(x, y).bit_length() + P * alpha.denominator.bit_length(), products=6)
    left: int = x**Q * alpha.denominator**P
    right: int = y**Q * alpha.numerator**P
    return (left > right) - (left < right)

def at_least(x: int, y: int, alpha: Fraction, square: Fraction) -> bool:
    """Whether x ≥ α^d·y, for x, y ≥ 0, 0 < α ≤ 1, d = √square > 0 (SPEC §3)."""
    if x >= y or x == 0 or alpha == 1:
        return x >= y
    if square == 1:
        return x * alpha.denominator >= y * alpha.numerator
    x, y = ratio(x, y).as_integer_ratio()
    d = root(square)
    for c in convergents(square) if d is None else (d,):     # d irrational: x ≠ α^d·y, so the loop ends
        if (d == c or c * c < square) and order(x, y, alpha, c) >= 0:     # x ≥ α^c·y ≥ α^d·y
            return True
        if c * c > square and order(x, y, alpha, c) <= 0:                 # x ≤ α^c·y < α^d·y
            return False
    return False

# ── Definitions (SPEC §3) ───────────────────────────────────────────────────────────────────────────────────────────

@dataclass(frozen=True)
class Table:
    """Any matrix, with labels: the entry (i, r) is entry(i, r)/den."""

    title: str
    inputs: Labels
    outputs: Labels
    den: int
    bits: int
    entry: Callable[[int, int], int]

class Loss(Table):
    """l(i, r), its outputs being the guesses."""

    def weighed(self, w: list[int], r: int) -> list[int]:
        """w_i l(i, r) for all i."""
        return [x * self.entry(i, r) if x else 0 for i, x in enumerate(w)]

@dataclass(frozen=True)
class Mechanism:
    """A row-stochastic matrix M by its products: left(lift·v) = den·v·M and right(lift·t) = den·M·t, in integers."""

    title: str
    inputs: Labels
    outputs: Labels
    den: int
    lift: int
    left: Callable[[list[int]], list[int]]
    right: Callable[[list[int]], list[int]]
    bits: int     # of an entry of den·M
    work: int     # operations in a product

    def columns(self, remap: Matrix | None = None) -> Iterator[list[int]]:
        """The columns of den·M, or of den·M·(remap.den·T)."""
        T = remap or Matrix(len(self.outputs), 1, [{y: 1} for y in range(len(self.outputs))])
        charge(T.width * (self.work + len(T.rows)), self.bits + T.bits(), products=T.count() + (self.work if remap else 0))
        return (self.right(T.column(r, self.lift)) for r in range(T.width))

    def matrix(self) -> Matrix:
        """M multiplied out."""
        charge(0, self.bits, held=len(self.inputs) * len(self.outputs))
        rows = [{r: x for r, x in enumerate(row) if x} for row in zip(*self.columns(), strict=True)]
        return Matrix(len(self.outputs), self.den, rows)

@dataclass(frozen=True)
class Neighbours:
    """The constrained pairs, as i < j and d(i, j)²."""

    title: str
    inputs: Labels
    pairs: list[tuple[int, int, Fraction]]

    def is_path(self) -> bool:
        """A path in order: the pairs are {i, i+1}, at distance 1, of two vertices or more."""
        return self.pairs == [(i, i + 1, Fraction(1)) for i in range(len(self.inputs) - 1)] != []

@dataclass(frozen=True)
class Consumer:
    """A loss with a prior (Bayesian), or with side information S (minimax: the prior is None)."""

    title: str
    loss: Loss
    S: list[int]
    prior: Matrix | None

Definition = Table | Mechanism | Neighbours | Loss
D = TypeVar("D", Table, Mechanism, Neighbours, Loss)
TYPES = {"mechanism": "inputs outputs rows", "table": "inputs outputs rows", "loss": "inputs guesses rows", "geometric": "n level",
         "path": "vertices", "graph": "vertices edges", "distances": "vertices pairs"}
STANDARD_LOSSES: dict[object, Callable[[int, int], int]] = {
    "abs-loss": lambda i, r: abs(i - r), "squared-loss": lambda i, r: (i - r) ** 2, "zero-one-loss": lambda i, r: int(i != r)}

def numbered(count: int) -> Labels:
    """The labels "0", …, "count − 1"."""
    charge(count, held=count)
    return tuple(map(str, range(count)))

def spread(c: list[int], alpha: Fraction) -> list[int]:
    """f_j = Σ_i α^|i−j| c_i, α = p/q, when q^n divides every c_i: two sweeps in which every division is exact."""
    p, q, carry, f = alpha.numerator, alpha.denominator, 0, list[int]()
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
    bits = (n + 2) * q.bit_length()
    charge(0, bits, products=2)
    s = [q, *[q - p] * (n - 1), q] if n else [p + q]     # (p + q)·s_j

    def left(v: list[int]) -> list[int]:
        return [s_j * f for s_j, f in zip(s, spread(v, alpha), strict=True)]

    def right(t: list[int]) -> list[int]:
        return spread([s_j * t_j for s_j, t_j in zip(s, t, strict=True)], alpha)

    title = f"geometric mechanism G({n}, {show(alpha)})"
    return Mechanism(title, labels, labels, q**n * (p + q), q**n, left, right, bits, 8 * (n + 1))

def tabular(title: str, inputs: Labels, outputs: Labels, matrix: Matrix, path: str) -> Mechanism:
    """The mechanism with these rows."""
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
        total, least = Fraction(sum(row.values()), matrix.den), Fraction(min(row.values(), default=0), matrix.den)
        require(least >= 0, "row-stochastic: entries ≥ 0", f"{path}[{i}]", least, 0)
        require(total == 1, "row-stochastic: the row sums to 1", f"{path}[{i}]", total, 1)
    return matrix

def define(name: str, node: Node) -> Definition:
    """Read one definition."""
    kind = node.fields().get("type", node).value
    demand(isinstance(kind, str) and (kind in TYPES or kind in STANDARD_LOSSES), node.path, "type must be one of SPEC §3")
    f, title = node.fields("type " + TYPES.get(cast(str, kind), "n")), f"{kind} {name}"
    if kind in STANDARD_LOSSES:
        labels = numbered(f["n"].index() + 1)
        return Loss(cast(str, kind).removesuffix("-loss"), labels, labels, 1, 60, STANDARD_LOSSES[kind])
    if kind == "geometric":
        return geometric(f["n"].index(), f["level"].level())
    if kind == "path":
        demand(f["vertices"].index() > 0, node.path, "a path has one vertex or more")
        labels = numbered(f["vertices"].index())
        return Neighbours(f"path({len(labels)})", labels, [(i, i + 1, Fraction(1)) for i in range(len(labels) - 1)])
    if kind in ("graph", "distances"):
        labels, listed, pairs = f["vertices"].labels(), f["edges" if kind == "graph" else "pairs"], []
        for item in listed.items():
            i, j, *d = item.items(2 if kind == "graph" else 3)
            pairs.append((i.index(len(labels)), j.index(len(labels)), d[0].distance() if d else Fraction(1)))
        demand(all(i < j for i, j, _ in pairs), listed.path, "a pair is [i, j] with i < j")
        demand(all(a[:2] < b[:2] for a, b in pairwise(pairs)), listed.path, "pairs must increase strictly")
        return Neighbours(title, labels, pairs)
    rows, columns = f["inputs"].labels(), f["guesses" if kind == "loss" else "outputs"].labels()
    matrix = f["rows"].matrix(len(rows), len(columns))
    if kind == "mechanism":
        return tabular(title, rows, columns, matrix, f["rows"].path)
    make, title = (Loss, name) if kind == "loss" else (Table, title)
    return make(title, rows, columns, matrix.den, matrix.bits(), lambda i, r: matrix.rows[i].get(r, 0))

def distribution(node: Node, length: int, support: list[int], rule: str) -> Matrix:
    """A vector ≥ 0 that sums to 1 and is zero outside the support."""
    vector, allowed = node.vector(length), set(support)
    for i, x in vector.rows[0].items():
        require(x > 0, f"{rule}: entries ≥ 0 (entry {i})", node.path, Fraction(x, vector.den), 0)
        require(i in allowed, f"{rule}: zero outside S (entry {i})", node.path, Fraction(x, vector.den), 0)
    require(vector.sum() == 1, f"{rule}: the sum is 1", node.path, vector.sum(), 1)
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
        definition = self.definitions.get(node.of(str))
        demand(type(definition) is kind, node.path, f"must name a {kind.__name__.lower()} in definitions")
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
        kind = node.fields().get("type", node).value
        demand(kind in ("minimax", "bayesian"), node.path, "type must be minimax or bayesian")
        f = node.fields("type loss side_information" if kind == "minimax" else "type loss prior")
        loss = self.named(f["loss"], Loss)
        require(loss.inputs == inputs, "the input labels agree", f["loss"].path, loss.inputs, inputs)
        if kind == "minimax":
            S = f["side_information"].indices(len(inputs))
            demand(S != [], f["side_information"].path, "must not be empty")
            return Consumer(f"minimax loss (loss {loss.title}, S = {{{show([inputs[i] for i in S])}}})", loss, S, None)
        prior = distribution(f["prior"], len(inputs), list(range(len(inputs))), "prior")
        shown = show([Fraction(prior.rows[0].get(i, 0), prior.den) for i in range(len(inputs))])
        return Consumer(f"expected loss (loss {loss.title}, prior ({shown}))", loss, [], prior)

def weights(consumer: Consumer, fields: dict[str, Node], path: str) -> Matrix:
    """w: the prior; or weights on S, given if and only if the consumer is minimax."""
    demand(("weights" in fields) == (consumer.prior is None), path, "weights, if and only if the consumer is minimax")
    return consumer.prior or distribution(fields["weights"], len(consumer.loss.inputs), consumer.S, "weights")

# ── Privacy ─────────────────────────────────────────────────────────────────────────────────────────────────────────

def check_private(m: Mechanism, neighbours: Neighbours, alpha: Fraction, path: str, unit: Fraction = Fraction(1)) -> None:
    """x_ir ≥ t^d(i,j)·x_jr for each constrained pair, in both orders, and each output r, where t = α^(1/√unit)."""
    charge(4 * len(m.outputs) * len(neighbours.pairs), m.bits + alpha.denominator.bit_length())
    pairs = [(i, j, square / unit) for a, b, square in neighbours.pairs for i, j in ((a, b), (b, a))]
    for r, x in enumerate(m.columns()):
        for i, j, square in pairs:
            if not at_least(x[i], x[j], alpha, square):
                rule = f"privacy: x_ir ≥ ({show(alpha)})^d · x_jr at i = {i}, j = {j}, r = {r}, d² = {show(square)}"
                require(False, rule, path, ratio(x[i], m.den), ratio(x[j], m.den))

def privacy(c: Case) -> str:
    """private, not-private and level."""
    f, w, neighbours = c.claim, c.witness, c.named(c.claim["neighbours"], Neighbours)
    m, where = c.mechanism("mechanism", neighbours.inputs), neighbours.title
    alpha = f["ratio"].rational() if c.kind == "level" else f["level"].level()
    unit = f["distance"].distance() if c.kind == "level" else Fraction(1)
    demand(0 <= alpha <= 1, "$.claim.ratio", "must satisfy 0 ≤ ratio ≤ 1")
    demand(0 < alpha < 1 or unit == 1, "$.claim.distance", "must be 1 if the ratio is 0 or 1")
    if c.kind == "level":
        demand(len(w) == (2 if alpha < 1 else 0), "$.witness", "pair and output, if and only if the ratio is less than 1")
    if w:
        i, j = (node.index(len(m.inputs)) for node in w["pair"].items(2))
        column = list(m.columns())[w["output"].index(len(m.outputs))]
        squares = [square for a, b, square in neighbours.pairs if (a, b) in ((i, j), (j, i))]
        require(squares != [], "the pair is constrained", "$.witness.pair", (i, j), f"a pair of {where}")
        x, y = ratio(column[i], m.den), ratio(column[j], m.den)
        if c.kind == "not-private":
            require(not at_least(column[i], column[j], alpha, squares[0]), "x_ir < α^d · x_jr", "$.witness", x, y)
            return f"The {m.title} is not {show(alpha)}-private on {where}."
        require(y > 0, "x_jr > 0", "$.witness", y, 0)
        require(x == alpha * y, "x_ir = ratio · x_jr", "$.witness", x, alpha * y)
        require(alpha == 0 or squares[0] == unit, "d(i, j)² = distance²", "$.witness", squares[0], unit)
    if alpha == 0:
        return f"The {m.title} is private at no level on {where}."
    check_private(m, neighbours, alpha, "$.claim.mechanism", unit)
    if c.kind == "private":
        return f"The {m.title} is {show(alpha)}-private on {where}."
    t = show(alpha) if unit == 1 else f"({show(alpha)})^(1/({f['distance'].of(str)}))"
    return f"The largest level at which the {m.title} is private on {where} is {t}."

# ── Losses and remaps (SPEC §4.1, §4.3) ─────────────────────────────────────────────────────────────────────────────

def loss_of(consumer: Consumer, m: Mechanism, remap: Matrix | None = None) -> Fraction:
    """The loss of M, or of M·T: the largest over S, or the prior's mean, of Σ_r l(i,r) x_ir."""
    loss, prior, den = consumer.loss, consumer.prior, m.den * consumer.loss.den * (remap.den if remap else 1)
    charge(2 * len(loss.outputs) * len(loss.inputs), den.bit_length() + loss.bits)
    total = dict.fromkeys(consumer.S if prior is None else prior.rows[0], 0)
    for r, x in enumerate(m.columns(remap)):
        for i in total:
            total[i] += loss.entry(i, r) * x[i]
    if prior is None:
        return ratio(max(total.values()), den)
    return ratio(sum(weight * total[i] for i, weight in prior.rows[0].items()), prior.den * den)

def equals(computed: Fraction, node: Node, rule: str) -> None:
    """A number that the claim states is the one computed."""
    require(computed == node.rational(), rule, node.path, computed, node.rational())

def attain(consumer: Consumer, m: Mechanism, remap: Node, value: Node) -> Matrix:
    """T is row-stochastic, and the loss of M·T is the stated one."""
    T = stochastic(remap.matrix(len(m.outputs), len(consumer.loss.outputs)), remap.path)
    equals(loss_of(consumer, m, T), value, f"the loss after {remap.path} = {value.path}")
    return T

def primal(node: Node, consumer: Consumer, neighbours: Neighbours, alpha: Fraction, value: Node) -> Matrix:
    """An α-private mechanism with this loss: {rows: X}, or on a path {remap: T} for X = G(n, α)·T."""
    f = node.fields("rows? remap?")
    demand(len(f) == 1, node.path, "either rows or remap")
    if "remap" in f:
        require(neighbours.is_path(), "the neighbours are a path in order", node.path, neighbours.title, "a path")
        return attain(consumer, geometric(len(neighbours.inputs) - 1, alpha), f["remap"], value)
    X = f["rows"].matrix(len(neighbours.inputs), len(consumer.loss.outputs))
    m = tabular("primal", neighbours.inputs, consumer.loss.outputs, X, f["rows"].path)
    check_private(m, neighbours, alpha, node.path)
    equals(loss_of(consumer, m), value, f"the loss of {node.path} = {value.path}")
    return X

def best_of(choose: Callable[[int, int], int], rows: Iterable[list[int]]) -> list[int]:
    """The least (or largest) entry in each column, one row in memory at a time."""
    best = list[int]()
    for row in rows:
        best = list(map(choose, best, row)) if best else row
    return best

def scores(consumer: Consumer, m: Mechanism, w: Matrix) -> Iterator[list[int]]:
    """For each guess r, φ_r(y) = Σ_i w_i l(i,r) M_iy for all y, over the denominator w.den · loss.den · M.den."""
    steps, bits = len(consumer.loss.outputs) * (m.work + 2 * w.width), m.bits + consumer.loss.bits + w.bits()
    charge(steps, bits, products=steps if m.lift == 1 else 0)
    lifted = w.times(m.lift)
    return (m.left(consumer.loss.weighed(lifted, r)) for r in range(len(consumer.loss.outputs)))

# ── The dual rules (SPEC §4.2): lower bounds of the loss of every α-private mechanism ───────────────────────────────

Equation = dict[tuple[int, int], int]     # Σ (coefficient · δ_ir) = 0, where δ is the difference of two solutions

def path_rule(consumer: Consumer, neighbours: Neighbours, alpha: Fraction, w: Matrix, path: str) -> Fraction:
    """f_r(j) = Σ_i α^|i−j| w_i l(i,r), b = min_r f_r; then the forest rule with μ = K b/(1−α²), where K is tridiagonal with
    1, 1+α², …, 1+α², 1 on the diagonal and −α beside it. So Σ μ_i = Σ_j s_j b_j.
    """
    require(neighbours.is_path(), "path rule: the neighbours are a path in order", path, neighbours.title, "a path")
    loss, p, q, n = consumer.loss, alpha.numerator, alpha.denominator, len(neighbours.inputs) - 1
    charge(12 * len(loss.outputs) * (n + 1), (n + 1) * q.bit_length() + w.bits() + loss.bits)
    lifted = w.times(q**n)
    b = best_of(min, (spread(loss.weighed(lifted, r), alpha) for r in range(len(loss.outputs))))
    inner = [(q * q + p * p) * b[i] - p * q * (b[i - 1] + b[i + 1]) for i in range(1, n)]
    Kb = [q * q * b[0] - p * q * b[1], *inner, q * q * b[n] - p * q * b[n - 1]]
    mu = Matrix(n + 1, (q * q - p * p) * q**n * w.den * loss.den, [{i: x for i, x in enumerate(Kb) if x}])
    return forest_rule(consumer, neighbours, alpha, w, mu, path)

def forest_rule(consumer: Consumer, neighbours: Neighbours, alpha: Fraction, w: Matrix, mu: Matrix, path: str) -> Fraction:
    """c_i = w_i l(i,r) − μ_i; fold each leaf i into its neighbour j: c_j += α c_i if c_i ≥ 0, else c_i/α. Each root
    ends ≥ 0. The bound is Σ μ_i.
    """
    loss, p, q, beside = consumer.loss, alpha.numerator, alpha.denominator, [set[int]() for _ in neighbours.inputs]
    for i, j, square in neighbours.pairs:
        require(square == 1, "forest rule: every distance is 1", path, square, 1)
        beside[i].add(j)
        beside[j].add(i)
    folds, leaves = list[tuple[int, int]](), [i for i, near in enumerate(beside) if len(near) < 2]
    for i in leaves:                              # the list grows behind the loop, until each tree is down to its root
        folds += [(i, j) for j in beside[i]]
        for j in beside[i]:
            beside[j].remove(i)
            leaves += [j] if len(beside[j]) == 1 else []
    require(len(leaves) == len(beside), "forest rule: no cycle", path, len(leaves), len(beside))
    roots, den = set(leaves) - {i for i, _ in folds}, lcm(w.den * loss.den, mu.den)
    bits = len(folds) * 2 * q.bit_length() + den.bit_length() + w.bits() + mu.bits() + loss.bits
    charge(10 * len(loss.outputs) * len(beside), bits, held=2 * len(beside))
    exact = (p * q) ** len(folds)                 # so that every division below is exact
    lifted, potentials = w.times(exact * (den // (w.den * loss.den))), mu.times(exact * (den // mu.den))
    for r in range(len(loss.outputs)):
        c = [a - b for a, b in zip(loss.weighed(lifted, r), potentials, strict=True)]
        for i, j in folds:
            c[j] += c[i] * p // q if c[i] >= 0 else c[i] * q // p
        for i in roots:
            if c[i] < 0:
                require(False, f"the sweep of guess {r} ends ≥ 0 at root {i}", path, ratio(c[i], exact * den), 0)
    return mu.sum()

def graph_rule(consumer: Consumer, neighbours: Neighbours, alpha: Fraction, w: Matrix, mu: Matrix, u: Matrix,
               path: str) -> tuple[Fraction, list[Equation]]:
    """u_er > 0 multiplies x_ir − α^d x_jr ≥ 0, and −u_er > 0 multiplies x_jr − α^d x_ir ≥ 0, for e = {i, j}.
    slack_ir = w_i l(i,r) − μ_i − what the multipliers put on x_ir ≥ 0. The bound is Σ μ_i. Also returned: what holds
    where the bound is attained, x_ir = α^d x_jr at a positive multiplier and x_ir = 0 at a positive slack.
    """
    loss, cells, forced = consumer.loss, len(consumer.loss.inputs) * len(consumer.loss.outputs), list[Equation]()
    bits = 4 * (w.bits() + mu.bits() + u.bits() + 2 * loss.bits + alpha.denominator.bit_length())
    charge(20 * (cells + u.count()), bits, products=4 * (cells + u.count()), held=3 * cells)
    slack = {(i, r): Fraction(w.rows[0].get(i, 0) * loss.entry(i, r), w.den * loss.den) - Fraction(mu.rows[0].get(i, 0), mu.den)
             for i in range(w.width) for r in range(u.width)}
    powers = {square: power(alpha, square) for _, _, square in neighbours.pairs}
    for (i, j, square), row in zip(neighbours.pairs, u.rows, strict=True):
        a = powers[square]
        if a is None:
            require(False, f"graph rule: α^d is rational at d² = {show(square)}", path, alpha, "a perfect power")
            continue
        for r, multiplier in row.items():
            (above, below), v = ((i, r), (j, r)) if multiplier > 0 else ((j, r), (i, r)), Fraction(abs(multiplier), u.den)
            slack[above] -= v
            slack[below] += v * a
            forced.append({above: a.denominator, below: -a.numerator})
    for (i, r), value in slack.items():
        require(value >= 0, f"graph rule: slack_ir ≥ 0 at i = {i}, r = {r}", path, value, 0)
    return mu.sum(), forced + [{at: 1} for at, value in slack.items() if value > 0]

def unique(forced: list[Equation], rows: int, columns: int, path: str) -> None:
    """Two solutions are equal, if their difference δ satisfies `forced` and sums to 0 in each row, and these equations have
    full column rank: here modulo a prime, hence over ℚ (SPEC §4.5).
    """
    pivots = dict[tuple[int, int], Equation]()
    for equation in sorted(forced + [{(i, r): 1 for r in range(columns)} for i in range(rows)], key=len):
        row = {at: x % PRIME for at, x in equation.items() if x % PRIME}
        while row and (first := min(row)) in pivots:
            charge(2 * len(row) + 4 * len(pivots[first]))
            factor = row[first]
            for at, x in pivots[first].items():
                row[at] = (row.get(at, 0) - factor * x) % PRIME
            row = {at: x for at, x in row.items() if x}
        if row:
            inverse = pow(row[first], -1, PRIME)
            pivots[first] = {at: x * inverse % PRIME for at, x in row.items()}
    require(len(pivots) == rows * columns, "uniqueness: full column rank", path, len(pivots), rows * columns)

# ── Claims (SPEC §4): each returns the kernel's own sentence ────────────────────────────────────────────────────────

def not_stochastic(c: Case) -> str:
    """A row of a table has a negative entry, or does not sum to 1."""
    table, w = c.named(c.claim["table"], Table), c.witness
    i = w["row"].index(len(table.inputs))
    if "column" in w:
        entry = ratio(table.entry(i, w["column"].index(len(table.outputs))), table.den)
        require(entry < 0, "the entry < 0", "$.witness.column", entry, 0)
        return f"The {table.title} is not a mechanism: row {show(table.inputs[i])} has the entry {show(entry)}."
    total = ratio(sum(table.entry(i, r) for r in range(len(table.outputs))), table.den)
    require(total != 1, "the row's sum ≠ 1", "$.witness.row", total, 1)
    return f"The {table.title} is not a mechanism: row {show(table.inputs[i])} sums to {show(total)}, not 1."

def check_product(a: Mechanism, remap: Node, b: Mechanism) -> Matrix:
    """R is row-stochastic and A·R = B."""
    R = stochastic(remap.matrix(len(a.outputs), len(b.outputs)), remap.path)
    charge(0, a.bits + b.bits + R.bits(), products=2 * len(b.inputs) * len(b.outputs))
    for r, (left, right) in enumerate(zip(a.columns(R), b.columns(), strict=True)):
        for i, (x, y) in enumerate(zip(left, right, strict=True)):
            if x * b.den != y * a.den * R.den:
                rule = f"A·R = B at input {i}, output {r}"
                require(False, rule, remap.path, ratio(x, a.den * R.den), ratio(y, b.den))
    return R

def derivability(c: Case) -> str:
    """derivable: B = A·R; not-derivable: Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy."""
    a = c.mechanism("source")
    b = c.mechanism("target", a.inputs)
    if c.kind == "derivable":
        check_product(a, c.witness["remap"], b)
        return f"The {b.title} is derivable from the {a.title}: B = A·R for a row-stochastic R."
    W = c.witness["separator"].matrix(len(a.inputs), len(b.outputs))
    charge(W.width * a.work, a.bits + b.bits + W.bits(), products=W.count() * (2 + (len(a.outputs) if a.lift == 1 else 0)))
    best = best_of(max, (a.left(W.column(r, a.lift)) for r in range(W.width)))
    reached = sum(x * y for r, column in enumerate(b.columns()) for x, y in zip(W.column(r), column, strict=True))
    left, right = ratio(reached, W.den * b.den), ratio(sum(best), W.den * a.den)
    require(left > right, "Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy", "$.witness.separator", left, right)
    return f"The {b.title} is not derivable from the {a.title}: B = A·R for no row-stochastic R."

def check_gap(f: dict[str, Node]) -> str:
    """The gap = loss − value > 0."""
    loss, value, gap = (f[key].rational() for key in ("loss", "value", "gap"))
    require(loss - value == gap, "loss − value = gap", f["gap"].path, loss - value, gap)
    require(gap > 0, "gap > 0", f["gap"].path, gap, 0)
    return f"{show(loss)}, which is {show(gap)} more"

def remap_floor(consumer: Consumer, m: Mechanism, w: Matrix, stated: Node) -> list[int]:
    """No M·T has less loss than Σ_y min_r φ_r(y), which must be the stated number. The minima are returned."""
    least = best_of(min, scores(consumer, m, w))
    equals(ratio(sum(least), w.den * consumer.loss.den * m.den), stated, f"Σ_y min_r φ_r(y) = {stated.path}")
    return least

def best_remap(c: Case) -> str:
    """What no remap of M can beat: checks the claim's remap, the witness's remaps and the bound, as far as named."""
    f, w, m = c.claim, c.witness, c.mechanism("mechanism")
    consumer, value, end = c.consumer(m.inputs), f["value"], "one attains it"
    if c.kind == "optimal-remap":
        demand(("remap" in w) != ("remap" in f), "$.witness", "remap, if and only if the claim names none")
    if "remap" in f:
        remap, stated = c.mechanism("remap", m.outputs, consumer.loss.outputs), f.get("loss", value)
        equals(loss_of(consumer, m, remap.matrix()), stated, f"the loss after the claim's remap = {stated.path}")
        end = f"the {remap.title} {'alone attains' if c.kind == 'unique-remap' else 'attains'} it"
        end = f"one attains it; the {remap.title} has {check_gap(f)}" if "loss" in f else end
    if "remap" in w:
        attain(consumer, m, w["remap"], value)
    if c.kind == "not-unique-remap":
        first, second = (attain(consumer, m, w[key], value) for key in ("first", "second"))
        require(first != second, "first ≠ second", "$.witness.second", "equal", "different")
        end = "more than one attains it"
    weight = weights(consumer, w, "$.witness")
    least = remap_floor(consumer, m, weight, value)
    if c.kind == "unique-remap":
        M, cells = m.matrix(), len(m.outputs) * len(consumer.loss.outputs)
        charge(cells * len(weight.rows[0]), m.bits, held=cells * (2 + len(weight.rows[0])))
        forced: list[Equation] = [{(y, r): 1} for r, row in enumerate(scores(consumer, m, weight))
                                  for y, score in enumerate(row) if score > least[y]]
        forced += [{(y, r): x * consumer.loss.entry(i, r) for y, x in M.rows[i].items() for r in range(len(consumer.loss.outputs))}
                   for i in weight.rows[0] if consumer.prior is None]
        unique(forced, len(m.outputs), len(consumer.loss.outputs), "$.witness")
    return f"No remap of the outputs of the {m.title} has {consumer.title} below {show(value.rational())}, and {end}."

def optimality(c: Case) -> str:
    """What no α-private mechanism can beat: checks the claim's mechanism, the primals and the dual, as far as named."""
    f, w, neighbours, alpha = c.claim, c.witness, c.named(c.claim["neighbours"], Neighbours), c.claim["level"].level()
    consumer, value, end, dual = c.consumer(neighbours.inputs), f["value"], "one attains it", w["dual"]
    if c.kind == "optimal":
        demand(("primal" in w) != ("mechanism" in f), "$.witness", "primal, if and only if the claim names no mechanism")
    if "mechanism" in f:
        m = c.mechanism("mechanism", neighbours.inputs, None if "remap" in w else consumer.loss.outputs)
        stated = f.get("loss", value)
        check_private(m, neighbours, alpha, "$.claim.mechanism")
        if "remap" in w:
            attain(consumer, m, w["remap"], stated)
        else:
            equals(loss_of(consumer, m), stated, f"the mechanism's loss = {stated.path}")
        if c.kind == "not-optimal-after-remap":
            remap_floor(consumer, m, weights(consumer, w, "$.witness"), stated)
        end = f"the {m.title} {'alone attains' if c.kind == 'unique' else 'attains'} it"
        after = " after a remap of its outputs" if "remap" in w else ""
        least = f"its least loss{after}" if after else "its loss"
        end = f"one attains it; the {m.title} is as private, and {least} is {check_gap(f)}" if "loss" in f else end + after
    if "primal" in w:
        primal(w["primal"], consumer, neighbours, alpha, value)
    if c.kind == "not-unique":
        both = [Node({"rows": w[key].value}, w[key].path) for key in ("first", "second")]
        first, second = (primal(node, consumer, neighbours, alpha, value) for node in both)
        require(first != second, "first ≠ second", "$.witness.second", "equal", "different")
        end = "more than one attains it"
    d = dual.fields("weights? potentials? edges?")
    weight = weights(consumer, d, dual.path)
    demand("potentials" in d or "edges" not in d, dual.path, "edges need potentials")
    forced = list[Equation]()
    if "potentials" not in d:
        bound = path_rule(consumer, neighbours, alpha, weight, dual.path)
    elif "edges" not in d:
        bound = forest_rule(consumer, neighbours, alpha, weight, d["potentials"].vector(weight.width), dual.path)
    else:
        u = d["edges"].matrix(len(neighbours.pairs), len(consumer.loss.outputs))
        bound, forced = graph_rule(consumer, neighbours, alpha, weight, d["potentials"].vector(weight.width), u, dual.path)
    equals(bound, value, "the dual's bound = $.claim.value")
    if c.kind == "unique":
        guesses = range(len(consumer.loss.outputs))
        forced += [{(i, r): consumer.loss.entry(i, r) for r in guesses} for i in weight.rows[0] if consumer.prior is None]
        unique(forced, weight.width, len(guesses), dual.path)
    return f"No {show(alpha)}-private mechanism on {neighbours.title} has {consumer.title} below {show(value.rational())}, and {end}."

def release(c: Case) -> str:
    """G(n, α_i)·T_(i+1) = G(n, α_(i+1)), and the tightest level of what each coalition sees (SPEC §4.6)."""
    n, levels = c.claim["n"].index(), [node.level() for node in c.claim["levels"].items()]
    k = len(levels)
    demand(n > 0, "$.claim.n", "must be 1 or more")
    demand(all(a < b for a, b in pairwise(levels)), "$.claim.levels", "levels must increase strictly")
    coalitions, stages = c.claim["coalitions"].items(), c.witness["stages"].items(k - 1)
    demand(len(coalitions) + 1 == 2**k, "$.claim.coalitions", "every non-empty subset of the levels has its entry")
    G = [geometric(n, alpha) for alpha in levels]
    chain = [check_product(a, node, b) for node, (a, b) in zip(stages, pairwise(G), strict=True)]
    cells = (n + 1) ** (k + 1)
    charge(cells * 2**k * (k + 4), G[0].bits + sum(R.bits() for R in chain), products=2 * cells, held=2 * cells)
    joint: dict[tuple[int, ...], list[int]] = {(r,): law for r, law in enumerate(G[0].columns())}
    for R in chain:     # results (r_1, r_2, …): numerators over the inputs
        joint = {(*seen, r): [x * y for x in law] for seen, law in joint.items() for r, y in R.rows[seen[-1]].items()}
    for mask, node in enumerate(coalitions, start=1):
        f, members = node.fields("members level"), [i for i in range(k) if mask >> i & 1]
        demand(f["members"].value == members, f["members"].path, f"coalition {mask} is {members} (ordered by Σ 2^i)")
        view, p, q = dict[tuple[int, ...], list[int]](), 1, 1
        for results, law in joint.items():
            seen = tuple(results[i] for i in members)
            view[seen] = [x + y for x, y in zip(law, view.get(seen, [0] * (n + 1)), strict=True)]
        for law in view.values():
            for x, y in pairwise(law):
                p, q = min((p, q), (min(x, y), max(x, y)), key=lambda pair: Fraction(*pair))
        equals(ratio(p, q), f["level"], f"the tightest level of what the coalition {members} sees = {f['level'].path}")
    return (f"The geometric mechanisms G({n}, α), α = {show(levels)}, have a joint law in which each result is computed from the "
            f"one before, and what each of the {2**k - 1} coalitions sees has on path({n + 1}) the tightest level stated.")

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

# ── Main ────────────────────────────────────────────────────────────────────────────────────────────────────────────

def check(value: object) -> Answer:
    """Check a parsed certificate: the frame, the digest, the definitions, then the claim."""
    top = Node(value, "$").fields("format version claim definitions witness provenance? digest")
    demand((top["format"].value, top["version"].value) == (FORMAT, VERSION), "$", f"must be {FORMAT} {VERSION}")
    for node in top["provenance"].fields().values() if "provenance" in top else ():
        node.of(str)
    kind = str(top["claim"].fields().get("kind", top["claim"]).value)
    demand(kind in CLAIMS, "$.claim", f"kind must be one of {', '.join(CLAIMS)}")
    function, claim_keys, witness_keys = CLAIMS[kind]
    claim, witness = top["claim"].fields(f"kind {claim_keys}"), top["witness"].fields(witness_keys)
    digest = digest_of(cast(dict[str, object], value))
    require(top["digest"].of(str) == digest, "the digest is that of the content", "$.digest", top["digest"].value, digest)
    named = [*claim.values(), *(claim["consumer"].fields() if "consumer" in claim else {}).values()]
    used, definitions = {node.value for node in named if isinstance(node.value, str)}, top["definitions"].fields()
    for name in definitions:
        demand(NAME.fullmatch(name) is not None, "$.definitions", f"{show(name)} is not a name (SPEC §3)")
        demand(name in used, "$.definitions", f"the claim does not use {show(name)}")
    case = Case(kind, claim, witness, {name: define(name, node) for name, node in definitions.items()})
    return Answer("accepted", f"{function(case)} Scope: one instance.", kind, digest)

def check_bytes(data: bytes) -> Answer:
    """Check the bytes of a certificate file. Never raises."""
    WORK.set([0])
    try:
        return check(read(data))
    except Stop as stop:
        return cast(Answer, stop.args[0])
    except (MemoryError, RecursionError, OverflowError) as error:
        return Answer("limit", f"a limit of this machine was reached: {type(error).__name__}")
    except Exception as error:     # a defect of the kernel, never an acceptance
        return Answer("defect", f"please report this: {type(error).__name__}: {error}")

def main(arguments: list[str] | None = None) -> int:
    """Check files, print a line for each, and return the worst exit code."""
    parser = argparse.ArgumentParser(prog="kernel.py", description=f"Check exactdp certificates, format {VERSION}.",
                                     epilog="Exit code: 0 accepted, 1 rejected, 2 usage, 3 malformed, 4 a limit was reached, "
                                     "70 a defect of the kernel; of several files the worst.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a certificate, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--version", action="version", version=f"exactdp kernel, format {VERSION}")
    options, answers, coding = parser.parse_args(arguments), list[Answer](), sys.stdout.encoding or "ascii"
    for name in options.files:
        try:
            with sys.stdin.buffer if name == "-" else open(name, "rb") as stream:
                answers.append(check_bytes(stream.read(LIMITS["bytes"] + 1)))
        except (OSError, ValueError) as error:
            answers.append(Answer("unreadable", str(error)))
        line = f"{show(name)}: {answers[-1].status}: {answers[-1].sentence}"
        if options.json:
            line = json.dumps({"file": name, "exit_code": answers[-1].exit_code, **vars(answers[-1])}, sort_keys=True)
        print(line.encode(coding, "backslashreplace").decode(coding))
    return EXIT_CODES[max((answer.status for answer in answers), key=list(EXIT_CODES).index)]

if __name__ == "__main__":
    sys.exit(main())
