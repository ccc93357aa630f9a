# SPDX-License-Identifier: MIT
"""ε, exactly: a rational number, ln(q), or −ln of a level; read from text, compared, and given as decimals.

The level of ε is α = e^(−ε). An ε is kept as a ratio and a distance with α = ratio^(1/distance), so that each
level of :mod:`exactdp.model.level` has its ε, and nothing is rounded.
"""

from __future__ import annotations

import numbers
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from exactdp.errors import DomainError, InexactInputError, InputError, ParameterRangeError, RationalSyntaxError
from exactdp.exact import (
    ExponentialField,
    ExponentialNumber,
    Rational,
    RationalFunction,
    RegionFunction,
    Scalar,
    common_field,
    compare_exponential_power,
    compare_power,
    power_within,
    rational_root,
)
from exactdp.exact.algebraic import AlgebraicNumber
from exactdp.exact.balls import log_enclosure, root_enclosure
from exactdp.exact.decimals import decimal_text, fixed_text, nearest_text, plain_text
from exactdp.exact.identity import same_formula
from exactdp.exact.inexact import is_decimal, is_float, is_undefined
from exactdp.exact.number_field import NumberField, NumberFieldElement
from exactdp.exact.numpy_operand import NumpyOperand
from exactdp.exact.powers import exponential_power, exponents_of, raised, rational_times_exponential, root_parts
from exactdp.exact.sympy_operators import Symbols, SympyOperand, is_expression, require_exact
from exactdp.model.epsilon_sums import sum_of
from exactdp.model.epsilon_text import MINUS, decimal_places, signed_terms, without_decimal
from exactdp.model.metric import ONE, Distance, DistanceLike
from exactdp.runtime.budget import current_budget, require_budget

if TYPE_CHECKING:
    from decimal import Decimal

FIGURES = 7
"""Significant figures of a decimal beside ln(q)."""

MOST_DEGREE = 24
"""Of a larger degree no root is a level: each number is a polynomial in it."""

MOST_FIGURES = 60
"""No decimal is longer, however near to a round number it is."""

_N = r"[0-9]+(?:\.[0-9]+)?"
_TIMES = rf"(?:(?P<times>[0-9]+/[0-9]+|{_N})[*·]|(?P<before>{_N}|[0-9]+/[0-9]+(?=\s))\s*|\((?P<factor>[0-9]+/[0-9]+|{_N})\)[*·\s]*)"
_OVER = rf"(?:/(?P<over>{_N})|/sqrt\((?P<root>[0-9]+/[0-9]+|{_N})\)|/\((?P<bracket>[0-9]+/[0-9]+|{_N})\)|[*·](?P<after>{_N}))"
_LOGARITHM = rf"(?P<sign>[-−]?){_TIMES}?(?:ln|log)\((?P<of>[^()]+)\){_OVER}?"
_SQUARE_ROOT = rf"(?:(?P<times>[0-9]+/[0-9]+|{_N})[*·])?sqrt\((?P<of>[0-9]+/[0-9]+|{_N})\)(?:/(?P<over>{_N}))?"
_AROUND_SIGNS = r"\s*([-−*·/()])\s*"
_BARE = rf"(?P<before>.*?)(?:ln\s*|log\s+)(?P<of>{_N})"
_BRACKETED = rf"\(\s*(?:(?:ln\s*|log\s+)(?P<bare>{_N})|(?:ln|log)\s*(?P<of>\([^()]+\)))\s*\)"

NAMES = frozenset({"epsilon", "eps", "ε"})
"""What stands before the "=" where a text says that a number is an ε."""


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
        if isinstance(value, Epsilon):
            object.__setattr__(self, "ratio", value.ratio)
            object.__setattr__(self, "distance", value.distance)
            return
        if hasattr(value, "as_tightest"):  # a level
            level = value.as_tightest()
            object.__setattr__(self, "ratio", level.ratio)
            object.__setattr__(self, "distance", level.distance)
            return
        if is_expression(value):
            value = _expression_text(value)
        if isinstance(value, str):
            exact, decimal = without_decimal(value)
            found = _of_text(_unnamed(exact))
            _require_decimal(found, decimal, value)
            ratio, distance = found
        else:
            ratio, distance = _of_number(_rational(value)), ONE
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
            ratio, d = _without_root(ratio, d)
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
        return (
            Epsilon(exact * times) if exact is not None else Epsilon.of_level(self.ratio, Distance(self.distance.square / (times * times)))
        )

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
            raise ParameterRangeError(f"{self} − {that} is no ε ≥ 0; subtract their floats", name="epsilon", value=that, allowed="≥ 0")
        exact, known = self.rational, that.rational
        if exact is not None and known is not None:
            return Epsilon(exact - known)
        inverse = that.ratio.field.one / that.ratio
        return Epsilon.of_level(*sum_of((self.ratio, self.distance), (inverse, that.distance))) if sign else Epsilon(0)

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
        if not isinstance(self.ratio, (Rational, ExponentialNumber)):
            raise DomainError(f"ε = {self} depends on the level, a letter, so that no decimals enclose it", ratio=self.ratio)
        if self.ratio == 0:
            raise DomainError("ε is ∞: no level above 0 is kept, and no decimals enclose it", ratio=self.ratio)
        return log_enclosure(lambda places: _enclosed(self.ratio, places), self.distance.square, digits)

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
        return self.ratio != 0 and isinstance(self.ratio, (Rational, ExponentialNumber))

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

    def __lt__(self, other: object) -> bool:
        if _is_undefined(other):
            return False
        sign = self._order(other)
        return NotImplemented if sign is None else sign < 0

    def __le__(self, other: object) -> bool:
        if _is_undefined(other):
            return False
        sign = self._order(other)
        return NotImplemented if sign is None else sign <= 0

    def __gt__(self, other: object) -> bool:
        if _is_undefined(other):
            return False
        sign = self._order(other)
        return NotImplemented if sign is None else sign > 0

    def __ge__(self, other: object) -> bool:
        if _is_undefined(other):
            return False
        sign = self._order(other)
        return NotImplemented if sign is None else sign >= 0

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
        from decimal import Decimal

        if self.ratio == 0:
            return format(Decimal("Infinity"), spec)
        digits = 24
        while True:  # ends: what is no decimal is not halfway between two
            below, above = (format(x, spec) for x in self._decimals(digits))
            if below == above:
                return below
            digits *= 2

    def _decimals(self, digits: int) -> tuple[Decimal, Decimal]:
        """Decimals just below and above ε; the same one twice if it is a decimal."""
        from decimal import Decimal
        from fractions import Fraction

        low, high = self.enclosure(digits)
        below, above = Decimal(fixed_text(low, digits)), Decimal(fixed_text(high, digits))
        if low == high and Fraction(below) != low.as_fraction():  # a rational ε, cut
            above = Decimal(fixed_text(low + Rational(1, 10**digits), digits))
        return below, above

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
        inner = f"−ln({self.ratio})" if exact is None else f"ln({1 / exact})"
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


def _expression_text(number: Any) -> Any:
    """A number of sympy, as a rational, or as the text of a rational multiple of a logarithm of one."""
    require_exact(number)
    if number.is_Rational:
        return Rational(number)
    factor, rest = number.as_coeff_Mul()
    if type(rest).__name__ != "log" or not rest.args[0].is_Rational or not factor.is_Rational:
        raise InputError(f"ε = {number} is not understood; give a rational, or a multiple of a logarithm such as log(3)/2", value=number)
    of = Rational(rest.args[0])
    factor, of = (factor, of) if of > 1 else (-factor, 1 / of)  # ln(1/3) = -ln(3)
    if factor < 0:
        raise _below(str(number), number)
    return f"{factor.p}*ln({of})/{factor.q}"


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


def _unnamed(text: str) -> str:
    """What a text says of ε, without ``ε=``; ``ln 3`` with its brackets.

    >>> _unnamed("epsilon = 1/10"), _unnamed("ε=2 ln 3")
    ('1/10', '2 ln(3)')
    """
    word, equals, value = text.partition("=")
    name = word.strip().lower()
    if equals and name in {"alpha", "α"}:
        raise InputError(
            f"{text[:80].strip()!r} is an α where an ε is meant; give it as the level, or write its ε, such as ln(3)", value=text
        )
    if equals and name in NAMES:
        text = value.strip()
    text = re.sub(_BRACKETED, lambda found: f"ln{found['of'] or '(' + found['bare'] + ')'}", text)
    bare = re.fullmatch(_BARE, text.strip())
    if bare:
        return f"{bare['before']}ln({bare['of']})"
    if re.search(r"\b(?:ln|log)\s+[0-9.]+\s*/", text):
        raise InputError(f"ε = {text[:80]}: write brackets, as in ln(3)/2 or ln(3/2), so that one sees what is divided", value=text)
    return text


def _of_text(text: str) -> tuple[Any, Distance]:
    """The ratio and distance of a text: a sum of rationals, logarithms and square roots, or ∞."""
    terms = signed_terms(text)
    if len(terms) > 1:
        total = _total(terms, text)
        return total.ratio, total.distance
    if text.strip() == "∞":
        return Rational(0), ONE
    ratio, distance = _logarithm(text)
    if ratio is not None:
        return ratio, distance
    root = _square_root(text)
    return (_of_number(_rational(text)), ONE) if root is None else (root.ratio, root.distance)


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
        raise _below(text.strip(), text)
    total: Epsilon = added - subtracted
    return total


def _size(term: str, text: str) -> tuple[bool, Epsilon]:
    """Whether a term is below 0, and what it is without its sign: ln(2/3) is −ln(3/2)."""
    try:
        return False, Epsilon(term)
    except RationalSyntaxError as error:
        raise _not_understood(text, error) from None
    except ParameterRangeError:
        opposite = term[1:] if term[0] in MINUS else f"-{term}"
        return True, Epsilon(opposite)


def _square_root(text: str) -> Epsilon | None:
    """The ε that is written ``3/2·sqrt(2)``; None for what is written otherwise."""
    found = re.fullmatch(_SQUARE_ROOT, re.sub(_AROUND_SIGNS, r"\1", text.strip()))
    if found is None:
        return None
    factor = Rational(found["times"] or 1) / Rational(found["over"] or 1)
    outside, inside = root_parts(Rational(found["of"]))
    number = factor * outside
    power = exponential_power(ExponentialField(number).gen, Rational(inside)) if number else Rational(1)
    return Epsilon.of_level(power)


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


def _rational(value: object) -> Rational:
    """ε as a rational number ≥ 0."""
    if isinstance(value, Scalar) and not isinstance(value, Rational):
        raise InputError(f"ε = {value} is not rational; give the level as alpha if α itself is known exactly", value=value)
    try:
        number = Rational(value)
    except RationalSyntaxError as error:
        raise _not_understood(value, error) from None
    if number.sign() < 0:
        raise _below(str(number), number)
    return number


def _not_understood(value: object, error: RationalSyntaxError) -> RationalSyntaxError:
    """What to write instead of the value."""
    hint = "write a rational such as 1/10, or the logarithm of one, such as ln(3)"
    decimal = re.fullmatch(r"\s*([0-9]*)[.,]([0-9]+)\s*", str(value)[:80], re.ASCII)
    if decimal is not None:
        hint = f"did you mean {decimal[1] or '0'}.{decimal[2]}? {hint}"
    return RationalSyntaxError(f"ε = {value!r} is not understood; {hint}", **error.facts)


def _below(shown: str, value: object) -> ParameterRangeError:
    return ParameterRangeError(f"ε = {shown} is not positive: α = e^(−ε) would be above 1", name="epsilon", value=value, allowed="> 0")


def _logarithm(text: str) -> tuple[Any, Distance]:
    """The ratio and distance of ``ln(3)``, ``2*ln(3)``, ``1/2 ln(3)`` or ``ln(3)/(3/2)``; else no ratio.

    It has the value that it has as a formula: products and quotients are taken from left to right. A second
    slash is refused, since ``ln(9)/1/2`` is ln(3) from left to right, and looks like ln(9)/(1/2).
    """
    found = re.fullmatch(_LOGARITHM, re.sub(_AROUND_SIGNS, r"\1", text.strip()))
    if found is None:
        if re.search(r"(?:ln|log)\s*\([^()]*\)\s*/[^()]*/", text):
            remedy = "write brackets, as in ln(9)/(1/2), or one fraction before the logarithm, as in 1/2*ln(9)"
            raise InputError(f"ε = {text[:80]}: a second '/' after the logarithm; {remedy}", value=text)
        return None, ONE
    times, over = found["times"] or found["before"] or found["factor"], found["over"] or found["bracket"]
    divisor = Rational(over or 1)
    if divisor == 0 or (found["root"] and Rational(found["root"]) == 0):
        raise InputError(f"ε = {text[:80]}: the divisor is zero", value=text)
    of, factor = Rational(found["of"]), Rational(times or 1) * Rational(found["after"] or 1) / divisor
    if of.sign() <= 0 or factor.sign() <= 0:
        raise InputError(f"ε = {text}: the logarithm of a number > 0 is meant, times a number > 0", value=text)
    ratio = of if found["sign"] else 1 / of
    if ratio > 1:
        raise _below(text, text)
    distance = Distance(Rational(found["root"] or 1) / (factor * factor))
    level = root_of(ratio, distance)
    return (ratio, distance) if level is None else (level, ONE)


def _enclosed(x: Any, places: int) -> tuple[Rational, Rational]:
    """Rationals around a number of ℚ or of a field of exponentials; the lower one is positive."""
    if isinstance(x, Rational):
        return x, x
    found = x.enclosure(places)
    while not found[0] > 0 and x > 0:
        places *= 2
        found = x.enclosure(places)
    low, high = found
    return low, high


def _is_round(shown: str, figures: int) -> bool:
    """Whether the last three of the figures are zeros or nines: it may be taken for a shorter number."""
    mantissa = shown.partition("e")[0].replace(".", "").lstrip("0")
    return len(mantissa) <= figures - 3 or mantissa.endswith("999")


def radical_of(ratio: Any, distance: Distance) -> Any:
    """ratio^(1/distance) for a rational ratio in (0, 1), as a number of the field of this root; else None.

    >>> radical_of(Rational("1/3"), Distance.of(2)), radical_of(Rational("1/2"), Distance.parse("sqrt(2)"))
    (NumberFieldElement('(r)', r = √(1/3)), None)
    """
    d = distance.rational
    if d is None or not isinstance(ratio, Rational) or not 0 < ratio < 1 or d.numerator > MOST_DEGREE:
        return None
    if ratio.power_size(d.denominator)["digits"] > current_budget().digits:
        return None
    below = ratio**d.denominator
    found = AlgebraicNumber([-below, *[0] * (int(d.numerator) - 1), 1], 0, 1)
    return NumberField(found, "r").gen


def _without_root(ratio: NumberFieldElement, distance: Distance) -> tuple[Any, Distance]:
    """A ratio and a distance with the same level, where the ratio is rational if some power of it is."""
    for k in range(1, len(ratio.field.root.coefficients)):
        power = (ratio**k).rational
        if power is not None and ratio.sign() > 0:
            return power, Distance(distance.square * k * k)
    return ratio, distance


def root_of(ratio: Any, distance: Distance) -> Any:
    """ratio^(1/distance) as a number of the ratio's field, or None if it is not in it.

    >>> root_of(Rational("4/9"), Distance.of(2)), root_of(Rational("1/2"), Distance.of(2))
    (Rational('2/3'), None)
    """
    if distance == ONE or ratio in (0, 1):
        return ratio
    d = distance.rational
    if isinstance(ratio, ExponentialNumber):
        power = power_within(ratio, 1 / distance.square)
        if power is not None:
            return power
    if d is None:
        return None
    if not isinstance(ratio, Rational):
        root = ratio.root(d.numerator)
        return None if root is None else root**d.denominator
    root = rational_root(ratio, d.numerator)
    if root is None or root.power_size(d.denominator)["digits"] > current_budget().digits:
        return None
    return root**d.denominator


def compare_roots(left: Any, left_distance: Distance, right: Any, right_distance: Distance) -> int:
    """The (weak) sign of left^(1/d) − right^(1/e) for non-negative left and right.

    Roots of rational numbers are compared as powers of these. Numbers of two fields of exponentials are
    compared by their ε where one of them is known as a number,
    such as 1/2 or sqrt(2): their common field may be large, or may not be built at all.
    """
    left, left_distance = _without_root(left, left_distance) if isinstance(left, NumberFieldElement) else (left, left_distance)
    right, right_distance = _without_root(right, right_distance) if isinstance(right, NumberFieldElement) else (right, right_distance)
    if isinstance(left, ExponentialNumber) and isinstance(right, ExponentialNumber) and left.field != right.field:
        known = _compare_exponents(left, left_distance, right, right_distance)
        if known is not None:
            return known
    kinds = {type(x) for x in (left, right)}
    if kinds == {NumberFieldElement, ExponentialNumber}:
        left, right = (x if x.rational is None else x.rational for x in (left, right))
        if not any(isinstance(x, Rational) for x in (left, right)):
            return _compare_enclosed(left, left_distance, right, right_distance)
    field = common_field(left, right)
    if isinstance(field, ExponentialField):
        left, right = field(left), field(right)
    if left_distance == right_distance or left == 0 or right == 0:
        return int((left - right).weak_sign())
    square = left_distance.square / right_distance.square
    if isinstance(left, Rational) and isinstance(right, Rational):
        return compare_power(left, right, square)
    if isinstance(field, ExponentialField):
        return compare_exponential_power(left, right, square)
    exponent = rational_root(square, 2)
    if exponent is None:
        raise DomainError(
            f"the field {field} can't compare powers with the irrational exponent sqrt({square})",
            distance=(left_distance, right_distance),
        )
    return int((left**exponent.denominator - right**exponent.numerator).weak_sign())


def _compare_enclosed(left: Any, d: Distance, right: Any, e: Distance) -> int:
    """The sign of left^(1/d) − right^(1/e) for an algebraic number and a transcendental one, which differ.

    A function of e^(−ε) with rational coefficients that is no constant is transcendental (Lindemann), and so
    are its roots. So enclosures end.
    """
    digits = FIGURES
    while True:
        low, high = root_enclosure(left.enclosure, d.square, digits)
        below, above = root_enclosure(right.enclosure, e.square, digits)
        if high < below or above < low:
            return -1 if high < below else 1
        digits *= 2


def _compare_exponents(left: ExponentialNumber, d: Distance, right: ExponentialNumber, e: Distance) -> int | None:
    """The sign of left^(1/d) − right^(1/e) where one of the two is e^(−Σ c·√q), which is known; else None.

    Such a number is the power of no other number of a field of exponentials (Lindemann and Weierstrass:
    different exponentials are linearly independent). So enclosures of −ln tell apart what is not the same
    sum, and they end.
    """
    if left == 0 or right == 0:
        return int(left != 0) - int(right != 0)
    exponents = [exponents_of(left), exponents_of(right)]
    first, second = (None if c is None else raised(c, 1 / of.square) for c, of in zip(exponents, (d, e), strict=True))
    if first is None and second is None:
        return None
    if first == second:
        return 0
    if first is not None and second is not None and set(first) | set(second) <= {1}:
        zero = Rational(0)
        return (second.get(1, zero) - first.get(1, zero)).sign()
    digits = FIGURES
    while True:
        low, high = log_enclosure(partial(_enclosed, left), d.square, digits)
        below, above = log_enclosure(partial(_enclosed, right), e.square, digits)
        if high < below or above < low:
            return 1 if high < below else -1
        digits *= 2


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
