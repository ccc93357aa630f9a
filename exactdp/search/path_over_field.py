# SPDX-License-Identifier: MIT
"""The optimum on a path over any field: the pattern of a rational problem beside it, solved over the field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactdp.model import BayesianConsumer, MinimaxConsumer
from exactdp.search.path_field import pattern_of, positive_pattern, solve_pattern_over
from exactdp.search.path_optimum import propose_path_optimum
from exactdp.search.path_problem import PathProposal, loss_kind
from exactdp.search.path_zero_one import zero_one_optimum
from exactdp.search.shadow import substitution

__all__ = ["propose_over_field"]


def propose_over_field(
    n: int, alpha: Any, consumer: MinimaxConsumer | BayesianConsumer, *, progress: Callable[[Any], None] | None = None
) -> PathProposal | None:
    """Weights and a remap over the field of α; None if this loss has no route here (the linear program has).

    Parameters
    ----------
    n : int
        The inputs are 0..n, in the path's order.
    alpha : scalar
        0 < α < 1, of any field.
    consumer : MinimaxConsumer or BayesianConsumer
        With a rational loss that has single crossings.
    progress : callable, optional
        Is told about the steps of the rational search.

    Examples
    --------
    >>> from exactdp.exact import ExponentialField
    >>> from exactdp.model import Loss
    >>> found = propose_over_field(3, ExponentialField("1/10").gen, MinimaxConsumer(Loss.absolute(range(4))))
    >>> str(found.remap[0][0])
    '(t^2 + 1)/(-t^3 + t^2 + t + 1)'
    """
    kind = loss_kind(n, consumer.loss)
    near = substitution(alpha.field)
    beside = propose_path_optimum(n, near(alpha), consumer, kind=kind, progress=progress)
    one = alpha.field.one
    if isinstance(consumer, BayesianConsumer):
        return PathProposal(beside.weights, tuple({r: one for r, t in row.items() if t} for row in beside.remap))
    if kind is None:
        return None
    known = consumer.side_information.indices
    low, high = known[0], known[-1]
    size = high - low
    if kind == "zero-one" and len(known) == size + 1 and size:
        inner: PathProposal | None = zero_one_optimum(size, alpha)
    elif kind == "zero-one" or not size:
        return None
    else:
        part = _inner(beside, low, high)
        used = positive_pattern(size, near(alpha), kind, part, {i - low for i in known})
        inner = solve_pattern_over(size, alpha, kind, used)
        if inner is None:
            inner = solve_pattern_over(size, alpha, kind, pattern_of(size, near(alpha), kind, part))
    if inner is None:
        return None
    zero = one - one
    weights = (*[zero] * low, *inner.weights, *[zero] * (n - high))
    rows = [{r + low: t for r, t in row.items()} for row in inner.remap]
    return PathProposal(weights, tuple(dict(rows[min(max(j, low), high) - low]) for j in range(n + 1)))


def _inner(proposal: PathProposal, low: int, high: int) -> PathProposal:
    """The part between two inputs, counted from the first."""
    rows = tuple({r - low: t for r, t in row.items() if t} for row in proposal.remap[low : high + 1])
    return PathProposal(proposal.weights[low : high + 1], rows)
