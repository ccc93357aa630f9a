# SPDX-License-Identifier: MIT
"""ℚ(x₀) for a real algebraic x₀: polynomials modulo its minimal polynomial, with their signs at x₀.

It is the field of calculation at a level where a sign changes or a determinant vanishes.

Examples
--------
>>> from exactdp.exact import AlgebraicNumber
>>> r = NumberField(AlgebraicNumber([-1, 0, 2], 0, 1)).gen               # 2x² = 1
>>> r * r, (1 / r).sign(), (r - 1).sign(), r > Rational("7/10")
(NumberFieldElement('1/2'), 1, -1, True)
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from flint import arb, fmpq_poly

from exactdp.errors import MixedDomainError
from exactdp.exact.balls import working_precision
from exactdp.exact.field import Immutable, OrderedField, Scalar
from exactdp.exact.points import AlgebraicNumber
from exactdp.exact.polynomial import poly_latex
from exactdp.exact.rational import Rational, _wrap


def _binary(operation: Callable[[Any, fmpq_poly, fmpq_poly], fmpq_poly]) -> Callable[[Any, Any], Any]:
    """An operator of elements, from one of polynomials that may use the field."""

    def method(self: NumberFieldElement, other: Any, /) -> Any:
        q = self._operand(other)
        return NotImplemented if q is None else self._field._made(operation(self._field, self._p, q))

    return method


class NumberFieldElement(Immutable, Scalar):
    """An element of a :class:`NumberField`, made by arithmetic with its ``gen``."""

    __slots__ = ("_field", "_p")
    _field: NumberField
    _p: fmpq_poly

    @property
    def field(self) -> NumberField:
        """The field, with its algebraic number."""
        return self._field

    @property
    def coefficients(self) -> tuple[Rational, ...]:
        """The polynomial in x₀ of least degree, constant first; () for zero."""
        return tuple(_wrap(c) for c in self._p.coeffs())

    @property
    def rational(self) -> Rational | None:
        """The number itself if it is rational."""
        return _wrap(self._p[0]) if self._p.degree() < 1 else None

    def sign(self) -> int:
        """−1, 0 or 1, at x₀."""
        if self._p.degree() < 1:
            return _wrap(self._p[0]).sign()
        return self._field.root.sign_of([int(c) for c in self._p.numer().coeffs()])

    def __bool__(self) -> bool:
        return bool(self._p.degree() >= 0)

    def _operand(self, other: Any) -> fmpq_poly | None:
        if isinstance(other, NumberFieldElement):
            if other._field is not self._field and other._field != self._field:
                raise MixedDomainError("numbers of two algebraic fields can't be mixed", fields=(self._field, other._field))
            return other._p
        if isinstance(other, (Rational, numbers.Rational)):
            return fmpq_poly([Rational(other)._q])
        if isinstance(other, (float, complex)) or type(other).__name__ == "Float":
            Rational(other)  # refuses floats by name
        return None

    __add__ = __radd__ = _binary(lambda field, p, q: p + q)
    __sub__ = _binary(lambda field, p, q: p - q)
    __rsub__ = _binary(lambda field, p, q: q - p)
    __mul__ = __rmul__ = _binary(lambda field, p, q: p * q)
    __truediv__ = _binary(lambda field, p, q: p * field._inverse(q))
    __rtruediv__ = _binary(lambda field, p, q: q * field._inverse(p))

    def __pow__(self, exponent: int, /) -> Any:
        base = 1 / self if exponent < 0 else self
        result = self._field.one
        for bit in bin(abs(exponent))[2:]:
            result = result * result
            if bit == "1":
                result = result * base
        return result

    def __neg__(self) -> Any:
        return self._field._made(-self._p)

    def __eq__(self, other: object, /) -> bool:
        q = self._operand(other)
        return NotImplemented if q is None else bool(self._p == q)

    def __hash__(self) -> int:
        known = self.rational
        return hash(self.coefficients) if known is None else hash(known)

    def __float__(self) -> float:
        """The nearest double, about, which whoever calls ``float`` asks for; never for a verdict."""
        known, root, bits = self.rational, self._field.root, 64
        if known is not None:
            return float(known)
        above, below = self._p.numer(), self._p.denom()
        while True:
            low, high = root.interval
            with working_precision(bits + int(above.height_bits())):
                ball = above(arb(low._q).union(arb(high._q))) / arb(below)
            if ball.rel_accuracy_bits() >= 60:
                return float(ball.mid())
            root, bits = root.refine((high - low) / Rational(2) ** bits), 2 * bits

    def _sympy_(self) -> Any:
        from sympy import Add

        x = self._field.root._sympy_()
        return Add(*(c._sympy_() * x**k for k, c in enumerate(self.coefficients)))

    def _repr_latex_(self) -> str:
        above = poly_latex(self._p.numer(), [self._field.symbol])
        return f"${above}$" if self._p.denom() == 1 else rf"$\frac{{{above}}}{{{self._p.denom()}}}$"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self._field.root, self.coefficients))

    def __str__(self) -> str:
        known = self.rational
        return str(known) if known is not None else f"({str(self._p).replace('x', self._field.symbol)})"

    def __repr__(self) -> str:
        return f"NumberFieldElement('{self}')"


class NumberField(OrderedField):
    """ℚ(x₀).

    Parameters
    ----------
    root : AlgebraicNumber
        x₀; its minimal polynomial is taken from it.
    symbol : str
        The name of x₀ in texts.
    """

    __slots__ = ("_modulus", "name", "root", "symbol")

    def __init__(self, root: AlgebraicNumber, symbol: str = "a") -> None:
        self.root = root.refine(Rational(1, 1 << 64))  # so that signs are found at once
        self.symbol = symbol
        self.name = f"Q({symbol}), {symbol} = {root}"
        self._modulus = fmpq_poly(list(root.coefficients))

    def __call__(self, value: object, /) -> NumberFieldElement:
        """A rational number, a text, or an element of this field."""
        if isinstance(value, NumberFieldElement) and value.field == self:
            return value
        return self._made(fmpq_poly([Rational(value)._q]))

    @property
    def gen(self) -> NumberFieldElement:
        """x₀."""
        return self._made(fmpq_poly([0, 1]))

    def element(self, coefficients: Any) -> NumberFieldElement:
        """The value at x₀ of the polynomial with these rational coefficients, constant first."""
        return self._made(fmpq_poly([Rational(c)._q for c in coefficients]))

    def _made(self, p: fmpq_poly) -> NumberFieldElement:
        result = object.__new__(NumberFieldElement)
        object.__setattr__(result, "_field", self)
        object.__setattr__(result, "_p", p % self._modulus if p.degree() >= self._modulus.degree() else p)
        return result

    def _inverse(self, p: fmpq_poly) -> fmpq_poly:
        if p.degree() < 0:
            raise ZeroDivisionError("division by zero")
        _, s, _ = p.xgcd(self._modulus)
        return s

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumberField) and self.root == other.root

    def __hash__(self) -> int:
        return hash(self.root)

    def __repr__(self) -> str:
        return f"NumberField({self.root})"


def _rebuild(root: AlgebraicNumber, coefficients: tuple[Rational, ...]) -> NumberFieldElement:
    return NumberField(root).element(coefficients)
