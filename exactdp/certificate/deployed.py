# SPDX-License-Identifier: MIT
"""Certificates about deployed tables: (ε, δ)-privacy, releases together, likelihood, audits (SPEC §4.13)."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.approximate import DeltaEvidence, LevelForDeltaEvidence, is_approximately_private
from exactdp.analysis.audit_evidence import Audit
from exactdp.analysis.composition import ParallelEvidence, ReleaseEvidence, SequentialEvidence
from exactdp.analysis.events import Judged
from exactdp.analysis.inference import LikelihoodEvidence
from exactdp.analysis.privacy_claim import Event
from exactdp.certificate.encode import Definitions, Parts, matrix_json, scalar_json, vector_json
from exactdp.certificate.privacy import privacy, stochastic
from exactdp.errors import CertificateError
from exactdp.model import Mechanism


def _judged(d: Definitions, subject: Judged) -> str:
    return d.mechanism("M", subject) if isinstance(subject, Mechanism) else d.table("M", subject)


def _event(event: Event) -> dict[str, Any]:
    return {"pair": [event.high, event.low], "event": list(event.outputs)}


def _delta(e: DeltaEvidence, proved: bool) -> Parts:
    """The claim; or the level that the δ buys, which implies it, where the level asked was compared."""
    if e.bought is not None:
        return _level_for_delta(e.bought, True)
    if e.apart:
        raise CertificateError("the level that this δ buys, which would imply the claim, was not found in time", evidence=e)
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


def _sequential(e: SequentialEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(e.ratio)
    names = [d.mechanism(f"M{k}", m) for k, m in enumerate(e.mechanisms, 1)]
    claim = {"kind": "sequential-level", "mechanisms": names, "neighbours": d.neighbours("N", e.neighbours), "ratio": scalar_json(e.ratio)}
    return claim, d, {} if e.low is None else {"pair": [e.low, e.high], "outputs": list(e.outputs)}


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


def _audit(e: Audit, proved: bool) -> Parts:
    """The one certificate that decides an audit: the faulty row, the claim, or the tightest level."""
    if e.quality == "wrong":
        faulty = e.verdicts["not-stochastic"]
        return stochastic(faulty.evidence, faulty.proved)
    if e.bought is not None:
        return _delta(e.bought.evidence, e.bought.proved)
    if e.claim is None or e.level is None:
        assert e.tightest is not None
        return _level_for_delta(e.tightest.evidence, e.tightest.proved)
    if e.claim.delta == 0 and e.privacy is not None:
        return privacy(e.privacy.evidence, e.privacy.proved)
    assert e.mechanism is not None
    asked = is_approximately_private(e.mechanism, e.neighbours, e.level, e.claim.delta)
    return _delta(asked.evidence, asked.proved)


def _release(e: ReleaseEvidence, proved: bool) -> Parts:
    d = Definitions()
    d.over(*(level.alpha for level in e.levels))
    claim = {
        "kind": "release",
        "n": e.n,
        "levels": [scalar_json(level.alpha) for level in e.levels],
        "coalitions": [{"members": list(c.members), "level": scalar_json(c.level.ratio)} for c in e.coalitions],
    }
    return claim, d, {"stages": [matrix_json(stage.matrix.rows()) for stage in e.stages]}


EVIDENCE = {
    DeltaEvidence: _delta,
    LevelForDeltaEvidence: _level_for_delta,
    SequentialEvidence: _sequential,
    ParallelEvidence: _parallel,
    ReleaseEvidence: _release,
    LikelihoodEvidence: _likelihood,
    Audit: _audit,
}
