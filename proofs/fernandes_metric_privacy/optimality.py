# SPDX-License-Identifier: MIT
"""Sections 2.4, 4.1, 5.4–5.6, 6 and 8: universal optimality, impossibility, the worked examples."""

from __future__ import annotations

import random
from typing import Any

from exactdp.analysis.leakage import uncertainty
from exactdp.analysis.privacy import is_private
from exactdp.analysis.refinement import is_derivable, refinement_order
from exactdp.analysis.types.kernels import kernel_count, kernel_counts, kernel_mechanisms
from exactdp.analysis.types.mixtures import is_kernel_mechanism
from exactdp.analysis.types.universal import is_universally_optimal, universally_optimal_mechanism
from exactdp.analysis.types.universal_levels import universal_by_level
from exactdp.exact import Rational
from exactdp.mechanisms import geometric, uniform
from exactdp.model import Loss, Mechanism, Metric, Neighbours, PrivacyLevel, neighbours
from proofs.fernandes_metric_privacy.common import (
    LEVELS,
    complete,
    is_monotone,
    line,
    losses,
    priors,
    private_mechanisms,
    random_response,
    two_inputs,
)
from proofs.record import Finding, Printed, Status, finding

Verdicts = dict[str, Any]


def geometric_optimal(printed: Printed) -> Finding:
    """Theorem 9: the geometric mechanism is universally optimal for monotone losses on the line."""
    right, count = True, 0
    for n in (2, 3, 4, 5):
        for a in LEVELS:
            for loss in (Loss.absolute(range(n)), Loss.squared(range(n)), Loss.zero_one(range(n))):
                right = right and is_universally_optimal(geometric(n - 1, a), line(n), a, loss, tries=5).proved
                count += 1
    verdict = is_universally_optimal(geometric(3, "1/2"), line(4), "1/2", Loss.absolute(range(4)))
    detail = f"{count} instances: 2 to 5 inputs, five levels, three losses; for all n and monotone losses the Coq theorem that is named"
    return finding(right and verdict.proved, detail, {"geometric-universally-optimal": verdict})


def _discrete_zero_one(n: int, level: str) -> Any:
    near = complete(n)
    return universally_optimal_mechanism(near, level, Loss.zero_one(near.vertices), theorems=False)


def brenner_nissim(printed: Printed) -> Finding:
    """Theorem 11: none is universally optimal for all monotone losses of the discrete metric, nor
    zero-one.
    """
    right = all(_discrete_zero_one(n, a).refuted for n in (3, 4, 5) for a in LEVELS)
    return finding(
        right,
        "3 to 5 inputs at five levels: the zero-one loss, which is monotone, has no optimal mechanism",
        {"discrete-4": _discrete_zero_one(4, "1/2")},
    )


def bayes_risk_discrete(printed: Printed) -> Finding:
    """Corollary 22: the same for the Bayes risk; two priors suffice: uniform, and that on two inputs."""
    right = True
    for n in (3, 4, 5):
        for a in LEVELS:
            verdict = _discrete_zero_one(n, a)
            right = right and verdict.refuted and len(verdict.evidence.priors) == 2
    near = complete(3)
    every = universal_by_level(near, Loss.zero_one(near.vertices), theorems=False)
    right = right and all(answer is False for answer, _ in every.evidence.pieces.values)
    detail = "3 to 5 inputs at five levels, 3 inputs at every level: the uniform prior and the uniform prior on two inputs"
    return finding(right, detail, {"discrete-3-every-level": every, "discrete-3": _discrete_zero_one(3, "1/2")})


def brenner_nissim_graphs(printed: Printed) -> Finding:
    """1.1: for the Bayes risk, no optimal mechanism outside linear structures? On a star there is one."""
    star = neighbours("star:4")
    loss = Loss.zero_one(star.vertices)
    found = {a: universally_optimal_mechanism(star, a, loss) for a in LEVELS}
    exists = [a for a in LEVELS if found[a].proved]
    detail = "the star with three leaves has one for the Bayes risk at every level up to 1/2, and none above"
    every = universal_by_level(star, loss)
    as_said = all(yes is (piece.upper <= Rational("1/2")) for piece, (yes, _) in every.evidence.pieces)
    wrong = exists == ["1/10", "1/3", "1/2"] and all(found[a].refuted for a in LEVELS if a not in exists) and as_said
    return Finding(
        Status.REFUTED if wrong else Status.HOLDS,
        detail,
        {"star-optimal": found["1/2"], "star-every-level": every, "star-none": found["3/5"]},
    )


def duality(printed: Printed) -> Finding:
    """Theorem 15(1)-(4); (3) with the paper's trivial losses, those of the form f(x)."""
    rnd, right = random.Random(1), True
    near = line(3)
    nothing = uniform(near.vertices)
    for M in private_mechanisms(rnd, near, "1/2", 3):
        right = right and is_universally_optimal(M, near, "1/2", Loss.trivial([1, 2, 0], near.vertices), tries=2).proved
    G = geometric(2, "1/2")
    kernels = [k.mechanism for k in kernel_mechanisms(near, "1/2")]
    for loss in losses(rnd, 3, 8):
        best = [is_universally_optimal(M, near, "1/2", Loss(loss.matrix, near.vertices), tries=8).proved for M in kernels]
        mixed = is_universally_optimal(
            Mechanism.external_choice(kernels, ["1/3", "2/3"]), near, "1/2", Loss(loss.matrix, near.vertices), tries=8
        ).proved
        right = right and mixed == all(best)
        H = geometric(2, "2/3")
        if is_universally_optimal(H, near, "1/2", Loss(loss.matrix, near.vertices), tries=8).proved:
            right = right and is_universally_optimal(G, near, "1/2", Loss(loss.matrix, near.vertices), tries=8).proved
    dominated = Loss([[0, 1], [0, 1], [0, 1]], near.vertices)
    counter = is_universally_optimal(nothing, near, "1/2", dominated)
    form = any(dominated[x, 0] != dominated[x, 1] for x in range(3))
    detail = (
        "(1), (2), (4) hold on the instances; (3) fails if trivial means l(w,x) = f(x): with a second guess that is always worse the "
        "mechanism that outputs nothing is universally optimal. It holds if trivial means that some guess is always best"
    )
    wrong = right and counter.proved and form and dominated.is_trivial()
    return Finding(Status.IMPRECISE if wrong else Status.HOLDS if right else Status.REFUTED, detail, {"dominated-guess": counter})


def restriction(printed: Printed) -> Finding:
    """Theorem 15(5), both directions, for X = {0, 1, 2} on the line and X' = {0, 2}."""
    near, ends = line(3), ["0", "2"]
    small = Metric(ends, [(0, 1, 2)])
    loss = Loss.zero_one(ends)
    G = geometric(2, "1/2")
    above = is_universally_optimal(G, near, "1/2", loss.lifted(near.vertices))
    below = is_universally_optimal(G.restricted(ends), small, "1/2", loss)
    right = True
    for n in (3, 4):
        discrete = complete(n)
        pair = list(discrete.vertices[:2])
        bayes = Loss.zero_one(pair)
        for kernel in kernel_mechanisms(discrete, "1/2"):
            part = kernel.mechanism.restricted(pair)
            if is_universally_optimal(part, Metric(pair, [(0, 1, 1)]), "1/2", bayes, tries=5).proved:
                right = right and is_universally_optimal(kernel.mechanism, discrete, "1/2", bayes.lifted(discrete.vertices), tries=5).proved
    detail = (
        "l ∈ U(M|X') ⟹ l↑ ∈ U(M) holds on the instances; the converse fails: on 0, 1, 2 the geometric mechanism is universally optimal "
        "for the lifted Bayes risk of 0 and 2, and restricted to them it is not: mechanisms on 0 and 2 need not extend to 1"
    )
    wrong = right and above.proved and below.refuted
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, {"lifted-optimal": above, "restricted-not-optimal": below})


def kernel_optimal(printed: Printed) -> Finding:
    """Corollary 16: if some mechanism is universally optimal for a loss, some kernel mechanism is."""
    rnd, right, yes = random.Random(2), True, 0
    for near in (line(3), complete(3)):
        kernels = [k.mechanism for k in kernel_mechanisms(near, "1/2")]
        for loss in losses(rnd, 3, 10):
            named = Loss(loss.matrix, near.vertices)
            if universally_optimal_mechanism(near, "1/2", named, tries=20).proved:
                yes += 1
                members = [m.restricted(near.vertices) for m in kernels]
                orders = _images(near, members)
                right = right and any(is_universally_optimal(m, near, "1/2", named, tries=10).proved for m in orders)
    return finding(right and yes > 3, f"{yes} losses with a universally optimal mechanism: a kernel mechanism is one each time")


def _images(near: Neighbours, mechanisms: list[Mechanism]) -> list[Mechanism]:
    from exactdp.model.graph import automorphisms

    return [
        Mechanism([m.matrix.row(g[x]) for x in range(m.n_inputs)], near.vertices, m.outputs)
        for m in mechanisms
        for g in automorphisms(near)
    ]


def unique_kernel(printed: Printed) -> Finding:
    """Theorem 17: if there is one kernel mechanism only, it is universally optimal for every loss."""
    rnd, right = random.Random(3), True
    near = line(2)
    for loss in losses(rnd, 2, 25):
        right = right and is_universally_optimal(two_inputs(Rational("1/2")), near, "1/2", Loss(loss.matrix, near.vertices), tries=5).proved
    return finding(right, "two inputs, 25 random losses", {"two-inputs-one-kernel": kernel_counts(near)})


def two_input_type(printed: Printed) -> Finding:
    """Corollary 18: on two inputs T is universally optimal for every loss and prior."""
    rnd, right = random.Random(4), True
    near = line(2)
    for a in LEVELS:
        T = two_inputs(Rational(a))
        for M in private_mechanisms(rnd, near, a, 4):
            for loss in losses(rnd, 2, 4):
                right = right and all(uncertainty(T, p, loss) <= uncertainty(M, p, loss) for p in priors(rnd, 2, 4))
    verdict = is_universally_optimal(two_inputs(Rational("1/2")), near, "1/2", Loss([[0, 3, 1], [2, 0, 1]], near.vertices))
    return finding(
        right,
        "five levels, random private mechanisms, losses and priors",
        {"two-inputs-optimal": verdict, "two-inputs-one-kernel": kernel_counts(near)},
    )


def existence(printed: Printed) -> Finding:
    """Theorem 19: guess between two inputs at the least distance; T after any map onto them is best."""
    right, count = True, 0
    for text in ("path:4", "complete:4", "cycle:5", "star:4", "hypercube:3", "grid:2x3"):
        near = neighbours(text)
        i, j, _ = near.pairs()[0]
        loss = Loss([[int(x != i), int(x != j)] for x in range(len(near.vertices))], near.vertices)
        right = right and not loss.is_trivial() and universally_optimal_mechanism(near, "1/2", loss).proved
        count += 1
    near = neighbours("cycle:5")
    loss = Loss([[int(x != 0), int(x != 1)] for x in range(5)], near.vertices)
    found = universally_optimal_mechanism(near, "1/2", loss)
    return finding(right, f"{count} graphs", {"two-guesses-on-a-cycle": found})


def kernel_nontrivial(printed: Printed) -> Finding:
    """5.5: some kernel mechanism is best for a monotone loss that is not trivial; not every one is."""
    right, specs = True, ("path:3", "path:4", "complete:3", "complete:4", "star:4")
    for text in specs:
        near = neighbours(text)
        i, j, _ = near.pairs()[0]
        loss = Loss([[int(x != i), int(x != j)] for x in range(len(near.vertices))], near.vertices)
        kernels = _images(near, [k.mechanism for k in kernel_mechanisms(near, "1/2")])
        best = any(is_universally_optimal(K, near, "1/2", loss, tries=3).proved for K in kernels)
        right = right and best and is_monotone(loss, near) and not loss.is_trivial()
    rnd, near = random.Random(6), complete(3)
    response = random_response(3, Rational("1/2"), near.vertices)
    for loss in losses(rnd, 3, 30):
        named = Loss(loss.matrix, near.vertices)
        right = right and is_universally_optimal(response, near, "1/2", named, tries=20).proved == named.is_trivial()
    return finding(
        right,
        f"{len(specs)} graphs at level 1/2: guess between two neighbours, [w ≠ x]; random response on three inputs: of 30 losses, trivial "
        "ones only",
    )


def strict_refinement(printed: Printed) -> Finding:
    """Section 4: may a universally optimal mechanism be strictly below another? One is."""
    near = line(3)
    loss = Loss([[0, 1], [1, 0], [1, 1]], near.vertices)
    coarse = Mechanism([["2/3", "1/3"], ["1/3", "2/3"], ["1/3", "2/3"]], near.vertices)
    fine = Mechanism(
        [["4/9", "2/9", "2/9", "1/9"], ["2/9", "1/9", "4/9", "2/9"], ["1/9", "2/9", "2/9", "4/9"]],
        near.vertices,
    )
    best = is_universally_optimal(coarse, near, "1/2", loss)
    order = refinement_order({"coarse": coarse, "fine": fine})
    also, private = is_universally_optimal(fine, near, "1/2", loss), is_private(fine, near, PrivacyLevel("1/2"))
    detail = (
        "on the line 0, 1, 2 at 1/2 a mechanism with two outputs is universally optimal for [w ≠ x], w ∈ {0, 1}, which is not trivial; "
        "it is a strict post-processing of a private mechanism with four outputs, which is no better for this loss, but as good"
    )
    wrong = best.proved and also.proved and private.proved and not loss.is_trivial() and order.evidence.pairs == ((1, 0),)
    return Finding(
        Status.REFUTED if wrong else Status.HOLDS, detail, {"coarse-optimal": best, "fine-private": private, "coarse-below-fine": order}
    )


def least_element(printed: Printed) -> Finding:
    """Section 4: best for all losses means that all mechanisms of the type are refinements."""
    rnd, right, count = random.Random(6), True, 0
    for a in LEVELS:
        for M in private_mechanisms(rnd, line(2), a, 3):
            right = right and is_derivable(M, source=two_inputs(Rational(a))).proved
            count += 1
    first, second = (k.mechanism for k in kernel_mechanisms(line(3), "1/2"))
    right = right and is_derivable(first, source=second).refuted and is_derivable(second, source=first).refuted
    return finding(
        right, f"two inputs: {count} random private mechanisms are derivable from T; three: neither kernel mechanism from the other"
    )


def constructors(printed: Printed) -> Finding:
    """5.4: a choice between private mechanisms is private, and so is a restriction."""
    rnd, right, count = random.Random(8), True, 0
    near, outer = line(4), ["0", "1", "3"]
    small = Metric(outer, [(0, 1, 1), (1, 2, 2), (0, 2, 3)])
    for a in LEVELS:
        for M in private_mechanisms(rnd, near, a, 3):
            mixed = Mechanism.external_choice([M, geometric(3, a)], ["1/3", "2/3"])
            right = right and is_private(mixed, near, PrivacyLevel(a)).proved
            right = right and is_private(M.restricted(outer), small, PrivacyLevel(a)).proved
            count += 2
    return finding(right, f"{count} external choices and restrictions of private mechanisms of four line inputs")


def utility_sets(printed: Printed) -> Finding:
    """(28), (29): U(M) is closed under sums, whose guesses are pairs, and multiples v(x)·l; not under sums
    with one guess for both.
    """
    rnd, right, count = random.Random(7), True, 0
    near, a = line(3), "1/2"
    G = geometric(2, a)
    known = [
        Loss.absolute(range(3)),
        Loss.squared(range(3)),
        Loss.zero_one(range(3)),
        Loss([[int(x == w) for w in range(3)] for x in range(3)]),
    ]
    known = [Loss(loss.matrix, near.vertices) for loss in known]
    for first in known:
        right = right and is_universally_optimal(G, near, a, first.weighted([rnd.randint(0, 3) for _ in range(3)]), tries=3).proved
        for second in known:
            right = right and is_universally_optimal(G, near, a, first.plus(second), tries=3).proved
            count += 2
    pair = line(2)
    nothing = uniform(pair.vertices)
    parts = [Loss([[0, 1], [0, 0]], pair.vertices), Loss([[0, 0], [1, 0]], pair.vertices)]
    single = Loss([[0, 1], [1, 0]], pair.vertices)
    right = right and all(is_universally_optimal(nothing, pair, a, loss).proved for loss in parts)
    right = right and is_universally_optimal(nothing, pair, a, single).refuted
    detail = f"{count} sums and multiples of losses for which G of three inputs is best; with one guess for both it fails"
    return finding(right, detail)


def some_pair(printed: Printed) -> Finding:
    """5.6: is a strictly monotone loss trivial on no pair? Each kernel mechanism is loose on some pair."""
    two = Loss([[0, 1], [1, 0], [1, 1]], complete(3).vertices)
    first, second, third = two.inputs
    wrong = is_monotone(two, complete(3), strict=True) and two.restricted([first, third]).is_trivial()
    right, count = not two.restricted([first, second]).is_trivial(), 0
    for n in (3, 4):
        near = complete(n)
        for kernel in kernel_mechanisms(near, "1/2"):
            loose = []
            for i in range(n):
                for j in range(i):
                    pair = [near.vertices[j], near.vertices[i]]
                    part = kernel.mechanism.restricted(pair)
                    small = Metric(pair, [(0, 1, 1)])
                    loose.append(is_universally_optimal(part, small, "1/2", Loss.zero_one(pair), tries=3).refuted)
            right = right and any(loose)
            count += 1
    detail = (
        "[w ≠ x] with the guesses x1, x2 is strictly monotone in the discrete metric, and trivial on x1 and x3; "
        f"{count} kernel mechanisms, up to symmetry, of three and four inputs: on some pair not even the Bayes risk"
    )
    return Finding(Status.REFUTED if wrong and right else Status.HOLDS, detail)


def not_monotone(printed: Printed) -> Finding:
    """The introduction's two losses on the line; the geometric mechanism is best for the asymmetric one."""
    right = True
    for n in (3, 4, 5):
        near, labels = line(n), line(n).vertices
        parity = Loss([[int(x % 2 == w) for w in range(2)] for x in range(n)], labels)
        traveller = Loss([[3 * max(w - x, 0) + max(x - w, 0) for w in range(n)] for x in range(n)], labels)
        right = right and not is_monotone(parity, near) and not is_monotone(traveller, near) and not is_monotone(traveller, complete(n))
        right = right and is_universally_optimal(geometric(n - 1, "1/2"), near, "1/2", traveller, tries=5).proved
    detail = "3 to 5 inputs: neither is monotone, whatever the labels; G is universally optimal for the asymmetric loss"
    return finding(right, detail)


def no_universal(printed: Printed) -> Finding:
    """Theorem 20: with three inputs or more none is best for all losses: two kernel mechanisms, unrelated."""
    right = all(
        kernel_count(neighbours(text), a, keep=False).evidence.count > 1
        for text in ("path:3", "path:4", "complete:3", "cycle:4", "star:4", "grid:2x3")
        for a in LEVELS
    )
    uneven = Metric(["a", "b", "c"], [(0, 1, 1), (1, 2, 2), (0, 2, 3)])
    right = right and kernel_count(uneven, "1/2").evidence.count > 1
    first, second = (k.mechanism for k in kernel_mechanisms(line(3), "1/2"))
    order = refinement_order({"K1": first, "K2": second})
    return finding(right and not order.evidence.pairs, "two kernel mechanisms or more in every type tried", {"line-3-two-kernels": order})


def strictly_monotone(printed: Printed) -> Finding:
    """Theorem 21: none for a strictly monotone loss in the discrete metric. With two guesses there is one."""
    near = complete(3)
    two = Loss([[0, 1], [1, 0], [1, 1]], near.vertices)
    counter = {a: universally_optimal_mechanism(near, a, two) for a in LEVELS}
    rnd, right, count = random.Random(5), True, 0
    for a in ("1/10", "1/2", "9/10"):
        for _ in range(4):
            d = rnd.choice(((1, 1, 1), (1, 2, 1), (2, 2, 3), (1, 3, 3), (2, 1, 2)))
            m = sorted(rnd.sample(range(20), 4))
            D = [[0, d[0], d[1]], [d[0], 0, d[2]], [d[1], d[2], 0]]
            loss = Loss([[m[D[w][x]] for w in range(3)] for x in range(3)], near.vertices)
            right = right and universally_optimal_mechanism(near, a, loss).refuted
            count += 1
    detail = (
        "[w ≠ x] with the guesses x1, x2 is strictly monotone in the discrete metric (α is injective, as Definition 9 asks), and has a "
        f"universally optimal mechanism at every level tried (Section 6's loss). With a guess for every input none has ({count} tried)"
    )
    wrong = right and all(v.proved for v in counter.values())
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail, {"two-guesses-optimal": counter["1/2"]})


def _split_kernel(n: int, first: tuple[int, ...], alpha: Rational, labels: tuple[str, ...]) -> Mechanism:
    """The kernel mechanism with the posteriors 'high on the set' and 'high outside it'."""
    rows = [[1, alpha] if x in first else [alpha, 1] for x in range(n)]
    return Mechanism([[x / (1 + alpha) for x in row] for row in rows], labels)


def worked_example(printed: Printed) -> Finding:
    """Section 6: K1 = {x1}|{x2,x3}, K2 = {x2}|{x1,x3} and their mixtures, universal for two guesses."""
    near, a = complete(3), Rational("1/2")
    K1, K2 = _split_kernel(3, (0,), a, near.vertices), _split_kernel(3, (1,), a, near.vertices)
    loss = Loss([[0, 1], [1, 0], [1, 1]], near.vertices)
    T = two_inputs(a)
    both = all(K.restricted(near.vertices[:2]).matrix in (T.matrix, Mechanism([row[::-1] for row in T.rows()]).matrix) for K in (K1, K2))
    V = Mechanism.external_choice([K1, K2], ["1/3", "2/3"])
    verdicts = {
        "example-kernel-1": is_kernel_mechanism(K1, near, a),
        "example-kernel-2": is_kernel_mechanism(K2, near, a),
        "example-mixture-optimal": is_universally_optimal(V, near, a, loss),
        "example-kernel-optimal": is_universally_optimal(K1, near, a, loss),
    }
    right = both and all(v.proved for v in verdicts.values())
    return finding(right, "both restrict to T; they and their mixture (λ = 1/3) are universally optimal", verdicts)


def several_inputs(printed: Printed) -> Finding:
    """8.2: both hypers restrict to T on {x1, x2}; they and their mixtures are best for the padded Bayes
    risk.
    """
    right, n = True, 4
    near, a = complete(n), Rational("1/2")
    bayes = Loss.zero_one(near.vertices[:2]).lifted(near.vertices)
    for size in (3, 4, 5):
        for level in LEVELS:
            labels = complete(size).vertices
            K = _split_kernel(size, (0,), Rational(level), labels)
            padded = Loss.zero_one(labels[:2]).lifted(labels)
            right = right and is_universally_optimal(K, complete(size), level, padded, tries=3).proved
    V = Mechanism.external_choice([_split_kernel(n, (0,), a, near.vertices), _split_kernel(n, (1,), a, near.vertices)], ["1/2", "1/2"])
    verdict = is_universally_optimal(V, near, a, bayes)
    rr = is_universally_optimal(random_response(n, a, near.vertices), near, a, bayes, tries=20)
    detail = f"3 to 5 inputs, five levels; random response is not optimal for this loss: {rr.refuted}"
    return finding(right and verdict.proved, detail, {"padded-mixture-optimal": verdict})
