# SPDX-License-Identifier: MIT
"""The tightest level of a mechanism: the least ratio^(1/d) over its pairs.

It is kept as (ratio, d), because it need not be rational, nor in the field of the ratio; two of them are compared exactly all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING, Any

from exactdp.errors import DomainError, ParameterRangeError
from exactdp.exact import (
    QQ,
    ExponentialField,
    ExponentialNumber,
    Rational,
    RationalFunctionField,
    Scalar,
    common_field,
    compare_exponential_power,
    compare_power,
    power_within,
    rational_root,
)
from exactdp.model.distance import ONE, Distance, DistanceLike

if TYPE_CHECKING:
    from exactdp.model.level import PrivacyLevel

__all__ = ["MAX_POWER_BITS", "TightestLevel", "compare_roots"]

MAX_POWER_BITS = 1 << 28
"""Most bits of a power α^d that is written out."""


@total_ordering
@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class TightestLevel:
    """The level ratio^(1/distance), exactly: comparable with its like and with :class:`PrivacyLevel`.

    Parameters
    ----------
    ratio : str, int, Fraction or Scalar
        0 ≤ ratio ≤ 1. Ratio 0 is private at no level, ratio 1 at every level.
    distance : Distance, int or str
        1 unless said otherwise.

    Examples
    --------
    >>> from exactdp.model.level import PrivacyLevel
    >>> t = TightestLevel("1/3", 2)
    >>> str(t), t < TightestLevel("5/8"), t > PrivacyLevel("1/2")
    ('(1/3)^(1/2)', True, True)
    >>> TightestLevel("1/4", 2) == PrivacyLevel("1/2"), str(TightestLevel("1/4", 2))
    (True, '1/2')
    """

    ratio: Any
    distance: Distance

    def __init__(self, ratio: object, distance: DistanceLike = ONE) -> None:
        object.__setattr__(self, "ratio", ratio if isinstance(ratio, Scalar) else QQ(ratio))
        object.__setattr__(self, "distance", Distance.of(distance))
        self.__post_init__()

    def __post_init__(self) -> None:
        if self.ratio < 0 or self.ratio > 1:
            raise ParameterRangeError(f"the ratio {self.ratio} is not in [0, 1]", name="ratio", value=self.ratio, allowed="0 <= ratio <= 1")

    @property
    def value(self) -> Any:
        """The level as one number of the field, or None if it is irrational.

        >>> TightestLevel("4/9", 2).value, TightestLevel("1/2", 2).value
        (Rational('2/3'), None)
        """
        if self.distance == ONE or self.ratio in (0, 1):
            return self.ratio
        d = self.distance.rational
        if isinstance(self.ratio, ExponentialNumber):
            power = power_within(self.ratio, 1 / self.distance.square)
            if power is not None:
                return power
        if d is None:
            return None
        if not isinstance(self.ratio, Rational):
            root = self.ratio.root(d.numerator)
            return None if root is None else root**d.denominator
        root = rational_root(self.ratio, d.numerator)
        if root is None or d.denominator * root.denominator.bit_length() > MAX_POWER_BITS:
            return None
        return root**d.denominator

    def as_tightest(self) -> TightestLevel:
        """The level itself."""
        return self

    def compare(self, other: TightestLevel | PrivacyLevel) -> int:
        """−1, 0 or 1: the sign of this level minus the other, decided exactly.

        For a symbolic level 1 says ≥ everywhere (ties at single points allowed) and 0 the same function; UndecidedSignError otherwise.
        """
        that = other.as_tightest()
        return compare_roots(self.ratio, self.distance, that.ratio, that.distance)

    def __eq__(self, other: object) -> bool:
        if not hasattr(other, "as_tightest"):
            return NotImplemented
        that: TightestLevel = other.as_tightest()
        if not isinstance(common_field(self.ratio, that.ratio), RationalFunctionField):
            return self.compare(that) == 0
        exponent = rational_root(self.distance.square / that.distance.square, 2)
        if exponent is None:
            return bool(self.ratio == that.ratio) and self.ratio in (0, 1)
        return bool(self.ratio**exponent.denominator == that.ratio**exponent.numerator)

    def __lt__(self, other: object) -> bool:
        if not hasattr(other, "as_tightest"):
            return NotImplemented
        return self.compare(other.as_tightest()) < 0

    def __hash__(self) -> int:
        value = self.value
        return hash("irrational level") if value is None else hash((value,))  # the second is PrivacyLevel's hash

    def __str__(self) -> str:
        value = self.value
        if value is not None:
            return str(value)
        d = self.distance.rational
        exponent = f"1/sqrt({self.distance.square})" if d is None else str(1 / d)
        return f"({self.ratio})^({exponent})"

    def __repr__(self) -> str:
        return f"TightestLevel('{self.ratio}', '{self.distance}')"


def compare_roots(left: Any, left_distance: Distance, right: Any, right_distance: Distance) -> int:
    """The (weak) sign of left^(1/d) − right^(1/e) for non-negative left and right."""
    field = common_field(left, right)
    if isinstance(field, ExponentialField):
        left, right = field(left), field(right)
    if left_distance == right_distance or left == 0 or right == 0:
        return int((left - right).weak_sign())
    square = left_distance.square / right_distance.square
    if isinstance(left, Rational) and isinstance(right, Rational):
        return compare_power(left, right, square)
    if isinstance(field, ExponentialField):
        return compare_exponential_power(left, right, square)
    exponent = rational_root(square, 2)
    if exponent is None:
        raise DomainError(
            f"the field {field} can't compare powers with the irrational exponent sqrt({square})",
            distance=(left_distance, right_distance),
        )
    return int((left**exponent.denominator - right**exponent.numerator).weak_sign())
