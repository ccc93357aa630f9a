# SPDX-License-Identifier: MIT
"""Trusted: printed tables: what holds of all mechanisms between bounds, or of some (SPEC §4.15).

Theorems stand in proofs/coq/PrintedTables.v.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactdp.checker.arithmetic import (
    common,
    dot,
    grid,
    longest,
    product,
    ratio,
    scaled,
    upwards,
    whole,
)
from exactdp.checker.claims import Claims
from exactdp.checker.deployed import event, fraction
from exactdp.checker.deployed import level_or_one as positive_level
from exactdp.checker.limits import demand, require, show
from exactdp.checker.matrices import Matrix, Row, excess, pairs_of_rows, stochastic, walked
from exactdp.checker.powers import at_least, powers
from exactdp.checker.reader import Labels, Node, chained
from exactdp.checker.rules import Case, Definition, check_private, same_labels, scaled_square


# ── The mechanisms of a printed table ───────────────────────────────────────────────────────────
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


def printed_of(c: Case, near: Definition) -> Printed:
    """The printed table that the claim names, with the vertices of the neighbours as inputs."""
    name, path = c.claim["printed"].of(str), c.claim["printed"].path
    demand(name in c.definitions, path, "must name a printed table in definitions")
    _, f = c.definitions[name].variant("type", {"printed": "inputs outputs lower upper"})
    inputs, outputs = f["inputs"].labels(), f["outputs"].labels()
    lower, upper = (f[key].matrix(len(inputs), len(outputs)) for key in ("lower", "upper"))
    c.known[name] = Definition("printed", f"printed table {name}", inputs, outputs, lower, [])
    same_labels("input", inputs, near.inputs, path)
    rational = all(whole(m.den, *row.values()) for m in (lower, upper) for row in m.rows)
    demand(rational, path, "the bounds must be rational")

    # Both over one denominator.
    den, (of_lower, of_upper) = common(lower.den, upper.den)
    low = lower.full(of_lower)
    high = upper.full(of_upper)
    for i, (below, above) in enumerate(zip(low, high, strict=True)):
        for r, (x, y) in enumerate(zip(below, above, strict=True)):
            if x < 0:
                require(False, f"lower ≥ 0 at i = {i}, r = {r}", path, ratio(x, den), 0)
            if x > y:
                rule = f"lower ≤ upper at i = {i}, r = {r}"
                require(False, rule, path, ratio(x, den), ratio(y, den))
        least, most = sum(below), sum(above)
        if least > den:
            require(False, f"Σ lower ≤ 1, in row {i}", path, ratio(least, den), 1)
        if most < den:
            require(False, f"Σ upper ≥ 1, in row {i}", path, ratio(most, den), 1)
    spare = [den - sum(row) for row in low]
    lack = [sum(row) - den for row in high]
    return Printed(f"printed table {name}", inputs, outputs, den, low, high, spare, lack)


def member(p: Printed, node: Node) -> Definition:
    """A mechanism of the printed table."""
    x = stochastic(node.matrix(len(p.inputs), len(p.outputs)), node.path)
    for i, row in enumerate(x.rows):
        entries = x.entries(i, p.den)
        least = scaled(p.low[i], x.den)
        most = scaled(p.high[i], x.den)
        for r, entry in enumerate(entries):
            if not (entry >= least[r] and entry <= most[r]):
                low, high = (ratio(bound[i][r], p.den) for bound in (p.low, p.high))
                rule = f"{show(low)} ≤ x_ir ≤ {show(high)} at i = {i}, r = {r}"
                found = ratio(row.get(r, 0), x.den)
                require(False, rule, node.path, found, "between the bounds")
    return Definition("mechanism", "mechanism of the witness", p.inputs, p.outputs, x, [])


def most_private(p: Printed, near: Definition, alpha: Fraction, unit: Fraction) -> None:
    """All are t-private, t = α^(1/√unit): least_ir ≥ t^d(i,j)·most_jr for each pair, in both
    orders, and each output r, where these are the least and the largest entries of the
    mechanisms.
    """
    # Theorem: largest_mass, least_mass, every_private.
    least, most = list[list[int]](), list[list[int]]()
    for low, high, spare, lack in zip(p.low, p.high, p.spare, p.lack, strict=True):
        least.append([max(x, y - lack) for x, y in zip(low, high, strict=True)])
        most.append([min(y, x + spare) for x, y in zip(low, high, strict=True)])
    a, b = alpha.as_integer_ratio()
    each = pairs_of_rows(least, most, near.pairs, longest((a, b)))
    for i, j, square, below, above in each:
        d = scaled_square(square, unit)
        for r, (x, y) in enumerate(zip(below, above, strict=True)):
            # t^d ≤ 1: entries that are as large need no power.
            if x >= y:
                continue
            holds = x * b >= y * a if d == 1 else at_least(x, y, alpha, d)
            if not holds:
                where = f"i = {i}, j = {j}, r = {r}, d² = {show(d)}"
                rule = f"least x_ir ≥ ({show(alpha)})^d · largest x_jr at {where}"
                require(False, rule, "$.claim.printed", ratio(x, p.den), ratio(y, p.den))


# ── Pairs, and bounds of linear functions ───────────────────────────────────────────────────────
Pair = tuple[int, int, Any]


def ordered(near: Definition, alpha: Fraction, unit: Fraction = Fraction(1)) -> list[Pair]:
    """The pairs in both orders, (i, j) before (j, i) for i < j, with t^d(i,j); t = α^(1/√unit).
    For equal distances it is one object.
    """
    squares = [scaled_square(square, unit) for square in near.squares]
    # Of 0 and 1 every power is the same.
    if isinstance(alpha, Fraction) and alpha in (0, 1):
        found = [alpha for _ in squares]
    else:
        by_square = powers(alpha, squares, "$.claim")
        found = [by_square[square] for square in squares]
    result = list[Pair]()
    for (i, j, _), power in zip(walked(near.pairs, 12, held=2), found, strict=True):
        result += [(i, j, power), (j, i, power)]
    return result


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
        # Theorem: none_private, no_larger_level, multiplied_ge, none_approximate, no_smaller_delta.
        left = product(self.most, delta.denominator)
        right = -product(self.weight, delta.numerator)
        holds = left < right if strictly else left <= right
        if not holds:
            bound = ratio(right, product(self.den, delta.denominator))
            require(False, rule, path, ratio(self.most, self.den), bound)


def multiplied(p: Printed, pairs: list[Pair], multipliers: Node, potentials: Node) -> Multiplied:
    """S = Σ_ir g_ir x_ir for coefficients g. Rows of x sum to 1, so that for all potentials μ
    S = Σ_i μ_i + Σ_ir (g_ir − μ_i)·x_ir, where each term is largest at an end of its entry.
    """
    # Theorem: multiplied_le.
    z = multipliers.matrix(len(pairs), len(p.outputs))
    mu = potentials.vector(len(p.inputs))

    # The powers α^d over one denominator `scale`; few of them are different objects.
    distinct = list({id(power): power for *_, power in pairs}.values())
    scale, lifts = common(*(power.denominator for power in distinct))
    raised = dict[int, Any]()
    for power, lift in zip(distinct, lifts, strict=True):
        raised[id(power)] = product(power.numerator, lift)

    # g and the weight, over z.den·scale.
    g = grid(len(p.inputs), len(p.outputs))
    weight: Any = 0
    for k, ((i, j, power), row) in enumerate(zip(pairs, z.rows, strict=True)):
        numerator = raised[id(power)]
        largest = largest_multiplier(row, z.den, k, multipliers.path)
        weight += product(largest, numerator)
        for r, x in row.items():
            g[i][r] += product(x, scale)
            g[j][r] -= product(x, numerator)

    # The bound of S, over z.den·scale·μ.den·p.den; and the weight over the same.
    unit = product(z.den, scale)
    most = largest_sum(p, g, unit, mu)
    lift = product(mu.den, p.den)
    return Multiplied(most, product(weight, lift), product(unit, lift))


def largest_multiplier(row: Row, den: Any, k: int, path: str) -> Any:
    """max_r z_kr of a pair, all of whose multipliers z_kr are ≥ 0."""
    largest: Any = 0
    for x in row.values():
        if not x >= 0:
            require(False, f"multipliers ≥ 0, at pair {k}", path, ratio(x, den), 0)
        largest = max(largest, x)
    return largest


def largest_sum(p: Printed, g: list[list[Any]], unit: Any, mu: Matrix) -> Any:
    """unit·μ.den·p.den times the largest Σ_i μ_i + Σ_ir (g_ir/unit − μ_i)·x_ir between the
    bounds.
    """
    most: Any = 0
    for i, coefficients in enumerate(g):
        potential = product(mu.rows[0].get(i, 0), unit)
        slopes = [x - potential for x in scaled(coefficients, mu.den)]
        ends = [p.high[i][r] if upwards(slope) else p.low[i][r] for r, slope in enumerate(slopes)]
        most += product(potential, p.den)
        most += dot(slopes, ends)
    return most


# ── Privacy ─────────────────────────────────────────────────────────────────────────────────────
def cell(c: Case, near: Definition, x: Definition) -> tuple[Any, Any, Fraction]:
    """Two numbers of the witness's mechanism x, over its denominator: x_ir and x_jr, with d(i,
    j)².
    """
    r = c.witness["output"].index(len(x.outputs))
    i, j = (node.index(len(x.inputs)) for node in c.witness["pair"].items(2))
    squares = [square for a, b, square in near.pairs if (a, b) in ((i, j), (j, i))]
    where = f"a pair on {near.title}"
    require(squares != [], "the pair is constrained", "$.witness.pair", (i, j), where)
    return x.matrix.rows[i].get(r, 0), x.matrix.rows[j].get(r, 0), squares[0]


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
        pairs = ordered(near, alpha)
        S = multiplied(p, pairs, c.witness["multipliers"], c.witness["potentials"])
        S.excludes(Fraction(0), True, "Σ z_cr (x_ir − α^d·x_jr) < 0", "$.witness")
        return f"No {of} {end}."
    x = member(p, c.witness["table"])
    if c.kind == "some-table-private":
        check_private(x.matrix, near, alpha, "$.witness.table")
        return f"Some {of} {end}."
    a, b, square = cell(c, near, x)
    left, right = ratio(a, x.matrix.den), ratio(b, x.matrix.den)
    require(not at_least(a, b, alpha, square), "x_ir < α^d · x_jr", "$.witness", left, right)
    return f"Not every {of} {end}."


def level_at(c: Case, near: Definition) -> tuple[Printed, Fraction, Fraction]:
    """The printed table, and the ratio and distance² of the level t = ratio^(1/distance)."""
    alpha, unit = fraction(c.claim["ratio"]), c.claim["distance"].distance()
    possible = unit == 1 or 0 < alpha < 1
    demand(possible, "$.claim", "distance 1 with the ratio 0 or 1")
    return printed_of(c, near), alpha, unit


def level_text(c: Case, alpha: Fraction) -> str:
    """The level, in a sentence."""
    distance = c.claim["distance"].of(str)
    if distance == "1":
        return show(alpha)
    return f"({show(alpha)})^(1/({show(distance)}))"


def level_of_all(c: Case) -> str:
    """The least of their largest levels, t = ratio^(1/distance): all are t-private, and one is no
    better.
    """
    near = c.named(c.claim["neighbours"], "neighbours")
    p, alpha, unit = level_at(c, near)
    expected = 3 if alpha < 1 else 0
    rule = "table, pair and output, if and only if the ratio is less than 1"
    demand(len(c.witness) == expected, "$.witness", rule)
    if c.witness:
        x = member(p, c.witness["table"])
        a, b, square = cell(c, near, x)
        left, right = ratio(a, x.matrix.den), ratio(b, x.matrix.den)
        require(b > 0, "x_jr > 0", "$.witness", right, 0)
        equal = product(a, alpha.denominator) == product(b, alpha.numerator)
        require(equal, "x_ir = ratio · x_jr", "$.witness", left, right)
        at_unit = alpha == 0 or square == unit
        require(at_unit, "d(i, j)² = distance²", "$.witness", square, unit)
    of = f"mechanism within the {p.title} is private"
    if alpha == 0:
        return f"Some {of} at no level on {near.title}."
    most_private(p, near, alpha, unit)
    level = level_text(c, alpha)
    return f"The largest level at which every {of} on {near.title} is α = {level}."


def level_of_some(c: Case) -> str:
    """The largest of their largest levels, t: one is t-private, and none is β-private for t < β ≤
    1. For S(β) = Σ z_cr (x_ir − β^d·x_jr) < 0: it is S(1) < 0 if all z_cr·x_jr are 0, else
    below S(t) ≤ 0.
    """
    w, near = c.witness, c.named(c.claim["neighbours"], "neighbours")
    p, alpha, unit = level_at(c, near)
    demand(
        ("table" in w) == (alpha > 0), "$.witness", "a table, if and only if the ratio is positive"
    )
    expected = 3 if alpha < 1 else 0
    rule = "multipliers, potentials and last, if and only if the ratio is less than 1"
    demand(len({*w} - {"table"}) == expected, "$.witness", rule)
    if "table" in w:
        x = member(p, w["table"])
        check_private(x.matrix, near, alpha, "$.witness.table", unit)
    if "multipliers" in w:
        S = multiplied(p, ordered(near, alpha, unit), w["multipliers"], w["potentials"])
        rule = "Σ z_cr (x_ir − t^d·x_jr) ≤ 0"
        S.excludes(Fraction(0), False, rule, "$.witness.potentials")
        S = multiplied(p, ordered(near, Fraction(1)), w["multipliers"], w["last"])
        S.excludes(Fraction(0), True, "Σ z_cr (x_ir − x_jr) < 0", "$.witness.last")
    of = f"mechanism within the {p.title} is private"
    if alpha == 0:
        return f"No {of} at any level on {near.title}."
    level = level_text(c, alpha)
    return f"The largest level at which some {of} on {near.title} is α = {level}."


# ── (ε, δ): α^d·P(E|i) ≤ P(E|j) + α^d·δ ─────────────────────────────────────────────────────────
Fixed = tuple[tuple[int, bool], Any] | None
"""An output, with whether it is in E; and what was fixed before."""


def below_for_every_event(p: Printed, pair: Pair, delta: Fraction, steps: Node) -> None:
    """P(E|x_i) − P(E|x_j)/α^d ≤ δ for all events E and all mechanisms x of the table. P(E|x_i) is
    at most Σ_E high_ir and at most spare_i + Σ_E low_ir, so at most s and 1 − s times these;
    P(E|x_j) is at least Σ_E low_jr and Σ_E high_jr − lack_j, so at least t and 1 − t times
    these. That is c + Σ_E w_r, and at most c + Σ w_r over the outputs fixed in E + Σ max(0,
    w_r) over those not fixed.
    """
    # Theorem: leaf_le, every_approximate.
    still: list[Fixed] = [None]  # sets of events that have no bound yet
    for step in steps.items():
        demand(still != [], step.path, "every event has a bound before this step")
        fixed = still.pop()
        if isinstance(step.value, int):
            # A split: the events with this output come before those without.
            r = step.index(len(p.outputs))
            still += [((r, False), fixed), ((r, True), fixed)]
        else:
            s, t = (fraction(node) for node in step.items(2))
            bound_at_leaf(p, pair, delta, fixed, (s, t), step.path)
    demand(still == [], steps.path, "there are events without a bound")


def bound_at_leaf(
    p: Printed, pair: Pair, delta: Fraction, fixed: Fixed, by: tuple[Fraction, Fraction], path: str
) -> None:
    """The bound by s and t: c + Σ w_r ≤ δ over the outputs fixed in E, and those not fixed with w_r
    > 0, for c = (1 − s)·spare_i + (1 − t)·lack_j/α^d and
    w_r = s·high_ir + (1 − s)·low_ir − (t·low_jr + (1 − t)·high_jr)/α^d.
    """
    i, j, power = pair
    (a, b), (u, v) = (x.as_integer_ratio() for x in by)
    P, Q = power.numerator, power.denominator

    # The factors s, 1 − s, t/α^d and (1 − t)/α^d, times P·b·v; s = a/b, t = u/v, α^d = P/Q.
    of_i, of_j = product(P, v), product(Q, b)
    of_high_i = product(of_i, a)
    of_low_i = product(of_i, b - a)
    of_low_j = product(of_j, u)
    of_high_j = product(of_j, v - u)

    # c and the w_r, times P·b·v·p.den.
    constant: Any = product(of_low_i, p.spare[i]) + product(of_high_j, p.lack[j])
    terms = (
        scaled(p.high[i], of_high_i),
        scaled(p.low[i], of_low_i),
        scaled(p.low[j], -of_low_j),
        scaled(p.high[j], -of_high_j),
    )
    weights = map(sum, zip(*terms, strict=True))

    # The largest sum for an event with the outputs that are fixed.
    inside = outputs_fixed(fixed)
    largest = constant
    for r, weight in enumerate(weights):
        counted = inside[r] if r in inside else upwards(weight)
        if counted:
            largest += weight

    scale = product(P, b, v, p.den)
    if product(largest, delta.denominator) > product(scale, delta.numerator):
        rule = f"c + Σ w_r ≤ δ at i = {i}, j = {j}"
        require(False, rule, path, ratio(largest, scale), delta)


def outputs_fixed(fixed: Fixed) -> dict[int, bool]:
    """Of each output that is fixed whether it is in E, as the last split of it says."""
    inside = dict[int, bool]()
    for r, side in chained(fixed):
        inside.setdefault(r, side)
    return inside


def delta_of(x: Definition, pairs: list[Pair], delta: Fraction) -> None:
    """The mechanism is (ε, δ)-private: Σ_r max(0, α^d·x_ir − x_jr) ≤ α^d·δ."""
    # Theorem: approximatelyP (proofs/coq/ApproximatePrivacy.v).
    for i, j, power in pairs:
        total = product(excess(x.matrix, i, j, power), delta.denominator)
        bound = product(power.numerator, delta.numerator, x.matrix.den)
        if total > bound:
            rule = f"Σ_r max(0, x_ir − x_jr/α^d) ≤ δ at i = {i}, j = {j}"
            scale = product(power.numerator, delta.denominator, x.matrix.den)
            require(False, rule, "$.witness.table", ratio(total, scale), delta)


def needs(c: Case, x: Definition, pairs: list[Pair], delta: Fraction, attained: bool) -> None:
    """At the witness's pair and event the mechanism needs more than δ; or, attained, δ itself."""
    A, B = event(c, x, c.named(c.claim["neighbours"], "neighbours"))
    at, den = tuple(node.value for node in c.witness["pair"].items(2)), x.matrix.den
    power = next(power for i, j, power in pairs if (i, j) == at)
    room = product(A, delta.denominator) - product(delta.numerator, den)
    left = product(power.numerator, room)
    right = product(power.denominator, delta.denominator, B)
    if attained:
        sign, holds = "=", left == right
    else:
        sign, holds = ">", left > right
    rule = f"α^d·(P(E|i) − δ) {sign} P(E|j)"
    require(holds, rule, "$.witness.event", ratio(A, den), ratio(B, den))


def approximate(c: Case) -> str:
    """The six kinds about (ε, δ)."""
    w, near = c.witness, c.named(c.claim["neighbours"], "neighbours")
    p, delta = printed_of(c, near), fraction(c.claim["delta"])
    alpha = positive_level(c.claim["level"])
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
        rule = "Σ z_cr (x_ir − α^d·x_jr) < −δ·Σ_c α^d·max_r z_cr"
        S.excludes(delta, True, rule, "$.witness")
        return f"No {of} (ε, {show(delta)}){end}."
    if c.kind == "delta-of-all-tables":
        expected = 4 if delta > 0 else 1
        demand(len(w) == expected, "$.witness", "table, pair and event, if and only if δ > 0")
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
    expected = 3 if delta > 0 else 1
    demand(len(w) == expected, "$.witness", "multipliers and potentials, if and only if δ > 0")
    if delta > 0:
        # For δ′ < δ there is none: S < −δ′·weight.
        S = multiplied(p, pairs, w["multipliers"], w["potentials"])
        path = "$.witness.multipliers"
        require(S.weight > 0, "Σ_c α^d·max_r z_cr > 0", path, S.weight, 0)
        rule = "Σ z_cr (x_ir − α^d·x_jr) ≤ −δ·Σ_c α^d·max_r z_cr"
        S.excludes(delta, False, rule, "$.witness")
    return f"The least δ for which some {of} (ε, δ){end} is {show(delta)}."


AT = "printed neighbours level"
DELTA = "printed neighbours level delta"
CLAIMS: Claims = {
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
