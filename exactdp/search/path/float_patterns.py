# SPDX-License-Identifier: MIT
"""Float proposals of the pattern of a minimax optimum on a path, which the caller checks.

Both maximise Σ_j s_j b_j over weights λ on the inputs, with b_j ≤ f_r(j) = Σ_i λ_i a^|i−j| l(i,r). The rows
(j, r) are added while the solution breaks one.

For |i−r| and (i−r)² (:func:`propose_pattern`) it is written in moments. In the weights alone it has
coefficients a^|i−j|, which a float solver drops when they are small. In the moments to the left and to the
right, P_j = Σ_{i ≤ j} a^(j−i) λ_i, P¹_j = Σ_{i<j} a^(j−i) (j−i) λ_i and their mirror images Q, Q¹, every row
has at most seven entries, none of them tiny::

    f_r(j) = (i−j)-moment + (r−j) u_j + 2 a^(r−j) Q¹_r        for |i−r| and r ≥ j,  u_j = P_j + Q_j − λ_j
    f_r(j) = (i−j)²-moment − 2 (r−j) (Q¹_j − P¹_j) + (r−j)² u_j    for (i−r)²

The first terms don't depend on r, so they go to the objective.

For any loss with single crossings (:func:`propose_from_rows`) it is written in λ itself. What is smaller than
a double resolves is proposed wrongly; the caller has :mod:`exactdp.search.path.remap_simplex` for the rest.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from exactdp.exact.power_sums import moments, power_sums
from exactdp.lp.highs import FloatProgram, GrowingProgram, compressed
from exactdp.search.path.path_problem import Pattern

ROUNDS = 60
"""How often rows are added to the program in moments."""
TINY = 1e-9
"""A row counts as broken by more than this part of it."""
COARSE = 120
"""From so many inputs on, a path a quarter as long is solved first."""
SPREAD = 2
"""So many guesses on either side of the one that the coarser path proposes are listed at first."""
ROW_ROUNDS = 50
"""How often rows are added to the program in λ."""
CLEAR = 1e-10
"""A row counts as broken there by more than this part of it."""


def propose_pattern(n: int, a: float, kind: str, known: Sequence[bool], attempt: int = 0) -> Pattern | None:
    """The pattern of the vertex at which HiGHS stops, or None without HiGHS.

    * ``n``: at least 1.
    * ``kind``: the loss, one of :data:`PROGRAMS`.
    * ``known``: which inputs are in S.
    * ``attempt``: another number, another way of the solver through degenerate vertices.
    """
    try:
        return PROGRAMS[kind](n, a, known, attempt).pattern(_first_rows(n, a, kind, known))
    except ImportError:
        return None


def _first_rows(n: int, a: float, kind: str, known: Sequence[bool]) -> set[tuple[int, int]]:
    """Guesses near j; on a long path those near the best guesses of a quarter of it, at the level a⁴."""
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


class _Program(ABC):
    """Maximise Σ_j s_j b_j. Columns: λ, P, Q, P¹, Q¹, b, a block of n + 1 each."""

    def __init__(self, n: int, a: float, known: Sequence[bool], attempt: int) -> None:
        self.n, self.a = n, a
        size = self.size = n + 1
        self.rows: list[tuple[int, int]] = []
        lower = [0.0] * (5 * size) + [-math.inf] * size
        upper = [math.inf if k else 0.0 for k in known] + [math.inf] * (5 * size)
        entries, right = self._definitions()
        self.solver = GrowingProgram(FloatProgram(self._costs(), lower, upper, right, right, *compressed(entries)), attempt)
        self.fixed_rows = len(entries)

    def _scale(self, j: int) -> float:
        return 1 / (1 + self.a) if j in (0, self.n) else (1 - self.a) / (1 + self.a)

    def _costs(self) -> list[float]:
        """Minus the objective; the part of f_r(j) without r enters by P¹ and Q¹, or by λ for (i−r)²."""
        size = self.size
        scales = [self._scale(j) for j in range(size)]
        costs = [0.0] * (5 * size) + [-s for s in scales]
        for i, x in enumerate(self._common_costs(scales)):
            costs[i] = -x
        return costs

    @abstractmethod
    def _common_costs(self, scales: list[float]) -> list[float]:
        """What the part of f_r(j) without r adds to the objective for each λ, if not by P¹ and Q¹."""

    @abstractmethod
    def _terms(self, j: int, r: int) -> dict[int, float]:
        """f_r(j) without its common part, less b_j, with the terms that vanish."""

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
        return {k: float(v) for k, v in self._terms(j, r).items() if v}

    def _add(self, pairs: Iterable[tuple[int, int]]) -> None:
        fresh = list(pairs)
        self.solver.add([self._row(j, r) for j, r in fresh])
        self.rows += fresh

    def pattern(self, listed: set[tuple[int, int]]) -> Pattern | None:
        """Solve with these rows, adding what is broken, and read the basis."""
        self._add(sorted(listed))
        for _ in range(ROUNDS):
            x = self.solver.solve()
            if x is None:
                return None
            wanted = {(j, r) for j, r in self._broken(x)} - listed
            if not wanted:
                break
            listed |= wanted
            self._add(sorted(wanted))
        return _read(self.solver, self.fixed_rows, self.n, range(self.size), self.rows)

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


class _Absolute(_Program):
    """|i−r|."""

    def _common_costs(self, scales: list[float]) -> list[float]:
        return []

    def _terms(self, j: int, r: int) -> dict[int, float]:
        d = abs(r - j)
        lam, p, q, p1, q1, b = (k * self.size for k in range(6))
        near, far = (p1, q1) if r >= j else (q1, p1)
        row: dict[int, float] = {p + j: d, q + j: d, lam + j: -d, b + j: -1, near + j: 1, far + j: -1}
        row[far + r] = row.get(far + r, 0) + 2 * self.a**d
        return row


class _Squared(_Program):
    """(i−r)²."""

    def _common_costs(self, scales: list[float]) -> list[float]:
        return _spread_of_squares(self.a, scales)

    def _terms(self, j: int, r: int) -> dict[int, float]:
        d = r - j
        lam, p, q, p1, q1, b = (k * self.size for k in range(6))
        return {p + j: d * d, q + j: d * d, lam + j: -d * d, p1 + j: 2 * d, q1 + j: -2 * d, b + j: -1}


PROGRAMS: dict[str, type[_Program]] = {"abs": _Absolute, "squared": _Squared}
"""The losses that have a program in moments; others have one in λ."""


def _spread_of_squares(a: float, scales: list[float]) -> list[float]:
    """Σ_j a^|i−j| (i−j)² s_j for every i."""
    left, right = moments(a, 1, scales, 2)[2], moments(a, 1, scales[::-1], 2)[2][::-1]
    return [x + y for x, y in zip(left, right, strict=True)]


def propose_from_rows(n: int, a: float, known: Sequence[int], losses: Sequence[Sequence[float]]) -> Pattern | None:
    """The pattern of the vertex at which HiGHS stops, or None without HiGHS.

    * ``n``: the largest input and output, at least 1.
    * ``known``: s.
    * ``losses``: l(i, ·) for i ∈ S.
    """
    size = len(known)
    lower, upper = [0.0] * size + [-math.inf] * (n + 1), [math.inf] * (size + n + 1)
    cost = [0.0] * size + [-1 / (1 + a) if j in (0, n) else -(1 - a) / (1 + a) for j in range(n + 1)]
    try:
        solver = GrowingProgram(FloatProgram(cost, lower, upper, [1.0], [1.0], *compressed([dict.fromkeys(range(size), 1.0)])))
    except ImportError:
        return None
    power = [a**k for k in range(n + 1)]
    weights, heights = [1 / size] * size, [math.inf] * (n + 1)
    listed: list[tuple[int, int]] = []
    for _ in range(ROW_ROUNDS):
        fresh = sorted(_broken(n, a, known, losses, weights, heights).difference(listed))
        if not fresh:
            break
        solver.add([_row(j, r, known, losses, power) for j, r in fresh])
        listed += fresh
        x = solver.solve()
        if x is None:
            return None
        weights, heights = x[:size], x[size:]
    return _read(solver, 1, n, known, listed)


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
        f.append(power_sums(a, c))
    found: set[tuple[int, int]] = set()
    for j in range(n + 1):
        best = min(range(guesses), key=lambda r, j=j: f[r][j])  # type: ignore[misc]
        if f[best][j] < heights[j] - CLEAR * abs(f[best][j]):
            found.update((j, r) for r in range(max(0, best - 1), min(guesses - 1, best + 1) + 1))
    return found


def _row(j: int, r: int, known: Sequence[int], losses: Sequence[Sequence[float]], power: list[float]) -> dict[int, float]:
    """f_r(j) − b_j; ≥ 0."""
    row = {k: value for k, (i, loss) in enumerate(zip(known, losses, strict=True)) if (value := power[abs(i - j)] * loss[r])}
    row[len(known) + j] = -1.0
    return row


def _read(solver: GrowingProgram, fixed_rows: int, n: int, inputs: Sequence[int], listed: list[tuple[int, int]]) -> Pattern | None:
    """The pattern of the basis: which inputs have weight, and which listed rows are tight at each output."""
    basis = solver.basis()
    if basis is None:
        return None
    tight: list[list[int]] = [[] for _ in range(n + 1)]
    for (j, r), basic in zip(listed, basis.rows[fixed_rows:], strict=True):
        if not basic:
            tight[j].append(r)
    if not all(tight):
        return None
    support = [False] * (n + 1)
    for i, basic in zip(inputs, basis.columns, strict=False):
        support[i] = basic
    return Pattern(tuple(support), tuple(tuple(sorted(rs)) for rs in tight))
