# SPDX-License-Identifier: MIT
"""Tightest levels, losses and determinants with letters, point by point against those of numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import (
    BayesianConsumer,
    ExactMatrix,
    Gain,
    Mechanism,
    Metric,
    MinimaxConsumer,
    Prior,
    Rational,
    Table,
    certify,
    determinant,
    mechanism_loss,
    neighbours,
    tightest_level,
)
from exactdp.analysis.letters.statement import at_point
from exactdp.errors import CertificateError, InputError, UndecidedSignError
from exactdp.exact import Region, RegionField

SQUARE = Region({"p": "(0, 1/2)", "q": "(0, 1/2)"})
CLOSED = Region({"p": "[0, 1/2]", "q": "[0, 1)"})
F = RegionField(SQUARE)
p, q = F.gens
PATH = neighbours("path:2")
RESPONSE = Table([[1 - p, p], [q, 1 - q]])
PARTS = ("p", "q", "p*q", "p/2", "q/2", "p^2", "1/4", "(p+q)/4", "p/(2+q)")


def points(region):
    found = [{"p": Rational(k, 14), "q": Rational(j, 13)} for k in range(14) for j in range(14)]
    return [point for point in found if region.contains(point)][::3]


@st.composite
def mechanisms(draw, region, inputs=2, outputs=2):
    """Rows (f_1, …, 1 − Σ f) with Σ f ≤ 1 on the region."""
    field = RegionField(region)
    rows = []
    for _ in range(inputs):
        row = [field(draw(st.sampled_from(PARTS))) / (outputs - 1) for _ in range(outputs - 1)]
        rows.append([*row, 1 - sum(row, field.zero)])
    return Mechanism(ExactMatrix(rows, field))


def numbers(mechanism, point):
    return Mechanism(at_point(mechanism.matrix, point), mechanism.inputs, mechanism.outputs)


@pytest.mark.slow
@settings(max_examples=15)
@given(st.data(), st.sampled_from([SQUARE, CLOSED]))
def test_level_point_by_point(data, region):
    mechanism = data.draw(mechanisms(region))
    verdict = tightest_level(mechanism, PATH)
    evidence = verdict.evidence
    for point in points(region):
        level = tightest_level(numbers(mechanism, point), PATH).evidence.tightest
        if evidence.pieces:
            there = [piece for piece in evidence.pieces if piece.where.holds(point)]
            assert there
            assert all(piece.value.at(point) == level for piece in there)
        else:
            assert level.ratio == 1
    if region is SQUARE:
        for part in evidence.verdicts():
            assert certify(part).kind == "level"


@pytest.mark.slow
@settings(max_examples=4, derandomize=True)  # always the same ones: some take a minute
@given(mechanisms(SQUARE, 3, 2))
def test_level_with_distances(mechanism):
    """On a line whose ends are at distance 2 from each other, as roots."""
    metric = Metric(["0", "1", "2"], [(0, 1, 1), (1, 2, 1), (0, 2, 2)])
    mechanism = mechanism.relabelled(["0", "1", "2"])
    evidence = tightest_level(mechanism, metric).evidence
    for point in points(SQUARE)[::4]:
        level = tightest_level(numbers(mechanism, point), metric).evidence.tightest
        there = [piece for piece in evidence.pieces if piece.where.holds(point)]
        assert there or not evidence.pieces
        assert all(piece.value.at(point) == level for piece in there)


@settings(max_examples=25)
@given(mechanisms(SQUARE, 3, 3), st.sampled_from(["zero-one", "abs", "squared"]))
def test_loss_point_by_point(mechanism, loss):
    labels = ["0", "1", "2"]
    mechanism = mechanism.relabelled(labels, labels)
    consumer = MinimaxConsumer(loss)
    evidence = mechanism_loss(mechanism, consumer).evidence
    prior = Prior([p, q, 1 - p - q], labels)
    bayes = mechanism_loss(mechanism, BayesianConsumer(loss, prior)).evidence
    for point in points(SQUARE)[::2]:
        there = numbers(mechanism, point)
        value = mechanism_loss(there, consumer).evidence.value
        assert value == consumer.over(tuple(labels)).loss_of(there)
        holding = [piece for piece in evidence.pieces if piece.where.holds(point)]
        assert holding
        assert all(piece.value.value(point) == value for piece in holding)
        weights = Prior([x.value(point) for x in prior.weights], labels)
        assert bayes.value.value(point) == BayesianConsumer(loss, weights).over(tuple(labels)).loss_of(there)


def test_utility_is_the_least_over_the_inputs():
    gain = Gain.identity(["0", "1"]) if hasattr(Gain, "identity") else Gain([[1, 0], [0, 1]], ["0", "1"], ["0", "1"])
    mechanism = Mechanism(RESPONSE.matrix, ["0", "1"], ["0", "1"])
    verdict = mechanism_loss(mechanism, MinimaxConsumer(gain))
    assert {str(piece.value): str(piece.where.conditions[0]) for piece in verdict.evidence.pieces} == {
        "-p + 1": "p >= q",
        "-q + 1": "q >= p",
    }
    assert "gives" in verdict.claim


def test_two_levels():
    verdict = tightest_level(RESPONSE, PATH)
    assert {str(piece.value): piece.where.words() for piece in verdict.evidence.pieces} == {
        "q/(-p + 1)": "exactly where p >= q",
        "p/(-q + 1)": "exactly where q >= p",
    }
    with pytest.raises(UndecidedSignError, match="no single formula"):
        _ = verdict.evidence.tightest
    with pytest.raises(CertificateError, match="verdicts"):
        certify(verdict)
    assert [certify(part).kind for part in verdict.evidence.verdicts()] == ["level", "level"]
    symmetric = tightest_level([[1 - p, p], [p, 1 - p]], PATH)
    assert str(symmetric.evidence.tightest.ratio) == "p/(-p + 1)"
    assert len(symmetric.evidence.pieces[0].places) == 2


ENTRIES = ("p", "q", "1-p", "1-q", "p*q", "1/2", "0", "1", "p-q", "1/(1+p)")


@pytest.mark.slow
@settings(max_examples=40)
@given(st.integers(2, 3).flatmap(lambda n: st.lists(st.lists(st.sampled_from(ENTRIES), min_size=n, max_size=n), min_size=n, max_size=n)))
def test_determinant_point_by_point(rows):
    matrix = ExactMatrix([[F(x) for x in row] for row in rows], F)
    evidence = determinant(matrix).evidence
    signs = set()
    for point in points(SQUARE)[::2]:
        value = at_point(matrix, point).det()
        assert evidence.determinant.value(point) == value
        signs.add(value.sign())
        assert evidence.zero.holds(point) == (value == 0)
    if evidence.sign is not None:
        assert signs <= {evidence.sign, 0}
    again = determinant(matrix, formula=str(evidence.determinant))
    assert again.proved
    wrong = determinant(matrix, formula=f"{evidence.determinant} + p^3")
    assert wrong.refuted
    difference = wrong.evidence.difference
    assert difference.determinant == at_point(matrix, difference.point).det()
    assert difference.formula == difference.determinant + difference.point["p"] ** 3


def test_a_column_replaced():
    verdict = determinant(RESPONSE.matrix, column=1, formula="(1-p)*x1 - q*x0")
    assert verdict.proved
    assert determinant(RESPONSE.matrix, column=1, formula="(1-p)*x1 + q*x0").refuted


def test_formulas_that_are_not_defined_everywhere_or_have_other_letters():
    verdict = determinant(RESPONSE.matrix, formula="(1-p-q)*(p-q)/(p-q)")
    assert "not defined where p = q" in str(verdict.scope)
    assert "wherever the formula is defined" in verdict.claim
    with pytest.raises(InputError, match="letter a"):
        determinant(RESPONSE.matrix, formula="1 - a")
    with pytest.raises(InputError, match="instead of a level"):
        determinant(RESPONSE.matrix, level="1/2", formula="1-p-q")


@pytest.mark.mostly_slow(1)
@pytest.mark.parametrize(
    "rows",
    [
        [["p*u", "(1-p)*u", "1-u"], ["p*v", "(1-p)*v", "1-v"]],  # two places have u/v, which both count at different points
        [["1-p", "p*u", "p*(1-u)"], ["1-p", "p*v", "p*(1-v)"]],  # at p = 0 the rows are equal
    ],
)
def test_the_pieces_of_a_level_cover_closed_ends(rows):
    region = Region("0 <= p <= 1, 0 < u < 1, 0 < v < 1")
    M = Mechanism(rows, letters=region)
    pieces = tightest_level(M, PATH).evidence.pieces
    for chosen in (("0", "1/3", "1/2"), ("0", "2/3", "1/2"), ("1", "1/3", "1/2"), ("1/2", "3/4", "1/2"), ("0", "1/2", "1/2")):
        point = dict(zip("puv", map(Rational, chosen), strict=True))
        true = tightest_level(numbers(M, point), PATH).evidence.tightest
        levels = [piece.value.at(point) for piece in pieces if piece.where.holds(point)]
        assert levels
        assert all(level == true for level in levels)


def test_a_level_or_loss_in_pieces_is_a_piecewise_of_sympy():
    M = Mechanism([["1-p", "p"], ["q", "1-q"]], letters="0 < p <= 1/2, 0 <= q < 1/3")
    level, loss = tightest_level(M, PATH).as_sympy(), mechanism_loss(M, MinimaxConsumer("zero-one")).as_sympy()
    for x, y in (("1/4", "0"), ("1/4", "1/4"), ("1/8", "2/7")):
        point = {"p": Rational(x), "q": Rational(y)}
        there = numbers(M, point)
        here = {name: value.to_sympy() for name, value in point.items()}
        assert level.subs(here) == tightest_level(there, PATH).as_sympy()
        assert loss.subs(here) == mechanism_loss(there, MinimaxConsumer("zero-one")).as_sympy()
    half = Mechanism([["1-p", "p"], ["p", "1-p"]], letters="0 < p <= 1/2")
    [(formula, _)] = tightest_level(half, PATH).as_sympy().args
    assert str(formula) == "p/(1 - p)"
