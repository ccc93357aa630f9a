# SPDX-License-Identifier: MIT
"""Entries compared side by side, and numbers above powers: what the rule for listed tables goes through."""

from __future__ import annotations

import json
from decimal import Decimal, localcontext
from fractions import Fraction as F

import pytest
from certificate_pool import certificate, vec
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_checker import decide

from exactdp.checker import check_bytes
from exactdp.checker.limits import WORK
from exactdp.checker.matrices import Matrix
from exactdp.checker.powers import power_above

LEVELS = [F(1, 2), F(2, 3), F(99, 100), F(1, 10**9), F(10**9 - 1, 10**9), F(1)]
SQUARES = [F(1), F(4), F(1, 4), F(2), F(1, 2), F(10**4), F(3, 10**6), F(7, 3)]


@pytest.fixture(autouse=True)
def work():
    token = WORK.set([0, 0])
    yield
    WORK.reset(token)


@given(st.data())
def test_cells_below_are_those_of_the_definition(data):
    height, width = data.draw(st.integers(1, 4)), data.draw(st.integers(0, 5))
    number = st.sampled_from([0, 1, 2, 3, 255, 256, 2**40, 2**70 - 1])
    rows = [[data.draw(number) for _ in range(width)] for _ in range(height)]
    factors = [
        (
            data.draw(number),
            data.draw(number),
            data.draw(st.lists(st.tuples(st.integers(0, height - 1), st.integers(0, height - 1)), max_size=4)),
        )
        for _ in range(data.draw(st.integers(0, 3)))
    ]
    matrix = Matrix(width, 1, [{j: x for j, x in enumerate(row) if x} for row in rows])
    expected = [
        (k, i, j, r) for k, (P, Q, pairs) in enumerate(factors) for i, j in pairs for r in range(width) if Q * rows[i][r] < P * rows[j][r]
    ]
    token = WORK.set([0, 0])
    assert sorted(matrix.below(factors)) == sorted(expected)
    WORK.reset(token)


def test_wide_tables_are_gone_through_in_parts():
    """A row of so many long entries is several integers; each part has one cell that is below."""
    width = 5000
    matrix = Matrix(width, 1, [dict.fromkeys(range(width), 2**64 + 1), dict.fromkeys(range(width), 2**64)])
    for r in (0, 817, width - 1):
        matrix.rows[1][r] = 2**64 + 2
    assert [r for _, _, _, r in matrix.below([(1, 1, [(0, 1)])])] == [0, 817, width - 1]


@pytest.mark.parametrize("square", SQUARES)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("bits", "times"), [(1, 1), (1, 10**6), (40, 10**6), (400, 10**6)])
def test_a_number_above_a_power_is_not_below_it(level, square, bits, times):
    """Compared as logarithms of 60 digits. Near it are those for many comparisons of long numbers."""
    P, Q = power_above(level, square, bits, times)
    with localcontext(prec=80):
        root = (Decimal(square.numerator) / square.denominator).sqrt()
        power = root * (Decimal(level.numerator) / level.denominator).ln()
        excess = (Decimal(P) / Q).ln() - power
    assert excess >= -(Decimal(10) ** -50)
    near = Decimal(1) / 64
    assert excess < near or times == 1 or -power > bits / 2
    assert 0 < P <= Q


ENTRIES = st.sampled_from([F(0), F(1), F(1, 2), F(1, 4), F(1, 8), F(1, 3), F(1, 9), F(2, 3), F(5, 12)])
DISTANCES = st.sampled_from(["1", "2", "1/2", "3", "sqrt(2)", "sqrt(1/2)", "sqrt(5)", "200"])


@settings(max_examples=300)
@given(st.data())
def test_listed_tables_are_private_where_the_naive_checker_says_it(data):
    """With ties, zeros, repeated distances and outputs enough for a bound of a power."""
    height, copies = data.draw(st.integers(1, 4)), data.draw(st.sampled_from([1, 30]))
    columns = [data.draw(st.lists(ENTRIES, min_size=height, max_size=height)) for _ in range(data.draw(st.integers(1, 3)))]
    rest = [1 - sum(row) / 4 for row in zip(*columns, strict=True)]
    rows = [
        [x / 4 / copies for x in row for _ in range(copies)] + [last] for row, last in zip(zip(*columns, strict=True), rest, strict=True)
    ]
    pairs = [[i, j, data.draw(DISTANCES)] for i in range(height) for j in range(i + 1, height) if data.draw(st.booleans())]
    labels = [f"i{i}" for i in range(height)]
    definitions = {
        "M": {"type": "mechanism", "inputs": labels, "outputs": [f"o{r}" for r in range(len(rows[0]))], "rows": [vec(row) for row in rows]},
        "N": {"type": "distances", "vertices": labels, "pairs": pairs},
    }
    level = data.draw(st.sampled_from(["1/2", "1/3", "1/4", "99/100"]))
    file = certificate({"kind": "private", "mechanism": "M", "neighbours": "N", "level": level}, definitions, {})
    assert check_bytes(json.dumps(file).encode()).status == ("accepted" if decide(file) else "rejected")
