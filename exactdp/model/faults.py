# SPDX-License-Identifier: MIT
"""How a matrix fails to be row-stochastic: rows that do not sum to 1, negative entries, and their sizes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from exactdp.errors import NegativeEntryError, NotStochasticError, ParameterRangeError, UndecidedSignError, printable
from exactdp.exact import (
    QQ,
    ExactMatrix,
    ExponentialField,
    Rational,
    RationalFunctionField,
    RegionField,
    ScaledPowers,
    SparseProduct,
    SparseRows,
    where_negative,
)
from exactdp.exact.identity import same_formula
from exactdp.exact.repeated import different
from exactdp.model.labels import Labels
from exactdp.runtime.progress import row_by_row
from exactdp.runtime.values import dataclass

Quality = Literal["exact", "rounded", "wrong"]
"""What a table is as a mechanism: without a fault, with small faults only, or with larger ones."""


ROUNDING = Rational(1, 2**40)
"""The largest fault of a *rounded* table, unless another bound is given: 2⁻⁴⁰."""


MOST_ROUNDING = Rational(1, 100)
"""No larger fault is called rounding: twenty entries with three digits miss 1 by so much at most.

A bound that lets a row sum to 6/5 would make other mechanisms of tables that are wrong.
"""


def as_rounding(bound: object) -> Rational:
    """A bound for the faults of a rounded table; ParameterRangeError unless 0 ≤ bound ≤ 1/100.

    >>> as_rounding("1e-12"), as_rounding("2^-10")
    (Rational('1/1000000000000'), Rational('1/1024'))
    >>> as_rounding("0.7")
    Traceback (most recent call last):
    ...
    exactdp.errors.ParameterRangeError: the bound 7/10 for rounding is not in [0, 1/100]; twenty entries ...
    """
    power = re.fullmatch(r"2\^-([0-9]{1,5})", bound) if isinstance(bound, str) else None
    value: Rational = Rational(1, 2 ** int(power[1])) if power else QQ(bound)
    if value < 0 or value > MOST_ROUNDING:
        allowed = f"[0, {MOST_ROUNDING}]"
        rule = "twenty entries that are printed with three digits miss 1 by no more, and a larger fault is no rounding"
        message = f"the bound {value} for rounding is not in {allowed}; {rule}: mend the table"
        raise ParameterRangeError(message, name="rounding", value=value, allowed=allowed)
    return value


@dataclass(frozen=True, slots=True)
class RowSum:
    """A row that does not sum to 1: its number, from 0, its label, and its exact sum.

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
        return f"row {printable(self.label)} sums to {self.total}, not 1 (excess {self.excess})"


@dataclass(frozen=True, slots=True)
class NegativeEntry:
    """An entry below 0, by row and column number, with their labels; or below 0 at a point of a region.

    >>> from exactdp.exact import Rational
    >>> print(NegativeEntry(0, 1, "a", "b", Rational("-1/2")))
    the entry in row a, column b is -1/2, which is negative
    """

    row: int
    column: int
    row_label: str
    column_label: str
    value: Any
    where: str = ""

    def __str__(self) -> str:
        place = f"row {printable(self.row_label)}, column {printable(self.column_label)}"
        return f"the entry in {place} is {self.value}, which is negative{self.where}"


@dataclass(frozen=True, slots=True)
class Faults:
    """All faults of a matrix: rows that do not sum to 1, and negative entries; true when there are any.

    ``transposed`` says whether the columns sum to 1, up to rounding, where the rows do not: then its
    transpose may be what is meant. ``columns_exact`` says whether they do so exactly.

    >>> faults_of(ExactMatrix([["1/2", "2/3"]]), ("0",), ("0", "1")).rows[0].excess
    Rational('1/6')
    """

    rows: tuple[RowSum, ...]
    negative: tuple[NegativeEntry, ...]
    transposed: bool = False
    columns_exact: bool = True

    def __bool__(self) -> bool:
        return bool(self.rows or self.negative)

    def __str__(self) -> str:
        return "; ".join(map(str, (*self.negative, *self.rows))) or "every row sums to 1 and no entry is negative"

    @property
    def columns_text(self) -> str:
        """What is said of a table that seems to have its inputs in the columns.

        >>> from exactdp.model.mechanism import Table
        >>> Table([["1/2", "1/4"], ["1/2", "3/4"]]).faults().columns_text
        'its columns sum to 1, so it looks transposed'
        """
        return f"its columns sum to 1{'' if self.columns_exact else ' up to rounding'}, so it looks transposed"

    @property
    def percent_text(self) -> str:
        """What is said of a table of percentages without the sign; empty for any other.

        >>> from exactdp.model.mechanism import Table
        >>> Table([[60, 40], [30, 70]]).faults().percent_text
        'its rows sum to 100, so it looks like percentages'
        """
        hundreds = bool(self.rows) and not self.negative and all(same_formula(row.total, 100) for row in self.rows)
        return "its rows sum to 100, so it looks like percentages" if hundreds else ""

    @property
    def looks(self) -> tuple[str, ...]:
        """What the table seems to be, where its faults say it."""
        return (*((self.columns_text,) if self.transposed else ()), *((self.percent_text,) if self.percent_text else ()))

    @property
    def largest(self) -> Any:
        """The largest absolute value of a fault (a sum minus 1, a negative entry); 0 without faults."""
        found: Any = QQ.zero
        for size in (*(abs(row.excess) for row in self.rows), *(-entry.value for entry in self.negative)):
            found = size if size > found else found
        return found

    def quality(self, rounding: object = ROUNDING) -> Quality:
        """*exact* without faults, *rounded* if each is at most the bound in absolute value, else *wrong*.

        Only numbers are rounded: a table of formulas in the level is exact or wrong.

        >>> from exactdp.model.mechanism import Table
        >>> [Table([[x, "1/2"]]).faults().quality() for x in ("1/2", "0.50000000000000001", "0.6")]
        ['exact', 'rounded', 'wrong']
        """
        bound = as_rounding(rounding)
        if not self:
            return "exact"
        if any(map(_has_letters, [row.total for row in self.rows] + [entry.value for entry in self.negative])):
            return "wrong"
        return "rounded" if self.largest <= bound else "wrong"

    def first(self, rounding: object = ROUNDING) -> RowSum | NegativeEntry:
        """The first fault above the bound if numbers have one, else the first; negative entries come first.

        >>> print(faults_of(ExactMatrix([["1.02", "-0.01"]]), ("0",), ("0", "1")).first("1/100"))
        the entry in row 0, column 1 is -1/100, which is negative
        >>> print(faults_of(ExactMatrix([["1.03", "-0.01"]]), ("0",), ("0", "1")).first("1/100"))
        row 0 sums to 51/50, not 1 (excess 1/50)
        """
        found: list[RowSum | NegativeEntry] = [*self.negative, *self.rows]
        sizes = [fault.value if isinstance(fault, NegativeEntry) else fault.excess for fault in found]
        if any(map(_has_letters, sizes)):
            return found[0]
        bound = as_rounding(rounding)
        return next((fault for fault, x in zip(found, sizes, strict=True) if abs(x) > bound), found[0])

    def told(self) -> str:
        """The first two faults in words, and how many more there are."""
        found = [*self.negative, *self.rows]
        more = len(found) - 2
        return "; ".join(map(str, found[:2])) + (f"; and {more} more fault{'' if more == 1 else 's'}" if more > 0 else "")

    def facts(self) -> dict[str, object]:
        """What errors carry: ``rows``, ``negative``, ``position`` and ``value`` of the first negative one."""
        rows = tuple((row.label, row.total, row.excess) for row in self.rows)
        facts: dict[str, object] = {"rows": rows, "negative": self.negative}
        if self.negative:
            first = self.negative[0]
            facts |= {"position": (first.row, first.column), "value": first.value}
        return facts

    @property
    def remedy(self) -> str:
        """What the error of such a table says last; nothing of negative entries, which the user must mend."""
        if self.quality() == "rounded":
            return "the table is rounded: write table.unrounded(), the mechanism that it rounds (each row is divided by its sum)"
        if self.transposed:
            return f"{self.columns_text}: Table.transpose, transpose=True or --transpose reads it so"
        if self.percent_text:
            return f"{self.percent_text}: write 60% or 0.6 for 60, or divide (Table.renormalise, --renormalise)"
        if self.negative:
            return ""
        return "mend the table; dividing each row by its sum (Table.renormalise, --renormalise) makes another one"

    def refuse(self) -> None:
        """Raise NegativeEntryError or NotStochasticError if there is a fault; the error carries all."""
        if self:
            kind = NegativeEntryError if self.negative else NotStochasticError
            raise kind("; ".join(filter(None, (self.told(), self.remedy))), **self.facts())


def faults_of(matrix: ExactMatrix, row_labels: Labels, column_labels: Labels) -> Faults:
    """The rows that do not sum to 1, and the negative entries."""
    by_formula = isinstance(matrix, ScaledPowers | SparseProduct | SparseRows) and isinstance(matrix.field, ExponentialField)
    decided = matrix.field is QQ or by_formula
    if decided and matrix.is_stochastic():
        return Faults((), ())
    if isinstance(matrix.field, ExponentialField) and _is_stochastic(matrix):
        return Faults((), ())
    rows: list[RowSum] = []
    negative: list[NegativeEntry] = []
    if matrix.field is QQ:
        for i, (denominator, numerators) in enumerate(matrix.integers_of_rows()):
            total = sum(numerators)
            if total != denominator:
                rows.append(RowSum(i, row_labels[i], Rational(total) / Rational(denominator)))
            below = [j for j, x in enumerate(numerators) if x < 0] if min(numerators) < 0 else []
            negative += [NegativeEntry(i, j, row_labels[i], column_labels[j], matrix[i, j], "") for j in below]
        return _with_columns(matrix, rows, negative)
    known: dict[tuple[tuple[int, int], ...], Any] = {}  # the sum of a row, by how often it has each object
    sound: dict[int, Any] = {}  # the entries that are not negative: many are one object
    for i, row in enumerate(row_by_row(list(matrix.rows()), "sums of rows", matrix.shape)):
        counts = Counter(map(id, row))
        total = _sum_of(row, counts, known, matrix.field.zero)
        if not same_formula(total, 1):
            rows.append(RowSum(i, row_labels[i], total))
        if counts.keys() <= sound.keys():
            continue
        for j, x in enumerate(row):
            if id(x) in sound:
                continue
            where = _where_negative(x, row_labels[i], column_labels[j])
            if where is None:
                sound[id(x)] = x
            else:
                negative.append(NegativeEntry(i, j, row_labels[i], column_labels[j], x, where))
    return _with_columns(matrix, rows, negative)


def _with_columns(matrix: ExactMatrix, rows: list[RowSum], negative: list[NegativeEntry]) -> Faults:
    """The faults, and whether the columns sum to 1 in place of the rows."""
    sums = None if negative else _sums_of_columns(matrix, rows)
    if sums is None:
        return Faults(tuple(rows), tuple(negative))
    return Faults(tuple(rows), (), True, all(total == 1 for total in sums))


def _is_stochastic(matrix: ExactMatrix) -> bool:
    """Whether the entries are ≥ 0 and the rows sum to 1, where many entries are one object."""
    field, one = matrix.field, matrix.field.one
    checked: dict[int, Any] = {}  # with the objects, so that no identity is used again
    counted: set[frozenset[tuple[int, int]]] = set()  # how often a row has each object
    for row in row_by_row(matrix.rows(), "sums of rows", matrix.shape):
        counts = frozenset(Counter(map(id, row)).items())
        if counts in counted:
            continue
        objects = {id(x): x for x in different(row)}
        if any(x.sign() < 0 for name, x in objects.items() if name not in checked):
            return False
        if field.dot((objects[name], one * count) for name, count in counts) != one:
            return False
        counted.add(counts)
        checked.update(objects)
    return True


def _sum_of(row: Sequence[Any], counts: Mapping[int, int], known: dict[tuple[tuple[int, int], ...], Any], zero: Any) -> Any:
    """The sum of a row whose entries are counted as objects; rows with the same counts have one sum.

    A sum of few different entries is one of their multiples.
    """
    if 2 * len(counts) > len(row):
        return sum(row, zero)
    key = tuple(sorted(counts.items()))
    if key not in known:
        entry = {id(x): x for x in row}
        known[key] = sum((entry[name] * count for name, count in counts.items()), zero)
    return known[key]


def _sums_of_columns(matrix: ExactMatrix, rows: Sequence[RowSum]) -> list[Any] | None:
    """The sums of columns of numbers if all are 1, up to rounding, and some row misses 1 by more; else None.

    >>> faults_of(ExactMatrix([["1/2", "1/4"], ["1/2", "3/4"]]), ("0", "1"), ("0", "1")).transposed
    True
    """
    if any(_has_letters(row.total) for row in rows):
        return None
    if not any(abs(row.excess) > MOST_ROUNDING for row in rows):
        return None
    sums = [matrix.field.zero] * matrix.shape[1]
    for row in row_by_row(matrix.rows(), "sums of columns", matrix.shape):
        sums = [total + x for total, x in zip(sums, row, strict=True)]
    return sums if all(abs(total - 1) <= MOST_ROUNDING for total in sums) else None


def _has_letters(x: Any) -> bool:
    return isinstance(x.field, RationalFunctionField | RegionField)


def _where_negative(x: Any, row: str, column: str) -> str | None:
    try:
        return where_negative(x)
    except UndecidedSignError as error:
        message = f"whether the entry in row {printable(row)}, column {printable(column)} is negative: {error.message}"
        raise UndecidedSignError(message, **error.facts) from None
