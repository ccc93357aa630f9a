# SPDX-License-Identifier: MIT
"""Read a certificate back into model objects, to show it or to convert it. The verdict on it is the kernel's alone."""

from __future__ import annotations

import json
from typing import Any

from exactdp.certificate.certificate import Certificate
from exactdp.checker.kernel import check_bytes
from exactdp.errors import MalformedCertificateError, RejectedCertificateError, ResourceLimitError
from exactdp.exact import ExactMatrix, Rational
from exactdp.mechanisms import geometric
from exactdp.model import (
    AdjacencyGraph,
    BayesianConsumer,
    Consumer,
    Distance,
    Dual,
    Loss,
    Mechanism,
    Metric,
    MinimaxConsumer,
    Neighbours,
    Prior,
    SideInformation,
    Table,
    neighbours,
)

__all__ = ["Decoder", "read_certificate"]


def read_certificate(data: bytes) -> Certificate:
    """The certificate in a file that the kernel accepts.

    Raises
    ------
    MalformedCertificateError, RejectedCertificateError, ResourceLimitError
        The kernel does not accept it; the message is the kernel's.
    """
    answer = check_bytes(data)
    errors = {"malformed": MalformedCertificateError, "rejected": RejectedCertificateError, "limit": ResourceLimitError}
    if answer.status != "accepted":
        raise errors[answer.status](answer.sentence, answer=answer)
    body = json.loads(data)
    return Certificate(body["claim"], body["definitions"], body["witness"], body.get("provenance", {}))


class Decoder:
    """Model objects of an accepted certificate, by name."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate

    def definition(self, name: str) -> Mechanism | Table | Loss | AdjacencyGraph | Metric:
        """The object that a definition describes."""
        d = self.certificate.definitions[name]
        match d["type"]:
            case "geometric":
                return geometric(d["n"], d["level"])
            case "mechanism":
                return Mechanism(matrix(d["rows"], len(d["outputs"])), tuple(d["inputs"]), tuple(d["outputs"]))
            case "table":
                return Table(matrix(d["rows"], len(d["outputs"])), tuple(d["inputs"]), tuple(d["outputs"]))
            case "path":
                return neighbours(f"path:{d['vertices']}")
            case "graph":
                return AdjacencyGraph(tuple(d["vertices"]), tuple((i, j) for i, j in d["edges"]))
            case "distances":
                return Metric(tuple(d["vertices"]), tuple((i, j, Distance.parse(text)) for i, j, text in d["pairs"]))
            case "loss":
                return Loss(matrix(d["rows"], len(d["guesses"])), tuple(d["inputs"]), tuple(d["guesses"]))
            case named:
                build = {"abs-loss": Loss.absolute, "squared-loss": Loss.squared, "zero-one-loss": Loss.zero_one}[named]
                return build(tuple(str(i) for i in range(d["n"] + 1)))

    def mechanism(self, key: str = "mechanism") -> Mechanism:
        """The mechanism that the claim names under ``key``."""
        found = self.definition(self.certificate.claim[key])
        assert isinstance(found, Mechanism)
        return found

    def neighbours(self) -> Neighbours:
        """The claim's neighbours."""
        found = self.definition(self.certificate.claim["neighbours"])
        assert isinstance(found, (AdjacencyGraph, Metric))
        return found

    def consumer(self) -> Consumer:
        """The claim's consumer."""
        c = self.certificate.claim["consumer"]
        loss = self.definition(c["loss"])
        assert isinstance(loss, Loss)
        if c["type"] == "bayesian":
            return BayesianConsumer(loss, Prior(vector(c["prior"], len(loss.inputs)), loss.inputs))
        return MinimaxConsumer(loss, SideInformation(tuple(c["side_information"]), loss.inputs))

    def dual(self) -> Dual:
        """The witness's dual, with a Bayesian consumer's prior as its weights."""
        d, consumer = self.certificate.witness["dual"], self.consumer()
        n, k = consumer.loss.matrix.shape
        weights = vector(d["weights"], n) if "weights" in d else consumer.prior.weights  # type: ignore[union-attr]
        potentials = vector(d["potentials"], n) if "potentials" in d else None
        edges = tuple(vector(row, k) for row in d["edges"]) if "edges" in d else None
        return Dual(weights, potentials, edges)

    def primal(self) -> Mechanism:
        """The optimal mechanism of the witness, or the claim's own."""
        consumer = self.consumer()
        k = len(consumer.loss.guesses)
        primal = self.certificate.witness.get("primal")
        if primal is None:
            return self.mechanism()
        if "rows" in primal:
            return Mechanism(matrix(primal["rows"], k), consumer.inputs, consumer.loss.guesses)
        deployed = geometric(len(consumer.inputs) - 1, self.certificate.claim["level"])
        return Mechanism(deployed.matrix @ matrix(primal["remap"], k), consumer.inputs, consumer.loss.guesses)


def vector(data: dict[str, Any], length: int) -> tuple[Rational, ...]:
    """A dense or sparse vector.

    >>> vector({"den": "2", "at": [1], "num": ["1"]}, 2)
    (Rational('0'), Rational('1/2'))
    """
    den = Rational(data["den"])
    at = data.get("at", range(length))
    values = {i: Rational(p) / den for i, p in zip(at, data["num"], strict=True)}
    return tuple(values.get(i, Rational(0)) for i in range(length))


def matrix(rows: list[dict[str, Any]], width: int) -> ExactMatrix:
    """A matrix from its rows."""
    return ExactMatrix([vector(row, width) for row in rows])
