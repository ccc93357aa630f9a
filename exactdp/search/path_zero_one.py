# SPDX-License-Identifier: MIT
"""The minimax optimum for [i≠r] on a path with S = {0..n}, in closed form (to be checked like any other proposal).

λ_i is proportional to a^(−min(i, n−i)). Every inner output stays as it is; output 0 spreads over the nearer half with weights
κ a^(−i), and 1 − a more on 0 itself; output n is its mirror image, and a middle guess is shared.
"""

from __future__ import annotations

from typing import Any

from exactdp.search.path_problem import PathProposal

__all__ = ["zero_one_optimum"]


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
