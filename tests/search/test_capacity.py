# SPDX-License-Identifier: MIT
"""The additive capacity in closed form, against the linear program, formulas and the checker."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import BayesianConsumer, Graph, Loss, Prior, Rational, is_private, neighbours, optimum
from exactdp.analysis.leakage import capacity, type_capacity
from exactdp.analysis.tight import tight_mechanism
from exactdp.certificate import certify
from exactdp.errors import ResourceLimitError
from exactdp.exact import RationalFunctionField
from exactdp.search.capacity import least_overlap

LEVELS = ["1/5", "1/2", "9/10"]


def by_program(graph, level):
    """The least Σ_y min_x M_xy by the linear program of all mechanisms."""
    n = len(graph.vertices)
    right = Loss([[int(x == g) for g in range(n)] for x in range(n)], graph.vertices)
    return n * optimum(graph, level, BayesianConsumer(right, Prior.uniform(graph.vertices))).evidence.value


@st.composite
def graphs(draw):
    n = draw(st.integers(2, 7))
    names = draw(st.permutations(range(n)))
    tree = {(draw(st.integers(0, i - 1)), i) for i in range(1, n)}
    more = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=3))
    pairs = tree | {(min(pair), max(pair)) for pair in more if pair[0] != pair[1]}
    return Graph(range(n), sorted({tuple(sorted((names[i], names[j]))) for i, j in pairs}))


@given(graphs(), st.sampled_from(LEVELS))
@settings(max_examples=8)
def test_closed_form_is_the_optimum_of_the_program(graph, level):
    found = least_overlap(graph, Rational(level))
    if found is None:
        assert not graph.is_tree
        return
    assert found.total == by_program(graph, level)
    verdict = type_capacity(graph, level, "additive")
    mechanism = verdict.evidence.mechanism
    assert is_private(mechanism, graph, level).proved
    assert capacity(mechanism, "additive").evidence.value == verdict.evidence.value == 1 - found.total
    assert certify(verdict).kind == "type-capacity"  # the checker goes through the dual


@pytest.mark.parametrize(
    ("spec", "rule"),
    [("path:9", "path"), ("star:6", "forest"), ("grid:3x3", "graph"), ("grid:3x4", "graph"), ("grid:4x4", "graph"), ("grid:2x4", "graph")],
)
def test_certificates_of_every_rule(spec, rule):
    verdict = type_capacity(neighbours(spec), "2/3", "additive")
    assert verdict.evidence.dual.rule == rule
    dual = json.loads(certify(verdict).to_json())["witness"]["by"]["dual"]
    assert set(dual) == {"path": set(), "forest": {"potentials"}, "graph": {"potentials", "edges"}}[rule]


@pytest.mark.parametrize("side", range(1, 6))
def test_products_of_paths_for_every_level(side):
    """Σ_y min_x of a product is the product; for the square of an odd side that is the rule of the centre."""
    a = RationalFunctionField().gen
    line = 2 * a ** (side // 2 + 0) / (1 + a) if side % 2 == 0 else a ** (side // 2)
    for sides in ((side, side), (side, side + 1)):
        if min(sides) < 2:
            continue
        other = 2 * a ** (sides[1] // 2) / (1 + a) if sides[1] % 2 == 0 else a ** (sides[1] // 2)
        assert type_capacity(neighbours("grid:{}x{}".format(*sides)), a, "additive").evidence.value == 1 - line * other


def test_what_has_no_closed_form():
    half = Rational("1/2")
    for graph in (neighbours("complete:3"), neighbours("cycle:5"), neighbours("cycle:8"), neighbours("hypercube:3")):
        assert least_overlap(graph, half) is None
    # four vertices of degree two, but no grid: a grid of 2 × 4 with a chord in the middle square
    grid = neighbours("grid:2x4")
    assert least_overlap(grid, half) is not None
    chords = [(i, j) for i in range(8) for j in range(i) if (j, i) not in grid.edges]
    for chord in chords:
        more = Graph(range(8), [*grid.edges, chord])
        found = least_overlap(more, half)
        assert found is None or found.total == by_program(more, half)
    assert least_overlap(Graph(range(4), [(0, 1), (2, 3)]), half) is None


def test_a_long_path_and_a_large_tree():
    path = type_capacity(neighbours("path:101"), "1/3", "additive").evidence
    assert path.value == 1 - Rational(1, 3) ** 50
    tree = Graph(range(255), [((i - 1) // 2, i) for i in range(1, 255)])
    assert least_overlap(tree, Rational("1/3")).total == Rational(1, 3) ** 7


@pytest.mark.parametrize("side", [3, 4])
def test_a_capacity_that_is_too_long_is_between_two_numbers(monkeypatch, side):
    """The exact one, which is short enough here, is between them."""
    grid = f"euclid:{side}x{side}"
    exact = type_capacity(grid, epsilon=1).evidence.value
    monkeypatch.setattr(tight_mechanism, "MOST_IN_ROOTS", 1)
    with pytest.raises(ResourceLimitError, match=r"between \d+\.\d{6} and \d+\.\d{6}:") as caught:
        type_capacity(grid, epsilon=1)
    low, high = caught.value.facts["low"], caught.value.facts["high"]
    assert low < exact < high
    below, above = (Rational(x) for x in re.findall(r"\d+\.\d{6}", str(caught.value)))
    assert below <= low
    assert high <= above <= below + Rational("1/1000000")


def test_no_numbers_are_told_where_there_is_no_tight_constraints_mechanism(monkeypatch):
    """Their sum would be no capacity: the linear program decides."""
    monkeypatch.setattr(tight_mechanism, "MOST_IN_ROOTS", 1)
    assert tight_mechanism.tight_mechanism("euclid:3x3", epsilon="1/100").decision.value == "refuted"
    assert type_capacity("euclid:3x3", epsilon="1/100").proved
