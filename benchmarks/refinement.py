# SPDX-License-Identifier: MIT
"""Questions of refinement for the benchmark: can B be computed from A's output? Random channels of a given
shape and rank.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction

__all__ = ["REFINEMENTS", "Refinement"]

Rows = list[list[Fraction]]
NEAR = Fraction(1, 10**12)


@dataclass(frozen=True, slots=True)
class Refinement:
    """One question A ⊑ B; A has ``inputs`` rows, ``outputs`` columns and the given rank.

    ``kind`` is *yes* (B = A·R), *random* (A and B are not related), *signed* (B = A·Q, Q has
    sums 1 and entries −1/200) or *near* (B = A·Q, Q has entries −10⁻¹² where R has 0).
    """

    inputs: int
    outputs: int
    rank: int
    kind: str
    seed: int = 1
    peers: tuple[str, ...] = field(default=("qif", "qif-rational"))

    @property
    def size(self) -> int:
        """For the choice of small instances."""
        return max(self.inputs, self.outputs)

    @property
    def beyond_doubles(self) -> bool:
        """Whether a program that computes in doubles may be wrong without being at fault."""
        return self.kind in {"signed", "near"}

    @property
    def name(self) -> str:
        """How the tables call it."""
        return f"{self.inputs}×{self.outputs} rank {self.rank} {self.kind}"

    def channels(self) -> tuple[Rows, Rows]:
        """A and B."""
        rng = random.Random(f"{self.name} {self.seed}")
        A = _channel(rng, self.rank, self.outputs, 40)
        if self.rank < self.inputs:
            A = _times(_channel(rng, self.inputs, self.rank, 6), A)
        if self.kind == "random":
            return A, _channel(rng, self.inputs, self.outputs, 40)
        R = _channel(rng, self.outputs, self.outputs, 6)
        while self.kind != "yes":
            Q = _moved(rng, R, Fraction(1, 200) if self.kind == "signed" else NEAR)
            B = _times(A, Q)
            if min(map(min, B)) >= 0:
                return A, B
        return A, _times(A, R)


def _channel(rng: random.Random, inputs: int, outputs: int, total: int) -> Rows:
    rows = []
    for _ in range(inputs):
        counts = [0] * outputs
        for _ in range(total):
            counts[rng.randrange(outputs)] += 1
        rows.append([Fraction(c, total) for c in counts])
    return rows


def _moved(rng: random.Random, R: Rows, step: Fraction) -> Rows:
    """R with two rows in which a zero is now −step."""
    Q = [list(row) for row in R]
    for row in rng.sample(Q, 2):
        j, k = rng.choice([c for c, x in enumerate(row) if x]), rng.choice([c for c, x in enumerate(row) if not x])
        row[j] += step
        row[k] -= step
    return Q


def _times(A: Rows, B: Rows) -> Rows:
    columns = list(zip(*B, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True) if a and b), Fraction(0)) for column in columns] for row in A]


SHAPES = [(5, 8, 5), (10, 10, 5), (30, 10, 10), (10, 30, 10), (20, 30, 20), (30, 30, 15), (30, 30, 22), (30, 30, 29), (50, 50, 50)]

REFINEMENTS = [Refinement(n, m, rank, kind) for n, m, rank in SHAPES for kind in ("yes", "random", "signed", "near")]
