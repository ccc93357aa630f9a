# SPDX-License-Identifier: MIT
"""``--letters`` on the command line: what is read with it, what is said of it, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import run
from places import in_folder

BOX = "0 < p < 1/2, 0 < q < 1/2"


here = in_folder(
    {
        "m.csv": "1-p,p\nq,1-q\n",
        "flip.csv": "1-p,p\np,1-p\n",
        "m.tex": "\\begin{pmatrix} 1-p & p \\\\ q & 1-q \\end{pmatrix}\n",
        "m.json": json.dumps({"letters": {"p": "(0, 1/2)", "q": "(0, 1/2)"}, "rows": [["1-p", "p"], ["q", "1-q"]]}),
        "flip.json": json.dumps({"letters": {"p": "(0, 1/2)"}, "rows": [["1-p", "p"], ["p", "1-p"]]}),
        "pole.csv": "1-1/(3*p-1),1/(3*p-1)\n0,1\n",
        "negative.csv": "1-3*p,3*p\n0,1\n",
        "sum.csv": "1-p,2*p\n0,1\n",
        "n.csv": "1-a^(n-1),a^(n-1)\na^(n-1),1-a^(n-1)\n",
        "number.csv": "1/2,1/2\n1/3,2/3\n",
        "zero.csv": "1,0\np,1-p\n",
        "loss.csv": "0,c\n1,0\n",
    },
    autouse=True,
)


def test_the_answer_says_what_is_assumed():
    done = run("privacy flip.csv --graph path --letters '0 < p < 1/2' --alpha 'p/(1-p)'")
    assert done.code == 0, done
    assert "PROVED" in done.out
    assert "0 < p < 1/2" in done.out
    found = run("privacy flip.csv --graph path --letters '0 < p < 1/2' --alpha 'p/(1-p)' --json").json
    assert "letters: 0 < p < 1/2" in found["notes"]
    assert "flip.json: its letters: 0 < p < 1/2" in run("privacy flip.json --graph path --json").json["notes"]


def test_options_may_be_repeated_and_ordered_at_will():
    one = run(f"show m.csv --letters '{BOX}'")
    assert one.code == 0
    assert one.out == run("show m.csv --letters 'p in (0, 1/2)' --letters 'q in (0, 1/2)'").out
    assert one.out.partition("\n")[2] == run(f"show m.tex --letters '{BOX}'").out.partition("\n")[2]
    assert one.out.partition("\n")[2] == run("show m.json").out.partition("\n")[2]


WORDS = [
    ("privacy randomized-response:n=1,keep=1-p --letters '0 < p < 1/2'", "tightest level"),
    ("privacy geometric:n=2 --alpha p --letters '0 < p < 1'", "private at α = p at every point of the letters"),
    ("privacy geometric:n=2,alpha=p --letters '0 < p < 1'", "tightest level"),
    ("privacy number.csv --graph path --alpha p --letters '0 < p < 1/2'", "private at α = p"),
    ("convert n.csv --letters 'n = 3' --to csv", "a^2"),
    ("determinant --matrix n.csv --letters 'n = 3'", "1 - 2*a^2"),
    ("determinant --matrix geometric:n=3 --formula '(1-a)^(2*n-1)/(1+a)' --letters 'n = 3'", "PROVED"),
    ("determinant --matrix geometric:n=3 --formula '(1-a)^(2*n)/(1+a)' --letters 'n = 3'", "REFUTED"),
    ("optimal --graph path:3 --alpha symbolic --loss abs --claimed-value '2*a^n/(1+2*a-a^2)' --letters 'n = 1'", "PROVED"),
    ("optimal --graph path:3 --alpha symbolic --loss abs --claimed-value '2*a^n/(1+2*a-a^2)' --letters 'n = 2'", "REFUTED"),
]


@pytest.mark.parametrize(("command", "words"), WORDS, ids=[command for command, _ in WORDS])
def test_letters_in_words_levels_files_and_formulas(command, words):
    done = run(command)
    assert done.code in {0, 1}, done
    assert words in done.out + done.err


REFUSED = [
    ("privacy m.csv --graph path", ["row 0, column 0", "if p is a letter", "--letters '0 < p < 1'"]),
    ("privacy m.csv --graph path --letters '0 < p < 1/2'", ["m.csv", "row 1, column 0", "letter q", "--letters '0 < q < 1'"]),
    ("privacy m.csv --graph path --alpha symbolic", ["m.csv", "row 0, column 0", "letter p", "--letters '0 < p < 1'"]),
    (f"privacy m.csv --graph path --letters '{BOX}' --alpha r", ["--alpha", "'r' has the letter r", "--letters '0 < r < 1'"]),
    ("privacy m.csv --graph path --letters '0 < p < 1, p > 2'", ["--letters", "no p satisfies 0 < p < 1, p > 2", "contradict"]),
    ("privacy m.csv --graph path --letters 'p in (1, 0)'", ["--letters", "reversed"]),
    ("privacy m.csv --graph path --letters 'p'", ["--letters", "nothing is assumed about p"]),
    ("privacy m.csv --graph path --letters ''", ["--letters", "has no assumption"]),
    ("privacy m.csv --graph path --letters '0 < p < sqrt(2)'", ["--letters", "irrational"]),
    ("privacy m.csv --graph path --letters '0 < e < 1'", ["--letters", "'e' can't be a letter"]),
    ("privacy pole.csv --graph path --letters '0 < p < 1/2'", ["pole.csv", "row 0, column 0", "is not defined", "p = 1/3"]),
    ("derive negative.csv --source number.csv --letters '0 < p < 1/2'", ["negative.csv", "row 0, column 0", "negative at p = "]),
    ("derive sum.csv --source number.csv --letters '0 < p < 1/2'", ["sum.csv", "row 0 sums to p + 1, not 1"]),
    ("privacy geometric:n=2 --alpha '3*p' --letters '0 < p < 1'", ["--alpha", "not between 0 and 1 for all 0 < p < 1: at p = "]),
    ("privacy randomized-response:n=1,keep=3*p --letters '0 < p < 1'", ["not a probability", "above 1 at p = "]),
    ("privacy number.csv --graph path --letters '0 < p < 1'", ["--letters has no effect"]),
    ("privacy number.csv --graph path --letters 'n = 3'", ["--letters has no effect"]),
    ("privacy geometric:n=2,alpha=1/2 --letters '0 < p < 1'", ["--letters has no effect"]),
    ("privacy m.json --graph path --letters 'p > 2'", ["m.json", "contradict"]),
    ("determinant --matrix geometric:n=2 --formula '1-p'", ["the name 'p' is unknown", "--letters says what other letters may be"]),
    ("convert n.csv --to csv", ["n.csv", "n in an exponent", "--letters 'n = 3'"]),
]


@pytest.mark.parametrize(("command", "words"), REFUSED, ids=[command for command, _ in REFUSED])
def test_bad_input_is_told_in_one_sentence(command, words):
    done = run(command)
    assert done.code in {2, 3}, done
    assert done.out == ""
    for word in words:
        assert word in done.err, (word, done.err)
    assert len(done.err.splitlines()) <= 4


def test_conversions_keep_what_is_assumed():
    done = run(f"convert m.csv --letters '{BOX}, p + q < 3/4' --to json -o out.json")
    assert done.code == 0
    written = Path("out.json").read_text(encoding="utf-8")
    assert json.loads(written)["letters"] == {"p": "0 < p < 1/2", "q": "0 < q < 1/2"}
    back = run("convert out.json --to csv -o back.csv")
    assert "read the file with --letters '0 < p < 1/2, 0 < q < 1/2, p + q < 3/4'" in back.err
    letters = back.err.split("--letters ")[1].strip()
    assert run(f"convert back.csv --letters {letters} --to json").out == written
    again = run(f"convert back.csv --letters {letters} --to npy -o back.npy")
    assert again.code == 0
    assert run(f"convert back.npy --letters {letters} --to json").out == written
    source = run("convert out.json --to sympy").out
    assert "# for 0 < p < 1/2, 0 < q < 1/2, p + q < 3/4" in source


def test_the_level_is_one_of_the_letters():
    rows = run("convert geometric:n=1 --alpha symbolic --to csv").out
    with_letter = run("convert geometric:n=1 --alpha symbolic --letters '0 < a < 1/2' --to json").json
    assert with_letter["letters"] == {"a": "0 < a < 1/2"}
    assert [",".join(row) for row in with_letter["rows"]] == rows.splitlines()
    both = run("convert geometric:n=1,alpha=a*p --alpha symbolic --letters '0 < p < 1, 0 < a < 1' --to json")
    assert both.code in {0, 2}


def test_a_certificate_shows_its_letters():
    assert run("privacy flip.csv --graph path --letters '0 < p < 1/2' --alpha 'p/(1-p)' -o c.json").code == 0
    shown = run("show c.json")
    assert shown.code == 0
    assert "every point with p > 0, -2*p + 1 > 0" in shown.out
    assert "> 0, in 1 step" in shown.out
    table = json.loads(run("convert c.json --to json").out)
    assert table["letters"] == {"p": "p > 0"}
    assert run("verify c.json").code == 0


# --- Every question, with letters ---

ONE, TWO = "--letters '0 < p < 1/2'", "--letters '0 < p < 1/2, 0 < q < 1/2'"
WEIGHTED = "--letters '0 < p < 1/2, 0 < w < 1'"

ASKED = [
    f"privacy m.csv --graph path {TWO}",
    f"privacy m.csv --graph path {TWO} --alpha symbolic",
    f"privacy flip.csv --graph path {ONE} --epsilon 1",
    f"privacy flip.csv --graph path {ONE} --rounding 1e-3",
    f"privacy sum.csv --graph path {ONE}",
    f"privacy sum.csv --graph path {ONE} --renormalise",
    f"privacy negative.csv --graph path {ONE}",
    f"derive m.csv --source flip.csv {TWO}",
    f"refine m.csv flip.csv {TWO}",
    f"refine m.csv flip.csv number.csv {TWO}",
    f"refine m.csv flip.csv --order {TWO}",
    f"remap m.csv --loss abs {TWO}",
    f"remap flip.csv --loss abs --unique {ONE}",
    f"remap flip.csv --loss abs --remap number.csv {ONE}",
    f"compose m.csv flip.csv --graph path {TWO}",
    f"compose --collection m.csv flip.csv {TWO}",
    f"compose flip.csv flip.csv --graph path {ONE}",
    f"delta m.csv --graph path --epsilon 1 {TWO}",
    f"delta flip.csv --graph path --alpha p {ONE}",
    f"delta flip.csv --graph path --delta 1/10 {ONE}",
    f"optimal m.csv --graph path --alpha 1/4 --loss abs {TWO}",
    f"optimal m.csv --graph path --alpha p --loss abs --after-remap {TWO}",
    f"optimal --graph path:2 --alpha p --loss abs {ONE}",
    "optimal --graph path:2 --alpha p --loss loss.csv --prior w,1-w --letters '0 < p < 1/2, 0 < w < 1, c > 0'",
    f"optimal flip.csv --graph path --alpha symbolic --loss abs {ONE}",
    f"determinant --matrix m.csv {TWO}",
    f"determinant --matrix m.csv --formula 1-p*q {TWO}",
    f"determinant --matrix m.csv --column 0 {TWO}",
    f"tight path:3 --alpha p {ONE}",
    f"tight path:3 --alpha p --unique {ONE}",
    f"tight path:2 --alpha p --mechanism flip.csv {ONE}",
    f"tight path:2 --alpha p --prior w,1-w {WEIGHTED}",
    f"regular path:2 --alpha p --prior w,1-w {WEIGHTED}",
    f"regular path:3 --alpha p --prior corner:0 {ONE}",
    f"audit m.csv --graph path {TWO}",
    f"audit flip.csv --graph path --claims-epsilon 1 --for abs {ONE}",
    f"audit negative.csv --graph path {ONE}",
    f"type path:2 --alpha p --vertices {ONE}",
    f"type path:2 --alpha p --kernels {ONE}",
    f"type path:2 --alpha p --mixture --mechanism flip.csv {ONE}",
    f"type path:3 --alpha p --universal zero-one {ONE}",
    f"type cycle:4 --alpha p --universal zero-one {ONE}",
    f"show m.csv --latex {TWO}",
    f"show m.csv --html {TWO}",
]


@pytest.mark.parametrize("command", ["delta {} --alpha 1/2", "delta {} --alpha 1/2 --delta 1/10", "remap {} --loss abs --prior uniform"])
def test_answers_that_differ_over_the_region_are_undecided(command):
    """Where there is no one formula, and no verdict that lists parts."""
    asked = f"{command.format('geometric:n=2,alpha=b')} --letters 0<b<1"
    done = run(asked)
    assert (done.code, done.out, done.err.partition("  ")[0]) == (4, "", "UNDECIDED")
    assert "has not the same sign for all 0 < b < 1: it is positive at b = " in done.err
    assert {key: run(f"{asked} --json").json[key] for key in ("verdict", "exit_code")} == {"verdict": "undecided", "exit_code": 4}
    composed = run("compose geometric:n=1,alpha=b randomized-response:n=1,keep=c --letters '0<b<1,0<c<1'")
    assert (composed.code, composed.err.partition("  ")[0]) == (4, "UNDECIDED")
    assert "c/(-c + 1) exactly where 2*c <= 1; (-c + 1)/c exactly where 2*c >= 1; ask on one of the parts" in composed.err


@pytest.mark.mostly_slow(8)
@pytest.mark.parametrize("command", ASKED)
def test_every_question_is_answered_or_refused(command):
    """An answer says the region; whether it is one or not, a sentence says why, and there is no defect."""
    done = run(command)
    assert done.code in {0, 1, 2, 3, 4}, done
    if command.startswith("show"):
        assert done.code == 0
        return
    if done.code in {2, 3}:
        assert done.err.startswith(("Error: ", "Usage: "))
        return
    if done.out == "":  # no formula for all of the region, and no verdict with parts
        assert done.code == 4
        assert done.err.startswith("UNDECIDED  ")
    assert "0 < p < 1/2" in (done.out or done.err)
    answer = run(f"{command} --json -o c.json")
    assert answer.code in {done.code, 3, 4}
    if answer.json["certificate"]:
        shown = run("verify c.json")
        assert shown.code == 0, shown
        assert "Scope: " in shown.out


@pytest.mark.parametrize("how", ["--graph path", "--graph path --parallel", "--collection"])
def test_a_release_of_level_0_is_composed(how):
    done = run(f"compose zero.csv number.csv {how} --letters '0 < p < 1/2' --json")
    assert (done.code, done.json["level"]["alpha"]) == (0, "0")
