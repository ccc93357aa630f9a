# SPDX-License-Identifier: MIT
"""Optimal mechanisms on a forest, by column generation over rays (untrusted; docs/mathematics.md §2).

Every column of a private mechanism is a sum of extreme rays of the privacy cone. On a tree every edge of such
a ray is tight, x_i = α·x_j or x_j = α·x_i, so it is x_i = α^(k_i) with whole numbers k_i that differ by one
along every edge; it is scaled to min k = 0. On a forest a ray lives on one tree and is 0 elsewhere. For costs
c the least Σ c_i x_i over rays with x_v = 1 follows from folding leaves::

    F(v) = c_v + Σ_{w beside v} g(F(w without v)),   g(t) = α·t if t ≥ 0 else t/α

The variables of the master problem are weights θ_c ≥ 0 of pairs c = (guess r, ray h). With K_ii = 1 + (deg i
− 1)α² and −α beside the diagonal, (K h)_i/(1 − α²) = h_i·(1 − number of larger neighbours) is zero except at
peaks and troughs; this keeps the master problem sparse::

    minimise d   with   Σ_c θ_c (K h_c)_i/(1 − α²) = s_i = (1 − (deg i − 1)α)/(1 + α)   for every i (dual u_i)
                        d − Σ_c θ_c l(i, r_c) h_ci ≥ 0                                  for i ∈ S   (dual λ_i)

(a Bayesian consumer pays Σ_i π_i l(i, r_c) h_ci instead). The potentials are μ = K u/(1 − α²). A column is
missing if Σ_i (λ_i l(i, r) − μ_i) h_i < 0 for some ray: first looked for in doubles, then decided exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from exactdp.errors import ResourceLimitError
from exactdp.exact import ExactMatrix, Rational, integer_vector
from exactdp.limits import Limit, Listener, Progress, part_of, reporter
from exactdp.lp.highs import FloatAnswer, FloatProgram, Proposer, ask_highs, propose_basis
from exactdp.lp.problem import Basis, LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.model import BayesianConsumer, Consumer, Dual, Graph, Mechanism
from exactdp.model.graph import spanning_forest, steps_from

Ray = tuple[tuple[int, int], ...]
"""Pairs (vertex, k) with x_vertex = α^k, by vertex; other entries are zero."""

Column = tuple[int, Ray]
"""A guess, and a ray of its probabilities."""

ROUNDS = 300
"""At most so many rounds in doubles."""

SMALL = 1e-11
"""A column whose price is above this share of the losses is not worth a round in doubles."""

CROWD = 8
"""With more columns than this a row in the master problem, those that are not in use are forgotten."""

CLOSE = 1e-7
"""A column that is not in use is kept for the exact rounds if its price is below this."""

MANY = 3
"""At most so many columns for a guess in one round."""


class Forest:
    """A forest with an order in which every vertex comes after its parent.

    Examples
    --------
    >>> forest = Forest(Graph.path(3))
    >>> forest.price([1.0, -3.0, 1.0], 0.5)                     # the peak in the middle costs 1/2 − 3 + 1/2
    [((0, 1), (1, 0), (2, 1))]
    >>> forest.violated([2, -1, 2], 1, 2), forest.violated([2, -3, 2], 1, 2)
    ([], [((0, 1), (1, 0), (2, 1))])
    """

    def __init__(self, graph: Graph) -> None:
        self.near = graph.adjacency()
        self.size = len(self.near)
        found = spanning_forest(self.near)
        self.order = [v for v, _ in found]
        self.parent: list[int | None] = [parent for _, parent in sorted(found)]
        self.roots = [v for v, parent in found if parent is None]
        self.tree = [0] * self.size
        self.members: dict[int, list[int]] = {root: [] for root in self.roots}
        for v in self.order:
            above = self.parent[v]
            self.tree[v] = v if above is None else self.tree[above]
            self.members[self.tree[v]].append(v)

    def falling_from(self, peak: int) -> Ray:
        """The ray with x = α^distance from this vertex."""
        return tuple((v, steps) for v, steps in enumerate(steps_from(self.near, peak)) if steps is not None)

    def turns(self, ray: Ray) -> list[tuple[int, int, int]]:
        """(vertex, k, 1 − number of larger neighbours) where the last is not zero: peaks and troughs."""
        heights = dict(ray)
        found = []
        for v, k in ray:
            sign = 1 - sum(heights[w] < k for w in self.near[v])
            if sign:
                found.append((v, k, sign))
        return found

    def price(self, costs: Sequence[float], alpha: float, bound: float = 0.0) -> list[Ray]:
        """Rays whose mean cost Σ c_i x_i / Σ x_i is below ``bound`` ≤ 0, in doubles, the cheapest last.

        Dinkelbach's method: with ρ the mean cost of the last ray found, look for a ray cheap for c − ρ.
        """
        found: list[Ray] = []
        waiting, means = set(self.roots), dict.fromkeys(self.roots, bound)
        while waiting:
            shifted = [c - means[self.tree[v]] for v, c in enumerate(costs)]
            total, rays = self._fold(shifted, alpha, waiting)
            waiting = set()
            for root, ray in rays.items():
                entries = [(v, alpha**k) for v, k in ray]
                mean = sum(costs[v] * x for v, x in entries) / sum(x for _, x in entries)
                if total[root] < 0 and mean < means[root]:
                    means[root] = mean
                    found.append(tuple(sorted(ray)))
                    waiting.add(root)
        return found

    def _fold(self, costs: list[float], alpha: float, roots: set[int]) -> tuple[list[float], dict[int, list[tuple[int, int]]]]:
        """F at every vertex, from the leaves to these roots, and the cheapest ray of each root."""
        for v in reversed(self.order):
            above = self.parent[v]
            if above is not None:
                cost = costs[v]
                costs[above] += cost * alpha if cost >= 0 else cost / alpha
        steps = [1 if cost >= 0 else -1 for cost in costs]
        return costs, {root: self.ray(root, steps) for root in roots}

    def ray(self, root: int, steps: Sequence[int]) -> list[tuple[int, int]]:
        """The ray on this root's tree with k_v − k_parent = ``steps[v]``, parents before children."""
        heights: dict[int, int] = {}
        for v in self.members[root]:
            above = self.parent[v]
            heights[v] = 0 if above is None else heights[above] + steps[v]
        least = min(heights.values())
        return [(v, k - least) for v, k in heights.items()]

    def violated(self, costs: Sequence[int], p: int, q: int) -> list[Ray]:
        """In each tree the cheapest ray with x_root = 1 if its cost is negative, exactly; α = p/q."""
        depth = [0] * self.size
        value = list(costs)
        step = p * q
        down = [True] * self.size
        for v in reversed(self.order):
            above = self.parent[v]
            down[v] = value[v] >= 0
            if above is None:
                continue
            passed, height = value[v] * (p * p if down[v] else q * q), depth[v] + 1  # g(F) times (pq)^height
            if depth[above] < height:
                value[above] *= step ** (height - depth[above])
                depth[above] = height
            elif height < depth[above]:
                passed *= step ** (depth[above] - height)
            value[above] += passed
        steps = [1 if up else -1 for up in down]
        return [tuple(sorted(self.ray(root, steps))) for root in self.roots if not down[root]]


class Master:
    """The columns so far. Variable 0 is d (in no row for a Bayesian consumer), variable c + 1 is θ_c."""

    def __init__(self, graph: Graph, alpha: Rational, consumer: Consumer) -> None:
        self.graph, self.alpha, self.consumer = graph, alpha, consumer
        self.forest = Forest(graph)
        self.size, self.guesses = consumer.loss.matrix.shape
        self.loss = [consumer.loss.matrix.row(i) for i in range(self.size)]
        self.bayesian = isinstance(consumer, BayesianConsumer)
        self.known: Sequence[int] = range(0)
        self.prior: Sequence[Any] = ()
        if isinstance(consumer, BayesianConsumer):
            self.prior = consumer.prior.weights
        else:
            self.known = consumer.side_information.indices
        self.float_prior = [p.rough_float() for p in self.prior]
        one = Rational(1)
        self.degree = [len(near) for near in self.forest.near]
        self.scales = [(one - (d - 1) * alpha) / (one + alpha) for d in self.degree]
        self.powers = [one]
        self.columns: list[Column] = []
        self.present: set[Column] = set()
        self.float_loss = [[x.rough_float() for x in row] for row in self.loss]
        self.float_rows: list[dict[int, float]] = [{} for _ in range(self.size + len(self.known))]
        self.float_cost = [0.0 if self.bayesian else 1.0]
        self.unit = max((abs(x) for row in self.float_loss for x in row), default=0.0) or 1.0
        for place in range(self.size, len(self.float_rows)):
            self.float_rows[place][0] = 1.0
        for ray in self._rays_of_a_constant():
            self.add((self._safest_guess(), ray))
        for column in self._single_peaks():
            self.add(column)

    def _safest_guess(self) -> int:
        rows = range(self.size) if self.bayesian else self.known
        return min(range(self.guesses), key=lambda r: max(self.loss[i][r] for i in rows))

    def _single_peaks(self) -> list[Column]:
        """For each vertex the ray that falls away from it, with the best guesses under the prior or on S."""
        a = float(self.alpha)
        weights = self.float_prior if self.bayesian else [float(i in set(self.known)) for i in range(self.size)]
        found = []
        for v in range(self.size):
            ray = self.forest.falling_from(v)
            shares = [(i, weights[i] * a**k) for i, k in ray if weights[i]]
            cost = [sum(w * self.float_loss[i][r] for i, w in shares if w > 1e-6) for r in range(self.guesses)]
            found += [(r, ray) for r in sorted(range(self.guesses), key=cost.__getitem__)[:MANY]]
        return found

    def _rays_of_a_constant(self) -> list[Ray]:
        """Rays that combine to 1 everywhere: again and again as much of a ray as the cone allows."""
        a, rest = self.alpha, [Rational(1)] * self.size
        steps = [-1] * self.size  # of k from a vertex's parent; 1 once x_v = α·x_parent is tight for the rest
        found = []
        for root in self.forest.roots:
            while True:
                entries = self.forest.ray(root, steps)
                found.append(tuple(sorted(entries)))
                ray = {v: self.power(k) for v, k in entries}
                open_edges = [(v, w) for v, _ in entries if (w := self.forest.parent[v]) is not None and steps[v] < 0]
                if not open_edges:
                    break
                # the ray has x_w = α·x_v on open edges: only x_w − α·x_v stays as it is
                shares = {v: (rest[v] - a * rest[w]) / (ray[v] - a * ray[w]) for v, w in open_edges}
                share = min(shares.values())
                for v, x in ray.items():
                    rest[v] = rest[v] - share * x
                for v, most in shares.items():
                    steps[v] = 1 if most == share else -1
        return found

    def power(self, k: int) -> Rational:
        """α^k, kept for the next time."""
        while len(self.powers) <= k:
            self.powers.append(self.powers[-1] * self.alpha)
        return self.powers[k]

    def add(self, column: Column) -> None:
        """Take a column in, unless it is there."""
        if column in self.present:
            return
        self.present.add(column)
        self.columns.append(column)
        index, a = len(self.columns), float(self.alpha)
        entries, cost = self._column(column, lambda k: a**k, self.float_loss, self.float_prior)
        for place, x in entries:
            self.float_rows[place][index] = x if place < self.size else x / self.unit
        self.float_cost.append(cost / self.unit)

    def _column(self, column: Column, power: Callable[[int], Any], loss: Any, prior: Any) -> tuple[list[tuple[int, Any]], Any]:
        """The entries (row, number) of a column of the program, and its cost to a Bayesian consumer."""
        r, ray = column
        entries = [(v, power(k) * sign) for v, k, sign in self.forest.turns(ray)]
        heights = dict(ray)
        for place, i in enumerate(self.known, start=self.size):
            if i in heights and loss[i][r]:
                entries.append((place, -loss[i][r] * power(heights[i])))
        return entries, sum(prior[v] * loss[v][r] * power(k) for v, k in ray) if self.bayesian else 0

    # In doubles

    def float_rounds(self, report: Listener | None = None) -> Basis | None:
        """Generate columns in doubles until there are no more, forget expensive ones; a basis of the rest."""
        basis: Basis | None = None
        for number in range(ROUNDS):
            if report is not None:
                report(Progress("columns in doubles", number, unit="rounds", detail=f"{len(self.columns)} columns"))
            found = ask_highs(self._float_program(), basis)
            if found is None:
                return basis
            missing = self._float_missing(found)
            if not missing or len(self.columns) > CROWD * len(self.float_rows):
                flags = self._trimmed(found, 0.0 if missing else CLOSE)
            else:
                flags = found.basis.columns
            known = len(self.columns)
            for column in missing:
                self.add(column)
            basis = Basis((*flags, *[False] * (len(self.columns) - known)), found.basis.rows)
            if not missing:
                break
        return basis

    def _trimmed(self, found: FloatAnswer, most: float) -> tuple[bool, ...]:
        """Forget unused columns that cost more than ``most``; which variables of the rest are basic."""
        basic = found.basis.columns
        kept = [c for c in range(len(self.columns)) if basic[c + 1] or found.reduced[c + 1] <= most]
        columns, self.columns, self.present = self.columns, [], set()
        for row in self.float_rows:
            for index in [index for index in row if index]:
                del row[index]
        del self.float_cost[1:]
        for c in kept:
            self.add(columns[c])
        return (basic[0], *(basic[c + 1] for c in kept))

    def _float_program(self) -> FloatProgram:
        starts, index, values = [0], list[int](), list[float]()
        for row in self.float_rows:
            index.extend(row)
            values.extend(row.values())
            starts.append(len(index))
        lower = [float(s) for s in self.scales] + [0.0] * len(self.known)
        upper = [float(s) for s in self.scales] + [math.inf] * len(self.known)
        bounds = [0.0 if self.bayesian else -math.inf] + [0.0] * len(self.columns)
        return FloatProgram(self.float_cost, bounds, [math.inf] * len(bounds), lower, upper, starts, index, values)

    def _float_missing(self, found: FloatAnswer) -> list[Column]:
        a = float(self.alpha)
        potentials, weights = self._potentials(found.multipliers, a), self._weights(found.multipliers, self.float_prior, 0.0)
        missing: list[Column] = []
        for r in range(self.guesses):
            costs = [w * self.float_loss[i][r] / self.unit - potentials[i] for i, w in enumerate(weights)]
            missing.extend((r, ray) for ray in self.forest.price(costs, a, -SMALL)[-MANY:])
        return [column for column in missing if column not in self.present]

    # Exactly

    def program(self) -> LinearProgram:
        """The master problem of the columns so far."""
        rows: list[dict[int, Any]] = [{} for _ in range(self.size + len(self.known))]
        objective: dict[int, Any] = {} if self.bayesian else {0: Rational(1)}
        for place in range(self.size, len(rows)):
            rows[place][0] = Rational(1)
        for index, column in enumerate(self.columns, start=1):
            entries, cost = self._column(column, self.power, self.loss, self.prior)
            for place, x in entries:
                rows[place][index] = x
            if self.bayesian:
                objective[index] = cost
        lp_rows = [Row(row, "==", s) for row, s in zip(rows, self.scales, strict=False)]
        lp_rows += [Row(row, ">=", Rational(0)) for row in rows[self.size :]]
        return LinearProgram(len(self.columns) + 1, objective, lp_rows, frozenset() if self.bayesian else {0})

    def _weights(self, y: Sequence[Any], prior: Sequence[Any], zero: Any) -> list[Any]:
        """λ, or the prior."""
        if self.bayesian:
            return list(prior)
        weights = [zero] * self.size
        for i, w in zip(self.known, y[self.size :], strict=True):
            weights[i] = w
        return weights

    def _potentials(self, y: Sequence[Any], a: Any) -> list[Any]:
        """μ = K u/(1 − α²)."""
        norm = 1 - a * a
        return [((1 + (len(near) - 1) * a * a) * y[i] - a * sum(y[j] for j in near)) / norm for i, near in enumerate(self.forest.near)]

    def dual(self, y: Sequence[Any]) -> Dual:
        """Weights and potentials."""
        return Dual(tuple(self._weights(y, self.prior, Rational(0))), tuple(self._potentials(y, self.alpha)))

    def missing(self, y: Sequence[Any]) -> list[Column]:
        """For every guess and tree a column with a negative price, if there is one; exact."""
        dual = self.dual(y)
        assert dual.potentials is not None
        _, numbers = integer_vector([*dual.weights, *dual.potentials])
        weights, potentials = numbers[: self.size], numbers[self.size :]
        common, flat = integer_vector([x for row in self.loss for x in row])
        p, q = self.alpha.numerator, self.alpha.denominator
        found: list[Column] = []
        for r in range(self.guesses):
            costs = [w * flat[i * self.guesses + r] - common * u for i, (w, u) in enumerate(zip(weights, potentials, strict=True))]
            certain = self.forest.violated(costs, p, q)
            if certain:
                largest = max(map(abs, costs))
                found.extend((r, ray) for ray in certain)
                found.extend((r, ray) for ray in self.forest.price([c / largest for c in costs], float(self.alpha))[-MANY:])
        return found

    def mechanism(self, x: Sequence[Any]) -> Mechanism:
        """X = Σ_c θ_c h_c."""
        table = [[Rational(0)] * self.guesses for _ in range(self.size)]
        for (r, ray), theta in zip(self.columns, x[1:], strict=True):
            if theta:
                for v, k in ray:
                    table[v][r] = table[v][r] + theta * self.power(k)
        return Mechanism(ExactMatrix(table), self.consumer.inputs, self.consumer.loss.guesses)


def propose_by_columns(
    graph: Graph,
    alpha: Rational,
    consumer: Consumer,
    *,
    proposer: Proposer | None = propose_basis,
    progress: Listener | None = None,
    limit: Limit | None = None,
) -> tuple[Mechanism, Dual]:
    """An optimal mechanism on a forest, and its weights and potentials.

    Parameters
    ----------
    graph : Graph
        Without cycles.
    alpha : Rational
        0 < α < 1.
    consumer : MinimaxConsumer or BayesianConsumer
        On the graph's vertices, any loss.
    proposer, progress, limit
        As for :func:`exactdp.lp.solve.solve`; without a proposer everything is done exactly from the start.

    Raises
    ------
    ResourceLimitError
        The limit ended the search; carries ``table``, ``dual``, the numbers so far (None, or neither private
        nor proving anything yet).

    Examples
    --------
    >>> from exactdp.model import Loss, MinimaxConsumer
    >>> graph = Graph.path(2)
    >>> consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    >>> mechanism, dual = propose_by_columns(graph, Rational("1/2"), consumer)
    >>> mechanism[0, 0], sum(dual.potentials)
    (Rational('2/3'), Rational('1/3'))
    """
    master = Master(graph, alpha, consumer)
    report = reporter(progress, limit)
    table: Any = None
    dual: Dual | None = None
    try:
        basis = master.float_rounds(report) if proposer is not None else None
        number = 0
        while True:
            number += 1
            told = part_of(report, f"round {number} of {len(master.columns)} columns")
            answer = solve(master.program(), start=basis, proposer=proposer, progress=told)
            assert isinstance(answer, Optimal)
            table, dual = list(master.mechanism(answer.x).matrix.rows()), master.dual(answer.y)
            missing = master.missing(answer.y)
            if not missing:
                return master.mechanism(answer.x), dual
            known = len(master.columns)
            for column in missing:
                master.add(column)
            assert len(master.columns) > known, "a column that is missing was already there"
            basis = _basis_of(answer, len(master.columns) + 1)
    except ResourceLimitError as error:
        raise ResourceLimitError(error.message, **{**error.facts, "vertex": None, "table": table, "dual": dual}) from None


def _basis_of(answer: Optimal, size: int) -> Basis:
    """A basis at which the answer is the vertex: the columns in use, and the rows without a multiplier."""
    columns = [bool(v) for v in answer.x]
    columns[0] = True
    return Basis((*columns, *[False] * (size - len(columns))), tuple(not y for y in answer.y))
