# SPDX-License-Identifier: MIT
"""The entries of a table as integers in the same order: what is asked of pairs of them is asked of integers.

Over ℚ they are the numerators over a common denominator. Over ℚ(e^(−ε), …) they are places in the ascending
list of the values that the table has, which are compared by integers around 2^128 times each of them, and as
exact numbers only where these overlap. Equal entries are mostly one object, and are found by that first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Any

from flint import arb

from exactdp.exact.balls import PRECISION, workprec
from exactdp.exact.matrix import ExactMatrix
from exactdp.exact.rational import QQ, Rational

BITS = 128
"""Numbers are first compared by integers around 2^BITS times each of them."""

Around = tuple[int, int]
"""Integers at most and at least 2^BITS times a number."""

Within = Callable[[int], tuple[int, bool]]
"""For the integer of an entry u the largest integer of a v with α·v ≤ u, and whether α·v = u."""


class Ranking(ABC):
    """The entries of a matrix of numbers, all ≥ 0, as integers in the same order.

    * ``rows``: equal integers are equal entries, and larger ones larger entries.
    """

    rows: Sequence[Sequence[int]]

    @staticmethod
    def of(matrix: ExactMatrix) -> Ranking:
        """That of a matrix over ℚ or ℚ(e^(−ε), …).

        >>> found = Ranking.of(ExactMatrix([["1/2", "1/2"], ["1/4", "3/4"]]))
        >>> found.rows, found.value(1), found.within(Rational("2/3"))(2)
        ([[2, 2], [1, 3]], Rational('1/4'), (3, True))
        """
        return _Numerators(matrix) if matrix.field is QQ else _Places(matrix)

    @abstractmethod
    def value(self, entry: int) -> Any:
        """The number that the integer of an entry stands for."""

    @abstractmethod
    def around(self, entry: int) -> Around:
        """Integers at most and at least 2^BITS times the number that the integer of an entry stands for."""

    @abstractmethod
    def within(self, alpha: Any) -> Within:
        """For an entry u the largest v with α·v ≤ u, as integers, for a number 0 < α ≤ 1 of the field."""

    def columns(self) -> list[tuple[int, ...]]:
        """The integers, column by column."""
        return list(zip(*self.rows, strict=True))


class _Numerators(Ranking):
    """Rational entries by their numerators over one denominator."""

    def __init__(self, matrix: ExactMatrix) -> None:
        self.denominator, self.rows = matrix.integer_rows()

    def value(self, entry: int) -> Any:
        return Rational(entry, self.denominator)

    def around(self, entry: int) -> Around:
        scaled = entry << BITS
        return scaled // self.denominator, -(-scaled // self.denominator)

    def within(self, alpha: Any) -> Within:
        rational = alpha if isinstance(alpha, Rational) else alpha.rational
        if rational is None:
            return _times_transcendental(alpha)
        p, q = rational.numerator, rational.denominator

        def largest(u: int) -> tuple[int, bool]:
            v, rest = divmod(u * q, p)
            return v, rest == 0

        return largest


def _times_transcendental(alpha: Any) -> Within:
    """For integers: α·v = u > 0 for none."""
    less, more = integers_around(1 / alpha)

    def largest(u: int) -> tuple[int, bool]:
        v, most = u * less >> BITS, u * more >> BITS
        while v < most:
            middle = (v + most + 1) // 2
            v, most = (middle, most) if alpha * middle <= u else (v, middle - 1)
        return v, u == 0

    return largest


class _Places(Ranking):
    """Entries by their places among the values, ascending."""

    def __init__(self, matrix: ExactMatrix) -> None:
        entries = list(matrix.rows())
        objects: dict[int, Any] = {}
        for row in entries:
            objects.update(zip(map(id, row), row, strict=True))
        number: dict[object, int] = {}
        met: list[Any] = []  # the different values, in the order in which they are first met
        of_object: dict[int, int] = {}
        for name, x in objects.items():
            key = x.numerator, x.denominator
            if key not in number:
                number[key] = len(met)
                met.append(x)
            of_object[name] = number[key]
        around = [integers_around(x) for x in met]

        def compared(a: int, b: int) -> int:
            return _compared(around[a], around[b], lambda: met[a].compare(met[b]))

        order = sorted(range(len(met)), key=cmp_to_key(compared))
        place = dict(zip(order, range(len(met)), strict=True))
        of_object = {name: place[k] for name, k in of_object.items()}
        self.rows = [list(map(of_object.__getitem__, map(id, row))) for row in entries]
        self.values = [met[k] for k in order]
        self._around = [around[k] for k in order]

    def value(self, entry: int) -> Any:
        return self.values[entry]

    def around(self, entry: int) -> Around:
        return self._around[entry]

    def within(self, alpha: Any) -> Within:
        sign = self._multiplied(alpha)
        found: list[tuple[int, bool]] = []
        count = 0
        for u in range(len(self.values)):
            equal = False
            while count < len(self.values):
                compared = sign(count, u)
                if compared > 0:
                    break
                equal = compared == 0
                count += 1
            found.append((count - 1, equal))
        return found.__getitem__

    def _multiplied(self, alpha: Any) -> Callable[[int, int], int]:
        """The sign of α·v − u, for the places of v and u."""
        values, around = self.values, self._around
        below, above = integers_around(alpha)
        products = [(below * low, above * high) for low, high in around]
        others = [(low << BITS, high << BITS) for low, high in around]

        def sign(v: int, u: int) -> int:
            return _compared(products[v], others[u], lambda: int((alpha * values[v]).compare(values[u])))

        return sign


def integers_around(x: Any) -> Around:
    """Integers at most and at least 2^BITS times a number of ℚ or ℚ(e^(−ε), …).

    >>> low, high = integers_around(Rational("1/3"))
    >>> low < 2**128 / Rational(3) < high, high - low
    (True, 1)
    """
    if isinstance(x, Rational):
        above, below = x.numerator << BITS, x.denominator
        return above // below, -(-above // below)
    constant = x.rational
    if constant is not None:
        return integers_around(constant)
    precision = BITS + 32
    while True:
        ball = x.ball(precision)
        if ball.is_finite():
            with PRECISION, workprec(precision):
                scaled = ball * arb(2) ** BITS
                return int(scaled.lower().floor().unique_fmpz()), int(scaled.upper().ceil().unique_fmpz())
        precision *= 2


def _compared(first: Around, second: Around, exactly: Callable[[], int]) -> int:
    """The sign of a difference, by what is around both, or exactly where these overlap."""
    if first[1] < second[0]:
        return -1
    if first[0] > second[1]:
        return 1
    return exactly()
