# SPDX-License-Identifier: MIT
"""Write an optimality certificate in the VIPR 1.0 format, for a checker that we did not write.

The file holds the whole optimal-mechanism LP (variables x_i_r ≥ 0, for a minimax consumer also d; rows as in
[gs2010, 2.5]), the optimal mechanism as its solution, and one derivation: the linear combination of the rows
with the dual multipliers that gives objective ≥ value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from exactdp.analysis import dual_bound
from exactdp.analysis.optimality.dual import edge_slacks, explicit_dual
from exactdp.certificate.certificate import Certificate
from exactdp.certificate.decode import Decoder
from exactdp.errors import InputError
from exactdp.model import BayesianConsumer, Consumer, Dual, Graph, Mechanism, Neighbours, PrivacyLevel


@dataclass(frozen=True, slots=True)
class _Row:
    """One constraint: Σ coefficient · variable, sense (E, G), right side, and its multiplier."""

    name: str
    sense: str
    rhs: Any
    terms: dict[int, Any]
    multiplier: Any


def to_vipr(certificate: Certificate) -> str:
    """The VIPR 1.0 text of a certificate of kind ``optimal``.

    Parameters
    ----------
    certificate : Certificate
        Of kind ``optimal``, accepted by the checker (:func:`exactdp.certificate.decode.read_certificate`).

    Returns
    -------
    str
        ``VER 1.0`` … ``DER 1``; the relation to prove is ``range value value``.

    Raises
    ------
    InputError
        The certificate is of another kind.
    """
    kind = certificate.kind
    if kind != "optimal":
        raise InputError(f"only a certificate of kind 'optimal' states one LP optimum; this one is '{kind}'", kind=kind)
    decoder = Decoder(certificate)
    consumer, neighbours = decoder.consumer(), decoder.neighbours()
    level = PrivacyLevel(certificate.claim["level"])
    dual = decoder.dual()
    if dual.edges is None:
        assert isinstance(neighbours, Graph)
        dual = explicit_dual(neighbours, level, consumer, dual)
    assert dual_bound(neighbours, level, consumer, dual).value is not None
    primal = decoder.primal()
    value = consumer.loss_of(primal)
    rows = list(_rows(neighbours, level, consumer, dual))
    return "\n".join(_lines(consumer, primal, rows, value)) + "\n"


def _rows(neighbours: Neighbours, level: PrivacyLevel, consumer: Consumer, dual: Dual) -> Iterator[_Row]:
    """The LP's rows with their multipliers; first, as the format wants, x ≥ 0 with the reduced costs."""
    loss = consumer.loss.matrix
    n, k = loss.shape
    one, zero = loss.field.one, loss.field.zero
    assert dual.potentials is not None
    assert dual.edges is not None
    costs = [[w * x - u for x in loss.row(i)] for i, (w, u) in enumerate(zip(dual.weights, dual.potentials, strict=True))]
    for i, row in enumerate(edge_slacks(neighbours, level, costs, dual.edges)):
        for r, slack in enumerate(row):
            yield _Row(f"bound_{i}_{r}", "G", zero, {i * k + r: one}, slack)
    for i in range(n):
        yield _Row(f"sum_{i}", "E", one, {i * k + r: one for r in range(k)}, dual.potentials[i])
    if not isinstance(consumer, BayesianConsumer):
        for i in consumer.side_information.indices:
            terms = {i * k + r: -loss[i, r] for r in range(k) if loss[i, r]}
            yield _Row(f"loss_{i}", "G", zero, {**terms, n * k: one}, dual.weights[i])
    for (i, j, distance), multipliers in zip(neighbours.pairs(), dual.edges, strict=True):
        a = level.power(distance)
        for r, u in enumerate(multipliers):
            yield _Row(f"private_{i}_{j}_{r}", "G", zero, {i * k + r: one, j * k + r: -a}, max(u, zero))
            yield _Row(f"private_{j}_{i}_{r}", "G", zero, {j * k + r: one, i * k + r: -a}, max(-u, zero))


def _lines(consumer: Consumer, primal: Mechanism, rows: list[_Row], value: Any) -> Iterator[str]:
    n, k = consumer.loss.matrix.shape
    bayesian = isinstance(consumer, BayesianConsumer)
    names = [f"x_{i}_{r}" for i in range(n) for r in range(k)] + ([] if bayesian else ["d"])
    point = {i * k + r: primal[i, r] for i in range(n) for r in range(k)}
    if isinstance(consumer, BayesianConsumer):
        weights = consumer.prior.weights
        objective = {i * k + r: weights[i] * consumer.loss.matrix[i, r] for i in range(n) for r in range(k)}
    else:
        objective, point = {n * k: consumer.loss.matrix.field.one}, {**point, n * k: value}
    yield "VER 1.0"
    yield f"VAR {len(names)}"
    yield from names
    yield "INT 0"
    yield "OBJ min"
    yield _sparse(objective)
    yield f"CON {len(rows)} {n * k}"
    for row in rows:
        yield f"{row.name} {row.sense} {row.rhs} {_sparse(row.terms)}"
    yield f"RTP range {value} {value}"
    yield "SOL 1"
    yield f"optimum {_sparse(point)}"
    yield "DER 1"
    used = {index: row.multiplier for index, row in enumerate(rows)}
    yield f"bound G {value} OBJ {{ lin {_sparse(used)} }} -1"


def _sparse(terms: dict[int, Any]) -> str:
    kept = [(i, c) for i, c in terms.items() if c]
    return " ".join([str(len(kept)), *(f"{i} {c}" for i, c in kept)])
