# SPDX-License-Identifier: MIT
"""Regular priors, utility and leakage: against linear programs, brute force and closed forms; graphs of
queries.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from analysis.tight.test_tight_mechanism import LEVELS, graphs, naive_phi
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import geometric, is_optimal_after_remap, optimum
from exactdp.analysis.leakage import hamming_leakage, leakage, leakage_bound, utility, utility_bound
from exactdp.analysis.tight.regular_priors import corner_prior, is_regular
from exactdp.analysis.tight.tight_mechanism import tight_mechanism
from exactdp.certificate import certify
from exactdp.errors import LabelError, ParameterRangeError, ResourceLimitError
from exactdp.exact import Rational
from exactdp.exact.balls import log2_enclosure
from exactdp.model import BayesianConsumer, Gain, Graph, Loss, Mechanism, Prior, PrivacyLevel, neighbours
from exactdp.model.constraint_matrix import ConstraintMatrix
from exactdp.model.neighbours import databases, hamming, query_graph
from proofs.elsalamouny_tight_constraints.regions import ratio_violations, regular_bounds


@st.composite
def priors(draw, graph):
    masses = draw(st.lists(st.integers(1, 8), min_size=len(graph.vertices), max_size=len(graph.vertices)))
    return Prior([Rational(m, sum(masses)) for m in masses], graph.vertices)


@given(st.data(), graphs(5), LEVELS)
@settings(max_examples=60)
def test_the_witness_is_one_by_the_definition(data, graph, a):
    prior = data.draw(priors(graph))
    phi, weights = naive_phi(graph, a), [Fraction(str(w)) for w in prior.weights]
    answer = is_regular(graph, a, prior)
    n = len(weights)
    if answer.proved:
        y = [Fraction(str(x)) for x in answer.evidence.y]
        assert min(y) >= 0
        assert [sum(y[i] * phi[i][k] for i in range(n)) for k in range(n)] == weights
        gamma = answer.evidence.coordinates
        assert sum(gamma, Rational(0)) == 1
        assert min(gamma) >= 0
        assert next(ratio_violations(graph, a, prior), None) is None
    else:
        w = [Fraction(str(x)) for x in answer.evidence.cells.lift(answer.evidence.farkas)]
        assert sum(p * x for p, x in zip(weights, w, strict=True)) < 0
        assert all(sum(phi[i][k] * w[k] for k in range(n)) >= 0 for i in range(n))
    certify(answer)


@given(st.data(), graphs(4), st.sampled_from(["1/5", "1/3", "1/2", "2/3"]))
@settings(max_examples=25)
def test_no_private_mechanism_exceeds_the_bound_and_tight_ones_attain_it(data, graph, a):
    """The linear program for the zero-one loss is a second route to the largest utility."""
    prior = data.draw(priors(graph))
    answer = utility_bound(graph, a, prior)
    if not answer.proved:
        return
    best = 1 - optimum(graph, PrivacyLevel(a), BayesianConsumer(Loss.zero_one(graph.vertices), prior)).evidence.value
    assert best <= answer.evidence.value
    tight = tight_mechanism(graph, a).evidence.mechanism
    if tight is not None:
        assert best == answer.evidence.value == utility(tight, prior)
    certify(answer)


def test_how_utility_falls_outside_the_region():
    """The gap of the tight-constraints mechanism for a prior that is not regular, as an exact number."""
    star, level = neighbours("star:4"), PrivacyLevel("1/3")
    prior = Prior(["1/10", "7/10", "1/10", "1/10"], star.vertices)
    assert is_regular(star, level, prior).refuted
    tight = tight_mechanism(star, level).evidence.mechanism
    answer = is_optimal_after_remap(tight, star, level, BayesianConsumer(Loss.zero_one(star.vertices), prior))
    assert 1 - answer.evidence.value >= utility(tight, prior)
    assert answer.refuted == (1 - answer.evidence.value > utility(tight, prior))


def test_corners_attain_the_upper_bounds():
    graph = neighbours("grid:2x3")
    bounds = regular_bounds(graph, "2/5")
    for i in range(6):
        corner = corner_prior(graph, "2/5", i)
        assert corner.weights[i] == bounds[i][1]
        assert is_regular(graph, "2/5", corner).evidence.coordinates == tuple(int(k == i) for k in range(6))


def test_a_prior_of_other_inputs_is_an_error():
    with pytest.raises(LabelError):
        is_regular(neighbours("path:2"), "1/2", Prior(["1/2", "1/2"], ["a", "b"]))
    with pytest.raises(LabelError):
        utility(geometric(2, "1/2"), Prior(["1/2", "1/2"]))
    with pytest.raises(LabelError):
        regular_bounds(Graph(range(2), []), "1/2")


# ── Leakage
# ─────────────────────────────────────────────────────────────────────────────────────────────────────────
@given(st.data(), graphs(4), st.sampled_from(["1/5", "1/2", "2/3"]))
@settings(max_examples=30)
def test_leakage_is_that_of_all_strategies(data, graph, a):
    prior = data.draw(priors(graph))
    mechanism = tight_mechanism(graph, a).evidence.mechanism
    if mechanism is None:
        return
    n = len(graph.vertices)
    best = max(sum((prior.weights[i] * mechanism[i, o] for o, i in enumerate(guess)), Rational(0)) for guess in product(range(n), repeat=n))
    answer = leakage(mechanism, prior)
    assert answer.evidence.after == best
    assert answer.evidence.factor == best / max(prior.weights)
    assert leakage_bound(graph, a).evidence.value >= answer.evidence.factor
    certify(answer)


def test_other_gains():
    near = Gain([[1, "1/2", 0], ["1/2", 1, "1/2"], [0, "1/2", 1]])
    prior = Prior(["1/3", "1/3", "1/3"])
    m = geometric(2, "1/2")
    by_hand = max
    total = Rational(0)
    for o in range(3):
        total += by_hand(sum((m[i, o] / 3 * near.matrix[i, k] for i in range(3)), Rational(0)) for k in range(3))
    assert utility(m, prior, near) == total
    assert utility(m, prior) <= total


@pytest.mark.parametrize(("values", "people", "a"), [(2, 3, "1/2"), (3, 2, "1/5"), (4, 2, "9/10")])
def test_theorem_2_is_attained_by_the_product_of_randomised_responses(values, people, a):
    alpha = Rational(a)
    own = 1 / (1 + (values - 1) * alpha)
    words = databases(range(values), people)
    rows = [
        [math.prod((own if x == y else alpha * own for x, y in zip(v, w, strict=True)), start=Rational(1)) for w in words] for v in words
    ]
    graph = hamming(values, people)
    mechanism = Mechanism(rows, graph.vertices, graph.vertices)
    factor = leakage(mechanism, Prior.uniform(graph.vertices)).evidence.factor
    assert factor == hamming_leakage(values, people, a) == leakage_bound(graph, a).evidence.value


@given(st.fractions(Fraction(1, 1000), 1000).filter(lambda x: x > 0))
@settings(max_examples=80)
def test_logarithms_enclose(x):
    low, high = log2_enclosure(Rational(x), 9)
    assert low <= high <= low + Rational(1, 10**9)
    assert float(low) - 1e-9 <= math.log2(x) <= float(high) + 1e-9


def test_powers_of_two_have_exact_logarithms():
    assert [log2_enclosure(Rational(2) ** k, 5) for k in (-3, 0, 7)] == [(-3, -3), (0, 0), (7, 7)]
    with pytest.raises(ParameterRangeError):
        log2_enclosure(Rational(0))
    with pytest.raises(ParameterRangeError):
        hamming_leakage(0, 1, "1/2")


# ── Graphs of queries
# ────────────────────────────────────────────────────────────────────────────────────────────────
def counts(rows):
    return tuple(map(sum, zip(*rows, strict=True)))


@pytest.mark.parametrize(
    ("query", "values", "people", "spec"),
    [
        (sum, (0, 1), 4, "path:5"),
        (sum, range(4), 3, "sum:u=3,v=3"),
        (counts, databases((0, 1), 2), 3, "counts:u=3,k=2"),
        (lambda v: v, range(3), 2, "hamming:v=3,u=2"),
        (lambda v: Fraction(sum(v), 3), range(3), 3, "average:u=3,v=2"),
        (lambda v: tuple(v.count(k) for k in range(3)), range(3), 4, "histogram:u=4,k=3"),
        (lambda v: "".join(map(str, v)), (0, 1), 3, "hypercube:3"),
    ],
)
def test_queries_have_the_graphs_of_their_words(query, values, people, spec):
    assert query_graph(query, values, people) == neighbours(spec)


def test_too_many_databases_are_refused():
    with pytest.raises(ResourceLimitError):
        databases(range(10), 9)
    with pytest.raises(ParameterRangeError):
        databases((), 1)
    with pytest.raises(ResourceLimitError):
        hamming(15000, 1)


@pytest.mark.parametrize("spec", ["sum:u=6,v=3", "counts:u=4,k=2", "histogram:u=3,k=3", "hamming:v=3,u=3"])
def test_distances_are_the_formulas(spec):
    graph = neighbours(spec)
    points = [tuple(map(int, label.split(","))) for label in graph.vertices]
    metrics = {
        "sum": lambda p, q: -(-abs(p[0] - q[0]) // 3),
        "counts": lambda p, q: max(abs(a - b) for a, b in zip(p, q, strict=True)),
        "histogram": lambda p, q: sum(abs(a - b) for a, b in zip(p, q, strict=True)) // 2,
        "hamming": lambda p, q: sum(a != b for a, b in zip(p, q, strict=True)),
    }
    d = metrics[spec.split(":")[0]]
    assert ConstraintMatrix.of(graph).classes == tuple(tuple(d(p, q) for q in points) for p in points)
    assert ConstraintMatrix.of(graph).classes == graph.hops()
