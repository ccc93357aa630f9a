# SPDX-License-Identifier: MIT
"""Shared by the replays: levels, consumers, Definition 4 at the ends, identities by evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from typing import Any

from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.model import Mechanism

LEVELS = ("1/1000", "1/5", "1/4", "1/2", "2/3", "9/10", "999/1000")
"""Levels at which universal statements are tried."""


def definition_4(n: int, alpha: Rational) -> ExactMatrix:
    """The matrix that Definition 4 prints, for 0 ≤ α ≤ 1 (with 0⁰ = 1) and n ≥ 0, a mechanism or not."""
    end, middle = 1 / (1 + alpha), (1 - alpha) / (1 + alpha)

    def entry(k: int, z: int) -> Rational:
        scale = end if z in (0, n) else middle
        return scale * alpha ** abs(z - k) if z != k else scale

    return ExactMatrix.build(n + 1, n + 1, entry)


def triples(matrix: ExactMatrix, alpha: Any) -> bool:
    """Whether (1+α²) x₂ ≥ α (x₁ + x₃) in all columns, as Theorem 2 prints it: no condition at the ends."""
    rows, columns = matrix.shape
    return all(
        (1 + alpha * alpha) * matrix[i, c] >= alpha * (matrix[i - 1, c] + matrix[i + 1, c])
        for i in range(1, rows - 1)
        for c in range(columns)
    )


def profiles(size: int, ratios: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """All columns (1, x₁, …) of this size whose successive quotients are among ``ratios``."""
    for steps in product(ratios, repeat=size - 1):
        column = [QQ.one]
        for step in steps:
            column.append(column[-1] * step)
        yield tuple(column)


def two_output_mechanisms(n: int, alpha: Rational) -> Iterator[Mechanism]:
    """All c·p, 1 − c·p with the largest private c, for the profiles p with quotients α, 1, 1/α."""
    for p in profiles(n + 1, (alpha, QQ.one, 1 / alpha)):
        falls = [x - alpha * y for pair in pairwise(p) for x, y in (pair, pair[::-1])]
        c = min([(1 - alpha) / fall for fall in falls if fall > 0])
        yield Mechanism([[c * x, 1 - c * x] for x in p])


def is_identity(function: Callable[..., Any], *degrees: int, start: int = 2) -> bool:
    """Whether a polynomial is zero, decided by evaluation.

    A polynomial whose degree in its k-th variable is at most ``degrees[k]`` and that vanishes on a grid of
    degrees[k] + 1 values for the k-th variable is the zero polynomial (induction on the number of variables).
    The values are integers from ``start`` on.

    >>> is_identity(lambda x, y: (x + y) * (x - y) - x * x + y * y, 2, 2), is_identity(lambda x: x - 2, 1)
    (True, False)
    """
    grid = [[QQ(value) for value in range(start, start + degree + 1)] for degree in degrees]
    return all(not function(*point) for point in product(*grid))
