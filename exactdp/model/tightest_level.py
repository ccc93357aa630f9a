# SPDX-License-Identifier: MIT
"""The tightest level of a mechanism, which need not be a number of its field: ratio^(1/d).

It is the least ratio^(1/d) over the pairs of a mechanism. It is kept as (ratio, d), and is compared exactly
all the same. How levels are written and refused as floats stands here, too, for both kinds.
"""

from __future__ import annotations

import re
from functools import total_ordering
from typing import Any, NoReturn, Protocol

from exactdp.errors import DomainError, InputError, ParameterRangeError
from exactdp.exact import ExponentialNumber, Rational, RationalFunctionField, RegionField, Scalar, common_field, rational_root
from exactdp.exact.balls import root_enclosure
from exactdp.exact.comparison import scalar_of
from exactdp.exact.number_field import NumberFieldElement
from exactdp.exact.sympy_operators import Symbols, SympyOperand
from exactdp.model.epsilon import NUMBERS, Epsilon
from exactdp.model.level_roots import compare_roots, root_of
from exactdp.model.metric import ONE, Distance, DistanceLike
from exactdp.runtime.values import dataclass


class Level(Protocol):
    """A level of either kind: this one, or :class:`~exactdp.model.level.PrivacyLevel`."""

    def as_tightest(self) -> TightestLevel:
        """The level as ratio^(1/distance)."""


@total_ordering
@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class TightestLevel(SympyOperand):
    """The level ratio^(1/distance), exactly: comparable with its like and with :class:`PrivacyLevel`.

    Parameters
    ----------
    ratio : str, int, Fraction or Scalar
        0 ≤ ratio ≤ 1. Ratio 0 is private at no level, ratio 1 at every level.
    distance : Distance, int or str
        1 unless said otherwise.

    Examples
    --------
    >>> from exactdp import PrivacyLevel
    >>> t = TightestLevel("1/3", 2)
    >>> str(t), t < TightestLevel("5/8"), t > PrivacyLevel("1/2")
    ('(1/3)^(1/2)', True, True)
    >>> TightestLevel("1/4", 2) == PrivacyLevel("1/2"), str(TightestLevel("1/4", 2))
    (True, '1/2')
    """

    ratio: Any
    distance: Distance

    def _in_sympy(self, letters: Symbols) -> Any:
        from sympy import Integer

        return self.ratio._in_sympy(letters) ** (Integer(1) / self.distance.to_sympy())

    def __init__(self, ratio: object, distance: DistanceLike = ONE) -> None:
        object.__setattr__(self, "ratio", ratio if isinstance(ratio, Scalar) else scalar_of(ratio))
        object.__setattr__(self, "distance", Distance.of(distance))
        self._check()

    def _check(self) -> None:
        """The ratio is between 0 and 1, both allowed."""
        if self.ratio < 0 or self.ratio > 1:
            message = f"the ratio {self.ratio} is not in [0, 1]"
            raise ParameterRangeError(message, name="ratio", value=self.ratio, allowed="0 <= ratio <= 1")

    @property
    def value(self) -> Any:
        """The level as one number of the field, or None if it is irrational.

        >>> TightestLevel("4/9", 2).value, TightestLevel("1/2", 2).value
        (Rational('2/3'), None)
        """
        return root_of(self.ratio, self.distance)

    @property
    def alpha(self) -> Any:
        """α: the number of the field; if that is an irrational root, the level itself (:meth:`enclosure`).

        >>> TightestLevel("4/9", 2).alpha, TightestLevel("1/3", 2).alpha
        (Rational('2/3'), TightestLevel('1/3', '2'))
        """
        value = self.value
        return self if value is None else value

    @property
    def epsilon(self) -> Epsilon:
        """ε = −ln(α), exactly; 0 if identical rows give the level 1, ∞ for the level 0.

        >>> TightestLevel("1/3", 2).epsilon.text, str(TightestLevel(0).epsilon)
        ('ln(3)/2 ≈ 0.5493061', '∞')
        """
        return Epsilon.of_level(self.ratio, self.distance)

    def enclosure(self, digits: int = 6) -> tuple[Rational, Rational]:
        """The decimals just below and above α, with so many digits after the point; a rational α twice.

        >>> [str(x) for x in TightestLevel("1/3", 2).enclosure(3)]
        ['577/1000', '289/500']
        """
        value = self.value
        number = self.ratio if value is None else value
        if not isinstance(number, NUMBERS):
            raise DomainError(f"the level {self} depends on a letter, so that no decimals enclose it", level=self)
        if isinstance(number, Rational) and value is not None:
            return number, number
        around = (lambda places: (number, number)) if isinstance(number, Rational) else number.enclosure
        return root_enclosure(around, ONE.square if value is not None else self.distance.square, digits)

    @property
    def lower(self) -> Rational:
        """A decimal at most α, with six digits after the point (:meth:`enclosure`)."""
        return self.enclosure()[0]

    @property
    def upper(self) -> Rational:
        """A decimal at least α, with six digits after the point (:meth:`enclosure`)."""
        return self.enclosure()[1]

    @property
    def text(self) -> str:
        """The level with its ε beside it; ε first if the mechanism's numbers are those of an ε.

        >>> TightestLevel("1/3", 2).text
        'α = (1/3)^(1/2) (ε = ln(3)/2 ≈ 0.5493061)'
        """
        return self.told()

    def told(self, by_epsilon: bool | None = None, *beside: Any) -> str:
        """The level with its ε beside it, ε first or not, as the reader speaks.

        The decimal of ε is told apart from the numbers of ``beside``.

        >>> TightestLevel("1/3").told(True), TightestLevel("1/3").told(False), TightestLevel(0).told()
        ('ε = ln(3) ≈ 1.098612 (α = 1/3)', 'α = 1/3 (ε = ln(3) ≈ 1.098612)', 'α = 0 (ε = ∞)')
        """
        number = without_letters(self.ratio)
        if number is not None:
            epsilon = Epsilon.of_level(number, self.distance).equation(*beside)
            return f"{epsilon} (α = {self})" if self.speaks_epsilon(by_epsilon) else f"α = {self} ({epsilon})"
        return f"α = {self}"

    def speaks_epsilon(self, by_epsilon: bool | None = None) -> bool:
        """Whether ε is said first: as the reader does, or else if the numbers are those of an ε."""
        if by_epsilon is not None:
            return by_epsilon
        return isinstance(self.ratio, ExponentialNumber) and self.ratio.rational is None

    def as_tightest(self) -> TightestLevel:
        """The level itself."""
        return self

    def compare(self, other: Level) -> int:
        """−1, 0 or 1: the sign of this level minus the other, decided exactly.

        For a symbolic level 1 says ≥ everywhere (ties at single points allowed) and 0 the same function;
        UndecidedSignError otherwise.
        """
        that = other.as_tightest()
        return compare_roots(self.ratio, self.distance, that.ratio, that.distance)

    def __eq__(self, other: object) -> bool:
        if not hasattr(other, "as_tightest"):
            return NotImplemented
        that: TightestLevel = other.as_tightest()
        if isinstance(self.ratio, NUMBERS) and isinstance(that.ratio, NUMBERS):
            return self.compare(that) == 0
        if not isinstance(common_field(self.ratio, that.ratio), RationalFunctionField | RegionField):
            return self.compare(that) == 0
        exponent = rational_root(self.distance.square / that.distance.square, 2)
        if exponent is None:
            return bool(self.ratio == that.ratio) and self.ratio in (0, 1)
        return bool(self.ratio**exponent.denominator == that.ratio**exponent.numerator)

    def __lt__(self, other: object) -> bool:
        if not hasattr(other, "as_tightest"):
            return NotImplemented
        return self.compare(other.as_tightest()) < 0

    def __float__(self) -> NoReturn:
        raise two_numbers(self)

    def __format__(self, spec: str) -> str:
        return formatted(self, spec)

    def __hash__(self) -> int:
        value = self.value
        return hash("irrational level") if value is None else hash((value,))  # as PrivacyLevel's

    def __str__(self) -> str:
        value = self.value
        if value is not None:
            return alpha_text(value)
        return power_text(self.ratio, self.distance)

    def __repr__(self) -> str:
        if self.speaks_epsilon():
            return f"<TightestLevel {self.text}{explained_letters(self.ratio) if self.epsilon.rational is None else ''}>"
        known = Epsilon.of_level(self.ratio, self.distance) if is_radical(self.ratio) else self
        return f"TightestLevel('{known.ratio}', '{known.distance}')"


def two_numbers(level: Level) -> InputError:
    """Why a level is no float: the reader of the float would not know which of its two numbers that is."""
    rational = level.as_tightest().value is not None
    alpha = "float(level.alpha)" if rational else "level.lower, a decimal at most α"
    message = f"a level has two numbers, and a float would not say which: for ε write float(level.epsilon), for α {alpha}"
    return InputError(message, level=level)


def formatted(level: Level, spec: str) -> str:
    """The level's text in a width; a format of numbers such as ``.3f`` is one of its two numbers."""
    if re.search(r"\.[0-9]|[eEfFgGn%]\Z", spec):
        raise two_numbers(level)
    return format(str(level), spec)


def is_radical(alpha: Any) -> bool:
    """Whether α is the irrational root of a rational number."""
    if not isinstance(alpha, NumberFieldElement) or alpha.rational is not None:
        return False
    return isinstance(Epsilon.of_level(alpha).ratio, Rational | ExponentialNumber)


def without_letters(alpha: Any) -> Rational | ExponentialNumber | NumberFieldElement | None:
    """The number itself, also if it is one of a field of formulas; None if it depends on a letter."""
    if isinstance(alpha, NUMBERS):
        return alpha
    constant: Rational | None = alpha.rational
    return constant


def alpha_text(alpha: Any) -> str:
    """α; e^(−ε) for a rational ε, and the power of a rational number for a root of one."""
    if is_radical(alpha):
        known = Epsilon.of_level(alpha)
        return power_text(known.ratio, known.distance)
    epsilon = Epsilon.of_level(alpha) if isinstance(alpha, ExponentialNumber) else None
    return str(alpha) if epsilon is None or epsilon.rational is None else f"e^(−{epsilon})"


def power_text(ratio: Any, distance: Distance) -> str:
    """ratio^(1/distance)."""
    d = distance.rational
    exponent = f"1/sqrt({distance.square})" if d is None else str(1 / d)
    return f"({ratio})^({exponent})"


def explained_letters(x: Any) -> str:
    """What the letters of a number stand for, after a comma; nothing if it has none."""
    legend = x.field.explained(str(x))
    return f", {legend}" if legend else ""
