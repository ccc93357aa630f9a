# SPDX-License-Identifier: MIT
"""A dual simplex method for minimax remaps on a path, in floating point of any precision: an untrusted search on raw numbers.

The unknowns are v and t_jr ≥ 0 with Σ_r t_jr = s_j for each output j, the constraints Σ_jr t_jr a^|i−j| l(i,r) + slack_i = v for i ∈ S,
the objective v. One guess of each output, its *key*, stands for its equation, so that the basis has |S| columns; its inverse is
explicit. The weights λ (minus the row of v) are dual feasible from the start, λ = 1 at one input, and stay so: each pivot
mends the input or the entry that is most wrong, and λ spreads from there. Weights of very different sizes need long mantissas and
little else, which is why this finishes where doubles see nothing and exact pivots crawl.

By single crossing (MATH.md §1) a guess can only begin to tie at j if it lies between the best guesses of j − 1 and j + 1, so only
such pairs are priced.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, arb_mat, ctx, fmpq, fmpz

from exactdp.exact.rational import Rational

__all__ = ["RemapSimplex"]

GUARD = 40
"""Bits that rounding may have spoilt."""


class RemapSimplex:
    """One run of the method.

    Parameters
    ----------
    alpha : Rational
        The level a.
    known : sequence of int
        S, increasing, within 0..n.
    n : int
        The largest input and output.
    losses : sequence of rows of Rational
        l(i, ·) for i ∈ S, in the order of ``known``.
    start : int
        The position in ``known`` of the input where λ begins.
    bits : int
        The precision.
    """

    def __init__(self, alpha: Rational, known: Sequence[int], n: int, losses: Sequence[Sequence[Rational]], start: int, bits: int) -> None:
        self.bits, self.n, self.known, self.guesses = bits, n, list(known), len(losses[0])
        self.pivots = 0
        size = len(self.known)
        with ctx.workprec(bits):
            least = min(x for row in losses for x in row)._q
            self.losses = [[arb(x._q - least) for x in row] for row in losses]
            a = alpha._q
            self.power = [arb(a) ** k for k in range(n + 1)]
            self.scale = [arb((1 if j in (0, n) else 1 - a) / fmpq(1 + a)) for j in range(n + 1)]
            self.noise = arb(2) ** (GUARD - bits)
            self.jitter = random.Random(size)
            self.columns: dict[tuple[int, int], list[Any]] = {}
            best = min(range(self.guesses), key=lambda r: losses[start][r])
            self.key = [best] * (n + 1)
            self.ties: list[set[int]] = [{best} for _ in range(n + 1)]
            # basic variables: -1 is v, (j, r) a tie, i the slack of known[i]
            self.basic: list[Any] = [i if i != start else -1 for i in range(size)]
            self.inverse = arb_mat(size, size)
            for i in range(size):
                self.inverse[i, i] = 1
                self.inverse[i, start] = -1
            self.base = [sum((self._column(j, best)[i] * s for j, s in enumerate(self.scale)), arb(0)) for i in range(size)]
            self.priced: dict[tuple[int, int], int] = {}
            self.matrix: Any = None

    def _column(self, j: int, r: int) -> list[Any]:
        """a^|i−j| l(i,r), moved by less than matters so that no two guesses tie by chance."""
        found = self.columns.get((j, r))
        if found is None:
            half = self.bits // 2
            found = [
                (self.power[abs(i - j)] * row[r] * (1 + arb(fmpz(self.jitter.getrandbits(20))) * arb(2) ** (-half - 20))).mid()
                for i, row in zip(self.known, self.losses, strict=True)
            ]
            self.columns[j, r] = found
        return found

    def run(self, limit: int, progress: Callable[[int], None] | None = None) -> tuple[list[bool], list[list[int]]] | None:
        """Pivot to the end: which inputs of S carry weight, and each output's tied guesses; None if it stalls."""
        with ctx.workprec(self.bits):
            while self.pivots < limit:
                leaving = self._leaving()
                if leaving is None:
                    silent = {name for name in self.basic if isinstance(name, int)}
                    return [i not in silent for i in range(len(self.known))], [sorted(tied) for tied in self.ties]
                if not self._pivot(leaving):
                    return None
                self.pivots += 1
                if progress is not None:
                    progress(self.pivots)
        return None

    # One step ---------------------------------------------------------------------------------------------------------

    def _leaving(self) -> int | None:
        """The row of the basic variable that is most negative, after a change of key if it is a key."""
        size = len(self.known)
        x = (self.inverse * arb_mat(size, 1, [-b for b in self.base])).entries()
        rest = list(self.scale)
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
        for j, value in enumerate(rest):
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
        """The nonbasic variable whose reduced cost first reaches zero as the leaving one is mended; None if there is none."""
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
        with ctx.workprec(53):
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
        """Price every pair (j, r) with r between the best guesses of j's neighbours; other pairs stay until their place is needed."""
        n, size = self.n, len(self.known)
        needed: set[tuple[int, int]] = set()
        for j, tied in enumerate(self.ties):
            low = min(self.ties[j - 1]) if j else 0
            high = max(self.ties[j + 1]) if j < n else self.guesses - 1
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

