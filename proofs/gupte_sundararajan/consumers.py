# SPDX-License-Identifier: MIT
"""Sections 2.3–2.5 and 2.7: losses, interactions, the linear programs, Bayesian and minimax consumers."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from exactdp.analysis import best_remap, is_best_remap, is_derivable, is_private, is_remap_unique, optimum
from exactdp.cli.demo_cases import TABLE_LEVEL, absolute, consumers, optimum_of_table_1, path, unique_remap_of_table_1
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.mechanisms import geometric, lumped_geometric
from exactdp.model import BayesianConsumer, Graph, Loss, MinimaxConsumer, Prior, PrivacyLevel, Remap, SideInformation
from proofs.gupte_sundararajan.common import LEVELS, definition_4, two_output_mechanisms
from proofs.gupte_sundararajan.examples import appendix_b_mechanism
from proofs.record import Finding, Printed, Status, finding


def losses(printed: Printed) -> Finding:
    """Are |i−r|, (i−r)² and [i≠r] monotone in |i−r|?"""
    makers = (Loss.absolute, Loss.squared, Loss.zero_one)
    right = all(make(range(n + 1)).is_monotone() for make in makers for n in range(31))
    control = Loss([[0, 1, 0], [1, 0, 1], [2, 1, 0]]).is_monotone()
    return finding(right and not control, "monotone for every n ≤ 30; t, t² and [t ≠ 0] do not decrease in t")


def variance(printed: Printed) -> Finding:
    """Is the expected (i−r)² the variance of the error? Only where the mean result is i."""
    right, found = True, (Rational(0), Rational(0))
    for n, text in product(range(1, 5), LEVELS):
        a = Rational(text)
        G = definition_4(n, a)
        for i in range(n + 1):
            mean = sum((r * G[i, r] for r in range(n + 1)), Rational(0))
            spread = sum(((r - mean) ** 2 * G[i, r] for r in range(n + 1)), Rational(0))
            squared = sum(((r - i) ** 2 * G[i, r] for r in range(n + 1)), Rational(0))
            bias = (a ** (i + 1) - a ** (n - i + 1)) / (1 - a * a)
            right = right and mean - i == bias and squared == spread + bias * bias and (squared == spread) == (2 * i == n)
            if (n, text, i) == (1, "1/2", 0):
                found = (squared, spread)
    detail = (
        f"G(1, 1/2) at 0 has the expected squared error {found[0]} and the variance {found[1]}; the first is the second plus the squared "
        "bias for all inputs, n ≤ 4, seven levels, and equal to it at the middle input only"
    )
    return finding(right and found[0] != found[1], detail, status=Status.IMPRECISE)


def clamping(printed: Printed) -> Finding:
    """Example 1: is clamping to S = {l..n} an interaction, and is it the consumer's best one?"""
    cases = [(n, low) for n in (2, 3, 4) for low in range(1, n)]
    feasible = all(_feasible(n, _clamping(n, low)) for n, low in cases)
    verdicts = {
        (n, low): is_best_remap(lumped_geometric(n, TABLE_LEVEL), absolute(n, range(low, n + 1)), _clamping(n, low)) for n, low in cases
    }
    best = {case for case, verdict in verdicts.items() if verdict.proved}
    worse = verdicts[3, 1]
    detail = (
        f"clamping is {'' if feasible else 'not '}a feasible interaction, and the best one for |i−r|, α = 1/4 in the cases "
        f"(n, l) ∈ {sorted(best)}, not in the others: "
        f"n = 3, l = 1 loses {worse.evidence.loss} where {worse.evidence.value} is possible, {worse.evidence.gap} more"
    )
    # many interactions are best; the certificate shows one that does not depend on the search
    better = is_best_remap(lumped_geometric(3, TABLE_LEVEL), absolute(3, range(1, 4)), _mixing())
    right = feasible and worse.refuted and better.proved and best == {(n, low) for n, low in cases if low == n - 1}
    shown = replace(worse, evidence=replace(worse.evidence, remap=_mixing()))
    verdicts_kept = {"clamping-not-best": shown, "clamping-best": verdicts[2, 1]}
    return finding(right, detail, verdicts_kept, status=Status.CERTIFIED)


def _clamping(n: int, low: int) -> Remap:
    """Each of the n + 3 outputs ≤ −1, 0, …, n, ≥ n+1 is sent to the nearest of low..n."""
    outputs = lumped_geometric(n, TABLE_LEVEL).outputs
    return Remap.deterministic({label: str(min(n, max(low, place - 1))) for place, label in enumerate(outputs)}, outputs, range(n + 1))


def _mixing() -> Remap:
    """A best interaction for n = 3, l = 1: clamp, then the middle guess for an end with probability 3/23."""
    low, middle, high = [0, "20/23", "3/23", 0], [0, 0, 1, 0], [0, 0, "3/23", "20/23"]
    return Remap(ExactMatrix([low, low, low, middle, high, high]), lumped_geometric(3, TABLE_LEVEL).outputs, range(4))


def _feasible(n: int, remap: Remap) -> bool:
    """Whether the rows are probabilities; what is induced is Σ_r y_ir T_rr′, whose rows sum to 1."""
    y, T = lumped_geometric(n, TABLE_LEVEL).matrix, remap.matrix
    rows = [*T.rows(), *(y @ T).rows()]
    return all(min(row) >= 0 and sum(row, QQ.zero) == 1 for row in rows)


def derivability(printed: Printed) -> Finding:
    """Definition 3, decided both ways: a matrix of probability masses T with x = yT, or why there is none."""
    yes = is_derivable(geometric(3, "1/2"), source=geometric(3, "1/4"))
    no = is_derivable(appendix_b_mechanism(printed), source=geometric(3, "1/2"))
    right = yes.proved and yes.evidence.remap is not None and no.refuted
    verdicts = {"level-1-4-to-1-2": yes, "appendix-b-not-derivable": no}
    return finding(right, "decidable both ways, with T or with a separating consumer", verdicts, status=Status.DEFINITION)


def interaction_program(printed: Printed) -> Finding:
    """The program of 2.4.3: its number of variables, the sign condition on T, its first line as printed."""
    verdict = unique_remap_of_table_1()
    T, value = verdict.evidence.first.matrix, verdict.evidence.value
    n = T.shape[0] - 1
    variables = T.shape[0] * T.shape[1]
    zeros = sum(x == 0 for row in T.rows() for x in row)
    # read literally, x_ir = Σ_r y_ir T*_rr' with r' free says that x_ir is the same for all r: x is uniform
    consumer = absolute(n)
    literal = max(sum((x / QQ(n + 1) for x in consumer.loss.matrix.row(i)), QQ.zero) for i in range(n + 1))
    right = variables == n * n and not zeros and literal == value
    detail = (
        f"(n+1)² = {variables} variables, not n² = {n * n}; the only optimal T* of Table 1's consumer has {zeros} zeros, so "
        '"positive" must be ≥ 0; '
        f"the first line must read x_ir′ = Σ_r y_ir T*_rr′ (as printed only the uniform mechanism, loss {literal}, is feasible; "
        f"the optimum is {value})"
    )
    status = Status.OPEN if not verdict.proved else Status.CERTIFIED if right else Status.IMPRECISE
    return Finding(status, detail, {"table-1-unique-interaction": verdict})


def post_processing(printed: Printed) -> Finding:
    """Post-processing keeps privacy; so optimising over mechanisms alone loses nothing."""
    G, right = geometric(3, TABLE_LEVEL), True
    remap = Remap(printed.table("table-1c"), G.outputs, G.outputs)
    for text in LEVELS:
        for source in (geometric(3, text), lumped_geometric(3, text)):
            for T in _remaps(source.n_outputs):
                processed = source.post_process(Remap(T, source.outputs))
                right = right and is_private(processed, path(3), PrivacyLevel(text)).proved
    for consumer in consumers(2):
        least = optimum(path(2), PrivacyLevel("1/3"), consumer).evidence.value
        right = right and least <= best_remap(geometric(2, "1/3"), consumer).evidence.value
    verdict = is_private(G.post_process(remap), path(3), PrivacyLevel(TABLE_LEVEL))
    detail = "G·T is private at G's level for every T tried (seven levels), and the optimum is never above the best remap's loss"
    return finding(right and verdict.proved, detail, {"processed-private": verdict})


def _remaps(outputs: int) -> list[ExactMatrix]:
    """Row-stochastic matrices with three guesses and rational entries: rows proportional to residues."""
    found = []
    for seed in (1, 3, 7):
        weights = [[(seed * (y + 2) ** (r + 1) + r) % 11 for r in range(3)] for y in range(outputs)]
        found.append(ExactMatrix([[Rational(w, sum(row)) if sum(row) else Rational(1, 3) for w in row] for row in weights]))
    return found


def mechanism_program(printed: Printed) -> Finding:
    """The two programs of 2.5: do they give the optimum, as printed and by the remap of G?"""
    verdict, right = optimum_of_table_1(), True
    for n in (1, 2, 3):
        order = [*range(1, n + 1), 0]  # another order of the same path: solved as the printed linear program, not through G
        shuffled = Graph.from_edges(order, [(i, i + 1) for i in range(n)])
        for consumer in consumers(n):
            loss = Loss([consumer.loss.matrix.row(i) for i in order], order, range(n + 1))
            same = MinimaxConsumer(loss, SideInformation.of(consumer.side_information.labels, order))
            direct = optimum(shuffled, PrivacyLevel(TABLE_LEVEL), same).evidence.value
            right = right and direct == optimum(path(n), PrivacyLevel(TABLE_LEVEL), consumer).evidence.value
    detail = (
        f"the printed program and the best remap of G agree for all S and four losses, n ≤ 3; Table 1's consumer: {verdict.evidence.value}"
    )
    return finding(right and verdict.proved, detail, {"table-1-optimum": verdict})


def bayesian_and_minimax(printed: Printed) -> Finding:
    """2.7: Bayesian consumers need no randomness, minimax consumers employ it."""
    deterministic = True
    for n in (1, 2, 3):
        for weights in ([1] * (n + 1), [*range(1, n + 2)], [1] + [0] * n):
            prior = Prior([Rational(w, sum(weights)) for w in weights])
            for loss in (Loss.absolute(range(n + 1)), Loss.squared(range(n + 1)), Loss.zero_one(range(n + 1))):
                found = best_remap(geometric(n, TABLE_LEVEL), BayesianConsumer(loss, prior)).evidence
                deterministic = deterministic and found.remap.is_deterministic()
    needs = unique_remap_of_table_1()
    G = geometric(1, TABLE_LEVEL)
    identity = Remap.deterministic({"0": "0", "1": "1"}, G.outputs, G.outputs)
    without = is_best_remap(G, absolute(1), identity)
    bayes = best_remap(geometric(3, TABLE_LEVEL), BayesianConsumer(Loss.absolute(range(4))))
    unique = is_remap_unique(G, absolute(1)).proved
    some_need_it = needs.proved and not needs.evidence.first.is_deterministic()
    detail = (
        "every Bayesian consumer tried has a deterministic best remap; Table 1's minimax consumer has only one best remap, a "
        "randomised one; "
        f"but the minimax consumer of n = 1, |i−r| keeps the output as it is ({'his only' if unique else 'a'} best remap)"
    )
    verdicts = {"bayesian-deterministic": bayes, "table-1-unique-interaction": needs, "minimax-deterministic": without}
    if not (deterministic and some_need_it):
        return Finding(Status.REFUTED, detail, verdicts)
    return Finding(Status.IMPRECISE if without.proved else Status.CERTIFIED, detail, verdicts)


def search(printed: Printed) -> Finding:
    """2.5: is the least loss of mechanisms with the best interaction that of private mechanisms alone?"""
    n, alpha = 2, PrivacyLevel("1/3")
    deployed = [geometric(n, alpha), lumped_geometric(n, alpha), geometric(n, "1/2"), *list(two_output_mechanisms(n, Rational("1/3")))[:6]]
    right = True
    for consumer in (absolute(n), absolute(n, [0, 1]), BayesianConsumer(Loss.zero_one(range(n + 1)), Prior(("1/2", "1/3", "1/6")))):
        least = optimum(path(n), alpha, consumer).evidence
        pairs = [best_remap(y, consumer).evidence.value for y in deployed]
        itself = best_remap(least.found, consumer).evidence.value
        right = right and all(is_private(y, path(n), alpha).proved for y in deployed)
        right = right and min(pairs) >= least.value and itself == least.value
    detail = (
        "no pair loses less than the best private mechanism, and that mechanism as it is no more (n = 2, three consumers, nine mechanisms)"
    )
    return finding(right, detail)


def generalises(printed: Printed) -> Finding:
    """2.7: is G as good as any private X for all Bayesian consumers iff for the minimax ones with losses
    l(i,r) − d_i? And what of one minimax consumer without these shifts?
    """
    n, alpha = 2, Rational("1/2")
    G, loss, inputs = geometric(n, alpha), Loss.absolute(range(n + 1)).matrix, range(n + 1)
    right = True
    for X in [M for M in two_output_mechanisms(n, alpha) if is_private(M, path(n), PrivacyLevel(alpha)).proved][:12]:
        guesses = Loss([row[:2] for row in loss.rows()], inputs, X.outputs)
        lost = [sum((x * y for x, y in zip(X.matrix.row(i), guesses.matrix.row(i), strict=True)), QQ.zero) for i in inputs]
        shifted = Loss([[value - lost[i] for value in guesses.matrix.row(i)] for i in inputs], inputs, X.outputs)
        right = right and best_remap(G, MinimaxConsumer(shifted, SideInformation.of(list(inputs), shifted.inputs))).evidence.value <= 0
        for weights in (("1/3", "1/3", "1/3"), ("1", "0", "0"), ("0", "1/4", "3/4"), ("1/2", "1/6", "1/3")):
            own = sum((Rational(w) * value for w, value in zip(weights, lost, strict=True)), QQ.zero)
            right = right and best_remap(G, BayesianConsumer(guesses, Prior(weights))).evidence.value <= own
    detail = (
        "a minimax consumer with the loss l(i,r) − d_i, d_i what X loses at i, finds an interaction with G that loses no more than X at "
        "each input at once, so for every prior (two-output mechanisms for n = 2, α = 1/2); conversely by the minimax theorem"
    )
    return Finding(Status.IMPRECISE if right else Status.REFUTED, detail)
