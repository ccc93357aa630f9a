# SPDX-License-Identifier: MIT
"""Trusted: matrices over one denominator, whose products count their work (SPEC §2, §7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import merge
from itertools import accumulate, combinations, compress, repeat
from operator import add, mul, sub
from typing import Any, cast

from exactdp.checker.arithmetic import (
    SHORT,
    bits_of_power,
    comparable,
    count_products,
    dot,
    enclosed,
    key,
    longest,
    lowest,
    product,
    ratio,
    scaled,
    whole,
)
from exactdp.checker.limits import FIELD, charge, keep, quadratic, require

PRIME = 2**61 - 1
"""Ranks are computed modulo this."""


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


Row = dict[int, int] | Dense


@dataclass
class Matrix:
    """Entry (i, j) is rows[i][j]/den; sparse rows leave zeros out. A vector is a matrix of one
    row.
    """

    width: int
    den: int
    rows: Sequence[Row]
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
        large = min(self.bits, bits) > SHORT
        charge(steps, self.bits + bits, times * count * large)

    def columns(self, products: int = 0, by: int = 0) -> Iterator[Sequence[int]]:
        """The columns of den·M, each for so many products of its entries by numbers of so many
        bits.
        """
        charge(self.width * len(self.rows), held=len(self.rows))
        count_products(products * self.width, self.bits, by)
        dense = [row for row in self.rows if isinstance(row, Dense)]
        if dense:
            return zip(*dense, strict=True)
        return ([row.get(j, 0) for row in self.rows] for j in range(self.width))

    def entries(self, i: int = 0, factor: int = 1) -> list[int]:
        """The entries of a row times den and a factor, zeros too."""
        row = self.rows[i]
        charge(self.width, held=self.width // 16)
        dense = [row.get(j, 0) for j in range(self.width)]
        if whole(factor) and factor == 1:
            return dense
        return scaled(dense, factor)

    def side_by_side(self, i: int, columns: range, size: int) -> int:
        """The entries of a row in some columns, integers ≥ 0, in places of so many bytes."""
        row = self.rows[i]
        charge(3, 8 * size * len(columns), beside=3 * min(len(row), len(columns)))
        if len(row) >= len(columns):
            entries = (row.get(j, 0) for j in columns)
            joined = b"".join(x.to_bytes(size, "little") for x in entries)
            return int.from_bytes(joined, "little")
        places = bytearray(size * len(columns))
        for j, x in row.items():
            if j in columns:
                start = size * (j - columns.start)
                places[start : start + size] = x.to_bytes(size, "little")
        return int.from_bytes(places, "little")

    def below(
        self, factors: list[tuple[int, int, list[tuple[int, int]]]]
    ) -> Iterator[tuple[int, int, int, int]]:
        """For P, Q ≥ 0 and pairs of rows, those with a number k: each (k, i, j, r) with
        Q·x_ir < P·x_jr, of entries that are integers ≥ 0. The differences for many r stand side by
        side in one integer.
        """
        by = longest(x for P, Q, _ in factors for x in (P, Q))
        count = sum(len(pairs) for _, _, pairs in factors)
        charge(4 * count, held=count // 8)
        paired = sorted({v for _, _, pairs in factors for pair in pairs for v in pair})
        if not paired:
            return
        # To each difference, in its place of so many bytes, 2^(8·size − 1) is added, which is more
        # than it can be below 0: this bit is 0 if the difference is negative.
        size = (self.bits + by + 8) // 8
        at_once = max(1, min(2**13, 2**25 // len(paired)) // size)
        for first in range(0, self.width, at_once):
            columns = range(first, min(first + at_once, self.width))
            charge(0, 8 * size * len(columns), held=len(paired))
            rows = {i: self.side_by_side(i, columns, size) for i in paired}
            one = 1 << 8 * size - 1
            signs = int.from_bytes(one.to_bytes(size, "little") * len(columns), "little")
            bits = signs.bit_length()
            count_products(2 * count, bits, by)
            charge(5 * count, bits)
            for k, (P, Q, pairs) in enumerate(factors):
                for i, j in pairs:
                    negative = signs & ~(rows[i] * Q + signs - rows[j] * P)
                    if negative:
                        charge(4, bits, beside=len(columns))
                        places = negative.to_bytes(size * len(columns), "little")
                        for r in compress(columns, places[size - 1 :: size]):
                            yield k, i, j, r

    def full(self, factor: int) -> list[list[int]]:
        """The entries of all rows times den and a factor, zeros too."""
        keep(self.width * len(self.rows), self.bits + factor.bit_length())
        return [self.entries(i, factor) for i in range(len(self.rows))]

    def shells(self, counts: Mapping[tuple[int, int], int]) -> dict[int, Any]:
        """For a vector v and numbers of pairs (k, b): Σ_b count·v_b times den, for each k ≥ 0."""
        charge(4 * len(counts), self.bits)
        v = self.rows[0]
        sums = dict[int, Any]()
        for (k, b), count in counts.items():
            x = v.get(b, 0)
            if k >= 0 and x:
                sums[k] = sums.get(k, 0) + count * x
        return sums

    def of_columns(self, columns: list[int]) -> Matrix:
        """Some of the columns."""
        count = len(columns) * len(self.rows)
        charge(4 * count, held=count // 8)
        rows = [{k: x for k, j in enumerate(columns) if (x := row.get(j, 0))} for row in self.rows]
        return Matrix(len(columns), self.den, rows)

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


def mirrored(numbers: list[int]) -> list[int]:
    """The numbers of −n, …, n, which are those of 0, …, n twice."""
    return [*numbers[:0:-1], *numbers]


class Geometric(Matrix):
    """G(n, α), α = p/q: α^|i−j| s_j, where (p + q)·s_j is q at both ends and q − p between; G(0,
    α) = [1].
    """

    def __init__(self, n: int, alpha: Fraction) -> None:
        p, q = self.p, self.q = alpha.as_integer_ratio()
        bits = max(bits_of_power(p, n + 2), bits_of_power(q, n + 2))
        keep((n + 1) ** 2 // 16, 0)  # a place in a list takes 64 bits
        if whole(p, q):
            charge((n + 1) ** 2, bits, 8 * (n + 1))
        else:  # polynomials count what is done with them
            charge((n + 1) ** 2)
        keep(4 * (n + 1), bits)
        # The column scales, times p + q.
        if n:
            self.s = [q, *[q - p] * (n - 1), q]
        else:
            self.s = [p + q]
        # q^n α^|d| for d = −n, …, n: in row i column j is at the place n − i + j.
        powers = [p**d * q ** (n - d) for d in range(n + 1)]
        self.powers = mirrored(powers)
        ends = mirrored([x * self.s[0] for x in powers])
        inner = mirrored([x * (q - p) for x in powers])
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
        most = max((x.bit_length() for _, x in terms), default=0)

        # By terms: each adds a multiple of the powers.
        if sum(64 + x.bit_length() for _, x in terms) <= 320:
            charge(4 * len(terms) * self.width, self.bits + most)
            f = [0] * self.width
            for i, x in terms:
                f = [y + x * power for y, power in zip(f, self.powers[n - i :], strict=False)]
            return f

        short = self.q.bit_length()
        charge(6 * self.width, self.bits + most, products=len(terms) * whole(short))
        # Two products with p, and two divisions by q.
        charge(4 * self.width * quadratic(self.bits + most, short) * (short > 30))

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
        by_scales = ([x * s for x, s in zip(t, self.s, strict=True)] for t in other.columns())
        return map(self.spread, by_scales)


def by_distance(losses: list[int]) -> Matrix:
    """The matrix l(|i − r|), from l at r − i = 1 − m, …, m − 1."""
    m = (len(losses) + 1) // 2
    keep(m**2 // 16, 0)
    charge(m**2)
    # In row i column r is at the place m − 1 − i + r.
    matrix = Matrix(m, 1, [Dense(losses[m - 1 - i : 2 * m - 1 - i]) for i in range(m)])
    matrix.size = 1 + max(1, longest(losses))
    return matrix


def two_values(m: int, inside: int, outside: int) -> Matrix:
    """The square matrix with one number in its diagonal and another outside it, over the sum of a
    row.
    """
    keep(m**2 // 16, 0)  # a place in a list takes 64 bits
    charge(m**2)
    rows = list[Dense]()
    for i in range(m):
        row = Dense([outside] * m)
        row[i] = inside
        rows.append(row)
    matrix = Matrix(m, inside + (m - 1) * outside, rows)
    matrix.size = 1 + max(inside.bit_length(), outside.bit_length()) + m.bit_length()
    return matrix


def pairs_of(n: int) -> list[tuple[int, int, Fraction]]:
    """All i < j below n, at distance 1."""
    keep(n**2 // 3, 0)
    charge(n**2)
    one = Fraction(1)
    return [(i, j, one) for i, j in combinations(range(n), 2)]


def walked(
    pairs: list[tuple[int, int, Fraction]], times: int, held: int = 0
) -> list[tuple[int, int, Fraction]]:
    """The pairs of neighbours, with the work at each announced and the numbers held for each: those
    of complete graphs are not listed in a file.
    """
    charge(times * len(pairs), held=held * len(pairs))
    return pairs


def transposed(m: Matrix) -> Matrix:
    """The columns as rows, sparse."""
    count = sum(map(len, m.rows))
    keep(m.width // 16 + count, 0)
    charge(m.width + 4 * count)
    # Rows without entries are one object: a complete graph has many pairs.
    none = dict[int, int]()
    rows: list[Row] = [none] * m.width
    for i, row in enumerate(m.rows):
        for j, x in row.items():
            if rows[j] is none:
                rows[j] = {}
            cast(dict[int, int], rows[j])[i] = x
    return Matrix(len(m.rows), m.den, rows)


def ones(n: int) -> Matrix:
    """The vector of ones."""
    charge(n, held=n)
    return Matrix(n, 1, [dict.fromkeys(range(n), 1)])


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


# ── Sums over inputs (SPEC §4.2, §4.3) ──────────────────────────────────────────────────────────
def remainders(
    loss: Matrix, w: Matrix, mu: Matrix, of_w: int, of_mu: int, kept: bool = False
) -> Iterator[list[int]]:
    """For each guess r the numbers of_w·w_i l(i,r) − of_mu·μ_i, for all inputs i; kept, if all of
    them are held until the file is decided.
    """
    v = w.entries(0, of_w)
    base = mu.entries(0, of_mu)
    cells = loss.width * w.width
    bits = max(longest(v) + loss.bits, longest(base)) + 1
    charge(2 * cells, bits)
    if kept:
        # Each with its place in a dictionary, and integers with their bits.
        keep(cells, 1024 + bits * (FIELD.get() is None))
    for costs in loss.columns(len(loss.rows), longest(v)):
        rest = [x * cost - y for x, cost, y in zip(v, costs, base, strict=True)]
        if kept:
            keep_polynomials(rest)
        yield rest


def keep_polynomials(numbers: Iterable[Any], instead: int = 0) -> None:
    """Announce the polynomials held until the file is decided, beyond so many bits that are."""
    bits = sum(x.bit_length() for x in numbers if not whole(x)) - instead
    if bits > 0:
        keep(1, bits)


def differences(xs: Sequence[int], ys: Sequence[int]) -> list[int]:
    """x_k − y_k for each k."""
    return list(map(sub, xs, ys))


def sums(xs: Sequence[int], ys: Sequence[int]) -> list[int]:
    """x_k + y_k for each k."""
    return list(map(add, xs, ys))


def scores(loss: Matrix, m: Matrix, w: Matrix) -> Iterator[list[int]]:
    """For each guess r, φ_r(y) = Σ_i w_i l(i,r) M_iy for all y, over w.den·loss.den·M.den.

    φ is linear in l. With f'_r = f_r − f_(r−1), and 0 before the first guess, φ''_r(y) is
    Σ_i w_i l''(i,r) M_iy, and φ_r = φ_(r−1) + φ'_(r−1) + φ''_r. For the named losses l'' has few
    terms, or does not change.
    """
    m.announce(loss.width, loss.bits + w.bits + 2)
    charge(loss.width * w.width, w.bits + 1, w.width, w.width)
    loss.announce(3, w.bits + 1)  # an entry is in three second differences
    v = [w.rows[0].get(i, 0) for i in range(w.width)]
    weighed = [i in w.rows[0] for i in range(w.width)]

    # Of the guess before: l, l' and l'' by inputs i; φ, φ' and φ'' by y.
    l: Sequence[int] = [0] * w.width
    l_first = l_second = [0] * w.width
    phi = phi_first = phi_second = [0] * m.width
    for costs in loss.columns():
        first = differences(costs, l)
        second = differences(first, l_first)
        # The sum is that of the guess before, unless l'' changes at an input with a weight.
        changes = map(sub, second, l_second)
        if any(compress(changes, weighed)):
            phi_second = m.left(list(map(mul, v, second)))
        phi_first = sums(phi_first, phi_second)
        phi = sums(phi, phi_first)
        l, l_first, l_second = costs, first, second
        yield phi


def least_scores(loss: Matrix, m: Matrix, w: Matrix) -> list[int]:
    """min_r φ_r(y) for each y."""
    least = list[int]()
    if FIELD.get() is None:
        for row in scores(loss, m, w):
            if least:
                least = [min(x, y) for x, y in zip(least, row, strict=True)]
            else:
                least = row
        return least
    # Of letters all scores are held: which is least is asked of all at once.
    charge(0, loss.bits + m.bits + w.bits, held=loss.width * m.width)
    return [lowest(column) for column in zip(*scores(loss, m, w), strict=True)]


# ── Tables of few different numbers (SPEC §4.17) ────────────────────────────────────────────────
@dataclass
class Numbered:
    """The different numbers of a matrix times its den, and which of them each entry is."""

    values: list[Any]
    names: list[list[int]]

    @classmethod
    def of(cls, m: Matrix) -> Numbered:
        """The entries of a matrix, zeros too."""
        count = m.width * len(m.rows)
        keep(count // 16, 0)
        charge(6 * count, m.bits)
        number = dict[object, int]()
        values, names = list[Any](), list[list[int]]()
        for row in m.rows:
            found = list[int]()
            for x in (row.get(j, 0) for j in range(m.width)):
                name = number.setdefault(key(x), len(values))
                if name == len(values):
                    values.append(x)
                found.append(name)
            names.append(found)
        keep(len(values), m.bits)
        return cls(values, names)

    def placed(
        self, columns: dict[int, list[int]], images: Sequence[tuple[int, int, list[int]]]
    ) -> list[tuple[int, ...]]:
        """The rows of the table with these columns and images (column, source, g): the entry at
        g(i) is the source's at i.
        """
        height = len(self.names[0]) if self.names else 0
        count = height * (len(columns) + len(images))
        keep(count // 8, 0)
        charge(6 * count)
        for column, source, g in images:
            made = [0] * height
            for i, name in zip(g, columns[source], strict=True):
                made[i] = name
            columns[column] = made
        return list(zip(*(columns[r] for r in range(len(columns))), strict=True))

    def weighed(self, w: Matrix) -> Numbered:
        """The numbers w_i·entry, named column by column."""
        count = w.width * len(self.names[0])
        keep(count // 8, 0)
        charge(6 * count)
        factors = Numbered.of(w).names[0]
        number, found = dict[object, int](), dict[tuple[int, int], int]()
        values, rows = list[Any](), list[list[int]]()
        for i, row in enumerate(self.names):
            x = w.rows[0].get(i, 0)
            for name in {*row}:
                if (factors[i], name) in found:
                    continue
                value = product(x, self.values[name])
                keep(1, value.bit_length())
                found[factors[i], name] = number.setdefault(key(value), len(values))
                if len(number) > len(values):
                    values.append(value)
            rows.append([found[factors[i], name] for name in row])
        return Numbered(values, [[*column] for column in zip(*rows, strict=True)])

    def moved(self, line: int, g: list[int], to: int) -> bool:
        """Whether at g(i) in the one line is the number that is at i in the other, for every i."""
        charge(6 * len(g))
        names, others = self.names[line], self.names[to]
        # Polynomials of two names can be equal: at one point, or if they are 0.
        return all(
            names[there] == other or bool(self.values[names[there]] == self.values[other])
            for there, other in zip(g, others, strict=True)
        )


def sums_by_row(
    table: list[tuple[int, ...]], costs: Numbered, entries: Numbered
) -> Iterator[tuple[Any, Any]]:
    """For each row of a table of names of entries: its sum, and its sum with the costs. Rows with
    the same pairs of both, in any order, are summed once.
    """
    known = dict[object, tuple[Any, Any]]()
    for names, prices in zip(table, costs.names, strict=True):
        charge(12 * len(names))
        terms = tuple(sorted(zip(names, prices, strict=True)))
        if terms not in known:
            keep(len(names), 0)
            xs = [entries.values[name] for name, _ in terms]
            ls = [costs.values[price] for _, price in terms]
            charge(len(xs), longest(xs))
            known[terms] = sum(xs), dot(ls, xs)
        yield known[terms]


# ── Two rows (SPEC §4.13, §4.15) ────────────────────────────────────────────────────────────────
def excess(m: Matrix, i: int, j: int, alpha: Fraction) -> int:
    """q·den·Σ_r max(0, α·x_ir − x_jr), α = p/q."""
    p, q = alpha.numerator, alpha.denominator
    x, y = m.rows[i], m.rows[j]
    count_products(2 * m.width, m.bits, max(p.bit_length(), q.bit_length()))
    gains = (p * entry - q * y.get(r, 0) for r, entry in x.items())
    return sum(gain for gain in gains if gain > 0)


class Excesses:
    """The numbers q·den·Σ_r max(0, α·x_ir − x_jr), α = p/q, for pairs of rows, against a bound."""

    def __init__(self, m: Matrix, alpha: Fraction, factor: int, bound: int) -> None:
        self.m, self.factor, self.bound = m, factor, bound
        self.names = list[list[int]]()
        self.above = list[list[int]]()
        self.below = list[list[int]]()
        self.known = set[object]()
        if FIELD.get() is None or not comparable():
            return
        # The entries, by which of the different numbers each is; at least p·x and at most q·x.
        count = len(m.rows) * m.width
        keep(count // 8, 0)
        charge(4 * count)
        number = dict[object, int]()
        different = list[Any]()
        for row in m.rows:
            found = list[int]()
            for x in (row.get(r, 0) for r in range(m.width)):
                name = key(x)
                if name not in number:
                    number[name] = len(different)
                    different.append(x)
                found.append(number[name])
            self.names.append(found)
        enclosures = [enclosed(x) for x in different]
        self.bits = max(high.bit_length() for _, high in enclosures)
        self.p = enclosed(alpha.numerator)[1]
        q = max(0, enclosed(alpha.denominator)[0])
        count_products(2 * len(different), self.bits, self.p.bit_length())
        above = [self.p * high for _, high in enclosures]
        below = [q * max(0, low) for low, _ in enclosures]
        self.above = [[above[name] for name in row] for row in self.names]
        self.below = [[below[name] for name in row] for row in self.names]

    def within(self, i: int, j: int) -> bool:
        """Whether factor·q·den·Σ_r max(0, α·x_ir − x_jr) ≤ bound is shown without the sum itself:
        by enclosures, or since another pair has the same sum.
        """
        # Theorem: excess_within, excess_permuted (ApproximatePrivacy.v). x is at most its upper end
        # and y at least its lower end; all numbers are ≥ 0.
        if not self.above:
            return False
        count_products(2 * self.m.width, self.bits, self.p.bit_length())
        rows = zip(self.above[i], self.below[j], strict=True)
        most = sum([x - y for x, y in rows if x > y])
        precision = FIELD.get().precision
        if most * enclosed(self.factor)[1] <= enclosed(self.bound)[0] << 2 * precision:
            return True
        return self.terms(i, j) in self.known

    def terms(self, i: int, j: int) -> object:
        """Equal for pairs of rows with the same pairs of entries in any order of the outputs."""
        charge(8 * self.m.width)
        return tuple(sorted(zip(self.names[i], self.names[j], strict=True)))

    def note(self, i: int, j: int) -> None:
        """The pair's sum was found to be within the bound."""
        if self.above:
            keep(self.m.width // 8, 0)
            self.known.add(self.terms(i, j))


def pairs_of_rows(
    xs: list[list[int]], ys: list[list[int]], pairs: Sequence[tuple[int, int, Fraction]], by: int
) -> Iterator[tuple[int, int, Fraction, list[int], list[int]]]:
    """For each pair in both orders row i of the one table and row j of the other, to compare
    products of their entries with numbers of so many bits.
    """
    bits = max(map(longest, [*xs, *ys]))
    for first, second, square in pairs:
        for i, j in ((first, second), (second, first)):
            count_products(2 * len(xs[i]), bits, by)
            yield i, j, square, xs[i], ys[j]


def least_ratio(m: Matrix, i: int, j: int) -> Fraction:
    """The least x_ir/x_jr over the outputs with x_jr > 0; some output has it if row j sums to 1."""
    x, y = m.rows[i], m.rows[j]
    count_products(10 + 2 * len(y), m.bits, m.bits)
    best: tuple[int, int] | None = None
    for r, below in y.items():
        if below > 0:
            above = x.get(r, 0)
            if best is None or above * best[1] < best[0] * below:
                best = above, below
    assert best is not None
    return ratio(*best)


def outer(xs: Row, ys: Row) -> dict[tuple[int, int], int]:
    """x_i·y_j at (i, j)."""
    size = len(xs) * len(ys)
    count_products(2 * size, longest(xs.values()), longest(ys.values()))
    charge(0, held=size)
    return {(i, j): x * y for i, x in xs.items() for j, y in ys.items()}


def combined_rows(
    R: Matrix, numbers: Sequence[Any], places: list[list[int]], modular: bool = False
) -> Iterator[list[Any]]:
    """The rows of R.den·R·N, where N_jh is the number at places[j][h], or 0 where that is −1; or
    their residues modulo PRIME.
    """
    width = len(places[0])
    values = [*numbers, 0]
    bits, by = R.bits, longest(values)
    if modular:
        charge(len(values) * (1 + by // 500) + sum(map(len, R.rows)) * (1 + bits // 500))
        values = [x % PRIME for x in values]
        bits = by = 61
    for r in R.rows:
        count_products((len(r) + 1) * width, bits, by)
        row: list[Any] = [0] * width
        for j, x in r.items():
            factor = x % PRIME if modular else x
            row = [a + factor * values[k] for a, k in zip(row, places[j], strict=True)]
        if modular:
            row = [x % PRIME for x in row]
        yield row


def side_by_side(tables: Sequence[Matrix], factors: Sequence[Any]) -> list[Sequence[Any]]:
    """The columns of all tables, each times its den and a factor."""
    size = sum(table.width * len(table.rows) for table in tables)
    each = zip(tables, factors, strict=True)
    bits = max((table.bits + factor.bit_length() for table, factor in each), default=0)
    charge(0, bits, held=size)
    columns = list[Sequence[Any]]()
    for table, factor in zip(tables, factors, strict=True):
        columns += [scaled(column, factor) for column in table.columns()]
    return columns


# ── Ranks and determinants ──────────────────────────────────────────────────────────────────────
def rank(equations: Iterable[dict[Any, int]], sums: Iterable[dict[Any, int]] = ()) -> int:
    """The rank of sparse rows modulo PRIME, which is at most that over ℚ."""
    # Listed to take short ones first.
    listed = list[dict[Any, int]]()
    held = 0
    for equation in equations:
        held += len(equation) + 2  # each with its dictionary
        charge(4 * len(equation), longest(equation.values()), held=held)
        listed.append(equation)
    listed.sort(key=len)

    # Gauss: each row without the first unknowns of those before.
    pivots = dict[Any, dict[Any, int]]()
    for equation in merge(listed, sums, key=len):
        charge(4 * len(equation), longest(equation.values()))
        row = {at: r for at, x in equation.items() if (r := x % PRIME)}
        while row and (first := min(row)) in pivots:
            pivot, factor = pivots[first], row[first]
            charge(4 * (len(row) + len(pivot)))
            combined = {at: row.get(at, 0) - factor * pivot.get(at, 0) for at in row | pivot}
            row = {at: r for at, x in combined.items() if (r := x % PRIME)}
        held += len(row) + 2
        charge(len(row), 61, held=held)
        if row:
            inverse = pow(row[first], -1, PRIME)
            pivots[first] = {at: x * inverse % PRIME for at, x in row.items()}
    return len(pivots)


def determinant(work: list[list[int]]) -> int:
    """Bareiss: each entry on the way is a minor, so divisions are exact. A step drops the first
    column.
    """
    m, sign, last = len(work), 1, 1
    for k in range(m - 1):
        # A row with an entry in the first column comes first.
        pivot = next((i for i in range(k, m) if work[i][0]), None)
        if pivot is None:
            return 0
        if pivot != k:
            work[k], work[pivot] = work[pivot], work[k]
            sign = -sign
        bits = max(map(longest, work[k:]))
        charge((m - k) ** 2, 2 * bits, 2 * (m - k) ** 2, (m - k) ** 2)
        charge((m - k) ** 2 * (bits**2 // 25_000))  # the divisions
        head, *rest = work[k]
        for i in range(k + 1, m):
            first, *others = work[i]
            work[i] = [(x * head - first * y) // last for x, y in zip(others, rest, strict=True)]
        last = head
    return sign * work[m - 1][0]
