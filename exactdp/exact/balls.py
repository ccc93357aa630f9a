# SPDX-License-Identifier: MIT
"""Ball arithmetic: certain signs of numbers and of solutions of linear systems; logarithms.

FLINT's balls keep every rounding error, so a sign that they show is the sign; what they can't show is asked
again at a higher precision.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from threading import RLock
from typing import Literal

from flint import arb, arb_mat, ctx, fmpz

from exactdp.errors import ParameterRangeError
from exactdp.exact.rational import Rational

Counts = Sequence[Sequence[Sequence[tuple[int, int]]]]
"""Entry (c, b) is the sum of count · x^k over its pairs (k, count)."""


PRECISION = RLock()
"""Who holds it sets the precision: ``with PRECISION, workprec(96): …`` computes balls with 96 bits.

FLINT has one precision for all threads. Two that set it at the same time would compute with each other's, and
leave one of them behind: the others wait. Both parts are written in C and stand in one statement, so that no
interrupt comes between what they set and what they set back. (In a function of ours it could.)

>>> from flint import ctx
>>> with PRECISION, workprec(96):
...     ctx.prec
96
>>> ctx.prec
53
"""
if hasattr(os, "register_at_fork"):  # a new process starts with the usual precision, and can set it
    os.register_at_fork(before=PRECISION.acquire, after_in_parent=PRECISION.release, after_in_child=PRECISION.release)

workprec = ctx.workprec
"""Of FLINT: a context with so many bits."""


def sign_from_balls(ball: Callable[[int], arb], precision: int, most: int | None = None) -> int:
    """The sign of a number that is not zero, from balls around it of rising precision.

    * ``ball``: from a precision in bits, which is set while it computes, to a ball.
    * ``precision``: the first one; it is doubled until the ball excludes zero.
    * ``most``: beyond this precision the sign stays open: 0.

    >>> sign_from_balls(lambda bits: arb(2).sqrt() - arb(7) / 5, 8)
    1
    """
    while most is None or precision <= most:
        with PRECISION, workprec(precision):
            value = ball(precision)
        if value > 0:
            return 1
        if value < 0:
            return -1
        precision *= 2
    return 0


class BallSystem:
    """The square matrix B with B_cb = Σ count · x^exponent, for a number x with low ≤ x ≤ high.

    * ``low``, ``high``: around x.
    * ``precision``: bits.

    >>> half = Rational("1/2")
    >>> system = BallSystem([[[(0, 1)], [(1, 1)]], [[(1, 1)], [(0, 1)]]], half, half, 64)
    >>> system.signs([1, 1]), system.rounded([1, 1], 4)
    ((1, 1), (Rational('11/16'), Rational('11/16')))
    """

    def __init__(self, counts: Counts, low: Rational, high: Rational, precision: int) -> None:
        self._precision = precision
        self._known: dict[tuple[int | Rational, ...], list[arb] | None] = {}
        with PRECISION, workprec(precision):
            x = arb(low._q).union(arb(high._q))
            longest = max((k for row in counts for entry in row for k, _ in entry), default=0)
            powers = [arb(1)]
            for _ in range(longest):
                powers.append(powers[-1] * x)
            zero = arb(0)
            self._matrix = arb_mat([[sum((powers[k] * n for k, n in entry), zero) for entry in row] for row in counts])

    @classmethod
    def of_enclosures(cls, counts: Counts, powers: Sequence[tuple[Rational, Rational]], precision: int) -> BallSystem:
        """The matrix with the k-th of some enclosed numbers in place of x^k.

        >>> half, one = Rational("1/2"), Rational(1)
        >>> counts = [[[(0, 1)], [(1, 1)]], [[(1, 1)], [(0, 1)]]]
        >>> system = BallSystem.of_enclosures(counts, [(one, one), (half, half)], 64)
        >>> system.signs([1, 1])
        (1, 1)
        """
        result = cls([], Rational(0), Rational(0), precision)
        with PRECISION, workprec(precision):
            balls = [arb(low._q).union(arb(high._q)) for low, high in powers]
            zero = arb(0)
            result._matrix = arb_mat([[sum((balls[k] * n for k, n in entry), zero) for entry in row] for row in counts])
        return result

    def _solved(self, right: Sequence[int | Rational], algorithm: Literal["approx"] | None = None) -> list[arb] | None:
        with PRECISION, workprec(self._precision):
            try:
                found = self._matrix.solve(arb_mat([[arb(x._q if isinstance(x, Rational) else x)] for x in right]), algorithm=algorithm)
            except ZeroDivisionError:
                return None
            return [found[i, 0] for i in range(len(right))]

    def signs(self, right: Sequence[int | Rational]) -> tuple[int | None, ...] | None:
        """The signs of B⁻¹·right, None where the precision doesn't show it; None if B may be singular."""
        key = tuple(right)
        if key not in self._known:
            self._known[key] = self._solved(key)
        found = self._known[key]
        return None if found is None else tuple(_sign(z) for z in found)

    def enclosed_sum(self, right: Sequence[int | Rational], weights: Sequence[int], bits: int) -> tuple[Rational, Rational] | None:
        """Σ weight·z around z = B⁻¹·right, in multiples of 2^−bits; None if B may be singular.

        >>> half = Rational("1/2")
        >>> system = BallSystem([[[(0, 1)], [(1, 1)]], [[(1, 1)], [(0, 1)]]], half, half, 64)
        >>> [str(x) for x in system.enclosed_sum([1, 1], [1, 2], 4)]
        ['31/16', '33/16']
        """
        found = self._solved(right)
        if found is None:
            return None
        with PRECISION, workprec(self._precision):
            total = sum((weight * z for weight, z in zip(weights, found, strict=True)), arb(0)) * (1 << bits)
            low, high = total.lower().floor().unique_fmpz(), total.upper().ceil().unique_fmpz()
        return None if low is None or high is None else (Rational(int(low), 1 << bits), Rational(int(high), 1 << bits))

    def rounded(self, right: Sequence[int | Rational], bits: int) -> tuple[Rational, ...] | None:
        """About B⁻¹·right, in multiples of 2^−bits (much faster than signs); None if B may be singular."""
        found = self._known.get(tuple(right)) or self._solved(right, "approx")
        with PRECISION, workprec(self._precision):
            return None if found is None else tuple(Rational(_near(z, bits), 1 << bits) for z in found)

    def inverse(self, bits: int) -> list[list[int]] | None:
        """About 2^bits·B⁻¹, in integers; None if B may be singular."""
        with PRECISION, workprec(self._precision):
            try:
                found = self._matrix.inv()
            except ZeroDivisionError:
                return None
            size = found.nrows()
            return [[_near(found[i, j], bits) for j in range(size)] for i in range(size)]


def _near(x: arb, bits: int) -> int:
    scaled = (x.mid() * arb(fmpz(1) << bits) + arb("0.5")).floor().mid()
    return int(scaled.unique_fmpz() or 0) if scaled.is_exact() else 0


def log2_enclosure(x: Rational, digits: int = 12) -> tuple[Rational, Rational]:
    """Rationals below and above log₂ x, at most 10^−digits apart, for a rational x > 0; for display only.

    >>> [str(y) for y in log2_enclosure(Rational(8), 3)]
    ['3', '3']
    """
    if x.sign() <= 0:
        raise ParameterRangeError(f"log2({x}) is not defined", name="x", value=x, allowed="> 0")
    power = x.numerator.bit_length() - x.denominator.bit_length()
    if x == Rational(2) ** power:
        return Rational(power), Rational(power)
    bits = 4 * digits + 8
    precision = 2 * bits
    while True:
        with PRECISION, workprec(precision):
            below = (arb(x._q).log() / arb.const_log2() * (1 << bits)).floor().unique_fmpz()
        if below is not None:
            return Rational(int(below), 1 << bits), Rational(int(below) + 1, 1 << bits)
        precision *= 2


def log_enclosure(around: Callable[[int], tuple[Rational, Rational]], square: Rational, digits: int) -> tuple[Rational, Rational]:
    """Two decimals around −ln(x)/√square with so many digits after the point.

    They are neighbours unless the number is so near to a decimal that no precision tried tells them apart.

    * ``around``: from a number of digits to rationals at most and at least x > 0, about so many digits apart.
    * ``square``: positive.
    * ``digits``: at least 0.

    >>> third = Rational("1/3")
    >>> [str(y) for y in log_enclosure(lambda digits: (third, third), Rational(1), 3)]
    ['549/500', '1099/1000']
    """
    return _decimals(lambda x: -x.log() / arb(square._q).sqrt(), around, digits)


def root_enclosure(around: Callable[[int], tuple[Rational, Rational]], square: Rational, digits: int) -> tuple[Rational, Rational]:
    """Two decimals around x^(1/√square) with so many digits after the point.

    >>> half = Rational("1/2")
    >>> [str(y) for y in root_enclosure(lambda digits: (half, half), Rational(4), 3)]
    ['707/1000', '177/250']
    """
    return _decimals(lambda x: (x.log() / arb(square._q).sqrt()).exp(), around, digits)


def _decimals(function: Callable[[arb], arb], around: Callable[[int], tuple[Rational, Rational]], digits: int) -> tuple[Rational, Rational]:
    """Decimals just below and above the value of a function at a positive number known between rationals."""
    scale, places = fmpz(10) ** digits, digits + 20
    while True:
        low, high = around(places)
        if low.sign() > 0:
            with PRECISION, workprec(4 * places + 64):
                ball = function(arb(low._q).union(arb(high._q))) * scale
                below, above = ball.floor().unique_fmpz(), None
                if below is None and places > 4096 + 16 * digits:  # as near to a decimal as that: the two around it
                    below, above = ball.lower().floor().unique_fmpz(), ball.upper().ceil().unique_fmpz()
            if below is not None:
                return Rational(int(below), int(scale)), Rational(int(below) + 1 if above is None else int(above), int(scale))
        places *= 2


def _sign(z: arb) -> int | None:
    """The sign of all numbers of a ball; None if they have several."""
    if z > 0:
        return 1
    return -1 if z < 0 else None


def integer_logarithms(values: Iterable[int], places: int) -> dict[int, int]:
    """For each integer x > 0 an integer L with 2^places·ln x in [L, L + 2).

    >>> integer_logarithms([1, 2, 10**50], 10)
    {1: 0, 2: 709, 100000000000000000000000000000000000000000000000000: 117892}
    """

    def floor(x: int) -> int:
        found = (arb(fmpz(x)).log() * scale).lower().floor().unique_fmpz()
        assert found is not None
        return int(found)

    with PRECISION, workprec(LOGARITHM_BITS + places):
        scale = arb(2) ** places
        return {x: floor(x) for x in values}


LOGARITHM_BITS = 96
"""A logarithm is less than 2^64, so that its ball is narrower than 1/2^30 after it is scaled."""
