"""Uniqueness against a vertex enumerator that we did not write: the optimal face has one vertex, or more
(lrslib).
"""

from __future__ import annotations

import subprocess
from fractions import Fraction

import pytest
from hypothesis import given, settings
from oracles import as_fraction, needs
from strategies import problems

from exactdp import MinimaxConsumer, best_remap, is_optimum_unique, is_remap_unique
from exactdp.model.consumer import Problem
from exactdp.search.best_remap import remap_program
from exactdp.search.optimal_mechanism import mechanism_program


def optimal_vertices(lp, value) -> set[tuple[Fraction, ...]]:
    """All vertices of {x feasible, c·x = value}, which is bounded here, by lrs."""
    size = lp.n_variables
    rows: list[list[Fraction]] = []
    equalities = []

    def add(terms, rhs, equality):
        rows.append([-as_fraction(rhs), *(as_fraction(terms[v]) if v in terms else Fraction(0) for v in range(size))])
        if equality:
            equalities.append(len(rows))

    for row in lp.rows:
        add(row.coefficients, row.rhs, row.sense == "==")
    add(lp.objective, value, True)
    for v in range(size):
        if v not in lp.free:
            rows.append([Fraction(0), *(Fraction(int(u == v)) for u in range(size))])
    text = ["face", "H-representation", f"linearity {len(equalities)} {' '.join(map(str, equalities))}", "begin"]
    text += [f"{len(rows)} {size + 1} rational", *(" ".join(map(str, row)) for row in rows), "end"]
    done = subprocess.run(["lrs"], input="\n".join(text) + "\n", capture_output=True, text=True, check=True, timeout=60)
    # on overflow lrs starts again with longer numbers, so the last of its answers counts
    body = done.stdout.rsplit("begin", 1)[1].split("end", 1)[0].splitlines()[2:]
    vertices = [line.split() for line in body if line.split()]
    assert all(parts[0] == "1" for parts in vertices), "the face is unbounded"
    return {tuple(map(Fraction, parts[1:])) for parts in vertices}


@pytest.mark.slow
@needs("lrs")
@settings(max_examples=40)
@given(problems(max_vertices=3, max_guesses=3))
def test_optimal_mechanisms(problem):
    verdict = is_optimum_unique(*problem)
    found = optimal_vertices(mechanism_program(Problem(*problem)).lp, verdict.evidence.value)
    assert verdict.proved == (len(found) == 1)


@pytest.mark.slow
@needs("lrs")
@settings(max_examples=40)
@given(problems(max_vertices=3, max_guesses=3))
def test_best_remaps(problem):
    graph, level, consumer = problem
    found = is_optimum_unique(graph, level, consumer).evidence.first
    verdict = is_remap_unique(found, consumer)
    lp, _ = remap_program(found, consumer)
    value = best_remap(found, consumer).evidence.value
    vertices = optimal_vertices(lp, value)
    size = len(found.outputs) * len(consumer.loss.guesses)
    remaps = {vertex[:size] for vertex in vertices}
    assert verdict.proved == (len(remaps) == 1)
    assert isinstance(consumer, MinimaxConsumer) or len(vertices) == len(remaps)
