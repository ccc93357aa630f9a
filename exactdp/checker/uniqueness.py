# SPDX-License-Identifier: MIT
"""Trusted: two solutions of one problem are equal, by the rank of what holds of both (SPEC §4.5)."""
from __future__ import annotations

from itertools import chain

from exactdp.checker.kernel import FIELD, Consumer, Equations, Matrix, charge, require, scores

PRIME = 2**61 - 1     # ranks are computed modulo this

def remap_equations(consumer: Consumer, m: Matrix, w: Matrix, minima: list[int]) -> Equations:
    """What holds of the remaps that attain the bound: no weight on a worse guess, and the loss is the value where w > 0."""
    loss, size = consumer.loss, m.width * consumer.loss.width * (2 + len(w.rows[0]))
    charge(size, m.bits + loss.bits, size * (loss.bits > 64), held=size)
    worse = [(y, r) for r, row in enumerate(scores(loss, m, w)) for y, x in enumerate(row) if x > minima[y]]
    each = [{(y, r): x * l for y, x in m.rows[i].items() for r, l in loss.rows[i].items()} for i in w.rows[0]]
    return [{at: 1} for at in worse] + (each if consumer.prior is None else [])
def unique(forced: Equations, rows: int, columns: int, path: str) -> None:
    """Two solutions are equal, if their difference δ satisfies `forced` and sums to 0 in each row, and these equations have
    full column rank: here modulo a prime, hence over ℚ (SPEC §4.5)."""
    if FIELD.get() is not None:
        FIELD.get().ranks()
    pivots, held = dict[tuple[int, int], dict[tuple[int, int], int]](), 2 * rows * columns
    charge(3 * rows * columns, held=held)
    for equation in sorted(chain(forced, ({(i, r): 1 for r in range(columns)} for i in range(rows))), key=len):
        charge(4 * len(equation), max((x.bit_length() for x in equation.values()), default=0))
        row = {at: r for at, x in equation.items() if (r := x % PRIME)}
        while row and (first := min(row)) in pivots:
            pivot, factor = pivots[first], row[first]
            charge(4 * (len(row) + len(pivot)))
            row = {at: x for at in row | pivot if (x := (row.get(at, 0) - factor * pivot.get(at, 0)) % PRIME)}
        held += len(row)
        charge(len(row), 61, held=held)
        if row:
            inverse = pow(row[first], -1, PRIME)
            pivots[first] = {at: x * inverse % PRIME for at, x in row.items()}
    require(len(pivots) == rows * columns, "uniqueness: full column rank", path, len(pivots), rows * columns)
