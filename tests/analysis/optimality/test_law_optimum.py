# SPDX-License-Identifier: MIT
"""The least zero-one loss on large symmetric graphs: only the questions that are meant; nothing is built."""

from __future__ import annotations

import json
from itertools import product

import pytest
from cli_runner import run

from exactdp import BayesianConsumer, MinimaxConsumer, PrivacyLevel, certify, is_private, neighbours, optimum, verify
from exactdp.analysis.optimality import law_optimum
from exactdp.analysis.optimality.dual import dual_bound
from exactdp.analysis.optimality.law_optimum import LawOptimum, SymmetricGraph, optimum_by_law
from exactdp.exact import Rational


@pytest.mark.parametrize("word", ["complete:1", "complete:2", "complete:7", "hypercube:1", "hypercube:4"])
def test_the_law_is_the_mechanism_of_the_distances_of_the_graph(word):
    """Its shells are those of the graph, found edge by edge, and its probabilities sum to 1 in each row."""
    family, size = word.split(":")
    graph, near = SymmetricGraph(family, int(size)), neighbours(word)
    n = len(near.vertices)
    assert graph.inputs == n
    assert graph.multipliers == len(near.pairs()) * n
    between = [[0 if i == j else n for j in range(n)] for i in range(n)]
    for i, j, _ in near.pairs():
        between[i][j] = between[j][i] = 1
    for k, i, j in product(range(n), repeat=3):
        between[i][j] = min(between[i][j], between[i][k] + between[k][j])
    for row in between:
        assert {d: row.count(d) for d in row} == {d: count for d, count in graph.shells() if count}
    found = LawOptimum(word=word, graph=graph, level=PrivacyLevel("1/3"), consumer=MinimaxConsumer("zero-one"), value=None)
    assert sum(count * share for _, count, share in found.law()) == 1


@pytest.mark.parametrize("alpha", ["1/2", "1/10"])
@pytest.mark.parametrize("word", ["complete:6", "hypercube:3"])
@pytest.mark.parametrize("consumer", [MinimaxConsumer("zero-one"), BayesianConsumer("zero-one")], ids=["minimax", "uniform"])
def test_the_law_has_the_value_of_the_table(monkeypatch, alpha, word, consumer):
    expected = optimum(word, alpha, consumer).evidence.value
    monkeypatch.setattr(law_optimum, "LARGE", -1)
    verdict = optimum(word, alpha, consumer)
    assert isinstance(verdict.evidence, LawOptimum)
    assert verdict.evidence.value == expected
    assert verify(certify(verdict)).accepted


@pytest.mark.parametrize("alpha", ["1/2", PrivacyLevel(epsilon=1)], ids=str)
@pytest.mark.parametrize("word", ["complete:1", "complete:2", "complete:5", "hypercube:1", "hypercube:4"])
@pytest.mark.parametrize("consumer", [MinimaxConsumer("zero-one"), BayesianConsumer("zero-one")], ids=["minimax", "uniform"])
def test_table_and_dual_of_the_law_prove_its_value(monkeypatch, alpha, word, consumer):
    """Without the theorem: the table is private and loses the value, and no other one loses less."""
    monkeypatch.setattr(law_optimum, "LARGE", -1)
    found = optimum_by_law(word, alpha, consumer).evidence
    near = neighbours(word)
    who = consumer.on(near)
    assert is_private(found.best, near, alpha)
    assert who.loss_of(found.best) == found.value
    assert dual_bound(near, alpha, who, found.dual).value == found.value


@pytest.mark.parametrize(
    "asked",
    [
        ("path:5000", "1/2", MinimaxConsumer("zero-one")),
        ("complete:32", "1/2", MinimaxConsumer("zero-one")),
        ("complete:1000", "1/2", MinimaxConsumer("abs")),
        ("complete:1000", "1/2", MinimaxConsumer("zero-one", "0..3")),
        ("complete:1000", "1/2", BayesianConsumer("zero-one", [Rational(1, 1000)] * 1000)),
        ("complete:1000", "a", MinimaxConsumer("zero-one")),
        ("complete:1000", "2", MinimaxConsumer("zero-one")),
        ("complete:01000", "1/2", MinimaxConsumer("zero-one")),
        ("hypercube:99999", "1/2", MinimaxConsumer("zero-one")),
    ],
    ids=str,
)
def test_other_questions_have_no_law(asked):
    assert optimum_by_law(*asked) is None


@pytest.mark.parametrize("level", [("--alpha", "1/2"), ("--epsilon", "1")], ids=" ".join)
@pytest.mark.parametrize("graph", ["complete:1000", "hypercube:12"])
def test_the_command_answers_at_once_with_a_certificate(tmp_path, graph, level):
    file = tmp_path / "c.json"
    result = run(["optimal", "--graph", graph, *level, "--loss", "zero-one", "--prior", "uniform", "-o", str(file)])
    assert result.code == 0
    assert result.out.startswith("PROVED")
    assert graph in result.out.splitlines()[1]
    assert json.loads(file.read_text())["claim"]["kind"] == f"{graph.partition(':')[0]}-optimum"
    assert run(["verify", str(file)]).code == 0
