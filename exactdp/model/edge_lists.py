# SPDX-License-Identifier: MIT
"""Neighbours given as a list of pairs: ``[("no", "yes")]``, or ``[(0, 1), (1, 2)]`` for unlabelled inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.errors import InputError, LabelError
from exactdp.exact import Rational
from exactdp.model.graph import Graph
from exactdp.model.labels import Labels, as_label, brief, is_integer_label

Edges = Sequence[Sequence[Any]]

_SHAPE = 'write [("a", "b"), ("b", "c")], and ("d",) for an input without neighbours'


def is_edge_list(spec: object) -> bool:
    """Whether it is a list of sequences, or an array of rows, and no text.

    >>> is_edge_list([(0, 1)]), is_edge_list(["ab"]), is_edge_list([]), is_edge_list("path:4")
    (True, False, False, False)
    """
    return bool(_listed(spec))


def graph_of_edges(spec: Any, inputs: Labels | None = None) -> Graph:
    """The graph of a list of pairs of labels.

    * ``spec``: the two labels of each edge; a single label, as ``("d",)``, is an input without
      neighbours.
    * ``inputs``: the vertices, each of which must be in the list. Unless given they are the labels of the
      list: in the order of their numbers if all are integers, and else of their first appearance.
    * raises InputError: a part is no pair, or a loop, or there twice.
    * raises LabelError: something is no label, a label is no input, or an input is not in the list.

    >>> graph_of_edges([(2, 1), (1, 0)]).edges, graph_of_edges([("b", "a"), ("c",)]).vertices
    (((0, 1), (1, 2)), ('b', 'a', 'c'))
    """
    pairs = [_pair(k, part) for k, part in enumerate(_listed(spec))]
    found = list(dict.fromkeys(label for pair in pairs for label in pair))
    if inputs is None:
        inputs = tuple(sorted(found, key=Rational) if all(map(is_integer_label, found)) else found)
    place = {label: i for i, label in enumerate(inputs)}
    strange = [label for label in found if label not in place]
    if strange:
        message = f"the graph's edge list has {strange[0]!r}, which is no input; the inputs are {brief(inputs)}"
        raise LabelError(message, label=strange[0], inputs=tuple(inputs))
    alone = [label for label in inputs if label not in set(found)]
    if alone:
        message = f"the input {alone[0]!r} is in no edge; if it has no neighbours, add ({alone[0]!r},) to the graph's edge list"
        raise LabelError(message, label=alone[0], inputs=tuple(inputs))
    edges: dict[tuple[int, int], None] = {}
    for pair in pairs:
        if len(pair) == 2:
            edge = tuple(sorted(place[label] for label in pair))
            if edge in edges:
                raise InputError(f"the edge {pair[0]!r}–{pair[1]!r} is in the graph's edge list twice", edge=pair)
            edges[edge[0], edge[1]] = None
    return Graph(inputs, sorted(edges))


def _listed(spec: Any) -> list[Any]:
    """The parts of a list; none of what is no list of sequences."""
    if hasattr(spec, "tolist"):
        spec = spec.tolist()  # an array of NumPy
    if not isinstance(spec, (list, tuple)) or not all(isinstance(part, (list, tuple)) for part in spec):
        return []
    return list(spec)


def _pair(k: int, part: Sequence[Any]) -> tuple[str, ...]:
    """The labels of an edge, or of a single input."""
    if len(part) not in (1, 2):
        more = "; for distances give a Metric" if len(part) == 3 else ""
        raise InputError(f"part {k} of the graph's edge list has {len(part)} labels; {_SHAPE}{more}", place=k)
    try:
        labels = tuple(as_label(label, what="input label") for label in part)
    except LabelError as error:
        message = f"the neighbours are a list of edges, and in part {k} of it {error.message}; {_SHAPE}; or give a word ('path', 'local')"
        raise LabelError(message, **error.facts) from None
    if len(set(labels)) < len(labels):
        message = f"the edge {labels[0]!r}–{labels[1]!r} of the graph is a loop; an input is not its own neighbour"
        raise InputError(message, edge=labels)
    return labels
