# SPDX-License-Identifier: MIT
"""A consumer in words, such as ``abs prior=uniform``, and what a policy names.

The words are read by :func:`exactdp.model.consumer.words_of_consumer`, as those of ``--for``.
"""

from __future__ import annotations

import os
from typing import Any

from exactdp import readers
from exactdp.errors import ExactDPError, InputError
from exactdp.model import BayesianConsumer, Consumer, Loss, MinimaxConsumer
from exactdp.model.consumer import words_of_consumer
from exactdp.model.named_losses import LOSSES


def consumer_in_words(text: str) -> Consumer:
    """The consumer that a text names: a loss, perhaps with a prior, or with side information.

    * ``text``: loss and prior may be files.

    >>> consumer_in_words("abs").describe(), consumer_in_words("abs prior=uniform").describe()
    ('the minimax consumer with loss abs', 'the Bayesian consumer with loss abs and prior uniform')
    """
    words = words_of_consumer(text)
    if words.loss not in LOSSES and not _has_form_of_file(words.loss):
        MinimaxConsumer(words.loss)  # whose error has the words for losses
    return consumer_of(words.loss, words.prior, words.side_information, "a consumer")


def consumer_of(loss: str, prior: str | None, side_information: str | None, owner: str) -> Consumer:
    """The consumer whose loss, prior or side information are these words, or whose loss and prior are files.

    * ``owner``: whose words they are, for errors.
    """
    given: Any = loss
    if loss not in LOSSES:
        table = of_file("loss", loss, readers.read_table, owner)
        given = Loss(table.matrix, table.inputs, table.outputs, os.path.basename(loss))
    if prior is None:
        return MinimaxConsumer(given, side_information)
    if prior == "uniform" or "," in prior:
        return BayesianConsumer(given, prior)
    return BayesianConsumer(given, of_file("prior", prior, readers.read_prior, owner))


def of_file(key: str, name: str, read: Any, owner: str) -> Any:
    """What a file says that somebody's words name."""
    try:
        with open(name, "rb") as stream:
            content = readers.read_at_most(stream, readers.most_bytes() + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"the {key} {name!r} of {owner} is no word, and as a file it can't be read: {reason}", path=name) from None
    try:
        return read(content)
    except ExactDPError as error:
        raise type(error)(f"{name}: {error.message}", **error.facts) from None


def _has_form_of_file(text: str) -> bool:
    """Whether a text is a path or has an ending, and is no mistyped word."""
    return readers.file_of(text) is not None and any(mark in text for mark in "./\\~")
