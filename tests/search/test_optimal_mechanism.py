# SPDX-License-Identifier: MIT
"""Where the optimal-mechanism program starts, and its way through the dual: the optimum is that of exact
pivots alone.
"""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.analysis import optimum
from exactdp.errors import ResourceLimitError
from exactdp.exact import QQ
from exactdp.lp.highs import dual, propose_basis, rounded
from exactdp.lp.problem import ByIdentity, LinearProgram, Optimal, Row, solve_basis
from exactdp.lp.solve import solve
from exactdp.lp.sparse import residuals
from exactdp.model import BayesianConsumer, Graph, Loss, MinimaxConsumer, Prior, PrivacyLevel, SideInformation
from exactdp.model.consumer import Problem
from exactdp.search.optimal_mechanism import mechanism_program, tree_basis


@st.composite
def problems(draw):
    n = draw(st.integers(2, 4))
    edges = {(draw(st.integers(0, j - 1)), j) for j in range(1, n)} | {(0, n - 1)}
    graph = Graph(range(n), sorted(edges))
    loss = Loss([[draw(st.integers(0, 5)) for _ in range(n)] for _ in range(n)])
    level = PrivacyLevel(QQ(draw(st.integers(1, 9))) / 10)
    if draw(st.booleans()):
        parts = [draw(st.integers(1, 9)) for _ in range(n)]
        return graph, level, BayesianConsumer(loss, Prior([QQ(p) / sum(parts) for p in parts]))
    known = sorted(draw(st.sets(st.integers(0, n - 1), min_size=1)))
    return graph, level, MinimaxConsumer(loss, SideInformation(known, graph.vertices))


@settings(max_examples=60)
@given(problems())
def test_the_start_is_a_basis_and_leads_to_the_optimum(problem):
    graph, level, consumer = problem
    lp = mechanism_program(Problem(*problem)).lp
    start = tree_basis(graph, consumer)
    assert start.fits(lp)
    assert sum(start.columns) + sum(start.rows) == len(lp.rows)
    vertex = solve_basis(lp, start)
    n = len(graph.vertices)
    ratios = {1, level.alpha, 1 / level.alpha}
    # on a tree every edge is tight
    for i, j in graph.edges if vertex.basis == start and len(graph.edges) == n - 1 else ():
        for r in range(n):
            x, y = vertex.x[i * n + r], vertex.x[j * n + r]
            assert (x == y == 0) or x / y in ratios
    found = solve(lp, proposer=partial(propose_basis, start=start))
    assert isinstance(found, Optimal)
    assert found.value == solve(lp, proposer=None).value


def test_no_start_for_other_shapes():
    graph = Graph(range(3), [(0, 1)])
    consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    assert tree_basis(graph, consumer) is None
    path = Graph.path(2)
    assert tree_basis(path, MinimaxConsumer(Loss([[0, 1, 2], [2, 1, 0]]))) is None


def test_the_dual_in_doubles():
    highspy = pytest.importorskip("highspy")
    lp = LinearProgram(2, {0: QQ(3), 1: QQ(1)}, [Row({0: QQ(1)}, ">=", QQ(2)), Row({0: QQ(1), 1: QQ(-1)}, "==", QQ(5))], {1})
    program = dual(rounded(lp))
    assert program.cost == [-2.0, -5.0]
    assert program.lower == [0.0, -highspy.kHighsInf]
    assert (program.row_lower, program.row_upper) == ([-highspy.kHighsInf, 1.0], [3.0, 1.0])
    assert dual(program).by_columns is False


@pytest.mark.slow
@settings(max_examples=100)
@given(st.data())
def test_signs_of_residuals(data):
    numbers = st.fractions(-3, 3, max_denominator=7).map(QQ)
    x = data.draw(st.dictionaries(st.integers(0, 3), numbers))
    rows = data.draw(st.lists(st.tuples(st.dictionaries(st.integers(0, 3), numbers), numbers), max_size=4))
    for found, (row, right) in zip(residuals(QQ, rows, x), rows, strict=True):
        exact = sum((a * x.get(j, 0) for j, a in row.items()), QQ(0)) - right
        assert (found > 0, found < 0) == (exact > 0, exact < 0)


def test_a_memo_keeps_its_objects_alive():
    calls = []
    memo = ByIdentity(lambda value: calls.append(value) or value[0])
    assert [memo([k]) for k in range(50)] == list(range(50))
    same = [7]
    assert memo(same) == memo(same) == 7
    assert len(calls) == 51


@pytest.mark.parametrize("level", [{"level": "1/2"}, {"epsilon": 1}])
def test_what_symmetry_does_not_make_smaller_is_refused_before_it_is_made(level):
    graph = Graph.complete(500)
    with pytest.raises(ResourceLimitError, match=r"complete:500.*zero-one.*exactdp remap"):
        optimum(graph, consumer=MinimaxConsumer(Loss.absolute(graph.vertices)), **level)
    with pytest.raises(ResourceLimitError, match=r"complete:500.*--budget"):
        optimum(graph, consumer=BayesianConsumer(Loss.squared(graph.vertices), Prior.uniform(graph.vertices)), **level)
