# SPDX-License-Identifier: MIT
"""A dual simplex method for minimax remaps on a path, in floating point of any precision (untrusted).

The unknowns are v and t_jr ≥ 0 with Σ_r t_jr = s_j for each output j, the constraints Σ_jr t_jr a^|i−j|
l(i,r) + slack_i = v for i ∈ S, the objective v. For each output one guess r, its *key*, is determined by its
equation, so that the basis has |S| columns; its inverse is explicit. The weights λ (minus the row of v in it)
are dual feasible from the start, λ = 1 at one input, and stay so. Each pivot takes out the most negative
slack or t_jr. Weights of very different sizes need long mantissas and little else: this ends where doubles
resolve nothing and exact pivots take too long.

By single crossing (docs/mathematics.md §1) a guess can only begin to tie at j if it lies between the best
guesses of j − 1 and j + 1, so only such pairs are priced.

References
----------
C. E. Lemke (1954), *The dual method of solving the linear programming problem*, Naval Research Logistics
Quarterly 1, 36–47.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb, arb_mat, fmpq

from exactdp.exact.balls import PRECISION, workprec
from exactdp.exact.rational import Rational
from exactdp.runtime.progress import Listener, Progress

GUARD = 40
"""Bits that rounding may have spoilt."""

GROWTH = 3
"""How many inputs on either side are added at a time."""


def _jitter(i: int, j: int, r: int) -> int:
    """Something like a random number below 2^20, always the same for the same entry."""
    mixed = (i * 73856093 ^ j * 19349663 ^ r * 83492791) * 2654435761 & 0xFFFFFFFF
    return (mixed ^ mixed >> 15) * 2246822519 >> 9 & 0xFFFFF


class RemapSimplex:
    """One run of the method.

    It starts with one input, where λ = 1, and adds the inputs of S beside those it has, a few at a time, when
    the present problem is solved: most of its basis stays, and most pivots are made on small matrices.

    * ``alpha``: the level a.
    * ``known``: S, increasing; its ends are the ends of the path.
    * ``losses``: l(i, ·) for i ∈ S, in the order of ``known``.
    * ``start``: the position in ``known`` of the input to begin with.
    * ``bits``: the precision.
    """

    def __init__(self, alpha: Rational, known: Sequence[int], losses: Sequence[Sequence[Rational]], start: int, bits: int) -> None:
        self.bits, self.everyone, self.guesses = bits, list(known), len(losses[0])
        self.pivots = 0
        with PRECISION, workprec(bits):
            least = min(x for row in losses for x in row)._q
            self.every_loss = [[arb(x._q - least) for x in row] for row in losses]
            a = alpha._q
            self.power = [arb(a) ** k for k in range(known[-1] - known[0] + 1)]
            self.end, self.inside = arb(1 / (1 + a)), arb((1 - a) / fmpq(1 + a))
            self.noise = arb(2) ** (GUARD - bits)
            self.spread = arb(2) ** (-bits // 2 - 20)
            best = min(range(self.guesses), key=lambda r: losses[start][r])
            self.first = self.last = start
            self.key = {known[start]: best}
            self.ties = {known[start]: {best}}
            # basic variables: -1 is v, (j, r) a tie, i ≥ 0 the slack of known[i]
            self.basic: list[Any] = [-1]
            self.inverse = arb_mat(1, 1, [-1])
            self._enter_window()

    def _enter_window(self) -> None:
        """Compute what depends on the inputs added so far."""
        self.known = self.everyone[self.first : self.last + 1]
        self.losses = self.every_loss[self.first : self.last + 1]
        self.low, self.high = self.known[0], self.known[-1]
        self.scale = {j: self.end if j in (self.low, self.high) else self.inside for j in range(self.low, self.high + 1)}
        if self.low == self.high:
            self.scale[self.low] = arb(1)
        self.columns: dict[tuple[int, int], list[Any]] = {}
        self.base = [arb(0)] * len(self.known)
        for j, s in self.scale.items():
            self.base = [(b + s * x).mid() for b, x in zip(self.base, self._column(j, self.key[j]), strict=True)]
        self.priced: dict[tuple[int, int], int] = {}
        self.matrix: Any = None

    def _grow(self) -> None:
        """Add a few inputs on both sides, with basic slacks; new outputs are used like those beside them."""
        first, last = max(0, self.first - GROWTH), min(len(self.everyone) - 1, self.last + GROWTH)
        before, old = self.first - first, len(self.known)
        low, high = self.low, self.high
        self.first, self.last = first, last
        for j in range(self.everyone[first], self.everyone[last] + 1):
            if not low <= j <= high:
                self.key[j] = self.key[low if j < low else high]
                self.ties[j] = {self.key[j]}
        self._enter_window()
        size = len(self.known)
        inverse = arb_mat(size, size)
        for k in range(old):
            for i in range(old):
                inverse[k, before + i] = self.inverse[k, i]
        self.basic = [name + before if isinstance(name, int) and name >= 0 else name for name in self.basic]
        fresh = [*range(before), *range(before + old, size)]
        terms = []
        for i in fresh:
            for name in self.basic[:old]:
                if name == -1:
                    terms.append(arb(-1))
                elif isinstance(name, tuple):
                    j, r = name
                    terms.append(self._column(j, r)[i] - self._column(j, self.key[j])[i])
                else:
                    terms.append(arb(0))
        mixed = arb_mat(len(fresh), old, terms) * self.inverse
        for k, i in enumerate(fresh):
            for c in range(old):
                inverse[old + k, before + c] = -mixed[k, c].mid()
            inverse[old + k, i] = 1
        self.basic += fresh
        self.inverse = inverse

    def _column(self, j: int, r: int) -> list[Any]:
        """a^|i−j| l(i,r), moved by less than matters so that no two guesses tie by chance."""
        found = self.columns.get((j, r))
        if found is None:
            found = [
                (self.power[abs(i - j)] * row[r] * (1 + _jitter(i, j, r) * self.spread)).mid()
                for i, row in zip(self.known, self.losses, strict=True)
            ]
            self.columns[j, r] = found
        return found

    def run(self, limit: int, progress: Listener | None = None) -> tuple[list[bool], list[list[int]]] | None:
        """Pivot to the end: which inputs of S have weight, each output's tied guesses; None if it stalls."""
        while self.pivots < limit:
            with PRECISION, workprec(self.bits):  # for each pivot: other threads compute between them
                leaving = self._leaving()
                if leaving is None:
                    if len(self.known) < len(self.everyone):
                        self._grow()
                        continue
                    silent = {name for name in self.basic if isinstance(name, int)}
                    return [i not in silent for i in range(len(self.known))], [sorted(self.ties[j]) for j in sorted(self.ties)]
                if not self._pivot(leaving):
                    return None
            self.pivots += 1
            if progress is not None:
                progress(Progress("long floating point", self.pivots, unit="pivots"))
        return None

    # --- One step ---

    def _leaving(self) -> int | None:
        """The row of the basic variable that is most negative, after a change of key if it is a key."""
        size = len(self.known)
        x = (self.inverse * arb_mat(size, 1, [-b for b in self.base])).entries()
        rest = dict(self.scale)
        least = -(2.0 ** (GUARD - self.bits // 2))
        worst, chosen = least, None
        for k, name in enumerate(self.basic):
            if name == -1:
                continue
            number = value = x[k]
            if isinstance(name, tuple):
                j = name[0]
                rest[j] = rest[j] - value
                number = value / self.scale[j]
            if float(number) < worst:
                worst, chosen = float(number), k
        wrong_key = None
        for j, value in rest.items():
            if len(self.ties[j]) > 1 and float(value / self.scale[j]) < worst:
                worst, wrong_key = float(value / self.scale[j]), j
        if wrong_key is None:
            return chosen
        rows = self._rows_of(wrong_key)
        heir = max(rows, key=lambda k: float(x[k]))
        self._change_key(wrong_key, rows, heir)
        return heir

    def _rows_of(self, j: int) -> list[int]:
        return [k for k, name in enumerate(self.basic) if isinstance(name, tuple) and name[0] == j]

    def _change_key(self, j: int, rows: list[int], heir: int) -> None:
        old, new = self.key[j], self.basic[heir][1]
        for i in range(len(self.known)):
            self.inverse[heir, i] = -sum((self.inverse[k, i] for k in rows), arb(0)).mid()
        self.basic[heir] = (j, old)
        self.key[j] = new
        before, after, s = self._column(j, old), self._column(j, new), self.scale[j]
        self.base = [(b + s * (y - x)).mid() for b, x, y in zip(self.base, before, after, strict=True)]

    def _pivot(self, leaving: int) -> bool:
        size = len(self.known)
        v = self.basic.index(-1)
        row = [self.inverse[leaving, i] for i in range(size)]
        weights = [-self.inverse[v, i] for i in range(size)]
        entering = self._entering(row, weights)
        if entering is None:
            return False
        if isinstance(entering, tuple):
            j, r = entering
            below = self._column(j, self.key[j])
            change = self.inverse * arb_mat(size, 1, [x - y for x, y in zip(self._column(j, r), below, strict=True)])
            self.ties[j].add(r)
        else:
            change = arb_mat(size, 1, [self.inverse[k, entering] for k in range(size)])
        pivot = change[leaving, 0].mid()
        change[leaving, 0] = pivot - 1
        self.inverse = (self.inverse - change * arb_mat(1, size, [(x / pivot).mid() for x in row])).mid()
        name = self.basic[leaving]
        if isinstance(name, tuple):
            self.ties[name[0]].discard(name[1])
        self.basic[leaving] = entering
        return True

    def _entering(self, row: list[Any], weights: list[Any]) -> Any:
        """The nonbasic variable whose reduced cost is first zero as the leaving one grows to 0, or None."""
        size = len(self.known)
        best: Any = None
        found: Any = None
        silent = {name for name in self.basic if isinstance(name, int)}
        noise = self.noise * max((abs(x) for x in row), key=lambda x: float(x.mid()) if x else 0.0)
        for i in range(size):
            if i not in silent and row[i] < -noise:
                ratio = weights[i] / -row[i]
                if best is None or ratio < best:
                    best, found = ratio.mid(), i
        self._refresh_prices()
        both = self.matrix * arb_mat(size, 2, [x for pair in zip(weights, row, strict=True) for x in pair])
        with PRECISION, workprec(53):
            rough = self.matrix * arb_mat(size, 1, [abs(x) for x in row])
        for (j, r), k in self.priced.items():
            if r in self.ties[j]:
                continue
            home = self.priced.get((j, self.key[j]))
            if home is None:
                continue
            slope = both[k, 1] - both[home, 1]
            if slope < -self.noise * (rough[k, 0] + rough[home, 0]):
                cost = (both[k, 0] - both[home, 0]).mid()
                ratio = cost / -slope if cost > 0 else arb(0)
                if best is None or ratio < best:
                    best, found = ratio.mid(), (j, r)
        return found

    def _refresh_prices(self) -> None:
        """Price all pairs (j, r) with r between the best guesses of j's neighbours; others while they fit."""
        size = len(self.known)
        needed: set[tuple[int, int]] = set()
        for j in range(self.low, self.high + 1):
            tied = self.ties[j]
            low = min(self.ties[j - 1]) if j > self.low else 0
            high = max(self.ties[j + 1]) if j < self.high else self.guesses - 1
            needed.update((j, r) for r in range(min(low, *tied), max(high, *tied) + 1))
        fresh = needed.difference(self.priced)
        if not fresh:
            return
        spare = [pair for pair in self.priced if pair not in needed]
        if len(fresh) > len(spare):
            self.priced = {pair: k for k, pair in enumerate([*sorted(needed), *spare[: len(needed) // 2]])}
            self.matrix = arb_mat(len(self.priced), size, [x for j, r in self.priced for x in self._column(j, r)])
            return
        for pair, old in zip(sorted(fresh), spare, strict=False):
            k = self.priced[pair] = self.priced.pop(old)
            for i, x in enumerate(self._column(*pair)):
                self.matrix[k, i] = x
