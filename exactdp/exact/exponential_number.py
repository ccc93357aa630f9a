# SPDX-License-Identifier: MIT
"""One number of a field of exponentials (:mod:`exactdp.exact.exponential`): its sign, its order and its decimals by balls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flint import ctx, fmpq, fmpz

from exactdp.errors import InputError
from exactdp.exact.polynomials import Poly, terms
from exactdp.exact.quotients import Quotient
from exactdp.exact.rational import Rational, _wrap

if TYPE_CHECKING:
    from exactdp.exact.exponential import ExponentialField

__all__ = ["FIRST_BITS", "ExponentialNumber"]

FIRST_BITS = 96
"""Bits of the ball that every number keeps once it has been compared."""


class ExponentialNumber(Quotient):
    """An element of an :class:`ExponentialField`; made by arithmetic with its generators."""

    __slots__ = ()

    @property
    def field(self) -> ExponentialField:
        """The field, with its exponentials."""
        field: ExponentialField = self._field
        return field

    def _denominator_sign(self) -> int:
        return self.field._sign_of(self._d)

    def sign(self) -> int:
        """−1, 0 or 1: zero is an identity of polynomials, otherwise balls of rising precision decide."""
        if self._n == 0:
            return 0
        ball = self._ball()
        if ball > 0:
            return 1
        if ball < 0:
            return -1
        return self.field._sign_of(self._n, 2 * FIRST_BITS) * self.field._sign_of(self._d)

    def _ball(self) -> Any:
        """The number within a ball of the first precision, kept."""
        known = self._memo
        if known is None:
            known = self.ball(FIRST_BITS)
            _set_memo(self, known)
        return known

    def ball(self, precision: int) -> Any:
        """A ball around the number; stays inside :mod:`exactdp.exact`."""
        with ctx.workprec(precision):
            return self.field._at(self._n, precision) / self.field._at(self._d, precision)

    def compare(self, other: Any) -> int:
        """The sign of this number minus the other, decided exactly."""
        if type(other) is ExponentialNumber and (other._field is self._field or other._field == self._field):
            mine, theirs = self._ball(), other._ball()
            if mine < theirs:
                return -1
            if mine > theirs:
                return 1
        difference = self - other
        if difference is NotImplemented:
            raise TypeError(f"{other!r} can't be compared with {self!r}")
        return int(difference.sign())

    def __lt__(self, other: Any, /) -> bool:
        return self.compare(other) < 0

    def __le__(self, other: Any, /) -> bool:
        return self.compare(other) <= 0

    def __gt__(self, other: Any, /) -> bool:
        return self.compare(other) > 0

    def __ge__(self, other: Any, /) -> bool:
        return self.compare(other) >= 0

    def enclosure(self, digits: int) -> tuple[Rational, Rational]:
        """The decimals just below and above, with so many digits after the point (twice the number itself if it is such a decimal).

        >>> from exactdp.exact import ExponentialField
        >>> ExponentialField(1).gen.enclosure(3)
        (Rational('367/1000'), Rational('46/125'))
        """
        scale = fmpz(10) ** digits
        constant = self.rational
        if constant is not None:
            scaled = constant._q * scale
            return _wrap(fmpq(scaled.floor(), scale)), _wrap(fmpq(scaled.ceil(), scale))
        precision = FIRST_BITS + 4 * digits
        while True:
            with ctx.workprec(precision):
                below = (self.ball(precision) * scale).floor().unique_fmpz()
            if below is not None:
                return _wrap(fmpq(below, scale)), _wrap(fmpq(below + 1, scale))
            precision *= 2

    def substitute(self, *values: Any) -> Any:
        """The quotient of other scalars: one for each generator of the field."""
        if len(values) != len(self.field.names):
            raise InputError(f"{len(values)} values for the generators {', '.join(self.field.names)}", values=values)
        zero = values[0] - values[0]

        def at(p: Poly) -> Any:
            total = zero
            for powers, c in terms(p):
                product = zero + c
                for value, e in zip(values, powers, strict=True):
                    product = product * value**e
                total = total + product
            return total

        return at(self._n) / at(self._d)

    def __float__(self) -> float:
        """The nearest double, about; for pictures and for proposals to float solvers, never for a verdict."""
        if self._n == 0:
            return 0.0
        precision = FIRST_BITS
        while True:
            ball = self.ball(precision)
            if ball.rel_accuracy_bits() >= 60:
                return float(ball.mid())
            precision *= 2


_set_memo = Quotient.__dict__["_memo"].__set__
