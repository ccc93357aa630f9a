# SPDX-License-Identifier: MIT
"""The problem of a consumer on a path, and what a finder proposes for it.

By docs/mathematics.md §1 some remap T of the geometric mechanism is optimal when the loss has single crossings, and a proof needs only
weights on the inputs (a least favourable prior).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from exactdp.model import Kind, Loss

__all__ = ["Kind", "PathProposal", "Progress", "loss_kind"]

Progress = Callable[[Any], None] | None


@dataclass(frozen=True, slots=True)
class PathProposal:
    """Weights on the inputs, and a remap as one sparse row {guess: weight} for each output of the geometric mechanism."""

    weights: tuple[Any, ...]
    remap: tuple[dict[int, Any], ...]


def loss_kind(n: int, loss: Loss) -> Kind:
    """Recognise |i−r|, (i−r)² and [i≠r] on inputs and guesses 0..n, whatever their labels.

    >>> loss_kind(2, Loss([[0, 1, 4], [1, 0, 1], [4, 1, 0]]))
    'squared'
    """
    if loss.kind is not None or loss.matrix.shape != (n + 1, n + 1):
        return loss.kind
    if n < 2:
        return "abs" if _is(n, loss, "abs") else None
    corner = loss[0, 2]
    kind: Kind = "abs" if corner == 2 else "squared" if corner == 4 else "zero-one" if corner == 1 else None
    return kind if kind and _is(n, loss, kind) else None


def _is(n: int, loss: Loss, kind: Kind) -> bool:
    value: dict[Kind, Callable[[int], int]] = {"abs": abs, "squared": lambda d: d * d, "zero-one": bool}
    wanted = [int(value[kind](d)) for d in range(n + 1)]
    return all(x == wanted[abs(i - r)] for i, row in enumerate(loss.matrix.rows()) for r, x in enumerate(row))
