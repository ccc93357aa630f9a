# SPDX-License-Identifier: MIT
"""The dual of the optimal-mechanism problem: why no private mechanism does better.

For weights w on the inputs every α-private x has loss(x) ≥ Σ_i w_i Σ_r l(i,r) x_ir; the rest of the dual
bounds the right side from below. The three forms are those of SPEC.md §4.2:

* **path rule**: weights only (the least favourable prior); everything else is recomputed (docs/mathematics.md
  §1);
* **forest rule**: weights and potentials μ; a sweep over the tree decides (docs/mathematics.md §2);
* **graph rule**: weights, potentials and one signed multiplier for each constrained pair and guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.exact import entries_of


@dataclass(frozen=True, slots=True)
class Dual:
    """Multipliers of the optimal-mechanism problem, as numbers;
    :func:`exactdp.analysis.optimality.dual.dual_bound` checks them.

    Parameters
    ----------
    weights : tuple of scalars
        w_i ≥ 0, one per input, Σ w_i = 1, zero outside a minimax consumer's side information; a Bayesian
        consumer's prior.
    potentials : tuple of scalars, optional
        μ_i, one per input, the multiplier of "row i sums to 1".
    edges : tuple of tuples of scalars, optional
        One row per constrained pair {i, j}, i < j, in the order of ``neighbours.pairs()``, one column per guess r:
        u > 0 is the multiplier of x_ir − α^d x_jr ≥ 0, u < 0 says that −u is the multiplier of x_jr − α^d x_ir ≥ 0.
    """

    weights: tuple[Any, ...]
    potentials: tuple[Any, ...] | None = None
    edges: tuple[tuple[Any, ...], ...] | None = None

    def __post_init__(self) -> None:
        """Lists are kept as tuples; mappings and sets are refused, because a dual is in the order of the
        inputs.
        """
        for slot in ("weights", "potentials", "edges"):
            given = getattr(self, slot)
            if given is not None and not isinstance(given, tuple):
                object.__setattr__(self, slot, tuple(entries_of(given, f"{slot} of the dual")))
        if self.edges is not None and not all(isinstance(row, tuple) for row in self.edges):
            object.__setattr__(self, "edges", tuple(tuple(entries_of(row, "multipliers of an edge")) for row in self.edges))

    @property
    def rule(self) -> str:
        """Which of the three rules checks this dual: ``"path"``, ``"forest"`` or ``"graph"``."""
        if self.potentials is None:
            return "path"
        return "forest" if self.edges is None else "graph"
