# SPDX-License-Identifier: MIT
"""Mechanisms, consumers, levels and duals with letters at one point of the letters' region.

What is said of every point of a region is refuted by one of them, where all numbers are rational.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from exactdp.exact import QQ, OrderedField, Rational, RationalFunction, Region, RegionField, RegionFunction, common_field
from exactdp.model import BayesianConsumer, Consumer, Gain, Loss, Mechanism, MinimaxConsumer, Prior, PrivacyLevel
from exactdp.model.consumer import Problem

LOOKED = 300
"""Points of a region at which a function is looked at for a negative value."""

Assignment = Mapping[str, Rational]
"""A rational number for each letter."""


def region_of(*things: Any) -> Region | None:
    """The region of the letters in some numbers, or things with a ``field``; None without letters.

    >>> from exactdp.exact import RegionField
    >>> p = RegionField(Region({"p": "(0, 1)"})).gens[0]
    >>> str(region_of(p, Rational(1))), region_of(Rational(1))
    ('0 < p < 1', None)
    """
    field = common_field(*things)
    return field.region if isinstance(field, RegionField) else None


def at_point(x: Any, point: Assignment) -> Any:
    """The value of a number with letters.

    >>> from exactdp.exact import RegionField
    >>> p = RegionField(Region({"p": "(0, 1)"})).gens[0]
    >>> at_point(1 - p, {"p": Rational("1/3")}), at_point(7, {})
    (Rational('2/3'), 7)
    """
    if isinstance(x, RegionFunction):
        return x.value(point)
    return x.evaluate(point[x.field.names[0]]) if isinstance(x, RationalFunction) else x


def negative_point(x: Any) -> dict[str, Rational] | None:
    """A point of the region where a function of letters is negative; None if none is found.

    >>> from exactdp.exact import RegionField
    >>> p = RegionField(Region({"p": "(0, 1)"})).gens[0]
    >>> negative_point(p - Rational("1/3")), negative_point(p)
    ({'p': Rational('1/4')}, None)
    """
    if not isinstance(x, RegionFunction) or x.sign_on_region().sign in {0, 1}:
        return None
    return next((point for point in x.field.region.points(LOOKED) if x.value(point) < 0), None)


def some_points(region: Region, number: int, *first: Assignment | None) -> Iterator[dict[str, Rational]]:
    """So many points of a region, and before them those that are given."""
    seen = list[Assignment]()
    for point in (*first, *islice(region.points(number), number)):
        if point is not None and point not in seen:
            seen.append(point)
            yield dict(point)


def mechanism_at(mechanism: Mechanism, point: Assignment) -> Mechanism:
    """A mechanism at a point."""
    return Mechanism(mechanism.matrix.map(lambda x: at_point(x, point)), mechanism.inputs, mechanism.outputs)


def problem_at(problem: Problem, point: Assignment) -> Problem:
    """The problem of the least loss at a point."""
    neighbours, level, consumer = problem
    return Problem(neighbours, PrivacyLevel(at_point(level.alpha, point)), _mapped(consumer, lambda x: at_point(x, point)))


def problem_over(problem: Problem, field: OrderedField) -> Problem:
    """The problem with all its numbers in one field."""
    neighbours, level, consumer = problem
    return Problem(neighbours, level.over(field), _mapped(consumer, field))


def _mapped(consumer: Consumer, number: Callable[[Any], Any]) -> Consumer:
    """A consumer with other numbers for those of its loss and its prior."""
    loss = consumer.loss
    if loss.field != QQ:
        matrix = loss.matrix.map(number)
        if loss.gain is None:
            loss = Loss(matrix, loss.inputs, loss.guesses, loss.name)
        else:
            loss = Gain(-matrix, loss.inputs, loss.guesses, loss.gain).as_loss()
    if isinstance(consumer, BayesianConsumer):
        return BayesianConsumer(loss, Prior([number(w) for w in consumer.prior.weights], consumer.prior.inputs))
    return MinimaxConsumer(loss, consumer.side_information)
