# SPDX-License-Identifier: MIT
"""``exactdp tight`` and ``exactdp regular``: answers, certificates, exit codes and errors."""

from __future__ import annotations

import json

import pytest
from cli_runner import run

from exactdp.checker.kernel import check_bytes


def accepted(path):
    return check_bytes(path.read_bytes()).status == "accepted"


@pytest.mark.parametrize(
    ("words", "code", "verdict"),
    [
        ("tight star:4 --alpha 1/3", 0, "proved"),
        ("tight star:4 --alpha 3/5", 1, "refuted"),
        ("tight cycle:5 --epsilon 1/2", 0, "proved"),
        ("tight star:4 --epsilon 1/2", 1, "refuted"),
        ("tight star:4 --alpha symbolic", 0, "proved"),
        ("tight sum:u=3,v=2 --alpha 1/2 --unique", 0, "proved"),
        ("tight path:4 --alpha 1/4 --mechanism geometric:n=3", 0, "proved"),
        ("tight path:4 --alpha 1/4 --mechanism uniform:n=3", 1, "refuted"),
        ("tight cycle:4 --alpha 1/2 --prior 1/2,0,1/2,0", 1, "refuted"),
        ("tight cycle:4 --alpha 1/2 --prior uniform", 0, "proved"),
        ("tight star:4 --alpha 3/5 --prior uniform", 1, "refuted"),
        ("tight cycle:4 --epsilon 1/2 --prior 1/2,0,1/2,0", 1, "refuted"),
        ("regular star:4 --alpha 1/3 --prior uniform", 0, "proved"),
        ("regular star:4 --alpha 1/3 --prior corner:1", 0, "proved"),
        ("regular complete:4 --epsilon 12/25 --prior 3/10,27/100,23/100,1/5", 1, "refuted"),
        ("regular complete:4 --epsilon 7/10 --prior 3/10,27/100,23/100,1/5", 0, "proved"),
        ("regular complete:4 --alpha symbolic --prior 3/10,27/100,23/100,1/5", 0, "proved"),
    ],
)
def test_answers(tmp_path, words, code, verdict):
    file = tmp_path / "c.edp.json"
    result = run([*words.split(), "--json", "-o", str(file)])
    assert result.code == code
    assert json.loads(result.out)["verdict"] == verdict
    assert accepted(file)
    text = run(words)
    assert text.code == code
    assert text.out.startswith(verdict.upper())


def test_symbolic_levels_are_pieces_with_exact_ends():
    body = json.loads(run("tight counts:u=2,k=2 --alpha symbolic --json").out)
    assert body["levels"] == [
        {"lower": "0", "upper": body["levels"][0]["upper"], "lower_end": "open", "upper_end": "closed"},
    ]
    assert body["levels"][0]["upper"]["poly"] == ["-1", "4", "1"]
    assert [piece["value"] for piece in body["pieces"]] == [True, False]
    assert [set(piece["interval"]) for piece in body["pieces"]] == [{"lower", "lower_end", "upper", "upper_end"}] * 2


@pytest.mark.parametrize(
    "words",
    [
        "tight",
        "tight star:4",
        "tight star:4 --alpha 1/2 --epsilon 1",
        "tight star:4 --alpha symbolic --unique",
        "tight nowhere:4 --alpha 1/2",
        "tight star:4 --alpha symbolic --prior uniform",
        "tight star:4 --alpha 1/2 --unique --prior uniform",
        "tight star:4 --alpha 1/2 --prior nothing",
        "tight star:4 --threshold 5 --prior uniform",
        "regular star:4 --alpha symbolic --prior corner:0",
        "regular star:4 --alpha 1/2 --prior nothing",
    ],
)
def test_usage(words):
    assert run(words).code in {2, 3}


@pytest.mark.parametrize(
    "words",
    ["tight star:4 --epsilon 0", "tight star:4 --alpha 1", "regular star:4 --alpha 1/2 --prior 1/2,1/2", "tight star:4 --epsilon x"],
)
def test_bad_input(words):
    assert run(words).code == 3


def test_the_corner_of_no_vertex_is_told_with_the_vertices():
    for corner in ("7", "0,1"):
        found = run(["regular", "path:3", "--alpha", "1/2", "--prior", f"corner:{corner}"])
        assert found.code == 2
        assert f"path:3 has no vertex '{corner}'; its vertices are (0, 1, 2)" in found.err


def test_a_claim_about_a_prior_says_which_one():
    for level in ("1/2", "symbolic"):
        claims = [run(f"regular path:3 --alpha {level} --prior {text} --json").json["claim"] for text in ("1/4,1/2,1/4", "1/3,1/3,1/3")]
        assert "the prior (0: 1/4, 1: 1/2, 2: 1/4) is" in claims[0]
        assert "the prior uniform on 3 inputs is" in claims[1]
    assert run("regular path:3 --alpha 1/2 --prior corner:1 --json").json["claim"].startswith("the prior (0: 1/4, 1: 1/2, 2: 1/4) is")
    lettered = run(["regular", "path:3", "--alpha", "1/5", "--prior", "p,1/2,1/2-p", "--letters", "0.24 < p < 0.26", "--json"])
    assert lettered.json["claim"].startswith("The prior (0: p, 1: 1/2, 2: (-2*p + 1)/2) is")
