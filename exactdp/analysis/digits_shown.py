# SPDX-License-Identifier: MIT
"""How many digits the numbers of a table have, if rounding explains its faults, and what they can show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from exactdp.errors import DomainError
from exactdp.exact import Rational
from exactdp.model import Neighbours, PrivacyLevel, Table, TightestLevel
from exactdp.model.faults import MOST_ROUNDING, Faults
from exactdp.model.metric import ONE

MOST_PLACES = 30
"""Decimals with more places than this are not taken for decimals."""

Precision = Literal["exact", "decimals", "doubles", "digits"]
"""How the numbers of a table were read: exact fractions, decimals taken exactly, doubles taken exactly, or
digits, which stand for every number that prints so."""

PLACES = 60
"""Decimal places of the enclosure of e^(−ε) by which is told whether digits can show a failure."""

MOST_COMPARED = 10**6
"""Pairs of numbers; of a larger table it is not told what its digits can show."""

SIGNIFICAND = 53
"""Binary digits of a double."""


def rational_rows(table: Table) -> list[list[Rational]] | None:
    """The numbers of a table if all are rational."""
    found: list[list[Rational]] = []
    for row in table.matrix.rows():
        numbers = [x if isinstance(x, Rational) else getattr(x, "rational", None) for x in row]
        if any(x is None for x in numbers):
            return None
        found.append([x for x in numbers if x is not None])
    return found


def decimal_places(numbers: Sequence[Sequence[Rational]]) -> int | None:
    """How many decimal places the numbers have; None if they are no decimals."""
    for places in range(MOST_PLACES + 1):
        if all((x * 10**places).denominator == 1 for row in numbers for x in row):
            return places
    return None


def places_that_explain(table: Table, faults: Faults) -> int:
    """The decimal places of a table, if half a unit for each number of a row explains its faults; else 0.

    >>> table = Table([["0.333", "0.333", "0.333"]])
    >>> places_that_explain(table, table.faults())
    3
    """
    numbers = None if not faults or faults.negative else rational_rows(table)
    places = None if numbers is None else decimal_places(numbers)
    if places is None or numbers is None:
        return 0
    explained = Rational(len(numbers[0]), 2 * 10**places)
    return places if faults.largest <= min(explained, MOST_ROUNDING) else 0


def is_double(x: Rational) -> bool:
    """Whether a number of [0, 1] is a double."""
    denominator = int(x.denominator)
    return denominator & (denominator - 1) == 0 and int(abs(x.numerator)).bit_length() <= SIGNIFICAND


def stored_as(x: Rational, precision: Precision, places: int) -> tuple[Rational, Rational]:
    """The least and the largest number ≥ 0 that is stored as x: rounded to the nearest, ties to either side.

    >>> [str(end) for end in stored_as(Rational("1/4"), "decimals", 2)]
    ['49/200', '51/200']
    >>> low, high = stored_as(Rational("3/4"), "doubles", 0)
    >>> high - Rational("3/4") == Rational(1, 2**54)
    True
    """
    if precision == "decimals":
        half = Rational(1, 2 * 10**places)
        return max(x - half, Rational(0)), x + half
    if precision != "doubles" or x <= 0:
        return x, x
    exponent = int(x.numerator).bit_length() - int(x.denominator).bit_length()  # 2^(exponent−1) < x < 2^(exponent+1)
    if Rational(2) ** exponent > x:
        exponent -= 1
    half = Rational(2) ** (exponent - SIGNIFICAND)
    below = half / 2 if Rational(2) ** exponent == x else half  # doubles are denser below a power of 2
    return x - below, x + half


def differs_within_digits(
    numbers: Sequence[Sequence[Rational]],
    precision: Precision,
    places: int,
    neighbours: Neighbours,
    level: PrivacyLevel | TightestLevel,
    delta: Any = 0,
    *,
    holds: bool,
) -> bool | None:
    """Whether (ε, δ)-privacy is otherwise for numbers that are stored as these, pair by pair of neighbours.

    None if that is not found out: the table is large, neighbours are not all at distance 1, the level is a
    letter, or e^ε within its enclosure makes a difference.

    >>> from exactdp.model import Graph
    >>> table = [[Rational("0.67"), Rational("0.33")], [Rational("0.33"), Rational("0.67")]]
    >>> differs_within_digits(table, "decimals", 2, Graph.path(2), PrivacyLevel("1/2"), holds=False)
    True
    """
    pairs = []
    for a, b, distance in neighbours.pairs():
        if distance != ONE:
            return None
        pairs += [(a, b), (b, a)]
    try:
        low, high = level.as_tightest().enclosure(PLACES)
    except DomainError:  # a letter
        return None
    if low <= 0 or len(pairs) * len(numbers[0]) > MOST_COMPARED:
        return None
    spread = [[stored_as(x, precision, places) for x in row] for row in numbers]
    worst = 1 if holds else 0
    kept, kept_too = (_keeps(spread, pairs, delta, 1 / factor, worst) for factor in (high, low))  # e^ε lies between them
    return kept is not holds if kept is kept_too else None


def _keeps(spread: Sequence[Sequence[tuple[Any, Any]]], pairs: Sequence[tuple[int, int]], delta: Any, factor: Any, end: int) -> bool:
    """Whether Σ_r max(0, x_ir − e^ε·x_jr) ≤ δ for every pair: at best (``end`` 0), or at worst (1)."""
    for i, j in pairs:
        excess = Rational(0)
        for likely, unlikely in zip(spread[i], spread[j], strict=True):
            difference = likely[end] - factor * unlikely[1 - end]
            if difference > 0:
                excess += difference
        if excess > delta:
            return False
    return True
