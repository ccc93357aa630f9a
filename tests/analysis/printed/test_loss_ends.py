# SPDX-License-Identifier: MIT
"""The ends of the loss and gap of a printed table, against vertices of rows; audits."""

from __future__ import annotations

import random
from fractions import Fraction as F
from itertools import product

import pytest
from oracles import as_fraction
from printed_boxes import printed_rows, row_vertices

from exactdp import (
    BayesianConsumer,
    Gain,
    MinimaxConsumer,
    PrivacyClaim,
    audit,
    certify,
    is_optimal,
    mechanism_loss,
    neighbours,
    optimum,
    printed_table,
    verify,
)
from exactdp.errors import CertificateError, DomainError, LabelError

TURN = printed_table([["0.7", "0.3"], ["0.3", "0.7"]], digits=1)
WORDS = ("abs", "zero-one", "squared")


def vertices_of(table):
    return [
        row_vertices([as_fraction(x) for x in table.lower.row(i)], [as_fraction(x) for x in table.upper.row(i)])
        for i in range(table.n_inputs)
    ]


def one_consumer(kind, word, weights):
    if kind == "bayesian":
        return BayesianConsumer(word, [str(x) for x in weights])
    return MinimaxConsumer(word) if kind == "minimax" else MinimaxConsumer(word, "0,1")


@pytest.mark.parametrize("kind", ["minimax", "side", "bayesian"])
def test_both_ends_are_those_of_the_vertices(kind):
    rng = random.Random(random.randrange(2**32))
    for _ in range(10):
        size = rng.choice((2, 3))
        table = printed_table(printed_rows(rng, size, size, 1), digits=1)
        word = rng.choice(WORDS)
        weights = [F(rng.randint(1, 5)) for _ in range(size)]
        weights = [x / sum(weights) for x in weights]
        consumer = one_consumer(kind, word, weights)
        losses = [[as_fraction(x) for x in row] for row in consumer.on(f"path:{size}").loss.matrix.rows()]
        found = []
        for rows in product(*vertices_of(table)):
            each = [sum((a * b for a, b in zip(row, loss, strict=True)), F(0)) for row, loss in zip(rows, losses, strict=True)]
            expected = sum((p * x for p, x in zip(weights, each, strict=True)), F(0))
            found.append(expected if kind == "bayesian" else max(each[:2] if kind == "side" else each))
        e = mechanism_loss(table, consumer).evidence
        assert (as_fraction(e.smallest), as_fraction(e.largest)) == (min(found), max(found))
        assert table.contains(e.worst)
        assert table.contains(e.best)


def test_a_gain_is_stated_as_a_utility():
    gain = Gain([[1, 0], [0, 1]])
    verdict = mechanism_loss(TURN, MinimaxConsumer(gain))
    assert [str(x) for x in verdict.evidence.stated] == ["13/20", "3/4"]
    assert "between 13/20 and 3/4" in verdict.claim


@pytest.mark.parametrize(
    ("level", "decision"),
    [("1/2", "undecided"), ("1/3", "undecided"), ("13/27", "undecided"), ("1/5", "refuted"), ("9/10", "refuted"), ("7/13", "refuted")],
)
def test_whether_what_was_printed_is_optimal(level, decision):
    verdict = is_optimal(TURN, "path:2", level, MinimaxConsumer("zero-one"))
    assert verdict.decision.value == ("refuted" if level == "1/5" else verdict.decision.value)
    value = optimum("path:2", level, MinimaxConsumer("zero-one")).evidence.least_loss
    e = verdict.evidence
    assert e.gaps == (e.losses.smallest - value, e.losses.largest - value)
    some = e.private_loss is not None and e.private_loss == value
    assert (verdict.decision.value == "undecided") == some
    if level in {"1/2", "1/3"}:
        assert decision == verdict.decision.value


def test_a_gain_is_optimal_where_its_loss_is():
    """Minus the losses: the same decisions, whichever sign the evidence has."""
    for level in ("1/2", "1/5", "7/13"):
        loss, gain = (is_optimal(TURN, "path:2", level, MinimaxConsumer(word)) for word in ("zero-one", Gain([[1, 0], [0, 1]])))
        assert loss.decision is gain.decision
        assert loss.evidence.gaps == gain.evidence.gaps


def test_a_fixed_optimal_table_is_proved():
    fixed = printed_table([["2/3", "1/3"], ["1/3", "2/3"]], digits="auto")
    verdict = is_optimal(fixed, "path:2", "1/2", MinimaxConsumer("zero-one"))
    assert verdict.proved
    assert mechanism_loss(fixed, MinimaxConsumer("zero-one")).proved


def test_losses_have_no_certificates_and_say_so():
    verdict = is_optimal(TURN, "path:2", "1/5", MinimaxConsumer("zero-one"))
    with pytest.raises(CertificateError, match="losses of a printed table have no certificates"):
        certify(verdict)


def test_outputs_that_are_no_guesses():
    with pytest.raises(LabelError):
        mechanism_loss(printed_table([["0.7", "0.3"], ["0.3", "0.7"]], ["a", "b"], ["x", "y"], digits=1), MinimaxConsumer("zero-one"))


@pytest.mark.mostly_slow(2)
@pytest.mark.parametrize(
    ("claim", "decision"),
    [
        (None, "undecided"),
        (PrivacyClaim(epsilon="ln(3)"), "proved"),
        (PrivacyClaim(epsilon="1/2"), "refuted"),
        (PrivacyClaim(alpha="1/2"), "undecided"),
        (PrivacyClaim(epsilon="1/2", delta="1/2"), "proved"),
        (PrivacyClaim(epsilon="1/2", delta="1/50"), "refuted"),
    ],
)
def test_an_audit_judges_the_claim_of_all_that_print_so(claim, decision):
    verdict = audit(TURN, "path:2", claim=claim, consumers=[MinimaxConsumer("zero-one")], title="t.csv")
    assert verdict.decision.value == decision
    assert "ε lies between" in verdict.claim
    for part in verdict.evidence.verdicts.values():
        assert verify(certify(part)).status == "accepted"
    entry = verdict.evidence.consumers[0]
    assert (entry.optimal is None) == (claim is None)


def test_an_audit_does_not_judge_what_a_delta_buys():
    with pytest.raises(DomainError, match="the smallest ε of a δ is not found"):
        audit(TURN, "path:2", deltas=["1/100"])


def test_the_table_of_a_handbook_is_not_refuted_by_its_digits():
    """Digits that break a claim which some law behind them keeps: not refuted, and both are shown."""
    law = printed_table([["0.0002", "0.9998"], ["0.0003", "0.9997"]], digits=4)
    verdict = audit(law, "path:2", claim=PrivacyClaim(epsilon="ln(5/4)", delta="1/100000"))
    assert verdict.decision.value == "undecided"
    assert set(verdict.evidence.verdicts) == {
        *("largest-epsilon", "smallest-epsilon", "largest-delta", "smallest-delta"),
        *("some-table", "not-all-tables"),
    }
    assert neighbours("path:2") == verdict.evidence.neighbours
