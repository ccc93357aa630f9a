# SPDX-License-Identifier: MIT
"""Random definitions: every kind of number and of neighbours, small, and odd ones often.

Duplicate rows and columns, zero columns, zero mass, ties, one vertex, no edge, missing pairs, tables of
distances without the triangle inequality, levels whose powers are in the field and others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from exactdp.exact import QQ, AlgebraicNumber, ExactMatrix, ExponentialField, Interval, Rational
from exactdp.model import (
    BayesianConsumer,
    Consumer,
    Distance,
    Graph,
    Loss,
    Mechanism,
    Metric,
    MinimaxConsumer,
    Neighbours,
    Prior,
    PrivacyLevel,
    Remap,
    SideInformation,
)
from exactdp.model.printed import PrintedTable

LEVELS = ("1/2", "1/3", "1/4", "2/3", "3/4", "1/10", "9/10", "2/5", "1/100", "99/100", "3/5", "5/7")
POWERS = ("1/4", "1/16", "4/9", "1/64", "9/16", "1/1024", "1/9", "1/729", "81/625", "1/2")
DISTANCES = ("1", "2", "1/2", "3", "3/2", "1/10", "1/3", "sqrt(2)", "sqrt(1/2)", "sqrt(3)", "2/3", "5/2")
INTERVALS: tuple[Callable[[], Interval], ...] = (
    lambda: Interval(0, 1),
    lambda: Interval(0, "1/2", upper_closed=True),
    lambda: Interval("1/2", 1, lower_closed=True),
    lambda: Interval("1/4", "1/3"),
    lambda: Interval("1/3", "1/2", True, True),
    lambda: Interval("2/5", "3/5", True, False),
    lambda: Interval("9/10", 1),
    lambda: Interval("1/2", "1/2", True, True),
    lambda: Interval("1/3", "1/3", True, True),
    lambda: Interval(AlgebraicNumber([-1, 0, 2], "1/2", 1), AlgebraicNumber([-1, 0, 2], "1/2", 1), True, True),
    lambda: Interval(0, AlgebraicNumber([-1, 0, 2], "1/2", 1)),
    lambda: Interval(AlgebraicNumber([-1, 0, 3], "1/2", "2/3"), AlgebraicNumber([-1, 0, 2], "1/2", 1), True, True),
    lambda: Interval(AlgebraicNumber([-1, 1, 1], "1/2", 1), 1, True, False),
    lambda: Interval(AlgebraicNumber([-1, 1, 1], "1/2", 1), AlgebraicNumber([-1, 1, 1], "1/2", 1), True, True),
    lambda: Interval(AlgebraicNumber([-1, 0, 3], "1/2", "2/3"), AlgebraicNumber([-1, 0, 3], "1/2", "2/3"), True, True),
)


@dataclass(frozen=True)
class Case:
    """One random definition: everything that a question may need."""

    numbers: str  # rational, exponential or interval
    near: Neighbours
    level: PrivacyLevel
    other_level: PrivacyLevel
    mechanism: Mechanism
    second: Mechanism
    consumer: Consumer
    prior: Prior
    remap: Remap
    delta: Any

    @property
    def loss(self) -> Loss:
        return self.consumer.loss


def distribution(rng: Random, size: int) -> list[Rational]:
    """Probabilities, some of them 0."""
    weights = [rng.choice((0, 0, 1, 1, 1, 2, 3, 5, 8)) for _ in range(size)]
    if not any(weights):
        weights[rng.randrange(size)] = 1
    return [Rational(w, sum(weights)) for w in weights]


def labels_of(rng: Random, n: int) -> list[str]:
    return [str(i) for i in range(n)] if rng.random() < 0.85 else list("bacdef"[:n])


def neighbours(rng: Random, n: int) -> Neighbours:
    """A path, a graph (connected or not), or a table of distances."""
    kind, pairs = rng.random(), [(i, j) for i in range(n) for j in range(i + 1, n)]
    if kind < 0.25:
        return Graph.path(n)
    labels = labels_of(rng, n)
    if kind < 0.6:
        keep = rng.choice((0, 0.4, 0.7, 1, 1))
        return Graph(labels, [pair for pair in pairs if rng.random() < keep])
    if kind < 0.7:
        return Graph(labels, [(0, i) for i in range(1, n)])
    keep = rng.choice((0.5, 0.8, 1, 1))
    kept = [pair for pair in pairs if rng.random() < keep]
    some = [rng.choice(DISTANCES) for _ in range(rng.choice((1, 1, 2, 3)))]
    table = {pair: Distance.parse(rng.choice(some)) for pair in kept}
    shape = rng.random()
    if shape < 0.2:  # a star
        table = {(0, i): Distance.parse(rng.choice(some)) for i in range(1, n)}
    # a cycle or a path whose other pairs are not constrained, so that Φ may be singular
    elif shape < 0.35 and n > 2:
        ring = [(i, i + 1) for i in range(n - 1)] + [(0, n - 1)] * (shape < 0.3)
        table = dict.fromkeys(ring, Distance.parse(some[0] if rng.random() < 0.5 else "1"))
    # the triangle inequality is not asked for (SPEC §3)
    return Metric._by_construction(tuple(labels), table, "")


def level_for(rng: Random, numbers: str, near: Neighbours) -> PrivacyLevel:
    """A level in this kind of numbers, often one whose powers at these distances are in the field."""
    table = isinstance(near, Metric)
    if numbers == "rational":
        return PrivacyLevel(rng.choice(POWERS if table and rng.random() < 0.7 else LEVELS))
    if numbers == "exponential":
        roots = rng.choice(((1,), (1, 2), (1, 2, 3), (1, 3))) if table else rng.choice(((1,), (1,), (1, 2)))
        few = len(roots) < 3  # powers in three symbols take long
        field = ExponentialField(rng.choice(("1/2", "1/10", "1", "2", "7/5")), rng.choice((1, 2, 6)) if table and few else 1, roots)
        return PrivacyLevel(field.gen ** rng.choice((1, 1, 2, 6) if table and len(roots) == 1 else (1, 1, 2) if few else (1,)))
    level = PrivacyLevel.symbolic(rng.choice(INTERVALS)())
    return PrivacyLevel(level.alpha ** rng.choice((1, 1, 2) if table else (1, 1, 1, 2)))


def other_level(rng: Random, level: PrivacyLevel) -> PrivacyLevel:
    """Another level that numbers of the first can be compared with."""
    alpha = level.alpha
    if isinstance(alpha, Rational):
        step = Rational(1, 1000) if rng.random() < 0.4 else None
        choices = [alpha + step, alpha - step] if step is not None else [Rational(rng.choice(LEVELS))]
        return PrivacyLevel(next((x for x in choices if 0 < x < 1), alpha))
    return PrivacyLevel(rng.choice((alpha * alpha, (alpha + 1) / 2, alpha / 2, alpha * (1 + alpha) / 2)))


def rows(rng: Random, n: int, m: int, level: PrivacyLevel) -> list[list[Any]]:
    """The rows of a mechanism."""
    alpha, style = level.alpha, rng.random()
    if style < 0.3:
        found: list[list[Any]] = [list(distribution(rng, m)) for _ in range(n)]
    elif style < 0.6:
        found = [[alpha ** abs(i - j) * (1 if j in (0, n - 1) else 1 - alpha) / (1 + alpha) for j in range(n)] for i in range(n)]
        found = [[alpha / alpha]] if n == 1 else found
        if rng.random() < 0.5:
            remap = [distribution(rng, m) for _ in range(n)]
            found = [[sum((x * remap[k][j] for k, x in enumerate(row)), 0 * alpha) for j in range(m)] for row in found]
    elif style < 0.8:
        found = [[(alpha if i != j else 1) / (1 + (n - 1) * alpha) for j in range(n)] for i in range(n)]
    elif style < 0.9:
        base = distribution(rng, m)
        found = [[(1 - alpha) * x + alpha * y for x, y in zip(distribution(rng, m), base, strict=True)] for _ in range(n)]
    else:
        base = distribution(rng, m)
        found = [list(base) for _ in range(n)]
    if rng.random() < 0.1:
        found = [[*row, 0] for row in found]
    if rng.random() < 0.1:
        found = [[row[0] * Rational(1, 3), *row[1:], row[0] * Rational(2, 3)] for row in found]
    if rng.random() < 0.1:
        found[-1] = list(found[0])
    return found


def mechanism(rng: Random, near: Neighbours, level: PrivacyLevel, size: int) -> Mechanism:
    found = rows(rng, len(near.vertices), size, level)
    own = len(found[0]) == len(near.vertices) and rng.random() < 0.8
    return Mechanism(found, near.vertices, near.vertices if own else None)


def loss(rng: Random, near: Neighbours) -> Loss:
    kind, n = rng.random(), len(near.vertices)
    numbered = tuple(near.vertices) == tuple(map(str, range(n)))
    if kind < 0.2 and numbered:
        return Loss.absolute(near.vertices)
    if kind < 0.3 and numbered:
        return Loss.squared(near.vertices)
    if kind < 0.5:
        return Loss.zero_one(near.vertices)
    guesses = rng.choice((n, n, 1, 2, 3, n + 1))
    entries = rng.choice(((0, 1), (0, 0, 1, 2), (-1, 0, 1, Rational(1, 2)), (0, 1, 3, Rational(7, 3))))
    table = [[rng.choice(entries) for _ in range(guesses)] for _ in range(n)]
    if guesses > 1 and rng.random() < 0.1:
        table = [[*row[:-1], row[0]] for row in table]
    own = guesses == n and rng.random() < 0.8
    return Loss(table, near.vertices, near.vertices if own else None)


def prior(rng: Random, near: Neighbours, level: PrivacyLevel) -> Prior:
    n, alpha = len(near.vertices), level.alpha
    if rng.random() < 0.2:
        return Prior([Rational(1, n)] * n, near.vertices)
    if rng.random() < 0.15:
        weights = [alpha**k for k in range(n)]
        total = sum(weights[1:], weights[0])
        return Prior([x / total for x in weights], near.vertices)
    return Prior(distribution(rng, n), near.vertices)


def consumer(rng: Random, near: Neighbours, level: PrivacyLevel) -> Consumer:
    costs = loss(rng, near)
    if rng.random() < 0.5:
        return BayesianConsumer(costs, prior(rng, near, level))
    n = len(near.vertices)
    chosen = set(range(n)) if rng.random() < 0.6 else {i for i in range(n) if rng.random() < 0.5} or {rng.randrange(n)}
    return MinimaxConsumer(costs, SideInformation(chosen, near.vertices))


def remap(rng: Random, m: Mechanism, guesses: Any) -> Remap:
    table = [distribution(rng, len(guesses)) for _ in m.outputs]
    if rng.random() < 0.5:
        table = [[Rational(int(k == pick)) for k in range(len(guesses))] for pick in (rng.randrange(len(guesses)) for _ in m.outputs)]
    return Remap(table, m.outputs, guesses)


def at_point(poly: list[int]) -> PrivacyLevel:
    """The level that is a root in (1/2, 1)."""
    root = AlgebraicNumber(poly, "1/2", 1)
    return PrivacyLevel.symbolic(Interval(root, root, True, True))


def table(n: int, pairs: list[tuple[int, int]], distance: str) -> Metric:
    """The pairs at one distance, all others unconstrained."""
    return Metric._by_construction(tuple(map(str, range(n))), dict.fromkeys(pairs, Distance.parse(distance)), "")


# Φ is singular: 1 − 2x = 0, 1 − 2x² = 0, 1 − 3x² = 0 or 1 − 3x² + x⁴ = 0
SINGULAR: tuple[Callable[[], tuple[Neighbours, PrivacyLevel]], ...] = (
    *(
        lambda d=d, alpha=alpha: (table(4, [(0, 1), (0, 3), (1, 2), (2, 3)], d), PrivacyLevel(alpha))
        for d, alpha in (("1", "1/2"), ("1/2", "1/4"), ("1/10", "1/1024"), ("1/3", "1/8"))
    ),
    lambda: (table(4, [(0, 1), (0, 3), (1, 2), (2, 3)], "1"), PrivacyLevel.symbolic(Interval("1/2", "1/2", True, True))),
    lambda: (table(3, [(0, 1), (0, 2)], "1"), at_point([-1, 0, 2])),
    lambda: (table(4, [(0, 1), (0, 2), (0, 3)], "1"), at_point([-1, 0, 3])),
    lambda: (table(4, [(0, 1), (1, 2), (2, 3)], "1"), at_point([-1, 1, 1])),
)


def stars(rng: Random) -> tuple[Neighbours, PrivacyLevel]:
    """Stars at levels where no tight-constraints mechanism exists, or one just does."""
    leaves = rng.choice((3, 3, 4, 5))
    edges = [(0, i) for i in range(1, leaves + 1)]
    at = Rational(1, leaves - 1)
    alpha = rng.choice((at, at + Rational(1, 1000), at - Rational(1, 1000), Rational(9, 10), (1 + at) / 2))
    if rng.random() < 0.5:
        return Graph(range(leaves + 1), edges), PrivacyLevel(alpha)
    d, k = rng.choice((("1/2", 2), ("1/3", 3), ("1/10", 10), ("2", 1)))
    return table(leaves + 1, edges, d), PrivacyLevel(alpha**k)


def shapes(rng: Random) -> Neighbours:
    """Small graphs for which universal optimality is known, or refuted, by theorems."""
    edges = rng.choice(([(0, 1), (0, 2), (1, 2)], [(0, 1), (1, 2)], [(0, 1), (0, 2), (0, 3)], [(0, 1), (0, 3), (1, 2), (2, 3)]))
    return Graph(range(1 + max(j for _, j in edges)), edges)


def case(rng: Random, topic: str) -> Case:
    """A random definition, of a size that suits the topic; for some topics one that is on the edge."""
    numbers = rng.choices(("rational", "exponential", "interval"), (5, 2, 3))[0]
    if topic == "tight" and rng.random() < 0.4:
        near, level = stars(rng) if rng.random() < 0.6 else rng.choice(SINGULAR)()
        return around(rng, "rational" if isinstance(level.alpha, Rational) else "interval", near, level)
    if topic == "universal" and rng.random() < 0.5:
        near = shapes(rng)
        made = around(rng, numbers, near, level_for(rng, numbers, near))
        costs = Loss.zero_one(near.vertices) if rng.random() < 0.6 else Loss.from_distance(near)
        return replace(made, consumer=MinimaxConsumer(costs), remap=remap(rng, made.mechanism, costs.guesses))
    sizes = (1, 2, 6, 8) if topic in ("tight", "regions") else (1, 6, 8, 4 if numbers == "rational" else 2)
    n = rng.choices((1, 2, 3, 4), sizes)[0]
    near = neighbours(rng, n)
    return around(rng, numbers, near, level_for(rng, numbers, near))


def around(rng: Random, numbers: str, near: Neighbours, level: PrivacyLevel) -> Case:
    """Everything else for these neighbours and this level."""
    asked = consumer(rng, near, level)
    first = mechanism(rng, near, level, len(asked.loss.guesses) if rng.random() < 0.6 else rng.choice((1, 2, 3)))
    if len(first.outputs) == len(asked.loss.guesses):
        first = Mechanism(first.matrix, near.vertices, asked.loss.guesses)
    second = mechanism(rng, near, level, rng.choice((1, 2, 3)))
    if rng.random() < 0.4:
        second = first.post_process(remap(rng, first, tuple(map(str, range(rng.choice((1, 2, 3)))))))
    delta = rng.choice((Rational(0), Rational(1, 10), Rational(1, 4), Rational(1, 100), Rational(1)))
    weights = prior(rng, near, level)
    return Case(numbers, near, level, other_level(rng, level), first, second, asked, weights, remap(rng, first, asked.loss.guesses), delta)


def around_mechanism(m: Mechanism, rng: Random) -> PrintedTable:
    """Bounds around the entries of a rational mechanism: of digits, or any."""
    digits, kind = 10 ** rng.choice((1, 1, 2)), rng.random()
    low, high = list[list[Rational]](), list[list[Rational]]()
    for row in m.rows():
        low.append([])
        high.append([])
        for x in row:
            if kind < 0.5:
                half, scaled = Rational(1, 2 * digits), x * digits + Rational(1, 2)
                printed = Rational(scaled.numerator // scaled.denominator, digits)
                below, above = max(printed - half, Rational(0)), min(printed + half, Rational(1))
            else:
                below, above = x * rng.choice((1, 1, Rational(1, 2), 0)), x + (1 - x) * rng.choice((0, 0, Rational(1, 2), Rational(1, 10)))
            low[-1].append(below)
            high[-1].append(above)
    lower, upper = (ExactMatrix(rows, QQ) for rows in (low, high))
    return PrintedTable(lower, lower, upper, m.inputs, m.outputs, "auto")


def altered(rng: Random, c: Case) -> Case:
    """The same definition with one thing in it drawn again."""
    what = rng.choice(("near", "near", "near", "near", "level", "mechanism", "consumer", "prior", "swap", "remap", "delta"))
    if what == "near":
        near = neighbours(rng, len(c.near.vertices))
        if rng.random() < 0.5 and isinstance(c.near, Metric):  # the same pairs without their distances
            return replace(c, near=Graph(c.near.vertices, [(i, j) for i, j, _ in c.near.pairs()]))
        pairs = {(i, j): d for i, j, d in near.pairs()}
        if isinstance(near, Metric):
            return replace(c, near=Metric._by_construction(c.near.vertices, pairs, ""))
        return replace(c, near=Graph(c.near.vertices, list(pairs)))
    if what == "level":
        return replace(c, level=c.other_level, other_level=c.level)
    if what == "mechanism":
        found = Mechanism(rows(rng, len(c.near.vertices), len(c.mechanism.outputs), c.level), c.near.vertices)
        if len(found.outputs) == len(c.mechanism.outputs):
            return replace(c, mechanism=Mechanism(found.matrix, c.near.vertices, c.mechanism.outputs))
        return c
    if what == "consumer":
        asked = consumer(rng, c.near, c.level)
        return replace(c, consumer=asked, remap=remap(rng, c.mechanism, asked.loss.guesses))
    if what == "prior":
        weights = prior(rng, c.near, c.level)
        asked = BayesianConsumer(c.loss, weights) if isinstance(c.consumer, BayesianConsumer) else c.consumer
        return replace(c, prior=weights, consumer=asked)
    if what == "swap":
        return replace(c, mechanism=c.second, second=c.mechanism, remap=remap(rng, c.second, c.loss.guesses))
    if what == "remap":
        return replace(c, remap=remap(rng, c.mechanism, c.loss.guesses))
    return replace(c, delta=rng.choice((Rational(0), Rational(1, 3), Rational(1, 7))))
