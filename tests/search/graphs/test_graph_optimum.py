# SPDX-License-Identifier: MIT
"""Components of tight pairs: the plain linear program's optimum, its dual, and bounds when stopped."""

from __future__ import annotations

import random
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest
import strategies as own
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import neighbours
from exactdp.analysis.optimality.dual import dual_bound
from exactdp.analysis.privacy import is_private
from exactdp.errors import ResourceLimitError
from exactdp.exact import Rational
from exactdp.lp.solve import solve
from exactdp.lp.sparse import SparseLU
from exactdp.model import BayesianConsumer, Graph, Loss, MinimaxConsumer, Prior, PrivacyLevel, SideInformation
from exactdp.model.consumer import Problem
from exactdp.search import optimal_mechanism
from exactdp.search.entry_cells import Symmetry
from exactdp.search.graphs import graph_optimum as by_components
from exactdp.search.graphs import optimal_face
from exactdp.search.graphs.graph_optimum import propose_by_components
from exactdp.search.graphs.guess_orbits import GuessOrbits
from exactdp.search.graphs.interior_point import InteriorPoint
from exactdp.search.graphs.optimal_face import OptimalFace
from exactdp.search.graphs.restricted_program import Components, RestrictedProgram
from exactdp.search.graphs.small_alpha_face import PRIME, LongFace
from exactdp.search.optimal_mechanism import mechanism_program, propose_optimum

needs_highs = pytest.mark.skipif(find_spec("highspy") is None, reason="without HiGHS the plain linear program is asked")


def random_graph(size, seed):
    """A random tree with short steps back, and half as many chords."""
    rng = random.Random(seed)
    edges = {(max(0, i - 1 - rng.randrange(4)), i) for i in range(1, size)}
    while len(edges) < size - 1 + size // 2:
        edges.add(tuple(sorted(rng.sample(range(size), 2))))
    return Graph(range(size), sorted(edges))


def consumer_of(kind, graph, seed=5):
    rng, n = random.Random(seed), len(graph.vertices)
    if kind == "random":
        return MinimaxConsumer(Loss([[rng.randrange(1001) for _ in range(n)] for _ in range(n)]))
    if kind == "zero-one":
        return MinimaxConsumer(Loss.zero_one(graph.vertices))
    loss = Loss.from_distance(graph)
    if kind == "distance":
        return MinimaxConsumer(loss)
    shares = [rng.randrange(1, 1000) for _ in range(n)]
    return BayesianConsumer(loss, Prior([Rational(s, sum(shares)) for s in shares]))


def plain_value(graph, level, consumer):
    return solve(mechanism_program(Problem(graph, level, consumer)).lp).value


def check(graph, level, consumer, automorphisms=()):
    """The optimum of the components, checked from its definition; None where doubles fail."""
    found = propose_by_components(graph, level.alpha, consumer, automorphisms=automorphisms)
    if found is None:
        return None
    mechanism, dual = found
    value = consumer.loss_of(mechanism)
    assert dual.rule == ("forest" if graph.is_forest else "graph")
    assert dual_bound(graph, level, consumer, dual).value == value
    assert is_private(mechanism, graph, level).proved
    return value


def rounds_alone(monkeypatch):
    """As if no interior point showed the face of all optima."""
    monkeypatch.setattr(by_components, "_on_face", lambda program, point: None)
    monkeypatch.setattr(by_components, "_at_small_levels", lambda program, method, report: None)


@needs_highs
@pytest.mark.parametrize("kind", ["distance", "random", "bayesian"])
@pytest.mark.parametrize("level", ["1/50", "1/10", "1/2", "999/1000"])
def test_random_graphs(monkeypatch, kind, level):
    rounds_alone(monkeypatch)
    graph, level = random_graph(9, 3), PrivacyLevel(level)
    consumer = consumer_of(kind, graph)
    assert check(graph, level, consumer) == plain_value(graph, level, consumer)


@pytest.mark.parametrize("many", [0, optimal_face.MANY], ids=["different unknowns", "all unknowns"])
@pytest.mark.parametrize("kind", ["distance", "random", "bayesian", "zero-one"])
@pytest.mark.parametrize("level", ["1/10", "1/2", "999/1000"])
def test_the_face_of_all_optima_needs_no_highs(monkeypatch, many, kind, level):
    graph, level = random_graph(9, 3), PrivacyLevel(level)
    consumer = consumer_of(kind, graph)
    expected = plain_value(graph, level, consumer)
    monkeypatch.setattr(optimal_face, "MANY", many)
    monkeypatch.setattr("exactdp.lp.highs._highspy", lambda: None)
    assert check(graph, level, consumer) == expected


@pytest.mark.parametrize("level", ["1/40", "1/1000"])
def test_small_levels_of_bayesian_consumers(level):
    graph, level = random_graph(9, 3), PrivacyLevel(level)
    for kind in ("bayesian", "random"):
        consumer = BayesianConsumer(consumer_of(kind, graph).loss, consumer_of("bayesian", graph).prior)
        assert check(graph, level, consumer) == plain_value(graph, level, consumer)


@pytest.mark.parametrize("level", ["1/60", "1/1000", "1/100000"])
@pytest.mark.parametrize("seed", range(6))
def test_trees_of_shortest_paths_are_enough_at_small_levels(monkeypatch, level, seed):
    """Without an interior point: as they are, or mended where an input counts little."""
    monkeypatch.setattr(by_components, "InteriorPoint", lambda question: 1 / 0)
    graph, level = random_graph(9, seed), PrivacyLevel(level)
    shares = [1, *random.Random(seed).choices([1, 30], k=8)]
    consumer = BayesianConsumer(Loss.from_distance(graph), Prior([Rational(s, sum(shares)) for s in shares]))
    assert check(graph, level, consumer) == plain_value(graph, level, consumer)


@pytest.mark.parametrize("zeros", [1, 4])
@pytest.mark.parametrize("level", ["1/60", "1/1000"])
def test_inputs_that_do_not_count_at_small_levels(zeros, level):
    graph, level = random_graph(9, 3), PrivacyLevel(level)
    consumer = BayesianConsumer(Loss.from_distance(graph), Prior([0] * zeros + [Rational(1, 9 - zeros)] * (9 - zeros)))
    expected = plain_value(graph, level, consumer)
    assert check(graph, level, consumer) in (expected, None)


def test_guesses_with_one_root_are_no_basis():
    graph = random_graph(6, 3)
    loss = Loss([[int(i > 2) + (i == r) for r in range(6)] for i in range(6)])
    program = RestrictedProgram(graph, Rational("1/100"), BayesianConsumer(loss, Prior([Rational(1, 6)] * 6)))
    assert not program.place_trees()


@pytest.mark.parametrize("kind", ["distance", "random", "bayesian"])
@pytest.mark.parametrize("level", ["1/60", "1/200", "1/1000"])
@pytest.mark.parametrize("size", [4, 7])
def test_small_levels_need_no_highs(monkeypatch, kind, level, size):
    graph, level = random_graph(size, 3), PrivacyLevel(level)
    consumer = consumer_of(kind, graph)
    expected = plain_value(graph, level, consumer)
    monkeypatch.setattr("exactdp.lp.highs._highspy", lambda: None)
    assert check(graph, level, consumer) == expected


@pytest.mark.parametrize(("size", "level"), [(16, "1/1000"), (20, "1/200"), (24, "1/10000")])
def test_cycles_of_tight_rows_at_small_levels(size, level):
    """Slacks of rows that close a cycle are differences of x that agree in forty digits."""
    graph, level = Graph.cycle(size), PrivacyLevel(level)
    value = check(graph, level, MinimaxConsumer(Loss.from_distance(graph)))
    assert value == plain_value(graph, level, BayesianConsumer(Loss.from_distance(graph), Prior.uniform(graph.vertices)))  # by symmetry


@pytest.mark.slow
@pytest.mark.parametrize(("size", "seed", "kind"), [(40, 1, "distance"), (40, 2, "random"), (50, 3, "distance")])
@pytest.mark.parametrize("level", ["1/1000", "1/10000"])
def test_graphs_without_symmetry_at_small_levels(size, seed, kind, level):
    graph, level = random_graph(size, seed), PrivacyLevel(level)
    assert check(graph, level, consumer_of(kind, graph)) is not None


@pytest.mark.parametrize("level", ["1/20", "1/45"])
@pytest.mark.parametrize(("size", "seed"), [(12, 1), (16, 2), (20, 5)])
def test_longer_numbers_go_on_where_doubles_do_not_show_the_face(monkeypatch, size, seed, level):
    """Rounds in doubles would find these too, but with a hundred inputs they take minutes."""
    monkeypatch.setattr(RestrictedProgram, "float_round", lambda program: None)
    graph, level = random_graph(size, seed), PrivacyLevel(level)
    assert check(graph, level, consumer_of("random", graph)) is not None


@pytest.mark.parametrize("kind", ["distance", "random"])
@pytest.mark.parametrize("level", ["1/60", "1/1000"])
@pytest.mark.parametrize("wrong", ["one row loose", "one row tight"])
def test_what_is_tight_is_repaired_at_small_levels(monkeypatch, kind, level, wrong):
    """One row that is read wrongly costs no answer; nor does it make a wrong one."""
    graph, level = random_graph(7, 3), PrivacyLevel(level)
    consumer = consumer_of(kind, graph)
    expected, faces = plain_value(graph, level, consumer), []

    class Misread(LongFace):
        def __init__(self, program, method, point, tight=None):
            if tight is None:
                tight = method.tight.copy()
                used = np.argmax(point.x.max(1))
                rows = point.slacks[used, :-1] / point.x[used][method.tails]
                tight[used, rows.argmin() if wrong == "one row loose" else rows.argmax()] ^= True
            faces.append(tight)
            super().__init__(program, method, point, tight)

    monkeypatch.setattr("exactdp.search.graphs.small_alpha_face.LongFace", Misread)  # imported where it is needed
    monkeypatch.setattr(by_components, "REPAIRS", 5)
    assert check(graph, level, consumer) == expected
    assert faces


@pytest.mark.parametrize("divided", ["level", "loss"])
def test_denominators_may_be_multiples_of_the_prime(divided):
    """No equation can then be read modulo it: the linear program answers."""
    graph = random_graph(7, 3)
    level = PrivacyLevel(Rational(10_000_000, 3 * PRIME) if divided == "level" else "1/60")
    rows = [list(row) for row in consumer_of("random", graph).loss.matrix.rows()]
    rows[2][4] += Rational(1, PRIME) if divided == "loss" else 0
    consumer = MinimaxConsumer(Loss(rows))
    assert check(graph, level, consumer) in {None, plain_value(graph, level, consumer)}


@pytest.mark.parametrize("wrong", ["tight losses", "used guesses", "unknowns"])
def test_a_wrong_face_is_no_answer(monkeypatch, wrong):
    """What doubles choose wrongly is seen: no answer, or one that passes all checks."""
    graph, level = random_graph(9, 3), PrivacyLevel("1/2")
    consumer = consumer_of("random", graph)

    class Wrong(OptimalFace):
        def __init__(self, program, point):
            super().__init__(program, point)
            if wrong == "tight losses":
                self.tight = self.tight[:-1]
            elif wrong == "used guesses":
                self.used = self.used[1:]
            else:
                self.near = -self.near

    monkeypatch.setattr(by_components, "OptimalFace", Wrong)
    monkeypatch.setattr("exactdp.lp.highs._highspy", lambda: None)
    assert check(graph, level, consumer) is None


@st.composite
def connected_graphs(draw):
    size = draw(st.integers(2, 6))
    tree = {(draw(st.integers(0, v - 1)), v) for v in range(1, size)}
    more = draw(st.sets(st.sampled_from([(i, j) for j in range(size) for i in range(j)])))
    return Graph(range(size), sorted(tree | more))


@pytest.mark.slow
@settings(max_examples=150)
@given(connected_graphs(), own.levels(), st.data())
def test_components_find_the_plain_optimum_or_nothing(graph, level, data):
    consumer = data.draw(own.consumers(graph.vertices))
    if any(any(row) for row in consumer.loss.matrix.rows()):
        assert check(graph, level, consumer) in {plain_value(graph, level, consumer), None}


@needs_highs
def test_side_information():
    graph, level = random_graph(8, 1), PrivacyLevel("2/3")
    loss = consumer_of("random", graph).loss
    consumer = MinimaxConsumer(loss, SideInformation([1, 4, 6], graph.vertices))
    assert check(graph, level, consumer) == plain_value(graph, level, consumer)


@needs_highs
def test_a_poor_interior_point_is_mended(monkeypatch):
    rounds_alone(monkeypatch)
    graph, level = random_graph(8, 2), PrivacyLevel("1/2")
    for kind in ("distance", "random", "bayesian"):
        consumer = consumer_of(kind, graph)
        for gap in (1e-1, 1e-3):
            monkeypatch.setattr("exactdp.search.graphs.interior_point.GAP", gap)
            assert check(graph, level, consumer) == plain_value(graph, level, consumer)


@needs_highs
def test_what_doubles_leave_wrong_is_mended_exactly(monkeypatch):
    rounds_alone(monkeypatch)
    monkeypatch.setattr(by_components, "MOST_IN_DOUBLES", 1)
    graph, level = random_graph(8, 4), PrivacyLevel("1/2")
    for kind in ("distance", "random", "bayesian"):
        consumer = consumer_of(kind, graph)
        assert check(graph, level, consumer) == plain_value(graph, level, consumer)


@needs_highs
def test_a_large_rigid_graph_goes_this_way(monkeypatch):
    graph, level = random_graph(10, 7), PrivacyLevel("1/2")
    consumer = consumer_of("random", graph)
    asked = []

    def propose(*arguments, **options):
        asked.append(arguments)
        return propose_by_components(*arguments, **options)

    monkeypatch.setattr(optimal_mechanism, "COMPONENTS_FROM", 0)
    monkeypatch.setattr(optimal_mechanism, "propose_by_components", propose)
    found = propose_optimum(Problem(graph, level, consumer))
    assert asked
    assert dual_bound(graph, level, consumer, found.dual).value == consumer.loss_of(found.mechanism)


def test_without_highs_the_linear_program_is_asked(monkeypatch):
    rounds_alone(monkeypatch)
    monkeypatch.setattr("exactdp.lp.highs._highspy", lambda: None)
    graph, level = random_graph(6, 1), PrivacyLevel("1/2")
    consumer = consumer_of("distance", graph)
    assert propose_by_components(graph, level.alpha, consumer) is None
    monkeypatch.setattr(optimal_mechanism, "COMPONENTS_FROM", 0)
    found = propose_optimum(Problem(graph, level, consumer))
    assert dual_bound(graph, level, consumer, found.dual).value == consumer.loss_of(found.mechanism)


def stopping_at(phase):
    """A listener that ends the search in this phase."""

    def told(event):
        if phase in event.phase:
            raise ResourceLimitError("enough")

    return told


def test_a_search_from_trees_that_is_stopped_bounds_the_optimum(monkeypatch):
    monkeypatch.setattr(optimal_mechanism, "COMPONENTS_FROM", 0)
    graph, level = random_graph(8, 5), PrivacyLevel("1/100")
    consumer = consumer_of("bayesian", graph)
    with pytest.raises(ResourceLimitError) as stopped:
        propose_optimum(Problem(graph, level, consumer), progress=stopping_at(""))
    lower, upper = (stopped.value.facts[key] for key in ("lower", "upper"))
    assert lower <= plain_value(graph, level, consumer) <= upper


@needs_highs
@pytest.mark.parametrize("stop", ["interior point in doubles", "exact optimum", "components in doubles", "round 1"])
def test_a_stopped_search_bounds_the_optimum(monkeypatch, stop):
    rounds_alone(monkeypatch)
    monkeypatch.setattr(optimal_mechanism, "COMPONENTS_FROM", 0)
    graph, level = random_graph(8, 5), PrivacyLevel("1/2")
    consumer = consumer_of("random", graph)
    with pytest.raises(ResourceLimitError) as stopped:
        propose_optimum(Problem(graph, level, consumer), progress=stopping_at(stop))
    lower, upper, best = (stopped.value.facts[key] for key in ("lower", "upper", "best"))
    assert lower <= plain_value(graph, level, consumer) <= upper == consumer.loss_of(best.mechanism)
    assert dual_bound(graph, level, consumer, best.dual).value == lower
    assert is_private(best.mechanism, graph, level).proved
    if not stop.startswith("interior"):
        assert upper - lower < 1


def test_the_interior_point_comes_near():
    graph, level = random_graph(8, 6), PrivacyLevel("2/3")
    for kind in ("distance", "random", "bayesian"):
        consumer = consumer_of(kind, graph)
        program = by_components.RestrictedProgram(graph, level.alpha, consumer)
        *_, last = InteriorPoint(program.question).points()
        assert abs(last.bound * float(program.unit) / float(plain_value(graph, level, consumer)) - 1) < 1e-4


@pytest.mark.parametrize("level", ["1/2", "99/100"])
@pytest.mark.parametrize("kind", ["distance", "random", "bayesian"])
def test_a_face_that_is_not_clear_yet_is_left_in_doubles(monkeypatch, kind, level):
    graph, level, asked = random_graph(12, 3), PrivacyLevel(level), []
    program = by_components.RestrictedProgram(graph, level.alpha, consumer_of(kind, graph))
    method, found = InteriorPoint(program.question), []
    monkeypatch.setattr("exactdp.search.graphs.optimal_face.SparseLU", lambda *args: asked.append(1) or SparseLU(*args))
    for point in method.points():
        if point.share < 1e-2:
            program.place(point, method.tight(point))
            answer = OptimalFace(program, point).solve()
            found += [answer] if answer and not by_components.ExactRounds(program).failing(answer) else []
    assert len(found) == len(asked) > 0


@pytest.mark.parametrize("kind", ["distance", "random", "bayesian"])
def test_looking_ahead_changes_no_step(kind):
    graph = random_graph(8, 6)
    program = by_components.RestrictedProgram(graph, Rational("2/3"), consumer_of(kind, graph))
    alone, asked, again = (InteriorPoint(program.question) for _ in range(3))
    for point, other in zip(alone.points(), asked.points(), strict=True):
        assert np.array_equal(point.multipliers, other.multipliers)
        if point.share < 1e-2:
            assert np.array_equal(asked.tight(other), again.tight(point))
            there, length = asked.ahead(other)
            assert 0 < length <= 1 / 0.995
            assert min(there.slacks.min(), there.multipliers.min()) > 0
            assert there.gap < (1 - 0.9 * length) * other.gap + 1e-12


def test_the_longest_columns_are_those_of_gram_and_schmidt():
    rng = np.random.default_rng(2)
    graph = random_graph(4, 1)
    program = by_components.RestrictedProgram(graph, Rational("1/2"), consumer_of("distance", graph))
    for rank, scales in ((5, 1.0), (9, 10.0 ** -np.arange(12)), (3, 1.0)):
        matrix = rng.random((9, rank)) @ rng.random((rank, 12)) * scales
        left, expected = matrix.copy(), []
        while len(expected) < 9 and np.linalg.norm(left, axis=0).max() > 1e-9 * np.linalg.norm(matrix, axis=0).max():
            expected.append(int(np.linalg.norm(left, axis=0).argmax()))
            basis, _ = np.linalg.qr(matrix[:, expected])
            left = matrix - basis @ (basis.T @ matrix)
        assert OptimalFace.longest(SimpleNamespace(program=program), matrix, 1e-9) == expected


def subtree(parent, v):
    return {v}.union(*(subtree(parent, w) for w, above in enumerate(parent) if above == v))


@given(st.data())
def test_components_are_what_their_rows_say(data):
    graph = data.draw(connected_graphs())
    n = len(graph.vertices)
    tails, heads = [v for e in graph.edges for v in e], [v for e in graph.edges for v in reversed(e)]
    parts = Components(tails, heads, n, 1)
    parts.grow(0, data.draw(st.permutations(range(len(tails))))[: data.draw(st.integers(0, len(tails)))])
    inner = [v for v in range(n) if parts.parent[0, v] >= 0]
    given_up = {}
    for v in data.draw(st.sets(st.sampled_from(inner))) if inner else ():
        given_up[v] = int(parts.tree_row[0, v])
    for component in range(len(parts.members)):
        roots = {v for v in given_up if parts.place[0, v] == component}
        if roots:
            assert sorted(parts.cut(component, roots)) == sorted(given_up[v] for v in roots)
    assert sorted(v for members in parts.members for v in members) == list(range(n))
    for members in parts.members:
        assert min(parts.steps[0, v] for v in members) == 0
        for v in members[1:]:
            above = parts.parent[0, v]
            assert above in members
            row = int(parts.tree_row[0, v])
            assert {tails[row], heads[row]} == {v, above}
            assert parts.steps[0, tails[row]] == parts.steps[0, heads[row]] + 1
    values = data.draw(st.lists(st.integers(-9, 9), min_size=n, max_size=n))
    sums = parts.subtree_sums(np.array([values], dtype=float))[0]
    parent = parts.parent[0].tolist()
    assert sums.tolist() == [sum(values[w] for w in subtree(parent, v)) for v in range(n)]


@needs_highs
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["distance", "random", "bayesian"])
def test_a_graph_of_forty_inputs_has_the_plain_optimum(kind):
    graph, level = random_graph(40, 1), PrivacyLevel("1/2")
    consumer = consumer_of(kind, graph)
    assert check(graph, level, consumer) == plain_value(graph, level, consumer)


SYMMETRIC = {
    "minimax": lambda graph: MinimaxConsumer(Loss.from_distance(graph)),
    "inner": lambda graph: MinimaxConsumer(Loss.from_distance(graph), SideInformation([5, 6, 9, 10], graph.vertices)),
    "bayesian": lambda graph: BayesianConsumer(Loss.from_distance(graph), Prior.uniform(graph.vertices)),
}


@needs_highs
@pytest.mark.parametrize("kind", SYMMETRIC)
@pytest.mark.parametrize("level", ["1/8", "1/2", "999/1000"])
def test_one_guess_of_each_orbit_has_the_numbers_of_all(kind, level):
    graph, level = neighbours("grid:4x4"), PrivacyLevel(level)
    consumer = SYMMETRIC[kind](graph)
    generators = Symmetry(Problem(graph, level, consumer)).generators
    program = RestrictedProgram(graph, level.alpha, consumer)
    orbits = GuessOrbits(generators, program.tails, program.heads, program.size)
    assert len(orbits.chosen) == 3  # a corner, a side, the middle
    few, all_of_them = InteriorPoint(program.question, orbits), InteriorPoint(program.question)
    for one, other in zip(few.points(), all_of_them.points(), strict=False):
        if other.share < 1e-4:  # from here on rounding is seen
            break
        whole = few.whole(one)
        for name in ("x", "slacks", "multipliers", "potentials", "weights"):
            assert np.allclose(getattr(whole, name), getattr(other, name), rtol=1e-4, atol=1e-6), name
        assert np.isclose(one.gap, other.gap)
    assert check(graph, level, consumer, generators) == plain_value(graph, level, consumer)


def test_a_guess_that_is_best_for_two_inputs_keeps_its_own_column():
    """Its sign condition is at one of them, which a reflection maps to the other."""
    graph, level = Graph.cycle(4), PrivacyLevel("1/2")
    consumer = MinimaxConsumer(Loss([[0, 1, 2, 1], [0, 0, 1, 2], [2, 1, 0, 0], [1, 2, 1, 0]]))
    generators = [(3, 2, 1, 0)]
    assert by_components._orbits(RestrictedProgram(graph, level.alpha, consumer), generators) is None


def test_a_stopped_search_of_symmetric_guesses_has_all_columns():
    graph, level = neighbours("grid:4x4"), PrivacyLevel("1/2")
    consumer = SYMMETRIC["minimax"](graph)
    generators = Symmetry(Problem(graph, level, consumer)).generators

    def stop(progress):
        if progress.unit == "steps" and progress.done == 5:
            raise ResourceLimitError("enough")

    with pytest.raises(ResourceLimitError) as stopped:
        propose_by_components(graph, level.alpha, consumer, automorphisms=generators, progress=stop)
    best = optimal_mechanism.certain_proposal(Problem(graph, level, consumer), stopped.value.facts["table"], stopped.value.facts["dual"])
    lower, upper = sum(best.dual.potentials), consumer.loss_of(best.mechanism)
    assert 0 < lower <= plain_value(graph, level, consumer) <= upper < 2 * lower
