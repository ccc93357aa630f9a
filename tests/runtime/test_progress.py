# SPDX-License-Identifier: MIT
"""A search that is told to stop leaves certain bounds; listeners hear of it; nothing is broken afterwards."""

from __future__ import annotations

import threading

import pytest
import strategies as own
from hypothesis import given, settings
from hypothesis import strategies as st
from lp_cases import kind_or_value, program, programs

from exactdp.analysis import is_optimum_unique, optimum
from exactdp.analysis.optimality.dual import dual_bound
from exactdp.analysis.privacy import is_private
from exactdp.analysis.types.kernels import kernel_count
from exactdp.errors import ResourceLimitError
from exactdp.exact import ExactMatrix, RationalFunctionField
from exactdp.exact.elimination import TOLD_COLUMNS, determinant
from exactdp.lp.problem import Basis, Optimal, verify
from exactdp.lp.solve import simplex, solve
from exactdp.model import Loss, MinimaxConsumer, PrivacyLevel, neighbours
from exactdp.model.consumer import Problem
from exactdp.runtime.progress import Progress, counted_off, monitored, part_of, report_phase, row_by_row, seconds_left
from exactdp.search import optimal_mechanism
from exactdp.search.optimal_mechanism import Undominated, mechanism_program, propose_optimum, repaired_dual, repaired_mechanism


def after(steps):
    """A listener that stops at the given step."""
    seen = []

    def told(event):
        seen.append(event)
        if len(seen) > steps:
            raise ResourceLimitError("that is enough")

    return told


@pytest.mark.slow
@settings(max_examples=150)
@given(programs(), st.data())
def test_the_simplex_answers_alike_from_anywhere(lp, data):
    flags = [data.draw(st.lists(st.booleans(), min_size=k, max_size=k)) for k in (lp.n_variables, len(lp.rows))]
    start = data.draw(st.sampled_from([None, Basis(tuple(flags[0]), tuple(flags[1]))]))
    answers = [simplex(lp, start), simplex(lp, None)]
    for answer in answers:
        verify(lp, answer)
    assert kind_or_value(answers[0]) == kind_or_value(answers[1])


@settings(max_examples=40)
@given(own.problems(), st.integers(0, 3), st.booleans())
def test_a_stopped_search_still_brackets_the_optimum(problem, steps, by_columns):
    graph, level, consumer = problem
    if graph.is_path and consumer.loss.has_single_crossing():
        return
    value = solve(mechanism_program(Problem(*problem)).lp).value
    old, optimal_mechanism.COLUMNS_FROM = optimal_mechanism.COLUMNS_FROM, 0 if by_columns else 10**9
    stopped: ResourceLimitError | None = None
    try:
        found = propose_optimum(Problem(graph, level, consumer), progress=after(steps))
    except ResourceLimitError as error:
        stopped, found = error, error.best
    finally:
        optimal_mechanism.COLUMNS_FROM = old
    lower, upper = (value, value) if stopped is None else (stopped.lower, stopped.upper)
    assert lower <= value <= upper
    assert is_private(found.mechanism, graph, level).proved
    assert consumer.loss_of(found.mechanism) == upper
    assert dual_bound(graph, level, consumer, found.dual).value == lower


@settings(max_examples=60)
@given(own.problems(), st.data())
def test_anything_can_be_repaired(problem, data):
    graph, level, consumer = problem
    n, k = consumer.loss.matrix.shape
    table = data.draw(own.matrices(n, k)).rows()
    program = mechanism_program(Problem(*problem))
    y = data.draw(st.lists(own.rationals(), min_size=len(program.lp.rows), max_size=len(program.lp.rows)))
    mechanism = repaired_mechanism(Problem(graph, level, consumer), list(table))
    assert is_private(mechanism, graph, level).proved
    bound = dual_bound(graph, level, consumer, repaired_dual(Problem(graph, level, consumer), program.dual(tuple(y))))
    assert bound.fault is None
    assert bound.value <= consumer.loss_of(mechanism)


@settings(max_examples=60)
@given(own.problems())
def test_superfluous_guesses_change_nothing(problem):
    graph, level, consumer = problem
    reduced = Undominated(consumer)
    smaller = mechanism_program(Problem(graph, level, reduced.consumer))
    answer = solve(smaller.lp)
    assert isinstance(answer, Optimal)
    mechanism, dual = reduced.mechanism(smaller.mechanism(answer.x)), reduced.dual(smaller.dual(answer.y))
    assert consumer.loss_of(mechanism) == answer.value
    assert dual_bound(graph, level, consumer, dual).value == answer.value


def test_listeners_hear_of_proposals_and_of_pivots():
    lp = program([1, 1], [([3, 1], ">=", 1), ([1, 3], ">=", 1)])
    seen: list[Progress] = []
    solve(lp, proposer=lambda *_: Basis((True, False), (False, True)), progress=seen.append)
    assert [event.phase for event in seen][:1] == ["proposals"]
    assert all(event.total is None and "no known end" in event.detail for event in seen if event.phase == "proposals")
    assert all(event.unit in ("proposals", "pivots") for event in seen)


def test_limits_on_time_and_steps():
    lp = program([1, 1], [([3, 1], ">=", 1), ([1, 3], ">=", 1)])
    with monitored(None, 0), pytest.raises(ResourceLimitError, match="time limit"):
        solve(lp, proposer=None)
    with pytest.raises(ResourceLimitError, match="enough"):
        solve(lp, proposer=None, progress=after(0))
    assert solve(lp, proposer=None, progress=after(100)).value == solve(lp).value


def test_an_interruption_passes_through_and_leaves_nothing_behind():
    def interrupt(_):
        raise KeyboardInterrupt

    graph = neighbours("cycle:5")
    consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    with pytest.raises(KeyboardInterrupt):
        propose_optimum(Problem(graph, PrivacyLevel("1/2"), consumer), progress=interrupt)
    assert consumer.loss_of(propose_optimum(Problem(graph, PrivacyLevel("1/2"), consumer)).mechanism) > 0


# --- Who is listening, and until when ---


def test_who_listens_hears_of_work_that_was_given_no_listener():
    outer, inner = [], []
    report_phase(None, "nobody")
    with monitored(outer.append):
        report_phase(None, "one")
        with monitored(None):
            report_phase(None, "two")
        with monitored(inner.append):
            report_phase(None, "three")
        report_phase(inner.append, "four")
    report_phase(None, "nobody")
    assert [event.phase for event in outer] == ["one", "two"]
    assert [event.phase for event in inner] == ["three", "four"]


def test_without_a_listener_items_are_themselves():
    items = [1, 2]
    assert counted_off(items, None, "items", "items") is items
    assert row_by_row(items, "rows", (2, 2)) is items
    assert part_of(None, "part") is None
    with monitored(None) as told:
        assert told is None
        assert counted_off(items, None, "items", "items") is items


def test_few_quick_items_are_not_told():
    events = []
    assert list(counted_off(range(9), events.append, "items", "items", every=10)) == list(range(9))
    assert events == []
    with monitored(None, 0):
        assert list(row_by_row(range(20), "rows", (20, 20))) == list(range(20))


def test_a_limit_around_another_goes_on():
    with monitored(None, 0), monitored(lambda event: None, 1000), pytest.raises(ResourceLimitError, match="limit of 0 s"):
        report_phase(None, "work")
    with monitored(None, 1000), monitored(None, 0), pytest.raises(ResourceLimitError, match="limit of 0 s"):
        report_phase(None, "work")
    with monitored(None, 1000) as told:
        told(Progress("work"))
        assert 0 < seconds_left() <= 1000
    assert seconds_left() is None


def test_a_limit_in_one_thread_is_none_in_another():
    heard = []
    with monitored(heard.append, 0):
        thread = threading.Thread(target=lambda: report_phase(None, "work"))
        thread.start()
        thread.join()
    assert heard == []


def test_bounds_are_for_those_who_gave_the_limit():
    """An undecided optimum inside of another question could be taken for an optimum: the limit goes on."""
    square = neighbours("cycle:4")
    who = MinimaxConsumer(Loss.zero_one(square.vertices))
    assert optimum(square, "1/2", who, time_limit=0).evidence.bounds is not None
    with monitored(None, 0), pytest.raises(ResourceLimitError, match="time limit"):
        optimum(square, "1/2", who)
    with monitored(None, 0), pytest.raises(ResourceLimitError, match="time limit"):
        is_optimum_unique(square, "1/2", who)
    with monitored(None, 0), pytest.raises(ResourceLimitError, match="time limit"):
        kernel_count(neighbours("path:3"), "1/2")


def test_a_settled_limit_is_raised_by_the_next_search_only():
    square = neighbours("cycle:4")
    who = MinimaxConsumer(Loss.zero_one(square.vertices))
    with monitored(None, 0):
        assert optimum(square, "1/2", who, time_limit=seconds_left()).evidence.bounds is not None
        report_phase(None, "the report of it")
        assert optimum(square, "1/2", who, time_limit=seconds_left()).evidence.bounds is not None


def test_tables_and_graphs_keep_to_the_limit():
    rows = [["1/200"] * 200] * 200
    for build in (lambda: ExactMatrix(rows), lambda: neighbours("hamming:v=4,u=6"), lambda: neighbours("histogram:u=40,k=3")):
        build()
        with monitored(None, 0), pytest.raises(ResourceLimitError, match="time limit of 0 s has passed while this was done"):
            build()


@pytest.mark.slow
def test_building_a_large_program_is_told():
    graph, heard = neighbours("hypercube:7"), []
    with monitored(heard.append):
        optimum(graph, "1/3", MinimaxConsumer(Loss.zero_one(graph.vertices)))
    phases = [event.phase for event in heard]
    expected = ["guesses compared with better ones", "symmetries"]
    assert [phase for phase in dict.fromkeys(phases) if phase in expected] == expected


def test_a_large_elimination_is_told_and_its_time_is_not_guessed():
    """Columns take unlike long, so that the share is a float; a small one is not told."""
    field = RationalFunctionField()
    for size in (3, 3 * TOLD_COLUMNS):
        events: list[Progress] = []
        rows = [[field.gen if abs(i - j) == 1 else field(int(i == j)) for j in range(size)] for i in range(size)]
        with monitored(events.append):
            determinant(field, rows)
        assert bool(events) == (size > TOLD_COLUMNS)
    assert {event.phase for event in events} == {"equations in polynomials"}
    assert all(isinstance(event.total, float) for event in events)
    assert events[-1].is_over
