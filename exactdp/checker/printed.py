# SPDX-License-Identifier: MIT
"""Trusted: printed tables, the mechanisms between two bounds: what holds of all or of some (SPEC §4.15)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactdp.checker.deployed import event, excess, fraction  # loaded before (BESIDE)
from exactdp.checker.limits import charge, demand, keep, quadratic, require, show
from exactdp.checker.matrices import common, ratio, stochastic, upwards, whole
from exactdp.checker.powers import at_least, powers
from exactdp.checker.reader import Labels, Node
from exactdp.checker.rules import Case, Definition, check_private


# ── The mechanisms of a printed table ───────────────────────────────────────────────────────────────────────
@dataclass(frozen=True)
class Printed:
    """All mechanisms x with low_ir ≤ den·x_ir ≤ high_ir. Every row has one, so each row may be any
    of its own whatever the others are. In row i, spare_i = den − Σ_r low_ir and lack_i = Σ_r
    high_ir − den are ≥ 0.
    """

    title: str
    inputs: Labels
    outputs: Labels
    den: int
    low: list[list[int]]
    high: list[list[int]]
    spare: list[int]
    lack: list[int]
    bits: int


def printed_of(c: Case, near: Definition) -> Printed:
    """The printed table that the claim names, with the vertices of the neighbours as inputs."""
    name = c.claim["printed"].of(str)
    path = c.claim["printed"].path
    demand(name in c.definitions, path, "must name a printed table in definitions")
    _, f = c.definitions[name].variant("type", {"printed": "inputs outputs lower upper"})
    inputs = f["inputs"].labels()
    outputs = f["outputs"].labels()
    height = len(inputs)
    width = len(outputs)
    lower, upper = (f[key].matrix(height, width) for key in ("lower", "upper"))
    c.known[name] = Definition("printed", f"printed table {name}", inputs, outputs, lower, [])
    require(inputs == near.inputs, "the input labels agree", path, inputs, near.inputs)
    rational = all(whole(m.den, *row.values()) for m in (lower, upper) for row in m.rows)
    demand(rational, path, "the bounds must be rational")
    bits = lower.bits + upper.bits
    keep(2 * height * width + 2 * height, bits)
    charge(10 * height * width, bits, 2 * height * width)
    den, lifts = common(lower.den, upper.den)
    both = zip((lower, upper), lifts, strict=True)
    low, high = (
        [[row.get(r, 0) * lift for r in range(width)] for row in m.rows] for m, lift in both
    )
    for i, (below, above) in enumerate(zip(low, high, strict=True)):
        for r, (x, y) in enumerate(zip(below, above, strict=True)):
            if not 0 <= x <= y:
                require(x >= 0, f"lower ≥ 0 at i = {i}, r = {r}", path, ratio(x, den), 0)
                require(
                    x <= y, f"lower ≤ upper at i = {i}, r = {r}", path, ratio(x, den), ratio(y, den)
                )
        least = sum(below)
        most = sum(above)
        if not least <= den <= most:
            require(least <= den, f"Σ lower ≤ 1, in row {i}", path, ratio(least, den), 1)
            require(most >= den, f"Σ upper ≥ 1, in row {i}", path, ratio(most, den), 1)
    spare = [den - sum(row) for row in low]
    lack = [sum(row) - den for row in high]
    return Printed(f"printed table {name}", inputs, outputs, den, low, high, spare, lack, bits)


def member(p: Printed, node: Node) -> Definition:
    """A mechanism of the printed table."""
    x = stochastic(node.matrix(len(p.inputs), len(p.outputs)), node.path)
    charge(8 * len(p.inputs) * len(p.outputs), x.bits + p.bits, 3 * len(p.inputs) * len(p.outputs))
    for i, (row, low, high) in enumerate(zip(x.rows, p.low, p.high, strict=True)):
        for r, (least, most) in enumerate(zip(low, high, strict=True)):
            entry = row.get(r, 0) * p.den
            if not (entry >= least * x.den and entry <= most * x.den):
                rule = f"{show(ratio(least, p.den))} ≤ x_ir ≤ {show(ratio(most, p.den))} at i = {i}, r = {r}"
                require(False, rule, node.path, ratio(row.get(r, 0), x.den), "between the bounds")
    return Definition("mechanism", "mechanism of the witness", p.inputs, p.outputs, x, [])


def scaled_pairs(near: Definition, unit: Fraction) -> list[tuple[int, int, Fraction]]:
    """The pairs with (d/√unit)²."""
    bits = max(
        (x.bit_length() for *_, square in near.pairs for x in square.as_integer_ratio()), default=0
    )
    bits += max(map(int.bit_length, unit.as_integer_ratio()))
    charge(
        len(near.pairs) * (100 + 4 * quadratic(bits, bits)) if unit != 1 else 10 * len(near.pairs),
        bits,
        held=4 * len(near.pairs),
    )
    if unit == 1:
        return near.pairs
    return [
        (i, j, ratio(x.numerator * unit.denominator, x.denominator * unit.numerator))
        for i, j, x in near.pairs
    ]


def most_private(p: Printed, near: Definition, alpha: Fraction, unit: Fraction) -> None:
    """All are t-private, t = α^(1/√unit): least_ir ≥ t^d(i,j)·most_jr for each pair, in both
    orders, and each output r, where these are the least and the largest entries of the
    mechanisms.
    """
    cells = len(p.inputs) * len(p.outputs)
    asked = 2 * len(near.pairs) * len(p.outputs)
    keep(2 * cells, p.bits)
    charge(20 * cells, p.bits)
    least = [
        [max(x, y - lack) for x, y in zip(*row, strict=True)]
        for *row, lack in zip(p.low, p.high, p.lack, strict=True)
    ]
    most = [
        [min(y, x + spare) for x, y in zip(*row, strict=True)]
        for *row, spare in zip(p.low, p.high, p.spare, strict=True)
    ]
    a, b = alpha.as_integer_ratio()
    charge(
        5 * asked,
        p.bits + a.bit_length() + b.bit_length(),
        2 * asked * (p.bits > 64 or not whole(a, b)),
    )
    for first, second, d in scaled_pairs(near, unit):
        one = d == 1
        for i, j in ((first, second), (second, first)):
            for r, (x, y) in enumerate(zip(least[i], most[j], strict=True)):
                if not (x >= y or (x * b >= y * a if one else at_least(x, y, alpha, d))):  # t^d ≤ 1
                    rule = f"least x_ir ≥ ({show(alpha)})^d · largest x_jr at i = {i}, j = {j}, r = {r}, d² = {show(d)}"
                    require(False, rule, "$.claim.printed", ratio(x, p.den), ratio(y, p.den))


# ── Pairs, and bounds of linear functions ───────────────────────────────────────────────────────────────────
Pair = tuple[int, int, Any]


def ordered(near: Definition, alpha: Fraction, unit: Fraction = Fraction(1)) -> list[Pair]:
    """The pairs in both orders, (i, j) before (j, i) for i < j, with t^d(i,j); t = α^(1/√unit).
    For equal distances it is one object.
    """
    charge(60 * len(near.pairs) + 20, held=4 * len(near.pairs))
    same = isinstance(alpha, Fraction) and alpha in (0, 1)  # as is every power
    scaled = scaled_pairs(near, unit)
    if same:
        found = {}
    else:
        found = powers(alpha, [square for *_, square in scaled], "$.claim")
    each = [(i, j, alpha if same else found[square]) for i, j, square in scaled]
    return [pair for i, j, power in each for pair in ((i, j, power), (j, i, power))]


@dataclass(frozen=True)
class Multiplied:
    """S = Σ z_cr (x_ir − α^d·x_jr) over the ordered pairs c = (i, j) and outputs r, z ≥ 0. Each
    mechanism x of the table has S ≤ most; an (ε, δ)-private one S ≥ −δ·weight, weight = Σ_c
    α^d·max_r z_cr: so it is if z_c is an event E, α^d·P(E|j) ≤ P(E|i) + α^d·δ, and z_c/max_r
    z_cr is a convex sum of events. All three are over den.
    """

    most: Any
    weight: Any
    den: Any

    def excludes(self, delta: Fraction, strictly: bool, rule: str, path: str) -> None:
        """Most < −δ·weight, or ≤: none is (ε, δ)-private, or none for a smaller δ if the weight is
        > 0.
        """
        bits = sum(
            x.bit_length()
            for x in (self.most, self.weight, self.den, delta.numerator, delta.denominator)
        )
        charge(2, bits, 4)
        left = self.most * delta.denominator
        right = -(self.weight * delta.numerator)
        if not (left < right if strictly else left <= right):
            require(
                False,
                rule,
                path,
                ratio(self.most, self.den),
                ratio(right, self.den * delta.denominator),
            )


def multiplied(p: Printed, pairs: list[Pair], multipliers: Node, potentials: Node) -> Multiplied:
    """S = Σ g_ir x_ir = Σ_i μ_i + Σ_ir (g_ir − μ_i)·x_ir, since rows sum to 1, for potentials μ.
    Each of the last terms is largest at an end of its entry.
    """
    height = len(p.inputs)
    width = len(p.outputs)
    z = multipliers.matrix(len(pairs), width)
    mu = potentials.vector(height)
    charge(10 * len(pairs), held=len(pairs))
    distinct = list({id(power): power for *_, power in pairs}.values())
    scale, up = common(*(power.denominator for power in distinct))
    top = max((power.numerator.bit_length() for power in distinct), default=0) + scale.bit_length()
    charge(10 * len(distinct), top, 2 * len(distinct), held=len(distinct))
    # scale·α^d
    lifted = {id(power): power.numerator * lift for power, lift in zip(distinct, up, strict=True)}
    used = sum(map(len, z.rows))
    bits = z.bits + mu.bits + top + p.bits + len(pairs).bit_length() + 2
    charge(
        20 * (height * width + len(pairs) + used),
        bits,
        4 * (height * width + len(pairs) + used),
        held=2 * height * width,
    )
    g = [[0] * width for _ in range(height)]  # over z.den·scale
    weight: Any = 0
    for k, ((i, j, power), row) in enumerate(zip(pairs, z.rows, strict=True)):
        largest: Any = 0
        for r, x in row.items():
            if not x >= 0:
                require(
                    False, f"multipliers ≥ 0, at pair {k}", multipliers.path, ratio(x, z.den), 0
                )
            if x > largest:
                largest = x
            else:
                largest = largest
            g[i][r] += x * scale
            g[j][r] -= x * lifted[id(power)]
        weight += largest * lifted[id(power)]
    most: Any = 0
    for i, coefficients in enumerate(g):
        potential = mu.rows[0].get(i, 0) * (z.den * scale)
        most += potential * p.den
        for r, x in enumerate(coefficients):
            slope = x * mu.den - potential
            most += slope * (p.high[i][r] if upwards(slope) else p.low[i][r])
    lift = mu.den * p.den
    return Multiplied(most, weight * lift, z.den * scale * lift)


# ── Privacy ─────────────────────────────────────────────────────────────────────────────────────────────────
def positive_level(node: Node) -> Fraction:
    """A number α = e^(−ε) with 0 < α ≤ 1."""
    demand(0 < node.scalar() <= 1, node.path, "must satisfy 0 < level ≤ 1")
    return node.scalar()


def cell(c: Case, near: Definition, x: Definition) -> tuple[int, int, Any, Any, Fraction]:
    """Two numbers of the witness's mechanism x, over its denominator: x_ir and x_jr, with d(i,
    j)².
    """
    (i, j) = (node.index(len(x.inputs)) for node in c.witness["pair"].items(2))
    r = c.witness["output"].index(len(x.outputs))
    charge(4 * len(near.pairs))
    squares = [square for a, b, square in near.pairs if (a, b) in ((i, j), (j, i))]
    require(
        squares != [],
        "the pair is constrained",
        "$.witness.pair",
        (i, j),
        f"a pair on {near.title}",
    )
    return i, j, x.matrix.rows[i].get(r, 0), x.matrix.rows[j].get(r, 0), squares[0]


def privacy(c: Case) -> str:
    """all-tables-private, not-all-tables-private, some-table-private and no-table-private."""
    near = c.named(c.claim["neighbours"], "neighbours")
    p = printed_of(c, near)
    alpha = positive_level(c.claim["level"])
    of = f"mechanism within the {p.title} is"
    end = f"(α = {show(alpha)})-private on {near.title}"
    if c.kind == "all-tables-private":
        most_private(p, near, alpha, Fraction(1))
        return f"Every {of} {end}."
    if c.kind == "no-table-private":
        S = multiplied(p, ordered(near, alpha), c.witness["multipliers"], c.witness["potentials"])
        S.excludes(Fraction(0), True, "Σ z_cr (x_ir − α^d·x_jr) < 0", "$.witness")
        return f"No {of} {end}."
    x = member(p, c.witness["table"])
    if c.kind == "some-table-private":
        check_private(x.matrix, near, alpha, "$.witness.table")
        return f"Some {of} {end}."
    _, _, a, b, square = cell(c, near, x)
    require(
        not at_least(a, b, alpha, square),
        "x_ir < α^d · x_jr",
        "$.witness",
        ratio(a, x.matrix.den),
        ratio(b, x.matrix.den),
    )
    return f"Not every {of} {end}."


def level_at(c: Case, near: Definition) -> tuple[Printed, Fraction, Fraction]:
    """The printed table, and the ratio and distance² of the level t = ratio^(1/distance)."""
    alpha = fraction(c.claim["ratio"])
    unit = c.claim["distance"].distance()
    demand(unit == 1 or 0 < alpha < 1, "$.claim", "distance 1 with the ratio 0 or 1")
    return printed_of(c, near), alpha, unit


def level_text(c: Case, alpha: Fraction) -> str:
    """The level, in a sentence."""
    distance = c.claim["distance"].of(str)
    if distance == "1":
        return show(alpha)
    return f"({show(alpha)})^(1/({show(distance)}))"


def level_of_all(c: Case) -> str:
    """The least of their largest levels, t = ratio^(1/distance): all are t-private, one no better."""
    w = c.witness
    near = c.named(c.claim["neighbours"], "neighbours")
    p, alpha, unit = level_at(c, near)
    demand(
        len(w) == (3 if alpha < 1 else 0),
        "$.witness",
        "table, pair and output, if and only if the ratio is less than 1",
    )
    if w:
        x = member(p, w["table"])
        _, _, a, b, square = cell(c, near, x)
        left = ratio(a, x.matrix.den)
        right = ratio(b, x.matrix.den)
        require(b > 0, "x_jr > 0", "$.witness", right, 0)
        require(
            a * alpha.denominator == b * alpha.numerator,
            "x_ir = ratio · x_jr",
            "$.witness",
            left,
            right,
        )
        require(alpha == 0 or square == unit, "d(i, j)² = distance²", "$.witness", square, unit)
    if alpha == 0:
        return f"Some mechanism within the {p.title} is private at no level on {near.title}."
    most_private(p, near, alpha, unit)
    return f"The largest level at which every mechanism within the {p.title} is private on {near.title} is α = {level_text(c, alpha)}."


def level_of_some(c: Case) -> str:
    """The largest of their largest levels, t: one is t-private, and none is β-private for t < β ≤
    1. For S(β) = Σ z_cr (x_ir − β^d·x_jr) < 0: it is S(1) < 0 if all z_cr·x_jr are 0, else
    below S(t) ≤ 0.
    """
    w = c.witness
    near = c.named(c.claim["neighbours"], "neighbours")
    p, alpha, unit = level_at(c, near)
    demand(
        ("table" in w) == (alpha > 0), "$.witness", "a table, if and only if the ratio is positive"
    )
    demand(
        len({*w} - {"table"}) == (3 if alpha < 1 else 0),
        "$.witness",
        "multipliers, potentials and last, if and only if the ratio is less than 1",
    )
    if "table" in w:
        check_private(member(p, w["table"]).matrix, near, alpha, "$.witness.table", unit)
    if "multipliers" in w:
        S = multiplied(p, ordered(near, alpha, unit), w["multipliers"], w["potentials"])
        S.excludes(Fraction(0), False, "Σ z_cr (x_ir − t^d·x_jr) ≤ 0", "$.witness.potentials")
        S = multiplied(p, ordered(near, Fraction(1)), w["multipliers"], w["last"])
        S.excludes(Fraction(0), True, "Σ z_cr (x_ir − x_jr) < 0", "$.witness.last")
    if alpha == 0:
        return f"No mechanism within the {p.title} is private at any level on {near.title}."
    return f"The largest level at which some mechanism within the {p.title} is private on {near.title} is α = {level_text(c, alpha)}."


# ── (ε, δ): α^d·P(E|i) ≤ P(E|j) + α^d·δ ─────────────────────────────────────────────────────────────────────
Fixed = tuple[int, bool, Any] | None  # an output, whether it is in E, and what was fixed before


def below_for_every_event(p: Printed, pair: Pair, delta: Fraction, steps: Node) -> None:
    """P(E|x_i) − P(E|x_j)/α^d ≤ δ for all events E and all mechanisms x of the table. P(E|x_i) is
    at most Σ_E high_ir and at most spare_i + Σ_E low_ir, so at most s and 1 − s times these;
    P(E|x_j) is at least Σ_E low_jr and Σ_E high_jr − lack_j, so at least t and 1 − t times
    these. That is c + Σ_E w_r, and at most c + Σ w_r over the outputs fixed in E + Σ max(0,
    w_r) over those not fixed.
    """
    i, j, power = pair
    low = p.low
    high = p.high
    width = len(p.outputs)
    P = power.numerator
    Q = power.denominator
    still: list[Fixed] = [None]  # sets of events that have no bound yet
    for step in steps.items():
        demand(still != [], step.path, "every event has a bound before this step")
        fixed = still.pop()
        charge(60)
        # a split: the events with this output come before those without
        if isinstance(step.value, int):
            r = step.index(width)
            still += [(r, False, fixed), (r, True, fixed)]
            continue
        s, t = (fraction(node) for node in step.items(2))
        inside = dict[int, bool]()
        while fixed:
            charge(20)
            r, side, fixed = fixed
            inside.setdefault(r, side)
        (a, b) = s.as_integer_ratio()
        (u, v) = t.as_integer_ratio()
        size = P.bit_length() + Q.bit_length() + 2 * b.bit_length() + 2 * v.bit_length() + p.bits
        charge(20 * width, size, 8 * width)
        charge(0, size + delta.numerator.bit_length() + delta.denominator.bit_length(), 4)
        total: Any = P * (v * (b - a) * p.spare[i]) + Q * (b * (v - u) * p.lack[j])
        for r in range(width):
            weight = P * (v * (a * high[i][r] + (b - a) * low[i][r])) - Q * (
                b * (u * low[j][r] + (v - u) * high[j][r])
            )
            if inside[r] if r in inside else upwards(weight):
                total += weight
        bound = P * (delta.numerator * b * v * p.den)
        if total * delta.denominator > bound:
            rule = f"c + Σ w_r ≤ δ at i = {i}, j = {j}"
            require(False, rule, step.path, ratio(total, P * (b * v * p.den)), delta)
    demand(still == [], steps.path, "there are events without a bound")


def delta_of(x: Definition, pairs: list[Pair], delta: Fraction) -> None:
    """The mechanism is (ε, δ)-private: Σ_r max(0, α^d·x_ir − x_jr) ≤ α^d·δ."""
    for i, j, power in pairs:
        total = excess(x.matrix, i, j, power) * delta.denominator
        bound = power.numerator * delta.numerator * x.matrix.den
        if total > bound:
            rule = f"Σ_r max(0, x_ir − x_jr/α^d) ≤ δ at i = {i}, j = {j}"
            scale = power.numerator * delta.denominator * x.matrix.den
            require(False, rule, "$.witness.table", ratio(total, scale), delta)


def needs(c: Case, x: Definition, pairs: list[Pair], delta: Fraction, attained: bool) -> None:
    """At the witness's pair and event the mechanism needs more than δ; or, attained, δ itself."""
    charge(10 * len(pairs), held=len(pairs))
    A, B = event(c, x, [(i, j) for i, j, _ in pairs])
    at = tuple(node.value for node in c.witness["pair"].items(2))
    den = x.matrix.den
    power = next(power for i, j, power in pairs if (i, j) == at)
    factors = (den, power.numerator, power.denominator, delta.numerator, delta.denominator)
    charge(0, x.matrix.bits + sum(y.bit_length() for y in factors), 6)
    left = power.numerator * (A * delta.denominator - delta.numerator * den)
    right = power.denominator * (delta.denominator * B)
    rule = f"α^d·(P(E|i) − δ) {'=' if attained else '>'} P(E|j)"
    require(
        left == right if attained else left > right,
        rule,
        "$.witness.event",
        ratio(A, den),
        ratio(B, den),
    )


def approximate(c: Case) -> str:
    """The six kinds about (ε, δ)."""
    f = c.claim
    w = c.witness
    near = c.named(c.claim["neighbours"], "neighbours")
    p = printed_of(c, near)
    delta = fraction(f["delta"])
    alpha = positive_level(f["level"])
    pairs = ordered(near, alpha)
    of = f"mechanism within the {p.title} is"
    end = f"-private on {near.title} for e^(−ε) = {show(alpha)}"
    if c.kind in ("all-tables-approximately-private", "delta-of-all-tables"):
        for pair, steps in zip(pairs, w["bounds"].items(len(pairs)), strict=True):
            below_for_every_event(p, pair, delta, steps)
    if c.kind == "all-tables-approximately-private":
        return f"Every {of} (ε, {show(delta)}){end}."
    if c.kind == "no-table-approximately-private":
        S = multiplied(p, pairs, w["multipliers"], w["potentials"])
        S.excludes(delta, True, "Σ z_cr (x_ir − α^d·x_jr) < −δ·Σ_c α^d·max_r z_cr", "$.witness")
        return f"No {of} (ε, {show(delta)}){end}."
    if c.kind == "delta-of-all-tables":
        demand(
            len(w) == (4 if delta > 0 else 1),
            "$.witness",
            "table, pair and event, if and only if δ > 0",
        )
        if delta > 0:
            needs(c, member(p, w["table"]), pairs, delta, attained=True)
        return f"The least δ for which every {of} (ε, δ){end} is {show(delta)}."
    x = member(p, w["table"])
    if c.kind == "not-all-tables-approximately-private":
        needs(c, x, pairs, delta, attained=False)
        return f"Not every {of} (ε, {show(delta)}){end}."
    delta_of(x, pairs, delta)
    if c.kind == "some-table-approximately-private":
        return f"Some {of} (ε, {show(delta)}){end}."
    demand(
        len(w) == (3 if delta > 0 else 1),
        "$.witness",
        "multipliers and potentials, if and only if δ > 0",
    )
    if delta > 0:
        # for δ′ < δ there is none: S < −δ′·weight
        S = multiplied(p, pairs, w["multipliers"], w["potentials"])
        require(S.weight > 0, "Σ_c α^d·max_r z_cr > 0", "$.witness.multipliers", S.weight, 0)
        S.excludes(delta, False, "Σ z_cr (x_ir − α^d·x_jr) ≤ −δ·Σ_c α^d·max_r z_cr", "$.witness")
    return f"The least δ for which some {of} (ε, δ){end} is {show(delta)}."


AT, DELTA = "printed neighbours level", "printed neighbours level delta"
# kind: its function, claim keys, witness keys
CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {
    "all-tables-private": (privacy, AT, ""),
    "not-all-tables-private": (privacy, AT, "table pair output"),
    "some-table-private": (privacy, AT, "table"),
    "no-table-private": (privacy, AT, "multipliers potentials"),
    "level-of-all-tables": (
        level_of_all,
        "printed neighbours ratio distance",
        "table? pair? output?",
    ),
    "level-of-some-table": (
        level_of_some,
        "printed neighbours ratio distance",
        "table? multipliers? potentials? last?",
    ),
    "all-tables-approximately-private": (approximate, DELTA, "bounds"),
    "not-all-tables-approximately-private": (approximate, DELTA, "table pair event"),
    "some-table-approximately-private": (approximate, DELTA, "table"),
    "no-table-approximately-private": (approximate, DELTA, "multipliers potentials"),
    "delta-of-all-tables": (approximate, DELTA, "bounds table? pair? event?"),
    "delta-of-some-table": (approximate, DELTA, "table multipliers? potentials?"),
}
