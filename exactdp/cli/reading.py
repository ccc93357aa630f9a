# SPDX-License-Identifier: MIT
"""How files are read, and which of the options entered the answer: one that did not is an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click
from click.core import ParameterSource

from exactdp.cli.files import read_bytes, title_of
from exactdp.errors import ExactDPError, RationalSyntaxError
from exactdp.model.graph_files import metric_of
from exactdp.model.grid import Grid, prior_grid, read_grid
from exactdp.model.metric import Metric
from exactdp.model.prior import Prior
from exactdp.model.stochastic import Table
from exactdp.model.tables import numbers_of, prior_of

__all__ = ["Reading", "in_file", "leave_out"]

T = TypeVar("T")

_IDLE = {
    "labels": "no CSV file with labels was read (JSON carries its own labels, words and .npy files have none)",
    "dyadic": "no file of numbers was read",
    "renormalise": "no file of a mechanism or remap was read",
    "by_position": "nothing labelled had to be matched with anything unlabelled",
}


class Reading:
    """``--labels``, ``--dyadic``, ``--renormalise`` and ``--by-position``, and which of them were used.

    >>> reading = Reading(dyadic=True)
    >>> reading.require_used()
    Traceback (most recent call last):
    ...
    click.exceptions.UsageError: --dyadic has no effect: no file of numbers was read; leave it out
    >>> reading.grid(b"1/2,1/2", "t.csv").form, reading.idle_notes()
    ('csv', ['--dyadic changed nothing: no decimal and no float was read'])
    """

    def __init__(self, labels: bool = False, dyadic: bool = False, renormalise: bool = False, by_position: bool = False) -> None:
        self.labels, self.dyadic, self.renormalise, self.by_position = labels, dyadic, renormalise, by_position
        self._used: set[str] = set()
        self._decimals = self._mended = False

    def use(self, option: str) -> None:
        """Note that an option (by the name of the attribute) entered the answer."""
        self._used.add(option)

    def require_used(self) -> None:
        """Refuse an option that was given and had no effect."""
        for option, reason in _IDLE.items():
            if getattr(self, option) and option not in self._used:
                raise click.UsageError(f"--{option.replace('_', '-')} has no effect: {reason}; leave it out")

    def mended(self, changed: bool) -> None:
        """Note that ``--renormalise`` was applied to a table, and whether it changed it."""
        self.use("renormalise")
        self._mended |= changed

    def idle_notes(self) -> list[str]:
        """What the answer says of options that were applied, and changed nothing."""
        notes = ["--dyadic changed nothing: no decimal and no float was read"] if self.dyadic and not self._decimals else []
        return [*notes, "--renormalise changed nothing: all rows sum to 1"] if self.renormalise and not self._mended else notes

    def grid(self, content: bytes, title: str) -> Grid:
        """Entries and labels of a file."""
        return self._told(in_file(title, lambda: read_grid(content, labels=self.labels, dyadic=self.dyadic)))

    def table(self, content: bytes, title: str) -> Table:
        """A table of numbers."""
        return self.numbers(self.grid(content, title), title)

    def numbers(self, grid: Grid, title: str) -> Table:
        """The table of numbers that was read; a first line of words brings a hint about ``--labels``."""
        try:
            return in_file(title, lambda: numbers_of(grid, dyadic=self.dyadic))
        except RationalSyntaxError as error:
            if self.labels or error.facts.get("row") != 0 or not str(error.facts.get("text")).strip('"')[:1].isalpha():
                raise
            hint = "If the first line and the first column are labels, give --labels"
            raise RationalSyntaxError(f"{error.message}. {hint}", **error.facts) from None

    def table_file(self, name: str, what: str) -> Table:
        """A table of numbers in the file of this name."""
        return self.table(read_bytes(name, what), title_of(name))

    def prior(self, content: str | bytes, title: str) -> Prior:
        """A prior, with the labels that the file has."""
        file = isinstance(content, bytes)
        grid = self._told(in_file(title, lambda: prior_grid(content, labels=self.labels and file)), file=file)
        return in_file(title, lambda: prior_of(grid, dyadic=self.dyadic))

    def metric(self, content: bytes, title: str) -> Metric:
        """A table of distances."""
        grid = self.grid(content, title)
        return in_file(title, lambda: metric_of(grid, dyadic=self.dyadic, name=title))

    def _told(self, grid: Grid, *, file: bool = True) -> Grid:
        """The grid, after noting which options its reading used; weights written out on the command line have no labels."""
        if grid.form == "csv" and file:
            self.use("labels")
        self.use("dyadic")
        self._decimals |= grid.has_decimals
        return grid


def leave_out(reason: str, *names: str) -> None:
    """Refuse the first of these parameters of the command that was given: it would not enter the answer, for this reason."""
    context = click.get_current_context()
    for param in context.command.params:
        if param.name in names and context.get_parameter_source(param.name) is ParameterSource.COMMANDLINE:
            shown = param.human_readable_name if isinstance(param, click.Argument) else param.opts[0]
            raise click.UsageError(f"{shown} has no effect: {reason}; leave it out")


def in_file(title: str, read: Callable[[], T]) -> T:
    """What ``read()`` returns; its errors begin with the name of the file."""
    try:
        return read()
    except ExactDPError as error:
        raise type(error)(f"{title}: {error.message}", **error.facts) from None
