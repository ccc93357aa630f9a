# SPDX-License-Identifier: MIT
"""One quotient of two integer polynomials: what the scalars of ℚ(α) and ℚ(e^(−ε)) have in common; for their fields see ``quotients``."""

from __future__ import annotations

import numbers
import operator
from abc import abstractmethod
from typing import Any, Self

from flint import fmpz

from exactdp.errors import MixedDomainError, ResourceLimitError
from exactdp.exact.field import Scalar
from exactdp.exact.polynomials import Poly, leading_tail, poly_key, poly_latex, poly_text, power_bits
from exactdp.exact.rational import Rational

__all__ = ["MAX_POWER_BITS", "Quotient"]

MAX_POWER_BITS = 1 << 30
"""Most bits that a power may have before common factors are cancelled."""


class Quotient(Scalar):
    """A quotient of two polynomials over a :class:`QuotientField`: immutable, hashable, picklable."""

    __slots__ = ("_d", "_field", "_memo", "_n")
    _n: Poly
    _d: Poly
    _field: Any
    _memo: Any

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot set {name!r}")

    # What it is ----------------------------------------------------------------------------------------------------------

    @property
    def numerator(self) -> tuple[Any, ...]:
        """The numerator's coefficients over a positive denominator (see :attr:`denominator`)."""
        return poly_key(self._n if self._denominator_sign() > 0 else -self._n)

    @property
    def denominator(self) -> tuple[Any, ...]:
        """The denominator's coefficients: ints, constant first, or (exponents, int) terms when there are several generators.

        Numerator and denominator have no common factor, and the denominator is positive where the field's numbers live.
        """
        return poly_key(self._d if self._denominator_sign() > 0 else -self._d)

    @abstractmethod
    def _denominator_sign(self) -> int: ...

    @property
    def rational(self) -> Rational | None:
        """The same number in ℚ, or None if it is not constant.

        >>> from exactdp.exact import RationalFunctionField
        >>> a = RationalFunctionField().gen
        >>> (a / (2 * a)).rational, a.rational
        (Rational('1/2'), None)
        """
        if self._field.is_constant(self._n) and self._field.is_constant(self._d):
            return Rational(int(leading_tail(self._n)), int(leading_tail(self._d)))
        return None

    def __bool__(self) -> bool:
        return bool(self._n != 0)

    def __eq__(self, other: object, /) -> bool:
        if isinstance(other, Quotient):
            if self._field is other._field or self._field == other._field:
                return bool(self._n == other._n and self._d == other._d)
            constant = self.rational
            return constant is not None and constant == other.rational
        if isinstance(other, numbers.Rational | Rational) and not isinstance(other, bool):
            return bool(self._n == other.numerator and self._d == other.denominator)
        if isinstance(other, int):
            return bool(self._n == int(other) and self._d == 1)
        return NotImplemented

    def __hash__(self) -> int:
        constant = self.rational
        return hash((poly_key(self._n), poly_key(self._d))) if constant is None else hash(constant)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self._field, poly_key(self._n), poly_key(self._d)))

    # Arithmetic ----------------------------------------------------------------------------------------------------------

    def _operand(self, other: Any) -> tuple[Poly, Poly] | None:
        """Numerator and denominator of the other side, or None for "not mine"; another field is refused."""
        if type(other) is type(self):
            if other._field is self._field or other._field == self._field:
                return other._n, other._d
        elif type(other) is int:
            return fmpz(other), 1
        elif isinstance(other, Rational):
            return other._q.p, other._q.q
        elif isinstance(other, numbers.Rational):
            return fmpz(int(other.numerator)), fmpz(int(other.denominator))
        if isinstance(other, Scalar):
            raise MixedDomainError(
                f"{self} is in {self._field} and {other} is in {other.field}: only rational numbers belong to both. "
                "Write both numbers over one field",
                fields=(self._field, other.field),
            )
        if isinstance(other, (float, complex)):
            Rational(other)  # refuses floats by name
        return None

    def _new(self, n: Poly, d: Poly) -> Self:
        return self._field._lowest(n, d)  # type: ignore[no-any-return]

    def __add__(self, other: Any, /) -> Self:
        o = self._operand(other)
        if o is None:
            return NotImplemented
        n, d = o
        if d == self._d:
            return self._new(self._n + n, self._d)
        if isinstance(d, int):
            return self._field._wrap(self._n + n * self._d, self._d)  # type: ignore[no-any-return]
        return self._new(self._n * d + n * self._d, self._d * d)

    __radd__ = __add__

    def __sub__(self, other: Any, /) -> Self:
        o = self._operand(other)
        if o is None:
            return NotImplemented
        n, d = o
        if d == self._d:
            return self._new(self._n - n, self._d)
        if isinstance(d, int):
            return self._field._wrap(self._n - n * self._d, self._d)  # type: ignore[no-any-return]
        return self._new(self._n * d - n * self._d, self._d * d)

    def __rsub__(self, other: Any, /) -> Self:
        difference = self.__sub__(other)
        return NotImplemented if difference is NotImplemented else -difference

    def __mul__(self, other: Any, /) -> Self:
        o = self._operand(other)
        return NotImplemented if o is None else self._new(self._n * o[0], self._d * o[1])

    __rmul__ = __mul__

    def __truediv__(self, other: Any, /) -> Self:
        o = self._operand(other)
        if o is None:
            return NotImplemented
        if o[0] == 0:
            raise ZeroDivisionError(f"{self} is divided by zero")
        return self._new(self._n * o[1], self._d * o[0])

    def __rtruediv__(self, other: Any, /) -> Self:
        o = self._operand(other)
        if o is None:
            return NotImplemented
        if self._n == 0:
            raise ZeroDivisionError(f"{other} is divided by zero")
        return self._new(self._d * o[0], self._n * o[1])

    def __pow__(self, exponent: int, /) -> Self:
        k = operator.index(exponent)
        if k < 0 and self._n == 0:
            raise ZeroDivisionError("zero has no negative power")
        n, d = (self._n, self._d) if k >= 0 else (self._d, self._n)
        bits = max(power_bits(n, abs(k)), power_bits(d, abs(k))) if abs(k) > 16 else 0
        if bits > MAX_POWER_BITS:
            raise ResourceLimitError(
                f"the power with the exponent {k} may have {bits} bits, more than {MAX_POWER_BITS}", limit=MAX_POWER_BITS, got=bits
            )
        power: Self = self._field._wrap(n ** abs(k), d ** abs(k))
        return power if k >= 0 else self._field._signed(power)

    def __neg__(self) -> Self:
        return self._field._wrap(-self._n, self._d)  # type: ignore[no-any-return]

    def root(self, degree: int) -> Self | None:
        """The positive element whose power of this degree is this (positive) element, or None if the field has none.

        >>> from exactdp.exact import RationalFunctionField
        >>> a = RationalFunctionField().gen
        >>> (4 * a**2 / (1 - 2 * a + a * a)).root(2), a.root(2)
        (RationalFunction('2*a/(-a + 1)'), None)
        """
        above, below = _poly_root(self._n, degree), _poly_root(self._d, degree)
        if above is None or below is None:
            return None
        found: Self = self._field._lowest(self._field._poly(1) * above, self._field._poly(1) * below)
        return -found if found < 0 else found

    # Words ---------------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        names = self._field.names
        n = poly_text(self._n, names)
        if self._d == 1:
            return n
        d = poly_text(self._d, names)
        return f"{f'({n})' if ' ' in n else n}/{f'({d})' if ' ' in d or '*' in d else d}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}('{self}')"

    def _repr_latex_(self) -> str:
        names = self._field.latex_names
        n = poly_latex(self._n, names)
        return f"${n}$" if self._d == 1 else rf"$\frac{{{n}}}{{{poly_latex(self._d, names)}}}$"


def _poly_root(p: Poly, degree: int) -> Poly | None:
    """A polynomial whose power is ±p, or None."""
    constant, factors = p.factor()
    size = abs(fmpz(constant))
    root = size.root(degree)
    if root**degree != size or any(k % degree for _, k in factors):
        return None
    for factor, k in factors:
        root = root * factor ** (k // degree)
    return root


def _rebuild(field: Any, numerator: Any, denominator: Any) -> Any:
    return field._wrap(field._poly(numerator), field._poly(denominator))
