# SPDX-License-Identifier: MIT
"""Table 1 and Appendix B: the matrices that the paper prints.

Table 1 is about n = 3, α = 1/4, l(i,r) = |i−r|, S = {0, 1, 2, 3}; Appendix B about n = 3, α = 1/2.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

from exactdp.analysis import (
    Verdict,
    is_best_remap,
    is_derivable,
    is_optimum_unique,
    is_private,
    is_remap_unique,
    is_stochastic,
    verify_optimal,
)
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.gupte_sundararajan.common import TABLE_LEVEL, absolute, level, path
from exactdp.claims.record import Status
from exactdp.exact import QQ, Rational
from exactdp.mechanisms import geometric
from exactdp.model import Dual, Mechanism, Remap, Table

__all__ = [
    "appendix_b",
    "appendix_b_mechanism",
    "optimum_of_table_1",
    "table_1",
    "table_1a",
    "table_1b",
    "table_1c",
    "unique_remap_of_table_1",
]

WEIGHTS = tuple(Rational(w, 166) for w in (20, 63, 63, 20))
"""A least favourable prior of Table 1's consumer; with it the path rule proves the optimum."""


def table_1(printed: Printed) -> Finding:
    """Is (a) the optimal mechanism, and (c) the optimal interaction with (b) = G?"""
    a, b, c = (printed.table(f"table-1{part}") for part in "abc")
    optimum, remap = optimum_of_table_1(), unique_remap_of_table_1()
    unique = is_optimum_unique(path(3), level(TABLE_LEVEL), absolute(3))
    best = unique.evidence.first.matrix
    difference = max(abs(x) for row in (a - best).rows() for x in row)
    product = b.map(lambda x: x * QQ("3/5")) @ c
    right = a == best and c == remap.evidence.first.matrix and product == a
    detail = (
        f"the optimum is {optimum.evidence.value}, attained only by one mechanism, from which the printed (a) differs by up to "
        f"{difference}, and only by one interaction, with first row ({', '.join(map(str, remap.evidence.first.matrix.row(0)))}); "
        f"3/5 · (b) · (c) has the first entry {product[0, 0]}, (a) has {a[0, 0]}"
    )
    proved = optimum.proved and unique.proved and remap.proved
    status = Status.OPEN if not proved else Status.CERTIFIED if right else Status.REFUTED
    return Finding(status, detail, {"table-1-optimum": optimum, "table-1-unique-mechanism": unique, "table-1-unique-interaction": remap})


def table_1a(printed: Printed) -> Finding:
    """Is the printed matrix (a) a 1/4-private mechanism?"""
    table = Table(printed.table("table-1a"))
    verdict = is_stochastic(table)
    if verdict.proved:
        private = is_private(table.as_mechanism(), path(3), level(TABLE_LEVEL))
        return Finding(Status.CERTIFIED if private.proved else Status.REFUTED, private.claim, {"table-1a-privacy": private})
    repaired = is_private(table.renormalise(), path(3), level(TABLE_LEVEL))
    rows = list(table.matrix.rows())
    pairs = [(x, y) for r, s in pairwise(rows) for x, y in zip(r, s, strict=True)]
    least = min(min(x, y) / max(x, y) for x, y in pairs if max(x, y) > 0)
    detail = (
        f"{table.faults()}; the least quotient of adjacent entries is {least}, and divided by its row sums it has the level "
        f"{repaired.evidence.tightest}, not {TABLE_LEVEL}"
    )
    return Finding(Status.REFUTED, detail, {"table-1a-not-stochastic": verdict})


def table_1b(printed: Printed) -> Finding:
    """Is the printed matrix (b) the mechanism G_{3,1/4}?"""
    matrix, G = printed.table("table-1b"), geometric(3, TABLE_LEVEL)
    if matrix == G.matrix:
        return Finding(Status.CERTIFIED, "the printed matrix is G(3, 1/4)")
    factor = G[0, 0] / matrix[0, 0]
    verdict = is_stochastic(Table(matrix))
    proportional = matrix.map(lambda x: factor * x) == G.matrix
    detail = (
        f"every printed row sums to {Table(matrix).row_sums()[0]}; {factor} times the printed matrix is "
        f"{'' if proportional else 'not '}G(3, 1/4)"
    )
    return Finding(Status.IMPRECISE if proportional else Status.REFUTED, detail, {"table-1b-not-stochastic": verdict})


def table_1c(printed: Printed) -> Finding:
    """Is the printed interaction (c) optimal for the consumer of Table 1?"""
    G = geometric(3, TABLE_LEVEL)
    given = Remap(printed.table("table-1c"), G.outputs, G.outputs)
    verdict = is_best_remap(G, absolute(3), given)
    if verdict.proved:
        return Finding(Status.CERTIFIED, verdict.claim, {"table-1c-optimal": verdict})
    detail = (
        f"the printed interaction has the loss {verdict.evidence.loss}, the best {verdict.evidence.value}: worse by exactly "
        f"{verdict.evidence.gap}"
    )
    symmetric = replace(verdict, evidence=replace(verdict.evidence, weights=WEIGHTS))  # many weights prove it; always write these
    return Finding(Status.REFUTED, detail, {"table-1c-not-optimal": symmetric})


def appendix_b(printed: Printed) -> Finding:
    """Is Appendix B's matrix 1/2-private and not derivable, with the value −0.75/9 at rows 0, 1, 2 of column 1?"""
    M = appendix_b_mechanism(printed)
    private = is_private(M, path(3), level("1/2"))
    derivable = is_derivable(M, source=geometric(3, "1/2"))
    violated = [(t.row, t.output, t.value) for t in derivable.evidence.triples]
    right = private.proved and derivable.refuted and violated == [(1, 1, Rational("-0.75") / 9)]
    detail = f"{private.claim}. {derivable.claim}. Violated triples: {len(violated)}"
    verdicts = {"appendix-b-private": private, "appendix-b-not-derivable": derivable}
    return Finding(Status.CERTIFIED if right else Status.REFUTED, detail, verdicts)


def appendix_b_mechanism(printed: Printed) -> Mechanism:
    """Appendix B's matrix as a mechanism on 0..3."""
    return Mechanism(printed.table("appendix-b"))


def unique_remap_of_table_1() -> Verdict[Any]:
    """Table 1's consumer has exactly one best remap of G(3, 1/4)."""
    return is_remap_unique(geometric(3, TABLE_LEVEL), absolute(3))


def optimum_of_table_1() -> Verdict[Any]:
    """Table 1's optimal mechanism, G·T with the unique T, proved optimal by :data:`WEIGHTS`."""
    best = geometric(3, TABLE_LEVEL).post_process(unique_remap_of_table_1().evidence.first)
    return verify_optimal(best, path(3), level(TABLE_LEVEL), absolute(3), Dual(WEIGHTS))
