# SPDX-License-Identifier: MIT
"""Certificates put together to mislead the checker: from the emitters' answers about two definitions, and
made by hand.

`transplants` joins the claim about one definition with the witness about another, `mutants` change one
number, `negated` states the opposite, and `by_hand` states what random witnesses might let through. All are
sealed anew, so that only the rules stand in their way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from fractions import Fraction
from math import gcd, lcm
from random import Random
from typing import NamedTuple

from random_edits import places, put

from exactdp.certificate.encode import Definitions, consumer_json, interval_json, matrix_json, scalar_json, vector_json
from exactdp.certificate.kinds import kinds
from exactdp.checker import kernel
from exactdp.exact import QQ, Rational

from .draw import INTERVALS, Case, around_mechanism, distribution
from .oracle import phi, solution
from .scene import Json, Scene, points

FIELDS = ("exponential", "parameter")
OPPOSITE = {"delta-of-all-tables": "delta-of-some-table", "delta-of-some-table": "delta-of-all-tables"}
OPPOSITE |= {kind.name: kind.opposite for kind in kinds().values() if kind.opposite}


def keys_of_kinds() -> dict[str, tuple[str, str]]:
    """The keys of claim and witness by kind, as the checker's tables have them (SPEC §4)."""
    tables = [kernel.every_claim()]
    return {kind: (claim, witness) for table in tables for kind, (_, claim, witness) in table.items()}


KEYS = keys_of_kinds()


class Draft(NamedTuple):
    """A certificate without its frame."""

    claim: Json
    definitions: Json
    witness: Json


def fitted(draft: Draft) -> Draft | None:
    """The draft without keys that do not belong to its kind; None if one is missing (it would be malformed
    only).
    """
    parts = []
    for part, keys in zip((draft.claim, draft.witness), KEYS[draft.claim["kind"]], strict=True):
        allowed = {"kind": "kind"} | {key.rstrip("?"): key for key in keys.split()}
        kept = {k: v for k, v in part.items() if k in allowed}
        if any(key not in kept for key in keys.split() if key[-1] != "?"):
            return None
        parts.append(kept)
    return Draft(parts[0], draft.definitions, parts[1])


def sealed(draft: Draft) -> Json:
    """The certificate, with only the definitions that its claim uses."""
    used = set(strings(draft.claim))
    kept = {k: d for k, d in draft.definitions.items() if k in used or d.get("type") in FIELDS}
    if draft.claim.get("kind") in ("determinant", "not-determinant"):
        kept = {}
    value = {"format": "exactdp-certificate", "version": "0.2", "claim": draft.claim, "definitions": kept, "witness": draft.witness}
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return value | {"digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest()}


def strings(value: Json) -> Iterator[str]:
    """All names that a claim may use."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (x for item in value.values() for x in strings(item))
    elif isinstance(value, list):
        yield from (x for item in value for x in strings(item))


# ── from two answers
# ────────────────────────────────────────────────────────────────────────────────────────────────
def transplants(one: Draft, two: Draft, rng: Random) -> Iterator[Draft]:
    """The definition of the first with what was said about the second."""
    yield Draft(two.claim, two.definitions | one.definitions, two.witness)
    if one.claim["kind"] == two.claim["kind"]:
        yield Draft(one.claim, one.definitions, two.witness)
        changed = [k for k in one.definitions if k in two.definitions and one.definitions[k] != two.definitions[k]]
        for name in changed[:2]:
            yield Draft(one.claim, {**one.definitions, name: two.definitions[name]}, one.witness)
        differing = [k for k in one.claim if two.claim.get(k, one.claim[k]) != one.claim[k]]
        for key in differing[:2]:
            yield Draft({**one.claim, key: two.claim[key]}, two.definitions | one.definitions, one.witness)
            yield Draft({**one.claim, key: two.claim[key]}, two.definitions | one.definitions, two.witness)
    else:
        yield Draft({**one.claim, "kind": two.claim["kind"]}, one.definitions, two.witness)
        shared = {k: v for k, v in one.claim.items() if k in two.claim and k != "kind"}
        yield Draft({**two.claim, **shared}, two.definitions | one.definitions, two.witness)


def negated(draft: Draft, rng: Random) -> Iterator[Draft]:
    """The opposite claim with the same witness, or one that fits in form."""
    kind = OPPOSITE.get(draft.claim["kind"])
    if kind is None:
        return
    claim, witness = {**draft.claim, "kind": kind}, draft.witness
    yield Draft(claim, draft.definitions, witness)
    if kind == "not-private":
        cell = {"pair": rng.sample(range(3), 2), "output": rng.randrange(3)}
        yield Draft(claim, draft.definitions, cell)
    renamed = {"diagonal": "farkas", "farkas": "diagonal", "weights": "farkas", "kernel": "inverse"}
    yield Draft(claim, draft.definitions, {renamed.get(k, k): v for k, v in witness.items()})
    if "farkas" in witness and "prior" in claim:
        yield Draft(claim, draft.definitions, {("weights" if k == "farkas" else k): v for k, v in witness.items()})
    if "value" in claim and "consumer" in claim:
        gap = rng.choice(("1/1000", "0", "-1/10", "1"))
        plain = {k: v for k, v in claim.items() if k not in ("loss", "gap")}
        if kind.startswith("not-") and not kind.startswith("not-unique") and isinstance(claim["value"], str):
            worse = {"loss": claim["value"], "value": str(Fraction(claim["value"]) - Fraction(gap)), "gap": gap}
            yield Draft(plain | worse, draft.definitions, witness)
        elif not kind.startswith("not-"):
            yield Draft(plain, draft.definitions, {k: v for k, v in witness.items() if k != "primal"})
            if "loss" in claim:
                yield Draft(plain | {"value": claim["loss"]}, draft.definitions, {k: v for k, v in witness.items() if k != "primal"})
        if kind.startswith("not-unique") and "primal" in witness and "rows" in witness["primal"]:
            rows = witness["primal"]["rows"]
            both = {"first": rows, "second": rows[::-1], **({"dual": witness["dual"]} if "dual" in witness else {})}
            yield Draft({k: v for k, v in plain.items() if k != "mechanism"}, draft.definitions, both)


def elsewhere(draft: Draft, rng: Random) -> Iterator[Draft]:
    """The same for other numbers: another interval, rate or roots."""
    for name, d in draft.definitions.items():
        if d["type"] == "parameter":
            yield Draft(draft.claim, {**draft.definitions, name: {**d, "interval": interval_json(rng.choice(INTERVALS)())}}, draft.witness)
        elif d["type"] == "exponential":
            other = {**d, "rate": rng.choice(("1/1000", "1/2", "7/10", "3", "20"))}
            if rng.random() < 0.3:
                other["roots"] = [rng.choice((2, 3, 5)), *d["roots"][1:]] if len(d["roots"]) == 1 else d["roots"]
            yield Draft(draft.claim, {**draft.definitions, name: other}, draft.witness)


# ── one place changed
# ───────────────────────────────────────────────────────────────────────────────────────────────
def mutant(draft: Draft, rng: Random) -> Draft | None:
    """One number, list or vector changed; over one denominator the sum is often kept."""
    part = rng.choices((0, 1, 2), (3, 2, 4))[0]
    listed = [
        (path, item) for path, item in places(draft[part]) if path and path[-1] not in ("kind", "type", "neighbours", "mechanism", "by")
    ]
    if not listed:
        return None
    path, item = rng.choice(listed)
    new = changed(item, rng)
    if new is None or new == item:
        return None
    parts = list(draft)
    parts[part] = put(draft[part], path, new)
    return Draft(*parts)


def changed(item: Json, rng: Random) -> Json:
    if isinstance(item, int):
        return max(0, item + rng.choice((1, -1)))
    if isinstance(item, str):
        try:
            x = Fraction(item)
        except ValueError:
            return rng.choice(("1", "1/10", "sqrt(2)", "2")) if item.startswith("sqrt") else None
        choices = (-x, x + 1, x - 1, 2 * x, Fraction(0), Fraction(1), x + Fraction(1, 1000), x - Fraction(1, 1000), x / 2, 1 - x, x * x)
        return str(rng.choice(choices))
    if isinstance(item, dict) and "den" in item and isinstance(item["num"], list) and len(item["num"]) > 1:
        return moved(item, rng)
    if isinstance(item, list) and len(item) > 1:
        i, j = rng.sample(range(len(item)), 2)
        swapped = list(item)
        swapped[i], swapped[j] = item[j], item[i]
        return rng.choice((swapped, [item[i] if k == j else x for k, x in enumerate(item)], item[:-1], item[::-1]))
    if isinstance(item, dict):
        turned = {"above": "at_least", "at_least": "above", "below": "at_most", "at_most": "below"}
        keys = [k for k in item if k in turned]
        if keys:
            key = rng.choice(keys)
            return {turned[key] if k == key else k: v for k, v in item.items()}
    return None


def moved(vector: Json, rng: Random) -> Json:
    """A vector over integers with some mass moved from one entry to another, or turned, or zero."""
    try:
        values = [Fraction(int(x), int(vector["den"])) for x in vector["num"]]
    except TypeError:
        return {**vector, "num": vector["num"][::-1]}
    i, j = rng.sample(range(len(values)), 2)
    step = rng.choice((values[i], values[i] / 2, Fraction(1, 1000), -values[j]))
    values[i], values[j] = values[i] - step, values[j] + step
    values = rng.choice((values, values, values[::-1], [Fraction(0)] * len(values), [-x for x in values], [10**6 * x for x in values]))
    if "at" in vector:
        kept = [(at, x) for at, x in zip(vector["at"], values, strict=True) if x]
        return fractions_json([x for _, x in kept]) | {"at": [at for at, _ in kept]}
    return fractions_json(values)


def fractions_json(values: list[Fraction]) -> Json:
    """A vector of fractions."""
    return vector_dense([Rational(x.numerator, x.denominator) for x in values])


def vector_dense(values: list[Rational]) -> Json:
    den = lcm(*(int(x.denominator) for x in values)) if values else 1
    nums = [int(x.numerator) * (den // int(x.denominator)) for x in values]
    common = gcd(den, *nums)
    # unlike str(int) without a digit limit
    return {"den": str(Rational(den // common)), "num": [str(Rational(x // common)) for x in nums]}


# ── by hand
# ─────────────────────────────────────────────────────────────────────────────────────────────────────────
def by_hand(topic: str, c: Case, rng: Random) -> Iterator[Draft]:
    """Claims about the definition with witnesses made without the emitters."""
    forge = {
        "privacy": levels, "stochastic": tables, "tight": solutions, "regions": solutions, "derivability": remaps, "optimality": optima,
        "uniqueness": optima, "deltas": deltas, "kernels": counts, "capacities": capacities, "composition": compositions, "remaps": best,
        "printed": printed,
    }.get(topic)  # fmt: skip
    if forge is not None:
        yield from forge(c, rng)


def named(c: Case, *, mechanism: bool = False, second: bool = False, loss: bool = False) -> Definitions:
    d = Definitions()
    d.over(c.level.alpha)
    d.neighbours("N", c.near)
    if mechanism:
        d.mechanism("M", c.mechanism)
    if second:
        d.mechanism("B", c.second)
    if loss:
        d.loss("l", c.loss)
    return d


def levels(c: Case, rng: Random) -> Iterator[Draft]:
    """Every quotient of two entries is a candidate for the level, above and below the true one."""
    d, rows = named(c, mechanism=True), list(c.mechanism.rows())
    pairs = [(i, j, x) for i, j, x in c.near.pairs()]
    if not pairs:
        yield Draft(
            {"kind": "level", "mechanism": "M", "neighbours": "N", "ratio": "1/2", "distance": "1"},
            d.objects,
            {"pair": [0, 0], "output": 0},
        )
        return
    base = {"mechanism": "M", "neighbours": "N"}
    for _ in range(3):
        i, j, distance = rng.choice(pairs)
        i, j = rng.choice(((i, j), (j, i)))
        r = rng.randrange(len(rows[0]))
        x, y = rows[i][r], rows[j][r]
        try:
            ratio = x / y
            if not 0 <= ratio <= 1:
                continue
        except (ZeroDivisionError, ArithmeticError, ValueError):
            continue
        stated = rng.choice((distance, distance, rng.choice(pairs)[2]))
        text = "1" if ratio in (0, 1) else str(stated)
        witness = {} if ratio == 1 else {"pair": [i, j], "output": r}
        yield Draft({"kind": "level", **base, "ratio": scalar_json(ratio), "distance": text}, d.objects, witness)
        if 0 < ratio < 1:
            yield Draft({"kind": "private", **base, "level": scalar_json(ratio)}, d.objects, {})
            near = ratio * rng.choice((1, 1, Rational(1001, 1000), Rational(999, 1000)))
            yield Draft({"kind": "not-private", **base, "level": scalar_json(near)}, d.objects, {"pair": [i, j], "output": r})


def tables(c: Case, rng: Random) -> Iterator[Draft]:
    """A mechanism is said to be no mechanism."""
    d = named(c)
    d.table("T", c.mechanism.as_table())
    row = {"row": rng.randrange(len(c.near.vertices))}
    for witness in (row, {**row, "column": rng.randrange(len(c.mechanism.outputs))}):
        yield Draft({"kind": "not-stochastic", "table": "T"}, d.objects, witness)
    yield from levels(c, rng)


EXPONENTS = ("given", "one", "rank", "doubled", "squared", "hops")


def solutions(c: Case, rng: Random) -> Iterator[Draft]:
    """Φ·v = 1 and its signs, exactly and approximately, for Φ as it is and as it would be if its distances
    were misread.
    """
    d = named(c)
    claim = {"neighbours": "N", "level": scalar_json(c.level.alpha)}
    at = points(d.objects)[0]
    scene = Scene(d.objects, at)
    near, alpha, n = scene.near("N"), scene.scalar(claim["level"]), len(c.near.vertices)
    if not 0 < alpha < 1:
        return
    squares = sorted({square for _, _, square in near.pairs})
    reading = rng.choice(EXPONENTS)
    misread = {
        "given": lambda x: x, "one": lambda x: Fraction(1), "rank": lambda x: Fraction((squares.index(x) + 1) ** 2),
        "doubled": lambda x: 4 * x, "squared": lambda x: x * x, "hops": lambda x: Fraction(1),
    }[reading]  # fmt: skip
    changed_near = near._replace(pairs=tuple((i, j, misread(square)) for i, j, square in near.pairs), hops=near.hops or reading == "hops")
    matrix, exact = phi(changed_near, alpha)
    colour = cells_of(matrix)
    m = max(colour) + 1
    first = [colour.index(k) for k in range(m)]
    small = [[sum((x for x, k in zip(matrix[i], colour, strict=True) if k == b), Fraction(0)) for b in range(m)] for i in first]
    z = solution(small, [Fraction(1)] * m)
    if z is None:
        return
    columns = [solution(small, [Fraction(int(i == k)) for i in range(m)]) for k in range(m)]
    assert None not in columns
    inverse = [[columns[b][k] for b in range(m)] for k in range(m)]  # type: ignore[index]
    clipped = [max(x, Fraction(0)) for x in z]
    for values, factor in ((z, 1), (rng.choice((clipped, [abs(x) for x in z], [Fraction(1, n)] * m)), rng.choice((1, 0, 2)))):
        near_json = {"diagonal": shortened(values), "inverse": [shortened([factor * x for x in row]) for row in inverse]}
        yield Draft({"kind": "tight", **claim}, d.objects, {"near": near_json, "cells": colour})
    if m > 1:  # cells that are not equitable: the first two are one
        merged = [max(0, k - 1) for k in colour]
        fewer = {"diagonal": shortened(clipped[1:]), "inverse": [shortened(row[1:]) for row in inverse[1:]]}
        yield Draft({"kind": "tight", **claim}, d.objects, {"near": fewer, "cells": merged})
        yield Draft({"kind": "tight", **claim}, d.objects, {"diagonal": fractions_json(clipped[1:]), "cells": merged})
    if exact and at.exact:
        lifted = [z[k] for k in colour]
        yield Draft({"kind": rng.choice(("tight", "unique-tight")), **claim}, d.objects, {"diagonal": fractions_json(lifted)})
        lowest = min(range(m), key=lambda k: z[k])
        w = columns[lowest]  # Φw is the unit vector of a cell, Σ w its entry in z times a positive number
        assert w is not None
        yield Draft({"kind": "not-tight", **claim}, d.objects, {"farkas": fractions_json(w), "cells": colour})
        yield Draft(
            {"kind": "not-regular", **claim, "prior": vector_json(c.prior.weights)},
            d.objects,
            {"farkas": fractions_json(w), "cells": colour},
        )
    vector = {"farkas": fractions_json([Fraction(rng.choice((-1, 0, 1, 2, -2, 5))) for _ in range(n)])}
    yield Draft({"kind": "not-tight", **claim}, d.objects, vector)
    above = scalar_json(c.other_level.alpha)
    yield Draft({"kind": "threshold", **claim, "above": above}, d.objects, {"low": {"near": near_json, "cells": colour}, "high": vector})
    moved_by = [Fraction(rng.choice((-1, 0, 1, 1))) for _ in range(n)] if rng.random() < 0.5 else [Fraction((-1) ** i) for i in range(n)]
    yield Draft({"kind": "singular", **claim}, d.objects, {"kernel": fractions_json(moved_by)})
    if exact and at.exact:
        second = [z[k] + x / 8 for k, x in zip(colour, moved_by, strict=True)]
        both = {"first": fractions_json([z[k] for k in colour]), "second": fractions_json(second)}
        yield Draft({"kind": "not-unique-tight", **claim}, d.objects, both)


def cells_of(matrix: list[list[Fraction]]) -> list[int]:
    """The coarsest partition in which the members of a cell see each cell at the same distances."""
    n, colour = len(matrix), [0] * len(matrix)
    for _ in range(n):
        seen = [(colour[i], tuple(sorted((colour[j], matrix[i][j]) for j in range(n)))) for i in range(n)]
        order = list(dict.fromkeys(seen))
        colour = [order.index(x) for x in seen]
    return colour


def shortened(values: list[Fraction]) -> Json:
    """A vector rounded to 100 bits."""
    return fractions_json([Fraction(round(x * 2**100), 2**100) for x in values])


def remaps(c: Case, rng: Random) -> Iterator[Draft]:
    """Derivable by a random remap, not derivable by a random separator."""
    d = Definitions()
    d.over(c.mechanism.matrix, c.second.matrix)
    claim = {"source": d.mechanism("A", c.mechanism), "target": d.mechanism("B", c.second)}
    n, width = len(c.near.vertices), len(c.second.outputs)
    yield Draft({"kind": "derivable", **claim}, d.objects, {"remap": matrix_json([distribution(rng, width) for _ in c.mechanism.outputs])})
    W = [[Rational(rng.choice((-1, 0, 1, 2))) for _ in range(width)] for _ in range(n)]
    yield Draft({"kind": "not-derivable", **claim}, d.objects, {"separator": matrix_json(W)})


def optima(c: Case, rng: Random) -> Iterator[Draft]:
    """The loss of some mechanism of the type is the least, by a dual that is zero or random."""
    d = named(c, loss=True)
    base = {"neighbours": "N", "level": scalar_json(c.level.alpha), "consumer": consumer_json(c.consumer, "l")}
    n, guesses = len(c.near.vertices), c.loss.guesses
    row = distribution(rng, len(guesses))
    constant = [[Rational(x) for x in row] for _ in range(n)]
    each = [sum((a * b for a, b in zip(costs, row, strict=True)), Rational(0)) for costs in c.loss.matrix.rows()]
    prior = getattr(c.consumer, "prior", None)
    weights = list(prior.weights) if prior is not None else distribution(rng, n)
    try:
        value = max(each) if prior is None else sum((p * x for p, x in zip(weights, each, strict=True)), Rational(0))
    except ArithmeticError:
        return
    dual = {} if prior is not None else {"weights": vector_json(weights)}
    potentials = [w * min(costs) for w, costs in zip(weights, c.loss.matrix.rows(), strict=True)]
    edges = [{"den": "1", "num": ["0"] * len(guesses)} for _ in c.near.pairs()]
    for rule in ({}, {"potentials": vector_json(potentials)}, {"potentials": vector_json(potentials), "edges": edges}):
        stated = {**base, "value": scalar_json(value)}
        yield Draft({"kind": "optimal", **stated}, d.objects, {"primal": {"rows": matrix_json(constant)}, "dual": {**dual, **rule}})


def best(c: Case, rng: Random) -> Iterator[Draft]:
    """Random weights for a minimax consumer of a mechanism."""
    d = named(c, mechanism=True, loss=True)
    weights = {} if hasattr(c.consumer, "prior") else {"weights": vector_json(distribution(rng, len(c.near.vertices)))}
    try:
        value = c.consumer.loss_of(c.mechanism.post_process(c.remap))
    except (ArithmeticError, ValueError):
        return
    claim = {"mechanism": "M", "consumer": consumer_json(c.consumer, "l"), "value": scalar_json(value)}
    rows = matrix_json(c.remap.matrix.rows())
    yield Draft({"kind": "optimal-remap", **claim}, d.objects, {**weights, "remap": rows})
    yield Draft({"kind": "not-unique-remap", **claim}, d.objects, {**weights, "first": rows, "second": rows})


def deltas(c: Case, rng: Random) -> Iterator[Draft]:
    """Any pair and event."""
    d, n, outputs = named(c, mechanism=True), len(c.near.vertices), len(c.mechanism.outputs)
    claim = {"mechanism": "M", "neighbours": "N"}
    pair = [rng.randrange(n), rng.randrange(n)]
    event = [r for r in range(outputs) if rng.random() < 0.5]
    delta = rng.choice(("0", "1", "1/10", "1/3"))
    level = "1" if rng.random() < 0.2 else scalar_json(c.level.alpha)  # ε = 0
    yield Draft({"kind": "not-approximately-private", **claim, "level": level, "delta": delta}, d.objects, {"pair": pair, "event": event})
    ratio = rng.choice(("0", "1", level))
    yield Draft(
        {"kind": "level-with-delta", **claim, "ratio": ratio, "delta": delta},
        d.objects,
        {} if ratio == "1" else {"pair": pair, "event": event},
    )
    yield Draft({"kind": "delta", **claim, "level": level, "delta": delta}, d.objects, {} if delta == "0" else {"pair": pair})
    yield Draft({"kind": "approximately-private", **claim, "level": level, "delta": delta}, d.objects, {})


def printed(c: Case, rng: Random) -> Iterator[Draft]:
    """Any table, pair, event, multipliers and weights, about a box around the mechanism."""
    if c.numbers == "interval" or c.mechanism.field != QQ:
        return
    table = around_mechanism(c.mechanism, rng)
    d = named(c)
    d.printed("P", table)
    n, width, pairs = table.n_inputs, table.n_outputs, len(list(c.near.pairs()))
    level = rng.choice(("1", scalar_json(c.level.alpha), scalar_json(c.other_level.alpha)))
    about = {"printed": "P", "neighbours": "N"}
    small = (0, 0, 0, 1, Fraction(1, 2), Fraction(1, 3), -1)
    z = [fractions_json([Fraction(rng.choice(small)) for _ in range(width)]) for _ in range(2 * pairs)]
    mu, last = (fractions_json([Fraction(rng.choice((0, 1, -1, Fraction(-1, 2)))) for _ in range(n)]) for _ in range(2))
    excludes = {"multipliers": z, "potentials": mu}
    rows = matrix_json(rng.choice((table.member(), c.mechanism)).matrix)
    i, j, r = rng.randrange(n), rng.randrange(n), rng.randrange(width)
    event = [q for q in range(width) if rng.random() < 0.5]
    delta = rng.choice(("0", "1", "1/10", "1/3"))
    weights = [[rng.choice(("0", "1", "1/2")) for _ in range(2)] for _ in range(3)]
    bounds = [rng.choice(([weights[0]], [r, weights[1], weights[2]])) for _ in range(2 * pairs)]
    near_delta = {**about, "level": level, "delta": delta}
    ratio = rng.choice(("0", "1/2", "1/3"))
    at_ratio = {**about, "ratio": ratio, "distance": "1"}
    yield Draft({"kind": "all-tables-private", **about, "level": level}, d.objects, {})
    yield Draft({"kind": "not-all-tables-private", **about, "level": level}, d.objects, {"table": rows, "pair": [i, j], "output": r})
    yield Draft({"kind": "some-table-private", **about, "level": level}, d.objects, {"table": rows})
    yield Draft({"kind": "no-table-private", **about, "level": level}, d.objects, excludes)
    yield Draft({"kind": "level-of-all-tables", **at_ratio}, d.objects, {"table": rows, "pair": [i, j], "output": r})
    some = {} if ratio == "0" else {"table": rows}
    yield Draft({"kind": "level-of-some-table", **at_ratio}, d.objects, {**some, **excludes, "last": last})
    yield Draft({"kind": "all-tables-approximately-private", **near_delta}, d.objects, {"bounds": bounds})
    needs = {"table": rows, "pair": [i, j], "event": event}
    yield Draft({"kind": "not-all-tables-approximately-private", **near_delta}, d.objects, needs)
    yield Draft({"kind": "some-table-approximately-private", **near_delta}, d.objects, {"table": rows})
    yield Draft({"kind": "no-table-approximately-private", **near_delta}, d.objects, excludes)
    yield Draft({"kind": "delta-of-all-tables", **near_delta}, d.objects, {"bounds": bounds, **({} if delta == "0" else needs)})
    yield Draft({"kind": "delta-of-some-table", **near_delta}, d.objects, {"table": rows, **({} if delta == "0" else excludes)})


def counts(c: Case, rng: Random) -> Iterator[Draft]:
    d = named(c)
    claim = {"neighbours": "N", "level": scalar_json(c.level.alpha), "count": rng.randrange(1, 9)}
    yield Draft({"kind": "vertices", **claim}, d.objects, {})
    if len(c.near.vertices) < 4 and c.numbers == "rational":
        yield Draft({"kind": "kernel-count", **claim}, d.objects, {})
    d = named(c, mechanism=True)
    claim = {"neighbours": "N", "level": scalar_json(c.level.alpha), "mechanism": "M"}
    yield Draft({"kind": rng.choice(("kernel-mechanism", "not-kernel-mechanism")), **claim}, d.objects, {})


def capacities(c: Case, rng: Random) -> Iterator[Draft]:
    """The capacity 1, n, or that of given weights."""
    d, n = named(c), len(c.near.vertices)
    weights = [Fraction(rng.choice((0, 1, 1, 2)), n) for _ in range(n)]
    kind = rng.choice(("multiplicative", "additive"))
    value = str(sum(weights) if kind == "multiplicative" else 1 - sum(weights))
    claim = {"kind": "type-capacity", "neighbours": "N", "level": scalar_json(c.level.alpha), "capacity": kind, "value": value}
    yield Draft(claim, d.objects, {"by": {"rule": "weights", "weights": fractions_json(weights)}})
    identity = [{"den": "1", "at": [i], "num": ["1"]} for i in range(n)]
    top = {**claim, "value": str(n) if kind == "multiplicative" else "1"}
    zero = {"potentials": fractions_json([Fraction(0)] * n)}
    yield Draft(top, d.objects, {"by": {"rule": "dual", "mechanism": identity, "dual": zero}})


def compositions(c: Case, rng: Random) -> Iterator[Draft]:
    """The ratio at any outputs."""
    d = named(c, mechanism=True, second=True)
    names, n = rng.choice((["M"], ["M", "B"], ["M", "M"])), len(c.near.vertices)
    tables = {"M": list(c.mechanism.rows()), "B": list(c.second.rows())}
    i, j = rng.randrange(n), rng.randrange(n)
    outputs = [rng.randrange(len(tables[name][0])) for name in names]
    try:
        ratio = Rational(1)
        for name, r in zip(names, outputs, strict=True):
            ratio = ratio * tables[name][i][r] / tables[name][j][r]
        if not 0 <= ratio <= 1:
            return
    except (ArithmeticError, ValueError):
        return
    witness = {} if ratio == 1 else {"pair": [i, j], "outputs": outputs}
    stated = {"neighbours": "N", "ratio": scalar_json(ratio)}
    yield Draft({"kind": "sequential-level", "mechanisms": names, **stated}, d.objects, witness)
    parts = [{"mechanism": name, "neighbours": "N"} for name in names]
    witness = {} if ratio == 1 else {"part": 0, "pair": [i, j], "output": outputs[0]}
    yield Draft({"kind": "parallel-level", "parts": parts, "ratio": scalar_json(ratio)}, d.objects, witness)
