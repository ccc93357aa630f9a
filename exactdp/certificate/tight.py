# SPDX-License-Identifier: MIT
"""Certificates about Φ: tight-constraints mechanisms, regular priors, leakage (SPEC §4.8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactdp.analysis.leakage import BoundEvidence, LeakageEvidence
from exactdp.analysis.tight.optimality_on_region import OnRegionEvidence
from exactdp.analysis.tight.regular_priors import RegularEvidence
from exactdp.analysis.tight.tight_levels import SingularEvidence, SolvableLevels, ThresholdEvidence
from exactdp.analysis.tight.tight_mechanism import TightEvidence, TightUniqueness
from exactdp.certificate.encode import Definitions, Parts, interval_json, matrix_json, scalar_json, sparse_json, vector_json
from exactdp.exact import ExponentialNumber, Interval, Rational, RationalFunctionField
from exactdp.exact.number_field import NumberFieldElement
from exactdp.model import PrivacyLevel
from exactdp.model.constraint_matrix import Cells


def on_cells(key: str, cells: Cells, values: Iterable[Any]) -> dict[str, Any]:
    """A witness vector that is constant on cells."""
    if len(cells.members) == len(cells.colour):
        return {key: vector_json(cells.lift(tuple(values)))}
    return {key: vector_json(tuple(values)), "cells": list(cells.colour)}


def _tight(e: TightEvidence, proved: bool) -> Parts:
    d = Definitions()
    # where it encloses powers, the checker needs no symbol for each
    claim = d.at(e.neighbours, e.level if e.near is None else _of_one_root(e.level))
    if e.diagonal is not None and e.near is None:
        return {"kind": "tight", **claim}, d, on_cells("diagonal", e.cells, e.diagonal)
    if e.near is not None:
        inverse = [vector_json([Rational(x, 1 << e.near.bits) for x in row]) for row in e.near.inverse]
        near = {"diagonal": vector_json(e.near.diagonal), "inverse": inverse}
        return {"kind": "tight", **claim}, d, {"near": near, "cells": list(e.cells.colour)}
    assert e.farkas is not None
    return {"kind": "not-tight", **claim}, d, on_cells("farkas", e.cells, e.farkas)


def _of_one_root(level: PrivacyLevel) -> PrivacyLevel:
    """A level e^(−ε) of a field with several roots as a number of ℚ(e^(−ε)); another one as it is."""
    if not isinstance(level.alpha, ExponentialNumber) or len(level.alpha.field.roots) == 1:
        return level
    epsilon = level.epsilon.rational
    return level if epsilon is None else PrivacyLevel(epsilon=epsilon)


def _threshold(e: ThresholdEvidence, proved: bool) -> Parts:
    claim, d, low = _tight(e.low, True)
    _, _, high = _tight(e.high, False)
    return {**claim, "kind": "threshold", "above": scalar_json(e.high.level.alpha)}, d, {"low": low, "high": high}


def _unique(e: TightUniqueness, proved: bool) -> Parts:
    d = Definitions()
    first = e.first
    claim = d.at(first.neighbours, first.level)
    if e.second is not None:
        assert first.z is not None
        return {"kind": "not-unique-tight", **claim}, d, {"first": vector_json(first.z), "second": vector_json(e.second)}
    assert first.diagonal is not None
    witness = on_cells("diagonal", first.cells, first.diagonal)
    if e.combination is not None:
        witness["combination"] = [sparse_json(row) for row in e.combination]
    else:
        witness["inverse"] = matrix_json(first.cells.matrix.at(first.level).inverse().rows())
    return {"kind": "unique-tight", **claim}, d, witness


def _regular(e: RegularEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.level.alpha, *e.prior.weights)
    claim = {**d.at(e.neighbours, e.level), "prior": vector_json(e.prior.weights)}
    if e.weights is not None:
        return {"kind": "regular", **claim}, d, on_cells("weights", e.cells, e.weights)
    assert e.farkas is not None
    return {"kind": "not-regular", **claim}, d, on_cells("farkas", e.cells, e.farkas)


def _levels(e: SolvableLevels, proved: bool) -> Parts:
    d = Definitions()
    field = RationalFunctionField(Interval(0, 1))
    d.over(field)
    base = {"neighbours": d.neighbours("N", e.neighbours), "level": scalar_json(field.gen)}
    if e.prior is not None:
        base["prior"] = vector_json(e.prior.weights)
    yes, no, key = ("tight", "not-tight", "diagonal") if e.prior is None else ("regular", "not-regular", "weights")
    claims = [{"interval": interval_json(part), "claim": {"kind": yes if holds else no, **base}} for part, (holds, _) in e.pieces]
    witnesses = [on_cells(key if holds else "farkas", e.cells, _functions(part, witness)) for part, (holds, witness) in e.pieces]
    return {"kind": "on-pieces", "pieces": claims}, d, {"pieces": witnesses}


def _functions(part: Interval, witness: Iterable[Any]) -> list[Any]:
    """A witness as rational functions on its piece: elements of a number field are polynomials there."""
    field = RationalFunctionField(part)
    return [field.quotient(*_cleared(x)) if isinstance(x, NumberFieldElement) else field(x) for x in witness]


def _cleared(x: NumberFieldElement) -> tuple[list[int], list[int]]:
    den = 1
    for c in x.coefficients:
        den *= int(c.denominator)
    return [int((c * den).numerator) for c in x.coefficients] or [0], [den]


def _leakage(e: LeakageEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.mechanism.matrix, *e.prior.weights)
    claim = {"kind": "leakage", "mechanism": d.mechanism("M", e.mechanism), "prior": vector_json(e.prior.weights)}
    return {**claim, "value": scalar_json(e.factor)}, d, {}


def _bound(e: BoundEvidence, proved: bool) -> Parts:
    d = Definitions()
    claim = {"kind": f"{e.of}-bound", **d.at(e.neighbours, e.level), "value": scalar_json(e.value)}
    if e.prior is not None:
        claim["prior"] = vector_json(e.prior.weights)
    return claim, d, on_cells("weights", e.cells, e.weights)


def _on_region(e: OnRegionEvidence, proved: bool) -> Parts:
    d = Definitions()
    claim = {**d.at(e.neighbours, e.level), "mechanism": d.mechanism("M", e.mechanism)}
    if e.remap is not None:
        return {"kind": "optimal-on-region", **claim}, d, {"remap": matrix_json(e.remap.matrix.rows())}
    assert e.weights is not None
    assert e.better is not None
    witness = {"weights": vector_json(e.weights), "better": matrix_json(e.better.matrix.rows())}
    return {"kind": "not-optimal-on-region", **claim}, d, witness


def _singular(e: SingularEvidence, proved: bool) -> Parts:
    d = Definitions()
    claim = d.at(e.neighbours, e.level)
    if e.null_vector is not None:
        return {"kind": "singular", **claim}, d, {"kernel": vector_json(e.null_vector)}
    assert e.inverse is not None
    return {"kind": "non-singular", **claim}, d, {"inverse": matrix_json(e.inverse.rows())}


EVIDENCE = {
    TightEvidence: _tight,
    ThresholdEvidence: _threshold,
    TightUniqueness: _unique,
    RegularEvidence: _regular,
    SolvableLevels: _levels,
    LeakageEvidence: _leakage,
    BoundEvidence: _bound,
    OnRegionEvidence: _on_region,
    SingularEvidence: _singular,
}
