# SPDX-License-Identifier: MIT
"""The real roots of integer polynomials, exactly: Descartes' rule of signs under bisection (Vincent, Collins and Akritas).

The polynomial is factored over ℤ first, so that a root is rational or the root of an irreducible polynomial of degree ≥ 2, which
is never zero at a rational number.

Examples
--------
>>> from exactdp.exact.interval import Interval
>>> [(str(x), k) for x, k in real_roots([0, -1, 2], Interval(0, 1))]          # 2a² − a
[('1/2', 1)]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cmp_to_key
from itertools import pairwise

from flint import fmpq, fmpz, fmpz_poly

from exactdp.errors import InputError
from exactdp.exact.algebraic import AlgebraicNumber, Point, _make, as_point, between, compare_points
from exactdp.exact.interval import Interval
from exactdp.exact.polynomials import Poly, as_poly
from exactdp.exact.rational import Rational, _wrap

__all__ = ["SignPattern", "isolate", "real_roots", "sign_pattern"]

_SHIFT = fmpz_poly([1, 1])

_DEPTH = 6
"""So many bisections may show that there is no root before the polynomial is factored."""


@dataclass(frozen=True, slots=True)
class SignPattern:
    """The signs that a function takes on an interval.

    Attributes
    ----------
    signs : tuple of int
        Those of −1, 0, 1 that occur, increasing.
    zeros : tuple of (point, multiplicity)
        Its zeros in the interval, increasing; empty for the zero function.
    changes : tuple of points
        The points inside where the sign is not the same on both sides.
    poles : tuple of points
        Points of the interval where it is not defined.
    """

    signs: tuple[int, ...]
    zeros: tuple[tuple[Point, int], ...] = ()
    changes: tuple[Point, ...] = ()
    poles: tuple[Point, ...] = ()

    @property
    def minimum(self) -> int:
        """The least sign."""
        return self.signs[0]

    @property
    def maximum(self) -> int:
        """The largest sign."""
        return self.signs[-1]

    @property
    def points(self) -> tuple[Point, ...]:
        """Zeros and poles, increasing: between two of them the sign is constant."""
        return tuple(sorted({*(x for x, _ in self.zeros), *self.poles}, key=cmp_to_key(compare_points)))


def real_roots(poly: object, interval: Interval | None = None) -> tuple[tuple[Point, int], ...]:
    """The real roots with their multiplicities, increasing.

    Parameters
    ----------
    poly : sequence of int or rational
        Coefficients, the constant first; not all zero.
    interval : Interval, optional
        Only the roots in it; the whole line unless given.

    Returns
    -------
    tuple of (Rational or AlgebraicNumber, int)

    Raises
    ------
    InputError
        The polynomial is zero.
    """
    p = as_poly(poly)
    if p == 0:
        raise InputError("every number is a root of the zero polynomial", polynomial=(0,))
    if interval is None:
        bound = _root_bound(p)
        return tuple(isolate(p, -bound, bound))
    found = isolate(p, *interval.hull())
    return tuple((x, k) for x, k in found if interval.contains(x))


def _root_bound(p: fmpz_poly) -> Rational:
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
        bound = _variations(g)
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


def _variations(g: fmpz_poly) -> int:
    """Descartes' bound on the number of roots in (0, 1): 0 and 1 are exact."""
    signs = [c > 0 for c in fmpz_poly(g.coeffs()[::-1])(_SHIFT).coeffs() if c]
    return sum(x != y for x, y in pairwise(signs))


def has_no_root(p: fmpz_poly, low: fmpq, high: fmpq) -> bool:
    """Whether a few bisections show that there is no root with low < x < high; False leaves it open."""
    stack = [(_to_unit(p, low, high), 0)]
    while stack:
        g, depth = stack.pop()
        bound = _variations(g)
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


def sign_at(p: fmpz_poly, x: Point) -> int:
    """The sign of a polynomial at a point."""
    if isinstance(x, AlgebraicNumber):
        return x.sign_of(p)
    value = p(x._q)
    return int(value > 0) - int(value < 0)


def sign_pattern(p: Poly, interval: Interval) -> SignPattern:
    """The signs of a polynomial on an interval.

    >>> sign_pattern(fmpz_poly([1, -2, 1]), Interval(0, 1, upper_closed=True)).signs        # (1 − a)²
    (0, 1)
    """
    if p == 0:
        return SignPattern((0,))
    known = _plain_sign(p, interval)
    if known:
        return SignPattern((known,))
    if interval.is_point:
        sign = sign_at(p, interval.lower)
        return SignPattern((sign,), () if sign else ((as_point(interval.lower), 1),))
    low, high = interval.hull()
    if has_no_root(p, low._q, high._q):
        inner = sign_at(p, between(interval.lower, interval.upper))
        ends = [(x, 1) for x, closed in _ends(interval) if closed and sign_at(p, x) == 0]
        if not ends:
            return SignPattern((inner,))
    zeros = tuple((x, k) for x, k in isolate(p, low, high) if interval.contains(x))
    inside = [(x, k) for x, k in zeros if compare_points(x, interval.lower) > 0 and compare_points(x, interval.upper) < 0]
    sign = sign_at(p, between(interval.lower, inside[0][0] if inside else interval.upper))
    signs, changes = {sign}, []
    for x, k in inside:
        if k % 2:
            sign = -sign
            changes.append(x)
        signs.add(sign)
    return SignPattern(tuple(sorted(signs | ({0} if zeros else set()))), zeros, tuple(changes))


def _ends(interval: Interval) -> tuple[tuple[Point, bool], ...]:
    return (interval.lower, interval.lower_closed), (interval.upper, interval.upper_closed)


def _plain_sign(p: fmpz_poly, interval: Interval) -> int:
    """1 or −1 if the coefficients all have that sign and the interval is in (0, ∞); 0 leaves it open."""
    coefficients = p.coeffs()
    if len(coefficients) == 1:
        return 1 if coefficients[0] > 0 else -1
    low = interval.hull()[0].sign()
    if low < 0 or (low == 0 and interval.lower_closed and coefficients[0] == 0):
        return 0
    if all(c >= 0 for c in coefficients):
        return 1
    return -1 if all(c <= 0 for c in coefficients) else 0
