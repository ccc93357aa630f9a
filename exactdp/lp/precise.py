# SPDX-License-Identifier: MIT
"""The revised simplex method in floating point of any precision, with columns that somebody else finds.

Minimise c·x with A·x = b and x ≥ 0, one variable perhaps free. Numbers are rounded to some hundreds of bits,
so the answer is a proposal. The inverse of the first basis is kept, and every pivot adds a factor (the
product form of the inverse).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb, arb_mat

from exactdp.exact import Rational

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

    Parameters
    ----------
    right : sequence of precise numbers
        b.
    columns : sequence of (name, column, cost)
        The first basis. The column with the name None belongs to a free variable, which never leaves.
    bits : int
        The precision.

    Raises
    ------
    ZeroDivisionError
        The columns are dependent.

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
