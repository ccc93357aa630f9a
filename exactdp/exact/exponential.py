# SPDX-License-Identifier: MIT
"""One number of a field of exponentials (:mod:`exactdp.exact.exponential`): its sign, its order and its
decimals by balls.

ℚ(e^(−ε/k)), and several exponentials e^(−ε√q/k): the numbers that a level given as ε leads to.

For rational ε > 0 the numbers e^(−ε√q/k), q squarefree and distinct, are algebraically independent, because
the √q are linearly independent over ℚ (Lindemann–Weierstrass). So a polynomial in them is zero only if it is
the zero polynomial, which is decided first; then balls of rising precision give the sign, and always end.

Examples
--------
>>> field = ExponentialField("1/10")
>>> t = field.gen                                               # e^(−1/10)
>>> (1 - t * t) / (1 + t) == 1 - t, t > Rational("9/10"), t < Rational("91/100")
(True, True, True)
>>> t.enclosure(6)
(Rational('904837/1000000'), Rational('452419/500000'))
>>> plane = ExponentialField(1, roots=(1, 2))
>>> t, t2 = plane.gens
>>> t2 * t2 < t, t ** 2 < t2                                    # 2√2 > 1, 2 > √2
(True, True)

Real powers of e^(−x): the pure products of exponentials are closed under x ↦ x^√s, in a large enough field.

e^(−Σ c_q √q) to the power √s is e^(−Σ c_q √(q·s)), and √(q·s) is a rational multiple of the root of a
squarefree integer. So comparing a number of ℚ(t_q) with such a power is a sign question in a larger field of
the same kind, and always decided.

Examples
--------
>>> t = ExponentialField(1).gen
>>> power = exponential_power(t, Rational(8))                   # e^(−√8)
>>> power, power.field
(ExponentialNumber('t2^2'), ExponentialField('1', roots=(1, 2)))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from math import gcd, lcm
from typing import Any

from flint import arb, ctx, fmpq, fmpz, fmpz_mpoly, fmpz_mpoly_ctx, fmpz_poly

from exactdp.errors import InputError, ParameterRangeError, ResourceLimitError, UndecidedSignError
from exactdp.exact.field import OrderedField
from exactdp.exact.polynomial import Poly, leading_tail, terms
from exactdp.exact.quotient import Quotient, QuotientField
from exactdp.exact.rational import Rational, _wrap

FIRST_BITS = 96
"""Bits of the ball that every number keeps once it has been compared."""


class ExponentialNumber(Quotient):
    """An element of an :class:`ExponentialField`; made by arithmetic with its generators."""

    __slots__ = ()

    @property
    def field(self) -> ExponentialField:
        """The field, with its exponentials."""
        field: ExponentialField = self._field
        return field

    def _denominator_sign(self) -> int:
        return self.field._sign_of(self._d)

    def sign(self) -> int:
        """−1, 0 or 1: zero is an identity of polynomials, otherwise balls of rising precision decide."""
        if self._n == 0:
            return 0
        ball = self._ball()
        if ball > 0:
            return 1
        if ball < 0:
            return -1
        return self.field._sign_of(self._n, 2 * FIRST_BITS) * self.field._sign_of(self._d)

    def _ball(self) -> Any:
        """The number within a ball of the first precision, kept."""
        known = self._memo
        if known is None:
            known = self.ball(FIRST_BITS)
            _set_memo(self, known)
        return known

    def ball(self, precision: int) -> Any:
        """A ball around the number; stays inside :mod:`exactdp.exact`."""
        with ctx.workprec(precision):
            return self.field._at(self._n, precision) / self.field._at(self._d, precision)

    def compare(self, other: Any) -> int:
        """The sign of this number minus the other, decided exactly."""
        if type(other) is ExponentialNumber and (other._field is self._field or other._field == self._field):
            mine, theirs = self._ball(), other._ball()
            if mine < theirs:
                return -1
            if mine > theirs:
                return 1
        difference = self - other
        if difference is NotImplemented:
            raise TypeError(f"{other!r} can't be compared with {self!r}")
        return int(difference.sign())

    def __lt__(self, other: Any, /) -> bool:
        return self.compare(other) < 0

    def __le__(self, other: Any, /) -> bool:
        return self.compare(other) <= 0

    def __gt__(self, other: Any, /) -> bool:
        return self.compare(other) > 0

    def __ge__(self, other: Any, /) -> bool:
        return self.compare(other) >= 0

    def enclosure(self, digits: int) -> tuple[Rational, Rational]:
        """The decimals just below and above, with so many digits after the point (twice the number itself if
        it is such a decimal).

        >>> pass  # DROPPED
        >>> ExponentialField(1).gen.enclosure(3)
        (Rational('367/1000'), Rational('46/125'))
        """
        scale = fmpz(10) ** digits
        constant = self.rational
        if constant is not None:
            scaled = constant._q * scale
            return _wrap(fmpq(scaled.floor(), scale)), _wrap(fmpq(scaled.ceil(), scale))
        precision = FIRST_BITS + 4 * digits
        while True:
            with ctx.workprec(precision):
                below = (self.ball(precision) * scale).floor().unique_fmpz()
            if below is not None:
                return _wrap(fmpq(below, scale)), _wrap(fmpq(below + 1, scale))
            precision *= 2

    def substitute(self, *values: Any) -> Any:
        """The quotient of other scalars: one for each generator of the field."""
        if len(values) != len(self.field.names):
            raise InputError(f"{len(values)} values for the generators {', '.join(self.field.names)}", values=values)
        zero = values[0] - values[0]

        def at(p: Poly) -> Any:
            total = zero
            for powers, c in terms(p):
                product = zero + c
                for value, e in zip(values, powers, strict=True):
                    product = product * value**e
                total = total + product
            return total

        return at(self._n) / at(self._d)

    def __float__(self) -> float:
        """The nearest double, about; for pictures and for proposals to float solvers, never for a verdict."""
        if self._n == 0:
            return 0.0
        precision = FIRST_BITS
        while True:
            ball = self.ball(precision)
            if ball.rel_accuracy_bits() >= 60:
                return float(ball.mid())
            precision *= 2


_set_memo = Quotient.__dict__["_memo"].__set__


MAX_RATE = 10_000
"""Largest ε/k: at 10,000 the number e^(−ε) has 4,343 zeros after the point."""

MAX_STEPS = 10_000
"""Largest power that a generator may become in the common field of several (ε = 1 and ε = 1/10 have the steps
10 and 1).
"""


class ExponentialField(QuotientField):
    """The field ℚ(t_q : q in roots) with t_q = e^(−(ε/unit)·√q): immutable, hashable, picklable, equal by
    value.

    Parameters
    ----------
    epsilon : rational
        ε > 0.
    unit : int
        k ≥ 1, so that α = e^(−ε) is t^k and fractional powers of α exist.
    roots : sequence of int
        Distinct squarefree integers ≥ 1; (1,) is the ordinary field ℚ(e^(−ε/k)).

    Attributes
    ----------
    rate : Rational
        ε/k. Fields with the same rate and roots are equal.
    gens : tuple
        The t_q in the order of ``roots`` (increasing); ``gen`` is the first.

    Raises
    ------
    ParameterRangeError
        ε ≤ 0, a unit below 1, or roots that are not distinct squarefree integers ≥ 1.
    InexactInputError
        ε is a float.

    Examples
    --------
    >>> ExponentialField("1/10", unit=2).gen ** 2
    ExponentialNumber('t^2')
    >>> ExponentialField("1/10", unit=2) == ExponentialField("1/20")
    True
    """

    __slots__ = ("_balls", "_context", "_one", "_zero", "gens", "name", "rate", "roots")
    rate: Rational
    roots: tuple[int, ...]
    gens: tuple[ExponentialNumber, ...]
    _balls: dict[int, tuple[arb, ...]]
    _context: Any
    _one: ExponentialNumber
    _zero: ExponentialNumber
    _scalar = ExponentialNumber

    def __init__(self, epsilon: object, unit: int = 1, roots: Any = (1,)) -> None:
        value = Rational(epsilon)
        if value.sign() <= 0:
            raise ParameterRangeError(
                f"ε = {value} is not positive: e^(−ε) must lie strictly between 0 and 1", name="epsilon", value=value, allowed="> 0"
            )
        if not isinstance(unit, int) or isinstance(unit, bool) or unit < 1:
            raise ParameterRangeError(f"the unit {unit!r} is not an integer >= 1", name="unit", value=unit, allowed=">= 1")
        chosen = tuple(sorted(roots))
        bad = [q for q in chosen if not isinstance(q, int) or isinstance(q, bool) or q < 1 or not _squarefree(q)]
        if bad or not chosen or len(set(chosen)) < len(chosen):
            raise ParameterRangeError(
                f"the roots {tuple(roots)} are not distinct squarefree integers >= 1 (√8 is 2·√2: use 2)",
                name="roots",
                value=tuple(roots),
                allowed="distinct squarefree integers",
            )
        put = object.__setattr__
        rate = value / unit
        if rate > MAX_RATE:
            raise ResourceLimitError(f"ε is too large: e^(−ε) is refused for ε above {MAX_RATE}", limit=MAX_RATE, got=rate)
        put(self, "rate", rate)
        put(self, "roots", chosen)
        put(self, "name", f"QQ({', '.join(_exponential(value / unit, q) for q in chosen)})")
        put(self, "_context", None if len(chosen) == 1 else fmpz_mpoly_ctx.get(self.names, "lex"))
        put(self, "_balls", {})
        one = self._poly(1)
        letters = [fmpz_poly([0, 1])] if self._context is None else self._context.gens()
        put(self, "gens", tuple(self._wrap(x, one) for x in letters))
        put(self, "_zero", self._wrap(self._poly(0), one))
        put(self, "_one", self._wrap(one, one))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"ExponentialField is immutable; cannot set {name!r}")

    @property
    def gen(self) -> ExponentialNumber:
        """The first generator: e^(−ε/unit) in the ordinary case."""
        return self.gens[0]

    @property
    def zero(self) -> ExponentialNumber:
        """The number 0."""
        return self._zero

    @property
    def one(self) -> ExponentialNumber:
        """The number 1."""
        return self._one

    @property
    def names(self) -> tuple[str, ...]:
        """The letters: t for e^(−rate), t2 for e^(−rate·√2) and so on."""
        return tuple("t" if q == 1 else f"t{q}" for q in self.roots)

    @property
    def latex_names(self) -> tuple[str, ...]:
        """The same in LaTeX."""
        return tuple("t" if q == 1 else f"t_{{{q}}}" for q in self.roots)

    @property
    def meanings(self) -> dict[str, str]:
        """What the letters stand for.

        >>> ExponentialField("1/10", roots=(1, 2)).meanings
        {'t': 'exp(-1/10)', 't2': 'exp(-1/10*sqrt(2))'}
        """
        return {name: _exponential(self.rate, q) for name, q in zip(self.names, self.roots, strict=True)}

    def exponential(self, exponent: object, root: int = 1) -> ExponentialNumber:
        """e^(−x·√root) for x a multiple of the rate; InputError if it is none, or the field has no such root.

        >>> ExponentialField("1/10", unit=2).exponential("3/20")
        ExponentialNumber('t^3')
        """
        x = Rational(exponent) / self.rate
        if x.denominator != 1 or root not in self.roots:
            raise InputError(
                f"{_exponential(Rational(exponent), root)} is not a power of a generator of {self}", value=exponent, field=self
            )
        power: ExponentialNumber = self.gens[self.roots.index(root)] ** x.numerator
        return power

    def _generator(self, k: int) -> ExponentialNumber:
        return self.gens[k]

    def _poly(self, key: Any) -> Poly:
        if self._context is None:
            return fmpz_poly(list(key)) if isinstance(key, (tuple, list)) else fmpz_poly([key])
        if isinstance(key, (tuple, list)):
            return self._context.from_dict({tuple(powers): c for powers, c in key})
        return self._context.constant(key)

    def _convert(self, value: Quotient) -> Any:
        """A number of a smaller field of exponentials is in this one, too."""
        if isinstance(value, ExponentialNumber):
            ratio = value.field.rate / self.rate
            if ratio.denominator == 1 and set(value.field.roots) <= set(self.roots):
                return value.substitute(*(self.gens[self.roots.index(q)] ** ratio.numerator for q in value.field.roots))
        return super()._convert(value)

    def join(self, other: OrderedField) -> ExponentialField | None:
        """The least field of exponentials that has the numbers of both: its rate is the greatest common
        measure of the two rates.

        >>> ExponentialField("1/10").join(ExponentialField("1/15"))
        ExponentialField('1/30', roots=(1,))
        """
        if not isinstance(other, ExponentialField):
            return None
        if other == self:
            return self
        below = lcm(self.rate.denominator, other.rate.denominator)
        above = gcd(*(x.numerator * (below // x.denominator) for x in (self.rate, other.rate)))
        steps = max(x.numerator * (below // x.denominator) // above for x in (self.rate, other.rate))
        if steps > MAX_STEPS:
            raise ResourceLimitError(
                f"{self} and {other} have the common step ε = {Rational(above, below)}, of which one is {steps} times as much; "
                f"the limit is {MAX_STEPS}. Choose values of ε with a simpler ratio",
                limit=MAX_STEPS,
                got=steps,
            )
        return ExponentialField(Rational(above, below), roots={*self.roots, *other.roots})

    def is_constant(self, p: Poly) -> bool:
        """Whether a polynomial is a number."""
        return bool(p.is_constant()) if isinstance(p, fmpz_mpoly) else bool(p.degree() <= 0)

    # Order
    # ---------------------------------------------------------------------------------------------------------------

    def _generators(self, precision: int) -> tuple[arb, ...]:
        """Balls around the generators."""
        known: tuple[arb, ...] | None = self._balls.get(precision)
        if known is None:
            with ctx.workprec(precision + 16):
                known = tuple((-arb(self.rate._q) * (arb(q).sqrt() if q > 1 else 1)).exp() for q in self.roots)
            self._balls[precision] = known
        return known

    def _at(self, p: Poly, precision: int) -> Any:
        """A ball around the value of a polynomial; the caller has set the precision."""
        balls = self._generators(precision)
        if isinstance(p, fmpz_mpoly):
            powers: dict[tuple[int, int], arb] = {}
            total = arb(0)
            for exponents, c in p.terms():
                product = arb(c)
                for k, e in enumerate(exponents):
                    if e:
                        if (k, e) not in powers:
                            powers[k, e] = balls[k] ** e
                        product = product * powers[k, e]
                total = total + product
            return total
        if p.degree() <= 0:
            return arb(p[0])
        return p(balls[0])

    def _sign_of(self, p: Poly, precision: int = FIRST_BITS) -> int:
        """The sign of a polynomial at the generators."""
        if p == 0:
            return 0
        if leading_tail(p) > 0 and all(c >= 0 for c in p.coeffs()):
            return 1
        while True:
            with ctx.workprec(precision):
                value = self._at(p, precision)
            if value > 0:
                return 1
            if value < 0:
                return -1
            precision *= 2

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExponentialField):
            return NotImplemented
        return self is other or (self.rate == other.rate and self.roots == other.roots)

    def __hash__(self) -> int:
        return hash((self.rate, self.roots))

    def __reduce__(self) -> tuple[Any, ...]:
        return (ExponentialField, (self.rate, 1, self.roots))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"ExponentialField('{self.rate}', roots={self.roots})"


def _squarefree(q: int) -> bool:
    return q == 1 or all(k == 1 for _, k in fmpz(q).factor())


def _exponential(rate: Rational, root: int) -> str:
    return f"exp(-{rate})" if root == 1 else f"exp(-{rate}*sqrt({root}))"


_MOST_BITS = 1 << 14
"""Balls of this precision must separate two numbers of which neither is a product of exponentials."""


def root_parts(square: Rational) -> tuple[Rational, int]:
    """√square as c·√q with q squarefree: (c, q).

    >>> root_parts(Rational("8/9")), root_parts(Rational("1/2"))
    ((Rational('2/3'), 2), (Rational('1/2'), 2))
    """
    number = fmpz(square.numerator) * fmpz(square.denominator)
    outside, inside = fmpz(1), fmpz(1)
    for prime, k in number.factor():
        outside *= prime ** (k // 2)
        inside *= prime ** (k % 2)
    return Rational(int(outside), square.denominator), int(inside)


def exponents_of(x: ExponentialNumber) -> dict[int, Rational] | None:
    """{q: c} with x = e^(−Σ c·√q), or None if x is not such a product."""
    above, below = terms(x._n), terms(x._d)
    if len(above) != 1 or len(below) != 1 or above[0][1] != 1 or below[0][1] != 1:
        return None
    field = x.field
    pairs = zip(field.roots, above[0][0], below[0][0], strict=True)
    return {q: field.rate * (m - n) for q, m, n in pairs if m != n}


def _to_power(exponents: Mapping[int, Rational], square: Rational) -> dict[int, Rational]:
    found: dict[int, Rational] = {}
    for q, c in exponents.items():
        outside, inside = root_parts(square * q)
        found[inside] = found.get(inside, Rational(0)) + c * outside
    return found


def _in_field(field: ExponentialField, exponents: Mapping[int, Rational]) -> ExponentialNumber | None:
    result = field.one
    for q, c in exponents.items():
        if q not in field.roots or (c / field.rate).denominator != 1:
            return None
        result = result * field.exponential(c, q)
    return result


def power_within(x: ExponentialNumber, square: Rational) -> ExponentialNumber | None:
    """x^√square if it is in the field of x, else None.

    >>> plane = ExponentialField(1, unit=2, roots=(1, 2))
    >>> power_within(plane.gen, Rational(2)), power_within(plane.gen ** 2, Rational("1/4")), power_within(plane.gen, Rational(5))
    (ExponentialNumber('t2'), ExponentialNumber('t'), None)
    """
    exponents = exponents_of(x)
    return None if exponents is None else _in_field(x.field, _to_power(exponents, square))


def exponential_power(x: ExponentialNumber, square: Rational) -> ExponentialNumber | None:
    """x^√square in the least field that has it and the field of x; None if x is not a product of
    exponentials.
    """
    exponents = exponents_of(x)
    if exponents is None:
        return None
    wanted = _to_power(exponents, square)
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
    """The sign of x − y^√square for positive x, y, at least one of them an :class:`ExponentialNumber`, the
    other of its field or ℚ.

    Raises
    ------
    UndecidedSignError
        Neither is a product of exponentials, √square is irrational, and balls of 16384 bits don't separate
        the two.

    Examples
    --------
    >>> t = ExponentialField(1).gen
    >>> compare_exponential_power(Rational("1/4"), t, Rational(2)), compare_exponential_power(t**2, t, Rational(4))
    (1, 0)
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
    precision = 64
    while precision <= _MOST_BITS:
        with ctx.workprec(precision):
            difference = x.ball(precision).log() - arb(square._q).sqrt() * y.ball(precision).log()
        if difference > 0:
            return 1
        if difference < 0:
            return -1
        precision *= 2
    raise UndecidedSignError(
        f"({x}) and ({y})^sqrt({square}) agree to {_MOST_BITS} bits, and no theorem says whether they are equal",
        values=(x, y),
        exponent_square=square,
    )
