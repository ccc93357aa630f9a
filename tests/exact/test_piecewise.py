# SPDX-License-Identifier: MIT
"""Piecewise descriptions against evaluation at points: at ends, between, rational and irrational."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.errors import InputError
from exactdp.exact import AlgebraicNumber, Interval, Rational
from exactdp.exact.piecewise import Piecewise, common_parts

ROOTS = [AlgebraicNumber([-k, 0, 12], 0, 1) for k in (1, 2, 5, 6, 7, 11)]  # √(k/12)
POINTS = [Rational(k, 6) for k in range(7)] + ROOTS
GRID = sorted({*POINTS, *(Rational(k, 12) for k in range(13))})
points = st.sampled_from(POINTS)
domains = st.builds(Interval, st.just(0), st.sampled_from([1, Rational("1/2"), ROOTS[3]]), st.booleans(), st.booleans())


@st.composite
def piecewise(draw, domain=None):
    """Any description: ends open or closed, points that belong to both sides, single points as pieces."""
    domain = draw(domains) if domain is None else domain
    cuts = draw(st.lists(points, max_size=5))
    whole = Piecewise.cut(domain, cuts, lambda part: None, shared=draw(st.booleans()))
    return Piecewise((part, draw(st.integers(0, 2))) for part, _ in whole)


pairs = domains.flatmap(lambda domain: st.tuples(piecewise(domain), piecewise(domain), piecewise(domain)))


def values_at(function, x):
    """What is said at a point: one value, or two where pieces share an end."""
    return {value for interval, value in function if interval.contains(x)}


@settings(max_examples=50)
@given(domains, st.lists(points), st.booleans())
def test_cut_covers_the_interval(domain, cuts, shared):
    function = Piecewise.cut(domain, cuts, lambda part: part, shared=shared)
    assert function.interval == domain
    for x in GRID:
        parts = [interval for interval, _ in function if interval.contains(x)]
        assert bool(parts) == domain.contains(x)
        assert len(parts) <= 1 + (shared and x in cuts)
        assert not parts or function.at(x) == parts[0]
    inside = {x for x in cuts if domain.contains(x)}
    assert all(len(inside & {x for x in GRID if interval.interior().contains(x)}) == 0 for interval, _ in function if not interval.is_point)


@settings(max_examples=50)
@given(piecewise())
def test_where_is_maximal_and_right_at_every_point(function):
    found = function.where(lambda value: value == 1)
    for x in GRID:
        assert any(part.contains(x) for part in found) == (1 in values_at(function, x))
    for left, right in pairwise(found):
        assert left.upper < right.lower or not (left.upper_closed or right.lower_closed) or values_at(function, left.upper) != {1}


@pytest.mark.slow
@settings(max_examples=50)
@given(piecewise())
def test_joined_neighbours_differ_and_nothing_else_changes(function):
    joined = function.joined()
    assert all(left.value != right.value for left, right in pairwise(joined))
    assert joined.joined() == joined
    for x in GRID:
        assert values_at(joined, x) == values_at(function, x)


@settings(max_examples=50)
@given(piecewise())
def test_joined_as_told(function):
    together = function.map(lambda value: frozenset({value})).joined(lambda left, right: 2 not in left.value | right.value, frozenset.union)
    for x in GRID:
        assert values_at(function, x) <= frozenset().union(*values_at(together, x))
    assert all(2 in left.value | right.value for left, right in pairwise(together))


@settings(max_examples=50)
@given(piecewise())
def test_needless_points(function):
    less = function.without_needless_points()
    for x in GRID:
        assert values_at(less, x) == values_at(function, x)
    for k, piece in enumerate(less[1:-1], 1):
        assert not piece.interval.is_point or not less[k - 1].value == piece.value == less[k + 1].value


@settings(max_examples=50)
@given(pairs)
def test_common_parts_have_the_values_of_each(functions):
    joint = common_parts(*functions)
    assert joint.interval == functions[0].interval
    for x in GRID:
        for values in values_at(joint, x):
            assert all(value in values_at(function, x) for value, function in zip(values, functions, strict=True))
        assert bool(values_at(joint, x)) == bool(values_at(functions[0], x))
    single = [interval for interval, _ in joint if interval.is_point]
    assert not any(other.contains(point) for point in single for other, _ in joint if other != point)


@settings(max_examples=50)
@given(piecewise())
def test_map_evaluates_to_the_function_of_the_value(function):
    squares = function.map(lambda value: value * value)
    for x in GRID:
        assert values_at(squares, x) == {value * value for value in values_at(function, x)}
    assert squares.values == tuple(value * value for value in function.values)


@settings(max_examples=50)
@given(piecewise(), st.data())
def test_single_points_left_out_are_filled(function, data):
    kept = [piece for piece in function if not (piece.interval.is_point and data.draw(st.booleans()))]
    if not kept:
        return
    filled = Piecewise.filled(kept, function.interval, None)
    for x in GRID:
        said = {value for interval, value in kept if interval.contains(x)}
        assert values_at(filled, x) == (said or ({None} if function.interval.contains(x) else set()))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Interval(0, "1/2"), Interval("1/2", 1)),
        (Interval(0, "1/2", False, True), Interval("2/3", 1, True)),
        (Interval(0, "2/3"), Interval("1/2", 1)),
        (Interval("1/2", 1, True), Interval(0, "1/2", False, True)),
    ],
)
def test_pieces_must_be_consecutive(left, right):
    with pytest.raises(InputError, match="not consecutive"):
        Piecewise([(left, 1), (right, 2)])


def test_the_object():
    function = Piecewise([(Interval(0, "1/2", False, True), 1), (Interval("1/2", 1, True), 2)])
    assert len(function) == 2
    assert [value for _, value in function] == [1, 2]
    assert function[0].interval.upper == Rational("1/2")
    assert function[-1].value == function[1:][0].value == 2
    assert function.at("1/2") == 1  # it belongs to both: the first
    assert pickle.loads(pickle.dumps(function)) == function
    assert hash(function) == hash(Piecewise(function))
    assert function != Piecewise()
    assert isinstance(function, tuple)
    with pytest.raises(InputError, match="belongs to none"):
        function.at(1)
