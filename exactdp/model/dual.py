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

from collections.abc import Sequence
from typing import Any

import attrs

from exactdp.exact import entries_of


def _tuple(given: Any, what: str) -> Any:
    """A list as a tuple; mappings and sets are refused, because a dual is in the order of the inputs."""
    return given if given is None or isinstance(given, tuple) else tuple(entries_of(given, what))


@attrs.frozen(init=False)
class Dual:
    """Multipliers of the optimal-mechanism problem, for :func:`exactdp.analysis.optimality.dual.dual_bound`.

    Parameters
    ----------
    weights : tuple of scalars
        w_i ≥ 0, one per input, Σ w_i = 1, zero outside a minimax consumer's side information; a Bayesian
        consumer's prior.
    potentials : tuple of scalars, optional
        μ_i, one per input, the multiplier of "row i sums to 1".
    edges : tuple of tuples of scalars, optional
        One row per constrained pair {i, j}, i < j, in the order of ``neighbours.pairs()``, one column per
        guess r: u > 0 is the multiplier of x_ir − α^d x_jr ≥ 0, u < 0 says that −u is the one of
        x_jr − α^d x_ir ≥ 0.
    """

    weights: tuple[Any, ...]
    potentials: tuple[Any, ...] | None
    edges: tuple[tuple[Any, ...], ...] | None

    def __init__(
        self,
        weights: Sequence[Any],
        potentials: Sequence[Any] | None = None,
        edges: Sequence[Sequence[Any]] | None = None,
    ) -> None:
        rows = _tuple(edges, "edges of the dual")
        rows = rows and tuple(_tuple(row, "multipliers of an edge") for row in rows)
        self.__attrs_init__(_tuple(weights, "weights of the dual"), _tuple(potentials, "potentials of the dual"), rows)

    @property
    def rule(self) -> str:
        """Which of the three rules checks this dual: ``"path"``, ``"forest"`` or ``"graph"``."""
        if self.potentials is None:
            return "path"
        return "forest" if self.edges is None else "graph"
