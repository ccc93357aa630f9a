# SPDX-License-Identifier: MIT
"""Guesses that no consumer needs: another guess is as good at every input that counts.

Whatever a private mechanism gives to such a guess can be given to the other one instead, and a dual of the
smaller problem treats the guess like the one that replaces it.

Make a private mechanism and a dual out of numbers that are neither: certified bounds when a search has to
stop early.

* Primal: negative entries become 0, rows are scaled to sum 1, and then mixed with the mechanism that ignores its input, just enough
  for every privacy constraint.
* Dual: weights become a distribution on S (or the prior), edge multipliers stay, and each potential becomes the largest possible,
  μ_i = min_r (what is left of w_i l(i,r) after the edges).

A basis for the optimal-mechanism program that is close to the optimum: every output decays along a tree.

Each guess r has a root, the input whose loss for it is least, and x_ir = α^d·x_jr holds along the shortest
paths (by number of pairs) from the root. On a path with r as its own root this is the geometric mechanism
with scaled columns. Few pivots are left when α is small.

Find an optimal private mechanism and its dual on any graph (untrusted; the caller recomputes both).

A path with a single-crossing loss is :mod:`~exactdp.search.path.optimum`'s.

* Large forests: column generation over the extreme rays of the privacy cone (:mod:`~exactdp.search.forest`).
* Anything else: the linear program of [gs2010, 2.5] on the graph's constrained pairs, reduced by its symmetries; on a forest the edge
  multipliers can be left out.

Guesses that nobody needs are left out first. A search that is stopped leaves a mechanism and a dual behind
that still are certain bounds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from exactdp.errors import ResourceLimitError
from exactdp.exact import ExactMatrix, Rational
from exactdp.lp.highs import propose_basis
from exactdp.lp.limits import Limit
from exactdp.lp.problem import Basis, LinearProgram, Optimal, Row
from exactdp.lp.second_optimum import another_optimum
from exactdp.lp.solve import solve, solve_by_symmetry
from exactdp.lp.symmetry import equitable_cells, weighted_edges
from exactdp.model import (
    AdjacencyGraph,
    BayesianConsumer,
    Consumer,
    Dual,
    Loss,
    Mechanism,
    MinimaxConsumer,
    Neighbours,
    PrivacyLevel,
    SideInformation,
)
from exactdp.search.forest import propose_by_columns


class UsefulGuesses:
    """The ``consumer`` without superfluous guesses, and the way back; of equal guesses the first stays.

    Examples
    --------
    >>> useful = UsefulGuesses(MinimaxConsumer(Loss([[0, 1, 0, 2], [1, 0, 1, 2]])))
    >>> useful.consumer.loss.guesses
    ('0', '1')
    >>> useful.mechanism(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])).matrix.row(0)
    (Rational('2/3'), Rational('1/3'), Rational('0'), Rational('0'))
    """

    def __init__(self, consumer: Consumer) -> None:
        self._full = consumer
        loss = consumer.loss.matrix
        if isinstance(consumer, BayesianConsumer):
            rows = [i for i, p in enumerate(consumer.prior.weights) if p]
        else:
            rows = list(consumer.side_information.indices)
        columns = list(zip(*(loss.row(i) for i in rows), strict=True))
        kept: list[int] = []
        self._instead = [0] * len(columns)
        # a better column has a smaller sum, or the same sum and equal entries
        for r in sorted(range(len(columns)), key=lambda r: (sum(columns[r], loss.field.zero), r)):
            better = (k for k in kept if all(x <= y for x, y in zip(columns[k], columns[r], strict=True)))
            self._instead[r] = next(better, r)
            if self._instead[r] == r:
                kept.append(r)
        self._kept = sorted(kept)
        self.consumer = consumer if len(kept) == len(columns) else self._reduced()

    def _reduced(self) -> Consumer:
        full, loss = self._full, self._full.loss
        table = ExactMatrix([[row[r] for r in self._kept] for row in loss.matrix.rows()], loss.matrix.field)
        smaller = Loss(table, loss.inputs, [loss.guesses[r] for r in self._kept])
        if isinstance(full, BayesianConsumer):
            return BayesianConsumer(smaller, full.prior)
        return MinimaxConsumer(smaller, full.side_information)

    def mechanism(self, reduced: Mechanism) -> Mechanism:
        """The same mechanism with columns of zeros for the other guesses."""
        if self.consumer is self._full:
            return reduced
        place = {r: k for k, r in enumerate(self._kept)}
        zero = reduced.field.zero
        rows = [[row[place[r]] if r in place else zero for r in range(len(self._instead))] for row in reduced.matrix.rows()]
        return Mechanism(ExactMatrix(rows, reduced.field), reduced.inputs, self._full.loss.guesses)

    def dual(self, reduced: Dual) -> Dual:
        """The same dual with the edge multipliers of the better guesses for the others."""
        if self.consumer is self._full or reduced.edges is None:
            return reduced
        place = {r: k for k, r in enumerate(self._kept)}
        edges: Any = tuple(tuple(row[place[r]] for r in self._instead) for row in reduced.edges)
        return Dual(reduced.weights, reduced.potentials, edges)


def repaired_mechanism(neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, table: Sequence[Sequence[Any]] | None) -> Mechanism:
    """A private mechanism near a table of numbers (None: nothing is known).

    >>> from exactdp.model import AdjacencyGraph, Loss, MinimaxConsumer
    >>> graph = AdjacencyGraph.path(2)
    >>> consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    >>> repaired_mechanism(graph, PrivacyLevel("1/2"), consumer, ExactMatrix([[1, 0], [0, 1]]).rows())[0, 0]
    Rational('2/3')
    """
    n, k = consumer.loss.matrix.shape
    field = consumer.loss.matrix.field
    share = field.one / k
    rows = [[share] * k for _ in range(n)]
    for i, row in enumerate(table or []):
        clipped = [x if x > 0 else field.zero for x in row]
        total = sum(clipped, field.zero)
        if total:
            rows[i] = [x / total for x in clipped]
    mix = field.zero
    for i, j, distance in neighbours.pairs():
        a = level.power(distance)
        room = (1 - a) * share
        for x, y in zip(rows[i], rows[j], strict=True):
            worst = min(x - a * y, y - a * x)
            if worst < 0:
                mix = max(mix, worst / (worst - room))
    mixed = [[x + mix * (share - x) for x in row] for row in rows]
    return Mechanism(ExactMatrix(mixed, field), consumer.inputs, consumer.loss.guesses)


def repaired_dual(neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, near: Dual | None) -> Dual:
    """A dual of the graph rule near given numbers (None: nothing is known); it always proves something."""
    loss = consumer.loss.matrix
    (n, k), zero = loss.shape, loss.field.zero
    if isinstance(consumer, BayesianConsumer):
        weights = list(consumer.prior.weights)
    else:
        known = set(consumer.side_information.indices)
        weights = [w if i in known and w > 0 else zero for i, w in enumerate(near.weights)] if near else [zero] * n
        total = sum(weights, zero)
        weights = [w / total for w in weights] if total else [loss.field.one / len(known) if i in known else zero for i in range(n)]
    pairs = neighbours.pairs()
    edges = near.edges if near is not None and near.edges is not None else tuple((zero,) * k for _ in pairs)
    left = [[weights[i] * loss[i, r] for r in range(k)] for i in range(n)]
    for (i, j, distance), row in zip(pairs, edges, strict=True):
        a = level.power(distance)
        for r, u in enumerate(row):
            giver, taker, size = (i, j, u) if u > 0 else (j, i, -u)
            left[giver][r] = left[giver][r] - size
            left[taker][r] = left[taker][r] + a * size
    return Dual(tuple(weights), tuple(min(row) for row in left), edges)


def tree_basis(neighbours: Neighbours, consumer: Consumer) -> Basis | None:
    """A basis of :func:`~exactdp.search.mechanism.mechanism_program`; None unless n = k and the graph is
    connected.

    >>> from exactdp.model import AdjacencyGraph, BayesianConsumer, Loss, Prior
    >>> graph = AdjacencyGraph.path(2)
    >>> tree_basis(graph, BayesianConsumer(Loss.zero_one(graph.vertices), Prior.uniform(graph.vertices))).rows
    (False, False, True, False, False, True)
    """
    loss = consumer.loss.matrix
    n, k = loss.shape
    known = getattr(consumer, "side_information", None)
    sums = n + (len(known.indices) if isinstance(known, SideInformation) else 0)
    pairs = neighbours.pairs()
    if n != k:
        return None
    beside: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for place, (i, j, _) in enumerate(pairs):
        beside[i].append((j, 2 * place + 1))  # the row of x_j − α^d x_i comes second
        beside[j].append((i, 2 * place))
    rows = [True] * (sums + 2 * len(pairs) * k)
    rows[: n + 1 if sums > n else n] = [False] * (n + 1 if sums > n else n)  # of the losses only one is tight
    for r in range(k):
        column = loss.column(r)
        reached = _from(min(range(n), key=column.__getitem__), beside)
        if len(reached) < n - 1:
            return None
        for row in reached:
            rows[sums + row // 2 * 2 * k + 2 * r + row % 2] = False
    return Basis((True,) * (n * k + (sums > n)), tuple(rows))


def _from(root: int, beside: list[list[tuple[int, int]]]) -> list[int]:
    """The rows along which the vertices are first reached from the root."""
    seen, waiting, used = {root}, deque([root]), []
    while waiting:
        for vertex, row in beside[waiting.popleft()]:
            if vertex not in seen:
                seen.add(vertex)
                waiting.append(vertex)
                used.append(row)
    return used


Progress = Callable[[Any], None] | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A mechanism and a dual."""

    mechanism: Mechanism
    dual: Dual


RIGID = 0.95
"""With more cells than this share of all inputs and guesses it does not pay to look for symmetry in the
linear program.
"""

COLUMNS_FROM = 2000
"""From so many entries of the mechanism on, column generation is faster than the linear program of the
entries.
"""


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
    """Whether colour refinement tells nearly all inputs and guesses apart; then so it does the entries of the
    linear program.
    """
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
    """One signed multiplier where the rows of both directions have one: their difference; what is lost goes
    into the slack, which grows.
    """
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
    other, multipliers = another_optimum(program.lp, Optimal(x, y.y, value), progress=progress)
    return None if other is None else program.mechanism(other), program.dual(multipliers)
