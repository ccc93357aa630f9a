# SPDX-License-Identifier: MIT
"""Whether a table is a mechanism, and how private it is."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.privacy import LEVEL, PrivacyEvidence, StochasticEvidence, bound_text, faults_text
from exactdp.analysis.privacy_cells import Cell
from exactdp.analysis.wording import epsilon_change, level_text, short_number
from exactdp.exact import ExponentialNumber, Rational
from exactdp.model import Mechanism, PrivacyLevel, TightestLevel
from exactdp.model.epsilon import power_text
from exactdp.report.items import Fact, Item, Told, listing
from exactdp.report.values import cells_json, level_json

DIVIDED = "What dividing by the row sums changes"
"""The heading of a section about a rounded table: what was rounded away is not in it."""


def level_facts(name: str, level: PrivacyLevel | TightestLevel, asked: PrivacyLevel | None = None) -> list[Item]:
    """The level and its ε, first as the level asked about was given, then the other one.

    >>> [fact.value for fact in level_facts("tightest level", TightestLevel("1/4"))]
    [Rational('1/4'), 'ln(4) ≈ 1.386294']
    """
    asked = level if isinstance(level, PrivacyLevel) else asked
    found = level.as_tightest()
    alpha = str(found) if found.value is None else found.value
    if not isinstance(found.ratio, (Rational, ExponentialNumber)):
        return [Fact(name, alpha)]
    beside = () if asked is None else asked.landmarks
    if found.speaks_epsilon(None if asked is None else asked.by_epsilon):
        return [Fact(name, found.epsilon.equation(*beside)), Fact("  its α", alpha)]
    return [Fact(name, alpha), Fact("  its ε", found.epsilon.told(*beside))]


def cell_text(cell: Cell, mechanism: Mechanism, level: PrivacyLevel | TightestLevel, relation: str) -> str:
    """One privacy constraint in words, such as ``x[1][0] / x[0][0] = 1/4 < 1/2``."""
    low, high, out = mechanism.inputs[cell.low], mechanism.inputs[cell.high], mechanism.outputs[cell.output]
    plain = cell.distance.rational == 1
    right = f" {relation} {level}" if plain else f" {relation} {power_text(level, cell.distance)}"
    if relation == "=" and (plain or isinstance(level, TightestLevel)):
        right = ""
    return f"x[{low}][{out}] / x[{high}][{out}] = {cell.ratio}{right}"


def change_by_division(stands: TightestLevel | None, judged: TightestLevel, *, what: str = "tightest level") -> list[Item]:
    """The level of a rounded table as it stands (None with negative entries), and that of what is judged."""
    said = "not defined: entries are negative" if stands is None else level_text(stands)
    items: list[Item] = [Fact(f"{what} as it stands", said), Fact("of the mechanism judged", level_text(judged))]
    if stands is None or stands.value is None or judged.value is None:
        return items
    change = epsilon_change(stands.value, judged.value)
    return [*items, Fact("difference", f"{short_number(judged.value - stands.value)}; {change}")]


def stochastic_facts(e: StochasticEvidence) -> list[Item]:
    """The faulty rows and entries."""
    faults = e.faults
    lines = [str(fault) for fault in (*faults.negative, *faults.rows)]
    how = {"exact": "", "rounded": f": {faults_text(faults, e.rounding)}", "wrong": f": a fault is above {bound_text(e.rounding)}"}
    return [Fact("the table is", e.quality + how[e.quality]), *listing("faults", lines, len(lines), few=1000)]


def stochastic_json(e: StochasticEvidence) -> dict[str, Any]:
    """The faulty rows and entries."""
    faults = e.faults
    rows = [{"row": f.label, "sum": str(f.total), "excess": str(f.excess)} for f in faults.rows]
    negative = [{"row": f.row_label, "column": f.column_label, "value": str(f.value)} for f in faults.negative]
    return {"quality": e.quality, "rounding": str(e.rounding), "violated": negative + rows}


def asked_facts(level: PrivacyLevel, tightest: TightestLevel) -> list[Item]:
    """The level asked about. Where its number is in another field than the table's, t stands for one of them
    only: the level is written out.
    """
    asked = level.as_tightest().ratio
    if not isinstance(asked, ExponentialNumber) or not isinstance(tightest.ratio, ExponentialNumber) or asked.field == tightest.ratio.field:
        return level_facts("level asked", level)
    return [Fact("level asked", level.as_tightest().epsilon.equation(*level.landmarks)), Fact("  its α", str(level))]


def privacy_facts(e: PrivacyEvidence) -> list[Item]:
    """The tightest level, and the constraints that are tight or broken."""
    items: list[Item] = [] if e.level is None else asked_facts(e.level, e.tightest)
    items += level_facts("tightest level, at most" if LEVEL in e.unfinished else "tightest level", e.tightest, e.level)
    at: PrivacyLevel | TightestLevel = e.tightest if e.level is None else e.level
    items += listing("violated", (cell_text(c, e.mechanism, at, "<") for c in e.violated), len(e.violated))
    items += listing("tight", (cell_text(c, e.mechanism, at, "=") for c in e.tight), len(e.tight))
    return [*items, Fact("not known in time", ", ".join(e.unfinished))] if e.unfinished else items


def privacy_json(e: PrivacyEvidence) -> dict[str, Any]:
    """The tightest level, and the constraints that are tight or broken."""
    known = LEVEL not in e.unfinished
    return {
        **({"level": level_json(e.tightest)} if known else {"level": None, "level_at_most": level_json(e.tightest)}),
        **({"unfinished": list(e.unfinished)} if e.unfinished else {}),
        "tight": cells_json(e.tight, e.mechanism),
        "violated": cells_json(e.violated, e.mechanism),
    }


def _asked_json(e: PrivacyEvidence) -> dict[str, Any]:
    return ({} if e.level is None else {"level_asked": level_json(e.level)}) | privacy_json(e)


EVIDENCE = {StochasticEvidence: Told(stochastic_facts, stochastic_json), PrivacyEvidence: Told(privacy_facts, _asked_json)}
