# SPDX-License-Identifier: MIT
"""Trusted: deployed tables: (ε, δ)-privacy, composition, releases, gaps, likelihood (SPEC §4.6, §4.13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise

from exactdp.checker.limits import charge, demand, require, show
from exactdp.checker.matrices import Geometric, Matrix, common, ratio, stochastic, whole
from exactdp.checker.optimality import dual_rule, primal
from exactdp.checker.reader import Node
from exactdp.checker.rules import Case, Definition, check_private, check_product, equals, loss_of
from exactdp.checker.tight import entries  # loaded before (BESIDE)

Pair = tuple[int, int]


# ── (ε, δ)-privacy: Σ_E of α·x_i − x_j against α·δ ──────────────────────────────────────────────────────────
def ordered(near: Definition, path: str) -> list[Pair]:
    """The constrained pairs in both orders, all at distance 1."""
    charge(4 * len(near.pairs) + 10)
    require(
        all(square == 1 for _, _, square in near.pairs),
        "every distance is 1",
        path,
        near.title,
        "distance 1",
    )
    return [pair for i, j, _ in near.pairs for pair in ((i, j), (j, i))]


def judged(c: Case, near: Definition) -> Definition:
    """The mechanism under the key `mechanism`; or a table with entries ≥ 0, whose rows need not
    sum to 1.
    """
    node = c.claim["mechanism"]
    raw = c.definitions.get(node.of(str))
    if raw is not None and isinstance(raw.value, dict) and raw.value.get("type") == "table":
        kind = "table"
    else:
        kind = "mechanism"
    m = c.named(node, kind)
    require(m.inputs == near.inputs, "the input labels agree", node.path, m.inputs, near.inputs)
    m.matrix.announce(1, 0)
    for i, row in enumerate(m.matrix.rows if kind == "table" else ()):
        negative = next((x for x in row.values() if x < 0), 0)
        require(
            not negative, f"entries ≥ 0, in row {i}", node.path, ratio(negative, m.matrix.den), 0
        )
    return m


def excess(m: Matrix, i: int, j: int, alpha: Fraction) -> int:
    """q·den·Σ_r max(0, α·x_ir − x_jr), α = p/q."""
    p = alpha.numerator
    q = alpha.denominator
    y = m.rows[j]
    charge(3 * m.width, m.bits + p.bit_length() + q.bit_length(), 2 * m.width)
    gains = (p * x - q * y.get(r, 0) for r, x in m.rows[i].items())
    return sum(g for g in gains if g > 0)


def event(c: Case, m: Definition, pairs: list[Pair]) -> tuple[int, int]:
    """den·P(E | i) and den·P(E | j) for the witness's pair [i, j] and event E."""
    i, j = (node.index(len(m.inputs)) for node in c.witness["pair"].items(2))
    require(
        (i, j) in pairs, "the pair is constrained", "$.witness.pair", (i, j), "a pair of neighbours"
    )
    E = c.witness["event"].indices(len(m.outputs))
    (x, y) = (m.matrix.rows[v] for v in (i, j))
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
    f = c.claim
    w = c.witness
    near = c.named(f["neighbours"], "neighbours")
    delta = fraction(f["delta"])
    m = judged(c, near)
    pairs = ordered(near, f["neighbours"].path)
    where = f"on {near.title}"
    if "ratio" in f:
        alpha = fraction(f["ratio"])
    else:
        alpha = level_or_one(f["level"])
    if c.kind == "level-with-delta":
        demand(
            len(w) == (0 if alpha == 1 else 2),
            "$.witness",
            "pair and event, if and only if the ratio is less than 1",
        )
    if "event" in w:
        A, B = event(c, m, pairs)
        room = A * delta.denominator - delta.numerator * m.matrix.den  # den·δ.den·(P(E|i) − δ)
        left = alpha.numerator * room
        right = alpha.denominator * delta.denominator * B
        if c.kind == "not-approximately-private":
            require(
                left > right,
                "α·(P(E|i) − δ) > P(E|j)",
                "$.witness",
                ratio(A, m.matrix.den),
                ratio(B, m.matrix.den),
            )
            return f"The {m.title} is not (ε, {show(delta)})-private {where} for e^(−ε) = {show(alpha)}."
        require(room > 0, "P(E|i) > δ", "$.witness.event", ratio(A, m.matrix.den), delta)
        require(
            left == right,
            "ratio·(P(E|i) − δ) = P(E|j)",
            "$.witness",
            ratio(A, m.matrix.den),
            ratio(B, m.matrix.den),
        )
        if alpha == 0:
            return f"The {m.title} is (ε, {show(delta)})-private {where} for no ε."
    bound = delta.numerator * m.matrix.den * alpha.numerator  # both sides times δ.den
    attained = None
    scale = m.matrix.den * delta.denominator * alpha.numerator
    if c.kind == "delta":
        demand(("pair" in w) == (delta > 0), "$.witness", "a pair, if and only if δ > 0")
        if w:
            attained = tuple(node.index(len(m.inputs)) for node in w["pair"].items(2))
        else:
            attained = None
        require(
            attained is None or attained in pairs,
            "the pair is constrained",
            "$.witness",
            attained,
            "a pair of neighbours",
        )
    for i, j in pairs:
        total = excess(m.matrix, i, j, alpha) * delta.denominator
        if total > bound:
            rule = f"Σ_r max(0, x_ir − x_jr/α) ≤ δ at i = {i}, j = {j}"
            require(False, rule, "$.claim.delta", ratio(total, scale), delta)
        if (i, j) == attained and total != bound:
            require(
                False,
                "Σ_r max(0, x_ir − x_jr/α) = δ at the pair",
                "$.witness.pair",
                ratio(total, scale),
                delta,
            )
    if c.kind == "delta":
        return f"The least δ for which the {m.title} is (ε, δ)-private {where}, e^(−ε) = {show(alpha)}, is {show(delta)}."
    if c.kind == "approximately-private":
        return f"The {m.title} is (ε, {show(delta)})-private {where} for e^(−ε) = {show(alpha)}."
    return f"The largest level e^(−ε) at which the {m.title} is (ε, {show(delta)})-private {where} is {show(alpha)}."


# ── Composition ─────────────────────────────────────────────────────────────────────────────────────────────
def times(x: Fraction, y: Fraction) -> Fraction:
    """The product of two numbers, in lowest terms if they are rational."""
    charge(25, sum(v.bit_length() for of in (x, y) for v in of.as_integer_ratio()), 2)
    return ratio(x.numerator * y.numerator, x.denominator * y.denominator)


def quotients(m: Matrix, i: int, j: int) -> Iterator[tuple[int, int]]:
    """den·x_ir and den·x_jr wherever x_jr > 0."""
    charge(2 * m.width)
    return ((m.rows[i].get(r, 0), y) for r, y in m.rows[j].items() if y > 0)


def least(m: Matrix, i: int, j: int) -> Fraction:
    """The least x_ir/x_jr over the outputs with x_jr > 0; some output has it."""
    row = m.rows[j]
    charge(60 + 4 * len(row), 2 * m.bits, 2 * len(row))
    best: tuple[int, int] | None = None
    for x, y in quotients(m, i, j):
        if best is None or x * best[1] < best[0] * y:
            best = (x, y)
        else:
            best = best
    assert best is not None  # the row j sums to 1
    return ratio(*best)


def at_outputs(
    ms: Iterable[Definition], i: int, j: int, outputs: Iterable[Node]
) -> tuple[Fraction, Fraction]:
    """P(outputs | i) and P(outputs | j) when all of them run independently."""
    x = y = Fraction(1)
    for m, node in zip(ms, outputs, strict=True):
        r = node.index(len(m.outputs))
        x, y = (
            times(v, ratio(m.matrix.rows[k].get(r, 0), m.matrix.den)) for k, v in ((i, x), (j, y))
        )
    return x, y


def sequential(c: Case) -> str:
    """The quotients of the joint law at i, j are products, so the least one is the product of the
    least.
    """
    f = c.claim
    w = c.witness
    near = c.named(c.claim["neighbours"], "neighbours")
    ms = [c.named(node, "mechanism") for node in f["mechanisms"].items()]
    pairs = ordered(near, "$.claim.neighbours")
    t = fraction(f["ratio"])
    demand(ms != [], f["mechanisms"].path, "one mechanism or more")
    for m in ms:
        charge(len(m.inputs) + sum(map(len, m.inputs)) // 256)  # labels can be long
        require(
            m.inputs == near.inputs,
            "the input labels agree",
            f["mechanisms"].path,
            m.inputs,
            near.inputs,
        )
    demand(
        len(w) == (0 if t == 1 else 2),
        "$.witness",
        "pair and outputs, if and only if the ratio is less than 1",
    )
    for i, j in pairs:
        product = Fraction(1)
        for m in ms:
            product = times(product, least(m.matrix, i, j))
        require(
            product >= t,
            f"Π_k min_r x_ir/x_jr ≥ ratio at i = {i}, j = {j}",
            "$.claim.ratio",
            product,
            t,
        )
    if w:
        i, j = (node.index(len(near.inputs)) for node in w["pair"].items(2))
        require(
            (i, j) in pairs,
            "the pair is constrained",
            "$.witness.pair",
            (i, j),
            "a pair of neighbours",
        )
        x, y = at_outputs(ms, i, j, w["outputs"].items(len(ms)))
        require(y > 0, "P(outputs | j) > 0", "$.witness", y, 0)
        require(
            x == times(t, y), "P(outputs | i) = ratio · P(outputs | j)", "$.witness", x, times(t, y)
        )
    return (
        f"The largest level at which {len(ms)} independent releases about one input ({show([m.title for m in ms])}) are "
        f"private together on {near.title} is α = {show(t)}."
    )


def parallel(c: Case) -> str:
    """Neighbours differ in one part; the joint law's other factors cancel: the level is the parts'
    least.
    """
    f = c.claim
    w = c.witness
    t = fraction(c.claim["ratio"])
    demand(t < 1 or not w, "$.witness", "empty for the ratio 1")
    demand(t == 1 or len(w) == 3, "$.witness", "part, pair and output for a ratio less than 1")
    parts = [node.fields("mechanism neighbours") for node in f["parts"].items()]
    demand(parts != [], f["parts"].path, "one part or more")
    found = list[tuple[Definition, Definition]]()
    for part in parts:
        near = c.named(part["neighbours"], "neighbours")
        m = c.named(part["mechanism"], "mechanism")
        charge(len(m.inputs) + sum(map(len, m.inputs)) // 256)
        require(
            m.inputs == near.inputs,
            "the input labels agree",
            part["mechanism"].path,
            m.inputs,
            near.inputs,
        )
        found.append((m, near))
        ordered(near, part["neighbours"].path)
        if t > 0:
            check_private(m.matrix, near, t, part["mechanism"].path)
    if w:
        m, near = found[w["part"].index(len(found))]
        i, j = (node.index(len(m.inputs)) for node in w["pair"].items(2))
        require(
            (i, j) in ordered(near, "$"),
            "the pair is constrained",
            "$.witness.pair",
            (i, j),
            "a pair of neighbours",
        )
        x, y = at_outputs([m], i, j, [w["output"]])
        require(y > 0, "x_jr > 0", "$.witness", y, 0)
        require(x == times(t, y), "x_ir = ratio · x_jr", "$.witness", x, times(t, y))
    return (
        f"The largest level at which {len(found)} independent mechanisms on separate parts of a database "
        f"({show([f'{m.title} on {near.title}' for m, near in found])}) are private together is α = {show(t)}."
    )


def release(c: Case) -> str:
    """G(n, α_i)·T_(i+1) = G(n, α_(i+1)) for row-stochastic T. What a coalition sees is r_m, m its
    first member, and results computed from r_m without the input: its tightest level is that of
    G(n, α_m), which is α_m (SPEC §4.6).
    """
    n = c.claim["n"].index()
    levels = [node.level() for node in c.claim["levels"].items()]
    k = len(levels)
    demand(n > 0, "$.claim.n", "must be 1 or more")
    demand(
        all(a < b for a, b in pairwise(levels)), "$.claim.levels", "levels must increase strictly"
    )
    coalitions = c.claim["coalitions"].items()
    stages = c.witness["stages"].items(k - 1)
    demand(
        len(coalitions) + 1 == 2**k,
        "$.claim.coalitions",
        "every non-empty subset of the levels has its entry",
    )
    for node, (a, b) in zip(stages, pairwise(levels), strict=True):
        check_product(Geometric(n, a), node, Geometric(n, b))
    for mask, node in enumerate(coalitions, start=1):
        f = node.fields("members level")
        members = [i for i in range(k) if mask >> i & 1]
        demand(
            f["members"].value == members,
            f["members"].path,
            f"coalition {mask} is {members} (ordered by Σ 2^i)",
        )
        equals(
            levels[members[0]],
            f["level"],
            f"the tightest level of what the coalition {members} sees",
        )
    return (
        f"The geometric mechanisms G({n}, α), α = {show(levels)}, have a joint law in which each result is computed "
        f"from the one before, and what each of the {2**k - 1} coalitions sees has on path({n + 1}) the level of its first member."
    )


# ── A gap between two bounds, and likelihood ────────────────────────────────────────────────────────────────
def gap_between(c: Case) -> str:
    """M is α-private with this loss; some private mechanism has ≤ loss − least, and none < loss −
    most.
    """
    f = c.claim
    w = c.witness
    near = c.named(c.claim["neighbours"], "neighbours")
    alpha = c.claim["level"].level()
    consumer = c.consumer(near.inputs)
    m = c.mechanism("mechanism", near.inputs, consumer.guesses)
    check_private(m.matrix, near, alpha, "$.claim.mechanism")
    loss = loss_of(consumer, m.matrix.columns(), m.matrix.den)
    equals(loss, f["loss"], "the mechanism's loss")
    primal(
        w["primal"].fields("rows? components? remap?"),
        w["primal"].path,
        consumer,
        near,
        alpha,
        w["upper"],
    )
    bound, _ = dual_rule(w["dual"], consumer, near, alpha)
    equals(loss - w["upper"].scalar(), f["least"], "the least gap: loss − the loss of the primal")
    equals(loss - bound, f["most"], "the largest gap: loss − the dual's bound")
    require(f["least"].scalar() >= 0, "least ≥ 0", f["least"].path, f["least"].scalar(), 0)
    return (
        f"The {m.title} is (α = {show(alpha)})-private on {near.title} with {consumer.title} {show(f['loss'].scalar())}; that is "
        f"within {show(f['most'].scalar())} of the least of (α = {show(alpha)})-private mechanisms, "
        f"and no closer than {show(f['least'].scalar())}."
    )


def likelihood(c: Case) -> str:
    """Σ_y q_y ln((p′C)_y/m_y) ≤ ln Σ_x p′_x g_x ≤ ln max g (concavity), m = pC, g_x = Σ_y q_y
    C_xy/m_y.
    """
    f = c.claim
    m = c.mechanism("mechanism")
    q = stochastic(f["frequencies"].vector(m.matrix.width), f["frequencies"].path)
    p = stochastic(f["estimate"].vector(len(m.inputs)), f["estimate"].path)
    most = f["gap"].scalar()
    charge(
        4 * m.matrix.width * len(m.inputs),
        p.bits + q.bits + m.matrix.bits,
        4 * m.matrix.width * len(m.inputs),
    )
    mixed = [
        sum(x * m.matrix.rows[i].get(y, 0) for i, x in p.rows[0].items())
        for y in range(m.matrix.width)
    ]
    for y in q.rows[0]:
        require(mixed[y] > 0, "(pC)_y > 0 where q_y > 0", f["estimate"].path, y, "> 0")
    seen = [mixed[y] for y in q.rows[0]]
    if whole(*seen):
        bits = sum(x.bit_length() for x in seen)
    else:
        bits = 0
    charge(len(seen), bits, len(seen), len(seen))
    den, lifts = common(*seen)  # Σ_y over p.den·C.den/(q.den·den), and C.den cancels
    factors = {
        y: weight * p.den * lift for (y, weight), lift in zip(q.rows[0].items(), lifts, strict=True)
    }
    bound = (most.numerator + most.denominator) * q.den * den
    charge(0, bits + p.bits + q.bits + m.matrix.bits, (2 + len(m.inputs)) * len(seen))
    for i, row in enumerate(m.matrix.rows):
        total = sum(x * row.get(y, 0) for y, x in factors.items()) * most.denominator
        if total > bound:
            found = ratio(total, most.denominator * q.den * den)
            require(
                False,
                f"Σ_y q_y C_xy/(pC)_y ≤ 1 + gap at x = {i}",
                "$.claim.gap",
                found,
                ratio(bound, most.denominator * q.den * den),
            )
    return (
        f"No distribution over the inputs of the {m.title} has a mean log-likelihood of the frequencies ({entries(q)}) of its outputs "
        f"that is above the one of ({entries(p)}) by more than ln(1 + {show(most)})."
    )


DELTA = "mechanism neighbours level delta"
# kind: its function, claim keys, witness keys
CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {
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
