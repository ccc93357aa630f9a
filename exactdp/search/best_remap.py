# SPDX-License-Identifier: MIT
"""Find a consumer's best remap of a mechanism, and weights that should prove it (untrusted).

A Bayesian consumer minimises output by output. A minimax consumer's problem is solved on its dual side,
maximise Σ_y ν_y subject to ν_y ≤ Σ_i w_i l(i,r) M_iy, w ≥ 0 on S, Σ w = 1, whose rows (y, r) are generated on
demand; the multipliers of the rows are the remap. The weights of a row of doubles that was divided by its sum
s are searched for in units of s, so that one power of two remains as the denominator of all coefficients.
"""

from __future__ import annotations

from math import lcm
from typing import Any

from exactdp.errors import ResourceLimitError, UndecidedSignError
from exactdp.exact import ExactMatrix, Rational, common_field, is_nonzero, least_index
from exactdp.lp.highs import propose_unscaled
from exactdp.lp.parametric import another_optimum
from exactdp.lp.problem import LinearProgram, Optimal, Row, require_program
from exactdp.lp.solve import solve
from exactdp.model import BayesianConsumer, Consumer, Mechanism, MinimaxConsumer, Remap
from exactdp.model.consumer import guess_costs
from exactdp.runtime.progress import Listener, part_of


def propose_remap(
    mechanism: Mechanism, consumer: Consumer, *, plain: bool = False, progress: Listener | None = None
) -> tuple[Remap, tuple[Any, ...]]:
    """A remap and weights w whose loss and bound should agree; the caller checks that they do.

    With ``plain`` the linear program of all entries is solved by exact pivots.

    A :class:`~exactdp.errors.ResourceLimitError` of the listener carries ``best``: a remap and weights,
    certain bounds all the same.
    """
    if plain:
        return _by_program(mechanism, consumer, progress)
    if isinstance(consumer, BayesianConsumer):
        return _best_response(mechanism, consumer, consumer.prior.weights), consumer.prior.weights
    return _minimax(mechanism, consumer, progress)


def _by_program(mechanism: Mechanism, consumer: Consumer, progress: Listener | None) -> tuple[Remap, tuple[Any, ...]]:
    """The optimum of the linear program of all entries of the remap, by exact pivots."""
    lp, known = remap_program(mechanism, consumer)
    answer = solve(lp, proposer=None, progress=progress)
    assert isinstance(answer, Optimal)
    m, k = mechanism.n_outputs, consumer.loss.matrix.shape[1]
    rows = ExactMatrix([answer.x[y * k : (y + 1) * k] for y in range(m)], lp.field)
    weights = list(consumer.prior.weights) if isinstance(consumer, BayesianConsumer) else [lp.field.zero] * mechanism.n_inputs
    for i, w in zip(known, answer.y[m:], strict=True):
        weights[i] = w
    return Remap(rows, mechanism.outputs, consumer.loss.guesses), tuple(weights)


def _best_response(mechanism: Mechanism, consumer: Consumer, weights: tuple[Any, ...]) -> Remap:
    """For every output the first of the guesses that cost least."""
    loss = consumer.loss.matrix
    best = [least_index(row) for row in guess_costs(weights, mechanism.matrix, loss).rows()]
    rows = ExactMatrix.build(len(best), loss.shape[1], lambda y, r: int(best[y] == r), loss.field)
    return Remap(rows, mechanism.outputs, consumer.loss.guesses)


def _minimax(mechanism: Mechanism, consumer: MinimaxConsumer, progress: Listener | None) -> tuple[Remap, tuple[Any, ...]]:
    loss, field = consumer.loss.matrix, common_field(consumer.loss, mechanism)
    known = consumer.side_information.indices
    outputs = mechanism.n_outputs
    # variables: u_i = w_i / unit_i for i in S, then nu_y (free)
    units = [_unit(mechanism.matrix.row(i)) for i in known]
    columns = [[mechanism.matrix[i, y] * unit for i, unit in zip(known, units, strict=True)] for y in range(outputs)]
    losses = ExactMatrix([loss.row(i) for i in known], loss.field)
    active = _first_guesses(columns, losses)
    number = 1
    while True:
        rows = [_row(columns[y], losses, r, len(known) + y, field) for y, r in active]
        rows.append(Row({k: field.one * unit for k, unit in enumerate(units)}, "==", field.one))
        objective = {len(known) + y: -field.one for y in range(outputs)}
        lp = LinearProgram(len(known) + outputs, objective, rows, frozenset(range(len(known), len(known) + outputs)))
        try:
            told = part_of(progress, f"round {number} of {len(active)} rows")
            answer = solve(lp, proposer=propose_unscaled, progress=told)
        except ResourceLimitError as error:
            near: Any = error.facts.get("vertex")
            best = _bounding(mechanism, consumer, None if near is None else [u * unit for u, unit in zip(near.x, units, strict=False)])
            raise ResourceLimitError(error.message, **{**error.facts, "best": best}) from None
        assert isinstance(answer, Optimal)
        violated = _violated(answer.x, columns, losses)
        if not violated:
            return _assemble(mechanism, consumer, active, answer, units)
        fresh = set(violated) - set(active)
        assert fresh, "a violated row was already there"
        active, number = [*active, *sorted(fresh)], number + 1


def _bounding(mechanism: Mechanism, consumer: MinimaxConsumer, near: list[Any] | None) -> tuple[Remap, tuple[Any, ...]]:
    """Weights made of numbers near some (None: the same for all of S), and the best remap for them."""
    field = common_field(consumer.loss, mechanism)
    known = consumer.side_information.indices
    sizes = [x if x > 0 else field.zero for x in near or []]
    if not any(sizes):
        sizes = [field.one] * len(known)
    total = sum(sizes, field.zero)
    weights = [field.zero] * mechanism.n_inputs
    for i, size in zip(known, sizes, strict=True):
        weights[i] = size / total
    return _best_response(mechanism, consumer, tuple(weights)), tuple(weights)


def _unit(row: tuple[Any, ...]) -> Any:
    """Near 1, and unit·row has denominators without odd factors: a row of doubles divided by its sum becomes
    doubles again.

    >>> from exactdp.exact import QQ
    >>> _unit((QQ("1/12"), QQ("11/12")))
    Rational('3/4')
    """
    if not all(isinstance(x, Rational) for x in row):
        return 1
    common = lcm(*(x.denominator for x in row))
    odd = common // (common & -common)
    return Rational(odd) / Rational(2) ** odd.bit_length()


def _first_guesses(columns: list[list[Any]], losses: ExactMatrix) -> list[tuple[int, int]]:
    """To start with: for each output the guess that a uniform view of S would choose, and its neighbours."""
    chosen: set[tuple[int, int]] = set()
    for y, costs in enumerate((ExactMatrix(columns) @ losses).rows()):
        best = _about_least(list(costs))
        chosen.update((y, r) for r in (best - 1, best, best + 1) if 0 <= r < len(costs))
    return sorted(chosen)


def _about_least(costs: list[Any]) -> int:
    """A place to start from; any will do when the least depends on the letter of a symbolic level."""
    try:
        return least_index(costs)
    except UndecidedSignError:
        return min(range(len(costs)), key=lambda r: costs[r].rough_float())


def _row(column: list[Any], losses: ExactMatrix, r: int, nu: int, field: Any) -> Row:
    """Σ_i w_i l(i,r) M_iy − ν_y ≥ 0."""
    terms = {i: m * l for i, (m, l) in enumerate(zip(column, losses.column(r), strict=True))}
    return Row({i: c for i, c in terms.items() if c} | {nu: -field.one}, ">=", field.zero)


def _violated(x: tuple[Any, ...], columns: list[list[Any]], losses: ExactMatrix) -> list[tuple[int, int]]:
    """For every output the guess that breaks its row most, if one does."""
    known = losses.shape[0]
    weighted = ExactMatrix([[u * m for u, m in zip(x[:known], column, strict=True)] for column in columns])
    found = []
    for y, costs in enumerate((weighted @ losses).rows()):
        best = least_index(costs)
        if costs[best] < x[known + y]:
            found.append((y, best))
    return found


def _assemble(
    mechanism: Mechanism, consumer: MinimaxConsumer, active: list[tuple[int, int]], answer: Optimal, units: list[Any]
) -> tuple[Remap, tuple[Any, ...]]:
    field = common_field(consumer.loss, mechanism)
    weights = [field.zero] * mechanism.n_inputs
    for i, u, unit in zip(consumer.side_information.indices, answer.x, units, strict=False):
        weights[i] = u * unit
    table = [[field.zero] * consumer.loss.matrix.shape[1] for _ in range(mechanism.n_outputs)]
    for (y, r), t in zip(active, answer.y, strict=False):
        table[y][r] = t
    return Remap(ExactMatrix(table, field), mechanism.outputs, consumer.loss.guesses), tuple(weights)


def propose_second_remap(
    mechanism: Mechanism, consumer: Consumer, first: Remap, value: Any, *, progress: Listener | None = None
) -> tuple[Remap | None, tuple[Any, ...]]:
    """A second best remap (or None), and weights that are positive wherever every best remap is tight."""
    lp, known = remap_program(mechanism, consumer)
    x = tuple(entry for row in first.matrix.rows() for entry in row)
    if known:
        x = (*x, value)
    found = solve(lp, progress=part_of(progress, "multipliers"))
    assert isinstance(found, Optimal)
    other, y = another_optimum(lp, Optimal(x, found.y, value), progress=part_of(progress, "another remap"))
    m, k = first.matrix.shape
    weights = list(consumer.prior.weights) if isinstance(consumer, BayesianConsumer) else [consumer.loss.field.zero] * mechanism.n_inputs
    for i, w in zip(known, y[m:], strict=True):
        weights[i] = w
    second = None
    if other is not None:
        rows = ExactMatrix([other[v * k : (v + 1) * k] for v in range(m)], consumer.loss.field)
        second = Remap(rows, first.outputs, first.guesses)
    return second, tuple(weights)


def remap_program(mechanism: Mechanism, consumer: Consumer) -> tuple[LinearProgram, tuple[int, ...]]:
    """The LP of [gs2010, 2.4.3], and the inputs whose loss rows it has (none for a Bayesian consumer).

    Variables T_yr at y·k + r, and for a minimax consumer d at the end; rows Σ_r T_yr = 1 for each output,
    then d ≥ loss_i for i ∈ S.
    """
    loss, field = consumer.loss.matrix, consumer.loss.field
    m, k = mechanism.n_outputs, loss.shape[1]
    known = () if isinstance(consumer, BayesianConsumer) else consumer.side_information.indices
    require_program("the linear program of the remap", m * k * (1 + len(known)), m)
    rows = [Row({y * k + r: field.one for r in range(k)}, "==", field.one) for y in range(m)]
    if isinstance(consumer, BayesianConsumer):
        costs = guess_costs(consumer.prior.weights, mechanism.matrix, loss)
        objective = {y * k + r: costs[y, r] for y in range(m) for r in range(k) if is_nonzero(costs[y, r])}
        return LinearProgram(m * k, objective, rows, frozenset()), ()
    for i in known:
        terms = {y * k + r: -mechanism.matrix[i, y] * loss[i, r] for y in range(m) for r in range(k)}
        rows.append(Row({v: c for v, c in terms.items() if is_nonzero(c)} | {m * k: field.one}, ">=", field.zero))
    return LinearProgram(m * k + 1, {m * k: field.one}, rows, frozenset({m * k})), tuple(known)
