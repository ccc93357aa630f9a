# SPDX-License-Identifier: MIT
"""Trusted: compact forms of matrices, expanded: components and folds (SPEC §4.1, §4.2).

A rule checks what they return like a matrix that the file lists: none rests on how it was found.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from exactdp.checker.arithmetic import common, key
from exactdp.checker.limits import FIELD, charge, demand, keep, quadratic
from exactdp.checker.matrices import Matrix, remainders
from exactdp.checker.reader import Node
from exactdp.checker.rules import Definition, constraint_of, powers_on


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


Folds = list[tuple[int, int]]

Places = dict[tuple[int, int], tuple[int, Fraction]]
"""For each constrained pair, in both orders, its number and its power α^d."""


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
    place = places_of(near, power_at)

    given = by_guess(u)
    listed = sum(map(len, given))
    charge(4 * loss.width + 8 * listed)
    keep(3 * len(near.pairs) + listed, 64)

    # The folds, by guess; and the length of the longest chain of them.
    size = len(near.inputs)
    each = list[Folds]()
    depth = 0
    for r, item in enumerate(node.items(loss.width)):
        folds, longest = folds_of(item, place, {*given[r]}, size)
        each.append(folds)
        depth = max(depth, longest)
    count = sum(map(len, each))

    # Everything times one^(depth + 1), so that every division below is exact.
    one = lcm(*(a.numerator * a.denominator for a in power_at.values()))
    den, (lift_w, lift_mu, lift_u) = common(w.den * loss.den, mu.den, u.den)
    bits = max(w.bits + loss.bits, mu.bits, u.bits) + den.bit_length()
    announce_folding(power_at, one, depth, bits, size, loss.width, count, listed)
    exact = one ** (depth + 1)
    rows = [{r: x * (exact * lift_u) for r, x in row.items()} for row in u.rows]

    # The numbers c of each guess, without the multipliers of the file; then its folds.
    for r, c in enumerate(remainders(loss, w, mu, exact * lift_w, exact * lift_mu)):
        for e in given[r]:
            i, j, square = near.pairs[e]
            put(c, i, j, power_at[square], rows[e][r])
        for i, j in each[r]:
            e, power = place[i, j]
            multiplier = fold(c, i, j, power)
            if multiplier:
                rows[e][r] = multiplier if i < j else -multiplier
    return Matrix(loss.width, den * exact, rows)


def announce_folding(
    power_at: dict[Fraction, Fraction],
    one: int,
    depth: int,
    bits: int,
    inputs: int,
    guesses: int,
    folds: int,
    edges: int,
) -> None:
    """The work of so many folds and multipliers of edges, of numbers of so many bits at first."""
    cells = inputs * guesses
    top = max((a.denominator.bit_length() for a in power_at.values()), default=0)
    bits += (depth + 1) * one.bit_length() + depth * top + (cells + folds).bit_length() + 2
    charge(8 * (cells + folds + edges), bits, 2 * inputs + 2 * edges, 2 * inputs)
    # A product and a division of each.
    charge(2 * (folds + edges) * quadratic(bits, one.bit_length()))
    keep(folds + edges, bits)


def places_of(near: Definition, power_at: dict[Fraction, Fraction]) -> Places:
    """The places of the constrained pairs."""
    # Few distances have a power: no file can choose many of one hash.
    charge(30 * len(near.pairs), held=3 * len(near.pairs))
    place = Places()
    for e, (i, j, square) in enumerate(near.pairs):
        place[i, j] = place[j, i] = e, power_at[square]
    return place


def by_guess(u: Matrix) -> list[list[int]]:
    """For each guess, the numbers of the pairs that have a multiplier in the file."""
    result: list[list[int]] = [[] for _ in range(u.width)]
    for e, row in enumerate(u.rows):
        for r in row:
            result[r].append(e)
    return result


def put(c: list[int], i: int, j: int, power: Fraction, multiplier: int) -> None:
    """Take the constraint of a multiplier of {i, j}, so many times, from what is left."""
    a, b = constraint_of(i, j, multiplier)
    c[a] -= abs(multiplier)
    c[b] += abs(multiplier) * power.numerator // power.denominator


def fold(c: list[int], i: int, j: int, power: Fraction) -> int:
    """Fold i into j; the multiplier, > 0 on x_ir − α^d x_jr and < 0 on x_jr − α^d x_ir."""
    if c[i] >= 0:
        multiplier = c[i]
        c[j] += c[i] * power.numerator // power.denominator
    else:
        multiplier = c[i] * power.denominator // power.numerator
        c[j] += multiplier
    c[i] = 0
    return multiplier


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
