# SPDX-License-Identifier: MIT
"""ε, exactly: a rational number, ln(q), or −ln of a level; read from text, compared, and given as decimals.

The level of ε is α = e^(−ε). An ε is kept as a ratio and a distance with α = ratio^(1/distance), so that each
level of :mod:`exactdp.model.level` has its ε, and nothing is rounded.
"""

from __future__ import annotations

import numbers
import operator
import re
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from exactdp.errors import DomainError, InexactInputError, InputError, ParameterRangeError, RationalSyntaxError
from exactdp.exact import (
    ExponentialField,
    ExponentialNumber,
    Rational,
    RationalFunction,
    RegionFunction,
    Scalar,
)
from exactdp.exact.balls import log_enclosure, root_enclosure
from exactdp.exact.decimals import decimal_text, nearest_text, plain_text
from exactdp.exact.identity import same_formula
from exactdp.exact.inexact import is_decimal, is_float, is_undefined
from exactdp.exact.number_field import NumberFieldElement
from exactdp.exact.numpy_operand import NumpyOperand
from exactdp.exact.powers import exponents_of, raised, rational_times_exponential
from exactdp.exact.sympy_operators import Symbols, SympyOperand, is_expression
from exactdp.model.epsilon_text import (
    MINUS,
    below_zero,
    decimal_places,
    expression_text,
    logarithm_in,
    not_understood,
    rational_epsilon,
    signed_terms,
    square_root_in,
    without_decimal,
    without_name,
)
from exactdp.model.level_roots import compare_roots, enclosed, root_of, sum_of, without_root
from exactdp.model.level_text import Part, alpha_in, both_in, formula_in, inferred, names_of, require_not_rounded, rounded, without_meanings
from exactdp.model.metric import ONE, Distance, DistanceLike
from exactdp.runtime.budget import require_budget
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    pass

FIGURES = 7
"""Significant figures of a decimal beside ln(q)."""


NUMBERS = (Rational, ExponentialNumber, NumberFieldElement)
"""The ratios that decimals enclose; others have letters."""


MOST_FIGURES = 60
"""No decimal is longer, however near to a round number it is."""


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class Epsilon(NumpyOperand, SympyOperand):
    """ε = −ln(ratio)/distance, exactly, for 0 ≤ ratio ≤ 1; ∞ for the ratio 0.

    Parameters
    ----------
    value : text, rational, number of sympy, Epsilon or level
        ``1/10``, ``0.1``, ``ln(3)``, ``ln 3``, ``2*ln(3)``, ``ln(3)/2``, ``1/2 ln 3``, ``1 - ln(3/2)``, also
        after ``ε=``, and what is printed: ``3·ln(3)/2 ≈ 1.647918``; in
        sympy ``log(3)/2``; ε ≥ 0, not a float. A :class:`~exactdp.PrivacyLevel` has its ε.

    Notes
    -----
    It is compared exactly with numbers of Python: a float is the double that it is, a Decimal what it spells.
    ``float(epsilon)`` is the nearest double, and a format such as ``.3f`` rounds ε itself. Sums, and products
    with a rational number ≥ 0, are exact; a float among them is refused.

    Raises
    ------
    InputError
        The text is none of these, or the number is not rational.
    InexactInputError
        A float.
    ParameterRangeError
        ε < 0.

    Examples
    --------
    >>> Epsilon("ln(3)"), Epsilon("0.1"), Epsilon("ln(9)/2") == Epsilon("ln(3)")
    (Epsilon('ln(3)'), Epsilon('1/10'), True)
    >>> print(Epsilon("ln(3)").text, Epsilon("ln(3)") < Epsilon("11/10"))
    ln(3) ≈ 1.098612 True
    >>> f"{Epsilon('ln 3'):.3f}", float(Epsilon("1/3")), Epsilon("1/2") == 0.5, Epsilon("1/10") < 0.1
    ('1.099', 0.3333333333333333, True, True)
    >>> Epsilon("1/2") + Epsilon("ln(3)"), 3 * Epsilon("ln(2)"), sum([Epsilon("1/2")] * 4), Epsilon(1) / 3
    (Epsilon('ln(3) + 1/2'), Epsilon('ln(8)'), Epsilon('2'), Epsilon('1/3'))
    """

    ratio: Any
    distance: Distance

    def __init__(self, value: object) -> None:
        ratio, distance = _ratio_and_distance(value)
        object.__setattr__(self, "ratio", ratio)
        object.__setattr__(self, "distance", distance)

    @classmethod
    def of_level(cls, ratio: Any, distance: DistanceLike = ONE) -> Epsilon:
        """The ε of the level ratio^(1/distance).

        >>> Epsilon.of_level(Rational("1/4"), 2), Epsilon.of_level(Rational(0)), Epsilon.of_level(Rational(1))
        (Epsilon('ln(2)'), Epsilon('∞'), Epsilon('0'))
        """
        d = Distance.of(distance)
        ratio = ratio if isinstance(ratio, Scalar) else Rational(ratio)
        if isinstance(ratio, NumberFieldElement):
            ratio, d = without_root(ratio, d)
        number = root_of(ratio, d)
        made = object.__new__(cls)
        object.__setattr__(made, "ratio", ratio if number is None else number)
        object.__setattr__(made, "distance", d if number is None else ONE)
        return made

    def scaled(self, factor: object) -> Epsilon:
        """ε times a rational number > 0.

        >>> Epsilon("1/2").scaled(3), Epsilon("ln(4)").scaled("1/2")
        (Epsilon('3/2'), Epsilon('ln(2)'))
        """
        exact, times = self.rational, Rational(factor)
        if exact is not None:
            return Epsilon(exact * times)
        return Epsilon.of_level(self.ratio, Distance(self.distance.square / (times * times)))

    def __add__(self, other: object) -> Any:
        if is_expression(other):
            return SympyOperand.__add__(self, other)
        that = other if isinstance(other, Epsilon) else _factor(other)
        if that is None:
            return NotImplemented
        that = Epsilon(that)
        exact, known = self.rational, that.rational
        if exact is not None and known is not None:
            return Epsilon(exact + known)
        return Epsilon.of_level(*sum_of((self.ratio, self.distance), (that.ratio, that.distance)))

    def __radd__(self, other: object) -> Any:
        return SympyOperand.__radd__(self, other) if is_expression(other) else self + other

    def __sub__(self, other: object) -> Any:
        if is_expression(other):
            return SympyOperand.__sub__(self, other)
        that = other if isinstance(other, Epsilon) else _factor(other)
        if that is None:
            return NotImplemented
        that = Epsilon(that)
        sign = self.compare(that)
        if sign < 0 or that.ratio == 0:
            message = f"{self} − {that} is no ε ≥ 0; subtract their floats"
            raise ParameterRangeError(message, name="epsilon", value=that, allowed="≥ 0")
        exact, known = self.rational, that.rational
        if exact is not None and known is not None:
            return Epsilon(exact - known)
        if sign == 0:
            return Epsilon(0)
        inverse = that.ratio.field.one / that.ratio
        return Epsilon.of_level(*sum_of((self.ratio, self.distance), (inverse, that.distance)))

    def __rsub__(self, other: object) -> Any:
        if is_expression(other):
            return SympyOperand.__rsub__(self, other)
        given = _factor(other)
        return NotImplemented if given is None else Epsilon(given) - self

    def __round__(self, digits: int | None = None) -> int | Rational:
        """The nearest integer, or the nearest decimal with so many digits after the point."""
        rounded = Rational(f"{self:.{digits or 0}f}")
        return rounded if digits is not None else int(rounded)

    def __mul__(self, other: object) -> Any:
        if is_expression(other):
            return SympyOperand.__mul__(self, other)
        times = _factor(other)
        if times is None:
            return NotImplemented
        if times.sign() < 0 or (times == 0 and self.ratio == 0):
            raise ParameterRangeError(
                f"{times}·ε is no ε for ε = {self}; multiply by a number > 0", name="factor", value=times, allowed="> 0"
            )
        return self.scaled(times) if times else Epsilon(0)

    def __rmul__(self, other: object) -> Any:
        return SympyOperand.__rmul__(self, other) if is_expression(other) else self * other

    def __truediv__(self, other: object) -> Any:
        if is_expression(other):
            return SympyOperand.__truediv__(self, other)
        by = _factor(other)
        if by is None:
            return NotImplemented
        if by.sign() <= 0:
            raise ParameterRangeError(f"ε/({by}) is no ε; divide by a number > 0", name="divisor", value=by, allowed="> 0")
        return self.scaled(1 / by)

    def _in_sympy(self, letters: Symbols) -> Any:
        """A sum of rationals and square roots, or a logarithm."""
        from sympy import Add, log, oo, sqrt

        parts = self._parts()
        if parts is not None:
            return Add(*(c.to_sympy() * sqrt(q) for q, c in parts.items()))
        return oo if self.ratio == 0 else -log(self.ratio._in_sympy(letters)) / self.distance.to_sympy()

    @property
    def rational(self) -> Rational | None:
        """ε itself if it is rational, else None.

        >>> Epsilon("1/2").rational, Epsilon("ln(3)").rational
        (Rational('1/2'), None)
        """
        parts = self._parts()
        return None if parts is None or set(parts) - {1} else parts.get(1, Rational(0))

    def _parts(self) -> dict[int, Rational] | None:
        """{q: c} with ε = Σ c·√q if it is such a sum: its level is a product of exponentials."""
        if same_formula(self.ratio, 1):
            return {}
        found = exponents_of(self.ratio) if isinstance(self.ratio, ExponentialNumber) else None
        return None if found is None else raised(found, 1 / self.distance.square)

    @property
    def level(self) -> Any:
        """α = e^(−ε) as an exact number, or None if it is an irrational root.

        >>> Epsilon("ln(3)").level, Epsilon("1/10").level, Epsilon("ln(3)/2").level
        (Rational('1/3'), ExponentialNumber('t', t = e^(−1/10)), None)
        """
        return root_of(self.ratio, self.distance)

    def enclosure(self, digits: int = 6) -> tuple[Rational, Rational]:
        """The decimals just below and above ε, with so many digits after the point; a rational ε twice.

        Raises
        ------
        DomainError
            ε is ∞, or depends on a letter.

        Examples
        --------
        >>> [str(x) for x in Epsilon("ln(3)").enclosure(3)]
        ['549/500', '1099/1000']
        """
        exact = self.rational
        if exact is not None:
            return exact, exact
        if not isinstance(self.ratio, NUMBERS):
            raise DomainError(f"ε = {self} depends on the level, a letter, so that no decimals enclose it", ratio=self.ratio)
        if self.ratio == 0:
            raise DomainError("ε is ∞: no level above 0 is kept, and no decimals enclose it", ratio=self.ratio)
        return log_enclosure(lambda places: enclosed(self.ratio, places), self.distance.square, digits)

    @property
    def lower(self) -> Rational:
        """A decimal at most ε, with six digits after the point (:meth:`enclosure`)."""
        return self.enclosure()[0]

    @property
    def upper(self) -> Rational:
        """A decimal at least ε, with six digits after the point (:meth:`enclosure`)."""
        return self.enclosure()[1]

    @property
    def is_enclosed(self) -> bool:
        """Whether decimals enclose it: it is a number, and not ∞."""
        return self.ratio != 0 and isinstance(self.ratio, NUMBERS)

    @property
    def text(self) -> str:
        """The exact form, with a decimal beside it unless ε is rational (:meth:`told`).

        >>> Epsilon("ln(3)/2").text, Epsilon("1/3").text
        ('ln(3)/2 ≈ 0.5493061', '1/3')
        """
        return self.told()

    def told(self, *beside: Rational) -> str:
        """The exact form with a decimal that no number of ``beside`` has; of a long one the decimal first.

        >>> Epsilon("ln(3)").told(Rational("1.098612")), Epsilon(f"ln({3**100}/{2**158})").told()[:32]
        ('ln(3) ≈ 1.0986123', '≈ 0.3439743 (ln(5153775207320113')
        """
        if self.rational is not None or not self.is_enclosed:
            return str(self)
        text, decimal = str(self), self.decimal(*beside)
        return f"{text} ≈ {decimal}" if len(text) <= LONGEST else f"≈ {decimal} ({text})"

    def equation(self, *beside: Rational) -> str:
        """What ε is, for a sentence (:meth:`told`).

        >>> Epsilon("ln(3)").equation(), Epsilon(f"ln({3**100}/{2**158})").equation()[:20]
        ('ε = ln(3) ≈ 1.098612', 'ε ≈ 0.3439743 (ln(51')
        """
        told = self.told(*beside)
        return f"ε {told}" if told.startswith("≈") else f"ε = {told}"

    def decimal(self, *beside: Rational, figures: int = FIGURES) -> str:
        """The nearest decimal with so many significant figures; with more where it looks like a round number.

        More are given also while the decimal is that of a number of ``beside``.

        >>> Epsilon("ln(3)").decimal(), Epsilon("1/3").decimal(figures=3)
        ('1.098612', '0.333')
        """
        while True:
            shown = nearest_text(self.enclosure, figures)
            taken = any(shown == decimal_text(x, figures)[0] for x in beside)  # an irrational ε is none of them
            if self.rational is not None or figures >= MOST_FIGURES or not (taken or _is_round(shown, figures)):
                return shown
            figures += 1

    def compare(self, other: object) -> int:
        """−1, 0 or 1: the sign of this ε minus another one, or minus a number; decided exactly.

        >>> Epsilon("ln(3)").compare("1.0986"), Epsilon(1).compare(1.0), Epsilon("1/10").compare(0.1)
        (1, 0, -1)
        """
        exact = None if isinstance(other, (Epsilon, str)) else _exact(other)
        number = other if exact is None else exact
        if exact is not None and isinstance(number, float):  # an infinity
            return int(self.ratio != 0 or number < 0) * (-1 if number > 0 else 1)
        if not isinstance(number, (Epsilon, str)) and Rational(number).sign() < 0:
            return 1
        that = Epsilon(number)
        return -compare_roots(self.ratio, self.distance, that.ratio, that.distance)

    def _order(self, other: object) -> int | None:
        """The sign of this ε minus another one, or minus a number of Python; None for what is neither."""
        if isinstance(other, Epsilon):
            return self.compare(other)
        number = _exact(other)
        return None if number is None else self.compare(number)

    def __eq__(self, other: object) -> bool:
        symbolic = RationalFunction | RegionFunction
        if isinstance(self.ratio, symbolic) or (isinstance(other, Epsilon) and isinstance(other.ratio, symbolic)):
            if not isinstance(other, Epsilon):
                return False if _exact(other) is not None else NotImplemented
            return bool(self.ratio == other.ratio) and self.distance == other.distance
        if _is_undefined(other):
            return False
        decimal: Any = other
        if is_decimal(other) and decimal.is_finite():  # its zeros are not written out
            exact = self.rational
            return exact is not None and bool(exact == decimal)
        sign = self._order(other)
        if sign is not None:
            return sign == 0
        known = None if isinstance(other, bool) else self.rational
        return NotImplemented if known is None else known.__eq__(other)

    def _is(self, relation: Callable[[int, int], bool], other: object) -> bool:
        """Whether it is less, or at most (and so on) another number; NaN is none of these."""
        if _is_undefined(other):
            return False
        sign = self._order(other)
        return NotImplemented if sign is None else relation(sign, 0)

    def __lt__(self, other: object) -> bool:
        return self._is(operator.lt, other)

    def __le__(self, other: object) -> bool:
        return self._is(operator.le, other)

    def __gt__(self, other: object) -> bool:
        return self._is(operator.gt, other)

    def __ge__(self, other: object) -> bool:
        return self._is(operator.ge, other)

    def __hash__(self) -> int:
        exact = self.rational
        if exact is not None:
            return hash(exact)
        level = self.level
        if level == 0:
            return sys.hash_info.inf
        return hash("irrational level" if level is None else (level,))

    @property
    def _is_infinite(self) -> bool:  # type: ignore[override]
        return bool(self.ratio == 0)

    def __float__(self) -> float:
        """The nearest double, which whoever calls ``float`` asks for; never for a verdict."""
        exact = self.rational
        if exact is not None:
            return float(exact)
        if self.ratio == 0:
            return float("inf")
        digits = 24
        while True:  # ends: an irrational number is not halfway between two doubles
            below, above = map(float, self.enclosure(digits))
            if below == above:
                return below
            digits *= 2

    def __format__(self, spec: str) -> str:
        """The exact form; with a format of numbers such as ``.3f`` the decimal, rounded from ε itself."""
        if not re.search(r"\.[0-9]|[eEfFgGn%]\Z", spec):
            return format(str(self), spec)
        if self.ratio == 0:
            return format(float("inf"), spec)
        digits = 24
        while True:  # ends: what is no decimal is not halfway between two
            below, above = (format(x, spec) for x in self.enclosure(digits))
            if below == above:
                return below
            digits *= 2

    def __abs__(self) -> Epsilon:
        return self

    def __neg__(self) -> Any:
        raise ParameterRangeError(
            f"−ε is no ε, for ε = {self}; α = e^(−ε) is PrivacyLevel(epsilon).alpha, and as a float exp(-float(epsilon))",
            name="epsilon",
            value=self,
            allowed="≥ 0",
        )

    def __floor__(self) -> int:
        if self.ratio == 0:
            raise OverflowError("ε = ∞ is no integer")
        digits = 6
        while True:  # ends: an irrational number is no integer
            below, above = (int(x // 1) for x in self.enclosure(digits))
            if below == above:
                return below
            digits *= 2

    def __ceil__(self) -> int:
        whole = self.__floor__()
        return whole if self == whole else whole + 1

    __trunc__ = __floor__
    __int__ = __floor__

    def as_integer_ratio(self) -> tuple[int, int]:
        """Numerator and denominator of a rational ε, of which Python's ``statistics`` asks.

        Raises
        ------
        TypeError
            It is irrational.

        Examples
        --------
        >>> import statistics
        >>> statistics.mean([Epsilon("1/2"), Epsilon("1/4")])
        Epsilon('3/8')
        """
        exact = self.rational
        if exact is None:
            raise TypeError(f"ε = {str(self)[:60]} is no fraction of integers; take sum(…)/n, exactly, or statistics.fmean")
        return exact.as_integer_ratio()

    def __str__(self) -> str:
        parts = self._parts()
        if parts is not None:
            return _sum_text(parts)
        found = rational_times_exponential(self.ratio) if isinstance(self.ratio, ExponentialNumber) else None
        if found is not None and found[0].sign() > 0 and found[1]:
            return self._with_logarithm(*found)
        if self.ratio == 0:
            return "∞"
        exact = self.ratio if isinstance(self.ratio, Rational) else self.ratio.rational  # of an exponential field, too
        inner = f"−ln({_in_brackets(self.ratio)})" if exact is None else f"ln({1 / exact})"
        if self.distance == ONE:
            return inner
        d = self.distance.rational
        if d is None:
            return f"{inner}/{self.distance}"
        times = "" if d.denominator == 1 else f"{d.denominator}·"
        over = "" if d.numerator == 1 else f"/{d.numerator}"
        return f"{times}{inner}{over}"

    def _with_logarithm(self, factor: Rational, exponents: dict[int, Rational]) -> str:
        """As a sum, where the ratio is factor·e^(−Σ c·√q): the logarithm of the factor, and the rest."""
        small = factor < 1
        logarithm = Epsilon.of_level(factor if small else 1 / factor, self.distance)
        rest = _signed(raised(exponents, 1 / self.distance.square))
        return _joined([(1, str(logarithm)), *rest] if small else [*rest, (-1, str(logarithm))])

    def __repr__(self) -> str:
        return f"Epsilon('{self}')"


def _in_brackets(ratio: Any) -> str:
    """A number inside of brackets, without its own."""
    text = str(ratio)
    return text[1:-1] if isinstance(ratio, NumberFieldElement) and text.startswith("(") else text


def _ratio_and_distance(value: object) -> tuple[Any, Distance]:
    """What :class:`Epsilon` reads, as −ln(ratio)/distance."""
    if isinstance(value, Epsilon):
        return value.ratio, value.distance
    if hasattr(value, "as_tightest"):  # a level
        level = value.as_tightest()
        return level.ratio, level.distance
    if is_expression(value):
        value = expression_text(value)
    if not isinstance(value, str):
        return _of_number(rational_epsilon(value)), ONE
    said, meanings = without_meanings(value)
    both = both_in(said)
    if both is not None:
        return _of_both(value, both, meanings)
    require_not_rounded(said)
    exact, decimal = without_decimal(said)
    found = _of_text(without_name(exact), meanings)
    _require_decimal(found, decimal, value)
    return found


def _of_both(text: str, both: tuple[Part, Part], meanings: str) -> tuple[Any, Distance]:
    """What a text says that has α and ε: from what is exact in it, with which the rest agrees."""
    epsilon, alpha = sorted(both, key=lambda part: not part.is_epsilon)
    if not epsilon.exact and not alpha.exact:
        raise rounded(text)
    of_epsilon = _of_text(without_name(epsilon.exact), meanings) if epsilon.exact else None
    of_alpha = _of_alpha(alpha.exact, meanings, of_epsilon) if alpha.exact else None
    if of_alpha is not None and of_epsilon is not None and compare_roots(*of_alpha, *of_epsilon) != 0:
        known = Epsilon.of_level(*of_alpha)
        raise InputError(f"{text[:80].strip()!r} has two levels: the ε of α = {alpha.exact} is {known}; give one of the two", value=text)
    found = of_epsilon or of_alpha
    assert found is not None
    _require_decimal(found, epsilon.decimal or None, text)
    _require_alpha(found, alpha.decimal, text)
    return found


def _of_alpha(text: str, meanings: str, level: tuple[Any, Distance] | None) -> tuple[Any, Distance]:
    """The ratio and distance of a printed α; of one in t, of which nothing is said, as the ε beside it is."""
    if level is None or meanings or not names_of(text):
        return alpha_in(text, meanings)
    number = inferred(text, root_of(*level))
    return (number, ONE) if number is not None else alpha_in(text, meanings)


def _require_alpha(found: tuple[Any, Distance], decimal: str, text: str) -> None:
    """InputError if the decimal of α is not near the level."""
    if not decimal:
        return
    number, unit = Rational(decimal), Rational(1) / 10 ** decimal_places(decimal)
    ratio, distance = found
    around = (lambda _: (ratio, ratio)) if isinstance(ratio, Rational) else ratio.enclosure
    low, high = root_enclosure(around, distance.square, decimal_places(decimal) + 4)
    if not number - unit <= low <= high <= number + unit:
        raise InputError(f"{text[:80].strip()!r}: {decimal} is not the decimal of its level; give one of the two", value=text)


def _of_text(text: str, meanings: str = "") -> tuple[Any, Distance]:
    """The ratio and distance of a text: a sum of rationals, logarithms and square roots, or ∞."""
    formula = formula_in(text, meanings)
    if formula is not None:
        if formula[0] <= 0 or formula[0] > 1:
            raise below_zero(text, text)
        return formula
    terms = signed_terms(text)
    if len(terms) > 1:
        total = _total(terms, text)
        return total.ratio, total.distance
    if text.strip() == "∞":
        return Rational(0), ONE
    known = logarithm_in(text)
    if known is not None:
        return known
    level = square_root_in(text)
    return (_of_number(rational_epsilon(text)) if level is None else level), ONE


def _total(terms: list[tuple[int, str]], text: str) -> Epsilon:
    """The sum of what is added, less the sum of what is subtracted."""
    added, subtracted = Epsilon(0), Epsilon(0)
    for sign, term in terms:
        is_below, size = _size(term, text)
        if (sign < 0) == is_below:
            added = added + size
        else:
            subtracted = subtracted + size
    if added < subtracted:
        raise below_zero(text.strip(), text)
    total: Epsilon = added - subtracted
    return total


def _size(term: str, text: str) -> tuple[bool, Epsilon]:
    """Whether a term is below 0, and what it is without its sign: ln(2/3) is −ln(3/2)."""
    try:
        return False, Epsilon(term)
    except RationalSyntaxError as error:
        raise not_understood(text, error) from None
    except ParameterRangeError:
        opposite = term[1:] if term[0] in MINUS else f"-{term}"
        return True, Epsilon(opposite)


def _of_number(number: Rational) -> Any:
    """The ratio of a rational ε."""
    return ExponentialField(number).gen if number else Rational(1)


def _require_decimal(found: tuple[Any, Distance], decimal: str | None, text: str) -> None:
    """InputError if the decimal beside an exact form is not the one of it."""
    if decimal is None:
        return
    known, number = Epsilon.of_level(*found), Rational(decimal)
    places = decimal_places(decimal)
    if not known.is_enclosed or round(known, places) != number:
        raise InputError(f"ε = {text[:80].strip()!r}: {decimal} is not the decimal of {known}; give one of the two", value=text)


def _sum_text(parts: Mapping[int, Rational]) -> str:
    """Σ c·√q as text."""
    return _joined(_signed(parts)) or "0"


def _signed(parts: Mapping[int, Rational]) -> list[tuple[int, str]]:
    """The sign and the size of each c·√q."""
    return [(c.sign(), _term_text(q, abs(c))) for q, c in parts.items()]


def _term_text(q: int, c: Rational) -> str:
    """c·√q for c > 0."""
    if q == 1:
        return plain_text(c)
    return f"sqrt({q})" if c == 1 else f"{c}·sqrt({q})"


def _joined(terms: list[tuple[int, str]]) -> str:
    """A sum of terms with their signs, those that are added first."""
    in_order = sorted(terms, key=lambda term: term[0] < 0)
    text = "".join(f"{' − ' if sign < 0 else ' + '}{size}" for sign, size in in_order)
    return text.removeprefix(" + ")


def _factor(x: object) -> Rational | None:
    """A rational number beside ε; None for what is no number; a float is refused."""
    if is_float(x):
        message = f"{x} is a float beside an exact ε; write Rational('{x}'), or float(epsilon) where a float is wanted"
        raise InexactInputError(message, value=x)
    is_exact = is_decimal(x) or isinstance(x, (Rational, numbers.Rational))
    return Rational(x) if is_exact and not isinstance(x, bool) else None


def _exact(x: object) -> Rational | float | None:
    """The number that a number of Python or numpy is, an infinity as a float; None for what is none.

    A float is the double that it is, and a Decimal what it spells.
    """
    if isinstance(x, Rational):
        return x
    if isinstance(x, bool) or type(x).__name__ == "timedelta64":
        return None
    if isinstance(x, numbers.Rational):
        return Rational(x)
    real = is_float(x) or is_decimal(x) or type(x).__name__ == "Float"
    if not real or _is_undefined(x):
        return None
    number: Any = x
    if is_decimal(x) and number.is_finite():
        _, digits, exponent = number.as_tuple()
        require_budget("a Decimal beside ε", digits=len(digits) + abs(exponent))
    try:
        numerator, denominator = number.as_integer_ratio()
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
    return Rational(int(numerator), int(denominator))


def _is_undefined(x: object) -> bool:
    """Whether it is a number that is no number (NaN), which is neither equal nor less nor greater."""
    return (is_float(x) or is_decimal(x)) and is_undefined(x)


def _is_round(shown: str, figures: int) -> bool:
    """Whether the last three of the figures are zeros or nines: it may be taken for a shorter number."""
    mantissa = shown.partition("e")[0].replace(".", "").lstrip("0")
    return len(mantissa) <= figures - 3 or mantissa.endswith("999")


LONGEST = 48
"""Of a longer formula the decimal is said first."""


SUM, WORD, BASE = "+-", "+-*/ ", "+-*/ ^"
"""The signs for which a formula needs brackets: before a "·", as one word, and before a "^"."""


def bracketed(formula: object, signs: str = WORD) -> str:
    """A formula, in brackets if one of these signs is outside of its own brackets.

    >>> bracketed("-t + 1"), bracketed("p/2"), bracketed("p/2", SUM), bracketed("(1/2*r)")
    ('(-t + 1)', '(p/2)', 'p/2', '(1/2*r)')
    """
    text, depth, outside = str(formula), 0, ""
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        outside += "" if depth else letter
    return f"({text})" if set(outside) & set(signs) else text


def power_text(base: object, exponent: Distance) -> str:
    """A number to the power of a distance, without a doubt about what is raised to what.

    >>> power_text("1/2", Distance.parse("2")), power_text("e^(−1)", Distance.parse("1/2"))
    ('(1/2)^2', '(e^(−1))^(1/2)')
    """
    below = bracketed(base, BASE)
    below = below if below.startswith("(") else f"({below})"
    whole = exponent.rational is not None and exponent.rational.denominator == 1
    return f"{below}^{exponent}" if whole else f"{below}^({exponent})"
