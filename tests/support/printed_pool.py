# SPDX-License-Identifier: MIT
"""Certificates about printed tables (SPEC 4.15), of every kind, and a checker of them by enumeration.

The checker goes through vertices of rows and through all events, with fractions. It says whether the claim is
true and whether the witness shows it. No code of exactdp is used for that.
"""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache
from itertools import product

from certificate_pool import certificate, mat, path, vec
from printed_oracle import best_delta, events, row_vertices, some_private, worst_delta


def printed(lower, upper):
    """A definition; labels "0", "1", …"""
    labels = {"inputs": [str(i) for i in range(len(lower))], "outputs": [str(r) for r in range(len(lower[0]))]}
    return {"type": "printed", **labels, "lower": mat(lower), "upper": mat(upper)}


def distances(n, pairs):
    return {"type": "distances", "vertices": [str(i) for i in range(n)], "pairs": pairs}


TWO = printed([["1/10", "4/5"], ["3/10", "2/5"]], [["1/5", "9/10"], ["1/2", "3/5"]])
"""The first entries are in [1/10, 1/5] and [2/5, 1/2]: so much do the sums of rows say."""

FAR, NEAR = mat([["1/10", "9/10"], ["1/2", "1/2"]]), mat([["1/5", "4/5"], ["2/5", "3/5"]])
"""The two whose rows are farthest from each other and nearest."""

COINS = printed([["2/5", "2/5"], ["2/5", "2/5"]], [["3/5", "3/5"], ["3/5", "3/5"]])
EVEN = mat([["1/2", "1/2"], ["1/2", "1/2"]])

SURE = printed([["0", "1/2"], ["1/4", "1/4"]], [["1/2", "1"], ["1/2", "3/4"]])
"""An entry that may be 0 beside one that is not."""

DEAD = printed([["0", "1"], ["1/2", "1/4"]], [["0", "1"], ["3/4", "1/2"]])
"""An entry that is 0 beside one that is not."""

CASES = printed([["1/5", "0", "1/10"], ["1/5", "2/5", "1/5"]], [["7/10", "7/10", "3/5"], ["7/10", "3/5", "7/10"]])
"""The total variation is 3/5 at most: by cases, one of them with weights 4/7 and 3/7."""


def about(kind, level="1/2", **more):
    return {"kind": kind, "printed": "P", "neighbours": "N", "level": level, **more}


def at_level(kind, ratio, distance="1"):
    return {"kind": kind, "printed": "P", "neighbours": "N", "ratio": ratio, "distance": distance}


def first_output(power):
    """The multiplier 1 of x_00 − α^d x_10, and what the other entry of the second row is worth."""
    return {"multipliers": mat([[1, 0], [0, 0]], True), "potentials": vec([0, -F(power)])}


def above(c, slope):
    """The lemma c + slope·p > 0 from the facts 1 − 5p > 0 and p > 0."""
    terms = [{"times": str(c), "powers": [[1, 1]]}, {"times": str(5 * c + slope), "powers": [[0, 1]]}]
    return {"polynomial": [str(c), str(slope)], "sign": "positive", "proof": [terms]}


@cache
def pool():
    """Accepted certificates by name."""
    P2 = path(2)
    two, coins, sure, dead, cases = ({"P": p, "N": P2} for p in (TWO, COINS, SURE, DEAD, CASES))
    half = {"P": TWO, "N": distances(2, [[0, 1, "1/2"]])}
    root = {"P": TWO, "N": distances(2, [[0, 1, "sqrt(2)"]])}
    alone = {"P": TWO, "N": distances(2, [])}
    e = {"t": {"type": "exponential", "rate": "1", "roots": [1]}}
    slow = {"t": {"type": "exponential", "rate": "1/2", "roots": [1]}}
    a = {"a": {"type": "parameter", "interval": {"above": "0", "at_most": "1/5"}}}
    p = {"type": "region", "letters": ["p"], "positive": [["0", "1"], ["1", "-5"]], "nonnegative": [], "inside": ["1/10"]}
    signs = [above(*line) for line in ((1, -1), (2, -1), (4, -3), (5, -9))]
    same = printed([["1/2", "1/2"]] * 2, [["1/2", "1/2"]] * 2)
    one_step = {"bounds": [[["1", "1"]], [["1", "1"]]]}
    attained = {"table": FAR, "pair": [1, 0], "event": [0]}
    cell = {"pair": [0, 1], "output": 0}
    last = {"last": vec([0, -1])}
    t, a_, p_ = ({"num": power, "den": "1"} for power in (["0", "1"], ["0", "1"], ["0", "1"]))
    some_e = {"multipliers": first_output(0)["multipliers"], "potentials": {"den": "1", "num": ["0", ["0", "-1"]]}}
    every, needed, least = "all-tables-approximately-private", "delta-of-all-tables", "delta-of-some-table"
    by_cases = {"bounds": [[2, ["0", "1"], ["4/7", "1"]], [2, ["0", "3/7"], ["0", "1"]]]}
    found = {
        "all-private": (about("all-tables-private", "1/5"), two, {}),
        "all-private-half": (about("all-tables-private", "1/25"), half, {}),
        "all-private-root": (about("all-tables-private", "1/10"), root, {}),
        "all-private-e": (about("all-tables-private", {"num": ["0", "0", "1"], "den": "1"}), two | e, {}),
        "all-private-a": (about("all-tables-private", a_), two | a, {}),
        "all-private-p": (about("all-tables-private", p_), two | {"region": p}, {"signs": signs}),
        "all-private-no-pairs": (about("all-tables-private", "1"), alone, {}),
        "all-private-one": (about("all-tables-private", "1"), {"P": same, "N": P2}, {}),
        "not-all-private": (about("not-all-tables-private", "1/4"), two, {"table": FAR, **cell}),
        "not-all-private-one": (about("not-all-tables-private", "1"), coins, {"table": mat([["2/5", "3/5"], ["1/2", "1/2"]]), **cell}),
        "some-private": (about("some-table-private", "1/2"), two, {"table": NEAR}),
        "some-private-one": (about("some-table-private", "1"), coins, {"table": EVEN}),
        "no-private": (about("no-table-private", "2/3"), two, first_output("2/3")),
        "no-private-half": (about("no-table-private", "4/9"), half, first_output("2/3")),
        "no-private-e": (about("no-table-private", t), two | slow, some_e),
        "level-all": (at_level("level-of-all-tables", "1/5"), two, {"table": FAR, **cell}),
        "level-all-half": (at_level("level-of-all-tables", "1/5", "1/2"), half, {"table": FAR, **cell}),
        "level-all-zero": (at_level("level-of-all-tables", "0"), sure, {"table": mat([[0, 1], ["1/2", "1/2"]]), **cell}),
        "level-all-one": (at_level("level-of-all-tables", "1"), {"P": same, "N": P2}, {}),
        "level-some": (at_level("level-of-some-table", "1/2"), two, {"table": NEAR, **first_output("1/2"), **last}),
        "level-some-half": (at_level("level-of-some-table", "1/2", "1/2"), half, {"table": NEAR, **first_output("1/2"), **last}),
        "level-some-one": (at_level("level-of-some-table", "1"), coins, {"table": EVEN}),
        "level-some-zero": (at_level("level-of-some-table", "0"), dead, {**first_output(0), "last": vec([0, 0])}),
        "all-approximate": (about(every, delta="3/10"), two, one_step),
        "all-approximate-cases": (about(every, "1", delta="3/5"), cases, by_cases),
        "all-approximate-no-pairs": (about(every, delta="0"), alone, {"bounds": []}),
        "not-all-approximate": (about("not-all-tables-approximately-private", delta="1/4"), two, attained),
        "some-approximate": (about("some-table-approximately-private", delta="0"), two, {"table": NEAR}),
        "no-approximate": (about("no-table-approximately-private", "1", delta="1/10"), two, first_output(1)),
        "delta-all": (about(needed, delta="3/10"), two, {**one_step, **attained}),
        "delta-all-variation": (about(needed, "1", delta="2/5"), two, {"bounds": [[["1", "0"]], [["1", "1"]]], **attained}),
        "delta-all-zero": (about(needed, "1/5", delta="0"), two, one_step),
        "delta-some": (about(least, "1", delta="1/5"), two, {"table": NEAR, **first_output(1)}),
        "delta-some-zero": (about(least, delta="0"), two, {"table": NEAR}),
        "delta-some-half": (about(least, "9/16", delta="2/15"), half, {"table": NEAR, **first_output("3/4")}),
    }
    return {name: certificate(*parts) for name, parts in found.items()}


# --- A checker by enumeration, for rational numbers ---


def entries(rows, width):
    """A matrix of the file as fractions."""
    found = []
    for row in rows:
        at = row.get("at", range(width))
        values = dict(zip(at, (F(int(p), int(row["den"])) for p in row["num"]), strict=True))
        found.append([values.get(r, F(0)) for r in range(width)])
    return found


class Question:
    """The objects of a claim."""

    def __init__(self, given):
        self.claim, self.witness, definitions = given["claim"], given["witness"], given["definitions"]
        p, n = definitions[self.claim["printed"]], definitions[self.claim["neighbours"]]
        self.width = len(p["outputs"])
        self.lower, self.upper = entries(p["lower"], self.width), entries(p["upper"], self.width)
        vertices = [str(i) for i in range(n["vertices"])] if n["type"] == "path" else n["vertices"]
        listed = [(i, i + 1, "1") for i in range(len(vertices) - 1)] if n["type"] == "path" else n["pairs"]
        self.sound = vertices == p["inputs"] and all(
            all(0 <= x <= y for x, y in zip(low, high, strict=True)) and sum(low) <= 1 <= sum(high)
            for low, high in zip(self.lower, self.upper, strict=True)
        )
        self.distances = [(i, j, F(d)) for i, j, d in listed]
        self.kind = self.claim["kind"]
        self.delta = F(self.claim["delta"]) if "delta" in self.claim else F(0)
        if "level" in self.claim:
            self.base, self.unit = F(self.claim["level"]), F(1)
        else:
            self.base, self.unit = F(self.claim["ratio"]), F(self.claim["distance"])

    def at_least(self, x, y, distance):
        """x ≥ α^d·y."""
        power = distance / self.unit
        return x**power.denominator >= self.base**power.numerator * y**power.denominator

    def power(self, distance):
        """α^d, which must be rational: (a/b)^(p/q) by search for q-th roots."""
        power = distance / self.unit

        def root(n):
            found = round(n ** (1 / power.denominator))
            return next((x for x in (found - 1, found, found + 1) if x >= 0 and x**power.denominator == n), None)

        top, bottom = root(self.base.numerator), root(self.base.denominator)
        return None if top is None or bottom is None else F(top, bottom) ** power.numerator

    def pairs(self, level=True):
        """Ordered pairs with α^d, or with 1."""
        found = [(i, j, self.power(d) if level else F(1)) for i, j, d in self.distances]
        return [pair for i, j, a in found for pair in ((i, j, a), (j, i, a))]

    def table(self):
        """The table of the witness, if it is a mechanism between the bounds."""
        rows = entries(self.witness["table"], self.width)
        between = all(l <= x <= u for i, row in enumerate(rows) for l, x, u in zip(self.lower[i], row, self.upper[i], strict=True))
        return rows if between and all(sum(row) == 1 for row in rows) and len(rows) == len(self.lower) else None

    def private(self, rows):
        both = [(a, b, d) for i, j, d in self.distances for a, b in ((i, j), (j, i))]
        return all(self.at_least(rows[i][r], rows[j][r], d) for i, j, d in both for r in range(self.width))

    def all_private(self):
        """At all vertices of all rows."""
        corners = [row_vertices(low, high) for low, high in zip(self.lower, self.upper, strict=True)]
        return all(
            self.at_least(x[r], y[r], d)
            for i, j, d in self.distances
            for a, b in ((i, j), (j, i))
            for x, y in product(corners[a], corners[b])
            for r in range(self.width)
        )

    def largest_sum(self, key, level):
        """The largest Σ z_cr (x_ir − α^d·x_jr) at a vertex of every row, and Σ_c α^d max z_c; and whether the
        potentials show it."""
        z = entries(self.witness["multipliers"], self.width)
        pairs = self.pairs(level)
        g = [[F(0)] * self.width for _ in self.lower]
        weight = F(0)
        for (i, j, a), row in zip(pairs, z, strict=True):
            if min(row) < 0:
                return None
            weight += a * max(row)
            for r, x in enumerate(row):
                g[i][r] += x
                g[j][r] -= a * x
        most = F(0)
        shown = F(0)
        [mu] = entries([self.witness[key]], len(self.lower))
        for i, row in enumerate(g):
            most += max(
                sum((c * x for c, x in zip(row, corner, strict=True)), F(0)) for corner in row_vertices(self.lower[i], self.upper[i])
            )
            ends = zip(row, self.lower[i], self.upper[i], strict=True)
            shown += mu[i] + sum((max((c - mu[i]) * l, (c - mu[i]) * u) for c, l, u in ends), F(0))
        assert shown >= most
        return shown, weight

    def cases(self, i, j, a, steps):
        """The events of each case with its weights, or None if the steps are no tree."""
        still, found = [events(self.width)], []
        for step in steps:
            if not still:
                return None
            here = still.pop()
            if isinstance(step, int):
                still += [[e for e in here if step not in e], [e for e in here if step in e]]
            else:
                found.append((here, F(step[0]), F(step[1])))
        return None if still else found

    def bounded(self):
        """Whether the bounds of all cases are at most δ: case by case, event by event."""
        for (i, j, a), steps in zip(self.pairs(), self.witness["bounds"], strict=True):
            cases = self.cases(i, j, a, steps)
            if cases is None:
                return False
            for here, s, t in cases:
                if not (0 <= s <= 1 and 0 <= t <= 1):
                    return False
                for event in here:
                    likely = s * sum((self.upper[i][r] for r in event), F(0))
                    likely += (1 - s) * (1 - sum((x for r, x in enumerate(self.lower[i]) if r not in event), F(0)))
                    unlikely = t * sum((self.lower[j][r] for r in event), F(0))
                    unlikely += (1 - t) * (1 - sum((x for r, x in enumerate(self.upper[j]) if r not in event), F(0)))
                    if a * likely - unlikely > a * self.delta:
                        return False
        return True

    def needs(self, attained):
        rows, (i, j), event = self.table(), self.witness["pair"], self.witness["event"]
        a = next((a for x, y, a in self.pairs() if (x, y) == (i, j)), None)
        if rows is None or a is None:
            return False
        left = a * (sum((rows[i][r] for r in event), F(0)) - self.delta)
        right = sum((rows[j][r] for r in event), F(0))
        return left == right if attained else left > right

    def delta_of(self, rows):
        """The least δ of one table."""
        most = F(0)
        for i, j, a in self.pairs():
            for event in events(self.width):
                most = max(most, sum((rows[i][r] - rows[j][r] / a for r in event), F(0)))
        return most


def decide(given):
    """Whether the claim is true and the witness shows it. The file is well-formed, its numbers rational."""
    q = Question(given)
    w = q.witness
    if not q.sound:
        return False
    number = q.kind.endswith("approximately-private") or q.kind.startswith(("delta", "no-table")) or "multipliers" in w
    if number and any(a is None for *_, a in q.pairs()):
        return False
    if "table" in w and q.table() is None:
        return False
    if q.kind == "all-tables-private":
        return q.all_private()
    if q.kind == "some-table-private":
        return q.private(q.table())
    if q.kind in ("not-all-tables-private", "level-of-all-tables") and w:
        (i, j), r, rows = w["pair"], w["output"], q.table()
        d = next((d for a, b, d in q.distances if (a, b) in ((i, j), (j, i))), None)
        if d is None:
            return False
        if q.kind == "not-all-tables-private":
            return not q.at_least(rows[i][r], rows[j][r], d)
        attains = rows[j][r] > 0 and rows[i][r] == q.base * rows[j][r] and (q.base == 0 or d == q.unit)
        return attains and (q.base == 0 or q.all_private())
    if q.kind == "level-of-all-tables":
        return q.all_private()
    if q.kind == "no-table-private":
        found = q.largest_sum("potentials", True)
        return found is not None and found[0] < 0
    if q.kind == "level-of-some-table":
        if "table" in w and not q.private(q.table()):
            return False
        if "multipliers" in w:
            found, last = q.largest_sum("potentials", True), q.largest_sum("last", False)
            return found is not None and found[0] <= 0 and last[0] < 0
        return True
    if q.kind == "all-tables-approximately-private":
        return q.bounded()
    if q.kind == "not-all-tables-approximately-private":
        return q.needs(attained=False)
    if q.kind == "some-table-approximately-private":
        return q.delta_of(q.table()) <= q.delta
    if q.kind == "delta-of-all-tables":
        return q.bounded() and (q.delta == 0 or q.needs(attained=True))
    found = q.largest_sum("potentials", True) if "multipliers" in w else None
    if q.kind == "no-table-approximately-private":
        return found is not None and found[0] < -q.delta * found[1]
    assert q.kind == "delta-of-some-table"
    shown = q.delta == 0 or (found is not None and found[1] > 0 and found[0] <= -q.delta * found[1])
    return shown and q.delta_of(q.table()) <= q.delta


def truth(given):
    """Whether the claim is true, whatever the witness: by vertices of rows and by linear programs.

    None where a power of the level is not rational.
    """
    q = Question(given)
    if not q.sound:
        return False
    if q.kind == "all-tables-private":
        return q.all_private()
    if q.kind == "not-all-tables-private":
        return not q.all_private()
    if any(a is None for *_, a in q.pairs()) or q.base == 0:
        return None
    factors = [(i, j, 1 / a) for i, j, a in q.pairs()]
    some = some_private(q.lower, q.upper, factors)
    if q.kind in ("some-table-private", "no-table-private"):
        return some == q.kind.startswith("some")
    if q.kind == "level-of-all-tables":
        return q.all_private() and (q.base == 1 or not higher(q, all_of=True))
    if q.kind == "level-of-some-table":
        return some and (q.base == 1 or not higher(q, all_of=False))
    worst, best = worst_delta(q.lower, q.upper, factors), best_delta(q.lower, q.upper, factors)
    return {
        "all-tables-approximately-private": worst <= q.delta,
        "not-all-tables-approximately-private": worst > q.delta,
        "some-table-approximately-private": best <= q.delta,
        "no-table-approximately-private": best > q.delta,
        "delta-of-all-tables": worst == q.delta,
        "delta-of-some-table": best == q.delta,
    }[q.kind]


def higher(q, all_of):
    """Whether it is so at a level a little larger, too (asked for distances that are all the unit)."""
    assert all(d == q.unit for *_, d in q.distances)
    q.base += (1 - q.base) / 10**9
    if all_of:
        return q.all_private()
    return some_private(q.lower, q.upper, [(i, j, 1 / q.base) for i, j, _ in q.pairs(level=False)])
