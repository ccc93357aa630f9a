# SPDX-License-Identifier: MIT
"""Printed tables by enumeration: vertices of rows, all events, linear programs over all events.

With fractions, and no code of exactdp.
"""

from __future__ import annotations

from fractions import Fraction as F
from itertools import chain, combinations, product

from contradictions.oracle import least


def row_vertices(lower, upper):
    """The vertices of {x : lower ≤ x ≤ upper, Σ x = 1}: all entries but one are at an end."""
    found = set()
    for free in range(len(lower)):
        others = [r for r in range(len(lower)) if r != free]
        for ends in product(*((lower[r], upper[r]) for r in others)):
            rest = 1 - sum(ends, F(0))
            if lower[free] <= rest <= upper[free]:
                row = dict(zip(others, ends, strict=True)) | {free: rest}
                found.add(tuple(row[r] for r in range(len(lower))))
    return sorted(found)


def events(width):
    return list(chain.from_iterable(combinations(range(width), k) for k in range(width + 1)))


def worst_delta(lower, upper, pairs):
    """The largest Σ_r max(0, x_r − f·y_r) at vertices x, y of two rows: it is convex in each."""
    most = F(0)
    for i, j, factor in pairs:
        for x in row_vertices(lower[i], upper[i]):
            for y in row_vertices(lower[j], upper[j]):
                most = max(most, sum((max(F(0), a - factor * b) for a, b in zip(x, y, strict=True)), F(0)))
    return most


def best_delta(lower, upper, pairs):
    """Min D with D ≥ P(E | i) − f·P(E | j) for every event; slacks keep x between its ends."""
    height, width = len(lower), len(lower[0])
    count = height * width
    rows, right = [], []
    for i in range(height):
        rows.append({i * width + r: F(1) for r in range(width)})
        right.append(F(1))
        for r in range(width):
            rows.append({i * width + r: F(1), count: F(1)})
            right.append(upper[i][r])
            rows.append({i * width + r: F(1), count + 1: F(-1)})
            right.append(lower[i][r])
            count += 2
    delta, count = count, count + 1
    for i, j, factor in pairs:
        for event in events(width):
            row = {delta: F(1), count: F(-1)}
            for r in event:
                row[i * width + r] = F(-1)
                row[j * width + r] = factor
            rows.append(row)
            right.append(F(0))
            count += 1
    cost = [F(0)] * count
    cost[delta] = F(1)
    found = least(cost, rows, right)
    return None if found is None else found[0]


def worst_level(lower, upper, pairs):
    """The least x_r/y_r over vertices (and distance 1); 0 if some x_r is 0 where y_r is not."""
    lowest = F(1)
    for i, j, _ in pairs:
        for r in range(len(lower[0])):
            xs = [x[r] for x in row_vertices(lower[i], upper[i])]
            ys = [y[r] for y in row_vertices(lower[j], upper[j])]
            if max(ys) > 0:
                lowest = min(lowest, min(xs) / max(ys))
    return lowest


def some_private(lower, upper, pairs):
    """Whether some table has x_ir ≥ α^d·x_jr for all pairs, given as (i, j, 1/α^d)."""
    height, width = len(lower), len(lower[0])
    count = height * width
    rows, right = [], []
    for i in range(height):
        rows.append({i * width + r: F(1) for r in range(width)})
        right.append(F(1))
        for r in range(width):
            rows += [{i * width + r: F(1), count: F(1)}, {i * width + r: F(1), count + 1: F(-1)}]
            right += [upper[i][r], lower[i][r]]
            count += 2
    for i, j, factor in pairs:
        for r in range(width):
            rows.append({i * width + r: F(1), j * width + r: -1 / factor, count: F(-1)})
            right.append(F(0))
            count += 1
    return least([F(0)] * count, rows, right) is not None
