# SPDX-License-Identifier: MIT
"""Column generation on a forest in floating point of any precision, from a basis that doubles found.

Rays that differ only far from their peaks, where probabilities are tiny, are all alike to doubles. Here the
revised simplex method goes on with some hundreds of bits (:mod:`exactdp.lp.precise`). Pricing folds leaves,
as in doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.exact import Rational
from exactdp.exact.balls import PRECISION, workprec
from exactdp.lp.precise import PreciseSimplex, precise_number
from exactdp.runtime.progress import Listener, Progress
from exactdp.search.forest.rays import Column, Forest, Ray

BITS = 320
"""The first precision."""

ROUNDS = 500
"""At most so many rounds of pricing."""


class PreciseMaster:
    """The master problem of :mod:`~exactdp.search.forest.optimum`, rounded to some hundreds of bits.

    Parameters
    ----------
    forest : Forest
        Where the rays live.
    alpha : Rational
        The level.
    loss : rows of Rationals
        l(i, r), inputs × guesses.
    known : sequence of int
        The inputs with a row for their loss; none for a Bayesian consumer.
    prior : sequence of Rational
        Of a Bayesian consumer, else empty.
    basic : list of (Column or int)
        The first basis: columns, and the numbers of the inputs whose loss may be below d. The variable d is
        basic for a minimax consumer.
    bits : int, optional
        The precision.

    Raises
    ------
    ZeroDivisionError
        The columns are dependent.

    Examples
    --------
    >>> from exactdp.model import Graph
    >>> loss = [[Rational(0), Rational(1)], [Rational(1), Rational(0)]]
    >>> peaks = [(0, ((0, 0), (1, 1))), (0, ((0, 1), (1, 0)))]
    >>> master = PreciseMaster(Forest(Graph.path(2)), Rational("1/2"), loss, [0, 1], [], [*peaks, 0])
    >>> master.optimise(), len(master.basic)
    (True, 4)
    """

    def __init__(
        self,
        forest: Forest,
        alpha: Rational,
        loss: Sequence[Sequence[Rational]],
        known: Sequence[int],
        prior: Sequence[Rational],
        basic: Sequence[Column | int],
        bits: int = BITS,
    ) -> None:
        self.bits = bits
        self._forest, self._known = forest, list(known)
        self._size, self._rows = forest.size, forest.size + len(known)
        with PRECISION, workprec(bits):
            self._none, self._one, self._alpha = precise_number(0), precise_number(1), precise_number(alpha)
            self._inverse_alpha = (1 / self._alpha).mid()
            self._powers = [self._one]
            for _ in range(2 * self._size):
                self._powers.append((self._powers[-1] * self._alpha).mid())
            self._loss = [[precise_number(x) for x in row] for row in loss]
            self._prior = [precise_number(p) for p in prior]
            scales = [((1 - (len(near) - 1) * self._alpha) / (1 + self._alpha)).mid() for near in forest.near]
            names: list[Column | int | None] = [*([] if self._prior else [None]), *basic]
            right = scales + [self._none] * len(known)
            self._simplex = PreciseSimplex(right, [(name, *self._vector(name)) for name in names], bits)

    @property
    def basic(self) -> list[Column | int | None]:
        """The basic variables as the parameter names them, and None for d."""
        return list(self._simplex.names)

    def _vector(self, variable: Column | int | None) -> tuple[list[Any], Any]:
        """The column of a variable, and its cost."""
        vector, cost = [self._none] * self._rows, self._none
        if variable is None:
            return [self._one if place >= self._size else self._none for place in range(self._rows)], self._one
        if isinstance(variable, int):
            vector[self._size + variable] = -self._one
            return vector, cost
        r, ray = variable
        for v, k, sign in self._forest.turns(ray):
            vector[v] = self._powers[k] * sign
        heights = dict(ray)
        for place, i in enumerate(self._known, start=self._size):
            if i in heights:
                vector[place] = (-self._loss[i][r] * self._powers[heights[i]]).mid()
        if self._prior:
            cost = sum((self._prior[v] * self._loss[v][r] * self._powers[k] for v, k in ray), self._none).mid()
        return vector, cost

    def optimise(self, report: Listener | None = None) -> bool:
        """Pivot until no column is missing; whether that was reached."""
        for number in range(ROUNDS):
            with PRECISION, workprec(self.bits):
                entering = self._missing()
            if not entering:
                return self._simplex.is_feasible
            for name in entering:
                if report is not None:
                    report(Progress("columns, precisely", number, unit="rounds", detail=f"{self._simplex.pivots} pivots"))
                with PRECISION, workprec(self.bits):
                    if not self._simplex.enter(name, *self._vector(name)):
                        return False
        return False

    def _missing(self) -> list[Column | int]:
        """Variables that lower the objective: slacks of losses with a negative weight, the cheapest rays."""
        size, near = self._size, self._forest.near
        a, y = self._alpha, self._simplex.multipliers()
        found: list[Column | int] = [place for place in range(len(self._known)) if y[size + place] < -self._simplex.zero]
        weights = [self._none] * size
        for place, i in enumerate(self._known):
            weights[i] = y[size + place]
        weights = self._prior or weights
        norm = 1 - a * a
        beside = [sum((y[j] for j in others), self._none) for others in near]
        potentials = [(((1 + (len(b) - 1) * a * a) * u - a * t) / norm).mid() for b, u, t in zip(near, y, beside, strict=False)]
        priced: list[tuple[Any, Column]] = []
        for r in range(len(self._loss[0])):
            costs = [(w * row[r] - u).mid() for w, row, u in zip(weights, self._loss, potentials, strict=True)]
            priced.extend((mean, (r, ray)) for mean, ray in self._cheapest(costs))
        priced.sort(key=lambda pair: float(pair[0]))
        return found + [column for _, column in priced]

    def _cheapest(self, costs: list[Any]) -> list[tuple[Any, Ray]]:
        """For each tree the ray with the least mean cost, if that is negative (Dinkelbach's method)."""
        found = []
        for root in self._forest.roots:
            members = self._forest.members[root]
            mean, best = self._none, None
            while True:
                ray = self._folded(costs, mean, members)
                total, whole = self._none, self._none
                for v, k in ray:
                    total += costs[v] * self._powers[k]
                    whole += self._powers[k]
                here = (total / whole).mid()
                if not here < mean - (self._simplex.zero if best is None else -mean * self._simplex.zero):
                    break
                mean, best = here, ray
            if best is not None:
                found.append((mean, tuple(sorted(best))))
        return found

    def _folded(self, costs: list[Any], mean: Any, members: Sequence[int]) -> list[tuple[int, int]]:
        """The cheapest ray of a tree for these costs less their mean."""
        folded = {v: costs[v] - mean for v in members}
        steps = [1] * self._size
        for v in reversed(members):
            above = self._forest.parent[v]
            if above is not None:
                rising = folded[v] >= 0
                steps[v] = 1 if rising else -1
                folded[above] = (folded[above] + folded[v] * (self._alpha if rising else self._inverse_alpha)).mid()
        return self._forest.ray(members[0], steps)
