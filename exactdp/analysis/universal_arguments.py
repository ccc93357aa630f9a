# SPDX-License-Identifier: MIT
"""Arguments that a mechanism is universally optimal, whatever the prior: along a path, and on a tree (SPEC §4.14).

Sources: docs/mathematics.md §1 (a path, for losses that cross once); proofs/fernandes-metric-privacy/arguments.md (a tree, zero-one loss).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from typing import Any

from exactdp.analysis.derivability import is_derivable
from exactdp.analysis.privacy import is_private
from exactdp.mechanisms import geometric
from exactdp.model import AdjacencyGraph, Loss, Mechanism, Neighbours, PrivacyLevel, Remap

__all__ = ["UniversalEvidence", "by_theorem"]


@dataclass(frozen=True)
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
        Of the rules path and tree: where the loss matters, in the order of the path; the order of the guesses; R. Of the rules cycle
        and star: the cycle; an input and its neighbours.
    priors : tuple of tuples
        The kinks; or priors, up to scale, that no mechanism serves; or the one under which another mechanism is better.
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
    elif len(walk := _walk(varying, near)) == len(varying) > 6:
        yield walk
    if len(varying) <= 6:
        for order in permutations(varying):
            if order[0] < order[-1] and list(order) != varying and all(pair in near for pair in pairwise(order)):
                yield order


def _walk(places: Sequence[int], near: set[tuple[int, int]]) -> tuple[int, ...]:
    """These inputs in the order of a path from one of its ends, if the edges among them form one; else some of them or none."""
    beside = {x: [y for y in places if (x, y) in near] for x in places}
    ends = [x for x in places if len(beside[x]) == 1]
    if len(ends) != 2 or any(len(around) > 2 for around in beside.values()):
        return ()
    found = [ends[0]]
    while new := [y for y in beside[found[-1]] if y not in found[-2:]]:
        found.append(new[0])
    return tuple(found)


def _crossing_order(loss: Loss, inputs: Sequence[int]) -> tuple[int, ...] | None:
    """The guesses in the order in which each two cross once along these inputs, if there is one (then the lexicographic order is one)."""
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
    """G of the distance from the path's first input, capped: private, and G on the path if the path is a geodesic."""
    if len(inputs) == len(base.loss.inputs):
        row_of = {x: k for k, x in enumerate(inputs)}
    else:
        distances = _hops(base.neighbours)
        if distances is None or any(distances[inputs[0]][x] != k for k, x in enumerate(inputs)):
            return None
        row_of = {x: min(d, len(inputs) - 1) for x, d in enumerate(distances[inputs[0]]) if d is not None}
        if len(row_of) < len(base.loss.inputs):
            return None
    M = Mechanism([G.matrix.row(row_of[x]) for x in range(len(base.loss.inputs))], base.loss.inputs, G.outputs)
    return M if is_private(M, base.neighbours, base.level).proved else None


def _hops(neighbours: Neighbours) -> Sequence[Sequence[int | None]] | None:
    if isinstance(neighbours, AdjacencyGraph):
        return neighbours.hops()
    if all(d.rational is not None and d.rational.denominator == 1 for _, _, d in neighbours.pairs()):
        size = len(neighbours.vertices)
        table: list[list[int | None]] = [[0 if i == j else None for j in range(size)] for i in range(size)]
        for i, j, d in neighbours.pairs():
            assert d.rational is not None
            table[i][j] = table[j][i] = d.rational.numerator
        return table
    return None


def _tree_mechanism(base: UniversalEvidence) -> Mechanism | None:
    near, a, loss = base.neighbours, base.level.alpha, base.loss
    if not isinstance(near, AdjacencyGraph) or not near.is_forest or len(near.edges) != len(near.vertices) - 1:
        return None
    if loss.guesses != loss.inputs or loss != Loss.zero_one(loss.inputs):
        return None
    z = [(1 - (len(around) - 1) * a) / (1 + a) for around in near.adjacency()]
    if any(x < 0 for x in z):
        return None
    hops = near.hops()
    return Mechanism([[a ** hops[i][v] * z[v] for v in range(len(z))] for i in range(len(z))], near.vertices, near.vertices)
