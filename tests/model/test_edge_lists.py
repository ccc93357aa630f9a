# SPDX-License-Identifier: MIT
"""Lists of edges as neighbours, in every question that takes neighbours."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import InputError, LabelError
from exactdp.readers.graphs import graph_of_labels

ROWS = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
LABELLED = xdp.Mechanism(ROWS, ["low", "mid", "high"], ["low", "mid", "high"])
ABS = xdp.MinimaxConsumer("abs")
FLOATS = [[0.5, 0.5], [0.25, 0.75]]


@pytest.mark.parametrize(
    "ask",
    [
        lambda near: xdp.tightest_level(ROWS, near),
        lambda near: xdp.is_private(ROWS, near, "1/3"),
        lambda near: xdp.optimum(near, "1/2", ABS),
        lambda near: xdp.is_optimal(ROWS, near, "1/3", ABS),
        lambda near: xdp.least_delta(ROWS, near, "3/4"),
        lambda near: xdp.tight_mechanism(near, "1/2"),
        lambda near: xdp.audit(ROWS, near),
    ],
)
def test_a_list_is_the_graph(ask):
    answer = ask("path:3")
    for given_as in ([(0, 1), (1, 2)], ((1, 0), (2, 1)), [["0", "1"], ["1", "2"]], np.array([[0, 1], [1, 2]])):
        found = ask(given_as)
        assert (found.decision, str(found)) == (answer.decision, str(answer).replace("path:3", str(found.neighbours)))


def test_labels_are_matched_and_nothing_is_matched_by_position():
    path = [("low", "mid"), ("mid", "high")]
    assert xdp.is_private(LABELLED, path, "1/2").proved
    assert xdp.tightest_level(LABELLED, neighbors=path).neighbours.vertices == LABELLED.inputs
    assert xdp.is_private(LABELLED, [("low", "mid"), ("high",)], "1/2").proved
    for wrong, said in [
        ([(0, 1), (1, 2)], "'0', which is no input; the inputs are (low, mid, high)"),
        ([("low", "mid")], "'high' is in no edge; if it has no neighbours, add ('high',)"),
        ([("low", "low"), *path], "a loop"),
        ([*path, ("mid", "low")], "twice"),
        ([("low", "mid", 2)], "give a Metric"),
        ([], "a list of edges such as [(0, 1), (1, 2)]"),
        (["low", "mid"], "a list of edges such as [(0, 1), (1, 2)]"),
        ([(0.5, 1)], "0.5 (a float)"),
    ]:
        with pytest.raises(InputError, match=re.escape(said)):
            xdp.is_private(LABELLED, wrong, "1/2")


pairs = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=12).filter(
    lambda edges: all(a != b for a, b in edges) and len({frozenset(edge) for edge in edges}) == len(edges)
)


@given(pairs, st.sampled_from(["{}", "v{}"]))
def test_a_list_without_inputs_is_as_a_file_with_the_same_lines(edges, word):
    named = [tuple(map(word.format, edge)) for edge in edges]
    file = graph_of_labels(named)
    graph = xdp.neighbours(named)
    assert graph.vertices == file.vertices
    assert set(graph.edges) == set(file.edges)


@pytest.mark.parametrize("rows", [FLOATS, np.array(FLOATS)], ids=["a list", "an array"])
def test_rows_of_floats_are_no_neighbours(rows):
    """As where somebody swaps the arguments: it is said which one is wrong, and what it takes."""
    for ask in (
        xdp.neighbours,
        lambda near: xdp.is_private([["1/2", "1/2"]] * 2, near, "1/4"),
        lambda near: xdp.optimum(near, "1/4", "abs"),
    ):
        with pytest.raises(LabelError) as refused:
            ask(rows)
        message = str(refused.value)
        assert "the neighbours are a list of edges, and in part 0 of it 0.5 (a float) is no input label" in message
        assert all(works in message for works in ("labels are text, ints", '[("a", "b"), ("b", "c")]', "'path'"))
