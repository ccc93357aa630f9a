# SPDX-License-Identifier: MIT
"""Trusted: polynomials in several symbols that are numbers, held by their terms (SPEC §2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from exactdp.checker.limits import Answer, Stop, charge, keep, quadratic
from exactdp.checker.polynomials import OVERHEAD, Ball, Symbolic

PLACES = 2**30
"""Exponents are below this."""

BASE = PLACES + 2 * (hash(b"the places of terms") % PLACES) + 1
"""The place of Π x_i^k_i is Σ k_i·BASE^i. No file can choose many places of one hash, which is
Σ k_i·BASE^i modulo 2^61 − 1: Python draws the hash of bytes anew for each process. No answer and
no figure depends on the base; the order of places is that of the exponents for every base.
"""

PLACE = 32
"""No fewer bits than a place has, for each symbol, whatever the base is."""


@dataclass(frozen=True, eq=False)
class SparsePolynomial(Symbolic):
    """Σ c_e x^e by its terms that are not 0: {place: c_e}. Exponents are ≤ degree < PLACES. `ball`
    encloses its value.
    """

    field: Any
    terms: dict[int, int]
    degree: int
    ball: Ball

    @property
    def size(self) -> int:
        """The bits of the longest coefficient."""
        return max((c.bit_length() for c in self.terms.values()), default=0)

    def __add__(self, other: object) -> Any:
        y = self.lift(other)
        if y is NotImplemented:
            return NotImplemented
        few, many = sorted((self.terms, y.terms), key=len)
        charge(OVERHEAD)
        bits = self.size + y.size + self.wide() + y.wide() + self.bits_of_place()
        charge(2 * len(many) + 8 * len(few), bits)
        terms = dict(many)
        for e, c in few.items():
            total = terms.get(e, 0) + c
            if total:
                terms[e] = total
            else:
                del terms[e]
        ball = self.ball[0] + y.ball[0], self.ball[1] + y.ball[1]
        return SparsePolynomial(self.field, terms, max(self.degree, y.degree), ball)

    def __neg__(self) -> Any:
        charge(OVERHEAD)
        charge(2 * len(self.terms), self.size + self.wide())
        terms = {e: -c for e, c in self.terms.items()}
        ball = -self.ball[1], -self.ball[0]
        return SparsePolynomial(self.field, terms, self.degree, ball)

    def __mul__(self, other: object) -> Any:
        y = self.lift(other)
        if y is NotImplemented:
            return NotImplemented
        few, many = sorted((self.terms, y.terms), key=len)
        degree = within_places(self.degree + y.degree)
        small, large = sorted((self.size, y.size))
        bits = small + large + self.bits_of_place()
        terms = dict[int, int]()
        for e, c in few.items():
            charge(OVERHEAD + 10 * len(many), bits, held=len(terms) + len(many))
            charge(0, 2 * small, products=len(many) * (1 + large // (small + 30)) * (small > 60))
            for f, d in many.items():
                terms[e + f] = terms.get(e + f, 0) + c * d
        terms = {e: c for e, c in terms.items() if c}
        # Rules hold many products. The file does not bound what they have beyond their factors.
        beyond = max(0, len(terms) - len(many))
        keep(1, 1000 * beyond)
        ball = self.product_of_balls(self.ball, y.ball, max(self.wide(), y.wide()))
        return SparsePolynomial(self.field, terms, degree, ball)

    def __floordiv__(self, other: object) -> Any:
        """Exact division by an integer: the rules need no others."""
        y = self.lift(other)
        divisor = y.terms.get(0, 0)
        charge(OVERHEAD + len(self.terms) * quadratic(self.size, divisor.bit_length()))
        exact = {*y.terms} == {0} and not any(c % divisor for c in self.terms.values())
        if not exact:
            text = "only divisions by integers and by powers of the level's symbol are implemented"
            raise Stop(Answer("limit", text))
        terms = {e: c // divisor for e, c in self.terms.items()}
        return self.field.of_terms(terms, self.degree)

    def bits_of_place(self) -> int:
        """The bits of the longest place that the field has."""
        return cast(int, PLACE * self.field.symbols)

    def key(self) -> bytes:
        charge(4 * len(self.terms), self.size + self.bits_of_place(), held=4 * len(self.terms))
        return b",".join(b"%x:%x" % term for term in sorted(self.terms.items()))

    def bit_length(self) -> int:
        """With its enclosure, and what its terms take."""
        bits = sum(c.bit_length() for c in self.terms.values())
        return bits + (1000 + self.bits_of_place()) * len(self.terms) + 2000

    def bits_of_power(self, exponent: int) -> int:
        """No fewer bits than a power has, whose terms have exponents ≤ degree·exponent of the
        symbols that occur.
        """
        charge(10 * len(self.terms), self.bits_of_place())
        occurring = {i for e in self.terms for i, _ in factors_at(e)}
        count = 1
        if len(self.terms) > 1:
            count = (self.degree * exponent + 1) ** len(occurring)
        of_one = 1 + exponent * (self.size + len(self.terms).bit_length())
        of_one += 1000 + self.bits_of_place()
        return count * of_one + 2000 + 2 * exponent * self.wide()

    def found(self) -> list[tuple[int, int]]:
        charge(4 * len(self.terms), held=2 * len(self.terms))
        return sorted(self.terms.items())

    def is_zero(self) -> bool:
        """Whether it has no terms."""
        return not self.terms

    def is_one(self) -> bool:
        """Whether it is the constant 1."""
        return self.terms == {0: 1}


def factors_at(e: int) -> Iterator[tuple[int, int]]:
    """The symbols i of which the monomial in a place is a product, and their exponents k > 0."""
    i = 0
    while e:
        charge(4, PLACE * (i + 1))
        e, k = divmod(e, BASE)
        if k:
            yield i, k
        i += 1


def within_places(degree: int) -> int:
    """A degree for which there are places."""
    if degree >= PLACES:
        raise Stop(Answer("limit", "exponents of polynomials are too large"))
    return degree
