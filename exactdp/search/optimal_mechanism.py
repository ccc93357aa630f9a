# SPDX-License-Identifier: MIT
"""Find an optimal private mechanism and its dual on any graph (untrusted; the caller recomputes both).

A path with a single-crossing loss is :mod:`~exactdp.search.path.path_optimum`'s. Dominated guesses are left
out first (:class:`Undominated`). Then

* large trees with little symmetry: the face of all optima, where an interior point in doubles shows it;
  else, and on other large forests, column generation over the extreme rays of the privacy cone
  (:mod:`~exactdp.search.forest.forest_optimum`);
* complete graphs: the program with the least entry of each column as a variable
  (:class:`~exactdp.search.entry_cells.ColumnProgram`);
* large connected graphs with little symmetry: components of tight pairs
  (:mod:`~exactdp.search.graphs.graph_optimum`);
* symmetric problems: the linear program of the cells of symmetric entries
  (:mod:`~exactdp.search.entry_cells`), or if it is small the one below, reduced;
* anything else: the linear program of [gs2010, 2.5] on the graph's constrained pairs, from a basis near the
  optimum. On a forest the edge multipliers can be left out.

A search that is stopped leaves numbers behind that are neither a private mechanism nor a dual. They are
repaired, and bound the optimum all the same:

* The mechanism: negative entries become 0, rows are scaled to sum 1, and all is mixed with the uniform
  mechanism, just enough for every privacy constraint.
* The dual: weights become a distribution on S (or the prior), edge multipliers stay, and each potential
  becomes the largest possible, μ_i = min_r (what is left of w_i l(i,r) after the edges).

A guess is dominated if another one is as good at every input that counts. What a private mechanism gives to a
dominated guess can be given to the other one instead, and a dual of the smaller problem treats the guess like
the one that replaces it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import le
from typing import Any, NoReturn

from exactdp.errors import ResourceLimitError
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.lp.highs import propose_basis
from exactdp.lp.problem import Answer, Basis, LinearProgram, Optimal, Row, require_program
from exactdp.lp.solve import solve, solve_by_symmetry
from exactdp.lp.symmetry import equitable_cells, weighted_edges
from exactdp.model import BayesianConsumer, Consumer, Dual, Graph, Loss, Mechanism, MinimaxConsumer, Neighbours, PrivacyLevel
from exactdp.model.consumer import Problem
from exactdp.model.graph import adjacency, traversed
from exactdp.model.mechanism import mixed_with_uniform, mixing_weight
from exactdp.runtime.budget import require_budget
from exactdp.runtime.progress import Listener, part_of, raise_unless_own_limit, row_by_row
from exactdp.runtime.values import dataclass
from exactdp.search.entry_cells import CellProgram, ColumnProgram, Symmetry, all_cells, entry_cells
from exactdp.search.graphs.graph_optimum import propose_by_components, propose_on_face


class Undominated:
    """The ``consumer`` without dominated guesses, and the way back; of equal guesses the first stays.

    >>> smaller = Undominated(MinimaxConsumer(Loss([[0, 1, 0, 2], [1, 0, 1, 2]])))
    >>> smaller.consumer.loss.guesses
    ('0', '1')
    >>> smaller.mechanism(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])).matrix.row(0)
    (Rational('2/3'), Rational('1/3'), Rational('0'), Rational('0'))
    """

    def __init__(self, consumer: Consumer) -> None:
        self._full = consumer
        loss = consumer.loss.matrix
        if isinstance(consumer, BayesianConsumer):
            rows = [i for i, p in enumerate(consumer.prior.weights) if p]
        else:
            rows = list(consumer.side_information.indices)
        table: Sequence[Sequence[Any]] = loss.integer_rows()[1] if loss.field == QQ else list(loss.rows())  # integers are compared faster
        columns = list(zip(*(table[i] for i in rows), strict=True))
        kept: list[int] = []
        self._instead = [0] * len(columns)
        # a better column has a smaller sum, or the same sum and equal entries
        sums = [sum(column[1:], column[0]) for column in columns]
        order = sorted(range(len(columns)), key=lambda r: (sums[r], r))
        first: dict[Any, int] = {}  # of columns of integers, the first of equal ones
        for r in row_by_row(order, "guesses compared with better ones", (len(columns), len(rows) * len(columns) // 4)):
            if loss.field == QQ:
                smaller = kept[: bisect_left(kept, sums[r], key=sums.__getitem__)]
                better = (k for k in smaller if all(map(le, columns[k], columns[r])))
                self._instead[r] = next(better, first.setdefault(columns[r], r))
            else:
                better = (k for k in kept if all(x <= y for x, y in zip(columns[k], columns[r], strict=True)))
                self._instead[r] = next(better, r)
            if self._instead[r] == r:
                kept.append(r)
        self._place = {r: k for k, r in enumerate(sorted(kept))}
        self.consumer = consumer if len(kept) == len(columns) else self._reduced()

    def _reduced(self) -> Consumer:
        full, loss = self._full, self._full.loss
        table = ExactMatrix([[row[r] for r in self._place] for row in loss.matrix.rows()], loss.matrix.field)
        smaller = Loss(table, loss.inputs, [loss.guesses[r] for r in self._place])
        if isinstance(full, BayesianConsumer):
            return BayesianConsumer(smaller, full.prior)
        return MinimaxConsumer(smaller, full.side_information)

    def mechanism(self, reduced: Mechanism) -> Mechanism:
        """The same mechanism with columns of zeros for the other guesses."""
        if self.consumer is self._full:
            return reduced
        place, zero = self._place, reduced.field.zero
        rows = [[row[place[r]] if r in place else zero for r in range(len(self._instead))] for row in reduced.matrix.rows()]
        return Mechanism(ExactMatrix(rows, reduced.field), reduced.inputs, self._full.loss.guesses)

    def dual(self, reduced: Dual) -> Dual:
        """The same dual with the edge multipliers of the better guesses for the others."""
        if self.consumer is self._full or reduced.edges is None:
            return reduced
        edges: Any = tuple(tuple(row[self._place[r]] for r in self._instead) for row in reduced.edges)
        return Dual(reduced.weights, reduced.potentials, edges)


RIGID = 0.95
"""With more cells than this share of inputs and guesses it does not pay to look for more symmetry."""

COLUMNS_FROM = 2000
"""From so many entries on, column generation is faster on a forest than the linear program of the entries."""

FACES_FROM = 5000
"""From so many entries on, an interior point that shows the face of all optima is faster on a tree."""

COMPONENTS_FROM = 900
"""From so many entries on, components of tight pairs are faster on a rigid graph."""


CELLS_FROM = 20_000
"""From so many privacy constraints on, symmetric entries are merged before rational programs are written."""


MOST_CELLS = 2_000
"""With more cells of symmetric entries than this, components of tight pairs, and faces, are faster."""


COLUMN_ENDS_FROM = 1_000
"""From so many privacy constraints on a complete graph on, least entries of columns are variables."""


MOST_IN_PROGRAM = 20_000
"""With more cells than this no exact linear program is written for them."""


@dataclass(frozen=True, slots=True)
class MechanismProgram:
    """The optimal-mechanism LP with the meaning of its variables and rows.

    Variables: x_ir at index i·k + r (k guesses), and for a minimax consumer d at the end. Rows, in this
    order: Σ_r x_ir = 1 for each input; d − Σ_r l(i,r) x_ir ≥ 0 for each i ∈ S (minimax); for each constrained
    pair {i, j} and guess r the two rows x_ir − α^d x_jr ≥ 0 and x_jr − α^d x_ir ≥ 0.
    """

    lp: LinearProgram
    problem: Problem

    def mechanism(self, x: tuple[Any, ...]) -> Mechanism:
        """The mechanism that a solution stands for."""
        n, k = self.problem.consumer.loss.matrix.shape
        rows = ExactMatrix([x[i * k : (i + 1) * k] for i in range(n)], self.lp.field)
        return Mechanism(rows, self.problem.consumer.inputs, self.problem.consumer.loss.guesses)

    def dual(self, y: tuple[Any, ...]) -> Dual:
        """The dual that the rows' multipliers stand for, edges reduced to one signed number each."""
        n, k = self.problem.consumer.loss.matrix.shape
        zero = self.lp.field.zero
        if isinstance(self.problem.consumer, BayesianConsumer):
            weights, start = self.problem.consumer.prior.weights, n
        else:
            known = self.problem.consumer.side_information.indices
            spread = [zero] * n
            for i, w in zip(known, y[n : n + len(known)], strict=True):
                spread[i] = w
            weights, start = tuple(spread), n + len(known)
        both = [y[start + 2 * m : start + 2 * m + 2] for m in range(len(self.problem.neighbours.pairs()) * k)]
        edges = compact_edges(both, k)
        return Dual(tuple(weights), tuple(y[:n]), edges)


def compact_edges(both: list[tuple[Any, ...]], width: int) -> tuple[tuple[Any, ...], ...]:
    """The difference of the multipliers of both directions; what is lost makes the slack greater."""
    flat = [forth - back for forth, back in both]
    return tuple(tuple(flat[i : i + width]) for i in range(0, len(flat), width))


def mechanism_program(problem: Problem) -> MechanismProgram:
    """Write the optimal-mechanism LP; DomainError when some α^d is irrational."""
    neighbours, level, consumer = problem
    loss = consumer.loss.matrix
    n, k = loss.shape
    require_program("the linear program of the mechanism", 2 * n * k + 4 * k * len(neighbours.pairs()), 2 * k * len(neighbours.pairs()))
    one, zero = loss.field.one, loss.field.zero
    rows = [Row({i * k + r: one for r in range(k)}, "==", one) for i in range(n)]
    if isinstance(consumer, BayesianConsumer):
        costs = {i * k + r: p * loss[i, r] for i, p in enumerate(consumer.prior.weights) for r in range(k)}
        objective, size, free = {v: c for v, c in costs.items() if c}, n * k, frozenset[int]()
    else:
        objective, size, free = {n * k: one}, n * k + 1, frozenset({n * k})
        for i in consumer.side_information.indices:
            rows.append(Row({i * k + r: -loss[i, r] for r in range(k) if loss[i, r]} | {n * k: one}, ">=", zero))
    pairs = neighbours.pairs()
    for i, j, distance in row_by_row(pairs, "the linear program of all mechanisms", (len(pairs), 4 * k)):
        minus = -level.power(distance)
        for x, y in zip(range(i * k, i * k + k), range(j * k, j * k + k), strict=True):
            rows.append(Row({x: one, y: minus}, ">=", zero))
            rows.append(Row({y: one, x: minus}, ">=", zero))
    return MechanismProgram(LinearProgram(size, objective, rows, free), problem)


def tree_basis(neighbours: Neighbours, consumer: Consumer) -> Basis | None:
    """A basis of :func:`mechanism_program` near the optimum; None unless n = k and the graph is connected.

    Every output decays along a tree: guess r has a root, the input whose loss for it is least, and x_ir =
    α^d·x_jr holds along the shortest paths (by number of pairs) from the root. On a path with r as its own
    root this is the geometric mechanism with scaled columns. Few pivots are left when α is small.

    >>> from exactdp.model import Graph, BayesianConsumer, Loss, Prior
    >>> graph = Graph.path(2)
    >>> tree_basis(graph, BayesianConsumer(Loss.zero_one(graph.vertices), Prior.uniform(graph.vertices))).rows
    (False, False, True, False, False, True)
    """
    loss = consumer.loss.matrix
    n, k = loss.shape
    sums = n + (len(consumer.side_information.indices) if isinstance(consumer, MinimaxConsumer) else 0)
    pairs = neighbours.pairs()
    if n != k:
        return None
    near = adjacency(n, [(i, j) for i, j, _ in pairs])
    row_along: dict[tuple[int, int | None], int] = {}
    for place, (i, j, _) in enumerate(pairs):
        row_along[j, i], row_along[i, j] = 2 * place + 1, 2 * place  # the row of x_j − α^d x_i comes second
    rows = [True] * (sums + 2 * len(pairs) * k)
    rows[: n + 1 if sums > n else n] = [False] * (n + 1 if sums > n else n)  # of the losses only one is tight
    for r in range(k):
        column = loss.column(r)
        reached = list(traversed(near.__getitem__, min(range(n), key=column.__getitem__)))[1:]
        if len(reached) < n - 1:
            return None
        for row in map(row_along.__getitem__, reached):
            rows[sums + row // 2 * 2 * k + 2 * r + row % 2] = False
    return Basis((True,) * (n * k + (sums > n)), tuple(rows))


@dataclass(frozen=True, slots=True)
class Proposal:
    """A mechanism and a dual."""

    mechanism: Mechanism
    dual: Dual


def propose_optimum(problem: Problem, *, plain: bool = False, progress: Listener | None = None) -> Proposal:
    """Find an optimum by the fastest route that applies, for any loss.

    * ``problem``: neighbours, level and consumer.
    * ``plain``: whether the linear program of all entries is solved by exact pivots instead, whatever route
      applies.
    * ``progress``: as for :func:`exactdp.lp.solve.solve`.
    * raises ResourceLimitError: the listener ended the search; carries ``lower`` and ``upper``, certain
      bounds of the optimum, and ``best``, a proposal whose private mechanism has the loss ``upper`` and whose
      dual proves ``lower``.
    """
    if plain:
        return _by_program(problem, lambda program: solve(program.lp, proposer=None, progress=progress))
    smaller = Undominated(problem.consumer)
    try:
        found = _general_optimum(problem._replace(consumer=smaller.consumer), progress)
    except ResourceLimitError as error:
        best: Any = error.facts.get("best")
        if best is not None:
            best = Proposal(smaller.mechanism(best.mechanism), smaller.dual(best.dual))
            error = ResourceLimitError(error.message, **{**error.facts, "best": best})
        raise error from None
    return Proposal(smaller.mechanism(found.mechanism), smaller.dual(found.dual))


def _general_optimum(problem: Problem, progress: Listener | None) -> Proposal:
    """The first route that applies: columns of a forest, components of a graph, the linear program."""
    neighbours, level, consumer = problem
    n, k = consumer.loss.matrix.shape
    forest = neighbours if isinstance(neighbours, Graph) and neighbours.is_forest else None
    if forest is not None and n * k >= COLUMNS_FROM and level.field == consumer.field == QQ:
        few = entry_cells(Symmetry(problem), most=MOST_CELLS)
        return _on_forest(problem, forest, progress) if few is None else _by_cells(CellProgram(problem, few), progress)
    constraints = 2 * k * len(neighbours.pairs())
    if isinstance(neighbours, Graph) and neighbours.is_complete and constraints >= COLUMN_ENDS_FROM:
        return _on_complete_graph(problem, progress)
    large = constraints >= CELLS_FROM
    if large:
        require_budget("the dual's table of constrained pairs by guesses", memory=24 * k * len(neighbours.pairs()))
    symmetry = Symmetry(problem) if large else None
    rigid = not (symmetry and _is_moved(symmetry, consumer)) and _is_rigid(neighbours, consumer)
    other = neighbours if forest is None and isinstance(neighbours, Graph) else None
    by_components = other if other is not None and _has_components(other, level, consumer) else None
    cells = None
    if not rigid and symmetry is not None:
        cells = entry_cells(symmetry, most=MOST_IN_PROGRAM if by_components is None else MOST_CELLS)
    if large and cells is None:
        if by_components is not None:
            _require_interior_point(problem)
        elif not rigid:
            _refuse_cells(problem)
    if by_components is not None and cells is None and (rigid or large):
        try:
            known = symmetry.generators if symmetry else ()
            found = propose_by_components(by_components, level.alpha, consumer, automorphisms=known, progress=progress)
        except ResourceLimitError as error:
            raise _bounded(error, problem, error.facts.get("table"), error.facts.get("dual")) from None
        if found is not None:
            return Proposal(*found)
    if not rigid:
        if level.field == consumer.field == QQ and not large:
            return _by_program(problem, lambda program: solve_by_symmetry(program.lp, progress=progress))
        return _by_cells(CellProgram(problem, cells or all_cells(symmetry or Symmetry(problem))), progress)
    proposer = partial(propose_basis, start=tree_basis(neighbours, consumer))
    return _by_program(problem, lambda program: solve(program.lp, proposer=proposer, progress=progress))


INSTEAD = "a symmetric loss (zero-one) is fast, and exactdp remap of a private mechanism bounds the optimum from above"
"""What can be asked where the optimum is too large."""


def _require_interior_point(problem: Problem) -> None:
    """Refuse an interior point that would not fit: it takes 500 bytes for each constraint (measured)."""
    neighbours, _, consumer = problem
    constraints = 2 * len(consumer.loss.guesses) * len(neighbours.pairs())
    what = f"the optimum for {consumer.loss.title} on {neighbours} ({constraints:,} constraints)"
    require_budget(what, INSTEAD, memory=500 * constraints)


def _refuse_cells(problem: Problem) -> NoReturn:
    """Refuse a program of entries of which symmetry leaves more than :data:`MOST_IN_PROGRAM` kinds."""
    neighbours, _, consumer = problem
    raise ResourceLimitError(
        f"the optimum for {consumer.loss.title} on {neighbours} has more than {MOST_IN_PROGRAM:,} different probabilities, "
        f"too many for an exact linear program; {INSTEAD}",
        limit=MOST_IN_PROGRAM,
        unit="cells",
    )


def _on_complete_graph(problem: Problem, progress: Listener | None) -> Proposal:
    """The program of cells of symmetric entries with the least entry of each column."""
    neighbours, _, consumer = problem
    guesses, pairs = len(consumer.loss.guesses), len(neighbours.pairs())
    what = f"the optimum for {consumer.loss.title} on {neighbours} ({2 * guesses * pairs:,} constraints)"
    require_budget(what, INSTEAD, memory=24 * guesses * pairs)
    return _by_cells(ColumnProgram(problem, all_cells(Symmetry(problem))), progress)


def _on_forest(problem: Problem, forest: Graph, progress: Listener | None) -> Proposal:
    """The face of all optima on a large tree where doubles show it; else columns of extreme rays."""
    from exactdp.search.forest.forest_optimum import propose_by_columns  # only large forests need it

    _, level, consumer = problem
    n, k = consumer.loss.matrix.shape
    try:
        if n * k >= FACES_FROM and _has_components(forest, level, consumer):
            found = propose_on_face(forest, level.alpha, consumer, progress=progress)
            if found is not None:
                return Proposal(*found)
        return Proposal(*propose_by_columns(forest, level.alpha, consumer, progress=progress))
    except ResourceLimitError as error:
        raise _bounded(error, problem, error.facts.get("table"), error.facts.get("dual")) from None


def _by_program(problem: Problem, solver: Callable[[MechanismProgram], Answer]) -> Proposal:
    """The optimum of the linear program of all entries, which a solver finds; on a forest without edges."""
    program = mechanism_program(problem)
    n, k = problem.consumer.loss.matrix.shape
    try:
        answer = solver(program)
    except ResourceLimitError as error:
        vertex: Any = error.facts.get("vertex")
        if vertex is None:
            raise _bounded(error, problem, None, None) from None
        table = [vertex.x[i * k : (i + 1) * k] for i in range(n)]
        raise _bounded(error, problem, table, program.dual(vertex.y)) from None
    assert isinstance(answer, Optimal)
    dual = program.dual(answer.y)
    if isinstance(problem.neighbours, Graph) and problem.neighbours.is_forest:
        dual = Dual(dual.weights, dual.potentials)
    return Proposal(program.mechanism(answer.x), dual)


def _by_cells(program: CellProgram, progress: Listener | None) -> Proposal:
    """The optimum of the linear program with one variable for each cell of symmetric entries."""
    problem = program.problem
    try:
        answer = solve(program.lp, progress=progress)
    except ResourceLimitError as error:
        vertex: Any = error.facts.get("vertex")
        if vertex is None or program.lp.field != QQ:  # to repair long numbers of another field takes as long again
            raise _bounded(error, problem, None, None) from None
        raise _bounded(error, problem, program.table(vertex.x), program.dual(vertex.y)) from None
    assert isinstance(answer, Optimal)
    forest = isinstance(problem.neighbours, Graph) and problem.neighbours.is_forest
    return Proposal(program.mechanism(answer.x), program.dual(answer.y, edges=not forest))


def _has_components(graph: Graph, level: PrivacyLevel, consumer: Consumer) -> bool:
    """Whether the graph is large and connected, and all numbers are rational."""
    n, k = consumer.loss.matrix.shape
    if n * k < COMPONENTS_FROM or not level.field == consumer.field == QQ:
        return False
    connected = sum(1 for _ in traversed(graph.adjacency().__getitem__, 0)) == n
    return connected and any(any(row) for row in consumer.loss.matrix.rows())


def _is_moved(symmetry: Symmetry, consumer: Consumer) -> bool:
    """Whether known automorphisms leave it no chance to be rigid: refinement tells no members apart."""
    if symmetry.is_transitive:
        return True
    weights = consumer.prior.weights if isinstance(consumer, BayesianConsumer) else None
    return symmetry.size == symmetry.guesses and symmetry.orbits(weights) <= RIGID * symmetry.size


def _is_rigid(neighbours: Neighbours, consumer: Consumer) -> bool:
    """Whether colour refinement tells nearly all inputs and guesses apart, and so the program's entries."""
    n, k = consumer.loss.matrix.shape
    if isinstance(consumer, BayesianConsumer):
        inputs = [("input", p) for p in consumer.prior.weights]
        counts = [bool(p) for p in consumer.prior.weights]
    else:
        known = set(consumer.side_information.indices)
        inputs = [("input", i in known) for i in range(n)]
        counts = [i in known for i in range(n)]
    pairs = [(i, j, d.square) for i, j, d in neighbours.pairs()]
    loss = consumer.loss.matrix
    table: Iterable[Sequence[Any]] = loss.integer_rows()[1] if loss.field == QQ else loss.rows()  # all times the same number
    losses = [(i, n + r, x) for i, row in enumerate(table) if counts[i] for r, x in enumerate(row) if x]
    cells = equitable_cells([*inputs, *["guess"] * k], weighted_edges(n + k, [*pairs, *losses]), most=RIGID * (n + k))
    return len(cells) > RIGID * (n + k)


def _bounded(error: ResourceLimitError, problem: Problem, table: Any, near: Any) -> ResourceLimitError:
    """The same error with what is certain all the same, which a time limit that has passed does not stop."""
    raise_unless_own_limit(error)
    best, consumer = certain_proposal(problem, table, near), problem.consumer
    lower, upper = sum(best.dual.potentials or (), consumer.loss.matrix.field.zero), consumer.loss_of(best.mechanism)
    return ResourceLimitError(error.message, **{**error.facts, "lower": lower, "upper": upper, "best": best})


def certain_proposal(problem: Problem, table: Any = None, near: Any = None) -> Proposal:
    """A private mechanism and a dual near given numbers (None: none are known); their bounds are certain."""
    return Proposal(repaired_mechanism(problem, table), repaired_dual(problem, near))


def repaired_mechanism(problem: Problem, table: Sequence[Sequence[Any]] | None) -> Mechanism:
    """A private mechanism near a table of numbers (None: nothing is known).

    >>> from exactdp.model import Graph, Loss, MinimaxConsumer, PrivacyLevel
    >>> graph = Graph.path(2)
    >>> problem = Problem(graph, PrivacyLevel("1/2"), MinimaxConsumer(Loss.zero_one(graph.vertices)))
    >>> repaired_mechanism(problem, ExactMatrix([[1, 0], [0, 1]]).rows())[0, 0]
    Rational('2/3')
    """
    neighbours, level, consumer = problem
    (n, k), field = consumer.loss.matrix.shape, consumer.loss.matrix.field
    rows = [[field.one / k] * k for _ in range(n)]
    for i, row in enumerate(table or []):
        clipped = [x if x > 0 else field.zero for x in row]
        total = sum(clipped, field.zero)
        if total:
            rows[i] = [x / total for x in clipped]
    near = Mechanism(ExactMatrix(rows, field), consumer.inputs, consumer.loss.guesses)
    return mixed_with_uniform(near, mixing_weight(near, neighbours, level))


def repaired_dual(problem: Problem, near: Dual | None) -> Dual:
    """A dual of the graph rule near given numbers (None: nothing is known); it always proves something."""
    neighbours, level, consumer = problem
    loss = consumer.loss.matrix
    (n, k), zero = loss.shape, loss.field.zero
    if isinstance(consumer, BayesianConsumer):
        weights = list(consumer.prior.weights)
    else:
        known = set(consumer.side_information.indices)
        given = near.weights if near else [zero] * n
        kept = [w if i in known and w > 0 else zero for i, w in enumerate(given)]
        total = sum(kept, zero)
        if not total:  # nothing is known: all alike
            kept, total = [loss.field.one if i in known else zero for i in range(n)], loss.field.one * len(known)
        weights = [w / total for w in kept]
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


@dataclass(frozen=True, slots=True)
class ProposalNear:
    """A table and a dual with letters, whose basis is optimal at a point of the letters' region.

    * ``table``: a mechanism where its entries are ≥ 0.
    * ``dual``: with potentials and edges.
    * ``conditions``: functions of the letters; where all of them are ≥ 0 both are what they should be.
    """

    table: ExactMatrix
    dual: Dual
    conditions: tuple[Any, ...]


def propose_near(problem: Problem, point: Mapping[str, Rational]) -> ProposalNear | None:
    """What the optimal basis at a point of a region is with letters."""
    from exactdp.lp.parametric import conditions, optimum_near

    program = mechanism_program(problem)
    answer = optimum_near(program.lp, point)
    if answer is None:
        return None
    n, k = problem.consumer.loss.matrix.shape
    table = ExactMatrix([answer.x[i * k : (i + 1) * k] for i in range(n)], program.lp.field)
    return ProposalNear(table, program.dual(answer.y), tuple(conditions(program.lp, answer)))


def propose_second_optimum(
    problem: Problem, first: Mechanism, value: Any, *, progress: Listener | None = None
) -> tuple[Mechanism | None, Dual]:
    """A second optimal mechanism (or None), and a dual that is positive wherever every optimum is tight."""
    from exactdp.lp.parametric import another_optimum

    program = mechanism_program(problem)
    x = tuple(entry for row in first.matrix.rows() for entry in row)
    if not isinstance(problem.consumer, BayesianConsumer):
        x = (*x, value)
    y = solve(program.lp, progress=part_of(progress, "multipliers"))
    assert isinstance(y, Optimal)
    other, multipliers = another_optimum(program.lp, Optimal(x, y.y, value), progress=part_of(progress, "another optimum"))
    return None if other is None else program.mechanism(other), program.dual(multipliers)
