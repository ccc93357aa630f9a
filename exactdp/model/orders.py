# SPDX-License-Identifier: MIT
"""Orders that questions about losses need: guesses by distance from the truth, labels by value, losses by rank."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from exactdp.exact import Rational
from exactdp.model.graph import AdjacencyGraph, Neighbours
from exactdp.model.labels import Labels, integer_labels, is_integer_label, position_of

__all__ = ["distance_keys", "increasing", "ranks_of"]


def distance_keys(inputs: Labels, guesses: Labels, neighbours: Neighbours | None) -> Iterable[list[Any]]:
    """For each input the guesses' distances, as sortable keys."""
    if neighbours is None:
        truths = integer_labels(inputs, purpose="monotonicity in |i − r|")
        answers = integer_labels(guesses, purpose="monotonicity in |i − r|")
        for i in truths:
            yield [abs(i - r) for r in answers]
        return
    rows = [position_of(label, neighbours.vertices, what="vertex") for label in inputs]
    columns = [position_of(label, neighbours.vertices, what="vertex") for label in guesses]
    metric = neighbours.metric() if isinstance(neighbours, AdjacencyGraph) else neighbours
    for i in rows:
        distances = [None if i == r else metric.between(i, r) for r in columns]
        zero = Rational(0)
        yield [(0, zero) if i == r else (2, zero) if d is None else (1, d.square) for r, d in zip(columns, distances, strict=True)]


def increasing(labels: Labels) -> bool:
    """Whether the labels are integers in increasing order."""
    if not all(map(is_integer_label, labels)):
        return False
    values = integer_labels(labels, purpose="an order")
    return all(a < b for a, b in pairwise(values))


def ranks_of(row: tuple[Any, ...]) -> list[int]:
    """Small integers in the same order as the entries."""
    order = sorted(range(len(row)), key=lambda r: row[r])
    ranks = [0] * len(row)
    for before, now in pairwise(order):
        ranks[now] = ranks[before] + int(row[before] < row[now])
    return ranks
