# SPDX-License-Identifier: MIT
"""Find a consumer's best remap of a mechanism, and weights that should prove it (untrusted).

A Bayesian consumer minimises output by output. A minimax consumer's problem is solved on its dual side,
maximise Σ_y ν_y subject to ν_y ≤ Σ_i w_i l(i,r) M_iy, w ≥ 0 on S, Σ w = 1, whose rows (y, r) are generated on demand; the
multipliers of the rows are the remap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactdp.errors import UndecidedSignError
from exactdp.exact import ExactMatrix, common_field, least_index
from exactdp.model import BayesianConsumer, Consumer, Mechanism, MinimaxConsumer, Remap
from exactdp.search.face import explore_face
from exactdp.search.lp import LinearProgram, Optimal, Row, solve

__all__ = ["propose_remap", "propose_second_remap", "remap_program"]


def propose_remap(
    mechanism: Mechanism, consumer: Consumer, *, progress: Callable[[Any], None] | None = None
) -> tuple[Remap, tuple[Any, ...]]:
    """A remap and weights w whose loss and bound should agree; the caller checks that they do."""
    if isinstance(consumer, BayesianConsumer):
        return _bayesian(mechanism, consumer), consumer.prior.weights
    return _minimax(mechanism, consumer, progress)


def _bayesian(mechanism: Mechanism, consumer: BayesianConsumer) -> Remap:
    loss = consumer.loss.matrix
    joint = ExactMatrix([[p * x for x in mechanism.matrix.row(i)] for i, p in enumerate(consumer.prior.weights)], loss.field)
    costs = joint.T @ loss
    best = [least_index(row) for row in costs.rows()]
    rows = ExactMatrix.build(len(best), loss.shape[1], lambda y, r: int(best[y] == r), loss.field)
    return Remap(rows, mechanism.outputs, consumer.loss.guesses)


def _minimax(mechanism: Mechanism, consumer: MinimaxConsumer, progress: Callable[[Any], None] | None) -> tuple[Remap, tuple[Any, ...]]:
    loss, field = consumer.loss.matrix, common_field(consumer.loss, mechanism)
    known = consumer.side_information.indices
    outputs, guesses = mechanism.n_outputs, loss.shape[1]
    # variables: w_i for i in S, then nu_y (free)
    columns = [[mechanism[i, y] for i in known] for y in range(outputs)]
    losses = [loss.row(i) for i in known]
    active = _first_guesses(columns, losses, guesses)
    while True:
        rows = [_row(columns[y], losses, r, len(known) + y, field) for y, r in active]
        rows.append(Row(dict.fromkeys(range(len(known)), field.one), "==", field.one))
        objective = {len(known) + y: -field.one for y in range(outputs)}
        lp = LinearProgram(len(known) + outputs, objective, rows, frozenset(range(len(known), len(known) + outputs)))
        answer = solve(lp, progress=progress)
        assert isinstance(answer, Optimal)
        violated = _violated(answer.x, columns, losses, len(known), guesses)
        if not violated:
            return _assemble(mechanism, consumer, active, answer, field)
        fresh = set(violated) - set(active)
        assert fresh, "a violated row was already there"
        active = [*active, *sorted(fresh)]


def _first_guesses(columns: list[list[Any]], losses: list[tuple[Any, ...]], guesses: int) -> list[tuple[int, int]]:
    """To start with: for each output the guesses that a uniform and that each one-sided view of S would choose, and their neighbours."""
    chosen: set[tuple[int, int]] = set()
    for y, column in enumerate(columns):
        costs = [sum((m * l[r] for m, l in zip(column, losses, strict=True)), column[0] - column[0]) for r in range(guesses)]
        best = _about_least(costs)
        chosen.update((y, r) for r in (best - 1, best, best + 1) if 0 <= r < guesses)
    return sorted(chosen)


def _about_least(costs: list[Any]) -> int:
    """A place to start from; any will do when the least depends on the letter of a symbolic level."""
    try:
        return least_index(costs)
    except UndecidedSignError:
        return min(range(len(costs)), key=lambda r: float(costs[r]))


def _row(column: list[Any], losses: list[tuple[Any, ...]], r: int, nu: int, field: Any) -> Row:
    """Σ_i w_i l(i,r) M_iy − ν_y ≥ 0."""
    terms = {i: m * l[r] for i, (m, l) in enumerate(zip(column, losses, strict=True))}
    return Row({i: c for i, c in terms.items() if c} | {nu: -field.one}, ">=", field.zero)


def _violated(
    x: tuple[Any, ...], columns: list[list[Any]], losses: list[tuple[Any, ...]], known: int, guesses: int
) -> list[tuple[int, int]]:
    """For every output the guess that breaks its row most, if one does."""
    found = []
    weights = x[:known]
    for y, column in enumerate(columns):
        weighted = [w * m for w, m in zip(weights, column, strict=True)]
        costs = [sum((c * l[r] for c, l in zip(weighted, losses, strict=True) if c), x[0] - x[0]) for r in range(guesses)]
        best = least_index(costs)
        if costs[best] < x[known + y]:
            found.append((y, best))
    return found


def _assemble(
    mechanism: Mechanism, consumer: MinimaxConsumer, active: list[tuple[int, int]], answer: Optimal, field: Any
) -> tuple[Remap, tuple[Any, ...]]:
    weights = [field.zero] * mechanism.n_inputs
    for i, w in zip(consumer.side_information.indices, answer.x, strict=False):
        weights[i] = w
    table = [[field.zero] * consumer.loss.matrix.shape[1] for _ in range(mechanism.n_outputs)]
    for (y, r), t in zip(active, answer.y, strict=False):
        table[y][r] = t
    return Remap(ExactMatrix(table, field), mechanism.outputs, consumer.loss.guesses), tuple(weights)


def propose_second_remap(
    mechanism: Mechanism, consumer: Consumer, first: Remap, value: Any, *, progress: Callable[[Any], None] | None = None
) -> tuple[Remap | None, tuple[Any, ...]]:
    """A second best remap (or None), and weights that are positive wherever every best remap is tight."""
    lp, known = remap_program(mechanism, consumer)
    x = tuple(entry for row in first.matrix.rows() for entry in row)
    if known:
        x = (*x, value)
    found = solve(lp, progress=progress)
    assert isinstance(found, Optimal)
    other, y = explore_face(lp, Optimal(x, found.y, value), progress=progress)
    m, k = first.matrix.shape
    weights = list(consumer.prior.weights) if isinstance(consumer, BayesianConsumer) else [value - value] * mechanism.n_inputs
    for i, w in zip(known, y[m:], strict=True):
        weights[i] = w
    second = None
    if other is not None:
        rows = ExactMatrix([other[v * k : (v + 1) * k] for v in range(m)], consumer.loss.field)
        second = Remap(rows, first.outputs, first.guesses)
    return second, tuple(weights)


def remap_program(mechanism: Mechanism, consumer: Consumer) -> tuple[LinearProgram, tuple[int, ...]]:
    """The LP of [gs2010, 2.4.3] in full, and the inputs whose loss rows it has (none for a Bayesian consumer).

    Variables T_yr at y·k + r, and for a minimax consumer d at the end; rows Σ_r T_yr = 1 for each output, then d ≥ loss_i for i ∈ S.
    """
    loss, field = consumer.loss.matrix, consumer.loss.field
    m, k = mechanism.n_outputs, loss.shape[1]
    rows = [Row({y * k + r: field.one for r in range(k)}, "==", field.one) for y in range(m)]
    if isinstance(consumer, BayesianConsumer):
        joint = ExactMatrix([[p * x for x in mechanism.matrix.row(i)] for i, p in enumerate(consumer.prior.weights)], field)
        costs = joint.T @ loss
        objective = {y * k + r: costs[y, r] for y in range(m) for r in range(k) if costs[y, r]}
        return LinearProgram(m * k, objective, rows, frozenset()), ()
    known = consumer.side_information.indices
    for i in known:
        terms = {y * k + r: -mechanism[i, y] * loss[i, r] for y in range(m) for r in range(k)}
        rows.append(Row({v: c for v, c in terms.items() if c} | {m * k: field.one}, ">=", field.zero))
    return LinearProgram(m * k + 1, {m * k: field.one}, rows, frozenset({m * k})), tuple(known)
