# SPDX-License-Identifier: MIT
"""Distances, the exponents of α, and extended metrics: exact distances between inputs.

A distance is an exact positive rational, or the square root of one. It is stored by its square, so that 1,
3/2 and √2 compare exactly. An absent distance (``None`` where one is looked up) is infinite: the pair is not
constrained.

A mechanism x is α-private for a metric d when x[i][r] ≥ α^d(i,j) · x[j][r]. The triangle inequality is
checked exactly, also for square roots: √a ≤ √b + √c if and only if a − b − c ≤ 0 or (a − b − c)² ≤ 4bc.

Examples
--------
>>> Distance.parse("sqrt(2)") < Distance.parse("3/2"), str(Distance.parse("sqrt(4/9)"))
(True, '2/3')
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import total_ordering
from math import sqrt
from typing import Any

from exactdp.display import LARGEST, Drawn, short_digest
from exactdp.errors import (
    InputError,
    LabelError,
    NotAMetricError,
    ParameterRangeError,
    RationalSyntaxError,
    ShapeError,
    brief_value,
    printable,
    repr_of,
    wrong_kind,
)
from exactdp.exact import Rational, entries_of, integer_vector, members_of, number_of_place, rational_root
from exactdp.exact.formula import shortened
from exactdp.exact.sympy_operators import Symbols, SympyOperand, is_expression, number_from_sympy
from exactdp.model.labels import Label, Labels, as_labels, brief, in_order, name_in_order
from exactdp.runtime.budget import require_budget
from exactdp.runtime.values import dataclass


@total_ordering
@dataclass(frozen=True, slots=True, repr=False)
class Distance(SympyOperand):
    """A positive distance, given by its square.

    Parameters
    ----------
    square : Rational
        > 0. Use :meth:`of` for a rational distance and :meth:`parse` for text.

    Attributes
    ----------
    rational : Rational or None
        The distance itself if it is rational.

    Raises
    ------
    ParameterRangeError
        The square is not positive.

    Examples
    --------
    >>> Distance(square=Rational(2)).rational is None, Distance.of("3/2").square
    (True, Rational('9/4'))
    """

    square: Rational
    rational: Rational | None = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.square, Rational):
            raise wrong_kind("square of a distance", self.square, "a Rational, or say Distance.of(2) or Distance.parse('sqrt(2)')")
        if self.square.sign() <= 0:
            raise _not_positive(self.square)
        object.__setattr__(self, "rational", rational_root(self.square, 2))

    def __lt__(self, other: object) -> bool:
        return self.square < other.square if isinstance(other, Distance) else NotImplemented

    @classmethod
    def of(cls, value: DistanceLike) -> Distance:
        """The distance that an int, a Fraction, a Rational, a text, a Distance or a number of sympy denotes.

        >>> from sympy import sqrt
        >>> Distance.of(3), Distance.of(sqrt(2))
        (Distance.parse('3'), Distance.parse('sqrt(2)'))
        """
        if isinstance(value, Distance):
            return value
        if isinstance(value, str):
            return cls.parse(value)
        if is_expression(value):
            return cls._of_expression(value)
        number = Rational(value)
        if number.sign() <= 0:
            raise _not_positive(number)
        return cls(square=number * number)

    @classmethod
    def _of_expression(cls, number: Any) -> Distance:
        """From a number of sympy: a rational, or the square root of one."""
        found = number_from_sympy(number)
        square = found * found
        known = square if isinstance(square, Rational) else getattr(square, "rational", None)
        if known is None:
            message = f"{number} is no distance; give a positive rational, or the root of one, such as sqrt(2)"
            raise InputError(message, value=number)
        if found.sign() <= 0:
            raise _not_positive(number)
        return cls(square=known)

    @classmethod
    def parse(cls, text: str) -> Distance:
        """Read ``3/2`` or ``sqrt(2)``: a positive rational, or the square root of one.

        >>> Distance.parse("sqrt(2)")
        Distance.parse('sqrt(2)')
        """
        if not isinstance(text, str):
            raise InputError(f"{repr_of(text)} is not a text; use Distance.of", value=text)
        inner = text[5:-1] if text.startswith("sqrt(") and text.endswith(")") else None
        try:
            number = Rational(text if inner is None else inner)
        except RationalSyntaxError as error:
            facts = dict(error.facts) if inner is None else {**error.facts, "position": _position(error) + 5}
            message = f"{shortened(text)!r} is not a distance: {facts['reason']}; write a positive rational such as 3/2, or sqrt(2)"
            raise RationalSyntaxError(message, **{**facts, "text": text}) from None
        if number.sign() <= 0:
            raise _not_positive(text)
        return cls(square=number * number if inner is None else number)

    def __str__(self) -> str:
        return f"sqrt({self.square})" if self.rational is None else str(self.rational)

    def __repr__(self) -> str:
        return f"Distance.parse('{self}')"

    def _in_sympy(self, letters: Symbols) -> Any:
        from sympy import sqrt

        return sqrt(self.square.to_sympy())

    def __float__(self) -> float:
        """About the distance, which whoever calls ``float`` asks for; never for a verdict."""
        return sqrt(float(self.square))


DistanceLike = Distance | Rational | numbers.Rational | int | str


def _position(error: RationalSyntaxError) -> int:
    position = error.facts.get("position")
    return position if isinstance(position, int) else 0


def _not_positive(value: object) -> ParameterRangeError:
    message = f"the distance {value} is not positive; distances of different points are > 0 (leave a pair out if it is not constrained)"
    return ParameterRangeError(message, name="distance", value=value, allowed="> 0")


ONE = Distance.of(1)
"""The distance of adjacent vertices."""


Triple = tuple[int, int, Distance]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Metric(Drawn):
    """An extended metric on labelled points.

    Parameters
    ----------
    points : sequence of str or int
        The labels; distinct.
    distances : iterable of (int, int, distance)
        Index pairs, each at most once, in either order, with a positive distance. A pair that is left out is
        infinitely far apart.
    name : str
        For display, not compared.

    Raises
    ------
    NotAMetricError
        The triangle inequality fails; carries the triple of labels and both sides.

    Examples
    --------
    >>> d = Metric(["a", "b", "c"], [(0, 1, 1), (1, 2, 1), (0, 2, "sqrt(2)")])
    >>> d.between(2, 0)
    Distance.parse('sqrt(2)')
    >>> Metric(["a", "b", "c"], [(0, 1, 1), (1, 2, 1), (0, 2, 3)])
    Traceback (most recent call last):
    ...
    exactdp.errors.NotAMetricError: the triangle inequality fails: d(a, c) = 3 > 1 + 1 = d(a, b) + d(b, c)
    """

    vertices: Labels
    distances: tuple[Triple, ...]
    name: str = field(compare=False)
    _lookup: dict[tuple[int, int], Distance] = field(compare=False, repr=False)

    def __init__(self, points: Iterable[Label], distances: Iterable[tuple[int, int, DistanceLike]], *, name: str = "") -> None:
        labels = as_labels(points, what="point")
        table: dict[tuple[int, int], Distance] = {}
        for triple in members_of(distances, "distances"):
            first, second, distance = _triple(triple)
            i, j = number_of_place(first, "point number"), number_of_place(second, "point number")
            if not (0 <= i < len(labels) and 0 <= j < len(labels)):
                message = f"pair ({i}, {j}): the {len(labels)} points are numbered 0 to {len(labels) - 1}"
                raise LabelError(message, label=(i, j))
            if i == j:
                message = f"a distance of {labels[i]!r} to itself is given; it is always 0, leave it out"
                raise NotAMetricError(message, points=(labels[i],))
            key = (min(i, j), max(i, j))
            if key in table:
                message = f"the distance of {labels[i]!r} and {labels[j]!r} is given twice"
                raise NotAMetricError(message, points=(labels[i], labels[j]))
            table[key] = Distance.of(distance)
        _check_triangles(labels, table)
        self._fill(labels, table, name)

    def _fill(self, labels: Labels, table: dict[tuple[int, int], Distance], name: str) -> None:
        object.__setattr__(self, "vertices", labels)
        object.__setattr__(self, "distances", tuple((i, j, table[i, j]) for i, j in sorted(table)))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "_lookup", table)

    @classmethod
    def _by_construction(cls, labels: Labels, table: dict[tuple[int, int], Distance], name: str) -> Metric:
        """A metric whose triangle inequality is a theorem, not checked (shortest paths, Euclidean grids)."""
        result = cls.__new__(cls)
        result._fill(labels, table, name)
        return result

    @classmethod
    def from_rows(cls, points: Iterable[Label], rows: Sequence[Sequence[DistanceLike | None]], *, name: str = "") -> Metric:
        """The metric of a symmetric square table; ``None`` is an infinite distance, the diagonal is 0.

        >>> Metric.from_rows(["a", "b"], [[0, "1/2"], ["1/2", 0]]).pairs()
        ((0, 1, Distance.parse('1/2')),)
        """
        labels = as_labels(points, what="point")
        rows = [entries_of(row, f"distances in row {i}") for i, row in enumerate(entries_of(rows, "rows of the table"))]
        require_budget(f"the table of the distances of {len(labels)} points", numbers=len(labels) ** 2, steps=len(labels) ** 3 // 2)
        if len(rows) != len(labels) or any(len(row) != len(labels) for row in rows):
            message = f"a table of distances of {len(labels)} points is {len(labels)}×{len(labels)}"
            raise ShapeError(message, expected=len(labels), got=len(rows))
        for i, label in enumerate(labels):
            if not _is_zero(x := rows[i][i]):
                shown = "missing (infinite)" if x is None else x
                message = f"the distance of {label!r} to itself is {shown}, not 0"
                raise NotAMetricError(message, points=(label,), left=x, right=0)
        pairs = []
        for i in range(len(labels)):
            for j in range(i + 1, len(labels)):
                here, there = _distance(rows, labels, i, j), _distance(rows, labels, j, i)
                if here != there:
                    left, right = ("infinite" if x is None else str(x) for x in (here, there))
                    message = f"the table is not symmetric: d({labels[i]}, {labels[j]}) = {left}, but d({labels[j]}, {labels[i]}) = {right}"
                    raise NotAMetricError(message, points=(labels[i], labels[j]), left=left, right=right)
                if here is not None:
                    pairs.append((i, j, here))
        return cls(labels, pairs, name=name)

    def relabelled(self, vertices: Iterable[Label]) -> Metric:
        """The same distances with other labels, given by position; the name tells their order.

        >>> Metric(range(2), [(0, 1, 3)]).relabelled(["no", "yes"]).vertices
        ('no', 'yes')
        """
        labels = as_labels(vertices, len(self.vertices), what="point")
        return self._by_construction(labels, self._lookup, name_in_order(self.name, labels))

    def pairs(self) -> tuple[Triple, ...]:
        """All constrained pairs (i, j, distance), i < j, in lexicographic order."""
        return self.distances

    def between(self, i: int, j: int) -> Distance | None:
        """The distance of the points numbered i ≠ j; ``None`` if it is infinite."""
        if not (type(i) is int and type(j) is int and min(i, j) >= 0 and max(i, j) < len(self.vertices)):
            message = f"points are numbered 0 to {len(self.vertices) - 1}, and {brief_value((i, j))} are none"
            raise LabelError(message, label=(i, j))
        if i == j:
            raise InputError(f"the distance of point {i} to itself is 0, which is no Distance", value=i)
        return self._lookup.get((min(i, j), max(i, j)))

    def _in_brief(self) -> str | None:
        return str(self) if len(self.vertices) > LARGEST else None

    def __str__(self) -> str:
        return printable(self.name or self._by_distances())

    def _by_distances(self) -> str:
        """What determines a metric without a name, whatever the order of its points; a large one is cut."""
        points, size, count = self.vertices, len(self.vertices), len(self.distances)
        where = brief(in_order(points))
        if count > _FEW_DISTANCES:
            known = sorted((sorted((points[i], points[j])), str(d)) for i, j, d in self.distances)
            return f"a metric on {where} with {count} finite distances ({short_digest([in_order(points), *known])})"
        told = sorted(f"{'–'.join(sorted((points[i], points[j])))}: {d}" for i, j, d in self.distances)
        if 0 < count < size * (size - 1) // 2:
            told.append("else ∞")
        distances = f"the distances {', '.join(told)}" if told else "no finite distances"
        return f"the metric on {where} with {distances}"


_FEW_DISTANCES = 8
"""A metric without a name and with so many finite distances at most is called by them."""


def _triple(entry: object) -> list[Any]:
    parts = entries_of(entry, "parts of a distance")
    if len(parts) != 3:
        raise InputError(f"{repr_of(entry)} is no distance; give (point number, point number, distance)", value=entry)
    return parts


def _is_zero(entry: object) -> bool:
    """Whether an entry is 0, however it is written."""
    if entry is None or isinstance(entry, Distance):
        return False
    try:
        return entry == 0 or (isinstance(entry, str) and not Rational(entry))
    except InputError:
        return False


def _distance(rows: Sequence[Sequence[DistanceLike | None]], labels: Labels, i: int, j: int) -> Distance | None:
    entry = rows[i][j]
    if entry is None:
        return None
    if _is_zero(entry):
        raise NotAMetricError(
            f"d({labels[i]}, {labels[j]}) = 0 for two different points; distances between different points are > 0",
            points=(labels[i], labels[j]),
        )
    try:
        return Distance.of(entry)
    except InputError as error:
        raise type(error)(f"row {i}, column {j}: {error.message}", **error.facts) from None


def _check_triangles(labels: Labels, table: dict[tuple[int, int], Distance]) -> None:
    """Raise NotAMetricError at the first triple with d(i, k) > d(i, j) + d(j, k)."""
    if not table:
        return
    size = len(labels)
    whole = size * (size - 1) // 2 == len(table)
    require_budget(f"the check of all triangles of {size} points", numbers=size * size, steps=size**3 // 2 if whole else 0)
    _, squares = integer_vector([d.square for d in table.values()])
    square: list[list[int | None]] = [[None] * size for _ in range(size)]
    for (i, j), value in zip(table, squares, strict=True):
        square[i][j] = square[j][i] = value
    for i, k, j in _triples(square):
        a, b, c = square[i][k], square[i][j], square[j][k]
        assert b is not None
        assert c is not None
        if a is not None and (a - b - c <= 0 or (a - b - c) ** 2 <= 4 * b * c):
            continue
        first, second = table[min(i, j), max(i, j)], table[min(j, k), max(j, k)]
        left = "infinite" if a is None else str(table[min(i, k), max(i, k)])
        names = labels[i], labels[j], labels[k]
        raise NotAMetricError(
            f"the triangle inequality fails: d({names[0]}, {names[2]}) = {left} > {first} + {second} = "
            f"d({names[0]}, {names[1]}) + d({names[1]}, {names[2]})",
            points=names,
            left=left,
            right=f"{first} + {second}",
        )


def _triples(square: list[list[int | None]]) -> Iterator[tuple[int, int, int]]:
    """(i, k, j), i < k, for all routes i → j → k of finite lengths."""
    near = [[j for j, value in enumerate(row) if value is not None] for row in square]
    for j, around in enumerate(near):
        for place, i in enumerate(around):
            for k in around[place + 1 :]:
                yield i, k, j
