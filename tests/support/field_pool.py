# SPDX-License-Identifier: MIT
"""Certificates with numbers beyond ℚ (SPEC.md §2.1, §4.7), written from formulas as those of
`certificate_pool.py` are.
"""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache

from certificate_pool import (
    bayes,
    complete,
    geo,
    identity,
    interaction,
    mat,
    mech,
    minimax,
    path,
    path_dual,
    response,
    seal,
    stage,
    symmetric_dual,
    table_of_distances,
    text,
    vec,
)
from naive_checker import geometric, product
from naive_numbers import Field, Number, greatest

TENTH = {"type": "exponential", "rate": "1/10", "roots": [1]}
UNIT = {"type": "parameter", "interval": {"above": "0", "below": "1"}}
SQUARE = [(0, 1, "1"), (0, 2, "1"), (0, 3, "sqrt(2)"), (1, 2, "sqrt(2)"), (1, 3, "1"), (2, 3, "1")]
ROOT = {"poly": ["-1", "0", "5"], "in": ["1/4", "1/2"]}  # √(1/5)


def beyond(claim, definitions, witness):
    return seal({"format": "exactdp-certificate", "version": "0.2", "claim": claim, "definitions": definitions, "witness": witness})


def same_for(name, field):
    """Certificates over ℚ(e^(−1/10)) and for every number of (0, 1), by the same formulas."""
    tag = "e" if field is TENTH else "a"
    with Field(name, field) as gens:
        a = Number(gens[0])
        claim = {"mechanism": "M", "neighbours": "N"}
        symbol = {name: field}
        g3 = geo(3, text(a))

        def made(kind, more, definitions, witness):
            return f"{kind}-{tag}", beyond({"kind": kind, **more}, symbol | definitions, witness)

        yield made("private", {**claim, "level": text(a)}, {"M": g3, "N": path(4)}, {})
        cell = {"pair": [1, 0], "output": 0}
        yield made("not-private", {**claim, "level": text(a)}, {"M": geo(2, text(a * a)), "N": path(3)}, cell)
        spread = {"M": mech(response(3, a)), "N": complete(3)}
        yield made("level", {**claim, "ratio": text(a), "distance": "1"}, spread, cell)
        yield made(
            "derivable",
            {"source": "A", "target": "B"},
            {"A": geo(2, text(a * a)), "B": geo(2, text(a))},
            {"remap": mat(stage(2, a * a, a))},
        )
        yield made(
            "not-derivable",
            {"source": "A", "target": "B"},
            {"A": mech(response(2, a)), "B": mech(identity(2))},
            {"separator": mat(identity(2))},
        )
        table = mech([[1 + a, -a], [a, 1 - a]], kind="table")
        yield made("not-stochastic", {"table": "T"}, {"T": table}, {"row": 0, "column": 1})
        coalitions = [{"members": [0], "level": text(a * a)}, {"members": [1], "level": text(a)}, {"members": [0, 1], "level": text(a * a)}]
        release = {"n": 1, "levels": [text(a * a), text(a)], "coalitions": coalitions}
        yield made("release", release, {}, {"stages": [mat(stage(1, a * a, a))]})

        t, w, value = interaction(a)
        problem = {"neighbours": "N", "level": text(a), "consumer": minimax(0, 1, 2, 3), "value": text(value)}
        four = {"N": path(4), "L": {"type": "abs-loss", "n": 3}}
        weights, remap = {"weights": vec(w)}, {"remap": mat(t, True)}
        yield made("optimal", problem, four, {"primal": remap, "dual": weights})
        yield made("optimal-after-remap", {**problem, "mechanism": "M"}, {**four, "M": g3}, {**remap, "dual": weights})
        raw = greatest([sum(x * abs(i - r) for r, x in enumerate(row)) for i, row in enumerate(geometric(3, a))])
        worse = {**problem, "mechanism": "M", "loss": text(raw), "gap": text(raw - value)}
        yield made("not-optimal", worse, {**four, "M": g3}, {"primal": remap, "dual": weights})
        remapped = {"mechanism": "M", "consumer": minimax(0, 1, 2, 3), "value": text(value)}
        yield made("optimal-remap", remapped, {"M": g3, "L": four["L"]}, weights | remap)

        # a tie under the prior (1, a)/(1 + a): randomized response, or always 0; the forest rule
        prior, loss = bayes(1 / (1 + a), a / (1 + a)), {"type": "zero-one-loss", "n": 1}
        tie = {"neighbours": "N", "level": text(a), "consumer": prior, "value": text(a / (1 + a))}
        both = {"first": mat(response(2, a)), "second": mat([[1, 0], [1, 0]])}
        dual = {"potentials": vec([0, a / (1 + a)])}
        yield made("not-unique", tie, {"N": path(2), "L": loss}, {**both, "dual": dual})
        even = {**tie, "consumer": bayes(F(1, 2), F(1, 2)), "mechanism": "M"}
        _, dual = symmetric_dual(2, a)
        # uniqueness is not implemented for all numbers of an interval
        kind = "unique" if field is TENTH else "optimal"
        title, certificate = made(kind, even, {"N": path(2), "L": loss, "M": mech(response(2, a))}, {"dual": dual})
        yield f"{title}-graph", certificate
        abs4 = [[F(abs(i - r)) for r in range(4)] for i in range(4)]
        mu, u = path_dual(a, w, abs4)
        x = mech(product(geometric(3, a), t))
        title, certificate = made(
            kind, {**problem, "mechanism": "M"}, {**four, "M": x}, {"dual": {**weights, "potentials": vec(mu), "edges": mat(u)}}
        )
        yield f"{title}-path", certificate


@cache
def field_pool():
    """All certificates by name."""
    found = dict(same_for("t", TENTH)) | dict(same_for("a", UNIT))

    # two symbols: a square in the plane
    two = {"type": "exponential", "rate": "1", "roots": [1, 2]}
    with Field("t", two) as (x, y):
        t, d = Number(x), Number(y)
        near = [[1, t, t, d], [t, 1, d, t], [t, d, 1, t], [d, t, t, 1]]
        plane = mech([[x / (1 + 2 * t + d) for x in row] for row in near])
        named = {"t": two, "M": plane, "N": table_of_distances(4, SQUARE)}
        claim = {"mechanism": "M", "neighbours": "N"}
        found["private-plane"] = beyond({"kind": "private", **claim, "level": text(t)}, named, {})
        diagonal = {**named, "N": table_of_distances(4, [(0, 3, "sqrt(2)"), (1, 2, "sqrt(1/2)")])}
        found["private-plane-diagonal"] = beyond({"kind": "private", **claim, "level": text(t * t)}, diagonal, {})

    # response(2, 1/5) is private at the levels a² up to 1/5
    with Field("a", UNIT) as (x,):
        a = Number(x)
        level, claim = text(a * a), {"mechanism": "M", "neighbours": "N"}
        named = {"a": UNIT, "M": mech(response(2, "1/5")), "N": path(2)}
        pieces = [
            {"interval": {"above": "0", "below": ROOT}, "claim": {"kind": "private", **claim, "level": level}},
            {"interval": {"at": ROOT}, "claim": {"kind": "level", **claim, "ratio": level, "distance": "1"}},
            {"interval": {"above": ROOT, "below": "1"}, "claim": {"kind": "not-private", **claim, "level": level}},
        ]
        cell = {"pair": [1, 0], "output": 0}
        found["on-pieces"] = beyond({"kind": "on-pieces", "pieces": pieces}, named, {"pieces": [{}, cell, cell]})
        # an optimum on pieces: path(2), prior (1 − p, p) with p = a/2; always 0 is best, its loss is p
        prior = bayes(1 - a / 2, a / 2)
        problem = {"neighbours": "N", "level": "1/3", "consumer": prior, "value": text(a / 2)}
        always, loss = {"rows": mat([[1, 0], [1, 0]])}, {"type": "zero-one-loss", "n": 1}
        interval = {"above": "0", "at_most": "1/2"}
        claims = [{"interval": {"above": "0", "below": "1/4"}, "claim": {"kind": "optimal", **problem}}]
        claims += [{"interval": {"at_least": "1/4", "at_most": "1/2"}, "claim": {"kind": "optimal", **problem}}]
        witness = {"primal": always, "dual": {"potentials": vec([0, a / 2])}}
        half = {"type": "parameter", "interval": interval}
        definitions = {"a": half, "N": path(2), "L": loss}
        found["on-pieces-optimal"] = beyond({"kind": "on-pieces", "pieces": claims}, definitions, {"pieces": [witness, witness]})
    return found
