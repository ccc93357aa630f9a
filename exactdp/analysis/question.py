# SPDX-License-Identifier: MIT
"""What every question begins with: its arguments are read, on the inputs of its neighbours; its time is kept.

A question that may take long is :func:`ask`: from then on its listener hears of all work, and its time limit
holds, also while the arguments are read. What answers it gets one :class:`Question`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import Any, TypedDict, TypeVar, Unpack

from exactdp.analysis.arguments import (
    ConsumerLike,
    MechanismLike,
    as_level,
    as_loss,
    as_mechanism,
    as_neighbours,
    as_prior,
    of_one_field,
    require_consumer,
)
from exactdp.exact import Region, RegionField, common_field
from exactdp.model import Consumer, LevelLike, Loss, Mechanism, Neighbours, NeighboursLike, Prior, PrivacyLevel
from exactdp.model.consumer import Problem
from exactdp.model.loss import LossLike
from exactdp.model.vectors import PriorLike
from exactdp.runtime.progress import Listener, monitored

T = TypeVar("T")


class Given(TypedDict, total=False):
    """The arguments of a question, as somebody gave them; a question has only some of them."""

    mechanism: MechanismLike
    neighbours: NeighboursLike
    level: LevelLike
    consumer: ConsumerLike
    loss: LossLike
    prior: PriorLike


class Question:
    """The arguments of a question, read; it has those that it was given.

    They are read in the order of the attributes, so that the first that is wrong is the one that an error is
    about. A word for neighbours takes the inputs of the mechanism, of a consumer that has inputs, or of a
    :class:`~exactdp.Loss` or :class:`~exactdp.Prior`.

    Parameters
    ----------
    progress : callable or None
        Who listens.
    time_limit : float or None
        For the searches that are asked on the way.
    **given
        As for :func:`exactdp.is_optimal`.

    Attributes
    ----------
    mechanism : Mechanism
        Beside neighbours and a level its inputs are in the order of the neighbours, and its field is that of
        the level.
    neighbours : Neighbours
        What is near.
    level : PrivacyLevel
        In a field with the α^d of the neighbours.
    consumer : Consumer
        On the inputs of the neighbours, or of the mechanism where there are none.
    loss, prior : Loss, Prior
        On the vertices, in their order.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer
    >>> asked = Question(neighbours="path:2", level="1/4", consumer=MinimaxConsumer("abs"))
    >>> asked.consumer.inputs == asked.neighbours.vertices, asked.region
    (True, None)
    >>> asked = Question(mechanism="geometric:n=3", neighbours="path", level="1/4")
    >>> asked.mechanism.inputs == asked.neighbours.vertices, str(asked.neighbours), str(asked.level)
    (True, 'path:4', '1/4')
    """

    __slots__ = ("consumer", "level", "loss", "mechanism", "neighbours", "prior", "progress", "time_limit")

    mechanism: Mechanism
    neighbours: Neighbours
    level: PrivacyLevel
    consumer: Consumer
    loss: Loss
    prior: Prior

    def __init__(self, progress: Listener | None = None, time_limit: float | None = None, **given: Unpack[Given]) -> None:
        self.progress, self.time_limit = progress, time_limit
        if "mechanism" in given:
            self._read_mechanism(given)
        elif "neighbours" in given:
            # a consumer is checked first, as its inputs may be those of the neighbours
            self.neighbours = as_neighbours(given["neighbours"], *_with_inputs(given))
            if "level" in given:
                self.level = as_level(given["level"], self.neighbours)
        near = self.neighbours if "neighbours" in given else None
        if "consumer" in given:
            inputs = self.mechanism.inputs if near is None else near.vertices
            self.consumer = require_consumer(given["consumer"]).over(inputs, near)
        if "loss" in given:
            self.loss = as_loss(given["loss"], self.neighbours)
        if "prior" in given:
            self.prior = as_prior(given["prior"], self.neighbours.vertices)

    def _read_mechanism(self, given: Given) -> None:
        """The mechanism, and neighbours and a level beside it."""
        beside = given["mechanism"]
        level = as_level(given["level"], beside=beside) if "level" in given else None
        self.mechanism = as_mechanism(beside, level)
        if "neighbours" in given:
            self.neighbours = as_neighbours(given["neighbours"], self.mechanism)
        if "neighbours" in given and "level" in given:
            level = as_level(given["level"], self.neighbours, beside=beside)
            self.mechanism, self.level = of_one_field(self.mechanism.aligned(self.neighbours.vertices), level)

    @property
    def problem(self) -> Problem:
        """The problem of the least loss for the consumer at the level."""
        return Problem(self.neighbours, self.level, self.consumer)

    @property
    def region(self) -> Region | None:
        """The region of the letters in what is asked about; None without letters."""
        read = [getattr(self, name, None) for name in ("mechanism", "level", "consumer")]
        field = common_field(*(x for x in read if x is not None))
        return field.region if isinstance(field, RegionField) else None


def _with_inputs(given: Given) -> list[Any]:
    """What was given on inputs of its own."""
    consumer = [require_consumer(given["consumer"])] if "consumer" in given else []
    others = [x for x in (given.get("loss"), given.get("prior")) if isinstance(x, (Loss, Prior))]
    return [*(x for x in consumer if x.is_bound), *others]


def ask(answer: Callable[[Question], T], progress: Listener | None, time_limit: float | None, **given: Unpack[Given]) -> T:
    """What answers a question: its arguments are read, and it is answered, within the time limit.

    The :class:`Question` has the listener that keeps the time, to be given on.

    Examples
    --------
    >>> ask(lambda asked: str(asked.neighbours), None, None, neighbours="path:4")
    'path:4'
    >>> ask(lambda asked: asked.progress is None, None, 10)
    False
    """

    def answered() -> T:
        with monitored(progress, time_limit) as listener:
            return answer(Question(listener, time_limit, **given))

    # in a context of its own, which ends with the call: an interrupt leaves no limit behind
    return copy_context().run(answered)
