# SPDX-License-Identifier: MIT
"""``exactdp determinant``: exit codes, text, JSON, certificates, and what it refuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import run
from places import in_folder

from exactdp.checker import kernel

PAPER = ["determinant", "--matrix", "geometric:n=5", "--formula", "(1-a)^(2*6-3)/(1+a)"]


here = in_folder(
    {
        "m.csv": "1, a/(1-2*a)\na^2, (1+alpha)/2\n",
        "m.json": '{"rows": [["1", "a"], ["a", 0.5]]}',
        "labelled.csv": ",v,u\nu,a,1\nv,1,a\n",
    }
)


def kernels(path):
    return subprocess.run([sys.executable, "-I", str(Path(kernel.__file__)), str(path)], capture_output=True, text=True, check=False)


def test_the_formula_of_the_contract_is_proved(here):
    done = run([*PAPER, "-o", "d.json"])
    assert done.code == 0
    assert done.sentence == "PROVED  det G(5, a) = (1-a)^(2*6-3)/(1+a)"
    assert done.first == "PROVED  det G(5, a) = (1 - a)^9/(1 + a), the formula given"
    assert "all α in (0, 1)" in done.out
    assert "Lemma 1: the same" in done.out
    checked = kernels("d.json")
    assert (checked.returncode, "geometric(5, a)" in checked.stdout) == (0, True)
    shown = run("show d.json")
    assert shown.code == 0
    assert "(1 - a)^9/(1 + a)" in shown.out
    assert run("show d.json --latex").code == run("show d.json --html").code == 0
    assert (
        "§4.12"
        in subprocess.run(
            [sys.executable, "-m", "exactdp", "verify", "--trust", "d.json"],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": str(Path(kernel.__file__).parents[2]), "PATH": ""},
        ).stdout
    )


def test_a_wrong_formula_is_refuted_with_quotient_and_point(here):
    done = run(["determinant", "--matrix", "geometric:n=5", "--formula", "(1-a)^(2*5-3)/(1+a)", "--json", "-o", "d.json"])
    assert done.code == 1
    answer = done.json
    assert answer["verdict"] == "refuted"
    assert answer["quotient"] == "1/(1 - a)^2"
    # at 1/2: (1/2)^9/(3/2) = 1/768, and (1/2)^7/(3/2) = 1/192
    assert answer["difference"] == {"point": {"a": "1/2"}, "determinant": "1/768", "formula": "1/192"}
    assert answer["certificate"] == "d.json"
    assert "as an identity of rational functions" in answer["scope"]
    assert kernels("d.json").returncode == 0
    assert "they differ at" in run(["determinant", "--matrix", "geometric:n=5", "--formula", "1"]).out


def test_lemma_2(here):
    formula = "(1-a^2)^2*((1+a^2)*x1 - a*(x0+x2))"
    words = ["determinant", "--matrix", "geometric-prime:n=3", "--column", "1", "--formula"]
    done = run([*words, formula, "-o", "d.json"])
    assert done.code == 0
    assert "Lemma 2: the same" in done.out
    assert "all vectors x" in done.out
    assert kernels("d.json").returncode == 0
    wrong = run([*words, formula.replace("x0+x2", "x0-x2"), "--json"])
    assert wrong.code == 1
    assert set(wrong.json["difference"]["point"]) == {"a", "x0", "x1", "x2", "x3"}
    assert run([*words, "x0*x1"]).code == 1


def test_without_a_formula_the_determinant_is_printed_factored(here):
    assert run("determinant --matrix geometric-prime:n=2 --json").json["value"] == "(1 - a)^2*(1 + a)^2"
    assert run("determinant --matrix m.json --json").json["value"] == "(1 - 2*a^2)/2"
    assert run("determinant --matrix labelled.csv --labels --json").json["value"] == "(1 - a)*(1 + a)"
    assert "the sign of the determinant" in run("determinant --matrix - --labels", stdin=",x,y\nu,1,a\nv,a,1\n").err
    assert run(["determinant", "--matrix", "-", "--json"], stdin="a,1\n1,a\n").json["value"] == "-(1 - a)*(1 + a)"
    assert "randomized" not in run("determinant --matrix uniform:n=2").err


def test_at_one_level(here):
    done = run("determinant --matrix geometric:n=5 --alpha 1/4 --json -o d.json")
    # (3/4)^9/(5/4)
    assert (done.code, done.json["value"], done.json["scope"]) == (0, "19683/327680", "α = 1/4")
    assert kernels("d.json").returncode == 0
    assert run([*PAPER, "--alpha", "1/4"]).code == 0
    assert run("determinant --matrix geometric:n=5 --alpha symbolic").code == 0
    assert run("determinant --matrix m.csv --alpha 1/2").code == 3  # a pole
    assert run("determinant --matrix m.csv --alpha 3/2").code == 3


def test_columns_in_another_order_than_the_rows_are_told(here):
    """The table as it stands has the other sign."""
    (here / "n.csv").write_text("x,0,1\n1,1,2\n0,3,5\n", encoding="utf-8")
    done = run("determinant --matrix n.csv --labels")
    assert re.match(r"PROVED  det M = 1\nfor     matrix of n\.csv \(sha256 \w{8}…\) · ", done.out)
    assert "note    n.csv: the columns are put in the order of the rows, (1, 0), which may change the sign" in done.out
    (here / "n.csv").write_text(",x,y\nx,1,2\ny,3,5\n", encoding="utf-8")
    done = run("determinant --matrix n.csv")
    assert re.match(r"PROVED  det M = -1\nfor     matrix of n\.csv \(sha256 \w{8}…\) · ", done.out)
    assert "order" not in done.out


def test_where_something_is_not_defined(here):
    done = run(["determinant", "--matrix", "m.csv", "--formula", "1/(a^2+a-1)"])
    assert done.code == 1
    assert "an entry's denominator 1 - 2*a is zero at a = 1/2" in done.out
    assert "the formula's divisor a^2 + a - 1 is zero at a = " in done.out
    ends = run(["determinant", "--matrix", "m.csv", "--formula", "1/(a^2+a-1)", "--json"]).json["undefined"]
    assert ends[0]["at"] == "1/2"
    assert ends[1]["at"]["poly"] in (["-1", "1", "1"], [-1, 1, 1])


HOSTILE = ["__import__('os').system('id')", "(" * 10_000 + "a" + ")" * 10_000, "beta", "x0", "1_0", "١", ""]


@pytest.mark.parametrize("formula", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_formulas_are_malformed_input_with_a_position(here, formula):
    done = run(["determinant", "--matrix", "geometric:n=2", "--formula", formula])
    assert done.code == 3
    assert "(at character " in done.err
    assert len(done.err) < 600
    answer = json.loads(run(["determinant", "--matrix", "geometric:n=2", "--formula", formula, "--json"]).out)
    assert answer["error_type"] == "ExpressionSyntaxError"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("determinant", 2, "--matrix"),
        ("determinant --matrix nonsense.csv", 2, "there is no file"),
        ("determinant --matrix uniform:n=100", 4, "takes 104,060,401 steps; the limit is 100,000,000"),
        ("determinant --matrix geometric-prime:n=9999999999999", 4, "has 10^25 or more numbers; the limit is 5,000,000"),
        ("determinant --matrix geometric:n=2 --formula 2**(10**9)", 4, "has a number of 602,060,001 digits; the limit is 4,000,000"),
        ("determinant --matrix geometric-prime:m=3", 3, "geometric-prime:n=5"),
        ("determinant --matrix geometric:n=2 --column 3", 3, "there is no column 3"),
        ("determinant --matrix geometric:n=2 --formula a*x0", 3, "--column"),
        ("determinant --matrix bad.csv", 3, "row 0, column 1 (line 1): '2a'"),
        ("determinant --matrix wide.csv", 3, "square"),
        ("determinant --matrix ragged.csv", 3, "row 1 (line 2) has 1 entries"),
        ("determinant --matrix zero.csv", 3, "divides by a - a, which is zero"),
        ("determinant --matrix empty.csv", 3, "empty"),
        ("determinant --matrix deep.json", 3, "JSON"),
        ("determinant --matrix null.json", 3, "row 0, column 0: null"),
    ],
)
def test_what_is_refused(here, words, code, message):
    for name, content in {
        "bad.csv": "1,2a\n1,1\n",
        "wide.csv": "1,a\n",
        "ragged.csv": "1,a\n1\n",
        "zero.csv": "1/(a-a)\n",
        "empty.csv": "\n",
        "deep.json": "[" * 100_000,
        "null.json": "[[null]]",
    }.items():
        (here / name).write_text(content, encoding="utf-8")
    done = run(words)
    assert done.code == code, done
    assert message in done.err
