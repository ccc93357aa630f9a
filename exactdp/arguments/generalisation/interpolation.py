# SPDX-License-Identifier: MIT
"""A rational function of the level from its exact values at rational levels, confirmed at further ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import gcd
from typing import Any

from exactdp.exact import QQ, Rational, RationalFunctionField, generic_quotient, is_zero
from exactdp.exact.elimination import row_echelon

LARGEST_DEGREE = 24
"""Of numerator and denominator."""

CONFIRMED = 3
"""At so many more levels than determine a function it must have the value asked for."""


def levels() -> Iterator[Rational]:
    """Rational levels in (0, 1), all of them, the simplest first.

    >>> from itertools import islice
    >>> [str(x) for x in islice(levels(), 5)]
    ['1/2', '1/3', '2/3', '1/4', '3/4']
    """
    below = 2
    while True:
        yield from (Rational(above, below) for above in range(1, below) if gcd(above, below) == 1)
        below += 1


def interpolated(value: Callable[[Rational], Any]) -> Any:
    """The function of the level that has these values; None if there is none of a small degree.

    P(α) − f(α)·Q(α) = 0 at enough levels determines P and Q of degree d up to a factor; d grows until what is
    found has the right values at three further levels. That is no proof that it is the function everywhere.

    * ``value``: from a rational level to an exact rational number.

    >>> print(interpolated(lambda a: (1 - a) / (1 + a * a)))
    (-a + 1)/(a^2 + 1)
    """
    fresh, known = levels(), list[tuple[Rational, Rational]]()
    for degree in range(LARGEST_DEGREE + 1):
        while len(known) < 2 * degree + 1 + CONFIRMED:
            level = next(fresh)
            known.append((level, QQ(value(level))))
        rows = [[*(x**k for k in range(degree + 1)), *(-y * x**k for k in range(degree + 1))] for x, y in known]
        pivots, _ = row_echelon(rows)
        free = [c for c in range(2 * degree + 2) if c not in pivots]
        if free:
            vector = [Rational(0)] * (2 * degree + 2)
            vector[free[0]] = Rational(1)
            for row, c in zip(rows, pivots, strict=False):
                vector[c] = -row[free[0]]
            return _quotient(vector[: degree + 1], vector[degree + 1 :], known)
    return None


def _quotient(above: list[Rational], below: list[Rational], known: list[tuple[Rational, Rational]]) -> Any:
    gen = RationalFunctionField().gen
    top, bottom = (sum((c * gen**k for k, c in enumerate(part)), gen.field.zero) for part in (above, below))
    if is_zero(bottom):
        return None
    found = generic_quotient(top, bottom)
    return found if all(_value(found, x) == y for x, y in known) else None


def _value(function: Any, level: Rational) -> Rational | None:
    """The value at a level; None at a pole."""
    below = sum((int(c) * level**k for k, c in enumerate(function.denominator)), Rational(0))
    return None if below == 0 else function.evaluate(level)
