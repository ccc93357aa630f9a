# SPDX-License-Identifier: MIT
"""Trusted: exact numbers, and sums and products of them that count their work (SPEC §2, §7).

A number is an integer, or a polynomial that computes and compares as integers do (fields.py) and
counts its work by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any, cast

from exactdp.checker.limits import FIELD, charge, keep, quadratic

SHORT = 64
"""A product with a number of so many bits takes no longer than a sum."""


# ── Numbers ─────────────────────────────────────────────────────────────────────────────────────
def whole(*numbers: object) -> bool:
    """Whether they are all integers, and not polynomials."""
    return all(isinstance(x, int) for x in numbers)


def key(x: int) -> object:
    """A text, or bytes, for a number as a key of a dictionary: files can choose many integers of
    one hash.
    """
    if isinstance(x, int):
        return hex(x)
    return cast(object, x.key())


def longest(numbers: Iterable[int]) -> int:
    """The bits of the longest integer among some numbers; polynomials count by themselves."""
    return max((x.bit_length() for x in numbers if isinstance(x, int)), default=0)


def bits_of_power(x: int, exponent: int) -> int:
    """No fewer bits than a power of a number has."""
    if isinstance(x, int):
        return exponent * x.bit_length()
    return cast(int, x.bits_of_power(exponent))


def ratio(num: int, den: int) -> Fraction:
    """num/den, in lowest terms if both are integers."""
    if not whole(num, den):
        return cast(Fraction, FIELD.get().ratio(num, den))
    charge(20 + quadratic(num.bit_length(), den.bit_length()))
    return Fraction(num, den)


def upwards(x: int) -> bool:
    """Whether x ≥ 0 rather than x ≤ 0 (of numbers that vary, one of them)."""
    if FIELD.get() is None:
        return x > 0
    return bool(FIELD.get().upwards(x))


def lowest(values: Sequence[int]) -> int:
    """The least of some numbers."""
    if FIELD.get() is None:
        return min(values)
    return cast(int, FIELD.get().lowest(list(values)))


def comparable() -> bool:
    """Whether any two numbers of the file compare: integers, and values of e^(−rate·√q)."""
    return FIELD.get() is None or bool(FIELD.get().ordered)


def extremes(xs: Sequence[Any]) -> tuple[Any, Any]:
    """The least and the greatest of some numbers that compare."""
    charge(4 * len(xs), held=len(xs) // 8)
    if whole(*xs):
        return min(xs), max(xs)
    # Many are one object, or equal.
    objects = {id(x): x for x in xs}
    different = list({key(x): x for x in objects.values()}.values())
    return lowest(different), -lowest([-x for x in different])


def enclosed(x: Any) -> tuple[int, int]:
    """Two integers around 2^precision times a number, for the precision of the file's field."""
    if whole(x):
        charge(1, FIELD.get().precision)
        return x << FIELD.get().precision, x << FIELD.get().precision
    return cast(tuple[int, int], x.ball)


# ── Products and quotients ──────────────────────────────────────────────────────────────────────
def count_products(times: int, bits: int, by: int) -> None:
    """Announce so many products of numbers of so many bits by numbers of so many bits, and their
    sums. The longer number is cut into pieces as long as the other.
    """
    charge(3 * times, bits + by)
    small, large = sorted((bits, by))
    if small > SHORT:
        charge(0, 2 * small, products=times * (1 + large // small))


def product(first: Any, *others: Any) -> Any:
    """The product of some numbers."""
    result = first
    for x in others:
        if whole(result, x):
            count_products(1, result.bit_length(), x.bit_length())
        result = result * x
    return result


def quotient(x: Any, y: Any) -> Any:
    """⌊x/y⌋ of integers; of polynomials the exact quotient."""
    if whole(x, y):
        charge(quadratic(x.bit_length(), y.bit_length()))
    return x // y


def products_at_least(x: Any, a: Any, y: Any, b: Any) -> bool:
    """Whether x·a ≥ y·b. Of polynomials that are numbers their enclosures decide it, unless they
    are too near each other.
    """
    if comparable() and not whole(x, y):
        # Of each product the least and the greatest that the enclosures of its factors allow.
        each = [enclosed(number) for number in (x, a, y, b)]
        bits = max(longest(ends) for ends in each)
        count_products(8, bits, bits)
        left = [s * t for s in each[0] for t in each[1]]
        right = [s * t for s in each[2] for t in each[3]]
        if min(left) >= max(right) or max(left) < min(right):
            return min(left) >= max(right)
    return bool(x * a >= y * b)


def dot(xs: Sequence[Any], ys: Sequence[Any]) -> Any:
    """Σ_k x_k y_k."""
    count_products(len(xs), longest(xs), longest(ys))
    return sum((x * y for x, y in zip(xs, ys, strict=True)), 0)


def scaled(xs: Iterable[Any], factor: Any) -> list[Any]:
    """The numbers times a factor."""
    numbers = list(xs)
    count_products(len(numbers), longest(numbers), longest([factor]))
    if not whole(factor):
        charge(0, factor.bit_length(), held=sum(1 for x in numbers if not (whole(x) and x == 0)))
    return [x * factor for x in numbers]


def powers_of(p: Any, q: Any, top: int) -> list[Any]:
    """p^e·q^(top−e) for e = 0, …, top."""
    bits = top * longest((p, q))
    keep(top + 1, bits)
    count_products(3 * (top + 1), bits, bits)
    return [p**e * q ** (top - e) for e in range(top + 1)]


def raised(x: int, exponent: int) -> int:
    """A power of an integer."""
    bits = exponent * x.bit_length()
    count_products(2, bits, bits)
    return cast(int, x**exponent)


def product_of_all(xs: Iterable[int]) -> int:
    """The product of many integers."""
    numbers = list(xs)
    bits = sum(x.bit_length() for x in numbers)
    count_products(len(numbers), bits, longest(numbers))
    return prod(numbers)


def sum_of_ratios(xs: Iterable[Any]) -> Any:
    """The sum of some quotients of numbers."""
    num, den = 0, 1
    for x in xs:
        num = product(num, x.denominator) + product(x.numerator, den)
        total = ratio(num, product(den, x.denominator))
        num, den = total.numerator, total.denominator
    return ratio(num, den)


def times(x: Any, y: Any) -> Any:
    """The product of two quotients of numbers."""
    return ratio(product(x.numerator, y.numerator), product(x.denominator, y.denominator))


def shifted(p: list[int], k: int) -> list[int]:
    """The coefficients of x^k·p, the constant first."""
    keep(1 + (k + len(p)) // 16, 0)  # a place in a list takes 64 bits
    charge(k)
    return [0] * k + p


def evaluated(p: Sequence[int], top: int, below: int, degree: int) -> int:
    """below^degree·p(top/below) for the polynomial with these coefficients, the constant first, if
    degree is at least its degree.
    """
    step = top.bit_length() + below.bit_length()
    bits = (degree + 1) * step + sum(map(abs, p)).bit_length()
    charge(20 + 4 * len(p), bits, products=4)
    charge(len(p) * (bits * step // 50_000))
    total, power = 0, 1
    for x in reversed(p):
        total, power = total * top + x * power, power * below
    rest: int = below ** (degree + 1 - len(p))
    return total * rest


# ── Denominators ────────────────────────────────────────────────────────────────────────────────
def common(*dens: int) -> tuple[int, list[int]]:
    """A common multiple of some denominators, the least of integers; and, in order, what lifts
    each to it.
    """
    charge(20 * len(dens) + sum(den.bit_length() for den in dens) // 40)
    # Equal denominators count once. This is no set: a product's bound of size depends on the order.
    each = {key(den): den for den in dens}
    bits = sum(den.bit_length() for den in each.values())
    held = len(each) * (1 + bits // 1024)
    if whole(*dens):
        charge(bits**2 // 20_000, held=held)
        multiple = lcm(*each.values())
    else:  # products with polynomials count by themselves
        short = sum(den.bit_length() for den in each.values() if whole(den))
        charge(len(each) * short**2 // 20_000, held=held)
        multiple = prod(each.values())
    lifts = dict[object, int]()
    for name, den in each.items():
        if whole(multiple):
            lifts[name] = multiple // den
        else:
            lifts[name] = prod(other for other in each.values() if other is not den)
    return multiple, [lifts[key(den)] for den in dens]


# ── Grids, and rows of numbers in one integer ───────────────────────────────────────────────────
def grid(height: int, width: int, fill: Any = 0) -> list[list[Any]]:
    """Rows of equal numbers, which are still to be found."""
    keep(1 + height * width // 16, 0)  # a place in a list takes 64 bits
    charge(height * width)
    return [[fill] * width for _ in range(height)]


def packed(row: Sequence[int], slot: int) -> int:
    """Σ_b x_b·2^(slot·b), which is held until the file is decided."""
    bits = slot * len(row) + longest(row)
    charge(2 * len(row), bits)
    keep(1, bits)
    return sum(x << slot * b for b, x in enumerate(row))


def unpacked(number: int, slot: int, count: int) -> list[int]:
    """The x_b of a sum Σ_b x_b·2^(slot·b), if |x_b| < 2^(slot−1)."""
    charge(3 * count, slot * count, held=3)
    # Half of each slot, so that none is negative.
    half = 1 << slot - 1
    lifted = number + sum(half << slot * b for b in range(count))
    return [(lifted >> slot * b & (1 << slot) - 1) - half for b in range(count)]
