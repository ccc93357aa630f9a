# SPDX-License-Identifier: MIT
"""The Laplace distribution and mechanism, on integer grids over ℚ(e^(−x)), and subset-sum queries."""

from __future__ import annotations

from itertools import combinations, product

from exactdp.analysis import is_private, tightest_level
from exactdp.analysis.composition import sequential_level
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.record import Status
from exactdp.exact import ExponentialField, Rational
from exactdp.mechanisms.additive import censored, lumped
from exactdp.mechanisms.laplace import RoundedLaplaceNoise
from exactdp.model import AdjacencyGraph, PrivacyLevel

__all__ = ["distribution", "error_of_many", "lower_bounds", "mean", "mechanism", "privacy", "sensitivity"]

RATES = ("1/10", "1/2", "1", "2")
"""Values of ε (and of 1/b) that are tried."""


def distribution(printed: Printed) -> Finding:
    """p(x|b) = e^(−|x|/b)/(2b): total mass 1, tails e^(−t), mean of |Y| enclosed."""
    for rate in RATES:
        t = ExponentialField(Rational(rate)).gen  # e^(−s), s = rate: the ratio of the masses of consecutive cells of width s·b
        noise = RoundedLaplaceNoise(t)  # rounding to multiples of 2s·b
        total = noise.lower_tail(-4) + sum((noise.mass(z) for z in range(-3, 4)), t - t) + noise.upper_tail(4)
        tails = all(2 * noise.upper_tail(k) == t ** (2 * k - 1) for k in range(1, 5))
        s = Rational(rate)
        below, above = s * t / (1 - t), s / (1 - t)  # lower and upper sums of ∫ x e^(−x) dx over cells of width s
        if not (total == 1 and tails and below < 1 < above):
            return Finding(Status.REFUTED, f"the law of the rounded variable is wrong at rate {rate}")
    detail = "rounded to grids of four widths: total mass 1, P(|Y| ≥ kb·s) = e^(−ks), and E|Y|/b between sums that enclose 1"
    return Finding(Status.HOLDS, detail)


def mechanism(printed: Printed) -> Finding:
    """Q(D) + (Y_1, …, Y_k) with Y_i ~ Lap(Δ/ε)."""
    return Finding(Status.DEFINITION, "a definition; Δ = GS(Q) must be positive, since Lap(0) is undefined")


def privacy(printed: Printed) -> Finding:
    """The Laplace mechanism is (ε, 0)-private: on grids, with its tightest level, and for two coordinates."""
    for rate in RATES:
        t = ExponentialField(Rational(rate), unit=2).gen
        for n in (2, 4):
            m = lumped(RoundedLaplaceNoise(t), range(n + 1), -2, n + 2)
            path = AdjacencyGraph(m.inputs, [(i, i + 1) for i in range(n)], name=f"path:{n + 1}")
            if tightest_level(m, path).evidence.tightest.ratio != t**2:
                return Finding(Status.REFUTED, f"the tightest level on the grid is not e^(−{rate})")
    t = ExponentialField(1, unit=2).gen
    path = AdjacencyGraph.path(5)
    clamped = censored(RoundedLaplaceNoise(t), range(5), 0, 4)
    half = ExponentialField(1, unit=4).gen  # Lap(2/ε) in each of two coordinates, both moved by 1: Δ = 2
    coordinate = lumped(RoundedLaplaceNoise(half), range(3), -1, 3)
    near = AdjacencyGraph.path(3)
    both = sequential_level([coordinate, coordinate], near)
    private = is_private(clamped, path, PrivacyLevel(t**2))
    if private.refuted or both.evidence.ratio != half**4:
        return Finding(Status.REFUTED, "a rounded instance is not e^(−ε)-private, or two coordinates together are not")
    detail = "rounded to integers (a post-processing) the tightest level is e^(−ε) exactly, for one query and for two with Δ = 2"
    return Finding(Status.HOLDS, detail, {"rounded-laplace-private": private, "two-coordinates": both})


def mean(printed: Printed) -> Finding:
    """E[Lap(1/ε)] = 1/ε is printed without the absolute value."""
    t = ExponentialField(1, unit=2).gen
    noise = RoundedLaplaceNoise(t)
    symmetric = all(noise.mass(z) == noise.mass(-z) for z in range(1, 9))
    if not symmetric:
        return Finding(Status.CERTIFIED, "the law is not symmetric")
    detail = "the law is symmetric (equal masses at z and −z), so its mean is 0, not 1/ε; E|Y| = 1/ε"
    return Finding(Status.REFUTED, detail)


def _joint_sensitivity(subsets: tuple[tuple[int, ...], ...], size: int) -> int:
    """Max over databases in {0,1}^size that differ in one entry of the L1 distance of the answers."""
    most = 0
    for database in product((0, 1), repeat=size):
        for k in range(size):
            other = tuple(1 - x if j == k else x for j, x in enumerate(database))
            most = max(most, sum(abs(sum(database[j] for j in s) - sum(other[j] for j in s)) for s in subsets))
    return most


def sensitivity(printed: Printed) -> Finding:
    """A subset-sum query has sensitivity 1; any k of them jointly have sensitivity k."""
    subsets = [s for size in range(4) for s in combinations(range(3), size)]
    single = {s: _joint_sensitivity((s,), 3) for s in subsets}
    pairs = {p: _joint_sensitivity(p, 3) for p in combinations(subsets, 2)}
    if any(value > 2 for value in pairs.values()) or any(value > 1 for value in single.values()):
        return Finding(Status.REFUTED, "even the upper bound k fails")
    disjoint = pairs[(0,), (1,)]
    if single[()] == 1 and all(value == 2 for value in pairs.values()):
        return Finding(Status.CERTIFIED, "all pairs of subset sums on three people have joint sensitivity 2")
    detail = (
        f"the sums over {{1}} and {{2}} have joint sensitivity {disjoint}, not 2; at most k always, and k when one "
        f"person is in all k subsets"
    )
    return Finding(Status.REFUTED, detail)


def error_of_many(printed: Printed) -> Finding:
    """K subset-sum queries with error o(k/ε)?"""
    ratios = []
    for k in (1, 10, 1000):
        t = ExponentialField(Rational("1/2")).gen
        ratios.append((k, t / (1 - t) / 2))  # a lower sum of E|Lap(k/ε)| over k/ε: the same for every k
    if all(low > Rational("3/4") for _, low in ratios):
        detail = "E|Lap(k/ε)| = k/ε: the error over k/ε is above 3/4 (a lower sum over cells of width 1/2) for every k, so it is not o(k/ε)"
        return Finding(Status.REFUTED, detail)
    return Finding(Status.OPEN, "the lower sums are too coarse")


def lower_bounds(printed: Printed) -> Finding:
    """The recalled lower bounds for blatant non-privacy."""
    return Finding(Status.OUTSIDE, "an asymptotic statement recalled from another lecture, without a proof to check")
