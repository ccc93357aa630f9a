# SPDX-License-Identifier: MIT
"""Hyper-distributions: what a channel does to a prior, whatever its outputs are called.

The joint distribution of input and output under a prior π is J_xy = π_x C_xy. Each output y with positive probability p_y = Σ_x J_xy (the
*outer*) leaves the posterior J_xy/p_y (an *inner*). The hyper [π▷C] lists the distinct inners, outputs with the same one being merged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactdp.errors import InputError, NegativeEntryError, NotStochasticError
from exactdp.exact import ExactMatrix
from exactdp.model.consumer import Prior
from exactdp.model.labels import Labels, require_same_labels
from exactdp.model.stochastic import Mechanism

__all__ = ["Hyper", "joint", "posteriors"]


def joint(prior: Prior, channel: Mechanism) -> ExactMatrix:
    """The joint distribution π_x C_xy.

    >>> joint(Prior(["1/2", "1/2"]), Mechanism([[1, 0], ["1/2", "1/2"]]))
    ExactMatrix([['1/2', '0'], ['1/4', '1/4']])
    """
    require_same_labels(channel.inputs, prior.inputs, got_what="the channel's inputs", expected_what="the prior's")
    return ExactMatrix([[p * x for x in row] for p, row in zip(prior.weights, channel.rows(), strict=True)])


def posteriors(prior: Prior, channel: Mechanism) -> tuple[tuple[str, Any, tuple[Any, ...]], ...]:
    """For each output of positive probability: its label, its probability and the posterior.

    >>> posteriors(Prior(["1/2", "1/2"]), Mechanism([[1, 0], ["1/2", "1/2"]]))[1]
    ('1', Rational('1/4'), (Rational('0'), Rational('1')))
    """
    found = []
    table = joint(prior, channel)
    for label, column in zip(channel.outputs, zip(*table.rows(), strict=True), strict=True):
        total = sum(column, table.field.zero)
        if total:
            found.append((label, total, tuple(x / total for x in column)))
    return tuple(found)


@dataclass(frozen=True)
class Hyper:
    """A distribution over distributions of the inputs, in reduced form: distinct inners, in increasing order, with positive weights.

    Parameters
    ----------
    inners : tuple of tuples
        Each ≥ 0 with sum 1.
    outer : tuple
        > 0 with sum 1.
    inputs : tuple of str

    Raises
    ------
    InputError
        Inners repeat, or their numbers differ from the weights'.
    NegativeEntryError, NotStochasticError
        A weight or probability is wrong.

    Examples
    --------
    >>> half = Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])
    >>> h = Hyper.of(Prior(["1/3", "2/3"]), half)
    >>> h.inners, h.outer, h.channel().matrix
    (((Rational('1/3'), Rational('2/3')),), (Rational('1'),), ExactMatrix([['1'], ['1']]))
    """

    inners: tuple[tuple[Any, ...], ...]
    outer: tuple[Any, ...]
    inputs: Labels

    def __post_init__(self) -> None:
        if len(self.inners) != len(self.outer) or not self.inners:
            raise InputError(f"{len(self.inners)} inners with {len(self.outer)} weights", expected=len(self.inners), got=len(self.outer))
        for what, values in (("the outer", self.outer), *((f"inner {k}", inner) for k, inner in enumerate(self.inners))):
            for x in values:
                if x < 0 or (what == "the outer" and not x):
                    raise NegativeEntryError(f"{what} has the entry {x}", value=x)
            total = sum(values[1:], values[0])
            if total != 1:
                raise NotStochasticError(f"{what} sums to {total}, not 1", rows=((what, total, total - 1),))
        if len(set(self.inners)) != len(self.inners):
            raise InputError("an inner occurs twice; a hyper-distribution lists each once", inners=self.inners)

    @classmethod
    def of(cls, prior: Prior, channel: Mechanism) -> Hyper:
        """The hyper [π▷C]."""
        weights: dict[tuple[Any, ...], Any] = {}
        for _, p, inner in posteriors(prior, channel):
            weights[inner] = weights[inner] + p if inner in weights else p
        inners = sorted(weights)
        return cls(tuple(inners), tuple(weights[inner] for inner in inners), channel.inputs)

    @classmethod
    def mixture(cls, hypers: list[Hyper], weights: list[Any]) -> Hyper:
        """The convex combination Σ w_k Δ_k, common inners being merged."""
        total: dict[tuple[Any, ...], Any] = {}
        for hyper, w in zip(hypers, weights, strict=True):
            for inner, p in zip(hyper.inners, hyper.outer, strict=True):
                if w:
                    total[inner] = total[inner] + w * p if inner in total else w * p
        inners = sorted(total)
        return cls(tuple(inners), tuple(total[inner] for inner in inners), hypers[0].inputs)

    def prior(self) -> Prior:
        """The prior: the inners averaged by the outer (Lemma 2)."""
        zero = self.outer[0] * 0
        means = [sum((p * inner[x] for p, inner in zip(self.outer, self.inners, strict=True)), zero) for x in range(len(self.inputs))]
        return Prior(means, self.inputs)

    def channel(self) -> Mechanism:
        """The channel C with [π▷C] = this hyper, π being its prior.

        Raises
        ------
        InputError
            An input has probability 0: then its row is not determined.
        """
        prior = self.prior()
        for label, p in zip(self.inputs, prior.weights, strict=True):
            if not p:
                raise InputError(f"the input {label} has probability 0, so that its row of the channel is not determined", input=label)
        rows = [[p * inner[x] / prior[x] for p, inner in zip(self.outer, self.inners, strict=True)] for x in range(len(self.inputs))]
        return Mechanism(rows, self.inputs)

    def is_independent(self) -> bool:
        """Whether the inners are linearly independent."""
        return ExactMatrix([list(inner) for inner in self.inners]).rank() == len(self.inners)
