# SPDX-License-Identifier: MIT
"""The decimals of page one: of ε, δ, factors and percentages never below the number, of others near it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.analysis.epsilon import bounds_of
from exactdp.exact import Rational
from exactdp.exact.decimals import decimal_text
from exactdp.exact.formats import exponent_of_ten
from exactdp.model.epsilon import Epsilon
from exactdp.model.level import PrivacyLevel

FIGURES = 6
"""Of ε."""

ROUNDED = 4
"""Significant figures of δ, of factors and of percentages."""

NEAREST = 5
"""Significant figures of losses, probabilities and ratios."""

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
    near = _number(text)
    if exact or (near > value) == up:
        return text
    unit = Rational(10) ** (exponent_of_ten(abs(value.numerator), value.denominator) - figures + 1)
    return decimal_text(near + unit if up else near - unit, figures)[0]


def _number(text: str) -> Rational:
    """The number of a decimal, whose exponent may have any size.

    >>> _number("-1.5e2000") == -15 * Rational(10) ** 1999
    True
    """
    digits, _, exponent = text.partition("e")
    return Rational(digits) * Rational(10) ** int(exponent or "0")


def nearest(x: Any, figures: int = NEAREST) -> str:
    """The decimal nearest to a number, with so many figures.

    >>> nearest(Rational("2/3"))
    '0.66667'
    """
    low, high = bounds_of(x, figures + 4)
    return decimal_text((low + high) / 2, figures)[0]


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


def is_near(one: Epsilon, other: Epsilon) -> bool:
    """Whether two ε agree up to a part of 10^−3."""
    first, second = epsilon_ends(one, FIGURES), epsilon_ends(other, FIGURES)
    return apart(first, second) * 1000 <= second[1]


def epsilon_text(epsilon: Epsilon, *beside: Epsilon | None, up: bool = True) -> str:
    """The decimal of an ε, nearer than half its distance to the others; *infinity* where none is finite.

    >>> epsilon_text(Epsilon("ln(3)")), epsilon_text(Epsilon("ln(3)"), up=False)
    ('1.09862', '1.09861')
    """
    if not epsilon.is_enclosed:
        return "infinity"
    figures = figures_beside(epsilon, beside, up=up)
    low, high = epsilon_ends(epsilon, figures + 4)
    return rounded(high if up else low, figures, up=up)


def figures_beside(epsilon: Epsilon, beside: Sequence[Epsilon | None], *, up: bool) -> int:
    """With how many figures the decimal of an ε is nearer than half its distance to the others."""
    others = [other for other in beside if other is not None and other.is_enclosed and other != epsilon]
    figures = FIGURES
    while True:
        low, high = epsilon_ends(epsilon, figures + 4)
        text = rounded(high if up else low, figures, up=up)
        error = max(abs(_number(text) - low), abs(_number(text) - high))
        if figures >= MOST_FIGURES or all(2 * error <= apart((low, high), epsilon_ends(other, figures + 4)) for other in others):
            return figures
        figures += 1


def apart(one: tuple[Rational, Rational], other: tuple[Rational, Rational]) -> Rational:
    """A rational that is at most the distance of two numbers, given what encloses them."""
    return max(one[0] - other[1], other[0] - one[1], Rational(0))


def factor_text(epsilon: Epsilon, beside: Epsilon | None = None) -> str:
    """e^ε, rounded up, with as many figures as tell it from that of another ε.

    >>> factor_text(Epsilon(2)), factor_text(Epsilon("ln(3)"))
    ('7.39', '3')
    """
    if beside is None or not beside.is_enclosed or beside == epsilon:
        return _factor(epsilon, ROUNDED)
    figures = ROUNDED
    while figures < MOST_FIGURES and _factor(epsilon, figures) == _factor(beside, figures):
        figures += 1
    return _factor(epsilon, figures)


def _factor(epsilon: Epsilon, figures: int) -> str:
    places = figures + 8
    level = PrivacyLevel(epsilon=epsilon) if epsilon.level is None else epsilon.level  # None: an irrational root
    while True:
        low, _ = level.as_tightest().enclosure(places) if hasattr(level, "as_tightest") else bounds_of(level, places)
        if low * 10 ** (places - figures - 4) > 1 or places > 4000:
            return rounded(1 / low, figures, up=True) if low > 0 else "infinity"
        places *= 2


def difference_text(more: Epsilon, less: Epsilon) -> str:
    """How much larger an ε is than another one, rounded up."""
    digits = 12
    while True:
        below, above = epsilon_ends(more, digits)
        low, high = epsilon_ends(less, digits)
        if below > high and (above - low) - (below - high) <= (below - high) / 10**ROUNDED:
            return rounded(above - low, ROUNDED, up=True)
        digits *= 2
