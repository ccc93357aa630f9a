"""The exact parts below the finders: geometric sums, patterns, the simplex method in long floating point."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import MinimaxConsumer, Remap, best_remap, geometric
from exactdp.exact import ExactMatrix, ExponentialField, Rational
from exactdp.exact.power_sums import TwoSided, hits, powers, spread_absolute, spread_squared
from exactdp.search.path.exact_patterns import solve_pattern
from exactdp.search.path.float_patterns import propose_pattern
from exactdp.search.path.path_optimum import propose_over_field
from exactdp.search.path.path_problem import Pattern
from exactdp.search.path.path_tables import TableProblem
from exactdp.search.path.remap_simplex import RemapSimplex

levels = st.sampled_from([(1, 2), (1, 1000), (3, 4), (99, 100), (2, 7)])


@given(levels, st.lists(st.integers(-5, 9), min_size=1, max_size=9))
def test_two_sided_moments(level, c):
    p, q = level
    a, n = Fraction(p, q), len(c) - 1
    sums = TwoSided(p, q, c, 2)
    for j in range(n + 1):
        terms = [(a ** abs(i - j) * x, i - j) for i, x in enumerate(c)]
        assert sums.at(j) == q**n * sum(x for x, _ in terms)
        assert sums.slope(j) == q**n * sum(x * d for x, d in terms)
        assert sums.curvature(j) == q**n * sum(x * d * d for x, d in terms)
        assert sums.closed[0][j] == q ** (n - j) * sum(x for x, d in terms if d >= 0)


@given(levels, st.integers(0, 7), st.data())
def test_spreads(level, n, data):
    p, q = level
    a = Fraction(p, q)
    place = st.integers(0, n)
    pairs = data.draw(st.lists(st.tuples(place, place, st.integers(0, 9)), max_size=8))
    scale = powers(q, n)
    for function, value in ((spread_absolute, lambda i, r: abs(i - r)), (spread_squared, lambda i, r: (i - r) ** 2)):
        wanted = [q**n * sum(a ** abs(i - j) * value(i, r) * t for j, r, t in pairs) for i in range(n + 1)]
        assert function(p, q, pairs, scale) == wanted
    assert hits(p, pairs, scale) == [q**n * sum(a ** abs(i - j) * t for j, r, t in pairs if r == i) for i in range(n + 1)]


@given(st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9), st.integers(0, 7), st.booleans(), st.data())
def test_spreads_over_a_field(a, n, mirrored, data):
    """Where p is the level itself; also if every j gives r what n − j gives n − r."""
    place = st.integers(0, n)
    pairs = data.draw(st.lists(st.tuples(place, place, st.integers(0, 9)), max_size=8))
    if mirrored:
        masses = {(j, r): t for j, r, t in pairs}
        pairs = [(j, r, t) for (j, r), t in (masses | {(n - j, n - r): t for (j, r), t in masses.items()}).items()]
        masses = {(j, r): t for j, r, t in pairs}
        pairs = [(j, r, (t + masses[n - j, n - r])) for j, r, t in pairs]
    for function, value in ((spread_absolute, lambda i, r: abs(i - r)), (spread_squared, lambda i, r: (i - r) ** 2)):
        wanted = [sum(a ** abs(i - j) * value(i, r) * t for j, r, t in pairs) for i in range(n + 1)]
        assert function(a, 1, pairs, powers(1, n)) == wanted


@pytest.mark.parametrize("loss", ["abs", "squared"])
@pytest.mark.parametrize("n", [5, 6, 12])
@pytest.mark.parametrize("epsilon", ["1/2", "2"])
def test_a_proposal_at_an_epsilon_proves_the_best_remap(n, loss, epsilon):
    """By one simplex in rational numbers around the level, and by definition: no weights, no sweeps."""
    alpha = ExponentialField(epsilon).gen
    consumer = MinimaxConsumer(loss).on(f"path:{n + 1}")
    found = propose_over_field(n, alpha, consumer)
    mechanism = geometric(n, epsilon=epsilon)
    remap = Remap(ExactMatrix([[row.get(r, 0) for r in range(n + 1)] for row in found.remap], alpha.field))
    value = consumer.loss_of(mechanism.post_process(remap))
    low, high = value.enclosure(30)
    near = [Rational(x) for x in alpha.enclosure(60)]
    around = [best_remap(geometric(n, x), consumer).evidence.least_loss for x in near]
    assert all(abs(x - low) < Rational(1, 10**25) for x in around)
    weights = [
        sum((mechanism.matrix[i, y] * w * consumer.loss.matrix[i, r] for i, w in enumerate(found.weights)), alpha.field.zero)
        for y in range(n + 1)
        for r in range(n + 1)
    ]
    least = [min(weights[y * (n + 1) : (y + 1) * (n + 1)]) for y in range(n + 1)]
    assert sum(least, alpha.field.zero) == value
    assert high - low <= Rational(1, 10**30)


def test_masses_of_mirror_images_are_found_once():
    alpha = ExponentialField(1).gen
    found = propose_over_field(44, alpha, MinimaxConsumer("abs").on("path:45"))
    assert all(found.weights[i] is found.weights[44 - i] for i in range(45))
    for j in range(23):
        assert all(t == found.remap[44 - j][44 - r] for r, t in found.remap[j].items())
    assert found.remap[3][3] is found.remap[41][41]


def test_a_wrong_pattern_is_refused():
    alpha, everyone = Rational("1/4"), [True] * 4
    good = propose_pattern(3, 0.25, "abs", everyone) or Pattern((True,) * 4, ((0, 1), (1,), (1, 2), (2, 3)))
    assert solve_pattern(3, alpha, "abs", everyone, good) is not None
    table = TableProblem(3, alpha, everyone, [[Rational(abs(i - r)) for r in range(4)] for i in range(4)])
    assert table.solve(good) == solve_pattern(3, alpha, "abs", everyone, good)
    for support in ((True, False, True, True), (True,) * 4):
        for guesses in (((0, 3), (1,), (1, 2), (2, 3)), ((0, 2), (2,), (2,), (2, 3)), ((1,), (1,), (2,), (2,)), ((0,), (1,), (2,), (3,))):
            wrong = Pattern(support, guesses)
            assert table.solve(wrong) is None
            assert solve_pattern(3, alpha, "abs", everyone, wrong) is None


def test_patterns_are_lengthened_where_they_repeat():
    short = Pattern((True,) * 9, ((0, 1), (1, 2), (2, 3), (3, 4), (4,), (4, 5), (5, 6), (6, 7), (7, 8)))
    longer = short.lengthened(12)
    assert longer is not None
    assert longer.guesses == (*((j, j + 1) for j in range(6)), (6,), *((j - 1, j) for j in range(7, 13)))
    assert short.lengthened(11) is None
    assert short.lengthened(7) is None
    crooked = Pattern((True, True, True, False, True, True, True, True, True), short.guesses)
    assert crooked.lengthened(12) is None


@settings(max_examples=30)
@given(st.integers(2, 9), levels, st.randoms(use_true_random=False))
def test_the_long_floating_point_simplex_ends_in_an_optimal_pattern(n, level, random):
    alpha = Rational(*level)
    rows = []
    for i in range(n + 1):
        steps = sorted(Rational(random.randint(0, 10**4), random.randint(1, 10**4)) for _ in range(n + 1))
        rows.append([steps[abs(i - r)] for r in range(n + 1)])
    run = RemapSimplex(alpha, range(n + 1), rows, n // 2, 900)
    found = run.run(2000)
    assert found is not None
    pattern = Pattern(tuple(found[0]), tuple(tuple(tied) for tied in found[1]))
    assert TableProblem(n, alpha, [True] * (n + 1), rows).solve(pattern) is not None


def test_the_long_floating_point_simplex_gives_up():
    rows = [[Rational(abs(i - r)) for r in range(6)] for i in range(6)]
    assert RemapSimplex(Rational("1/2"), range(6), rows, 0, 200).run(2) is None
