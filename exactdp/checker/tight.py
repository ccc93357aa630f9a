# SPDX-License-Identifier: MIT
"""Trusted: Φ, φ_ih = α^d(i,h): tight-constraints mechanisms, regular priors, leakage (SPEC §4.8).

Files without a folder in the names of theorems stand in proofs/coq.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from exactdp.checker.arithmetic import (
    common,
    dot,
    grid,
    packed,
    powers_of,
    product,
    quotient,
    raised,
    ratio,
    unpacked,
    whole,
)
from exactdp.checker.claims import Claims
from exactdp.checker.graphs import View, hops, views
from exactdp.checker.limits import FIELD, demand, require, show
from exactdp.checker.matrices import Matrix, combined_rows, ones, rank, stochastic
from exactdp.checker.powers import places, powers
from exactdp.checker.rules import Case, Definition, check_private, equals


# ── The matrix Φ ────────────────────────────────────────────────────────────────────────────────
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
    # Theorem: phi_unique, phi_ofP, are_hopsP (Checker/Phi.v).
    node = c.claim["neighbours"]
    alpha = c.claim["level"].level()
    near = c.named(node, "neighbours")
    title = f"{near.title} at level α = {show(alpha)}"
    if c.definitions[node.of(str)].fields()["type"].value == "distances":
        return phi_of_distances(near, alpha, title, node.path)
    rows = hops([(i, j) for i, j, _ in near.pairs], len(near.inputs))
    most = max(map(max, rows))
    p, q = alpha.numerator, alpha.denominator
    found = powers_of(p, q, most)
    return Phi(near, title, found, q**most, rows)


def phi_of_distances(near: Definition, alpha: Fraction, title: str, path: str) -> Phi:
    """Φ by a table of distances; pairs that are not in it are infinitely far from each other."""
    n = len(near.inputs)
    rows = grid(n, n, -1)
    for i in range(n):
        rows[i][i] = 0
    by_square = powers(alpha, near.squares, path)
    found = [x.as_integer_ratio() for x in by_square.values()]
    scale, lifts = common(*(den for _, den in found))
    numbers = [product(num, lift) for (num, _), lift in zip(found, lifts, strict=True)]
    place = {square: k for k, square in enumerate(by_square, start=1)}
    for i, h, square in near.pairs:
        rows[i][h] = rows[h][i] = place[square]
    return Phi(near, title, [scale, *numbers], scale, rows)


def title_of(c: Case) -> str:
    """The neighbours and the level in a sentence."""
    near = c.named(c.claim["neighbours"], "neighbours")
    return f"{near.title} at level α = {show(c.claim['level'].level())}"


# ── Vectors on vertices, equal on cells ─────────────────────────────────────────────────────────
def vector(c: Case, key: str, n: int) -> tuple[list[int], Matrix]:
    """A vector on n vertices: their cells, all different unless `cells` is given, and the values
    on cells.
    """
    if "cells" not in c.witness:
        return list(range(n)), c.witness[key].vector(n)
    cells = [node.index(n) for node in c.witness["cells"].items(n)]
    return cells, c.witness[key].vector(max(cells) + 1)


def seen_sum(phi: Phi, view: View, v: Matrix) -> Any:
    """scale·v.den·(Φ·v)_i for a vertex i with this view: the values at each distance are summed."""
    sums = v.shells(view)
    return dot([phi.powers[k] for k in sums], list(sums.values()))


def spread(phi: Phi, cells: list[int], v: Matrix) -> list[Any]:
    """scale·v.den·(Φ·v)_i for each vertex i: alike for those that see what the first of their cell
    sees.
    """
    result = list[Any]()
    of_first = dict[int, Any]()
    for cell, view, alike in views(phi.rows, cells):
        if alike:
            result.append(of_first[cell])
            continue
        total = seen_sum(phi, view, v)
        of_first.setdefault(cell, total)
        result.append(total)
    return result


def non_negative(v: Matrix, path: str) -> None:
    """All entries are ≥ 0."""
    for i, x in v.rows[0].items():
        if x < 0:
            require(False, f"entry {i} ≥ 0", path, ratio(x, v.den), 0)


def sum_on(v: Matrix, cells: list[int]) -> Any:
    """Σ v over the vertices."""
    return ratio(sum(v.rows[0].get(cell, 0) for cell in cells), v.den)


def solves(c: Case, phi: Phi, key: str, right: Matrix) -> Any:
    """Check v ≥ 0 and Φ·v = b; returned: Σ v."""
    # Theorem: maps_toP, solves_withP (Checker/PhiRules.v).
    cells, v = vector(c, key, len(phi.rows))
    path = c.witness[key].path
    non_negative(v, path)
    one = product(phi.scale, v.den)
    for i, x in enumerate(spread(phi, cells, v)):
        b = right.rows[0].get(i, 0)
        if product(x, right.den) != product(b, one):
            require(False, f"(Φ·v)_i = b_i at i = {i}", path, ratio(x, one), ratio(b, right.den))
    return sum_on(v, cells)


def separates(c: Case, phi: Phi, right: Matrix) -> None:
    """Φ·w ≥ 0 and Σ b_i w_i < 0: so Φ·v = b for no v ≥ 0, Σ b_i w_i being Σ v_i (Φ·w)_i."""
    # Theorem: no_solution, no_weighting, not_regular (TightConstraints.v), excludesP
    # (Checker/PhiRules.v).
    cells, w = vector(c, "farkas", len(phi.rows))
    path = c.witness["farkas"].path
    total = dot(right.entries(), [w.rows[0].get(cell, 0) for cell in cells])
    require(total < 0, "Σ b_i w_i < 0", path, ratio(total, w.den * right.den), 0)
    for i, x in enumerate(spread(phi, cells, w)):
        if x < 0:
            require(False, f"(Φ·w)_i ≥ 0 at i = {i}", path, ratio(x, phi.scale * w.den), 0)


# ── Φ is non-singular ───────────────────────────────────────────────────────────────────────────
def invertible(c: Case, phi: Phi) -> None:
    """Φ is non-singular: R·Φ = I, or R·Φ has full rank modulo a prime (R rational)."""
    inverse = "inverse" in c.witness
    either = inverse != ("combination" in c.witness)
    demand(either, "$.witness", "either inverse or combination")
    node, n = c.witness["inverse" if inverse else "combination"], len(phi.rows)
    R = node.matrix(n, n)
    if not inverse:
        # Theorem: det_congruent, has_full_rankP (Checker/Nonsingular.v).
        residues = combined_rows(R, phi.powers, phi.rows, modular=True)
        found = rank({h: x for h, x in enumerate(row) if x} for row in residues)
        require(found == n, "R·Φ has full rank modulo 2^61 − 1", node.path, found, n)
        return
    # Theorem: is_inverseP (Checker/Nonsingular.v).
    one = product(phi.scale, R.den)
    for i, row in enumerate(combined_rows(R, phi.powers, phi.rows)):
        for h, x in enumerate(row):
            expected = one if h == i else 0
            if x != expected:
                require(False, f"R·Φ = I at ({i}, {h})", node.path, ratio(x, one), int(h == i))


# ── Existence without the solution (SPEC §4.8) ──────────────────────────────────────────────────
BITS = 192
"""Of the powers of α in `near_solution`."""


Enclosure = tuple[int, int]
"""Two integers with 2^BITS·α^d between them."""


def enclosures(c: Case, phi: Phi) -> list[Enclosure]:
    """For each distance d of Φ, 2^BITS·α^d between two integers, for all α that the level stands
    for.
    """
    # Theorem: flooredP (Checker/Near.v).
    path = c.claim["level"].path
    result = list[Enclosure]()
    for x in phi.powers:
        if whole(x, phi.scale):
            result.append(between(x, x, phi.scale, phi.scale))
            continue
        rule = "must be rational or a polynomial, if a witness is approximate"
        demand(phi.scale == 1, path, rule)
        if not whole(x) and x.ball:
            result.append(shortened(x.ball))
        else:
            result.append(of_parameter(x, path))
    return result


def phi_between(c: Case) -> tuple[list[list[int]], list[Enclosure]]:
    """Φ for a witness that is approximate: which of the finite distances each pair has, as in Phi,
    and the enclosure of α^d for each of them. At a level e^(−ε) these are made for any distances of
    a table: no symbol stands for e^(−ε·d).
    """
    # Theorem: flooredP (Checker/Near.v).
    node = c.claim["neighbours"]
    alpha = c.claim["level"].level()
    near = c.named(node, "neighbours")
    table = c.definitions[node.of(str)].fields()["type"].value == "distances"
    field = FIELD.get()
    if table and field is not None:
        squares, place = places(near.squares)
        balls = [field.power_between(alpha, square) for square in squares]
        if None not in balls:
            n = len(near.inputs)
            rows = grid(n, n, -1)
            for i in range(n):
                rows[i][i] = 0
            for (i, h, _), k in zip(near.pairs, place, strict=True):
                rows[i][h] = rows[h][i] = k + 1
            return rows, [(1 << BITS, 1 << BITS), *map(shortened, balls)]
    phi = phi_of(c)
    return phi.rows, enclosures(c, phi)


def shortened(ball: Enclosure) -> Enclosure:
    """The enclosure of a number that has one to more bits (fields.py)."""
    low, high = ball
    more = FIELD.get().precision - BITS
    return low >> more, -(-high >> more)


def of_parameter(x: Any, path: str) -> Enclosure:
    """The enclosure of a power a^k, for all a > 0 of an interval: from its ends."""
    field = FIELD.get()
    k = 0 if whole(x) else (x.packed.bit_length() - 1) // field.slot
    rule = "must be a power of the parameter, if a witness is approximate"
    demand(x.packed == field.symbol(0, k).packed, path, rule)
    rule = "the parameter is positive, if a witness is approximate"
    require(field.symbol(0, 1) > 0, rule, path, field.names[0], 0)
    # Unless k is 0, the power a^k is less than 1, so a < 1.
    least = max(field.low.lo, Fraction(0))
    most = min(field.high.hi, Fraction(1))
    (p, q), (r, s) = least.as_integer_ratio(), most.as_integer_ratio()
    return between(raised(p, k), raised(r, k), raised(q, k), raised(s, k))


def between(p: int, r: int, q: int, s: int) -> tuple[int, int]:
    """2^BITS·p/q from below, and 2^BITS·r/s from above."""
    return quotient(p << BITS, q), -quotient(-r << BITS, s)


def cell_views(c: Case, rows: list[list[int]], cells: list[int]) -> dict[int, View]:
    """What each cell sees: all of its vertices see the same."""
    # Theorem: equitable_weighting (NearSolution.v), cell_rowsP (Checker/Near.v).
    found = dict[int, View]()
    for cell, view, alike in views(rows, cells, hold_all=True):
        equitable = alike or cell not in found
        rule, path = "the partition into cells is equitable for Φ", c.witness["cells"].path
        require(equitable, rule, path, "a vertex", "others of its cell")
        found.setdefault(cell, view)
    return found


def near_solution(c: Case) -> None:
    """B is Φ on cells: B_kb = Σ_d count·α^d. With κ = ‖I − R·B‖ < 1 it is non-singular, and z =
    B⁻¹1 differs from the z̃ given by (R·B)⁻¹·R·(1 − B·z̃), so by δ/(1 − κ) at most, δ = ‖R·(1 −
    B·z̃)‖ (largest row sums). If z̃ is larger, z ≥ 0.
    """
    # Theorem: nearly_solved (NearSolution.v), is_nearP (Checker/Near.v).
    demand("cells" in c.witness, "$.witness", "near needs cells")
    f = c.witness["near"].fields("diagonal inverse")
    rows_of, powers_between = phi_between(c)
    n = len(rows_of)
    cells = [node.index(n) for node in c.witness["cells"].items(n)]
    m = max(cells) + 1
    v, R = f["diagonal"].vector(m), f["inverse"].matrix(m, m)
    rational = all(whole(x.den, *row.values()) for x in (v, R) for row in x.rows)
    demand(rational, c.witness["near"].path, "must be rational")
    seen_by = cell_views(c, rows_of, cells)

    # B from below, and how far it is from above at most, over `one`; and 1 − B·z̃, over one·v.den.
    # A row of B is one big integer.
    one = 1 << BITS
    slot = BITS + R.bits + 64
    z = v.entries()
    rows = list[int]()
    error = 0
    residual = list[int]()
    for k in range(m):
        row, wide = [0] * m, 0
        for (d, b), count in seen_by.get(k, View()).items():
            if d >= 0:
                low, high = powers_between[d]
                row[b] += count * low
                wide += count * (high - low)
        rows.append(packed(row, slot))
        residual.append(one * v.den - dot(row, z))
        error = max(error, wide)

    # κ over one·R.den, and δ over one·R.den·v.den.
    most = max(map(abs, z))
    kappa, delta = 0, 0
    for k, r in enumerate(R.rows):
        numbers, places = list(r.values()), list(r)
        entries = unpacked(dot(numbers, [rows[j] for j in places]), slot, m)
        entries[k] -= one * R.den
        size = sum(map(abs, numbers))
        kappa = max(kappa, sum(map(abs, entries)) + size * error)
        shift = abs(dot(numbers, [residual[j] for j in places]))
        delta = max(delta, shift + size * error * most)
    unit = one * R.den
    rule = "κ = ‖I − R·B‖ < 1"
    require(kappa < unit, rule, f["inverse"].path, ratio(kappa, unit), 1)
    least = min(z)  # least/v.den ≥ δ/(1 − κ)
    if product(least, unit - kappa) < delta:
        bound = ratio(delta, product(v.den, unit - kappa))
        require(False, "z̃ ≥ δ/(1 − κ)", f["diagonal"].path, ratio(least, v.den), bound)


# ── Claims about tight-constraints mechanisms ───────────────────────────────────────────────────
def tight(c: Case) -> str:
    """Φ·z = 1 with z ≥ 0: then X = Φ·diag(z) is a tight-constraints mechanism, and all are of this
    form.
    """
    # Theorem: weighting_tight, tight_iff, tight_unique (TightConstraints.v).
    if c.kind == "tight" and "near" in c.witness:
        demand("diagonal" not in c.witness, "$.witness", "either diagonal or near")
        near_solution(c)
        return f"A tight-constraints mechanism exists for {title_of(c)}: x_ik = α^d(i,k)·x_kk."
    phi = phi_of(c)
    n = len(phi.rows)
    if c.kind == "not-tight":
        separates(c, phi, ones(n))
        return f"No tight-constraints mechanism exists for {phi.title}."
    if c.kind == "not-unique-tight":
        several_solutions(c, phi)
        return f"More than one tight-constraints mechanism exists for {phi.title}."
    demand("diagonal" in c.witness, "$.witness", "either diagonal or near")
    solves(c, phi, "diagonal", ones(n))
    if c.kind == "tight":
        return f"A tight-constraints mechanism exists for {phi.title}: x_ik = α^d(i,k)·x_kk."
    invertible(c, phi)
    return f"Exactly one tight-constraints mechanism exists for {phi.title}."


def several_solutions(c: Case, phi: Phi) -> None:
    """Two different z ≥ 0 with Φ·z = 1."""
    # Theorem: tight_different (TightConstraints.v).
    n = len(phi.rows)
    for key in ("first", "second"):
        solves(c, phi, key, ones(n))
    cells, one = vector(c, "first", n)
    _, two = vector(c, "second", n)
    differ = False
    for k in cells:
        left = product(one.rows[0].get(k, 0), two.den)
        right = product(two.rows[0].get(k, 0), one.den)
        if left != right:
            differ = True
            break
    require(differ, "first ≠ second", "$.witness.second", "equal", "different")


def threshold(c: Case) -> str:
    """One exists at `level`, and none at `above`, which is larger."""
    low, high = c.claim["level"].level(), c.claim["above"].level()
    require(low < high, "level < above", c.claim["above"].path, low, high)
    yes = c.witness["low"].fields("diagonal? cells? near?")
    no = c.witness["high"].fields("farkas cells?")
    some = replace(c, kind="tight", witness=yes)
    above = {**c.claim, "level": c.claim["above"]}
    none = replace(c, kind="not-tight", claim=above, witness=no)
    return f"{tight(some)} {tight(none)}"


def singularity(c: Case) -> str:
    """singular: Φ·v = 0 for some v ≠ 0; non-singular: see `invertible`."""
    phi = phi_of(c)
    if c.kind == "non-singular":
        invertible(c, phi)
        return f"Φ is non-singular for {phi.title}."
    # Theorem: maps_toP (Checker/PhiRules.v).
    cells, v = vector(c, "kernel", len(phi.rows))
    path = "$.witness.kernel"
    require(any(v.rows[0].get(k, 0) != 0 for k in cells), "v ≠ 0", path, 0, "not 0")
    for i, x in enumerate(spread(phi, cells, v)):
        if x != 0:
            require(False, f"(Φ·v)_i = 0 at i = {i}", path, ratio(x, phi.scale * v.den), 0)
    return f"Φ is singular for {phi.title}."


# ── Claims about regular priors and leakage ─────────────────────────────────────────────────────
def prior_of(c: Case, n: int) -> Matrix:
    """The claim's prior on n inputs."""
    return stochastic(c.claim["prior"].vector(n), c.claim["prior"].path)


def entries(v: Matrix) -> str:
    """The entries of a vector, for a sentence."""
    return show([ratio(x, v.den) for [x] in v.columns()])


def largest(prior: Matrix) -> Any:
    """max_i π_i, times the prior's denominator."""
    values = list(prior.rows[0].values())
    most = values[0]
    for x in values:
        most = max(most, x)
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
    # Theorem: utility_le (TightConstraints.v), utility_ZP (Checker/BoundsCheck.v).
    equals(total, c.claim["value"], "Σ y")
    return (
        f"No private mechanism for {phi.title} has a utility (binary gain, best remap) "
        f"above {show(c.claim['value'].scalar())} for the prior ({entries(prior)})."
    )


def leakage(c: Case) -> str:
    """leakage: Σ_o max_i π_i x_io / max_i π_i, computed. leakage-bound: Σ y / max π with π = y·Φ;
    for all priors, Σ z with Φ·z = 1, since Σ_o max_i π_i x_io ≤ max π · Σ_o max_i x_io, and Σ_o
    max_i x_io is n times what the uniform prior gives.
    """
    # Theorem: leakage_le, capacity_le, leakage_any_prior (TightConstraints.v).
    value = c.claim["value"]
    factor = "(multiplicative min-entropy leakage)"
    if c.kind == "leakage":
        m = c.mechanism("mechanism")
        prior = prior_of(c, len(m.inputs))
        leaked = ratio(vulnerability(prior, m.matrix), m.matrix.den * largest(prior))
        equals(leaked, value, "the leakage")
        return (
            f"The {m.title} leaks the factor {show(value.scalar())} "
            f"for the prior ({entries(prior)}) {factor}."
        )
    phi = phi_of(c)
    n = len(phi.rows)
    if "prior" in c.claim:
        prior = prior_of(c, n)
        total = solves(c, phi, "weights", prior)
        above = product(total.numerator, prior.den)
        bound = ratio(above, product(total.denominator, largest(prior)))
        where = f"for the prior ({entries(prior)})"
    else:
        bound = solves(c, phi, "weights", ones(n))
        where = "for any prior"
    equals(bound, value, "the bound")
    return (
        f"No private mechanism for {phi.title} leaks more than "
        f"the factor {show(value.scalar())} {where} {factor}."
    )


def vulnerability(prior: Matrix, m: Matrix) -> Any:
    """Σ_o max_i π_i m_io, over prior.den·m.den."""
    total: Any = 0
    for column in m.columns(len(m.rows), prior.bits):
        most: Any = 0
        for i, x in prior.rows[0].items():
            mass = x * column[i]
            most = max(most, mass)
        total += most
    return total


def on_region(c: Case) -> str:
    """optimal-on-region and not-optimal-on-region."""
    phi = phi_of(c)
    m = c.mechanism("mechanism", phi.near.inputs)
    alpha = c.claim["level"].level()
    check_private(m.matrix, phi.near, alpha, "$.claim.mechanism")
    if c.kind == "optimal-on-region":
        best_on_region(c, phi, m.matrix)
        return (
            f"For every prior that is regular for {phi.title}, no private mechanism "
            f"has more utility (binary gain) than the {m.title}."
        )
    beaten_on_region(c, phi, m.matrix, alpha)
    return (
        f"The {m.title} is private, but for some regular prior of {phi.title} "
        "another private mechanism has more utility (binary gain)."
    )


def best_on_region(c: Case, phi: Phi, m: Matrix) -> None:
    """Φ·diag(M·R) = 1 for a row-stochastic R, so the utility of M·R is Σ y for every π = y·Φ, and
    no private mechanism has more if y ≥ 0.
    """
    # Theorem: optimal_on_region (TightConstraints.v), best_on_regionP (Checker/BoundsCheck.v).
    n = len(phi.rows)
    R = stochastic(c.witness["remap"].matrix(m.width, n), "$.witness.remap")
    diagonal = dict[int, int]()
    for i, row in enumerate(m.rows):
        x = dot(list(row.values()), [R.rows[o].get(i, 0) for o, _ in row.items()])
        if x != 0:
            diagonal[i] = x
    v = Matrix(n, m.den * R.den, [diagonal])
    expected = phi.scale * v.den
    for i, x in enumerate(spread(phi, list(range(n)), v)):
        if x != expected:
            rule = f"(Φ·diag(M·R))_i = 1 at i = {i}"
            require(False, rule, "$.witness.remap", ratio(x, expected), 1)


def beaten_on_region(c: Case, phi: Phi, m: Matrix, alpha: Fraction) -> None:
    """Y ≥ 0 and a private X with Σ_i π_i x_ii > Σ_o max_i π_i m_io for π = y·Φ (whose scale does
    not matter).
    """
    # Theorem: beatenP (Checker/BoundsCheck.v).
    n = len(phi.rows)
    cells, y = vector(c, "weights", n)
    non_negative(y, c.witness["weights"].path)
    masses = spread(phi, cells, y)
    prior = Matrix(n, 1, [{i: x for i, x in enumerate(masses) if x != 0}])
    path = "$.witness.better"
    X = stochastic(c.witness["better"].matrix(n, n), path)
    check_private(X, phi.near, alpha, path)
    listed = prior.rows[0]
    more = dot(list(listed.values()), [X.rows[i].get(i, 0) for i in listed])
    less = vulnerability(prior, m)
    one = product(phi.scale, y.den)
    left, right = ratio(more, X.den * one), ratio(less, m.den * one)
    better = product(more, m.den) > product(less, X.den)
    require(better, "Σ_i π_i x_ii > Σ_o max_i π_i m_io", path, left, right)


AT = "neighbours level"
CLAIMS: Claims = {
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
