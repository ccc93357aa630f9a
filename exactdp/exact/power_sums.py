# SPDX-License-Identifier: MIT
"""Sums Σ_i a^|i−j| c_i for every j, by one pass from the left and one from the right.

The level is a = p/q. Over the integers p and q are its numerator and denominator, and the powers of q stay
outside the sums, so that all multiplications are by small integers: the part i ≤ j and its moments are kept
times q^j, the part i > j times q^(n−j), and q^n·(sum at j) is q^(n−j)·left + q^j·right. Over any other field
p is a itself and q is 1.

>>> moments(1, 2, [3, 0, 4], 1)                             # a = 1/2: 3, 3/2, 3/4 + 4, times 1, 2, 4
[[3, 3, 19], [0, 3, 6]]
>>> power_sums(0.5, [3, 0, 4])
[4.0, 3.5, 4.75]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from exactdp.exact.identity import same_formula

Pair = tuple[int, int, Any]
"""(j, r, t): the mass t that goes from j to r."""


def powers(base: Any, n: int) -> list[Any]:
    """base^0, …, base^n."""
    result = [1]
    for _ in range(n):
        result.append(result[-1] * base)
    return result


def power_sums(p: Any, c: Sequence[Any], q: int = 1, q_powers: Sequence[int] | None = None) -> list[Any]:
    """q^n·Σ_i (p/q)^|i−j| c_i for every j; with q = 1 over any field or in floats.

    ``q_powers`` = powers(q, n), if they are known.
    """
    if q != 1:
        sums = TwoSided(p, q, c, 0, q_powers)
        return [sums.at(j) for j in range(len(c))]

    def step(carry: Any, x: Any) -> Any:
        return carry * p + x

    after = [*accumulate(reversed(c), step)][::-1]
    return [x + y - z for x, y, z in zip(accumulate(c, step), after, c, strict=True)]


def moments(p: Any, q: int, c: Sequence[Any], order: int) -> list[list[Any]]:
    """For k = 0..order (at most 2) and every j: q^j·Σ_{i ≤ j} (p/q)^(j−i) (j−i)^k c_i."""
    sums: list[list[Any]] = [[] for _ in range(order + 1)]
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
    """The left and right moments of c, their sums, and what guesses r cost under the weights c.

    ``left[k][j]`` = q^j·Σ_{i ≤ j} a^(j−i) (j−i)^k c_i, ``closed[k][j]`` =
    q^(n−j)·Σ_{i ≥ j} a^(i−j) (i−j)^k c_i. If c reads the same from both ends they are the same objects.
    """

    def __init__(self, p: Any, q: int, c: Sequence[Any], order: int = 0, q_powers: Sequence[int] | None = None) -> None:
        n = len(c) - 1
        self.n, self.p, self.q, self.c = n, p, q, c
        self.q_powers = powers(q, n) if q_powers is None else q_powers
        self._p_powers: list[Any] = []
        self._sums: dict[int, Any] = {}
        self.left = moments(p, q, c, order)
        is_mirrored = all(x is y or same_formula(x, y) for x, y in zip(c, c[::-1], strict=True))
        self.closed = [part[::-1] for part in (self.left if is_mirrored else moments(p, q, c[::-1], order))]

    def right(self, k: int, j: int) -> Any:
        """As ``closed[k][j]``, but over i > j."""
        whole = self.closed[k][j]
        return whole if k or not self.c[j] else whole - self.q_powers[self.n - j] * self.c[j]

    def joined(self, j: int, left: Any, right: Any) -> Any:
        """q^n times the number whose left part is ``left``/q^j and whose right part is ``right``/q^(n−j)."""
        if self.q == 1:
            return left + right
        return self.q_powers[self.n - j] * left + self.q_powers[j] * right

    def at(self, j: int) -> Any:
        """q^n·Σ_i a^|i−j| c_i, kept for the next time."""
        if j not in self._sums:
            self._sums[j] = self.joined(j, self.left[0][j], self.right(0, j))
        return self._sums[j]

    def slope(self, j: int) -> Any:
        """q^n·Σ_i a^|i−j| (i−j) c_i."""
        return self.joined(j, -self.left[1][j], self.closed[1][j])

    def curvature(self, j: int) -> Any:
        """q^n·Σ_i a^|i−j| (i−j)² c_i."""
        return self.joined(j, self.left[2][j], self.closed[2][j])

    @property
    def p_powers(self) -> list[Any]:
        """p^0, …, p^n, made when they are needed."""
        if not self._p_powers:
            self._p_powers = powers(self.p, self.n)
        return self._p_powers

    def absolute(self, j: int, r: int) -> Any:
        """q^n·Σ_i a^|i−j| |i−r| c_i; of order 1."""
        if r >= j:
            beyond = self.q_powers[j] * self.p_powers[r - j] * self.closed[1][r]
        else:
            beyond = self.q_powers[self.n - j] * self.p_powers[j - r] * self.left[1][r]
        return abs(r - j) * self.at(j) + (-1 if r >= j else 1) * self.slope(j) + 2 * beyond

    def squared(self, j: int, r: int) -> Any:
        """q^n·Σ_i a^|i−j| (i−r)² c_i; of order 2."""
        return self.curvature(j) - 2 * (r - j) * self.slope(j) + (r - j) ** 2 * self.at(j)

    def unequal(self, j: int, r: int) -> Any:
        """q^n·Σ_i a^|i−j| [i≠r] c_i."""
        d = abs(r - j)
        return self.at(j) - self.p_powers[d] * self.q_powers[self.n - d] * self.c[r]

    def medians(self) -> list[int]:
        """For every j the first r with the least Σ_i a^|i−j| |i−r| c_i, c ≥ 0: it never falls as j grows."""
        best, r = [], 0
        for j in range(self.n + 1):
            mass = self.at(j)
            while r < self.n:
                if r >= j:
                    beyond = self.q_powers[j] * self.p_powers[r + 1 - j] * self.closed[0][r + 1]
                    if mass >= 2 * beyond:
                        break
                elif 2 * self.q_powers[self.n - j] * self.p_powers[j - r] * self.left[0][r] >= mass:
                    break
                r += 1
            best.append(r)
        return best

    def means(self) -> list[int]:
        """For every j an r with the least Σ_i a^|i−j| (i−r)² c_i, integers c ≥ 0: the rounded mean."""
        best = []
        step = 0
        for j in range(self.n + 1):
            mass = self.at(j)
            step = floor_of_ratio(2 * self.slope(j) + mass, 2 * mass, step) if mass else 0
            best.append(min(max(j + step, 0), self.n))
        return best

    def modes(self) -> list[int]:
        """For every j an r with the least Σ_i a^|i−j| [i≠r] c_i, c ≥ 0: the largest a^|r−j| c_r."""
        left, right = _largest_so_far(self.p, self.q, self.c), _largest_so_far(self.p, self.q, self.c[::-1])[::-1]
        best = []
        for j, ((low, r), (high, t)) in enumerate(zip(left, right, strict=True)):
            best.append(r if low * self.q_powers[self.n - j] >= high * self.q_powers[j] else self.n - t)
        return best


def floor_of_ratio(x: Any, y: Any, near: int) -> int:
    """⌊x/y⌋ for y > 0, of integers or of numbers of a field, which are compared with multiples of y near it.

    >>> from exactdp.exact import ExponentialField
    >>> t = ExponentialField(1).gen
    >>> floor_of_ratio(7, 2, 0), floor_of_ratio(-1 / t, t**0, 5), floor_of_ratio(9 * t, 3 * t, 0)
    (3, -3, 3)
    """
    if isinstance(x, int) and isinstance(y, int):
        return x // y
    while x < near * y:
        near -= 1
    while x >= (near + 1) * y:
        near += 1
    return near


def _largest_so_far(p: Any, q: int, c: Sequence[Any]) -> list[tuple[Any, int]]:
    """For every j the largest a^(j−i) c_i of i ≤ j, times q^j, and its i."""
    result: list[tuple[Any, int]] = []
    best, where, power = -1, 0, 1
    for j, x in enumerate(c):
        best *= p
        if power * x > best:
            best, where = power * x, j
        result.append((best, where))
        power *= q
    return result


def spread_absolute(p: Any, q: int, pairs: Sequence[Pair], scale: Sequence[int]) -> list[Any]:
    """q^n·Σ_(j,r,t) a^|i−j| |i−r| t for every i; ``scale`` = powers(q, n).

    |i−r| is ±(r−i) and twice its positive part on the side of r that is away from j, where the powers of a go
    one way.

    >>> spread_absolute(1, 2, [(0, 1, 1)], powers(2, 2))        # 1, 0, 1/4
    [4, 0, 1]
    """
    n = len(scale) - 1
    if scale[-1] == 1:
        return _spread_over_a_field(p, n, pairs)
    p_powers = powers(p, n)
    mass: list[Any] = [0] * (n + 1)
    mean: list[Any] = [0] * (n + 1)
    beyond: list[list[Any]] = [[0] * (n + 1), [0] * (n + 1)]
    for j, r, t in pairs:
        signed = t if r >= j else -t
        mass[j] += signed
        mean[j] += signed * r
        beyond[r < j][r] += p_powers[abs(r - j)] * t * scale[j if r >= j else n - j]
    masses, means = TwoSided(p, q, mass, 0, scale), TwoSided(p, q, mean, 0, scale)
    left, right = _ramps(p, beyond[0]), _ramps(p, beyond[1][::-1])[::-1]
    return [means.at(i) - i * masses.at(i) + 2 * masses.joined(i, left[i], right[i]) for i in range(n + 1)]


def _is_mirrored(n: int, pairs: Sequence[Pair]) -> bool:
    """Whether j gives r what n − j gives n − r; of pairs that occur twice this is not asked."""
    masses = {(j, r): t for j, r, t in pairs}
    return len(masses) == len(pairs) and all((n - j, n - r) in masses and masses[n - j, n - r] == t for (j, r), t in masses.items())


def _spread_over_a_field(p: Any, n: int, pairs: Sequence[Pair]) -> list[Any]:
    """The same where q is 1: the sums of both sides are added as they are.

    Only one side's sums are held at a time, and half of them where both sides are alike: they are long. Equal
    sums are one object.
    """
    found: list[Any] = [None] * (n + 1)
    before: list[Any] = []
    if _is_mirrored(n, pairs):
        for i, (left, own) in enumerate(_one_sided_absolute(p, n, pairs)):
            if 2 * i <= n:
                before.append(left)
            if 2 * i >= n:
                found[i] = found[n - i] = _one_object(left + before[n - i] - own, found[i - 1])
        return found
    before = [left for left, _ in _one_sided_absolute(p, n, pairs)]
    for k, (right, own) in enumerate(_one_sided_absolute(p, n, [(n - j, n - r, t) for j, r, t in pairs])):
        found[n - k] = _one_object(before[n - k] + right - own, found[(n - k + 1) % (n + 1)])
        before[n - k] = None
    return found


def _one_object(x: Any, known: Any) -> Any:
    """A number, or the same one that is known already (None: none is)."""
    return known if known is not None and same_formula(known, x) else x


def _one_sided_absolute(p: Any, n: int, pairs: Sequence[Pair]) -> Iterator[tuple[Any, Any]]:
    """For i = 0..n the sum of p^(i−j) |i−r| t over j ≤ i, and that over j = i alone, which both sides have.

    As i rises by 1 what was summed is multiplied by p, and so is its slope: less t where r > i, and t beyond.
    """
    starting: list[list[Pair]] = [[] for _ in range(n + 1)]
    passing: list[list[Pair]] = [[] for _ in range(n + 1)]
    for j, r, t in pairs:
        starting[j].append((j, r, t))
        if r >= j:
            passing[r].append((j, r, t))
    total: Any = 0
    slope: Any = 0
    for i in range(n + 1):
        total = p * (total - slope)
        slope = p * slope
        own: Any = 0
        for _, r, t in starting[i]:
            if r != i:
                own = own + abs(r - i) * t
            slope = slope + t if r >= i else slope - t
        total = total + own
        for j, _, t in passing[i]:
            slope = slope - 2 * (p ** (i - j) * t if i > j else t)
        yield total, own


def _ramps(p: Any, start: Sequence[Any]) -> list[Any]:
    """q^i·Σ_{r < i} (i−r) a^(i−r) c_r with c_r = start_r/q^r."""
    result: list[Any] = []
    ramp = mass = 0
    for x in start:
        ramp = p * (ramp + mass)
        mass = p * mass + x
        result.append(ramp)
    return result


def spread_squared(p: Any, q: int, pairs: Iterable[Pair], scale: Sequence[int]) -> list[Any]:
    """q^n·Σ_(j,r,t) a^|i−j| (i−r)² t for every i."""
    n = len(scale) - 1
    sums: list[list[Any]] = [[0] * (n + 1) for _ in range(3)]
    for j, r, t in pairs:
        for k in range(3):
            sums[k][j] += t * r**k
    mass, mean, square = (TwoSided(p, q, c, 0, scale) for c in sums)
    return [i * i * mass.at(i) - 2 * i * mean.at(i) + square.at(i) for i in range(n + 1)]


def hits(p: Any, pairs: Iterable[Pair], scale: Sequence[int]) -> list[Any]:
    """q^n·Σ_(j,i,t) a^|i−j| t for every i."""
    n = len(scale) - 1
    p_powers = powers(p, n)
    result: list[Any] = [0] * (n + 1)
    for j, r, t in pairs:
        d = abs(r - j)
        result[r] += p_powers[d] * scale[n - d] * t
    return result
