# SPDX-License-Identifier: MIT
"""Gains g(i, r): what guessing r brings a consumer when the truth is i. To maximise a gain is to minimise the loss −g."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from exactdp.exact import ExactMatrix
from exactdp.model.labels import Label, Labels, grid_text
from exactdp.model.loss import Loss
from exactdp.model.stochastic import MatrixLike

__all__ = ["Gain"]


@dataclass(frozen=True, slots=True, init=False)
class Gain:
    """A gain g(i, r), to be maximised: the loss −g.

    Parameters
    ----------
    matrix, inputs, guesses, name
        As for :class:`Loss`.

    Examples
    --------
    >>> Gain([[1, 0], [0, 1]], name="hit").as_loss().matrix
    ExactMatrix([['-1', '0'], ['0', '-1']])
    """

    matrix: ExactMatrix
    inputs: Labels
    guesses: Labels
    name: str = field(compare=False)

    def __init__(
        self, matrix: MatrixLike, inputs: Iterable[Label] | None = None, guesses: Iterable[Label] | None = None, name: str = ""
    ) -> None:
        loss = Loss(matrix, inputs, guesses, name)
        for slot in ("matrix", "inputs", "guesses", "name"):
            object.__setattr__(self, slot, getattr(loss, slot))

    def aligned(self, inputs: Labels | None = None, guesses: Labels | None = None) -> Gain:
        """The same gain with rows and columns in the order of these labels (see :meth:`Loss.aligned`)."""
        loss = Loss(self.matrix, self.inputs, self.guesses).aligned(inputs, guesses)
        return Gain(loss.matrix, loss.inputs, loss.guesses, self.name)

    def as_loss(self) -> Loss:
        """The loss −g."""
        return Loss(-self.matrix, self.inputs, self.guesses, f"minus {self.name}" if self.name else "")

    def __str__(self) -> str:
        return grid_text(self.matrix, self.inputs, self.guesses)
