# SPDX-License-Identifier: MIT
"""What is asked of two rows of a table of numbers, by integers: a hockey-stick divergence, a least quotient.

For each pair of rows a bound of the divergence is computed in integers. The exact one is computed for the
pairs whose bound is above the largest one found so far. Among outputs integers find the least quotient
x_ir/x_jr, and exact numbers where enclosures of two of them overlap.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cmp_to_key
from typing import Any, NamedTuple

from exactdp.exact import ExactMatrix, ExponentialNumber, Rational
from exactdp.exact.ranking import BITS, Ranking, integers_around

MANY = 16
"""Neighbours of one input, from which on the bounds for all of them are computed at once."""

LARGE = 200_000
"""From so many entries of pairs of rows on they are looked at with machine integers."""

VERY_LARGE = 4_000_000
"""Up to so many, entries that are mostly different are looked at with long integers, without numpy."""

WORD = 62
"""Bits of sums that are computed with machine integers."""

Terms = tuple[tuple[int, int], ...]
"""Pairs of entries of two rows, as integers."""


def are_numbers(*things: Any) -> bool:
    """Whether scalars, matrices or other things with a field are of ℚ or ℚ(e^(−ε), …).

    >>> are_numbers(Rational(1)), are_numbers(ExactMatrix([["1/2"]]))
    (True, True)
    """
    return all(isinstance(thing.field.one, Rational | ExponentialNumber) for thing in things)


class Lanes:
    """Rows u and v of integers of 62 bits at most, each row in one long integer.

    An entry is a lane of 64 bits. So one subtraction is that of all entries of two rows.

    >>> Lanes([[5, 1]], [[2, 3]]).sum_of_excesses(0, 0)
    3
    """

    def __init__(self, above: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> None:
        self._above, self._below = [[_in_lanes(row) for row in rows] for rows in (above, below)]
        self._highest = _in_lanes([1 << 63] * len(above[0]))

    def sum_of_excesses(self, i: int, j: int) -> int:
        """Σ_r max(0, u_ir − v_jr), of which it is known that it has 62 bits at most."""
        highest = self._highest
        differences = (self._above[i] | highest) - self._below[j]  # 2^63 + u − v > 0: no lane borrows
        positive = differences & highest
        kept = differences & (positive - (positive >> 63))  # u − v where that is not negative
        return kept % LANES_SUMMED


def _in_lanes(row: Sequence[int]) -> int:
    return int.from_bytes(array("Q", row).tobytes(), sys.byteorder)


LANES_SUMMED = 2**64 - 1
"""The remainder of a long integer by it is that of the sum of its lanes."""


class Divergences:
    """Σ_r max(0, x_ir − x_jr/α) for pairs of rows of a table with entries ≥ 0.

    * ``matrix``: of numbers.
    * ``alpha``: 0 < α ≤ 1, rational or of its field.
    * ``near``: for each input those that it is compared with.

    >>> found = Divergences(ExactMatrix([["1/2", "1/2"], ["1/8", "7/8"]]), Rational("1/2"), {0: [1], 1: [0]})
    >>> found.outputs(0, 1), found.is_above(0, 1), found.raised(Rational("1/4"), 0, 1), found.is_above(0, 1)
    ((0,), True, None, False)
    """

    def __init__(self, matrix: ExactMatrix, alpha: Any, near: Mapping[int, Sequence[int]]) -> None:
        self._near = near
        ranking = Ranking.of(matrix)
        values = sorted({x for row in ranking.rows for x in row})
        place = {x: k for k, x in enumerate(values)}
        self._rows = [[place[x] for x in row] for row in ranking.rows]
        self._ranking, self._values, self._field = ranking, values, matrix.field
        # By the place of x_jr, the last place of an x_ir with α·x_ir ≤ x_jr.
        within = ranking.within(alpha)
        self._last = [bisect_right(values, within(x)[0]) - 1 for x in values]
        self._bound([ranking.around(x) for x in values], alpha, matrix.shape[1])
        size = sum(map(len, near.values())) * matrix.shape[1]
        different = 2 * len(values) >= matrix.shape[0] * matrix.shape[1]
        self._lanes = self._as_lanes() if different and LARGE <= size < VERY_LARGE else None
        self._arrays = self._machine_integers() if size >= LARGE and self._lanes is None else None
        self._together: dict[int, dict[int, int]] = {}
        self._named: dict[int, dict[int, Hashable]] = {}
        self._largest = 0
        self._attained: set[Hashable] = set()

    def _bound(self, around: Sequence[tuple[int, int]], alpha: Any, width: int) -> None:
        """By the place of x integers at least 2^bits·x; and at most 2^bits·x/α, or the largest of these."""
        largest = max(high for _, high in around)
        self._shift = max(0, (largest * width).bit_length() - WORD)
        least_factor, _ = integers_around(1 / alpha)
        self._above = [-(-high >> self._shift) for _, high in around]
        most = max(self._above)
        self._below = [min(most, low * least_factor >> BITS + self._shift) for low, _ in around]

    def _as_lanes(self) -> Lanes:
        """The two integers at the places of each row."""
        above, below = self._above, [max(0, x) for x in self._below]
        return Lanes([[above[x] for x in row] for row in self._rows], [[below[x] for x in row] for row in self._rows])

    def _machine_integers(self) -> tuple[Any, Any, Any, Any]:
        """Arrays of places, and of the last places and the two integers at these."""
        import numpy  # loaded for large tables only

        rows = numpy.array(self._rows, dtype=numpy.int64)
        last = numpy.array(self._last, dtype=numpy.int64)[rows]
        above, below = (numpy.array(integers, dtype=numpy.int64)[rows] for integers in (self._above, self._below))
        return rows, last, above, below

    def _at_most(self, i: int, j: int) -> int:
        """An integer that is at least 2^bits times the divergence."""
        if self._lanes is not None:
            return self._lanes.sum_of_excesses(i, j)
        if self._arrays is None or len(self._near[i]) < MANY:
            pairs, last, above, below = zip(self._rows[i], self._rows[j], strict=True), self._last, self._above, self._below
            return sum(above[x] - below[y] for x, y in pairs if x > last[y])
        if i not in self._together:
            self._look_at_row(i)
        return self._together[i][j]

    def _look_at_row(self, i: int) -> None:
        """The same for a row and all its neighbours, with the terms of those that may be above it all."""
        assert self._arrays is not None
        rows, last, above, below = self._arrays
        others = self._near[i]
        counts = rows[i] > last[others]
        bounds = ((above[i] - below[others]) * counts).sum(axis=1)
        self._together[i] = dict(zip(others, bounds.tolist(), strict=True))
        chosen = (bounds > self._largest).nonzero()[0]
        self._named[i] = dict(zip((others[k] for k in chosen), self._names(i, [others[k] for k in chosen]), strict=True))

    def _names(self, i: int, others: Sequence[int]) -> list[bytes]:
        """The same as :meth:`_terms` in bytes, for a row and each of some others."""
        assert self._arrays is not None
        rows, last, _, _ = self._arrays
        counts = rows[i] > last[others]
        some = counts.any(axis=0)
        terms = (rows[i] * (len(self._values) + 1) + rows[others] + 1)[:, some] * counts[:, some]
        terms.sort(axis=1)  # the terms that do not count are 0, and come first
        sizes = (terms > 0).sum(axis=1)
        return [line[len(line) - size :].tobytes() for line, size in zip(terms, sizes.tolist(), strict=True)]

    def outputs(self, i: int, j: int) -> tuple[int, ...]:
        """The outputs r with α·x_ir > x_jr."""
        last = self._last
        return tuple(r for r, (x, y) in enumerate(zip(self._rows[i], self._rows[j], strict=True)) if x > last[y])

    def probabilities(self, i: int, j: int) -> tuple[Any, Any]:
        """The sums of x_ir and of x_jr over these outputs."""
        terms = self._terms(i, j)
        return self._sum(x for x, _ in terms), self._sum(y for _, y in terms)

    def _sum(self, places: Iterable[int]) -> Any:
        one, value, values = self._field.one, self._ranking.value, self._values
        return self._field.dot((value(values[x]) * count, one) for x, count in Counter(places).items())

    def is_above(self, i: int, j: int) -> bool:
        """Whether the divergence may be above 0 and all that :meth:`raised` was told."""
        return self._at_most(i, j) > self._largest and self.terms(i, j) not in self._attained

    def terms(self, i: int, j: int) -> Hashable:
        """What stands for the values whose differences are summed: where it is equal, they are equal."""
        if self._arrays is None:
            return self._terms(i, j)
        known = self._named.get(i)
        return known[j] if known is not None and j in known else self._names(i, [j])[0]

    def _terms(self, i: int, j: int) -> Terms:
        """The pairs of places whose differences are summed."""
        last = self._last
        return tuple(sorted((x, y) for x, y in zip(self._rows[i], self._rows[j], strict=True) if x > last[y]))

    def raised(self, divergence: Any, i: int, j: int) -> None:
        """Note the divergence of a pair, which is not above the largest one, or is the largest one now."""
        self._attained.add(self.terms(i, j))
        self._largest = max(self._largest, integers_around(divergence)[0] >> self._shift)


class PairLevels:
    """The level that δ > 0 leaves to a pair of rows: the least P(E|j)/(P(E|i) − δ) of events with P(E|i) > δ.

    Among the events {r : x_ir/x_jr is among the k largest} one has it. Where a table has few values, of pairs
    of rows with the same pairs of entries only the first is gone through.

    * ``matrix``: over ℚ.
    * ``delta``: 0 < δ ≤ 1.

    >>> found = PairLevels(ExactMatrix([["1/2", "1/2"], ["1/8", "7/8"]]), Rational("1/4"))
    >>> found.below_the_least(0, 1), found.below_the_least(1, 0)
    ((Rational('1/2'), (0,)), None)
    """

    def __init__(self, matrix: ExactMatrix, delta: Rational) -> None:
        self._denominator, self._rows = matrix.integer_rows()
        self._delta = delta
        # Two quotients y/x with x ≤ X are equal or differ by 1/X² at least: ⌊y·2^shift/x⌋ orders them.
        self._shift = 2 * max(map(max, self._rows)).bit_length()
        values = {x for row in self._rows for x in row}
        self._few = MANY * len(values) <= len(self._rows) * len(self._rows[0])
        self._seen: set[Terms] = set()
        self._least: tuple[int, int] | None = None

    def below_the_least(self, i: int, j: int) -> tuple[Rational, tuple[int, ...]] | None:
        """The level and the outputs of its first event, if it is less than all that were found before."""
        x, y = self._rows[i], self._rows[j]
        if self._few:
            terms = tuple(sorted(zip(x, y, strict=True)))
            if terms in self._seen:
                return None
            self._seen.add(terms)
        shift = self._shift
        order = sorted((r for r, a in enumerate(x) if a), key=lambda r: (y[r] << shift) // x[r])
        infinite = sum(not y[r] for r in order)
        p, q = self._delta.numerator, self._delta.denominator
        likely = unlikely = 0
        missing = p * self._denominator
        best, size = self._least, 0
        for k, r in enumerate(order, 1):
            likely, unlikely = likely + x[r], unlikely + y[r]
            if k < infinite:  # outputs that j never has enter together
                continue
            room = q * likely - missing
            if room > 0 and (best is None or q * unlikely * best[1] < best[0] * room):
                best, size = (q * unlikely, room), k
        if not size or best is None:
            return None
        self._least = best
        return Rational(*best), tuple(sorted(order[:size]))


class PairLevel(NamedTuple):
    """The level P(E|j)/(P(E|i) − δ) of an event of ``size`` outputs."""

    level: Any
    size: int
    likely: Any
    unlikely: Any


class EnclosedPairLevels:
    """The same as :class:`PairLevels` for any table of numbers and any number δ > 0, by enclosures.

    Integers around the entries tell which events cannot have the least level. Those that remain are computed
    exactly: one, unless several levels are equal or lie closer together than the enclosures tell.

    * ``matrix``: of numbers ≥ 0.
    * ``delta``: 0 < δ ≤ 1, a number.

    >>> matrix = ExactMatrix([["1/2", "1/2"], ["1/8", "7/8"]])
    >>> found = EnclosedPairLevels(matrix, Rational("1/4"))
    >>> found.below_the_least(0, 1), found.below_the_least(1, 0), found.of(1, 0)[1]
    ((Rational('1/2'), (0,)), None, (1,))
    """

    def __init__(self, matrix: ExactMatrix, delta: Any) -> None:
        ranking = Ranking.of(matrix)
        self._rows, self._delta, self._zero = ranking.rows, delta, matrix.field.zero
        entries = {x for row in ranking.rows for x in row}
        self._values = {x: ranking.value(x) for x in entries}
        self._positive = {x for x in entries if self._values[x] > 0}
        self._around = {x: _not_negative(ranking.around(x)) for x in entries}
        self._delta_around = integers_around(delta)
        self._few = MANY * len(entries) <= len(ranking.rows) * len(ranking.rows[0])
        self._seen: set[Terms] = set()
        self._ranks: dict[Terms, dict[tuple[int, int], int]] = {}
        self._of_sequence: dict[Terms, PairLevel | None] = {}
        self._least: Any = None
        self._at_least_least: tuple[int, int] | None = None

    def below_the_least(self, i: int, j: int) -> tuple[Any, tuple[int, ...]] | None:
        """The level and the outputs of its first event, if it is less than all that were found before."""
        if self._few:
            same = tuple(sorted(zip(self._rows[i], self._rows[j], strict=True)))
            if same in self._seen:
                return None
            self._seen.add(same)
        terms, outputs = self._terms(i, j)
        ranks = self._ranked({terms[r] for r in outputs})
        order = sorted(outputs, key=lambda r: ranks[terms[r]])
        found = self._first_least([terms[r] for r in order], self._at_least_least)
        if found is None or not (self._least is None or found.level < self._least):
            return None
        self._least = found.level
        self._at_least_least = integers_around(found.level)[1], 1 << BITS
        return found.level, tuple(sorted(order[: found.size]))

    def of(self, i: int, j: int) -> tuple[PairLevel, tuple[int, ...]] | None:
        """The level of a pair and the outputs of its first event; None if no event has P(E|i) > δ."""
        terms, outputs = self._terms(i, j)
        same = tuple(sorted(terms[r] for r in outputs)) if self._few else ()
        ranks = self._ranks[same] if same in self._ranks else self._ranked({terms[r] for r in outputs})
        order = sorted(outputs, key=lambda r: ranks[terms[r]])
        sequence = tuple(terms[r] for r in order)
        known = self._of_sequence
        found = known[sequence] if sequence in known else self._first_least(sequence, None)
        if self._few:
            self._ranks[same], known[sequence] = ranks, found
        return None if found is None else (found, tuple(sorted(order[: found.size])))

    def _terms(self, i: int, j: int) -> tuple[Terms, list[int]]:
        """The pairs of entries of two rows, and the outputs r with x_ir > 0."""
        terms = tuple(zip(self._rows[i], self._rows[j], strict=True))
        return terms, [r for r, (x, _) in enumerate(terms) if x in self._positive]

    def _ranked(self, terms: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
        """For each pair x > 0, y a place by y/x, ascending; equal quotients have one place."""
        order = sorted(terms, key=cmp_to_key(self._compared))
        ranks: dict[tuple[int, int], int] = {}
        for k, term in enumerate(order):
            tied = k > 0 and self._compared(order[k - 1], term) == 0
            ranks[term] = ranks[order[k - 1]] if tied else k
        return ranks

    def _compared(self, first: tuple[int, int], second: tuple[int, int]) -> int:
        """The sign of b/a − d/c for the pairs a, b and c, d."""
        (a, b), (c, d) = first, second
        around = self._around
        if around[b][1] * around[c][1] < around[d][0] * around[a][0]:
            return -1
        if around[b][0] * around[c][0] > around[d][1] * around[a][1]:
            return 1
        one, other = self._values[b] / self._values[a], self._values[d] / self._values[c]
        if one == other:
            return 0
        return -1 if one < other else 1

    def _first_least(self, sequence: Sequence[tuple[int, int]], at_most: tuple[int, int] | None) -> PairLevel | None:
        """The least level of a sequence's beginnings, of the first that has it.

        None if there is none, or none that is below ``at_most``, a quotient of integers.
        """
        best: PairLevel | None = None
        for k in self._candidates(sequence, at_most):
            likely, unlikely = (self._sum(entries) for entries in zip(*sequence[:k], strict=True))
            room = likely - self._delta
            if not room > 0:
                continue
            level = unlikely / room
            if best is None or level < best.level:
                best = PairLevel(level, k, likely, unlikely)
        return best

    def _candidates(self, sequence: Sequence[tuple[int, int]], at_most: tuple[int, int] | None) -> list[int]:
        """The lengths of beginnings that may have the least level, and one below ``at_most``."""
        infinite = sum(y not in self._positive for _, y in sequence)
        room_low, room_high = -self._delta_around[1], -self._delta_around[0]
        unlikely_low = unlikely_high = 0
        lower_ends: list[tuple[int, int, int]] = []
        least = at_most
        for k, (x, y) in enumerate(sequence, 1):
            (x_low, x_high), (y_low, y_high) = self._around[x], self._around[y]
            room_low, room_high = room_low + x_low, room_high + x_high
            unlikely_low, unlikely_high = unlikely_low + y_low, unlikely_high + y_high
            if k < infinite or room_high <= 0:  # outputs that j never has enter together
                continue
            if at_most is not None and unlikely_low * at_most[1] >= at_most[0] * room_high:
                continue
            lower_ends.append((k, unlikely_low, room_high))
            if room_low > 0 and (least is None or unlikely_high * least[1] < least[0] * room_low):
                least = unlikely_high, room_low
        return [k for k, low, room in lower_ends if least is None or low * least[1] <= least[0] * room]

    def _sum(self, entries: Iterable[int]) -> Any:
        """The exact sum of some entries."""
        return sum((self._values[x] * count for x, count in Counter(entries).items()), self._zero)


def _not_negative(around: tuple[int, int]) -> tuple[int, int]:
    return max(0, around[0]), around[1]


class LeastQuotients:
    """The least x_ir/x_jr with x_jr > 0, for pairs of rows of a table of numbers ≥ 0.

    * ``matrix``: of numbers.
    * ``pairs``: how many ordered pairs are asked about, if that is known. Most of many are looked at
      together.

    >>> LeastQuotients(ExactMatrix([["1/2", "1/2"], ["1/8", "7/8"]])).of(1, 0)
    (Rational('1/4'), 0)
    """

    def __init__(self, matrix: ExactMatrix, pairs: int = 0) -> None:
        self._ranking = Ranking.of(matrix)
        self._rows = self._ranking.rows
        self._quotients: dict[tuple[int, int], Any] = {}
        self._not_below: set[tuple[int, int]] = set()
        self._around: dict[int, tuple[int, int]] = {}
        if not isinstance(matrix.field.one, Rational):
            self._around = {x: self._ranking.around(x) for x in {x for row in self._rows for x in row}}
        self._outputs = None if self._around else self._of_all(pairs)

    def _of_all(self, pairs: int) -> Any:
        """The output of every pair of rows, if most are asked for and entries are short."""
        size, width = len(self._rows), len(self._rows[0])
        if pairs * width < LARGE or 4 * pairs < size**2 or max(map(max, self._rows)) >= 1 << WORD // 2:
            return None
        import numpy  # loaded for large tables only

        columns = numpy.array(self._rows, dtype=numpy.int64).T
        above, below = numpy.ones((size, size), numpy.int64), numpy.zeros((size, size), numpy.int64)
        outputs = numpy.full((size, size), -1, numpy.int32)
        for r in range(width):
            x, y = numpy.broadcast_to(columns[r][:, None], above.shape), numpy.broadcast_to(columns[r], above.shape)
            less = x * below < above * y
            above[less], below[less], outputs[less] = x[less], y[less], r
        return outputs.tolist()

    def entries(self, i: int, j: int) -> tuple[int, int, int]:
        """Of rational numbers two integers, with the least quotient of two rows, and its output."""
        r = self.output(i, j)
        return self._rows[i][r], self._rows[j][r], r

    def of(self, i: int, j: int) -> tuple[Any, int]:
        """The least quotient of two rows, and the first output that has it; row j is not 0."""
        x, y = self._rows[i], self._rows[j]
        r = self.output(i, j)
        return self._quotient(x[r], y[r]), r

    def output(self, i: int, j: int) -> int:
        """The first output that has the least quotient of two rows; −1 if row j is 0."""
        if self._outputs is not None:
            return int(self._outputs[i][j])
        x, y = self._rows[i], self._rows[j]
        return self._of_enclosed(x, y) if self._around else self._of_integers(x, y)

    def is_below(self, bound: Any, i: int, j: int) -> bool:
        """Whether x_ir < bound·x_jr for an output r; asked with bounds that do not rise."""
        x, y = self._rows[i], self._rows[j]
        r = self.output(i, j)
        if r < 0 or (x[r], y[r]) in self._not_below:
            return False
        below = bool(self._quotient(x[r], y[r]) < bound)
        if not below:
            self._not_below.add((x[r], y[r]))
        return below

    def _quotient(self, above: int, below: int) -> Any:
        known = self._quotients.get((above, below))
        if known is None:
            known = self._quotients[above, below] = self._ranking.value(above) / self._ranking.value(below)
        return known

    @staticmethod
    def _of_integers(x: Sequence[int], y: Sequence[int]) -> int:
        best, above, below = -1, 1, 0
        for r, (a, b) in enumerate(zip(x, y, strict=True)):
            if a * below < above * b:
                best, above, below = r, a, b
        return best

    def _of_enclosed(self, x: Sequence[int], y: Sequence[int]) -> int:
        around, value = self._around, self._ranking.value
        # The least upper bound of a quotient; those whose lower bound is not above it are compared exactly.
        most, least = 1, 0
        for a, b in zip(x, y, strict=True):
            high, low = around[a][1], around[b][0]
            if high * least < most * low:
                most, least = high, low
        best = -1
        for r, (a, b) in enumerate(zip(x, y, strict=True)):
            if around[a][0] * least > most * around[b][1] or not value(b):
                continue
            if best < 0 or ((a, b) != (x[best], y[best]) and self._quotient(a, b) < self._quotient(x[best], y[best])):
                best = r
        return best
