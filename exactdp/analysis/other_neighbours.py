# SPDX-License-Identifier: MIT
"""What an audit would say of the same table under the other usual choices of neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from math import prod
from typing import Any

from exactdp.analysis.approximate import is_approximately_private
from exactdp.analysis.epsilon import keeps_epsilon
from exactdp.analysis.privacy import tightest_level
from exactdp.analysis.privacy_claim import PrivacyClaim
from exactdp.errors import ExactDPError
from exactdp.exact import QQ, ExponentialField, Rational
from exactdp.model import Graph, Mechanism, Neighbours, PrivacyLevel, TightestLevel
from exactdp.model.epsilon import Epsilon
from exactdp.model.labels import Labels, integer_labels, is_integer_label
from exactdp.model.neighbours import neighbours
from exactdp.model.printed import PrintedTable
from exactdp.runtime.values import dataclass

MOST_INPUTS, MOST_PRINTED = 64, 12
"""Of more inputs a claim with δ > 0, or a printed table, is not judged once more."""

MOST_ENTRIES, MOST_IRRATIONAL = 250_000, 2_500
"""A larger table is not judged once more: of any numbers, and of those of an ε."""


@dataclass(frozen=True, slots=True)
class OtherNeighbours:
    """What the same table is under another usual choice of neighbours.

    Attributes
    ----------
    family : str
        *path* or *complete*; of a grid also *euclid*: its points at their Euclidean distances.
    smallest, largest : Epsilon
        The smallest ε; for a printed table both ends of it, else the same twice.
    holds : bool or None
        Whether the claim holds there; None without a claim, or where it is not decided.
    """

    family: str
    smallest: Epsilon
    largest: Epsilon
    holds: bool | None


def other_neighbours(
    judged: Mechanism, moved: Mechanism | None, near: Neighbours, claim: PrivacyClaim | None, level: PrivacyLevel | TightestLevel | None
) -> tuple[OtherNeighbours, ...]:
    """The other usual choices for a table: inputs next to each other in their order, and every two inputs.

    * ``judged``, ``moved``: what is judged; and the same over a field that has the claimed level.
    * ``near``: the choice that was made.
    * ``claim``: what is claimed.
    * ``level``: the claimed level.

    >>> from exactdp import geometric, neighbours
    >>> m = geometric(3, "1/2")
    >>> [(x.family, str(x.smallest)) for x in other_neighbours(m, None, neighbours("path:4"), None, None)]
    [('complete', 'ln(8)')]
    """
    told: list[OtherNeighbours] = []
    if judged.field != QQ and not isinstance(judged.field, ExponentialField):
        return ()
    if len(judged.inputs) * len(judged.outputs) > (MOST_ENTRIES if judged.field == QQ else MOST_IRRATIONAL):
        return ()
    for family, graph in _choices(near, judged.inputs):
        ratio = _ratio(judged, family)
        epsilon = Epsilon.of_level(ratio)
        told.append(OtherNeighbours(family, epsilon, epsilon, _kept(moved, graph, ratio, claim, level)))
    euclidean = _at_distances(judged, near, claim)
    return tuple(told) if euclidean is None else (*told, euclidean)


def _at_distances(judged: Mechanism, near: Neighbours, claim: PrivacyClaim | None) -> OtherNeighbours | None:
    """What a table on a grid is at Euclidean distances, where the factor e^ε is for each unit of distance."""
    named = re.fullmatch(r"grid:([0-9]+(?:x[0-9]+)+)", str(near))
    sides = _sides(judged.inputs) if named is None else named[1]
    if judged.field != QQ or not sides or str(near).startswith("euclid:") or set(judged.inputs) != set(near.vertices):
        return None
    if len(judged.inputs) ** 2 * len(judged.outputs) > MOST_ENTRIES:
        return None
    metric = neighbours(f"euclid:{sides}")
    epsilon = tightest_level(judged, metric).evidence.tightest.epsilon
    holds: bool | None = None
    if claim is not None and claim.delta == 0:
        claimed = claim.epsilon if claim.alpha is None else claim.level.as_tightest().epsilon
        try:
            holds = bool(epsilon <= claimed)
        except ExactDPError:
            holds = None
    return OtherNeighbours("euclid", epsilon, epsilon, holds)


def _sides(inputs: Labels) -> str:
    """The sides of the grid whose points are the labels of a table, such as 4x4; empty if they are none."""
    points = set()
    for label in inputs:
        parts = str(label).split(",")
        if len(parts) < 2 or not all(part.isascii() and part.isdigit() for part in parts):
            return ""
        points.add(tuple(map(int, parts)))
    if len(points) < len(inputs) or len(set(map(len, points))) != 1:
        return ""
    sides = [max(places) + 1 for places in zip(*points, strict=True)]
    return "x".join(map(str, sides)) if 1 < len(points) == prod(sides) else ""


def _choices(near: Neighbours, inputs: Labels) -> Iterator[tuple[str, Graph]]:
    """The usual choices that were not made; an order only where the inputs have one."""
    chosen = {(i, j) for i, j, _ in near.pairs()}
    usual = (("path", _count_up(inputs)), ("complete", True))
    for family, is_usual in usual:
        if is_usual and len(inputs) > 2:
            graph = Graph.path(inputs) if family == "path" else Graph.complete(inputs)
            if set(graph.edges) != chosen:
                yield family, graph


def _count_up(inputs: Labels) -> bool:
    """Whether the labels are integers, each one more than the one before."""
    if not all(map(is_integer_label, inputs)):
        return False
    values = integer_labels(inputs, purpose="an order")
    return all(b - a == 1 for a, b in pairwise(values))


def _ratio(judged: Mechanism, family: str) -> Any:
    """The least quotient of two numbers of a column, for inputs next to each other or for every two."""
    least: Any = Rational(1)
    for column in zip(*judged.matrix.rows(), strict=True):
        for low, high in _extremes(column) if family == "complete" else map(_extreme, pairwise(column)):
            if high != 0 and low < least * high:
                least = low / high
    return least


def _extremes(column: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    low = high = column[0]
    for x in column[1:]:
        low = x if x < low else low
        high = x if x > high else high
    yield low, high


def _extreme(pair: tuple[Any, Any]) -> tuple[Any, Any]:
    x, y = pair
    return (x, y) if x <= y else (y, x)


def _kept(
    moved: Mechanism | None, graph: Graph, ratio: Any, claim: PrivacyClaim | None, level: PrivacyLevel | TightestLevel | None
) -> bool | None:
    """Whether the claim holds of these neighbours."""
    if claim is None:
        return None
    if claim.delta > 0:
        if moved is None or level is None or len(graph.vertices) > MOST_INPUTS:
            return None
        return is_approximately_private(moved, graph, level, claim.delta).proved
    try:
        return TightestLevel(ratio).compare(claim.alpha) >= 0 if claim.alpha is not None else keeps_epsilon(ratio, claim.epsilon)
    except ExactDPError:
        return None


def others_as_printed(printed: PrintedTable, near: Neighbours, claim: PrivacyClaim | None = None) -> tuple[OtherNeighbours, ...]:
    """The same for all tables that print so: a claim without δ holds if all keep it, fails if none does."""
    if len(printed.inputs) > MOST_PRINTED:
        return ()
    from exactdp.analysis.printed.epsilon_ends import privacy_as_printed  # with linear programs: of printed tables only

    told = []
    for family, graph in _choices(near, printed.inputs):
        e = privacy_as_printed(printed, graph).evidence
        holds: bool | None = None
        if claim is not None and claim.delta == 0:
            with suppress(ExactDPError):
                holds = True if e.largest.tightest >= claim.level else False if e.smallest.bound < claim.level else None
        told.append(OtherNeighbours(family, e.smallest.bound.epsilon, e.largest.tightest.epsilon, holds))
    return tuple(told)
