# SPDX-License-Identifier: MIT
"""The decimals of page one: of ε, δ, factors and percentages never below the number, of others near it."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.epsilon import bounds_of
from exactdp.analysis.epsilon_shown import FIGURES, MOST_FIGURES, apart, epsilon_ends, number_of_decimal, rounded
from exactdp.certificate.manifest import canonical
from exactdp.certificate.page_one import share_text
from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.decimals import decimal_text
from exactdp.model.epsilon import Epsilon
from exactdp.model.level import PrivacyLevel

ROUNDED = 4
"""Significant figures of δ, of factors and of percentages."""

NEAREST = 5
"""Significant figures of losses, probabilities and ratios."""


def nearest(x: Any, figures: int = NEAREST) -> str:
    """The decimal nearest to a number, with so many figures.

    >>> nearest(Rational("2/3"))
    '0.66667'
    """
    low, high = bounds_of(x, figures + 4)
    return decimal_text((low + high) / 2, figures)[0]


def share(x: Any) -> str:
    """The nearest percentage of a probability, with two places.

    >>> share(Rational("2/3"))
    '66.67'
    """
    number = getattr(x, "rational", None)  # a number of a field that is rational may lie between two percentages
    digits, found = FIGURES, None
    while found is None:
        low, high = bounds_of(x, digits) if number is None else (number, number)
        found = share_text(low.as_integer_ratio(), high.as_integer_ratio())
        digits *= 2
    return found


def exact_number(x: Any) -> Any:
    """A number as the tables of a bundle have it; of numbers that no bundle has, the formula.

    >>> exact_number(Rational("2/3"))
    '2/3'
    """
    return canonical(x) if isinstance(x, Rational | ExponentialNumber) else str(x)


def is_near(one: Epsilon, other: Epsilon) -> bool:
    """Whether two ε agree up to a part of 10^−3."""
    first, second = epsilon_ends(one, FIGURES), epsilon_ends(other, FIGURES)
    return apart(first, second) * 1000 <= second[1]


def factor_text(epsilon: Epsilon, beside: Epsilon | None = None) -> str:
    """e^ε, rounded up, with as many figures as tell it from that of another ε.

    >>> factor_text(Epsilon(2)), factor_text(Epsilon("ln(3)"))
    ('7.39', '3')
    """
    if beside is None or not beside.is_enclosed or beside == epsilon:
        return _factor(epsilon, ROUNDED)
    figures = ROUNDED
    while figures < MOST_FIGURES and _within_units(_factor(epsilon, figures), _factor(beside, figures)):
        figures += 1
    return _factor(epsilon, figures)


def _within_units(one: str, other: str) -> bool:
    """Whether two decimals differ by less than some units of their last figures."""
    if "infinity" in (one, other):
        return False
    digits = [(text.partition("e")[0].partition(".")[2], int(text.partition("e")[2] or "0")) for text in (one, other)]
    places = max(len(fraction) - exponent for fraction, exponent in digits)
    return abs(number_of_decimal(one) - number_of_decimal(other)) * Rational(10) ** places < 5


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
