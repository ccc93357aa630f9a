# SPDX-License-Identifier: MIT
"""What a certificate speaks about, at one number of its scope, in fractions: read from SPEC.md without the
checker's code.

The symbols of a field are replaced by numbers: over an interval by some rationals of it and by its closed
ends, over e^(−ε) by a fraction within 10^−140. A point is *exact* where nothing was approximated. Otherwise
differences below `TINY` are taken for none, so that the search stays silent there rather than raise a false
alarm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import isqrt
from typing import Any, NamedTuple

Json = Any
Row = tuple[Fraction, ...]
TINY = Fraction(1, 10**60)
INSIDE = [Fraction(p, q) for q in (3, 2, 4, 5, 7, 12, 97) for p in range(1, q)]


@dataclass(frozen=True)
class At:
    """What the symbols are, and whether exactly."""

    symbols: tuple[Fraction, ...] = ()
    exact: bool = True

    def sign(self, x: Fraction) -> int:
        """The sign of a number, 0 where it is too close to tell."""
        return 0 if not self.exact and abs(x) < TINY else (x > 0) - (x < 0)

    def same(self, x: Fraction, y: Fraction) -> bool:
        return self.sign(x - y) == 0


class Mechanism(NamedTuple):
    """A mechanism, table or loss."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    rows: tuple[Row, ...]


class Near(NamedTuple):
    """Neighbours: the pairs with the squares of their distances; and whether distances are those of shortest
    paths.
    """

    vertices: tuple[str, ...]
    pairs: tuple[tuple[int, int, Fraction], ...]
    hops: bool


class Consumer(NamedTuple):
    """A loss, with side information or a prior."""

    loss: Mechanism
    side_information: tuple[int, ...] | None
    prior: Row | None


# ── points
# ──────────────────────────────────────────────────────────────────────────────────────────────────────────
def points(definitions: Json, interval: Json = None) -> list[At]:
    """Some numbers that the claim is about. `interval` is that of a piece."""
    fields = [d for d in definitions.values() if d["type"] in ("exponential", "parameter")]
    if not fields:
        return [At()]
    [field] = fields
    if field["type"] == "exponential":
        return [At(exponentials(Fraction(field["rate"]), tuple(field["roots"])), False)]
    return list(of_interval(field["interval"] if interval is None else interval))


@cache
def exponentials(rate: Fraction, roots: tuple[int, ...]) -> tuple[Fraction, ...]:
    """e^(−rate·√q) for each root q."""
    with localcontext() as context:
        context.prec = 150
        return tuple(Fraction((-Decimal(rate.numerator) / rate.denominator * Decimal(q).sqrt()).exp()) for q in roots)


def of_interval(interval: Json) -> Iterator[At]:
    if "at" in interval:
        yield end(interval["at"])
        return
    low = end(interval["above"] if "above" in interval else interval["at_least"])
    high = end(interval["below"] if "below" in interval else interval["at_most"])
    a, b = low.symbols[0], high.symbols[0]
    found = [x for x in INSIDE if a < x < b][:3] or [(a + b) / 2]
    yield from (At((x,)) for x in found)
    if "at_least" in interval:
        yield low
    if "at_most" in interval:
        yield high


def covers(whole: Json, pieces: list[Json]) -> bool:
    """Whether intervals, in order, leave no number of the whole one out."""
    reached, included = ends(whole)[0], not ends(whole)[2]
    for piece in pieces:
        low, high, closed_low, closed_high = ends(piece)
        if low > reached or (low == reached and not (closed_low or included)):
            return False
        if high >= reached:
            included = closed_high or (high == reached and included)
            reached = high
    _, top, _, closed_top = ends(whole)
    return reached > top or (reached == top and (included or not closed_top))


def ends(interval: Json) -> tuple[Fraction, Fraction, bool, bool]:
    """Both ends, irrational ones within 10^−140, and whether they are included."""
    if "at" in interval:
        x = end(interval["at"]).symbols[0]
        return x, x, True, True
    low, high = (interval[key] for keys in (("above", "at_least"), ("below", "at_most")) for key in keys if key in interval)
    return end(low).symbols[0], end(high).symbols[0], "at_least" in interval, "at_most" in interval


def end(data: Json) -> At:
    """An end of an interval; an irrational one within 10^−140."""
    if isinstance(data, str):
        return At((Fraction(data),))
    return At((bisected(tuple(map(int, data["poly"])), *map(Fraction, data["in"])),), False)


@cache
def bisected(poly: tuple[int, ...], low: Fraction, high: Fraction) -> Fraction:
    def value(x: Fraction) -> Fraction:
        total = Fraction(0)
        for c in reversed(poly):
            total = total * x + c
        return total

    upper = value(high) > 0
    for _ in range(470):
        middle = (low + high) / 2
        low, high = (low, middle) if (value(middle) > 0) == upper else (middle, high)
    return low


# ── numbers and definitions
# ─────────────────────────────────────────────────────────────────────────────────────────
class Scene:
    """The definitions of a certificate at one point."""

    def __init__(self, definitions: Json, at: At) -> None:
        self.definitions, self.at, self.known = definitions, at, dict[str, Any]()

    def number(self, data: Json, symbol: int = 0) -> Fraction:
        """An integer or a polynomial."""
        if isinstance(data, str):
            return Fraction(int(data))
        x, total = self.at.symbols[symbol], Fraction(0)
        for c in reversed(data):
            total = total * x + self.number(c, symbol + 1)
        return total

    def scalar(self, data: Json) -> Fraction:
        return Fraction(data) if isinstance(data, str) else self.number(data["num"]) / self.number(data["den"])

    def vector(self, data: Json, length: int) -> Row:
        values, den = [Fraction(0)] * length, self.number(data["den"])
        for i, p in zip(data.get("at", range(length)), data["num"], strict=True):
            values[i] = self.number(p) / den
        return tuple(values)

    def matrix(self, data: Json, width: int) -> tuple[Row, ...]:
        return tuple(self.vector(row, width) for row in data)

    def table(self, name: str) -> Mechanism:
        """A mechanism, table or loss."""
        if name not in self.known:
            self.known[name] = self.read(self.definitions[name])
        found: Mechanism = self.known[name]
        return found

    def read(self, d: Json) -> Mechanism:
        kind = d["type"]
        if kind in ("mechanism", "table", "loss"):
            outputs = tuple(d["guesses" if kind == "loss" else "outputs"])
            return Mechanism(tuple(d["inputs"]), outputs, self.matrix(d["rows"], len(outputs)))
        if kind == "randomized-response":
            size, alpha = len(d["inputs"]), self.scalar(d["level"])
            total = 1 + (size - 1) * alpha
            rows = tuple(tuple((1 if i == r else alpha) / total for r in range(size)) for i in range(size))
            return Mechanism(tuple(d["inputs"]), tuple(d["inputs"]), rows)
        labels, n = tuple(map(str, range(d["n"] + 1))), d["n"]
        if kind == "geometric":
            return Mechanism(labels, labels, geometric(n, self.scalar(d["level"])))
        losses = {"abs-loss": abs, "squared-loss": lambda k: k * k, "zero-one-loss": lambda k: int(k != 0)}[kind]
        return Mechanism(labels, labels, tuple(tuple(Fraction(losses(i - r)) for r in range(n + 1)) for i in range(n + 1)))

    def near(self, name: str) -> Near:
        """Neighbours."""
        d = self.definitions[name]
        if d["type"] == "path":
            pairs = tuple((i, i + 1, Fraction(1)) for i in range(d["vertices"] - 1))
            return Near(tuple(map(str, range(d["vertices"]))), pairs, True)
        if d["type"] == "graph":
            return Near(tuple(d["vertices"]), tuple((i, j, Fraction(1)) for i, j in d["edges"]), True)
        if d["type"] == "complete":
            every = combinations(range(len(d["vertices"])), 2)
            return Near(tuple(d["vertices"]), tuple((i, j, Fraction(1)) for i, j in every), True)
        return Near(tuple(d["vertices"]), tuple((i, j, squared(x)) for i, j, x in d["pairs"]), False)

    def consumer(self, data: Json) -> Consumer:
        loss = self.table(data["loss"])
        if data["type"] == "minimax":
            return Consumer(loss, tuple(data["side_information"]), None)
        return Consumer(loss, None, self.vector(data["prior"], len(loss.inputs)))


def squared(distance: str) -> Fraction:
    return Fraction(distance[5:-1]) if distance.startswith("sqrt") else Fraction(distance) ** 2


def geometric(n: int, a: Fraction) -> tuple[Row, ...]:
    if n == 0:
        return ((Fraction(1),),)
    return tuple(tuple(a ** abs(i - j) * (1 if j in (0, n) else 1 - a) / (1 + a) for j in range(n + 1)) for i in range(n + 1))


# ── powers with real exponents
# ──────────────────────────────────────────────────────────────────────────────────────
class Power(NamedTuple):
    """base^(1/√square): a level, as `level` states it."""

    base: Fraction
    square: Fraction = Fraction(1)


def rational_root(square: Fraction) -> Fraction | None:
    """√square, if it is rational."""
    p, q = (isqrt(x) for x in square.as_integer_ratio())
    return Fraction(p, q) if Fraction(p * p, q * q) == square else None


@cache
def log(x: Fraction) -> Decimal:
    with localcontext() as context:
        context.prec = 170
        return Decimal(x.numerator).ln() - Decimal(x.denominator).ln()


def compare_powers(x: Fraction, y: Fraction, square: Fraction, at: At) -> int:
    """The sign of x − y^√square, for x, y ≥ 0, y ≤ 1; 0 where it is too close to tell."""
    d = rational_root(square)
    if y in (0, 1) or x == 0:
        return at.sign(x - y)
    if d is not None and max(d.as_integer_ratio()) < 50 and (at.exact or d == 1):
        return at.sign(x**d.denominator - y**d.numerator)
    with localcontext() as context:
        context.prec = 140
        gap = log(x) - (Decimal(square.numerator) / square.denominator).sqrt() * log(y)
    return 0 if abs(gap) < Decimal(10) ** -60 else 1 if gap > 0 else -1


def compare_levels(x: Power, y: Power, at: At) -> int:
    """The sign of x − y."""
    if x.square == y.square:
        return at.sign(x.base - y.base)
    return compare_powers(x.base, y.base, x.square / y.square, at)


def power(alpha: Fraction, square: Fraction) -> tuple[Fraction, bool]:
    """α^√square, and whether exactly."""
    d = rational_root(square)
    if d is not None:
        parts = [root_of(n, d.denominator) for n in alpha.as_integer_ratio()]
        if None not in parts:
            p, q = parts
            return Fraction(p, q) ** d.numerator, True  # type: ignore[arg-type]
    with localcontext() as context:
        context.prec = 150
        exponent = (Decimal(square.numerator) / square.denominator).sqrt()
        return Fraction((exponent * (Decimal(alpha.numerator).ln() - Decimal(alpha.denominator).ln())).exp()), False


@cache
def root_of(n: int, k: int) -> int | None:
    """The k-th root of an integer > 0, if it is one."""
    low, high = 0, 1 << n.bit_length() // k + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**k <= n else (low, middle)
    return low if low**k == n else None
