# SPDX-License-Identifier: MIT
"""Duals as solvers return them: SciPy, HiGHS and CVXPY, each asked as its users do, in its order and sign."""

from __future__ import annotations

import importlib.util
import re
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from exactdp import BayesianConsumer, Dual, MinimaxConsumer, dual_template, nearest_dual, neighbours, optimum, read_dual
from exactdp.errors import DomainError, InexactInputError, InputError, ShapeError
from exactdp.exact import Region

WHO = [MinimaxConsumer("zero-one"), MinimaxConsumer("distance", "1..2"), BayesianConsumer("zero-one", "uniform")]
GRAPHS = ["path:3", "star:4", "cycle:4"]


def posed(graph, who):
    near = neighbours(graph)
    return near, who.on(near)


def program(near, a, consumer):
    """Costs, A_ub (for rows "≤ 0") and A_eq (for rows "= 1") in the order of the template's lines."""
    loss = consumer.loss.matrix.to_numpy().astype(float)
    n, k = loss.shape
    prior = [float(w) for w in consumer.prior.weights] if isinstance(consumer, BayesianConsumer) else None
    costs = np.concatenate([np.zeros(n * k) if prior is None else (np.array(prior)[:, None] * loss).ravel(), [prior is None]])
    above = []
    for line in dual_template(near, consumer).splitlines()[1:]:
        kind, i, j, r, _ = line.split(",")
        row = np.zeros(n * k + 1)
        if kind == "weight":
            row[int(i) * k : int(i) * k + k] = loss[int(i)]
            row[-1] = -1
        elif kind == "privacy":
            row[int(i) * k + int(r)], row[int(j) * k + int(r)] = -1, a
        else:
            continue
        above.append(row)
    equal = np.hstack([np.kron(np.eye(n), np.ones(k)), np.zeros((n, 1))])
    return costs, np.array(above), equal


def solved_by_scipy(near, a, consumer):
    linprog = pytest.importorskip("scipy.optimize").linprog
    costs, above, equal = program(near, a, consumer)
    bounds = [(0, None)] * (len(costs) - 1) + [(None, None)]
    return linprog(costs, above, np.zeros(len(above)), equal, np.ones(len(equal)), bounds, method="highs")


def solved_by_highs(near, a, consumer):
    highspy = pytest.importorskip("highspy")
    costs, above, equal = program(near, a, consumer)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    for cost in costs[:-1]:
        solver.addVar(0, highspy.kHighsInf)
        solver.changeColCost(solver.getNumCol() - 1, cost)
    solver.addVar(-highspy.kHighsInf, highspy.kHighsInf)
    solver.changeColCost(len(costs) - 1, costs[-1])
    above, equal = iter(above), iter(equal)
    for line in dual_template(near, consumer).splitlines()[1:]:
        equation = line.startswith("potential")
        row = next(equal if equation else above)
        at = np.flatnonzero(row).astype(np.int32)
        solver.addRow(1.0 if equation else -highspy.kHighsInf, 1.0 if equation else 0.0, len(at), at, row[at])
    solver.run()
    return solver.getSolution()


def solved_by_cvxpy(near, a, consumer):
    cp = pytest.importorskip("cvxpy")
    loss = consumer.loss.matrix.to_numpy().astype(float)
    n, k = loss.shape
    x, worst = cp.Variable((n, k), nonneg=True), cp.Variable()
    each = cp.sum(cp.multiply(loss, x), axis=1)
    constraints = []
    if isinstance(consumer, BayesianConsumer):
        goal = np.array([float(w) for w in consumer.prior.weights]) @ each
    else:
        goal = worst
        constraints.append(each[list(consumer.side_information.indices)] <= worst)
    constraints.append(cp.sum(x, axis=1) == 1)
    for i, j, _ in near.pairs():
        for r in range(k):
            constraints += [x[i, r] >= a * x[j, r], x[j, r] >= a * x[i, r]]
    cp.Problem(cp.Minimize(goal), constraints).solve(solver=cp.SCIPY)
    return constraints


SOLVERS = [solved_by_scipy, solved_by_highs]
if importlib.util.find_spec("cvxpy"):
    SOLVERS.append(solved_by_cvxpy)


@pytest.mark.mostly_slow(9)
@pytest.mark.parametrize("solved", SOLVERS)
@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("who", WHO)
def test_what_a_solver_returns_proves_the_optimum(solved, graph, who):
    near, consumer = posed(graph, who)
    read = read_dual(solved(near, 1 / 3, consumer), near, consumer)
    found = nearest_dual(near, "1/3", consumer, read)
    best = optimum(near, "1/3", consumer).evidence.value
    assert found.value == best  # these optima have denominators that rounding finds
    raw = [float(x) for x in read.potentials]
    assert sum(raw) == pytest.approx(float(best))  # so the sign is the right one, before anything is mended
    assert sum(float(w) for w in read.weights) == pytest.approx(1)


# What CVXPY 1.9.3 with SciPy returned for two inputs, the loss zero-one and α = 1/2, from the constraints
# "Σ_r l(i,r) x_ir ≤ d" and "Σ_r x_ir = 1" of both inputs, and, for r = 0, 1, x_0r ≥ x_1r/2 and x_1r ≥ x_0r/2.
def recorded():
    class Equality(SimpleNamespace):
        pass

    class Inequality(SimpleNamespace):
        pass

    return [
        Inequality(dual_value=np.array([2 / 3, 1 / 3])),
        Equality(dual_value=np.array([0.0, -1 / 3])),
        *(Inequality(dual_value=np.float64(x)) for x in (0.0, 0.0, 0.6666666666666666, 0.0)),
    ]


def test_constraints_of_cvxpy_as_recorded():
    near, consumer = posed("path:2", MinimaxConsumer("zero-one"))
    read = read_dual(recorded(), near, consumer)
    assert [float(u) for u in read.potentials] == [0, pytest.approx(1 / 3)]
    found = nearest_dual(near, "1/2", consumer, read)
    assert found.value == Fraction(1, 3)


def test_constraints_in_another_order_are_refused():
    near, consumer = posed("path:2", MinimaxConsumer("zero-one"))
    given = recorded()
    with pytest.raises(InputError, match="constraint 1 of CVXPY is an equation, where the template has a weight"):
        read_dual([given[1], given[0], *given[2:]], near, consumer)
    with pytest.raises(InputError, match="constraint 2 of CVXPY has no dual_value"):
        read_dual([given[0], SimpleNamespace(dual_value=None), *given[2:]], near, consumer)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), np.float64("nan"), np.float32("inf")])
def test_numbers_that_are_not_finite_are_refused_by_name(bad):
    near, consumer = posed("path:2", MinimaxConsumer("zero-one"))
    numbers = [0.5, 0.5, 0, 0, 0, 0, 0, 0]
    numbers[2] = bad
    with pytest.raises(InexactInputError, match=r"multiplier 3, of a potential, is -?(nan|inf)"):
        read_dual(numbers, near, consumer)


def test_what_has_no_multipliers_or_too_few_is_refused():
    near, consumer = posed("path:2", MinimaxConsumer("zero-one"))
    with pytest.raises(ShapeError, match=r"7 for 8 constraints \(2 weight, 2 potential, 4 privacy"):
        read_dual([0.5] * 7, near, consumer)
    with pytest.raises(InputError, match=r"there are no ineqlin.marginals.*method='highs'"):
        read_dual(SimpleNamespace(ineqlin=SimpleNamespace(marginals=None), eqlin=SimpleNamespace(marginals=None)), near, consumer)
    with pytest.raises(InputError, match="not valid"):
        read_dual(SimpleNamespace(row_dual=[0.0] * 8, dual_valid=False), near, consumer)
    with pytest.raises(InputError, match="give a CSV, a result of scipy"):
        read_dual(7, near, consumer)
    with pytest.raises(InputError):
        read_dual([None] * 8, near, consumer)


def test_formulas_in_a_csv_are_read_with_letters():
    near, consumer = posed("path:2", MinimaxConsumer("zero-one"))
    region = Region({"a": "(0, 1)", "c": "(0, oo)"})
    read = read_dual("weight,0,,,c/(a+c)\nweight,1,,,a/(a+c)\npotential,0,,,0", near, consumer, letters=region)
    assert str(read.weights[0]) == "c/(a + c)"
    assert read.potentials[0] == 0
    with pytest.raises(InputError, match="line 1"):
        read_dual("weight,0,,,p", near, consumer, letters=region)
    with pytest.raises(InputError, match="line 1"):
        read_dual("weight,0,,,c/(a+c)", near, consumer)
    with pytest.raises(DomainError, match=r"line 1: .* is not defined for all .* at a = 1/2, c = 1/2"):
        read_dual("weight,0,,,1/(2*c-1)", near, consumer, letters=region)


floats = st.floats(min_value=-1e6, max_value=1e6) | st.floats(min_value=-1, max_value=1)


@settings(max_examples=80)
@given(data=st.data(), graph=st.sampled_from(GRAPHS), who=st.sampled_from(WHO), parts=st.sampled_from(["w", "wp", "wpu"]))
def test_any_floats_prove_something_and_never_too_much(data, graph, who, parts):
    near, consumer = posed(graph, who)
    lines = len(dual_template(near, consumer).splitlines()) - 1
    read = read_dual(data.draw(st.lists(floats, min_size=lines, max_size=lines)), near, consumer)
    given_ = Dual(read.weights, read.potentials if "p" in parts else None, read.edges if "u" in parts else None)
    found = nearest_dual(near, "1/3", consumer, given_)
    assert found.value is not None
    assert found.value <= optimum(near, "1/3", consumer).evidence.value


@pytest.mark.parametrize("graph", GRAPHS)
def test_a_dual_of_zeros_and_one_of_another_problem_still_prove_something(graph):
    near, consumer = posed(graph, MinimaxConsumer("distance"))
    best = optimum(near, "1/3", consumer).evidence.value
    lines = len(dual_template(near, consumer).splitlines()) - 1
    assert 0 <= nearest_dual(near, "1/3", consumer, read_dual([0.0] * lines, near, consumer)).value <= best
    other = posed(graph, MinimaxConsumer("zero-one"))[1]
    foreign = read_dual(solved_by_scipy(near, 0.9, other), near, consumer)
    assert 0 <= nearest_dual(near, "1/3", consumer, foreign).value <= best


@pytest.mark.parametrize("noise", [0.0, 1e-16, 1e-9, 1e-4])
def test_a_forest_dual_without_privacy_multipliers_loses_no_more_than_its_noise(noise):
    near, consumer = posed("star:4", MinimaxConsumer("distance"))
    e = optimum(near, "1/3", consumer).evidence
    shaken = Dual([Fraction(float(w)) for w in e.dual.weights], [Fraction(float(u) + noise) for u in e.dual.potentials])
    found = nearest_dual(near, "1/3", consumer, shaken)
    assert e.value - 100 * Fraction(noise + 1e-15) <= found.value <= e.value


CELLS = re.findall(r"^```python\n(import .*?)^```", (ROOT / "docs" / "duals.md").read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("library", ["highspy", "scipy", "cvxpy"])
def test_the_cells_of_the_page_prove_the_optimum(library):
    pytest.importorskip(library)
    if library == "cvxpy":
        pytest.importorskip("highspy")  # cvxpy hands the program to HiGHS
    [cell] = [cell for cell in CELLS if re.search(rf"^(import|from) {library}", cell, re.MULTILINE)]
    names: dict[str, object] = {}
    exec(cell, names)
    assert names["found"].value == Fraction(5, 9) == optimum("cycle:4", "1/2", MinimaxConsumer("zero-one")).evidence.value
