# SPDX-License-Identifier: MIT
"""Definitions: differential privacy, Laplacian and geometric noise, utility, counting queries."""

from __future__ import annotations

from itertools import product

from exactdp.analysis import best_remap, tightest_level
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.record import Status
from exactdp.exact import QQ, ExactMatrix, Rational, RationalFunctionField
from exactdp.mechanisms import geometric
from exactdp.mechanisms.additive import censored
from exactdp.mechanisms.laplace import RoundedLaplaceNoise
from exactdp.mechanisms.noise import GeometricNoise
from exactdp.model import AdjacencyGraph, BayesianConsumer, Gain, Mechanism, Prior

__all__ = ["counting_query", "geometric_noise", "laplacian_noise", "privacy", "utility"]


def privacy(printed: Printed) -> Finding:
    """p(z|x1) ≤ e^ε p(z|x2) for adjacent x1, x2: the same as the ratio test of tightest_level, on a grid of mechanisms."""
    grid = [Rational(k, 4) for k in range(5)]
    path = AdjacencyGraph.path(2)
    for p, q in product(grid, repeat=2):
        m = Mechanism([[p, 1 - p], [q, 1 - q]])
        level = tightest_level(m, path).evidence.tightest.ratio
        for alpha in (Rational("1/4"), Rational("1/2"), Rational("3/4")):
            as_printed = all(alpha * x <= y and alpha * y <= x for x, y in ((p, q), (1 - p, 1 - q)))
            if as_printed != (level >= alpha):
                return Finding(Status.REFUTED, f"the definition differs from the tightest level at {p}, {q}, {alpha}")
    return Finding(Status.DEFINITION, "equal to the ratio test on all two-input mechanisms with entries in quarters, at three levels")


def laplacian_noise(printed: Printed) -> Finding:
    """c·e^(−|z−y|ε/Δf) with c = ε/(2Δf): the law after rounding sums to 1 for every level."""
    t = RationalFunctionField().gen
    noise = RoundedLaplaceNoise(t)
    total = noise.lower_tail(-3) + sum((noise.mass(z) for z in range(-2, 3)), t - t) + noise.upper_tail(3)
    return Finding(
        Status.DEFINITION if total == 1 else Status.REFUTED, "rounded to integers the total mass is 1, identically in e^(−ε/(2Δf))"
    )


def geometric_noise(printed: Printed) -> Finding:
    """p(z|y) = c·α^|z−y|, α = e^(−ε/Δf), c = (1−α)/(1+α): a law for every α, and ε-private for sensitivity Δf."""
    a = RationalFunctionField().gen
    noise = GeometricNoise(a)
    c = (1 - a) / (1 + a)
    agrees = all(noise.mass(z) == c * a ** abs(z) for z in range(-4, 5))
    # Σ_{|z| ≤ k} c·a^|z| = 1 − 2a^(k+1)/(1+a), which tends to 1
    sums = all(sum((noise.mass(z) for z in range(-k, k + 1)), a - a) == 1 - 2 * a ** (k + 1) / (1 + a) for k in range(8))
    m = censored(GeometricNoise("1/2"), range(5), 0, 4)
    two_apart = AdjacencyGraph(m.inputs, [(i, j) for i in range(5) for j in (i + 1, i + 2) if j < 5], name="answers at most 2 apart")
    level = tightest_level(m, two_apart)
    right = agrees and sums and level.evidence.tightest.ratio == Rational("1/4")
    detail = "a law for every α (identities in α up to 8 terms); with α = e^(−ε/2) and sensitivity 2 the level is α² = e^(−ε)"
    return Finding(Status.DEFINITION if right else Status.REFUTED, detail, {"sensitivity-two": level})


def utility(printed: Printed) -> Finding:
    """U = max over remaps of the expected gain: by enumeration of all remaps, and as a Bayesian consumer's best remap."""
    m, prior = geometric(2, "1/2"), [Rational("1/2"), Rational("1/3"), Rational("1/6")]
    best = QQ.zero
    for remap in product(range(3), repeat=3):
        value = sum((prior[y] * m[y, z] * int(remap[z] == y) for y in range(3) for z in range(3)), QQ.zero)
        best = max(best, value)
    gain = Gain(ExactMatrix.identity(3), m.inputs, m.inputs)
    loss = best_remap(m, BayesianConsumer(gain.as_loss(), Prior(prior))).evidence.value
    if -loss != best:
        return Finding(Status.REFUTED, "the best remap of the Bayesian consumer is not the utility")
    detail = "the maximum over all 27 remaps is minus the least loss of the Bayesian consumer whose loss is the negated gain (one instance)"
    return Finding(Status.DEFINITION, detail)


def counting_query(printed: Printed) -> Finding:
    """What is the sensitivity of a counting query? 1, on all databases of up to four people."""
    for people in range(1, 5):
        for database in product((0, 1), repeat=people):
            for k in range(people):
                changed = (*database[:k], 1 - database[k], *database[k + 1 :])
                if abs(sum(database) - sum(changed)) != 1:
                    return Finding(Status.REFUTED, "a changed record moves the count by something else")
    return Finding(Status.HOLDS, "1: a record is counted or not (all databases of at most four people)")
