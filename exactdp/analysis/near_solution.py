# SPDX-License-Identifier: MIT
"""Φ·z = 1 at a level e^(−ε) with many cells: the signs of z without z.

Balls enclose the solution of the quotient B·z = 1. If all of its entries are positive, z ≥ 0 exists. If one seems to be negative, a Farkas
vector is guessed and checked exactly. What goes on record are rational numbers that anyone can check: for *no* the Farkas vector, moved a
little into the inside so that it can be rounded; for *yes* a rounded z̃ and a rounded inverse R: if κ = ‖I − R·B‖ < 1, the true z
differs from z̃ by at most ‖R·(1 − B·z̃)‖/(1 − κ).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.analysis.regular import farkas_fails
from exactdp.errors import DomainError, ResourceLimitError
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.balls import BallSystem
from exactdp.model.constraint_matrix import Cells
from exactdp.model.level import PrivacyLevel

__all__ = ["NearSolution", "solution_within_balls"]

PRECISIONS = (128, 512, 2048)
BITS = 40
"""Of the rounded numbers that go on record (twice as many for the solution)."""


@dataclass(frozen=True)
class NearSolution:
    """A rounded solution and a rounded inverse (over 2^bits), both on cells."""

    diagonal: tuple[Rational, ...]
    inverse: tuple[tuple[int, ...], ...]
    bits: int


def enclosure_of(level: PrivacyLevel, bits: int) -> tuple[Rational, Rational]:
    """Rationals below and above α."""
    alpha: Any = level.alpha
    if isinstance(alpha, Rational):
        return alpha, alpha
    if not isinstance(alpha, ExponentialNumber):
        raise DomainError(f"the level {level} is no single number", level=level)
    low, high = alpha.enclosure(bits * 3 // 10 + 1)
    return low, high


def solution_within_balls(cells: Cells, level: PrivacyLevel) -> tuple[bool, NearSolution | tuple[Rational, ...]]:
    """(True, what shows it) if Φ·z = 1 for some z ≥ 0, or (False, w) with Φ·w ≥ 0, Σ w < 0, all on cells.

    Raises
    ------
    ResourceLimitError
        2048 bits don't show the signs (an entry of z would be zero, which at e^(−ε) means an identity).
    """
    ones: list[int | Rational] = [1] * len(cells.members)
    for precision in PRECISIONS:
        system = BallSystem(_exponents(cells), *enclosure_of(level, precision), precision)
        guess = system.rounded(ones, 2 * BITS)
        if guess is not None and min(guess) < 0:
            found = _farkas(cells, system, guess)
            if found is not None and farkas_fails(cells, level, found, [level.alpha / level.alpha] * len(found)) is None:
                return False, found
            continue
        if set(system.signs(ones) or [None]) != {1}:
            continue
        inverse, diagonal = system.inverse(BITS), system.rounded(ones, 2 * BITS)
        if inverse is not None and diagonal is not None:
            return True, NearSolution(diagonal, tuple(map(tuple, inverse)), BITS)
    raise ResourceLimitError(f"{PRECISIONS[-1]} bits don't show the signs of the solution", limit=PRECISIONS[-1], got=PRECISIONS[-1])


def middle_of_least(cells: Cells, alpha: Rational) -> Rational | None:
    """About the least entry of the solution of B·z = 1, for guesses; None if B is near a singular matrix."""
    found = BallSystem(_exponents(cells), alpha, alpha, PRECISIONS[0]).rounded([1] * len(cells.members), 100)
    return None if found is None else min(found)


def _exponents(cells: Cells) -> list[list[list[tuple[int, int]]]]:
    """The counts of the quotient with the distances themselves for their classes."""
    steps = [0]
    for d in cells.matrix.distances[1:]:
        if d is None or d.rational is None or d.rational.denominator != 1:
            raise DomainError("only integer distances are decided within balls", distance=d)
        steps.append(int(d.rational.numerator))
    return [[[(steps[k], n) for k, n in entry] for entry in row] for row in cells.counts]


def _farkas(cells: Cells, system: BallSystem, z: tuple[Rational, ...]) -> tuple[Rational, ...] | None:
    """About B⁻¹(e_c + δ·1), where z_c < 0 is least and δ is half of what keeps Σ w negative."""
    size = len(cells.members)
    c = min(range(size), key=lambda b: z[b])
    total = sum((x * len(cell) for x, cell in zip(z, cells.members, strict=True)), Rational(0))
    margin = -z[c] * len(cells.members[c]) / (2 * total) if total.sign() > 0 else Rational(1)
    fine = margin * 2 ** (2 * BITS)
    delta = Rational(fine.numerator // fine.denominator, 2 ** (2 * BITS))
    return system.rounded([delta + int(b == c) for b in range(size)], 2 * BITS)
