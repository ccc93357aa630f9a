# SPDX-License-Identifier: MIT
"""Section 4: what no private mechanism exceeds for a regular prior."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from exactdp.analysis.leakage import leakage, leakage_bound, utility, utility_bound
from exactdp.analysis.regular import is_regular
from exactdp.claims.elsalamouny_tight_constraints.common import GRAPHS, LEVELS, graph, halves, level, mechanisms, phi, priors
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.record import Status
from exactdp.exact import ExactMatrix, Rational
from exactdp.model import AdjacencyGraph, Mechanism, Prior, PrivacyLevel

__all__ = [
    "corollary_1",
    "equation_3",
    "gamma_form",
    "lemma_2",
    "proposition_5",
    "proposition_6",
    "solvability",
    "theorem_1_bound",
    "theorem_1_equality",
]


def _instances() -> Iterator[tuple[AdjacencyGraph, PrivacyLevel, ExactMatrix]]:
    for text in GRAPHS[:6]:
        for a in LEVELS[1:4]:
            yield graph(text), level(a), phi(graph(text), level(a))


def _slack(matrix: ExactMatrix, m: Mechanism) -> list[Any]:
    """The slack s with Φ·diag(X) + s = 1."""
    n = matrix.shape[0]
    return [1 - sum((matrix[i, k] * m[k, k] for k in range(n)), Rational(0)) for i in range(n)]


def equation_3(printed: Printed) -> Finding:
    """0 ≤ s ≤ 1 for every private mechanism."""
    right = all(0 <= s <= 1 for near, alpha, matrix in _instances() for m in mechanisms(near, alpha) for s in _slack(matrix, m))
    return Finding(Status.HOLDS if right else Status.REFUTED, "0 ≤ s_i ≤ 1 for every mechanism tried")


def solvability(printed: Printed) -> Finding:
    """yΦ = π has one solution, none, or infinitely many."""
    right = all(bool(matrix.det()) == (matrix.rank() == matrix.shape[0]) for _, _, matrix in _instances())
    singular = phi(halves(), level("1/3"))
    uniform = is_regular(Prior.uniform(halves().vertices), halves(), "1/3")
    other = is_regular(Prior(["1/2", *["1/14"] * 7], halves().vertices), halves(), "1/3")
    right = right and singular.rank() == 7 and uniform.proved and other.refuted
    return Finding(
        Status.HOLDS if right else Status.REFUTED, "Appendix B's Φ at 1/3 has rank 7: solutions for the uniform prior, none for another"
    )


def lemma_2(printed: Printed) -> Finding:
    """U = y·1 − y·s for every y with yΦ = π, of any sign."""
    right = True
    for near, alpha, matrix in _instances():
        n = matrix.shape[0]
        if not matrix.det():
            continue
        for prior in (Prior.uniform(near.vertices), Prior([Rational(2 * i + 1, n * n) for i in range(n)], near.vertices)):
            y = matrix.solve(ExactMatrix([[w] for w in prior.weights])).column(0)
            for m in mechanisms(near, alpha):
                s = _slack(matrix, m)
                left = sum((w * m[i, i] for i, w in enumerate(prior.weights)), Rational(0))
                right = right and left == sum((a - a * b for a, b in zip(y, s, strict=True)), Rational(0))
    return Finding(Status.HOLDS if right else Status.REFUTED, "the identity holds on everything tried, also for y with negative entries")


def theorem_1_bound(printed: Printed) -> Finding:
    """U ≤ Σ y for regular priors; attained by the tight-constraints mechanism where there is one."""
    right = all(
        utility(m, prior) <= sum(y, Rational(0))
        for near, alpha, _ in _instances()
        for prior, y in priors(near, alpha)
        for m in mechanisms(near, alpha)
    )
    bound = utility_bound(Prior.uniform(graph("star:4").vertices), graph("star:4"), "1/3")
    status = Status.HOLDS if right and bound.proved else Status.REFUTED
    return Finding(status, "U ≤ Σ y for every prior and mechanism tried", {"utility-bound-star": bound})


def theorem_1_equality(printed: Printed) -> Finding:
    """A mechanism that attains Σ y although Φ·diag(X·R) ≠ 1: y has a zero."""
    near, alpha = graph("path:2"), level("1/2")
    prior = Prior(["2/3", "1/3"], near.vertices)
    constant = Mechanism([[1, 0], [1, 0]], near.vertices, near.vertices)
    bound, leak = utility_bound(prior, near, alpha), leakage(constant, prior)
    slack = _slack(phi(near, alpha), constant)
    wrong = bound.proved and bound.evidence.value == leak.evidence.after and any(slack)
    detail = (
        f"two answers, α = 1/2, prior (2/3, 1/3), y = (2/3, 0): always answering 0 has the utility {leak.evidence.after} = Σ y, "
        f"but Φ·diag(X) = (1, {1 - slack[1]})"
    )
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, {"bound-of-a-corner": bound, "constant-attains-it": leak})


def gamma_form(printed: Printed) -> Finding:
    """Σ y = Σ γ_i/Σ_k φ_ik, and 1/Σ_k φ_ik for a corner."""
    right = True
    for near, alpha, matrix in _instances():
        sums = [sum(row, Rational(0)) for row in matrix.rows()]
        for place, (_, y) in enumerate(priors(near, alpha)):
            gamma = [a * s for a, s in zip(y, sums, strict=True)]
            total = sum(y, Rational(0))
            right = right and total == sum((g / s for g, s in zip(gamma, sums, strict=True)), Rational(0))
            right = right and (place >= len(sums) or total == 1 / sums[place])
    return Finding(Status.HOLDS if right else Status.REFUTED, "both forms agree on everything tried")


def proposition_5(printed: Printed) -> Finding:
    """2^L = U/max π with the best remap."""
    right = True
    for near, alpha, _ in _instances():
        for prior, _ in priors(near, alpha):
            for m in mechanisms(near, alpha):
                after = sum((max(w * m[i, o] for i, w in enumerate(prior.weights)) for o in range(m.n_outputs)), Rational(0))
                right = right and leakage(m, prior).evidence.factor == after / max(prior.weights) == utility(m, prior) / max(prior.weights)
    return Finding(
        Status.HOLDS if right else Status.REFUTED, "V(π, X)/V(π) is the utility with the best remap over max π, on everything tried"
    )


def proposition_6(printed: Printed) -> Finding:
    """2^L ≤ Σ y/max π."""
    right = all(
        leakage(m, prior).evidence.factor <= sum(y, Rational(0)) / max(prior.weights)
        for near, alpha, _ in _instances()
        for prior, y in priors(near, alpha)
        for m in mechanisms(near, alpha)
    )
    near = graph("complete:4")
    bound = leakage_bound(near, "1/2", Prior(["3/10", "27/100", "23/100", "1/5"], near.vertices))
    status = Status.HOLDS if right and bound.proved else Status.REFUTED
    return Finding(status, "holds for every regular prior and mechanism tried", {"leakage-bound-one-record": bound})


def corollary_1(printed: Printed) -> Finding:
    """2^L ≤ n·Σ y, yΦ = u, for every prior."""
    right = True
    for near, alpha, matrix in _instances():
        n = matrix.shape[0]
        answer = leakage_bound(near, alpha)
        if not answer.proved:
            continue
        skewed = Prior([Rational(2 * i + 1, n * n) for i in range(n)], near.vertices)
        sure = Prior([int(i == 0) for i in range(n)], near.vertices)
        for m in mechanisms(near, alpha):
            right = right and all(leakage(m, p).evidence.factor <= answer.evidence.value for p in (skewed, sure))
    bound = leakage_bound(graph("star:4"), "1/3")
    status = Status.HOLDS if right and bound.proved else Status.REFUTED
    return Finding(status, "holds for regular and other priors on everything tried", {"leakage-bound-star": bound})
