# SPDX-License-Identifier: MIT
"""What keeps a labelled matrix from being row-stochastic: all of it, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.errors import NegativeEntryError, NotStochasticError
from exactdp.exact import ExactMatrix
from exactdp.model.labels import Labels

__all__ = ["Faults", "NegativeEntry", "RowSum", "faults_of"]


@dataclass(frozen=True, slots=True)
class RowSum:
    """A row that does not sum to 1.

    Parameters
    ----------
    index : int
        The row's number, from 0.
    label : str
    total : Scalar
        Its exact sum.

    Examples
    --------
    >>> from exactdp.exact import Rational
    >>> print(RowSum(2, "2", Rational("31/30")))
    row 2 sums to 31/30, not 1 (excess 1/30)
    """

    index: int
    label: str
    total: Any

    @property
    def excess(self) -> Any:
        """The sum minus 1."""
        return self.total - 1

    def __str__(self) -> str:
        return f"row {self.label} sums to {self.total}, not 1 (excess {self.excess})"


@dataclass(frozen=True, slots=True)
class NegativeEntry:
    """An entry below 0, by row and column number, with their labels.

    Examples
    --------
    >>> from exactdp.exact import Rational
    >>> print(NegativeEntry(0, 1, "a", "b", Rational("-1/2")))
    the entry in row a, column b is -1/2, which is negative
    """

    row: int
    column: int
    row_label: str
    column_label: str
    value: Any

    def __str__(self) -> str:
        return f"the entry in row {self.row_label}, column {self.column_label} is {self.value}, which is negative"


@dataclass(frozen=True, slots=True)
class Faults:
    """All faults of a matrix; true when there are any.

    Parameters
    ----------
    rows : tuple of RowSum
    negative : tuple of NegativeEntry

    Examples
    --------
    >>> faults_of(ExactMatrix([["1/2", "2/3"]]), ("0",), ("0", "1")).rows[0].excess
    Rational('1/6')
    """

    rows: tuple[RowSum, ...]
    negative: tuple[NegativeEntry, ...]

    def __bool__(self) -> bool:
        return bool(self.rows or self.negative)

    def __str__(self) -> str:
        return "; ".join(map(str, (*self.negative, *self.rows))) or "every row sums to 1 and no entry is negative"

    def facts(self) -> dict[str, object]:
        """The attributes of the errors: ``rows``, ``negative`` and, for the first negative entry, ``position`` and ``value``."""
        facts: dict[str, object] = {"rows": tuple((row.label, row.total, row.excess) for row in self.rows), "negative": self.negative}
        if self.negative:
            first = self.negative[0]
            facts |= {"position": (first.row, first.column), "value": first.value}
        return facts

    def refuse(self) -> None:
        """Raise NegativeEntryError or NotStochasticError if there is a fault; the message lists all."""
        if self:
            kind = NegativeEntryError if self.negative else NotStochasticError
            remedy = "; mend the table, or divide each row by its sum (Table.renormalise, --renormalise)" if not self.negative else ""
            raise kind(f"{self}{remedy}", **self.facts())


def faults_of(matrix: ExactMatrix, row_labels: Labels, column_labels: Labels) -> Faults:
    """The rows that do not sum to 1, and the negative entries."""
    rows, negative = [], []
    for i, row in enumerate(matrix.rows()):
        total = sum(row, matrix.field.zero)
        if total != 1:
            rows.append(RowSum(i, row_labels[i], total))
        negative += [NegativeEntry(i, j, row_labels[i], column_labels[j], x) for j, x in enumerate(row) if x < 0]
    return Faults(tuple(rows), tuple(negative))
