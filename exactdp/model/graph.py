# SPDX-License-Identifier: MIT
"""Adjacency graphs, whose edges say which inputs may differ by one person; traversal, symmetry.

A mechanism x is α-private for a graph when x[i][r] ≥ α · x[j][r] for all adjacent i, j and every output r.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from importlib import import_module
from itertools import combinations, product
from math import prod
from numbers import Integral
from typing import Any, Protocol

from exactdp.display import LARGEST, Drawn, short_digest
from exactdp.errors import InputError, LabelError, printable, wrong_kind
from exactdp.exact import as_count, members_of, number_of_place
from exactdp.model.labels import Label, Labels, Positions, as_labels, brief, in_order, name_in_order, position_of
from exactdp.model.metric import ONE, Distance, Metric
from exactdp.runtime.budget import current_budget, figure, largest_side, require_budget
from exactdp.runtime.progress import counted_off, row_by_row
from exactdp.runtime.values import dataclass


def require_graph(what: str, vertices: int, edges: int) -> None:
    """Refuse a graph that is larger than the budget, before it is built.

    A vertex takes some 1,000 bytes, and an edge 250, with what is made of it (measured).

    >>> require_graph("the graph 'path:10'", 10, 9)
    """
    most = min(current_budget().numbers, current_budget().memory // 250)
    fits = f"one for which 4·vertices + edges is at most {most:,} fits"
    require_budget(what, fits, numbers=vertices + edges, memory=1_000 * vertices + 250 * edges)


def require_all_pairs(what: str, vertices: int) -> None:
    """Refuse the distances of all pairs of too many vertices: at most 56 bytes each (measured)."""
    fits = f"for at most {largest_side(2, 56, 'memory'):,} vertices it fits"
    require_budget(f"the table of all distances of {what}", fits, memory=56 * vertices * vertices)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Graph(Drawn):
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
    >>> Graph(["a", "b", "c"], [(1, 0), (1, 2)]).edges
    ((0, 1), (1, 2))
    >>> Graph.from_edges(["a", "b", "c"], [("a", "b"), ("b", "c")]).is_path
    True
    """

    vertices: Labels
    edges: tuple[tuple[int, int], ...]
    name: str = field(compare=False)

    def __init__(self, vertices: Iterable[Label], edges: Iterable[tuple[int, int]], *, name: str = "") -> None:
        labels = as_labels(vertices, what="vertex label")
        object.__setattr__(self, "vertices", labels)
        object.__setattr__(self, "edges", tuple(sorted((min(pair), max(pair)) for pair in _numbered(edges))))
        object.__setattr__(self, "name", name)
        self._check()

    def _check(self) -> None:
        """Each edge joins two different vertices, and none is given twice."""
        size = len(self.vertices)
        for place, (i, j) in enumerate(counted_off(self.edges, None, "the edges of a graph", "edges", every=50_000)):
            if not 0 <= i <= j < size:
                raise LabelError(f"edge ({i}, {j}): the {size} vertices are numbered 0 to {size - 1}", label=(i, j))
            if i == j:
                message = f"the edge {self.vertices[i]!r}–{self.vertices[i]!r} is a loop; an input is not its own neighbour"
                raise InputError(message, edge=(i, j))
            if place and self.edges[place - 1] == (i, j):
                raise InputError(f"the edge {self.vertices[i]!r}–{self.vertices[j]!r} is given twice", edge=(i, j))

    @classmethod
    def from_edges(cls, labels: Iterable[Label], edges: Iterable[tuple[Label, Label]], *, name: str = "") -> Graph:
        """The graph with edges given as pairs of labels.

        >>> Graph.from_edges([1, 2], [(1, 2)]).edges
        ((0, 1),)
        """
        vertices = as_labels(labels, what="vertex label")
        pairs = [(position_of(a, vertices, what="vertex"), position_of(b, vertices, what="vertex")) for a, b in _pairs(edges)]
        return cls(vertices, pairs, name=name)

    @classmethod
    def path(cls, vertices: Vertices) -> Graph:
        """The path through these vertices in their order.

        Parameters
        ----------
        vertices : int or labels
            How many there are, as in the word ``path:3``, or their labels.

        Examples
        --------
        >>> Graph.path(3).edges, Graph.path(["none", "some", "all"]).vertices
        (((0, 1), (1, 2)), ('none', 'some', 'all'))
        """
        labels = _vertices(vertices)
        return cls(labels, [(i, i + 1) for i in range(len(labels) - 1)], name=f"path:{len(labels)}")

    @classmethod
    def cycle(cls, vertices: Vertices) -> Graph:
        """The ring of these vertices (a number or labels, at least 3) in their order.

        >>> Graph.cycle(4).edges
        ((0, 1), (0, 3), (1, 2), (2, 3))
        """
        labels = _vertices(vertices, least=3)
        return cls(labels, [(i, (i + 1) % len(labels)) for i in range(len(labels))], name=f"cycle:{len(labels)}")

    @classmethod
    def complete(cls, vertices: Vertices) -> Graph:
        """All pairs of these vertices (a number or labels) are neighbours.

        >>> Graph.complete(["a", "b", "c"]).edges
        ((0, 1), (0, 2), (1, 2))
        """
        labels = _vertices(vertices)
        size = len(labels)
        require_graph(f"the complete graph of {size} vertices", size, size * (size - 1) // 2)
        made = object.__new__(cls)  # the edges are in order, and need no check
        object.__setattr__(made, "vertices", labels)
        object.__setattr__(made, "edges", tuple(combinations(range(size), 2)))
        object.__setattr__(made, "name", f"complete:{size}")
        return made

    @classmethod
    def star(cls, vertices: Vertices) -> Graph:
        """The first of these vertices (a number or labels) is the neighbour of all others.

        >>> Graph.star(4).edges
        ((0, 1), (0, 2), (0, 3))
        """
        labels = _vertices(vertices)
        return cls(labels, [(0, leaf) for leaf in range(1, len(labels))], name=f"star:{len(labels)}")

    @classmethod
    def grid(cls, *sides: int) -> Graph:
        """The points of a grid with these sides, adjacent when one coordinate differs by 1.

        >>> Graph.grid(2, 2).vertices, Graph.grid(2, 2).edges
        (('0,0', '0,1', '1,0', '1,1'), ((0, 1), (0, 2), (1, 3), (2, 3)))
        """
        sizes = [as_count(side, "side of a grid", least=1) for side in sides or (None,)]
        require_graph(f"the grid with the sides {', '.join(map(figure, sizes[:5]))}", prod(sizes), prod(sizes) * len(sizes))
        points = list(product(*map(range, sizes)))
        strides = [prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
        inner = ((i, axis) for i, point in enumerate(points) for axis, size in enumerate(sizes) if point[axis] + 1 < size)
        edges = [(i, i + strides[axis]) for i, axis in inner]
        return cls(Positions(",".join(map(str, point)) for point in points), edges, name=f"grid:{'x'.join(map(str, sizes))}")

    @classmethod
    def hypercube(cls, dimension: int) -> Graph:
        """The words of so many bits, adjacent when one bit differs.

        >>> Graph.hypercube(2).vertices
        ('00', '01', '10', '11')
        """
        d = as_count(dimension, "dimension", least=1)
        require_graph(f"the hypercube of dimension {figure(d)}", 2 ** min(d, 64), d * 2 ** min(d - 1, 64))
        words = Positions("".join(bits) for bits in product("01", repeat=d))
        return cls(words, [(i, i | 1 << b) for i in range(2**d) for b in range(d) if not i >> b & 1], name=f"hypercube:{d}")

    @classmethod
    def from_networkx(cls, graph: Networkx, *, name: str = "") -> Graph:
        """The same graph from networkx; of the attributes only a weight matters.

        Parameters
        ----------
        graph : networkx.Graph
            Its nodes are text, ints or tuples of ints (``(0, 1)`` becomes the point ``0,1``). The nodes 0, 1,
            …, k−1, which networkx makes up, are no labels: such a graph is unlabelled.
        name : str
            For display. The graph's own name is not taken: networkx keeps it when edges change.

        Raises
        ------
        InputError
            The graph is directed, or has a loop or parallel edges; or an edge has a ``weight`` other than 1,
            which may mean a distance: neighbours here are at distance 1, and a :class:`Metric` has others.
        LabelError
            A node is neither text nor an int nor a tuple of ints.

        Examples
        --------
        >>> import networkx                                                  # doctest: +SKIP
        >>> Graph.from_networkx(networkx.cycle_graph(4)).edges               # doctest: +SKIP
        ((0, 1), (0, 3), (1, 2), (2, 3))
        """
        if not is_networkx(graph):
            raise wrong_kind("graph", graph, "a graph of networkx, or say Graph.from_edges(labels, edges)")
        if graph.is_directed():
            raise InputError("the graph is directed, and neighbours are mutual; give graph.to_undirected()", value=graph)
        far = next(((a, b, w) for a, b, w in graph.edges(data="weight", default=1) if w != 1), None)
        if far is not None:
            raise InputError(
                f"the edge {far[0]!r}–{far[1]!r} has the weight {far[2]}, and neighbours of a graph are at distance 1; "
                "give a Metric if the weights are distances, or leave them out",
                value=graph,
            )
        nodes = list(graph.nodes())
        numbered = all(isinstance(node, Integral) and not isinstance(node, bool) for node in nodes)
        if numbered:
            nodes.sort()
        place = {node: i for i, node in enumerate(nodes)}
        made_up = numbered and nodes == list(range(len(nodes)))
        labels: Iterable[Label] = range(len(nodes)) if made_up else [_node(node) for node in nodes]
        return cls(labels, [(place[a], place[b]) for a, b in graph.edges()], name=name)

    def to_networkx(self) -> Any:
        """The same graph for networkx, whose nodes are the labels, or ints 0, 1, … if it is unlabelled.

        >>> Graph.path(3).to_networkx().edges                                # doctest: +SKIP
        EdgeView([(0, 1), (1, 2)])
        """
        try:
            networkx = import_module("networkx")
        except ImportError:
            raise InputError("to_networkx needs networkx, which is not installed; type pip install networkx") from None
        unlabelled = isinstance(self.vertices, Positions) and not self.vertices.named
        nodes: Sequence[Any] = range(len(self.vertices)) if unlabelled else self.vertices
        made = networkx.Graph(name=self.name)
        made.add_nodes_from(nodes)
        made.add_edges_from((nodes[i], nodes[j]) for i, j in self.edges)
        return made

    def relabelled(self, vertices: Iterable[Label]) -> Graph:
        """The same graph with other labels, given by position; its name tells their order.

        >>> print(Graph.path(2).relabelled(["no", "yes"]))
        path:2 in the order of the inputs (no, yes)
        """
        labels = as_labels(vertices, len(self.vertices), what="vertex label")
        return Graph(labels, self.edges, name=name_in_order(self.name, labels))

    def pairs(self) -> tuple[tuple[int, int, Distance], ...]:
        """All constrained pairs (i, j, distance 1), i < j, in lexicographic order."""
        return tuple((i, j, ONE) for i, j in self.edges)

    @property
    def is_path(self) -> bool:
        """Whether it is the path 0 – 1 – 2 – … through the vertices in their order, at least two of them."""
        return len(self.vertices) >= 2 and self.edges == tuple((i, i + 1) for i in range(len(self.vertices) - 1))

    @property
    def is_complete(self) -> bool:
        """Whether any two of its vertices, of which there are at least two, are neighbours.

        >>> Graph.complete(["a", "b", "c"]).is_complete, Graph(range(3), [(0, 1), (1, 2)]).is_complete
        (True, False)
        """
        size = len(self.vertices)
        return size >= 2 and len(self.edges) == size * (size - 1) // 2

    @property
    def is_forest(self) -> bool:
        """Whether it has no cycle.

        >>> Graph(range(3), [(0, 1), (1, 2), (0, 2)]).is_forest
        False
        """
        size = len(self.vertices)
        return len(self.edges) < size and len(self.edges) == size - len(components(self.adjacency()))

    @property
    def is_tree(self) -> bool:
        """Whether it is connected and has no cycle."""
        return len(self.edges) == len(self.vertices) - 1 and self.is_forest

    def adjacency(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each vertex, in increasing order."""
        return adjacency(len(self.vertices), self.edges)

    def hops(self) -> tuple[tuple[int | None, ...], ...]:
        """The lengths of the shortest paths between all vertices; ``None`` where there is no path.

        >>> Graph(range(4), [(0, 1), (1, 2)]).hops()[0]
        (0, 1, 2, None)
        """
        require_all_pairs(f"{self}", len(self.vertices))
        near = self.adjacency()
        starts = counted_off(range(len(near)), None, "shortest paths", "vertices", every=50)
        return tuple(tuple(steps_from(near, start)) for start in starts)

    def metric(self) -> Metric:
        """The metric of shortest paths.

        >>> Graph.path(3).metric().between(0, 2)
        Distance.parse('2')
        """
        known: dict[int, Distance] = {}
        table: dict[tuple[int, int], Distance] = {}
        hops = self.hops()
        for i, row in enumerate(row_by_row(hops, "the distances of a graph", (len(hops), len(hops)))):
            for j in range(i + 1, len(row)):
                steps = row[j]
                if steps is not None:
                    if steps not in known:
                        known[steps] = Distance.of(steps)
                    table[i, j] = known[steps]
        return Metric._by_construction(self.vertices, table, self.name and f"shortest paths of {self.name}")

    def _in_brief(self) -> str | None:
        return str(self) if len(self.vertices) > LARGEST else None

    def __str__(self) -> str:
        return printable(self.name or self._by_edges())

    def _by_edges(self) -> str:
        """What determines a graph without a name, whatever the order of its vertices; a large one is cut."""
        vertices, count, where = self.vertices, len(self.edges), brief(in_order(self.vertices))
        pairs = sorted("–".join(sorted((vertices[i], vertices[j]))) for i, j in self.edges)
        if count > _FEW_EDGES or len(vertices) > _FEW_EDGES:
            ends = sorted(sorted((vertices[i], vertices[j])) for i, j in self.edges)
            return f"a graph on {where} with {count} edges ({short_digest([in_order(vertices), *ends])})"
        edges = f"the edges {', '.join(pairs)}" if pairs else "no edges"
        return f"the graph on {where} with {edges}"


_FEW_EDGES = 8
"""A graph without a name and with so many edges at most is called by them."""

Vertices = int | Iterable[Label]
"""How many vertices a graph has, or their labels."""


class Networkx(Protocol):
    """What is used of a graph of networkx, which is not imported."""

    def is_directed(self) -> bool: ...  # noqa: D102
    def nodes(self) -> Iterable[Any]: ...  # noqa: D102
    def edges(self, *, data: str | bool = False, default: object = None) -> Iterable[Any]: ...  # noqa: D102


def is_networkx(thing: object) -> bool:
    """Whether the object is a graph of networkx."""
    return not isinstance(thing, type) and all(callable(getattr(thing, name, None)) for name in ("is_directed", "nodes", "edges"))


def _vertices(vertices: object, *, least: int = 1) -> Labels:
    """The labels given, or as many unlabelled vertices as a number says."""
    if isinstance(vertices, int):
        size = as_count(vertices, "number of vertices", least=least)
        require_graph(f"a graph of {figure(size)} vertices", size, 0)
        return Positions(size)
    labels = as_labels(vertices, what="vertex label") if isinstance(vertices, (str, Iterable)) else None
    if labels is None:
        raise wrong_kind("list of vertices", vertices, "how many there are, or their labels")
    as_count(len(labels), "number of vertices", least=least)
    return labels


def _node(node: object) -> Any:
    """A node of networkx as a label: a tuple of ints is a point."""
    return ",".join(map(str, node)) if isinstance(node, tuple) and node and all(type(x) is int for x in node) else node


def _pairs(edges: object) -> Iterator[tuple[Any, Any]]:
    """The two ends of every edge. A mapping, a frame and a text of two letters are refused."""
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


Neighbours = Graph | Metric
"""What privacy is asked for: adjacency (distance 1 each) or a metric."""


def unit_graph(neighbours: Neighbours) -> Graph | None:
    """The graph itself, or that of a metric whose constrained distances are all 1; None for other metrics.

    >>> unit_graph(Graph.path(2).metric()).edges
    ((0, 1),)
    """
    if isinstance(neighbours, Graph):
        return neighbours
    pairs = neighbours.pairs()
    return Graph(neighbours.vertices, [(i, j) for i, j, _ in pairs]) if all(d == ONE for _, _, d in pairs) else None


Adjacent = Sequence[Sequence[int]]
"""The neighbours of each vertex 0, 1, …."""


def adjacency(size: int, edges: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """The neighbours of each vertex 0..size−1, in increasing order.

    >>> adjacency(3, [(2, 1), (0, 1)])
    ((1,), (0, 2), (1,))
    """
    near: list[list[int]] = [[] for _ in range(size)]
    for i, j in edges:
        near[i].append(j)
        near[j].append(i)
    return tuple(tuple(sorted(row)) for row in near)


def traversed(near: Callable[[int], Iterable[int]], start: int, *, newest_first: bool = False) -> Iterator[tuple[int, int | None]]:
    """The vertices that can be reached from one, each with the vertex from which it was seen first.

    * ``near``: from a vertex to its neighbours.
    * ``start``: it comes first, and was seen from ``None``.
    * ``newest_first``: whether to go on from the vertex seen last, instead of breadth first.

    >>> near = adjacency(5, [(0, 1), (0, 2), (1, 3), (2, 3)])
    >>> list(traversed(near.__getitem__, 0))
    [(0, None), (1, 0), (2, 0), (3, 1)]
    """
    waiting, seen = deque[tuple[int, int | None]]([(start, None)]), {start}
    while waiting:
        vertex, before = waiting.pop() if newest_first else waiting.popleft()
        yield vertex, before
        for other in near(vertex):
            if other not in seen:
                seen.add(other)
                waiting.append((other, vertex))


def spanning_forest(near: Adjacent) -> list[tuple[int, int | None]]:
    """All vertices with their parents in a spanning forest, parents first; a root has the parent ``None``.

    >>> spanning_forest(adjacency(4, [(0, 1), (0, 3)]))
    [(0, None), (3, 0), (1, 0), (2, None)]
    """
    found: dict[int, int | None] = {}
    for root in range(len(near)):
        if root not in found:
            found.update(traversed(near.__getitem__, root, newest_first=True))
    return list(found.items())


def components(near: Adjacent) -> list[list[int]]:
    """The connected components, each in increasing order, by their least vertices.

    >>> components(adjacency(4, [(0, 3), (1, 2)]))
    [[0, 3], [1, 2]]
    """
    parts: list[list[int]] = []
    for vertex, parent in spanning_forest(near):
        if parent is None:
            parts.append([])
        parts[-1].append(vertex)
    return [sorted(part) for part in parts]


def steps_from(near: Adjacent, start: int) -> list[int | None]:
    """The length of a shortest path from one vertex to each; ``None`` where there is no path.

    It ends as soon as all vertices are seen, so that a complete graph takes no time.

    >>> steps_from(adjacency(4, [(0, 1), (1, 2)]), 0)
    [0, 1, 2, None]
    """
    steps: list[int | None] = [None] * len(near)
    steps[start] = 0
    layer, length, unseen = [start], 0, len(near) - 1
    while layer and unseen:
        length += 1
        reached = []
        for i in layer:
            for j in near[i]:
                if steps[j] is None:
                    steps[j] = length
                    reached.append(j)
        layer, unseen = reached, unseen - len(reached)
    return steps


Permutation = tuple[int, ...]

MOST_AUTOMORPHISMS = 50_000
"""More symmetries are not listed; the identity alone is then the group to work with."""


def automorphisms(neighbours: Neighbours, limit: int = MOST_AUTOMORPHISMS) -> tuple[Permutation, ...]:
    """All permutations g of the inputs with d(g(i), g(j)) = d(i, j), in lexicographic order.

    * ``neighbours``: a pair that is not constrained must go to one that is not.
    * ``limit``: most permutations to list; the identity alone is listed if there are more.

    >>> from exactdp.model.neighbours import neighbours
    >>> automorphisms(neighbours("path:3")), len(automorphisms(neighbours("hypercube:3")))
    (((0, 1, 2), (2, 1, 0)), 48)
    """
    size = len(neighbours.vertices)
    table: list[list[Distance | None]] = [[None] * size for _ in range(size)]
    for i, j, d in neighbours.pairs():
        table[i][j] = table[j][i] = d
    profiles = [sorted((0, d) if d is None else (1, d.square) for d in row) for row in table]
    found: list[Permutation] = []
    images: list[int] = []
    used = [False] * size

    def extend() -> bool:
        k = len(images)
        if k == size:
            found.append(tuple(images))
            return len(found) <= limit
        for image in range(size):
            if used[image] or profiles[image] != profiles[k]:
                continue
            if any(table[image][other] != table[k][j] for j, other in enumerate(images)):
                continue
            images.append(image)
            used[image] = True
            fine = extend()
            used[images.pop()] = False
            if not fine:
                return False
        return True

    return tuple(found) if extend() else (tuple(range(size)),)
