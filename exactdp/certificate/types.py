# SPDX-License-Identifier: MIT
"""Certificates about privacy types: vertices, kernel mechanisms, capacities, universality (SPEC §4.14)."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.leakage import CapacityEvidence, TypeCapacityEvidence
from exactdp.analysis.types.capacity_levels import CapacityLevels
from exactdp.analysis.types.kernels import KernelCount, KernelLevels, VertexCount
from exactdp.analysis.types.mixtures import KernelEvidence, Mixture, MixtureEvidence
from exactdp.analysis.types.universal import UtilitySet
from exactdp.analysis.types.universal_arguments import UniversalEvidence
from exactdp.analysis.types.universal_levels import UniversalLevels
from exactdp.certificate.encode import Definitions, Parts, matrix_json, potentials_json, scalar_json, vector_json
from exactdp.certificate.levels import bundle
from exactdp.errors import CertificateError, DefectiveAnswerError
from exactdp.exact import Interval, common_field


def _count(e: VertexCount | KernelCount, proved: bool) -> Parts:
    d = Definitions()
    kind = "vertices" if isinstance(e, VertexCount) else "kernel-count"
    return {"kind": kind, **d.at(e.polytope.neighbours, e.polytope.level), "count": e.count}, d, {}


def _kernel(e: KernelEvidence, proved: bool) -> Parts:
    d = Definitions()
    claim = {**d.at(e.polytope.neighbours, e.polytope.level), "mechanism": d.mechanism("M", e.mechanism)}
    return {"kind": "kernel-mechanism" if proved else "not-kernel-mechanism", **claim}, d, {}


def _mixture(e: MixtureEvidence, proved: bool) -> Parts:
    d = Definitions()
    claim = {**d.at(e.polytope.neighbours, e.polytope.level), "mechanism": d.mechanism("M", e.mechanism)}
    names: dict[tuple[tuple[int, ...], Any], str] = {}

    def listed(mixture: Mixture) -> list[dict[str, Any]]:
        items = []
        for weight, kernel in mixture.parts:
            key = (kernel.support, kernel.weights)
            if key not in names:
                names[key] = d.mechanism(f"K{len(names)}", kernel.mechanism)
            items.append({"kernel": names[key], "weight": scalar_json(weight)})
        return items

    if e.remap is not None:
        claim["mixture"] = listed(e.mixtures[0])
        return {"kind": "refines-mixture", **claim}, d, {"remap": matrix_json(e.remap.matrix.rows())}
    claim["mixtures"] = [listed(mixture) for mixture in e.mixtures]
    return {"kind": "kernel-mixtures", **claim}, d, {}


def _universal(e: UniversalEvidence, proved: bool, name: str = "M") -> Parts:
    d = Definitions()
    claim: dict[str, Any] = {**d.at(e.neighbours, e.level), "loss": d.loss("l", e.loss)}
    if e.rule in {"priors", "cycle", "star"}:
        return {"kind": "no-universally-optimal", **claim}, d, {"by": _against_all(e)}
    assert e.mechanism is not None
    claim["mechanism"] = d.mechanism(name, e.mechanism)
    if e.rule == "prior":
        return (
            {"kind": "not-universally-optimal", **claim},
            d,
            {"prior": vector_json(e.priors[0]), "better": matrix_json(e.better[0].rows())},
        )
    by: dict[str, Any] = {"rule": e.rule}
    match e.rule:
        case "kinks":
            field = e.mechanism.field
            by["priors"] = [vector_json([field(x) for x in prior]) for prior in e.priors]
            by["potentials"] = [vector_json(y) for y in e.potentials]
        case "path":
            by |= {"remap": _remap(e), "inputs": list(e.inputs), "guesses": list(e.guesses)}
        case "tree":
            by["remap"] = _remap(e)
        case unknown:
            raise _no_rule(unknown)
    return {"kind": "universally-optimal", **claim}, d, {"by": by}


def _remap(e: UniversalEvidence) -> Any:
    assert e.remap is not None
    return matrix_json(e.remap.matrix.rows())


def _against_all(e: UniversalEvidence) -> dict[str, Any]:
    match e.rule:
        case "cycle":
            return {"rule": "cycle", "inputs": list(e.inputs)}
        case "star":
            return {"rule": "star", "input": e.inputs[0], "neighbours": list(e.inputs[1:])}
        case "priors":
            return {
                "rule": "priors",
                "priors": [vector_json(prior) for prior in e.priors],
                "potentials": vector_json(e.potentials[0]),
                "mechanisms": [matrix_json(mechanism.rows()) for mechanism in e.better],
            }
        case unknown:
            raise _no_rule(unknown)


def _no_rule(rule: str) -> DefectiveAnswerError:
    return DefectiveAnswerError(f"the rule {rule!r} has no certificate; it is to be added in exactdp/certificate/types.py", rule=rule)


def _capacity(e: CapacityEvidence, proved: bool) -> Parts:
    d = Definitions()
    return {"kind": "capacity", "mechanism": d.mechanism("M", e.mechanism), "capacity": e.kind, "value": scalar_json(e.value)}, d, {}


def _type_capacity(e: TypeCapacityEvidence, proved: bool) -> Parts:
    d = Definitions()
    claim = {"kind": "type-capacity", **d.at(e.neighbours, e.level), "capacity": e.kind, "value": scalar_json(e.value)}
    if e.weights is not None:
        return claim, d, {"by": {"rule": "weights", "weights": vector_json(e.weights)}}
    assert e.dual is not None
    dual = potentials_json(e.dual, common_field(e.mechanism.field, e.level.alpha))
    return claim, d, {"by": {"rule": "dual", "mechanism": matrix_json(e.mechanism.rows()), "dual": dual}}


def _capacity_levels(e: CapacityLevels, proved: bool) -> Parts:
    return bundle(e.letter, e.pieces.interval, [(piece, _type_capacity(found, proved)) for piece, found in e.pieces])


def _kernel_levels(e: KernelLevels, proved: bool) -> Parts:
    if len(e.pieces) == 1:
        return _count(e.count(*e.pieces[0]), proved)
    return bundle("a", Interval(0, 1), [(piece, _count(e.count(piece, count), proved)) for piece, count in e.pieces])


def _universal_levels(e: UniversalLevels, proved: bool) -> Parts:
    lost = [str(piece) for piece, (yes, evidence) in e.pieces if yes is None or evidence is None]
    if lost:
        raise CertificateError(f"nothing was decided on {', '.join(lost)}", evidence=e)
    one = len(e.pieces) == 1
    decided = enumerate((piece, bool(yes), evidence) for piece, (yes, evidence) in e.pieces if evidence is not None)
    made = [(piece, _universal(evidence, yes, "M" if one else f"M{k}")) for k, (piece, yes, evidence) in decided]
    return made[0][1] if len(made) == 1 else bundle("a", Interval(0, 1), made)


def _utility_set(e: UtilitySet, proved: bool) -> Parts:
    if len(e.answers) == 1:
        [(_, verdict)] = e.answers
        return _universal(verdict.evidence, verdict.proved)
    raise CertificateError("a certificate is about one loss; certify the verdict of each loss on its own", evidence=e)


EVIDENCE = {
    VertexCount: _count,
    KernelCount: _count,
    KernelEvidence: _kernel,
    MixtureEvidence: _mixture,
    UniversalEvidence: _universal,
    CapacityEvidence: _capacity,
    TypeCapacityEvidence: _type_capacity,
    CapacityLevels: _capacity_levels,
    KernelLevels: _kernel_levels,
    UniversalLevels: _universal_levels,
    UtilitySet: _utility_set,
}
