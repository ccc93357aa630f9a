# SPDX-License-Identifier: MIT
"""Answers name what they are about: tables, losses, levels and priors by what was given."""

from __future__ import annotations

import math
import re
from hashlib import sha256

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
    claim = run("refine a/t.csv t.csv --json").json["claim"]
    assert re.match(r"t\.csv \(sha256 28d96793…\) is not derivable from a/t\.csv \(sha256 c9e4999c…\)", claim)


def test_both_are_named_for_all_levels_and_for_letters():
    for_levels = run(f"derive {STRONG} --source geometric:n=1 --alpha symbolic --json").json["claim"]
    assert for_levels.startswith(f"{STRONG} is derivable from geometric:n=1 exactly for a in (0, 1/2]")
    p, q = (f"randomized-response:n=1,keep=1-{letter}" for letter in "pq")
    assert run(["refine", q, p, "--letters", "0 < q < p < 1/2", "--json"]).json["claim"].startswith(f"{p} is derivable from {q} for all")
    refuted = run(["refine", p, q, "--letters", "0 < q < p < 1/2", "--json"]).json["claim"]
    assert f"{q} is not derivable from {p}" in refuted
    assert "the mechanism" not in refuted


def test_in_which_numbers_the_certificate_of_a_gain_is_is_noted_where_there_is_one(here):
    given = "optimal --graph path:2 --alpha 1/2 --gain zero-one"
    assert any("minus the gain" in note for note in run(f"{given} -o c.edp.json --json").json["notes"])
    (here / "differs.csv").write_text("p,0\n0,1-p\n", encoding="utf-8")
    undecided = run(
        ["optimal", "--graph", "path:2", "--alpha", "1/2", "--gain", "differs.csv", "--letters", "0 < p < 1", "-o", "no.edp.json"]
    )
    assert not (here / "no.edp.json").exists()
    assert undecided.out.startswith("UNDECIDED")
    assert "minus the gain" not in undecided.out


ASKED = "is about the level asked"
BESIDE = [
    (
        "optimal geometric:n=1 --alpha 1/2 --loss abs --after-remap --unique",
        "does not say whether the optimum is the only one; that of --unique",
    ),
    ("optimal --graph path:2 --alpha 1/2 --loss abs --claimed-value 1/3 --unique", "does not say whether the optimum is the only one"),
    ("optimal geometric:n=1,alpha=1/2 --alpha 1/4 --loss abs --own-level", f"{ASKED}, not about the mechanism's own tightest level"),
    ("optimal geometric:n=1,alpha=1/2 --alpha 1/4 --loss abs", f"{ASKED}, not about the mechanism's own tightest level"),
    ("remap geometric:n=1,alpha=1/3 --loss abs", "does not say whether it is the only best remap; that of --unique does"),
    (
        "privacy geometric:n=1,alpha=1/2 --alpha 1/4",
        "says that it is (α = 1/4)-private (ε = ln(4) ≈ 1.386294), not that its tightest level is α = 1/2 (ε = ln(2) ≈",
    ),
    (
        "privacy geometric:n=1,alpha=1/2 --alpha 3/4",
        "says that it is not (α = 3/4)-private (ε = ln(4/3) ≈ 0.2876821), not that its tightest level is α = 1/2",
    ),
    ("audit geometric:n=1,alpha=1/2 --for abs", "is about the tightest level, not about consumers; --certificates DIR"),
    ("audit geometric:n=1,alpha=1/2 --delta 1/10", "is about the tightest level, not about the level that --delta buys; --cert"),
    ("audit geometric:n=1,alpha=1/2 --claims-alpha 1/4", "is about the claim, not about the tightest level; --certificates DIR"),
    (f"audit {STRONG} --compare {WEAK}", f"is about the tightest level, not about {WEAK}"),
    ("refine identity:n=1 uniform:n=1 --order", "is about A ⊑ B, not about the order of both"),
]


@pytest.mark.parametrize(("command", "note"), BESIDE, ids=[command for command, _ in BESIDE])
def test_what_is_told_and_not_certified_is_noted_beside_a_certificate(here, command, note):
    notes = run(f"{command} -o c.edp.json --json").json["notes"]
    assert [said for said in notes if said.startswith(f"the certificate {note}")]
    assert not [said for said in run(f"{command} --json").json.get("notes", []) if "the certificate" in said]


@pytest.mark.parametrize(
    "command", ["privacy geometric:n=1,alpha=1/2", "audit geometric:n=1,alpha=1/2", "remap uniform:n=1 --loss abs --unique"]
)
def test_a_certificate_of_all_that_is_told_has_no_such_note(here, command):
    done = run(f"{command} -o c.edp.json --json").json
    assert done["certificate"] == "c.edp.json"
    assert not [said for said in done.get("notes", []) if "the certificate" in said]


def test_a_labelled_table_is_compared_with_an_unlabelled_one_by_position(here):
    (here / "city.csv").write_text(",yes,no\nrome,2/3,1/3\noslo,1/2,1/2\n", encoding="utf-8")
    asked = f"audit city.csv --graph path --compare {STRONG}"
    assert "not told: only one has labels (--by-position matches them in their order)" in run(asked).out
    done = run(f"{asked} --by-position")
    assert "largest difference: input oslo, output yes" in done.out
    order = rf"by position: the outputs of {STRONG} are taken in the order of city.csv \(sha256 \w+…\): \(yes, no\)"
    assert re.search(order, done.out)
    back = run(f"audit {STRONG} --graph path --compare city.csv --by-position --html page.html").out
    assert "largest difference: input 1, output 0" in back
    assert "largest difference: input 1, output 0" in (here / "page.html").read_text(encoding="utf-8")
    assert "not told: their sizes differ" in run(f"audit {STRONG} --graph path --compare uniform:n=2").out


def test_a_range_among_labels_that_are_no_numbers_is_refused_with_what_to_type(here):
    (here / "trip.edges").write_text("oslo rome\n", encoding="utf-8")
    asked = "optimal --graph trip.edges --alpha 1/4 --loss zero-one --side-information"
    assert "needs integer labels, and 'oslo' is none; name the inputs, such as oslo,rome" in run(f"{asked} 0..1").err
    assert run(f"{asked} oslo,rome").code == 0


def test_a_plan_with_a_size_and_no_graph_names_the_question_that_has_none(here):
    plan = '[[questions]]\nask = ["tight", "derivable"]\ngraphs = ["path:2"]\nlevels = ["1/2"]\nmechanisms = ["geometric:n={n}"]\n'
    (here / "plan.toml").write_text(plan + f'sources = ["{WEAK}"]\n', encoding="utf-8")
    error = run("sweep plan.toml -o answers").err
    assert "the question derivable has no graph; ask it in a block of its own, with numbers" in error


def test_a_kind_of_answer_without_certificates_is_told_in_words(here):
    (here / "l.csv").write_text("1-p,p\np,1-p\n", encoding="utf-8")
    error = run("determinant --matrix l.csv --letters 0<p<1/2 -o c.edp.json").err
    assert "no certificate is defined for answers of this kind (determinant on region)" in error


@pytest.mark.parametrize(
    ("how", "what"), [("", "release is private on path:2"), ("--parallel", "mechanism on its part (path:2) is private")]
)
def test_one_release_is_not_private_together(how, what):
    done = run(f"compose {STRONG} {how}")
    assert f"The largest level at which the {what}" in done.sentence
    assert done.first.startswith(f"PROVED  level of the {what.partition(' is ')[0].replace(' (path:2)', '')}: α = ")


TWO = "type path:2 --alpha 1/2 --universal abs --mechanism"


def test_a_mechanism_that_is_not_universally_optimal_is_so_for_a_loss_a_level_and_a_prior_by_label(here):
    (here / "flat.csv").write_text(",yes,no\nrome,1/2,1/2\noslo,1/2,1/2\n", encoding="utf-8")
    (here / "trip.edges").write_text("oslo rome\n", encoding="utf-8")
    done = run("type trip.edges --alpha 1/4 --universal zero-one --mechanism flat.csv")
    digest, named = (sha256((here / name).read_bytes()).hexdigest()[:8] for name in ("trip.edges", "flat.csv"))
    where = f"for the loss zero-one on trip.edges (sha256 {digest}…) at level α = 1/4 (ε = ln(4) ≈ 1.386294)"
    why = "under the prior (oslo: 1/2, rome: 1/2) it loses 1/2 at best"
    assert f"The mechanism of flat.csv (sha256 {named}…) is not universally optimal {where}: {why}" in done.sentence
    assert done.first == "REFUTED  not universally optimal (argument: prior)"
    assert {f"flat.csv (sha256 {named}…)", f"trip.edges (sha256 {digest}…)"} <= set(done.about.removeprefix("for ").split(" · "))
    assert "\n            (oslo: 1/2, rome: 1/2)\n" in done.out
    assert "under the prior (0: 1/2, 1: 1/2) it" in run(f"{TWO} uniform:n=1").sentence


def test_of_many_inputs_only_those_of_positive_prior_are_in_the_sentence():
    claim = run("type path:10 --alpha 1/2 --universal zero-one --mechanism uniform:n=9 --json").json["claim"]
    assert "under the prior (0: 1/2, 1: 1/2, else 0) it" in claim


def test_a_mechanism_that_was_given_is_the_one_that_is_universally_optimal():
    assert run(f"{TWO} geometric:n=1 --json").json["claim"].startswith("The mechanism is universally optimal for the loss abs on path:2")
    assert run("type path:2 --alpha 1/2 --universal abs --json").json["claim"].startswith("A mechanism is universally optimal")
    late = run("type euclid:2x3 --alpha 1/2 --universal zero-one --time-limit 0.001 --json").json
    where = "for the loss zero-one on euclid:2x3 at level α = 1/2 (ε = ln(2) ≈ 0.6931472)"
    assert f"universally optimal {where} is not decided" in str(late["claim"])


def test_where_no_mechanism_is_given_the_one_that_is_judged_is_named():
    for prior, said in (("1/2,0,1/2,0", "is not optimal"), ("uniform", "is optimal")):
        claim = run(f"tight cycle:4 --alpha 1/2 --prior {prior} --json").json["claim"]
        assert claim.startswith(f"The tight-constraints mechanism after the best remap {said} among (α = 1/2)-private mechanisms")


def test_two_files_of_one_name_give_two_sentences(here):
    """Priors of ten inputs are too long for a sentence: the file and its digest tell them apart."""
    claims = []
    for folder, weights in (("a", [91, *[1] * 9]), ("b", [*[1] * 9, 91])):
        (here / folder).mkdir()
        content = ",".join(f"{w}/100" for w in weights) + "\n"
        (here / folder / "prior.csv").write_text(content, encoding="utf-8")
        claim = run(f"optimal --graph path:10 --alpha 1/2 --loss squared --prior {folder}/prior.csv --json").json["claim"]
        assert f"prior prior.csv (sha256 {sha256(content.encode()).hexdigest()[:8]}…)" in claim
        heading = run(f"audit geometric:n=9,alpha=1/2 --for 'squared prior={folder}/prior.csv'").out
        claims += [claim.partition(" is ")[0], next(line for line in heading.splitlines() if line.startswith("For "))]
    assert len(set(claims)) == 4


def test_whatever_is_read_is_named_with_its_digest(here):
    files = {"m.csv": "1/2,1/2\n1/4,3/4\n", "l.csv": "0,1\n2,0\n", "g.edges": "0 1\n", "d.csv": "0,1/2\n1/2,0\n", "p.csv": "1/4,3/4\n"}
    named = {}
    for name, content in files.items():
        (here / name).write_text(content, encoding="utf-8")
        named[name] = f"{name} (sha256 {sha256(content.encode()).hexdigest()[:8]}…)"
    assert f"of the mechanism of {named['m.csv']} on" in run("privacy m.csv --graph path --json").json["claim"]
    assert f"on {named['g.edges']}" in run("privacy m.csv --graph g.edges --by-position --json").json["claim"]
    assert f"on {named['d.csv']}" in run("privacy m.csv --metric d.csv --json").json["claim"]
    assert f"loss {named['l.csv']}" in run("optimal m.csv --graph path --alpha 1/2 --loss l.csv --json").json["claim"]
    assert f"gain {named['l.csv']}" in run("optimal --graph path:2 --alpha 1/2 --gain l.csv --json").json["claim"]
    assert f"of {named['p.csv']}" in run("optimal --graph path:2 --alpha 1/2 --loss abs --prior p.csv --json").json["claim"]
    assert run("audit m.csv --graph path --json").json["claim"].startswith(named["m.csv"])


def test_composed_releases_are_said_to_be_independent():
    """Five releases on one shared sample would have another level; the scope says what is assumed."""
    for command in (f"compose {STRONG} {WEAK}", f"compose --parallel {STRONG} {WEAK}"):
        answer = run(f"{command} --json").json
        assert " 2 independent " in answer["claim"]
        assert "are independent" in answer["scope"]
    assert "independent" not in run(f"compose {STRONG} --json").json["scope"]


LONG = "80056659012356091728868191054282742160606174358315934763545015633322953615877091"


def test_of_a_long_fraction_both_parts_are_shortened_and_the_decimal_is_first(here):
    """It read as the logarithm of an integer: the "/" was lost."""
    (here / "long.csv").write_text(f"1/3,2/3\n1/{LONG},{int(LONG) - 1}/{LONG}\n", encoding="utf-8")
    done = run("privacy long.csv --graph path")
    assert done.first.startswith(f"PROVED  smallest ε ≈ {math.log(int(LONG) / 3):.4f} (exact: {len(LONG) + 1} digits) (α ≈ 3.")
    assert f"{math.log(int(LONG) / 3):.4f} (ln({LONG[:12]}…{LONG[-12:]}[{len(LONG)} digits]/3))\n" in done.out
    (here / "ratio.csv").write_text(f"7/{LONG},{int(LONG) - 7}/{LONG}\n1/3,2/3\n", encoding="utf-8")
    assert f"ln({LONG[:12]}…{LONG[-12:]}[{len(LONG)} digits]/21)" in run("privacy ratio.csv --graph path").out
    digest = sha256((here / "ratio.csv").read_bytes()).hexdigest()[:8]
    assert "…" not in run("privacy ratio.csv --graph path --full").out.replace(f"{digest}…", "")
    assert LONG in run("privacy ratio.csv --graph path --json").json["claim"]


@pytest.mark.parametrize(
    "question",
    [
        "privacy geometric:n=20,alpha=1/3",
        "audit geometric:n=20,alpha=1/3 --claims-epsilon 1",
        "audit geometric:n=20,alpha=1/3 --claims-epsilon 1/2 --claims-delta 1/100",
        "show geometric:n=20,alpha=1/3",
        "optimal geometric:n=20,alpha=1/3 --alpha 1/4 --loss abs",
        "remap geometric:n=20,alpha=1/3 --loss abs",
        "delta geometric:n=20,alpha=1/3 --epsilon 1/2",
        "type path:7 --alpha 1/2 --vertices",
        "type path:4 --alpha 1/2 --kernels",
        "tight path:20 --alpha 1/2",
    ],
)
def test_full_leaves_nothing_out(question):
    assert "…" not in run(f"{question} --full").out
