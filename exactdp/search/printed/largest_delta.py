# SPDX-License-Identifier: MIT
r"""The largest δ of the tables that print so: the worst event of two rows, by branch and bound.

For an ordered pair of rows i, j and f = e^(εd) the δ that some table needs is the largest value of

    v(E) = max P(E | i) − f·min P(E | j)

over events E. The largest probability of E in row i is the less of two sums over its outputs, and the least
one in row j the greater of two:

    max P(E | i) = min(Σ_E upper_i, spare + Σ_E lower_i),    spare = 1 − Σ lower_i,
    min P(E | j) = max(Σ_E lower_j, Σ_E upper_j − lack),     lack = Σ upper_j − 1.

So for all weights s, t in [0, 1] the value is at most a sum over the outputs of E, c + Σ_E w_r, and at most

    bound(s, t) = c + Σ w_r (r fixed in E) + Σ max(0, w_r) (r not fixed).

The bound is convex and piecewise linear in (s, t). Its least value is found with cutting planes (Kelley,
1960): at each (s, t) the event {w_r > 0} gives a plane below the bound, and a candidate. Where the least
bound is above the best event so far the events are split by an output on which the planes differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from exactdp.exact import QQ
from exactdp.lp.problem import LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, Progress
from exactdp.runtime.values import dataclass

CUTS = 60
"""So many planes at most before a set of events is split."""


@dataclass(frozen=True, slots=True)
class Split:
    """The events with an output come next, then those without."""

    output: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """Weights s, t whose bound holds for all events that are left."""

    s: Any
    t: Any


Step = Split | Leaf


@dataclass(frozen=True, slots=True)
class PairBound:
    """What is known of one ordered pair: v(E) ≤ ``bound`` for all events, by a tree of cases.

    * ``high``, ``low``: the rows i and j.
    * ``factor``: f = e^(εd).
    * ``steps``: the tree: a split is followed by the steps of the events with its output, then of those
      without.
    * ``bound``: the largest bound of a leaf, or 0.
    * ``event``: the event with the largest value that was found.
    * ``value``: that value.
    """

    high: int
    low: int
    factor: Any
    steps: tuple[Step, ...]
    bound: Any
    event: tuple[int, ...]
    value: Any


class TwoRows:
    """The rows i and j of a printed table: values of events, and bounds of sets of events."""

    def __init__(self, table: PrintedTable, i: int, j: int, factor: Any) -> None:
        self.high, self.low, self.factor = i, j, factor
        self.width = table.n_outputs
        self.likely = table.upper.row(i), table.lower.row(i)
        self.unlikely = tuple(factor * x for x in table.lower.row(j)), tuple(factor * x for x in table.upper.row(j))
        self.spare = 1 - sum(table.lower.row(i), QQ.zero)
        self.lack = factor * (sum(table.upper.row(j), QQ.zero) - 1)

    def sums(self, event: Sequence[int]) -> tuple[Any, Any, Any, Any]:
        """The two sums that P(E | i) is at most, and the two that f·P(E | j) is at least."""
        first, second = (sum((row[r] for r in event), QQ.zero) for row in self.likely)
        third, fourth = (sum((row[r] for r in event), QQ.zero) for row in self.unlikely)
        return first, self.spare + second, third, fourth - self.lack

    def value(self, event: Sequence[int]) -> Any:
        """The largest P(E | i) less f times the least P(E | j)."""
        first, second, third, fourth = self.sums(event)
        return min(first, second) - max(third, fourth)

    def weights(self, s: Any, t: Any) -> list[Any]:
        """The w_r of (s, t)."""
        (upper, lower), (least, most) = self.likely, self.unlikely
        return [s * upper[r] + (1 - s) * lower[r] - t * least[r] - (1 - t) * most[r] for r in range(self.width)]

    def constant(self, s: Any, t: Any) -> Any:
        """The c of (s, t)."""
        return (1 - s) * self.spare + (1 - t) * self.lack

    def at(self, s: Any, t: Any, fixed: dict[int, bool]) -> tuple[Any, list[int]]:
        """bound(s, t) for the events that agree with what is fixed, and the event that attains it."""
        total, event = self.constant(s, t), []
        for r, weight in enumerate(self.weights(s, t)):
            if fixed.get(r, weight > 0):
                total += weight
                event.append(r)
        return total, event


def bound_of(rows: TwoRows, steps: Sequence[Step]) -> Any:
    """The largest bound of the leaves of a tree of cases; ValueError unless it is one.

    Recomputed from the rows alone: what the search said is not used.
    """
    most: Any = QQ.zero
    still: list[dict[int, bool]] = [{}]
    for step in steps:
        if not still:
            raise ValueError("there are more steps than cases")
        fixed = still.pop()
        if isinstance(step, Split):
            still += [{**fixed, step.output: False}, {**fixed, step.output: True}]
            continue
        if not (0 <= step.s <= 1 and 0 <= step.t <= 1):
            raise ValueError("weights are in [0, 1]")
        found, _ = rows.at(step.s, step.t, fixed)
        most = max(most, found)
    if still:
        raise ValueError("there are cases without a bound")
    return most


def search(rows: TwoRows, known: Any, nodes: int, progress: Listener | None = None) -> tuple[PairBound, int]:
    """Bound the values of all events of two rows, and find a large one.

    Parameters
    ----------
    rows : TwoRows
        The rows.
    known : scalar
        A value ≥ 0 that need not be bettered: sets of events whose bound is at most this are not split.
    nodes : int
        So many sets of events are looked at, and one at least; those that are left have a bound each.
    progress : callable, optional
        Told how many.

    Returns
    -------
    PairBound
        With ``bound ≤ max(known, value)`` unless the nodes were too few.
    int
        How many nodes were looked at.

    Examples
    --------
    >>> from exactdp.model.printed import printed_table
    >>> table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    >>> found, _ = search(TwoRows(table, 1, 0, QQ.one), QQ.zero, 100)
    >>> found.event, str(found.value), found.bound == found.value
    ((0,), '3/10', True)
    """
    finder = _Finder(rows, known)
    steps: list[Step] = []
    still: list[dict[int, bool]] = [{}]
    done = 0
    while still:
        fixed = still.pop()
        split, leaf = finder.bounded(fixed)
        done += 1
        if progress is not None:
            progress(Progress("worst events", done, unit="cases"))
        if split is None or done + len(still) >= nodes:
            steps.append(leaf)
            continue
        steps.append(Split(split))
        still += [{**fixed, split: False}, {**fixed, split: True}]
    bound = bound_of(rows, steps)
    return PairBound(rows.high, rows.low, rows.factor, tuple(steps), bound, finder.event, finder.best), done


class _Finder:
    """The planes that were met, and the best event."""

    def __init__(self, rows: TwoRows, known: Any) -> None:
        self.rows, self.known = rows, known
        self.best: Any = QQ.zero
        self.event: tuple[int, ...] = ()
        self.met: dict[tuple[int, ...], tuple[Any, Any, Any, Any]] = {}

    def enough(self, bound: Any) -> bool:
        """Whether events below a bound need no further look."""
        return bool(bound <= self.known or bound <= self.best)

    def meet(self, event: Sequence[int]) -> tuple[int, ...]:
        """Keep an event and its plane."""
        listed = tuple(event)
        if listed not in self.met:
            sums = self.met[listed] = self.rows.sums(listed)
            value = min(sums[:2]) - max(sums[2:])
            if value > self.best:
                self.best, self.event = value, listed
        return listed

    def bounded(self, fixed: dict[int, bool]) -> tuple[int | None, Leaf]:
        """The output by which events are to be split (None if there is no need), and the best bound."""
        planes: list[tuple[int, ...]] = [e for e in self.met if all((r in e) == side for r, side in fixed.items())]
        best: Any = None
        leaf = Leaf(*CORNERS[0])
        for s, t in CORNERS:
            found, event = self.rows.at(s, t, fixed)
            planes.append(self.meet(event))
            if best is None or found < best:
                best, leaf = found, Leaf(s, t)
            if self.enough(best):
                return None, leaf
        if len(fixed) == self.rows.width:
            return None, leaf
        planes = list(dict.fromkeys(planes))
        for _ in range(CUTS):
            least, s, t, active = self._lowest(planes)
            found, event = self.rows.at(s, t, fixed)
            if found < best:
                best, leaf = found, Leaf(s, t)
            if self.enough(best):
                return None, leaf
            if found <= least:
                return self._differing(active, fixed), leaf
            planes.append(self.meet(event))
        return self._differing(planes[-2:], fixed), leaf

    def _lowest(self, planes: list[tuple[int, ...]]) -> tuple[Any, Any, Any, list[tuple[int, ...]]]:
        """The least value of the largest plane over 0 ≤ s, t ≤ 1, where it is, and the planes that count.

        The plane of E is s·a + (1 − s)·b − t·c − (1 − t)·d, for its four sums.
        """
        one = QQ.one
        rows = [Row({0: -one}, ">=", -one), Row({1: -one}, ">=", -one)]
        for event in planes:
            a, b, c, d = self.met[event]
            rows.append(Row({0: b - a, 1: c - d, 2: one}, ">=", b - d))
        answer = solve(LinearProgram(3, {2: one}, rows, {2}), proposer=None)
        assert isinstance(answer, Optimal)
        s, t, least = answer.x
        active = [event for event, y in zip(planes, answer.y[2:], strict=True) if y]
        return least, s, t, active

    def _differing(self, planes: list[tuple[int, ...]], fixed: dict[int, bool]) -> int:
        """An output that is in some of these events and not in others; the one whose interval is widest."""
        sets = [frozenset(event) for event in planes]
        free = [r for r in range(self.rows.width) if r not in fixed]
        mixed = [r for r in free if len({r in chosen for chosen in sets}) == 2] or free
        (upper, lower), (least, most) = self.rows.likely, self.rows.unlikely
        return max(mixed, key=lambda r: (upper[r] - lower[r]) + (most[r] - least[r]))


CORNERS = tuple((QQ(s), QQ(t)) for s, t in ((1, 1), (0, 1), (1, 0), (0, 0)))
"""The weights whose bounds are asked first."""


def at_corners(rows: TwoRows) -> PairBound:
    """What the bounds at the four corners tell of all events of two rows: no program is solved.

    >>> from exactdp.model.printed import printed_table
    >>> table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    >>> found = at_corners(TwoRows(table, 1, 0, QQ.one))
    >>> found.event, str(found.value), str(found.bound)
    ((0,), '3/10', '3/10')
    """
    finder = _Finder(rows, QQ.zero)
    leaves: list[tuple[Any, Leaf]] = []
    for s, t in CORNERS:
        found, event = rows.at(s, t, {})
        finder.meet(event)
        leaves.append((found, Leaf(s, t)))
    _, leaf = min(leaves, key=lambda pair: pair[0])
    return PairBound(rows.high, rows.low, rows.factor, (leaf,), bound_of(rows, (leaf,)), finder.event, finder.best)


def searched(
    table: PrintedTable,
    pairs: Sequence[tuple[int, int, Any]],
    known: Any,
    nodes: int,
    progress: Listener | None = None,
) -> list[PairBound]:
    """:func:`search` for every ordered pair; no pair need better the largest value found so far.

    Pairs are first looked at once each, then again, those with the largest values first. ``known`` is a
    number ≥ 0 that no answer needs to be below, such as the δ of a claim.
    """
    spent = 0
    first: list[PairBound] = []
    rows = [TwoRows(table, i, j, factor) for i, j, factor in pairs]
    for two in rows:
        found, _ = search(two, known, 1, progress)
        first.append(found)
    best = max((found.value for found in first), default=QQ.zero)
    for k in sorted(range(len(rows)), key=lambda k: first[k].value, reverse=True):
        target = max(known, best)
        if first[k].bound <= target:
            continue
        found, done = search(rows[k], target, max(1, nodes - spent), progress)
        spent += done
        first[k] = found
        best = max(best, found.value)
    return first


def factors(pairs: Sequence[tuple[int, int, Any]], powers: Sequence[Any]) -> Iterator[tuple[int, int, Any]]:
    """The ordered pairs of some pairs i < j, (i, j) before (j, i), with e^(εd) = 1/α^d."""
    for (i, j, _), power in zip(pairs, powers, strict=True):
        factor = QQ.one / power
        yield i, j, factor
        yield j, i, factor
