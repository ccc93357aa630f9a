# SPDX-License-Identifier: MIT
"""The multipliers that solvers return with a solution, in the order of their constraints.

For a minimisation SciPy and HiGHS return how the optimum changes with the right side of a constraint: ≤ 0
for "≤". CVXPY returns what multiplies left − right in the Lagrangian: ≥ 0 for "≤" and "≥", and for an
equation the negative of the other two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from numbers import Real
from typing import Any, Protocol

from exactdp.errors import InexactInputError, InputError, ShapeError, brief_value, wrong_kind
from exactdp.exact import Rational, from_float

EQUATION = "potential"
"""The kind of constraint that is an equation."""


class LinprogResult(Protocol):
    """What SciPy's ``linprog`` returns."""

    @property
    def ineqlin(self) -> Any:
        """Its ``marginals`` are those of the rows of ``A_ub``."""

    @property
    def eqlin(self) -> Any:
        """Its ``marginals`` are those of the rows of ``A_eq``."""


class HighsSolution(Protocol):
    """What HiGHS's ``getSolution`` returns."""

    @property
    def row_dual(self) -> Any:
        """The marginals of all rows."""


class Constraint(Protocol):
    """A constraint of CVXPY."""

    @property
    def dual_value(self) -> Any:
        """Its multipliers, once the problem is solved."""


Multipliers = LinprogResult | HighsSolution | Sequence[Constraint] | Sequence[object]
"""What a solver returns with a solution, or its multipliers alone."""


def solver_multipliers(given: Multipliers, kinds: Sequence[str]) -> list[Rational]:
    """The multipliers of all constraints, in their order; those of equations as SciPy gives them.

    Parameters
    ----------
    given : result of SciPy, solution of HiGHS, constraints of CVXPY, or numbers
        As :func:`exactdp.read_dual` takes them.
    kinds : sequence of str
        Of each constraint; ``potential`` is an equation.

    Raises
    ------
    InputError
        It is none of these; it has no multipliers, or not one for each constraint; one is not finite.

    Examples
    --------
    >>> solver_multipliers([0.5, -0.25], ["weight", "potential"])
    [Rational('1/2'), Rational('-1/4')]
    >>> solver_multipliers([float("nan"), 1], ["weight", "potential"])
    Traceback (most recent call last):
    ...
    exactdp.errors.InexactInputError: multiplier 1, of a weight, is nan; a solver that has solved ...
    """
    if hasattr(given, "ineqlin") and hasattr(given, "eqlin"):
        rows = [kind for kind in kinds if kind != EQUATION]
        above = iter(_numbers(getattr(given.ineqlin, "marginals", None), rows, "ineqlin.marginals"))
        equal = iter(_numbers(getattr(given.eqlin, "marginals", None), [EQUATION] * (len(kinds) - len(rows)), "eqlin.marginals"))
        return [next(equal if kind == EQUATION else above) for kind in kinds]
    if hasattr(given, "row_dual"):
        if not getattr(given, "dual_valid", True):
            raise InputError("the solution of HiGHS says that its duals are not valid; solve the problem as a linear program", value=given)
        return _numbers(given.row_dual, kinds, "row_dual")
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise wrong_kind(
            "dual", given, "a CSV, a result of scipy.optimize.linprog, a solution of HiGHS, or a list of constraints of CVXPY or of numbers"
        )
    listed = list(given)
    if not any(hasattr(x, "dual_value") for x in listed):
        return _numbers(listed, kinds, "the list of multipliers")
    flat, equations = list[object](), list[bool]()
    for k, constraint in enumerate(listed, 1):
        values = getattr(constraint, "dual_value", None)
        if values is None:
            raise InputError(f"constraint {k} of CVXPY has no dual_value; solve the problem first", value=brief_value(constraint))
        row = _flat(values)
        flat += row
        equations += [type(constraint).__name__ in {"Equality", "Zero"}] * len(row)
    found = _numbers(flat, kinds, "the dual_value of the constraints")
    for k, (kind, equation) in enumerate(zip(kinds, equations, strict=True), 1):
        if equation != (kind == EQUATION):
            raise InputError(
                f"constraint {k} of CVXPY is {'an equation' if equation else 'an inequality'}, where the template has a {kind}; give the "
                "constraints in the order of its lines",
                kind=kind,
            )
    return [-x if equation else x for x, equation in zip(found, equations, strict=True)]


def _flat(values: Any) -> list[object]:
    """The entries of an array, row after row, or one number."""
    if hasattr(values, "ravel"):
        return list(values.ravel().tolist())
    return [y for x in values for y in _flat(x)] if isinstance(values, (list, tuple)) else [values]


def _numbers(values: Any, kinds: Sequence[str], what: str) -> list[Rational]:
    """One exact number for each constraint; a float is taken as that double."""
    if values is None:
        raise InputError(f"there are no {what}; solve the problem with a method that returns them, such as method='highs'", value=values)
    flat = _flat(values if hasattr(values, "ravel") else list(values))
    if len(flat) != len(kinds):
        parts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        raise ShapeError(
            f"{what}: {len(flat)} for {len(kinds)} constraints ({parts}; see --dual-template)", expected=len(kinds), got=len(flat)
        )
    return [_exact(x, k, kind) for k, (x, kind) in enumerate(zip(flat, kinds, strict=True), 1)]


def _exact(x: object, number: int, kind: str) -> Rational:
    x = x.item() if hasattr(x, "item") else x
    if isinstance(x, float) or (isinstance(x, Real) and not hasattr(x, "denominator")):
        if not isfinite(float(x)):
            raise InexactInputError(
                f"multiplier {number}, of a {kind}, is {x}; a solver that has solved the problem returns finite numbers", value=x
            )
        return from_float(float(x))
    return Rational(x)
