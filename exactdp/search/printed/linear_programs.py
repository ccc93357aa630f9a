# SPDX-License-Identifier: MIT
r"""Printed tables: the least δ and the least loss of a private one, as linear programs; the ends of a loss.

**The least δ** of the tables that print so is

    min D  subject to  Σ_r s_cr ≤ D,  s_cr ≥ x_ir − e^(εd) x_jr,  s ≥ 0,  lower ≤ x ≤ upper,  Σ_r x_ir = 1

for the ordered pairs c = (i, j). The multipliers z_cr of the second constraints show that no table that
prints so has a smaller δ: Σ_c max_r z_cr ≤ 1, so δ ≥ Σ z_cr (x_ir − e^(εd) x_jr).

**The loss** of a row is linear in it, and rows are independent. The largest one of row i gives what is left
of 1 to the outputs in the order of falling losses, the least one in the order of rising losses. The least
loss of a table that prints so *and* is private at a level is a linear program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.exact import QQ, Rational
from exactdp.lp.problem import LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.model import BayesianConsumer, Consumer, Mechanism, Neighbours
from exactdp.model.printed import PrintedTable
from exactdp.runtime.progress import Listener
from exactdp.runtime.values import dataclass


@dataclass(frozen=True, slots=True)
class LeastDelta:
    """The least δ, a table that has it, and why none has less.

    * ``value``: the least D.
    * ``rows``: a table that prints so.
    * ``multipliers``: for each ordered pair the z_cr > 0 by output.
    """

    value: Any
    rows: tuple[tuple[Any, ...], ...]
    multipliers: tuple[dict[int, Any], ...]


def least(
    table: PrintedTable,
    pairs: Sequence[tuple[int, int, Any]],
    *,
    progress: Listener | None = None,
) -> LeastDelta:
    """Solve the linear program.

    * ``table``: the table.
    * ``pairs``: ordered, with e^(εd).
    * ``progress``: as for :func:`exactdp.lp.solve.solve`.

    >>> from exactdp.exact import Rational
    >>> from exactdp.model.printed import printed_table
    >>> table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], digits=1)
    >>> least(table, [(0, 1, Rational(1)), (1, 0, Rational(1))]).value
    Rational('1/10')
    """
    width, (low, high) = table.n_outputs, table.entry_bounds()
    asked = [(c, r) for c, (i, j, f) in enumerate(pairs) for r in range(width) if high[i][r] > f * low[j][r]]
    if not asked:
        return LeastDelta(QQ.zero, tuple(tuple(row) for row in table.member().rows()), tuple({} for _ in pairs))
    lp, first = _program(table, pairs, asked)
    answer = solve(lp, progress=progress)
    assert isinstance(answer, Optimal)  # every row has a distribution, and D ≥ 0
    lower = table.lower
    rows = tuple(tuple(lower[i, r] + answer.x[i * width + r] for r in range(width)) for i in range(table.n_inputs))
    multipliers: tuple[dict[int, Any], ...] = tuple({} for _ in pairs)
    for k, (c, r) in enumerate(asked):
        if answer.y[first + k]:
            multipliers[c][r] = answer.y[first + k]
    return LeastDelta(answer.value, rows, multipliers)


def _program(table: PrintedTable, pairs: Sequence[tuple[int, int, Any]], asked: Sequence[tuple[int, int]]) -> tuple[LinearProgram, int]:
    """The program in x − lower, s and D; and where the rows of the s_cr begin."""
    width, lower, upper = table.n_outputs, table.lower, table.upper
    entries = table.n_inputs * width
    last = entries + len(asked)
    rows = []
    for i in range(table.n_inputs):
        spare = 1 - sum(lower.row(i), QQ.zero)
        rows.append(Row({i * width + r: QQ.one for r in range(width)}, "==", spare))
        for r in range(width):
            if upper[i, r] - lower[i, r] < spare:
                rows.append(Row({i * width + r: -QQ.one}, ">=", lower[i, r] - upper[i, r]))
    first = len(rows)
    sums: dict[int, dict[int, Any]] = {}
    for k, (c, r) in enumerate(asked):
        i, j, factor = pairs[c]
        coefficients = {entries + k: QQ.one, i * width + r: -QQ.one, j * width + r: factor}
        rows.append(Row(coefficients, ">=", lower[i, r] - factor * lower[j, r]))
        sums.setdefault(c, {last: QQ.one})[entries + k] = -QQ.one
    rows += [Row(coefficients, ">=", QQ.zero) for coefficients in sums.values()]
    return LinearProgram(last + 1, {last: QQ.one}, rows), first


def extreme_table(printed: PrintedTable, losses: Sequence[Sequence[Any]], *, largest: bool) -> Mechanism:
    """The table that prints so whose rows all have the largest expected loss, or all the least.

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

    * ``printed``: inputs in the order of the neighbours, outputs in that of the consumer's guesses.
    * ``neighbours``: all distances integers.
    * ``consumer``: with rational losses, on the same inputs.
    * ``progress``: as for :func:`exactdp.lp.solve.solve`.

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
