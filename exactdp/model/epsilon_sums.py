# SPDX-License-Identifier: MIT
"""Sums of ε, each of them −ln(ratio)/distance: exactly, as the product of their levels e^(−ε)."""

from __future__ import annotations

from math import lcm
from typing import Any

from exactdp.errors import DomainError
from exactdp.exact import common_field
from exactdp.model.metric import Distance
from exactdp.runtime.budget import require_budget

Logarithm = tuple[Any, Distance]
"""The ratio and the distance of −ln(ratio)/distance."""


def sum_of(left: Logarithm, right: Logarithm) -> Logarithm:
    """The ratio and distance of a sum; the ratio 0 is that of ε = ∞.

    Raises
    ------
    DomainError
        The two are roots whose degrees have an irrational quotient, or are in fields that have no common one.

    Examples
    --------
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
        raise DomainError(f"the sum of −ln({x})/{d} and −ln({y})/{e} is no logarithm of one root; add their floats", left=d, right=e)
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
