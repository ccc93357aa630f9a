# SPDX-License-Identifier: MIT
"""A search that is told to stop leaves certain bounds; listeners hear of it; nothing is broken afterwards."""

from __future__ import annotations

import pytest
import strategies as own
from hypothesis import given, settings
from hypothesis import strategies as st
from lp_cases import kind_or_value, program, programs

from exactdp.analysis.optimality.dual import dual_bound
from exactdp.analysis.privacy import is_private
from exactdp.errors import ResourceLimitError
from exactdp.limits import Progress, listening, within_pivots
from exactdp.lp.problem import Basis, Optimal, verify
from exactdp.lp.simplex import simplex
from exactdp.lp.solve import solve
from exactdp.model import Loss, MinimaxConsumer, PrivacyLevel, neighbours
from exactdp.model.consumer import Problem
from exactdp.search import mechanism as optimal_mechanism
from exactdp.search.dominated import Undominated
from exactdp.search.mechanism import mechanism_program, propose_optimum, repaired_dual, repaired_mechanism


def after(steps):
    """A limit that stops at the given step."""
    seen = []

    def limit(event):
        seen.append(event)
        return "that is enough" if len(seen) > steps else None

    return limit


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(programs(), st.data())
def test_both_dictionaries_answer_alike_from_anywhere(lp, data):
    flags = [data.draw(st.lists(st.booleans(), min_size=k, max_size=k)) for k in (lp.n_variables, len(lp.rows))]
    start = data.draw(st.sampled_from([None, Basis(tuple(flags[0]), tuple(flags[1]))]))
    answers = [simplex(lp, start, written_out=flag) for flag in (True, False)]
    for answer in answers:
        verify(lp, answer)
    assert kind_or_value(answers[0]) == kind_or_value(answers[1])


@settings(max_examples=40, deadline=None)
@given(own.problems(), st.integers(0, 3), st.booleans())
def test_a_stopped_search_still_brackets_the_optimum(problem, steps, by_columns):
    graph, level, consumer = problem
    if graph.is_path and consumer.loss.has_single_crossing():
        return
    value = solve(mechanism_program(Problem(*problem)).lp).value
    old, optimal_mechanism.COLUMNS_FROM = optimal_mechanism.COLUMNS_FROM, 0 if by_columns else 10**9
    stopped: ResourceLimitError | None = None
    try:
        found = propose_optimum(Problem(graph, level, consumer), limit=after(steps))
    except ResourceLimitError as error:
        stopped, found = error, error.best
    finally:
        optimal_mechanism.COLUMNS_FROM = old
    lower, upper = (value, value) if stopped is None else (stopped.lower, stopped.upper)
    assert lower <= value <= upper
    assert is_private(found.mechanism, graph, level).proved
    assert consumer.loss_of(found.mechanism) == upper
    assert dual_bound(graph, level, consumer, found.dual).value == lower


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=60, deadline=None)
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
    assert all(event.unit in ("proposals", "pivots") for event in seen)


def test_limits_on_time_and_pivots():
    lp = program([1, 1], [([3, 1], ">=", 1), ([1, 3], ">=", 1)])
    with listening(None, 0), pytest.raises(ResourceLimitError, match="time limit"):
        solve(lp, proposer=None)
    with pytest.raises(ResourceLimitError, match="pivots"):
        solve(lp, proposer=None, limit=within_pivots(0))
    assert solve(lp, proposer=None, limit=within_pivots(100)).value == solve(lp).value


def test_an_interruption_passes_through_and_leaves_nothing_behind():
    def interrupt(_):
        raise KeyboardInterrupt

    graph = neighbours("cycle:5")
    consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    with pytest.raises(KeyboardInterrupt):
        propose_optimum(Problem(graph, PrivacyLevel("1/2"), consumer), progress=interrupt)
    assert consumer.loss_of(propose_optimum(Problem(graph, PrivacyLevel("1/2"), consumer)).mechanism) > 0
