# SPDX-License-Identifier: MIT
"""Trusted: a mechanism is best for a loss under every prior, or none is, or not this one (SPEC §4.14)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd
from typing import Any

from exactdp.checker.limits import charge, demand, require, show
from exactdp.checker.matrices import Geometric, Matrix, lowest, ratio, stochastic, whole

# loaded before (BESIDE)
from exactdp.checker.privacy_types import TYPE, Number, Vector, graph_of, rays, type_of
from exactdp.checker.reader import Node, quoted
from exactdp.checker.rules import (
    Case,
    Consumer,
    Definition,
    check_private,
    check_product,
    loss_of,
    remap_rule,
)
from exactdp.checker.tight import hops


# ── Bounds for all mechanisms of a type ─────────────────────────────────────────────────────────────────────
def losses_at(loss: Matrix, prior: Matrix, v: Vector) -> list[Number]:
    """Σ_x π_x l(x,g) v_x for each guess g, over the denominator loss.den · prior.den."""
    bits = max(x.bit_length() for x in v)
    charge(0, loss.bits + prior.bits + bits, products=2 * loss.width * len(v))
    return [
        sum((w * v[x] * loss.rows[x].get(g, 0) for x, w in prior.rows[0].items()), 0)
        for g in range(loss.width)
    ]


def bound(
    vectors: list[list[Number]], loss: Matrix, priors: list[Matrix], y: Matrix, path: str
) -> Any:
    """If Σ_k min_g Σ_x π_kx l(x,g) v_x ≥ Σ_x y_x v_x for every extreme ray v, then every mechanism
    of the type has Σ_k (least loss under π_k) ≥ Σ y, because its columns are sums of rays, and
    the least of a sum is at least the sum of the least.
    """
    dens = [prior.den for prior in priors]
    charge(
        0, sum(d.bit_length() for d in dens), products=len(dens) ** 2 + 2 * len(dens) * len(vectors)
    )
    bits = (
        y.bits
        + sum(d.bit_length() for d in dens)
        + loss.bits
        + max((x.bit_length() for v in vectors for x in v), default=0)
    )
    charge(len(vectors) * y.width, bits, len(vectors) * (y.width + 4 + 2 * len(dens)))
    factors: list[Number] = [1 for _ in dens]  # den / (den of this prior)
    den: Number = 1
    for k, d in enumerate(dens):
        den = den * d
        factors = [x * d if j != k else x for j, x in enumerate(factors)]
    for v in vectors:
        right = sum((a * v[x] for x, a in y.rows[0].items()), 0) * den * loss.den
        sums = [losses_at(loss, prior, v) for prior in priors]
        if len(sums) == 1:  # each guess by itself: over an interval the best one may change
            total = sums[0][0] * y.den
            holds = all(x * y.den >= right for x in sums[0])
        else:
            total = sum((f * lowest(x) for f, x in zip(factors, sums, strict=True)), 0) * y.den
            holds = total >= right
        require(
            holds, "Σ_k min_g Σ_x π_kx l(x,g) v_x ≥ Σ_x y_x v_x at every ray v", path, total, right
        )
    return ratio(sum(y.rows[0].values()), y.den)


def prior_of(node: Node, n: int) -> Matrix:
    """A prior up to scale: entries ≥ 0, not all zero."""
    result = node.vector(n)
    entries = list(result.rows[0].values())
    require(
        entries != [] and all(x > 0 for x in entries),
        "a prior ≥ 0, not zero",
        node.path,
        entries,
        0,
    )
    return result


def attained(node: Node, loss: Matrix, prior: Matrix, near: Definition, alpha: Fraction) -> Any:
    """The loss of an α-private mechanism whose outputs are guesses."""
    X = stochastic(node.matrix(len(near.inputs), loss.width), node.path)
    check_private(X, near, alpha, node.path)
    return loss_of(Consumer("", (), loss, sorted(prior.rows[0]), prior), X.columns(), X.den)


def no_universal(c: Case) -> str:
    """By priors that none serves; or zero-one or distance loss, and a cycle or a vertex of large
    degree.
    """
    near, alpha, title = type_of(c)
    loss = c.named(c.claim["loss"], "loss")
    require(
        loss.inputs == near.inputs,
        "the input labels agree",
        "$.claim.loss",
        loss.inputs,
        near.inputs,
    )
    rule, f = c.witness["by"].variant(
        "rule",
        {"priors": "priors potentials mechanisms", "cycle": "inputs", "star": "input neighbours"},
    )
    if rule == "priors":
        unserved_priors(f, loss.matrix, near, alpha)
        why = "none is optimal (after a remap) for every prior"
    else:
        why = obstacle(rule, f, loss.matrix, near, alpha)
    return f"No mechanism of the type of {title} is universally optimal for the loss {loss.title}: {why}."


def unserved_priors(f: dict[str, Node], loss: Matrix, near: Definition, alpha: Fraction) -> None:
    """Priors π_k: mechanisms X_k whose losses under π_k sum to less than any single mechanism's
    must.
    """
    n = len(near.inputs)
    path = f["potentials"].path
    priors = [prior_of(node, n) for node in f["priors"].items()]
    shown = f["mechanisms"].items()
    demand(0 < len(priors) == len(shown), f["priors"].path, "a mechanism for each prior")
    least = bound(
        rays(near, alpha, "$.claim.neighbours"), loss, priors, f["potentials"].vector(n), path
    )
    total = ratio(0, 1)
    for node, prior in zip(shown, priors, strict=True):
        value = attained(node, loss, prior, near, alpha)
        charge(
            0,
            sum(x.bit_length() for of in (total, value) for x in of.as_integer_ratio()),
            products=3,
        )
        total = ratio(
            total.numerator * value.denominator + value.numerator * total.denominator,
            total.denominator * value.denominator,
        )
    require(least > total, "Σ y > Σ_k (loss of X_k under π_k)", path, least, total)


def is_zero_one(loss: Matrix) -> bool:
    """Whether the loss is 0 for the guess of the same number as the input and 1 for others."""
    charge(loss.width * len(loss.rows), loss.bits)
    return loss.width == len(loss.rows) and all(
        row.get(g, 0) == (loss.den if g != i else 0)
        for i, row in enumerate(loss.rows)
        for g in range(loss.width)
    )


def obstacle(rule: str, f: dict[str, Node], loss: Matrix, near: Definition, alpha: Fraction) -> str:
    """A cycle; or d neighbours of an input: (d − 1)·α > 1 for the loss [x ≠ g], d ≥ 3 for the
    distance.
    """
    n = len(near.inputs)
    pairs = graph_of(near, "$.claim.neighbours")
    zero_one = is_zero_one(loss)
    if not zero_one:
        charge(n * n, loss.bits)
        away = hops(pairs, n)
        as_far = loss.width == n and all(
            row.get(g, 0) == loss.den * away[x][g]
            for x, row in enumerate(loss.rows)
            for g in range(n)
        )
        require(
            as_far,
            "the loss is [x ≠ g], or the distance d(x, g)",
            "$.claim.loss",
            "another loss",
            "one of these",
        )
    joined = {*pairs, *((j, i) for i, j in pairs)}
    listed = [node.index(n) for node in f["inputs" if rule == "cycle" else "neighbours"].items()]
    demand(len(set(listed)) == len(listed), f["rule"].path, "the listed inputs must differ")
    if rule == "cycle":
        closed = len(listed) > 2 and all(
            step in joined for step in zip(listed, [*listed[1:], listed[0]], strict=True)
        )
        require(
            closed,
            "the inputs form a cycle",
            f["inputs"].path,
            listed,
            "three or more, each adjacent to the next",
        )
        shown = [*(quoted(near.inputs[i]) for i in listed[:24]), *["…"] * (len(listed) > 24)]
        return f"the graph has the cycle {' – '.join(shown)}"
    centre = f["input"].index(n)
    d = len(listed)
    require(
        all((centre, i) in joined for i in listed),
        "the inputs are neighbours",
        f["neighbours"].path,
        listed,
        centre,
    )
    if zero_one:
        many = (d - 1) * alpha.numerator > alpha.denominator
        require(many, "(number of neighbours − 1)·α > 1", f["neighbours"].path, (d, show(alpha)), 1)
    else:
        require(d >= 3, "three neighbours", f["neighbours"].path, d, 3)
    return f"the input {quoted(near.inputs[centre])} has {d} neighbours or more"


def not_universally_optimal(c: Case) -> str:
    """A prior under which another mechanism of the type has less loss than any remap of this one."""
    near, alpha, _ = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    loss = c.named(c.claim["loss"], "loss")
    require(
        loss.inputs == near.inputs,
        "the input labels agree",
        "$.claim.loss",
        loss.inputs,
        near.inputs,
    )
    check_private(m.matrix, near, alpha, "$.claim.mechanism")
    prior = prior_of(c.witness["prior"], len(near.inputs))
    best, _ = remap_rule(loss.matrix, m.matrix, prior)
    other = attained(c.witness["better"], loss.matrix, prior, near, alpha)
    require(
        other < best,
        "the other's loss < Σ_y min_g Σ_x π_x l(x,g) M_xy",
        "$.witness.better",
        other,
        best,
    )
    return f"The {m.title} is (α = {show(alpha)})-private on {near.title}, and not universally optimal for the loss {loss.title}."


# ── Universal optimality ────────────────────────────────────────────────────────────────────────────────────
def universally_optimal(c: Case) -> str:
    """By the rule whose data are given: path, tree or kinks."""
    near, alpha, title = type_of(c)
    m = c.mechanism("mechanism", near.inputs)
    loss = c.named(c.claim["loss"], "loss")
    require(
        loss.inputs == near.inputs,
        "the input labels agree",
        "$.claim.loss",
        loss.inputs,
        near.inputs,
    )
    check_private(m.matrix, near, alpha, "$.claim.mechanism")
    rule, f = c.witness["by"].variant(
        "rule", {"path": "inputs guesses remap", "tree": "remap", "kinks": "priors potentials"}
    )
    {"path": path_argument, "tree": tree_argument, "kinks": kink_argument}[rule](
        f, m.matrix, loss.matrix, near, alpha
    )
    return f"The {m.title} is universally optimal for the loss {loss.title} in the type of {title}: best (after a remap) for every prior."


def path_argument(
    f: dict[str, Node], m: Matrix, loss: Matrix, near: Definition, alpha: Fraction
) -> None:
    """On inputs x_0, …, x_k, each constrained to the next at distance 1, the loss crosses once;
    elsewhere it is constant; and G(k, α) is derivable from M on those inputs. There every
    mechanism is private on the path, where G(k, α) is best for every prior.
    """
    inputs = [node.index(len(near.inputs)) for node in f["inputs"].items()]
    n = len(near.inputs)
    path = f["inputs"].path
    demand(len(inputs) == len(set(inputs)) > 0, path, "distinct inputs, one or more")
    constrained = {
        (i, j) for a, b, square in near.pairs if square == 1 for i, j in ((a, b), (b, a))
    }
    for i, j in pairwise(inputs):
        require(
            (i, j) in constrained,
            "consecutive inputs are constrained at distance 1",
            path,
            (i, j),
            "a pair at distance 1",
        )
    guesses = [node.index(loss.width) for node in f["guesses"].items(loss.width)]
    demand(len(set(guesses)) == loss.width, f["guesses"].path, "every guess once")
    charge(loss.width**2 * n, loss.bits)
    table = [[row.get(g, 0) for g in guesses] for row in loss.rows]
    for x in set(range(n)) - set(inputs):
        require(
            all(t == table[x][0] for t in table[x]),
            "the loss is constant at the other inputs",
            path,
            table[x],
            "equal numbers",
        )
    for r, s in combinations(range(loss.width), 2):
        after = [table[x][r] > table[x][s] for x in inputs]
        if True in after:
            first = after.index(True)
        else:
            first = len(inputs)
        crossed = all(table[x][r] >= table[x][s] for x in inputs[first:])
        require(
            crossed,
            "the loss crosses once, in the order given",
            f["guesses"].path,
            (guesses[r], guesses[s]),
            "a single crossing",
        )
    check_product(
        Matrix(m.width, m.den, [m.rows[x] for x in inputs]),
        f["remap"],
        Geometric(len(inputs) - 1, alpha),
    )


def tree_argument(
    f: dict[str, Node], m: Matrix, loss: Matrix, near: Definition, alpha: Fraction
) -> None:
    """On a tree, zero-one loss: T = Φ·diag(z), Φ_iv = α^d(i,v), z_v = (1 − (deg v − 1)α)/(1+α) ≥
    0, is best for every prior λ (SPEC); it must be derivable from M.
    """
    n = len(near.inputs)
    p = alpha.numerator
    q = alpha.denominator
    path = "$.claim.neighbours"
    pairs = graph_of(near, "$.claim.neighbours")
    require(len(pairs) == n - 1, "the neighbours are a tree", path, near.title, "a tree")
    require(
        is_zero_one(loss),
        "the loss is 0 for the right guess and 1 for others",
        "$.claim.loss",
        "another loss",
        "[x ≠ g]",
    )
    away = hops(pairs, n)
    degrees = [sum(v in pair for pair in pairs) for v in range(n)]
    z = [q - (degree - 1) * p for degree in degrees]  # times q/(p + q)·1/q
    for v, x in enumerate(z):
        require(x >= 0, f"(deg − 1)·α ≤ 1 at input {v}", path, (degrees[v], show(alpha)), 1)
    charge(n, n * (p.bit_length() + q.bit_length()), products=2 * n + n * n, held=n * n)
    powers = [p**d * q ** (n - d) for d in range(n + 1)]
    T = Matrix(
        n, q**n * (p + q), [{v: powers[away[v][i]] * z[v] for v in range(n)} for i in range(n)]
    )
    check_product(m, f["remap"], stochastic(T, path))


def kink_argument(
    f: dict[str, Node], m: Matrix, loss: Matrix, near: Definition, alpha: Fraction
) -> None:
    """The priors are cut into cones, each spanned by n of them, in which the least loss of M is
    linear; another mechanism's is concave. So M is best for every prior if it is for those that
    span a cone; for each of them the witness has potentials.
    """
    n = len(near.inputs)
    path = f["priors"].path
    numbers = [
        alpha.numerator,
        alpha.denominator,
        m.den,
        loss.den,
        *(x for of in (m, loss) for row in of.rows for x in row.values()),
    ]
    demand(whole(*numbers), path, "this rule needs rational numbers")
    columns = [x for x in m.columns() if any(x)]
    table = [[row.get(g, 0) for g in range(loss.width)] for row in loss.rows]
    listed = dict[str, tuple[Matrix, Node]]()
    vectors = rays(near, alpha, "$.claim.neighbours")
    for node, y in zip(
        f["priors"].items(), f["potentials"].items(len(f["priors"].items())), strict=True
    ):
        prior = prior_of(node, n)
        demand(whole(*prior.rows[0].values()), node.path, "this rule needs rational numbers")
        charge(n * (1 + prior.bits**2 // 50_000 + prior.bits // 40), held=n * (len(listed) + 1))
        name, _ = corner([prior.rows[0].get(x, 0) for x in range(n)])
        demand(name not in listed, node.path, "must be listed once")
        listed[name] = prior, y
    scores = dict[str, list[list[int]]]()  # Σ_x π_x l(x,g) M_xy by output and guess
    cones = [[corner([int(x == k) for x in range(n)]) for k in range(n)]]
    while cones:
        cone = cones.pop()
        for name, point in cone:
            if name not in scores:
                require(name in listed, "every kink is listed", path, point, "a listed prior")
                bits = m.bits + loss.bits + max(map(int.bit_length, point))
                size = len(columns) * loss.width
                charge(0, bits, products=2 * n * size, held=(len(scores) + 1) * size)
                scores[name] = [
                    [
                        sum(w * t * row[g] for w, t, row in zip(point, v, table, strict=True))
                        for g in range(loss.width)
                    ]
                    for v in columns
                ]
        charge(4 * n * len(columns) * loss.width, held=n * n * len(cones))
        found = [scores[name] for name, _ in cone]
        signs = crossing([[of[y] for of in found] for y in range(len(columns))])
        if signs:
            i, j = (next(k for k, x in enumerate(signs) if x * side > 0) for side in (-1, 1))
            s = signs[i]
            t = signs[j]
            (_, v) = cone[i]
            (_, w) = cone[j]
            bits = 2 * max(max(map(int.bit_length, of)) for of in (v, w, signs))
            charge(n * (1 + bits**2 // 50_000), bits, 4 * n)
            new = corner([t * a - s * b for a, b in zip(v, w, strict=True)])
            cones += [
                [new if k == place else old for k, old in enumerate(cone)] for place in (i, j)
            ]
    for prior, node in listed.values():
        least, _ = remap_rule(loss, m, prior)
        value = bound(vectors, loss, [prior], node.vector(n), node.path)
        require(value >= least, "Σ y ≥ the least loss of M", node.path, value, least)


def crossing(values: list[list[list[int]]]) -> list[int]:
    """Nothing if at every output one guess is best at all corners of a cone, so everywhere in it.
    Else the differences, at the corners, of two guesses that are best somewhere and cross: the
    first two that do on the fewest edges.
    """
    fewest = 0
    found = list[int]()
    settled = True
    for corners in values:
        best = [
            {g for g, x in enumerate(row) if x == least} for row in corners for least in (min(row),)
        ]
        if set.intersection(*best):
            continue
        settled = False
        charge(2 * len(corners) * len(set.union(*best)) ** 2)
        for g, h in combinations(sorted(set.union(*best)), 2):
            signs = [row[g] - row[h] for row in corners]
            crossed = sum(x < 0 for x in signs) * sum(x > 0 for x in signs)
            if crossed and (not found or crossed < fewest):
                fewest = crossed
                found = signs
    if not settled and not found:
        raise ValueError(
            "guesses that do not cross are ordered, and the first one is best everywhere"
        )
    return found


def corner(v: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """The integer vector divided by its greatest common divisor; and what stands for it in a
    dictionary: a text, as a file can choose many priors, and a mechanism with many kinks, of
    one hash.
    """
    common = gcd(*v)
    point = tuple(x // common for x in v)
    return " ".join(map(hex, point)), point


# kind: its function, claim keys, witness keys
CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {
    "universally-optimal": (universally_optimal, f"{TYPE} loss mechanism", "by"),
    "not-universally-optimal": (not_universally_optimal, f"{TYPE} loss mechanism", "prior better"),
    "no-universally-optimal": (no_universal, f"{TYPE} loss", "by"),
}
