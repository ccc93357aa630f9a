# SPDX-License-Identifier: MIT
"""The search for the largest δ of a printed table: what it returns is computed again."""

from __future__ import annotations

import pytest
from printed_pool import pool

from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.model.labels import as_labels
from exactdp.model.printed import PrintedTable
from exactdp.search.printed.largest_delta import Leaf, Split, TwoRows, bound_of, search


def cases():
    """A table whose largest δ needs a split."""
    stored = pool()["all-approximate-cases"]["definitions"]["P"]
    lower, upper = (
        ExactMatrix([[Rational(int(x), int(row["den"])) for x in row["num"]] for row in stored[end]], QQ) for end in ("lower", "upper")
    )
    return PrintedTable(lower, lower, upper, as_labels(None, lower.shape[0]), as_labels(None, lower.shape[1]), "auto")


def test_a_tree_of_cases_is_computed_again():
    rows = TwoRows(cases(), 0, 1, QQ.one)
    found, _ = search(rows, QQ.zero, 100)
    assert bound_of(rows, found.steps) == found.bound == Rational("3/5")
    assert any(isinstance(step, Split) for step in found.steps)
    one = Leaf(QQ.one, QQ.one)
    for wrong in ([], [one, one], [Split(0), one], [Leaf(Rational(2), QQ.one)]):
        with pytest.raises(ValueError, match=r"case|weights"):
            bound_of(rows, wrong)
