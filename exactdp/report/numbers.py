# SPDX-License-Identifier: MIT
"""Exact numbers for people: decimals beside fractions, rounded from the exact number, never by a float."""

from __future__ import annotations

import re

from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.decimals import decimal_text, nearest_text

LONG_RUN = 40
"""A run of digits longer than this is shortened."""


LONG_SUM = 24
"""A polynomial of more terms than this is shortened."""

LONG_SET = 12
"""A set of more entries than this is shortened."""

_TERM = r"(?:[0-9]+(?:/[0-9]+)?)?(?:\*?[a-z][0-9]*(?:\^[0-9]+)?)*"


def elide(text: str) -> str:
    """The text without the middle of very long runs of digits, sums and sets; how long they are is said.

    Of a fraction each of the two is shortened, so that it stays a fraction.

    >>> elide("1/" + "7" * 50)
    '1/777777777777…777777777777[50 digits]'
    >>> elide("(" + " + ".join(f"a^{k}" for k in range(40)) + ")/2")
    '(a^0 + a^1 + …[40 terms] + a^39)/2'
    """
    text = re.sub(r"\{[^{}]*\}", lambda found: _shorter_set(found[0]), text)
    text = _shorter_sums(text) if text.count(" + ") + text.count(" - ") >= LONG_SUM else text
    return re.sub(rf"[0-9]{{{LONG_RUN + 1},}}", lambda run: f"{run[0][:12]}…{run[0][-12:]}[{len(run[0])} digits]", text)


def _shorter_set(text: str) -> str:
    """A set in braces, of many entries the first four and the last."""
    entries = text.split(", ")
    return text if len(entries) <= LONG_SET else ", ".join([*entries[:4], f"…[{len(entries)} entries]", entries[-1]])


def _shorter_sums(text: str) -> str:
    """The text, its sums of many terms with the first two and the last."""
    parts = re.split(r"( [+-] )", text)
    kept, run = parts[:1], list[str]()
    for sign, term, following in zip(parts[1::2], parts[2::2], [*parts[3::2], None], strict=True):
        inner = following is not None and term != "" and re.fullmatch(_TERM, term)
        if inner:
            run += [sign, term]
            continue
        terms = len(run) // 2 + 2  # the first and the last may have something before or after them
        kept += run if terms <= LONG_SUM else [*run[:2], f" + …[{terms} terms]"]
        kept += [sign, term]
        run = []
    return "".join(kept)


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
    return nearest_text(x.enclosure, digits)


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
