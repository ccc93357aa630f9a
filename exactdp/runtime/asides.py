# SPDX-License-Identifier: MIT
"""What was left aside when tables were read for a question: its answer says it, whichever question it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class Heard:
    """The notes of one question; ``silent`` are those of files and texts, told nowhere else."""

    notes: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)


_HEARD: ContextVar[Heard | None] = ContextVar("heard", default=None)


@contextmanager
def hearing() -> Iterator[Heard]:
    """What is left aside within; of questions within questions the outermost one is told.

    >>> with hearing() as heard:
    ...     leave_aside("4 numbers in brackets", silent=True)
    >>> heard.notes
    ['4 numbers in brackets']
    """
    outer = _HEARD.get()
    if outer is not None:
        yield outer
        return
    heard = Heard()
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)


def leave_aside(note: str, *, silent: bool) -> None:
    """Note what was left aside; ``silent`` if no table that says it was given to who asks."""
    heard = _HEARD.get()
    if heard is None or not note:
        return
    heard.notes.append(note)
    if silent:
        heard.silent.append(note)
