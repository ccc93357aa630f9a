# SPDX-License-Identifier: MIT
"""The optimum as a function of the level agrees with rational solves, and its certificates stand or fall with
every number.
"""

from __future__ import annotations

import copy
import random
from itertools import pairwise

import pytest
from certificate_pool import seal, text_of
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import (
    BayesianConsumer,
    Interval,
    Loss,
    Mechanism,
    Metric,
    MinimaxConsumer,
    Prior,
    PrivacyLevel,
    Rational,
    RationalFunctionField,
    SideInformation,
    best_remap,
    best_remap_by_level,
    certify,
    geometric,
    is_optimal,
    is_optimal_after_remap,
    is_optimal_by_level,
    neighbours,
    optimum,
    optimum_by_level,
)
from exactdp.checker import check_bytes
from exactdp.errors import InputError, LabelError, ParameterRangeError
from exactdp.exact import AlgebraicNumber, same_formula
from exactdp.lp.parametric import constant_signs_around

LOSSES = {"abs": Loss.absolute, "squared": Loss.squared, "zero-one": Loss.zero_one}
FIELD = RationalFunctionField()
a = FIELD.gen


def path_problem(n, loss):
    path = neighbours(f"path:{n + 1}")
    return path, MinimaxConsumer(LOSSES[loss](path.vertices))


def levels(count, seed):
    source = random.Random(seed)
    return [Rational(source.randint(1, q - 1), q) for q in (source.randint(2, 1000) for _ in range(count))]


def test_the_example_of_the_design():
    evidence = optimum_by_level(*path_problem(3, "abs")).evidence
    [(interval, value)] = evidence.values
    assert (str(interval), value == 2 * a * (a**2 + a + 1) / ((a + 1) * (1 + a + a**2 - a**3))) == ("(0, 1)", True)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "loss"), [(3, "squared"), (4, "squared"), (4, "zero-one"), (6, "abs"), (5, "squared")])
def test_rational_solves_agree(n, loss):
    path, consumer = path_problem(n, loss)
    pieces = optimum_by_level(path, consumer).evidence
    for alpha in levels(200 if n < 5 else 40, seed=n):
        assert pieces.value_at(alpha) == optimum(path, PrivacyLevel(alpha), consumer).evidence.value


@pytest.mark.slow
@pytest.mark.parametrize(("n", "loss"), [(2, "squared"), (3, "squared"), (4, "squared"), (5, "squared"), (6, "abs"), (6, "zero-one")])
def test_neighbouring_pieces_meet(n, loss):
    """Continuity, as an identity of algebraic numbers, and a cover of (0, 1) without gaps."""
    values = optimum_by_level(*path_problem(n, loss)).evidence.values
    assert str(values[0][0].lower) == "0"
    assert str(values[-1][0].upper) == "1"
    for (left, f), (right, g) in pairwise(values):
        assert left.upper is right.lower or left.upper == right.lower
        assert left.upper_closed or right.lower_closed
        first, second = (FIELD.quotient(h.numerator, h.denominator) for h in (f, g))
        assert (first - second).sign_at(left.upper) == 0
        assert not same_formula(first, second)


@st.composite
def problems(draw):
    graph = neighbours(draw(st.sampled_from(["path:3", "cycle:4", "star:4", "complete:3", "path:4"])))
    n = len(graph.vertices)
    small = st.integers(0, 4)
    table = [[draw(small) for _ in range(draw(st.just(n)))] for _ in range(n)]
    loss = Loss(table, graph.vertices, graph.vertices)
    if draw(st.booleans()):
        weights = [draw(st.integers(0, 3)) for _ in range(n)]
        weights[0] += not any(weights)
        return graph, BayesianConsumer(loss, Prior([Rational(w, sum(weights)) for w in weights], graph.vertices))
    known = draw(st.sets(st.sampled_from(graph.vertices), min_size=1))
    return graph, MinimaxConsumer(loss, SideInformation.of(sorted(known), graph.vertices))


@pytest.mark.slow
@settings(max_examples=40)
@given(problems(), st.integers(1, 96))
def test_any_small_problem(problem, k):
    graph, consumer = problem
    verdict = optimum_by_level(graph, consumer)
    assert verdict.proved
    alpha = Rational(k, 97)
    assert verdict.evidence.value_at(alpha) == optimum(graph, PrivacyLevel(alpha), consumer).evidence.value
    assert certify(verdict).kind == "on-pieces"


def test_a_metric_with_longer_distances():
    metric = Metric(["0", "1", "2"], [(0, 1, 1), (1, 2, 2), (0, 2, 3)])
    consumer = MinimaxConsumer(Loss.zero_one(metric.vertices))
    verdict = optimum_by_level(metric, consumer)
    for alpha in levels(10, seed=5):
        assert verdict.evidence.value_at(alpha) == optimum(metric, PrivacyLevel(alpha), consumer).evidence.value
    certify(verdict)


def test_part_of_the_levels():
    path, consumer = path_problem(3, "squared")
    verdict = optimum_by_level(path, consumer, Interval("1/4", "1/2"))
    assert [str(p.interval) for p in verdict.evidence.pieces] == [
        "(1/4, root of 5*a^2 - 1 near 0.447213]",
        "[root of 5*a^2 - 1 near 0.447213, 1/2)",
    ]
    certify(verdict)


ENDS = [Rational("1/4"), Rational("1/3"), AlgebraicNumber([-1, 0, 5], 0, 1), Rational("1/2"), Rational("3/4")]


@pytest.mark.slow
@settings(max_examples=12, derandomize=True)
@given(st.sets(st.integers(0, 4), min_size=2, max_size=2), st.booleans(), st.booleans(), st.booleans(), st.integers(1, 2), st.data())
def test_intervals_open_or_closed(ends, left, right, narrow, n, data):
    """The pieces are the interval asked about, no more; the mechanism need not be known outside; answers are
    those at each level.
    """
    low, high = (ENDS[k] for k in sorted(ends))
    asked = Interval(low, high, left, right)
    path, kind = neighbours(f"path:{n + 1}"), data.draw(st.sampled_from(sorted(LOSSES)))
    consumer = MinimaxConsumer(LOSSES[kind](path.vertices))
    letter = RationalFunctionField(asked).gen if narrow else a
    G = geometric(n, letter)
    judged = {flag: is_optimal_by_level(G, path, consumer, asked, after_remap=flag) for flag in (False, True)}
    remapped = best_remap_by_level(G, consumer, asked)
    alpha = asked.sample()
    for verdict in (*judged.values(), remapped):
        certify(verdict)
        pieces = [piece.interval for piece in verdict.evidence.pieces]
        assert all(asked.contains(piece) for piece in pieces)
        assert (pieces[0].lower, pieces[0].lower_closed) == (low, left)
        assert (pieces[-1].upper, pieces[-1].upper_closed) == (high, right)
        assert any(piece.contains(alpha) for piece in pieces)
    assert remapped.evidence.value_at(alpha) == best_remap(geometric(n, alpha), consumer).evidence.value
    for flag, judge in ((False, is_optimal), (True, is_optimal_after_remap)):
        alone = judge(geometric(n, alpha), path, PrivacyLevel(alpha), consumer).evidence.gap
        for piece in judged[flag].evidence.pieces:
            if piece.interval.contains(alpha):
                gap = piece.value.gap
                assert alone == (gap.evaluate(alpha) if hasattr(gap, "evaluate") else gap)


@pytest.mark.parametrize(
    ("interval", "error", "text"),
    [
        (Interval(0, "1/2", True), ParameterRangeError, "choose a smaller interval"),
        (Interval("1/2", 1, upper_closed=True), ParameterRangeError, "choose a smaller interval"),
        (Interval.point("1/2"), InputError, "a single level"),
    ],
)
def test_intervals_that_are_none_of_levels(interval, error, text):
    path, consumer = path_problem(2, "abs")
    for ask in (
        lambda: optimum_by_level(path, consumer, interval),
        lambda: best_remap_by_level(geometric(2, a), consumer, interval),
        lambda: is_optimal_by_level(geometric(2, a), path, consumer, interval),
    ):
        with pytest.raises(error, match=text):
            ask()


@pytest.mark.slow
@pytest.mark.parametrize("after_remap", [False, True])
@pytest.mark.parametrize(("n", "loss"), [(2, "squared"), (3, "abs"), (3, "squared"), (4, "zero-one")])
def test_a_given_mechanism(n, loss, after_remap):
    path, consumer = path_problem(n, loss)
    verdict = is_optimal_by_level(geometric(n, a), path, consumer, after_remap=after_remap)
    certify(verdict)
    judge = is_optimal_after_remap if after_remap else is_optimal
    for alpha in [*levels(8, seed=n), Rational(1, 3)]:
        one = judge(geometric(n, alpha), path, PrivacyLevel(alpha), consumer)
        for piece in verdict.evidence.pieces:
            if piece.interval.contains(alpha):
                assert one.proved == piece.value.optimal
                gap = piece.value.gap
                assert (gap.evaluate(alpha) if hasattr(gap, "evaluate") else gap) == one.evidence.gap


def test_a_mechanism_that_is_optimal_at_one_level_only():
    """G(2, a) without a remap has the squared loss of the optimum at a = 1/3 alone."""
    path, consumer = path_problem(2, "squared")
    pieces = is_optimal_by_level(geometric(2, a), path, consumer).evidence.pieces
    optimal = [p for p in pieces if p.value.optimal]
    for p in optimal:
        x = p.interval.sample() if not p.interval.is_point else p.interval.lower
        if isinstance(x, Rational):
            assert is_optimal(geometric(2, x), path, PrivacyLevel(x), consumer).proved


def test_outputs_that_are_no_guesses():
    path = neighbours("path:3")
    consumer = MinimaxConsumer(Loss([[0, 1], [1, 0], [1, 1]], path.vertices, ["x", "y"]))
    with pytest.raises(LabelError):
        is_optimal_by_level(geometric(2, a), path, consumer)


def test_stretches_end_at_zeros_and_poles():
    interval = constant_signs_around(Rational(1, 2), FIELD.interval, [a * a - Rational(1, 5), 1 / (Rational(3, 4) - a)])
    assert isinstance(interval.lower, AlgebraicNumber)
    assert interval.lower_closed
    assert (str(interval.upper), interval.upper_closed) == ("3/4", False)
    assert constant_signs_around(Rational(1, 2), FIELD.interval, [2 * a - 1]) is None


# Certificates
# ---------------------------------------------------------------------------------------------------------


def certificate_of(n=3, loss="squared"):
    import json

    return json.loads(certify(optimum_by_level(*path_problem(n, loss))).to_json())


def status(certificate):
    return check_bytes(text_of(seal(certificate)).encode()).status


def test_every_piece_is_needed():
    original = certificate_of()
    assert status(original) == "accepted"
    for k in range(3):
        changed = copy.deepcopy(original)
        del changed["claim"]["pieces"][k], changed["witness"]["pieces"][k]
        assert status(changed) == "rejected"
    swapped = copy.deepcopy(original)
    for part in ("claim", "witness"):
        pieces = swapped[part]["pieces"]
        pieces[0], pieces[1] = pieces[1], pieces[0]
    assert status(swapped) == "rejected"


def test_ends_belong_to_a_piece():
    original = certificate_of()
    first, second = (original["claim"]["pieces"][k]["interval"] for k in (0, 1))
    first["below"] = first.pop("at_most")
    assert status(original) == "accepted"
    second["above"] = second.pop("at_least")
    assert status(original) == "rejected"


@pytest.mark.parametrize("edit", ["wider", "narrower", "other root", "no root", "two roots", "rational"])
def test_wrong_ends(edit):
    """√(1/5) is where the first piece ends: a little to either side is wrong."""
    original = certificate_of()
    end = {
        "wider": "1/2",
        "narrower": "2/5",
        "other root": {"poly": ["-1", "0", "6"], "in": ["0", "1"]},
        "no root": {"poly": ["-1", "0", "5"], "in": ["1/2", "1"]},
        "two roots": {"poly": ["-1", "0", "5"], "in": ["-1", "1"]},
        "rational": "0.4472135955",
    }[edit]
    original["claim"]["pieces"][0]["interval"]["at_most"] = end
    original["claim"]["pieces"][1]["interval"]["at_least"] = end
    assert status(original) in ("rejected", "malformed")


def numbers(value, at=()):
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(item, str) and item.lstrip("-").replace("/", "").isdigit():
            yield (*at, key), item
        else:
            yield from numbers(item, (*at, key))


@pytest.mark.slow
@pytest.mark.parametrize("part", ["claim", "witness"])
def test_every_number_counts(part):
    original = certificate_of(2)
    listed = list(numbers(original[part]))
    assert len(listed) > 20
    for place, text in listed:
        changed = copy.deepcopy(original)
        target = changed[part]
        for key in place[:-1]:
            target = target[key]
        target[place[-1]] = str(int(text) + 1) if "/" not in text else text + "1"
        if place[-2:] == ("in", 0) or place[-2:] == ("in", 1):
            continue  # another isolating interval of the same root is as good, if both pieces say so
        assert status(changed) in ("rejected", "malformed"), (place, text)


@pytest.mark.parametrize(("n", "loss"), [(2, "squared"), (3, "squared"), (4, "zero-one")])
def test_remaps_by_level(n, loss):
    path, consumer = path_problem(n, loss)
    verdict = best_remap_by_level(geometric(n, a), consumer)
    certify(verdict)
    for alpha in levels(10, seed=n):
        assert verdict.evidence.value_at(alpha) == best_remap(geometric(n, alpha), consumer).evidence.value
    del path


def test_an_equation_that_holds_at_the_number_tried_only_is_no_piece():
    """At a = 1/2 a proposed remap's row sums to 1 by chance; elsewhere it does not, and the table was blamed
    for it.
    """
    a = RationalFunctionField().gen
    rows = [[a / (2 * a), a / (2 * a)], [1 / (1 + a), a / (1 + a)], [(1 - a) / 2, (1 + a) / 2]]
    consumer = MinimaxConsumer(Loss([[-1, 2, 1], [-1, 0, 1], [3, 3, -1]]))
    verdict = best_remap_by_level(Mechanism(rows), consumer)
    assert verdict.proved
    for piece, value in verdict.evidence.values:
        for level in (Rational("1/7"), Rational("1/2"), Rational("4/5")):
            if piece.contains(level):
                at = Mechanism([[x.evaluate(level) for x in row] for row in rows])
                assert value.evaluate(level) == best_remap(at, consumer).evidence.value


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("loss", [Loss.squared, Loss.zero_one])
def test_neighbouring_pieces_agree_where_they_meet(n, loss):
    """As an identity of algebraic numbers; the optimum is continuous in the level."""
    path = neighbours(f"path:{n + 1}")
    values = optimum_by_level(path, MinimaxConsumer(loss(path.vertices))).evidence.values
    field = RationalFunctionField()
    for (left, before), (_, after) in pairwise(values):
        f, g = (field.quotient(h.numerator, h.denominator) for h in (before, after))
        assert (f - g).sign_at(left.upper) == 0
