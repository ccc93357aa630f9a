# SPDX-License-Identifier: MIT
"""The neighbours that a short word names (``path:4``, ``grid:3x3``, ``sum:u=150,v=5``); graphs of queries.

All sizes count vertices, except that ``hypercube:d`` gives the dimension and the queries give people and
values. The vertices are unlabelled (:class:`~exactdp.model.labels.Positions`); the words of a hypercube, the
points of a grid and their like have names, which are shown, and which match the same labels of a table. Sizes
are bounded (:mod:`exactdp.runtime.budget`) before any work is done.

In the graph of the answers of a query f [elsalamouny_tight_constraints, Definition 3] two answers i ≠ h are
adjacent when f(v) = i and f(v′) = h for some databases v, v′ that differ in one record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise, product
from math import comb
from typing import Any, NamedTuple

from exactdp.errors import InputError, ParameterRangeError, meant, wrong_kind
from exactdp.exact import Rational, as_count, entries_of
from exactdp.model.edge_lists import Edges, graph_of_edges, is_edge_list
from exactdp.model.graph import Graph, Neighbours, Networkx, is_networkx, require_graph
from exactdp.model.labels import Label, Labels, Positions, as_labels, is_integer_label, name_in_order
from exactdp.model.metric import Distance, Metric
from exactdp.runtime.budget import figure
from exactdp.runtime.progress import counted_off

NeighboursLike = Neighbours | Networkx | str | Edges
"""What says which inputs are neighbours: a graph, a metric, a word (``path:4``), a list of edges, …"""


def neighbours(spec: NeighboursLike, inputs: Iterable[Label] | None = None) -> Neighbours:
    """The graph (for ``euclid`` the metric) that a short word names, perhaps on given inputs.

    Parameters
    ----------
    spec : str, Graph, Metric, networkx.Graph or list of pairs
        One of the forms of :data:`FORMS`, with other sizes; the neighbours themselves, which are returned; or
        the two labels of each edge (:func:`~exactdp.model.edge_lists.graph_of_edges`).
    inputs : labels, optional
        The inputs that the graph is for, such as those of a table. Then path, cycle, star and complete (also
        called local) need no size, and their vertices have these labels: in the order of their numbers if all
        are integers, and in their own order otherwise; the name says the order of labels other than 0, …, n.

    Raises
    ------
    InputError
        No such form; the message says which families there are, or what the family takes.
    ParameterRangeError
        A size is outside the form's rule.
    ResourceLimitError
        The graph would be larger than the budget.

    Examples
    --------
    >>> neighbours("grid:2x2").vertices
    ('0,0', '0,1', '1,0', '1,1')
    >>> neighbours("star:4").edges
    ((0, 1), (0, 2), (0, 3))
    >>> neighbours("sum:u=2,v=2").edges
    ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4))
    >>> str(neighbours("euclid:2x2").between(0, 3))
    'sqrt(2)'
    >>> neighbours("path", ["10", "0", "20"]).vertices, neighbours("local", ["b", "a"]).name
    (('0', '10', '20'), 'complete:2 (local)')
    >>> neighbours([("no", "yes")]).vertices, neighbours([(0, 1), (1, 2)]).edges
    (('no', 'yes'), ((0, 1), (1, 2)))
    >>> str(neighbours("path", ["2", "0", "1"])), str(neighbours("path", ["low", "high"]))
    ('path:3', 'path:2 in the order of the inputs (low, high)')
    """
    if isinstance(spec, (Graph, Metric)):
        return spec
    if is_networkx(spec):
        return Graph.from_networkx(spec)  # type: ignore[arg-type]
    labels = None if inputs is None else _in_order(as_labels(inputs, what="input label"))
    if is_edge_list(spec):
        return graph_of_edges(spec, labels)
    if not isinstance(spec, str):
        size = spec if isinstance(spec, int) and not isinstance(spec, bool) and 0 < spec <= 10**6 else 4
        words = f"a word such as path:{size}, or a list of edges such as [(0, 1), (1, 2)]"
        raise wrong_kind("graph", spec, f"a Graph, a Metric, a graph of networkx, {words}")
    family, colon, rest = spec.partition(":")
    if family in _OF_INPUTS and not colon:
        if labels is None:
            raise _unknown(spec, f"{family} has the size of a table, and there is none; say how many inputs, as in {family}:4")
        size = len(labels)
        _bound(spec, size, size * (size - 1) // 2 if family in ("complete", "local") else size)
        graph = _OF_INPUTS[family](labels)
        return Graph(graph.vertices, graph.edges, name=_name_on(family, graph))
    if family not in _FAMILIES:
        families = ", ".join(_FAMILIES)
        begin = f"{meant(family, _FAMILIES)}it must begin with one of {families}, as path:4 does"
        raise _unknown(spec, f"{begin}, or name a file with one edge (two labels) a line, which in Python load(path) reads")
    chosen = _FAMILIES[family]
    if re.fullmatch(chosen.pattern, rest, re.ASCII) is None:
        raise _unknown(spec, f"{family} takes {chosen.takes}")
    return chosen.make(spec, [int(number) for number in re.findall(r"[0-9]+", rest)])


neighbors = neighbours


_OF_INPUTS: dict[str, Callable[[Labels], Graph]] = {
    "path": Graph.path,
    "cycle": Graph.cycle,
    "star": Graph.star,
    "complete": Graph.complete,
    "local": Graph.complete,
}
"""The words that need no size where inputs are known."""

SIZED_BY_INPUTS = tuple(_OF_INPUTS)
"""These words."""


def _in_order(labels: Labels) -> Labels:
    """By number if all are integers, else as given."""
    if isinstance(labels, Positions) or not all(map(is_integer_label, labels)):
        return labels
    return tuple(sorted(labels, key=Rational))


def _name_on(family: str, graph: Graph) -> str:
    """The name with a size, and what it doesn't say: that reports are local, or the order of the labels."""
    if family == "local":
        return f"{graph.name} (local)"
    return name_in_order(graph.name, graph.vertices)


def _unknown(spec: str, rule: str) -> InputError:
    return InputError(f"{spec[:80]!r} names no graph: {rule}", spec=spec)


def _least(spec: str, name: str, value: int, least: int) -> None:
    if value < least:
        raise ParameterRangeError(
            f"{spec!r}: {name} is {value}, but must be at least {least}", name=name, value=value, allowed=f">= {least}"
        )


def _bound(spec: str, vertices: int, edges: int) -> None:
    """Refuse too large a graph; products are compared before anything of that size is made."""
    require_graph(f"the graph {spec!r}", vertices, edges)


def _path(spec: str, sizes: list[int]) -> Graph:
    return Graph.path(_sized(spec, sizes, 1, lambda m: m - 1))


def _cycle(spec: str, sizes: list[int]) -> Graph:
    return Graph.cycle(_sized(spec, sizes, 3, lambda m: m))


def _complete(spec: str, sizes: list[int]) -> Graph:
    return Graph.complete(_sized(spec, sizes, 1, lambda m: m * (m - 1) // 2))


def _star(spec: str, sizes: list[int]) -> Graph:
    return Graph.star(_sized(spec, sizes, 1, lambda m: m - 1))


def _sized(spec: str, sizes: list[int], least: int, edges: Callable[[int], int]) -> int:
    """One number of vertices, within its bounds."""
    _least(spec, "the number of vertices", sizes[0], least)
    _bound(spec, sizes[0], edges(sizes[0]))
    return sizes[0]


def _hypercube(spec: str, sizes: list[int]) -> Graph:
    (d,) = sizes
    _least(spec, "the dimension", d, 1)
    _bound(spec, 2 ** min(d, _MOST_FACTORS), d * 2 ** min(d - 1, _MOST_FACTORS))
    return Graph.hypercube(d)


def _grid(spec: str, sizes: list[int]) -> Graph:
    vertices = _points(spec, sizes)
    _bound(spec, vertices, vertices * len(sizes))
    return Graph.grid(*sizes)


def _people(spec: str, sizes: list[int], what: str) -> list[int]:
    """The number of people, and another one; both at least 1."""
    _least(spec, "u, the number of people,", sizes[0], 1)
    _least(spec, what, sizes[1], 1)
    return sizes


def _sum(spec: str, sizes: list[int]) -> Graph:
    u, v = _people(spec, sizes, "v, the largest value,")
    _bound(spec, u * v + 1, u * v * v)
    return Graph(range(u * v + 1), [(i, j) for i in range(u * v + 1) for j in range(i + 1, min(i + v, u * v) + 1)], name=spec)


def _counts(spec: str, sizes: list[int]) -> Graph:
    u, k = _people(spec, sizes, "k, the number of counts,")
    few = min(k, _MOST_FACTORS)
    _bound(spec, (u + 1) ** few, (u + 1) ** few * (3**few - 1) // 2)
    steps = [step for step in product((-1, 0, 1), repeat=k) if step > (0,) * k]
    return _steps(spec, list(product(range(u + 1), repeat=k)), steps)


def _steps(spec: str, points: list[tuple[int, ...]], steps: list[tuple[int, ...]]) -> Graph:
    """The graph on points that differ by one of these steps."""
    place = {point: i for i, point in enumerate(points)}
    edges = []
    for i, point in enumerate(points):
        found = (place.get(tuple(a + b for a, b in zip(point, step, strict=True))) for step in steps)
        edges += [(i, j) for j in found if j is not None]
    return Graph(_names(points), edges, name=spec)


def _average(spec: str, sizes: list[int]) -> Graph:
    sums = _sum(spec, sizes)
    return Graph(Positions(str(Rational(i, sizes[0])) for i in range(len(sums.vertices))), sums.edges, name=spec)


def _histogram(spec: str, sizes: list[int]) -> Graph:
    u, k = _people(spec, sizes, "k, the number of groups,")
    count, fewer = (comb(people + k - 1, min(people, k - 1, _MOST_FACTORS)) for people in (u, u - 1))
    _bound(spec, count * k, fewer * k * (k - 1) // 2)
    points = list(_parts(u, k))
    place = {point: i for i, point in enumerate(points)}
    edges = []
    for i, point in enumerate(counted_off(points, None, f"the edges of {spec}", "vertices", every=500)):
        for a in (group for group, people in enumerate(point) if people):
            for b in range(a + 1, k):  # each pair once, from the point with more in the earlier group
                edges.append((i, place[tuple(x - (g == a) + (g == b) for g, x in enumerate(point))]))
    return Graph(_names(points), edges, name=spec)


def _parts(whole: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as a sum of so many, in lexicographic order: stars, with bars between."""
    for bars in combinations(range(whole + parts - 1), parts - 1):
        yield tuple(b - a - 1 for a, b in pairwise((-1, *bars, whole + parts - 1)))


def _hamming(spec: str, sizes: list[int]) -> Graph:
    v, u = sizes
    _least(spec, "v, the number of values,", v, 1)
    _least(spec, "u, the number of people,", u, 1)
    words = hamming(v, u)
    return Graph(Positions(words.vertices), words.edges, name=spec)


def _euclid(spec: str, sizes: list[int]) -> Metric:
    vertices = _points(spec, sizes)
    _bound(spec, vertices, vertices * (vertices - 1) // 2)
    points = list(product(*map(range, sizes)))
    known: dict[int, Distance] = {}
    table: dict[tuple[int, int], Distance] = {}
    for i, p in enumerate(counted_off(points, None, f"the distances of {spec}", "points", every=20)):
        for j in range(i + 1, len(points)):
            square = sum((a - b) ** 2 for a, b in zip(p, points[j], strict=True))
            if square not in known:
                known[square] = Distance(square=Rational(square))
            table[i, j] = known[square]
    return Metric._by_construction(_names(points), table, spec)


def _graph6(spec: str, sizes: list[int]) -> Graph:
    """The graph of a word without numbers."""
    from exactdp.model.small_graphs import from_graph6

    return from_graph6(spec.partition(":")[2])


def _points(spec: str, sizes: list[int]) -> int:
    """The number of points of a grid, refused as soon as it is too large."""
    count = 1
    for size in sizes:
        _least(spec, "every side", size, 1)
        count *= size
        _bound(spec, count, 0)
    return count


def _names(points: Iterable[tuple[int, ...]]) -> Positions:
    return Positions(",".join(map(str, point)) for point in points)


class _Family(NamedTuple):
    """A form: example and meaning, what follows the colon (as a pattern and in words), and its graph."""

    example: str
    meaning: str
    pattern: str
    takes: str
    make: Callable[[str, list[int]], Neighbours]


_MOST_FACTORS = 64
"""So many factors make a product, of powers of 2 at least, larger than any machine."""

_N = "[0-9]{1,4000}"
_SIDES = f"{_N}(x{_N}){{0,30}}"
# fmt: off
_FORMS = (
    _Family("path:4", "4 vertices 0 – 1 – 2 – 3", _N, "one number of vertices, as in path:4", _path),
    _Family("cycle:5", "5 vertices in a ring, at least 3", _N, "one number of vertices, as in cycle:5", _cycle),
    _Family("complete:4", "4 vertices, all adjacent", _N, "one number of vertices, as in complete:4", _complete),
    _Family("hypercube:3", "dimension 3: words of 3 bits, adjacent when one bit differs",
            _N, "its dimension, as in hypercube:3", _hypercube),
    _Family("grid:3x3", "any number of dimensions, adjacent when one coordinate differs by 1",
            _SIDES, "its sides, as in grid:3x3 or grid:2x3x4", _grid),
    _Family("star:4", "4 vertices: a centre, first, and 3 leaves", _N, "one number of vertices, as in star:4", _star),
    _Family("sum:u=150,v=5", "sums of 150 people's values 0 to 5: 0 to 750, adjacent when they differ by at most 5",
            f"u={_N},v={_N}", "people and largest value, as in sum:u=150,v=5", _sum),
    _Family("counts:u=30,k=2", "2 counts of 30 people each, adjacent when no count differs by more than 1",
            f"u={_N},k={_N}", "people and number of counts, as in counts:u=30,k=2", _counts),
    _Family("average:u=4,v=2", "averages of 4 people's values 0 to 2: 0, 1/4, …, 2, adjacent when one value changes",
            f"u={_N},v={_N}", "people and largest value, as in average:u=4,v=2", _average),
    _Family("histogram:u=4,k=3", "how many of 4 people are in each of 3 groups, adjacent when one person changes the group",
            f"u={_N},k={_N}", "people and groups, as in histogram:u=4,k=3", _histogram),
    _Family("hamming:v=4,u=5", "the databases of 5 people with 4 values each, adjacent when one record differs",
            f"v={_N},u={_N}", "values and people, as in hamming:v=4,u=5", _hamming),
    _Family("euclid:3x3", "the points of a grid with their Euclidean distances", _SIDES, "its sides, as in euclid:3x3", _euclid),
    _Family("graph6:Dhc", "the graph that nauty, networkx and others call Dhc, in the format graph6", "[?-~]+",
            "a word of graph6, as in graph6:Dhc", _graph6),
)
# fmt: on
_FAMILIES = {form.example.partition(":")[0]: form for form in _FORMS}

FORMS = {form.example: form.meaning for form in _FORMS}
"""The accepted forms, with their meaning."""


FAMILIES = tuple(_FAMILIES)
"""What words for neighbours begin with, before a colon."""


def begins_as_word(text: str) -> bool:
    """Whether a text begins with the name of a family and a colon, as words for neighbours do.

    >>> begins_as_word("path:4"), begins_as_word("path"), begins_as_word("trips.edges")
    (True, False, False)
    """
    family, colon, _ = text.partition(":")
    return bool(colon) and family in _FAMILIES


def databases(values: Sequence[Any], people: int) -> list[tuple[Any, ...]]:
    """All databases of so many people, each with one of the values.

    >>> databases("ab", 2)
    [('a', 'a'), ('a', 'b'), ('b', 'a'), ('b', 'b')]
    """
    listed = list(values) if isinstance(values, str) else entries_of(values, "values of a record")
    if as_count(people, "number of people") < 1 or not listed:
        message = "there must be at least one value and one person"
        raise ParameterRangeError(message, name="people", value=people, allowed=">= 1")
    _require_databases(len(listed), people)
    return list(product(listed, repeat=people))


def _require_databases(values: int, people: int) -> None:
    """Refuse too many records, and pairs of databases that differ in one."""
    count = values ** min(as_count(people, "number of people"), _MOST_FACTORS)
    what = f"the graph of the databases of {figure(people)} people with {figure(values)} values each"
    require_graph(what, count * people, count * people * (values - 1) // 2)


def hamming(values: int, people: int) -> Graph:
    """The Hamming graph V^u: databases of u people with values 0, 1, …, adjacent when one record differs.

    >>> hamming(3, 1).edges, hamming(2, 2).vertices
    (((0, 1), (0, 2), (1, 2)), ('0,0', '0,1', '1,0', '1,1'))
    """
    _require_databases(as_count(values, "number of values"), people)
    words = databases(range(values), people)
    edges = []
    for i, word in enumerate(counted_off(words, None, "the edges of a Hamming graph", "vertices", every=500)):
        for p in range(people):
            step = values ** (people - 1 - p)
            edges += [(i, i + k * step) for k in range(1, values - word[p])]
    return Graph(Positions(",".join(map(str, word)) for word in words), edges, name=f"hamming:v={values},u={people}")


def query_graph(query: Callable[[tuple[Any, ...]], Hashable], values: Sequence[Any], people: int, *, name: str = "") -> Graph:
    """The graph of the answers of a query given as a function on databases.

    Parameters
    ----------
    query : callable
        From a tuple of records to an answer (hashable; answers are sorted if they can be, and labelled by
        their text).
    values : sequence
        What a record can be.
    people : int
        How many records.
    name : str
        For display.

    Examples
    --------
    >>> query_graph(sum, range(3), 2).edges                       # sums of two values 0, 1, 2
    ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4))
    """
    if not callable(query):
        raise wrong_kind("query", query, "a function of a database, which is a tuple of records, such as sum")
    words = databases(values, people)
    if not all(isinstance(value, Hashable) for value in words[0]):
        raise wrong_kind("list of values", values, "hashable values, such as ints, text or tuples")
    rows = {word: query(word) for word in words}
    records = list(dict.fromkeys(word[0] for word in words))
    pairs = [(word, (*word[:p], other, *word[p + 1 :])) for word in words for p in range(people) for other in records if other != word[p]]
    return _graph(rows.values(), ((rows[v], rows[w]) for v, w in pairs), name)


def _graph(answers: Iterable[Hashable], pairs: Iterable[tuple[Hashable, Hashable]], name: str) -> Graph:
    found: list[Any] = list(dict.fromkeys(answers))
    try:
        found.sort()
    except TypeError:
        found.sort(key=str)
    place = {answer: i for i, answer in enumerate(found)}
    labels = [",".join(map(str, a)) if isinstance(a, tuple) else str(a) for a in found]
    if len(set(labels)) < len(labels):
        raise InputError("two different answers of the query have the same text; make them texts", labels=labels)
    edges = {(min(place[a], place[b]), max(place[a], place[b])) for a, b in pairs if a != b}
    return Graph(Positions(labels), edges, name=name)
