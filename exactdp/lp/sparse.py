# SPDX-License-Identifier: MIT
"""Weighted sums of sparse rows, and products with a vector, with one denominator a sum instead of one a term.

Adding n long fractions one by one costs n greatest common divisors of ever longer numbers; integers over
known denominators cost one.

A square part of a sparse matrix, factored for solving with it and with its transpose.

Rows with at most two unknowns and columns with one entry are eliminated one by one: that unwinds the chains
x_i = α·x_j of tight privacy constraints without fill. What is left, the *core*, is solved as a dense matrix
(over ℚ FLINT lifts p-adically, with one denominator a row). Dependent rows and columns are found on the way
and left out.

Sparse linear systems over a field: a rank-revealing LU factorisation, over ℚ on FLINT's own rationals.

A system of m equations is reduced by Markowitz pivots (the entry whose row and column are thinnest), so that
chains and bands stay thin. Equations that turn out to be combinations of others are left out (``dependent``),
and unknowns without a pivot are ``free``; :meth:`SparseFactors.solve` sets them to zero and
:meth:`SparseFactors.kernel` to one.

Examples
--------
>>> from exactdp.exact import QQ
>>> factors = SparseFactors([{0: QQ(1), 1: QQ(-2)}, {0: QQ(2), 1: QQ(-4)}], 2)
>>> factors.rank, factors.dependent, factors.free
(1, [1], [1])
>>> factors.kernel(1)
{1: Rational('1'), 0: Rational('2')}
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq, fmpq_mat, fmpz, nmod_mat

from exactdp.exact.field import OrderedField
from exactdp.exact.rational import QQ, _wrap


def combine(field: OrderedField, terms: Iterable[tuple[Any, Mapping[int, Any]]]) -> dict[int, Any]:
    """Σ w·row over pairs (w, row), without zeros.

    >>> combine(QQ, [(QQ("1/2"), {0: QQ(4), 3: QQ(1)}), (QQ(-1), {0: QQ(2)})])
    {3: Rational('1/2')}
    """
    if field == QQ:
        raw = combine_raw([(w._q, {j: a._q for j, a in row.items()}) for w, row in terms])
        return {j: _wrap(v) for j, v in raw.items()}
    columns: dict[int, list[tuple[Any, Any]]] = {}
    for w, row in terms:
        for j, a in row.items():
            columns.setdefault(j, []).append((w, a))
    total = {j: field.dot(pairs) for j, pairs in columns.items()}
    return {j: v for j, v in total.items() if v}


def combine_raw(terms: list[tuple[fmpq, dict[int, fmpq]]]) -> dict[int, fmpq]:
    """The same on FLINT's numbers."""
    common = fmpz(1)
    for w, _ in terms:
        common = common.lcm(w.q)
    below: dict[int, fmpz] = {}
    for _, row in terms:
        for j, a in row.items():
            q = a.q
            if q != 1:
                below[j] = below[j].lcm(q) if j in below else q
    total: dict[int, fmpz] = {}
    for w, row in terms:
        weight = w.p * (common // w.q)
        for j, a in row.items():
            scale = below.get(j)
            term = weight * (a.p if scale is None else a.p * (scale // a.q))
            total[j] = total[j] + term if j in total else term
    return {j: fmpq(v, common * below[j] if j in below else common) for j, v in total.items() if v}


def products(field: OrderedField, rows: Iterable[Mapping[int, Any]], x: Mapping[int, Any]) -> list[Any]:
    """row·x for every row.

    >>> products(QQ, [{0: QQ(2), 5: QQ(1)}, {}], {0: QQ("1/4"), 1: QQ(3)})
    [Rational('1/2'), Rational('0')]
    """
    if field != QQ:
        return [field.dot((a, x[j]) for j, a in row.items() if j in x) for row in rows]
    common = fmpz(1)
    for v in x.values():
        common = common.lcm(v._q.q)
    integers = {j: v._q.p * (common // v._q.q) for j, v in x.items()}
    result = []
    for row in rows:
        terms = [(a._q, integers[j]) for j, a in row.items() if j in integers]
        scale = fmpz(1)
        for a, _ in terms:
            scale = scale.lcm(a.q)
        result.append(_wrap(fmpq(sum((a.p * (scale // a.q) * v for a, v in terms), fmpz(0)), common * scale)))
    return result


def residuals(field: OrderedField, rows: Iterable[tuple[Mapping[int, Any], Any]], x: Mapping[int, Any]) -> list[Any]:
    """row·x − right for pairs (row, right), up to positive factors: only their signs are meant.

    >>> [int(r) for r in residuals(QQ, [({0: QQ(2), 5: QQ("1/3")}, QQ("1/3")), ({1: QQ(1)}, QQ(4))], {0: QQ("1/4"), 1: QQ(3)})]
    [2, -4]
    """
    if field != QQ:
        return [field.dot((a, x[j]) for j, a in row.items() if j in x) - right for row, right in rows]
    common = fmpz(1)
    for v in x.values():
        common = common.lcm(v._q.q)
    integers = {j: v._q.p * (common // v._q.q) for j, v in x.items()}
    result: list[Any] = []
    for row, right in rows:
        terms = [(a._q.p, a._q.q, integers[j]) for j, a in row.items() if j in integers]
        if right:
            terms.append((-right._q.p, right._q.q, common))
        scale = fmpz(1)
        for _, q, _ in terms:
            if q != scale:
                scale = scale.lcm(q)
        total = fmpz(0)
        for p, q, v in terms:
            total += p * v if q == scale else p * (scale // q) * v
        result.append(total)
    return result


Raw = dict[int, Any]

_PRIMES = (4611686018427387847, 4611686018427387817, 4611686018427387787)
"""A core that is invertible modulo one of these is invertible."""


@dataclass(frozen=True, slots=True)
class _Step:
    """Row ``row`` with its unknowns ``entries`` gave variable ``column``; ``others``: (row, factor) it was
    subtracted from.
    """

    row: int
    column: int
    entries: Raw
    others: list[tuple[int, Any]] = field(default_factory=list)


class Factors:
    """A[rows, columns] for the independent ones among the rows and columns that are asked for.

    Parameters
    ----------
    number_field : OrderedField
        The field of all numbers.
    matrix : mapping from row to {column: scalar}
        The rows asked for; zeros may be left out.
    wanted : collection of int
        The columns asked for.

    Examples
    --------
    >>> factors = Factors(QQ, {7: {0: QQ(1), 1: QQ(-2)}, 8: {0: QQ(2), 1: QQ(-4)}}, {0, 1})
    >>> len(factors.rows), len(factors.columns)
    (1, 1)
    >>> Factors(QQ, {7: {0: QQ(1), 1: QQ(-2)}}, {0}).solve({7: QQ(3)})
    {0: Rational('3')}
    """

    def __init__(self, number_field: OrderedField, matrix: Mapping[int, Mapping[int, Any]], wanted: Collection[int]) -> None:
        rational = number_field == QQ
        raw = {i: {j: v._q if rational else v for j, v in row.items() if j in wanted} for i, row in matrix.items()}
        self._build(number_field, raw, wanted)

    @classmethod
    def of_raw(cls, number_field: OrderedField, active: dict[int, Raw], wanted: Collection[int]) -> Factors:
        """The same from rows of raw numbers, restricted to ``wanted`` already; they are used up."""
        result = object.__new__(cls)
        result._build(number_field, active, wanted)
        return result

    def _build(self, number_field: OrderedField, active: dict[int, Raw], wanted: Collection[int]) -> None:
        self._field = number_field
        self._rational = number_field == QQ
        self._active = active
        self._where: dict[int, set[int]] = {j: set() for j in wanted}
        for i, row in active.items():
            for j in row:
                self._where[j].add(i)
        self._steps: list[_Step] = []
        self._core: Any = None
        self._core_transposed: Any = None
        self._core_rows: list[int] = []
        self._core_columns: list[int] = []
        self._eliminate(thin_only=True)
        if not self._find_core():
            self._eliminate(thin_only=False)
        self.rows = {step.row for step in self._steps}.union(self._core_rows)
        self.columns = {step.column for step in self._steps}.union(self._core_columns)

    # Factoring
    # ----------------------------------------------------------------------------------------------------------

    def _find_core(self) -> bool:
        """Take what the thin steps left as a dense matrix, if it is square and non-singular."""
        rows, columns = [i for i, row in self._active.items() if row], [j for j, rows in self._where.items() if rows]
        if len(rows) != len(columns) or not rows:
            return not rows
        if not (self._invertible_modulo(rows, columns) if self._rational else self._invertible(rows, columns)):
            return False
        self._core_rows, self._core_columns = rows, columns
        self._core = self._dense(rows, columns)
        return True

    def _dense(self, rows: list[int], columns: list[int]) -> Any:
        if not self._rational:
            return self._field.pack([[self._active[i].get(j, self._field.zero) for j in columns] for i in rows])
        zero = fmpq(0)
        return fmpq_mat(len(rows), len(columns), [self._active[i].get(j, zero) for i in rows for j in columns])

    def _invertible(self, rows: list[int], columns: list[int]) -> bool:
        return bool(self._field.det(self._dense(rows, columns)))

    def _invertible_modulo(self, rows: list[int], columns: list[int]) -> bool:
        position = {j: k for k, j in enumerate(columns)}
        size = len(rows)
        for prime in _PRIMES:
            entries = [0] * (size * size)
            try:
                for place, i in enumerate(rows):
                    for j, v in self._active[i].items():
                        entries[place * size + position[j]] = int(v.p % prime) * pow(int(v.q % prime), -1, prime) % prime
            except ValueError:  # a denominator is a multiple of the prime
                continue
            return int(nmod_mat(size, size, entries, prime).rank()) == size
        return self._invertible(rows, columns)

    def _eliminate(self, *, thin_only: bool) -> None:
        """Take pivots while there are rows with at most two unknowns or columns with one entry; or while
        there are any.
        """
        active, where = self._active, self._where
        thin_rows = [i for i, row in active.items() if len(row) <= 2]
        thin_columns = [j for j, rows in where.items() if len(rows) == 1]
        while True:
            if thin_rows:
                i = thin_rows.pop()
                row = active.get(i)
                if not row or len(row) > 2:
                    continue
                j = min(row, key=lambda j: (len(where[j]), j))
            elif thin_columns:
                j = thin_columns.pop()
                if len(where.get(j, ())) != 1:
                    continue
                (i,) = where[j]
            elif thin_only or not any(active.values()):
                return
            else:
                i = min((i for i, row in active.items() if row), key=lambda i: (len(active[i]), i))
                j = min(active[i], key=lambda j: (len(where[j]), j))
            self._pivot(i, j, thin_rows, thin_columns)

    def _pivot(self, i: int, j: int, thin_rows: list[int], thin_columns: list[int]) -> None:
        where = self._where
        row = self._active.pop(i)
        step = _Step(i, j, row)
        for c in row:
            where[c].discard(i)
        pivot = row[j]
        rest = [(c, a) for c, a in row.items() if c != j]
        for k in where.pop(j):
            other = self._active[k]
            factor = other.pop(j) / pivot
            step.others.append((k, factor))
            for c, a in rest:
                old = other.get(c)
                if old is None:
                    other[c] = -factor * a
                    where[c].add(k)
                else:
                    new = old - factor * a
                    if new:
                        other[c] = new
                    else:
                        del other[c]
                        where[c].discard(k)
            if len(other) <= 2:
                thin_rows.append(k)
        thin_columns.extend(c for c, _ in rest if len(where[c]) == 1)
        self._steps.append(step)

    # Solving
    # ------------------------------------------------------------------------------------------------------------

    def solve(self, right: Mapping[int, Any]) -> dict[int, Any]:
        """The x with A[rows, columns]·x = right; zeros may be missing, and entries of other rows are
        ignored.
        """
        return self._scalars(self.solve_raw(self._raw(right)))

    def solve_transposed(self, right: Mapping[int, Any]) -> dict[int, Any]:
        """The y with A[rows, columns]ᵀ·y = right; zeros may be missing, and entries of other columns are
        ignored.
        """
        return self._scalars(self.solve_transposed_raw(self._raw(right)))

    def solve_raw(self, right: Raw) -> Raw:
        """As :meth:`solve`, on raw numbers."""
        rest = {i: v for i, v in right.items() if i in self.rows}
        for step in self._steps:
            value = rest.get(step.row)
            if value:
                for k, factor in step.others:
                    if k in self.rows:
                        rest[k] = rest[k] - factor * value if k in rest else -factor * value
        x: Raw = {}
        if self._core is not None:
            self._solve_core(rest, x, transposed=False)
        for step in reversed(self._steps):
            value, column = rest.get(step.row, 0), step.column
            for c, a in step.entries.items():
                if c in x and c != column:
                    value = value - a * x[c]
            if value:
                x[column] = value / step.entries[column]
        return x

    def solve_transposed_raw(self, right: Raw) -> Raw:
        """As :meth:`solve_transposed`, on raw numbers."""
        rest = {j: v for j, v in right.items() if j in self.columns}
        y: Raw = {}
        for step in self._steps:
            value = rest.get(step.column)
            if value:
                y[step.row] = value = value / step.entries[step.column]
                for c, a in step.entries.items():
                    if c != step.column and c in self.columns:
                        rest[c] = rest[c] - a * value if c in rest else -a * value
        if self._core is not None:
            self._solve_core(rest, y, transposed=True)
        for step in reversed(self._steps):
            value = y.get(step.row, 0)
            for k, factor in step.others:
                if k in y:
                    value = value - factor * y[k]
            if value:
                y[step.row] = value
            else:
                y.pop(step.row, None)
        return y

    def _solve_core(self, rest: Raw, found: Raw, *, transposed: bool) -> None:
        """Add to ``found`` what the dense core says for the right-hand side ``rest``."""
        given, asked = (self._core_columns, self._core_rows) if transposed else (self._core_rows, self._core_columns)
        right = [rest.get(k) for k in given]
        if not any(right):
            return
        if transposed and self._core_transposed is None:
            self._core_transposed = self._field.transpose(self._core)
        store = self._core_transposed if transposed else self._core
        zero = self._field.zero
        column = self._field.solve(store, self._field.pack([[zero if not v else _wrap(v) if self._rational else v] for v in right]))
        for place, k in enumerate(asked):
            value = self._field.entry(column, place, 0)
            if value:
                found[k] = value._q if self._rational else value

    def _raw(self, values: Mapping[int, Any]) -> Raw:
        return {k: v._q if self._rational else v for k, v in values.items() if v}

    def _scalars(self, values: Raw) -> dict[int, Any]:
        return {k: _wrap(v) if self._rational else v for k, v in values.items()}


class SparseFactors:
    """The factors of the matrix whose rows are given, each a mapping from unknown to coefficient.

    Parameters
    ----------
    rows : sequence of {unknown: scalar}
        The left-hand sides; zeros may be left out.
    unknowns : int
        How many unknowns there are, numbered from 0.
    field : OrderedField
        Of all numbers; ℚ unless said otherwise.
    """

    def __init__(self, rows: Sequence[Mapping[int, Any]], unknowns: int, field: OrderedField = QQ) -> None:
        self._field = field
        self._steps: list[tuple[int, int, Raw, list[tuple[int, Any]]]] = []
        active: list[Raw] = [self._raw(row) for row in rows]
        where: list[set[int]] = [set() for _ in range(unknowns)]
        for i, row in enumerate(active):
            for j in row:
                where[j].add(i)
        self._eliminate(active, where)
        taken_rows = {i for i, _, _, _ in self._steps}
        taken = {j for _, j, _, _ in self._steps}
        self.dependent = [i for i in range(len(active)) if i not in taken_rows]
        self.free = [j for j in range(unknowns) if j not in taken]
        self.rank = len(self._steps)

    def _eliminate(self, active: list[Raw], where: list[set[int]]) -> None:
        done = [False] * len(active)
        heap = [(len(row), i) for i, row in enumerate(active)]
        heapq.heapify(heap)
        while heap:
            size, i = heapq.heappop(heap)
            row = active[i]
            if done[i] or size != len(row) or not row:
                continue
            done[i] = True
            j = min(row, key=lambda j: (len(where[j]), j))
            for c in row:
                where[c].discard(i)
            pivot = row[j]
            others = []
            for k in sorted(where[j]):
                other = active[k]
                factor = other.pop(j) / pivot
                others.append((k, factor))
                for c, v in row.items():
                    if c == j:
                        continue
                    old = other.get(c)
                    if old is None:
                        other[c] = -factor * v
                        where[c].add(k)
                    else:
                        new = old - factor * v
                        if new:
                            other[c] = new
                        else:
                            del other[c]
                            where[c].discard(k)
                heapq.heappush(heap, (len(other), k))
            where[j] = set()
            self._steps.append((i, j, row, others))

    def _raw(self, values: Mapping[int, Any]) -> Raw:
        if self._field == QQ:
            return {j: v._q for j, v in values.items() if v}
        return {j: self._field(v) for j, v in values.items() if v}

    def _scalars(self, values: Raw) -> dict[int, Any]:
        return {k: _wrap(v) if self._field == QQ else v for k, v in values.items() if v}

    def solve(self, right: Mapping[int, Any]) -> dict[int, Any]:
        """The x with A·x = right on the independent equations and x = 0 on the free unknowns; zeros may be
        missing.
        """
        rest = self._raw(right)
        for i, _, _, others in self._steps:
            value = rest.get(i)
            if value:
                for k, factor in others:
                    rest[k] = rest.get(k, 0) - factor * value
        return self._scalars(self._back(rest, {}))

    def kernel(self, free: int) -> dict[int, Any]:
        """The x with A·x = 0 that is 1 at this free unknown and 0 at the others."""
        return self._scalars(self._back({}, self._raw({free: self._field.one})))

    def _back(self, rest: Raw, x: Raw) -> Raw:
        for i, j, row, _ in reversed(self._steps):
            value = rest.get(i, 0)
            for c, v in row.items():
                if c != j and c in x:
                    value = value - v * x[c]
            if value:
                x[j] = value / row[j]
        return x

    def solve_transposed(self, right: Mapping[int, Any]) -> dict[int, Any]:
        """The y, zero on the dependent equations, with Aᵀ·y = right on the unknowns that have a pivot; zeros
        may be missing.
        """
        rest = self._raw(right)
        y: Raw = {}
        for i, j, row, _ in self._steps:
            value = rest.get(j)
            if value:
                value = value / row[j]
                y[i] = value
                for c, v in row.items():
                    if c != j:
                        rest[c] = rest.get(c, 0) - v * value
        for i, _, _, others in reversed(self._steps):
            value = y.get(i, 0)
            for k, factor in others:
                if k in y:
                    value = value - factor * y[k]
            if value:
                y[i] = value
            else:
                y.pop(i, None)
        return self._scalars(y)
