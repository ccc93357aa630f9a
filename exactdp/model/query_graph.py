# SPDX-License-Identifier: MIT
"""From a query on small databases to the graph of its answers [elsalamouny-tight-constraints, Definition 3].

Two answers i ≠ h are adjacent when f(v) = i and f(v′) = h for some databases v, v′ that differ in one record.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from exactdp.errors import InputError, LabelError, ParameterRangeError, ResourceLimitError
from exactdp.exact import is_frame, is_mapping
from exactdp.model.graph import AdjacencyGraph
from exactdp.model.labels import Label, Positions

__all__ = ["MAX_DATABASES", "answer_graph", "databases", "hamming", "query_graph"]

MAX_DATABASES = 20_000
"""Most databases that are written out."""

MAX_EDGES = 2_000_000


def databases(values: Sequence[Any], people: int) -> list[tuple[Any, ...]]:
    """All databases of so many people, each with one of the values.

    >>> databases("ab", 2)
    [('a', 'a'), ('a', 'b'), ('b', 'a'), ('b', 'b')]
    """
    if is_mapping(values) or is_frame(values):
        raise InputError(f"the values of a record are a {type(values).__name__}, whose labels would be dropped; give a list", value=values)
    if people < 1 or not len(values):
        raise ParameterRangeError("there must be at least one value and one person", name="people", value=people, allowed=">= 1")
    if len(values) ** min(people, 64) > MAX_DATABASES:
        raise ResourceLimitError(f"{len(values)}^{people} databases; the limit is {MAX_DATABASES}", limit=MAX_DATABASES, got=people)
    return list(product(values, repeat=people))


def hamming(values: int, people: int) -> AdjacencyGraph:
    """The databases of so many people with the values 0, 1, …, adjacent when one record differs: the Hamming graph V^u.

    >>> hamming(3, 1).edges, hamming(2, 2).vertices
    (((0, 1), (0, 2), (1, 2)), ('0,0', '0,1', '1,0', '1,1'))
    """
    words = databases(range(values), people)
    if len(words) * people * (values - 1) > 2 * MAX_EDGES:
        raise ResourceLimitError(
            f"{values}^{people} databases have more than {MAX_EDGES} edges", limit=MAX_EDGES, got=len(words) * people * (values - 1) // 2
        )
    edges = []
    for i, word in enumerate(words):
        for p in range(people):
            step = values ** (people - 1 - p)
            edges += [(i, i + k * step) for k in range(1, values - word[p])]
    return AdjacencyGraph(Positions(",".join(map(str, word)) for word in words), edges, name=f"hamming:v={values},u={people}")


def query_graph(query: Callable[[tuple[Any, ...]], Hashable], values: Sequence[Any], people: int, *, name: str = "") -> AdjacencyGraph:
    """The graph of the answers of a query given as a function on databases.

    Parameters
    ----------
    query : callable
        From a tuple of records to an answer (hashable; answers are sorted if they can be, and labelled by their text).
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
    words = databases(values, people)
    rows = {word: query(word) for word in words}
    pairs = [(word, (*word[:p], other, *word[p + 1 :])) for word in words for p in range(people) for other in values if other != word[p]]
    return _graph(rows.values(), ((rows[v], rows[w]) for v, w in pairs), name)


def answer_graph(answers: Mapping[Label, Hashable], graph: AdjacencyGraph, *, name: str = "") -> AdjacencyGraph:
    """The graph of the answers of a query given as a table: an answer for each vertex of a graph of databases.

    >>> answer_graph({"00": 0, "01": 1, "10": 1, "11": 2}, AdjacencyGraph(["00", "01", "10", "11"], [(0, 1), (0, 2), (1, 3), (2, 3)])).edges
    ((0, 1), (1, 2))
    """
    table = {str(label): answer for label, answer in answers.items()}
    missing = [label for label in graph.vertices if label not in table]
    if missing or len(table) != len(graph.vertices):
        raise LabelError(f"the table must have one answer for each of the {len(graph.vertices)} databases", label=missing[:3])
    rows = [table[label] for label in graph.vertices]
    return _graph(rows, ((rows[i], rows[j]) for i, j in graph.edges), name)


def _graph(answers: Iterable[Hashable], pairs: Iterable[tuple[Hashable, Hashable]], name: str) -> AdjacencyGraph:
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
    return AdjacencyGraph(Positions(labels), edges, name=name)
