# SPDX-License-Identifier: MIT
"""Whether a table is a mechanism, and how private it is."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.privacy import Cell, PrivacyEvidence, StochasticEvidence
from exactdp.analysis.wording import epsilon_change, level_text, short_number
from exactdp.model import Mechanism, PrivacyLevel, TightestLevel
from exactdp.report.items import Fact, Item, Told, listing
from exactdp.report.values import cells_json, level_json


def level_value(level: TightestLevel) -> Any:
    """The level as a number if it is rational, else as text such as ``(1/3)^(1/2)``."""
    return str(level) if level.value is None else level.value


def cell_text(cell: Cell, mechanism: Mechanism, level: PrivacyLevel | TightestLevel, relation: str) -> str:
    """One privacy constraint in words, such as ``x[1][0] / x[0][0] = 1/4 < 1/2``."""
    low, high, out = mechanism.inputs[cell.low], mechanism.inputs[cell.high], mechanism.outputs[cell.output]
    plain = cell.distance.rational == 1
    right = f" {relation} {level}" if plain else f" {relation} ({level})^{cell.distance}"
    if relation == "=" and (plain or isinstance(level, TightestLevel)):
        right = ""
    return f"x[{low}][{out}] / x[{high}][{out}] = {cell.ratio}{right}"


def cost_of_rounding(stands: Any, judged: Any) -> list[Item]:
    """The level of a rounded table as it stands (None with negative entries), and that of what is judged."""
    said = "not defined: entries are negative" if stands is None else level_text(stands)
    items: list[Item] = [Fact("tightest level as it stands", said), Fact("of the mechanism judged", level_text(judged))]
    if stands is None or isinstance(stands, str) or isinstance(judged, str):
        return items
    return [*items, Fact("difference", f"{short_number(judged - stands)}; {epsilon_change(stands, judged)}")]


def stochastic_facts(e: StochasticEvidence) -> list[Item]:
    """The faulty rows and entries."""
    faults = e.table.faults()
    lines = [str(fault) for fault in (*faults.negative, *faults.rows)]
    return [Fact("the table is", e.quality), *listing("faults", lines, len(lines), few=1000)]


def stochastic_json(e: StochasticEvidence) -> dict[str, Any]:
    """The faulty rows and entries."""
    faults = e.table.faults()
    rows = [{"row": f.label, "sum": str(f.total), "excess": str(f.excess)} for f in faults.rows]
    negative = [{"row": f.row_label, "column": f.column_label, "value": str(f.value)} for f in faults.negative]
    return {"quality": e.quality, "rounding": str(e.rounding), "violated": negative + rows}


def privacy_facts(e: PrivacyEvidence) -> list[Item]:
    """The tightest level, and the constraints that are tight or broken."""
    items: list[Item] = [] if e.level is None else [Fact("level asked", e.level.alpha)]
    items.append(Fact("tightest level", level_value(e.tightest)))
    at: PrivacyLevel | TightestLevel = e.tightest if e.level is None else e.level
    items += listing("violated", (cell_text(c, e.mechanism, at, "<") for c in e.violated), len(e.violated))
    items += listing("tight", (cell_text(c, e.mechanism, at, "=") for c in e.tight), len(e.tight))
    return items


def privacy_json(e: PrivacyEvidence) -> dict[str, Any]:
    """The tightest level, and the constraints that are tight or broken."""
    return {"level": level_json(e.tightest), "tight": cells_json(e.tight, e.mechanism), "violated": cells_json(e.violated, e.mechanism)}


EVIDENCE = {StochasticEvidence: Told(stochastic_facts, stochastic_json), PrivacyEvidence: Told(privacy_facts, privacy_json)}
