# SPDX-License-Identifier: MIT
"""Trusted: numbers, in lowest terms or over one denominator, and matrices of them (SPEC §2, §3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, repeat
from math import lcm, prod
from typing import cast

from exactdp.checker.limits import FIELD, charge, keep, quadratic, require


# ── Numbers: integers, or polynomials that compute and compare as integers do ───────────────────
def whole(*numbers: object) -> bool:
    """Whether they are all integers, and not polynomials."""
    return all(isinstance(x, int) for x in numbers)


def key(x: int) -> object:
    """A text, or bytes, for a number as a key of a dictionary: files can choose many integers of
    one hash.
    """
    if isinstance(x, int):
        return hex(x)
    return cast(object, x.key())


def common(*dens: int) -> tuple[int, list[int]]:
    """A common multiple of some denominators, the least of integers; and, in order, what lifts
    each to it.
    """
    charge(20 * len(dens) + sum(den.bit_length() for den in dens) // 40)
    # Equal denominators count once. This is no set: a product's bound of size depends on the order.
    each = {key(den): den for den in dens}
    bits = sum(den.bit_length() for den in each.values())
    charge(bits**2 // 20_000, held=len(each) * (1 + bits // 1024))
    multiple = lcm(*each.values()) if whole(*dens) else prod(each.values())
    lifts = dict[object, int]()
    for name, den in each.items():
        if whole(multiple):
            lifts[name] = multiple // den
        else:
            lifts[name] = prod(other for other in each.values() if other is not den)
    return multiple, [lifts[key(den)] for den in dens]


def ratio(num: int, den: int) -> Fraction:
    """num/den, in lowest terms if both are integers."""
    if not whole(num, den):
        return cast(Fraction, FIELD.get().ratio(num, den))
    charge(20 + quadratic(num.bit_length(), den.bit_length()))
    return Fraction(num, den)


def upwards(x: int) -> bool:
    """Whether x ≥ 0 rather than x ≤ 0 (of numbers that vary, one of them)."""
    if FIELD.get() is None:
        return x > 0
    return bool(FIELD.get().upwards(x))


def lowest(values: Sequence[int]) -> int:
    """The least of some numbers."""
    if FIELD.get() is None:
        return min(values)
    return cast(int, FIELD.get().lowest(list(values)))


# ── Matrices ────────────────────────────────────────────────────────────────────────────────────
class Dense(list[int]):
    """A row of a formula's matrix, whose numbers the rows share. Used like the sparse rows that
    are read.
    """

    def get(self, j: int, _: int) -> int:
        return self[j]

    def items(self) -> Iterable[tuple[int, int]]:
        return enumerate(self)

    def values(self) -> Iterable[int]:
        return self


@dataclass
class Matrix:
    """Entry (i, j) is rows[i][j]/den; sparse rows leave zeros out. A vector is a matrix of one
    row.
    """

    width: int
    den: int
    rows: Sequence[dict[int, int] | Dense]
    # The bits below, once they are known. (No cached_property: in Python 3.11 it has a lock, which
    # stays taken in a process that begins meanwhile.)
    size = 0

    @property
    def bits(self) -> int:
        """A bound of the bits of the denominator and of every numerator."""
        if not self.size:
            lengths = (x.bit_length() for row in self.rows for x in row.values())
            self.size = 1 + max(self.den.bit_length(), max(lengths, default=0))
        return self.size

    def announce(self, times: int, bits: int) -> None:
        """So many products with vectors, or other passes through the matrix, with numbers of so
        many bits.
        """
        count = sum(map(len, self.rows))
        steps = times * (2 * count + self.width + len(self.rows))
        large = min(self.bits, bits) > 64
        charge(steps, self.bits + bits, times * count * large)

    def columns(self) -> Iterator[Sequence[int]]:
        """The columns of den·M."""
        charge(self.width * len(self.rows), held=len(self.rows))
        dense = [row for row in self.rows if isinstance(row, Dense)]
        if dense:
            return zip(*dense, strict=True)
        return ([row.get(j, 0) for row in self.rows] for j in range(self.width))

    def left(self, v: list[int]) -> list[int]:
        """The row den·v·M."""
        result = [0] * self.width
        for x, row in zip(v, self.rows, strict=True):
            if x:
                for j, m in row.items():
                    result[j] += x * m
        return result

    def times(self, other: Matrix) -> Iterable[Sequence[int]]:
        """The columns of M·T, times den·T.den."""
        height = len(self.rows)
        other.announce(height, self.bits)
        charge(height * self.width, self.bits + other.bits, held=height * other.width)
        dense = ([row.get(y, 0) for y in range(self.width)] for row in self.rows)
        return zip(*(other.left(row) for row in dense), strict=True)


class Geometric(Matrix):
    """G(n, α), α = p/q: α^|i−j| s_j, where (p + q)·s_j is q at both ends and q − p between;
    G(0, α) = [1].
    """

    def __init__(self, n: int, alpha: Fraction) -> None:
        p, q = self.p, self.q = alpha.as_integer_ratio()
        longest = (n + 2) * max(p.bit_length(), q.bit_length())
        keep((n + 1) ** 2 // 16, 0)  # a place in a list takes 64 bits
        charge((n + 1) ** 2, longest, 8 * (n + 1) * (whole(p) or not whole(q) or q > 1))
        keep(4 * (n + 1), longest)
        # The column scales, times p + q.
        if n:
            self.s = [q, *[q - p] * (n - 1), q]
        else:
            self.s = [p + q]
        # q^n α^|d| for d = −n, …, n: in row i column j is at the place n − i + j.
        self.powers = [p ** abs(d) * q ** (n - abs(d)) for d in range(-n, n + 1)]
        ends = [x * self.s[0] for x in self.powers]
        inner = [x * (q - p) for x in self.powers]
        rows = list[Dense]()
        for i in range(n + 1):
            row = [ends[n - i], *inner[n - i + 1 : 2 * n - i], ends[2 * n - i]]
            rows.append(Dense(row[: n + 1]))
        super().__init__(n + 1, q**n * (p + q), rows)
        # The bits of the numbers that the rows share.
        self.size = 1 + max(x.bit_length() for x in (self.den, *ends, *inner[1:-1]))

    def announce(self, times: int, bits: int) -> None:
        # A product is a sweep, which announces long factors itself.
        charge(8 * times * self.width, self.bits + bits)

    def spread(self, v: list[int]) -> list[int]:
        """f_j = q^n Σ_i α^|i−j| v_i: by terms if few and small, else two sweeps with exact
        divisions.
        """
        n = self.width - 1
        terms = [(i, x) for i, x in enumerate(v) if x]
        longest = max((x.bit_length() for _, x in terms), default=0)

        # By terms: each adds a multiple of the powers.
        if sum(64 + x.bit_length() for _, x in terms) <= 320:
            charge(4 * len(terms) * self.width, self.bits + longest)
            f = [0] * self.width
            for i, x in terms:
                f = [y + x * power for y, power in zip(f, self.powers[n - i :], strict=False)]
            return f

        short = self.q.bit_length()
        charge(6 * self.width, self.bits + longest, products=len(terms) * whole(short))
        # Two products with p, and two divisions by q.
        charge(4 * self.width * quadratic(self.bits + longest, short) * (short > 30))

        # One term: the same numbers on both sides of i.
        if len(terms) == 1:
            [(i, x)] = terms
            first = repeat(x * self.powers[n], 1 + max(i, n - i))
            away = [*accumulate(first, lambda y, _: y * self.p // self.q)]
            return away[i:0:-1] + away[: n - i + 1]

        # Two sweeps: forwards Σ_(i≤j) α^(j−i) q^n v_i, backwards Σ_(i≥j), which both have i = j.
        v = [x * self.powers[n] for x in v]

        def step(carry: int, x: int) -> int:
            return carry * self.p // self.q + x

        forwards = accumulate(v, step)
        backwards = [*accumulate(v[::-1], step)][::-1]
        return [before + after - x for before, after, x in zip(forwards, backwards, v, strict=True)]

    def left(self, v: list[int]) -> list[int]:
        return [s * f for s, f in zip(self.s, self.spread(v), strict=True)]

    def times(self, other: Matrix) -> Iterable[Sequence[int]]:
        self.announce(other.width, other.bits)
        scaled = ([x * s for x, s in zip(t, self.s, strict=True)] for t in other.columns())
        return map(self.spread, scaled)


def stochastic(matrix: Matrix, path: str) -> Matrix:
    """Entries ≥ 0, and every row sums to 1."""
    matrix.announce(1, 0)
    for i, row in enumerate(matrix.rows):
        negative = next((x for x in row.values() if x < 0), 0)
        if negative:
            require(False, f"entries ≥ 0, in row {i}", path, ratio(negative, matrix.den), 0)
        total = sum(row.values())
        if total != matrix.den:
            require(False, f"the sum is 1, in row {i}", path, ratio(total, matrix.den), 1)
    return matrix
