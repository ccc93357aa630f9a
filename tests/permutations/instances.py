# SPDX-License-Identifier: MIT
"""Small random instances: tables, formulas in the level, neighbours, losses, priors. Everything is numbered;
names come later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from . import oracle

ALPHAS = [Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(3, 4)]
SAMPLES = [Fraction(1, 10), Fraction(1, 4), Fraction(2, 5), Fraction(1, 2), Fraction(7, 10), Fraction(19, 20)]
"""Levels at which an answer for all levels is compared."""


@dataclass(frozen=True)
class Formula:
    """An entry that depends on the level: its text, and its value at a level."""

    text: str
    value: Callable[[Fraction], Fraction]

    def __str__(self) -> str:
        return self.text


@dataclass
class Grid:
    """A table, loss or remap: its two axes (x inputs, y outputs, g guesses, …) and its entries, by number."""

    rows: str
    columns: str
    entries: list[list[Any]]
    stochastic: bool = True


@dataclass
class Near:
    """A graph (all distances 1, only neighbours are listed) or a metric, on the axis x."""

    size: int
    distances: oracle.Distances
    graph: bool
    rows = "x"


@dataclass
class Weights:
    """A prior or frequencies on one axis."""

    rows: str
    values: list[Fraction]


@dataclass
class Subset:
    """Side information: some inputs."""

    members: list[int]
    rows: str = "x"


@dataclass
class Question:
    """What is asked about some objects, in whatever order they are written down.

    ``words`` makes the command line from the words that name the objects; ``call`` asks the same in Python,
    with the objects themselves; both may be missing. The checks say what is wrong with an answer, or None.
    """

    name: str
    objects: dict[str, Any]
    words: Callable[[dict[str, str]], list[str]] | None = None
    check: Callable[[dict[str, Any]], str | None] | None = None
    call: Callable[[dict[str, Any]], Any] | None = None
    expected: Any = None
    alias: dict[str, str] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    """The labels of an axis, where they mean something (inputs 0, 1, … of a count); unlabelled objects are
    then in this order.
    """
    undecided: bool = False
    """Whether exit code 4 is an answer."""
    plain: bool = False
    """Whether the command has no ``--json``; its check is given what it printed, and the presentation."""
    graph_word: bool = False
    """Whether an unlabelled graph must be given by a word (its table of distances would be another
    question).
    """
    lists_follow: bool = False
    """Whether vectors without labels are, by the function's own rule, in the order of the table, whose labels
    they then need not have.
    """

    def sizes(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for thing in self.objects.values():
            if isinstance(thing, Grid):
                found[thing.rows], found[thing.columns] = len(thing.entries), len(thing.entries[0])
            elif isinstance(thing, Near):
                found["x"] = thing.size
            elif isinstance(thing, Weights):
                found[thing.rows] = len(thing.values)
        return found


def distribution(rng: Random, size: int, zeros: float = 0.2) -> list[Fraction]:
    while True:
        parts = [0 if rng.random() < zeros else rng.randint(1, 5) for _ in range(size)]
        if sum(parts):
            return [Fraction(p, sum(parts)) for p in parts]


def stochastic(rng: Random, n: int, m: int, zeros: float = 0.1) -> oracle.Matrix:
    return [distribution(rng, m, zeros) for _ in range(n)]


def loss(rng: Random, n: int, k: int) -> oracle.Matrix:
    return [[Fraction(rng.randint(-1, 4), rng.choice([1, 1, 1, 2])) for _ in range(k)] for _ in range(n)]


def graph(rng: Random, n: int) -> Near:
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    chosen = [p for p in pairs if rng.random() < 0.6] or [rng.choice(pairs)]
    return Near(n, dict.fromkeys(sorted(chosen), 1), True)


def metric(rng: Random, n: int) -> Near:
    """Shortest paths of a random graph with lengths 1 to 3: the triangle inequality holds; some pairs may be
    infinitely far apart.
    """
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    some = {p: rng.randint(1, 3) for p in pairs if rng.random() < 0.8} or {pairs[0]: 2}
    far = oracle.shortest(n, some)
    return Near(n, {(i, j): far[i][j] for i, j in pairs if far[i][j] is not None}, False)


def near(rng: Random, n: int) -> Near:
    return graph(rng, n) if rng.random() < 0.7 else metric(rng, n)


def private(rng: Random, at: Near, alpha: Fraction, m: int) -> oracle.Matrix:
    """A table that is private, or nearly: a random one moved towards the uniform distribution."""
    table = stochastic(rng, at.size, m)
    even = distribution(rng, m, 0)
    for weight in (Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 16)):
        mixed = [[weight * x + (1 - weight) * e for x, e in zip(row, even, strict=True)] for row in table]
        if oracle.is_private(mixed, at.distances, alpha) or rng.random() < 0.2:
            return mixed
    return mixed


PARTS: list[tuple[str, Callable[[Fraction], Fraction]]] = [
    ("1/(1+a)", lambda a: 1 / (1 + a)),
    ("a/2", lambda a: a / 2),
    ("a", lambda a: a),
    ("1-a", lambda a: 1 - a),
    ("a^2", lambda a: a * a),
    ("(1-a)/2", lambda a: (1 - a) / 2),
    ("1/2", lambda a: Fraction(1, 2)),
    ("1/3", lambda a: Fraction(1, 3)),
    ("a/(1+a)", lambda a: a / (1 + a)),
]


def formulas(rng: Random, n: int, m: int) -> list[list[Any]]:
    """Rows of formulas in the level, stochastic at every level; at least one entry names the level."""
    table: list[list[Any]] = []
    for i in range(n):
        text, value = PARTS[0] if i == 0 else rng.choice(PARTS)
        row = [Formula(text, value), Formula(f"1-({text})", lambda a, f=value: 1 - f(a))]
        if m == 3:
            row = [Formula(f"({part})/2", lambda a, f=part.value: f(a) / 2) for part in row] + [Formula("1/2", lambda a: Fraction(1, 2))]
        rng.shuffle(row)
        table.append(row)
    return table


def regular_formulas(rng: Random, n: int) -> list[list[Any]]:
    """A square table of formulas, stochastic and not singular at every level."""
    (first, f), (second, g) = rng.choice([(PARTS[0], PARTS[8]), (PARTS[1], PARTS[2]), (PARTS[3], PARTS[5]), (PARTS[0], PARTS[7])])
    rows: list[list[Any]] = [[Formula(t, v), Formula(f"1-({t})", lambda a, v=v: 1 - v(a))] for t, v in ((first, f), (second, g))]
    if n == 3:
        rows = [[*row, Fraction(0)] for row in rows] + [[Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]]
    order = list(range(n))
    rng.shuffle(order)
    rng.shuffle(rows)
    return [[row[j] for j in order] for row in rows]


def at_level(table: list[list[Any]], alpha: Fraction) -> oracle.Matrix:
    return [[x.value(alpha) if isinstance(x, Formula) else x for x in row] for row in table]
