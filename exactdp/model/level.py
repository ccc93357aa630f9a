# SPDX-License-Identifier: MIT
"""Privacy levels α ∈ (0, 1), and the question x ≥ α^d · y for every kind of distance d.

α near 1 is strong privacy, near 0 none (α = e^(−ε)). A level is a rational number, a letter that stands for
every number of an interval (:meth:`PrivacyLevel.symbolic`), or e^(−ε) for a rational ε
(:meth:`PrivacyLevel.from_epsilon`).

The tightest level of a mechanism, the least ratio^(1/d) over its pairs, need not be rational, nor in the
field of the ratio. It is kept as (ratio, d), and is compared exactly all the same (:class:`TightestLevel`).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import total_ordering
from typing import Any

import attrs

from exactdp.errors import DomainError, InputError, ParameterRangeError, ResourceLimitError, UndecidedSignError
from exactdp.exact import (
    QQ,
    ExponentialField,
    ExponentialNumber,
    Interval,
    Rational,
    RationalFunction,
    RationalFunctionField,
    Scalar,
    common_field,
    compare_exponential_power,
    compare_power,
    field_for_exponents,
    power_within,
    rational_root,
    root_parts,
)
from exactdp.model.metric import ONE, Distance, DistanceLike
from exactdp.model.neighbours import NeighboursLike
from exactdp.model.neighbours import neighbours as as_neighbours


def _alpha(level: LevelLike) -> Any:
    """The number of a level."""
    return level.alpha if isinstance(level, PrivacyLevel) else level if isinstance(level, Scalar) else QQ(level)


_REASONS = {
    0: "level 0 constrains nothing: every mechanism would be private",
    1: "level 1 (ε = 0) forces all rows to be equal: the output could not depend on the input",
}


@total_ordering
@attrs.frozen(repr=False)
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

    alpha: Any = attrs.field(converter=_alpha)

    @classmethod
    def from_epsilon(cls, epsilon: object, unit: int = 1, roots: Iterable[int] = (1,)) -> PrivacyLevel:
        """The level α = e^(−ε), exactly: a transcendental number.

        Parameters
        ----------
        epsilon : rational
            ε > 0, not a float. (A level whose α is rational, such as ε = ln 2, is given as that α.)
        unit : int
            k ≥ 1: α^d is a number of the field for every multiple d of 1/k.
        roots : iterable of int
            Squarefree q such that α^d is a number of the field for every multiple d of √q/k; 1 is always
            there. :func:`level_for` chooses unit and roots for a graph or metric.

        Raises
        ------
        ParameterRangeError
            ε ≤ 0 (at ε = 0 the output could not depend on the input), or unit or roots are out of range.
        InexactInputError
            ε is a float.

        Examples
        --------
        >>> level = PrivacyLevel.from_epsilon("1/10", unit=2)
        >>> level.alpha, level.power("1/2"), level.power(3), str(level.epsilon)
        (ExponentialNumber('t^2'), ExponentialNumber('t'), ExponentialNumber('t^6'), '1/10')
        >>> PrivacyLevel.from_epsilon(1, roots=(1, 2)).power(Distance.parse("sqrt(8)"))
        ExponentialNumber('t2^2')
        """
        value = _epsilon(epsilon)
        return cls(ExponentialField(value, unit, {1, *roots}).exponential(value))

    @classmethod
    def symbolic(cls, interval: Any = (0, 1), name: str = "a") -> PrivacyLevel:
        """The level as a letter: every statement is about all levels of the interval at once.

        Parameters
        ----------
        interval : Interval or (lower, upper)
            In (0, 1); a pair means the open interval.
        name : str
            The letter.

        Raises
        ------
        ParameterRangeError
            The interval has a number outside (0, 1).

        Examples
        --------
        >>> PrivacyLevel.symbolic().power(2), PrivacyLevel.symbolic(("1/2", 1)) > PrivacyLevel("1/3")
        (RationalFunction('a^2'), True)
        """
        return cls(RationalFunctionField(interval if isinstance(interval, Interval) else Interval(*interval), name).gen)

    def __attrs_post_init__(self) -> None:
        a = self.alpha
        try:
            if a > 0 and a < 1:
                return
        except UndecidedSignError:
            pass  # a letter that leaves the interval
        if isinstance(a, RationalFunction):
            why = f" for every {a.field.name_of_level} in {a.field.interval}; choose a smaller interval"
        else:
            why = ": " + next((text for bad, text in _REASONS.items() if a == bad), "α = e^(−ε) with ε > 0 lies strictly between 0 and 1")
        message = f"the privacy level α = {a} is not between 0 and 1{why}"
        raise ParameterRangeError(message, name="alpha", value=a, allowed="0 < alpha < 1")

    @property
    def epsilon(self) -> Rational | None:
        """ε when the level was given as a rational ε, else None.

        >>> PrivacyLevel.from_epsilon("1/10").epsilon, PrivacyLevel("1/2").epsilon
        (Rational('1/10'), None)
        """
        if not isinstance(self.alpha, ExponentialNumber):
            return None
        field = self.alpha.field
        if 1 not in field.roots:
            return None
        power = 1
        generator = field.gens[field.roots.index(1)]
        found = generator
        while found > self.alpha:
            found, power = found * generator, power + 1
        return field.rate * power if found == self.alpha else None

    @property
    def field(self) -> Any:
        """The field of α."""
        return self.alpha.field

    def power(self, distance: DistanceLike) -> Any:
        """The exact α^d; DomainError if it is outside the field of α.

        >>> PrivacyLevel("1/2").power(3)
        Rational('1/8')
        """
        d = Distance.of(distance)
        if isinstance(self.alpha, ExponentialNumber):
            power = power_within(self.alpha, d.square)
            if power is not None:
                return power
        root = None if d.rational is None else self._root(d.rational.denominator)
        if d.rational is None or root is None:
            raise self._outside(d)
        exponent = d.rational.numerator
        bits = exponent * (root.denominator.bit_length() if isinstance(root, Rational) else 64)
        if bits > MAX_POWER_BITS:
            raise ResourceLimitError(f"a power with the exponent {d} has more than {MAX_POWER_BITS} bits", limit=MAX_POWER_BITS, got=bits)
        return root**exponent

    def _outside(self, d: Distance) -> DomainError:
        if isinstance(self.alpha, ExponentialNumber):
            hint = "let level_for(neighbours, epsilon) choose a field that has it, or give unit and roots"
        elif isinstance(self.alpha, RationalFunction):
            hint = "write the level as a power of the letter that has this root, or give one level, or ε (--epsilon), instead"
        else:
            hint = "give the level as ε (--epsilon, level_for), or ask about privacy alone, which needs no such number"
        what = "irrational" if isinstance(self.alpha, Rational) else f"not in {self.alpha.field}"
        return DomainError(f"({self.alpha})^({d}) is {what}; {hint}", level=self, distance=d)

    def _root(self, degree: int) -> Any:
        if degree == 1:
            return self.alpha
        return rational_root(self.alpha, degree) if isinstance(self.alpha, Rational) else self.alpha.root(degree)

    def at_least(self, x: Any, y: Any, distance: DistanceLike = ONE) -> bool:
        """Whether x ≥ α^d · y, decided exactly for every distance and all x, y.

        For positive x, y and rational d = p/q this is x^q ≥ α^p y^q. For irrational d equality cannot occur
        (Gelfond–Schneider), and balls of rising precision decide. Over ℚ(e^(−ε)) the question is asked in a
        field that has α^d. For a symbolic level the answer holds on the whole interval, or
        UndecidedSignError says where it changes.

        >>> PrivacyLevel("1/2").at_least(Rational("1/4"), Rational("1/2"))
        True
        """
        d = Distance.of(distance)
        if d == ONE:
            return bool(x >= self.alpha * y)
        if not isinstance(self.alpha, Rational):
            try:
                return bool(x >= self.power(d) * y)
            except DomainError as error:
                if isinstance(error, UndecidedSignError):
                    raise
        if y <= 0 and x >= 0:
            return True
        if x <= 0 and y >= 0:
            return False
        if isinstance(self.alpha, RationalFunction) and d.rational is not None and x > 0:  # with one answer, at closed ends too
            return bool(x**d.rational.denominator >= self.alpha**d.rational.numerator * y**d.rational.denominator)
        return bool(compare_roots(x / y, d, self.alpha, ONE) * x.sign() >= 0)

    def __hash__(self) -> int:
        return hash((self.alpha,))

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


LevelLike = PrivacyLevel | Scalar | Fraction | int | str


def as_level(level: LevelLike) -> PrivacyLevel:
    """The privacy level given, or the one that a text or a number denotes.

    >>> as_level("0.25")
    PrivacyLevel('1/4')
    """
    return level if isinstance(level, PrivacyLevel) else PrivacyLevel(level)


def level_for(neighbours: NeighboursLike, epsilon: object) -> PrivacyLevel:
    """The level e^(−ε) in a field that has α^d for every distance d of a graph or metric.

    Parameters
    ----------
    neighbours : Graph, Metric or text
        All its distances are used.
    epsilon : rational
        ε > 0.

    Examples
    --------
    >>> from exactdp.model.metric import Metric
    >>> metric = Metric(["0", "1", "2"], [(0, 1, "1/2"), (1, 2, 1), (0, 2, "sqrt(2)")])
    >>> level_for(metric, "1/10").field
    ExponentialField('1/20', roots=(1, 2))
    """
    value = _epsilon(epsilon)
    squares = {distance.square for _, _, distance in as_neighbours(neighbours).pairs()}
    exponents = [(value * outside, inside) for outside, inside in map(root_parts, squares)]
    return PrivacyLevel(field_for_exponents([(value, 1), *exponents]).exponential(value))


def _epsilon(epsilon: object) -> Rational:
    if isinstance(epsilon, Scalar) and not isinstance(epsilon, Rational):
        raise InputError(f"ε = {epsilon} is not rational; give the level as alpha if α itself is known exactly", value=epsilon)
    value = Rational(epsilon)
    if value.sign() <= 0:
        reason = _REASONS[1] if value == 0 else "α = e^(−ε) would be above 1"
        raise ParameterRangeError(f"ε = {value} is not positive: {reason}", name="epsilon", value=value, allowed="> 0")
    return value


MAX_POWER_BITS = 1 << 28
"""Most bits of a power α^d that is written out."""


@total_ordering
@attrs.frozen(init=False, eq=False, repr=False)
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
        self.__attrs_init__(ratio if isinstance(ratio, Scalar) else QQ(ratio), Distance.of(distance))

    def __attrs_post_init__(self) -> None:
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

        For a symbolic level 1 says ≥ everywhere (ties at single points allowed) and 0 the same function;
        UndecidedSignError otherwise.
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
        return hash("irrational level") if value is None else hash((value,))  # as PrivacyLevel's

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
