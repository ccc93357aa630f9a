# SPDX-License-Identifier: MIT
"""Trusted: a mechanism is best for a loss under every prior, or none is (SPEC §4.14).

Theorems stand in proofs/coq/Checker, if no other folder is named.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from exactdp.checker.arithmetic import (
    dot,
    lowest,
    powers_of,
    product,
    ratio,
    scaled,
    sum_of_ratios,
    whole,
)
from exactdp.checker.claims import Claims
from exactdp.checker.cones import corner, crosses_once, crossing, cut, first_cone, scores_at
from exactdp.checker.graphs import hops
from exactdp.checker.limits import demand, require, show
from exactdp.checker.matrices import Geometric, Matrix, stochastic
from exactdp.checker.privacy_types import TYPE, graph_of, type_of
from exactdp.checker.rays import Number, Vector, rays
from exactdp.checker.reader import Node, quoted
from exactdp.checker.rules import (
    Case,
    Consumer,
    Definition,
    check_private,
    check_product,
    loss_of,
    remap_rule,
    same_labels,
)


# ── Bounds for all mechanisms of a type ─────────────────────────────────────────────────────────
def losses_at(columns: list[list[int]], prior: list[int], v: Vector) -> list[Number]:
    """Σ_x π_x l(x,g) v_x for each guess g, over the denominator loss.den · prior.den."""
    mass = [product(w, x) for w, x in zip(prior, v, strict=True)]
    return [dot(costs, mass) for costs in columns]


def bound(
    vectors: list[list[Number]], loss: Matrix, priors: list[Matrix], y: Matrix, path: str
) -> Any:
    """If Σ_k min_g Σ_x π_kx l(x,g) v_x ≥ Σ_x y_x v_x for every extreme ray v, then every mechanism
    of the type has Σ_k (least loss under π_k) ≥ Σ y, because its columns are sums of rays, and
    the least of a sum is at least the sum of the least.
    """
    # Theorem: cone_bound (RayList.v), type_boundP (TypeBound.v).
    # Everything over loss.den times the product of the priors' denominators; factors are what lifts
    # each prior to that.
    dens = [prior.den for prior in priors]
    den = product(1, *dens)
    factors = [product(1, *dens[:k], *dens[k + 1 :]) for k in range(len(dens))]
    unit = product(den, loss.den)
    columns = [list(costs) for costs in loss.columns()]
    dense = [prior.entries() for prior in priors]
    potentials = y.entries()
    for v in vectors:
        right = product(dot(potentials, v), unit)
        sums = [losses_at(columns, prior, v) for prior in dense]
        if len(sums) == 1:
            # Each guess by itself: over an interval the best one may change.
            lifted = scaled(sums[0], y.den)
            total = lifted[0]
            holds = all(x >= right for x in lifted)
        else:
            least = [product(f, lowest(x)) for f, x in zip(factors, sums, strict=True)]
            total = product(sum(least, 0), y.den)
            holds = total >= right
        rule = "Σ_k min_g Σ_x π_kx l(x,g) v_x ≥ Σ_x y_x v_x at every ray v"
        require(holds, rule, path, total, right)
    return ratio(sum(y.rows[0].values()), y.den)


def prior_of(node: Node, n: int) -> Matrix:
    """A prior up to scale: entries ≥ 0, not all zero."""
    result = node.vector(n)
    entries = list(result.rows[0].values())
    positive = entries != [] and all(x > 0 for x in entries)
    require(positive, "a prior ≥ 0, not zero", node.path, entries, 0)
    return result


def attained(node: Node, loss: Matrix, prior: Matrix, near: Definition, alpha: Fraction) -> Any:
    """The loss of an α-private mechanism whose outputs are guesses."""
    X = stochastic(node.matrix(len(near.inputs), loss.width), node.path)
    check_private(X, near, alpha, node.path)
    consumer = Consumer("", (), loss, sorted(prior.rows[0]), prior)
    return loss_of(consumer, X.columns(), X.den)


def loss_for(c: Case, near: Definition) -> Definition:
    """The claim's loss, over the inputs of the neighbours."""
    loss = c.named(c.claim["loss"], "loss")
    same_labels("input", loss.inputs, near.inputs, "$.claim.loss")
    return loss


# ── No mechanism is best, or not this one ───────────────────────────────────────────────────────
def no_universal(c: Case) -> str:
    """By priors that none serves; or zero-one or distance loss, and a cycle or a vertex of large
    degree.
    """
    near, alpha, title = type_of(c)
    loss = loss_for(c, near)
    options = {
        "priors": "priors potentials mechanisms",
        "cycle": "inputs",
        "star": "input neighbours",
    }
    rule, f = c.witness["by"].variant("rule", options)
    if rule == "priors":
        unserved_priors(f, loss.matrix, near, alpha)
        why = "none is optimal (after a remap) for every prior"
    else:
        why = obstacle(rule, f, loss.matrix, near, alpha)
    return (
        f"No mechanism of the type of {title} is universally optimal for the loss {loss.title}: "
        f"{why}."
    )


def unserved_priors(f: dict[str, Node], loss: Matrix, near: Definition, alpha: Fraction) -> None:
    """Priors π_k: mechanisms X_k whose losses under π_k sum to less than any single mechanism's
    must.
    """
    # Theorem: unservedP (OptimalityCheck.v).
    n, path = len(near.inputs), f["potentials"].path
    priors, shown = [prior_of(node, n) for node in f["priors"].items()], f["mechanisms"].items()
    demand(0 < len(priors) == len(shown), f["priors"].path, "a mechanism for each prior")
    vectors = rays(near, alpha, "$.claim.neighbours")
    least = bound(vectors, loss, priors, f["potentials"].vector(n), path)
    losses = [
        attained(node, loss, prior, near, alpha) for node, prior in zip(shown, priors, strict=True)
    ]
    total = sum_of_ratios(losses)
    require(least > total, "Σ y > Σ_k (loss of X_k under π_k)", path, least, total)


def is_zero_one(loss: Matrix) -> bool:
    """Whether the loss is 0 for the guess of the same number as the input and 1 for others."""
    if loss.width != len(loss.rows):
        return False
    for i, row in enumerate(loss.full(1)):
        for g, cost in enumerate(row):
            if cost != (loss.den if g != i else 0):
                return False
    return True


def is_distance(loss: Matrix, pairs: list[tuple[int, int]]) -> bool:
    """Whether the loss is the distance from the input to the guess."""
    n = len(loss.rows)
    if loss.width != n:
        return False
    for row, away in zip(loss.full(1), hops(pairs, n), strict=True):
        if any(cost != loss.den * d for cost, d in zip(row, away, strict=True)):
            return False
    return True


def obstacle(rule: str, f: dict[str, Node], loss: Matrix, near: Definition, alpha: Fraction) -> str:
    """A cycle; or d neighbours of an input: (d − 1)·α > 1 for the loss [x ≠ g], d ≥ 3 for the
    distance.
    """
    # Theorem: zero_one_acyclic, zero_one_degree (proofs/coq/Impossibility.v), distance_acyclic,
    # distance_degree (proofs/coq/ImpossibilityDistance.v), obstacleP (OptimalOnGraph.v).
    n, pairs = len(near.inputs), graph_of(near, "$.claim.neighbours")
    zero_one = is_zero_one(loss)
    known = zero_one or is_distance(loss, pairs)
    what = "the loss is [x ≠ g], or the distance d(x, g)"
    require(known, what, "$.claim.loss", "another loss", "one of these")
    joined = {*pairs, *((j, i) for i, j in pairs)}
    nodes = f["inputs" if rule == "cycle" else "neighbours"]
    listed = [node.index(n) for node in nodes.items()]
    demand(len(set(listed)) == len(listed), f["rule"].path, "the listed inputs must differ")

    if rule == "cycle":
        steps = zip(listed, [*listed[1:], *listed[:1]], strict=True)
        closed = len(listed) > 2 and all(step in joined for step in steps)
        right = "three or more, each adjacent to the next"
        require(closed, "the inputs form a cycle", nodes.path, listed, right)
        shown = [quoted(near.inputs[i]) for i in listed[:24]]
        if len(listed) > 24:
            shown.append("…")
        return f"the graph has the cycle {' – '.join(shown)}"

    centre, d = f["input"].index(n), len(listed)
    around = all((centre, i) in joined for i in listed)
    require(around, "the inputs are neighbours", nodes.path, listed, centre)
    if zero_one:
        many = (d - 1) * alpha.numerator > alpha.denominator
        what = "(number of neighbours − 1)·α > 1"
        require(many, what, nodes.path, (d, show(alpha)), 1)
    else:
        require(d >= 3, "three neighbours", nodes.path, d, 3)
    return f"the input {quoted(near.inputs[centre])} has {d} neighbours or more"


def not_universally_optimal(c: Case) -> str:
    """A prior under which another mechanism of the type has less loss than all remaps of this."""
    # Theorem: is_betterP (OptimalityCheck.v).
    near, alpha, _ = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    loss = loss_for(c, near)
    check_private(m.matrix, near, alpha, "$.claim.mechanism")
    prior = prior_of(c.witness["prior"], len(near.inputs))
    best, _ = remap_rule(loss.matrix, m.matrix, prior)
    other = attained(c.witness["better"], loss.matrix, prior, near, alpha)
    rule = "the other's loss < Σ_y min_g Σ_x π_x l(x,g) M_xy"
    require(other < best, rule, "$.witness.better", other, best)
    return (
        f"The {m.title} is (α = {show(alpha)})-private on {near.title}, "
        f"and not universally optimal for the loss {loss.title}."
    )


# ── This mechanism is best ──────────────────────────────────────────────────────────────────────
def universally_optimal(c: Case) -> str:
    """By the rule whose data are given: path, tree or kinks."""
    near, alpha, title = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    loss = loss_for(c, near)
    check_private(m.matrix, near, alpha, "$.claim.mechanism")
    options = {"path": "inputs guesses remap", "tree": "remap", "kinks": "priors potentials"}
    rule, f = c.witness["by"].variant("rule", options)
    arguments = {"path": path_argument, "tree": tree_argument, "kinks": kink_argument}
    arguments[rule](f, m.matrix, loss.matrix, near, alpha)
    return (
        f"The {m.title} is universally optimal for the loss {loss.title} in the type of {title}: "
        "best (after a remap) for every prior."
    )


def path_argument(
    f: dict[str, Node], m: Matrix, loss: Matrix, near: Definition, alpha: Fraction
) -> None:
    """On inputs x_0, …, x_k, each constrained to the next at distance 1, the loss crosses once;
    elsewhere it is constant; and G(k, α) is derivable from M on those inputs. There every
    mechanism is private on the path, where G(k, α) is best for every prior.
    """
    # Theorem: path_optimal, path_argumentP (OptimalOnPath.v).
    n, path = len(near.inputs), f["inputs"].path
    inputs = [node.index(n) for node in f["inputs"].items()]
    demand(len(inputs) == len(set(inputs)) > 0, path, "distinct inputs, one or more")
    at_one = [(i, j) for i, j, square in near.pairs if square == 1]
    constrained = {*at_one, *((j, i) for i, j in at_one)}
    for step in pairwise(inputs):
        rule = "consecutive inputs are constrained at distance 1"
        require(step in constrained, rule, path, step, "a pair at distance 1")
    guesses = [node.index(loss.width) for node in f["guesses"].items(loss.width)]
    demand(len(set(guesses)) == loss.width, f["guesses"].path, "every guess once")

    table = [[row[g] for g in guesses] for row in loss.full(1)]
    for x in set(range(n)) - set(inputs):
        constant = all(t == table[x][0] for t in table[x])
        rule = "the loss is constant at the other inputs"
        require(constant, rule, path, table[x], "equal numbers")
    for r, s in combinations(range(loss.width), 2):
        crossed = crosses_once([table[x] for x in inputs], r, s)
        rule = "the loss crosses once, in the order given"
        pair = guesses[r], guesses[s]
        require(crossed, rule, f["guesses"].path, pair, "a single crossing")
    on_path = Matrix(m.width, m.den, [m.rows[x] for x in inputs])
    check_product(on_path, f["remap"], Geometric(len(inputs) - 1, alpha))


def tree_argument(
    f: dict[str, Node], m: Matrix, loss: Matrix, near: Definition, alpha: Fraction
) -> None:
    """On a tree, zero-one loss: T = Φ·diag(z), Φ_iv = α^d(i,v), z_v = (1 − (deg v − 1)α)/(1+α) ≥
    0, is best for every prior λ (SPEC); it must be derivable from M.
    """
    # Theorem: tree_universally_optimal (proofs/coq/TreeMechanism.v), tree_argumentP
    # (OptimalOnGraph.v).
    n, p, q = len(near.inputs), alpha.numerator, alpha.denominator
    path = "$.claim.neighbours"
    pairs = graph_of(near, path)
    require(len(pairs) == n - 1, "the neighbours are a tree", path, near.title, "a tree")
    rule = "the loss is 0 for the right guess and 1 for others"
    require(is_zero_one(loss), rule, "$.claim.loss", "another loss", "[x ≠ g]")
    degrees = [0] * n
    for i, j in pairs:
        degrees[i] += 1
        degrees[j] += 1

    # z, times p + q; and T, over q^n·(p + q).
    z = [q - (degree - 1) * p for degree in degrees]
    for v, x in enumerate(z):
        rule = f"(deg − 1)·α ≤ 1 at input {v}"
        require(x >= 0, rule, path, (degrees[v], show(alpha)), 1)
    power_at = powers_of(p, q, n)
    rows = list[dict[int, int]]()
    for away in hops(pairs, n):
        row = [product(power_at[d], x) for d, x in zip(away, z, strict=True)]
        rows.append(dict(enumerate(row)))
    T = Matrix(n, q**n * (p + q), rows)
    check_product(m, f["remap"], stochastic(T, path))


# ── The kinks of a mechanism ────────────────────────────────────────────────────────────────────
def kink_argument(
    f: dict[str, Node], m: Matrix, loss: Matrix, near: Definition, alpha: Fraction
) -> None:
    """The priors are cut into cones, each spanned by n of them, in which the least loss of M is
    linear; another mechanism's is concave. So M is best for every prior if it is for those that
    span a cone; for each of them the witness has potentials.
    """
    # Theorem: cover_best, is_settledP, kink_argumentP (Kinks.v).
    n, path = len(near.inputs), f["priors"].path
    numbers = [x for of in (m, loss) for row in of.rows for x in row.values()]
    rational = whole(alpha.numerator, alpha.denominator, m.den, loss.den, *numbers)
    demand(rational, path, "this rule needs rational numbers")
    vectors = rays(near, alpha, "$.claim.neighbours")

    # The kinks that are listed, with their potentials.
    listed = dict[str, tuple[Matrix, Node]]()
    nodes = f["priors"].items()
    for node, y in zip(nodes, f["potentials"].items(len(nodes)), strict=True):
        prior = prior_of(node, n)
        demand(whole(*prior.rows[0].values()), node.path, "this rule needs rational numbers")
        name, _ = corner(prior.entries())
        demand(name not in listed, node.path, "must be listed once")
        listed[name] = prior, y

    # Cones are cut until the least loss is linear in each.
    columns = [list(x) for x in m.columns() if any(x)]
    costs = [list(x) for x in loss.columns()]
    scores = dict[str, list[list[int]]]()  # Σ_x π_x l(x,g) M_xy by output and guess
    cones = [first_cone(n)]
    while cones:
        cone = cones.pop()
        for name, point in cone:
            if name not in scores:
                require(name in listed, "every kink is listed", path, point, "a listed prior")
                scores[name] = scores_at(point, columns, costs)
        by_corner = [scores[name] for name, _ in cone]
        signs = crossing([[of[y] for of in by_corner] for y in range(len(columns))])
        if signs:
            cones += cut(cone, signs)

    for prior, node in listed.values():
        least, _ = remap_rule(loss, m, prior)
        value = bound(vectors, loss, [prior], node.vector(n), node.path)
        require(value >= least, "Σ y ≥ the least loss of M", node.path, value, least)


CLAIMS: Claims = {
    "universally-optimal": (universally_optimal, f"{TYPE} loss mechanism", "by"),
    "not-universally-optimal": (
        not_universally_optimal,
        f"{TYPE} loss mechanism",
        "prior better",
    ),
    "no-universally-optimal": (no_universal, f"{TYPE} loss", "by"),
}
