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

from collections.abc import Callable
from typing import Any

from flint import arb, fmpq, fmpq_mat, fmpq_poly, fmpz

from exactdp.errors import MixedDomainError
from exactdp.exact.algebraic import AlgebraicNumber, Point
from exactdp.exact.balls import PRECISION, workprec
from exactdp.exact.field import Immutable, OrderedField, Scalar
from exactdp.exact.intervals import real_roots
from exactdp.exact.polynomial import poly_latex
from exactdp.exact.rational import Rational, _operand, _rational_operand, _wrap, equals_elsewhere
from exactdp.exact.sympy_operators import Symbols, SympyOperand, exponent_of, is_expression, number_from_sympy


def _binary(operation: Callable[[Any, fmpq_poly, fmpq_poly], fmpq_poly], asked: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operator of elements, from one of polynomials; ``asked`` is that beside an expression of sympy."""

    def method(self: NumberFieldElement, other: Any, /) -> Any:
        q = self._operand(other)
        return asked(self, other) if q is None else self._field._made(operation(self._field, self._p, q))

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

    @property
    def point(self) -> Point:
        """The same number as a point: a Rational, or an AlgebraicNumber with its minimal polynomial.

        >>> r = NumberField(AlgebraicNumber([-2, 0, 1], 0, 2)).gen
        >>> (r * r).point, (1 + r).point == AlgebraicNumber([-1, -2, 1], 2, 3)
        (Rational('2'), True)
        """
        known = self.rational
        if known is not None:
            return known
        x, n = self._field.gen, len(self._field.root.coefficients) - 1
        rows = [(self * x**k).coefficients for k in range(n)]
        product = fmpq_mat(n, n, [c._q for row in rows for c in (*row, *[Rational(0)] * (n - len(row)))])
        roots = [root for root, _ in real_roots([_wrap(c) for c in product.charpoly().coeffs()])]
        return next(root for root in roots if isinstance(root, AlgebraicNumber) and self._is(root))

    def _is(self, root: AlgebraicNumber) -> bool:
        """Whether it is this conjugate of it: the interval of a conjugate has no other in it."""
        low, high = root.interval
        return low < self < high

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
        q = _operand(other)  # refuses floats by name
        return None if q is None else fmpq_poly([q])

    __add__ = __radd__ = _binary(lambda field, p, q: p + q, SympyOperand.__add__)
    __sub__ = _binary(lambda field, p, q: p - q, SympyOperand.__sub__)
    __rsub__ = _binary(lambda field, p, q: q - p, SympyOperand.__rsub__)
    __mul__ = __rmul__ = _binary(lambda field, p, q: p * q, SympyOperand.__mul__)
    __truediv__ = _binary(lambda field, p, q: p * field._inverse(q), SympyOperand.__truediv__)
    __rtruediv__ = _binary(lambda field, p, q: q * field._inverse(p), SympyOperand.__rtruediv__)

    def __pow__(self, exponent: int, /) -> Any:
        k = exponent_of(self, exponent)
        base = 1 / self if k < 0 else self
        result = self._field.one
        for bit in bin(abs(k))[2:]:
            result = result * result
            if bit == "1":
                result = result * base
        return result

    def __neg__(self) -> Any:
        return self._field._made(-self._p)

    def __eq__(self, other: object, /) -> bool:
        """Equality of numbers, also of two fields and of points: √2 is one number, whatever the field."""
        if isinstance(other, NumberFieldElement) and (other._field is self._field or other._field == self._field):
            return bool(self._p == other._p)
        known = self.rational
        if known is not None:
            return bool(known == other)
        if isinstance(other, (NumberFieldElement, AlgebraicNumber)):
            return bool(self.point == (other.point if isinstance(other, NumberFieldElement) else other))
        return False if _rational_operand(other) is not None else equals_elsewhere(self, None, other)

    def __hash__(self) -> int:
        return hash(self.point)

    def __float__(self) -> float:
        """The nearest double, which whoever calls ``float`` asks for; never for a verdict."""
        known, root, bits = self.rational, self._field.root, 64
        if known is not None:
            return float(known)
        above, below = self._p.numer(), self._p.denom()
        while True:
            low, high = root.interval
            with PRECISION, workprec(bits + int(above.height_bits())):
                ball = above(arb(low._q).union(arb(high._q))) / arb(below)
                ends = float(ball.lower()), float(ball.upper())
            if ends[0] == ends[1]:  # an irrational number is not halfway between two doubles
                return ends[0]
            root, bits = root.refine((high - low) / Rational(2) ** bits), 2 * bits

    def enclosure(self, digits: int) -> tuple[Rational, Rational]:
        """The decimals just below and above, with so many digits after the point; a rational number twice.

        >>> r = NumberField(AlgebraicNumber([-2, 0, 1], 0, 2)).gen
        >>> [str(x) for x in (1 + r).enclosure(3)]
        ['1207/500', '483/200']
        """
        known, root, bits = self.rational, self._field.root, 64 + 4 * digits
        if known is not None:
            return known, known
        scale = fmpz(10) ** digits
        above, below = self._p.numer(), self._p.denom()
        while True:  # ends: an irrational number is no decimal
            low, high = root.interval
            with PRECISION, workprec(bits + int(above.height_bits())):
                whole = (above(arb(low._q).union(arb(high._q))) * scale / arb(below)).floor().unique_fmpz()
            if whole is not None:
                return _wrap(fmpq(whole, scale)), _wrap(fmpq(whole + 1, scale))
            root, bits = root.refine((high - low) / Rational(2) ** bits), 2 * bits

    def _in_sympy(self, letters: Symbols) -> Any:
        from sympy import Add

        x = self._field._generator_in_sympy()
        return Add(*(c.to_sympy() * x**k for k, c in enumerate(self.coefficients)))

    def latex(self) -> str:
        """The number in math mode, without what its letter stands for."""
        above = poly_latex(self._p.numer(), [self._field.symbol])
        return above if self._p.denom() == 1 else rf"\frac{{{above}}}{{{self._p.denom()}}}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self._field.root, self.coefficients))

    def __str__(self) -> str:
        known = self.rational
        return str(known) if known is not None else f"({str(self._p).replace('x', self._field.symbol)})"

    def __repr__(self) -> str:
        text = str(self)
        legend = self._field.explained(text)
        return f"NumberFieldElement('{text}'{legend and f', {legend}'})"


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
        if is_expression(value):
            return number_from_sympy(value, self)  # type: ignore[no-any-return]
        return self._made(fmpq_poly([Rational(value)._q]))

    def _generator_in_sympy(self) -> Any:
        """x₀ as a radical if that is read as x₀ again (√2, and not √2/2), else as a ``CRootOf``."""
        c, n = self.root.coefficients, len(self.root.coefficients) - 1
        if c[-1] == 1 and not any(c[1:-1]) and self.root > 0:
            found = self.root.to_sympy()
            if all(part.is_Pow and part.exp.q == n for part in (found.args if found.is_Mul else [found])):
                return found
        return self.root.as_root_of()

    @property
    def legend(self) -> dict[str, str]:
        """What the letter stands for, for people.

        >>> NumberField(AlgebraicNumber([-1, 0, 2], 0, 1)).legend
        {'a': '√(1/2)'}
        """
        c = self.root.coefficients
        root_text = f"√{-c[0]}" if c[-1] == 1 else f"√({Rational(-c[0], c[-1])})"
        pure = len(c) == 3 and not c[1] and self.root > 0
        return {self.symbol: root_text if pure else str(self.root)}

    @property
    def latex_meanings(self) -> str:
        r"""What the letter stands for.

        >>> print(NumberField(AlgebraicNumber([-1, 0, 2], 0, 1)).latex_meanings)
        ,\quad a = \frac{\sqrt{2}}{2}
        """
        return rf",\quad {self.symbol} = {str(self.root._repr_latex_()).strip('$')}"

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
