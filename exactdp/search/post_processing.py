# SPDX-License-Identifier: MIT
"""Find R with B = A·R, or a separator that shows there is none (untrusted; the caller checks either)."""

from __future__ import annotations

from exactdp.exact import ExactMatrix
from exactdp.model import Mechanism, Remap
from exactdp.search.lp import Infeasible, LinearProgram, Optimal, Row, solve

__all__ = ["propose_post_processing"]


def propose_post_processing(source: Mechanism, target: Mechanism) -> Remap | ExactMatrix:
    """A row-stochastic R, or the separator W (inputs × outputs of the target)."""
    if source.n_inputs == source.n_outputs and target.n_outputs > 1:
        try:
            return _invertible(source, target)
        except ZeroDivisionError:
            pass
    return _by_lp(source, target)


def _invertible(source: Mechanism, target: Mechanism) -> Remap | ExactMatrix:
    """A is invertible: R = A^(-1) B is the only candidate, and a negative entry gives the separator at once."""
    only = source.matrix.solve(target.matrix)
    negative = next(((y, r) for y, row in enumerate(only.rows()) for r, x in enumerate(row) if x < 0), None)
    if negative is None:
        return Remap(only, source.outputs, target.outputs)
    y, r = negative
    inverse_row = source.matrix.T.solve(ExactMatrix.build(source.n_outputs, 1, lambda i, _: int(i == y), source.field)).column(0)
    return ExactMatrix.build(source.n_inputs, target.n_outputs, lambda x, q: -inverse_row[x] if q == r else 0, source.field)


def _by_lp(source: Mechanism, target: Mechanism) -> Remap | ExactMatrix:
    """Feasibility of A·R = B, R·1 = 1, R ≥ 0; the Farkas vector of the first equations is the separator."""
    m, k = source.n_outputs, target.n_outputs
    one = source.field.one
    rows: list[Row] = []
    for x in range(source.n_inputs):
        a = source.matrix.row(x)
        rows.extend(Row({y * k + r: a[y] for y in range(m) if a[y]}, "==", target[x, r]) for r in range(k))
    rows.extend(Row({y * k + r: one for r in range(k)}, "==", one) for y in range(m))
    answer = solve(LinearProgram(m * k, {}, rows, frozenset()))
    if isinstance(answer, Infeasible):
        return ExactMatrix([answer.farkas[x * k : (x + 1) * k] for x in range(source.n_inputs)], source.field)
    assert isinstance(answer, Optimal)
    return Remap(ExactMatrix([answer.x[y * k : (y + 1) * k] for y in range(m)], source.field), source.outputs, target.outputs)
