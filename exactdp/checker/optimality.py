# SPDX-License-Identifier: MIT
"""Trusted: witnesses of least losses: primal, dual, and uniqueness (SPEC §4.1, §4.2, §4.5)."""

from __future__ import annotations

from fractions import Fraction
from heapq import merge
from itertools import chain
from math import lcm

from exactdp.checker.limits import FIELD, charge, demand, keep, quadratic, require
from exactdp.checker.matrices import Matrix, common, key, ratio, stochastic
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
    powers_on,
    scores,
    weighed,
    weights,
)

PRIME = 2**61 - 1
"""Ranks are computed modulo this."""


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


def expanded(node: Node, inputs: int, guesses: int, alpha: Fraction) -> Matrix:
    """The sum of components: x_ir = value·α^h for each input i of a component of guess r, h its
    height. It is checked like a matrix of the file: no rule rests on how it was found.
    """
    demand(FIELD.get() is None, node.path, "components need numbers that are rational")
    listed = list[tuple[int, list[int], list[int], Fraction]]()
    found = [set[int]() for _ in range(guesses)]
    for item in node.items():
        f = item.fields("guess at heights value")
        r = f["guess"].index(guesses)
        at = f["at"].indices(inputs)
        heights = f["heights"].below(inputs)
        demand(len(at) == len(heights) > 0, item.path, "as many heights as inputs, and one or more")
        demand(found[r].isdisjoint(at), item.path, "an input in two components of a guess")
        charge(20 * len(at))
        found[r].update(at)
        listed.append((r, at, heights, f["value"].rational()))

    # The different denominators. They are keys as texts: a file can choose many of one hash.
    lengths = [value.denominator.bit_length() for *_, value in listed]
    charge(20 * len(listed) + sum(lengths) // 40)
    each = {key(value.denominator): value.denominator for *_, value in listed}
    charge(len(each) * len(each).bit_length(), max(lengths, default=1), held=len(each))
    dens = sorted(each.values())

    # Their least common multiple; most denominators of an optimum divide the longest.
    den = 1
    for other in dens:
        charge(20 + 3 * quadratic(den.bit_length(), other.bit_length()))
        den = lcm(den, other)
    steps = sum(20 + quadratic(den.bit_length(), other.bit_length()) for other in dens)
    charge(steps, den.bit_length(), held=len(dens))
    lifts = {key(other): den // other for other in dens}

    # The powers p^h q^(top − h) of the level p/q, and the sum over the denominator den·q^top.
    p, q = alpha.as_integer_ratio()
    count = sum(map(len, found))
    top = max((h for _, _, heights, _ in listed for h in heights), default=0)
    long = (x.numerator.bit_length() + lifts[key(x.denominator)].bit_length() for *_, x in listed)
    bits = (top + 1) * q.bit_length() + max(long, default=1)
    charge(4 * (count + top), max(bits, den.bit_length()), 2 * (count + top + len(listed)))
    keep(count + top, bits)
    keep(4 * inputs, 0)
    powers = [p**h * q ** (top - h) for h in range(top + 1)]
    rows = [dict[int, int]() for _ in range(inputs)]
    for r, at, heights, value in listed:
        x = value.numerator * lifts[key(value.denominator)]
        if x:
            for i, h in zip(at, heights, strict=True):
                rows[i][r] = x * powers[h]
    return Matrix(guesses, den * powers[0], rows)


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
    size = len(near.inputs)
    charge(20 * (size + len(near.pairs)), held=2 * size + 2 * len(near.pairs))
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
    require(len(leaves) == size, "forest rule: no cycle", path, len(leaves), size)
    roots = set(leaves) - {i for i, _ in folds}

    # Everything times (p·q)^folds, so that every division below is exact.
    p, q = alpha.numerator, alpha.denominator
    den, (lift_w, lift_mu) = common(w.den * loss.den, mu.den)
    bits = len(folds) * 2 * q.bit_length() + den.bit_length() + w.bits + mu.bits + loss.bits
    charge(10 * loss.width * size, bits, size + 4, held=2 * size)
    by = p.bit_length() + q.bit_length()
    charge(2 * loss.width * len(folds) * (bits * by // 50_000))
    exact = (p * q) ** len(folds)
    potentials = [mu.rows[0].get(i, 0) * (exact * lift_mu) for i in range(mu.width)]

    # The sweep of each guess, from the leaves to the roots.
    for r, costs in enumerate(weighed(loss, w, exact * lift_w)):
        c = [a - b for a, b in zip(costs, potentials, strict=True)]
        for i, j in folds:
            if c[i] >= 0:
                c[j] += c[i] * p // q
            else:
                c[j] += c[i] * q // p
        for i in roots:
            if c[i] < 0:
                rule = f"the sweep of guess {r} ends ≥ 0 at root {i}"
                require(False, rule, path, ratio(c[i], exact * den), 0)


Folds = list[tuple[int, int]]


def unfolded(
    dual: dict[str, Node], loss: Matrix, near: Definition, alpha: Fraction, w: Matrix, mu: Matrix
) -> Matrix:
    """The multipliers of edges and of folds, guess by guess. Let c_i be what is left of w_i l(i,r)
    − μ_i beside the multipliers so far. To fold i into j puts the multiplier c_i on x_ir − α^d
    x_jr if c_i ≥ 0, else −c_i/α^d on x_jr − α^d x_ir. Then c_i is 0, and c_j is larger by α^d
    c_i or c_i/α^d. The graph rule checks them as if the file listed them.
    """
    node = dual["folds"]
    demand(FIELD.get() is None, node.path, "folds need numbers that are rational")
    u = Matrix(loss.width, 1, [{} for _ in near.pairs])
    if "edges" in dual:
        u = dual["edges"].matrix(len(near.pairs), loss.width)
    power_at = powers_on(near, alpha, node.path)

    # For each pair, in both orders, its number and its power; few distances have a power: no file
    # can choose many of one hash.
    charge(30 * len(near.pairs), held=3 * len(near.pairs))
    place = dict[tuple[int, int], tuple[int, Fraction]]()
    for e, (i, j, square) in enumerate(near.pairs):
        place[i, j] = place[j, i] = e, power_at[square]

    # The pairs that have a multiplier in the file, by guess.
    given = [dict[int, int]() for _ in range(loss.width)]
    for e, row in enumerate(u.rows):
        for r, x in row.items():
            given[r][e] = x
    listed = sum(map(len, u.rows))
    charge(4 * loss.width + 8 * listed)
    keep(3 * len(near.pairs) + listed, 64)

    # The folds, by guess; and the length of the longest chain of them.
    folds = [Folds() for _ in range(loss.width)]
    depth = 0
    for r, item in enumerate(node.items(loss.width)):
        folds[r], longest = folds_of(item, place, {*given[r]}, len(near.inputs))
        depth = max(depth, longest)
    count = sum(map(len, folds))

    # Everything times one^(depth + 1), so that every division below is exact.
    one = lcm(*(a.numerator * a.denominator for a in power_at.values()))
    den, (lift_w, lift_mu, lift_u) = common(w.den * loss.den, mu.den, u.den)
    size = len(near.inputs)
    cells = size * loss.width
    top = max((a.denominator.bit_length() for a in power_at.values()), default=0)
    bits = max(w.bits + loss.bits, mu.bits, u.bits) + den.bit_length()
    bits += (depth + 1) * one.bit_length() + depth * top + (cells + count).bit_length() + 2
    charge(8 * (cells + count + listed), bits, 2 * size + 2 * listed, 2 * size)
    # A product and a division of each.
    charge(2 * (count + listed) * quadratic(bits, one.bit_length()))
    keep(count + listed, bits)
    exact = one ** (depth + 1)
    rows = [{r: x * (exact * lift_u) for r, x in row.items()} for row in u.rows]
    base = [mu.rows[0].get(i, 0) * (exact * lift_mu) for i in range(mu.width)]

    for r, costs in enumerate(weighed(loss, w, exact * lift_w)):
        c = [x - y for x, y in zip(costs, base, strict=True)]
        for e in given[r]:
            i, j, square = near.pairs[e]
            x = rows[e][r]
            if x < 0:
                i, j, x = j, i, -x
            c[i] -= x
            c[j] += x * power_at[square].numerator // power_at[square].denominator
        for i, j in folds[r]:
            e, a = place[i, j]
            if c[i] >= 0:
                x = c[i]
                c[j] += x * a.numerator // a.denominator
            else:
                x = c[i] * a.denominator // a.numerator
                c[j] += x
            c[i] = 0
            if x:
                rows[e][r] = x if i < j else -x
    return Matrix(loss.width, den * exact, rows)


def folds_of(
    item: Node, place: dict[tuple[int, int], tuple[int, Fraction]], used: set[int], inputs: int
) -> tuple[Folds, int]:
    """The folds of a guess, along pairs that have no multiplier yet; and the length of the longest
    chain of them.
    """
    f = item.fields("from into")
    leaves = f["from"].below(inputs)
    roots = f["into"].below(inputs)
    demand(len(leaves) == len(roots), item.path, "from and into have the same length")
    charge(100 * len(leaves))
    folds = Folds()
    chains = dict[int, int]()
    for i, j in zip(leaves, roots, strict=True):
        e, _ = place.get((i, j), (-1, None))
        demand(e >= 0, item.path, f"{{{i}, {j}}} must be a constrained pair")
        demand(e not in used, item.path, f"{{{i}, {j}}} must have one multiplier")
        used.add(e)
        folds.append((i, j))
        chains[j] = max(chains.get(j, 0), chains.get(i, 0) + 1)
    return folds, max(chains.values(), default=0)


# ── Uniqueness (SPEC §4.5) ──────────────────────────────────────────────────────────────────────
def differ(A: Matrix, B: Matrix) -> bool:
    """Whether two matrices differ (for every number of an interval: their squared distance is
    positive).
    """
    # Theorem: differP (Checker/UniquenessCheck.v).
    charge(0, A.bits + B.bits, products=3 * A.width * len(A.rows))
    distance = 0
    for xs, ys in zip(A.columns(), B.columns(), strict=True):
        distance += sum((x * B.den - y * A.den) ** 2 for x, y in zip(xs, ys, strict=True))
    return distance > 0


def remap_equations(consumer: Consumer, m: Matrix, w: Matrix, minima: list[int]) -> Equations:
    """What holds of the remaps that attain the bound: none of worse guesses; loss = value where w
    > 0.
    """
    # Theorem: remap_zero, remap_forced_hold (Checker/Forced.v).
    loss = consumer.loss
    size = m.width * loss.width * (2 + len(w.rows[0]))
    charge(size, m.bits + loss.bits, size * (loss.bits > 64), held=size)
    forced = list[dict[tuple[int, int], int]]()
    for r, row in enumerate(scores(loss, m, w)):
        for y, x in enumerate(row):
            if x > minima[y]:
                forced.append({(y, r): 1})
    if consumer.prior is None:
        for i in w.rows[0]:
            row, costs = m.rows[i], loss.rows[i]
            forced.append({(y, r): x * l for y, x in row.items() for r, l in costs.items()})
    return forced


def unique(forced: Equations, rows: int, columns: int, path: str) -> None:
    """Two solutions are equal, if their difference δ satisfies `forced` and sums to 0 in each row,
    and these equations have full column rank: here modulo a prime, hence over ℚ (SPEC §4.5).
    """
    # Theorem: only_zeroP (Checker/Ranks.v), forced_hold (Checker/Forced.v).
    if FIELD.get() is not None:
        FIELD.get().ranks()
    held = 2 * rows * columns
    charge(3 * rows * columns, held=held)
    sums = ({(i, r): 1 for r in range(columns)} for i in range(rows))
    # Gauss: each equation, short ones first, without the first unknowns of those before.
    pivots = dict[tuple[int, int], dict[tuple[int, int], int]]()
    for equation in merge(sorted(forced, key=len), sums, key=len):
        longest = max((x.bit_length() for x in equation.values()), default=0)
        charge(4 * len(equation), longest)
        row = {at: r for at, x in equation.items() if (r := x % PRIME)}
        while row and (first := min(row)) in pivots:
            pivot, factor = pivots[first], row[first]
            charge(4 * (len(row) + len(pivot)))
            combined = {at: row.get(at, 0) - factor * pivot.get(at, 0) for at in row | pivot}
            row = {at: r for at, x in combined.items() if (r := x % PRIME)}
        held += len(row) + 2  # each with its dictionary
        charge(len(row), 61, held=held)
        if row:
            inverse = pow(row[first], -1, PRIME)
            pivots[first] = {at: x * inverse % PRIME for at, x in row.items()}
    rank, unknowns = len(pivots), rows * columns
    require(rank == unknowns, "uniqueness: full column rank", path, rank, unknowns)
