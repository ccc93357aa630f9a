# SPDX-License-Identifier: MIT
"""Dictionaries of a linear program: what the simplex method reads and changes, exactly.

Each basic variable is an affine form of the nonbasic ones, which are all zero at the vertex that the
dictionary describes::

    x_k = β_k + Σ_j t_kj·x_j        z = ζ + Σ_j d_j·x_j

There are two kinds. A :class:`Tableau` keeps all forms and changes them in a pivot. A :class:`RevisedTableau`
keeps the factored basis and computes a form or a column when it is asked for one; then a pivot costs one
factorisation (of mostly chains, so nearly nothing) and three solves, and no fill accumulates. They make
single moves and single choices; which of them, and when to stop, is the business of
:mod:`~exactdp.lp.solve`.

Forms are sparse dicts, with the constant under the key :data:`CONSTANT`. Over ℚ the numbers inside are
FLINT's own (raw), which is several times faster than wrapped scalars; only scalars of the field go in and
come out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import chain
from typing import Any

from exactdp.exact.field import OrderedField
from exactdp.exact.rational import QQ, _wrap
from exactdp.lp.sparse import Raw, SparseLU, combine_raw

CONSTANT = -1
"""The key of the constant of a form."""


class Bound(IntEnum):
    """Where a variable may be: x ≥ 0, any x, or x = 0."""

    NONNEGATIVE = 0
    FREE = 1
    FIXED = 2


class Dictionary(ABC):
    """What both kinds have in common; pivoting changes a dictionary in place.

    * ``field``: the field of all numbers.
    * ``cost``: the objective, to be minimised, over nonbasic variables.
    * ``bounds``: one for each variable.
    """

    __slots__ = ("_bounds", "_cost", "_field", "_prices", "_rational", "_shifted")

    def __init__(self, field: OrderedField, cost: Mapping[int, Any], bounds: Sequence[Bound]) -> None:
        self._field = field
        self._rational = field == QQ
        self._bounds = bounds
        self._cost = self._unwrap(cost)
        self._shifted: Raw | None = None
        self._prices: Raw | None = None

    def _unwrap(self, form: Mapping[int, Any]) -> Raw:
        if self._rational:
            return {j: v._q for j, v in form.items() if v}
        return {j: v for j, v in form.items() if v}

    def _scalar(self, raw: Any) -> Any:
        return _wrap(raw) if self._rational else raw

    def _scalars(self, raw: Raw) -> dict[int, Any]:
        return {j: self._scalar(v) for j, v in raw.items()}

    # --- What it says ---

    @property
    @abstractmethod
    def basic(self) -> Iterable[int]:
        """The basic variables."""

    @abstractmethod
    def _values(self) -> Raw:
        """The basic variables that are not zero at the vertex."""

    @abstractmethod
    def _reduced(self) -> Raw:
        """The non-zero reduced costs of the nonbasic variables, and the objective's value under CONSTANT."""

    @abstractmethod
    def _form(self, k: int) -> Raw:
        """The form of the basic variable k."""

    @abstractmethod
    def _column(self, q: int) -> Raw:
        """How each basic variable changes when the nonbasic variable q grows by 1, without zeros."""

    @property
    def value(self) -> Any:
        """The objective at the vertex."""
        reduced = self._reduced()
        return self._scalar(reduced[CONSTANT]) if CONSTANT in reduced else self._field.zero

    def form(self, k: int) -> dict[int, Any]:
        """The form of the basic variable k, as scalars."""
        return self._scalars(self._form(k))

    def costs(self) -> dict[int, Any]:
        """The objective's non-zero reduced costs and constant, as scalars."""
        return self._scalars(self._reduced())

    def values(self) -> dict[int, Any]:
        """The basic variables that are not zero at the vertex."""
        return self._scalars(self._values())

    def column(self, q: int) -> dict[int, Any]:
        """How each basic variable changes when the nonbasic variable q grows by 1."""
        return self._scalars(self._column(q))

    # --- Moves ---

    @abstractmethod
    def pivot(self, leaving: int, entering: int) -> None:
        """Exchange a basic and a nonbasic variable whose coefficient is not zero."""

    @abstractmethod
    def install(self, entering: Iterable[int], leaving: Iterable[int]) -> None:
        """Make ``entering`` basic and ``leaving`` nonbasic, as far as the rank allows."""

    def settle_free(self) -> None:
        """Make free variables basic where they touch a variable with a sign; others touch free ones only."""
        basic = set(self.basic)
        for q in [j for j, bound in enumerate(self._bounds) if bound == Bound.FREE and j not in basic]:
            touched = [k for k in self._column(q) if self._bounds[k] != Bound.FREE]
            if touched:
                self.pivot(min(touched, key=lambda k: (self._length(k), k)), q)

    def shift_costs(self) -> None:
        """Replace the objective, for a while, by its absolute reduced costs, which are dual feasible."""
        prices = self._reduced()
        self._shifted = self._cost
        self._cost = {j: abs(v) for j, v in prices.items() if j != CONSTANT and self._bounds[j] == Bound.NONNEGATIVE}
        self._prices = None

    def restore_costs(self) -> None:
        """Return to the objective that :meth:`shift_costs` set aside."""
        if self._shifted is not None:
            self._cost, self._shifted, self._prices = self._shifted, None, None

    # --- Choices ---

    @abstractmethod
    def _length(self, k: int) -> int:
        """What a pivot on the form of k costs; variables with short forms leave first."""

    @abstractmethod
    def _tie(self, k: int, t: Any) -> tuple[Any, ...]:
        """Of variables k (coefficient t) that reach bounds at once, that with the least key leaves."""

    def is_primal_feasible(self) -> bool:
        """Whether the vertex satisfies all signs."""
        return self.leaving(bland=True) is None

    def is_dual_feasible(self) -> bool:
        """Whether no nonbasic variable may move to lower the objective."""
        return self.entering(bland=True) is None and self.escape() is None

    def escape(self) -> tuple[int, int] | None:
        """A nonbasic free variable that changes the objective, and the direction (±1) that lowers it."""
        for j, d in self._reduced().items():
            if j != CONSTANT and self._bounds[j] == Bound.FREE:
                return j, -1 if d > 0 else 1
        return None

    def entering(self, *, bland: bool) -> int | None:
        """The variable with the least reduced cost < 0, or with ``bland`` the first; None at an optimum."""
        bounds = self._bounds
        negative = [(d, j) for j, d in self._reduced().items() if j != CONSTANT and d < 0 and bounds[j] == Bound.NONNEGATIVE]
        if not negative:
            return None
        return min(j for _, j in negative) if bland else min(negative)[1]

    def leaving_primal(self, q: int, *, bland: bool) -> tuple[int | None, bool]:
        """The variable that first reaches its bound as q grows, or None, and whether q does not move."""
        bounds, values = self._bounds, self._values()
        best: Any = None
        ties: list[tuple[int, Any]] = []
        for k, t in self._column(q).items():
            bound = bounds[k]
            if bound == Bound.FREE or (bound == Bound.NONNEGATIVE and t > 0):
                continue
            ratio = values[k] / -t if k in values else 0
            if best is None or ratio < best:
                best, ties = ratio, [(k, t)]
            elif ratio == best:
                ties.append((k, t))
        if not ties:
            return None, False
        return (min(k for k, _ in ties) if bland else min(ties, key=lambda pair: self._tie(*pair))[0]), not best

    def leaving(self, *, bland: bool) -> int | None:
        """A basic variable that violates its bound; None if all is well.

        With ``bland`` the first one; otherwise the one with the shortest form, where forms are kept (two to
        four times faster on mechanism problems than the worst violation, with as many pivots), and of those
        the worst.
        """
        bounds, values = self._bounds, self._values()
        wrong = [k for k, v in values.items() if bounds[k] == Bound.FIXED or (bounds[k] == Bound.NONNEGATIVE and v < 0)]
        if not wrong:
            return None
        return min(wrong) if bland else min((self._length(k), -abs(values[k]), k) for k in wrong)[2]

    def entering_dual(self, k: int, *, bland: bool) -> int | None:
        """The variable that brings k to its bound and keeps the reduced costs ≥ 0; None if none does.

        It is the one with the least ratio of reduced cost to coefficient, and of several the one with the
        largest coefficient.
        """
        row, cost, bounds = self._form(k), self._reduced(), self._bounds
        upwards = row[CONSTANT] < 0
        best: Any = None
        choice: int | None = None
        for j, t in row.items():
            if j == CONSTANT or bounds[j] != Bound.NONNEGATIVE or (t > 0) != upwards:
                continue
            size = abs(t)
            ratio = cost[j] / size if j in cost else 0
            key = (ratio, j) if bland else (ratio, -size, j)
            if best is None or key < best:
                best, choice = key, j
        return choice

    def is_degenerate(self, q: int) -> bool:
        """Whether the reduced cost of the nonbasic variable q is zero."""
        return q not in self._reduced()


class Tableau(Dictionary):
    """The dictionary with all its forms.

    * ``field``, ``cost``, ``bounds``: as for :class:`Dictionary`.
    * ``forms``: the right-hand sides of the basic variables, over nonbasic ones.

    >>> N = Bound.NONNEGATIVE
    >>> tableau = Tableau(QQ, {1: {0: QQ(2), CONSTANT: QQ(-1)}}, {0: QQ(1)}, [N, N])     # x1 = 2·x0 − 1
    >>> tableau.leaving(bland=False), tableau.entering_dual(1, bland=False)
    (1, 0)
    >>> tableau.pivot(1, 0)
    >>> tableau.form(0), tableau.value                                                   # x0 = 1/2 + x1/2
    ({-1: Rational('1/2'), 1: Rational('1/2')}, Rational('1/2'))
    """

    __slots__ = ("_rows",)

    def __init__(
        self, field: OrderedField, forms: Mapping[int, Mapping[int, Any]], cost: Mapping[int, Any], bounds: Sequence[Bound]
    ) -> None:
        super().__init__(field, cost, bounds)
        self._rows: dict[int, Raw] = {k: self._unwrap(form) for k, form in forms.items()}

    @property
    def basic(self) -> Iterable[int]:
        """The basic variables."""
        return self._rows.keys()

    def _values(self) -> Raw:
        return {k: row[CONSTANT] for k, row in self._rows.items() if CONSTANT in row}

    def _reduced(self) -> Raw:
        return self._cost

    def _form(self, k: int) -> Raw:
        return self._rows[k]

    def _column(self, q: int) -> Raw:
        return {k: row[q] for k, row in self._rows.items() if q in row}

    def _length(self, k: int) -> int:
        return len(self._rows[k])

    def _tie(self, k: int, t: Any) -> tuple[Any, ...]:
        return len(self._rows[k]), k

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
        """Make ``entering`` basic and ``leaving`` nonbasic, where the rank allows, shortest forms first."""
        targets, sources = set(entering), {k for k in leaving if k in self._rows}
        while sources:
            k = min(sources, key=lambda k: (len(self._rows[k]), k))
            sources.discard(k)
            candidates = targets.intersection(self._rows[k])
            if candidates:
                q = min(candidates)
                targets.discard(q)
                self.pivot(k, q)


class RevisedTableau(Dictionary):
    """The dictionary of a factored basis.

    Variables 0..n−1 are followed by the logicals n + i of the forms s_i = a_i·x − b_i. With J the basic
    variables and R the rows whose logical is not basic, A[R,J] is factored.

    * ``field``, ``forms``, ``cost``, ``bounds``: as for :class:`Tableau`; the forms are those of the
      variables n, n + 1, …

    >>> N = Bound.NONNEGATIVE
    >>> tableau = RevisedTableau(QQ, {1: {0: QQ(2), CONSTANT: QQ(-1)}}, {0: QQ(1)}, [N, N]) # x1 = 2·x0 − 1
    >>> tableau.leaving(bland=False), tableau.entering_dual(1, bland=False)
    (1, 0)
    >>> tableau.pivot(1, 0)
    >>> tableau.form(0), tableau.value                                                      # x0 = 1/2 + x1/2
    ({1: Rational('1/2'), -1: Rational('1/2')}, Rational('1/2'))
    """

    __slots__ = ("_basic", "_columns", "_factors", "_known_form", "_n", "_one", "_point", "_right", "_rows", "_tight")

    def __init__(
        self, field: OrderedField, forms: Mapping[int, Mapping[int, Any]], cost: Mapping[int, Any], bounds: Sequence[Bound]
    ) -> None:
        super().__init__(field, cost, bounds)
        self._one = field.one._q if self._rational else field.one
        self._n = len(bounds) - len(forms)
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
        self._factor(set(), set())

    def _factor(self, rows: set[int], columns: set[int]) -> None:
        """Go to the basis of these rows R and columns J, or of the independent ones among them."""
        active = {i: {j: a for j, a in self._rows[i].items() if j in columns} for i in rows}
        self._factors = SparseLU.of_raw(self._field, active, columns)
        self._tight, self._basic = self._factors.rows, self._factors.columns
        self._point: Raw | None = None
        self._prices = None
        self._known_form: tuple[int, Raw] | None = None

    @property
    def basic(self) -> Iterable[int]:
        """The basic variables."""
        return [*self._basic, *(self._n + i for i in range(len(self._rows)) if i not in self._tight)]

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
        basic = self._basic
        if self._rational:
            total = combine_raw([(w, {j: a for j, a in self._rows[i].items() if j not in basic}) for i, w in y.items()])
            for j, v in start.items():
                if j not in basic:
                    total[j] = v - total[j] if j in total else v
            return {j: v if j in start else -v for j, v in total.items() if v}
        total = {j: v for j, v in start.items() if j not in basic}
        for i, weight in y.items():
            for j, a in self._rows[i].items():
                if j not in basic:
                    total[j] = total[j] - weight * a if j in total else -weight * a
        return {j: v for j, v in total.items() if v}

    def _form(self, k: int) -> Raw:
        if self._known_form is None or self._known_form[0] != k:
            n = self._n
            start: Raw = {} if k < n else self._rows[k - n]
            rho = self._factors.solve_transposed_raw({k: self._one} if k < n else start)
            form = self._less(start, rho)
            form.update((n + i, v) for i, v in rho.items())
            constant = self._values().get(k)
            if constant is not None:
                form[CONSTANT] = constant
            self._known_form = k, form
        return self._known_form[1]

    def _column(self, q: int) -> Raw:
        n = self._n
        if q < n:
            minus = {i: -a for i, a in self._columns[q].items()}
            x = self._factors.solve_raw(minus)
            return x | self._slacks(x, minus=minus)
        x = self._factors.solve_raw({q - n: self._one})
        return x | self._slacks(x, minus={})

    def _length(self, k: int) -> int:
        return 0

    def _tie(self, k: int, t: Any) -> tuple[Any, ...]:
        return -abs(t), k

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
