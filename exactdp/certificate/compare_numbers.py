# SPDX-License-Identifier: MIT
"""Numbers of a bundle as page one shows them: which decimals and doubles they are, and what rounds to them.

Standard library only: this file lies in every bundle beside check_bundle.py, which runs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from exactdp.certificate.bundle_tables import ZERO, Grid, NotComparedError, combined, constant, enclosed, reduced, sign_of, table_of
from exactdp.certificate.page_one import point
from exactdp.certificate.page_one_sources import TIGHT, Compared, Differs, decimal

MOST_COMPARED = 10**6
"""Pairs of numbers."""


MOST_PLACES = 30
"""Decimals with more places are not taken for decimals."""


DOUBLE_DIGITS = 16
"""Every decimal with fewer significant digits is the shortest one of its double."""


ROUNDED_BELOW = Fraction(1, 2**40)
"""A fault of a row that is no larger is called rounding."""


BILLIONTH = Fraction(1, 10**9)


def places_of(numbers: Sequence[Sequence[Fraction]]) -> int:
    """The least number of decimal places; 0 if numbers are no decimals."""
    for places in range(MOST_PLACES + 1):
        if all((x * 10**places).denominator == 1 for row in numbers for x in row):
            return places
    return 0


def _prints_double(x: Fraction) -> bool | None:
    """Whether a decimal that programs print for a double has 16 digits or more; None: it is not printed."""
    for text in (repr(float(x)), f"{float(x):.17g}"):
        if Fraction(text) == x:
            return len(text.partition("e")[0].lstrip("-0.").replace(".", "").rstrip("0")) >= DOUBLE_DIGITS
    return None


def are_printed_doubles(numbers: Sequence[Sequence[Fraction]]) -> bool:
    """Whether all are decimals that programs print for doubles, some of them with 16 digits or more."""
    found = [_prints_double(x) for row in numbers for x in row]
    return None not in found and any(found)


Values = Mapping[str, str]


def plain_numbers(b: Compared) -> Sequence[Sequence[Fraction]]:
    """The numbers of the table as read, which are rational."""
    found = b.read.plain
    if found is None:
        raise NotComparedError("the table has irrational numbers")
    return found


def least_quotient(rows: Sequence[Sequence[Fraction]], pairs: Sequence[tuple[int, int]]) -> Fraction:
    """The least quotient of two numbers of a column in neighbouring rows."""
    ratios = (min(x, y) / max(x, y) for i, j in pairs for x, y in zip(rows[i], rows[j], strict=True) if x != y)
    return min(ratios, default=Fraction(1))


def rational_rows(b: Compared, certificate: Mapping[str, Any], rows: Sequence[Any]) -> list[list[Fraction]]:
    """Rows of numbers of a certificate that are rational."""
    size = len(certificate["definitions"][certificate["claim"]["printed"]]["outputs"])
    read = [b.powers(certificate).vector(row, size) for row in rows]
    if any(den != constant(Fraction(1)) or set(num) - {()} for row in read for num, den in row):
        raise NotComparedError("its numbers are irrational")
    return [[num.get((), Fraction(0)) for num, _ in row] for row in read]


def is_factor(b: Compared, shown: str, level: Any) -> bool:
    """Whether a decimal is 1 over a level, rounded up."""
    d = decimal(shown)
    if d <= 0:
        raise Differs("a factor is none")
    return b.compare(1 / d, level) <= 0 and b.compare(1 / (d * (1 - TIGHT)), level) >= 0


def power_beside(b: Compared, exponent: Fraction, ratio: Fraction) -> int:
    """The sign of e^(−exponent) minus a rational."""
    return int(sign_of(combined(b.power(exponent), as_number(b, ratio), -1)))


def as_number(b: Compared, x: Fraction) -> Any:
    """A rational as a number."""
    return constant(x), constant(Fraction(1))


def between_rationals(x: Any) -> tuple[Fraction, Fraction]:
    """A rational below, and one above, a number ≥ 0."""
    numerator, denominator = (enclosed(part, 256) for part in x)
    if denominator[0] <= 0:
        numerator, denominator = [(-high, -low) for low, high in (numerator, denominator)]
    if denominator[0] <= 0:
        raise NotComparedError("a denominator is too near to 0")
    return max(numerator[0], Fraction(0)) / denominator[1], numerator[1] / denominator[0]


def one_answer(answers: Iterator[bool]) -> bool:
    """The answer that both ends of an enclosure give; NotComparedError where they differ."""
    found = set(answers)
    if len(found) != 1:
        raise NotComparedError("its numbers are too near to a bound")
    return found.pop()


def all_keep_claim(
    b: Compared,
    spread: Sequence[Sequence[tuple[Fraction, Fraction]]],
    pairs: Sequence[tuple[int, int]],
    end: int,
    at: int = 0,
    *,
    level: Any = None,
    delta: Fraction | None = None,
) -> bool:
    """Whether Σ_r max(0, x_ir − e^ε·x_jr) ≤ δ for every pair, with e^ε from below (0) or from above (1).

    ``at`` is 0 for the lower ends of x_ir beside the upper ones of x_jr, and 1 for the reverse. The level and
    δ are those of the claim, or others.
    """
    level = b.level() if level is None else level
    if len(pairs) * len(spread[0]) > MOST_COMPARED:
        raise NotComparedError("the table is too large for this program")
    ends = [enclosed(part, 512) for part in level]
    if ends[1][0] <= 0 or ends[0][0] <= 0:
        raise NotComparedError("the level is too near to 0")
    low, high = ends[0][0] / ends[1][1], ends[0][1] / ends[1][0]
    factor = 1 / high if end == 0 else 1 / low
    most = Fraction(b.claimed["delta"]) if delta is None else delta
    for i, j in pairs:
        excess = Fraction(0)
        for x, y in zip(spread[i], spread[j], strict=True):
            excess += max(x[at] - factor * y[1 - at], Fraction(0))
        if excess > most:
            return False
    return True


def stored_as(x: Fraction, places: int | None) -> tuple[Fraction, Fraction]:
    """The least and the largest number that is stored as x, a double or a decimal."""
    if places is not None:
        half = Fraction(1, 2 * 10**places)
        return max(x - half, Fraction(0)), x + half
    if x <= 0:
        return x, x
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > x
    half = Fraction(2) ** (exponent - 53)
    return x - (half / 2 if Fraction(2) ** exponent == x else half), x + half


def rows_in_order(b: Compared) -> Sequence[int]:
    """The rows of the table as read in the order of the neighbours of certificates."""
    return [b.read.inputs.index(label) for label in labels_in_order(b)]


def labels_in_order(b: Compared) -> Sequence[str]:
    """The labels of the rows in the order of the neighbours of certificates."""
    for certificate in b.certificates.values():
        table = table_of(certificate)
        if table is not None and "neighbours" in certificate["claim"]:
            return list(table.inputs)
    raise Differs("no certificate names the neighbours")


def ends_of_epsilon(b: Compared) -> tuple[Any, Any]:
    """The levels of the smallest and of the largest ε of tables that print so."""
    for part in ("smallest-epsilon", "largest-epsilon"):
        if b.part(part)["claim"].get("distance", "1") != "1":
            raise NotComparedError("the distance is another one than 1")
    if b.part("smallest-epsilon")["claim"]["kind"] == "no-table-private":  # it may be far below the smallest ε
        raise NotComparedError("the smallest ε is certified by a bound only")
    return b.number("smallest-epsilon", "ratio"), b.number("largest-epsilon", "ratio")


def inputs_of(table: Grid, *, is_printed: bool) -> Sequence[str]:
    """The labels of inputs; a printed table has a row for each end of each of them."""
    half = len(table.inputs) // 2
    return [label.removeprefix("lower ") for label in table.inputs[:half]] if is_printed else table.inputs


def named_table(certificate: Mapping[str, Any]) -> Grid:
    """The table that a certificate names."""
    found = table_of(certificate)
    if found is None:
        raise Differs("a certificate names no table")
    return found


def place_of(labels: Sequence[str], shown: str) -> int:
    """The number of a label, by how it is shown."""
    found = [k for k, label in enumerate(labels) if point(label) == shown]
    if len(found) != 1:
        raise Differs(f"{shown!r} is no label, or several")
    return found[0]


def sum_of(b: Compared, numbers: Sequence[Any]) -> Any:
    """The sum of numbers."""
    found = ZERO
    for x in numbers:
        found = reduced(*combined(found, x, 1))
    return found
