# SPDX-License-Identifier: MIT
"""Find an optimal private mechanism and its dual (untrusted; the caller recomputes both).

* Path and single-crossing loss: the best remap of the geometric mechanism; its weights are the whole dual (docs/mathematics.md §1).
* Anything else: the linear program of [gs2010, 2.5] on the graph's constrained pairs; on a forest the edge multipliers can be left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exactdp.exact import ExactMatrix
from exactdp.mechanisms import geometric
from exactdp.model import AdjacencyGraph, BayesianConsumer, Consumer, Dual, Mechanism, Neighbours, PrivacyLevel, Remap
from exactdp.search.best_remap import propose_remap
from exactdp.search.face import explore_face
from exactdp.search.lp import LinearProgram, Optimal, Row, solve

__all__ = ["MechanismProgram", "Proposal", "compact_edges", "mechanism_program", "propose_optimum", "propose_second_optimum"]

Progress = Callable[[Any], None] | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A mechanism, its remap from the geometric one if it has that form, and a dual."""

    mechanism: Mechanism
    remap: Remap | None
    dual: Dual


def propose_optimum(neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, *, progress: Progress = None) -> Proposal:
    """Find an optimum by the fastest route that applies."""
    if isinstance(neighbours, AdjacencyGraph) and neighbours.is_path and consumer.loss.has_single_crossing():
        deployed = geometric(len(neighbours.vertices) - 1, level.alpha)
        deployed = Mechanism(deployed.matrix, neighbours.vertices, deployed.outputs)
        remap, weights = propose_remap(deployed, consumer, progress=progress)
        return Proposal(deployed.post_process(remap), remap, Dual(weights))
    program = mechanism_program(neighbours, level, consumer)
    answer = solve(program.lp, progress=progress)
    assert isinstance(answer, Optimal)
    dual = program.dual(answer.y)
    if isinstance(neighbours, AdjacencyGraph) and neighbours.is_forest:
        dual = Dual(dual.weights, dual.potentials)
    return Proposal(program.mechanism(answer.x), None, dual)


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
        rows = ExactMatrix([x[i * k : (i + 1) * k] for i in range(n)], self.consumer.loss.matrix.field)
        return Mechanism(rows, self.consumer.inputs, self.consumer.loss.guesses)

    def dual(self, y: tuple[Any, ...]) -> Dual:
        """The dual that the rows' multipliers stand for, edges reduced to one signed number each."""
        n, k = self.consumer.loss.matrix.shape
        zero = self.consumer.loss.matrix.field.zero
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
        a = level.power(distance)
        for r in range(k):
            rows.append(Row({i * k + r: one, j * k + r: -a}, ">=", zero))
            rows.append(Row({j * k + r: one, i * k + r: -a}, ">=", zero))
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
