# SPDX-License-Identifier: MIT
"""Trusted: definitions, privacy, losses, remaps, and the dual rules (SPEC §3, §4.1 to §4.3).

A rule names the theorem of Coq that it rests on, with its file under proofs/coq.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, compress, pairwise, repeat
from operator import add, lt, mul
from typing import Any

from exactdp.checker.arithmetic import (
    common,
    comparable,
    dot,
    extremes,
    longest,
    lowest,
    powers_of,
    product,
    quotient,
    ratio,
    upwards,
    whole,
)
from exactdp.checker.limits import FIELD, demand, require, show
from exactdp.checker.matrices import (
    Geometric,
    Matrix,
    by_distance,
    keep_polynomials,
    least_scores,
    pairs_of,
    remainders,
    stochastic,
    two_values,
    walked,
)
from exactdp.checker.powers import at_least, power_above, powers
from exactdp.checker.reader import Labels, Node, agree, numbered, quoted

Pairs = list[tuple[int, int, Fraction]]


# ── Definitions (SPEC §3) ───────────────────────────────────────────────────────────────────────
@dataclass(frozen=True)
class Definition:
    """A mechanism, table or loss: a matrix with labels. Or neighbours: pairs i < j with
    d(i, j)².
    """

    kind: str
    title: str
    inputs: Labels
    outputs: Labels
    matrix: Matrix
    pairs: Pairs
    spelled: bool = False  # whether the title says all that the definition does

    @property
    def squares(self) -> list[Fraction]:
        """d², pair by pair."""
        return [square for _, _, square in walked(self.pairs, 3)]

    @property
    def complete(self) -> bool:
        """Whether any two inputs are a pair, at distance 1."""
        n = len(self.inputs)
        return 2 * len(self.pairs) == n * (n - 1) and all(square == 1 for square in self.squares)


@dataclass(frozen=True)
class Consumer:
    """A loss and a prior (Bayesian), or none (minimax); S: side information, or where the prior is
    > 0.
    """

    title: str
    guesses: Labels
    loss: Matrix
    S: list[int]
    prior: Matrix | None


TYPES = {
    "mechanism": "inputs outputs rows",
    "table": "inputs outputs rows",
    "loss": "inputs guesses rows",
    "geometric": "n level",
    "randomized-response": "inputs level",
    "abs-loss": "n",
    "squared-loss": "n",
    "zero-one-loss": "n",
    "path": "vertices",
    "graph": "vertices edges",
    "complete": "vertices",
    "distances": "vertices pairs",
}
"""The members of a definition, by its type; those with ? may be absent."""

LOSSES = {"abs-loss": 1, "squared-loss": 2, "zero-one-loss": 0}
"""The exponent of |i − r|."""


def define(name: str, node: Node) -> Definition:
    """Read one definition. Some of them label their inputs "0", "1", …"""
    kind, f = node.variant("type", TYPES)
    if kind == "geometric":
        return geometric(f)
    if kind in LOSSES:
        return loss_of_distance(kind, f)
    if kind == "randomized-response":
        return randomized_response(name, f)
    if kind == "path":
        return path_graph(f)
    if kind == "complete":
        return complete_graph(name, f)
    if "rows" in f:
        return listed_table(kind, name, f)
    return listed_pairs(kind, name, f)


def geometric(f: dict[str, Node]) -> Definition:
    """The geometric mechanism G(n, α)."""
    n = f["n"].index()
    labels = numbered(n + 1)
    title = f"geometric mechanism G({n}, {show(f['level'].level())})"
    matrix = Geometric(n, f["level"].level())
    return Definition("mechanism", title, labels, labels, matrix, [], spelled=True)


def randomized_response(name: str, f: dict[str, Node]) -> Definition:
    """The truth with probability 1/(1 + (m − 1)α), each other one of m labels with α times that."""
    # With α = p/q each row sums to q + (m − 1)·p, the denominator.
    labels = f["inputs"].labels()
    p, q = f["level"].level().as_integer_ratio()
    m = len(labels)
    matrix = two_values(m, q, p)
    return Definition("mechanism", f"randomized response {name}", labels, labels, matrix, [])


def loss_of_distance(kind: str, f: dict[str, Node]) -> Definition:
    """|i − r| or |i − r|², or 0 for i = r and 1 otherwise."""
    m = f["n"].index() + 1
    labels = numbered(m)
    # By r − i = 1 − m, …, m − 1.
    losses = [abs(d) ** LOSSES[kind] if d else 0 for d in range(1 - m, m)]
    matrix = by_distance(losses)
    title = kind.removesuffix("-loss")
    return Definition("loss", title, labels, labels, matrix, [], spelled=True)


def listed_table(kind: str, name: str, f: dict[str, Node]) -> Definition:
    """A mechanism, table or loss whose rows are listed."""
    inputs = f["inputs"].labels()
    outputs = f["guesses" if kind == "loss" else "outputs"].labels()
    matrix = f["rows"].matrix(len(inputs), len(outputs))
    title = f"{kind} {name}"
    if kind == "mechanism":
        stochastic(matrix, f["rows"].path)
    if kind == "loss":
        title = f"table {name}"
    return Definition(kind, title, inputs, outputs, matrix, [])


def path_graph(f: dict[str, Node]) -> Definition:
    """The path 0, 1, …, m − 1, each at distance 1 from the next."""
    m = f["vertices"].index()
    labels = numbered(m, held=4)
    demand(m > 0, f["vertices"].path, "a path has one vertex or more")
    pairs = list(zip(range(m - 1), range(1, m), repeat(Fraction(1)), strict=False))
    none = Matrix(0, 1, [])
    return Definition("neighbours", f"path({m})", labels, (), none, pairs, spelled=True)


def complete_graph(name: str, f: dict[str, Node]) -> Definition:
    """Any two vertices are a pair, at distance 1."""
    labels = f["vertices"].labels()
    n = len(labels)
    pairs = pairs_of(n)
    return Definition("neighbours", f"complete graph {name}", labels, (), Matrix(0, 1, []), pairs)


def listed_pairs(kind: str, name: str, f: dict[str, Node]) -> Definition:
    """A graph by its edges, at distance 1; or pairs with their distances."""
    labels = f["vertices"].labels()
    listed = f["edges" if kind == "graph" else "pairs"]
    pairs = Pairs()
    one = Fraction(1)
    squares = dict[str, Fraction]()
    for item in listed.items():
        i, j, *d = item.items(2 if kind == "graph" else 3)
        first = i.index(len(labels))
        second = j.index(len(labels))
        square = one
        if d:
            text = d[0].of(str)
            if text not in squares:
                squares[text] = d[0].distance()
            square = squares[text]
        pairs.append((first, second, square))
    demand(all(i < j for i, j, _ in pairs), listed.path, "a pair is [i, j] with i < j")
    in_order = all(a[:2] < b[:2] for a, b in pairwise(pairs))
    demand(in_order, listed.path, "pairs must increase strictly")
    return Definition("neighbours", f"{kind} {name}", labels, (), Matrix(0, 1, []), pairs)


@dataclass(frozen=True)
class Case:
    """One certificate: the members of its claim and witness, and its definitions, known once
    named.
    """

    kind: str
    claim: dict[str, Node]
    witness: dict[str, Node]
    definitions: dict[str, Node]
    known: dict[str, Definition]

    def named(self, node: Node, kind: str) -> Definition:
        """The definition with this name, which must be of this kind."""
        name = node.of(str)
        if name in self.definitions and name not in self.known:
            self.known[name] = define(name, self.definitions[name])
        there = name in self.known and self.known[name].kind == kind
        demand(there, node.path, f"must name a {kind} in definitions")
        return self.known[name]

    def mechanism(
        self, key: str, inputs: Labels | None = None, outputs: Labels | None = None
    ) -> Definition:
        """The mechanism under a key of the claim, with these inputs and outputs if they are
        given.
        """
        m = self.named(self.claim[key], "mechanism")
        path = self.claim[key].path
        if inputs is not None:
            same_labels("input", m.inputs, inputs, path)
        if outputs is not None:
            same_labels("output", m.outputs, outputs, path)
        return m

    def consumer(self, inputs: Labels) -> Consumer:
        """The claim's consumer, over these inputs."""
        types = {"minimax": "loss side_information", "bayesian": "loss prior"}
        kind, f = self.claim["consumer"].variant("type", types)
        loss = self.named(f["loss"], "loss")
        same_labels("input", loss.inputs, inputs, f["loss"].path)
        if kind == "minimax":
            S = f["side_information"].indices(len(inputs))
            demand(S != [], f["side_information"].path, "must not be empty")
            shown = show([quoted(inputs[i]) for i in S])
            title = f"minimax loss (loss {loss.title}, S = {{{shown}}})"
            return Consumer(title, loss.outputs, loss.matrix, S, None)
        prior = stochastic(f["prior"].vector(len(inputs)), f["prior"].path)
        shown = show([ratio(x, prior.den) for [x] in prior.columns()])
        title = f"expected loss (loss {loss.title}, prior ({shown}))"
        return Consumer(title, loss.outputs, loss.matrix, list(prior.rows[0]), prior)


def same_labels(what: str, found: Labels, expected: Labels, path: str) -> None:
    """The labels of inputs or outputs are those expected."""
    require(agree(found, expected), f"the {what} labels agree", path, found, expected)


def weights(consumer: Consumer, fields: dict[str, Node], path: str) -> Matrix:
    """w: the prior; or weights on S, given if and only if the consumer is minimax."""
    given = "weights" in fields
    minimax = consumer.prior is None
    demand(given == minimax, path, "weights, if and only if the consumer is minimax")
    if consumer.prior is not None:
        return consumer.prior
    w = stochastic(fields["weights"].vector(len(consumer.loss.rows)), fields["weights"].path)
    inside = set(w.rows[0]) <= set(consumer.S)
    require(inside, "the weights are zero outside S", path, list(w.rows[0]), consumer.S)
    return w


# ── Privacy (SPEC §3, §4) ───────────────────────────────────────────────────────────────────────
def scaled_square(square: Fraction, unit: Fraction) -> Fraction:
    """(d/√unit)², from d²."""
    if unit == 1:
        return square
    return ratio(square.numerator * unit.denominator, square.denominator * unit.numerator)


def squares_of(near: Definition, times: int) -> dict[tuple[int, int], Fraction]:
    """d² of the pairs in both orders, to be gone through so many times."""
    each = walked(near.pairs, 20 + 40 * times, held=4)
    forth = {(i, j): square for i, j, square in each}
    return forth | {(j, i): square for i, j, square in each}


Group = tuple[Fraction, list[tuple[int, int]]]
"""The square of an exponent, and the constrained pairs that have it, in both orders."""


def by_exponent(near: Definition, unit: Fraction) -> list[Group]:
    """The pairs at each distance d, with (d/√unit)²."""
    # A text is the key: a file can choose many fractions of one hash.
    groups = dict[str, Group]()
    for i, j, square in walked(near.pairs, 30, held=2):
        text = f"{square.numerator:x}/{square.denominator:x}"
        if text not in groups:
            groups[text] = scaled_square(square, unit), []
        groups[text][1].extend([(i, j), (j, i)])
    return list(groups.values())


def check_columns(m: Matrix, alpha: Fraction, path: str) -> None:
    """The same where any two inputs are neighbours at distance 1: the least entry of each column
    against the greatest.
    """
    # Theorem: column_extremes (LocalPrivacy.v), is_privateP (Checker/Privacy.v).
    p, q = alpha.numerator, alpha.denominator
    for r, x in enumerate(m.columns(2, longest((p, q)))):
        least, greatest = extremes(x)
        if least * q < greatest * p:
            i, j = list(x).index(least), list(x).index(greatest)
            rule = f"privacy: x_ir ≥ {show(alpha)} · x_jr at i = {i}, j = {j}, r = {r}"
            require(False, rule, path, ratio(least, m.den), ratio(greatest, m.den))


def check_private(
    m: Matrix, near: Definition, alpha: Fraction, path: str, unit: Fraction = Fraction(1)
) -> None:
    """x_ir ≥ t^d(i,j)·x_jr for each constrained pair, in both orders, and each output r; t =
    α^(1/√unit).
    """
    # Theorem: is_privateP (Checker/Privacy.v); at other distances private_far_below
    # (Checker/RootsCheck.v).
    if comparable() and unit == 1 and near.complete:
        check_columns(m, alpha, path)
        return

    groups = by_exponent(near, unit)
    if geometric_is_private(m, groups, alpha):
        return
    if comparable() and all(whole(*row.values()) for row in m.rows):
        check_rows(m, groups, alpha, path)
        return

    times = 2 * len(near.pairs)
    columns = m.columns(2 * times, longest((alpha.numerator, alpha.denominator)))
    for r, x in enumerate(columns):
        for square, pairs in groups:
            for i, j in pairs:
                if not at_least(x[i], x[j], alpha, square):
                    refuse(m, (i, j, r), alpha, square, path)


def refuse(
    m: Matrix, cell: tuple[int, int, int], alpha: Fraction, square: Fraction, path: str
) -> None:
    """The entries x_ir and x_jr violate the level."""
    i, j, r = cell
    where = f"i = {i}, j = {j}, r = {r}, d² = {show(square)}"
    rule = f"privacy: x_ir ≥ ({show(alpha)})^d · x_jr at {where}"
    left, right = (ratio(m.rows[v].get(r, 0), m.den) for v in (i, j))
    require(False, rule, path, left, right)


def check_rows(m: Matrix, groups: list[Group], alpha: Fraction, path: str) -> None:
    """The same for entries that are integers: with P/Q ≥ t^d, Q·x_ir ≥ P·x_jr for most of them, and
    the others are compared.
    """
    # Theorem: is_privateP (Checker/Privacy.v), power_le_below (Checker/RootsCheck.v);
    # x ≥ (P/Q)·y ≥ t^d·y.
    bounds = [power_above(alpha, d, m.bits, len(pairs) * m.width) for d, pairs in groups]
    each = [(P, Q, pairs) for (P, Q), (_, pairs) in zip(bounds, groups, strict=True)]
    for k, i, j, r in m.below(each):
        square, _ = groups[k]
        x, y = (m.rows[v].get(r, 0) for v in (i, j))
        if not at_least(x, y, alpha, square):
            refuse(m, (i, j, r), alpha, square, path)


def geometric_is_private(m: Matrix, groups: list[Group], alpha: Fraction) -> bool:
    """Whether m is a geometric mechanism G(n, a), of numbers, that satisfies the constraints.
    Of the ratios G_ir/G_jr = a^(|i−r| − |j−r|) ≥ a^|i−j| only the least is compared, at r = j.
    """
    # Theorem: geometric_private (Geometric.v), step by step from i to j.
    of_numbers = whole(alpha.numerator, alpha.denominator, m.den)
    if not isinstance(m, Geometric) or not (of_numbers or FIELD.get().ordered):
        return False
    each = ((i, j, square) for square, pairs in groups for i, j in pairs)
    return all(at_least(m.rows[i][j], m.rows[j][j], alpha, square) for i, j, square in each)


# ── Losses and remaps (SPEC §3, §4.1, §4.3) ─────────────────────────────────────────────────────
def loss_of(consumer: Consumer, columns: Iterable[Sequence[int]], den: int) -> Fraction:
    """The loss of these columns/den: the largest in S, or the mean, of Σ_r l(i,r) x_ir."""
    # Theorem: solvesP (Checker/Check.v).
    loss = consumer.loss
    height = len(loss.rows)
    total = [0] * height
    for x, costs in zip(columns, loss.columns(height, den.bit_length()), strict=True):
        total = list(map(add, total, map(mul, costs, x)))
    return loss_of_inputs(consumer, total, den)


def loss_of_inputs(consumer: Consumer, total: list[int], den: int) -> Fraction:
    """The largest in S, or the mean, of the numbers Σ_r l(i,r) x_ir, times loss.den·den."""
    loss, prior = consumer.loss, consumer.prior
    if prior is None:
        largest = -lowest([-total[i] for i in consumer.S])
        return ratio(largest, loss.den * den)
    mean = dot(prior.entries(), total)
    return ratio(mean, prior.den * loss.den * den)


def equals(computed: Fraction, node: Node, what: str) -> None:
    """A number that the claim states is the one computed."""
    stated = node.scalar()
    require(computed == stated, f"{what} = {node.path}", node.path, computed, stated)


def attain(consumer: Consumer, m: Matrix, remap: Node, value: Node) -> Matrix:
    """R is row-stochastic, and the loss of M·R is the stated one."""
    # Theorem: attainsP (Checker/PathPrimal.v), with private_post_processing (PostProcessing.v).
    R = stochastic(remap.matrix(m.width, len(consumer.guesses)), remap.path)
    loss = loss_of(consumer, m.times(R), m.den * R.den)
    equals(loss, value, f"the loss after {remap.path}")
    return R


def check_product(A: Matrix, remap: Node, B: Matrix) -> None:
    """R is row-stochastic and A·R = B."""
    # Theorem: is_productP (Checker/Derivable.v).
    R = stochastic(remap.matrix(A.width, B.width), remap.path)
    columns = B.columns(2 * len(B.rows), A.bits + R.bits)
    for r, (left, right) in enumerate(zip(A.times(R), columns, strict=True)):
        for i, (x, y) in enumerate(zip(left, right, strict=True)):
            if x * B.den != y * A.den * R.den:
                rule = f"A·R = B at input {i}, output {r}"
                require(False, rule, remap.path, ratio(x, A.den * R.den), ratio(y, B.den))


def geometric_on(near: Definition, alpha: Fraction, path: str) -> Geometric:
    """G(n, α) on a path in order: its pairs are {i, i+1}, at distance 1, of two vertices or
    more.
    """
    steps = [(i, i + 1, Fraction(1)) for i in range(len(near.inputs) - 1)]
    in_order = near.pairs == steps != []
    require(in_order, "the neighbours are a path in order", path, near.title, "a path")
    return Geometric(len(steps), alpha)


def remap_rule(loss: Matrix, m: Matrix, w: Matrix) -> tuple[Fraction, list[int]]:
    """No M·T has less loss than Σ_y min_r φ_r(y). The minima are returned too."""
    # Theorem: scores_le (Checker/Derivable.v), remap_boundP (Checker/RemapBound.v).
    least = least_scores(loss, m, w)
    return ratio(sum(least), w.den * loss.den * m.den), least


# ── The dual rules (SPEC §4.2): lower bounds of the loss of every α-private mechanism ───────────
Equations = Iterable[dict[tuple[int, int], int]]
"""Σ (coefficient · δ_ir) = 0, where δ is the difference of two solutions."""


def path_rule(loss: Matrix, near: Definition, alpha: Fraction, w: Matrix, path: str) -> Fraction:
    """The bound of the remap rule for G(n, α), with b_y = min_r φ_r(y), holds for every α-private
    mechanism if each h_r(y) = (φ_r(y) − b_y)/s_y crosses once: some k has h(y) ≥ α h(y+1) for y
    < k, and h(y) ≥ α h(y−1) for y > k + 1. With c = b/s, h(y) ≥ α h(y+1) means (1 − α²) Σ_(i≤y)
    α^(y−i) w_i l(i,r) ≥ c(y) − α c(y+1); mirrored for y−1.
    """
    # Theorem: path_rule, form_crossing_ge0 (Checker/PathRule.v), path_boundP (Checker/PathBound.v).
    G = geometric_on(near, alpha, path)
    n = len(near.inputs) - 1
    p, q = alpha.numerator, alpha.denominator
    bound, b = remap_rule(loss, G, w)

    # c, times (q − p)·q^(n+1).
    c = [x * (q if 0 < y < n else q - p) for y, x in enumerate(b)]
    # Both sides of the conditions, from the one end of the path and from the other, multiplied by
    # unit·q^y; the right ones are rounded up.
    unit = (q - p) * (q * q - p * p)
    q_to = powers_of(q, 1, n)
    sides = list[tuple[list[int], list[int]]]()
    for order in (range(n + 1), range(n, -1, -1)):
        v = [product(w.rows[0].get(i, 0), unit, q_to[y]) for y, i in enumerate(order)]
        each = enumerate(pairwise(order))
        limits = [-quotient(p * c[j] - q * c[i], q_to[n - y]) for y, (i, j) in each]
        sides.append((v, limits))

    columns = loss.columns(2 * (n + 1), max(longest(v) for v, _ in sides))
    for r, costs in enumerate(columns):
        # How far the conditions hold from each end: up to most k, and from least k + 1 on.
        ends = list[int]()
        for (v, limits), l in zip(sides, (costs, costs[::-1]), strict=True):
            terms = map(mul, v, l)
            if whole(p) and p == 1:
                sums = accumulate(terms, add)
            else:
                sums = accumulate(terms, lambda x, y: x * p + y)
            ends.append(next(compress(range(n), map(lt, sums, limits)), n))
        most, least = ends[0], n - 1 - ends[1]
        rule = f"path rule: guess {r} crosses once (least k ≤ most k)"
        require(least <= most, rule, path, least, most)
    return bound


def graph_rule(
    loss: Matrix, near: Definition, alpha: Fraction, w: Matrix, mu: Matrix, u: Matrix, path: str
) -> Equations:
    """The bound Σ μ_i. Each multiplier u_er, e = {i, j}, takes |u_er| times its constraint, which
    is ≥ 0, from Σ w_i l(i,r) x_ir, and μ_i times Σ_r x_ir = 1 is taken, too. What is left on
    x_ir, slack_ir, must be ≥ 0. Returned: what holds where the bound is attained.
    """
    # Theorem: pair_duality (Checker/PairDuality.v), graph_boundP (Checker/Optimal.v).
    # Every slack is over den·scale: den for w·l, μ and u, scale for the powers α^d.
    power_at = powers_on(near, alpha, path)
    scale, lifts = common(*(power.denominator for power in power_at.values()))
    lift_of = dict(zip(power_at, lifts, strict=True))
    den, (of_w, of_mu, of_u) = common(w.den * loss.den, mu.den, u.den)

    # Without multipliers the slack is w_i l(i,r) − μ_i.
    slack = dict[tuple[int, int], int]()
    for r, rest in enumerate(remainders(loss, w, mu, scale * of_w, scale * of_mu, kept=True)):
        for i, x in enumerate(rest):
            slack[i, r] = x

    # Each multiplier takes size·(x_ar − α^d x_br).
    for (i, j, square), row in zip(near.pairs, u.rows, strict=True):
        numerator = power_at[square].numerator
        for r, multiplier in row.items():
            a, b = constraint_of(i, j, multiplier)
            size = multiplier if a == i else -multiplier
            before = slack[a, r], slack[b, r]
            slack[a, r] -= product(size, of_u, scale)
            slack[b, r] += product(size, of_u, lift_of[square], numerator)
            held = sum(x.bit_length() for x in before if not whole(x))
            keep_polynomials((slack[a, r], slack[b, r]), held)

    for (i, r), value in slack.items():
        if value < 0:
            rule = f"graph rule: slack_ir ≥ 0 at i = {i}, r = {r}"
            require(False, rule, path, ratio(value, den * scale), 0)
    return forced_on(near, power_at, u, slack)


def constraint_of(i: int, j: int, multiplier: Any) -> tuple[int, int]:
    """(a, b) of the constraint x_ar − α^d x_br ≥ 0 that a multiplier u of {i, j} takes |u| times: a
    is i for u > 0, and j for u < 0.
    """
    if upwards(multiplier):
        return i, j
    return j, i


def forced_on(
    near: Definition, power_at: dict[Fraction, Any], u: Matrix, slack: dict[tuple[int, int], int]
) -> Iterator[dict[tuple[int, int], int]]:
    """What holds where the bound of the graph rule is attained: x_ar = α^d x_br at a multiplier,
    and x_ir = 0 at a positive slack.
    """
    # Theorem: pair_slackness (Checker/PairDuality.v), graph_forced (Checker/Forced.v).
    for (i, j, square), row in zip(near.pairs, u.rows, strict=True):
        p, q = power_at[square].as_integer_ratio()
        for r, multiplier in row.items():
            a, b = constraint_of(i, j, multiplier)
            yield {(a, r): q, (b, r): -p}
    for at, value in slack.items():
        if value > 0:
            yield {at: 1}


def powers_on(near: Definition, alpha: Fraction, path: str) -> dict[Fraction, Any]:
    """α^d by d², for every distance of the pairs."""
    if all(square == 1 for square in near.squares):
        return dict.fromkeys(near.squares[:1], alpha)
    return powers(alpha, near.squares, path)
