# SPDX-License-Identifier: MIT
"""Levels given as ε: optima over ℚ(e^(−ε)) against rational solves beside them, and certificates that no
digit may leave.
"""

from __future__ import annotations

import json

import pytest
from certificate_pool import seal, text_of
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import (
    BayesianConsumer,
    ExponentialField,
    Loss,
    MinimaxConsumer,
    Prior,
    PrivacyLevel,
    Rational,
    SideInformation,
    certify,
    is_optimum_unique,
    level_for,
    neighbours,
    optimum,
)
from exactdp.checker import check_bytes
from exactdp.lp.problem import LinearProgram, Optimal, Row
from exactdp.lp.solve import solve

LOSSES = {"abs": Loss.absolute, "squared": Loss.squared, "zero-one": Loss.zero_one}
CLOSE = Rational(1, 10**50)


def beside(level):
    """A rational number with 60 digits close to α."""
    return level.alpha.enclosure(60)[0]


def agree(graph, epsilon, consumer):
    level = PrivacyLevel.from_epsilon(epsilon)
    verdict = optimum(graph, level, consumer)
    assert verdict.proved
    near = optimum(graph, PrivacyLevel(beside(level)), consumer).evidence.value
    value = verdict.evidence.value
    low, high = value.enclosure(60) if hasattr(value, "enclosure") else (value, value)
    assert low - CLOSE < near < high + CLOSE
    return verdict


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["1/10", "1", "3/2"])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("n", [1, 2, 3, 7, 12])
def test_counting_queries(n, loss, epsilon):
    path = neighbours(f"path:{n + 1}")
    verdict = agree(path, epsilon, MinimaxConsumer(LOSSES[loss](path.vertices)))
    assert certify(verdict).definitions["t"] == {"type": "exponential", "rate": epsilon, "roots": [1]}
    bayesian = BayesianConsumer(
        LOSSES[loss](path.vertices), Prior([Rational(2 * i + 1, (n + 1) ** 2) for i in range(n + 1)], path.vertices)
    )
    certify(agree(path, epsilon, bayesian))


@pytest.mark.parametrize("known", [[2], [1, 2, 3], [0, 2, 5], [4, 5]])
def test_side_information(known):
    path = neighbours("path:6")
    for loss in LOSSES.values():
        consumer = MinimaxConsumer(loss(path.vertices), SideInformation.of([str(i) for i in known], path.vertices))
        certify(agree(path, "1/2", consumer))


@pytest.mark.slow
@settings(max_examples=25)
@given(st.data())
def test_other_graphs_and_losses(data):
    graph = neighbours(data.draw(st.sampled_from(["cycle:5", "star:4", "complete:4", "grid:2x3", "path:5", "hypercube:3"])))
    n = len(graph.vertices)
    table = [[data.draw(st.integers(0, 5)) for _ in range(n)] for _ in range(n)]
    certify(agree(graph, data.draw(st.sampled_from(["1/7", "1", "5/2"])), MinimaxConsumer(Loss(table, graph.vertices, graph.vertices))))


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=2, max_size=5), st.integers(1, 3))
def test_the_nearby_problem_is_not_believed(rows, k):
    """With and without a proposal: the same value, over the same field."""
    t = ExponentialField("1/3").gen
    coefficients = [{j: c * t**k + j for j, c in enumerate(row)} for row in rows]
    lp = LinearProgram(3, {j: t + j for j in range(3)}, [Row(row, ">=", 1 - t) for row in coefficients])
    one, two = solve(lp), solve(lp, proposer=None)
    assert type(one) is type(two)
    if isinstance(one, Optimal):
        assert one.value == two.value


def sealed(certificate):
    return check_bytes(text_of(seal(certificate)).encode())


def test_a_wrong_digit_at_the_fiftieth_place():
    path = neighbours("path:4")
    level = PrivacyLevel.from_epsilon("1/10")
    certificate = json.loads(certify(optimum(path, level, MinimaxConsumer(Loss.absolute(path.vertices)))).to_json())
    assert sealed(certificate).status == "accepted"
    weights = certificate["witness"]["dual"]["weights"]
    big = 10**50

    def scaled(p):
        return [str(big * int(c)) for c in p] if isinstance(p, list) else str(big * int(p))

    weights["den"] = scaled(weights["den"])
    weights["num"] = [scaled(p) for p in weights["num"]]
    assert sealed(certificate).status == "accepted"  # the same numbers
    for k, step in ((1, 1), (2, -1)):  # the sum stays
        weights["num"][k][0] = str(int(weights["num"][k][0]) + step)
    found = sealed(certificate)
    assert found.status == "rejected"
    assert "bound" in found.sentence


def test_rational_weights_close_by_are_not_enough():
    path = neighbours("path:3")
    level = PrivacyLevel.from_epsilon(1)
    consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    certificate = json.loads(certify(optimum(path, level, consumer)).to_json())
    near = optimum(path, PrivacyLevel(beside(level)), consumer).evidence.dual.weights
    den = near[0].denominator
    assert all(den % w.denominator == 0 for w in near)
    certificate["witness"]["dual"]["weights"] = {"den": str(den), "num": [str(w.numerator * (den // w.denominator)) for w in near]}
    assert sealed(certificate).status == "rejected"


@pytest.mark.parametrize(
    "edit", [{"rate": "1/11"}, {"rate": "-1/10"}, {"roots": [4]}, {"roots": []}, {"roots": [1, 1]}, {"rate": "1/10", "unit": 1}]
)
def test_another_field(edit):
    path = neighbours("path:4")
    verdict = optimum(path, PrivacyLevel.from_epsilon("1/10"), MinimaxConsumer(Loss.squared(path.vertices)))
    certificate = json.loads(certify(verdict).to_json())
    certificate["definitions"]["t"] = {**certificate["definitions"]["t"], **edit}
    answer = sealed(certificate)
    if edit == {"rate": "1/11"}:
        assert answer.status == "accepted"  # the same identities, and the signs happen to be the same
    else:
        assert answer.status in ("malformed", "rejected")


@pytest.mark.parametrize("spec", ["euclid:2x2", "euclid:2x3"])
def test_euclidean_grids(spec):
    grid = neighbours(spec)
    level = level_for(grid, 1)
    n = len(grid.vertices)
    verdict = optimum(grid, level, BayesianConsumer(Loss.zero_one(grid.vertices), Prior.uniform(grid.vertices)))
    certificate = certify(verdict)
    assert certificate.definitions["t"]["roots"] == ([1, 2] if spec == "euclid:2x2" else [1, 2, 5])
    # the flat mechanism with weights α^d can't be beaten on a square: 1 − 1/Σ_j α^d(0,j)
    if spec == "euclid:2x2":
        t, t2 = level.alpha.field.gens
        assert verdict.evidence.value == 1 - 1 / (1 + 2 * t + t2)
    assert n in (4, 6)


def test_uniqueness_over_a_field():
    path = neighbours("path:3")
    level = PrivacyLevel.from_epsilon("1/2")
    verdict = is_optimum_unique(path, level, MinimaxConsumer(Loss.absolute(path.vertices)))
    rational = is_optimum_unique(path, PrivacyLevel(beside(level)), MinimaxConsumer(Loss.absolute(path.vertices)))
    assert verdict.decision == rational.decision
    certify(verdict)
