# SPDX-License-Identifier: MIT
"""Weighted sums of sparse rows, and products with a vector, with one denominator a sum instead of one a term.

Adding n long fractions one by one costs n greatest common divisors of ever longer numbers; integers over known denominators cost one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from flint import fmpq, fmpz

from exactdp.exact.field import OrderedField
from exactdp.exact.rational import QQ, _wrap

__all__ = ["combine", "combine_raw", "products", "residuals"]


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
