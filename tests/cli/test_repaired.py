"""``audit --repaired FILE``, ``convert --to latex``, and a level for a table of formulas."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from cli_runner import run
from places import in_folder

from exactdp.readers.tables import read_table

here = in_folder(
    {
        "coin.csv": "0.9,0.1\n0.1,0.9\n",
        "named.csv": ",no,yes\nnever,0.9,0.1\nonce,0.1,0.9\n",
        "rounded.csv": "0.5,0.49999999999999\n0.5,0.5\n",
        "letter.csv": "1-a,a\na,1-a\n",
        "noted.csv": "# a,b\n0.5,0.5\n0.5,0.5\n",
    },
    autouse=True,
)


@pytest.mark.parametrize("ending", ["csv", "json", "tex"])
def test_the_mixture_is_written_and_is_private(here, ending):
    done = run(f"audit coin.csv --local --claims-alpha 1/4 --repaired r.{ending}")
    assert (done.code, f"was written to r.{ending}" in done.out) == (1, True)
    # the entries x become (1 - w)·x + w/2; numbers with the sum 1 and the ratio 1/4 are 1/5 and 4/5
    weight = Fraction(1, 4)
    assert [[Fraction(str(x)) for x in row] for row in read_table((here / f"r.{ending}").read_bytes()).matrix.rows()] == [
        [(1 - weight) * x + weight / 2 for x in row] for row in ([Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 10), Fraction(9, 10)])
    ]
    assert run(f"privacy r.{ending} --local --alpha 1/4").code == 0


def test_labels_are_kept_and_a_rounded_table_is_divided(here):
    assert run("audit named.csv --local --claims-alpha 1/4 --repaired r.csv").code == 1
    assert read_table((here / "r.csv").read_text(), labels=True).inputs == ("never", "once")
    assert run("audit rounded.csv --local --repaired d.json").code == 0
    assert all(sum(Fraction(str(x)) for x in row) == 1 for row in read_table((here / "d.json").read_text()).matrix.rows())


def test_nothing_to_write_is_a_note_and_faulty_names_are_refused(here):
    done = run("audit coin.csv --local --claims-alpha 1/100 --repaired r.csv")
    assert done.code == 0
    assert "was not written: " in done.out
    assert not (here / "r.csv").exists()
    assert "end it with .csv, .json or .tex" in run("audit coin.csv --local --repaired r.xls").err
    assert "name one file" in run("audit coin.csv --local --repaired r.json -o r.json").err


def test_a_level_is_put_in_for_the_letter(here):
    assert run("convert letter.csv --alpha 1/4 --to csv").out == "3/4,1/4\n1/4,3/4\n"
    assert run("convert letter.csv --epsilon 1 --to csv").out == run("convert letter.csv --alpha symbolic --to csv").out.replace(
        "a", "exp(-1)"
    )
    assert "3/4" in run("show letter.csv --alpha 1/4").out
    assert "--alpha has no effect" in run("convert coin.csv --alpha 1/4 --to csv").err


def test_latex_is_read_back(here):
    assert run("convert coin.csv --to latex -o coin.tex").code == 0
    assert read_table((here / "coin.tex").read_text()) == read_table((here / "coin.csv").read_text())


def test_a_note_says_how_a_file_was_read():
    assert "line 1 is a comment" in run("privacy noted.csv --local").out


def test_convert_writes_the_table_that_others_repair(here):
    (here / "off.csv").write_text(",no,yes\nnever,0.66,0.33\nonce,0.33,0.66\n", encoding="utf-8")
    judged = run("privacy off.csv --local --renormalise --alpha 1/2")
    assert "'exactdp convert --renormalise' writes it" in judged.out
    assert run("convert off.csv --renormalise --labels --to csv -o r.csv").code == 0
    assert (here / "r.csv").read_text() == ",no,yes\nnever,2/3,1/3\nonce,1/3,2/3\n"
    assert run("privacy r.csv --labels --local --alpha 1/2").code == judged.code == 0
    assert run("convert coin.csv --renormalise --to csv").err == "note: --renormalise changed nothing: all rows sum to 1\n"
    assert "has formulas" in run("convert letter.csv --renormalise --to csv").err
    assert run("convert geometric:n=1,alpha=1/2 --renormalise --to csv").code == 2


@pytest.mark.parametrize(("epsilon", "code"), [("ln(2)/2", 1), ("3*ln(3)/2", 0)])
def test_a_claim_that_is_a_root_beside_a_table_in_e_is_decided(here, epsilon, code):
    done = run(["audit", "opendp-geometric:scale=1,lower=0,upper=5", "--claims-epsilon", epsilon, "--for", "abs"])
    assert done.code == code, done


def test_a_table_of_formulas_names_the_level_whose_table_has_fractions(here):
    done = run("audit coin.csv --local --claims-epsilon 1/4 --repaired r.csv")
    assert "exp(-1/4)" in (here / "r.csv").read_text()
    assert "no decimal is; rounded they are another table, which may break the claim" in done.out
    told = re.search(r"(--claims-alpha \S+) in the place of --claims-epsilon 1/4 claims a little more", " ".join(done.out.split()))
    assert told is not None
    done = run(f"audit coin.csv --local {told[1]} --repaired f.csv")
    assert "formulas over ε" not in done.out
    assert [sum(map(Fraction, line.split(","))) for line in (here / "f.csv").read_text().split()] == [1, 1]
    assert run("privacy f.csv --local --epsilon 1/4").code == 0


def test_the_letter_of_an_epsilon_is_said_in_latex():
    assert run("convert letter.csv --epsilon 1 --to latex").out.endswith("\\quad t = e^{-1}\n")
