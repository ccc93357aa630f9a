# SPDX-License-Identifier: MIT
"""The proved checker on claims about privacy types: neighbours in several parts, missing pairs, distances
that are fractions.

The answers are worked out by hand: on two inputs at level 1/2 the posteriors are multiples of (2, 1), (1, 2)
and what lies between them; an input of its own has one posterior.
"""

from __future__ import annotations

import json
import subprocess

import pytest
from certificate_pool import mech, seal
from proved_checker import EDPCHECK, needs_edpcheck
from types_pool import POOL

KINDS = {
    "capacity",
    "type-capacity",
    "refinement-order",
    "kernel-mechanism",
    "not-kernel-mechanism",
    "kernel-mixtures",
    "refines-mixture",
}
INPUTS = [str(i) for i in range(4)]

RESPONSES = mech([["2/3", "1/3", 0, 0], ["1/3", "2/3", 0, 0], [0, 0, "2/3", "1/3"], [0, 0, "1/3", "2/3"]])
SPLIT = mech([["1/3", "1/3", "1/3", 0, 0], ["1/6", "2/3", "1/6", 0, 0], [0, 0, 0, "2/3", "1/3"], [0, 0, 0, "1/3", "2/3"]])
"""The first column of RESPONSES in two halves."""
TOGETHER = mech([["2/3", "1/3"], ["1/3", "2/3"], ["2/3", "1/3"], ["1/3", "2/3"]])
"""Each column is the sum of a ray of one pair and a ray of the other."""
PARTS = mech([[1, 0], [1, 0], [0, 1], [0, 1]])
APART = mech([["2/3", "1/3", 0, 0], ["1/3", "2/3", 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
TWICE = mech([["2/3", "1/3", 0, 0], ["1/3", "2/3", 0, 0], [0, 0, "1/2", "1/2"], [0, 0, "1/2", "1/2"]])
MECHANISMS = {"responses": RESPONSES, "split": SPLIT, "together": TOGETHER, "parts": PARTS, "apart": APART, "twice": TWICE}

TWO_PAIRS = {"type": "graph", "vertices": INPUTS, "edges": [[0, 1], [2, 3]]}
ONE_PAIR = {"type": "graph", "vertices": INPUTS, "edges": [[0, 1]]}
HALVES = {"type": "distances", "vertices": INPUTS, "pairs": [[0, 1, "1/2"], [2, 3, "1/2"]]}
THIRDS = {"type": "distances", "vertices": INPUTS, "pairs": [[0, 1, "2/3"], [2, 3, "1/3"]]}

KERNELS = [
    (TWO_PAIRS, "1/2", {"responses", "split"}, {"together", "parts", "twice"}),
    (HALVES, "1/4", {"responses", "split"}, {"together", "parts", "twice"}),
    # 1/4 between the first two, 1/2 between the others: 2/3 and 1/3 are not as far apart as they may be
    (THIRDS, "1/8", set(), {"responses", "split", "together", "parts", "twice"}),
    # the last two inputs are not constrained: each must have outputs of its own
    (ONE_PAIR, "1/2", {"apart"}, {"responses", "split", "together", "parts", "twice"}),
    # the square root of 1/2 is not rational
    (HALVES, "1/2", set(), set()),
]
"""Neighbours, a level, what is a kernel mechanism there, and what is private and none."""


def answer(path, certificate):
    path.write_text(json.dumps(certificate), encoding="utf-8")
    return subprocess.run([str(EDPCHECK), str(path)], capture_output=True, check=False).returncode


@needs_edpcheck
def test_each_kind_is_accepted(tmp_path):
    mine = [(kind, json.loads(certificate.to_json())) for kind, certificate in POOL if kind in KINDS]
    assert {kind for kind, _ in mine} == KINDS
    assert [kind for kind, value in mine if answer(tmp_path / "c.json", value) != 0] == []


@needs_edpcheck
@pytest.mark.parametrize(("neighbours", "level", "kernels", "others"), KERNELS)
def test_neighbours_in_parts(neighbours, level, kernels, others, tmp_path):
    accepted: dict[str, set[str]] = {"kernel-mechanism": set(), "not-kernel-mechanism": set()}
    for kind, found in accepted.items():
        for name, mechanism in MECHANISMS.items():
            claim = {"kind": kind, "neighbours": "N", "level": level, "mechanism": "M"}
            certificate = {
                "format": "exactdp-certificate",
                "version": "0.2",
                "claim": claim,
                "definitions": {"N": neighbours, "M": mechanism},
                "witness": {},
            }
            if answer(tmp_path / "c.json", seal(certificate)) == 0:
                found.add(name)
    assert accepted == {"kernel-mechanism": kernels, "not-kernel-mechanism": others}
