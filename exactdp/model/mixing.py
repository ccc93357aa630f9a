# SPDX-License-Identifier: MIT
"""A mechanism mixed with the uniform one, (1−λ)·M + λ·uniform, and the least λ for which that is private."""

from __future__ import annotations

from typing import Any

from exactdp.errors import DomainError
from exactdp.exact import ExactMatrix
from exactdp.model.graph import Neighbours
from exactdp.model.level import LevelLike, as_level
from exactdp.model.mechanism import Mechanism


def mixing_weight(mechanism: Mechanism, neighbours: Neighbours, level: LevelLike) -> Any:
    """The least λ that makes (1−λ)·M + λ·uniform private at the level; None if some α^d is not in the field.

    With m outputs the pair i, j and output r ask for (1−λ)(α^d x_jr − x_ir) ≤ λ(1 − α^d)/m.

    Examples
    --------
    >>> from exactdp import identity, neighbours
    >>> mixing_weight(identity(range(2)), neighbours("path:2"), "1/2")
    Rational('2/3')
    """
    level, mechanism = as_level(level), mechanism.aligned(neighbours.vertices)
    rows = list(mechanism.matrix.rows())
    share = mechanism.field.one / mechanism.n_outputs
    worst: Any = mechanism.field.zero
    for a, b, d in neighbours.pairs():
        try:
            power = level.power(d)
        except DomainError:
            return None
        room = (1 - power) * share
        for i, j in ((a, b), (b, a)):
            for x, y in zip(rows[i], rows[j], strict=True):
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
