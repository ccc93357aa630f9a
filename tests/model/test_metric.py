# SPDX-License-Identifier: MIT
"""Distances and metrics: exact order of rationals and square roots, exact triangle inequality."""

from __future__ import annotations

import pickle
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import distances, fractions, graphs, metrics

from exactdp import is_private, uniform
from exactdp.errors import (
    InexactInputError,
    InputError,
    LabelError,
    NotAMetricError,
    ParameterRangeError,
    RationalSyntaxError,
    ResourceLimitError,
)
from exactdp.exact import Rational
from exactdp.model import Distance, Metric
from exactdp.readers.graphs import read_metric


def digits(d):
    """The distance to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return (Decimal(d.square.numerator) / Decimal(d.square.denominator)).sqrt()


@given(distances())
def test_text_round_trip(d):
    assert Distance.parse(str(d)) == d == eval(repr(d)) == pickle.loads(pickle.dumps(d)) == Distance.of(d)
    assert (d.rational is None) == str(d).startswith("sqrt")
    assert d.rational is None or d.rational**2 == d.square


@given(distances(), distances())
def test_order(d, e):
    assert (d < e) == (digits(d) < digits(e))
    assert (d == e) == (d.square == e.square)
    assert d != e or hash(d) == hash(e)


def test_square_roots_of_squares_are_rational():
    assert Distance.parse("sqrt(4/9)") == Distance.of("2/3")
    assert str(Distance.parse("sqrt(8)")) == "sqrt(8)"
    assert Distance.of(Fraction(3, 2)) == Distance.of("1.5") == Distance(Rational("9/4"))


@pytest.mark.parametrize("value", [0, "0", "-1", "sqrt(0)", "sqrt(-2)", Fraction(-1, 2)])
def test_distances_are_positive(value):
    with pytest.raises(ParameterRangeError, match="not positive"):
        Distance.of(value)


@pytest.mark.parametrize(
    ("text", "position"), [("sqrt(x)", 5), ("sqrt(2", 0), ("", 0), ("2^(1/2)", 1), ("sqrt(1_0)", 6), ("SQRT(2)", 0), ("sqrt( 2)", 5)]
)
def test_bad_text(text, position):
    with pytest.raises(RationalSyntaxError) as caught:
        Distance.parse(text)
    assert caught.value.position == position
    assert caught.value.text == text


def test_no_floats():
    with pytest.raises(InexactInputError):
        Distance.of(1.5)


def test_triangle_inequality_with_square_roots():
    Metric(["a", "b", "c"], [(0, 1, 1), (1, 2, 1), (0, 2, "sqrt(2)")])
    Metric(["a", "b", "c"], [(0, 1, "sqrt(2)"), (1, 2, "sqrt(2)"), (0, 2, "sqrt(8)")])  # equality
    with pytest.raises(NotAMetricError) as caught:
        # 3.1463 against 3.1623
        Metric(["a", "b", "c"], [(0, 1, "sqrt(2)"), (1, 2, "sqrt(3)"), (0, 2, "sqrt(10)")])
    assert caught.value.points == ("a", "b", "c")
    assert (caught.value.left, caught.value.right) == ("sqrt(10)", "sqrt(2) + sqrt(3)")


@example([Distance.parse("1"), Distance.parse("4/3"), Distance.parse("7/3")])
@given(st.lists(distances(), min_size=3, max_size=3))
def test_triangle_inequality_against_many_digits(sides):
    x, y, z = (digits(d) for d in sides)
    with localcontext() as context:
        context.prec = 60  # of the sums, too: rounded to 28 digits, 1 + 4/3 is less than 7/3
        holds = all(a <= b + c + Decimal(10) ** -40 for a, b, c in ((x, y, z), (y, x, z), (z, x, y)))
    table = [(0, 1, sides[0]), (1, 2, sides[1]), (0, 2, sides[2])]
    if holds:
        Metric(range(3), table)
    else:
        with pytest.raises(NotAMetricError, match="triangle"):
            Metric(range(3), table)


def test_an_infinite_distance_beside_a_finite_route_is_no_metric():
    with pytest.raises(NotAMetricError, match=r"d\(0, 2\) = infinite > 1 \+ 1"):
        Metric(range(3), [(0, 1, 1), (1, 2, 1)])
    assert Metric(range(3), [(0, 1, 1)]).between(0, 2) is None


@given(metrics())
def test_metrics_are_symmetric_and_pass_their_own_check(d):
    again = Metric(d.vertices, d.pairs())
    assert again == d == pickle.loads(pickle.dumps(d))
    assert hash(again) == hash(d)
    assert list(d.pairs()) == sorted(d.pairs(), key=lambda triple: triple[:2])
    for i, j, distance in d.pairs():
        assert i < j
        assert d.between(i, j) == d.between(j, i) == distance
    rows = [[0 if i == j else d.between(i, j) for j in range(len(d.vertices))] for i in range(len(d.vertices))]
    assert Metric.from_rows(d.vertices, rows) == d
    text = "\n".join(",".join("inf" if x is None else str(x) for x in row) for row in rows)
    assert read_metric(text).pairs() == d.pairs()


@given(graphs())
def test_shortest_paths_by_floyd_and_warshall(graph):
    size = len(graph.vertices)
    far = 99
    table = [[0 if i == j else far for j in range(size)] for i in range(size)]
    for i, j in graph.edges:
        table[i][j] = table[j][i] = 1
    for k in range(size):
        for i in range(size):
            for j in range(size):
                table[i][j] = min(table[i][j], table[i][k] + table[k][j])
    metric = graph.metric()
    for i in range(size):
        for j in range(i + 1, size):
            d = metric.between(i, j)
            assert (far if d is None else d.rational) == table[i][j]


@given(fractions(1, 3), st.integers(2, 4))
def test_a_line_is_a_metric(step, size):
    Metric(range(size), [(i, j, (j - i) * Rational(step)) for i in range(size) for j in range(i + 1, size)])


@pytest.mark.parametrize(
    ("pairs", "kind", "words"),
    [
        ([(0, 0, 1)], NotAMetricError, "itself"),
        ([(0, 1, 1), (1, 0, 1)], NotAMetricError, "given twice"),
        ([(0, 5, 1)], LabelError, "numbered 0 to 1"),
        ([(0, 1, 0)], ParameterRangeError, "not positive"),
    ],
)
def test_bad_metrics(pairs, kind, words):
    with pytest.raises(kind, match=words):
        Metric(["a", "b"], pairs)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("0,1\n2,0", NotAMetricError, r"not symmetric: d\(0, 1\) = 1, but d\(1, 0\) = 2"),
        ("0,1\n,0", NotAMetricError, "d.1, 0. = infinite"),
        ("1,1\n1,0", NotAMetricError, "itself is 1, not 0"),
        ("0,0\n0,0", NotAMetricError, "two different points"),
        ("0,1\n1", InputError, r"row 1 \(line 2\) has 1 entries, the first row has 2"),
        ("0,x\nx,0", RationalSyntaxError, r"row 0, column 1 \(line 1\)"),
        ("0,-1\n-1,0", ParameterRangeError, r"row 0, column 1 \(line 1\): the distance -1 is not positive"),
        ("", InputError, "empty"),
        ("0,1\n1,", NotAMetricError, "the distance of '1' to itself is missing"),
        ("0,0.0\n0,0", NotAMetricError, "two different points"),
        ("0,Inf\nInf,0", InputError, "'Inf' is not a distance; an infinite one is inf, or an empty cell"),
        ("0,5,1\n5,0,1\n1,1,0", NotAMetricError, r"d\(0, 1\) = 5 > 1 \+ 1"),
        ("\n".join([",".join(["0"] * 600)] * 600), ResourceLimitError, "of 600 points takes 108,000,000 steps; the limit is 100,000,000"),
    ],
)
def test_bad_metric_files(text, kind, words):
    with pytest.raises(kind, match=words):
        read_metric(text)


@pytest.mark.parametrize("zero", ["0", "0.0", "0/1", "-0"])
def test_the_diagonal_is_zero_however_it_is_written(zero):
    assert str(read_metric(f"{zero},1/2\n1/2,{zero}").between(0, 1)) == "1/2"
    assert Metric.from_rows(range(2), [[zero, 1], [1, zero]]) == Metric(range(2), [(0, 1, 1)])


def test_metric_files_with_labels():
    d = read_metric(',a,"b,c"\na,0,1/2\n"b,c",1/2,0\n', labels=True)
    assert d.vertices == ("a", "b,c")
    assert str(d.between(0, 1)) == "1/2"


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        (Metric(["b", "a"], [(0, 1, "1/2")]), "the metric on (a, b) with the distances a–b: 1/2"),
        (Metric(["a", "b"], [(0, 1, "sqrt(2)")]), "the metric on (a, b) with the distances a–b: sqrt(2)"),
        (Metric(range(3), [(1, 2, 2)]), "the metric on (0, 1, 2) with the distances 1–2: 2, else ∞"),
        (Metric(range(2), []), "the metric on (0, 1) with no finite distances"),
        (Metric(range(1), []), "the metric on (0) with no finite distances"),
        (Metric(range(2), [(0, 1, 3)], name="far"), "far"),
        (Metric(["10", "9", "-1"], []), "the metric on (-1, 9, 10) with no finite distances"),
    ],
)
def test_a_metric_without_a_name_is_called_by_its_distances(metric, words):
    """So that two metrics on the same points have two sentences."""
    assert str(metric) == words
    assert words in is_private(uniform(metric.vertices), metric, "1/2").claim
