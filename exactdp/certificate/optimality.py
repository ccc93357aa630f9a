# SPDX-License-Identifier: MIT
"""Certificates about optimal mechanisms and remaps, whether there are others, and gaps (SPEC.md §4.4–4.6)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from exactdp.analysis.optimality.dual import explicit_dual
from exactdp.certificate.compact import multipliers_json, primal_json
from exactdp.certificate.encode import Definitions, Parts, matrix_json, potentials_json, scalar_json, sparse_rows_json, vector_json
from exactdp.certificate.orbits import optimum_by_orbits
from exactdp.certificate.privacy import privacy
from exactdp.errors import UndecidedSignError
from exactdp.exact import Rational, RegionField, common_field, field_of
from exactdp.model import BayesianConsumer, Consumer, Dual, FactoredMechanism, Graph
from exactdp.model.consumer import Problem

if TYPE_CHECKING:
    from exactdp.analysis.optimality.law_optimum import LawOptimum
    from exactdp.analysis.optimality.mechanism_optimality import (
        DualEvidence,
        GapEvidence,
        OptimalityAfterRemapEvidence,
        OptimalityAtPoint,
        OptimalityEvidence,
    )
    from exactdp.analysis.optimality.optimum import OptimumAtPoint, OptimumEvidence
    from exactdp.analysis.optimality.remap_optimality import GivenRemapEvidence, RemapEvidence
    from exactdp.analysis.optimality.uniqueness import RemapUniqueness, Uniqueness

_HOME = "exactdp.analysis.optimality"


def optimum(e: OptimumEvidence, proved: bool) -> Parts:
    """The optimum, with a mechanism that attains it."""
    by_orbits = optimum_by_orbits(e)
    if by_orbits is not None:
        return by_orbits
    d, claim = _claim(e)
    return {"kind": "optimal", **claim}, d, {"primal": _primal_json(e, d), "dual": _dual_of(e, d)}


def _optimum_at_point(e: OptimumAtPoint, proved: bool) -> Parts:
    """The optimum at one point of the region of its letters."""
    d, claim = _claim_at(e.asked, e.point, e.least_loss)
    return {"kind": "optimal", **claim}, d, {"primal": {"rows": matrix_json(e.best.matrix.rows())}, "dual": _dual_of(e, d, at_point=True)}


def _optimality_at_point(e: OptimalityAtPoint, proved: bool) -> Parts:
    """A mechanism with letters is not private, or by how much it is not optimal, at one point."""
    d, claim = _claim_at(e.asked, e.point, e.least_loss)
    claim["mechanism"] = d.mechanism("M", e.given)
    if e.privacy is not None and e.privacy.violated:
        worst = e.privacy.violated[0]
        for name in ("consumer", "value"):
            del claim[name]
        d.objects.pop("l")
        return {"kind": "not-private", **claim}, d, {"pair": [worst.low, worst.high], "output": worst.output}
    worse = {"loss": scalar_json(e.loss), "gap": scalar_json(e.gap)}
    return (
        {"kind": "not-optimal", **claim, **worse},
        d,
        {"primal": {"rows": matrix_json(e.best.matrix.rows())}, "dual": _dual_of(e, d, at_point=True)},
    )


def _claim_at(asked: Problem, point: Mapping[str, Rational], value: Any) -> tuple[Definitions, dict[str, Any]]:
    d = Definitions(point)
    d.over(asked.level.alpha, asked.consumer)
    return d, {**d.at(asked.neighbours, asked.level), "consumer": d.consumer(asked.consumer), "value": scalar_json(value)}


def optimality(e: OptimalityEvidence, proved: bool) -> Parts:
    """A mechanism is optimal, or by how much it is not, as deployed."""
    if e.privacy is not None and e.privacy.violated:
        return privacy(e.privacy, False)
    d, claim = _claim(e)
    claim["mechanism"] = d.mechanism("M", e.mechanism)
    dual = _dual_of(e, d)
    if proved:
        return {"kind": "optimal", **claim}, d, {"dual": dual}
    worse = {"loss": scalar_json(e.loss), "gap": scalar_json(e.gap)}
    return {"kind": "not-optimal", **claim, **worse}, d, {"primal": _primal_json(e, d), "dual": dual}


def after_remap(e: OptimalityAfterRemapEvidence, proved: bool) -> Parts:
    """A mechanism is optimal, or by how much it is not, after the best remap."""
    if e.privacy is not None and e.privacy.violated:
        return privacy(e.privacy, False)
    d, claim = _claim(e)
    claim["mechanism"] = d.mechanism("M", e.mechanism)
    dual = _dual_of(e, d)
    remap = {"remap": matrix_json(e.remap.remap.matrix)}
    if proved:
        return {"kind": "optimal-after-remap", **claim}, d, {**remap, "dual": dual}
    worse = {"loss": scalar_json(e.loss), "gap": scalar_json(e.gap)}
    witness = {**remap, **_weights_json(e.remap.weights, e.consumer), "primal": _primal_json(e, d), "dual": dual}
    return {"kind": "not-optimal-after-remap", **claim, **worse}, d, witness


def _dual_proves(e: DualEvidence, proved: bool) -> Parts:
    if e.privacy is not None and e.privacy.violated:
        return privacy(e.privacy, False)
    d, claim = _claim(e)
    claim["mechanism"] = d.mechanism("M", e.mechanism)
    return {"kind": "optimal", **claim}, d, {"dual": _dual_of(e, d)}


def _claim(e: OptimumEvidence | DualEvidence | Uniqueness) -> tuple[Definitions, dict[str, Any]]:
    d = Definitions()
    return d, {**d.at(e.neighbours, e.level), "consumer": d.consumer(e.consumer), "value": scalar_json(e.least_loss)}


def remap(e: RemapEvidence, proved: bool) -> Parts:
    """A best remap."""
    d, claim = _remap_claim(e)
    return {"kind": "optimal-remap", **claim}, d, {**_weights_json(e.weights, e.consumer), "remap": matrix_json(e.remap.matrix.rows())}


def _given_remap(e: GivenRemapEvidence, proved: bool) -> Parts:
    """A given remap is the best, or by how much it is not."""
    d, claim = _remap_claim(e)
    weights, claim["remap"] = _weights_json(e.weights, e.consumer), d.remap("T", e.given)
    if proved:
        return {"kind": "optimal-remap", **claim}, d, weights
    claim |= {"loss": scalar_json(e.loss), "gap": scalar_json(e.gap)}
    return {"kind": "not-optimal-remap", **claim}, d, {**weights, "remap": matrix_json(e.remap.matrix.rows())}


def _remap_claim(e: RemapEvidence | RemapUniqueness) -> tuple[Definitions, dict[str, Any]]:
    d = Definitions()
    return d, {"mechanism": d.mechanism("M", e.mechanism), "consumer": d.consumer(e.consumer), "value": scalar_json(e.least_loss)}


def _uniqueness(e: Uniqueness, proved: bool) -> Parts:
    d, claim = _claim(e)
    dual = {"dual": _dual_json(e.dual, e.consumer)}  # folds would leave slack at roots only, and force less
    if e.second is None:
        return {"kind": "unique", **claim, "mechanism": d.mechanism("M", e.first)}, d, dual
    both = {"first": matrix_json(e.first.matrix.rows()), "second": matrix_json(e.second.matrix.rows())}
    return {"kind": "not-unique", **claim}, d, {**both, **dual}


def _remap_uniqueness(e: RemapUniqueness, proved: bool) -> Parts:
    d, claim = _remap_claim(e)
    weights = _weights_json(e.weights, e.consumer)
    if e.second is None:
        return {"kind": "unique-remap", **claim, "remap": d.remap("T", e.first)}, d, weights
    both = {"first": matrix_json(e.first.matrix.rows()), "second": matrix_json(e.second.matrix.rows())}
    return {"kind": "not-unique-remap", **claim}, d, {**both, **weights}


def _gap(e: GapEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.level.alpha, e.loss)
    about = {"neighbours": d.neighbours("N", e.neighbours), "level": scalar_json(e.level.alpha), "consumer": d.consumer(e.consumer)}
    claim = {"kind": "gap-between", **about, "mechanism": d.mechanism("M", e.mechanism), "loss": scalar_json(e.loss)}
    claim |= {"least": scalar_json(e.least), "most": scalar_json(e.most)}
    return claim, d, {"upper": scalar_json(e.loss - e.least), "primal": _primal_json(e, d), "dual": _dual_of(e, d)}


def _primal_json(e: OptimumEvidence | GapEvidence, d: Definitions) -> dict[str, Any]:
    if isinstance(e.found, FactoredMechanism):
        return {"remap": sparse_rows_json(e.found.rows)}
    if isinstance(e.neighbours, Graph) and d.rational:
        return primal_json(e.neighbours, e.level.alpha, e.found.matrix)
    return {"rows": matrix_json(e.found.matrix)}


def _weights_json(weights: tuple[Any, ...], consumer: Consumer) -> dict[str, Any]:
    """A Bayesian consumer's weights are the prior, which the claim states already."""
    return {} if isinstance(consumer, BayesianConsumer) else {"weights": vector_json(weights)}


def _dual_of(e: OptimumEvidence | DualEvidence | GapEvidence, d: Definitions, *, at_point: bool = False) -> dict[str, Any]:
    """The dual of a claim about a problem, where all is rational with folds for many multipliers.

    With letters it is written out. Its signs are then those of products, where a compact rule compares sums
    that may be zero somewhere, and it divides by the level.
    """
    dual = e.dual
    letters = at_point or isinstance(common_field(e.level.alpha, *dual.numbers), RegionField)
    if dual.edges is None and isinstance(e.neighbours, Graph) and letters:
        with suppress(UndecidedSignError):  # a multiplier that changes its sign, which the compact rule may do without
            dual = explicit_dual(e.neighbours, e.level, e.consumer, dual)
    if dual.edges is not None and isinstance(e.neighbours, Graph) and d.rational:
        return _dual_json(Dual(dual.weights, dual.potentials), e.consumer) | multipliers_json(e.neighbours, dual.edges)
    return _dual_json(dual, e.consumer)


def _dual_json(dual: Dual, consumer: Consumer) -> dict[str, Any]:
    field = common_field(field_of([*dual.weights, *(dual.potentials or ())]), *(field_of(row) for row in dual.edges or ()))
    return _weights_json(tuple(field(w) for w in dual.weights), consumer) | potentials_json(dual, field)


def _by_law(e: LawOptimum, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.level.alpha)
    size = "size" if e.graph.family == "complete" else "bits"
    claim = {"kind": f"{e.graph.family}-optimum", size: e.graph.size, "level": scalar_json(e.level.alpha)}
    return {**claim, "value": scalar_json(e.value)}, d, {}


EVIDENCE = {
    f"{_HOME}.law_optimum.LawOptimum": _by_law,
    f"{_HOME}.optimum.OptimumEvidence": optimum,
    f"{_HOME}.optimum.OptimumAtPoint": _optimum_at_point,
    f"{_HOME}.mechanism_optimality.OptimalityEvidence": optimality,
    f"{_HOME}.mechanism_optimality.OptimalityAtPoint": _optimality_at_point,
    f"{_HOME}.mechanism_optimality.OptimalityAfterRemapEvidence": after_remap,
    f"{_HOME}.mechanism_optimality.DualEvidence": _dual_proves,
    f"{_HOME}.remap_optimality.RemapEvidence": remap,
    f"{_HOME}.remap_optimality.GivenRemapEvidence": _given_remap,
    f"{_HOME}.uniqueness.Uniqueness": _uniqueness,
    f"{_HOME}.uniqueness.RemapUniqueness": _remap_uniqueness,
    f"{_HOME}.mechanism_optimality.GapEvidence": _gap,
}
