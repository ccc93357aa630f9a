# SPDX-License-Identifier: MIT
"""What a remap of the geometric mechanism costs on a path, and what weights prove, over a field beyond ℚ.

The same two numbers as :mod:`~exactdp.analysis.path_optimum`, by sweeps with polynomials over one denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from exactdp.analysis.path_optimum import PathValue
from exactdp.exact import common_field, largest, smallest
from exactdp.model import BayesianConsumer, Consumer
from exactdp.search.path_problem import PathProposal

__all__ = ["path_value_over"]


def path_value_over(n: int, alpha: Any, consumer: Consumer, proposal: PathProposal) -> PathValue:
    """The exact loss of G(n,α)·T and the exact bound of the weights, with every condition of the path rule checked.

    Parameters and result as in :func:`~exactdp.analysis.path_optimum.path_value`; α is of ℚ(e^(−ε)) or of ℚ(α) on an interval.

    Examples
    --------
    >>> from exactdp import Loss, MinimaxConsumer
    >>> from exactdp.exact import ExponentialField
    >>> from exactdp.search.path_over_field import propose_over_field
    >>> t, consumer = ExponentialField(1).gen, MinimaxConsumer(Loss.absolute(range(4)))
    >>> found = path_value_over(3, t, consumer, propose_over_field(3, t, consumer))
    >>> str(found.loss), found.proves_optimality
    ('(2*t^3 + 2*t^2 + 2*t)/(-t^4 + 2*t^2 + 2*t + 1)', True)
    """
    field = common_field(alpha, consumer.loss)
    loss, guesses = consumer.loss.matrix, consumer.loss.matrix.shape[1]
    flat = [(j, r, t) for j, row in enumerate(proposal.remap) for r, t in row.items()]
    t_den, shares = _whole(field, [t for _, _, t in flat])
    w_den, weights = _whole(field, proposal.weights)
    rows = [field.zero] * (n + 1)
    columns: dict[int, list[Any]] = {}
    scales = [field.one] * (n + 1) if n == 0 else [field.one, *[field.one - alpha] * (n - 1), field.one]
    valid = len(proposal.remap) == n + 1 and len(weights) == n + 1
    for (j, r, _), share in zip(flat, shares, strict=True):
        valid = valid and share >= 0 and 0 <= r < guesses
        rows[j] = rows[j] + share
        columns.setdefault(r, [field.zero] * (n + 1))[j] = share * scales[j]
    valid = valid and all(x == t_den for x in rows) and sum(weights, field.zero) == w_den and all(not w < 0 for w in weights)
    losses = [field.zero] * (n + 1)
    for r, column in columns.items():
        for i, x in enumerate(_spread(alpha, column)):
            if loss[i, r]:
                losses[i] = losses[i] + x * loss[i, r]
    below = t_den * (field.one if n == 0 else field.one + alpha)
    if isinstance(consumer, BayesianConsumer):
        valid = valid and tuple(proposal.weights) == tuple(consumer.prior.weights)
        total = sum((x * w for x, w in zip(losses, consumer.prior.weights, strict=True) if w), field.zero)
    else:
        known = consumer.side_information.indices
        valid = valid and not any(w for i, w in enumerate(weights) if i not in set(known))
        total = largest([losses[i] for i in known])
    f = [_spread(alpha, [w * loss[i, r] for i, w in enumerate(weights)]) for r in range(guesses)]
    least = [smallest([row[j] for row in f]) for j in range(n + 1)]
    crossing = all(_crosses_once(alpha, [x - b for x, b in zip(row, least, strict=True)]) for row in f)
    bound = sum((b * s for b, s in zip(least, scales, strict=True)), field.zero) / (w_den * below / t_den)
    return PathValue(total / below, bound, crossing, bool(valid))


def _whole(field: Any, values: Sequence[Any]) -> tuple[Any, list[Any]]:
    """A common denominator and the numerators, as elements of the field without denominators."""
    den, numerators = field.over_common_denominator([field(x) for x in values])
    return field.quotient(den), [field.quotient(p) for p in numerators]


def _spread(alpha: Any, values: Sequence[Any]) -> list[Any]:
    """Σ_i α^|i−j| v_i for all j."""

    def step(carry: Any, x: Any) -> Any:
        return carry * alpha + x

    backwards = [*accumulate(reversed(values), step)][::-1]
    return [before + after - x for before, after, x in zip(accumulate(values, step), backwards, values, strict=True)]


def _crosses_once(alpha: Any, h: list[Any]) -> bool:
    """Whether h_i ≥ α·h_(i+1) up to some k and h_i ≥ α·h_(i−1) from k + 2 on."""
    n = len(h) - 1
    falls = next((i for i in range(n) if h[i] < alpha * h[i + 1]), n)
    return all(not h[i] < alpha * h[i - 1] for i in range(falls + 2, n + 1))
