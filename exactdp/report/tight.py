# SPDX-License-Identifier: MIT
"""What is worth telling about tight-constraints mechanisms, regular priors and leakage. Importing it is what
makes it known.
"""

from __future__ import annotations

from typing import Any

from exactdp.analysis.leakage import BoundEvidence, LeakageEvidence
from exactdp.analysis.tight.levels import LevelPiece, LevelSet, ThresholdEvidence
from exactdp.analysis.tight.mechanism import TightEvidence, TightUniqueness
from exactdp.analysis.tight.optimality import OnRegionEvidence
from exactdp.analysis.tight.regular import RegularEvidence
from exactdp.exact import Rational
from exactdp.exact.balls import log2_enclosure
from exactdp.report.facts import _facts, listing
from exactdp.report.items import TRUNCATE, Fact, Item, grid_of, row_grid
from exactdp.report.json import _json, mechanism_json, remap_json


def bits_fact(name: str, factor: Any) -> Item:
    """A multiplicative leakage, with its logarithm for people."""
    if not isinstance(factor, Rational):
        return Fact(name, factor)
    low, high = log2_enclosure(factor, 6)
    return Fact(name, f"{factor} (log2 between {float(low):.6f} and {float(high):.6f})")


@_facts.register
def _tight(e: TightEvidence) -> list[Item]:
    items: list[Item] = [Fact("cells of Φ", len(e.cells.members))]
    labels = e.neighbours.vertices
    if e.z is not None:
        items.append(Fact("utility for the uniform prior", e.utility))
        if e.mechanism is not None and len(labels) <= TRUNCATE:
            return [*items, grid_of("the mechanism X = Φ·diag(z)", e.mechanism)]
        return [*items, row_grid("its diagonal z, Φ·z = 1", e.z, labels)]
    if e.near is not None:
        about = "its diagonal z, rounded (the certificate shows that the exact one is positive)"
        return [*items, row_grid(about, e.cells.lift(e.near.diagonal), labels)]
    assert e.y is not None
    return [*items, row_grid("y with yΦ ≥ 0 and Σ y < 0", e.y, labels)]


@_facts.register
def _unique(e: TightUniqueness) -> list[Item]:
    items = _tight(e.first)
    return items if e.second is None else [*items, row_grid("the diagonal of another one", e.second, e.first.neighbours.vertices)]


@_facts.register
def _regular(e: RegularEvidence) -> list[Item]:
    labels = e.prior.inputs
    if e.y is None or e.coordinates is None:
        assert e.farkas is not None
        return [row_grid("w with Φ·w ≥ 0 and Σ π·w < 0", e.cells.lift(e.farkas), labels)]
    grids: list[Item] = [row_grid("y with π = y·Φ", e.y, labels), row_grid("γ: coordinates among the corner priors", e.coordinates, labels)]
    return [Fact("largest utility at most (Σ y)", e.bound), bits_fact("leakage at most (factor)", e.bound / max(e.prior.weights)), *grids]


@_facts.register
def _levels(e: LevelSet) -> list[Item]:
    items: list[Item] = [Fact("cells of Φ", len(e.cells.members)), Fact("determinant of the quotient of Φ", e.determinant)]
    items += listing("levels", map(str, e.intervals), len(e.intervals), few=50)
    name = "z" if e.prior is None else "y"
    lines = [f"{p.interval}: {name if p.holds else 'Farkas'} on cells = ({', '.join(map(str, p.witness))})" for p in e.pieces]
    return items + listing("witnesses", lines, len(lines), few=20)


@_facts.register
def _leakage(e: LeakageEvidence) -> list[Item]:
    return [Fact("prior vulnerability", e.before), Fact("posterior vulnerability", e.after), bits_fact("leakage (factor)", e.factor)]


@_facts.register
def _bound(e: BoundEvidence) -> list[Item]:
    return [bits_fact("leakage at most (factor)", e.value) if e.of == "leakage" else Fact("utility at most", e.value)]


@_facts.register
def _on_region(e: OnRegionEvidence) -> list[Item]:
    if e.remap is not None:
        return [grid_of("R, with M·R a tight-constraints mechanism", e.remap)]
    if e.better is None or e.utilities is None or e.weights is None:
        return []
    facts: list[Item] = [Fact("its utility", e.utilities[0]), Fact("utility of the better one", e.utilities[1])]
    return [*facts, row_grid("y of the prior π = y·Φ", e.weights, e.neighbours.vertices), grid_of("a better mechanism", e.better)]


def _strings(values: Any) -> list[str]:
    return [str(x) for x in values]


@_json.register
def _tight_json(e: TightEvidence) -> dict[str, Any]:
    if e.near is not None:
        return {"rounded_diagonal": _strings(e.cells.lift(e.near.diagonal))}
    if e.z is None or e.mechanism is None:
        assert e.y is not None
        return {"farkas": _strings(e.y)}
    found: dict[str, Any] = {"value": str(e.utility), "diagonal": _strings(e.z)}
    return found | ({"mechanism": mechanism_json(e.mechanism)} if len(e.z) <= 64 else {})


@_facts.register
def _threshold(e: ThresholdEvidence) -> list[Item]:
    return [Fact("there is one at level", e.low.level.alpha), Fact("there is none at level", e.high.level.alpha)]


@_json.register
def _threshold_json(e: ThresholdEvidence) -> dict[str, Any]:
    return {"between": [str(e.low.level.alpha), str(e.high.level.alpha)]}


@_json.register
def _unique_json(e: TightUniqueness) -> dict[str, Any]:
    return _tight_json(e.first) | ({} if e.second is None else {"second": _strings(e.second)})


@_json.register
def _regular_json(e: RegularEvidence) -> dict[str, Any]:
    if e.y is None or e.coordinates is None:
        assert e.farkas is not None
        return {"farkas": _strings(e.cells.lift(e.farkas))}
    return {"value": str(e.bound), "weights": _strings(e.y), "coordinates": _strings(e.coordinates)}


@_json.register
def _levels_json(e: LevelSet) -> dict[str, Any]:
    def piece(p: LevelPiece) -> dict[str, Any]:
        key = "farkas" if not p.holds else "diagonal" if e.prior is None else "weights"
        return {"interval": p.interval.to_json(), "value": p.holds, key: _strings(e.cells.lift(p.witness))}

    return {"pieces": [piece(p) for p in e.pieces], "levels": [i.to_json() for i in e.intervals], "determinant": str(e.determinant)}


@_json.register
def _leakage_json(e: LeakageEvidence) -> dict[str, Any]:
    return {"value": str(e.factor)}


@_json.register
def _bound_json(e: BoundEvidence) -> dict[str, Any]:
    return {"value": str(e.value)}


@_json.register
def _on_region_json(e: OnRegionEvidence) -> dict[str, Any]:
    if e.remap is not None:
        return {"remap": remap_json(e.remap)}
    if e.better is None or e.utilities is None or e.weights is None:
        return {}
    utilities = {"loss": str(e.utilities[0]), "value": str(e.utilities[1])}
    return {**utilities, "weights": _strings(e.weights), "mechanism": mechanism_json(e.better)}
