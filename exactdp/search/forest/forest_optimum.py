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
missing if Σ_i (λ_i l(i, r) − μ_i) h_i < 0 for some ray: first looked for in doubles, then with some
hundreds of bits, then decided exactly.

References
----------
G. B. Dantzig and P. Wolfe (1960), *Decomposition principle for linear programs*, Operations Research 8,
101–111.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2
from typing import TYPE_CHECKING, Any

from exactdp.errors import ResourceLimitError
from exactdp.exact import ExactMatrix, OverOneDenominator, Rational, integer_vector
from exactdp.lp.highs import propose_basis
from exactdp.lp.problem import Basis, LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.model import BayesianConsumer, Consumer, Dual, Graph, Mechanism
from exactdp.runtime.progress import Listener, listener_of, part_of
from exactdp.search.forest.precise import BITS, PreciseMaster
from exactdp.search.forest.rays import Column, Forest, Ray

if TYPE_CHECKING:
    from exactdp.search.forest.doubles import DoubleMaster

PEAKS = 3
"""So many columns a vertex at the start, and a guess in an exact round."""


LARGE = 40
"""From so many inputs on, doubles are refined before some hundreds of bits are used."""

MOST_BITS = 4096
"""At most so many bits for columns between doubles and exact numbers."""


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
        one = Rational(1)
        self.degree = [len(near) for near in self.forest.near]
        self.scales = [(one - (d - 1) * alpha) / (one + alpha) for d in self.degree]
        self.powers = [one]
        self.columns: list[Column] = []
        self.present: set[Column] = set()
        if min(self.scales) < 0:  # else the geometric mechanism, whose rays have single peaks, is a start
            safest = self._safest_guess()
            for ray in self._rays_of_a_constant():
                self.add((safest, ray))
        for column in self._single_peaks():
            self.add(column)
        self.first = list(self.columns)

    def _safest_guess(self) -> int:
        rows = range(self.size) if self.bayesian else self.known
        return min(range(self.guesses), key=lambda r: max(self.loss[i][r] for i in rows))

    def _single_peaks(self) -> list[Column]:
        """For each vertex the ray that falls away from it, with the best guesses under the prior or on S."""
        a = float(self.alpha)
        weights = [p.rough_float() for p in self.prior] or [float(i in set(self.known)) for i in range(self.size)]
        loss = [[x.rough_float() for x in row] for row in self.loss]
        found = []
        for v in range(self.size):
            ray = self.forest.falling_from(v)
            cost = [0.0] * self.guesses
            for i, k in ray:
                share = weights[i] * a**k
                if share > 1e-6:
                    cost = [c + share * x for c, x in zip(cost, loss[i], strict=True)]
            found += [(r, ray) for r in sorted(range(self.guesses), key=cost.__getitem__)[:PEAKS]]
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

    def replace(self, columns: Sequence[Column]) -> None:
        """Other columns in the place of these."""
        self.columns, self.present = list(columns), set(columns)

    def _column(self, column: Column, power: Callable[[int], Any], loss: Any, prior: Any) -> tuple[list[tuple[int, Any]], Any]:
        """The entries (row, number) of a column of the program, and its cost to a Bayesian consumer."""
        r, ray = column
        entries = [(v, power(k) * sign) for v, k, sign in self.forest.turns(ray)]
        heights = dict(ray)
        for place, i in enumerate(self.known, start=self.size):
            if i in heights and loss[i][r]:
                entries.append((place, -loss[i][r] * power(heights[i])))
        return entries, sum(prior[v] * loss[v][r] * power(k) for v, k in ray) if self.bayesian else 0

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
                found.extend((r, ray) for ray in self.forest.price([c / largest for c in costs], float(self.alpha))[-PEAKS:])
        return found

    def mechanism(self, x: Sequence[Any]) -> Mechanism:
        """X = Σ_c θ_c h_c."""
        return Mechanism(self.table(x), self.consumer.inputs, self.consumer.loss.guesses)

    def table(self, x: Sequence[Any]) -> ExactMatrix:
        """The entries of the mechanism, added up in integers over one denominator."""
        p, q = self.alpha.numerator, self.alpha.denominator
        used = [(column, theta) for column, theta in zip(self.columns, x[1:], strict=True) if theta]
        top = max((k for (_, ray), _ in used for _, k in ray), default=0)
        powers = [p**k * q ** (top - k) for k in range(top + 1)]  # α^k·q^top
        common, weights = integer_vector([theta for _, theta in used])
        table = [[0] * self.guesses for _ in range(self.size)]
        for ((r, ray), _), weight in zip(used, weights, strict=True):
            for v, k in ray:
                table[v][r] += weight * powers[k]
        return OverOneDenominator(table, common * q**top)


def _in_doubles(master: Master, report: Listener | None) -> Basis | None:
    """Put the columns that doubles find in the place of those of the master problem; a basis of them."""
    try:
        from exactdp.search.forest.doubles import DoubleMaster
    except ImportError:  # without HiGHS there may be no NumPy
        return None
    loss = [[x.rough_float() for x in row] for row in master.loss]
    doubles = DoubleMaster(master.forest, float(master.alpha), loss, master.known, [p.rough_float() for p in master.prior])
    doubles.add(master.columns)
    large = master.size >= LARGE
    basis = doubles.rounds(report, stages=1) if large else doubles.rounds(report)
    if basis is None:
        return None
    refined = _refined(master, doubles, basis, report) if large else None
    if refined is not None:
        chosen, complete = refined
        basis = _take(master, chosen)
        if complete:
            return basis
    else:
        master.replace(doubles.columns)
    return _precisely(master, basis, report) or basis


def _refined(master: Master, doubles: DoubleMaster, basis: Basis, report: Listener | None) -> tuple[list[Column | int], bool] | None:
    """The basic variables where refined doubles end, and whether these take them for an optimum."""
    from exactdp.search.forest.refined import RefinedMaster

    try:
        refined = RefinedMaster(doubles, basis, master.forest, master.alpha, master.loss, master.known, master.prior)
        complete = refined.optimise(report)
    except ArithmeticError:
        return None
    return refined.basic, complete and refined.is_sure


def _take(master: Master, basic: Sequence[Column | int | None]) -> Basis:
    """Put the columns among these variables in the place of those of the master problem; their basis."""
    master.replace([x for x in basic if isinstance(x, tuple)])
    free = {x for x in basic if isinstance(x, int)}
    rows = [False] * master.size + [place in free for place in range(len(master.known))]
    return Basis((not master.bayesian, *[True] * len(master.columns)), tuple(rows))


def _precisely(master: Master, basis: Basis, report: Listener | None) -> Basis | None:
    """The basis at which precise columns end, now those of the master problem; None if they do not end."""
    slacks = [place - master.size for place, basic in enumerate(basis.rows) if basic]
    basic = [column for column, flag in zip(master.columns, basis.columns[1:], strict=True) if flag]
    if min(slacks, default=0) < 0 or len(basic) + len(slacks) + (not master.bayesian) != len(basis.rows):
        return None
    decay = log2(master.alpha.denominator) - log2(master.alpha.numerator)
    bits = min(MOST_BITS, BITS + int(master.size * decay))
    try:
        precise = PreciseMaster(master.forest, master.alpha, master.loss, master.known, master.prior, [*basic, *slacks], bits)
        if not precise.optimise(report):
            return None
    except ZeroDivisionError:  # a singular basis
        return None
    return _take(master, precise.basic)


def propose_by_columns(
    graph: Graph,
    alpha: Rational,
    consumer: Consumer,
    *,
    plain: bool = False,
    progress: Listener | None = None,
) -> tuple[Mechanism, Dual]:
    """An optimal mechanism on a forest, and its weights and potentials.

    * ``graph``: without cycles.
    * ``alpha``: 0 < α < 1.
    * ``consumer``: on the graph's vertices, any loss.
    * ``plain``: whether everything is done exactly from the start.
    * ``progress``: as for :func:`exactdp.lp.solve.solve`.
    * raises ResourceLimitError: the listener ended it; carries ``table``, ``dual``, the numbers so far (None,
      or neither private nor proving anything yet).

    >>> from exactdp.model import Loss, MinimaxConsumer
    >>> graph = Graph.path(2)
    >>> consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    >>> mechanism, dual = propose_by_columns(graph, Rational("1/2"), consumer)
    >>> mechanism[0, 0], sum(dual.potentials)
    (Rational('2/3'), Rational('1/3'))
    """
    master = Master(graph, alpha, consumer)
    report = listener_of(progress)
    table: Any = None
    dual: Dual | None = None
    try:
        proposer = None if plain else propose_basis
        basis = None if plain else _in_doubles(master, report)
        number = 0
        while True:
            number += 1
            told = part_of(report, f"round {number} of {len(master.columns)} columns")
            answer = solve(master.program(), start=basis, proposer=proposer, progress=told)
            if not isinstance(answer, Optimal):  # proposed columns without a mechanism; the first ones have some
                assert not master.present.issuperset(master.first), "the first columns have a mechanism"
                for column in master.first:
                    master.add(column)
                basis = None
                continue
            mechanism, dual = master.mechanism(answer.x), master.dual(answer.y)
            missing = master.missing(answer.y)
            if not missing:
                return mechanism, dual
            table = list(mechanism.matrix.rows())
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
