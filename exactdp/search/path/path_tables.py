# SPDX-License-Identifier: MIT
"""Minimax problems on a path for any loss with single crossings, given as a table, exactly.

* The vertex of a pattern, checked in every sign: the weights on the support solve
  Σ_i λ_i a^|i−j| (l(i,t) − l(i,r)) = 0 for guesses r, t that tie next to each other at j, and Σ λ = 1; with
  the transposed matrix, the masses beyond each tie and the value make all losses on the support equal.
* The last resort, which always ends: the linear program in λ, with rows on demand, by exact pivots.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from exactdp.exact import ExactMatrix, Rational, integer_vector
from exactdp.exact.power_sums import power_sums, powers
from exactdp.lp.highs import Proposer, propose_basis
from exactdp.lp.problem import LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.runtime.progress import Listener, part_of
from exactdp.search.path.path_problem import PathProposal, Pattern


class TableProblem:
    """A minimax problem on 0..n whose loss is a table.

    * ``n``: at least 1.
    * ``alpha``: 0 < α < 1.
    * ``known``: which inputs are in S.
    * ``table``: l(i, r), a row for each input.
    """

    def __init__(self, n: int, alpha: Rational, known: Sequence[bool], table: Sequence[Sequence[Rational]]) -> None:
        self.n, self.alpha, self.known = n, alpha, known
        self.guesses = len(table[0])
        self.dens, self.table = map(list, zip(*(integer_vector(list(row)) for row in table), strict=True))
        self.p, self.q = alpha.numerator, alpha.denominator
        self.q_powers: list[int] = powers(self.q, n)
        self.p_powers: list[int] = powers(self.p, n)
        self.scales = [self.q] + [self.q - self.p] * (n - 1) + [self.q]  # (p+q)·s_j

    def solve(self, pattern: Pattern) -> PathProposal | None:
        """The optimal weights and remap with this pattern, or None if it is not the pattern of an optimum."""
        support = [i for i, s in enumerate(pattern.support) if s]
        ties = [(j, r, t) for j, guesses in enumerate(pattern.guesses) for r, t in pairwise(guesses)]
        if len(ties) + 1 != len(support):
            return None
        rows = [[self._weight(i, j) * (self.table[i][t] - self.table[i][r]) for i in support] for j, r, t in ties]
        rows.append([self.dens[i] for i in support])  # the unknowns are λ_i over the denominator of row i
        matrix = ExactMatrix(rows)
        try:
            solved = matrix.solve(ExactMatrix([[0]] * len(ties) + [[1]]))
        except ZeroDivisionError:
            return None
        shares = [Rational(0)] * (self.n + 1)
        for i, w in zip(support, solved.column(0), strict=True):
            shares[i] = w
        if any(w < 0 or (w and not k) for w, k in zip(shares, self.known, strict=True)) or not self._best(shares, pattern):
            return None
        columns: dict[int, list[int]] = {}
        for j, guesses in enumerate(pattern.guesses):
            columns.setdefault(guesses[0], [0] * (self.n + 1))[j] = self.scales[j]
        first = self._losses(columns)
        masses = matrix.T.solve(ExactMatrix([[-first[i]] for i in support])).column(0)
        weights = [w * d for w, d in zip(shares, self.dens, strict=True)]
        return self._remap(weights, pattern, ties, masses)

    def _weight(self, i: int, j: int) -> int:
        """q^n a^|i−j|."""
        d = abs(i - j)
        return self.p_powers[d] * self.q_powers[self.n - d]

    def _best(self, shares: list[Rational], pattern: Pattern) -> bool:
        """Whether at every output no guess is better than those of the pattern."""
        _, numbers = integer_vector(shares)
        columns = zip(*([w * x for x in row] for w, row in zip(numbers, self.table, strict=True)), strict=True)
        f = list(zip(*(power_sums(self.p, column, self.q, self.q_powers) for column in columns), strict=True))
        return all(costs[guesses[0]] <= min(costs) for costs, guesses in zip(f, pattern.guesses, strict=True))

    def _losses(self, columns: dict[int, list[int]]) -> list[int]:
        """Σ_jr a^|i−j| l(i,r) t_jr for every i, times q^n and the denominator of row i."""
        total = [0] * (self.n + 1)
        for r, column in columns.items():
            for i, (row, x) in enumerate(zip(self.table, power_sums(self.p, column, self.q, self.q_powers), strict=True)):
                total[i] += row[r] * x
        return total

    def _remap(
        self, weights: list[Rational], pattern: Pattern, ties: list[tuple[int, int, int]], masses: Sequence[Rational]
    ) -> PathProposal | None:
        tails: list[dict[int, Rational]] = [{} for _ in range(self.n + 1)]
        for (j, _, t), mass in zip(ties, masses, strict=False):
            tails[j][t] = mass / self.scales[j]
        remap: list[dict[int, Rational]] = []
        for j, guesses in enumerate(pattern.guesses):
            reach = [Rational(1), *(tails[j][t] for t in guesses[1:]), Rational(0)]
            remap.append({r: reach[k] - reach[k + 1] for k, r in enumerate(guesses) if reach[k] != reach[k + 1]})
        if any(x < 0 for row in remap for x in row.values()):
            return None
        den, numbers = integer_vector([x for row in remap for x in row.values()])
        columns: dict[int, list[int]] = {}
        numerators = iter(numbers)
        for j, row in enumerate(remap):
            for r in row:
                columns.setdefault(r, [0] * (self.n + 1))[j] = next(numerators) * self.scales[j]
        value = -masses[-1] * den
        above, below = value.numerator, value.denominator
        if any(k and x * below > above * d for k, x, d in zip(self.known, self._losses(columns), self.dens, strict=True)):
            return None
        return PathProposal(tuple(weights), tuple(remap))


def solve_by_rows(
    n: int,
    alpha: Rational,
    known: Sequence[int],
    table: Sequence[Sequence[Rational]],
    *,
    proposer: Proposer | None = propose_basis,
    progress: Listener | None = None,
) -> PathProposal:
    """Maximise Σ_j b_j with b_j ≤ s_j Σ_i λ_i a^|i−j| l(i,r), λ ≥ 0 on S, Σλ = 1.

    The multipliers of the rows are the remap.

    >>> zero, one = Rational(0), Rational(1)
    >>> solve_by_rows(1, Rational("1/2"), [0, 1], [[zero, one], [one, zero]]).remap
    ({0: Rational('1')}, {1: Rational('1')})
    """
    zero, one = Rational(0), Rational(1)
    size, guesses = len(known), len(table[0])
    scales = [one / (1 + alpha) if j in (0, n) else (1 - alpha) / (1 + alpha) for j in range(n + 1)]
    column = [[scales[j] * alpha ** abs(i - j) for i in known] for j in range(n + 1)]

    def terms(j: int, r: int) -> list[Rational]:
        return [g * table[i][r] for g, i in zip(column[j], known, strict=True)]

    def row(j: int, r: int) -> Row:
        return Row({**dict(enumerate(terms(j, r))), size + j: -one}, ">=", zero)

    listed = [(j, min(j * guesses // (n + 1), guesses - 1)) for j in range(n + 1)]
    rows = [Row(dict(enumerate([one] * size)), "==", one), *(row(*place) for place in listed)]
    objective, free = {size + j: -one for j in range(n + 1)}, frozenset(range(size, size + n + 1))
    number = 0
    while True:
        number += 1
        told = part_of(progress, f"round {number} of rows")
        answer = solve(LinearProgram(size + n + 1, objective, rows, free), proposer=proposer, progress=told)
        assert isinstance(answer, Optimal)
        fresh = []
        for j in range(n + 1):
            costs = [sum((t * w for t, w in zip(terms(j, r), answer.x, strict=False) if w), zero) for r in range(guesses)]
            best = min(range(guesses), key=costs.__getitem__)
            if costs[best] < answer.x[size + j]:
                fresh.append((j, best))
        if not fresh:
            break
        listed += fresh
        rows += [row(*place) for place in fresh]
    weights = [zero] * (n + 1)
    for i, w in zip(known, answer.x, strict=False):
        weights[i] = w
    remap: list[dict[int, Rational]] = [{} for _ in range(n + 1)]
    for (j, r), t in zip(listed, answer.y[1:], strict=True):
        if t:
            remap[j][r] = t
    return PathProposal(tuple(weights), tuple(remap))
