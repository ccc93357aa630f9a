# SPDX-License-Identifier: MIT
"""``exactdp optimal`` with letters: a value, a mechanism and a dual from elsewhere, submitted together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import run
from places import in_folder

from exactdp.checker import kernel

VALUE = "a*c/(a+c)"
ASKED = ["optimal", "--graph", "path:2", "--alpha", "a", "--loss", "loss.csv"]
SMALL, ALL = ["--letters", "0 < a < 1, 0 < c <= 1"], ["--letters", "0 < a < 1", "--letters", "c > 0"]
GIVEN = ["--mechanism", "by-hand.csv", "--dual", "dual.csv", "--claimed-value", VALUE]


here = in_folder(
    {
        "loss.csv": "0,1\nc,0\n",
        "by-hand.csv": f"1-{VALUE},{VALUE}\na/(a+c),c/(a+c)\n",
        "dual.csv": "weight,0,,,c/(a+c)\nweight,1,,,a/(a+c)\n",
        "half.csv": "weight,0,,,1/2\nweight,1,,,1/2\n",
    }
)


def kernels(path):
    return subprocess.run([sys.executable, "-I", str(Path(kernel.__file__)), path], capture_output=True, text=True, check=False)


def test_value_mechanism_and_dual_are_proved_for_every_point(here):
    done = run([*ASKED, *SMALL, *GIVEN, "-o", "c.json"])
    assert done.code == 0
    assert "every a, c with 0 < a < 1, 0 < c <= 1" in done.about
    assert f"note    {VALUE} is the least loss" in done.out
    checked = kernels("c.json")
    assert checked.returncode == 0
    assert "Scope: every a, c" in checked.stdout
    by_position = run([*ASKED[:1], "by-hand.csv", *ASKED[1:], *SMALL, *GIVEN[2:], "--json"])
    assert by_position.code == 0
    assert by_position.json["value"] == "a*c/(a + c)"
    assert by_position.json["scope"] == "every a, c with 0 < a < 1, 0 < c <= 1"


@pytest.mark.mostly_slow(2)
@pytest.mark.parametrize("given", [GIVEN, GIVEN[2:], GIVEN[4:], GIVEN[:2], GIVEN[:4]])
def test_on_a_larger_region_what_is_wrong_is_refuted_at_a_point(here, given):
    done = run([*ASKED, *ALL, *given, "-o", "c.json"])
    assert done.code == 1
    assert "a = 1/4, c = 2" in done.out
    checked = kernels("c.json")
    assert checked.returncode == 0
    assert "Scope: one point, a = 1/4, c = 2, of every a, c" in checked.stdout
    assert "at the point" in done.out
    assert run([*ASKED, *ALL, *given, "--json"]).json["point"] == {"a": "1/4", "c": "2"}


def test_a_wrong_value_is_refuted_with_the_formula(here):
    done = run([*ASKED, *SMALL, *GIVEN[:-1], "a*c/(1+a*c)", "-o", "c.json"])
    assert done.code == 1
    assert "that is a*c/(a + c); at a = 1/2, c = 1/2 that is 1/4, and the claimed value 1/5" in done.sentence
    assert done.first == "REFUTED  least loss a*c/(a + c), not a*c/(1+a*c)"
    assert "they differ: at a = 1/2, c = 1/2 it is 1/4, and the claimed value 1/5" in done.about
    assert kernels("c.json").returncode == 0


def test_a_dual_without_one_bound_leaves_the_mechanism_undecided(here):
    done = run([*ASKED, *SMALL, "--mechanism", "by-hand.csv", "--dual", "half.csv"])
    assert done.code not in {0, 1}
    assert "UNDECIDED" in done.out
    assert "the dual as given was not used: no guess is the best one everywhere" in done.out


def test_a_dual_alone_is_compared_with_the_optimum(here):
    done = run([*ASKED, *SMALL, "--dual", "dual.csv"])
    assert done.code == 0
    assert "missing to the optimum  0" in done.out
    half = run([*ASKED, *SMALL, "--dual", "half.csv"])
    assert half.code == 0
    assert "missing to the optimum" in half.out


def test_letters_that_are_numbers_stand_in_values_and_duals(here):
    letters = ["--letters", "0 < a < 1, c = 1/2"]
    done = run([*ASKED, *letters, *GIVEN])
    assert done.code == 0, done.err
    assert "a/(2*a + 1)" in done.out


def test_one_standard_input_is_read_once(here):
    done = run([*ASKED, *SMALL, "--dual", "-"], stdin=Path("dual.csv").read_bytes())
    assert done.code == 0
    assert "missing to the optimum  0" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*ASKED, *SMALL, "by-hand.csv", "--mechanism", "by-hand.csv"], "MECHANISM and --mechanism are one thing"),
        ([*ASKED, *SMALL, "--unique"], "--unique is about numbers, and here a, c are letters"),
        ([*ASKED, *SMALL, "by-hand.csv", "--own-level"], "--own-level is about numbers"),
        ([*ASKED, "--letters", "0 < a < 1", "--dual", "dual.csv"], "c, about which nothing is assumed"),
        ([*ASKED, *SMALL, "--claimed-value", "1/(2*a-1)"], "its denominator is 0 at a = 1/2, c = 1/2"),
        ([*ASKED, *SMALL, "--claimed-value", "p"], "the claimed value: 'p' has the letter p"),
        ([*ASKED, "--letters", "0 < a < 1, 1 < c < 1/2"], "--letters"),
    ],
)
def test_what_is_refused(here, words, message):
    done = run(words)
    assert done.code in {2, 3}, done.out  # the command line, or what it names
    assert message in done.err
