# SPDX-License-Identifier: MIT
"""Privacy between any two inputs is found column by column: the same as pair by pair."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import Graph, Mechanism, PrivacyLevel, is_private, randomized_response, tightest_level
from exactdp.analysis.privacy_cells import Cell, Column, ColumnCells, attaining, beyond
from exactdp.exact import Rational

ENTRIES = st.integers(0, 4)


@st.composite
def rows(draw):
    """Rows of small numbers, many of them equal or zero, each with a sum of 1."""
    n, m = draw(st.integers(2, 5)), draw(st.integers(1, 4))
    counts = [draw(st.lists(ENTRIES, min_size=m, max_size=m).filter(any)) for _ in range(n)]
    return [[Fraction(x, sum(row)) for x in row] for row in counts]


def constraints(x):
    """Every constraint in its order: (low, high, output, ratio), 0/0 left out."""
    for i, j in combinations(range(len(x)), 2):
        for r, (a, b) in enumerate(zip(x[i], x[j], strict=True)):
            if a == b == 0:
                continue
            yield (i, j, r, a / b) if a <= b else (j, i, r, b / a)


def plain(cells):
    """Cells with fractions."""
    return [(c.low, c.high, c.output, Fraction(str(c.ratio))) for c in cells]


@given(rows())
def test_the_tightest_level_is_that_of_all_pairs(x):
    evidence = tightest_level(Mechanism(x), Graph.complete(len(x))).evidence
    cells = list(constraints(x))
    least = min(ratio for *_, ratio in cells)
    assert evidence.tightest.value == Rational(least)
    tight = [cell for cell in cells if cell[3] == least != 1]
    assert plain(evidence.tight) == tight
    assert len(evidence.tight) == len(tight)
    assert not evidence.violated
    assert plain([] if evidence.attained is None else [evidence.attained]) == tight[:1]


@given(rows(), st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10))
def test_which_constraints_break_or_attain_a_level(x, alpha):
    evidence = is_private(Mechanism(x), Graph.complete(len(x)), alpha).evidence
    cells = list(constraints(x))
    violated = [cell for cell in cells if cell[3] < alpha]
    tight = [cell for cell in cells if cell[3] == alpha]
    assert plain(evidence.violated) == violated
    assert len(evidence.violated) == len(violated)
    assert bool(evidence.violated) == bool(violated)
    assert plain(evidence.tight) == tight
    assert plain(evidence.violated[:2]) == violated[:2]


@settings(max_examples=20)
@given(rows(), st.sampled_from(["1/2", "1", "ln(3)"]))
def test_levels_as_epsilon_compare_as_the_level_itself(x, epsilon):
    level = PrivacyLevel(epsilon=epsilon)
    evidence = is_private(Mechanism(x), Graph.complete(len(x)), level).evidence
    violated = [cell for cell in constraints(x) if not level.at_least(Rational(cell[3]), Rational(1))]
    assert plain(evidence.violated) == violated


@pytest.mark.parametrize("k", [2, 3, 7])
def test_a_randomized_response_attains_its_level_in_every_column(k):
    mechanism = randomized_response(list(map(str, range(k))), epsilon="1")
    evidence = tightest_level(mechanism, Graph.complete(mechanism.inputs)).evidence
    assert evidence.tightest == PrivacyLevel(epsilon="1")
    assert len(evidence.tight) == k * (k - 1)


def test_cells_are_a_sequence():
    x = Column.of([1, 3, 1, 0])
    cells = ColumnCells({0: x}, {0: beyond(x, lambda u: (2 * u, True))}, Rational)
    first = Cell(0, 1, 0, Rational("1/3"), cells[0].distance)
    assert cells[0] == first
    assert cells[-1] == tuple(cells)[-1]
    assert cells[::-1] == tuple(cells)[::-1]
    assert cells == tuple(cells)
    assert hash(cells) == hash(tuple(cells))
    with pytest.raises(IndexError):
        cells[len(cells)]
    assert not ColumnCells({0: x}, {0: attaining(x, lambda u: (5 * u, u == 5))}, Rational)
