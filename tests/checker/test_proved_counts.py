# SPDX-License-Identifier: MIT
"""Counts of vertices and kernel mechanisms by the proved checker, against the definitions (SPEC §4.14).

The numbers are counted here from the definitions, by linear systems in fractions: a vertex is the only
point where some inequalities are equalities; the vertices of a kernel mechanism have one solution of
Σ w_v v = 1, and that with w > 0.
"""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
from itertools import combinations

import pytest
from proved_checker import EDPCHECK, needs_edpcheck

from exactdp.checker import digest_of

Pairs = list[tuple[int, int, Fraction]]

PLACES: dict[str, tuple[int, Pairs, Fraction]] = {
    "one input": (1, [], Fraction(1, 2)),
    "two inputs": (2, [(0, 1, Fraction(1))], Fraction(2, 3)),
    "no pairs": (3, [], Fraction(1, 3)),
    "two components": (3, [(0, 2, Fraction(1))], Fraction(1, 2)),
    "path": (3, [(0, 1, Fraction(1)), (1, 2, Fraction(1))], Fraction(1, 2)),
    "triangle": (3, [(0, 1, Fraction(1)), (0, 2, Fraction(1)), (1, 2, Fraction(1))], Fraction(1, 2)),
    "a long side": (3, [(0, 1, Fraction(1)), (0, 2, Fraction(3)), (1, 2, Fraction(1))], Fraction(1, 2)),
    "halves": (3, [(0, 1, Fraction(1, 2)), (0, 2, Fraction(1)), (1, 2, Fraction(3, 2))], Fraction(4, 9)),
    "star": (4, [(0, 3, Fraction(1)), (1, 3, Fraction(1)), (2, 3, Fraction(2))], Fraction(1, 2)),
    "square": (4, [(0, 1, Fraction(1)), (0, 3, Fraction(1)), (1, 2, Fraction(1)), (2, 3, Fraction(1))], Fraction(1, 2)),
}


def solution(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The solution of linear equations, the last number of a row on the right, if there is exactly one."""
    rows, width = [list(row) for row in rows], len(rows[0]) - 1
    for j in range(width):
        i = next((i for i in range(j, len(rows)) if rows[i][j]), None)
        if i is None:
            return None
        rows[i], rows[j] = rows[j], rows[i]
        rows[j] = [x / rows[j][j] for x in rows[j]]
        rows = [row if k == j else [x - row[j] * y for x, y in zip(row, rows[j], strict=True)] for k, row in enumerate(rows)]
    return None if any(row[-1] for row in rows[width:]) else [row[-1] for row in rows[:width]]


def power(level: Fraction, distance: Fraction) -> Fraction:
    """A fraction's power, for the levels of this file: squares when there are halves."""
    found = Fraction(float(level) ** float(distance)).limit_denominator(1000)
    assert found**distance.denominator == level**distance.numerator
    return found


def vertices_of(n: int, pairs: Pairs, level: Fraction) -> list[tuple[Fraction, ...]]:
    """The vertices of {δ ≥ 0, Σ δ = 1, δ_i ≥ α^d δ_j}: inequalities that are equalities at one point only."""
    one = [[Fraction(1)] * (n + 1)]
    sides = [[Fraction(k == i) for k in range(n)] + [Fraction(0)] for i in range(n)]
    for i, j, d in pairs:
        sides += [[(k == x) - (k == y) * power(level, d) for k in range(n)] + [Fraction(0)] for x, y in ((i, j), (j, i))]
    points = (solution(one + list(chosen)) for chosen in combinations(sides, n - 1))
    return sorted({tuple(v) for v in points if v and all(sum(a * x for a, x in zip(s, v, strict=False)) >= 0 for s in sides)})


def kernels_of(n: int, pairs: Pairs, level: Fraction) -> int:
    """How many sets of vertices have one solution of Σ w_v v = 1, and that with w > 0."""
    vertices = vertices_of(n, pairs, level)
    sets = (chosen for size in range(1, n + 1) for chosen in combinations(vertices, size))
    weights = (solution([[v[i] for v in chosen] + [Fraction(1)] for i in range(n)]) for chosen in sets if len(chosen) <= n)
    return sum(1 for w in weights if w and all(x > 0 for x in w))


def certificate(kind: str, n: int, pairs: Pairs, level: Fraction, count: int) -> bytes:
    """The bytes of a certificate of this count."""
    near = {"type": "distances", "vertices": [str(i) for i in range(n)], "pairs": [[i, j, str(d)] for i, j, d in pairs]}
    claim = {"kind": kind, "neighbours": "N", "level": str(level), "count": count}
    content: dict[str, object] = {
        "format": "exactdp-certificate",
        "version": "0.2",
        "claim": claim,
        "definitions": {"N": near},
        "witness": {},
    }
    return json.dumps({**content, "digest": digest_of(content)}).encode()


@needs_edpcheck
@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("kind", ["vertices", "kernel-count"])
def test_exactly_the_number_that_there_is(name, kind, tmp_path):
    place = PLACES[name]
    right = len(vertices_of(*place)) if kind == "vertices" else kernels_of(*place)
    answers = []
    for count in (right, right - 1, right + 1):
        file = tmp_path / f"{count}.edp.json"
        file.write_bytes(certificate(kind, *place, count))
        answers.append(subprocess.run([str(EDPCHECK), str(file)], capture_output=True, check=False).returncode)
    assert answers == [0, 1, 1]
