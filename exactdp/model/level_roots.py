# SPDX-License-Identifier: MIT
"""Levels as roots ratio^(1/distance): as numbers of a field, compared exactly, and multiplied (sums of ε)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import lcm
from typing import Any

from exactdp.errors import DomainError
from exactdp.exact import (
    ExponentialField,
    ExponentialNumber,
    Rational,
    common_field,
    compare_exponential_power,
    compare_power,
    power_within,
    rational_root,
)
from exactdp.exact.algebraic import AlgebraicNumber
from exactdp.exact.balls import log_enclosure, root_enclosure
from exactdp.exact.number_field import NumberField, NumberFieldElement
from exactdp.exact.powers import exponents_of, raised
from exactdp.model.metric import ONE, Distance
from exactdp.runtime.budget import current_budget, require_budget

FIRST_DIGITS = 7
"""With so many digits two numbers are enclosed that are to be told apart, then with twice as many."""

Logarithm = tuple[Any, Distance]
"""The ratio and the distance of −ln(ratio)/distance."""


def sum_of(left: Logarithm, right: Logarithm) -> Logarithm:
    """The ratio and distance of a sum; the ratio 0 is that of ε = ∞.

    * raises DomainError: the two are roots whose degrees have an irrational quotient, or are in fields
      that have no common one.

    >>> from exactdp.exact import Rational
    >>> from exactdp.model.metric import ONE
    >>> ratio, distance = sum_of((Rational("1/2"), ONE), (Rational("1/3"), Distance.of(2)))
    >>> str(ratio), str(distance)
    ('1/12', '2')
    """
    for one, other in ((left, right), (right, left)):
        if one[0] == 0 or other[0] == 1:
            return one
    (x, d), (y, e) = left, right
    if d == e:
        return _product(x, 1, y, 1), d
    p, q = d.rational, e.rational
    if p is None or q is None:
        message = f"the sum of −ln({x})/{d} and −ln({y})/{e} is no logarithm of one root; add their floats"
        raise DomainError(message, left=d, right=e)
    # x^(1/d)·y^(1/e) = (x^k·y^m)^(1/c), where c is the least common multiple of the numerators
    common = lcm(p.numerator, q.numerator)
    k, m = (common // r.numerator * r.denominator for r in (p, q))
    return _product(x, k, y, m), Distance.of(common)


def _product(x: Any, k: int, y: Any, m: int) -> Any:
    """x^k·y^m in a field that has both."""
    for base, exponent in ((x, k), (y, m)):
        require_budget("the level of a sum of ε", **base.power_size(exponent))
    field = common_field(x, y)
    return field(x) ** k * field(y) ** m


MOST_DEGREE = 24
"""Of a larger degree no root is a level: each number is a polynomial in it."""


def enclosed(x: Any, places: int) -> tuple[Rational, Rational]:
    """Rationals around a number of ℚ or of a field of exponentials; the lower one is positive."""
    if isinstance(x, Rational):
        return x, x
    found = x.enclosure(places)
    while not found[0] > 0 and x > 0:
        places *= 2
        found = x.enclosure(places)
    low, high = found
    return low, high


def radical_of(ratio: Any, distance: Distance) -> Any:
    """ratio^(1/distance) for a rational ratio in (0, 1), as a number of the field of this root; else None.

    >>> radical_of(Rational("1/3"), Distance.of(2)), radical_of(Rational("1/2"), Distance.parse("sqrt(2)"))
    (NumberFieldElement('(r)', r = √(1/3)), None)
    """
    d = distance.rational
    if d is None or not isinstance(ratio, Rational) or not 0 < ratio < 1 or d.numerator > MOST_DEGREE:
        return None
    if ratio.power_size(d.denominator)["digits"] > current_budget().digits:
        return None
    below = ratio**d.denominator
    found = AlgebraicNumber([-below, *[0] * (int(d.numerator) - 1), 1], 0, 1)
    return NumberField(found, "r").gen


def without_root(ratio: NumberFieldElement, distance: Distance) -> tuple[Any, Distance]:
    """A ratio and a distance with the same level, where the ratio is rational if some power of it is."""
    for k in range(1, len(ratio.field.root.coefficients)):
        power = (ratio**k).rational
        if power is not None and ratio.sign() > 0:
            return power, Distance(distance.square * k * k)
    return ratio, distance


def root_of(ratio: Any, distance: Distance) -> Any:
    """ratio^(1/distance) as a number of the ratio's field, or None if it is not in it.

    >>> root_of(Rational("4/9"), Distance.of(2)), root_of(Rational("1/2"), Distance.of(2))
    (Rational('2/3'), None)
    """
    if distance == ONE or ratio in (0, 1):
        return ratio
    d = distance.rational
    if isinstance(ratio, ExponentialNumber):
        power = power_within(ratio, 1 / distance.square)
        if power is not None:
            return power
    if d is None:
        return None
    if not isinstance(ratio, Rational):
        root = ratio.root(d.numerator)
        return None if root is None else root**d.denominator
    root = rational_root(ratio, d.numerator)
    if root is None or root.power_size(d.denominator)["digits"] > current_budget().digits:
        return None
    return root**d.denominator


def compare_roots(left: Any, left_distance: Distance, right: Any, right_distance: Distance) -> int:
    """The (weak) sign of left^(1/d) − right^(1/e) for non-negative left and right.

    Roots of rational numbers are compared as powers of these. Numbers of two fields of exponentials are
    compared by their ε where one of them is known as a number,
    such as 1/2 or sqrt(2): their common field may be large, or may not be built at all.
    """
    left, left_distance = without_root(left, left_distance) if isinstance(left, NumberFieldElement) else (left, left_distance)
    right, right_distance = without_root(right, right_distance) if isinstance(right, NumberFieldElement) else (right, right_distance)
    if isinstance(left, ExponentialNumber) and isinstance(right, ExponentialNumber) and left.field != right.field:
        known = _compare_exponents(left, left_distance, right, right_distance)
        if known is not None:
            return known
    kinds = {type(x) for x in (left, right)}
    if kinds == {NumberFieldElement, ExponentialNumber}:
        left, right = (x if x.rational is None else x.rational for x in (left, right))
        if not any(isinstance(x, Rational) for x in (left, right)):
            return _compare_enclosed(left, left_distance, right, right_distance)
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


def _compare_enclosed(left: Any, d: Distance, right: Any, e: Distance) -> int:
    """The sign of left^(1/d) − right^(1/e) for an algebraic number and a transcendental one, which differ.

    A function of e^(−ε) with rational coefficients that is no constant is transcendental (Lindemann), and so
    are its roots. So enclosures end.
    """
    return _order_of_enclosures(partial(root_enclosure, left.enclosure, d.square), partial(root_enclosure, right.enclosure, e.square))


def _order_of_enclosures(left: Callable[[int], tuple[Any, Any]], right: Callable[[int], tuple[Any, Any]]) -> int:
    """−1 or 1: the order of two different numbers, each a function from digits to an enclosure."""
    digits = FIRST_DIGITS
    while True:
        low, high = left(digits)
        below, above = right(digits)
        if high < below or above < low:
            return -1 if high < below else 1
        digits *= 2


def _compare_exponents(left: ExponentialNumber, d: Distance, right: ExponentialNumber, e: Distance) -> int | None:
    """The sign of left^(1/d) − right^(1/e) where one of the two is e^(−Σ c·√q), which is known; else None.

    Such a number is the power of no other number of a field of exponentials (Lindemann and Weierstrass:
    different exponentials are linearly independent). So enclosures of −ln tell apart what is not the same
    sum, and they end.
    """
    if left == 0 or right == 0:
        return int(left != 0) - int(right != 0)
    exponents = [exponents_of(left), exponents_of(right)]
    first, second = (None if c is None else raised(c, 1 / of.square) for c, of in zip(exponents, (d, e), strict=True))
    if first is None and second is None:
        return None
    if first == second:
        return 0
    if first is not None and second is not None and set(first) | set(second) <= {1}:
        zero = Rational(0)
        return (second.get(1, zero) - first.get(1, zero)).sign()
    return _order_of_enclosures(
        partial(log_enclosure, partial(enclosed, right), e.square), partial(log_enclosure, partial(enclosed, left), d.square)
    )
