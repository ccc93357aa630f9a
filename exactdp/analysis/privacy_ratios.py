# SPDX-License-Identifier: MIT
"""The least ratio of two rows of integers: what the constraints of two neighbours say together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import sub
from typing import Any, NamedTuple

from exactdp.exact.balls import integer_logarithms

PLACES = 32
"""Logarithms have so many binary places."""

LOGARITHM_OF_ZERO = -(2**61)
"""Far below that of any integer that fits into a memory: its differences still have 63 bits."""

UNSURE = 2
"""A difference of two logarithms in integers is less than this from the true one."""


class LeastRatio(NamedTuple):
    """The first place with the ratio smaller/larger ≤ 1; ``swapped``: the second row has the smaller one."""

    smaller: int
    larger: int
    output: int
    swapped: bool


def least_of_rows(first: Sequence[int], second: Sequence[int], known: LeastRatio | None = None) -> LeastRatio | None:
    """:func:`least_of_entries` of two rows."""
    return least_of_entries(zip(range(len(first)), first, second, strict=True), known)


def least_of_entries(entries: Iterable[tuple[int, int, int]], known: LeastRatio | None) -> LeastRatio | None:
    """The least ratio of two entries ≥ 0, of some outputs in order, if it is less than the known one.

    0/0 is none. Otherwise what was known is returned, as the same object.

    >>> least_of_entries([(0, 4, 2), (2, 1, 2)], None)
    LeastRatio(smaller=2, larger=4, output=0, swapped=True)
    """
    p, q = (2, 1) if known is None else (known.smaller, known.larger)
    found = known
    for r, x, y in entries:
        if x <= y:
            if x * q < p * y:
                p, q = x, y
                found = LeastRatio(x, y, r, False)
        elif y * q < p * x:
            p, q = y, x
            found = LeastRatio(y, x, r, True)
    return found


class RowLogarithms:
    """Logarithms of the entries of rows of integers ≥ 0: they say which ratios are not the least.

    Of an entry x > 0 it is an integer L with 2^PLACES·ln x in [L, L + 2); of 0 one far below all. So the
    logarithm of a ratio is known up to 2 from integers of 64 bits, however long the entries are. Where that
    does not decide, the entries do.

    * ``rows``: of one length.
    * ``many``: whether numpy compares them: to load it takes longer than a few pairs.

    >>> found = RowLogarithms([[4, 0, 1], [2, 0, 2], [4, 1, 1]])
    >>> ratio = found.least_ratio(0, 1, found.apart(0, [1, 2])[0], None)
    >>> ratio, found.least_ratio(1, 0, found.apart(1, [0])[0], ratio) is ratio
    (LeastRatio(smaller=2, larger=4, output=0, swapped=True), True)
    """

    def __init__(self, rows: Sequence[Sequence[int]], *, many: bool = False) -> None:
        known = {0: LOGARITHM_OF_ZERO} | integer_logarithms({x for row in rows for x in row} - {0}, PLACES)
        self._known, self._rows = known, rows
        self._logarithms = [list(map(known.__getitem__, row)) for row in rows]
        self._array: Any = None
        if many:
            import numpy  # loaded for large tables only

            self._array = numpy.array(self._logarithms, dtype=numpy.int64)

    def apart(self, i: int, others: Sequence[int]) -> list[int]:
        """The largest distance of the logarithms of row i and each of some others, at one output."""
        if self._array is not None:
            return list(map(int, abs(self._array[others] - self._array[i]).max(axis=1)))
        mine = self._logarithms[i]
        return [max(map(abs, map(sub, mine, self._logarithms[j]))) for j in others]

    def least_ratio(self, i: int, j: int, apart: int, known: LeastRatio | None) -> LeastRatio | None:
        """:func:`least_of_rows` of two rows that are so far apart."""
        if known is not None:
            if not known.smaller:
                return known  # no ratio is less than 0
            best = self._known[known.larger] - self._known[known.smaller]
            if apart + UNSURE <= best - UNSURE:
                return known
        # only where the logarithms are nearly as far apart can the ratio be the least one
        first, second, bound = self._rows[i], self._rows[j], min(apart - 2 * UNSURE, -LOGARITHM_OF_ZERO)
        gaps = map(abs, map(sub, self._logarithms[i], self._logarithms[j]))
        return least_of_entries([(r, first[r], second[r]) for r, gap in enumerate(gaps) if gap >= bound], known)
