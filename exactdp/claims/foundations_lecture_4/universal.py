# SPDX-License-Identifier: MIT
"""The two fundamental results: universal optimality for counting queries, and only there; exercise 8 on the triangle."""

from __future__ import annotations

from itertools import product

from exactdp.analysis import is_optimal_after_remap, is_optimum_unique, optimum
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.record import Status
from exactdp.exact import Rational
from exactdp.mechanisms import geometric, randomized_response_at
from exactdp.mechanisms.unbounded import lumped_geometric
from exactdp.model import AdjacencyGraph, BayesianConsumer, Loss, Prior, PrivacyLevel, neighbours

__all__ = ["brenner_nissim", "ghosh", "two_priors"]

PRIORS = (("1/3", "1/3", "1/3"), ("1/2", "1/2", "0"), ("1/6", "1/2", "1/3"), ("0", "1/4", "3/4"))


def ghosh(printed: Printed) -> Finding:
    """The geometric mechanism is optimal after the best remap, for all priors: instances, truncated and unbounded."""
    path = AdjacencyGraph.path(3)
    verdicts = {}
    for level, weights in product(("1/4", "3/4"), PRIORS):
        for loss in (Loss.absolute(path.vertices), Loss.zero_one(path.vertices), Loss.squared(path.vertices)):
            consumer = BayesianConsumer(loss, Prior(weights))
            alpha = PrivacyLevel(level)
            for m in (geometric(2, level), lumped_geometric(2, level)):
                verdict = is_optimal_after_remap(m, path, alpha, consumer)
                if verdict.refuted:
                    return Finding(Status.REFUTED, f"{level}, {weights}, {loss.name}: {verdict.claim}")
                verdicts[level, weights, loss.name, m.n_outputs] = verdict
    kept = {
        "geometric-uniform-prior": verdicts["1/4", PRIORS[0], "zero-one", 3],
        "unbounded-skew-prior": verdicts["3/4", PRIORS[2], "abs", 5],
    }
    return Finding(Status.HOLDS, f"{len(verdicts)} instances on 0..2: two levels, four priors, three losses, truncated and unbounded", kept)


def _triangle(weights: tuple[str, str, str]) -> BayesianConsumer:
    graph = neighbours("complete:3")
    return BayesianConsumer(Loss.zero_one(graph.vertices), Prior(weights, graph.vertices))


def two_priors(printed: Printed) -> Finding:
    """Exercise 8 on a triangle: for the uniform prior only randomised response is optimal, and it is not for (1/2, 1/2, 0)."""
    graph, level = neighbours("complete:3"), PrivacyLevel("1/2")
    flat = randomized_response_at(graph.vertices, level)
    uniform, two = _triangle(("1/3", "1/3", "1/3")), _triangle(("1/2", "1/2", "0"))
    unique = is_optimum_unique(graph, level, uniform)
    worse = is_optimal_after_remap(flat, graph, level, two)
    if not unique.proved or unique.evidence.first.matrix != flat.matrix or worse.proved:
        return Finding(Status.OPEN, "the two priors do not separate the mechanisms at this level")
    detail = (
        f"at α = 1/2 on a triangle: for the uniform prior the flat mechanism is the only optimum, and for (1/2, 1/2, 0) "
        f"its best remap loses by exactly "
        f"{worse.evidence.gap}; other graphs and levels are not treated"
    )
    return Finding(Status.OPEN, detail, {"triangle-uniform": unique, "triangle-two": worse})


def brenner_nissim(printed: Printed) -> Finding:
    """The words "counting queries are the only kind": a query with two answers is none, and has a universally optimal mechanism too."""
    pair, level = AdjacencyGraph.path(2), PrivacyLevel("1/2")
    m = geometric(1, "1/2")
    kept = {}
    for weights in (("1/2", "1/2"), ("1/4", "3/4"), ("1/10", "9/10")):
        consumer = BayesianConsumer(Loss.zero_one(pair.vertices), Prior(weights))
        verdict = is_optimal_after_remap(m, pair, level, consumer)
        if verdict.refuted:
            return Finding(Status.CERTIFIED, "a query with two answers has no universally optimal mechanism")
        kept[weights] = verdict
    adjacent = {
        (int(sum(x) >= 2), int(sum(y) >= 2))
        for x in product((0, 1), repeat=3)
        for y in product((0, 1), repeat=3)
        if sum(a != b for a, b in zip(x, y, strict=True)) == 1
    }
    if (0, 1) not in adjacent:
        return Finding(Status.OPEN, "the threshold query has no adjacent answers")
    best = optimum(pair, level, BayesianConsumer(Loss.zero_one(pair.vertices), Prior(("1/4", "3/4")))).evidence.value
    detail = (
        '"Do at least two of three people have the property?" is no counting query, its graph is one edge (a path), and '
        "G(1, α) is universally optimal for it "
        f"(three priors at α = 1/2; for (1/4, 3/4) the least loss is {best}). What matters is that the graph is a path, "
        f"as the next sentence of the lecture says"
    )
    return Finding(Status.IMPRECISE, detail, {"two-answers": kept["1/4", "3/4"]} if best == Rational("1/4") else {})
