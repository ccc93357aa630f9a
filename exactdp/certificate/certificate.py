# SPDX-License-Identifier: MIT
"""A certificate as an object: claim, definitions, witness, and the bytes and digest of SPEC.md §6.

From a verdict to a certificate, which the kernel has checked before anyone sees it.

>>> from exactdp import certify, geometric, neighbours, tightest_level
>>> certificate = certify(tightest_level(geometric(3, "1/4"), neighbours("path:4")))
>>> certificate.kind, certificate.claim["ratio"]
('level', '1/4')
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass, field
from functools import singledispatch
from importlib import import_module
from pathlib import Path
from typing import Any

from exactdp.analysis import (
    Decision,
    DerivabilityEvidence,
    OptimalityEvidence,
    PrivacyEvidence,
    ReleaseEvidence,
    RemapEvidence,
    RemapUniqueness,
    StochasticEvidence,
    Uniqueness,
    Verdict,
)
from exactdp.certificate.encode import Definitions, matrix_json, scalar_json, sparse_rows_json, vector_json
from exactdp.checker.kernel import check_bytes
from exactdp.errors import CertificateError, DefectiveAnswerError, ResourceLimitError
from exactdp.exact import common_field, field_of
from exactdp.model import BayesianConsumer, Consumer, Dual, FactoredMechanism

FORMAT = "exactdp-certificate"
VERSION = "0.2"


@dataclass(frozen=True, slots=True)
class Certificate:
    """One claim with its definitions and witness, ready to be written.

    Parameters
    ----------
    claim, definitions, witness : dict
        JSON objects as SPEC.md §3–4 describes them.
    provenance : dict of str to str, optional
        Who made it and how; untrusted and outside the digest.
    """

    claim: dict[str, Any]
    definitions: dict[str, Any]
    witness: dict[str, Any]
    provenance: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The kind of claim, such as ``"optimal"``."""
        return str(self.claim["kind"])

    @property
    def digest(self) -> str:
        """``sha256:`` and the hash of everything but the provenance."""
        canonical = json.dumps(self._theorem(), sort_keys=True, separators=(",", ":"))
        return "sha256:" + hashlib.sha256(canonical.encode("ascii")).hexdigest()

    def _theorem(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "claim": self.claim,
            "definitions": self.definitions,
            "witness": self.witness,
        }

    def to_json(self) -> str:
        """The text of the certificate file: one key of the top level a line, for people who look at
        differences.
        """
        body = {**self._theorem(), "provenance": self.provenance, "digest": self.digest}
        lines = [f"{json.dumps(key)}: {json.dumps(value, separators=(', ', ': '))}" for key, value in body.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def write(self, path: str | Path) -> Path:
        """Write the file whole or not at all."""
        return write_text(Path(path), self.to_json())


def write_text(path: Path, text: str) -> Path:
    """Write ``text`` to ``path`` whole or not at all, whatever interrupts: a temporary file beside it is
    renamed at the end.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    return path


Parts = tuple[dict[str, Any], Definitions, dict[str, Any]]

TOPICS: tuple[str, ...] = (
    "exactdp.certificate.deployed",
    "exactdp.certificate.determinant",
    "exactdp.certificate.tight",
    "exactdp.certificate.levels",
    "exactdp.certificate.types",
)
"""The modules that register the evidence of a topic with :func:`parts`; imported when such a certificate is
first asked for.
"""


def certify(verdict: Verdict[Any], *, check: bool = True) -> Certificate:
    """The certificate of a decided verdict, accepted by the kernel.

    Parameters
    ----------
    verdict : Verdict
        Proved or refuted, from any question of :mod:`exactdp.analysis`.
    check : bool
        Run the kernel on the bytes before returning (only a caller that checks them itself turns this off).

    Returns
    -------
    Certificate

    Raises
    ------
    CertificateError
        The verdict is undecided, or positive without a claim of its own in the format (a table that is
        stochastic).
    ResourceLimitError
        The certificate exceeds a limit of the kernel; carries the certificate and the kernel's answer.
    DefectiveAnswerError
        The kernel does not accept it: a defect of exactdp; carries the certificate and the kernel's answer.
    """
    if verdict.decision is Decision.UNDECIDED:
        raise CertificateError(f"an undecided verdict has no certificate: {verdict.claim}", verdict=verdict)
    for module in TOPICS if parts.dispatch(type(verdict.evidence)) is parts.dispatch(object) else ():
        import_module(module)
    claim, definitions, witness = parts(verdict.evidence, verdict.proved)
    certificate = Certificate(claim, definitions.objects, witness, {"tool": "exactdp"})
    if check:
        answer = check_bytes(certificate.to_json().encode())
        if answer.status == "limit":
            reason = f"the certificate exceeds a limit of the kernel: {answer.sentence}"
            raise ResourceLimitError(reason, certificate=certificate, answer=answer)
        if answer.status != "accepted":
            raise DefectiveAnswerError(
                f"the kernel does not accept this {certificate.kind} certificate: {answer.sentence}. Please report this",
                certificate=certificate,
                answer=answer,
            )
    return certificate


@singledispatch
def parts(evidence: Any, proved: bool) -> Parts:
    """Claim, definitions and witness for one kind of evidence; the modules of a topic register theirs."""
    raise CertificateError(f"no certificate is defined for {type(evidence).__name__}", evidence=evidence)


@parts.register
def _stochastic(e: StochasticEvidence, proved: bool) -> Parts:
    if proved:
        raise CertificateError("that a table is stochastic needs no certificate; ask whether the mechanism is private", evidence=e)
    d = Definitions()
    claim = {"kind": "not-stochastic", "table": d.table("M", e.table)}
    return claim, d, {"row": e.row} if e.column is None else {"row": e.row, "column": e.column}


@parts.register
def _privacy(e: PrivacyEvidence, proved: bool) -> Parts:
    d = Definitions()
    claim = {"mechanism": d.mechanism("M", e.mechanism), "neighbours": d.neighbours("N", e.neighbours)}
    d.over(e.mechanism.matrix, e.tightest.ratio if e.level is None else e.level.alpha)
    if e.level is None:
        claim = {"kind": "level", **claim, "ratio": scalar_json(e.tightest.ratio), "distance": str(e.tightest.distance)}
        at = e.attained
        return claim, d, {} if at is None else {"pair": [at.low, at.high], "output": at.output}
    claim |= {"level": scalar_json(e.level.alpha)}
    if proved:
        return {"kind": "private", **claim}, d, {}
    worst = e.violated[0]
    return {"kind": "not-private", **claim}, d, {"pair": [worst.low, worst.high], "output": worst.output}


@parts.register
def _derivability(e: DerivabilityEvidence, proved: bool) -> Parts:
    d = Definitions()
    claim = {"source": d.mechanism("A", e.source), "target": d.mechanism("B", e.target)}
    if e.remap is not None:
        return {"kind": "derivable", **claim}, d, {"remap": matrix_json(e.remap.matrix.rows())}
    assert e.separator is not None
    return {"kind": "not-derivable", **claim}, d, {"separator": matrix_json(e.separator.rows())}


@parts.register
def _optimality(e: OptimalityEvidence, proved: bool) -> Parts:
    if e.privacy is not None and e.privacy.violated:
        return _privacy(e.privacy, False)
    d = Definitions()
    claim: dict[str, Any] = _problem(d, e.neighbours, e.level, e.consumer)
    claim["value"] = scalar_json(e.value)
    dual = _dual_json(e.dual, e.consumer)
    if e.mechanism is None:
        return {"kind": "optimal", **claim}, d, {"primal": _primal_json(e), "dual": dual}
    claim["mechanism"] = d.mechanism("M", e.mechanism)
    worse = {"loss": scalar_json(e.loss), "gap": scalar_json(e.gap)}
    if e.remap is None:
        if proved:
            return {"kind": "optimal", **claim}, d, {"dual": dual}
        return {"kind": "not-optimal", **claim, **worse}, d, {"primal": _primal_json(e), "dual": dual}
    remap = {"remap": matrix_json(e.remap.remap.matrix.rows())}
    if proved:
        return {"kind": "optimal-after-remap", **claim}, d, {**remap, "dual": dual}
    witness = {**remap, **_weights_json(e.remap.weights, e.consumer), "primal": _primal_json(e), "dual": dual}
    return {"kind": "not-optimal-after-remap", **claim, **worse}, d, witness


@parts.register
def _remap(e: RemapEvidence, proved: bool) -> Parts:
    d = Definitions()
    claim: dict[str, Any] = {
        "mechanism": d.mechanism("M", e.mechanism),
        "consumer": d.consumer(e.consumer),
        "value": scalar_json(e.value),
    }
    weights, found = _weights_json(e.weights, e.consumer), {"remap": matrix_json(e.remap.matrix.rows())}
    if e.given is None:
        return {"kind": "optimal-remap", **claim}, d, {**weights, **found}
    claim["remap"] = d.remap("T", e.given)
    if proved:
        return {"kind": "optimal-remap", **claim}, d, weights
    claim |= {"loss": scalar_json(e.loss), "gap": scalar_json(e.gap)}
    return {"kind": "not-optimal-remap", **claim}, d, {**weights, **found}


@parts.register
def _uniqueness(e: Uniqueness, proved: bool) -> Parts:
    d = Definitions()
    claim: dict[str, Any] = {**_problem(d, e.neighbours, e.level, e.consumer), "value": scalar_json(e.value)}
    dual = {"dual": _dual_json(e.dual, e.consumer)}
    if e.second is None:
        return {"kind": "unique", **claim, "mechanism": d.mechanism("M", e.first)}, d, dual
    both = {"first": matrix_json(e.first.matrix.rows()), "second": matrix_json(e.second.matrix.rows())}
    return {"kind": "not-unique", **claim}, d, {**both, **dual}


@parts.register
def _remap_uniqueness(e: RemapUniqueness, proved: bool) -> Parts:
    d = Definitions()
    claim: dict[str, Any] = {
        "mechanism": d.mechanism("M", e.mechanism),
        "consumer": d.consumer(e.consumer),
        "value": scalar_json(e.value),
    }
    weights = _weights_json(e.weights, e.consumer)
    if e.second is None:
        return {"kind": "unique-remap", **claim, "remap": d.remap("T", e.first)}, d, weights
    both = {"first": matrix_json(e.first.matrix.rows()), "second": matrix_json(e.second.matrix.rows())}
    return {"kind": "not-unique-remap", **claim}, d, {**both, **weights}


@parts.register
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


def _problem(d: Definitions, neighbours: Any, level: Any, consumer: Consumer) -> dict[str, Any]:
    d.over(level.alpha)
    return {
        "neighbours": d.neighbours("N", neighbours),
        "level": scalar_json(level.alpha),
        "consumer": d.consumer(consumer),
    }


def _primal_json(e: OptimalityEvidence) -> dict[str, Any]:
    if isinstance(e.found, FactoredMechanism):
        return {"remap": sparse_rows_json(e.found.rows)}
    assert e.found is not None
    return {"rows": matrix_json(e.found.matrix.rows())}


def _weights_json(weights: tuple[Any, ...], consumer: Consumer) -> dict[str, Any]:
    """A Bayesian consumer's weights are the prior, which the claim states already."""
    return {} if isinstance(consumer, BayesianConsumer) else {"weights": vector_json(weights)}


def _dual_json(dual: Dual | None, consumer: Consumer) -> dict[str, Any]:
    assert dual is not None
    field = common_field(field_of([*dual.weights, *(dual.potentials or ())]), *(field_of(row) for row in dual.edges or ()))
    exact = [field(w) for w in dual.weights]
    witness = _weights_json(tuple(exact), consumer)
    if dual.potentials is not None:
        witness["potentials"] = vector_json([field(u) for u in dual.potentials])
    if dual.edges is not None:
        witness["edges"] = matrix_json([[field(u) for u in row] for row in dual.edges])
    return witness
