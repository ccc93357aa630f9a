# SPDX-License-Identifier: MIT
"""A mechanism on a path as what a consumer makes of the geometric one: G(n, α)·T with a sparse remap T.

On thousands of inputs the product is far too large to be written out, and T has a handful of entries a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.exact import ExactMatrix
from exactdp.model.labels import Labels
from exactdp.model.level import PrivacyLevel
from exactdp.model.stochastic import Mechanism, Remap

__all__ = ["FactoredMechanism"]


@dataclass(frozen=True, slots=True)
class FactoredMechanism:
    """G(n, α)·T on the inputs of a path.

    Parameters
    ----------
    level : PrivacyLevel
        α; the mechanism is α-private on the path because G is and post-processing keeps privacy.
    inputs, guesses : tuple of str
        Row and column labels; n + 1 inputs.
    rows : tuple of dict
        For each output of G the guesses (by number) and their weights.
    """

    level: PrivacyLevel
    inputs: Labels
    guesses: Labels
    rows: tuple[dict[int, Any], ...]

    @property
    def is_deterministic(self) -> bool:
        """Whether T is a function."""
        return all(len(row) == 1 for row in self.rows)

    def remap(self) -> Remap:
        """T, written out; its outputs carry the labels of the inputs."""
        zero = self.level.alpha - self.level.alpha
        table = [[row.get(r, zero) for r in range(len(self.guesses))] for row in self.rows]
        return Remap(ExactMatrix(table, zero.field), self.inputs, self.guesses)

    def multiplied_by(self, geometric: ExactMatrix) -> Mechanism:
        """The mechanism, written out, given G(n, α)."""
        return Mechanism(geometric @ self.remap().matrix, self.inputs, self.guesses)
