# SPDX-License-Identifier: MIT
"""Every answer of the exact linear programming search is right, with and without a float solver, and whatever
a proposer says.
"""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lp_cases import dense, dot, is_correct, kind_or_value, program, programs, vertices

from exactdp.errors import InputError
from exactdp.exact import QQ
from exactdp.lp.highs import propose_basis
from exactdp.lp.problem import Basis, Infeasible, LinearProgram, Optimal, Row, Unbounded, is_only_optimum
from exactdp.lp.solve import simplex, solve


@pytest.mark.slow
@settings(max_examples=250)
@given(programs())
def test_the_answer_satisfies_the_definition_and_highs_does_not_change_it(lp):
    alone, helped = solve(lp, proposer=None), solve(lp)
    assert is_correct(lp, alone)
    assert is_correct(lp, helped)
    assert kind_or_value(alone) == kind_or_value(helped)


@settings(max_examples=80)
@given(programs(max_variables=3, max_rows=4))
def test_the_optimum_is_the_best_vertex(lp):
    if lp.free:
        lp = LinearProgram(lp.n_variables, lp.objective, lp.rows)
    answer, points = solve(lp, proposer=None), list(vertices(lp))
    if isinstance(answer, Optimal):
        costs = dense(lp)[3]
        assert kind_or_value(answer) == min(dot(costs, x) for x in points)
    else:
        assert isinstance(answer, Infeasible) == (not points)


@pytest.mark.slow
@settings(max_examples=150)
@given(programs(), st.data())
def test_a_lying_proposer_changes_nothing(lp, data):
    bits = data.draw(st.lists(st.booleans(), min_size=lp.n_variables, max_size=lp.n_variables))
    rows = data.draw(st.lists(st.booleans(), min_size=len(lp.rows), max_size=len(lp.rows)))
    answer = solve(lp, proposer=lambda *_: Basis(tuple(bits), tuple(rows)))
    assert is_correct(lp, answer)
    assert kind_or_value(answer) == kind_or_value(solve(lp, proposer=None))


def _raise(*_):
    raise RuntimeError("the float solver crashed")


LIARS = [_raise, lambda *_: None, lambda *_: "nonsense", lambda *_: Basis((True,), ()), lambda *_: Basis((), (1,)), lambda: None]


@pytest.mark.parametrize("proposer", LIARS)
def test_a_failing_proposer_changes_nothing(proposer):
    lp = program([1, 1], [([3, 1], ">=", 1)])
    assert solve(lp, proposer=proposer) == solve(lp, proposer=None)


def test_an_interrupt_reaches_the_caller_and_leaves_the_problem_whole():
    def interrupt(*_):
        raise KeyboardInterrupt

    lp = program([1, 1], [([3, 1], ">=", 1), ([1, 3], ">=", 1)])
    with pytest.raises(KeyboardInterrupt):
        solve(lp, proposer=interrupt)
    with pytest.raises(KeyboardInterrupt):
        solve(lp, proposer=None, progress=interrupt)
    assert solve(lp).value == QQ("1/2")


def test_progress_is_told_about_every_pivot():
    seen = []
    solve(program([1, 1], [([3, 1], ">=", 1), ([1, 3], ">=", 1)]), proposer=None, progress=seen.append)
    assert [event.done for event in seen] == list(range(1, len(seen) + 1))
    assert seen[-1].objective == QQ("1/2")
    assert seen[-1].unit == "pivots"
    assert seen[-1].detail == "numbers of 2 digits"


@pytest.mark.parametrize(
    ("lp", "expected"),
    [
        (LinearProgram(0, {}, []), Optimal((), (), QQ(0))),
        (LinearProgram(0, {}, [Row({}, ">=", QQ(-1))]), Optimal((), (QQ(0),), QQ(0))),
        (LinearProgram(0, {}, [Row({}, "==", QQ(-1))]), Infeasible((QQ(-1),))),
        (LinearProgram(1, {}, []), Optimal((QQ(0),), (), QQ(0))),
        (LinearProgram(1, {0: QQ(-1)}, []), Unbounded((QQ(0),), (QQ(1),))),
        (LinearProgram(1, {0: QQ(1)}, [], frozenset({0})), Unbounded((QQ(0),), (QQ(-1),))),
    ],
    ids=["nothing", "true row", "false row", "no row", "falls", "free falls"],
)
@pytest.mark.parametrize("highs", [False, True])
def test_programs_with_almost_nothing_in_them(lp, expected, highs):
    assert (solve(lp) if highs else solve(lp, proposer=None)) == expected


def test_tiny_coefficients_are_not_lost():
    tiny = QQ("1/2") ** 400
    lp = LinearProgram(2, {0: QQ(1)}, [Row({0: QQ(1), 1: -tiny}, ">=", QQ(0)), Row({1: QQ(1)}, ">=", QQ(1))])
    assert solve(lp).value == tiny == solve(lp, proposer=None).value


def test_bad_input_is_refused_with_the_offender():
    with pytest.raises(InputError, match="row 0 names variable 2") as caught:
        LinearProgram(2, {}, [Row({2: QQ(1)}, ">=", QQ(0))])
    assert caught.value.index == 2
    with pytest.raises(InputError, match="the objective names variable -1"):
        LinearProgram(2, {-1: QQ(1)}, [])
    with pytest.raises(InputError, match="free variable 5"):
        LinearProgram(2, {}, [], frozenset({5}))
    with pytest.raises(InputError, match="multiply a '<=' row by −1"):
        Row({}, "<=", QQ(0))
    with pytest.raises(InputError, match="is a float"):
        LinearProgram(1, {0: 0.5}, [])


def test_a_program_survives_pickling():
    lp = program([1, 1], [([3, 1], ">=", 1)], free=[1])
    copy = pickle.loads(pickle.dumps(lp))
    assert solve(copy) == solve(lp)


def _range(lp, objective):
    """The least value of an objective; None where there is none."""
    found = solve(LinearProgram(lp.n_variables, objective, lp.rows, lp.free), proposer=None)
    return found.value if isinstance(found, Optimal) else None


def _dual(lp):
    """The dual: maximise b·y, so minimise −b·y, over y ≥ 0 (free for equations), with Aᵀy ≤ c."""
    columns = [{i: row.coefficients.get(j, QQ(0)) for i, row in enumerate(lp.rows)} for j in range(lp.n_variables)]
    cost = [lp.objective.get(j, QQ(0)) for j in range(lp.n_variables)]
    rows = [
        Row(column, "==", c) if j in lp.free else Row({i: -a for i, a in column.items()}, ">=", -c)
        for j, (column, c) in enumerate(zip(columns, cost, strict=True))
    ]
    free = frozenset(i for i, row in enumerate(lp.rows) if row.sense == "==")
    return LinearProgram(len(lp.rows), {i: -row.rhs for i, row in enumerate(lp.rows)}, rows, free)


def _has_one_optimum(lp, value):
    """Whether every variable has one value on the optimal face, by linear programs about that face."""
    face = LinearProgram(lp.n_variables, {}, [*lp.rows, Row(lp.objective, "==", value)], lp.free)
    return all(
        (low := _range(face, {j: QQ(1)})) is not None and (high := _range(face, {j: QQ(-1)})) is not None and low == -high
        for j in range(lp.n_variables)
    )


@settings(max_examples=120)
@given(programs(max_variables=4, max_rows=4))
def test_an_optimum_said_to_be_the_only_one_is_it(lp):
    """And so are its multipliers: asked of the faces of the program and of its dual."""
    answer = simplex(lp)
    if isinstance(answer, Optimal) and is_only_optimum(lp, answer):
        assert _has_one_optimum(lp, answer.value)
        assert not lp.rows or _has_one_optimum(_dual(lp), -answer.value)


def test_where_there_are_others_it_is_not_said():
    tie = program([1, 1], [([1, 1], ">=", 1)])
    corner = program([1, 1], [([1, 2], ">=", 2), ([2, 1], ">=", 2)])
    crowded = program([1, 1], [([1, 2], ">=", 2), ([2, 1], ">=", 2), ([3, 3], ">=", 4)])
    assert [is_only_optimum(lp, simplex(lp)) for lp in (tie, corner, crowded)] == [False, True, False]


def test_a_small_program_with_one_answer_asks_no_float_solver(monkeypatch):
    """And one with several asks it, as a large one does."""
    asked = []
    monkeypatch.setattr("exactdp.lp.highs._highspy", lambda: asked.append(True))
    solve(program([1, 1], [([1, 2], ">=", 2), ([2, 1], ">=", 2)]))
    assert not asked
    solve(program([1, 1], [([1, 1], ">=", 1)]))
    assert asked


def test_highs_prints_nothing_from_the_first_moment(monkeypatch, capfd):
    """HiGHS 1.16 told its version while it was made, on the standard output of ``--json``."""
    highs, seen = pytest.importorskip("highspy").Highs, []
    made = getattr(highs, "enableCallbacks", None)
    if made is None:
        pytest.skip("this HiGHS has no callbacks")

    def enable(self):
        seen.append(self.getOptionValue("output_flag")[1])
        made(self)

    monkeypatch.setattr(highs, "enableCallbacks", enable)
    lp = LinearProgram(2, {0: QQ(1)}, [Row({0: QQ(1), 1: QQ(1)}, "==", QQ(1))])
    assert propose_basis(lp) is not None
    assert seen == [False]
    assert capfd.readouterr().out == ""
