# SPDX-License-Identifier: MIT
"""What the guesses cost at every output of a mechanism, and what the best remap costs.

With weights w on the inputs (a prior), a channel M and a table l of losses, guess g at output y costs C_yg =
Σ_x w_x M_xy l(x,g). A remap that picks the best guess of every output costs Σ_y min_g C_yg, the least of all
remaps [gs2010, 2.4.3]; with a table of gains it has the most, Σ_y max_g C_yg.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from exactdp.exact import ExactMatrix, smallest


def guess_costs(weights: Sequence[Any], channel: ExactMatrix, table: ExactMatrix) -> ExactMatrix:
    """The matrix Σ_x w_x M_xy l(x,g), outputs × guesses.

    >>> guess_costs([1, 1], ExactMatrix([[1, 0], ["1/2", "1/2"]]), ExactMatrix([[0, 1], [1, 0]]))
    ExactMatrix([['1/2', '1'], ['1/2', '0']])
    """
    joint = ExactMatrix([[w * x for x in row] for w, row in zip(weights, channel.rows(), strict=True)])
    return joint.T @ table


def least_cost(weights: Sequence[Any], channel: ExactMatrix, table: ExactMatrix, *, best: Callable[[Sequence[Any]], Any] = smallest) -> Any:
    """Σ_y min_g Σ_x w_x M_xy l(x,g); with ``best=max`` the largest expected gain.

    ``best`` chooses among the costs of one output: over ℚ(α) ``min`` refuses what is not the least on the
    whole interval in every comparison, :func:`~exactdp.exact.smallest` only what is not in the end.

    >>> least_cost([1, 1], ExactMatrix([[1, 0], ["1/2", "1/2"]]), ExactMatrix([[0, 1], [1, 0]]))
    Rational('1/2')
    """
    costs = guess_costs(weights, channel, table)
    return sum((best(row) for row in costs.rows()), costs.field.zero)
