# SPDX-License-Identifier: MIT
"""The constraints of a mechanism on its neighbours, as sequences that make one when it is looked at.

Between all pairs of inputs there are n² constraints for each output, between the inputs of a path n. What is
asked of them is mostly how many there are, and the first few.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any, overload

from exactdp.exact import ExponentialNumber, Rational
from exactdp.model import Distance
from exactdp.model.metric import ONE


@dataclass(frozen=True, slots=True)
class Cell:
    """One privacy constraint: x_low,r against α^d · x_high,r.

    ``low``, ``high`` and ``output`` are indices; ``ratio`` is x_low,r / x_high,r, at most 1.
    """

    low: int
    high: int
    output: int
    ratio: Any
    distance: Distance


@dataclass(frozen=True, slots=True)
class PathCells(Sequence[Cell]):
    """All constraints of a mechanism α^|i+k−j|·z_j on a path: pair by pair, output by output.

    There are millions of them for a thousand inputs, all with the ratio α; one is made when it is looked at.

    >>> cells = PathCells(3, Rational("1/2"), 3)
    >>> len(cells), [(cell.low, cell.high) for cell in cells]
    (6, [(1, 0), (0, 1), (0, 1), (2, 1), (2, 1), (1, 2)])
    """

    inputs: int
    alpha: Rational | ExponentialNumber
    outputs: int
    before: int = 0

    def __len__(self) -> int:
        return (self.inputs - 1) * self.outputs

    @overload
    def __getitem__(self, k: int) -> Cell: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[Cell, ...]: ...

    def __getitem__(self, k: int | slice) -> Cell | tuple[Cell, ...]:
        places = range(len(self))[k]
        return tuple(map(self._cell, places)) if isinstance(places, range) else self._cell(places)

    def _cell(self, k: int) -> Cell:
        i, r = divmod(k, self.outputs)
        low, high = (i, i + 1) if r > i + self.before else (i + 1, i)  # the farther one from the output
        return Cell(low, high, r, self.alpha, ONE)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PathCells):
            mine, its = ((c.inputs, c.alpha, c.outputs, c.before) for c in (self, other))
            return mine == its
        return tuple(self) == tuple(other) if isinstance(other, (tuple, ColumnCells)) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a mechanism, sorted.

    Attributes
    ----------
    values : tuple of Scalar
        The different entries, ascending.
    rows : tuple of tuple of int
        For each of the values the rows that have it, ascending.
    place : tuple of int
        For each row the number of its entry among the values.
    """

    values: tuple[Any, ...]
    rows: tuple[tuple[int, ...], ...]
    place: tuple[int, ...]

    @classmethod
    def of(cls, entries: Sequence[Any]) -> Column:
        """The column with these entries, from the first row on."""
        rows_of: dict[Any, list[int]] = {}
        for row, entry in enumerate(entries):
            rows_of.setdefault(entry, []).append(row)
        values = tuple(sorted(rows_of))
        number = {value: k for k, value in enumerate(values)}
        return cls(values, tuple(tuple(rows_of[value]) for value in values), tuple(number[entry] for entry in entries))


Partners = tuple[range, ...]
"""For each value of a column, as the smaller entry, which values as the larger one make constraints with it.

Both ends of the ranges rise with the value, or stay.
"""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnCells(Sequence[Cell]):
    """Constraints between any two inputs, given by the values that they have: pair by pair, output by output.

    Parameters
    ----------
    columns : sequence of Column
        The sorted columns of the mechanism.
    partners : sequence of tuple of range
        For each column the pairs of values that make constraints.

    Examples
    --------
    >>> x = [Rational("1/4"), Rational("3/4"), Rational("1/4")]
    >>> cells = ColumnCells([Column.of(x)], [(range(1, 2), range(2, 2))])
    >>> len(cells), [(cell.low, cell.high, str(cell.ratio)) for cell in cells]
    (2, [(0, 1, '1/3'), (2, 1, '1/3')])
    """

    columns: Sequence[Column]
    partners: Sequence[Partners]

    def __len__(self) -> int:
        return sum(map(self._count, self.columns, self.partners))

    def __bool__(self) -> bool:
        return any(any(partners) for partners in self.partners)

    @staticmethod
    def _count(column: Column, partners: Partners) -> int:
        """How many constraints an output has: pairs of rows, by their values."""
        upto = list(accumulate(map(len, column.rows), initial=0))  # how many rows have one of the first values
        sizes = zip(column.rows, partners, strict=True)
        return sum(len(rows) * (upto[larger.stop] - upto[larger.start]) for rows, larger in sizes if larger)

    def __iter__(self) -> Iterator[Cell]:
        smaller = [_reversed(partners) for partners in self.partners]
        live = [r for r, partners in enumerate(self.partners) if any(partners)]
        for i in range(len(self.columns[0].place)):
            yield from self._cells_from(i, live, smaller)

    def _cells_from(self, i: int, live: Sequence[int], smaller: Sequence[Partners]) -> Iterator[Cell]:
        """The constraints between a row and those after it."""
        found: list[tuple[int, int, bool]] = []
        for r in live:
            column, own = self.columns[r], self.columns[r].place[i]
            for values, is_low in ((self.partners[r][own], True), (smaller[r][own], False)):
                for k in values:
                    later = column.rows[k][bisect_right(column.rows[k], i) :]
                    found += [(j, r, is_low) for j in later]
        for j, r, is_low in sorted(found):
            column = self.columns[r]
            low, high = (i, j) if is_low else (j, i)
            yield Cell(low, high, r, column.values[column.place[low]] / column.values[column.place[high]], ONE)

    @overload
    def __getitem__(self, k: int) -> Cell: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[Cell, ...]: ...

    def __getitem__(self, k: int | slice) -> Cell | tuple[Cell, ...]:
        places = range(len(self))[k]
        if isinstance(places, int):
            return next(islice(self, places, None))
        if places.step > 0:
            return tuple(islice(self, places.start, places.stop, places.step))
        return tuple(self)[k]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, (tuple, ColumnCells, PathCells)) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))


def _reversed(partners: Partners) -> Partners:
    """For each value, as the larger entry, which values as the smaller one make constraints with it.

    >>> _reversed((range(1, 3), range(2, 3), range(3, 3)))
    (range(0, 0), range(0, 1), range(0, 2))
    """
    starts = [larger.start for larger in partners]
    stops = [larger.stop for larger in partners]
    return tuple(range(bisect_right(stops, one), bisect_right(starts, one)) for one in range(len(partners)))


def with_ratio(column: Column, ratio: Any) -> Partners:
    """The pairs of values u ≤ v, v > 0, with u = ratio · v, where ratio < 1.

    >>> with_ratio(Column.of([Rational("1/2"), Rational("1/4"), Rational(1)]), Rational("1/2"))
    (range(1, 2), range(2, 3), range(3, 3))
    """
    size = len(column.values)
    if not ratio:  # 0 beside every other entry
        return tuple(range(1, size) if not smaller else range(size, size) for smaller in column.values)
    number = {value: k for k, value in enumerate(column.values)}
    partners: list[range] = []
    stop = 0
    for smaller in column.values:
        found = number.get(smaller / ratio) if smaller else None
        start = stop if found is None else found
        stop = stop if found is None else found + 1
        partners.append(range(start, stop))
    return tuple(partners)


def beyond(column: Column, keeps: Callable[[Any, Any], bool]) -> Partners:
    """The pairs of values u < v that do not keep a level; who has a larger u, or a smaller v, keeps it too.

    >>> beyond(Column.of([Rational(0), Rational(1), Rational(3)]), lambda u, v: 2 * u >= v)
    (range(1, 3), range(2, 3), range(3, 3))
    """
    values, size = column.values, len(column.values)
    partners: list[range] = []
    start = 0
    for k, smaller in enumerate(values):
        start = max(start, k + 1)
        while start < size and keeps(smaller, values[start]):
            start += 1
        partners.append(range(start, size))
    return tuple(partners)
