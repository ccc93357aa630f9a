# SPDX-License-Identifier: MIT
"""Sums Σ_i a^|i−j| c_i for a = p/q over integers, with the powers of q left outside.

A sum splits into a left part (i ≤ j) and a right part (i > j). The left part and its moments are kept
multiplied by q^j, the right part by q^(n−j), so that one pass of small integer multiplications gives them
all; q^n·(sum at j) is q^(n−j)·left + q^j·right.

>>> left = moments(1, 2, [3, 0, 4], 1)                      # a = 1/2: 3, 3/2, 3/4 + 4, times 1, 2, 4
>>> left
[[3, 3, 19], [0, 3, 6]]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Pair = tuple[int, int, int]
"""(j, r, t): the mass t that goes from j to r."""


def powers(base: int, n: int) -> list[int]:
    """base^0, …, base^n."""
    result = [1]
    for _ in range(n):
        result.append(result[-1] * base)
    return result


def moments(p: int, q: int, c: Sequence[int], order: int) -> list[list[int]]:
    """For k = 0..order (at most 2) and every j: q^j·Σ_{i ≤ j} (p/q)^(j−i) (j−i)^k c_i."""
    sums: list[list[int]] = [[] for _ in range(order + 1)]
    zeroth = first = second = 0
    power = 1
    for x in c:
        if order == 2:
            second = p * (second + 2 * first + zeroth)
            sums[2].append(second)
        if order >= 1:
            first = p * (first + zeroth)
            sums[1].append(first)
        zeroth = power * x + p * zeroth if x else p * zeroth
        sums[0].append(zeroth)
        power *= q
    return sums


class TwoSided:
    """The left and right moments of c, and their sums.

    ``left[k][j]`` = q^j·Σ_{i ≤ j} a^(j−i) (j−i)^k c_i, ``right[k][j]`` = q^(n−j)·Σ_{i > j} a^(i−j) (i−j)^k
    c_i.
    """

    __slots__ = ("_powers", "closed", "left", "n", "p", "q", "right")

    def __init__(self, p: int, q: int, c: Sequence[int], order: int = 0, q_powers: Sequence[int] | None = None) -> None:
        n = len(c) - 1
        self.n, self.p, self.q = n, p, q
        self._powers = powers(q, n) if q_powers is None else q_powers
        self.left = moments(p, q, c, order)
        self.closed = [part[::-1] for part in moments(p, q, c[::-1], order)]
        """As ``right``, but over i ≥ j."""
        self.right = [self.closed[0][:], *self.closed[1:]]
        for j, x in enumerate(c):
            if x:
                self.right[0][j] -= self._powers[n - j] * x

    def joined(self, j: int, left: int, right: int) -> int:
        """q^n times the number whose left part is ``left``/q^j and whose right part is ``right``/q^(n−j)."""
        return self._powers[self.n - j] * left + self._powers[j] * right

    def at(self, j: int) -> int:
        """q^n·Σ_i a^|i−j| c_i."""
        return self.joined(j, self.left[0][j], self.right[0][j])

    def slope(self, j: int) -> int:
        """q^n·Σ_i a^|i−j| (i−j) c_i."""
        return self.joined(j, -self.left[1][j], self.right[1][j])

    def curvature(self, j: int) -> int:
        """q^n·Σ_i a^|i−j| (i−j)² c_i."""
        return self.joined(j, self.left[2][j], self.right[2][j])


def spread_absolute(p: int, q: int, pairs: Iterable[Pair], scale: Sequence[int]) -> list[int]:
    """q^n·Σ_(j,r,t) a^|i−j| |i−r| t for every i; ``scale`` = powers(q, n).

    |i−r| is ±(r−i) and twice its positive part on the side of r that is away from j, where the powers of a go
    one way.

    >>> spread_absolute(1, 2, [(0, 1, 1)], powers(2, 2))        # 1, 0, 1/4
    [4, 0, 1]
    """
    n = len(scale) - 1
    p_powers = powers(p, n)
    mass, mean = [0] * (n + 1), [0] * (n + 1)
    beyond = [[0] * (n + 1), [0] * (n + 1)]
    for j, r, t in pairs:
        signed = t if r >= j else -t
        mass[j] += signed
        mean[j] += signed * r
        beyond[r < j][r] += p_powers[abs(r - j)] * t * scale[j if r >= j else n - j]
    masses, means = TwoSided(p, q, mass, 0, scale), TwoSided(p, q, mean, 0, scale)
    left, right = _ramps(p, beyond[0]), _ramps(p, beyond[1][::-1])[::-1]
    return [means.at(i) - i * masses.at(i) + 2 * masses.joined(i, left[i], right[i]) for i in range(n + 1)]


def _ramps(p: int, start: Sequence[int]) -> list[int]:
    """q^i·Σ_{r < i} (i−r) a^(i−r) c_r with c_r = start_r/q^r."""
    result, ramp, mass = [], 0, 0
    for x in start:
        ramp = p * (ramp + mass)
        mass = p * mass + x
        result.append(ramp)
    return result


def spread_squared(p: int, q: int, pairs: Iterable[Pair], scale: Sequence[int]) -> list[int]:
    """q^n·Σ_(j,r,t) a^|i−j| (i−r)² t for every i."""
    n = len(scale) - 1
    sums = [[0] * (n + 1) for _ in range(3)]
    for j, r, t in pairs:
        for k in range(3):
            sums[k][j] += t * r**k
    mass, mean, square = (TwoSided(p, q, c, 0, scale) for c in sums)
    return [i * i * mass.at(i) - 2 * i * mean.at(i) + square.at(i) for i in range(n + 1)]


def hits(p: int, pairs: Iterable[Pair], scale: Sequence[int]) -> list[int]:
    """q^n·Σ_(j,i,t) a^|i−j| t for every i."""
    n = len(scale) - 1
    p_powers = powers(p, n)
    result = [0] * (n + 1)
    for j, r, t in pairs:
        d = abs(r - j)
        result[r] += p_powers[d] * scale[n - d] * t
    return result
