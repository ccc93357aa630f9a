# SPDX-License-Identifier: MIT
"""Local privacy: the two-coin protocol, the flat mechanism, collections, and the two methods of inference."""

from __future__ import annotations

from exactdp.analysis import tightest_level
from exactdp.analysis.composition import collected, collection_level, complete_graph
from exactdp.analysis.inference import bayesian_update, clip_and_renormalise, likelihood_gap, matrix_inversion, project_to_simplex
from exactdp.claims.finding import Finding, Printed
from exactdp.claims.record import Status
from exactdp.exact import QQ, ExactMatrix, ExponentialField, Rational, RationalFunctionField
from exactdp.mechanisms import randomized_response, randomized_response_at
from exactdp.mechanisms.coins import two_coin
from exactdp.model import Mechanism

__all__ = ["bayesian", "collection", "flat", "inversion", "two_coins"]


def two_coins(printed: Printed) -> Finding:
    """The protocol's matrix and its level, e^(−log 3) = 1/3."""
    m = two_coin("1/2", "1/2")
    level = tightest_level(m, complete_graph(m.inputs))
    right = m.matrix == ExactMatrix([["3/4", "1/4"], ["1/4", "3/4"]]) and level.evidence.tightest.ratio == Rational("1/3")
    detail = "from the coin tosses [[3/4, 1/4], [1/4, 3/4]]; the tightest level is 1/3 = e^(−log 3)"
    return Finding(Status.CERTIFIED if right else Status.REFUTED, detail, {"two-coin-level": level})


def flat(printed: Printed) -> Finding:
    """C = 1/(e^ε + k − 1), for every ε at once; and the level."""
    a = RationalFunctionField().gen  # e^(−ε)
    for k in range(2, 13):
        m = randomized_response_at(range(k), a)
        c = 1 / (1 / a + k - 1)
        if not (m[0, 1] == c and m[0, 0] == c / a and c / a + (k - 1) * c == 1):
            return Finding(Status.REFUTED, f"c is something else for {k} values")
    m = randomized_response_at(range(4), ExponentialField(1).gen)
    level = tightest_level(m, complete_graph(m.inputs))
    detail = "c = 1/(e^ε + k − 1) for k values: an identity in e^(−ε), k ≤ 12; its tightest level is e^(−ε)"
    return Finding(Status.CERTIFIED, detail, {"flat-four": level})


def collection(printed: Printed) -> Finding:
    """A collection of ε_i-LDP reports is max ε_i-DP, for every query."""
    coins = [randomized_response(["no", "yes"], keep) for keep in ("3/4", "2/3", "4/5")]
    verdict = collection_level(coins)
    for people in (1, 2, 3):
        central, graph = collected(coins[0], people)
        if tightest_level(central, graph).evidence.tightest.ratio != Rational("1/3"):
            return Finding(Status.REFUTED, "a collection written out has another level")
    if verdict.evidence.ratio != Rational("1/4"):
        return Finding(Status.REFUTED, "the level of three different reports is not the least one")
    detail = (
        "the level is the least of the local levels (the largest ε): 1/4 for coins with 1/3, 1/2, 1/4; checked on "
        "the whole product for up to 3 people"
    )
    return Finding(Status.HOLDS, detail, {"three-reports": verdict})


def inversion(printed: Printed) -> Finding:
    """R = C^(−1) q as printed, with rows of C the true answers: right only for the transpose."""
    coin = two_coin("1/2", "1/2")
    negative = matrix_inversion(coin, ["1/8", "7/8"])
    mended = clip_and_renormalise(negative) == project_to_simplex(negative) == (QQ.zero, QQ.one)
    C = Mechanism([[1, 0], ["1/2", "1/2"]])
    truth = [Rational("1/2"), Rational("1/2")]
    q = [sum((truth[x] * C[x, y] for x in range(2)), QQ.zero) for y in range(2)]
    as_printed = C.matrix.solve(ExactMatrix([[x] for x in q])).column(0)
    right = matrix_inversion(C, q)
    if negative[0] >= 0 or not mended:
        return Finding(Status.REFUTED, "the inversion of the two-coin protocol has no negative entry where the lecture says it may")
    if list(as_printed) == truth:
        return Finding(Status.CERTIFIED, "C^(−1) q gives the truth")
    detail = (
        f"with C = [[1, 0], [1/2, 1/2]] and the truth (1/2, 1/2) the reports are ({q[0]}, {q[1]}), and C^(−1)q = "
        f"({as_printed[0]}, {as_printed[1]}) does not even "
        f"sum to 1; q·C^(−1) = ({right[0]}, {right[1]}). Negative entries do occur: (−1/4, 5/4)"
    )
    return Finding(Status.REFUTED, detail)


def bayesian(printed: Printed) -> Finding:
    """The iterative update; "any distribution" as a start."""
    coin = two_coin("1/2", "1/2")
    q = ["5/8", "3/8"]
    p = bayesian_update(coin, q, steps=1)
    by_hand = Rational("5/8") * Rational("3/4") + Rational("3/8") * Rational("1/4")  # start (1/2, 1/2): posteriors 3/4 and 1/4
    stuck = bayesian_update(coin, q, [1, 0], steps=3)
    gap = likelihood_gap(coin, q, [1, 0])
    if p[0] != by_hand:
        return Finding(Status.REFUTED, "one step is not the Bayesian update weighted by q")
    if stuck != (1, 0) or gap.evidence.gap == 0:
        return Finding(Status.DEFINITION, "every start converges here")
    detail = (
        'one step is Σ_y q_y P(x|y); but from p_0 = (1, 0), which "any distribution" includes, it never moves, and '
        "is not of maximum likelihood"
    )
    return Finding(Status.IMPRECISE, detail, {"stuck-at-the-start": gap})
