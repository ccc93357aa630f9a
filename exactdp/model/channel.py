# SPDX-License-Identifier: MIT
"""What a channel does to a prior: joint distribution, posteriors and the hyper-distribution.

A channel is a :class:`~exactdp.model.mechanism.Mechanism`, seen as a transmitter of information. The joint
distribution of input and output under a prior π is J_xy = π_x C_xy. Each output y with positive probability
p_y = Σ_x J_xy (the *outer*) leaves the posterior J_xy/p_y (an *inner*). The hyper-distribution [π▷C] lists
the distinct inners, outputs with the same one being merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactdp.display import Drawn
from exactdp.errors import InputError, NegativeEntryError, NotStochasticError, ShapeError, UndecidedSignError, wrong_kind
from exactdp.exact import ExactMatrix, OrderedField, common_field, entries_of, field_of, is_nonzero, same_formula
from exactdp.model.labels import Label, Labels, as_labels, brief, order_of, places_in
from exactdp.model.mechanism import Mechanism, Table
from exactdp.model.vectors import Prior, PriorLike, mixing_weights
from exactdp.runtime.values import dataclass


def joint_distribution(mechanism: Mechanism, prior: Prior) -> ExactMatrix:
    """The joint distribution of input and output, π_x C_xy: inputs × outputs; LabelError if inputs differ.

    >>> joint_distribution(Mechanism([[1, 0], ["1/2", "1/2"]]), Prior(["1/2", "1/2"]))
    ExactMatrix([['1/2', '0'], ['1/4', '1/4']])
    """
    prior = prior.aligned(mechanism.inputs)
    return ExactMatrix([[p * x for x in row] for p, row in zip(prior.weights, mechanism.rows(), strict=True)])


def posteriors_of(mechanism: Mechanism, prior: Prior) -> tuple[tuple[str, Any, tuple[Any, ...]], ...]:
    """Each output with p_y > 0, in order: its label, p_y, and the posterior π_x C_xy/p_y.

    >>> posteriors_of(Mechanism([[1, 0], ["1/2", "1/2"]]), Prior(["1/2", "1/2"]))[1]
    ('1', Rational('1/4'), (Rational('0'), Rational('1')))
    """
    found = []
    table = joint_distribution(mechanism, prior)
    for label, column in zip(mechanism.outputs, zip(*table.rows(), strict=True), strict=True):
        total = sum(column, table.field.zero)
        if is_nonzero(total):
            found.append((label, total, tuple(x / total for x in column)))
    return tuple(found)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Hyper(Drawn):
    """A distribution over distributions of the inputs: distinct inners in increasing order, with weights > 0.

    Parameters
    ----------
    inners : sequence of sequences of exact numbers
        The posteriors: each has one entry ≥ 0 for every input, and sum 1. They are put in increasing order,
        and their weights with them.
    outer : sequence of exact numbers
        The weight of each inner: > 0, with sum 1.
    inputs : sequence of str or int, optional
        The inputs' labels; 0, 1, … unless given.

    Raises
    ------
    ShapeError
        There is no inner, there are not as many weights as inners, or an inner has not one entry for each
        input; carries ``expected`` and ``got``.
    NegativeEntryError
        An entry is negative, or a weight is not positive; carries ``position`` (within its inner, or in the
        outer) and ``value``.
    NotStochasticError
        The outer or an inner does not sum to 1; carries ``rows`` with name, exact sum and excess.
    InputError
        An inner occurs twice; carries it as ``inner``.

    Examples
    --------
    >>> Hyper([["1/3", "2/3"], [0, 1]], ["3/4", "1/4"]).prior().weights
    (Rational('1/4'), Rational('3/4'))
    >>> half = Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])
    >>> h = Hyper.of(half, Prior(["1/3", "2/3"]))
    >>> h.inners, h.outer, h.channel().matrix
    (((Rational('1/3'), Rational('2/3')),), (Rational('1'),), ExactMatrix([['1'], ['1']]))
    """

    inners: tuple[tuple[Any, ...], ...]
    outer: tuple[Any, ...]
    inputs: Labels

    def __init__(self, inners: Iterable[Iterable[object]], outer: Iterable[object], inputs: Iterable[Label] | None = None) -> None:
        rows = [_numbers(inner, f"inner {k}") for k, inner in enumerate(entries_of(inners, "inners"))]
        weights = _numbers(outer, "the outer")
        if not rows:
            raise ShapeError("a hyper-distribution needs at least one inner", expected=1, got=0)
        if len(weights) != len(rows):
            message = f"{len(rows)} inners with {len(weights)} weights in the outer; give one for each"
            raise ShapeError(message, expected=len(rows), got=len(weights))
        labels = as_labels(inputs, len(rows[0]) if inputs is None else None, what="input label")
        for k, inner in enumerate(rows):
            if len(inner) != len(labels):
                there = f"there are {len(labels)} inputs {brief(labels)}; an inner has one for each"
                message = f"inner {k} has {len(inner)} entries, and {there}"
                raise ShapeError(message, expected=len(labels), got=len(inner))
        field = common_field(field_of(weights), *(field_of(inner) for inner in rows))
        exact = [_exact(field, inner, f"inner {k}") for k, inner in enumerate(rows)]
        shares = _exact(field, weights, "the outer")
        places: dict[tuple[Any, ...], int] = {}
        for k, values in enumerate(exact):
            _require_distribution(f"inner {k}", values, labels)
            if places.setdefault(values, k) != k:
                twice = f"inner ({', '.join(map(str, values))}) occurs twice, as {places[values]} and {k}"
                raise InputError(f"{twice}; give it once, with both weights", inner=values)
        _require_distribution("the outer", shares, [f"inner {k}" for k in range(len(exact))], positive=True)
        ordered = tuple(_in_order(exact))
        object.__setattr__(self, "inners", ordered)
        object.__setattr__(self, "outer", tuple(shares[places[inner]] for inner in ordered))
        object.__setattr__(self, "inputs", labels)

    @classmethod
    def of(cls, mechanism: Mechanism | Table, prior: PriorLike) -> Hyper:
        """The hyper [π▷C]: what the channel C makes of the prior π on its inputs; LabelError if they differ.

        >>> Hyper.of(Mechanism([[1, 0], ["1/2", "1/2"]]), Prior(["1/2", "1/2"])).outer
        (Rational('1/4'), Rational('3/4'))
        """
        if not isinstance(mechanism, (Mechanism, Table)):
            raise wrong_kind("mechanism", mechanism, "a Mechanism, or a Table that is one")
        channel = mechanism.as_mechanism() if isinstance(mechanism, Table) else mechanism
        weights: dict[tuple[Any, ...], Any] = {}
        for _, p, inner in posteriors_of(channel, Prior.over(prior, channel.inputs)):
            weights[inner] = weights[inner] + p if inner in weights else p
        return cls(list(weights), weights.values(), channel.inputs)

    @classmethod
    def mixture(cls, hypers: Sequence[Hyper], weights: Iterable[object]) -> Hyper:
        """The convex combination Σ w_k Δ_k: equal inners are merged, and a hyper of weight 0 takes no part.

        Parameters
        ----------
        hypers : sequence of Hyper
            On the same inputs, at least one.
        weights : iterable of exact numbers
            w_k ≥ 0, Σ w_k = 1.

        Raises
        ------
        ShapeError
            No hypers, or not as many weights; carries ``expected`` and ``got``.
        LabelError
            The hypers' inputs differ.
        NegativeEntryError, NotStochasticError
            The weights are negative, or do not sum to 1.

        Examples
        --------
        >>> sure, even = Hyper([[1, 0], [0, 1]], ["1/2", "1/2"]), Hyper([["1/2", "1/2"]], [1])
        >>> Hyper.mixture([sure, even], ["1/3", "2/3"]).outer
        (Rational('1/6'), Rational('2/3'), Rational('1/6'))
        """
        parts = entries_of(hypers, "hypers")
        if not parts:
            raise ShapeError("a mixture needs at least one hyper-distribution", expected=1, got=0)
        for k, part in enumerate(parts):
            if not isinstance(part, Hyper):
                message = f"part {k} of the mixture is {part!r}, not a hyper-distribution; make it with Hyper.of"
                raise InputError(message, value=part)
            parts[k] = part.aligned(parts[0].inputs)
        total: dict[tuple[Any, ...], Any] = {}
        for part, w in zip(parts, mixing_weights(weights, len(parts), what="hypers"), strict=True):
            for inner, p in zip(part.inners, part.outer, strict=True):
                if w:
                    total[inner] = total[inner] + w * p if inner in total else w * p
        return cls(list(total), total.values(), parts[0].inputs)

    def aligned(self, inputs: Labels) -> Hyper:
        """The same with the inputs in this order, matched by label, or by position if neither is labelled.

        >>> Hyper([[1, 0], ["1/3", "2/3"]], ["1/4", "3/4"], ["b", "a"]).aligned(("a", "b")).prior().weights
        (Rational('1/2'), Rational('1/2'))
        """
        inputs = order_of(inputs, self.inputs)
        if self.inputs == inputs:
            return self
        places = places_in(self.inputs, inputs, got_what="the hyper-distribution's inputs", expected_what="the inputs asked about")
        return Hyper([[inner[i] for i in places] for inner in self.inners], self.outer, inputs)

    def prior(self) -> Prior:
        """The prior: the inners averaged by the outer [Fernandes et al., Lemma 2].

        >>> Hyper([[1, 0], ["1/3", "2/3"]], ["1/4", "3/4"]).prior().weights
        (Rational('1/2'), Rational('1/2'))
        """
        zero = self.outer[0].field.zero
        return Prior([sum(masses, zero) for masses in self._joint()], self.inputs)

    def _joint(self) -> list[list[Any]]:
        """For each input x its masses p·δ_x, one for each inner δ with its weight p."""
        weighted = list(zip(self.outer, self.inners, strict=True))
        return [[p * inner[x] for p, inner in weighted] for x in range(len(self.inputs))]

    def channel(self) -> Mechanism:
        """The channel C with [π▷C] = this hyper, π being its prior.

        InputError, with ``input``, if an input has probability 0: then its row is not determined.

        >>> Hyper([[1, 0], ["1/3", "2/3"]], ["1/4", "3/4"]).channel().matrix
        ExactMatrix([['1/2', '1/2'], ['1', '0']])
        """
        prior = self.prior()
        for label, p in zip(self.inputs, prior.weights, strict=True):
            if not p:
                message = f"the input {label} has probability 0, so that its row of the channel is not determined"
                raise InputError(message, input=label)
        rows = [[mass / p for mass in masses] for p, masses in zip(prior.weights, self._joint(), strict=True)]
        return Mechanism(rows, self.inputs)

    def is_independent(self) -> bool:
        """Whether the inners are linearly independent: a hyper that they refine comes from them in one way.

        >>> Hyper([[1, 0], ["1/2", "1/2"], [0, 1]], ["1/3", "1/3", "1/3"]).is_independent()
        False
        """
        return ExactMatrix([list(inner) for inner in self.inners]).rank() == len(self.inners)


def _numbers(values: object, what: str) -> list[object]:
    return entries_of(values, f"entries of {what} of the hyper-distribution")


def _exact(field: OrderedField, values: Sequence[object], what: str) -> tuple[Any, ...]:
    try:
        return tuple(field(x) for x in values)
    except InputError as error:
        raise type(error)(f"{what} of the hyper-distribution: {error.message}", **error.facts) from None


def _require_distribution(what: str, values: Sequence[Any], places: Sequence[str], *, positive: bool = False) -> None:
    """Entries ≥ 0 (or > 0) that sum to 1."""
    rule = "weights are > 0; leave out an inner of weight 0" if positive else "probabilities are ≥ 0"
    for k, x in enumerate(values):
        if x < 0 or (positive and not x):
            message = f"{what} of the hyper-distribution has the entry {x} at {places[k]}; {rule}"
            raise NegativeEntryError(message, position=k, value=x)
    total = sum(values[1:], values[0])
    if not same_formula(total, 1):
        raise NotStochasticError(
            f"{what} of the hyper-distribution sums to {total}, not 1 (excess {total - 1}); divide it by its sum",
            rows=((what, total, total - 1),),
        )


def _in_order(inners: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """In increasing order; where a symbol leaves it open which is larger, in the order of their texts."""
    try:
        return sorted(inners)
    except UndecidedSignError:
        return sorted(inners, key=lambda inner: tuple(map(str, inner)))
