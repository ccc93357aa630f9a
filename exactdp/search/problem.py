# SPDX-License-Identifier: MIT
"""A linear program in the user's coordinates, and a guess at its optimal vertex.

The problem is to minimise c·x subject to rows a·x ≥ b or a·x = b; a variable is ≥ 0 unless it is free. Row i has a
*logical* variable s_i = a_i·x − b_i, which is ≥ 0 on an inequality and 0 on an equation. A basis says which variables and
which logicals are basic; all others are zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal

from exactdp.errors import InputError, MixedDomainError
from exactdp.exact import QQ, OrderedField, Rational, Scalar

__all__ = ["Basis", "LinearProgram", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """One constraint: coefficients · x ≥ rhs, or = rhs.

    Parameters
    ----------
    coefficients : mapping from the index of a variable to a scalar
        Zeros may be left out.
    sense : ">=" or "=="
        The relation.
    rhs : scalar
        The right-hand side.

    Examples
    --------
    >>> str(Row({0: QQ(1), 2: QQ("-1/2")}, ">=", QQ(0)))
    '1·x0 + -1/2·x2 >= 0'
    """

    coefficients: Mapping[int, Any]
    sense: Literal[">=", "=="]
    rhs: Any

    def __post_init__(self) -> None:
        if self.sense not in {">=", "=="}:
            raise InputError(f"a row's sense is '>=' or '==', not {self.sense!r}; multiply a '<=' row by −1", sense=self.sense)

    def __str__(self) -> str:
        left = " + ".join(f"{a}·x{j}" for j, a in self.coefficients.items()) or "0"
        return f"{left} {self.sense} {self.rhs}"


@dataclass(frozen=True, slots=True, init=False)
class LinearProgram:
    """Minimise objective · x subject to rows; variables are ≥ 0 except the free ones.

    Parameters
    ----------
    n_variables : int
        Number of variables, ≥ 0.
    objective : mapping from the index of a variable to a scalar
        The costs; zeros may be left out.
    rows : sequence of Row
        The constraints.
    free : frozenset of int
        Indices of the variables without a sign.

    Raises
    ------
    InputError
        An index is outside 0..n_variables−1; carries it.
    MixedDomainError
        Numbers of two fields met (ℚ embeds in every field).

    Examples
    --------
    >>> lp = LinearProgram(1, {0: QQ(1)}, [Row({0: QQ(2)}, ">=", QQ(1))])
    >>> lp.n_variables, lp.field
    (1, QQ)
    """

    n_variables: int
    objective: Mapping[int, Any]
    rows: tuple[Row, ...]
    free: frozenset[int]
    field: OrderedField

    def __init__(
        self, n_variables: int, objective: Mapping[int, Any], rows: Sequence[Row], free: frozenset[int] | set[int] = frozenset()
    ) -> None:
        field = _common_field(chain(objective.values(), *(row.coefficients.values() for row in rows), (row.rhs for row in rows)))
        named: set[int] = set().union(objective, *(row.coefficients for row in rows))
        if named and not 0 <= min(named) <= max(named) < n_variables:
            raise _unknown_variable(n_variables, objective, rows)
        clean = tuple(Row(_clean(row.coefficients, field), row.sense, field(row.rhs)) for row in rows)
        outside = [j for j in free if not 0 <= j < n_variables]
        if outside:
            raise InputError(f"free variable {outside[0]} is not one of 0..{n_variables - 1}", index=outside[0])
        object.__setattr__(self, "n_variables", n_variables)
        object.__setattr__(self, "objective", _clean(objective, field))
        object.__setattr__(self, "rows", clean)
        object.__setattr__(self, "free", frozenset(free))
        object.__setattr__(self, "field", field)

    def __reduce__(self) -> tuple[Any, ...]:
        rows = [Row(dict(row.coefficients), row.sense, row.rhs) for row in self.rows]
        return (_rebuild, (self.n_variables, dict(self.objective), rows, self.free))


def _rebuild(n_variables: int, objective: dict[int, Any], rows: list[Row], free: frozenset[int]) -> LinearProgram:
    return LinearProgram(n_variables, objective, rows, free)


@dataclass(frozen=True, slots=True)
class Basis:
    """Which variables (columns) and which logicals (rows) are basic; a proposal, so it may be nonsense.

    Examples
    --------
    >>> Basis.of_logicals(2, 1)
    Basis(columns=(False, False), rows=(True,))
    """

    columns: tuple[bool, ...]
    rows: tuple[bool, ...]

    @classmethod
    def of_logicals(cls, n_variables: int, n_rows: int) -> Basis:
        """The basis in which every variable is zero."""
        return cls((False,) * n_variables, (True,) * n_rows)

    def fits(self, lp: LinearProgram) -> bool:
        """Whether the sizes are those of the linear program."""
        return len(self.columns) == lp.n_variables and len(self.rows) == len(lp.rows)


def _common_field(values: Iterable[Any]) -> OrderedField:
    field: OrderedField = QQ
    for value in values:
        if type(value) is Rational:
            continue
        if isinstance(value, Scalar) and value.field is not field and value.field not in {field, QQ}:
            if field != QQ:
                raise MixedDomainError(f"a linear program mixes the fields {field} and {value.field}", fields=(field, value.field))
            field = value.field
    return field


def _unknown_variable(n_variables: int, objective: Mapping[int, Any], rows: Sequence[Row]) -> InputError:
    places = chain([("the objective", objective)], ((f"row {i}", row.coefficients) for i, row in enumerate(rows)))
    where, j = next((where, j) for where, values in places for j in values if not 0 <= j < n_variables)
    return InputError(f"{where} names variable {j}, which is not one of 0..{n_variables - 1}", index=j)


def _clean(values: Mapping[int, Any], field: OrderedField) -> Mapping[int, Any]:
    return MappingProxyType({j: scalar for j, value in values.items() if (scalar := field(value))})
