# SPDX-License-Identifier: MIT
"""Exact numbers for people: decimals beside fractions, rounded from the exact number, never by a float."""

from __future__ import annotations

import re

from exactdp.exact import ExponentialNumber, Rational

LONG_RUN = 40
"""A run of digits longer than this is shortened."""


def elide(text: str) -> str:
    """The text with the middle of very long runs of digits left out, and their length said.

    >>> elide("1/" + "7" * 50)
    '1/777777777777…777777777777[50 digits]'
    """
    return re.sub(rf"[0-9]{{{LONG_RUN + 1},}}", lambda run: f"{run[0][:12]}…{run[0][-12:]}[{len(run[0])} digits]", text)


def decimal_text(x: Rational, digits: int = 6) -> tuple[str, bool]:
    """The decimal nearest to x with so many significant digits (ties to even), and whether it is x exactly.

    Parameters
    ----------
    x : Rational
        Any.
    digits : int
        At least 1.

    Examples
    --------
    >>> decimal_text(Rational("2/3")), decimal_text(Rational("-1/8"))
    (('0.666667', False), ('-0.125', True))
    >>> decimal_text(Rational("1/3e30".replace("e30", "0" * 30)))[0], decimal_text(Rational("999999.5"))[0]
    ('3.33333e-31', '1000000')
    """
    p, q = abs(x.numerator), x.denominator
    if p == 0:
        return "0", True
    e = _exponent(p, q)
    mantissa, exact = _rounded(p, q, digits - 1 - e)
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


def _exponent(p: int, q: int) -> int:
    """The e with 10^e ≤ p/q < 10^(e+1)."""
    e = (p.bit_length() - q.bit_length()) * 30103 // 100000
    while _below(p, q, e):
        e -= 1
    while not _below(p, q, e + 1):
        e += 1
    return e


def _below(p: int, q: int, e: int) -> bool:
    """Whether p/q < 10^e."""
    return bool(p < q * 10**e if e >= 0 else p * 10**-e < q)


def _rounded(p: int, q: int, shift: int) -> tuple[int, bool]:
    """The integer nearest to p/q · 10^shift, ties to even, and whether it is that number."""
    above, below = (p * 10**shift, q) if shift >= 0 else (p, q * 10**-shift)
    whole, rest = divmod(above, below)
    twice = 2 * rest
    return whole + int(twice > below or (twice == below and whole % 2 == 1)), rest == 0


def approximation(x: Rational, digits: int = 6) -> str:
    """``= 0.25`` or ``≈ 0.333333``.

    >>> approximation(Rational("1/4")), approximation(Rational("1/3"))
    ('= 0.25', '≈ 0.333333')
    """
    shown, exact = decimal_text(x, digits)
    return f"{'=' if exact else '≈'} {shown}"


def rounded_text(x: ExponentialNumber, digits: int = 6) -> str:
    """The decimal nearest to a number over ε: both ends of a narrow enclosure round to it.

    >>> from exactdp.exact import ExponentialField
    >>> rounded_text(ExponentialField(1).gen), rounded_text(ExponentialField(30).gen, 3)
    ('0.367879', '9.36e-14')
    """
    places = digits + 4
    while True:
        low, high = x.enclosure(places)
        texts = {decimal_text(low, digits)[0], decimal_text(high, digits)[0]}
        if len(texts) == 1 and low.sign() * high.sign() > 0:
            return texts.pop()
        places *= 2


def brief_number(x: object, *, approx: bool | None = None, full: bool = False) -> str:
    """A number as text: the fraction, with a decimal beside it when it is long (or as ``approx`` says).

    >>> brief_number(Rational("1/3")), brief_number(Rational("1/3"), approx=True)
    ('1/3', '1/3 (≈ 0.333333)')
    """
    text = str(x)
    shown = text if full else elide(text)
    if isinstance(x, ExponentialNumber) and approx is not False and x.rational is None:
        return f"{shown} (≈ {rounded_text(x)})"
    if isinstance(x, Rational) and x.denominator != 1 and (approx or (approx is None and len(text) > 16)):
        return f"{shown} ({approximation(x)})"
    return shown
