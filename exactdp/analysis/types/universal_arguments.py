# SPDX-License-Identifier: MIT
"""Arguments about universal optimality that hold for every prior: a path, a tree, the shape of a graph.

*For a mechanism*: along a path, for losses that cross once there (docs/mathematics.md §1), and on a tree, for
the zero-one loss (proofs/fernandes_metric_privacy/arguments.md; SPEC §4.14).

*By the shape of a graph*, however large it is, with the zero-one loss or the distance as loss: for the
zero-one loss some mechanism is universally optimal exactly on trees with (degree − 1)·α ≤ 1 at every vertex,
for the distance exactly on paths. A given mechanism that is not universally optimal loses more than another
under a prior on two or three adjacent inputs. Source: SPEC §4.14, with a proof; in Coq
proofs/coq/Impossibility.v, ImpossibilityDistance.v and Trees.v. The case of the discrete metric is Theorem 11
of Fernandes, McIver, Palamidessi, Ding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations
from typing import Any

from exactdp.analysis.privacy import is_private
from exactdp.analysis.refinement import is_derivable
from exactdp.analysis.tight.tight_mechanism import mechanism_of_weights, tree_weights
from exactdp.analysis.types.universal_priors import least_loss
from exactdp.exact import common_field
from exactdp.mechanisms import geometric
from exactdp.model import Graph, Loss, Mechanism, Neighbours, PrivacyLevel, Remap
from exactdp.model.graph import steps_from, traversed, unit_graph


@dataclass(frozen=True, kw_only=True)
class UniversalEvidence:
    """Why a mechanism is universally optimal for a loss, or why it (or every one) is not.

    Attributes
    ----------
    neighbours, level, loss
        What was asked.
    mechanism : Mechanism or None
        The one asked about, or found.
    rule : str
        path, tree, kinks; or priors, cycle, star (none is), prior (this one is not); or empty.
    inputs, guesses, remap
        Of the rules path and tree: where the loss matters, in the order of the path; the order of the
        guesses; R. Of the rules cycle and star: the cycle; an input and its neighbours.
    priors : tuple of tuples
        The kinks; or priors, up to scale, that no mechanism serves; or the one under which another is better.
    potentials : tuple of tuples
        For each kink, or once for all priors together.
    better : tuple of Mechanism
        A mechanism for each prior, whose outputs are the guesses.
    numbers : tuple of int
        The places of the priors in the order in which they were tried.
    """

    neighbours: Neighbours
    level: PrivacyLevel
    loss: Loss
    mechanism: Mechanism | None = None
    rule: str = ""
    inputs: tuple[int, ...] = ()
    guesses: tuple[int, ...] = ()
    remap: Remap | None = None
    priors: tuple[tuple[Any, ...], ...] = ()
    potentials: tuple[tuple[Any, ...], ...] = ()
    better: tuple[Mechanism, ...] = ()
    numbers: tuple[int, ...] = ()


def by_theorem(base: UniversalEvidence) -> Iterator[UniversalEvidence]:
    """The arguments that apply to the mechanism asked about, or to one made for the purpose."""
    for inputs in _paths(base):
        guesses = _crossing_order(base.loss, inputs)
        if guesses is None:
            continue
        G = geometric(len(inputs) - 1, base.level.alpha)
        mechanism = base.mechanism or _along(base, inputs, G)
        if mechanism is None:
            continue
        part = Mechanism([mechanism.matrix.row(x) for x in inputs], G.inputs, mechanism.outputs)
        remap = is_derivable(G, source=part).evidence.remap
        if remap is not None:
            yield replace(base, mechanism=mechanism, rule="path", inputs=inputs, guesses=guesses, remap=remap)
    T = _tree_mechanism(base)
    if T is not None:
        mechanism = base.mechanism or T
        remap = is_derivable(T, source=mechanism).evidence.remap
        if remap is not None:
            yield replace(base, mechanism=mechanism, rule="tree", remap=remap)


def _paths(base: UniversalEvidence) -> Iterator[tuple[int, ...]]:
    """The inputs where the loss is not constant, in the orders in which each is adjacent to the next."""
    near = {(i, j) for a, b, d in base.neighbours.pairs() if d.rational == 1 for i, j in ((a, b), (b, a))}
    varying = [x for x, row in enumerate(base.loss.matrix.rows()) if any(value != row[0] for value in row)]
    if len(varying) < 2:
        varying = list(range(len(base.loss.inputs)))
    if all((i, j) in near for i, j in pairwise(varying)):
        yield tuple(varying)
    elif len(path := _path_through(varying, near)) == len(varying) > 6:
        yield path
    if len(varying) <= 6:
        for order in permutations(varying):
            if order[0] < order[-1] and list(order) != varying and all(pair in near for pair in pairwise(order)):
                yield order


def _path_through(places: Sequence[int], near: set[tuple[int, int]]) -> tuple[int, ...]:
    """These inputs in the order of a path, if the edges among them form one; else some of them or none."""
    beside = {x: [y for y in places if (x, y) in near] for x in places}
    ends = [x for x in places if len(beside[x]) == 1]
    if len(ends) != 2 or any(len(around) > 2 for around in beside.values()):
        return ()
    found = [ends[0]]
    while new := [y for y in beside[found[-1]] if y not in found[-2:]]:
        found.append(new[0])
    return tuple(found)


def _crossing_order(loss: Loss, inputs: Sequence[int]) -> tuple[int, ...] | None:
    """An order of the guesses in which every two cross once along these inputs, if there is one.

    Then the lexicographic order of their losses is one.
    """
    columns = {g: [loss[x, g] for x in inputs] for g in range(len(loss.guesses))}
    order = sorted(columns, key=lambda g: columns[g])
    for k, r in enumerate(order):
        for s in order[k + 1 :]:
            crossed = False
            for a, b in zip(columns[r], columns[s], strict=True):
                crossed = crossed or a > b
                if crossed and a < b:
                    return None
    return tuple(order)


def _along(base: UniversalEvidence, inputs: Sequence[int], G: Mechanism) -> Mechanism | None:
    """G of the distance from the path's first input, capped: on a geodesic it is G, and private."""
    if len(inputs) == len(base.loss.inputs):
        row_of = {x: k for k, x in enumerate(inputs)}
    else:
        distances = _distances_from(base.neighbours, inputs[0])
        if distances is None or any(distances[x] != k for k, x in enumerate(inputs)):
            return None
        row_of = {x: min(d, len(inputs) - 1) for x, d in enumerate(distances) if d is not None}
        if len(row_of) < len(base.loss.inputs):
            return None
    if isinstance(base.neighbours, Graph) and any(abs(row_of[i] - row_of[j]) > 1 for i, j in base.neighbours.edges):
        return None  # an edge over k > 1 steps, where the first column of G has the ratio a^k
    M = Mechanism([G.matrix.row(row_of[x]) for x in range(len(base.loss.inputs))], base.loss.inputs, G.outputs)
    return M if is_private(M, base.neighbours, base.level).proved else None


def _distances_from(neighbours: Neighbours, start: int) -> list[int | None] | None:
    """The distances of all inputs from one, None where there is none; None if some are no integers."""
    if isinstance(neighbours, Graph):
        return steps_from(neighbours.adjacency(), start)
    found: list[int | None] = [0 if i == start else None for i in range(len(neighbours.vertices))]
    for i, j, d in neighbours.pairs():
        if d.rational is None or d.rational.denominator != 1:
            return None
        if start in (i, j):
            found[i + j - start] = d.rational.numerator
    return found


def _tree_mechanism(base: UniversalEvidence) -> Mechanism | None:
    """T = Φ·diag(z) on a tree with (degree − 1)·α ≤ 1, for the zero-one loss."""
    near, a, loss = base.neighbours, base.level.alpha, base.loss
    if not isinstance(near, Graph) or not near.is_tree or loss.guesses != loss.inputs or loss != Loss.zero_one(loss.inputs):
        return None
    z = tree_weights(near, a)
    return None if any(x < 0 for x in z) else mechanism_of_weights(near, a, z)


@dataclass(frozen=True)
class _Shape:
    """A connected graph, the distances from its first vertex, and whether the loss is zero-one."""

    graph: Graph
    depths: Sequence[int]
    zero_one: bool


def _shape(base: UniversalEvidence) -> _Shape | None:
    """The connected graph, with the zero-one loss or the distance; None for other questions."""
    loss, graph = base.loss, unit_graph(base.neighbours)
    if graph is None or loss.guesses != loss.inputs:
        return None
    steps = [d for d in steps_from(graph.adjacency(), 0) if d is not None]
    if len(steps) < len(graph.vertices):
        return None
    if loss == Loss.zero_one(loss.inputs):
        return _Shape(graph, steps, True)
    return _Shape(graph, steps, False) if loss.matrix == Loss.from_distance(graph).matrix else None


def obstacle(base: UniversalEvidence) -> UniversalEvidence | None:
    """Why no mechanism is universally optimal: a cycle, or an input with too many neighbours.

    Returns: with the rule ``cycle`` and the cycle as ``inputs``, or ``star`` and the input followed by its
    neighbours. None if there is no such obstacle, or the question is another one.
    """
    shape = _shape(base)
    if shape is None:
        return None
    graph = shape.graph
    if len(graph.edges) >= len(graph.vertices):
        return replace(base, rule="cycle", inputs=_short_cycle(graph))
    beside = graph.adjacency()
    centre = max(range(len(beside)), key=lambda v: len(beside[v]))
    degree = len(beside[centre])
    too_many = (degree - 1) * base.level.alpha > 1 if shape.zero_one else degree > 2
    return replace(base, rule="star", inputs=(centre, *sorted(beside[centre]))) if too_many else None


def _short_cycle(graph: Graph) -> tuple[int, ...]:
    """A cycle of least length; a connected graph with as many edges as vertices has one."""
    near, best = graph.adjacency(), tuple[int, ...]()
    for i, j in graph.edges:
        found = _way_round(near, i, j)
        if found and (not best or len(found) < len(best)):
            best = found
        if len(best) == 3:
            break
    return best


def _way_round(near: Sequence[Sequence[int]], i: int, j: int) -> tuple[int, ...]:
    """A shortest path from i to j that does not use their edge, with its ends; empty if there is none."""
    before: dict[int, int | None] = {}
    for v, parent in traversed(lambda v: (w for w in near[v] if (v, w) != (i, j)), i):
        before[v] = parent
        if v == j:
            break
    way, last = list[int](), j if j in before else None
    while last is not None:
        way.append(last)
        last = before[last]
    return tuple(reversed(way))


def refuted_nearby(base: UniversalEvidence) -> UniversalEvidence | None:
    """A prior on adjacent inputs for which another mechanism is better than every remap of this one.

    Returns: with the rule ``prior``. None if there is no such prior (then the mechanism is universally
    optimal), or the question is another one.
    """
    shape, mechanism = _shape(base), base.mechanism
    if shape is None or mechanism is None:
        return None
    for prior, better in _rivals(shape, mechanism, base.level.alpha):
        one = common_field(mechanism, base.level).one
        weights = tuple(prior.get(x, 0) * one for x in range(len(base.loss.inputs)))
        rival = Mechanism(better, base.loss.inputs, base.loss.guesses)
        if least_loss(rival, base.loss, weights) < least_loss(mechanism, base.loss, weights):
            return replace(base, rule="prior", priors=(weights,), better=(rival,))
    return None


def _rivals(shape: _Shape, mechanism: Mechanism, a: Any) -> Iterator[tuple[dict[int, Any], list[list[Any]]]]:
    """Priors, up to scale, and mechanisms that are better for them: the steps of the proof in SPEC §4.14."""
    graph, columns = shape.graph, [column for column in zip(*mechanism.rows(), strict=True) if any(column)]
    for g, h in graph.edges:
        if any(c[g] != a * c[h] and c[h] != a * c[g] for c in columns):
            yield {g: 1, h: 1}, _through(graph, geometric(1, a), (g, h), (g, h), lambda x, g=g, h=h: int(x == h))  # type: ignore[misc]
    beside, even = graph.adjacency(), [depth % 2 == 0 for depth in shape.depths]
    for v, around in enumerate(beside):
        for i, j in combinations(sorted(around), 2):
            if any(c[v] == a * c[i] and c[v] == a * c[j] for c in columns):
                prior = {i: 1, v: 1, j: 1} if shape.zero_one else {i: 1, j: 1}
                onto = _onto(even, v, (i,))
                yield prior, _through(graph, geometric(2, a), (i, v, j), (i, v, j), onto)
        if not shape.zero_one and len(around) > 2:
            i, j, k = sorted(around)[:3]
            yield {i: a**2, j: a**2, k: 1}, _through(graph, geometric(2, a), (i, v, k), (v, k, k), _onto(even, v, (i, j)))


def _onto(even: Sequence[bool], centre: int, first: Sequence[int]) -> Callable[[int], int]:
    """Inputs at an even distance from the centre to 1, some others to 0, the rest to 2.

    Without odd cycles an edge becomes an edge of the path 0 – 1 – 2.
    """

    def place(x: int) -> int:
        if even[x] == even[centre]:
            return 1
        return 0 if x in first else 2

    return place


def _through(graph: Graph, G: Mechanism, path: Sequence[int], guesses: Sequence[int], row_of: Callable[[int], int]) -> list[list[Any]]:
    """G of the place of each input on the path, its outputs read as guesses."""
    assert len(path) == len(guesses) == len(G.outputs)
    size, rows = len(graph.vertices), list(G.rows())
    result = [[G.field.zero] * size for _ in range(size)]
    for x, row in enumerate(result):
        for y, guess in enumerate(guesses):
            row[guess] = row[guess] + rows[row_of(x)][y]
    return result
