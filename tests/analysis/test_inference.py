# SPDX-License-Identifier: MIT
"""Statistical inference from local reports: exact inversion, projection, Bayesian updates, and certified
convergence.
"""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import as_fraction

from exactdp import Mechanism, certify, randomized_response
from exactdp.analysis.inference import (
    bayesian_update,
    clip_and_renormalise,
    likelihood_gap,
    matrix_inversion,
    maximum_likelihood,
    project_to_simplex,
)
from exactdp.errors import DomainError, InputError, ShapeError
from exactdp.exact import ExponentialField, Rational
from exactdp.mechanisms.responses import two_coin

FEW = settings(max_examples=40)
numbers = st.fractions(-3, 3, max_denominator=12).map(lambda f: Rational(f.numerator, f.denominator))


@st.composite
def distributions(draw, size):
    weights = draw(st.lists(st.integers(0, 6), min_size=size, max_size=size).filter(any))
    return [Rational(w, sum(weights)) for w in weights]


def simplex_by_supports(v):
    """The nearest point of the simplex, from the optimality conditions on every possible support."""
    found = []
    size = len(v)
    for support in chain.from_iterable(combinations(range(size), k) for k in range(1, size + 1)):
        theta = (sum(v[i] for i in support) - 1) / len(support)
        p = [v[i] - theta if i in support else F(0) for i in range(size)]
        if min(p) >= 0 and all(v[i] <= theta for i in range(size) if i not in support):
            found.append(p)
    assert all(p == found[0] for p in found)
    return found[0]


@given(st.lists(numbers, min_size=1, max_size=5))
@FEW
def test_projection_by_optimality_conditions(v):
    assert [as_fraction(x) for x in project_to_simplex(v)] == simplex_by_supports([as_fraction(x) for x in v])


@given(distributions(4))
@FEW
def test_a_distribution_is_its_own_projection_and_clip(p):
    assert list(project_to_simplex(p)) == p == list(clip_and_renormalise(p))


@given(distributions(3), distributions(3), st.sampled_from(["1/2", "3/4", "9/10"]))
@FEW
def test_inversion_inverts(p, q, keep):
    C = randomized_response(range(3), keep)
    seen = [sum((p[x] * C[x, y] for x in range(3)), Rational(0)) for y in range(3)]
    assert list(matrix_inversion(C, seen)) == p
    r = matrix_inversion(C, q)
    assert sum(r, Rational(0)) == 1
    assert [sum((r[x] * C[x, y] for x in range(3)), Rational(0)) for y in range(3)] == q


def test_inversion_over_e_to_the_minus_epsilon():
    t = ExponentialField(1).gen
    C = randomized_response(["no", "yes"], alpha=t)
    r = matrix_inversion(C, ["1/4", "3/4"])
    assert r[0] + r[1] == 1
    assert r[0] == (Rational(1, 4) * (1 + t) - t) / (1 - t)
    assert r[0] < 0
    assert clip_and_renormalise(r) == (0, 1) == project_to_simplex(r)


def test_what_has_no_inverse():
    with pytest.raises(DomainError):
        matrix_inversion(randomized_response(range(2), "1/2"), ["1/2", "1/2"])
    with pytest.raises(ShapeError):
        matrix_inversion(Mechanism([["1/2", "1/4", "1/4"]]), ["1/2", "1/4", "1/4"])
    with pytest.raises(InputError):
        matrix_inversion(two_coin(), ["1/2", "1/3"])
    with pytest.raises(InputError):
        clip_and_renormalise([Rational(-1), Rational(0)])


@given(distributions(3), st.integers(1, 3))
@FEW
def test_updates_by_bayes_rule(q, steps):
    """Σ_y q_y P(x | y) with P(x | y) by Bayes' rule, step by step on Fractions."""
    C = randomized_response(range(3), "1/2")
    p = [F(1, 3)] * 3
    for _ in range(steps):
        new = [F(0)] * 3
        for y in range(3):
            total = sum(p[x] * as_fraction(C[x, y]) for x in range(3))
            for x in range(3):
                new[x] += as_fraction(q[y]) * p[x] * as_fraction(C[x, y]) / total
        p = new
    assert [as_fraction(x) for x in bayesian_update(C, q, steps=steps)] == p


@given(distributions(3), distributions(3))
@FEW
def test_updates_never_lower_the_likelihood_and_the_gap_bounds_what_is_left(q, other):
    C = randomized_response(range(3), "3/4")

    def log_likelihood(p):
        mixed = [float(sum((p[x] * C[x, y] for x in range(3)), Rational(0))) for y in range(3)]
        return sum(float(q[y]) * math.log(mixed[y]) for y in range(3) if q[y])

    p = bayesian_update(C, q, steps=2)
    assert log_likelihood(bayesian_update(C, q, p)) >= log_likelihood(p) - 1e-12
    gap = likelihood_gap(C, q, p).evidence.gap
    assert gap >= 0
    assert log_likelihood(other) <= log_likelihood(p) + math.log1p(float(gap)) + 1e-12


@pytest.mark.slow
@given(distributions(3))
@settings(max_examples=15)
def test_maximum_likelihood_is_enclosed(q):
    """Inversion when it is a distribution, else an enclosure that long iteration enters (at the edge it
    creeps there as 1/steps).
    """
    C = randomized_response(range(3), "3/4")
    e = maximum_likelihood(C, q, tolerance="1/1000000").evidence
    assert 0 <= e.gap <= Rational("1/1000000")
    certify(likelihood_gap(C, q, e.estimate))
    if e.box is not None:
        p = [1 / 3] * 3
        rows = [[float(C[x, y]) for y in range(3)] for x in range(3)]
        for _ in range(4000):
            mixed = [sum(p[x] * rows[x][y] for x in range(3)) for y in range(3)]
            p = [p[x] * sum(float(q[y]) * rows[x][y] / mixed[y] for y in range(3)) for x in range(3)]
        assert all(float(low) - 2e-3 <= value <= float(high) + 2e-3 for (low, high), value in zip(e.box, p, strict=True))


def test_limits_of_certified_convergence():
    coin = two_coin()
    exact = maximum_likelihood(coin, ["5/8", "3/8"]).evidence
    assert (exact.gap, exact.steps, exact.estimate) == (0, 0, (Rational("3/4"), Rational("1/4")))
    assert exact.box == ((Rational("3/4"), Rational("3/4")), (Rational("1/4"), Rational("1/4")))
    few = maximum_likelihood(coin, ["1/8", "7/8"], tolerance="1/10000000000", most=3).evidence
    assert few.steps == 3
    assert few.gap > Rational("1/10000000000")
    with pytest.raises(DomainError):
        maximum_likelihood(randomized_response(range(2), alpha=ExponentialField(1).gen), ["1/2", "1/2"])
    with pytest.raises(InputError, match="impossible"):
        bayesian_update(Mechanism([[1, 0], [0, 1]]), ["1/2", "1/2"], [1, 0])
