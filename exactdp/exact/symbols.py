# SPDX-License-Identifier: MIT
"""Rational functions of several symbols, without an order: formulas, and determinants with a symbolic vector.

Equality is identity of functions; a sign is only known of constants. They print factored, in the grammar of
formulas.

>>> field = SymbolField(["a"])
>>> field.read("(1-a^2)^2/(1-a)") == field.read("(1-a)*(1+a)^2")
True
>>> print(field.read("(1-a^2)^2/(1-a)"))
(1 - a)*(1 + a)^2
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from flint import Ordering, fmpq, fmpz, fmpz_mpoly, fmpz_mpoly_ctx

from exactdp.errors import InexactInputError, InputError, MixedDomainError, UndecidedSignError
from exactdp.exact.formula import Expression, evaluate, parse_expression
from exactdp.exact.functions import RationalFunction
from exactdp.exact.polynomial import poly_text, value_at
from exactdp.exact.quotient import Quotient, QuotientField
from exactdp.exact.rational import Rational, _wrap


class SymbolicFunction(Quotient):
    """An element of a :class:`SymbolField`."""

    __slots__ = ()

    @property
    def field(self) -> SymbolField:
        """The field."""
        field: SymbolField = self._field
        return field

    def _denominator_sign(self) -> int:
        return 1  # its lowest coefficient is positive

    def sign(self) -> int:
        """The sign of a constant; UndecidedSignError otherwise."""
        constant = self.rational
        if constant is None:
            raise UndecidedSignError(f"{self} has no sign: its symbols stand for any numbers", function=self)
        return constant.sign()

    def __truediv__(self, other: Any, /) -> SymbolicFunction:
        """Both sides are in lowest terms, so only common factors across have to be found."""
        o = self._operand(other)
        if o is None or not isinstance(o[1], fmpz_mpoly) or o[0].is_zero():
            return super().__truediv__(other)
        above, below = self._n.gcd(o[0]), self._d.gcd(o[1])
        field = self.field
        n, d = (self._n // above) * (o[1] // below), (self._d // below) * (o[0] // above)
        return field._signed(field._wrap(n, d))  # type: ignore[no-any-return]

    def value(self, values: Mapping[str, Rational]) -> Rational:
        """The value where every symbol is a rational number; ZeroDivisionError at a pole.

        >>> SymbolField(["a"]).read("1/(1-a)").value({"a": Rational("1/3")})
        Rational('3/2')
        """
        points = [values[name]._q for name in self.field.names]
        above, below = (value_at(p, points, fmpq) for p in (self._n, self._d))
        if below == 0:
            raise ZeroDivisionError(f"{self} has a pole there")
        return _wrap(above / below)

    def _inexact(self, asked: str) -> InexactInputError:
        letters = ", ".join(f"'{name}': …" for name in self.field.names)
        known = ", ".join(self.field.names)
        message = f"{self} is a function of {known} and has no {asked}; take a value: value({{{letters}}})"
        return InexactInputError(message, value=self)

    def coefficients(self) -> tuple[int, ...]:
        """The numerator's coefficients, constant first, if it has the first symbol only; () for zero.

        >>> SymbolField(["a", "x0"]).read("(1-a)^2").coefficients()
        (1, -2, 1)
        """
        by_power = {powers[0]: c for powers, c in self.numerator if not any(powers[1:])}
        if len(by_power) != len(self.numerator):
            raise InputError(f"{self} is no function of {self.field.names[0]} alone", value=self)
        return tuple(by_power.get(k, 0) for k in range(max(by_power, default=-1) + 1))

    def __str__(self) -> str:
        (above, num), (below, den) = (_factored(p, self.field.names) for p in (self._n, self._d))
        top = [str(Rational(abs(above)))] if abs(above) != 1 or not num else []
        bottom = [str(Rational(abs(below)))] if abs(below) != 1 else []
        text = ("-" if above * below < 0 else "") + "*".join(top + num)
        if not bottom + den:
            return text[1:-1] if len(num) == 1 and text[0] + text[-1] == "()" else text
        return f"{text}/{(bottom + den)[0]}" if len(bottom + den) == 1 else f"{text}/({'*'.join(bottom + den)})"


class SymbolField(QuotientField):
    """The field ℚ(symbols), without an order; equal when the symbols are.

    Parameters
    ----------
    names : iterable of str
        Their names, the level's first.
    """

    __slots__ = ("name",)
    _scalar = SymbolicFunction

    def __init__(self, names: Iterable[str] = ("a",)) -> None:
        known = tuple(names)
        self._set(name=f"QQ({', '.join(known)})")
        self._set_ring(known, fmpz_mpoly_ctx.get(known, Ordering.lex))

    def symbol(self, name: str) -> SymbolicFunction:
        """The symbol with this name."""
        found: SymbolicFunction = self.gens[self.names.index(name)]
        return found

    def read(self, formula: str | Expression) -> SymbolicFunction:
        """What a formula, or its text, denotes.

        >>> SymbolField(["a", "x0"]).read("x0/2 - a")
        SymbolicFunction('(x0 - 2*a)/2')
        """
        tree = parse_expression(formula, self.names[1:]) if isinstance(formula, str) else formula
        result: SymbolicFunction = evaluate(tree, {name: self.symbol(name) for name in self.names}, self)
        return result

    def _convert(self, value: Quotient) -> Any:
        """A function of the level, or of some of the symbols."""
        if isinstance(value, RationalFunction):
            places = [0]
            parts = [[((k,), c) for k, c in enumerate(part) if c] for part in (value.numerator, value.denominator)]
        elif isinstance(value, SymbolicFunction) and set(value.field.names) <= set(self.names):
            places = [self.names.index(name) for name in value.field.names]
            parts = [list(value.numerator), list(value.denominator)]
        else:
            raise MixedDomainError(f"{value} is in {value._field}, not in {self.name}", fields=(self, value._field))
        n, d = (self._poly(tuple((self._moved(powers, places), c) for powers, c in part)) for part in parts)
        return self._signed(self._wrap(n, d))

    def _moved(self, powers: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
        exponents = [0] * len(self.names)
        for place, power in zip(places, powers, strict=True):
            exponents[place] = power
        return tuple(exponents)

    def _key(self) -> tuple[Any, ...]:
        return (self.names,)

    def __repr__(self) -> str:
        return f"SymbolField({list(self.names)})"


def nonzero_point(
    nonzero: Sequence[SymbolicFunction], defined: Sequence[SymbolicFunction], first: Iterable[Rational]
) -> dict[str, Rational] | None:
    """Values of the symbols where all functions are defined and those in ``nonzero`` are not zero, or None.

    ``first`` are the values to try for the first symbol, more than any of the polynomials has roots; the
    others get small integers ≥ 0.

    >>> field = SymbolField(["a", "x0"])
    >>> nonzero_point([field.read("(1-2*a)*x0")], [field.symbol("a")], [Rational("1/2"), Rational("1/3")])
    {'a': Rational('1/3'), 'x0': Rational('1')}
    """
    functions = [*nonzero, *defined]
    left = [*(f._n for f in nonzero), *(f._d for f in functions)]
    if any(p.is_zero() for p in left):
        return None
    point: dict[str, Rational] = {}
    for place, name in enumerate(functions[0].field.names):
        tried = first if place == 0 else (Rational(k) for k in count())
        for x in tried:
            after = [_substituted(p, place, x) for p in left]
            if not any(p.is_zero() for p in after):
                left, point[name] = after, x
                break
        else:
            return None
    return point


def _substituted(p: fmpz_mpoly, place: int, x: Rational) -> fmpz_mpoly:
    """A positive multiple of p where the symbol at this place is x."""
    degree = p.degrees()[place]
    terms: dict[tuple[int, ...], fmpz] = {}
    top, below = fmpz(x.numerator), fmpz(x.denominator)
    for powers, c in p.terms():
        rest = (*powers[:place], 0, *powers[place + 1 :])
        terms[rest] = terms.get(rest, fmpz(0)) + c * top ** int(powers[place]) * below ** int(degree - powers[place])
    return p.context().from_dict({powers: c for powers, c in terms.items() if c})


def _factored(p: fmpz_mpoly, names: Sequence[str]) -> tuple[int, list[str]]:
    """A constant, and the other factors as texts; those that are sums in brackets."""
    if p.is_zero():
        return 0, []
    unit, factors = p.factor()
    constant, turned = int(unit), list[tuple[fmpz_mpoly, int]]()
    for factor, times in factors:
        negative = int(factor.coefficient(len(factor) - 1)) < 0
        constant *= (-1) ** (int(times) * negative)
        turned.append((-factor if negative else factor, int(times)))
    parts = list[str]()
    # an order of our own: FLINT's depends on its version
    for factor, times in sorted(turned, key=lambda pair: (len(pair[0]), sorted((tuple(map(int, k)), int(c)) for k, c in pair[0].terms()))):
        text = poly_text(factor, names, lowest_first=True)
        parts.append((text if len(factor) == 1 else f"({text})") + (f"^{times}" if times > 1 else ""))
    return constant, parts
