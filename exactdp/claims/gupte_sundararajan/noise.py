# SPDX-License-Identifier: MIT
"""Definitions 1 and 4, Figure 1, Table 2: the geometric mechanism, unbounded and range-restricted."""

from __future__ import annotations

from exactdp.analysis import is_derivable, tightest_level
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.gupte_sundararajan.common import LEVELS, definition_4, path
from exactdp.claims.record import Status
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.mechanisms import GeometricNoise, geometric, geometric_prime, lumped_geometric
from exactdp.model import Mechanism

__all__ = ["definition_1", "figure_1", "range_restricted", "ratios", "table_2"]


def definition_1(printed: Printed) -> Finding:
    """Do the printed masses sum to 1? Σ_{|z| ≤ m} is 1 − 2α^(m+1)/(1+α), which tends to 1 for 0 < α < 1 (and is 0 at α = 1)."""
    right = True
    for text in LEVELS:
        a, noise = Rational(text), GeometricNoise(text)
        total = QQ.zero
        for m in range(6):
            total += (1 - a) / (1 + a) * a**m * (1 if m == 0 else 2)
            right = right and total == 1 - 2 * a ** (m + 1) / (1 + a)
            right = right and noise.mass(m) == noise.mass(-m) == (1 - a) / (1 + a) * a**m
    detail = "the masses with |z| ≤ m sum to 1 − 2α^(m+1)/(1+α), checked for m ≤ 5: a law for 0 < α < 1 (α = 1 gives all masses 0, no law)"
    return Finding(Status.DEFINITION if right else Status.REFUTED, detail)


def figure_1(printed: Printed) -> Finding:
    """Are the probabilities for α = 1/5 and the query result 5 (2/3)(1/5)^|k| ?"""
    noise = GeometricNoise("1/5")
    right = all(noise.mass(k) == Rational("2/3") * Rational("1/5") ** abs(k) for k in range(-20, 21))
    verdict = tightest_level(lumped_geometric(10, "1/5"), path(10))
    detail = f"P(5 + k) = 2/3 · (1/5)^|k| for |k| ≤ 20; the peak is {noise.mass(0)}"
    return Finding(Status.CERTIFIED if right else Status.REFUTED, detail, {"figure-1-level": verdict})


def ratios(printed: Printed) -> Finding:
    """Is the unbounded geometric mechanism α-private, all quotients of adjacent entries being α or 1/α?"""
    right = True
    for text in LEVELS:
        a = Rational(text)
        for n in range(1, 7):
            matrix = lumped_geometric(n, a).matrix
            right = right and all(matrix[i, r] / matrix[i + 1, r] in (a, 1 / a) for i in range(n) for r in range(n + 3))
    verdict = tightest_level(lumped_geometric(3, "1/4"), path(3))
    right = right and verdict.evidence.tightest.ratio == Rational("1/4")
    detail = "every quotient x_ir/x_(i+1)r is α or 1/α, on all integers r (the tails lumped exactly), for n ≤ 6 and seven levels"
    return Finding(Status.HOLDS if right else Status.REFUTED, detail, {"unbounded-geometric-level": verdict})


def range_restricted(printed: Printed) -> Finding:
    """Definition 4: is it a mechanism, private at no level above α, and equivalent to the unbounded one by remaps both ways?"""
    right = True
    for text in LEVELS:
        for n in range(1, 6):
            right = right and Mechanism(definition_4(n, Rational(text))) == geometric(n, text)
            right = right and tightest_level(geometric(n, text), path(n)).evidence.tightest.ratio == Rational(text)
            right = right and is_derivable(geometric(n, text), source=lumped_geometric(n, text)).proved
            right = right and is_derivable(lumped_geometric(n, text), source=geometric(n, text)).proved
    G, unbounded = geometric(3, "1/4"), lumped_geometric(3, "1/4")
    verdicts = {
        "restricted-from-unbounded": is_derivable(G, source=unbounded),
        "unbounded-from-restricted": is_derivable(unbounded, source=G),
    }
    lonely = definition_4(0, Rational("1/2"))[0, 0]
    detail = (
        "a mechanism of level α for 1 ≤ n ≤ 5, derivable from the unbounded one and conversely; for n = 0 the printed probability is "
        f"1/(1+α), e.g. {lonely}, not 1"
    )
    return Finding(Status.HOLDS if right else Status.REFUTED, detail, verdicts)


def table_2(printed: Printed) -> Finding:
    """Is G′ obtained from G by the printed factors, and does the printed size agree with Definition 4 and Table 1(b)?"""
    identity = True
    for text in LEVELS:
        a = Rational(text)
        for n in range(1, 8):
            factors = [1 + a if j in (0, n) else (1 + a) / (1 - a) for j in range(n + 1)]
            scaled = ExactMatrix([[x * f for x, f in zip(row, factors, strict=True)] for row in geometric(n, a).rows()])
            identity = identity and scaled == geometric_prime(n, a)
    rows = printed.table("table-1b").shape[0]
    same_size = rows == 3  # Table 2's G_{n,α} ends in α^(n−1): n rows
    detail = (
        "with m rows the factors are right for 2 ≤ m ≤ 8; but Table 2's G_(n,α) has n rows (corner α^(n−1)), Table 1's "
        f"G_(3,1/4) has {rows}"
    )
    status = Status.REFUTED if not identity else Status.CERTIFIED if same_size else Status.IMPRECISE
    return Finding(status, detail)
