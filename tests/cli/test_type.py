# SPDX-License-Identifier: MIT
"""``exactdp type`` and the order of ``exactdp refine``; the record of the paper."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from cli_runner import run as run_words

from exactdp.checker import check_bytes
from proofs.record import load_paper
from proofs.replay import replay

PAPER = "fernandes_metric_privacy"


def run(*words):
    """Exit code, standard output and standard error of a command line."""
    found = run_words(list(words))
    return found.code, found.out, found.err


def test_counts_in_json():
    code, out, _ = run("type", "path:4", "--alpha", "1/2", "--vertices", "--json")
    body = json.loads(out)
    assert (code, body["verdict"], body["count"], len(body["vertices"])) == (0, "proved", 8, 8)
    code, out, _ = run("type", "complete:4", "--alpha", "1/3", "--kernels", "--json")
    body = json.loads(out)
    assert (code, body["count"], body["complete"]) == (0, 41, "computed")
    assert sum(kernel["size"] for kernel in body["kernels"]) == 41


def test_all_levels():
    code, out, _ = run("type", "path:5", "--alpha", "symbolic", "--kernels", "--json")
    body = json.loads(out)
    assert code == 0
    assert body["count"] is None
    assert [piece["count"] for piece in body["pieces"]][:3] == [195, 187, 214]
    code, out, _ = run("type", "complete:3", "--alpha", "symbolic", "--capacity", "multiplicative", "--json")
    assert "3/(2*a + 1)" in json.dumps(json.loads(out)["value"])


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("star:4", "--alpha", "1/2", "--universal", "zero-one"), 0, "tree"),
        (("complete:3", "--alpha", "1/2", "--universal", "zero-one"), 1, "cycle     0 – "),
        (("complete:3", "--alpha", "1/2", "--universal", "zero-one", "--no-theorems"), 1, "priors"),
        (("star:7", "--alpha", "1/4", "--universal", "zero-one"), 1, "its neighbours  1, 2, 3, 4, 5, 6"),
        (("path:4", "--alpha", "1/2", "--kernels", "--mechanism", "geometric:n=3"), 0, "kernel mechanism"),
        (("path:4", "--alpha", "1/2", "--kernels", "--mechanism", "uniform:n=3"), 1, "not a kernel mechanism"),
        (("path:4", "--alpha", "1/2", "--mixture", "--mechanism", "uniform:n=3"), 0, "derivable from 1 kernel mechanism"),
        (("path:4", "--alpha", "1/2", "--universal", "abs", "--mechanism", "geometric:n=3"), 0, "path"),
        (("path:4", "--alpha", "1/2", "--universal", "zero-one", "--mechanism", "uniform:n=3"), 1, "not universally optimal"),
        (("cycle:4", "--alpha", "1/2", "--capacity", "additive"), 0, "5/9"),
    ],
)
def test_answers_and_exit_codes_with_certificates(tmp_path, words, code, text):
    path = tmp_path / "c.edp.json"
    found, out, err = run("type", *words, "-o", str(path))
    assert found == code, err
    assert text in out
    assert check_bytes(path.read_bytes()).status == "accepted"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("path:4", "--alpha", "1/2"), "ask one question"),
        (("path:4", "--alpha", "1/2", "--vertices", "--kernels"), "ask one question"),
        (("path:4", "--vertices"), "--alpha"),
        (("path:4", "--metric", "m.csv", "--alpha", "1/2", "--vertices"), "give GRAPH or --metric"),
        (("nothing", "--alpha", "1/2", "--vertices"), "GRAPH: there is no file 'nothing'"),
        (("--alpha", "1/2", "--vertices"), "name a graph"),
        (("path:4", "--alpha", "1/2", "--mixture"), "give --mechanism"),
        (("path:4", "--alpha", "1/2", "--vertices", "--mechanism", "uniform:n=3"), "leave --mechanism out"),
    ],
)
def test_usage_errors(words, text):
    code, out, err = run("type", *words)
    assert code == 2
    assert text in err + out


@pytest.mark.slow
def test_a_count_too_large_for_a_certificate_says_so(tmp_path):
    code, out, err = run("type", "hypercube:3", "--alpha", "1/2", "--kernels", "-o", str(tmp_path / "k.edp.json"))
    assert code == 4
    assert "29213" in out
    assert "limit" in err
    assert not (tmp_path / "k.edp.json").exists()


def test_refine_several(tmp_path):
    path = tmp_path / "o.edp.json"
    names = ["identity:n=2", "geometric:n=2,alpha=1/4", "geometric:n=2,alpha=1/2", "uniform:n=2"]
    code, out, _ = run("refine", *names, "--json", "-o", str(path))
    body = json.loads(out)
    assert code == 0
    assert body["hasse"] == [[names[0], names[1]], [names[1], names[2]], [names[2], names[3]]]
    assert check_bytes(path.read_bytes()).status == "accepted"
    code, out, _ = run("refine", "uniform:n=2", "uniform:n=2", "--order")
    assert "≡" in out


@pytest.mark.slow
def test_the_record_of_the_paper():
    """Quick claims are replayed; every refuted claim has a repair."""
    pytest.importorskip("highspy")  # one recorded claim lists the mixtures that were found
    paper = load_paper(PAPER)
    assert all(claim.gap() is None for claim in paper.claims)
    quick = ["10", "LOSS", "TH15.5", "TH21", "14", "3.3", "6", "F11", "29", "31", "C18"]
    for result in replay(PAPER, only=[f"{PAPER}/{key}" for key in quick]):
        assert result.agrees, (result.id, result.detail)


@pytest.mark.slow
def test_every_certificate_of_the_paper_is_accepted():
    folder = load_paper(PAPER).folder
    files = [*sorted((folder / "certificates").glob("*.edp.json")), *sorted((folder / "table").glob("*.edp.json"))]
    assert len(files) > 100
    for file in files:
        assert check_bytes(file.read_bytes()).status == "accepted", file.name


def test_the_table_of_all_levels():
    """levels.md says what its certificates say; a tree stops at 1/(largest degree − 1), nothing else has a
    mechanism anywhere.
    """
    folder = load_paper(PAPER).folder
    lines = (folder / "levels.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ") and line[2].isdigit()]
    assert [sum(row[0] == str(n) for row in rows) for n in (2, 3, 4, 5, 6)] == [1, 2, 6, 21, 112]
    linked = set()
    for n, edges, *cells in rows:
        pairs = edges.split()
        most = max(sum(str(v) in pair for pair in pairs) for v in range(int(n))) - 1
        tree = len(pairs) == int(n) - 1
        zero_one = "no level" if not tree else "every level" if most <= 1 else f"(0, 1/{most}]"
        distance = "every level" if zero_one == "every level" else "no level"
        for cell, where in zip(cells, (zero_one, distance), strict=True):
            assert cell.startswith(f"[{where}](table/")
            file = folder / cell[len(where) + 3 : cell.rindex(" (") - 1]
            linked.add(file)
            found = json.loads(file.read_text(encoding="utf-8"))
            kinds = {piece["claim"]["kind"] for piece in found["claim"].get("pieces", [{"claim": found["claim"]}])}
            assert ("universally-optimal" in kinds) is (where != "no level")
            assert ("no-universally-optimal" in kinds) is (where != "every level")
            graph = next(d for d in found["definitions"].values() if d["type"] in {"path", "graph"})
            if graph["type"] == "graph":
                assert [f"{i}{j}" for i, j in graph["edges"]] == pairs
    assert linked == set((folder / "table").glob("*-every-level.edp.json"))


def test_utility_sets_on_the_command_line(tmp_path):
    (tmp_path / "parity.csv").write_text("0,1\n1,0\n0,1\n", encoding="utf-8")
    asked = ("--universal", "zero-one", "--universal", str(tmp_path / "parity.csv"), "--mechanism", "geometric:n=2")
    code, out, err = run("type", "path:3", "--alpha", "1/2", *asked, "--json")
    body = json.loads(out)
    assert (code, body["verdict"]) == (1, "refuted"), err
    assert [entry["verdict"] for entry in body["losses"]] == ["proved", "refuted"]
    assert body["undecided"] == 0
    code, out, err = run("type", "path:3", "--alpha", "1/2", *asked, "-o", str(tmp_path / "c.edp.json"))
    assert code == 2
    assert "one loss" in err + out
    code, out, err = run("type", "path:3", "--alpha", "1/2", *asked[:4])
    assert code == 2
    assert "--mechanism" in err + out
    twice = ("path:3", "--alpha", "1/2", "--universal", "abs", "--universal", "abs", "--mechanism", "geometric:n=2")
    code, out, err = run("type", *twice)
    assert code == 2
    assert "twice" in err + out


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        ("star:4 --alpha symbolic --universal distance --no-theorems", 4, "not decided"),
        ("star:4 --alpha symbolic --universal zero-one", 1, "no universally optimal mechanism for a in (1/2, 1), not decided on others"),
        ("cycle:5 --alpha symbolic --universal distance", 1, "no universally optimal mechanism at any level"),
        ("path:4 --alpha symbolic --universal zero-one", 4, "not decided: (0, 1)"),
        ("grid:6x6 --alpha 1/2 --universal zero-one", 1, "cycle"),
        ("complete:16 --alpha 1/2 --vertices", 4, "the time limit of 0 s has passed while this was done: "),
        ("complete:18 --alpha 1/2 --vertices", 4, "the time limit of 0 s has passed while this was done: "),
        ("cycle:5 --alpha 1/2 --vertices", 4, "the time limit of 0 s has passed while this was done: "),
        ("path:6 --alpha 1/2 --kernels", 4, "the time limit of 0 s has passed while this was done: "),
        ("path:5 --alpha symbolic --kernels", 4, "the time limit of 0 s has passed while this was done: "),
        ("path:5 --alpha 1/2 --mixture --mechanism uniform:n=4", 4, "the time limit of 0 s has passed while this was done: "),
        ("path:8 --alpha 1/2 --kernels -o k.edp.json", 4, "the time limit of 0 s has passed while this was done: "),
    ],
)
def test_no_time_to_search(tmp_path, monkeypatch, words, code, text):
    """What a theorem decides without computing is decided; everything else says how far it came."""
    monkeypatch.chdir(tmp_path)
    found, out, err = run("type", *words.split(), "--time-limit", "0")
    assert found == code, err
    assert text in out + err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_refutation_with_pieces_that_nobody_decided(tmp_path):
    """At small levels no mechanism serves this loss; 40 priors do not tell at the large ones: the answer is
    shown, not certified.
    """
    (tmp_path / "l4.csv").write_text("2,1,1\n2,0,0\n0,1,0\n0,0,2\n", encoding="utf-8")
    path = tmp_path / "o.json"
    asked = ("complete:4", "--alpha", "symbolic", "--universal", str(tmp_path / "l4.csv"), "--tries", "40", "-o", str(path))
    code, out, err = run("type", *asked)
    assert code == 4
    assert "REFUTED" in out
    assert "not decided" in out
    assert "no certificate was written: nothing was decided on" in err
    assert not path.exists()


@pytest.mark.parametrize("level", [("--epsilon", "1"), ("--alpha", "symbolic"), ("--alpha", "1/2")])
def test_one_input(tmp_path, level):
    path = tmp_path / "c.edp.json"
    for question, text in (("--kernels", "kernel mechanisms: 1"), ("--vertices", "vertices of the posterior polytope: 1")):
        code, out, err = run("type", "path:1", *level, question, "-o", str(path))
        assert code == 0, err
        assert f"{text}\n" in out or f"{text} " in out
        assert check_bytes(path.read_bytes()).status == "accepted"


@pytest.mark.parametrize("question", [("--kernels",), ("--universal", "zero-one")])
def test_all_levels_need_integer_distances(tmp_path, question):
    (tmp_path / "m.csv").write_text("0,1/2,1\n1/2,0,1/2\n1,1/2,0\n", encoding="utf-8")
    code, out, err = run("type", "--metric", str(tmp_path / "m.csv"), "--alpha", "symbolic", *question)
    assert code == 3
    assert "distances must be integers, and that of 0 and 1 is 1/2" in err + out
    assert "multiply all distances by 2" in err + out


def test_the_priors_that_conflict_sum_to_one():
    code, out, _ = run("type", "complete:3", "--alpha", "1/2", "--universal", "zero-one", "--no-theorems", "--json")
    body = json.loads(out)
    assert (code, body["argument"]) == (1, "priors")
    assert all(sum(map(Fraction, prior)) == 1 for prior in body["priors"])
