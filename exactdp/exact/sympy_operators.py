# SPDX-License-Identifier: MIT
"""Operators between our exact numbers and sympy's, in either order: exact, or an error that says why.

A rational number of sympy is taken as one of ours. With any other expression the answer is sympy's, made of
the number's exact form there (:meth:`SympyOperand.to_sympy`). Comparisons read the expression as one of our
numbers and are decided exactly. An expression with a Float in it is refused.

Nothing is imported here before there is an expression of sympy to deal with.
"""

from __future__ import annotations

import numbers
import operator
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, ClassVar

from exactdp.errors import DomainError, InexactInputError, InputError, wrong_kind

Symbols = Mapping[str, Any]
"""From letters of ours to symbols of sympy."""

NO_NUMBERS = {"NaN", "ComplexInfinity"}
"""What sympy makes of a division by zero."""


class SympyOperand:
    """A value with an exact form in sympy, beside whose expressions it stands in operators.

    Where a class has an operator of its own, that asks :func:`with_sympy` for what it does not know.
    """

    __slots__ = ()

    _op_priority = 10.0
    """Tells sympy's operators to leave the answer to ours, which refuse Floats."""

    _reader: ClassVar[str] = ""
    """The module that reads expressions, which is above all numbers; set by ``exactdp/exact/__init__.py``."""

    def to_sympy(self, letters: Iterable[Any] | Symbols = ()) -> Any:
        """The same in sympy: exact, never a Float.

        Parameters
        ----------
        letters : symbols of sympy, or mapping of str to symbol
            What the letters of a function are to be; symbols without assumptions unless given. A symbol's
            assumptions must hold wherever the letter may be.

        Raises
        ------
        InputError
            A symbol stands for no letter of it, two have one name, or an assumption does not hold.

        Examples
        --------
        >>> from exactdp.exact import ExponentialField, Rational, RationalFunctionField
        >>> Rational("1/3").to_sympy(), ExponentialField("1/2").gen.to_sympy()
        (1/3, exp(-1/2))
        >>> from sympy import Symbol, sqrt
        >>> a = RationalFunctionField().gen
        >>> sqrt((a * a).to_sympy([Symbol("a", positive=True)]))
        a
        """
        return self._in_sympy(symbols_by_name(letters))

    def _in_sympy(self, letters: Symbols) -> Any:
        raise InexactInputError(f"{self} (a {type(self).__name__}) has no form in sympy", value=self)

    def _sympy_(self) -> Any:
        """What sympy asks for."""
        return self._in_sympy({})

    def _repr_latex_(self) -> str | None:
        """What a notebook shows."""
        from sympy import latex

        return f"${latex(self._in_sympy({}))}$"

    def __add__(self, other: Any, /) -> Any:
        return with_sympy(operator.add, self, other)

    def __radd__(self, other: Any, /) -> Any:
        return with_sympy(operator.add, other, self)

    def __sub__(self, other: Any, /) -> Any:
        return with_sympy(operator.sub, self, other)

    def __rsub__(self, other: Any, /) -> Any:
        return with_sympy(operator.sub, other, self)

    def __mul__(self, other: Any, /) -> Any:
        return with_sympy(operator.mul, self, other)

    def __rmul__(self, other: Any, /) -> Any:
        return with_sympy(operator.mul, other, self)

    def __truediv__(self, other: Any, /) -> Any:
        return with_sympy(operator.truediv, self, other)

    def __rtruediv__(self, other: Any, /) -> Any:
        return with_sympy(operator.truediv, other, self)

    def __pow__(self, other: Any, /) -> Any:
        return with_sympy(operator.pow, self, other)

    def __rpow__(self, other: Any, /) -> Any:
        return with_sympy(operator.pow, other, self)

    def __floordiv__(self, other: Any, /) -> Any:
        return with_sympy(operator.floordiv, self, other)

    def __rfloordiv__(self, other: Any, /) -> Any:
        return with_sympy(operator.floordiv, other, self)

    def __divmod__(self, other: Any, /) -> Any:
        return with_sympy(divmod, self, other)

    def __rdivmod__(self, other: Any, /) -> Any:
        return with_sympy(divmod, other, self)

    def __mod__(self, other: Any, /) -> Any:
        return with_sympy(operator.mod, self, other)

    def __rmod__(self, other: Any, /) -> Any:
        return with_sympy(operator.mod, other, self)


def is_expression(thing: object) -> bool:
    """Whether something is a number or formula of sympy (no matrix, no set, no condition)."""
    core = sys.modules.get("sympy.core.expr")  # without it there is no expression yet
    return core is not None and isinstance(thing, core.Expr) and not getattr(thing, "is_Matrix", False)


def require_exact(expression: Any) -> None:
    """Refuse an expression with a Float in it, and what is no number.

    >>> from sympy import Float, Symbol
    >>> require_exact(Float("0.5") * Symbol("a"))
    Traceback (most recent call last):
    ...
    exactdp.errors.InexactInputError: 0.5*a has the Float 0.5...; write it with sympy Rationals
    """
    for atom in expression.atoms():
        if getattr(atom, "is_Float", False):
            inside = f"{expression} is a Float" if atom is expression else f"{expression} has the Float {atom}"
            raise InexactInputError(f"{inside}; write it with sympy Rationals", value=expression)
        if type(atom).__name__ in NO_NUMBERS:
            raise InputError(f"{expression} is no number, nor a formula of one", value=expression)


def with_sympy(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """What sympy answers where one side is an expression of it; NotImplemented where none is.

    A letter of ours is the symbol of that name in the expression.

    >>> from sympy import Symbol
    >>> from exactdp.exact import RationalFunctionField
    >>> a = RationalFunctionField().gen
    >>> with_sympy(operator.add, a, Symbol("a", positive=True))
    2*a
    """
    ours, theirs = (left, right) if isinstance(left, SympyOperand) else (right, left)
    if not is_expression(theirs):
        return NotImplemented
    require_exact(theirs)
    value = ours._in_sympy(symbols_by_name(theirs.free_symbols))
    found = operation(value, theirs) if ours is left else operation(theirs, value)
    parts = found if isinstance(found, tuple) else (found,)
    if any(type(atom).__name__ in NO_NUMBERS for part in parts for atom in part.atoms()):
        raise ZeroDivisionError(f"{left} and {right} have no number for an answer: it is {found} in sympy")
    return found


def compared_with_sympy(operation: Callable[[Any, Any], bool], ours: Any, theirs: Any) -> Any:
    """``ours < theirs`` and the like: decided exactly, or the relation of sympy if it has further symbols.

    NotImplemented where it is no expression of sympy.

    >>> from sympy import Symbol, exp
    >>> from exactdp.exact import ExponentialField, Rational
    >>> compared_with_sympy(operator.lt, ExponentialField(1).gen, exp(-2))
    False
    >>> compared_with_sympy(operator.lt, Rational("1/2"), Symbol("p"))
    1/2 < p

    * raises InputError: the expression is no number that is read exactly.
    """
    if not is_expression(theirs):
        return NotImplemented
    require_exact(theirs)
    try:
        left, right = _reader().over_common_field(ours, theirs)
    except (InputError, DomainError) as error:
        if {s.name for s in theirs.free_symbols} - set(ours.field.letters):
            return operation(ours._in_sympy(symbols_by_name(theirs.free_symbols)), theirs)
        raise InputError(f"{ours} is compared with {theirs} (of sympy): {error.message}", value=theirs) from None
    return operation(left, right)


def equals_in_sympy(ours: Any, theirs: Any) -> Any:
    """``ours == theirs`` as numbers or functions; NotImplemented for what is not read, and sympy is asked.

    >>> from sympy import Symbol
    >>> from exactdp.exact import RationalFunctionField
    >>> a, letter = RationalFunctionField().gen, Symbol("a")
    >>> equals_in_sympy(1 - a * a, (1 - letter) * (1 + letter))
    True
    """
    if not is_expression(theirs):
        return NotImplemented
    try:
        left, right = _reader().over_common_field(ours, theirs)
    except (InputError, DomainError):
        return NotImplemented
    return bool(left == right)


def number_from_sympy(expression: Any, field: Any = None) -> Any:
    """The number that an expression is, of the least field unless one is given."""
    return _reader().number_from_sympy(expression, field)


def numbers_from_sympy(rows: Any, field: Any = None) -> list[list[Any]]:
    """The numbers that expressions are, of one field."""
    found: list[list[Any]] = _reader().numbers_from_sympy(rows, field)
    return found


def with_numbers(expression: Any, numbers: Mapping[str, Any]) -> Any:
    """An expression with numbers in place of some symbols, by name."""
    return _reader().with_numbers(expression, numbers)


def read_point(expression: Any) -> Any:
    """The rational or algebraic number that an expression is."""
    return _reader().point_from_sympy(expression)


def _reader() -> Any:
    return import_module(SympyOperand._reader)


def exponent_of(base: Any, exponent: Any) -> int:
    """An exponent that is an integer, however it is given; another one is refused with what to write."""
    if isinstance(exponent, numbers.Rational) and exponent.denominator == 1:
        return int(exponent.numerator)
    try:
        return operator.index(exponent)
    except TypeError:
        if isinstance(exponent, numbers.Number) and not is_expression(exponent):
            raise TypeError(
                f"the exponent {exponent} of {base} is no integer; write an integer, or float(x) ** y for a rounded power"
            ) from None
        if not is_expression(exponent):
            raise
        message = f"the exponent {exponent} of {base} is no integer; for a power in sympy write x.to_sympy() ** ({exponent})"
        raise InexactInputError(message, value=exponent) from None


def symbols_by_name(given: Iterable[Any] | Symbols) -> dict[str, Any]:
    """Names of letters, each with the symbol for it; two different symbols of one name are refused."""
    if isinstance(given, Mapping):
        for name, symbol in given.items():
            if not getattr(symbol, "is_Symbol", False):
                raise wrong_kind(f"symbol for {name}", symbol, f"a Symbol of sympy, such as Symbol('{name}')")
        return dict(given)
    found: dict[str, Any] = {}
    for chosen in given:
        name = str(getattr(chosen, "name", ""))
        if not getattr(chosen, "is_Symbol", False):
            raise wrong_kind("letters", chosen, "symbols of sympy, such as [Symbol('a')]")
        if found.setdefault(name, chosen) != chosen:
            raise InputError(f"two different symbols are called {name} (their assumptions differ); use one", value=name)
    return found


def symbols_for(field: Any, given: Iterable[Any] | Symbols) -> dict[str, Any]:
    """The symbols chosen for letters of a field; InputError if one stands for none of them."""
    chosen = symbols_by_name(given)
    unknown = sorted(set(chosen) - set(field.letters))
    if unknown:
        message = f"{unknown[0]} is no letter of {field}; it has {', '.join(field.letters) or 'none'}"
        raise InputError(message, value=unknown[0])
    return chosen


SIGNS = {
    "positive": {1},
    "nonnegative": {0, 1},
    "negative": {-1},
    "nonpositive": {-1, 0},
    "zero": {0},
    "nonzero": {-1, 1},
}
"""The signs of the real numbers that have a property."""

_REAL = {"real": True, "complex": True, "finite": True, "commutative": True, "hermitian": True, "imaginary": False, "infinite": False}


def require_assumptions(symbol: Any, signs: Iterable[int], where: str) -> None:
    """Refuse a symbol with an assumption that does not hold wherever its letter may be.

    * ``symbol``: such as ``Symbol("p", positive=True)``.
    * ``signs``: those of −1, 0, 1 that the letter may have.
    * ``where``: where the letter may be, for the message.
    * raises InputError: names the assumption.

    >>> from sympy import Symbol
    >>> require_assumptions(Symbol("p", nonnegative=True), {1}, "in (0, 1)")
    >>> require_assumptions(Symbol("p", positive=True), {0, 1}, "in [0, 1)")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: the symbol p is assumed positive=True, which need not hold in [0, 1); ...
    """
    possible = set(signs)
    for name, value in symbol._assumptions_orig.items():  # what was said; the rest follows from it
        if value is None:
            continue
        plain = name.removeprefix("extended_")
        signed = SIGNS.get(plain)
        if signed is None:
            holds = _REAL.get(plain) == value
        elif value:
            holds = possible <= signed
        else:
            holds = not possible & signed
        if not holds:
            raise InputError(
                f"the symbol {symbol} is assumed {name}={value}, which need not hold {where}; give a region in which it holds, "
                f"or use Symbol('{symbol.name}') without it",
                value=str(symbol),
                assumption=name,
            )
