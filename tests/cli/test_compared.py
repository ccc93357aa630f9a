# SPDX-License-Identifier: MIT
"""Two tables beside each other: the first line says which is more private, and which is better for whom."""

from __future__ import annotations

import json
from fractions import Fraction
from math import log
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.cli import program

M1 = "0.7,0.2,0.1\n0.25,0.5,0.25\n0.1,0.2,0.7\n"
M2 = "0.6,0.3,0.1\n0.3,0.4,0.3\n0.1,0.3,0.6\n"


def run(*words: str):
    """The command, with its exit code and output."""
    return CliRunner().invoke(program.main, list(words))


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The two tables in the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m1.csv").write_text(M1)
    (tmp_path / "m2.csv").write_text(M2)
    return tmp_path


AUDIT = ("audit", "m1.csv", "--compare", "m2.csv", "--local")


def test_the_comparison_is_the_first_line(files):
    told = run(*AUDIT, "--for", "zero-one", "--for", "abs")
    lines = told.output.splitlines()
    assert told.exit_code == 0
    assert lines[0] == "COMPARED  m2.csv is more private: ε ≈ 1.791759 < 1.945910; m1.csv is better for zero-one, abs"
    assert len(lines[0]) <= 100
    assert "m1.csv is better as deployed, loss 0.5 < 0.6; m1.csv is better after the best remap" in lines[1]
    assert lines[3].startswith("first     smallest ε = ln(7) ")
    body = json.loads(run(*AUDIT, "--for", "abs", "--json").output)
    assert body["verdict"] == "no claim"
    assert body["comparison"]["text"].startswith("m2.csv is more private")
    assert body["comparison"]["more_private"] == 1
    assert [(one["loss"], one["better"]) for one in body["comparison"]["consumers"]] == [(["1/2", "3/5"], -1), (["5/11", "6/11"], -1)]


def test_in_python_too_it_says_how_to_ask_for_whom(files):
    note = "which is better for whom is told with "
    assert f"{note}--for, as in --for zero-one" in run(*AUDIT).output
    told = str(xdp.audit("m1.csv", compare="m2.csv", local=True))
    assert told.splitlines()[-1] == f"note      {note}consumers, as in consumers=['zero-one']"
    assert note not in str(xdp.audit("m1.csv", compare="m2.csv", local=True, consumers=["zero-one"]))
    assert note not in str(xdp.audit("m1.csv", local=True))


def test_it_is_the_same_in_python(files):
    consumers = [xdp.MinimaxConsumer("zero-one"), xdp.MinimaxConsumer("abs")]
    found = xdp.audit("m1.csv", "complete", compare="m2.csv", consumers=consumers)
    first = str(found).partition("\n")[0]
    assert first == run(*AUDIT, "--for", "zero-one", "--for", "abs").output.partition("\n")[0]
    back = xdp.audit("m2.csv", "complete", compare="m1.csv", consumers=consumers)
    assert str(back).partition("\n")[0] == first
    with pytest.raises(xdp.errors.DomainError, match="requirements are of one table"):
        xdp.audit("m1.csv", "complete", compare="m2.csv", require=["epsilon <= 3"])


def test_a_claim_is_told_apart_from_the_comparison(files):
    """REFUTED is about the claim of the first table, and never begins the line of the comparison."""
    told = run(*AUDIT, "--claims-epsilon", "1").output.splitlines()
    assert told[0].startswith("COMPARED  m2.csv is more private")
    assert told[1].startswith("REFUTED ")
    assert run(*AUDIT, "--claims-epsilon", "1").exit_code == 1


def test_of_equal_and_of_unknown_ones_no_order_is_told(files):
    same = run("audit", "m1.csv", "--compare", "m1.csv", "--local", "--for", "abs").output
    assert same.startswith("COMPARED  both are equally private: ε = ln(7) ≈ 1.94591; alike for abs (0.5)")
    (files / "wrong.csv").write_text("1,1,1\n0,1,0\n0,0,1\n")
    first = run("audit", "m1.csv", "--compare", "wrong.csv", "--local", "--for", "abs").output.partition("\n")[0]
    assert first.startswith("COMPARED  which of m1.csv and wrong.csv is more private is not known")
    assert "better" not in first


def test_losses_of_tables_without_an_optimum_are_compared(files):
    """Of a table that is private at no level, or at every one, the loss as deployed is compared."""
    (files / "all.csv").write_text("1,0,0\n0,1,0\n0,0,1\n")
    (files / "none.csv").write_text("1/3,1/3,1/3\n" * 3)
    for name, said in (("all.csv", "m1.csv is more private"), ("none.csv", "none.csv is more private")):
        first = run("audit", "m1.csv", "--compare", name, "--local", "--for", "abs").output.partition("\n")[0]
        assert said in first
        assert f"{'all.csv' if name == 'all.csv' else 'm1.csv'} is better for abs" in first


ROW = st.lists(st.integers(1, 9), min_size=3, max_size=3)
TABLE = st.lists(ROW, min_size=3, max_size=3).map(lambda rows: [[Fraction(x, sum(row)) for x in row] for row in rows])


def sign(x: Fraction, y: Fraction) -> int:
    """1 if the second number is the smaller one, −1 if the first is."""
    return (y < x) - (x < y)


@settings(max_examples=30, deadline=None)
@given(TABLE, TABLE)
def test_what_is_told_is_the_order_of_the_numbers(first, second):
    """By the largest quotient of two entries of a column, and the largest mean loss of a row."""
    verdict = xdp.audit(first, "complete", compare=second, consumers=[xdp.MinimaxConsumer("abs")])
    found = verdict.evidence.compared
    worst = [max(t[i][r] / t[j][r] for r in range(3) for i in range(3) for j in range(3)) for t in (first, second)]
    assert found.more_private == sign(*worst)
    losses = [max(sum(abs(i - r) * x for r, x in enumerate(row)) for i, row in enumerate(t)) for t in (first, second)]
    assert [one.better for one in found.consumers if one.how == "as deployed"] == [sign(*losses)]
    told = str(verdict).partition("\n")[0]
    if worst[0] != worst[1] and min(worst) > 1:
        assert ("the first is more private" in told) == (worst[0] < worst[1])
        least = log(float(min(worst)))
        assert f"{least:.6f}"[:5] in told or f"{least:.5f}"[:5] in told


def test_refine_says_which_file_is_better_and_for_whom(files):
    told = run("refine", "m1.csv", "m2.csv").output
    first = told.partition("\n")[0]
    assert first == "REFUTED  not derivable: m2.csv is better for a consumer, loss 59/30 ≈ 1.966667, m1.csv at best 2"
    assert "(uniform prior; rows inputs, columns guesses)" in told
    both = run("refine", "m1.csv", "m2.csv", "--order").output
    line = "m1.csv, m2.csv: neither can be derived from the other; m2.csv is better for one consumer"
    assert line in both
    assert "m1.csv is better for one consumer, loss 8.3 against 9.0 at best" in both
    printed = str(xdp.is_refined_by("m1.csv", "m2.csv"))
    assert printed.startswith(first)
    assert "input 0: 2, 2, 7; input 1: 2, 2, 0; input 2: 2, 2, 2" in " ".join(printed.split())


@settings(max_examples=20, deadline=None)
@given(TABLE, TABLE)
def test_incomparable_are_those_of_which_neither_is_derived(first, second):
    found = xdp.refinement_order({"A": first, "B": second}).evidence
    either = [xdp.is_derivable(first, source=second).proved, xdp.is_derivable(second, source=first).proved]
    assert (found.incomparable == ((0, 1),)) == (not any(either))


def test_help_leads_from_compare_to_it():
    assert "compare" in " ".join(run("--help").output.split()).partition("audit ")[2].partition("register ")[0]
    assert "audit A.csv --compare B.csv" in run("compare", "a", "b").output
    with pytest.raises(AttributeError, match="compare=B"):
        _ = xdp.compare


def test_show_draws_a_table(files):
    page = run("show", "m1.csv", "--html").output
    drawn = page[page.index("<svg") : page.index("</svg>")]
    assert run("audit", "m1.csv", "--local", "--html", "audit.html").exit_code == 0
    assert drawn[drawn.index("<path") : drawn.rindex("<g ")] in (files / "audit.html").read_text()
    letters = run("show", "geometric:n=2", "--alpha", "symbolic", "--html")
    assert letters.exit_code == 0
    assert "<svg" not in letters.output


@pytest.mark.parametrize(("name", "begins"), [("m.svg", b"<?xml"), ("m.png", b"\x89PNG"), ("m.PDF", b"%PDF")])
def test_show_writes_a_picture(files, name, begins):
    pytest.importorskip("matplotlib")
    told = run("show", "m1.csv", "-o", name)
    assert told.exit_code == 0, told.output
    content = (files / name).read_bytes()
    assert content.startswith(begins)
    if name == "m.svg":
        assert ElementTree.fromstring(content).tag.endswith("svg")


def test_show_refuses_what_it_can_not_draw(files):
    refused = run("show", "m1.csv", "-o", "m.html")
    assert refused.exit_code == 2
    assert "use --html > m.html" in refused.output
    assert "-o m.svg" in " ".join(run("show", "--help").output.split())


def test_two_losses_of_one_name_are_two_consumers():
    """For one the first table is better; another loses 3 · 1/3 = 1 of it, and 3 · 1/4 of the second."""
    costs = [xdp.MinimaxConsumer(xdp.Loss([["0", x], ["1", "0"]], name="cost")) for x in ("1", "3")]
    tables = [["2/3", "1/3"], ["1/3", "2/3"]], [["3/4", "1/4"], ["1/2", "1/2"]]
    found = xdp.audit(tables[0], "path", compare=tables[1], consumers=costs)
    deployed = [one for one in found.evidence.compared.consumers if one.how == "as deployed"]
    assert [(str(one.first), str(one.second), one.better) for one in deployed] == [("1/3", "1/2", -1), ("1", "3/4", 1)]
    assert len({one.consumer.describe() for one in deployed}) == 2
    told = " ".join(str(found).split())
    assert "the first is better as deployed, loss 0.333333 < 0.500000" in told
    assert "the second is better as deployed, loss 0.75 < 1;" in told
