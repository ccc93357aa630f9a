# SPDX-License-Identifier: MIT
"""Levels stated as ε: the exact e^(−ε) beside a table's own numbers, and whether a level keeps an ε.

e^(−ε) is transcendental for a rational ε > 0, so no rational ratio equals it: the comparison is always
decided.
"""

from __future__ import annotations

from itertools import chain
from math import gcd, lcm
from typing import Any, TypeVar

from exactdp.errors import DomainError, ResourceLimitError
from exactdp.exact import QQ, ExactMatrix, ExponentialField, ExponentialNumber, Rational
from exactdp.exact.number_field import NumberField, NumberFieldElement
from exactdp.exact.repeated import different
from exactdp.exact.structured import ScaledPowers
from exactdp.model import Epsilon, Mechanism, PrivacyLevel, Table, TightestLevel
from exactdp.model.level import EpsilonLike
from exactdp.model.mechanism import over_one_field

FINEST = 2048
"""Largest degree of the polynomials that a table's entries become when the field's generator is refined."""

FINEST_OF_POWERS = 10_000
"""The same for a table that is known by its powers: each of them is made once, and no table."""

T = TypeVar("T", Table, Mechanism)


def at_epsilon(thing: T, epsilon: EpsilonLike) -> tuple[T, PrivacyLevel]:
    """The table over a field that contains e^(−ε), and the level e^(−ε).

    * ``thing``: over ℚ, or over ℚ(e^(−x)) for a rational x (its generator becomes a power of a smaller
      exponential if need be).
    * ``epsilon``: ε > 0; the level of ``ln(3)`` is 1/3, and the field stays.
    * raises DomainError: the table's field has no such exponential (a symbolic level, or several generators),
      or the entries would become polynomials of a degree above :data:`FINEST`; :func:`keeps_epsilon` decides
      levels in that case too.
    * raises ParameterRangeError: ε ≤ 0.

    >>> table, level = at_epsilon(Table([["1/3", "2/3"]]), "1/2")
    >>> table.matrix.field.meanings, str(level)
    ({'t': 'exp(-1/2)'}, 'e^(−1/2)')
    """
    asked = PrivacyLevel(epsilon=epsilon)
    value, field = asked.epsilon.rational, thing.matrix.field
    if value is None:  # ln(q): the level is rational
        return thing, asked
    if field == QQ:
        large = ExponentialField(value)
        return _with(thing, thing.matrix.over(large)), PrivacyLevel(large.gen)
    if not isinstance(field, ExponentialField) or len(field.gens) != 1:
        raise DomainError(f"a table over {field} has no level e^(−{value}); only ℚ and ℚ(e^(−x)) do", field=field)
    rate = _common(field.rate, value)
    if _is_too_fine(thing, value):
        what = f"beside e^(−{value}) the entries would be polynomials of a degree above {_finest(thing)}"
        raise DomainError(f"{what} in a common root of it and e^(−{field.rate})", field=field, epsilon=value)
    large = ExponentialField(rate)
    if large == field:
        return thing, PrivacyLevel(field.exponential(value))
    if isinstance(thing.matrix, ScaledPowers):
        return _with(thing, thing.matrix.over(large)), PrivacyLevel(large.exponential(value))
    power = large.gen ** int((field.rate / rate).numerator)
    rows = list(thing.matrix.rows())
    refined = {id(x): x.substitute(power) for x in different(chain.from_iterable(rows))}
    matrix = ExactMatrix([[refined[id(x)] for x in row] for row in rows], large)
    return _with(thing, matrix), PrivacyLevel(large.exponential(value))


def _finest(thing: Table | Mechanism) -> int:
    """The largest degree to which the entries of a table may be refined."""
    return FINEST_OF_POWERS if isinstance(thing.matrix, ScaledPowers) else FINEST


def _is_too_fine(thing: Table | Mechanism, epsilon: Rational) -> bool:
    """Whether beside e^(−ε) the entries of a table over ℚ(e^(−x)) would be of too large a degree."""
    field: Any = thing.matrix.field
    degree = max((max(len(x.numerator), len(x.denominator)) for x in different(thing.matrix.numbers())), default=1)
    return bool(max(field.rate * degree, epsilon) > _finest(thing) * _common(field.rate, epsilon))


def together(thing: T, level: PrivacyLevel) -> tuple[T, PrivacyLevel] | None:
    """The table and the level over one field; None where there is none of a size that is decided here.

    The ε of the level and those of the table's ratios are numbers that can be compared all the same
    (:meth:`exactdp.TightestLevel.compare`).

    * raises MixedDomainError: the one has a letter that the other does not know.

    >>> from exactdp import geometric
    >>> mechanism = geometric(1, PrivacyLevel(epsilon="1/2"))
    >>> [together(mechanism, PrivacyLevel(epsilon=epsilon)) is None for epsilon in ("1/3", "0.49999")]
    [False, True]
    """
    field = thing.matrix.field
    if isinstance(field, ExponentialField) and isinstance(level.field, ExponentialField) and level.field != field:
        exact = level.epsilon.rational
        if exact is not None and len(field.gens) == 1 and _is_too_fine(thing, exact):
            return None
    kinds = {type(field), type(level.field)}
    if NumberField in kinds and kinds <= {NumberField, ExponentialField} and field != level.field:
        return None
    try:
        moved, exact_level = over_one_field(thing, level)
    except ResourceLimitError as error:
        if "seconds" in error.facts:
            raise
        return None
    return moved, exact_level


def _with(thing: T, matrix: ExactMatrix) -> T:
    return type(thing)(matrix, thing.inputs, thing.outputs).told_by(thing.by_epsilon)


def _common(x: Rational, y: Rational) -> Rational:
    """The largest rational of which both are integer multiples."""
    den = lcm(int(x.denominator), int(y.denominator))
    return Rational(gcd(int((x * den).numerator), int((y * den).numerator)), den)


def keeps_epsilon(ratio: Any, epsilon: EpsilonLike) -> bool:
    """Whether a level in ℚ or ℚ(e^(−x)) is at least e^(−ε), decided exactly for ε as here.

    A number of ℚ(e^(−x)) equals e^(−ε) only if it is a power of e^(−x), because e^(−1/k) is transcendental
    for every k. Otherwise ever narrower enclosures of both decide.

    >>> t = ExponentialField(1).gen
    >>> [keeps_epsilon(t, epsilon) for epsilon in ("1000001/1000000", "999999/1000000")]
    [True, False]
    >>> keeps_epsilon(t * (1 + t) / 2, 2)
    True
    """
    asked = Epsilon(epsilon)
    value, exact = asked.rational, Epsilon.of_level(ratio).rational
    if value == 0:
        return bool(ratio >= asked.level)
    if value is None:  # perhaps a root, or e^(−√2), in no field with the ratio
        return TightestLevel(ratio).compare(PrivacyLevel(epsilon=asked)) >= 0
    if exact is not None:
        return bool(exact <= value)
    bound = ExponentialField(value).gen
    rational = ratio if isinstance(ratio, Rational) else ratio.rational
    if rational is not None:
        return bool(rational >= bound)
    digits = 16
    while True:
        (low, high), (below, above) = ratio.enclosure(digits), bound.enclosure(digits)
        if low > above:
            return True
        if high < below:
            return False
        digits *= 2


def bounds_of(x: Any, digits: int = 6) -> tuple[Rational, Rational]:
    """Two rationals around x with about so many correct digits (x itself, twice, over ℚ).

    >>> from exactdp.exact import ExponentialField
    >>> low, high = bounds_of(ExponentialField(20).gen)
    >>> Rational(0) < low < high < Rational("21/10000000000")
    True
    """
    if not isinstance(x, ExponentialNumber | NumberFieldElement):
        return x, x
    places = digits
    while True:
        low, high = x.enclosure(places)
        if low == high or abs(low) >= Rational(10**digits, 10**places) or places > 5000:
            return low, high
        places *= 2
