# SPDX-License-Identifier: MIT
"""The text of an ε, printed or typed, in parts: the terms of a sum, and the decimal beside the exact form."""

from __future__ import annotations

import re

MINUS = "-−"
"""The signs that subtract: the one that is typed, and the one that is printed."""

_BEFORE_A_SIGN = "*·/(+-−"
"""After one of these a sign belongs to the number behind it."""

_DECIMAL = r"[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?"


def signed_terms(text: str) -> list[tuple[int, str]]:
    """The terms of a sum, each with 1 or −1; one term, with 1, for what is no sum.

    A sign at the beginning, in brackets, or of an exponent is none between terms.

    >>> signed_terms("1 − ln(3/2) + 1e-3"), signed_terms("-ln(1/3)")
    ([(1, '1'), (-1, 'ln(3/2)'), (1, '1e-3')], [(1, '-ln(1/3)')])
    """
    ends = [*_signs_between(text), len(text)]
    starts = [0, *(end + 1 for end in ends[:-1])]
    signs = [1, *(-1 if text[end] in MINUS else 1 for end in ends[:-1])]
    terms = [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    is_sum = all(terms) and not any(term[0] in MINUS for term in terms[1:])
    return list(zip(signs, terms, strict=True)) if is_sum else [(1, text)]


def _signs_between(text: str) -> list[int]:
    """The places of the signs between two terms."""
    found, depth = [], 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        before = text[:place].rstrip()
        is_sign = letter == "+" or letter in MINUS
        is_exponent = re.search(r"[0-9.][eE]$", text[:place]) is not None
        if is_sign and depth == 0 and before and before[-1] not in _BEFORE_A_SIGN and not is_exponent:
            found.append(place)
    return found


def without_decimal(text: str) -> tuple[str, str | None]:
    """The exact form and the decimal of a text that has both, as it is printed.

    >>> without_decimal("ln(3) ≈ 1.098612"), without_decimal("ε ≈ 1.0986 (ln(3))"), without_decimal("ln(3)")
    (('ln(3)', '1.098612'), ('ln(3)', '1.0986'), ('ln(3)', None))
    """
    beside = re.fullmatch(rf"\s*(?P<exact>[^≈]*[^≈\s])\s*≈\s*(?P<decimal>{_DECIMAL})\s*", text)
    first = re.fullmatch(rf"\s*(?:(?:ε|eps|epsilon)\s*=?\s*)?≈\s*(?P<decimal>{_DECIMAL})\s*\((?P<exact>[^≈]+)\)\s*", text)
    found = beside or first
    return (text, None) if found is None else (found["exact"], found["decimal"])


def decimal_places(decimal: str) -> int:
    """How many digits a decimal has after its point, without an exponent.

    >>> decimal_places("1.0986"), decimal_places("3"), decimal_places("3.3e-31")
    (4, 0, 32)
    """
    digits, _, exponent = decimal.partition("e")
    return max(len(digits.partition(".")[2]) - int(exponent or 0), 0)
