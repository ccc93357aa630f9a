# SPDX-License-Identifier: MIT
"""Groups of options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from exactdp.cli.reading import Reading

__all__ = ["consumer_options", "level_options", "neighbour_options", "reading_options"]

F = TypeVar("F", bound=Callable[..., Any])


def level_options(command: F) -> F:
    """``--alpha`` and ``--epsilon``."""
    command = click.option(
        "--epsilon", metavar="EPS", help="Instead of --alpha: the level as ε, a rational > 0 such as 1/10; α is then e^(−ε), exactly."
    )(command)
    return click.option(
        "--alpha",
        metavar="LEVEL",
        help="Privacy level: a rational, 0 < α < 1, such as 1/4 (near 1 is strong); or 'symbolic': the letter a, for all levels at once.",
    )(command)


def neighbour_options(command: F) -> F:
    """``--graph`` and ``--metric``."""
    command = click.option("--metric", metavar="FILE", help="Instead of --graph: a square CSV of distances (rationals, sqrt(2), inf).")(
        command
    )
    return click.option(
        "--graph",
        metavar="GRAPH",
        help="path:4 (vertices), cycle:5, complete:4, hypercube:3, grid:3x3, star:4, sum:u=150,v=5, counts:u=30,k=2, euclid:3x3, or a file "
        "with one edge (two labels) a line. Default: what a word means (a word knows its sensitivity), for a table the path on 0..n.",
    )(command)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--labels``, ``--dyadic``, ``--renormalise`` and ``--by-position``, given to the command as ``reading``."""

    @click.option("--labels", is_flag=True, help="CSV files have labels: in their first line and first column (JSON has its own).")
    @click.option("--dyadic", is_flag=True, help="Read decimals as the doubles nearest to them, exactly.")
    @click.option("--renormalise", "--renormalize", is_flag=True, help="Divide each row of a table by its sum.")
    @click.option("--by-position", is_flag=True, help="Match what has labels with what has none by position, not at all otherwise.")
    @wraps(command)
    def run(labels: bool, dyadic: bool, renormalise: bool, by_position: bool, **given: Any) -> Any:
        return command(reading=Reading(labels, dyadic, renormalise, by_position), **given)

    return run


def consumer_options(command: F) -> F:
    """``--loss``, ``--gain``, ``--prior`` and ``--side-information``."""
    for option in (
        click.option("--side-information", "side", metavar="SET", help="Inputs that a minimax consumer holds possible: 0..3 or 1,2,5."),
        click.option("--prior", metavar="PRIOR", help="Makes the consumer Bayesian: uniform, a CSV row, or 1/2,1/4,1/4."),
        click.option("--gain", metavar="GAIN", help="As --loss, but to be maximised: a CSV, or zero-one (1 for a right guess)."),
        click.option("--loss", metavar="LOSS", help="abs, squared, zero-one, distance (of the graph), or a CSV (rows: inputs)"),
    ):
        command = option(command)
    return command
