# SPDX-License-Identifier: MIT
"""How much of B can be made of A? Maximise Σ (A·R) over R ≥ 0 with A·R ≤ B and every row of R at most 1.

It is all of B iff B = A·R for a row-stochastic R. Otherwise the multipliers V of A·R ≤ B show it: W = 1 − V has Σ W·B > Σ_y max_r (AᵀW)_yr.
The program has a solution in any case and can begin at R = 0. That inequality is strict, so W may be rounded: mostly the multipliers of a
float solver, rounded to a few binary digits, already are a separator, which is then checked exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exactdp.exact import QQ, ExactMatrix, Rational, largest
from exactdp.search.doubles import rounded
from exactdp.search.highs import ask_highs
from exactdp.search.lp import Basis, LinearProgram, Optimal, Row, solve

__all__ = ["Separator", "by_mass", "mass_program", "separates"]

DIGITS = (6, 12, 24, 40)
"""Binary digits to which float multipliers are rounded."""

LARGEST = 2.0**60
"""Larger float multipliers are not used."""


@dataclass(frozen=True, slots=True)
class Separator:
    """W with Σ W·B > Σ_y max_r (AᵀW)_yr."""

    matrix: ExactMatrix


def by_mass(
    A: ExactMatrix, B: ExactMatrix, *, without_floats: Callable[[], ExactMatrix | Separator] | None = None
) -> ExactMatrix | Separator:
    """A row-stochastic R with A·R = B, or a separator; A has no zero column, and the rows of both sum to 1.

    ``without_floats`` is what to do instead, over ℚ, when there is no float solver.

    >>> by_mass(ExactMatrix([["1/2", "1/4", "1/4"]]), ExactMatrix([["1"]]))
    ExactMatrix([['1'], ['1'], ['1']])
    """
    (n, m), k = A.shape, B.shape[1]
    lp = mass_program(A, B)
    basis = None
    if A.field == QQ:
        found, basis = _guess(lp, A, B)
        if found is not None:
            return found
        if basis is None and without_floats is not None:
            return without_floats()
    answer = solve(lp, start=basis)
    assert isinstance(answer, Optimal)
    if -answer.value == n:
        return ExactMatrix([answer.x[y * k : (y + 1) * k] for y in range(m)], A.field)
    return Separator(ExactMatrix([[1 - v for v in answer.y[x * k : (x + 1) * k]] for x in range(n)], A.field))


def mass_program(A: ExactMatrix, B: ExactMatrix) -> LinearProgram:
    """Minimise −Σ (A·R) subject to −A·R ≥ −B and −R·1 ≥ −1; R_yr is variable y·k + r."""
    m, k = A.shape[1], B.shape[1]
    minus = A.field.one * -1
    rows: list[Row] = []
    for a, b in zip(A.rows(), B.rows(), strict=True):
        used = [(y * k, -p) for y, p in enumerate(a) if p]
        rows.extend(Row({y + r: p for y, p in used}, ">=", -b[r]) for r in range(k))
    rows.extend(Row({y * k + r: minus for r in range(k)}, ">=", minus) for y in range(m))
    gains = [-sum(column, A.field.zero) for column in zip(*A.rows(), strict=True)]
    return LinearProgram(m * k, {y * k + r: gain for y, gain in enumerate(gains) for r in range(k)}, rows)


def separates(W: ExactMatrix, A: ExactMatrix, B: ExactMatrix) -> bool:
    """Whether Σ W·B > Σ_y max_r (AᵀW)_yr, exactly.

    >>> coin, all_ = ExactMatrix([["1/2", "1/2"], ["1/2", "1/2"]]), ExactMatrix([[1, 0], [0, 1]])
    >>> separates(all_, coin, all_), separates(all_, all_, coin)
    (True, False)
    """
    best = sum((largest(row) for row in (A.T @ W).rows()), A.field.zero)
    return bool(sum((w * b for u, v in zip(W.rows(), B.rows(), strict=True) for w, b in zip(u, v, strict=True)), A.field.zero) > best)


def _guess(lp: LinearProgram, A: ExactMatrix, B: ExactMatrix) -> tuple[Separator | None, Basis | None]:
    """A separator from the float solver's multipliers, or else the basis at which it stopped."""
    try:
        answer = ask_highs(rounded(lp, scaled=False))
    except (TypeError, OverflowError):
        return None, None
    if answer is None:
        return None, None
    n, k = B.shape
    values = answer.multipliers
    if not all(abs(v) < LARGEST for v in values):  # nor a number at all, perhaps
        return None, answer.basis
    for digits in DIGITS:
        W = ExactMatrix([[_rounded(1 - v, digits) for v in values[x * k : (x + 1) * k]] for x in range(n)])
        if separates(W, A, B):
            return Separator(W), None
    return None, answer.basis


def _rounded(value: float, digits: int) -> Any:
    return Rational(round(value * 2**digits), 2**digits)
