# SPDX-License-Identifier: MIT
"""Real powers x^√s of positive numbers, for rational s: whether a field has them, and comparisons.

*Rational numbers x and y^e*, with e = √s. If e = p/q in lowest terms, x = y^e exactly when x = t^p and y =
t^q for one rational t, which integer roots decide. If e is irrational and y ≠ 1, y^e is transcendental
(Gelfond–Schneider), so x ≠ y^e. In both cases, once equality is excluded, balls around log x and e·log y at
rising precision separate: no tolerance, and it always ends.

*Numbers of a field of exponentials.* The pure products of exponentials are closed under x ↦ x^√s, in a large
enough field: e^(−Σ c_q √q) to the power √s is e^(−Σ c_q √(q·s)), and √(q·s) is a rational multiple of the
root of a squarefree integer. So comparing a number of ℚ(t_q) with such a power is a sign question in a larger
field of the same kind, and always decided.

Examples
--------
>>> half = Rational("1/2")
>>> compare_power(Rational("1/4"), half, Rational(4)), compare_power(Rational("3/8"), half, Rational(2))
(0, -1)
>>> t = ExponentialField(1).gen
>>> power = exponential_power(t, Rational(8))                   # e^(−√8)
>>> power, power.field
(ExponentialNumber('t2^2', t2 = e^(−1·√2)), ExponentialField('1', roots=(1, 2)))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from math import gcd, lcm
from typing import Any

from flint import arb, fmpz

from exactdp.errors import ResourceLimitError, UndecidedSignError
from exactdp.exact.balls import sign_from_balls
from exactdp.exact.exponential import ExponentialField, ExponentialNumber
from exactdp.exact.field import Scalar
from exactdp.exact.polynomial import terms
from exactdp.exact.rational import Rational
from exactdp.runtime.budget import digits_of, require_budget

_DIRECT_BITS = 1 << 16
"""Powers with at most this many bits are compared as they stand; beyond it roots and balls are cheaper."""

_MOST_BITS = 1 << 14
"""Balls of this precision must separate two numbers of which neither is a product of exponentials."""

# --- Rational numbers ---


def require_powers(what: str, entries: int, base: Scalar, exponent: int, *, shared: int | None = None, each: int = 0) -> None:
    """Refuse a table of powers that would be larger than the budget.

    * ``what``: the table, as its reader wrote it.
    * ``entries``: how many it has.
    * ``base``: what the powers are of; the estimate supposes that their exponents are spread evenly.
    * ``exponent``: the largest one.
    * ``shared``: how many of the entries differ; over ℚ every entry is stored, elsewhere equal ones are
      stored once.
    * ``each``: as how many powers of the largest exponent an entry is stored, if not as a third of one.

    >>> require_powers("the table", 10**6, Rational("1/2"), 10**9)
    Traceback (most recent call last):
    exactdp.errors.ResourceLimitError: the table has a number of 301,030,001 digits; the limit is ...
    """
    require_budget(what, numbers=entries)
    size = base.power_size(exponent)
    require_budget(what, **size)
    stored = entries if shared is None or isinstance(base, Rational) else shared
    require_budget(what, memory=64 * entries + stored * size["memory"] * (3 * each or 1) // 12)


def rational_root(x: Rational, k: int) -> Rational | None:
    """The k-th root of a non-negative rational, or None if it is irrational.

    * ``x``: at least 0.
    * ``k``: at least 1.

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
    """The sign of x − y^√s: −1, 0 or 1, decided exactly.

    * ``x``, ``y``: positive.
    * ``exponent_square``: s > 0, the square of the exponent.
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
    return sign_from_balls(lambda _: arb(x._q).log() - arb(exponent_square._q).sqrt() * arb(y._q).log(), 64)


def _bits(x: Rational) -> int:
    return int(max(x._q.p.bit_length(), x._q.q.bit_length()))


def _same_power(x: Rational, p: int, y: Rational, q: int) -> bool:
    """Whether x^q = y^p, for coprime p, q and x, y ≠ 1: then x = t^p and y = t^q."""
    assert gcd(p, q) == 1
    t = rational_root(y, q)
    return t is not None and rational_root(x, p) == t


# --- Numbers of a field of exponentials ---

MAX_FACTORED = 50
"""Most digits of a number that is factored: the hardest take a second or two, in one call of FLINT."""


def root_parts(square: Rational) -> tuple[Rational, int]:
    """√square as c·√q with q squarefree: (c, q).

    Raises ResourceLimitError if a number of more than :data:`MAX_FACTORED` digits, no square, would have to
    be factored.

    >>> root_parts(Rational("8/9")), root_parts(Rational("1/2"))
    ((Rational('2/3'), 2), (Rational('1/2'), 2))
    """
    number = fmpz(square.numerator) * fmpz(square.denominator)
    root = number.isqrt()
    if root * root == number:
        return Rational(int(root), square.denominator), 1
    size = digits_of(int(number.bit_length()))
    if size > MAX_FACTORED:
        message = f"the root of a number of {size} digits can't be simplified: at most {MAX_FACTORED} are factored; give fewer digits"
        raise ResourceLimitError(message, limit=MAX_FACTORED, got=size)
    outside, inside = fmpz(1), fmpz(1)
    for prime, k in number.factor():
        outside *= prime ** (k // 2)
        inside *= prime ** (k % 2)
    return Rational(int(outside), square.denominator), int(inside)


def exponents_of(x: ExponentialNumber) -> dict[int, Rational] | None:
    """{q: c} with x = e^(−Σ c·√q), or None if x is not such a product."""
    found = rational_times_exponential(x)
    return found[1] if found is not None and found[0] == 1 else None


def rational_times_exponential(x: ExponentialNumber) -> tuple[Rational, dict[int, Rational]] | None:
    """A rational b and {q: c} with x = b·e^(−Σ c·√q), or None if x is not such a product.

    >>> rational_times_exponential(ExponentialField("1/2").gen / 3)
    (Rational('1/3'), {1: Rational('1/2')})
    """
    above, below = terms(x._n), terms(x._d)
    if len(above) != 1 or len(below) != 1:
        return None
    field = x.field
    pairs = zip(field.roots, above[0][0], below[0][0], strict=True)
    exponents = {q: field.rate * (m - n) for q, m, n in pairs if m != n}
    return Rational(int(above[0][1]), int(below[0][1])), exponents


def raised(exponents: Mapping[int, Rational], square: Rational) -> dict[int, Rational]:
    """The exponents of the power √square of a product of exponentials."""
    found: dict[int, Rational] = {}
    for q, c in exponents.items():
        outside, inside = root_parts(square * q)
        found[inside] = found.get(inside, Rational(0)) + c * outside
    return found


def _in_field(field: ExponentialField, exponents: Mapping[int, Rational]) -> ExponentialNumber | None:
    """The product of exponentials as an element of a field, or None."""
    result: ExponentialNumber = field.one
    for q, c in exponents.items():
        if q not in field.roots or (c / field.rate).denominator != 1:
            return None
        result = result * field.exponential(c, q)
    return result


def power_within(x: ExponentialNumber, square: Rational) -> ExponentialNumber | None:
    """x^√square if it is in the field of x, else None.

    >>> plane = ExponentialField(1, unit=2, roots=(1, 2))
    >>> power_within(plane.gen, Rational(2)), power_within(plane.gen ** 2, Rational("1/4"))
    (ExponentialNumber('t2', t2 = e^(−1/2·√2)), ExponentialNumber('t', t = e^(−1/2)))
    >>> power_within(plane.gen, Rational(5)) is None
    True
    """
    exponents = exponents_of(x)
    return None if exponents is None else _in_field(x.field, raised(exponents, square))


def exponential_power(x: ExponentialNumber, square: Rational) -> ExponentialNumber | None:
    """x^√square in the least field with it and the field of x; None if x is no product of exponentials."""
    exponents = exponents_of(x)
    if exponents is None:
        return None
    wanted = raised(exponents, square)
    field = field_for_exponents([*((x.field.rate, q) for q in x.field.roots), *((c, q) for q, c in wanted.items())])
    return _in_field(field, wanted)


def field_for_exponents(exponents: Iterable[tuple[Rational, int]]) -> ExponentialField:
    """The least field that has e^(−c·√q) for every pair (c, q), c > 0.

    >>> field_for_exponents([(Rational("1/2"), 1), (Rational("1/3"), 2)])
    ExponentialField('1/6', roots=(1, 2))
    """
    pairs = list(exponents)
    below = reduce(lcm, (c.denominator for c, _ in pairs))
    above = reduce(gcd, (abs(c.numerator) * (below // c.denominator) for c, _ in pairs))
    return ExponentialField(Rational(above, below), roots=sorted({q for _, q in pairs}))


def compare_exponential_power(x: Any, y: Any, square: Rational) -> int:
    """The sign of x − y^√square for positive x, y, numbers of a field of exponentials (one may be in ℚ).

    * raises UndecidedSignError: neither is a product of exponentials, √square is irrational, and balls of
      16384 bits don't separate the two.

    >>> t = ExponentialField(1).gen
    >>> [compare_exponential_power(x, t, Rational(s)) for x, s in ((Rational("1/4"), 2), (t**2, 4))]
    [1, 0]
    """
    field = (x if isinstance(x, ExponentialNumber) else y).field
    x, y = field(x), field(y)
    power = exponential_power(y, square)
    if power is not None:
        return int((power.field(x) - power).sign())
    power = exponential_power(x, 1 / square)
    if power is not None:
        return int((power - power.field(y)).sign())
    exponent, inside = root_parts(square)
    if inside == 1:
        return int((x**exponent.denominator - y**exponent.numerator).sign())
    sign = sign_from_balls(lambda bits: x.ball(bits).log() - arb(square._q).sqrt() * y.ball(bits).log(), 64, _MOST_BITS)
    if sign:
        return sign
    raise UndecidedSignError(
        f"({x}) and ({y})^sqrt({square}) agree to {_MOST_BITS} bits, and no theorem says whether they are equal",
        values=(x, y),
        exponent_square=square,
    )
