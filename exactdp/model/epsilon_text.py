# SPDX-License-Identifier: MIT
"""ε read from a text, a number, or an expression of sympy: as a rational number, or as a logarithm."""

from __future__ import annotations

import re
from typing import Any

from exactdp.errors import InputError, ParameterRangeError, RationalSyntaxError
from exactdp.exact import Rational, Scalar
from exactdp.exact.sympy_operators import require_exact
from exactdp.model.level_roots import root_of
from exactdp.model.metric import ONE, Distance

_N = r"[0-9]+(?:\.[0-9]+)?"
_TIMES = rf"(?:(?P<times>[0-9]+/[0-9]+|{_N})[*·]|(?P<before>{_N}|[0-9]+/[0-9]+(?=\s))\s*|\((?P<factor>[0-9]+/[0-9]+|{_N})\)[*·\s]*)"
_OVER = rf"(?:/(?P<over>{_N})|/\((?P<bracket>[0-9]+/[0-9]+|{_N})\)|[*·](?P<after>{_N}))"
_LOGARITHM = rf"(?P<sign>[-−]?){_TIMES}?(?:ln|log)\((?P<of>[^()]+)\){_OVER}?"
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
        raise _below(str(number), number)
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
        hint = "write a rational such as 1/10, or the logarithm of one, such as ln(3)"
        decimal = re.fullmatch(r"\s*([0-9]*)[.,]([0-9]+)\s*", str(value)[:80], re.ASCII)
        if decimal is not None:
            hint = f"did you mean {decimal[1] or '0'}.{decimal[2]}? {hint}"
        raise RationalSyntaxError(f"ε = {value!r} is not understood; {hint}", **error.facts) from None
    if number.sign() < 0:
        raise _below(str(number), number)
    return number


def _below(shown: str, value: object) -> ParameterRangeError:
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
    if divisor == 0:
        raise InputError(f"ε = {text[:80]}: the divisor is zero", value=text)
    of, factor = Rational(found["of"]), Rational(times or 1) * Rational(found["after"] or 1) / divisor
    if of.sign() <= 0 or factor.sign() <= 0:
        raise InputError(f"ε = {text}: the logarithm of a number > 0 is meant, times a number > 0", value=text)
    ratio = of if found["sign"] else 1 / of
    if ratio > 1:
        raise _below(text, text)
    distance = Distance.of(1 / factor)
    level = root_of(ratio, distance)
    return (ratio, distance) if level is None else (level, ONE)
