# SPDX-License-Identifier: MIT
"""Trusted: optima: witnesses to expand, the rule for forests (SPEC §4.1, §4.2), uniqueness (SPEC §4.5)."""
from __future__ import annotations

from fractions import Fraction
from heapq import merge
from math import lcm

from exactdp.checker.kernel import (
    FIELD, Consumer, Definition, Equations, Matrix, Node, beside, charge, common, demand, keep, key, quadratic, ratio, require, scores,
    weighed)

# ── Expansions: what they return is checked like a matrix of the file. No rule rests on how it was found ────
def expanded(node: Node, inputs: int, guesses: int, alpha: Fraction) -> Matrix:
    """The sum of components: x_ir = value·α^h for each input i of a component of guess r, h its height."""
    demand(FIELD.get() is None, node.path, "components need numbers that are rational")
    listed, found = list[tuple[int, list[int], list[int], Fraction]](), [set[int]() for _ in range(guesses)]
    for item in node.items():
        f = item.fields("guess at heights value")
        r, at, heights = f["guess"].index(guesses), f["at"].indices(inputs), f["heights"].below(inputs)
        demand(len(at) == len(heights) > 0, item.path, "as many heights as inputs, and one or more")
        demand(found[r].isdisjoint(at), item.path, "an input in two components of a guess")
        charge(20 * len(at))
        found[r].update(at)
        listed.append((r, at, heights, f["value"].rational()))
    longest = max((value.denominator.bit_length() for *_, value in listed), default=1)
    charge(20 * len(listed) + sum(value.denominator.bit_length() for *_, value in listed) // 40)
    each = {key(value.denominator): value.denominator for *_, value in listed}     # a file can choose many of one hash
    charge(len(each) * len(each).bit_length(), longest, held=len(each))
    (p, q), den, dens = alpha.as_integer_ratio(), 1, sorted(each.values())
    for other in dens:                            # most denominators of an optimum divide the longest
        charge(20 + 3 * quadratic(den.bit_length(), other.bit_length()))
        den = lcm(den, other)
    charge(sum(20 + quadratic(den.bit_length(), other.bit_length()) for other in dens), den.bit_length(), held=len(dens))
    lifts, count = {key(other): den // other for other in dens}, sum(map(len, found))
    top = max((h for _, _, heights, _ in listed for h in heights), default=0)
    longest = max((x.numerator.bit_length() + lifts[key(x.denominator)].bit_length() for *_, x in listed), default=1)
    bits = (top + 1) * q.bit_length() + longest
    charge(4 * (count + top), max(bits, den.bit_length()), 2 * (count + top + len(listed)))
    keep(count + top, bits)
    keep(4 * inputs, 0)
    powers, rows = [p**h * q ** (top - h) for h in range(top + 1)], [dict[int, int]() for _ in range(inputs)]
    for r, at, heights, value in listed:
        x = value.numerator * lifts[key(value.denominator)]
        for i, h in zip(at, heights, strict=True) if x else ():
            rows[i][r] = x * powers[h]
    return Matrix(guesses, den * powers[0], rows)
def unfolded(dual: dict[str, Node], loss: Matrix, near: Definition, alpha: Fraction, w: Matrix, mu: Matrix) -> Matrix:
    """The multipliers of edges and of folds, guess by guess. Let c_i be what is left of w_i l(i,r) − μ_i
    beside the multipliers so far. To fold i into j puts the multiplier c_i on x_ir − α^d x_jr if c_i ≥ 0,
    else −c_i/α^d on x_jr − α^d x_ir. Then c_i is 0, and c_j is larger by α^d c_i or c_i/α^d."""
    node, simple = dual["folds"], all(square == 1 for _, _, square in near.pairs)
    demand(FIELD.get() is None, node.path, "folds need numbers that are rational")
    none = Matrix(loss.width, 1, [{} for _ in near.pairs])
    u = dual["edges"].matrix(len(near.pairs), loss.width) if "edges" in dual else none
    powers = {square: alpha for _, _, square in near.pairs[:1]} if simple else beside("fields").powers(alpha, near, node.path)
    charge(30 * len(near.pairs), held=3 * len(near.pairs))     # few distances have a power: no file can choose many of one hash
    place = {ends: (e, powers[square]) for e, (i, j, square) in enumerate(near.pairs) for ends in ((i, j), (j, i))}
    given, folds = [dict[int, int]() for _ in range(loss.width)], [list[tuple[int, int]]() for _ in range(loss.width)]
    depth = count = 0                             # of the longest chain of folds, and of all folds
    for e, row in enumerate(u.rows):
        for r, x in row.items():
            given[r][e] = x
    listed = sum(map(len, u.rows))
    charge(4 * loss.width + 8 * listed)
    keep(3 * len(near.pairs) + listed, 64)
    for r, item in enumerate(node.items(loss.width)):
        f, used, chains = item.fields("from into"), {*given[r]}, dict[int, int]()
        leaves, roots = f["from"].below(len(near.inputs)), f["into"].below(len(near.inputs))
        demand(len(leaves) == len(roots), item.path, "from and into have the same length")
        charge(100 * len(leaves))
        for i, j in zip(leaves, roots, strict=True):
            e, _ = place.get((i, j), (-1, None))
            demand(e >= 0, item.path, f"{{{i}, {j}}} must be a constrained pair")
            demand(e not in used, item.path, f"{{{i}, {j}}} must have one multiplier")
            used.add(e)
            folds[r].append((i, j))
            chains[j] = max(chains.get(j, 0), chains.get(i, 0) + 1)
        depth, count = max(depth, *chains.values(), 0), count + len(folds[r])
    one, cells = lcm(*(p * q for a in powers.values() for p, q in [a.as_integer_ratio()])), len(near.inputs) * loss.width
    den, (lift_w, lift_mu, lift_u) = common(w.den * loss.den, mu.den, u.den)
    top, long = max((a.denominator.bit_length() for a in powers.values()), default=0), (depth + 1) * one.bit_length()
    bits = max(w.bits + loss.bits, mu.bits, u.bits) + den.bit_length() + long + depth * top + (cells + count).bit_length() + 2
    charge(8 * (cells + count + listed), bits, 2 * len(near.inputs) + 2 * listed, 2 * len(near.inputs))
    charge(2 * (count + listed) * quadratic(bits, one.bit_length()))     # a product and a division of each
    keep(count + listed, bits)
    exact = one ** (depth + 1)                    # so that every division below is exact
    rows = [{r: x * (exact * lift_u) for r, x in row.items()} for row in u.rows]
    base = [mu.rows[0].get(i, 0) * (exact * lift_mu) for i in range(mu.width)]
    for r, costs in enumerate(weighed(loss, w, exact * lift_w)):
        c = [x - y for x, y in zip(costs, base, strict=True)]
        for e in given[r]:
            i, j, square = near.pairs[e]
            i, j, x = (i, j, rows[e][r]) if rows[e][r] > 0 else (j, i, -rows[e][r])
            c[i] -= x
            c[j] += x * powers[square].numerator // powers[square].denominator
        for i, j in folds[r]:
            e, a = place[i, j]
            x = c[i] if c[i] >= 0 else c[i] * a.denominator // a.numerator
            if x:
                rows[e][r] = x if i < j else -x
            c[i], c[j] = 0, c[j] + (x * a.numerator // a.denominator if x > 0 else x)
    return Matrix(loss.width, den * exact, rows)
def differ(A: Matrix, B: Matrix) -> bool:
    """Whether two matrices differ (for every number of an interval: their squared distance is positive)."""
    charge(0, A.bits + B.bits, products=3 * A.width * len(A.rows))
    columns = zip(A.columns(), B.columns(), strict=True)
    return sum((x * B.den - y * A.den) ** 2 for xs, ys in columns for x, y in zip(xs, ys, strict=True)) > 0
def forest_rule(loss: Matrix, near: Definition, alpha: Fraction, w: Matrix, mu: Matrix, path: str) -> None:
    """c_i = w_i l(i,r) − μ_i; fold each leaf i into its neighbour j: c_j += α c_i if c_i ≥ 0, else c_i/α.
    Each root ends ≥ 0. The bound is Σ μ_i."""
    charge(20 * (len(near.inputs) + len(near.pairs)), held=2 * len(near.inputs) + 2 * len(near.pairs))
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
    roots, (den, (lift_w, lift_mu)) = set(leaves) - {i for i, _ in folds}, common(w.den * loss.den, mu.den)
    bits = len(folds) * 2 * q.bit_length() + den.bit_length() + w.bits + mu.bits + loss.bits
    charge(10 * loss.width * len(beside), bits, len(beside) + 4, held=2 * len(beside))
    charge(2 * loss.width * len(folds) * (bits * (p.bit_length() + q.bit_length()) // 50_000))     # by numbers that are not small
    exact = (p * q) ** len(folds)                 # so that every division below is exact
    potentials = [mu.rows[0].get(i, 0) * (exact * lift_mu) for i in range(mu.width)]
    for r, costs in enumerate(weighed(loss, w, exact * lift_w)):
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
