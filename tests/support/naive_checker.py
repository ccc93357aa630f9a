# SPDX-License-Identifier: MIT
"""A second checker, slow and plain, written from SPEC.md without the kernel: Fractions, whole matrices, whole
linear programs.

`decide(certificate)` is True when the claim is true *and* the witness proves it. It answers only for files
that are in the format. Where the kernel folds a tree or uses a closed form, this one multiplies out:
mechanisms are dense lists, cones are given by all their extreme rays, duals by all their inequalities, ranks
by elimination over the rationals.

Numbers beyond ℚ (SPEC.md §2.1) are in `naive_numbers.py`.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations

from naive_numbers import Field, No, Undecided, current, everywhere, greatest, least, must, number, scalar

ZERO, ONE = Fraction(0), Fraction(1)


# ── numbers ──


def vector(data, length):
    values, den = [ZERO] * length, number(data["den"])
    must(den > 0)
    for i, p in zip(data.get("at", range(length)), data["num"], strict=True):
        values[i] = number(p) / den
    return values


def matrix(data, height, width):
    must(len(data) == height)
    return [vector(row, width) for row in data]


def stochastic(rows):
    must(all(x >= 0 for row in rows for x in row) and all(sum(row) == 1 for row in rows))
    return rows


def squared(distance):
    return Fraction(distance[5:-1]) if distance.startswith("sqrt") else Fraction(distance) ** 2


def exact_root(value, k):
    """The k-th root of a positive rational, or None."""

    def one(n):
        guess = math.isqrt(n) if k == 2 else round(n ** (1 / k))
        return next((g for g in (guess - 1, guess, guess + 1) if g >= 0 and g**k == n), None)

    p, q = one(value.numerator), one(value.denominator)
    return None if p is None or q is None else Fraction(p, q)


def power(alpha, square):
    """α^√square when it is rational, else None."""
    d = exact_root(square, 2)
    if isinstance(alpha, Fraction) and d is not None:
        base = exact_root(alpha, d.denominator)
        return None if base is None else base**d.numerator
    if d is not None and d.denominator == 1:
        return alpha**d.numerator
    return current().power(alpha, square) if current() else None


def at_least(x, y, alpha, square):
    """x ≥ α^√square · y. Rational exponents by integer powers, irrational ones by logarithms to 60 digits."""
    d = exact_root(square, 2)
    if d is not None:
        return x**d.denominator >= alpha**d.numerator * y**d.denominator
    if not all(isinstance(v, Fraction) for v in (x, y, alpha)):
        if (a := current().power(alpha, square)) is None:
            raise Undecided
        return x >= a * y
    if y == 0 or x >= y:
        return True
    if x == 0:
        return False
    with localcontext() as context:
        context.prec = 80

        def ln(q):
            return Decimal(q.numerator).ln() - Decimal(q.denominator).ln()

        gap = ln(x / y) - (Decimal(square.numerator) / Decimal(square.denominator)).sqrt() * ln(alpha)
        assert abs(gap) > Decimal(10) ** -60, "too close for this checker"
        return gap > 0


def level(data):
    value = scalar(data)
    must(0 < value < 1)
    return value


# ── definitions ──


def geometric(n, a):
    if n == 0:
        return [[ONE]]
    return [[a ** abs(i - j) * (1 if j in (0, n) else 1 - a) / (1 + a) for j in range(n + 1)] for i in range(n + 1)]


def numbered(n):
    return [str(i) for i in range(n)]


def define(d):
    kind = d["type"]
    if kind in ("mechanism", "table"):
        rows = matrix(d["rows"], len(d["inputs"]), len(d["outputs"]))
        return (d["inputs"], d["outputs"], stochastic(rows) if kind == "mechanism" else rows)
    if kind == "geometric":
        labels = numbered(d["n"] + 1)
        return (labels, labels, geometric(d["n"], level(d["level"])))
    if kind == "path":
        return (numbered(d["vertices"]), [(i, i + 1, ONE) for i in range(d["vertices"] - 1)])
    if kind == "randomized-response":
        size, alpha = len(d["inputs"]), level(d["level"])
        shares = [[ONE if i == r else alpha for r in range(size)] for i in range(size)]
        return (d["inputs"], d["inputs"], [[x / (1 + (size - 1) * alpha) for x in row] for row in shares])
    if kind == "complete":
        return (d["vertices"], [(i, j, ONE) for i, j in combinations(range(len(d["vertices"])), 2)])
    if kind == "graph":
        return (d["vertices"], [(i, j, ONE) for i, j in d["edges"]])
    if kind == "distances":
        return (d["vertices"], [(i, j, squared(s)) for i, j, s in d["pairs"]])
    if kind == "loss":
        return (d["inputs"], d["guesses"], matrix(d["rows"], len(d["inputs"]), len(d["guesses"])))
    f = {"abs-loss": lambda i, r: abs(i - r), "squared-loss": lambda i, r: (i - r) ** 2, "zero-one-loss": lambda i, r: int(i != r)}[kind]
    labels = numbered(d["n"] + 1)
    return (labels, labels, [[Fraction(f(i, r)) for r in range(d["n"] + 1)] for i in range(d["n"] + 1)])


class Consumer:
    def __init__(self, claim, definitions, inputs):
        c = claim["consumer"]
        self.inputs, self.guesses, self.l = define(definitions[c["loss"]])
        must(self.inputs == inputs)
        self.S = c.get("side_information")
        self.prior = None if self.S is not None else vector(c["prior"], len(inputs))
        must(self.prior is None or (all(p >= 0 for p in self.prior) and sum(self.prior) == 1))

    def loss(self, x):
        each = [sum(a * b for a, b in zip(self.l[i], x[i], strict=True)) for i in range(len(x))]
        return greatest([each[i] for i in self.S]) if self.prior is None else sum(p * e for p, e in zip(self.prior, each, strict=True))

    def weights(self, witness):
        if self.prior is not None:
            return self.prior
        w = vector(witness["weights"], len(self.inputs))
        must(all(x >= 0 for x in w) and sum(w) == 1 and all(x == 0 for i, x in enumerate(w) if i not in self.S))
        return w


def product(a, b):
    return [[sum(x * b[k][j] for k, x in enumerate(row)) for j in range(len(b[0]))] for row in a]


# ── rules ──


def private(x, pairs, alpha, scale=ONE):
    """α^(d/√scale) on every pair."""
    return all(at_least(x[a][r], x[b][r], alpha, s / scale) for i, j, s in pairs for a, b in ((i, j), (j, i)) for r in range(len(x[0])))


def rank(rows):
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column] != 0), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] / rows[found][column]
            if factor != 0:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


def rays(m, pairs, alpha):
    """Generators of {x : x_i ≥ αx_j on every edge} of a forest: the extreme rays of each tree, 0
    elsewhere.
    """
    component, edges = list(range(m)), 0
    for i, j, s in pairs:
        must(s == 1 and component[i] != component[j])  # distances 1, no cycle
        old, new, edges = component[j], component[i], edges + 1
        component = [new if c == old else c for c in component]
    for c in sorted(set(component)):
        inside = [e for e in pairs if component[e[0]] == c]
        for choice in itertools.product((alpha, 1 / alpha), repeat=len(inside)):
            x = [ZERO] * m
            x[c] = ONE
            while any(x[i] == 0 for i in range(m) if component[i] == c):
                for (i, j, _), t in zip(inside, choice, strict=True):
                    if x[i] and not x[j]:
                        x[j] = x[i] * t
                    elif x[j] and not x[i]:
                        x[i] = x[j] / t
            yield x


def in_order(m, pairs):
    return m >= 2 and pairs == [(i, i + 1, ONE) for i in range(m - 1)]


def floor(dual, consumer, pairs, alpha):
    """The bound that the dual proves, and the equations that every optimum satisfies: (coefficients by
    cell).
    """
    w, l, m, g = consumer.weights(dual), consumer.l, len(consumer.inputs), len(consumer.guesses)
    if "potentials" not in dual:
        must(in_order(m, pairs))
        f = [[sum(alpha ** abs(i - j) * w[i] * l[i][r] for i in range(m)) for j in range(m)] for r in range(g)]
        b = [least([f[r][j] for r in range(g)]) for j in range(m)]
        for r in range(g):
            h = [x - y for x, y in zip(f[r], b, strict=True)]
            right_of = [all(everywhere(h[i], alpha * h[i - 1]) for i in range(k + 2, m)) for k in range(-1, m)]
            left_of = [all(everywhere(h[i], alpha * h[i + 1]) for i in range(min(k, m - 1))) for k in range(-1, m)]
            must(any(x and y for x, y in zip(left_of, right_of, strict=True)))
        k = [[(1 + alpha**2 * (0 < i < m - 1)) if i == j else (-alpha if abs(i - j) == 1 else ZERO) for j in range(m)] for i in range(m)]
        mu = [sum(k[i][j] * b[j] for j in range(m)) / (1 - alpha**2) for i in range(m)]
    else:
        mu = vector(dual["potentials"], m)
    reduced = [[w[i] * l[i][r] - mu[i] for r in range(g)] for i in range(m)]
    equations = [{(i, r): l[i][r] for r in range(g)} for i in range(m) if w[i] > 0 and consumer.prior is None]
    if not {"edges", "folds"} & {*dual}:
        holds = all(sum(reduced[i][r] * x[i] for i in range(m)) >= 0 for x in rays(m, pairs, alpha) for r in range(g))
        assert holds or "potentials" in dual, "the path rule let something through that is false"
        must(holds)
        return sum(mu), equations
    edges = matrix(dual["edges"], len(pairs), g) if "edges" in dual else [[ZERO] * g for _ in pairs]
    for r, lists in enumerate(dual.get("folds", [])):
        left = [row[r] for row in reduced]
        must(all(power(alpha, s) is not None for _, _, s in pairs))
        for (i, j, s), row in zip(pairs, edges, strict=True):
            x, y = (row[r], -power(alpha, s) * row[r]) if row[r] >= 0 else (-power(alpha, s) * -row[r], -row[r])
            left[i], left[j] = left[i] - x, left[j] - y
        for leaf, root in zip(lists["from"], lists["into"], strict=True):
            [(e, a)] = [(e, power(alpha, s)) for e, (i, j, s) in enumerate(pairs) if {i, j} == {leaf, root}]
            must(edges[e][r] == 0)
            towards = 1 if leaf < root else -1
            if left[leaf] >= 0:
                edges[e][r], left[root] = towards * left[leaf], left[root] + a * left[leaf]
            else:
                edges[e][r], left[root] = towards * left[leaf] / a, left[root] + left[leaf] / a
            left[leaf] = ZERO
    for (i, j, s), row in zip(pairs, edges, strict=True):
        a = power(alpha, s)
        must(a is not None)
        for r, u in enumerate(row):
            up = least([u, ZERO]) == 0  # u ≥ 0; or else u ≤ 0
            hi, lo, size = (i, j, u) if up else (j, i, -u)
            reduced[hi][r] -= size
            reduced[lo][r] += a * size
            equations += [{(hi, r): ONE, (lo, r): -a}] if size > 0 else []
    must(all(x >= 0 for row in reduced for x in row))
    equations += [{(i, r): ONE} for i in range(m) for r in range(g) if reduced[i][r] > 0]
    return sum(mu), equations


def alone(equations, m, g):
    equations = equations + [{(i, r): ONE for r in range(g)} for i in range(m)]
    must(rank([[e.get((i, r), ZERO) for i in range(m) for r in range(g)] for e in equations]) == m * g)


def remap_floor(m, w, consumer):
    return sum(
        least([sum(w[i] * consumer.l[i][r] * m[i][y] for i in range(len(m))) for r in range(len(consumer.guesses))])
        for y in range(len(m[0]))
    )


def different(a, b):
    """Different matrices; over an interval, at every number of it."""
    return sum((x - y) ** 2 for row, other in zip(a, b, strict=True) for x, y in zip(row, other, strict=True)) > 0


# ── claims ──


def privacy(c, d, w):
    inputs, pairs = define(d[c["neighbours"]])
    labels, _, x = define(d[c["mechanism"]])
    must(labels == inputs)
    if c["kind"] == "private":
        must(private(x, pairs, level(c["level"])))
        return
    ratio, unit = scalar(c.get("ratio", "0")), squared(c.get("distance", "1"))
    if c["kind"] == "level" and ratio > 0:
        must(private(x, pairs, ratio, unit))
    if c["kind"] == "level" and ratio == 1:
        return
    (i, j), r = w["pair"], w["output"]
    square = {frozenset(pair[:2]): pair[2] for pair in pairs}.get(frozenset((i, j)))
    must(square is not None)
    if c["kind"] == "not-private":
        must(not at_least(x[i][r], x[j][r], level(c["level"]), square))
    else:
        must(x[j][r] > 0 and x[i][r] / x[j][r] == ratio and (ratio == 0 or square == unit))


def derivability(c, d, w):
    (inputs, ya, a), (other, yb, b) = define(d[c["source"]]), define(d[c["target"]])
    must(inputs == other)
    if c["kind"] == "derivable":
        must(product(a, stochastic(matrix(w["remap"], len(ya), len(yb)))) == b)
    else:
        s = matrix(w["separator"], len(inputs), len(yb))
        best = sum(greatest([sum(s[x][r] * a[x][y] for x in range(len(a))) for r in range(len(yb))]) for y in range(len(ya)))
        must(sum(s[x][r] * b[x][r] for x in range(len(b)) for r in range(len(yb))) > best)


def optimality(c, d, w):
    inputs, pairs = define(d[c["neighbours"]])
    alpha, kind, value = level(c["level"]), c["kind"], scalar(c["value"])
    consumer = Consumer(c, d, inputs)
    guesses, m = consumer.guesses, len(inputs)
    stated = scalar(c.get("loss", c["value"]))
    must("loss" not in c or (stated - value == scalar(c["gap"]) and stated > value))

    def rows(data):
        x = stochastic(matrix(data, m, len(guesses)))
        must(private(x, pairs, alpha) and consumer.loss(x) == value)
        return x

    if "mechanism" in c:
        labels, outputs, x = define(d[c["mechanism"]])
        must(labels == inputs and private(x, pairs, alpha))
        if "remap" in w:
            must(consumer.loss(product(x, stochastic(matrix(w["remap"], len(outputs), len(guesses))))) == stated)
        else:
            must(outputs == guesses and consumer.loss(x) == stated)
        if kind == "not-optimal-after-remap":
            must(remap_floor(x, consumer.weights(w), consumer) == stated)
    if "primal" in w and "rows" in w["primal"]:
        rows(w["primal"]["rows"])
    elif "primal" in w and "components" in w["primal"]:
        x = [[ZERO] * len(guesses) for _ in inputs]
        for part in w["primal"]["components"]:
            for i, h in zip(part["at"], part["heights"], strict=True):
                must(x[i][part["guess"]] == 0)
                x[i][part["guess"]] = Fraction(part["value"]) * alpha**h
        must(private(stochastic(x), pairs, alpha) and consumer.loss(x) == value)
    elif "primal" in w:
        must(in_order(m, pairs))
        x = product(geometric(m - 1, alpha), stochastic(matrix(w["primal"]["remap"], m, len(guesses))))
        must(private(x, pairs, alpha) and consumer.loss(x) == value)
    if kind == "not-unique":
        must(different(rows(w["first"]), rows(w["second"])))
    bound, equations = floor(w["dual"], consumer, pairs, alpha)
    must(bound == value)
    if kind == "unique":
        alone(equations, m, len(guesses))


def remaps(c, d, w):
    inputs, outputs, m = define(d[c["mechanism"]])
    consumer, value = Consumer(c, d, inputs), scalar(c["value"])
    stated, weights, g = scalar(c.get("loss", c["value"])), consumer.weights(w), len(consumer.guesses)
    must("loss" not in c or (stated - value == scalar(c["gap"]) and stated > value))
    if "remap" in c:
        rows, columns, t = define(d[c["remap"]])
        must(rows == outputs and columns == consumer.guesses and consumer.loss(product(m, t)) == stated)
    given = [stochastic(matrix(w[key], len(outputs), g)) for key in ("remap", "first", "second") if key in w]
    must(all(consumer.loss(product(m, t)) == value for t in given) and (len(given) < 2 or different(*given)))
    must(remap_floor(m, weights, consumer) == value)
    if c["kind"] == "unique-remap":
        score = [[sum(weights[i] * consumer.l[i][r] * m[i][y] for i in range(len(m))) for r in range(g)] for y in range(len(outputs))]
        equations = [{(y, r): ONE} for y in range(len(outputs)) for r in range(g) if score[y][r] > least(score[y])]
        if consumer.prior is None:
            equations += [
                {(y, r): m[i][y] * consumer.l[i][r] for y in range(len(outputs)) for r in range(g)} for i in range(len(m)) if weights[i] > 0
            ]
        alone(equations, len(outputs), g)


def release(c, d, w):
    n, levels = c["n"], [level(a) for a in c["levels"]]
    must(all(a < b for a, b in itertools.pairwise(levels)))
    laws, stages = [geometric(n, a) for a in levels], [stochastic(matrix(t, n + 1, n + 1)) for t in w["stages"]]
    must(all(product(a, t) == b for a, t, b in zip(laws[:-1], stages, laws[1:], strict=True)))
    results = list(itertools.product(range(n + 1), repeat=len(levels)))

    def law(i, r):
        return laws[0][i][r[0]] * math.prod((t[a][b] for t, a, b in zip(stages, r[:-1], r[1:], strict=True)), start=ONE)

    for coalition in c["coalitions"]:
        seen = {}
        for r in results:
            key = tuple(r[k] for k in coalition["members"])
            seen[key] = [x + law(i, r) for i, x in enumerate(seen.get(key, [ZERO] * (n + 1)))]
        ratios = [x / y for column in seen.values() for a, b in itertools.pairwise(column) for x, y in ((a, b), (b, a)) if y != 0]
        must(least(ratios) == scalar(coalition["level"]))


def not_stochastic(c, d, w):
    row = define(d[c["table"]])[2][w["row"]]
    must(row[w["column"]] < 0 if "column" in w else sum(row) != 1)


def on_pieces(c, d, w):
    """Every claim holds on its interval; the intervals follow each other."""
    whole, pieces = current(), c["pieces"]
    must(len(pieces) == len(w["pieces"]) and whole.interval is not None)
    fields = [Field(whole.name, {"type": "parameter", "interval": piece["interval"]}) for piece in pieces]
    for field, piece, witness in zip(fields, pieces, w["pieces"], strict=True):
        with field:
            rule_of(piece["claim"]["kind"])(piece["claim"], d, witness)
    must(fields[0].interval.texts[0] == whole.interval.texts[0] and fields[-1].interval.texts[1] == whole.interval.texts[1])
    must(fields[0].interval.closed[0] or not whole.interval.closed[0])
    must(fields[-1].interval.closed[1] or not whole.interval.closed[1])
    for a, b in itertools.pairwise(field.interval for field in fields):
        must(a.texts[1] == b.texts[0] and (a.closed[1] or b.closed[0]))


def rule_of(kind):
    special = {"not-stochastic": not_stochastic, "release": release, "on-pieces": on_pieces}
    special |= dict.fromkeys(("optimal-remap", "not-optimal-remap", "unique-remap", "not-unique-remap"), remaps)
    special |= dict.fromkeys(("private", "not-private", "level"), privacy)
    return special.get(kind, derivability if "derivable" in kind else optimality)


def decide(certificate):
    """Whether a well-formed certificate proves its claim."""
    c, kind = certificate["claim"], certificate["claim"]["kind"]
    content = {k: certificate[k] for k in ("claim", "definitions", "format", "version", "witness")}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    try:
        must(certificate["digest"] == "sha256:" + digest)
        fields = {name: d for name, d in certificate["definitions"].items() if d["type"] in ("exponential", "parameter", "region")}
        definitions = {name: d for name, d in certificate["definitions"].items() if name not in fields}
        witness, field = dict(certificate["witness"]), Field(*next(iter(fields.items()), ("", None)))
        if field.region is not None:
            field.region.learn(witness.pop("signs", []))
        with field:
            for d in definitions.values() if kind != "on-pieces" else ():
                define(d)
            rule_of(kind)(c, definitions, witness)
    except No:
        return False
    return True
