# SPDX-License-Identifier: MIT
"""Decimals of exact numbers, rounded or cut from the number itself, never by way of a float."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from exactdp.errors import ExactDPError, InputError, repr_of
from exactdp.exact.formats import exponent_of_ten, rounded
from exactdp.exact.rational import Rational


def decimal_text(x: Rational, digits: int = 6) -> tuple[str, bool]:
    """The decimal nearest to x with so many significant digits (ties to even), and whether it is x exactly.

    * ``digits``: at least 1.

    >>> decimal_text(Rational("2/3")), decimal_text(Rational("-1/8"))
    (('0.666667', False), ('-0.125', True))
    >>> decimal_text(Rational("1/3e30".replace("e30", "0" * 30)))[0], decimal_text(Rational("999999.5"))[0]
    ('3.33333e-31', '1000000')
    """
    p, q = abs(x.numerator), x.denominator
    if p == 0:
        return "0", True
    e = exponent_of_ten(p, q)
    mantissa, exact = rounded(p, q, digits - 1 - e)
    if mantissa == 10**digits:
        mantissa, e = mantissa // 10, e + 1
    shown = str(mantissa)
    sign = "-" if x.sign() < 0 else ""
    if -5 <= e < 0:
        return sign + "0." + "0" * (-e - 1) + shown.rstrip("0"), exact
    if 0 <= e <= max(digits, 9):
        shown = shown.ljust(e + 1, "0")
        return sign + f"{shown[: e + 1]}.{shown[e + 1 :].rstrip('0')}".rstrip("."), exact
    return sign + f"{shown[0]}.{shown[1:].rstrip('0')}".rstrip(".") + f"e{e}", exact


def plain_text(x: Rational) -> str:
    """The fraction, or the decimal where it is that and the denominator is long.

    >>> plain_text(Rational("1/3")), plain_text(Rational("1/8")), plain_text(Rational("274653/250000"))
    ('1/3', '1/8', '1.098612')
    """
    decimal, exact = decimal_text(x, 40)
    return decimal if exact and x.denominator >= 10**4 else str(x)


def fixed_text(x: Rational, digits: int) -> str:
    """A decimal with so many digits after the point, the rest cut off.

    >>> fixed_text(Rational("2/3"), 4), fixed_text(Rational("-1/8"), 2)
    ('0.6666', '-0.12')
    """
    number = abs(x.numerator) * 10**digits // x.denominator
    whole, part = divmod(number, 10**digits)
    point = f".{part:0{digits}d}" if digits else ""
    return f"{'-' if x.sign() < 0 else ''}{whole}{point}"


def rounded_fixed(x: Rational, places: int) -> tuple[str, bool]:
    """The nearest decimal with so many digits after the point (ties to even), and whether it is x exactly.

    >>> rounded_fixed(Rational("2/3"), 4), rounded_fixed(Rational("-1/8"), 2), rounded_fixed(Rational(1), 2)
    (('0.6667', False), ('-0.12', False), ('1.00', True))
    """
    number, exact = rounded(abs(x.numerator), x.denominator, places)
    sign = "-" if x.sign() < 0 and number else ""
    return sign + fixed_text(Rational(number, 10**places), places), exact


MOST_DECIMALS = 30
"""The most digits to which a table is rounded that is written."""


def require_rounding(decimals: object, digits: object, most: int = MOST_DECIMALS) -> None:
    """Refuse digits after the point beside significant ones, and what is no number of them.

    >>> require_rounding(None, 0)
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: digits is 0; give a whole number from 1 to 30
    """
    if decimals is not None and digits is not None:
        raise InputError("decimals and digits are both given; choose digits after the point or significant ones")
    for name, number, least in (("decimals", decimals, 0), ("digits", digits, 1)):
        if number is not None and (type(number) is not int or not least <= number <= most):
            raise InputError(f"{name} is {repr_of(number)}; give a whole number from {least} to {most}", value=number)


def decimal_rows(rows: Iterable[Sequence[Any]], decimals: int | None, digits: int | None) -> list[list[str]] | None:
    """The entries as decimals; None where neither is given, and so none is rounded.

    >>> decimal_rows([[Rational("1/3"), Rational("200/3")]], None, 2)
    [['0.33', '67']]
    """
    require_rounding(decimals, digits)
    if decimals is None and digits is None:
        return None
    form = f".{decimals}f" if digits is None else f".{digits}g"
    try:
        return [[format(x, form) for x in row] for row in rows]
    except (ExactDPError, TypeError, ValueError):
        name = "digits" if decimals is None else "decimals"
        told = f"an entry has a letter, which has no decimals; leave {name} out for the formulas, or put a level in first"
        raise InputError(told, value=digits if decimals is None else decimals) from None


def nearest_fixed(enclosure: Callable[[int], tuple[Rational, Rational]], places: int) -> str:
    """The decimal with so many digits after the point to which both ends of a narrow enclosure round.

    >>> third = Rational("1/3")
    >>> nearest_fixed(lambda digits: (third - Rational(1, 10**digits), third + Rational(1, 10**digits)), 3)
    '0.333'
    """
    digits = places + 4
    while True:
        texts = {rounded_fixed(end, places)[0] for end in enclosure(digits)}
        if len(texts) == 1:
            return texts.pop()
        digits *= 2


def nearest_text(enclosure: Callable[[int], tuple[Rational, Rational]], figures: int = 6) -> str:
    """The decimal with so many significant figures to which both ends of a narrow enclosure round.

    * ``enclosure``: from a number of digits after the point to a number at most and one at least x.
    * ``figures``: at least 1.

    >>> third = Rational("1/3")
    >>> nearest_text(lambda digits: (third - Rational(1, 10**digits), third + Rational(1, 10**digits)))
    '0.333333'
    """
    places = figures + 4
    while True:
        low, high = enclosure(places)
        texts = {decimal_text(low, figures)[0], decimal_text(high, figures)[0]}
        if len(texts) == 1 and (low == high or low.sign() * high.sign() > 0):
            return texts.pop()
        places *= 2
