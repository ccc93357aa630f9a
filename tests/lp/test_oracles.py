# SPDX-License-Identifier: MIT
"""Solvers that share nothing with ours find the same optimum."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from lp_cases import kind_or_value, program
from oracles import OPTIMUM, needs

from exactdp.lp.solve import solve


def random_program(seed: int):
    rng = random.Random(seed)
    n, m = rng.randint(1, 9), rng.randint(0, 10)
    top = rng.choice([1, 3, 1000])

    def number():
        return 0 if rng.random() < 0.4 else Fraction(rng.randint(-top, top), rng.randint(1, top))

    rows = [([number() for _ in range(n)], rng.choice([">=", ">=", "=="]), rng.choice([0, number()])) for _ in range(m)]
    if rng.random() < 0.7:
        rows.append(([-1] * n, ">=", -10))
    free = [j for j in range(n) if rng.random() < 0.15]
    return program([number() for _ in range(n)], rows, free)


@pytest.mark.slow
@pytest.mark.parametrize("oracle", [pytest.param(name, marks=needs(name)) for name in OPTIMUM])
def test_random_programs_agree(oracle):
    kinds = set()
    for seed in range(60):
        lp = random_program(seed)
        ours = kind_or_value(solve(lp))
        assert OPTIMUM[oracle](lp) == ours, f"seed {seed}"
        kinds.add(ours if isinstance(ours, str) else "optimal")
    assert kinds == {"optimal", "infeasible", "unbounded"}
