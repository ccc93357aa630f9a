# SPDX-License-Identifier: MIT
"""Numbers of sympy, read exactly into the least field that has them all.

(Our numbers go the other way by themselves: sympy asks each for its ``_sympy_``.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from exactdp.errors import InexactInputError, InputError, MixedDomainError
from exactdp.exact.exponential import ExponentialField, field_of_exponentials
from exactdp.exact.field import OrderedField
from exactdp.exact.formula import LEVEL
from exactdp.exact.functions import NAMES, RationalFunctionField
from exactdp.exact.number_field import NumberField
from exactdp.exact.points import AlgebraicNumber
from exactdp.exact.rational import QQ, Rational
from exactdp.exact.symbols import SymbolField


def from_sympy(rows: Sequence[Sequence[Any]], field: OrderedField | None = None) -> list[list[Any]]:
    """The numbers that some expressions of sympy are, over one field, the least unless one is given.

    Parameters
    ----------
    rows : sequence of sequences
        As :meth:`ExactMatrix.from_sympy <exactdp.exact.matrix.ExactMatrix.from_sympy>` takes them.
    field : OrderedField, optional
        That has the numbers.

    Raises
    ------
    InexactInputError, InputError
        An expression is none of an exact number; names row and column.

    Examples
    --------
    >>> from sympy import Rational as R, exp
    >>> from_sympy([[exp(-R(1, 2)), exp(-R(1, 3))]])
    [[ExponentialNumber('t^3', t = e^(−1/6)), ExponentialNumber('t^2', t = e^(−1/6))]]
    """
    atoms = [atom for i, row in enumerate(rows) for j, x in enumerate(row) for atom in _told(_atoms, x, i, j)]
    chosen = _field(atoms) if field is None else field
    return [[_told(lambda e: _value(e, chosen), x, i, j) for j, x in enumerate(row)] for i, row in enumerate(rows)]


def _told(read: Callable[[Any], Any], x: Any, i: int, j: int) -> Any:
    try:
        return read(x)
    except InputError as error:
        raise type(error)(f"row {i}, column {j}: {error.message}", **{**error.facts, "row": i, "column": j}) from None


def _atoms(expression: Any) -> list[Any]:
    """What an expression is made of beside rational numbers."""
    return list(_walk(expression))


def _walk(e: Any) -> Iterator[Any]:
    kind = type(e).__name__
    if getattr(e, "is_Float", False) or isinstance(e, float):
        raise InexactInputError(f"{e} is a Float; give sympy Rationals", value=e)
    if getattr(e, "is_Rational", False) or isinstance(e, int):
        return
    if getattr(e, "is_Add", False) or getattr(e, "is_Mul", False):
        for part in e.args:
            yield from _walk(part)
    elif kind == "Pow" and e.exp.is_Integer:
        yield from _walk(e.base)
    elif getattr(e, "is_Symbol", False) or kind in {"exp", "Exp1", "ComplexRootOf"}:
        yield e
    else:
        raise InputError(f"{e} (a {kind} of sympy) is no number that is read exactly; give rationals, symbols, exp or CRootOf", value=e)


def _field(atoms: Sequence[Any]) -> OrderedField:
    """The least field with some symbols, or some exponentials, or an algebraic number."""
    symbols = {e for e in atoms if e.is_Symbol}
    roots = {e for e in atoms if type(e).__name__ == "ComplexRootOf"}
    powers = [pair for e in atoms if type(e).__name__ in {"exp", "Exp1"} for pair in _powers(e)]
    if bool(symbols) + bool(roots) + bool(powers) > 1 or len(roots) > 1:
        strange = ", ".join(sorted(map(str, {*symbols, *roots}))) + (" and exponentials" if powers else "")
        raise MixedDomainError(f"{strange} have no common field here; write all numbers over one", fields=())
    if powers:
        return field_of_exponentials(powers)
    if roots:
        return NumberField(_root(roots.pop()))
    names = sorted({e.name for e in symbols}, key=lambda name: (name not in LEVEL, name))
    if len(names) < len(symbols):
        raise InputError(f"two symbols of different assumptions are both called {names[0]}; use one", value=names)
    if len(names) == 1 and names[0] in NAMES:
        return RationalFunctionField(name=names[0])
    return SymbolField(names) if names else QQ


def _powers(e: Any) -> list[tuple[Rational, int]]:
    """The pairs (x, q) whose terms x·√q add up to the exponent of e^…."""
    if type(e).__name__ == "Exp1":
        return [(Rational(1), 1)]
    terms = e.exp.args if e.exp.is_Add else [e.exp]
    pairs = []
    for term in terms:
        factor, rest = term.as_coeff_Mul()
        square = rest**2
        if not (factor.is_Rational and square.is_Integer and rest.is_positive):
            raise InputError(f"{e} is no power of e with a rational exponent, or one such as sqrt(2)/2", value=e)
        pairs.append((Rational(int(factor.p), int(factor.q)), int(square)))
    return pairs


def _root(e: Any) -> AlgebraicNumber:
    if not e.is_real:
        raise InputError(f"{e} is not real", value=e)
    interval = e._get_interval()
    low, high = (Rational(int(x.numerator), int(x.denominator)) for x in (interval.a, interval.b))
    return AlgebraicNumber([Rational(int(c.p), int(c.q)) for c in reversed(e.poly.all_coeffs())], low, high)


def _value(e: Any, field: Any) -> Any:
    """The number in a field that has it."""
    kind = type(e).__name__
    if isinstance(e, int):
        return field(e)
    if e.is_Rational:
        return field(Rational(int(e.p), int(e.q)))
    if e.is_Add:
        return sum((_value(part, field) for part in e.args), field.zero)
    if e.is_Mul:
        result = field.one
        for part in e.args:
            result = result * _value(part, field)
        return result
    if kind == "Pow":
        return _value(e.base, field) ** int(e.exp)
    if e.is_Symbol and e.name in getattr(field, "names", ()):
        return field.gens[field.names.index(e.name)]
    if kind in {"exp", "Exp1"} and isinstance(field, ExponentialField):
        result = field.one
        for x, q in _powers(e):
            result = result * field.exponential(-x, q)
        return result
    if kind == "ComplexRootOf" and isinstance(field, NumberField) and field.root == _root(e):
        return field.gen
    raise InputError(f"{e} is no number of {field}", value=e)
