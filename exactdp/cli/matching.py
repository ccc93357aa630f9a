# SPDX-License-Identifier: MIT
"""Which row of one input is which of another: by label, or by position where nothing is labelled (or with ``--by-position``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from exactdp.cli.reading import Reading, in_file
from exactdp.errors import LabelError, ShapeError
from exactdp.model import Labels, Loss, Prior, Table
from exactdp.model.labels import Positions, brief

__all__ = ["common_labels", "is_labelled", "placed", "same_labels"]

T = TypeVar("T", Table, Loss, Prior)


def is_labelled(labels: Labels) -> bool:
    """Whether somebody gave these labels."""
    return not isinstance(labels, Positions)


def same_labels(labels: Labels, others: Labels) -> bool:
    """Whether the two are matched without --by-position: both are labelled or neither is, or a word's own names are the labels."""
    if is_labelled(labels) == is_labelled(others):
        return True
    mine = others if is_labelled(labels) else labels
    return isinstance(mine, Positions) and mine.named and set(labels) == set(others)


def common_labels(reading: Reading, notes: list[str], axis: str, things: Sequence[tuple[str, Labels]]) -> Labels:
    """The labels in whose order all these things are taken: those of the first thing that is labelled or has names, else of the first.

    Parameters
    ----------
    reading : Reading
        Whether ``--by-position`` is given.
    notes : list of str
        What is matched by position, with the order, is added here.
    axis : str
        What the entries are called: "inputs".
    things : sequence of (title, labels)
        In the order of precedence.

    Raises
    ------
    LabelError
        Labelled things beside unlabelled ones, without ``--by-position``.
    ShapeError
        Different numbers of entries where nothing else can match them.
    """
    labelled = [(title, labels) for title, labels in things if is_labelled(labels)]
    named = [(title, labels) for title, labels in things if isinstance(labels, Positions) and labels.named]
    first = things[0]
    bridged = first in named and all(set(labels) == set(first[1]) for _, labels in labelled)
    title, reference = first if bridged else [*labelled, *named, first][0]
    for other, labels in things:
        if is_labelled(labels):
            continue
        if len(labels) != len(reference):
            message = f"{other} has {len(labels)} {axis}, but {title} has {len(reference)}"
            raise ShapeError(message, expected=len(reference), got=len(labels))
        if same_labels(labels, reference):
            if set(labels) != set(reference):
                notes.append(f"the {axis} of {other} are taken in the order of {title}: {brief(reference)}")
            continue
        if not reading.by_position:
            raise LabelError(
                f"the {axis} of {other} are unlabelled, but those of {title} are labelled {brief(reference)}; label both, or give "
                "--by-position to match them in this order",
                got=labels,
                expected=reference,
                unlabelled=True,
            )
        reading.use("by_position")
        notes.append(f"by position: the {axis} of {other} are taken in the order of {title}: {brief(reference)}")
    return reference


def placed(title: str, thing: T, labels: Labels, reference: Labels) -> T:
    """A table, loss or prior with its rows in the order of the reference, after :func:`common_labels` has found that they match."""
    if same_labels(labels, reference):
        return in_file(title, lambda: thing.aligned(reference))
    return thing.relabelled(reference)
