# SPDX-License-Identifier: MIT
"""Linear programs over mixtures of a privacy type's vertices, {w ≥ 0 : Σ_v w_v v = 1} (untrusted).

The least loss of a consumer after the best remap is linear in w (docs/mathematics.md §5), so the best
mechanism for a prior, and one mechanism for several priors at once, are linear programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.lp.limits import Limit, Listener
from exactdp.lp.problem import Infeasible, LinearProgram, Optimal, Row
from exactdp.lp.solve import solve

Vectors = Sequence[Sequence[Any]]


def best_mixture(
    rays: Vectors, costs: Sequence[Any], *, progress: Listener | None = None, limit: Limit | None = None
) -> tuple[tuple[Any, ...], tuple[Any, ...], Any]:
    """The least Σ w_v cost_v: w, potentials y with Σ_x y_x v_x ≤ cost_v for every v, and the value Σ y."""
    answer = solve(LinearProgram(len(rays), dict(enumerate(costs)), _uniform_rows(rays)), progress=progress, limit=limit)
    assert isinstance(answer, Optimal)
    return answer.x, answer.y, answer.value


def common_mixture(
    rays: Vectors, costs: Sequence[Sequence[Any]], optima: Sequence[Any], *, limit: Limit | None = None
) -> tuple[tuple[Any, ...] | None, tuple[Any, ...], tuple[Any, ...]]:
    """Some w with Σ w_v cost_kv ≤ optimum_k for all k; or None, and y and z ≥ 0 that show there is none.

    Then Σ_x y_x v_x ≤ Σ_k z_k cost_kv for every v, and Σ y > Σ_k z_k optimum_k.
    """
    rows = _uniform_rows(rays)
    n = len(rows)
    rows += [Row({k: -c for k, c in enumerate(cost)}, ">=", -value) for cost, value in zip(costs, optima, strict=True)]
    answer = solve(LinearProgram(len(rays), {}, rows), limit=limit)
    if isinstance(answer, Infeasible):
        return None, answer.farkas[:n], answer.farkas[n:]
    assert isinstance(answer, Optimal)
    return answer.x, (), ()


def _uniform_rows(rays: Vectors) -> list[Row]:
    one = rays[0][0].field.one
    return [Row({k: ray[x] for k, ray in enumerate(rays)}, "==", one) for x in range(len(rays[0]))]
