# SPDX-License-Identifier: MIT
"""How two tables differ, and the least mixture with the uniform mechanism that makes one private."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.errors import DomainError
from exactdp.exact import ExactMatrix
from exactdp.model import LevelLike, Mechanism, Neighbours, Table, as_level

__all__ = ["Difference", "law_difference", "mixed_with_uniform", "mixing_weight"]


@dataclass(frozen=True, slots=True)
class Difference:
    """An input and an output whose probabilities differ most between two tables with the same labels."""

    input: int
    output: int
    first: Any
    second: Any


def law_difference(first: Table | Mechanism, second: Table | Mechanism) -> Difference | None:
    """Where do two tables differ most? None if they are equal: the one is what the other is sold as.

    Examples
    --------
    >>> from exactdp import geometric
    >>> d = law_difference(geometric(2, "1/2"), geometric(2, "1/3"))
    >>> d.input, d.output, d.first, d.second
    (1, 1, Rational('1/3'), Rational('1/2'))
    >>> law_difference(geometric(2, "1/2"), geometric(2, "1/2")) is None
    True
    """
    second = second.aligned(first.inputs, first.outputs)
    found: Difference | None = None
    most: Any = None
    for i, (row, other) in enumerate(zip(first.matrix.rows(), second.matrix.rows(), strict=True)):
        for r, (x, y) in enumerate(zip(row, other, strict=True)):
            gap = abs(x - y)
            if gap > 0 and (most is None or gap > most):
                found, most = Difference(i, r, x, y), gap
    return found


def mixing_weight(mechanism: Mechanism, neighbours: Neighbours, level: LevelLike) -> Any:
    """The least λ for which (1−λ)·M + λ·uniform is private at the level; 0 if M is, None when a power α^d is not in the field.

    With m outputs the pair i, j and output r ask for (1−λ)(α^d x_jr − x_ir) ≤ λ(1 − α^d)/m.

    Examples
    --------
    >>> from exactdp import identity, neighbours
    >>> mixing_weight(identity(range(2)), neighbours("path:2"), "1/2")
    Rational('2/3')
    """
    level, mechanism = as_level(level), mechanism.aligned(neighbours.vertices)
    share = mechanism.field.one / mechanism.n_outputs
    worst: Any = mechanism.field.zero
    for a, b, d in neighbours.pairs():
        try:
            power = level.power(d)
        except DomainError:
            return None
        room = (1 - power) * share
        for i, j in ((a, b), (b, a)):
            for x, y in zip(mechanism.matrix.row(i), mechanism.matrix.row(j), strict=True):
                lack = power * y - x
                if lack > 0:
                    weight = lack / (lack + room)
                    worst = weight if weight > worst else worst
    return worst


def mixed_with_uniform(mechanism: Mechanism, weight: Any) -> Mechanism:
    """(1 − λ)·M + λ·uniform.

    >>> from exactdp import identity
    >>> mixed_with_uniform(identity(range(2)), identity(range(2))[0, 0] / 2).matrix
    ExactMatrix([['3/4', '1/4'], ['1/4', '3/4']])
    """
    share = weight / mechanism.n_outputs
    rows = [[(1 - weight) * x + share for x in row] for row in mechanism.rows()]
    return Mechanism(ExactMatrix(rows), mechanism.inputs, mechanism.outputs)
