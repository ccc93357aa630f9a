# SPDX-License-Identifier: MIT
r"""Printed tables: all mechanisms whose probabilities print as the digits that are shown.

A number that prints as 0.3 with one digit lies in [0.25, 0.35]. Both ends belong to it, since a tie may be
rounded either way. A printed table is the set of the mechanisms whose entries lie in their intervals:

    P = {x : lower_ir ≤ x_ir ≤ upper_ir, x_ir ≥ 0, Σ_r x_ir = 1}.

Its rows are independent of each other. In a row the largest and the least probability of a set of outputs
have closed forms, and a row of P attains each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal

from exactdp.errors import InputError, NegativeEntryError, NotStochasticError, ParameterRangeError, ShapeError, printable, wrong_kind
from exactdp.exact import QQ, ExactMatrix, OrderedField, Rational
from exactdp.exact.decimals import fixed_text
from exactdp.exact.inexact import prints_double
from exactdp.model.labels import Label, Labels, as_labels, grid_text, order_of, permuted, places_in
from exactdp.model.mechanism import Mechanism, Table
from exactdp.model.source import Source
from exactdp.runtime.progress import row_by_row
from exactdp.runtime.values import dataclass

Digits = int | Literal["auto"]
"""How many digits stand after the decimal point, or ``"auto"``: as many as each cell shows."""

MOST_DIGITS = 1_000
"""No table is printed with more digits."""

_DECIMAL = re.compile(r"-?[0-9]+(?:\.(?P<places>[0-9]+))?(?:[eE](?P<exponent>[-+]?[0-9]{1,5}))?", re.ASCII)
_FRACTION = re.compile(r"-?[0-9]+/[0-9]+", re.ASCII)


def as_digits(digits: object) -> Digits:
    """A number of digits, or ``"auto"``; ParameterRangeError unless it is 0 or more.

    >>> as_digits("4"), as_digits(0), as_digits("auto")
    (4, 0, 'auto')
    """
    if isinstance(digits, str) and digits == "auto":
        return "auto"
    if isinstance(digits, str) and re.fullmatch(r"[0-9]{1,6}", digits, re.ASCII):
        digits = int(digits)
    if isinstance(digits, bool) or not isinstance(digits, int):
        raise wrong_kind("number of digits", digits, "how many digits stand after the decimal point, such as 4, or 'auto'")
    if not 0 <= digits <= MOST_DIGITS:
        raise ParameterRangeError(
            f"{digits} digits after the decimal point; a table is printed with 0 to {MOST_DIGITS}, or give 'auto'",
            name="digits",
            value=digits,
            allowed=f"0..{MOST_DIGITS}",
        )
    return digits


def digits_shown(cell: str) -> int | None:
    """How many digits after the decimal point a decimal shows; None for a fraction, which is exact.

    >>> digits_shown("0.30"), digits_shown("12.5e-2"), digits_shown("1"), digits_shown("1/3")
    (2, 3, 0, None)
    """
    found = _DECIMAL.fullmatch(cell)
    if found is None:
        if _FRACTION.fullmatch(cell):
            return None
        message = f"{printable(cell)!r} is not a decimal, so its digits say nothing; a table of formulas is read without digits (--digits)"
        raise InputError(message, value=cell)
    return max(0, len(found["places"] or "") - int(found["exponent"] or "0"))


def interval_of(cell: str, digits: Digits) -> tuple[Rational, Rational, Rational]:
    """The number that a cell shows, and the least and the largest number that prints so, within [0, 1].

    * ``cell``: a decimal; or, with ``"auto"``, a fraction, which is exact.
    * ``digits``: how many digits after the decimal point the table was printed with.
    * raises InputError: the cell shows more digits than that, or it is no decimal: of a fraction such as 1/2
      it is not known what was printed.
    * raises NegativeEntryError: no probability prints so.

    >>> interval_of("0.3", 1), interval_of("0", 4)[2]
    ((Rational('3/10'), Rational('1/4'), Rational('7/20')), Rational('1/20000'))
    """
    value = Rational(cell)
    shown = digits_shown(cell)
    if digits == "auto":
        half = Rational(0) if shown is None else _half_unit(shown)
    else:
        if shown is None:
            raise InputError(_no_decimal(cell, value, digits), value=cell)
        if shown > digits:
            message = f"{printable(cell)} is not a number of {_digits_text(digits)}; give digits {shown}, or auto (--digits)"
            raise InputError(message, value=cell)
        half = _half_unit(digits)
    lower, upper = max(value - half, Rational(0)), min(value + half, Rational(1))
    if lower > upper:
        raise NegativeEntryError(f"no probability prints as {printable(cell)}: it lies outside [0, 1]", value=value)
    return value, lower, upper


def _no_decimal(cell: str, value: Rational, digits: int) -> str:
    """Why a fraction is not read with so many digits, and what to write instead."""
    as_printed = f"write it as it was printed, with {_digits_text(digits)}"
    if (value * 10**digits).denominator == 1:
        as_printed = f"write {fixed_text(value, digits)} if that is what was printed"
    return f"{printable(cell)} is a fraction, and does not show what was printed with {_digits_text(digits)}; {as_printed} (--digits)"


def _digits_text(digits: int) -> str:
    return f"{digits} digit{'' if digits == 1 else 's'} after the decimal point"


def _half_unit(digits: int) -> Rational:
    """Half a unit of the last of so many digits."""
    if digits > MOST_DIGITS:
        raise ParameterRangeError(
            f"{digits} digits after the decimal point; a table is printed with at most {MOST_DIGITS}",
            name="digits",
            value=digits,
            allowed=f"0..{MOST_DIGITS}",
        )
    return Rational(1, 2 * 10**digits)


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """All mechanisms whose entries lie in given intervals, as those that print as a table shows.

    Parameters
    ----------
    printed : ExactMatrix
        The numbers as printed; a row need not sum to 1.
    lower, upper : ExactMatrix
        0 ≤ lower_ir ≤ x_ir ≤ upper_ir ≤ 1, both ends included.
    inputs, outputs : labels
        As a mechanism has them.
    digits : int or "auto"
        What was told about the digits.
    notes : tuple of str
        What was left aside when it was read; answers say it.
    source : Source or None
        The file that it was read from; answers name it.

    Raises
    ------
    ShapeError
        The three matrices have different shapes.
    NotStochasticError
        No distribution has its entries in the intervals of a row: Σ lower > 1, or Σ upper < 1.

    Examples
    --------
    >>> table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    >>> table.lower.row(0), table.upper.row(0)
    ((Rational('1/4'), Rational('13/20')), (Rational('7/20'), Rational('3/4')))
    >>> table.row_maximum(0, {0}), table.row_attaining_maximum(0, {0})
    (Rational('7/20'), (Rational('7/20'), Rational('13/20')))
    >>> table == PrintedTable(table.printed, table.lower, table.upper, table.inputs, table.outputs, digits=1)
    True
    """

    printed: ExactMatrix
    lower: ExactMatrix
    upper: ExactMatrix
    inputs: Labels
    outputs: Labels
    digits: Digits
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    source: Source | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, given in (("printed table", self.printed), ("lower ends", self.lower), ("upper ends", self.upper)):
            if not isinstance(given, ExactMatrix):
                raise wrong_kind(name, given, "an ExactMatrix; printed_table makes one of the text of each cell")
        shape = self.printed.shape
        for name, matrix in (("lower", self.lower), ("upper", self.upper)):
            if matrix.shape != shape:
                message = f"the {name} ends are {matrix.shape}, the table is {shape}"
                raise ShapeError(message, expected=shape, got=matrix.shape)
        object.__setattr__(self, "inputs", as_labels(self.inputs, shape[0], what="input label"))
        object.__setattr__(self, "outputs", as_labels(self.outputs, shape[1], what="output label"))
        if not all(matrix.field is QQ for matrix in (self.printed, self.lower, self.upper)):
            raise InputError("printed digits are rational numbers; a table of formulas has none", value=self.printed.field)
        as_digits(self.digits)
        for i in row_by_row(range(shape[0]), "sums of rows", shape):
            self._require_row(i)

    def _require_row(self, i: int) -> None:
        """Refuse a row in whose intervals no distribution has its entries."""
        name = printable(str(self.inputs[i]))
        for r, (low, high) in enumerate(zip(self.lower.row(i), self.upper.row(i), strict=True)):
            if not 0 <= low <= high <= 1:
                column = printable(str(self.outputs[r]))
                message = f"row {name}, column {column}: the interval [{low}, {high}] has no probability"
                raise InputError(message, row=i, column=r, value=(low, high))
        least, largest = sum(self.lower.row(i), QQ.zero), sum(self.upper.row(i), QQ.zero)
        if least <= 1 <= largest:
            return
        bound = f"at least {least}, more" if least > 1 else f"at most {largest}, less"
        printed = sum(self.printed.row(i), QQ.zero)
        remedy = "mend the row, or give fewer digits if the table was printed with fewer (--digits)"
        if any(prints_double(int(x.numerator), int(x.denominator)) for x in self.printed.row(i)):
            remedy = "its numbers are doubles, printed with all their digits: take them as what they are (--dyadic), not --digits"
        raise NotStochasticError(
            f"no distribution prints as row {name}: its entries sum to {bound} than 1 (as printed: {printed}); {remedy}",
            rows=((self.inputs[i], printed, printed - 1),),
            least=least,
            largest=largest,
        )

    @property
    def field(self) -> OrderedField:
        """The rational numbers."""
        return QQ

    @property
    def n_inputs(self) -> int:
        """The number of inputs (rows)."""
        return len(self.inputs)

    @property
    def n_outputs(self) -> int:
        """The number of outputs (columns)."""
        return len(self.outputs)

    @property
    def how(self) -> str:
        """How it was printed, in words that follow "prints so".

        >>> printed_table([["0.3", "0.7"]], digits=1).how, printed_table([["0.3", "0.7"]], digits="auto").how
        ('with 1 digit', 'with the digits of each cell')
        """
        if self.digits == "auto":
            return "with the digits of each cell"
        return f"with {self.digits} digit{'' if self.digits == 1 else 's'}"

    def row_maximum(self, i: int, event: Iterable[int]) -> Rational:
        """The largest probability of a set of outputs in row i: min(Σ_{r∈E} upper, 1 − Σ_{r∉E} lower)."""
        chosen = frozenset(event)
        inside = sum((x for r, x in enumerate(self.upper.row(i)) if r in chosen), QQ.zero)
        outside = sum((x for r, x in enumerate(self.lower.row(i)) if r not in chosen), QQ.zero)
        most: Rational = min(inside, 1 - outside)
        return most

    def row_minimum(self, i: int, event: Iterable[int]) -> Rational:
        """The least probability of a set of outputs in row i: max(Σ_{r∈E} lower, 1 − Σ_{r∉E} upper)."""
        chosen = frozenset(event)
        inside = sum((x for r, x in enumerate(self.lower.row(i)) if r in chosen), QQ.zero)
        outside = sum((x for r, x in enumerate(self.upper.row(i)) if r not in chosen), QQ.zero)
        least: Rational = max(inside, 1 - outside)
        return least

    def row_attaining_maximum(self, i: int, event: Iterable[int]) -> tuple[Rational, ...]:
        """A row i whose probability of a set of outputs is :meth:`row_maximum`."""
        chosen = frozenset(event)
        return self.filled_row(i, sorted(range(self.n_outputs), key=lambda r: r not in chosen))

    def row_attaining_minimum(self, i: int, event: Iterable[int]) -> tuple[Rational, ...]:
        """A row i whose probability of a set of outputs is :meth:`row_minimum`."""
        chosen = frozenset(event)
        return self.filled_row(i, sorted(range(self.n_outputs), key=lambda r: r in chosen))

    def filled_row(self, i: int, order: Sequence[int]) -> tuple[Rational, ...]:
        """The row i that has every lower end, and what is left of 1 in this order of outputs.

        Each output takes as much as its upper end allows. For a linear function of the row the order of
        falling coefficients gives the maximum, that of rising ones the minimum.

        >>> printed_table([["0.3", "0.3", "0.3"]], digits=1).filled_row(0, (2, 0, 1))
        (Rational('7/20'), Rational('3/10'), Rational('7/20'))
        """
        row, upper = list(self.lower.row(i)), self.upper.row(i)
        left = 1 - sum(row, QQ.zero)
        for r in order:
            more = min(upper[r] - row[r], left)
            row[r] += more
            left -= more
        return tuple(row)

    def largest_sum(self, costs: Sequence[Sequence[Any]]) -> Any:
        """The largest Σ c_ir x_ir of the tables that print so, whose rows are independent.

        >>> str(printed_table([["0.3", "0.7"]], digits=1).largest_sum([[QQ(2), QQ(1)]]))
        '27/20'
        """
        total: Any = QQ.zero
        for i, cost in enumerate(costs):
            row = self.filled_row(i, sorted(range(self.n_outputs), key=cost.__getitem__, reverse=True))
            total += sum((c * x for c, x in zip(cost, row, strict=True)), QQ.zero)
        return total

    def summed(self, multipliers: Mapping[tuple[int, int, int], Any], powers: Mapping[tuple[int, int], Any]) -> list[list[Any]]:
        """The coefficients of Σ z_ijr (x_ir − power_ij·x_jr), rows by outputs."""
        costs: list[list[Any]] = [[QQ.zero] * self.n_outputs for _ in range(self.n_inputs)]
        for (i, j, r), z in multipliers.items():
            costs[i][r] += z
            costs[j][r] -= z * powers[i, j]
        return costs

    def entry_bounds(self) -> tuple[list[tuple[Rational, ...]], list[tuple[Rational, ...]]]:
        """The least and the largest value of every entry: :meth:`row_minimum` and maximum of one output.

        >>> [list(map(str, rows[0])) for rows in printed_table([["0.0", "1.0"]], digits=1).entry_bounds()]
        [['0', '19/20'], ['1/20', '1']]
        """
        least, largest = [], []
        for i in row_by_row(range(self.n_inputs), "intervals of rows", self.printed.shape):
            lower, upper = self.lower.row(i), self.upper.row(i)
            room, lack = 1 - sum(lower, QQ.zero), 1 - sum(upper, QQ.zero)
            largest.append(tuple(min(high, low + room) for low, high in zip(lower, upper, strict=True)))
            least.append(tuple(max(low, high + lack) for low, high in zip(lower, upper, strict=True)))
        return least, largest

    def contains(self, mechanism: Mechanism | Table) -> bool:
        """Whether the mechanism prints so: every entry is in its interval, and every row sums to 1."""
        if not isinstance(mechanism, (Mechanism, Table)):
            raise wrong_kind("mechanism", mechanism, "a Mechanism, or a Table that is one")
        other = mechanism.aligned(self.inputs, self.outputs)
        for i, row in enumerate(other.rows()):
            if sum(row, other.field.zero) != 1:
                return False
            ends = zip(self.lower.row(i), row, self.upper.row(i), strict=True)
            if not all(low <= x <= high for low, x, high in ends):
                return False
        return True

    def mechanism_of(self, rows: Sequence[Sequence[Rational]]) -> Mechanism:
        """The mechanism with these rows, and the labels of the table."""
        return Mechanism(ExactMatrix(rows, QQ), self.inputs, self.outputs)

    def member(self) -> Mechanism:
        """A mechanism that prints so: the printed numbers where rows sum to 1, else moved as little as asked.

        >>> printed_table([["0.3", "0.3", "0.3"], ["0.5", "0.5", "0.0"]], digits=1).member().matrix.row(0)
        (Rational('1/3'), Rational('1/3'), Rational('1/3'))
        """
        return self.mechanism_of([self._row_near(i) for i in range(self.n_inputs)])

    def middle(self) -> Mechanism:
        """The mechanism whose entries divide their intervals in one ratio, row by row.

        >>> printed_table([["0.0", "1.0"]], digits=1).middle().matrix.row(0)
        (Rational('1/40'), Rational('39/40'))
        """
        rows = []
        for i in range(self.n_inputs):
            lower, upper = self.lower.row(i), self.upper.row(i)
            room, width = 1 - sum(lower, QQ.zero), sum(upper, QQ.zero) - sum(lower, QQ.zero)
            share = room / width if width else QQ.zero
            rows.append(tuple(low + share * (high - low) for low, high in zip(lower, upper, strict=True)))
        return self.mechanism_of(rows)

    def _row_near(self, i: int) -> tuple[Rational, ...]:
        """The printed row moved towards its lower or upper ends, by one share of each interval."""
        lower, upper = self.lower.row(i), self.upper.row(i)
        row = [min(max(x, low), high) for x, low, high in zip(self.printed.row(i), lower, upper, strict=True)]
        missing = 1 - sum(row, QQ.zero)
        ends = upper if missing > 0 else lower
        room = sum((end - x for x, end in zip(row, ends, strict=True)), QQ.zero)
        share = missing / room if missing else QQ.zero
        return tuple(x + share * (end - x) for x, end in zip(row, ends, strict=True))

    def rounded_rows(self, rows: Sequence[Sequence[Rational]], digits: int) -> list[tuple[Rational, ...]]:
        """Rows of the set with so many digits, near those given, which stay where their ends allow no more.

        >>> table = printed_table([["0.3", "0.3", "0.3"]], digits=1)
        >>> list(map(str, table.rounded_rows([(QQ("1/3"),) * 3], 2)[0]))
        ['17/50', '33/100', '33/100']
        """
        return [self._rounded_row(i, row, 10**digits) for i, row in enumerate(rows)]

    def _rounded_row(self, i: int, row: Sequence[Rational], scale: int) -> tuple[Rational, ...]:
        lower, upper = self.lower.row(i), self.upper.row(i)
        rounded = [max(Rational(x.numerator * scale // x.denominator, scale), low) for x, low in zip(row, lower, strict=True)]
        left = 1 - sum(rounded, QQ.zero)
        for r, high in enumerate(upper):
            more = min(high - rounded[r], left)
            rounded[r] += max(more, QQ.zero)
            left -= max(more, QQ.zero)
        return tuple(rounded) if left == 0 else tuple(row)

    def aligned(self, inputs: Labels | None = None, outputs: Labels | None = None) -> PrintedTable:
        """The same with rows and columns in the order of these labels (:meth:`Mechanism.aligned`)."""
        there = order_of(inputs, self.inputs), order_of(outputs, self.outputs)
        if (self.inputs, self.outputs) == there:
            return self
        rows = places_in(self.inputs, there[0], got_what="the printed table's inputs", expected_what="the inputs asked about")
        columns = places_in(self.outputs, there[1], got_what="the printed table's outputs", expected_what="the outputs asked about")
        moved = [permuted(matrix, rows, columns) for matrix in (self.printed, self.lower, self.upper)]
        return PrintedTable(moved[0], moved[1], moved[2], *there, self.digits, self.notes, self.source)

    def relabelled(self, inputs: Iterable[Label] | None = None, outputs: Iterable[Label] | None = None) -> PrintedTable:
        """The same intervals with other labels, given by position."""
        rows = self.inputs if inputs is None else as_labels(inputs, self.n_inputs, what="input label")
        columns = self.outputs if outputs is None else as_labels(outputs, self.n_outputs, what="output label")
        return PrintedTable(self.printed, self.lower, self.upper, rows, columns, self.digits, self.notes)

    def noted(self, notes: Iterable[str]) -> PrintedTable:
        """The same with notes on how it was read.

        >>> printed_table([["0.3", "0.7"]], digits=1).noted(["the numbers in brackets are left aside"]).notes
        ('the numbers in brackets are left aside',)
        """
        return replace(self, notes=tuple(notes))

    def read_from(self, source: Source | None) -> PrintedTable:
        """The same with the file that it was read from (:meth:`Table.read_from`)."""
        return replace(self, source=source)

    def __str__(self) -> str:
        return grid_text(self.printed, self.inputs, self.outputs)


def printed_table(
    rows: Sequence[Sequence[Any]],
    inputs: Iterable[Label] | None = None,
    outputs: Iterable[Label] | None = None,
    *,
    digits: Digits,
) -> PrintedTable:
    """The table of cells that were printed with some digits after the decimal point.

    Parameters
    ----------
    rows : sequence of rows
        Decimals, as text; with ``digits="auto"`` also fractions, which are exact.
    inputs, outputs : labels, optional
        Of rows and columns; unlabelled unless given.
    digits : int or "auto"
        How many digits after the decimal point every entry was rounded to; or as many as each cell shows.

    Raises
    ------
    InputError
        A cell is no decimal, or shows more digits.
    NotStochasticError
        No distribution prints as a row.

    Examples
    --------
    >>> table = printed_table([["0.0001", "0.9999"], ["0.0002", "0.9998"]], digits=4)
    >>> [str(x) for x in (table.lower[0, 0], table.upper[0, 0])]
    ['1/20000', '3/20000']
    """
    told = as_digits(digits)
    if not isinstance(rows, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in rows):
        raise wrong_kind("table", rows, "a list of rows, each a list of decimals as text")
    cells = [[_interval(cell, told, i, r) for r, cell in enumerate(row)] for i, row in enumerate(rows)]
    return of_intervals(cells, inputs, outputs, told)


def of_intervals(
    cells: Sequence[Sequence[tuple[Rational, Rational, Rational]]],
    inputs: Iterable[Label] | None,
    outputs: Iterable[Label] | None,
    digits: Digits,
) -> PrintedTable:
    """The table of cells that :func:`interval_of` has read."""
    printed, lower, upper = (ExactMatrix([[cell[part] for cell in row] for row in cells], QQ) for part in range(3))
    labels = as_labels(inputs, printed.shape[0], what="input label"), as_labels(outputs, printed.shape[1], what="output label")
    return PrintedTable(printed, lower, upper, *labels, digits)


def _interval(cell: object, digits: Digits, row: int, column: int) -> tuple[Rational, Rational, Rational]:
    """:func:`interval_of` a cell; an error names its place."""
    try:
        if not isinstance(cell, (str, int, Rational)) or isinstance(cell, bool):
            raise wrong_kind("entry", cell, "the decimal as it was printed, as text")
        return interval_of(str(cell), digits)
    except InputError as error:
        message = f"row {row}, column {column}: {error.message}"
        raise type(error)(message, **{**error.facts, "row": row, "column": column}) from None
