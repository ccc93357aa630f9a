# SPDX-License-Identifier: MIT
"""What a linear program can be answered with, and the exact check of an answer.

Notation: minimise c·x subject to Ax ≥ b (some rows with =), x ≥ 0 except for the free variables. y has one entry a row,
y ≥ 0 on the inequalities, and then c·x ≥ b·y for every feasible x and every y with c − Aᵀy ≥ 0 (= 0 on the free variables).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactdp.errors import DefectiveAnswerError
from exactdp.exact import combine, residuals
from exactdp.search.problem import Basis, LinearProgram

__all__ = ["Answer", "Infeasible", "Optimal", "Unbounded", "verify"]


@dataclass(frozen=True, slots=True)
class Optimal:
    """An optimal x, with multipliers y that prove it: c − Aᵀy ≥ 0 (= 0 on free variables) and b·y = c·x = value.

    The basis that it came from, if it is known, is a hint for related problems and no part of the answer.
    """

    x: tuple[Any, ...]
    y: tuple[Any, ...]
    value: Any
    basis: Basis | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Infeasible:
    """No x exists: Aᵀy ≤ 0 (= 0 on free variables), y ≥ 0 on inequalities, and b·y > 0, for y = farkas."""

    farkas: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Unbounded:
    """A feasible point, and a direction that stays feasible and in which the objective falls for ever."""

    point: tuple[Any, ...]
    ray: tuple[Any, ...]


Answer = Optimal | Infeasible | Unbounded


def verify(lp: LinearProgram, answer: Answer) -> None:
    """Check an answer exactly, from the definition alone.

    Raises
    ------
    DefectiveAnswerError
        A condition fails; carries its name (``condition``), the ``index`` of the row or variable, and ``value``.

    Examples
    --------
    >>> from exactdp.exact import QQ
    >>> from exactdp.search.problem import Row
    >>> lp = LinearProgram(1, {0: QQ(1)}, [Row({0: QQ(2)}, ">=", QQ(1))])
    >>> verify(lp, Optimal((QQ("1/2"),), (QQ("1/2"),), QQ("1/2")))
    >>> verify(lp, Optimal((QQ(1),), (QQ("1/2"),), QQ("1/2")))
    Traceback (most recent call last):
    ...
    exactdp.errors.DefectiveAnswerError: ... the objective at x is 1, not the value 1/2. ...
    """
    if isinstance(answer, Optimal):
        _check_point(lp, answer.x, "x")
        _check_multipliers(lp, answer.y, "y", lp.objective)
        found = _dot(lp, lp.objective, answer.x)
        if found != answer.value:
            raise _defect(f"the objective at x is {found}, not the value {answer.value}", "value", None, found)
        bound = _bound(lp, answer.y)
        if bound != answer.value:
            raise _defect(f"b·y is {bound}, not the value {answer.value}", "dual value", None, bound)
    elif isinstance(answer, Infeasible):
        _check_multipliers(lp, answer.farkas, "the Farkas vector", {})
        bound = _bound(lp, answer.farkas)
        if not bound > 0:
            raise _defect(f"b·y is {bound} for the Farkas vector, not positive", "Farkas value", None, bound)
    elif isinstance(answer, Unbounded):
        _check_point(lp, answer.point, "the point")
        _check_point(lp, answer.ray, "the ray", homogeneous=True)
        slope = _dot(lp, lp.objective, answer.ray)
        if not slope < 0:
            raise _defect(f"the objective changes by {slope} along the ray, it does not fall", "slope", None, slope)
    else:
        raise _defect(f"{answer!r} is not an answer", "type", None, answer)


def _check_point(lp: LinearProgram, x: Sequence[Any], name: str, *, homogeneous: bool = False) -> None:
    _check_length(x, lp.n_variables, name, "variables")
    for j, value in enumerate(x):
        if j not in lp.free and value < 0:
            raise _defect(f"variable {j} of {name} is {value}, which is negative", "sign", j, value)
    zero = lp.field.zero
    rows = [(row.coefficients, zero if homogeneous else row.rhs) for row in lp.rows]
    for i, (row, excess) in enumerate(zip(lp.rows, residuals(lp.field, rows, {j: v for j, v in enumerate(x) if v}), strict=True)):
        if excess < 0 or (row.sense == "==" and excess):
            left = _dot(lp, row.coefficients, x)
            raise _defect(f"row {i} at {name}: {left} {row.sense} {rows[i][1]} fails", "row", i, left)


def _check_multipliers(lp: LinearProgram, y: Sequence[Any], name: str, cost: Mapping[int, Any]) -> None:
    _check_length(y, len(lp.rows), name, "rows")
    terms = []
    for i, (row, weight) in enumerate(zip(lp.rows, y, strict=True)):
        if row.sense == ">=" and weight < 0:
            raise _defect(f"entry {i} of {name} is {weight}, negative on an inequality", "multiplier", i, weight)
        if weight:
            terms.append((weight, row.coefficients))
    zero = lp.field.zero
    reduced = {j: cost.get(j, zero) - value for j, value in combine(lp.field, terms).items()}
    reduced.update({j: c for j, c in cost.items() if j not in reduced})
    for j, value in reduced.items():
        if value < 0 or (j in lp.free and value):
            raise _defect(f"{name} leaves variable {j} with the reduced cost {value}", "reduced cost", j, value)


def _check_length(values: Sequence[Any], expected: int, name: str, what: str) -> None:
    if len(values) != expected:
        raise _defect(f"{name} has {len(values)} entries for {expected} {what}", "length", None, len(values))


def _dot(lp: LinearProgram, coefficients: Mapping[int, Any], x: Sequence[Any]) -> Any:
    return sum((a * x[j] for j, a in coefficients.items() if x[j]), lp.field.zero)


def _bound(lp: LinearProgram, y: Sequence[Any]) -> Any:
    return sum((row.rhs * weight for row, weight in zip(lp.rows, y, strict=True) if weight), lp.field.zero)


def _defect(message: str, condition: str, index: int | None, value: object) -> DefectiveAnswerError:
    return DefectiveAnswerError(
        f"an answer of the linear programming search fails its check: {message}. This is a defect of exactdp, please report it",
        condition=condition,
        index=index,
        value=value,
    )
