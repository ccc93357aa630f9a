# SPDX-License-Identifier: MIT
"""Trusted: Φ, φ_ih = α^d(i,h): tight-constraints mechanisms, regular priors, leakage (SPEC §4.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from exactdp.checker.limits import FIELD, charge, demand, require, show
from exactdp.checker.matrices import Matrix, common, ratio, stochastic, whole
from exactdp.checker.powers import powers
from exactdp.checker.rules import Case, Definition, check_private, equals

PRIME = 2**61 - 1  # ranks are computed modulo this


@dataclass(frozen=True)
class Phi:
    """Φ over the denominator `scale`. Entry (i, h) is powers[k] where k = rows[i][h] says which of
    the finite distances d(i, h) is: its place in a list of them, 0 being the first (never an
    exponent). It is 0 where k is −1, the distance being infinite.
    """

    near: Definition
    title: str
    powers: list[Any]  # scale·α^d for each finite distance d
    scale: Any
    rows: list[list[int]]


def phi_of(c: Case) -> Phi:
    """The claim's Φ: by shortest paths of a path or graph, or by the given distances of a table."""
    node = c.claim["neighbours"]
    alpha = c.claim["level"].level()
    near = c.named(node, "neighbours")
    n = len(near.inputs)
    p = alpha.numerator
    q = alpha.denominator
    scale: Any
    if c.definitions[node.of(str)].fields()["type"].value == "distances":
        charge(n * n + 60 * len(near.pairs), held=n * n // 8 + len(near.pairs))
        by_square = powers(alpha, near.squares, node.path)
        charge(200 * len(by_square))
        found = [x.as_integer_ratio() for x in by_square.values()]
        bits = sum(max(a.bit_length(), b.bit_length()) for a, b in found)
        charge(len(found), bits, 2 * len(found), len(found))
        scale, lifts = common(*(b for _, b in found))
        powers = [scale, *(a * lift for (a, _), lift in zip(found, lifts, strict=True))]
        place = {square: k for k, square in enumerate(by_square, start=1)}
        rows = [[0 if i == h else -1 for h in range(n)] for i in range(n)]
        for i, h, square in near.pairs:
            rows[i][h] = rows[h][i] = place[square]
    else:
        rows = hops([(i, j) for i, j, _ in near.pairs], n)
        longest = max(map(max, rows))
        charge(
            0,
            longest * max(p.bit_length(), q.bit_length()),
            3 * longest + 3 if whole(p, q) else 0,
            longest + 1,
        )
        powers = [p**d * q ** (longest - d) for d in range(longest + 1)]
        scale = q**longest
    return Phi(near, f"{near.title} at level α = {show(alpha)}", powers, scale, rows)


def hops(pairs: list[tuple[int, int]], n: int) -> list[list[int]]:
    """The lengths of shortest paths, −1 where there is none, by breadth-first search."""
    charge(n * (2 * n + len(pairs)), held=n * n // 8 + 2 * n + 2 * len(pairs))
    joined: list[list[int]] = [[] for _ in range(n)]
    for i, j in pairs:
        joined[i].append(j)
        joined[j].append(i)
    rows = [[-1] * n for _ in range(n)]
    for v, row in enumerate(rows):
        row[v], reached = 0, [v]
        for i in reached:  # it grows
            if len(reached) < n:
                for j in joined[i]:
                    if row[j] < 0:
                        row[j] = row[i] + 1
                        reached.append(j)
    return rows


def vector(c: Case, key: str, n: int) -> tuple[list[int], Matrix]:
    """A vector on n vertices: their cells, all different unless `cells` is given, and the values
    on cells.
    """
    if "cells" not in c.witness:
        return list(range(n)), c.witness[key].vector(n)
    cells = [node.index(n) for node in c.witness["cells"].items(n)]
    return cells, c.witness[key].vector(max(cells) + 1)


def views(phi: Phi, cells: list[int]) -> Iterator[tuple[int, Counter[tuple[int, int]]]]:
    """For every vertex: its cell, and how many vertices of each cell it sees at each distance."""
    for row, cell in zip(phi.rows, cells, strict=True):
        charge(4 * len(row), held=2 * len(row))
        yield cell, Counter(zip(row, cells, strict=True))


def spread(phi: Phi, cells: list[int], v: Matrix) -> list[Any]:
    """scale·v.den·(Φ·v)_i for each vertex i: alike for those that see what the first of their cell
    sees.
    """
    values = v.rows[0]
    result = list[Any]()
    held = 0
    bits = v.bits + phi.scale.bit_length()
    # for cells of several vertices
    shared = Counter(cells)
    known = dict[int, tuple[Counter[tuple[int, int]], Any]]()
    for cell, view in views(phi, cells):
        if cell not in known or known[cell][0] != view:
            charge(4 * len(view), v.bits)
            shells: dict[int, Any] = {}  # by distance
            for (k, other), count in view.items():
                if k >= 0 and (x := values.get(other, 0)):
                    shells[k] = shells.get(k, 0) + count * x
            charge(len(shells), bits, len(shells), len(result))
            total = sum(phi.powers[k] * x for k, x in shells.items())
            if shared[cell] > 1 and cell not in known:
                held += 2 * len(view)
                charge(0, held=held)
                known[cell] = view, total
            result.append(total)
        else:
            result.append(known[cell][1])
    return result


def non_negative(v: Matrix, path: str) -> None:
    """All entries are ≥ 0."""
    charge(2 * len(v.rows[0]), v.bits)
    for i, x in v.rows[0].items():
        if x < 0:
            require(False, f"entry {i} ≥ 0", path, ratio(x, v.den), 0)


def solves(c: Case, phi: Phi, key: str, right: Matrix) -> Any:
    """Check v ≥ 0 and Φ·v = b; returned: Σ v."""
    cells, v = vector(c, key, len(phi.rows))
    path = c.witness[key].path
    non_negative(v, path)
    charge(0, v.bits + phi.scale.bit_length() + right.bits, 3 * len(phi.rows))
    for i, x in enumerate(spread(phi, cells, v)):
        b = right.rows[0].get(i, 0)
        if x * right.den != b * phi.scale * v.den:
            require(
                False,
                f"(Φ·v)_i = b_i at i = {i}",
                path,
                ratio(x, phi.scale * v.den),
                ratio(b, right.den),
            )
    charge(len(phi.rows), v.bits)
    return ratio(sum(v.rows[0].get(cell, 0) for cell in cells), v.den)


def separates(c: Case, phi: Phi, right: Matrix) -> None:
    """Φ·w ≥ 0 and Σ b_i w_i < 0: so Φ·v = b for no v ≥ 0, Σ b_i w_i being Σ v_i (Φ·w)_i."""
    cells, w = vector(c, "farkas", len(phi.rows))
    path = c.witness["farkas"].path
    charge(len(phi.rows), w.bits + right.bits, len(phi.rows))
    total = sum(b * w.rows[0].get(cells[i], 0) for i, b in right.rows[0].items())
    require(total < 0, "Σ b_i w_i < 0", path, ratio(total, w.den * right.den), 0)
    for i, x in enumerate(spread(phi, cells, w)):
        if x < 0:
            require(False, f"(Φ·w)_i ≥ 0 at i = {i}", path, ratio(x, phi.scale * w.den), 0)


def ones(n: int) -> Matrix:
    """The vector of ones."""
    charge(n, held=n)
    return Matrix(n, 1, [dict.fromkeys(range(n), 1)])


def invertible(c: Case, phi: Phi) -> None:
    """Φ is non-singular: R·Φ = I, or R·Φ has full rank modulo a prime (R rational)."""
    demand(
        ("inverse" in c.witness) != ("combination" in c.witness),
        "$.witness",
        "either inverse or combination",
    )
    node = c.witness["inverse" if "inverse" in c.witness else "combination"]
    n = len(phi.rows)
    R = node.matrix(n, n)
    if "inverse" in c.witness:
        charge(0, R.bits + phi.scale.bit_length(), 2 * n * (n + sum(map(len, R.rows))), n)
    else:
        charge(
            len(phi.powers) * (1 + phi.scale.bit_length() // 500)
            + sum(map(len, R.rows)) * (1 + R.bits // 500)
        )
        charge(4 * n * (n + sum(map(len, R.rows))), 61, held=n * n)
    reduce: Callable[[Any], Any] = (
        (lambda x: x) if "inverse" in c.witness else (lambda x: x % PRIME)
    )
    powers = [*map(reduce, phi.powers), 0]  # the last is that of −1
    rows = list[dict[int, Any]]()
    one = phi.scale * R.den
    for i, r in enumerate(R.rows):
        row = [0] * n
        for j, x in r.items():
            y = reduce(x)
            row = [a + y * powers[e] for a, e in zip(row, phi.rows[j], strict=True)]
        if "inverse" in c.witness:
            for h, x in enumerate(row):
                if x != (one if h == i else 0):
                    require(False, f"R·Φ = I at ({i}, {h})", node.path, ratio(x, one), int(h == i))
        else:
            rows.append({h: x % PRIME for h, x in enumerate(row) if x % PRIME})
    if "combination" in c.witness:
        rank = rank_modulo(rows)
        require(rank == n, "R·Φ has full rank modulo 2^61 − 1", node.path, rank, n)


def rank_modulo(rows: list[dict[int, int]]) -> int:
    """The rank modulo PRIME of sparse rows."""
    pivots = dict[int, dict[int, int]]()
    for row in rows:
        while row and (first := min(row)) in pivots:
            pivot = pivots[first]
            factor = row[first]
            charge(4 * (len(row) + len(pivot)))
            row = {
                h: x
                for h in row | pivot
                if (x := (row.get(h, 0) - factor * pivot.get(h, 0)) % PRIME)
            }
        if row:
            inverse = pow(row[first], -1, PRIME)
            pivots[first] = {h: x * inverse % PRIME for h, x in row.items()}
    return len(pivots)


# ── Existence without the solution (SPEC §4.8) ──────────────────────────────────────────────────────────────
BITS = 192  # of the powers of α in `near_solution`


def enclosures(c: Case, phi: Phi) -> list[tuple[int, int]]:
    """For each distance d of Φ, 2^BITS·α^d between two integers, for all α that the level stands
    for: from α^d if that is rational, or encloses itself (fields.py); over an interval of
    numbers a > 0 from the ends, if α^d = a^k.
    """
    field = FIELD.get()
    result = list[tuple[int, int]]()
    bits = BITS + phi.scale.bit_length()
    for x in phi.powers:
        charge(8, bits)  # the quotient is short
        if whole(x, phi.scale):
            result.append(((x << BITS) // phi.scale, -((-x << BITS) // phi.scale)))
            continue
        path = c.claim["level"].path
        if whole(x):
            k = 0
        else:
            k = (x.packed.bit_length() - 1) // field.slot
        demand(
            phi.scale == 1, path, "must be rational or a polynomial, if a witness is approximate"
        )
        if x.ball:
            result.append(
                (x.ball[0] >> field.precision - BITS, -(-x.ball[1] >> field.precision - BITS))
            )
            continue
        demand(
            x.packed == field.symbol(0, k).packed,
            path,
            "must be a power of the parameter, if a witness is approximate",
        )
        require(
            field.symbol(0, 1) > 0,
            "the parameter is positive, if a witness is approximate",
            path,
            field.names[0],
            0,
        )
        # 0 < a, and a power of a is a level, so < 1
        ends = max(field.low.lo, Fraction(0)), min(field.high.hi, Fraction(1))
        charge(0, k * max(y.bit_length() for end in ends for y in end.as_integer_ratio()) + BITS, 8)
        (p, q), (r, s) = (end.as_integer_ratio() for end in ends)
        result.append(((p**k << BITS) // q**k, -((-(r**k) << BITS) // s**k)))
    return result


def near_solution(c: Case, phi: Phi) -> None:
    """B is Φ on cells: B_kb = Σ_d count·α^d. With κ = ‖I − R·B‖ < 1 it is non-singular, and z =
    B⁻¹1 differs from the z̃ given by (R·B)⁻¹·R·(1 − B·z̃), so by δ/(1 − κ) at most, δ = ‖R·(1 −
    B·z̃)‖ (largest row sums). If z̃ is larger, z ≥ 0.
    """
    demand("cells" in c.witness, "$.witness", "near needs cells")
    f = c.witness["near"].fields("diagonal inverse")
    cells = [node.index(len(phi.rows)) for node in c.witness["cells"].items(len(phi.rows))]
    z = f["diagonal"]
    m = max(cells) + 1
    one = 1 << BITS
    v = z.vector(m)
    R = f["inverse"].matrix(m, m)
    demand(
        all(whole(x.den, *row.values()) for x in (v, R) for row in x.rows),
        c.witness["near"].path,
        "must be rational",
    )
    kind = dict[int, Counter[tuple[int, int]]]()
    held = 0
    for cell, view in views(phi, cells):
        if cell not in kind:
            held += 2 * len(view)
        charge(0, held=held)
        first = kind.setdefault(cell, view)
        path = c.witness["cells"].path
        require(
            first == view,
            "the partition into cells is equitable for Φ",
            path,
            "a vertex",
            "others of its cell",
        )
    between = enclosures(c, phi)
    slot = BITS + R.bits + 64  # one big integer a row of B: slots of so many bits
    # residual and error are for z̃, over one·v.den
    packed = list[int]()
    error = 0
    residual = list[int]()
    most = max(map(abs, v.rows[0].values()), default=0)
    # products by numbers of R.bits bits
    charge(6 * m * m * (1 + R.bits // 64), slot * m, held=4 * m)
    charge(2 * m * m * (1 + min(R.bits, v.bits) // 64), R.bits + v.bits + BITS)
    for k in range(m):
        row = [0] * m
        wide = 0
        for (d, b), count in kind.get(k, Counter()).items():
            if d >= 0:
                low, high = between[d]
                row[b], wide = row[b] + count * low, wide + count * (high - low)
        packed.append(sum(x << slot * b for b, x in enumerate(row)))
        residual.append(one * v.den - sum(x * v.rows[0].get(b, 0) for b, x in enumerate(row)))
        if wide > error:
            error = wide
        else:
            error = error
    offset = sum(1 << slot * b + slot - 1 for b in range(m))
    kappa = 0
    delta = 0
    for k, r in enumerate(R.rows):
        product = offset + sum(x * packed[j] for j, x in r.items())
        size = sum(map(abs, r.values()))
        entries = [
            (product >> slot * b & (1 << slot) - 1)
            - (1 << slot - 1)
            - (one * R.den if b == k else 0)
            for b in range(m)
        ]
        kappa = max(kappa, sum(map(abs, entries)) + size * error)
        delta = max(delta, abs(sum(x * residual[j] for j, x in r.items())) + size * error * most)
    require(
        kappa < one * R.den, "κ = ‖I − R·B‖ < 1", f["inverse"].path, ratio(kappa, one * R.den), 1
    )
    # least/v.den ≥ δ/(1 − κ), δ = delta/(one·R.den·v.den)
    least = min(v.rows[0].get(k, 0) for k in range(m))
    if least * (one * R.den - kappa) < delta:
        require(
            False,
            "z̃ ≥ δ/(1 − κ)",
            z.path,
            ratio(least, v.den),
            ratio(delta, v.den * (one * R.den - kappa)),
        )


# ── Claims ──────────────────────────────────────────────────────────────────────────────────────────────────
def tight(c: Case) -> str:
    """Φ·z = 1 with z ≥ 0: then X = Φ·diag(z) is a tight-constraints mechanism, and all are of this
    form.
    """
    phi = phi_of(c)
    if c.kind == "not-tight":
        separates(c, phi, ones(len(phi.rows)))
        return f"No tight-constraints mechanism exists for {phi.title}."
    if c.kind == "not-unique-tight":
        for key in ("first", "second"):
            solves(c, phi, key, ones(len(phi.rows)))
        (cells, one), (_, two) = (vector(c, key, len(phi.rows)) for key in ("first", "second"))
        charge(len(phi.rows), one.bits + two.bits, 2 * len(phi.rows))
        differ = any(
            one.rows[0].get(k, 0) * two.den != two.rows[0].get(k, 0) * one.den for k in cells
        )
        require(differ, "first ≠ second", "$.witness.second", "equal", "different")
        return f"More than one tight-constraints mechanism exists for {phi.title}."
    demand(
        ("near" in c.witness) != ("diagonal" in c.witness), "$.witness", "either diagonal or near"
    )
    if "near" in c.witness:
        near_solution(c, phi)
    else:
        solves(c, phi, "diagonal", ones(len(phi.rows)))
    if c.kind == "tight":
        return f"A tight-constraints mechanism exists for {phi.title}: x_ik = α^d(i,k)·x_kk."
    invertible(c, phi)
    return f"Exactly one tight-constraints mechanism exists for {phi.title}."


def threshold(c: Case) -> str:
    """One exists at `level`, and none at `above`, which is larger."""
    low = c.claim["level"].level()
    high = c.claim["above"].level()
    require(low < high, "level < above", c.claim["above"].path, low, high)
    yes = c.witness["low"].fields("diagonal? cells? near?")
    no = c.witness["high"].fields("farkas cells?")
    none = replace(c, kind="not-tight", claim={**c.claim, "level": c.claim["above"]}, witness=no)
    return f"{tight(replace(c, kind='tight', witness=yes))} {tight(none)}"


def singularity(c: Case) -> str:
    """singular: Φ·v = 0 for some v ≠ 0; non-singular: see `invertible`."""
    phi = phi_of(c)
    if c.kind == "non-singular":
        invertible(c, phi)
        return f"Φ is non-singular for {phi.title}."
    cells, v = vector(c, "kernel", len(phi.rows))
    require(any(v.rows[0].get(k, 0) != 0 for k in cells), "v ≠ 0", "$.witness.kernel", 0, "not 0")
    for i, x in enumerate(spread(phi, cells, v)):
        if x != 0:
            require(
                False, f"(Φ·v)_i = 0 at i = {i}", "$.witness.kernel", ratio(x, phi.scale * v.den), 0
            )
    return f"Φ is singular for {phi.title}."


def prior_of(c: Case, n: int) -> Matrix:
    """The claim's prior on n inputs."""
    return stochastic(c.claim["prior"].vector(n), c.claim["prior"].path)


def entries(v: Matrix) -> str:
    """The entries of a vector, for a sentence."""
    return show([ratio(x, v.den) for [x] in v.columns()])


def largest(prior: Matrix) -> Any:
    """max_i π_i, times the prior's denominator."""
    values = list(prior.rows[0].values())
    charge(2 * len(values), prior.bits)
    most = values[0]
    for x in values:
        if x > most:
            most = x
        else:
            most = most
    return most


def regular(c: Case) -> str:
    """regular: π = y·Φ with y ≥ 0; not-regular: a vector that separates π from all of these."""
    phi = phi_of(c)
    prior = prior_of(c, len(phi.rows))
    if c.kind == "not-regular":
        separates(c, phi, prior)
        return f"The prior ({entries(prior)}) is not regular for {phi.title}: π = y·Φ for no y ≥ 0."
    total = solves(c, phi, "weights", prior)
    if c.kind == "regular":
        return f"The prior ({entries(prior)}) is regular for {phi.title}: π = y·Φ with y ≥ 0."
    equals(total, c.claim["value"], "Σ y")
    return (
        f"No private mechanism for {phi.title} has a utility (binary gain, best remap) above {show(c.claim['value'].scalar())} "
        f"for the prior ({entries(prior)})."
    )


def leakage(c: Case) -> str:
    """leakage: Σ_o max_i π_i x_io / max_i π_i, computed. leakage-bound: Σ y / max π with π = y·Φ;
    for all priors, Σ z with Φ·z = 1, since Σ_o max_i π_i x_io ≤ max π · Σ_o max_i x_io, and Σ_o
    max_i x_io is n times what the uniform prior gives.
    """
    if c.kind == "leakage":
        m = c.mechanism("mechanism")
        prior = prior_of(c, len(m.inputs))
        equals(
            ratio(vulnerability(prior, m.matrix), m.matrix.den * largest(prior)),
            c.claim["value"],
            "the leakage",
        )
        return (
            f"The {m.title} leaks the factor {show(c.claim['value'].scalar())} for the prior ({entries(prior)}) "
            "(multiplicative min-entropy leakage)."
        )
    phi = phi_of(c)
    if "prior" in c.claim:
        prior = prior_of(c, len(phi.rows))
        total = solves(c, phi, "weights", prior)
        bound = ratio(total.numerator * prior.den, total.denominator * largest(prior))
        where = f"for the prior ({entries(prior)})"
    else:
        bound = solves(c, phi, "weights", ones(len(phi.rows)))
        where = "for any prior"
    equals(bound, c.claim["value"], "the bound")
    return (
        f"No private mechanism for {phi.title} leaks more than the factor {show(c.claim['value'].scalar())} {where} "
        "(multiplicative min-entropy leakage)."
    )


def vulnerability(prior: Matrix, m: Matrix) -> Any:
    """Σ_o max_i π_i m_io, over prior.den·m.den."""
    charge(m.width * len(m.rows), m.bits + prior.bits, m.width * len(m.rows))
    total: Any = 0
    for column in m.columns():
        most: Any = 0
        for i, x in prior.rows[0].items():
            if x * column[i] > most:
                most = x * column[i]
            else:
                most = most
        total += most
    return total


def on_region(c: Case) -> str:
    """optimal-on-region: M is private and Φ·diag(M·R) = 1 for a row-stochastic R, so the utility
    of M·R is Σ y for every π = y·Φ, and no private mechanism has more if y ≥ 0. not-optimal-on-
    region: y ≥ 0 and a private X with Σ_i π_i x_ii > Σ_o max_i π_i m_io for π = y·Φ (whose
    scale does not matter).
    """
    phi = phi_of(c)
    m = c.mechanism("mechanism", phi.near.inputs)
    near = phi.near
    n = len(phi.rows)
    alpha = c.claim["level"].level()
    check_private(m.matrix, near, alpha, "$.claim.mechanism")
    if c.kind == "optimal-on-region":
        R = stochastic(c.witness["remap"].matrix(m.matrix.width, n), "$.witness.remap")
        charge(0, m.matrix.bits + R.bits, 2 * n * m.matrix.width)
        diagonal = {
            i: sum(x * R.rows[o].get(i, 0) for o, x in row.items())
            for i, row in enumerate(m.matrix.rows)
        }
        v = Matrix(n, m.matrix.den * R.den, [{i: x for i, x in diagonal.items() if x != 0}])
        expected = phi.scale * v.den
        for i, x in enumerate(spread(phi, list(range(n)), v)):
            if x != expected:
                require(
                    False,
                    f"(Φ·diag(M·R))_i = 1 at i = {i}",
                    "$.witness.remap",
                    ratio(x, expected),
                    1,
                )
        return f"For every prior that is regular for {phi.title}, no private mechanism has more utility (binary gain) than the {m.title}."
    cells, y = vector(c, "weights", n)
    non_negative(y, c.witness["weights"].path)
    masses = spread(phi, cells, y)
    prior = Matrix(n, 1, [{i: x for i, x in enumerate(masses) if x != 0}])
    X = stochastic(c.witness["better"].matrix(n, n), "$.witness.better")
    check_private(X, near, alpha, "$.witness.better")
    charge(n, X.bits + prior.bits, 2 * n)
    more = sum(x * X.rows[i].get(i, 0) for i, x in prior.rows[0].items())
    less = vulnerability(prior, m.matrix)
    require(
        more * m.matrix.den > less * X.den,
        "Σ_i π_i x_ii > Σ_o max_i π_i m_io",
        "$.witness.better",
        ratio(more, X.den * phi.scale * y.den),
        ratio(less, m.matrix.den * phi.scale * y.den),
    )
    return f"The {m.title} is private, but for some regular prior of {phi.title} another private mechanism has more utility (binary gain)."


AT = "neighbours level"
# kind: its function, claim keys, witness keys
CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {
    "tight": (tight, AT, "diagonal? cells? near?"),
    "not-tight": (tight, AT, "farkas cells?"),
    "unique-tight": (tight, AT, "diagonal cells? inverse? combination?"),
    "not-unique-tight": (tight, AT, "first second cells?"),
    "threshold": (threshold, f"{AT} above", "low high"),
    "singular": (singularity, AT, "kernel cells?"),
    "non-singular": (singularity, AT, "inverse? combination?"),
    "regular": (regular, f"{AT} prior", "weights cells?"),
    "not-regular": (regular, f"{AT} prior", "farkas cells?"),
    "utility-bound": (regular, f"{AT} prior value", "weights cells?"),
    "leakage": (leakage, "mechanism prior value", ""),
    "leakage-bound": (leakage, f"{AT} prior? value", "weights cells?"),
    "optimal-on-region": (on_region, f"{AT} mechanism", "remap"),
    "not-optimal-on-region": (on_region, f"{AT} mechanism", "weights cells? better"),
}
