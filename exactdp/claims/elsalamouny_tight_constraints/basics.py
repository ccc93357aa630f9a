# SPDX-License-Identifier: MIT
"""Sections 1 and 2: privacy of databases and of answers, oblivious mechanisms, utility."""

from __future__ import annotations

from itertools import chain, combinations

from exactdp.analysis import is_private
from exactdp.analysis.leakage import utility
from exactdp.claims.elsalamouny_tight_constraints.common import GRAPHS, LEVELS, graph, level, mechanisms, priors
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.record import Status
from exactdp.exact import ExactMatrix, Rational
from exactdp.model import AdjacencyGraph, Mechanism, PrivacyLevel, neighbours
from exactdp.model.constraint_matrix import ConstraintMatrix
from exactdp.model.query_graph import databases, hamming, query_graph

__all__ = ["adjacency", "definition_1", "definition_2", "introduction", "lemma_1", "proposition_1", "utility_formula"]


def _by_sets(m: Mechanism, near: AdjacencyGraph, alpha: PrivacyLevel) -> bool:
    """Definition 1: P(S | v) ≥ α·P(S | v′) for adjacent v, v′ and every set S of outputs."""
    outputs = range(m.n_outputs)
    sets = list(chain.from_iterable(combinations(outputs, size) for size in range(m.n_outputs + 1)))
    return all(
        sum((m[i, o] for o in S), Rational(0)) >= alpha.alpha * sum((m[j, o] for o in S), Rational(0))
        for i, j in chain(near.edges, ((b, a) for a, b in near.edges))
        for S in sets
    )


def definition_1(printed: Printed) -> Finding:
    """Privacy by sets of outputs, and by single outputs as everywhere in exactdp: the same on every mechanism tried."""
    same = True
    for text in ("path:4", "complete:4", "star:4"):
        near = graph(text)
        for a in LEVELS:
            for m in mechanisms(near, level(a)):
                same = same and all(_by_sets(m, near, level(b)) == is_private(m, near, level(b)).proved for b in LEVELS)
    return Finding(
        Status.DEFINITION if same else Status.REFUTED, "the same as x_ir ≥ α·x_jr for single outputs r on every mechanism and level tried"
    )


def definition_2(printed: Printed) -> Finding:
    """K = f·X is constant on the databases with one answer."""
    words, near = databases((0, 1), 3), graph("path:4")
    right = True
    for m in mechanisms(near, level("1/2")):
        induced = [m.matrix.row(sum(word)) for word in words]
        right = right and all(induced[i] == induced[j] for i, v in enumerate(words) for j, w in enumerate(words) if sum(v) == sum(w))
    return Finding(
        Status.DEFINITION if right else Status.REFUTED, "the mechanism on databases that f and X give depends on the answer only"
    )


def adjacency(printed: Printed) -> Finding:
    """Definition 3 on small databases gives the graphs of Figure 1: path, sum graph, king's moves."""
    pairs = {
        "count": (query_graph(sum, (0, 1), 4), neighbours("path:5")),
        "sum": (query_graph(sum, range(4), 3), neighbours("sum:u=3,v=3")),
        "two counts": (query_graph(_counts, databases((0, 1), 2), 3), neighbours("counts:u=3,k=2")),
        "identity": (query_graph(lambda v: v, range(3), 2), hamming(3, 2)),
    }
    right = all(found == expected for found, expected in pairs.values())
    return Finding(
        Status.DEFINITION if right else Status.REFUTED, f"the graphs of {', '.join(pairs)} on small databases are the expected ones"
    )


def _counts(rows: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def lemma_1(printed: Printed) -> Finding:
    """K = f·X is private on the databases if and only if X is on the graph of the answers."""
    words, cube, line = databases((0, 1), 3), hamming(2, 3), graph("path:4")
    same = True
    for a in LEVELS:
        for m in mechanisms(line, level(a)):
            induced = Mechanism(ExactMatrix([m.matrix.row(sum(word)) for word in words]), cube.vertices, m.outputs)
            same = same and all(is_private(m, line, level(b)).proved == is_private(induced, cube, level(b)).proved for b in LEVELS)
    return Finding(
        Status.HOLDS if same else Status.REFUTED, "the same verdict on answers and on databases, every mechanism and level tried"
    )


def proposition_1(printed: Printed) -> Finding:
    """Privacy on the edges is privacy for the metric of shortest paths."""
    same = True
    for text in GRAPHS:
        near = graph(text)
        metric = near.metric()
        for a in LEVELS[1:4]:
            for m in mechanisms(near, level(a)):
                same = same and all(is_private(m, near, level(b)).proved == is_private(m, metric, level(b)).proved for b in LEVELS[1:4])
    return Finding(Status.HOLDS if same else Status.REFUTED, "the same verdict for the edges and for all distances on everything tried")


def utility_formula(printed: Printed) -> Finding:
    """(1) with the binary gain is (2); with the best remap it is Σ_o max_i π_i x_io."""
    right = True
    for text in ("path:4", "star:4"):
        near = graph(text)
        for prior, _ in priors(near, level("1/2")):
            for m in mechanisms(near, level("1/2")):
                n = len(near.vertices)
                choices = [max(range(n), key=lambda i, o=o: prior.weights[i] * m[i, o]) for o in range(n)]  # type: ignore[misc]
                after = m.matrix @ ExactMatrix([[int(k == choices[o]) for k in range(n)] for o in range(n)])
                gains = (w * after[i, k] * int(i == k) for i, w in enumerate(prior.weights) for k in range(n))
                diagonal = sum((w * after[i, i] for i, w in enumerate(prior.weights)), Rational(0))
                right = right and sum(gains, Rational(0)) == diagonal == utility(m, prior)
    return Finding(Status.HOLDS if right else Status.REFUTED, "both sums agree, and the best remap attains Σ_o max_i π_i x_io")


def introduction(printed: Printed) -> Finding:
    """15 and 16 people of 1000."""
    right = Rational(15, 1000) == Rational("1.5") / 100 and Rational(16, 1000) == Rational("1.6") / 100
    far = ConstraintMatrix.of(graph("path:2")).distances[-1]
    return Finding(
        Status.CERTIFIED if right and str(far) == "1" else Status.REFUTED, "15/1000 = 1.5 % and 16/1000 = 1.6 %, adjacent counts"
    )
