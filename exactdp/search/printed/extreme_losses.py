# SPDX-License-Identifier: MIT
"""Printed tables and losses: the ends of the loss, and the least loss of a private table that prints so.

The loss of a row is linear in it, and rows are independent. The largest one of row i gives what is left of 1
to the outputs in the order of falling losses, the least one in the order of rising losses.

The least loss of a table that prints so *and* is private at a level is a linear program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.exact import QQ, Rational
from exactdp.limits import Listener
from exactdp.lp.problem import LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.model import BayesianConsumer, Consumer, Mechanism, Neighbours
from exactdp.model.printed import PrintedTable


def extreme_table(printed: PrintedTable, losses: Sequence[Sequence[Any]], *, largest: bool) -> Mechanism:
    """The table that prints so whose rows all have the largest expected loss, or all the least.

    Examples
    --------
    >>> from exactdp.model import printed_table
    >>> table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    >>> extreme_table(table, [[0, 1], [1, 0]], largest=True).matrix
    ExactMatrix([['1/4', '3/4'], ['11/20', '9/20']])
    """
    outputs = range(printed.n_outputs)
    rows = []
    for i, loss in enumerate(losses):
        rows.append(printed.filled_row(i, sorted(outputs, key=loss.__getitem__, reverse=largest)))
    return printed.mechanism_of(rows)


def least_private_loss(
    printed: PrintedTable,
    neighbours: Neighbours,
    alpha: Rational,
    consumer: Consumer,
    *,
    progress: Listener | None = None,
) -> tuple[Any, Mechanism] | None:
    """The least loss of a table that prints so and is private at the level, with the table; None without one.

    Parameters
    ----------
    printed : PrintedTable
        Inputs in the order of the neighbours, outputs in that of the consumer's guesses.
    neighbours : Neighbours
        All distances integers.
    alpha : Rational
        The level.
    consumer : Consumer
        With rational losses, on the same inputs.
    progress
        As for :func:`exactdp.lp.solve.solve`.

    Examples
    --------
    >>> from exactdp.model import MinimaxConsumer, neighbours, printed_table
    >>> table, near = printed_table([["0.7", "0.3"], ["0.3", "0.7"]], digits=1), neighbours("path:2")
    >>> least_private_loss(table, near, Rational("1/2"), MinimaxConsumer("zero-one").on(near))[0]
    Rational('1/3')
    """
    size, width = printed.n_inputs, printed.n_outputs
    worst = size * width
    rows = []
    for i in range(size):
        rows.append(Row({i * width + r: QQ.one for r in range(width)}, "==", QQ.one))
        for r in range(width):
            rows.append(Row({i * width + r: QQ.one}, ">=", printed.lower[i, r]))
            rows.append(Row({i * width + r: QQ(-1)}, ">=", -printed.upper[i, r]))
    for i, j, distance in neighbours.pairs():
        assert distance.rational is not None
        power = alpha ** int(distance.rational.numerator)
        for low, high in ((i, j), (j, i)):
            rows += [Row({low * width + r: QQ.one, high * width + r: -power}, ">=", QQ.zero) for r in range(width)]
    losses = list(consumer.loss.matrix.rows())
    objective: dict[int, Any] = {worst: QQ.one}
    if isinstance(consumer, BayesianConsumer):
        weights = consumer.prior.weights
        objective = {i * width + r: weights[i] * losses[i][r] for i in range(size) for r in range(width)}
    else:
        for i in consumer.side_information.indices:
            rows.append(Row({worst: QQ.one} | {i * width + r: -losses[i][r] for r in range(width)}, ">=", QQ.zero))
    answer = solve(LinearProgram(worst + 1, objective, rows, {worst}), progress=progress)
    if not isinstance(answer, Optimal):
        return None
    found = [answer.x[i * width : (i + 1) * width] for i in range(size)]
    return answer.value, printed.mechanism_of(found)
