# SPDX-License-Identifier: MIT
"""All connected graphs with a few vertices, one of each isomorphism class, and their names in graph6.

A connected graph of m > 1 vertices has a vertex whose removal leaves it connected, so it comes from one of m
− 1 vertices by adding a vertex with at least one edge. Isomorphic graphs are recognised by a canonical form:
colour refinement, then branching on the vertices of the first cell that is not a single vertex, and the least
adjacency matrix of all colourings that this ends in.

Graph6 is the format in which nauty, networkx, SageMath and the House of Graphs write a small graph as one
word: the number of vertices, then the pairs (0, 1), (0, 2), (1, 2), (0, 3), …, six bits a character.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from exactdp.errors import InputError, ParameterRangeError
from exactdp.lp.symmetry import refined
from exactdp.model.graph import Graph, require_graph
from exactdp.model.labels import Positions
from exactdp.runtime.progress import counted_off

ZERO, SIX = 63, 6
"""A character of graph6 is six bits, as a number, and 63."""

LONGER = 126
"""As the first character: the number of vertices is in the three that follow."""

FEW, MOST = 62, 258_047
"""Most vertices that one character can tell, and that three can."""


def graph6(graph: Graph) -> str:
    """The graph's name in graph6, which tells all of it but the labels.

    Isomorphic graphs may have different names: that of :func:`connected_graphs` is one for each class.

    * ``graph``: at most 258,047 vertices.

    Returns: printable characters of ASCII, without the header ``>>graph6<<``.

    * raises ParameterRangeError: the graph has more vertices.

    >>> graph6(Graph.cycle(5)), graph6(Graph.path(3)), graph6(Graph.complete(3))
    ('Dhc', 'Bg', 'Bw')
    """
    size = len(graph.vertices)
    if size > MOST:
        message = f"graph6 names graphs of at most {MOST:,} vertices"
        raise ParameterRangeError(message, name="vertices", value=size, allowed=f"<= {MOST}")
    digits = [size] if size <= FEW else [LONGER - ZERO, size >> 12, size >> 6 & 63, size & 63]
    pairs = size * (size - 1) // 2
    words = [0] * -(-pairs // SIX)
    for i, j in graph.edges:
        at = j * (j - 1) // 2 + i
        words[at // SIX] |= 32 >> at % SIX
    return bytes(ZERO + digit for digit in digits + words).decode("ascii")


def from_graph6(text: str) -> Graph:
    """The graph that a word of graph6 names, on unlabelled vertices; with the word ``graph6:…`` as its name.

    * ``text``: one word, without the header ``>>graph6<<``.
    * raises InputError: another character than those from ``?`` to ``~``; too few or too many of them for the
      number of vertices; a bit after the last pair.
    * raises ResourceLimitError: the graph is larger than the budget.

    >>> from_graph6("Dhc") == Graph.cycle(5)
    True
    """
    shown = repr(text[:80])
    if not text or any(not ZERO <= ord(c) <= LONGER for c in text):
        message = f"{shown} is no word of graph6: its characters are those from ? to ~, as in Dhc, the cycle of five"
        raise InputError(message, text=text)
    words = [ord(c) - ZERO for c in text]
    start = 1
    if ord(text[0]) == LONGER:
        if len(words) < 4 or ord(text[1]) == LONGER:
            raise InputError(f"{shown} is no word of graph6 for at most {MOST:,} vertices", text=text)
        start = 4
        words[0] = words[1] << 12 | words[2] << 6 | words[3]
    size = words[0]
    if size == 0:
        raise InputError(f"{shown} is the graph without vertices in graph6; a mechanism has at least one input", text=text)
    pairs = size * (size - 1) // 2
    length = start + -(-pairs // SIX)
    if len(words) != length:
        message = f"{shown}: a graph of {size:,} vertices has {length:,} characters in graph6, not {len(words):,}"
        raise InputError(message, text=text)
    bits = words[start:]
    require_graph(f"the graph6 word {shown}", size, sum(map(int.bit_count, bits)))
    if bits and bits[-1] & (1 << len(bits) * SIX - pairs) - 1:
        raise InputError(f"{shown} is no word of graph6: it has a bit after its last pair", text=text)
    ends = ((i, j) for j in range(size) for i in range(j))
    edges = [pair for at, pair in enumerate(ends) if bits[at // SIX] & 32 >> at % SIX]
    return Graph(Positions(size), edges, name=f"graph6:{text}")


MAX_VERTICES = 7
"""Most vertices of graphs that are enumerated."""

Near = tuple[int, ...]
"""The neighbours of each vertex, as a set of bits."""


def connected_graphs(size: int) -> Iterator[Graph]:
    """One graph of each isomorphism class of connected graphs with 1 to 7 vertices, by their number of edges.

    A graph is called by its name in graph6, which is the same in every release and determines it.

    * ``size``: how many vertices; the 853 graphs with 7 take some two seconds.

    >>> [sum(1 for _ in connected_graphs(size)) for size in range(1, 6)]
    [1, 1, 2, 6, 21]
    >>> [graph.name for graph in connected_graphs(3)]
    ['graph6:BW', 'graph6:Bw']
    """
    if not 1 <= size <= MAX_VERTICES:
        message = f"graphs of {size} vertices are not enumerated"
        raise ParameterRangeError(message, name="size", value=size, allowed=f"1 to {MAX_VERTICES}")
    for near in _classes(size):
        graph = Graph(Positions(size), [(i, j) for i in range(size) for j in range(i + 1, size) if near[i] >> j & 1])
        yield Graph(graph.vertices, graph.edges, name=f"graph6:{graph6(graph)}")


@cache
def _classes(size: int) -> tuple[Near, ...]:
    if size == 1:
        return ((0,),)
    found = set()
    smaller = _classes(size - 1)
    for near in counted_off(smaller, None, f"connected graphs with {size} vertices", f"graphs with {size - 1}"):
        for subset in range(1, 1 << size - 1):
            bigger = tuple(row | (subset >> i & 1) << size - 1 for i, row in enumerate(near))
            found.add(_canonical((*bigger, subset)))
    return tuple(sorted(found, key=lambda near: (sum(row.bit_count() for row in near), near)))


def _canonical(near: Near) -> Near:
    """The least relabelling among the colourings in which every vertex has a colour of its own."""
    return min(_relabelled(near, order) for order in _discrete(near, [0] * len(near)))


def _relabelled(near: Near, order: list[int]) -> Near:
    """Vertex i becomes order[i]."""
    rows = [0] * len(near)
    for i, row in enumerate(near):
        rows[order[i]] = sum(1 << order[j] for j in range(len(near)) if row >> j & 1)
    return tuple(rows)


def _discrete(near: Near, colour: list[int]) -> Iterator[list[int]]:
    """The colourings to which refinement leads, each vertex of the first cell of several set apart in turn.

    A colour is the number of vertices of smaller colour, so that it does not depend on how vertices are
    numbered.
    """
    around = [[j for j in range(len(near)) if row >> j & 1] for row in near]
    colour = refined(colour, lambda colour: [sorted(colour[j] for j in row) for row in around], _ranked)
    cell = min((c for c in colour if colour.count(c) > 1), default=None)
    if cell is None:
        yield colour
        return
    for i in (i for i, c in enumerate(colour) if c == cell):
        yield from _discrete(near, [c + (c == cell and j != i) for j, c in enumerate(colour)])


def _ranked(keys: list[Any]) -> list[int]:
    place = sorted(keys)
    return [place.index(key) for key in keys]
