# SPDX-License-Identifier: MIT
"""Certificates about deployed tables: (ε, δ)-privacy, composition, likelihood (SPEC §4.13)."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.approximate import DeltaEvidence, Event, Judged, LevelForDeltaEvidence, is_approximately_private
from exactdp.analysis.audit import Audit
from exactdp.analysis.composition import ParallelEvidence, SequentialEvidence
from exactdp.analysis.inference import LikelihoodEvidence
from exactdp.analysis.optimality.mechanism import GapEvidence
from exactdp.analysis.verdict import Verdict
from exactdp.certificate.certificate import Parts, _dual_json, parts
from exactdp.certificate.encode import Definitions, matrix_json, scalar_json, sparse_rows_json, vector_json
from exactdp.model import FactoredMechanism, Mechanism

__all__: list[str] = []


def _judged(d: Definitions, subject: Judged) -> str:
    return d.mechanism("M", subject) if isinstance(subject, Mechanism) else d.table("M", subject)


def _event(event: Event) -> dict[str, Any]:
    return {"pair": [event.high, event.low], "event": list(event.outputs)}


@parts.register
def _delta(e: DeltaEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.level.alpha)
    claim = {"mechanism": _judged(d, e.subject), "neighbours": d.neighbours("N", e.neighbours), "level": scalar_json(e.level.alpha)}
    if e.asked is None:
        pair = {} if e.event is None else {"pair": [e.event.high, e.event.low]}
        return {"kind": "delta", **claim, "delta": scalar_json(e.delta)}, d, pair
    claim["delta"] = scalar_json(e.asked)
    if proved:
        return {"kind": "approximately-private", **claim}, d, {}
    assert e.event is not None
    return {"kind": "not-approximately-private", **claim}, d, _event(e.event)


@parts.register
def _level_for_delta(e: LevelForDeltaEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.ratio)
    claim = {
        "kind": "level-with-delta",
        "mechanism": _judged(d, e.subject),
        "neighbours": d.neighbours("N", e.neighbours),
        "delta": scalar_json(e.delta),
        "ratio": scalar_json(e.ratio),
    }
    return claim, d, {} if e.event is None else _event(e.event)


@parts.register
def _sequential(e: SequentialEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.ratio)
    names = [d.mechanism(f"M{k}", m) for k, m in enumerate(e.mechanisms, 1)]
    claim = {"kind": "sequential-level", "mechanisms": names, "neighbours": d.neighbours("N", e.neighbours), "ratio": scalar_json(e.ratio)}
    return claim, d, {} if e.low is None else {"pair": [e.low, e.high], "outputs": list(e.outputs)}


@parts.register
def _parallel(e: ParallelEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.ratio)
    written: dict[Any, dict[str, str]] = {}  # equal parts are defined once
    listed = []
    for m, near in e.parts:
        if (m, near) not in written:
            k = len(written) + 1
            written[m, near] = {"mechanism": d.mechanism(f"M{k}", m), "neighbours": d.neighbours(f"N{k}", near)}
        listed.append(written[m, near])
    witness: dict[str, Any] = {}
    if e.cell is not None:
        witness = {"part": e.part, "pair": [e.cell.low, e.cell.high], "output": e.cell.output}
    return {"kind": "parallel-level", "parts": listed, "ratio": scalar_json(e.ratio)}, d, witness


@parts.register
def _likelihood(e: LikelihoodEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.gap)
    claim = {
        "kind": "likelihood",
        "mechanism": d.mechanism("C", e.mechanism),
        "frequencies": vector_json(e.frequencies),
        "estimate": vector_json(e.estimate),
        "gap": scalar_json(e.gap),
    }
    return claim, d, {}


@parts.register
def _audit(e: Audit, proved: bool) -> Parts:
    """The one certificate that decides an audit: the faulty row, the claim, or the tightest level."""
    if e.faults:
        verdict: Verdict[Any] = e.verdicts["not-stochastic"]
    elif e.claim is None or e.level is None:
        verdict = e.verdicts["level"]
    elif e.claim.delta == 0 and e.privacy is not None:
        verdict = e.privacy
    else:
        assert e.level is not None
        verdict = is_approximately_private(e.table.as_mechanism(), e.neighbours, e.level, e.claim.delta)
    return parts(verdict.evidence, verdict.proved)


@parts.register
def _gap(e: GapEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.level.alpha, e.loss)
    claim = {
        "kind": "gap-between",
        "neighbours": d.neighbours("N", e.neighbours),
        "level": scalar_json(e.level.alpha),
        "consumer": d.consumer(e.consumer),
        "mechanism": d.mechanism("M", e.mechanism),
        "loss": scalar_json(e.loss),
        "least": scalar_json(e.least),
        "most": scalar_json(e.most),
    }
    found = e.found
    primal = {"remap": sparse_rows_json(found.rows)} if isinstance(found, FactoredMechanism) else {"rows": matrix_json(found.matrix.rows())}
    return claim, d, {"upper": scalar_json(e.loss - e.least), "primal": primal, "dual": _dual_json(e.dual, e.consumer)}
