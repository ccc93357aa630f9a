# SPDX-License-Identifier: MIT
"""ℚ(α) on an interval: rational functions of the privacy level, and their signs on all of the interval.

A comparison, also ``==``, is a statement about *every* point of the interval: it answers when it is true
everywhere or false everywhere, and raises :class:`~exactdp.errors.UndecidedSignError` with the exact points
where its truth changes otherwise. (:func:`~exactdp.exact.identity.same_formula` compares the formulas.)

A function may have poles inside, which every comparison of it names. What would make it forget one is refused
with the point: a product in which the denominator cancels, or a quotient by what is zero there.

Examples
--------
>>> field = RationalFunctionField(Interval(0, 1), "a")
>>> a = field.gen
>>> (1 - a * a) / (1 + a) == 1 - a, a > 0, a < 1
(True, True, True)
>>> 1 / (2 * a - 1) * (2 * a - 1)
Traceback (most recent call last):
...
exactdp.errors.DomainError: this is not defined at a = 1/2, and 1 is; ...
>>> (2 * a - 1).sign()
Traceback (most recent call last):
...
exactdp.errors.UndecidedSignError: the sign of 2*a - 1 is not the same on all of (0, 1); it changes at ...
>>> a * a - a + 1 >= "3/4"
Traceback (most recent call last):
...
TypeError: ...
>>> a * a - a + Rational("1/4") >= 0, (a * a - a + Rational("1/4")).sign_on_interval().signs
(True, (0, 1))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flint import fmpq

from exactdp.errors import DomainError, InexactInputError, InputError, MixedDomainError, UndecidedSignError, repr_of
from exactdp.exact.algebraic import AlgebraicNumber, Point
from exactdp.exact.elimination import determinant, largest_minors, rank_of
from exactdp.exact.field import OrderedField, Scalar
from exactdp.exact.formula import Expression, shortened
from exactdp.exact.inexact import exactly
from exactdp.exact.intervals import Interval, SignPattern, sign_at, sign_pattern
from exactdp.exact.polynomial import Poly, poly_key
from exactdp.exact.quotient import FormulaArithmetic, FormulaField, FunctionQuotient, Quotient, QuotientField, set_memo
from exactdp.exact.rational import Rational, _wrap

NAMES = frozenset("abcdefghijklmnopqrstuvwxyz") | {"alpha"}
"""What the level may be called."""


MOST_PATTERNS = 20_000
"""So many polynomials' signs are remembered at once, for each field."""


class RationalFunction(FunctionQuotient):
    """An element of a :class:`RationalFunctionField`; made by arithmetic with its ``gen``."""

    __slots__ = ()

    @property
    def field(self) -> RationalFunctionField:
        """The field, with its interval."""
        field: RationalFunctionField = self._field
        return field

    def _denominator_sign(self) -> int:
        """Of the denominator at a point inside, where it is not zero (it may be elsewhere)."""
        return self.field._sign_inside(self._d)

    def _new(self, n: Poly, d: Poly) -> RationalFunction:
        result: RationalFunction = self._field._lowest(n, d)
        if result._d.degree() < d.degree():
            self.field.require_kept([d], result)
        return result

    def _require_divisor(self, above: object) -> None:
        """Refuse it if it has a pole, where the quotient would be defined; a zero becomes a pole of that."""
        if self._d.degree() > 0:
            self.field.require_kept([self._d], self._generic_quotient(above))

    def _equals_where_defined(self, other: Any) -> bool:
        """Whether it equals the other, another formula, at every point (True) or nowhere (False)."""
        pattern = self.field._lowest(*self._minus(exactly(other))).sign_on_interval()
        if pattern.signs == (0,) and not pattern.poles:
            return True  # at the only point of the interval
        if 0 not in pattern.signs and not pattern.poles:
            return False
        letter, interval = self.field.name_of_level, self.field.interval
        if pattern.poles:
            where = f"is not defined at {letter} = {', '.join(map(str, pattern.poles))}"
        else:
            where = f"is true at {letter} = {', '.join(str(x) for x, _ in pattern.zeros)}, and false elsewhere"
        raise UndecidedSignError(
            f"{self} == {other} has not the same answer on all of {interval}: it {where}; same_formula compares the formulas",
            function=self,
            interval=interval,
            points=pattern.points,
            changes=pattern.changes,
            pattern=pattern,
        )

    def _over_joint_field(self, other: Quotient) -> tuple[Any, Any] | None:
        if not isinstance(other, RationalFunction) or other.field.name_of_level != self.field.name_of_level:
            return super()._over_joint_field(other)
        if other.field.judged == self.field.judged:  # one of the two is a formula
            return self._as_formula(), other._as_formula()
        common = self.field.interval.intersection(other.field.interval)
        if common is None:
            return None
        return self.restrict(common), other.restrict(common)

    def _minus(self, other: Any) -> tuple[Poly, Poly]:
        """Numerator and denominator of the difference, not in lowest terms."""
        operand = self._operand(other)
        assert operand is not None
        n, d = operand
        return self._n * d - n * self._d, self._d * d

    def sign_on_interval(self) -> SignPattern:
        """Which signs the function takes on its interval, with its zeros, sign changes and poles there.

        >>> a = RationalFunctionField().gen
        >>> (1 / (3 * a - 1)).sign_on_interval()
        SignPattern(signs=(-1, 1), zeros=(), changes=(Rational('1/3'),), poles=(Rational('1/3'),))
        """
        known: SignPattern | None = self._memo
        if known is None:
            known = self._pattern()
            set_memo(self, known)
        return known

    def _pattern(self) -> SignPattern:
        pattern_of = self.field.sign_pattern
        above, below = pattern_of(self._n), pattern_of(self._d)
        if not below.zeros:
            if below.signs == (1,):
                return above
            return SignPattern(tuple(-s for s in reversed(above.signs)), above.zeros, above.changes)
        poles = tuple(x for x, _ in below.zeros)
        both = pattern_of(self._n * self._d)
        signs = tuple(s for s in both.signs if s or above.zeros or self._n == 0)
        return SignPattern(signs, above.zeros, both.changes, poles)

    def sign(self) -> int:
        """−1, 0 or 1 when that is its sign on the whole interval; UndecidedSignError otherwise."""
        pattern = self.sign_on_interval()
        if len(pattern.signs) == 1 and not pattern.poles:
            return pattern.signs[0]
        raise self._undecided(pattern)

    def weak_sign(self) -> int:
        """0 for the zero function, ±1 if it is ≥ 0 or ≤ 0 on the interval; else UndecidedSignError."""
        pattern = self.sign_on_interval()
        if pattern.poles or (pattern.minimum < 0 < pattern.maximum):
            raise self._undecided(pattern)
        return pattern.maximum or pattern.minimum

    def _undecided(self, pattern: SignPattern) -> UndecidedSignError:
        name, interval = self.field.name_of_level, self.field.interval
        if pattern.poles:
            where = f"it is not defined at {name} = {', '.join(map(str, pattern.poles))}"
        elif pattern.changes:
            where = f"it changes at {name} = {', '.join(map(str, pattern.changes))}"
        else:
            where = f"it is zero at {name} = {', '.join(str(x) for x, _ in pattern.zeros)}"
        return UndecidedSignError(
            f"the sign of {self} is not the same on all of {interval}; {where}; ask on the pieces between such points",
            polynomial=self.numerator,
            function=self,
            interval=interval,
            points=pattern.points,
            changes=pattern.changes,
            pattern=pattern,
        )

    def _holds(self, other: Any, allowed: tuple[int, ...]) -> bool:
        """Whether the sign of self − other is one of these everywhere (True) or nowhere (False)."""
        difference = self if type(other) is int and other == 0 else self - exactly(other)
        if not isinstance(difference, RationalFunction):
            return self._holds_elsewhere(difference, other, allowed)
        pattern = difference.sign_on_interval()
        good = [s in allowed for s in pattern.signs]
        if pattern.poles or (any(good) and not all(good)):
            raise difference._undecided(pattern)
        return all(good)

    def evaluate(self, x: object) -> Rational:
        """The exact value at a rational number.

        >>> a = RationalFunctionField().gen
        >>> ((1 - a) / (1 + a)).evaluate("1/4")
        Rational('3/5')
        """
        at = Rational(x)._q
        below = self._d(at)
        if below == 0:
            message = f"{self} is not defined at {self.field.name_of_level} = {at}"
            raise DomainError(message, function=self, point=Rational(x))
        return _wrap(self._n(at) / below)

    def sign_at(self, x: Point | int) -> int:
        """The exact sign at a rational or algebraic point; DomainError at a pole."""
        point = x if isinstance(x, AlgebraicNumber) else Rational(x)
        below = sign_at(self._d, point)
        if below == 0:
            raise DomainError(f"{self} is not defined at {self.field.name_of_level} = {x}", function=self, point=point)
        return sign_at(self._n, point) * below

    def substitute(self, value: Any) -> Any:
        """The function of another scalar: a rational number, an element of this or of another field.

        >>> a = RationalFunctionField().gen
        >>> print(((1 - a) / (1 + a)).substitute(a * a))
        (-a^2 + 1)/(a^2 + 1)
        """
        value = value if isinstance(value, Scalar) else Rational(value)
        above = below = value.field.zero
        for c in reversed(self._n.coeffs()):
            above = above * value + int(c)
        for c in reversed(self._d.coeffs()):
            below = below * value + int(c)
        return above / below

    def restrict(self, interval: Interval) -> RationalFunction:
        """The same function on another interval."""
        return self.field.on(interval)._wrap(self._n, self._d)  # type: ignore[no-any-return]

    def degrees(self) -> tuple[int, int]:
        """The degrees of numerator and denominator."""
        return max(0, int(self._n.degree())), int(self._d.degree())

    def _inexact(self, asked: str) -> InexactInputError:
        letter = self.field.name_of_level
        message = f"{self} is a function of {letter} and has no {asked}; take its value at a level first: evaluate('1/2')"
        return InexactInputError(message, value=self)

    def rough_float(self) -> float:
        """About the value at one point of the interval; for float solvers, never for a verdict."""
        return float(self.evaluate(self.field.interval.sample()))


class RationalFunctionField(QuotientField):
    """The field ℚ(α), its elements compared on an interval: immutable, hashable, picklable, equal by value.

    Parameters
    ----------
    interval : Interval
        Where α lives; (0, 1) unless said otherwise. It may be one point, even an irrational one.
    name : str
        The letter of α: one small letter or "alpha".

    Attributes
    ----------
    gen : RationalFunction
        α itself.

    Raises
    ------
    InputError
        The name is none of these.

    Examples
    --------
    >>> field = RationalFunctionField(Interval("1/2", 1))
    >>> field, field.gen ** 2
    (RationalFunctionField((1/2, 1), 'a'), RationalFunction('a^2'))
    """

    __slots__ = ("_formulas", "_outer", "_patterns", "_sample", "interval", "name", "name_of_level")
    interval: Interval
    _formulas: RationalFunctionField | None
    _outer: RationalFunctionField | None  # the last field that was found to know this one's interval
    _patterns: dict[Any, SignPattern]
    name_of_level: str
    _sample: fmpq | None
    _scalar = RationalFunction

    def __init__(self, interval: Interval | None = None, name: str = "a") -> None:
        if interval is None:
            interval = Interval(0, 1)
        if not isinstance(interval, Interval):
            raise InputError(f"{repr_of(interval)} is not an Interval", value=interval)
        if not isinstance(name, str) or name not in NAMES:
            raise InputError(f"{name!r} can't name the level; use one small letter or 'alpha'", name=name)
        irrational = interval.is_point and isinstance(interval.lower, AlgebraicNumber)
        self._set(interval=interval, name_of_level=name, name=f"QQ({name}) on {interval}")
        self._set(_sample=None if irrational else interval.sample()._q, _patterns={}, _formulas=None, _outer=None)
        self._set_ring((name,))

    @property
    def latex_names(self) -> tuple[str, ...]:
        """α in LaTeX."""
        return (r"\alpha" if self.name_of_level in {"a", "alpha"} else self.name_of_level,)

    def signs_of_letter(self, name: str) -> tuple[int, ...]:
        """Those of −1, 0, 1 that the letter may have.

        >>> RationalFunctionField().signs_of_letter("a")
        (1,)
        """
        return self.interval.signs

    @property
    def where(self) -> str:
        """Where the letter may be, in words that follow a name."""
        return f"in {self.interval}"

    def on(self, interval: Interval) -> RationalFunctionField:
        """The field of the same letter on another interval."""
        return type(self)(interval, self.name_of_level)

    @property
    def formulas(self) -> RationalFunctionField:
        """The functions as formulas."""
        if self._formulas is None:
            found = FormulasOfLevel(self.interval, self.name_of_level)
            found._set(_formulas=self)
            self._set(_formulas=found)
        return self._formulas  # type: ignore[return-value]

    def _convert(self, value: Quotient) -> Any:
        if isinstance(value, RationalFunction) and value.field.name_of_level == self.name_of_level:
            if value.field is self._outer or value.field.interval.contains(self.interval):
                self._set(_outer=value.field)
                return self._wrap(value._n, value._d)
            raise MixedDomainError(
                f"{value} is known on {value.field.interval} only, which does not contain {self.interval}; use restrict()",
                fields=(self, value.field),
            )
        return super()._convert(value)

    def _sign_inside(self, p: Poly) -> int:
        """The sign of a polynomial that is not zero, at a point inside where it is not zero."""
        at = self._sample
        if at is None:
            return sign_at(p, self.interval.lower)
        value = p(at)
        if value != 0:
            return 1 if value > 0 else -1
        return self.sign_pattern(p).maximum or 1

    def require_kept(self, denominators: Iterable[Poly], *results: RationalFunction) -> None:
        """DomainError unless some results have a pole wherever a denominator is zero on the interval.

        >>> field = RationalFunctionField()
        >>> field.require_kept([(2 * field.gen - 1)._n], 1 / (1 - 2 * field.gen))
        """
        for below in denominators:
            if below.degree() <= 0:
                continue
            for point in self._zeros_of(below):
                kept = next((x for x in results if sign_at(x._d, point)), None)
                if kept is not None:
                    raise DomainError(
                        f"this is not defined at {self._place(point)}, and {kept} is; ask on the pieces of {self.interval} between such "
                        f"points, or write {kept} where that is meant",
                        function=kept,
                        interval=self.interval,
                        points=(point,),
                    )

    def _place(self, point: Point) -> str:
        return f"{self.name_of_level} = {shortened(str(point))}"

    def _zeros_of(self, p: Poly) -> tuple[Point, ...]:
        """The points of the interval where a polynomial is zero."""
        return tuple(point for point, _ in self.sign_pattern(p).zeros)

    def sign_pattern(self, p: Poly) -> SignPattern:
        """The signs of a polynomial on the interval, remembered: entries and constraints repeat each other.

        >>> field = RationalFunctionField()
        >>> field.sign_pattern((2 * field.gen - 1)._n).changes
        (Rational('1/2'),)
        """
        key = poly_key(p)
        known = self._patterns.get(key)
        if known is None:
            if len(self._patterns) >= MOST_PATTERNS:
                self._patterns.clear()
            known = sign_pattern(p, self.interval, None if self._sample is None else _wrap(self._sample))
            self._patterns[key] = known
        return known

    def require_defined(self, matrix: Any) -> None:
        """DomainError if an entry has a pole on the interval."""
        for x in (x for row in matrix for x in row):
            poles = x.sign_on_interval().poles if x._d.degree() > 0 else ()
            if poles:
                raise DomainError(f"{x} is not defined at {self.name_of_level} = {poles[0]}", function=x, points=poles)

    def require_regular(self, matrix: Any) -> None:
        """DomainError if a square matrix is singular, or not defined, somewhere on the interval."""
        self.require_defined(matrix)
        found = determinant(self, matrix)
        zeros = [point for point, _ in found.sign_on_interval().zeros]
        if zeros:
            raise DomainError(
                f"the matrix is singular at {self._place(zeros[0])}: its determinant is {shortened(str(found))}; ask on the pieces of "
                f"{self.interval} between such points",
                determinant=found,
                interval=self.interval,
                points=tuple(zeros),
            )

    def require_one_rank(self, matrix: Any) -> None:
        """DomainError unless a matrix is defined, and has one rank, on the whole interval."""
        self.require_defined(matrix)
        rank, common = rank_of(self, matrix), self._poly(0)
        for minor in largest_minors(self, matrix, rank):
            common = common.gcd(minor)
            zeros = self._zeros_of(common)
            if not zeros:
                return
        raise DomainError(
            f"the rank is, or may be, smaller than {rank} at {self._place(zeros[0])}; generic_rank() is the largest one",
            interval=self.interval,
            points=tuple(zeros),
        )

    def matmul(self, left: Any, right: Any) -> Any:
        """The product; DomainError if a factor has a pole on the interval that an entry of it has not."""
        found = super().matmul(left, right)
        for above, row in zip(left, found, strict=True):
            for column, x in zip(zip(*right, strict=True), row, strict=True):
                self.require_kept([y._d for y in (*above, *column)], x)
        return found

    def det(self, matrix: Any) -> Any:
        """The determinant; DomainError if an entry has a pole on the interval that it has not."""
        found = super().det(matrix)
        self.require_kept((x._d for row in matrix for x in row), found)
        return found

    def _require_divisor(self, divisor: Expression, below: Any, value: Any) -> None:
        poles = value.sign_on_interval().poles
        point = next((x for x, _ in below.sign_on_interval().zeros if x not in poles), None)
        if point is not None:
            zero = f"{shortened(str(divisor))}, which is zero at {self.name_of_level} = {point}"
            raise InputError(
                f"the formula divides by {zero}; where {value} is meant there too, write that",
                divisor=divisor,
                point=point,
            )

    def _key(self) -> tuple[Any, ...]:
        return self.interval, self.name_of_level

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"RationalFunctionField({self.interval}, {self.name_of_level!r})"


class FormulaOfLevel(FormulaArithmetic, RationalFunction):
    """An element of :class:`FormulasOfLevel`."""

    __slots__ = ()


class FormulasOfLevel(FormulaField, RationalFunctionField):
    """ℚ(α) as formulas; see :attr:`~exactdp.exact.field.OrderedField.formulas`."""

    __slots__ = ()
    _scalar = FormulaOfLevel

    @property
    def judged(self) -> RationalFunctionField:
        """The field whose comparisons are about every point."""
        if self._formulas is None:
            self._set(_formulas=RationalFunctionField(self.interval, self.name_of_level))
        return self._formulas  # type: ignore[return-value]

    def join(self, other: OrderedField) -> OrderedField | None:
        """The field itself, if the other has the same functions."""
        return self if other.judged == self.judged else None

    def require_kept(self, denominators: Iterable[Poly], *results: RationalFunction) -> None:
        """Nothing is required of formulas."""
