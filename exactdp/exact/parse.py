# SPDX-License-Identifier: MIT
"""The door for text: which rational number does this string denote?

The grammar is a whitelist; nothing is evaluated and nothing is guessed::

    number   = [ "-" ] ( integer "/" integer | integer [ "." digits ] [ exponent ] )
    integer  = "0" | nonzero-digit { digit }
    exponent = ( "e" | "E" ) [ "+" | "-" ] digit { digit }       at most 3 digits

Digits are ASCII. A decimal is the exact decimal fraction it spells (``0.1`` is 1/10, not a double).
"""

from __future__ import annotations

import re

from flint import fmpq, fmpz

from exactdp.errors import RationalSyntaxError

__all__ = ["MAX_DIGITS", "parse_fmpq"]

MAX_DIGITS = 4_000_000
"""Longest text of one number; a longer one is refused before it is read."""

_NUMBER = re.compile(
    r"(?P<sign>-?)(?P<whole>0|[1-9][0-9]*)"
    r"(?:/(?P<den>0|[1-9][0-9]*)|(?:\.(?P<frac>[0-9]+))?(?:[eE](?P<exp>[+-]?[0-9]{1,3}))?)"
)

_LONG_EXPONENT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?P<exp>[eE][+-]?[0-9]{4,})", re.ASCII)


def parse_fmpq(text: str) -> fmpq:
    """Read one number of the grammar above; raise RationalSyntaxError with position and reason otherwise."""
    if len(text) > MAX_DIGITS:
        raise _refuse(text, MAX_DIGITS, f"longer than {MAX_DIGITS} characters")
    match = _NUMBER.match(text)
    if match is None or match.end() != len(text):
        raise _refuse(text, *_explain(text, match.end() if match else 0))
    numerator = fmpz(match["sign"] + match["whole"])
    if match["den"] is not None:
        denominator = fmpz(match["den"])
        if denominator == 0:
            raise _refuse(text, match.start("den"), "the denominator is zero")
        return fmpq(numerator, denominator)
    frac = match["frac"] or ""
    shift = int(match["exp"] or 0) - len(frac)
    digits = fmpz(match["sign"] + match["whole"] + frac)
    return fmpq(digits * fmpz(10) ** shift) if shift >= 0 else fmpq(digits, fmpz(10) ** -shift)


def _refuse(text: str, position: int, reason: str) -> RationalSyntaxError:
    shown = text if len(text) <= 60 else text[:40] + "…" + text[-10:]
    return RationalSyntaxError(
        f"{shown!r} is not an exact number: {reason} (at character {position + 1}). "
        "Write a fraction such as 1/3, an integer, or a decimal such as 0.125",
        text=text,
        position=position,
        reason=reason,
    )


def _explain(text: str, stop: int) -> tuple[int, str]:
    """Say where and why the grammar stopped; ``stop`` is the end of the longest good prefix."""
    if text == "":
        return 0, "the text is empty"
    lowered = text.lower().lstrip("+-")
    if lowered in {"nan", "inf", "infinity"}:
        return 0, "not-a-number and infinities are not rational"
    for position, char in enumerate(text):
        if char.isspace():
            return position, "a blank inside"
        if char == "_":
            return position, "underscores are not digits"
        if char.isdigit() and not char.isascii():
            return position, f"{char!r} is not one of the digits 0–9"
    stop = max(stop, int(text[0] == "-"))
    exponent = _LONG_EXPONENT.match(text)
    if exponent is not None:
        return exponent.start("exp"), "an exponent has at most three digits"
    if text[0] == "+":
        return 0, "a leading plus sign"
    if text[0] == ".":
        return 0, "digits are missing before the decimal point"
    if stop < len(text) and text[stop] == "." and stop + 1 == len(text):
        return stop, "digits are missing after the decimal point"
    if stop > 0 and text[stop - 1] == "0" and stop < len(text) and text[stop].isdigit():
        return stop - 1, "a leading zero"
    shown = text[stop] if stop < len(text) else "the end"
    return stop, f"unexpected {shown!r}" if stop < len(text) else "the number is incomplete"
