# SPDX-License-Identifier: MIT
"""Adjacency graphs: the named families against independent constructions, edge lists, and what is refused."""

from __future__ import annotations

import pickle
import time
from contextlib import suppress
from itertools import combinations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import forests, graphs, paths, trees

from exactdp.errors import InputError, LabelError, ParameterRangeError, ResourceLimitError
from exactdp.model import FORMS, Graph, Metric, neighbours
from exactdp.model.graph import components, require_all_pairs, spanning_forest, traversed
from exactdp.readers.graphs import read_edges


def by_rule(points, near):
    return tuple((i, j) for i, j in combinations(range(len(points)), 2) if near(points[i], points[j]))


def hamming(p, q):
    return sum(a != b for a, b in zip(p, q, strict=True))


def taxi(p, q):
    return sum(abs(a - b) for a, b in zip(p, q, strict=True))


def king(p, q):
    return max(abs(a - b) for a, b in zip(p, q, strict=True))


NUMBERS = [(i,) for i in range(13)]
CASES = [
    ("path:1", NUMBERS[:1], lambda p, q: False),
    ("path:4", NUMBERS[:4], lambda p, q: taxi(p, q) == 1),
    ("cycle:5", NUMBERS[:5], lambda p, q: (p[0] - q[0]) % 5 in (1, 4)),
    ("cycle:3", NUMBERS[:3], lambda p, q: True),
    ("complete:4", NUMBERS[:4], lambda p, q: True),
    ("star:4", NUMBERS[:4], lambda p, q: 0 in (p[0], q[0])),
    ("hypercube:3", list(product((0, 1), repeat=3)), lambda p, q: hamming(p, q) == 1),
    ("hypercube:1", list(product((0, 1), repeat=1)), lambda p, q: True),
    ("grid:3x3", list(product(range(3), range(3))), lambda p, q: taxi(p, q) == 1),
    ("grid:2x3x2", list(product(range(2), range(3), range(2))), lambda p, q: taxi(p, q) == 1),
    ("grid:4", NUMBERS[:4], lambda p, q: taxi(p, q) == 1),
    ("sum:u=4,v=3", NUMBERS[:13], lambda p, q: taxi(p, q) <= 3),
    ("sum:u=1,v=1", NUMBERS[:2], lambda p, q: True),
    ("counts:u=3,k=2", list(product(range(4), repeat=2)), lambda p, q: king(p, q) == 1),
    ("counts:u=2,k=3", list(product(range(3), repeat=3)), lambda p, q: king(p, q) == 1),
    ("counts:u=3,k=1", NUMBERS[:4], lambda p, q: taxi(p, q) == 1),
]


@pytest.mark.parametrize(("spec", "points", "near"), CASES, ids=[case[0] for case in CASES])
def test_families_by_their_rule(spec, points, near):
    graph = neighbours(spec)
    joint = "" if spec.startswith("hypercube") else ","
    assert tuple(graph.vertices) == tuple(joint.join(map(str, point)) for point in points)
    assert graph.edges == by_rule(points, near)
    assert graph.name == spec == str(graph)
    assert all(d.rational == 1 for _, _, d in graph.pairs())


def test_euclid():
    metric = neighbours("euclid:3x3")
    points = list(product(range(3), range(3)))
    assert isinstance(metric, Metric)
    assert tuple(metric.vertices) == tuple(f"{a},{b}" for a, b in points)
    for i, j in combinations(range(9), 2):
        assert metric.between(i, j).square == sum((a - b) ** 2 for a, b in zip(points[i], points[j], strict=True))
    assert Metric(metric.vertices, metric.pairs()) == metric  # the triangle inequality holds


@pytest.mark.parametrize("spec", FORMS)
def test_every_listed_form_works(spec):
    assert neighbours(spec).name == spec


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "path:",
        "path:x",
        "path:-1",
        "path:1.5",
        "path:٣",
        "path:4,5",
        "tree:4",
        "sum:150,5",
        "sum:v=5,u=150",
        "grid:3x",
        "grid:x3",
        "counts:u=30",
        "hypercube:3x3",
        " path:4",
        "path:4 ",
        "path: 4",
        "graph6:",
        "graph6:D hc",
        "graph6:1",
        "__import__('os')",
    ],
)
def test_bad_words_name_the_rule_and_what_to_write(spec):
    with pytest.raises(InputError) as caught:
        neighbours(spec)
    family = spec.partition(":")[0]
    said = [form for form in FORMS if form.startswith(f"{family}:")] or [form.partition(":")[0] for form in FORMS]
    assert all(form in str(caught.value) for form in said)
    assert repr(spec[:80]) in str(caught.value)


def test_a_word_without_a_size_needs_inputs():
    with pytest.raises(InputError, match=r"'path'.* size"):
        neighbours("path")
    assert neighbours("path", ("a", "b")) == Graph.path(["a", "b"])


@pytest.mark.parametrize(
    "spec",
    ["path:0", "cycle:2", "complete:0", "hypercube:0", "grid:3x0", "star:0", "sum:u=0,v=1", "sum:u=1,v=0", "counts:u=1,k=0", "euclid:0"],
)
def test_too_small(spec):
    with pytest.raises(ParameterRangeError, match="at least"):
        neighbours(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "complete:1000000000",
        "path:999999999999",
        "hypercube:999999999999",
        "grid:99999x99999",
        "grid:" + "x".join(["9"] * 31),
        "counts:u=9,k=999999999999",
        "counts:u=999999999999,k=60",
        "sum:u=999999,v=999999",
        "euclid:5000x4",
        "complete:5000",
        "star:900000",
        "cycle:900000",
        "hamming:v=1,u=300000000",
        "hamming:v=999999999999,u=999999999999",
        "histogram:u=999999999999,k=999999999999",
        "histogram:u=999999999999,k=2",
        "average:u=999999,v=999999",
        *(f"{family}:1{'0' * 400}" for family in ("path", "cycle", "star", "complete", "hypercube", "grid", "euclid")),
    ],
)
def test_too_large_is_refused_before_any_work(spec):
    start = time.perf_counter()
    with pytest.raises(ResourceLimitError, match="limit") as caught:
        neighbours(spec)
    assert time.perf_counter() - start < 0.5
    assert len(str(caught.value)) < 300


def test_not_a_text():
    with pytest.raises(InputError):
        neighbours(4)


@given(paths())
def test_paths(graph):
    assert graph.is_path
    assert graph.is_forest


@given(trees())
def test_trees(graph):
    assert graph.is_forest
    assert all(x is not None for row in graph.hops() for x in row)


@given(forests())
def test_forests(graph):
    assert graph.is_forest


@given(graphs())
def test_traversals_against_shortest_paths(graph):
    near, hops = graph.adjacency(), graph.hops()
    assert components(near) == [list(part) for part in sorted({tuple(j for j, x in enumerate(row) if x is not None) for row in hops})]
    for newest_first in (False, True):
        for start, row in enumerate(hops):
            found = dict(traversed(near.__getitem__, start, newest_first=newest_first))
            assert set(found) == {j for j, x in enumerate(row) if x is not None}
            for vertex, before in found.items():
                assert before is None if vertex == start else before in near[vertex]
                if not newest_first and before is not None:
                    assert row[vertex] == row[before] + 1
    seen = set()
    for vertex, parent in spanning_forest(near):
        assert parent is None or (parent in seen and parent in near[vertex])
        seen.add(vertex)
    assert seen == set(range(len(near)))


@given(graphs())
def test_hops_are_those_of_floyd_and_warshall(graph):
    size, far = len(graph.vertices), 10**6
    table = [[0 if i == j else far for j in range(size)] for i in range(size)]
    for i, j in graph.edges:
        table[i][j] = table[j][i] = 1
    for k, i, j in product(range(size), repeat=3):
        table[i][j] = min(table[i][j], table[i][k] + table[k][j])
    assert graph.hops() == tuple(tuple(x if x < far else None for x in row) for row in table)


@given(graphs())
def test_forest_by_counting_components(graph):
    parts = {frozenset(j for j, x in enumerate(row) if x is not None) for row in graph.hops()}
    assert graph.is_forest == (len(graph.edges) == len(graph.vertices) - len(parts))
    assert pickle.loads(pickle.dumps(graph)) == graph
    near = graph.adjacency()
    assert {(i, j) for i, row in enumerate(near) for j in row if i < j} == set(graph.edges)


def test_a_path_is_in_order():
    assert not Graph(range(3), [(0, 2), (2, 1)]).is_path
    assert not Graph(range(1), []).is_path
    assert not Graph(range(3), [(0, 1)]).is_path


def test_the_name_is_not_compared():
    assert neighbours("path:2") == neighbours("complete:2") == Graph(range(2), [(1, 0)])
    assert hash(neighbours("path:2")) == hash(neighbours("complete:2"))


@pytest.mark.parametrize(
    ("edges", "kind", "words"),
    [
        ([("a", "a")], InputError, "loop"),
        ([("a", "b"), ("b", "a")], InputError, "given twice"),
        ([("a", "z")], LabelError, "unknown vertex 'z'"),
    ],
)
def test_bad_edges(edges, kind, words):
    with pytest.raises(kind, match=words):
        Graph.from_edges(["a", "b"], edges)
    with pytest.raises(LabelError):
        Graph(["a", "b"], [(0, 2)])
    with pytest.raises(LabelError):
        Graph(["a", "b"], [(-1, 0)])


def test_all_shortest_paths_are_bounded():
    with pytest.raises(ResourceLimitError, match="all distances of path:20000 takes about 22,400,000,000 bytes"):
        neighbours("path:20000").hops()
    require_all_pairs("a graph of 4096 vertices", 4096)  # takes 0.3 GB in a cube, 0.7 GB in a path


@given(graphs())
def test_edge_lists_round_trip(graph):
    assume(graph.edges)
    lines = [f"{graph.vertices[i]} {graph.vertices[j]}" for i, j in graph.edges]
    text = "# a comment\n\n" + "\n".join([*graph.vertices, *lines]) + "\n"
    assert read_edges(text) == graph.relabelled(tuple(graph.vertices))


def test_edge_lists_sort_integers_and_keep_words():
    assert read_edges("10 9\r\n-1 9 # why not\n").vertices == ("-1", "9", "10")
    assert read_edges("b a\n1 b").vertices == ("b", "a", "1")
    assert read_edges("0,0\t0,1").vertices == ("0,0", "0,1")
    assert read_edges("0,0 0,1\n5,5").vertices == ("0,0", "0,1", "5,5")


@given(graphs(), st.sampled_from([",", ", ", " ,\t"]))
def test_commas_separate_as_blanks_do(graph, comma):
    """The same graph, also with vertices that have no neighbours: never silently one without edges."""
    assume(graph.edges and not any("," in label for label in graph.vertices))
    lines = [f"{graph.vertices[i]}{comma}{graph.vertices[j]}" for i, j in graph.edges]
    assert read_edges("\n".join([*graph.vertices, *lines])) == graph.relabelled(tuple(graph.vertices))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("# nothing\n", "empty"),
        ("a b\na a", "line 2: the edge 'a'–'a' is a loop"),
        ("a b\n\nb a", "line 3: the edge 'b'–'a' is given on line 1 already"),
        ("a b c", "line 1: 3 labels; an edge is two labels a line, separated by blanks or a comma"),
        ("a,b\na,b,c", "line 2: 3 labels"),
        ("a,b\nb,", "line 2: no label beside a comma"),
        ("# no edge\na\nb\n", "line 2: one label, as on every line"),
        ("a;b\nb;c", "line 1: one label, as on every line"),
        ("a b\nb,c", "line 2: 'b,c' is one label with a comma, or two"),
        ("0,0 0,1 1,1", "line 1: 3 labels"),
        ("a\na", "line 2: the vertex 'a' is declared on line 1 already"),
        ("C#1 D\nD E\nE C#1", "line 1: '#' inside of 'C#1 D'; put a blank before a comment"),
        ("a b\nb c#why", "line 2: '#' inside of 'b c#why'"),
        ("New York,Boston\nBoston,Paris\nParis,New York", "line 1: two labels separated by the blank, or by the comma"),
        ("Boston,Paris\nSan Jose,Rio", "line 2: two labels separated by the blank, or by the comma"),
        ("New York,Boston\nRio", "line 1: two labels separated by the blank"),
        ("source,target\n1,2\n2,3", "line 1: 'source' and 'target' seem to be a heading; leave it out"),
        ("From To\na b\nb c", "line 1: 'From' and 'To' seem to be a heading"),
        ("person other\n1 2\n2 3", "line 1: 'person' and 'other' seem to be a heading"),
        # a pair as Python writes it: these were the vertices '(a', 'b)', …
        ("(a,b)\n(b,c)", "line 1: '\\(a,b\\)' is a pair in brackets; an edge is two labels a line"),
        ("(0, 1)\n(1, 2)", "line 1: '\\(0,1\\)' is a pair in brackets"),
        ("(a b)\n(b c)", "is a pair in brackets"),
        # lists of neighbours, and ends of lines
        ("0: 1\n1: 2", "line 1: '0:' ends with ':'; put it into double quotes if it is a label"),
        ("a b;\nb c;", "line 1: 'b;' ends with ';'"),
        # sizes before the edges, as files for programs have them: 3 was a vertex, and a neighbour of 2
        ("3 2\n0 1\n1 2", "line 1: '3 2' seems to count the vertices and edges of the other lines; leave it out"),
        ("3 2\n1 0\n2 1", "if it is meant, let it stand on another line"),
        ("# sizes\n3\n0 1\n1 2", "line 2: '3' seems to count the vertices of the other lines"),
        ('a "b\nc d', "line 1: a double quote inside of a label"),
    ],
)
def test_bad_edge_lists(text, words):
    with pytest.raises(InputError, match=words):
        read_edges(text)


@pytest.mark.parametrize(
    ("text", "vertices"),
    [
        ('"C#1" D\nD "E f" # why', ("C#1", "D", "E f")),
        ('"New York",Boston\nBoston , "Rio, Brazil"', ("New York", "Boston", "Rio, Brazil")),
        ('"a ""b"""\t"[c"\n', ('a "b"', "[c")),
        ('"x,y"\na,b', ("x,y", "a", "b")),
        ("u v\nv w", ("u", "v", "w")),
        ('"0:" 1\n1 2', ("0:", "1", "2")),
        ("0 1\n1 2\n3 2", ("0", "1", "2", "3")),
        ("2 1\n3 2\n1 0", ("0", "1", "2", "3")),
        ("3 2\n2 1\n1 0", ("0", "1", "2", "3")),
        ("0 1\n1 2\n3", ("0", "1", "2", "3")),
        ("(0,1) (1,1)\n(1,1) (1,0)", ("0,1", "1,1", "1,0")),
        ("f(x) g(x)", ("f(x)", "g(x)")),
        ("1 2\na b", ("1", "2", "a", "b")),
        ("a b\nb c,d", ("a", "b", "c,d")),
    ],
)
def test_labels_in_double_quotes_and_what_is_clear(text, vertices):
    assert read_edges(text).vertices == vertices


@given(graphs(), st.sampled_from([" ", ",", ", ", "\t"]))
def test_any_label_in_double_quotes_is_read(graph, between):
    assume(graph.edges)
    labels = [f'{label} #,"{k}' for k, label in enumerate(graph.vertices)]
    quoted = ['"' + label.replace('"', '""') + '"' for label in labels]
    lines = [f"{quoted[i]}{between}{quoted[j]}" for i, j in graph.edges]
    assert read_edges("\n".join([*quoted, *lines])) == Graph(labels, graph.edges)


@given(st.text(max_size=20))
def test_any_text_is_a_graph_or_an_input_error(text):
    for read in (neighbours, read_edges):
        with suppress(InputError, ResourceLimitError):
            read(text)


def test_a_weight_of_networkx_is_not_dropped():
    networkx = pytest.importorskip("networkx")
    weighted = networkx.Graph()
    weighted.add_edge(0, 1, weight=1)
    assert Graph.from_networkx(weighted) == Graph.path(2)
    weighted.add_edge(1, 2, weight=0.5)  # as a distance it asks for more privacy than a plain edge
    with pytest.raises(InputError, match=r"0\.5.*give a Metric"):
        Graph.from_networkx(weighted)


def test_labels_that_are_integers_are_told_in_numerical_order():
    graph = Graph([str(k) for k in reversed(range(12))], [(0, k) for k in range(1, 12)])
    assert str(graph).startswith("a graph on (0, 1, 2, 3, …, 11: 12 labels) with 11 edges (sha256 ")
