# SPDX-License-Identifier: MIT
"""The sentence of an answer names the files of what it is about, with their digests; so do JSON and pages."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import click
import pytest
from cli_runner import run
from places import in_folder

from exactdp import geometric
from exactdp.analysis.audit import audit
from exactdp.cli.program import main
from exactdp.report.audit_page import audit_page

FILES = {
    "m.csv": "1/2,1/4,1/4\n1/4,1/2,1/4\n1/4,1/4,1/2\n",
    "strong.csv": "2/5,3/10,3/10\n3/10,2/5,3/10\n3/10,3/10,2/5\n",
    "wrong.csv": "1/2,1/4,1/4\n1/4,1/2,1/8\n1/4,1/4,1/2\n",
    "rounded.csv": "0.333333333333333,0.333333333333333,0.333333333333333\n0.1,0.4,0.5\n0.2,0.4,0.4\n",
    "formulas.csv": "1-a,a\na,1-a\n",
    "letters.csv": "p,1-p\n1-p,p\n",
    "remap.csv": "1,0,0\n0,1,0\n0,0,1\n",
    "loss.csv": "0,1,2\n1,0,1\n2,1,0\n",
    "other.csv": "0,1,3\n1,0,1\n3,1,0\n",
    "two.csv": "2/3,1/3\n1/3,2/3\n",
    "dual.csv": "weight,0,,,1/2\nweight,1,,,1/2\n",
    "cheap.csv": "0,1\n1,0\n",
    "dear.csv": "0,2\n2,0\n",
    "zero.csv": "weight,0,,,1\nweight,1,,,0\nweight,2,,,0\n",
}
NAMED = {name: f"{name} (sha256 {sha256(content.encode()).hexdigest()[:8]}…)" for name, content in FILES.items()}

QUESTIONS = {
    "privacy m.csv --local": "The tightest level of the mechanism of {m}",
    "privacy m.csv --local --alpha 1/2": "The mechanism of {m} is (α = 1/2)-private",
    "privacy m.csv --local --alpha 3/4": "The mechanism of {m} is not (α = 3/4)-private",
    "privacy wrong.csv --local": "The table of {wrong} is wrong",
    "privacy wrong.csv --local --renormalise": "The tightest level of the mechanism of {wrong} with each row divided by its sum",
    "privacy rounded.csv --local --alpha 3/4": "{rounded} is rounded",
    "privacy formulas.csv --local --alpha symbolic": "The table of {formulas} is a mechanism that is private",
    "privacy letters.csv --local --letters '0 < p < 1/2'": "The tightest level of the mechanism of {letters}",
    "privacy m.csv --local --digits auto": "The tightest level of every table that prints as {m} does",
    "privacy m.csv --local --digits auto --alpha 3/4": "No table that prints as {m} does",
    "delta m.csv --local --alpha 3/4": "The least δ for which the mechanism of {m}",
    "delta m.csv --local --alpha 3/4 --delta 1/100": "The mechanism of {m}",
    "delta m.csv --local --delta 1/100": "The largest level at which the mechanism of {m}",
    "delta m.csv --local --alpha 3/4 --digits auto": "For every table that prints as {m} does",
    "optimal m.csv --local --alpha 1/2 --loss abs": "The mechanism of {m} is not optimal",
    "optimal m.csv --local --alpha 1/2 --loss abs --after-remap": "The mechanism of {m} after the best remap",
    "optimal m.csv --local --alpha 1/2 --loss m.csv": "The mechanism of {m}",
    "optimal formulas.csv --local --alpha symbolic --loss abs": "The mechanism of {formulas} is not optimal",
    "optimal m.csv --local --alpha 1/2 --loss abs --digits auto": "No table that prints as {m} does",
    "optimal m.csv --local --alpha 1/2 --loss zero-one --dual zero.csv": "For the mechanism of {m}: the dual of {zero} proves only that",
    "optimal two.csv --local --alpha 1/2 --loss zero-one --dual dual.csv": "The mechanism of {two} is optimal",
    "remap m.csv --loss abs": "The least loss of a remap of the mechanism of {m}",
    "remap m.csv --loss abs --unique": "For the mechanism of {m}: the best remap",
    "remap m.csv --loss abs --remap remap.csv": "For the mechanism of {m}: the remap of {remap} is optimal",
    "remap formulas.csv --loss abs --alpha symbolic": "The least loss of a remap of the mechanism of {formulas}",
    "tight complete:3 --alpha 1/2 --mechanism m.csv": "For the mechanism of {m}: for every prior that is regular",
    "tight complete:3 --alpha 3/4 --mechanism m.csv": "The mechanism of {m} is not (α = 3/4)-private",
    "type complete:3 --alpha 1/2 --kernels --mechanism m.csv": "The mechanism of {m} is a kernel mechanism",
    "type complete:3 --alpha 1/2 --mixture --mechanism m.csv": "The mechanism of {m} is derivable from",
    "type complete:3 --alpha 1/2 --universal zero-one --mechanism m.csv": "The mechanism of {m} is not universally optimal",
    "type complete:3 --alpha 1/2 --universal loss.csv --universal other.csv --mechanism m.csv": "Of 2 losses the mechanism of {m} serves",
    "derive strong.csv --source m.csv": "{strong} is derivable from {m}",
    "refine m.csv strong.csv": "{strong} is derivable from {m}",
    "refine m.csv strong.csv identity:n=2": "Among {m}, {strong}, identity:n=2",
    "compose m.csv strong.csv --local": "The largest level at which the 2 independent releases of {m} and {strong} are",
    "compose m.csv --local": "The largest level at which the release of {m} is private",
    "compose m.csv m.csv --local": "The largest level at which the 2 independent releases of {m} (2 times) are",
    "compose --collection m.csv identity:n=2": "The largest level at which the 2 independent mechanisms of {m} and identity:n=2 on",
    "compose m.csv wrong.csv --local": "The table of {wrong} is wrong",
    "audit m.csv --local": "{m} is a mechanism",
    "audit m.csv --local --compare strong.csv": "{m} is a mechanism",
    "audit wrong.csv --local": "{wrong} is wrong",
    "audit m.csv --local --digits auto": "The tightest level of every table that prints as {m} does",
    "audit m.csv --local --digits auto --claims-epsilon 3": "The claim that {m} is (ε = 3)-private",
    "determinant --matrix formulas.csv": "For the matrix M of {formulas}: det M = ",
    "determinant --matrix formulas.csv --formula 1-a": "For the matrix M of {formulas}: det M",
}
"""How the sentence of each question begins; files by their names without an ending."""


here = in_folder(FILES, autouse=True)


def named(begins):
    return begins.format(**{name.removesuffix(".csv"): said for name, said in NAMED.items()})


@pytest.mark.parametrize(("question", "begins"), QUESTIONS.items())
def test_the_sentence_names_the_files(question, begins):
    answer = run(f"{question} --json").json
    claim = answer["claim"]
    assert claim.startswith(named(begins))
    done = run(question)
    lines = done.out.splitlines()[1:]
    about = [name for name in NAMED.values() if name in claim]
    assert not [name for name in about if name not in done.about and name not in done.first]
    told = [*answer.get("notes", ()), *lines[: lines.index("") if "" in lines else None]]
    assert not [note for note in told for name in NAMED.values() if name in claim and f"read: {name}" in note]


def test_every_command_about_a_mechanism_is_among_these():
    asked = {question.split()[0] for question in QUESTIONS}
    context = click.Context(main)
    commands = {name: main.get_command(context, name) for name in main.list_commands(context)}
    takes = {"mechanism", "mechanisms", "matrix"}
    assert {name for name, command in commands.items() if takes & {parameter.name for parameter in command.params}} == asked


@pytest.mark.parametrize(
    "question",
    ["privacy {} --local", "remap {} --loss abs --unique", "derive strong.csv --source {}", "refine {} strong.csv identity:n=2"],
)
def test_two_names_of_one_table_give_two_sentences_and_one_certificate(here, question):
    (here / "same.csv").write_text(FILES["m.csv"], encoding="utf-8")
    answers = {name: run(f"{question.format(name)} -o {name}.edp.json --json").json for name in ("m.csv", "same.csv")}
    assert answers["m.csv"]["claim"] != answers["same.csv"]["claim"]
    first, second = ((here / f"{name}.edp.json").read_bytes() for name in answers)
    assert first == second


def test_a_sentence_that_does_not_depend_on_the_mechanism_does_not_name_it():
    """What was claimed of the optimum is false, whatever the mechanism; that it was read is noted."""
    answer = run("optimal m.csv --local --alpha 1/2 --loss zero-one --claimed-value 2/5 --json").json
    assert answer["claim"].startswith("2/5 is not the least loss")
    assert f"read: {NAMED['m.csv']}" in answer["notes"]


def test_losses_of_files_are_told_apart_where_several_are_asked_about():
    question = "type complete:3 --alpha 1/2 --universal loss.csv --universal {} --mechanism m.csv"
    answer = run(f"{question.format('other.csv')} --json").json
    assert {entry["loss"] for entry in answer["losses"]} == {NAMED["loss.csv"], NAMED["other.csv"]}
    refused = run(question.format("./loss.csv"))
    assert (refused.code, "names one loss twice" in refused.err) == (2, True)


@pytest.mark.parametrize(("mechanism", "verdict"), [("two.csv", "proved"), ("uniform:n=1", "undecided")])
def test_what_a_dual_proves_says_for_which_consumer(mechanism, verdict):
    for loss in ("cheap.csv", "dear.csv"):
        answer = run(f"optimal {mechanism} --local --alpha 1/2 --loss {loss} --dual dual.csv --json").json
        assert answer["verdict"] == verdict
        assert f"for the minimax consumer with loss {NAMED[loss]}" in answer["claim"]


def test_the_page_of_an_audit_names_its_tables(here):
    run("audit m.csv --local --compare strong.csv --html page.html")
    page = (here / "page.html").read_text(encoding="utf-8")
    assert f"Audit of {NAMED['m.csv']} and {NAMED['strong.csv']}" in page
    assert "read: " not in page


@pytest.mark.parametrize(
    ("question", "code", "verdict"),
    [
        ("audit m.csv --local", 0, "no claim"),
        ("audit rounded.csv --local", 0, "no claim"),
        ("audit identity:n=3", 0, "no claim"),
        ("audit wrong.csv --local", 1, "refuted"),
        ("audit m.csv --local --claims-alpha 1/2", 0, "proved"),
        ("audit m.csv --local --claims-alpha 3/4", 1, "refuted"),
    ],
)
def test_nothing_is_proved_in_json_where_nothing_was_claimed(question, code, verdict):
    answer = run(f"{question} --compare identity:n=2 --json" if "identity" not in question else f"{question} --json")
    assert (answer.code, answer.json["verdict"]) == (code, verdict)
    assert run(question).out.startswith(f"{verdict.upper()}  ")
    if "compared" in answer.json:
        assert answer.json["compared"]["verdict"] == ("refuted" if "claims" in question else "no claim")


def test_out_of_time_is_undecided_not_without_a_claim():
    """Without a claim the tightest level is what is asked; where it is not known the answer says so."""
    verdict = audit(geometric(3, "1/2"), "path")
    late = replace(verdict.evidence, tightest=None, undecided=("the tightest level",))
    assert (verdict.evidence.head, late.head) == ("no claim", "")
    assert "Exit code: 4, as the time limit left a part undecided." in audit_page(replace(verdict, evidence=late))
