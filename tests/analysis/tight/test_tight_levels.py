# SPDX-License-Identifier: MIT
"""All levels at once: pieces against single levels, exact ends, singular levels, the census of small graphs,
number fields, balls.
"""

from __future__ import annotations

import math
import pickle
from itertools import permutations

import pytest
import sympy
from analysis.tight.test_tight_mechanism import graphs
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.analysis.tight.regular_priors import corner_prior, is_regular
from exactdp.analysis.tight.tight_levels import determinant_of, is_singular, regular_levels, singular_levels, tight_levels
from exactdp.analysis.tight.tight_mechanism import tight_mechanism
from exactdp.certificate import certify
from exactdp.errors import DomainError, MixedDomainError, ResourceLimitError
from exactdp.exact import AlgebraicNumber, Interval, Rational, RationalFunctionField
from exactdp.exact.balls import BallSystem
from exactdp.exact.number_field import NumberField
from exactdp.model import Graph, Metric, Prior, neighbours
from exactdp.model.small_graphs import connected_graphs

SIX = Graph(range(6), [(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5)])
GRID = [Rational(k, 40) for k in range(1, 40)]


@given(graphs(5))
@settings(max_examples=25)
def test_the_pieces_cover_and_agree_with_single_levels(graph):
    answer = tight_levels(graph)
    pieces = answer.evidence.pieces
    assert all(sum(piece.interval.contains(a) for piece in pieces) == 1 for a in GRID)
    assert all(answer.evidence.at(a) == tight_mechanism(graph, a).proved for a in GRID[::3])
    certify(answer)


@given(graphs(4), st.lists(st.integers(1, 9), min_size=4, max_size=4))
@settings(max_examples=25)
def test_the_same_for_priors(graph, masses):
    masses = masses[: len(graph.vertices)]
    prior = Prior([Rational(m, sum(masses)) for m in masses], graph.vertices)
    answer = regular_levels(graph, prior)
    assert all(answer.evidence.at(a) == is_regular(graph, a, prior).proved for a in GRID[::4])
    certify(answer)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [("star:4", "(0, 1/2]"), ("star:6", "(0, 1/4]"), ("path:7", "(0, 1)"), ("cycle:6", "(0, 1)"), ("complete:5", "(0, 1)")],
)
def test_known_sets(spec, expected):
    """On a star with k leaves z at the centre is (1 − (k−1)α)/(1 + α) by hand."""
    assert [str(i) for i in tight_levels(neighbours(spec)).evidence.intervals] == [expected]


def test_kings_moves_on_nine_squares_end_at_root_five_minus_two():
    (interval,) = tight_levels(neighbours("counts:u=2,k=2")).evidence.intervals
    assert interval.upper == AlgebraicNumber([-1, 4, 1], 0, 1)
    assert interval.upper_closed


def test_existence_is_not_monotone():
    found = tight_levels(SIX).evidence
    assert not found.monotone
    assert not found.always
    assert str(found.intervals[0]) == "(0, 1/2]"
    assert found.intervals[1].lower == AlgebraicNumber([-1, 0, 2], 0, 1)
    assert [tight_mechanism(SIX, a).proved for a in ("1/2", "3/5", "7/10", "71/100", "9/10")] == [True, False, False, True, True]


def test_a_single_level_can_be_a_piece():
    graph = Graph(range(6), [(0, 5), (1, 2), (1, 3), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5)])
    answer = tight_levels(graph)
    assert answer.evidence.intervals[1].is_point
    assert answer.evidence.at(AlgebraicNumber([-1, 0, 2], 0, 1))
    assert not answer.evidence.at(Rational("7/10"))
    certify(answer)


def test_the_region_does_not_always_grow():
    star = neighbours("star:4")
    prior = corner_prior(star, "3/4", 1)
    assert [str(i) for i in regular_levels(star, prior).evidence.intervals] == ["(0, 2/3]", "[3/4, 3/4]"]


@given(graphs(4))
@settings(max_examples=20)
def test_determinants_are_sympys(graph):
    a = sympy.symbols("a")
    hops = graph.hops()
    expected = sympy.Poly(sympy.Matrix([[0 if d is None else a**d for d in row] for row in hops]).det(), a)
    found = determinant_of(graph)
    assert [int(c) for c in reversed(found.numerator)] == [int(c) for c in expected.all_coeffs()]
    assert found.denominator == (1,)


def test_singular_levels_of_complete_bipartite_graphs():
    """K_{p,q}: the quotient has the determinant (1+(p−1)a²)(1+(q−1)a²) − pq a², the rest are 1 − a²."""
    for p, q in ((2, 3), (3, 3), (4, 4), (2, 5)):
        graph = Graph(range(p + q), [(i, p + j) for i in range(p) for j in range(q)])
        assert all(is_singular(graph, x).proved for x in singular_levels(graph) if isinstance(x, Rational))
        a = sympy.symbols("a", positive=True)
        roots = {r for r in sympy.solve((1 + (p - 1) * a**2) * (1 + (q - 1) * a**2) - p * q * a**2, a) if 0 < r < 1}
        assert len(singular_levels(graph)) == len(roots)
        assert all(any(abs(float(x) - float(r)) < 1e-12 for r in roots) for x in singular_levels(graph))


def test_a_symbolic_level_is_singular_or_not_on_all_of_its_interval():
    graph = Graph(range(8), [(i, j) for i in range(4) for j in range(4, 8)])
    for lower, upper in ((0, "1/3"), ("1/3", 1)):
        answer = is_singular(graph, RationalFunctionField(Interval(lower, upper)).gen)
        assert answer.refuted
        certify(answer)


def test_what_is_out_of_reach_is_an_error():
    with pytest.raises(DomainError):
        tight_levels(Metric(["a", "b"], [(0, 1, "1/2")]))
    random = Graph(range(70), [(i, i + 1) for i in range(69)] + [(0, 5), (3, 60), (7, 31), (11, 12 + 7)])
    with pytest.raises(ResourceLimitError):
        tight_levels(random)


# ── Graphs up to isomorphism
# ──────────────────────────────────────────────────────────────────────────────────────────
def test_the_counts_are_the_known_ones():
    """OEIS A001349: connected graphs with n unlabelled vertices."""
    assert [sum(1 for _ in connected_graphs(n)) for n in range(1, 7)] == [1, 1, 2, 6, 21, 112]


def test_labelled_graphs_are_counted_again():
    """Each class stands for n!/|Aut| labelled graphs; connected labelled graphs are counted by brute force
    (A001187: 38, 728).
    """
    for n, labelled in ((4, 38), (5, 728)):
        total = 0
        for g in connected_graphs(n):
            edges = set(g.edges)
            automorphisms = sum(all((min(p[i], p[j]), max(p[i], p[j])) in edges for i, j in edges) for p in permutations(range(n)))
            total += math.factorial(n) // automorphisms
        assert total == labelled


def test_small_graphs_have_no_gaps():
    for n in range(1, 5):
        assert all(tight_levels(g).evidence.monotone for g in connected_graphs(n))


# ── Number fields and balls
# ───────────────────────────────────────────────────────────────────────────────────────────
ROOT = NumberField(AlgebraicNumber([-2, 0, 0, 1], 1, 2))  # the cube root of 2
COEFFICIENTS = st.lists(st.fractions(-5, 5, max_denominator=6), min_size=1, max_size=3)


@given(COEFFICIENTS, COEFFICIENTS)
@settings(max_examples=60)
def test_number_fields_calculate_as_reals(p, q):
    x, y = (ROOT.element([Rational(c) for c in values]) for values in (p, q))
    root = 2 ** (1 / 3)
    u, v = (sum(float(c) * root**k for k, c in enumerate(values)) for values in (p, q))
    assert math.isclose(float(x * y + x - y), u * v + u - v, abs_tol=1e-8)
    assert (x - y) * (x + y) == x * x - y * y
    assert abs(u) < 1e-9 or x.sign() == (u > 0) - (u < 0)
    if y:
        assert (x / y) * y == x
        assert y**-2 * y**2 == 1
    assert pickle.loads(pickle.dumps(x)) == x
    assert (x == y) == (hash(x) == hash(y) and not (x - y))


def test_two_number_fields_do_not_mix():
    other = NumberField(AlgebraicNumber([-3, 0, 1], 1, 2))
    with pytest.raises(MixedDomainError):
        ROOT.gen + other.gen
    with pytest.raises(ZeroDivisionError):
        1 / ROOT.zero
    with pytest.raises(AttributeError):
        ROOT.gen.x = 1


def test_balls_show_signs_and_admit_when_they_cannot():
    counts = [[[(0, 1)], [(1, 2)]], [[(1, 2)], [(0, 1)]]]  # singular at x = 1/2
    assert BallSystem(counts, Rational("1/4"), Rational("1/4"), 64).signs([1, 1]) == (1, 1)
    assert BallSystem(counts, Rational("1/4"), Rational("1/4"), 64).signs([0, 1]) == (-1, 1)
    wide = BallSystem(counts, Rational("1/4"), Rational("3/4"), 64)
    assert wide.signs([1, 1]) is None or None in wide.signs([1, 1])
    assert BallSystem(counts, Rational("1/2"), Rational("1/2"), 64).inverse(8) is None
    assert BallSystem(counts, Rational(0), Rational(0), 64).inverse(8) == [[256, 0], [0, 256]]
