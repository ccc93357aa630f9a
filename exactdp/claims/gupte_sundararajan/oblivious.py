# SPDX-License-Identifier: MIT
"""Appendix A: mechanisms that see the whole database, for D = {0, 1} and the query "how many ones"."""

from __future__ import annotations

from itertools import combinations
from math import comb

from exactdp.analysis import Uniqueness, Verdict, is_optimum_unique, is_private, optimum, verify_optimal
from exactdp.analysis.least_loss import OptimalityEvidence
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.gupte_sundararajan.common import absolute, consumers, level, path
from exactdp.claims.record import Status
from exactdp.exact import QQ
from exactdp.model import AdjacencyGraph, Dual, Loss, Mechanism, MinimaxConsumer, SideInformation, neighbours

__all__ = ["averaged", "lemma_6", "objective_5"]


def _cube(size: int) -> AdjacencyGraph:
    cube = neighbours(f"hypercube:{size}")
    assert isinstance(cube, AdjacencyGraph)
    return cube


def over_databases(consumer: MinimaxConsumer) -> tuple[AdjacencyGraph, MinimaxConsumer]:
    """The consumer of objective (5): databases instead of query results, the loss l(f(d), r), and all d with f(d) ∈ S."""
    size = len(consumer.inputs) - 1
    cube = _cube(size)
    counts = [word.count("1") for word in cube.vertices]
    loss = Loss([consumer.loss.matrix.row(count) for count in counts], cube.vertices, consumer.loss.guesses)
    known = [place for place, count in enumerate(counts) if count in consumer.side_information]
    return cube, MinimaxConsumer(loss, SideInformation(known, cube.vertices))


def averaged(mechanism: Mechanism, size: int) -> Mechanism:
    """x′_i = the average of x_d over the databases d with f(d) = i, a mechanism on 0..n."""
    counts = [word.count("1") for word in mechanism.inputs]
    rows = []
    for i in range(size + 1):
        same = [mechanism.matrix.row(place) for place, count in enumerate(counts) if count == i]
        rows.append([sum(column, QQ.zero) / len(same) for column in zip(*same, strict=True)])
    return Mechanism(rows, range(size + 1), mechanism.outputs)


def lemma_6(printed: Printed) -> Finding:
    """Lemma 6: is the optimum over all mechanisms that of the oblivious ones, and does averaging keep privacy and loss?"""
    right, tried = True, 0
    for size in (1, 2):
        for text in ("1/4", "2/3"):
            for consumer in consumers(size):
                right = right and _agrees(consumer, size, text)
                tried += 1
    for side in [s for k in (1, 2, 4) for s in combinations(range(4), k)]:
        right = right and _agrees(absolute(3, side), 3, "1/3")
        tried += 1
    oblivious = is_optimum_unique(path(2), level("1/3"), absolute(2))
    every = _lifted_optimum(absolute(2), oblivious.evidence)
    right = right and every.proved and oblivious.proved and every.evidence.value == oblivious.evidence.value
    detail = (
        f"D = {{0,1}}, n ≤ 3: for {tried} pairs of a consumer and a level the least loss over all mechanisms, "
        "by linear programming on the cube, is "
        "the oblivious one; "
        "the average of the optimal mechanism over each query class is private and no worse; n = 2, |i−r|, α = 1/3: "
        f"{every.evidence.value} both ways"
    )
    verdicts = {"all-databases-optimum": every, "oblivious-optimum": oblivious}
    return Finding(Status.HOLDS if right else Status.REFUTED, detail, verdicts)


def _lifted_optimum(consumer: MinimaxConsumer, line: Uniqueness) -> Verdict[OptimalityEvidence]:
    """The oblivious optimum, proved optimal among all mechanisms by the line's dual.

    Weights and potentials are spread evenly over each query class, multipliers over the edges between two classes.
    """
    cube, lifted = over_databases(consumer)
    counts = [word.count("1") for word in cube.vertices]
    size = max(counts)
    assert line.dual.potentials is not None
    assert line.dual.edges is not None
    weights = tuple(QQ(line.dual.weights[i]) / comb(size, i) for i in counts)
    potentials = tuple(QQ(line.dual.potentials[i]) / comb(size, i) for i in counts)
    edges = []
    for d, e, _ in cube.pairs():
        low = min(counts[d], counts[e])
        sign = 1 if counts[d] == low else -1
        edges.append(tuple(sign * QQ(u) / (comb(size, low) * (size - low)) for u in line.dual.edges[low]))
    mechanism = Mechanism([line.first.matrix.row(i) for i in counts], cube.vertices, line.first.outputs)
    return verify_optimal(mechanism, cube, line.level, lifted, Dual(weights, potentials, tuple(edges)))


def _database_optimum(consumer: MinimaxConsumer, text: str) -> Verdict[OptimalityEvidence]:
    cube, lifted = over_databases(consumer)
    return optimum(cube, level(text), lifted)


def _agrees(consumer: MinimaxConsumer, size: int, text: str) -> bool:
    found = _database_optimum(consumer, text).evidence
    assert found.best is not None
    average = averaged(found.best, size)
    private = is_private(average, path(size), level(text)).proved
    return private and found.value == optimum(path(size), level(text), consumer).evidence.value == consumer.loss_of(average)


def objective_5(printed: Printed) -> Finding:
    """(5) takes the maximum over d ∈ S ⊆ D^n; the text has S ⊆ {0..n}. Does Lemma 6 hold with either S? D = {0,1}, n = 3, α = 1/2.

    In the text's sense S = {1, 2}: the databases with one or two ones. In the formula's sense S = {001, 110}.
    """
    cube, alpha = _cube(3), level("1/2")
    results = absolute(3, [1, 2])
    lifted_cube, by_results = over_databases(results)
    loss = by_results.loss
    by_databases = MinimaxConsumer(loss, SideInformation.of(["001", "110"], cube.vertices))
    half = QQ("1/2")
    line = Mechanism([[0, "2/3", "1/3", 0], [0, "2/3", "1/3", 0], [0, "1/3", "2/3", 0], [0, "1/3", "2/3", 0]])
    oblivious = verify_optimal(line, path(3), alpha, results, Dual((QQ.zero, half, half, QQ.zero)))
    # by the number of records in which d differs from 001: 110 is three steps away, though its query result is only one more
    steps = {0: "5/6", 1: "2/3", 2: "1/3", 3: "1/6"}
    ones = [steps[sum(x != y for x, y in zip(word, "001", strict=True))] for word in cube.vertices]
    better = Mechanism([[0, p, 1 - QQ(p), 0] for p in ones], cube.vertices, range(4))
    private = is_private(better, cube, alpha)
    least = oblivious.evidence.loss
    with_text = optimum(lifted_cube, alpha, by_results).evidence.value == least
    reached = by_databases.loss_of(better)
    detail = (
        f"S = {{1,2}}, as in the text: the least loss is {least} with or without the restriction to oblivious mechanisms ({with_text}); "
        f"S = {{001,110}}, as in (5): an oblivious mechanism has at least {least}, a private one on databases {reached}"
    )
    right = oblivious.proved and private.proved and with_text
    status = Status.REFUTED if not right else Status.IMPRECISE if reached < least else Status.DEFINITION
    return Finding(status, detail, {"five-private": private, "five-oblivious-optimum": oblivious})
