# SPDX-License-Identifier: MIT
"""Sections 2.6 and 4.1: adding privacy (Lemma 3), releases at several levels (Algorithm 1), Lemma 4."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from exactdp.analysis import Coalition, is_derivable, multi_level_release, tightest_level
from exactdp.cli.demo_cases import path
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.mechanisms import geometric
from exactdp.model import Mechanism, PrivacyLevel
from proofs.gupte_sundararajan.common import LEVELS, definition_4, is_identity
from proofs.record import Finding, Printed, Status, finding

CHAIN = ("1/4", "1/2", "3/4")
"""The levels of the release that is certified."""


def lemma_3(printed: Printed) -> Finding:
    """Lemma 3: for all α ≤ β, 0 and 1 included, is there a stochastic T with G_β = G_α T? None for α > β?"""
    right = True
    for n in (1, 2, 3, 4):
        ends = [QQ.zero, *map(Rational, LEVELS), QQ.one]
        for low, high in [*combinations(ends, 2), *((a, a) for a in ends)]:
            T = _stage(n, low, high)
            right = right and _stochastic(T) and definition_4(n, low) @ T == definition_4(n, high)
        right = right and all(
            is_derivable(geometric(n, a), source=geometric(n, b)).refuted for a, b in combinations(map(Rational, LEVELS), 2)
        )
    right = right and is_identity(lambda a, b: _slope(a, b) - (b - a) * (1 - a * b), 2, 2)
    right = right and is_identity(lambda a, b: _peak(a, b) - (1 - a) ** 2 - 2 * a * (1 - b), 2, 1)
    half = Rational("1/2")
    equal, at_zero = _slope(half, half), _peak(QQ.zero, half)
    yes = is_derivable(geometric(3, "1/2"), source=geometric(3, "1/4"))
    no = is_derivable(geometric(3, "1/4"), source=geometric(3, "1/2"))
    detail = (
        "G_β = G_α T with T stochastic for every α ≤ β tried (n ≤ 4, α = 0, β = 1 and α = β included), and for no α > β; "
        f"the proof's strict signs fail at α = β (cases 1 and 3 give {equal}) and at α = 0 (case 2 gives {at_zero} > 1)"
    )
    return finding(right, detail, {"level-1-4-to-1-2": yes, "level-1-2-to-1-4": no})


def _slope(a: Any, b: Any) -> Any:
    """(1+α²)x₂ − α(x₁+x₃) for (1, β, β²): cases 1 and 3 of the proof, without the factor β^i."""
    return (1 + a * a) * b - a * (1 + b * b)


def _peak(a: Any, b: Any) -> Any:
    """The same for (β, 1, β): case 2 of the proof."""
    return (1 + a * a) - a * (b + b)


def _stage(n: int, source: Rational, target: Rational) -> ExactMatrix:
    """T with G_target = G_source T; I if the levels are equal (G_1 is singular)."""
    return ExactMatrix.identity(n + 1) if source == target else definition_4(n, source).solve(definition_4(n, target))


def _stochastic(T: ExactMatrix) -> bool:
    return all(sum(row, QQ.zero) == 1 and min(row) >= 0 for row in T.rows())


def index_order(printed: Printed) -> Finding:
    """2.6: for α > β the α-geometric mechanism comes from the β-geometric one. Is that Lemma 3's T_{α,β}?"""
    yes = is_derivable(geometric(3, "1/2"), source=geometric(3, "1/4"))
    lemma = _stage(3, Rational("1/2"), Rational("1/4"))  # Lemma 3: G_{n,β} = G_{n,α} T_{α,β}, here α = 1/2, β = 1/4
    least = min(min(row) for row in lemma.rows())
    detail = (
        f"derivable, as printed; but Lemma 3's T_(α,β) = G_α⁻¹G_β, at α = 1/2 > β = 1/4, has the entry {least}: the indices are "
        "in the other order there"
    )
    status = Status.REFUTED if not yes.proved else Status.CERTIFIED if _stochastic(lemma) else Status.IMPRECISE
    return Finding(status, detail, {"level-1-4-to-1-2": yes})


def stage_index(printed: Printed) -> Finding:
    """2.6: r_i is given to T_i = T_{α_i,α_{i+1}}. In which convention, and is T_i Algorithm 1's?"""
    low, high = Rational("1/4"), Rational("1/2")
    by_lemma, by_text = _stage(3, low, high), _stage(3, high, low)
    consistent = _stochastic(by_text)
    algorithm = _printed_algorithm([low, high, Rational("3/4")], 3, last=2)[2]
    shifted = algorithm == by_lemma  # Algorithm 1 calls this stage T_2, section 2.6 calls it T_1
    release = multi_level_release(3, [PrivacyLevel(text) for text in CHAIN])
    detail = (
        f"T_(α_i,α_(i+1)) is stochastic with Lemma 3's index order ({_stochastic(by_lemma)}), not with 2.6's own ({consistent}); "
        f"the stage that takes r_i is T_(i+1) in Algorithm 1 ({shifted}), T_i here"
    )
    right = _stochastic(by_lemma) and release.proved
    status = Status.REFUTED if not right else Status.CERTIFIED if consistent and not shifted else Status.IMPRECISE
    return Finding(status, detail, {"release-three-levels": release})


def _printed_algorithm(levels: Sequence[Rational], n: int, *, last: int) -> dict[int, ExactMatrix]:
    """Algorithm 1's first loop: T_{i+1} with G_{i+1} = G_i T_{i+1}; KeyError where a level is missing."""
    alpha = dict(enumerate(levels, 1))
    T = {1: definition_4(n, alpha[1])}
    for i in range(1, last + 1):
        T[i + 1] = _stage(n, alpha[i], alpha[i + 1])
    return T


def algorithm_1(printed: Printed) -> Finding:
    """Algorithm 1: do its loops run as printed, and has r_i the law G_{α_i}?"""
    release = multi_level_release(3, [PrivacyLevel(text) for text in CHAIN])
    right = release.proved
    for n in (1, 2, 3):
        for chosen in combinations(map(Rational, LEVELS), 3):
            T = _printed_algorithm(chosen, n, last=len(chosen) - 1)
            law = T[1]
            for i in range(2, len(chosen) + 1):
                right = right and _stochastic(T[i])
                law = law @ T[i]
                right = right and law == geometric(n, chosen[i - 1]).matrix
    try:
        _printed_algorithm([Rational(text) for text in CHAIN], 3, last=len(CHAIN))
        runs = True
    except KeyError:
        runs = False
    detail = (
        "r_i has the law G_(α_i), on all triples of seven levels, n ≤ 3; the first loop must end at k−1: as printed (1 ≤ i ≤ "
        "k) it needs α_(k+1)"
    )
    status = Status.REFUTED if not right else Status.HOLDS if runs else Status.IMPRECISE
    return Finding(status, detail, {"release-three-levels": release})


def lemma_4(printed: Printed) -> Finding:
    """Lemma 4: every coalition's joint law is G_{c_1}(i, r_{c_1}) times a factor without i: level α_{c_1}."""
    release = multi_level_release(3, [PrivacyLevel(text) for text in CHAIN])
    other = multi_level_release(2, [PrivacyLevel(text) for text in ("1/5", "1/4", "2/3", "9/10")])
    right = release.proved and other.proved
    count = 0
    for verdict in (release, other):
        for coalition in verdict.evidence.coalitions:
            right = right and _factors(coalition, geometric(verdict.evidence.n, verdict.evidence.levels[coalition.members[0]].alpha).matrix)
            count += 1
    detail = (
        f"all {count} coalitions of 3 levels (n = 3) and 4 levels (n = 2): the joint law factors, and the level is that of the first member"
    )
    return finding(right, detail, {"release-three-levels": release})


def _factors(coalition: Coalition, G: ExactMatrix) -> bool:
    """Whether P(r_C | i) / G(i, r_{c_1}) does not depend on i, for every joint result."""
    law = coalition.mechanism
    for c, label in enumerate(law.outputs):
        first = int(label.split(",")[0])
        if len({law[i, c] / G[i, first] for i in range(law.n_inputs)}) != 1:
            return False
    return True


def displays(printed: Printed) -> Finding:
    """Lemma 3, proof: are the three displays positive for all α ≤ β, and is 1+α²−2αβ > (1−α)²?"""
    ends = [QQ.zero, *map(Rational, LEVELS), QQ.one]
    pairs = [(a, b) for a in ends for b in ends if a <= b]
    weak = all(_slope(a, b) >= 0 and _peak(a, b) >= (1 - a) ** 2 >= 0 for a, b in pairs)
    rising = all((_slope(a, b) > 0) == (a < b) for a, b in pairs if b > 0 and a * b < 1)
    peak = all((_peak(a, b) > (1 - a) ** 2) == (a > 0 and b < 1) and (_peak(a, b) > 0) == (a < 1) for a, b in pairs)
    if not (weak and rising and peak):
        return Finding(Status.OPEN, "a display is negative, or strict at other levels than the repair says")
    fails = [(a, b) for a, b in pairs if not (_slope(a, b) > 0 and _peak(a, b) > (1 - a) ** 2 > 0)]
    half = Rational("1/2")
    detail = (
        f"displays 1 and 3 are {_slope(half, half)} at α = β = 1/2; 1+α²−2αβ = (1−α)² at α = 0 and at β = 1; with ≥ all are right "
        "(pairs of nine levels, 0 and 1 included)"
    )
    return Finding(Status.REFUTED if (half, half) in fails else Status.HOLDS, detail)


def independent(printed: Printed) -> Finding:
    """2.6: do independent results for several consumers, combined, have less privacy than each?"""
    first, second = geometric(3, "1/4"), geometric(3, "1/2")
    joint = Mechanism([[x * y for x in first.matrix.row(i) for y in second.matrix.row(i)] for i in range(4)])
    verdict = tightest_level(joint, path(3))
    level = verdict.evidence.tightest.ratio
    detail = f"independent results of G(3, 1/4) and G(3, 1/2), combined, are private at {level} and no more, less than min(1/4, 1/2)"
    return finding(level == Rational("1/8"), detail, {"independent-results": verdict}, status=Status.CERTIFIED)
