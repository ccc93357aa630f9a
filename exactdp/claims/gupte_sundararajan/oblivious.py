# SPDX-License-Identifier: MIT
"""Appendix A: mechanisms that see the whole database, for D = {0, 1} and the query "how many ones"."""

from __future__ import annotations

from itertools import combinations, product
from math import comb

from exactdp.analysis import Uniqueness, Verdict, is_optimum_unique, is_private, optimum, verify_optimal
from exactdp.analysis.optimality import OptimalityEvidence
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
        f"D = {{0,1}}, n ≤ 3: for {tried} consumers the least loss over all mechanisms, by linear programming on the cube, is "
        "the oblivious one; "
        "the average of the optimal mechanism over each query class is private and no worse; n = 2, |i−r|, α = 1/3: "
        f"{every.evidence.value} both ways"
    )
    verdicts = {"all-databases-optimum": every, "oblivious-optimum": oblivious}
    return Finding(Status.ARGUED if right else Status.REFUTED, detail, verdicts)


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
    """(5) takes the maximum over d ∈ S ⊆ D^n: is the S of the text, a set of query results, a set of databases?"""
    size = 2
    databases = set(product((0, 1), repeat=size))
    results = set(range(size + 1))
    literal = results <= databases
    preimage = {d for d in databases if sum(d) in results}
    detail = (
        f"S is a set of query results in the text and a set of databases in (5); the maximum is over the {len(preimage)} "
        "databases d with f(d) ∈ S (n = 2)"
    )
    return Finding(Status.DEFINITION if literal else Status.IMPRECISE, detail)
