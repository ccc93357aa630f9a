# SPDX-License-Identifier: MIT
"""A different answer on each part of an interval: the one description of it, for all questions by level.

The parts are consecutive and leave nothing out: where one ends the next begins. The point between them
belongs to one of the two, or to both (then both answers hold there).

Examples
--------
>>> from exactdp.exact import Rational
>>> count = Piecewise.cut(Interval(0, 1), [Rational("1/2")], lambda part: 3 if part.is_point else 2)
>>> print(count)
2 on (0, 1/2); 3 on [1/2, 1/2]; 2 on (1/2, 1)
>>> count.at("1/2"), [str(part) for part in count.where(lambda k: k > 2)]
(3, ['[1/2, 1/2]'])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby, pairwise
from typing import Any, Generic, NamedTuple, TypeVar

from exactdp.errors import InputError, wrong_kind
from exactdp.exact.algebraic import Point, as_point, compare_points, digits_apart
from exactdp.exact.intervals import Interval
from exactdp.exact.rational import Rational
from exactdp.exact.sympy_operators import require_assumptions

T = TypeVar("T")
U = TypeVar("U")


class Piece(NamedTuple, Generic[T]):
    """An interval or a point, and what holds on all of it."""

    interval: Interval
    value: T


class Piecewise(tuple[Piece[T], ...]):
    """Consecutive pieces (interval, value) without gaps, increasing: a tuple of pieces.

    Parameters
    ----------
    pieces : iterable of (Interval, value)
        Two neighbours have only the end where they meet in common; it belongs to at least one of them.

    Raises
    ------
    InputError
        There is a gap between two neighbours, or they overlap.
    """

    __slots__ = ()

    def __new__(cls, pieces: Iterable[tuple[Interval, T]] = ()) -> Piecewise[T]:
        """Check that they are consecutive."""
        result = super().__new__(cls, (Piece(interval, value) for interval, value in pieces))
        for (left, _), (right, _) in pairwise(result):
            if compare_points(left.upper, right.lower) or not (left.upper_closed or right.lower_closed):
                raise InputError(f"{left} and {right} are not consecutive", intervals=(left, right))
        return result

    @classmethod
    def cut(cls, interval: Interval, points: Iterable[Point], value: Callable[[Interval], T], *, shared: bool = False) -> Piecewise[T]:
        """An interval cut at points.

        Parameters
        ----------
        interval : Interval
            Bounded, as all are.
        points : iterable of points
            Those outside are ignored.
        value : callable
            From a part to its value.
        shared : bool
            The parts are closed where they meet. Otherwise they are open, and the points are parts, too.

        Examples
        --------
        >>> print(Piecewise.cut(Interval(0, 1), [as_point("1/2")], str, shared=True))
        (0, 1/2] on (0, 1/2]; [1/2, 1) on [1/2, 1)
        """
        if not shared:
            return cls((part, value(part)) for part in interval.split(points))
        parts = [part for part in interval.interior().split(points) if not part.is_point]
        closed = [interval.lower_closed, *[True] * (len(parts) - 1), interval.upper_closed]  # where each begins, and the last ends
        ends = (Interval(part.lower, part.upper, left, right) for part, (left, right) in zip(parts, pairwise(closed), strict=True))
        return cls((part, value(part)) for part in ends)

    @classmethod
    def filled(cls, pieces: Iterable[tuple[Interval, T]], domain: Interval, value: T) -> Piecewise[T]:
        """From pieces in increasing order that leave out single points of an interval: these get the value.

        >>> open_pieces = [(Interval(0, 1), "a"), (Interval(1, 2), "b")]
        >>> print(Piecewise.filled(open_pieces, Interval(0, 2), "none"))
        a on (0, 1); none on [1, 1]; b on (1, 2)
        """
        found: list[tuple[Interval, T]] = []
        reached = not domain.lower_closed  # whether the point where the next piece begins is covered
        for interval, given in pieces:
            if not (reached or interval.lower_closed):
                found.append((Interval.point(interval.lower), value))
            found.append((interval, given))
            reached = interval.upper_closed
        if domain.upper_closed and not reached:
            found.append((Interval.point(domain.upper), value))
        return cls(found)

    @property
    def interval(self) -> Interval:
        """What the pieces cover; IndexError if there is none."""
        return _together(self[0].interval, self[-1].interval)

    @property
    def values(self) -> tuple[T, ...]:
        """Those of the pieces, in order."""
        return tuple(value for _, value in self)

    def at(self, point: object) -> T:
        """The value at a point: that of the first piece to which it belongs; InputError outside."""
        x = as_point(point)
        for interval, value in self:
            if interval.contains(x):
                return value
        raise InputError(f"{x} belongs to none of the pieces", point=x)

    def where(self, predicate: Callable[[T], object]) -> tuple[Interval, ...]:
        """The maximal intervals and points on which the values have a property."""
        runs = [list(run) for yes, run in groupby(self, lambda piece: bool(predicate(piece.value))) if yes]
        return tuple(_together(run[0].interval, run[-1].interval) for run in runs)

    def map(self, function: Callable[[T], U]) -> Piecewise[U]:
        """The same intervals, with the function of each value."""
        return Piecewise((interval, function(value)) for interval, value in self)

    def joined(
        self, same: Callable[[Piece[T], Piece[T]], object] | None = None, value: Callable[[T, T], T] = lambda _, right: right
    ) -> Piecewise[T]:
        """Neighbours with the same value as one piece.

        Parameters
        ----------
        same : callable, optional
            Whether two neighbouring pieces become one; if their values are equal unless given.
        value : callable
            From the values of two neighbours to that of both together; the right one unless given.

        Examples
        --------
        >>> half = as_point("1/2")
        >>> three = Piecewise.cut(Interval(0, 1), [half], lambda part: part.lower >= half)
        >>> print(three.joined())
        False on (0, 1/2); True on [1/2, 1)
        """
        found: list[Piece[T]] = []
        for piece in self:
            left = found[-1] if found else None
            if left is not None and (left.value == piece.value if same is None else same(left, piece)):
                found[-1] = Piece(_together(left.interval, piece.interval), value(left.value, piece.value))
            else:
                found.append(piece)
        return Piecewise(found)

    def without_needless_points(self) -> Piecewise[T]:
        """Open pieces joined over the single points between them where the value is that on both sides.

        >>> half = as_point("1/2")
        >>> five = Piecewise.cut(Interval(0, 1), [as_point("1/3"), half], lambda part: part.upper <= half)
        >>> print(five.without_needless_points())
        True on (0, 1/2); True on [1/2, 1/2]; False on (1/2, 1)
        """
        found: list[Piece[T]] = []
        for piece in self:
            if len(found) > 1 and found[-1].interval.is_point and found[-2].value == found[-1].value == piece.value:
                left = found[-2]
                found[-2:] = [Piece(_together(left.interval, piece.interval), piece.value)]
            else:
                found.append(piece)
        return Piecewise(found)

    def to_sympy(self, letter: Any = "a") -> Any:
        """The function of the letter in sympy: a ``Piecewise``, not defined where a value is None or outside.

        Parameters
        ----------
        letter : str or Symbol of sympy
            What the pieces are about; its assumptions must hold on all of them.

        Raises
        ------
        InputError
            A value has no form in sympy, or there is none.

        Examples
        --------
        >>> halves = Piecewise.cut(Interval(0, 1), [as_point("1/2")], lambda part: part.lower, shared=True)
        >>> halves.to_sympy()
        Piecewise((0, (a <= 1/2) & (a > 0)), (1/2, (a >= 1/2) & (a < 1)))
        """
        from sympy import And, Eq, Symbol
        from sympy import Piecewise as SympyPiecewise

        symbol = Symbol(letter) if isinstance(letter, str) else letter
        if not getattr(symbol, "is_Symbol", False):
            raise wrong_kind("letter", letter, "a name such as 'a', or a Symbol of sympy")
        cases = []
        for interval, value in self:
            require_assumptions(symbol, interval.signs, f"in {interval}")
            low, high = interval.lower.to_sympy(), interval.upper.to_sympy()
            above = symbol >= low if interval.lower_closed else symbol > low
            below = symbol <= high if interval.upper_closed else symbol < high
            if value is not None:
                cases.append((_sympy_value(value, symbol), Eq(symbol, low) if interval.is_point else And(above, below)))
        if not cases:
            raise InputError("no piece has a value, so that there is no function to write in sympy", value=self)
        return SympyPiecewise(*cases)

    def _sympy_(self) -> Any:
        """What sympy asks for."""
        return self.to_sympy()

    def _repr_latex_(self) -> str | None:
        """What a notebook shows, if the values are numbers or functions of the level."""
        from sympy import latex

        try:
            return f"${latex(self.to_sympy())}$"
        except InputError:
            return None

    def __str__(self) -> str:
        digits = digits_apart(end for interval, _ in self for end in (interval.lower, interval.upper))
        return "; ".join(f"{value} on {interval.text(digits)}" for interval, value in self)


def common_parts(*functions: Piecewise[Any]) -> Piecewise[tuple[Any, ...]]:
    """Several descriptions of one interval on their common parts; the value is a tuple with that of each.

    A point where pieces meet that belong to both is no part of its own.

    >>> low = Piecewise.cut(Interval(0, 1), [as_point("1/2")], lambda part: part.lower == 0, shared=True)
    >>> high = Piecewise.cut(Interval(0, 1), [as_point("2/3")], lambda part: part.upper == 1, shared=True)
    >>> print(common_parts(low, high))
    (True, False) on (0, 1/2]; (False, False) on [1/2, 2/3]; (False, True) on [2/3, 1)
    """
    parts: list[Piece[tuple[Any, ...]]] = [Piece(functions[0].interval, ())]
    for function in functions:
        both = ((part, piece, part.interval.intersection(piece.interval)) for part in parts for piece in function)
        parts = [Piece(joint, (*part.value, piece.value)) for part, piece, joint in both if joint is not None]
    longer = [part.interval for part in parts if not part.interval.is_point]
    kept: list[Piece[tuple[Any, ...]]] = []
    for part in parts:
        if not (part.interval.is_point and any(other.contains(part.interval) for other in (*longer, *(k.interval for k in kept)))):
            kept.append(part)
    return Piecewise(kept)


def _sympy_value(value: Any, symbol: Any) -> Any:
    """A number, or a function of the letter, in sympy."""
    from sympy import SympifyError, sympify

    letters = getattr(getattr(value, "field", None), "letters", ())
    if letters:
        return value.to_sympy({letters[0]: symbol})
    if isinstance(value, float):
        Rational(value)  # refuses floats by name
    try:
        return sympify(value, strict=True)
    except (SympifyError, TypeError):
        raise wrong_kind("value on a piece", value, "an exact number or a function of the level") from None


def _together(left: Interval, right: Interval) -> Interval:
    """From the beginning of one to the end of the other."""
    return Interval(left.lower, right.upper, left.lower_closed, right.upper_closed)


def one_formula(left: Piece[Any], right: Piece[Any]) -> bool:
    """Whether two pieces have one rational function of the level, each on its own interval."""
    x, y = left.value, right.value
    return x is not None and y is not None and (x.numerator, x.denominator) == (y.numerator, y.denominator)
