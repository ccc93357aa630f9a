# SPDX-License-Identifier: MIT
"""How the tables of a question were read, and from which files: the answer of any question says it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class TablesRead:
    """What is to be said of the tables of one question.

    * ``files``: their names, each with the kind of what was read from it.
    * ``notes``: how they were read.
    * ``silent``: what was left aside in files and texts, told nowhere else.
    """

    files: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)


_RECORD: ContextVar[TablesRead | None] = ContextVar("tables_read", default=None)


@contextmanager
def recording_reads() -> Iterator[TablesRead]:
    """What is read within; of questions within questions the outermost one is told.

    >>> with recording_reads() as read:
    ...     record_read("mechanism", "t.csv", ["4 numbers in brackets are left aside"])
    >>> read.files, read.notes
    ({'t.csv': 'mechanism'}, ['4 numbers in brackets are left aside'])
    """
    outer = _RECORD.get()
    if outer is not None:
        yield outer
        return
    read = TablesRead()
    token = _RECORD.set(read)
    try:
        yield read
    finally:
        _RECORD.reset(token)


def record_read(kind: str, file: str, notes: Iterable[str], silent: Iterable[str] = ()) -> None:
    """Note how a table was read; a file that is read for two purposes is told for the first.

    * ``kind``: what it is: *mechanism*, *remap*.
    * ``file``: from which file; empty for a text or an object.
    * ``notes``, ``silent``: as :class:`TablesRead` has them.
    """
    read = _RECORD.get()
    if read is None:
        return
    if file:
        read.files.setdefault(file, kind)
    read.notes += notes
    read.silent += silent
