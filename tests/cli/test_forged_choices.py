# SPDX-License-Identifier: MIT
"""Lines of page one that another table, claim or choice would have; and honest bundles that look odd."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import run
from forged_bundle import Forged

from exactdp.certificate import check_bundle
from exactdp.certificate.page_one import NEIGHBOURS, WHERE

FILES = {
    "t.csv": "2/3,1/6,1/6\n1/3,1/3,1/3\n1/6,1/6,2/3\n",
    "wrong.csv": "0.50,0.20,0.10\n0.30,0.30,0.20\n0.15,0.30,0.35\n",
    "three.csv": "0.60,0.30,0.10\n0.40,0.35,0.25\n0.25,0.35,0.40\n",
    "alike.csv": "0.6,0.5,0.0\n0.6,0.5,0.0\n0.6,0.5,0.0\n",
    "months.csv": "m,yes,no\n01,2/3,1/3\n02,1/2,1/2\n03,1/3,2/3\n",
    "thirteen.csv": "0.50,0.50\n" * 12 + "0.51,0.49\n",
    "never.csv": "0.6,0.5,0.0\n0.2,0.3,0.5\n",
    "star.csv": "1.0,0.0,0.0\n0.3,0.6,0.1\n0.8,0.0,0.3\n",
    "list.csv": ',a,b,"a, b"\nx,0.2,0.2,0.6\ny,0.4,0.4,0.2\n',
    "listed.csv": ',a,b,"a, b"\nx,0.20,0.20,0.60\ny,0.40,0.40,0.20\n',
    "equal.csv": "1/2,1/2,0\n1/3,2/3,0\n2/3,1/3,0\n",
}
BUNDLES = {
    "no claim": "t.csv --graph complete",
    "wrong": "wrong.csv --graph complete --claims-epsilon 1.2",
    "printed": "three.csv --digits 2 --graph path --claims-epsilon 1.4",
    "alike": "alike.csv --digits 1 --graph path --claims-epsilon 1",
    "unit": "t.csv --graph path --claims-epsilon 1 --state 'unit=a day'",
    "random": "equal.csv --graph complete --claims-epsilon 2 --for zero-one --for 'abs prior=0,0,1'",
    "one input": "t.csv --graph path --claims-epsilon 2 --for 'zero-one side-information=0'",
}
HONEST = {
    "months": "months.csv --labels --graph complete --claims-epsilon 2",
    "thirteen": "thirteen.csv --digits 2 --graph path --claims-epsilon 1",
    "twice": "t.csv --graph path --claims-epsilon 1/2 --for zero-one --for zero-one",
    "twice, printed": "three.csv --digits 2 --graph path --claims-epsilon 2 --for zero-one --for zero-one",
    "root beside a table": "geometric:n=2,epsilon=1 --graph path --claims-epsilon sqrt(2)",
    "root beside a consumer": "geometric:n=2,epsilon=1 --graph path --claims-epsilon sqrt(2) --for zero-one",
    "table of a root": "geometric:n=2,epsilon=sqrt(2) --graph path --claims-epsilon 3/2 --for zero-one",
    "logarithm": "geometric:n=2,epsilon=1/2 --graph path --claims-epsilon 1+ln(2)",
    "logarithm beside a consumer": "geometric:n=1,epsilon=1/2 --graph path --claims-epsilon 1+ln(2) --for zero-one",
    "root beside a delta": "randomized-response:n=1,epsilon=sqrt(2) --graph path --claims-epsilon 1/3 --claims-delta 1/100",
    "infinite": "never.csv --digits 1 --graph path --claims-epsilon 1",
    "infinite, required": "never.csv --digits 1 --graph path --require 'epsilon <= 1'",
    "infinite beside a delta": "star.csv --digits 1 --graph star --claims-epsilon 0 --claims-delta 1/3",
    "a label of two": "list.csv --graph path --claims-epsilon 1/2",
    "a label of two, printed": "listed.csv --digits 2 --graph path --claims-epsilon 1/2",
}


def made(words):
    """The files of a bundle."""
    for name, text in FILES.items():
        Path(name).write_text(text)
    assert run(f"audit {words} --bundle made").code in (0, 1, 4)
    return {path.relative_to("made").as_posix(): path.read_bytes() for path in Path("made").rglob("*") if path.is_file()}


@pytest.fixture
def forged(tmp_path, monkeypatch, request):
    """The bundle of a name, to be changed."""
    monkeypatch.chdir(tmp_path)
    return Forged(made(BUNDLES[request.param]))


def put_after(bundle, heading, says, line):
    """A line of page one behind another one."""
    lines = bundle.page["sections"][heading]["lines"]
    place = [one["says"] for one in lines].index(says)
    lines.insert(place + 1, line)


def line(says, of="", **values):
    return {"says": says, "values": values, "of": of, "shown": True}


@pytest.mark.parametrize("forged", BUNDLES, indirect=True)
def test_as_it_was_made_it_is_accepted(forged, tmp_path):
    assert forged.judged(tmp_path) == ("accepted", [])


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_bundle_is_accepted(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made(HONEST[name])
    answer = check_bundle.answer("made")
    assert (answer["status"], answer["faults"]) == ("accepted", [])


@pytest.mark.parametrize("forged", ["no claim"], indirect=True)
@pytest.mark.parametrize("says", ["other-holds", "other-fails"])
def test_without_a_claim_nothing_holds_elsewhere(forged, says, tmp_path):
    forged.line("other")["says"] = says
    status, faults = forged.judged(tmp_path)
    assert (status, faults) == ("rejected", ["it says something of a claim, and nothing was claimed"])


@pytest.mark.parametrize("forged", ["wrong"], indirect=True)
@pytest.mark.parametrize(
    ("heading", "after", "added"),
    [
        (1, "chosen-open", line("other-holds", words=NEIGHBOURS["path"], epsilon="0.693148")),
        (2, "fails", line("beside-holds", where=WHERE["path"], epsilon="0.693148")),
        (2, "fails", line("within-fails", numbers="decimals")),
        (2, "fails", line("divided", farthest="0")),
    ],
)
def test_of_no_mechanism_nothing_is_said(forged, heading, after, added, tmp_path):
    put_after(forged, heading, after, added)
    status, faults = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("a table is that is no mechanism" in fault for fault in faults)


@pytest.mark.parametrize("forged", ["printed"], indirect=True)
@pytest.mark.parametrize(("says", "epsilon"), [("other-holds", "0.1"), ("other", "1.45002"), ("other-fails", "1.45002")])
def test_of_tables_with_several_ends_no_single_one_is_told(forged, says, epsilon, tmp_path):
    told = forged.line("other-between")
    told |= {"says": says, "of": "", "shown": True, "values": {"words": told["values"]["words"], "epsilon": epsilon}}
    status, faults = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("more than one smallest ε" in fault for fault in faults)


@pytest.mark.parametrize("forged", ["alike"], indirect=True)
@pytest.mark.parametrize("change", [{"says": "other-fails"}, {"says": "other"}, {"epsilon": "0.1"}, {"epsilon": "infinity"}])
def test_the_only_end_of_printed_tables_is_compared(forged, change, tmp_path):
    told = forged.line("other-holds")
    assert told["values"]["epsilon"] == "0"
    told["says"] = change.get("says", told["says"])
    told["values"]["epsilon"] = change.get("epsilon", "0")
    assert forged.judged(tmp_path)[0] == "rejected"


@pytest.mark.parametrize("forged", ["unit"], indirect=True)
def test_a_step_is_no_cell_where_there_is_no_grid(forged, tmp_path):
    forged.line("unit")["says"] = "unit-grid"
    assert forged.judged(tmp_path)[0] == "rejected"


@pytest.mark.parametrize("forged", ["unit"], indirect=True)
@pytest.mark.parametrize("added", [line("grid-labels", metric="euclid:"), line("grid-order", points="0, 1, 2")])
def test_inputs_are_no_points_where_there_is_no_grid(forged, added, tmp_path):
    put_after(forged, 1, "neighbours", added)
    put_after(forged, 1, added["says"], line("grid-unit-open"))
    status, faults = forged.judged(tmp_path)
    assert status == "rejected"
    assert any("it has other values" in fault for fault in faults)


@pytest.mark.parametrize("forged", ["random"], indirect=True)
@pytest.mark.parametrize("exact", ['["11"]', '{"11": 0.5}', '[["1"]]', '[["1", "1", "1"]]', '["1", "1"]'])
def test_the_exact_numbers_of_a_remap_are_pairs(forged, exact, tmp_path):
    pytest.importorskip("highspy")  # exact pivots alone end at another best remap, which is not random
    row = next(one for one in forged.lines if one["says"] == "remap-row" and one["values"]["read"] == "as 1, always")
    assert json.loads(row["values"]["exact"]) == [["1", "1"]]
    row["values"]["exact"] = exact
    assert forged.judged(tmp_path)[0] == "rejected"


@pytest.mark.parametrize("forged", ["one input"], indirect=True)
def test_a_loss_is_told_of_the_inputs_that_are_possible(forged):
    assert forged.line("bears-equal")["values"]["most"] == "0.33333"
    assert "is 0.33333 for every input that it holds possible." in forged.files["page_one.md"].decode()
