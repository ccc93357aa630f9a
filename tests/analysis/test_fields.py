# SPDX-License-Identifier: MIT
"""The same questions over ℚ, over ℚ(α) and over ℚ(e^(−ε)): the answers specialise, and agree with a rational
level close by.
"""

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactdp.analysis.approximate import breaking_events, is_approximately_private, least_delta
from exactdp.analysis.audit import PrivacyClaim, audit
from exactdp.analysis.composition import collection_level, joint, multi_level_release, parallel_level, sequential_level
from exactdp.analysis.optimality.dual import dual_bound, explicit_dual
from exactdp.analysis.optimality.mechanism_optimality import is_optimal, verify_optimal
from exactdp.analysis.optimality.optimum import optimum
from exactdp.analysis.optimality.remap_optimality import best_remap, is_best_remap
from exactdp.analysis.optimality.uniqueness import is_optimum_unique, is_remap_unique
from exactdp.analysis.privacy import is_private, privacy_at, tightest_level
from exactdp.analysis.refinement import is_derivable, is_refined_by
from exactdp.analysis.stochastic import is_stochastic
from exactdp.analysis.types.universal import is_universally_optimal
from exactdp.analysis.verdict import Decision
from exactdp.certificate import certify
from exactdp.errors import NotStochasticError, ResourceLimitError, UndecidedSignError
from exactdp.exact import AlgebraicNumber, ExactMatrix, Interval, Rational, from_float
from exactdp.mechanisms import geometric, geometric_prime
from exactdp.model import (
    BayesianConsumer,
    Dual,
    Loss,
    Mechanism,
    Metric,
    MinimaxConsumer,
    Prior,
    PrivacyLevel,
    Remap,
    Table,
    TightestLevel,
    level_for,
    neighbours,
)

SYMBOL = PrivacyLevel.symbolic()
A = SYMBOL.alpha
TENTH = PrivacyLevel.from_epsilon("1/10")
LEVELS = pytest.mark.parametrize("level", [SYMBOL, TENTH, PrivacyLevel.from_epsilon("3/2", unit=2), PrivacyLevel("1/4")], ids=str)
LOSSES = [Loss.absolute, Loss.squared, Loss.zero_one]
alphas = st.fractions(Fraction(1, 30), Fraction(29, 30), max_denominator=30)


def at(x, alpha):
    return x.evaluate(alpha) if hasattr(x, "evaluate") else x


def matrix_at(matrix, alpha):
    return matrix.map(lambda x: at(x, alpha))


@LEVELS
@pytest.mark.parametrize("n", [1, 2, 5])
def test_geometric(level, n):
    G, path = geometric(n, level), neighbours(f"path:{n + 1}")
    assert G.field == level.field
    assert tightest_level(G, path).evidence.tightest == level
    assert is_private(G, path, level).proved
    stronger, weaker = PrivacyLevel((1 + level.alpha) / 2), PrivacyLevel(level.alpha / 2)
    refuted = is_private(G, path, stronger)
    assert refuted.refuted
    assert refuted.evidence.violated
    assert is_private(G, path, weaker).proved
    assert geometric_prime(n, level).det() == (1 - level.alpha**2) ** n
    assert bool(is_derivable(geometric(n, stronger), source=G))
    no = is_refined_by(geometric(n, stronger), G)
    assert no.refuted
    assert no.evidence.target_loss < no.evidence.source_loss


@pytest.mark.slow
@given(alphas, st.integers(1, 4))
def test_derivation_specialises(alpha, n):
    root = PrivacyLevel(A * A)
    R = is_derivable(geometric(n, SYMBOL), source=geometric(n, root)).evidence.remap
    found = is_derivable(geometric(n, alpha), source=geometric(n, Rational(alpha) ** 2)).evidence.remap
    assert matrix_at(R.matrix, alpha) == found.matrix


def symmetric(p):
    """A mechanism on two inputs with the numerator p over 2: (p/2, 1 − p/2) and its mirror image."""
    return Mechanism([[p / 2, 1 - p / 2], [1 - p / 2, p / 2]])


def test_an_undecided_minimum_splits_at_exact_points():
    """Ratios a² and 1/2 on two edges of a path: the tightest level changes at √½."""
    rows = ExactMatrix([[1 / (1 + A * A), A * A / (1 + A * A)], [A * A / (1 + A * A), 1 / (1 + A * A)]])
    M = Mechanism(rows)
    path = neighbours("path:2")
    assert tightest_level(M, path).evidence.tightest == TightestLevel(A * A)
    assert is_private(M, path, PrivacyLevel(A**3)).proved
    assert is_private(M, path, PrivacyLevel("1/2")).refuted  # of all a it is not so
    with pytest.raises(UndecidedSignError) as caught:
        privacy_at(M, path, PrivacyLevel("1/2"))
    root = AlgebraicNumber([-1, 0, 2], 0, 1)
    assert root in caught.value.points
    answers = []
    for piece in Interval(0, 1).split(caught.value.points):
        part = Mechanism(M.matrix.map(lambda x, piece=piece: x.restrict(piece)))
        answers.append((str(piece.is_point), is_private(part, path, PrivacyLevel("1/2")).proved))
    assert answers == [("False", False), ("True", True), ("False", True)]
    two = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    both = Mechanism([[x * y for x in M.matrix.row(i // 2) for y in two.matrix.row(i % 2)] for i in range(4)], ["00", "01", "10", "11"])
    square = neighbours("cycle:4")
    square_order = Mechanism([both.matrix.row(i) for i in (0, 1, 3, 2)], square.vertices)
    with pytest.raises(UndecidedSignError) as caught:
        tightest_level(square_order, square)
    assert caught.value.points == (root,)


@LEVELS
@pytest.mark.parametrize("loss", LOSSES)
def test_bayesian_remap_specialises_and_is_proved_best(level, loss):
    n = 2
    G = geometric(n, level)
    prior = Prior(["1/2", "1/3", "1/6"])
    consumer = BayesianConsumer(loss(G.inputs), prior)
    pieces = [level]
    try:
        best_remap(G, consumer)
    except UndecidedSignError as error:
        pieces = [PrivacyLevel.symbolic(piece) for piece in Interval(0, 1).split(error.points)]
    for piece in pieces:
        found = None
        with contextlib.suppress(UndecidedSignError):  # one split need not be enough
            found = best_remap(geometric(n, piece), consumer)
        if found is None or not hasattr(piece.alpha, "restrict") or piece.alpha.field.interval.is_point:
            continue
        alpha = piece.alpha.field.interval.sample()
        assert at(found.evidence.value, alpha) == best_remap(geometric(n, alpha), consumer).evidence.value


@pytest.mark.slow
@given(alphas)
def test_minimax_value_of_the_paper(alpha):
    """n = 3, |i−r|: one closed form on all of (0, 1)."""
    G, path = geometric(3, SYMBOL), neighbours("path:4")
    consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    value = best_remap(G, consumer).evidence.value
    assert value == 2 * A * (A * A + A + 1) / ((A + 1) * (1 + A + A * A - A**3))
    assert at(value, alpha) == best_remap(geometric(3, alpha), consumer).evidence.value


def test_raw_geometric_is_not_the_best_remap():
    G = geometric(3, SYMBOL)
    consumer = MinimaxConsumer(Loss.absolute(G.inputs))
    same = Remap(ExactMatrix.identity(4), G.outputs, G.outputs)
    v = is_best_remap(G, consumer, same)
    assert v.refuted
    assert v.evidence.gap > 0
    assert at(v.evidence.gap, "1/4") == Rational("15/332")


@pytest.mark.parametrize("spec", ["path:3", "cycle:4", "star:4", "complete:3"])
@pytest.mark.parametrize("epsilon", ["1/10", "1", "3/2"])
def test_optimum_over_epsilon_is_near_the_rational_one(spec, epsilon):
    """Optimum, dual and remap over ℚ(e^(−ε)); the value lies between the optima at rational levels just below
    and above.
    """
    graph, level = neighbours(spec), PrivacyLevel.from_epsilon(epsilon)
    lo, hi = level.alpha.enclosure(40)
    for consumer in (
        BayesianConsumer(Loss.zero_one(graph.vertices)),
        MinimaxConsumer(Loss.from_distance(graph)),
    ):
        v = optimum(graph, level, consumer)
        assert v.proved
        # more privacy costs more
        below, above = (optimum(graph, PrivacyLevel(x), consumer).evidence.value for x in (lo, hi))
        assert below <= v.evidence.value <= above
        assert above - below < Rational(1, 10**36)
        checked = verify_optimal(v.evidence.best, graph, level, consumer, v.evidence.dual)
        assert checked.proved
        assert dual_bound(graph, level, consumer, v.evidence.dual).value == v.evidence.value


def test_a_wrong_fiftieth_digit_of_a_dual_is_noticed():
    graph = neighbours("cycle:4")
    consumer = MinimaxConsumer(Loss.zero_one(graph.vertices))
    v = optimum(graph, TENTH, consumer).evidence
    wrong = Rational(1, 10**50)
    first, *rest = v.dual.potentials
    more = dual_bound(graph, TENTH, consumer, Dual(v.dual.weights, (first + wrong, *rest), v.dual.edges))
    assert more.value is None or more.value != v.value
    assert not verify_optimal(v.best, graph, TENTH, consumer, Dual(v.dual.weights, (first - wrong, *rest), v.dual.edges)).proved
    w, u, *others = v.dual.weights
    heavier = Dual((w + wrong, u, *others), v.dual.potentials, v.dual.edges)
    assert dual_bound(graph, TENTH, consumer, heavier).fault.rule == "weights sum to 1"


@pytest.mark.parametrize("spec", ["euclid:2x2", "euclid:3x2"])
def test_euclidean_grids(spec):
    grid = neighbours(spec)
    level = level_for(grid, 1)
    consumer = BayesianConsumer(Loss.zero_one(grid.vertices))
    v = optimum(grid, level, consumer)
    assert v.proved
    assert is_private(v.evidence.best, grid, level).proved
    assert verify_optimal(v.evidence.best, grid, level, consumer, v.evidence.dual).proved
    if spec == "euclid:2x2":
        t, t2 = level.field.gens
        assert v.evidence.value == (2 * t + t2) / (1 + 2 * t + t2)
    tight = tightest_level(v.evidence.best, grid).evidence.tightest
    assert tight == level


def test_path_dual_with_a_symbolic_level():
    path = neighbours("path:4")
    consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    found = best_remap(geometric(3, SYMBOL), consumer).evidence
    bound = dual_bound(path, SYMBOL, consumer, Dual(found.weights))
    assert bound.value == found.value
    M = geometric(3, SYMBOL).post_process(found.remap)
    assert verify_optimal(M, path, SYMBOL, consumer, Dual(found.weights)).proved
    uniform = dual_bound(path, SYMBOL, consumer, Dual(("1/2", 0, 0, "1/2")))
    assert uniform.value < found.value


def test_forest_dual_with_a_symbolic_level():
    star = neighbours("star:4")
    consumer = BayesianConsumer(Loss.zero_one(star.vertices))
    pieces = [SYMBOL]
    done = []
    while pieces:
        level = pieces.pop()
        try:
            v = optimum(star, level, consumer)
        except UndecidedSignError as error:
            pieces += [PrivacyLevel.symbolic(p) for p in level.field.interval.split(error.points)]
            continue
        done.append(level.field.interval)
        if not level.field.interval.is_point:
            alpha = level.field.interval.sample()
            assert at(v.evidence.value, alpha) == optimum(star, PrivacyLevel(alpha), consumer).evidence.value
    assert done


@pytest.mark.parametrize("level", [SYMBOL, TENTH], ids=str)
def test_release(level):
    a = level.alpha
    v = multi_level_release(2, [PrivacyLevel(a**3), PrivacyLevel(a * a), level])
    assert v.proved
    assert len(v.evidence.coalitions) == 7
    if level is SYMBOL:
        plain = multi_level_release(2, [PrivacyLevel("1/8"), PrivacyLevel("1/4"), PrivacyLevel("1/2")])
        assert matrix_at(v.evidence.joint.matrix, "1/2") == plain.evidence.joint.matrix


@pytest.mark.parametrize("level", [SYMBOL, TENTH], ids=str)
def test_tables(level):
    a = level.alpha
    good = Table([[a, 1 - a], ["1/2", "1/2"]])
    assert is_stochastic(good).proved
    assert is_stochastic(Table([[a, 1 - a * a]])).refuted
    assert is_stochastic(Table([[a + 1, -a]])).refuted
    with pytest.raises(NotStochasticError) as caught:
        Mechanism([[a, a], ["1/2", "1/2"]])
    assert caught.value.rows[0][2] == 2 * a - 1
    assert Table([[a, a * a]]).renormalise().matrix == ExactMatrix([[1 / (1 + a), a / (1 + a)]])


def test_a_sign_that_changes_is_no_mechanism_on_the_whole_interval():
    with pytest.raises(UndecidedSignError) as caught:
        Mechanism([[2 * A - 1, 2 - 2 * A]])
    assert caught.value.points == (Rational("1/2"),)
    late = PrivacyLevel.symbolic(Interval("1/2", 1, True)).alpha
    assert Mechanism([[2 * late - 1, 2 - 2 * late]])[0, 0] >= 0


def test_the_scope_is_said():
    path = neighbours("path:3")
    assert str(is_private(geometric(2, SYMBOL), path, SYMBOL).scope) == "every a in (0, 1)"
    assert str(is_private(geometric(2, TENTH), path, TENTH).scope) == "this instance, t = e^(−1/10)"
    assert str(is_private(geometric(2, "1/2"), path, PrivacyLevel("1/2")).scope) == "this instance"
    assert str(is_private(geometric(2, "1/2"), path, TENTH).scope) == "this instance, t = e^(−1/10)"
    assert str(tightest_level(geometric(2, "1/2"), path).scope) == "this instance"
    assert str(is_derivable(geometric(2, SYMBOL), source=geometric(2, PrivacyLevel(A * A))).scope) == "every a in (0, 1)"
    assert str(is_stochastic(Table([[A, 1 - A]])).scope) == "every a in (0, 1)"


def test_a_row_sum_that_is_one_at_a_single_level_is_not_refuted_for_all():
    with pytest.raises(UndecidedSignError) as caught:
        is_stochastic(Table([[A, "1/2"]]))
    assert caught.value.points == (Rational("1/2"),)


def test_uniqueness_over_the_fields():
    path = neighbours("path:2")
    consumer = MinimaxConsumer(Loss.zero_one(path.vertices))
    assert is_optimum_unique(path, TENTH, consumer).proved
    assert is_remap_unique(geometric(1, TENTH), consumer).proved
    flat = BayesianConsumer(Loss([[1, 1], [1, 1]]))
    assert is_remap_unique(geometric(1, TENTH), flat).refuted
    # a rank over the functions says nothing about single levels, so nothing is claimed
    for verdict in (is_optimum_unique(path, SYMBOL, consumer), is_remap_unique(geometric(1, SYMBOL), consumer)):
        assert not verdict.proved
        assert not verdict.refuted


@pytest.mark.parametrize("level", [SYMBOL, TENTH], ids=str)
def test_a_path_dual_written_out(level):
    path = neighbours("path:4")
    consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    found = best_remap(geometric(3, level), consumer).evidence
    full = explicit_dual(path, level, consumer, Dual(found.weights))
    assert full.rule == "graph"
    assert dual_bound(path, level, consumer, full).value == found.value


def test_a_cell_that_vanishes_at_a_single_level_is_not_divided_away():
    """x = (a − ½)²/2 against y = (a − ½)²: the ratio is ½ except at a = ½, where the constraint says
    nothing.
    """
    y = (A - Rational("1/2")) ** 2
    M = Mechanism([[y / 2, 1 - y / 2], [y, 1 - y]])
    with pytest.raises(UndecidedSignError) as caught:
        tightest_level(M, neighbours("path:2"))
    assert caught.value.points == (Rational("1/2"),)
    at_half = M.matrix.map(lambda x: x.evaluate("1/2"))
    assert tightest_level(Mechanism(at_half), neighbours("path:2")).evidence.tightest == TightestLevel(1)
    elsewhere = M.matrix.map(lambda x: x.evaluate("1/4"))
    assert tightest_level(Mechanism(elsewhere), neighbours("path:2")).evidence.tightest == TightestLevel("1/2")


def test_a_path_dual_that_holds_at_some_levels_only_is_refused():
    """Found by a random search: without single crossings the condition fails on part of the interval, and the
    bound is too high there.
    """
    path = neighbours("path:4")
    level = PrivacyLevel.symbolic(("3/10", "1/2"))
    loss = Loss([[2, 0], [0, 2], [4, 0], [2, 4]])
    weights = ("3/7", "1/7", "1/7", "2/7")
    consumer = BayesianConsumer(loss, Prior(weights))
    with_letter = None
    with contextlib.suppress(UndecidedSignError):
        with_letter = dual_bound(path, level, consumer, Dual(weights)).value
    assert with_letter is None
    single = [dual_bound(path, PrivacyLevel(Fraction(k, 100)), consumer, Dual(weights)).value for k in range(31, 50)]
    assert any(value is None for value in single)


@pytest.mark.parametrize("level", [PrivacyLevel.from_epsilon("1/2"), PrivacyLevel.symbolic(("1/4", "1/3"))])
def test_a_prior_of_numbers_beyond_the_rationals(level):
    """Found by the search for contradictions: the proposals of the path took weights for rationals, and
    certificates left out the field.
    """
    a = level.alpha
    consumer = BayesianConsumer(Loss.absolute(range(2)), Prior([1 / (1 + a), a / (1 + a)]))
    coin = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    for asked in (level, "1/2"):
        assert certify(optimum(neighbours("path:2"), asked, consumer)).kind == "optimal"
    assert certify(best_remap(coin, consumer)).kind == "optimal-remap"


def test_a_violation_that_ends_at_a_closed_end_is_not_one_at_every_level():
    """Found by the search for contradictions: a ≥ (a/2)^(1/2) fails below 1/2 only, and 1/2 belongs to the
    interval.
    """
    for closed in (True, False):
        a = PrivacyLevel.symbolic(Interval(0, "1/2", False, closed)).alpha
        coin = geometric(1, a)
        half = Metric(coin.inputs, [(0, 1, "1/2")])
        if closed:
            with pytest.raises(UndecidedSignError):
                is_private(coin, half, PrivacyLevel(a / 2))
        else:
            assert certify(is_private(coin, half, PrivacyLevel(a / 2))).kind == "not-private"


def test_losses_that_are_equal_at_the_level_are_equal():
    """Found by the search for contradictions: two losses differ as functions of the level, but not at the one
    level asked about.
    """
    root = AlgebraicNumber([-1, 0, 2], "1/2", 1)
    level, path = PrivacyLevel.symbolic(Interval.point(root)), neighbours("path:3")
    answer = is_universally_optimal(geometric(2, level.alpha), path, level, Loss.zero_one(path.vertices), theorems=False, tries=8)
    assert answer.decision is not Decision.REFUTED  # it is optimal for every prior


def test_delta_at_another_epsilon_than_that_of_the_table():
    # δ = P(0|0) − e^(1/4)·P(0|1) with the probabilities 1/(1 + t²) and t²/(1 + t²) for t = e^(−1/4)
    m, level = geometric(2, epsilon="1/2"), PrivacyLevel(epsilon="1/4")
    t = level.alpha
    delta = (1 - t) / (1 + t**2)
    for thing in (m, m.as_table()):
        assert least_delta(thing, "path", level).evidence.delta == delta
        assert least_delta(thing, "path", "epsilon=1/4").evidence.delta == delta
        assert is_approximately_private(thing, "path", level, "7/50").proved  # δ ≈ 0.1377
        assert not is_approximately_private(thing, "path", level, "13/100").proved
        assert len(breaking_events(thing, neighbours("path:3"), level, "13/100")) == 4
    assert certify(least_delta(m, "path", level)).kind == "delta"


def test_mechanisms_of_different_epsilon_are_put_together():
    first, second = geometric(2, epsilon="1/2"), geometric(2, epsilon="1/4")
    assert tightest_level(first.parallel(second), "path").evidence.tightest == PrivacyLevel(epsilon="3/4")
    chosen = Mechanism.external_choice([first, second], ["1/2", "1/2"])
    assert tightest_level(chosen, "path").evidence.tightest == PrivacyLevel(epsilon="1/2")


def test_releases_of_different_epsilon_are_composed():
    first, second = geometric(2, epsilon="1/2"), geometric(2, epsilon="1/3")
    both = PrivacyLevel(epsilon="5/6").alpha
    assert sequential_level([first, second], "path").evidence.ratio == both
    assert tightest_level(joint([first, second]), "path").evidence.tightest.ratio == both
    for verdict in (parallel_level([(second, "path"), (first, "path")]), sequential_level([first, geometric(2, "1/4")], "path")):
        assert certify(verdict)
    half = PrivacyLevel(epsilon="1/2").alpha
    assert parallel_level([(second, "path"), (first, "path")]).evidence.ratio == half
    people = [geometric(1, epsilon="1/2"), geometric(1, epsilon="1/3")]  # both values of a record are neighbours
    assert collection_level(people).evidence.ratio == half


def test_a_double_as_epsilon_beside_a_decimal_says_what_decides_it():
    m = geometric(1, epsilon=from_float(0.1))  # a little more than 1/10
    with pytest.raises(ResourceLimitError, match=r"is_private and audit compare "):
        is_optimal(m, "path", "epsilon=1/10", MinimaxConsumer("abs"))
    assert is_private(m, "path", "epsilon=1/10").refuted
    assert is_private(m, "path", "epsilon=11/100").proved
    assert not audit(m, "path", claim=PrivacyClaim(epsilon="1/10")).proved
    assert audit(m, "path", claim=PrivacyClaim(epsilon="11/100")).proved
