# SPDX-License-Identifier: MIT
"""Trusted: every number of an interval, or one that is the root of a polynomial (SPEC §2.1).

A comparison is answered only if its answer is the same for all numbers of the interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import Any

from exactdp.checker.arithmetic import longest, ratio
from exactdp.checker.limits import (
    ONE_ANSWER,
    Answer,
    Stop,
    charge,
    demand,
    keep,
    quadratic,
    require,
    show,
)
from exactdp.checker.polynomials import Field, Polynomial
from exactdp.checker.reader import Node


class End:
    """An end of an interval: the only root of f in [lo, hi], a simple one; lo = hi for a rational
    end.
    """

    def __init__(self, node: Node) -> None:
        self.text: object = node.value
        if isinstance(node.value, str):
            self.lo = self.hi = node.rational()
            self.f = [-self.lo.numerator, self.lo.denominator]
            return
        fields = node.fields("poly in")
        self.f = [c.integer(c.of(str)) for c in fields["poly"].items()]
        self.lo, self.hi = (x.rational() for x in fields["in"].items(2))
        shape = len(self.f) > 2 and self.f[-1] > 0
        rule = "degree 2 or more, with a positive leading coefficient"
        demand(shape, fields["poly"].path, rule)
        simple = self.lo < self.hi and value_sign(self.f, self.lo) * value_sign(self.f, self.hi) < 0
        alone = simple and variations(self.f, self.lo, self.hi) == 1
        rule = "the polynomial has exactly one simple root in the interval"
        require(alone, rule, node.path, self.f, fields["in"].value)

    def refine(self) -> None:
        """Halve the interval."""
        middle = (self.lo + self.hi) / 2
        sign = value_sign(self.f, middle) * value_sign(self.f, self.hi)
        if sign >= 0:
            self.hi = middle
        if sign <= 0:
            self.lo = middle

    def __str__(self) -> str:
        if isinstance(self.text, str):
            return self.text
        terms = [f"{show(c)}*x^{e}" for e, c in enumerate(self.f) if c and e]
        if self.f[0]:
            terms.insert(0, show(self.f[0]))
        polynomial = " + ".join(reversed(terms)).replace("+ -", "- ")
        return f"the root of {polynomial} in [{show(self.lo)}, {show(self.hi)}]"


KEYS = ("above", "at_least", "below", "at_most")


class Parameter(Field):
    """x is every number of an interval. A comparison is answered if all of them answer it alike."""

    def __init__(self, fields: dict[str, Node], name: str, doublings: int) -> None:
        super().__init__([name], [1], doublings)
        node = fields["interval"]
        self.node = node
        members = node.fields("above? at_least? below? at_most? at?")
        point = "at" in members
        if point:
            shape = len(members) == 1
        else:
            shape = len(members) == 2 and ("above" in members) != ("at_least" in members)
        demand(shape, node.path, "above or at_least, and below or at_most; or at, for one point")
        self.closed = point or "at_least" in members, point or "at_most" in members
        self.single = point
        if point:
            self.low = self.high = End(members["at"])
            self.scope = f"{name} = {self.low}"
        else:
            ends = [members[key] for key in KEYS if key in members]
            self.low, self.high = map(End, ends)
            self.separate(node)
            left, right = ("≤" if closed else "<" for closed in self.closed)
            self.scope = f"every {name} with {self.low} {left} {name} {right} {self.high}"
        self.signs = dict[bytes, tuple[int, bool]]()

    def separate(self, node: Node) -> None:
        """Isolate the ends until the lower one is seen to be below the upper one."""
        for _ in range(500):
            if self.low.hi < self.high.lo:
                return
            self.refine()
        if self.low.hi < self.high.lo:
            return
        rule = "the lower end is below the upper end"
        require(self.low.lo < self.high.hi, rule, node.path, str(self.low), str(self.high))
        text = "the ends are equal, or nearer to each other than 2^(-500) of what isolates them"
        raise Stop(Answer("limit", f"{node.path}: {text}"))

    def refine(self) -> None:
        """Halve the isolating intervals of both ends."""
        for end in {self.low, self.high}:
            if end.lo < end.hi:
                end.refine()

    def known(self, packed: int, size: int, degree: int) -> Polynomial:
        return Polynomial(self, packed, size, degree)

    def sign(self, p: Polynomial) -> tuple[int, bool]:
        """The sign inside the interval, and whether p vanishes at a closed end. It must not change
        inside.
        """
        if (key := p.key()) not in self.signs:
            keep(1, p.packed.bit_length())
            self.signs[key] = self.signed(p.coefficients())
        return self.signs[key]

    def signed(self, f: list[int]) -> tuple[int, bool]:
        """The same, of the coefficients of a polynomial that is not 0."""
        # Theorem: sign_onP, within_some (proofs/coq/Checker/PolynomialSign.v), of rational ends.
        rest, sign, at_end = f, 1, False
        if self.single:
            _, times = without_factor(f, self.low.f)
            if times:
                return 0, True
        else:
            rest, sign, at_end = self.without_ends(f)
        sign *= self.sign_throughout(rest)
        if sign == 0:
            text = f"the sign of {of_coefficients(rest)} was not found for {self.scope}"
            raise Stop(Answer("limit", text, rule=ONE_ANSWER, path=self.node.path))
        return sign, at_end

    def without_ends(self, f: list[int]) -> tuple[list[int], int, bool]:
        """The rest of f = low.f^k · high.f^l · rest, up to positive factors; the sign of the other
        factors inside the interval (0 if it is not found); and whether f vanishes at a closed end.
        """
        closed_low, closed_high = self.closed
        rest, k = without_factor(f, self.low.f)
        rest, l = without_factor(rest, self.high.f)
        sign = 1
        if k:
            sign *= self.sign_beside(self.low) ** k
        if l:
            sign *= self.sign_beside(self.high) ** l

        # Two ends of one polynomial: the first division has found all of its factors.
        at_high = l > 0 or (k > 0 and self.low.f == self.high.f)
        return rest, sign, (k > 0 and closed_low) or (at_high and closed_high)

    def sign_beside(self, end: End) -> int:
        """The sign inside the interval of an end's own polynomial, which vanishes at this end."""
        if len(end.f) == 2:  # q·x − p, q > 0
            return 1 if end is self.low else -1
        if self.low.f == self.high.f:
            return self.settled(end.f, self.low.hi, self.high.lo)
        if end is self.low:
            return self.settled(end.f, self.low.hi, self.high.hi)
        return self.settled(end.f, self.low.lo, self.high.lo)

    def sign_throughout(self, f: list[int]) -> int:
        """The sign of f between the ends, which are isolated further until it is found; or 0."""
        for _ in range(64):
            sign = self.settled(f, self.low.lo, self.high.hi)
            exact = self.low.lo == self.low.hi and self.high.lo == self.high.hi
            if sign or exact:
                return sign
            self.refine()
        return self.settled(f, self.low.lo, self.high.hi)

    def settled(self, f: list[int], a: Fraction, b: Fraction) -> int:
        """The sign of f on [a, b], 0 if it is not found. That it changes within the interval is an
        answer.
        """
        found = constant_sign(f, a, b)
        if found:
            return found
        low, high = self.low.hi, self.high.lo
        asked = low < high and value_sign(f, low) and value_sign(f, high)
        if asked and constant_sign(f, low, high) == 0:
            self.split(f"the sign of {of_coefficients(f)} is not the same for {self.scope}")
        return 0

    def split(self, text: str) -> None:
        """Two numbers of the interval give a comparison different answers."""
        raise Stop(Answer("rejected", text, rule=ONE_ANSWER, path=self.node.path))

    def vanishes(self, p: Polynomial) -> bool:
        return p.packed == 0 or (self.low is self.high and self.sign(p)[0] == 0)

    def same(self, difference: Polynomial) -> bool:
        """Whether two numbers are equal everywhere, rather than nowhere."""
        if self.vanishes(difference):
            return True
        _, at_end = self.sign(difference)
        if at_end:
            shown = show(str(difference))
            self.split(f"{shown} vanishes at an end, but not inside, of {self.scope}")
        return False

    def positive(self, p: Polynomial) -> bool:
        if p.packed == 0:
            return False
        sign, at_end = self.sign(p)
        if sign > 0 and at_end:
            shown = show(str(p))
            self.split(f"{shown} is positive inside, but vanishes at an end, of {self.scope}")
        return sign > 0

    def upwards(self, x: Any) -> bool:
        """The sign inside the interval; x may vanish at its ends."""
        if isinstance(x, int):
            return x > 0
        return x.packed != 0 and self.sign(x)[0] > 0

    def lowest(self, values: list[Any]) -> Any:
        """A number that is least on the whole interval: found at one point, then compared with all
        others.
        """
        if self.low is self.high:
            return min(values)
        low, high = self.low.hi, self.high.lo
        bits = longest(low.as_integer_ratio())
        charge(3 * quadratic(bits, longest(high.as_integer_ratio())))
        middle = (low + high) / 2

        def at_middle(p: Any) -> Fraction:
            f = p.coefficients() if isinstance(p, Polynomial) else [p]
            value, scale = horner(f, middle)
            return ratio(value * middle.denominator, scale)

        least = min(values, key=at_middle)
        # A comparison without one answer stops the check.
        if not all(least <= other for other in values):
            raise ValueError("the least number at one point is the least wherever there is one")
        return least

    def ranks(self) -> None:
        """What holds where a multiplier is positive need not hold at an end, nor a rank at all
        points.
        """
        text = "ranks (uniqueness) are not implemented for every number of an interval"
        raise Stop(Answer("limit", text))

    def special(self, p: Polynomial, prime: int) -> int:
        self.ranks()
        raise AssertionError


# ── Signs of polynomials with integer coefficients ──────────────────────────────────────────────
def of_coefficients(f: Sequence[int]) -> str:
    """A polynomial in a sentence."""
    return f"the polynomial with the coefficients {show(show(f))}"


def horner(f: Sequence[int], x: Fraction) -> tuple[int, int]:
    """f(p/q)·q^d and q^(d + 1), for x = p/q and d + 1 coefficients."""
    p, q = x.as_integer_ratio()
    value, scale = 0, 1
    bits, most = longest((p, q)), longest(f)
    charge(4 * len(f), len(f) * bits + most, products=3 * len(f) * (bits > 64))
    charge(len(f) * quadratic(len(f) * bits, most))
    for c in reversed(f):
        value = value * p + c * scale
        scale = scale * q
    return value, scale


def value_sign(f: Sequence[int], x: Fraction) -> int:
    """The sign of f(x)."""
    value, _ = horner(f, x)
    return (value > 0) - (value < 0)


def variations(f: Sequence[int], a: Fraction, b: Fraction) -> int:
    """Descartes' bound of the roots in (a, b), exact if 0 or 1: sign changes of (1+y)^d
    f((a+by)/(1+y)).
    """
    m = a.denominator * b.denominator
    start, step = int(a * m), int((b - a) * m)
    bits = m.bit_length()
    steps = len(f) ** 2
    charge(4 * steps, len(f) * bits + longest(f), products=2 * steps * (bits > 64))
    # p(y) = m^d f(a + (b − a)y), by Horner's rule.
    p, scale = [0], 1
    for c in reversed(f):
        p = [start * x + step * y for x, y in zip([*p, 0], [0, *p], strict=True)]
        p[0] += c * scale
        scale *= m
    # y^d p(1/y), then y + 1 for y.
    p = p[: len(f)][::-1]
    for k in range(len(p)):
        for i in reversed(range(k, len(p) - 1)):
            p[i] += p[i + 1]
    signs = [x > 0 for x in p if x]
    return sum(x != y for x, y in pairwise(signs))


def constant_sign(f: Sequence[int], a: Fraction, b: Fraction, depth: int = 40) -> int | None:
    """The sign of f on [a, b] if it has no zero there, 0 if it is seen to have one, and None if it
    may.
    """
    sign, other = value_sign(f, a), value_sign(f, b)
    if sign != other:
        return 0
    if sign == 0 or a == b or variations(f, a, b) == 0:
        return sign
    if not depth:
        return None
    # By halves: a zero in one of them is one; both must be seen to have none.
    middle = (a + b) / 2
    first = constant_sign(f, a, middle, depth - 1)
    if first == 0:
        return 0
    second = constant_sign(f, middle, b, depth - 1)
    if second == 0:
        return 0
    if first is None:
        return None
    return second


def without_factor(f: list[int], g: list[int]) -> tuple[list[int], int]:
    """The rest of f = g'^k · rest, where g' is g without its coefficients' common divisor and does
    not divide it, and k; a constant stays.
    """
    times = 0
    while len(f) > 1:
        quotient = divided(f, g)
        if quotient is None:
            break
        f = quotient
        times += 1
    return f, times


def divided(f: list[int], g: list[int]) -> list[int] | None:
    """f/g' for g' = g without its coefficients' common divisor, if g divides f: it is integral
    (Gauss).
    """
    bits, content = longest(g), gcd(*g)
    count = len(f) * len(g)
    charge(len(g) * (1 + bits**2 // 50_000))
    charge(4 * count, longest(f) + len(f) * bits, products=count * (bits > 64))
    rest = list(f)
    quotient = list[int]()
    while len(rest) >= len(g):
        c, remainder = divmod(rest[-1] * content, g[-1])
        if remainder:
            return None
        for i, x in enumerate(g, len(rest) - len(g)):
            rest[i] -= c * (x // content)
        quotient.append(c)
        rest.pop()
    if any(rest) or not quotient:
        return None
    return quotient[::-1]
