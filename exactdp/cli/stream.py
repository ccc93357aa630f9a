# SPDX-License-Identifier: MIT
"""Standard output, whose reader may leave before the end."""

from __future__ import annotations

import contextlib
import os
import sys

import click

__all__ = ["discard_output", "say"]


def say(text: str) -> None:
    """Print on standard output at once; quietly to nowhere when the reader has gone, so that the exit code stays the answer's."""
    try:
        click.echo(text)
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()


def discard_output() -> None:
    """Lead standard output to nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
