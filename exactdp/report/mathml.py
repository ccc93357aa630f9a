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

import ast
import re
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


def formula_mathml(text: str) -> str:
    """A formula that is written on one line as a ``math`` element: an expression, or a chain of comparisons.

    Parameters
    ----------
    text : str
        Of integers, names, ``+ - * / ^``, brackets and ``= < <=``; the name ``a`` is the level α.

    Examples
    --------
    >>> import re
    >>> found = formula_mathml("-a^(2*n-1)/(1 - a)")
    >>> found.count("<mfrac>"), found.count("<msup>"), re.sub("<[^>]*>", "", found)
    (1, 1, '(−α^(2*n − 1))/(1 − α)')
    >>> re.sub("<[^>]*>", "", formula_mathml("i = j-1 <= h"))
    'i = j − 1 ≤ h'
    """
    parts = re.split("(<=|<|=)", text)
    shown = [_expression(ast.parse(part.strip().replace("^", "**"), mode="eval").body) for part in parts[::2]]
    for place, sign in enumerate(parts[1::2]):
        shown.insert(2 * place + 1, f"<mo> {escape(sign.replace('<=', '≤'))} </mo>")
    inside = shown[0] if len(shown) == 1 else f"<mrow>{''.join(shown)}</mrow>"
    return f'<math displaystyle="true">{inside}</math>'


def _expression(node: ast.expr) -> str:
    """A part of a parsed formula, with the brackets that its place needs left to the part around it."""
    match node:
        case ast.Constant(value=int(number)):
            return _number(number)
        case ast.Name(id=name):
            return _letter("alpha" if name == "a" else name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"<mrow>{_minus()}{_within(operand, ast.Add, ast.Sub)}</mrow>"
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _fraction(_line_of(left), _line_of(right))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            base = _within(left, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
            return f"<msup>{base}<mrow><mo{_HIDDEN}>^</mo>{_line_of(right)}</mrow></msup>"
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            factors = [_within(side, ast.Add, ast.Sub) for side in (left, right)]
            return f"<mrow>{_times(factors)}</mrow>"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            sign = " + " if isinstance(op, ast.Add) else " − "
            return f"<mrow>{_expression(left)}<mo>{sign}</mo>{_within(right, ast.Add, ast.Sub)}</mrow>"
    raise ValueError(f"not a formula: {ast.unparse(node)}")


def _within(node: ast.expr, *bracketed: type[ast.operator]) -> str:
    """A part in brackets if it is one of these operations, or begins with a minus."""
    needs = isinstance(node, ast.UnaryOp) or (isinstance(node, ast.BinOp) and isinstance(node.op, bracketed))
    return _bracketed(_expression(node)) if needs else _expression(node)


def _line_of(node: ast.expr) -> str:
    """A part above or below a line, or in an exponent; only its line of text has brackets."""
    inner = _expression(node)
    simple = isinstance(node, (ast.Constant, ast.Name))
    return inner if simple else f"<mrow><mo{_HIDDEN}>(</mo>{inner}<mo{_HIDDEN}>)</mo></mrow>"
