# SPDX-License-Identifier: MIT
"""Sections 6 and 7 and Appendix B: the case studies, monotonicity, invertibility."""

from __future__ import annotations

from functools import cache

from exactdp.analysis.region_levels import determinant_of, singular_levels, tight_levels
from exactdp.analysis.singular import is_singular
from exactdp.analysis.tight import TightEvidence, tight_mechanism
from exactdp.analysis.tight_threshold import ThresholdEvidence
from exactdp.analysis.verdict import Verdict
from exactdp.claims.elsalamouny_tight_constraints.common import at_epsilon, evidence, graph, halves, witness_graph
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.record import Status
from exactdp.exact import Interval, Rational, RationalFunctionField
from exactdp.mechanisms import geometric
from exactdp.model import AdjacencyGraph, Prior

__all__ = ["appendix_b", "conclusion", "counts_query", "figure_6", "larger_epsilon", "monotone", "small_levels", "sum_query"]

SUM, COUNTS = "sum:u=150,v=5", "counts:u=30,k=2"


@cache
def _at(spec: str, epsilon: str) -> Verdict[TightEvidence]:
    """The answer at e^(−ε); several claims ask for the same."""
    return tight_mechanism(graph(spec), at_epsilon(epsilon))


def _between(spec: str, low: str, unit: Rational) -> Verdict[ThresholdEvidence]:
    """One at this level, none at the next decimal."""
    answers = tight_mechanism(graph(spec), low), tight_mechanism(graph(spec), Rational(low) + unit)
    assert [answer.proved for answer in answers] == [True, False]
    return evidence(f"for {spec} it stops to exist above {low}", ThresholdEvidence(answers[0].evidence, answers[1].evidence))


def sum_query(printed: Printed) -> Finding:
    """Sums (u = 150, v = 5): no mechanism at ε = 0.80 and 0.96, one at 0.97."""
    first, before, at = (_at(SUM, e) for e in ("4/5", "24/25", "97/100"))
    wrong = first.refuted and before.refuted and at.proved
    between = _between(SUM, "0.379791263145865", Rational(1, 10**15))
    verdicts = {"sum-at-0-80": first, "sum-at-0-96": before, "sum-at-0-97": at, "sum-threshold": between}
    return Finding(Status.REFUTED if wrong else Status.CERTIFIED, "751 answers: none at ε = 0.80 and 0.96, one at 0.97", verdicts)


def counts_query(printed: Printed) -> Finding:
    """Two counts (u = 30): no mechanism at ε = 0.90 and 1.13, one at 1.14."""
    first, before, at = (_at(COUNTS, e) for e in ("9/10", "113/100", "57/50"))
    wrong = first.refuted and before.refuted and at.proved
    between = _between(COUNTS, "0.321075084454765", Rational(1, 10**15))
    verdicts = {"counts-at-0-90": first, "counts-at-1-13": before, "counts-at-1-14": at, "counts-threshold": between}
    return Finding(Status.REFUTED if wrong else Status.CERTIFIED, "961 answers: none at ε = 0.90 and 1.13, one at 1.14", verdicts)


def larger_epsilon(printed: Printed) -> Finding:
    """Whether it exists for any ε greater than the minimum one: not with the printed minimum."""
    answers = {"sum-at-0-96": _at(SUM, "24/25"), "counts-at-1-13": _at(COUNTS, "113/100")}
    wrong = any(answer.refuted for answer in answers.values())
    detail = "none at ε = 0.96 (sum) and 1.13 (two counts), which are greater than the printed minima 0.8 and 0.9"
    return Finding(Status.REFUTED if wrong else Status.OPEN, detail, answers)


def figure_6(printed: Printed) -> Finding:
    """The curves start where the mechanism does not exist."""
    answers = {"sum-at-0-80": _at(SUM, "4/5"), "counts-at-0-90": _at(COUNTS, "9/10")}
    wrong = any(answer.refuted for answer in answers.values())
    detail = "the tight-constraints curves can begin at ε = 0.9681… (sum) and 1.1360… (two counts) only; they are drawn from 0.8 and 0.9"
    return Finding(Status.REFUTED if wrong else Status.OPEN, detail, answers)


def monotone(printed: Printed) -> Finding:
    """A graph on which a mechanism exists for large and for small ε, but not between."""
    answer = tight_levels(witness_graph())
    found = answer.evidence.intervals
    wrong = not answer.evidence.monotone and len(found) == 2 and found[0].upper == Rational(1, 2)
    detail = f"six answers: exactly at the levels in {' ∪ '.join(map(str, found))}; no graph with fewer vertices does this (census)"
    return Finding(Status.REFUTED if wrong else Status.OPEN, detail, {"not-monotone": answer})


def appendix_b(printed: Printed) -> Finding:
    """Φ is singular at 1/3: the even and the odd rows have the same sum."""
    near = halves()
    even = [i for i, word in enumerate(near.vertices) if word.count("1") % 2 == 0]
    a = RationalFunctionField().gen
    det = determinant_of(near)
    right = det == (1 + 4 * a + 3 * a * a) * (1 - 4 * a + 3 * a * a) * (1 - a * a) ** 6
    answer = is_singular(near, "1/3")
    kernel = answer.evidence.kernel
    right = right and answer.proved and kernel is not None and all(kernel[i] == -kernel[j] for i in even for j in range(8) if j not in even)
    right = right and 1 + 3 * Rational(1, 9) == 4 * Rational(1, 3)
    detail = "det Φ = (1−α)^7 (1+α)^7 (1−3α)(1+3α): singular in (0, 1) at 1/3 only; the kernel is the even minus the odd corners"
    return Finding(
        Status.CERTIFIED if right and singular_levels(near) == (Rational(1, 3),) else Status.REFUTED, detail, {"singular-at-1-3": answer}
    )


def small_levels(printed: Printed) -> Finding:
    """Φ is invertible at every level below 1/3, so for α ≤ 1/7."""
    answer = is_singular(halves(), RationalFunctionField(Interval(0, "1/3")).gen)
    return Finding(Status.CERTIFIED if answer.refuted else Status.REFUTED, "invertible at every level in (0, 1/3)", {"invertible": answer})


def conclusion(printed: Printed) -> Finding:
    """What is known here: on the path the tight-constraints mechanism is the geometric one."""
    near = AdjacencyGraph.path(4)
    m = tight_mechanism(near, "1/2").evidence.mechanism
    known = m is not None and m.matrix == geometric(3, "1/2").matrix and Prior.uniform(near.vertices).weights[0] == Rational(1, 4)
    return Finding(Status.OPEN if known else Status.REFUTED, "a remark of a reviewer, without a proof in the paper; not decided here")
