# SPDX-License-Identifier: MIT
"""Where words become bytes: files, and ``-`` for standard input, read once."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from exactdp.errors import InputError, ResourceLimitError

__all__ = ["MAX_FILE", "check_writable", "file_text", "read_bytes", "text_of", "title_of"]

MAX_FILE = 256_000_000
"""Most bytes of a file that is read."""

_STDIN_USED = "exactdp.stdin"


def read_bytes(name: str, what: str) -> bytes:
    """The content of a file, or of standard input for ``-``.

    Raises
    ------
    click.UsageError
        There is no such file, it can't be read, or ``-`` is asked for twice.
    ResourceLimitError
        It is larger than :data:`MAX_FILE`.

    """
    if name == "-":
        used = click.get_current_context().find_root().meta
        if _STDIN_USED in used:
            raise click.UsageError(f"both {used[_STDIN_USED]} and {what} are '-', but standard input can be read only once")
        used[_STDIN_USED] = what
        content = sys.stdin.buffer.read(MAX_FILE + 1)
    else:
        try:
            with open(name, "rb") as stream:
                content = stream.read(MAX_FILE + 1)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise click.UsageError(f"{what}: can't read {name!r}: {reason}") from None
    if len(content) > MAX_FILE:
        raise ResourceLimitError(f"{what}: {name!r} is larger than {MAX_FILE} bytes", limit=MAX_FILE)
    return content


def file_text(name: str, what: str) -> str:
    """The content as UTF-8 text."""
    return text_of(read_bytes(name, what), f"{what}: {name!r}")


def text_of(content: bytes, title: str) -> str:
    """Bytes as UTF-8 text; the error begins with the title."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{title} is not UTF-8 text (byte {error.start + 1})", position=error.start) from None


def title_of(name: str) -> str:
    """How a file is called in sentences."""
    return "standard input" if name == "-" else Path(name).name


def check_writable(path: Path, option: str = "-o") -> None:
    """Refuse, before any work, a place that can't be written to."""
    folder = path.parent
    if path.is_dir():
        raise click.UsageError(f"{option}: {str(path)!r} is a directory; give the name of a file")
    if path.exists() and not path.is_file():
        raise click.UsageError(f"{option}: {str(path)!r} is no regular file; leave {option} out to write none")
    if not folder.is_dir():
        raise click.UsageError(f"{option}: there is no directory {str(folder)!r}")
    if not os.access(folder, os.W_OK):
        raise click.UsageError(f"{option}: the directory {str(folder)!r} can't be written to")
