# SPDX-License-Identifier: MIT
"""Section 4.3: databases with the Hamming distance, Theorem 2 and Example 3.

Sections 6 and 7 and Appendix B: the case studies, monotonicity, invertibility.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from exactdp.analysis import is_optimal_after_remap, is_private, optimum
from exactdp.analysis.leakage import hamming_leakage, leakage, leakage_bound
from exactdp.analysis.tight.regular_priors import RegularEvidence, is_regular
from exactdp.analysis.tight.tight_levels import (
    ThresholdEvidence,
    determinant_of,
    graph_census,
    is_singular,
    regular_levels,
    singular_levels,
    tight_levels,
)
from exactdp.analysis.tight.tight_mechanism import TightEvidence, tight_mechanism
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.exact import Interval, Rational, RationalFunctionField
from exactdp.exact.balls import BallSystem, log2_enclosure
from exactdp.model import BayesianConsumer, Loss, Mechanism, Prior, PrivacyLevel
from exactdp.model.constraint_matrix import Cells, ConstraintMatrix
from exactdp.model.neighbours import hamming
from proofs.elsalamouny_tight_constraints.common import GRAPHS, LEVELS, at_epsilon, evidence, graph, halves, priors, witness_graph
from proofs.record import Finding, Printed, Status, finding

ONE_RECORD = ("3/10", "27/100", "23/100", "1/5")
"""Example 3's distribution of one record."""


def closed_form(printed: Printed) -> Finding:
    """The vector y = 1/(v(1 + (v−1)α))^u solves yΦ = u."""
    right = True
    for v, u in ((2, 1), (2, 3), (3, 2), (4, 2)):
        near = hamming(v, u)
        for a in LEVELS:
            y = (1 / (v * (1 + (v - 1) * Rational(a)))) ** u
            sums = ConstraintMatrix.of(near).row_sums(PrivacyLevel(a))
            right = right and all(y * s == Rational(1, v**u) for s in sums) and y.sign() > 0
    return finding(right, "yΦ = u and y > 0 for v ≤ 4, u ≤ 3 at the levels tried")


def theorem_2(printed: Printed) -> Finding:
    """No mechanism leaks more than (v/(1 + (v−1)α))^u."""
    right = True
    for v, u in ((2, 2), (3, 2), (4, 2)):
        for a in LEVELS:
            right = right and leakage_bound(hamming(v, u), a).evidence.value == hamming_leakage(v, u, a)
    bound = leakage_bound(hamming(4, 5), "1/2")
    right = right and bound.evidence.value == hamming_leakage(4, 5, "1/2")
    detail = f"4^5 databases at α = 1/2: at most the factor {bound.evidence.value} for any prior, the printed formula"
    return finding(right, detail, {"hamming-4-5": bound})


def side_result(printed: Printed) -> Finding:
    """Φ over its row sum leaks Σ y/max π for regular priors: less than Theorem 2's bound unless uniform."""
    right = True
    for v, u in ((2, 2), (3, 1), (2, 3)):
        near = hamming(v, u)
        for a in LEVELS:
            level = PrivacyLevel(a)
            m = tight_mechanism(near, level).evidence.mechanism
            for prior, y in priors(near, level):
                least = leakage(m, prior).evidence.factor if m is not None else None
                right = right and least == sum(y, Rational(0)) / max(prior.weights)
                right = right and sum(y, Rational(0)) * (1 + (v - 1) * Rational(a)) ** u == 1
                worst = hamming_leakage(v, u, a)
                right = right and (least == worst if len(set(prior.weights)) == 1 else least < worst)
    return finding(right, "attained by one mechanism for the corners and mixtures of them, less than Theorem 2's bound unless uniform")


def _product_prior() -> Prior:
    masses = [Rational(p) for p in ONE_RECORD]
    weights = []
    for word in product(range(4), repeat=5):
        weight = Rational(1)
        for value in word:
            weight = weight * masses[value]
        weights.append(weight)
    return Prior(weights, hamming(4, 5).vertices)


def example_3_regular(printed: Printed) -> Finding:
    """The prior is regular exactly for α ≤ 1/2, that is ε ≥ ln 2 = 0.693…, not from 0.48 on."""
    one = Prior(ONE_RECORD, graph("complete:4").vertices)
    levels = regular_levels(graph("complete:4"), one)
    found = levels.evidence.intervals
    right = len(found) == 1 and found[0].upper == Rational(1, 2) and found[0].upper_closed
    # w ⊗ e ⊗ e ⊗ e ⊗ e with w = (−13/50, −13/50, −13/50, 1): Φ·w ≥ 0 while t/(1 + 2t) ≥ 13/50, and Σ p·w =
    # 1/5 − 4/5·13/50 < 0
    near, c = hamming(4, 5), Rational(13, 50)
    prior = _product_prior()
    farkas = [Rational(0)] * len(near.vertices)
    for value in range(4):
        farkas[value * 4**4] = Rational(1) if value == 3 else -c
    cells = Cells(ConstraintMatrix.of(near), tuple(range(len(near.vertices))))
    at = {
        text: Verdict(
            Decision.REFUTED,
            f"the prior of Example 3 is not regular at ε = {text}",
            RegularEvidence(prior=prior, neighbours=near, level=at_epsilon(text), cells=cells, farkas=tuple(farkas)),
        )
        for text in ("12/25", "1/2")
    }
    verdicts: dict[str, Verdict[Any]] = {"example-3-one-record": levels, "example-3-not-regular": at["12/25"]}
    detail = "one record is regular exactly for α in (0, 1/2], and 4^5 databases record by record; at ε = 0.48 a Farkas vector"
    return Finding(Status.REFUTED if right else Status.HOLDS, detail, verdicts)


def _three_guesses(alpha: Any) -> Mechanism:
    """One record: never guess value 4, and tell the other three as well as privacy allows."""
    own = 1 / (1 + 2 * alpha)
    rows = [[own if i == k else alpha * own for k in range(3)] for i in range(3)]
    third = own * (1 + 2 * alpha) / 3
    return Mechanism([*rows, [third, third, third]], graph("complete:4").vertices, ("0", "1", "2"))


def _four_guesses(alpha: Any) -> Mechanism:
    """One record told as well as privacy allows: Φ divided by its row sum."""
    total = 1 + 3 * alpha
    inputs = graph("complete:4").vertices
    return Mechanism([[(total - 3 * alpha if i == k else alpha) / total for k in range(4)] for i in range(4)], inputs, inputs)


def example_3_bound(printed: Printed) -> Finding:
    """At ε = 1/2 a private mechanism leaks 1.345 bits for this prior, another 2.522 bits for the uniform."""
    near, alpha = graph("complete:4"), at_epsilon("1/2")
    prior = Prior(ONE_RECORD, near.vertices)
    m = _three_guesses(alpha.alpha)
    private, leak = is_private(m, near, alpha), leakage(m, prior)
    not_regular = is_regular(near, alpha, prior)
    low, _ = _bits(leak.evidence.factor)
    universal, upper = _bits(4 / (1 + 3 * alpha.alpha))
    printed_low, printed_high = _bits(Rational(10, 3) / (1 + 3 * alpha.alpha))
    wrong = private.proved and not_regular.refuted and low > Rational("1.2") and universal > Rational("2.5")
    detail = (
        f"five copies of a private mechanism for one record leak more than {float(low):.6f} bits; Σy/max π would say "
        f"{float(printed_low):.6f}…{float(printed_high):.6f}; Theorem 2's bound, attained, is {float(universal):.6f}…{float(upper):.6f}"
    )
    four = _four_guesses(alpha.alpha)
    told, most = is_private(four, near, alpha), leakage(four, Prior.uniform(near.vertices))
    wrong = wrong and told.proved and most.evidence.factor == 4 / (1 + 3 * alpha.alpha)
    best = is_optimal_after_remap(m, near, alpha, BayesianConsumer(Loss.zero_one(near.vertices), prior))  # none leaks more
    wrong = wrong and best.proved
    verdicts = {
        "three-guesses-private": private,
        "three-guesses-leak": leak,
        "one-record-at-1-2": not_regular,
    }
    verdicts |= {"four-guesses-private": told, "four-guesses-leak": most}
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, verdicts)


def example_3_better(printed: Printed) -> Finding:
    """The most that is leaked for the printed prior is less than Theorem 2's bound, at every level."""
    masses = [Rational(p) for p in ONE_RECORD]
    right = True
    for k in range(1, 100):
        a = Rational(k, 100)
        most = max(sum(masses[:n], Rational(0)) / (1 + (n - 1) * a) for n in range(1, 5)) / masses[0]
        right = right and most < 4 / (1 + 3 * a)
        if k % 20 == 0:  # the program's optimum says the same
            one = optimum(graph("complete:4"), a, BayesianConsumer(Loss.zero_one(range(4)), Prior(ONE_RECORD)))
            right = right and 1 - one.evidence.value == most * masses[0]
        printed_bound = Rational(10, 3) / (1 + 3 * a)
        right = right and (most == printed_bound if 2 * a <= 1 else most > printed_bound)
    low = 5 * log2_enclosure(Rational(6, 5), 10)[0]
    return finding(right and low > Rational("1.315"), "99 levels; from ln 2 on by 5·log2(6/5) = 1.315… bits")


def example_3_records(printed: Printed) -> Finding:
    """Leakages of independent copies multiply, written out for two records."""
    right = True
    for a in ("1/4", "1/2", "3/4"):
        m, prior = _three_guesses(Rational(a)), Prior(ONE_RECORD)
        rows = [[m[i, r] * m[j, s] for r in range(3) for s in range(3)] for i in range(4) for j in range(4)]
        both = Mechanism(rows, hamming(4, 2).vertices)
        weights = [x * y for x in prior.weights for y in prior.weights]
        one, two = leakage(m, prior).evidence.factor, leakage(both, Prior(weights, both.inputs)).evidence.factor
        right = right and two == one * one and is_private(both, hamming(4, 2), a).proved
    return finding(right, "two records at three levels")


def _bits(factor: Any) -> tuple[Rational, Rational]:
    """5·log₂ of a factor between two rationals."""
    low, high = factor.enclosure(15)
    return 5 * log2_enclosure(low, 10)[0], 5 * log2_enclosure(high, 10)[1]


def example_3_figure(printed: Printed) -> Finding:
    """Figure 4's lower curve: at ε = 1/2 a private mechanism is above it; regular priors from ε = ln 2 on."""
    one = Prior(ONE_RECORD, graph("complete:4").vertices)
    answers = {text: is_regular(graph("complete:4"), at_epsilon(text), one) for text in ("12/25", "69/100", "7/10", "1")}
    expected = {"12/25": False, "69/100": False, "7/10": True, "1": True}
    right = all(answers[text].proved == yes for text, yes in expected.items())
    bound = example_3_bound(printed)
    guesses = {name: bound.verdicts[name] for name in ("three-guesses-private", "three-guesses-leak")}
    alpha = at_epsilon("1/2").alpha
    above = bound.status is Status.REFUTED and guesses["three-guesses-leak"].evidence.factor > Rational(10, 3) / (1 + 3 * alpha)
    verdicts = {**guesses, "one-record-at-0-69": answers["69/100"], "one-record-at-0-70": answers["7/10"]}
    detail = "the curve's value at ε = 1/2 is below the leakage of a private mechanism; on the grid the prior is regular from ε = 0.70 on"
    return Finding(Status.REFUTED if right and above else Status.HOLDS, detail, verdicts)


SUM, COUNTS = "sum:u=150,v=5", "counts:u=30,k=2"


@cache
def _at(spec: str, epsilon: str) -> Verdict[TightEvidence]:
    """The answer at e^(−ε); several claims ask for the same."""
    return tight_mechanism(graph(spec), at_epsilon(epsilon))


def _between(spec: str, low: str, unit: Rational) -> Verdict[ThresholdEvidence]:
    """One at this level, none at the next decimal."""
    answers = tight_mechanism(graph(spec), low), tight_mechanism(graph(spec), Rational(low) + unit)
    assert [answer.proved for answer in answers] == [True, False]
    return evidence(f"for {spec} it stops to exist above {low}", ThresholdEvidence(low=answers[0].evidence, high=answers[1].evidence))


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


def sum_invertible(printed: Printed) -> Finding:
    """Φ of the sum query at e^(−0.8), on symmetric and on antisymmetric vectors, is invertible within balls.

    The map i ↦ 750 − i keeps distances, so Φv = 0 iff Φ is 0 on both parts of v.
    """
    matrix = ConstraintMatrix.of(graph(SUM))
    last, middle = len(matrix.classes) - 1, len(matrix.classes) // 2
    right = all(matrix.classes[i][k] == matrix.classes[last - i][last - k] for i in range(last + 1) for k in range(last + 1))
    steps = [0 if d is None or d.rational is None else int(d.rational.numerator) for d in matrix.distances]

    def entry(i: int, k: int, sign: int) -> list[tuple[int, int]]:
        near, far = ((steps[matrix.classes[i][h]], c) for h, c in ((k, 1), (last - k, sign)))
        return [near] if k == middle else [near, far]

    low, high = at_epsilon("4/5").alpha.enclosure(80)
    for size, sign in ((middle + 1, 1), (middle, -1)):
        system = BallSystem([[entry(i, k, sign) for k in range(size)] for i in range(size)], low, high, 256)
        right = right and system.signs([1] * size) is not None
    return finding(right, "751 answers, ε = 0.8: Φ is invertible on the symmetric and on the antisymmetric vectors, decided within balls")


def intervals_of_existence(spec: str, low: Rational, high: Rational) -> int:
    """In how many pieces [low, high] is, on each of which Φ·z = 1 has a solution z > 0 at every level.

    On a piece the level is one ball; the solution within balls, on the cells of Φ, holds those of all levels
    of the piece. 0 if a piece would have to be shorter than 10^(−9).
    """
    cells = ConstraintMatrix.of(graph(spec)).cells(None)
    steps = [0 if d is None or d.rational is None else int(d.rational.numerator) for d in cells.matrix.distances]
    counts = [[[(steps[k], c) for k, c in entry] for entry in row] for row in cells.counts]
    found, top, width = 0, high, Rational(1, 10**5)
    while top > low:
        bottom = max(low, top - width)
        if set(BallSystem(counts, bottom, top, 128).signs([1] * len(counts)) or [None]) == {1}:
            found, top, width = found + 1, bottom, width * 3 / 2
        elif width < Rational(1, 10**9):
            return 0
        else:
            width = width / 2
        width = Rational(int(width.numerator) * 10**12 // int(width.denominator), 10**12)  # short fractions
    return found


def larger_epsilon(printed: Printed) -> Finding:
    """Whether it exists for any ε greater than the minimum one: not with the printed minimum.

    Row sums of Φ increase with α; where none is above 2 there is a tight-constraints mechanism.
    """
    answers = {"sum-at-0-96": _at(SUM, "24/25"), "counts-at-1-13": _at(COUNTS, "113/100")}
    wrong = any(answer.refuted for answer in answers.values())
    for spec, level in ((SUM, "1/11"), (COUNTS, "1/10")):
        wrong = wrong and max(ConstraintMatrix.of(graph(spec)).row_sums(PrivacyLevel(level))) <= 2
    pieces = intervals_of_existence(COUNTS, Rational(1, 10), at_epsilon("57/50").alpha.enclosure(20)[1])
    detail = (
        "none at ε = 0.96 (sum) and 1.13 (two counts), which are greater than the printed minima 0.8 and 0.9; row sums of Φ of at most 2 "
        f"from ε = ln 11 and ln 10 on; two counts: one at every ε from 1.14 to ln 10, in {pieces} intervals"
    )
    return Finding(Status.REFUTED if wrong and pieces else Status.OPEN, detail, answers)


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
    counts = {n: {kind.name: count for kind, count in graph_census(n).counts.items()} for n in range(1, 7)}
    wrong = wrong and not any(counts[n]["OTHER"] for n in range(1, 6)) and counts[6]["OTHER"] == 2 and sum(counts[6].values()) == 112
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
    kernel = answer.evidence.null_vector
    right = right and answer.proved and kernel is not None and all(kernel[i] == -kernel[j] for i in even for j in range(8) if j not in even)
    right = right and 1 + 3 * Rational(1, 9) == 4 * Rational(1, 3)
    detail = "det Φ = (1−α)^7 (1+α)^7 (1−3α)(1+3α): singular in (0, 1) at 1/3 only; its null space holds the even minus the odd corners"
    return finding(right and singular_levels(near) == (Rational(1, 3),), detail, {"singular-at-1-3": answer}, status=Status.CERTIFIED)


def small_levels(printed: Printed) -> Finding:
    """Φ is invertible for α ≤ 1/(n−1) on every graph tried, and on Appendix B's for every level below 1/3."""
    answer = is_singular(halves(), RationalFunctionField(Interval(0, "1/3")).gen)
    right = answer.refuted
    for near in (halves(), *map(graph, GRAPHS)):
        least = Rational(1, len(near.vertices) - 1)
        right = right and (least == 1 or all(is_singular(near, level).refuted for level in (least, least / 2)))
    return finding(right, "invertible at 1/(n−1) and half of it; on Appendix B's graph at every level in (0, 1/3)", {"invertible": answer})
