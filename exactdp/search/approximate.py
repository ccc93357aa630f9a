# SPDX-License-Identifier: MIT
"""Make a private mechanism and a dual out of numbers that are neither: certified bounds when a search has to stop early.

* Primal: negative entries become 0, rows are scaled to sum 1, and then mixed with the mechanism that ignores its input, just enough
  for every privacy constraint.
* Dual: weights become a distribution on S (or the prior), edge multipliers stay, and each potential becomes the largest possible,
  μ_i = min_r (what is left of w_i l(i,r) after the edges).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactdp.exact import ExactMatrix
from exactdp.model import BayesianConsumer, Consumer, Dual, Mechanism, Neighbours, PrivacyLevel

__all__ = ["repaired_dual", "repaired_mechanism"]


def repaired_mechanism(neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, table: Sequence[Sequence[Any]] | None) -> Mechanism:
    """A private mechanism near a table of numbers (None: nothing is known).

    >>> from exactdp.model import AdjacencyGraph, Loss, MinimaxConsumer
    >>> graph = AdjacencyGraph.path(2)
    >>> consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    >>> repaired_mechanism(graph, PrivacyLevel("1/2"), consumer, ExactMatrix([[1, 0], [0, 1]]).rows())[0, 0]
    Rational('2/3')
    """
    n, k = consumer.loss.matrix.shape
    field = consumer.loss.matrix.field
    share = field.one / k
    rows = [[share] * k for _ in range(n)]
    for i, row in enumerate(table or []):
        clipped = [x if x > 0 else field.zero for x in row]
        total = sum(clipped, field.zero)
        if total:
            rows[i] = [x / total for x in clipped]
    mix = field.zero
    for i, j, distance in neighbours.pairs():
        a = level.power(distance)
        room = (1 - a) * share
        for x, y in zip(rows[i], rows[j], strict=True):
            worst = min(x - a * y, y - a * x)
            if worst < 0:
                mix = max(mix, worst / (worst - room))
    mixed = [[x + mix * (share - x) for x in row] for row in rows]
    return Mechanism(ExactMatrix(mixed, field), consumer.inputs, consumer.loss.guesses)


def repaired_dual(neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, near: Dual | None) -> Dual:
    """A dual of the graph rule near given numbers (None: nothing is known); it always proves something."""
    loss = consumer.loss.matrix
    (n, k), zero = loss.shape, loss.field.zero
    if isinstance(consumer, BayesianConsumer):
        weights = list(consumer.prior.weights)
    else:
        known = set(consumer.side_information.indices)
        weights = [w if i in known and w > 0 else zero for i, w in enumerate(near.weights)] if near else [zero] * n
        total = sum(weights, zero)
        weights = [w / total for w in weights] if total else [loss.field.one / len(known) if i in known else zero for i in range(n)]
    pairs = neighbours.pairs()
    edges = near.edges if near is not None and near.edges is not None else tuple((zero,) * k for _ in pairs)
    left = [[weights[i] * loss[i, r] for r in range(k)] for i in range(n)]
    for (i, j, distance), row in zip(pairs, edges, strict=True):
        a = level.power(distance)
        for r, u in enumerate(row):
            giver, taker, size = (i, j, u) if u > 0 else (j, i, -u)
            left[giver][r] = left[giver][r] - size
            left[taker][r] = left[taker][r] + a * size
    return Dual(tuple(weights), tuple(min(row) for row in left), edges)
