# SPDX-License-Identifier: MIT
"""Two routes to a determinant as a function of the level: fraction-free elimination, and exact values at enough levels."""

from __future__ import annotations

from typing import Any

from exactdp.errors import DefectiveAnswerError, DomainError, ResourceLimitError
from exactdp.exact import QQ, ExactMatrix, Rational, SymbolField, SymbolicFunction

__all__ = ["MAX_WORK", "computed"]

MAX_WORK = 40_000_000
"""Largest (order)³ · (bound of the degree) that is tried; more is refused before work."""


def computed(matrix: ExactMatrix, column: int | None, field: SymbolField) -> SymbolicFunction:
    """The determinant, with the column (if any) replaced by x0, x1, …: by elimination, confirmed by values.

    >>> from exactdp.exact import RationalFunctionField
    >>> a = RationalFunctionField().gen
    >>> print(computed(ExactMatrix([[1, a], [a, 1]], a.field), 0, SymbolField(["a", "x0", "x1"])))
    x0 - a*x1
    """
    size, degrees = matrix.shape[0], _degrees(matrix)
    if size**3 * (1 + sum(degrees)) * (1 if column is None else size) > MAX_WORK:
        raise ResourceLimitError(
            f"a determinant of order {size} and degree up to {sum(degrees)} is too large to be computed for all levels; ask at one",
            limit=MAX_WORK,
            got=size,
        )
    if column is None:
        found: SymbolicFunction = field(matrix.det())
    else:
        kept = [j for j in range(size) if j != column]
        rows = [[*(field(row[j]) for j in kept), field.symbol(f"x{i}")] for i, row in enumerate(matrix.rows())]
        found = ExactMatrix(rows, field).det() * (-1) ** (size - 1 - column)
    _confirm(matrix, column, found, sum(degrees))
    return found


def _degrees(matrix: ExactMatrix) -> list[int]:
    """For each row, a bound of the degrees of its entries and its denominator over a common denominator."""
    if matrix.field == QQ:
        return [0] * matrix.shape[0]
    bounds = []
    for row in matrix.rows():
        below, above = matrix.field.over_common_denominator(row)  # type: ignore[attr-defined]
        bounds.append(max(len(p) - 1 for p in (below, *above)))
    return bounds


def _confirm(matrix: ExactMatrix, column: int | None, found: SymbolicFunction, degree: int) -> None:
    """Compare with rational determinants at so many levels that a polynomial identity of this degree follows."""
    degree += max(powers[0] for part in (found.numerator, found.denominator) for powers, _ in part or [((0,), 0)])
    places: dict[Any, int] = {}
    layout = [[places.setdefault(x, len(places)) for x in row] for row in matrix.rows()]
    level, checked = Rational(1), 0
    while checked <= degree:
        level = level + 1
        try:
            values = [x if isinstance(x, Rational) else x.evaluate(level) for x in places]
        except DomainError:  # a pole
            continue
        checked += 1
        _compare([[values[k] for k in row] for row in layout], column, found, level)


def _compare(rows: list[list[Rational]], column: int | None, found: SymbolicFunction, level: Rational) -> None:
    """At one level, for every unit vector in place of the column."""
    symbols = found.field.names[1:]
    for j in range(max(1, len(symbols))):
        point = {name: Rational(int(i == j)) for i, name in enumerate(symbols)}
        for name, row in zip(symbols, rows, strict=False):
            row[column or 0] = point[name]
        if ExactMatrix(rows).det() != found.value({"a": level, **point}):
            raise DefectiveAnswerError(f"two computations of a determinant differ at a = {level}; please report this", function=found)
