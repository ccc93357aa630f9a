# SPDX-License-Identifier: MIT
"""The number that a value is, the least field of several, and the largest or smallest of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactdp.errors import InputError, MixedDomainError, UndecidedSignError
from exactdp.exact import identity
from exactdp.exact.field import OrderedField, Scalar, unmixed
from exactdp.exact.rational import QQ, Rational
from exactdp.exact.region_functions import place
from exactdp.exact.sympy_operators import is_expression, number_from_sympy


def common_field(*things: Any) -> OrderedField:
    """The least field that contains some fields, scalars, or anything else with a ``field``.

    Parameters
    ----------
    *things : OrderedField, Scalar, ExactMatrix, Loss, …
        What has no field (ints, Fractions, text) counts as rational.

    Raises
    ------
    MixedDomainError
        Two fields other than ℚ are among them that no field here contains; names both.

    Examples
    --------
    >>> from exactdp.exact import ExponentialField
    >>> common_field(ExponentialField("1/2").gen, ExponentialField("1/3").gen)
    ExponentialField('1/6', roots=(1,))
    >>> from exactdp.exact import RationalFunctionField
    >>> field = RationalFunctionField()
    >>> common_field(QQ, field, Rational(1)), common_field(1, Rational(2))
    (RationalFunctionField((0, 1), 'a'), QQ)
    """
    result: OrderedField = QQ
    for thing in things:
        if type(thing) is Rational:
            continue
        field = thing if isinstance(thing, OrderedField) else getattr(thing, "field", QQ)
        if field is QQ or field is result or field == result:
            continue
        joint = field if result is QQ else result.join(field) or field.join(result)
        if joint is None:
            raise MixedDomainError(unmixed(result, field), fields=(result, field))
        result = joint
    return result


def scalar_of(value: object) -> Any:
    """A rational number, or the number that an expression of sympy without letters is.

    * raises InputError: it is neither; a symbol does not say where it lives.

    >>> from sympy import exp
    >>> scalar_of("1/2"), scalar_of(exp(-1))
    (Rational('1/2'), ExponentialNumber('t', t = e^(−1)))
    """
    if not is_expression(value):
        return QQ(value)
    symbols = sorted(s.name for s in value.free_symbols)  # type: ignore[attr-defined]
    if symbols:
        raise InputError(
            f"{value} has the letter {symbols[0]}, of which it is not said what it may be; read it with "
            f"from_sympy(…, letters={{'{symbols[0]}': '(0, 1)'}})",
            value=value,
        )
    return number_from_sympy(value)


def same_formula(left: Any, right: Any) -> bool:
    """Whether two numbers, or functions of letters, are one formula in lowest terms.

    ``left == right`` is a statement about the values instead, and an error where these are equal at some
    points of the region only.

    Parameters
    ----------
    left, right : scalars
        Numbers or functions, of one field or of fields for the same letters.

    Returns
    -------
    bool
        Two formulas that are not the same may still have one value at some points.

    Examples
    --------
    >>> from exactdp import RegionField, same_formula
    >>> p = RegionField("0 < p < 1").gen
    >>> same_formula(2 * p, 1), same_formula((1 - p**2) / (1 + p), 1 - p)
    (False, True)
    """
    mine, its = (x if isinstance(x, Scalar) else scalar_of(x) for x in (left, right))
    return identity.same_formula(mine, its)


def field_of(values: Iterable[object]) -> OrderedField:
    """The least field of some entries; what is no scalar counts as rational.

    >>> field_of([1, "1/2", Rational(3)])
    QQ
    """
    are_scalars: dict[type, bool] = {Rational: False}  # those of ℚ change nothing
    fields: dict[int, OrderedField] = {}
    for x in values:
        kind = type(x)
        if kind not in are_scalars:
            are_scalars[kind] = isinstance(x, Scalar)
        if are_scalars[kind]:
            field: OrderedField = x.field  # type: ignore[attr-defined]
            fields[id(field)] = field
    return common_field(*fields.values())


def where_negative(x: Any) -> str | None:
    """For a message: None for a number that is not negative, "" if it is, and where if only at some points.

    Raises UndecidedSignError for a function of letters if neither is known, or if it is negative at some
    levels.

    >>> from exactdp.exact import RegionField
    >>> [where_negative(x) for x in (RegionField("0 < p < 1")("1-2*p"), Rational(1), Rational(-1))]
    [' at p = 3/4', None, '']
    """
    try:
        return "" if x < 0 else None
    except UndecidedSignError as error:
        point = getattr(error.facts.get("found"), "negative", None)
        if point is None:
            raise
        return f" at {place(point)}"


def largest(values: Iterable[Any]) -> Any:
    """The largest of some scalars of one field and ℚ.

    In ℚ(α) the one that is ≥ every other on the whole interval, ties at single points allowed (``max`` would
    refuse those); UndecidedSignError if there is none.

    >>> from exactdp.exact import Interval, RationalFunctionField
    >>> a = RationalFunctionField(Interval("1/2", 1, True)).gen
    >>> largest([1 - a, a])
    RationalFunction('a')
    """
    everything = list(values)
    return everything[_first_extreme(everything, 1)]


def smallest(values: Iterable[Any]) -> Any:
    """The smallest of some scalars, as :func:`largest`.

    >>> smallest([Rational(1), Rational("1/2")])
    Rational('1/2')
    """
    everything = list(values)
    return everything[_first_extreme(everything, -1)]


def least_index(values: Iterable[Any]) -> int:
    """The place of the first smallest value, as :func:`smallest` understands it.

    >>> least_index([Rational(2), Rational(1), Rational(1)])
    1
    """
    return _first_extreme(list(values), -1)


def _first_extreme(values: Sequence[Any], side: int) -> int:
    """The place of the first largest (side 1) or smallest (side −1) value."""
    best = 0
    undecided: UndecidedSignError | None = None
    for i in range(1, len(values)):
        if values[i] is values[best]:
            continue
        try:
            if (values[i] - values[best]).weak_sign() == side:
                best = i
        except UndecidedSignError as error:
            undecided = undecided or error
    if undecided is None:
        return best
    # two of them cross somewhere; one may still be beyond both
    for i, x in enumerate(values):
        if all(_is_beyond(x, y, side) for y in values):
            return i
    raise undecided


def _is_beyond(x: Any, y: Any, side: int) -> bool:
    try:
        return bool((x - y).weak_sign() != -side)
    except UndecidedSignError:
        return False
