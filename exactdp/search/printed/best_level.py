# SPDX-License-Identifier: MIT
"""The best table that prints so: the largest level at which some table of given intervals is private.

At a level α it is a linear program. For every constrained pair and output, with α^d rational,

    x_ir − α^d x_jr ≥ t·w,    lower ≤ x ≤ upper,    Σ_r x_ir = 1,    t as large as possible.

Some table is α-private exactly if t ≥ 0. A table that is found is private at its own tightest level, which is
the new lower end (Crouzeix, Ferland and Schaible, 1985; the weights w > 0 are those of the table found last).
If t < 0 there are multipliers y with Σ y·(x_ir − α^d x_jr) < 0 for every table. They show the same for a
range of levels below, whose least one is the new upper end. In between the level in the middle is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import lcm

from exactdp.errors import ResourceLimitError
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.lp.highs import has_highs
from exactdp.lp.problem import Basis, LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.model import Mechanism, Neighbours, TightestLevel
from exactdp.model.metric import ONE, Distance
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener, raise_unless_own_limit
from exactdp.runtime.values import dataclass

DIGITS = 12
"""The two ends of a level that is not found exactly differ by 10^−12 at most."""

FINE = 24
"""Tables and multipliers that are found are rounded to so many digits, and judged again."""

STEPS = 100
"""So many linear programs are solved at most; some ten suffice."""

MOST_ENTRIES = 2000
"""Tables with more entries have no linear program: bounds in closed form are told."""

Constraint = tuple[int, int, int, int]
"""x_ir ≥ β^k x_jr: the rows i and j, the output r, and k."""


Multipliers = dict[tuple[int, int, int], Rational]
"""For (i, j, r) the multiplier > 0 of x_ir − α^d x_jr."""


@dataclass(frozen=True, slots=True)
class Infeasible:
    """Why no table that prints so is private at a level: multipliers of its constraints.

    * ``privacy``: multipliers with which the sum of x_ir − α^d x_jr is negative for every table that prints
      so.
    * ``largest``: the largest value of that sum, < 0.
    """

    alpha: Rational
    privacy: Multipliers
    largest: Rational


@dataclass(frozen=True, slots=True)
class BestLevel:
    """The largest level at which some table that prints so is private, or two ends that enclose it.

    * ``lower``: the tightest level of ``table``.
    * ``table``: a table that prints so.
    * ``upper``: no table that prints so is private above this level.
    * ``exact``: whether ``lower`` is the level itself; then ``upper`` is the same.
    * ``multipliers``: y ≥ 0 for x_ir − t^d x_jr. Their sum S(t) is at most 0 at ``upper``, for every table
      that prints so, and S(1) < 0, so that S(β) < 0 for every β above. None for the levels 0 and 1.
    """

    lower: TightestLevel
    table: Mechanism
    upper: TightestLevel
    exact: bool
    multipliers: Multipliers | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the linear program of one level found: t, a table, the multipliers; its basis and constraints."""

    slack: Rational
    rows: list[tuple[Rational, ...]]
    multipliers: Multipliers
    basis: Basis | None
    asked: tuple[Constraint, ...]


class LevelProgram:
    """The linear programs of a printed table, one for each level β^q, where all distances are k/q."""

    def __init__(self, table: PrintedTable, triples: Sequence[tuple[int, int, Distance]], root: int) -> None:
        self.table, self.root = table, root
        self.least, self.largest = table.entry_bounds()
        self.size, self.width = table.n_inputs, table.n_outputs
        self.constraints: list[Constraint] = []
        self.exponents: dict[tuple[int, int], int] = {}
        for i, j, distance in triples:
            assert distance.rational is not None
            power = int((distance.rational * root).numerator)
            self.exponents |= {(i, j): power, (j, i): power}
            for r in range(self.width):
                self.constraints += [(i, j, r, power), (j, i, r, power)]

    def at(
        self,
        beta: Rational,
        weights: Sequence[Sequence[Rational]] | None = None,
        start: Attempt | None = None,
        progress: Listener | None = None,
    ) -> Attempt:
        """The largest t at the level β^q, with the weight of a constraint that of x_jr in a table."""
        powers = {power: beta**power for power in {c[3] for c in self.constraints}}
        asked = [c for c in self.constraints if not self.least[c[0]][c[2]] >= powers[c[3]] * self.largest[c[1]][c[2]]]
        if not asked:
            return Attempt(Rational(1), [tuple(row) for row in self.table.member().rows()], {}, None, ())
        lp = self._program(asked, powers, weights)
        answer = solve(lp, start=self._begun(lp, asked, start), progress=progress)
        assert isinstance(answer, Optimal)  # the intervals of every row have a distribution, and t is bounded
        slack = -answer.value
        rows = self._rows(answer.x)
        first = self.size + self.size * self.width
        multipliers = {(i, j, r): answer.y[first + k] for k, (i, j, r, _) in enumerate(asked) if answer.y[first + k]}
        return Attempt(slack, rows, multipliers, answer.basis, tuple(asked))

    def _begun(self, lp: LinearProgram, asked: list[Constraint], last: Attempt | None) -> Basis | None:
        """The basis of the attempt before, where the search begins.

        HiGHS finds another one as soon. Exact pivots take half a minute from nowhere and a second from here,
        also if other constraints are asked now: those that are new begin with a basic logical.
        """
        if last is None or last.basis is None:
            return None
        if has_highs():
            return last.basis if last.basis.fits(lp) else None
        first = self.size + self.size * self.width
        was_basic = dict(zip(last.asked, last.basis.rows[first:], strict=True))
        return Basis(last.basis.columns, last.basis.rows[:first] + tuple(was_basic.get(c, True) for c in asked))

    def _program(self, asked: list[Constraint], powers: dict[int, Rational], weights: Sequence[Sequence[Rational]] | None) -> LinearProgram:
        """Variables are x − lower, row by row, and t; minimised is −t."""
        lower, upper = self.table.lower, self.table.upper
        last = self.size * self.width
        rows = []
        for i in range(self.size):
            sum_of_row = {i * self.width + r: QQ.one for r in range(self.width)}
            rows.append(Row(sum_of_row, "==", 1 - sum(lower.row(i), QQ.zero)))
        for i in range(self.size):
            for r in range(self.width):
                rows.append(Row({i * self.width + r: QQ(-1)}, ">=", lower[i, r] - upper[i, r]))
        for i, j, r, power in asked:
            factor = powers[power]
            weight = self.largest[j][r] if weights is None else weights[j][r] or self.largest[j][r]
            coefficients = {i * self.width + r: QQ.one, j * self.width + r: -factor, last: -(weight or QQ.one)}
            rows.append(Row(coefficients, ">=", factor * lower[j, r] - lower[i, r]))
        return LinearProgram(last + 1, {last: QQ(-1)}, rows, {last})

    def _rows(self, x: Sequence[Rational]) -> list[tuple[Rational, ...]]:
        lower = self.table.lower
        return [tuple(lower[i, r] + x[i * self.width + r] for r in range(self.width)) for i in range(self.size)]

    def shown(self, beta: Rational, multipliers: Multipliers) -> Infeasible:
        """Why there is no table at a level whose t is negative: its multipliers, rounded where these do."""
        scale = max(multipliers.values())
        short = {c: x for c, y in multipliers.items() if (x := _decimal(y / scale, FINE))}
        found = self.sum_at(beta, short) or self.sum_at(beta, multipliers)
        assert found is not None  # by the duality of the program
        return found

    def sum_at(self, beta: Rational, privacy: Multipliers) -> Infeasible | None:
        """The largest value of Σ y·(x_ir − α^d x_jr), which is linear in each row; None if it is not < 0."""
        by_exponent = {power: beta**power for power in set(self.exponents.values())}
        powers = {pair: by_exponent[power] for pair, power in self.exponents.items()}
        largest = self.table.largest_sum(self.table.summed(privacy, powers))
        return Infeasible(beta**self.root, privacy, largest) if largest < 0 else None


def feasible_table(
    table: PrintedTable, neighbours: Neighbours, alpha: Rational, *, progress: Listener | None = None
) -> Mechanism | Infeasible | None:
    """A table that prints so and is private at a rational level, or why there is none.

    None where a power of the level is irrational (a distance that is no integer).

    >>> from exactdp.model import neighbours, printed_table
    >>> table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    >>> feasible_table(table, neighbours("path:2"), Rational("7/9"))[0, 0]
    Rational('7/20')
    >>> feasible_table(table, neighbours("path:2"), Rational("4/5")).largest < 0
    True
    """
    triples = list(neighbours.pairs())
    if not all(d.rational is not None and d.rational.denominator == 1 for _, _, d in triples):
        return None
    program = LevelProgram(table, triples, 1)
    found = program.at(alpha, progress=progress)
    if found.slack >= 0:
        return table.mechanism_of(found.rows)
    return program.shown(alpha, found.multipliers)


def best_level(
    table: PrintedTable,
    neighbours: Neighbours,
    *,
    progress: Listener | None = None,
) -> BestLevel:
    """The largest level at which some table that prints so is private.

    Where it is not found exactly its ends differ by 10^−12 at most (:data:`DIGITS`), or by as little as tells
    fractions of the table's numbers apart.

    * ``table``: its inputs in the order of the neighbours.
    * ``neighbours``: on these inputs.
    * ``progress``: as for :func:`exactdp.lp.solve.solve`.

    >>> from exactdp.model import neighbours, printed_table
    >>> table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    >>> best = best_level(table, neighbours("path:2"))
    >>> str(best.lower), best.exact
    ('7/9', True)
    """
    equal = equal_rows(table, neighbours)
    if equal is not None:
        return BestLevel(TightestLevel(1), equal, TightestLevel(1), True)
    found, lower = _better_of([table.member(), table.middle()], neighbours)
    upper, multipliers = upper_bound(table, neighbours)
    triples = list(neighbours.pairs())
    common = _common_root(triples)
    if lower == upper:
        return BestLevel(lower, found, upper, True, multipliers)
    if common is None or not is_small(table):
        return BestLevel(lower, found, upper, False, multipliers)
    possible = without_dead_outputs(table, neighbours)
    if possible is None:
        return BestLevel(TightestLevel(0), found, TightestLevel(0), True)
    search = _Search(LevelProgram(table, triples, common), LevelProgram(possible, triples, common), neighbours, progress)
    return search.run(upper, multipliers, _digits_for(table))


class _Search:
    """Both ends are moved: a table found raises the lower one, multipliers found lower the upper one.

    ``program`` is that of the table, ``inner`` that of its tables in which every output is possible for all
    joined inputs or for none: there t > 0 below the largest level.
    """

    def __init__(
        self,
        program: LevelProgram,
        inner: LevelProgram,
        neighbours: Neighbours,
        progress: Listener | None,
    ) -> None:
        self.program, self.inner, self.neighbours = program, inner, neighbours
        self.progress = progress
        self.last: Attempt | None = None
        self.found, self.lower = _better_of([inner.table.member(), inner.table.middle()], neighbours)

    def run(self, upper: TightestLevel, multipliers: Multipliers, digits: int) -> BestLevel:
        """The largest level, or its two ends; those that are known by then when a limit stops the search."""
        step = Rational(1, 10**digits)
        high, above = self._below(upper, 2 * digits) + step, None
        try:
            for _ in range(STEPS):
                low = self._below(self.lower, 2 * digits)
                if self.lower == upper:
                    return BestLevel(upper, self.found, upper, True, multipliers)
                if high - low <= step and above is not None:
                    break
                beta = min(_decimal((low + high) / 2, digits + 2), high)
                tried = self._try(beta)
                if tried.slack < 0:
                    high, above = self._lowered(self.inner.shown(beta, tried.multipliers), low, beta, digits)
                elif high <= beta:
                    high += step  # an upper end that was only rounded
            if above is not None:
                return self._exact(self._below(self.lower, 2 * digits), high) or self._ended(high, above)
        except ResourceLimitError as error:
            raise_unless_own_limit(error)
            if above is not None and self.inner.table == self.program.table:
                return BestLevel(self.lower, self.found, TightestLevel(above.alpha), False, above.privacy)
        return BestLevel(self.lower, self.found, upper, False, multipliers)

    def _try(self, beta: Rational) -> Attempt:
        """What is found at a level; a better table is kept."""
        tried = self.inner.at(beta, self.weights(), self.last, self.progress)
        self.last = tried
        if tried.slack >= 0:
            for rows in (self.program.table.rounded_rows(tried.rows, FINE), tried.rows):
                now = self.program.table.mechanism_of(rows)
                level = level_of(now, self.neighbours)
                if level > self.lower:
                    self.found, self.lower = now, level
                    break
        return tried

    def weights(self) -> list[list[Rational]]:
        """The table found last, in short numbers."""
        return [[_decimal(x, 8) for x in row] for row in self.found.rows()]

    def _lowered(self, above: Infeasible, low: Rational, high: Rational, digits: int) -> tuple[Rational, Infeasible]:
        """About the least level at which multipliers show that there is no table, found by halving."""
        while high - low > Rational(1, 10**digits) / 8:
            middle = _decimal((low + high) / 2, digits + 3)
            if not low < middle < high:
                break
            there = self.inner.sum_at(middle, above.privacy)
            if there is None:
                low = middle
            else:
                high, above = middle, there
        return high, above

    def _exact(self, low: Rational, high: Rational) -> BestLevel | None:
        """The largest level, if it is the simplest fraction between the two ends: its t is 0."""
        simple = _simplest(low, high)
        tried = self.inner.at(simple, self.weights(), None if has_highs() else self.last, self.progress)
        if tried.slack != 0 or not tried.multipliers or self.program.sum_at(Rational(1), tried.multipliers) is None:
            return None
        if self.inner.table != self.program.table:
            return None
        found = self.program.table.mechanism_of(tried.rows)
        level = level_of(found, self.neighbours)
        same = _root(level, self.program.root) == TightestLevel(simple)
        return BestLevel(level, found, level, True, tried.multipliers) if same else None

    def _ended(self, high: Rational, above: Infeasible) -> BestLevel:
        """The two ends; where outputs were left out the program of all tables has to say so, too."""
        if self.inner.table != self.program.table:
            tried = self.program.at(high, None, None, self.progress)
            assert tried.slack < 0  # the tables of the inner program are all that could be private at a level > 0
            above = self.program.shown(high, tried.multipliers)
        return BestLevel(self.lower, self.found, TightestLevel(above.alpha), False, above.privacy)

    def _below(self, level: TightestLevel, digits: int) -> Rational:
        """A decimal of so many digits that is at most level^(1/q)."""
        return _decimal(_root(level, self.program.root).enclosure(digits)[0], digits)


def _decimal(x: Rational, digits: int) -> Rational:
    """The largest decimal of so many digits that is at most x."""
    scale = 10**digits
    return Rational(x.numerator * scale // x.denominator, scale)


def _simplest(low: Rational, high: Rational) -> Rational:
    """The fraction of least denominator in [low, high], 0 ≤ low < high.

    >>> _simplest(Rational("3/10"), Rational("2/5"))
    Rational('1/3')
    """
    whole = low.numerator // low.denominator
    if whole == low or whole + 1 <= high:
        return Rational(whole) if whole == low else Rational(whole + 1)
    return whole + 1 / _simplest(1 / (high - whole), 1 / (low - whole))


def _root(level: TightestLevel, root: int) -> TightestLevel:
    """level^(1/q)."""
    return TightestLevel(level.ratio, Distance(level.distance.square * root * root))


def _digits_for(table: PrintedTable) -> int:
    """Twice as many digits as the ends of the intervals have, and a few more, within limits."""
    longest = max(int(x.denominator).bit_length() for row in table.upper.rows() for x in row)
    return min(2 * FINE - 8, max(DIGITS, 2 * longest * 3 // 10 + 3))


def level_of(mechanism: Mechanism, neighbours: Neighbours) -> TightestLevel:
    """The tightest level of a mechanism of rational numbers: the least ratio^(1/d).

    >>> from exactdp.model import neighbours
    >>> str(level_of(Mechanism([["1/2", "1/2"], ["1/4", "3/4"]]), neighbours("path:2")))
    '1/2'
    """
    rows = list(mechanism.rows())
    least: dict[Distance, Rational] = {}
    for i, j, distance in neighbours.pairs():
        known = least.get(distance, QQ.one)
        for x, y in zip(rows[i], rows[j], strict=True):
            if x != y:
                known = min(known, x / y if x < y else y / x)
        least[distance] = known
    found = TightestLevel(1)
    for distance, ratio in least.items():
        found = min(found, TightestLevel(ratio, distance if 0 < ratio < 1 else ONE))
    return found


def _better_of(tables: Sequence[Mechanism], neighbours: Neighbours) -> tuple[Mechanism, TightestLevel]:
    """The first of the most private tables, and its level."""
    levels = [level_of(table, neighbours) for table in tables]
    best = max(levels)
    return tables[levels.index(best)], best


def is_small(table: PrintedTable) -> bool:
    """Whether linear programs are solved of a table of this size."""
    return table.n_inputs * table.n_outputs <= MOST_ENTRIES


def equal_rows(table: PrintedTable, neighbours: Neighbours) -> Mechanism | None:
    """A table that prints so with equal rows for all inputs that neighbours join; None without one."""
    rows: list[tuple[Rational, ...]] = [()] * table.n_inputs
    for group in _groups(table.n_inputs, neighbours):
        lower = [max(table.lower[i, r] for i in group) for r in range(table.n_outputs)]
        upper = [min(table.upper[i, r] for i in group) for r in range(table.n_outputs)]
        room = 1 - sum(lower, QQ.zero)
        if any(low > high for low, high in zip(lower, upper, strict=True)) or room < 0 or sum(upper, QQ.zero) < 1:
            return None
        for r, high in enumerate(upper):
            more = min(high - lower[r], room)
            lower[r] += more
            room -= more
        for i in group:
            rows[i] = tuple(lower)
    return table.mechanism_of(rows)


def upper_bound(table: PrintedTable, neighbours: Neighbours) -> tuple[TightestLevel, Multipliers]:
    """The least (largest x_ir / least x_jr)^(1/d), above which no table is private; and its multiplier."""
    least, largest = table.entry_bounds()
    lowest: dict[Distance, tuple[Rational, tuple[int, int, int]]] = {}
    for i, j, distance in neighbours.pairs():
        known = lowest.get(distance, (QQ.one, (i, j, 0)))
        for low, high in ((i, j), (j, i)):
            for r, (x, y) in enumerate(zip(largest[low], least[high], strict=True)):
                if x < y and x < known[0] * y:
                    known = x / y, (low, high, r)
        if known[0] < 1:
            lowest[distance] = known
    found, multipliers = TightestLevel(1), Multipliers()
    for distance, (ratio, cell) in lowest.items():
        level = TightestLevel(ratio, distance if ratio else ONE)
        if level < found:
            found, multipliers = level, {cell: QQ.one}
    return found, multipliers


def without_dead_outputs(table: PrintedTable, neighbours: Neighbours) -> PrintedTable | None:
    """The tables that may be private at a level > 0: an output impossible for an input is so for all joined.

    None if there are none. Where nothing is impossible it is the table itself.

    >>> from exactdp.model import neighbours, printed_table
    >>> table = printed_table([["0", "1/2", "1/2"], ["0.0", "0.5", "0.5"]], digits="auto")
    >>> str(without_dead_outputs(table, neighbours("path:2")).upper[1, 0])
    '0'
    """
    _, largest = table.entry_bounds()
    upper = [list(row) for row in table.upper.rows()]
    for group in _groups(table.n_inputs, neighbours):
        for r in range(table.n_outputs):
            if any(largest[i][r] == 0 for i in group):
                for i in group:
                    upper[i][r] = QQ.zero
    for i, row in enumerate(upper):
        if sum(row, QQ.zero) < 1 or any(low > high for low, high in zip(table.lower.row(i), row, strict=True)):
            return None
    return replace(table, upper=ExactMatrix(upper, QQ))


def _groups(size: int, neighbours: Neighbours) -> list[list[int]]:
    """The inputs that chains of neighbours join."""
    above = list(range(size))

    def top(i: int) -> int:
        while above[i] != i:
            above[i] = above[above[i]]
            i = above[i]
        return i

    for i, j, _ in neighbours.pairs():
        above[top(i)] = top(j)
    groups: dict[int, list[int]] = {}
    for i in range(size):
        groups.setdefault(top(i), []).append(i)
    return list(groups.values())


def _common_root(triples: Sequence[tuple[int, int, Distance]]) -> int | None:
    """The least q with which all distances are k/q; None if one is irrational, or q is large."""
    if any(d.rational is None for _, _, d in triples):
        return None
    root = lcm(1, *(int(d.rational.denominator) for _, _, d in triples if d.rational is not None))
    return root if root <= 64 else None
