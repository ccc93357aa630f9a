# SPDX-License-Identifier: MIT
"""What is shown as a number is that number: no bound and no other table's number stands for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cli_runner import run

import exactdp as xdp
from exactdp import analysis
from exactdp.analysis import compared
from exactdp.analysis.audit_consumers import as_it_stands
from exactdp.analysis.printed import delta_ends
from exactdp.analysis.printed.delta_ends import delta_as_printed
from exactdp.analysis.printed.delta_ends import end_said as found_said
from exactdp.errors import InputError, ResourceLimitError
from exactdp.report.audit_page import audit_page
from exactdp.report.deployed import comparison
from exactdp.report.printed import _smallest_epsilon
from exactdp.report.printed import delta_json as printed_delta_json
from exactdp.report.text import verdict_text

UNIFORM = xdp.Dual(weights=("1/3", "1/3", "1/3"))
"""It proves 3/10 where the optimum is 8/23, with the least favourable prior 4/23, 15/23, 4/23."""

PRIVATE = [["4/5", "3/20", "1/20"], ["1/5", "3/5", "1/5"], ["1/20", "3/20", "4/5"]]
NOT_PRIVATE = [["7/10", "3/10", 0], ["3/20", "7/10", "3/20"], [0, "3/10", "7/10"]]
"""Its loss is 3/10, which no private mechanism has."""


@pytest.fixture
def consumer():
    return xdp.MinimaxConsumer("abs")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_loss_of_a_mechanism_that_is_not_private_is_no_optimum(consumer):
    found = xdp.verify_optimal(NOT_PRIVATE, "path:3", "1/4", consumer, UNIFORM)
    assert found.refuted
    assert found.evidence.gap == 0
    assert not found.evidence.attained
    text = verdict_text(found)
    assert "\noptimum" not in text
    assert "no loss below   3/10" in text
    assert str(xdp.optimum("path:3", "1/4", consumer).evidence.value) == "8/23"


def test_in_json_it_is_the_bound(here):
    rows = "\n".join(",".join(map(str, row)) for row in NOT_PRIVATE)
    (here / "t.csv").write_text(rows, encoding="utf-8")
    (here / "d.csv").write_text("weight,0,,,1/3\nweight,1,,,1/3\nweight,2,,,1/3\n", encoding="utf-8")
    found = run("optimal --mechanism t.csv --graph path --alpha 1/4 --loss abs --dual d.csv --json").json
    assert (found["verdict"], found["value"], found["bound"], found["gap_at_most"]) == ("refuted", None, "3/10", "0")


@pytest.mark.parametrize("rows", [PRIVATE, NOT_PRIVATE])
def test_what_proves_no_optimum_is_compared_with_no_claimed_value(consumer, rows):
    evidence = xdp.verify_optimal(rows, "path:3", "1/4", consumer, UNIFORM).evidence
    with pytest.raises(InputError, match="does not prove which value is the optimum"):
        compared("3/10", evidence)


@pytest.mark.parametrize("rows", [PRIVATE, NOT_PRIVATE])
def test_the_weights_of_a_dual_that_proves_less_are_not_least_favourable(consumer, rows):
    text = verdict_text(xdp.verify_optimal(rows, "path:3", "1/4", consumer, UNIFORM))
    assert "\nprior of the bound, not shown to be least favourable" in text
    assert "\nleast favourable prior" not in text


def test_those_of_one_that_proves_the_optimum_are(consumer):
    best = xdp.optimum("path:3", "1/4", consumer).evidence
    found = xdp.verify_optimal(best.best, "path:3", "1/4", consumer, best.dual)
    assert found.evidence.attained
    assert "\nleast favourable prior" in verdict_text(found)


@pytest.mark.parametrize(
    "question", ["remap geometric:n=3,alpha=1/4 --loss abs", "optimal geometric:n=3,alpha=1/4 --alpha 1/5 --loss abs --after-remap"]
)
def test_nor_are_those_that_a_time_limit_left(question):
    assert "\nleast favourable prior" in run(question).out
    stopped = run(f"{question} --time-limit 0").out
    assert "least favourable prior" not in stopped


WRONG, RIGHT = "4/5,3/20,1/4\n1/5,3/5,1/5\n1/20,3/20,4/5\n", "4/5,3/20,1/20\n1/5,3/5,1/5\n1/20,3/20,4/5\n"


def test_a_loss_of_a_wrong_table_is_said_to_be_one_after_division(consumer):
    audits = [xdp.audit(xdp.read_table(text), "path:3", consumers=[consumer]).evidence for text in (RIGHT, WRONG)]
    rows = {what: (one, other) for what, one, other in comparison(*audits)}
    (name,) = (what for what in rows if what.endswith("loss as deployed"))  # of row 0: (3/20 + 2·1/4)/(6/5)
    assert rows[name] == ("0.4", "≈ 0.541667 (after dividing rows by their sums)")


def stopped(rows, rounding=0):
    """An audit whose search for the best remap of its one consumer was stopped after it began."""
    consumer = xdp.MinimaxConsumer("abs")
    found = xdp.audit(xdp.read_table(rows), "path:3", consumers=[consumer], rounding=rounding).evidence
    known = found.consumers[0]
    remap = replace(known.remapped.evidence.remap, least_loss=None, least_loss_bounds=(xdp.Rational("3/10"), xdp.Rational("2/5")))
    evidence = replace(known.remapped.evidence, remap=remap, loss=xdp.Rational("2/5"), gap=None)
    return found, replace(known, remapped=replace(known.remapped, evidence=evidence))


def test_a_bound_is_not_the_loss_beside_another_table():
    found, late = stopped(RIGHT)
    rows = {what: other for what, _, other in comparison(found, replace(found, consumers=(late,)))}
    (name,) = (what for what in rows if what.endswith("loss after the best remap"))
    assert rows[name] == "not decided: from 0.3 to 0.4"
    both = {what: other for what, _, other in comparison(found, replace(found, consumers=(*found.consumers, late)))}
    assert both[name] == "≈ 0.347826"


def test_what_is_not_the_best_remap_is_not_applied_to_a_table_as_it_stands():
    found, late = stopped(RIGHT.replace("1/20\n1/5", "51/1000\n1/5"), "1/1000")
    assert as_it_stands(found.given, found.consumers[0].remapped.evidence)[1] is not None
    assert as_it_stands(found.given, late.remapped.evidence)[1] is None


@pytest.mark.parametrize(("delta", "said"), [("0", "2 break the claim (✕)."), ("1/10", "an event that breaks the claim, one event")])
def test_outputs_of_an_event_do_not_break_a_claim_alone(delta, said):
    """At α = 1/2 each of two outputs has 3/10 − 2·1/10 = 1/10, the event of both 1/5."""
    rows = "3/10,3/10,1/5,1/5\n1/10,1/10,2/5,2/5"
    claim = xdp.PrivacyClaim(alpha="1/2", delta=delta)
    page = audit_page(xdp.audit(xdp.read_table(rows), "path:2", claim=claim))
    assert said in page


PRINTED = xdp.read_table("0.1,0.2,0.0,0.1,0.2,0.1,0.3\n0.3,0.0,0.0,0.2,0.3,0.1,0.1", digits=1)


def test_the_delta_of_a_table_found_is_not_the_largest():
    found = delta_as_printed(PRINTED, "path:2", "1/2", nodes=0).evidence
    assert found.largest.delta < found.largest.bound
    text = verdict_text(found_said(found.largest))
    assert f"largest δ, at most    {found.largest.bound}\n  δ of a table found  {found.largest.delta}\n" in text
    told = printed_delta_json(found)["largest"]
    assert (told["exact"], told["bound"]) == (False, str(found.largest.bound))


def test_nor_is_that_of_a_large_table_the_smallest(monkeypatch):
    exact = delta_as_printed(PRINTED, "path:2", "1/2").evidence.smallest
    assert "\nsmallest δ " in f"\n{verdict_text(found_said(exact))}"
    monkeypatch.setattr(delta_ends, "MOST_ENTRIES", 0)
    found = delta_as_printed(PRINTED, "path:2", "1/2").evidence.smallest
    assert found.bound <= exact.delta <= found.delta
    assert not found.exact
    assert f"smallest δ, at least  {found.bound}\n" in verdict_text(found_said(found))


def test_the_upper_decimal_of_a_level_is_rounded_up():
    smallest = xdp.tightest_level(PRINTED, "path:2").evidence.smallest
    told = _smallest_epsilon(replace(smallest, tightest=xdp.TightestLevel("1/3"), bound=xdp.TightestLevel("2/3")))
    assert told[0].value == "that of a level between 0.333333333333333 and 0.666666666666667"


def stop(event):
    raise ResourceLimitError("that is enough")


def test_a_given_remap_is_not_compared_with_a_bound(consumer):
    own = xdp.geometric(2, "1/4")
    with pytest.raises(ResourceLimitError, match="whether the remap is best was not decided: the least loss of a remap"):
        xdp.is_best_remap(own, consumer, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], progress=stop)


@pytest.mark.parametrize("question", ["best_remap", "optimum"])
def test_nor_are_the_losses_at_a_mechanisms_own_level(question, here, monkeypatch):
    rows = "\n".join(",".join(map(str, row)) for row in PRIVATE)
    (here / "t.csv").write_text(rows, encoding="utf-8")
    asked = "optimal t.csv --graph path --alpha 1/2 --loss abs"
    real = getattr(analysis, question)
    assert "after_remap" in run(f"{asked} --json").json["own_level"]
    monkeypatch.setattr(analysis, question, lambda *given, **options: real(*given, **options | {"progress": stop}))
    found = run(asked)
    assert found.code == 1
    assert "what it loses at its own level is not told" in found.out


@pytest.mark.parametrize("epsilon", ["0.988105465", "0.98810546511", "0.98810546517"])
def test_the_epsilon_of_a_refuted_claim_is_below_the_end_that_is_said(epsilon):
    """The smallest ε is an algebraic number near 0.98810546517, whose decimal is rounded down."""
    table = xdp.read_table("0.4,0.3,0.3,0.0\n0.4,0.3,0.2,0.1\n0.5,0.5,0.1,0.0", digits=1)
    found = xdp.is_private(table, "star", f"epsilon={epsilon}")
    assert found.refuted
    said = found.claim.partition("ε lies between ")[2].split()[0]
    assert xdp.Rational(epsilon) < xdp.Rational(said)
    assert found.evidence.smallest.bound.epsilon.enclosure(30)[0] >= xdp.Rational(said)


@pytest.mark.parametrize(("delta", "decision"), [("0.12438423", "refuted"), ("0.14837149", "proved"), ("0.13", "undecided")])
def test_the_delta_of_a_claim_is_outside_of_the_ends_that_are_said_unless_it_is_undecided(delta, decision):
    """At ε = 1/2 the ends are 0.124384266… and 0.148371479…, whose decimals are rounded outwards."""
    table = xdp.read_table("0.60,0.30,0.10\n0.30,0.40,0.30\n0.10,0.30,0.60", digits=2)
    asked = xdp.Rational(delta)
    claim = xdp.PrivacyClaim(epsilon="1/2", delta=delta)
    for found in (xdp.is_approximately_private(table, "path", "epsilon=1/2", delta), xdp.audit(table, "path", claim=claim)):
        assert found.decision.value == decision
        low, _, high = found.claim.partition("the least δ lies between ")[2].replace(":", " ").split()[:3]
        assert {"refuted": asked < xdp.Rational(low), "proved": asked >= xdp.Rational(high)}.get(decision, True)
        assert decision != "undecided" or xdp.Rational(low) <= asked < xdp.Rational(high)


@pytest.mark.parametrize(("epsilon", "kept"), [("0.4999999999982", False), ("0.4999999999984", True)])
def test_the_level_that_a_delta_buys_is_told_apart_from_the_one_asked_about(epsilon, kept):
    """δ = 10⁻¹² buys ε = 0.49999999999835… beside t = e^(−1/2), which has no field with the ε asked about."""
    done = run(f"delta geometric:n=1,epsilon=1/2 --epsilon {epsilon} --delta 1e-12")
    assert done.code == (0 if kept else 1)
    said = [xdp.Rational(part.split()[0].rstrip(",)")) for part in done.out.split("≈ ")[1:]]
    assert said
    assert all((decimal < xdp.Rational(epsilon)) == kept for decimal in said)
