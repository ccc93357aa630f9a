# SPDX-License-Identifier: MIT
"""Column generation on a forest in doubles: for all guesses at once, with HiGHS for the master problem.

The master problem of :mod:`~exactdp.search.forest.forest_optimum`, its columns kept as arrays. In each round
HiGHS goes on from its last basis, and every guess adds its cheapest rays by mean cost (Dinkelbach's method:
with ρ the mean cost of the last ray found, look for a ray cheap for c − ρ).

HiGHS's tolerance for reduced costs is absolute. When no column is missing any more the objective is
magnified, which makes the tolerance smaller, and the rounds go on.

References
----------
W. Dinkelbach (1967), *On nonlinear fractional programming*, Management Science 13, 492–498.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from exactdp.lp.highs import FloatAnswer, FloatProgram, ask_highs
from exactdp.lp.problem import Basis
from exactdp.runtime.progress import Listener, Progress
from exactdp.search.forest.rays import Column, Forest

STALE = 3
"""After so many rounds without a better objective the rest are errors of rounding."""

CROWD = 8
"""With more columns than this a row, those that are not in use are forgotten."""

CLOSE = 1e-7
"""A column that is not in use is kept at the end if its price is below this."""

MANY = 3
"""At most so many columns for a guess in one round."""

MAGNIFIED = ((1.0, 1e-11, 300), (1e3, 1e-13, 12))
"""What the objective is multiplied by, one after the other (at 10⁵ HiGHS gives up), which share of the losses
is not worth a round as a column's price, and at most how many rounds there are.
"""

TINY = 1e-12
"""Smaller coefficients are left out, as HiGHS would."""


class DoubleMaster:
    """The master problem in doubles.

    * ``forest``: where the rays live.
    * ``loss``: l(i, r), inputs × guesses.
    * ``known``: the inputs with a row for their loss; none for a Bayesian consumer.
    * ``prior``: of a Bayesian consumer, else empty.

    >>> from exactdp.model import Graph
    >>> master = DoubleMaster(Forest(Graph.path(2)), 0.5, [[0.0, 1.0], [1.0, 0.0]], [0, 1], [])
    >>> master.add([(0, ((0, 0), (1, 1))), (1, ((0, 1), (1, 0)))])
    2
    >>> master.columns[0]
    (0, ((0, 0), (1, 1)))
    >>> basis = master.rounds()                                 # None without HiGHS
    """

    def __init__(self, forest: Forest, alpha: float, loss: Sequence[Sequence[float]], known: Sequence[int], prior: Sequence[float]) -> None:
        self._forest, self._alpha = forest, alpha
        self._size = forest.size
        table = np.array(loss, dtype=float)
        self._unit = float(np.abs(table).max()) or 1.0
        self._loss = table / self._unit
        self._known = np.array(known, dtype=int)
        self._prior = np.array(prior, dtype=float) if len(prior) else None
        degree = np.array([len(near) for near in forest.near])
        self._scales = (1 - (degree - 1) * alpha) / (1 + alpha)
        self._edges = [(v, w) for v, w in enumerate(forest.parent) if w is not None]
        self._powers = alpha ** np.arange(2 * self._size + 2, dtype=float)
        self._heights = np.empty((self._size, 0), dtype=int)  # −1 where a ray is 0
        self._guesses = np.empty(0, dtype=int)
        self._matrix = np.empty((self._size + len(known), 0))
        self._costs = np.empty(0)
        self._present: set[tuple[int, bytes]] = set()

    @property
    def columns(self) -> list[Column]:
        """The columns so far."""
        pairs = zip(self._guesses.tolist(), self._heights.T.tolist(), strict=True)
        return [(r, tuple((v, k) for v, k in enumerate(heights) if k >= 0)) for r, heights in pairs]

    def add(self, columns: Sequence[Column]) -> int:
        """Take columns in that are not there yet; how many these were."""
        heights = np.full((self._size, len(columns)), -1)
        for place, (_, ray) in enumerate(columns):
            for v, k in ray:
                heights[v, place] = k
        return self._add(np.array([r for r, _ in columns], dtype=int), heights)

    def _add(self, guesses: Any, heights: Any) -> int:
        fresh = []
        for place, r in enumerate(guesses.tolist()):
            key = (r, heights[:, place].tobytes())
            if key not in self._present:
                self._present.add(key)
                fresh.append(place)
        if fresh:
            guesses, heights = guesses[fresh], heights[:, fresh]
            matrix, costs = self.coefficients(guesses, heights)
            self._heights = np.hstack([self._heights, heights])
            self._guesses = np.concatenate([self._guesses, guesses])
            self._matrix = np.hstack([self._matrix, matrix])
            self._costs = np.concatenate([self._costs, costs])
        return len(fresh)

    def coefficients(self, guesses: Any, heights: Any) -> tuple[Any, Any]:
        """The coefficients of columns, one beside the other, and their costs to a Bayesian consumer."""
        values = np.where(heights >= 0, self._powers[heights], 0.0)
        larger = np.zeros_like(heights)  # the number of larger neighbours
        for v, w in self._edges:
            larger[v] += heights[w] < heights[v]
            larger[w] += heights[v] < heights[w]
        sums = np.where(heights >= 0, (1 - larger) * values, 0.0)
        loss = self._loss[:, guesses] * values
        if self._prior is not None:
            return sums, self._prior @ loss
        return np.vstack([sums, -loss[self._known]]), np.zeros(len(guesses))

    @property
    def heights(self) -> Any:
        """The exponents k of the columns so far, one column beside the other; −1 where a ray is 0."""
        return self._heights

    @property
    def guesses(self) -> Any:
        """The guesses of the columns so far."""
        return self._guesses

    @property
    def scales(self) -> Any:
        """The right-hand sides of the inputs' rows."""
        return self._scales

    def rounds(self, report: Listener | None = None, stages: int = len(MAGNIFIED)) -> Basis | None:
        """Generate columns until there are no more, forget expensive ones; a basis of the rest, or None.

        Only so many of the stages of :data:`MAGNIFIED` are gone through.
        """
        basis: Basis | None = None
        number = 0
        for factor, small, most in MAGNIFIED[:stages]:
            least, stale, end = math.inf, 0, number + most
            while number < end and stale < STALE:
                if report is not None:
                    report(Progress("columns in doubles", number, unit="rounds", detail=f"{len(self._guesses)} columns"))
                number += 1
                found = ask_highs(self._program(factor), basis, scaled=False)
                if found is None or not found.optimal:
                    return basis
                value = float(self._scales @ np.array(found.multipliers[: self._size])) / factor
                stale = 0 if value < least - 10 * small else stale + 1
                least = min(least, value)
                guesses, heights = self._missing(found, factor, small)
                done = not len(guesses)
                flags = found.basis.columns
                if done or len(self._guesses) > CROWD * len(self._matrix):
                    flags = self._trimmed(found, CLOSE * factor if done else 0.0)
                added = self._add(guesses, heights)
                basis = Basis((*flags, *[False] * added), found.basis.rows)
                if not added:
                    break
        return basis

    def _program(self, factor: float) -> FloatProgram:
        bayesian = self._prior is not None
        matrix = np.where(np.abs(self._matrix) > TINY, self._matrix, 0.0).T
        places, index = np.nonzero(matrix)
        first = [] if bayesian else list(range(self._size, matrix.shape[1]))
        starts = len(first) + np.concatenate([[0], np.cumsum(np.bincount(places, minlength=len(matrix)))])
        scales = self._scales.tolist()
        rest = len(self._known)
        return FloatProgram(
            cost=[0.0 if bayesian else factor, *(self._costs * factor).tolist()],
            lower=[0.0 if bayesian else -math.inf] + [0.0] * len(matrix),
            upper=[math.inf] * (len(matrix) + 1),
            row_lower=scales + [0.0] * rest,
            row_upper=scales + [math.inf] * rest,
            starts=[0, *starts.tolist()],
            index=[*first, *index.tolist()],
            values=[1.0] * len(first) + matrix[places, index].tolist(),
            by_columns=True,
        )

    def _trimmed(self, found: FloatAnswer, most: float) -> tuple[bool, ...]:
        """Forget unused columns that cost more than ``most``; which variables of the rest are basic."""
        basic, reduced = np.array(found.basis.columns[1:], dtype=bool), np.array(found.reduced[1:])
        kept = np.nonzero(basic | (reduced <= most))[0]
        self._heights, self._guesses = self._heights[:, kept], self._guesses[kept]
        self._matrix, self._costs = self._matrix[:, kept], self._costs[kept]
        self._present = {(r, self._heights[:, place].tobytes()) for place, r in enumerate(self._guesses.tolist())}
        return (found.basis.columns[0], *basic[kept].tolist())

    def _missing(self, found: FloatAnswer, factor: float, small: float) -> tuple[Any, Any]:
        """Columns with a negative price: guesses and heights."""
        y = np.array(found.multipliers) / factor
        u, a = y[: self._size], self._alpha
        beside = np.zeros(self._size)
        for v, w in self._edges:
            beside[v] += u[w]
            beside[w] += u[v]
        degree = np.array([len(near) for near in self._forest.near])
        potentials = ((1 + (degree - 1) * a * a) * u - a * beside) / (1 - a * a)
        weights = np.zeros(self._size)
        if self._prior is None:
            weights[self._known] = y[self._size :]
        else:
            weights = self._prior
        return self._priced(weights[:, None] * self._loss - potentials[:, None], small)

    def _priced(self, costs: Any, small: float) -> tuple[Any, Any]:
        """Rays of negative mean cost for each column of costs: the last few of Dinkelbach's method."""
        guesses, found = [], []
        for root in self._forest.roots:
            members = self._forest.members[root]
            active = np.arange(costs.shape[1])
            means = np.full(len(active), -small)
            rounds: list[tuple[Any, Any]] = []
            while len(active):
                heights = self._folded(costs[:, active], means, members)
                values = self._powers[heights[members]]
                mean = (costs[members][:, active] * values).sum(0) / values.sum(0)
                better = mean < means
                active, means, heights = active[better], mean[better], heights[:, better]
                if len(active):
                    rounds.append((active, heights))
            taken = np.zeros(costs.shape[1], dtype=int)
            for active, heights in reversed(rounds):
                last = taken[active] < MANY
                guesses.append(active[last])
                found.append(heights[:, last])
                taken[active] += 1
        if not guesses:
            return np.empty(0, dtype=int), np.empty((self._size, 0), dtype=int)
        return np.concatenate(guesses), np.hstack(found)

    def _folded(self, costs: Any, means: Any, members: Sequence[int]) -> Any:
        """The cheapest ray of a tree for each column of costs less its mean: the heights."""
        a, parent = self._alpha, self._forest.parent
        folded, inverse = costs - means, 1 / self._alpha
        with np.errstate(over="ignore", invalid="ignore"):
            for v in reversed(members[1:]):
                folded[parent[v]] += np.minimum(folded[v] * a, folded[v] * inverse)  # g(t): the slope is a where t >= 0
            down = np.where(folded >= 0, 1, -1)
        heights = np.full(costs.shape, -1)
        heights[members[0]] = 0
        for v in members[1:]:
            heights[v] = heights[parent[v]] + down[v]
        heights[members] -= heights[members].min(0)
        return heights
