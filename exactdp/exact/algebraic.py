# SPDX-License-Identifier: MIT
"""Points of the line: rational and real algebraic numbers, their order, and the isolation of roots; exact.

A point is a :class:`~exactdp.exact.rational.Rational` or an :class:`AlgebraicNumber`: an irreducible integer
polynomial and an interval in which it has one root. Points are the ends of intervals and the places where
signs change. They are compared, refined and substituted, never calculated with.
(:mod:`~exactdp.exact.number_field` calculates.)

Roots are isolated by Descartes' rule of signs under bisection. The polynomial is factored over ℤ first, so
that a root is rational or the root of an irreducible polynomial of degree ≥ 2, which is never zero at a
rational number.

References
----------
G. E. Collins and A. G. Akritas (1976), *Polynomial real root isolation using Descartes' rule of signs*,
SYMSAC '76, 272–275; after A. J. H. Vincent (1836).

Examples
--------
>>> half_root = AlgebraicNumber([-1, 0, 2], 0, 1)                # 2a² = 1
>>> half_root > Rational("7/10"), half_root.enclosure(4)
(True, (Rational('7071/10000'), Rational('442/625')))
>>> half_root.sign_of([-1, 0, 0, 0, 4])                          # 4a⁴ − 1 is zero there
0
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cmp_to_key, total_ordering
from itertools import pairwise
from typing import Any

from flint import arb, fmpq, fmpz, fmpz_poly

from exactdp.errors import DomainError, InputError
from exactdp.exact.balls import PRECISION, workprec
from exactdp.exact.coerce import as_count
from exactdp.exact.decimals import fixed_text
from exactdp.exact.field import Immutable
from exactdp.exact.inexact import exactly, is_approximate, is_decimal, is_float
from exactdp.exact.polynomial import as_poly, coefficients, poly_text
from exactdp.exact.rational import Rational, _wrap, equals_elsewhere, is_rational
from exactdp.exact.sympy_operators import Symbols, SympyOperand, is_expression, read_point

_SHIFT = fmpz_poly([1, 1])

_DEPTH = 6
"""So many bisections may show that there is no root before the polynomial is factored."""


@total_ordering
class AlgebraicNumber(Immutable, SympyOperand):
    """The only root of an integer polynomial in an interval: immutable, hashable, picklable, equal by value.

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

    Examples
    --------
    >>> from exactdp import QQ, AlgebraicNumber
    >>> root = AlgebraicNumber([-2, 0, 1], 1, 2)
    >>> print(root)
    root of a^2 - 2 near 1.414213
    >>> root > QQ("1.4142"), root.interval
    (True, (Rational('1'), Rational('2')))
    """

    __slots__ = ("_falls", "_hi", "_lo", "_narrowed", "_poly")
    _poly: fmpz_poly
    _lo: fmpq
    _hi: fmpq
    _falls: bool  # whether the polynomial is positive just below the number
    _narrowed: AlgebraicNumber | None  # the number with the narrowest interval that a sign has needed

    def __new__(cls, poly: Any, lo: object, hi: object) -> AlgebraicNumber:
        """Find the irreducible factor that has the root; see the class."""
        p, low, high = as_poly(poly), Rational(lo), Rational(hi)
        found = isolate(p, low, high) if p != 0 else []
        if len(found) != 1:
            count = len(found) if p != 0 else "infinitely many"
            raise InputError(
                f"{poly_text(p, ['x'])} has {count} real roots in [{low}, {high}], not exactly one",
                polynomial=coefficients(p),
                interval=(low, high),
            )
        root = found[0][0]
        if isinstance(root, Rational):
            return _make(fmpz_poly([-root._q.p, root._q.q]), root._q, root._q)
        return _make(root._poly, max(root._lo, low._q), min(root._hi, high._q))

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

    def _cut(self, at: fmpq) -> AlgebraicNumber:
        """With the isolating interval cut at a point of it that is not the number."""
        if (self._poly(at) > 0) == self._falls:
            return _make(self._poly, at, self._hi, self._falls)
        return _make(self._poly, self._lo, at, self._falls)

    def _halved(self) -> AlgebraicNumber:
        return self._cut((self._lo + self._hi) / 2)

    def sign_of(self, poly: Any) -> int:
        """The sign of a polynomial (coefficients, constant first) at the number, from balls.

        It is 0 if and only if the minimal polynomial divides it.
        """
        q = as_poly(poly)
        if self._poly.degree() == 1:
            return sign_of(q(self._lo))
        if q == 0 or q.gcd(self._poly).degree() > 0:
            return 0
        here, height, precision = self._narrowed or self, q.height_bits(), 64
        while True:
            with PRECISION, workprec(height + max(precision, height)):
                value = q(arb(here._lo).union(arb(here._hi)))
            if value > 0:
                return 1
            if value < 0:
                return -1
            for _ in range(16):
                here = here._halved()
            _set["_narrowed"](self, here)
            precision += 16 + here._lo.q.bit_length() // 4

    def enclosure(self, digits: int) -> tuple[Rational, Rational]:
        """The decimals just below and above, with so many digits after the point; or twice the number."""
        scale = fmpq(10) ** as_count(digits, "number of digits")
        here = self
        while True:
            lo, hi = (here._lo * scale).floor(), (here._hi * scale).ceil()
            if hi - lo <= 1:
                return _wrap(lo / scale), _wrap(hi / scale)
            middle = fmpq(lo + hi) / 2 if hi - lo > 2 else fmpq(lo + 1)
            cut = _wrap(middle / scale)
            if here == cut:
                return cut, cut
            here = here._cut(cut._q) if here._lo < cut._q < here._hi else here

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
            return sign_of(self._lo - r)
        if r <= self._lo:
            return 1
        if r >= self._hi:
            return -1
        return 1 if (self._poly(r) > 0) == self._falls else -1

    def __eq__(self, other: object) -> bool:
        if isinstance(other, AlgebraicNumber):
            return bool(self._poly == other._poly) and self.compare(other) == 0
        if self._poly.degree() == 1 and not is_expression(other):
            return bool(_wrap(self._lo) == other)
        if is_float(other) or is_decimal(other) or is_approximate(other):
            return bool(equals_elsewhere(self, None, other))
        if is_expression(other):
            with suppress(InputError, DomainError):  # no point: sympy is asked
                return bool(self == read_point(other))
        return NotImplemented

    def __lt__(self, other: object) -> bool:
        number = exactly(other)
        if isinstance(number, AlgebraicNumber) or is_rational(number):
            return self.compare(number if isinstance(number, AlgebraicNumber) else Rational(number)) < 0
        return self.compare(read_point(other)) < 0 if is_expression(other) else NotImplemented

    def __hash__(self) -> int:
        return hash(_wrap(self._lo)) if self._poly.degree() == 1 else hash(self.coefficients)

    def to_json(self, digits: int = 6) -> dict[str, Any]:
        """How certificates write it; equal numbers are written equally.

        It is ``{"poly": ["-1", "0", "2"], "in": ["353553/500000", "707107/1000000"]}`` for √½. The interval
        ends at the nearest decimals of so many digits; these are doubled until Descartes' rule sees one root
        in it.
        """
        ends = self.enclosure(digits)
        while _sign_variations(_to_unit(self._poly, ends[0]._q, ends[1]._q)) > 1:
            digits *= 2
            ends = self.enclosure(digits)
        return {"poly": [str(Rational(c)) for c in self.coefficients], "in": [str(x) for x in ends]}

    def __reduce__(self) -> tuple[Any, ...]:
        return (AlgebraicNumber, (self.coefficients, *self.interval))

    def __floor__(self) -> int:
        return self.enclosure(0)[0].numerator

    def __ceil__(self) -> int:
        return self.enclosure(0)[1].numerator

    def _in_sympy(self, letters: Symbols) -> Any:
        """A Rational, or radicals for a root of a·x² + b·x + c or of a·xⁿ + c, else a ``CRootOf``."""
        from sympy import Integer, Rational, root, sqrt

        c = self.coefficients
        if len(c) == 3:
            side = 1 if self > _wrap(fmpq(-c[1], 2 * c[2])) else -1
            return (-c[1] + side * sqrt(Integer(c[1] ** 2 - 4 * c[0] * c[2]))) / Integer(2 * c[2])
        if len(c) > 3 and not any(c[1:-1]):
            size = root(Rational(abs(c[0]), c[-1]), len(c) - 1)
            return size if self > 0 else -size
        return self.as_root_of()

    def as_root_of(self) -> Any:
        """The same number in sympy as a ``CRootOf``, whatever its polynomial; a Rational if it is one.

        >>> root = AlgebraicNumber([-1, 1, 1], 0, 1)
        >>> root.to_sympy(), root.as_root_of()
        (-1/2 + sqrt(5)/2, CRootOf(x**2 + x - 1, 1))
        """
        from sympy import CRootOf, Poly, Symbol

        if self._poly.degree() == 1:
            return _wrap(self._lo).to_sympy()
        bound = root_bound(self._poly)
        place = [root for root, _ in isolate(self._poly, -bound, bound)].index(self)
        return CRootOf(Poly(list(self.coefficients)[::-1], Symbol("x")), place)

    def __float__(self) -> float:
        """The nearest double, which whoever calls ``float`` asks for; never for a verdict."""
        digits = 20
        while True:
            lo, hi = map(float, self.enclosure(digits))
            if lo == hi:
                return lo
            digits *= 2

    def __str__(self) -> str:
        if self._poly.degree() == 1:
            return str(_wrap(self._lo))
        return self.text()

    def text(self, digits: int = 6) -> str:
        """The polynomial with a decimal of so many digits after the point, or more until they single it out.

        The digits are those of the number itself, the rest cut off. No other root of the polynomial, and not
        0, has the same ones.

        >>> AlgebraicNumber([-1, 0, 2], 0, 1).text(), AlgebraicNumber([-1, 0, 0, 10**24], 0, 1).text()
        ('root of 2*a^2 - 1 near 0.707106', '1/100000000')
        >>> AlgebraicNumber([-1, 0, 2 * 10**20], 0, 1).text()
        'root of 200000000000000000000*a^2 - 1 near 0.000000000070'
        """
        if self._poly.degree() == 1:
            return str(_wrap(self._lo))
        while True:
            lo, hi = self.enclosure(digits)
            if lo.sign() * hi.sign() > 0 and _sign_variations(_to_unit(self._poly, lo._q, hi._q)) <= 1:
                break
            digits += 6
        return f"root of {poly_text(self._poly, ['a'])} near {fixed_text(lo if lo.sign() > 0 else hi, digits)}"

    def __repr__(self) -> str:
        lo, hi = self.interval
        return f"AlgebraicNumber({list(self.coefficients)}, '{lo}', '{hi}')"


Point = Rational | AlgebraicNumber
"""A place on the line."""

_set = {name: AlgebraicNumber.__dict__[name].__set__ for name in AlgebraicNumber.__slots__}


def _make(poly: fmpz_poly, lo: fmpq, hi: fmpq, falls: bool | None = None) -> AlgebraicNumber:
    """From an irreducible polynomial with positive leading coefficient and an isolating interval."""
    result = object.__new__(AlgebraicNumber)
    _set["_poly"](result, poly)
    _set["_lo"](result, lo)
    _set["_hi"](result, hi)
    _set["_falls"](result, bool(poly(lo) > 0) if falls is None else falls)
    _set["_narrowed"](result, None)
    return result


def sign_of(x: Any) -> int:
    """−1, 0 or 1."""
    return int(x > 0) - int(x < 0)


def as_point(value: object) -> Point:
    """The rational or algebraic number given, also one of sympy; a rational number becomes a Rational."""
    if isinstance(value, AlgebraicNumber):
        return value if value.rational is None else value.rational
    return read_point(value) if is_expression(value) else Rational(value)


def compare_points(x: Point, y: Point) -> int:
    """The sign of x − y.

    >>> compare_points(Rational(1), AlgebraicNumber([-2, 0, 1], 0, 2))
    -1
    """
    if isinstance(x, AlgebraicNumber):
        return x.compare(y)
    return -y.compare(x) if isinstance(y, AlgebraicNumber) else (x - y).sign()


def digits_apart(points: Iterable[Point], least: int = 6) -> int:
    """How many digits after the point tell all the different irrational points apart, and at least so many.

    >>> near = [AlgebraicNumber([-2, 0, 10**18], 0, 1), AlgebraicNumber([-3, 0, 10**18], 0, 1)]
    >>> digits_apart(near), [x.text(digits_apart(near)) for x in near][1][-12:]
    (10, '0.0000000017')
    """
    irrational = {x for x in points if isinstance(x, AlgebraicNumber) and x.rational is None}
    digits = least
    while len({x.enclosure(digits)[0] for x in irrational}) < len(irrational):
        digits += 1
    return digits


def point_text(x: Point, digits: int = 6) -> str:
    """A point, with so many digits if it is irrational.

    >>> point_text(Rational("1/3"), 2)
    '1/3'
    """
    return x.text(digits) if isinstance(x, AlgebraicNumber) else str(x)


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
    """The fraction with the least denominator strictly between low < high, by continued fractions."""
    whole = low.floor()
    if whole + 1 < high:
        return fmpq(whole + 1)
    low, high = low - whole, high - whole
    if low == 0:
        return whole + fmpq(1, (1 / high).floor() + 1)
    return whole + 1 / _simplest(1 / high, 1 / low)


# --- Isolation of roots ---


def root_bound(p: fmpz_poly) -> Rational:
    """Cauchy: every root is smaller than 1 + max |c_i| / |c_n|."""
    return Rational(2 + max(abs(int(c)) for c in p.coeffs()) // abs(int(p.leading_coefficient())))


def isolate(p: fmpz_poly, low: Rational, high: Rational) -> list[tuple[Point, int]]:
    """The roots in [low, high] of a polynomial that is not zero, with multiplicities, increasing."""
    found: list[tuple[Point, int]] = []
    for found_factor, multiplicity in p.factor()[1]:
        factor = -found_factor if found_factor.leading_coefficient() < 0 else found_factor
        if factor.degree() == 1:
            root = fmpq(-factor[0], factor[1])
            if low._q <= root <= high._q:
                found.append((_wrap(root), multiplicity))
        elif low._q < high._q:
            found += [(_make(factor, lo, hi), multiplicity) for lo, hi in _isolate_irreducible(factor, low._q, high._q)]
    order = cmp_to_key(compare_points)
    return sorted(found, key=lambda pair: order(pair[0]))


def _isolate_irreducible(f: fmpz_poly, low: fmpq, high: fmpq) -> list[tuple[fmpq, fmpq]]:
    """Intervals with one root each, for an irreducible f of degree ≥ 2."""
    found = []
    stack = [(_to_unit(f, low, high), low, high)]
    while stack:
        g, lo, hi = stack.pop()
        bound = _sign_variations(g)
        if bound == 0:
            continue
        if bound == 1:
            found.append((lo, hi))
            continue
        middle = (lo + hi) / 2
        left = _left_half(g)
        stack += [(left, lo, middle), (left(_SHIFT), middle, hi)]
    return found


def _to_unit(f: fmpz_poly, low: fmpq, high: fmpq) -> fmpz_poly:
    """A positive multiple of f(low + (high − low)·x), integral."""
    q = low.q.lcm(high.q)
    start, width = low.p * (q // low.q), high.p * (q // high.q) - low.p * (q // low.q)
    # q^n f((start + width·x)/q)
    coefficients, scale = [], fmpz(1)
    for c in reversed(f.coeffs()):
        coefficients.append(c * scale)
        scale *= q
    return fmpz_poly(coefficients[::-1])(fmpz_poly([start, width]))


def _left_half(g: fmpz_poly) -> fmpz_poly:
    """2^n g(x/2)."""
    n = g.degree()
    return fmpz_poly([c << (n - i) for i, c in enumerate(g.coeffs())])


def _sign_variations(g: fmpz_poly) -> int:
    """Descartes' bound on the number of roots in (0, 1): 0 and 1 are exact."""
    signs = [c > 0 for c in fmpz_poly(g.coeffs()[::-1])(_SHIFT).coeffs() if c]
    return sum(x != y for x, y in pairwise(signs))


def has_no_root(p: fmpz_poly, low: fmpq, high: fmpq) -> bool:
    """Whether _DEPTH bisections show that there is no root with low < x < high; False leaves it open."""
    stack = [(_to_unit(p, low, high), 0)]
    while stack:
        g, depth = stack.pop()
        bound = _sign_variations(g)
        if bound == 0:
            continue
        if bound == 1 or depth == _DEPTH:
            return False
        left = _left_half(g)
        right = left(_SHIFT)
        if right[0] == 0:
            return False
        stack += [(left, depth + 1), (right, depth + 1)]
    return True
