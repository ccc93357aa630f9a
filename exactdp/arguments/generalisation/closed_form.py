# SPDX-License-Identifier: MIT
"""Closed forms: quotients of sums of c(α)·n^k·b(α)^(linear in n), as text, LaTeX, sympy and exact values."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd, prod
from typing import Any, NamedTuple

from exactdp.exact import RationalFunctionField, Scalar, generic_quotient, is_zero

Polynomial = tuple[int, ...]
"""A polynomial in the level with integer coefficients, constant first; the last is not 0."""

LEVEL: Polynomial = (0, 1)
LETTERS: Mapping[Polynomial, str] = {LEVEL: "a", (1, -1): "p", (1, 1): "u", (2,): "t"}
"""The positive letters of an argument, and what they stand for: a, p = 1−a, u = 1+a, t = 2."""


class Form(NamedTuple):
    """An integer that is linear in letters: the constant, and pairs of a letter and its coefficient."""

    constant: int
    slopes: tuple[tuple[str, int], ...] = ()

    def at(self, places: Mapping[str, int]) -> int:
        """The number where the letters are these integers."""
        return self.constant + sum(c * places[letter] for letter, c in self.slopes)

    def plus(self, other: Form) -> Form:
        """The sum."""
        total = dict(self.slopes)
        for letter, c in other.slopes:
            total[letter] = total.get(letter, 0) + c
        return Form(self.constant + other.constant, tuple((letter, c) for letter, c in total.items() if c))

    def negated(self) -> Form:
        """The same with the other sign."""
        return Form(-self.constant, tuple((letter, -c) for letter, c in self.slopes))

    @property
    def leading(self) -> int:
        """The coefficient of the first letter, or the constant where there is no letter."""
        return self.slopes[0][1] if self.slopes else self.constant

    def __str__(self) -> str:
        ordered = sorted(self.slopes, key=lambda pair: pair[1] < 0)
        pairs = [(c, letter if abs(c) == 1 else f"{abs(c)}*{letter}") for letter, c in ordered]
        return _signed([*pairs, *([(self.constant, str(abs(self.constant)))] * bool(self.constant))])


class Power(NamedTuple):
    """A polynomial in the level, to a power that is linear in letters."""

    base: Polynomial
    exponent: Form


@dataclass(frozen=True, slots=True)
class Term:
    """c(α)·n^degree·∏ b(α)^exponent; ``letter`` is n."""

    coefficient: Polynomial
    degree: int = 0
    powers: tuple[Power, ...] = ()
    letter: str = "n"

    def value(self, places: Mapping[str, int], level: Any) -> Any:
        """At these integers and this level, a scalar of any field."""
        powers = (_polynomial_at(power.base, level) ** power.exponent.at(places) for power in self.powers)
        return prod(powers, start=_polynomial_at(self.coefficient, level)) * places.get(self.letter, 0) ** self.degree


def _sum(terms: Sequence[Term], places: Mapping[str, int], level: Any) -> Any:
    return sum((term.value(places, level) for term in terms), level.field.zero)


class Style(NamedTuple):
    """How formulas are written: names of bases, a power, a product, a quotient."""

    names: Mapping[Polynomial, str]
    power: Callable[[str, str], str]
    product: str
    quotient: Callable[[str, str], str]
    space: str


def _plain_power(base: str, exponent: str) -> str:
    return f"{base}^{exponent}" if re.fullmatch("[a-z0-9]+", exponent) else f"{base}^({exponent})"


def _plain_quotient(top: str, bottom: str) -> str:
    inside = top.removeprefix("-")
    top = top if _bracketed(inside, "[-+]") == inside else f"({top})"
    return f"{top}/{_bracketed(bottom, '[-+*/]')}"


TEXT = Style({LEVEL: "a"}, _plain_power, "*", _plain_quotient, " ")
ARGUMENT = Style(LETTERS, _plain_power, "*", _plain_quotient, "")
UNLETTERED = Style({LEVEL: "a"}, _plain_power, "*", _plain_quotient, "")
"""As in an argument without the letters p, u and t."""
LATEX = Style(
    {LEVEL: r"\alpha"},
    lambda base, exponent: f"{base}^{{{exponent.replace('*', ' ')}}}",
    " ",
    lambda top, bottom: rf"\frac{{{top}}}{{{bottom}}}",
    " ",
)


@dataclass(frozen=True, slots=True)
class Formula:
    """The quotient of two sums of terms.

    >>> from exactdp.exact import Rational
    >>> f = Formula((Term((1,), 0, (Power((1, -1), Form(-1, (("n", 2),))),)),), (Term((1, 1)),))
    >>> print(f)
    (1 - a)^(2*n-1)/(1 + a)
    >>> f.value({"n": 2}, Rational("1/2"))
    Rational('1/12')
    """

    top: tuple[Term, ...]
    bottom: tuple[Term, ...] = (Term((1,)),)

    def value(self, places: Mapping[str, int], level: Any) -> Any:
        """At these integers and this level."""
        top, bottom = (_sum(terms, places, level) for terms in (self.top, self.bottom))
        return generic_quotient(top, bottom)

    def is_pole(self, places: Mapping[str, int], level: Any) -> bool:
        """Whether its denominator is 0 at these integers, and it has no value.

        >>> from exactdp.exact import Rational
        >>> Formula((Term((1,)),), (Term((1,), 1), Term((-2,)))).is_pole({"n": 2}, Rational("1/2"))
        True
        """
        return is_zero(_sum(self.bottom, places, level))

    def times(self, power: Power) -> Formula:
        """The formula times one more power, in every term of the numerator."""
        return Formula(tuple(Term(t.coefficient, t.degree, (*t.powers, power), t.letter) for t in self.top), self.bottom)

    def written(self, style: Style = TEXT) -> str:
        """As text, LaTeX, or a term of an argument."""
        top, bottom = self.parts(style)
        return top if bottom == "1" else style.quotient(top, bottom)

    def parts(self, style: Style = TEXT) -> tuple[str, str]:
        """Numerator and denominator, written."""
        top, bottom = self.balanced()
        return _sum_written(top, style), _sum_written(bottom, style)

    def balanced(self) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """Numerator and denominator; of a quotient of two terms without powers with negative exponents."""
        if len(self.top) != 1 or len(self.bottom) != 1:
            return self.top, self.bottom
        (top,), (bottom,) = self.top, self.bottom
        above, below = _split(top), _split(bottom)
        return (
            (Term(top.coefficient, top.degree, above[0] + below[1], top.letter),),
            (Term(bottom.coefficient, bottom.degree, below[0] + above[1], bottom.letter),),
        )

    def as_entry(self, style: Style) -> str:
        """As a term of an argument. The checker does not split 1/(2·p), so numbers are divided by alone."""
        top, bottom = self.balanced()
        content = gcd(*(c for term in bottom for c in term.coefficient))
        rest = tuple(Term(tuple(c // content for c in t.coefficient), t.degree, t.powers, t.letter) for t in bottom)
        written = _sum_written(rest, style)
        text = _sum_written(top, style)
        text = text if content == 1 else style.quotient(text, str(content))
        return text if written == "1" else style.quotient(text, written)

    def __str__(self) -> str:
        return self.written()

    def _sympy_(self) -> Any:
        from sympy import Add, Integer, Mul, Symbol

        level = Symbol("a")

        def polynomial(p: Polynomial) -> Any:
            return Add(*(Integer(c) * level**k for k, c in enumerate(p)))

        def form(exponent: Form) -> Any:
            return Add(Integer(exponent.constant), *(c * Symbol(letter) for letter, c in exponent.slopes))

        def total(terms: Sequence[Term]) -> Any:
            return Add(
                *(
                    Mul(
                        polynomial(t.coefficient),
                        Symbol(t.letter) ** t.degree,
                        *(polynomial(p.base) ** form(p.exponent) for p in t.powers),
                    )
                    for t in terms
                )
            )

        return total(self.top) / total(self.bottom)


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """A sequence in closed form: one formula, or one for even and one for odd n.

    * ``letter``: what counts: n, or d for the bits of a cube.
    * ``formulas``: one in the letter; or two in h, for n = 2h and n = 2h + 1.
    """

    letter: str
    formulas: tuple[Formula, ...]

    def at(self, n: int) -> Any:
        """The value at n, a function of the level."""
        places, formula = self._place(n)
        return formula.value(places, RationalFunctionField().gen)

    def _place(self, n: int) -> tuple[dict[str, int], Formula]:
        if len(self.formulas) == 1:
            return {self.letter: n}, self.formulas[0]
        return {"h": n // 2}, self.formulas[n % 2]

    def __str__(self) -> str:
        if len(self.formulas) == 1:
            return str(self.formulas[0])
        return "; ".join(f"{formula} for {self.letter} = {case}" for formula, case in zip(self.formulas, PARITIES, strict=True))

    def to_latex(self) -> str:
        """LaTeX that needs amsmath; the level is α."""
        texts = [formula.written(LATEX) for formula in self.formulas]
        if len(texts) == 1:
            return texts[0]
        lines = r" \\ ".join(rf"{text} & {self.letter} = {case.replace('*', '')}" for text, case in zip(texts, PARITIES, strict=True))
        return rf"\begin{{cases}} {lines} \end{{cases}}"

    def to_sympy(self) -> Any:
        """An expression in the symbols ``a`` and the letter; by parity a ``Piecewise``."""
        return self._sympy_()

    def _sympy_(self) -> Any:
        from sympy import Eq, Mod, Piecewise, Symbol, sympify

        found = [sympify(formula) for formula in self.formulas]
        if len(found) == 1:
            return found[0]
        n, h = Symbol(self.letter), Symbol("h")
        return Piecewise((found[0].subs(h, n / 2), Eq(Mod(n, 2), 0)), (found[1].subs(h, (n - 1) / 2), True))

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"


PARITIES = ("2*h", "2*h+1")
"""Even and odd n."""


@dataclass(frozen=True, slots=True)
class EntryForm:
    """The entries of a table in closed form: of the cases the first whose condition holds, as in an argument.

    * ``name``: of the table, such as ``inverse`` or ``weight``.
    * ``letter``: n, or h where n is 2h or 2h + 1 (``parity`` 0 or 1), or another one for n plus ``shift``.
    * ``indices``: the letters of row and column, such as ``"i j"``.
    * ``cases``: conditions such as ``i = j-1 = 0``, the last empty.
    """

    name: str
    letter: str
    indices: str
    cases: tuple[tuple[str, Formula], ...]
    parity: int | None = None
    shift: int = 0

    def at(self, n: int, *indices: int) -> Any:
        """The entry, a function of the level."""
        places = {self.letter: n + self.shift if self.parity is None else n // 2, **dict(zip(self.indices.split(), indices, strict=True))}
        formula = next(formula for condition, formula in self.cases if holds(condition, places))
        return formula.value(places, RationalFunctionField().gen)

    def lines(self) -> list[str]:
        """A line each case."""
        if len(self.cases) == 1:
            return [str(self.cases[0][1])]
        return [f"{formula}  if {condition}" if condition else f"{formula}  else" for condition, formula in self.cases]

    def __str__(self) -> str:
        return "; ".join(self.lines())

    def to_sympy(self) -> Any:
        """A ``Piecewise`` in the symbols ``a``, the letter and the indices."""
        from sympy import Piecewise, sympify

        return Piecewise(*((sympify(formula), _condition_sympy(condition)) for condition, formula in self.cases))

    def to_latex(self) -> str:
        """LaTeX that needs amsmath."""
        lines = [rf"{formula.written(LATEX)} & {condition_latex(condition)}" for condition, formula in self.cases]
        return rf"\begin{{cases}} {(chr(92) * 2).join(f' {line} ' for line in lines)} \end{{cases}}"

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"


def _condition_sympy(condition: str) -> Any:
    """The conjunction of a chain's comparisons; true for the empty one."""
    from sympy import And, Eq, Symbol, sympify

    parts = re.split("(<=|<|=)", condition)
    if not condition:
        return sympify(True)
    letters = {name: Symbol(name) for name in re.findall("[a-z]", condition)}
    terms = [sympify(part, locals=letters) for part in parts[::2]]
    signs = {"<=": lambda x, y: x <= y, "<": lambda x, y: x < y, "=": Eq}
    return And(*(signs[sign](x, y) for x, sign, y in zip(terms, parts[1::2], terms[1:], strict=False)))


def condition_latex(condition: str) -> str:
    """A chain of comparisons for math mode; the empty one is the last case."""
    return condition.replace("<=", r"\le ").replace("*", "") if condition else r"\text{else}"


def holds(condition: str, places: Mapping[str, int]) -> bool:
    """Whether a chain of comparisons of integers holds, such as ``i = j-1 = 0``; the empty one does.

    >>> holds("j <= h < i = 2*h", {"i": 4, "j": 1, "h": 2}), holds("i = j", {"i": 0, "j": 1})
    (True, False)
    """
    if not condition:
        return True
    parts = re.split("(<=|<|=)", condition)
    numbers = [integer(part, places) for part in parts[::2]]
    tests = {"<=": int.__le__, "<": int.__lt__, "=": int.__eq__}
    return all(tests[sign](x, y) for x, sign, y in zip(numbers, parts[1::2], numbers[1:], strict=False))


def integer(text: str, places: Mapping[str, int]) -> int:
    """The value of a term of integers with +, − and ·, such as ``2*h+1``.

    >>> integer("2*h+1", {"h": 3})
    7
    """

    def value(node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int(number)):
                return number
            case ast.Name(id=name):
                return places[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -value(operand)
            case ast.BinOp(left=left, op=op, right=right):
                x, y = value(left), value(right)
                if isinstance(op, ast.Mult):
                    return x * y
                return x + y if isinstance(op, ast.Add) else x - y
        raise ValueError(f"not a term of integers: {text}")

    return value(ast.parse(text.strip(), mode="eval").body)


def _polynomial_at(p: Polynomial, level: Any) -> Any:
    result = level.field.zero
    for c in reversed(p):
        result = result * level + c
    return result


def polynomial_text(p: Polynomial, style: Style = TEXT) -> str:
    """A polynomial in the level, the constant first.

    >>> polynomial_text((1, -1)), polynomial_text((0, 2, 0, -1))
    ('1 - a', '2*a - a^3')
    """
    letter, pairs = style.names[LEVEL], list[tuple[int, str]]()
    for k, c in enumerate(p):
        if c:
            power = style.power(letter, str(k)) if k > 1 else letter * k
            pairs.append((c, power if power and abs(c) == 1 else style.product.join(filter(None, [str(abs(c)), power]))))
    return _signed(pairs, style.space)


def _signed(pairs: Sequence[tuple[int, str]], space: str = "") -> str:
    text = ""
    for c, part in pairs:
        sign = "-" if c < 0 else "+"
        text += f"{space}{sign}{space}{part}" if text else sign.strip("+") + part
    return text or "0"


def _bracketed(text: str, signs: str) -> str:
    """The text, in brackets if one of these signs is in it outside brackets."""
    depth, bare = 0, ""
    for c in text:
        depth += (c == "(") - (c == ")")
        bare += c if depth == 0 else ""
    return f"({text})" if re.search(signs, bare) else text


def _split(term: Term) -> tuple[tuple[Power, ...], tuple[Power, ...]]:
    """Its powers, and those that belong on the other side of the fraction."""
    here = tuple(p for p in term.powers if (p.base == LEVEL and len(p.exponent.slopes) > 1) or p.exponent.leading >= 0)
    return here, tuple(Power(p.base, p.exponent.negated()) for p in term.powers if p not in here)


def _sum_written(terms: Sequence[Term], style: Style) -> str:
    """Terms with powers as products; those without as one polynomial at the beginning."""
    text, alone = "", len(terms) == 1
    written = [_term_written(term, style, alone=alone) for term in terms]
    for sign, one in sorted(written, key=lambda pair: pair[0] == "-") if written[0][0] == "-" else written:
        text += (f"{style.space}{sign}{style.space}" if text else sign.replace("+", "")) + one
    return text or "0"


def _term_written(term: Term, style: Style, *, alone: bool) -> tuple[str, str]:
    """The sign and the rest: number, power of n, powers, and what is left of the coefficient in brackets."""
    low = next((k for k, c in enumerate(term.coefficient) if c), None)
    if low is None:
        return "+", "0"
    if not term.degree and not term.powers:
        text = polynomial_text(term.coefficient, style)
        return ("-", text[1:]) if text.startswith("-") else ("+", text)
    # term = ± content · n^degree · powers · rest(a), where rest has no factor a and no common divisor
    content = gcd(*term.coefficient)
    rest = tuple(c // content for c in term.coefficient[low:])
    negative = term.coefficient[low] < 0
    sign = "-" if negative else "+"
    parts = [] if content == 1 else [str(content)]
    if term.degree:
        parts.append(term.letter if term.degree == 1 else style.power(term.letter, str(term.degree)))
    parts += _powers_written(term, low, style)
    if len(rest) > 1:
        body = polynomial_text(tuple(-c for c in rest) if negative else rest, style)
        parts.append(f"({body})" if len([c for c in rest if c]) > 1 else body)
    # a sum that stands alone needs no brackets
    if alone and len(parts) == 1 and _is_bracketed(parts[0]):
        inner = parts[0][1:-1]
        return sign, inner if not negative and _balanced(inner) else parts[0]
    return sign, style.product.join(parts) or "1"


def _powers_written(term: Term, low: int, style: Style) -> list[str]:
    """The powers of a term, those of one base as one; a^low is among them."""
    exponents: dict[Polynomial, Form] = {LEVEL: Form(low)} if low else {}
    for power in term.powers:
        exponents[power.base] = exponents.get(power.base, Form(0)).plus(power.exponent)
    written = []
    for base, exponent in exponents.items():
        if exponent != Form(0):
            name = style.names.get(base) or _base_written(base, style)
            written.append(name if exponent == Form(1) else style.power(name, str(exponent)))
    return written


def _base_written(base: Polynomial, style: Style) -> str:
    """A number, or a polynomial in brackets."""
    return str(base[0]) if len(base) == 1 else f"({polynomial_text(base, style)})"


def _is_bracketed(text: str) -> bool:
    """Whether a text is one pair of brackets around a sum."""
    return text.startswith("(") and text.endswith(")") and _bracketed(text, "[-+]") == text


def _balanced(text: str) -> bool:
    depth = 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return False
    return depth == 0


def as_polynomial(x: Scalar) -> Polynomial:
    """The coefficients of a function that is a polynomial with integer coefficients."""
    return tuple(int(c) for c in x.numerator)  # type: ignore[attr-defined]
