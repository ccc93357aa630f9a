# SPDX-License-Identifier: MIT
"""Systems of linear inequalities: a solution is one, and there is none where HiGHS finds none."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from exactdp.exact.positivity.cells import multipliers

numbers = st.integers(-4, 4)


def highs_finds(columns, bound):
    """Whether HiGHS finds λ ≥ 0 with Σ λ_j·columns[j] ≤ bound; None where it is not sure."""
    import numpy as np

    highspy = pytest.importorskip("highspy")
    Highs, HighsModelStatus = highspy.Highs, highspy.HighsModelStatus

    solver = Highs()
    solver.setOptionValue("output_flag", False)
    for column in columns:
        solver.addVar(0, 1e30)
        del column
    for i, b in enumerate(bound):
        used = [j for j, column in enumerate(columns) if column[i]]
        solver.addRow(-1e30, float(b), len(used), np.array(used, dtype=np.int32), np.array([float(columns[j][i]) for j in used]))
    solver.run()
    return {HighsModelStatus.kOptimal: True, HighsModelStatus.kInfeasible: False}.get(solver.getModelStatus())


def systems(n):
    """Columns and a bound with so many rows."""
    rows = st.lists(numbers, min_size=n, max_size=n)
    return st.tuples(st.lists(rows, max_size=5), rows)


@settings(max_examples=150)
@given(st.integers(1, 5).flatmap(systems))
def test_a_solution_is_one_and_none_is_missed(system):
    columns, bound = system
    found = multipliers([dict(enumerate(map(fmpq, c))) for c in columns], dict(enumerate(map(fmpq, bound))))
    if found is None:
        assert not columns or highs_finds(columns, bound) in (False, None)
        assert min(bound) < 0
        return
    values = [Fraction(int(x.p), int(x.q)) for x in found]
    assert min(values, default=0) >= 0
    for i, b in enumerate(bound):
        assert sum((x * column[i] for x, column in zip(values, columns, strict=True)), Fraction(0)) <= b
