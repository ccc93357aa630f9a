# SPDX-License-Identifier: MIT
"""Definitions: differential privacy, Laplacian and geometric noise, utility, counting queries.

Exercises 1 to 7, each answered by a computation.

Local privacy: the two-coin protocol, the flat mechanism, collections, and the two methods of inference.

The two fundamental results: universal optimality for counting queries, and only there; exercise 8 on the
triangle.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from exactdp.analysis import Verdict, best_remap, is_optimal_after_remap, is_optimum_unique, is_private, optimum, tightest_level
from exactdp.analysis.composition import collected, collection_level, databases
from exactdp.analysis.inference import bayesian_update, clip_and_renormalise, likelihood_gap, matrix_inversion, project_to_simplex
from exactdp.analysis.types.universal import universally_optimal_mechanism
from exactdp.analysis.types.universal_levels import universal_by_level
from exactdp.exact import QQ, ExactMatrix, ExponentialField, Rational, RationalFunctionField, same_formula
from exactdp.mechanisms import geometric, randomized_response, truncate
from exactdp.mechanisms.laplace import RoundedLaplaceNoise
from exactdp.mechanisms.noise import GeometricNoise, censored, lumped_geometric
from exactdp.mechanisms.responses import two_coin
from exactdp.model import BayesianConsumer, Gain, Graph, Loss, Mechanism, Prior, PrivacyLevel, Remap, neighbours
from exactdp.model.neighbours import query_graph
from proofs.record import Finding, Printed, Status, finding


def privacy(printed: Printed) -> Finding:
    """p(z|x1) ≤ e^ε p(z|x2) for adjacent x1, x2: the same as the ratio test of tightest_level, on a grid."""
    grid = [Rational(k, 4) for k in range(5)]
    path = Graph.path(2)
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
    total = noise.lower_tail(-3) + sum((noise.mass(z) for z in range(-2, 3)), t.field.zero) + noise.upper_tail(3)
    return finding(same_formula(total, 1), "rounded to integers the total mass is 1, identically in e^(−ε/(2Δf))")


def geometric_noise(printed: Printed) -> Finding:
    """p(z|y) = c·α^|z−y|, α = e^(−ε/Δf), c = (1−α)/(1+α): a law for every α; ε-private for sensitivity Δf."""
    a = RationalFunctionField().gen
    noise = GeometricNoise(a)
    c = (1 - a) / (1 + a)
    agrees = all(same_formula(noise.mass(z), c * a ** abs(z)) for z in range(-4, 5))
    # Σ_{|z| ≤ k} c·a^|z| = 1 − 2a^(k+1)/(1+a), which tends to 1
    totals = (sum((noise.mass(z) for z in range(-k, k + 1)), a.field.zero) for k in range(8))
    sums = all(same_formula(total, 1 - 2 * a ** (k + 1) / (1 + a)) for k, total in enumerate(totals))
    m = censored(GeometricNoise("1/2"), range(5), 0, 4)
    two_apart = Graph(m.inputs, [(i, j) for i in range(5) for j in (i + 1, i + 2) if j < 5], name="answers at most 2 apart")
    level = tightest_level(m, two_apart)
    right = agrees and sums and level.evidence.tightest.ratio == Rational("1/4")
    detail = "a law for every α (identities in α up to 8 terms); with α = e^(−ε/2) and sensitivity 2 the level is α² = e^(−ε)"
    return finding(right, detail, {"sensitivity-two": level})


def utility(printed: Printed) -> Finding:
    """U = max over remaps of the expected gain: by all remaps, and as a Bayesian consumer's best remap."""
    m, prior = geometric(2, "1/2"), [Rational("1/2"), Rational("1/3"), Rational("1/6")]
    best = QQ.zero
    for remap in product(range(3), repeat=3):
        value = sum((prior[y] * m[y, z] * int(remap[z] == y) for y in range(3) for z in range(3)), QQ.zero)
        best = max(best, value)
    gain = Gain(ExactMatrix.identity(3), m.inputs, m.inputs)
    loss = best_remap(m, BayesianConsumer(gain.as_loss(), Prior(prior))).evidence.least_loss
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


def percentage(printed: Printed) -> Finding:
    """Exercise 1: a percentage of at least 1000 records. Δf = 100/1000: the density is 5ε·e^(−10ε|z−y|)."""
    most = max(Rational(100, m) for m in range(1000, 1200))  # one record changed among m: the count moves by 1
    added = max(
        abs(Rational(100 * (k + e), m + 1) - Rational(100 * k, m))
        for m in range(1000, 1010)
        for k in (0, 1, m // 2, m - 1, m)
        for e in (0, 1)
    )
    if most != Rational(1, 10) or added >= most:
        return Finding(Status.REFUTED, "the sensitivity is not 1/10")
    detail = (
        "Δf = 100/1000 = 1/10 when a record changes (less when one is added), attained at 1000 records: c = ε/(2Δf) "
        "= 5ε, density 5ε·e^(−10ε|z−y|)"
    )
    return Finding(Status.HOLDS, detail)


def truncated(printed: Printed) -> Finding:
    """Exercise 2: the truncated geometric mechanism on {0..100}."""
    a = RationalFunctionField().gen
    powers = [a**k for k in range(101)]
    c, e = (1 - a) / (1 + a), 1 / (1 + a)
    rows = [e * (powers[i] + powers[100 - i]) + c * sum((powers[abs(i - z)] for z in range(1, 100)), a.field.zero) for i in range(101)]
    level = tightest_level(geometric(100, "1/2"), Graph.path(101))
    same = truncate(GeometricNoise("1/2"), 100) == geometric(100, "1/2")
    if not (all(same_formula(total, 1) for total in rows) and same and level.evidence.tightest.ratio == Rational("1/2")):
        return Finding(Status.REFUTED, "the truncated geometric mechanism on 0..100 is something else")
    detail = "α^|y−z|/(1+α) for z ∈ {0, 100}, (1−α)α^|y−z|/(1+α) between: all 101 rows sum to 1 identically in α, level α at α = 1/2"
    return Finding(Status.HOLDS, detail, {"truncated-101": level})


def hamming(printed: Printed) -> Finding:
    """Exercise 3: privacy for neighbours is privacy for all pairs with e^(εh)."""
    for values, people in ((2, 1), (2, 2), (2, 3), (3, 2)):
        graph = databases([str(v) for v in range(values)], people)
        records = [tuple(label.split(",")) for label in graph.vertices]
        for seed in range(1, 5):
            weights = [[Rational(1 + (seed * (i + 1) * (r + 2) + i * r) % 5) for r in range(2)] for i in range(len(records))]
            m = Mechanism([[x / sum(row, Rational(0)) for x in row] for row in weights], graph.vertices)
            level = tightest_level(m, graph).evidence.tightest.ratio
            for i, x in enumerate(records):
                for j, y in enumerate(records):
                    h = sum(a != b for a, b in zip(x, y, strict=True))
                    if any(m[i, r] < level**h * m[j, r] for r in range(2)):
                        return Finding(Status.REFUTED, "a private mechanism breaks the condition for all pairs")
    detail = "at the tightest level of 16 mechanisms on databases of up to 3 records; the other direction takes h = 1"
    return Finding(Status.HOLDS, detail)


def _utility(m: Mechanism) -> Any:
    """The verdict of the best remap for the uniform prior and the identity gain (the loss is 1 − gain)."""
    inputs = m.inputs
    return best_remap(m, BayesianConsumer(Loss.zero_one(inputs), Prior.uniform(inputs)))


def uniform_utility(printed: Printed) -> Finding:
    """Exercise 4: U = (101 − 99α)/(101(1+α)) for the uniform prior on {0..100} and the identity gain."""
    n = 100
    verdict = _utility(geometric(n, "1/2"))
    formula = (101 - 99 * Rational("1/2")) / (101 * (1 + Rational("1/2")))
    a = RationalFunctionField().gen
    diagonal = (2 + (n - 1) * (1 - a)) / (1 + a)  # Σ_z p(z|z): every output's best guess is itself, because α^|y−z| ≤ 1
    if diagonal / (n + 1) != ((n + 1) - (n - 1) * a) / ((n + 1) * (1 + a)) or not all(a**k <= 1 for k in range(1, n + 1)):
        return Finding(Status.REFUTED, "the closed form fails")
    tails = 2 * a / (1 + a) + (n + 1) * (1 - a) / (1 + a)  # unbounded: results below 0 and above n are best read as 0 and n
    if tails != diagonal:
        return Finding(Status.REFUTED, "the unbounded mechanism has another utility")
    if 1 - verdict.evidence.value != formula:
        return Finding(Status.REFUTED, f"the utility at α = 1/2 is {1 - verdict.evidence.value}")
    detail = (
        f"U = (101 − 99α)/(101(1+α)) for every α, unbounded or truncated alike; at α = 1/2 it is {formula}, as the best remap found says"
    )
    return Finding(Status.HOLDS, detail, {"uniform-utility": verdict})


def _merged(n: int = 3) -> tuple[Mechanism, Mechanism]:
    """G(n, 1/2), and the same with the results 0 and 1 both reported as 0."""
    G = geometric(n, "1/2")
    merge = Remap([[int(r == (0 if z == 1 else z)) for r in range(n + 1)] for z in range(n + 1)], G.outputs, G.outputs)
    return G, G.post_process(merge)


def post_processing(printed: Printed) -> Finding:
    """Exercise 5: post-processing can lower the utility and never raises it, with the best remap or not."""
    before, merged = _merged()
    first, second = _utility(before), _utility(merged)
    if not second.evidence.value > first.evidence.value:
        return Finding(Status.REFUTED, "merging two results costs nothing here")
    detail = f"yes: merging two results of G(3, 1/2) lowers the utility from {1 - first.evidence.value} to {1 - second.evidence.value}"
    return Finding(Status.HOLDS, detail, {"utility-before": first, "utility-after": second})


def post_processing_privacy(printed: Printed) -> Finding:
    """Exercise 5, "we saw that post-processing cannot decrease privacy": levels before and after."""
    right = True
    for n, text in product((1, 2, 3), ("1/4", "1/2", "9/10")):
        G, path = geometric(n, text), Graph.path(n + 1)
        before = tightest_level(G, path).evidence.tightest.ratio
        for guesses in product(range(n + 1), repeat=n + 1):
            rows = [[(1 + int(r == guess)) for r in range(n + 1)] for guess in guesses]  # at random, the guess twice as likely
            mixed = Remap([[Rational(x, n + 2) for x in row] for row in rows], G.outputs, G.outputs)
            right = right and tightest_level(G.post_process(mixed), path).evidence.tightest.ratio >= before
    return finding(right, "the tightest level never falls: G(n, α), n ≤ 3, three levels, (n+1)^(n+1) randomised remaps each")


def prior_matters(printed: Printed) -> Finding:
    """Privacy does not depend on the prior, but the utility does: G(3, 1/2) for two priors."""
    G = geometric(3, "1/2")
    uniform = _utility(G)
    sure = best_remap(G, BayesianConsumer(Loss.zero_one(G.inputs), Prior(("1", "0", "0", "0"))))
    first, second = 1 - uniform.evidence.value, 1 - sure.evidence.value
    detail = f"G(3, 1/2) has the utility {first} for the uniform prior and {second} for the prior (1, 0, 0, 0); no prior is in its level"
    return finding(first != second, detail, {"utility-before": uniform, "utility-sure": sure}, status=Status.CERTIFIED)


def less_useful(printed: Printed) -> Finding:
    """Exercise 6: a mechanism for the same query with the same ε and lower utility."""
    before, merged = _merged()
    path = Graph.path(4)
    level, same = tightest_level(merged, path), tightest_level(before, path)
    private = is_private(merged, path, PrivacyLevel("1/2"))
    first, second = _utility(before), _utility(merged)
    right = level.evidence.tightest == same.evidence.tightest and private.proved and second.evidence.value > first.evidence.value
    if not right:
        return Finding(Status.REFUTED, "the merged mechanism is not as private, or not less useful")
    large, small = _merged(100)  # the query of exercise 2
    ratio = tightest_level(small, Graph.path(101)).evidence.tightest.ratio
    if ratio != Rational("1/2") or not _utility(small).evidence.value > _utility(large).evidence.value:
        return Finding(Status.REFUTED, "with 100 people the merged mechanism is not as private, or not less useful")
    detail = "G(3, 1/2), and G(100, 1/2), with the results 0 and 1 merged: tightest level 1/2 as before, lower utility"
    return Finding(Status.HOLDS, detail, {"merged-level": level, "utility-before": first, "utility-after": second})


def average_age(printed: Printed) -> Finding:
    """Exercise 7: the graph on the answers of "average age" has cycles."""
    ages, people = range(3), 2
    records = list(product(ages, repeat=people))
    edges = {
        frozenset((sum(x), sum(y)))
        for x in records
        for y in records
        if sum(a != b for a, b in zip(x, y, strict=True)) == 1 and sum(x) != sum(y)
    }
    triangle = [frozenset(p) for p in ((0, 1), (1, 2), (0, 2))]
    if not all(edge in edges for edge in triangle):
        return Finding(Status.REFUTED, "no triangle among the averages 0, 1/2, 1")
    return Finding(Status.CERTIFIED, "with two people of ages 0, 1, 2 the averages 0, 1/2 and 1 are pairwise adjacent: a triangle")


def two_coins(printed: Printed) -> Finding:
    """The protocol's matrix and its level, e^(−log 3) = 1/3."""
    m = two_coin("1/2", "1/2")
    level = tightest_level(m, Graph.complete(m.inputs))
    right = m.matrix == ExactMatrix([["3/4", "1/4"], ["1/4", "3/4"]]) and level.evidence.tightest.ratio == Rational("1/3")
    detail = "from the coin tosses [[3/4, 1/4], [1/4, 3/4]]; the tightest level is 1/3 = e^(−log 3)"
    return finding(right, detail, {"two-coin-level": level}, status=Status.CERTIFIED)


def uniform_protection(printed: Printed) -> Finding:
    """The more uniform the probabilities, the higher the protection: two protocols with coins of one bias."""
    fair, biased = two_coin("1/2", "1/2"), two_coin("1/8", "1/8")
    levels = [tightest_level(m, Graph.complete(m.inputs)) for m in (fair, biased)]
    furthest = [[max(abs(m[x, y] - Rational("1/2")) for y in range(2)) for x in range(2)] for m in (fair, biased)]
    less_uniform = all(b > f for f, b in zip(*furthest, strict=True))
    low, high = (level.evidence.tightest.ratio for level in levels)
    if not (less_uniform and high > low):
        return Finding(Status.HOLDS, "less uniform rows have the lower level here")
    detail = (
        f"coins with bias 1/8: both rows are further from (1/2, 1/2) than those of the fair coins, and the tightest "
        f"level is {high}, not {low}"
    )
    return Finding(Status.REFUTED, detail, {"two-coin-level": levels[0], "biased-coins-level": levels[1]})


def flat(printed: Printed) -> Finding:
    """C = 1/(e^ε + k − 1), for every ε at once; and the level."""
    a = RationalFunctionField().gen  # e^(−ε)
    for k in range(2, 13):
        m = randomized_response(range(k), alpha=a)
        c = 1 / (1 / a + k - 1)
        if not (same_formula(m[0, 1], c) and same_formula(m[0, 0], c / a) and same_formula(c / a + (k - 1) * c, 1)):
            return Finding(Status.REFUTED, f"c is something else for {k} values")
    m = randomized_response(4, alpha=ExponentialField(1).gen)
    level = tightest_level(m, Graph.complete(m.inputs))
    detail = "c = 1/(e^ε + k − 1) for k values: an identity in e^(−ε), k ≤ 12; its tightest level is e^(−ε)"
    return Finding(Status.HOLDS, detail, {"flat-four": level})


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


def clipping(printed: Printed) -> Finding:
    """Clipping and projection both give distributions; they need not be the same."""
    answers = {}
    for text in ("-1/4 5/4", "-1/4 1/4 1", "-1 -1 3", "1/2 1/2", "-2 3/2 3/2"):
        r = [Rational(x) for x in text.split()]
        clipped, projected = clip_and_renormalise(r), project_to_simplex(r)
        for v in (clipped, projected):
            if sum(v, QQ.zero) != 1 or min(v) < 0:
                return Finding(Status.REFUTED, f"({text}) leads to {v}, no distribution")
        distance = [sum(((x - y) ** 2 for x, y in zip(r, v, strict=True)), QQ.zero) for v in (clipped, projected)]
        if distance[1] > distance[0]:
            return Finding(Status.REFUTED, f"the projection of ({text}) is not the nearest distribution")
        answers[text] = clipped == projected
    if not answers["-1/4 5/4"] or answers["-1/4 1/4 1"]:
        return Finding(Status.REFUTED, "the two methods differ on two entries, or agree on (−1/4, 1/4, 1)")
    return Finding(Status.HOLDS, "distributions on five vectors; the same on (−1/4, 5/4), different on (−1/4, 1/4, 1)")


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


def linear_program(printed: Printed) -> Finding:
    """The optimum by linear optimization, and by the best remap of a mechanism known to be optimal."""
    path, level = Graph.path(3), PrivacyLevel("1/2")
    for weights in PRIORS:
        consumer = BayesianConsumer(Loss.absolute(path.vertices), Prior(weights))
        found = optimum(path, level, consumer).evidence.value
        if found != best_remap(geometric(2, "1/2"), consumer).evidence.value:
            return Finding(Status.REFUTED, f"the linear program's value {found} is not the least loss")
    return Finding(Status.HOLDS, "four priors on a path of three inputs: the linear program has the value of the best remap of G(2, 1/2)")


PRIORS = (("1/3", "1/3", "1/3"), ("1/2", "1/2", "0"), ("1/6", "1/2", "1/3"), ("0", "1/4", "3/4"))


def ghosh(printed: Printed) -> Finding:
    """The geometric mechanism is optimal after the best remap, for all priors on the answers; and on
    databases?
    """
    path = Graph.path(3)
    verdicts = {}
    for level, weights in product(("1/4", "3/4"), PRIORS):
        for loss in (Loss.absolute(path.vertices), Loss.zero_one(path.vertices), Loss.squared(path.vertices)):
            consumer = BayesianConsumer(loss, Prior(weights))
            alpha = PrivacyLevel(level)
            for m in (geometric(2, level), lumped_geometric(2, level)):
                verdict = is_optimal_after_remap(m, path, alpha, consumer)
                if verdict.refuted:
                    return Finding(Status.REFUTED, f"{level}, {weights}, {loss.name}: {verdict.claim}")
                verdicts[level, weights, loss.name, m.n_outputs] = verdict
    private, oblivious, utility_of_rival = _not_oblivious()
    kept = {
        "geometric-uniform-prior": verdicts["1/4", PRIORS[0], "zero-one", 3],
        "unbounded-skew-prior": verdicts["3/4", PRIORS[2], "abs", 5],
        "private-on-databases": private,
        "oblivious-two-thirds": oblivious,
    }
    detail = f"{len(verdicts)} instances on 0..2: two levels, four priors on the answers, three losses, truncated and unbounded"
    best = 1 - oblivious.evidence.value
    if not private.proved or utility_of_rival <= best:
        return Finding(Status.HOLDS, detail, kept)
    detail += (
        f"; but for the prior 1/2 on each of the databases 001 and 110 and the identity gain a private mechanism that is not oblivious "
        f"has the utility {utility_of_rival}, an oblivious one at most {best}, both at α = 1/2"
    )
    return Finding(Status.IMPRECISE, detail, kept)


def _not_oblivious() -> tuple[Verdict[Any], Verdict[Any], Any]:
    """Three people, α = 1/2, the prior 1/2 on each of 001 and 110: a mechanism that counts the records that
    differ from 001, the optimum of oblivious mechanisms, and the first one's utility for the identity gain.
    """
    cube = databases(["0", "1"], 3)
    one = {0: "5/6", 1: "2/3", 2: "1/3", 3: "1/6"}  # the probability of the answer 1 at so many differences
    rows = [Rational(one[sum(x != y for x, y in zip(word.split(","), "001", strict=True))]) for word in cube.vertices]
    rival = Mechanism([[p, 1 - p] for p in rows], cube.vertices, (1, 2))
    answers = Graph.path(4)
    loss = BayesianConsumer(Loss.zero_one(answers.vertices), Prior(("0", "1/2", "1/2", "0"), answers.vertices))
    reached = (rival["0,0,1", "1"] + rival["1,1,0", "2"]) / 2
    return is_private(rival, cube, PrivacyLevel("1/2")), optimum(answers, PrivacyLevel("1/2"), loss), reached


def _triangle(weights: tuple[str, str, str]) -> BayesianConsumer:
    graph = neighbours("complete:3")
    return BayesianConsumer(Loss.zero_one(graph.vertices), Prior(weights, graph.vertices))


def _common_value() -> Graph:
    """The graph of "which of three values do both of two people have, if the same?": a star."""
    return query_graph(lambda people: people[0] if people[0] == people[1] else "none", range(3), 2, name="the common value")


def _levels(near: Graph, loss: Loss) -> tuple[list[tuple[str, bool | None]], Any]:
    """At which levels there is a universally optimal mechanism, and the verdict."""
    every = universal_by_level(near, loss)
    return [(str(piece), yes) for piece, (yes, _) in every.evidence.pieces], every


def _star() -> tuple[bool, dict[str, Any]]:
    """Whether the star has one for the identity gain exactly up to 1/2, and none for the distance."""
    star = _common_value()
    right, levels = _levels(star, Loss.zero_one(star.vertices))
    near, distance = _levels(star, Loss.from_distance(star))
    half = universally_optimal_mechanism(star, "1/2", Loss.zero_one(star.vertices))
    expected = [("(0, 1/2)", True), ("[1/2, 1/2]", True), ("(1/2, 1)", False)]
    as_said = right == expected and near == [("(0, 1)", False)] and half.proved and not star.is_path
    return as_said, {"star-optimal": half, "star-levels": levels, "star-distance": distance}


def two_priors(printed: Printed) -> Finding:
    """Exercise 8: true on a triangle, for all numbers of outputs; false on a star up to 1/2."""
    graph, level = neighbours("complete:3"), PrivacyLevel("1/2")
    assert isinstance(graph, Graph)
    flat = randomized_response(graph.vertices, alpha=level)
    uniform, two = _triangle(("1/3", "1/3", "1/3")), _triangle(("1/2", "1/2", "0"))
    unique = is_optimum_unique(graph, level, uniform)
    worse = is_optimal_after_remap(flat, graph, level, two)
    none = universally_optimal_mechanism(graph, level, Loss.zero_one(graph.vertices))
    answers, every = _levels(graph, Loss.zero_one(graph.vertices))
    triangle = unique.proved and unique.evidence.first.matrix == flat.matrix and not worse.proved and none.refuted
    star, verdicts = _star()
    if not triangle or answers != [("(0, 1)", False)] or not star:
        return Finding(Status.HOLDS, "the triangle or the star is not as said")
    detail = (
        f"no level of a triangle has one; at α = 1/2 the only optimum for the uniform prior loses {worse.evidence.gap} for (1/2, 1/2, 0). "
        "A star has one for the identity gain at the levels up to 1/2"
    )
    kept = {"triangle-uniform": unique, "triangle-two": worse, "triangle-none": none, "triangle-levels": every}
    return Finding(Status.REFUTED, detail, {**kept, **verdicts})


def brenner_nissim(printed: Printed) -> Finding:
    """Are counting queries "the only kind"? Two queries on two people that count nothing have one, too."""
    edge = query_graph(lambda people: int(all(people)), (0, 1), 2, name="do both people have it")
    answers, every = _levels(edge, Loss.zero_one(edge.vertices))
    words = list(product((0, 1), repeat=2))
    counts = [{word: sum(x in has for x in word) for word in words} for has in ((), (0,), (1,), (0, 1))]
    is_count = any(all((all(v) == all(w)) == (count[v] == count[w]) for v in words for w in words) for count in counts)
    star, verdicts = _star()
    if is_count or not edge.is_path or not all(yes for _, yes in answers) or not star:
        return Finding(Status.HOLDS, "the two queries do not show it")
    detail = (
        '"do both people have it?" tells databases apart as no count does, and has one at every level; "which value do both have?" has '
        "a star for its graph, and one for the identity gain up to 1/2"
    )
    kept = {name: verdicts[name] for name in ("star-optimal", "star-levels")}
    return Finding(Status.REFUTED, detail, {"both-have-it-levels": every, **kept})
