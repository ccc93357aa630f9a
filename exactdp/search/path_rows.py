# SPDX-License-Identifier: MIT
"""A float guess at the pattern of a minimax optimum on a path for any loss with single crossings: the problem in λ itself.

Maximise Σ_j s_j b_j with b_j ≤ Σ_i λ_i a^|i−j| l(i,r), rows (j, r) on demand. What is smaller than a double resolves is guessed
wrongly; the caller checks, and has :mod:`exactdp.exact.remap_simplex` for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.search.path_pattern import Pattern

__all__ = ["propose_from_rows"]

ROUNDS = 50
CLEAR = 1e-10


def propose_from_rows(n: int, a: float, known: Sequence[int], losses: Sequence[Sequence[float]]) -> Pattern | None:
    """The pattern of the vertex at which HiGHS stops, or None without HiGHS.

    Parameters
    ----------
    n : int
        The largest input and output, at least 1.
    a : float
        The level.
    known : sequence of int
        S.
    losses : sequence of rows of float
        l(i, ·) for i ∈ S.
    """
    try:
        import highspy
    except ImportError:
        return None
    solver: Any = highspy.Highs()
    for option, value in (
        ("output_flag", False),
        ("presolve", "off"),
        ("solver", "simplex"),
        ("threads", 1),
        ("small_matrix_value", 1e-12),
        ("primal_feasibility_tolerance", 1e-10),
        ("dual_feasibility_tolerance", 1e-10),
    ):
        solver.setOptionValue(option, value)
    size, inf = len(known), highspy.kHighsInf
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = size + n + 1, 1
    model.col_lower_, model.col_upper_ = [0.0] * size + [-inf] * (n + 1), [inf] * (size + n + 1)
    model.col_cost_ = [0.0] * size + [-1 / (1 + a) if j in (0, n) else -(1 - a) / (1 + a) for j in range(n + 1)]
    model.row_lower_ = model.row_upper_ = [1.0]
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = [0, size], list(range(size)), [1.0] * size
    solver.passModel(model)
    power = [a**k for k in range(n + 1)]
    weights, heights = [1 / size] * size, [inf] * (n + 1)
    listed: list[tuple[int, int]] = []
    for _ in range(ROUNDS):
        fresh = sorted(_broken(n, a, known, losses, weights, heights).difference(listed))
        if not fresh:
            break
        _add(solver, inf, fresh, known, losses, power)
        listed += fresh
        solver.run()
        x = list(solver.getSolution().col_value)
        if len(x) != size + n + 1:
            return None
        weights, heights = x[:size], x[size:]
    return _read(solver, highspy.HighsBasisStatus.kBasic, n, known, listed)


def _broken(
    n: int, a: float, known: Sequence[int], losses: Sequence[Sequence[float]], weights: list[float], heights: list[float]
) -> set[tuple[int, int]]:
    """The best guess and those beside it at every output where the weights break the row."""
    guesses = len(losses[0])
    f = []
    for r in range(guesses):
        c = [0.0] * (n + 1)
        for i, w, row in zip(known, weights, losses, strict=True):
            c[i] = w * row[r]
        left, right = c[:], c[:]
        for j in range(1, n + 1):
            left[j] += a * left[j - 1]
            right[n - j] += a * right[n - j + 1]
        f.append([x + y - z for x, y, z in zip(left, right, c, strict=True)])
    found: set[tuple[int, int]] = set()
    for j in range(n + 1):
        best = min(range(guesses), key=lambda r, j=j: f[r][j])  # type: ignore[misc]
        if f[best][j] < heights[j] - CLEAR * abs(f[best][j]):
            found.update((j, r) for r in range(max(0, best - 1), min(guesses - 1, best + 1) + 1))
    return found


def _add(
    solver: Any, inf: float, fresh: list[tuple[int, int]], known: Sequence[int], losses: Sequence[Sequence[float]], power: list[float]
) -> None:
    size = len(known)
    starts: list[int] = []
    index: list[int] = []
    values: list[float] = []
    for j, r in fresh:
        starts.append(len(index))
        for k, (i, row) in enumerate(zip(known, losses, strict=True)):
            value = power[abs(i - j)] * row[r]
            if value:
                index.append(k)
                values.append(value)
        index.append(size + j)
        values.append(-1.0)
    solver.addRows(len(fresh), [0.0] * len(fresh), [inf] * len(fresh), len(index), starts, index, values)


def _read(solver: Any, basic: Any, n: int, known: Sequence[int], listed: list[tuple[int, int]]) -> Pattern | None:
    basis = solver.getBasis()
    if not basis.valid:
        return None
    columns, rows = list(basis.col_status), list(basis.row_status)[1:]
    tight: list[list[int]] = [[] for _ in range(n + 1)]
    for (j, r), status in zip(listed, rows, strict=True):
        if status != basic:
            tight[j].append(r)
    if not all(tight):
        return None
    support = [False] * (n + 1)
    for i, status in zip(known, columns, strict=False):
        support[i] = status == basic
    return Pattern(tuple(support), tuple(tuple(sorted(rs)) for rs in tight))
