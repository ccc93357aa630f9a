# SPDX-License-Identifier: MIT
"""Every question that can take long tells its listener how far it is, and stops when the listener raises."""

from __future__ import annotations

import inspect
from functools import cache
from itertools import groupby, pairwise
from typing import Any

import pytest
from public_names import PUBLIC, thing

import exactdp as xdp
from exactdp import Progress
from exactdp.analysis import Decision
from exactdp.analysis.table_levels import derivable_levels, stochastic_levels
from exactdp.errors import ResourceLimitError

PATH, SQUARE, GRID = xdp.neighbours("path:4"), xdp.neighbours("cycle:4"), xdp.neighbours("grid:2x3")
A = xdp.RationalFunctionField().gen
G, FINER = xdp.geometric(3, "1/2"), xdp.geometric(3, "1/4")
SYMBOLIC = xdp.geometric(2, A)
ABS = xdp.MinimaxConsumer(xdp.Loss.absolute(PATH.vertices))
HIT = xdp.MinimaxConsumer(xdp.Loss.zero_one(GRID.vertices))
ROUND = xdp.MinimaxConsumer(xdp.Loss.zero_one(SQUARE.vertices))
UNIFORM = xdp.uniform(GRID.vertices)
COIN = xdp.Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
HALVES = xdp.Graph(range(8), [(i, j) for i in range(4) for j in range(4, 8)])
LINE3 = xdp.neighbours("path:3")
ABS3 = xdp.MinimaxConsumer(xdp.Loss.absolute(LINE3.vertices))


def _dual() -> Any:
    return xdp.optimum(PATH, "1/2", ABS).evidence.dual


QUESTIONS: dict[str, Any] = {
    "tightest_level": lambda **told: xdp.tightest_level(G, PATH, **told),
    "is_private": lambda **told: xdp.is_private(G, PATH, "1/2", **told),
    "least_delta": lambda **told: xdp.least_delta(G, PATH, "3/4", **told),
    "is_approximately_private": lambda **told: xdp.is_approximately_private(G, PATH, "3/4", "1/10", **told),
    "level_for_delta": lambda **told: xdp.level_for_delta(G, PATH, "1/10", **told),
    "sequential_level": lambda **told: xdp.sequential_level([G, FINER], PATH, **told),
    "parallel_level": lambda **told: xdp.parallel_level([(G, PATH), (FINER, PATH)], **told),
    "collection_level": lambda **told: xdp.collection_level([COIN, COIN], **told),
    "multi_level_release": lambda **told: xdp.multi_level_release(2, [xdp.PrivacyLevel("1/4"), xdp.PrivacyLevel("1/2")], **told),
    "stochastic_levels": lambda **told: stochastic_levels(SYMBOLIC.as_table(), **told),
    "private_levels": lambda **told: xdp.private_levels(SYMBOLIC.as_table(), LINE3, A, **told),
    "derivable_levels": lambda **told: derivable_levels(SYMBOLIC.as_table(), source=SYMBOLIC.as_table(), **told),
    "is_derivable": lambda **told: xdp.is_derivable(UNIFORM, source=xdp.randomized_response(GRID.vertices, "1/2"), **told),
    "is_refined_by": lambda **told: xdp.is_refined_by(FINER, G, **told),
    "refinement_order": lambda **told: xdp.refinement_order({"fine": FINER, "coarse": G, "none": xdp.uniform(G.inputs)}, **told),
    "determinant": lambda **told: xdp.determinant(SYMBOLIC.matrix, **told),
    "optimum": lambda **told: xdp.optimum(GRID, "1/2", HIT, **told),
    "is_optimum_value": lambda **told: xdp.is_optimum_value(GRID, "1/2", HIT, "1/2", **told),
    "optimum_by_level": lambda **told: xdp.optimum_by_level(LINE3, xdp.MinimaxConsumer(xdp.Loss.squared(LINE3.vertices)), **told),
    "is_optimal": lambda **told: xdp.is_optimal(UNIFORM, GRID, "1/2", HIT, **told),
    "is_optimal_after_remap": lambda **told: xdp.is_optimal_after_remap(UNIFORM, GRID, "1/2", HIT, **told),
    "is_optimal_by_level": lambda **told: xdp.is_optimal_by_level(SYMBOLIC, LINE3, ABS3, after_remap=True, **told),
    "gap_between": lambda **told: xdp.gap_between(UNIFORM, GRID, "1/2", HIT, **told),
    "verify_optimal": lambda **told: xdp.verify_optimal(G, PATH, "1/2", ABS, _dual(), **told),
    "is_optimum_unique": lambda **told: xdp.is_optimum_unique(SQUARE, "1/2", ROUND, **told),
    "best_remap": lambda **told: xdp.best_remap(G, ABS, **told),
    "best_remap_by_level": lambda **told: xdp.best_remap_by_level(SYMBOLIC, ABS3, **told),
    "is_best_remap": lambda **told: xdp.is_best_remap(G, ABS, xdp.Remap(xdp.identity(range(4)).matrix, G.outputs, G.outputs), **told),
    "is_remap_unique": lambda **told: xdp.is_remap_unique(G, ABS, **told),
    "audit": lambda **told: xdp.audit(G, PATH, claim=xdp.PrivacyClaim(epsilon=2), consumers=[ABS], deltas=["1/10"], **told),
    "tight_mechanism": lambda **told: xdp.tight_mechanism(SQUARE, "1/2", **told),
    "is_tight_unique": lambda **told: xdp.is_tight_unique(HALVES, "1/3", **told),
    "tight_levels": lambda **told: xdp.tight_levels(xdp.neighbours("star:4"), **told),
    "regular_levels": lambda **told: xdp.regular_levels(LINE3, ["1/2", "1/4", "1/4"], **told),
    "tight_threshold": lambda **told: xdp.tight_threshold(xdp.neighbours("counts:u=2,k=2"), 4, **told),
    "is_optimal_on_region": lambda **told: xdp.is_optimal_on_region(xdp.uniform(range(3)), LINE3, "1/2", **told),
    "tight_gap": lambda **told: xdp.tight_gap(SQUARE, "1/2", ["1/2", 0, "1/2", 0], **told),
    "graph_census": lambda **told: xdp.graph_census(4, **told),
    "vertex_count": lambda **told: xdp.vertex_count(PATH, "1/2", **told),
    "kernel_count": lambda **told: xdp.kernel_count(PATH, "1/2", **told),
    "kernel_counts": lambda **told: xdp.kernel_counts(PATH, **told),
    "kernel_mechanisms": lambda **told: list(xdp.kernel_mechanisms(PATH, "1/2", **told)),
    "is_kernel_mechanism": lambda **told: xdp.is_kernel_mechanism(G, PATH, "1/2", **told),
    "kernel_mixture": lambda **told: xdp.kernel_mixture(UNIFORM, GRID, "1/2", **told),
    "kernel_mixtures": lambda **told: xdp.kernel_mixtures(G, PATH, "1/2", **told),
    "type_capacity": lambda **told: xdp.type_capacity(xdp.neighbours("star:5"), "3/4", **told),
    "universally_optimal_mechanism": lambda **told: xdp.universally_optimal_mechanism(
        LINE3, "1/2", xdp.Loss.absolute(LINE3.vertices), theorems=False, tries=20, **told
    ),
    "is_universally_optimal": lambda **told: xdp.is_universally_optimal(
        xdp.geometric(2, "1/2"), LINE3, "1/2", xdp.Loss.absolute(LINE3.vertices), theorems=False, tries=20, **told
    ),
    "utility_set": lambda **told: xdp.utility_set(
        xdp.geometric(2, "1/2"), LINE3, "1/2", {"abs": xdp.Loss.absolute(LINE3.vertices)}, theorems=False, tries=20, **told
    ),
    "universal_by_level": lambda **told: xdp.universal_by_level(LINE3, xdp.Loss.absolute(LINE3.vertices), theorems=False, tries=20, **told),
    "generalise": lambda **told: xdp.generalise("capacity discrete", **told),
    "maximum_likelihood": lambda **told: xdp.maximum_likelihood(COIN, ["1/8", "7/8"], **told),
}
"""A small instance of each question."""

EARLY = {"priors", "twelfths", "regular priors", "another mechanism"}
"""What ends as soon as something is found: before its total."""


def with_parameter(name: str) -> set[str]:
    """The public functions that take it."""
    things = {public: thing(public) for public in PUBLIC}
    functions = {public: thing for public, thing in things.items() if inspect.isfunction(thing)}
    return {public for public, thing in functions.items() if name in inspect.signature(thing).parameters}


@cache
def heard(question: str) -> list[Progress]:
    """The events of a question."""
    events: list[Progress] = []
    QUESTIONS[question](progress=events.append)
    return events


def test_the_table_has_all_public_questions_that_report():
    assert with_parameter("progress") - {"changes_since", "sweep"} == set(QUESTIONS) - {"derivable_levels", "stochastic_levels"} | (
        {"derivable_levels", "stochastic_levels"} & set(PUBLIC)
    )


@pytest.mark.parametrize("question", QUESTIONS)
def test_events_count_up_to_their_total(question):
    events = heard(question)
    assert events
    assert all(isinstance(event, Progress) and event.phase for event in events)
    for event in events:
        assert event.done >= 0
        assert event.total is None or event.done <= event.total
        assert event.share is None or 0 <= event.share <= 1
    for (_, total), group in groupby(events, key=lambda event: (event.phase, event.total)):
        done = [event.done for event in group]
        for before, now in pairwise(done):  # without an end that is known, a phase may be gone through again
            assert before <= now or (total is None and now <= 1), done
    last = {event.phase: event for event in events if event.total}
    for phase, event in last.items():
        assert event.done == event.total or phase.rsplit(": ", 1)[-1] in EARLY, event


@pytest.mark.parametrize("question", ["optimum_by_level", "best_remap_by_level", "is_optimal_by_level"])
def test_answers_on_pieces_are_told_while_they_are_checked(question):
    """What takes as long as the search is a phase of its own, and each piece a step of it."""
    checked = [event for event in heard(question) if event.phase == "checking the answer"]
    assert checked
    assert [event.done for event in checked] == list(range(checked[-1].total + 1))
    assert {event.unit for event in checked} == {"pieces"}


class EnoughError(Exception):
    """What a listener raises."""


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_a_listener_raises_ends_the_question(question):
    """At the first event, and at one in the middle."""
    total = len(heard(question))
    for stop in {1, (total + 1) // 2}:
        count = 0

        def listen(event, stop=stop):
            nonlocal count
            count += 1
            if count == stop:
                raise EnoughError

        with pytest.raises(EnoughError):
            QUESTIONS[question](progress=listen)
        assert count == stop


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_listener_changes_no_answer(question):
    silent, told = QUESTIONS[question](), QUESTIONS[question](progress=lambda event: None)
    assert getattr(silent, "claim", None) == getattr(told, "claim", None)


@pytest.mark.parametrize("question", sorted(with_parameter("time_limit") - {"sweep"}))  # tests/sweeps has its own
def test_no_time_is_a_limit_and_no_wrong_answer(question):
    """With no time at all: undecided, or the limit is said; with an hour the same answer as without."""
    verdict, said = None, ""
    try:
        verdict = QUESTIONS[question](time_limit=0)
    except ResourceLimitError as error:
        said = error.message
    if verdict is None:
        assert "time limit of 0 s" in said
    else:
        decided = verdict.decision is not Decision.UNDECIDED
        assert not decided or question in {"audit", "utility_set", "gap_between"}  # parts or bounds
    assert QUESTIONS[question](time_limit=3600).claim == QUESTIONS[question]().claim


def test_bounds_on_a_path_when_the_time_is_up():
    path = xdp.neighbours("path:9")
    for consumer in (xdp.Loss.absolute(path.vertices), xdp.Loss.squared(path.vertices), xdp.Loss.zero_one(path.vertices)):
        who = xdp.MinimaxConsumer(consumer, xdp.SideInformation.of(path.vertices[1:7], path.vertices))
        for level in ("1/3", xdp.ExponentialField("1/2").gen):
            low, high = xdp.optimum(path, level, who, time_limit=0).evidence.bounds
            assert low <= xdp.optimum(path, level, who).evidence.value <= high
