# SPDX-License-Identifier: MIT
"""The instances of the benchmark: each is a graph, a level, a loss and a consumer, by words that every
program here understands.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction

from refinement import REFINEMENTS, Refinement

import exactdp as xdp
from exactdp.model import Consumer, Neighbours

__all__ = ["GROUPS", "Instance"]


@dataclass(frozen=True, slots=True)
class Instance:
    """One optimal-mechanism problem.

    ``loss`` is abs, squared, zero-one, distance, late (being late costs five times being early), parity or
    ``table:SEED`` (random integers from 0 to 1000).
    ``consumer`` is minimax, ``minimax:S`` with side information such as 3..20, bayesian (uniform prior) or
    ``bayesian:SEED`` (a random prior).
    """

    graph: str
    alpha: str
    loss: str
    consumer: str = "minimax"
    size: int = 0
    peers: tuple[str, ...] = field(default=())

    @property
    def beyond_doubles(self) -> bool:
        """Whether a program that computes in doubles may be wrong without being at fault: at small levels
        most probabilities are below its tolerance.
        """
        return Fraction(self.alpha) < Fraction(1, 100)

    @property
    def name(self) -> str:
        """How the tables call it."""
        return f"{self.graph} α={self.alpha} {self.loss} {self.consumer}"

    def problem(self) -> tuple[Neighbours, xdp.PrivacyLevel, Consumer]:
        """The same as model objects."""
        made = {"random": random_graph, "sparse": sparse_graph, "band": band}.get(self.graph.partition(":")[0], xdp.neighbours)
        graph = made(self.graph)
        loss = self._loss(graph)
        kind, _, detail = self.consumer.partition(":")
        if kind == "bayesian":
            prior = random_prior(graph.vertices, int(detail)) if detail else xdp.Prior.uniform(graph.vertices)
            return graph, xdp.PrivacyLevel(self.alpha), xdp.BayesianConsumer(loss, prior)
        known = xdp.SideInformation.parse(detail, graph.vertices) if detail else None
        return graph, xdp.PrivacyLevel(self.alpha), xdp.MinimaxConsumer(loss, known)

    def _loss(self, graph: Neighbours) -> xdp.Loss:
        labels, n = graph.vertices, len(graph.vertices)
        match self.loss:
            case "abs":
                return xdp.Loss.absolute(labels)
            case "squared":
                return xdp.Loss.squared(labels)
            case "zero-one":
                return xdp.Loss.zero_one(labels)
            case "distance":
                return xdp.Loss.from_distance(graph)
            case "late":
                return xdp.Loss([[5 * (i - r) if i > r else r - i for r in range(n)] for i in range(n)], labels, labels)
            case "parity":
                return xdp.Loss([[(i - r) % 2 for r in range(n)] for i in range(n)], labels, labels)
            case table if table.startswith("table:"):
                rng = random.Random(int(table.partition(":")[2]))
                return xdp.Loss([[rng.randrange(1001) for _ in labels] for _ in labels], labels, labels)
            case other:
                seed = int(other.removeprefix("monotone-"))
                return random_monotone_loss(labels, seed)


def random_graph(spec: str) -> xdp.Graph:
    """``random:N:SEED``: a connected graph on N nodes, a random tree and N more random edges."""
    _, size, seed = spec.split(":")
    n, rng = int(size), random.Random(int(seed))
    edges = {(rng.randrange(j), j) for j in range(1, n)}
    while len(edges) < 2 * n - 1:
        i, j = sorted(rng.sample(range(n), 2))
        edges.add((i, j))
    return xdp.Graph([str(i) for i in range(n)], sorted(edges), name=spec)


def sparse_graph(spec: str) -> xdp.Graph:
    """``sparse:N:SEED``: each node is joined to one of the four before it, and N/2 random chords."""
    _, size, seed = spec.split(":")
    n, rng = int(size), random.Random(int(seed))
    edges = {(max(0, j - 1 - rng.randrange(4)), j) for j in range(1, n)}
    while len(edges) < n - 1 + n // 2:
        i, j = sorted(rng.sample(range(n), 2))
        edges.add((i, j))
    return xdp.Graph([str(i) for i in range(n)], sorted(edges), name=spec)


def band(spec: str) -> xdp.Graph:
    """``band:N:V``: answers 0..N−1 of a sum query in which one record counts up to V."""
    _, size, v = spec.split(":")
    n, edges = int(size), []
    for i in range(n):
        edges += [(i, j) for j in range(i + 1, min(n, i + int(v) + 1))]
    return xdp.Graph([str(i) for i in range(n)], edges, name=spec)


def random_prior(labels: tuple[str, ...], seed: int) -> xdp.Prior:
    """Weights 1..1000 over their sum."""
    rng = random.Random(seed)
    parts = [rng.randint(1, 1000) for _ in labels]
    return xdp.Prior([xdp.Rational(p, sum(parts)) for p in parts], labels)


def random_monotone_loss(labels: tuple[str, ...], seed: int) -> xdp.Loss:
    """Non-decreasing in |i−r| for every i, increments with denominators up to 10⁴ and some plateaus."""
    rng, n = random.Random(seed), len(labels)
    rows = []
    for i in range(n):
        steps = [xdp.Rational(0)]
        for _ in range(n):
            steps.append(steps[-1] + (xdp.Rational(rng.randint(1, 10**4), rng.randint(1, 10**4)) if rng.random() < 0.8 else 0))
        rows.append([steps[abs(i - r)] for r in range(n)])
    return xdp.Loss(rows, labels, labels)


def _paths(sizes: list[int], losses: list[str], alphas: list[str], peers: tuple[str, ...] = ()) -> list[Instance]:
    return [Instance(f"path:{n + 1}", a, loss, "minimax", n, peers) for n in sizes for loss in losses for a in alphas]


def _sparse(sizes: list[int], alphas: list[str], peers: tuple[str, ...] = ()) -> list[Instance]:
    bayesian = (*peers, "qif") if peers else ()  # libqif knows no minimax consumer
    asked = (("distance", "minimax", peers), ("table:5", "minimax", peers), ("distance", "bayesian:5", bayesian))
    return [Instance(f"sparse:{n}:1", a, loss, consumer, n, with_) for n in sizes for a in alphas for loss, consumer, with_ in asked]


LOSSES = ["abs", "squared", "zero-one"]
LEVELS = ["1/1000", "1/97", "1/10", "1/4", "1/2", "9/10", "999/1000"]

GROUPS: dict[str, list[Instance] | list[Refinement]] = {
    "peers": _paths([5, 10, 15], ["abs"], ["1/2"], ("esolver", "glpsol", "z3"))
    + _paths([20, 30], ["abs"], ["1/2"], ("esolver", "glpsol"))
    + _paths([40], ["abs"], ["1/2"], ("esolver",))
    + _paths([60], LOSSES, ["1/2"], ("esolver",)),
    "bayesian": [Instance(f"path:{n + 1}", "1/2", "abs", "bayesian:1", n, ("esolver", "qif")) for n in (5, 10, 20, 30)],
    "growth": _paths([25, 50, 100, 200, 400, 1000], ["abs"], ["1/2"]),
    "large": _paths([100, 400, 1000], LOSSES, ["1/1000", "1/4", "1/2", "999/1000"])
    + [Instance("path:1001", "1/2", "abs", "minimax:300..1000", 1000)]
    + [Instance("path:1001", "1/2", loss, "bayesian", 1000) for loss in LOSSES]
    + [Instance("path:3001", "1/2", "abs", "bayesian", 3000)],
    "levels": _paths([5, 20, 40, 100], LOSSES, LEVELS)
    + [Instance(f"path:{n + 1}", a, f"monotone-{n}", "minimax", n) for n in (5, 20, 40, 100) for a in LEVELS],
    "any-loss": [Instance("path:101", "1/2", loss, consumer, 100) for loss in ("late", "parity") for consumer in ("minimax", "bayesian:1")],
    "arbitrary-losses": [Instance(f"path:{n + 1}", "1/2", "table:1", "minimax", n) for n in (20, 40, 60)],
    "graphs": [
        Instance("grid:8x8", "1/2", "distance", "minimax", 64, ("esolver",)),
        Instance("hypercube:6", "1/2", "distance", "minimax", 64, ("esolver",)),
        Instance("band:41:3", "1/2", "abs", "minimax", 41, ("esolver",)),
        Instance("complete:16", "1/2", "zero-one", "minimax", 16, ("esolver",)),
        Instance("random:30:1", "1/2", "distance", "bayesian:1", 30, ("esolver", "qif")),
        Instance("random:30:2", "1/4", "distance", "bayesian:2", 30, ("esolver", "qif")),
        Instance("random:30:3", "9/10", "distance", "minimax", 30, ("esolver",)),
        *_sparse([30, 60], ["1/2", "999/1000", "1/1000"], ("esolver",)),
        *_sparse([100], ["1/2", "999/1000", "1/1000"]),
        *_sparse([200], ["1/2"]),
    ],
    "refinement": REFINEMENTS,
}
"""The instances by group; ``size`` is what time is plotted against."""
