# SPDX-License-Identifier: MIT
"""Real algebraic numbers as points: an irreducible integer polynomial and an interval in which it has one root.

They are the ends of intervals and the places where signs change; they are compared, refined and substituted, never calculated with.
Rational points stay :class:`~exactdp.exact.rational.Rational`.

Examples
--------
>>> half_root = AlgebraicNumber([-1, 0, 2], 0, 1)                # 2a² = 1
>>> half_root > Rational("7/10"), half_root.enclosure(4)
(True, (Rational('7071/10000'), Rational('442/625')))
>>> half_root.sign_of([-1, 0, 0, 0, 4])                          # 4a⁴ − 1 is zero there
0
"""

from __future__ import annotations

from functools import total_ordering
from itertools import pairwise
from typing import Any

from flint import arb, ctx, fmpq, fmpq_poly, fmpz_poly

from exactdp.errors import InputError
from exactdp.exact.polynomials import as_poly, coefficients, poly_text
from exactdp.exact.rational import Rational, _wrap

__all__ = ["AlgebraicNumber", "Point", "as_point", "between", "compare_points"]


@total_ordering
class AlgebraicNumber:
    """The only root of an integer polynomial in an interval: immutable, hashable, picklable; equal when the number is the same.

    Parameters
    ----------
    poly : sequence of int or rational
        Coefficients, the constant first; need not be irreducible.
    lo, hi : rational
        lo ≤ root ≤ hi, and the polynomial has exactly one real root (not counting multiplicity) in [lo, hi].

    Raises
    ------
    InputError
        The polynomial has no root in [lo, hi], or several.

    Attributes
    ----------
    coefficients : tuple of int
        The minimal polynomial over ℤ, constant first: primitive, irreducible, positive leading coefficient.
    interval : (lo, hi)
        Rationals; lo < root < hi, or lo = root = hi for a rational number.
    """

    __slots__ = ("_hi", "_lo", "_poly")
    _poly: fmpz_poly
    _lo: fmpq
    _hi: fmpq

    def __new__(cls, poly: Any, lo: object, hi: object) -> AlgebraicNumber:
        """Find the irreducible factor that has the root; see the class."""
        from exactdp.exact.roots import isolate  # isolation makes such numbers

        p, low, high = as_poly(poly), Rational(lo), Rational(hi)
        found = isolate(p, low, high) if p != 0 else []
        if len(found) != 1:
            raise InputError(
                f"{poly_text(p, ['x'])} has {len(found) if p != 0 else 'infinitely many'} real roots in [{low}, {high}], not exactly one",
                polynomial=coefficients(p),
                interval=(low, high),
            )
        root = found[0][0]
        if isinstance(root, Rational):
            return _make(fmpz_poly([-root._q.p, root._q.q]), root._q, root._q)
        return _make(root._poly, max(root._lo, low._q), min(root._hi, high._q))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"AlgebraicNumber is immutable; cannot set {name!r}")

    @property
    def coefficients(self) -> tuple[int, ...]:
        """The minimal polynomial, constant first."""
        return coefficients(self._poly)

    @property
    def interval(self) -> tuple[Rational, Rational]:
        """The isolating interval."""
        return _wrap(self._lo), _wrap(self._hi)

    @property
    def rational(self) -> Rational | None:
        """The number itself if it is rational."""
        return _wrap(self._lo) if self._poly.degree() == 1 else None

    def refine(self, width: object) -> AlgebraicNumber:
        """The same number with an isolating interval of at most this width.

        >>> AlgebraicNumber([-2, 0, 1], 0, 2).refine("1/4").interval
        (Rational('5/4'), Rational('3/2'))
        """
        bound = Rational(width)
        if bound.sign() <= 0:
            raise InputError(f"the width {bound} is not positive", value=bound)
        result = self
        while result._hi - result._lo > bound._q:
            result = result._halved()
        return result

    def _halved(self) -> AlgebraicNumber:
        lo, hi = self._lo, self._hi
        middle = (lo + hi) / 2
        above = (self._poly(middle) > 0) == (self._poly(lo) > 0)
        return _make(self._poly, middle, hi) if above else _make(self._poly, lo, middle)

    def sign_of(self, poly: Any) -> int:
        """The sign of a polynomial with these coefficients (constant first) at the number: 0 iff its minimal polynomial divides it."""
        q = as_poly(poly)
        if self._poly.degree() == 1:
            return _sign(q(self._lo))
        if q == 0 or q.gcd(self._poly).degree() > 0:
            return 0
        here = self
        precision = 64
        while True:
            with ctx.workprec(precision + q.height_bits() if q.height_bits() < precision else 2 * q.height_bits()):
                value = q(arb(here._lo).union(arb(here._hi)))
            if value > 0:
                return 1
            if value < 0:
                return -1
            for _ in range(16):
                here = here._halved()
            precision += 16 + here._lo.q.bit_length() // 4

    def enclosure(self, digits: int) -> tuple[Rational, Rational]:
        """The decimals below and above, with so many digits after the point (both the number itself if it is such a decimal)."""
        scale = fmpq(10) ** digits
        here = self
        while True:
            lo, hi = (here._lo * scale).floor(), (here._hi * scale).ceil()
            if hi - lo <= 1:
                return _wrap(lo / scale), _wrap(hi / scale)
            middle = fmpq(lo + hi) / 2 if hi - lo > 2 else fmpq(lo + 1)
            cut = _wrap(middle / scale)
            if here == cut:
                return cut, cut
            here = here._cut(cut._q)

    def _cut(self, at: fmpq) -> AlgebraicNumber:
        """With the isolating interval cut at a point that is not the number."""
        if at <= self._lo or at >= self._hi:
            return self
        above = (self._poly(at) > 0) == (self._poly(self._lo) > 0)
        return _make(self._poly, at, self._hi) if above else _make(self._poly, self._lo, at)

    def compare(self, other: AlgebraicNumber | Rational | int) -> int:
        """−1, 0 or 1: the sign of this number minus the other."""
        if not isinstance(other, AlgebraicNumber):
            return self._against(Rational(other)._q)
        if other._poly.degree() == 1:
            return self._against(other._lo)
        if self._poly.degree() == 1:
            return -other._against(self._lo)
        x, y = self, other
        if x._poly == y._poly:
            # the root of the common part, if there is one, is both numbers
            lo, hi = max(x._lo, y._lo), min(x._hi, y._hi)
            if lo < hi and (x._poly(lo) > 0) != (x._poly(hi) > 0):
                return 0
        while True:
            if x._hi <= y._lo:
                return -1
            if y._hi <= x._lo:
                return 1
            x, y = x._halved(), y._halved()

    def _against(self, r: fmpq) -> int:
        if self._poly.degree() == 1:
            return _sign(self._lo - r)
        if r <= self._lo:
            return 1
        if r >= self._hi:
            return -1
        return 1 if (self._poly(r) > 0) == (self._poly(self._lo) > 0) else -1

    def __eq__(self, other: object) -> bool:
        if isinstance(other, AlgebraicNumber):
            return bool(self._poly == other._poly) and self.compare(other) == 0
        if isinstance(other, (Rational, int)):
            return self._poly.degree() == 1 and bool(self._lo == Rational(other)._q)
        return NotImplemented

    def __lt__(self, other: object) -> bool:
        if isinstance(other, (AlgebraicNumber, Rational, int)):
            return self.compare(other) < 0
        return NotImplemented

    def __hash__(self) -> int:
        return hash(_wrap(self._lo)) if self._poly.degree() == 1 else hash(self.coefficients)

    def to_json(self, digits: int = 6) -> dict[str, Any]:
        """``{"poly": ["-1", "0", "2"], "in": ["353553/500000", "707107/1000000"]}``: how certificates write it, equal for equal numbers.

        The interval ends at the nearest decimals of so many digits; these are doubled until Descartes' rule sees one root in it.
        """
        while _variations(self._poly, *self.enclosure(digits)) > 1:
            digits *= 2
        return {"poly": [str(Rational(c)) for c in self.coefficients], "in": [str(x) for x in self.enclosure(digits)]}

    def __reduce__(self) -> tuple[Any, ...]:
        return (AlgebraicNumber, (self.coefficients, *self.interval))

    def __float__(self) -> float:
        """About the number; for pictures and proposals only."""
        lo, hi = self.enclosure(20)
        return float((lo + hi) / 2)

    def __str__(self) -> str:
        if self._poly.degree() == 1:
            return str(_wrap(self._lo))
        lo, _ = self.enclosure(6)
        return f"root of {poly_text(self._poly, ['a'])} near {decimal_text(lo, 6)}"

    def __repr__(self) -> str:
        lo, hi = self.interval
        return f"AlgebraicNumber({list(self.coefficients)}, '{lo}', '{hi}')"


Point = Rational | AlgebraicNumber
"""A place on the line."""

_set = {name: AlgebraicNumber.__dict__[name].__set__ for name in AlgebraicNumber.__slots__}


def _make(poly: fmpz_poly, lo: fmpq, hi: fmpq) -> AlgebraicNumber:
    """From an irreducible polynomial with positive leading coefficient and a good interval."""
    result = object.__new__(AlgebraicNumber)
    _set["_poly"](result, poly)
    _set["_lo"](result, lo)
    _set["_hi"](result, hi)
    return result


def _sign(x: Any) -> int:
    return int(x > 0) - int(x < 0)


def _variations(poly: fmpz_poly, low: Rational, high: Rational) -> int:
    """Descartes' bound of the number of roots in (low, high): the sign changes of (1 + y)^d·poly((low + high·y)/(1 + y))."""
    line = poly(fmpq_poly([low._q, high._q - low._q]))  # on (0, 1)
    turned = fmpq_poly(list(reversed(line.coeffs())))(fmpq_poly([1, 1]))
    signs = [c > 0 for c in turned.coeffs() if c]
    return sum(x != y for x, y in pairwise(signs))


def as_point(value: object) -> Point:
    """The rational or algebraic number given; an algebraic number that is rational becomes a Rational."""
    if isinstance(value, AlgebraicNumber):
        return value if value.rational is None else value.rational
    return Rational(value)


def compare_points(x: Point, y: Point) -> int:
    """The sign of x − y.

    >>> compare_points(Rational(1), AlgebraicNumber([-2, 0, 1], 0, 2))
    -1
    """
    if isinstance(x, AlgebraicNumber):
        return x.compare(y)
    return -y.compare(x) if isinstance(y, AlgebraicNumber) else (x - y).sign()


def between(x: Point, y: Point) -> Rational:
    """A short rational strictly between two points x < y.

    >>> between(Rational(0), Rational(1)), between(AlgebraicNumber([-1, 0, 2], 0, 1), Rational("71/100"))
    (Rational('1/2'), Rational('22/31'))
    """
    if compare_points(x, y) >= 0:
        raise InputError(f"{x} is not below {y}", values=(x, y))
    while True:
        low = x._hi if isinstance(x, AlgebraicNumber) else x._q
        high = y._lo if isinstance(y, AlgebraicNumber) else y._q
        if low < high:
            return _wrap(_simplest(low, high))
        x = x._halved() if isinstance(x, AlgebraicNumber) else x
        y = y._halved() if isinstance(y, AlgebraicNumber) else y


def _simplest(low: fmpq, high: fmpq) -> fmpq:
    """The fraction with the least denominator strictly between low < high (Stern–Brocot by continued fractions)."""
    whole = low.floor()
    if whole + 1 < high:
        return fmpq(whole + 1)
    low, high = low - whole, high - whole
    if low == 0:
        return whole + fmpq(1, (1 / high).floor() + 1)
    return whole + 1 / _simplest(1 / high, 1 / low)


def decimal_text(x: Rational, digits: int) -> str:
    """A decimal with so many digits after the point, written out."""
    number = abs(x.numerator) * 10**digits // x.denominator
    whole, part = divmod(number, 10**digits)
    return f"{'-' if x.sign() < 0 else ''}{whole}.{part:0{digits}d}"
