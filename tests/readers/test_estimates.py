# SPDX-License-Identifier: MIT
"""Estimates with what is known of them behind them are read as they are printed, and every answer says so."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from cli_runner import run
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.errors import InputError
from exactdp.readers.tables import read_grid, read_prior, read_table

PLAIN = xdp.Table([["0.75", "0.25"], ["0.25", "0.75"]])
ASIDE = re.compile(r"4 numbers (in brackets|behind ±), first (.*) on (?:line|row) \d, are left aside .* judged as they are printed")

FORMS = {
    "standard errors": "0.75 (0.01),0.25 (0.01)\n0.25 (0.01),0.75 (0.01)\n",
    "of the last digit": "0.75(1)\t0.25(1)\n0.25(1)\t0.75(1)\n",
    "between blanks": "0.75 (0.01)  0.25 (0.01)\n0.25 (0.01)  0.75 (0.01)\n",
    "numbers of cases": "75% (300),25% (100)\n25% (100),75% (300)\n",
    "n =": "0.75 (n = 300);0.25 (n=100)\n0.25 (n = 100);0.75 (N=300)\n",
    "intervals with commas": "0.75 (0.70, 0.80),0.25 (0.20, 0.30)\n0.25 (0.20, 0.30),0.75 (0.70, 0.80)\n",
    "quoted intervals": '"0.75 (0.70, 0.80)","0.25 (0.20, 0.30)"\n"0.25 (0.20, 0.30)","0.75 (0.70, 0.80)"\n',
    "square brackets": "0.75 [0.70; 0.80]\t0.25 [95% CI: 0.20-0.30]\n0.25 [0.20 to 0.30]\t0.75 [0.70–0.80]\n",
    "decimal commas": "0,75 (0,01);0,25 (0,01)\n0,25 (0,01);0,75 (0,01)\n",
    "±": "0.75 ± 0.01;0.25 ± 0.01\n0.25 +/- 0.01;0.75±0.01\n",
    "JSON": '[["0.75 (0.01)", "0.25 (0.01)"], ["0.25 (0.01)", "0.75 (0.01)"]]',
    "records": '[{"0": "0.75 (0.01)", "1": "0.25 (0.01)"}, {"0": "0.25 (0.01)", "1": "0.75 (0.01)"}]',
    "R": '     [,1]          [,2]         \n[1,] "0.75 (0.01)" "0.25 (0.01)"\n[2,] "0.25 (0.01)" "0.75 (0.01)"\n',
    "tabular": "\\begin{tabular}{rr}\n0.75 (0.01) & 0.25 (0.01) \\\\\n0.25 (0.01) & 0.75 (0.01)\n\\end{tabular}\n",
    "pm": "\\begin{bmatrix}\n0.75 \\pm 0.01 & 0.25 \\pm 0.01 \\\\\n0.25 \\pm 0.01 & 0.75 \\pm 0.01\n\\end{bmatrix}\n",
}


@pytest.mark.parametrize("name", FORMS)
def test_the_estimates_alone_are_read_and_a_note_says_so(name):
    table = read_table(FORMS[name])
    assert table.matrix == PLAIN.matrix
    assert ASIDE.fullmatch(table.notes[-1])


def test_a_sheet_of_excel():
    openpyxl = pytest.importorskip("openpyxl")
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (["0.75 (0.01)", "0.25 (0.01)"], ["0.25 (0.01)", "0.75 (0.01)"]):
        book.active.append(row)
    book.save(file)
    table = read_table(file.getvalue())
    assert table.matrix == PLAIN.matrix
    assert ASIDE.fullmatch(table.notes[-1])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(0.75),(0.25)\n", r"'\(0.75\)' is a number in brackets, which may be negative"),
        ("0.75,0.25\n(0.01),(0.01)\n", "standard error of another one"),
        ('[["(0.75)", "0.25"]]', "is a number in brackets"),
        ("0.75 ((0.01)),0.25\n", "not an exact number"),
        ("0.75 (-0.01),0.25\n", "not an exact number"),
        ("1+-1/2,1/2\n", "not an exact number"),
        ("0.75 (a),0.25\n", "not an exact number"),
        ("0.75*,0.25\n", r"mark of a note; leave the '\*' out"),
        ("0.75¹,0.25\n", "mark of a note"),
        ("\\begin{bmatrix}\n0.5 (0.5) & 0.75\n\\end{bmatrix}\n", r"may be a product"),
    ],
)
def test_what_may_mean_something_else_is_refused(text, said):
    with pytest.raises(InputError, match=said):
        read_table(text)


def test_labels_keep_their_brackets_and_formulas_their_meaning():
    assert read_grid('"age 1 (2)",b\n0.5,0.5').outputs == ["age 1 (2)", "b"]
    assert read_grid('"",no,yes\n"group 1 (5)",0.5,0.5\n"group 2 (7)",0.25,0.75').inputs == ["group 1 (5)", "group 2 (7)"]
    assert read_grid("exp(-1),1-exp(-1)").rows == [["exp(-1)", "1-exp(-1)"]]
    assert read_grid("(1-a)/2,(1+a)/2").aside == ""
    assert read_table("(0, 0)\t(0, 1)\n0.5\t0.5\n0.25\t0.75").outputs == ("0,0", "0,1")


@given(st.lists(st.integers(0, 99), min_size=2, max_size=5), st.sampled_from([",", ";", "\t"]), st.data())
def test_the_printed_digits_are_those_of_the_estimate(numbers, separator, data):
    """Whatever stands behind it: one digit more or less there changes no interval."""
    behind = data.draw(st.lists(st.sampled_from([" (0.00001)", " (7)", "(3)", " ± 0.2", " [0.1; 0.9]", ""]), min_size=5, max_size=5))
    cells = [f"0.{x:02}" for x in numbers]
    read = read_grid(separator.join(cell + more for cell, more in zip(cells, behind, strict=False)))
    assert read.rows == [cells]
    assert (read.aside == "") == (not any(behind[: len(cells)]))


QUESTIONS = {
    "is_private": lambda given: xdp.is_private(given, "path", "1/4"),
    "tightest_level": lambda given: xdp.tightest_level(given, "path"),
    "audit": lambda given: xdp.audit(given, "path"),
    "audit compared": lambda given: xdp.audit(PLAIN, "path", compare=given),
    "least_delta": lambda given: xdp.least_delta(given, "path", "1/2"),
    "is_stochastic": xdp.privacy.is_stochastic,
    "mechanism_loss": lambda given: xdp.letters.mechanism_loss(given, xdp.MinimaxConsumer("abs")),
    "best_remap": lambda given: xdp.best_remap(given, xdp.MinimaxConsumer("abs")),
    "is_derivable": lambda given: xdp.is_derivable(given, source=PLAIN),
    "its source": lambda given: xdp.is_derivable(PLAIN, source=given),
    "is_refined_by": lambda given: xdp.is_refined_by(PLAIN, given),
    "sequential_level": lambda given: xdp.composition.sequential_level([PLAIN, given], "path"),
    "capacity": xdp.leakage.capacity,
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_says_it_of_a_file_and_of_a_table(tmp_path, name):
    file = tmp_path / "estimates.csv"
    file.write_text(FORMS["standard errors"])
    for thing in (file, read_table(file), xdp.load(file)):
        told = QUESTIONS[name](thing)
        assert " ".join(str(told).split()).count("are left aside") == 1, told
    assert "left aside" not in str(QUESTIONS[name](PLAIN))


@pytest.mark.parametrize("name", ["is_private", "audit", "least_delta", "mechanism_loss"])
def test_printed_tables_say_it(name):
    told = QUESTIONS[name](read_table(FORMS["standard errors"], digits="auto"))
    assert "are left aside" in " ".join(str(told).split())
    plain = QUESTIONS[name](read_table("0.75,0.25\n0.25,0.75\n", digits="auto"))
    assert "left aside" not in str(plain)
    assert str(plain).splitlines()[0] == str(told).splitlines()[0]


def test_an_answer_that_has_no_place_to_say_it_is_refused(tmp_path):
    file = tmp_path / "estimates.csv"
    file.write_text(FORMS["standard errors"])
    with pytest.raises(InputError, match=r"are left aside .* give it read_table"):
        xdp.leakage.posteriors(file, "uniform")
    assert xdp.leakage.posteriors(read_table(file), "uniform")


def test_losses_priors_remaps_and_matrices_are_exact_numbers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("e.csv").write_text(FORMS["standard errors"])
    Path("t.csv").write_text("0.75,0.25\n0.25,0.75\n")
    for refused in (
        lambda: read_prior("0.75 (0.01),0.25 (0.01)"),
        lambda: xdp.tables.matrix(FORMS["standard errors"]),
        lambda: xdp.optimality.is_best_remap("t.csv", xdp.MinimaxConsumer("zero-one"), "e.csv"),
    ):
        with pytest.raises(InputError, match="left aside in tables of mechanisms only"):
            refused()
    for command in (
        "optimal t.csv --graph path --alpha 1/3 --loss e.csv",
        "privacy t.csv --metric e.csv",
        "determinant --matrix e.csv",
        "optimal t.csv --graph path --alpha 1/3 --loss abs --prior e.csv",
    ):
        assert "left aside in tables of mechanisms only" in run(command).err


@pytest.mark.parametrize("digits", ["", " --digits auto", " --digits 2"])
def test_the_commands_say_it_in_the_line_of_assumptions_the_claim_and_page_one(tmp_path, monkeypatch, digits):
    monkeypatch.chdir(tmp_path)
    Path("e.csv").write_text(FORMS["standard errors"])
    said = "with the numbers in brackets left aside"
    answer = run(f"privacy e.csv --graph path --epsilon 2{digits}")
    assert answer.out.startswith("PROVED")
    assert said in answer.about
    told = run(f"privacy e.csv --graph path --epsilon 2{digits} --json").json
    assert said in told["claim"]
    assert any(said in one for one in told["headline"]["assumed"])
    assert any("standard errors, intervals or counts" in note for note in told["notes"])
    audit = run(f"audit e.csv --graph path --claims-epsilon 2{digits} --page p.md --bundle bundle")
    assert said in audit.about
    page = Path("p.md").read_text().replace("\\", "")
    assert f"What was examined: “e.csv {said}”." in page
    assert re.search(rf"I sign that .* “e.csv {said}”", page)
    assert run("verify bundle").code == 0
    manifest = json.loads(Path("bundle/manifest.json").read_text())
    assert said in json.dumps(manifest)


def test_two_tables_and_repaired_ones_say_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("e.csv").write_text(FORMS["standard errors"])
    Path("t.csv").write_text("0.75,0.25\n0.25,0.75\n")
    for command in ("derive e.csv --source t.csv", "refine e.csv t.csv", "audit t.csv --graph path --compare e.csv"):
        assert "left aside" in run(command).out, command
    assert run("audit e.csv --graph path --claims-epsilon 1/2 --repaired r.csv").code == 1
    assert run("privacy r.csv --graph path --epsilon 1/2").code == 0
    shown = run("convert e.csv --to csv")
    assert shown.out == "3/4,1/4\n1/4,3/4\n"
    assert "are left aside" in shown.err
