# SPDX-License-Identifier: MIT
"""The least ratio of two rows of integers: what the constraints of two neighbours say together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


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
