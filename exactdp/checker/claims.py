# SPDX-License-Identifier: MIT
"""Trusted: claims about privacy, derivability and optima (SPEC §4), each with its own sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exactdp.checker.arithmetic import ratio
from exactdp.checker.limits import demand, require, show
from exactdp.checker.matrices import Matrix, ones
from exactdp.checker.optimality import differ, dual_rule, primal, remap_equations
from exactdp.checker.optimality import unique as attained_once
from exactdp.checker.powers import at_least
from exactdp.checker.reader import Node, quoted
from exactdp.checker.rules import (
    Case,
    Consumer,
    Definition,
    Equations,
    attain,
    check_private,
    check_product,
    equals,
    loss_of,
    remap_rule,
    weights,
)


# ── Tables, privacy and levels (SPEC §4) ────────────────────────────────────────────────────────
def not_stochastic(c: Case) -> str:
    """A row of a table has a negative entry, or does not sum to 1."""
    # Theorem: not_stochasticP (Checker/Derivable.v).
    table = c.named(c.claim["table"], "table")
    i = c.witness["row"].index(len(table.inputs))
    row, den = table.matrix.rows[i], table.matrix.den
    if "column" not in c.witness:
        total = ratio(sum(row.values()), den)
        subject = f"The {table.title} is not a mechanism: row {quoted(table.inputs[i])}"
        require(total > 1 or total < 1, "the row's sum ≠ 1", "$.witness.row", total, 1)
        return f"{subject} sums to {show(total)}, not 1."
    r = c.witness["column"].index(len(table.outputs))
    subject = f"The {table.title} is not a mechanism: row {quoted(table.inputs[i])}"
    entry = ratio(row.get(r, 0), den)
    require(entry < 0, "the entry < 0", "$.witness.column", entry, 0)
    return f"{subject} has the entry {show(entry)}."


def privacy(c: Case) -> str:
    """private, not-private and level."""
    # Theorem: is_privateP, is_violatedP (Checker/Privacy.v), is_largestP (Checker/Level.v); at
    # distances that are roots fails_atP, is_tight_atP (Checker/RootsCheck.v).
    near = c.named(c.claim["neighbours"], "neighbours")
    m = c.mechanism("mechanism", near.inputs)
    where = f"on {near.title}"

    # The level is α^(1/√unit).
    unit = Fraction(1)
    if c.kind == "level":
        alpha = c.claim["ratio"].scalar()
        unit = c.claim["distance"].distance()
        possible = 0 < alpha < 1 or (alpha in (0, 1) and unit == 1)
        demand(possible, "$.claim", "0 ≤ ratio ≤ 1, with distance 1 if it is 0 or 1")
        expected = 2 if alpha < 1 else 0
        rule = "pair and output, if and only if the ratio is less than 1"
        demand(len(c.witness) == expected, "$.witness", rule)
    else:
        alpha = c.claim["level"].level()

    # The entries of the witness: they violate the level, or none better holds there.
    if c.witness:
        r = c.witness["output"].index(len(m.outputs))
        i, j = (node.index(len(m.inputs)) for node in c.witness["pair"].items(2))
        squares = [square for a, b, square in near.pairs if (a, b) in ((i, j), (j, i))]
        path = "$.witness.pair"
        require(squares != [], "the pair is constrained", path, (i, j), f"a pair {where}")
        a, b = (m.matrix.rows[v].get(r, 0) for v in (i, j))
        x, y = (ratio(v, m.matrix.den) for v in (a, b))
        if c.kind == "not-private":
            fails = not at_least(a, b, alpha, squares[0])
            require(fails, "x_ir < α^d · x_jr", "$.witness", x, y)
            return f"The {m.title} is not (α = {show(alpha)})-private {where}."
        require(y > 0, "x_jr > 0", "$.witness", y, 0)
        require(x == alpha * y, "x_ir = ratio · x_jr", "$.witness", x, alpha * y)
        at_unit = alpha == 0 or squares[0] == unit
        require(at_unit, "d(i, j)² = distance²", "$.witness", squares[0], unit)

    if alpha == 0:
        return f"The {m.title} is private at no level {where}."
    check_private(m.matrix, near, alpha, "$.claim.mechanism", unit)
    if c.kind == "private":
        return f"The {m.title} is (α = {show(alpha)})-private {where}."
    t = show(alpha)
    if unit != 1:
        t = f"({show(alpha)})^(1/({show(c.claim['distance'].of(str))}))"
    return f"The largest level at which the {m.title} is private {where} is α = {t}."


# ── Derivability (SPEC §4.4) ────────────────────────────────────────────────────────────────────
def derivability(c: Case) -> str:
    """derivable: B = A·R; not-derivable: see `separate`."""
    a = c.mechanism("source")
    b = c.mechanism("target", a.inputs)
    if c.kind == "derivable":
        check_product(a.matrix, c.witness["remap"], b.matrix)
        return f"The {b.title} is derivable from the {a.title}: B = A·R for a row-stochastic R."
    separate(a, b, c.witness["separator"])
    return f"The {b.title} is not derivable from the {a.title}: B = A·R for no row-stochastic R."


def separate(a: Definition, b: Definition, node: Node) -> None:
    """Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy: the consumer with the loss −W prefers B to all that
    is derivable from A.
    """
    # Theorem: separatesP (Checker/Derivable.v).
    n = len(a.inputs)
    W = node.matrix(n, len(b.outputs))
    loss = Matrix(W.width, W.den, [{r: -x for r, x in row.items()} for row in W.rows])
    once = ones(n)
    consumer = Consumer("", (), loss, list(range(n)), once)
    left = -loss_of(consumer, b.matrix.columns(), b.matrix.den)
    right = -remap_rule(loss, a.matrix, once)[0]
    rule = "Σ W_xr B_xr > Σ_y max_r Σ_x W_xr A_xy"
    require(left > right, rule, node.path, left, right)


# ── Questions about optima (SPEC §4.1 to §4.3, §4.5): the least loss, which is the claim's value ─
@dataclass(frozen=True)
class Optimum:
    """The least loss of a consumer among the α-private mechanisms."""

    case: Case
    near: Definition
    alpha: Fraction
    consumer: Consumer

    def with_loss(self, loss: Node, remap: Node | None = None) -> Definition:
        """The claim's mechanism, which is α-private and has this loss, after the remap if one is
        given.
        """
        outputs = self.consumer.guesses if remap is None else None
        m = self.case.mechanism("mechanism", self.near.inputs, outputs)
        check_private(m.matrix, self.near, self.alpha, "$.claim.mechanism")
        if remap is None:
            found = loss_of(self.consumer, m.matrix.columns(), m.matrix.den)
            equals(found, loss, "the mechanism's loss")
        else:
            attain(self.consumer, m.matrix, remap, loss)
        return m

    def solution(self, key: str) -> Matrix:
        """An α-private mechanism of the witness with the value as its loss; a `primal` may be a
        remap.
        """
        node = self.case.witness[key]
        f = {"rows": node}
        if key == "primal":
            f = node.fields("rows? components? remap?")
        value = self.case.claim["value"]
        return primal(f, node.path, self.consumer, self.near, self.alpha, value)

    def bound(self) -> Equations:
        """No α-private mechanism has a loss below the value. Returned: what holds of those that
        attain it.
        """
        dual = self.case.witness["dual"]
        bound, forced = dual_rule(dual, self.consumer, self.near, self.alpha)
        equals(bound, self.case.claim["value"], "the dual's bound")
        return forced

    def bound_attained_once(self) -> None:
        """No α-private mechanism has a loss below the value, and one at most attains it."""
        forced = self.bound()
        attained_once(forced, len(self.near.inputs), len(self.consumer.guesses), "$.witness")

    def sentence(self, end: str) -> str:
        subject = f"No (α = {show(self.alpha)})-private mechanism on {self.near.title}"
        value = self.case.claim["value"].scalar()
        return f"{subject} has {self.consumer.title} below {show(value)}, and {end}."


@dataclass(frozen=True)
class BestRemap:
    """The least loss of a consumer after a remap of the outputs of a mechanism M."""

    case: Case
    m: Definition
    consumer: Consumer

    def with_loss(self, loss: Node) -> Definition:
        """The claim's remap, after which M has this loss."""
        # Theorem: remap_solvesP (Checker/RemapBound.v).
        M = self.m.matrix
        remap = self.case.mechanism("remap", self.m.outputs, self.consumer.guesses)
        R = remap.matrix
        found = loss_of(self.consumer, M.times(R), M.den * R.den)
        equals(found, loss, "the loss after the claim's remap")
        return remap

    def solution(self, key: str) -> Matrix:
        """A remap of the witness, after which the loss of M is the value."""
        node, value = self.case.witness[key], self.case.claim["value"]
        return attain(self.consumer, self.m.matrix, node, value)

    def bound(self) -> tuple[Matrix, list[int]]:
        """After no remap is the loss below the value. Returned: the weights, and min_r φ_r(y) for
        each y.
        """
        w = weights(self.consumer, self.case.witness, "$.witness")
        bound, minima = remap_rule(self.consumer.loss, self.m.matrix, w)
        equals(bound, self.case.claim["value"], "Σ_y min_r φ_r(y)")
        return w, minima

    def bound_attained_once(self) -> None:
        """After no remap is the loss below the value, and after one at most it is the value."""
        w, minima = self.bound()
        forced = remap_equations(self.consumer, self.m.matrix, w, minima)
        attained_once(forced, len(self.m.outputs), len(self.consumer.guesses), "$.witness")

    def sentence(self, end: str) -> str:
        subject = f"No remap of the outputs of the {self.m.title}"
        value = self.case.claim["value"].scalar()
        return f"{subject} has {self.consumer.title} below {show(value)}, and {end}."


def optimum(c: Case) -> Optimum:
    """The question of a claim about mechanisms."""
    near = c.named(c.claim["neighbours"], "neighbours")
    return Optimum(c, near, c.claim["level"].level(), c.consumer(near.inputs))


def question(c: Case) -> Optimum | BestRemap:
    """The question of a claim about mechanisms, or about remaps."""
    if "neighbours" in c.claim:
        return optimum(c)
    m = c.mechanism("mechanism")
    return BestRemap(c, m, c.consumer(m.inputs))


# ── Claims about optima ─────────────────────────────────────────────────────────────────────────
def larger(c: Case, has: str) -> str:
    """The loss that the claim states exceeds the value, by the gap that it states."""
    loss = c.claim["loss"].scalar()
    gap = loss - c.claim["value"].scalar()
    equals(gap, c.claim["gap"], "the gap: loss − value")
    require(gap > 0, "gap > 0", c.claim["gap"].path, gap, 0)
    return f"one attains it; {has} {show(loss)}, which is {show(gap)} more"


def optimal(c: Case) -> str:
    """optimal, optimal-remap: what the claim, or else the witness, names attains the value and is
    best.
    """
    if "neighbours" in c.claim:
        given, found = "mechanism", "primal"
    else:
        given, found = "remap", "remap"
    either = (found in c.witness) != (given in c.claim)
    demand(either, "$.witness", f"{found}, if and only if the claim names no {given}")
    q = question(c)
    if given in c.claim:
        end = f"the {q.with_loss(c.claim['value']).title} attains it"
    else:
        q.solution(found)
        end = "one attains it"
    q.bound()
    return q.sentence(end)


def unique(c: Case) -> str:
    """unique, unique-remap: what the claim names attains the value, and nothing else attains or
    beats it.
    """
    q = question(c)
    end = f"the {q.with_loss(c.claim['value']).title} alone attains it"
    q.bound_attained_once()
    return q.sentence(end)


def not_unique(c: Case) -> str:
    """not-unique, not-unique-remap: nothing beats the value, and two different solutions attain
    it.
    """
    q = question(c)
    first = q.solution("first")
    second = q.solution("second")
    q.bound()
    path = "$.witness.second"
    require(differ(first, second), "first ≠ second", path, "equal", "different")
    return q.sentence("more than one attains it")


def not_optimal(c: Case) -> str:
    """The claim's mechanism is α-private, with more loss than the value, which another one
    attains.
    """
    q = optimum(c)
    m = q.with_loss(c.claim["loss"])
    q.solution("primal")
    q.bound()
    return q.sentence(larger(c, f"the {m.title} is as private, and its loss is"))


def not_optimal_remap(c: Case) -> str:
    """The loss after the claim's remap is larger than the value, which another remap attains."""
    q = question(c)
    q.solution("remap")
    remap = q.with_loss(c.claim["loss"])
    q.bound()
    return q.sentence(larger(c, f"the {remap.title} has"))


def optimal_after_remap(c: Case) -> str:
    """The claim's mechanism is α-private, and after a remap it attains the value, which nothing
    beats.
    """
    q = optimum(c)
    m = q.with_loss(c.claim["value"], c.witness["remap"])
    q.bound()
    return q.sentence(f"the {m.title} attains it after a remap of its outputs")


def not_optimal_after_remap(c: Case) -> str:
    """The claim's mechanism is α-private, and its loss is larger than the value even after its
    best remap.
    """
    q = optimum(c)
    loss = c.claim["loss"]
    m = q.with_loss(loss, c.witness["remap"])
    w = weights(q.consumer, c.witness, "$.witness")
    least, _ = remap_rule(q.consumer.loss, m.matrix, w)
    equals(least, loss, "Σ_y min_r φ_r(y)")
    q.solution("primal")
    q.bound()
    has = f"the {m.title} is as private, and its least loss after a remap of its outputs is"
    return q.sentence(larger(c, has))


BEST = "neighbours level consumer value"
REMAP = "mechanism consumer value"
Claims = dict[str, tuple[Callable[[Case], str], str, str]]
"""By kind: its function, the keys of its claim, the keys of its witness."""
CLAIMS: Claims = {
    "not-stochastic": (not_stochastic, "table", "row column?"),
    "private": (privacy, "mechanism neighbours level", ""),
    "not-private": (privacy, "mechanism neighbours level", "pair output"),
    "level": (privacy, "mechanism neighbours ratio distance", "pair? output?"),
    "derivable": (derivability, "source target", "remap"),
    "not-derivable": (derivability, "source target", "separator"),
    "optimal": (optimal, f"{BEST} mechanism?", "primal? dual"),
    "not-optimal": (not_optimal, f"{BEST} mechanism loss gap", "primal dual"),
    "optimal-after-remap": (optimal_after_remap, f"{BEST} mechanism", "remap dual"),
    "not-optimal-after-remap": (
        not_optimal_after_remap,
        f"{BEST} mechanism loss gap",
        "remap weights? primal dual",
    ),
    "unique": (unique, f"{BEST} mechanism", "dual"),
    "not-unique": (not_unique, BEST, "first second dual"),
    "optimal-remap": (optimal, f"{REMAP} remap?", "weights? remap?"),
    "not-optimal-remap": (not_optimal_remap, f"{REMAP} remap loss gap", "weights? remap"),
    "unique-remap": (unique, f"{REMAP} remap", "weights?"),
    "not-unique-remap": (not_unique, REMAP, "first second weights?"),
}
