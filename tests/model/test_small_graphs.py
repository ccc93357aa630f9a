# SPDX-License-Identifier: MIT
"""Connected graphs up to isomorphism against Burnside's count and networkx's atlas; graph6 too."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from fractions import Fraction
from math import comb, factorial, gcd, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import graphs

from exactdp.errors import InputError, ParameterRangeError, ResourceLimitError
from exactdp.model import Graph, neighbours
from exactdp.model.small_graphs import MAX_VERTICES, connected_graphs, from_graph6, graph6


# ── How many there are ─────────────────────────────────────────────────────────────────────────────────────
def partitions(n, most):
    if n == 0:
        yield ()
    for part in range(min(n, most), 0, -1):
        for rest in partitions(n - part, part):
            yield (part, *rest)


def all_graphs(n):
    """Graphs with n unlabelled vertices: the mean over permutations of 2 to the number of orbits of pairs."""
    total = Fraction(0)
    for cycles in partitions(n, n):
        same = prod(factorial(cycles.count(c)) for c in set(cycles)) * prod(cycles)  # the permutations are n! / same
        orbits = sum(c // 2 for c in cycles) + sum(gcd(a, b) for k, a in enumerate(cycles) for b in cycles[:k])
        total += Fraction(2**orbits, same)
    assert total.denominator == 1
    return int(total)


def connected(most):
    """How many of them are connected: a graph is a multiset of connected ones."""
    counts: list[int] = []
    for n in range(1, most + 1):
        multisets = [1] + [0] * n
        for size, kinds in enumerate(counts, 1):
            multisets = [sum(comb(kinds + k - 1, k) * multisets[m - k * size] for k in range(m // size + 1)) for m in range(n + 1)]
        counts.append(all_graphs(n) - multisets[n])
    return counts


def test_the_number_of_connected_graphs_is_what_burnside_counts():
    counted = connected(MAX_VERTICES)
    assert counted[:6] == [sum(1 for _ in connected_graphs(m)) for m in range(1, 7)]
    assert counted == [1, 1, 2, 6, 21, 112, 853]  # OEIS A001349


@pytest.mark.slow
def test_all_853_with_seven_vertices():
    assert sum(1 for _ in connected_graphs(7)) == connected(7)[-1]


@pytest.mark.parametrize("largest", [6, pytest.param(7, marks=pytest.mark.slow)])
def test_each_graph_of_the_atlas_is_here_once(largest):
    """networkx has the Atlas of Graphs by Read and Wilson: all graphs with up to seven vertices."""
    networkx = pytest.importorskip("networkx")

    def key(graph):
        squares = sorted(sum(graph.degree(v) for v in graph[u]) for u in graph)
        return len(graph), graph.size(), tuple(squares), sum(networkx.triangles(graph).values())

    ours = defaultdict(list)
    for m in range(1, largest + 1):
        for graph in connected_graphs(m):
            ours[key(graph.to_networkx())].append(graph.to_networkx())
    count = 0
    for atlas in networkx.graph_atlas_g():
        if 0 < len(atlas) <= largest and networkx.is_connected(atlas):
            assert sum(networkx.is_isomorphic(atlas, graph) for graph in ours[key(atlas)]) == 1
            count += 1
    assert count == sum(map(len, ours.values()))


def test_names_are_distinct_and_bring_the_graph_back():
    every = [graph for m in range(1, 7) for graph in connected_graphs(m)]
    assert len({graph.name for graph in every}) == len(every)
    for graph in every:
        assert neighbours(graph.name) == graph
        assert neighbours(graph.name).name == graph.name


@pytest.mark.parametrize("size", [0, -1, MAX_VERTICES + 1])
def test_other_sizes_are_refused(size):
    with pytest.raises(ParameterRangeError, match="not enumerated"):
        next(connected_graphs(size))


# ── graph6 ─────────────────────────────────────────────────────────────────────────────────────────────────
@given(graphs())
def test_graph6_is_what_networkx_writes(graph):
    networkx = pytest.importorskip("networkx")
    made = networkx.Graph()
    made.add_nodes_from(range(len(graph.vertices)))
    made.add_edges_from(graph.edges)
    assert graph6(graph).encode() == networkx.to_graph6_bytes(made, header=False).strip()
    assert from_graph6(graph6(graph)).edges == graph.edges


@pytest.mark.parametrize("size", [1, 2, 61, 62, 63, 64, 130])
def test_one_character_or_three_for_the_size(size):
    networkx = pytest.importorskip("networkx")
    graph = Graph.path(size)
    assert graph6(graph).encode() == networkx.to_graph6_bytes(networkx.path_graph(size), header=False).strip()
    assert from_graph6(graph6(graph)) == graph


@given(st.text(st.characters(min_codepoint=63, max_codepoint=126), min_size=1, max_size=8))
def test_a_word_is_refused_or_the_only_one_of_its_graph(word):
    with suppress(InputError):
        graph = from_graph6(word)
        assert graph6(graph) == word or word.startswith("~??")  # a size that one character could tell


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("", "characters"),
        ("Dh\n", "characters"),
        (">>graph6<<Dhc", "characters"),
        ("Dh", "has 3 characters"),
        ("Dhcc", "has 3 characters"),
        ("Dhd", "after its last pair"),
        ("?", "without vertices"),
        ("~~?????", "at most 258,047"),
        ("~", "at most 258,047"),
    ],
)
def test_words_of_no_graph(word, why):
    with pytest.raises(InputError, match=why):
        from_graph6(word)


def test_large_words():
    with pytest.raises(InputError, match="characters in graph6, not 4"):
        neighbours("graph6:~}~~")
    with pytest.raises(ParameterRangeError, match="258,047"):
        graph6(Graph(range(258_048), []))
    with pytest.raises(ResourceLimitError):
        neighbours("graph6:~?}_" + "~" * 1_333_000)  # all 7,998,000 pairs of 4,000 vertices
