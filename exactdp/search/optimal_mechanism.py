# SPDX-License-Identifier: MIT
"""Find an optimal private mechanism and its dual on any graph (untrusted; the caller recomputes both).

A path with a single-crossing loss is :mod:`~exactdp.search.path_optimum`'s.

* Large forests: column generation over the extreme rays of the privacy cone (:mod:`~exactdp.search.columns`).
* Anything else: the linear program of [gs2010, 2.5] on the graph's constrained pairs, reduced by its symmetries; on a forest the edge
  multipliers can be left out.

Guesses that nobody needs are left out first. A search that is stopped leaves a mechanism and a dual behind that still are certain bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from exactdp.errors import ResourceLimitError
from exactdp.exact import ExactMatrix, Rational
from exactdp.model import AdjacencyGraph, BayesianConsumer, Consumer, Dual, Mechanism, Neighbours, PrivacyLevel
from exactdp.search.approximate import repaired_dual, repaired_mechanism
from exactdp.search.columns import propose_by_columns
from exactdp.search.face import explore_face
from exactdp.search.guesses import UsefulGuesses
from exactdp.search.limits import Limit
from exactdp.search.lp import LinearProgram, Optimal, Row, propose_basis, solve, solve_by_symmetry
from exactdp.search.symmetry import equitable_cells, weighted_edges
from exactdp.search.tree_basis import tree_basis

__all__ = ["MechanismProgram", "Proposal", "compact_edges", "mechanism_program", "propose_optimum", "propose_second_optimum"]

Progress = Callable[[Any], None] | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A mechanism and a dual."""

    mechanism: Mechanism
    dual: Dual


RIGID = 0.95
"""With more cells than this share of all inputs and guesses it does not pay to look for symmetry in the linear program."""

COLUMNS_FROM = 2000
"""From so many entries of the mechanism on, column generation is faster than the linear program of the entries."""


def propose_optimum(
    neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, *, progress: Progress = None, limit: Limit | None = None
) -> Proposal:
    """Find an optimum by the fastest route that applies, for any loss.

    Raises
    ------
    ResourceLimitError
        The limit ended the search; carries ``lower`` and ``upper``, certain bounds of the optimum, and ``best``, a proposal whose private
        mechanism has the loss ``upper`` and whose dual proves ``lower``.
    """
    useful = UsefulGuesses(consumer)
    try:
        found = _general_optimum(neighbours, level, useful.consumer, progress, limit)
    except ResourceLimitError as error:
        best: Any = error.facts.get("best")
        if best is not None:
            error = _stopped(error, Proposal(useful.mechanism(best.mechanism), useful.dual(best.dual)), error.facts)
        raise error from None
    return Proposal(useful.mechanism(found.mechanism), useful.dual(found.dual))


def _general_optimum(neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, progress: Progress, limit: Limit | None) -> Proposal:
    n, k = consumer.loss.matrix.shape
    forest = neighbours if isinstance(neighbours, AdjacencyGraph) and neighbours.is_forest else None
    if forest is not None and n * k >= COLUMNS_FROM and isinstance(level.alpha, Rational):
        try:
            mechanism, certificate = propose_by_columns(forest, level.alpha, consumer, progress=progress, limit=limit)
            return Proposal(mechanism, certificate)
        except ResourceLimitError as error:
            table, dual = error.facts.get("table"), error.facts.get("dual")
            raise _bounded(error, neighbours, level, consumer, table, dual) from None
    program = mechanism_program(neighbours, level, consumer)
    try:
        if _is_rigid(neighbours, consumer):
            proposer = partial(propose_basis, start=tree_basis(neighbours, consumer))
            answer = solve(program.lp, proposer=proposer, progress=progress, limit=limit)
        else:
            answer = solve_by_symmetry(program.lp, progress=progress, limit=limit)
    except ResourceLimitError as error:
        vertex: Any = error.facts.get("vertex")
        if vertex is None:
            raise _bounded(error, neighbours, level, consumer, None, None) from None
        table = [vertex.x[i * k : (i + 1) * k] for i in range(n)]
        raise _bounded(error, neighbours, level, consumer, table, program.dual(vertex.y)) from None
    assert isinstance(answer, Optimal)
    dual = program.dual(answer.y)
    if forest is not None:
        dual = Dual(dual.weights, dual.potentials)
    return Proposal(program.mechanism(answer.x), dual)


def _is_rigid(neighbours: Neighbours, consumer: Consumer) -> bool:
    """Whether colour refinement tells nearly all inputs and guesses apart; then so it does the entries of the linear program."""
    n, k = consumer.loss.matrix.shape
    if isinstance(consumer, BayesianConsumer):
        inputs = [("input", p) for p in consumer.prior.weights]
        counts = [bool(p) for p in consumer.prior.weights]
    else:
        known = set(consumer.side_information.indices)
        inputs = [("input", i in known) for i in range(n)]
        counts = [i in known for i in range(n)]
    pairs = [(i, j, d.square) for i, j, d in neighbours.pairs()]
    losses = [(i, n + r, x) for i, row in enumerate(consumer.loss.matrix.rows()) if counts[i] for r, x in enumerate(row) if x]
    cells = equitable_cells([*inputs, *["guess"] * k], weighted_edges(n + k, [*pairs, *losses]))
    return len(cells) > RIGID * (n + k)


def _bounded(
    error: ResourceLimitError, neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, table: Any, near: Any
) -> ResourceLimitError:
    """The same error with what is certain all the same."""
    mechanism = repaired_mechanism(neighbours, level, consumer, table)
    dual = repaired_dual(neighbours, level, consumer, near)
    lower, upper = sum(dual.potentials or (), consumer.loss.matrix.field.zero), consumer.loss_of(mechanism)
    return _stopped(error, Proposal(mechanism, dual), {**error.facts, "lower": lower, "upper": upper})


def _stopped(error: ResourceLimitError, best: Proposal, facts: dict[str, Any]) -> ResourceLimitError:
    return ResourceLimitError(error.message, **{**facts, "best": best})


@dataclass(frozen=True, slots=True)
class MechanismProgram:
    """The optimal-mechanism LP with the meaning of its variables and rows.

    Variables: x_ir at index i·k + r (k guesses), and for a minimax consumer d at the end. Rows, in this order: Σ_r x_ir = 1 for each
    input; d − Σ_r l(i,r) x_ir ≥ 0 for each i ∈ S (minimax); for each constrained pair {i, j} and guess r the two rows
    x_ir − α^d x_jr ≥ 0 and x_jr − α^d x_ir ≥ 0.
    """

    lp: LinearProgram
    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer

    def mechanism(self, x: tuple[Any, ...]) -> Mechanism:
        """The mechanism that a solution stands for."""
        n, k = self.consumer.loss.matrix.shape
        rows = ExactMatrix([x[i * k : (i + 1) * k] for i in range(n)], self.lp.field)
        return Mechanism(rows, self.consumer.inputs, self.consumer.loss.guesses)

    def dual(self, y: tuple[Any, ...]) -> Dual:
        """The dual that the rows' multipliers stand for, edges reduced to one signed number each."""
        n, k = self.consumer.loss.matrix.shape
        zero = self.lp.field.zero
        if isinstance(self.consumer, BayesianConsumer):
            weights, start = self.consumer.prior.weights, n
        else:
            known = self.consumer.side_information.indices
            spread = [zero] * n
            for i, w in zip(known, y[n : n + len(known)], strict=True):
                spread[i] = w
            weights, start = tuple(spread), n + len(known)
        both = [y[start + 2 * m : start + 2 * m + 2] for m in range(len(self.neighbours.pairs()) * k)]
        edges = compact_edges(both, k)
        return Dual(tuple(weights), tuple(y[:n]), edges)


def compact_edges(both: list[tuple[Any, ...]], width: int) -> tuple[tuple[Any, ...], ...]:
    """One signed multiplier where the rows of both directions have one: their difference; what is lost goes into the slack, which grows."""
    flat = [forth - back for forth, back in both]
    return tuple(tuple(flat[i : i + width]) for i in range(0, len(flat), width))


def mechanism_program(neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer) -> MechanismProgram:
    """Write the optimal-mechanism LP; DomainError when some α^d is irrational."""
    loss = consumer.loss.matrix
    n, k = loss.shape
    one, zero = loss.field.one, loss.field.zero
    rows = [Row({i * k + r: one for r in range(k)}, "==", one) for i in range(n)]
    if isinstance(consumer, BayesianConsumer):
        costs = {i * k + r: p * loss[i, r] for i, p in enumerate(consumer.prior.weights) for r in range(k)}
        objective, size, free = {v: c for v, c in costs.items() if c}, n * k, frozenset[int]()
    else:
        objective, size, free = {n * k: one}, n * k + 1, frozenset({n * k})
        for i in consumer.side_information.indices:
            rows.append(Row({i * k + r: -loss[i, r] for r in range(k) if loss[i, r]} | {n * k: one}, ">=", zero))
    for i, j, distance in neighbours.pairs():
        minus = -level.power(distance)
        for x, y in zip(range(i * k, i * k + k), range(j * k, j * k + k), strict=True):
            rows.append(Row({x: one, y: minus}, ">=", zero))
            rows.append(Row({y: one, x: minus}, ">=", zero))
    return MechanismProgram(LinearProgram(size, objective, rows, free), neighbours, level, consumer)


def propose_second_optimum(
    neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, first: Mechanism, value: Any, *, progress: Progress = None
) -> tuple[Mechanism | None, Dual]:
    """A second optimal mechanism (or None), and a dual that is positive wherever every optimum is tight."""
    program = mechanism_program(neighbours, level, consumer)
    x = tuple(entry for row in first.matrix.rows() for entry in row)
    if not isinstance(consumer, BayesianConsumer):
        x = (*x, value)
    y = solve(program.lp, progress=progress)
    assert isinstance(y, Optimal)
    other, multipliers = explore_face(program.lp, Optimal(x, y.y, value), progress=progress)
    return None if other is None else program.mechanism(other), program.dual(multipliers)
