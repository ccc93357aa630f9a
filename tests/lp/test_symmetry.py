# SPDX-License-Identifier: MIT
"""Quotients by colour refinement have the same optimum, and their solutions lift to verified ones."""

from __future__ import annotations

import pytest
import strategies as own
from hypothesis import given, settings
from hypothesis import strategies as st
from lp_cases import kind_or_value, programs

from exactdp.exact import QQ
from exactdp.lp.problem import LinearProgram, Row, verify
from exactdp.lp.solve import solve, solve_by_symmetry
from exactdp.lp.symmetry import ReducedProgram, equitable_cells, refined
from exactdp.model import Loss, MinimaxConsumer, PrivacyLevel, neighbours
from exactdp.model.consumer import Problem
from exactdp.search.optimal_mechanism import mechanism_program


@st.composite
def copied_programs(draw):
    """Several copies of one small program, with rows that join all copies: symmetric, and equitable cells
    need not be orbits.
    """
    part, copies = draw(programs(max_variables=3, max_rows=3)), draw(st.integers(2, 3))
    n = part.n_variables
    rows = [Row({j + k * n: a for j, a in row.coefficients.items()}, row.sense, row.rhs) for k in range(copies) for row in part.rows]
    rows.append(Row({j: QQ(-1) for j in range(copies * n)}, ">=", QQ(draw(st.integers(-9, 0)))))
    order = draw(st.permutations(range(copies * n)))
    objective = {order[j + k * n]: c for k in range(copies) for j, c in part.objective.items()}
    mixed = [Row({order[j]: a for j, a in row.coefficients.items()}, row.sense, row.rhs) for row in draw(st.permutations(rows))]
    return LinearProgram(copies * n, objective, mixed, {order[j + k * n] for k in range(copies) for j in part.free})


@settings(max_examples=100)
@given(copied_programs())
def test_the_reduced_program_has_the_same_answer_and_it_lifts(lp):
    reduced = ReducedProgram(lp)
    assert reduced.lp is not None
    answer = reduced.lift(solve(reduced.lp, proposer=None))
    verify(lp, answer)
    assert kind_or_value(answer) == kind_or_value(solve(lp, proposer=None))


@settings(max_examples=80)
@given(programs())
def test_any_program_is_answered_alike(lp):
    answer = solve_by_symmetry(lp, proposer=None)
    verify(lp, answer)
    assert kind_or_value(answer) == kind_or_value(solve(lp, proposer=None))


@settings(max_examples=80)
@given(st.data())
def test_the_cells_are_equitable_and_as_coarse_as_orbits_allow(data):
    size = data.draw(st.integers(1, 8))
    weights = {(i, j): data.draw(st.integers(0, 2)) for i in range(size) for j in range(i + 1, size)}
    near = [[] for _ in range(size)]
    for (i, j), w in weights.items():
        if w:
            near[i].append((j, w))
            near[j].append((i, w))
    cells = equitable_cells([0] * size, near)
    assert sorted(v for cell in cells for v in cell) == list(range(size))

    def naive() -> set[frozenset[int]]:
        colour = [0] * size
        while True:
            seen = [(colour[v], *(sum(w for u, w in near[v] if colour[u] == c) for c in range(size))) for v in range(size)]
            names = {key: k for k, key in enumerate(sorted(set(seen)))}
            if len(names) == len(set(colour)):
                return {frozenset(v for v in range(size) if colour[v] == c) for c in set(colour)}
            colour = [names[key] for key in seen]

    assert set(map(frozenset, cells)) == naive()

    def sums(colour):
        return [tuple(sum(w for u, w in near[v] if colour[u] == c) for c in range(size)) for v in range(size)]

    colour = refined([0] * size, sums)
    assert {frozenset(v for v in range(size) if colour[v] == c) for c in colour} == naive()


@pytest.mark.parametrize(("spec", "most"), [("hypercube:3", 5), ("complete:6", 3), ("cycle:9", 6), ("grid:3x3", 25)])
def test_symmetric_graphs_shrink(spec, most):
    graph = neighbours(spec)
    lp = mechanism_program(Problem(graph, PrivacyLevel("1/3"), MinimaxConsumer(Loss.from_distance(graph.metric())))).lp
    reduced = ReducedProgram(lp)
    assert reduced.lp.n_variables <= most
    answer = solve_by_symmetry(lp, proposer=None)
    verify(lp, answer)
    assert kind_or_value(answer) == kind_or_value(solve(lp))


@settings(max_examples=60)
@given(own.problems())
def test_mechanism_problems_are_answered_alike(problem):
    lp = mechanism_program(Problem(*problem)).lp
    answer = solve_by_symmetry(lp)
    verify(lp, answer)
    assert kind_or_value(answer) == kind_or_value(solve(lp, proposer=None))


def test_numbers_with_equal_hashes_are_told_apart():
    """hash(-1) == hash(-2) in Python: over ℚ(a) the two columns looked alike."""
    from exactdp.exact import RationalFunctionField

    field = RationalFunctionField()
    one = field.one
    lp = LinearProgram(2, {0: one, 1: one}, [Row({0: -one, 1: -2 * one}, ">=", -one), Row({0: one, 1: one}, ">=", field(0))])
    reduced = ReducedProgram(lp)
    assert reduced.lp is None or reduced.lp.n_variables == 2
