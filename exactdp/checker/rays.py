# SPDX-License-Identifier: MIT
"""Trusted: the extreme rays of a privacy type, and sums of them, enumerated (SPEC §4.14).

The enumerations count their work. Theorems stand in proofs/coq/Checker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import gcd, isqrt, lcm
from typing import Any, cast

from exactdp.checker.arithmetic import longest, powers_of, product, ratio, whole
from exactdp.checker.graphs import components
from exactdp.checker.limits import ONE_ANSWER, Stop, charge
from exactdp.checker.powers import power, root
from exactdp.checker.rules import Definition

Number = Any
"""An integer, or what stands for one (SPEC §2.1)."""

Vector = Sequence[Number]

Height = tuple[int, ...]
"""h = Σ_k h_k √u_k, for units u_k no two of which have a rational √(u_k/u_l): such roots are
independent over ℚ.
"""

Edge = tuple[int, int, Height]


# ── Heights: exponents of the level ─────────────────────────────────────────────────────────────
def lengths(near: Definition) -> tuple[list[Fraction], list[Edge]]:
    """The units, and the constrained pairs with their distances as heights (a multiple of one √u_k
    each).
    """
    # Each distance is a rational multiple of the first one that it is such a multiple of.
    bases = list[Fraction]()
    found = list[tuple[int, int, int, Fraction]]()
    for i, j, square in near.pairs:
        charge(50 * (len(bases) + 1))
        unit, times = len(bases), Fraction(1)
        for k, base in enumerate(bases):
            x = ratio(square.numerator * base.denominator, square.denominator * base.numerator)
            multiple = root(x, 2)
            if multiple:
                unit, times = k, multiple
                break
        if unit == len(bases):
            bases.append(square)
        found.append((i, j, unit, times))

    # The units are parts of these, so that every multiple is an integer.
    size = sum(times.denominator.bit_length() for *_, times in found)
    count = len(found) * len(bases)
    charge(4 * count + size**2 // 50_000, size, 2 * len(found), 2 * count)
    parts = [lcm(*(r.denominator for _, _, l, r in found if l == k)) for k in range(len(bases))]
    pairs = list[Edge]()
    for i, j, k, r in found:
        height = [0] * len(bases)
        height[k] = int(r * parts[k])
        pairs.append((i, j, tuple(height)))
    return [base / part**2 for base, part in zip(bases, parts, strict=True)], pairs


def below(h: Height, units: Sequence[Fraction]) -> bool:
    """Whether Σ_k h_k √u_k ≤ 0: 0 only if all h_k are, else decided by roots to more and more
    bits.
    """
    if not any(h):
        return True
    if len(h) == 1:
        return h[0] < 0
    bits = 64
    widest = max(longest(u.as_integer_ratio()) for u in units)
    while True:
        charge(0, bits + widest, products=8 * len(h))
        low = high = 0
        for x, u in zip(h, units, strict=True):
            floor = isqrt((u.numerator << 2 * bits) // u.denominator)  # of 2^bits √u
            low += x * (floor + (x < 0))
            high += x * (floor + (x > 0))
        if low > 0 or high < 0:
            return high < 0
        bits *= 2


def apart(y: Height, z: Height, d: Height) -> bool:
    """Whether |y − z| is not d."""
    difference = tuple(a - b for a, b in zip(y, z, strict=True))
    return difference != d and difference != tuple(-x for x in d)


def within_reach(y: Height, z: Height, d: Height, units: Sequence[Fraction]) -> bool:
    """Whether |y − z| ≤ d."""
    upper = tuple(a - b - c for a, b, c in zip(y, z, d, strict=True))
    lower = tuple(b - a - c for a, b, c in zip(y, z, d, strict=True))
    return below(upper, units) and below(lower, units)


def heights(near: Definition) -> tuple[list[Fraction], list[dict[int, Height]]]:
    """The extreme rays of {δ ≥ 0 : δ_i ≥ α^d(i,j) δ_j}, as the heights h of δ = α^h, by input. A
    ray is 0 outside one component of the pairs.
    """
    # Theorem: all_heightsP (Heights.v), heights_ray, ray_heights, rays_numbered (HeightRays.v).
    units, pairs = lengths(near)
    n = len(near.inputs)
    parts = components([(i, j) for i, j, _ in pairs], n)

    # The pairs of each part, by the places of their ends in it.
    charge(4 * (n + len(pairs)), held=2 * (n + len(pairs)))
    place, home = dict[int, int](), dict[int, int]()
    for number, part in enumerate(parts):
        for k, x in enumerate(part):
            place[x], home[x] = k, number
    inside: list[list[Edge]] = [[] for _ in parts]
    for i, j, d in pairs:
        inside[home[i]].append((place[i], place[j], d))

    result = list[dict[int, Height]]()
    bits = max((longest(d) for *_, d in pairs), default=0)
    held = 0
    for part, edges in zip(parts, inside, strict=True):
        m = len(part)
        found = grown(edges, m, units, bits, held)
        held += 2 * len(found) * (m + 2) * (1 + bits // 1024)
        charge(4 * len(found) * m, held=held)
        # Sorted: of long numbers each comparison counts.
        charge(len(found) * m * (bits // 1000) * len(found).bit_length())
        result += [dict(zip(part, h, strict=True)) for h in sorted(found)]
    return units, result


Partial = tuple[Height | None, ...]
"""The heights of a ray that grows; None of an input that has none yet."""


def grown(
    edges: list[Edge], m: int, units: list[Fraction], bits: int, held: int
) -> list[tuple[Height, ...]]:
    """The rays of one component of m inputs: there their tight pairs, |h_i − h_j| = d(i,j),
    connect everything (else two tight parts could be scaled apart), and all such are rays. Each
    grows from one input along tight pairs, all other constraints being kept. A pair between an
    input with a height and one without is up, down, or not tight, which each ray decides in one
    way: so each is met once. Those not tight must leave the component connected.
    """
    # Theorem: grow_finds, ray_listed (RayList.v), ray_connected (proofs/coq/ConnectedRays.v).
    close: list[list[tuple[int, int, Height]]] = [[] for _ in range(m)]
    for e, (i, j, d) in enumerate(edges):
        close[i].append((e, j, d))
        close[j].append((e, i, d))
    size = len(units)
    each = 4 + m // 8 + m * size // 2 * (1 + bits // 1024)  # what a ray, or a part of one, takes

    # The parts of rays still to be completed, each with its pairs that are not tight.
    found = list[tuple[Height, ...]]()
    first: Partial = ((0,) * size, *[None] * (m - 1))
    stack = [(first, frozenset[int]())]
    while stack:
        h, loose = stack.pop()
        charge(5 * len(edges) + 2 * m + 10, held=held + (len(stack) + len(found)) * each)
        asked = next_pair(edges, h, loose)
        if asked is None:
            found.append(cast("tuple[Height, ...]", h))
            continue

        # Either the pair is not tight.
        without = loose | {asked}
        rest = [(i, j) for e, (i, j, _) in enumerate(edges) if e not in without]
        if len(components(rest, m)) == 1:
            stack.append((h, without))

        # Or it is: the end without a height is above or below the other.
        i, j, d = edges[asked]
        if h[j] is not None:
            i, j = j, i
        for sign in (1, -1):
            charge((10 + 6 * size) * (1 + len(close[j])) + m // 4, bits)
            y = tuple(a + sign * b for a, b in zip(h[i] or (), d, strict=True))
            if fits(y, close[j], h, loose, units):
                stack.append(((*h[:j], y, *h[j + 1 :]), loose))
    return found


def next_pair(edges: list[Edge], h: Partial, loose: frozenset[int]) -> int | None:
    """The first pair, not known not to be tight, of an input with a height and one without; or
    None.
    """
    for e, (i, j, _) in enumerate(edges):
        if (h[i] is None) != (h[j] is None) and e not in loose:
            return e
    return None


def fits(
    y: Height,
    close: list[tuple[int, int, Height]],
    h: Partial,
    loose: frozenset[int],
    units: list[Fraction],
) -> bool:
    """Whether an input with these pairs may have the height y: no other height is farther than the
    distance, nor at it if the pair is not tight.
    """
    for e, v, d in close:
        z = h[v]
        if z is None:
            continue
        if not within_reach(y, z, d, units):
            return False
        if e in loose and not apart(y, z, d):
            return False
    return True


def rays(near: Definition, alpha: Fraction, path: str) -> list[list[Number]]:
    """The extreme rays, up to positive factors: for every unit u, α^√u must be a number of the
    field.
    """
    units, found = heights(near)
    n = len(near.inputs)
    steps = [alpha if u == 1 else power(alpha, u, path) for u in units]

    # The heights of each ray from its lowest one on.
    charge(4 * len(found) * n * (len(units) + 1), held=len(found) * n * (len(units) + 2))
    flat = list[dict[int, list[int]]]()
    for h in found:
        least = [min(x) for x in zip(*h.values(), strict=True)]
        flat.append({i: [a - b for a, b in zip(x, least, strict=True)] for i, x in h.items()})

    # The powers of each unit; the entries are numbers of these lists, or products of them.
    powers = list[list[Number]]()
    for k, step in enumerate(steps):
        charge(len(flat) * n)
        most = max(x[k] for h in flat for x in h.values())
        powers.append(powers_of(step.numerator, step.denominator, most))
    charge(4 * len(flat) * n, held=len(flat) * n)
    result = list[list[Number]]()
    for exponents_at in flat:
        ray: list[Number] = [0] * n
        for i, exponents in exponents_at.items():
            ray[i] = product(1, *(of[e] for of, e in zip(powers, exponents, strict=True)))
        if len(units) > 1:
            charge(0, bits_of([ray]), held=len(flat) * n)
        result.append(ray)
    return result


# ── Linear algebra over numbers that may vary ───────────────────────────────────────────────────
def bits_of(vectors: Sequence[Vector]) -> int:
    """A bound of the bits of some numbers."""
    return max((x.bit_length() for v in vectors for x in v), default=1)


def nonzero(x: Number) -> bool:
    """Whether a number is not zero; over an interval of levels its sign must be constant."""
    return bool(x > 0 or x < 0)


def eliminate(rows: list[list[Number]], i: int, j: int) -> list[list[Number]]:
    """Rows with zeros in column j except in row i, where it is positive, up to positive factors."""
    bits, size = 2 * bits_of(rows), len(rows) * len(rows[0])
    # With the common divisors of rows.
    steps = 4 * size + len(rows) * (bits * bits // 50_000)
    charge(steps, bits, 2 * size * (bits > 128), size)
    pivot = rows[i]
    if pivot[j] < 0:
        pivot = [-x for x in pivot]
    result = []
    for k, row in enumerate(rows):
        new = row
        if k == i:
            new = pivot
        elif row[j]:
            new = [pivot[j] * x - row[j] * y for x, y in zip(row, pivot, strict=True)]
        if whole(*new):
            divisor = gcd(*new)
            if divisor > 1:
                new = [x // divisor for x in new]
        result.append(new)
    return result


def pivot_row(rows: list[list[Number]], free: list[int], j: int) -> int | None:
    """A free row that is not zero in column j, or None if all are. Over an interval a row is taken
    whose entry has a constant sign there; if there are only others that is an answer of its own
    (the file is not accepted).
    """
    charge(len(free))
    stopped = None
    for i in free:
        try:
            if nonzero(rows[i][j]):
                return i
        except Stop as stop:
            if stop.args[0].rule != ONE_ANSWER:  # a limit of another kind
                raise
            stopped = stop
    if stopped is not None:
        raise stopped
    return None


def independent(columns: list[Vector]) -> bool:
    """Whether some vectors are linearly independent."""
    # Theorem: independentP (Independence.v).
    rows = [list(row) for row in zip(*columns, strict=True)]
    free = list(range(len(columns[0])))
    for j in range(len(columns)):
        charge(len(rows))
        i = pivot_row(rows, free, j)
        if i is None:
            return False
        free.remove(i)
        rows = eliminate(rows, i, j)
    return True


def supports(vectors: list[list[Number]]) -> Iterator[tuple[int, ...]]:
    """The minimal sets S with Σ_(v∈S) w_v v = (1, …, 1) for some w > 0: modulo (1, …, 1), the
    minimal sets with Σ w_v v = 0 (the vectors are ≥ 0 and not 0, so that such a sum is a
    positive multiple of (1, …, 1)). All sets independent modulo (1, …, 1) are tried, in the
    order of their members; the last member of S is a combination of the others, unique, with
    all coefficients negative.
    """
    # Theorem: basic_of_kernel, basic_once (KernelSupports.v), circuitsP (Circuits.v).
    n, N = len(vectors[0]), len(vectors)
    charge(n * N, bits_of(vectors), held=n * N)

    def search(
        rows: list[list[Number]], start: int, pivots: list[tuple[int, int]]
    ) -> Iterator[tuple[int, ...]]:
        steps = n * (N - start + len(pivots) + 2)
        charge(steps, bits_of(rows), held=(len(pivots) + 1) * n * N)
        taken = {i for i, _ in pivots}
        free = [i for i in range(n - 1) if i not in taken]
        for j in range(start, N):
            i = pivot_row(rows, free, j)
            if i is not None:
                yield from search(eliminate(rows, i, j), j + 1, [*pivots, (i, j)])
            elif all(rows[k][j] < 0 for k, _ in pivots):  # pivots are positive
                yield (*(k for _, k in pivots), j)

    modulo = [[v[x] - v[n - 1] for v in vectors] for x in range(n - 1)]
    return search(modulo, 0, [])


# ── Columns up to order and parallel ones: hyper-distributions ──────────────────────────────────
def parallel(x: Vector, y: Vector) -> bool:
    """Whether one of two non-zero vectors ≥ 0 is a multiple of the other."""
    a, b = sum(x), sum(y)
    return all(s * b == t * a for s, t in zip(x, y, strict=True))


def reduced(columns: Sequence[Vector]) -> list[Vector]:
    """The columns that are not zero, parallel ones summed: the hyper-distribution up to scale."""
    result, bits = list[Vector](), bits_of(columns)
    for x in columns:
        count = len(x) * (len(result) + 1)
        charge(12 * (len(result) + 1) + 3 * count, bits, 2 * count * (bits > 64), count)
        if not any(nonzero(t) for t in x):
            continue
        k = next((k for k, y in enumerate(result) if parallel(x, y)), None)
        if k is None:
            result.append(x)
        else:
            result[k] = [s + t for s, t in zip(result[k], x, strict=True)]
    return result


def same_columns(x: list[Vector], d: Number, y: list[Vector], e: Number) -> bool:
    """Whether reduced columns over d and e are the same (over an interval: everywhere), in any
    order.
    """
    count = len(x) * sum(map(len, y))
    charge(12 * len(x) * len(y), bits_of(x) + bits_of(y), products=2 * count)
    if len(x) != len(y):
        return False
    return all(any(equal_columns(a, d, b, e) for b in y) for a in x)


def equal_columns(a: Vector, d: Number, b: Vector, e: Number) -> bool:
    """Whether a/d and b/e are the same."""
    return not any(s * e - t * d for s, t in zip(a, b, strict=True))


def some_unmatched(xs: Sequence[Any], ys: Sequence[Any], other: Callable[[Any, Any], bool]) -> bool:
    """Whether one of these is other than each of those."""
    charge(5 + 3 * len(xs) * len(ys))
    return any(all(other(x, y) for y in ys) for x in xs)


def other_columns(x: list[Vector], d: Number, y: list[Vector], e: Number) -> bool:
    """Whether a column of one is not among those of the other (on an interval: squared distances
    are > 0).
    """
    count = len(x) * sum(map(len, y))
    charge(12 * len(x) * len(y), bits_of(x) + bits_of(y), products=6 * count)
    far = list[list[bool]]()
    for a in x:
        distances = [sum((s * e - t * d) ** 2 for s, t in zip(a, b, strict=True)) for b in y]
        far.append([distance > 0 for distance in distances])
    return any(map(all, far)) or any(map(all, zip(*far, strict=True)))
