# SPDX-License-Identifier: MIT
"""The algebra of losses: sums, multiples, trivial losses, restriction and lifting (Fernandes et al., Section 5.2 and Theorem 15).

With U_l[π, M] = Σ_y min_g Σ_x π_x l(x,g) M_xy: U of a sum (a guess for each part) is the sum of the U; U_(c·l) = c·U_l for c ≥ 0; scaling
by v(x) ≥ 0 acts on the prior; adding f(x) adds Σ_x π_x f(x). So an order M ⊑_l N that holds for some losses holds for what is made of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactdp.errors import InputError
from exactdp.exact import entries_of
from exactdp.model.labels import Label, as_labels, position_of
from exactdp.model.loss import Loss
from exactdp.model.prior import Prior
from exactdp.model.vectors import vector_over

__all__ = ["added", "for_uniform_prior", "is_trivial", "lifted", "restricted_loss", "scaled", "scaled_by", "shifted", "trivial"]


def added(first: Loss, second: Loss) -> Loss:
    """(l + l')((g,g'), x) = l(x,g) + l'(x,g'): guesses are pairs.

    Parameters
    ----------
    first, second : Loss
        On the same inputs.

    Returns
    -------
    Loss
        Its least expected loss is the sum of theirs.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> bayes = Loss.zero_one(range(2))
    >>> added(bayes, bayes).matrix.row(0)
    (Rational('0'), Rational('1'), Rational('1'), Rational('2'))
    """
    second = second.aligned(first.inputs)
    rows = [[a + b for a in r for b in s] for r, s in zip(first.matrix.rows(), second.matrix.rows(), strict=True)]
    return Loss(rows, first.inputs, [f"({g},{h})" for g in first.guesses for h in second.guesses])


def scaled(loss: Loss, factor: object) -> Loss:
    """c·l, for c ≥ 0.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    factor : exact number
        c.

    Raises
    ------
    InputError
        c < 0; carries ``value``.

    Examples
    --------
    >>> scaled(Loss.zero_one(range(2)), "1/2").matrix
    ExactMatrix([['0', '1/2'], ['1/2', '0']])
    """
    c = loss.field(factor)
    if c < 0:
        raise InputError(f"a loss is scaled by a number ≥ 0, not {c}", value=c)
    return Loss(loss.matrix.map(lambda x: c * x), loss.inputs, loss.guesses)


def scaled_by(loss: Loss, values: Iterable[object]) -> Loss:
    """(v·l)(x, g) = v(x)·l(x, g), for v ≥ 0.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    values : exact numbers
        v(x): a mapping from the inputs, or a list in their order.

    Raises
    ------
    ShapeError
        Their number is not that of the inputs.
    InputError
        One is negative; carries ``value``.

    Examples
    --------
    >>> scaled_by(Loss.zero_one(range(2)), [2, 3]).matrix
    ExactMatrix([['0', '2'], ['3', '0']])
    """
    v = _on_inputs(loss, values)
    if any(x < 0 for x in v):
        raise InputError(f"a loss is scaled by numbers ≥ 0, not {min(v)}", value=min(v))
    return Loss([[c * x for x in row] for c, row in zip(v, loss.matrix.rows(), strict=True)], loss.inputs, loss.guesses)


def shifted(loss: Loss, values: Iterable[object]) -> Loss:
    """l(x, g) + f(x): what is added does not depend on the guess.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    values : exact numbers
        f(x): a mapping from the inputs, or a list in their order.

    Raises
    ------
    ShapeError
        Their number is not that of the inputs.

    Examples
    --------
    >>> shifted(Loss.zero_one(range(2)), [2, 3]).matrix
    ExactMatrix([['2', '3'], ['4', '3']])
    """
    f = _on_inputs(loss, values)
    return Loss([[c + x for x in row] for c, row in zip(f, loss.matrix.rows(), strict=True)], loss.inputs, loss.guesses)


def trivial(values: Iterable[object], inputs: Iterable[Label], guesses: Iterable[Label] = ("any",)) -> Loss:
    """The loss f(x), whatever the guess: every mechanism is as good as any other for it.

    Parameters
    ----------
    values : exact numbers
        f(x): a mapping from the inputs, or a list in their order.
    inputs, guesses : iterable of labels
        The labels.

    Examples
    --------
    >>> trivial([1, 2], range(2)).matrix
    ExactMatrix([['1'], ['2']])
    """
    columns = as_labels(guesses, what="guess label")
    rows = as_labels(inputs, what="input label")
    return Loss([[f] * len(columns) for f in vector_over(values, rows, what="values", over="inputs")], rows, columns, "trivial")


def is_trivial(loss: Loss) -> bool:
    """Whether the least expected loss is a linear function of the prior: some guess is best for every input.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.

    Returns
    -------
    bool
        If true, no mechanism lowers its least expected loss.

    Examples
    --------
    >>> is_trivial(Loss([[0, 1], [2, 2]])), is_trivial(Loss.zero_one(range(2)))
    (True, False)
    """
    return any(all(row[g] == min(row) for row in loss.matrix.rows()) for g in range(len(loss.guesses)))


def restricted_loss(loss: Loss, inputs: Iterable[Label]) -> Loss:
    """The loss on some of its inputs, in the order given.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    inputs : iterable of labels
        Distinct inputs of it.

    Raises
    ------
    LabelError
        A label is unknown or repeated.

    Examples
    --------
    >>> restricted_loss(Loss.absolute(range(3)), [0, 2]).matrix
    ExactMatrix([['0', '1', '2'], ['2', '1', '0']])
    """
    places = [position_of(x, loss.inputs, what="input") for x in entries_of(inputs, "inputs")]
    return Loss([loss.matrix.row(i) for i in places], [loss.inputs[i] for i in places], loss.guesses)


def lifted(loss: Loss, inputs: Iterable[Label]) -> Loss:
    """l↑: the loss on more inputs, 0 where it was not defined.

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    inputs : iterable of labels
        Those of the loss and others.

    Raises
    ------
    LabelError
        An input of the loss is not among them.

    Examples
    --------
    >>> lifted(Loss.zero_one([0, 2]), [0, 1, 2]).matrix
    ExactMatrix([['0', '1'], ['0', '0'], ['1', '0']])
    """
    labels = as_labels(inputs, what="input label")
    rows: list[Any] = [[0] * len(loss.guesses) for _ in labels]
    for k, label in enumerate(loss.inputs):
        rows[position_of(label, labels, what="input")] = list(loss.matrix.row(k))
    return Loss(rows, labels, loss.guesses)


def for_uniform_prior(loss: Loss, prior: Prior) -> Loss:
    """l^π(x, g) = n·π_x·l(x, g): U_l[π, M] is U of this loss under the uniform prior [Fernandes et al., Theorem 12].

    Parameters
    ----------
    loss : Loss
        Inputs × guesses.
    prior : Prior
        π, on the same n inputs.

    Raises
    ------
    LabelError
        The inputs differ.

    Examples
    --------
    >>> for_uniform_prior(Loss.zero_one(range(2)), Prior(["1/4", "3/4"])).matrix
    ExactMatrix([['0', '1/2'], ['3/2', '0']])
    """
    prior = prior.aligned(loss.inputs)
    return scaled_by(loss, [len(prior.inputs) * p for p in prior.weights])


def _on_inputs(loss: Loss, values: Iterable[object]) -> list[Any]:
    return [loss.field(x) for x in vector_over(values, loss.inputs, what="values", over="inputs")]
