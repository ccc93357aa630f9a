# SPDX-License-Identifier: MIT
"""Has a linear program another optimal point, or do multipliers show that there is none? (untrusted)

A known optimum that is not a vertex has a direction in which everything tight stays tight; going along it
gives a second one. At a vertex, maximise the sum of the slacks of all constraints that are tight there, over
all optimal points. If some slack can grow, the maximiser is a second optimum. If not, the dual of that
problem gives multipliers that are positive on every one of those constraints, so that all of them are tight
at every optimum.
"""

from __future__ import annotations

from typing import Any

from exactdp.lp.limits import Listener
from exactdp.lp.problem import LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.lp.sparse import SparseLU


def another_optimum(
    lp: LinearProgram, known: Optimal, *, progress: Listener | None = None
) -> tuple[tuple[Any, ...] | None, tuple[Any, ...]]:
    """Another optimal point or None, and multipliers y of the rows.

    If there is none, y is positive on all constraints that are tight at every optimal point.
    """
    zero, one = lp.field.zero, lp.field.one
    slack = [sum((c * known.x[v] for v, c in row.coefficients.items()), zero) - row.rhs for row in lp.rows]
    tight_rows = [k for k, row in enumerate(lp.rows) if row.sense == ">=" and not slack[k]]
    tight_variables = [v for v in range(lp.n_variables) if v not in lp.free and not known.x[v]]
    shift = _direction(lp, known, tight_rows, set(tight_variables))
    if shift:
        return _moved(lp, known, slack, shift), known.y
    gain: dict[int, Any] = dict.fromkeys(tight_variables, one)
    for k in tight_rows:
        for v, c in lp.rows[k].coefficients.items():
            gain[v] = gain.get(v, zero) + c
    constant = sum((lp.rows[k].rhs for k in tight_rows), zero)
    no_worse = Row({v: -c for v, c in lp.objective.items() if c}, ">=", -known.value)
    growth = LinearProgram(lp.n_variables, {v: -g for v, g in gain.items() if g}, (*lp.rows, no_worse), lp.free)
    answer = solve(growth, progress=progress)
    if not isinstance(answer, Optimal):
        raise ValueError("the optimal face is unbounded")
    if -answer.value > constant:
        return answer.x, known.y
    # The slacks cannot grow: t·c = Σ_tight a_k + Σ y'_k a_k + (reduced costs), where t is of the last row. So
    # (y' + 1 on tight rows)/t is dual feasible; if t = 0, y' + 1 on tight rows can be added to a dual.
    t = answer.y[-1]
    lift = set(tight_rows)
    strict = [y + (one if k in lift else zero) for k, y in enumerate(answer.y[:-1])]
    if t:
        return None, tuple(y / t for y in strict)
    return None, tuple(y + z for y, z in zip(known.y, strict, strict=True))


def _direction(lp: LinearProgram, known: Optimal, tight_rows: list[int], still: set[int]) -> dict[int, Any]:
    """A direction in which everything that is tight stays so; empty at a vertex."""
    tight = {k: row.coefficients for k, row in enumerate(lp.rows) if row.sense == "=="} | {k: lp.rows[k].coefficients for k in tight_rows}
    moving = {v for v in range(lp.n_variables) if v not in still}
    factors = SparseLU(lp.field, tight, moving)
    loose = min(moving - factors.columns, default=None)
    if loose is None:
        return {}
    return factors.kernel(loose)


def _moved(lp: LinearProgram, known: Optimal, slack: list[Any], direction: dict[int, Any]) -> tuple[Any, ...]:
    """The optimal point as far along a direction as the constraints allow (1 if they allow everything)."""
    falls = [(known.x[v], d) for v, d in direction.items() if v not in lp.free and d < 0]
    for room, row in zip(slack, lp.rows, strict=True):
        change = sum((c * direction[v] for v, c in row.coefficients.items() if v in direction), lp.field.zero)
        if row.sense == ">=" and change < 0:
            falls.append((room, change))
    step = min((room / -change for room, change in falls), default=lp.field.one)
    return tuple(x + step * direction[v] if v in direction else x for v, x in enumerate(known.x))
