# SPDX-License-Identifier: MIT
"""A certificate as an object (claim, definitions, witness, digest; SPEC.md §6), made from a verdict.

:data:`TOPICS` says which module writes the certificates of each topic.

>>> from exactdp import certify, geometric, neighbours, tightest_level
>>> certificate = certify(tightest_level(geometric(3, "1/4"), neighbours("path:4")))
>>> certificate.kind, certificate.claim["ratio"]
('level', '1/4')
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from exactdp.analysis.verdict import Decision, Registry, Verdict
from exactdp.certificate.encode import Parts
from exactdp.checker.kernel import check_bytes
from exactdp.display import Displayed
from exactdp.errors import CertificateError, DefectiveAnswerError, DomainError, ResourceLimitError, wrong_kind
from exactdp.exact import as_flag
from exactdp.model import Table
from exactdp.runtime.files import write_file
from exactdp.runtime.progress import report_phase
from exactdp.runtime.values import dataclass

ANALYSIS = "exactdp.analysis"
CERTIFICATE = "exactdp.certificate"

TOPICS: Registry[Callable[[Any, bool], Parts]] = Registry(
    f"{CERTIFICATE}.certificate.TOPICS",
    {
        f"{CERTIFICATE}.levels": (f"{ANALYSIS}.table_levels", f"{ANALYSIS}.optimality.by_level"),
        f"{CERTIFICATE}.deployed": (
            f"{ANALYSIS}.approximate",
            f"{ANALYSIS}.composition",
            f"{ANALYSIS}.inference",
            f"{ANALYSIS}.audit_evidence",
        ),
        f"{CERTIFICATE}.privacy": (f"{ANALYSIS}.privacy", f"{ANALYSIS}.stochastic"),
        f"{CERTIFICATE}.tight": (f"{ANALYSIS}.tight", f"{ANALYSIS}.leakage"),
        f"{CERTIFICATE}.types": (f"{ANALYSIS}.types", f"{ANALYSIS}.leakage"),
    },
    CERTIFICATE,
)
"""The functions from evidence, and whether it proves its statement, to the parts of a certificate.

Listed are the modules of topics whose evidence is in modules of other names.
"""

FORMAT = "exactdp-certificate"
VERSION = "0.2"


@dataclass(frozen=True, slots=True, repr=False)
class Certificate(Displayed):
    """One claim with its definitions and witness, ready to be written.

    Parameters
    ----------
    claim, definitions, witness : dict
        JSON objects as SPEC.md §3–4 describes them.
    provenance : dict of str to str, optional
        Who made it and how; untrusted and outside the digest.
    sentence : str, optional
        What the checker said of it when it was made; it is not written.

    Examples
    --------
    >>> from exactdp import Certificate, certify, geometric, is_private
    >>> certificate = certify(is_private(geometric(2, "1/2"), "path", "1/2"))
    >>> isinstance(certificate, Certificate), certificate.kind
    (True, 'private')
    """

    claim: dict[str, Any]
    definitions: dict[str, Any]
    witness: dict[str, Any]
    provenance: dict[str, str] = field(default_factory=dict)
    sentence: str = field(default="", compare=False)

    @property
    def kind(self) -> str:
        """The kind of claim, such as ``"optimal"``."""
        return str(self.claim["kind"])

    @property
    def digest(self) -> str:
        """``sha256:`` and the hash of everything but the provenance."""
        canonical = json.dumps(self._theorem(), sort_keys=True, separators=(",", ":"))
        return "sha256:" + hashlib.sha256(canonical.encode("ascii")).hexdigest()

    @property
    def value(self) -> Any:
        """The exact value of its claim, such as the least loss; ``float(…)`` is the nearest double.

        Raises
        ------
        AttributeError
            Its claim is not that a number has a value.

        Examples
        --------
        >>> from exactdp import certify, optimum
        >>> certificate = certify(optimum("path:3", "1/2", "abs"))
        >>> certificate.value, float(certificate.value)
        (Rational('4/7'), 0.5714285714285714)
        """
        key = self._valued
        if key is None:
            raise AttributeError("value")
        return import_module(f"{CERTIFICATE}.encode").Numbers(self.definitions).scalar(self.claim[key])

    @property
    def _valued(self) -> str | None:
        """The key of the claim that has its value; None without one."""
        keys = ("value", "delta") if self.kind.startswith("delta") else ("value",)
        return next((key for key in keys if key in self.claim), None)

    @property
    def _value_text(self) -> str:
        """The value with a decimal, if it has one, to stand before what else is told."""
        if self._valued is None or self.kind.startswith(("not-", "no-")):
            return ""  # a number that is denied is no answer
        what = "δ" if self._valued == "delta" else "value"
        told: str = import_module(f"{self._report}.headline").headline(what, self.value).text
        return told

    def __str__(self) -> str:
        """The value with a decimal, and what the checker said if it was asked; else kind and digest."""
        return f"{self._value_text}. {self.sentence}" if self._value_text and self.sentence else self.sentence or repr(self)

    def __repr__(self) -> str:
        value = f"{self._value_text}, " if self._value_text else ""
        return f"<Certificate {value}of kind {self.kind}, {self.digest[:19]}…>"

    def _theorem(self) -> dict[str, Any]:
        parts = {"claim": self.claim, "definitions": self.definitions, "witness": self.witness}
        return {"format": FORMAT, "version": VERSION, **parts}

    def to_json(self) -> str:
        """The text of the file: one key of the top level a line, for people who look at differences."""
        body = {**self._theorem(), "provenance": self.provenance, "digest": self.digest}
        lines = [f"{json.dumps(key)}: {json.dumps(value, separators=(', ', ': '))}" for key, value in body.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def table(self) -> Table:
        """The table that it is about: its claim's, its only one, or its witness's optimum.

        Raises
        ------
        InputError
            There are several, or none.

        Examples
        --------
        >>> from exactdp import MinimaxConsumer, certify, optimum
        >>> certify(optimum("path:2", "1/2", MinimaxConsumer("abs"))).table().matrix
        ExactMatrix([['2/3', '1/3'], ['1/3', '2/3']])
        """
        decode = import_module("exactdp.certificate.decode")  # loaded when it is asked for: it makes certificates
        found: Table = decode.Decoder(self).table()
        return found

    def write(self, path: str | Path) -> Path:
        """Write the file whole or not at all (:func:`~exactdp.runtime.files.write_file`)."""
        return write_file(path, self.to_json())


def certify(verdict: Verdict[Any], *, check: bool = True, topics: Registry[Callable[[Any, bool], Parts]] = TOPICS) -> Certificate:
    """The certificate of a decided verdict, accepted by the checker.

    Parameters
    ----------
    verdict : Verdict
        Proved or refuted, from any question of :mod:`exactdp.analysis`.
    check : bool
        Run the checker on the bytes before returning (only a caller that checks them itself turns this off).
    topics : Registry
        How the evidence of each question is written.

    Returns
    -------
    Certificate
        Of the verdict's claim. That a mechanism is private at a level, or is not, may be certified by its
        tightest level, which implies it: where the checker's limits leave no other way, or where the level
        and the mechanism's numbers have no common field.

    Raises
    ------
    CertificateError
        The verdict is undecided or replayed, its evidence is of no topic, or it is positive without a claim
        of its own in the format (a table that is stochastic).
    ResourceLimitError
        The certificate exceeds a limit of the checker; carries the certificate and the checker's answer.
    DefectiveAnswerError
        The checker does not accept it: a defect of exactdp; carries the certificate and the checker's answer.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer, certify, optimum, verify
    >>> certificate = certify(optimum("path:3", "1/4", MinimaxConsumer("abs")))
    >>> print(verify(certificate).status)
    accepted
    """
    if not isinstance(verdict, Verdict):
        file = "; the certificate of a file is load(file)" if isinstance(verdict, str | Path) else ""
        raise wrong_kind("verdict", verdict, f"the answer of a question, such as is_private(…){file}")
    as_flag(check, "flag check")
    if not isinstance(topics, Registry):
        raise wrong_kind("topics", topics, "a Registry; leave it out for the usual one")
    if verdict.decision is Decision.UNDECIDED:
        raise CertificateError(f"an undecided verdict has no certificate: {verdict.claim}", verdict=verdict)
    evidence = verdict.evidence
    if verdict.decision is Decision.REPLAYED:
        raise CertificateError(
            f"what was replayed is an argument, not a certificate: {verdict.claim}; evidence.write(folder) writes it, and "
            "exactdp verify replays it",
            evidence=evidence,
        )
    try:
        parts = topics.entry(type(evidence))
    except TypeError as error:
        kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(evidence).__name__).lower()
        raise CertificateError(f"no certificate is defined for answers of this kind ({kind})", evidence=evidence) from error
    claim, definitions, witness = parts(evidence, verdict.proved)
    certificate = Certificate(claim, definitions.objects, witness, {"tool": "exactdp"})
    if any(d["type"] == "region" and "inside" in d for d in definitions.objects.values()):
        from exactdp.certificate.regions import signs_for  # numbers without letters need no lemmas

        def with_signs(signs: list[dict[str, Any]]) -> Certificate:
            return replace(certificate, witness={**witness, "signs": signs})

        certificate = with_signs(signs_for(definitions.objects, lambda signs: with_signs(signs).to_json()))
    if check:
        report_phase(None, "checking the certificate")
        answer = check_bytes(certificate.to_json().encode())
        if answer.status == "limit":
            from exactdp.certificate.privacy import implying  # where one certificate is too much for the checker

            other = implying(verdict)
            if other is not None:
                return certify(other, topics=topics)
            reason = f"the certificate exceeds a limit of the checker: {answer.sentence}"
            raise ResourceLimitError(reason, certificate=certificate, answer=answer)
        if answer.status != "accepted":
            raise DefectiveAnswerError(
                f"the checker does not accept this {certificate.kind} certificate: {answer.sentence}; please report this",
                certificate=certificate,
                answer=answer,
            )
        certificate = replace(certificate, sentence=answer.sentence)
    return certificate


def checked_sentences(verdicts: Mapping[str, Verdict[Any]]) -> list[dict[str, str]]:
    """For every decided verdict the checker's own sentence and the digest of the certificate.

    A verdict whose certificate is beyond a limit of the format or the checker is listed with the reason.
    """
    result = []
    for name, verdict in verdicts.items():
        if verdict.decision in (Decision.UNDECIDED, Decision.REPLAYED):
            continue
        try:
            report_phase(None, f"the certificate of {name}")
            certificate = certify(verdict, check=False)
        except (CertificateError, DomainError, ResourceLimitError) as error:
            result.append({"part": name, "status": "none", "sentence": error.message})
            continue
        answer = check_bytes(certificate.to_json().encode())
        entry = {"part": name, "status": answer.status, "sentence": answer.sentence}
        result.append(entry | ({"digest": answer.digest} if answer.digest else {}))
    return result
