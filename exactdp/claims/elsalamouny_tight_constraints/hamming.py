# SPDX-License-Identifier: MIT
"""Section 4.3: databases with the Hamming distance, Theorem 2 and Example 3."""

from __future__ import annotations

from itertools import product
from typing import Any

from exactdp.analysis import is_private
from exactdp.analysis.leakage import hamming_leakage, leakage, leakage_bound, log2_enclosure
from exactdp.analysis.region_levels import regular_levels
from exactdp.analysis.regular import RegularEvidence, is_regular
from exactdp.analysis.verdict import Decision, Verdict
from exactdp.claims.elsalamouny_tight_constraints.common import LEVELS, at_epsilon, graph, level
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.record import Status
from exactdp.exact import Rational
from exactdp.model import Mechanism, Prior
from exactdp.model.constraint_matrix import ConstraintMatrix
from exactdp.model.query_graph import hamming

__all__ = ["closed_form", "example_3_bound", "example_3_figure", "example_3_regular", "theorem_2"]

ONE_RECORD = ("3/10", "27/100", "23/100", "1/5")
"""Example 3's distribution of one record."""


def closed_form(printed: Printed) -> Finding:
    """The vector y = 1/(v(1 + (v−1)α))^u solves yΦ = u."""
    right = True
    for v, u in ((2, 1), (2, 3), (3, 2), (4, 2)):
        near = hamming(v, u)
        for a in LEVELS:
            y = (1 / (v * (1 + (v - 1) * Rational(a)))) ** u
            sums = ConstraintMatrix.of(near).row_sums(level(a))
            right = right and all(y * s == Rational(1, v**u) for s in sums) and y.sign() > 0
    return Finding(Status.HOLDS if right else Status.REFUTED, "yΦ = u and y > 0 for v ≤ 4, u ≤ 3 at the levels tried")


def theorem_2(printed: Printed) -> Finding:
    """No mechanism leaks more than (v/(1 + (v−1)α))^u."""
    right = True
    for v, u in ((2, 2), (3, 2), (4, 2)):
        for a in LEVELS:
            right = right and leakage_bound(hamming(v, u), a).evidence.value == hamming_leakage(v, u, a)
    bound = leakage_bound(hamming(4, 5), "1/2")
    right = right and bound.evidence.value == hamming_leakage(4, 5, "1/2")
    detail = f"4^5 databases at α = 1/2: at most the factor {bound.evidence.value} for any prior, the printed formula"
    return Finding(Status.HOLDS if right else Status.REFUTED, detail, {"hamming-4-5": bound})


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
    levels = regular_levels(one, graph("complete:4"))
    found = levels.evidence.intervals
    right = len(found) == 1 and found[0].upper == Rational(1, 2) and found[0].upper_closed
    # w ⊗ e ⊗ e ⊗ e ⊗ e with w = (−13/50, −13/50, −13/50, 1): Φ·w ≥ 0 while t/(1 + 2t) ≥ 13/50, and Σ p·w = 1/5 − 4/5·13/50 < 0
    near, c = hamming(4, 5), Rational(13, 50)
    prior = _product_prior()
    farkas = [Rational(0)] * len(near.vertices)
    for value in range(4):
        farkas[value * 4**4] = Rational(1) if value == 3 else -c
    cells = ConstraintMatrix.of(near).singletons()
    at = {
        text: Verdict(
            Decision.REFUTED,
            f"the prior of Example 3 is not regular at ε = {text}",
            RegularEvidence(prior, near, at_epsilon(text), cells, None, tuple(farkas)),
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


def example_3_bound(printed: Printed) -> Finding:
    """At ε = 1/2 a private mechanism leaks 1.345 bits for this prior, and another 2.522 bits for the uniform one."""
    near, alpha = graph("complete:4"), at_epsilon("1/2")
    prior = Prior(ONE_RECORD, near.vertices)
    m = _three_guesses(alpha.alpha)
    private, leak = is_private(m, near, alpha), leakage(m, prior)
    not_regular = is_regular(prior, near, alpha)
    low, _ = _bits(leak.evidence.factor)
    universal, upper = _bits(4 / (1 + 3 * alpha.alpha))
    printed_low, printed_high = _bits(Rational(10, 3) / (1 + 3 * alpha.alpha))
    wrong = private.proved and not_regular.refuted and low > Rational("1.2") and universal > Rational("2.5")
    detail = (
        f"five copies of a private mechanism for one record leak more than {float(low):.6f} bits; Σy/max π would say "
        f"{float(printed_low):.6f}…{float(printed_high):.6f}; Theorem 2's bound, attained, is {float(universal):.6f}…{float(upper):.6f}"
    )
    verdicts = {"three-guesses-private": private, "three-guesses-leak": leak, "one-record-at-1-2": not_regular}
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, verdicts)


def _bits(factor: Any) -> tuple[Rational, Rational]:
    """5·log₂ of a factor between two rationals."""
    low, high = factor.enclosure(15)
    return 5 * log2_enclosure(low, 10)[0], 5 * log2_enclosure(high, 10)[1]


def example_3_figure(printed: Printed) -> Finding:
    """Figure 4's lower curve: at ε = 1/2 a private mechanism is above it; the prior is regular from ε = ln 2 on."""
    one = Prior(ONE_RECORD, graph("complete:4").vertices)
    answers = {text: is_regular(one, graph("complete:4"), at_epsilon(text)) for text in ("12/25", "69/100", "7/10", "1")}
    expected = {"12/25": False, "69/100": False, "7/10": True, "1": True}
    right = all(answers[text].proved == yes for text, yes in expected.items())
    bound = example_3_bound(printed)
    guesses = {name: bound.verdicts[name] for name in ("three-guesses-private", "three-guesses-leak")}
    alpha = at_epsilon("1/2").alpha
    above = bound.status is Status.REFUTED and guesses["three-guesses-leak"].evidence.factor > Rational(10, 3) / (1 + 3 * alpha)
    verdicts = {**guesses, "one-record-at-0-69": answers["69/100"], "one-record-at-0-70": answers["7/10"]}
    detail = "the curve's value at ε = 1/2 is below the leakage of a private mechanism; on the grid the prior is regular from ε = 0.70 on"
    return Finding(Status.REFUTED if right and above else Status.HOLDS, detail, verdicts)
