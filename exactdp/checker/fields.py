# SPDX-License-Identifier: MIT
"""Trusted: the numbers beyond ℚ (SPEC §2.1), and claims about pieces of an interval (SPEC §4.7).

e^(−rate·√q) is one number (Exponential; Exponentials for several q); a letter is every number of an
interval (Parameter, in intervals.py); several letters are every point of a region (Region, in
regions.py).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import Any

from exactdp.checker.arithmetic import longest, ratio
from exactdp.checker.claims import Claims
from exactdp.checker.intervals import Parameter
from exactdp.checker.kernel import decide
from exactdp.checker.limits import FIELD, WORK, charge, demand, keep, quadratic, require, show
from exactdp.checker.polynomials import Ball, Field, Polynomial, Symbolic
from exactdp.checker.reader import Node
from exactdp.checker.regions import Region
from exactdp.checker.rules import Case
from exactdp.checker.sparse import BASE, PLACE, SparsePolynomial, factors_at, within_places


class Exponential(Field):
    """x_i = e^(−rate·√q_i) for distinct squarefree q_i. They are algebraically independent
    (Lindemann–Weierstrass), so that a polynomial is zero only if all its coefficients are, and
    enclosures of rising precision find the sign of any other.
    """

    ordered = True

    def __init__(self, fields: dict[str, Node], name: str, doublings: int) -> None:
        self.rate = fields["rate"].rational()
        roots = fields["roots"].indices(10**6)
        demand(self.rate > 0, fields["rate"].path, "must be positive")
        charge(1500 * len(roots))
        square_free = all(q > 0 and all(q % d**2 for d in range(2, 1000)) for q in roots)
        rule = "positive integers without square factors"
        demand(roots != [] and square_free, fields["roots"].path, rule)
        names = [name if q == 1 else f"{name}{q}" for q in roots]
        super().__init__(names, roots, doublings)
        meanings = [f"{x} = {self.meaning(q)}" for x, q in zip(names, roots, strict=True)]
        self.scope = f"one instance, with {', '.join(meanings)}"
        self.precision = 256 + self.slot
        self.enclosed = dict[tuple[int, int], Ball]()

    def meaning(self, q: int) -> str:
        """The number x_i in a sentence."""
        charge(40 + longest(self.rate.as_integer_ratio()) // 60)
        if q == 1:
            return f"e^(-({show(self.rate)}))"
        return f"e^(-({show(self.rate)})*sqrt({q}))"

    def enclosure(self, i: int, precision: int) -> Ball:
        """2^precision·x_i, between two integers."""
        if (i, precision) not in self.enclosed:
            self.enclosed[i, precision] = self.exponential(self.rate, self.roots[i], precision)
        return self.enclosed[i, precision]

    def power_between(self, alpha: Any, square: Fraction) -> Ball | None:
        """2^precision·α^d, d² = square, between two integers, for a power α of the symbol of root
        1; or None. With α = e^(−rate·k) and d² = p/q, α^d = e^(−(rate·k/q)·√(p·q)).
        """
        k = self.exponent(alpha)
        if not k:
            return None
        p, q = square.as_integer_ratio()
        rate = ratio(self.rate.numerator * k, self.rate.denominator * q)
        return self.exponential(rate, p * q, self.precision)

    def exponential(self, rate: Fraction, q: int, precision: int) -> Ball:
        """2^precision·e^(−rate·√q), between two integers: e^(−y) for y < 2^(−gain), then squared so
        many times.
        """
        a, b = rate.as_integer_ratio()
        # Two roots and two divisions, and one of each for the halvings.
        long = max(a.bit_length(), b.bit_length(), q.bit_length())
        charge(8 * quadratic(long, long))
        gain = 7 + isqrt(precision)
        halvings = (a * (isqrt(q) + 1) // b + 1).bit_length() + gain
        bits = precision + halvings + 64
        charge(0, bits, products=8 + 2 * (bits // gain + halvings))
        # 2^bits·y, from below and from above.
        wide = a * a * q << 2 * (bits - halvings)  # (2^bits y b)²
        below, above = isqrt(wide) // b, (isqrt(wide) + 1) // b + 1

        # 1 − y + y²/2 − …: the terms fall, so that the first one left out bounds the rest.
        low = high = 0
        least = most = 1 << bits
        k = 0
        while most > 1:
            if k % 2 == 0:
                low, high = low + least, high + most
            else:
                low, high = low - most, high - least
            k += 1
            least = (least * below >> bits) // k
            most = -((-most * above >> bits) // k)
        low, high = low - 1, high + 1

        for _ in range(halvings):
            low, high = low * low >> bits, -(-high * high >> bits)
        return low >> bits - precision, -(-high >> bits - precision)

    def known(self, packed: int, size: int, degree: int) -> Polynomial:
        value = Polynomial(self, packed, size, degree)
        ball = packed << self.precision, packed << self.precision
        if degree:
            ball = self.ball(value.coefficients(), self.precision)
        return Polynomial(self, packed, size, degree, ball)

    def ball(self, coefficients: list[int], precision: int) -> Ball:
        """Horner's rule between integers, in the one symbol: 2^precision·value."""
        least, most = self.enclosure(0, precision)
        low = high = 0
        charge(2 * len(coefficients), precision, products=2 * len(coefficients))
        for coefficient in reversed(coefficients):
            # Times x_i, which is positive: a negative end is farthest from 0 at its largest.
            by_low = least if low >= 0 else most
            by_high = most if high >= 0 else least
            low = (low * by_low >> precision) + (coefficient << precision)
            high = -(-high * by_high >> precision) + (coefficient << precision)
        return low, high

    def enclosed_again(self, p: Any, precision: int) -> Ball:
        """2^precision times the value of a polynomial, between two integers."""
        return self.ball(p.coefficients(), precision)

    def vanishes(self, p: Any) -> bool:
        return bool(p.is_zero())

    def same(self, difference: Any) -> bool:
        return bool(difference.is_zero())

    def positive(self, p: Any) -> bool:
        assert p.ball
        # Polynomials that are not zero have a sign, which some precision shows.
        ball, precision = p.ball, self.precision
        while ball[0] <= 0 <= ball[1] and not p.is_zero():
            precision *= 2
            ball = self.enclosed_again(p, precision)
        return bool(ball[0] > 0 and not p.is_zero())

    def lowest(self, values: list[Any]) -> Any:
        return min(values)

    def upwards(self, x: Any) -> bool:
        return bool(x > 0)

    def ranks(self) -> None:
        """Ranks are those at one point, see `special`."""

    def special(self, p: Symbolic, prime: int) -> int:
        """The value at x_i = 3^(37 + i), modulo a prime."""
        found = p.found()
        bits = max((c.bit_length() for _, c in found), default=0)
        charge((25 + 10 * self.symbols) * len(found), bits)
        total = 0
        for e, c in found:
            exponent = sum((37 + i) * k for i, k in enumerate(self.exponents(e)))
            total += c * pow(3, exponent, prime)
        return total % prime


class Exponentials(Exponential):
    """The same for several symbols. Most products of their powers do not occur in a polynomial, so
    that it is held by its terms.
    """

    sparse = True

    def __init__(self, fields: dict[str, Node], name: str, doublings: int) -> None:
        self.powers = dict[tuple[int, int, int], Ball]()
        self.monomials = dict[tuple[int, int], Ball]()
        super().__init__(fields, name, doublings)

    def fit(self, size: int, degree: int) -> tuple[int, int]:
        return size, within_places(degree)

    def constant(self, c: int) -> SparsePolynomial:
        terms = {0: c}
        if not c:
            terms = {}
        return self.of_terms(terms, 0)

    def symbol(self, i: int, exponent: int) -> SparsePolynomial:
        return self.of_terms({exponent * BASE**i: 1}, within_places(exponent))

    def exponents(self, e: int) -> list[int]:
        found = [0] * self.symbols
        for i, k in factors_at(e):
            found[i] = k
        return found

    def power_of_first(self, p: Any) -> int:
        if len(p.terms) != 1:
            return 0
        [(place, c)] = p.terms.items()
        alone = bool(c == 1 and place < BASE)
        return int(place) * alone

    def gathered(self, parts: list[Any], i: int) -> dict[int, int]:
        terms = dict[int, int]()
        for k, part in enumerate(parts):
            inner = part
            if isinstance(part, int):
                inner = {0: part}
            charge(8 * len(inner))
            terms |= {e + k * BASE**i: c for e, c in inner.items() if c}
        return terms

    def of_terms(self, terms: dict[int, int], degree: int) -> SparsePolynomial:
        return SparsePolynomial(self, terms, degree, self.ball_of(terms, self.precision))

    def enclosed_again(self, p: Any, precision: int) -> Ball:
        return self.ball_of(p.terms, precision)

    def ball_of(self, terms: dict[int, int], precision: int) -> Ball:
        """2^precision·Σ c_e x^e between two integers, term by term."""
        charge(20 * len(terms), precision + longest(terms.values()), products=2 * len(terms))
        low = high = 0
        for e, c in terms.items():
            below, above = self.monomial_ball(e, precision)
            ends = c * below, c * above
            low, high = low + min(ends), high + max(ends)
        return low, high

    def monomial_ball(self, e: int, precision: int) -> Ball:
        """2^precision·(the monomial in a place), between two integers."""
        if (e, precision) not in self.monomials:
            below = above = 1 << precision
            for i, k in factors_at(e):
                least, most = self.power_ball(i, k, precision)
                charge(10, 2 * precision + PLACE * (i + 1), products=2)
                below, above = below * least >> precision, -(-above * most >> precision)
            keep(3, precision)
            self.monomials[e, precision] = below, above
        return self.monomials[e, precision]

    def power_ball(self, i: int, k: int, precision: int) -> Ball:
        """2^precision·x_i^k, between two integers."""
        if (i, k, precision) not in self.powers:
            low, high = self.enclosure(i, precision)
            if k > 1:
                half = self.power_ball(i, k // 2, precision)
                rest = self.power_ball(i, k - k // 2, precision)
                charge(8, 2 * precision, products=2)
                low = half[0] * rest[0] >> precision
                high = -(-half[1] * rest[1] >> precision)
            keep(1, 2 * precision)
            self.powers[i, k, precision] = low, high
        return self.powers[i, k, precision]


# ── Claims about pieces (SPEC §4.7) ─────────────────────────────────────────────────────────────
FIELDS = {
    "exponential": "rate roots",
    "parameter": "interval",
    "region": "letters positive nonnegative inside? at?",
}


def field_of(name: str, node: Node, doublings: int) -> Field:
    """The field that a definition describes."""
    kind, fields = node.variant("type", FIELDS)
    types = {"exponential": Exponential, "parameter": Parameter, "region": Region}
    if kind == "exponential" and len(fields["roots"].items()) > 1:
        return Exponentials(fields, name, doublings)
    return types[kind](fields, name, doublings)


def on_pieces(c: Case) -> str:
    """A claim for each piece of the parameter's interval; the pieces follow each other without a
    gap.
    """
    over = FIELD.get()
    demand(isinstance(over, Parameter), "$.definitions", "pieces need a parameter")
    pieces = c.claim["pieces"].items()
    demand(pieces != [], "$.claim.pieces", "there must be at least one")
    fields, sentences = list[Parameter](), list[str]()
    kept = WORK.get()[1]
    for node, witness in zip(pieces, c.witness["pieces"].items(len(pieces)), strict=True):
        # What one piece has read is not held while the next is checked.
        WORK.get()[1] = kept
        piece = node.fields("interval claim")
        field = Parameter(piece, over.names[0], (over.slot // 64).bit_length() - 1)
        FIELD.set(field)
        # A claim without a kind is malformed for `decide`.
        members = piece["claim"].fields()
        nested = "kind" in members and members["kind"].value == "on-pieces"
        demand(not nested, piece["claim"].path, "pieces have no pieces")
        case, sentence, _ = decide(piece["claim"], witness, c.definitions)
        sentences.append(f"For {field.scope}: {sentence}")
        c.known.update(case.known)
        fields.append(field)
        field.signs.clear()
    FIELD.set(over)
    cover(over, fields)
    return " ".join(sentences)


def cover(over: Parameter, fields: list[Parameter]) -> None:
    """The pieces follow each other, and cover the parameter's interval."""
    # Theorem: coveredP (proofs/coq/Checker/LettersCheck.v).
    stops = [(over.low, fields[0].low)]
    stops += [(a.high, b.low) for a, b in pairwise(fields)]
    stops.append((fields[-1].high, over.high))
    for k, (left, right) in enumerate(stops):
        path = f"$.claim.pieces[{min(k, len(fields) - 1)}].interval"
        rule = "the pieces follow each other and cover the parameter's interval"
        require(left.text == right.text, rule, path, str(left), str(right))
        # At the ends of the interval: whether they belong to it.
        before = fields[k - 1].closed[1] if k else not over.closed[0]
        after = fields[k].closed[0] if k < len(fields) else not over.closed[1]
        rule = "the end between two pieces belongs to one of them"
        require(before or after, rule, path, str(left), "neither")


CLAIMS: Claims = {"on-pieces": (on_pieces, "pieces", "pieces")}
