# SPDX-License-Identifier: MIT
"""What the numbers of a file are; and whether all tables that print as its decimals keep a claim."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
from exactdp.analysis.file_numbers import all_that_print_keep, are_printed_doubles, divided_from, level_that_all_keep
from exactdp.analysis.printed import epsilon_ends
from exactdp.exact import Rational
from exactdp.exact.inexact import prints_double
from exactdp.model import Table


def printed(x):
    number = Fraction(x)
    return prints_double(number.numerator, number.denominator)


@given(st.floats(min_value=0, max_value=1))
def test_what_programs_print_for_a_double_is_recognised(x):
    for text in (repr(x), f"{x:.17g}"):
        assert printed(text) is (len(Decimal(text).normalize().as_tuple().digits) >= 16)


@given(st.integers(10**16, 10**17 - 1))
def test_a_decimal_that_no_double_has_is_none(digits):
    """Of seventeen digits those are printed that are the nearest ones of a double."""
    text = f"0.{digits}"
    expected = text.rstrip("0") in {f"{float(text):.17f}".rstrip("0"), repr(float(text))}
    assert (printed(text) is not None) == expected


def test_few_digits_are_no_doubles():
    assert not are_printed_doubles([[Rational("0.3"), Rational("0.7")]])
    assert not are_printed_doubles([[Rational("1/3"), Rational("0.30000000000000004")]])
    assert are_printed_doubles([[Rational("0.5"), Rational("0.30000000000000004")]])


def corners(row, half):
    """The corners of all rows that print so and sum to 1: all numbers but one are at an end."""
    ends = [(max(x - half, Fraction(0)), min(x + half, Fraction(1))) for x in row]
    if any(low > high for low, high in ends):  # 1.1 prints no probability
        return
    for free in range(len(row)):
        for chosen in product(*(pair for k, pair in enumerate(ends) if k != free)):
            rest = 1 - sum(chosen)
            if ends[free][0] <= rest <= ends[free][1]:
                yield (*chosen[:free], rest, *chosen[free:])


tenths = st.builds(lambda a, b, off: [a, b, 10 - a - b + off], st.integers(0, 5), st.integers(0, 4), st.integers(-1, 1))


@given(st.lists(tenths, min_size=2, max_size=3), st.sampled_from(["1/2", "1/3", "1/9", "1/20"]))
def test_all_that_print_so_by_their_corners(rows, alpha):
    """Rows are independent, and a quotient of two numbers is extreme at corners."""
    numbers = [[Fraction(x, 10) for x in row] for row in rows]
    sets = [list(corners(row, Fraction(1, 20))) for row in numbers]
    expected = None
    if all(sets):
        level = Fraction(alpha)
        pairs = ((one, other) for i, one in enumerate(sets) for j, other in enumerate(sets) if i != j)
        expected = all(x >= level * y for one, other in pairs for p in one for q in other for x, y in zip(p, q, strict=True))
    table = Table([[str(x) for x in row] for row in numbers])
    near = xdp.neighbours(f"complete:{len(rows)}")
    exact = [[Rational(x) for x in row] for row in numbers]
    found = all_that_print_keep(exact, 1, table.inputs, table.outputs, near, xdp.PrivacyClaim(alpha=alpha))
    assert found is expected


def test_the_level_that_all_keep_is_that_of_two_corners():
    """0.79 beside 0.07 prints from 0.795 beside 0.065, whose quotient is the least one."""
    rows = [[Rational("0.79" if i == r else "0.07") for r in range(4)] for i in range(4)]
    table = Table(rows)
    level = level_that_all_keep(rows, 2, table.inputs, table.outputs, xdp.neighbours("complete:4"))
    assert str(level.epsilon) == "ln(159/13)"
    assert level_that_all_keep([[Rational("0.5"), Rational("0.3")]], 1, *map(list, ("a", "bc")), xdp.neighbours("path:1")) is None


def test_fractions_that_were_divided_are_another_table():
    table = Table([["1/2", "1/3"], ["1/3", "1/2"]])
    found = divided_from(table, table.renormalise(), xdp.neighbours("path:2"), xdp.PrivacyClaim(epsilon=1))
    assert (found.places, found.is_another, found.told.count("--digits")) == (0, True, 0)
    assert found.farthest == Rational("1/10")  # 1/2 and 3/5


def test_doubles_of_a_program_are_not_called_another_table():
    row = [0.1, 0.2, 0.7000000000000001]
    table = Table([list(map(Fraction, row)), list(map(Fraction, reversed(row)))])
    verdict = xdp.audit(table, "path:2", claim=xdp.PrivacyClaim(epsilon=2))
    assert verdict.evidence.quality == "rounded"
    assert not verdict.evidence.divided.is_another
    assert "not the one in the file" not in verdict.claim


def test_the_same_intervals_are_compared_once(monkeypatch):
    """Randomised response has two kinds of numbers, and so three kinds of constraints."""
    asked = []
    kinds = epsilon_ends._kinds
    monkeypatch.setattr(epsilon_ends, "_kinds", lambda *given: (asked.append(given), kinds(*given))[1])
    rows = [["0.60" if i == j else "0.05" for j in range(9)] for i in range(9)]
    verdict = epsilon_ends.privacy_as_printed(xdp.printed_table(rows, digits=2), "complete:9", xdp.PrivacyLevel("1/20"))
    assert verdict.proved
    assert len(asked) == 3


@pytest.mark.parametrize("alpha", ["1/2", "1/12"])
def test_constraints_are_sorted_as_one_by_one(alpha):
    rows = [["0.60", "0.30", "0.10"], ["0.30", "0.60", "0.10"], ["0.33", "0.33", "0.34"]]
    level, near = xdp.PrivacyLevel(alpha), xdp.neighbours("complete:3")
    table = xdp.printed_table(rows, digits=2)
    e = epsilon_ends.privacy_as_printed(table, near, level).evidence
    least, largest = table.entry_bounds()
    always = {(i, j, r) for i in range(3) for j in range(3) for r in range(3) if i != j and largest[i][r] < level.alpha * least[j][r]}
    some = {(i, j, r) for i in range(3) for j in range(3) for r in range(3) if i != j and least[i][r] < level.alpha * largest[j][r]}
    assert {(cell.low, cell.high, cell.output) for cell in e.violated} == always
    assert {(cell.low, cell.high, cell.output) for cell in e.violable} == some - always
