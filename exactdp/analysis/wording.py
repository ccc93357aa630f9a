# SPDX-License-Identifier: MIT
"""Exact numbers in sentences: short ones as they are, long ones with their ends and a decimal that bounds them from the stated side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactdp.analysis.claimed import epsilon_bounds
from exactdp.exact import ExponentialNumber, Interval, Rational

__all__ = ["bounds_of", "counted", "decimal_above", "level_text", "piece_text", "short_number", "union_text"]

LONGEST = 48
"""A longer number is abbreviated."""


def bounds_of(x: Any, digits: int = 6) -> tuple[Rational, Rational]:
    """Two rationals around x with about so many correct digits (x itself, twice, over ℚ).

    >>> from exactdp.exact import ExponentialField
    >>> low, high = bounds_of(ExponentialField(20).gen)
    >>> Rational(0) < low < high < Rational("21/10000000000")
    True
    """
    if not isinstance(x, ExponentialNumber):
        return x, x
    places = digits
    while True:
        low, high = x.enclosure(places)
        if low == high or abs(low) >= Rational(10**digits, 10**places) or places > 5000:
            return low, high
        places *= 2


def piece_text(piece: Interval, letter: str = "a") -> str:
    """An interval of levels, or one level.

    >>> piece_text(Interval(0, "1/2")), piece_text(Interval.point("1/2"))
    ('(0, 1/2)', 'a = 1/2')
    """
    return f"{letter} = {piece.lower}" if piece.is_point else str(piece)


def union_text(pieces: Iterable[Interval]) -> str:
    """A set of levels, its parts in increasing order.

    >>> union_text([Interval(0, "1/2"), Interval.point("2/3")])
    '(0, 1/2) ∪ {2/3}'
    """
    return " ∪ ".join(f"{{{piece.lower}}}" if piece.is_point else str(piece) for piece in pieces)


def counted(count: int, one: str, many: str = "") -> str:
    """How many of what.

    >>> counted(1, "mixture"), counted(0, "mixture"), counted(2, "vertex", "vertices")
    ('1 mixture', '0 mixtures', '2 vertices')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def decimal_above(x: Any, figures: int = 6) -> str:
    """A decimal ≥ x with so many figures, such as ``0.125`` or ``3.2e-17``; x ≥ 0.

    >>> decimal_above(Rational("1/8")), decimal_above(Rational("1/3")), decimal_above(Rational(1, 3 * 10**16), 3)
    ('0.125', '0.333334', '3.34e-17')
    """
    value = bounds_of(x, figures + 2)[1]
    if value == 0:
        return "0"
    power = 0  # value·10^power has `figures` figures before the point
    while value * Rational(10) ** power < 10 ** (figures - 1):
        power += 1
    while value * Rational(10) ** power >= 10**figures:
        power -= 1
    scaled = value * Rational(10) ** power
    mantissa = -(-int(scaled.numerator) // int(scaled.denominator))
    if -3 <= figures - 1 - power <= 9:
        return _plain(mantissa, power)
    digits = str(mantissa).rstrip("0")
    return f"{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}e{len(str(mantissa)) - 1 - power}"


def _plain(mantissa: int, power: int) -> str:
    """mantissa·10^(−power) without an exponent."""
    if power <= 0:
        return str(mantissa * 10**-power)
    text = str(mantissa).rjust(power + 1, "0")
    return f"{text[:-power]}.{text[-power:]}".rstrip("0").rstrip(".")


def short_number(x: Any) -> str:
    """The number; when it is long its two ends and a decimal that it does not exceed.

    >>> short_number(Rational("1/3")), short_number(Rational(1, 3**200))[-22:]
    ('1/3', ' (at most 3.76487e-96)')
    """
    text = str(x)
    if len(text) <= LONGEST:
        return text
    if not isinstance(x, (Rational, ExponentialNumber)):
        return f"{text[:16]}…{text[-12:]}"
    return f"{text[:16]}…{text[-12:]} (at most {decimal_above(x)})"


def level_text(level: Any) -> str:
    """A level (a number, or text for an irrational one) with its ε: exact, or between two decimals.

    >>> from exactdp.exact import ExponentialField
    >>> level_text(Rational("1/4")), level_text(ExponentialField(1).gen), level_text(Rational(0))
    ('1/4 (ε between 1.386294 and 1.386295)', 't (ε = 1)', '0 (no ε)')
    """
    if isinstance(level, str):
        return level
    text = str(level)
    shown = text if len(text) <= LONGEST else f"{text[:16]}…{text[-12:]}"
    bounds = epsilon_bounds(level)
    if bounds is None:
        return f"{shown} (no ε)" if level == 0 else shown
    low, high = bounds
    return f"{shown} (ε = {low})" if low == high else f"{shown} (ε between {_six(low)} and {_six(high)})"


def _six(x: Rational) -> str:
    """A multiple of 10^(−6) with all its six digits."""
    whole, rest = divmod(int((x * 10**6).numerator), 10**6)
    return f"{whole}.{rest:06d}"
