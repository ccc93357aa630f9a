# SPDX-License-Identifier: MIT
"""The sets of levels at which a matrix of formulas is stochastic, private, derivable, against rational
questions level by level.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp import (
    ExactMatrix,
    Interval,
    PrivacyLevel,
    Rational,
    RationalFunctionField,
    Table,
    certify,
    geometric,
    is_derivable,
    is_private,
    neighbours,
)
from exactdp.analysis.table_levels import derivable_levels, private_levels, stochastic_levels
from exactdp.errors import CertificateError, DomainError, LabelError

FIELD = RationalFunctionField()
a = FIELD.gen
LEVEL = PrivacyLevel(a)


def at(table, x):
    return Table(ExactMatrix([[FIELD(v).evaluate(x) for v in row] for row in table.matrix.rows()]), table.inputs, table.outputs)


def holds(evidence, x):
    return any(interval.contains(x) for interval in evidence.holds_on)


@st.composite
def tables(draw):
    """Rows (f, 1 − f) with f a small polynomial in a."""
    rows = []
    for _ in range(draw(st.integers(2, 3))):
        f = sum((draw(st.integers(-2, 2)) * a**k for k in range(3)), FIELD(draw(st.sampled_from(["0", "1/2", "1/3"]))))
        rows.append([f, 1 - f])
    return Table(ExactMatrix(rows, FIELD))


@pytest.mark.slow
@settings(max_examples=60)
@given(tables(), st.integers(1, 100))
def test_level_by_level(table, k):
    x = Rational(k, 101)
    here = at(table, x)
    path = neighbours(f"path:{len(table.inputs)}")
    stochastic = stochastic_levels(table)
    assert holds(stochastic.evidence, x) == (not here.faults())
    private = private_levels(table, path, LEVEL)
    expected = not here.faults() and is_private(here.as_mechanism(), path, PrivacyLevel(x)).proved
    assert holds(private.evidence, x) == expected
    assert private.proved == all(fault is None for _, fault in private.evidence.pieces)
    certify(private)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.lists(st.integers(0, 3), min_size=9, max_size=9), st.integers(1, 60))
def test_derivability_level_by_level(numbers, k):
    weights = [numbers[3 * i : 3 * i + 3] for i in range(3)]
    rows = [[Rational(w + 1, sum(row) + 3) for w in row] for row in weights]
    table, x = Table(ExactMatrix(rows, FIELD)), Rational(k, 61)
    verdict = derivable_levels(table, source=geometric(2, a).as_table())
    assert holds(verdict.evidence, x) == is_derivable(at(table, x).as_mechanism(), source=geometric(2, x)).proved
    certify(verdict)


def test_the_geometric_mechanism_at_its_own_level():
    verdict = private_levels(geometric(3, a).as_table(), neighbours("path:4"), LEVEL)
    assert verdict.proved
    assert "all levels a in (0, 1)" in str(verdict.scope)
    assert certify(verdict).kind == "on-pieces"


def test_a_level_at_a_point_only():
    """Rows (1/2, 1/2) and (a, 1 − a) agree at a = 1/2 alone; at level 1/2 more of them are private."""
    table = Table(ExactMatrix([["1/2", "1/2"], [a, 1 - a]], FIELD))
    half = private_levels(table, neighbours("path:2"), PrivacyLevel("1/2"))
    assert [str(i) for i in half.evidence.holds_on] == ["[1/4, 3/4]"]
    certify(half)
    square = Table(ExactMatrix([[4 * a * (1 - a), (2 * a - 1) ** 2], [1, 0]], FIELD))
    assert [str(i) for i in private_levels(square, neighbours("path:2"), LEVEL).evidence.holds_on] == ["[1/2, 1/2]"]
    certify(private_levels(square, neighbours("path:2"), LEVEL))


def test_part_of_the_levels():
    field = RationalFunctionField(Interval("1/3", "2/3"))
    table = Table(ExactMatrix([[2 * field.gen, 1 - 2 * field.gen]], field))
    assert [str(i) for i in stochastic_levels(table).evidence.holds_on] == ["(1/3, 1/2]"]


def test_wrong_questions():
    with pytest.raises(DomainError, match="no letter"):
        stochastic_levels(Table(ExactMatrix([["1"]])))
    singular = Table(ExactMatrix([[a, 1 - a], ["1/2", "1/2"]], FIELD))
    with pytest.raises(DomainError, match="1/2"):
        derivable_levels(singular, source=singular)
    with pytest.raises(LabelError):
        derivable_levels(singular, source=geometric(2, a).as_table())
    with pytest.raises(CertificateError):
        certify(stochastic_levels(singular))
