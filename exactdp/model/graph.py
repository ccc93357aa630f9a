# SPDX-License-Identifier: MIT
"""Adjacency graphs: which inputs may differ by one person's data.

A mechanism x is α-private for a graph when x[i][r] ≥ α · x[j][r] for all adjacent i, j and every output r.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from exactdp.errors import InputError, LabelError, ResourceLimitError
from exactdp.exact import members_of, number_of_place
from exactdp.model.distance import ONE, Distance
from exactdp.model.labels import Label, Labels, as_labels, brief, position_of
from exactdp.model.metric import Metric

__all__ = ["MAX_ALL_PAIRS", "AdjacencyGraph", "Neighbours"]

MAX_ALL_PAIRS = 4_096
"""Most vertices of which all shortest paths are asked at once."""


@dataclass(frozen=True, slots=True, init=False)
class AdjacencyGraph:
    """A finite simple graph on labelled inputs.

    Parameters
    ----------
    vertices : sequence of str or int
        The labels; distinct. Their order is the order of a mechanism's rows.
    edges : iterable of (int, int)
        Index pairs; kept sorted, each as (i, j) with i < j. Loops and repetitions are errors.
    name : str
        The text that it was made from, for display; not compared.

    Examples
    --------
    >>> AdjacencyGraph(["a", "b", "c"], [(1, 0), (1, 2)]).edges
    ((0, 1), (1, 2))
    >>> AdjacencyGraph.from_edges(["a", "b", "c"], [("a", "b"), ("b", "c")]).is_path
    True
    """

    vertices: Labels
    edges: tuple[tuple[int, int], ...]
    name: str = field(compare=False)

    def __init__(self, vertices: Iterable[Label], edges: Iterable[tuple[int, int]], *, name: str = "") -> None:
        object.__setattr__(self, "vertices", as_labels(vertices, what="vertex label"))
        object.__setattr__(self, "edges", tuple(sorted((min(pair), max(pair)) for pair in _numbered(edges))))
        object.__setattr__(self, "name", name)
        self.__post_init__()

    def __post_init__(self) -> None:
        size = len(self.vertices)
        for place, (i, j) in enumerate(self.edges):
            if not 0 <= i <= j < size:
                raise LabelError(f"edge ({i}, {j}): the {size} vertices are numbered 0 to {size - 1}", label=(i, j))
            if i == j:
                raise InputError(
                    f"the edge {self.vertices[i]!r}–{self.vertices[i]!r} is a loop; an input is not its own neighbour", edge=(i, j)
                )
            if place and self.edges[place - 1] == (i, j):
                raise InputError(f"the edge {self.vertices[i]!r}–{self.vertices[j]!r} is given twice", edge=(i, j))

    @classmethod
    def from_edges(cls, labels: Iterable[Label], edges: Iterable[tuple[Label, Label]], *, name: str = "") -> AdjacencyGraph:
        """The graph with edges given as pairs of labels.

        >>> AdjacencyGraph.from_edges([1, 2], [(1, 2)]).edges
        ((0, 1),)
        """
        vertices = as_labels(labels, what="vertex label")
        pairs = [(position_of(a, vertices, what="vertex"), position_of(b, vertices, what="vertex")) for a, b in _pairs(edges)]
        return cls(vertices, pairs, name=name)

    @classmethod
    def path(cls, size: int) -> AdjacencyGraph:
        """The path on the inputs 0, …, size−1.

        >>> AdjacencyGraph.path(3).edges
        ((0, 1), (1, 2))
        """
        return cls(range(size), [(i, i + 1) for i in range(size - 1)], name=f"path:{size}")

    def relabelled(self, vertices: Iterable[Label]) -> AdjacencyGraph:
        """The same graph with other labels, given by position.

        >>> AdjacencyGraph.path(2).relabelled(["no", "yes"]).vertices
        ('no', 'yes')
        """
        return AdjacencyGraph(as_labels(vertices, len(self.vertices), what="vertex label"), self.edges, name=self.name)

    def pairs(self) -> tuple[tuple[int, int, Distance], ...]:
        """All constrained pairs (i, j, distance 1), i < j, in lexicographic order."""
        return tuple((i, j, ONE) for i, j in self.edges)

    @property
    def is_path(self) -> bool:
        """Whether it is the path 0 – 1 – 2 – … through the vertices in their order, at least two of them."""
        return len(self.vertices) >= 2 and self.edges == tuple((i, i + 1) for i in range(len(self.vertices) - 1))

    @property
    def is_forest(self) -> bool:
        """Whether it has no cycle.

        >>> AdjacencyGraph(range(3), [(0, 1), (1, 2), (0, 2)]).is_forest
        False
        """
        root = list(range(len(self.vertices)))

        def find(i: int) -> int:
            while root[i] != i:
                root[i] = root[root[i]]
                i = root[i]
            return i

        for i, j in self.edges:
            a, b = find(i), find(j)
            if a == b:
                return False
            root[a] = b
        return True

    def adjacency(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each vertex, in increasing order."""
        near: list[list[int]] = [[] for _ in self.vertices]
        for i, j in self.edges:
            near[i].append(j)
            near[j].append(i)
        return tuple(tuple(sorted(row)) for row in near)

    def hops(self) -> tuple[tuple[int | None, ...], ...]:
        """The lengths of the shortest paths between all vertices; ``None`` where there is no path.

        >>> AdjacencyGraph(range(4), [(0, 1), (1, 2)]).hops()[0]
        (0, 1, 2, None)
        """
        if len(self.vertices) > MAX_ALL_PAIRS:
            raise ResourceLimitError(
                f"all shortest paths of {len(self.vertices)} vertices; the limit is {MAX_ALL_PAIRS}",
                limit=MAX_ALL_PAIRS,
                got=len(self.vertices),
            )
        near = self.adjacency()
        return tuple(_breadth_first(near, start) for start in range(len(near)))

    def metric(self) -> Metric:
        """The metric of shortest paths.

        >>> AdjacencyGraph.path(3).metric().between(0, 2)
        Distance.parse('2')
        """
        known: dict[int, Distance] = {}
        table: dict[tuple[int, int], Distance] = {}
        for i, row in enumerate(self.hops()):
            for j in range(i + 1, len(row)):
                steps = row[j]
                if steps is not None:
                    if steps not in known:
                        known[steps] = Distance.of(steps)
                    table[i, j] = known[steps]
        return Metric._by_construction(self.vertices, table, self.name and f"shortest paths of {self.name}")

    def __str__(self) -> str:
        return self.name or f"a graph on {brief(self.vertices)} with {len(self.edges)} edges"


def _pairs(edges: object) -> Iterator[tuple[Any, Any]]:
    """The two ends of every edge. What has more than ends (a mapping, a frame) and a text of two letters are refused."""
    for edge in members_of(edges, "edges"):
        ends = edge if type(edge) is tuple else members_of(edge, "ends of an edge")
        if len(ends) != 2:
            raise InputError(f"the edge {edge!r} has {len(ends)} ends; an edge is a pair", edge=edge)
        yield ends[0], ends[1]


def _numbered(edges: object) -> Iterator[tuple[int, int]]:
    for i, j in _pairs(edges):
        if type(i) is int and type(j) is int:
            yield i, j
        else:
            yield number_of_place(i, "vertex number"), number_of_place(j, "vertex number")


Neighbours = AdjacencyGraph | Metric
"""What privacy is asked for: adjacency (distance 1 each) or a metric."""


def _breadth_first(near: tuple[tuple[int, ...], ...], start: int) -> tuple[int | None, ...]:
    steps: list[int | None] = [None] * len(near)
    steps[start] = 0
    frontier, length = [start], 0
    while frontier:
        length += 1
        reached = []
        for i in frontier:
            for j in near[i]:
                if steps[j] is None:
                    steps[j] = length
                    reached.append(j)
        frontier = reached
    return tuple(steps)
