# SPDX-License-Identifier: MIT
"""Questions about privacy judge a rounded table, as the commands do, by the mechanism that it rounds."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from exactdp.analysis.verdict import Verdict
from exactdp.errors import ExactDPError, NegativeEntryError, NotStochasticError
from exactdp.model import Mechanism

if TYPE_CHECKING:
    from exactdp.analysis.arguments import MechanismLike


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
    from exactdp.analysis.faulty_tables import of_unrounded  # for such tables only

    text = isinstance(mechanism, str | PathLike) and "\n" not in (name := fspath(mechanism))
    return of_unrounded(ask(table.unrounded()), table, name if text else "The table")
