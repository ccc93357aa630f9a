# SPDX-License-Identifier: MIT
"""What the numbers in the file of a table are: printed doubles, or decimals; and what dividing rows changes.

A table whose rows were divided by their sums is another one than that of the file. A claim that holds of it
is one about the file only where every table that prints as the decimals of the file keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactdp.analysis.digits_shown import decimal_places, rational_rows
from exactdp.analysis.privacy_claim import PrivacyClaim
from exactdp.errors import ExactDPError
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.exact.inexact import exactly, prints_double
from exactdp.model import Mechanism, Neighbours, Table
from exactdp.model.faults import ROUNDING
from exactdp.model.labels import Labels
from exactdp.model.metric import ONE
from exactdp.model.printed import PrintedTable
from exactdp.model.tightest_level import TightestLevel
from exactdp.runtime.values import dataclass

MOST_COMPARED = 10**6
"""Constraints; of a larger table it is not told what all tables that print so keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Divided:
    """How the table that was judged, with rows divided by their sums, differs from that of the file.

    Attributes
    ----------
    places : int
        The decimal places of the file; 0 where its numbers are doubles, or no decimals.
    farthest : Rational
        The largest difference of two numbers at one place.
    fault : Rational
        The largest distance of a row sum of the file to 1, or of a negative number to 0.
    all_keep : bool
        Whether there are tables that print as the decimals of the file, and all of them keep the claim.
    """

    places: int
    farthest: Rational
    fault: Rational
    all_keep: bool

    @property
    def is_another(self) -> bool:
        """Whether what holds of it need not hold of what the file shows."""
        return not self.all_keep if self.places else bool(self.fault > ROUNDING)

    @property
    def told(self) -> str:
        """What a sentence that the claim is true says after it."""
        if not self.is_another:
            return ""
        hint = f"; --digits {self.places} judges every table that prints so" if self.places else ""
        return f" of the table with rows divided by their sums, which is not the one in the file{hint}"


def divided_from(file: Table, judged: Mechanism, near: Neighbours, claim: PrivacyClaim | None) -> Divided | None:
    """How what was judged differs from the table of the file; None where it is the same, or not rational.

    >>> from exactdp import neighbours
    >>> table = Table([["0.80", "0.21"], ["0.21", "0.80"]])
    >>> claim = PrivacyClaim(epsilon="27/20")
    >>> found = divided_from(table, table.renormalise(), neighbours("path:2"), claim)
    >>> found.places, found.is_another
    (2, True)
    """
    numbers, own = rational_rows(file), rational_rows(judged.as_table())
    if numbers is None or own is None or numbers == own:
        return None
    pairs = zip(numbers, own, strict=True)
    places = 0 if are_printed_doubles(numbers) else decimal_places(numbers) or 0
    all_keep = False
    if places and claim is not None and claim.delta == 0:
        all_keep = all_that_print_keep(numbers, places, judged.inputs, judged.outputs, near, claim) is True
    return Divided(
        places=places,
        farthest=max(abs(x - y) for row, other in pairs for x, y in zip(row, other, strict=True)),
        fault=file.faults().largest,
        all_keep=all_keep,
    )


def all_that_print_keep(
    numbers: Sequence[Sequence[Rational]], places: int, inputs: Labels, outputs: Labels, near: Neighbours, claim: PrivacyClaim
) -> bool | None:
    """Whether all tables that print so, whose rows sum to 1, keep a claim without δ; None if there are none.

    It is None of neighbours at other distances than 1, too.

    * ``numbers``: decimals with so many ``places``, in the order of the labels.
    """
    kept = level_that_all_keep(numbers, places, inputs, outputs, near)
    try:
        return None if kept is None else bool(kept >= claim.level)
    except ExactDPError:  # a level that is not compared
        return None


def level_that_all_keep(
    numbers: Sequence[Sequence[Rational]], places: int, inputs: Labels, outputs: Labels, near: Neighbours
) -> TightestLevel | None:
    """The largest level α that all tables that print so keep, exactly; None as :func:`all_that_print_keep`.

    >>> from exactdp import neighbours
    >>> table = Table([["0.8", "0.2"], ["0.2", "0.8"]])
    >>> numbers, near = rational_rows(table), neighbours("path:2")
    >>> str(level_that_all_keep(numbers, 1, table.inputs, table.outputs, near).epsilon)
    'ln(17/3)'
    """
    from exactdp.analysis.printed.epsilon_ends import largest_end  # linear programs, where rows were divided or decimals may not do

    half = Rational(1, 2 * 10**places)
    lower = [[max(x - half, QQ.zero) for x in row] for row in numbers]
    upper = [[min(x + half, QQ.one) for x in row] for row in numbers]
    distances = [distance for _, _, distance in near.pairs()]
    if len(distances) * len(outputs) > MOST_COMPARED or any(distance != ONE for distance in distances):
        return None
    try:
        shown, least, most = (ExactMatrix(rows) for rows in (numbers, lower, upper))
        printed = PrintedTable(shown, least, most, inputs, outputs, places)
        return largest_end(printed, near).tightest
    except ExactDPError:  # a row that fits no sum
        return None


def are_printed_doubles(numbers: Sequence[Sequence[Rational]]) -> bool:
    """Whether each decimal is the shortest, or the one of 17 digits, of a double, and some need 16 digits.

    >>> are_printed_doubles([[Rational("0.30000000000000004")]]), are_printed_doubles([[Rational("0.3")]])
    (True, False)
    """
    found = [prints_double(int(x.numerator), int(x.denominator)) for row in numbers for x in row]
    return None not in found and any(found)


def nearest_double(x: Rational) -> Rational:
    """The double that a decimal stands for, exactly.

    >>> nearest_double(Rational("0.5"))
    Rational('1/2')
    """
    return Rational(exactly(int(x.numerator) / int(x.denominator)))
