# SPDX-License-Identifier: MIT
"""All connected graphs with a few vertices, one of each isomorphism class.

A connected graph of m > 1 vertices has a vertex whose removal leaves it connected, so every one of them comes from one of m − 1 vertices
by adding a vertex with at least one edge. Isomorphic ones are recognised by a canonical form: colour refinement, then branching on the
vertices of the first cell that is not a single vertex, and the least adjacency matrix of all leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from exactdp.errors import ParameterRangeError
from exactdp.model.graph import AdjacencyGraph

__all__ = ["connected_graphs"]

MAX_VERTICES = 7

Near = tuple[int, ...]
"""The neighbours of each vertex, as a set of bits."""


def connected_graphs(size: int) -> Iterator[AdjacencyGraph]:
    """One graph of each isomorphism class of connected graphs with so many vertices, 1 to 7, in a fixed order (by edges).

    >>> [sum(1 for _ in connected_graphs(size)) for size in range(1, 6)]
    [1, 1, 2, 6, 21]
    """
    if not 1 <= size <= MAX_VERTICES:
        raise ParameterRangeError(f"graphs of {size} vertices are not enumerated", name="size", value=size, allowed=f"1 to {MAX_VERTICES}")
    for number, near in enumerate(_classes(size)):
        edges = [(i, j) for i in range(size) for j in range(i + 1, size) if near[i] >> j & 1]
        yield AdjacencyGraph(range(size), edges, name=f"connected graph {number} of {size} vertices")


@cache
def _classes(size: int) -> tuple[Near, ...]:
    if size == 1:
        return ((0,),)
    found = set()
    for near in _classes(size - 1):
        for subset in range(1, 1 << size - 1):
            bigger = tuple(row | (subset >> i & 1) << size - 1 for i, row in enumerate(near))
            found.add(_canonical((*bigger, subset)))
    return tuple(sorted(found, key=lambda near: (sum(row.bit_count() for row in near), near)))


def _canonical(near: Near) -> Near:
    """The least relabelling among the leaves of the search tree."""
    return min(_relabelled(near, order) for order in _leaves(near, _refined(near, [0] * len(near))))


def _relabelled(near: Near, order: list[int]) -> Near:
    """Vertex i becomes order[i]."""
    rows = [0] * len(near)
    for i, row in enumerate(near):
        rows[order[i]] = sum(1 << order[j] for j in range(len(near)) if row >> j & 1)
    return tuple(rows)


def _refined(near: Near, colour: list[int]) -> list[int]:
    """The coarsest equitable refinement; colours are the number of vertices of smaller colour."""
    while True:
        keys = [(c, sorted(colour[j] for j in range(len(near)) if near[i] >> j & 1)) for i, c in enumerate(colour)]
        place = sorted(keys)
        finer = [place.index(key) for key in keys]
        if finer == colour:
            return colour
        colour = finer


def _leaves(near: Near, colour: list[int]) -> Iterator[list[int]]:
    cell = min((c for c in colour if colour.count(c) > 1), default=None)
    if cell is None:
        yield colour
        return
    for i in (i for i, c in enumerate(colour) if c == cell):
        yield from _leaves(near, _refined(near, [c + (c == cell and j != i) for j, c in enumerate(colour)]))
