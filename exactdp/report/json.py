# SPDX-License-Identifier: MIT
"""Verdicts as the JSON of the command line's contract: rationals as strings in lowest terms, labels and not
indices.

Always there: ``verdict``, ``claim``, ``scope``, ``certificate``. Where they apply: ``value``, ``loss``,
``gap``, ``level``, ``mechanism``, ``remap``, ``dual``, ``tight``, ``violated``, ``unique``, ``separator``,
``consumer``, ``coalitions``, ``stages``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from exactdp.analysis import (
    Cell,
    DerivabilityEvidence,
    DeterminantEvidence,
    LevelPieces,
    LevelSet,
    OptimalityEvidence,
    Piece,
    PrivacyEvidence,
    ReleaseEvidence,
    RemapEvidence,
    RemapUniqueness,
    StochasticEvidence,
    Uniqueness,
    Verdict,
)
from exactdp.exact import AlgebraicNumber, ExactMatrix
from exactdp.model import BayesianConsumer, Consumer, Dual, FactoredMechanism, Mechanism, Remap, Table, TightestLevel
from exactdp.report.items import LARGEST_PRODUCT
from exactdp.report.numbers import interval_json, number_json


def verdict_json(verdict: Verdict[Any], certificate: str | None = None) -> dict[str, Any]:
    """The JSON object of a verdict.

    Parameters
    ----------
    verdict : Verdict
        Of any question.
    certificate : str, optional
        The path that its certificate was written to.

    Examples
    --------
    >>> from exactdp import geometric, neighbours, tightest_level
    >>> answer = verdict_json(tightest_level(geometric(1, "1/2"), neighbours("path:2")))
    >>> answer["verdict"], answer["level"], answer["scope"], len(answer["tight"])
    ('proved', '1/2', 'this instance', 2)

    """
    return {
        "verdict": verdict.decision.value,
        "claim": verdict.claim,
        "scope": str(verdict.scope),
        "certificate": certificate,
        **_json(verdict.evidence),
    }


def mechanism_json(mechanism: Mechanism | Table) -> dict[str, Any]:
    """Labels and rows, as JSON tables are read."""
    return {"inputs": list(mechanism.inputs), "outputs": list(mechanism.outputs), "rows": _rows(mechanism.matrix)}


def remap_json(remap: Remap) -> dict[str, Any]:
    """Outputs, guesses and rows."""
    return {"outputs": list(remap.outputs), "guesses": list(remap.guesses), "rows": _rows(remap.matrix)}


def level_json(level: TightestLevel) -> Any:
    """The level as a string, or ratio^(1/distance) when it is irrational."""
    if level.value is not None:
        return number_json(level.value)
    return {"expr": str(level), "ratio": number_json(level.ratio), "distance": str(level.distance)}


def _rows(matrix: ExactMatrix) -> list[list[Any]]:
    return [_strings(row) for row in matrix.rows()]


def _strings(values: Sequence[Any]) -> list[Any]:
    return [number_json(x) for x in values]


def _cells(cells: tuple[Cell, ...], mechanism: Mechanism) -> list[dict[str, Any]]:
    return [
        {
            "low": mechanism.inputs[c.low],
            "high": mechanism.inputs[c.high],
            "output": mechanism.outputs[c.output],
            "ratio": number_json(c.ratio),
            "distance": str(c.distance),
        }
        for c in cells
    ]


@singledispatch
def _json(evidence: Any) -> dict[str, Any]:
    return {}


@_json.register
def _stochastic(e: StochasticEvidence) -> dict[str, Any]:
    faults = e.table.faults()
    rows = [{"row": f.label, "sum": str(f.total), "excess": str(f.excess)} for f in faults.rows]
    negative = [{"row": f.row_label, "column": f.column_label, "value": str(f.value)} for f in faults.negative]
    return {"violated": negative + rows}


@_json.register
def _privacy(e: PrivacyEvidence) -> dict[str, Any]:
    return {"level": level_json(e.tightest), "tight": _cells(e.tight, e.mechanism), "violated": _cells(e.violated, e.mechanism)}


@_json.register
def _derivability(e: DerivabilityEvidence) -> dict[str, Any]:
    if e.remap is not None:
        return {"remap": remap_json(e.remap)}
    last = e.target.n_inputs - 1
    violated = [
        {"rows": [e.target.inputs[i] for i in t.rows(last)], "output": e.target.outputs[t.output], "value": number_json(t.value)}
        for t in e.triples
    ]
    found: dict[str, Any] = {"violated": violated, "loss": number_json(e.target_loss), "source_loss": number_json(e.source_loss)}
    if e.separator is not None:
        found["separator"] = _rows(e.separator)
    if e.consumer is not None:
        found["consumer"] = {"prior": _strings(e.consumer.prior.weights), "loss": _rows(e.consumer.loss.matrix)}
    return found


@_json.register
def _optimality(e: OptimalityEvidence) -> dict[str, Any]:
    found: dict[str, Any] = {"value": None if e.value is None else number_json(e.value)}
    if e.bounds is not None:
        found["bounds"] = _strings(e.bounds)
    if e.mechanism is not None:
        found |= {"loss": number_json(e.loss), "gap": None if e.gap is None else number_json(e.gap)}
        if e.remap is not None and e.remap.bounds is not None:
            found |= {"loss": None, "loss_bounds": _strings(e.remap.bounds)}
    if e.privacy is not None:
        found |= _privacy(e.privacy)
    large = isinstance(e.found, FactoredMechanism) and len(e.found.inputs) > LARGEST_PRODUCT
    best = None if large else e.best
    if e.found is not None:
        found["mechanism"] = None if best is None else mechanism_json(best)
    if e.remap is not None:
        found["remap"] = remap_json(e.remap.remap)
    elif isinstance(e.found, FactoredMechanism) and not large:
        found["remap"] = remap_json(e.found.remap())
    if e.dual is not None:
        found["dual"] = _dual(e.dual)
    if e.fault is not None:
        found["fault"] = str(e.fault)
    return found


@_json.register
def _by_level(e: LevelPieces) -> dict[str, Any]:
    pieces = [{"interval": interval_json(part), "value": None if value is None else number_json(value)} for part, value in e.values]
    only = pieces[0]["value"] if len(pieces) == 1 else None
    return {"value": only, "parameter": e.name, "pieces": pieces, "details": [_piece(piece) for piece in e.pieces]}


@_json.register
def _level_set(e: LevelSet) -> dict[str, Any]:
    pieces = [{"interval": interval_json(stay.interval), "holds": stay.holds} for stay in e.pieces]
    return {"levels": [interval_json(part) for part in e.holds_on], "pieces": pieces}


def _piece(piece: Piece) -> dict[str, Any]:
    found: dict[str, Any] = {"interval": interval_json(piece.interval)}
    if piece.violated is not None and piece.evidence is not None and piece.evidence.mechanism is not None:
        found["violated"] = _cells((piece.violated,), piece.evidence.mechanism)
    return found if piece.evidence is None else {**found, **_json(piece.evidence)}


@_json.register
def _remap(e: RemapEvidence) -> dict[str, Any]:
    value = None if e.value is None else number_json(e.value)
    found: dict[str, Any] = {"value": value, "remap": remap_json(e.remap), "deterministic": e.remap.is_deterministic()}
    if e.bounds is not None:
        found["bounds"] = _strings(e.bounds)
    if e.given is not None:
        found |= {"loss": number_json(e.loss), "gap": number_json(e.gap)}
    return found | _weights(e.weights, e.consumer)


@_json.register
def _uniqueness(e: Uniqueness) -> dict[str, Any]:
    second = {} if e.second is None else {"second": mechanism_json(e.second)}
    return {"value": number_json(e.value), "mechanism": mechanism_json(e.first), **second, "dual": _dual(e.dual)}


@_json.register
def _remap_uniqueness(e: RemapUniqueness) -> dict[str, Any]:
    second = {} if e.second is None else {"second": remap_json(e.second)}
    found = {"value": number_json(e.value), "remap": remap_json(e.first), "deterministic": e.first.is_deterministic(), **second}
    return found | _weights(e.weights, e.consumer)


@_json.register
def _release(e: ReleaseEvidence) -> dict[str, Any]:
    coalitions = [{"members": [m + 1 for m in c.members], "level": level_json(c.level)} for c in e.coalitions]
    return {"coalitions": coalitions, "stages": [remap_json(stage) for stage in e.stages]}


@_json.register
def _determinant(e: DeterminantEvidence) -> dict[str, Any]:
    found: dict[str, Any] = {"value": number_json(e.determinant), "column": e.column}
    if e.published is not None:
        found["published"] = {"source": e.source, "value": str(e.published), "agrees": e.published_agrees}
    if e.formula is not None:
        found |= {"formula": str(e.formula), "quotient": None if e.quotient is None else str(e.quotient)}
    if e.difference is not None:
        point = {name: str(x) for name, x in e.difference.point.items()}
        found["difference"] = {"point": point, "determinant": str(e.difference.determinant), "formula": str(e.difference.formula)}
    levels = [x.to_json() if isinstance(x, AlgebraicNumber) else None if x is None else str(x) for x in (gap.level for gap in e.gaps)]
    return found | {"undefined": [{"divisor": gap.divisor, "at": at} for gap, at in zip(e.gaps, levels, strict=True)]}


def _dual(dual: Dual) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": dual.rule, "weights": _strings(dual.weights)}
    if dual.potentials is not None:
        found["potentials"] = _strings(dual.potentials)
    if dual.edges is not None:
        found["edges"] = [_strings(row) for row in dual.edges]
    return found


def _weights(weights: tuple[Any, ...], consumer: Consumer) -> dict[str, Any]:
    return {} if isinstance(consumer, BayesianConsumer) else {"dual": {"weights": _strings(weights)}}
