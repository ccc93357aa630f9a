# SPDX-License-Identifier: MIT
"""Distances: the exponents of α. An exact positive rational, or the square root of one.

A distance is stored by its square, so that 1, 3/2 and √2 compare exactly. An absent distance (``None`` where one is looked
up) is infinite: the pair is not constrained.

Examples
--------
>>> Distance.parse("sqrt(2)") < Distance.parse("3/2")
True
>>> str(Distance.parse("sqrt(4/9)"))
'2/3'
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from exactdp.errors import InputError, ParameterRangeError, RationalSyntaxError
from exactdp.exact import Rational, rational_root

__all__ = ["ONE", "Distance", "DistanceLike"]


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Distance:
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
        if self.square.sign() <= 0:
            raise _not_positive(self.square)
        object.__setattr__(self, "rational", rational_root(self.square, 2))

    @classmethod
    def of(cls, value: DistanceLike) -> Distance:
        """The distance that an int, a Fraction, a Rational, a text or a Distance denotes.

        >>> Distance.of(3)
        Distance.parse('3')
        """
        if isinstance(value, Distance):
            return value
        if isinstance(value, str):
            return cls.parse(value)
        number = Rational(value)
        if number.sign() <= 0:
            raise _not_positive(number)
        return cls(square=number * number)

    @classmethod
    def parse(cls, text: str) -> Distance:
        """Read ``3/2`` or ``sqrt(2)``: a positive rational, or the square root of one.

        >>> Distance.parse("sqrt(2)")
        Distance.parse('sqrt(2)')
        """
        if not isinstance(text, str):
            raise InputError(f"{text!r} is not a text; use Distance.of", value=text)
        inner = text[5:-1] if text.startswith("sqrt(") and text.endswith(")") else None
        try:
            number = Rational(text if inner is None else inner)
        except RationalSyntaxError as error:
            facts = dict(error.facts) if inner is None else {**error.facts, "position": _position(error) + 5}
            raise RationalSyntaxError(
                f"{text!r} is not a distance (a positive rational, or sqrt of one): {error.message}", **{**facts, "text": text}
            ) from None
        if number.sign() <= 0:
            raise _not_positive(text)
        return cls(square=number * number if inner is None else number)

    def __str__(self) -> str:
        return f"sqrt({self.square})" if self.rational is None else str(self.rational)

    def __repr__(self) -> str:
        return f"Distance.parse('{self}')"

    def __float__(self) -> float:
        """About the distance; for pictures and proposals only."""
        return sqrt(float(self.square))


DistanceLike = Distance | Rational | Fraction | int | str


def _position(error: RationalSyntaxError) -> int:
    position = error.facts.get("position")
    return position if isinstance(position, int) else 0


def _not_positive(value: object) -> ParameterRangeError:
    return ParameterRangeError(
        f"the distance {value} is not positive; distances of different points are > 0 (leave a pair out if it is not constrained)",
        name="distance",
        value=value,
        allowed="> 0",
    )


ONE = Distance.of(1)
"""The distance of adjacent vertices."""
