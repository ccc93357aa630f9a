# SPDX-License-Identifier: MIT
"""Trusted: witnesses of least losses: primal, dual, and uniqueness (SPEC §4.1, §4.2, §4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain

from exactdp.checker.arithmetic import common, product, quotient, raised, ratio
from exactdp.checker.compact import expanded, unfolded
from exactdp.checker.limits import FIELD, demand, require
from exactdp.checker.matrices import Matrix, outer, rank, remainders, scores, stochastic
from exactdp.checker.reader import Node
from exactdp.checker.rules import (
    Consumer,
    Definition,
    Equations,
    attain,
    check_private,
    equals,
    geometric_on,
    graph_rule,
    loss_of,
    path_rule,
    weights,
)


# ── The primal: a mechanism that attains the value (SPEC §4.1) ──────────────────────────────────
def primal(
    f: dict[str, Node],
    path: str,
    consumer: Consumer,
    near: Definition,
    alpha: Fraction,
    value: Node,
) -> Matrix:
    """An α-private mechanism with this loss: its rows, its components, or on a path T with X =
    G(n, α)·T.
    """
    # Theorem: solvesP (Checker/Check.v); of a remap geometric_solvesP (Checker/PathPrimal.v).
    demand(len(f) == 1, path, "one of rows, components and remap")
    if "remap" in f:
        return attain(consumer, geometric_on(near, alpha, path), f["remap"], value)
    [node] = f.values()
    height, width = len(near.inputs), len(consumer.guesses)
    if "rows" in f:
        table = node.matrix(height, width)
    else:
        table = expanded(node, height, width, alpha)
    X = stochastic(table, node.path)
    check_private(X, near, alpha, path)
    equals(loss_of(consumer, X.columns(), X.den), value, f"the loss of {path}")
    return X


# ── The dual: no mechanism has a smaller loss (SPEC §4.2) ───────────────────────────────────────
def dual_rule(
    node: Node, consumer: Consumer, near: Definition, alpha: Fraction
) -> tuple[Fraction, Equations]:
    """The bound by the rule whose data are given, and what holds where it is attained (SPEC
    §4.5).
    """
    f = node.fields("weights? potentials? edges? folds?")
    path, loss = node.path, consumer.loss
    complete = "potentials" in f or not {"edges", "folds"} & {*f}
    demand(complete, path, "edges and folds need potentials")
    w = weights(consumer, f, path)

    # Theorem: weighed_equal (Checker/Forced.v): at an optimum of a minimax consumer an input of
    # positive weight has the value as its loss.
    each: Equations = ()
    if consumer.prior is None:
        each = ({(i, r): x for r, x in loss.rows[i].items()} for i in w.rows[0])

    if "potentials" not in f:
        return path_rule(loss, near, alpha, w, path), each
    mu = f["potentials"].vector(w.width)
    bound = ratio(sum(mu.rows[0].values()), mu.den)
    if "edges" not in f and "folds" not in f:
        forest_rule(loss, near, alpha, w, mu, path)
        return bound, each
    if "folds" in f:
        u = unfolded(f, loss, near, alpha, w, mu)
    else:
        u = f["edges"].matrix(len(near.pairs), loss.width)
    return bound, chain(each, graph_rule(loss, near, alpha, w, mu, u, path))


def forest_rule(
    loss: Matrix, near: Definition, alpha: Fraction, w: Matrix, mu: Matrix, path: str
) -> None:
    """c_i = w_i l(i,r) − μ_i; fold each leaf i into its neighbour j: c_j += α c_i if c_i ≥ 0, else
    c_i/α. Each root ends ≥ 0. The bound is Σ μ_i.
    """
    # Theorem: fold_le, forest_boundP (Checker/ForestBound.v).
    neighbours = [set[int]() for _ in near.inputs]
    for i, j, square in near.pairs:
        require(square == 1, "forest rule: every distance is 1", path, square, 1)
        neighbours[i].add(j)
        neighbours[j].add(i)

    # The order of folds. The list grows behind the loop, until each tree is down to its root.
    folds = list[tuple[int, int]]()
    leaves = [i for i, others in enumerate(neighbours) if len(others) < 2]
    for i in leaves:
        for j in neighbours[i]:
            folds.append((i, j))
            neighbours[j].remove(i)
            if len(neighbours[j]) == 1:
                leaves.append(j)
    size = len(near.inputs)
    require(len(leaves) == size, "forest rule: no cycle", path, len(leaves), size)
    roots = set(leaves) - {i for i, _ in folds}

    # Everything times (p·q)^folds, so that every division below is exact.
    p, q = alpha.numerator, alpha.denominator
    den, (lift_w, lift_mu) = common(w.den * loss.den, mu.den)
    exact = raised(p * q, len(folds))

    # The sweep of each guess, from the leaves to the roots.
    for r, c in enumerate(remainders(loss, w, mu, exact * lift_w, exact * lift_mu)):
        for i, j in folds:
            if c[i] >= 0:
                c[j] += quotient(product(c[i], p), q)
            else:
                c[j] += quotient(product(c[i], q), p)
        for i in roots:
            if c[i] < 0:
                rule = f"the sweep of guess {r} ends ≥ 0 at root {i}"
                require(False, rule, path, ratio(c[i], exact * den), 0)


# ── Uniqueness (SPEC §4.5) ──────────────────────────────────────────────────────────────────────
def differ(A: Matrix, B: Matrix) -> bool:
    """Whether two matrices differ (for every number of an interval: their squared distance is
    positive).
    """
    # Theorem: differP (Checker/UniquenessCheck.v).
    height = len(A.rows)
    distance = 0
    each = zip(A.columns(2 * height, B.bits), B.columns(2 * height, A.bits), strict=True)
    for xs, ys in each:
        distance += sum((x * B.den - y * A.den) ** 2 for x, y in zip(xs, ys, strict=True))
    return distance > 0


def remap_equations(
    consumer: Consumer, m: Matrix, w: Matrix, minima: list[int]
) -> Iterator[dict[tuple[int, int], int]]:
    """What holds of the remaps that attain the bound: none of worse guesses; loss = value where w
    > 0.
    """
    # Theorem: remap_zero, remap_forced_hold (Checker/Forced.v).
    for r, row in enumerate(scores(consumer.loss, m, w)):
        for y, x in enumerate(row):
            if x > minima[y]:
                yield {(y, r): 1}
    if consumer.prior is None:
        for i in w.rows[0]:
            yield outer(m.rows[i], consumer.loss.rows[i])


def unique(forced: Equations, rows: int, columns: int, path: str) -> None:
    """Two solutions are equal, if their difference δ satisfies `forced` and sums to 0 in each row,
    and these equations have full column rank: here modulo a prime, hence over ℚ (SPEC §4.5).
    """
    # Theorem: only_zeroP (Checker/Ranks.v), forced_hold (Checker/Forced.v).
    if FIELD.get() is not None:
        FIELD.get().ranks()
    sums = ({(i, r): 1 for r in range(columns)} for i in range(rows))
    found, unknowns = rank(forced, sums), rows * columns
    require(found == unknowns, "uniqueness: full column rank", path, found, unknowns)
