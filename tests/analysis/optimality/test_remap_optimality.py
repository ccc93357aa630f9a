# SPDX-License-Identifier: MIT
"""Best remaps of tables of doubles: the same value from the whole linear program by exact pivots, and certain
bounds when time is up.
"""

from __future__ import annotations

import json
import time
from math import exp
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from exactdp import (
    BayesianConsumer,
    ExactMatrix,
    Loss,
    MinimaxConsumer,
    PrivacyLevel,
    SideInformation,
    best_remap,
    certify,
    from_floats,
    geometric,
    neighbours,
)
from exactdp.analysis import Decision, is_optimal_after_remap
from exactdp.analysis.audit import audit
from exactdp.analysis.optimality import remap_optimality
from exactdp.cli import main
from exactdp.errors import ResourceLimitError
from exactdp.lp.solve import solve
from exactdp.mechanisms.words import mechanism_from_spec
from exactdp.report.deployed import about_consumer, audit_json
from exactdp.report.registry import verdict_json
from exactdp.report.text import verdict_text
from exactdp.search.best_remap import propose_remap, remap_program

LOSSES = (Loss.absolute, Loss.squared, Loss.zero_one)


def doubles(n, epsilon=1.0):
    a = exp(-epsilon)
    return from_floats(
        [[(1 if j in (0, n) else 1 - a) / (1 + a) * a ** abs(i - j) for j in range(n + 1)] for i in range(n + 1)]
    ).renormalise()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_doubles_by_the_whole_program(loss, epsilon):
    m = doubles(3, epsilon)
    consumer = MinimaxConsumer(loss(m.inputs))
    whole = solve(remap_program(m, consumer)[0], proposer=None)
    assert best_remap(m, consumer).evidence.value == whole.value


@pytest.mark.slow
@given(st.lists(st.lists(st.floats(0, 1).map(lambda x: x + 1e-3), min_size=3, max_size=3), min_size=3, max_size=3), st.sampled_from(LOSSES))
def test_any_doubles_by_the_whole_program(rows, loss):
    m = from_floats(rows).renormalise()
    consumer = MinimaxConsumer(loss(m.inputs), SideInformation([0, 1], m.inputs))
    whole = solve(remap_program(m, consumer)[0], proposer=None)
    assert best_remap(m, consumer).evidence.value == whole.value


def test_doubles_far_from_the_diagonal():
    """Entries down to e^(−60); the weights and the remap are checked from their definitions by best_remap
    itself.
    """
    m = doubles(30, 2.0)
    assert best_remap(m, MinimaxConsumer(Loss.absolute(m.inputs))).proved


def test_a_symbolic_table_by_the_whole_program():
    m = mechanism_from_spec("rounded-laplace:n=2,epsilon=1")
    loss = Loss(ExactMatrix([[m.field(abs(i - r)) for r in range(3)] for i in range(3)], m.field), m.inputs, m.inputs)
    whole = solve(remap_program(m, MinimaxConsumer(loss))[0], proposer=None)
    consumer = MinimaxConsumer(Loss.absolute(m.inputs))
    assert best_remap(m, consumer).evidence.value == whole.value


@pytest.mark.parametrize("loss", LOSSES)
def test_bounds_when_no_time_is_left(loss):
    m = mechanism_from_spec("rounded-laplace:n=6,t=1/2")
    consumer = MinimaxConsumer(loss(m.inputs))
    value = best_remap(m, consumer).evidence.value
    verdict = best_remap(m, consumer, time_limit=0)
    if verdict.proved:  # the bounds met
        assert verdict.evidence.value == value
        return
    lower, upper = verdict.evidence.bounds
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.evidence.value is None
    assert lower <= value <= upper
    assert consumer.loss_of(m.post_process(verdict.evidence.remap)) == upper
    data = verdict_json(verdict)
    assert data["value"] is None
    assert data["bounds"] == [str(lower), str(upper)]
    assert str(upper) in verdict_text(verdict)


@pytest.mark.parametrize("steps", [1, 2, 3, 5])
def test_bounds_wherever_the_search_stops(steps):
    m, asked = doubles(8), []
    consumer = MinimaxConsumer(Loss.zero_one(m.inputs))

    def stop(event):
        asked.append(event)
        if len(asked) >= steps:
            raise ResourceLimitError("enough")

    try:
        remap, weights = propose_remap(m, consumer, progress=stop)
    except ResourceLimitError as error:
        remap, weights = error.facts["best"]
    assert sum(weights) == 1
    assert min(weights) >= 0
    assert all(sum(row) == 1 for row in remap.matrix.rows())


@pytest.fixture
def late(monkeypatch):
    """An audit's time is up when it comes to its consumers."""
    passed = [0.0]

    def judge(*given, **options):
        passed[0] = 10.0**6
        return is_optimal_after_remap(*given, **options)

    monkeypatch.setattr("exactdp.runtime.progress.time", SimpleNamespace(monotonic=lambda: time.monotonic() + passed[0]))
    monkeypatch.setattr("exactdp.analysis.optimality.mechanism_optimality.is_optimal_after_remap", judge)


def test_an_audit_says_what_is_not_decided(late):
    m = mechanism_from_spec("rounded-laplace:n=5,t=1/2")
    path = neighbours("path:6")
    consumer = MinimaxConsumer(Loss.squared(path.vertices))
    verdict = is_optimal_after_remap(m, path, PrivacyLevel("1/4"), consumer, time_limit=0)
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.evidence.gap is None
    found = audit(m, path, consumers=[consumer, consumer], time_limit=1000).evidence
    facts = {item.name: str(item.value) for item in about_consumer(found.consumers[0])}
    assert facts["gap after the best remap"] == "not decided"
    assert {"loss after the best remap, at least", "loss after the best remap, at most"} <= set(facts)
    part = audit_json(found)["consumers"][0]["after_remap"]
    assert part["loss"] is None
    assert part["gap"] is None
    assert len(part["loss_bounds"]) == 2
    assert "consumer-1-after-remap" not in found.verdicts
    for entry in found.consumers:  # what it loses as deployed needs no search
        assert entry.deployed.evidence.loss == consumer.loss_of(m)
        assert entry.deployed.evidence.gap is None
        assert entry.optimum is None
    assert facts["loss as deployed"]
    assert facts["gap as deployed"] == "not decided"


def test_the_time_limit_of_the_command(late):
    words = ["audit", "rounded-laplace:n=5,t=1/2", "--for", "squared", "--time-limit", "1000", "--json"]
    data = json.loads(CliRunner().invoke(main, words).stdout)
    assert data["consumers"][0]["after_remap"]["gap"] is None
    assert data["consumers"][0]["deployed"]["loss"] is not None
    assert data["consumers"][0]["deployed"]["gap"] is None


def test_an_audit_without_time():
    words = ["audit", "rounded-laplace:n=5,t=1/2", "--for", "squared", "--time-limit", "0", "--json"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 4
    assert "the time limit of 0 s has passed while this was done: tightest level: events: 0 of 10 pairs" in result.stdout


def test_a_geometric_table_needs_no_search():
    m = geometric(5, "1/4")
    assert is_optimal_after_remap(m, neighbours("path:6"), PrivacyLevel("1/4"), MinimaxConsumer(Loss.absolute(m.inputs))).proved


@pytest.mark.parametrize(
    ("word", "loss"),
    [
        ("geometric:n=16,alpha=1/2", "abs"),
        ("geometric:n=17,alpha=2/3", "squared"),
        ("geometric:n=16,epsilon=1", "abs"),
        ("geometric:n=16,epsilon=1/2", "zero-one"),
    ],
)
def test_the_remap_of_a_geometric_mechanism_loses_what_the_linear_program_says(word, loss, monkeypatch):
    """As optima on paths are found, and by the program of any mechanism."""
    mechanism = mechanism_from_spec(word)
    for consumer in (MinimaxConsumer(loss), MinimaxConsumer(loss, "3..14"), BayesianConsumer(loss)):
        monkeypatch.setattr(remap_optimality, "SMALL", 256)
        found = best_remap(mechanism, consumer)
        bound = consumer.on("path:" + str(mechanism.n_inputs))
        assert bound.loss_of(mechanism.post_process(found.evidence.remap)) == found.evidence.least_loss
        monkeypatch.setattr(remap_optimality, "SMALL", 10**6)
        assert best_remap(mechanism, consumer).evidence.least_loss == found.evidence.least_loss
    assert certify(found).kind == "optimal-remap"


@given(st.sampled_from(["alpha=1/3", "epsilon=1", "epsilon=1/2"]), st.integers(1, 5), st.sampled_from(["abs", "squared", "zero-one"]))
def test_losses_of_a_geometric_mechanism_by_its_powers(level, n, loss):
    """Against Σ_r l(i,r) x_ir, entry by entry."""
    mechanism = mechanism_from_spec(f"geometric:n={n},{level}")
    consumer = MinimaxConsumer(loss).on(f"path:{n + 1}")
    rows = zip(consumer.loss.matrix.rows(), mechanism.matrix.rows(), strict=True)
    assert consumer.row_losses(mechanism) == tuple(sum(l * x for l, x in zip(a, b, strict=True)) for a, b in rows)
