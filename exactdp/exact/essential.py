# SPDX-License-Identifier: MIT
"""The simplest polynomial that has the sign of a function of letters at every point of a region."""

from __future__ import annotations

from typing import Any

from flint import fmpz

from exactdp.exact.identity import is_zero
from exactdp.exact.region_functions import RegionFunction


def essential(function: RegionFunction) -> RegionFunction:
    """The polynomial that has the function's sign at every point of the region, of least degree by factors.

    f = c·∏ g^e over a denominator that vanishes nowhere: a factor that is never zero leaves its sign, an odd
    power is the factor itself, an even one its square. So f > 0, f = 0 and f < 0 stay what they are,
    everywhere.

    * ``function``: defined on the whole region.

    Returns: a polynomial whose coefficients have no common divisor; 1, 0 or −1 if no letter is left.

    * raises DomainError: the denominator is not known to vanish nowhere.

    >>> from exactdp.exact import Region, RegionField
    >>> field = RegionField(Region({"p": "(0, 1)", "q": "[0, 1)"}))
    >>> [str(essential(field(text))) for text in ("(p - q)*p^2/(1+q)", "q*(p-q)^3*(p-2)", "7*p")]
    ['p - q', '-p*q + q^2', '1']
    """
    field = function.field
    if is_zero(function):
        return field.zero  # type: ignore[no-any-return]
    function.require_defined()
    if field.is_constant(function._d):
        sign = 1 if function._d.leading_coefficient() > 0 else -1
    else:
        sign = _constant_sign(field.sign_of(function._d))
    constant, factors = function._n.factor()
    sign *= 1 if constant > 0 else -1
    kept: Any = field._poly(1)
    for factor, times in factors:
        found = field.sign_of(factor)
        if found.sign is not None and found.strict:
            sign *= found.sign ** int(times)
        else:
            kept = kept * factor ** (2 - int(times) % 2)
    content = fmpz(0)
    for _, c in kept.terms():
        content = content.gcd(c)
    return field._wrap(kept * sign / content if content != 1 else kept * sign, field._poly(1))  # type: ignore[no-any-return]


def _constant_sign(found: Any) -> int:
    assert found.sign is not None
    return int(found.sign)
