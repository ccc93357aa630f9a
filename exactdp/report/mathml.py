# SPDX-License-Identifier: MIT
r"""Exact numbers and formulas as MathML, which browsers typeset without a script.

What is between the tags is the formula on one line, ``(α^2*(1 − α))/(1 + α)``: a reader that does not know
MathML, or a copy of it, shows that. Its signs ``/``, ``^`` and ``*`` take no room where MathML is drawn.

>>> from exactdp.exact import RationalFunctionField
>>> a = RationalFunctionField().gen
>>> import re
>>> re.sub("<[^>]*>", "", number_mathml((a**2 - a**3) / (1 + a)))
'(α^2*(1 − α))/(1 + α)'
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from exactdp.errors import printable
from exactdp.exact import ExponentialNumber, Rational, RationalFunction, RegionFunction
from exactdp.exact.factored import Factor, Factored, Term, factored

LONGEST = 200
"""A formula with more characters in one line is not typeset."""

_GREEK = {unicodedata.name(letter).rpartition(" ")[2].replace("LAMDA", "LAMBDA").lower(): letter for letter in "αβγδεζηθικλμνξπρστυφχψω"}
_GREEK |= {name.capitalize(): letter.upper() for name, letter in _GREEK.items()}
"""The Greek letters by their names."""

_HIDDEN = ' style="font-size:0"'


def number_mathml(x: Any) -> str | None:
    """A number or a formula as a ``math`` element; None if it is one of words, or too long to be typeset.

    * ``x``: a rational number that is no integer, a function of letters, or a number over powers of e.

    Returns: well-formed XML.

    >>> number_mathml(Rational("1/2")).removeprefix('<math displaystyle="true">')
    '<mfrac><mrow><mn>1</mn><mo style="font-size:0">/</mo></mrow><mn>2</mn></mfrac></math>'
    >>> number_mathml(Rational(2)) is None
    True
    """
    inside = _inside(x) if len(str(x)) <= LONGEST else None
    return None if inside is None else f'<math displaystyle="true">{inside}</math>'


def _inside(x: Any) -> str | None:
    if isinstance(x, Rational):
        return None if x.denominator == 1 else _rational(x)
    if isinstance(x, (RationalFunction, RegionFunction, ExponentialNumber)):
        known = getattr(x, "rational", None)
        return _formula(factored(x), _names(x)) if known is None else _inside(known)
    return None


def _rational(x: Rational) -> str:
    shown = _fraction(_number(abs(x.numerator)), _number(int(x.denominator)))
    return f"<mrow>{_minus()}{shown}</mrow>" if x < 0 else shown


def _names(x: Any) -> list[str]:
    """The letters of a formula in MathML; the level is α, as in LaTeX."""
    names = x.field.names
    if isinstance(x, RationalFunction):
        names = ["alpha" if name == "a" else name for name in names]
    return [_letter(name) for name in names]


def _letter(name: str) -> str:
    base, _, index = name.partition("_")
    if not index and base[:-1].isalpha() and base[-1:].isdigit():
        base, index = base[:-1], base[-1:]
    letter = f"<mi>{escape(_GREEK.get(base, printable(base)))}</mi>"
    below = f"<mn>{escape(index)}</mn>" if index.isdigit() else f"<mi>{escape(printable(index))}</mi>"
    return f"<msub>{letter}{below}</msub>" if index else letter


def _formula(x: Factored, names: Sequence[str]) -> str:
    above, below = (_product(factors, names) for factors in (x.above, x.below))
    if below == _number(1):
        alone = len(x.above) == 1 and x.above[0].is_sum and x.above[0].power == 1
        shown = _bracketed(above) if alone and x.negative else above
    else:
        shown = _fraction(_one_line(above, x.above), _one_line(below, x.below))
    return f"<mrow>{_minus()}{shown}</mrow>" if x.negative else shown


def _one_line(product: str, factors: Sequence[Factor]) -> str:
    """The product, with brackets that only its line of text has if it is more than a number or a letter."""
    simple = len(factors) == 1 and not factors[0].is_sum and sum(factors[0].terms[0][0]) <= 1
    return product if simple else f"<mrow><mo{_HIDDEN}>(</mo>{product}<mo{_HIDDEN}>)</mo></mrow>"


def _fraction(above: str, below: str) -> str:
    return f"<mfrac><mrow>{above}<mo{_HIDDEN}>/</mo></mrow>{below}</mfrac>"


def _product(factors: Sequence[Factor], names: Sequence[str]) -> str:
    parts = [_factor(factor, names, alone=len(factors) == 1) for factor in factors]
    return parts[0] if len(parts) == 1 else f"<mrow>{_times(parts)}</mrow>"


def _times(parts: Iterable[str]) -> str:
    return f"<mo{_HIDDEN}>*</mo>".join(parts)


def _factor(factor: Factor, names: Sequence[str], *, alone: bool) -> str:
    inner = _sum(factor.terms, names)
    if factor.is_sum and not (alone and factor.power == 1):
        inner = _bracketed(inner)
    return _power(inner, factor.power) if factor.power > 1 else inner


def _bracketed(inner: str) -> str:
    return f'<mrow><mo stretchy="false">(</mo>{inner}<mo stretchy="false">)</mo></mrow>'


def _power(base: str, exponent: int) -> str:
    return f"<msup>{base}<mrow><mo{_HIDDEN}>^</mo>{_number(exponent)}</mrow></msup>"


def _sum(shown: Sequence[Term], names: Sequence[str]) -> str:
    parts: list[str] = []
    for number, (powers, c) in enumerate(shown):
        if number:
            parts.append("<mo> − </mo>" if c < 0 else "<mo> + </mo>")
        elif c < 0:
            parts.append(_minus())
        parts.append(_term(powers, abs(c), names))
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _term(powers: Sequence[int], size: int, names: Sequence[str]) -> str:
    letters = [_power(name, e) if e > 1 else name for name, e in zip(names, powers, strict=True) if e]
    parts = [*([_number(size)] if size != 1 or not letters else []), *letters]
    return parts[0] if len(parts) == 1 else f"<mrow>{_times(parts)}</mrow>"


def _number(x: int) -> str:
    return f"<mn>{x}</mn>"


def _minus() -> str:
    return '<mo form="prefix">−</mo>'
