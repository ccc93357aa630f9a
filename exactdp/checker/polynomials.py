# SPDX-License-Identifier: MIT
"""Trusted: polynomials that compute and compare as integers do, and their quotients (SPEC §2.1).

A numerator is a polynomial in one or more symbols. It adds, multiplies and compares as an int does,
so that the rules of the checker hold for it as they stand. What a symbol stands for is the field's
business. Every operation counts its work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from exactdp.checker.arithmetic import SHORT, comparable, count_products, key, longest, whole
from exactdp.checker.limits import Answer, Larger, Stop, charge, demand, keep, quadratic, show
from exactdp.checker.powers import root
from exactdp.checker.reader import Node

OVERHEAD = 40
"""Steps of the interpreter in one operation on polynomials."""


ROOM = 8
"""So many bits of a slot are free, or slots grow."""


# ── Polynomials ─────────────────────────────────────────────────────────────────────────────────
Ball = tuple[int, int]
"""Two integers that enclose 2^precision times a number."""


class Symbolic:
    """What all polynomials of a field have, however they are held. `ball` encloses the value, if
    the symbols are numbers.
    """

    field: Any
    ball: Ball | None

    if TYPE_CHECKING:  # what the ways of holding them have each of its own

        def __add__(self, other: object) -> Any: ...
        def __neg__(self) -> Any: ...
        def __mul__(self, other: object) -> Any: ...
        def __floordiv__(self, other: object) -> Any: ...

    def key(self) -> bytes:
        """For a dictionary: a file can choose many polynomials of one hash."""
        raise NotImplementedError

    def found(self) -> list[tuple[int, int]]:
        """The places of the terms, in their order, and their coefficients, none of them 0."""
        raise NotImplementedError

    def lift(self, other: object) -> Any:
        if isinstance(other, Symbolic):
            return other
        if isinstance(other, int):
            return self.field.constant(other)
        return NotImplemented

    def product_of_balls(self, first: Ball, second: Ball, wide: int) -> Ball:
        """The enclosure of a product; wide: the bits of the wider of two long enclosures, or 0."""
        s, t = first
        u, v = second
        if s >= 0 and u >= 0:
            ends = [(s, u), (t, v)]
        else:
            ends = [(s, u), (s, v), (t, u), (t, v)]
        if wide:  # cut into pieces, too
            short = min(max(map(int.bit_length, ball)) for ball in (first, second))
            charge(4, wide)
            pieces = max(1, wide // (short + 30))
            charge(0, short, products=len(ends) * pieces * (short > 60))
        products = [x * y for x, y in ends]
        precision = self.field.precision
        return min(products) >> precision, -(-max(products) >> precision)

    def __pow__(self, exponent: int) -> Any:
        result = self.lift(1)
        base = self
        while exponent:
            if exponent % 2:
                result = result * base
            exponent //= 2
            if exponent:
                base = base * base
        return result

    def __rfloordiv__(self, other: int) -> Any:
        return self.lift(other) // self

    def __mod__(self, prime: int) -> int:
        """The value at a special point modulo a prime: if not 0, neither is the polynomial."""
        return cast(int, self.field.special(self, prime))

    def __radd__(self, other: object) -> Any:
        return self + other

    def __sub__(self, other: object) -> Any:
        return self + (-self.lift(other))

    def __rsub__(self, other: object) -> Any:
        return -self + other

    def __rmul__(self, other: object) -> Any:
        return self * other

    def __abs__(self) -> Any:
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
        # Of bytes: integers that are the same modulo 2^61 - 1, as those of x and 8 are, have one
        # hash, and whether x is 8 may have no answer.
        return hash(self.key())

    def __lt__(self, other: object) -> bool:
        return self.exceeded(self.lift(other))

    def __gt__(self, other: object) -> bool:
        return bool(self.lift(other).exceeded(self))

    def __le__(self, other: object) -> bool:
        return not self.lift(other).exceeded(self)

    def __ge__(self, other: object) -> bool:
        return not self.exceeded(self.lift(other))

    def exceeded(self, y: Any) -> bool:
        """Whether y is larger: the enclosures say it, or the difference."""
        charge(4, beside=OVERHEAD)
        if self.ball and y.ball:
            if y.ball[0] > self.ball[1]:
                return True
            if y.ball[1] <= self.ball[0]:
                return False
        return bool(self.field.positive(y - self))

    def wide(self) -> int:
        """The bits of its enclosure's ends, if they are more than what every number takes."""
        if not self.ball:
            return 0
        bits = max(map(int.bit_length, self.ball))
        if bits > 500:
            return bits
        return 0

    def __str__(self) -> str:
        found = self.found()
        charge((20 + 10 * self.field.symbols) * len(found), held=4 * len(found))
        texts = list[str]()
        for e, c in reversed(found):
            monomial = self.field.monomial(e)
            if not monomial:
                texts.append(show(c))
            elif c == 1:
                texts.append(monomial)
            elif c == -1:
                texts.append(f"-{monomial}")
            else:
                texts.append(f"{show(c)}*{monomial}")
        return " + ".join(texts).replace("+ -", "- ") or "0"


@dataclass(frozen=True, eq=False)
class Polynomial(Symbolic):
    """Σ c_e x^e, |c_e| < 2^size, exponents ≤ degree. `packed` is its value at x_i =
    2^(slot·stride^i), one big integer, which the processor adds fast. `ball` encloses its
    value, if x is a number.
    """

    field: Any
    packed: int
    size: int
    degree: int
    ball: Ball | None = None

    def __add__(self, other: object) -> Polynomial:
        y = self.lift(other)
        if y is NotImplemented:
            return NotImplemented
        size = max(self.size, y.size) + 1
        if size >= self.field.slot:
            measured = max(self.measured(), y.measured()) + 1
            size = tighter(size, measured, self.field.slot)
        size, degree = self.field.fit(size, max(self.degree, y.degree))
        bits = self.packed.bit_length() + y.packed.bit_length() + self.wide() + y.wide()
        charge(2, bits, beside=OVERHEAD)
        ball = None
        if self.ball and y.ball:
            ball = self.ball[0] + y.ball[0], self.ball[1] + y.ball[1]
        return Polynomial(self.field, self.packed + y.packed, size, degree, ball)

    def __neg__(self) -> Polynomial:
        charge(1, self.packed.bit_length() + self.wide(), beside=OVERHEAD)
        ball = None
        if self.ball:
            ball = -self.ball[1], -self.ball[0]
        return Polynomial(self.field, -self.packed, self.size, self.degree, ball)

    def __mul__(self, other: object) -> Polynomial:
        if isinstance(other, int):
            return self.multiple(other)
        y = self.lift(other)
        if y is NotImplemented:
            return NotImplemented
        # A coefficient of the product has at most as many terms as the shorter factor, per symbol.
        short, long = sorted((self.degree, y.degree))
        terms = (short + 1).bit_length() * self.field.symbols
        size = self.size + y.size + terms
        if self.is_monomial() or y.is_monomial():  # which moves the coefficients of the other one
            size = max(self.size, y.size)
        elif size >= self.field.slot:
            size = tighter(size, self.measured() + y.measured() + terms, self.field.slot)
        size, degree = self.field.fit(size, short + long)
        # The long number is cut into pieces as long as the short one.
        small, large = sorted((self.packed.bit_length(), y.packed.bit_length()))
        charge(2, large, beside=OVERHEAD)
        if small > 60:
            charge(0, 2 * small, products=1 + large // (small + 30))
        ball = None
        if self.ball and y.ball:
            ball = self.product_of_balls(self.ball, y.ball, max(self.wide(), y.wide()))
        return Polynomial(self.field, self.packed * y.packed, size, degree, ball)

    def multiple(self, c: int) -> Polynomial:
        """The product with an integer."""
        grown = (abs(c) - 1).bit_length()  # |c| ≤ 2^grown
        size = self.size + grown
        if size >= self.field.slot:
            size = tighter(size, self.measured() + grown, self.field.slot)
        size, degree = self.field.fit(size, self.degree)
        ends = self.ball or ()
        bits, of_ends = self.packed.bit_length(), longest(ends)
        charge(4, bits + 2 * of_ends + grown, beside=OVERHEAD)
        if grown > SHORT:
            count_products(1, bits, grown)
            count_products(2, of_ends, grown)
        ball = None
        if self.ball:
            low, high = sorted(c * end for end in ends)
            ball = low, high
        return Polynomial(self.field, c * self.packed, size, degree, ball)

    def measured(self) -> int:
        """The bits of the longest coefficient."""
        return longest(self.coefficients())

    def is_monomial(self) -> bool:
        """Whether it is a product of symbols, with the coefficient 1."""
        place = self.packed.bit_length() - 1
        return place >= 0 and place % self.field.slot == 0 and self.packed == 1 << place

    def __floordiv__(self, other: object) -> Polynomial:
        """Exact division by an integer, or by a power of the first symbol: the rules need no
        others.
        """
        if isinstance(other, int) and other == 1:
            return self
        if isinstance(other, int):
            # The division of the coefficients, and that of the packed number.
            charge(2 * quadratic(self.packed.bit_length(), other.bit_length()))
            if not any(c % other for c in self.coefficients()):
                quotient = self.packed // other
                return cast(Polynomial, self.field.known(quotient, self.size, self.degree))
        y = self.lift(other)
        charge(OVERHEAD)
        charge(2, self.packed.bit_length() + y.packed.bit_length())
        # y is a power of the first symbol, and divides every term.
        shift = y.packed.bit_length() - 1
        a_power = y.packed == 1 << shift and shift % self.field.slot == 0
        of_one = shift == 0 or self.field.symbols == 1
        if not (a_power and of_one and self.packed % y.packed == 0):
            text = "only divisions by integers and by powers of the level's symbol are implemented"
            raise Stop(Answer("limit", text))
        if shift == 0:
            return self
        return cast(Polynomial, self.field.known(self.packed >> shift, self.size, self.degree))

    def key(self) -> bytes:
        """For a dictionary of signs: a file can choose many polynomials whose integers have one
        hash.
        """
        charge(1, self.packed.bit_length(), held=4)  # what its coefficients will take is far more
        return self.packed.to_bytes(self.packed.bit_length() // 8 + 1, "little", signed=True)

    def bit_length(self) -> int:
        """With its enclosure, and what the object itself takes."""
        return self.packed.bit_length() + 2000

    def bits_of_power(self, exponent: int) -> int:
        """No fewer bits than a power has: the packed number of a power is the power of the packed
        number, and longer than the value.
        """
        return exponent * self.packed.bit_length() + 2000 + 2 * self.wide()

    def coefficients(self) -> list[int]:
        """c_0, c_1, …, in the order of the slots."""
        slot = self.field.slot
        count = self.packed.bit_length() // slot + 1
        charge(6 * count, slot, held=count)
        width = slot // 8
        # Half of each slot, so that none is negative.
        offset = int.from_bytes((bytes(width - 1) + b"\x80") * count, "little")
        data = (self.packed + offset).to_bytes(count * width + 1, "little")
        half = 1 << slot - 1
        slots = (data[width * i : width * (i + 1)] for i in range(count))
        return [int.from_bytes(slot, "little") - half for slot in slots]

    def found(self) -> list[tuple[int, int]]:
        return [(e, c) for e, c in enumerate(self.coefficients()) if c]

    def is_zero(self) -> bool:
        """Whether it has no terms."""
        return self.packed == 0

    def is_one(self) -> bool:
        """Whether it is the constant 1."""
        return self.packed == 1


def tighter(size: int, measured: int, slot: int) -> int:
    """Of a bound of sizes that outgrew the slots, and one from the coefficients themselves, the
    latter if it leaves room for what follows: bounds grow with every sum, coefficients do not.
    """
    if measured + ROOM < slot:
        return measured
    return size


@dataclass(frozen=True)
class Quotient:
    """A quotient of polynomials with a positive denominator, used as fractions are."""

    numerator: Any
    denominator: Any

    def parts(self, other: Any) -> tuple[Any, Any, Any]:
        """Both numerators over a common denominator."""
        p, q = other.numerator, other.denominator
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
            # Denominators are positive. Where signs need facts, those are about the cross products.
            if comparable() and key(self.denominator) == key(other.denominator):
                return answer(self.numerator, other.numerator)
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
        top, bottom = written(self.numerator), written(self.denominator)
        if bottom == "1":
            return top
        return f"({top})/({bottom})"


def written(x: Any) -> str:
    """A number in a sentence; Python writes no long integers."""
    if whole(x):
        return show(x)
    return str(x)


# ── Fields (SPEC §2.1) ──────────────────────────────────────────────────────────────────────────
class Field:
    """What the symbols stand for. Slots and strides double whenever a number outgrows them."""

    single = False  # whether they stand for one point
    sparse = False  # whether polynomials are held by their terms (sparse.py)
    ordered = False  # whether its elements are numbers, of which any two compare

    def __init__(self, names: Sequence[str], roots: Sequence[int], doublings: int) -> None:
        self.scope = ""
        self.names = names
        self.roots = roots
        self.symbols = len(roots)
        # The bits of a coefficient; and how many powers of a symbol there are before the next one.
        self.slot = 64 << doublings
        self.stride = 2**60
        if len(roots) > 1:
            self.stride = 8 << doublings

    def monomial(self, e: int) -> str:
        """The text of the monomial in a slot."""
        factors = list[str]()
        for name, power in zip(self.names, self.exponents(e), strict=True):
            if power == 1:
                factors.append(name)
            elif power:
                factors.append(f"{name}^{power}")
        return "*".join(factors)

    def exponents(self, e: int) -> list[int]:
        """The exponents of the symbols in a slot."""
        return [e // self.stride**i % self.stride for i in range(self.symbols)]

    def fit(self, size: int, degree: int) -> tuple[int, int]:
        """Coefficients below 2^size and exponents ≤ degree have room in the slots: checked before
        packing.
        """
        if size >= self.slot or degree >= self.stride:
            times = size // 64
            if self.symbols > 1:
                times = max(times, degree // 8)
            raise Larger(times.bit_length())  # so many doublings
        return size, degree

    def constant(self, c: int) -> Any:
        return self.known(c, *self.fit(c.bit_length(), 0))

    def symbol(self, i: int, exponent: int) -> Any:
        size, degree = self.fit(1, exponent)
        charge(1, exponent * self.slot * self.stride**i)
        return self.known(1 << self.slot * self.stride**i * exponent, size, degree)

    def known(self, packed: int, size: int, degree: int) -> Polynomial:
        """A polynomial whose value is still to be enclosed."""
        raise NotImplementedError

    def polynomial(self, node: Node) -> Any:
        """Read c_0, c_1, … in the first symbol; each is an integer, or such a list in the next
        symbol.
        """
        packed, size, degree = self.listed(node, 0)
        if self.sparse:
            read = self.of_terms(packed, degree)
            keep(1, read.bit_length())
            return read
        # Few characters can be a long number, if there are several symbols.
        keep(1, packed.bit_length())
        return self.known(packed, size, degree)

    def of_terms(self, terms: dict[int, int], degree: int) -> Any:
        """A polynomial held by its terms, whose value is still to be enclosed."""
        raise NotImplementedError

    def gathered(self, parts: list[Any], i: int) -> dict[int, int]:
        """The terms of Σ_k part_k·x_i^k, each part an integer or the terms of one."""
        raise NotImplementedError

    def listed(self, node: Node, i: int) -> tuple[Any, int, int]:
        """The packed number of a list in the symbol i (or its terms), the bits of its coefficients,
        its degree.
        """
        demand(i < self.symbols, node.path, f"lists are nested {self.symbols} deep at most")
        entries = node.items()
        packed, sizes, degrees = list[Any](), list[int](), list[int]()
        for entry in entries:
            if isinstance(entry.value, list):
                number, size, degree = self.listed(entry, i + 1)
            else:
                integral = isinstance(entry.value, int)
                demand(not integral, node.path, "coefficients are strings or lists")
                text = str(entry.value) if integral else entry.of(str)
                number = entry.integer(text)
                size, degree = number.bit_length(), 0
            packed.append(number)
            sizes.append(size)
            degrees.append(degree)
        last = packed != [] and packed[-1] != 0
        demand(last, node.path, "the last coefficient must not be zero")
        several = len(packed) > 1 or isinstance(entries[0].value, list)
        demand(several, node.path, "a constant is not written as a list")
        size, degree = self.fit(max(sizes) + 1, max(len(packed) - 1, *degrees))
        if self.sparse:
            return self.gathered(packed, i), size, degree
        slot = self.slot * self.stride**i
        charge(4 * len(packed), self.slot)
        charge(2 * len(packed).bit_length(), slot * len(packed))

        def join(parts: list[int]) -> int:
            if len(parts) == 1:
                return parts[0]
            half = len(parts) // 2
            above: int = join(parts[half:]) << slot * half
            return join(parts[:half]) + above

        return join(packed), size, degree

    def ratio(self, num: Any, den: Any) -> Quotient:
        """num/den. That den > 0 the rules are to see to: it is a defect if it is not."""
        if not den > 0:
            raise ValueError("a rule divides by a number that is not positive")
        return Quotient(num, den)

    def power(self, alpha: Any, square: Fraction) -> Quotient | None:
        """α^d, d² = square, if α is a power of the symbol > 0 of root 1, and α^d one of a symbol;
        or None.
        """
        exponent = self.exponent(alpha)
        if exponent:
            for i, q in enumerate(self.roots):
                multiple = exponent * root(square / q, 2)
                if multiple and multiple.denominator == 1:
                    return Quotient(self.symbol(i, multiple.numerator), 1)
        return None

    def exponent(self, alpha: Any) -> int:
        """The k > 0 with α = x^k for the symbol x > 0 of root 1, or 0 if there is none."""
        p, den = alpha.numerator, alpha.denominator
        if whole(p):
            return 0
        exponent = self.power_of_first(p)
        if not exponent:
            return 0
        # Asked last: it may have no answer.
        if self.single or whole(den):
            one = den == 1
        else:
            one = den.is_one()
        if one and self.roots[0] == 1 and self.symbol(0, 1) > 0:
            return int(exponent)
        return 0

    def power_of_first(self, p: Any) -> int:
        """The k > 0 with p = x^k for the first symbol x, or 0 if there is none."""
        charge(2, p.packed.bit_length())  # a power is made, and compared
        exponent = (p.packed.bit_length() - 1) // self.slot
        if 0 < exponent < self.stride and p.packed == 1 << self.slot * exponent:
            return int(exponent)
        return 0

    def power_between(self, alpha: Any, square: Fraction) -> Ball | None:
        """2^precision·α^d, d² = square, between two integers, if the field knows it; or None."""
        return None
