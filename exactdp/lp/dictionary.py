# SPDX-License-Identifier: MIT
"""A dictionary of a linear program, pivoted exactly on raw numbers.

Each basic variable is an affine form of the nonbasic ones, which are all zero at the vertex that the
dictionary describes::

    x_k = β_k + Σ_j t_kj·x_j        z = ζ + Σ_j d_j·x_j

Forms are sparse dicts, with the constant under the key :data:`CONSTANT`. Over ℚ the numbers inside are
FLINT's own, which is several times faster than wrapped scalars; only scalars of the field go in and come out.
The class makes single moves and single choices; which of them, and when to stop, is the simplex method's
business.

A dictionary of a linear program that is not written out: forms and columns are computed from the factored
basis when asked for.

It answers the same questions as :class:`~exactdp.lp.dictionary.Tableau`. With J the basic variables and R the
rows whose logical is not basic, one pivot costs one factorisation of A[R,J] (mostly chains, so nearly free)
and three solves with it, and no fill accumulates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import chain
from typing import Any

from exactdp.exact.field import OrderedField
from exactdp.exact.rational import QQ, _wrap
from exactdp.lp.sparse import Factors, combine_raw

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

    # What stands in the dictionary
    # ------------------------------------------------------------------------------------

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

    # Moves
    # --------------------------------------------------------------------------------------------------------------

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
        """Make ``entering`` basic and ``leaving`` nonbasic, as far as the rank allows, shortest forms
        first.
        """
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
        """Make the free variables basic where they touch a variable with a sign; the others touch free ones
        only.
        """
        nonbasic = {j for j, kind in enumerate(self._kinds) if kind == Kind.FREE and j not in self._rows}
        for q in sorted(nonbasic):
            touched = [k for k, row in self._rows.items() if q in row and self._kinds[k] != Kind.FREE]
            if touched:
                self.pivot(min(touched, key=lambda k: (len(self._rows[k]), k)), q)

    def shift_costs(self) -> None:
        """Set the objective aside for one with the absolute values of its reduced costs, which is dual
        feasible.
        """
        self._shifted = self._cost
        self._cost = {j: abs(v) for j, v in self._shifted.items() if j != CONSTANT and self._kinds[j] == Kind.NONNEGATIVE}

    def restore_costs(self) -> None:
        """Return to the objective that :meth:`shift_costs` set aside."""
        if self._shifted is not None:
            self._cost, self._shifted = self._shifted, None

    # Choices
    # ------------------------------------------------------------------------------------------------------------

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
        """A variable with a negative reduced cost: the steepest, or with ``bland`` the first; None at an
        optimum.
        """
        kinds = self._kinds
        negative = [(d, j) for j, d in self._cost.items() if j != CONSTANT and d < 0 and kinds[j] == Kind.NONNEGATIVE]
        if not negative:
            return None
        return min(j for _, j in negative) if bland else min(negative)[1]

    def leaving_primal(self, q: int, *, bland: bool) -> tuple[int | None, bool]:
        """The variable that first reaches its bound as q grows (None: never), and whether q does not move at
        all.
        """
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
        """The variable that brings k to its bound and keeps the reduced costs ≥ 0; None if nothing moves k
        that way.
        """
        return dual_ratio_test(self._rows[k], self._cost, self._kinds, bland=bland)

    def is_degenerate(self, q: int) -> bool:
        """Whether the reduced cost of the nonbasic variable q is zero."""
        return q not in self._cost


def dual_ratio_test(row: Mapping[int, Any], cost: Mapping[int, Any], kinds: Sequence[Kind], *, bland: bool) -> int | None:
    """Which nonbasic variable may enter for the basic one with this form: the least ratio of reduced cost to
    coefficient, ties by size.
    """
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


Raw = dict[int, Any]


class RevisedTableau:
    """The dictionary of a basis; variables 0..n−1 are followed by the logicals n + i of the forms s_i = a_i·x
    − b_i.

    Parameters
    ----------
    field, forms, cost, kinds
        As for :class:`~exactdp.lp.dictionary.Tableau`; the forms are those of the variables n, n + 1, …

    Examples
    --------
    >>> N = Kind.NONNEGATIVE
    >>> tableau = RevisedTableau(QQ, {1: {0: QQ(2), CONSTANT: QQ(-1)}}, {0: QQ(1)}, [N, N])     # x1 = 2·x0 − 1
    >>> tableau.leaving(bland=False), tableau.entering_dual(1, bland=False)
    (1, 0)
    >>> tableau.pivot(1, 0)
    >>> tableau.form(0), tableau.value                                                          # x0 = 1/2 + x1/2
    ({1: Rational('1/2'), -1: Rational('1/2')}, Rational('1/2'))
    """

    def __init__(self, field: OrderedField, forms: Mapping[int, Mapping[int, Any]], cost: Mapping[int, Any], kinds: Sequence[Kind]) -> None:
        self._field = field
        self._rational = field == QQ
        self._kinds = kinds
        self._n = len(kinds) - len(forms)
        self._right: Raw = {}
        self._rows: list[Raw] = []
        self._columns: list[Raw] = [{} for _ in range(self._n)]
        for i in range(len(forms)):
            row = self._unwrap(forms[self._n + i])
            constant = row.pop(CONSTANT, None)
            if constant is not None:
                self._right[i] = -constant
            self._rows.append(row)
            for j, a in row.items():
                self._columns[j][i] = a
        self._cost = self._unwrap(cost)
        self._shifted: Raw | None = None
        self._factor(set(), set())

    def _unwrap(self, form: Mapping[int, Any]) -> Raw:
        return {j: v._q if self._rational else v for j, v in form.items() if v}

    def _scalar(self, raw: Any) -> Any:
        return _wrap(raw) if self._rational else raw

    def _factor(self, rows: set[int], columns: set[int]) -> None:
        """Stand at the basis of these rows R and columns J, or of the independent ones among them."""
        active = {i: {j: a for j, a in self._rows[i].items() if j in columns} for i in rows}
        self._factors = Factors.of_raw(self._field, active, columns)
        self._tight, self._basic = self._factors.rows, self._factors.columns
        self._point: Raw | None = None
        self._prices: Raw | None = None
        self._form: tuple[int, Raw] | None = None

    # What stands in the dictionary
    # ------------------------------------------------------------------------------------

    def _values(self) -> Raw:
        if self._point is None:
            x = self._factors.solve_raw(self._right)
            self._point = x | self._slacks(x, minus=self._right)
        return self._point

    def _slacks(self, x: Raw, minus: Raw) -> Raw:
        """a_i·x − minus_i for the basic logicals, without zeros."""
        total: Raw = {i: -b for i, b in minus.items() if i not in self._tight}
        for j, v in x.items():
            for i, a in self._columns[j].items():
                if i not in self._tight:
                    total[i] = total[i] + a * v if i in total else a * v
        return {self._n + i: v for i, v in total.items() if v}

    def _reduced(self) -> Raw:
        """The non-zero reduced costs of the nonbasic variables, and the objective's value under CONSTANT."""
        if self._prices is None:
            n = self._n
            cost = {j: v for j, v in self._cost.items() if 0 <= j < n}
            for k, c in self._cost.items():
                if k >= n and k - n not in self._tight:
                    for j, a in self._rows[k - n].items():
                        cost[j] = cost[j] + c * a if j in cost else c * a
            y = self._factors.solve_transposed_raw(cost)
            prices = self._less(cost, y)
            for i in self._tight:
                d = y.get(i, 0) + self._cost.get(n + i, 0)
                if d:
                    prices[n + i] = d
            values = self._values()
            total = sum((c * values[k] for k, c in self._cost.items() if k in values), self._cost.get(CONSTANT, 0))
            if total:
                prices[CONSTANT] = total
            self._prices = prices
        return self._prices

    def _less(self, start: Raw, y: Raw) -> Raw:
        """What Σ_i y_i a_i leaves of ``start`` on the nonbasic variables, without zeros."""
        if self._rational:
            basic = self._basic
            total = combine_raw([(w, {j: a for j, a in self._rows[i].items() if j not in basic}) for i, w in y.items()])
            for j, v in start.items():
                if j not in basic:
                    total[j] = v - total[j] if j in total else v
            return {j: v if j in start else -v for j, v in total.items() if v}
        total = {j: v for j, v in start.items() if j not in self._basic}
        for i, weight in y.items():
            for j, a in self._rows[i].items():
                if j not in self._basic:
                    total[j] = total[j] - weight * a if j in total else -weight * a
        return {j: v for j, v in total.items() if v}

    def _raw_form(self, k: int) -> Raw:
        if self._form is None or self._form[0] != k:
            n = self._n
            start: Raw = {} if k < n else self._rows[k - n]
            rho = self._factors.solve_transposed_raw({k: self._field.one._q if self._rational else self._field.one} if k < n else start)
            form = self._less(start, rho)
            form.update((n + i, v) for i, v in rho.items())
            constant = self._values().get(k)
            if constant is not None:
                form[CONSTANT] = constant
            self._form = k, form
        return self._form[1]

    def _raw_column(self, q: int) -> Raw:
        n = self._n
        if q < n:
            entering = self._columns[q]
            x = self._factors.solve_raw({i: -a for i, a in entering.items()})
            return x | self._slacks(x, minus={i: -a for i, a in entering.items()})
        x = self._factors.solve_raw({q - n: self._field.one._q if self._rational else self._field.one})
        return x | self._slacks(x, minus={})

    @property
    def basic(self) -> Iterable[int]:
        """The basic variables."""
        return [*self._basic, *(self._n + i for i in range(len(self._rows)) if i not in self._tight)]

    @property
    def value(self) -> Any:
        """The objective at the vertex."""
        return self._scalar(self._reduced()[CONSTANT]) if CONSTANT in self._reduced() else self._field.zero

    def form(self, k: int) -> dict[int, Any]:
        """The form of the basic variable k, as scalars."""
        return {j: self._scalar(v) for j, v in self._raw_form(k).items()}

    def costs(self) -> dict[int, Any]:
        """The objective's non-zero reduced costs and constant, as scalars."""
        return {j: self._scalar(v) for j, v in self._reduced().items()}

    def values(self) -> dict[int, Any]:
        """The basic variables that are not zero at the vertex."""
        return {k: self._scalar(v) for k, v in self._values().items()}

    def column(self, q: int) -> dict[int, Any]:
        """How each basic variable changes when the nonbasic variable q grows by 1."""
        return {k: self._scalar(v) for k, v in self._raw_column(q).items()}

    # Moves
    # --------------------------------------------------------------------------------------------------------------

    def pivot(self, leaving: int, entering: int) -> None:
        """Exchange a basic and a nonbasic variable whose coefficient is not zero."""
        rows, columns, n = set(self._tight), set(self._basic), self._n
        if leaving < n:
            columns.discard(leaving)
        else:
            rows.add(leaving - n)
        if entering < n:
            columns.add(entering)
        else:
            rows.discard(entering - n)
        self._factor(rows, columns)

    def install(self, entering: Iterable[int], leaving: Iterable[int]) -> None:
        """Make ``entering`` basic and ``leaving`` nonbasic, as far as the rank allows."""
        self._factor({k - self._n for k in leaving}, set(entering))

    def settle_free(self) -> None:
        """Make the free variables basic where they touch a variable with a sign; the others touch free ones
        only.
        """
        for q in [j for j, kind in enumerate(self._kinds) if kind == Kind.FREE and j not in self._basic]:
            touched = [k for k in self._raw_column(q) if self._kinds[k] != Kind.FREE]
            if touched:
                self.pivot(min(touched), q)

    def shift_costs(self) -> None:
        """Set the objective aside for one with the absolute values of its reduced costs, which is dual
        feasible.
        """
        prices = self._reduced()
        self._shifted = self._cost
        self._cost = {j: abs(v) for j, v in prices.items() if j != CONSTANT and self._kinds[j] == Kind.NONNEGATIVE}
        self._prices = None

    def restore_costs(self) -> None:
        """Return to the objective that :meth:`shift_costs` set aside."""
        if self._shifted is not None:
            self._cost, self._shifted, self._prices = self._shifted, None, None

    # Choices
    # ------------------------------------------------------------------------------------------------------------

    def is_primal_feasible(self) -> bool:
        """Whether the vertex satisfies all signs."""
        return self.leaving(bland=True) is None

    def is_dual_feasible(self) -> bool:
        """Whether no nonbasic variable may move to lower the objective."""
        return self.entering(bland=True) is None and self.escape() is None

    def escape(self) -> tuple[int, int] | None:
        """A nonbasic free variable that changes the objective, and the direction (±1) that lowers it."""
        for j, d in self._reduced().items():
            if j != CONSTANT and self._kinds[j] == Kind.FREE:
                return j, -1 if d > 0 else 1
        return None

    def entering(self, *, bland: bool) -> int | None:
        """A variable with a negative reduced cost: the steepest, or with ``bland`` the first; None at an
        optimum.
        """
        kinds = self._kinds
        negative = [(d, j) for j, d in self._reduced().items() if j != CONSTANT and d < 0 and kinds[j] == Kind.NONNEGATIVE]
        if not negative:
            return None
        return min(j for _, j in negative) if bland else min(negative)[1]

    def leaving_primal(self, q: int, *, bland: bool) -> tuple[int | None, bool]:
        """The variable that first reaches its bound as q grows (None: never), and whether q does not move at
        all.
        """
        values, best, ties = self._values(), None, list[tuple[Any, int]]()
        for k, t in self._raw_column(q).items():
            kind = self._kinds[k]
            if kind == Kind.FREE or (kind == Kind.NONNEGATIVE and t > 0):
                continue
            ratio = values[k] / -t if k in values else 0
            if best is None or ratio < best:
                best, ties = ratio, [(-abs(t), k)]
            elif ratio == best:
                ties.append((-abs(t), k))
        if not ties:
            return None, False
        return (min(k for _, k in ties) if bland else min(ties)[1]), not best

    def leaving(self, *, bland: bool) -> int | None:
        """A basic variable that violates its bound, the worst or with ``bland`` the first; None if all is
        well.
        """
        kinds = self._kinds
        wrong = [(-abs(v), k) for k, v in self._values().items() if kinds[k] == Kind.FIXED or (kinds[k] == Kind.NONNEGATIVE and v < 0)]
        if not wrong:
            return None
        return min(k for _, k in wrong) if bland else min(wrong)[1]

    def entering_dual(self, k: int, *, bland: bool) -> int | None:
        """The variable that brings k to its bound and keeps the reduced costs ≥ 0; None if nothing moves k
        that way.
        """
        return dual_ratio_test(self._raw_form(k), self._reduced(), self._kinds, bland=bland)

    def is_degenerate(self, q: int) -> bool:
        """Whether the reduced cost of the nonbasic variable q is zero."""
        return q not in self._reduced()
