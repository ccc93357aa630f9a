# SPDX-License-Identifier: MIT
"""Section 2.1–2.2: the definitions of differential privacy, and the levels 0 and 1."""

from __future__ import annotations

from itertools import product

from exactdp.analysis import is_private, tightest_level
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.gupte_sundararajan.common import level, path, two_output_mechanisms
from exactdp.claims.record import Status
from exactdp.exact import QQ, Rational
from exactdp.mechanisms import identity, uniform
from exactdp.model import AdjacencyGraph, Mechanism, neighbours

__all__ = ["definition", "definition_2", "ends"]

GRID = [Rational(p, 6) for p in range(7)]


def as_printed(x: Rational, y: Rational, alpha: Rational) -> bool | None:
    """The printed inequality (1/α) x ≥ y ≥ α x; None where 1/α is undefined."""
    try:
        return (1 / alpha) * x >= y >= alpha * x
    except ZeroDivisionError:
        return None


def _wording() -> tuple[bool, bool]:
    """Whether the printed inequality is y ≥ αx and x ≥ αy wherever it is defined, and whether it is defined at α = 0."""
    pairs = list(product(GRID, repeat=2))
    agrees = all(as_printed(x, y, a) == (y >= a * x and x >= a * y) for a in GRID[1:] for x, y in pairs)
    return agrees, all(as_printed(x, y, QQ.zero) is not None for x, y in pairs)


def definition(printed: Printed) -> Finding:
    """The definition for databases: does the printed inequality mean something for every α in [0, 1]?"""
    agrees, defined = _wording()
    if not agrees:
        return Finding(Status.REFUTED, "the printed inequality differs from x ≥ αy, y ≥ αx at some α in (0, 1]")
    detail = "the printed (1/α)·x ≥ y ≥ α·x equals x ≥ αy and y ≥ αx for α > 0; at α = 0, which the text includes, 1/α is undefined"
    return Finding(Status.DEFINITION if defined else Status.IMPRECISE, detail)


def definition_2(printed: Printed) -> Finding:
    """Definition 2: the same inequality on the path; and is it the database definition for oblivious mechanisms?"""
    agrees, defined = _wording()
    for size in (1, 2, 3):
        cube = neighbours(f"hypercube:{size}")
        assert isinstance(cube, AdjacencyGraph)
        for a in (Rational("1/4"), Rational("1/2")):
            candidates = [m for b in (a, a / 2) for m in two_output_mechanisms(size, b)]
            agrees = agrees and all(_same(m, cube, size, a) for m in candidates)
    if not agrees:
        return Finding(Status.REFUTED, "Definition 2 differs from the database definition on some oblivious mechanism")
    detail = (
        "equal to the database definition on all oblivious mechanisms tried over {0,1}^n, n ≤ 3; at α = 0, which the text "
        "includes, 1/α is undefined"
    )
    return Finding(Status.DEFINITION if defined else Status.IMPRECISE, detail)


def _same(oblivious: Mechanism, cube: AdjacencyGraph, size: int, alpha: Rational) -> bool:
    """Whether the mechanism is private on the path if and only if the one it induces on databases is."""
    counts = [word.count("1") for word in cube.vertices]
    induced = Mechanism([oblivious.matrix.row(count) for count in counts], cube.vertices, oblivious.outputs)
    return is_private(oblivious, path(size), level(alpha)).proved == is_private(induced, cube, level(alpha)).proved


def ends(printed: Printed) -> Finding:
    """α = 0 constrains nothing; α = 1 forces identical rows (the definition read as x ≥ αy and y ≥ αx)."""
    zero = all(y >= QQ.zero * x and x >= QQ.zero * y for x, y in product(GRID, repeat=2))
    one = all((y >= QQ.one * x and x >= QQ.one * y) == (x == y) for x, y in product(GRID, repeat=2))
    constant, truthful = tightest_level(uniform(range(4)), path(3)), tightest_level(identity(range(4)), path(3))
    others = [tightest_level(m, path(2)).evidence for m in two_output_mechanisms(2, Rational("1/2"))]
    rows = all((e.tightest.ratio == 1) == (len(set(e.mechanism.rows())) == 1) for e in others)
    right = zero and one and rows and constant.evidence.tightest.ratio == 1 and truthful.evidence.tightest.ratio == 0
    detail = (
        "x ≥ 0·y holds for all x, y ≥ 0; x ≥ y and y ≥ x is x = y; a mechanism's level is 1 exactly when its rows are equal, "
        "on every one tried"
    )
    verdicts = {"level-of-uniform": constant, "level-of-identity": truthful}
    return Finding(Status.HOLDS if right else Status.REFUTED, detail, verdicts)
