# SPDX-License-Identifier: MIT
"""Patterns of a minimax optimum on a path by a float solver, with rows (j, r) added while the solution breaks one.

The linear program is: maximise Σ_j s_j b_j with b_j ≤ f_r(j) = Σ_i λ_i a^|i−j| l(i,r). It is written twice:

* For any loss with single crossings, in λ itself. What is smaller than a double resolves comes out wrong; the
  caller checks, and has :mod:`exactdp.lp.remap_simplex` for the rest.
* For |i−r| and (i−r)², in moments, since a float solver drops coefficients a^|i−j| that are tiny. In the
  moments to the left and to the right, P_j = Σ_{i ≤ j} a^(j−i) λ_i, P¹_j = Σ_{i<j} a^(j−i) (j−i) λ_i and their
  mirror images Q, Q¹, every row has at most seven entries, none of them tiny::

    f_r(j) = (i−j)-moment + (r−j) u_j + 2 a^(r−j) Q¹_r             for |i−r| and r ≥ j,  u_j = P_j + Q_j − λ_j
    f_r(j) = (i−j)²-moment − 2 (r−j) (Q¹_j − P¹_j) + (r−j)² u_j    for (i−r)²

  The first terms don't depend on r, so they go to the objective.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactdp.model.loss import Kind
from exactdp.search.path.problem import Pattern

ROUNDS = 60
TINY = 1e-9
COARSE = 120
SPREAD = 2
DUAL, PRIMAL = 1, 4
"""HiGHS's numbers of its simplex methods."""


def propose_pattern(n: int, a: float, kind: Kind, known: Sequence[bool], attempt: int = 0) -> Pattern | None:
    """The pattern of the vertex at which HiGHS stops, or None without HiGHS.

    Parameters
    ----------
    n : int
        At least 1.
    a : float
        The level.
    kind : "abs" or "squared"
        The loss.
    known : sequence of bool
        Which inputs are in S.
    attempt : int
        Another number, another way of the solver through degenerate vertices.
    """
    try:
        import highspy
    except ImportError:
        return None
    return _Program(highspy, n, a, kind, known, attempt).pattern(_first_rows(n, a, kind, known))


def _first_rows(n: int, a: float, kind: Kind, known: Sequence[bool]) -> set[tuple[int, int]]:
    """Guesses near j on a short path; on a long one those near the best guesses of a path a quarter as long,
    at the level a⁴.
    """
    if n < COARSE:
        return {(j, r) for j in range(n + 1) for r in range(max(0, j - 1), min(n, j + 1) + 1)}
    short = n // 4
    near = [known[min(n, round(k * n / short))] for k in range(short + 1)]
    coarse = propose_pattern(short, a ** (n / short), kind, near)
    rows = set()
    for j in range(n + 1):
        k = min(short - 1, j * short // n)
        centre = float(j)
        if coarse is not None:
            low, high = (sum(coarse.guesses[i]) / len(coarse.guesses[i]) for i in (k, k + 1))
            centre = (low + (high - low) * (j * short / n - k)) * n / short
        rows |= {(j, r) for r in range(max(0, round(centre) - SPREAD), min(n, round(centre) + SPREAD) + 1)}
    return rows


class _Program:
    """Maximise Σ_j s_j b_j. Columns: λ, P, Q, P¹, Q¹, b, a block of n + 1 each."""

    def __init__(self, highspy: Any, n: int, a: float, kind: Kind, known: Sequence[bool], attempt: int) -> None:
        self.highspy, self.n, self.a, self.kind = highspy, n, a, kind
        size = self.size = n + 1
        self.rows: list[tuple[int, int]] = []
        self.solver = solver = highspy.Highs()
        for option, value in (
            ("output_flag", False),
            ("presolve", "off"),
            ("solver", "simplex"),
            ("threads", 1),
            ("random_seed", 7 * attempt),
            ("simplex_strategy", PRIMAL if attempt > 1 else DUAL),
            ("small_matrix_value", 1e-12),
            ("primal_feasibility_tolerance", 1e-10),
            ("dual_feasibility_tolerance", 1e-10),
        ):
            solver.setOptionValue(option, value)
        inf = highspy.kHighsInf
        model = highspy.HighsLp()
        model.num_col_ = 6 * size
        model.col_lower_ = [0.0] * (5 * size) + [-inf] * size
        model.col_upper_ = [inf if k else 0.0 for k in known] + [inf] * (5 * size)
        model.col_cost_ = self._costs()
        entries, right = self._definitions()
        model.num_row_ = len(entries)
        model.row_lower_ = model.row_upper_ = right
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        starts: list[int] = [0]
        index: list[int] = []
        values: list[float] = []
        for row in entries:
            index.extend(row)
            values.extend(row.values())
            starts.append(len(index))
        model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = starts, index, values
        solver.passModel(model)
        self.fixed_rows = len(entries)

    def _scale(self, j: int) -> float:
        return 1 / (1 + self.a) if j in (0, self.n) else (1 - self.a) / (1 + self.a)

    def _costs(self) -> list[float]:
        """Minus the objective; the terms of f_r(j) that don't depend on r enter through P¹ and Q¹, or through
        λ for (i−r)².
        """
        size = self.size
        scales = [self._scale(j) for j in range(size)]
        costs = [0.0] * (5 * size) + [-s for s in scales]
        if self.kind == "squared":
            for i, x in enumerate(_spread_of_squares(self.a, scales)):
                costs[i] = -x
        return costs

    def _definitions(self) -> tuple[list[dict[int, float]], list[float]]:
        size, a = self.size, self.a
        rows: list[dict[int, float]] = []
        for side in (0, 1):
            for k in range(size):
                j, before = (k, k - 1) if side == 0 else (self.n - k, self.n - k + 1)
                zeroth, first = (1 + side) * size, (3 + side) * size
                row, slope = {zeroth + j: 1.0, j: -1.0}, {first + j: 1.0}
                if k:
                    row[zeroth + before] = -a
                    slope |= {first + before: -a, zeroth + before: -a}
                rows += [row, slope]
        rows.append(dict.fromkeys(range(size), 1.0))
        return rows, [0.0] * (len(rows) - 1) + [1.0]

    def _row(self, j: int, r: int) -> dict[int, float]:
        """f_r(j) without its common part, less b_j; ≥ 0."""
        size, d = self.size, r - j
        lam, p, q, p1, q1, b = (k * size for k in range(6))
        row: dict[int, float]
        if self.kind == "squared":
            row = {p + j: d * d, q + j: d * d, lam + j: -d * d, p1 + j: 2 * d, q1 + j: -2 * d, b + j: -1}
        else:
            e = abs(d)
            row = {p + j: e, q + j: e, lam + j: -e, b + j: -1}
            near, far = (p1, q1) if d >= 0 else (q1, p1)
            row[near + j] = 1
            row[far + j] = -1
            row[far + r] = row.get(far + r, 0) + 2 * self.a**e
        return {k: float(v) for k, v in row.items() if v}

    def _add(self, pairs: Iterable[tuple[int, int]]) -> None:
        starts: list[int] = []
        index: list[int] = []
        values: list[float] = []
        fresh = list(pairs)
        for j, r in fresh:
            row = self._row(j, r)
            starts.append(len(index))
            index.extend(row)
            values.extend(row.values())
        self.solver.addRows(len(fresh), [0.0] * len(fresh), [self.highspy.kHighsInf] * len(fresh), len(index), starts, index, values)
        self.rows += fresh

    def pattern(self, listed: set[tuple[int, int]]) -> Pattern | None:
        """Solve with these rows, adding what is broken, and read the basis."""
        self._add(sorted(listed))
        for _ in range(ROUNDS):
            self.solver.run()
            x = list(self.solver.getSolution().col_value)
            if len(x) != 6 * self.size:
                return None
            wanted = {(j, r) for j, r in self._broken(x)} - listed
            if not wanted:
                break
            listed |= wanted
            self._add(sorted(wanted))
        return self._read()

    def _broken(self, x: list[float]) -> Iterable[tuple[int, int]]:
        """Where the best guess breaks its row: that guess and those beside it."""
        n, size = self.n, self.size
        for j in range(n + 1):
            best, r = self._best(x, j)
            if best < x[5 * size + j] - TINY * max(abs(best), 1e-30):
                yield from ((j, t) for t in range(max(0, r - 1), min(n, r + 1) + 1))

    def _best(self, x: list[float], j: int) -> tuple[float, int]:
        """The least f_r(j) without its common part, and the guess."""

        def cost(r: int) -> float:
            return sum(v * x[k] for k, v in self._row(j, r).items() if k != 5 * self.size + j)

        low, high = 0, self.n
        while low < high:  # convex in r
            middle = (low + high) // 2
            if cost(middle) <= cost(middle + 1):
                high = middle
            else:
                low = middle + 1
        return cost(low), low

    def _read(self) -> Pattern | None:
        basis = self.solver.getBasis()
        if not basis.valid:
            return None
        basic = self.highspy.HighsBasisStatus.kBasic
        columns, rows = list(basis.col_status), list(basis.row_status)[self.fixed_rows :]
        tight: list[list[int]] = [[] for _ in range(self.size)]
        for (j, r), status in zip(self.rows, rows, strict=True):
            if status != basic:
                tight[j].append(r)
        if not all(tight):
            return None
        return Pattern(tuple(s == basic for s in columns[: self.size]), tuple(tuple(sorted(rs)) for rs in tight))


def _spread_of_squares(a: float, scales: list[float]) -> list[float]:
    """Σ_j a^|i−j| (i−j)² s_j for every i."""

    def half(values: list[float]) -> list[float]:
        result, zeroth, first, second = [], 0.0, 0.0, 0.0
        for s in values:
            second = a * (second + 2 * first + zeroth)
            first = a * (first + zeroth)
            zeroth = a * zeroth + s
            result.append(second)
        return result

    return [x + y for x, y in zip(half(scales), half(scales[::-1])[::-1], strict=True)]


ROW_ROUNDS = 50
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
    for _ in range(ROW_ROUNDS):
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
