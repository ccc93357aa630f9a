# SPDX-License-Identifier: MIT
"""The optimum on a path over any field: the pattern of a rational problem beside it, solved over the field.

The coordinates are those of :mod:`~exactdp.search.path_exact`, in which every condition has a few terms. No sign is looked at: whoever
asks for the optimum checks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from exactdp.exact.sparse import SparseFactors
from exactdp.search.path_pattern import Pattern
from exactdp.search.path_problem import Kind, PathProposal

__all__ = ["pattern_of", "positive_pattern", "solve_pattern_over"]

Form = dict[int, Any]


def positive_pattern(n: int, alpha: Any, kind: Kind, optimum: PathProposal, known: set[int]) -> Pattern:
    """Only the conditions that need a multiplier: inputs outside S, or in S with less loss than the value, and guesses in use."""
    one = alpha.field.one
    power, exponent = [one], 2 if kind == "squared" else 1
    for _ in range(n):
        power.append(power[-1] * alpha)
    scales = [one if j in (0, n) else one - alpha for j in range(n + 1)]
    shares = [(j, r, t * s) for j, (row, s) in enumerate(zip(optimum.remap, scales, strict=True)) for r, t in row.items()]
    losses = [sum((power[abs(i - j)] * abs(i - r) ** exponent * x for j, r, x in shares), one - one) for i in range(n + 1)]
    most = max(losses[i] for i in known)
    return Pattern(tuple(i in known and x == most for i, x in enumerate(losses)), tuple(tuple(sorted(row)) for row in optimum.remap))


def pattern_of(n: int, alpha: Any, kind: Kind, optimum: PathProposal) -> Pattern:
    """Which weights of an optimum are positive, and all best guesses of every output, the unused ones too (the losses are convex).

    >>> from exactdp.exact import Rational
    >>> from exactdp.model import Loss
    >>> consumer = MinimaxConsumer(Loss.absolute(range(4)))
    >>> pattern_of(3, Rational("1/4"), "abs", propose_path_optimum(3, Rational("1/4"), consumer)).guesses[0]
    (0, 1)
    """
    power = [alpha.field.one]
    for _ in range(n):
        power.append(power[-1] * alpha)
    exponent = 2 if kind == "squared" else 1

    def cost(j: int, r: int) -> Any:
        return sum((power[abs(i - j)] * w * abs(i - r) ** exponent for i, w in enumerate(optimum.weights) if w), power[0] - power[0])

    tied = []
    for j, row in enumerate(optimum.remap):
        low, high = min(row), max(row)
        least = cost(j, low)
        while low > 0 and cost(j, low - 1) == least:
            low -= 1
        while high < n and cost(j, high + 1) == least:
            high += 1
        tied.append(tuple(range(low, high + 1)))
    return Pattern(tuple(bool(w) for w in optimum.weights), tuple(tied))


def solve_pattern_over(n: int, alpha: Any, kind: Kind, pattern: Pattern) -> PathProposal | None:
    """The weights and the remap of a pattern for |i−r| or (i−r)², over the field of α; None if the pattern doesn't determine them."""
    field = alpha.field
    one, zero = field.one, field.zero
    gap, square = one - alpha * alpha, alpha * alpha
    power = [one]
    for _ in range(n + 1):
        power.append(power[-1] * alpha)

    def tridiagonal(values: Sequence[Any]) -> list[Any]:
        """K·values, with zeros beyond the ends."""
        padded = [zero, *values, zero]
        both = [one + square * (int(i > 0) + int(i < n) - 1) for i in range(n + 1)]
        return [both[i] * padded[i + 1] - alpha * (padded[i] + padded[i + 2]) for i in range(n + 1)]

    def row_of_k(i: int, shift: int) -> Form:
        form = {shift + i: one + square * (int(i > 0) + int(i < n) - 1)}
        return form | {shift + k: -alpha for k in (i - 1, i + 1) if 0 <= k <= n}

    def tie(j: int, r: int, t: int) -> Form:
        if kind == "squared":
            return {j: one * ((t - j) ** 2 - (r - j) ** 2), n + 1 + j: one * (-2 * (t - r))}
        form: Form = {}
        for s in range(r, t):
            near, far, sign = (s, s + 1, 1) if s >= j else (s + 1, s, -1)
            step = power[abs(far - j)] * (2 * sign)
            for k, v in ((j, gap * sign), (far, -step), (near, step * alpha)):
                form[k] = form[k] + v if k in form else v
        return form

    silent = [i for i in range(n + 1) if not pattern.support[i]]
    ties = [(j, r, t) for j, guesses in enumerate(pattern.guesses) for r, t in pairwise(guesses)]
    rows = [row_of_k(i, 0) for i in silent] + [tie(*at) for at in ties]
    if kind == "squared":
        rows += [row_of_k(j, n + 1) | {k: v for k, v in ((j - 1, alpha), (j + 1, -alpha)) if 0 <= k <= n} for j in range(n + 1)]
    factors = SparseFactors(rows, (n + 1) * (2 if kind == "squared" else 1), field)
    if len(factors.free) != 1:
        return None
    u = factors.kernel(factors.free[0])
    flat = [u.get(k, zero) for k in range(n + 1)]
    shares = tridiagonal(flat)
    total = sum(shares, zero)
    if not total:
        return None
    scales = [one if j in (0, n) else one - alpha for j in range(n + 1)]  # (1 + α)·s
    first = [guesses[0] for guesses in pattern.guesses]
    distance = {d: one * (d * d if kind == "squared" else d) for d in range(n + 1)}

    def loss(i: int) -> Any:
        """Of the first guesses, times 1 + α."""
        return sum((power[abs(i - j)] * distance[abs(i - first[j])] * scales[j] for j in range(n + 1)), zero)

    losses = [loss(i) for i in range(n + 1)]
    form = [x / gap for x in tridiagonal(losses)]
    value = sum((f * x for f, x in zip(form, flat, strict=True)), zero) / sum((s * x for s, x in zip(scales, flat, strict=True)), zero)
    y = factors.solve_transposed({k: value * s - f for k, (s, f) in enumerate(zip(scales, form, strict=True))})
    unit = one if kind == "squared" else gap
    table: list[Form] = [{} for _ in range(n + 1)]
    tails = [one] * (n + 1)
    for k, (j, r, _) in enumerate(ties, len(silent)):
        tail = y.get(k, zero) * unit / scales[j]
        table[j][r], tails[j] = tails[j] - tail, tail
    for j, guesses in enumerate(pattern.guesses):
        table[j][guesses[-1]] = tails[j]
    return PathProposal(tuple(x / total for x in shares), tuple({r: t for r, t in row.items() if t} for row in table))
