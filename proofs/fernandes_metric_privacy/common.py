# SPDX-License-Identifier: MIT
"""Shared by the replays: levels, channels and losses to try, the mechanisms that the paper names."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise, permutations
from typing import Any

from exactdp.analysis.types.vertices import posterior_polytope
from exactdp.exact import ExactMatrix, Rational
from exactdp.model import Gain, Graph, Loss, Mechanism, Neighbours, Prior, Remap, neighbours

LEVELS = ("1/10", "1/3", "1/2", "3/5", "9/10")
"""Levels at which statements about all levels are tried."""

GRAPHS = ("path:2", "path:3", "path:4", "complete:3", "complete:4", "cycle:4", "star:4")
"""Small graphs on which statements about all metrics are tried."""


def line(n: int) -> Graph:
    """The line on n inputs."""
    return Graph.path(n)


def complete(n: int) -> Neighbours:
    """The discrete metric on n inputs."""
    return neighbours(f"complete:{n}")


def random_channel(rnd: random.Random, inputs: int, outputs: int) -> Mechanism:
    """A channel with small denominators."""
    rows = []
    for _ in range(inputs):
        weights = [rnd.choice((0, 1, 1, 2, 3)) for _ in range(outputs)]
        weights[rnd.randrange(outputs)] += 1
        rows.append([Rational(w, sum(weights)) for w in weights])
    return Mechanism(rows)


def random_remap(rnd: random.Random, source: Mechanism, outputs: int) -> Remap:
    """A post-processing of a channel."""
    found = random_channel(rnd, source.n_outputs, outputs)
    return Remap(found.matrix, source.outputs, found.outputs)


def priors(rnd: random.Random, n: int, count: int) -> Iterator[Prior]:
    """The uniform prior, and random ones with zeros."""
    yield Prior.uniform(range(n))
    for _ in range(count - 1):
        weights = [rnd.choice((0, 1, 1, 2, 5)) for _ in range(n)]
        weights[rnd.randrange(n)] += 1
        yield Prior([Rational(w, sum(weights)) for w in weights])


def losses(rnd: random.Random, n: int, count: int) -> Iterator[Loss]:
    """Random losses with one to four guesses, negative numbers included."""
    for _ in range(count):
        guesses = rnd.randint(1, 4)
        yield Loss([[rnd.randint(-2, 4) for _ in range(guesses)] for _ in range(n)])


def gains(rnd: random.Random, n: int, count: int) -> Iterator[Gain]:
    """Random gains ≥ 0 that are not zero."""
    for _ in range(count):
        guesses = rnd.randint(1, 4)
        rows = [[rnd.randint(0, 4) for _ in range(guesses)] for _ in range(n)]
        rows[0][0] += 1
        yield Gain(rows)


def private_mechanisms(rnd: random.Random, near: Neighbours, level: str, count: int) -> Iterator[Mechanism]:
    """Random mechanisms of a type: mixtures of its vertices around a small multiple of the identity."""
    P = posterior_polytope(near, level)
    n, one = len(near.vertices), P.field.one
    for _ in range(count):
        chosen = [(rnd.randrange(len(P)), Rational(rnd.randint(1, 3))) for _ in range(rnd.randint(1, n + 1))]
        columns = [[w * x for x in P.rays[k]] for k, w in chosen]
        total = [sum((c[x] for c in columns), P.field.zero) for x in range(n)]
        # the rest, 1 − s·total, is private for small s because 1 is inside the cone
        s = one / (4 * max(total) * n)
        while not _private([one - s * t for t in total], P, near, level):
            s = s / 2
        columns = [[s * x for x in c] for c in columns] + [[one - s * t for t in total]]
        yield Mechanism(ExactMatrix(list(zip(*columns, strict=True))), near.vertices)


def _private(column: list[Any], P: Any, near: Neighbours, level: str) -> bool:
    a = P.level
    return all(column[i] >= a.power(d) * column[j] and column[j] >= a.power(d) * column[i] for i, j, d in near.pairs())


def random_response(n: int, alpha: Any, labels: tuple[str, ...] | None = None) -> Mechanism:
    """K on the diagonal and kα beside it, k = 1/(1 + (n − 1)α) (Definition 13)."""
    k = 1 / (1 + (n - 1) * alpha)
    return Mechanism([[k if x == y else k * alpha for y in range(n)] for x in range(n)], labels)


def two_inputs(alpha: Any) -> Mechanism:
    """T of Corollary 18."""
    return random_response(2, alpha)


def is_monotone(loss: Loss, near: object, *, strict: bool = False) -> bool:
    """Whether l(w,x) = m(d(α(w),x)) for an injection α of guesses and a non-decreasing (increasing) m."""
    hops = near.hops()  # type: ignore[attr-defined]
    n = len(loss.inputs)
    for places in permutations(range(n), len(loss.guesses)):
        values: dict[int, Rational] = {}
        fits = all(values.setdefault(hops[places[g]][x], loss[x, g]) == loss[x, g] for g in range(len(places)) for x in range(n))
        ordered = [values[d] for d in sorted(values)] if fits else []
        if fits and all(a < b or (a == b and not strict) for a, b in pairwise(ordered)):
            return True
    return False
