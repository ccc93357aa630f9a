# SPDX-License-Identifier: MIT
"""Does this dual bound the loss of every private mechanism from below, and by how much?

Nothing is solved here: a dual from a solver, from a paper or from a user's hand is recomputed exactly by one
of three rules (SPEC.md §4.2; proofs in docs/mathematics.md §1–2). The first violated condition is named.

A compact dual can be written out in full, with one multiplier for every privacy constraint
(:func:`explicit_dual`): those of a path dual follow from its weights by the identity of §1, those of a forest
dual from its weights and potentials by the sweep of §2. The graph rule is then a second route to the bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from exactdp.analysis.arguments import Arguments, ConsumerLike, as_kind
from exactdp.analysis.optimality.letters_at_point import at_point, negative_point
from exactdp.errors import InputError, ShapeError, UndecidedSignError
from exactdp.exact import QQ, ExactMatrix, ExponentialField, OrderedField, Rational, common_field, integer_vector, same_formula, smallest
from exactdp.exact.power_sums import power_sums
from exactdp.exact.region_functions import place
from exactdp.exact.repeated import different, numbered_objects
from exactdp.model import BayesianConsumer, Consumer, Dual, Graph, LevelLike, Neighbours, NeighboursLike, PrivacyLevel
from exactdp.model.graph import spanning_forest
from exactdp.model.level_argument import takes_epsilon
from exactdp.model.metric import Distance
from exactdp.runtime.values import dataclass


@dataclass(frozen=True, slots=True)
class DualFault:
    """The first condition that a dual breaks: the rule, where, and both sides (left ≥ right, or equal).

    With letters ``at`` is a point of their region where it is broken; elsewhere it may hold.
    """

    rule: str
    where: str
    left: Any
    right: Any
    at: dict[str, Rational] | None = None

    def __str__(self) -> str:
        sides = f"{self.rule} at {self.where}: {self.left} against {self.right}"
        if self.at is None:
            return sides
        return f"{sides}; for {place(self.at)} that is {at_point(self.left, self.at)} against {at_point(self.right, self.at)}"


def _less(rule: str, where: str, left: Any, right: Any) -> DualFault | None:
    """The fault, unless left ≥ right; with letters everywhere in their region."""
    try:
        return None if left >= right else DualFault(rule, where, left, right, negative_point(left - right))
    except UndecidedSignError as error:
        point = negative_point(left - right)
        if point is None:
            message = f"whether the dual keeps {rule} at {where} was not found: {error.message}"
            raise UndecidedSignError(message, **error.facts) from None
        return DualFault(rule, where, left, right, point)


def _unequal(rule: str, where: str, left: Any, right: Any) -> DualFault | None:
    """The fault, unless both sides are equal."""
    return (
        None
        if same_formula(left, right)
        else DualFault(rule, where, left, right, negative_point(left - right) or negative_point(right - left))
    )


@dataclass(frozen=True, slots=True)
class DualBound:
    """A certified lower bound on the loss of every private mechanism, or the fault of the dual."""

    value: Any | None
    fault: DualFault | None = None


@takes_epsilon
def dual_bound(neighbours: NeighboursLike, level: LevelLike, consumer: ConsumerLike, dual: Dual) -> DualBound:
    """The lower bound on every α-private mechanism's loss that ``dual`` proves, recomputed exactly.

    Parameters
    ----------
    neighbours : Graph, Metric or text
        On the consumer's inputs; all α^d rational for the graph rule, a path for the path rule, a forest for
        the forest rule.
    level : level
        0 < α < 1.
    consumer : MinimaxConsumer or BayesianConsumer
        Its loss l(i, r) may be any matrix.
    dual : Dual
        Weights, and potentials and edge multipliers as its rule needs.

    Returns
    -------
    DualBound
        ``value`` if every condition holds, otherwise ``fault``.

    Raises
    ------
    ShapeError
        The dual has the wrong number of entries.
    InputError
        The rule does not apply to these neighbours.

    Examples
    --------
    >>> from exactdp import Dual, Loss, MinimaxConsumer, PrivacyLevel, neighbours
    >>> zero_one = MinimaxConsumer(Loss.zero_one(range(2)))
    >>> dual_bound(neighbours("path:2"), PrivacyLevel("1/2"), zero_one, Dual(weights=("1/2", "1/2"))).value
    Rational('1/3')
    """
    neighbours, level, consumer = Arguments(neighbours=neighbours, level=level, consumer=consumer).problem
    as_kind(dual, Dual, "dual", "a Dual, such as Dual(weights=('1/2', '1/2'))")
    dual = exact_dual(dual, level, consumer)
    fld = common_field(consumer, level.alpha, *different(dual.numbers))
    weights = tuple(fld(w) for w in dual.weights)
    n = len(consumer.inputs)
    if len(weights) != n:
        raise ShapeError(f"the dual has {len(weights)} weights for {n} inputs", expected=n, got=len(weights))
    fault = _weight_fault(consumer, weights)
    if fault is not None:
        return DualBound(None, fault)
    if dual.potentials is None:
        if not (isinstance(neighbours, Graph) and neighbours.is_path):
            raise InputError("weights alone are a dual on a path only; give potentials (forest) and edges (any graph)")
        return _path_bound(level.alpha, _weighted(consumer, weights))
    potentials = [fld(u) for u in dual.potentials]
    if len(potentials) != n:
        raise ShapeError(f"the dual has {len(potentials)} potentials for {n} inputs", expected=n, got=len(potentials))
    if dual.edges is None:
        if not (isinstance(neighbours, Graph) and neighbours.is_forest):
            raise InputError("weights and potentials alone are a dual on a forest only; this graph has a cycle: give edges")
        fault = _forest_fault(neighbours, level.alpha, weights, potentials, consumer)
    elif _keeps_costs(fld, (neighbours, level, consumer), weights, potentials, dual.edges):
        fault = None
    else:
        costs = [[x - u for x in row] for row, u in zip(_weighted(consumer, weights), potentials, strict=True)]
        fault = _graph_fault(edge_slacks(neighbours, level, costs, dual.edges), consumer)
    return DualBound(None, fault) if fault else DualBound(sum(potentials, fld.zero))


def exact_dual(dual: Dual, *others: Any) -> Dual:
    """The dual with texts and integers read as numbers of the least field that it has in common with others.

    >>> from exactdp import Dual, PrivacyLevel
    >>> exact_dual(Dual(weights=(1, "a")), PrivacyLevel.symbolic()).weights
    (RationalFunction('1'), RationalFunction('a'))
    """
    field = common_field(*others, *different(dual.numbers))

    def exact(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(row) if field == QQ and set(map(type, row)) <= {Rational} else tuple(map(field, row))

    edges = None if dual.edges is None else tuple(map(exact, dual.edges))
    return Dual(exact(dual.weights), None if dual.potentials is None else exact(dual.potentials), edges)


def _weighted(consumer: Consumer, weights: Sequence[Any]) -> list[list[Any]]:
    """The numbers w_i l(i,r)."""
    return [[w * x for x in consumer.loss.matrix.row(i)] for i, w in enumerate(weights)]


def _weight_fault(consumer: Consumer, weights: tuple[Any, ...]) -> DualFault | None:
    labels = consumer.inputs
    if isinstance(consumer, BayesianConsumer):
        pairs = zip(labels, weights, consumer.prior.weights, strict=True)
        faults = (_unequal("weight = prior", label, w, p) for label, w, p in pairs)
        return next((fault for fault in faults if fault), None)
    known = set(consumer.side_information.indices)
    for i, w in enumerate(weights):
        fault = _less("weight >= 0", labels[i], w, 0)
        if fault is None and i not in known:
            fault = _unequal("weight = 0 outside the side information", labels[i], w, 0)
        if fault is not None:
            return fault
    return _unequal("weights sum to 1", "all inputs", sum(weights[1:], weights[0]), 1)


def _path_bound(a: Any, weighted: list[list[Any]]) -> DualBound:
    """The path rule: every h_r = f_r − b with b_j = min_r f_r(j) has one crossing (mathematics.md §1)."""
    n, field = len(weighted) - 1, a.field
    b, h = _path_costs(a, weighted)
    for r, row in enumerate(h):
        _, i = crossing(a, 1, row)
        if i is not None:
            where = f"guess {r}, input {i}"
            return DualBound(None, DualFault("single crossing h(i) >= alpha h(i-1)", where, row[i], a * row[i - 1]))
    ends, middle = field.one / (1 + a), (1 - a) / (1 + a)
    return DualBound(ends * (b[0] + b[n]) + middle * sum(b[1:n], field.zero))


def _path_costs(a: Any, weighted: list[list[Any]]) -> tuple[list[Any], list[list[Any]]]:
    """b_j = min_r f_r(j) with f_r(j) = Σ_i a^|i−j| w_i l(i,r), and h_r = f_r − b for every guess r."""
    f = [power_sums(a, column) for column in zip(*weighted, strict=True)]
    try:
        b = [smallest(costs) for costs in zip(*f, strict=True)]
    except UndecidedSignError as error:
        told = f"no guess is the best one everywhere, as the path rule asks: {error.message}; ask on a part, or give potentials and edges"
        raise UndecidedSignError(told, **error.facts) from None
    return b, [[x - y for x, y in zip(row, b, strict=True)] for row in f]


def crossing(p: Any, q: int, h: list[Any], *, at_least: Callable[[Any, Any], bool] | None = None) -> tuple[int, int | None]:
    """The k up to which h_i ≥ a·h_(i+1), a = p/q; and the first i > k + 1 with h_i < a·h_(i−1), or None.

    ``at_least`` says x ≥ y for the first of the two; unless given, :func:`everywhere_at_least`.

    >>> crossing(1, 2, [4, 2, 1, 4, 1])
    (2, 4)
    """
    n, at_least = len(h) - 1, at_least or everywhere_at_least
    k = next((i for i in range(n) if not at_least(q * h[i], p * h[i + 1])), n)
    return k, next((i for i in range(k + 2, n + 1) if q * h[i] < p * h[i - 1]), None)


def everywhere_at_least(x: Any, y: Any) -> bool:
    """Whether x ≥ y; for a symbolic level, on all of its interval."""
    try:
        return bool(x >= y)
    except UndecidedSignError:
        return False


def _forest_fault(graph: Graph, a: Any, weights: Sequence[Any], potentials: Sequence[Any], consumer: Consumer) -> DualFault | None:
    """The forest rule: fold every leaf at its cheapest value into its neighbour."""
    order = spanning_forest(graph.adjacency())[::-1]
    for r, (scale, costs) in enumerate(_costs_of_guesses(a, weights, potentials, consumer.loss.matrix)):
        for root, left in _folded(order, a, costs, scale):
            fault = _less("sweep >= 0", f"guess {consumer.loss.guesses[r]}, root {graph.vertices[root]}", left, 0)
            if fault is not None:
                return fault
    return None


def _costs_of_guesses(a: Any, weights: Sequence[Any], potentials: Sequence[Any], loss: ExactMatrix) -> Iterator[tuple[Any, list[Any]]]:
    """For each guess the costs w_i l(i,r) − μ_i; over ℚ as integers, after their denominator."""
    if all(isinstance(x, Rational) for x in (a, *weights, *potentials)) and loss.field == QQ:
        scale, numbers = integer_vector([*weights, *potentials])
        below, table = loss.integer_rows()
        n = len(table)
        for column in zip(*table, strict=True):
            yield scale * below, [w * x - below * u for w, x, u in zip(numbers[:n], column, numbers[n:], strict=True)]
    else:
        for r in range(loss.shape[1]):
            yield 1, [w * loss[i, r] - u for i, (w, u) in enumerate(zip(weights, potentials, strict=True))]


def forest_sweep(graph: Graph, a: Any, costs: list[list[Any]]) -> Iterator[tuple[int, int, Any]]:
    """Each guess and root of a tree, with what the costs w_i l(i,r) − μ_i come to when leaves are folded."""
    order = spanning_forest(graph.adjacency())[::-1]
    for r in range(len(costs[0])):
        c = [row[r] for row in costs]
        scale: Any = 1
        if all(isinstance(x, Rational) for x in (a, *c)):  # long fractions are slow: numbers over one denominator
            scale, c = integer_vector(c)
        yield from ((r, root, left) for root, left in _folded(order, a, c, scale))


def _folded(order: Sequence[tuple[int, int | None]], a: Any, costs: list[Any], scale: Any) -> Iterator[tuple[int, Any]]:
    """Each root with the sum of its tree, divided by ``scale``; children come before their parents."""
    if isinstance(a, Rational) and all(isinstance(x, int) for x in costs):
        yield from _folded_integers(order, a, costs, scale)
        return
    c = [Rational(x) if isinstance(x, int) else x for x in costs]
    for vertex, parent in order:
        if parent is None:
            yield vertex, c[vertex] / scale
        else:
            c[parent] = c[parent] + (a * c[vertex] if c[vertex].weak_sign() >= 0 else c[vertex] / a)


def _folded_integers(order: Sequence[tuple[int, int | None]], a: Rational, costs: list[Any], scale: Any) -> Iterator[tuple[int, Any]]:
    """The same of integers at a rational level p/q, as integers times (pq)^height: no fraction is reduced."""
    p, q = a.numerator, a.denominator
    down, up, step = p * p, q * q, p * q
    c, height = list(costs), [0] * len(costs)
    for vertex, parent in order:
        if parent is None:
            yield vertex, Rational(c[vertex]) / (scale * step ** height[vertex])
            continue
        passed, level = c[vertex] * (down if c[vertex] >= 0 else up), height[vertex] + 1
        if level > height[parent]:
            c[parent] *= step ** (level - height[parent])
            height[parent] = level
        elif level < height[parent]:
            passed *= step ** (height[parent] - level)
        c[parent] += passed


def edge_slacks(neighbours: Neighbours, level: PrivacyLevel, costs: list[list[Any]], edges: tuple[tuple[Any, ...], ...]) -> list[list[Any]]:
    """What is left of each cost w_i l(i,r) − μ_i after the edge multipliers: the reduced cost of x_ir."""
    pairs = neighbours.pairs()
    if len(edges) != len(pairs) or any(len(row) != len(costs[0]) for row in edges):
        raise ShapeError(
            f"the dual's edge multipliers are not a {len(pairs)}×{len(costs[0])} table (constrained pairs × guesses)",
            expected=(len(pairs), len(costs[0])),
            got=(len(edges), len(edges[0]) if edges else 0),
        )
    slack = [list(row) for row in costs]
    for (i, j, distance), row in zip(pairs, edges, strict=True):
        a = level.power(distance)
        for r, u in enumerate(row):
            sign = u.weak_sign()
            if sign > 0:
                slack[i][r] -= u
                slack[j][r] += a * u
            elif sign < 0:
                slack[j][r] += u
                slack[i][r] -= a * u
    return slack


def _keeps_reduced_costs(
    neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, weights: Sequence[Any], potentials: Sequence[Any], edges: Any
) -> bool:
    """Whether no reduced cost is negative over ℚ: for each guess integers over one denominator."""
    pairs = neighbours.pairs()
    common, levels = integer_vector([level.power(distance) for _, _, distance in pairs])
    columns = list(zip(*edges, strict=True))
    guesses = _costs_of_guesses(level.alpha, weights, potentials, consumer.loss.matrix)
    if len(edges) != len(pairs) or len(columns) != len(consumer.loss.guesses):
        return False
    for (scale, costs), column in zip(guesses, columns, strict=True):
        below, flows = integer_vector(list(column))
        shared = math.gcd(scale, below)  # nearly all of both, mostly
        times, flow_times = below // shared * common, scale // shared
        slack = [c * times for c in costs]
        for (i, j, _), flow, a in zip(pairs, flows, levels, strict=True):
            if flow:
                tail, head = (i, j) if flow > 0 else (j, i)
                amount = abs(flow) * flow_times
                slack[tail] -= amount * common
                slack[head] += amount * a
        if min(slack) < 0:
            return False
    return True


def _keeps_costs(
    field: OrderedField,
    problem: tuple[Neighbours, PrivacyLevel, Consumer],
    weights: Sequence[Any],
    potentials: Sequence[Any],
    edges: Any,
) -> bool:
    """Whether no reduced cost is negative, by what is fast in the field; False where nothing is."""
    if isinstance(field, ExponentialField):
        return _keeps_repeated_costs(field, problem, weights, potentials, edges)
    return field == QQ and _keeps_reduced_costs(*problem, weights, potentials, edges)


def _keeps_repeated_costs(
    field: ExponentialField,
    problem: tuple[Neighbours, PrivacyLevel, Consumer],
    weights: Sequence[Any],
    potentials: Sequence[Any],
    edges: Any,
) -> bool:
    """Whether no reduced cost is negative, where the numbers are the same few objects again and again.

    A reduced cost is w·l − μ less the multipliers that leave an entry, and α^d times those that arrive. It is
    computed once for each multiset of these objects.
    """
    neighbours, level, consumer = problem
    pairs, n, k = neighbours.pairs(), len(weights), len(consumer.loss.guesses)
    if len(edges) != len(pairs) or any(len(row) != k for row in edges):
        return False
    numbers, values = numbered_objects(edges)
    # what one more multiplier adds to the entries at both ends: a number for each object, distance and side
    values, one, minus = [field(x) for x in values], field.one, -field.one
    signs = [x.sign() for x in values]
    terms: list[tuple[Any, Any]] = []
    added: dict[Distance, dict[int, tuple[int, int]]] = {}
    paid: list[list[list[int]]] = [[[] for _ in range(k)] for _ in range(n)]
    for (i, j, distance), row in zip(pairs, numbers, strict=True):
        here = added.setdefault(distance, {})
        for r, u in enumerate(row):
            if not signs[u]:
                continue
            both = here.get(u)
            if both is None:
                both = here[u] = len(terms), len(terms) + 1
                power = level.power(distance)
                terms += [(values[u], minus), (values[u], power)] if signs[u] > 0 else [(values[u], one), (values[u], -power)]
            tail, head = (i, j) if signs[u] > 0 else (j, i)
            paid[tail][r].append(both[0])
            paid[head][r].append(both[1])
    losses, known = dict[Any, int](), set[Any]()
    [weight_of], known_weights = numbered_objects([weights])
    [potential_of], known_potentials = numbered_objects([potentials])
    exact_weights, exact_potentials = list(map(field, known_weights)), list(map(field, known_potentials))
    for i, row in enumerate(consumer.loss.matrix.rows()):
        for r, loss in enumerate(row):
            key = weight_of[i], potential_of[i], losses.setdefault(loss, len(losses)), tuple(sorted(paid[i][r]))
            if key in known:
                continue
            shares = [(exact_weights[weight_of[i]], field(loss)), (exact_potentials[potential_of[i]], minus)]
            if field.sign_of_dot([*shares, *(terms[t] for t in paid[i][r])]) < 0:
                return False
            known.add(key)
    return True


def _graph_fault(slack: list[list[Any]], consumer: Consumer) -> DualFault | None:
    for i, row in enumerate(slack):
        for r, s in enumerate(row):
            fault = _less("reduced cost >= 0", f"input {consumer.inputs[i]}, guess {consumer.loss.guesses[r]}", s, 0)
            if fault is not None:
                return fault
    return None


def explicit_dual(graph: Graph, level: PrivacyLevel, consumer: Consumer, dual: Dual) -> Dual:
    """The dual with potentials and a signed multiplier for each edge and guess.

    * ``graph``: a path for the path rule, a forest for the forest rule, any graph for a dual that is explicit
      already.
    * ``level``, ``consumer``, ``dual``: as in :func:`exactdp.dual_bound`, which should have accepted the
      dual.

    Returns: of the graph rule, proving the same bound.

    >>> from exactdp import Dual, Loss, MinimaxConsumer, PrivacyLevel, dual_bound, neighbours
    >>> path, level = neighbours("path:2"), PrivacyLevel("1/2")
    >>> consumer = MinimaxConsumer(Loss.zero_one(path.vertices))
    >>> full = explicit_dual(path, level, consumer, Dual(weights=("1/2", "1/2")))
    >>> full.rule, dual_bound(path, level, consumer, full).value
    ('graph', Rational('1/3'))
    """
    if dual.edges is not None:
        return dual
    field = common_field(consumer.loss, level.alpha, *dual.weights, *(dual.potentials or ()))
    weights = tuple(field(w) for w in dual.weights)
    weighted = _weighted(consumer, weights)
    if dual.potentials is None:
        potentials, edges = _from_path(level.alpha, weighted)
    else:
        potentials = tuple(field(u) for u in dual.potentials)
        edges = _from_forest(graph, level.alpha, [[x - u for x in row] for row, u in zip(weighted, potentials, strict=True)])
    return Dual(weights, potentials, edges)


def _from_path(a: Any, weighted: list[list[Any]]) -> tuple[tuple[Any, ...], tuple[tuple[Any, ...], ...]]:
    n = len(weighted) - 1
    b, h = _path_costs(a, weighted)
    norm = 1 - a * a
    potentials = []
    for i in range(n + 1):
        diagonal = (1 if i in (0, n) else 1 + a * a) * b[i]
        beside = sum((b[j] for j in (i - 1, i + 1) if 0 <= j <= n), a.field.zero)
        potentials.append((diagonal - a * beside) / norm)
    columns = [_path_edges(a, row) for row in h]
    return tuple(potentials), tuple(tuple(column[i] / norm for column in columns) for i in range(n))


def _path_edges(a: Any, h: list[Any]) -> list[Any]:
    """A guess's multipliers of edges (i, i+1), times 1 − a²: + of x_i − a x_{i+1}, − of x_{i+1} − a x_i."""
    n, (k, _) = len(h) - 1, crossing(a, 1, h)
    left = [h[i] - a * h[i + 1] for i in range(min(k, n))]
    if k == n:
        return left  # (1 − a²) h_n x_n stays as slack
    right = [a * h[i] - h[i + 1] for i in range(k + 1, n)]
    return [*left, h[k] - h[k + 1], *right]


def _from_forest(graph: Graph, a: Any, costs: list[list[Any]]) -> tuple[tuple[Any, ...], ...]:
    """Folding leaf i into j uses c·(x_i − a x_j) if c ≥ 0 and (−c/a)·(x_j − a x_i) otherwise."""
    position = {edge: e for e, edge in enumerate(graph.edges)}
    table = [[costs[0][0].field.zero] * len(costs[0]) for _ in graph.edges]
    order = spanning_forest(graph.adjacency())[::-1]  # children before parents
    for r in range(len(costs[0])):
        c = [row[r] for row in costs]
        for vertex, parent in order:
            if parent is None:
                continue
            edge = (min(vertex, parent), max(vertex, parent))
            forth = 1 if vertex < parent else -1
            if c[vertex].weak_sign() >= 0:
                table[position[edge]][r] = forth * c[vertex]
                c[parent] = c[parent] + a * c[vertex]
            else:
                table[position[edge]][r] = forth * c[vertex] / a
                c[parent] = c[parent] + c[vertex] / a
    return tuple(tuple(row) for row in table)
