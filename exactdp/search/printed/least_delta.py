# SPDX-License-Identifier: MIT
r"""The least δ of the tables that print so: a linear program, with the multipliers that prove it.

    min D  subject to  Σ_r s_cr ≤ D,  s_cr ≥ x_ir − e^(εd) x_jr,  s ≥ 0,  lower ≤ x ≤ upper,  Σ_r x_ir = 1

for the ordered pairs c = (i, j). The multipliers z_cr of the second constraints show that no table that
prints so has a smaller δ: Σ_c max_r z_cr ≤ 1, so δ ≥ Σ z_cr (x_ir − e^(εd) x_jr).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.exact import QQ
from exactdp.frozen import frozen
from exactdp.limits import Listener
from exactdp.lp.problem import LinearProgram, Optimal, Row
from exactdp.lp.solve import solve
from exactdp.model.printed import PrintedTable


@frozen
class LeastDelta:
    """The least δ, a table that has it, and why none has less.

    Attributes
    ----------
    value : scalar
        The least D.
    rows : tuple of rows
        A table that prints so.
    multipliers : tuple of dict
        For each ordered pair the z_cr > 0 by output.
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

    Parameters
    ----------
    table : PrintedTable
        The table.
    pairs : sequence of (i, j, factor)
        Ordered, with e^(εd).
    progress
        As for :func:`exactdp.lp.solve.solve`.

    Examples
    --------
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
