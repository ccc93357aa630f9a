# SPDX-License-Identifier: MIT
"""Trusted: all mechanisms of a privacy type at once: vertices, kernel mechanisms, capacities (SPEC §4.14).

A *kernel mechanism* of a type (nothing to do with the file kernel.py): its posteriors under the uniform prior
are linearly independent vertices of the posterior polytope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import gcd, isqrt, lcm, prod
from typing import Any, cast

from exactdp.checker.limits import ONE_ANSWER, Stop, charge, demand, require, show
from exactdp.checker.matrices import Matrix, lowest, ratio, stochastic, whole
from exactdp.checker.optimality import dual_rule
from exactdp.checker.powers import power, powers, root
from exactdp.checker.reader import Node
from exactdp.checker.rules import (
    Case,
    Consumer,
    Definition,
    check_private,
    check_product,
    equals,
    loss_of,
    remap_rule,
)
from exactdp.checker.tight import hops  # loaded before (BESIDE)

Number = Any  # an integer, or what stands for one (SPEC §2.1)
Vector = Sequence[Number]

# ── The posterior polytope ──────────────────────────────────────────────────────────────────────────────────
# h = Σ_k h_k √u_k, for units u_k no two of which have a rational √(u_k/u_l): such roots are
# independent over ℚ
Height = tuple[int, ...]


def lengths(near: Definition) -> tuple[list[Fraction], list[tuple[int, int, Height]]]:
    """The units, and the constrained pairs with their distances as heights (a multiple of one √u_k
    each).
    """
    bases = list[Fraction]()
    found = list[tuple[int, int, int, Fraction]]()
    for i, j, square in near.pairs:
        charge(50 * (len(bases) + 1))
        quotients = (
            (k, ratio(square.numerator * b.denominator, square.denominator * b.numerator))
            for k, b in enumerate(bases)
        )
        k, times = next(
            ((k, r) for k, x in quotients if (r := root(x, 2))), (len(bases), Fraction(1))
        )
        if k == len(bases):
            bases += [square]
        found.append((i, j, k, times))
    size = sum(r.denominator.bit_length() for *_, r in found)
    charge(
        4 * len(found) * len(bases) + size**2 // 50_000,
        size,
        2 * len(found),
        2 * len(found) * len(bases),
    )
    parts = [lcm(*(r.denominator for _, _, l, r in found if l == k)) for k in range(len(bases))]
    pairs = [
        (i, j, tuple(int(r * parts[k]) if l == k else 0 for l in range(len(bases))))
        for i, j, k, r in found
    ]
    return [b / part**2 for b, part in zip(bases, parts, strict=True)], pairs


def below(h: Height, units: Sequence[Fraction]) -> bool:
    """Whether Σ_k h_k √u_k ≤ 0: 0 only if all h_k are, else decided by roots to more and more
    bits.
    """
    if len(h) == 1 or not any(h):
        return not any(h) or h[0] < 0
    bits = 64
    while True:
        charge(
            0,
            bits + max(max(map(int.bit_length, u.as_integer_ratio())) for u in units),
            products=8 * len(h),
        )
        low = high = 0
        for x, u in zip(h, units, strict=True):
            floor = isqrt((u.numerator << 2 * bits) // u.denominator)  # of 2^bits √u
            low = low + x * (floor + (x < 0))
            high = high + x * (floor + (x > 0))
        if low > 0 or high < 0:
            return high < 0
        bits *= 2


def components(pairs: Sequence[tuple[int, int]], n: int) -> list[list[int]]:
    """The parts of 0, …, n−1 that these pairs connect, in the order of their first members."""
    charge(8 * (n + len(pairs)), held=2 * (n + len(pairs)))
    near: list[list[int]] = [[] for _ in range(n)]
    for i, j in pairs:
        near[i].append(j)
        near[j].append(i)
    seen = [False] * n
    parts = list[list[int]]()
    for first in range(n):
        if seen[first]:
            part = []
        else:
            part = [first]
        seen[first] = True
        for i in part:  # it grows
            for j in near[i]:
                if not (seen[j]):
                    part += [j]
                seen[j] = True
        if part:
            parts += [sorted(part)]
    return parts


def heights(near: Definition) -> tuple[list[Fraction], list[dict[int, Height]]]:
    """The extreme rays of {δ ≥ 0 : δ_i ≥ α^d(i,j) δ_j}, as the heights h of δ = α^h, by input. A
    ray is 0 outside one component; there its tight pairs, |h_i − h_j| = d(i,j), connect
    everything (else two tight parts could be scaled apart), and all such are rays. Each grows
    from one input along tight pairs, all other constraints being kept. A pair between an input
    with a height and one without is up, down, or not tight, which each ray decides in one way:
    so each is met once. Those not tight must leave the component connected.
    """
    (units, pairs) = lengths(near)
    n = len(near.inputs)
    result = list[dict[int, Height]]()
    bits = max((abs(x).bit_length() for *_, d in pairs for x in d), default=0)
    parts = components([(i, j) for i, j, _ in pairs], n)
    held = 0
    charge(4 * (n + len(pairs)), held=2 * (n + len(pairs)))
    place = {x: k for part in parts for k, x in enumerate(part)}
    home = {x: c for c, part in enumerate(parts) for x in part}
    inside: list[list[tuple[int, int, Height]]] = [[] for _ in parts]
    for i, j, d in pairs:
        inside[home[i]].append((place[i], place[j], d))
    for part, edges in zip(parts, inside, strict=True):
        found = list[tuple[Height, ...]]()
        m = len(part)
        close: list[list[tuple[int, int, Height]]] = [[] for _ in part]
        for e, (i, j, d) in enumerate(edges):
            close[i].append((e, j, d))
            close[j].append((e, i, d))
        start: tuple[Height | None, ...] = ((0,) * len(units), *[None] * (m - 1))
        stack = [(start, frozenset[int]())]
        while stack:
            h, loose = stack.pop()
            each = 4 + m // 8 + m * len(units) // 2 * (1 + bits // 1024)
            charge(5 * len(edges) + 2 * m + 10, held=held + (len(stack) + len(found)) * each)
            asked = next(
                (
                    e
                    for e, (i, j, _) in enumerate(edges)
                    if (h[i] is None) != (h[j] is None) and e not in loose
                ),
                None,
            )
            if asked is None:
                found.append(cast("tuple[Height, ...]", h))
                continue
            without = loose | {asked}
            if (
                len(
                    components([(i, j) for e, (i, j, _) in enumerate(edges) if e not in without], m)
                )
                == 1
            ):
                stack.append((h, without))
            (i, j, d) = edges[asked]
            size = len(units)
            if h[j] is None:
                i = i
                j = j
            else:
                i, j = (j, i)
            for sign in (1, -1):
                y = tuple(a + sign * b for a, b in zip(h[i] or (), d, strict=True))
                charge((10 + 6 * size) * (1 + len(close[j])) + m // 4, bits)
                known = ((e, z, c) for e, v, c in close[j] if (z := h[v]) is not None)
                if all(
                    within_reach(y, z, c, units) and (e not in loose or apart(y, z, c))
                    for e, z, c in known
                ):
                    stack.append(((*h[:j], y, *h[j + 1 :]), loose))
        held += 2 * len(found) * (m + 2) * (1 + bits // 1024)
        charge(4 * len(found) * m, held=held)
        # sorted: of long numbers each comparison counts
        charge(len(found) * m * (bits // 1000) * len(found).bit_length())
        result += [dict(zip(part, h, strict=True)) for h in sorted(found)]
    return units, result


def apart(y: Height, z: Height, d: Height) -> bool:
    """Whether |y − z| is not d."""
    return all(any(a - b != sign * c for a, b, c in zip(y, z, d, strict=True)) for sign in (1, -1))


def within_reach(y: Height, z: Height, d: Height, units: Sequence[Fraction]) -> bool:
    """Whether |y − z| ≤ d."""
    return all(
        below(tuple(sign * (a - b) - c for a, b, c in zip(y, z, d, strict=True)), units)
        for sign in (1, -1)
    )


def rays(near: Definition, alpha: Fraction, path: str) -> list[list[Number]]:
    """The extreme rays, up to positive factors: for every unit u, α^√u must be a number of the
    field.
    """
    (units, found) = heights(near)
    n = len(near.inputs)
    steps = [alpha if u == 1 else power(alpha, u, path) for u in units]
    charge(4 * len(found) * n * (len(units) + 1), held=len(found) * n * (len(units) + 2))
    least = [[min(x) for x in zip(*h.values(), strict=True)] for h in found]
    flat = [
        {i: [a - b for a, b in zip(x, low, strict=True)] for i, x in h.items()}
        for h, low in zip(found, least, strict=True)
    ]
    powers = list[list[Number]]()
    for k, step in enumerate(steps):
        charge(len(flat) * n)
        p = step.numerator
        q = step.denominator
        most = max(x[k] for h in flat for x in h.values())
        charge(most + 1, most * (p.bit_length() + q.bit_length()), products=2 * most, held=most)
        powers.append([p**e * q ** (most - e) for e in range(most + 1)])
    # numbers that `powers` holds, or products of them
    charge(4 * len(flat) * n, held=len(flat) * n)
    if len(units) > 1:
        charge(
            0,
            sum(max(x.bit_length() for x in of) for of in powers),
            len(flat) * n * len(units),
            len(flat) * n,
        )
    return [
        [prod(of[e] for of, e in zip(powers, h[i], strict=True)) if i in h else 0 for i in range(n)]
        for h in flat
    ]


def bits_of(vectors: Sequence[Vector]) -> int:
    """A bound of the bits of some numbers."""
    return max((x.bit_length() for v in vectors for x in v), default=1)


def nonzero(x: Number) -> bool:
    """Whether a number is not zero; over an interval of levels its sign must be constant."""
    return bool(x > 0 or x < 0)


def eliminate(rows: list[list[Number]], i: int, j: int) -> list[list[Number]]:
    """Rows with zeros in column j except in row i, where it is positive, up to positive factors."""
    bits = 2 * bits_of(rows)
    size = len(rows) * len(rows[0])
    # with divisors of rows
    charge(
        4 * size + len(rows) * (bits * bits // 50_000), bits, 2 * size if bits > 128 else 0, size
    )
    if rows[i][j] < 0:
        pivot = [-x for x in rows[i]]
    else:
        pivot = rows[i]
    result = []
    for k, row in enumerate(rows):
        if k == i:
            new = pivot
        elif row[j]:
            new = [pivot[j] * x - row[j] * y for x, y in zip(row, pivot, strict=True)]
        else:
            new = row
        if whole(*new):
            common = gcd(*new)
        else:
            common = 1
        result.append([x // common for x in new] if common > 1 else new)
    return result


def pivot_row(rows: list[list[Number]], free: list[int], j: int) -> int | None:
    """A free row that is not zero in column j, or None if all are. Over an interval a row is taken
    whose entry has a constant sign there; if there are only others that is an answer of its own
    (the file is not accepted).
    """
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
    n = len(vectors[0])
    N = len(vectors)
    charge(n * N, bits_of(vectors), held=n * N)

    def search(
        rows: list[list[Number]], start: int, pivots: list[tuple[int, int]]
    ) -> Iterator[tuple[int, ...]]:
        charge(n * (N - start + len(pivots) + 2), bits_of(rows), held=(len(pivots) + 1) * n * N)
        free = [i for i in range(n - 1) if i not in [i for i, _ in pivots]]
        for j in range(start, N):
            i = pivot_row(rows, free, j)
            if i is not None:
                yield from search(eliminate(rows, i, j), j + 1, [*pivots, (i, j)])
            elif all(rows[k][j] < 0 for k, _ in pivots):  # pivots are positive
                yield (*(k for _, k in pivots), j)

    return search([[v[x] - v[n - 1] for v in vectors] for x in range(n - 1)], 0, [])


def type_of(c: Case) -> tuple[Definition, Fraction, str]:
    """The claim's neighbours and level, and their description."""
    near = c.named(c.claim["neighbours"], "neighbours")
    alpha = c.claim["level"].level()
    return near, alpha, f"{near.title} at level α = {show(alpha)}"


def counts(c: Case) -> str:
    """Vertices and kernel-count."""
    near, alpha, title = type_of(c)
    if c.kind == "vertices":
        number = len(heights(near)[1])
    else:
        number = sum(1 for _ in supports(rays(near, alpha, c.claim["neighbours"].path)))
    stated = c.claim["count"].index()
    require(number == stated, "the number counted = $.claim.count", "$.claim.count", number, stated)
    if c.kind == "vertices":
        return f"The posterior polytope of {title} has exactly {number} {'vertex' if number == 1 else 'vertices'}."
    return f"Up to equal hyper-distributions, the privacy type of {title} has exactly {number} kernel mechanism{'s' * (number != 1)}."


# ── Kernel mechanisms and their mixtures ────────────────────────────────────────────────────────────────────
def parallel(x: Vector, y: Vector) -> bool:
    """Whether one of two non-zero vectors ≥ 0 is a multiple of the other."""
    a = sum(x)
    b = sum(y)
    return all(s * b == t * a for s, t in zip(x, y, strict=True))


def reduced(columns: Sequence[Vector]) -> list[Vector]:
    """The columns that are not zero, parallel ones summed: the hyper-distribution up to scale."""
    result = list[Vector]()
    bits = bits_of(columns)
    for x in columns:
        charge(
            (12 + 3 * len(x)) * (len(result) + 1),
            bits,
            2 * len(x) * (len(result) + 1) if bits > 64 else 0,
            len(x) * (len(result) + 1),
        )
        if any(nonzero(t) for t in x):
            k = next((k for k, y in enumerate(result) if parallel(x, y)), None)
        else:
            k = -1
        if k is None:
            result.append(x)
        elif k >= 0:
            result[k] = [s + t for s, t in zip(result[k], x, strict=True)]
    return result


def kernel_fault(
    m: Definition, near: Definition, alpha: Fraction, path: str, sure: bool = False
) -> str | None:
    """Why an α-private mechanism is no kernel mechanism of the type, or None. Over an interval a
    pair is tight if it is at every level; if there has to be a fault, `sure`, it must be
    everywhere or nowhere.
    """
    check_private(m.matrix, near, alpha, path)
    columns = reduced(list(m.matrix.columns()))
    power_at = powers(alpha, near.squares, path)
    most = max(
        (x.bit_length() for w in power_at.values() for x in (w.numerator, w.denominator)), default=0
    )
    charge(
        8 * len(columns) * len(near.pairs),
        m.matrix.bits + most,
        products=4 * len(columns) * len(near.pairs),
    )
    for k, x in enumerate(columns):

        def tight(i: int, j: int, w: Any, x: Vector = x) -> bool:
            left = x[i] * w.denominator
            right = x[j] * w.numerator
            if sure:
                return left == right
            return not left - right

        # over an interval: at every level, the ends included
        support = [i for i, t in enumerate(x) if nonzero(t)]
        held = [
            (i, j)
            for i, j, square in near.pairs
            if x[i] and (tight(i, j, power_at[square]) or tight(j, i, power_at[square]))
        ]
        if support not in components(held, len(x)):
            return f"posterior {k} is not a vertex"
    if independent(columns):
        return None
    return "its posteriors are linearly dependent"


def kernel_mechanism(c: Case) -> str:
    """kernel-mechanism and not-kernel-mechanism."""
    near, alpha, title = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    fault = kernel_fault(m, near, alpha, "$.claim.mechanism", sure=c.kind == "not-kernel-mechanism")
    if c.kind == "kernel-mechanism":
        require(
            fault is None,
            "the posteriors are linearly independent vertices",
            "$.claim.mechanism",
            fault,
            "no fault",
        )
        return f"The {m.title} is a kernel mechanism of {title}."
    require(
        fault is not None,
        "a posterior is no vertex, or they are dependent",
        "$.claim.mechanism",
        "none of these",
        "one of these",
    )
    return f"The {m.title} is (α = {show(alpha)})-private on {near.title} and no kernel mechanism: {fault}."


def same_hyper(x: list[Vector], d: Number, y: list[Vector], e: Number) -> bool:
    """Whether reduced columns over d and e are the same (over an interval: everywhere), in any
    order.
    """
    charge(12 * len(x) * len(y), bits_of(x) + bits_of(y), products=2 * len(x) * sum(map(len, y)))
    return len(x) == len(y) and all(
        any(not any(s * e - t * d for s, t in zip(a, b, strict=True)) for b in y) for a in x
    )


def other_hyper(x: list[Vector], d: Number, y: list[Vector], e: Number) -> bool:
    """Whether a column of one is not among those of the other (on an interval: squared distances
    are > 0).
    """
    charge(12 * len(x) * len(y), bits_of(x) + bits_of(y), products=6 * len(x) * sum(map(len, y)))
    far = [[sum((s * e - t * d) ** 2 for s, t in zip(a, b, strict=True)) > 0 for b in y] for a in x]
    return any(map(all, far)) or any(map(all, zip(*far, strict=True)))


def mixture(
    c: Case, node: Node, near: Definition, alpha: Fraction
) -> tuple[list[list[Number]], Number, list[tuple[Definition, Fraction]]]:
    """The columns of Σ weight·kernel over one denominator: different kernel mechanisms, weights of
    sum 1.
    """
    parts = list[tuple[Definition, Fraction]]()
    for item in node.items():
        f = item.fields("kernel weight")
        m = c.named(f["kernel"], "mechanism")
        weight = f["weight"].scalar()
        charge(len(m.inputs) + sum(map(len, m.inputs)) // 256)  # labels can be long
        require(
            m.inputs == near.inputs,
            "the input labels agree",
            f["kernel"].path,
            m.inputs,
            near.inputs,
        )
        fault = kernel_fault(m, near, alpha, f["kernel"].path)
        require(
            fault is None, "each part is a kernel mechanism", f["kernel"].path, fault, "no fault"
        )
        require(weight > 0, "weights are positive", f["weight"].path, weight, 0)
        for known, _ in parts:
            require(
                other_kernel(m, known), "the parts differ", f["kernel"].path, m.title, known.title
            )
        parts.append((m, weight))
    demand(parts != [], node.path, "one part or more")
    den = cast(Number, 1)
    bits = sum(
        m.matrix.bits + max(x.bit_length() for x in weight.as_integer_ratio())
        for m, weight in parts
    )
    entries = len(near.inputs) * sum(m.matrix.width for m, _ in parts)
    charge(0, bits, products=2 * len(parts) ** 2 + entries, held=entries)
    for m, weight in parts:
        den = den * weight.denominator * m.matrix.den
    columns = list[list[Number]]()
    total = 0
    for k, (m, weight) in enumerate(parts):
        factor: Number = weight.numerator
        for other, (o, u) in enumerate(parts):
            factor = factor * (u.denominator * o.matrix.den if other != k else 1)
        total = total + factor * m.matrix.den
        columns += [[factor * x for x in column] for column in m.matrix.columns()]
    require(total == den, "the weights sum to 1", node.path, ratio(total, den), 1)
    return columns, den, parts


def other_kernel(a: Definition, b: Definition) -> bool:
    """Whether two mechanisms have different hyper-distributions."""
    return other_hyper(
        reduced(list(a.matrix.columns())),
        a.matrix.den,
        reduced(list(b.matrix.columns())),
        b.matrix.den,
    )


def listed(parts: Sequence[tuple[Definition, Fraction]]) -> str:
    """A mixture in a sentence."""
    return " + ".join(
        [*(f"{show(weight)} · {m.title}" for m, weight in parts[:24]), *["…"] * (len(parts) > 24)]
    )


def mixtures(c: Case) -> str:
    """The mechanism has the hyper-distribution of several different convex sums of kernel
    mechanisms.
    """
    near, alpha, title = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    nodes = c.claim["mixtures"].items()
    mine = reduced(list(m.matrix.columns()))
    seen = list[list[tuple[Definition, Fraction]]]()
    for node in nodes:
        columns, den, parts = mixture(c, node, near, alpha)
        same = same_hyper(reduced(columns), den, mine, m.matrix.den)
        require(
            same,
            "the mixture has the mechanism's hyper-distribution",
            node.path,
            len(columns),
            len(mine),
        )
        for others in seen:
            charge(5 + 3 * len(parts) * len(others))
            differ = len(parts) != len(others) or any(
                all(u != v or other_kernel(a, b) for b, v in others) for a, u in parts
            )
            require(
                differ,
                "the mixtures differ",
                node.path,
                [a.title for a, _ in parts],
                [b.title for b, _ in others],
            )
        seen.append(parts)
    demand(nodes != [], "$.claim.mixtures", "one mixture or more")
    if len(nodes) > 1:
        ways = f"{len(nodes)} different convex sums"
    else:
        ways = "a convex sum"
    sums = "; ".join(map(listed, seen[:24]))
    return f"The {m.title} has the same hyper-distribution as {ways} of kernel mechanisms of {title}: {sums}{'; …' * (len(seen) > 24)}."


def refines_mixture(c: Case) -> str:
    """M = (Σ weight·kernel)·R: M refines the claim's convex sum of kernel mechanisms."""
    near, alpha, title = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    columns, den, parts = mixture(c, c.claim["mixture"], near, alpha)
    charge(len(columns) * len(near.inputs), held=len(columns) * len(near.inputs))
    rows = [
        {y: x for y, column in enumerate(columns) if nonzero(x := column[i])}
        for i in range(len(near.inputs))
    ]
    check_product(Matrix(len(columns), den, rows), c.witness["remap"], m.matrix)
    return f"The {m.title} is derivable from a convex sum of kernel mechanisms of {title}: {listed(parts)}."


# ── Graphs, capacities and the refinement order ─────────────────────────────────────────────────────────────
def graph_of(near: Definition, path: str) -> list[tuple[int, int]]:
    """The edges of a connected graph: all distances that are constrained are 1."""
    pairs = [(i, j) for i, j, square in near.pairs if square == 1]
    n = len(near.inputs)
    joined = len(pairs) == len(near.pairs) and len(components(pairs, n)) == 1
    require(
        joined,
        "the neighbours are a connected graph",
        path,
        near.title,
        "distances 1, and a path between every two inputs",
    )
    return pairs


CAPACITIES = ("multiplicative", "additive")


def capacity_of(m: Matrix, kind: str) -> Any:
    """Σ_y max_x M_xy, or 1 − Σ_y min_x M_xy."""
    charge(m.width * len(m.rows), m.bits)
    total: Number = 0
    for column in m.columns():
        if kind == "multiplicative":
            total = total - lowest([-x for x in column])
        else:
            total = total + lowest(column)
    return ratio(total if kind == "multiplicative" else m.den - total, m.den)


def capacities(c: Case) -> str:
    """capacity, of one mechanism; and type-capacity, the largest in the type."""
    kind = c.claim["capacity"].of(str)
    demand(kind in CAPACITIES, "$.claim.capacity", f"must be one of {', '.join(CAPACITIES)}")
    if c.kind == "capacity":
        m = c.mechanism("mechanism")
        equals(capacity_of(m.matrix, kind), c.claim["value"], f"the {kind} capacity")
        return f"The {kind} capacity of the {m.title} is {show(c.claim['value'].scalar())}."
    near, alpha, title = type_of(c)
    rule, f = c.witness["by"].variant("rule", {"weights": "weights", "dual": "mechanism dual"})
    if rule == "weights":
        equals(
            weighed(f["weights"], kind, near, alpha),
            c.claim["value"],
            "the sum of the weights (additive: 1 minus it)",
        )
    else:
        bounded_capacity(f, kind, c.claim["value"], near, alpha)
    return (
        f"The largest {kind} capacity in the type of {title} is {show(c.claim['value'].scalar())}."
    )


def weighed(node: Node, kind: str, near: Definition, alpha: Fraction) -> Any:
    """On a graph, weights z ≥ 0 with Σ_y z_y α^d(x,y) = 1 for every x (additive: α^−d(x,y)): M_xy
    = z_y α^±d(x,y) is a mechanism of the type with this capacity, and Σ_x z_x M_xy is at least
    max_x M_xy (additive: at most min_x M_xy) in every mechanism of the type.
    """
    n = len(near.inputs)
    p = alpha.numerator
    q = alpha.denominator
    z = node.vector(n)
    away = hops(graph_of(near, "$.claim.neighbours"), n)
    require(all(x > 0 for x in z.rows[0].values()), "weights ≥ 0", node.path, "a negative one", 0)
    if kind == "multiplicative":
        p = p
        q = q
    else:
        p, q = (q, p)
    most = max(map(max, away))
    large = z.bits > 64
    bits = z.bits + most * max(p.bit_length(), q.bit_length())
    charge(2 * n * n, bits, 2 * most + len(z.rows[0]) * n * large if whole(p, q) else 0, most)
    powers = [p**d * q ** (most - d) for d in range(most + 1)]
    for x, row in enumerate(away):
        total = sum((w * powers[row[y]] for y, w in z.rows[0].items()), 0)
        require(
            total == z.den * powers[0],
            f"Σ_y z_y α^±d({x},y) = 1",
            node.path,
            ratio(total, z.den * powers[0]),
            1,
        )
    total = sum(z.rows[0].values(), 0)
    return ratio(total if kind == "multiplicative" else z.den - total, z.den)


def bounded_capacity(
    f: dict[str, Node], kind: str, claimed: Node, near: Definition, alpha: Fraction
) -> None:
    """A mechanism with this capacity, and a dual that shows that none has more."""
    n = len(near.inputs)
    path = f["mechanism"].path
    X = stochastic(f["mechanism"].matrix(n, n), path)
    check_private(X, near, alpha, path)
    equals(capacity_of(X, kind), claimed, "the capacity of the witness")
    charge(n * n, held=n * n)
    # an output is guessed as its most likely input (additive: as its least likely one; guess g is input
    # n − 1 − g, so that it may cross once)
    loss = Matrix(
        n,
        1,
        [
            {g: 1 for g in range(n) if g != x} if kind == "multiplicative" else {n - 1 - x: 1}
            for x in range(n)
        ],
    )
    uniform = Matrix(n, n, [dict.fromkeys(range(n), 1)])
    least, _ = dual_rule(
        f["dual"], Consumer("", near.inputs, loss, list(range(n)), uniform), near, alpha
    )
    # n·loss = n − Σ_y max_x M_xy, or Σ_y min_x M_xy
    if kind == "multiplicative":
        top = ratio(n * (least.denominator - least.numerator), least.denominator)
    else:
        top = ratio(least.denominator - n * least.numerator, least.denominator)
    require(
        top == claimed.scalar(),
        "the bound of the dual = $.claim.value",
        f["dual"].path,
        top,
        claimed.scalar(),
    )


def order(c: Case) -> str:
    """refinement-order: which of several mechanisms are refined by which others."""
    names = c.claim["mechanisms"].items()
    mechanisms = [c.named(node, "mechanism") for node in names]
    for m in mechanisms:
        charge(len(m.inputs) + sum(map(len, m.inputs)) // 256)  # labels can be long
        require(
            m.inputs == mechanisms[0].inputs,
            "the input labels agree",
            "$.claim.mechanisms",
            m.inputs,
            mechanisms[0].inputs,
        )
    k = len(mechanisms)
    charge(4 * k * k, held=2 * k * k)
    demand(
        k > 1 and len({node.of(str) for node in names}) == k,
        "$.claim.mechanisms",
        "two different names or more",
    )
    refined = [tuple(x.index(k) for x in node.items(2)) for node in c.claim["pairs"].items()]
    demand(
        all(a < b for a, b in pairwise(refined)) and all(i != j for i, j in refined),
        "$.claim.pairs",
        "pairs [i, j], i ≠ j, in order",
    )
    listed = set(refined)
    others = [(i, j) for i, j in product(range(k), range(k)) if i != j]
    rest = [pair for pair in others if pair not in listed]
    for (i, j), node in zip(refined, c.witness["remaps"].items(len(refined)), strict=True):
        check_product(mechanisms[i].matrix, node, mechanisms[j].matrix)
    for (i, j), node in zip(rest, c.witness["separators"].items(len(rest)), strict=True):
        separate(mechanisms[i], mechanisms[j], node)
    shown = (
        show([f"{mechanisms[i].title} ⊑ {mechanisms[j].title}" for i, j in refined])
        or "none is refined by another"
    )
    return (
        f"Among these: {show([m.title for m in mechanisms])}; the refinements are exactly: {shown}."
    )


def separate(a: Definition, b: Definition, node: Node) -> None:
    """Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy: B = A·R for no row-stochastic R."""
    n = len(a.inputs)
    W = node.matrix(n, len(b.outputs))
    once = Matrix(n, 1, [dict.fromkeys(range(n), 1)])
    loss = Matrix(W.width, W.den, [{r: -x for r, x in row.items()} for row in W.rows])
    consumer = Consumer("", (), loss, list(range(n)), once)
    left = -loss_of(consumer, b.matrix.columns(), b.matrix.den)
    right = -remap_rule(loss, a.matrix, once)[0]
    require(left > right, "Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy", node.path, left, right)


TYPE = "neighbours level"
# kind: its function, claim keys, witness keys
CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {
    "vertices": (counts, f"{TYPE} count", ""),
    "kernel-count": (counts, f"{TYPE} count", ""),
    "kernel-mechanism": (kernel_mechanism, f"{TYPE} mechanism", ""),
    "not-kernel-mechanism": (kernel_mechanism, f"{TYPE} mechanism", ""),
    "kernel-mixtures": (mixtures, f"{TYPE} mechanism mixtures", ""),
    "refines-mixture": (refines_mixture, f"{TYPE} mechanism mixture", "remap"),
    "capacity": (capacities, "mechanism capacity value", ""),
    "type-capacity": (capacities, f"{TYPE} capacity value", "by"),
    "refinement-order": (order, "mechanisms pairs", "remaps separators"),
}
