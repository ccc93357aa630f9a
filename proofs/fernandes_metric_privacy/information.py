# SPDX-License-Identifier: MIT
"""Section 2: channels, hyper-distributions, refinement, capacities; Section 5.2: the algebra of losses."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

from exactdp.analysis.leakage import capacity, prior_vulnerability, uncertainty, vulnerability
from exactdp.analysis.refinement import earth_move, is_derivable, is_refined_by
from exactdp.exact import QQ, Rational
from exactdp.mechanisms import geometric, uniform
from exactdp.model import Gain, Loss, Mechanism, Prior, Remap, neighbours
from exactdp.model.channel import Hyper
from proofs.fernandes_metric_privacy.common import gains, is_monotone, losses, priors, random_channel, random_remap
from proofs.record import Finding, Printed, Status, finding


def definition(printed: Printed) -> Finding:
    """A definition: nothing to find beyond that the objects exist in the library."""
    return Finding(Status.DEFINITION, "a definition; the library's objects follow it")


def expected_loss(printed: Printed) -> Finding:
    """Lemma 1: the least expected loss over all deterministic remaps is Σ_y min_w Σ_x π_x C_xy l(w,x)."""
    rnd, right, count = random.Random(1), True, 0
    for _ in range(12):
        C = random_channel(rnd, 3, 3)
        loss = next(losses(rnd, 3, 1))
        for prior in priors(rnd, 3, 3):
            best = min(
                sum((prior[x] * C[x, y] * loss[x, remap[y]] for x in range(3) for y in range(3)), QQ.zero)
                for remap in product(range(len(loss.guesses)), repeat=3)
            )
            right = right and best == uncertainty(C, prior, loss)
            count += 1
    return finding(right, f"all remaps enumerated for {count} consumers and channels: the two formulas agree")


def gains_and_losses(printed: Printed) -> Finding:
    """2.1: the vulnerability of a gain is minus the uncertainty of the loss with the other sign."""
    rnd, right = random.Random(22), True
    silent = Mechanism([[1], [1], [1]])
    for gain in gains(rnd, 3, 20):
        C, loss = random_channel(rnd, 3, 3), Loss(gain.matrix.map(lambda x: -x))
        guesses = [*zip(*gain.matrix.rows(), strict=True)]
        for prior in priors(rnd, 3, 3):
            right = right and -uncertainty(silent, prior, loss) == prior_vulnerability(prior, gain) == _best(guesses, prior.weights)
            joint = [[prior[x] * C[x, y] for x in range(3)] for y in range(3)]
            after = sum((_best(guesses, weights) for weights in joint), QQ.zero)
            right = right and -uncertainty(C, prior, loss) == vulnerability(C, prior, gain) == after
    return finding(right, "60 gains, priors and channels: before and after the channel")


def _best(guesses: list[tuple[Any, ...]], weights: Iterable[Any]) -> Any:
    """What the best guess gains under the weights."""
    known = [*weights]
    return max(sum((w * x for w, x in zip(known, guess, strict=True)), QQ.zero) for guess in guesses)


def hypers(printed: Printed) -> Finding:
    """Lemma 2: posteriors average to the prior; the hyper gives the channel back, up to output names."""
    rnd, right = random.Random(2), True
    for _ in range(20):
        C = random_channel(rnd, 3, 4)
        for prior in priors(rnd, 3, 3):
            hyper = Hyper.of(C, prior)
            right = right and hyper.prior() == prior
            if all(prior.weights):
                right = right and Hyper.of(hyper.channel(), prior) == hyper
    return finding(right, "60 hyper-distributions average to their priors, and channels made from them have the same hyper")


def abstracted(printed: Printed) -> Finding:
    """2.2: the expected loss is Σ outer·min over the distinct posteriors; a split output changes nothing."""
    rnd, right, merged = random.Random(19), True, 0
    for loss in losses(rnd, 3, 20):
        once = random_channel(rnd, 3, 3)
        third = Rational("1/3")
        C = Mechanism([[row[2], row[0] * third, row[1], row[0] * (1 - third)] for row in once.rows()], once.inputs)
        for prior in priors(rnd, 3, 3):
            hyper = Hyper.of(C, prior)
            told = QQ.zero
            for inner, outer in zip(hyper.inners, hyper.outer, strict=True):
                told += outer * min(sum((inner[x] * loss[x, w] for x in range(3)), QQ.zero) for w in range(len(loss.guesses)))
            right = right and told == uncertainty(C, prior, loss) == uncertainty(once, prior, loss)
            merged += len(hyper.inners) < 4
    return finding(right and merged > 30, "60 channels with an output split, priors and losses: the hyper tells the expected loss")


def coriaceous(printed: Printed) -> Finding:
    """Theorem 3: B is derivable from A iff no consumer prefers B: a post-processing, or a consumer."""
    rnd, right, yes, no = random.Random(3), True, 0, 0
    for _ in range(30):
        A = random_channel(rnd, 3, 3)
        B = A.post_process(random_remap(rnd, A, 3)) if rnd.random() < 0.4 else random_channel(rnd, 3, 3)
        verdict = is_refined_by(A, B)
        if verdict.proved:
            yes += 1
            for loss in losses(rnd, 3, 6):
                right = right and all(uncertainty(A, p, loss) <= uncertainty(B, p, loss) for p in priors(rnd, 3, 4))
        else:
            no += 1
            consumer = verdict.evidence.consumer
            assert consumer is not None
            right = right and uncertainty(A, consumer.prior, consumer.loss) > uncertainty(B, consumer.prior, consumer.loss)
    G, H = geometric(3, "1/4"), geometric(3, "1/2")
    return finding(
        right and yes > 5 and no > 5,
        f"{yes} derivable pairs, on which no tried consumer prefers the derived channel; {no} others, each with a consumer who does",
        {"refined": is_derivable(H, source=G), "not-refined": is_derivable(G, source=H)},
    )


def earth_moves(printed: Printed) -> Finding:
    """2.2: with independent source posteriors, refinement iff the target's lie in their convex hull."""
    rnd, right, inside, outside = random.Random(4), True, 0, 0
    for _ in range(60):
        A = random_channel(rnd, 3, 3)
        B = A.post_process(random_remap(rnd, A, 3)) if rnd.random() < 0.5 else random_channel(rnd, 3, 2)
        move = earth_move(A, B)
        if move is None:
            continue
        right = right and move.inside == is_refined_by(A, B).proved
        inside, outside = inside + move.inside, outside + (not move.inside)
    detail = f"{inside} targets inside the hull, all refinements; {outside} outside, none of them"
    return finding(right and inside > 5 and outside > 5, detail)


def moves_and_refinement(printed: Printed) -> Finding:
    """Equation (6): a post-processing moves posteriors, for any prior; hypers are related as channels are."""
    rnd, right, yes, no = random.Random(14), True, 0, 0
    for _ in range(40):
        A = random_channel(rnd, 3, 3)
        remap = random_remap(rnd, A, 3)
        B = A.post_process(remap) if rnd.random() < 0.5 else random_channel(rnd, 3, 2)
        derivable = is_refined_by(A, B).proved
        yes, no = yes + derivable, no + (not derivable)
        for prior in priors(rnd, 3, 3):
            if len(B.outputs) == 3:
                right = right and _moved(A, B, remap, prior)
            if all(prior.weights):
                again = [Hyper.of(M, prior).channel() for M in (A, B)]
                right = right and is_refined_by(*again).proved == derivable
    return finding(right and yes > 5 and no > 5, f"{yes} derivable pairs, {no} others, three priors each")


def _moved(A: Mechanism, B: Mechanism, remap: Remap, prior: Prior) -> bool:
    """Whether the flows P_A(y)·T_yz make every posterior of B an average of posteriors of A."""
    inputs = range(len(prior.weights))
    mass = [[prior[x] * A[x, y] for x in inputs] for y in range(A.n_outputs)]
    for z in range(B.n_outputs):
        moved = [sum((mass[y][x] * remap.matrix[y, z] for y in range(A.n_outputs)), QQ.zero) for x in inputs]
        if moved != [prior[x] * B[x, z] for x in inputs]:
            return False
    return all(sum(remap.matrix.row(y), QQ.zero) == 1 for y in range(A.n_outputs))


def hyper_order(printed: Printed) -> Finding:
    """2.2: two channels refine each other exactly when they have the same hyper under every prior tried."""
    rnd, right, same = random.Random(15), True, 0
    for trial in range(40):
        A = random_channel(rnd, 3, 3)
        B = A.post_process(random_remap(rnd, A, 3))
        if trial % 3 == 0:  # every output split into two, in another order
            half = Mechanism([[x / 3 for x in row] + [2 * x / 3 for x in reversed(row)] for row in A.rows()], A.inputs)
            B = half
        both = is_refined_by(A, B).proved and is_refined_by(B, A).proved
        equal = all(Hyper.of(A, prior) == Hyper.of(B, prior) for prior in priors(rnd, 3, 3))
        right, same = right and both == equal, same + both
    return finding(right and 12 <= same < 40, f"{same} pairs of channels refine each other and have equal hypers; {40 - same} do neither")


def convex_sums(printed: Printed) -> Finding:
    """2.2: the hyper of a convex sum of channels is the convex sum of the hypers."""
    rnd, right = random.Random(16), True
    for _ in range(20):
        A = random_channel(rnd, 3, 3)
        reordered = Mechanism([[*reversed(row)] for row in A.rows()], A.inputs)
        B = reordered if rnd.random() < 0.3 else random_channel(rnd, 3, 2)
        t = Rational(rnd.randint(1, 5), 6)
        both = Mechanism.external_choice([A, B], [t, 1 - t])
        for prior in priors(rnd, 3, 2):
            expected: dict[tuple[object, ...], Rational] = {}
            for weight, M in ((t, A), (1 - t, B)):
                hyper = Hyper.of(M, prior)
                for inner, outer in zip(hyper.inners, hyper.outer, strict=True):
                    expected[tuple(inner)] = expected.get(tuple(inner), QQ.zero) + weight * outer
            found = Hyper.of(both, prior)
            right = right and expected == {tuple(i): o for i, o in zip(found.inners, found.outer, strict=True)}
    return finding(right, "20 convex sums, two priors each, equal posteriors merged")


def silent(printed: Printed) -> Finding:
    """2.2, 2.3: one output is least informative; its capacities, 1 and 0, are the least possible."""
    rnd, right = random.Random(17), True
    one = Mechanism([[1], [1], [1]])
    for _ in range(20):
        C = random_channel(rnd, 3, 3)
        right = right and is_refined_by(C, one).proved
        right = right and capacity(C).evidence.value >= 1 and capacity(C, "additive").evidence.value >= 0
    right = right and capacity(one).evidence.value == 1 and capacity(one, "additive").evidence.value == 0
    return finding(right, "20 channels: the channel with one output is derivable; their capacities are at least 1 and 0, its are 1 and 0")


def multiplicative_miracle(printed: Printed) -> Finding:
    """Theorem 13: V_g[π,M] ≤ V_g(π)·Σ_y max_x M_xy for gains ≥ 0; attained by the identity gain."""
    rnd, right, count = random.Random(5), True, 0
    for _ in range(15):
        M = random_channel(rnd, 3, 3)
        top = capacity(M).evidence.value
        for gain in gains(rnd, 3, 6):
            for prior in priors(rnd, 3, 3):
                right = right and vulnerability(M, prior, gain) <= top * prior_vulnerability(prior, gain)
                count += 1
        identity = Gain([[int(x == w) for w in range(3)] for x in range(3)])
        even = Prior.uniform(range(3))
        right = right and vulnerability(M, even, identity) == top * prior_vulnerability(even, identity)
    detail = f"{count} gains, priors and channels obey the bound; the identity gain attains it"
    return finding(right, detail, {"geometric-capacity": capacity(geometric(3, "1/2"))})


def additive_miracle(printed: Printed) -> Finding:
    """Theorem 14: V_g[π,M] − V_g(π) ≤ 1 − Σ_y min_x M_xy if 0 ≤ V_g ≤ 1; attained by 1 − n[w = x]."""
    rnd, right, count = random.Random(6), True, 0
    for _ in range(15):
        M = random_channel(rnd, 3, 3)
        top = capacity(M, "additive").evidence.value
        for gain in gains(rnd, 3, 6):
            largest = max(max(row) for row in gain.matrix.rows())
            bounded = Gain(gain.matrix.map(lambda x, largest=largest: x / largest))  # type: ignore[misc]
            for prior in priors(rnd, 3, 3):
                right = right and vulnerability(M, prior, bounded) - prior_vulnerability(prior, bounded) <= top
                count += 1
        dual = Gain([[1 - 3 * int(x == w) for w in range(3)] for x in range(3)])
        even = Prior.uniform(range(3))
        right = right and prior_vulnerability(even, dual) == 0 and vulnerability(M, even, dual) == top
        right = right and all(0 <= prior_vulnerability(p, dual) <= 1 for p in priors(rnd, 3, 8))
    detail = f"{count} bounded gains, priors and channels obey the bound; 1 − n[w = x] has 0 ≤ V ≤ 1 and attains it"
    return finding(right, detail, {"geometric-additive-capacity": capacity(geometric(3, "1/2"), "additive")})


def algebra(printed: Printed) -> Finding:
    """5.2: U of a sum, a multiple, a scaled and a shifted loss, before and after a channel."""
    rnd, right, count = random.Random(7), True, 0
    for _ in range(15):
        C, prior = random_channel(rnd, 3, 3), list(priors(rnd, 3, 2))[1]
        first, second = losses(rnd, 3, 2)
        f, v = [QQ(rnd.randint(-3, 3)) for _ in range(3)], [QQ(rnd.randint(0, 3)) for _ in range(3)]
        shift = sum((p * x for p, x in zip(prior.weights, f, strict=True)), QQ.zero)
        mass = sum((p * x for p, x in zip(prior.weights, v, strict=True)), QQ.zero)
        for channel in (uniform(range(3)), C):
            alone, other = uncertainty(channel, prior, first), uncertainty(channel, prior, second)
            right = right and uncertainty(channel, prior, first.plus(second)) == alone + other
            right = right and uncertainty(channel, prior, first.times(3)) == 3 * alone
            right = right and uncertainty(channel, prior, first.shifted(f)) == alone + shift
            if mass:
                moved = Prior([p * x / mass for p, x in zip(prior.weights, v, strict=True)])
                right = right and uncertainty(channel, prior, first.weighted(v)) == mass * uncertainty(channel, moved, first)
            count += 1
    return finding(right, f"the four identities hold for {count} losses, priors and channels")


def entropies(printed: Printed) -> Finding:
    """5.1: U_l is concave in the prior, and for a trivial loss it is Σ_x π_x f(x) whatever the channel."""
    rnd, right, count = random.Random(9), True, 0
    for _ in range(15):
        C = random_channel(rnd, 3, 3)
        first, second = list(priors(rnd, 3, 3))[1:]
        middle = Prior([(x + y) / 2 for x, y in zip(first.weights, second.weights, strict=True)])
        for loss in losses(rnd, 3, 3):
            right = right and 2 * uncertainty(C, middle, loss) >= uncertainty(C, first, loss) + uncertainty(C, second, loss)
            count += 1
        f = [QQ(rnd.randint(-3, 3)) for _ in range(3)]
        value = sum((p * x for p, x in zip(first.weights, f, strict=True)), QQ.zero)
        right = right and uncertainty(C, first, Loss.trivial(f, range(3))) == value
    return finding(right, f"concave at the middle of {count} pairs of priors; trivial losses: the same for every channel tried")


def uniform_prior(printed: Printed) -> Finding:
    """Theorem 12: U_l[π, M] = U_(l^π)[υ, M] with l^π(w,x) = n·π_x·l(w,x)."""
    rnd, right, count = random.Random(8), True, 0
    for _ in range(15):
        C = random_channel(rnd, 3, 3)
        for loss in losses(rnd, 3, 3):
            for prior in priors(rnd, 3, 3):
                right = right and uncertainty(C, prior, loss) == uncertainty(C, Prior.uniform(range(3)), loss.for_uniform_prior(prior))
                count += 1
    return finding(right, f"equal for {count} losses, priors and channels")


def loss_classes(printed: Printed) -> Finding:
    """5.3: is [w = x], the dual of the Bayes risk, monotone in no metric? (α: any injection of guesses.)"""
    right = True
    for n in (3, 4, 5):
        bayes, discrete, line = Loss.zero_one(range(n)), neighbours(f"complete:{n}"), neighbours(f"path:{n}")
        right = right and is_monotone(bayes, discrete, strict=True)
        right = right and is_monotone(bayes, line) and not is_monotone(bayes, line, strict=True)
        distance = Loss.absolute(range(n))
        right = right and is_monotone(distance, line, strict=True) and not is_monotone(distance, discrete)
    dual = {n: Loss([[int(w == x) for w in range(n)] for x in range(n)]) for n in (2, 3, 4)}
    swap, square = is_monotone(dual[2], neighbours("path:2")), is_monotone(dual[4], neighbours("cycle:4"))
    odd = any(is_monotone(dual[3], neighbours(text)) for text in ("path:3", "complete:3"))
    detail = (
        "the other three statements hold for n = 3, 4, 5; but the dual [w = x] is monotone with α exchanging the two inputs "
        f"(n = 2: {swap}), and in the Hamming metric of two bits with α(w) the opposite corner (n = 4: {square}); for n = 3: {odd}"
    )
    right = right and not any(loss.is_trivial() for loss in dual.values())
    wrong = right and swap and square and not odd
    return Finding(Status.REFUTED if wrong else Status.HOLDS, detail)
