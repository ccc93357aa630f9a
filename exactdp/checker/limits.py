# SPDX-License-Identifier: MIT
"""Trusted: limits, the counting of work, answers, and how values are shown (SPEC §5, §7)."""

from __future__ import annotations

import json
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

LIMITS = {
    "bytes": 64 * 2**20,  # in a file
    "nesting": 13,  # of brackets
    "tokens": 2_000_000,  # brackets, strings and numbers in a file
    "digits": 1_000_000,  # characters in one integer
    "memory": 2**31,  # bits held at one time, counting 1024 more for each number
    "work": 10**9,  # units of about ten nanoseconds, for each mebibyte of the file begun
}
"""Each is checked before the work that it bounds."""

EXIT_CODES = {
    "accepted": 0,
    "rejected": 1,
    "limit": 4,
    "malformed": 3,
    "unreadable": 2,
    "defect": 70,
}
"""Of each status, from good to bad."""

WORK: ContextVar[list[int]] = ContextVar("WORK")
"""The work announced so far, for one file, and the bits kept from it."""

FIELD: ContextVar[Any] = ContextVar("FIELD", default=None)
"""What polynomials in the file stand for (fields.py); None: there are none."""

ONE_ANSWER = "a comparison has one answer on the whole interval"
"""The rule of an answer that ends a comparison of numbers that vary."""


# ── Answers (SPEC §5) ───────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True)
class Answer:
    """What the checker found: its own sentence when it accepts, an explanation otherwise."""

    status: str
    sentence: str
    kind: str | None = None
    digest: str | None = None
    rule: str | None = None
    path: str | None = None

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.status]


class Stop(Exception):  # noqa: N818
    """Ends a check; its argument is the answer."""


class Larger(Exception):  # noqa: N818
    """Polynomials need larger slots, its argument times doubled: the check starts again."""


def demand(holds: bool, path: str, rule: str) -> None:
    """A rule of the format: the file is malformed unless it holds."""
    if not holds:
        raise Stop(Answer("malformed", f"{path}: {rule}", rule=rule, path=path))


def require(holds: bool, rule: str, path: str, left: object, right: object) -> None:
    """A condition of the claim: the file is rejected unless it holds."""
    if not holds:
        sides = f"the left side is {show(left)}, the right side {show(right)}"
        raise Stop(Answer("rejected", f"{path}: this fails: {rule}; {sides}", rule=rule, path=path))


def show(value: object) -> str:
    """A value in one printable line; what is long is abbreviated with … (long integers in
    hexadecimal).
    """
    if isinstance(value, tuple | list):
        shown = [show(x) for x in value[:24]]
        if len(value) > 24:
            shown.append(f"… {len(value) - 24} more …")
        return ", ".join(shown)
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return show(value.numerator)
        return f"{show(value.numerator)}/{show(value.denominator)}"
    if isinstance(value, int) and value.bit_length() > 2**13:
        text = hex(value)
    else:
        text = str(value)
    if len(text) >= 300:
        text = f"{text[:140]}…({len(text) - 280} characters)…{text[-140:]}"
    if text.isprintable():
        return text
    return json.dumps(text)


# ── Counting of work (SPEC §7) ──────────────────────────────────────────────────────────────────
def within(limit: str, figure: int) -> None:
    """A declared limit: nothing is decided if it would be exceeded."""
    if figure > LIMITS[limit]:
        if figure < 10**30:
            size = str(figure)
        else:  # Python writes no number of more than 4300 digits
            size = f"2^{figure.bit_length() - 1} or more"
        text = f"the limit of {LIMITS[limit]} {limit} is exceeded: {size}"
        raise Stop(Answer("limit", text, rule=limit))


def charge(steps: int, bits: int = 0, products: int = 0, held: int = 0, beside: int = 0) -> None:
    """Announce sums (or products by small numbers), products, and numbers held, all of so many
    bits; beside them, steps that no bits make longer.
    """
    work = WORK.get()
    within("memory", work[1] + max(held * (bits + 1024), bits))
    # To announce is work, too. A sum is an operation of the interpreter and a pass over the bits.
    work[0] += 60 + 8 * beside + steps * (8 + bits // 250)
    # A product of long numbers is Karatsuba's, about (bits/256)^1.6.
    if products:
        size = bits // 256
        work[0] += products * (12 + isqrt(size**3) * (8 + size.bit_length()))
    within("work", work[0])


def quadratic(bits: int, by: int) -> int:
    """The steps of a division of numbers of so many bits, a gcd, or a product with a short one."""
    return 1 + bits * (by + 150) // 50_000


def keep(numbers: int, bits: int) -> None:
    """Announce numbers of so many bits each that are held until the file is decided."""
    charge(0, bits, held=numbers)
    WORK.get()[1] += numbers * (bits + 1024)
