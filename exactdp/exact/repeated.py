# SPDX-License-Identifier: MIT
"""Sums of products of the same few objects again and again, each computed once.

The table of a symmetric mechanism has few different numbers, and its rows are sums of the same ones in
another order. Over ℚ(e^(−ε)) a sum takes long, and to compare or hash a number does too; whether two terms
are the same object is known at once. Equal numbers that are different objects are computed again.

Examples
--------
>>> x, y = QQ("1/2"), QQ("1/4")
>>> sums = RepeatedSums(QQ)
>>> sums.dot([x, y, x], [y, y, y]), sums.dot([x, x, y], [y, y, y])
(Rational('5/16'), Rational('5/16'))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from exactdp.exact.exponential import ExponentialField
from exactdp.exact.field import OrderedField
from exactdp.exact.rational import QQ


class RepeatedSums:
    """Sums of products in a field, remembered by the identities of the factors.

    * ``field``: of numbers; all terms are in it, or in ℚ.
    """

    __slots__ = ("_field", "_known", "_terms")

    def __init__(self, field: OrderedField = QQ) -> None:
        self._field = field
        self._known: dict[Hashable, Any] = {}
        self._terms: dict[int, Any] = {}  # the objects themselves, so that no identity is used again

    def dot(self, left: Iterable[Any], right: Iterable[Any]) -> Any:
        """Σ x·y over two sequences of one length."""
        left, right = list(left), list(right)
        counts = Counter(zip(map(id, left), map(id, right), strict=True))
        key = frozenset(counts.items())
        if key not in self._known:
            known = self._terms
            known.update(zip(map(id, left), left, strict=True))
            known.update(zip(map(id, right), right, strict=True))
            field = self._field
            self._known[key] = field.dot((field(known[x]) * m, field(known[y])) for (x, y), m in counts.items())
        return self._known[key]


class RepeatedSigns:
    """Signs of sums of products over ℚ(e^(−ε)), remembered by the identities of the factors.

    * ``field``: of numbers; all factors are in it, or in ℚ.

    >>> from exactdp.exact import ExponentialField
    >>> t = ExponentialField(1).gen
    >>> RepeatedSigns(t.field)([(t, t), (QQ(-1), t)])
    -1
    """

    __slots__ = ("_field", "_known", "_terms")

    def __init__(self, field: ExponentialField) -> None:
        self._field = field
        self._known: dict[Hashable, int] = {}
        self._terms: list[Any] = []  # the objects themselves, so that no identity is used again

    def __call__(self, pairs: Sequence[tuple[Any, Any]]) -> int:
        """The sign of Σ x·y."""
        key = tuple(sorted([(id(x), id(y)) for x, y in pairs]))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._field.sign_of_dot(pairs)
            self._terms.append(pairs)
        return found


def different(values: Iterable[Any]) -> list[Any]:
    """The objects among some values, each once, in the order in which they occur.

    >>> x, y = QQ("1/2"), QQ("1/2")
    >>> len(different([x, y, x]))
    2
    """
    values = list(values)
    return list(dict(zip(map(id, values), values, strict=True)).values())


def numbered_values(rows: Sequence[Sequence[Any]]) -> tuple[list[tuple[int, ...]], list[Any]]:
    """The same for integers: equal ones have one number.

    >>> numbered_values([[7, 5], [5, 7]])
    ([(0, 1), (1, 0)], [7, 5])
    """
    place: dict[Any, int] = {}
    numbers = [tuple([place.setdefault(x, len(place)) for x in row]) for row in rows]
    return numbers, list(place)


def numbered_objects(rows: Sequence[Sequence[Any]]) -> tuple[list[tuple[int, ...]], list[Any]]:
    """A table with a number for each object, and the objects.

    >>> x, y = QQ("1/2"), QQ("1/3")
    >>> numbered_objects([[x, y], [y, x]])
    ([(0, 1), (1, 0)], [Rational('1/2'), Rational('1/3')])
    """
    objects = different(value for row in rows for value in row)
    place = {id(value): k for k, value in enumerate(objects)}
    return [tuple(map(place.__getitem__, map(id, row))) for row in rows], objects
