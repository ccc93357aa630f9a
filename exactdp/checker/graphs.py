# SPDX-License-Identifier: MIT
"""Trusted: searches in graphs, which count their work: shortest paths, connected parts."""

from __future__ import annotations

from collections.abc import Sequence

from exactdp.checker.arithmetic import grid
from exactdp.checker.limits import charge


def adjacent(pairs: Sequence[tuple[int, int]], n: int) -> list[list[int]]:
    """For each of 0, …, n − 1 those that a pair joins it with."""
    charge(8 * (n + len(pairs)), held=2 * (n + len(pairs)))
    joined: list[list[int]] = [[] for _ in range(n)]
    for i, j in pairs:
        joined[i].append(j)
        joined[j].append(i)
    return joined


def hops(pairs: Sequence[tuple[int, int]], n: int) -> list[list[int]]:
    """The lengths of shortest paths, −1 where there is none, by breadth-first search."""
    joined = adjacent(pairs, n)
    charge(n * (n + len(pairs)))
    rows = grid(n, n, -1)
    for v, row in enumerate(rows):
        row[v] = 0
        reached = [v]
        for i in reached:  # it grows
            if len(reached) == n:
                break
            for j in joined[i]:
                if row[j] < 0:
                    row[j] = row[i] + 1
                    reached.append(j)
    return rows


def components(pairs: Sequence[tuple[int, int]], n: int) -> list[list[int]]:
    """The parts of 0, …, n−1 that these pairs connect, in the order of their first members."""
    joined = adjacent(pairs, n)
    seen = [False] * n
    parts = list[list[int]]()
    for first in range(n):
        if seen[first]:
            continue
        seen[first] = True
        part = [first]
        for i in part:  # it grows
            for j in joined[i]:
                if not seen[j]:
                    seen[j] = True
                    part.append(j)
        parts.append(sorted(part))
    return parts
