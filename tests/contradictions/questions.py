# SPDX-License-Identifier: MIT
"""What the emitters are asked: by topic, the questions whose answers may contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from exactdp import analysis as ask
from exactdp.analysis.approximate import is_approximately_private, least_delta, level_for_delta
from exactdp.analysis.composition import parallel_level, sequential_level
from exactdp.analysis.determinant import determinant
from exactdp.analysis.inference import likelihood_gap, maximum_likelihood
from exactdp.analysis.leakage import capacity, leakage, leakage_bound, type_capacity, utility_bound
from exactdp.analysis.optimality.mechanism_optimality import gap_between
from exactdp.analysis.printed.delta_ends import delta_as_printed
from exactdp.analysis.printed.epsilon_ends import privacy_as_printed
from exactdp.analysis.printed.printed_audit import ends
from exactdp.analysis.refinement import refinement_order
from exactdp.analysis.tight.optimality_on_region import is_optimal_on_region
from exactdp.analysis.tight.regular_priors import is_regular
from exactdp.analysis.tight.tight_levels import is_singular, regular_levels, tight_levels, tight_threshold
from exactdp.analysis.tight.tight_mechanism import is_tight_unique, tight_mechanism
from exactdp.analysis.types.kernels import kernel_count, kernel_mechanisms, vertex_count
from exactdp.analysis.types.mixtures import is_kernel_mechanism, kernel_mixture, kernel_mixtures
from exactdp.analysis.types.universal import is_universally_optimal, universally_optimal_mechanism
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.model import Graph, Mechanism, PrivacyLevel, Table

from .draw import Case, around_mechanism, distribution

Question = Callable[[], Any]


def privacy(c: Case, rng: Random) -> Iterator[Question]:
    yield lambda: ask.tightest_level(c.mechanism, c.near)
    yield lambda: ask.is_private(c.mechanism, c.near, c.level)
    yield lambda: ask.is_private(c.mechanism, c.near, c.other_level)


def stochastic(c: Case, rng: Random) -> Iterator[Question]:
    rows = [list(row) for row in c.mechanism.rows()]
    i, j = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    rows[i][j] = rows[i][j] + rng.choice((1, -1, Rational(1, 10**6), -Rational(1, 3), c.level.alpha))
    if rng.random() < 0.5:
        k = rng.randrange(len(rows[0]))
        rows[i][k] = rows[i][k] + 1 - sum(rows[i][1:], rows[i][0])
    yield lambda: ask.is_stochastic(Table(rows, c.mechanism.inputs, c.mechanism.outputs))
    yield lambda: ask.is_private(c.mechanism, c.near, c.level)


def derivability(c: Case, rng: Random) -> Iterator[Question]:
    yield lambda: ask.is_derivable(c.second, source=c.mechanism)
    yield lambda: ask.is_derivable(c.mechanism, source=c.second)
    yield lambda: refinement_order({"A": c.mechanism, "B": c.second})


def optimality(c: Case, rng: Random) -> Iterator[Question]:
    yield lambda: ask.optimum(c.near, c.level, c.consumer)
    if c.mechanism.outputs == c.loss.guesses:
        yield lambda: ask.is_optimal(c.mechanism, c.near, c.level, c.consumer)
        yield lambda: gap_between(c.mechanism, c.near, c.level, c.consumer)
    yield lambda: ask.is_optimal_after_remap(c.mechanism, c.near, c.level, c.consumer)
    yield lambda: ask.is_private(c.mechanism, c.near, c.level)


def uniqueness(c: Case, rng: Random) -> Iterator[Question]:
    yield lambda: ask.is_optimum_unique(c.near, c.level, c.consumer)
    yield lambda: ask.optimum(c.near, c.level, c.consumer)


def remaps(c: Case, rng: Random) -> Iterator[Question]:
    yield lambda: ask.best_remap(c.mechanism, c.consumer)
    yield lambda: ask.is_best_remap(c.mechanism, c.consumer, c.remap)
    yield lambda: ask.is_remap_unique(c.mechanism, c.consumer)


def tight(c: Case, rng: Random) -> Iterator[Question]:
    yield lambda: tight_mechanism(c.near, c.level)
    yield lambda: is_tight_unique(c.near, c.level)
    yield lambda: is_singular(c.near, c.level)
    if rng.random() < 0.2:
        yield lambda: tight_threshold(c.near, rng.choice((1, 2, 5, 15)))
    if c.numbers == "interval" and rng.random() < 0.5:
        yield lambda: tight_levels(c.near)
    yield lambda: tight_mechanism(c.near, c.other_level)


def regions(c: Case, rng: Random) -> Iterator[Question]:
    yield lambda: is_regular(c.near, c.level, c.prior)
    yield lambda: utility_bound(c.near, c.level, c.prior)
    yield lambda: leakage_bound(c.near, c.level, c.prior if rng.random() < 0.5 else None)
    yield lambda: leakage(c.mechanism, c.prior)
    yield lambda: ask.is_private(c.mechanism, c.near, c.level)
    yield lambda: is_optimal_on_region(c.mechanism, c.near, c.level)
    if c.numbers == "interval" and rng.random() < 0.3:
        yield lambda: regular_levels(c.near, c.prior)


def capacities(c: Case, rng: Random) -> Iterator[Question]:
    kind = rng.choice(("multiplicative", "additive"))
    yield lambda: type_capacity(c.near, c.level, kind)
    yield lambda: capacity(c.mechanism, kind)
    yield lambda: ask.is_private(c.mechanism, c.near, c.level)
    yield lambda: leakage_bound(c.near, c.level)


def kernels(c: Case, rng: Random) -> Iterator[Question]:
    simple = c.numbers == "rational" or len({d for *_, d in c.near.pairs()}) < 2
    few = (len(c.near.vertices) < 4 and simple) or (rng.random() < 0.3 and c.numbers == "rational")
    yield lambda: vertex_count(c.near, c.level)
    if few:
        yield lambda: kernel_count(c.near, c.level, time_limit=1)
        yield lambda: is_kernel_mechanism(c.mechanism, c.near, c.level)
    if few and len(c.near.vertices) < 4 and rng.random() < 0.5:
        yield lambda: is_kernel_mechanism(next(iter(kernel_mechanisms(c.near, c.level))).mechanism, c.near, c.level)
        yield lambda: kernel_mixture(c.mechanism, c.near, c.level, time_limit=1)
        yield lambda: kernel_mixtures(c.mechanism, c.near, c.level)


def universal(c: Case, rng: Random) -> Iterator[Question]:
    if len(c.near.vertices) < 4 or rng.random() < 0.2:
        theorems = rng.random() < 0.7
        yield lambda: is_universally_optimal(c.mechanism, c.near, c.level, c.loss, theorems=theorems, tries=8, time_limit=1)
        yield lambda: universally_optimal_mechanism(c.near, c.level, c.loss, theorems=theorems, tries=8, time_limit=1)


def deltas(c: Case, rng: Random) -> Iterator[Question]:
    subject: Any = c.mechanism
    if rng.random() < 0.3:
        rows = [[x * rng.choice((1, 1, Rational(1, 2), Rational(11, 10))) for x in row] for row in subject.rows()]
        subject = Table(rows, subject.inputs, subject.outputs)
    level: Any = 1 if rng.random() < 0.2 else c.level  # ε = 0
    yield lambda: least_delta(subject, c.near, level)
    yield lambda: is_approximately_private(subject, c.near, level, c.delta)
    yield lambda: level_for_delta(subject, c.near, c.delta)
    if isinstance(subject, Mechanism):
        yield lambda: ask.tightest_level(subject, c.near)


def printed(c: Case, rng: Random) -> Iterator[Question]:
    """Bounds around the mechanism, or around another one where it is not rational."""
    m = c.mechanism
    if m.field != QQ:
        width = rng.choice((2, 3))
        m = Mechanism([distribution(rng, width) for _ in m.inputs], m.inputs)
    table, level = around_mechanism(m, rng), rng.choice((c.level, c.level, None))
    yield lambda: ends(delta_as_printed(table, c.near, level).evidence)["largest-delta"]
    yield lambda: ends(delta_as_printed(table, c.near, level).evidence)["smallest-delta"]
    yield lambda: delta_as_printed(table, c.near, level, c.delta)
    yield lambda: delta_as_printed(table, c.near, level, "1/3")
    yield lambda: ends(privacy_as_printed(table, c.near).evidence)["largest-epsilon"]
    yield lambda: ends(privacy_as_printed(table, c.near).evidence)["smallest-epsilon"]
    yield lambda: privacy_as_printed(table, c.near, c.level)


def composition(c: Case, rng: Random) -> Iterator[Question]:
    both = [c.mechanism, c.second][: rng.choice((1, 2, 2))]
    yield lambda: sequential_level(both, c.near)
    yield lambda: parallel_level([(m, c.near) for m in both])
    yield lambda: ask.tightest_level(c.mechanism, c.near)


def likelihood(c: Case, rng: Random) -> Iterator[Question]:
    frequencies, estimate = distribution(rng, len(c.mechanism.outputs)), distribution(rng, len(c.mechanism.inputs))
    yield lambda: likelihood_gap(c.mechanism, frequencies, estimate)
    if c.numbers == "rational":
        yield lambda: maximum_likelihood(c.mechanism, frequencies, tolerance="1/100", most=20)


def releases(c: Case, rng: Random) -> Iterator[Question]:
    n, last = rng.choice((1, 2, 3)), PrivacyLevel(rng.choice(("99/100", "999/1000")))
    yield lambda: ask.multi_level_release(n, [c.level, c.other_level])
    yield lambda: ask.multi_level_release(n, [c.other_level, c.level])
    yield lambda: ask.multi_level_release(n, [c.level, last])


def determinants(c: Case, rng: Random) -> Iterator[Question]:
    a, n = PrivacyLevel.symbolic().alpha, rng.choice((1, 2, 3))
    entries = (a, 1 - a, a * a, 1 + a, a / a, 0 * a, 1 / (1 + a))
    matrix = ExactMatrix([[rng.choice(entries) for _ in range(n)] for _ in range(n)])
    column = rng.choice((None, None, rng.randrange(n)))
    yield lambda: determinant(matrix, column=column)
    formula = rng.choice(("1 - a", "0", "a", "1 - a^2", "(1 - a)^2", "a*(1 - a)", "1/(1 + a)"))
    yield lambda: determinant(matrix, column=column, formula=formula)


def by_level(c: Case, rng: Random) -> Iterator[Question]:
    """On pieces of an interval."""
    if isinstance(c.near, Graph) and len(c.near.vertices) < 4:
        yield lambda: ask.optimum_by_level(c.near, c.consumer)
    yield lambda: ask.private_levels(c.mechanism.as_table(), c.near, PrivacyLevel.symbolic())


# how often, and the questions
TOPICS: dict[str, tuple[int, Callable[[Case, Random], Iterator[Question]]]] = {
    "privacy": (10, privacy),
    "stochastic": (3, stochastic),
    "derivability": (7, derivability),
    "optimality": (10, optimality),
    "uniqueness": (5, uniqueness),
    "remaps": (8, remaps),
    "tight": (14, tight),
    "regions": (10, regions),
    "capacities": (7, capacities),
    "kernels": (6, kernels),
    "universal": (4, universal),
    "deltas": (9, deltas),
    "printed": (9, printed),
    "composition": (7, composition),
    "likelihood": (4, likelihood),
    "releases": (3, releases),
    "determinants": (4, determinants),
    "by_level": (3, by_level),
}
