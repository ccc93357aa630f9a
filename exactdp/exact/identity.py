# SPDX-License-Identifier: MIT
"""Functions of letters as formulas: identity, and quotients that look at no point of the region.

``==``, ``bool()`` and ``/`` of functions of letters are statements about every point of their region, or
errors (:mod:`exactdp.exact.region_functions`). An algorithm that works with the formulas themselves, as an
elimination that proposes a solution, says so by the names that are here. What it proposes is then judged by
comparisons.

Examples
--------
>>> from exactdp.exact import RegionField
>>> p, q = RegionField("0 < p < 1, 0 < q < 1").gens
>>> same_formula(p, q), same_formula((p - q) * (p + q), p**2 - q**2), is_zero(p - q)
(False, True, False)
>>> print(generic_quotient(p, p - q))
-p/(-p + q)
"""

from __future__ import annotations

from typing import Any


def same_formula(left: Any, right: Any) -> bool:
    """Whether two numbers are one formula; :func:`exactdp.exact.comparison.same_formula` checks them.

    >>> from exactdp.exact import RegionField
    >>> p = RegionField("0 < p < 1").gen
    >>> same_formula(2 * p, 1), same_formula(p + p, 2 * p)
    (False, True)
    """
    for one, other in ((left, right), (right, left)):
        compared = getattr(one, "_same_formula", None)
        if compared is not None:
            return bool(compared(other))
    return bool(left == right)


def is_zero(x: Any) -> bool:
    """Whether a number is 0, or a function of letters the formula 0.

    >>> from exactdp.exact import RegionField
    >>> p = RegionField("0 < p < 1").gen
    >>> is_zero(2 * p - 1), is_zero(p - p), is_zero(0)
    (False, True, True)
    """
    compared = getattr(x, "_is_zero_formula", None)
    return not x if compared is None else bool(compared())


def is_nonzero(x: Any) -> bool:
    """The opposite of :func:`is_zero`, for who asks for what is not zero.

    >>> is_nonzero(2)
    True
    """
    return not is_zero(x)


def generic_quotient(above: Any, below: Any) -> Any:
    """The quotient of two numbers, or of two functions as formulas, wherever the divisor may be zero.

    Who uses it looks at the points where the divisor is zero itself, or judges what comes of it by
    comparisons, which name the points where a function is not defined.

    >>> from exactdp.exact import RegionField
    >>> p = RegionField("0 < p < 1").gen
    >>> print(generic_quotient(1, 2 * p - 1))
    -1/(-2*p + 1)
    >>> 1 / (2 * p - 1)
    Traceback (most recent call last):
    ...
    exactdp.errors.DomainError: 1 is divided by 2*p - 1, which is zero at p = 1/2; ...
    """
    divided = getattr(below, "_generic_quotient", None)
    return above / below if divided is None else divided(above)


def formula_of(x: Any) -> Any:
    """A number, or a function of letters as a formula, in :attr:`~exactdp.exact.field.OrderedField.formulas`.

    >>> from exactdp.exact import RegionField
    >>> p = RegionField("0 < p < 1").gen
    >>> formula_of(2 * p) == 1
    False
    """
    given = getattr(x, "_as_formula", None)
    return x if given is None else given()


def judged(x: Any) -> Any:
    """The opposite of :func:`formula_of`.

    >>> from exactdp.exact import RegionField
    >>> p = RegionField("0 < p < 1").gen
    >>> type(judged(formula_of(p))).__name__, judged(3)
    ('RegionFunction', 3)
    """
    given = getattr(x, "_as_judged", None)
    return x if given is None else given()
