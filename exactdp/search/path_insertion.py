# SPDX-License-Identifier: MIT
"""The pattern of a long path from that of a shorter one, for |i−r| and (i−r)² and S without holes.

Weights grow towards the centre at a rate x a site, so a double sees all of them only while x^(n/2) is moderate. The sites of
the optimum between the ends and the centre are all alike; a shorter path that a double sees whole has the same ends, centre and
sites between, and repeating the latter gives the pattern. A guess, to be checked exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import log10

from exactdp.search.path_moments import propose_pattern
from exactdp.search.path_pattern import Pattern
from exactdp.search.path_problem import Kind

__all__ = ["ATTEMPTS", "growth", "propose_patterns"]

SIGHT = (7.5, 6.5, 8.5, 5.5, 9.5)
"""How many decimal digits the weights of the shorter path may span, most promising first."""

ATTEMPTS = 3
"""How many ways the float solver is sent."""

SMALLEST = 0.02
"""Below this level the pattern no longer changes, while the weights become harder to see; so it is asked for here."""


def growth(a: float, kind: Kind) -> float:
    """The rate at which the weights grow from site to site in the bulk (of a path with level a, or :data:`SMALLEST` if a is less).

    For |i−r| it is (1+a²)/(2a); for (i−r)² the x > 1 with ax/(1−ax) − a/(x−a) = 1/2.

    >>> growth(0.5, "abs"), round(growth(0.5, "squared"), 3)
    (1.25, 1.129)
    """
    a = max(a, SMALLEST)
    if kind == "abs":
        return (1 + a * a) / (2 * a)
    low, high = 1.0, 1 / a
    for _ in range(80):
        x = (low + high) / 2
        if 2 * a * (x * (x - a) - (1 - a * x)) < (1 - a * x) * (x - a):
            low = x
        else:
            high = x
    return low


def propose_patterns(n: int, a: float, kind: Kind) -> Iterator[Pattern]:
    """Patterns for S = {0..n}, the likeliest first; none without HiGHS."""
    a = max(a, SMALLEST)
    rate = log10(growth(a, kind))
    seen = set()
    for attempt, digits in product(range(ATTEMPTS), SIGHT):
        short = n if rate * n < digits else max(8, int(2 * digits / rate))
        short += (n - short) % 2
        short = min(short, n)
        if (attempt, short) in seen:
            continue
        seen.add((attempt, short))
        pattern = propose_pattern(short, a, kind, [True] * (short + 1), attempt)
        longer = pattern if pattern is None or short == n else pattern.lengthened(n)
        if longer is not None:
            yield longer
