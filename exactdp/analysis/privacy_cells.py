# SPDX-License-Identifier: MIT
"""The constraints of a mechanism on its neighbours, as sequences that make one when it is looked at.

Between all pairs of inputs there are n² constraints for each output, between the inputs of a path n. What is
asked of them is mostly how many there are, and the first few.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from typing import Any, overload

from exactdp.exact import ExponentialNumber, Rational
from exactdp.exact.ranking import Ranking, Within
from exactdp.model import Distance
from exactdp.model.metric import ONE
from exactdp.runtime.values import dataclass


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
    values : tuple of int
        The different entries, ascending, as integers in their order
        (:class:`~exactdp.exact.ranking.Ranking`).
    rows : tuple of tuple of int
        For each of the values the rows that have it, ascending.
    place : tuple of int
        For each row the number of its entry among the values.
    """

    values: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    place: tuple[int, ...]

    @classmethod
    def of(cls, entries: Sequence[int]) -> Column:
        """The column with these entries, from the first row on.

        >>> Column.of([3, 5, 3]).rows
        ((0, 2), (1,))
        """
        count = Counter(entries)
        values = tuple(sorted(count))
        number = {value: k for k, value in enumerate(values)}
        place = tuple(map(number.__getitem__, entries))
        # the rows in the order of their entries, each value's ascending
        order = iter(sorted(range(len(place)), key=place.__getitem__))
        return cls(values, tuple(tuple(islice(order, count[value])) for value in values), place)


def least_ratio(
    ranking: Ranking, columns: Iterable[Sequence[int]], told: Callable[[Any, int], object] | None = None
) -> tuple[Any, list[int]]:
    """The least ratio of two entries of a column, 0/0 left out, and the outputs that have it.

    None if all entries are 0.

    * ``ranking``: that of the table.
    * ``columns``: its columns, in order.
    * ``told``: is called with each ratio that is less than those before, and its output.

    >>> from exactdp import ExactMatrix
    >>> found = Ranking.of(ExactMatrix([["1/2", "1/2"], ["1/4", "3/4"]]))
    >>> least_ratio(found, found.columns())
    (Rational('1/2'), [0])
    """
    ratios: dict[tuple[int, int], Any] = {}
    best: Any = None
    outputs: list[int] = []
    for r, column in enumerate(columns):
        ends = min(column), max(column)
        if ends not in ratios:
            greatest = ranking.value(ends[1])
            ratios[ends] = ranking.value(ends[0]) / greatest if greatest else None
        ratio = ratios[ends]
        if ratio is None or (outputs and ratio is not best and ratio > best):
            continue
        if outputs and (ratio is best or ratio == best):
            outputs.append(r)
        else:
            best, outputs = ratio, [r]
            if told is not None:
                told(ratio, r)
    return best, outputs


def first_pair(column: Sequence[int], ratio: Any) -> tuple[int, int]:
    """The first pair of inputs, as (low, high), with the least ratio of a column.

    >>> first_pair([4, 2, 4, 2], Rational("1/2"))
    (1, 0)
    """
    if ratio:
        return column.index(min(column)), column.index(max(column))
    return column.index(0), next(i for i, x in enumerate(column) if x)  # 0 beside any other entry


Partners = tuple[range, ...]
"""For each value of a column, as the smaller entry, which values as the larger one make constraints with it.

Both ends of the ranges rise with the value, or stay.
"""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnCells(Sequence[Cell]):
    """Constraints between any two inputs, given by the values that they have: pair by pair, output by output.

    * ``columns``: the outputs that have such constraints, in order, each with its sorted column.
    * ``partners``: for each of them the pairs of values that make constraints.
    * ``value``: from the integer of an entry to its number.

    >>> x = Column.of([1, 3, 1])
    >>> cells = ColumnCells({0: x}, {0: (range(1, 2), range(2, 2))}, Rational)
    >>> len(cells), [(cell.low, cell.high, str(cell.ratio)) for cell in cells]
    (2, [(0, 1, '1/3'), (2, 1, '1/3')])
    """

    columns: Mapping[int, Column]
    partners: Mapping[int, Partners]
    value: Callable[[int], Any]

    def __len__(self) -> int:
        return sum(self._count(column, self.partners[r]) for r, column in self.columns.items())

    def __bool__(self) -> bool:
        return any(any(partners) for partners in self.partners.values())

    @staticmethod
    def _count(column: Column, partners: Partners) -> int:
        """How many constraints an output has: pairs of rows, by their values."""
        upto = list(accumulate(map(len, column.rows), initial=0))  # how many rows have one of the first values
        sizes = zip(column.rows, partners, strict=True)
        return sum(len(rows) * (upto[larger.stop] - upto[larger.start]) for rows, larger in sizes if larger)

    def __iter__(self) -> Iterator[Cell]:
        live = [r for r, partners in self.partners.items() if any(partners)]
        smaller = {r: _reversed(self.partners[r]) for r in live}
        height = len(self.columns[live[0]].place) if live else 0
        for i in range(height):
            yield from self._cells_from(i, live, smaller)

    def _cells_from(self, i: int, live: Sequence[int], smaller: Mapping[int, Partners]) -> Iterator[Cell]:
        """The constraints between a row and those after it."""
        found: list[tuple[int, int, bool]] = []
        for r in live:
            column, own = self.columns[r], self.columns[r].place[i]
            for values, is_low in ((self.partners[r][own], True), (smaller[r][own], False)):
                for k in values:
                    later = column.rows[k][bisect_right(column.rows[k], i) :]
                    found += [(j, r, is_low) for j in later]
        ratios: dict[tuple[int, int], Any] = {}
        for j, r, is_low in sorted(found):
            column = self.columns[r]
            low, high = (i, j) if is_low else (j, i)
            pair = column.values[column.place[low]], column.values[column.place[high]]
            if pair not in ratios:
                ratios[pair] = self.value(pair[0]) / self.value(pair[1])
            yield Cell(low, high, r, ratios[pair], ONE)

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


def beside_zero(column: Column) -> Partners:
    """The pairs of 0 and another value, where 0 is among the entries.

    >>> beside_zero(Column.of([0, 1, 3])), beside_zero(Column.of([1, 3]))
    ((range(1, 3), range(3, 3), range(3, 3)), (range(2, 2), range(2, 2)))
    """
    size = len(column.values)
    return tuple(range(size, size) if value else range(1, size) for value in column.values)


def extremes(column: Column) -> Partners:
    """The pair of the least and the greatest of the values, which are two or more.

    >>> extremes(Column.of([2, 1, 4]))
    (range(2, 3), range(3, 3), range(3, 3))
    """
    size = len(column.values)
    return (range(size - 1, size), *[range(size, size)] * (size - 1))


def attaining(column: Column, within: Within) -> Partners:
    """The pairs of values u = α·v, v > u > 0; u = 0 makes none.

    >>> attaining(Column.of([2, 1, 4]), lambda u: (2 * u, True))
    (range(1, 2), range(2, 3), range(3, 3))
    """
    values, size = column.values, len(column.values)
    partners: list[range] = []
    stop = 0
    for smaller in values:
        larger, equal = within(smaller)
        found = bisect_left(values, larger, stop)
        attained = equal and larger > smaller and found < size and values[found] == larger
        start, stop = (found, found + 1) if attained else (stop, stop)
        partners.append(range(start, stop))
    return tuple(partners)


def beyond(column: Column, within: Within) -> Partners:
    """The pairs of values u < v with u < α·v.

    >>> beyond(Column.of([0, 1, 3]), lambda u: (2 * u, True))
    (range(1, 3), range(2, 3), range(3, 3))
    """
    values, size = column.values, len(column.values)
    return tuple(range(bisect_right(values, within(smaller)[0]), size) for smaller in values)


def beyond_in_order(column: Column, keeps: Callable[[int, int], bool]) -> Partners:
    """The pairs of values u < v that do not keep a level; who has a larger u, or a smaller v, keeps it too.

    >>> beyond_in_order(Column.of([0, 1, 3]), lambda u, v: 2 * u >= v)
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
