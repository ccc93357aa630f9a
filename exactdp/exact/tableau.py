# SPDX-License-Identifier: MIT
"""A dictionary of a linear program, pivoted exactly on raw numbers.

Each basic variable is an affine form of the nonbasic ones, which are all zero at the vertex that the dictionary describes::

    x_k = β_k + Σ_j t_kj·x_j        z = ζ + Σ_j d_j·x_j

Forms are sparse dicts, with the constant under the key :data:`CONSTANT`. Over ℚ the numbers inside are FLINT's own, which
is several times faster than wrapped scalars; only scalars of the field go in and come out.
The class makes single moves and single choices; which of them, and when to stop, is the simplex method's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import chain
from typing import Any

from exactdp.exact.field import OrderedField
from exactdp.exact.rational import QQ, _wrap

__all__ = ["CONSTANT", "Kind", "Tableau", "dual_ratio_test"]

CONSTANT = -1
"""The key of the constant of a form."""


class Kind(IntEnum):
    """Where a variable may live: x ≥ 0, any x, or x = 0."""

    NONNEGATIVE = 0
    FREE = 1
    FIXED = 2


class Tableau:
    """A dictionary; pivoting changes it in place.

    Parameters
    ----------
    field : OrderedField
        The field of all numbers.
    forms : mapping from a basic variable to {variable or CONSTANT: scalar}
        The right-hand sides of the basic variables, over nonbasic ones.
    cost : {variable or CONSTANT: scalar}
        The objective, to be minimised, over nonbasic variables.
    kinds : sequence of Kind
        One for each variable.

    Examples
    --------
    >>> N = Kind.NONNEGATIVE
    >>> tableau = Tableau(QQ, {1: {0: QQ(2), CONSTANT: QQ(-1)}}, {0: QQ(1)}, [N, N])     # x1 = 2·x0 − 1
    >>> tableau.leaving(bland=False), tableau.entering_dual(1, bland=False)
    (1, 0)
    >>> tableau.pivot(1, 0)
    >>> tableau.form(0), tableau.value                                                   # x0 = 1/2 + x1/2
    ({-1: Rational('1/2'), 1: Rational('1/2')}, Rational('1/2'))
    """

    __slots__ = ("_cost", "_field", "_kinds", "_rational", "_rows", "_shifted")

    def __init__(self, field: OrderedField, forms: Mapping[int, Mapping[int, Any]], cost: Mapping[int, Any], kinds: Sequence[Kind]) -> None:
        self._field = field
        self._rational = field == QQ
        self._kinds = kinds
        self._rows: dict[int, dict[int, Any]] = {k: self._unwrap(form) for k, form in forms.items()}
        self._cost = self._unwrap(cost)
        self._shifted: dict[int, Any] | None = None

    def _unwrap(self, form: Mapping[int, Any]) -> dict[int, Any]:
        if self._rational:
            return {j: v._q for j, v in form.items() if v}
        return {j: v for j, v in form.items() if v}

    def _scalar(self, raw: Any) -> Any:
        return _wrap(raw) if self._rational else raw

    # What stands in the dictionary ------------------------------------------------------------------------------------

    @property
    def basic(self) -> Iterable[int]:
        """The basic variables."""
        return self._rows.keys()

    @property
    def value(self) -> Any:
        """The objective at the vertex."""
        return self._scalar(self._cost[CONSTANT]) if CONSTANT in self._cost else self._field.zero

    def form(self, k: int) -> dict[int, Any]:
        """The form of the basic variable k, as scalars."""
        return {j: self._scalar(v) for j, v in self._rows[k].items()}

    def costs(self) -> dict[int, Any]:
        """The objective's non-zero reduced costs and constant, as scalars."""
        return {j: self._scalar(v) for j, v in self._cost.items()}

    def values(self) -> dict[int, Any]:
        """The basic variables that are not zero at the vertex."""
        return {k: self._scalar(row[CONSTANT]) for k, row in self._rows.items() if CONSTANT in row}

    def column(self, q: int) -> dict[int, Any]:
        """How each basic variable changes when the nonbasic variable q grows by 1."""
        return {k: self._scalar(row[q]) for k, row in self._rows.items() if q in row}

    # Moves --------------------------------------------------------------------------------------------------------------

    def pivot(self, leaving: int, entering: int) -> None:
        """Exchange a basic and a nonbasic variable whose coefficient is not zero."""
        row = self._rows.pop(leaving)
        inverse = 1 / row.pop(entering)
        minus = -inverse
        row = {j: v * minus for j, v in row.items()}
        row[leaving] = inverse
        items = list(row.items())
        extra = [self._cost] if self._shifted is None else [self._cost, self._shifted]
        for other in chain(self._rows.values(), extra):
            factor = other.pop(entering, None)
            if factor is None:
                continue
            for j, v in items:
                old = other.get(j)
                if old is None:
                    other[j] = factor * v
                else:
                    new = old + factor * v
                    if new:
                        other[j] = new
                    else:
                        del other[j]
        self._rows[entering] = row

    def install(self, entering: Iterable[int], leaving: Iterable[int]) -> None:
        """Make ``entering`` basic and ``leaving`` nonbasic, as far as the rank allows, shortest forms first."""
        targets, sources = set(entering), {k for k in leaving if k in self._rows}
        while sources:
            k = min(sources, key=lambda k: (len(self._rows[k]), k))
            sources.discard(k)
            candidates = targets.intersection(self._rows[k])
            if candidates:
                q = min(candidates)
                targets.discard(q)
                self.pivot(k, q)

    def settle_free(self) -> None:
        """Make the free variables basic where they touch a variable with a sign; the others touch free ones only."""
        nonbasic = {j for j, kind in enumerate(self._kinds) if kind == Kind.FREE and j not in self._rows}
        for q in sorted(nonbasic):
            touched = [k for k, row in self._rows.items() if q in row and self._kinds[k] != Kind.FREE]
            if touched:
                self.pivot(min(touched, key=lambda k: (len(self._rows[k]), k)), q)

    def shift_costs(self) -> None:
        """Set the objective aside for one with the absolute values of its reduced costs, which is dual feasible."""
        self._shifted = self._cost
        self._cost = {j: abs(v) for j, v in self._shifted.items() if j != CONSTANT and self._kinds[j] == Kind.NONNEGATIVE}

    def restore_costs(self) -> None:
        """Return to the objective that :meth:`shift_costs` set aside."""
        if self._shifted is not None:
            self._cost, self._shifted = self._shifted, None

    # Choices ------------------------------------------------------------------------------------------------------------

    def is_primal_feasible(self) -> bool:
        """Whether the vertex satisfies all signs."""
        return self.leaving(bland=True) is None

    def is_dual_feasible(self) -> bool:
        """Whether no nonbasic variable may move to lower the objective."""
        return self.entering(bland=True) is None and self.escape() is None

    def escape(self) -> tuple[int, int] | None:
        """A nonbasic free variable that changes the objective, and the direction (±1) that lowers it."""
        for j, d in self._cost.items():
            if j != CONSTANT and self._kinds[j] == Kind.FREE:
                return j, -1 if d > 0 else 1
        return None

    def entering(self, *, bland: bool) -> int | None:
        """A variable with a negative reduced cost: the steepest, or with ``bland`` the first; None at an optimum."""
        kinds = self._kinds
        negative = [(d, j) for j, d in self._cost.items() if j != CONSTANT and d < 0 and kinds[j] == Kind.NONNEGATIVE]
        if not negative:
            return None
        return min(j for _, j in negative) if bland else min(negative)[1]

    def leaving_primal(self, q: int, *, bland: bool) -> tuple[int | None, bool]:
        """The variable that first reaches its bound as q grows (None: never), and whether q does not move at all."""
        best: Any = None
        ties: list[int] = []
        for k, row in self._rows.items():
            t = row.get(q)
            kind = self._kinds[k]
            if t is None or kind == Kind.FREE or (kind == Kind.NONNEGATIVE and t > 0):
                continue
            ratio = row[CONSTANT] / -t if CONSTANT in row else 0
            if best is None or ratio < best:
                best, ties = ratio, [k]
            elif ratio == best:
                ties.append(k)
        if not ties:
            return None, False
        return (min(ties) if bland else min(ties, key=lambda k: (len(self._rows[k]), k))), not best

    def leaving(self, *, bland: bool) -> int | None:
        """A basic variable that violates its bound; None if all is well.

        With ``bland`` the first one; otherwise the one with the shortest form, which keeps later forms short (two to four
        times faster on mechanism problems than the worst violation, with as many pivots).
        """
        kinds = self._kinds
        wrong = []
        for k, row in self._rows.items():
            beta = row.get(CONSTANT)
            if beta is not None and kinds[k] != Kind.FREE and (kinds[k] == Kind.FIXED or beta < 0):
                wrong.append((len(row), -abs(beta), k))
        if not wrong:
            return None
        return min(k for _, _, k in wrong) if bland else min(wrong)[2]

    def entering_dual(self, k: int, *, bland: bool) -> int | None:
        """The variable that brings k to its bound and keeps the reduced costs ≥ 0; None if nothing moves k that way."""
        return dual_ratio_test(self._rows[k], self._cost, self._kinds, bland=bland)

    def is_degenerate(self, q: int) -> bool:
        """Whether the reduced cost of the nonbasic variable q is zero."""
        return q not in self._cost


def dual_ratio_test(row: Mapping[int, Any], cost: Mapping[int, Any], kinds: Sequence[Kind], *, bland: bool) -> int | None:
    """Which nonbasic variable may enter for the basic one with this form: the least ratio of reduced cost to coefficient, ties by size."""
    upwards = row[CONSTANT] < 0
    best: Any = None
    choice: int | None = None
    for j, t in row.items():
        if j == CONSTANT or kinds[j] != Kind.NONNEGATIVE or (t > 0) != upwards:
            continue
        size = abs(t)
        ratio = cost[j] / size if j in cost else 0
        key = (ratio, j) if bland else (ratio, -size, j)
        if best is None or key < best:
            best, choice = key, j
    return choice
