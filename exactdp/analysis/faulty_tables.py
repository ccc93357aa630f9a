# SPDX-License-Identifier: MIT
"""What is judged in the place of a table with faults: what a rounded one stands for, or a transpose."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from exactdp.analysis.privacy import PrivacyEvidence, tightest_level
from exactdp.analysis.privacy_survey import least_of, survey_of
from exactdp.analysis.stochastic import unrounded_text
from exactdp.analysis.verdict import Verdict
from exactdp.analysis.wording import short_number
from exactdp.errors import InputError
from exactdp.exact import is_zero
from exactdp.model import SIZED_BY_INPUTS, Mechanism, Neighbours, Table, TightestLevel
from exactdp.model import neighbours as neighbours_named
from exactdp.model.faults import MOST_ROUNDING, ROUNDING, Faults, NegativeEntry, as_rounding
from exactdp.model.labels import Positions

V = TypeVar("V")


def of_unrounded(verdict: Verdict[V], table: Table, title: str = "The table", rounding: object = ROUNDING) -> Verdict[V]:
    """The verdict about the mechanism that a rounded table stands for, whose sentence says that it is that.

    Parameters
    ----------
    verdict : Verdict
        About ``table.unrounded(rounding)``.
    table : Table
        The rounded table.
    title : str
        Its name in the sentence.
    rounding : exact number
        The bound for faults.

    Examples
    --------
    >>> from exactdp import Table, is_private, neighbours
    >>> table = Table([["0.5", "0.50000000000000001"], ["0.25", "0.75"]])
    >>> v = of_unrounded(is_private(table.unrounded(), neighbours("path:2"), "1/4"), table)
    >>> v.proved, "divided by its row sums" in v.claim
    (True, True)
    """
    faults = table.faults()
    claim = verdict.claim[0].lower() + verdict.claim[1:] if verdict.claim.startswith("The ") else verdict.claim
    rounded = unrounded_text(faults, as_rounding(rounding), title)
    why = zeroed_text(zeroed(verdict.evidence, faults)) if isinstance(verdict.evidence, PrivacyEvidence) else ""
    assumed = (*verdict.assumed, rounded, *([f"the level is 0{why}"] if why else []))
    return replace(verdict, claim=f"{rounded}: {claim}{why}", assumed=assumed)


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


def zeroed(e: PrivacyEvidence, faults: Faults) -> tuple[NegativeEntry, ...]:
    """The negative entries of a rounded table whose 0 leaves no finite ε; none if another entry does too."""
    if not faults.negative or e.tightest.value != 0:
        return ()
    zero = {(cell.low, cell.output) for cell in (*e.tight, *e.violated) if is_zero(cell.ratio)}
    found = tuple(entry for entry in faults.negative if (entry.row, entry.column) in zero)
    return found if len(found) == len(zero) else ()


def zeroed_text(entries: tuple[NegativeEntry, ...]) -> str:
    """Why the level is 0, to be put after it; nothing without such entries."""
    if not entries:
        return ""
    first = entries[0]
    return f", because entry ({first.row_label}, {first.column_label}) = {short_number(first.value)} is set to 0 and no ε is finite"
