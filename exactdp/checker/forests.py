# SPDX-License-Identifier: MIT
"""Trusted: the dual rule for forests, any loss (SPEC §4.2)."""
from __future__ import annotations

from fractions import Fraction

from exactdp.checker.kernel import Definition, Matrix, charge, common, ratio, require, weighed

def forest_rule(loss: Matrix, near: Definition, alpha: Fraction, w: Matrix, mu: Matrix, path: str) -> None:
    """c_i = w_i l(i,r) − μ_i; fold each leaf i into its neighbour j: c_j += α c_i if c_i ≥ 0, else c_i/α. Each root
    ends ≥ 0. The bound is Σ μ_i."""
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
