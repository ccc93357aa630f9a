# SPDX-License-Identifier: MIT
"""How many decimal places the numbers of a table have, and whether rounding to them explains its faults."""

from __future__ import annotations

from collections.abc import Sequence

from exactdp.exact import Rational
from exactdp.model import Table
from exactdp.model.faults import MOST_ROUNDING, Faults

MOST_PLACES = 30
"""Decimals with more places than this are not taken for decimals."""


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
