# SPDX-License-Identifier: MIT
"""What there is to show of mechanisms, graphs, consumers and other values: facts and tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from exactdp.analysis.letters.conditions import Conditions
from exactdp.analysis.optimality.by_level import ByLevel
from exactdp.analysis.types.kernels import KernelMechanism
from exactdp.certificate import Certificate
from exactdp.certificate.verification import Checked
from exactdp.exact import ExactMatrix
from exactdp.mechanisms.libraries import Implemented
from exactdp.model import BayesianConsumer, Gain, Graph, Loss, Mechanism, Metric, MinimaxConsumer, Prior, Remap, Table
from exactdp.model.channel import Hyper
from exactdp.model.labels import brief
from exactdp.report.certificates import certificate_items
from exactdp.report.items import LARGEST_PRODUCT, TRUNCATE, Fact, Item, explained, grid_of, listing, row_grid
from exactdp.report.letters import conditions_items
from exactdp.report.levels import value_facts
from exactdp.report.types import kernel_grid

_TITLES: dict[type, str] = {
    Mechanism: "mechanism",
    Table: "table",
    Remap: "remap",
    Gain: "gain",
    Hyper: "hyper-distribution",
    ExactMatrix: "",
}


def items_of(thing: Any) -> list[Item]:
    """The facts and tables of a value, in reading order.

    Raises
    ------
    TypeError
        It is of no class that has a display.

    Examples
    --------
    >>> from exactdp import Prior, neighbours
    >>> [item.value for item in items_of(neighbours("path:3"))[:2]]
    ['path:3', '(0, 1, 2)']
    >>> [item.title for item in items_of(Prior(["1/2", "1/2"]))]
    ['prior']
    """
    for kind in type(thing).__mro__:
        if kind in _TITLES:
            return [grid_of(explained(_TITLES[kind], thing), thing)]
        if kind in _ITEMS:
            return _ITEMS[kind](thing)
    raise TypeError(f"a {type(thing).__name__} has no display")


def _graph(graph: Graph) -> list[Item]:
    edges = (f"{graph.vertices[i]} – {graph.vertices[j]}" for i, j in graph.edges)
    return [*_vertices("graph", graph), *listing("edges", edges, len(graph.edges), few=TRUNCATE)]


def _metric(metric: Metric) -> list[Item]:
    pairs = (f"d({metric.vertices[i]}, {metric.vertices[j]}) = {d}" for i, j, d in metric.distances)
    return [*_vertices("metric", metric), *listing("finite distances", pairs, len(metric.distances), few=TRUNCATE)]


def _vertices(what: str, neighbours: Graph | Metric) -> list[Item]:
    return [Fact(what, str(neighbours)), Fact("inputs", brief(neighbours.vertices))]


def _minimax(consumer: MinimaxConsumer) -> list[Item]:
    if not consumer.is_bound:  # its words have no inputs yet
        return [Fact("consumer", consumer.describe())]
    who = [Fact("consumer", "minimax"), Fact("side information", str(consumer.side_information))]
    return [*who, *_loss(consumer.loss)]


def _bayesian(consumer: BayesianConsumer) -> list[Item]:
    if not consumer.is_bound:
        return [Fact("consumer", consumer.describe())]
    return [Fact("consumer", "Bayesian"), *_prior(consumer.prior), *_loss(consumer.loss)]


def _loss(loss: Loss) -> list[Item]:
    """Its table; only its name where it is known by a formula and was not multiplied out."""
    if loss.gain is not None:
        return [grid_of(loss.title, loss.as_gain())]
    if loss.kind is not None and len(loss.inputs) > LARGEST_PRODUCT:
        return [Fact("loss", f"{loss.name} on {len(loss.inputs)} inputs")]
    return [grid_of(f"loss {loss.name}".strip(), loss)]


def _prior(prior: Prior) -> list[Item]:
    return [row_grid(explained("prior", ExactMatrix([prior.weights])), prior.weights, prior.inputs)]


def _checked(answer: Checked) -> list[Item]:
    broken = [Fact(name, text) for name, text in (("rule", answer.rule), ("at", answer.path)) if text]
    digest = [] if answer.digest is None else [Fact("digest", answer.digest)]
    return [Fact(answer.status, answer.sentence), Fact("file", answer.file), *broken, *digest]


def _implemented(found: Implemented) -> list[Item]:
    return [Fact("word", found.word), Fact("law", found.note), grid_of("mechanism", found.mechanism)]


_ITEMS: dict[type, Callable[[Any], list[Item]]] = {
    Graph: _graph,
    Metric: _metric,
    MinimaxConsumer: _minimax,
    BayesianConsumer: _bayesian,
    Prior: _prior,
    Loss: _loss,
    KernelMechanism: lambda kernel: [kernel_grid(kernel)],
    ByLevel: value_facts,
    Checked: _checked,
    Implemented: _implemented,
    Conditions: conditions_items,
    Certificate: lambda certificate: certificate_items(json.loads(certificate.to_json())),
}
