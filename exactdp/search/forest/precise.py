# SPDX-License-Identifier: MIT
"""Column generation on a forest in floating point of any precision, from a basis that doubles found.

Rays that differ only far from their peaks, where probabilities are tiny, are all alike to doubles. Here the
revised simplex method goes on with some hundreds of bits. Pricing folds leaves, as in doubles.

:class:`PreciseSimplex` takes columns that somebody else finds: minimise c·x with A·x = b and x ≥ 0, one
variable perhaps free. Numbers are rounded, so the answer is a proposal. The inverse of the first basis is
kept, and every pivot adds a factor (the product form of the inverse).

Of 40 searches on paths and trees of 40 to 60 vertices 12 come here. Two of these are on paths at the level
1/100: one takes 4 seconds instead of 38, the other 20, where without these digits 40 were not enough.

References
----------
G. B. Dantzig and W. Orchard-Hays (1954), *The product form for the inverse in the simplex method*,
Mathematical Tables and Other Aids to Computation 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb, arb_mat

from exactdp.exact import Rational
from exactdp.exact.balls import PRECISION, workprec
from exactdp.runtime.progress import Listener, Progress
from exactdp.search.forest.rays import Column, Forest, Ray

LOST = 100
"""Numbers below 2^(LOST − precision) are errors of rounding."""

WORN = 40
"""A vertex is computed anew when it misses its equations by 2^(LOST − WORN − precision)."""

PENALTY = 10**6
"""What a variable costs that would be negative in the first basis, until it has left."""


def precise_number(x: Rational | int) -> Any:
    """The number, rounded to the bits that are set (:func:`exactdp.exact.balls.working_precision`).

    >>> float(precise_number(Rational("1/4")))
    0.25
    """
    return arb(x._q if isinstance(x, Rational) else x).mid()


class PreciseSimplex:
    """A basis of columns with its vertex and multipliers; only inside ``working_precision(bits)``.

    * ``right``: b.
    * ``columns``: the first basis. The column with the name None belongs to a free variable, which never
      leaves.
    * ``bits``: the precision.
    * raises ZeroDivisionError: the columns are dependent.

    Attributes
    ----------
    names : list
        Of the basic variables.

    Examples
    --------
    >>> from exactdp.exact.balls import PRECISION, workprec
    >>> with PRECISION, workprec(192):
    ...     zero, one, two = map(precise_number, (0, 1, 2))
    ...     simplex = PreciseSimplex([one], [("dear", [one], two)], 192)
    ...     simplex.enter("cheap", [two], one), simplex.names, float(simplex.multipliers()[0])
    (True, ['cheap'], 0.5)
    """

    def __init__(self, right: Sequence[Any], columns: Sequence[tuple[Any, Sequence[Any], Any]], bits: int) -> None:
        self._rows = len(right)
        self._right = arb_mat(self._rows, 1, list(right))
        self.zero = arb(2) ** (LOST - bits)
        self.names = [name for name, _, _ in columns]
        self._columns: list[Sequence[Any]] = [column for _, column, _ in columns]
        self._costs = [cost for _, _, cost in columns]
        self._penalised: set[int] = set()
        self._first = self._x = self._y = arb_mat(0, 0)
        self._factors: list[tuple[int, arb, arb_mat]] = []  # place, pivot, and its column
        self._factor()
        for place, name in enumerate(self.names):
            if name is not None and self._x[place, 0] < -self.zero:
                self._penalised.add(place)
                self._columns[place] = [-v for v in self._columns[place]]
                self._costs[place] = arb(PENALTY)
                for j in range(self._rows):
                    self._first[place, j] = -self._first[place, j]
        self._solve()

    def _factor(self) -> None:
        """The inverse of the basis, and the vertex."""
        size = self._rows
        matrix = arb_mat(size, size, [self._columns[j][i] for i in range(size) for j in range(size)])
        unit = arb_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
        self._first, self._factors = matrix.solve(unit, algorithm="approx").mid(), []
        self._solve()

    def _solve(self) -> None:
        self._x = (self._first * self._right).mid()
        self._y = (arb_mat(1, self._rows, self._costs) * self._first).mid()

    @property
    def pivots(self) -> int:
        """How many there were since the last factorisation."""
        return len(self._factors)

    @property
    def is_feasible(self) -> bool:
        """Whether no variable of the first basis that was negative is still there."""
        return not any(self._x[place, 0] > self.zero for place in self._penalised)

    def multipliers(self) -> list[Any]:
        """The multipliers of the rows, of a basis that is factored anew if errors have grown."""
        if self._factors and self._is_worn():
            self._factor()
        return [self._y[0, j] for j in range(self._rows)]

    def _is_worn(self) -> bool:
        left = [-self._right[i, 0] for i in range(self._rows)]
        for j, column in enumerate(self._columns):
            x = self._x[j, 0]
            for i, v in enumerate(column):
                if v != 0:
                    left[i] += v * x
        return any(abs(v.mid()) > self.zero * arb(2) ** -WORN for v in left)

    def enter(self, name: Any, vector: Sequence[Any], cost: Any) -> bool:
        """Let a variable enter the basis if it lowers the objective; False if nothing would stop it."""
        column = arb_mat(self._rows, 1, list(vector))
        price = (cost - (self._y * column)[0, 0]).mid()
        if not price < -self.zero:
            return True
        column = (self._first * column).mid()
        for place, pivot, other in self._factors:
            share = (column[place, 0] / pivot).mid()
            column = (column - other * share).mid()
            column[place, 0] = share
        leaving, step = -1, arb(0)
        for place, known in enumerate(self.names):
            if known is not None and column[place, 0] > self.zero:
                ratio = (self._x[place, 0] / column[place, 0]).mid()
                if leaving < 0 or ratio < step:
                    leaving, step = place, ratio
        if leaving < 0:
            return False
        pivot = column[leaving, 0]
        self._y = (self._y + self._row(leaving) * (price / pivot).mid()).mid()
        self._x = (self._x - column * step).mid()
        self._x[leaving, 0] = step
        self._factors.append((leaving, pivot, column))
        self.names[leaving], self._costs[leaving], self._columns[leaving] = name, cost, vector
        self._penalised.discard(leaving)
        return True

    def _row(self, place: int) -> arb_mat:
        """A row of the inverse of the basis."""
        row = arb_mat(1, self._rows, [int(j == place) for j in range(self._rows)])
        for k, pivot, column in reversed(self._factors):
            row[0, k] = ((row[0, k] * (1 + column[k, 0]) - (row * column)[0, 0]) / pivot).mid()
        return (row * self._first).mid()


BITS = 320
"""The first precision."""

ROUNDS = 500
"""At most so many rounds of pricing."""


class PreciseMaster:
    """The master problem of :mod:`~exactdp.search.forest.forest_optimum`, rounded to some hundreds of bits.

    * ``forest``: where the rays live.
    * ``loss``: l(i, r), inputs × guesses.
    * ``known``: the inputs with a row for their loss; none for a Bayesian consumer.
    * ``prior``: of a Bayesian consumer, else empty.
    * ``basic``: the first basis: columns, and the numbers of the inputs whose loss may be below d. The
      variable d is basic for a minimax consumer.
    * ``bits``: the precision.
    * raises ZeroDivisionError: the columns are dependent.

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
