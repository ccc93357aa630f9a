# SPDX-License-Identifier: MIT
"""Formulas as trees: what they say, their value, and the text that reads back as the same tree.

Text is read by :mod:`exactdp.exact.expression`. A tree is computed with over any scalars; it knows nothing of fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from exactdp.errors import InputError
from exactdp.exact.rational import QQ, Rational

__all__ = ["Expression", "Negation", "Number", "Power", "Product", "Sum", "Symbol", "divisors", "evaluate", "shortened"]


@dataclass(frozen=True, slots=True)
class Expression:
    """A node of a formula; text that parses to the same node is ``str(node)``."""

    def __str__(self) -> str:
        return _written(self, 0)


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """An integer ≥ 0 (``0.125`` is read as 1/8, a product)."""

    value: Rational


@dataclass(frozen=True, slots=True)
class Symbol(Expression):
    """A name."""

    name: str


@dataclass(frozen=True, slots=True)
class Negation(Expression):
    """−operand."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Sum(Expression):
    """first ± …; ``rest`` holds pairs of "+" or "-" and a term."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Product(Expression):
    """first · or / …; ``rest`` holds pairs of "*" or "/" and a factor."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Power(Expression):
    """base^exponent, for an int exponent of either sign."""

    base: Expression
    exponent: int


def shortened(text: str) -> str:
    """A text for a message: at most some sixty characters.

    >>> shortened("(1-a)^9")
    '(1-a)^9'
    """
    return text if len(text) <= 60 else text[:40] + "…" + text[-10:]


def evaluate(expression: Expression, values: Mapping[str, Any], number: Callable[[Rational], Any] = QQ) -> Any:
    """The value of a formula, in whatever field the values are from.

    Parameters
    ----------
    expression : Expression
        A formula.
    values : mapping of str to scalar
        The value of each symbol.
    number : callable, optional
        What makes a scalar of an integer of the formula (a :class:`~exactdp.exact.rational.Rational`); by default it is left as it is.

    Returns
    -------
    scalar
        Computed with ``+ − * / **`` only.

    Raises
    ------
    InputError
        The formula divides by something that is zero; carries ``divisor``.

    Examples
    --------
    >>> evaluate(Power(Symbol("a"), -2), {"a": QQ("1/2")})
    Rational('4')
    """

    def value(node: Expression) -> Any:
        if isinstance(node, Number):
            return number(node.value)
        if isinstance(node, Symbol):
            return values[node.name]
        if isinstance(node, Negation):
            return -value(node.operand)
        if isinstance(node, Power):
            base = value(node.base)
            return (base if node.exponent >= 0 else _divisor(node.base, base)) ** node.exponent
        assert isinstance(node, (Sum, Product))
        result = value(node.first)
        for sign, other in node.rest:
            operand = value(other)
            if sign == "/":
                result = result / _divisor(other, operand)
            else:
                result = result + operand if sign == "+" else result - operand if sign == "-" else result * operand
        return result

    return value(expression)


def divisors(expression: Expression) -> tuple[Expression, ...]:
    """Everything that the formula, as written, divides by.

    >>> a = Symbol("a")
    >>> [str(d) for d in divisors(Product(a, (("/", Sum(Number(QQ(1)), (("-", a),))),)))]
    ['1 - a']
    """
    if isinstance(expression, (Number, Symbol)):
        return ()
    if isinstance(expression, Negation):
        return divisors(expression.operand)
    if isinstance(expression, Power):
        own = (expression.base,) if expression.exponent < 0 else ()
        return own + divisors(expression.base)
    assert isinstance(expression, (Sum, Product))
    found = divisors(expression.first)
    for sign, node in expression.rest:
        found += ((node,) if sign == "/" else ()) + divisors(node)
    return found


def _divisor(node: Expression, value: Any) -> Any:
    if value == 0:
        raise InputError(f"the formula divides by {shortened(str(node))}, which is zero", divisor=node)
    return value


_STRENGTH = {Sum: 1, Product: 2, Negation: 3, Power: 4, Number: 5, Symbol: 5}


def _written(node: Expression, least: int) -> str:
    """The text of a node, in brackets if it binds more weakly than ``least``."""
    if isinstance(node, Number):
        text = str(node.value)
    elif isinstance(node, Symbol):
        text = node.name
    elif isinstance(node, Negation):
        text = "-" + _written(node.operand, 4)
    elif isinstance(node, Power):
        text = f"{_written(node.base, 5)}^{node.exponent}"
    else:
        assert isinstance(node, (Sum, Product))
        own, blank = (2, " ") if isinstance(node, Sum) else (3, "")
        text = _written(node.first, own) + "".join(f"{blank}{sign}{blank}{_written(other, own)}" for sign, other in node.rest)
    return f"({text})" if _STRENGTH[type(node)] < least else text
