# SPDX-License-Identifier: MIT
"""Whether a claim is true, by brute force over fractions: definitions, small linear programs, enumeration. No
code of exactdp.

`truth` answers True, False, or None where it does not know. What is stated about all consumers or all priors
is tried at some.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, compress, pairwise, permutations, product
from math import lcm, prod
from typing import Any

from flint import fmpq

from .facts import capacity, loss_of, named, utility
from .scene import (
    TINY,
    At,
    Consumer,
    Json,
    Mechanism,
    Near,
    Power,
    Row,
    Scene,
    compare_levels,
    compare_powers,
    geometric,
    power,
    squared,
)

ZERO, ONE = Fraction(0), Fraction(1)


# ── linear programs and ranks
# ───────────────────────────────────────────────────────────────────────────────────────
def as_fmpq(x: Fraction | int) -> fmpq:
    return fmpq(x) if isinstance(x, int) else fmpq(x.numerator, x.denominator)


def least(
    cost: list[Fraction], rows: list[dict[int, Fraction]], right: list[Fraction], exact: bool = True
) -> tuple[Fraction, list[Fraction]] | None:
    """min cost·x over x ≥ 0 with rows·x = right; None if there is no such x. The cost must be bounded below.
    Two phases, Bland's rule.
    """
    tiny, n, m = (as_fmpq(TINY) if not exact else fmpq(0)), len(cost), len(rows)
    table = []
    for k, (row, b) in enumerate(zip(rows, right, strict=True)):
        flip = -1 if b < 0 else 1
        line = [fmpq(0)] * (n + m + 1)
        for j, x in row.items():
            line[j] = as_fmpq(x) * flip
        line[n + k], line[-1] = fmpq(1), as_fmpq(b) * flip
        table.append(line)
    basis = list(range(n, n + m))

    def minimise(objective: list[fmpq], allowed: int) -> None:
        for k, j in enumerate(basis):
            if objective[j] != 0:
                factor = objective[j]
                objective[:] = [a - factor * b if b else a for a, b in zip(objective, table[k], strict=True)]
        while True:
            column = next((j for j in range(allowed) if objective[j] < -tiny), None)
            if column is None:
                return
            candidates = [(line[-1] / line[column], basis[k], k) for k, line in enumerate(table) if line[column] > tiny]
            if not candidates:
                raise ArithmeticError("unbounded")
            _, _, k = min(candidates)
            pivot = table[k][column]
            table[k] = [a / pivot if a else a for a in table[k]]
            for i, line in enumerate(table):
                if i != k and (factor := line[column]) != 0:
                    table[i] = [a - factor * b if b else a for a, b in zip(line, table[k], strict=True)]
            factor = objective[column]
            objective[:] = [a - factor * b if b else a for a, b in zip(objective, table[k], strict=True)]
            basis[k] = column

    phase = [fmpq(0)] * n + [fmpq(1)] * m + [fmpq(0)]
    minimise(phase, n)
    if -phase[-1] > tiny:
        return None
    for k in range(m):  # an artificial variable that stays is 0; drive it out, or its row says nothing
        if basis[k] >= n:
            column = next((j for j in range(n) if abs(table[k][j]) > tiny), None)
            if column is not None:
                pivot = table[k][column]
                table[k] = [a / pivot for a in table[k]]
                for i, line in enumerate(table):
                    if i != k and (factor := line[column]) != 0:
                        table[i] = [a - factor * b for a, b in zip(line, table[k], strict=True)]
                basis[k] = column
    objective = [as_fmpq(x) for x in cost] + [fmpq(0)] * (m + 1)
    minimise(objective, n)
    solution = [ZERO] * n
    for k, j in enumerate(basis):
        if j < n:
            value = table[k][-1]
            solution[j] = Fraction(int(value.p), int(value.q))
    return sum((c * x for c, x in zip(cost, solution, strict=True)), ZERO), solution


def feasible(rows: list[dict[int, Fraction]], right: list[Fraction], n: int, at: At) -> bool:
    return least([ZERO] * n, rows, right, at.exact) is not None


def rank(rows: list[list[Fraction]], at: At) -> int:
    work, found = [[as_fmpq(x) for x in row] for row in rows], 0
    tiny = fmpq(0) if at.exact else as_fmpq(TINY)
    for column in range(len(work[0]) if work else 0):
        pivot = max(range(found, len(work)), key=lambda i: abs(work[i][column]), default=None)
        if pivot is None or abs(work[pivot][column]) <= tiny:
            continue
        work[found], work[pivot] = work[pivot], work[found]
        for i in range(found + 1, len(work)):
            factor = work[i][column] / work[found][column]
            if factor != 0:
                work[i] = [x - factor * y for x, y in zip(work[i], work[found], strict=True)]
        found += 1
    return found


# ── the mechanisms of a type
# ────────────────────────────────────────────────────────────────────────────────────────
def private(m: Mechanism, near: Near, level: Power, at: At) -> bool:
    """Whether the mechanism is private, up to what is too close to tell."""
    for i, j, square in near.pairs:
        for a, b in ((i, j), (j, i)):
            for x, y in zip(m.rows[a], m.rows[b], strict=True):
                if at.sign(x) < 0 or at.sign(y) < 0:
                    return False
                if at.sign(y) > 0 and x < y and compare_powers(x / y, level.base, square / level.square, at) < 0:
                    return False
    return True


def constraints(near: Near, alpha: Fraction, g: int, extra: int = 0) -> tuple[list[dict[int, Fraction]], list[Fraction], int, bool]:
    """x_ir − α^d x_jr − slack = 0 for all mechanisms with g outputs, after `extra` other variables.

    Returned: rows, right sides, how many variables, and whether nothing was approximated.
    """
    n, rows, right, exact = len(near.vertices), [], [], True
    count = extra + n * g
    for i, j, square in near.pairs:
        a, sure = power(alpha, square)
        exact = exact and sure
        for p, q in ((i, j), (j, i)):
            for r in range(g):
                rows.append({extra + p * g + r: ONE, extra + q * g + r: -a, count: -ONE})
                right.append(ZERO)
                count += 1
    for i in range(n):
        rows.append({extra + i * g + r: ONE for r in range(g)})
        right.append(ONE)
    return rows, right, count, exact


def optimum(near: Near, alpha: Fraction, consumer: Consumer, at: At) -> tuple[Fraction, bool]:
    """The least loss of a private mechanism, and whether nothing was approximated."""
    g, n, l = len(consumer.loss.outputs), len(near.vertices), consumer.loss.rows
    if consumer.prior is not None:
        rows, right, count, exact = constraints(near, alpha, g)
        cost = [ZERO] * count
        for i, r in product(range(n), range(g)):
            cost[i * g + r] = consumer.prior[i] * l[i][r]
    else:
        rows, right, count, exact = constraints(near, alpha, g, 2)
        assert consumer.side_information is not None
        for i in consumer.side_information:
            rows.append({0: ONE, 1: -ONE, count: -ONE} | {2 + i * g + r: -l[i][r] for r in range(g)})
            right.append(ZERO)
            count += 1
        cost = [ONE, -ONE] + [ZERO] * (count - 2)
    found = least(cost, rows, right, exact and at.exact)
    assert found is not None
    return found[0], exact and at.exact


def best_utility(near: Near, alpha: Fraction, prior: Row, at: At) -> tuple[Fraction, bool]:
    """The largest Σ_i π_i x_ii."""
    n = len(near.vertices)
    rows, right, count, exact = constraints(near, alpha, n)
    cost = [ZERO] * count
    for i in range(n):
        cost[i * n + i] = -prior[i]
    found = least(cost, rows, right, exact and at.exact)
    assert found is not None
    return -found[0], exact and at.exact


def best_remap(m: Mechanism, consumer: Consumer, at: At) -> Fraction:
    """The least loss of M·T."""
    g, outputs, l = len(consumer.loss.outputs), range(len(m.outputs)), consumer.loss.rows
    if consumer.prior is not None:
        prior = consumer.prior
        each = [[sum((p * row[r] * x[y] for p, row, x in zip(prior, l, m.rows, strict=True)), ZERO) for r in range(g)] for y in outputs]
        return sum((min(row) for row in each), ZERO)
    assert consumer.side_information is not None
    count, rows, right = 2 + len(m.outputs) * g, [], []
    for y in outputs:
        rows.append({2 + y * g + r: ONE for r in range(g)})
        right.append(ONE)
    for i in consumer.side_information:
        row = {0: ONE, 1: -ONE, count: -ONE}
        row |= {2 + y * g + r: -l[i][r] * m.rows[i][y] for y in outputs for r in range(g)}
        rows.append(row)
        right.append(ZERO)
        count += 1
    found = least([ONE, -ONE] + [ZERO] * (count - 2), rows, right, at.exact)
    assert found is not None
    return found[0]


def derivable(a: tuple[Row, ...], b: tuple[Row, ...], at: At) -> bool:
    """Whether B = A·R for a row-stochastic R."""
    n, m = len(a[0]), len(b[0])
    rows: list[dict[int, Fraction]] = []
    right: list[Fraction] = []
    for x, y in zip(a, b, strict=True):
        for r in range(m):
            rows.append({k * m + r: x[k] for k in range(n)})
            right.append(y[r])
    for k in range(n):
        rows.append({k * m + r: ONE for r in range(m)})
        right.append(ONE)
    return feasible(rows, right, n * m, at)


def phi(near: Near, alpha: Fraction) -> tuple[list[list[Fraction]], bool]:
    """Φ of SPEC §4.8, and whether exactly."""
    n, exact = len(near.vertices), True
    matrix = [[ONE if i == j else ZERO for j in range(n)] for i in range(n)]
    if near.hops:
        away = [[0 if i == j else n for j in range(n)] for i in range(n)]
        for i, j, _ in near.pairs:
            away[i][j] = away[j][i] = 1
        for k, i, j in product(range(n), repeat=3):
            away[i][j] = min(away[i][j], away[i][k] + away[k][j])
        return [[alpha**d if d < n else ZERO for d in row] for row in away], True
    for i, j, square in near.pairs:
        a, sure = power(alpha, square)
        matrix[i][j] = matrix[j][i] = a
        exact = exact and sure
    return matrix, exact


def solvable(near: Near, alpha: Fraction, right: Row, at: At) -> tuple[bool, At]:
    """Whether Φ·v = b for some v ≥ 0."""
    matrix, exact = phi(near, alpha)
    at = At(at.symbols, at.exact and exact)
    return feasible([dict(enumerate(row)) for row in matrix], list(right), len(matrix), at), at


def vertices(near: Near, alpha: Fraction, at: At) -> list[Row] | None:
    """The vertices of the posterior polytope, by all bases; None where something was approximated."""
    n = len(near.vertices)
    walls = [[ONE if k == i else ZERO for k in range(n)] for i in range(n)]
    for i, j, square in near.pairs:
        a, exact = power(alpha, square)
        if not (exact and at.exact):
            return None
        for p, q in ((i, j), (j, i)):
            walls.append([ONE if k == p else -a if k == q else ZERO for k in range(n)])
    found = set[Row]()
    for chosen in combinations(walls, n - 1):
        x = solution([*chosen, [ONE] * n], [ZERO] * (n - 1) + [ONE])
        if x is not None and all(sum((a * b for a, b in zip(wall, x, strict=True)), ZERO) >= 0 for wall in walls):
            found.add(tuple(x))
    return sorted(found)


def solution(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """The only solution of a square system, or None."""
    n = len(matrix)
    work = [[as_fmpq(x) for x in [*row, b]] for row, b in zip(matrix, right, strict=True)]
    for column in range(n):
        pivot = next((i for i in range(column, n) if work[i][column] != 0), None)
        if pivot is None:
            return None
        work[column], work[pivot] = work[pivot], work[column]
        head = work[column][column]
        work[column] = [x / head for x in work[column]]
        for i in range(n):
            if i != column and (factor := work[i][column]) != 0:
                work[i] = [x - factor * y for x, y in zip(work[i], work[column], strict=True)]
    return [Fraction(int(row[-1].p), int(row[-1].q)) for row in work]


def kernel_count(rays: list[Row], at: At) -> int:
    """Minimal sets of vertices with Σ w_v v = 1, w > 0: independent sets with such a w."""
    count, n = 0, len(rays[0])
    for size in range(1, n + 1):
        for chosen in combinations(rays, size):
            if rank([list(v) for v in chosen], at) == size:
                found = least([ZERO] * size, [{k: v[i] for k, v in enumerate(chosen)} for i in range(n)], [ONE] * n)
                count += found is not None and all(x > 0 for x in found[1])
    return count


def is_kernel(m: Mechanism, near: Near, alpha: Fraction, at: At) -> bool:
    """Posteriors are vertices (n independent active constraints) and independent."""
    columns, n, merged = [c for c in zip(*m.rows, strict=True) if any(at.sign(x) for x in c)], len(near.vertices), []
    for column in columns:
        total = sum(column)
        x = [a / total for a in column]
        if all(any(at.sign(a - b) for a, b in zip(x, y, strict=True)) for y in merged):
            merged.append(x)
    for x in merged:
        active = [[ONE] * n]
        active += [[ONE if k == i else ZERO for k in range(n)] for i in range(n) if at.sign(x[i]) == 0]
        for i, j, square in near.pairs:
            a, exact = power(alpha, square)
            here = At(at.symbols, at.exact and exact)
            for p, q in ((i, j), (j, i)):
                if here.sign(x[p] - a * x[q]) == 0:
                    active.append([ONE if k == p else -a if k == q else ZERO for k in range(n)])
        if rank(active, At(at.symbols, at.exact and all(power(alpha, sq)[1] for _, _, sq in near.pairs))) < n:
            return False
    return rank([list(x) for x in merged], at) == len(merged)


def hyper(columns: list[tuple[Fraction, ...]], at: At) -> list[tuple[Fraction, ...]]:
    """The columns without zeros, those with one posterior summed, in order."""
    found: dict[Any, list[Fraction]] = {}
    for column in columns:
        total = sum(column)
        if at.sign(total):
            key = tuple(x / total if at.exact else round(x / total * 10**40) for x in column)
            old = found.setdefault(key, [ZERO] * len(column))
            found[key] = [a + b for a, b in zip(old, column, strict=True)]
    return [tuple(found[key]) for key in sorted(found)]


# ── (ε, δ)
# ──────────────────────────────────────────────────────────────────────────────────────────────────────────
def delta_of(m: Mechanism, near: Near, alpha: Fraction) -> Fraction:
    """The least δ ≥ 0, over all events."""
    worst = ZERO
    for i, j, _ in near.pairs:
        for a, b in ((i, j), (j, i)):
            worst = max(worst, sum((max(ZERO, x - y / alpha) for x, y in zip(m.rows[a], m.rows[b], strict=True)), ZERO))
    return worst


# ── truth
# ───────────────────────────────────────────────────────────────────────────────────────────────────────────
def truth(c: Json, w: Json, s: Scene, rng: random.Random, thorough: bool) -> bool | None:
    """Whether a claim is true at a point. `thorough` allows linear programs, which take longer."""
    kind, at = c["kind"], s.at
    if kind in LAWS:
        return law_truth(c, s)
    if "printed" in c:
        return printed_truth(c, s, thorough)
    for name in named(c):
        if s.definitions.get(name, {}).get("type") == "mechanism" and not stochastic(s.table(name), at):
            return False
    near = s.near(c["neighbours"]) if "neighbours" in c else None
    alpha = s.scalar(c["level"]) if "level" in c else None
    m = s.table(c["mechanism"]) if "mechanism" in c else None
    if kind == "not-stochastic":
        return not stochastic(s.table(c["table"]), at)
    # these say that it is private
    if near is not None and alpha is not None and m is not None and kind not in APPROXIMATE:
        fine = m.inputs == near.vertices and private(m, near, Power(alpha), at)
        if kind == "private" or not fine:
            return fine if kind != "not-private" else (not fine) or (None if not at.exact else False)
        if kind == "not-private":
            return False if strictly_private(m, near, alpha, at) else None
    if "prior" in c and not distribution(s.vector(c["prior"], len(near.vertices if near is not None else m.inputs)), at):  # type: ignore[union-attr]
        return False
    if kind == "level":
        assert m is not None
        assert near is not None
        return level_is(m, near, Power(s.scalar(c["ratio"]), squared(c["distance"])), at)
    if kind in ("derivable", "not-derivable"):
        if not thorough or not at.exact:
            return None
        return derivable(s.table(c["source"]).rows, s.table(c["target"]).rows, at) == (kind == "derivable")
    if "consumer" in c:
        return consumer_truth(c, s, near, alpha, m, thorough)
    if kind in DEPLOYED:
        return deployed_truth(c, s, near, alpha, m)
    if near is not None and alpha is not None:
        return type_truth(c, w, s, near, alpha, m, rng, thorough)
    if kind == "leakage":
        assert m is not None
        prior = s.vector(c["prior"], len(m.inputs))
        return at.same(utility(m.rows, prior), s.scalar(c["value"]) * max(prior))
    if kind == "capacity":
        assert m is not None
        return at.same(capacity(m.rows, c["capacity"]), s.scalar(c["value"]))
    if kind == "refinement-order" and thorough and at.exact:
        tables = [s.table(name).rows for name in c["mechanisms"]]
        return all(derivable(a, b, at) == ([i, j] in c["pairs"]) for i, a in enumerate(tables) for j, b in enumerate(tables) if i != j)
    if kind == "likelihood":
        return likelihood_truth(c, s, rng)
    if kind == "release":
        levels = [s.scalar(x) for x in c["levels"]]
        sound = all(at.sign(b - a) > 0 for a, b in pairwise(levels))
        return sound and all(at.same(s.scalar(x["level"]), levels[min(x["members"])]) for x in c["coalitions"])
    if kind in ("determinant", "not-determinant"):
        return determinant_truth(c, rng)
    return None


APPROXIMATE = {"approximately-private", "not-approximately-private", "delta", "level-with-delta"}
DEPLOYED = APPROXIMATE | {"sequential-level", "parallel-level"}


def stochastic(m: Mechanism, at: At) -> bool:
    return all(at.sign(x) >= 0 for row in m.rows for x in row) and all(at.same(sum(row, ZERO), ONE) for row in m.rows)


def distribution(p: Row, at: At) -> bool:
    return all(at.sign(x) >= 0 for x in p) and at.same(sum(p, ZERO), ONE)


def strictly_private(m: Mechanism, near: Near, alpha: Fraction, at: At) -> bool:
    """Private for certain: no comparison was too close to tell."""
    cells = ((m.rows[a][r], m.rows[b][r], sq) for i, j, sq in near.pairs for a, b in ((i, j), (j, i)) for r in range(len(m.outputs)))
    return at.exact or all(x >= y or compare_powers(x / y, alpha, sq, at) > 0 for x, y, sq in cells)


def level_is(m: Mechanism, near: Near, stated: Power, at: At) -> bool:
    """The largest level is the stated one: the least quotient in the sense of levels."""
    lowest = Power(ONE)
    for i, j, square in near.pairs:
        for a, b in ((i, j), (j, i)):
            for x, y in zip(m.rows[a], m.rows[b], strict=True):
                if at.sign(y) > 0 and x < y:
                    found = Power(ZERO) if at.sign(x) == 0 else Power(x / y, square)
                    lowest = found if compare_levels(found, lowest, at) < 0 else lowest
    return m.inputs == near.vertices and compare_levels(stated, lowest, at) == 0


def consumer_truth(c: Json, s: Scene, near: Near | None, alpha: Fraction | None, m: Mechanism | None, thorough: bool) -> bool | None:
    kind, at, consumer = c["kind"], s.at, s.consumer(c["consumer"])
    if consumer.prior is not None and not distribution(consumer.prior, at):
        return False
    if kind == "gap-between":
        assert near is not None
        assert alpha is not None
        assert m is not None
        loss = loss_of(consumer, m.rows)
        if not at.same(loss, s.scalar(c["loss"])):
            return False
        if not thorough:
            return None
        value, exact = optimum(near, alpha, consumer, at)
        here = At(at.symbols, exact)
        return here.sign(value - (loss - s.scalar(c["most"]))) >= 0 and here.sign(loss - s.scalar(c["least"]) - value) >= 0
    value, stated = s.scalar(c["value"]), s.scalar(c.get("loss", c["value"]))
    if "gap" in c and not (at.same(stated - value, s.scalar(c["gap"])) and at.sign(stated - value) >= 0):
        return False
    if near is None:
        assert m is not None
        if m.inputs != consumer.loss.inputs:
            return False
        if "remap" in c:
            t = s.table(c["remap"])
            if t.inputs != m.outputs or t.outputs != consumer.loss.outputs or not at.same(loss_of(consumer, times(m.rows, t.rows)), stated):
                return False
        return at.same(best_remap(m, consumer, at), value) if thorough or consumer.prior is not None else None
    assert alpha is not None
    if near.vertices != consumer.loss.inputs:
        return False
    deployed = m is not None and not kind.endswith("after-remap")
    if deployed and (m.outputs != consumer.loss.outputs or not at.same(loss_of(consumer, m.rows), stated)):  # type: ignore[union-attr]
        return False
    if not thorough:
        return None
    if m is not None and kind.endswith("after-remap") and not at.same(best_remap(m, consumer, at), stated):
        return False
    found, exact = optimum(near, alpha, consumer, at)
    return At(at.symbols, exact).same(found, value)


def times(a: tuple[Row, ...], b: tuple[Row, ...]) -> tuple[Row, ...]:
    return tuple(tuple(sum((x * row[j] for x, row in zip(line, b, strict=True)), ZERO) for j in range(len(b[0]))) for line in a)


def deployed_truth(c: Json, s: Scene, near: Near | None, alpha: Fraction | None, m: Mechanism | None) -> bool | None:
    kind, at = c["kind"], s.at
    if kind == "parallel-level":
        found = [(s.table(p["mechanism"]), s.near(p["neighbours"])) for p in c["parts"]]
        ratio = s.scalar(c["ratio"])
        each = [quotient([t], n, at) for t, n in found]
        return all(t.inputs == n.vertices for t, n in found) and at.same(min(each), ratio)
    assert near is not None
    if any(square != 1 for _, _, square in near.pairs):
        return False
    if kind == "sequential-level":
        tables = [s.table(name) for name in c["mechanisms"]]
        return all(t.inputs == near.vertices for t in tables) and at.same(quotient(tables, near, at), s.scalar(c["ratio"]))
    assert m is not None
    delta = s.scalar(c["delta"])
    if m.inputs != near.vertices or any(at.sign(x) < 0 for row in m.rows for x in row):
        return False
    if kind == "level-with-delta":
        ratio = s.scalar(c["ratio"])
        fine = ratio == 0 or at.sign(delta_of(m, near, ratio) - delta) <= 0
        above = ratio + (1 - ratio) / 10**6
        return fine and (at.same(ratio, ONE) or at.sign(delta_of(m, near, above) - delta) > 0)
    assert alpha is not None
    found_delta = delta_of(m, near, alpha)
    sign = at.sign(found_delta - delta)
    return {"delta": sign == 0, "approximately-private": sign <= 0}.get(kind, sign > 0 or not at.exact)


# ── laws
# ──────────────────────────────────────────────────────────────────────────────────────────────────────────
LAWS = ("response-level", "bitwise-level", "geometric-level")
MOST = 9  # counts, labels or bits of a law whose tables are built


def law_truth(c: Json, s: Scene) -> bool | None:
    """The least quotient of neighbours' entries in the tables of the law, computed from its words."""
    if max(c[key] for key in ("size", "bits", "n") if key in c) > MOST:
        return None
    tables, ordered = law_tables(c, s)
    quotients = [ONE]
    for rows in tables:
        if any(s.at.sign(x) < 0 for row in rows for x in row) or not all(s.at.same(sum(row, ZERO), ONE) for row in rows):
            return False
        found = [ONE]
        for i, j in ordered:
            found += [x / y for x, y in zip(rows[i], rows[j], strict=True) if s.at.sign(y) > 0]
        quotients.append(min(found))
    ratio = s.scalar(c["ratio"])
    return all(s.at.same(found, ratio) for found in quotients[1:])


def law_tables(c: Json, s: Scene) -> tuple[list[list[list[Fraction]]], list[tuple[int, int]]]:
    """The tables that a law is about, and the ordered pairs of neighbours."""
    if c["kind"] == "response-level":
        size, keep = c["size"], s.scalar(c["keep"])
        labels = range(size)
        table = [[keep if i == r else (1 - keep) / (size - 1) for r in labels] for i in labels]
        return [table], list(permutations(labels, 2))
    if c["kind"] == "bitwise-level":
        one = {1: s.scalar(c["set"]), 0: s.scalar(c["clear"])}
        reports = list(product((0, 1), repeat=c["bits"]))
        inputs = [word for word in reports if sum(word) == c["ones"]]

        def chance(word: tuple[int, ...], report: tuple[int, ...]) -> Fraction:
            factors = (one[bit] if told else 1 - one[bit] for bit, told in zip(word, report, strict=True))
            return prod(factors, start=ONE)

        return [[[chance(word, report) for report in reports] for word in inputs]], list(permutations(range(len(inputs)), 2))
    n, alpha = c["n"], s.scalar(c["level"])
    apart = [(i, j) for i, j in permutations(range(n + 1), 2) if abs(i - j) <= c["reach"]]
    masses = [[(1 - alpha) / (1 + alpha) * alpha ** abs(z - i) for z in range(n + 1)] for i in range(n + 1)]
    # All the noise that goes beyond an end: Σ_k P(z = k) for k > d is α^(d+1)/(1 + α).
    beyond = [(alpha ** (i + 1) / (1 + alpha), alpha ** (n - i + 1) / (1 + alpha)) for i in range(n + 1)]
    lumped = [[low, *row, high] for row, (low, high) in zip(masses, beyond, strict=True)]
    moved = [[low + row[0], *row[1:-1], row[-1] + high] for low, *row, high in lumped]
    return [lumped, moved], apart


# ── printed tables
# ──────────────────────────────────────────────────────────────────────────────────────────────────
def corners(low: Row, high: Row) -> list[Row]:
    """The vertices of a row: all entries but one are at an end."""
    found = set[Row]()
    for free in range(len(low)):
        others = [(x, y) for r, (x, y) in enumerate(zip(low, high, strict=True)) if r != free]
        for ends in product(*others):
            rest = ONE - sum(ends, ZERO)
            if low[free] <= rest <= high[free]:
                found.add((*ends[:free], rest, *ends[free:]))
    return sorted(found)


def printed_truth(c: Json, s: Scene, thorough: bool) -> bool | None:
    """By vertices of rows, and by linear programs in which every event has its inequality."""
    kind, at, near, p = c["kind"], s.at, s.near(c["neighbours"]), s.definitions[c["printed"]]
    width = len(p["outputs"])
    low, high = s.matrix(p["lower"], width), s.matrix(p["upper"], width)
    rows = list(map(corners, low, high))
    if tuple(p["inputs"]) != near.vertices or any(min(row) < 0 for row in low) or not all(rows):
        return False
    ordered = [(a, b, square) for i, j, square in near.pairs for a, b in ((i, j), (j, i))]
    thorough = thorough and width < 4 and len(ordered) < 5  # every event has a row in the linear programs
    if "ratio" in c:
        level = Power(s.scalar(c["ratio"]), squared(c["distance"]))
        if kind == "level-of-all-tables":
            return compare_levels(level, worst_level(rows, ordered, at), at) == 0
        if level.base in (0, 1) or not thorough or any(square != level.square for *_, square in ordered):
            return None
        above = level.base + (1 - level.base) / 10**6
        return printed_feasible(low, high, ordered, level, at) and not printed_feasible(low, high, ordered, Power(above, level.square), at)
    alpha = s.scalar(c["level"])
    if "delta" not in c:
        if kind in ("all-tables-private", "not-all-tables-private"):
            order = compare_levels(worst_level(rows, ordered, at), Power(alpha), at)
            return order >= 0 if kind == "all-tables-private" else order < 0 or not at.exact
        if not thorough:
            return None
        some = printed_feasible(low, high, ordered, Power(alpha), at)
        return some if kind == "some-table-private" else not some or not at.exact
    delta = s.scalar(c["delta"])
    factors, exact = list[tuple[int, int, Fraction]](), at.exact
    for i, j, square in ordered:
        a, sure = (ONE, True) if alpha == 1 else power(alpha, square)
        factors.append((i, j, 1 / a))
        exact = exact and sure
    here = At(at.symbols, exact)
    if kind in ("all-tables-approximately-private", "not-all-tables-approximately-private", "delta-of-all-tables"):
        gains = [
            sum((max(ZERO, a - factor * b) for a, b in zip(x, y, strict=True)), ZERO)
            for i, j, factor in factors
            for x, y in product(rows[i], rows[j])
        ]
        sign = here.sign(max(gains, default=ZERO) - delta)
    else:
        if not thorough:
            return None
        least_one = least_printed_delta(low, high, factors, exact)
        if least_one is None:
            return None
        sign = here.sign(least_one - delta)
    if kind.startswith("delta"):
        return sign == 0
    return sign <= 0 if kind.startswith(("all", "some")) else sign > 0 or not exact


def worst_level(rows: list[list[Row]], ordered: list[tuple[int, int, Fraction]], at: At) -> Power:
    """The least ratio of entries of vertices, in the sense of levels."""
    lowest = Power(ONE)
    for i, j, square in ordered:
        for r in range(len(rows[i][0])):
            x, y = min(v[r] for v in rows[i]), max(v[r] for v in rows[j])
            if x < y:
                found = Power(x / y, square if x else ONE)
                lowest = found if compare_levels(found, lowest, at) < 0 else lowest
    return lowest


def between_bounds(low: tuple[Row, ...], high: tuple[Row, ...]) -> tuple[list[dict[int, Fraction]], list[Fraction], int]:
    """The rows of a program for x, with slacks of its bounds; and how many variables there are."""
    height, width = len(low), len(low[0])
    rows, right, count = list[dict[int, Fraction]](), list[Fraction](), height * width
    for i in range(height):
        rows.append({i * width + r: ONE for r in range(width)})
        right.append(ONE)
        for r in range(width):
            rows += [{i * width + r: ONE, count: ONE}, {i * width + r: ONE, count + 1: -ONE}]
            right += [high[i][r], low[i][r]]
            count += 2
    return rows, right, count


def printed_feasible(low: tuple[Row, ...], high: tuple[Row, ...], ordered: list[tuple[int, int, Fraction]], level: Power, at: At) -> bool:
    rows, right, count = between_bounds(low, high)
    width, exact = len(low[0]), at.exact
    for i, j, square in ordered:
        a, sure = (level.base, True) if level.base in (0, 1) else power(level.base, square / level.square)
        exact = exact and sure
        for r in range(width):
            rows.append({i * width + r: ONE, j * width + r: -a, count: -ONE})
            right.append(ZERO)
            count += 1
    return least([ZERO] * count, rows, right, exact) is not None


def least_printed_delta(
    low: tuple[Row, ...], high: tuple[Row, ...], factors: list[tuple[int, int, Fraction]], exact: bool
) -> Fraction | None:
    """The least δ; None where approximate numbers found no table at all."""
    rows, right, count = between_bounds(low, high)
    width, delta = len(low[0]), count
    count += 1
    for i, j, factor in factors:
        for chosen in product((0, 1), repeat=width):
            row = {delta: ONE, count: -ONE}
            for r in compress(range(width), chosen):
                row |= {i * width + r: -ONE, j * width + r: factor}
            rows.append(row)
            right.append(ZERO)
            count += 1
    found = least([ONE if k == delta else ZERO for k in range(count)], rows, right, exact)
    assert found is not None or not exact
    return None if found is None else found[0]


def quotient(tables: list[Mechanism], near: Near, at: At) -> Fraction:
    """The least P(outputs | i)/P(outputs | j) over all tuples of outputs."""
    worst = ONE
    for i, j, _ in near.pairs:
        for a, b in ((i, j), (j, i)):
            for outputs in product(*(range(len(t.outputs)) for t in tables)):
                x, y = (prod((t.rows[v][r] for t, r in zip(tables, outputs, strict=True)), start=ONE) for v in (a, b))
                if at.sign(y) > 0:
                    worst = min(worst, x / y)
    return worst


def type_truth(
    c: Json, w: Json, s: Scene, near: Near, alpha: Fraction, m: Mechanism | None, rng: random.Random, thorough: bool
) -> bool | None:
    kind, at, n = c["kind"], s.at, len(near.vertices)
    ones = (ONE,) * n
    if kind in ("tight", "not-tight", "unique-tight", "not-unique-tight", "threshold"):
        holds, _ = solvable(near, alpha, ones, at)
        if kind == "threshold":
            above = s.scalar(c["above"])
            return at.sign(above - alpha) > 0 and holds and not solvable(near, above, ones, at)[0]
        if kind.endswith("unique-tight"):
            matrix, exact = phi(near, alpha)
            regular = rank(matrix, At(at.symbols, at.exact and exact)) == n
            return holds and (kind == "unique-tight" if regular else None)
        return holds == (kind == "tight")
    if kind in ("singular", "non-singular"):
        matrix, exact = phi(near, alpha)
        return (rank(matrix, At(at.symbols, at.exact and exact)) < n) == (kind == "singular")
    prior = s.vector(c["prior"], n) if "prior" in c else None
    if kind in ("regular", "not-regular"):
        assert prior is not None
        return solvable(near, alpha, prior, at)[0] == (kind == "regular")
    if kind in ("utility-bound", "leakage-bound"):
        if not thorough:
            return None
        value = s.scalar(c["value"])
        asked = prior if prior is not None else (Fraction(1, n),) * n
        most, exact = best_utility(near, alpha, asked, at)
        bound = value if kind == "utility-bound" else value * max(asked)
        return At(at.symbols, exact).sign(most - bound) <= 0
    if kind in ("optimal-on-region", "not-optimal-on-region"):
        return region_truth(kind, w, s, near, alpha, m, rng) if thorough else None
    if kind in ("vertices", "kernel-count"):
        if not thorough or len(near.pairs) > 6 or n > 4:
            return None
        rays = vertices(near, alpha, at)
        if rays is None or (kind == "kernel-count" and len(rays) > 14):
            return None
        return c["count"] == (len(rays) if kind == "vertices" else kernel_count(rays, at))
    if kind in ("kernel-mechanism", "not-kernel-mechanism"):
        assert m is not None
        return is_kernel(m, near, alpha, at) == (kind == "kernel-mechanism")
    if kind == "type-capacity":
        if not thorough:
            return None
        return capacity_truth(c["capacity"], s.scalar(c["value"]), near, alpha, at)
    if kind in ("kernel-mixtures", "refines-mixture"):
        for mixture in c.get("mixtures", [c.get("mixture")]):
            weights = [s.scalar(part["weight"]) for part in mixture]
            if not (distribution(tuple(weights), at) and all(is_kernel(s.table(part["kernel"]), near, alpha, at) for part in mixture)):
                return False
    if kind == "kernel-mixtures":
        assert m is not None
        mine = hyper(list(zip(*m.rows, strict=True)), at)
        return all(same_columns(mine, hyper(mixed(x, s), at), at) for x in c["mixtures"])
    if kind == "refines-mixture":
        assert m is not None
        if not thorough or not at.exact:
            return None
        return derivable(tuple(zip(*mixed(c["mixture"], s), strict=True)), m.rows, at)
    if kind.endswith("universally-optimal") and thorough:
        return universal_truth(c, w, s, near, alpha, m, rng)
    return None


def mixed(mixture: Json, s: Scene) -> list[tuple[Fraction, ...]]:
    """The columns of Σ weight·kernel."""
    columns = []
    for part in mixture:
        weight = s.scalar(part["weight"])
        columns += [tuple(weight * x for x in column) for column in zip(*s.table(part["kernel"]).rows, strict=True)]
    return columns


def same_columns(a: list[tuple[Fraction, ...]], b: list[tuple[Fraction, ...]], at: At) -> bool:
    return len(a) == len(b) and all(at.same(x, y) for xs, ys in zip(a, b, strict=True) for x, y in zip(xs, ys, strict=True))


def capacity_truth(kind: str, value: Fraction, near: Near, alpha: Fraction, at: At) -> bool:
    """The largest Σ_y max_x M_xy: n times the utility for the uniform prior; or 1 − the least Σ_y min_x
    M_xy.
    """
    n = len(near.vertices)
    if kind == "multiplicative":
        most, exact = best_utility(near, alpha, (Fraction(1),) * n, at)
        return At(at.symbols, exact).same(most, value)
    rows, right, count, exact = constraints(near, alpha, n)
    cost = [ZERO] * count
    for i in range(n):
        cost[i * n + i] = ONE
    found = least(cost, rows, right, exact and at.exact)
    assert found is not None
    return At(at.symbols, exact and at.exact).same(1 - found[0], value)


def random_prior(n: int, rng: random.Random) -> Row:
    weights = [rng.choice((0, 1, 1, 2, 3, 7)) for _ in range(n)]
    weights[rng.randrange(n)] += 1
    return tuple(Fraction(x, sum(weights)) for x in weights)


def region_truth(kind: str, w: Json, s: Scene, near: Near, alpha: Fraction, m: Mechanism | None, rng: random.Random) -> bool | None:
    """At random regular priors, or at the witness's, M's utility is compared with the best."""
    assert m is not None
    n, (matrix, exact) = len(near.vertices), phi(near, alpha)
    here = At(s.at.symbols, s.at.exact and exact)
    if kind == "optimal-on-region":
        asked = [random_prior(n, rng) for _ in range(2)]
    else:
        values = s.vector(w["weights"], max(w["cells"]) + 1 if "cells" in w else n)
        asked = [tuple(values[k] for k in w["cells"]) if "cells" in w else values]
    for y in asked:
        masses = [sum((a * b for a, b in zip(row, y, strict=True)), ZERO) for row in matrix]
        total = sum(masses)
        if not total:
            return False
        prior = tuple(x / total for x in masses)
        most, sure = best_utility(near, alpha, prior, here)
        sign = At(here.symbols, sure).sign(most - utility(m.rows, prior))
        if kind == "optimal-on-region" and sign > 0:
            return False
        if kind == "not-optimal-on-region":
            return sign > 0
    return None


def universal_truth(c: Json, w: Json, s: Scene, near: Near, alpha: Fraction, m: Mechanism | None, rng: random.Random) -> bool | None:
    loss, at, kind = s.table(c["loss"]), s.at, c["kind"]
    n = len(near.vertices)
    # G(1, α^d) serves everybody on two inputs, and the identity where nothing is constrained
    if kind.startswith("no-"):
        return False if n < 3 or not near.pairs else None
    assert m is not None
    if kind.startswith("not-"):
        values = s.vector(w["prior"], n)
        asked = [tuple(x / sum(values) for x in values)]
    else:
        asked = [random_prior(n, rng) for _ in range(2)]
    for prior in asked:
        consumer = Consumer(loss, None, prior)
        value, exact = optimum(near, alpha, consumer, at)
        sign = At(at.symbols, exact).sign(best_remap(m, consumer, at) - value)
        if kind.startswith("not-"):
            return sign > 0
        if sign > 0:
            return False
    return None


def likelihood_truth(c: Json, s: Scene, rng: random.Random) -> bool | None:
    """No distribution tried has a larger likelihood by more than the factor 1 + gap: ∏ ((p′C)_y/(pC)_y)^q_y ≤
    1 + gap, by whole powers.
    """
    m = s.table(c["mechanism"])
    q, p = s.vector(c["frequencies"], len(m.outputs)), s.vector(c["estimate"], len(m.inputs))
    if not (distribution(q, s.at) and distribution(p, s.at)):
        return False
    den = lcm(*(x.denominator for x in q))
    if not s.at.exact or den > 500:
        return None
    before = times((p,), m.rows)[0]
    corners = [tuple(ONE if k == i else ZERO for k in range(len(p))) for i in range(len(p))]
    for other in [*corners, *(random_prior(len(p), rng) for _ in range(4))]:
        for part in (ONE, Fraction(1, 10)):
            tried = tuple((1 - part) * a + part * b for a, b in zip(p, other, strict=True))
            after = times((tried,), m.rows)[0]
            counted = [(a, b, int(weight * den)) for a, b, weight in zip(after, before, q, strict=True) if weight]
            if any(b == 0 for _, b, _ in counted):
                return False  # the estimate has the likelihood 0
            if prod(((a / b) ** k for a, b, k in counted), start=ONE) > (1 + s.scalar(c["gap"])) ** den:
                return False
    return None


def determinant_truth(c: Json, rng: random.Random) -> bool | None:
    """Both sides at random points, the determinant by elimination."""
    tries = [Fraction(rng.randint(1, 40), 41) for _ in range(2)]
    if c["kind"] == "not-determinant":
        tries = [Fraction(c["point"]["a"])]
    differs = False
    for a in tries:
        rows = matrix_at(c["matrix"], a)
        if rows is None:
            continue
        n = len(rows)
        x = [Fraction(v) for v in c["point"]["x"]] if "x" in c.get("point", {}) else [Fraction(rng.randint(-3, 3)) for _ in range(n)]
        if "column" in c:
            rows = [[x[i] if j == c["column"] else v for j, v in enumerate(row)] for i, row in enumerate(rows)]
        top, bottom = (form_at(c["formula"][key], a, x) for key in ("num", "den"))
        if bottom == 0:
            continue
        determinant = det(rows)
        differs = differs or determinant != top / bottom
        if c["kind"] == "not-determinant" and (determinant != Fraction(c["determinant"]) or top / bottom != Fraction(c["value"])):
            return False
    return not differs if c["kind"] == "determinant" else differs


def matrix_at(data: Json, a: Fraction) -> list[list[Fraction]] | None:
    if data["type"] == "geometric":
        return [list(row) for row in geometric(data["n"], a)]
    if data["type"] == "geometric-prime":
        return [[a ** abs(i - j) for j in range(data["n"] + 1)] for i in range(data["n"] + 1)]
    rows = []
    for row in data["rows"]:
        den = polynomial_at(row["den"], a)
        if den == 0:
            return None
        rows.append([polynomial_at(p, a) / den for p in row["num"]])
    return rows


def polynomial_at(p: Json, a: Fraction) -> Fraction:
    return sum((int(c) * a**k for k, c in enumerate(p)), ZERO)


def form_at(terms: Json, a: Fraction, x: list[Fraction]) -> Fraction:
    return sum((polynomial_at(t["a"], a) * prod((x[j] for j in t["x"]), start=ONE) for t in terms), ZERO)


def det(rows: list[list[Fraction]]) -> Fraction:
    """By the first row."""
    if len(rows) == 1:
        return rows[0][0]
    minors = ((-1) ** j * x * det([[*row[:j], *row[j + 1 :]] for row in rows[1:]]) for j, x in enumerate(rows[0]) if x)
    return sum(minors, ZERO)
