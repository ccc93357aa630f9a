# SPDX-License-Identifier: MIT
"""Certificates of every kind, written from formulas with Fractions. Neither the package nor the kernel is
used.

Where the numbers come from: randomized response and its dual on a complete graph by symmetry; the geometric
mechanism's least favourable priors by solving two linear equations; multipliers on a path by the identity of
SPEC §4.2; stages of a release by the tridiagonal inverse; a coalition's level is the smallest level among its
members.
"""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction as F
from itertools import combinations, pairwise
from math import lcm

from naive_checker import geometric, product
from naive_numbers import Number, everywhere, least, polynomial, to_json


def exact(x):
    """A number of a field as it is, anything else as a fraction."""
    return x if isinstance(x, Number) else F(x)


def text(x):
    return dict(zip(("num", "den"), to_json(x), strict=True)) if isinstance(x, Number) else str(F(x))


def vec(values, sparse=False):
    values = [exact(x) for x in values]
    if any(isinstance(x, Number) for x in values):
        return field_vec([Number.of(x) for x in values], sparse)
    den = lcm(*(x.denominator for x in values))
    at = [i for i, x in enumerate(values) if x] if sparse else range(len(values))
    num = [str(values[i].numerator * (den // values[i].denominator)) for i in at]
    return {"den": str(den), "at": list(at), "num": num} if sparse else {"den": str(den), "num": num}


def field_vec(values, sparse):
    den = values[0].den
    for x in values:
        den *= x.den / den.gcd(x.den)
    den = den if Number(den) > 0 else -den
    at = [i for i, x in enumerate(values) if x.num != 0] if sparse else range(len(values))
    num = [polynomial(values[i].num * (den / values[i].den)) for i in at]
    return {"den": polynomial(den), **({"at": list(at)} if sparse else {}), "num": num}


def mat(rows, sparse=False):
    return [vec(row, sparse) for row in rows]


def seal(certificate):
    """The certificate with its digest (computed here, not by the kernel)."""
    content = {k: certificate[k] for k in ("claim", "definitions", "format", "version", "witness")}
    data = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    return {**certificate, "digest": "sha256:" + hashlib.sha256(data).hexdigest()}


def certificate(claim, definitions, witness):
    return seal({"format": "exactdp-certificate", "version": "0.2", "claim": claim, "definitions": definitions, "witness": witness})


def numbered(m):
    return [str(i) for i in range(m)]


def mech(rows, inputs=None, outputs=None, sparse=False, kind="mechanism"):
    return {"type": kind, "inputs": inputs or numbered(len(rows)), "outputs": outputs or numbered(len(rows[0])), "rows": mat(rows, sparse)}


def geo(n, level):
    return {"type": "geometric", "n": n, "level": level}


def path(m):
    return {"type": "path", "vertices": m}


def graph(m, edges):
    return {"type": "graph", "vertices": numbered(m), "edges": [list(e) for e in edges]}


def table_of_distances(m, pairs):
    return {"type": "distances", "vertices": numbered(m), "pairs": [list(p) for p in pairs]}


def complete(m):
    return graph(m, combinations(range(m), 2))


def minimax(*s):
    return {"type": "minimax", "loss": "L", "side_information": list(s)}


def bayes(*prior):
    return {"type": "bayesian", "loss": "L", "prior": vec(prior)}


def losses(f, m, g=None):
    return {
        "type": "loss",
        "inputs": numbered(m),
        "guesses": numbered(g or m),
        "rows": mat([[f(i, r) for r in range(g or m)] for i in range(m)]),
    }


def response(m, a):
    """Randomized response: 1 on the diagonal, a beside it, scaled."""
    a, total = exact(a), 1 + (m - 1) * exact(a)
    return [[(1 if i == r else a) / total for r in range(m)] for i in range(m)]


def identity(m):
    return [[F(i == r) for r in range(m)] for i in range(m)]


def stage(n, a, b):
    """G(n, a)⁻¹ G(n, b), with G⁻¹ = diag(1/s) K/(1 − a²)."""
    a, b = exact(a), exact(b)
    k = [[(1 + a**2 * (0 < i < n)) if i == j else (-a if abs(i - j) == 1 else F(0)) for j in range(n + 1)] for i in range(n + 1)]
    s = [(1 if j in (0, n) else 1 - a) / (1 + a) for j in range(n + 1)]
    return [[x / (s[i] * (1 - a**2)) for x in row] for i, row in enumerate(product(k, geometric(n, b)))]


def interaction(a):
    """n = 3, |i−r|, all inputs: the best remap of G(3, a), the least favourable prior (x, ½−x, ½−x, x) and
    the value.
    """
    a, g = exact(a), geometric(3, exact(a))

    def remap(t):
        return [[t, 1 - t, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1 - t, t]]

    def loss(i, t):
        return sum(x * abs(i - r) for r, x in enumerate(product(g, remap(t))[i]))

    def tie(x):  # φ_0(0) − φ_1(0)
        return sum(w * g[i][0] * (abs(i) - abs(i - 1)) for i, w in enumerate((x, F(1, 2) - x, F(1, 2) - x, x)))

    def zero(f):  # of an affine function
        return f(F(0)) / (f(F(0)) - f(F(1)))

    t, x = zero(lambda t: loss(0, t) - loss(1, t)), zero(tie)
    return remap(t), [x, F(1, 2) - x, F(1, 2) - x, x], loss(0, t)


def path_dual(a, w, l):
    """(μ, multipliers by edge and guess) from the identity of SPEC §4.2, with all edges of a path."""
    a, m, g = exact(a), len(l), len(l[0])
    f = [[sum(a ** abs(i - j) * w[i] * l[i][r] for i in range(m)) for j in range(m)] for r in range(g)]
    b = [least([f[r][j] for r in range(g)]) for j in range(m)]
    k = [[(1 + a**2 * (0 < i < m - 1)) if i == j else (-a if abs(i - j) == 1 else 0) for j in range(m)] for i in range(m)]
    mu = [sum(k[i][j] * b[j] for j in range(m)) / (1 - a**2) for i in range(m)]
    u = [[F(0)] * g for _ in range(m - 1)]
    for r in range(g):
        h = [x - y for x, y in zip(f[r], b, strict=True)]
        cut = next(
            k
            for k in range(-1, m)
            if all(everywhere(h[i], a * h[i + 1]) for i in range(min(k, m - 1)))
            and all(everywhere(h[i], a * h[i - 1]) for i in range(k + 2, m))
        )
        for i in range(m - 1):  # the edge {i, i+1}: on each side of the cut one direction, both at the cut
            if i < cut:
                u[i][r] = (h[i] - a * h[i + 1]) / (1 - a**2)
            elif i > cut:
                u[i][r] = -(h[i + 1] - a * h[i]) / (1 - a**2)
            else:  # of p(x_i − a·x_{i+1}) + q(x_{i+1} − a·x_i) one direction, the rest is slack
                p, q = h[i] / (1 - a**2), h[i + 1] / (1 - a**2)
                u[i][r] = p - a * q if everywhere(p, a * q) else a * p - q
    return mu, u


def symmetric_dual(m, a, edges_weight=1):
    """Zero-one loss, uniform weights, all pairs: μ = v/m and t = (1−v)/m on x_ir − a·x_rr for i ≠ r."""
    v = (m - 1) * exact(a) / (1 + (m - 1) * exact(a))
    return v, {"potentials": vec([v / m] * m), "edges": mat(symmetric_multipliers(m, a), True)}


def symmetric_multipliers(m, a):
    v = (m - 1) * exact(a) / (1 + (m - 1) * exact(a))
    t = (1 - v) / m
    return [[-t if r == i else t if r == j else F(0) for r in range(m)] for i, j in combinations(range(m), 2)]


def components(x, a):
    """The components of a matrix, looked for from each input to the next ones in order."""
    a, found = exact(a), []
    for r in range(len(x[0])):
        heights = {}
        for i, row in enumerate(x):
            step = next((s for s in (1, -1) if i and x[i - 1][r] * a**s == row[r]), None)
            if row[r] and step and i - 1 in heights:
                heights[i] = heights[i - 1] + step
            elif row[r]:
                heights = {i: 0}
            if heights and (i + 1 == len(x) or not any(x[i][r] * a**s == x[i + 1][r] for s in (1, -1))):
                least = min(heights.values())
                value = x[min(heights, key=heights.get)][r]
                found.append({"guess": r, "at": [*heights], "heights": [h - least for h in heights.values()], "value": text(value)})
                heights = {}
    return found


def folds(*guesses):
    """Folds of each guess from pairs (from, into)."""
    return [{"from": [i for i, _ in pairs], "into": [j for _, j in pairs]} for pairs in guesses]


def pool():
    """All certificates by name."""
    c = {}
    abs4 = {"type": "abs-loss", "n": 3}
    zero_one = {m: {"type": "zero-one-loss", "n": m - 1} for m in (2, 3, 4)}
    everyone = minimax(0, 1, 2, 3)

    # not-stochastic
    c["row-sum"] = certificate(
        {"kind": "not-stochastic", "table": "T"}, {"T": mech([[F(1, 2), F(2, 3)], [1, 0]], kind="table")}, {"row": 0}
    )
    c["negative-entry"] = certificate(
        {"kind": "not-stochastic", "table": "T"}, {"T": mech([[1, 0], [F(3, 2), F(-1, 2)]], kind="table")}, {"row": 1, "column": 1}
    )

    # private, not-private, level
    def private(name, m, n, level, kind="private", witness=None, **more):
        claim = {"kind": kind, "mechanism": "M", "neighbours": "N", **({"level": level} if level else {}), **more}
        c[name] = certificate(claim, {"M": m, "N": n}, witness or {})

    square = [(0, 1, "1"), (0, 2, "1"), (0, 3, "sqrt(2)"), (1, 2, "sqrt(2)"), (1, 3, "1"), (2, 3, "1")]
    half = response(2, F(1, 2))
    grid = [[half[i // 2][r // 2] * half[i % 2][r % 2] for r in range(4)] for i in range(4)]
    skew = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
    private("private-geometric", geo(3, "1/4"), path(4), "1/4")
    private("private-response", mech(response(3, "1/2")), complete(3), "1/2")
    private("private-irrational", mech(grid), table_of_distances(4, square), "1/3")
    private("private-rational-distance", mech(skew), table_of_distances(2, [(0, 1, "1/2")]), "1/4")
    private("private-unconstrained", mech(identity(2)), graph(2, []), "1/2")
    private("not-private-geometric", geo(2, "1/4"), path(3), "1/3", "not-private", {"pair": [1, 0], "output": 0})
    private("not-private-irrational", mech(grid), table_of_distances(4, square), "1/2", "not-private", {"pair": [3, 0], "output": 0})
    private("not-private-zero", mech(identity(2)), path(2), "1/100", "not-private", {"pair": [1, 0], "output": 0})
    private("level-geometric", geo(3, "2/5"), path(4), None, "level", {"pair": [1, 0], "output": 0}, ratio="2/5", distance="1")
    private(
        "level-irrational",
        mech(grid),
        table_of_distances(4, square),
        None,
        "level",
        {"pair": [3, 0], "output": 0},
        ratio="1/4",
        distance="sqrt(2)",
    )
    private(
        "level-two",
        mech(skew),
        table_of_distances(2, [(0, 1, "2")]),
        None,
        "level",
        {"pair": [1, 0], "output": 0},
        ratio="1/2",
        distance="2",
    )
    private(
        "level-mixed",
        mech(grid),
        table_of_distances(4, [(i, j, "1" if d == "1" else "3/2") for i, j, d in square]),
        None,
        "level",
        {"pair": [0, 3], "output": 3},
        ratio="1/4",
        distance="3/2",
    )
    private("level-zero", mech(identity(2)), path(2), None, "level", {"pair": [0, 1], "output": 1}, ratio="0", distance="1")
    private("level-one", mech([[F(1, 3), F(2, 3)]] * 2), path(2), None, "level", ratio="1", distance="1")

    # derivable, not-derivable
    c["derivable-geometric"] = certificate(
        {"kind": "derivable", "source": "A", "target": "B"},
        {"A": geo(2, "1/4"), "B": geo(2, "1/2")},
        {"remap": mat(stage(2, "1/4", "1/2"))},
    )
    c["derivable-merge"] = certificate(
        {"kind": "derivable", "source": "A", "target": "B"},
        {"A": mech(response(3, "1/2"), outputs=list("abc")), "B": mech([[F(3, 4), F(1, 4)]] * 2 + [[F(1, 2)] * 2])},
        {"remap": mat([[1, 0], [1, 0], [0, 1]], True)},
    )
    c["not-derivable-identity"] = certificate(
        {"kind": "not-derivable", "source": "A", "target": "B"},
        {"A": mech(response(2, "1/3")), "B": mech(identity(2))},
        {"separator": mat(identity(2))},
    )
    c["not-derivable-triple"] = certificate(
        {"kind": "not-derivable", "source": "A", "target": "B"},
        {"A": geo(2, "1/2"), "B": mech([[F(2, 3), F(1, 3)], [F(1, 2), F(1, 2)], [F(2, 3), F(1, 3)]])},
        {"separator": mat([[F(1, 2), 0], [F(-5, 4), 0], [F(1, 2), 0]])},
    )

    # optimal on paths: one problem, three dual rules
    def best(name, kind, n, level, consumer, value, losses_, witness, **more):
        definitions = {"N": n, "L": losses_, **more.pop("definitions", {})}
        claim = {"kind": kind, "neighbours": "N", "level": level, "consumer": consumer, "value": text(value), **more}
        c[name] = certificate(claim, definitions, witness)

    abs_rows = [[F(abs(i - r)) for r in range(4)] for i in range(4)]
    for level in ("1/4", "1/2", "1/3"):
        t, w, value = interaction(level)
        x = product(geometric(3, F(level)), t)
        mu, u = path_dual(level, w, abs_rows)
        tag = level.replace("/", "-")
        weights = {"weights": vec(w)}
        remap, graph_dual = {"remap": mat(t, True)}, weights | {"potentials": vec(mu), "edges": mat(u)}
        best(f"optimal-path-{tag}", "optimal", path(4), level, everyone, value, abs4, {"primal": remap, "dual": weights})
        best(
            f"optimal-forest-{tag}",
            "optimal",
            path(4),
            level,
            everyone,
            value,
            abs4,
            {"primal": {"rows": mat(x)}, "dual": weights | {"potentials": vec(mu)}},
        )
        best(
            f"optimal-graph-{tag}",
            "optimal",
            graph(4, [(0, 1), (1, 2), (2, 3)]),
            level,
            everyone,
            value,
            abs4,
            {"dual": graph_dual},
            mechanism="M",
            definitions={"M": mech(x)},
        )
        best(
            f"optimal-components-{tag}",
            "optimal",
            graph(4, [(0, 1), (1, 2), (2, 3)]),
            level,
            everyone,
            value,
            abs4,
            {
                "primal": {"components": components(x, level)},
                "dual": weights | {"potentials": vec(mu), "folds": folds(*[[(3, 2), (0, 1), (2, 1)]] * 4)},
            },
        )
        best(
            f"optimal-after-remap-{tag}",
            "optimal-after-remap",
            path(4),
            level,
            everyone,
            value,
            abs4,
            remap | {"dual": weights},
            mechanism="M",
            definitions={"M": geo(3, level)},
        )
        raw = max(sum(y * abs(i - r) for r, y in enumerate(row)) for i, row in enumerate(geometric(3, F(level))))
        best(
            f"not-optimal-{tag}",
            "not-optimal",
            path(4),
            level,
            everyone,
            value,
            abs4,
            {"primal": remap, "dual": weights},
            mechanism="M",
            loss=text(raw),
            gap=text(raw - value),
            definitions={"M": geo(3, level)},
        )
        best(
            f"unique-path-{tag}",
            "unique",
            path(4),
            level,
            everyone,
            value,
            abs4,
            {"dual": graph_dual},
            mechanism="M",
            definitions={"M": mech(x)},
        )
        claim = {"mechanism": "M", "consumer": everyone, "value": text(value)}
        named = {"M": geo(3, level), "L": abs4, "T": mech(t, sparse=True)}
        c[f"optimal-remap-{tag}"] = certificate({"kind": "optimal-remap", **claim}, {"M": geo(3, level), "L": abs4}, weights | remap)
        c[f"optimal-remap-named-{tag}"] = certificate({"kind": "optimal-remap", **claim, "remap": "T"}, named, weights)
        c[f"unique-remap-{tag}"] = certificate({"kind": "unique-remap", **claim, "remap": "T"}, named, weights)
    t, w, value = interaction("1/4")
    printed = [[F(9, 11), F(2, 11), 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, F(2, 11), F(9, 11)]]
    c["not-optimal-remap"] = certificate(
        {
            "kind": "not-optimal-remap",
            "mechanism": "M",
            "consumer": everyone,
            "remap": "T",
            "loss": text(value + F(63, 73040)),
            "value": text(value),
            "gap": "63/73040",
        },
        {"M": geo(3, "1/4"), "L": abs4, "T": mech(printed)},
        {"weights": vec(w), "remap": mat(t, True)},
    )
    t2, w2, value2 = interaction("1/2")
    best(
        "not-optimal-after-remap",
        "not-optimal-after-remap",
        path(4),
        "1/4",
        everyone,
        value,
        abs4,
        {"remap": mat(t2, True), "weights": vec(w2), "primal": {"remap": mat(t, True)}, "dual": {"weights": vec(w)}},
        mechanism="M",
        loss=text(value2),
        gap=text(value2 - value),
        definitions={"M": geo(3, "1/2")},
    )

    # Bayesian consumers on a path; ties
    third = [F(1, 3)] * 3
    rows3 = [[F((i - r) ** 2) for r in range(3)] for i in range(3)]
    value3 = sum(min(sum(third[i] * rows3[i][r] * geometric(2, F(1, 2))[i][j] for i in range(3)) for r in range(3)) for j in range(3))
    choice = [
        [F(r == min(range(3), key=lambda r: sum(rows3[i][r] * geometric(2, F(1, 2))[i][j] for i in range(3)))) for r in range(3)]
        for j in range(3)
    ]
    best(
        "optimal-bayes-path",
        "optimal",
        path(3),
        "1/2",
        bayes(*third),
        value3,
        {"type": "squared-loss", "n": 2},
        {"primal": {"remap": mat(choice, True)}, "dual": {}},
    )
    mu3, u3 = path_dual("1/2", third, rows3)
    best(
        "optimal-bayes-graph",
        "optimal",
        path(3),
        "1/2",
        bayes(*third),
        value3,
        losses(lambda i, r: (i - r) ** 2, 3),
        {"primal": {"remap": mat(choice)}, "dual": {"potentials": vec(mu3), "edges": mat(u3, True)}},
    )
    c["optimal-remap-bayes"] = certificate(
        {"kind": "optimal-remap", "mechanism": "M", "consumer": bayes(*third), "value": text(value3)},
        {"M": geo(2, "1/2"), "L": {"type": "squared-loss", "n": 2}},
        {"remap": mat(choice)},
    )
    tie = {"first": mat(half), "second": mat([[1, 0], [1, 0]]), "dual": {"potentials": vec([0, F(1, 3)])}}
    best("not-unique-tie", "not-unique", path(2), "1/2", bayes(F(2, 3), F(1, 3)), F(1, 3), zero_one[2], tie)
    best(
        "not-unique-constant",
        "not-unique",
        graph(3, [(0, 1), (1, 2)]),
        "1/2",
        minimax(1),
        0,
        losses(lambda i, r: 0, 3),
        {
            "first": mat([[1, 0, 0]] * 3),
            "second": mat([[0, 0, 1]] * 3),
            "dual": {"weights": vec([0, 1, 0]), "potentials": vec([0, 0, 0], True)},
        },
    )
    best(
        "optimal-single-vertex",
        "optimal",
        path(1),
        "1/2",
        minimax(0),
        0,
        {"type": "abs-loss", "n": 0},
        {"primal": {"rows": mat([[1]])}, "dual": {"weights": vec([1]), "potentials": vec([0])}},
    )
    sides, ends = [[F(0), F(1)], [F(0), F(0)], [F(1), F(0)]], [F(1, 2), F(0), F(1, 2)]
    mu_star, _ = path_dual("1/2", ends, sides)  # two leaves, with the centre between them: a path of three
    best(
        "optimal-star",
        "optimal",
        graph(4, [(0, 1), (0, 2), (0, 3)]),
        "1/2",
        bayes(0, F(1, 2), F(1, 2), 0),
        F(1, 4),
        {"type": "loss", "inputs": numbered(4), "guesses": ["1", "2"], "rows": mat([[0, 0], [0, 1], [1, 0], [0, 0]])},
        {
            "primal": {"rows": mat([[F(1, 2), F(1, 2)], [F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)], [F(1, 2), F(1, 2)]])},
            "dual": {"potentials": vec([mu_star[1], mu_star[0], mu_star[2], 0])},
        },
    )

    # complete graphs, distances
    for m in (2, 3, 4):
        v, dual = symmetric_dual(m, F(1, 2))
        uniform = [F(1, m)] * m
        rr = {"M": mech(response(m, F(1, 2)))}
        best(
            f"optimal-complete-{m}",
            "optimal",
            complete(m),
            "1/2",
            minimax(*range(m)),
            v,
            zero_one[m],
            {"primal": {"rows": mat(response(m, F(1, 2)))}, "dual": dual | {"weights": vec(uniform)}},
        )
        stars = [[(i, r) for i in range(m) if i != r] for r in range(m)]
        spread = [
            {"guess": r, "at": [i], "heights": [0], "value": text(x)} for i, row in enumerate(response(m, "1/2")) for r, x in enumerate(row)
        ]
        best(
            f"optimal-folds-{m}",
            "optimal",
            complete(m),
            "1/2",
            minimax(*range(m)),
            v,
            zero_one[m],
            {
                "primal": {"components": spread},
                "dual": {"weights": vec(uniform), "potentials": dual["potentials"], "folds": folds(*stars)},
            },
        )
        first = [[x if r == 0 else F(0) for r, x in enumerate(row)] for row in symmetric_multipliers(m, F(1, 2))]
        best(
            f"unique-folds-{m}",
            "unique",
            complete(m),
            "1/2",
            bayes(*uniform),
            v,
            zero_one[m],
            {"dual": {"potentials": dual["potentials"], "edges": mat(first, True), "folds": folds([], *stars[1:])}},
            mechanism="M",
            definitions=rr,
        )
        halves = table_of_distances(m, [(i, j, "1/2") for i, j in combinations(range(m), 2)])
        best(
            f"optimal-folds-distances-{m}",
            "optimal",
            halves,
            "1/4",
            bayes(*uniform),
            v,
            zero_one[m],
            {
                "primal": {"components": spread},
                "dual": {"potentials": dual["potentials"], "folds": folds(*stars)},
            },
        )
        best(
            f"unique-complete-{m}",
            "unique",
            complete(m),
            "1/2",
            bayes(*uniform),
            v,
            zero_one[m],
            {"dual": dual},
            mechanism="M",
            definitions=rr,
        )
        far = table_of_distances(m, [(i, j, "1/2") for i, j in combinations(range(m), 2)])
        best(
            f"optimal-distances-{m}", "optimal", far, "1/4", bayes(*uniform), v, zero_one[m], {"dual": dual}, mechanism="M", definitions=rr
        )
    v, dual = symmetric_dual(3, F(1, 2))
    blind = [[F(1, 3)] * 3] * 3
    uniform = bayes(*third)
    best(
        "not-optimal-blind",
        "not-optimal",
        complete(3),
        "1/2",
        uniform,
        v,
        zero_one[3],
        {"primal": {"rows": mat(response(3, F(1, 2)))}, "dual": dual},
        mechanism="M",
        loss="2/3",
        gap=text(F(2, 3) - v),
        definitions={"M": mech(blind)},
    )
    best(
        "not-optimal-after-remap-blind",
        "not-optimal-after-remap",
        complete(3),
        "1/2",
        uniform,
        v,
        zero_one[3],
        {"remap": mat([[1, 0, 0]]), "primal": {"rows": mat(response(3, F(1, 2)))}, "dual": dual},
        mechanism="M",
        loss="2/3",
        gap=text(F(2, 3) - v),
        definitions={"M": mech([[1]] * 3, outputs=["nothing"])},
    )
    turned = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    best(
        "optimal-after-remap-turned",
        "optimal-after-remap",
        complete(3),
        "1/2",
        uniform,
        v,
        zero_one[3],
        {"remap": mat(turned, True), "dual": dual},
        mechanism="M",
        definitions={"M": mech(product(response(3, F(1, 2)), [list(row) for row in zip(*turned, strict=True)]), outputs=list("abc"))},
    )
    claim = {"mechanism": "M", "consumer": bayes(F(1, 2), F(1, 2)), "value": "1/2"}
    coin = {"M": mech([[F(1, 2), F(1, 2)]] * 2), "L": zero_one[2]}
    c["not-unique-remap-coin"] = certificate(
        {"kind": "not-unique-remap", **claim}, coin, {"first": mat(identity(2)), "second": mat([[0, 1], [0, 1]])}
    )
    c["not-unique-remap-minimax"] = certificate(
        {"kind": "not-unique-remap", **claim, "consumer": minimax(0, 1)},
        coin,
        {"first": mat(identity(2)), "second": mat([[0, 1], [1, 0]]), "weights": vec([F(1, 2), F(1, 2)])},
    )
    c["unique-remap-bayes"] = certificate(
        {"kind": "unique-remap", "mechanism": "M", "consumer": bayes(F(1, 2), F(1, 2)), "value": "1/3", "remap": "T"},
        {"M": mech(half), "L": zero_one[2], "T": mech(identity(2))},
        {},
    )
    c["not-optimal-remap-bayes"] = certificate(
        {
            "kind": "not-optimal-remap",
            "mechanism": "M",
            "consumer": bayes(F(1, 2), F(1, 2)),
            "value": "1/3",
            "remap": "T",
            "loss": "2/3",
            "gap": "1/3",
        },
        {"M": mech(half), "L": zero_one[2], "T": mech([[0, 1], [1, 0]])},
        {"remap": mat(identity(2))},
    )

    # release: the level of a coalition is the smallest among its members
    def release(name, n, *levels):
        k = len(levels)
        coalitions = [{"members": [i for i in range(k) if mask >> i & 1]} for mask in range(1, 2**k)]
        for entry in coalitions:
            entry["level"] = levels[entry["members"][0]]
        c[name] = certificate(
            {"kind": "release", "n": n, "levels": list(levels), "coalitions": coalitions},
            {},
            {"stages": [mat(stage(n, a, b)) for a, b in pairwise(levels)]},
        )

    release("release-one", 1, "1/3")
    release("release-two", 1, "1/4", "1/2")
    release("release-three", 2, "1/5", "1/3", "1/2")
    return c


def text_of(certificate):
    """One line of JSON."""
    return json.dumps(certificate, ensure_ascii=False)
