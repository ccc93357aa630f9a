# SPDX-License-Identifier: MIT
"""Trusted: the numbers beyond ℚ (SPEC §2.1), for claims about e^(−ε) or about every level in an interval.

A numerator is a polynomial in one or more symbols. It adds, multiplies and compares as an int does, so that
the rules of the checker hold for it as they stand. What a symbol stands for is the field's business:
e^(−rate·√q), one number (Exponential); or every number of an interval (Parameter), where a comparison is
answered only if its answer is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd, isqrt
from typing import Any, cast

from exactdp.checker.kernel import beside, decide
from exactdp.checker.limits import (
    FIELD,
    ONE_ANSWER,
    WORK,
    Answer,
    Larger,
    Stop,
    charge,
    demand,
    keep,
    quadratic,
    require,
    show,
)
from exactdp.checker.matrices import ratio, whole
from exactdp.checker.powers import root
from exactdp.checker.reader import Node
from exactdp.checker.rules import Case

OVERHEAD = 40  # steps of the interpreter in one operation on polynomials


# ── Polynomials: the value at x_i = 2^(slot · stride^i), one big integer, which the processor adds fast ──
@dataclass(frozen=True)
class Polynomial:
    """Σ c_e x^e, |c_e| < 2^size, exponents ≤ degree. `ball` encloses its value, if x is a number."""

    field: Any
    packed: int
    size: int
    degree: int
    ball: tuple[int, int] | None = None

    def lift(self, other: object) -> Polynomial:
        if isinstance(other, Polynomial):
            return other
        if isinstance(other, int):
            return cast(Polynomial, self.field.constant(other))
        return cast(Polynomial, NotImplemented)

    def __add__(self, other: object) -> Polynomial:
        y = self.lift(other)
        if y is NotImplemented:
            return NotImplemented
        size, degree = self.field.fit(max(self.size, y.size) + 1, max(self.degree, y.degree))
        charge(OVERHEAD)
        charge(2, self.packed.bit_length() + y.packed.bit_length() + self.wide() + y.wide())
        if self.ball and y.ball:
            ball = (self.ball[0] + y.ball[0], self.ball[1] + y.ball[1])
        else:
            ball = None
        return Polynomial(self.field, self.packed + y.packed, size, degree, ball)

    def __neg__(self) -> Polynomial:
        charge(OVERHEAD)
        charge(1, self.packed.bit_length() + self.wide())
        return Polynomial(
            self.field,
            -self.packed,
            self.size,
            self.degree,
            self.ball and (-self.ball[1], -self.ball[0]),
        )

    def __mul__(self, other: object) -> Polynomial:
        y = self.lift(other)
        if y is NotImplemented:
            return NotImplemented
        ball = None
        (a, b) = sorted((self.degree, y.degree))
        size, degree = self.field.fit(
            self.size + y.size + (a + 1).bit_length() * self.field.symbols, a + b
        )
        small, large = sorted((self.packed.bit_length(), y.packed.bit_length()))
        charge(OVERHEAD)
        charge(2, large)
        # the long number is cut into pieces as long
        charge(0, 2 * small, products=(1 + large // (small + 30)) * (small > 60))
        if self.ball and y.ball:
            (s, t) = self.ball
            (u, v) = y.ball
            if wide := max(self.wide(), y.wide()):  # cut into pieces, too
                short = min(max(map(int.bit_length, of)) for of in (self.ball, y.ball))
                if s >= 0 and u >= 0:
                    count = 2
                else:
                    count = 4
                charge(4, wide)
                charge(0, short, products=count * max(1, wide // (short + 30)) * (short > 60))
            if s >= 0 and u >= 0:
                ends = (s * u, t * v)
            else:
                ends = (s * u, s * v, t * u, t * v)
            ball = min(ends) >> self.field.precision, -(-max(ends) >> self.field.precision)
        return Polynomial(self.field, self.packed * y.packed, size, degree, ball)

    def __pow__(self, exponent: int) -> Polynomial:
        result = self.lift(1)
        base = self
        while exponent:
            if exponent % 2:
                result = result * base
            else:
                result = result
            exponent = exponent // 2
            if exponent:
                base = base * base
            else:
                base = base
        return result

    def __floordiv__(self, other: object) -> Polynomial:
        """Exact division by an integer, or by a power of the first symbol: the rules need no
        others.
        """
        # of both divisions
        charge(
            2 * quadratic(self.packed.bit_length(), other.bit_length())
            if isinstance(other, int)
            else 0
        )
        if isinstance(other, int) and not any(c % other for c in self.coefficients()):
            return cast(Polynomial, self.field.known(self.packed // other, self.size, self.degree))
        y = self.lift(other)
        charge(OVERHEAD)
        charge(2, self.packed.bit_length() + y.packed.bit_length())
        shift = y.packed.bit_length() - 1
        if (
            y.packed != 1 << shift
            or shift % self.field.slot
            or self.packed % y.packed
            or (shift and self.field.symbols > 1)
        ):
            raise Stop(
                Answer(
                    "limit",
                    "only divisions by integers and by powers of the level's symbol are implemented",
                )
            )
        if shift:
            return cast(Polynomial, self.field.known(self.packed >> shift, self.size, self.degree))
        return self

    def __rfloordiv__(self, other: int) -> Polynomial:
        return self.lift(other) // self

    def __mod__(self, prime: int) -> int:
        """The value at a special point modulo a prime: if it is not 0, neither is the polynomial."""
        return cast(int, self.field.special(self, prime))

    def __radd__(self, other: object) -> Polynomial:
        return self + other

    def __sub__(self, other: object) -> Polynomial:
        return self + (-self.lift(other))

    def __rsub__(self, other: object) -> Polynomial:
        return -self + other

    def __rmul__(self, other: object) -> Polynomial:
        return self * other

    def __abs__(self) -> Polynomial:
        if self < 0:
            return -self
        return self

    def __bool__(self) -> bool:
        return not self.field.vanishes(self)

    def __eq__(self, other: object) -> bool:
        y = self.lift(other)
        if y is NotImplemented:
            return NotImplemented
        return cast(bool, self.field.same(self - y))

    def __hash__(self) -> int:
        # of bytes: integers that are the same modulo 2^61 - 1, as those of x and 8 are, have one hash, and
        # whether x is 8 may have no answer
        return hash(self.key())

    def key(self) -> bytes:
        """For a dictionary of signs: a file can choose many polynomials whose integers have one
        hash.
        """
        charge(1, self.packed.bit_length(), held=4)  # what its coefficients will take is far more
        return self.packed.to_bytes(self.packed.bit_length() // 8 + 1, "little", signed=True)

    def __lt__(self, other: object) -> bool:
        return bool(self.field.positive(self.lift(other) - self))

    def __gt__(self, other: object) -> bool:
        return bool(self.field.positive(self - other))

    def __le__(self, other: object) -> bool:
        return not self.field.positive(self - other)

    def __ge__(self, other: object) -> bool:
        return not self.field.positive(self.lift(other) - self)

    def wide(self) -> int:
        """The bits of its enclosure's ends, if they are more than what every number takes."""
        if self.ball:
            bits = max(map(int.bit_length, self.ball))
        else:
            bits = 0
        if bits > 500:
            return bits
        return 0

    def bit_length(self) -> int:  # with its enclosure, and what the object itself takes
        return self.packed.bit_length() + 2000

    def coefficients(self) -> list[int]:
        """c_0, c_1, …, in the order of the slots."""
        slot = self.field.slot
        count = self.packed.bit_length() // self.field.slot + 1
        charge(6 * count, slot, held=count)
        width = slot // 8
        # half of each slot, so that none is negative
        offset = int.from_bytes((bytes(width - 1) + b"\x80") * count, "little")
        data = (self.packed + offset).to_bytes(count * width + 1, "little")
        return [
            int.from_bytes(data[width * i : width * (i + 1)], "little") - (1 << slot - 1)
            for i in range(count)
        ]

    def __str__(self) -> str:
        found = [(e, c) for e, c in enumerate(self.coefficients()) if c]
        charge((20 + 10 * self.field.symbols) * len(found), held=4 * len(found))
        terms = [(c, self.field.monomial(e)) for e, c in found]
        texts = [
            m if c == 1 and m else f"-{m}" if c == -1 and m else f"{show(c)}{'*' if m else ''}{m}"
            for c, m in reversed(terms)
        ]
        return " + ".join(texts).replace("+ -", "- ") or "0"


@dataclass(frozen=True)
class Quotient:
    """A quotient of polynomials with a positive denominator, used as fractions are."""

    numerator: Any
    denominator: Any

    def parts(self, other: Any) -> tuple[Any, Any, Any]:
        """Both numerators over a common denominator."""
        p = other.numerator
        q = other.denominator
        return self.numerator * q, p * self.denominator, self.denominator * q

    def as_integer_ratio(self) -> tuple[Any, Any]:
        return self.numerator, self.denominator

    def __sub__(self, other: object) -> Quotient:
        x, y, den = self.parts(other)
        return Quotient(x - y, den)

    def __rsub__(self, other: object) -> Quotient:
        x, y, den = self.parts(other)
        return Quotient(y - x, den)

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __mul__(self, other: Any) -> Quotient:
        return Quotient(self.numerator * other.numerator, self.denominator * other.denominator)

    def __rmul__(self, other: Any) -> Quotient:
        return self.__mul__(other)

    def compare(self, other: object, answer: Callable[[Any, Any], bool]) -> bool:
        if isinstance(other, int | Fraction | Quotient):
            return answer(*self.parts(other)[:2])
        return cast(bool, NotImplemented)

    def __eq__(self, other: object) -> bool:
        return self.compare(other, lambda x, y: x == y)

    def __hash__(self) -> int:
        return 0  # equal quotients need not look equal

    def __lt__(self, other: object) -> bool:
        return self.compare(other, lambda x, y: x < y)

    def __le__(self, other: object) -> bool:
        return self.compare(other, lambda x, y: x <= y)

    def __gt__(self, other: object) -> bool:
        return self.compare(other, lambda x, y: x > y)

    def __ge__(self, other: object) -> bool:
        return self.compare(other, lambda x, y: x >= y)

    def __str__(self) -> str:
        # Python writes no long integers
        top, bottom = (show(x) if whole(x) else str(x) for x in (self.numerator, self.denominator))
        if bottom == "1":
            return top
        return f"({top})/({bottom})"


# ── Fields (SPEC §2.1) ──────────────────────────────────────────────────────────────────────────────────────
class Field:
    """What the symbols stand for. Slots and strides double whenever a number outgrows them."""

    single = False  # whether they stand for one point

    def __init__(self, names: Sequence[str], roots: Sequence[int], doublings: int) -> None:
        self.scope = ""
        self.names = names
        self.roots = roots
        self.symbols = len(roots)
        self.slot = 64 << doublings
        if len(roots) > 1:
            self.stride = 8 << doublings
        else:
            self.stride = 2**60

    def monomial(self, e: int) -> str:
        """The text of the monomial in a slot."""
        powers = [(name, e // self.stride**i % self.stride) for i, name in enumerate(self.names)]
        return "*".join(name if k == 1 else f"{name}^{k}" for name, k in powers if k)

    def fit(self, size: int, degree: int) -> tuple[int, int]:
        """Coefficients below 2^size and exponents ≤ degree have room in the slots: checked before
        packing.
        """
        if size >= self.slot or degree >= self.stride:
            # so many doublings
            raise Larger(max(size // 64, degree // 8 if self.symbols > 1 else 0).bit_length())
        return size, degree

    def constant(self, c: int) -> Polynomial:
        return self.known(c, *self.fit(c.bit_length(), 0))

    def symbol(self, i: int, exponent: int) -> Polynomial:
        size, degree = self.fit(1, exponent)
        charge(1, exponent * self.slot * self.stride**i)
        return self.known(1 << self.slot * self.stride**i * exponent, size, degree)

    def known(self, packed: int, size: int, degree: int) -> Polynomial:
        """A polynomial whose value is still to be enclosed."""
        raise NotImplementedError

    def polynomial(self, node: Node) -> Polynomial:
        """Read c_0, c_1, … in the first symbol; each is an integer, or such a list in the next
        symbol.
        """
        packed, size, degree = self.listed(node, 0)
        # few characters can be a long number, if there are several symbols
        keep(1, packed.bit_length())
        return self.known(packed, size, degree)

    def listed(self, node: Node, i: int) -> tuple[int, int, int]:
        demand(i < self.symbols, node.path, f"lists are nested {self.symbols} deep at most")
        items = [
            (c, c.bit_length(), 0)
            if isinstance(c := entry.value, int)
            else self.listed(entry, i + 1)
            if isinstance(entry.value, list)
            else (c := entry.integer(entry.of(str)), c.bit_length(), 0)
            for entry in node.items()
        ]
        demand(
            all(not isinstance(entry.value, int) for entry in node.items()),
            node.path,
            "coefficients are strings or lists",
        )
        demand(
            items != [] and items[-1][0] != 0, node.path, "the last coefficient must not be zero"
        )
        demand(
            len(items) > 1 or isinstance(node.items()[0].value, list),
            node.path,
            "a constant is not written as a list",
        )
        size, degree = self.fit(
            max(size for _, size, _ in items) + 1,
            max(len(items) - 1, *(degree for _, _, degree in items)),
        )
        charge(4 * len(items), self.slot)
        charge(2 * len(items).bit_length(), self.slot * len(items) * self.stride**i)

        def join(parts: list[int]) -> int:
            half = len(parts) // 2
            if half:
                return join(parts[:half]) + (
                    join(parts[half:]) << self.slot * self.stride**i * half
                )
            return parts[0]

        return join([packed for packed, _, _ in items]), size, degree

    def ratio(self, num: Any, den: Any) -> Quotient:
        if not den > 0:
            # a defect: the rules are to see to it
            raise ValueError("a rule divides by a number that is not positive")
        return Quotient(num, den)

    def power(self, alpha: Any, square: Fraction) -> Quotient | None:
        """α^d, d² = square, if α is a power of the symbol > 0 of root 1, and α^d one of a symbol;
        or None.
        """
        p = alpha.numerator
        den = alpha.denominator
        if whole(p):
            m = 0
        else:
            m = (p.packed.bit_length() - 1) // self.slot
        simple = 0 < m < self.stride and p.packed == 1 << self.slot * m
        # asked last: it may have no answer
        one = simple and (den == 1 if self.single or whole(den) else den.packed == 1)
        if one and self.roots[0] == 1 and self.symbol(0, 1) > 0:
            for i, q in enumerate(self.roots):
                if (c := m * root(square / q, 2)) and c.denominator == 1:
                    return Quotient(self.symbol(i, c.numerator), 1)
        return None


class Exponential(Field):
    """x_i = e^(−rate·√q_i) for distinct squarefree q_i. They are algebraically independent
    (Lindemann–Weierstrass), so that a polynomial is zero only if all its coefficients are, and
    enclosures of rising precision find the sign of any other.
    """

    def __init__(self, fields: dict[str, Node], name: str, doublings: int) -> None:
        self.rate = fields["rate"].rational()
        roots = fields["roots"].indices(10**6)
        demand(self.rate > 0, fields["rate"].path, "must be positive")
        charge(1500 * len(roots))
        square_free = all(q > 0 and all(q % d**2 for d in range(2, 1000)) for q in roots)
        demand(
            roots != [] and square_free,
            fields["roots"].path,
            "positive integers without square factors",
        )
        super().__init__([name if q == 1 else f"{name}{q}" for q in roots], roots, doublings)
        self.scope = f"one instance, with {', '.join(f'{x} = {self.meaning(q)}' for x, q in zip(self.names, roots, strict=True))}"
        self.precision = 256 + self.slot
        self.enclosed = dict[tuple[int, int], tuple[int, int]]()

    def meaning(self, q: int) -> str:
        charge(40 + max(map(int.bit_length, self.rate.as_integer_ratio())) // 60)
        return f"e^(-({show(self.rate)}){f'*sqrt({q})' if q > 1 else ''})"

    def enclosure(self, i: int, precision: int) -> tuple[int, int]:
        """2^precision·x_i, between two integers."""
        if (i, precision) not in self.enclosed:
            q = self.roots[i]
            (a, b) = self.rate.as_integer_ratio()
            gain = 7 + isqrt(precision)  # e^(−y) for y < 2^(−gain), then squared so many times
            halvings = (a * (isqrt(q) + 1) // b + 1).bit_length() + gain
            bits = precision + halvings + 64
            charge(0, bits, products=8 + 2 * (bits // gain + halvings))
            # two roots and two divisions
            charge(4 * quadratic(long := max(a.bit_length(), b.bit_length()), long))
            wide = a * a * q << 2 * (bits - halvings)  # (2^bits y b)²
            y = isqrt(wide) // b, (isqrt(wide) + 1) // b + 1
            low = 0
            high = 0
            k = 0
            term = (1 << bits, 1 << bits)
            # 1 − y + y²/2 − …: the terms fall, so that the first one left out bounds the rest
            while term[1] > 1:
                if k % 2 == 0:
                    low = low + term[0]
                    high = high + term[1]
                else:
                    low = low - term[1]
                    high = high - term[0]
                k += 1
                term = (term[0] * y[0] >> bits) // k, -((-term[1] * y[1] >> bits) // k)
            low = low - 1
            high = high + 1
            for _ in range(halvings):
                low = low * low >> bits
                high = -(-high * high >> bits)
            self.enclosed[i, precision] = low >> bits - precision, -(-high >> bits - precision)
        return self.enclosed[i, precision]

    def known(self, packed: int, size: int, degree: int) -> Polynomial:
        value = Polynomial(self, packed, size, degree)
        if degree:
            ball = self.ball(value.coefficients(), self.symbols - 1, self.precision)
        else:
            ball = (packed << self.precision,) * 2
        return Polynomial(self, packed, size, degree, ball)

    def ball(self, coefficients: list[int], i: int, precision: int) -> tuple[int, int]:
        """Horner's rule between integers, in x_i and below: 2^precision·value."""
        lo, hi = self.enclosure(i, precision)
        low = high = 0
        if i:
            width = self.stride**i
        else:
            width = 1
        charge(2 * len(coefficients), precision, products=2 * len(coefficients))
        for at in reversed(range(0, len(coefficients), width)):
            if i:
                below = self.ball(coefficients[at : at + width], i - 1, precision)
            else:
                below = (coefficients[at] << precision,) * 2
            low = (low * (lo if low >= 0 else hi) >> precision) + below[0]
            high = -(-high * (hi if high >= 0 else lo) >> precision) + below[1]
        return low, high

    def vanishes(self, p: Polynomial) -> bool:
        return p.packed == 0

    def same(self, difference: Polynomial) -> bool:
        return difference.packed == 0

    def positive(self, p: Polynomial) -> bool:
        assert p.ball
        ball = p.ball
        precision = self.precision
        while ball[0] <= 0 <= ball[1] and p.packed:
            precision *= 2
            ball = self.ball(p.coefficients(), self.symbols - 1, precision)
        return ball[0] > 0 and p.packed != 0

    def lowest(self, values: list[Any]) -> Any:
        return min(values)

    def upwards(self, x: Any) -> bool:
        return bool(x > 0)

    def ranks(self) -> None:
        """Ranks are those at one point, see `special`."""

    def special(self, p: Polynomial, prime: int) -> int:
        """The value at x_i = 3^(37 + i), modulo a prime."""
        found = [(e, c) for e, c in enumerate(p.coefficients()) if c]
        charge(
            (25 + 10 * self.symbols) * len(found),
            max((c.bit_length() for _, c in found), default=0),
        )
        terms = (
            (c, [e // self.stride**i % self.stride for i in range(self.symbols)]) for e, c in found
        )
        return (
            sum(
                c * pow(3, sum((37 + i) * k for i, k in enumerate(powers)), prime)
                for c, powers in terms
            )
            % prime
        )


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
        demand(
            len(self.f) > 2 and self.f[-1] > 0,
            fields["poly"].path,
            "degree 2 or more, with a positive leading coefficient",
        )
        simple = self.lo < self.hi and value_sign(self.f, self.lo) * value_sign(self.f, self.hi) < 0
        alone = simple and variations(self.f, self.lo, self.hi) == 1
        require(
            alone,
            "the polynomial has exactly one simple root in the interval",
            node.path,
            self.f,
            fields["in"].value,
        )

    def refine(self) -> None:
        """Halve the interval."""
        middle = (self.lo + self.hi) / 2
        sign = value_sign(self.f, middle) * value_sign(self.f, self.hi)
        if sign == 0:
            self.lo = middle
            self.hi = middle
        elif sign > 0:
            self.lo = self.lo
            self.hi = middle
        else:
            self.lo = middle
            self.hi = self.hi

    def __str__(self) -> str:
        if isinstance(self.text, str):
            return self.text
        terms = [
            f"{show(c)}{f'*x^{e}' if e else ''}" for e, c in reversed(list(enumerate(self.f))) if c
        ]
        return f"the root of {' + '.join(terms).replace('+ -', '- ')} in [{show(self.lo)}, {show(self.hi)}]"


class Parameter(Field):
    """x is every number of an interval. A comparison is answered when all of them answer it alike."""

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
        if point:
            low, high = (members["at"],) * 2
        else:
            low, high = [
                members[k] for k in ("above", "at_least", "below", "at_most") if k in members
            ]
        self.low = End(low)
        self.high = End(high)
        self.single = point
        if point:
            self.high = self.low
        for _ in range(500):
            if point or self.low.hi < self.high.lo:
                break
            self.refine()
        apart = point or self.low.hi < self.high.lo
        require(
            apart or self.low.lo < self.high.hi,
            "the lower end is below the upper end",
            node.path,
            str(self.low),
            str(self.high),
        )
        if not apart:
            raise Stop(
                Answer(
                    "limit",
                    f"{node.path}: the ends are equal, or nearer to each other than 2^(-500) of what isolates them",
                )
            )
        inner = f"{self.low} {'<≤'[self.closed[0]]} {name} {'<≤'[self.closed[1]]} {self.high}"
        if point:
            self.scope = f"{name} = {self.low}"
        else:
            self.scope = f"every {name} with {inner}"
        self.signs = dict[bytes, tuple[int, bool]]()

    def refine(self) -> None:
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
        at_end = False
        sign = 1
        for end, closed, side in ((self.low, self.closed[0], 1), (self.high, self.closed[1], -1)):
            while len(f) > 1 and (quotient := divided(f, end.f)) is not None:  # zeros at an end
                if self.low is self.high:
                    return 0, True
                f = quotient
                at_end = at_end or closed or (self.low.f == self.high.f and self.closed[1])
                if self.low.f == self.high.f:
                    a = self.low.hi
                    b = self.high.lo
                elif end is self.low:
                    a = self.low.hi
                    b = self.high.hi
                else:
                    a = self.low.lo
                    b = self.high.lo
                if len(end.f) == 2:
                    sign *= side
                else:
                    sign *= self.settled(end.f, a, b)
        inside = self.settled(f, self.low.lo, self.high.hi)
        for _ in range(64):
            if inside or (self.low.lo == self.low.hi and self.high.lo == self.high.hi):
                break
            self.refine()
            inside = self.settled(f, self.low.lo, self.high.hi)
        if not sign * inside:
            text = f"the sign of the polynomial with the coefficients {show(show(f))} was not found for {self.scope}"
            raise Stop(Answer("limit", text, rule=ONE_ANSWER, path=self.node.path))
        return sign * inside, at_end

    def settled(self, f: list[int], a: Fraction, b: Fraction) -> int:
        """The sign of f on [a, b], 0 if it is not found. That it changes within the interval is an
        answer.
        """
        found = constant_sign(f, a, b)
        a = self.low.hi
        b = self.high.lo
        if (
            not found
            and a < b
            and value_sign(f, a)
            and value_sign(f, b)
            and constant_sign(f, a, b) == 0
        ):
            self.split(
                f"the sign of the polynomial with the coefficients {show(show(f))} is not the same for {self.scope}"
            )
        return found or 0

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
            self.split(
                f"{show(str(difference))} vanishes at an end, but not inside, of {self.scope}"
            )
        return False

    def positive(self, p: Polynomial) -> bool:
        if p.packed == 0:
            return False
        sign, at_end = self.sign(p)
        if sign > 0 and at_end:
            self.split(
                f"{show(str(p))} is positive inside, but vanishes at an end, of {self.scope}"
            )
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
        long = [
            max(map(int.bit_length, end.as_integer_ratio())) for end in (self.low.hi, self.high.lo)
        ]
        charge(3 * quadratic(*long))
        x = (self.low.hi + self.high.lo) / 2

        def at(p: Any) -> Fraction:
            if isinstance(p, Polynomial):
                f = p.coefficients()
            else:
                f = [p]
            value, scale = horner(f, x)
            return ratio(value * x.denominator, scale)

        least = min(values, key=at)
        # a comparison without one answer stops the check
        if not all(least <= other for other in values):
            raise ValueError("the least number at one point is the least wherever there is one")
        return least

    def ranks(self) -> None:
        """What holds where a multiplier is positive need not hold at an end, nor a rank at all
        points.
        """
        raise Stop(
            Answer(
                "limit", "ranks (uniqueness) are not implemented for every number of an interval"
            )
        )

    def special(self, p: Polynomial, prime: int) -> int:
        self.ranks()
        raise AssertionError


def horner(f: Sequence[int], x: Fraction) -> tuple[int, int]:
    """f(p/q)·q^d and q^(d + 1), for x = p/q and d + 1 coefficients."""
    (p, q) = x.as_integer_ratio()
    value = 0
    scale = 1
    bits = max(p.bit_length(), q.bit_length())
    charge(
        4 * len(f), len(f) * bits + max(map(int.bit_length, f)), products=3 * len(f) * (bits > 64)
    )
    charge(len(f) * quadratic(len(f) * bits, max(map(int.bit_length, f))))
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
    start = int(a * m)
    step = int((b - a) * m)
    scale = 1
    p = [0]
    bits = m.bit_length()
    charge(
        4 * len(f) ** 2,
        len(f) * bits + max(map(int.bit_length, f)),
        products=2 * len(f) ** 2 * (bits > 64),
    )
    for c in reversed(f):  # p(y) = m^d f(a + (b − a)y)
        p = [start * x + step * y for x, y in zip([*p, 0], [0, *p], strict=True)]
        p[0], scale = p[0] + c * scale, scale * m
    p = p[: len(f)][::-1]  # y^d p(1/y), then y + 1 for y
    for k in range(len(p)):
        for i in reversed(range(k, len(p) - 1)):
            p[i] += p[i + 1]
    signs = [x > 0 for x in p if x]
    return sum(x != y for x, y in pairwise(signs))


def constant_sign(f: Sequence[int], a: Fraction, b: Fraction, depth: int = 40) -> int | None:
    """The sign of f on [a, b] if it has no zero there, 0 if it is seen to have one, and None if it
    may.
    """
    sign = value_sign(f, a)
    other = value_sign(f, b)
    if sign != other or sign == 0 or a == b or variations(f, a, b) == 0:
        if sign == other:
            return sign
        return 0
    middle = (a + b) / 2
    found = None
    if depth and (found := constant_sign(f, a, middle, depth - 1)) != 0:
        other_half = constant_sign(f, middle, b, depth - 1)
        if other_half == 0:
            return other_half
        return found and other_half
    return found


def divided(f: list[int], g: list[int]) -> list[int] | None:
    """f/g' for g' = g without its coefficients' common divisor, if g divides f: it is integral
    (Gauss).
    """
    bits = max(map(int.bit_length, g))
    content = gcd(*g)
    charge(len(g) * (1 + bits**2 // 50_000))
    charge(
        4 * len(f) * len(g),
        max(map(int.bit_length, f)) + len(f) * bits,
        products=len(f) * len(g) * (bits > 64),
    )
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


# ── Claims about pieces (SPEC §4.7) ─────────────────────────────────────────────────────────────────────────
FIELDS = {
    "exponential": "rate roots",
    "parameter": "interval",
    "region": "letters positive nonnegative inside? at?",
}


def field_of(name: str, node: Node, doublings: int) -> Field:
    """The field that a definition describes."""
    kind, fields = node.variant("type", FIELDS)
    if kind == "region":
        known = beside("regions").Region
    else:
        known = {"exponential": Exponential, "parameter": Parameter}[kind]
    return cast(Field, known(fields, name, doublings))


def on_pieces(c: Case) -> str:
    """A claim for each piece of the parameter's interval; the pieces follow each other without a
    gap.
    """
    over = FIELD.get()
    sentences = list[str]()
    demand(isinstance(over, Parameter), "$.definitions", "pieces need a parameter")
    pieces = c.claim["pieces"].items()
    fields = list[Parameter]()
    demand(pieces != [], "$.claim.pieces", "there must be at least one")
    kept = WORK.get()[1]
    for node, witness in zip(pieces, c.witness["pieces"].items(len(pieces)), strict=True):
        WORK.get()[1] = kept  # what one piece has read is not held while the next is checked
        piece = node.fields("interval claim")
        field = Parameter(piece, over.names[0], (over.slot // 64).bit_length() - 1)
        FIELD.set(field)
        demand(
            piece["claim"].fields().get("kind", node).value != "on-pieces",
            piece["claim"].path,
            "pieces have no pieces",
        )
        case, sentence, _ = decide(piece["claim"], witness, c.definitions)
        sentences.append(f"For {field.scope}: {sentence}")
        c.known.update(case.known)
        fields.append(field)
        field.signs.clear()
    FIELD.set(over)
    stops = [
        (over.low, fields[0].low),
        *((a.high, b.low) for a, b in pairwise(fields)),
        (fields[-1].high, over.high),
    ]
    for k, (left, right) in enumerate(stops):
        path = f"$.claim.pieces[{min(k, len(pieces) - 1)}].interval"
        require(
            left.text == right.text,
            "the pieces follow each other and cover the parameter's interval",
            path,
            str(left),
            str(right),
        )
        if k:
            before = fields[k - 1].closed[1]
        else:
            before = not over.closed[0]
        if k < len(fields):
            after = fields[k].closed[0]
        else:
            after = not over.closed[1]
        require(
            before or after,
            "the end between two pieces belongs to one of them",
            path,
            str(left),
            "neither",
        )
    return " ".join(sentences)


CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {
    "on-pieces": (on_pieces, "pieces", "pieces")
}
