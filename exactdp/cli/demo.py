# SPDX-License-Identifier: MIT
"""``exactdp demo``: a published table and a counterexample, recomputed, with certificates."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from exactdp.cli.program import command, say
from exactdp.cli.reading import WritablePath


@command(
    "exactdp demo",
    "exactdp demo -o certificates",
    builds=False,
)
@click.option(
    "-o",
    "--output",
    "folder",
    type=WritablePath(folder=True),
    default=Path("exactdp-demo"),
    show_default=True,
    metavar="DIR",
    help="Where the certificates go.",
)
def demo(folder: Path) -> None:
    """Recompute a paper's table and counterexample in a few seconds, and write their certificates."""
    from exactdp.cli.demo_cases import play

    code = play(folder, partial(say, more=True))
    click.get_current_context().exit(code)
