# SPDX-License-Identifier: MIT
"""Is this table a mechanism, exactly: entries ≥ 0, rows that sum to 1? Or is it rounded, or wrong?"""

from __future__ import annotations

from typing import Any

from exactdp.analysis.arguments import MechanismLike, as_table
from exactdp.analysis.letters.statement import letters_in
from exactdp.analysis.verdict import Decision, Verdict, scope_of
from exactdp.analysis.wording import short_number
from exactdp.exact import Rational, RationalFunctionField
from exactdp.model import Table
from exactdp.model.faults import ROUNDING, Faults, Quality, as_rounding
from exactdp.runtime.values import dataclass

NO_FAULTS = Faults((), ())
"""Of a table that is row-stochastic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StochasticEvidence:
    """What a table is as a mechanism, and a fault of it.

    Attributes
    ----------
    table : Table
        What was asked about.
    quality : str
        *exact*, *rounded* or *wrong* (:meth:`exactdp.Table.quality`).
    rounding : Rational
        The bound for faults that was used.
    row, column : int or None
        An entry below 0, or without a column a row whose sum is not 1.
    faults : Faults
        All of them.
    """

    table: Table
    quality: Quality
    rounding: Rational = ROUNDING
    row: int | None = None
    column: int | None = None
    faults: Faults = NO_FAULTS


def is_stochastic(table: MechanismLike, *, rounding: object = ROUNDING) -> Verdict[StochasticEvidence | Any]:
    """Is this table a mechanism: entries ≥ 0, rows summing to 1? Is it exact, rounded or wrong?

    Parameters
    ----------
    table : Table or what makes one
        Any exact matrix.
    rounding : exact number
        In [0, 1/100]. A table none of whose faults (a row sum minus 1, a negative entry) is larger in
        absolute value is *rounded*, any other with a fault *wrong*.

    Returns
    -------
    Verdict[StochasticEvidence]
        Proved: it is *exact*. Refuted: ``evidence.quality`` says *rounded* or *wrong*, with a fault. With
        letters, whether it is one at every point of their region
        (:class:`~exactdp.analysis.letters.tables.StochasticOnRegion`).

    Examples
    --------
    >>> from exactdp import ExactMatrix, Table
    >>> print(is_stochastic(Table(ExactMatrix([["1/2", "1/3"]]))))
    REFUTED  wrong: row 0 sums to 5/6 ≈ 0.833333, not 1
    for      a fault of at most 2^-40 counts as rounding
    >>> is_stochastic(Table([["0.5", "0.50000000000000001"]])).evidence.quality
    'rounded'
    """
    table = as_table(table)
    scope, bound = scope_of(table.matrix), as_rounding(rounding)
    if letters_in(table):
        from exactdp.analysis.letters.tables import stochastic_on_region

        return stochastic_on_region(table, is_stochastic)
    fault = _first_fault(table)
    if fault is None:
        found = StochasticEvidence(table=table, quality="exact", rounding=bound)
        return Verdict(Decision.PROVED, "The table is row-stochastic, exactly", found, scope)
    quality: Quality = "wrong"
    if not isinstance(table.field, RationalFunctionField):
        quality = table.quality(bound)
        fault = (_first_fault(table, bound) if quality == "wrong" else None) or fault  # what makes it wrong, not what is rounded
    faults, (row, column, text) = table.faults(), fault
    claim = f"The table is wrong, not row-stochastic: {text}" + (f"; {faults.columns_text}" if faults.transposed else "")
    if quality == "rounded":
        claim = f"The table is rounded, not exactly row-stochastic: {text}; {faults_text(faults, bound)}"
    found = StochasticEvidence(table=table, quality=quality, rounding=bound, row=row, column=column, faults=faults)
    return Verdict(Decision.REFUTED, claim, found, scope)


def _first_fault(table: Table, above: Rational | None = None) -> tuple[int, int | None, str] | None:
    """The row, the column of a negative entry, and the first fault in words, or the first above a bound."""
    for i, label in enumerate(table.inputs):
        row = table.matrix.row(i)
        for r, x in enumerate(row):
            if x < 0 and (above is None or -x > above):
                return i, r, f"entry ({label}, {table.outputs[r]}) is {x}, below 0"
        total = sum(row, table.matrix.field.zero)
        if (total - 1).sign() and (above is None or abs(total - 1) > above):
            return i, None, f"row {label} sums to {total}, not 1"
    return None


def faults_text(faults: Faults, rounding: Rational) -> str:
    """How large the faults of a rounded table are: ``no fault is above 2^-40, the largest is 1/…``."""
    return f"no fault is above {bound_text(rounding)}, the largest is {short_number(faults.largest)}"


def unrounded_text(faults: Faults, rounding: Rational, title: str) -> str:
    """That a table is rounded, by how much, and what is judged in its place."""
    ways = [*(["with negative entries set to 0"] if faults.negative else []), "divided by its row sums"]
    judged = f"judged is the table as printed, {' and '.join(ways)}"
    return f"{title} is rounded ({faults_text(faults, rounding)}); {judged}; what was rounded away is not in it"


def bound_text(bound: Rational) -> str:
    """A bound as it is typed: a power of 2 as ``2^-40``, another number as it is.

    >>> bound_text(ROUNDING), bound_text(Rational("1/3"))
    ('2^-40', '1/3')
    """
    size = int(bound.denominator)
    return f"2^-{size.bit_length() - 1}" if bound.numerator == 1 and size > 8 and size & (size - 1) == 0 else short_number(bound)
