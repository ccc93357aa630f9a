# SPDX-License-Identifier: MIT
"""Sparse exact linear algebra: sums of rows, products with a vector, and the LU factorisation.

Over ℚ everything is computed on FLINT's own numbers (*raw* numbers below), over other fields on their
scalars. Adding n long fractions one by one costs n greatest common divisors of ever longer numbers; integers
over one denominator cost one.

Examples
--------
>>> factors = SparseLU.of_rows([{0: QQ(1), 1: QQ(-2)}, {0: QQ(2), 1: QQ(-4)}], 2)
>>> factors.rank, factors.dependent, factors.free
(1, [1], [1])
>>> factors.kernel(1)
{1: Rational('1'), 0: Rational('2')}
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from flint import fmpq, fmpq_mat, fmpz, nmod_mat

from exactdp.exact.exponential import ExponentialField
from exactdp.exact.field import OrderedField
from exactdp.exact.identity import is_nonzero
from exactdp.exact.quotient import QuotientField
from exactdp.exact.rational import QQ, Rational, _wrap
from exactdp.exact.repeated import RepeatedSigns
from exactdp.runtime.progress import counted_off

Raw = dict[int, Any]
"""From a row or column to a number: FLINT's over ℚ, otherwise a scalar of the field."""

_PRIMES = (4611686018427387847, 4611686018427387817, 4611686018427387787)
"""Primes below 2^62. A matrix that is invertible modulo one of them is invertible."""


# --- Sums and products ---


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
    return {j: v for j, v in total.items() if is_nonzero(v)}


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
    common, integers = _over_one_denominator(x)
    return [
        _wrap(fmpq(total, common * scale))
        for total, scale in (_integer_sum([(a._q.p, a._q.q, integers[j]) for j, a in row.items() if j in integers]) for row in rows)
    ]


def residuals(field: OrderedField, rows: Iterable[tuple[Mapping[int, Any], Any]], x: Mapping[int, Any]) -> list[Any]:
    """row·x − right for pairs (row, right), up to positive factors: only their signs are meant.

    >>> rows = [({0: QQ(2), 5: QQ("1/3")}, QQ("1/3")), ({1: QQ(1)}, QQ(4))]
    >>> [int(r) for r in residuals(QQ, rows, {0: QQ("1/4"), 1: QQ(3)})]
    [2, -4]
    """
    if isinstance(field, ExponentialField):
        minus = -field.one
        told = counted_off(list(rows), None, "signs of a solution", "rows", every=2)
        sign_of = RepeatedSigns(field)
        signs: list[Any] = []
        for row, right in told:
            pairs = [(a, x[j]) for j, a in row.items() if j in x]
            signs.append(sign_of([(right, minus), *pairs] if right else pairs))
        return signs
    if field != QQ:
        return [field.dot((a, x[j]) for j, a in row.items() if j in x) - right for row, right in rows]
    common, integers = _over_one_denominator(x)
    parts: dict[int, tuple[Any, fmpz, fmpz]] = {}  # with the number itself, so that its identity is not used again
    result: list[Any] = []
    for row, right in rows:
        terms = []
        for j, a in row.items():
            v = integers.get(j)
            if v is None:
                continue
            known = parts.get(id(a))
            if known is None:
                known = parts[id(a)] = a, a._q.p, a._q.q
            terms.append((known[1], known[2], v))
        if right:
            terms.append((-right._q.p, right._q.q, common))
        result.append(_integer_sum(terms)[0])
    return result


def table_of_sums(rows: int, columns: int, terms: Iterable[tuple[int, int, int, int]]) -> tuple[tuple[Rational, ...], ...]:
    """A table of the fractions p/q of terms (row, column, p, q), those at one place added, and 0 elsewhere.

    >>> table_of_sums(1, 2, [(0, 1, 1, 2), (0, 1, -1, 3)])
    ((Rational('0'), Rational('1/6')),)
    """
    zero = fmpq(0)
    sums = [[zero] * columns for _ in range(rows)]
    for i, j, p, q in terms:
        there, term = sums[i][j], fmpq(p, q)
        sums[i][j] = there + term if there else term
    return tuple(tuple(map(_wrap, row)) for row in sums)


def _over_one_denominator(x: Mapping[int, Any]) -> tuple[fmpz, dict[int, fmpz]]:
    """The least common denominator of the entries, and the numerators over it."""
    common = fmpz(1)
    for v in x.values():
        common = common.lcm(v._q.q)
    return common, {j: v._q.p * (common // v._q.q) for j, v in x.items()}


def _integer_sum(terms: list[tuple[fmpz, fmpz, fmpz]]) -> tuple[fmpz, fmpz]:
    """Σ (p/q)·v over triples (p, q, v), as an integer over the least common multiple of the q."""
    scale = fmpz(1)
    for _, q, _ in terms:
        if q != scale:
            scale = scale.lcm(q)
    total = fmpz(0)
    for p, q, v in terms:
        total += p * v if q == scale else p * (scale // q) * v
    return total, scale


# --- The factorisation ---


class SparseLU:
    """A sparse matrix, factored to solve with it and with its transpose; its dependent rows are left out.

    Rows with at most two unknowns and columns with one entry are eliminated one by one. That unwinds chains
    such as the x_i = α·x_j of tight privacy constraints without fill. What is left, the *core*, is solved as
    a dense matrix (over ℚ FLINT lifts p-adically, with one denominator a row). Only if the core is not square
    or singular, elimination goes on in it, with the shortest row and in it the entry with the thinnest column
    first (Markowitz). :meth:`of_rows` pivots in this order from the start, which suits bands.

    * ``field``: the field of all numbers.
    * ``matrix``: rows and columns are numbered as the caller likes; zeros may be left out.
    * ``wanted``: the columns that the matrix has; other entries are ignored.

    Attributes
    ----------
    rows, columns : set of int
        Independent ones, as many as possible: A[rows, columns] is square and not singular.

    Examples
    --------
    >>> factors = SparseLU(QQ, {7: {0: QQ(1), 1: QQ(-2)}, 8: {0: QQ(2), 1: QQ(-4)}}, {0, 1})
    >>> len(factors.rows), len(factors.columns)
    (1, 1)
    >>> SparseLU(QQ, {7: {0: QQ(1), 1: QQ(-2)}}, {0}).solve({7: QQ(3)})
    {0: Rational('3')}
    """

    def __init__(self, field: OrderedField, matrix: Mapping[int, Mapping[int, Any]], wanted: Collection[int]) -> None:
        if field == QQ:
            active = {i: {j: q for j, v in row.items() if j in wanted and (q := v._q)} for i, row in matrix.items()}
        else:
            active = {i: {j: x for j, v in row.items() if j in wanted and (x := field.formulas(v))} for i, row in matrix.items()}
        self._factor(field, active, wanted)

    @classmethod
    def of_raw(cls, field: OrderedField, active: dict[int, Raw], wanted: Collection[int]) -> SparseLU:
        """The same from rows of raw numbers, restricted to ``wanted`` already; they are used up."""
        result = object.__new__(cls)
        result._factor(field, active, wanted)
        return result

    @classmethod
    def of_rows(cls, rows: Sequence[Mapping[int, Any]], unknowns: int, field: OrderedField = QQ) -> SparseLU:
        """Rows 0, 1, … in the unknowns 0, …, unknowns − 1; always the shortest row has the pivot, no core."""
        if field == QQ:
            active = {i: {j: v._q for j, v in row.items() if v} for i, row in enumerate(rows)}
        else:
            active = {i: {j: x for j, v in row.items() if (x := field.formulas(v))} for i, row in enumerate(rows)}
        result = object.__new__(cls)
        result._factor(field, active, range(unknowns), dense_core=False)
        return result

    def _factor(self, field: OrderedField, active: dict[int, Raw], wanted: Collection[int], *, dense_core: bool = True) -> None:
        self._field = field.formulas  # what is solved here is a proposal
        self._rational = field == QQ
        self._given = list(active), list(wanted)
        self._active = active
        self._where: dict[int, set[int]] = {j: set() for j in wanted}
        for i, row in active.items():
            for j in row:
                self._where[j].add(i)
        # a step: row, column, pivot, the row's other entries, (row, factor) where it was subtracted
        self._steps: list[tuple[int, int, Any, list[tuple[int, Any]], list[tuple[int, Any]]]] = []
        self._core: Any = None
        self._core_transposed: Any = None
        self._core_rows: list[int] = []
        self._core_columns: list[int] = []
        if dense_core:
            self._eliminate_thin()
            if not self._take_core():
                self._eliminate_thin(then_others=True)
        else:
            self._eliminate_shortest()
        self.rows = {step[0] for step in self._steps}.union(self._core_rows)
        self.columns = {step[1] for step in self._steps}.union(self._core_columns)

    @property
    def rank(self) -> int:
        """The rank of the matrix."""
        return len(self.rows)

    @property
    def dependent(self) -> list[int]:
        """The rows that are combinations of others."""
        return [i for i in self._given[0] if i not in self.rows]

    @property
    def free(self) -> list[int]:
        """The columns without a pivot."""
        return [j for j in self._given[1] if j not in self.columns]

    # --- Factoring ---

    def _eliminate_thin(self, *, then_others: bool = False) -> None:
        """Pivot while there are rows with at most two entries or columns with one; or while there are any."""
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
            elif then_others and any(active.values()):
                i = min((i for i, row in active.items() if row), key=lambda i: (len(active[i]), i))
                j = min(active[i], key=lambda j: (len(where[j]), j))
            else:
                return
            rest, changed = self._pivot(i, j)
            thin_rows.extend(k for k in changed if len(active[k]) <= 2)
            thin_columns.extend(c for c, _ in rest if len(where[c]) == 1)

    def _eliminate_shortest(self) -> None:
        """Take pivots in the shortest row (of several the first), in the column with the fewest entries."""
        active, where = self._active, self._where
        heap = [(len(row), i) for i, row in active.items()]
        heapq.heapify(heap)
        while heap:
            size, i = heapq.heappop(heap)
            row = active.get(i)
            if not row or size != len(row):  # done, empty, or changed since
                continue
            for k in self._pivot(i, min(row, key=lambda j: (len(where[j]), j)))[1]:
                heapq.heappush(heap, (len(active[k]), k))

    def _pivot(self, i: int, j: int) -> tuple[list[tuple[int, Any]], set[int]]:
        """Eliminate column j by row i; the row's other entries, and the rows that were changed."""
        active, where = self._active, self._where
        row = active.pop(i)
        for c in row:
            where[c].discard(i)
        pivot = row.pop(j)
        rest = list(row.items())
        changed = where.pop(j)
        others = []
        for k in changed:
            other = active[k]
            factor = other.pop(j) / pivot
            others.append((k, factor))
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
        self._steps.append((i, j, pivot, rest, others))
        return rest, changed

    def _take_core(self) -> bool:
        """Take what the thin steps left as a dense matrix, if it is square and not singular."""
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
        dense = self._dense(rows, columns)
        if isinstance(self._field, QuotientField) and self._field.is_invertible_at_primes(dense):
            return True
        return bool(self._field.det(dense))

    def _invertible_modulo(self, rows: list[int], columns: list[int]) -> bool:
        """Whether the core is invertible modulo a prime; if not, it goes on to be eliminated exactly."""
        size, zero = len(rows), fmpq(0)
        entries = [self._active[i].get(j, zero) for i in rows for j in columns]
        for prime in _PRIMES:
            try:
                return int(nmod_mat(size, size, entries, prime).rank()) == size
            except ZeroDivisionError:  # a denominator is a multiple of the prime
                continue
        return self._invertible(rows, columns)

    # --- Solving ---

    def solve(self, right: Mapping[int, Any]) -> dict[int, Any]:
        """The x with A·x = right on the independent rows and x = 0 on the free columns; zeros may be missing.

        Entries of the right-hand side in other rows are ignored.
        """
        return self._scalars(self.solve_raw(self._raw(right)))

    def solve_transposed(self, right: Mapping[int, Any]) -> dict[int, Any]:
        """The y with Aᵀ·y = right on the independent columns, 0 on the dependent rows; zeros may be missing.

        Entries of the right-hand side in other columns are ignored.
        """
        return self._scalars(self.solve_transposed_raw(self._raw(right)))

    def kernel(self, free: int) -> dict[int, Any]:
        """The x with A·x = 0 that is 1 in this free column and 0 in the others; zeros may be missing."""
        return self._scalars(self._back({}, self._raw({free: self._field.one})))

    def solve_raw(self, right: Raw) -> Raw:
        """As :meth:`solve`, on raw numbers."""
        rest = {i: v for i, v in right.items() if i in self.rows}
        for i, _, _, _, others in self._steps:
            value = rest.get(i)
            if value:
                for k, factor in others:
                    if k in self.rows:
                        rest[k] = rest[k] - factor * value if k in rest else -factor * value
        x: Raw = {}
        if self._core is not None:
            self._solve_core(rest, x, transposed=False)
        return self._back(rest, x)

    def _back(self, rest: Raw, x: Raw) -> Raw:
        """Add to x what the steps say, the last one first."""
        for i, j, pivot, entries, _ in reversed(self._steps):
            value = rest.get(i, 0)
            for c, a in entries:
                if c in x:
                    value = value - a * x[c]
            if value:
                x[j] = value / pivot
        return x

    def solve_transposed_raw(self, right: Raw) -> Raw:
        """As :meth:`solve_transposed`, on raw numbers."""
        rest = {j: v for j, v in right.items() if j in self.columns}
        y: Raw = {}
        for i, j, pivot, entries, _ in self._steps:
            value = rest.get(j)
            if value:
                y[i] = value = value / pivot
                for c, a in entries:
                    if c in self.columns:
                        rest[c] = rest[c] - a * value if c in rest else -a * value
        if self._core is not None:
            self._solve_core(rest, y, transposed=True)
        for i, _, _, _, others in reversed(self._steps):
            value = y.get(i, 0)
            for k, factor in others:
                if k in y:
                    value = value - factor * y[k]
            if value:
                y[i] = value
            else:
                y.pop(i, None)
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
        scalars = [_wrap(v) if v and self._rational else v or zero for v in right]
        column = self._field.solve(store, self._field.pack([[v] for v in scalars]))
        for place, k in enumerate(asked):
            value = self._field.entry(column, place, 0)
            if value:
                found[k] = value._q if self._rational else value

    def _raw(self, values: Mapping[int, Any]) -> Raw:
        if self._rational:
            return {k: v._q for k, v in values.items() if v}
        return {k: x for k, v in values.items() if (x := self._field(v))}

    def _scalars(self, values: Raw) -> dict[int, Any]:
        if self._rational:
            return {k: _wrap(v) for k, v in values.items()}
        judged = self._field.judged
        return {k: judged(v) for k, v in values.items()}
