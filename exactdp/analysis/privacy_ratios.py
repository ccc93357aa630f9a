# SPDX-License-Identifier: MIT
"""The least ratio of two rows of integers: what the constraints of two neighbours say together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LONG, SHORT = 1024, 256
"""Rows with longer integers than LONG bits are first looked at in their SHORT leading bits."""


class LeastRatio(NamedTuple):
    """The first place with the ratio smaller/larger ≤ 1; ``swapped``: the second row has the smaller one."""

    smaller: int
    larger: int
    output: int
    swapped: bool


def least_of_rows(first: Sequence[int], second: Sequence[int], known: LeastRatio | None = None) -> LeastRatio | None:
    """The least ratio of the entries of two rows that are not negative, if it is less than the known one.

    0/0 is none. Otherwise what was known is returned, as the same object.

    >>> least_of_rows([4, 0, 1], [2, 0, 2])
    LeastRatio(smaller=2, larger=4, output=0, swapped=True)
    >>> least_of_rows([3], [4], LeastRatio(1, 2, 0, False))
    LeastRatio(smaller=1, larger=2, output=0, swapped=False)
    """
    p, q = (2, 1) if known is None else (known.smaller, known.larger)
    found = known
    for r, (x, y) in enumerate(zip(first, second, strict=True)):
        if x <= y:
            if x * q < p * y:
                p, q = x, y
                found = LeastRatio(x, y, r, False)
        elif y * q < p * x:
            p, q = y, x
            found = LeastRatio(y, x, r, True)
    return found


def leading_bits(rows: Sequence[Sequence[int]]) -> tuple[int, list[list[int]]] | None:
    """How far the integers ≥ 0 of some rows are shifted, and what is left of them; None if none is long.

    >>> leading_bits([[3, 4]]), leading_bits([[1 << 2000, 5]]) == (1745, [[1 << 255, 0]])
    (None, True)
    """
    bits = max(x.bit_length() for row in rows for x in row)
    if bits <= LONG:
        return None
    shift = bits - SHORT
    return shift, [[x >> shift for x in row] for row in rows]


def least_of_long_rows(
    first: Sequence[int], second: Sequence[int], shift: int, short: tuple[Sequence[int], Sequence[int]], known: LeastRatio | None
) -> LeastRatio | None:
    """The same as :func:`least_of_rows`; ``short`` is what a shift leaves of the rows.

    x·q ≥ p·y is certain where ⌊x⌋·⌊q⌋ ≥ (⌊p⌋ + 1)·(⌊y⌋ + 1) for the shifted numbers. Others are multiplied.

    >>> least_of_long_rows([40, 0, 10], [20, 0, 20], 3, ([5, 0, 1], [2, 0, 2]), None)
    LeastRatio(smaller=20, larger=40, output=0, swapped=True)
    """
    found = known
    p, q = (2 << shift, 1 << shift) if known is None else (known.smaller, known.larger)
    most, least = (p >> shift) + 1, q >> shift
    for r, (a, b) in enumerate(zip(*short, strict=True)):
        small, large = (a, b) if a <= b else (b, a)
        if small * least >= most * (large + 1):
            continue
        x, y = first[r], second[r]
        swapped = x > y
        x, y = (y, x) if swapped else (x, y)
        if x * q < p * y:
            p, q = x, y
            most, least = (p >> shift) + 1, q >> shift
            found = LeastRatio(x, y, r, swapped)
    return found
