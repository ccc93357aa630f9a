# SPDX-License-Identifier: MIT
"""Table 1 and Appendix B: the matrices that the paper prints.

Table 1 is about n = 3, α = 1/4, l(i,r) = |i−r|, S = {0, 1, 2, 3}; Appendix B about n = 3, α = 1/2.

Appendix A: mechanisms that see the whole database, for D = {0, 1} and the query "how many ones".
"""

from __future__ import annotations

from itertools import combinations, product
from math import comb
from typing import Any

from exactdp.analysis import (
    Uniqueness,
    Verdict,
    is_optimum_unique,
    is_private,
    optimum,
    verify_optimal,
)
from exactdp.analysis.optimality.optimum import OptimumEvidence
from exactdp.cli import demo_cases
from exactdp.cli.demo_cases import absolute, consumers, path
from exactdp.exact import QQ
from exactdp.mechanisms import geometric
from exactdp.model import Dual, Graph, Loss, Mechanism, MinimaxConsumer, PrivacyLevel, SideInformation, neighbours
from proofs.record import Finding, Printed, Status, finding


def recorded(case: demo_cases.Case) -> Finding:
    """What the demonstration found, as the record says it."""
    return Finding(Status(case.status), case.detail, case.verdicts)


def table_1(printed: Printed) -> Finding:
    """Is (a) the optimal mechanism, and (c) the optimal interaction with (b) = G?"""
    return recorded(demo_cases.table_1(printed.table))


def table_1a(printed: Printed) -> Finding:
    """Is the printed matrix (a) a 1/4-private mechanism?"""
    return recorded(demo_cases.table_1a(printed.table))


def table_1b(printed: Printed) -> Finding:
    """Is the printed matrix (b) the mechanism G_{3,1/4}?"""
    return recorded(demo_cases.table_1b(printed.table))


def table_1c(printed: Printed) -> Finding:
    """Is the printed interaction (c) optimal for the consumer of Table 1?"""
    return recorded(demo_cases.table_1c(printed.table))


def appendix_b(printed: Printed) -> Finding:
    """Is Appendix B's matrix 1/2-private and not derivable, with −0.75/9 at rows 0, 1, 2 of column 1?"""
    return recorded(demo_cases.appendix_b(printed.table))


def appendix_b_mechanism(printed: Printed) -> Mechanism:
    """Appendix B's matrix as a mechanism on 0..3."""
    return Mechanism(printed.table("appendix-b"))


def _cube(size: int) -> Graph:
    cube = neighbours(f"hypercube:{size}")
    assert isinstance(cube, Graph)
    return cube


def over_databases(consumer: MinimaxConsumer) -> tuple[Graph, MinimaxConsumer]:
    """The consumer of objective (5): databases for results, the loss l(f(d), r), all d with f(d) ∈ S."""
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
    """Lemma 6: is the optimum that of the oblivious ones, and does averaging keep privacy and loss?"""
    right, tried = True, 0
    for size in (1, 2):
        for text in ("1/4", "2/3"):
            for consumer in consumers(size):
                right = right and _agrees(consumer, size, text)
                tried += 1
    for side in [s for k in (1, 2, 4) for s in combinations(range(4), k)]:
        right = right and _agrees(absolute(3, side), 3, "1/3")
        tried += 1
    oblivious = is_optimum_unique(path(2), PrivacyLevel("1/3"), absolute(2))
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
    return finding(right, detail, verdicts)


def _lifted_optimum(consumer: MinimaxConsumer, line: Uniqueness) -> Verdict[Any]:
    """The oblivious optimum, proved optimal among all mechanisms by the line's dual.

    Weights and potentials are spread evenly over each query class, multipliers over the edges between two
    classes.
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


def _database_optimum(consumer: MinimaxConsumer, text: str) -> Verdict[OptimumEvidence]:
    cube, lifted = over_databases(consumer)
    return optimum(cube, PrivacyLevel(text), lifted)


def _agrees(consumer: MinimaxConsumer, size: int, text: str) -> bool:
    found = _database_optimum(consumer, text).evidence
    average = averaged(found.best, size)
    private = is_private(average, path(size), PrivacyLevel(text)).proved
    return private and found.value == optimum(path(size), PrivacyLevel(text), consumer).evidence.value == consumer.loss_of(average)


def _line_optimum() -> Verdict[Any]:
    """For n = 3, S = {1, 2}, |i−r|, α = 1/2 an oblivious mechanism is optimal and loses 1/3."""
    half = QQ("1/2")
    line = Mechanism([[0, "2/3", "1/3", 0], [0, "2/3", "1/3", 0], [0, "1/3", "2/3", 0], [0, "1/3", "2/3", 0]])
    return verify_optimal(line, path(3), PrivacyLevel("1/2"), absolute(3, [1, 2]), Dual((QQ.zero, half, half, QQ.zero)))


def _by_steps_from_001() -> Mechanism:
    """By the number of records in which d differs from 001: 110 is three steps away, though its query result
    is only one more.
    """
    cube = _cube(3)
    steps = {0: "5/6", 1: "2/3", 2: "1/3", 3: "1/6"}
    ones = [steps[sum(x != y for x, y in zip(word, "001", strict=True))] for word in cube.vertices]
    return Mechanism([[0, p, 1 - QQ(p), 0] for p in ones], cube.vertices, range(4))


def _two_rows_of_three_values() -> tuple[bool, Any, Any]:
    """D = {a, b, 1}, n = 2, α = 1/2, S = {0, 1}: |f(d)−r| for d = aa and b1, whose results differ by 1 and
    whose rows differ in both places, else 0. Is it private? What does it lose, and what an oblivious one?
    """
    words = ["".join(word) for word in product("ab1", repeat=2)]
    steps = {word: sum(x != y for x, y in zip(word, "aa", strict=True)) for word in words}
    edges = [(w, v) for w, v in combinations(words, 2) if sum(x != y for x, y in zip(w, v, strict=True)) == 1]
    zeros = [("3/4", "1/2", "1/4")[steps[word]] for word in words]
    better = Mechanism([[p, 1 - QQ(p), 0] for p in zeros], words, range(3))
    rows = [[abs(word.count("1") - r) if word in ("aa", "b1") else 0 for r in range(3)] for word in words]
    known = SideInformation.of([word for word in words if word.count("1") < 2], words)
    private = is_private(better, Graph.from_edges(words, edges), PrivacyLevel("1/2")).proved
    least = optimum(path(2), PrivacyLevel("1/2"), absolute(2, [0, 1])).evidence.value
    return private, MinimaxConsumer(Loss(rows, words, range(3), name="|f(d)-r| on aa and b1"), known).loss_of(better), least


def loss_on_databases(printed: Printed) -> Finding:
    """Is an oblivious mechanism as good as any for a loss l(d, r) on databases? D = {0,1}, n = 3, α = 1/2.

    S = {1,2}; the loss is |f(d)−r| for d = 001 and 110, else 0. With three values of a row n = 2 will do.
    """
    cube, alpha, results = _cube(3), PrivacyLevel("1/2"), absolute(3, [1, 2])
    rows = [[abs(word.count("1") - r) if word in ("001", "110") else 0 for r in range(4)] for word in cube.vertices]
    loss = Loss(rows, cube.vertices, range(4), name="|f(d)-r| on 001 and 110")
    known = [word for word in cube.vertices if word.count("1") in (1, 2)]
    consumer = MinimaxConsumer(loss, SideInformation.of(known, cube.vertices))
    oblivious, better = _line_optimum(), _by_steps_from_001()
    private = is_private(better, cube, alpha)
    reached, least = consumer.loss_of(better), oblivious.evidence.loss
    # an oblivious mechanism loses on 001 and 110 what it loses at the results 1 and 2, and nothing elsewhere
    lines = [Mechanism([row] * 4) for row in ([1, 0, 0, 0], [0, "1/2", "1/2", 0], [0, 0, 0, 1])]
    same = all(
        consumer.loss_of(Mechanism([X.matrix.row(word.count("1")) for word in cube.vertices], cube.vertices, range(4)))
        == results.loss_of(X)
        for X in [*lines, geometric(3, "1/2")]
    )
    small_private, small_reached, small_least = _two_rows_of_three_values()
    refuted = oblivious.proved and private.proved and same and reached < least and small_private and small_reached < small_least
    detail = (
        f"a private mechanism on databases has the loss {reached}, an oblivious one at least {least}; for n = 2 and rows of three "
        f"values {small_reached} and {small_least}"
    )
    verdicts = {"five-private": private, "five-oblivious-optimum": oblivious}
    return Finding(Status.REFUTED if refuted else Status.HOLDS, detail, verdicts)


def objective_5(printed: Printed) -> Finding:
    """(5) takes the maximum over d ∈ S ⊆ D^n; the text has S ⊆ {0..n}. Does Lemma 6 hold with either S? D =
    {0,1}, n = 3, α = 1/2.

    In the text's sense S = {1, 2}: the databases with one or two ones. In the formula's sense S = {001, 110}.
    """
    cube, alpha = _cube(3), PrivacyLevel("1/2")
    results = absolute(3, [1, 2])
    lifted_cube, by_results = over_databases(results)
    loss = by_results.loss
    by_databases = MinimaxConsumer(loss, SideInformation.of(["001", "110"], cube.vertices))
    oblivious, better = _line_optimum(), _by_steps_from_001()
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
