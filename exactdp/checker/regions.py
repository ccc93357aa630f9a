# SPDX-License-Identifier: MIT
"""Trusted: claims for every point of a region of several letters, or for one (SPEC §2.2).

A region is where some polynomials in the letters, its *constraints*, are positive or non-negative.
A comparison is answered only if its answer is the same at all points. That is shown by *facts*:
polynomials that are positive, or non-negative, on the region. The constraints are facts. A lemma of
the witness becomes one when its proof is replayed:

* a sum of terms c·s²·f_1^e_1·f_2^e_2·…, with c > 0 and facts f_k, is ≥ 0; it is > 0 where one of
  its terms has no square and only facts that are > 0;
* what holds where H ≥ 0 and where −H ≥ 0 holds everywhere.

The sign of a polynomial is known when division by facts leaves a number. Theorems stand in
proofs/coq.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm, prod
from operator import add, sub
from typing import Any

from exactdp.checker.arithmetic import longest, ratio
from exactdp.checker.limits import (
    ONE_ANSWER,
    WORK,
    Answer,
    Stop,
    charge,
    demand,
    keep,
    quadratic,
    require,
    show,
)
from exactdp.checker.polynomials import Field, Polynomial, Quotient
from exactdp.checker.powers import root
from exactdp.checker.reader import NAME, Node

LETTERS = 6
"""At most; each is one more dimension of the slots that a polynomial fills."""

Fact = tuple[Polynomial, bool]
"""A polynomial that is ≥ 0 on the region, and whether it is > 0 there."""

Terms = dict[tuple[int, ...], int]
"""The exponents of the letters, and the coefficient, which is not 0."""


class Region(Field):
    """The letters are the coordinates of every point of a region, or of one point `at`."""

    def __init__(self, fields: dict[str, Node], _: str, doublings: int) -> None:
        letters = fields["letters"].labels()
        path = fields["letters"].path
        named = len(letters) <= LETTERS and all(map(NAME.fullmatch, letters))
        demand(named, path, f"one to {LETTERS} names")
        super().__init__(letters, [1] * len(letters), doublings)
        self.single = "at" in fields
        demand(self.single != ("inside" in fields), path, "inside, or at for one point")

        # The constraints are the first facts; divisors are the facts with which signs are found.
        nodes = [(node, True) for node in fields["positive"].items()]
        nodes += [(node, False) for node in fields["nonnegative"].items()]
        self.facts = list[Fact]()
        self.divisors = list[tuple[Terms, bool]]()
        self.signs = dict[bytes, tuple[int, bool]]()
        for node, strict in nodes:
            self.know(self.polynomial(node), strict)

        # They hold at the point; inside: strictly, so on an open set of points about it.
        where = fields["at"] if "at" in fields else fields["inside"]
        self.path = where.path
        self.point = tuple(node.rational() for node in where.items(len(letters)))
        for (fact, strict), (node, _strict) in zip(self.facts, nodes, strict=True):
            value = self.value(fact)
            holds = value > 0 or (self.single and not strict and value == 0)
            require(holds, f"the constraint holds at {self.place()}", node.path, value, 0)
        self.scope = self.described(letters)

    def described(self, letters: Sequence[str]) -> str:
        """The points, in a sentence."""
        texts = list[str]()
        for fact, strict in self.facts[:24]:
            sign = ">" if strict else "≥"
            texts.append(f"{show(str(fact))} {sign} 0")
        if len(self.facts) > 24:
            texts.append(f"… {len(self.facts) - 24} more …")
        every = f"every {', '.join(letters)}"
        if texts:
            every += f" with {', '.join(texts)}"
        if self.single:
            return f"one point, {self.place()}, of {every}"
        return every

    def know(self, p: Polynomial, strict: bool) -> None:
        """From here on, p is ≥ 0 on the region; or > 0."""
        terms = self.terms(p)
        charge(len(terms) * quadratic(p.size, p.size))
        # Without its content it divides a polynomial with integers an integral number of times
        # (Gauss).
        content = gcd(*(c for _, c in terms))
        keep(1, p.packed.bit_length())
        keep((2 + self.symbols) * len(terms), p.size)
        self.facts.append((p, strict))
        self.divisors.append(({powers: c // content for powers, c in terms}, strict))

    def place(self) -> str:
        """The point, in a sentence."""
        each = zip(self.names, self.point, strict=True)
        return ", ".join(f"{name} = {show(x)}" for name, x in each)

    def known(self, packed: int, size: int, degree: int) -> Polynomial:
        return Polynomial(self, packed, size, degree)

    def powers(self, e: int) -> list[int]:
        """The exponents of the letters in a slot."""
        last = self.symbols - 1
        first = [e // self.stride**i % self.stride for i in range(last)]
        return [*first, e // self.stride**last]

    def value(self, p: Polynomial) -> Fraction:
        """The value at the point."""
        terms = self.terms(p)
        factors = list[dict[int, int]]()
        scale = 1
        size = p.size
        for i, x in enumerate(self.point):
            a, b = x.as_integer_ratio()
            used = {powers[i] for powers, _ in terms}
            top = max(used, default=0)
            size += top * max(a.bit_length(), b.bit_length())
            charge(10 * len(terms), size, products=4 * len(used), held=len(used))
            factors.append({k: a**k * b ** (top - k) for k in used})
            scale *= b**top
        charge((20 + 4 * self.symbols) * len(terms), size, products=self.symbols * len(terms))
        total = 0
        for powers, c in terms:
            total += c * prod(of[k] for of, k in zip(factors, powers, strict=True))
        return ratio(total, scale)

    # ── The lemmas of the witness ──
    def learn(self, node: Node) -> None:
        """Replay the proofs of the lemmas, in order; each may use those before it."""
        demand(not self.single, node.path, "at one point every sign is that of a number")
        # Theorem: proves_sound, lemmas_sound (Positivity.v).
        options = {"positive": "polynomial proof", "nonnegative": "polynomial proof"}
        for item in node.items():
            sign, f = item.variant("sign", options)
            goal = self.polynomial(f["polynomial"])
            steps = f["proof"].items()
            strict = self.replayed(goal, steps, sign == "positive", f["proof"].path)
            self.know(goal, strict)

    def replayed(self, goal: Polynomial, steps: list[Node], strict: bool, path: str) -> bool:
        """Whether a proof is one, as strict as asked: its steps in preorder, a split before its
        two parts.
        """
        # The facts of each part that is still to come; the last part is next.
        waiting = [self.facts]
        kept = WORK.get()[1]
        for step in steps:
            demand(waiting != [], step.path, "the proof is complete before this step")
            facts = waiting.pop()
            if isinstance(step.value, dict):
                cut = self.polynomial(step.fields("split")["split"])
                keep(2, cut.packed.bit_length())
                # A place in a list takes 64 bits.
                charge(8 * len(facts), held=(len(waiting) + 2) * (len(facts) + 1) // 16)
                waiting += [[*facts, (-cut, False)], [*facts, (cut, False)]]
                continue
            total, scale, found = self.summed(step, facts)
            right = goal * scale
            if total.packed != right.packed:
                require(False, "the terms add up to the polynomial", step.path, total, right)
            rule, asked = "some term is positive on the region", found or not strict
            require(asked, rule, step.path, "none", "one without a square, of strict facts")
        rule = "a proof ends when every split has both of its parts, not before"
        demand(waiting == [], path, rule)
        # Splits are not held while the next proof is replayed.
        WORK.get()[1] = kept
        return strict

    def summed(self, step: Node, facts: list[Fact]) -> tuple[Polynomial, int, bool]:
        """The sum of the terms times the least positive integer that clears their numbers, that
        integer, and whether some term is positive.
        """
        terms = [(node.fields("times powers square?"), node) for node in step.items()]
        numbers = [f["times"].rational() for f, _ in terms]
        bits = sum(c.denominator.bit_length() for c in numbers)
        # The multiple, and its quotients.
        charge(bits**2 // 10_000)
        charge(40 * len(terms), bits, products=2 * len(terms))
        scale = lcm(*(c.denominator for c in numbers))

        total = self.constant(0)
        some_positive = False
        for (f, node), c in zip(terms, numbers, strict=True):
            demand(c > 0, node.path, "times must be positive")
            coefficient = c.numerator * (scale // c.denominator)
            term, positive = self.term(f, coefficient, facts, node.path)
            total = total + term
            some_positive = some_positive or positive
        return total, scale, some_positive

    def term(
        self, f: dict[str, Node], coefficient: int, facts: list[Fact], path: str
    ) -> tuple[Polynomial, bool]:
        """coefficient·s²·Π_k f_k^e_k, which is ≥ 0, and whether it is > 0: without a square, of
        strict facts only.
        """
        # The facts with their exponents, each fact once.
        pairs = [[x.index() for x in pair.items(2)] for pair in f["powers"].items()]
        known = all(k < len(facts) and 0 < e < 2**16 for k, e in pairs)
        demand(known, path, f"powers [k, e] with k < {len(facts)}, e ≥ 1")
        in_order = all(x[0] < y[0] for x, y in pairwise(pairs))
        demand(in_order, path, "the facts must increase strictly")

        product = self.constant(coefficient)
        positive = "square" not in f
        for k, exponent in pairs:
            fact, strict = facts[k]
            product = product * fact**exponent
            positive = positive and strict
        if "square" in f:
            product = product * self.polynomial(f["square"]) ** 2
        return product, positive

    # ── Signs ──
    def sign(self, p: Polynomial) -> tuple[int, bool]:
        """The sign of p where it is not zero, and whether it may be zero somewhere."""
        if (key := p.key()) not in self.signs:
            keep(1, p.packed.bit_length())
            self.signs[key] = self.signed(p)
        return self.signs[key]

    def signed(self, p: Polynomial) -> tuple[int, bool]:
        """The same, found: by the value at the one point, or by division by facts."""
        # Theorem: product_sign (Positivity.v), sign_byP (Checker/RegionsCheck.v).
        if self.single or not p.packed:
            value = self.value(p)
            return (value > 0) - (value < 0), value == 0
        rest = dict(self.terms(p))
        zero = False
        for fact, strict in reversed(self.divisors):
            while (quotient := divided(rest, fact)) is not None:
                rest = quotient
                zero = zero or not strict
        if any(map(any, rest)):
            left = self.polynomial_of(rest)
            text = f"the witness does not show the sign of {show(str(left))} for {self.scope}"
            # A writer may want to know what is left.
            raise Stop(Answer("rejected", text, rule=ONE_ANSWER, path="$.witness.signs"), left)
        [c] = rest.values()
        return (c > 0) - (c < 0), zero

    def terms(self, p: Polynomial) -> list[tuple[tuple[int, ...], int]]:
        """The exponents of the letters and the coefficient, for every term."""
        found = [(e, c) for e, c in enumerate(p.coefficients()) if c]
        charge((20 + 6 * self.symbols) * len(found), held=2 * len(found))
        return [(tuple(self.powers(e)), c) for e, c in found]

    def polynomial_of(self, terms: Terms) -> Polynomial:
        """The polynomial with these terms."""
        size, degree = self.fit(longest(terms.values()) + 1, max(map(max, terms)))
        charge(8 * len(terms), self.slot * (degree + 1) * self.stride ** (self.symbols - 1))
        packed = 0
        for powers, c in terms.items():
            slots = sum(k * self.stride**i for i, k in enumerate(powers))
            packed += c << self.slot * slots
        return self.known(packed, size, degree)

    def vanishes(self, p: Polynomial) -> bool:
        return p.packed == 0 or (self.single and self.sign(p)[0] == 0)

    def same(self, difference: Polynomial) -> bool:
        """Whether two numbers are equal everywhere, rather than nowhere."""
        if self.vanishes(difference):
            return True
        self.unsettled(difference, self.sign(difference)[1])
        return False

    def positive(self, p: Polynomial) -> bool:
        sign, zero = self.sign(p)
        self.unsettled(p, zero and sign > 0)
        return sign > 0

    def unsettled(self, p: Polynomial, zero: bool) -> None:
        """A comparison has no one answer if p may be zero at some points only."""
        if zero:
            text = f"it is not shown that {show(str(p))} is never zero for {self.scope}"
            raise Stop(Answer("rejected", text, rule=ONE_ANSWER, path="$.witness.signs"), p)

    def upwards(self, x: Any) -> bool:
        """Whether x ≥ 0 rather than x ≤ 0; x may vanish somewhere."""
        if isinstance(x, int):
            return x > 0
        return self.sign(x)[0] > 0

    def lowest(self, values: list[Any]) -> Any:
        """A number that is least everywhere: found at one point, then compared with all others."""

        def at_point(x: Any) -> Fraction:
            return self.value(x) if isinstance(x, Polynomial) else Fraction(x)

        least = min(values, key=at_point)
        # A comparison without one answer stops the check.
        if not all(least <= other for other in values):
            raise ValueError("the least number at one point is the least wherever there is one")
        return least

    def power(self, alpha: Any, square: Fraction) -> Quotient | None:
        """α^d, d² = square, if d is an integer."""
        d = root(square, 2)
        if d.denominator > 1 or not d:
            return None
        above, below = (
            x if isinstance(x, Polynomial) else self.constant(x) for x in alpha.as_integer_ratio()
        )
        return self.ratio(above**d.numerator, below**d.numerator)

    @property
    def low(self) -> Any:
        """The ends of an interval, which a rule asks for that encloses numbers (SPEC §4.8)."""
        raise Stop(Answer("limit", "a witness that is approximate is not implemented for a region"))

    def ranks(self) -> None:
        """What holds where a multiplier is positive need not hold where it vanishes; nor a rank."""
        text = "ranks (uniqueness) are not implemented for every point of a region"
        raise Stop(Answer("limit", text))

    def special(self, p: Polynomial, prime: int) -> int:
        self.ranks()
        raise AssertionError


def divided(f: Terms, g: Terms) -> Terms | None:
    """f/g, if it is a polynomial with integers: each leading term of what is left is one of f/g
    times that of g, in the lexicographic order.
    """
    rest = dict(f)
    quotient = Terms()
    first = max(g)
    bits = longest(g.values())
    while rest:
        top = max(rest)
        size = bits + rest[top].bit_length()
        steps = len(rest) + 20 + (10 + 3 * len(first)) * len(g)
        held = len(rest) + len(quotient)
        charge(steps, size, products=len(g) * (size > 64), held=held)
        charge(quadratic(size, bits))
        powers = tuple(map(sub, top, first))
        c, remainder = divmod(rest[top], g[first])
        if remainder or min(powers) < 0:
            return None
        quotient[powers] = c
        for at, x in g.items():
            place = tuple(map(add, at, powers))
            y = rest.pop(place, 0) - c * x
            if y:
                rest[place] = y
    return quotient
