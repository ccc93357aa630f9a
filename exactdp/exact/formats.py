# SPDX-License-Identifier: MIT
"""Formats of fractions, such as ``.3f``: rounded once, from the fraction itself, with ties to even.

The grammar is that of :class:`fractions.Fraction` in Python 3.13. With one of the letters e, E, f, F, g, G, %
it is that of floats, and a fraction that is a double is written as that double. Without a letter the fraction
is written as such, padded to a width.
"""

from __future__ import annotations

import re

from exactdp.runtime.budget import require_budget

DECIMAL_LETTERS = "eEfFgG%"
"""The letters of formats that write a decimal."""

_ALIGNED = r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ]?)"
_FRACTION = re.compile(rf"{_ALIGNED}(?P<alternate>#?)(?P<width>0|[1-9][0-9]*)?(?P<thousands>[,_]?)", re.DOTALL)
_DECIMAL = re.compile(
    rf"{_ALIGNED}(?P<no_minus>z?)(?P<alternate>#?)(?P<zeros>0(?=[0-9]))?(?P<width>[0-9]+)?"
    rf"(?P<thousands>[,_]?)(?:\.(?P<precision>[0-9]+))?(?P<letter>[{DECIMAL_LETTERS}])",
    re.DOTALL,
)


def formatted(p: int, q: int, spec: str) -> str:
    """The fraction p/q, in lowest terms and q > 0, in a format.

    * raises ValueError: there is no such format.

    >>> formatted(2, 3, ".3f"), formatted(1, 8, ".2f"), formatted(-1, 3, "+.1%"), formatted(2, 3, ">6")
    ('0.667', '0.12', '-33.3%', '   2/3')
    """
    found = _FRACTION.fullmatch(spec)
    if found is not None:
        width = _size(found["width"])
        return _aligned(found, *_as_fraction(p, q, found), width)
    found = _DECIMAL.fullmatch(spec)
    if found is None or (found["align"] and found["zeros"]):
        reason = "" if found is None else ": an alignment and a zero before the width exclude each other"
        message = f"{spec!r} is no format of a rational number{reason}; write .3f, .6g, .2e, .1%, or a width such as >10"
        raise ValueError(message)
    width = _size(found["width"])
    return _aligned(found, *_as_decimal(p, q, found, width), width)


def _size(text: str | None, otherwise: int = 0) -> int:
    """A width or a precision, within the budget."""
    size = otherwise if text is None else int(text[:8])
    require_budget(f"a number with the format {text}", digits=size if text is None or len(text) <= 8 else 10**9)
    return size


def _as_fraction(p: int, q: int, found: re.Match[str]) -> tuple[str, str]:
    """Sign and body of a fraction that is written as such."""
    sign = "-" if p < 0 else found["sign"].replace("-", "")
    body = f"{abs(p):{found['thousands']}}"
    if q != 1 or found["alternate"]:
        body += f"/{q:{found['thousands']}}"
    return sign, body


def _as_decimal(p: int, q: int, found: re.Match[str], width: int) -> tuple[str, str]:
    """Sign and body of a decimal."""
    letter, precision = found["letter"], _size(found["precision"], 6)
    short = letter in "gG" and not found["alternate"]
    if letter in "fF%":
        places = precision
        number, _ = rounded(abs(p), q, precision + (2 if letter == "%" else 0))
        suffix = "%" if letter == "%" else ""
    else:
        figures = max(precision, 1) if letter in "gG" else precision + 1
        number, exponent = figures_of(abs(p), q, figures)
        if letter in "eE" or not -4 <= exponent < figures:
            places = figures - 1
            suffix = f"{'E' if letter in 'EG' else 'e'}{exponent:+03d}"
        else:
            places = figures - 1 - exponent
            suffix = ""
    minus = p < 0 and not (found["no_minus"] and number == 0)
    sign = "-" if minus else found["sign"].replace("-", "")
    digits = str_of(number).zfill(places + 1)
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :]
    if short:
        part = part.rstrip("0")
    point = "." if part or found["alternate"] else ""
    comma = found["thousands"]
    if found["zeros"]:
        room = width - len(sign) - len(point) - len(part) - len(suffix)
        whole = whole.zfill(3 * room // 4 + 1 if comma else room)
    if comma:
        first = 1 + (len(whole) - 1) % 3
        whole = comma.join([whole[:first], *(whole[k : k + 3] for k in range(first, len(whole), 3))])
    return sign, whole + point + part + suffix


def _aligned(found: re.Match[str], sign: str, body: str, width: int) -> str:
    """Sign and body, padded to the width."""
    padding = (found["fill"] or " ") * (width - len(sign) - len(body))
    align = found["align"] or ">"
    if align == "<":
        return sign + body + padding
    if align == "=":
        return sign + padding + body
    if align == "^":
        half = len(padding) // 2
        return padding[:half] + sign + body + padding[half:]
    return padding + sign + body


def figures_of(p: int, q: int, figures: int) -> tuple[int, int]:
    """The so many digits nearest to p/q ≥ 0, as an integer, and the power of ten of the first.

    >>> figures_of(2, 3, 4), figures_of(9996, 1, 3), figures_of(0, 1, 2)
    ((6667, -1), (100, 4), (0, 0))
    """
    if p == 0:
        return 0, 0
    exponent = exponent_of_ten(p, q)
    number, _ = rounded(p, q, figures - 1 - exponent)
    if number == 10**figures:
        return number // 10, exponent + 1
    return number, exponent


def exponent_of_ten(p: int, q: int) -> int:
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


def rounded(p: int, q: int, shift: int) -> tuple[int, bool]:
    """The integer nearest to p/q · 10^shift, ties to even, and whether it is that number.

    >>> rounded(5, 2, 0), rounded(-5, 2, 0), rounded(7, 2, 1)
    ((2, False), (-2, False), (35, True))
    """
    above, below = (p * 10**shift, q) if shift >= 0 else (p, q * 10**-shift)
    whole, rest = divmod(above, below)
    twice = 2 * rest
    return whole + int(twice > below or (twice == below and whole % 2 == 1)), rest == 0


def str_of(number: int) -> str:
    """The digits of an integer ≥ 0, also where Python refuses to write so many."""
    if number.bit_length() < 10_000:
        return str(number)
    from flint import fmpz

    return str(fmpz(number))
