# SPDX-License-Identifier: MIT
"""The minimax optimum for [i≠r] on a path with S = {0..n}, in closed form (to be checked like any other
proposal).

λ_i is proportional to a^(−min(i, n−i)). Every inner output stays as it is; output 0 spreads over the nearer
half with weights κ a^(−i), and 1 − a more on 0 itself; output n is its mirror image, and a middle guess is
shared.

The best remap of the geometric mechanism for a Bayesian consumer on a path: output by output, no linear
program.

Every output's best guess never falls from one output to the next (docs/mathematics.md §1), so for |i−r| a
pointer walks once through the guesses; for (i−r)² the best guess is the rounded mean, for [i≠r] the largest
a^|i−j| π_i is carried along. A table takes a pass for each guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.exact import Rational, integer_vector
from exactdp.exact.power_sums import TwoSided, powers
from exactdp.model.loss import Kind
from exactdp.search.path.problem import PathProposal


def zero_one_optimum(n: int, alpha: Any) -> PathProposal:
    """The proposal for n ≥ 1, over the field of α.

    >>> from exactdp.exact import Rational
    >>> zero_one_optimum(2, Rational("1/2")).remap[0]
    {0: Rational('3/4'), 1: Rational('1/4')}
    """
    one = alpha.field.one
    shares = [one]
    for _ in range(n // 2):
        shares.append(shares[-1] / alpha)
    weights = [shares[min(i, n - i)] for i in range(n + 1)]
    total = sum(weights, one - one)
    if n % 2 == 0:
        shares[n // 2] = shares[n // 2] / 2
    else:
        shares = shares[: (n + 1) // 2]
    unit = alpha / sum(shares, one - one)
    first = {i: unit * share for i, share in enumerate(shares)}
    first[0] = first[0] + one - alpha
    last = {n - i: share for i, share in first.items()}
    remap = (first, *({j: one} for j in range(1, n)), last)
    return PathProposal(tuple(w / total for w in weights), remap)


def bayesian_optimum(
    n: int, alpha: Rational, prior: Sequence[Rational], kind: Kind, table: Sequence[Sequence[Rational]] | None
) -> PathProposal:
    """The deterministic remap j ↦ argmin_r Σ_i π_i a^|i−j| l(i,r), with the prior as weights.

    Parameters
    ----------
    n : int
        The largest input and output.
    alpha : Rational
        0 < α < 1.
    prior : sequence of Rational
        n + 1 weights.
    kind : "abs", "squared", "zero-one" or None
        The loss; None means ``table``.
    table : sequence of rows of Rational, optional
        l(i, r).

    Examples
    --------
    >>> third = Rational(1, 3)
    >>> [list(row) for row in bayesian_optimum(2, Rational("1/2"), [third] * 3, "abs", None).remap]
    [[0], [1], [2]]
    """
    p, q = alpha.numerator, alpha.denominator
    if kind is None:
        assert table is not None
        best = _least(n, p, q, prior, table)
        return PathProposal(tuple(prior), tuple({r: Rational(1)} for r in best))
    _, weights = integer_vector(list(prior))
    if kind == "abs":
        best = _medians(n, p, q, weights)
    elif kind == "squared":
        best = _means(n, p, q, weights)
    else:
        best = _modes(n, p, q, weights)
    one = Rational(1)
    return PathProposal(tuple(prior), tuple({r: one} for r in best))


def _medians(n: int, p: int, q: int, weights: list[int]) -> list[int]:
    sums = TwoSided(p, q, weights)
    q_powers, p_powers = powers(q, n), powers(p, n)
    best, r = [], 0
    for j in range(n + 1):
        mass = sums.at(j)
        while r < n:
            if r >= j:
                down = mass < 2 * q_powers[j] * p_powers[r + 1 - j] * sums.closed[0][r + 1]
            else:
                down = 2 * q_powers[n - j] * p_powers[j - r] * sums.left[0][r] < mass
            if not down:
                break
            r += 1
        best.append(r)
    return best


def _means(n: int, p: int, q: int, weights: list[int]) -> list[int]:
    sums = TwoSided(p, q, weights, 1)
    best = []
    for j in range(n + 1):
        mass = sums.at(j)
        step = (2 * sums.slope(j) + mass) // (2 * mass)
        best.append(min(max(j + step, 0), n))
    return best


def _modes(n: int, p: int, q: int, weights: list[int]) -> list[int]:
    left, right = _carried(p, q, weights), _carried(p, q, weights[::-1])[::-1]
    q_powers = powers(q, n)
    result = []
    for j, ((low, r), (high, t)) in enumerate(zip(left, right, strict=True)):
        result.append(r if low * q_powers[n - j] >= high * q_powers[j] else n - t)
    return result


def _carried(p: int, q: int, weights: Sequence[int]) -> list[tuple[int, int]]:
    """max_{i ≤ j} a^(j−i) w_i, times q^j, and where it is attained."""
    result: list[tuple[int, int]] = []
    best, where, power = -1, 0, 1
    for j, w in enumerate(weights):
        best *= p
        if power * w > best:
            best, where = power * w, j
        result.append((best, where))
        power *= q
    return result


def _least(n: int, p: int, q: int, prior: Sequence[Rational], table: Sequence[Sequence[Rational]]) -> list[int]:
    guesses = len(table[0])
    rows = [integer_vector(list(row)) for row in table]
    _, weights = integer_vector([w / den for w, (den, _) in zip(prior, rows, strict=True)])
    q_powers = powers(q, n)
    best = [0] * (n + 1)
    least: list[int] = []
    for r in range(guesses):
        sums = TwoSided(p, q, [w * row[r] for w, (_, row) in zip(weights, rows, strict=True)], 0, q_powers)
        costs = [sums.at(j) for j in range(n + 1)]
        if not r:
            least = costs
            continue
        for j, cost in enumerate(costs):
            if cost < least[j]:
                best[j], least[j] = r, cost
    return best
