# SPDX-License-Identifier: MIT
"""Consumers from options, and what they, the mechanism and the neighbours have in common: the order of the inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from exactdp.cli.files import read_bytes, title_of
from exactdp.cli.matching import common_labels, is_labelled, placed, same_labels
from exactdp.cli.reading import Reading, in_file
from exactdp.cli.specs import Given
from exactdp.errors import ShapeError
from exactdp.model import (
    LOSSES,
    BayesianConsumer,
    Consumer,
    Gain,
    Labels,
    Loss,
    MinimaxConsumer,
    Neighbours,
    Prior,
    Remap,
    SideInformation,
    loss_from_spec,
)

__all__ = ["Wanted", "in_one_order", "matched_guesses", "matched_remap", "read_loss", "read_prior", "read_wanted"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The consumer that the options describe, as far as it is known before the inputs are.

    Attributes
    ----------
    title : str
        The word or the file of the loss.
    loss : Loss or None
        That of a file; None for a word.
    gain : bool
        Whether the title is a gain's.
    prior : Prior or None
        That of a file or of weights written out.
    uniform : bool
        Whether the prior is the uniform one.
    side : str or None
        The side information.
    """

    title: str
    loss: Loss | None
    gain: bool = False
    prior: Prior | None = None
    uniform: bool = False
    side: str | None = None

    @property
    def by_distance(self) -> bool:
        """Whether the loss is the distance of the neighbours."""
        return self.loss is None and self.title == "distance"

    def labels(self) -> list[tuple[str, Labels]]:
        """Titles and inputs of what was read."""
        found = [] if self.loss is None else [(self.title, self.loss.inputs)]
        return found if self.prior is None else [*found, ("the prior", self.prior.inputs)]

    def consumer(self, near: Neighbours) -> Consumer:
        """The consumer on these inputs, which are those of what was read too (:func:`common_labels`)."""
        inputs = near.vertices
        if self.loss is None:
            loss = _named_gain(near).as_loss() if self.gain else loss_from_spec(self.title, near)
        else:
            loss = placed(self.title, self.loss, self.loss.inputs, inputs)
            loss = Gain(loss.matrix, loss.inputs, loss.guesses, self.title).as_loss() if self.gain else loss
        if self.prior is not None:
            return BayesianConsumer(loss, placed("the prior", self.prior, self.prior.inputs, inputs))
        if self.uniform:
            return BayesianConsumer(loss, Prior.uniform(inputs))
        return MinimaxConsumer(loss, None if self.side is None else SideInformation.parse(self.side, inputs))


def read_wanted(words: Mapping[str, str | None], reading: Reading) -> Wanted:
    """``--loss``/``--gain`` with ``--prior`` (Bayesian) or ``--side-information`` (minimax), all in ``words``."""
    loss, gain, prior, side = (words[key] for key in ("loss", "gain", "prior", "side"))
    if (loss is None) == (gain is None):
        raise click.UsageError("give one of --loss and --gain (abs, squared, zero-one, distance, or a CSV of exact numbers)")
    if prior is not None and side is not None:
        raise click.UsageError("--prior makes a Bayesian consumer, --side-information a minimax one; give one of them")
    if gain is not None and gain != "zero-one" and gain in LOSSES:
        raise click.UsageError(f"--gain {gain} would reward being far off; give --loss {gain}, --gain zero-one, or a CSV of gains")
    text = loss if loss is not None else str(gain)
    title, table = read_loss(text, reading)
    found = None if prior is None or prior == "uniform" else read_prior(prior, reading)
    return Wanted(title, table, gain is not None, found, prior == "uniform", side)


def read_loss(text: str, reading: Reading) -> tuple[str, Loss | None]:
    """Title and loss of a file; the word and None if it is one."""
    if text in LOSSES:
        return text, None
    if text != "-" and not Path(text).exists():
        raise click.UsageError(
            f"there is no file {text!r}, and it names no loss. The words are {', '.join(LOSSES)}; give a CSV, rows inputs, columns guesses"
        )
    title = title_of(text)
    table = reading.table_file(text, "the loss")
    return title, Loss(table.matrix, table.inputs, table.outputs, title)


def read_prior(text: str, reading: Reading, *, option: str = "--prior", more: str = "") -> Prior:
    """The prior of a file, or of weights written out."""
    if text == "-" or Path(text).exists():
        return reading.prior(read_bytes(text, "the prior"), title_of(text))
    if "," in text or text.lstrip().startswith(("{", "[")):
        return reading.prior(text, option)
    raise click.UsageError(
        f"there is no file {text!r}. A prior is 'uniform', {more}weights such as 1/2,1/4,1/4, a CSV, or a JSON object such as "
        '{"a": "1/2", "b": "1/2"}'
    )


def _named_gain(near: Neighbours) -> Gain:
    """The gain ``zero-one``: 1 where guess and input agree."""
    wrong = loss_from_spec("zero-one", near)
    return Gain([[1 - x for x in row] for row in wrong.matrix.rows()], wrong.inputs, wrong.guesses, "zero-one")


def in_one_order(
    reading: Reading, notes: list[str], near: Neighbours, given: Given | None = None, wanted: Wanted | None = None
) -> Neighbours:
    """The neighbours, their vertices labelled and ordered as mechanism and consumer are to be.

    The order is that of the neighbours, else of the first thing that is labelled.
    """
    things = [(str(near), near.vertices)]
    things += [] if given is None else [(given.title, given.table.inputs)]
    things += [] if wanted is None else wanted.labels()
    reference = common_labels(reading, notes, "inputs", things)
    return near if near.vertices == reference else near.relabelled(reference)


def matched_guesses(reading: Reading, notes: list[str], given: Given, consumer: Consumer, title: str) -> tuple[Given, Consumer]:
    """Mechanism and consumer whose outputs and guesses are matched, where only one of them is labelled and there are as many of each."""
    outputs, guesses = given.table.outputs, consumer.loss.guesses
    if len(outputs) != len(guesses) or same_labels(outputs, guesses):
        return given, consumer
    common_labels(reading, notes, "guesses or outputs", [(f"the loss {title}", guesses), (given.title, outputs)])
    table = given.table
    if is_labelled(guesses):
        return Given(given.title, table.relabelled(outputs=guesses), given.word, given.levelled), consumer
    loss = consumer.loss.relabelled(guesses=outputs)
    if isinstance(consumer, BayesianConsumer):
        return given, BayesianConsumer(loss, consumer.prior)
    return given, MinimaxConsumer(loss, consumer.side_information)


def matched_remap(reading: Reading, notes: list[str], title: str, remap: Remap, outputs: Labels, guesses: Labels) -> Remap:
    """The remap with its rows in the order of the outputs and its columns in that of the guesses."""
    for what, got, expected in (("outputs", remap.outputs, outputs), ("guesses", remap.guesses, guesses)):
        if len(got) != len(expected):
            raise ShapeError(
                f"{title}: {len(got)} {'rows' if what == 'outputs' else 'columns'}, but there are {len(expected)} {what}",
                expected=len(expected),
                got=len(got),
            )
        if not same_labels(got, expected):
            common_labels(reading, notes, what, [("the mechanism" if what == "outputs" else "the consumer", expected), (title, got)])
            remap = remap.relabelled(outputs=expected) if what == "outputs" else remap.relabelled(guesses=expected)
    return in_file(title, lambda: remap.aligned(outputs, guesses))
