# SPDX-License-Identifier: MIT
"""ε = 0 beside a δ, and an ε that is in no field with a table's numbers: what the commands answer."""

import json
import math

import pytest
from click.testing import CliRunner
from places import in_folder

from exactdp.certificate import certificate
from exactdp.checker import check_bytes
from exactdp.checker.limits import Answer
from exactdp.cli import main

GEOMETRIC = "geometric:n=3,epsilon=1/2"


files = in_folder({"t.csv": "1/2,1/2\n51/100,49/100\n"}, autouse=True)


def planar(size):
    """A table of doubles on a grid of so many points a side."""
    points = [(a, b) for a in range(size) for b in range(size)]
    rows = []
    for p in points:
        weights = [math.exp(-0.5 * math.dist(p, q)) for q in points]
        rows.append(",".join(repr(w / sum(weights)) for w in weights))
    return "\n".join(rows)


def run(*words):
    return CliRunner().invoke(main, list(words))


def accepted(path="c.json"):
    result = run("verify", path)
    assert result.exit_code == 0, result.stdout
    return result.stdout


@pytest.mark.parametrize(("delta", "code"), [("1/100", 0), ("1/101", 1)])
@pytest.mark.parametrize("level", [["--epsilon", "0"], ["--alpha", "1"]])
def test_epsilon_0_beside_a_delta(delta, code, level):
    result = run("delta", "t.csv", "--graph", "path", *level, "--delta", delta, "-o", "c.json")
    assert result.exit_code == code
    assert ("so private with δ = " in result.stdout, "so not private with δ = " in result.stdout) == (code == 0, code == 1)
    assert "path:2 · ε = 0" in result.stdout
    assert "e^(−ε) = 1" in accepted()
    claims = [word.replace("--", "--claims-") for word in level]
    result = run("audit", "t.csv", "--graph", "path", *claims, "--claims-delta", delta, "-o", "c.json", "--html", "page.html")
    assert result.exit_code == code
    assert f"(ε = 0, δ = {delta})-private" in result.stdout
    assert "e^(−ε) = 1" in accepted()


def test_the_least_delta_at_epsilon_0():
    data = json.loads(run("delta", "t.csv", "--graph", "path", "--epsilon", "0", "--json").stdout)
    assert data["delta"] == "1/100"
    assert data["level"] == {"alpha": "1", "epsilon": "0"}


def test_what_is_refused_at_epsilon_0_says_what_decides_it():
    result = run("privacy", "t.csv", "--graph", "path", "--epsilon", "0")
    assert result.exit_code == 3
    assert "beside a δ > 0 it does not: is_approximately_private, and exactdp delta --epsilon 0" in result.stderr


@pytest.mark.parametrize(("epsilon", "code"), [("0.49999", 1), ("0.50001", 0)])
def test_private_at_an_epsilon_near_the_own(epsilon, code):
    result = run("privacy", GEOMETRIC, "--epsilon", epsilon, "-o", "c.json")
    assert result.exit_code == code
    word = "not private" if code else "private"
    assert f"smallest ε = 1/2, so {word} at ε = {epsilon}\n" in result.stdout
    assert "this implies that it is" in result.stdout
    assert "The largest level at which" in accepted()


def test_delta_at_an_epsilon_near_the_own():
    result = run("delta", GEOMETRIC, "--epsilon", "0.50001", "-o", "c.json")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "PROVED  least δ 0"
    accepted()
    result = run("delta", GEOMETRIC, "--epsilon", "0.49999")
    assert result.exit_code == 4
    assert "whether a given δ is enough is decided" in result.stdout
    result = run("delta", GEOMETRIC, "--epsilon", "0.49999", "--delta", "1/100", "-o", "c.json")  # what it says is possible
    assert result.exit_code == 0
    assert "was compared with that as a number" in result.stdout
    accepted()
    assert run("delta", GEOMETRIC, "--epsilon", "0.49999", "--delta", "1/10000000").exit_code == 1
    words = ["audit", GEOMETRIC, "--claims-epsilon", "0.49999", "--claims-delta", "1/100", "-o", "c.json", "--html", "page.html"]
    assert run(*words).exit_code == 0
    accepted()


DOUBLES = ["privacy", "grid.csv", "--graph", "euclid:7x7", "--dyadic", "--rounding", "1e-9", "--epsilon", "4/5", "-o", "c.json"]
"""A question about doubles on a Euclidean grid at an ε: a generator for each root."""


def test_doubles_on_a_euclidean_grid_have_the_certificate_that_was_asked(tmp_path):
    (tmp_path / "grid.csv").write_text(planar(7), encoding="utf-8")
    result = run(*DOUBLES)
    assert result.exit_code == 0, result.stderr
    assert "this implies" not in result.stdout
    assert "The mechanism M is (α = t)-private on distances N." in accepted()


def test_the_certificate_of_the_level_is_written_where_the_other_one_is_too_large(tmp_path, monkeypatch):
    (tmp_path / "grid.csv").write_text(planar(7), encoding="utf-8")
    limit = Answer("limit", "the limit of 1 work is exceeded: 2", rule="work")
    monkeypatch.setattr(certificate, "check_bytes", lambda data: limit if b'"kind": "private"' in data else check_bytes(data))
    result = run(*DOUBLES)
    assert result.exit_code == 0, result.stderr
    assert "the certificate says that its tightest level is" in result.stdout
    assert "this implies that it is (ε = 4/5)-private" in result.stdout
    assert "The largest level at which" in accepted()


@pytest.mark.parametrize("command", ["audit", "delta"])
def test_help_offers_no_distances_that_are_refused(command):
    shown = " ".join(run(command, "--help").stdout.split())
    assert "euclid" not in shown
    assert "distances that are 1 or inf" in shown
    assert "euclid" in run("privacy", "--help").stdout


def test_t_stands_for_one_number_in_an_answer():
    text = run("privacy", GEOMETRIC, "--epsilon", "0.49999").stdout
    asked = text[text.index("level asked") : text.index("tightest level  ")]
    assert "e^(−0.49999)" in asked
    assert "its α         t" not in asked
