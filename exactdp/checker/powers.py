# SPDX-License-Identifier: MIT
"""Trusted: powers α^d of a level α, for distances d of which the squares are rational (SPEC §3)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from fractions import Fraction
from math import isqrt
from typing import Any

from exactdp.checker.arithmetic import (
    SHORT,
    enclosed,
    longest,
    product,
    products_at_least,
    ratio,
    whole,
)
from exactdp.checker.limits import FIELD, Answer, Stop, charge, quadratic, require, show

FEW = 16
"""So many comparisons are not worth a bound of a power."""

FINE = 16
"""The bits behind the point of a distance, for such a bound."""

CLOSE = 16
"""The bits of such a bound."""

LONG = 512
"""With longer numbers to compare, such a bound is as if they had so many bits."""


# ── Powers that are numbers ─────────────────────────────────────────────────────────────────────
def root(number: Fraction, k: int) -> Fraction:
    """The k-th root of a number > 0 when it is rational, else 0."""
    bits = max(map(int.bit_length, number.as_integer_ratio()))
    charge(40, 2 * bits, products=4 * (bits // k + 2))
    # The integer below the root of numerator and denominator, from its first bit to its last.
    parts = list[int]()
    for n in number.as_integer_ratio():
        floor = 0
        for bit in reversed(range(n.bit_length() // k + 1)):
            if (floor + 2**bit) ** k <= n:
                floor += 2**bit
        parts.append(floor)
    found = Fraction(*parts)
    if found**k == number:
        return found
    return Fraction(0)


def rational_power(alpha: Any, square: Fraction) -> Any:
    """α^d for a rational d, if it is a number that can be written; else None."""
    distance = root(square, 2)
    if not distance:
        return None
    base = alpha
    if distance.denominator > 1:
        if not isinstance(alpha, Fraction):
            return None
        base = root(alpha, distance.denominator)
    if not base:
        return None
    p, q = base.as_integer_ratio()
    exponent = distance.numerator
    charge(0, exponent * (p.bit_length() + q.bit_length()), products=2)
    found = ratio(p**exponent, q**exponent)
    # To bring it to a denominator with others, as rules do.
    bits = found.denominator.bit_length()
    charge(quadratic(bits, bits) // 3)
    return found


def power(alpha: Any, square: Fraction, path: str) -> Any:
    """α^d as a number, at d² = square."""
    found = None
    if FIELD.get():
        found = FIELD.get().power(alpha, square)
    if found is None:
        found = rational_power(alpha, square)
    rule = f"graph rule: α^d is a number of the field at d² = {show(square)}"
    require(found is not None, rule, path, alpha, "a perfect power")
    return found


def places(squares: list[Fraction]) -> tuple[list[Fraction], list[int]]:
    """The different ones of some d², ascending, and the place of each one among them."""
    # None is a key: a file can choose many of one hash.
    count = 2 * len(squares) * len(squares).bit_length()
    bits = 2 * max((longest(square.as_integer_ratio()) for square in squares), default=0)
    charge(15 * count, bits, products=2 * count * (bits > 128), held=2 * len(squares))
    different = list[Fraction]()
    for square in sorted(squares):
        if not different or different[-1] < square:
            different.append(square)
    return different, [bisect_left(different, square) for square in squares]


def powers(alpha: Any, squares: Iterable[Fraction], path: str) -> dict[Fraction, Any]:
    """α^d by d², for every distance d, in the order of distances."""
    # They are sorted before one is a key: a file can choose any number of distances that have one
    # hash, and only few of these have such a power.
    listed = list(squares)
    count = len(listed) * len(listed).bit_length()
    lengths = (x.bit_length() for square in listed for x in square.as_integer_ratio())
    bits = 2 * max(lengths, default=0)
    charge(15 * count, bits, products=2 * count * (bits > 128))
    listed.sort()

    found = dict[Fraction, Any]()
    held = 0
    for k, square in enumerate(listed):
        if k and square == listed[k - 1]:
            continue
        x = alpha if square == 1 else power(alpha, square, path)
        found[square] = x
        held += x.numerator.bit_length() + x.denominator.bit_length()
        charge(0, held)  # a short distance can have a long power
    return found


# ── Comparisons with powers that need not be numbers ────────────────────────────────────────────
def at_least(x: Any, y: Any, alpha: Any, square: Fraction) -> bool:
    """Whether x ≥ α^d·y, for x, y ≥ 0, 0 < α ≤ 1, d = √square > 0."""
    charge(20)
    if 1 in (square, alpha):
        if whole(x, y, alpha.numerator, alpha.denominator):
            return bool(product(x, alpha.denominator) >= product(y, alpha.numerator))
        return products_at_least(x, alpha.denominator, y, alpha.numerator)
    if whole(x, y, alpha.numerator, alpha.denominator):
        if x >= y or x == 0:
            return bool(x >= y)
        return by_convergents(*ratio(x, y).as_integer_ratio(), alpha, square)

    # Polynomials: the field may know the power, or d is rational and both sides are raised.
    found = FIELD.get().power(alpha, square)
    distance = root(square, 2)
    if found is not None:
        return products_at_least(x, found.denominator, y, found.numerator)
    if not distance:
        raise Stop(Answer("limit", f"α^d is not in the field, at d² = {show(square)}"))
    p, q = distance.as_integer_ratio()
    a, b = alpha.as_integer_ratio()
    left_bits = q * max(x.bit_length(), y.bit_length())
    right_bits = p * max(a.bit_length(), b.bit_length())
    charge(0, max(left_bits, right_bits), products=8)
    return bool(x**q * b**p >= y**q * a**p)


def power_above(alpha: Any, square: Fraction, bits: int, times: int) -> tuple[int, int]:
    """P, Q > 0 with P/Q ≥ α^d, 0 < α ≤ 1, d = √square > 0: near enough for so many comparisons of
    integers of so many bits.
    """
    p, q = alpha.numerator, alpha.denominator
    if not whole(p, q):
        found = FIELD.get().power(alpha, square)
        if found is None or found.denominator != 1:
            return 1, 1
        _, above = enclosed(found.numerator)
        return short(above, FIELD.get().precision)

    # A short power of a distance that is an integer is the bound itself.
    most = bits + SHORT
    if square.denominator == 1 and square <= most * most:
        d = isqrt(square.numerator)
        if d * d == square and d * q.bit_length() <= most:
            charge(0, most, products=2)
            return p**d, q**d
    if times < FEW:
        return 1, 1

    # α^d ≤ α^(n/2^FINE), n/2^FINE ≤ d, and this is a product of powers α^(2^k) and of roots. Each
    # is rounded up to an integer over 2^places.
    charge(8, longest(square.as_integer_ratio()) + q.bit_length() + 2 * FINE, products=8)
    n = isqrt((square.numerator << 2 * FINE) // square.denominator)
    # The bits of n, the lowest first.
    digits = f"{n:b}"[::-1].ljust(FINE, "0")
    places = min(bits, LONG) + SHORT
    charge(10 * len(digits), 2 * places, products=4 * len(digits))
    first = -((-p << places) // q)
    above = 1 << places
    factor = first
    for digit in reversed(digits[:FINE]):
        factor = isqrt((factor << places) - 1) + 1
        if digit == "1":
            above = -(-above * factor >> places)
    factor = first
    for digit in digits[FINE:]:
        if digit == "1":
            above = -(-above * factor >> places)
        factor = -(-factor * factor >> places)
    return short(above, places)


def short(above: int, places: int) -> tuple[int, int]:
    """P/Q ≤ 1 with P/Q ≥ above/2^places, if this is at most 1: Q = 2^k, and P of few bits."""
    left_out = max(0, above.bit_length() - CLOSE)
    Q = 1 << places - left_out
    return min((above >> left_out) + 1, Q), Q


def by_convergents(x: int, y: int, alpha: Fraction, square: Fraction) -> bool:
    """Whether x ≥ α^d·y, for integers 0 < x < y. The convergents c = P/Q of d's continued fraction
    are below and above it in turn, ever closer: one decides, the last if d is rational; if it is
    not, x ≠ α^d·y (SPEC §3).
    """
    # Theorem: power_le_below, private_far_below, is_tight_atP (proofs/coq/Checker/RootsCheck.v).
    N = square.numerator * square.denominator
    # What is left of d is (m + √N)/b.
    m = 0
    b = square.denominator
    # The last two convergents P/Q.
    P, Q = 1, 0
    earlier_P, earlier_Q = 0, 1
    while True:
        charge(40 + quadratic(N.bit_length(), N.bit_length()))
        # The next partial quotient, and the next convergent.
        a = (m + isqrt(N)) // b
        m = a * b - m
        b = (N - m * m) // b
        P, earlier_P = a * P + earlier_P, P
        Q, earlier_Q = a * Q + earlier_Q, Q

        # x against α^(P/Q)·y, and P/Q against d.
        charge(0, Q * y.bit_length() + P * alpha.denominator.bit_length(), products=6)
        left = x**Q * alpha.denominator**P
        right = y**Q * alpha.numerator**P
        excess = P * P * square.denominator - Q * Q * square.numerator
        if left >= right and excess <= 0:  # P/Q ≤ d: x ≥ α^(P/Q)·y ≥ α^d·y
            return True
        if left <= right and excess >= 0:  # P/Q ≥ d: x ≤ α^(P/Q)·y ≤ α^d·y, one of them strictly
            return False
