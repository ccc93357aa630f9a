# SPDX-License-Identifier: MIT
"""Commands whose help ends in examples: lines to copy, kept as data so that the tests can run them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

__all__ = ["ExampleCommand", "write_examples"]


class ExampleCommand(click.Command):
    """A command with ``examples``, shown as they are at the end of its help."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, one a line."""
        super().format_epilog(ctx, formatter)
        write_examples(formatter, self.examples)


def write_examples(formatter: click.HelpFormatter, examples: Sequence[str]) -> None:
    """A section of lines that are not wrapped."""
    with formatter.section("Examples"):
        for line in examples:
            formatter.write(f"  {line}\n")
