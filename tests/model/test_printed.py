# SPDX-License-Identifier: MIT
"""Printed tables: intervals of digits, and the rows of their set, against the vertices of each row."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import as_fraction
from printed_oracle import row_vertices

from exactdp import Mechanism
from exactdp.errors import (
    ExactDPError,
    InputError,
    NegativeEntryError,
    NotStochasticError,
    ParameterRangeError,
    RationalSyntaxError,
    ShapeError,
)
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.model.labels import as_labels
from exactdp.model.printed import MOST_DIGITS, PrintedTable, as_digits, digits_shown, interval_of, printed_table
from exactdp.readers import read_table


def ends(cell, digits):
    return tuple(str(x) for x in interval_of(cell, digits)[1:])


@pytest.mark.parametrize(
    ("cell", "digits", "expected"),
    [
        ("0.3", 1, ("1/4", "7/20")),
        ("0.3", "auto", ("1/4", "7/20")),
        ("0.30", "auto", ("59/200", "61/200")),
        ("0.3", 2, ("59/200", "61/200")),
        ("0", 4, ("0", "1/20000")),
        ("1", 4, ("19999/20000", "1")),
        ("1", "auto", ("1/2", "1")),
        ("0", 0, ("0", "1/2")),
        ("12.5e-2", "auto", ("249/2000", "251/2000")),
        ("1.5e-5", "auto", ("29/2000000", "31/2000000")),
        ("1/3", "auto", ("1/3", "1/3")),
        ("1/2", "auto", ("1/2", "1/2")),
        ("1/2", 1, None),
        ("-0.0", "auto", ("0", "1/20")),
        ("-0.04", 1, None),
    ],
)
def test_the_numbers_that_print_so(cell, digits, expected):
    if expected is None:
        with pytest.raises(InputError):
            interval_of(cell, digits)
    else:
        assert ends(cell, digits) == expected


def test_a_number_with_more_digits_was_not_printed_so():
    with pytest.raises(InputError, match=r"0\.123 is not a number of 2 digits after the decimal point; give digits 3, or auto"):
        interval_of("0.123", 2)
    with pytest.raises(InputError, match=r"0\.500 is not a number of 2 digits after the decimal point; give digits 3, or auto"):
        interval_of("0.500", 2)


@pytest.mark.parametrize(
    ("cell", "digits", "remedy"),
    [
        ("1/2", 2, r"with 2 digits after the decimal point; write 0\.50 if that is what was printed \(--digits\)"),
        ("4/2", 0, r"with 0 digits after the decimal point; write 2 if that is what was printed \(--digits\)"),
        ("2/10", 1, r"with 1 digit after the decimal point; write 0\.2 if that is what was printed \(--digits\)"),
        ("1/3", 4, r"with 4 digits after the decimal point; write it as it was printed, with 4 digits after the decimal point"),
    ],
)
def test_a_fraction_does_not_show_what_was_printed(cell, digits, remedy):
    """That it has as many digits as were told, if it was printed so at all, is a guess."""
    said = f"{cell} is a fraction, and does not show what was printed {remedy}"
    with pytest.raises(InputError, match=said):
        interval_of(cell, digits)
    with pytest.raises(InputError, match=f"row 1, column 0: {said}"):
        printed_table([["1", "0"], [cell, "0"]], digits=digits)
    for content in (f"1,0\n{cell},0\n", f'[["1", "0"], ["{cell}", "0"]]'):
        with pytest.raises(InputError, match=said) as caught:
            read_table(content, digits=digits)
        assert (caught.value.facts["row"], caught.value.facts["column"]) == (1, 0)


def test_what_is_no_probability_or_no_decimal_is_refused():
    with pytest.raises(NegativeEntryError, match=r"no probability prints as -0\.1"):
        interval_of("-0.1", 1)
    with pytest.raises(NegativeEntryError):
        interval_of("1.2", 1)
    with pytest.raises(RationalSyntaxError):
        interval_of("p", "auto")
    with pytest.raises(InputError, match="is not a decimal, so its digits say nothing"):
        digits_shown("a^2")


@pytest.mark.parametrize("digits", [-1, MOST_DIGITS + 1, "-1", "four", True, 1.0, None])
def test_numbers_of_digits_that_are_none(digits):
    with pytest.raises((ParameterRangeError, InputError)):
        as_digits(digits)


def test_a_row_that_no_distribution_prints_as_is_named_with_its_sums():
    with pytest.raises(
        NotStochasticError, match=r"no distribution prints as row b: its entries sum to at most 181/200, less than 1"
    ) as caught:
        printed_table([["0.5", "0.5"], ["0.4", "0.45"]], ["a", "b"], digits="auto")
    assert str(caught.value.facts["largest"]) == "181/200"
    with pytest.raises(NotStochasticError, match="at least 219/200, more than 1"):
        printed_table([["0.6", "0.55"]], digits="auto")


def test_a_sum_of_exactly_one_at_an_end_is_a_distribution():
    table = printed_table([["0.4", "0.5"]], digits=1)
    assert list(table.member().rows()) == [(Rational("9/20"), Rational("11/20"))]


def test_shapes_and_fields_are_checked_at_birth():
    table = printed_table([["0.5", "0.5"]], digits=1)
    with pytest.raises(ShapeError, match="upper ends"):
        PrintedTable(table.printed, table.lower, ExactMatrix([[1]], QQ), table.inputs, table.outputs, 1)
    with pytest.raises(ShapeError, match="labels"):
        PrintedTable(table.printed, table.lower, table.upper, as_labels(None, 2), table.outputs, 1)
    with pytest.raises(InputError, match="has no probability"):
        PrintedTable(table.printed, table.upper, table.lower, table.inputs, table.outputs, 1)


ROWS = st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=4)


@st.composite
def tables(draw):
    """One row of intervals with some distribution in it."""
    pairs = [sorted(pair) for pair in draw(ROWS)]
    lower, upper = ([Rational(pair[k], 10) for pair in pairs] for k in range(2))
    if not sum(lower, QQ.zero) <= 1 <= sum(upper, QQ.zero):
        total = sum(lower, QQ.zero)
        lower = [x / max(total, 1) for x in lower]
        upper = [Rational(1)] * len(lower)
    labels = as_labels(None, 1), as_labels(None, len(lower))
    return PrintedTable(ExactMatrix([lower], QQ), ExactMatrix([lower], QQ), ExactMatrix([upper], QQ), *labels, "auto")


@given(tables())
def test_maxima_and_minima_are_those_of_the_vertices(table):
    vertices = row_vertices([as_fraction(x) for x in table.lower.row(0)], [as_fraction(x) for x in table.upper.row(0)])
    outputs = range(table.n_outputs)
    for event in chain.from_iterable(combinations(outputs, k) for k in range(table.n_outputs + 1)):
        values = [sum((vertex[r] for r in event), F(0)) for vertex in vertices]
        assert as_fraction(table.row_maximum(0, event)) == max(values)
        assert as_fraction(table.row_minimum(0, event)) == min(values)
        for row, value in (
            (table.row_attaining_maximum(0, event), table.row_maximum(0, event)),
            (table.row_attaining_minimum(0, event), table.row_minimum(0, event)),
        ):
            assert sum((row[r] for r in event), QQ.zero) == value
            assert table.contains(Mechanism([row]))
    least, largest = table.entry_bounds()
    assert list(least[0]) == [table.row_minimum(0, {r}) for r in outputs]
    assert list(largest[0]) == [table.row_maximum(0, {r}) for r in outputs]


@given(tables())
def test_members_and_rounded_rows_print_so(table):
    member = table.member()
    assert table.contains(member)
    for digits in (0, 1, 3):
        assert table.contains(Mechanism(table.rounded_rows(list(member.rows()), digits)))


def test_what_is_outside_does_not_print_so():
    table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], ["a", "b"], digits=1)
    inside = [["1/4", "3/4"], ["9/20", "11/20"]]
    assert table.contains(Mechanism(inside, ["a", "b"]))
    assert table.contains(Mechanism(inside[::-1], ["b", "a"]))
    assert not table.contains(Mechanism([["6/25", "19/25"], inside[1]], ["a", "b"]))
    assert not table.contains(Mechanism(inside, ["a", "b"]).as_table().relabelled(["b", "a"]))


def test_rows_are_put_in_the_order_of_labels():
    table = printed_table([["0.3", "0.7"], ["0.5", "0.5"]], ["a", "b"], digits=1)
    turned = table.aligned(("b", "a"))
    assert (turned.inputs, turned.lower.row(0)) == (("b", "a"), table.lower.row(1))
    assert table.relabelled(["x", "y"]).inputs == ("x", "y")


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("wrong", [F(1, 3), None, 3, "nonsense"])
def test_wrong_parts_are_refused_by_kind(place, wrong):
    table = printed_table([["0.3", "0.7"]], digits=1)
    parts = [table.printed, table.lower, table.upper, table.inputs, table.outputs]
    parts[place] = wrong
    if place < 3 or wrong is not None:
        with pytest.raises(ExactDPError):
            PrintedTable(*parts, digits=1)
