# SPDX-License-Identifier: MIT
"""Numbers λ ≥ 0 with A·λ ≤ b, exactly: how much of each product with a condition a polynomial contains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flint import fmpq

MOST_PIVOTS = 400
"""So many exchanges are made before a system is left open."""

MOST_NUMBERS = 40_000
"""A system with more numbers is left open."""


def multipliers(columns: Sequence[Mapping[Any, fmpq]], bound: Mapping[Any, fmpq]) -> list[fmpq] | None:
    """Numbers λ_j ≥ 0 with Σ_j λ_j·columns[j] ≤ bound in every row; None if none were found.

    A row that a mapping does not have is 0. A column takes the place of a violated row, always the first that
    can (Bland's rule, for the dual simplex method without costs).

    Examples
    --------
    >>> one, two = fmpq(1), fmpq(2)
    >>> multipliers([{"x": -one, "y": one}], {"x": -one, "y": two})
    [1]
    >>> multipliers([{"x": -one, "y": one}], {"x": -two, "y": one}) is None
    True
    """
    rows = list(dict.fromkeys(row for part in (bound, *columns) for row in part))
    rows = [row for row in rows if bound.get(row, 0) < 0 or any(column.get(row, 0) > 0 for column in columns)]
    if len(rows) * len(columns) > MOST_NUMBERS:
        return None
    zero = fmpq(0)
    table = [[*(column.get(row, zero) for column in columns), bound.get(row, zero)] for row in rows]
    inside, outside = list(range(len(columns), len(columns) + len(rows))), list(range(len(columns)))
    for _ in range(MOST_PIVOTS):
        violated = [i for i, line in enumerate(table) if line[-1] < 0]
        if not violated:
            values = dict(zip(inside, (line[-1] for line in table), strict=True))
            return [values.get(j, zero) for j in range(len(columns))]
        i = min(violated, key=inside.__getitem__)
        usable = [j for j in range(len(outside)) if table[i][j] < 0]
        if not usable:
            return None
        j = min(usable, key=outside.__getitem__)
        _exchange(table, i, j)
        inside[i], outside[j] = outside[j], inside[i]
    return None


def _exchange(table: list[list[fmpq]], i: int, j: int) -> None:
    """The variable of column j takes the place of that of row i."""
    pivot = table[i][j]
    line = [x / pivot for x in table[i]]
    line[j] = 1 / pivot
    for k, other in enumerate(table):
        share = other[j]
        if k != i and share:
            changed = [x - share * y if y else x for x, y in zip(other, line, strict=True)]
            changed[j] = -share * line[j]
            table[k] = changed
    table[i] = line
