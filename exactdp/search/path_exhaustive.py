# SPDX-License-Identifier: MIT
"""The last resort for a minimax problem on a path: its linear program in λ, with rows on demand, by exact pivots. It always ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from exactdp.exact import Rational
from exactdp.search.highs import Proposer, propose_basis
from exactdp.search.lp import LinearProgram, Optimal, Row, solve
from exactdp.search.path_problem import PathProposal

__all__ = ["solve_by_rows"]


def solve_by_rows(
    n: int,
    alpha: Rational,
    known: Sequence[int],
    table: Sequence[Sequence[Rational]],
    *,
    proposer: Proposer | None = propose_basis,
    progress: Callable[[Any], None] | None = None,
) -> PathProposal:
    """Maximise Σ_j b_j, b_j ≤ s_j Σ_i λ_i a^|i−j| l(i,r), λ ≥ 0 on S, Σλ = 1; the multipliers of the rows are the remap.

    >>> solve_by_rows(1, Rational("1/2"), [0, 1], [[Rational(0), Rational(1)], [Rational(1), Rational(0)]]).remap
    ({0: Rational('1')}, {1: Rational('1')})
    """
    zero, one = Rational(0), Rational(1)
    size, guesses = len(known), len(table[0])
    scales = [one / (1 + alpha) if j in (0, n) else (1 - alpha) / (1 + alpha) for j in range(n + 1)]
    column = [[scales[j] * alpha ** abs(i - j) for i in known] for j in range(n + 1)]

    def terms(j: int, r: int) -> list[Rational]:
        return [g * table[i][r] for g, i in zip(column[j], known, strict=True)]

    listed = [(j, min(j * guesses // (n + 1), guesses - 1)) for j in range(n + 1)]
    rows = [Row(dict(enumerate([one] * size)), "==", one)]
    rows += [Row({**dict(enumerate(terms(j, r))), size + j: -one}, ">=", zero) for j, r in listed]
    objective = {size + j: -one for j in range(n + 1)}
    while True:
        program = LinearProgram(size + n + 1, objective, rows, frozenset(range(size, size + n + 1)))
        answer = solve(program, proposer=proposer, progress=progress)
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
        rows += [Row({**dict(enumerate(terms(j, r))), size + j: -one}, ">=", zero) for j, r in fresh]
    weights = [zero] * (n + 1)
    for i, w in zip(known, answer.x, strict=False):
        weights[i] = w
    remap: list[dict[int, Rational]] = [{} for _ in range(n + 1)]
    for (j, r), t in zip(listed, answer.y[1:], strict=True):
        if t:
            remap[j][r] = t
    return PathProposal(tuple(weights), tuple(remap))
