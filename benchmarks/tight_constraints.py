# SPDX-License-Identifier: MIT
"""The paper's case studies: exactdp's decision and threshold beside libqif's (floats), with how far the
latter is off.

Usage: python benchmarks/tight_constraints.py [sum:u=150,v=5 counts:u=30,k=2 …]
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import exactdp as xdp
from exactdp.exact import ExponentialField
from exactdp.model import PrivacyLevel
from exactdp.model.constraint_matrix import ConstraintMatrix

STEPS = 34


def libqif(classes: tuple[tuple[int, ...], ...], epsilon: float) -> bool:
    """Whether libqif returns a mechanism (it returns an empty matrix otherwise)."""
    import numpy as np
    import qif

    found = qif.mechanism.d_privacy.tight_constraints(len(classes), lambda i, j: epsilon * classes[i][j])
    return bool(np.array(found).size)


def timed(question: Callable[[], Any]) -> tuple[Any, float]:
    """The answer, and the seconds that it took."""
    start = time.perf_counter()
    answer = question()
    return answer, time.perf_counter() - start


def main(specs: list[str]) -> None:
    """Print a few lines for each graph."""
    for spec in specs:
        graph = xdp.neighbours(spec)
        classes = ConstraintMatrix.of(graph).classes
        yes, seconds = timed(lambda graph=graph: xdp.tight_mechanism(graph, "3/8"))
        print(f"{spec}: at level 3/8 {yes.decision.value} in {seconds:.1f} s")
        level = PrivacyLevel(ExponentialField(1).gen)
        yes, seconds = timed(lambda graph=graph, level=level: xdp.tight_mechanism(graph, level))
        print(f"{spec}: at epsilon 1 {yes.decision.value} in {seconds:.1f} s")
        edge, seconds = timed(lambda graph=graph: xdp.tight_threshold(graph, 15))
        low = edge.evidence.low.level.alpha
        exact = -math.log(float(low))
        print(f"{spec}: threshold between {low} and 10^-15 more (epsilon {exact:.12f}) in {seconds:.1f} s")
        try:
            lower, upper = exact / 2, 2 * exact
            for _ in range(STEPS):
                middle = (lower + upper) / 2
                lower, upper = (lower, middle) if libqif(classes, middle) else (middle, upper)
            print(f"{spec}: libqif changes its answer at epsilon {upper:.12f}, off by {upper - exact:.1e}")
        except ImportError:
            print("libqif (pip install qif) is not installed")


if __name__ == "__main__":
    main(sys.argv[1:] or ["sum:u=150,v=5", "counts:u=30,k=2"])
