"""Levels on the command line: ε first for those who speak ε, and several levels in one option."""

from __future__ import annotations

import json
import math
import re

import pytest
from cli_runner import run

from exactdp import Rational
from exactdp.errors import InputError


def test_the_logarithm_of_3_is_the_level_one_third():
    done = run("privacy geometric:n=3,alpha=1/3 --epsilon ln(3)")
    assert done.code == 0
    assert "is (ε = ln(3))-private" in done.sentence
    assert "its tightest level is ε = ln(3) ≈ 1.098612 (α = 1/3)" in done.sentence
    assert done.first == "PROVED  smallest ε = ln(3) ≈ 1.098612, so private at ε = ln(3) ≈ 1.098612"
    answer = run("privacy geometric:n=3 --epsilon ln(3) --json").json
    assert answer["level_asked"] == answer["level"]
    assert answer["level"]["alpha"] == "1/3"
    low, high = (Rational(answer["level"]["epsilon"][end]) for end in ("lower", "upper"))
    assert high - low == Rational(1, 10**20)
    assert float(low) <= math.log(3) <= float(high)


@pytest.mark.parametrize(
    ("level", "first", "beside"),
    [
        ("--alpha 1/4", "tightest level α = 1/4 (ε = ln(4) ≈ 1.386294), so private at α = 1/4", "  its ε         ln(4) ≈ 1.386294"),
        ("--epsilon ln(4)", "smallest ε = ln(4) ≈ 1.386294, so private at ε = ln(4) ≈ 1.386294", "  its α         1/4"),
    ],
)
def test_the_language_is_that_of_the_question(level, first, beside):
    done = run(f"privacy geometric:n=3,alpha=1/4 {level}")
    assert done.code == 0
    assert done.first == f"PROVED  {first}"
    assert beside in done.out


@pytest.mark.parametrize(
    "command",
    [
        "privacy geometric:n=2 --epsilon 1/2",
        "optimal geometric:n=2 --epsilon 1/2 --loss abs",
        "remap geometric:n=2 --epsilon 1/2 --loss abs",
        "tight cycle:5 --epsilon 1/2",
        "release --n 2 --epsilon 1,1/2",
        "audit geometric:n=2,alpha=1/4 --claims-epsilon 1/2",
        "derive geometric:n=2,epsilon=1/2 --source geometric:n=2,epsilon=1",
    ],
)
def test_t_is_explained_wherever_it_is_printed(command):
    done = run(command)
    assert "t = e^(−1/2)" in done.out
    assert "exp(-" not in done.out


def test_t_is_explained_when_a_certificate_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("privacy geometric:n=2 --epsilon 1/2 -o c.edp.json").code == 0
    assert any(line.split() == ["t", "e^(−1/2)"] for line in run("show c.edp.json").out.splitlines())


def test_several_levels_in_one_option():
    by_alpha = run("release --n 2 --alpha 1/3,1/2 --json").json
    by_epsilon = run("release --n 2 --epsilon ln(3),ln(2) --json").json
    assert by_alpha["coalitions"] == by_epsilon["coalitions"]
    assert by_alpha["stages"] == by_epsilon["stages"]
    text = run("release --n 2 --epsilon ln(3),ln(2)").out
    assert "{1}: ε = ln(3) ≈ 1.098612 (α = 1/3)" in text


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        ("release --n 2 --alpha 1/3,1/2 --epsilon 1", 2, "one of --alpha"),
        ("release --n 2", 2, "one of --alpha"),
        ("release --n 2 --levels 1/3,1/2", 2, "--levels"),
        ("release --n 2 --epsilon 1,ln(x)", 3, "--epsilon, number 2"),
        ("release --n 2 --alpha symbolic,1/2", 2, "stands for all levels"),
        ("release --n 2 --epsilon 1/2,1", 3, "ε must decrease"),
        ("privacy geometric:n=2 --epsilon ln(3)/1000", 3, "irrational root"),
        ("privacy geometric:n=2,ε=1,epsilon=2", 3, "epsilon is given twice"),
        ("privacy geometric:n=2 --epsilon symbolic", 2, "--alpha symbolic"),
        ("privacy geometric:n=2 --alpha ln(3)", 3, "epsilon=ln(3)"),
        ("privacy geometric:n=2 --epsilon x", 3, "ln(3)"),
    ],
)
def test_wrong_levels_say_what_to_type(command, code, words):
    done = run(command)
    assert done.code == code
    assert words in done.out + done.err


@pytest.mark.parametrize("word", ["epsilon", "ε", "eps"])
def test_a_word_has_its_level_as_epsilon_too(word):
    assert run(["privacy", f"geometric:n=2,{word}=1", "--json"]).json["level"]["epsilon"] == "1"
    assert run(["privacy", f"geometric:n=2,{word}=1/2 ln 3", "--json"]).json["level"]["epsilon"]["expr"] == "ln(3)/2"
    assert run(["privacy", "geometric:n=2,α=1/3", "--json"]).json["level"]["alpha"] == "1/3"


def test_a_determinant_is_asked_at_an_epsilon_too():
    by_alpha, by_epsilon = (run(f"determinant --matrix geometric:n=3 {level} --json").json for level in ("--alpha 1/3", "--epsilon ln(3)"))
    assert by_alpha["value"] == by_epsilon["value"] == "8/81"
    assert "not rational" in run("determinant --matrix geometric:n=3 --epsilon 1").err
    assert "not both" in run("determinant --matrix geometric:n=3 --epsilon 1 --alpha 1/3").err


@pytest.mark.parametrize(
    ("typed", "kept"), [("ε=1", "epsilon=1"), ("ln 3", "epsilon=ln(3)"), ("eps = 0.5", "epsilon=1/2"), ("α=0.25", "1/4")]
)
def test_a_question_of_a_sweep_takes_every_spelling(typed, kept):
    pytest.importorskip("distributed")
    from exactdp.sweeps.question import Question

    assert Question("tight", "path:3", typed) == Question("tight", "path:3", kept)
    with pytest.raises(InputError, match="no number that certificates have"):
        Question("tight", "path:3", "ln(3)/2")


def test_a_root_is_a_level_of_a_question_and_has_no_text_in_files():
    done = run(["privacy", "geometric:n=3,alpha=1/2", "--epsilon", "ln(3)/2"])
    assert done.code == 1
    assert "ε = ln(3)/2 ≈ 0.5493061 (α = (1/3)^(1/2))" in done.out
    assert "level asked     ε = ln(3)/2 ≈ 0.5493061\n  its α         (1/3)^(1/2)\n" in done.out
    asked = run(["privacy", "geometric:n=3,alpha=1/2", "--epsilon", "ln(3)/2", "--json"]).json["level_asked"]
    assert (asked["alpha"]["ratio"], asked["alpha"]["distance"], asked["epsilon"]["expr"]) == ("1/3", "2", "ln(3)/2")
    assert run(["privacy", "geometric:n=3,alpha=3/5", "--epsilon", "ln(3)/2"]).code == 0  # (3/5)² = 9/25 ≥ 1/3
    assert run(["privacy", "geometric:n=3,alpha=4/7", "--epsilon", "ln(3)/2"]).code == 1  # (4/7)² = 16/49 < 1/3
    for form in ("csv", "json", "npy", "sympy"):
        refused = run(["convert", "geometric:n=2,epsilon=ln(3)/2", "--to", form])
        assert refused.code == 3
        assert "convert to latex" in refused.err


def test_a_claim_may_be_a_logarithm():
    assert run("audit geometric:n=3,alpha=1/3 --claims-epsilon ln(3)").code == 0
    assert run("audit geometric:n=3,alpha=1/4 --claims-epsilon ln(3)").code == 1


def test_a_claim_that_rounds_like_the_level_does_not_print_like_it():
    done = run("audit geometric:n=3,alpha=1/3 --claims-epsilon 1.098612")
    assert done.code == 1
    assert "ε = ln(3) ≈ 1.0986123" in done.out
    assert "claim ε = ln(3) instead" in done.out


def test_the_two_levels_of_a_threshold_are_told_apart():
    for digits in (6, 15):
        done = run(f"tight counts:u=2,k=2 --threshold {digits}")
        line = done.out.splitlines()[0]
        low, high = re.findall(r"0\.[0-9]+", line)
        assert Rational(high) - Rational(low) == Rational(1, 10**digits)
        assert len(low) == len(high) == digits + 2
        assert done.out.count(low) == done.out.count(high) == 2, "in the first line and below it"


def test_an_audit_speaks_of_consumers_as_its_claim_does():
    assert "among (ε = ln(3))-private mechanisms (α = 1/3)" in run("audit geometric:n=2,alpha=1/3 --claims-epsilon ln(3) --for abs").out
    assert "among (α = 1/3)-private mechanisms (ε = ln(3)" in run("audit geometric:n=2,alpha=1/3 --claims-alpha 1/3 --for abs").out


@pytest.mark.parametrize("question", ["remap", "optimal --graph path --after-remap"])
def test_a_table_that_is_geometric_at_some_levels_has_one_definition_for_all(tmp_path, question):
    """It is G(1, a/(1 − a)) for a < 1/2, and was defined as that on the pieces that lie there."""
    command, *options = question.split()
    table, file = tmp_path / "table.csv", tmp_path / "c.edp.json"
    table.write_text("1-a,a\na,1-a\n", encoding="utf-8")
    run([command, str(table), *options, "--alpha", "symbolic", "--loss", "zero-one", "--prior", "1/3,2/3", "-o", str(file)])
    assert json.loads(file.read_text(encoding="utf-8"))["definitions"]["M"]["type"] == "mechanism"
    assert run(["verify", str(file)]).code == 0


QUESTIONS_WITH_A_LEVEL = [
    "privacy geometric:n=2,alpha=1/3 --alpha {}",
    "privacy identity:n=2 --graph path --alpha {}",
    "optimal geometric:n=2,alpha=1/3 --alpha {} --loss abs",
    "optimal geometric:n=2,alpha=1/3 --alpha {} --loss abs --after-remap",
    "optimal --graph path:3 --alpha {} --loss abs --unique",
    "type path:3 --alpha {} --universal zero-one",
    "type cycle:4 --alpha {} --capacity additive",
    "type path:3 --alpha {} --kernels",
    "tight star:4 --alpha {}",
    "tight cycle:4 --alpha {} --prior uniform",
    "delta geometric:n=2,alpha=1/2 --alpha {}",
    "audit geometric:n=2,alpha=1/3 --claims-alpha {} --for abs",
    "audit geometric:n=2,alpha=1/3 --claims-alpha {} --claims-delta 1/100",
]


@pytest.mark.parametrize("question", QUESTIONS_WITH_A_LEVEL)
def test_no_bare_number_is_said_for_a_level(question, tmp_path):
    """Whoever speaks ε takes "1/4-private" for ε = 1/4: both notations stand there, each by its name."""
    done = run(f"{question.format('1/4')} --json")
    assert done.code in (0, 1), done.err
    claim = done.json["claim"]
    assert "α = 1/4" in claim
    assert "ε = ln(4) ≈ 1.386294" in claim
    assert not re.search(r"\d-private|level \d|is \d\S* \(ε", claim)
    by_epsilon = run(f"{question.format('ln(4)').replace('alpha ln', 'epsilon ln')} --json").json["claim"]
    assert "ε = ln(4)" in by_epsilon
    assert "audit" in question or "α = 1/4" in by_epsilon


@pytest.mark.parametrize("question", ["privacy geometric:n=2,alpha=1/3 --alpha 1/4", "optimal --graph path:3 --alpha 1/4 --loss abs"])
def test_the_checker_says_that_the_number_is_alpha(question, tmp_path):
    file = tmp_path / "c.edp.json"
    assert run(f"{question} -o {file}").code == 0
    assert "(α = 1/4)-private" in run(f"verify {file}").out


def test_the_first_line_of_a_root_is_in_the_notation_that_was_asked():
    asked = run(["privacy", "geometric:n=3,alpha=1/2", "--epsilon", "ln(3)/2"]).out.splitlines()[0]
    assert "not private at ε = ln(3)/2 ≈ 0.5493061" in asked
    asked = run(["privacy", "geometric:n=3,alpha=1/2", "--alpha", "(1/3)^(1/2)"]).out.splitlines()[0]
    assert "not private at α = (1/3)^(1/2)" in asked
    found = run(["optimal", "geometric:n=2", "--epsilon", "ln(3)/2", "--loss", "abs", "--after-remap"]).out.splitlines()[0]
    assert f"≈ {1.5 - 1.5 / math.sqrt(3):.6f}" in found  # (3 − √3)/2
    for words in ("privacy geometric:n=3,epsilon=ln(3)/2", "audit geometric:n=2,epsilon=ln(3)/2 --claims-epsilon ln(3)/2 --for abs"):
        done = run(words)
        assert done.code == 0
        assert "0.5493061" in done.out.splitlines()[0]
