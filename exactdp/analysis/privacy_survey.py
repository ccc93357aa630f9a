# SPDX-License-Identifier: MIT
"""All constraints of privacy: the least ratio of each distance, and which ones break or attain a level."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from exactdp.analysis.privacy_cells import (
    Cell,
    Column,
    ColumnCells,
    Partners,
    attaining,
    beside_zero,
    beyond,
    beyond_in_order,
    extremes,
    first_pair,
    least_ratio,
)
from exactdp.analysis.privacy_ratios import LeastRatio, RowLogarithms, least_of_rows
from exactdp.exact import QQ, ExponentialNumber, Rational, is_nonzero, same_formula
from exactdp.exact.ranking import Ranking
from exactdp.model import Distance, Graph, Mechanism, Neighbours, PrivacyLevel, Table, TightestLevel
from exactdp.model.metric import ONE
from exactdp.runtime.progress import Listener, counted_off


def _cells(
    rows: Sequence[Sequence[Any]], pairs: Iterable[tuple[int, int, Distance]], at_most: Callable[[Any, Any], bool]
) -> Iterator[Cell]:
    """Every constraint of the pairs that is not 0 ≥ 0, in the direction that can be violated: ratios ≤ 1."""
    for i, j, distance in pairs:
        for r, (x, y) in enumerate(zip(rows[i], rows[j], strict=True)):
            if at_most(x, y):
                if y > 0:
                    yield Cell(i, j, r, x / y, distance)
            else:
                yield Cell(j, i, r, y / x, distance)


def _nowhere_above(x: Any, y: Any) -> bool:
    """Whether a function of letters is above another one at no point."""
    return int((x - y).weak_sign()) <= 0


class Survey:
    """The constraints of a mechanism, the least ratio of each distance, and what breaks or attains a level.

    For one distance d, α^d ≤ ratio holds for all ratios from some number on. So few ratios are compared with
    the level itself: with α = 1/2 and d = 11/10 that is a comparison of large powers.
    """

    def __init__(self, level: PrivacyLevel | None, field: Any, *, apart: bool) -> None:
        self.level, self.one, self.apart = level, field.one, apart
        self.in_numbers = isinstance(self.one, Rational | ExponentialNumber)
        self.cells: list[Cell] = []
        self.least: dict[Distance, Cell] = {}
        self.violated: Sequence[Cell] = ()
        self.tight: Sequence[Cell] = ()
        self._kept: dict[Distance, Any] = {}
        self._broken: dict[Distance, Any] = {}

    def look_at(self, mechanism: Mechanism | Table, neighbours: Neighbours, progress: Listener | None) -> None:
        """Take up the constraints."""
        distance: Distance | None = None
        best: Cell | None = None
        rows, at_most = list(mechanism.matrix.rows()), operator.le if self.in_numbers else _nowhere_above
        for cell in _cells(rows, counted_off(neighbours.pairs(), progress, "constraints", "pairs"), at_most):
            self.cells.append(cell)
            if cell.distance is not distance:
                distance, best = cell.distance, self.least.get(cell.distance)
            if best is None or self._is_less(cell.ratio, best.ratio):
                best = self.least[cell.distance] = cell

    def _is_less(self, ratio: Any, other: Any) -> bool:
        """Whether a ratio is less than another; of functions of letters, nowhere more."""
        return bool(ratio < other) if self.in_numbers else (ratio - other).weak_sign() < 0

    def keeps_level(self, cell: Cell) -> bool:
        """Whether a constraint holds at the level asked about."""
        assert self.level is not None
        if not self.in_numbers or not isinstance(self.level.alpha, Rational | ExponentialNumber):
            return self._is_kept(cell, self.level)
        kept, broken = self._kept.get(cell.distance), self._broken.get(cell.distance)
        if kept is not None and cell.ratio >= kept:
            return True
        if broken is not None and cell.ratio <= broken:
            return False
        holds = self._is_kept(cell, self.level)
        (self._kept if holds else self._broken)[cell.distance] = cell.ratio
        return holds

    def _is_kept(self, cell: Cell, level: PrivacyLevel) -> bool:
        """Whether ratio ≥ α^d, asked of the two as numbers where they have no common field."""
        if self.apart:
            return _level_of(cell).compare(level) >= 0
        return level.at_least(cell.ratio, self.one, cell.distance)

    def find_violated(self, progress: Listener | None) -> None:
        """The constraints that break the level asked about."""
        if self.level is None:
            return
        self.violated = violated = []  # when the time is up, what was found stays
        for cell in counted_off(self.cells, progress, "which are violated", "constraints", every=1000):
            if not self.keeps_level(cell):
                violated.append(cell)

    def find_tight(self, tightest: TightestLevel, progress: Listener | None) -> None:
        """The constraints whose own level is the one asked about, or the tightest one."""
        asked = tightest if self.level is None else self.level
        of_numbers = self.in_numbers and isinstance(asked.as_tightest().ratio, Rational | ExponentialNumber)
        at = self._tight_ratios(asked) if of_numbers else {}
        self.tight = tight = []
        for cell in counted_off(self.cells, progress, "which are tight", "constraints", every=1000):
            if of_numbers:
                ratio = at.get(cell.distance)
                attains = ratio is not None and bool(cell.ratio == ratio)
            else:
                attains = self._attains(cell, asked)
            if attains:
                tight.append(cell)

    def _tight_ratios(self, asked: PrivacyLevel | TightestLevel) -> dict[Distance, Any]:
        """For each distance the ratio of numbers that is tight, if one is: the least that keeps the level."""
        least = {d: cell.ratio for d, cell in self.least.items()} if self.level is None else self._kept
        return {d: ratio for d, ratio in least.items() if ratio != 1 and TightestLevel(ratio, d) == asked}

    def _attains(self, cell: Cell, asked: PrivacyLevel | TightestLevel) -> bool:
        """Whether a constraint is tight; of numbers the ratio of each distance that is was found before."""
        if self.level is None:
            return bool(cell.ratio != 1 and _level_of(cell) == asked)
        return bool(cell.ratio and _level_of(cell) == asked)


class ColumnSurvey(Survey):
    """The constraints of a mechanism of numbers between any two of its inputs, column by column.

    The least ratio of a column is its least entry over its greatest: n² constraints are 2n comparisons. Which
    of them break or attain a level depends on the values that a column has, in order. Entries are compared as
    integers in the same order.
    """

    def look_at(self, mechanism: Mechanism | Table, neighbours: Neighbours, progress: Listener | None) -> None:
        """The least entry of each column beside the greatest."""
        self.ranking = Ranking.of(mechanism.matrix)
        self.entries = self.ranking.columns()

        def less(ratio: Any, r: int) -> None:
            self.least = {ONE: Cell(*first_pair(self.entries[r], ratio), r, ratio, ONE)}

        ratio, self.least_in = least_ratio(self.ranking, counted_off(self.entries, progress, "constraints", "outputs"), less)
        if ratio is not None and ratio != 1:  # of the constraints with this ratio, the first pair of inputs is told
            less(ratio, min(self.least_in, key=lambda r: (*sorted(first_pair(self.entries[r], ratio)), r)))

    def find_violated(self, progress: Listener | None) -> None:
        """The constraints that break the level asked about; none if the least ratio keeps it."""
        if self.level is None or all(map(self.keeps_level, self.least.values())):
            return
        columns = {r: Column.of(x) for r, x in enumerate(counted_off(self.entries, progress, "the values of outputs", "outputs"))}
        if self.apart:
            partners = {r: beyond_in_order(column, self._keeps) for r, column in columns.items()}
        else:
            within = self.ranking.within(self.level.alpha)
            partners = {r: beyond(column, within) for r, column in columns.items()}
            self.tight = self._cells(columns, {r: attaining(column, within) for r, column in columns.items()})
        self.violated = self._cells(columns, partners)

    def _keeps(self, smaller: int, larger: int) -> bool:
        """Whether two entries of a column keep the level asked about."""
        return self.keeps_level(Cell(0, 0, 0, self.ranking.value(smaller) / self.ranking.value(larger), ONE))

    def find_tight(self, tightest: TightestLevel, progress: Listener | None) -> None:
        """The constraints whose own level is the one asked about, or the tightest one."""
        if self.tight:
            return
        at = self._tight_ratios(tightest if self.level is None else self.level)
        if ONE not in at:
            return
        ratio, least = at[ONE], self.least[ONE].ratio
        if ratio is least or ratio == least:
            columns = {r: Column.of(self.entries[r]) for r in self.least_in}
            with_least = extremes if ratio else beside_zero
            self.tight = self._cells(columns, {r: with_least(column) for r, column in columns.items()})
        else:  # above the least one
            columns = {r: Column.of(column) for r, column in enumerate(self.entries)}
            within = self.ranking.within(ratio)
            self.tight = self._cells(columns, {r: attaining(column, within) for r, column in columns.items()})

    def _cells(self, columns: Mapping[int, Column], partners: Mapping[int, Partners]) -> Sequence[Cell]:
        return ColumnCells(columns, partners, self.ranking.value)


MANY, PAIRS, LONG = 2**19, 10, 2048
"""Logarithms are compared first of so many entries with so many pairs for each row, or of so many bits."""

_NOT_KNOWN = 0, 0, 0, 0
"""Two ratios of which neither is known."""


class IntegerSurvey(Survey):
    """The constraints of a mechanism of rational numbers: entries are compared as integers.

    A constraint is made only where one of its distance breaks or attains a level. So a power α^d is compared
    once for each distance where the least ratio keeps the level.
    """

    def look_at(self, mechanism: Mechanism | Table, neighbours: Neighbours, progress: Listener | None) -> None:
        """The first constraint with the least ratio of each distance."""
        _, self.rows = mechanism.matrix.integer_rows()
        self.pairs = neighbours.pairs()
        many = len(self.pairs) * len(self.rows[0]) >= MANY
        dense = len(self.pairs) >= PAIRS * len(self.rows)  # elsewhere logarithms take longer
        long = max(x.bit_length() for row in self.rows for x in row) >= LONG
        logarithms = RowLogarithms(self.rows, many=many) if long or (many and dense) else None
        self.distances = {id(d): d for _, _, d in self.pairs}  # a distance takes long to hash
        number: dict[Distance, int] = {}
        number_of = {name: number.setdefault(d, len(number)) for name, d in self.distances.items()}
        best: dict[int, LeastRatio] = {}
        for i, group in groupby(counted_off(self.pairs, progress, "constraints", "pairs"), itemgetter(0)):
            pairs = list(group)
            apart = [0] * len(pairs) if logarithms is None else logarithms.apart(i, [j for _, j, _ in pairs])
            for (_, j, distance), gap in zip(pairs, apart, strict=True):
                found = best.get(number_of[id(distance)])
                if logarithms is not None:
                    less = logarithms.least_ratio(i, j, gap, found)
                else:
                    less = least_of_rows(self.rows[i], self.rows[j], found)
                if less is not found and less is not None:
                    best[number_of[id(distance)]] = less
                    low, high = (j, i) if less.swapped else (i, j)
                    self.least[distance] = Cell(low, high, less.output, Rational(less.smaller, less.larger), distance)

    def find_violated(self, progress: Listener | None) -> None:
        """The constraints that break the level asked about: of distances whose least ratio does."""
        if self.level is None:
            return
        broken = {cell.distance for cell in self.least.values() if not self.keeps_level(cell)}
        self.violated = violated = []
        last: Distance | None = None
        p, q, u, v = _NOT_KNOWN  # p/q keeps the level, and u/v breaks it, if they are known
        for low, high, r, x, y, distance in self._entries_at(broken, progress, "which are violated"):
            if distance is not last:
                last, (p, q, u, v) = distance, self._known_ratios(distance)
            if q and x * q >= p * y:
                continue
            cell = Cell(low, high, r, Rational(x, y), distance)
            if v and x * v <= u * y:
                violated.append(cell)
                continue
            if not self.keeps_level(cell):
                violated.append(cell)
            p, q, u, v = self._known_ratios(distance)

    def _known_ratios(self, distance: Distance) -> tuple[int, int, int, int]:
        """The numerators and denominators of the ratios that are known to keep and to break a level."""
        kept, broken = self._kept.get(distance), self._broken.get(distance)
        p, q, u, v = _NOT_KNOWN
        if kept is not None:
            p, q = kept.numerator, kept.denominator
        if broken is not None:
            u, v = broken.numerator, broken.denominator
        return p, q, u, v

    def find_tight(self, tightest: TightestLevel, progress: Listener | None) -> None:
        """The constraints whose own level is the one asked about, or the tightest one."""
        at = self._tight_ratios(tightest if self.level is None else self.level)
        parts = {distance: (ratio.numerator, ratio.denominator) for distance, ratio in at.items()}
        self.tight = tight = []
        for low, high, r, x, y, distance in self._entries_at(at, progress, "which are tight"):
            numerator, denominator = parts[distance]
            if x * denominator == numerator * y:
                tight.append(Cell(low, high, r, Rational(x, y), distance))

    def _entries_at(
        self, distances: Collection[Distance], progress: Listener | None, what: str
    ) -> Iterator[tuple[int, int, int, int, int, Distance]]:
        """Of each constraint with one of these distances but 0 ≥ 0, in the direction that can be violated:
        the rows with the smaller and the larger entry, the output, both entries as integers, the distance.
        """
        wanted = {name for name, distance in self.distances.items() if distance in distances}
        pairs = [pair for pair in self.pairs if id(pair[2]) in wanted]
        for i, j, distance in counted_off(pairs, progress, what, "pairs"):
            for r, (x, y) in enumerate(zip(self.rows[i], self.rows[j], strict=True)):
                if x <= y:
                    if y:
                        yield i, j, r, x, y, distance
                else:
                    yield j, i, r, y, x, distance


def survey_of(mechanism: Mechanism | Table, neighbours: Neighbours, level: PrivacyLevel | None, *, apart: bool) -> Survey:
    """How constraints are gone through: column by column for numbers and where all pairs are constrained."""
    in_numbers = isinstance(mechanism.field.one, Rational | ExponentialNumber)
    level_in_numbers = level is None or isinstance(level.alpha, Rational | ExponentialNumber)
    all_pairs = isinstance(neighbours, Graph) and neighbours.is_complete
    kind = ColumnSurvey if in_numbers and level_in_numbers and all_pairs else Survey
    if kind is Survey and mechanism.field is QQ and level_in_numbers:
        kind = IntegerSurvey
    return kind(level, mechanism.field, apart=apart)


def _level_of(cell: Cell) -> TightestLevel:
    """The largest level that one constraint allows."""
    return TightestLevel(cell.ratio, cell.distance)


def least_of(least: dict[Distance, Cell]) -> tuple[Cell | None, TightestLevel]:
    """The least ratio^(1/d) and a cell that has it, of the cells with the least ratio for each distance."""
    attained: Cell | None = None
    for cell in least.values():
        if attained is None or _level_of(cell).compare(_level_of(attained)) < 0:
            attained = cell
    if attained is None or same_formula(attained.ratio, 1):
        return None, TightestLevel(Rational(1), ONE)
    return attained, TightestLevel(attained.ratio, attained.distance if is_nonzero(attained.ratio) else ONE)
