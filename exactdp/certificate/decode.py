# SPDX-License-Identifier: MIT
"""A certificate read back into model objects, to show or convert it; the checker alone judges it."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

from exactdp.certificate.certificate import Certificate
from exactdp.certificate.compact import multipliers_of, rows_of
from exactdp.certificate.encode import Numbers
from exactdp.checker.kernel import check_bytes
from exactdp.errors import DefectiveAnswerError, InputError, MalformedCertificateError, RejectedCertificateError, ResourceLimitError
from exactdp.exact import QQ, ExactMatrix, Rational
from exactdp.mechanisms import geometric, randomized_response
from exactdp.model import (
    BayesianConsumer,
    Consumer,
    Distance,
    Dual,
    Graph,
    Labels,
    Loss,
    Mechanism,
    Metric,
    MinimaxConsumer,
    Neighbours,
    PrintedTable,
    Prior,
    PrivacyLevel,
    SideInformation,
    Table,
    as_labels,
    neighbours,
)
from exactdp.model.loss import loss_of_labels
from exactdp.model.named_losses import OF_CERTIFICATES


def read_certificate(data: bytes) -> Certificate:
    """The certificate in a file that the checker accepts.

    * raises MalformedCertificateError, RejectedCertificateError, ResourceLimitError: the checker does not
      accept it; the message is the checker's.
    """
    answer = check_bytes(data)
    errors = {"malformed": MalformedCertificateError, "rejected": RejectedCertificateError, "limit": ResourceLimitError}
    if answer.status != "accepted":
        raise errors[answer.status](answer.sentence, answer=answer)
    body = json.loads(data)
    return Certificate(body["claim"], body["definitions"], body["witness"], body.get("provenance", {}), answer.sentence)


class Decoder:
    """Model objects of an accepted certificate, by name."""

    def __init__(self, certificate: Certificate, numbers: Numbers | None = None) -> None:
        self.certificate = certificate
        self.numbers = Numbers(certificate.definitions) if numbers is None else numbers

    def definition(self, name: str) -> Mechanism | Table | PrintedTable | Loss | Graph | Metric:
        """The object that a definition describes; of a printed table only the ends are in it."""
        d = self.certificate.definitions[name]
        match d["type"]:
            case "geometric":
                return geometric(d["n"], self.numbers.scalar(d["level"]))
            case "randomized-response":
                return randomized_response(_labels(d["inputs"]), alpha=self.numbers.scalar(d["level"]))
            case "mechanism":
                return Mechanism(self.numbers.matrix(d["rows"], len(d["outputs"])), _labels(d["inputs"]), _labels(d["outputs"]))
            case "table":
                return Table(self.numbers.matrix(d["rows"], len(d["outputs"])), _labels(d["inputs"]), _labels(d["outputs"]))
            case "printed":
                lower, upper = (self.numbers.matrix(d[key], len(d["outputs"])) for key in ("lower", "upper"))
                middle = ExactMatrix(
                    [[(x + y) / 2 for x, y in zip(*rows, strict=True)] for rows in zip(lower.rows(), upper.rows(), strict=True)]
                )
                return PrintedTable(middle, lower, upper, _labels(d["inputs"]), _labels(d["outputs"]), "auto")
            case "path":
                return neighbours(f"path:{d['vertices']}")
            case "complete":
                return Graph.complete(_labels(d["vertices"]))
            case "graph":
                return Graph(_labels(d["vertices"]), tuple((i, j) for i, j in d["edges"]))
            case "distances":
                return Metric(_labels(d["vertices"]), tuple((i, j, Distance.parse(text)) for i, j, text in d["pairs"]))
            case "loss":
                return Loss(self.numbers.matrix(d["rows"], len(d["guesses"])), _labels(d["inputs"]), _labels(d["guesses"]))
            case named if named in OF_CERTIFICATES:
                return loss_of_labels(OF_CERTIFICATES[named], range(d["n"] + 1))
            case unknown:
                raise DefectiveAnswerError(
                    f"the type {unknown!r} of a definition is unknown; it is to be added in exactdp/certificate/decode.py, or to "
                    "exactdp/model/named_losses.py if it is a loss",
                    type=unknown,
                )

    def mechanism(self, key: str = "mechanism") -> Mechanism:
        """The mechanism that the claim names under ``key``."""
        found = self.definition(self.certificate.claim[key])
        assert isinstance(found, Mechanism)
        return found

    def table(self) -> Table:
        """The one table that the certificate is about: its claim's, its only one, or its witness's optimum.

        Raises InputError if there are several, or none.
        """
        definitions = self.certificate.definitions
        known = [name for name, d in definitions.items() if d["type"] in {"geometric", "randomized-response", "mechanism", "table"}]
        claimed = [self.certificate.claim[key] for key in ("mechanism", "table") if key in self.certificate.claim]
        if not known and "primal" in self.certificate.witness:
            return self.primal().as_table()
        if len(claimed or known) != 1:
            many = f"the tables {', '.join(known)}, and a file has room for one" if known else "no table that is written out"
            raise InputError(f"the certificate has {many}", tables=known)
        found = self.definition((claimed or known)[0])
        assert isinstance(found, (Mechanism, Table))
        return found.as_table() if isinstance(found, Mechanism) else found

    def neighbours(self) -> Neighbours:
        """The claim's neighbours."""
        found = self.definition(self.certificate.claim["neighbours"])
        assert isinstance(found, (Graph, Metric))
        return found

    def consumer(self) -> Consumer:
        """The claim's consumer."""
        c = self.certificate.claim["consumer"]
        loss = self.definition(c["loss"])
        assert isinstance(loss, Loss)
        if c["type"] == "bayesian":
            return BayesianConsumer(loss, Prior(self.numbers.vector(c["prior"], len(loss.inputs)), loss.inputs))
        return MinimaxConsumer(loss, SideInformation(tuple(c["side_information"]), loss.inputs))

    def dual(self) -> Dual:
        """The witness's dual, with a Bayesian consumer's prior as its weights."""
        d, consumer = self.certificate.witness["dual"], self.consumer()
        n, k = consumer.loss.matrix.shape
        weights = self.numbers.vector(d["weights"], n) if "weights" in d else consumer.prior.weights  # type: ignore[union-attr]
        potentials = self.numbers.vector(d["potentials"], n) if "potentials" in d else None
        edges: list[tuple[Any, ...]] | None = [self.numbers.vector(row, k) for row in d["edges"]] if "edges" in d else None
        if "folds" in d:
            assert potentials is not None
            level, pairs = PrivacyLevel(self.certificate.claim["level"]), self.pairs()
            costs = [[w * x - u for x in consumer.loss.matrix.row(i)] for i, (w, u) in enumerate(zip(weights, potentials, strict=True))]
            powers = [(i, j, level.power(distance)) for i, j, distance in pairs]
            edges = [tuple(row) for row in multipliers_of(d["folds"], edges or [(QQ.zero,) * k for _ in pairs], powers, costs)]
        return Dual(weights, potentials, None if edges is None else tuple(edges))

    def pairs(self) -> list[tuple[int, int, Distance]]:
        """The claim's constrained pairs, with their distances: not always those of a metric (SPEC §3)."""
        d = self.certificate.definitions[self.certificate.claim["neighbours"]]
        one = Distance.of(1)
        match d["type"]:
            case "distances":
                return [(i, j, Distance.parse(text)) for i, j, text in d["pairs"]]
            case "complete":
                return [(i, j, one) for i, j in combinations(range(len(d["vertices"])), 2)]
            case "graph":
                return [(i, j, one) for i, j in d["edges"]]
            case "path":
                return [(i, i + 1, one) for i in range(d["vertices"] - 1)]
            case unknown:
                raise DefectiveAnswerError(
                    f"the type {unknown!r} of neighbours is unknown; it is to be added in exactdp/certificate/decode.py", type=unknown
                )

    def primal(self) -> Mechanism:
        """The optimal mechanism of the witness, or the claim's own."""
        consumer = self.consumer()
        k = len(consumer.loss.guesses)
        primal = self.certificate.witness.get("primal")
        if primal is None:
            return self.mechanism()
        if "rows" in primal:
            return Mechanism(self.numbers.matrix(primal["rows"], k), consumer.inputs, consumer.loss.guesses)
        if "components" in primal:
            rows = rows_of(primal["components"], len(consumer.inputs), k, Rational(self.certificate.claim["level"]))
            return Mechanism(ExactMatrix(rows), consumer.inputs, consumer.loss.guesses)
        deployed = geometric(len(consumer.inputs) - 1, self.numbers.scalar(self.certificate.claim["level"]))
        return Mechanism(deployed.matrix @ self.numbers.matrix(primal["remap"], k), consumer.inputs, consumer.loss.guesses)


def _labels(names: list[str]) -> Labels:
    """A certificate writes 0, 1, … for what is unlabelled; in its objects they mean nothing else."""
    return as_labels(range(len(names)) if names == [str(i) for i in range(len(names))] else names)
