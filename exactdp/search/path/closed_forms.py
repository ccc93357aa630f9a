# SPDX-License-Identifier: MIT
"""Optima on a path that need no linear program; they are checked like any other proposal.

* Minimax, [i≠r], S = {0..n}: λ_i is proportional to a^(−min(i, n−i)). Every inner output stays as it is;
  output 0 spreads over the nearer half with weights κ a^(−i), and 1 − a more on 0 itself; output n is its
  mirror image, and a middle guess is shared.
* Bayesian: the best guess of every output by itself, O(n) for losses with sums on paths
  (:class:`~exactdp.exact.power_sums.TwoSided`); a table takes a pass for each guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from exactdp.exact import Rational, integer_vector
from exactdp.exact.power_sums import TwoSided, power_sums, powers
from exactdp.model.named_losses import Kind, path_sums
from exactdp.search.path.problem import PathProposal


def zero_one_optimum(n: int, alpha: Any) -> PathProposal:
    """The proposal for n ≥ 1, over the field of α.

    >>> from exactdp.exact import Rational
    >>> zero_one_optimum(2, Rational("1/2")).remap[0]
    {0: Rational('3/4'), 1: Rational('1/4')}
    """
    one, zero = alpha.field.one, alpha.field.zero
    shares = [one]
    for _ in range(n // 2):
        shares.append(shares[-1] / alpha)
    weights = [shares[min(i, n - i)] for i in range(n + 1)]
    total = sum(weights, zero)
    if n % 2 == 0:
        shares[n // 2] = shares[n // 2] / 2
    else:
        shares = shares[: (n + 1) // 2]
    unit = alpha / sum(shares, zero)
    first = {i: unit * share for i, share in enumerate(shares)}
    first[0] = first[0] + one - alpha
    last = {n - i: share for i, share in first.items()}
    remap = (first, *({j: one} for j in range(1, n)), last)
    return PathProposal(tuple(w / total for w in weights), remap)


MINIMAX: dict[str, Callable[[int, Any], PathProposal]] = {"zero-one": zero_one_optimum}
"""The closed forms where all of 0..n is possible, by the words of the losses that have one."""


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
    kind : str or None
        The loss, which has sums on paths; None means ``table``.
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
        best = _best_in_table(n, p, q, prior, table)
    else:
        _, weights = integer_vector(list(prior))
        of_loss = path_sums(kind)
        best = of_loss.guesses(TwoSided(p, q, weights, of_loss.order_of_guesses))
    one = Rational(1)
    return PathProposal(tuple(prior), tuple({r: one} for r in best))


def _best_in_table(n: int, p: int, q: int, prior: Sequence[Rational], table: Sequence[Sequence[Rational]]) -> list[int]:
    """The first of the best guesses, for every output."""
    rows = [integer_vector(list(row)) for row in table]
    _, weights = integer_vector([w / den for w, (den, _) in zip(prior, rows, strict=True)])
    q_powers = powers(q, n)
    columns = zip(*([w * x for x in row] for w, (_, row) in zip(weights, rows, strict=True)), strict=True)
    costs = [power_sums(p, column, q, q_powers) for column in columns]
    return [min(range(len(costs)), key=of_guess.__getitem__) for of_guess in zip(*costs, strict=True)]
