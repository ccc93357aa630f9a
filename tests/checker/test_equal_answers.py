# SPDX-License-Identifier: MIT
"""True certificates whose numbers are compared by chance, and short ones that could take long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction as F

import pytest
from certificate_pool import certificate

from exactdp.checker import check_bytes, kernel

LEVELS = {"above": "0", "below": "1"}


def answer(claim, definitions, witness):
    return check_bytes(json.dumps(certificate(claim, definitions, witness)).encode())


def table(*rows):
    return {"type": "mechanism", "inputs": ["0", "1"], "outputs": ["a", "b"], "rows": [{"den": den, "num": num} for den, num in rows]}


@pytest.mark.parametrize(("powers", "den"), [(1, 7), (1, 8), (1, 9), (2, 64), (2, 63), (1, 64), (3, 512)])
def test_denominators_whose_hashes_may_agree_are_not_compared(powers, den):
    """x is a number of 64 bits or more and 2^64 = 8 modulo 2^61 − 1; x − 8 has no sign on (7, 9)."""
    interval = {"above": str(den - 1), "below": str(den + 1)}
    x, less = ["0"] * powers + ["1"], ["-1"] + ["0"] * (powers - 1) + ["1"]
    definitions = {
        "N": {"type": "path", "vertices": 2},
        "x": {"type": "parameter", "interval": interval},
        "M": table((x, ["1", less]), (str(den), ["1", str(den - 1)])),
    }
    below = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/9000000"}
    found = answer(below, definitions, {})
    assert found.status == "accepted", found.sentence


@pytest.mark.parametrize(("den", "below"), [(["2", "-2"], "2/3"), (["2", "-2"], "1/2"), (["3", "-2"], "2/3"), (["2", "-1"], "9/10")])
@pytest.mark.parametrize("distance", ["1", "2", "3"])
def test_a_level_whose_denominator_may_be_one_has_powers(den, below, distance):
    definitions = {
        "N": {"type": "distances", "vertices": ["0", "1"], "pairs": [[0, 1, distance]]},
        "p": {"type": "parameter", "interval": {"above": "0", "below": below}},
        "M": table((["0", "1"], [["0", "1"], "0"]), ("1", ["1", "0"])),
    }
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": {"num": ["0", "1"], "den": den}}
    assert answer(claim, definitions, {}).status == "accepted"


def test_comparing_mixtures_is_announced(monkeypatch):
    e, other = [[2, 1, 1], [1, 2, 1], [1, 1, 2]], [[1, 2, 2], [2, 1, 2], [2, 2, 1]]

    def made(columns, den):
        rows = [{"den": str(den), "num": [str(column[x]) for column in columns]} for x in range(3)]
        return {"type": "mechanism", "inputs": ["0", "1", "2"], "outputs": [f"o{i}" for i in range(len(columns))], "rows": rows}

    def mixtures(count):
        definitions = {"N": {"type": "graph", "vertices": ["0", "1", "2"], "edges": [[0, 1], [0, 2], [1, 2]]}}
        definitions |= {"R": made(e, 4), "C": made(other, 5), "M": made(e + other, 9)}
        definitions |= {f"P{i}": made([e[i], other[i]], 3) for i in range(3)}
        listed = []
        for k in range(2, count + 2):
            first = [{"kernel": "R", "weight": str(F(4, 9 * k))}, {"kernel": "C", "weight": str(F(5, 9 * k))}]
            listed.append(first + [{"kernel": f"P{i}", "weight": str(F(k - 1, 3 * k))} for i in range(3)])
        claim = {"kind": "kernel-mixtures", "neighbours": "N", "level": "1/2", "mechanism": "M", "mixtures": listed}
        return answer(claim, definitions, {})

    assert mixtures(20).status == "accepted"
    monkeypatch.setitem(kernel.LIMITS, "work", 10**8)
    assert mixtures(20).status == "accepted"
    assert mixtures(600).status == "limit"  # 180 000 comparisons of five parts with five


def test_comparing_labels_is_announced(monkeypatch):
    labels = [str(i) for i in range(3000)]
    definitions = {
        "N": {"type": "graph", "vertices": labels, "edges": []},
        "A": {"type": "mechanism", "inputs": labels, "outputs": ["o"], "rows": [{"den": "1", "num": ["1"]}] * len(labels)},
    }
    claim = {"kind": "sequential-level", "neighbours": "N", "ratio": "1", "mechanisms": ["A"] * 3}
    monkeypatch.setitem(kernel.LIMITS, "work", 10**8)
    assert answer(claim, definitions, {}).status == "accepted"
    assert answer({**claim, "mechanisms": ["A"] * 30_000}, definitions, {}).status == "limit"


@pytest.mark.parametrize("field", [{"type": "exponential", "rate": "1/3", "roots": [1]}, {"type": "parameter", "interval": LEVELS}])
def test_a_geometric_mechanism_with_letters_is_of_ordinary_size(field):
    """Its products are of polynomials, which announce what they take; numbers as long would take more."""
    level = {"num": ["0", "1"], "den": "1"}
    definitions = {"t": field, "G": {"type": "geometric", "n": 80, "level": level}, "N": {"type": "path", "vertices": 81}}
    found = answer({"kind": "private", "mechanism": "G", "neighbours": "N", "level": level}, definitions, {})
    assert found.status == "accepted", found.sentence


def test_no_order_of_hashing_changes_what_work_is_announced(tmp_path):
    """The bound of a product's size depends on the order of its factors, and slots are doubled by it."""
    rows = []
    for i, degree in enumerate((1, 2, 4, 8, 16, 32), 1):
        den = [str(2**17 - i), *["0"] * (degree - 1), str(i)]
        rows.append({"den": den, "num": ["1", [str(2**17 - i - 1), *["0"] * (degree - 1), str(i)]]})
    labels = [str(i) for i in range(len(rows))]
    definitions = {
        "N": {"type": "graph", "vertices": labels, "edges": []},
        "x": {"type": "parameter", "interval": {"above": "0", "below": "1"}},
        "M": {"type": "mechanism", "inputs": labels, "outputs": ["a", "b"], "rows": rows},
    }
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}
    file = tmp_path / "c.edp.json"
    file.write_text(json.dumps(certificate(claim, definitions, {})), encoding="utf-8")
    told = "import sys; from exactdp.checker import kernel as k, limits; w = limits.within; worst = [0]\n"
    told += "def within(kind, size):\n    worst[0] = max(worst[0], size * (kind == 'work')); w(kind, size)\n"
    told += "limits.within = within; print(k.check_bytes(open(sys.argv[1], 'rb').read()).status, worst[0])"
    run = [sys.executable, "-c", told, str(file)]
    found = {
        subprocess.run(run, env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, text=True, check=True).stdout
        for seed in range(6)
    }
    assert len(found) == 1
    assert found.pop().startswith("accepted ")


def test_at_one_point_a_denominator_is_one_if_it_is_there():
    """x²/(2x) is x² at 1/2, and its square root x."""
    definitions = {
        "N": {"type": "distances", "vertices": ["0", "1"], "pairs": [[0, 1, "1/2"]]},
        "x": {"type": "parameter", "interval": {"at": "1/2"}},
    }
    claim = {"kind": "tight", "neighbours": "N", "level": {"num": ["0", "0", "1"], "den": ["0", "2"]}}
    assert answer(claim, definitions, {"diagonal": {"den": "3", "num": ["2", "2"]}}).status == "accepted"


def test_whether_a_denominator_is_one_is_asked_of_powers_of_the_letter_alone():
    """At x = √2, given by a reducible polynomial, the sign of x² − 2 is not found. The level is 1/(x + 1)."""
    definitions = {
        "N": {"type": "distances", "vertices": ["0", "1"], "pairs": [[0, 1, "2"]]},
        "x": {"type": "parameter", "interval": {"at": {"poly": ["10", "-2", "-5", "1"], "in": ["1", "2"]}}},
        "M": table(("2", ["1", "1"]), ("2", ["1", "1"])),
    }
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": {"num": ["-1", "1"], "den": ["-1", "0", "1"]}}
    assert answer(claim, definitions, {}).status == "accepted"
