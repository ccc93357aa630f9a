# SPDX-License-Identifier: MIT
"""Formulas: text is read into a tree; a tree has a value over any scalars, and reads back from its text.

The grammar is a whitelist; nothing is evaluated by Python and nothing is guessed. Blanks may stand between
tokens::

    sum      = term { ( "+" | "-" ) term }
    term     = factor { ( "*" | "/" ) factor }
    factor   = [ "-" ] power
    power    = atom [ ( "^" | "**" ) exponent ]
    exponent = [ "-" ] ( integer | "(" sum ")" )              a constant integer, such as 3 or (2*6-3)
    atom     = number | name | "(" sum ")" | exp
    exp      = "exp(" [ "-" ] number [ "/" number ] [ "*sqrt(" integer ")" ] ")"
    number   = as in exactdp.exact.rational, without sign or "/"

``a``, ``alpha`` and ``α`` name the level; other names, and ``exp``, only where they are asked for. ``-a^2``
is −(a²), ``a/b*c`` is (a/b)·c, ``a^b^c`` is refused. Length, nesting and exponents are bounded while the text
is read, degrees and digits before anything is computed.

>>> from exactdp.exact import QQ
>>> formula = parse_expression("(1-alpha)^(2*6-3)/(1+a)")
>>> print(formula)
(1 - a)^9/(1 + a)
>>> evaluate(formula, {"a": QQ("1/2")})
Rational('1/768')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import comb
from typing import Any, NoReturn

from flint import fmpz

from exactdp.errors import DomainError, ExpressionSyntaxError, InputError
from exactdp.exact.identity import is_zero
from exactdp.exact.rational import QQ, Rational
from exactdp.exact.sympy_operators import Symbols, SympyOperand
from exactdp.runtime.budget import digits_of, require_budget
from exactdp.runtime.values import dataclass

# --- Trees ---


class Expression(SympyOperand):
    """A node of a formula; text that parses to the same node is ``str(node)``."""

    __slots__ = ()

    def __str__(self) -> str:
        return _written(self, 0)

    def _in_sympy(self, letters: Symbols) -> Any:
        """The same formula in sympy, with a symbol for each name."""
        import sympy

        names = {leaf.name for leaf in leaves(self) if isinstance(leaf, Symbol)}
        values = {name: letters.get(name) or sympy.Symbol(name) for name in names}
        exponential = {EXP: lambda x, q: sympy.exp(x.to_sympy() * sympy.sqrt(q))}
        return evaluate(self, values | exponential, lambda q: sympy.Integer(q.numerator))


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """An integer ≥ 0 (``0.125`` is read as 1/8, a product)."""

    value: Rational


@dataclass(frozen=True, slots=True)
class Symbol(Expression):
    """A name."""

    name: str


@dataclass(frozen=True, slots=True)
class Exponential(Expression):
    """e^(exponent·√root)."""

    exponent: Rational
    root: int = 1


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
    """The value of a formula by ``+ − * / **``, in whatever field the values are from.

    * ``values``: the value of each symbol; under ``"exp"`` the function of x and q whose value is e^(x·√q).
    * ``number``: what makes a scalar of an integer of the formula (a
      :class:`~exactdp.exact.rational.Rational`); by default it is left as it is.
    * raises InputError: the formula divides by something that is zero; carries ``divisor``.

    >>> evaluate(Power(Symbol("a"), -2), {"a": QQ("1/2")})
    Rational('4')
    """

    def value(node: Expression) -> Any:
        if isinstance(node, Number):
            return number(node.value)
        if isinstance(node, Symbol):
            return values[node.name]
        if isinstance(node, Exponential):
            return values[EXP](node.exponent, node.root)
        if isinstance(node, Negation):
            return -value(node.operand)
        if isinstance(node, Power):
            base = value(node.base)
            return (base if node.exponent >= 0 else _divisor(node.base, base)) ** node.exponent
        assert isinstance(node, (Sum, Product))
        result = value(node.first)
        for sign, other in node.rest:
            operand = value(other)
            match sign:
                case "+":
                    result = result + operand
                case "-":
                    result = result - operand
                case "*":
                    result = result * operand
                case "/":
                    result = result / _divisor(other, operand)
                case unknown:
                    raise DomainError(f"the sign {unknown!r} has no meaning in exactdp/exact/formula.py", sign=unknown)
        return result

    return value(expression)


def leaves(expression: Expression) -> Iterator[Symbol | Exponential]:
    """The names and the exponentials in a formula, from left to right.

    >>> [str(leaf) for leaf in leaves(parse_expression("(1-a)/(1+exp(-1/2))", ["exp"]))]
    ['a', 'exp(-1/2)']
    """
    if isinstance(expression, (Symbol, Exponential)):
        yield expression
    elif isinstance(expression, (Sum, Product)):
        yield from leaves(expression.first)
        for _, node in expression.rest:
            yield from leaves(node)
    elif isinstance(expression, (Negation, Power)):
        yield from leaves(expression.operand if isinstance(expression, Negation) else expression.base)


def divisors(expression: Expression) -> tuple[Expression, ...]:
    """Everything that the formula, as written, divides by.

    >>> a = Symbol("a")
    >>> [str(d) for d in divisors(Product(a, (("/", Sum(Number(QQ(1)), (("-", a),))),)))]
    ['1 - a']
    """
    if isinstance(expression, (Number, Symbol, Exponential)):
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
    if is_zero(value):
        raise InputError(f"the formula divides by {shortened(str(node))}, which is zero", divisor=node)
    return value


_STRENGTH = {Sum: 1, Product: 2, Negation: 3, Power: 4, Number: 5, Symbol: 5, Exponential: 5}


def _written(node: Expression, least: int) -> str:
    """The text of a node, in brackets if it binds more weakly than ``least``."""
    if isinstance(node, Number):
        text = str(node.value)
    elif isinstance(node, Symbol):
        text = node.name
    elif isinstance(node, Exponential):
        text = exponential_text(node.exponent, node.root)
    elif isinstance(node, Negation):
        text = "-" + _written(node.operand, 4)
    elif isinstance(node, Power):
        text = f"{_written(node.base, 5)}^{node.exponent}"
    else:
        assert isinstance(node, (Sum, Product))
        own, blank = (2, " ") if isinstance(node, Sum) else (3, "")
        text = _written(node.first, own) + "".join(f"{blank}{sign}{blank}{_written(other, own)}" for sign, other in node.rest)
    return f"({text})" if _STRENGTH[type(node)] < least else text


def exponential_text(exponent: Rational, root: int) -> str:
    """How e^(exponent·√root) is written.

    >>> exponential_text(Rational("-1/2"), 2)
    'exp(-1/2*sqrt(2))'
    """
    return f"{EXP}({exponent})" if root == 1 else f"{EXP}({exponent}*sqrt({root}))"


# --- Reading ---

EXP = "exp"
"""The name of the exponential function, for those who allow it in a formula."""

LEVEL = ("a", "alpha", "α")
"""The names of the level; the first is what they are read as."""

MAX_NESTING = 50
"""Most brackets open at once."""


def parse_expression(text: str, symbols: Iterable[str] = (), numbers: Mapping[str, Rational] | None = None) -> Expression:
    """Read a formula of the grammar above.

    * ``symbols``: names allowed beside those of the level, such as ``x0``.
    * ``numbers``: names that stand for numbers, also in exponents: n where it is 3.

    Returns: a frozen tree; the level is ``Symbol("a")`` whatever it was called.

    * raises ExpressionSyntaxError: the text is no formula, names something else, or exceeds a limit; carries
      ``text``, ``position`` and ``reason``.

    >>> print(parse_expression("(1-a^2)^(n-1)", numbers={"n": Rational(3)}))
    (1 - a^2)^2
    >>> parse_expression("2a")
    Traceback (most recent call last):
    ...
    exactdp.errors.ExpressionSyntaxError: '2a' is not a formula: two factors side by side; write * ...
    """
    require_budget(f"the formula {shortened(text)!r}", memory=500 * len(text))
    return _Parser(text, dict.fromkeys(symbols) | dict.fromkeys(LEVEL), numbers or {}).formula()


_TOKEN = r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-zα][A-Za-z0-9α]*(?:_[A-Za-z0-9α]+)*)|(?P<sign>\*\*|[-+*/^()])"
_EXPONENTIAL = (
    r"(?a:exp\([ ]*(?P<sign>-?)[ ]*(?P<number>[0-9]+(?:\.[0-9]+)?)(?:/(?P<below>[0-9]+))?(?:[ ]*\*[ ]*sqrt\((?P<root>[0-9]{1,9})\))?[ ]*\))"
)
_BLANKS = re.compile(r"[ \t\r\n]*")
_MEANT = {"−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "÷": "/", "[": "(", "]": ")", "{": "(", "}": ")", "²": "^2", "³": "^3"}


@dataclass(frozen=True, slots=True)
class _Size:
    """Bounds of a numerator and a denominator: degrees in the level and in the others, log₂ Σ |coefficients|.

    All three add up in products.
    """

    num: _Bounds
    den: _Bounds

    def times(self, other: _Size, over: bool = False) -> _Size:
        """The size of a product or quotient."""
        num, den = (other.den, other.num) if over else (other.num, other.den)
        return _Size(_add(self.num, num), _add(self.den, den))

    def plus(self, other: _Size) -> _Size:
        """The size of a sum or difference, over the product of the denominators."""
        level, others, bits = map(max, _add(self.num, other.den), _add(other.num, self.den))
        return _Size((level, others, bits + 1), _add(self.den, other.den))

    def power(self, exponent: int) -> _Size:
        """The size of a power."""
        num, den = ((abs(exponent) * d, abs(exponent) * e, abs(exponent) * b) for d, e, b in (self.num, self.den))
        return _Size(num, den) if exponent >= 0 else _Size(den, num)

    def work(self, symbols: int) -> int:
        """A bound of the digits of all coefficients, where there are so many other symbols."""
        return sum((level + 1) * comb(others + symbols, symbols) * (bits + 1) for level, others, bits in (self.num, self.den))


_Bounds = tuple[int, int, int]


def _add(first: _Bounds, second: _Bounds) -> _Bounds:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


_Sized = tuple[Expression, _Size]


class _Parser:
    """Recursive descent, no deeper than the brackets, with the size of everything that is built."""

    def __init__(self, text: str, names: dict[str, None], numbers: Mapping[str, Rational]) -> None:
        self.text, self.names, self.numbers = text, names, numbers
        self.others = [name for name in names if name not in LEVEL]
        self.at = self.start = self.depth = self.work = 0
        self.kind: str | None = None
        self.token = ""
        self.match = re.compile(_TOKEN).match
        self.advance()

    def formula(self) -> Expression:
        """The whole text."""
        if self.kind is None:
            self.refuse("the text is empty")
        node, _ = self.sum()
        if self.kind is not None:
            self.refuse("a closing bracket without an opening one" if self.token == ")" else f"unexpected {self.token!r}")
        return node

    def advance(self) -> None:
        """The next token."""
        blanks = _BLANKS.match(self.text, self.at)
        self.start = blanks.end() if blanks else self.at
        match = self.match(self.text, self.start)
        if match is None:
            self.kind, self.token, self.at = None, "", self.start
            if self.start < len(self.text):
                self.foreign(self.start)
            return
        self.kind, self.token, self.at = match.lastgroup, match.group(), match.end()
        following = self.text[self.at : self.at + 1]
        if "_" in self.token and self.token not in self.names and self.token not in self.numbers:
            self.foreign(self.start + self.token.index("_"))
        if self.kind == "number":
            if self.token[0] == "0" and self.token[1:2].isdigit():
                self.refuse("a leading zero")
            if following in ("_", "."):
                self.foreign(self.at)
        if following and (following == "_" or not following.isascii()) and following not in _MEANT and following != "α":
            self.foreign(self.at)

    def foreign(self, at: int) -> NoReturn:
        """Refuse a character that belongs to no token."""
        char = self.text[at]
        if char == "_":
            reason = "underscores belong to no number and no name"
        elif char in _MEANT:
            reason = f"{char!r} is not in the grammar; write {_MEANT[char]}"
        elif char.isdigit():
            reason = f"{char!r} is not one of the digits 0–9"
        elif char == ".":
            reason = "a decimal point needs digits on both sides"
        else:
            reason = f"unexpected {char!r}"
        raise _error(self.text, at, reason)

    def refuse(self, reason: str, at: int | None = None) -> NoReturn:
        """Refuse the text at the present token."""
        raise _error(self.text, self.start if at is None else at, reason)

    def bounded(self, node: Expression, size: _Size, at: int) -> _Sized:
        """A node that is small enough to be computed; all numerators and denominators on the way count."""
        degree = max(size.num[0], size.den[0], size.num[1], size.den[1])
        what = f"the formula {shortened(self.text)!r} (up to character {at + 1})"
        require_budget(what, degree=degree, digits=digits_of(max(size.num[2], size.den[2])))
        self.work += size.work(len(self.others))
        require_budget(what, memory=self.work)
        return node, size

    def sum(self) -> _Sized:
        """A sum = term { ("+" | "-") term }."""
        return self.chain(self.term, "+", "-", Sum)

    def term(self) -> _Sized:
        """A term = factor { ("*" | "/") factor }."""
        return self.chain(self.factor, "*", "/", Product)

    def chain(self, operand: Callable[[], _Sized], plus: str, minus: str, kind: type[Sum] | type[Product]) -> _Sized:
        """Operands with one of two signs between them."""
        first, size = operand()
        rest: list[tuple[str, Expression]] = []
        while self.token in (plus, minus):
            sign, at = self.token, self.start
            self.advance()
            node, other = operand()
            rest.append((sign, node))
            size = size.plus(other) if kind is Sum else size.times(other, over=sign == "/")
            self.bounded(node, size, at)
        return (kind(first, tuple(rest)) if rest else first), size

    def factor(self) -> _Sized:
        """A factor = ["-"] power."""
        if self.token != "-":
            return self.power()
        self.advance()
        if self.token == "-":
            self.refuse("two minus signs in a row; write brackets around one of them")
        node, size = self.power()
        return Negation(node), size

    def power(self) -> _Sized:
        """A power = atom [("^" | "**") exponent]."""
        base, size = self.atom()
        if self.token not in ("^", "**"):
            return base, size
        at = self.start
        self.advance()
        exponent = self.exponent()
        if self.token in ("^", "**"):
            self.refuse("a power of a power; write brackets around one of them")
        return self.bounded(Power(base, exponent), size.power(exponent), at)

    def exponent(self) -> int:
        """An exponent = ["-"] (integer | "(" sum ")"), a constant."""
        negative, at = self.token == "-", self.start
        if negative:
            self.advance()
        if self.kind == "name" and self.token in self.names and self.token not in self.numbers:
            self.refuse("an exponent is a constant integer")
        if self.kind == "name" and self.token in self.numbers:
            value = self.numbers[self.token]
            self.advance()
        elif self.token == "(":
            names, self.names = self.names, {}
            node, _ = self.atom()
            self.names = names
            try:
                value = evaluate(node, {})
            except InputError as error:
                self.refuse(error.message, at)
        elif self.kind == "number":
            value = self.number()
        else:
            self.refuse("an exponent is an integer, such as 2, -1 or (2*6-3)")
        if value.denominator != 1:
            self.refuse(f"the exponent {shortened(str(value))} is not an integer", at)
        return -int(value.numerator) if negative else int(value.numerator)

    def atom(self) -> _Sized:
        """An atom = number | name | "(" sum ")"."""
        result: _Sized
        if self.kind == "number":
            result = _sized_number(self.number())
        elif self.kind == "name" and self.token in self.numbers:
            result = _sized_number(self.numbers[self.token])
            self.advance()
        elif self.token == EXP and EXP in self.names:
            result = self.exponential(), _Size((0, 1, 0), (0, 0, 0))
        elif self.kind == "name":
            name = self.name()
            result = Symbol(name), _Size((1, 0, 0) if name == LEVEL[0] else (0, 1, 0), (0, 0, 0))
        elif self.token == "(":
            result = self.bracket()
        else:
            expected = "a number, a name or an opening bracket is expected"
            self.refuse(f"the formula is incomplete: {expected}" if self.kind is None else f"{expected}, not {self.token!r}")
        if self.kind in ("number", "name") or self.token == "(":
            self.refuse("two factors side by side; write * between them")
        return result

    def exponential(self) -> Exponential:
        """An exp = "exp(" ["-"] number ["/" number] ["*sqrt(" integer ")"] ")"."""
        match = re.compile(_EXPONENTIAL).match(self.text, self.start)
        try:
            if match is None:
                self.refuse("exp takes a rational number, as in exp(-1/2), or one times a root, as in exp(-1/2*sqrt(2))")
            exponent = Rational(match["number"], Rational(match["below"] or 1)) * (-1 if match["sign"] else 1)
            outside, inside = _simplest_root(int(match["root"] or 1))
            node = Exponential(exponent * outside, inside)
        except InputError as error:
            if isinstance(error, ExpressionSyntaxError):
                raise
            self.refuse(f"no exponent: {error.message}")
        self.at = match.end()
        self.advance()
        return node

    def bracket(self) -> _Sized:
        """A sum in brackets."""
        opened = self.start
        if self.depth == MAX_NESTING:
            self.refuse(f"more than {MAX_NESTING} brackets are open")
        self.depth += 1
        self.advance()
        node = self.sum()
        if self.token != ")":
            self.refuse(
                f"the bracket opened at character {opened + 1} is not closed" if self.kind is None else f"unexpected {self.token!r}"
            )
        self.depth -= 1
        self.advance()
        return node

    def number(self) -> Rational:
        """The number at the present token."""
        text = self.token
        _, mark, exponent = text.lower().partition("e")
        if mark and len(exponent.lstrip("+-")) > 3:
            self.refuse("the exponent of a decimal has at most three digits")
        value = Rational(text)
        self.advance()
        return value

    def name(self) -> str:
        """The symbol at the present token."""
        if self.token not in self.names:
            others = [*self.others, *self.numbers]
            known = ", ".join([*LEVEL, *others[:3], *(["…", others[-1]] if len(others) > 3 else others[3:])])
            allowed = f"the names are {known}" if self.names else "an exponent is a constant integer, without names"
            self.refuse(f"the name {shortened(self.token)!r} is unknown; {allowed}")
        name = LEVEL[0] if self.token in LEVEL else self.token
        self.advance()
        return name


def _sized_number(value: Rational) -> _Sized:
    """A number as a tree, with its size."""
    top, below = (Number(Rational(abs(part))) for part in (value.numerator, value.denominator))
    size = _Size((0, 0, value.numerator.bit_length()), (0, 0, value.denominator.bit_length()))
    node = top if value.denominator == 1 else Product(top, (("/", below),))
    return (Negation(node) if value.numerator < 0 else node), size


def _simplest_root(square: int) -> tuple[int, int]:
    """The pair (s, q) with √square = s·√q and q squarefree; (0, 1) for 0.

    >>> _simplest_root(8), _simplest_root(9), _simplest_root(0)
    ((2, 2), (3, 1), (0, 1))
    """
    if not square:
        return 0, 1
    outside = inside = 1
    for prime, power in fmpz(square).factor():
        outside *= int(prime) ** (power // 2)
        inside *= int(prime) ** (power % 2)
    return outside, inside


def names_in(text: str) -> list[str]:
    """All that looks like a name in a text, known or not, without what stands before a bracket: a function.

    >>> names_in("1-p_1+exp(2)*q")
    ['p_1', 'q']
    """
    found = [mark for mark in re.finditer(_TOKEN, text) if mark.lastgroup == "name"]
    return list(dict.fromkeys(mark.group() for mark in found if text[mark.end() :].lstrip(" ")[:1] != "("))


def _error(text: str, position: int, reason: str) -> ExpressionSyntaxError:
    return ExpressionSyntaxError(
        f"{shortened(text)!r} is not a formula: {reason} (at character {position + 1}); write one such as (1-a)^9/(1+a): numbers, a (the "
        "level), + - * / ^ and brackets",
        text=text,
        position=position,
        reason=reason,
    )
