# SPDX-License-Identifier: MIT
"""Numbers and model objects as the JSON of SPEC.md §2–3."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from typing import Any

from exactdp.errors import DomainError
from exactdp.exact import ExactMatrix, Rational, integer_vector
from exactdp.mechanisms import geometric
from exactdp.model import AdjacencyGraph, BayesianConsumer, Consumer, Loss, Mechanism, Metric, Neighbours, Remap, Table

__all__ = ["Definitions", "consumer_json", "matrix_json", "rational_json", "sparse_json", "vector_json"]


def rational_json(x: Any) -> str:
    """A rational in lowest terms.

    >>> rational_json(Rational(2, 4))
    '1/2'
    """
    if not isinstance(x, Rational):
        raise DomainError(f"format 0.1 writes rationals only, not {x!r}", value=x)
    return str(x)


def vector_json(values: Sequence[Any]) -> dict[str, Any]:
    """A vector over one denominator, sparse when fewer than half of its entries are non-zero.

    >>> vector_json([Rational("1/2"), Rational("1/3")])
    {'den': '6', 'num': ['3', '2']}
    >>> vector_json([Rational(0), Rational(0), Rational(1)])
    {'den': '1', 'at': [2], 'num': ['1']}
    """
    for x in values:
        rational_json(x)
    den, num = integer_vector(list(values))
    divisor = gcd(den, *num)
    den, num = den // divisor, [p // divisor for p in num]
    at = [i for i, p in enumerate(num) if p]
    if 2 * len(at) < len(num):
        return {"den": _text(den), "at": at, "num": [_text(num[i]) for i in at]}
    return {"den": _text(den), "num": [_text(p) for p in num]}


def sparse_json(row: dict[int, Any]) -> dict[str, Any]:
    """A sparse vector from its non-zero entries.

    >>> sparse_json({1: Rational("1/3"), 0: Rational("2/3")})
    {'den': '3', 'at': [0, 1], 'num': ['2', '1']}
    """
    at = sorted(row)
    den, num = integer_vector([row[i] for i in at])
    return {"den": _text(den), "at": at, "num": [_text(p) for p in num]}


def matrix_json(rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """A matrix as the list of its rows."""
    return [vector_json(row) for row in rows]


def _text(number: int) -> str:
    return str(Rational(number))  # unlike str(int) without a digit limit


def consumer_json(consumer: Consumer, loss_name: str) -> dict[str, Any]:
    """A consumer, its loss by name."""
    if isinstance(consumer, BayesianConsumer):
        return {"type": "bayesian", "loss": loss_name, "prior": vector_json(consumer.prior.weights)}
    return {"type": "minimax", "loss": loss_name, "side_information": list(consumer.side_information.indices)}


class Definitions:
    """The definitions of one certificate, each written by name where the format has a name for it."""

    def __init__(self) -> None:
        self.objects: dict[str, Any] = {}

    def mechanism(self, name: str, mechanism: Mechanism) -> str:
        """Define a mechanism; the geometric one by n and level."""
        self.objects[name] = _geometric_json(mechanism) or {
            "type": "mechanism",
            **_labelled(mechanism.inputs, mechanism.outputs, mechanism.matrix),
        }
        return name

    def remap(self, name: str, remap: Remap) -> str:
        """Define a given remap, as a mechanism from outputs to guesses."""
        self.objects[name] = {"type": "mechanism", **_labelled(remap.outputs, remap.guesses, remap.matrix)}
        return name

    def table(self, name: str, table: Table) -> str:
        """Define a table that need not be a mechanism."""
        self.objects[name] = {"type": "table", **_labelled(table.inputs, table.outputs, table.matrix)}
        return name

    def neighbours(self, name: str, neighbours: Neighbours) -> str:
        """Define a graph (a numbered path by its size) or a table of distances."""
        labels = list(neighbours.vertices)
        if isinstance(neighbours, Metric):
            pairs = [[i, j, str(d)] for i, j, d in neighbours.pairs()]
            self.objects[name] = {"type": "distances", "vertices": labels, "pairs": pairs}
        elif neighbours.edges == tuple((i, i + 1) for i in range(len(labels) - 1)) and _numbered(labels):
            self.objects[name] = {"type": "path", "vertices": len(labels)}
        else:
            assert isinstance(neighbours, AdjacencyGraph)
            self.objects[name] = {"type": "graph", "vertices": labels, "edges": [list(edge) for edge in neighbours.edges]}
        return name

    def loss(self, name: str, loss: Loss) -> str:
        """Define a loss; the usual three on 0..n by name."""
        self.objects[name] = _named_loss_json(loss) or {
            "type": "loss",
            "inputs": list(loss.inputs),
            "guesses": list(loss.guesses),
            "rows": matrix_json(loss.matrix.rows()),
        }
        return name


def _labelled(inputs: tuple[str, ...], outputs: tuple[str, ...], matrix: ExactMatrix) -> dict[str, Any]:
    return {"inputs": list(inputs), "outputs": list(outputs), "rows": matrix_json(matrix.rows())}


def _numbered(labels: Sequence[str]) -> bool:
    return list(labels) == [str(i) for i in range(len(labels))]


def _geometric_json(mechanism: Mechanism) -> dict[str, Any] | None:
    n = mechanism.n_inputs - 1
    if n < 1 or mechanism.n_outputs != n + 1 or not (_numbered(mechanism.inputs) and _numbered(mechanism.outputs)):
        return None
    if not mechanism[0, 0]:
        return None
    alpha = mechanism[1, 0] / mechanism[0, 0]
    if not 0 < alpha < 1 or geometric(n, alpha).matrix != mechanism.matrix:
        return None
    return {"type": "geometric", "n": n, "level": rational_json(alpha)}


def _named_loss_json(loss: Loss) -> dict[str, Any] | None:
    if not _numbered(loss.inputs) or loss.inputs != loss.guesses:
        return None
    if loss.kind is not None:
        return {"type": f"{loss.kind}-loss", "n": len(loss.inputs) - 1}
    named = {"abs": Loss.absolute, "squared": Loss.squared, "zero-one": Loss.zero_one}
    for kind, build in named.items():
        if build(loss.inputs) == loss:
            return {"type": f"{kind}-loss", "n": len(loss.inputs) - 1}
    return None
