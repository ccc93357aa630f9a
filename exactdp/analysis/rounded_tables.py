# SPDX-License-Identifier: MIT
"""What is judged in the place of a rounded table: the mechanism that it rounds, as the answer then says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypeVar

from exactdp.analysis.stochastic import unrounded_text
from exactdp.analysis.verdict import Verdict
from exactdp.analysis.wording import short_number
from exactdp.errors import ExactDPError, NegativeEntryError, NotStochasticError
from exactdp.exact import is_zero
from exactdp.model import Mechanism, Table
from exactdp.model.faults import ROUNDING, Faults, NegativeEntry, as_rounding

if TYPE_CHECKING:
    from exactdp.analysis.arguments import MechanismLike

V = TypeVar("V")


def or_rounded(
    ask: Callable[[MechanismLike], Verdict[Any]], mechanism: MechanismLike, as_table: Callable[[MechanismLike], Any]
) -> Verdict[Any]:
    """The answer about a mechanism, or about the one that a rounded table stands for, whose sentence says so.

    Of a rounded table no fault is above 2^-40, as where doubles miss the sum 1. A table with a larger fault
    is refused.

    * ``ask``: the question, which refuses a table that is no mechanism.
    * ``as_table``: what reads a table.

    >>> from exactdp import Table, is_private
    >>> verdict = is_private(Table([["0.5", "0.50000000000000001"], ["0.25", "0.75"]]), "path", "1/4")
    >>> verdict.proved, "divided by its row sums" in verdict.claim
    (True, True)
    """
    try:
        return ask(mechanism)
    except (NotStochasticError, NegativeEntryError):
        if isinstance(mechanism, Mechanism):
            raise
        try:
            table = as_table(mechanism)
            rounded = table.quality() == "rounded"
        except ExactDPError:
            rounded = False
        if not rounded:
            raise
    text = isinstance(mechanism, str | PathLike) and "\n" not in (name := fspath(mechanism))
    return of_unrounded(ask(table.unrounded()), table, name if text else "The table")


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
    of_privacy = hasattr(verdict.evidence, "tightest") and hasattr(verdict.evidence, "violated")
    why = zeroed_text(zeroed(verdict.evidence, faults)) if of_privacy else ""
    assumed = (*verdict.assumed, rounded, *([f"the level is 0{why}"] if why else []))
    return replace(verdict, claim=f"{rounded}: {claim}{why}", assumed=assumed)


def zeroed(e: Any, faults: Faults) -> tuple[NegativeEntry, ...]:
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
