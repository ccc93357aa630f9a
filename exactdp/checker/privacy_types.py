# SPDX-License-Identifier: MIT
"""Trusted: all mechanisms of a privacy type: vertices, kernel mechanisms, capacities (SPEC §4.14).

A *kernel mechanism* of a type (nothing to do with the file kernel.py): its posteriors under the
uniform prior are linearly independent vertices of the posterior polytope. Theorems stand in
proofs/coq/Checker, if no other folder is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from exactdp.checker.arithmetic import dot, grid, lowest, powers_of, product, ratio
from exactdp.checker.claims import Claims, separate
from exactdp.checker.graphs import components, hops
from exactdp.checker.limits import demand, require, show
from exactdp.checker.matrices import Matrix, ones, stochastic
from exactdp.checker.optimality import dual_rule
from exactdp.checker.powers import powers
from exactdp.checker.rays import (
    Number,
    Vector,
    heights,
    independent,
    nonzero,
    other_columns,
    rays,
    reduced,
    same_columns,
    some_unmatched,
    supports,
)
from exactdp.checker.reader import Node
from exactdp.checker.rules import (
    Case,
    Consumer,
    Definition,
    check_private,
    check_product,
    equals,
    same_labels,
)


def type_of(c: Case) -> tuple[Definition, Fraction, str]:
    """The claim's neighbours and level, and their description."""
    near = c.named(c.claim["neighbours"], "neighbours")
    alpha = c.claim["level"].level()
    return near, alpha, f"{near.title} at level α = {show(alpha)}"


# ── Counts ──────────────────────────────────────────────────────────────────────────────────────
def counts(c: Case) -> str:
    """Vertices and kernel-count."""
    # Theorem: vertex_countP, kernel_countP (VerticesCheck.v).
    near, alpha, title = type_of(c)
    if c.kind == "vertices":
        _, found = heights(near)
        number = len(found)
    else:
        vectors = rays(near, alpha, c.claim["neighbours"].path)
        number = sum(1 for _ in supports(vectors))
    stated = c.claim["count"].index()
    rule = "the number counted = $.claim.count"
    require(number == stated, rule, "$.claim.count", number, stated)
    if c.kind == "vertices":
        noun = "vertex" if number == 1 else "vertices"
        return f"The posterior polytope of {title} has exactly {number} {noun}."
    noun = "kernel mechanism" if number == 1 else "kernel mechanisms"
    return (
        f"Up to equal hyper-distributions, the privacy type of {title} has exactly {number} {noun}."
    )


# ── Kernel mechanisms ───────────────────────────────────────────────────────────────────────────
def columns_of(m: Definition) -> list[Vector]:
    """The hyper-distribution of a mechanism under the uniform prior, up to scale."""
    return reduced(m.matrix.scaled_columns(1))


def kernel_fault(
    m: Definition, near: Definition, alpha: Fraction, path: str, sure: bool = False
) -> str | None:
    """Why an α-private mechanism is no kernel mechanism of the type, or None. Over an interval a
    pair is tight if it is at every level; if there has to be a fault, `sure`, it must be
    everywhere or nowhere.
    """
    # Theorem: is_vertexP, not_vertexP, is_kernelP, not_kernelP (KernelMechanisms.v), levelsP,
    # vertex_ray (VertexRays.v).
    check_private(m.matrix, near, alpha, path)
    columns = columns_of(m)
    power_at = powers(alpha, near.squares, path)
    for k, x in enumerate(columns):
        # The pairs that are tight at this posterior.
        tight = list[tuple[int, int]]()
        for i, j, square in near.pairs:
            power = power_at[square]
            if x[i] and (equal(x[i], x[j], power, sure) or equal(x[j], x[i], power, sure)):
                tight.append((i, j))
        # Over an interval: at every level, the ends included.
        support = [i for i, t in enumerate(x) if nonzero(t)]
        if support not in components(tight, len(x)):
            return f"posterior {k} is not a vertex"
    if independent(columns):
        return None
    return "its posteriors are linearly dependent"


def equal(x: Number, y: Number, power: Any, sure: bool) -> bool:
    """Whether x = power·y: everywhere rather than nowhere, if `sure`; else everywhere or not."""
    left, right = product(x, power.denominator), product(y, power.numerator)
    if sure:
        return bool(left == right)
    return not left - right


def kernel_mechanism(c: Case) -> str:
    """kernel-mechanism and not-kernel-mechanism."""
    near, alpha, title = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    path = "$.claim.mechanism"
    fault = kernel_fault(m, near, alpha, path, sure=c.kind == "not-kernel-mechanism")
    if c.kind == "kernel-mechanism":
        rule = "the posteriors are linearly independent vertices"
        require(fault is None, rule, path, fault, "no fault")
        return f"The {m.title} is a kernel mechanism of {title}."
    rule = "a posterior is no vertex, or they are dependent"
    require(fault is not None, rule, path, "none of these", "one of these")
    return (
        f"The {m.title} is (α = {show(alpha)})-private on {near.title} and no kernel mechanism: "
        f"{fault}."
    )


# ── Mixtures of kernel mechanisms ───────────────────────────────────────────────────────────────
Parts = Sequence[tuple[Definition, Fraction]]
"""Kernel mechanisms with their weights."""


def mixture(
    c: Case, node: Node, near: Definition, alpha: Fraction
) -> tuple[list[Vector], Number, Parts]:
    """The columns of Σ weight·kernel over one denominator: different kernel mechanisms, weights of
    sum 1.
    """
    # Theorem: is_mixtureP, choiceP (Mixtures.v).
    parts = list[tuple[Definition, Fraction]]()
    for item in node.items():
        f = item.fields("kernel weight")
        path = f["kernel"].path
        m, weight = c.named(f["kernel"], "mechanism"), f["weight"].scalar()
        same_labels("input", m.inputs, near.inputs, path)
        fault = kernel_fault(m, near, alpha, path)
        require(fault is None, "each part is a kernel mechanism", path, fault, "no fault")
        require(weight > 0, "weights are positive", f["weight"].path, weight, 0)
        for known, _ in parts:
            require(other_kernel(m, known), "the parts differ", path, m.title, known.title)
        parts.append((m, weight))
    demand(parts != [], node.path, "one part or more")

    # Over the product of all denominators.
    dens = [product(weight.denominator, m.matrix.den) for m, weight in parts]
    den = product(1, *dens)
    columns, total = list[Vector](), 0
    for k, (m, weight) in enumerate(parts):
        others = [other for place, other in enumerate(dens) if place != k]
        factor = product(weight.numerator, *others)
        total = total + product(factor, m.matrix.den)
        columns += m.matrix.scaled_columns(factor)
    require(total == den, "the weights sum to 1", node.path, ratio(total, den), 1)
    return columns, den, parts


def other_kernel(a: Definition, b: Definition) -> bool:
    """Whether two mechanisms have different hyper-distributions."""
    # Theorem: same_mass_hyper (proofs/coq/Hyper.v).
    return other_columns(columns_of(a), a.matrix.den, columns_of(b), b.matrix.den)


def other_mixture(parts: Parts, others: Parts) -> bool:
    """Whether a part of one is none of the other."""

    # Theorem: other_sumP (Mixtures.v).
    def other(x: tuple[Definition, Fraction], y: tuple[Definition, Fraction]) -> bool:
        (a, u), (b, v) = x, y
        return u != v or other_kernel(a, b)

    return len(parts) != len(others) or some_unmatched(parts, others, other)


def listed(parts: Parts) -> str:
    """A mixture in a sentence."""
    shown = [f"{show(weight)} · {m.title}" for m, weight in parts[:24]]
    if len(parts) > 24:
        shown.append("…")
    return " + ".join(shown)


def mixtures(c: Case) -> str:
    """The mechanism has the hyper-distribution of several different convex sums of kernel
    mechanisms.
    """
    near, alpha, title = type_of(c)
    m, nodes = c.mechanism("mechanism", near.inputs), c.claim["mixtures"].items()
    mine, seen = columns_of(m), list[Parts]()
    for node in nodes:
        columns, den, parts = mixture(c, node, near, alpha)
        same = same_columns(reduced(columns), den, mine, m.matrix.den)
        rule = "the mixture has the mechanism's hyper-distribution"
        require(same, rule, node.path, len(columns), len(mine))
        for others in seen:
            found, known = [a.title for a, _ in parts], [b.title for b, _ in others]
            differ = other_mixture(parts, others)
            require(differ, "the mixtures differ", node.path, found, known)
        seen.append(parts)
    demand(nodes != [], "$.claim.mixtures", "one mixture or more")
    ways = "a convex sum"
    if len(nodes) > 1:
        ways = f"{len(nodes)} different convex sums"
    sums = "; ".join(map(listed, seen[:24]))
    if len(seen) > 24:
        sums += "; …"
    return (
        f"The {m.title} has the same hyper-distribution as {ways} of kernel mechanisms of {title}: "
        f"{sums}."
    )


def refines_mixture(c: Case) -> str:
    """M = (Σ weight·kernel)·R: M refines the claim's convex sum of kernel mechanisms."""
    near, alpha, title = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    columns, den, parts = mixture(c, c.claim["mixture"], near, alpha)
    rows = list[dict[int, Number]]()
    for row in zip(*columns, strict=True):
        rows.append({y: x for y, x in enumerate(row) if nonzero(x)})
    check_product(Matrix(len(columns), den, rows), c.witness["remap"], m.matrix)
    return (
        f"The {m.title} is derivable from a convex sum of kernel mechanisms of {title}: "
        f"{listed(parts)}."
    )


# ── Graphs and capacities ───────────────────────────────────────────────────────────────────────
def graph_of(near: Definition, path: str) -> list[tuple[int, int]]:
    """The edges of a connected graph: all distances that are constrained are 1."""
    pairs = [(i, j) for i, j, square in near.pairs if square == 1]
    connected = len(pairs) == len(near.pairs) and len(components(pairs, len(near.inputs))) == 1
    right = "distances 1, and a path between every two inputs"
    require(connected, "the neighbours are a connected graph", path, near.title, right)
    return pairs


CAPACITIES = ("multiplicative", "additive")


def capacity_of(m: Matrix, kind: str) -> Any:
    """Σ_y max_x M_xy, or 1 − Σ_y min_x M_xy."""
    # Theorem: has_capacityP (Capacity.v).
    if kind == "multiplicative":
        total: Number = 0
        for column in m.columns():
            total = total - lowest([-x for x in column])
        return ratio(total, m.den)
    total = m.den
    for column in m.columns():
        total = total - lowest(column)
    return ratio(total, m.den)


def capacities(c: Case) -> str:
    """capacity, of one mechanism; and type-capacity, the largest in the type."""
    kind, value = c.claim["capacity"].of(str), c.claim["value"]
    rule = f"must be one of {', '.join(CAPACITIES)}"
    demand(kind in CAPACITIES, "$.claim.capacity", rule)
    if c.kind == "capacity":
        m = c.mechanism("mechanism")
        equals(capacity_of(m.matrix, kind), value, f"the {kind} capacity")
        return f"The {kind} capacity of the {m.title} is {show(value.scalar())}."
    near, alpha, title = type_of(c)
    options = {"weights": "weights", "dual": "mechanism dual"}
    rule, f = c.witness["by"].variant("rule", options)
    if rule == "weights":
        found = weighed_capacity(f["weights"], kind, near, alpha)
        equals(found, value, "the sum of the weights (additive: 1 minus it)")
    else:
        bounded_capacity(f, kind, value, near, alpha)
    return f"The largest {kind} capacity in the type of {title} is {show(value.scalar())}."


def weighed_capacity(node: Node, kind: str, near: Definition, alpha: Fraction) -> Any:
    """On a graph, weights z ≥ 0 with Σ_y z_y α^d(x,y) = 1 for every x (additive: α^−d(x,y)): M_xy
    = z_y α^±d(x,y) is a mechanism of the type with this capacity, and Σ_x z_x M_xy is at least
    max_x M_xy (additive: at most min_x M_xy) in every mechanism of the type.
    """
    # Theorem: weighsP (Capacity.v), weighted_multiplicative, weighted_additive
    # (proofs/coq/Capacities.v).
    n = len(near.inputs)
    z, away = node.vector(n), hops(graph_of(near, "$.claim.neighbours"), n)
    positive = all(x > 0 for x in z.rows[0].values())
    require(positive, "weights ≥ 0", node.path, "a negative one", 0)
    p, q = alpha.numerator, alpha.denominator
    if kind == "additive":
        p, q = q, p
    most = max(map(max, away))
    power_at = powers_of(p, q, most)
    one = product(z.den, q**most)
    weights = list(z.rows[0].values())
    for x, row in enumerate(away):
        total = dot(weights, [power_at[row[y]] for y in z.rows[0]])
        rule = f"Σ_y z_y α^±d({x},y) = 1"
        require(total == one, rule, node.path, ratio(total, one), 1)
    total = sum(weights, 0)
    if kind == "multiplicative":
        return ratio(total, z.den)
    return ratio(z.den - total, z.den)


def bounded_capacity(
    f: dict[str, Node], kind: str, claimed: Node, near: Definition, alpha: Fraction
) -> None:
    """A mechanism with this capacity, and a dual that shows that none has more."""
    # Theorem: capacity_boundP (Capacity.v), with theorem25 (proofs/coq/Merging.v), pair_duality
    # (PairDuality.v).
    n, path = len(near.inputs), f["mechanism"].path
    X = stochastic(f["mechanism"].matrix(n, n), path)
    check_private(X, near, alpha, path)
    equals(capacity_of(X, kind), claimed, "the capacity of the witness")

    # An output is guessed as its most likely input; additive: as its least likely one, and guess g
    # is input n − 1 − g, so that it may cross once. So n·loss = n − Σ_y max_x M_xy, or
    # Σ_y min_x M_xy.
    rows = list[dict[int, int]]()
    for x, row in enumerate(grid(n, n, 1)):
        if kind == "multiplicative":
            rows.append({g: one for g, one in enumerate(row) if g != x})
        else:
            rows.append({n - 1 - x: 1})
    uniform = Matrix(n, n, ones(n).rows)
    consumer = Consumer("", near.inputs, Matrix(n, 1, rows), list(range(n)), uniform)
    least, _ = dual_rule(f["dual"], consumer, near, alpha)
    if kind == "multiplicative":
        top = ratio(n * (least.denominator - least.numerator), least.denominator)
    else:
        top = ratio(least.denominator - n * least.numerator, least.denominator)
    stated = claimed.scalar()
    require(top == stated, "the bound of the dual = $.claim.value", f["dual"].path, top, stated)


# ── The refinement order ────────────────────────────────────────────────────────────────────────
def order(c: Case) -> str:
    """refinement-order: which of several mechanisms are refined by which others."""
    # Theorem: decides_orderP (TypesCheck.v).
    names = c.claim["mechanisms"].items()
    mechanisms = [c.named(node, "mechanism") for node in names]
    for m in mechanisms:
        same_labels("input", m.inputs, mechanisms[0].inputs, "$.claim.mechanisms")
    k = len(mechanisms)
    several = k > 1 and len({node.of(str) for node in names}) == k
    demand(several, "$.claim.mechanisms", "two different names or more")

    # The pairs [i, j]: i is refined by j. All others are not.
    refined = [tuple(x.index(k) for x in node.items(2)) for node in c.claim["pairs"].items()]
    in_order = all(a < b for a, b in pairwise(refined)) and all(i != j for i, j in refined)
    demand(in_order, "$.claim.pairs", "pairs [i, j], i ≠ j, in order")
    others = grid(k, k, True)
    for i, j in refined:
        others[i][j] = False
    rest = [(i, j) for i, row in enumerate(others) for j, x in enumerate(row) if x and i != j]
    for (i, j), node in zip(refined, c.witness["remaps"].items(len(refined)), strict=True):
        check_product(mechanisms[i].matrix, node, mechanisms[j].matrix)
    for (i, j), node in zip(rest, c.witness["separators"].items(len(rest)), strict=True):
        separate(mechanisms[i], mechanisms[j], node)
    titles = show([m.title for m in mechanisms])
    shown = show([f"{mechanisms[i].title} ⊑ {mechanisms[j].title}" for i, j in refined])
    if not refined:
        shown = "none is refined by another"
    return f"Among these: {titles}; the refinements are exactly: {shown}."


TYPE = "neighbours level"
CLAIMS: Claims = {
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
