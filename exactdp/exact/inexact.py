# SPDX-License-Identifier: MIT
"""Numbers of Python that spell or round a number: floats, of Python and of numpy, and Decimals.

What they are exactly matters where they stand beside an exact number. Whether they may be read as numbers is
said elsewhere: Decimals may, floats may not (:mod:`~exactdp.exact.rational`).
"""

from __future__ import annotations

import sys
from math import inf, isnan
from types import FrameType
from typing import Any

from exactdp.errors import InexactInputError
from exactdp.runtime.budget import require_budget

_FLOATS = frozenset({"float16", "float32", "longdouble", "float96", "float128"})
"""Those of numpy that are no floats of Python."""

_COMPLEX = frozenset({"complex", "complex64", "complex128", "clongdouble", "complex192", "complex256"})


def is_float(value: object) -> bool:
    """Whether it is a float of Python or numpy.

    >>> is_float(0.5), is_float("0.5")
    (True, False)
    """
    return isinstance(value, float) or type(value).__name__ in _FLOATS


def is_decimal(value: object) -> bool:
    """Whether it is a Decimal, also one that is not finite.

    >>> from decimal import Decimal
    >>> is_decimal(Decimal("0.5")), is_decimal(0.5)
    (True, False)
    """
    module = sys.modules.get("decimal")  # without it there is no Decimal yet
    return module is not None and isinstance(value, module.Decimal)


def real_part(value: Any) -> Any:
    """The float that a complex number is; None if it is none; anything else as it is.

    >>> real_part(0.5 + 0j), real_part(1j), real_part("a")
    (0.5, None, 'a')
    """
    if type(value).__name__ not in _COMPLEX:
        return value
    return value.real if value.imag == 0 else None


def exactly(value: Any) -> Any:
    """The Fraction that a float or a Decimal is exactly; anything else as it is.

    * raises InexactInputError: it is infinite, or not a number.
    * raises ResourceLimitError: it is a Decimal with too many zeros to be written out.

    >>> exactly(0.75), exactly("a")
    (Fraction(3, 4), 'a')
    """
    if not is_float(value) and not is_decimal(value):
        return value
    from fractions import Fraction

    if is_decimal(value) and value.is_finite():
        require_decimal(value)
    try:
        numerator, denominator = value.as_integer_ratio()
    except (ValueError, OverflowError):
        raise InexactInputError(f"{value} is not a rational number", value=value) from None
    return Fraction(int(numerator), int(denominator))


def require_decimal(value: Any) -> None:
    """Refuse a finite Decimal whose digits and zeros are more than the budget has.

    >>> from decimal import Decimal
    >>> require_decimal(Decimal("1E+99999999"))
    Traceback (most recent call last):
    ...
    exactdp.errors.ResourceLimitError: the Decimal 1E+99999999 ...
    """
    _, digits, exponent = value.as_tuple()
    require_budget(f"the Decimal {str(value)[:40]}", digits=max(len(digits), abs(exponent)))


def is_finite(value: Any) -> bool:
    """Whether a float or Decimal is a number, and not infinite.

    >>> is_finite(0.5), is_finite(float("nan")), is_finite(float("-inf"))
    (True, False, False)
    """
    return not is_undefined(value) and value not in (inf, -inf)


def is_undefined(value: Any) -> bool:
    """Whether a float or Decimal is not a number (NaN), and neither equal nor less nor greater.

    >>> is_undefined(float("nan")), is_undefined(0.5)
    (True, False)
    """
    return bool(value.is_nan() if is_decimal(value) else isnan(value))


def is_approximate(value: object) -> bool:
    """Whether it is pytest's ``approx`` of a number, which rounds what it is compared with."""
    return type(value).__name__ == "ApproxScalar"


_OF_APPROX = ("_pytest.approx", "_pytest.python_api")
"""The modules of pytest that have its ``approx``, from 9.2 on and before."""


def approx_computes() -> bool:
    """Whether it is pytest's ``approx`` that computes with a number, in whose methods this is asked.

    To the left of ``==`` it subtracts the number, and multiplies it by its tolerance.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("exactdp."):
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") in _OF_APPROX


DOUBLE_DIGITS = 16
"""Every decimal with fewer significant digits is the shortest one of its double, and so tells nothing."""


def prints_double(numerator: int, denominator: int) -> bool | None:
    """Whether a decimal is one that programs print for a double: the shortest one, or that of 17 digits.

    True where it has 16 digits or more, False where it has fewer, None where it is not printed for a double.

    >>> prints_double(30000000000000004, 10**17), prints_double(3, 10), prints_double(1, 3)
    (True, False, None)
    """
    try:
        nearest = numerator / denominator
    except OverflowError:
        return None
    from fractions import Fraction

    for text in (repr(nearest), f"{nearest:.17g}"):
        printed = Fraction(text)
        if printed.numerator * denominator == numerator * printed.denominator:
            mantissa = text.partition("e")[0].lstrip("-0.").replace(".", "").rstrip("0")
            return len(mantissa) >= DOUBLE_DIGITS
    return None
