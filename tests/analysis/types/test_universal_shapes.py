# SPDX-License-Identifier: MIT
"""What the shape of a graph decides about universal optimality, against the search for priors and kinks,
which knows no such theorem.
"""

from __future__ import annotations

import copy
import json
from itertools import pairwise

import pytest
from certificate_pool import seal
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import Graph, Loss, Mechanism, PrivacyLevel, Rational, geometric, is_private, neighbours
from exactdp.analysis.types.universal import is_universally_optimal, universally_optimal_mechanism
from exactdp.analysis.types.universal_levels import universal_by_level
from exactdp.certificate import certify
from exactdp.checker import check_bytes
from exactdp.exact import ExponentialField, RationalFunctionField
from exactdp.model.small_graphs import connected_graphs

LEVELS = ["1/4", "1/2", "2/3"]
LOSSES = {"zero-one": lambda graph: Loss.zero_one(graph.vertices), "distance": Loss.from_distance}
SMALL = [graph for n in (2, 3, 4) for graph in connected_graphs(n)]


def answer(value):
    return check_bytes(json.dumps(value).encode())


@pytest.mark.slow
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("level", LEVELS)
def test_shapes_agree_with_priors_and_kinks(loss, level):
    """The search decides every graph with up to four vertices by itself, except a yes that needs too many
    kinks.
    """
    decided = 0
    for graph in SMALL:
        table = LOSSES[loss](graph)
        verdict = universally_optimal_mechanism(graph, level, table)
        assert verdict.proved or verdict.refuted
        assert certify(verdict).kind.endswith("universally-optimal")
        searched = universally_optimal_mechanism(graph, level, table, theorems=False, tries=60)
        if searched.proved or searched.refuted:
            decided += 1
            assert searched.proved is verdict.proved
            assert searched.evidence.rule in {"priors", "kinks"}
        else:
            assert verdict.proved
    assert decided >= 6


@st.composite
def trees(draw):
    n = draw(st.integers(2, 9))
    order = draw(st.permutations(range(n)))
    edges = [(order[draw(st.integers(0, i - 1))], order[i]) for i in range(1, n)]
    return Graph(range(n), sorted((min(e), max(e)) for e in edges))


@given(trees(), st.fractions("1/20", "19/20", max_denominator=20))
@settings(max_examples=60)
def test_trees_of_any_shape(tree, level):
    most = max(map(len, tree.adjacency()))
    zero_one = universally_optimal_mechanism(tree, level, Loss.zero_one(tree.vertices))
    assert zero_one.proved is ((most - 1) * level <= 1)
    distance = universally_optimal_mechanism(tree, level, Loss.from_distance(tree))
    assert distance.proved is (most <= 2)
    for verdict in (zero_one, distance):
        assert answer(json.loads(certify(verdict).to_json())).status == "accepted"


@pytest.mark.slow
@given(trees(), st.data())
@settings(max_examples=60)
def test_a_cycle_rules_everything_out(tree, data):
    n = len(tree.vertices)
    missing = [(i, j) for i in range(n) for j in range(i + 1, n) if (i, j) not in tree.edges]
    if not missing:
        return
    graph = Graph(range(n), sorted([*tree.edges, *data.draw(st.lists(st.sampled_from(missing), min_size=1, unique=True))]))
    for loss in LOSSES.values():
        verdict = universally_optimal_mechanism(graph, "1/3", loss(graph))
        cycle = verdict.evidence.inputs
        assert verdict.refuted
        assert verdict.evidence.rule == "cycle"
        assert len(set(cycle)) == len(cycle) >= 3
        assert all((min(e), max(e)) in graph.edges for e in pairwise([*cycle, cycle[0]]))
        certify(verdict)


@pytest.mark.slow
@given(st.sampled_from(SMALL), st.sampled_from(sorted(LOSSES)), st.sampled_from(LEVELS), st.data())
@settings(max_examples=80)
def test_given_mechanisms_agree_with_the_search(graph, name, level, data):
    """Random private mechanisms: columns α^h with |h_i − h_j| ≤ 1 on edges, completed to rows that sum to 1
    by a constant column.
    """
    n, a = len(graph.vertices), Rational(level)
    hops = graph.hops()
    columns = []
    for _ in range(data.draw(st.integers(1, 3))):
        centre = data.draw(st.integers(0, n - 1))
        columns.append([a ** hops[centre][x] for x in range(n)])
    share = Rational(1, 2 * len(columns))
    rows = [[share * column[x] for column in columns] for x in range(n)]
    rows = [[*row, 1 - sum(row, Rational(0))] for row in rows]
    M = Mechanism(rows, graph.vertices, [f"y{k}" for k in range(len(columns) + 1)])
    if not is_private(M, graph, level).proved:
        return
    loss = LOSSES[name](graph)
    verdict = is_universally_optimal(M, graph, level, loss)
    searched = is_universally_optimal(M, graph, level, loss, theorems=False, tries=60)
    assert verdict.proved or verdict.refuted
    if searched.proved or searched.refuted:
        assert searched.proved is verdict.proved
    certify(verdict)


def test_each_step_of_the_argument_has_its_prior():
    """Not tight on an edge; two neighbours up at once; three neighbours of one input, for the distance."""
    path, star = neighbours("path:3"), neighbours("star:4")
    a = Rational("1/2")
    loose = Mechanism([["2/3", "1/3"], ["1/2", "1/2"], ["1/3", "2/3"]], path.vertices, ("x", "y"))
    up = a / (1 + a)  # both ends up in one column, none in the other
    both = Mechanism([[up / a, (1 - up) * a], [up, 1 - up], [up / a, (1 - up) * a]], path.vertices, ("x", "y"))
    for mechanism, support in ((loose, 2), (both, 3)):
        verdict = is_universally_optimal(mechanism, path, a, Loss.zero_one(path.vertices))
        assert verdict.refuted
        assert sum(bool(p) for p in verdict.evidence.priors[0]) == support
        certify(verdict)
    tree = universally_optimal_mechanism(star, a, Loss.zero_one(star.vertices)).evidence.mechanism
    verdict = is_universally_optimal(tree, star, a, Loss.from_distance(star))
    assert verdict.refuted
    assert [str(p) for p in verdict.evidence.priors[0]] == ["0", "1/4", "1/4", "1"]
    certify(verdict)


def test_large_graphs_and_other_fields():
    grid = neighbours("grid:12x12")
    assert certify(universally_optimal_mechanism(grid, "9/10", Loss.from_distance(grid))).kind == "no-universally-optimal"
    verdict = is_universally_optimal(Mechanism([[1]] * 144, grid.vertices, ("nothing",)), grid, "9/10", Loss.zero_one(grid.vertices))
    assert verdict.refuted
    certify(verdict)
    star = neighbours("star:4")
    for level, proved in (("7/10", True), ("1/2", False)):  # e^(−7/10) < 1/2 < e^(−1/2)
        asked = PrivacyLevel.from_epsilon(level)
        assert isinstance(asked.alpha.field, ExponentialField)
        verdict = universally_optimal_mechanism(star, asked, Loss.zero_one(star.vertices))
        assert verdict.proved is proved
        certify(verdict)
    shuffled = Graph(range(8), sorted((min(e), max(e)) for e in pairwise((3, 0, 7, 2, 5, 1, 6, 4))))
    assert certify(universally_optimal_mechanism(shuffled, "1/2", Loss.from_distance(shuffled))).kind == "universally-optimal"


@pytest.mark.parametrize("loss", LOSSES)
def test_every_level_at_once(loss):
    """The pieces of a star meet where (degree − 1)·α = 1, which belongs to the yes."""
    for spec in ("star:5", "path:4", "cycle:6", "complete:7"):
        graph = neighbours(spec)
        verdict = universal_by_level(graph, LOSSES[loss](graph))
        for piece, (yes, _) in verdict.evidence.pieces:
            star = spec == "star:5" and loss == "zero-one" and piece.upper <= Rational("1/3")
            assert yes is (spec == "path:4" or star)
        assert certify(verdict).kind in {"on-pieces", "universally-optimal", "no-universally-optimal"}


def of(spec, level, loss):
    graph = neighbours(spec)
    value = json.loads(certify(universally_optimal_mechanism(graph, level, LOSSES[loss](graph))).to_json())
    del value["provenance"]
    return value


def changed(value, change):
    result = copy.deepcopy(value)
    change(result)
    return answer(seal(result))


def test_obstacles_that_are_none_are_rejected():
    square, star, far = of("cycle:4", "1/2", "zero-one"), of("star:4", "2/3", "zero-one"), of("star:4", "1/3", "distance")
    assert [answer(seal(v)).status for v in (square, star, far)] == ["accepted"] * 3

    def by(key, new):
        return lambda v: v["witness"]["by"].__setitem__(key, new)

    for wrong in ([0, 1, 2], [0, 1], [0, 1, 0, 1], [0, 2, 1, 3], [0, 1, 2, 3, 0]):
        assert changed(square, by("inputs", wrong)).status != "accepted", wrong
    for wrong in ([1, 2], [1, 2, 2], [0, 1, 2], [1, 2, 3, 3]):
        assert changed(star, by("neighbours", wrong)).status != "accepted", wrong
        assert changed(far, by("neighbours", wrong)).status != "accepted", wrong
    assert changed(star, by("input", 1)).status == "rejected"
    # (3 − 1)·1/2 is not more than 1: there is a universally optimal mechanism at this level
    assert "> 1" in changed(star, lambda v: v["claim"].__setitem__("level", "1/2")).rule
    # the rule of the distance must not serve the zero-one loss
    zero_one = changed(far, lambda v: v["definitions"].__setitem__("l", star["definitions"]["l"]))
    assert zero_one.status == "rejected"
    assert "> 1" in zero_one.rule
    # another loss, a distance that is not 1, an edge that is missing
    assert "[x ≠ g]" in changed(far, lambda v: v["definitions"]["l"]["rows"].__setitem__(1, {"den": "1", "num": ["1", "0", "2", "3"]})).rule
    pairs = [[i, j, "2" if (i, j) == (0, 1) else "1"] for i, j in square["definitions"]["N"]["edges"]]
    metric = {"type": "distances", "vertices": square["definitions"]["N"]["vertices"], "pairs": pairs}
    assert "graph" in changed(square, lambda v: v["definitions"].__setitem__("N", metric)).rule
    assert changed(square, lambda v: v["definitions"]["N"]["edges"].pop()).status == "rejected"


def test_the_geometric_mechanism_of_a_path_of_another_order():
    """G on a path whose inputs are listed in another order, and the same with two rows exchanged: no longer
    optimal.
    """
    order = (2, 0, 3, 1)
    path = Graph(range(4), sorted((min(e), max(e)) for e in pairwise(order)))
    G = geometric(3, "1/2")
    placed = Mechanism([G.matrix.row(order.index(x)) for x in range(4)], path.vertices, G.outputs)
    assert is_universally_optimal(placed, path, "1/2", Loss.from_distance(path)).proved
    half = RationalFunctionField().gen
    symbolic = universally_optimal_mechanism(path, half, Loss.from_distance(path))
    assert symbolic.proved
    assert "every" in str(symbolic.scope) or "all" in str(symbolic.scope)
