# SPDX-License-Identifier: MIT
"""Trusted: optima: the dual rule for forests (SPEC §4.2), and equality of two solutions (SPEC §4.5)."""
from __future__ import annotations

from fractions import Fraction
from heapq import merge

from exactdp.checker.kernel import (
    FIELD, Consumer, Definition, Equations, Matrix, charge, common, ratio, require, scores, weighed)

def forest_rule(loss: Matrix, near: Definition, alpha: Fraction, w: Matrix, mu: Matrix, path: str) -> None:
    """c_i = w_i l(i,r) − μ_i; fold each leaf i into its neighbour j: c_j += α c_i if c_i ≥ 0, else c_i/α.
    Each root ends ≥ 0. The bound is Σ μ_i."""
    p, q, beside = alpha.numerator, alpha.denominator, [set[int]() for _ in near.inputs]
    for i, j, square in near.pairs:
        require(square == 1, "forest rule: every distance is 1", path, square, 1)
        beside[i].add(j)
        beside[j].add(i)
    folds, leaves = list[tuple[int, int]](), [i for i, others in enumerate(beside) if len(others) < 2]
    for i in leaves:                              # the list grows behind the loop, until each tree is down to its root
        folds += [(i, j) for j in beside[i]]
        for j in beside[i]:
            beside[j].remove(i)
            leaves += [j] if len(beside[j]) == 1 else []
    require(len(leaves) == len(beside), "forest rule: no cycle", path, len(leaves), len(beside))
    roots, (den, lifts) = set(leaves) - {i for i, _ in folds}, common(w.den * loss.den, mu.den)
    bits = len(folds) * 2 * q.bit_length() + den.bit_length() + w.bits + mu.bits + loss.bits
    charge(10 * loss.width * len(beside), bits, len(beside) + 4, held=2 * len(beside))
    charge(2 * loss.width * len(folds) * (bits * (p.bit_length() + q.bit_length()) // 50_000))     # by numbers that are not small
    exact = (p * q) ** len(folds)                 # so that every division below is exact
    potentials = [mu.rows[0].get(i, 0) * (exact * lifts[mu.den]) for i in range(mu.width)]
    for r, costs in enumerate(weighed(loss, w, exact * lifts[w.den * loss.den])):
        c = [a - b for a, b in zip(costs, potentials, strict=True)]
        for i, j in folds:
            c[j] += c[i] * p // q if c[i] >= 0 else c[i] * q // p
        for i in [i for i in roots if c[i] < 0]:
            require(False, f"the sweep of guess {r} ends ≥ 0 at root {i}", path, ratio(c[i], exact * den), 0)
PRIME = 2**61 - 1     # ranks are computed modulo this

def remap_equations(consumer: Consumer, m: Matrix, w: Matrix, minima: list[int]) -> Equations:
    """What holds of the remaps that attain the bound: none of worse guesses; loss = value where w > 0."""
    loss, size = consumer.loss, m.width * consumer.loss.width * (2 + len(w.rows[0]))
    charge(size, m.bits + loss.bits, size * (loss.bits > 64), held=size)
    worse = [(y, r) for r, row in enumerate(scores(loss, m, w)) for y, x in enumerate(row) if x > minima[y]]
    each = [{(y, r): x * l for y, x in m.rows[i].items() for r, l in loss.rows[i].items()} for i in w.rows[0]]
    return [{at: 1} for at in worse] + (each if consumer.prior is None else [])
def unique(forced: Equations, rows: int, columns: int, path: str) -> None:
    """Two solutions are equal, if their difference δ satisfies `forced` and sums to 0 in each row, and these
    equations have full column rank: here modulo a prime, hence over ℚ (SPEC §4.5)."""
    if FIELD.get() is not None:
        FIELD.get().ranks()
    pivots, held = dict[tuple[int, int], dict[tuple[int, int], int]](), 2 * rows * columns
    charge(3 * rows * columns, held=held)
    for equation in merge(sorted(forced, key=len), ({(i, r): 1 for r in range(columns)} for i in range(rows)), key=len):
        charge(4 * len(equation), max((x.bit_length() for x in equation.values()), default=0))
        row = {at: r for at, x in equation.items() if (r := x % PRIME)}
        while row and (first := min(row)) in pivots:
            pivot, factor = pivots[first], row[first]
            charge(4 * (len(row) + len(pivot)))
            row = {at: x for at in row | pivot if (x := (row.get(at, 0) - factor * pivot.get(at, 0)) % PRIME)}
        held += len(row) + 2     # each with its dictionary
        charge(len(row), 61, held=held)
        if row:
            inverse = pow(row[first], -1, PRIME)
            pivots[first] = {at: x * inverse % PRIME for at, x in row.items()}
    require(len(pivots) == rows * columns, "uniqueness: full column rank", path, len(pivots), rows * columns)
