# SPDX-License-Identifier: MIT
"""Sections 1 and 2: privacy of databases and of answers, oblivious mechanisms, utility.

Section 4: what no private mechanism exceeds for a regular prior.
"""

from __future__ import annotations

from functools import partial
from itertools import chain, combinations
from typing import Any

from exactdp.analysis import Verdict, is_private, optimum
from exactdp.analysis.leakage import leakage, leakage_bound, utility, utility_bound
from exactdp.analysis.tight.regular_priors import is_regular
from exactdp.analysis.tight.tight_mechanism import tight_mechanism
from exactdp.exact import ExactMatrix, Rational
from exactdp.mechanisms import geometric
from exactdp.model import BayesianConsumer, Graph, Loss, Mechanism, Prior, PrivacyLevel, neighbours
from exactdp.model.constraint_matrix import ConstraintMatrix
from exactdp.model.neighbours import databases, hamming, query_graph
from proofs.elsalamouny_tight_constraints.common import GRAPHS, LEVELS, graph, halves, instances, mechanisms, phi, priors, slack
from proofs.record import Finding, Printed, Status, finding


def _by_sets(m: Mechanism, near: Graph, alpha: PrivacyLevel) -> bool:
    """Definition 1: P(S | v) ≥ α·P(S | v′) for adjacent v, v′ and every set S of outputs."""
    outputs = range(m.n_outputs)
    sets = list(chain.from_iterable(combinations(outputs, size) for size in range(m.n_outputs + 1)))
    return all(
        sum((m[i, o] for o in S), Rational(0)) >= alpha.alpha * sum((m[j, o] for o in S), Rational(0))
        for i, j in chain(near.edges, ((b, a) for a, b in near.edges))
        for S in sets
    )


def _privacy() -> list[tuple[bool, bool]]:
    """By sets of outputs and by single outputs, for private and other mechanisms."""
    return [
        (_by_sets(m, near, b), is_private(m, near, b).proved)
        for near, alpha, _ in instances(("path:4", "complete:4", "star:4"))
        for m in mechanisms(near, alpha)
        for b in map(PrivacyLevel, LEVELS)
    ]


def definition_1(printed: Printed) -> Finding:
    """Privacy by sets of outputs, both answers."""
    answers = {by_sets for by_sets, _ in _privacy()}
    return finding(answers == {True, False}, "decided by all sets of outputs, both ways", status=Status.DEFINITION)


def single_outputs(printed: Printed) -> Finding:
    """Privacy by sets of outputs is privacy by single outputs, wherever tried."""
    same = all(by_sets == by_outputs for by_sets, by_outputs in _privacy())
    return finding(same, "the same as x_ir ≥ α·x_jr for single outputs r on every mechanism and level tried")


def _on_bits(m: Mechanism) -> list[tuple[Any, ...]]:
    """What f and X give on three bits, f the number of ones."""
    return [tuple(m.matrix.row(sum(word))) for word in databases((0, 1), 3)]


def _depends_on_answer(rows: list[tuple[Any, ...]]) -> bool:
    words = databases((0, 1), 3)
    return all(rows[i] == rows[j] for i, v in enumerate(words) for j, w in enumerate(words) if sum(v) == sum(w))


def definition_2(printed: Printed) -> Finding:
    """K = f·X is constant on the databases with one answer."""
    right = all(_depends_on_answer(_on_bits(m)) for m in mechanisms(graph("path:4"), PrivacyLevel("1/2")))
    return finding(right, "the mechanism on databases that f and X give depends on the answer only", status=Status.DEFINITION)


def cascade(printed: Printed) -> Finding:
    """X is found again from K = f·X, a row for each answer; telling the first bit depends on more."""
    words = databases((0, 1), 3)
    right = True
    for m in mechanisms(graph("path:4"), PrivacyLevel("1/2")):
        rows = _on_bits(m)
        again = [next(rows[i] for i, word in enumerate(words) if sum(word) == answer) for answer in range(4)]
        right = right and _depends_on_answer(rows) and again == [tuple(row) for row in m.matrix.rows()]
    first_bit = [(Rational(1 - word[0]), Rational(word[0])) for word in words]
    return finding(right and not _depends_on_answer(first_bit), "X is found again from f·X; telling the first bit is not oblivious")


def adjacency(printed: Printed) -> Finding:
    """Definition 3 on small databases gives the graphs of Figure 1: path, sum graph, king's moves."""
    pairs = {
        "count": (query_graph(sum, (0, 1), 4), neighbours("path:5")),
        "sum": (query_graph(sum, range(4), 3), neighbours("sum:u=3,v=3")),
        "two counts": (query_graph(_counts, databases((0, 1), 2), 3), neighbours("counts:u=3,k=2")),
        "identity": (query_graph(lambda v: v, range(3), 2), hamming(3, 2)),
    }
    right = all(found == expected for found, expected in pairs.values())
    return finding(right, f"the graphs of {', '.join(pairs)} on small databases are the expected ones", status=Status.DEFINITION)


def counting_path(printed: Printed) -> Finding:
    """Counts of 1s on small databases have paths."""
    right = all(
        query_graph(lambda v: sum(x == 1 for x in v), range(values), people) == neighbours(f"path:{people + 1}")
        for values in (2, 3)
        for people in range(1, 5)
    )
    return finding(right, "the path 0, …, u for two and three values, u ≤ 4")


def _counts(rows: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def lemma_1(printed: Printed) -> Finding:
    """K = f·X is private on the databases if and only if X is on the graph of the answers."""
    words, cube, line = databases((0, 1), 3), hamming(2, 3), graph("path:4")
    same = True
    for m in (m for a in LEVELS for m in mechanisms(line, PrivacyLevel(a))):
        induced = Mechanism(ExactMatrix([m.matrix.row(sum(word)) for word in words]), cube.vertices, m.outputs)
        same = same and all(is_private(m, line, b).proved == is_private(induced, cube, b).proved for b in map(PrivacyLevel, LEVELS))
    return finding(same, "the same verdict on answers and on databases, every mechanism and level tried")


def proposition_1(printed: Printed) -> Finding:
    """Privacy on the edges is privacy for the metric of shortest paths."""
    same = all(
        is_private(m, near, b).proved == is_private(m, near.metric(), b).proved
        for near, alpha, _ in instances(levels=LEVELS[1:4])
        for m in mechanisms(near, alpha)
        for b in map(PrivacyLevel, LEVELS[1:4])
    )
    return finding(same, "the same verdict for the edges and for all distances on everything tried")


def utility_formula(printed: Printed) -> Finding:
    """(1) with the binary gain is (2); with the best remap it is Σ_o max_i π_i x_io."""
    right = True
    for near, alpha, _ in instances(("path:4", "star:4"), ("1/2",)):
        for prior, _ in priors(near, alpha):
            for m in mechanisms(near, alpha):
                n = len(near.vertices)
                choices = [max(range(n), key=lambda i, o=o: prior.weights[i] * m[i, o]) for o in range(n)]  # type: ignore[misc]
                after = m.matrix @ ExactMatrix([[int(k == choices[o]) for k in range(n)] for o in range(n)])
                gains = (w * after[i, k] * int(i == k) for i, w in enumerate(prior.weights) for k in range(n))
                diagonal = sum((w * after[i, i] for i, w in enumerate(prior.weights)), Rational(0))
                right = right and sum(gains, Rational(0)) == diagonal == utility(m, prior)
    return finding(right, "both sums agree, and the best remap attains Σ_o max_i π_i x_io")


def _answering_zero() -> tuple[Graph, PrivacyLevel, Mechanism, Mechanism]:
    """Two answers at α = 1/2: the mechanism that always answers 0, and the geometric one."""
    near, alpha = graph("path:2"), PrivacyLevel("1/2")
    return (
        near,
        alpha,
        Mechanism([[1, 0], [1, 0]], near.vertices, near.vertices),
        Mechanism(geometric(1, alpha).matrix, *[near.vertices] * 2),
    )


def _both_private(near: Graph, alpha: PrivacyLevel, zero: Mechanism, geom: Mechanism) -> dict[str, Verdict[Any]]:
    return {"constant-is-private": is_private(zero, near, alpha), "geometric-is-private": is_private(geom, near, alpha)}


def many_optimal(printed: Printed) -> Finding:
    """Two mechanisms with the largest utility for one prior."""
    near, alpha, zero, geom = _answering_zero()
    prior = Prior(["2/3", "1/3"], near.vertices)
    bound, first, second = utility_bound(near, alpha, prior), leakage(zero, prior), leakage(geom, prior)
    most = bound.evidence.value
    right = bound.proved and first.evidence.after == second.evidence.after == most and zero.matrix != geom.matrix
    private = _both_private(near, alpha, zero, geom)
    right = right and all(verdict.proved for verdict in private.values())
    verdicts = {"bound-of-a-corner": bound, "constant-attains-it": first, "geometric-attains-it": second, **private}
    detail = f"prior (2/3, 1/3) at α = 1/2: always answering 0 and the geometric mechanism both have the largest utility {most}"
    return finding(right, detail, verdicts, status=Status.CERTIFIED)


def optimal_for_one_prior(printed: Printed) -> Finding:
    """Always answering 0: optimal for (2/3, 1/3), worse than the geometric mechanism for (1/2, 1/2)."""
    near, alpha, zero, geom = _answering_zero()
    corner, even = Prior(["2/3", "1/3"], near.vertices), Prior.uniform(near.vertices)
    bound, attains = utility_bound(near, alpha, corner), leakage(zero, corner)
    worse, better = leakage(zero, even), leakage(geom, even)
    right = bound.evidence.value == attains.evidence.after and worse.evidence.after < better.evidence.after
    private = _both_private(near, alpha, zero, geom)
    right = right and all(verdict.proved for verdict in private.values())
    detail = (
        f"always answering 0 has the largest utility {attains.evidence.after} for (2/3, 1/3), and for (1/2, 1/2) only "
        f"{worse.evidence.after}, where the geometric mechanism has {better.evidence.after}"
    )
    verdicts = {"bound-of-a-corner": bound, "constant-attains-it": attains, "constant-on-uniform": worse, "geometric-on-uniform": better}
    return finding(right, detail, verdicts | private, status=Status.CERTIFIED)


def introduction(printed: Printed) -> Finding:
    """15 and 16 people of 1000."""
    right = Rational(15, 1000) == Rational("1.5") / 100 and Rational(16, 1000) == Rational("1.6") / 100
    far = ConstraintMatrix.of(graph("path:2")).distances[-1]
    return finding(right and str(far) == "1", "15/1000 = 1.5 % and 16/1000 = 1.6 %, adjacent counts")


def optimal_exists(printed: Printed) -> Finding:
    """The largest utility is that of a private mechanism, and no mechanism tried has more."""
    right = True
    for near, alpha, _ in instances(("path:2", "complete:4", "star:4"), LEVELS[1:4]):
        n = len(near.vertices)
        for weights in ([1] * n, [0, *range(1, n)]):
            prior = Prior([Rational(w, sum(weights)) for w in weights], near.vertices)
            best = optimum(near, alpha, BayesianConsumer(Loss.zero_one(near.vertices), prior)).evidence
            most = 1 - best.value
            right = right and is_private(best.best, near, alpha).proved and utility(best.best, prior) == most
            right = right and all(utility(m, prior) <= most for m in mechanisms(near, alpha))
    return finding(right, "a private mechanism has the largest utility, and nothing tried has more")


def impossible_outputs(printed: Printed) -> Finding:
    """With an answer of probability 0: always answering 1, and the geometric mechanism, which outputs 0."""
    near, alpha = graph("path:3"), PrivacyLevel("1/2")
    prior = Prior(["0", "1/2", "1/2"], near.vertices)
    without = Mechanism([[0, 1, 0]] * 3, near.vertices, near.vertices)
    geom = Mechanism(geometric(2, alpha).matrix, near.vertices, near.vertices)
    first, second = leakage(without, prior), leakage(geom, prior)
    right = all(is_private(m, near, alpha).proved for m in (without, geom)) and all(geom[i, 0].sign() > 0 for i in range(3))
    right = right and first.evidence.after < second.evidence.after
    support = geom.matrix @ ExactMatrix([[0, 1, 0], [0, 1, 0], [0, 0, 1]])
    right = right and sum((w * support[i, i] for i, w in enumerate(prior.weights)), Rational(0)) == second.evidence.after
    detail = (
        f"prior (0, 1/2, 1/2), α = 1/2: always answering 1 has the utility {first.evidence.after}, the geometric mechanism, which also "
        f"outputs 0, {second.evidence.after}"
    )
    verdicts = {"without-impossible-outputs": first, "with-impossible-outputs": second}
    return finding(right, detail, verdicts, status=Status.IMPRECISE)


_instances = partial(instances, GRAPHS[:6], LEVELS[1:4])


def equation_3(printed: Printed) -> Finding:
    """0 ≤ s ≤ 1 for every private mechanism."""
    right = all(0 <= s <= 1 for near, alpha, matrix in _instances() for m in mechanisms(near, alpha) for s in slack(matrix, m))
    return finding(right, "0 ≤ s_i ≤ 1 for every mechanism tried")


def solvability(printed: Printed) -> Finding:
    """yΦ = π has one solution, none, or infinitely many."""
    right = all(bool(matrix.det()) == (matrix.rank() == matrix.shape[0]) for _, _, matrix in _instances())
    singular = phi(halves(), PrivacyLevel("1/3"))
    uniform = is_regular(halves(), "1/3", Prior.uniform(halves().vertices))
    other = is_regular(halves(), "1/3", Prior(["1/2", *["1/14"] * 7], halves().vertices))
    right = right and singular.rank() == 7 and uniform.proved and other.refuted
    return finding(right, "Appendix B's Φ at 1/3 has rank 7: solutions for the uniform prior, none for another")


def negative_weights(printed: Printed) -> Finding:
    """A prior yΦ with a negative entry of y that is not regular."""
    near = graph("path:3")
    prior = Prior(["2/5", "1/5", "2/5"], near.vertices)
    matrix = phi(near, PrivacyLevel("1/2"))
    y = matrix.solve(ExactMatrix([[w] for w in prior.weights])).column(0)
    answer = is_regular(near, "1/2", prior)
    right = bool(matrix.det()) and min(y).sign() < 0 and answer.refuted
    detail = f"(2/5, 1/5, 2/5) on a line of three at α = 1/2 is yΦ for y = ({', '.join(map(str, y))}) only"
    return finding(right, detail, {"not-regular": answer}, status=Status.CERTIFIED)


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
                s = slack(matrix, m)
                left = sum((w * m[i, i] for i, w in enumerate(prior.weights)), Rational(0))
                right = right and left == sum((a - a * b for a, b in zip(y, s, strict=True)), Rational(0))
    return finding(right, "the identity holds on everything tried, also for y with negative entries")


def theorem_1_bound(printed: Printed) -> Finding:
    """U ≤ Σ y for regular priors; attained by the tight-constraints mechanism where there is one."""
    right = all(
        utility(m, prior) <= sum(y, Rational(0))
        for near, alpha, _ in _instances()
        for prior, y in priors(near, alpha)
        for m in mechanisms(near, alpha)
    )
    bound = utility_bound(graph("star:4"), "1/3", Prior.uniform(graph("star:4").vertices))
    status = Status.HOLDS if right and bound.proved else Status.REFUTED
    return Finding(status, "U ≤ Σ y for every prior and mechanism tried", {"utility-bound-star": bound})


def theorem_1_equality(printed: Printed) -> Finding:
    """A mechanism that attains Σ y although Φ·diag(X·R) ≠ 1: y has a zero."""
    near, alpha = graph("path:2"), PrivacyLevel("1/2")
    prior = Prior(["2/3", "1/3"], near.vertices)
    constant = Mechanism([[1, 0], [1, 0]], near.vertices, near.vertices)
    bound, leak = utility_bound(near, alpha, prior), leakage(constant, prior)
    rest = slack(phi(near, alpha), constant)
    wrong = bound.proved and bound.evidence.value == leak.evidence.after and any(rest)
    detail = (
        f"two answers, α = 1/2, prior (2/3, 1/3), y = (2/3, 0): always answering 0 has the utility {leak.evidence.after} = Σ y, "
        f"but Φ·diag(X) = (1, {1 - rest[1]})"
    )
    private = is_private(constant, near, alpha)
    verdicts = {"bound-of-a-corner": bound, "constant-attains-it": leak, "constant-is-private": private}
    return Finding(Status.REFUTED if wrong and private.proved else Status.HOLDS, detail, verdicts)


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
    return finding(right, "both forms agree on everything tried")


def proposition_5(printed: Printed) -> Finding:
    """2^L = U/max π with the best remap."""
    right = True
    for near, alpha, _ in _instances():
        for prior, _ in priors(near, alpha):
            for m in mechanisms(near, alpha):
                after = sum((max(w * m[i, o] for i, w in enumerate(prior.weights)) for o in range(m.n_outputs)), Rational(0))
                right = right and leakage(m, prior).evidence.factor == after / max(prior.weights) == utility(m, prior) / max(prior.weights)
    return finding(right, "V(π, X)/V(π) is the utility with the best remap over max π, on everything tried")


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


def uniform_most(printed: Printed) -> Finding:
    """No prior tried leaks more than the uniform one."""
    right = True
    for near, alpha, _ in _instances():
        n = len(near.vertices)
        skewed = Prior([Rational(2 * i + 1, n * n) for i in range(n)], near.vertices)
        sure = Prior([int(i == 0) for i in range(n)], near.vertices)
        for m in mechanisms(near, alpha):
            most = leakage(m, Prior.uniform(near.vertices)).evidence.factor
            others = (skewed, sure, *(prior for prior, _ in priors(near, alpha)))
            right = right and all(leakage(m, prior).evidence.factor <= most for prior in others)
    return finding(right, "the uniform prior has the largest leakage for every mechanism tried")


def outside_the_region(printed: Printed) -> Finding:
    """Σ y/max π with a negative entry of y: a bound for one prior, and none for another."""
    near, alpha = graph("path:3"), PrivacyLevel("1/2")
    prior = Prior(["2/5", "1/5", "2/5"], near.vertices)
    answer, best = is_regular(near, alpha, prior), optimum(near, alpha, BayesianConsumer(Loss.zero_one(near.vertices), prior))
    total = sum(phi(near, alpha).solve(ExactMatrix([[w] for w in prior.weights])).column(0), Rational(0))
    holds = answer.refuted and best.proved and 1 - best.evidence.value == total
    two, point = graph("path:2"), [Rational(1), Rational(0)]
    value = sum(phi(two, alpha).solve(ExactMatrix([[w] for w in point])).column(0), Rational(0))
    fails = is_regular(two, alpha, Prior(point, two.vertices)).refuted and value < 1
    detail = (
        f"not regular: (2/5, 1/5, 2/5) on a line of three at 1/2, where the largest utility is {total} = Σ y; "
        f"(1, 0) on two answers, where Σ y = {value} and the utility is 1"
    )
    verdicts = {"not-regular": answer, "largest-utility-outside": best}
    return finding(holds and fails, detail, verdicts, status=Status.IMPRECISE)


def better_bound(printed: Printed) -> Finding:
    """Proposition 6's bound of a regular prior is at most Corollary 1's; equal for the uniform prior."""
    right, tried = True, 0
    for near, alpha, matrix in _instances():
        n = matrix.shape[0]
        every = leakage_bound(near, alpha)
        if not every.proved or not matrix.det():
            continue
        ones = ExactMatrix([[Rational(1, n)] for _ in range(n)])
        w = matrix.solve(ones).column(0)
        right = right and n * sum(w, Rational(0)) == every.evidence.value
        for prior, y in priors(near, alpha):
            tried += 1
            most = max(prior.weights)
            own = sum(y, Rational(0)) / most
            agree = all(p == most for p, x in zip(prior.weights, w, strict=True) if x.sign() > 0)
            right = right and own <= every.evidence.value and (own == every.evidence.value) == agree
    return finding(right and tried > 0, f"{tried} regular priors: never more than the bound for all priors, and equal as stated")


def not_tight(printed: Printed) -> Finding:
    """Star of four at 3/5: the only bound for a regular prior is above the largest utility."""
    near, alpha = graph("star:4"), PrivacyLevel("3/5")
    matrix = phi(near, alpha)
    sums = [sum(row, Rational(0)) for row in matrix.rows()]
    prior = Prior([s / sum(sums, Rational(0)) for s in sums], near.vertices)
    bound, none = utility_bound(near, alpha, prior), tight_mechanism(near, alpha)
    best = optimum(near, alpha, BayesianConsumer(Loss.zero_one(near.vertices), prior))
    most = 1 - best.evidence.value
    right = bound.proved and none.refuted and best.proved and bool(matrix.det()) and most < bound.evidence.value
    detail = (
        f"star of four at 3/5, prior proportional to the row sums of Φ: the bound is {bound.evidence.value}, the largest utility {most}"
    )
    verdicts = {"bound-not-met": bound, "largest-utility": best, "star-at-3-5": none}
    return finding(right, detail, verdicts)


def common_condition(printed: Printed) -> Finding:
    """Mechanisms with Φ·diag(X) = 1 have the utility Σ y for every regular prior tried."""
    met = 0
    right = True
    for near, alpha, matrix in _instances():
        for m in mechanisms(near, alpha):
            if any(slack(matrix, m)):
                continue
            met += 1
            for prior, y in priors(near, alpha):
                total = sum(y, Rational(0))
                factor = leakage(m, prior).evidence.factor
                right = right and utility(m, prior) == total and factor == total / max(prior.weights)
    return finding(right and met > 0, f"all {met} mechanisms tried with Φ·diag(X) = 1 meet both bounds for every regular prior tried")
