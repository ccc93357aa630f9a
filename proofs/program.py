# SPDX-License-Identifier: MIT
"""What makes a command a program of its own, with the options and the exit codes of ``exactdp``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import click

from exactdp.__main__ import prepare
from exactdp.cli.program import SETTINGS, Contract, ExampleCommand


class Standalone(Contract, ExampleCommand):
    """A command that is a program of its own."""


def program(*examples: str) -> Callable[[Callable[..., Any]], Standalone]:
    """Make a function a program, with these examples of its use."""
    return click.command(cls=Standalone, examples=examples, builds=False, context_settings=SETTINGS)


def run(command: Standalone, name: str) -> NoReturn:
    """Run it on the words that were typed."""
    prepare()
    command.main(prog_name=name)
