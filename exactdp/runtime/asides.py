# SPDX-License-Identifier: MIT
"""How the tables of a question were read, and from which files: the answer of any question says it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class Heard:
    """What is to be said of the tables of one question.

    * ``files``: their names, each with the kind of what was read from it.
    * ``notes``: how they were read.
    * ``silent``: what was left aside in files and texts, told nowhere else.
    """

    files: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)


_HEARD: ContextVar[Heard | None] = ContextVar("heard", default=None)


@contextmanager
def hearing() -> Iterator[Heard]:
    """What is read within; of questions within questions the outermost one is told.

    >>> with hearing() as heard:
    ...     hear("mechanism", "t.csv", ["4 numbers in brackets are left aside"])
    >>> heard.files, heard.notes
    ({'t.csv': 'mechanism'}, ['4 numbers in brackets are left aside'])
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


def hear(kind: str, file: str, notes: Iterable[str], silent: Iterable[str] = ()) -> None:
    """Note how a table was read; a file that is read for two purposes is told for the first.

    * ``kind``: what it is: *mechanism*, *remap*.
    * ``file``: from which file; empty for a text or an object.
    * ``notes``, ``silent``: as :class:`Heard` has them.
    """
    heard = _HEARD.get()
    if heard is None:
        return
    if file:
        heard.files.setdefault(file, kind)
    heard.notes += notes
    heard.silent += silent
