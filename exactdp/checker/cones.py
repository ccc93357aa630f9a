# SPDX-License-Identifier: MIT
"""Trusted: cones of priors, and where guesses cross in them; work is counted (SPEC §4.14)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import gcd

from exactdp.checker.arithmetic import dot, grid, longest, product, scaled
from exactdp.checker.limits import charge, keep

Corner = tuple[str, tuple[int, ...]]
"""What stands for a prior in a dictionary; and the prior, in lowest terms."""


def corner(v: Sequence[int]) -> Corner:
    """The integer vector divided by its greatest common divisor; and what stands for it: a text,
    as a file can choose many priors, and a mechanism with many kinks, of one hash.
    """
    bits = longest(v)
    charge(len(v) * (1 + bits**2 // 50_000 + bits // 40), bits, held=len(v))
    common = gcd(*v)
    point = tuple(x // common for x in v)
    return " ".join(map(hex, point)), point


def first_cone(n: int) -> list[Corner]:
    """The cone of all priors, by its n corners."""
    rows = grid(n, n)
    for k, row in enumerate(rows):
        row[k] = 1
    return [corner(row) for row in rows]


def scores_at(
    point: Sequence[int], columns: list[list[int]], costs: list[list[int]]
) -> list[list[int]]:
    """Σ_x π_x l(x,g) M_xy by output and guess."""
    result = list[list[int]]()
    for column in columns:
        mass = [product(w, x) for w, x in zip(point, column, strict=True)]
        row = [dot(mass, cost) for cost in costs]
        keep(len(row), longest(row))
        result.append(row)
    return result


def crosses_once(table: list[list[int]], r: int, s: int) -> bool:
    """Whether, input by input, guess r is no worse than s up to some place, and no better from
    there on.
    """
    charge(4 * len(table), longest([row[r] for row in table]))
    after = [row[r] > row[s] for row in table]
    first = after.index(True) if True in after else len(table)
    return all(row[r] >= row[s] for row in table[first:])


def crossing(values: list[list[list[int]]]) -> list[int]:
    """Nothing if at every output one guess is best at all corners of a cone, so everywhere in it.
    Else the differences, at the corners, of two guesses that are best somewhere and cross: the
    first two that do on the fewest edges.
    """
    fewest, found, settled = 0, list[int](), True
    for corners in values:
        charge(4 * sum(map(len, corners)), longest(corners[0]))
        best = list[set[int]]()
        for row in corners:
            least = min(row)
            best.append({g for g, x in enumerate(row) if x == least})
        if set.intersection(*best):
            continue
        settled = False
        somewhere = sorted(set.union(*best))
        charge(2 * len(corners) * len(somewhere) ** 2)
        for g, h in combinations(somewhere, 2):
            signs = [row[g] - row[h] for row in corners]
            crossed = sum(x < 0 for x in signs) * sum(x > 0 for x in signs)
            if crossed and (not found or crossed < fewest):
                fewest, found = crossed, signs
    if not settled and not found:
        raise ValueError(
            "guesses that do not cross are ordered, and the first one is best everywhere"
        )
    return found


def cut(cone: list[Corner], signs: list[int]) -> list[list[Corner]]:
    """The two parts of a cone on whose corners a linear function has these values: the edge
    between the first corners of either sign is cut where it is 0.
    """
    i = next(k for k, x in enumerate(signs) if x < 0)
    j = next(k for k, x in enumerate(signs) if x > 0)
    (_, v), (_, w) = cone[i], cone[j]
    left, right = scaled(v, signs[j]), scaled(w, signs[i])
    new = corner([a - b for a, b in zip(left, right, strict=True)])
    keep(len(cone) // 8 + 1, 0)
    parts = list[list[Corner]]()
    for place in (i, j):
        parts.append([new if k == place else old for k, old in enumerate(cone)])
    return parts
