# SPDX-License-Identifier: MIT
"""Privacy levels α ∈ (0, 1), and the question x ≥ α^d · y for every kind of distance d.

α near 1 is strong privacy, near 0 none (α = e^(−ε)). The tightest level of a mechanism is the least ratio^(1/d) over its pairs;
it is kept as (ratio, d), because it need not be rational.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from typing import Any

from exactdp.errors import DomainError, ParameterRangeError, ResourceLimitError
from exactdp.exact import QQ, Rational, Scalar, compare_power, rational_root
from exactdp.model.distance import ONE, Distance, DistanceLike

__all__ = ["MAX_POWER_BITS", "LevelLike", "PrivacyLevel", "TightestLevel", "as_level"]

MAX_POWER_BITS = 1 << 28
"""Most bits of a power α^d that is written out."""

_REASONS = {
    0: "level 0 constrains nothing: every mechanism would be private",
    1: "level 1 (ε = 0) forces all rows to be equal: the output could not depend on the input",
}


@total_ordering
@dataclass(frozen=True, slots=True, init=False, repr=False)
class PrivacyLevel:
    """A privacy level α.

    Parameters
    ----------
    alpha : str, int, Fraction, Scalar or PrivacyLevel
        0 < α < 1, exactly.

    Raises
    ------
    ParameterRangeError
        α ≤ 0 or α ≥ 1; says why.

    Examples
    --------
    >>> level = PrivacyLevel("1/4")
    >>> level.power("1/2")
    Rational('1/2')
    >>> level.at_least(Rational("1/2"), Rational(1), Distance.parse("sqrt(1/3)"))
    True
    """

    alpha: Any

    def __init__(self, alpha: LevelLike) -> None:
        value: Any = alpha.alpha if isinstance(alpha, PrivacyLevel) else alpha if isinstance(alpha, Scalar) else QQ(alpha)
        object.__setattr__(self, "alpha", value)
        self.__post_init__()

    def __post_init__(self) -> None:
        if self.alpha.sign() <= 0 or (self.alpha - 1).sign() >= 0:
            reason = next(
                (text for bad, text in _REASONS.items() if self.alpha == bad), "α = e^(−ε) with ε > 0 lies strictly between 0 and 1"
            )
            raise ParameterRangeError(
                f"the privacy level α = {self.alpha} is not between 0 and 1: {reason}",
                name="alpha",
                value=self.alpha,
                allowed="0 < alpha < 1",
            )

    def power(self, distance: DistanceLike) -> Any:
        """The exact α^d; DomainError if it is irrational (outside the field of α).

        >>> PrivacyLevel("1/2").power(3)
        Rational('1/8')
        """
        d = Distance.of(distance)
        root = None if d.rational is None else self._root(d.rational.denominator)
        if d.rational is None or root is None:
            raise DomainError(
                f"({self.alpha})^({d}) is irrational; ask at_least(x, y, d), which needs no such number", level=self, distance=d
            )
        exponent = d.rational.numerator
        bits = exponent.bit_length() if not isinstance(root, Rational) else exponent * root.denominator.bit_length()
        if bits > MAX_POWER_BITS:
            raise ResourceLimitError(f"a power with the exponent {d} has more than {MAX_POWER_BITS} bits", limit=MAX_POWER_BITS, got=bits)
        return root**exponent

    def _root(self, degree: int) -> Any:
        if degree == 1:
            return self.alpha
        return rational_root(self.alpha, degree) if isinstance(self.alpha, Rational) else None

    def at_least(self, x: Any, y: Any, distance: DistanceLike = ONE) -> bool:
        """Whether x ≥ α^d · y, decided exactly for every distance and all x, y.

        For positive x, y and rational d = p/q this is x^q ≥ α^p y^q; for irrational d equality cannot occur (Gelfond–Schneider), and
        balls of rising precision decide.

        >>> PrivacyLevel("1/2").at_least(Rational("1/4"), Rational("1/2"))
        True
        """
        if y.sign() <= 0 <= x.sign():
            return True
        if x.sign() <= 0 <= y.sign():
            return False
        d = Distance.of(distance)
        if d == ONE:
            return bool(x >= self.alpha * y)
        return bool(_compare_roots(x / y, d, self.alpha, ONE) * x.sign() >= 0)

    def as_tightest(self) -> TightestLevel:
        """The same number as a :class:`TightestLevel`."""
        return TightestLevel(self.alpha)

    def __lt__(self, other: object) -> bool:
        if isinstance(other, (PrivacyLevel, TightestLevel)):
            return self.as_tightest().compare(other) < 0
        return NotImplemented

    def __str__(self) -> str:
        return str(self.alpha)

    def __repr__(self) -> str:
        return f"PrivacyLevel('{self.alpha}')"


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
        if self.ratio.sign() < 0 or (self.ratio - 1).sign() > 0:
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
        if d is None or not isinstance(self.ratio, Rational):
            return None
        root = rational_root(self.ratio, d.numerator)
        if root is None or d.denominator * root.denominator.bit_length() > MAX_POWER_BITS:
            return None
        return root**d.denominator

    def compare(self, other: TightestLevel | PrivacyLevel) -> int:
        """−1, 0 or 1: the sign of this level minus the other, decided exactly."""
        if isinstance(other, PrivacyLevel):
            other = other.as_tightest()
        return _compare_roots(self.ratio, self.distance, other.ratio, other.distance)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (TightestLevel, PrivacyLevel)):
            return self.compare(other) == 0
        return NotImplemented

    def __lt__(self, other: object) -> bool:
        if isinstance(other, (TightestLevel, PrivacyLevel)):
            return self.compare(other) < 0
        return NotImplemented

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


LevelLike = PrivacyLevel | Scalar | Fraction | int | str


def as_level(level: LevelLike) -> PrivacyLevel:
    """The privacy level given, or the one that a text or a number denotes.

    >>> as_level("0.25")
    PrivacyLevel('1/4')
    """
    return level if isinstance(level, PrivacyLevel) else PrivacyLevel(level)


def _compare_roots(left: Any, left_distance: Distance, right: Any, right_distance: Distance) -> int:
    """The sign of left^(1/d) − right^(1/e) for non-negative left and right."""
    if left_distance == right_distance or left.sign() == 0 or right.sign() == 0:
        return int((left - right).sign())
    square = left_distance.square / right_distance.square
    if isinstance(left, Rational) and isinstance(right, Rational):
        return compare_power(left, right, square)
    exponent = rational_root(square, 2)
    if exponent is None:
        raise DomainError(
            f"the field {left.field} can't compare powers with the irrational exponent sqrt({square})",
            distance=(left_distance, right_distance),
        )
    return int((left**exponent.denominator - right**exponent.numerator).sign())
