# SPDX-License-Identifier: MIT
"""Answers name what they are about: tables, losses, levels and priors by what was given."""

from __future__ import annotations

import pytest
from cli_runner import run

STRONG, WEAK = "geometric:n=1,alpha=1/2", "geometric:n=1,alpha=1/4"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", [f"refine {STRONG} {WEAK}", f"derive {WEAK} --source {STRONG}"])
def test_a_refutation_names_both_mechanisms(command):
    claim = run(f"{command} --json").json["claim"]
    assert claim.startswith(f"{WEAK} is not derivable from {STRONG}: ")
    assert claim.endswith(f"gets loss 4/5 from {WEAK} and at best 1 from {STRONG}")


@pytest.mark.parametrize("command", [f"refine {WEAK} {STRONG}", f"derive {STRONG} --source {WEAK}"])
def test_a_proof_names_both_mechanisms(command):
    assert run(f"{command} --json").json["claim"].startswith(f"{STRONG} is derivable from {WEAK}: it equals {WEAK} · R")


def test_files_of_one_name_are_called_as_they_were_typed(here):
    (here / "a").mkdir()
    for name, rows in (("t.csv", "1,0\n0,1\n"), ("a/t.csv", "1/2,1/2\n1/2,1/2\n")):
        (here / name).write_text(rows, encoding="utf-8")
    assert run("refine a/t.csv t.csv --json").json["claim"].startswith("t.csv is not derivable from a/t.csv")


def test_both_are_named_for_all_levels_and_for_letters():
    for_levels = run(f"derive {STRONG} --source geometric:n=1 --alpha symbolic --json").json["claim"]
    assert for_levels.startswith(f"{STRONG} is derivable from geometric:n=1 exactly for a in (0, 1/2]")
    p, q = (f"randomized-response:n=1,keep=1-{letter}" for letter in "pq")
    assert run(["refine", q, p, "--letters", "0 < q < p < 1/2", "--json"]).json["claim"].startswith(f"{p} is derivable from {q} for all")
    refuted = run(["refine", p, q, "--letters", "0 < q < p < 1/2", "--json"]).json["claim"]
    assert f"{q} is not derivable from {p}" in refuted
    assert "the mechanism" not in refuted
