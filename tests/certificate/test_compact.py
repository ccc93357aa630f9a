# SPDX-License-Identifier: MIT
"""Large witnesses: what is written as components and folds says the same as what is written out."""

from __future__ import annotations

import json
import random

import pytest
import strategies as own
from hypothesis import given
from hypothesis import strategies as st
from naive_checker import decide

from exactdp import certify, gap_between, is_optimal, is_optimum_unique, optimum
from exactdp.analysis.optimality.dual import dual_bound
from exactdp.certificate import compact
from exactdp.certificate.certificate import Certificate
from exactdp.certificate.decode import Decoder
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.model import Graph, Loss, Mechanism, MinimaxConsumer


@pytest.fixture(autouse=True, scope="module")
def all_large():
    """Every table is written by its components, and by its folds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compact, "LARGE", 0)
        patch.setattr(compact, "FEW", 0)
        yield


def decoded(certificate: Certificate) -> Decoder:
    """The certificate, which the checker has accepted; a checker with fractions alone accepts it, too."""
    assert decide(json.loads(certificate.to_json()))
    return Decoder(certificate)


@given(own.problems(max_vertices=5))
def test_an_optimum_is_read_back(problem):
    graph, level, consumer = problem
    verdict = optimum(graph, level, consumer)
    certificate = certify(verdict)
    found, dual = decoded(certificate).primal(), decoded(certificate).dual()
    assert found.matrix == verdict.evidence.best.matrix
    assert dual_bound(graph, level, consumer, dual).value == verdict.evidence.value
    primal, edges = certificate.witness["primal"], verdict.evidence.dual.edges
    assert "components" in primal or "remap" in primal
    assert ("folds" in certificate.witness["dual"]) == (edges is not None and len(edges) > 0)


@given(own.problems(max_vertices=4))
def test_other_claims_are_accepted(problem):
    graph, level, consumer = problem
    guesses = consumer.loss.guesses
    given = Mechanism(ExactMatrix([[Rational(1, len(guesses))] * len(guesses) for _ in graph.vertices]), graph.vertices, guesses)
    verdict = is_optimal(given, graph, level, consumer)
    if verdict.proved or verdict.refuted:
        decoded(certify(verdict))
    assert certify(gap_between(given, graph, level, consumer)).kind == "gap-between"  # the checker accepts it
    unique = is_optimum_unique(graph, level, consumer)
    if unique.proved or unique.refuted:
        decoded(certify(unique))


def test_few_numbers_say_it_all():
    """A cycle of six pairs has forests of five, so that one multiplier of a guess is left at most; and there
    are fewer values than entries.
    """
    graph = Graph.cycle(6)
    witness = certify(optimum(graph, "1/2", MinimaxConsumer(Loss.zero_one(graph.vertices)))).witness
    assert len(witness["primal"]["components"]) < 36
    assert all(len(fold["from"]) <= 5 for fold in witness["dual"]["folds"])
    assert sum(len(row.get("at", row["num"])) for row in witness["dual"].get("edges", ())) <= 6


@given(own.graphs(max_vertices=5), st.data())
def test_components_are_those_of_tight_pairs(graph, data):
    """Independently: i and j are in one component if a path of tight pairs joins them."""
    alpha, n = Rational(2, 3), len(graph.vertices)
    column = data.draw(st.lists(st.sampled_from([0, 4, 6, 9]), min_size=n, max_size=n))
    joined = [[i == j for j in range(n)] for i in range(n)]
    for i, j in graph.edges:
        joined[i][j] = joined[j][i] = bool(column[i] and column[j]) and Rational(column[i], column[j]) in (alpha, 1 / alpha)
    for k in range(n):
        joined = [[joined[i][j] or (joined[i][k] and joined[k][j]) for j in range(n)] for i in range(n)]
    found = list(compact.components_of(graph, alpha, column))
    assert sorted(i for part in found for i in part) == [i for i in range(n) if column[i]]
    for part in found:
        assert {j for j in range(n) if joined[min(part)][j]} == set(part)
        assert min(part.values()) == 0
        top = next(i for i, h in part.items() if h == 0)
        assert all(column[i] == column[top] * alpha**h for i, h in part.items())


@given(own.graphs(max_vertices=6), st.randoms())
def test_a_forest_is_folded_from_leaves_to_roots(graph, drawn):
    pairs = drawn.sample(range(len(graph.edges)), len(graph.edges))
    forest = compact.forest_of(graph, pairs)
    folded = set()
    for e, (i, j) in forest:
        assert {i, j} == set(graph.edges[e])
        assert not {i, j} & folded  # what is folded has been dealt with
        folded.add(i)
    trees = len(graph.vertices) - len(forest)
    left, count = set(range(len(graph.vertices))), 0
    while left:
        part = [left.pop()]
        for i in part:
            near = set(graph.adjacency()[i]) & left
            left -= near
            part += near
        count += 1
    assert trees == count


def test_the_pairs_that_come_first_are_in_the_forest():
    assert {e for e, _ in compact.forest_of(Graph.cycle(4), [3, 1, 0, 2])} == {3, 1, 0}


@pytest.mark.slow
def test_a_fifth_of_the_size_or_less(monkeypatch):
    """Three dozen inputs with a random loss: against the same witness, written out."""
    rng = random.Random(7)
    edges = {(max(0, i - 1 - rng.randrange(4)), i) for i in range(1, 36)} | {(i, i + 18) for i in range(0, 18, 2)}
    graph = Graph(range(36), sorted(edges))
    loss = Loss(ExactMatrix([[QQ(rng.randrange(100)) for _ in range(36)] for _ in range(36)]), graph.vertices, graph.vertices)
    verdict = optimum(graph, "9/10", MinimaxConsumer(loss))
    brief = len(certify(verdict).to_json())
    monkeypatch.setattr(compact, "LARGE", 10**9)
    assert 5 * brief < len(certify(verdict).to_json())


@pytest.mark.slow
def test_what_the_checker_accepts_entry_by_entry_it_accepts_compactly(monkeypatch):
    """A long level: the multipliers are long, and what they are multiplied by is short. The limit of work is
    for each mebibyte, and a compact file has one.
    """
    graph, level = Graph.cycle(30), Rational(10**400 - 1, 10**400)
    verdict = optimum(graph, level, MinimaxConsumer(Loss.zero_one(graph.vertices)))
    short = certify(verdict)
    monkeypatch.setattr(compact, "LARGE", 10**9)
    long = certify(verdict)
    assert "folds" in short.witness["dual"]
    assert "folds" not in long.witness["dual"]
    assert len(short.to_json()) < 2**20 < len(long.to_json())
