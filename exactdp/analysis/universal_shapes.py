# SPDX-License-Identifier: MIT
"""Graphs, with the zero-one loss or the distance as loss: the shape of the graph decides universal optimality, however large it is.

For the zero-one loss some mechanism is universally optimal exactly on trees with (degree − 1)·α ≤ 1 at every vertex, for the distance
exactly on paths. A given mechanism that is not universally optimal loses more than another under a prior on two or three adjacent inputs.

Source: SPEC §4.14, with a proof; in Coq proofs/coq/Impossibility.v, ImpossibilityDistance.v and Trees.v. The case of the discrete
metric is Theorem 11 of Fernandes, McIver, Palamidessi, Ding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from exactdp.analysis.universal_arguments import UniversalEvidence
from exactdp.analysis.universal_priors import least_loss
from exactdp.mechanisms import geometric
from exactdp.model import AdjacencyGraph, Loss, Mechanism

__all__ = ["obstacle", "refuted_nearby"]


@dataclass(frozen=True)
class _Shape:
    graph: AdjacencyGraph
    depths: Sequence[int]
    zero_one: bool


def _shape(base: UniversalEvidence) -> _Shape | None:
    """The connected graph and whether its loss is zero-one (else it is the distance); None for all other questions."""
    near, loss = base.neighbours, base.loss
    pairs = list(near.pairs())
    if loss.guesses != loss.inputs or any(d.rational != 1 for _, _, d in pairs):
        return None
    graph = near if isinstance(near, AdjacencyGraph) else AdjacencyGraph(near.vertices, [(i, j) for i, j, _ in pairs])
    depths = _depths(graph)
    if len(depths) < len(graph.vertices):
        return None
    steps = [depths[x] for x in range(len(depths))]
    if loss == Loss.zero_one(loss.inputs):
        return _Shape(graph, steps, True)
    return _Shape(graph, steps, False) if loss.matrix == Loss.from_distance(graph).matrix else None


def _depths(graph: AdjacencyGraph) -> dict[int, int]:
    """The distances from the first vertex, of those that can be reached."""
    beside, found = graph.adjacency(), {0: 0}
    for v in (queue := [0]):  # it grows
        new = [w for w in beside[v] if w not in found]
        found |= dict.fromkeys(new, found[v] + 1)
        queue += new
    return found


def obstacle(base: UniversalEvidence) -> UniversalEvidence | None:
    """Why no mechanism is universally optimal: a cycle, or an input with too many neighbours.

    Returns
    -------
    UniversalEvidence or None
        With the rule ``cycle`` and the cycle as ``inputs``, or ``star`` and the input followed by its neighbours. None if there is no
        such obstacle, or the question is another one.
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


def _short_cycle(graph: AdjacencyGraph) -> tuple[int, ...]:
    """A cycle, of the least length among those through an edge (a graph with as many edges as vertices has one)."""
    beside, best = graph.adjacency(), list[int]()
    for i, j in graph.edges:
        before: dict[int, int] = {i: i}
        for v in (queue := [i]):  # it grows
            new = [w for w in beside[v] if w not in before and (v, w) != (i, j)]
            before |= dict.fromkeys(new, v)
            queue += new
            if j in before:
                break
        if j not in before:
            continue
        found = [j]
        while found[-1] != i:
            found.append(before[found[-1]])
        if not best or len(found) < len(best):
            best = found
        if len(best) == 3:
            break
    return tuple(reversed(best))


def refuted_nearby(base: UniversalEvidence) -> UniversalEvidence | None:
    """A prior on adjacent inputs under which another mechanism of the type is better than every remap of this private one.

    Returns
    -------
    UniversalEvidence or None
        With the rule ``prior``. None if there is no such prior (then the mechanism is universally optimal), or the question is
        another one.
    """
    shape, mechanism = _shape(base), base.mechanism
    if shape is None or mechanism is None:
        return None
    for prior, better in _rivals(shape, mechanism, base.level.alpha):
        one = mechanism.field.one * base.level.alpha**0
        weights = tuple(prior.get(x, 0) * one for x in range(len(base.loss.inputs)))
        rival = Mechanism(better, base.loss.inputs, base.loss.guesses)
        if least_loss(rival, base.loss, weights) < least_loss(mechanism, base.loss, weights):
            return replace(base, rule="prior", priors=(weights,), better=(rival,))
    return None


def _rivals(shape: _Shape, mechanism: Mechanism, a: Any) -> Iterator[tuple[dict[int, Any], list[list[Any]]]]:
    """Priors, up to scale, and mechanisms that are better for them, by the steps of the proof in SPEC §4.14."""
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
    """The centre's colour to 1, some inputs to 0, everything else to 2: in a graph with two colours edges stay edges or become points."""
    return lambda x: 1 if even[x] == even[centre] else 0 if x in first else 2


def _through(
    graph: AdjacencyGraph, G: Mechanism, path: Sequence[int], guesses: Sequence[int], row_of: Callable[[int], int]
) -> list[list[Any]]:
    """G of the place of each input on the path, its outputs read as guesses."""
    assert len(path) == len(guesses) == len(G.outputs)
    size, rows = len(graph.vertices), list(G.rows())
    result = [[G.field.zero] * size for _ in range(size)]
    for x, row in enumerate(result):
        for y, guess in enumerate(guesses):
            row[guess] = row[guess] + rows[row_of(x)][y]
    return result
