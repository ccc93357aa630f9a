# SPDX-License-Identifier: MIT
"""ℚ(e^(−ε/k)), and several exponentials e^(−ε√q/k): the numbers that a level given as ε leads to.

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
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from math import gcd, isinf, lcm
from typing import Any, TypeVar, overload

from flint import arb, fmpq, fmpz, fmpz_mpoly, fmpz_mpoly_ctx

from exactdp.errors import ExpressionSyntaxError, InputError, ParameterRangeError, ResourceLimitError, brief_value, wrong_kind
from exactdp.exact.balls import PRECISION, sign_from_balls, workprec
from exactdp.exact.comparison import common_field
from exactdp.exact.decimals import plain_text
from exactdp.exact.field import OrderedField
from exactdp.exact.formats import DECIMAL_LETTERS
from exactdp.exact.formula import EXP, Exponential, Expression, evaluate, exponential_text, leaves, parse_expression, shortened
from exactdp.exact.polynomial import Poly, leading_tail, terms, value_at
from exactdp.exact.quotient import Quotient, QuotientField, set_memo
from exactdp.exact.rational import Rational, _wrap
from exactdp.exact.sympy_operators import Symbols
from exactdp.runtime.budget import require_budget

R = TypeVar("R", str, int, Rational, int | Rational)

FIRST_BITS = 96
"""Bits of the ball that every number keeps once it has been compared."""

FIRST_PLACES = 24
"""Digits after the point of the first enclosure by which a number is rounded."""

MAX_RATE = 10_000
"""Largest ε/k: at 10,000 the number e^(−ε) has 4,343 zeros after the point."""


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

    def __eq__(self, other: object, /) -> bool:
        """Equality of numbers, also of two fields: e^(−1) is one number, whatever the rate of its field."""
        if type(other) is ExponentialNumber and other._field is not self._field and other._field != self._field:
            return self._in_powers_of_e() == other._in_powers_of_e()
        return super().__eq__(other)

    def __hash__(self) -> int:
        constant = self.rational
        return hash(self._in_powers_of_e()) if constant is None else hash(constant)

    def _in_powers_of_e(self) -> tuple[Any, ...]:
        """The same for the same number of any field: numerator and denominator as sums of powers of e."""
        steps = [(self.field.rate, q) for q in self.field.roots]
        return tuple(
            frozenset(
                (tuple((rate * int(k), q) for (rate, q), k in zip(steps, powers, strict=True) if k), int(c)) for powers, c in terms(p)
            )
            for p in (self._n, self._d)
        )

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
            set_memo(self, known)
        return known

    def ball(self, precision: int) -> Any:
        """A ball around the number; stays inside :mod:`exactdp.exact`."""
        with PRECISION, workprec(precision):
            return self.field._at(self._n, precision) / self.field._at(self._d, precision)

    def compare(self, other: Any) -> int:
        """The sign of this number minus the other, decided exactly."""
        if type(other) is ExponentialNumber and (other._field is self._field or other._field == self._field):
            mine, theirs = self._ball(), other._ball()
            if mine < theirs:
                return -1
            if mine > theirs:
                return 1
        if type(other) is int and other == 0:
            return self.sign()  # from the ball that is kept
        return super().compare(other)

    def enclosure(self, digits: int) -> tuple[Rational, Rational]:
        """The decimals just below and above, with so many digits after the point; equal if the number is one.

        >>> ExponentialField(1).gen.enclosure(3)
        (Rational('367/1000'), Rational('46/125'))
        """
        scale = fmpz(10) ** digits
        constant = self.rational
        if constant is not None:
            scaled = constant._q * scale
            return _wrap(fmpq(scaled.floor(), scale)), _wrap(fmpq(scaled.ceil(), scale))
        precision = FIRST_BITS
        while True:
            ball = self._ball() if precision == FIRST_BITS else self.ball(precision)
            with PRECISION, workprec(precision):
                below = (ball * scale).floor().unique_fmpz()
            if below is not None:
                return _wrap(fmpq(below, scale)), _wrap(fmpq(below + 1, scale))
            precision = max(2 * precision, FIRST_BITS + 4 * digits)

    def substitute(self, *values: Any) -> Any:
        """The quotient of other scalars: one for each generator of the field."""
        if len(values) != len(self.field.names):
            raise InputError(f"{len(values)} values for the generators {', '.join(self.field.names)}", values=values)
        field = values[0].field
        above, below = (value_at(p, values, lambda c: field(int(c))) for p in (self._n, self._d))
        return above / below

    def formula(self) -> str:
        """The number as a formula without letters, which files have and :func:`reader_of_exponentials` reads.

        >>> t = ExponentialField("1/2").gen
        >>> ((1 - t**2) / (1 + t**2)).formula()
        '(-exp(-1/2)^2 + 1)/(exp(-1/2)^2 + 1)'
        """
        return self._written(tuple(self.field.meanings.values()))

    def __floor__(self) -> int:
        return self.enclosure(0)[0].numerator

    def __ceil__(self) -> int:
        return self.enclosure(0)[1].numerator

    def __float__(self) -> float:
        """The nearest double, which whoever calls ``float`` asks for; never for a verdict."""
        constant = self.rational
        if constant is not None:
            return float(constant)
        precision = FIRST_BITS
        while True:  # ends: an irrational number is not halfway between two doubles
            ball = self.ball(precision)
            with PRECISION, workprec(precision):
                below, above = float(ball.lower()), float(ball.upper())
            if isinf(below):
                raise OverflowError(f"{self} is too large for a float")
            if below == above:
                return below
            precision *= 2

    def __trunc__(self) -> int:
        return self.__floor__() if self.sign() > 0 else self.__ceil__()

    def __int__(self) -> int:
        return self.__trunc__()

    def __format__(self, spec: str) -> str:
        """The exact form; with a format of decimals such as ``.3f`` rounded once, from the number itself.

        >>> f"{ExponentialField(1).gen:.3f}", f"{ExponentialField(1).gen:>8}"
        ('0.368', '       t')
        """
        if not spec or spec[-1] not in DECIMAL_LETTERS:
            return format(str(self), spec)
        return self._rounded(lambda end: format(end, spec))

    @overload
    def __round__(self, digits: None = None) -> int: ...
    @overload
    def __round__(self, digits: int) -> Rational: ...

    def __round__(self, digits: int | None = None) -> int | Rational:
        """The nearest integer, or the nearest decimal with so many digits after the point.

        >>> round(ExponentialField(1).gen), round(ExponentialField(1).gen, 2)
        (0, Rational('37/100'))
        """
        return self._rounded(lambda end: round(end, digits))

    def _rounded(self, rounding: Callable[[Rational], R]) -> R:
        """What the number is rounded to: both ends of an enclosure are, if it is narrow enough."""
        places = FIRST_PLACES
        while True:  # ends: an irrational number is not halfway between two decimals
            require_budget(f"an enclosure of {self}", digits=places)
            below, above = map(rounding, self.enclosure(places))
            if below == above:
                return below
            places *= 2


def _ball_at(p: fmpz_mpoly, balls: Sequence[arb]) -> arb:
    """A ball around a polynomial's value, variable by variable from the last one on."""
    values: dict[tuple[int, ...], Any] = {tuple(map(int, powers)): c for powers, c in p.terms()}
    for ball in reversed(balls):
        powers: dict[int, arb] = {}
        sums: dict[tuple[int, ...], Any] = {}
        for exponents, value in values.items():
            before, e = exponents[:-1], exponents[-1]
            if e and e not in powers:
                powers[e] = ball**e
            term = powers[e] * value if e else value
            known = sums.get(before)
            sums[before] = term if known is None else known + term
        values = sums
    return arb(values.get((), 0))


class ExponentialField(QuotientField):
    """The field ℚ(t_q : q in roots) with t_q = e^(−(ε/unit)·√q): immutable, picklable, equal by value.

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
    ExponentialNumber('t^2', t = e^(−1/20))
    >>> ExponentialField("1/10", unit=2) == ExponentialField("1/20")
    True
    """

    __slots__ = ("_balls", "name", "rate", "roots")
    rate: Rational
    roots: tuple[int, ...]
    _balls: dict[int, tuple[arb, ...]]
    _scalar = ExponentialNumber

    def __init__(self, epsilon: object, unit: int = 1, roots: Any = (1,)) -> None:
        value = Rational(epsilon)
        if value.sign() <= 0:
            message = f"ε = {value} is not positive: e^(−ε) must lie strictly between 0 and 1"
            raise ParameterRangeError(message, name="epsilon", value=value, allowed="> 0")
        if not isinstance(unit, int) or isinstance(unit, bool) or unit < 1:
            raise ParameterRangeError(f"the unit {unit!r} is not an integer >= 1", name="unit", value=unit, allowed=">= 1")
        try:
            chosen = tuple(sorted(roots))
        except TypeError:
            raise wrong_kind("roots", roots, "distinct squarefree integers such as (1, 2)") from None
        bad = [q for q in chosen if not isinstance(q, int) or isinstance(q, bool) or q < 1 or not _squarefree(q)]
        if bad or not chosen or len(set(chosen)) < len(chosen):
            raise ParameterRangeError(
                f"the roots {brief_value(chosen)} are not distinct squarefree integers >= 1 (√8 is 2·√2: use 2)",
                name="roots",
                value=chosen,
                allowed="distinct squarefree integers",
            )
        rate = value / unit
        if rate > MAX_RATE:
            raise ResourceLimitError(f"ε is too large: e^(−ε) is refused for ε above {MAX_RATE}", limit=MAX_RATE, got=rate)
        name = f"QQ({', '.join(_exponential(rate, q) for q in chosen)})"
        self._set(rate=rate, roots=chosen, name=name, _balls={})
        letters = tuple("t" if q == 1 else f"t{q}" for q in chosen)  # for e^(−rate), e^(−rate·√2) and so on
        self._set_ring(letters, None if len(chosen) == 1 else fmpz_mpoly_ctx.get(letters, "lex"))

    @property
    def letters(self) -> tuple[str, ...]:
        """None: its generators are numbers."""
        return ()

    @property
    def latex_names(self) -> tuple[str, ...]:
        """The same in LaTeX."""
        return tuple("t" if q == 1 else f"t_{{{q}}}" for q in self.roots)

    @property
    def latex_meanings(self) -> str:
        r"""What the letters stand for.

        >>> print(ExponentialField("1/2", roots=(1, 2)).latex_meanings)
        ,\quad t = e^{-\frac{1}{2}},\quad t_{2} = e^{-\frac{1}{2} \sqrt{2}}
        """
        rate = self.rate.latex()
        powers = (rate if q == 1 else rf"{rate} \sqrt{{{q}}}" for q in self.roots)
        return "".join(rf",\quad {name} = e^{{-{x}}}" for name, x in zip(self.latex_names, powers, strict=True))

    def _sympy_generators(self, letters: Symbols) -> tuple[Any, ...]:
        from sympy import exp, sqrt

        return tuple(exp(-self.rate.to_sympy() * sqrt(q)) for q in self.roots)

    @property
    def meanings(self) -> dict[str, str]:
        """What the letters stand for.

        >>> ExponentialField("1/10", roots=(1, 2)).meanings
        {'t': 'exp(-1/10)', 't2': 'exp(-1/10*sqrt(2))'}
        """
        return {name: _exponential(self.rate, q) for name, q in zip(self.names, self.roots, strict=True)}

    @property
    def legend(self) -> dict[str, str]:
        """The same for people.

        >>> ExponentialField("1/10", roots=(1, 2)).legend
        {'t': 'e^(−1/10)', 't2': 'e^(−1/10·√2)'}
        """
        return {name: f"e^(−{plain_text(self.rate)}{'' if q == 1 else f'·√{q}'})" for name, q in zip(self.names, self.roots, strict=True)}

    def exponential(self, exponent: object, root: int = 1) -> ExponentialNumber:
        """e^(−x·√root) for x a multiple of the rate; InputError if it is none, or the field has no such root.

        >>> ExponentialField("1/10", unit=2).exponential("3/20")
        ExponentialNumber('t^3', t = e^(−1/20))
        """
        x = Rational(exponent) / self.rate
        if x.denominator != 1 or root not in self.roots:
            raise InputError(
                f"{_exponential(Rational(exponent), root)} is not a power of a generator of {self}", value=exponent, field=self
            )
        power: ExponentialNumber = self.gens[self.roots.index(root)] ** x.numerator
        return power

    def _convert(self, value: Quotient) -> Any:
        """A number of a smaller field of exponentials is in this one, too."""
        if isinstance(value, ExponentialNumber):
            ratio = value.field.rate / self.rate
            if ratio.denominator == 1 and set(value.field.roots) <= set(self.roots):
                return value.substitute(*(self.gens[self.roots.index(q)] ** ratio.numerator for q in value.field.roots))
        return super()._convert(value)

    def join(self, other: OrderedField) -> ExponentialField | None:
        """The least field of exponentials with the numbers of both; its rate is their common measure.

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
        require_budget(f"the least field with {self} and {other} (choose values of ε with a simpler ratio)", degree=steps)
        return ExponentialField(Rational(above, below), roots={*self.roots, *other.roots})

    # --- Order ---

    def sign_of_dot(self, pairs: Iterable[tuple[Any, Any]]) -> int:
        """From the balls that the numbers keep; only where these do not tell, the sum is computed."""
        listed = [(self(x), self(y)) for x, y in pairs]
        balls = [(x._ball(), y._ball()) for x, y in listed]
        with PRECISION, workprec(FIRST_BITS):
            total = arb(0)
            for x, y in balls:
                total += x * y
        if total > 0:
            return 1
        if total < 0:
            return -1
        return int(self.dot(listed).sign())

    def keeps_products(self, x: Any, y: Any, p: Any, q: Any) -> bool:
        """Whether q·x ≥ p·y and q·y ≥ p·x: from the balls that the numbers keep, as :meth:`sign_of_dot`.

        >>> t = ExponentialField(1).gen
        >>> t.field.keeps_products(t, t * t, t, 1), t.field.keeps_products(t, t**3, t, 1)
        (True, False)
        """
        factors = [self(p), self.one if q == 1 else self(q)]
        a, b, u, v = (value._ball() for value in (x, y, *factors))
        with PRECISION, workprec(FIRST_BITS):
            both = (v * a - u * b, v * b - u * a)
        minus = -factors[0]
        pairs = ((x, y), (y, x))
        return all(ball > 0 or self.sign_of_dot([(c, q), (d, minus)]) >= 0 for ball, (c, d) in zip(both, pairs, strict=True))

    def _generators(self, precision: int) -> tuple[arb, ...]:
        """Balls around the generators."""
        known: tuple[arb, ...] | None = self._balls.get(precision)
        if known is None:
            with PRECISION, workprec(precision + 16):
                known = tuple((-arb(self.rate._q) * (arb(q).sqrt() if q > 1 else 1)).exp() for q in self.roots)
            self._balls[precision] = known
        return known

    def _at(self, p: Poly, precision: int) -> Any:
        """A ball around the value of a polynomial; the caller has set the precision."""
        balls = self._generators(precision)
        if isinstance(p, fmpz_mpoly):
            return _ball_at(p, balls)
        if p.degree() <= 0:
            return arb(p[0])
        return p(balls[0])

    def _sign_of(self, p: Poly, precision: int = FIRST_BITS) -> int:
        """The sign of a polynomial at the generators."""
        if p == 0:
            return 0
        if leading_tail(p) > 0 and all(c >= 0 for c in p.coeffs()):
            return 1
        return sign_from_balls(lambda bits: self._at(p, bits), precision)

    def _key(self) -> tuple[Any, ...]:
        return self.rate, 1, self.roots

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"ExponentialField('{self.rate}', roots={self.roots})"


def _squarefree(q: int) -> bool:
    return q == 1 or all(k == 1 for _, k in fmpz(q).factor())


def field_of_exponentials(powers: Sequence[tuple[Rational, int]]) -> OrderedField:
    """The least field with e^(x·√q) for some pairs (x, q); ℚ if every x is 0.

    Raises ResourceLimitError if one of them is more steps of their common measure than the budget has
    degrees.

    >>> field_of_exponentials([(Rational("-1/2"), 1), (Rational("1/3"), 2)])
    ExponentialField('1/6', roots=(1, 2))
    """
    sizes, kinds = [abs(x) for x, _ in powers if x], {(abs(x), q) for x, q in powers if x}
    field = common_field(*(ExponentialField(x, roots=(q,)) for x, q in sorted(kinds)))
    if not isinstance(field, ExponentialField):
        return field
    steps = int((max(sizes) / field.rate).numerator)
    require_budget(f"a number of {field}", degree=steps)
    return field


def reader_of_exponentials(texts: Iterable[str]) -> Callable[[str], Any]:
    """What reads formulas such as ``1/(1 + exp(-1/2))``, all over the least field that some of them have.

    >>> [str(reader_of_exponentials(["exp(-1/2)", "exp(-1/3)"])(text)) for text in ("1 - exp(-1/2)", "2/3")]
    ['-t^3 + 1', '2/3']
    """
    known: dict[str, Expression] = {}
    for text in texts:
        with suppress(ExpressionSyntaxError):  # refused when its place is known
            known[text] = parse_expression(text, [EXP])
    found = [leaf for formula in known.values() for leaf in leaves(formula)]
    field = field_of_exponentials([(leaf.exponent, leaf.root) for leaf in found if isinstance(leaf, Exponential)])

    def power(x: Rational, q: int) -> Any:
        return field.exponential(-x, q) if isinstance(field, ExponentialField) and x else field.one

    def read(text: str) -> Any:
        formula = known[text] if text in known else parse_expression(text, [EXP])
        letter = next((leaf for leaf in leaves(formula) if not isinstance(leaf, Exponential)), None)
        if letter is not None:
            message = f"{shortened(text)!r} has the letter {letter} beside {EXP}(…); a table has one or the other"
            raise InputError(message, text=text)
        return evaluate(formula, {EXP: power}, field)

    return read


def _exponential(rate: Rational, root: int) -> str:
    return exponential_text(-rate, root)
