# SPDX-License-Identifier: MIT
"""Programs on which the simplex method is known to run in circles without an anti-cycling rule."""

from __future__ import annotations

import pytest
from lp_cases import is_correct, program

from exactdp.exact import QQ
from exactdp.lp import solve as simplex_module
from exactdp.lp.problem import LinearProgram, Row
from exactdp.lp.solve import solve

BEALE = program(
    ["-3/4", 150, "-1/50", 6],
    [(["-1/4", 60, "1/25", -9], ">=", 0), (["-1/2", 90, "1/50", -3], ">=", 0), ([0, 0, -1, 0], ">=", -1)],
)
KUHN = program(
    [-2, -3, 1, 12],
    [([2, 9, -1, -9], ">=", 0), (["-1/3", -1, "1/3", 2], ">=", 0), ([-2, -3, 1, 12], ">=", -2)],
)
MARSHALL_SUURBALLE = program(
    ["-2/5", "-2/5", "9/5"],
    [(["-3/5", "32/5", "-24/5"], ">=", 0), (["-1/5", "9/5", "-3/5"], ">=", 0), (["-2/5", "8/5", "-1/5"], ">=", 0), ([0, -1, 0], ">=", -1)],
)
CHVATAL = program(
    [-10, 57, 9, 24],
    [(["-1/2", "11/2", "5/2", -9], ">=", 0), (["-1/2", "3/2", "1/2", -1], ">=", 0), ([-1, 0, 0, 0], ">=", -1)],
)


@pytest.mark.parametrize("patience", [0, 1, simplex_module.PATIENCE])
@pytest.mark.parametrize(
    ("lp", "value"),
    [(BEALE, QQ("-1/20")), (KUHN, QQ(-2)), (MARSHALL_SUURBALLE, QQ(-2)), (CHVATAL, QQ(-1))],
    ids=["Beale", "Kuhn", "Marshall-Suurballe", "Chvatal"],
)
def test_the_classic_cycles_end(lp, value, patience, monkeypatch):
    monkeypatch.setattr(simplex_module, "PATIENCE", patience)
    answer = solve(lp, proposer=None)
    assert is_correct(lp, answer)
    assert answer.value == value


def additive_metric(pi, A, B) -> LinearProgram:
    """max over gains g ≤ 1, the guess "0" included, of the posterior vulnerability of B minus that of A.

    One guess for each output of A (the best one there) and of B: maximise Σ_y⟨πB_y, g_y⟩ − Σ_y⟨πA_y, g_y⟩
    such that ⟨πA_y, g_y⟩ ≥ ⟨πA_y, g_w⟩ for all guesses w, and ≥ 0.
    """
    inputs, M, N = range(len(pi)), len(A[0]), len(B[0])
    joint = [[QQ(pi[x]) * QQ((A[x] + B[x])[y]) for x in inputs] for y in range(M + N)]
    size = len(pi)
    costs = {y * size + x: joint[y][x] if y < M else -joint[y][x] for y in range(M + N) for x in inputs}
    rows = []
    for y in range(M):
        own = {y * size + x: joint[y][x] for x in inputs}
        rows += [Row(own | {w * size + x: -joint[y][x] for x in inputs}, ">=", QQ(0)) for w in range(M + N) if w != y]
        rows.append(Row(own, ">=", QQ(0)))
    rows += [Row({k: QQ(-1)}, ">=", QQ(-1)) for k in costs]
    return LinearProgram(len(costs), costs, rows, frozenset(costs))


@pytest.mark.parametrize("highs", [False, True])
def test_the_refinement_distance_that_looped_in_libqif(highs):
    """libqif's test suite notes of this instance: simplex without Bland's rule looped; optimum
    18643/2220000.
    """
    lp = additive_metric(
        ["62/100", "3/100", "35/100"],
        [["1/10", "2/5", "1/10", "2/5"], ["1/5", "1/5", "3/10", "3/10"], ["1/2", "1/10", "1/10", "3/10"]],
        [["1/5", "11/50", "29/50"], ["1/5", "2/5", "2/5"], ["7/20", "2/5", "1/4"]],
    )
    answer = solve(lp) if highs else solve(lp, proposer=None)
    assert is_correct(lp, answer)
    assert answer.value == -QQ("18643/2220000")


def test_bland_alone_and_the_default_agree_on_a_highly_degenerate_program(monkeypatch):
    """All right-hand sides zero but one: the cone of a path with α = 1/2, cut by a simplex."""
    n, half = 8, QQ("1/2")
    rows = [Row({i: QQ(1), j: -half}, ">=", QQ(0)) for i in range(n) for j in (i - 1, i + 1) if 0 <= j < n]
    rows.append(Row({i: QQ(1) for i in range(n)}, "==", QQ(1)))
    lp = LinearProgram(n, {i: QQ((-1) ** i) for i in range(n)}, rows)
    default = solve(lp, proposer=None)
    monkeypatch.setattr(simplex_module, "PATIENCE", 0)
    assert solve(lp, proposer=None).value == default.value
