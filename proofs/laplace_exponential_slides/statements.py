# SPDX-License-Identifier: MIT
"""The exponential mechanism: its privacy, its utility theorem and corollaries, and the two examples.

The Laplace distribution and mechanism, on integer grids over ℚ(e^(−x)), and subset-sum queries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

from exactdp.analysis import is_private, tightest_level
from exactdp.analysis.composition import sequential_level
from exactdp.errors import UndecidedSignError
from exactdp.exact import ExactMatrix, ExponentialField, Rational, RationalFunctionField
from exactdp.mechanisms.exponential import Scores, exponential_mechanism
from exactdp.mechanisms.laplace import RoundedLaplaceNoise
from exactdp.mechanisms.noise import censored, lumped
from exactdp.model import Graph, PrivacyLevel
from proofs.record import Finding, Printed, Status, finding


def _counts(colours: int, people: int) -> tuple[Scores, Graph]:
    """The number of people with each colour: databases are vectors of counts, one person more or less."""
    databases = [c for c in product(range(people + 1), repeat=colours) if sum(c) <= people]
    place = {c: k for k, c in enumerate(databases)}
    edges = [(place[c], place[d]) for c in databases for j in range(colours) if (d := (*c[:j], c[j] + 1, *c[j + 1 :])) in place]
    labels = ["".join(map(str, c)) for c in databases]
    return Scores(databases, labels), Graph(labels, edges, name=f"counts of {colours} colours, at most {people} people")


def _swaps(values: int, size: int) -> tuple[Scores, Graph]:
    """All score vectors over 0..values−1, adjacent when every score moves by 1 or less: the worst case."""
    rows = list(product(range(values), repeat=size))
    edges = [
        (i, j) for i, x in enumerate(rows) for j, y in enumerate(rows) if i < j and max(abs(a - b) for a, b in zip(x, y, strict=True)) == 1
    ]
    labels = ["".join(map(str, r)) for r in rows]
    return Scores(rows, labels), Graph(labels, edges, name=f"all scores 0..{values - 1} of {size} candidates")


def _everywhere(x: Any, y: Any) -> bool:
    """Whether x ≥ y for every level in (0, 1); a sign that changes says no."""
    try:
        return bool(x >= y)
    except UndecidedSignError:
        return False


def score_sensitivity(printed: Printed) -> Finding:
    """GS(q) = max over candidates and neighbours of |q(D, r) − q(D′, r)|."""
    scores, graph = _counts(3, 2)
    rows = list(scores.values.rows())
    by_hand = max(abs(x - y) for i, j in graph.edges for x, y in zip(rows[i], rows[j], strict=True))
    agrees = scores.sensitivity(graph) == by_hand == 1
    return Finding(Status.DEFINITION if agrees else Status.OPEN, "a definition; for colour counts it is 1")


def definition(printed: Printed) -> Finding:
    """Pr[r] ∝ exp(ε q(D, r)/(2Δ)); the slide gives q one argument, and needs Δ > 0."""
    t = ExponentialField(1, unit=2).gen
    m = exponential_mechanism(Scores([[3, 1, 0]]), t)
    agrees = m[0, 0] == m[0, 1] / t**2 == m[0, 2] / t**3
    detail = (
        "the law is as printed; q is declared ℕ^|X| → R where it takes a candidate too, and Δ = 0 (scores that do "
        "not depend on D) divides by 0"
    )
    return finding(agrees, detail, status=Status.IMPRECISE)


def exponential_privacy(printed: Printed) -> Finding:
    """(ε, 0)-private, on instances with their tightest level."""
    t = RationalFunctionField().gen  # e^(−ε/2), every value in (0, 1)
    for scores, graph in (_counts(2, 2), _swaps(2, 2), _swaps(2, 3)):
        m = exponential_mechanism(scores, t)
        rows = list(m.rows())
        for i, j in graph.edges:
            for x, y in zip(rows[i], rows[j], strict=True):
                if not (_everywhere(x, t**2 * y) and _everywhere(y, t**2 * x)):
                    return Finding(Status.REFUTED, f"not e^(−ε)-private on {graph.name}")
    e = ExponentialField(1, unit=2).gen
    scores, graph = _counts(3, 2)
    colours = exponential_mechanism(scores, e)
    worst, near = _swaps(2, 3)
    general = exponential_mechanism(worst, e)
    level = tightest_level(general, near)
    private = is_private(colours, graph, PrivacyLevel(e**2))
    strict = level.evidence.tightest.ratio > e**2
    if private.refuted or not strict:
        return Finding(Status.REFUTED, "an instance is not private, or the bound is attained where it can't be")
    detail = (
        "for every e^(−ε/2) in (0, 1) on three families; the tightest level can be strictly better than e^(−ε) = t²: "
        "with three candidates and worst-case "
        f"scores 0, 1 it is {level.evidence.tightest.ratio}, t = e^(−1/2)"
    )
    return Finding(Status.HOLDS, detail, {"eye-colours-private": private, "three-candidates-level": level})


def two_factors(printed: Printed) -> Finding:
    """⋆ and ⋆⋆ of the proof: the quotient of two weights, and of two sums of weights, is at most e^(ε/2)."""
    t = RationalFunctionField().gen  # e^(−ε/2): the weight of a score q is t^(−q), Δ = 1
    for scores, graph in (_counts(2, 2), _swaps(2, 2), _swaps(2, 3)):
        most = max(q for row in scores.values.rows() for q in row)
        weights = [[t ** int((most - q).numerator) for q in row] for row in scores.values.rows()]
        for i, j in graph.edges:
            for x, y in ((weights[i], weights[j]), (weights[j], weights[i])):
                one = all(_everywhere(b, t * a) for a, b in zip(x, y, strict=True))
                if not (one and _everywhere(sum(x, t.field.zero), t * sum(y, t.field.zero))):
                    return Finding(Status.REFUTED, f"a factor is above e^(ε/2) on {graph.name}")
    return Finding(Status.HOLDS, "for every e^(−ε/2) in (0, 1) on three families")


def _laws() -> Iterator[tuple[tuple[int, ...], Any, Any]]:
    """Score vectors with the exponential mechanism's row, for every t = e^(−ε/(2Δ)) in (0, 1) at once."""
    t = RationalFunctionField().gen
    for size in (1, 2, 3, 4):
        for row in product(range(4), repeat=size):
            if max(row) == row[0] and 0 in row:
                unit = Scores([row]).unit
                m = exponential_mechanism(Scores([row]), t ** int(unit.numerator))
                yield row, m.matrix.row(0), t


def _tail_holds(all_candidates: bool) -> bool:
    """Pr[q(r*) ≤ OPT − u] ≤ (|R|/|R_OPT|)·t^u for integers u: the theorem, its e^(−t) that factor."""
    for row, law, t in _laws():
        best = max(row)
        share = Rational(len(row), 1 if all_candidates else row.count(best))
        for u in range(1, best + 1):
            low = [p for x, p in zip(row, law, strict=True) if x <= best - u]
            if low and not _everywhere(share * t**u, sum(low[1:], low[0])):
                return False
    return True


def tail(printed: Printed) -> Finding:
    """The utility theorem."""
    if not _tail_holds(all_candidates=False):
        return Finding(Status.REFUTED, "the tail bound fails on an instance")
    return Finding(
        Status.HOLDS, "Pr[q ≤ OPT − u] ≤ (|R|/|R_OPT|)·e^(−εu/(2Δ)) for every ε at once, all scores 0..3 of up to 4 candidates, all u"
    )


def tail_with_all(printed: Printed) -> Finding:
    """The corollary with |R| alone."""
    if not _tail_holds(all_candidates=True):
        return Finding(Status.REFUTED, "the tail bound fails on an instance")
    return Finding(Status.HOLDS, "as the theorem, with 1 in place of |R_OPT|: the bound only grows")


def utility_proof(printed: Printed) -> Finding:
    """Pr[q ≤ x] ≤ Pr[q ≤ x]/Pr[q = OPT] ≤ (|R|/|R_OPT|)·e^(−ε(OPT − x)/(2Δ)), multiplied out."""
    for row, law, t in _laws():
        best = max(row)
        top = sum((p for q, p in zip(row, law, strict=True) if q == best), t.field.zero)
        for x in range(best + 1):
            low = sum((p for q, p in zip(row, law, strict=True) if q <= x), t.field.zero)
            if not (_everywhere(low, low * top) and _everywhere(Rational(len(row), row.count(best)) * t ** (best - x) * top, low)):
                return Finding(Status.REFUTED, f"a line of the proof fails for the scores {row}")
    return Finding(Status.HOLDS, "for every ε at once, all scores 0..3 of up to 4 candidates, all x")


def expectation(printed: Printed) -> Finding:
    """E[q(r*)] ≥ OPT − (2Δ/ε)(log|R| + log OPT) − 1: what about OPT < 1?"""
    # one candidate, OPT = 1/2, 2Δ/ε = 2: the bound says 1/2 ≥ 1/2 + 2·log 2 − 1, so 2·log 2 ≤ 1, that is,
    # e^(−1) ≤ 1/4
    if ExponentialField(1).gen <= Rational("1/4"):
        return Finding(Status.HOLDS, "the instance with OPT = 1/2 is no counterexample")
    detail = (
        "one candidate with q(D, r) = 1/2, Δ = 1, ε = 1 (so 2Δ/ε = 2): E[q] = 1/2, and the bound asks for 1/2 ≥ 2·log 2 "
        "− 1/2, which is false because "
        "e^(−1) > 1/4"
    )
    return Finding(Status.REFUTED, detail)


def expectation_proof(printed: Printed) -> Finding:
    """Pr[q ≤ x] ≤ 1/OPT and Pr[q ≥ x] ≥ 1 − 1/OPT at x = OPT − 2(log|R| + log OPT): ε = Δ = 1."""
    t = ExponentialField(1, unit=2).gen  # e^(−1/2): a score g below OPT is ≤ x iff t^g ≤ 1/(|R|·OPT)
    for size in (1, 2, 3):
        for row in product((0, 4, 8), repeat=size):
            best = max(row)
            if best < 1:
                continue
            scores = Scores([row])
            law = exponential_mechanism(scores, t ** int(scores.unit.numerator)).matrix.row(0)
            share, bound = Rational(1, size * best), Rational(1, best)
            low = sum((p for q, p in zip(row, law, strict=True) if t ** (best - q) <= share), t.field.zero)
            high = sum((p for q, p in zip(row, law, strict=True) if t ** (best - q) >= share), t.field.zero)
            if low > bound or high < 1 - bound:
                return Finding(Status.REFUTED, f"a line of the proof fails for the scores {row}")
    return Finding(Status.HOLDS, "all scores 0, 4, 8 of up to three candidates with OPT ≥ 1, ε = Δ = 1, decided over ℚ(e^(−1/2))")


def _mean_and_tail(row: Sequence[Any], x: Any) -> tuple[Any, Any]:
    """E[q] and x·Pr[q ≥ x] at e^(−ε/(2Δ)) = 1/2."""
    scores = Scores([row])
    law = exponential_mechanism(scores, Rational("1/2") ** int(scores.unit.numerator)).matrix.row(0)
    mean = sum((q * p for q, p in zip(row, law, strict=True)), Rational(0))
    return mean, x * sum((p for q, p in zip(row, law, strict=True) if q >= x), Rational(0))


def markov(printed: Printed) -> Finding:
    """E[q] ≥ x·Pr[q ≥ x]: for q ≥ 0, for negative scores, and at the x of the proof."""
    for row in product(range(3), repeat=3):
        for x in range(-2, 4):
            mean, tail = _mean_and_tail(row, x)
            if mean < tail:
                return Finding(Status.OPEN, f"it fails even for the scores {row}")
    mean, tail = _mean_and_tail([-1], 0)
    # scores 1/4 and −1, ε = Δ = 1: x = OPT − 2·log(|R|·OPT) is above OPT iff |R|·OPT < 1; Pr[q ≥ x] is 0 then
    best, other = Rational("1/4"), Rational(-1)
    law = exponential_mechanism(Scores([[best, other]]), ExponentialField("5/8").gen).matrix.row(0)
    own_x = 2 * best < 1 and law[0] * best + law[1] * other < 0
    if mean >= tail or not own_x:
        return Finding(Status.HOLDS, "the score −1 is no counterexample")
    return Finding(
        Status.REFUTED,
        "scores 1/4 and −1, ε = Δ = 1, at the x of the proof, 1/4 + 2·log 2: E[q] < 0 = x·Pr[q ≥ x]; "
        f"one candidate with the score −1, x = 0: E[q] = {mean}, x·Pr[q ≥ x] = {tail}; all scores 0..2 of three: no fault",
    )


def last_step(printed: Printed) -> Finding:
    """(OPT − c)(1 − 1/OPT) > OPT − c − 1, strictly?"""
    for best, c in product((Rational(1), Rational("3/2"), Rational(4)), (Rational(0), Rational("1/3"), Rational(7))):
        left, right = (best - c) * (1 - 1 / best), best - c - 1
        if (left > right) != (c > 0) or left < right:
            return Finding(Status.OPEN, f"at OPT = {best}, c = {c} the sides are {left} and {right}")
    return Finding(Status.REFUTED, "at OPT = 1 and c = 2·log 1 = 0 (one candidate) both sides are 0; > where c > 0")


def pricing(printed: Printed) -> Finding:
    """Prices of apples: what the printed profits force about the buyers, and the second best price."""
    # 4 buyers pay $1.00, one of them $4.01 or more but less than $4.02, the others less than $1.01 (cents)
    buyers = (100, 100, 100, 401)
    profit = {price: price * sum(value >= price for value in buyers) for price in range(1, 600)}
    said = {100: 400, 401: 401, 402: 0, 101: 101}
    if any(profit[price] != value for price, value in said.items()):
        return Finding(Status.REFUTED, "no four buyers have the printed profits")
    best = max(profit.values())
    second = max(value for value in profit.values() if value < best)
    ties = sorted(price for price, value in profit.items() if value == second)
    if ties == [100]:
        return Finding(Status.CERTIFIED, "the second best price is $1.00 alone")
    detail = (
        f"the profits are as printed and $4.01 is best, but the second best profit $4.00 is that of {len(ties)} prices: $1.00 and $4.00"
    )
    return Finding(Status.IMPRECISE, detail)


def eye_colour(printed: Printed) -> Finding:
    """OPT − (2/ε)(log 5 + 3) < OPT − 7.4/ε, except with probability e^(−3) < .05."""
    printed_inequality = ExponentialField("7/10").gen > Rational("1/5")  # 2(log 5 + 3) > 7.4 iff log 5 > 0.7 iff e^(−0.7) > 1/5
    small = ExponentialField(3).gen < Rational("1/20")
    # 2(log 5 + 3) is between 9.218 and 9.219: e^(−1.609) > 1/5 > e^(−1.6095)
    enclosed = ExponentialField("1609/1000").gen > Rational("1/5") > ExponentialField("3219/2000").gen
    # 7.4/ε is no guarantee: ε = 3/4, one colour 10 ahead of the four others, and 10 > 7.4/ε
    rate = Rational("3/4")
    t = ExponentialField(rate / 2).gen  # e^(−ε/2)
    m = exponential_mechanism(Scores([[10, 0, 0, 0, 0]]), t**10)
    wrong = 1 - m[0, 0]
    exceeds = Rational("37/5") / rate < 10 and wrong > t**8  # t⁸ = e^(−3)
    if not (printed_inequality and small and enclosed):
        return Finding(Status.OPEN, "the printed inequalities fail")
    if not exceeds:
        return Finding(Status.HOLDS, "7.4/ε is kept on this instance")
    detail = (
        "both printed inequalities are true, but the guarantee is 2(log 5 + 3)/ε, 2(log 5 + 3) between 9.218 and 9.219 "
        "(natural logarithm; 7.4 comes from log₁₀): with ε = 3/4 and one colour 10 > 7.4/ε ahead, the answer is 10 worse "
        "with probability above e^(−3)"
    )
    return Finding(Status.REFUTED, detail)


def muse(printed: Printed) -> Finding:
    """The score vector may have sensitivity |R|·GS(q); the error depends on log|R| only."""
    for size in range(1, 7):
        graph = Graph.path(3)
        scores = Scores(ExactMatrix.build(3, size, lambda i, r: i))  # q(D, r) = |D| for every r
        joint = max(sum(abs(scores.values[i, r] - scores.values[j, r]) for r in range(size)) for i, j in graph.edges)
        if joint != size * scores.sensitivity(graph):
            return Finding(Status.REFUTED, "the example does not have sensitivity |R|·GS(q)")
    return Finding(
        Status.HOLDS, "q(D, r) = |D| has GS(q) = 1 and a score vector of sensitivity |R|, |R| ≤ 6; the error's dependence is that of UT"
    )


RATES = ("1/10", "1/2", "1", "2")
"""Values of ε (and of 1/b) that are tried."""


def distribution(printed: Printed) -> Finding:
    """p(x|b) = e^(−|x|/b)/(2b): total mass 1, tails e^(−t), mean of |Y| enclosed."""
    for rate in RATES:
        t = ExponentialField(Rational(rate)).gen  # e^(−s), s = rate: the ratio of the masses of consecutive cells of width s·b
        noise = RoundedLaplaceNoise(t)  # rounding to multiples of 2s·b
        total = noise.lower_tail(-4) + sum((noise.mass(z) for z in range(-3, 4)), t.field.zero) + noise.upper_tail(4)
        tails = all(2 * noise.upper_tail(k) == t ** (2 * k - 1) for k in range(1, 5))
        s = Rational(rate)
        below, above = s * t / (1 - t), s / (1 - t)  # lower and upper sums of ∫ x e^(−x) dx over cells of width s
        if not (total == 1 and tails and below < 1 < above):
            return Finding(Status.REFUTED, f"the law of the rounded variable is wrong at rate {rate}")
    detail = "rounded to grids of four widths: total mass 1, P(|Y| ≥ kb·s) = e^(−ks), and E|Y|/b between sums that enclose 1"
    return Finding(Status.HOLDS, detail)


def mechanism(printed: Printed) -> Finding:
    """Q(D) + (Y_1, …, Y_k) with Y_i ~ Lap(Δ/ε)."""
    return Finding(Status.DEFINITION, "a definition; Δ = GS(Q) must be positive, since Lap(0) is undefined")


def privacy(printed: Printed) -> Finding:
    """The Laplace mechanism is (ε, 0)-private: on grids, with its tightest level, and for two coordinates."""
    for rate in RATES:
        t = ExponentialField(Rational(rate), unit=2).gen
        for n in (2, 4):
            m = lumped(RoundedLaplaceNoise(t), range(n + 1), -2, n + 2)
            path = Graph(m.inputs, [(i, i + 1) for i in range(n)], name=f"path:{n + 1}")
            if tightest_level(m, path).evidence.tightest.ratio != t**2:
                return Finding(Status.REFUTED, f"the tightest level on the grid is not e^(−{rate})")
    t = ExponentialField(1, unit=2).gen
    path = Graph.path(5)
    clamped = censored(RoundedLaplaceNoise(t), range(5), 0, 4)
    half = ExponentialField(1, unit=4).gen  # Lap(2/ε) in each of two coordinates, both moved by 1: Δ = 2
    coordinate = lumped(RoundedLaplaceNoise(half), range(3), -1, 3)
    near = Graph.path(3)
    both = sequential_level([coordinate, coordinate], near)
    level = tightest_level(clamped, path)
    if level.evidence.tightest.ratio != t**2 or both.evidence.ratio != half**4:
        return Finding(Status.REFUTED, "the tightest level of a rounded instance is not e^(−ε), or that of two coordinates together is not")
    detail = "rounded to integers (a post-processing) the tightest level is e^(−ε) exactly, for one query and for two with Δ = 2"
    return Finding(Status.HOLDS, detail, {"rounded-laplace-tightest": level, "two-coordinates": both})


def quotient_of_integrals(printed: Printed) -> Finding:
    """The quotient of two integrals and "the largest" quotient of the densities on an event."""
    # Q(D) = 0, Q(D′) = 1, Δ = ε = 1: at x the quotient of the densities is e^(|x − 1| − |x|), the exponent
    # 1 − 2x on 0 < x < 1/2
    points = [Rational(k, 8) for k in range(1, 4)]
    higher = all(abs(x / 2 - 1) - abs(x / 2) > abs(x - 1) - abs(x) for x in points)  # x/2 is in the event, too
    below = all(abs(x - 1) - abs(x) < 1 for x in points)
    if not (higher and below):
        return Finding(Status.HOLDS, "the quotient of the densities has a largest value")
    detail = (
        "on 0 < x < 1/2 the quotient of the densities, e^(1−2x), grows from x to x/2, so none is the largest; "
        "for the empty S the left side is 0/0"
    )
    return Finding(Status.IMPRECISE, detail)


def quotient_of_densities(printed: Printed) -> Finding:
    """The exponent of the quotient, (ε/Δ) Σ(|x_i − Q′_i| − |x_i − Q_i|), is at most (ε/Δ) Σ|Q_i − Q′_i|."""
    points = [Rational(k, 2) for k in range(-2, 5)]
    attained = False
    for k in (1, 2):
        for q, other in product(product(range(2), repeat=k), repeat=2):
            apart = sum(abs(a - b) for a, b in zip(q, other, strict=True))
            for x in product(points, repeat=k):
                exponent = sum(abs(z - b) - abs(z - a) for z, a, b in zip(x, q, other, strict=True))
                if exponent > apart:
                    return Finding(Status.REFUTED, f"at {x} the exponent is {exponent}, above {apart}")
                attained = attained or exponent == apart == k
    return finding(attained, "the exponents at all points of a grid, one answer and two, are at most the distance, which is attained")


def perturbation(printed: Printed) -> Finding:
    """Noise of the expected size Δ/ε, and the privacy that it buys, both on grids."""
    size, private = distribution(printed), privacy(printed)
    right = size.status is private.status is Status.HOLDS
    return finding(right, f"{size.detail}; {private.detail}")


def mean(printed: Printed) -> Finding:
    """E[Lap(1/ε)] = 1/ε is printed without the absolute value."""
    t = ExponentialField(1, unit=2).gen
    noise = RoundedLaplaceNoise(t)
    symmetric = all(noise.mass(z) == noise.mass(-z) for z in range(1, 9))
    if not symmetric:
        return Finding(Status.CERTIFIED, "the law is not symmetric")
    detail = "the law is symmetric (equal masses at z and −z), so its mean is 0, not 1/ε; E|Y| = 1/ε"
    return Finding(Status.REFUTED, detail)


def _joint_sensitivity(subsets: tuple[tuple[int, ...], ...], size: int) -> int:
    """Max over databases in {0,1}^size that differ in one entry of the L1 distance of the answers."""
    most = 0
    for database in product((0, 1), repeat=size):
        for k in range(size):
            other = tuple(1 - x if j == k else x for j, x in enumerate(database))
            most = max(most, sum(abs(sum(database[j] for j in s) - sum(other[j] for j in s)) for s in subsets))
    return most


def sensitivity(printed: Printed) -> Finding:
    """A subset-sum query has sensitivity 1; any k of them jointly have sensitivity k."""
    subsets = [s for size in range(4) for s in combinations(range(3), size)]
    single = {s: _joint_sensitivity((s,), 3) for s in subsets}
    pairs = {p: _joint_sensitivity(p, 3) for p in combinations(subsets, 2)}
    if any(value > 2 for value in pairs.values()) or any(value > 1 for value in single.values()):
        return Finding(Status.REFUTED, "even the upper bound k fails")
    disjoint = pairs[(0,), (1,)]
    if single[()] == 1 and all(value == 2 for value in pairs.values()):
        return Finding(Status.CERTIFIED, "all pairs of subset sums on three people have joint sensitivity 2")
    detail = (
        f"the sums over {{1}} and {{2}} have joint sensitivity {disjoint}, not 2; at most k always, and k when one "
        f"person is in all k subsets"
    )
    return Finding(Status.REFUTED, detail)


def error_of_many(printed: Printed) -> Finding:
    """K subset-sum queries with error o(k/ε)?"""
    ratios = []
    for k in (1, 10, 1000):
        t = ExponentialField(Rational("1/2")).gen
        ratios.append((k, t / (1 - t) / 2))  # a lower sum of E|Lap(k/ε)| over k/ε: the same for every k
    if all(low > Rational("3/4") for _, low in ratios):
        detail = "E|Lap(k/ε)| = k/ε: the error over k/ε is above 3/4 (a lower sum over cells of width 1/2) for every k, so it is not o(k/ε)"
        return Finding(Status.REFUTED, detail)
    return Finding(Status.OPEN, "the lower sums are too coarse")


def _in_doubt(people: int, subsets: Sequence[Sequence[int]], error: Rational) -> int:
    """In how many records two databases may differ whose sums are within the error of the same answers."""
    databases = list(product((0, 1), repeat=people))
    most = 0
    for x, y in product(databases, repeat=2):
        apart = max(abs(sum(x[i] for i in s) - sum(y[i] for i in s)) for s in subsets)
        if apart <= 2 * error:
            most = max(most, sum(a != b for a, b in zip(x, y, strict=True)))
    return most


def lower_bounds(printed: Printed) -> Finding:
    """The recalled lower bounds for blatant non-privacy: all subset sums, few of them, and useless ones."""
    every = [s for size in range(4) for s in combinations(range(3), size)]
    few = [[i for i in range(4) if (a & i).bit_count() % 2 == 0] for a in range(4)]  # four people, numbered by the sets 0..3
    half, quarter = Rational("1/2"), Rational("1/4")
    if _in_doubt(3, every, half) > 4 * half or _in_doubt(4, few, quarter) > 36 * quarter**2 or _in_doubt(4, few, quarter) > 0:
        return Finding(Status.REFUTED, "two databases far from each other fit the same answers")
    if _in_doubt(4, [[]] * 4, Rational(0)) < 4:
        return Finding(Status.HOLDS, "four sums over nobody tell something")
    detail = (
        "all sums of three people within 1/2 leave at most 2 records in doubt, four chosen sums of four people within 1/4 none; "
        "four sums over nobody, answered exactly, leave all"
    )
    return Finding(Status.IMPRECISE, detail)
