# SPDX-License-Identifier: MIT
"""Consumers: who uses the output, what a wrong guess costs them, what they know; their problem and its dual.

A minimax consumer knows a set S of possible inputs and suffers max over i ∈ S of Σ_r l(i,r) x[i][r]; a
Bayesian consumer has a prior π and suffers Σ_i π_i Σ_r l(i,r) x[i][r].

With weights w on the inputs (a prior), a channel M and a table l of losses, guess g at output y costs C_yg =
Σ_x w_x M_xy l(x,g). A remap that picks the best guess of every output costs Σ_y min_g C_yg, the least of all
remaps [gs2010, 2.4.3]; with a table of gains it has the most, Σ_y max_g C_yg.

The problem: which mechanism that is private at a level between neighbours has the least loss for a consumer
[gs2010, 2.5]? Its dual says why no private mechanism does better. For weights w on the inputs every α-private
x has loss(x) ≥ Σ_i w_i Σ_r l(i,r) x_ir; the rest of the dual bounds the right side from below. The three
forms are those of SPEC.md §4.2:

* **path rule**: weights only (the least favourable prior); everything else is recomputed (docs/mathematics.md
  §1);
* **forest rule**: weights and potentials μ; a sweep over the tree decides (docs/mathematics.md §2);
* **graph rule**: weights, potentials and one signed multiplier for each constrained pair and guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import attrs

from exactdp.display import Displayed
from exactdp.errors import InputError, LabelError
from exactdp.exact import ExactMatrix, entries_of, largest, members_of, number_of_place, smallest
from exactdp.model.graph import Neighbours
from exactdp.model.labels import Label, Labels, as_labels, brief, integer_labels, places_in, position_of
from exactdp.model.level import PrivacyLevel
from exactdp.model.loss import Loss
from exactdp.model.mechanism import Mechanism, Table
from exactdp.model.vectors import Prior


@attrs.frozen(init=False)
class SideInformation:
    """The set S of inputs that a minimax consumer holds possible.

    Parameters
    ----------
    indices : iterable of int
        Input numbers, from 0; not empty, each once. Kept in increasing order.
    inputs : sequence of str or int
        The labels of all inputs.

    Examples
    --------
    >>> SideInformation.parse("1..3", range(5)).indices
    (1, 2, 3)
    >>> SideInformation.of(["b"], ["a", "b"]).labels
    ('b',)
    """

    indices: tuple[int, ...]
    inputs: Labels

    def __init__(self, indices: Iterable[int], inputs: Iterable[Label]) -> None:
        numbers = sorted(number_of_place(i, "input number") for i in members_of(indices, "input numbers"))
        self.__attrs_init__(tuple(numbers), as_labels(inputs, what="input label"))

    def __attrs_post_init__(self) -> None:
        if not self.indices:
            raise InputError("the side information is empty: some input must be possible", indices=())
        for place, i in enumerate(self.indices):
            if not 0 <= i < len(self.inputs):
                raise LabelError(f"input number {i}: the {len(self.inputs)} inputs are numbered 0 to {len(self.inputs) - 1}", label=i)
            if place and self.indices[place - 1] == i:
                raise LabelError(f"the input {self.inputs[i]!r} is given twice in the side information", label=self.inputs[i])

    @classmethod
    def of(cls, labels: Iterable[Label], inputs: Iterable[Label]) -> SideInformation:
        """The set with these *labels* (an int is a label, not a position)."""
        known = as_labels(inputs, what="input label")
        return cls([position_of(label, known, what="input") for label in members_of(labels, "possible inputs")], known)

    @classmethod
    def everything(cls, inputs: Iterable[Label]) -> SideInformation:
        """All inputs are possible."""
        known = as_labels(inputs, what="input label")
        return cls(range(len(known)), known)

    @classmethod
    def parse(cls, text: str, inputs: Iterable[Label]) -> SideInformation:
        """Read ``0..3`` (integer labels from 0 to 3), ``1,2,5``, or ``0,0;0,1`` where labels have commas."""
        known = as_labels(inputs, what="input label")
        if text in known:
            return cls.of([text], known)
        span = re.fullmatch(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})", text, re.ASCII)
        if span is None:
            separator = ";" if any("," in label for label in known) else ","
            return cls.of([word.strip() for word in text.split(separator)], known)
        low, high = int(span[1]), int(span[2])
        if low > high:
            raise InputError(f"the side information {text!r} is empty: {low} > {high}", text=text)
        values = integer_labels(known, purpose=f"the range {text!r}")
        missing = [end for end in (low, high) if end not in values]
        if missing:
            raise LabelError(
                f"unknown input {str(missing[0])!r} in {text!r}; the labels are {brief(known)}", label=str(missing[0]), labels=known
            )
        return cls([i for i, value in enumerate(values) if low <= value <= high], known)

    def aligned(self, inputs: Labels) -> SideInformation:
        """The same set among these inputs: matched by label, or by position if neither is labelled."""
        if self.inputs == inputs:
            return self
        places = places_in(self.inputs, inputs, got_what="the side information's inputs", expected_what="the inputs asked about")
        return SideInformation([k for k, i in enumerate(places) if i in self.indices], inputs)

    def relabelled(self, inputs: Iterable[Label]) -> SideInformation:
        """The same places with other labels.

        >>> SideInformation([1], range(2)).relabelled(["no", "yes"]).labels
        ('yes',)
        """
        return SideInformation(self.indices, as_labels(inputs, len(self.inputs), what="input label"))

    @property
    def labels(self) -> Labels:
        """The labels of the possible inputs."""
        return tuple(self.inputs[i] for i in self.indices)

    def __contains__(self, i: int) -> bool:
        return i in self.indices

    def __str__(self) -> str:
        runs = groupby(enumerate(self.indices), key=lambda pair: pair[1] - pair[0])
        return "{" + ", ".join(self._span([index for _, index in run]) for _, run in runs) + "}"

    def _span(self, run: Sequence[int]) -> str:
        """A run of neighbouring inputs, from three on as its ends."""
        labels = [self.inputs[i] for i in run]
        return ", ".join(labels) if len(labels) < 3 else f"{labels[0]}..{labels[-1]}"


class _HasLoss(Displayed):
    """What both kinds of consumers can say from their loss."""

    __slots__ = ()

    loss: Loss

    @property
    def inputs(self) -> Labels:
        """The input labels."""
        return self.loss.inputs

    def row_losses(self, mechanism: Mechanism | Table) -> tuple[Any, ...]:
        """The expected loss Σ_r l(i,r) x[i][r] at every input i."""
        mechanism = mechanism.aligned(self.loss.inputs, self.loss.guesses)
        pairs = zip(self.loss.matrix.rows(), mechanism.rows(), strict=True)
        return tuple(sum((v * x for v, x in zip(values, row, strict=True)), mechanism.field.zero) for values, row in pairs)

    @property
    def _loss_name(self) -> str:
        return self.loss.name or "given by a table"


@attrs.frozen(init=False)
class MinimaxConsumer(_HasLoss):
    """A consumer who prepares for the worst input among those that the side information leaves.

    Parameters
    ----------
    loss : Loss
    side_information : SideInformation, optional
        Everything unless given.

    Examples
    --------
    >>> consumer = MinimaxConsumer(Loss.absolute(range(2)))
    >>> consumer.loss_of(Mechanism([["2/3", "1/3"], ["1/4", "3/4"]]))
    Rational('1/3')
    >>> consumer.describe()
    'the minimax consumer with loss abs and side information {0, 1}'
    """

    loss: Loss
    side_information: SideInformation

    def __init__(self, loss: Loss, side_information: SideInformation | None = None) -> None:
        if side_information is not None and not isinstance(side_information, SideInformation):
            kind = type(side_information).__name__
            raise InputError(f"the side information is a {kind}; make it with SideInformation.of(…)", value=side_information)
        possible = SideInformation.everything(loss.inputs) if side_information is None else side_information.aligned(loss.inputs)
        self.__attrs_init__(loss, possible)

    def aligned(self, inputs: Labels | None = None, guesses: Labels | None = None) -> MinimaxConsumer:
        """The same consumer with inputs and guesses in the order of these labels, as :meth:`Loss.aligned`."""
        loss = self.loss.aligned(inputs, guesses)
        return self if loss is self.loss else MinimaxConsumer(loss, self.side_information.aligned(loss.inputs))

    def loss_of(self, mechanism: Mechanism | Table) -> Any:
        """The largest expected loss over S."""
        rows = self.row_losses(mechanism)
        return largest(rows[i] for i in self.side_information.indices)

    def describe(self) -> str:
        """One line for people."""
        return f"the minimax consumer with loss {self._loss_name} and side information {self.side_information}"


@attrs.frozen(init=False)
class BayesianConsumer(_HasLoss):
    """A consumer who minimises the expected loss under a prior.

    Parameters
    ----------
    loss : Loss
    prior : Prior, optional
        Uniform unless given.

    Examples
    --------
    >>> consumer = BayesianConsumer(Loss.zero_one(range(2)), Prior(["1/4", "3/4"]))
    >>> consumer.loss_of(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]))
    Rational('1/3')
    """

    loss: Loss
    prior: Prior

    def __init__(self, loss: Loss, prior: Prior | None = None) -> None:
        if prior is not None and not isinstance(prior, Prior):
            raise InputError(f"the prior is a {type(prior).__name__}; make it with Prior(…)", value=prior)
        self.__attrs_init__(loss, Prior.uniform(loss.inputs) if prior is None else prior.aligned(loss.inputs))

    def aligned(self, inputs: Labels | None = None, guesses: Labels | None = None) -> BayesianConsumer:
        """The same consumer with inputs and guesses in the order of these labels, as :meth:`Loss.aligned`."""
        loss = self.loss.aligned(inputs, guesses)
        return self if loss is self.loss else BayesianConsumer(loss, self.prior.aligned(loss.inputs))

    def loss_of(self, mechanism: Mechanism | Table) -> Any:
        """The expected loss under the prior."""
        terms = [p * v for p, v in zip(self.prior.weights, self.row_losses(mechanism), strict=True)]
        return sum(terms[1:], terms[0])

    def describe(self) -> str:
        """One line for people."""
        return f"the Bayesian consumer with loss {self._loss_name} and prior {self.prior}"


Consumer = MinimaxConsumer | BayesianConsumer


def guess_costs(weights: Sequence[Any], channel: ExactMatrix, table: ExactMatrix) -> ExactMatrix:
    """The matrix Σ_x w_x M_xy l(x,g), outputs × guesses.

    >>> guess_costs([1, 1], ExactMatrix([[1, 0], ["1/2", "1/2"]]), ExactMatrix([[0, 1], [1, 0]]))
    ExactMatrix([['1/2', '1'], ['1/2', '0']])
    """
    joint = ExactMatrix([[w * x for x in row] for w, row in zip(weights, channel.rows(), strict=True)])
    return joint.T @ table


def least_cost(weights: Sequence[Any], channel: ExactMatrix, table: ExactMatrix, *, best: Callable[[Sequence[Any]], Any] = smallest) -> Any:
    """Σ_y min_g Σ_x w_x M_xy l(x,g); with ``best=max`` the largest expected gain.

    ``best`` chooses among the costs of one output: over ℚ(α) ``min`` refuses what is not the least on the
    whole interval in every comparison, :func:`~exactdp.exact.smallest` only what is not in the end.

    >>> least_cost([1, 1], ExactMatrix([[1, 0], ["1/2", "1/2"]]), ExactMatrix([[0, 1], [1, 0]]))
    Rational('1/2')
    """
    costs = guess_costs(weights, channel, table)
    return sum((best(row) for row in costs.rows()), costs.field.zero)


class Problem(NamedTuple):
    """The least loss for a consumer of a mechanism that is private at a level between neighbours."""

    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer


def _tuple(given: Any, what: str) -> Any:
    """A list as a tuple; mappings and sets are refused, because a dual is in the order of the inputs."""
    return given if given is None or isinstance(given, tuple) else tuple(entries_of(given, what))


@attrs.frozen(init=False)
class Dual:
    """Multipliers of the optimal-mechanism problem, for :func:`exactdp.analysis.optimality.dual.dual_bound`.

    Parameters
    ----------
    weights : tuple of scalars
        w_i ≥ 0, one per input, Σ w_i = 1, zero outside a minimax consumer's side information; a Bayesian
        consumer's prior.
    potentials : tuple of scalars, optional
        μ_i, one per input, the multiplier of "row i sums to 1".
    edges : tuple of tuples of scalars, optional
        One row per constrained pair {i, j}, i < j, in the order of ``neighbours.pairs()``, one column per
        guess r: u > 0 is the multiplier of x_ir − α^d x_jr ≥ 0, u < 0 says that −u is the one of
        x_jr − α^d x_ir ≥ 0.
    """

    weights: tuple[Any, ...]
    potentials: tuple[Any, ...] | None
    edges: tuple[tuple[Any, ...], ...] | None

    def __init__(
        self,
        weights: Sequence[Any],
        potentials: Sequence[Any] | None = None,
        edges: Sequence[Sequence[Any]] | None = None,
    ) -> None:
        rows = _tuple(edges, "edges of the dual")
        rows = rows and tuple(_tuple(row, "multipliers of an edge") for row in rows)
        self.__attrs_init__(_tuple(weights, "weights of the dual"), _tuple(potentials, "potentials of the dual"), rows)

    @property
    def rule(self) -> str:
        """Which of the three rules checks this dual: ``"path"``, ``"forest"`` or ``"graph"``."""
        if self.potentials is None:
            return "path"
        return "forest" if self.edges is None else "graph"
