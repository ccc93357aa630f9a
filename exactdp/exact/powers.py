# SPDX-License-Identifier: MIT
"""Which is larger, x or y^e, for positive rationals x, y and an exponent e = √s > 0 that need not be
rational?

If e = p/q in lowest terms, x = y^e exactly when x = t^p and y = t^q for one rational t, which integer roots
decide. If e is irrational and y ≠ 1, y^e is transcendental (Gelfond–Schneider), so x ≠ y^e. In both cases,
once equality is excluded, balls around log x and e·log y at rising precision separate: no tolerance, and it
always ends.

Examples
--------
>>> compare_power(Rational("1/4"), Rational("1/2"), Rational(4))
0
>>> compare_power(Rational("3/8"), Rational("1/2"), Rational(2))
-1
"""

from __future__ import annotations

from math import gcd

from flint import arb, ctx

from exactdp.exact.rational import Rational

_DIRECT_BITS = 1 << 16
"""Powers with at most this many bits are compared as they stand; beyond it roots and balls are cheaper."""


def rational_root(x: Rational, k: int) -> Rational | None:
    """The k-th root of a non-negative rational, or None if it is irrational.

    Parameters
    ----------
    x : Rational
        At least 0.
    k : int
        At least 1.

    Examples
    --------
    >>> rational_root(Rational("4/9"), 2), rational_root(Rational(2), 2)
    (Rational('2/3'), None)
    """
    if k == 1 or x in {0, 1}:
        return x
    p, q = x._q.p, x._q.q
    if k >= max(p.bit_length(), q.bit_length()):
        return None  # 2^k is larger than both, so only 1 has a root
    above, below = p.root(k), q.root(k)
    return Rational(int(above), int(below)) if above**k == p and below**k == q else None


def compare_power(x: Rational, y: Rational, exponent_square: Rational) -> int:
    """The sign of x − y^√s.

    Parameters
    ----------
    x, y : Rational
        Positive.
    exponent_square : Rational
        s > 0, the square of the exponent.

    Returns
    -------
    int
        −1, 0 or 1, decided exactly.
    """
    if y == 1 or x == 1:
        return (x - y).sign()
    exponent = rational_root(exponent_square, 2)
    if exponent is not None:
        p, q = exponent.numerator, exponent.denominator
        if q * _bits(x) + p * _bits(y) <= _DIRECT_BITS:
            return (x**q - y**p).sign()
        if _same_power(x, p, y, q):
            return 0
    precision = 64
    while True:
        with ctx.workprec(precision):
            difference = arb(x._q).log() - arb(exponent_square._q).sqrt() * arb(y._q).log()
            if difference > 0:
                return 1
            if difference < 0:
                return -1
        precision *= 2


def _bits(x: Rational) -> int:
    return int(max(x._q.p.bit_length(), x._q.q.bit_length()))


def _same_power(x: Rational, p: int, y: Rational, q: int) -> bool:
    """Whether x^q = y^p, for coprime p, q and x, y ≠ 1: then x = t^p and y = t^q."""
    assert gcd(p, q) == 1
    t = rational_root(y, q)
    return t is not None and rational_root(x, p) == t
