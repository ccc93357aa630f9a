# SPDX-License-Identifier: MIT
"""Python questions that no command asks: the order in which labelled rows, columns and vertices are written
changes no answer.

The questions that commands ask, too, are compared with a brute-force computation in ``tests/permutations``.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactdp import (
    BayesianConsumer,
    Graph,
    Loss,
    Mechanism,
    Prior,
    Rational,
    RationalFunctionField,
    Remap,
    Table,
    best_remap_by_level,
    derivable_levels,
    dual_bound,
    earth_move,
    gap_between,
    is_optimal_by_level,
    optimum,
    optimum_by_level,
    private_levels,
    tight_gap,
    utility_set,
    verify_optimal,
)

INPUTS, GUESSES = ("b", "c", "a"), ("g", "f", "h")
EDGES = [("b", "c"), ("c", "a")]  # the path b, c, a
LEVEL = Rational("1/2")
SEEDS = range(6)


def shuffled(rng, labels):
    return tuple(rng.sample(labels, len(labels)))


def table(rng, entry, rows, columns):
    """A matrix given by its entries at labels, written in some order of rows and columns."""
    rows, columns = shuffled(rng, rows), shuffled(rng, columns)
    return [[entry(x, y) for y in columns] for x in rows], rows, columns


def graph(rng):
    order = shuffled(rng, INPUTS)
    return Graph(order, [(order.index(x), order.index(y)) for x, y in EDGES])


def geometric_entry(a):
    """G(2, a) on the path b, c, a, with the outputs g, f, h in this order."""

    def entry(x, y):
        i, j = INPUTS.index(x), GUESSES.index(y)
        return a ** abs(i - j) * ((1 - a) if j == 1 else 1) / (1 + a)

    return entry


def mechanism(rng, a=LEVEL):
    return Mechanism(*table(rng, geometric_entry(a), INPUTS, GUESSES))


LOSSES = {
    ("b", "g"): 0,
    ("b", "f"): 1,
    ("b", "h"): 3,
    ("c", "g"): 1,
    ("c", "f"): 0,
    ("c", "h"): 1,
    ("a", "g"): 2,
    ("a", "f"): 1,
    ("a", "h"): 0,
}
WEIGHTS = {"b": Rational("1/2"), "c": Rational("1/8"), "a": Rational("3/8")}


def as_table(rng, a):
    return Table(*table(rng, geometric_entry(a), INPUTS, GUESSES))


def loss(rng):
    return Loss(*table(rng, lambda x, g: LOSSES[x, g], INPUTS, GUESSES))


def prior(rng):
    order = shuffled(rng, INPUTS)
    return Prior([WEIGHTS[x] for x in order], order)


def consumer(rng):
    return BayesianConsumer(loss(rng), prior(rng))


def pieces(verdict):
    return [(str(interval), str(value)) for interval, value in verdict.evidence.values]


def letter():
    return RationalFunctionField().gen


def every_level(rng):
    verdict = is_optimal_by_level(mechanism(rng, letter()), graph(rng), consumer(rng), after_remap=True)
    return verdict.decision, pieces(verdict)


def gap(rng):
    evidence = gap_between(mechanism(rng), graph(rng), LEVEL, consumer(rng)).evidence
    return str(evidence.least), str(evidence.most)


def served(rng):
    evidence = utility_set(mechanism(rng), graph(rng), LEVEL, {"l": loss(rng)}).evidence
    return [(name, answer.decision) for name, answer in evidence.answers]


def outside(rng):
    verdict = tight_gap(graph(rng), Rational("1/3"), prior(rng))
    return verdict.decision, str(verdict.evidence.gap)


def earth(rng):
    """The shares of the first target's posteriors in the source's, by the labels of their outputs."""
    source, merge = mechanism(rng), {"g": "u", "f": "u", "h": "v"}
    remap = Remap(*table(rng, lambda y, g: int(merge[y] == g), GUESSES, ("u", "v")))
    moved = earth_move(source, source.post_process(remap))
    assert moved is not None
    return sorted(sorted(map(str, row)) for row in moved.shares.rows())


def dual(rng):
    near, who = graph(rng), consumer(rng)
    found = optimum(near, LEVEL, who).evidence.dual  # in the order of this graph
    verdict = verify_optimal(mechanism(rng), near, LEVEL, who, found)
    return verdict.decision, str(verdict.evidence.loss), str(dual_bound(near, LEVEL, who, found).value)


QUESTIONS = {
    "optimum_by_level": lambda rng: pieces(optimum_by_level(graph(rng), consumer(rng))),
    "best_remap_by_level": lambda rng: pieces(best_remap_by_level(mechanism(rng, letter()), consumer(rng))),
    "is_optimal_by_level": every_level,
    "private_levels": lambda rng: private_levels(as_table(rng, letter()), graph(rng), LEVEL).claim,
    "derivable_levels": lambda rng: derivable_levels(as_table(rng, (1 + letter()) / 2), source=as_table(rng, letter())).claim,
    "gap_between": gap,
    "utility_set": served,
    "tight_gap": outside,
    "earth_move": earth,
    "verify_optimal, dual_bound": dual,
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_order_changes_the_answer(name):
    answers = [QUESTIONS[name](random.Random(seed)) for seed in SEEDS]
    assert answers == [answers[0]] * len(answers)


def test_the_answers_compared_are_the_right_ones():
    """By hand, in Fractions: the geometric mechanism's expected loss, and what each output's best guess
    leaves.
    """
    half = Fraction(1, 2)
    g = {(x, y): half ** abs(i - j) * (half if j == 1 else 1) / (1 + half) for i, x in enumerate(INPUTS) for j, y in enumerate(GUESSES)}
    weights = {x: Fraction(str(w)) for x, w in WEIGHTS.items()}
    least = sum(min(sum(weights[x] * LOSSES[x, r] * g[x, y] for x in INPUTS) for r in GUESSES) for y in GUESSES)
    rng = random.Random(0)
    found = [
        value.evaluate(LEVEL)
        for part, value in best_remap_by_level(mechanism(rng, letter()), consumer(rng)).evidence.values
        if part.contains(LEVEL)
    ]
    assert {Fraction(str(value)) for value in found} == {least}
