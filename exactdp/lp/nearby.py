# SPDX-License-Identifier: MIT
"""A rational linear program near one over ℚ(e^(−ε)) or ℚ(α): its optimal basis is a proposal for the other.

Every symbol is replaced by one rational number: close to its value for an exponential, inside the interval
for a parameter. The rational problem is solved exactly; its optimal basis is a proposal like that of a float
solver, and is checked in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactdp.exact import ExponentialField, Rational, RationalFunctionField
from exactdp.lp.problem import BasicSolution, Basis, LinearProgram, Row

DIGITS = 60
"""Decimals of the number that replaces an exponential: with so many, the optimal bases hardly ever differ."""


def has_nearby_problem(field: Any) -> bool:
    """Whether the field has symbols that a rational number can replace."""
    return isinstance(field, ExponentialField | RationalFunctionField)


def substitution(field: Any, point: Rational | None = None) -> Callable[[Any], Any]:
    """How a scalar of a field becomes rational: at ``point``, or near the values of the field's own symbols.

    >>> a = RationalFunctionField().gen
    >>> substitution(a.field, Rational("1/2"))((1 - a) / (1 + a))
    Rational('1/3')
    """
    if isinstance(field, ExponentialField):
        values = tuple(t.enclosure(DIGITS)[0] for t in field.gens)
    elif isinstance(field, RationalFunctionField):
        values = (field.interval.sample() if point is None else point,)
    else:
        return lambda x: x
    known: dict[Any, Any] = {}

    def rational(x: Any) -> Any:
        if isinstance(x, Rational):
            return x
        if x not in known:
            known[x] = x.substitute(*values)
        return known[x]

    return rational


def nearby_problem(lp: LinearProgram, point: Rational | None = None) -> LinearProgram:
    """The linear program with a rational number in place of each symbol."""
    rational = substitution(lp.field, point)
    rows = [Row({j: rational(v) for j, v in row.coefficients.items()}, row.sense, rational(row.rhs)) for row in lp.rows]
    return LinearProgram(lp.n_variables, {j: rational(v) for j, v in lp.objective.items()}, rows, lp.free)


def nearby_proposer(solve: Callable[[LinearProgram], Any]) -> Callable[[LinearProgram, BasicSolution | None], Basis | None]:
    """A proposer with one proposal: the optimal basis of the nearby problem, as ``solve`` finds it."""

    def propose(lp: LinearProgram, vertex: BasicSolution | None) -> Basis | None:
        if vertex is not None:
            return None
        basis = getattr(solve(nearby_problem(lp)), "basis", None)
        return basis if isinstance(basis, Basis) else None

    return propose
