# SPDX-License-Identifier: MIT
"""Decimals of an ε that show how far it is from others, and decimals rounded to one side.

What a claim is repaired with is the same decimal on page one and in the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.analysis.epsilon import bounds_of
from exactdp.exact import Rational
from exactdp.exact.decimals import decimal_text
from exactdp.exact.formats import exponent_of_ten
from exactdp.model.epsilon import Epsilon

FIGURES = 6
"""Of ε."""

MOST_FIGURES = 60
"""No decimal has more figures, however near two numbers are."""


def rounded(x: Any, figures: int, *, up: bool) -> str:
    """A decimal with so many figures that is not below the number, or not above it.

    >>> rounded(Rational("1/3"), 4, up=True), rounded(Rational("2/3"), 4, up=False)
    ('0.3334', '0.6666')
    >>> rounded(Rational("-2/3"), 3, up=True)
    '-0.666'
    """
    value = bounds_of(x, figures + 4)[1 if up else 0]
    text, exact = decimal_text(value, figures)
    near = number_of_decimal(text)
    if exact or (near > value) == up:
        return text
    unit = Rational(10) ** (exponent_of_ten(abs(value.numerator), value.denominator) - figures + 1)
    return decimal_text(near + unit if up else near - unit, figures)[0]


def number_of_decimal(text: str) -> Rational:
    """The number of a decimal, whose exponent may have any size.

    >>> number_of_decimal("-1.5e2000") == -15 * Rational(10) ** 1999
    True
    """
    digits, _, exponent = text.partition("e")
    return Rational(digits) * Rational(10) ** int(exponent or "0")


def epsilon_ends(epsilon: Epsilon, digits: int) -> tuple[Rational, Rational]:
    """A rational below ε and one above it, with so many significant digits."""
    known = epsilon.rational
    if known is not None:
        return known, known
    places = digits
    while True:
        low, high = epsilon.enclosure(places)
        if low > 0 and (high - low) * 10**digits <= low:
            return low, high
        places *= 2


def epsilon_text(epsilon: Epsilon, *beside: Epsilon | None, up: bool = True) -> str:
    """The decimal of an ε, nearer than a tenth of its distance to the others; *infinity* if none is finite.

    >>> epsilon_text(Epsilon("ln(3)")), epsilon_text(Epsilon("ln(3)"), up=False)
    ('1.09862', '1.09861')
    """
    if not epsilon.is_enclosed:
        return "infinity"
    figures = figures_beside(epsilon, beside, up=up)
    low, high = epsilon_ends(epsilon, figures + 4)
    return rounded(high if up else low, figures, up=up)


def figures_beside(epsilon: Epsilon, beside: Sequence[Epsilon | None], *, up: bool) -> int:
    """With how many figures the decimal of an ε is nearer than a tenth of its distance to the others."""
    others = [other for other in beside if other is not None and other.is_enclosed and other != epsilon]
    figures = FIGURES
    while True:
        low, high = epsilon_ends(epsilon, figures + 4)
        text = rounded(high if up else low, figures, up=up)
        error = max(abs(number_of_decimal(text) - low), abs(number_of_decimal(text) - high))
        if figures >= MOST_FIGURES or all(10 * error <= apart((low, high), epsilon_ends(other, figures + 4)) for other in others):
            return figures
        figures += 1


def apart(one: tuple[Rational, Rational], other: tuple[Rational, Rational]) -> Rational:
    """A rational that is at most the distance of two numbers, given what encloses them."""
    return max(one[0] - other[1], other[0] - one[1], Rational(0))
