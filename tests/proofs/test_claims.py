"""How replayed claims are printed, and the exit codes, with a stand-in for the records."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

import pytest
from proof_programs import run

from proofs.record import load_paper, papers
from proofs.replay import ClaimResult, replay


@dataclass
class Result:
    id: str
    recorded: str
    found: str
    locator: str = "Table 1"
    statement: str = "It is so."
    scope: str = "n = 3"
    detail: str = "the row sums are 1"
    seconds: float = 0.25
    printed: str = "The sum is 2."
    argument: tuple[str, ...] = ()
    coq: tuple[str, ...] = ()
    missing: str | None = None
    repair: str | None = None
    reason: str | None = None
    decided: str = ""

    @property
    def agrees(self):
        return self.recorded == self.found or self.found == "holds where tried"

    def why(self):
        return ClaimResult.why(self)


@pytest.fixture
def records(monkeypatch):
    results = [Result("T1", "certified", "certified"), Result("T2-long", "refuted as printed", "refuted as printed")]
    monkeypatch.setattr("proofs.claims.papers", lambda: ["a_paper"])
    monkeypatch.setattr("proofs.claims.replay", lambda paper: results)
    return results


@pytest.mark.parametrize("command", ["claims", "claims a_paper", "claims a-paper"])
def test_agreement(records, command):
    done = run(command)
    assert done.code == 0
    assert "a_paper:" in done.out
    assert done.out.count("agrees") == 2
    assert done.out.endswith("All 2 claims agree with the record.\n")
    answer = run(f"{command} --json").json
    assert answer["verdict"] == "proved"
    assert answer["claims"][1]["id"] == "T2-long"
    assert answer["claims"][0]["agrees"] is True


def test_a_contradiction_shows_its_detail(records):
    records[0].recorded = "open"
    done = run("claims")
    assert done.code == 1
    assert "CONTRADICTS" in done.out
    assert "the row sums are 1" in done.out
    assert "1 of 2 claims" in done.out
    assert run("claims --json").json["verdict"] == "refuted"


@pytest.mark.parametrize("status", ["refuted as printed", "imprecise as printed", "open"])
def test_a_claim_that_is_not_a_plain_yes_says_why_with_the_numbers(records, status):
    records[1] = Result("T2", status, status, repair="The sum is 1.")
    lines = run("claims").out.splitlines()
    place = next(k for k, line in enumerate(lines) if line.startswith("T2 "))
    assert lines[place + 1 : place + 4] == [
        "    printed: The sum is 2.",
        "    computed: the row sums are 1",
        "    true instead: The sum is 1.",
    ]
    assert not lines[place - 1].startswith("    ")
    assert run("claims --json").json["claims"][1]["why"]["computed"] == "the row sums are 1"


def test_what_is_outside_says_why(records):
    records[1] = Result("F1", "outside exact arithmetic", "outside exact arithmetic", reason="a drawing", detail="nothing")
    shown = run("claims").out
    assert "    reason: a drawing\n" in shown


def test_a_plain_yes_has_no_reason(records):
    assert "computed" not in run("claims").out.split("T2-long")[0]


@pytest.mark.parametrize(
    ("claim", "numbers"),
    [("T1b", ["5/3", "3/5", "4/3"]), ("T1c", ["357/880", "168/415", "63/73040", "9/11"]), ("T1a", ["126323/124950", "12/49", "5/17"])],
)
def test_the_numbers_of_the_record(claim, numbers):
    """What Table 1 prints, and what the sums of its rows and the losses are by exact arithmetic."""
    [result] = replay("gupte_sundararajan", only=[f"gupte_sundararajan/{claim}"])
    told = " ".join(result.why().values())
    assert all(number in told for number in numbers)


@pytest.mark.slow
def test_every_refuted_claim_shows_a_number(monkeypatch):
    """Those that take a minute only if EXACTDP_ALL_CLAIMS is set; nothing is asked of other claims. CI prints
    them all: ``proofs/claims.py``.
    """
    refuted, without = {"refuted as printed", "imprecise as printed"}, {"open", "outside exact arithmetic"}
    long = () if os.environ.get("EXACTDP_ALL_CLAIMS") else ("S6a", "S6b", "S6c", "F6")
    found = [claim for name in papers() for claim in load_paper(name).claims if str(claim.status) in refuted | without]
    asked = [claim.id for claim in found if claim.id.partition("/")[2] not in long]
    only_those = lambda paper: replay(paper, only=[name for name in asked if name.startswith(f"{paper}/")])  # noqa: E731
    monkeypatch.setattr("proofs.claims.replay", only_those)
    claims = run("claims --json").json["claims"]
    assert [claim["id"] for claim in claims] == asked
    assert len(asked) > 50
    for claim in claims:
        if claim["recorded"] in refuted:
            assert re.search(r"[0-9]", claim["why"]["computed"]), claim["id"]
            assert claim["why"]["true instead"]
            assert claim["why"]["printed"]
        else:
            assert claim["why"]


def test_an_unknown_paper_is_usage(records):
    done = run("claims nobody")
    assert done.code == 2
    assert "a_paper" in done.err


def test_what_is_only_replayed_says_so_and_what_coq_lacks(records):
    records += [
        Result("T3", "replayed", "holds where tried", argument=("a.t",), coq=("part",), missing="the\nlast step"),
        Result("T4", "proved in general", "holds where tried", argument=("a.u",), coq=("whole",)),
    ]
    done = run("claims")
    lines = done.out.splitlines()
    replayed = next(line for line in lines if line.startswith("T3"))
    assert replayed.endswith("Coq (a part): part; replayed: a.json")
    assert lines[lines.index(replayed) + 1] == "    missing in Coq: the last step"
    assert next(line for line in lines if line.startswith("T4")).endswith("Coq: whole; replayed: a.json")
    assert "replayed: exactdp's own checker of arguments followed the steps" in done.out
    assert "proved in general: a Coq theorem states the claim" in done.out
    said = run("claims --json").json
    claim = said["claims"][2]
    assert (claim["recorded"], claim["missing"]) == ("replayed", "the\nlast step")
    assert said["verdict"] == ("replayed" if all(claim["agrees"] for claim in said["claims"]) else "refuted")


def test_all_that_agree_are_proved_unless_one_is_only_replayed(records):
    records[:] = [Result("T1", "proved in general", "holds where tried", coq=("whole",))]
    assert run("claims --json").json["verdict"] == "proved"
    records += [Result("T3", "replayed", "holds where tried", argument=("a.t",), missing="all")]
    done = run("claims --json")
    assert (done.code, done.json["verdict"]) == (0, "replayed")


def test_words_that_do_not_occur_are_not_explained(records):
    assert "own checker of arguments" not in run("claims").out


def test_a_hyphen_stands_for_an_underscore_in_a_claims_name():
    assert run("cite gupte-sundararajan/T1").out == run("cite gupte_sundararajan/T1").out
    assert run("cite gupte-sundararajan/T0").code == 3
    assert "no recorded claim" in run("cite gupte-sundararajan").err
