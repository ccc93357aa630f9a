# SPDX-License-Identifier: MIT
"""A linear program rounded to doubles so that a float solver sees what matters.

Rows and columns are scaled by powers of two, in exact arithmetic, before anything is rounded. A problem can also be *centred* on an
exact vertex x with multipliers y: its unknowns are then the corrections to x, its costs the reduced costs at y, and the largest
violation of either is magnified to 1. What was far below a double's resolution becomes the whole problem (iterative refinement).
A problem with more rows than columns is solved faster as its dual.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from exactdp.exact import Rational, combine, products
from exactdp.search.basis import BasicSolution
from exactdp.search.memo import ByIdentity
from exactdp.search.problem import LinearProgram

__all__ = ["FloatProgram", "centred", "dual", "rounded"]

_ROUNDS = 4
_NEAR = 2.0**10
"""Coefficients from 1/2^10 to 2^10 need no scaling."""
_FAR = 27
"""A bound or cost beyond 2^27 is clipped there when a problem is centred."""


@dataclass(frozen=True, slots=True)
class FloatProgram:
    """Minimise cost·x, lower ≤ x ≤ upper, row_lower ≤ Ax ≤ row_upper, in doubles; A is (starts, index, values), by rows or by columns."""

    cost: list[float]
    lower: list[float]
    upper: list[float]
    row_lower: list[float]
    row_upper: list[float]
    starts: list[int]
    index: list[int]
    values: list[float]
    by_columns: bool = False


def rounded(lp: LinearProgram, *, scaled: bool = True) -> FloatProgram:
    """The scaled problem itself; or the problem as it is, for when small coefficients hardly matter and scaling would make them large."""
    plain = _plain(lp) if scaled else None
    rows, columns = _scales(lp) if plain is None and scaled else ([0] * len(lp.rows), [0] * lp.n_variables)
    rhs = [_double(row.rhs, rows[i]) for i, row in enumerate(lp.rows)]
    starts, index, values = _matrix(lp, rows, columns, slacks=False) if plain is None else plain
    return FloatProgram(
        cost=[_double(lp.objective[j], columns[j]) if j in lp.objective else 0.0 for j in range(lp.n_variables)],
        lower=[-math.inf if j in lp.free else 0.0 for j in range(lp.n_variables)],
        upper=[math.inf] * lp.n_variables,
        row_lower=rhs,
        row_upper=[b if row.sense == "==" else math.inf for b, row in zip(rhs, lp.rows, strict=True)],
        starts=starts,
        index=index,
        values=values,
    )


def dual(program: FloatProgram) -> FloatProgram:
    """The dual of a :func:`rounded` problem: maximise b·y, Aᵀy ≤ c (= c for a free variable), y ≥ 0 (free for an equation)."""
    return replace(
        program,
        cost=[-b for b in program.row_lower],
        lower=[-math.inf if b == top else 0.0 for b, top in zip(program.row_lower, program.row_upper, strict=True)],
        upper=[math.inf] * len(program.row_lower),
        row_lower=[-math.inf if low == 0 else c for c, low in zip(program.cost, program.lower, strict=True)],
        row_upper=program.cost,
        by_columns=not program.by_columns,
    )


def centred(lp: LinearProgram, vertex: BasicSolution, *, scaled: bool = True) -> FloatProgram:
    """The problem of the corrections to a vertex; the logicals follow the variables as columns of their own."""
    rows, columns = _scales(lp) if scaled else ([0] * len(lp.rows), [0] * lp.n_variables)
    n, m = lp.n_variables, len(lp.rows)
    place, cost = _residuals(lp, vertex)
    units = [-c for c in columns] + rows  # x_j = 2^c_j·x'_j, s_i = 2^(−r_i)·s'_i
    signed = [j for j in range(n) if j not in lp.free] + [n + i for i, row in enumerate(lp.rows) if row.sense == ">="]
    stretch = _magnification((place[k], units[k]) for k in signed)
    weight = _magnification((cost[k], -units[k]) for k in signed)
    lower, upper = [-math.inf] * (n + m), [math.inf] * (n + m)
    for k in signed:
        lower[k] = -_clipped(place[k], units[k] + stretch)
    for i, row in enumerate(lp.rows):
        if row.sense == "==":
            lower[n + i] = upper[n + i] = -_clipped(place[n + i], units[n + i] + stretch)
    starts, index, values = _matrix(lp, rows, columns, slacks=True)
    return FloatProgram(
        cost=[_clipped(d, weight - units[k]) for k, d in enumerate(cost)],
        lower=lower,
        upper=upper,
        row_lower=[0.0] * m,
        row_upper=[0.0] * m,
        starts=starts,
        index=index,
        values=values,
    )


def _residuals(lp: LinearProgram, vertex: BasicSolution) -> tuple[list[Any], list[Any]]:
    """The exact values, and the exact reduced costs, of all variables and logicals."""
    zero = lp.field.zero
    forms = products(lp.field, (row.coefficients for row in lp.rows), {j: v for j, v in enumerate(vertex.x) if v})
    slack = [left - row.rhs for left, row in zip(forms, lp.rows, strict=True)]
    paid = combine(lp.field, [(y, row.coefficients) for row, y in zip(lp.rows, vertex.y, strict=True) if y])
    reduced = [lp.objective.get(j, zero) - paid.get(j, zero) for j in range(lp.n_variables)]
    costs = [zero if row.sense == "==" else y for row, y in zip(lp.rows, vertex.y, strict=True)]
    return [*vertex.x, *slack], [*reduced, *costs]


def _magnification(values: Iterable[tuple[Any, int]]) -> int:
    """The exponent that brings the largest violation near 1; without one, the smallest positive value."""
    wrong: int | None = None
    small: int | None = None
    for value, unit in values:
        if not value:
            continue
        size = _exponent(value) + unit
        if value < 0:
            wrong = size if wrong is None else max(wrong, size)
        else:
            small = size if small is None else min(small, size)
    if wrong is not None:
        return -wrong
    return 0 if small is None else max(0, -small)


def _plain(lp: LinearProgram) -> tuple[list[int], list[int], list[float]] | None:
    """The matrix without scaling, if that is good enough."""
    try:
        double = ByIdentity(float)
        values = [double(a) for row in lp.rows for a in row.coefficients.values()]
    except OverflowError:
        return None
    if not all(1 / _NEAR <= abs(value) <= _NEAR for value in values):
        return None
    starts = [0, *accumulate(len(row.coefficients) for row in lp.rows)]
    return starts, [j for row in lp.rows for j in row.coefficients], values


def _matrix(lp: LinearProgram, rows: list[int], columns: list[int], *, slacks: bool) -> tuple[list[int], list[int], list[float]]:
    starts: list[int] = [0]
    index: list[int] = []
    values: list[float] = []
    for i, row in enumerate(lp.rows):
        index.extend(row.coefficients)
        values.extend(_double(a, rows[i] + columns[j]) for j, a in row.coefficients.items())
        if slacks:
            index.append(lp.n_variables + i)
            values.append(-1.0)
        starts.append(len(index))
    return starts, index, values


def _scales(lp: LinearProgram) -> tuple[list[int], list[int]]:
    """Exponents of two for rows and columns that bring the coefficients near 1: the middle of each range, a few times."""
    rows, columns = [0] * len(lp.rows), [0] * lp.n_variables
    sizes = [{j: _exponent(a) for j, a in row.coefficients.items()} for row in lp.rows]
    for _ in range(_ROUNDS):
        spread: list[tuple[int, int] | None] = [None] * lp.n_variables
        for i, row in enumerate(sizes):
            if not row:
                continue
            scaled = [size + columns[j] for j, size in row.items()]
            rows[i] = -((min(scaled) + max(scaled)) // 2)
            for j, size in row.items():
                here = size + rows[i]
                known = spread[j]
                spread[j] = (here, here) if known is None else (min(known[0], here), max(known[1], here))
        columns = [0 if known is None else -((known[0] + known[1]) // 2) for known in spread]
    return rows, columns


def _exponent(a: Any) -> int:
    """The e with |a| ≈ 2^e, for a ≠ 0."""
    if isinstance(a, Rational):
        return abs(a.numerator).bit_length() - a.denominator.bit_length()
    return math.frexp(float(a))[1]


def _double(a: Any, exponent: int) -> float:
    """a·2^exponent, rounded once."""
    if not isinstance(a, Rational):
        return math.ldexp(float(a), exponent)
    return float(a * Rational(2) ** exponent) if exponent else float(a)


def _clipped(a: Any, exponent: int) -> float:
    if not a:
        return 0.0
    size = _exponent(a) + exponent
    if size > _FAR:
        return math.ldexp(1.0 if a > 0 else -1.0, _FAR)
    return 0.0 if size < -60 else _double(a, exponent)
