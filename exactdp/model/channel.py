# SPDX-License-Identifier: MIT
"""Channels: what can be made of mechanisms without looking at their inputs.

A channel is a :class:`Mechanism`, seen as a transmitter of information: what its outputs are called, and how often one is repeated,
does not matter. Its *reduced* form has no zero columns, and no two columns that are multiples of each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactdp.errors import ShapeError
from exactdp.exact import ExactMatrix, entries_of
from exactdp.model.labels import Label, position_of
from exactdp.model.stochastic import Mechanism
from exactdp.model.weights import mixing_weights

__all__ = ["are_equivalent", "external_choice", "parallel", "reduced", "restricted"]


def reduced(channel: Mechanism) -> Mechanism:
    """The channel without zero columns, each class of parallel columns summed; its outputs are sorted by the columns.

    Parameters
    ----------
    channel : Mechanism
        (n, m), exact.

    Returns
    -------
    Mechanism
        (n, m′), m′ ≤ m, equivalent to it; equivalent channels have the same.

    Examples
    --------
    >>> reduced(Mechanism([["1/4", "1/2", "1/4", 0], ["1/8", "3/4", "1/8", 0]])).matrix
    ExactMatrix([['1/2', '1/2'], ['3/4', '1/4']])
    """
    classes: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for column in zip(*channel.rows(), strict=True):
        total = sum(column, channel.field.zero)
        if total:
            key = tuple(x / total for x in column)
            classes[key] = tuple(a + b for a, b in zip(classes[key], column, strict=True)) if key in classes else column
    ordered = [classes[key] for key in sorted(classes)]
    return Mechanism(ExactMatrix(list(zip(*ordered, strict=True)), channel.field), channel.inputs)


def are_equivalent(first: Mechanism, second: Mechanism) -> bool:
    """Whether two channels are the same up to names and repetitions of outputs: each refines the other.

    Parameters
    ----------
    first, second : Mechanism
        On the same inputs.

    Returns
    -------
    bool
        Whether their reduced forms are equal.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> fair = Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])
    >>> are_equivalent(fair, Mechanism([[1], [1]]))
    True
    """
    second = second.aligned(first.inputs)
    return reduced(first).matrix == reduced(second).matrix


def external_choice(channels: Sequence[Mechanism], weights: Iterable[object]) -> Mechanism:
    """Run channel k with probability w_k, and say which one was run: the columns of all, scaled (M_p⊕ N).

    Parameters
    ----------
    channels : sequence of Mechanism
        On the same inputs, at least one.
    weights : iterable of exact numbers
        w_k ≥ 0, Σ w_k = 1.

    Returns
    -------
    Mechanism
        The outputs are called k:output.

    Raises
    ------
    ShapeError
        No channels, or not as many weights.
    LabelError
        The inputs differ.
    NegativeEntryError, NotStochasticError
        The weights are negative, or do not sum to 1.

    Examples
    --------
    >>> coin, nothing = Mechanism([[1, 0], [0, 1]]), Mechanism([[1], [1]])
    >>> external_choice([coin, nothing], ["1/3", "2/3"]).matrix.row(0)
    (Rational('1/3'), Rational('0'), Rational('2/3'))
    """
    channels = entries_of(channels, "channels")
    if not channels:
        raise ShapeError("a choice needs at least one channel", expected=1, got=0)
    channels = [channel.aligned(channels[0].inputs) for channel in channels]
    exact = mixing_weights(weights, len(channels), what="channels")
    rows = [[w * x for channel, w in zip(channels, exact, strict=True) for x in channel.matrix.row(i)] for i in range(channels[0].n_inputs)]
    outputs = [f"{k}:{label}" for k, channel in enumerate(channels) for label in channel.outputs]
    return Mechanism(rows, channels[0].inputs, outputs)


def parallel(first: Mechanism, second: Mechanism) -> Mechanism:
    """Run both channels independently on the same input; the outputs are pairs.

    Parameters
    ----------
    first, second : Mechanism
        (n, m) and (n, k), on the same inputs.

    Returns
    -------
    Mechanism
        (n, m·k): entry (x, (a,b)) is the product of the entries (x, a) and (x, b).

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> coin = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    >>> parallel(coin, coin).matrix.row(0)
    (Rational('4/9'), Rational('2/9'), Rational('2/9'), Rational('1/9'))
    """
    second = second.aligned(first.inputs)
    rows = [[x * y for x in first.matrix.row(i) for y in second.matrix.row(i)] for i in range(first.n_inputs)]
    return Mechanism(rows, first.inputs, [f"({a},{b})" for a in first.outputs for b in second.outputs])


def restricted(channel: Mechanism, inputs: Iterable[Label]) -> Mechanism:
    """The channel on some of its inputs, in the order given (M|X').

    Parameters
    ----------
    channel : Mechanism
        The channel.
    inputs : iterable of labels
        Distinct inputs of it.

    Raises
    ------
    LabelError
        A label is unknown or repeated.

    Examples
    --------
    >>> restricted(Mechanism([[1, 0], [0, 1], ["1/2", "1/2"]]), [2, 0]).inputs
    ('2', '0')
    """
    places = [position_of(x, channel.inputs, what="input") for x in entries_of(inputs, "inputs")]
    return Mechanism([channel.matrix.row(i) for i in places], [channel.inputs[i] for i in places], channel.outputs)
