# SPDX-License-Identifier: MIT
"""Tight-constraints mechanisms at one level: against brute force, an oracle LP, closed forms; large graphs;
levels e^(−ε).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import geometric, is_private, uniform
from exactdp.analysis.tight.optimality_on_region import is_optimal_on_region, tight_gap
from exactdp.analysis.tight.regular_priors import corner_prior
from exactdp.analysis.tight.tight_levels import is_singular, tight_threshold
from exactdp.analysis.tight.tight_mechanism import is_tight_unique, tight_mechanism
from exactdp.analysis.verdict import Decision
from exactdp.certificate import certify
from exactdp.errors import DomainError, ResourceLimitError, UndecidedSignError
from exactdp.exact import AlgebraicNumber, ExponentialField, Interval, Rational
from exactdp.model import Graph, Mechanism, Metric, Prior, PrivacyLevel, neighbours
from exactdp.model.constraint_matrix import Cells, ConstraintMatrix
from exactdp.model.metric import Distance
from exactdp.search.tight_solutions import band_width, nonnegative_solution

LEVELS = st.sampled_from(["1/20", "1/5", "1/3", "1/2", "3/5", "2/3", "4/5", "19/20"])


@st.composite
def graphs(draw, most=6):
    n = draw(st.integers(1, most))
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    return Graph(range(n), draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])


def floyd(graph):
    """All distances by Floyd and Warshall: a second route to them."""
    n = len(graph.vertices)
    d = [[0 if i == j else None for j in range(n)] for i in range(n)]
    for i, j in graph.edges:
        d[i][j] = d[j][i] = 1
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i][k] is not None and d[k][j] is not None and (d[i][j] is None or d[i][k] + d[k][j] < d[i][j]):
                    d[i][j] = d[i][k] + d[k][j]
    return d


def naive_phi(graph, a):
    return [[Fraction(0) if x is None else Fraction(a) ** x for x in row] for row in floyd(graph)]


@given(graphs(), LEVELS)
@settings(max_examples=60)
def test_the_witness_is_one_by_the_definition(graph, a):
    phi = naive_phi(graph, a)
    answer = tight_mechanism(graph, a)
    if answer.proved:
        z = [Fraction(str(x)) for x in answer.evidence.z]
        assert min(z) >= 0
        assert all(sum(p * x for p, x in zip(row, z, strict=True)) == 1 for row in phi)
        m = answer.evidence.mechanism
        assert is_private(m, graph, PrivacyLevel(a))
        assert all(Fraction(str(m[i, k])) == phi[i][k] * z[k] for i in range(len(z)) for k in range(len(z)))
    else:
        y = [Fraction(str(x)) for x in answer.evidence.y]
        assert sum(y) < 0
        assert all(sum(p * x for p, x in zip(row, y, strict=True)) >= 0 for row in phi)
    assert certify(answer).kind == ("tight" if answer.proved else "not-tight")


@given(graphs(5), LEVELS)
@settings(max_examples=30)
def test_the_quotient_and_the_whole_agree(graph, a):
    matrix, level = ConstraintMatrix.of(graph), PrivacyLevel(a)
    whole = Cells(matrix, tuple(range(len(matrix))))
    yes, _ = nonnegative_solution(whole, level, [Rational(1)] * len(whole.members))
    assert yes == tight_mechanism(graph, a).proved


@given(graphs(5), LEVELS)
@settings(max_examples=30)
def test_uniqueness_is_that_of_sympys_solution_set(graph, a):
    answer = is_tight_unique(graph, a)
    phi = sympy.Matrix([[sympy.Rational(x.numerator, x.denominator) for x in row] for row in naive_phi(graph, a)])
    if tight_mechanism(graph, a).proved:
        assert answer.proved == (phi.det() != 0)
        certify(answer)
    else:
        assert answer.refuted


def test_levels_at_which_phi_is_singular_are_not_overlooked():
    """Found by the search for contradictions: the determinant is not 0 as a function, but it is at the golden
    ratio's inverse.
    """
    graph = Graph(range(6), [(0, 1), (0, 4), (0, 5), (1, 2), (1, 3), (2, 4), (2, 5), (3, 5)])
    golden = AlgebraicNumber([-1, 1, 1], "1/2", 1)
    for interval in (Interval(0, 1), Interval("1/2", "4/5"), Interval.point(golden)):
        level = PrivacyLevel.symbolic(interval)
        assert tight_mechanism(graph, level).proved
        with pytest.raises(UndecidedSignError):
            is_tight_unique(graph, level)
    for interval in (Interval("1/2", golden), Interval(golden, 1)):
        assert certify(is_tight_unique(graph, PrivacyLevel.symbolic(interval))).kind == "unique-tight"
    assert certify(is_singular(graph, PrivacyLevel.symbolic(Interval.point(golden)))).kind == "singular"


def test_a_cubic_graph_with_one_adjacency_cell_has_two_cells_of_distances():
    """Two triangles hanging together: regular of degree 3, but not all vertices see the same distances."""
    edges = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (0, 6), (1, 6), (2, 7), (3, 7), (4, 6), (5, 7)]
    graph = Graph(range(8), edges)
    assert {len(row) for row in graph.adjacency()} == {3}
    assert len(ConstraintMatrix.of(graph).cells().members) > 1


@pytest.mark.parametrize("n", [0, 1, 2, 5, 9])
@pytest.mark.parametrize("a", ["1/9", "1/2", "9/10"])
def test_on_the_path_it_is_the_geometric_mechanism(n, a):
    found = tight_mechanism(Graph.path(n + 1), a).evidence.mechanism
    assert found.matrix == geometric(n, a).matrix


@pytest.mark.parametrize(
    ("spec", "row_sum"),
    [
        ("cycle:5", lambda a: 1 + 2 * a + 2 * a**2),
        ("cycle:6", lambda a: 1 + 2 * a + 2 * a**2 + a**3),
        ("complete:7", lambda a: 1 + 6 * a),
        ("hypercube:4", lambda a: (1 + a) ** 4),
        ("hamming:v=4,u=3", lambda a: (1 + 3 * a) ** 3),
    ],
)
def test_closed_forms(spec, row_sum):
    a = Rational("2/7")
    assert set(tight_mechanism(neighbours(spec), a).evidence.z) == {1 / row_sum(a)}


def test_metrics_with_fractions_and_infinite_distances():
    metric = Metric(["a", "b", "c"], [(0, 1, "1/2")])
    answer = tight_mechanism(metric, "1/4")
    assert answer.evidence.mechanism.matrix.row(2) == (0, 0, 1)
    assert answer.evidence.z[:2] == (Rational("2/3"), Rational("2/3"))
    certify(answer)
    with pytest.raises(DomainError):
        tight_mechanism(metric, "1/3")


def test_a_euclidean_grid_at_an_epsilon():
    level = PrivacyLevel(ExponentialField(1, roots=(1, 2)).gen)
    try:
        answer = tight_mechanism(neighbours("euclid:2x2"), level)
    except DomainError:
        pytest.skip("powers with irrational exponents are not in this level's reach")
    assert answer.proved
    certify(answer)


def test_the_band_of_the_sum_query_gives_what_the_dense_system_gives():
    graph = neighbours("sum:u=30,v=4")
    assert band_width(graph) == 4
    cells, level = ConstraintMatrix.of(graph).cells(), PrivacyLevel("2/5")
    yes, z = nonnegative_solution(cells, level, [Rational(1)] * len(cells.members))
    dense = cells.matrix.at(level)
    assert yes
    lifted = cells.lift(z)
    assert all(sum((p * x for p, x in zip(row, lifted, strict=True)), Rational(0)) == 1 for row in dense.rows())
    assert len(cells.members) == 61


@pytest.mark.parametrize("spec", ["cycle:5", "path:6", "sum:u=10,v=3", "counts:u=3,k=2"])
def test_a_band_is_recognised_by_its_edges_alone(spec):
    graph = neighbours(spec)
    n, found = len(graph.vertices), band_width(graph)
    expected = [v for v in range(1, n - 1) if set(graph.edges) == {(i, j) for i in range(n) for j in range(i + 1, min(i + v, n - 1) + 1)}]
    assert ([] if found is None else [found]) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "yes"), [("113/100", False), ("57/50", True)])
def test_balls_decide_many_cells_at_an_epsilon_and_the_kernel_agrees(epsilon, yes):
    """{0..12}²: 28 cells are solved, so the 45 cells of {0..16}² go through balls; rational levels on both
    sides agree.
    """
    graph = neighbours("counts:u=16,k=2")
    answer = tight_mechanism(graph, PrivacyLevel(ExponentialField(epsilon).gen))
    assert answer.evidence.diagonal is None
    assert (answer.evidence.near is not None) == answer.proved == yes
    certify(answer)
    low, high = ExponentialField(epsilon).gen.enclosure(4)
    assert tight_mechanism(graph, low).proved == tight_mechanism(graph, high).proved == yes


def test_the_threshold_lies_where_the_quotients_polynomial_vanishes():
    low, high = (tight_threshold(neighbours("counts:u=2,k=2"), 12).evidence.__getattribute__(k).level.alpha for k in ("low", "high"))
    assert low * low + 4 * low - 1 < 0 < high * high + 4 * high - 1
    assert high - low == Rational(1, 10**12)


def test_on_the_region_both_ways():
    star, a = neighbours("star:4"), "1/3"
    tight = tight_mechanism(star, a).evidence.mechanism
    split = Mechanism(
        [[x / 2 for x in row] * 2 for row in tight.rows()], star.vertices, [f"{label}{copy}" for copy in "ab" for label in star.vertices]
    )
    answer = is_optimal_on_region(split, star, a)
    assert answer.proved
    assert answer.evidence.remap.matrix.shape == (8, 4)
    certify(answer)
    blunt = is_optimal_on_region(Mechanism(tight.matrix.map(lambda x: x / 2 + Rational("1/8")), star.vertices, star.vertices), star, a)
    assert blunt.refuted
    assert blunt.evidence.utilities[0] < blunt.evidence.utilities[1]
    certify(blunt)
    assert is_optimal_on_region(tight, star, "2/3").refuted  # not private there


def test_a_tight_constraints_mechanism_that_is_not_private_refutes_nothing():
    """A table of constrained pairs may break the triangle inequality (SPEC §3).

    On a–b, b–c with c–a unconstrained Φ·diag(1, 0, 1) has the rows (1, 0, 0), (1/2, 0, 1/2), (0, 0, 1). The
    geometric mechanism is best for every prior on a line, so *refuted* would be false.
    """
    line = {(0, 1): Distance.of(1), (1, 2): Distance.of(1)}
    table = Metric._by_construction(("a", "b", "c"), line, "")
    truthful = geometric(2, "1/2").relabelled(table.vertices, table.vertices)
    assert is_private(truthful, table, "1/2").proved
    assert is_private(tight_mechanism(table, "1/2").evidence.mechanism, table, "1/2").refuted
    answer = is_optimal_on_region(truthful, table, "1/2")
    assert answer.decision is Decision.UNDECIDED
    assert "no private tight-constraints mechanism" in answer.claim
    # what is worse at a corner is refuted with a mechanism that is private
    blunt = is_optimal_on_region(uniform(table.vertices), table, "1/2")
    assert blunt.refuted
    assert is_private(blunt.evidence.better, table, "1/2").proved
    certify(blunt)


@pytest.mark.parametrize("a", [Rational("1/4"), Rational("1/2"), Rational("2/3")])
def test_the_gap_outside_the_region_by_hand(a):
    """Ring of four, prior (1/2, 0, 1/2, 0).

    With z = 1/(1+a)² the tight-constraints mechanism tells the two inputs apart with the utility z·(1 + a) =
    1/(1+a). No private mechanism has more than 1 − a/2: x_0o, x_2o ≥ a·x_1o for every o, so
    Σ_o min(x_0o, x_2o) ≥ a, and max + min = x_0o + x_2o. The first column 1 − a/2, 1/2, a/2, 1/2 of a
    mechanism with two outputs attains it.
    """
    ring = neighbours("cycle:4")
    e = tight_gap(ring, a, Prior(["1/2", 0, "1/2", 0], ring.vertices)).evidence
    assert 1 - e.loss == 1 / (1 + a)
    assert 1 - e.value == 1 - a / 2
    assert e.gap == (1 - a / 2) - 1 / (1 + a)


@pytest.mark.parametrize("text", ["star:4", "grid:2x3", "counts:u=2,k=2"])
def test_there_is_no_gap_for_regular_priors(text):
    near = neighbours(text)
    for i in range(len(near.vertices)):
        answer = tight_gap(near, "1/5", corner_prior(near, "1/5", i))
        assert answer.proved
        assert answer.evidence.gap == 0


@pytest.mark.slow
def test_the_largest_cube_takes_the_usual_budget():
    cube = ConstraintMatrix.of(neighbours("hypercube:12")).cells()
    assert len(cells_of_path := ConstraintMatrix.of(neighbours("path:1200")).cells().members) == 600
    assert cells_of_path[0] == (0, 1199)
    assert cube.counts == ((tuple((k, comb(12, k)) for k in range(13)),),)


def test_a_system_of_many_cells_is_refused_before_it_is_made():
    tree = Graph.from_edges(range(3000), [(i, (i * i + 7) % i) for i in range(1, 3000)])
    with pytest.raises(ResourceLimitError, match=r"the system of 3000 cells of equal rows of .* takes about 1,080,000,000 bytes"):
        _ = Cells(ConstraintMatrix(tree, (None,), ((0,),) * 3000), tuple(range(3000))).counts
