# SPDX-License-Identifier: MIT
"""Intervals of the line between rational or algebraic ends, and the roots and signs of polynomials there.

Examples
--------
>>> unit = Interval(0, 1)
>>> print(unit, unit.contains("1/2"), unit.contains(1), unit.sample())
(0, 1) True False 1/2
>>> [str(piece) for piece in Interval(0, 1, upper_closed=True).split([Rational("1/3"), Rational(1)])]
['(0, 1/3)', '[1/3, 1/3]', '(1/3, 1)', '[1, 1]']
>>> [(str(x), k) for x, k in real_roots([0, -1, 2], unit)]          # 2a² − a
[('1/2', 1)]
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key
from typing import Any

from flint import fmpz_poly

from exactdp.errors import InputError
from exactdp.exact.algebraic import (
    AlgebraicNumber,
    Point,
    as_point,
    between,
    compare_points,
    digits_apart,
    has_no_root,
    isolate,
    point_text,
    root_bound,
    sign_of,
)
from exactdp.exact.coerce import as_flag
from exactdp.exact.polynomial import Poly, as_poly
from exactdp.exact.rational import Rational
from exactdp.runtime.values import dataclass


@dataclass(frozen=True, slots=True, init=False)
class Interval:
    """The points from ``lower`` to ``upper``.

    Parameters
    ----------
    lower, upper : rational, text or AlgebraicNumber
        lower ≤ upper.
    lower_closed, upper_closed : bool
        Whether the ends belong to it; both must if lower = upper.

    Raises
    ------
    InputError
        The interval would be empty.

    Examples
    --------
    >>> from exactdp import Interval
    >>> half_open = Interval(0, "1/2", upper_closed=True)
    >>> print(half_open, "1/2" in half_open, 0 in half_open)
    (0, 1/2] True False
    """

    lower: Point
    upper: Point
    lower_closed: bool
    upper_closed: bool

    def __init__(self, lower: object, upper: object, lower_closed: bool = False, upper_closed: bool = False) -> None:
        as_flag(lower_closed, "flag lower_closed")
        as_flag(upper_closed, "flag upper_closed")
        low, high = as_point(lower), as_point(upper)
        order = compare_points(low, high)
        if order > 0 or (order == 0 and not (lower_closed and upper_closed)):
            raise InputError(f"there is no number between {low} and {high}: the interval is empty", lower=low, upper=high)
        object.__setattr__(self, "lower", low)
        object.__setattr__(self, "upper", high)
        object.__setattr__(self, "lower_closed", lower_closed)
        object.__setattr__(self, "upper_closed", upper_closed)

    @classmethod
    def point(cls, x: object) -> Interval:
        """The interval [x, x]."""
        return cls(x, x, True, True)

    @property
    def is_point(self) -> bool:
        """Whether it is one number."""
        return self.lower_closed and self.upper_closed and self.lower == self.upper

    def contains(self, x: object) -> bool:
        """Whether a point, or every point of an interval, belongs to it.

        >>> [Interval(0, 1).contains(Interval("1/4", 1, upper_closed=closed)) for closed in (False, True)]
        [True, False]
        """
        if isinstance(x, Interval):
            ends, open_below, open_above = (x.lower, x.upper), not x.lower_closed, not x.upper_closed
        else:
            ends, open_below, open_above = (as_point(x),) * 2, False, False
        low, high = compare_points(ends[0], self.lower), compare_points(ends[1], self.upper)
        left = low > 0 or (low == 0 and (self.lower_closed or open_below))
        return left and (high < 0 or (high == 0 and (self.upper_closed or open_above)))

    __contains__ = contains

    def sample(self) -> Rational:
        """A short rational inside; InputError if the interval is one irrational number.

        >>> Interval("1/3", "1/2").sample()
        Rational('2/5')
        """
        if self.lower == self.upper:
            if isinstance(self.lower, AlgebraicNumber):
                raise InputError(f"{self} has no rational point", interval=self)
            return self.lower
        return between(self.lower, self.upper)

    def hull(self) -> tuple[Rational, Rational]:
        """Rational numbers at or outside the ends."""
        low = self.lower.interval[0] if isinstance(self.lower, AlgebraicNumber) else self.lower
        high = self.upper.interval[1] if isinstance(self.upper, AlgebraicNumber) else self.upper
        return low, high

    @property
    def signs(self) -> tuple[int, ...]:
        """Those of −1, 0, 1 that its points have, increasing.

        >>> Interval(0, 1, lower_closed=True).signs, Interval(-1, 0).signs
        ((0, 1), (-1,))
        """
        low, high = compare_points(self.lower, Rational(0)), compare_points(self.upper, Rational(0))
        return tuple(s for s, yes in ((-1, low < 0), (0, self.contains(0)), (1, high > 0)) if yes)

    def to_sympy(self) -> Any:
        """The set of its points in sympy: an ``Interval``, or a ``FiniteSet`` with one point.

        >>> Interval(0, "1/2", upper_closed=True).to_sympy(), Interval.point("1/2").to_sympy()
        (Interval.Lopen(0, 1/2), {1/2})
        """
        from sympy import Interval as SympyInterval

        return SympyInterval(self.lower.to_sympy(), self.upper.to_sympy(), not self.lower_closed, not self.upper_closed)

    _sympy_ = to_sympy  # which sympy asks for

    def _repr_latex_(self) -> str:
        """What a notebook shows."""
        from sympy import latex

        return f"${latex(self.to_sympy())}$"

    def interior(self) -> Interval:
        """Without its ends; InputError for one point."""
        return Interval(self.lower, self.upper)

    def intersection(self, other: Interval) -> Interval | None:
        """What the two have in common, or None.

        >>> print(Interval(0, "1/2", upper_closed=True).intersection(Interval("1/2", 1, lower_closed=True)))
        [1/2, 1/2]
        """
        low, high = compare_points(self.lower, other.lower), compare_points(self.upper, other.upper)
        lower = self.lower if low >= 0 else other.lower
        upper = self.upper if high <= 0 else other.upper
        lower_closed = (low < 0 or self.lower_closed) and (low > 0 or other.lower_closed)
        upper_closed = (high > 0 or self.upper_closed) and (high < 0 or other.upper_closed)
        order = compare_points(lower, upper)
        if order > 0 or (order == 0 and not (lower_closed and upper_closed)):
            return None
        return Interval(lower, upper, lower_closed, upper_closed)

    def split(self, points: Iterable[Any]) -> tuple[Interval, ...]:
        """Open pieces and single points, in order, that together are this interval; others are ignored."""
        inside = [p for p in map(as_point, points) if self.contains(p)]
        ends = [self.lower] if self.lower_closed and self.lower in inside else []
        cuts = sorted({*inside, *ends}, key=cmp_to_key(compare_points))
        pieces: list[Interval] = []
        start, closed = self.lower, self.lower_closed
        for cut in cuts:
            if compare_points(start, cut) < 0:
                pieces.append(Interval(start, cut, closed, False))
            pieces.append(Interval.point(cut))
            start, closed = cut, False
        if compare_points(start, self.upper) < 0:
            pieces.append(Interval(start, self.upper, closed, self.upper_closed))
        elif not pieces:
            pieces.append(self)
        return tuple(pieces)

    def to_json(self) -> dict[str, Any]:
        """Ends (text, or polynomial and isolating interval) and whether they belong to it."""
        ends = {"lower": self.lower, "upper": self.upper}
        written: dict[str, Any] = {k: p.to_json() if isinstance(p, AlgebraicNumber) else str(p) for k, p in ends.items()}
        return {**written, "lower_closed": self.lower_closed, "upper_closed": self.upper_closed}

    def text(self, digits: int = 6) -> str:
        """The interval, irrational ends with so many digits after the point (more where they look alike)."""
        places = digits_apart((self.lower, self.upper), digits)
        low, high = point_text(self.lower, places), point_text(self.upper, places)
        return f"{'[' if self.lower_closed else '('}{low}, {high}{']' if self.upper_closed else ')'}"

    def __str__(self) -> str:
        return self.text()


def set_to_sympy(intervals: Iterable[Interval]) -> Any:
    """The set in sympy that some intervals and points are together.

    >>> set_to_sympy([Interval(0, "1/2"), Interval.point("2/3")])
    Union({2/3}, Interval.open(0, 1/2))
    """
    from sympy import Union

    return Union(*(interval.to_sympy() for interval in intervals))


def real_roots(poly: object, interval: Interval | None = None) -> tuple[tuple[Point, int], ...]:
    """The real roots with their multiplicities, increasing.

    * ``poly``: coefficients, the constant first; not all zero.
    * ``interval``: only the roots in it; the whole line unless given.
    * raises InputError: the polynomial is zero.
    """
    p = as_poly(poly)
    if p == 0:
        raise InputError("every number is a root of the zero polynomial", polynomial=(0,))
    if interval is None:
        bound = root_bound(p)
        return tuple(isolate(p, -bound, bound))
    found = isolate(p, *interval.hull())
    return tuple((x, k) for x, k in found if interval.contains(x))


@dataclass(frozen=True, slots=True)
class SignPattern:
    """The signs that a function takes on an interval.

    * ``signs``: those of −1, 0, 1 that occur, increasing.
    * ``zeros``: its zeros in the interval, increasing; empty for the zero function.
    * ``changes``: the points inside where the sign is not the same on both sides.
    * ``poles``: points of the interval where it is not defined.
    """

    signs: tuple[int, ...]
    zeros: tuple[tuple[Point, int], ...] = ()
    changes: tuple[Point, ...] = ()
    poles: tuple[Point, ...] = ()

    @property
    def minimum(self) -> int:
        """The least sign."""
        return self.signs[0]

    @property
    def maximum(self) -> int:
        """The largest sign."""
        return self.signs[-1]

    @property
    def points(self) -> tuple[Point, ...]:
        """Zeros and poles, increasing: between two of them the sign is constant."""
        return tuple(sorted({*(x for x, _ in self.zeros), *self.poles}, key=cmp_to_key(compare_points)))


def sign_at(p: fmpz_poly, x: Point) -> int:
    """The sign of a polynomial at a point."""
    return x.sign_of(p) if isinstance(x, AlgebraicNumber) else sign_of(p(x._q))


def sign_pattern(p: Poly, interval: Interval, point: Rational | None = None) -> SignPattern:
    """The signs of a polynomial on an interval, inside of which ``point`` is, if one is known.

    >>> sign_pattern(fmpz_poly([1, -2, 1]), Interval(0, 1, upper_closed=True)).signs        # (1 − a)²
    (0, 1)
    """
    if p == 0:
        return SignPattern((0,))
    known = _plain_sign(p, interval)
    if known:
        return SignPattern((known,))
    if interval.is_point:
        sign = sign_at(p, interval.lower)
        return SignPattern((sign,), () if sign else ((as_point(interval.lower), 1),))
    low, high = interval.hull()
    if has_no_root(p, low._q, high._q):
        ends = ((interval.lower, interval.lower_closed), (interval.upper, interval.upper_closed))
        if all(sign_at(p, x) for x, closed in ends if closed):
            return SignPattern((sign_at(p, interval.sample() if point is None else point),))
    zeros = tuple((x, k) for x, k in isolate(p, low, high) if interval.contains(x))
    inside = [(x, k) for x, k in zeros if compare_points(x, interval.lower) > 0 and compare_points(x, interval.upper) < 0]
    sign = sign_at(p, between(interval.lower, inside[0][0] if inside else interval.upper))
    signs, changes = {sign}, []
    for x, k in inside:
        if k % 2:
            sign = -sign
            changes.append(x)
        signs.add(sign)
    return SignPattern(tuple(sorted(signs | ({0} if zeros else set()))), zeros, tuple(changes))


def _plain_sign(p: fmpz_poly, interval: Interval) -> int:
    """1 or −1 if all coefficients have that sign and the interval is in (0, ∞); 0 leaves the sign open."""
    coefficients = p.coeffs()
    if len(coefficients) == 1:
        return 1 if coefficients[0] > 0 else -1
    low = interval.hull()[0].sign()
    if low < 0 or (low == 0 and interval.lower_closed and coefficients[0] == 0):
        return 0
    if all(c >= 0 for c in coefficients):
        return 1
    return -1 if all(c <= 0 for c in coefficients) else 0
