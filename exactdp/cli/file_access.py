# SPDX-License-Identifier: MIT
"""Which files a command reads and writes: those of the disk, or those that a bundle holds.

``exactdp verify`` runs the command of a bundle again. It then reads the inputs of the bundle, and nothing
else of this machine, and writes nothing: what it would have written is not looked at, but for the bundle.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

import click

from exactdp.runtime.files import make_folder, write_file
from exactdp.runtime.values import dataclass

if TYPE_CHECKING:
    from pathlib import Path

_HELD = "exactdp.held"


@dataclass(frozen=True)
class HeldFiles:
    """The files of a command that is run again.

    Attributes
    ----------
    command : tuple of str
        The command line as it was given.
    inputs : mapping of str to bytes
        The files that it reads, by the names that were given.
    bundle : dict of str to bytes
        Where it puts the files of its bundle.
    """

    command: tuple[str, ...]
    inputs: Mapping[str, bytes]
    bundle: dict[str, bytes] = field(default_factory=dict)


def hold_files(context: click.Context, held: HeldFiles) -> None:
    """From here on a command reads these files only, and writes none."""
    context.find_root().meta[_HELD] = held


def held_files() -> HeldFiles | None:
    """The files that the command may read; None where it may read those of the disk."""
    context = click.get_current_context(silent=True)
    held = None if context is None else context.find_root().meta.get(_HELD)
    assert held is None or isinstance(held, HeldFiles)
    return held


def is_there(name: str) -> bool:
    """Whether there is a file, a folder or a device of this name."""
    held = held_files()
    return os.path.exists(name) if held is None else name in held.inputs


def put_file(path: Path, content: str) -> None:
    """Write a file, unless the command is run again.

    * raises WriteError: it can't be written.
    """
    if held_files() is None:
        write_file(path, content)


def put_folder(path: Path) -> None:
    """Make a folder where there is none, unless the command is run again.

    * raises WriteError: it can't be made.
    """
    if held_files() is None:
        make_folder(path)
