# SPDX-License-Identifier: MIT
"""Numbers of sympy, read exactly into the least field that has them all.

(Our numbers go the other way by :meth:`~exactdp.exact.sympy_operators.SympyOperand.to_sympy`.)

A number is made by ``+ − * /`` and integer powers of rationals and of one kind of further numbers: letters,
powers of e, or a real algebraic number, which is a ``CRootOf`` or a root of a positive rational. Several such
roots are read where one of them generates the others. What a symbol is assumed to be must hold wherever the
field lets its letter be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cmp_to_key
from math import lcm, prod
from typing import Any

from exactdp.errors import InputError, MixedDomainError
from exactdp.exact.algebraic import AlgebraicNumber, Point, compare_points
from exactdp.exact.comparison import common_field, scalar_of
from exactdp.exact.exponential import ExponentialField, field_of_exponentials
from exactdp.exact.field import OrderedField
from exactdp.exact.formula import LEVEL
from exactdp.exact.functions import NAMES, RationalFunctionField
from exactdp.exact.identity import is_zero
from exactdp.exact.intervals import Interval
from exactdp.exact.number_field import NumberField, NumberFieldElement
from exactdp.exact.powers import rational_root
from exactdp.exact.quotient import QuotientField
from exactdp.exact.rational import QQ, Rational
from exactdp.exact.region import Region
from exactdp.exact.region_functions import RegionField
from exactdp.exact.symbols import SymbolField
from exactdp.exact.sympy_operators import is_expression, require_assumptions, require_exact, symbols_by_name
from exactdp.runtime.budget import require_budget


def numbers_from_sympy(rows: Sequence[Sequence[Any]], field: OrderedField | None = None) -> list[list[Any]]:
    """The numbers that some expressions of sympy are, over one field, the least unless one is given.

    * ``rows``: as :meth:`ExactMatrix.from_sympy <exactdp.exact.matrix.ExactMatrix.from_sympy>` takes them.
    * ``field``: that has the numbers.
    * raises InexactInputError, InputError: an expression is none of an exact number, or a symbol is assumed
      to be what its letter need not be; names row and column, or the symbol.
    * raises MixedDomainError: no field here has them all.

    >>> from sympy import Rational as R, exp, sqrt
    >>> numbers_from_sympy([[exp(-R(1, 2)), exp(-R(1, 3))]])
    [[ExponentialNumber('t^3', t = e^(−1/6)), ExponentialNumber('t^2', t = e^(−1/6))]]
    >>> [[x]] = numbers_from_sympy([[(1 + sqrt(5)) / 2]])
    >>> x**2 == x + 1
    True
    """
    atoms = [atom for i, row in enumerate(rows) for j, x in enumerate(row) for atom in _told(_atoms, x, i, j)]
    chosen = _common(atoms, field)
    return [[_told(lambda e: _defined(e, chosen), x, i, j) for j, x in enumerate(row)] for i, row in enumerate(rows)]


def number_from_sympy(expression: Any, field: OrderedField | None = None) -> Any:
    """The number that an expression of sympy is, over the least field unless one is given.

    Raises as :func:`numbers_from_sympy` does.

    >>> from sympy import Symbol
    >>> number_from_sympy(1 - Symbol("a")**2)
    RationalFunction('-a^2 + 1')
    """
    return _defined(expression, _common(_atoms(expression), field))


def with_numbers(thing: Any, numbers: Mapping[str, Rational]) -> Any:
    """An expression or matrix of sympy with numbers in place of some symbols, by name.

    * raises InputError: a number is not what its symbol is assumed to be.

    >>> from sympy import Symbol
    >>> with_numbers((1 - Symbol("p")) ** Symbol("n", integer=True), {"n": Rational(3)})
    (1 - p)**3
    >>> with_numbers(Symbol("n", integer=True) + 1, {"n": Rational("1/2")})
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: the symbol n is assumed integer=True, and it is said to be 1/2; ...
    """
    given = {symbol: numbers[name].to_sympy() for name, symbol in symbols_by_name(thing.free_symbols).items() if name in numbers}
    for symbol, number in given.items():
        for name, value in symbol._assumptions_orig.items():
            if value is not None and getattr(number, f"is_{name}") != value:
                raise InputError(
                    f"the symbol {symbol} is assumed {name}={value}, and it is said to be {number}; give another number, or a "
                    "symbol without it",
                    value=str(symbol),
                    assumption=name,
                )
    return thing.subs(given) if given else thing


def region_from_sympy(condition: Any) -> Region:
    """The region that relations of sympy describe, with what their symbols are assumed to be.

    >>> from sympy import symbols
    >>> p, q = symbols("p q")
    >>> print(region_from_sympy((0 < p) & (p + 2 * q <= 1)))
    p > 0, -p - 2*q + 1 >= 0
    """
    parts = condition.args if type(condition).__name__ == "And" else [condition]
    symbols = symbols_by_name(condition.free_symbols)
    names = sorted(symbols)
    if not names:
        raise InputError(f"the condition {condition} has no letters", value=condition)
    field = SymbolField(names)
    found = []
    for part in parts:
        strict = {"StrictGreaterThan": True, "StrictLessThan": True, "GreaterThan": False, "LessThan": False}.get(type(part).__name__)
        if strict is None:
            message = f"{part} is no inequality between polynomials; give relations such as p + q < 1, and And of them"
            raise InputError(message, value=part)
        require_exact(part.gts - part.lts)
        difference = _value(part.gts, field) - _value(part.lts, field)
        if len(difference.denominator) != 1 or any(difference.denominator[0][0]):
            raise InputError(f"in {part} a letter is in a denominator; multiply by it, if its sign is known", value=part)
        found.append((difference.numerator, strict))
    region = Region.of(names, [*found, *_signs_assumed(names, symbols)])
    _require_assumptions(symbols, RegionField(region))
    return region


def _signs_assumed(names: Sequence[str], symbols: Mapping[str, Any]) -> list[tuple[Any, bool]]:
    return [constraint for k, name in enumerate(names) for constraint in _assumed(symbols[name], k, len(names))]


def _assumed(symbol: Any, place: int, size: int) -> list[tuple[Any, bool]]:
    """The constraints that a symbol's assumptions about its sign are."""
    powers = tuple(int(i == place) for i in range(size))
    signs = {"positive": (1, True), "nonnegative": (1, False), "negative": (-1, True), "nonpositive": (-1, False)}
    found = []
    for name, value in symbol._assumptions_orig.items():
        plain = name.removeprefix("extended_")
        if plain in signs and value:
            side, strict = signs[plain]
            found.append((((powers, side),), strict))
    return found


def over_common_field(ours: Any, theirs: Any) -> tuple[Any, Any]:
    """A number of ours and an expression of sympy, as two numbers of one field.

    The field is that of ours if it has letters or an algebraic number, else the least one with both.

    >>> from sympy import exp
    >>> over_common_field(ExponentialField("1/2").gen, exp(-2))
    (ExponentialNumber('t', t = e^(−1/2)), ExponentialNumber('t^4', t = e^(−1/2)))
    """
    field = ours.field
    if field is QQ or isinstance(field, ExponentialField):
        number = scalar_of(theirs)
        field = common_field(ours, number)
        return field(ours), field(number)
    return ours, number_from_sympy(theirs, field)


def point_from_sympy(number: Any) -> Point:
    """The rational or algebraic number that an expression of sympy is.

    >>> from sympy import sqrt
    >>> point_from_sympy((sqrt(5) - 1) / 2) == AlgebraicNumber([-1, 1, 1], 0, 1)
    True
    """
    found = number_from_sympy(number)
    if isinstance(found, NumberFieldElement):
        return found.point
    if not isinstance(found, Rational):
        raise InputError(f"{number} is no rational or algebraic number", value=number)
    return found


def intervals_from_sympy(points: Any) -> tuple[Interval, ...]:
    """The intervals and points that a set of sympy consists of, increasing.

    * raises InputError: the set is unbounded, or neither ``Interval``, ``FiniteSet`` nor a ``Union`` of
      those.

    >>> from sympy import FiniteSet, Rational as R, Union, Interval as Set
    >>> [str(part) for part in intervals_from_sympy(Union(Set.Lopen(0, R(1, 2)), FiniteSet(1)))]
    ['(0, 1/2]', '[1, 1]']
    """
    found = list(_parts(points))
    order = cmp_to_key(compare_points)
    return tuple(sorted(found, key=lambda part: order(part.lower)))


def _parts(points: Any) -> Iterator[Interval]:
    kind = type(points).__name__
    if kind == "EmptySet":
        return
    if kind == "Interval":
        if points.start.is_infinite or points.end.is_infinite:
            raise InputError(f"{points} is unbounded; an interval here has two ends, such as Interval(0, 1)", value=points)
        ends = point_from_sympy(points.start), point_from_sympy(points.end)
        yield Interval(*ends, not points.left_open, not points.right_open)
    elif kind == "FiniteSet":
        for x in points.args:
            yield Interval.point(point_from_sympy(x))
    elif kind == "Union":
        for part in points.args:
            yield from _parts(part)
    else:
        message = f"{points} (a {kind}) is no set of numbers that is read here; give Interval, FiniteSet or Union"
        raise InputError(message, value=points)


def _told(read: Callable[[Any], Any], x: Any, i: int, j: int) -> Any:
    try:
        return read(x)
    except InputError as error:
        raise type(error)(f"row {i}, column {j}: {error.message}", **{**error.facts, "row": i, "column": j}) from None


# --- What an expression is made of ---


def _atoms(expression: Any) -> list[Any]:
    """What an expression is made of beside rational numbers."""
    if is_expression(expression):
        require_exact(expression)
    elif isinstance(expression, bool) or not isinstance(expression, int):
        raise InputError(f"{expression!r} (of type {type(expression).__name__}) is no number of sympy", value=expression)
    return list(_walk(expression))


def _walk(e: Any) -> Iterator[Any]:
    kind = type(e).__name__
    if getattr(e, "is_Rational", False) or isinstance(e, int):
        return
    if _is_radical(e):
        yield e
    elif getattr(e, "is_Add", False) or getattr(e, "is_Mul", False):
        for part in _parts_of(e):
            yield from _walk(part)
    elif kind == "Pow" and e.exp.is_Integer:
        yield from _walk(e.base)
    elif getattr(e, "is_Symbol", False) or kind in {"exp", "Exp1", "ComplexRootOf"}:
        yield e
    else:
        message = f"{e} (a {kind} of sympy) is no number that is read exactly; give rationals, symbols, exp, sqrt or CRootOf"
        raise InputError(message, value=e)


def _is_radical(e: Any) -> bool:
    """Whether it is a root of a positive rational number; sympy writes that of 2/3 as a product of two."""
    if getattr(e, "is_Mul", False):
        return all(_is_radical(part) for part in e.args)
    return type(e).__name__ == "Pow" and bool(e.base.is_Rational and e.base.is_positive and e.exp.is_Rational)


def _parts_of(e: Any) -> list[Any]:
    """The terms of a sum; the factors of a product, its radicals as one."""
    if e.is_Add:
        return list(e.args)
    radicals = [part for part in e.args if _is_radical(part)]
    others = [part for part in e.args if not _is_radical(part)]
    return [e.func(*radicals), *others] if radicals else others


def _common(atoms: Sequence[Any], given: OrderedField | None) -> OrderedField:
    """The field given, or the least one; its letters have the assumptions of the symbols."""
    symbols = symbols_by_name(e for e in atoms if e.is_Symbol)
    field = _field(atoms, symbols) if given is None else given
    if isinstance(field, QuotientField):
        _require_assumptions(symbols, field)
    return field


def _require_assumptions(symbols: Mapping[str, Any], field: QuotientField) -> None:
    """Refuse a symbol whose assumptions need not hold where the field lets its letter be."""
    for name, symbol in symbols.items():
        if name in field.letters:
            require_assumptions(symbol, field.signs_of_letter(name), field.where)


def _field(atoms: Sequence[Any], symbols: Mapping[str, Any]) -> OrderedField:
    """The least field with some letters, or some exponentials, or an algebraic number."""
    names = sorted(symbols)
    roots = {e for e in atoms if type(e).__name__ == "ComplexRootOf"}
    radicals = {e for e in atoms if _is_radical(e)}
    powers = [pair for e in atoms if type(e).__name__ in {"exp", "Exp1"} for pair in _powers(e)]
    if bool(names) + bool(roots | radicals) + bool(powers) > 1 or len(roots) > 1:
        strange = ", ".join([*names, *sorted(map(str, roots | radicals))]) + (" and exponentials" if powers else "")
        raise MixedDomainError(f"{strange} have no common field here; write all numbers over one", fields=())
    if powers:
        return field_of_exponentials(powers)
    if roots or radicals:
        return _field_of_roots([*map(_root, roots), *(_positive_root(e) for e in sorted(radicals, key=str))], roots | radicals)
    signed = _signs_assumed(names, symbols)
    if signed and not (len(names) == 1 and names[0] in LEVEL):
        bare = next((name for name in names if not symbols[name].is_extended_real), None)
        if bare is not None:
            message = f"nothing is assumed about {bare}; say what it may be: letters={{'{bare}': '(0, 1)', …}}"
            raise InputError(message, value=bare)
        return RegionField(Region.of(names, signed))
    if len(names) == 1 and names[0] in NAMES:
        return RationalFunctionField(name=names[0])
    return SymbolField(sorted(names, key=lambda name: (name not in LEVEL, name))) if names else QQ


def _field_of_roots(candidates: Sequence[AlgebraicNumber], atoms: Any) -> OrderedField:
    """The field of one of some algebraic numbers that has all of the atoms."""
    for root in sorted(set(candidates), key=lambda x: (-len(x.coefficients), x.coefficients)):
        field = NumberField(root, "r")
        if all(_root_in(e, field) is not None for e in atoms):
            return field
    strange = ", ".join(sorted(map(str, atoms)))
    raise MixedDomainError(f"{strange} have no common field here: none of them generates the others", fields=())


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
    """A ``CRootOf``."""
    if not e.is_real:
        raise InputError(f"{e} is not real", value=e)
    interval = e._get_interval()
    low, high = (Rational(int(x.numerator), int(x.denominator)) for x in (interval.a, interval.b))
    return AlgebraicNumber([Rational(int(c.p), int(c.q)) for c in reversed(e.poly.all_coeffs())], low, high)


def _radical_parts(e: Any) -> tuple[Rational, int, int]:
    """A positive rational x, k ≥ 2 and p ≥ 1 with e = x^(p/k)."""
    if e.is_Mul:
        parts = [_radical_parts(part) for part in e.args]
        common = lcm(*(k for _, k, _ in parts))
        return prod((base ** (p * common // k) for base, k, p in parts), start=Rational(1)), common, 1
    base = Rational(int(e.base.p), int(e.base.q))
    p, k = int(e.exp.p), int(e.exp.q)
    return (base, k, p) if p > 0 else (1 / base, k, -p)


def _positive_root(e: Any) -> AlgebraicNumber:
    """The k-th root that a radical is a power of."""
    base, k, _ = _radical_parts(e)
    require_budget(f"the root {e}", degree=k)
    return AlgebraicNumber([-base, *[0] * (k - 1), 1], 0, base + 1)


def _root_in(e: Any, field: NumberField) -> NumberFieldElement | None:
    """The element of a field that a ``CRootOf`` or a radical is; None if it is not seen to be one.

    The generator x₀ minus the mean of its conjugates is g. A radical x^(1/k) is sought as a rational multiple
    of a power of g, which finds every square root in a field of degree 2, and the powers of a pure root.
    """
    if type(e).__name__ == "ComplexRootOf":
        root = _root(e)
        return field.gen if root == field.root else None
    base, k, power = _radical_parts(e)
    c = field.root.coefficients
    g = field.gen + Rational(c[-2], (len(c) - 1) * c[-1])
    for m in range(len(c) - 1):
        y = g**m
        known = (y**k).rational
        if known is not None:
            if y.sign() <= 0:
                y, known = -y, known * (-1) ** k
            factor = rational_root(base / known, k)
            if factor is not None:
                found: NumberFieldElement = (factor * y) ** power
                return found
    return None


# --- Its value ---


def _defined(e: Any, field: Any) -> Any:
    """The number in a field that has it; DomainError if it is not defined on all of a region."""
    if isinstance(field, RegionField):
        field(_value(e, field.formulas)).require_defined()  # says where a pole of the whole is
    return _value(e, field)  # says what divides by zero though it cancels


def _value(e: Any, field: Any) -> Any:
    """The number in a field that has it."""
    kind = type(e).__name__
    if isinstance(e, int):
        return field(e)
    if e.is_Rational:
        return field(Rational(int(e.p), int(e.q)))
    if e.is_Add:
        return sum((_value(part, field) for part in e.args), field.zero)
    if e.is_Mul and not _is_radical(e):
        return prod((_value(part, field) for part in _parts_of(e)), start=field.one)
    if kind == "Pow" and e.exp.is_Integer:
        base = _value(e.base, field)
        if int(e.exp) < 0 and is_zero(base):
            raise InputError(f"{e} divides by zero: {e.base} is 0", value=e)
        return base ** int(e.exp)
    if e.is_Symbol and e.name in field.letters:
        return field.gens[field.letters.index(e.name)]
    if kind in {"exp", "Exp1"} and isinstance(field, ExponentialField):
        result = field.one
        for x, q in _powers(e):
            result = result * field.exponential(-x, q)
        return result
    if isinstance(field, NumberField) and (kind == "ComplexRootOf" or _is_radical(e)):
        found = _root_in(e, field)
        if found is not None:
            return found
    raise InputError(f"{e} is no number of {field}", value=e)
