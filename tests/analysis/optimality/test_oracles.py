"""Optima against two exact solvers that we did not write: QSopt_ex (Debian) and PPL or z3 (PyPI)."""

from __future__ import annotations

import random

import pytest
from oracles import esolver_optimum, needs, ppl_optimum, z3_optimum

from exactdp import (
    BayesianConsumer,
    ExactMatrix,
    Graph,
    Loss,
    MinimaxConsumer,
    Prior,
    PrivacyLevel,
    Rational,
    SideInformation,
    certify,
    neighbours,
    optimum,
)
from exactdp.model.consumer import Problem
from exactdp.search.optimal_mechanism import mechanism_program

LEVELS = ["1/1000", "1/97", "1/10", "1/4", "1/2", "2/3", "9/10", "999/1000"]
FAMILIES = ["path", "tree", "cycle", "cube", "grid", "random"]
INSTANCES = 240


def random_graph(rng: random.Random, family: str) -> Graph:
    size = rng.randint(2, 7)
    labels = tuple(map(str, range(size)))
    match family:
        case "path":
            return neighbours(f"path:{size}")
        case "tree":
            return Graph(labels, tuple(sorted((rng.randrange(j), j) for j in range(1, size))))
        case "cycle":
            return neighbours(f"cycle:{max(size, 3)}")
        case "cube":
            return neighbours(f"hypercube:{rng.choice([1, 2, 3])}")
        case "grid":
            return neighbours(rng.choice(["grid:2x2", "grid:2x3", "grid:2x4", "grid:3x3"]))
    edges = [(i, j) for i in range(size) for j in range(i + 1, size) if rng.random() < 0.6]
    return Graph(labels, tuple(edges))


def random_problem(seed: int):
    rng = random.Random(seed)
    graph = random_graph(rng, FAMILIES[seed % len(FAMILIES)])
    labels, size = graph.vertices, len(graph.vertices)
    level = PrivacyLevel(LEVELS[seed // len(FAMILIES) % len(LEVELS)])
    shape = rng.randrange(4)
    if shape == 0:
        loss = Loss.zero_one(labels)
    elif shape == 1 and all(label.isdigit() and str(int(label)) == label for label in labels):
        loss = rng.choice([Loss.absolute, Loss.squared])(labels)
    else:  # any loss at all, not only monotone, with fractions
        guesses = rng.choice([size, size, 2, 3])
        table = ExactMatrix.build(size, guesses, lambda i, r: Rational(rng.randint(0, 30), rng.randint(1, 12)))
        loss = Loss(table, labels, tuple(f"g{r}" for r in range(guesses)))
    if rng.random() < 0.5:
        parts = [rng.choice([0, 1, 2, 5, 11]) for _ in labels]
        parts[rng.randrange(size)] += 1
        prior = Prior(tuple(Rational(p, sum(parts)) for p in parts), labels)
        return graph, level, BayesianConsumer(loss, prior)
    known = tuple(i for i in range(size) if rng.random() < 0.7) or (rng.randrange(size),)
    return graph, level, MinimaxConsumer(loss, SideInformation(known, labels))


@pytest.mark.slow
@needs("esolver", "ppl", "z3")
@pytest.mark.parametrize("block", range(12))
def test_optimum_agrees_with_two_other_exact_solvers(block):
    for seed in range(block, INSTANCES, 12):
        graph, level, consumer = random_problem(seed)
        verdict = optimum(graph, level, consumer)
        certify(verdict)
        lp = mechanism_program(Problem(graph, level, consumer)).lp
        assert verdict.evidence.value == esolver_optimum(lp), f"QSopt_ex, seed {seed}"
        assert verdict.evidence.value == ppl_optimum(lp), f"PPL, seed {seed}"
        if lp.n_variables <= 17:
            assert verdict.evidence.value == z3_optimum(lp), f"z3, seed {seed}"


def test_there_are_two_hundred_instances_of_every_sort():
    problems = [random_problem(seed) for seed in range(INSTANCES)]
    assert len(problems) >= 200
    assert {type(consumer) for *_, consumer in problems} == {BayesianConsumer, MinimaxConsumer}
    assert {str(level) for _, level, _ in problems} == set(LEVELS)
