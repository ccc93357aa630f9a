# SPDX-License-Identifier: MIT
"""Section 4.2: Lemma 5's pattern, Theorem 1, and which optimal mechanisms are derivable."""

from __future__ import annotations

from typing import Any

from exactdp.analysis import (
    Verdict,
    best_remap,
    is_derivable,
    is_optimum_unique,
    is_private,
    multi_level_release,
    optimum,
    verify_optimal,
)
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.gupte_sundararajan.common import absolute, consumers, level, path
from exactdp.claims.gupte_sundararajan.levels import CHAIN
from exactdp.claims.gupte_sundararajan.tables import appendix_b_mechanism, optimum_of_table_1
from exactdp.claims.record import Status
from exactdp.exact import QQ
from exactdp.mechanisms import geometric
from exactdp.model import Dual, Loss, Mechanism, MinimaxConsumer

__all__ = ["all_optimal_derivable", "lemma_5", "not_optimal_for_any", "pattern", "theorem_1", "uncrossed"]


def pattern(mechanism: Mechanism, alpha: Any, i: int) -> tuple[int, int]:
    """(p, s): the first p columns have αx_i = x_(i+1), those from s on (counted from 0) have x_i = αx_(i+1), both as many as possible.

    Lemma 5 holds for the rows i, i+1 if and only if s ≤ p + 1.

    >>> pattern(geometric(2, "1/2"), QQ("1/2"), 0)
    (1, 1)
    """
    x, y, k = mechanism.matrix.row(i), mechanism.matrix.row(i + 1), mechanism.n_outputs
    prefix = next((j for j in range(k) if alpha * x[j] != y[j]), k)
    suffix = next((j + 1 for j in reversed(range(k)) if x[j] != alpha * y[j]), 0)
    return prefix, suffix


def uncrossed(mechanism: Mechanism, alpha: Any, limit: int = 1000) -> Mechanism | None:
    """Apply the perturbation of Lemma 5's proof, each time with the largest private δ, until the pattern holds (None: it never did).

    Each step moves mass of rows ≤ i from column k to j if i ≤ (j+k)/2, else of rows ≥ i+1 from j to k; no row's monotone loss grows.
    """
    X = [list(row) for row in mechanism.rows()]
    n = len(X) - 1
    for _ in range(limit):
        now = Mechanism(X, mechanism.inputs, mechanism.outputs)
        broken = next(((i, p, s) for i in range(n) for p, s in [pattern(now, alpha, i)] if s > p + 1), None)
        if broken is None:
            return now
        i, j, k = broken[0], broken[1], broken[2] - 1
        x, y = X[i], X[i + 1]
        if 2 * i <= j + k:
            delta, rows, source, goal = min((y[j] - alpha * x[j]) / (alpha * x[k]), 1 - alpha * y[k] / x[k]), range(i + 1), k, j
        else:
            delta, rows, source, goal = min((x[k] - alpha * y[k]) / (alpha * y[j]), 1 - alpha * x[j] / y[j]), range(i + 1, n + 1), j, k
        for t in rows:
            moved = delta * X[t][source]
            X[t][goal] += moved
            X[t][source] -= moved
    return None


def lemma_5(printed: Printed) -> Finding:
    """Lemma 5: has every consumer tried an optimal mechanism with the pattern, and are the printed index ranges enough?"""
    right, tried = True, 0
    for n in (1, 2, 3):
        for text in ("1/4", "9/10"):
            for consumer in consumers(n):
                found = optimum(path(n), level(text), consumer).evidence
                assert found.best is not None
                best = uncrossed(found.best, QQ(text))
                tried += 1
                right = right and best is not None and consumer.loss_of(best) == found.value
                right = right and best is not None and is_private(best, path(n), level(text)).proved
    only = is_optimum_unique(path(1), level("1/2"), absolute(1, [0]))
    prefix, _ = pattern(only.evidence.first, QQ("1/2"), 0)
    detail = (
        f"all {tried} pairs of a consumer (n ≤ 3, every S, four losses) and a level have an optimal mechanism with "
        "the pattern; but c_1 = 0 (no column) must be "
        f"allowed: for n = 1, S = {{0}} the only optimal mechanism has {prefix} columns of the first kind; and columns are 0..n, not 1..n"
    )
    if not (right and only.proved):
        return Finding(Status.REFUTED, detail, {"empty-prefix-unique": only})
    return Finding(Status.HOLDS if prefix >= 1 else Status.IMPRECISE, detail, {"empty-prefix-unique": only})


def theorem_1(printed: Printed) -> Finding:
    """Theorem 1: collusion resistance and simultaneous optimality for three levels and many consumers.

    The optimum is computed on the metric of the path, by the linear program over all pairs, which knows nothing of G.
    """
    release = multi_level_release(3, [level(text) for text in CHAIN])
    right, tried = release.proved, 0
    for text in CHAIN:
        for n in (1, 2):
            for consumer in consumers(n):
                value = best_remap(geometric(n, text), consumer).evidence.value
                right = right and value == optimum(path(n).metric(), level(text), consumer).evidence.value
                tried += 1
        for consumer in (absolute(3), absolute(3, [1, 2, 3]), absolute(3, [0, 3]), MinimaxConsumer(Loss.squared(range(4)))):
            value = best_remap(geometric(3, text), consumer).evidence.value
            right = right and value == optimum(path(3).metric(), level(text), consumer).evidence.value
            tried += 1
    best = optimum_of_table_1()
    detail = (
        f"levels {', '.join(CHAIN)}: all coalitions have the level of their first member, and the best remap of G is as good as "
        f"any private mechanism for all {tried} (consumer, level) pairs tried, n ≤ 3"
    )
    verdicts = {"release-three-levels": release, "table-1-optimum": best}
    return Finding(Status.HOLDS if right and best.proved else Status.REFUTED, detail, verdicts)


def all_optimal_derivable(printed: Printed) -> Finding:
    """Are all optimal mechanisms derivable? A candidate: n = 2, α = 1/2, |i−r|, S = {0, 1}; row 2 does not enter the loss."""
    M = Mechanism([["2/3", "1/3", 0], ["1/3", "2/3", 0], ["2/3", "1/3", 0]])
    optimal = verify_optimal(M, path(2), level("1/2"), absolute(2, [0, 1]), Dual((QQ("1/2"), QQ("1/2"), QQ(0))))
    derivable = is_derivable(M, source=geometric(2, "1/2"))
    smaller = all(_derivable_if_optimal(text) for text in ("1/4", "1/2", "9/10"))
    refuted = optimal.proved and derivable.refuted
    detail = (
        f"rows (2/3,1/3,0), (1/3,2/3,0), (2/3,1/3,0) are optimal for S = {{0,1}}, |i−r|, α = 1/2 (loss {optimal.evidence.loss}) "
        "and not derivable "
        f"(value {derivable.evidence.triples[0].value if derivable.refuted else 'none'} at rows 0,1,2 of column 0); n = 2 is least: "
        f"for n = 1 every private mechanism is derivable ({smaller} on those tried)"
    )
    verdicts = {"optimal-not-derivable-a": optimal, "optimal-not-derivable-b": derivable}
    return Finding(Status.REFUTED if refuted else Status.OPEN, detail, verdicts)


def _derivable_if_optimal(text: str) -> bool:
    """For n = 1: is the second optimal mechanism, where there is one, derivable as well?"""
    verdicts = [is_optimum_unique(path(1), level(text), consumer).evidence for consumer in consumers(1)]
    found = [m for e in verdicts for m in (e.first, e.second) if m is not None]
    return all(is_derivable(m, source=geometric(1, text)).proved for m in found)


def not_optimal_for_any(printed: Printed) -> Finding:
    """Is Appendix B's matrix optimal for no consumer? Consumers whose loss is constant on a row of S satisfy the paper's assumption."""
    M = appendix_b_mechanism(printed)
    everywhere = Loss([[1] * 4] * 4, name="constant")
    one_row = Loss([[3] * 4, [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]], name="|i-r|, but 3 at input 0")
    monotone = everywhere.is_monotone() and one_row.is_monotone()
    constant = _optimal_for(M, everywhere)
    partly = _optimal_for(M, one_row)
    gaps = [
        consumer.loss_of(M) - optimum(path(3), level("1/2"), consumer).evidence.value
        for consumer in consumers(3)
        if not any(len(set(consumer.loss.matrix.row(i))) == 1 for i in consumer.side_information.indices)
    ]
    least = min(gaps)
    detail = (
        "optimal for every consumer whose loss is constant on an input of S with the largest loss, e.g. l(0,·) = 3, l(i,r) = "
        f"|i−r| otherwise; for the {len(gaps)} consumers tried without a constant row its gap is at least {least}"
    )
    refuted = monotone and constant.proved and partly.proved
    verdicts = {"appendix-b-optimal-constant": constant, "appendix-b-optimal-one-row": partly}
    return Finding(Status.REFUTED if refuted else Status.HOLDS if least > 0 else Status.OPEN, detail, verdicts)


def _optimal_for(mechanism: Mechanism, loss: Loss) -> Verdict[Any]:
    """Optimal at level 1/2, by the dual with all weight on input 0."""
    return verify_optimal(mechanism, path(3), level("1/2"), MinimaxConsumer(loss), Dual((QQ(1), QQ(0), QQ(0), QQ(0))))
