# SPDX-License-Identifier: MIT
"""What is read as an ε: a number, an expression of sympy, or a text, printed or typed; a sum in its terms."""

from __future__ import annotations

import re
from typing import Any

from exactdp.errors import InputError, ParameterRangeError, RationalSyntaxError
from exactdp.exact import ExponentialField, Rational, Scalar
from exactdp.exact.powers import exponential_power, root_parts
from exactdp.exact.rational import of_another_kind
from exactdp.exact.sympy_operators import require_exact
from exactdp.model.level_roots import root_of
from exactdp.model.level_text import is_formula, is_power, names_of
from exactdp.model.metric import ONE, Distance

MINUS = "-−"
"""The signs that subtract: the one that is typed, and the one that is printed."""

_BEFORE_A_SIGN = "*·/(+-−"
"""After one of these a sign belongs to the number behind it."""

_DECIMAL = r"[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?"

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


def expression_text(number: Any) -> Any:
    """A number of sympy, as a rational, or as the text of a rational multiple of a logarithm of one."""
    require_exact(number)
    if number.is_Rational:
        return Rational(number)
    factor, rest = number.as_coeff_Mul()
    if type(rest).__name__ != "log" or not rest.args[0].is_Rational or not factor.is_Rational:
        message = f"ε = {number} is not understood; give a rational, or a multiple of a logarithm such as log(3)/2"
        raise InputError(message, value=number)
    of = Rational(rest.args[0])
    factor, of = (factor, of) if of > 1 else (-factor, 1 / of)  # ln(1/3) = -ln(3)
    if factor < 0:
        raise below_zero(str(number), number)
    return f"{factor.p}*ln({of})/{factor.q}"


def without_name(text: str) -> str:
    """What a text says of ε, without ``ε=``; ``ln 3`` with its brackets.

    >>> without_name("epsilon = 1/10"), without_name("ε=2 ln 3")
    ('1/10', '2 ln(3)')
    """
    word, equals, value = text.partition("=")
    name = word.strip().lower()
    if equals and name in {"alpha", "α"}:
        message = f"{text[:80].strip()!r} is an α where an ε is meant; give it as the level, or write its ε, such as ln(3)"
        raise InputError(message, value=text)
    if equals and name in NAMES:
        text = value.strip()
    text = re.sub(_BRACKETED, lambda found: f"ln{found['of'] or '(' + found['bare'] + ')'}", text)
    bare = re.fullmatch(_BARE, text.strip())
    if bare:
        return f"{bare['before']}ln({bare['of']})"
    if re.search(r"\b(?:ln|log)\s+[0-9.]+\s*/", text):
        message = f"ε = {text[:80]}: write brackets, as in ln(3)/2 or ln(3/2), so that one sees what is divided"
        raise InputError(message, value=text)
    return text


def rational_epsilon(value: object) -> Rational:
    """ε as a rational number ≥ 0."""
    if isinstance(value, Scalar) and not isinstance(value, Rational):
        raise InputError(f"ε = {value} is not rational; give the level as alpha if α itself is known exactly", value=value)
    try:
        number = Rational(value)
    except RationalSyntaxError as error:
        raise not_understood(value, error) from None
    except InputError as error:
        raise of_another_kind(error, "give ε as a number such as 1, as '1/10', or as a logarithm such as 'ln 3'") from None
    if number.sign() < 0:
        raise below_zero(str(number), number)
    return number


def not_understood(value: object, error: RationalSyntaxError) -> RationalSyntaxError:
    """What to write instead of the value."""
    hint = "write a rational such as 1/10, or the logarithm of one, such as ln(3)"
    if isinstance(value, str) and (is_formula(value) or names_of(value) or is_power(value)):
        hint = "it is a level α: give it as the level (--alpha), or write its ε, such as 1/10 or ln(3)"
    decimal = re.fullmatch(r"\s*([0-9]*)[.,]([0-9]+)\s*", str(value)[:80], re.ASCII)
    if decimal is not None:
        hint = f"did you mean {decimal[1] or '0'}.{decimal[2]}? {hint}"
    return RationalSyntaxError(f"ε = {value!r} is not understood; {hint}", **error.facts)


def below_zero(shown: str, value: object) -> ParameterRangeError:
    """What an ε < 0 is refused with."""
    message = f"ε = {shown} is not positive: α = e^(−ε) would be above 1"
    return ParameterRangeError(message, name="epsilon", value=value, allowed="> 0")


def logarithm_in(text: str) -> tuple[Any, Distance] | None:
    """The ratio and distance of ``ln(3)``, ``2*ln(3)``, ``1/2 ln(3)`` or ``ln(3)/(3/2)``; else None.

    It has the value that it has as a formula: products and quotients are taken from left to right. A second
    slash is refused, since ``ln(9)/1/2`` is ln(3) from left to right, and looks like ln(9)/(1/2).
    """
    found = re.fullmatch(_LOGARITHM, re.sub(_AROUND_SIGNS, r"\1", text.strip()))
    if found is None:
        if re.search(r"(?:ln|log)\s*\([^()]*\)\s*/[^()]*/", text):
            remedy = "write brackets, as in ln(9)/(1/2), or one fraction before the logarithm, as in 1/2*ln(9)"
            raise InputError(f"ε = {text[:80]}: a second '/' after the logarithm; {remedy}", value=text)
        return None
    times, over = found["times"] or found["before"] or found["factor"], found["over"] or found["bracket"]
    divisor = Rational(over or 1)
    if divisor == 0 or (found["root"] and Rational(found["root"]) == 0):
        raise InputError(f"ε = {text[:80]}: the divisor is zero", value=text)
    of, factor = Rational(found["of"]), Rational(times or 1) * Rational(found["after"] or 1) / divisor
    if of.sign() <= 0 or factor.sign() <= 0:
        raise InputError(f"ε = {text}: the logarithm of a number > 0 is meant, times a number > 0", value=text)
    ratio = of if found["sign"] else 1 / of
    if ratio > 1:
        raise below_zero(text, text)
    distance = Distance(Rational(found["root"] or 1) / (factor * factor))
    level = root_of(ratio, distance)
    return (ratio, distance) if level is None else (level, ONE)


def square_root_in(text: str) -> Any:
    """The level e^(−ε) of the ε that is written ``3/2·sqrt(2)``; None for what is written otherwise."""
    found = re.fullmatch(_SQUARE_ROOT, re.sub(_AROUND_SIGNS, r"\1", text.strip()))
    if found is None:
        return None
    factor = Rational(found["times"] or 1) / Rational(found["over"] or 1)
    outside, inside = root_parts(Rational(found["of"]))
    number = factor * outside
    return exponential_power(ExponentialField(number).gen, Rational(inside)) if number else Rational(1)


def signed_terms(text: str) -> list[tuple[int, str]]:
    """The terms of a sum, each with 1 or −1; one term, with 1, for what is no sum.

    A sign at the beginning, in brackets, or of an exponent is none between terms.

    >>> signed_terms("1 − ln(3/2) + 1e-3"), signed_terms("-ln(1/3)")
    ([(1, '1'), (-1, 'ln(3/2)'), (1, '1e-3')], [(1, '-ln(1/3)')])
    """
    ends = [*_signs_between(text), len(text)]
    starts = [0, *(end + 1 for end in ends[:-1])]
    signs = [1, *(-1 if text[end] in MINUS else 1 for end in ends[:-1])]
    terms = [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    is_sum = all(terms) and not any(term[0] in MINUS for term in terms[1:])
    return list(zip(signs, terms, strict=True)) if is_sum else [(1, text)]


def _signs_between(text: str) -> list[int]:
    """The places of the signs between two terms."""
    found, depth = [], 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        before = text[:place].rstrip()
        is_sign = letter == "+" or letter in MINUS
        is_exponent = re.search(r"[0-9.][eE]$", text[:place]) is not None
        if is_sign and depth == 0 and before and before[-1] not in _BEFORE_A_SIGN and not is_exponent:
            found.append(place)
    return found


def without_decimal(text: str) -> tuple[str, str | None]:
    """The exact form and the decimal of a text that has both, as it is printed.

    >>> without_decimal("ln(3) ≈ 1.098612"), without_decimal("ε ≈ 1.0986 (ln(3))"), without_decimal("ln(3)")
    (('ln(3)', '1.098612'), ('ln(3)', '1.0986'), ('ln(3)', None))
    """
    beside = re.fullmatch(rf"\s*(?P<exact>[^≈]*[^≈\s])\s*≈\s*(?P<decimal>{_DECIMAL})\s*", text)
    first = re.fullmatch(rf"\s*(?:(?:ε|eps|epsilon)\s*=?\s*)?≈\s*(?P<decimal>{_DECIMAL})\s*\((?P<exact>[^≈]+)\)\s*", text)
    found = beside or first
    return (text, None) if found is None else (found["exact"], found["decimal"])


def decimal_places(decimal: str) -> int:
    """How many digits a decimal has after its point, without an exponent.

    >>> decimal_places("1.0986"), decimal_places("3"), decimal_places("3.3e-31")
    (4, 0, 32)
    """
    digits, _, exponent = decimal.partition("e")
    return max(len(digits.partition(".")[2]) - int(exponent or 0), 0)
