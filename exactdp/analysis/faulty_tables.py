# SPDX-License-Identifier: MIT
"""What is known of a table with faults as it stands, and of the transpose that it may be."""

from __future__ import annotations

from exactdp.analysis.privacy import tightest_level
from exactdp.analysis.privacy_survey import least_of, survey_of
from exactdp.errors import InputError
from exactdp.model import SIZED_BY_INPUTS, Mechanism, Neighbours, Table, TightestLevel
from exactdp.model import neighbours as neighbours_named
from exactdp.model.faults import MOST_ROUNDING
from exactdp.model.labels import Positions


def level_as_it_stands(table: Table, neighbours: Neighbours) -> TightestLevel | None:
    """The least ratio^(1/d) of a table whose rows may miss 1; None if an entry is negative.

    >>> from exactdp import Table, neighbours
    >>> print(level_as_it_stands(Table([["1/2", "1/2"], ["1/4", "1/4"]]), neighbours("path:2")))
    1/2
    """
    table = table.aligned(neighbours.vertices)
    if table.faults().negative:
        return None
    survey = survey_of(table, neighbours, None, apart=False)
    survey.look_at(table, neighbours, None)
    return least_of(survey.least)[1]


def transposed(table: Table, neighbours: Neighbours) -> tuple[Mechanism, Neighbours | None] | None:
    """The mechanism that a table with its inputs in the columns is, and its neighbours; None for another one.

    The neighbours are those of the same kind on the columns' labels; None where they are about other inputs.

    >>> from exactdp import Table, neighbours
    >>> mechanism, near = transposed(Table([["1/2", "1/4"], ["1/2", "3/4"]]), neighbours("path:2"))
    >>> print(mechanism.matrix[1, 0], near)
    1/4 path:2
    """
    if not table.faults().transposed:
        return None
    meant = table.transpose().unrounded(MOST_ROUNDING)
    family = str(neighbours).partition(":")[0]
    if set(meant.inputs) == set(neighbours.vertices):
        alike = isinstance(meant.inputs, Positions) == isinstance(neighbours.vertices, Positions)
        return meant.aligned(neighbours.vertices) if alike else meant.relabelled(neighbours.vertices), neighbours
    if family in SIZED_BY_INPUTS:
        try:
            return meant, neighbours_named(family, meant.inputs)
        except InputError:  # a cycle has three vertices at least
            return meant, None
    return meant, neighbours.relabelled(meant.inputs) if len(meant.inputs) == len(neighbours.vertices) else None


def level_of_truth(table: Table, neighbours: Neighbours) -> TightestLevel | None:
    """What a table with wrong rows keeps at most: the level of its transpose if it looks transposed, else as
    it stands.

    A remedy that makes more of it makes another mechanism than the one that the user has. None where
    neither is known.

    >>> from exactdp import Table, neighbours
    >>> print(level_of_truth(Table([["1/2", "1/4"], ["1/2", "3/4"]]), neighbours("path:2")))
    1/2
    """
    meant = transposed(table, neighbours)
    if meant is None:
        return level_as_it_stands(table, neighbours)
    mechanism, near = meant
    return None if near is None else tightest_level(mechanism, near).evidence.tightest
