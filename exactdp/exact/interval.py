# SPDX-License-Identifier: MIT
"""Bounded intervals of the line with exact ends, open or closed.

Examples
--------
>>> unit = Interval(0, 1)
>>> print(unit, unit.contains("1/2"), unit.contains(1), unit.sample())
(0, 1) True False 1/2
>>> [str(piece) for piece in Interval(0, 1, upper_closed=True).split([Rational("1/3"), Rational(1)])]
['(0, 1/3)', '[1/3, 1/3]', '(1/3, 1)', '[1, 1]']
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any

from exactdp.errors import InputError
from exactdp.exact.algebraic import AlgebraicNumber, Point, as_point, between, compare_points
from exactdp.exact.rational import Rational

__all__ = ["Interval"]


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
    """

    lower: Point
    upper: Point
    lower_closed: bool
    upper_closed: bool

    def __init__(self, lower: object, upper: object, lower_closed: bool = False, upper_closed: bool = False) -> None:
        low, high = as_point(lower), as_point(upper)
        order = compare_points(low, high)
        if order > 0 or (order == 0 and not (lower_closed and upper_closed)):
            raise InputError(f"there is no number between {low} and {high}: the interval is empty", lower=low, upper=high)
        object.__setattr__(self, "lower", low)
        object.__setattr__(self, "upper", high)
        object.__setattr__(self, "lower_closed", bool(lower_closed))
        object.__setattr__(self, "upper_closed", bool(upper_closed))

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

        >>> Interval(0, 1).contains(Interval("1/4", 1)), Interval(0, 1).contains(Interval("1/4", 1, upper_closed=True))
        (True, False)
        """
        if isinstance(x, Interval):
            low, high = compare_points(x.lower, self.lower), compare_points(x.upper, self.upper)
            left = low > 0 or (low == 0 and (self.lower_closed or not x.lower_closed))
            return left and (high < 0 or (high == 0 and (self.upper_closed or not x.upper_closed)))
        point = as_point(x)
        low, high = compare_points(point, self.lower), compare_points(point, self.upper)
        return (low > 0 or (low == 0 and self.lower_closed)) and (high < 0 or (high == 0 and self.upper_closed))

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

    def midpoint(self) -> Rational:
        """The middle if both ends are rational, else some rational inside."""
        if isinstance(self.lower, Rational) and isinstance(self.upper, Rational):
            return (self.lower + self.upper) / 2
        return self.sample()

    def hull(self) -> tuple[Rational, Rational]:
        """Rational numbers at or outside the ends."""
        low = self.lower.interval[0] if isinstance(self.lower, AlgebraicNumber) else self.lower
        high = self.upper.interval[1] if isinstance(self.upper, AlgebraicNumber) else self.upper
        return low, high

    def closure(self) -> Interval:
        """With both ends."""
        return Interval(self.lower, self.upper, True, True)

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
        """Open pieces and single points, in order, that together are this interval; points outside are ignored."""
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

    def __str__(self) -> str:
        return f"{'[' if self.lower_closed else '('}{self.lower}, {self.upper}{']' if self.upper_closed else ')'}"
