# SPDX-License-Identifier: MIT
"""Exercises 1 to 7, each answered by a computation."""

from __future__ import annotations

from itertools import product
from typing import Any

from exactdp.analysis import best_remap, is_private, tightest_level
from exactdp.analysis.composition import databases
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.record import Status
from exactdp.exact import Rational, RationalFunctionField
from exactdp.mechanisms import geometric, truncate
from exactdp.mechanisms.noise import GeometricNoise
from exactdp.model import AdjacencyGraph, BayesianConsumer, Loss, Mechanism, Prior, PrivacyLevel, Remap

__all__ = ["average_age", "hamming", "less_useful", "percentage", "post_processing", "truncated", "uniform_utility"]


def percentage(printed: Printed) -> Finding:
    """Exercise 1: the percentage of people with a property, at least 1000 records. Δf = 100/1000, so the density is 5ε·e^(−10ε|z−y|)."""
    most = max(Rational(100, m) for m in range(1000, 1200))  # one record changed among m: the count moves by 1
    added = max(
        abs(Rational(100 * (k + e), m + 1) - Rational(100 * k, m))
        for m in range(1000, 1010)
        for k in (0, 1, m // 2, m - 1, m)
        for e in (0, 1)
    )
    if most != Rational(1, 10) or added >= most:
        return Finding(Status.REFUTED, "the sensitivity is not 1/10")
    detail = (
        "Δf = 100/1000 = 1/10 when a record changes (less when one is added), attained at 1000 records: c = ε/(2Δf) "
        "= 5ε, density 5ε·e^(−10ε|z−y|)"
    )
    return Finding(Status.HOLDS, detail)


def truncated(printed: Printed) -> Finding:
    """Exercise 2: the truncated geometric mechanism on {0..100}."""
    a = RationalFunctionField().gen
    powers = [a**k for k in range(101)]
    c, e = (1 - a) / (1 + a), 1 / (1 + a)
    rows = [e * (powers[i] + powers[100 - i]) + c * sum((powers[abs(i - z)] for z in range(1, 100)), a - a) for i in range(101)]
    level = tightest_level(geometric(100, "1/2"), AdjacencyGraph.path(101))
    same = truncate(GeometricNoise("1/2"), 100) == geometric(100, "1/2")
    if not (all(total == 1 for total in rows) and same and level.evidence.tightest.ratio == Rational("1/2")):
        return Finding(Status.REFUTED, "the truncated geometric mechanism on 0..100 is something else")
    detail = "α^|y−z|/(1+α) for z ∈ {0, 100}, (1−α)α^|y−z|/(1+α) between: all 101 rows sum to 1 identically in α, level α at α = 1/2"
    return Finding(Status.CERTIFIED, detail, {"truncated-101": level})


def hamming(printed: Printed) -> Finding:
    """Exercise 3: privacy for neighbours is privacy for all pairs with e^(εh)."""
    for values, people in ((2, 1), (2, 2), (2, 3), (3, 2)):
        graph = databases([str(v) for v in range(values)], people)
        records = [tuple(label.split(",")) for label in graph.vertices]
        for seed in range(1, 5):
            weights = [[Rational(1 + (seed * (i + 1) * (r + 2) + i * r) % 5) for r in range(2)] for i in range(len(records))]
            m = Mechanism([[x / sum(row, Rational(0)) for x in row] for row in weights], graph.vertices)
            level = tightest_level(m, graph).evidence.tightest.ratio
            for i, x in enumerate(records):
                for j, y in enumerate(records):
                    h = sum(a != b for a, b in zip(x, y, strict=True))
                    if any(m[i, r] < level**h * m[j, r] for r in range(2)):
                        return Finding(Status.REFUTED, "a private mechanism breaks the condition for all pairs")
    detail = "at the tightest level of 16 mechanisms on databases of up to 3 records; the other direction takes h = 1"
    return Finding(Status.HOLDS, detail)


def _utility(m: Mechanism) -> Any:
    """The verdict of the best remap for the uniform prior and the identity gain (the loss is 1 − gain)."""
    inputs = m.inputs
    return best_remap(m, BayesianConsumer(Loss.zero_one(inputs), Prior.uniform(inputs)))


def uniform_utility(printed: Printed) -> Finding:
    """Exercise 4: U = (101 − 99α)/(101(1+α)) for the uniform prior on {0..100} and the identity gain."""
    n = 100
    verdict = _utility(geometric(n, "1/2"))
    formula = (101 - 99 * Rational("1/2")) / (101 * (1 + Rational("1/2")))
    a = RationalFunctionField().gen
    diagonal = (2 + (n - 1) * (1 - a)) / (1 + a)  # Σ_z p(z|z): every output's best guess is itself, because α^|y−z| ≤ 1
    if diagonal / (n + 1) != ((n + 1) - (n - 1) * a) / ((n + 1) * (1 + a)) or not all(a**k <= 1 for k in range(1, n + 1)):
        return Finding(Status.REFUTED, "the closed form fails")
    tails = 2 * a / (1 + a) + (n + 1) * (1 - a) / (1 + a)  # unbounded: results below 0 and above n are best read as 0 and n
    if tails != diagonal:
        return Finding(Status.REFUTED, "the unbounded mechanism has another utility")
    if 1 - verdict.evidence.value != formula:
        return Finding(Status.REFUTED, f"the utility at α = 1/2 is {1 - verdict.evidence.value}")
    detail = (
        f"U = (101 − 99α)/(101(1+α)) for every α, unbounded or truncated alike; at α = 1/2 it is {formula}, as the best remap found says"
    )
    return Finding(Status.CERTIFIED, detail, {"uniform-utility": verdict})


def _merged(n: int = 3) -> tuple[Mechanism, Mechanism]:
    """G(n, 1/2), and the same with the results 0 and 1 both reported as 0."""
    G = geometric(n, "1/2")
    merge = Remap([[int(r == (0 if z == 1 else z)) for r in range(n + 1)] for z in range(n + 1)], G.outputs, G.outputs)
    return G, G.post_process(merge)


def post_processing(printed: Printed) -> Finding:
    """Exercise 5: post-processing can lower the utility, and never raises it (the best remap undoes what can be undone)."""
    before, merged = _merged()
    first, second = _utility(before), _utility(merged)
    if not second.evidence.value > first.evidence.value:
        return Finding(Status.REFUTED, "merging two results costs nothing here")
    detail = f"yes: merging two results of G(3, 1/2) lowers the utility from {1 - first.evidence.value} to {1 - second.evidence.value}"
    return Finding(Status.HOLDS, detail, {"utility-before": first, "utility-after": second})


def less_useful(printed: Printed) -> Finding:
    """Exercise 6: a mechanism for the same query with the same ε and lower utility."""
    before, merged = _merged()
    path = AdjacencyGraph.path(4)
    level, same = tightest_level(merged, path), tightest_level(before, path)
    private = is_private(merged, path, PrivacyLevel("1/2"))
    first, second = _utility(before), _utility(merged)
    right = level.evidence.tightest == same.evidence.tightest and private.proved and second.evidence.value > first.evidence.value
    if not right:
        return Finding(Status.REFUTED, "the merged mechanism is not as private, or not less useful")
    large, small = _merged(100)  # the query of exercise 2
    ratio = tightest_level(small, AdjacencyGraph.path(101)).evidence.tightest.ratio
    if ratio != Rational("1/2") or not _utility(small).evidence.value > _utility(large).evidence.value:
        return Finding(Status.REFUTED, "with 100 people the merged mechanism is not as private, or not less useful")
    detail = "G(3, 1/2), and G(100, 1/2), with the results 0 and 1 merged: tightest level 1/2 as before, lower utility"
    return Finding(Status.CERTIFIED, detail, {"merged-level": level, "utility-before": first, "utility-after": second})


def average_age(printed: Printed) -> Finding:
    """Exercise 7: the graph on the answers of "average age" has cycles."""
    ages, people = range(3), 2
    records = list(product(ages, repeat=people))
    edges = {
        frozenset((sum(x), sum(y)))
        for x in records
        for y in records
        if sum(a != b for a, b in zip(x, y, strict=True)) == 1 and sum(x) != sum(y)
    }
    triangle = [frozenset(p) for p in ((0, 1), (1, 2), (0, 2))]
    if not all(edge in edges for edge in triangle):
        return Finding(Status.REFUTED, "no triangle among the averages 0, 1/2, 1")
    return Finding(Status.CERTIFIED, "with two people of ages 0, 1, 2 the averages 0, 1/2 and 1 are pairwise adjacent: a triangle")
