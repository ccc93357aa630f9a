# SPDX-License-Identifier: MIT
"""ℚ: rational numbers over FLINT, read from text, Python's exact numbers or, explicitly, from floats.

FLINT's objects stay behind our own immutable scalars: ``fmpq(1, 3) == Fraction(1, 3)`` is False although the
hashes agree, and FLINT's matrices are mutable. :class:`Rational` compares, hashes, rounds
and is formatted like :class:`fractions.Fraction`, and is picklable. A Decimal is the number that it spells.

Floats are refused wherever a number is read or computed: nobody sees whether 0.1 or the double 0.1 is meant.
Beside a comparison a float is the double that it is, exactly, as for a Fraction. So ``==`` is never an error,
and ``Rational("1/10") < 0.1`` is true. Python's own functions take every ``numbers.Rational``,
and some of them round: ``Fraction(1, 2) ** Rational("1/2")`` is a float.

The grammar of text is a whitelist; nothing is evaluated and nothing is guessed::

    number   = [ "-" ] ( integer "/" integer | integer [ "." digits ] [ exponent ] )
    integer  = "0" | nonzero-digit { digit }
    exponent = ( "e" | "E" ) [ "+" | "-" ] digit { digit }       at most 3 digits

Digits are ASCII. A decimal is the exact decimal fraction it spells (``0.1`` is 1/10, not a double).

Examples
--------
>>> Rational("1/3") + Rational("0.125")
Rational('11/24')
>>> Rational(0.1)
Traceback (most recent call last):
...
exactdp.errors.InexactInputError: 0.1 is a float; ...
"""

from __future__ import annotations

import numbers
import operator
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard, overload

from flint import fmpq, fmpq_mat, fmpz

from exactdp.errors import InexactInputError, InputError, RationalSyntaxError, brief_value
from exactdp.exact.field import Immutable, OrderedField, Rows, Scalar
from exactdp.exact.formats import formatted, rounded
from exactdp.exact.inexact import (
    approx_computes,
    exactly,
    is_approximate,
    is_decimal,
    is_finite,
    is_float,
    is_undefined,
    real_part,
    require_decimal,
)
from exactdp.exact.sympy_operators import Symbols, compared_with_sympy, equals_in_sympy, exponent_of, is_expression, with_sympy
from exactdp.runtime.budget import digits_of, figure, require_budget
from exactdp.runtime.progress import row_by_row

if TYPE_CHECKING:
    from fractions import Fraction

_NUMBER = re.compile(
    r"(?P<sign>-?)(?P<whole>0|[1-9][0-9]*)"
    r"(?:/(?P<den>0|[1-9][0-9]*)|(?:\.(?P<frac>[0-9]+))?(?:[eE](?P<exp>[+-]?[0-9]{1,3}))?)"
)

_TENS = tuple(10**places for places in range(64))
"""The denominators of decimals, as most tables have them."""

_LONG_EXPONENT = r"(?a:-?[0-9]+(?:\.[0-9]+)?(?P<exp>[eE][+-]?[0-9]{4,}))"


def parse_fmpq(text: str) -> fmpq:
    """Read one number of the grammar above; raise RationalSyntaxError with position and reason otherwise."""
    if len(text) > 1_000:
        require_budget(f"the text {text[:40]!r}…, read as a number,", digits=len(text))
    match = _NUMBER.match(text)
    if match is None or match.end() != len(text):
        raise _refuse(text, *_explain(text, match.end() if match else 0))
    sign, whole, below, fraction, exponent = match.groups()
    if below is not None:
        denominator = fmpz(below)
        if denominator == 0:
            raise _refuse(text, match.start("den"), "the denominator is zero")
        return fmpq(fmpz(sign + whole), denominator)
    places = fraction or ""
    shift = int(exponent or 0) - len(places)
    if -len(_TENS) < shift <= 0 and len(text) < 1_000:
        return fmpq(int(sign + whole + places), _TENS[-shift])
    digits = fmpz(sign + whole + places)
    return fmpq(digits * fmpz(10) ** shift) if shift >= 0 else fmpq(digits, fmpz(10) ** -shift)


_LETTERS = r"(?a:(?=.*[-+*/^()])[-+*/^(). 0-9A-Za-zα_]{2,200}|[A-HJ-NP-Za-km-np-z](?:_?[0-9]+)?)"
_LETTER = r"(?<![A-Za-z0-9_.])[A-Za-df-z](?:_?[0-9]+)?(?![A-Za-z0-9_(])"


_DIGIT_LIKE = str.maketrans("OolI", "0011")
_A_LETTER = r"[A-Za-z](?:_?[0-9]+)?"


def digits_meant(text: str) -> str | None:
    """The question whether a digit is meant, if a letter O, o, l or I stands where one makes a number.

    >>> digits_meant("O.7"), digits_meant("l2"), digits_meant("l/2")
    ('is 0.7 meant, with the digit 0 instead of the letter O?', None, None)
    """
    for word in re.findall(r"[0-9A-Za-z_./]+", text[:1_000]):
        letters = [letter for letter in word if letter in "OolI"]
        number = word.translate(_DIGIT_LIKE)
        may_be_letter = any(re.fullmatch(_A_LETTER, part) for part in word.split("/"))
        if not letters or may_be_letter or not any(map(str.isdigit, word)) or not _NUMBER.fullmatch(number):
            continue
        return f"is {number} meant, with the digit {letters[0].translate(_DIGIT_LIKE)} instead of the letter {letters[0]}?"
    return None


OF_A_TEXT = "write a fraction such as 1/3, an integer, or a decimal such as 0.125"
"""The remedy for a text that is no number."""

OF_AN_OBJECT = "pass text, an int or a Fraction"
"""The remedy for an object that is no number."""


def of_another_kind(error: InputError, remedy: str) -> InputError:
    """The error of a number, with the remedy of what it is to be: a level is no integer.

    >>> try:
    ...     Rational([])
    ... except InputError as error:
    ...     print(of_another_kind(error, "give a level"))
    [] (a list) is not a rational number; give a level
    """
    for known in (OF_A_TEXT, OF_AN_OBJECT):
        if error.message.endswith(known):
            return type(error)(error.message.removesuffix(known) + remedy, **error.facts)
    return error


def _refuse(text: str, position: int, reason: str) -> RationalSyntaxError:
    shown = text if len(text) <= 60 else text[:40] + "…" + text[-10:]
    letter = re.search(_LETTER, text) if re.fullmatch(_LETTERS, text) else None
    remedy = OF_A_TEXT
    if letter is not None:
        remedy = (
            f"if {letter[0]} is a letter, say what it may be, as in letters={{{letter[0]!r}: '(0, 1)'}} (--letters '0 < {letter[0]} < 1'); "
            "a number is a fraction such as 1/3"
        )
    meant = digits_meant(text)
    remedy = remedy if meant is None else meant
    return RationalSyntaxError(
        f"{shown!r} is not an exact number: {reason} (at character {position + 1}); {remedy}",
        text=text,
        position=position,
        reason=reason,
    )


def _explain(text: str, stop: int) -> tuple[int, str]:
    """Say where and why the grammar stopped; ``stop`` is the end of the longest good prefix."""
    if text == "":
        return 0, "the text is empty"
    lowered = text.lower().lstrip("+-")
    if lowered in {"nan", "inf", "infinity"}:
        return 0, "not-a-number and infinities are not rational"
    for position, char in enumerate(text):
        if char.isspace():
            return position, "a blank inside"
        if char == "_":
            return position, "underscores are not digits"
        if char.isdigit() and not char.isascii():
            return position, f"{char!r} is not one of the digits 0–9"
    stop = max(stop, int(text[0] == "-"))
    exponent = re.match(_LONG_EXPONENT, text)
    if exponent is not None:
        return exponent.start("exp"), "an exponent has at most three digits"
    if text[0] == "+":
        return 0, "a leading plus sign"
    if text[0] == ".":
        return 0, "digits are missing before the decimal point"
    if stop < len(text) and text[stop] == "." and stop + 1 == len(text):
        return stop, "digits are missing after the decimal point"
    if stop < len(text) and text[stop] == "/" and stop + 1 == len(text):
        return stop, "the denominator is missing"
    if text[stop:].startswith("/") and text[:stop] in {"", "-"}:
        return stop, "the numerator is missing"
    if stop > 0 and text[stop - 1] == "0" and stop < len(text) and text[stop].isdigit():
        return stop - 1, "a leading zero"
    begun = text[:stop].lstrip("-").isdigit() and text[stop : stop + 1] in {".", "/"}
    if begun and text[stop + 1 : stop + 2]:
        stop += 1  # the point or the stroke is sound: what follows is no digit
    shown = text[stop] if stop < len(text) else "the end"
    return stop, f"unexpected {shown!r}" if stop < len(text) else "the number is incomplete"


class Rational(Immutable, Scalar):
    """An exact rational number.

    Parameters
    ----------
    value : str, int, Fraction, Decimal, Rational, ``flint.fmpq`` or any numbers.Rational
        Text follows the strict grammar of :mod:`exactdp.exact.rational`; floats are refused.
    denominator : int or rational, optional
        If given, the number is ``value / denominator``.

    Raises
    ------
    RationalSyntaxError
        The text is not a number; carries position and reason.
    InexactInputError
        The value is a float, a complex, or a Decimal that is not finite; carries it.

    Examples
    --------
    >>> Rational(6, 4), Rational("0.125"), Rational(-3)
    (Rational('3/2'), Rational('1/8'), Rational('-3'))
    >>> f"{Rational('2/3'):.3f}", round(Rational("2/3"), 2), Rational("1/2") == 0.5, Rational("1/10") == 0.1
    ('0.667', Rational('67/100'), True, False)
    """

    __slots__ = ("_q",)
    _q: fmpq

    def __new__(cls, value: object = 0, denominator: object = 1) -> Rational:
        """Read the value; see the class."""
        q = _to_fmpq(value)
        if type(denominator) is not int or denominator != 1:
            below = _to_fmpq(denominator)
            if below == 0:
                raise InputError(f"the denominator of {value!r}/{denominator!r} is zero", value=denominator)
            q = q / below
        return _wrap(q)

    @property
    def field(self) -> RationalField:
        """The field ℚ."""
        return QQ

    @property
    def numerator(self) -> int:
        """The numerator in lowest terms, a Python int."""
        return int(self._q.p)

    @property
    def denominator(self) -> int:
        """The positive denominator in lowest terms, a Python int."""
        return int(self._q.q)

    @property
    def bits(self) -> int:
        """How many binary digits numerator and denominator have together.

        >>> Rational("-5/8").bits
        7
        """
        return int(self._q.p.bit_length() + self._q.q.bit_length())

    def sign(self) -> int:
        """−1, 0 or 1."""
        p = self._q.p
        return (p > 0) - (p < 0)

    def __add__(self, other: Any, /) -> Rational:
        q = _operand(other)
        return with_sympy(operator.add, self, other) if q is None else _wrap(self._q + q)

    __radd__ = __add__

    def __sub__(self, other: Any, /) -> Rational:
        q = _operand(other)
        return with_sympy(operator.sub, self, other) if q is None else _wrap(self._q - q)

    def __rsub__(self, other: Any, /) -> Rational:
        q = _operand(other)
        return with_sympy(operator.sub, other, self) if q is None else _wrap(q - self._q)

    def __mul__(self, other: Any, /) -> Rational:
        q = _operand(other)
        return with_sympy(operator.mul, self, other) if q is None else _wrap(self._q * q)

    __rmul__ = __mul__

    def __truediv__(self, other: Any, /) -> Rational:
        q = _operand(other)
        return with_sympy(operator.truediv, self, other) if q is None else _wrap(self._q / q)

    def __rtruediv__(self, other: Any, /) -> Rational:
        q = _operand(other)
        return with_sympy(operator.truediv, other, self) if q is None else _wrap(q / self._q)

    def power_size(self, exponent: int) -> dict[str, int]:
        """At most about the size of the power with this exponent, which is not computed.

        >>> Rational("1/4").power_size(10**9)
        {'digits': 602060001, 'memory': 1000000000}
        """
        largest = max(abs(int(self._q.p)), 1), int(self._q.q)
        bits = abs(exponent) * sum((part - 1).bit_length() for part in largest)
        return {"digits": digits_of(bits), "memory": bits // 2}

    def __pow__(self, exponent: int, /) -> Rational:
        k = exponent_of(self, exponent)
        if abs(k) > 16:
            require_budget(f"the power with the exponent {figure(k)}", **self.power_size(k))
        return _wrap(self._q**k)

    def __neg__(self) -> Rational:
        return _wrap(-self._q)

    def __pos__(self) -> Rational:
        return self

    def __floordiv__(self, other: Any, /) -> Any:
        q = _operand(other)
        return super().__floordiv__(other) if q is None else _floor_of_quotient(self._q, q)

    def __rfloordiv__(self, other: Any, /) -> Any:
        q = _operand(other)
        return super().__rfloordiv__(other) if q is None else _floor_of_quotient(q, self._q)

    def __mod__(self, other: Any, /) -> Any:
        q = _operand(other)
        return super().__mod__(other) if q is None else _wrap(self._q - q * _floor_of_quotient(self._q, q))

    def __rmod__(self, other: Any, /) -> Any:
        q = _operand(other)
        return super().__rmod__(other) if q is None else _wrap(q - self._q * _floor_of_quotient(q, self._q))

    def __divmod__(self, other: Any, /) -> Any:
        return super().__divmod__(other) if _operand(other) is None else (self // other, self % other)

    def __rdivmod__(self, other: Any, /) -> Any:
        return super().__rdivmod__(other) if _operand(other) is None else (other // self, other % self)

    def __eq__(self, other: object, /) -> bool:
        q = _rational_operand(other)
        return equals_elsewhere(self, self, other) if q is None else bool(self._q == q)

    def __lt__(self, other: Any, /) -> bool:
        q = _rational_operand(other)
        return self._compared(operator.lt, other) if q is None else bool(self._q < q)

    def __le__(self, other: Any, /) -> bool:
        q = _rational_operand(other)
        return self._compared(operator.le, other) if q is None else bool(self._q <= q)

    def __gt__(self, other: Any, /) -> bool:
        q = _rational_operand(other)
        return self._compared(operator.gt, other) if q is None else bool(self._q > q)

    def __ge__(self, other: Any, /) -> bool:
        q = _rational_operand(other)
        return self._compared(operator.ge, other) if q is None else bool(self._q >= q)

    def _compared(self, operation: Callable[[Any, Any], bool], other: Any) -> bool:
        """An order beside a float or a Decimal, as what it is exactly, or beside sympy."""
        if not is_float(other) and not is_decimal(other):
            return compared_with_sympy(operation, self, other)  # type: ignore[no-any-return]
        if not is_finite(other):  # beyond all numbers, or none
            return not is_undefined(other) and bool(operation(0, other))
        # A Decimal is compared without writing out its zeros.
        return bool(operation(self.as_fraction(), other) if is_decimal(other) else operation(self, exactly(other)))

    def __bool__(self) -> bool:
        return bool(self._q)

    def __hash__(self) -> int:
        # the hash of every Python number of this value, without making a Fraction
        p, q = int(self._q.p), int(self._q.q)
        if q == 1:
            return hash(p)
        try:
            size = hash(abs(p)) * pow(q, -1, sys.hash_info.modulus) % sys.hash_info.modulus
        except ValueError:  # the modulus divides q
            size = sys.hash_info.inf
        if p >= 0:
            return size
        return -2 if size == 1 else -size  # -1 is no hash

    def __float__(self) -> float:
        """The nearest double, which whoever calls ``float`` asks for; never for a verdict."""
        return self.numerator / self.denominator

    def __int__(self) -> int:
        return self.__trunc__()

    def __trunc__(self) -> int:
        return self.__floor__() if self.sign() > 0 else self.__ceil__()

    def __floor__(self) -> int:
        return self.numerator // self.denominator

    def __ceil__(self) -> int:
        return -(-self.numerator // self.denominator)

    @overload
    def __round__(self, digits: None = None) -> int: ...
    @overload
    def __round__(self, digits: int) -> Rational: ...

    def __round__(self, digits: int | None = None) -> int | Rational:
        """The nearest integer, or the nearest decimal with so many digits after the point; ties to even."""
        if digits is None:
            return rounded(self.numerator, self.denominator, 0)[0]
        shift = operator.index(digits)
        require_budget(f"a number with {figure(shift)} digits", digits=abs(shift))
        number, power = fmpz(rounded(self.numerator, self.denominator, shift)[0]), fmpz(10) ** abs(shift)
        return _wrap(fmpq(number, power) if shift >= 0 else fmpq(number * power))

    def __format__(self, spec: str) -> str:
        """As a Fraction is formatted in Python 3.13, exactly rounded, in every version of Python."""
        return formatted(self.numerator, self.denominator, spec) if spec else str(self)

    def as_integer_ratio(self) -> tuple[int, int]:
        """Numerator and denominator.

        >>> Rational("0.75").as_integer_ratio()
        (3, 4)
        """
        return self.numerator, self.denominator

    def is_integer(self) -> bool:
        """Whether it is an integer."""
        return bool(self._q.q == 1)

    @property
    def real(self) -> Rational:
        """The number itself, as for every real number of Python."""
        return self

    @property
    def imag(self) -> int:
        """0."""
        return 0

    def conjugate(self) -> Rational:
        """The number itself, as for every real number of Python."""
        return self

    def _in_sympy(self, letters: Symbols) -> Any:
        from sympy import Rational as SympyRational

        return SympyRational(self.numerator, self.denominator)

    def as_fraction(self) -> Fraction:
        """The same number as a standard-library Fraction.

        >>> Rational("2/6").as_fraction()
        Fraction(1, 3)
        """
        from fractions import Fraction

        return Fraction(self.numerator, self.denominator)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Rational, (str(self),))

    def __str__(self) -> str:
        return str(self._q)

    def __repr__(self) -> str:
        return f"Rational('{self._q}')"

    def latex(self) -> str:
        r"""The number in math mode.

        >>> print(Rational("-1/3").latex())
        -\frac{1}{3}
        """
        sign = "-" if self.sign() < 0 else ""
        body = str(abs(self.numerator)) if self.denominator == 1 else rf"\frac{{{abs(self._q.p)}}}{{{self._q.q}}}"
        return f"{sign}{body}"


numbers.Rational.register(Rational)

_set_q = Rational.__dict__["_q"].__set__
_new = object.__new__


def _wrap(q: fmpq) -> Rational:
    result = _new(Rational)
    _set_q(result, q)
    return result


def number_of(text: str) -> Rational:
    """The number of a text; the same as ``Rational(text)``, in half the time.

    >>> number_of("0.125")
    Rational('1/8')
    """
    return _wrap(parse_fmpq(text))


_DECIMALS = re.compile(r"(?:-?(?:0|[1-9][0-9]{0,31})(?:\.[0-9]{1,31})?,)*")


def numbers_of(texts: Sequence[str]) -> list[Rational]:
    """The numbers of some texts; of integers and decimals, which most tables have, in half the time.

    A text that occurs again is read once.

    >>> numbers_of(["0.125", "-3"]), numbers_of(["1/3", "1e-3"])
    ([Rational('1/8'), Rational('-3')], [Rational('1/3'), Rational('1/1000')])
    """
    different = list(dict.fromkeys(texts))
    if len(different) < len(texts) // 2:
        known = dict(zip(different, numbers_of(different), strict=True))
        return list(map(known.__getitem__, texts))
    joined = ",".join(texts) + ","
    if joined.count(",") != len(texts) or not _DECIMALS.fullmatch(joined):
        return list(map(number_of, texts))
    parts = [text.partition(".") for text in texts]
    return [_wrap(fmpq(int(whole + places), _TENS[len(places)])) for whole, _, places in parts]


def is_rational(x: object) -> TypeGuard[numbers.Rational]:
    """Whether it is a rational number of Python; numpy says that its durations are integers."""
    return isinstance(x, numbers.Rational) and type(x).__name__ != "timedelta64"


def _rational_operand(other: object) -> fmpq | int | None:
    """What FLINT may compute with, or None for anything but a rational number."""
    if type(other) is Rational:
        return other._q
    if type(other) is int:
        return other
    if is_rational(other):
        return fmpq(int(other.numerator), int(other.denominator))
    if isinstance(other, (fmpq, fmpz)):
        return fmpq(other)
    return None


def _operand(other: object) -> fmpq | int | None:
    """The same for arithmetic: a Decimal is the number that it spells, and floats are refused by name.

    In pytest's ``approx`` a float is the double that it is.
    """
    q = _rational_operand(other)
    if q is None and is_decimal(other):
        return _decimal(other)
    if q is None and is_float(other) and is_finite(other) and approx_computes():
        return from_float(real_part(other))._q
    if q is None and (is_float(other) or isinstance(other, complex) or type(other).__name__ == "Float"):
        raise _beside_float(other) if is_float(other) else _inexact(other)
    return q


def _beside_float(x: object) -> InputError:
    """The refusal of a float in arithmetic, where a text is no operand."""
    told = _inexact(x).message.partition("; write")[0]
    remedy = f"write Rational('{x}') if the decimal is meant, from_float(x) if exactly that double is, or float(…) for a float result"
    return InexactInputError(f"{told}; {remedy}" if "as a double" in told else told, value=x)


def _floor_of_quotient(above: fmpq | int, below: fmpq | int) -> int:
    """The largest integer that is at most a quotient."""
    return int((fmpq(above) / fmpq(below)).floor())


def _decimal(value: Any) -> fmpq:
    """The number that a Decimal spells."""
    if not value.is_finite():
        raise InexactInputError(f"{value} (a Decimal) is not a rational number; give one that is finite", value=value)
    require_decimal(value)
    numerator, denominator = value.as_integer_ratio()
    return fmpq(numerator, denominator)


def equals_elsewhere(ours: Any, known: Rational | None, theirs: Any) -> Any:
    """``ours == theirs`` where that is no number of this package; ``known`` is ours, if it is rational.

    It is never an error. A float is the double that it is, and a Decimal the number that it spells, as for a
    Fraction. Beside pytest's ``approx`` the number is rounded. An expression of sympy is read
    (:func:`~exactdp.exact.sympy_operators.equals_in_sympy`); a Float there is sympy's to compare.

    >>> from decimal import Decimal
    >>> half = Rational("1/2")
    >>> half == Decimal("0.50"), Decimal("0.1") == half, half == Decimal("NaN")
    (True, False, False)
    >>> half == 0.5, 0.5 == half, half == 0.1, half == float("nan"), half == 0.5 + 0j
    (True, True, False, False, True)
    """
    if is_decimal(theirs):  # which is compared without writing out its zeros
        return known is not None and theirs.is_finite() and bool(theirs == known.as_fraction())
    value = real_part(theirs)
    if is_float(value):
        return known is not None and is_finite(value) and bool(from_float(value)._q == known._q)
    if value is not theirs:  # it has an imaginary part
        return False
    if is_approximate(theirs):
        return _is_near(ours if known is None else known.as_fraction(), theirs)
    return equals_in_sympy(ours, theirs)


def _is_near(ours: Any, approximate: Any) -> bool:
    """Whether pytest's ``approx`` is met by a number; a function of letters is none."""
    try:
        return bool(approximate == (ours if is_rational(ours) else float(ours)))
    except InexactInputError:
        return False


def require_no_float_beside(value: object) -> None:
    """Refuse a float in the arithmetic of an exact number, where a text would be no operand.

    >>> require_no_float_beside(0.5)
    Traceback (most recent call last):
    ...
    exactdp.errors.InexactInputError: 0.5 is a float; as a double it is exactly 1/2; write Rational('0.5') ...
    """
    if is_float(value):
        raise _beside_float(value)
    require_no_float(value)


def require_no_float(value: object) -> None:
    """Refuse floats by name."""
    if is_float(value) or isinstance(value, complex) or type(value).__name__ == "Float":
        raise _inexact(value)


def _to_fmpq(value: object) -> fmpq:
    if type(value) is Rational:
        return value._q
    if isinstance(value, str):
        return parse_fmpq(value)
    if isinstance(value, bool):
        raise InputError(f"{value} is a truth value, not a number; write 1 or 0", value=value)
    if is_rational(value):
        return fmpq(int(value.numerator), int(value.denominator))
    if isinstance(value, (fmpq, fmpz)):
        return fmpq(value)
    if is_decimal(value):
        return _decimal(value)
    raise _inexact(value)


def _inexact(value: object) -> InputError:
    kind = type(value).__name__
    if is_float(value):
        try:
            exact = str(from_float(float(value)))  # type: ignore[arg-type]
        except (ValueError, OverflowError):
            return InexactInputError(f"{value} is not a rational number; {OF_AN_OBJECT}", value=value)
        return InexactInputError(
            f"{value} is a float; as a double it is exactly {exact}; write the number as text ('{value}') if the decimal is meant, "
            "or use from_float(x) if exactly that double is meant",
            value=value,
        )
    if kind in {"complex", "Float"}:
        return InexactInputError(f"{value!r} is a {kind}, not an exact rational; pass its text or a Fraction", value=value)
    if is_expression(value):
        return InputError(f"{value} (of sympy) is not a rational number; read it with exactdp.from_sympy", value=value)
    return InputError(f"{brief_value(value)} is not a rational number; {OF_AN_OBJECT}", value=value)


def from_float(x: float) -> Rational:
    """The rational number that a float is exactly; its denominator is a power of two.

    Parameters
    ----------
    x : float
        A finite float of Python or numpy, of any length. An int, a Fraction or a Decimal is taken as it is.

    Raises
    ------
    InexactInputError
        x is infinite or not a number.
    InputError
        x is something else, which may have to be rounded to be a float.

    Examples
    --------
    >>> from_float(0.375), from_float(0.1)
    (Rational('3/8'), Rational('3602879701896397/36028797018963968'))
    """
    if not hasattr(x, "as_integer_ratio") or isinstance(x, bool):
        raise InputError(f"{brief_value(x)} is no float; write the number as text, an int or a Fraction", value=x)
    try:
        numerator, denominator = map(int, x.as_integer_ratio())
    except (ValueError, OverflowError, TypeError):
        raise InexactInputError(f"{x} is not a rational number", value=x) from None
    return _wrap(fmpq(numerator, denominator))


class RationalField(OrderedField):
    """The field ℚ; its matrices are FLINT's, so products, determinants and solves are fast.

    >>> from exactdp import QQ
    >>> QQ("0.1") + QQ("1/5"), QQ.zero
    (Rational('3/10'), Rational('0'))
    """

    __slots__ = ()
    name = "QQ"

    def __call__(self, value: object, /) -> Rational:
        """The rational number that ``value`` denotes."""
        return value if type(value) is Rational else Rational(value)

    def __repr__(self) -> str:
        return "QQ"

    def __reduce__(self) -> str:
        return "QQ"

    def pack(self, rows: Rows) -> fmpq_mat:
        """A FLINT matrix, never changed after birth."""
        width = len(rows[0]) if rows else 0
        return fmpq_mat(len(rows), width, [x._q for row in rows for x in row])

    def shape(self, store: fmpq_mat) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return int(store.nrows()), int(store.ncols())

    def entry(self, store: fmpq_mat, i: int, j: int) -> Rational:
        """One entry."""
        return _wrap(store[i, j])

    def row(self, store: fmpq_mat, i: int) -> tuple[Rational, ...]:
        """A row."""
        return tuple([_wrap(store[i, j]) for j in range(store.ncols())])

    def integers(self, store: fmpq_mat) -> tuple[int, list[int]]:
        """The least common denominator of all entries, and the numerators over it, row after row."""
        numerators, common = store.numer_denom()
        return int(common), list(map(int, numerators.entries()))

    def matmul(self, left: fmpq_mat, right: fmpq_mat) -> fmpq_mat:
        """The product."""
        return left * right

    def transpose(self, store: fmpq_mat) -> fmpq_mat:
        """The transpose."""
        return store.transpose()

    def row_sums(self, store: fmpq_mat) -> tuple[Rational, ...]:
        """The sum of every row: the product with a column of ones."""
        columns = store.ncols()
        return tuple(map(_wrap, (store * fmpq_mat(columns, 1, [1] * columns)).entries()))

    def row_products(self, left: fmpq_mat, right: fmpq_mat) -> tuple[Rational, ...]:
        """Σ_r l_ir·x_ir for each row i of two matrices of one shape; each row has its own denominator."""
        rows, columns = self.shape(left)
        ours, theirs = left.entries(), right.entries()
        each = [slice(i * columns, (i + 1) * columns) for i in range(rows)]
        return tuple([_wrap((fmpq_mat(1, columns, ours[row]) * fmpq_mat(columns, 1, theirs[row]))[0, 0]) for row in each])

    def over_row_sums(self, store: fmpq_mat) -> fmpq_mat:
        """Each row divided by its sum, which is not 0."""
        divided = [(row, sum(row, fmpz(0))) for _, row in self.integers_of_rows(store)]
        return fmpq_mat(*self.shape(store), [fmpq(x, total) for row, total in divided for x in row])

    def integers_of_rows(self, store: fmpq_mat) -> Iterator[tuple[fmpz, list[fmpz]]]:
        """Of each row the least common denominator, and the numerators over it."""
        rows, columns = self.shape(store)
        flat = store.entries()
        for i in row_by_row(range(rows), "rows over one denominator", (rows, columns)):
            numerators, denominator = fmpq_mat(1, columns, flat[i * columns : (i + 1) * columns]).numer_denom()
            yield denominator, numerators.entries()

    def is_stochastic(self, store: fmpq_mat) -> bool:
        """Whether entries are ≥ 0, and every row sums to 1: integers over one denominator a row."""
        return all(sum(row) == denominator and min(row) >= 0 for denominator, row in self.integers_of_rows(store))

    def solve(self, matrix: fmpq_mat, right: fmpq_mat) -> fmpq_mat:
        """X with matrix · X = right; ZeroDivisionError if the matrix is singular."""
        if matrix.nrows() == 0:
            return right
        return matrix.solve(right)

    def det(self, matrix: fmpq_mat) -> Rational:
        """The determinant."""
        return _wrap(matrix.det()) if matrix.nrows() else self.one

    def rank(self, matrix: fmpq_mat) -> int:
        """The rank."""
        return int(matrix.rref()[1]) if matrix.nrows() and matrix.ncols() else 0


QQ = RationalField()
"""The field of rational numbers (a value without state)."""


def integer_vector(values: list[Rational]) -> tuple[int, list[int]]:
    """The least common denominator of some rationals, and the numerators over it.

    >>> integer_vector([Rational("1/2"), Rational("1/3")])
    (6, [3, 2])
    """
    common, numerators = long_integers(values)
    return int(common), list(map(int, numerators))


def long_integers(values: list[Rational]) -> tuple[fmpz, list[fmpz]]:
    """The same as FLINT's integers: from 64 bits on it takes half a microsecond to make one of Python's.

    >>> long_integers([Rational("1/2"), Rational("1/3")])
    (6, [3, 2])
    """
    numerators, common = fmpq_mat(1, len(values), [value._q for value in values]).numer_denom()
    return common, numerators.entries()
