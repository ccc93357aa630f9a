# SPDX-License-Identifier: MIT
"""Trusted: (ε, δ)-privacy, composition, releases, gaps, likelihood (SPEC §4.6, §4.13).

Files without a folder in the names of theorems stand in proofs/coq.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from exactdp.checker.arithmetic import common, dot, product, raised, ratio, times, upwards
from exactdp.checker.claims import Claims
from exactdp.checker.limits import demand, require, show
from exactdp.checker.matrices import Excesses, Geometric, excess, least_ratio, stochastic, walked
from exactdp.checker.optimality import dual_rule, primal
from exactdp.checker.reader import Node
from exactdp.checker.rules import (
    Case,
    Definition,
    check_private,
    check_product,
    equals,
    loss_of,
    same_labels,
)
from exactdp.checker.tight import entries

Pair = tuple[int, int]


# ── (ε, δ)-privacy: Σ_E of α·x_i − x_j against α·δ ──────────────────────────────────────────────
def at_one(near: Definition, path: str) -> None:
    """All constrained pairs are at distance 1."""
    holds = all(square == 1 for square in near.squares)
    require(holds, "every distance is 1", path, near.title, "distance 1")


def ordered(near: Definition) -> Iterator[Pair]:
    """The constrained pairs in both orders."""
    for i, j, _ in near.pairs:
        yield i, j
        yield j, i


def constrained(near: Definition, i: int, j: int, path: str) -> None:
    """The witness's pair is a constrained one."""
    among = any((i, j) in ((g, h), (h, g)) for g, h, _ in walked(near.pairs, 2))
    require(among, "the pair is constrained", path, (i, j), "a pair of neighbours")


def judged(c: Case, near: Definition) -> Definition:
    """The mechanism under the key `mechanism`; or a table with entries ≥ 0, whose rows need not sum
    to 1.
    """
    node = c.claim["mechanism"]
    raw = c.definitions.get(node.of(str))
    kind = "mechanism"
    if raw is not None and isinstance(raw.value, dict) and raw.value.get("type") == "table":
        kind = "table"
    m = c.named(node, kind)
    same_labels("input", m.inputs, near.inputs, node.path)
    if kind == "table":
        for i, row in enumerate(m.matrix.rows):
            for x in row.values():
                if x < 0:
                    require(False, f"entries ≥ 0, in row {i}", node.path, ratio(x, m.matrix.den), 0)
    return m


def event(c: Case, m: Definition, near: Definition) -> tuple[int, int]:
    """den·P(E | i) and den·P(E | j) for the witness's pair [i, j] and event E."""
    i, j = (node.index(len(m.inputs)) for node in c.witness["pair"].items(2))
    constrained(near, i, j, "$.witness.pair")
    E = c.witness["event"].indices(len(m.outputs))
    x, y = (m.matrix.rows[v] for v in (i, j))
    return sum(x.get(r, 0) for r in E), sum(y.get(r, 0) for r in E)


def fraction(node: Node) -> Fraction:
    """A number in [0, 1]."""
    demand(0 <= node.scalar() <= 1, node.path, "must be in [0, 1]")
    return node.scalar()


def level_or_one(node: Node) -> Fraction:
    """A level α, 0 < α ≤ 1; 1 is ε = 0, where δ is a distance in total variation."""
    demand(0 < node.scalar() <= 1, node.path, "must satisfy 0 < level ≤ 1")
    return node.scalar()


def approximate(c: Case) -> str:
    """delta, approximately-private, not-approximately-private and level-with-delta."""
    # Theorem: approximatelyP, approximately_le, event_bound (ApproximatePrivacy.v), gainP,
    # event_sidesP (Checker/DeployedCheck.v).
    near = c.named(c.claim["neighbours"], "neighbours")
    delta = fraction(c.claim["delta"])
    m = judged(c, near)
    at_one(near, c.claim["neighbours"].path)
    where = f"on {near.title}"
    private = f"(ε, {show(delta)})-private {where}"
    if "ratio" in c.claim:
        alpha = fraction(c.claim["ratio"])
    else:
        alpha = level_or_one(c.claim["level"])
    if c.kind == "level-with-delta":
        expected = 0 if alpha == 1 else 2
        rule = "pair and event, if and only if the ratio is less than 1"
        demand(len(c.witness) == expected, "$.witness", rule)

    # The witness's event: it violates δ, or no larger level holds there.
    if "event" in c.witness:
        A, B = event(c, m, near)
        den = m.matrix.den
        # α·(P(E|i) − δ) and P(E|j), times α.den·den·δ.den.
        room = product(A, delta.denominator) - product(delta.numerator, den)
        left = product(alpha.numerator, room)
        right = product(alpha.denominator, delta.denominator, B)
        x, y = ratio(A, den), ratio(B, den)
        if c.kind == "not-approximately-private":
            require(left > right, "α·(P(E|i) − δ) > P(E|j)", "$.witness", x, y)
            return f"The {m.title} is not {private} for e^(−ε) = {show(alpha)}."
        require(room > 0, "P(E|i) > δ", "$.witness.event", x, delta)
        require(left == right, "ratio·(P(E|i) − δ) = P(E|j)", "$.witness", x, y)
        if alpha == 0:
            return f"The {m.title} is {private} for no ε."

    # The pair at which δ is needed.
    attained = None
    if c.kind == "delta":
        demand(("pair" in c.witness) == (delta > 0), "$.witness", "a pair, if and only if δ > 0")
        if c.witness:
            i, j = (node.index(len(m.inputs)) for node in c.witness["pair"].items(2))
            constrained(near, i, j, "$.witness")
            attained = i, j

    every_pair(m, near, alpha, delta, attained)
    if c.kind == "delta":
        least = f"The least δ for which the {m.title} is (ε, δ)-private {where}"
        return f"{least}, e^(−ε) = {show(alpha)}, is {show(delta)}."
    if c.kind == "approximately-private":
        return f"The {m.title} is {private} for e^(−ε) = {show(alpha)}."
    return f"The largest level e^(−ε) at which the {m.title} is {private} is {show(alpha)}."


def every_pair(
    m: Definition, near: Definition, alpha: Fraction, delta: Fraction, attained: object
) -> None:
    """Σ_r max(0, α·x_ir − x_jr) ≤ α·δ for every pair, with equality at one if it is given."""
    # Both sides times den·α.num·δ.den.
    bound = product(delta.numerator, m.matrix.den, alpha.numerator)
    scale = product(m.matrix.den, delta.denominator, alpha.numerator)
    excesses = Excesses(m.matrix, alpha, delta.denominator, bound)
    for i, j in ordered(near):
        if (i, j) != attained and excesses.within(i, j):
            continue
        total = product(excess(m.matrix, i, j, alpha), delta.denominator)
        if total > bound:
            rule = f"Σ_r max(0, x_ir − x_jr/α) ≤ δ at i = {i}, j = {j}"
            require(False, rule, "$.claim.delta", ratio(total, scale), delta)
        if (i, j) == attained and total != bound:
            rule = "Σ_r max(0, x_ir − x_jr/α) = δ at the pair"
            require(False, rule, "$.witness.pair", ratio(total, scale), delta)
        excesses.note(i, j)


# ── Laws whose tables are not listed (SPEC §4.16) ───────────────────────────────────────────────
def response_level(c: Case) -> str:
    """One of m labels is reported: the truth with the probability `keep`, each other one alike."""
    # Theorem: column_extremes, flat_level, flat_constant (LocalPrivacy.v), and is_largestP
    # (Checker/Level.v): each column has both probabilities, and no other one.
    m = size_of(c.claim["size"], 2)
    of_truth = fraction(c.claim["keep"])
    stated = fraction(c.claim["ratio"])
    # Both probabilities, times (m − 1)·q where p/q is that of the truth.
    p, q = of_truth.as_integer_ratio()
    truth, other = product(p, m - 1), q - p
    # Over an interval they may be equal at an end.
    least, greatest = truth, other
    if truth - other and upwards(truth - other):
        least, greatest = other, truth
    same = product(stated.numerator, greatest) == product(stated.denominator, least)
    right = over(least, greatest)
    require(same, "ratio = least/greatest", "$.claim.ratio", stated, right)
    law = f"the randomized response of {m} labels that tells the truth with probability"
    return f"The largest level at which {law} {show(of_truth)} is private {ALL}{show(stated)}."


def bitwise_level(c: Case) -> str:
    """Each of k bits is reported independently, as 1 with one probability if it is set and another
    one if it is not; h of them are set.
    """
    # Theorem: bitwise_level (IndependentBits.v). With a ≥ b for the two probabilities the least
    # quotients of a bit that i has and j has not, and of one that j has and i has not, are
    # (1 − a)/(1 − b) and b/a. Inputs differ in up to min(h, k − h) bits of each kind.
    k = size_of(c.claim["bits"], 1)
    h = size_of(c.claim["ones"], 1)
    demand(h <= k, "$.claim.ones", "at most all bits are set")
    a, b = fraction(c.claim["set"]), fraction(c.claim["clear"])
    stated = fraction(c.claim["ratio"])
    x, dx = a.as_integer_ratio()
    y, dy = b.as_integer_ratio()
    difference = product(x, dy) - product(y, dx)
    times_each = min(h, k - h)
    above = below = 1
    if difference and times_each:
        if not upwards(difference):
            x, dx, y, dy = y, dy, x, dx
        # low·(1 − high) and high·(1 − low), times high.den·low.den. Over an interval a and b may
        # be equal at an end, where both products are one number; it must not be 0.
        below = product(x, dy - y)
        require(below > 0, "high·(1 − low) > 0", "$.claim", below, 0)
        above = raised(product(y, dx - x), times_each)
        below = raised(below, times_each)
    same = product(stated.numerator, below) == product(stated.denominator, above)
    require(
        same,
        "ratio = (low·(1 − high)/(high·(1 − low)))^min(h, k − h)",
        "$.claim.ratio",
        stated,
        over(above, below),
    )
    law = f"the response of {k} independent bits, {h} of them set, that reports 1 with probability"
    law += f" {show(a)} for a set bit and {show(b)} for another one"
    return f"The largest level at which {law} is private {ALL}{show(stated)}."


def geometric_level(c: Case) -> str:
    """Two-sided geometric noise z is added to a count of 0..n: P(z) = (1 − α)/(1 + α)·α^|z|."""
    # Theorem: geometric_within, lumped_within, unbounded_within (GeometricLevel.v). The least
    # quotient at counts that differ by s is α^s, and neighbours differ by min(reach, n) at most.
    n = size_of(c.claim["n"], 1)
    reach = size_of(c.claim["reach"], 1)
    alpha = c.claim["level"].level()
    stated = fraction(c.claim["ratio"])
    farthest = min(reach, n)
    above = raised(alpha.numerator, farthest)
    below = raised(alpha.denominator, farthest)
    equals(ratio(above, below), c.claim["ratio"], "level^min(reach, n)")
    law = f"two-sided geometric noise of level {show(alpha)} on the counts 0..{n}"
    near = f"between any two counts that differ by at most {reach}, each such pair at distance 1,"
    alike = "This is true of the results as they are, of the results moved to the nearest of"
    alike += f" 0..{n}, and with one output for all results beyond each end."
    found = f"The largest level at which {law} is private {near} is α = {show(stated)}."
    return f"{found} {alike}"


ALL = "between any two inputs is α = "


def over(num: int, den: int) -> str:
    """A quotient in a sentence, of which nobody asks whether the denominator is positive."""
    return f"({show(num)})/({show(den)})"


def size_of(node: Node, least: int) -> int:
    """A size."""
    demand(node.index() >= least, node.path, f"must be at least {least}")
    return node.index()


# ── Composition ─────────────────────────────────────────────────────────────────────────────────
def at_outputs(
    ms: Iterable[Definition], i: int, j: int, outputs: Iterable[Node]
) -> tuple[Fraction, Fraction]:
    """P(outputs | i) and P(outputs | j) when all of them run independently."""
    x = y = Fraction(1)
    for m, node in zip(ms, outputs, strict=True):
        r = node.index(len(m.outputs))
        x = times(x, ratio(m.matrix.rows[i].get(r, 0), m.matrix.den))
        y = times(y, ratio(m.matrix.rows[j].get(r, 0), m.matrix.den))
    return x, y


def sequential(c: Case) -> str:
    """The quotients of the joint law at i, j are products, so the least one is the product of the
    least.
    """
    # Theorem: sequential_least (Composition.v), product_geP, outputs_bound
    # (Checker/DeployedCheck.v).
    near = c.named(c.claim["neighbours"], "neighbours")
    path = c.claim["mechanisms"].path
    ms = [c.named(node, "mechanism") for node in c.claim["mechanisms"].items()]
    at_one(near, "$.claim.neighbours")
    t = fraction(c.claim["ratio"])
    demand(ms != [], path, "one mechanism or more")
    for m in ms:
        same_labels("input", m.inputs, near.inputs, path)
    expected = 0 if t == 1 else 2
    rule = "pair and outputs, if and only if the ratio is less than 1"
    demand(len(c.witness) == expected, "$.witness", rule)

    # No pair has a smaller quotient than t, and one output has t.
    for i, j in ordered(near):
        least = Fraction(1)
        for m in ms:
            least = times(least, least_ratio(m.matrix, i, j))
        rule = f"Π_k min_r x_ir/x_jr ≥ ratio at i = {i}, j = {j}"
        require(least >= t, rule, "$.claim.ratio", least, t)
    if c.witness:
        i, j = (node.index(len(near.inputs)) for node in c.witness["pair"].items(2))
        constrained(near, i, j, "$.witness.pair")
        x, y = at_outputs(ms, i, j, c.witness["outputs"].items(len(ms)))
        require(y > 0, "P(outputs | j) > 0", "$.witness", y, 0)
        rule = "P(outputs | i) = ratio · P(outputs | j)"
        require(x == times(t, y), rule, "$.witness", x, times(t, y))
    titles = show([m.title for m in ms])
    return (
        f"The largest level at which {len(ms)} independent releases about one input ({titles}) are "
        f"private together on {near.title} is α = {show(t)}."
    )


def parallel(c: Case) -> str:
    """Neighbours differ in one part; the joint law's other factors cancel: the level is the parts'
    least.
    """
    # Theorem: parallelP (Composition.v), apart_private, apart_bound (Checker/DeployedCheck.v).
    t = fraction(c.claim["ratio"])
    demand(t < 1 or not c.witness, "$.witness", "empty for the ratio 1")
    complete = t == 1 or len(c.witness) == 3
    demand(complete, "$.witness", "part, pair and output for a ratio less than 1")
    parts = [node.fields("mechanism neighbours") for node in c.claim["parts"].items()]
    demand(parts != [], c.claim["parts"].path, "one part or more")
    found = list[tuple[Definition, Definition]]()
    for part in parts:
        near = c.named(part["neighbours"], "neighbours")
        m = c.named(part["mechanism"], "mechanism")
        same_labels("input", m.inputs, near.inputs, part["mechanism"].path)
        found.append((m, near))
        at_one(near, part["neighbours"].path)
        if t > 0:
            check_private(m.matrix, near, t, part["mechanism"].path)
    if c.witness:
        m, near = found[c.witness["part"].index(len(found))]
        i, j = (node.index(len(m.inputs)) for node in c.witness["pair"].items(2))
        constrained(near, i, j, "$.witness.pair")
        x, y = at_outputs([m], i, j, [c.witness["output"]])
        require(y > 0, "x_jr > 0", "$.witness", y, 0)
        require(x == times(t, y), "x_ir = ratio · x_jr", "$.witness", x, times(t, y))
    titles = show([f"{m.title} on {near.title}" for m, near in found])
    return (
        f"The largest level at which {len(found)} independent mechanisms on separate parts of a "
        f"database ({titles}) are private together is α = {show(t)}."
    )


def release(c: Case) -> str:
    """G(n, α_i)·T_(i+1) = G(n, α_(i+1)) for row-stochastic T. What a coalition sees is r_m, m its
    first member, and results computed from r_m without the input: its tightest level is that of
    G(n, α_m), which is α_m (SPEC §4.6).
    """
    # Theorem: lemma4, algorithm1_law (Release.v), coalition_tight (Coalitions.v), lists_coalitionsP
    # (Checker/Coalitions.v).
    n = c.claim["n"].index()
    levels = [node.level() for node in c.claim["levels"].items()]
    k = len(levels)
    demand(n > 0, "$.claim.n", "must be 1 or more")
    rising = all(a < b for a, b in pairwise(levels))
    demand(rising, "$.claim.levels", "levels must increase strictly")
    coalitions = c.claim["coalitions"].items()
    stages = c.witness["stages"].items(k - 1)
    every = len(coalitions) + 1 == 2**k
    demand(every, "$.claim.coalitions", "every non-empty subset of the levels has its entry")

    for node, (a, b) in zip(stages, pairwise(levels), strict=True):
        check_product(Geometric(n, a), node, Geometric(n, b))
    for mask, node in enumerate(coalitions, start=1):
        f = node.fields("members level")
        members = [i for i in range(k) if mask >> i & 1]
        rule = f"coalition {mask} is {members} (ordered by Σ 2^i)"
        demand(f["members"].value == members, f["members"].path, rule)
        what = f"the tightest level of what the coalition {members} sees"
        equals(levels[members[0]], f["level"], what)
    return (
        f"The geometric mechanisms G({n}, α), α = {show(levels)}, have a joint law in which each "
        f"result is computed from the one before, and what each of the {2**k - 1} coalitions sees "
        f"has on path({n + 1}) the level of its first member."
    )


# ── A gap between two bounds, and likelihood ────────────────────────────────────────────────────
def gap_between(c: Case) -> str:
    """M is α-private with this loss; some private mechanism has ≤ loss − least, and none < loss −
    most.
    """
    # Theorem: attainsP (Checker/PathPrimal.v), boundsP (Checker/Check.v).
    near = c.named(c.claim["neighbours"], "neighbours")
    alpha = c.claim["level"].level()
    consumer = c.consumer(near.inputs)
    m = c.mechanism("mechanism", near.inputs, consumer.guesses)
    check_private(m.matrix, near, alpha, "$.claim.mechanism")
    loss = loss_of(consumer, m.matrix.columns(), m.matrix.den)
    equals(loss, c.claim["loss"], "the mechanism's loss")

    node, upper = c.witness["primal"], c.witness["upper"]
    f = node.fields("rows? components? remap?")
    primal(f, node.path, consumer, near, alpha, upper)
    bound, _ = dual_rule(c.witness["dual"], consumer, near, alpha)
    least, most = c.claim["least"], c.claim["most"]
    equals(loss - upper.scalar(), least, "the least gap: loss − the loss of the primal")
    equals(loss - bound, most, "the largest gap: loss − the dual's bound")
    require(least.scalar() >= 0, "least ≥ 0", least.path, least.scalar(), 0)
    private = f"(α = {show(alpha)})-private"
    return (
        f"The {m.title} is {private} on {near.title} with {consumer.title} "
        f"{show(c.claim['loss'].scalar())}; that is within {show(most.scalar())} of the least of "
        f"{private} mechanisms, and no closer than {show(least.scalar())}."
    )


def likelihood(c: Case) -> str:
    """Σ_y q_y ln((p′C)_y/m_y) ≤ ln Σ_x p′_x g_x ≤ ln max g (concavity), m = pC, g_x = Σ_y q_y
    C_xy/m_y.
    """
    # Theorem: weighted_mean, likelihood_le (Likelihood.v), mean_leP (Checker/DeployedCheck.v).
    m = c.mechanism("mechanism")
    C = m.matrix
    q = stochastic(c.claim["frequencies"].vector(C.width), c.claim["frequencies"].path)
    estimate = c.claim["estimate"]
    p = stochastic(estimate.vector(len(m.inputs)), estimate.path)
    most = c.claim["gap"].scalar()

    # pC, over p.den·C.den, where q_y > 0.
    chances = p.entries()
    mixed = [dot(chances, column) for column in C.columns()]
    for y in q.rows[0]:
        require(mixed[y] > 0, "(pC)_y > 0 where q_y > 0", estimate.path, y, "> 0")

    # g_x over q.den·den/(p.den·C.den), and C.den cancels.
    den, lifts = common(*(mixed[y] for y in q.rows[0]))
    places = list(q.rows[0])
    factors = list[Any]()
    for weight, lift in zip(q.rows[0].values(), lifts, strict=True):
        factors.append(product(weight, p.den, lift))
    scale = product(q.den, den)
    bound = product(most.numerator + most.denominator, scale)
    for i, row in enumerate(C.rows):
        mean = dot(factors, [row.get(y, 0) for y in places])
        total = product(mean, most.denominator)
        if total > bound:
            rule = f"Σ_y q_y C_xy/(pC)_y ≤ 1 + gap at x = {i}"
            left = ratio(total, product(most.denominator, scale))
            right = ratio(bound, product(most.denominator, scale))
            require(False, rule, "$.claim.gap", left, right)
    return (
        f"No distribution over the inputs of the {m.title} has a mean log-likelihood of the "
        f"frequencies ({entries(q)}) of its outputs that is above the one of ({entries(p)}) by "
        f"more than ln(1 + {show(most)})."
    )


DELTA = "mechanism neighbours level delta"
CLAIMS: Claims = {
    "response-level": (response_level, "size keep ratio", ""),
    "bitwise-level": (bitwise_level, "bits ones set clear ratio", ""),
    "geometric-level": (geometric_level, "n reach level ratio", ""),
    "delta": (approximate, DELTA, "pair?"),
    "approximately-private": (approximate, DELTA, ""),
    "not-approximately-private": (approximate, DELTA, "pair event"),
    "level-with-delta": (approximate, "mechanism neighbours delta ratio", "pair? event?"),
    "sequential-level": (sequential, "mechanisms neighbours ratio", "pair? outputs?"),
    "parallel-level": (parallel, "parts ratio", "part? pair? output?"),
    "gap-between": (
        gap_between,
        "neighbours level consumer mechanism loss least most",
        "upper primal dual",
    ),
    "release": (release, "n levels coalitions", "stages"),
    "likelihood": (likelihood, "mechanism frequencies estimate gap", ""),
}
