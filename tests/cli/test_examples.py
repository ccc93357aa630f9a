"""The commands of the design's contract, and every example of every help text, do what is said of them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from cli_runner import example_files, run
from places import ROOT

from exactdp.cli.program import COMMANDS, EXAMPLES, main
from exactdp.readers.foreign import READ


@pytest.fixture
def here(tmp_path, monkeypatch):
    example_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def examples(name):
    return main.get_command(None, name).examples


@pytest.mark.parametrize("name", COMMANDS)
def test_help_explains_itself_and_ends_in_examples(name):
    shown = run([name, "--help"])
    assert shown.code == 0
    assert "Examples:" in shown.out
    assert examples(name)
    for line in examples(name):
        assert line.startswith(f"exactdp {name}")
        assert f"  {line}\n" in shown.out


@pytest.mark.parametrize("name", ["privacy", "audit", "derive", "convert"])
def test_help_names_every_kind_of_file_that_is_read(name):
    """Each word of what refuses foreign files (exactdp/readers/foreign.py), and what R writes."""
    shown = " ".join(run([name, "--help"]).out.split())
    for word in ("CSV", *re.findall(r"JSON|\.\w+", READ), "R (print, dput)", "long form", "LaTeX"):
        assert word in shown


def test_the_list_of_commands():
    shown = run("--help")
    assert shown.code == 0
    for name in COMMANDS:
        assert f"  {name} " in shown.out
    for line in EXAMPLES:
        assert line in shown.out
    assert run("-h").out == shown.out


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in {"demo", "verify", "sweep", "index", "register"}])
def test_the_examples_run(here, name):
    assert run("optimal --graph path:4 --alpha 1/4 --loss abs -o c.json").code == 0
    for line in examples(name):
        words, _, _ = line.partition(" > ")
        done = run(words)
        assert done.code in (0, 1), (line, done)
        assert done.out or " -o " in line, line


def test_the_examples_on_the_first_page_run(here):
    codes = [run(line).code for line in EXAMPLES[:3]]
    assert codes == [0, 0, 0]
    words = [sys.executable, "-m", "exactdp", "verify", "c.json"]
    assert subprocess.run(words, check=False, capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}).returncode == 0


LN_4 = {"expr": "ln(4)", "lower": "1.38629436111989061883", "upper": "1.38629436111989061884"}

CONTRACT = [
    ("exactdp optimal geometric:n=3 --alpha 1/4 --loss abs", 1, {"value": "168/415", "loss": "9/20", "gap": "15/332"}),
    ("exactdp optimal geometric:n=3 --alpha 1/4 --loss abs --after-remap -o c.json", 0, {"gap": "0", "certificate": "c.json"}),
    ("exactdp optimal --graph cycle:5 --alpha 1/2 --loss zero-one", 0, {"value": "3/5"}),
    ("exactdp optimal --graph g.edges --alpha 1/2 --loss loss.csv --by-position --side-information 0,2,5", 0, {"verdict": "proved"}),
    ("exactdp optimal --graph g.edges --alpha 1/2 --loss loss.csv --by-position --prior uniform", 0, {"verdict": "proved"}),
    ("exactdp privacy table.csv --graph path:4 --alpha 1/4", 0, {"level": {"alpha": "1/4", "epsilon": LN_4}, "violated": []}),
    ("exactdp derive geometric:n=3,alpha=1/2 --source geometric:n=3,alpha=1/4", 0, {"verdict": "proved"}),
    ("exactdp derive geometric:n=3,alpha=1/4 --source geometric:n=3,alpha=1/2", 1, {"verdict": "refuted"}),
    ("exactdp refine geometric:n=3,alpha=1/4 geometric:n=3,alpha=1/2", 0, {"verdict": "proved"}),
    ("exactdp remap geometric:n=3,alpha=1/4 --loss abs --remap remap.csv", 1, {"value": "168/415", "gap": "63/73040"}),
    ("exactdp remap geometric:n=3,alpha=1/4 --loss abs", 0, {"value": "168/415", "deterministic": False, "unique": True}),
    ("exactdp release --n 3 --alpha 1/4,1/2,3/4", 0, {"verdict": "proved"}),
]


@pytest.mark.parametrize(("command", "code", "expected"), CONTRACT, ids=[c[0][8:60] for c in CONTRACT])
def test_the_contract(here, command, code, expected):
    done = run(f"{command} --json")
    assert done.code == code
    answer = done.json
    assert answer["verdict"] in {"proved", "refuted", "undecided"}
    assert isinstance(answer["claim"], str)
    assert answer["scope"] == "this instance"
    assert "certificate" in answer
    assert {key: answer[key] for key in expected} == expected
    text = run(command)
    assert text.code == code
    assert text.out.startswith(answer["verdict"].upper())
    assert text.first == f"{answer['verdict'].upper()}  {answer['headline']['text']}"
    full = run(f"{command} --full")
    assert f"claim{answer['claim'].rjust(len(answer['claim']) + max(len(answer['verdict']) - 3, 1))}" in full.out
    assert "this instance" in full.out


def test_json_holds_the_objects_in_the_users_labels(here):
    answer = run("optimal --graph star:4 --alpha 1/2 --loss distance --json").json
    assert answer["mechanism"]["inputs"] == ["0", "1", "2", "3"]
    assert len(answer["mechanism"]["rows"]) == 4
    assert set(answer["dual"]) >= {"rule", "weights"}
    answer = run("optimal --graph hypercube:2 --alpha 1/2 --loss zero-one --json").json
    assert answer["mechanism"]["inputs"] == ["00", "01", "10", "11"]
    answer = run("privacy identity:n=1 --alpha 1/2 --json").json
    assert answer["violated"][0] == {"low": "1", "high": "0", "output": "0", "ratio": "0", "distance": "1"}
    assert answer["level"] == {"alpha": "0", "epsilon": "inf"}
    answer = run("release --n 1 --alpha 1/4,1/2 --json").json
    assert answer["coalitions"][2] == {"members": [1, 2], "level": {"alpha": "1/4", "epsilon": LN_4}}


def test_every_rational_of_json_is_a_string_in_lowest_terms(here):
    answer = run("optimal geometric:n=3 --alpha 1/4 --loss squared --json").json
    for text in [answer["value"], answer["loss"], answer["gap"], *answer["dual"]["weights"], *answer["mechanism"]["rows"][0]]:
        assert str(Fraction(text)) == text


def test_uniqueness_is_the_question_when_asked(here):
    done = run("optimal --graph path:4 --alpha 1/4 --loss abs --unique --json -o u.json")
    assert (done.code, done.json["unique"], done.json["value"]) == (0, True, "168/415")
    assert '"unique"' in (here / "u.json").read_text(encoding="utf-8")
    (here / "tie.csv").write_text("0,0\n0,0\n", encoding="utf-8")
    done = run("optimal --graph path:2 --alpha 1/2 --loss tie.csv --unique --json")
    assert (done.code, done.json["unique"], done.json["verdict"]) == (1, False, "refuted")
    done = run("remap uniform:n=2 --loss zero-one --unique --json")
    assert done.json["unique"] is (done.code == 0)


def test_uniqueness_is_told_beside_an_answer_about_something_given(here):
    asked = "--alpha 1/2 --loss abs --prior 1/2,1/4,1/4"
    given = run(f"optimal geometric:n=2 {asked} --after-remap --json").json
    for question in (f"geometric:n=2 {asked} --after-remap", f"--graph path:3 {asked} --claimed-value 13/24"):
        done = run(f"optimal {question} --unique --json -o told.json")
        assert (done.code, done.json["verdict"], done.json["unique"]) == (0, "proved", False)
        assert "unique" not in (here / "told.json").read_text(encoding="utf-8")
        assert "is not unique" in run(f"optimal {question} --unique").out.split("Is the optimum the only one?")[1]
    assert run(f"optimal geometric:n=2 {asked} --after-remap --unique --json").json["claim"] == given["claim"]


def test_an_order_of_two_is_told_beside_their_refinement(here):
    done = run("refine uniform:n=2 geometric:n=2,alpha=1/2 --order --json")
    assert (done.code, done.json["verdict"]) == (1, "refuted")
    assert done.json["pairs"] == [["geometric:n=2,alpha=1/2", "uniform:n=2"]]
    assert run("refine geometric:n=2,alpha=1/2 uniform:n=2 --order").code == 0


def test_uniqueness_of_a_remap_is_not_asked_unbidden_about_letters(here):
    (here / "l.csv").write_text("1-p,p\np,1-p\n", encoding="utf-8")
    done = run("remap l.csv --loss abs --letters '0<p<1/2' --json")
    assert (done.code, done.json["value"]) == (0, "p")
    assert "unique" not in done.json
    assert "are letters" in run("remap l.csv --loss abs --letters '0<p<1/2' --unique").err


def test_epsilon_end_to_end(here):
    done = run("optimal geometric:n=3 --epsilon 1/10 --loss abs --after-remap --json -o eps.json")
    assert done.code == 0
    assert done.json["value"]["t"] == "exp(-1/10)"
    low, high = done.json["value"]["enclosure"]
    assert low < high
    # the decimals of 2(t³+t²+t)/(1+2t+2t²−t⁴) at t = e^(−1/10), by decimal arithmetic
    with localcontext() as context:
        context.prec = 50
        t = (Decimal(-1) / 10).exp()
        assert Decimal(low) <= 2 * (t**3 + t**2 + t) / (1 + 2 * t + 2 * t**2 - t**4) <= Decimal(high)
    assert run("verify eps.json").code == 0


@pytest.mark.parametrize("epsilon", ["0", "-1", "0.1.1", "one"])
def test_epsilons_that_are_none(epsilon):
    assert run(f"privacy geometric:n=3 --epsilon {epsilon}").code == 3
    assert run("privacy geometric:n=3 --epsilon symbolic").code == 2
    assert run("privacy geometric:n=3 --epsilon 1 --alpha 1/2").code == 2


def test_all_levels_at_once(here):
    done = run("optimal geometric:n=3 --alpha symbolic --loss abs --after-remap --json -o all.json")
    assert done.code == 0
    [piece] = done.json["pieces"]
    assert piece["interval"] == {"lower": "0", "lower_end": "open", "upper": "1", "upper_end": "open"}
    assert piece["value"] == done.json["value"] == "(2*a^3 + 2*a^2 + 2*a)/(-a^4 + 2*a^2 + 2*a + 1)"
    assert run("verify all.json").code == 0
    assert run("optimal geometric:n=3 --alpha symbolic --loss abs").code == 1
    done = run("optimal --graph path:3 --alpha a --loss squared --json")
    assert done.json["pieces"][0]["interval"]["upper"] == "1/3"
    assert done.json["pieces"][1]["interval"]["upper"]["poly"] == ["-1", "0", "3"]
    assert run("optimal --graph path:3 --alpha symbolic --loss abs --unique").code == 2
