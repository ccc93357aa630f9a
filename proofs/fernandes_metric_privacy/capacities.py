# SPDX-License-Identifier: MIT
"""Sections 7 and 8: capacities of mechanisms and of types, with their closed forms over all levels."""

from __future__ import annotations

import random
from typing import Any

from exactdp.analysis.leakage import CAPACITIES, CapacityKind, capacity, type_capacity
from exactdp.analysis.types.universal import is_universally_optimal
from exactdp.exact import Rational, RationalFunctionField
from exactdp.mechanisms import geometric
from exactdp.model import Graph, Loss, Mechanism, PrivacyLevel, neighbours
from proofs.fernandes_metric_privacy.common import GRAPHS, LEVELS, complete, line, private_mechanisms, random_response
from proofs.record import Finding, Printed, Status, finding


def attained(printed: Printed) -> Finding:
    """Theorem 23: the type capacities are the largest among kernel mechanisms, so they are attained."""
    from exactdp.analysis.types.kernels import kernel_mechanisms

    right = True
    for text in GRAPHS:
        near = neighbours(text)
        found = [k.mechanism for k in kernel_mechanisms(near, "1/2")]
        for kind in CAPACITIES:
            right = right and max(capacity(m, kind).evidence.value for m in found) == type_capacity(near, "1/2", kind).evidence.value
    return finding(right, f"{len(GRAPHS)} types at level 1/2: the largest capacity of a kernel mechanism is the type's")


def dual_loss(near: Graph) -> Loss:
    """The dual of the Bayes risk: the loss 1 for the right guess, 0 for every other."""
    return Loss(Loss.zero_one(near.vertices).matrix.map(lambda x: 1 - x), near.vertices)


def optimal_attains(printed: Printed) -> Finding:
    """Theorem 24: what is universally optimal for the Bayes risk (its dual) attains the type's capacity."""
    right = True
    for n in (2, 3, 4, 5):
        for a in LEVELS:
            G, near = geometric(n - 1, a), line(n)
            both = (Loss.zero_one(near.vertices), dual_loss(near))
            right = right and all(is_universally_optimal(G, near, a, loss, tries=3).proved for loss in both)
            right = right and all(_line(n, a, kind) for kind in CAPACITIES)
    near = line(4)
    verdict = is_universally_optimal(geometric(3, "1/2"), near, "1/2", dual_loss(near))
    detail = "2 to 5 line inputs, five levels: the geometric mechanism is optimal for both losses and attains both capacities"
    return finding(right, detail, {"geometric-dual-optimal": verdict})


def columns(printed: Printed) -> Finding:
    """Theorem 25: at most n columns attain a capacity: merge the outputs with the same best guess."""
    rnd, right, count = random.Random(1), True, 0
    for text in GRAPHS:
        near = neighbours(text)
        n = len(near.vertices)
        for M in private_mechanisms(rnd, near, "1/2", 3):
            merged = [[Rational(0)] * n for _ in range(n)]
            for column in zip(*M.rows(), strict=True):
                best = max(range(n), key=lambda x, column=column: column[x])  # type: ignore[misc]
                for x in range(n):
                    merged[x][best] = merged[x][best] + column[x]
            right = right and capacity(Mechanism(merged)).evidence.value == capacity(M).evidence.value
            count += 1
    return finding(right, f"{count} random private mechanisms: merging keeps the capacity and leaves n columns")


def program(printed: Printed) -> Finding:
    """Corollaries 26 and 27: the capacities are 1 − min and max of the trace over private n × n channels."""
    rnd, right, count = random.Random(2), True, 0
    for text in GRAPHS:
        near = neighbours(text)
        top = {kind: type_capacity(near, "1/2", kind).evidence for kind in CAPACITIES}
        n = len(near.vertices)
        for kind, e in top.items():
            trace = sum((e.mechanism[x, x] for x in range(n)), Rational(0))
            right = right and e.value == (trace if kind == "multiplicative" else 1 - trace)
        for M in private_mechanisms(rnd, near, "1/2", 4):
            right = right and all(capacity(M, kind).evidence.value <= top[kind].value for kind in CAPACITIES)
            count += 1
    verdicts = {f"cycle-4-{kind}": type_capacity(neighbours("cycle:4"), "1/2", kind) for kind in CAPACITIES}
    return finding(
        right, f"{len(GRAPHS)} types: the optimal traces are the capacities, and {count} random mechanisms have no more", verdicts
    )


def dominating_line(printed: Printed) -> Finding:
    """8.1: on n line inputs the multiplicative capacity is (n − (n−2)α)/(1+α), the geometric mechanism's."""
    a, right = RationalFunctionField().gen, True
    for n in (2, 3, 4, 5):
        e = type_capacity(line(n), a).evidence
        right = right and e.value == (n - (n - 2) * a) / (1 + a) == capacity(geometric(n - 1, a)).evidence.value
    verdicts = {f"line-{n}-multiplicative": type_capacity(line(n), a) for n in (3, 5)}
    return finding(right, "2 to 5 inputs, every level at once: the closed form", verdicts)


def _line(n: int, a: Any, kind: CapacityKind) -> bool:
    """Whether the geometric mechanism attains the capacity of the line."""
    return bool(capacity(geometric(n - 1, a), kind).evidence.value == type_capacity(line(n), a, kind).evidence.value)


def geometric_additive(printed: Printed) -> Finding:
    """8.1: the geometric mechanism attains the additive capacity, for the mechanisms computed."""
    a, right = RationalFunctionField().gen, True
    for n in (2, 3, 4, 5):
        right = right and _line(n, a, "additive")
    for n in (6, 7, 8):
        right = right and all(_line(n, a, "additive") for a in LEVELS)
    detail = "2 to 5 inputs at every level, 6 to 8 at five levels; it holds for all n, as the dual loss crosses once backwards"
    return finding(right, detail, {"line-4-additive": type_capacity(line(4), a, "additive")})


def dominating_discrete(printed: Printed) -> Finding:
    """8.2: multiplicative n/(1+(n−1)α), by random response; additive (n−1)(1−α)/(n−1+α), by its dual."""
    a, right = RationalFunctionField().gen, True
    for n in (2, 3, 4, 5):
        near = complete(n)
        right = right and type_capacity(near, a).evidence.value == n / (1 + (n - 1) * a)
        right = right and type_capacity(near, a, "additive").evidence.value == (n - 1) * (1 - a) / (n - 1 + a)
        k = 1 / (n - 1 + a)
        dual = Mechanism([[k * a if x == y else k for y in range(n)] for x in range(n)])
        right = right and capacity(random_response(n, a)).evidence.value == n / (1 + (n - 1) * a)
        right = right and capacity(dual, "additive").evidence.value == (n - 1) * (1 - a) / (n - 1 + a)
    verdicts = {f"discrete-4-{kind}": type_capacity(complete(4), a, kind) for kind in CAPACITIES}
    return finding(right, "2 to 5 inputs, every level at once", verdicts)


def grid_figure(printed: Printed) -> Finding:
    """8.3, Figure 9: Euclidean grids at ε = 1, exactly."""
    from exactdp.analysis.types.kernels import kernel_count, vertex_count

    found, verdicts, right = [], dict[str, Any](), True
    for text, roots in (("euclid:2x2", (1, 2)), ("euclid:2x3", (1, 2, 5))):
        near, level = neighbours(text), PrivacyLevel.from_epsilon(1, roots=roots)
        vertices = verdicts[f"grid-{text[-3:]}-vertices"] = vertex_count(near, level)
        right = right and vertices.evidence.count == (18 if text == "euclid:2x2" else 162)
        kernels = kernel_count(near, level, keep=False).evidence.count if len(near.vertices) < 5 else None
        found.append(f"{text}: {vertices.evidence.count} vertices" + ("" if kernels is None else f", {kernels} kernel mechanisms"))
        for kind in CAPACITIES:
            verdict = verdicts[f"grid-{text[-3:]}-{kind}"] = type_capacity(near, level, kind)
            found.append(f"{kind} capacity {verdict.evidence.value}")
    status = Status.CERTIFIED if right else Status.REFUTED
    return Finding(status, f"at ε = 1, t = e^(−1), t2 = e^(−√2), t5 = e^(−√5): {'; '.join(found)}", verdicts)


def cube_figure(printed: Printed) -> Finding:
    """Figure 10a: capacities of the Hamming cube."""
    a, right = RationalFunctionField().gen, True
    for d in (1, 2, 3):
        near = neighbours(f"hypercube:{d}")
        right = right and type_capacity(near, a).evidence.value == (2 / (1 + a)) ** d
        right = right and type_capacity(near, a, "additive").evidence.value == 1 - (2 * a / (1 + a)) ** d
    verdicts = {f"cube-3-{kind}": type_capacity(neighbours("hypercube:3"), a, kind) for kind in CAPACITIES}
    return finding(right, "d = 1, 2, 3 bits, every level: multiplicative (2/(1+α))^d, additive 1 − (2α/(1+α))^d", verdicts)


def lost_figures(printed: Printed) -> Finding:
    """Figures 7a, 8a, 9a, 10a: their numbers are not in the text."""
    return Finding(Status.OPEN, "the figures are not in the text, so that their numbers cannot be compared with ours")


def figures(printed: Printed) -> Finding:
    """Figures 1 to 6, 7b, 8b, 10b: drawings."""
    return Finding(Status.OUTSIDE, "drawings; no number of theirs is in the text")
