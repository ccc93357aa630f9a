# SPDX-License-Identifier: MIT
"""Numbers, levels and sets of levels in sentences.

A short number is written as it is; a long one with its two ends and a decimal that bounds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactdp.analysis.epsilon import bounds_of, epsilon_bounds
from exactdp.exact import ExponentialNumber, Interval, Rational
from exactdp.exact.points import decimal_text

LONGEST = 48
"""A longer number is abbreviated."""


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


def values_text(pieces: Iterable[tuple[Interval, Any]], letter: str = "a") -> str:
    """What holds on which levels.

    >>> values_text([(Interval(0, "1/2"), 3), (Interval.point("1/2"), 2)])
    '3 on (0, 1/2); 2 at a = 1/2'
    """
    return "; ".join(f"{value} {'at' if piece.is_point else 'on'} {piece_text(piece, letter)}" for piece, value in pieces)


def counted(count: int, one: str, many: str = "") -> str:
    """How many of what.

    >>> counted(1, "mixture"), counted(0, "mixture"), counted(2, "vertex", "vertices")
    ('1 mixture', '0 mixtures', '2 vertices')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def decimal_above(x: Any, figures: int = 6) -> str:
    """A decimal ≥ x with so many figures, such as ``0.125`` or ``3.2e-17``; x ≥ 0.

    >>> decimal_above(Rational("1/3")), decimal_above(Rational(1, 3 * 10**16), 3)
    ('0.333334', '3.34e-17')
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
        return decimal_text(Rational(mantissa, 10**power), power).rstrip("0").rstrip(".") if power > 0 else str(mantissa * 10**-power)
    digits = str(mantissa).rstrip("0")
    return f"{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}e{len(str(mantissa)) - 1 - power}"


def short_number(x: Any) -> str:
    """The number; when it is long its two ends and a decimal, whose absolute value it does not exceed.

    >>> short_number(Rational("1/3")), short_number(Rational(1, 3**200))[-22:]
    ('1/3', ' (at most 3.76487e-96)')
    >>> short_number(Rational(-1, 3**200))[-24:]
    ' (at least -3.76487e-96)'
    """
    if len(str(x)) <= LONGEST or not isinstance(x, (Rational, ExponentialNumber)):
        return _shortened(x)
    bound = f"at least -{decimal_above(-x)}" if x < 0 else f"at most {decimal_above(x)}"
    return f"{_shortened(x)} ({bound})"


def level_text(level: Any) -> str:
    """A level (a number, or text for an irrational one) with its ε: exact, or between two decimals.

    >>> from exactdp.exact import ExponentialField
    >>> level_text(Rational("1/4")), level_text(ExponentialField(1).gen), level_text(Rational(0))
    ('1/4 (ε between 1.386294 and 1.386295)', 't (ε = 1)', '0 (no ε)')
    """
    if isinstance(level, str):
        return level
    shown, bounds = _shortened(level), epsilon_bounds(level)
    if bounds is None:
        return f"{shown} (no ε)" if level == 0 else shown
    low, high = bounds
    return f"{shown} (ε = {low})" if low == high else f"{shown} (ε between {decimal_text(low, 6)} and {decimal_text(high, 6)})"


def epsilon_change(before: Any, after: Any) -> str:
    """How much larger or smaller the ε of one level is than that of another, both in ℚ or ℚ(e^(−x)).

    >>> epsilon_change(Rational("1/2"), Rational("1/4")), epsilon_change(Rational("1/2"), Rational("1/2"))
    ('ε is larger by at most 0.693148', 'ε is the same')
    """
    if before == after:
        return "ε is the same"
    if 0 in (before, after):
        return "no ε is finite as it stands" if before == 0 else "no ε is finite"
    bounds = epsilon_bounds(after / before if after < before else before / after, 24)
    return "" if bounds is None else f"ε is {'larger' if after < before else 'smaller'} by at most {decimal_above(bounds[1])}"


def _shortened(x: Any) -> str:
    text = str(x)
    return text if len(text) <= LONGEST else f"{text[:16]}…{text[-12:]}"
