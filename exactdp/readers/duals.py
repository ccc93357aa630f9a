# SPDX-License-Identifier: MIT
"""The multipliers of the optimal-mechanism problem as a CSV, a line each: to be filled in, and read.

A line names its constraint, so that no order has to be known: ``weight,INPUT,,,W``, ``potential,INPUT,,,M``
and ``privacy,INPUT,OTHER,GUESS,U``, where U ≥ 0 belongs to x(INPUT, GUESS) ≥ α^d·x(OTHER, GUESS).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from exactdp.errors import InputError, wrong_kind
from exactdp.exact import Rational
from exactdp.limits import row_by_row
from exactdp.model import BayesianConsumer, Consumer, Dual, MinimaxConsumer, Neighbours, NeighboursLike
from exactdp.model import neighbours as neighbours_of
from exactdp.model.labels import brief
from exactdp.readers.cells import plain_number
from exactdp.readers.tables import number_in, text_in

HEAD = ("kind", "input", "other", "guess", "multiplier")


def dual_template(neighbours: NeighboursLike, consumer: Consumer) -> str:
    r"""The CSV of a dual, with every multiplier left out.

    Parameters
    ----------
    neighbours : Graph, Metric or text
        Whose pairs the privacy constraints are about.
    consumer : MinimaxConsumer or BayesianConsumer
        On the same inputs. A Bayesian consumer's weights are the prior, and have no lines.

    Returns
    -------
    str
        The head ``kind,input,other,guess,multiplier``, then a line for each multiplier.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer
    >>> print(dual_template("path:2", MinimaxConsumer("zero-one")), end="")
    kind,input,other,guess,multiplier
    weight,0,,,
    weight,1,,,
    potential,0,,,
    potential,1,,,
    privacy,0,1,0,
    privacy,1,0,0,
    privacy,0,1,1,
    privacy,1,0,1,
    """
    near, consumer = _posed(neighbours, consumer)
    inputs, guesses, text = consumer.inputs, consumer.loss.guesses, io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(HEAD)
    if not isinstance(consumer, BayesianConsumer):
        lines.writerows(("weight", inputs[i], "", "", "") for i in consumer.side_information.indices)
    lines.writerows(("potential", label, "", "", "") for label in inputs)
    pairs = near.pairs()
    for i, j, _ in row_by_row(pairs, "the lines of a dual", (len(pairs), 2 * len(guesses))):
        lines.writerows(("privacy", inputs[x], inputs[y], guess, "") for guess in guesses for x, y in ((i, j), (j, i)))
    return text.getvalue()


def read_dual(content: str | bytes, neighbours: NeighboursLike, consumer: Consumer) -> Dual:
    r"""The dual in a CSV laid out as :func:`dual_template` writes it; what has no line, or no number, is 0.

    Parameters
    ----------
    content : str or bytes
        Lines in any order. Decimals are exact decimals. Where no weight and no privacy multiplier is positive
        (marginals of "≤" rows of a minimisation, as SciPy gives them), all are read with the other sign.
    neighbours, consumer
        As for :func:`dual_template`.

    Returns
    -------
    Dual
        Without potentials, or without privacy multipliers, where the file has none of them.

    Raises
    ------
    InputError
        A line of another form, an input, guess or pair that is not there, or the same line twice.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer
    >>> read_dual("weight,0,,,1/2\nweight,1,,,0.5", "path:2", MinimaxConsumer("zero-one")).weights
    (Rational('1/2'), Rational('1/2'))
    """
    near, consumer = _posed(neighbours, consumer)
    inputs = {str(label): i for i, label in enumerate(consumer.inputs)}
    guesses = {str(label): r for r, label in enumerate(consumer.loss.guesses)}
    constrained = {(x, y) for i, j, _ in near.pairs() for x, y in ((i, j), (j, i))}
    found: dict[str, dict[tuple[int, ...], Rational]] = {"weight": {}, "potential": {}, "privacy": {}}
    rows = list(csv.reader(io.StringIO(text_in(content)), skipinitialspace=True))
    for number, cells in enumerate(row_by_row(rows, "the lines of a dual", (len(rows), len(HEAD))), 1):
        stripped = [cell.strip() for cell in cells]
        if not any(stripped) or (number == 1 and tuple(stripped) == HEAD):
            continue
        if len(stripped) != len(HEAD) or stripped[0] not in found:
            raise InputError(f"line {number}: a dual's line is weight, potential or privacy with 5 cells; see --dual-template", line=number)
        kind, *place, text = stripped
        at = _place(kind, place, number, inputs, guesses)
        if kind == "privacy" and at[:2] not in constrained:
            raise InputError(f"line {number}: the inputs {place[0]} and {place[1]} are not neighbours in {near}", line=number)
        if at in found[kind]:
            raise InputError(f"line {number}: this {kind} is there twice", line=number)
        if text:
            try:
                found[kind][at] = number_in(plain_number(text))
            except InputError as error:
                raise type(error)(f"line {number}: {error.message}", **error.facts) from None
    return _dual(found, near, consumer)


def _posed(given: NeighboursLike, consumer: Consumer) -> tuple[Neighbours, Consumer]:
    """The neighbours that were meant, and the consumer on their inputs."""
    if not isinstance(consumer, (MinimaxConsumer, BayesianConsumer)):
        raise wrong_kind("consumer", consumer, "a MinimaxConsumer or BayesianConsumer, such as MinimaxConsumer('abs')")
    near = neighbours_of(given, consumer.inputs if consumer.is_bound else None)
    return near, consumer.over(near.vertices, near)


def _place(kind: str, cells: list[str], number: int, inputs: Mapping[str, int], guesses: Mapping[str, int]) -> tuple[int, ...]:
    """The indices that a line names."""
    needed = (True, kind == "privacy", kind == "privacy")
    places = []
    for cell, known, what, wanted in zip(cells, (inputs, inputs, guesses), ("input", "input", "guess"), needed, strict=True):
        if bool(cell) != wanted:
            raise InputError(f"line {number}: {kind} is followed by {'input, other, guess' if needed[1] else 'an input'}", line=number)
        if wanted and cell not in known:
            raise InputError(f"line {number}: there is no {what} {cell!r}; the {what}s are {brief(tuple(known))}", line=number)
        places += [known[cell]] if wanted else []
    return tuple(places)


def _dual(found: Mapping[str, Mapping[tuple[int, ...], Rational]], neighbours: Neighbours, consumer: Consumer) -> Dual:
    signs = [x for kind in ("weight", "privacy") for x in found[kind].values()]
    sign = -1 if signs and not any(x > 0 for x in signs) else 1
    n, k, zero = len(consumer.inputs), len(consumer.loss.guesses), Rational(0)

    def listed(kind: str, factor: int) -> tuple[Any, ...]:
        return tuple(factor * found[kind].get((i,), zero) for i in range(n))

    weights = tuple(consumer.prior.weights) if isinstance(consumer, BayesianConsumer) and not found["weight"] else listed("weight", sign)
    privacy = found["privacy"]
    edges = [[sign * (privacy.get((i, j, r), zero) - privacy.get((j, i, r), zero)) for r in range(k)] for i, j, _ in neighbours.pairs()]
    return Dual(weights, listed("potential", 1) if found["potential"] else None, edges if privacy else None)
