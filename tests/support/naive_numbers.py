# SPDX-License-Identifier: MIT
"""The numbers of SPEC.md §2.1 for the naive checker, by other means than the kernel's: fractions in lowest
terms of FLINT's polynomials; over an interval, the real roots of irreducible factors (SymPy) compared with
its ends; for exponentials, mpmath's intervals.
"""

from __future__ import annotations

import math
from contextvars import ContextVar
from fractions import Fraction
from functools import cache
from itertools import pairwise

from flint import Ordering, fmpz_mpoly_ctx
from mpmath import iv
from sympy import QQ, Poly, symbols

CURRENT = ContextVar("CURRENT", default=None)
X, Y = symbols("x y")


class No(Exception):
    """The certificate does not prove its claim."""


class Undecided(Exception):
    """This checker cannot say."""


def must(condition):
    if not condition:
        raise No


def current():
    """The field of the certificate, or None over ℚ."""
    return CURRENT.get()


# ── real algebraic numbers: (irreducible polynomial, which of its real roots), rationals as (q x − p, 0) ──


@cache
def isolated(coefficients, eps):
    """Isolating intervals of the real roots of an irreducible polynomial (highest coefficient first), in
    order.
    """
    if len(coefficients) == 2:
        root = Fraction(-coefficients[1], coefficients[0])
        return [(root, root)]
    found = Poly(coefficients, X, domain=QQ).intervals(eps=QQ(eps.numerator, eps.denominator))
    return [(Fraction(str(a)), Fraction(str(b))) for (a, b), _ in found]


@cache
def irreducible(coefficients):
    """The distinct irreducible factors, as integer coefficients from the highest one on, with their
    multiplicities.
    """
    if len(coefficients) < 2:
        return []
    return [(tuple(int(c) for c in f.all_coeffs()), k) for f, k in Poly(coefficients, X, domain="ZZ").factor_list()[1]]


@cache
def compare(one, two):
    """−1, 0 or 1."""
    if one == two:
        return 0
    for k in range(2, 2000, 10):
        (a, b), (c, d) = (isolated(f, Fraction(1, 2**k))[i] for f, i in (one, two))
        if b < c or (b == c and a < b):
            return -1
        if d < a or (d == a and c < d):
            return 1
    raise AssertionError("two different numbers are apart")


def end_of(data):
    """An end of an interval; `No` if the polynomial has no or several roots there."""
    if isinstance(data, str):
        x = Fraction(data)
        return (x.denominator, -x.numerator), 0
    f, (lo, hi) = [int(c) for c in data["poly"]], map(Fraction, data["in"])
    moved = Poly(sum(c * (lo + hi * Y) ** k * (1 + Y) ** (len(f) - 1 - k) for k, c in enumerate(f)), Y)
    signs = [c > 0 for c in moved.all_coeffs() if c]
    must(lo < hi and sum(a != b for a, b in pairwise(signs)) == 1)  # Descartes
    must(math.prod(Poly(f[::-1], X).eval(QQ(e.numerator, e.denominator)) for e in (lo, hi)) < 0)
    low, high = (((e.denominator, -e.numerator), 0) for e in (lo, hi))
    roots = [(g, i) for g, _ in irreducible(tuple(f[::-1])) for i in range(len(isolated(g, Fraction(1, 4))))]
    [root] = [r for r in roots if compare(low, r) < 0 < compare(high, r)]
    return root


class Interval:
    def __init__(self, data):
        keys = [key for key in ("above", "at_least", "below", "at_most", "at") if key in data]
        if "at" in data:
            self.ends, self.texts, self.closed = (end_of(data["at"]),) * 2, (data["at"],) * 2, (True, True)
            return
        low, high = keys
        self.texts, self.closed = (data[low], data[high]), (low == "at_least", high == "at_most")
        self.ends = end_of(data[low]), end_of(data[high])
        must(compare(*self.ends) < 0)
        for k in range(2, 2000):
            self.sample = isolated(self.ends[0][0], Fraction(1, 2**k))[self.ends[0][1]][1]
            if compare(self.ends[0], rational(self.sample)) < 0 and compare(rational(self.sample), self.ends[1]) < 0:
                break
            top = isolated(self.ends[1][0], Fraction(1, 2**k))[self.ends[1][1]][0]
            self.sample = (self.sample + top) / 2
            if compare(self.ends[0], rational(self.sample)) < 0 and compare(rational(self.sample), self.ends[1]) < 0:
                break

    @cache  # noqa: B019
    def signs(self, coefficients):
        """The set of signs that a polynomial has on the interval, with 2 added if it changes."""
        factors = irreducible(coefficients)
        if self.ends[0] == self.ends[1]:
            (g, i), s = self.ends[0], 0
            if any(f == g for f, _ in factors):
                return {0}
            for k in range(2, 2000, 10):
                lo, hi = isolated(g, Fraction(1, 2**k))[i]
                if all(compare(rational(lo), r) * compare(rational(hi), r) > 0 for r in roots_of(factors)):
                    s = value(coefficients, lo)
                    break
            return {(s > 0) - (s < 0)}
        inside = [r for r in roots_of(factors) if compare(self.ends[0], r) < 0 < compare(self.ends[1], r)]
        if inside:
            return {-1, 0, 1}
        s = value(coefficients, self.sample)
        at_end = any(r in roots_of(factors) for r, closed in zip(self.ends, self.closed, strict=True) if closed)
        return {(s > 0) - (s < 0)} | ({0} if at_end else set())


def rational(x):
    return (x.denominator, -x.numerator), 0


def roots_of(factors):
    return [(f, i) for f, _ in factors for i in range(len(isolated(f, Fraction(1, 4))))]


def value(coefficients, x):
    total = Fraction(0)
    for c in coefficients:
        total = total * x + c
    return total


# ── regions of several letters ──


class Region:
    """Facts, polynomials that are ≥ 0 on a region, some of them > 0; or one point of it.

    A sign is found by irreducible factors: P·F_1⋯F_k = c·S² for facts F shows that P has the sign of c
    wherever it is not zero, and that it is zero nowhere if each of its factors is one of a fact > 0.
    """

    def __init__(self, data, ring):
        self.ring, self.at = ring, data.get("at")
        self.facts = [(polynomial_in(ring, p), key == "positive") for key in ("positive", "nonnegative") for p in data[key]]
        self.point = [Fraction(x) for x in data["inside" if self.at is None else "at"]]
        for p, strict in self.facts:
            must(self.value(p) > 0 or (self.at is not None and not strict and self.value(p) == 0))

    def value(self, p):
        terms = p.to_dict().items()
        return sum((int(c) * math.prod(x ** int(k) for x, k in zip(self.point, powers, strict=True)) for powers, c in terms), Fraction(0))

    def learn(self, lemmas):
        for lemma in lemmas:
            goal, strict = polynomial_in(self.ring, lemma["polynomial"]), lemma["sign"] == "positive"
            steps = list(lemma["proof"])
            self.replay(goal, strict, steps, self.facts)
            must(not steps)
            self.facts.append((goal, strict))

    def replay(self, goal, strict, steps, facts):
        """The first of the steps, and, if it splits, the two parts behind it."""
        must(bool(steps))
        step = steps.pop(0)
        if isinstance(step, dict):
            cut = polynomial_in(self.ring, step["split"])
            self.replay(goal, strict, steps, [*facts, (cut, False)])
            self.replay(goal, strict, steps, [*facts, (-cut, False)])
            return
        common = math.lcm(*(Fraction(term["times"]).denominator for term in step))
        total, positive = self.ring.constant(0), False
        for term in step:
            c = Fraction(term["times"]) * common
            must(c > 0)
            product = self.ring.constant(int(c))
            for k, e in term["powers"]:
                product *= facts[k][0] ** e
            if "square" in term:
                product *= polynomial_in(self.ring, term["square"]) ** 2
            positive |= "square" not in term and all(facts[k][1] for k, _ in term["powers"])
            total += product
        must(total == goal * common and (positive or not strict))

    def signs(self, p):
        if self.at is not None:
            x = self.value(p)
            return {(x > 0) - (x < 0)}
        vectors = []  # each: a set of irreducible factors, and the sign of the product of c's that goes with it
        for fact, _ in self.facts:
            c, factors = fact.factor()
            vectors.append(({str(f) for f, k in factors if k % 2}, 1 if c > 0 else -1))
        c, factors = p.factor()
        odd, sign = {str(f) for f, k in factors if k % 2}, 1 if c > 0 else -1
        while vectors:
            row, other = vectors.pop()
            if row:
                pivot = min(row)
                vectors = [(v ^ row, s * other) if pivot in v else (v, s) for v, s in vectors]
                odd, sign = (odd ^ row, sign * other) if pivot in odd else (odd, sign)
        must(not odd)
        never = {str(f) for fact, strict in self.facts if strict for f, _ in fact.factor()[1]}
        return {sign} if {str(f) for f, _ in factors} <= never else {sign, 0}


def polynomial_in(ring, data, i=0):
    """A polynomial as the format writes it."""
    if isinstance(data, str):
        return ring.constant(int(data))
    return sum((polynomial_in(ring, c, i + 1) * ring.gens()[i] ** k for k, c in enumerate(data)), ring.constant(0))


# ── fields ──


class Field:
    """What the symbols of a certificate stand for; a context in which its numbers are read."""

    def __init__(self, name, data):
        self.name, self.data, self.interval, self.region, self.roots = name, data, None, None, [1]
        if data is None:
            return
        if data["type"] == "region":
            self.ring = fmpz_mpoly_ctx.get(data["letters"], Ordering.lex)
            self.region = Region(data, self.ring)
            return
        if data["type"] == "exponential":
            self.rate, self.roots = Fraction(data["rate"]), data["roots"]
        else:
            self.interval = Interval(data["interval"])
        self.ring = fmpz_mpoly_ctx.get([f"{name}{q}" for q in self.roots], Ordering.lex)

    def __enter__(self):
        self.token = CURRENT.set(self if self.data else None)
        return self.ring.gens() if self.data else ()

    def __exit__(self, *_):
        CURRENT.reset(self.token)

    def signs(self, p):
        """The set of signs of a polynomial."""
        terms = p.to_dict()
        if not terms:
            return {0}
        if self.region is not None:
            return self.region.signs(p)
        if self.interval is not None:
            top = max(e for (e,) in terms)
            return self.interval.signs(tuple(int(terms.get((e,), 0)) for e in range(top, -1, -1)))
        precision = 200
        while True:
            iv.prec = precision
            x = [iv.exp(-iv.mpf(self.rate.numerator) * iv.sqrt(q) / self.rate.denominator) for q in self.roots]
            products = (math.prod((b ** int(e) for b, e in zip(x, powers, strict=True)), start=iv.mpf(1)) for powers in terms)
            s = sum((int(c) * m for c, m in zip(terms.values(), products, strict=True)), iv.mpf(0))
            if not s.a <= 0 <= s.b:
                return {1 if s.a > 0 else -1}
            precision *= 2

    def power(self, alpha, square):
        """α^√square if α is a power of one symbol > 0 and so is α^√square; None if this is not known."""
        terms = alpha.num.to_dict() if alpha.den == 1 and self.region is None else {}
        used = [(int(e), q) for powers in terms for e, q in zip(powers, self.roots, strict=True) if e]
        if list(terms.values()) != [1] or len(used) != 1 or (self.interval is not None and not Number(self.ring.gens()[0]) > 0):
            return None
        (e, q), result = used[0], None
        for x, target in zip(self.ring.gens(), self.roots, strict=True):
            wanted = e * e * Fraction(q, target) * square  # e·√q·√square = c·√target
            c = math.isqrt(wanted.numerator)
            if wanted.denominator == 1 and c * c == wanted:
                result = Number(x**c)
        return result


class Number:
    """num/den in lowest terms; a comparison must have one answer."""

    def __init__(self, num, den=None):
        self.num, self.den = num, den if den is not None else num.context().constant(1)

    @staticmethod
    def of(x):
        if isinstance(x, Number):
            return x
        x, ring = Fraction(x), current().ring
        return Number(ring.constant(x.numerator), ring.constant(x.denominator))

    @staticmethod
    def reduced(num, den):
        g = num.gcd(den)
        if den.leading_coefficient() < 0:
            g = -g
        return Number(num / g, den / g) if g != 1 else Number(num, den)

    def __add__(self, other):
        y = Number.of(other)
        return Number.reduced(self.num * y.den + y.num * self.den, self.den * y.den)

    def __neg__(self):
        return Number(-self.num, self.den)

    def __sub__(self, other):
        return self + -Number.of(other)

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        y = Number.of(other)
        return Number.reduced(self.num * y.num, self.den * y.den)

    def __truediv__(self, other):
        y = Number.of(other)
        must(y != 0)
        return Number.reduced(self.num * y.den, self.den * y.num)

    def __rtruediv__(self, other):
        return Number.of(other) / self

    def __pow__(self, k):
        return Number(self.num**k, self.den**k)

    __radd__, __rmul__ = __add__, __mul__

    def signs(self):
        one, two = current().signs(self.num), current().signs(self.den)
        return {a * b for a in one for b in two}

    def __gt__(self, other):
        signs = (self - other).signs()
        must(signs == {1} or 1 not in signs)
        return signs == {1}

    def __lt__(self, other):
        return -self > -Number.of(other)

    def __le__(self, other):
        return not self > other

    def __ge__(self, other):
        return not self < other

    def __eq__(self, other):
        signs = (self - other).signs()
        must(signs == {0} or 0 not in signs)
        return signs == {0}

    __hash__ = None


def number(data):
    """A numerator or denominator: an integer or a polynomial."""
    if isinstance(data, str):
        return Fraction(int(data))

    return Number(polynomial_in(current().ring, data))


def scalar(data):
    if isinstance(data, str):
        return Fraction(data)
    den = number(data["den"])
    must(den > 0)
    return number(data["num"]) / den


def greatest(values):
    """One of them that is nowhere less than another."""
    for x in values:
        if all(everywhere(x, y) for y in values):
            return x
    raise No


def least(values):
    return -greatest([-x for x in values])


def everywhere(x, y):
    """Whether x ≥ y everywhere."""
    difference = x - y
    return -1 not in difference.signs() if isinstance(difference, Number) else difference >= 0


def to_json(x):
    """A number as the format writes it: (numerator, denominator)."""
    if not isinstance(x, Number):
        return str(Fraction(x).numerator), str(Fraction(x).denominator)
    positive = Number(x.den) > 0
    return tuple(polynomial(p if positive else -p) for p in (x.num, x.den))


def polynomial(p):
    def nested(terms):
        if all(not any(powers) for powers in terms):
            return str(sum(int(c) for c in terms.values()))
        top = max(powers[0] for powers in terms)
        return [nested({powers[1:]: c for powers, c in terms.items() if powers[0] == k}) for k in range(top + 1)]

    return nested(p.to_dict())
